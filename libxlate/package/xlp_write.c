/* xlp_write.c - a package's bytes from translated and refused programs. */
#include "xlp.h"
#include "xlp_form.h"

#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>
#include <zstd.h>

enum { LEVEL = 12, TEXTS = 1 << 12 };

struct blob { struct rec_hash hash; uint32_t size; size_t at; uint32_t packed; };
struct writer {
	struct buf section[XLP_SECTIONS];
	uint32_t rows[XLP_SECTIONS];
	ZSTD_CCtx *zstd;
	struct blob *blob;
	uint32_t nblob, cap;
	uint32_t *text; /* open addressing: string offset + 1 */
	size_t ntext, text_cap;
	bool bad;
};

static size_t text_slot(const struct writer *w, const uint32_t *table, size_t cap, const char *s)
{
	size_t i = XXH3_64bits(s, strlen(s)) & (cap - 1);

	while (table[i] && strcmp((const char *)w->section[XLP_STRINGS].v + table[i] - 1, s))
		i = (i + 1) & (cap - 1);
	return i;
}

/* Offset of a string, stored once. */
static uint32_t text(struct writer *w, const char *s)
{
	struct buf *pool = &w->section[XLP_STRINGS];
	size_t i;
	uint32_t at;

	if (!s || !*s || w->bad)
		return 0;
	if (w->ntext * 2 >= w->text_cap) {
		size_t cap = w->text_cap ? w->text_cap * 2 : TEXTS;
		uint32_t *table = calloc(cap, sizeof(*table));

		if (!table) {
			w->bad = true;
			return 0;
		}
		for (i = 0; i < w->text_cap; i++) {
			if (w->text[i])
				table[text_slot(w, table, cap, (const char *)pool->v + w->text[i] - 1)] = w->text[i];
		}
		free(w->text);
		w->text = table;
		w->text_cap = cap;
	}
	i = text_slot(w, w->text, w->text_cap, s);
	if (w->text[i])
		return w->text[i] - 1;
	at = (uint32_t)pool->n;
	buf_put(pool, s, strlen(s) + 1);
	w->bad |= pool->bad;
	w->text[i] = at + 1;
	w->ntext++;
	return at;
}

/* Number of a blob with these bytes, stored once. Linear over same-sized ones only: sizes differ in practice. */
static uint32_t blob(struct writer *w, const void *v, size_t size)
{
	struct rec_hash h = record_bytes_hash(v, size);
	struct buf *packed = &w->section[XLP_PACKED];
	size_t bound = ZSTD_compressBound(size), n;
	void *tmp;

	for (uint32_t i = 0; i < w->nblob; i++) {
		if (w->blob[i].size == size && !record_hash_order(&w->blob[i].hash, &h))
			return i;
	}
	if (w->nblob == w->cap) {
		uint32_t cap = w->cap ? w->cap * 2 : 256;
		struct blob *grown = realloc(w->blob, cap * sizeof(*grown));

		if (!grown) {
			w->bad = true;
			return XLP_NO_BLOB;
		}
		w->blob = grown;
		w->cap = cap;
	}
	tmp = malloc(bound);
	n = tmp ? ZSTD_compressCCtx(w->zstd, tmp, bound, v, size, LEVEL) : 0;
	if (!tmp || ZSTD_isError(n)) {
		free(tmp);
		w->bad = true;
		return XLP_NO_BLOB;
	}
	w->blob[w->nblob] = (struct blob){ h, (uint32_t)size, packed->n, (uint32_t)n };
	buf_put(packed, tmp, n);
	free(tmp);
	return w->nblob++;
}

static int guard_order(const struct xlp_program *a, const struct xlp_program *b)
{
	uint32_t n = a->nguard < b->nguard ? a->nguard : b->nguard;

	for (uint32_t i = 0; i < n; i++) {
		if (a->guard[i].field != b->guard[i].field)
			return a->guard[i].field < b->guard[i].field ? -1 : 1;
		if (a->guard[i].value != b->guard[i].value)
			return a->guard[i].value < b->guard[i].value ? -1 : 1;
	}
	return (a->nguard > b->nguard) - (a->nguard < b->nguard);
}

static int variant_order(const void *x, const void *y)
{
	const struct xlp_program *a = *(const struct xlp_program *const *)x, *b = *(const struct xlp_program *const *)y;
	int c = record_hash_order(&a->key, &b->key);

	if (!c)
		c = guard_order(a, b);
	return c ? c : strcmp(a->name, b->name);
}

static int name_order(const void *x, const void *y)
{
	const struct xlp_program *a = x, *b = y;
	int c = strcmp(a->name, b->name);

	if (!c)
		c = record_hash_order(&a->key, &b->key);
	return c ? c : guard_order(a, b);
}

static void variant(struct writer *w, const struct xlp_program *p)
{
	struct buf *v = &w->section[XLP_VARIANTS], *g = &w->section[XLP_GUARDS], *d = &w->section[XLP_DIAGS];

	buf_put(v, p->key.b, 16);
	buf_u32(v, w->rows[XLP_GUARDS]);
	buf_u32(v, p->nguard);
	for (uint32_t i = 0; i < p->nguard; i++) {
		buf_u32(g, p->guard[i].field);
		buf_u32(g, 0);
		buf_u64(g, p->guard[i].value);
	}
	w->rows[XLP_GUARDS] += p->nguard;
	buf_u32(v, p->words ? blob(w, p->words, (size_t)p->nwords * 4) : XLP_NO_BLOB);
	buf_u32(v, p->words && p->reflection ? blob(w, p->reflection, strlen(p->reflection) + 1) : XLP_NO_BLOB);
	buf_u32(v, w->rows[XLP_DIAGS]);
	buf_u32(v, p->ndiag);
	for (uint32_t i = 0; i < p->ndiag; i++) {
		buf_u32(d, text(w, diag_name((enum diag_code)p->diag[i].code)));
		buf_u32(d, p->diag[i].addr);
		buf_u32(d, text(w, p->diag[i].inst));
		buf_u32(d, text(w, p->diag[i].text));
	}
	w->rows[XLP_DIAGS] += p->ndiag;
	buf_u32(v, p->guest_words);
	buf_u32(v, p->stage);
	buf_u32(v, p->wave);
	buf_u32(v, p->subgroup_size);
	buf_u64(v, 0);
	w->rows[XLP_VARIANTS]++;
}

/* Variants in key order; equal key and guard share one. index[i] is program i's. */
static void variants(struct writer *w, struct xlp_program *program, struct xlp_program **order, uint32_t n, uint32_t *index)
{
	struct buf *keys = &w->section[XLP_KEYS];
	const struct xlp_program *last = NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct xlp_program *p = order[i];
		bool new_key = !last || record_hash_order(&last->key, &p->key);

		if (new_key || guard_order(last, p)) {
			if (new_key) {
				buf_put(keys, p->key.b, 16);
				buf_u32(keys, w->rows[XLP_VARIANTS]);
				buf_u32(keys, 0);
				w->rows[XLP_KEYS]++;
			}
			variant(w, p);
			if (!keys->bad)
				buf_set32(keys, keys->n - 4, get32(keys->v + keys->n - 4) + 1);
		}
		last = p;
		index[p - program] = w->rows[XLP_VARIANTS] - 1;
	}
}

static void assemble(struct writer *w, struct buf *out)
{
	static const uint8_t magic[8] = XLP_MAGIC;
	static const uint32_t row_size[XLP_SECTIONS] = { KEY_ROW, VARIANT_ROW, GUARD_ROW, BLOB_ROW, DIAG_ROW, PROGRAM_ROW,
		STAMP_ROW, 1, 1 };
	size_t start = out->n, table = start + XLP_HEADER;

	w->rows[XLP_STRINGS] = (uint32_t)w->section[XLP_STRINGS].n;
	w->rows[XLP_PACKED] = 0;
	buf_put(out, magic, sizeof(magic));
	buf_u32(out, XLP_VERSION);
	buf_u32(out, XLP_SECTIONS);
	buf_u64(out, 0);
	buf_u64(out, 0);
	for (unsigned i = 0; i < XLP_SECTIONS * XLP_SECTION; i++)
		buf_u8(out, 0);
	for (unsigned i = 0; i < XLP_SECTIONS; i++) {
		const struct buf *s = &w->section[i];
		size_t row = table + i * XLP_SECTION;

		buf_pad(out, 16);
		buf_set64(out, row, out->n - start);
		buf_set64(out, row + 8, s->n);
		buf_set32(out, row + 16, w->rows[i]);
		buf_set32(out, row + 20, row_size[i]);
		/* Packed bytes carry a hash per blob: opening does not touch them. */
		buf_set64(out, row + 24, i == XLP_PACKED ? 0 : XXH3_64bits(s->n ? s->v : (const uint8_t *)"", s->n));
		buf_put(out, s->v, s->n);
		w->bad |= s->bad;
	}
	buf_set64(out, start + 16, out->n - start);
	if (!out->bad)
		buf_set64(out, start + XLP_SUM_AT, XXH3_64bits(out->v + start, XLP_HEADER + XLP_SECTIONS * XLP_SECTION));
}

int xlp_encode(struct xlp_program *program, uint32_t n, const struct xlp_stamp *stamp, struct buf *out)
{
	struct writer w = { 0 };
	struct xlp_program **order = malloc((n ? n : 1) * sizeof(*order));
	uint32_t *index = malloc((n ? n : 1) * sizeof(*index));

	w.zstd = ZSTD_createCCtx();
	w.bad = !order || !index || !w.zstd;
	if (!w.bad) {
		buf_u8(&w.section[XLP_STRINGS], 0);
		qsort(program, n, sizeof(*program), name_order);
		for (uint32_t i = 0; i < n; i++)
			order[i] = &program[i];
		qsort(order, n, sizeof(*order), variant_order);
		variants(&w, program, order, n, index);
		for (uint32_t i = 0; i < n; i++) {
			struct buf *p = &w.section[XLP_PROGRAMS];

			buf_u32(p, text(&w, program[i].name));
			buf_u32(p, text(&w, program[i].cpu));
			buf_u32(p, program[i].stage);
			buf_u32(p, index[i]);
		}
		w.rows[XLP_PROGRAMS] = n;
		for (uint32_t i = 0; i < w.nblob; i++) {
			struct buf *b = &w.section[XLP_BLOBS];

			buf_put(b, w.blob[i].hash.b, 16);
			buf_u64(b, w.blob[i].at);
			buf_u32(b, w.blob[i].packed);
			buf_u32(b, w.blob[i].size);
		}
		w.rows[XLP_BLOBS] = w.nblob;
		buf_u32(&w.section[XLP_STAMPS], text(&w, stamp->translator));
		buf_u32(&w.section[XLP_STAMPS], text(&w, stamp->options));
		buf_u32(&w.section[XLP_STAMPS], text(&w, stamp->target));
		buf_u32(&w.section[XLP_STAMPS], text(&w, stamp->requirements));
		w.rows[XLP_STAMPS] = 1;
		assemble(&w, out);
	}
	for (unsigned i = 0; i < XLP_SECTIONS; i++)
		buf_free(&w.section[i]);
	ZSTD_freeCCtx(w.zstd);
	free(w.blob);
	free(w.text);
	free(order);
	free(index);
	return w.bad || out->bad ? -1 : 0;
}
