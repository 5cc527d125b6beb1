/* xgc.c - the guest cache's container: records, hashes, compression. */
#include "xgc.h"

#include <stdatomic.h>
#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>
#include <zstd.h>

/* File: magic, version. Record: payload bytes, type, XXH3-64 of type and payload; the payload, zero-padded to 8 bytes.
 * BLOB payload: hash of the raw bytes (16), raw size, flags; PIPELINE payload: raw size, flags, name; then the bytes,
 * zstd-compressed when flags has XGC_ZSTD. */
static const uint8_t magic[8] = { 'X', 'L', 'A', 'T', 'E', '-', 'G', 'C' };
enum { FILE_HEADER = 16, RECORD_HEADER = 16, XGC_ZSTD = 1, LEVEL = 6 };

struct xgc_writer {
	struct buf out, record, packed;
	ZSTD_CCtx *zstd;
	struct rec_hash *seen; /* open addressing; all zero: empty */
	size_t nseen, cap;
};

struct xgc_writer *xgc_writer_new(void)
{
	struct xgc_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->zstd = ZSTD_createCCtx();
	w->cap = 1024;
	w->seen = calloc(w->cap, sizeof(*w->seen));
	if (!w->zstd || !w->seen) {
		xgc_writer_free(w);
		return NULL;
	}
	buf_put(&w->out, magic, sizeof(magic));
	buf_u32(&w->out, XGC_VERSION);
	buf_u32(&w->out, 0);
	return w;
}

void xgc_writer_free(struct xgc_writer *w)
{
	if (!w)
		return;
	buf_free(&w->out);
	buf_free(&w->record);
	buf_free(&w->packed);
	ZSTD_freeCCtx(w->zstd);
	free(w->seen);
	free(w);
}

const struct buf *xgc_bytes(const struct xgc_writer *w)
{
	return &w->out;
}

/* Hash of a record's type and payload: a payload under another type does not pass. */
static uint64_t check_of(uint32_t type, const uint8_t *payload, size_t size)
{
	return XXH3_64bits_withSeed(payload, size, type);
}

/* Appends `v`, compressed where that is smaller; the flags word before it says which. */
static int put_packed(struct xgc_writer *w, const uint8_t *v, size_t size)
{
	size_t bound = ZSTD_compressBound(size), n;
	uint8_t *tmp = malloc(bound);

	if (!tmp)
		return -1;
	n = ZSTD_compressCCtx(w->zstd, tmp, bound, v, size, LEVEL);
	if (ZSTD_isError(n) || n >= size) {
		buf_u32(&w->packed, 0);
		buf_put(&w->packed, v, size);
	} else {
		buf_u32(&w->packed, XGC_ZSTD);
		buf_put(&w->packed, tmp, n);
	}
	free(tmp);
	return w->packed.bad ? -1 : 0;
}

static void put_record(struct xgc_writer *w, uint32_t type)
{
	buf_u32(&w->out, (uint32_t)w->packed.n);
	buf_u32(&w->out, type);
	buf_u64(&w->out, check_of(type, w->packed.v, w->packed.n));
	buf_put(&w->out, w->packed.v, w->packed.n);
	buf_pad(&w->out, 8);
}

static bool seen_add(struct rec_hash *table, size_t cap, const struct rec_hash *h)
{
	static const struct rec_hash none;
	size_t i = get32(h->b) & (cap - 1);

	for (; record_hash_order(&table[i], &none); i = (i + 1) & (cap - 1)) {
		if (!record_hash_order(&table[i], h))
			return false;
	}
	table[i] = *h;
	return true;
}

static int grow_seen(struct xgc_writer *w)
{
	static const struct rec_hash none;
	struct rec_hash *table;

	if (w->nseen * 2 < w->cap)
		return 0;
	table = calloc(w->cap * 2, sizeof(*table));
	if (!table)
		return -1;
	for (size_t i = 0; i < w->cap; i++) {
		if (record_hash_order(&w->seen[i], &none))
			seen_add(table, w->cap * 2, &w->seen[i]);
	}
	free(w->seen);
	w->seen = table;
	w->cap *= 2;
	return 0;
}

static int add_blob(void *user, const uint8_t *v, uint32_t size, struct rec_hash *h)
{
	struct xgc_writer *w = user;

	*h = record_bytes_hash(v, size);
	if (grow_seen(w))
		return -1;
	if (!seen_add(w->seen, w->cap, h))
		return 0;
	w->nseen++;
	w->packed.n = 0;
	buf_put(&w->packed, h->b, sizeof(h->b));
	buf_u32(&w->packed, size);
	if (put_packed(w, v, size))
		return -1;
	put_record(w, XGC_BLOB);
	return w->out.bad ? -1 : 0;
}

int xgc_add(struct xgc_writer *w, const struct xl_pipeline_record *r)
{
	struct xgc_sink sink = { &w->record, add_blob, w };

	w->record.n = 0;
	if (xgc_encode(r, &sink))
		return -1;
	w->packed.n = 0;
	buf_u32(&w->packed, (uint32_t)w->record.n);
	buf_text(&w->packed, r->name);
	if (put_packed(w, w->record.v, w->record.n))
		return -1;
	put_record(w, XGC_PIPELINE);
	return w->out.bad ? -1 : 0;
}

/* ---- reading */
/* A context takes longer to make than most records to decompress. Whoever reads while it is out makes one. */
struct xgc_unpacker { _Atomic(ZSTD_DCtx *) spare; };

static ZSTD_DCtx *swap_spare(struct xgc_unpacker *u, ZSTD_DCtx *d)
{
	return atomic_exchange(&u->spare, d);
}

void xgc_close(struct xgc *x)
{
	if (x->unpacker)
		ZSTD_freeDCtx(swap_spare(x->unpacker, NULL));
}

static bool decompress(struct xgc_unpacker *u, uint8_t *out, uint32_t size, const uint8_t *p, uint32_t packed_size)
{
	ZSTD_DCtx *d = swap_spare(u, NULL);
	size_t n;

	if (!d)
		d = ZSTD_createDCtx();
	n = d ? ZSTD_decompressDCtx(d, out, size, p, packed_size) : 0;
	ZSTD_freeDCtx(swap_spare(u, d));
	return d && n == size;
}

bool xgc_is(const uint8_t *data, size_t size)
{
	return size >= FILE_HEADER && !memcmp(data, magic, sizeof(magic));
}

static int by_hash(const void *a, const void *b)
{
	const struct xgc_blob *x = a, *y = b;
	int c = record_hash_order(&x->hash, &y->hash);

	/* equal hashes: file order, so that the result does not depend on the sort */
	return c ? c : (x->packed > y->packed) - (x->packed < y->packed);
}

static bool index_blob(struct xgc *x, struct arena *a, size_t *cap, const uint8_t *p, uint32_t size)
{
	struct xgc_blob *b;

	if (size < 24 || get32(p + 16) > XGC_MAX_BLOB)
		return false;
	x->blob = arena_grow(a, x->blob, x->nblob, cap, x->nblob + 1, sizeof(*x->blob));
	b = &x->blob[x->nblob++];
	memcpy(b->hash.b, p, 16);
	b->size = get32(p + 16);
	b->packed = p + 20;
	b->packed_size = size - 20;
	return true;
}

static bool index_record(struct xgc *x, struct arena *a, size_t *cap, const uint8_t *p, uint32_t size)
{
	struct scan s = { .v = p, .n = size };
	struct xgc_record r = { 0 };

	r.size = scan_u32(&s);
	r.name = scan_text(&s, a, 256);
	if (s.bad || s.n - s.at < 4 || r.size > XGC_MAX_RECORD || x->nrecord == XGC_MAX_PIPELINES)
		return false;
	r.packed = p + s.at;
	r.packed_size = (uint32_t)(s.n - s.at);
	x->record = arena_grow(a, x->record, x->nrecord, cap, x->nrecord + 1, sizeof(*x->record));
	x->record[x->nrecord++] = r;
	return true;
}

int xgc_open(struct xgc *x, const uint8_t *data, size_t size, struct arena *a, struct diag_sink *sink)
{
	size_t at = FILE_HEADER, blob_cap = 0, record_cap = 0;
	bool lost = false;

	memset(x, 0, sizeof(*x));
	if (!xgc_is(data, size) || get32(data + 8) != XGC_VERSION) {
		diag_emit(sink, DIAG_BAD_CACHE, DIAG_NO_ADDR, !xgc_is(data, size) ? "not a guest cache" :
			  "a guest cache of another version");
		return -1;
	}
	x->unpacker = arena_new(a, struct xgc_unpacker);
	while (at < size) {
		const uint8_t *h = data + at, *p = h + RECORD_HEADER;
		uint32_t n, type;
		bool fine;

		if (size - at < RECORD_HEADER || get32(h) > size - at - RECORD_HEADER) {
			x->torn = true;
			diag_emit(sink, DIAG_BAD_CACHE, DIAG_NO_ADDR, "the file ends inside the record at byte %zu", at);
			break;
		}
		n = get32(h);
		type = get32(h + 4);
		fine = n <= XGC_MAX_RECORD && check_of(type, p, n) == get64(h + 8);
		if (fine && type == XGC_BLOB)
			fine = index_blob(x, a, &blob_cap, p, n);
		else if (fine && type == XGC_PIPELINE)
			fine = index_record(x, a, &record_cap, p, n);
		if (!fine) {
			diag_emit(sink, DIAG_BAD_CACHE, DIAG_NO_ADDR, "the record at byte %zu is damaged", at);
			if (lost)
				break; /* two in a row: its length cannot be believed either */
		}
		lost = !fine;
		at += RECORD_HEADER + (((size_t)n + 7) & ~(size_t)7);
	}
	if (x->nblob)
		qsort(x->blob, x->nblob, sizeof(*x->blob), by_hash);
	return 0;
}

/* Flags and bytes to `size` raw bytes in the arena; NULL when they do not give exactly that. */
static const uint8_t *unpack(const struct xgc *x, const uint8_t *p, uint32_t packed_size, uint32_t size, struct arena *a)
{
	uint32_t flags = get32(p);
	uint8_t *out;

	p += 4;
	packed_size -= 4;
	if (flags & ~(uint32_t)XGC_ZSTD)
		return NULL;
	if (!(flags & XGC_ZSTD))
		return packed_size == size ? p : NULL;
	if (ZSTD_getFrameContentSize(p, packed_size) != size)
		return NULL;
	out = arena_raw(a, size ? size : 1);
	return out && decompress(x->unpacker, out, size, p, packed_size) ? out : NULL;
}

static int find_blob(void *user, const struct rec_hash *h, struct arena *a, struct rec_bytes *out)
{
	const struct xgc *x = user;
	uint32_t lo = 0, hi = x->nblob;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (record_hash_order(&x->blob[mid].hash, h) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == x->nblob || record_hash_order(&x->blob[lo].hash, h))
		return -1;
	out->size = x->blob[lo].size;
	out->v = unpack(x, x->blob[lo].packed, x->blob[lo].packed_size, out->size, a);
	if (!out->v)
		return -1;
	{
		struct rec_hash got = record_bytes_hash(out->v, out->size);

		return record_hash_order(&got, h) ? -1 : 0;
	}
}

const struct xl_pipeline_record *xgc_read(const struct xgc *x, uint32_t i, struct arena *a, struct diag_sink *sink)
{
	const struct xgc_record *r = &x->record[i];
	struct xgc_source source = { find_blob, x };
	const uint8_t *v = unpack(x, r->packed, r->packed_size, r->size, a);

	if (!v) {
		diag_emit(sink, DIAG_BAD_CACHE, DIAG_NO_ADDR, "record %u cannot be decompressed", i);
		return NULL;
	}
	return xgc_decode(v, r->size, &source, a, sink);
}
