/* arena.h - bump allocation that is freed as a whole.
 *
 * One arena per translation holds everything that lives as long as the translation; a scratch arena is reset per pass.
 * An arena has a byte limit: hostile input cannot make it grow without bound. Running out calls `longjmp(*oom, 1)` when
 * `oom` is set (the translation's entry point sets it), else aborts the allocation by returning NULL.
 * Memory is zeroed where not said otherwise: when it is handed out, so what no one asks for costs nothing, and a reset
 * costs nothing either. Alignment is 16. Not thread safe: one arena, one thread.
 */
#ifndef XL_ARENA_H
#define XL_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *head; /* newest chunk */
	char *at, *end;
	size_t used, limit; /* bytes handed out by malloc, and how many may be */
	jmp_buf *oom;
};

void arena_init(struct arena *a, size_t limit);
/* Have a first chunk of `size` bytes, a multiple of ARENA_ALIGN. Of an arena that is reset and filled over and over that spares
 * chunks which are outgrown, given back, and asked for again; what is not used of it costs addresses only. */
void arena_begin(struct arena *a, size_t size);
void *arena_alloc(struct arena *a, size_t size);
void *arena_grown(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size);
void *arena_enlarge(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size); /* they: where it does not */
/* Grow an array of `count` elements of `size` bytes so that it holds at least `need`; *cap is updated (doubling). */
static inline void *arena_grow(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? old : arena_grown(a, old, count, cap, need, size);
}
static inline void *arena_grow_raw(struct arena *a, void *old, size_t count, size_t *cap, size_t need, size_t size)
{ /* the rest is not zeroed */
	return need <= *cap ? old : arena_enlarge(a, old, count, cap, need, size);
}
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_strdup(struct arena *a, const char *s);
/* Forget everything, keep one chunk for reuse. */
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

enum { ARENA_ALIGN = 16 };
void *arena_more(struct arena *a, size_t size); /* arena_raw where the chunk at hand has no room */

/* Not zeroed: for what is written before it is read. */
static inline void *arena_raw(struct arena *a, size_t size)
{
	size_t left = (size_t)(a->end - a->at);

	/* A chunk's size is a multiple of the alignment, so what fits also fits rounded up. */
	if (size > left)
		return arena_more(a, size);
	void *p = a->at;
	/* A number: of an empty arena and nothing, NULL and 0 are added. */
	a->at = (char *)((uintptr_t)p + ((size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1)));
	return p;
}

/* Of an allocation of `had` bytes, if it is the newest, only the first `size` are kept. */
static inline void arena_trim(struct arena *a, void *p, size_t had, size_t size)
{
	enum { UP = ARENA_ALIGN - 1 };

	if ((char *)p + ((had + UP) & ~(size_t)UP) == a->at)
		a->at = (char *)p + ((size + UP) & ~(size_t)UP);
}

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), (size_t)(n) * sizeof(type)))
#define arena_array_raw(a, type, n) ((type *)arena_raw((a), (size_t)(n) * sizeof(type)))

#endif
