#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 64 << 10, CHUNK_MAX = 4 << 20, ALIGN = ARENA_ALIGN, FIRST = 64 /* bytes of an array that grows */ };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of data */
	char data[];
};

_Static_assert(sizeof(struct arena_chunk) % ALIGN == 0, "chunk data keeps malloc's alignment");

void arena_init(struct arena *a, size_t limit)
{
	memset(a, 0, sizeof *a);
	a->limit = limit;
}

static void *fail(struct arena *a)
{
	if (a->oom)
		longjmp(*a->oom, 1);
	return NULL;
}

static struct arena_chunk *chunk_new(struct arena *a, size_t size)
{
	if (size > a->limit || a->used > a->limit - size)
		return NULL;
	struct arena_chunk *c = malloc(sizeof *c + size);
	if (!c)
		return NULL;
	c->size = size;
	a->used += size;
	return c;
}

void arena_begin(struct arena *a, size_t size)
{
	if (!a->head && (a->head = chunk_new(a, size))) {
		a->head->next = NULL;
		a->at = a->head->data;
		a->end = a->at + size;
	}
}

void *arena_more(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		return fail(a);
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	size_t want = a->head ? a->head->size * 2 : CHUNK_MIN;

	if (want > CHUNK_MAX)
		want = CHUNK_MAX;
	/* A large request gets a chunk of its own behind the newest one, whose rest stays usable. */
	if (a->head && size > want / 4) {
		struct arena_chunk *c = chunk_new(a, size);
		if (!c)
			return fail(a);
		c->next = a->head->next;
		a->head->next = c;
		return c->data;
	}
	if (want < size)
		want = size;
	/* Near the limit a smaller chunk may still do. */
	if (want > a->limit || a->used > a->limit - want)
		want = size;
	struct arena_chunk *c = chunk_new(a, want);
	if (!c)
		return fail(a);
	c->next = a->head;
	a->head = c;
	a->at = c->data + size;
	a->end = c->data + want;
	return c->data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p = arena_raw(a, size);

	return p ? memset(p, 0, size) : NULL;
}

void *arena_grown(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size)
{
	char *p = arena_enlarge(a, old, count, cap, need, size);
	if (p)
		memset(p + count * size, 0, (*cap - count) * size);
	return p;
}

void *arena_enlarge(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap * 2 : size <= 4 ? FIRST / 4 : size <= 8 ? FIRST / 8 : 4, total;
	want = want < need ? need : want;
	if (__builtin_mul_overflow(want, size, &total) || total > SIZE_MAX / 2) /* no division: most arrays are short */
		return fail(a);
	/* The newest allocation grows in place. */
	size_t have = (*cap * size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	size_t bytes = (total + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (old && (char *)old + have == a->at && bytes - have <= (size_t)(a->end - a->at)) {
		a->at += bytes - have;
		*cap = want;
		return old;
	}
	void *p = arena_raw(a, bytes);
	if (!p)
		return NULL;
	if (count)
		memcpy(p, old, count * size);
	*cap = want;
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char first[128]; /* most texts fit */
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(first, sizeof first, fmt, ap);
	char *s = n < 0 ? NULL : arena_raw(a, (size_t)n + 1);
	if (s && (size_t)n < sizeof first)
		memcpy(s, first, (size_t)n + 1);
	else if (s)
		vsnprintf(s, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return s;
}

char *arena_strdup(struct arena *a, const char *s)
{
	size_t n = strlen(s) + 1;
	char *p = arena_raw(a, n);

	if (p)
		memcpy(p, s, n);
	return p;
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *c = a->head;

	if (!c)
		return;
	for (struct arena_chunk *n = c->next, *next; n; n = next) {
		next = n->next;
		a->used -= n->size;
		free(n);
	}
	c->next = NULL;
	a->at = c->data;
}

void arena_free(struct arena *a)
{
	for (struct arena_chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	a->head = NULL;
	a->at = a->end = NULL;
	a->used = 0;
}
