/* xgc.h - the guest cache: an append-only file of checked records. man/xlate-cache.5 is the format's text.
 *
 * Readers are given the whole file (mapped or loaded) and never trust it: every length is checked against what is left and
 * every record against its hash. A torn tail is reported and what stands before it is used.
 */
#ifndef XL_XGC_H
#define XL_XGC_H

#include "../../ir/diag.h"
#include "../record.h"
#include "buf.h"

enum { XGC_VERSION = 1, XGC_MAX_PIPELINES = 1 << 20, XGC_MAX_BLOB = 64 << 20, XGC_MAX_RECORD = 64 << 20 };
enum xgc_type { XGC_BLOB = 1, XGC_PIPELINE = 2 };

/* ---- writing: into a buffer; bytes with the same hash are stored once */
struct xgc_writer;
struct xgc_writer *xgc_writer_new(void); /* NULL: out of memory */
void xgc_writer_free(struct xgc_writer *);
int xgc_add(struct xgc_writer *, const struct xl_pipeline_record *); /* 0, -1: out of memory */
const struct buf *xgc_bytes(const struct xgc_writer *);

/* ---- reading. `data` stays the caller's and must outlive the reader; a reader is read-only after opening: many threads may
 * use one. */
struct xgc_blob { struct rec_hash hash; const uint8_t *packed; uint32_t packed_size, size; };
struct xgc_record { const uint8_t *packed; uint32_t packed_size, size; const char *name; };
struct xgc_unpacker;
struct xgc {
	struct xgc_blob *blob; /* sorted by hash */
	struct xgc_record *record;
	struct xgc_unpacker *unpacker; /* what decompresses, kept from one record to the next */
	uint32_t nblob, nrecord;
	bool torn;             /* the file ends inside a record */
};
bool xgc_is(const uint8_t *data, size_t size);
/* 0; -1 after a diagnostic when the file is no guest cache at all. Damaged records are reported and skipped (errors in the
 * sink, still 0). Index memory is the arena's. */
int xgc_open(struct xgc *, const uint8_t *data, size_t size, struct arena *, struct diag_sink *);
void xgc_close(struct xgc *); /* of one that was opened, before its arena goes */
/* Record i, whole. NULL after a diagnostic. */
const struct xl_pipeline_record *xgc_read(const struct xgc *, uint32_t i, struct arena *, struct diag_sink *);

/* ---- xgc_record.c: one record's payload. Names are stored with every field, so that versions may add and drop fields. */
struct xgc_sink { struct buf *out; int (*blob)(void *user, const uint8_t *v, uint32_t size, struct rec_hash *); void *user; };
int xgc_encode(const struct xl_pipeline_record *, const struct xgc_sink *);
struct xgc_source { int (*blob)(void *user, const struct rec_hash *, struct arena *, struct rec_bytes *); const void *user; };
const struct xl_pipeline_record *xgc_decode(const uint8_t *, size_t, const struct xgc_source *, struct arena *, struct diag_sink *);

#endif
