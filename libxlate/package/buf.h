/* buf.h - a growable byte buffer, a checked reader, and whole files; for the package folder, its formats, and the loader.
 *
 * All numbers in our files are little endian. A buffer that ran out of memory keeps `bad` and drops what follows. */
#ifndef XL_BUF_H
#define XL_BUF_H

#include "../../ir/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	uint8_t *v;
	size_t n, cap;
	bool bad;
};

void buf_put(struct buf *, const void *, size_t);
void buf_u32(struct buf *, uint32_t);
void buf_u64(struct buf *, uint64_t);
void buf_var_long(struct buf *, uint32_t); /* 7 bits a byte, the lowest first */
void buf_text(struct buf *, const char *); /* length, bytes; NULL is the empty string */
void buf_pad(struct buf *, size_t to);     /* zeros up to a multiple */
void buf_set32(struct buf *, size_t at, uint32_t);
void buf_set64(struct buf *, size_t at, uint64_t);
void buf_free(struct buf *);
/* Inline: the streams of a module are bytes, most of them one at a time. */
static inline void buf_u8(struct buf *b, uint8_t v)
{
	if (b->n < b->cap && !b->bad)
		b->v[b->n++] = v;
	else
		buf_put(b, &v, 1);
}
static inline void buf_var(struct buf *b, uint32_t v)
{
	if (v < 128)
		buf_u8(b, (uint8_t)v);
	else
		buf_var_long(b, v);
}

static inline uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t get64(const uint8_t *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

/* Reads past the end give zeros and set `bad`. */
struct scan {
	const uint8_t *v;
	size_t n, at;
	bool bad;
};
const uint8_t *scan_bytes(struct scan *, size_t); /* NULL when short */
static inline uint8_t scan_u8(struct scan *s)
{
	if (s->at < s->n && !s->bad)
		return s->v[s->at++];
	s->bad = true;
	return 0;
}
uint32_t scan_u32(struct scan *);
uint64_t scan_u64(struct scan *);
uint32_t scan_var_long(struct scan *); /* what is longer than 5 bytes is bad */
static inline uint32_t scan_var(struct scan *s)
{
	return s->at < s->n && s->v[s->at] < 128 ? s->v[s->at++] : scan_var_long(s);
}
const char *scan_text(struct scan *, struct arena *, size_t most);

/* Whole file into malloc memory ("-" is standard input). 0, or -1 with errno; EFBIG past `most`. */
int buf_load(struct buf *, const char *path, size_t most);
/* Temporary file beside `path`, fsync, rename: at any moment the old or the new file is there, whole. 0 or -1 with errno. */
int buf_replace(const struct buf *, const char *path);

#endif
