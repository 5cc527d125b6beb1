#include "outputs.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 40 };

struct record *outputs_add(struct outputs *o, const char *kind, const void *data, uint64_t size)
{
	o->records = realloc(o->records, sizeof *o->records * (size_t)(o->count + 1));
	struct record *r = &o->records[o->count++];
	memset(r, 0, sizeof *r);
	memcpy(r->kind, kind, strlen(kind));
	r->size = size;
	r->data = malloc(size + 1);
	r->classes = calloc(size + 1, 1);
	memcpy(r->data, data, size);
	return r;
}

void outputs_free(struct outputs *o)
{
	for (int i = 0; i < o->count; i++) {
		free(o->records[i].data);
		free(o->records[i].classes);
	}
	free(o->records);
	memset(o, 0, sizeof *o);
}

uint32_t outputs_class_size(enum word_class class)
{
	static const uint8_t size[] = {
		[CLASS_BITS] = 1, [CLASS_F16] = 2,   [CLASS_F32] = 4,
		[CLASS_F64] = 8,  [CLASS_NORM8] = 1, [CLASS_NORM16] = 2,
	};
	return size[class];
}

void outputs_classify(struct record *r, uint64_t at, enum word_class class, uint64_t count)
{
	uint32_t size = outputs_class_size(class);
	for (uint64_t i = 0; i < count && at + size <= r->size; i++, at += size)
		r->classes[at] = (uint8_t) class;
}

void outputs_count_changed(struct record *r, const uint8_t *initial)
{
	for (uint64_t i = 0; i < r->size; i++)
		r->changed += r->data[i] != initial[i];
}

uint64_t outputs_changed(const struct outputs *o)
{
	uint64_t n = 0;
	for (int i = 0; i < o->count; i++)
		n += o->records[i].changed;
	return n;
}

static void header(const struct record *r, uint8_t out[HEADER])
{
	uint32_t words[8] = {r->a, r->b, r->c, r->format, r->width, r->height, (uint32_t)r->size, r->extra};
	memcpy(out, r->kind, 8);
	memcpy(out + 8, words, 32);
}

static uint64_t fnv(uint64_t h, const uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return h;
}

uint64_t outputs_hash(const struct outputs *o, uint64_t *bytes)
{
	uint64_t h = fnv(0xcbf29ce484222325ull, (const uint8_t *)"VKXO1\0\0", 8);
	*bytes = 8;
	for (int i = 0; i < o->count; i++) {
		uint8_t head[HEADER];
		header(&o->records[i], head);
		h = fnv(h, head, HEADER);
		h = fnv(h, o->records[i].data, o->records[i].size);
		*bytes += HEADER + o->records[i].size;
	}
	return h;
}

bool outputs_write(const struct outputs *o, const char *magic, const char *file)
{
	char head[8] = {0};
	FILE *f = fopen(file, "wb");
	if (!f)
		return false;
	memcpy(head, magic, strlen(magic));
	fwrite(head, 1, 8, f);
	for (int i = 0; i < o->count; i++) {
		uint8_t h[HEADER];
		header(&o->records[i], h);
		fwrite(h, 1, HEADER, f);
		fwrite(o->records[i].data, 1, o->records[i].size, f);
	}
	return fclose(f) == 0;
}

bool outputs_read(struct outputs *o, const struct outputs *like, const char *file)
{
	char magic[8];
	FILE *f = fopen(file, "rb");
	memset(o, 0, sizeof *o);
	if (!f)
		return false;
	bool ok = fread(magic, 1, 8, f) == 8 && !memcmp(magic, "VKXO1\0\0", 8);
	for (int i = 0; ok && i < like->count; i++) {
		uint8_t head[HEADER], want[HEADER];
		const struct record *r = &like->records[i];
		struct record *copy = outputs_add(o, "", r->data, r->size);
		memcpy(copy->kind, r->kind, sizeof r->kind);
		copy->a = r->a;
		copy->b = r->b;
		copy->c = r->c;
		copy->format = r->format;
		copy->width = r->width;
		copy->height = r->height;
		copy->background = r->background;
		header(r, want);
		ok = fread(head, 1, HEADER, f) == HEADER && !memcmp(head, want, HEADER) &&
		     fread(copy->data, 1, r->size, f) == r->size;
	}
	ok = ok && fgetc(f) == EOF;
	fclose(f);
	return ok;
}
