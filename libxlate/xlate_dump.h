/* xlate_dump.h - writes guest caches (xlate-cache(5)) from a running port. One header, no dependencies but C's own library.
 *
 * In one C file (C11):        #define XLATE_DUMP_IMPLEMENTATION
 *                             #include "xlate_dump.h"
 * everywhere else:            #include "xlate_dump.h"          (C99, C++)
 *
 * xlate_dump_open opens a cache or makes one, xlate_dump_add adds a pipeline with its programs, xlate_dump_close closes it. Bytes and
 * pipelines that the file has already are not written again. Each call may come from any thread. A process that dies while it writes
 * leaves a torn record at the end: readers use what stands before it, and the next xlate_dump_open writes over it. One process at a
 * time writes a cache.
 *
 * What is stored is not checked here; `xlate list CACHE` says what is wrong with it. Numbers, names of facts and columns of lists
 * are those of xlate-cache(5).
 */
#ifndef XLATE_DUMP_H
#define XLATE_DUMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xlate_dump_stage {
	XLATE_DUMP_VERTEX, XLATE_DUMP_TESS_CTRL, XLATE_DUMP_TESS_EVAL, XLATE_DUMP_GEOMETRY, XLATE_DUMP_FRAGMENT, XLATE_DUMP_COMPUTE,
	XLATE_DUMP_TASK, XLATE_DUMP_MESH
};
/* What the hardware ran it as: HW_NONE where the guest has no such notion (NVIDIA). */
enum xlate_dump_hw {
	XLATE_DUMP_HW_UNKNOWN, XLATE_DUMP_HW_NONE, XLATE_DUMP_HW_LS, XLATE_DUMP_HW_HS, XLATE_DUMP_HW_ES, XLATE_DUMP_HW_GS, XLATE_DUMP_HW_VS,
	XLATE_DUMP_HW_PS, XLATE_DUMP_HW_CS, XLATE_DUMP_HW_NGG, XLATE_DUMP_HW_COPY
};
/* Who says so. */
enum xlate_dump_from { XLATE_DUMP_SOURCE = 1, XLATE_DUMP_HEADER, XLATE_DUMP_STATE, XLATE_DUMP_CODE, XLATE_DUMP_USER };

struct xlate_dump_bytes { const void *v; uint32_t size; };
/* Leave out what is not known: nothing is guessed later. not_asked: the source knows, but the program did not ask. */
struct xlate_dump_fact { const char *name; uint64_t value; uint8_t from, not_asked; };
/* `rows` rows of `columns` words each. */
struct xlate_dump_list { const char *name; const uint32_t *v; uint32_t columns, rows; uint8_t from; };
struct xlate_dump_memory { uint64_t address; struct xlate_dump_bytes bytes; };

struct xlate_dump_program {
	const char *name;               /* "NAME.STAGE": NAME is the pipeline's */
	const char *isa, *cpu;          /* "gfx10", "gfx1030"; "sm86", "sm86": `xlate isa` lists them */
	uint8_t stage, hw_stage;        /* enum xlate_dump_stage, enum xlate_dump_hw */
	uint8_t wave;                   /* 32 or 64 */
	struct xlate_dump_bytes code;   /* machine words, then constant data that the code reaches by address */
	uint32_t exec_size, entry;      /* bytes of it that may be executed; offset of the first instruction */
	struct xlate_dump_bytes live;   /* a bit per instruction word that was seen executing; or none */
	struct xlate_dump_bytes header; /* the guest's own header; or none */
	struct xlate_dump_bytes data;   /* constant data with a bank of its own; or none */
	uint32_t data_used;
	const struct xlate_dump_memory *memory; /* what pointers reached, sorted by address */
	uint32_t nmemory;
	const struct xlate_dump_fact *fact;     /* the guest address of the code is the fact "address" */
	uint32_t nfact;
	const struct xlate_dump_list *list;
	uint32_t nlist;
};
struct xlate_dump_pipeline {
	const char *name;               /* of the pipeline, unique in the cache */
	const char *abi;                /* preset of the ABI: "radv", "nvk" */
	const char *producer;           /* port, driver, version: for people */
	const char *strings;            /* pool for columns that end in _str: offsets into it; starts and ends with a zero; or NULL */
	uint32_t nstrings;
	const struct xlate_dump_fact *fact;
	uint32_t nfact;
	const struct xlate_dump_list *list;
	uint32_t nlist;
	const struct xlate_dump_program *program;
	uint32_t nprogram;              /* 1 to 255 */
};

struct xlate_dump;
/* NULL: the file cannot be opened, is none of ours or damaged (errno says), or no memory. */
struct xlate_dump *xlate_dump_open(const char *path);
/* 0 written; 1 the cache has it already; -1 not written (no memory, a full disk, more than 64 MiB in one piece), and nothing after it
 * either. Copies what it needs. */
int xlate_dump_add(struct xlate_dump *, const struct xlate_dump_pipeline *);
/* 0, or -1 when something was not written. */
int xlate_dump_close(struct xlate_dump *);

#ifdef __cplusplus
}
#endif

#ifdef XLATE_DUMP_IMPLEMENTATION
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a thread does while another one writes; a port may have better. */
#ifndef XLATE_DUMP_YIELD
#define XLATE_DUMP_YIELD() ((void)0)
#endif

/* ---- XXH3, as its specification has it (the default secret, 64 and 128 bits) */
typedef struct { uint64_t lo, hi; } xld_u128;

static const uint64_t xld_secret_words[24] = {
	0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
	0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
	0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
	0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
	0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
	0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af
};
enum { XLD_BLOCK = 16 /* stripes of 64 bytes */, XLD_BLOB = 1, XLD_PIPELINE = 2, XLD_FILLER = 0, XLD_MOST = 64 << 20 };
static const uint64_t XLD_P32_1 = 0x9e3779b1u, XLD_P32_2 = 0x85ebca77u, XLD_P32_3 = 0xc2b2ae3du;
static const uint64_t XLD_P64_1 = 0x9e3779b185ebca87u, XLD_P64_2 = 0xc2b2ae3d27d4eb4fu, XLD_P64_3 = 0x165667b19e3779f9u,
	XLD_P64_4 = 0x85ebca77c2b2ae63u, XLD_P64_5 = 0x27d4eb2f165667c5u;
static const uint64_t XLD_MX1 = 0x165667919e3779f9u, XLD_MX2 = 0x9fb21c651e98df25u;

static uint32_t xld_32(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
static uint64_t xld_64(const uint8_t *p) { return xld_32(p) | (uint64_t)xld_32(p + 4) << 32; }

/* Eight bytes of a secret from any byte on. */
static uint64_t xld_bytes(const uint64_t *words, unsigned at)
{
	return words[at / 8] >> 8 * (at % 8) | (at % 8 ? words[at / 8 + 1] << (64 - 8 * (at % 8)) : 0);
}

static uint64_t xld_s(unsigned at) { return xld_bytes(xld_secret_words, at); }

static uint32_t xld_swap32(uint32_t v) { return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }
static uint64_t xld_swap64(uint64_t v) { return (uint64_t)xld_swap32((uint32_t)v) << 32 | xld_swap32((uint32_t)(v >> 32)); }

static xld_u128 xld_mul(uint64_t a, uint64_t b)
{
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t ll = al * bl, hl = ah * bl, lh = al * bh, hh = ah * bh, cross = (ll >> 32) + (uint32_t)hl + lh;
	xld_u128 r;

	r.lo = cross << 32 | (uint32_t)ll;
	r.hi = (hl >> 32) + (cross >> 32) + hh;
	return r;
}

static uint64_t xld_fold(uint64_t a, uint64_t b)
{
	xld_u128 r = xld_mul(a, b);

	return r.lo ^ r.hi;
}

static uint64_t xld_avalanche(uint64_t h)
{
	h = (h ^ h >> 37) * XLD_MX1;
	return h ^ h >> 32;
}

static uint64_t xld_avalanche64(uint64_t h)
{
	h = (h ^ h >> 33) * XLD_P64_2;
	h = (h ^ h >> 29) * XLD_P64_3;
	return h ^ h >> 32;
}

static uint64_t xld_mix(const uint8_t *p, unsigned s, uint64_t seed)
{
	return xld_fold(xld_64(p) ^ (xld_s(s) + seed), xld_64(p + 8) ^ (xld_s(s + 8) - seed));
}

/* Eight lanes over all stripes; `seed` changes the secret. */
static void xld_long(const uint8_t *p, size_t n, uint64_t seed, uint64_t acc[8], uint64_t secret[24])
{
	const uint64_t first[8] = { XLD_P32_3, XLD_P64_1, XLD_P64_2, XLD_P64_3, XLD_P64_4, XLD_P32_2, XLD_P64_5, XLD_P32_1 };
	size_t stripes = (n - 1) / 64;

	memcpy(acc, first, sizeof(first));
	for (unsigned i = 0; i < 24; i++)
		secret[i] = i % 2 ? xld_secret_words[i] - seed : xld_secret_words[i] + seed;
	for (size_t k = 0; k <= stripes; k++) {
		const uint8_t *at = k < stripes ? p + 64 * k : p + n - 64;

		for (unsigned i = 0; i < 8; i++) {
			unsigned w = (unsigned)(k % XLD_BLOCK) + i;
			uint64_t v = xld_64(at + 8 * i);
			/* The last stripe has the secret seven bytes before its end. */
			uint64_t key = v ^ (k < stripes ? secret[w] : secret[15 + i] >> 8 | secret[16 + i] << 56);

			acc[i ^ 1] += v;
			acc[i] += (uint64_t)(uint32_t)key * (key >> 32);
		}
		for (unsigned i = 0; i < 8 && k < stripes && k % XLD_BLOCK == XLD_BLOCK - 1; i++)
			acc[i] = (acc[i] ^ acc[i] >> 47 ^ secret[16 + i]) * XLD_P32_1;
	}
}

static uint64_t xld_merge(const uint64_t acc[8], const uint64_t secret[24], unsigned at, uint64_t h)
{
	for (unsigned i = 0; i < 8; i += 2)
		h += xld_fold(acc[i] ^ xld_bytes(secret, at + 8 * i), acc[i + 1] ^ xld_bytes(secret, at + 8 * i + 8));
	return xld_avalanche(h);
}

/* Of more than 16 bytes: all payloads are longer. */
static uint64_t xld_hash64(const uint8_t *p, size_t n, uint64_t seed)
{
	uint64_t h = n * XLD_P64_1, acc[8], secret[24];

	if (n > 240) {
		xld_long(p, n, seed, acc, secret);
		return xld_merge(acc, secret, 11, h);
	}
	if (n <= 128) {
		for (unsigned i = (unsigned)(n - 1) / 32 + 1; i--;)
			h += xld_mix(p + 16 * i, 32 * i, seed) + xld_mix(p + n - 16 * (i + 1), 32 * i + 16, seed);
		return xld_avalanche(h);
	}
	for (unsigned i = 0; i < n / 16; i++) {
		h += i < 8 ? xld_mix(p + 16 * i, 16 * i, seed) : xld_mix(p + 16 * i, 16 * (i - 8) + 3, seed);
		h = i == 7 ? xld_avalanche(h) : h;
	}
	return xld_avalanche(h + xld_mix(p + n - 16, 119, seed));
}

static xld_u128 xld_short128(const uint8_t *p, size_t n)
{
	xld_u128 r, m;

	if (n > 8) {
		uint64_t hi = xld_64(p + n - 8);

		m = xld_mul(xld_64(p) ^ hi ^ xld_s(32) ^ xld_s(40), XLD_P64_1);
		m.lo += (uint64_t)(n - 1) << 54;
		hi ^= xld_s(48) ^ xld_s(56);
		m.hi += hi + (uint64_t)(uint32_t)hi * (XLD_P32_2 - 1);
		m.lo ^= xld_swap64(m.hi);
		r = xld_mul(m.lo, XLD_P64_2);
		r.hi += m.hi * XLD_P64_2;
		r.lo = xld_avalanche(r.lo);
		r.hi = xld_avalanche(r.hi);
	} else if (n >= 4) {
		m = xld_mul((xld_32(p) + ((uint64_t)xld_32(p + n - 4) << 32)) ^ xld_s(16) ^ xld_s(24), XLD_P64_1 + ((uint64_t)n << 2));
		m.hi += m.lo << 1;
		m.lo ^= m.hi >> 3;
		m.lo = (m.lo ^ m.lo >> 35) * XLD_MX2;
		r.lo = m.lo ^ m.lo >> 28;
		r.hi = xld_avalanche(m.hi);
	} else if (n) {
		uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[n / 2] << 24 | p[n - 1] | (uint32_t)n << 8, w = xld_swap32(v);

		w = w << 13 | w >> 19;
		r.lo = xld_avalanche64(v ^ (uint64_t)((uint32_t)xld_s(0) ^ (uint32_t)(xld_s(0) >> 32)));
		r.hi = xld_avalanche64(w ^ (uint64_t)((uint32_t)xld_s(8) ^ (uint32_t)(xld_s(8) >> 32)));
	} else {
		r.lo = xld_avalanche64(xld_s(64) ^ xld_s(72));
		r.hi = xld_avalanche64(xld_s(80) ^ xld_s(88));
	}
	return r;
}

static void xld_mix2(xld_u128 *acc, const uint8_t *a, const uint8_t *b, unsigned s)
{
	acc->lo = (acc->lo + xld_mix(a, s, 0)) ^ (xld_64(b) + xld_64(b + 8));
	acc->hi = (acc->hi + xld_mix(b, s + 16, 0)) ^ (xld_64(a) + xld_64(a + 8));
}

static xld_u128 xld_hash128(const uint8_t *p, size_t n)
{
	xld_u128 acc = { n * XLD_P64_1, 0 }, r;
	uint64_t lane[8], secret[24];

	if (n <= 16)
		return xld_short128(p, n);
	if (n > 240) {
		xld_long(p, n, 0, lane, secret);
		r.lo = xld_merge(lane, secret, 11, acc.lo);
		r.hi = xld_merge(lane, secret, 192 - 64 - 11, ~(n * XLD_P64_2));
		return r;
	}
	if (n <= 128) {
		for (unsigned i = (unsigned)(n - 1) / 32 + 1; i--;)
			xld_mix2(&acc, p + 16 * i, p + n - 16 * (i + 1), 32 * i);
	} else {
		for (unsigned i = 0; i < n / 32; i++) {
			xld_mix2(&acc, p + 32 * i, p + 32 * i + 16, i < 4 ? 32 * i : 32 * (i - 4) + 3);
			acc.lo = i == 3 ? xld_avalanche(acc.lo) : acc.lo;
			acc.hi = i == 3 ? xld_avalanche(acc.hi) : acc.hi;
		}
		xld_mix2(&acc, p + n - 16, p + n - 32, 103);
	}
	r.lo = xld_avalanche(acc.lo + acc.hi);
	r.hi = 0 - xld_avalanche(acc.lo * XLD_P64_1 + acc.hi * XLD_P64_4 + n * XLD_P64_2);
	return r;
}

/* ---- bytes */
struct xld_buf { uint8_t *v; size_t n, cap; int bad; };

static void xld_put(struct xld_buf *b, const void *v, size_t n)
{
	if (b->n + n > b->cap) {
		size_t cap = (b->n + n) * 2 + 256;
		uint8_t *grown = (uint8_t *)realloc(b->v, cap);

		if (!grown) {
			b->bad = 1;
			return;
		}
		b->v = grown;
		b->cap = cap;
	}
	if (n)
		memcpy(b->v + b->n, v, n);
	b->n += n;
}

static void xld_put_number(struct xld_buf *b, uint64_t v, unsigned n)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < n; i++)
		bytes[i] = (uint8_t)(v >> 8 * i);
	xld_put(b, bytes, n);
}

static void xld_put_text(struct xld_buf *b, const char *s)
{
	xld_put_number(b, s ? strlen(s) : 0, 4);
	xld_put(b, s, s ? strlen(s) : 0);
}

/* ---- the file */
struct xlate_dump {
	FILE *f;
	atomic_flag lock;
	uint64_t (*seen)[2];    /* hashes of what is there; open addressing, all zero: empty */
	size_t nseen, cap;
	uint64_t size;          /* bytes that are whole */
	int failed;
};

/* 1: it was there; 0: it is now; -1: no memory. */
static int xld_seen(struct xlate_dump *d, uint64_t a, uint64_t b)
{
	size_t i;

	if (d->nseen * 2 >= d->cap) {
		size_t cap = d->cap ? d->cap * 2 : 1024;
		uint64_t (*grown)[2] = (uint64_t (*)[2])calloc(cap, sizeof(*grown));

		if (!grown)
			return -1;
		for (size_t k = 0; k < d->cap; k++) {
			if (!(d->seen[k][0] | d->seen[k][1]))
				continue;
			for (i = d->seen[k][0] & (cap - 1); grown[i][0] | grown[i][1]; i = (i + 1) & (cap - 1))
				;
			memcpy(grown[i], d->seen[k], sizeof(grown[i]));
		}
		free(d->seen);
		d->seen = grown;
		d->cap = cap;
	}
	for (i = a & (d->cap - 1); d->seen[i][0] | d->seen[i][1]; i = (i + 1) & (d->cap - 1)) {
		if (d->seen[i][0] == a && d->seen[i][1] == b)
			return 1;
	}
	d->seen[i][0] = a;
	d->seen[i][1] = b;
	d->nseen++;
	return 0;
}

/* A record's head, payload and padding. */
static void xld_record(struct xld_buf *out, uint32_t type, const struct xld_buf *payload)
{
	static const uint8_t zero[8];

	xld_put_number(out, payload->n | (uint64_t)type << 32, 8);
	xld_put_number(out, xld_hash64(payload->v, payload->n, type), 8);
	xld_put(out, payload->v, payload->n);
	xld_put(out, zero, (8 - out->n % 8) % 8);
	out->bad |= payload->bad;
}

/* Written whole, or as if it had not been begun: the next one starts at the same place. */
static int xld_write(struct xlate_dump *d, const struct xld_buf *b)
{
	if (b->bad || fseek(d->f, (long)d->size, SEEK_SET) || fwrite(b->v, 1, b->n, d->f) != b->n || fflush(d->f)) {
		clearerr(d->f);
		d->failed = 1;
		return -1;
	}
	d->size += b->n;
	return 0;
}

/* What is in the file. Up to a torn record, which is made one that readers pass over. */
static int xld_read(struct xlate_dump *d, uint64_t end)
{
	struct xld_buf out = { 0 }, payload = { 0 };
	uint8_t h[16], key[16];
	int rc = 0;

	for (d->size = 16; end - d->size >= 16; d->size += 16 + ((xld_32(h) + (uint64_t)7) & ~(uint64_t)7)) {
		uint64_t n;

		if (fseek(d->f, (long)d->size, SEEK_SET) || fread(h, 1, 16, d->f) != 16)
			return -1;
		n = (xld_32(h) + (uint64_t)7) & ~(uint64_t)7;
		if (xld_32(h) > XLD_MOST) /* damage, not a torn end: what stands behind it is not ours to write over */
			return errno = EINVAL, -1;
		if (n > end - d->size - 16)
			break;
		/* Blobs by their own hash; pipelines by their check, which is a hash of all that they say. */
		if (xld_32(h + 4) == XLD_BLOB && n >= 16 && fread(key, 1, 16, d->f) == 16)
			rc = xld_seen(d, xld_swap64(xld_64(key + 8)), xld_swap64(xld_64(key)));
		else if (xld_32(h + 4) == XLD_PIPELINE)
			rc = xld_seen(d, xld_64(h + 8), xld_32(h));
		if (rc < 0)
			return -1;
	}
	if (d->size == end)
		return 0;
	while (payload.n < 32 || payload.n + 16 < end - d->size) /* over all that is torn */
		xld_put_number(&payload, 0, payload.bad ? 0 : 8), payload.n += payload.bad ? 8 : 0;
	xld_record(&out, XLD_FILLER, &payload);
	rc = xld_write(d, &out);
	free(out.v);
	free(payload.v);
	return rc;
}

struct xlate_dump *xlate_dump_open(const char *path)
{
	static const uint8_t magic[16] = { 'X', 'L', 'A', 'T', 'E', '-', 'G', 'C', 1 };
	struct xlate_dump *d = (struct xlate_dump *)calloc(1, sizeof(*d));
	struct xld_buf head = { 0 };
	uint8_t have[16];
	long end;
	size_t n;
	int rc = -1;

	if (!d)
		return NULL;
	atomic_flag_clear(&d->lock);
	d->f = fopen(path, "r+b");
	if (!d->f && errno == ENOENT)
		d->f = fopen(path, "w+b");
	end = d->f && !fseek(d->f, 0, SEEK_END) ? ftell(d->f) : -1;
	if (end >= 0)
		rewind(d->f);
	n = end >= 0 ? fread(have, 1, 16, d->f) : 17;
	if (n > 16 || n != (size_t)(end < 16 ? end : 16) || memcmp(have, magic, n)) {
		errno = n > 16 ? errno : EINVAL;
	} else if (n < 16) { /* new, or torn in its head */
		xld_put(&head, magic, 16);
		rc = xld_write(d, &head);
	} else {
		rc = xld_read(d, (uint64_t)end);
	}
	free(head.v);
	if (!rc)
		return d;
	if (d->f)
		fclose(d->f);
	free(d->seen);
	free(d);
	return NULL;
}

int xlate_dump_close(struct xlate_dump *d)
{
	int failed = d && (fclose(d->f) || d->failed);

	free(d ? d->seen : NULL);
	free(d);
	return failed ? -1 : 0;
}

/* ---- a pipeline */
/* A blob's reference into `body`, and, where the file does not have it, the blob itself. Under the lock. */
static int xld_blob(struct xlate_dump *d, struct xld_buf *body, struct xlate_dump_bytes b)
{
	struct xld_buf payload = { 0 }, out = { 0 };
	xld_u128 h;
	int rc;

	xld_put_number(body, b.size, 4);
	if (!b.size || b.size > (uint32_t)XLD_MOST - 24)
		return b.size ? -1 : 0;
	h = xld_hash128((const uint8_t *)b.v, b.size);
	xld_put_number(&payload, xld_swap64(h.hi), 8);
	xld_put_number(&payload, xld_swap64(h.lo), 8);
	xld_put(body, payload.v, payload.n);
	xld_put_number(&payload, b.size, 4);
	xld_put_number(&payload, 0, 4);
	rc = xld_seen(d, h.lo, h.hi);
	if (rc) {
		free(payload.v);
		return rc < 0 ? -1 : 0;
	}
	xld_put(&payload, b.v, b.size);
	xld_record(&out, XLD_BLOB, &payload);
	rc = xld_write(d, &out);
	free(payload.v);
	free(out.v);
	return rc;
}

static uint32_t xld_from(uint32_t known, uint8_t from) { return known | (uint32_t)(from ? from : XLATE_DUMP_SOURCE) << 8; }

static void xld_facts(struct xld_buf *b, const struct xlate_dump_fact *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		xld_put_text(b, f[i].name);
		xld_put_number(b, xld_from(f[i].not_asked ? 1 : 2, f[i].from), 2);
		xld_put_number(b, f[i].value, 8);
	}
	xld_put_text(b, "");
}

static void xld_lists(struct xld_buf *b, const struct xlate_dump_list *l, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		xld_put_text(b, l[i].name);
		xld_put_number(b, xld_from(2, l[i].from), 2);
		xld_put_number(b, l[i].columns, 4);
		xld_put_number(b, l[i].rows, 4);
		for (size_t k = 0; k < (size_t)l[i].columns * l[i].rows; k++)
			xld_put_number(b, l[i].v[k], 4);
	}
	xld_put_text(b, "");
}

static int xld_program(struct xlate_dump *d, struct xld_buf *b, const struct xlate_dump_program *p)
{
	xld_put_text(b, p->name);
	xld_put_text(b, p->isa);
	xld_put_text(b, p->cpu);
	xld_put_number(b, p->stage | (uint32_t)p->hw_stage << 8 | (uint32_t)p->wave << 16, 4); /* and little endian */
	xld_put_number(b, p->exec_size | (uint64_t)p->entry << 32, 8);
	xld_put_number(b, p->data_used, 4);
	if (xld_blob(d, b, p->code) || xld_blob(d, b, p->live) || xld_blob(d, b, p->header) || xld_blob(d, b, p->data))
		return -1;
	xld_put_number(b, p->nmemory, 4);
	for (uint32_t i = 0; i < p->nmemory; i++) {
		xld_put_number(b, p->memory[i].address, 8);
		if (xld_blob(d, b, p->memory[i].bytes))
			return -1;
	}
	xld_facts(b, p->fact, p->nfact);
	xld_lists(b, p->list, p->nlist);
	return 0;
}

static int xld_add(struct xlate_dump *d, const struct xlate_dump_pipeline *p)
{
	struct xld_buf body = { 0 }, payload = { 0 }, out = { 0 };
	int rc = d->failed ? -1 : 0;

	xld_put_text(&body, p->name);
	xld_put_text(&body, p->abi);
	xld_put_number(&body, 0, 8), xld_put_text(&body, "dump"); /* file "", record 0 */
	xld_put_text(&body, p->producer);
	xld_put_number(&body, p->nstrings ? p->nstrings : 1, 4);
	xld_put(&body, p->nstrings ? p->strings : "", p->nstrings ? p->nstrings : 1);
	xld_facts(&body, p->fact, p->nfact);
	xld_lists(&body, p->list, p->nlist);
	xld_put_number(&body, p->nprogram, 4);
	for (uint32_t i = 0; i < p->nprogram && !rc; i++)
		rc = xld_program(d, &body, &p->program[i]);
	xld_put_number(&payload, body.n, 4);
	xld_put_text(&payload, p->name);
	xld_put_number(&payload, 0, 4);
	xld_put(&payload, body.v, body.n);
	if (body.bad || payload.bad || payload.n > XLD_MOST)
		rc = -1;
	if (!rc) {
		xld_record(&out, XLD_PIPELINE, &payload);
		rc = xld_seen(d, xld_hash64(payload.v, payload.n, XLD_PIPELINE), payload.n);
		rc = rc ? rc : xld_write(d, &out);
	}
	free(body.v);
	free(payload.v);
	free(out.v);
	return rc;
}

int xlate_dump_add(struct xlate_dump *d, const struct xlate_dump_pipeline *p)
{
	int rc;

	while (atomic_flag_test_and_set_explicit(&d->lock, memory_order_acquire))
		XLATE_DUMP_YIELD();
	rc = xld_add(d, p);
	d->failed |= rc < 0;
	atomic_flag_clear_explicit(&d->lock, memory_order_release);
	return rc;
}
#endif /* XLATE_DUMP_IMPLEMENTATION */
#endif
