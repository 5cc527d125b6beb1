/* xlp_write.c - a package's bytes from translated and refused programs. */
#include "xlp.h"
#include "xlp_form.h"

#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

/* Tables are at most half full: where that many places are taken one behind the other, what came with an older package are no
 * hashes. And a key under a guard has one result; a failed run may have made another. */
enum { TEXTS = 1 << 12, PROBES = 4096, RESULTS = 64, PLACES = 1 << 10 };

struct blob { struct rec_hash hash; uint32_t size; size_t at; uint32_t packed; };
struct writer {
	struct buf section[XLP_SECTIONS];
	uint32_t rows[XLP_SECTIONS];
	struct blob *blob;
	uint32_t nblob, cap;
	uint32_t *blob_table; /* open addressing, twice `cap`: number of a blob + 1 */
	uint32_t *text; /* open addressing: string offset + 1 */
	size_t ntext, text_cap;
	struct { const char *s; uint32_t at; } place[PLACES]; /* texts by where they stood: programs of a package share long ones */
	uint32_t *guard; /* open addressing: first row of a list + 1 */
	size_t guard_cap;
	const char *clash; /* a program that has too many results */
	bool bad, lies;    /* out of memory; what was given is more than it may be */
};

static size_t text_slot(struct writer *w, const uint32_t *table, size_t cap, const char *s, size_t n)
{
	size_t i = XXH3_64bits(s, n) & (cap - 1);

	for (unsigned k = 0; table[i] && strcmp((const char *)w->section[XLP_STRINGS].v + table[i] - 1, s) && !w->lies; k++) {
		i = (i + 1) & (cap - 1);
		w->lies = k == PROBES;
	}
	return i;
}

/* Offset of a string, stored once. */
static uint32_t text(struct writer *w, const char *s)
{
	struct buf *pool = &w->section[XLP_STRINGS];
	size_t i, n;
	uint32_t at;

	if (!s || !*s || w->bad || w->lies)
		return 0;
	n = strlen(s);
	if (n > XLP_MOST_STRING) {
		w->lies = true;
		return 0;
	}
	if (w->ntext * 2 >= w->text_cap) {
		size_t cap = w->text_cap ? w->text_cap * 2 : TEXTS;
		uint32_t *table = calloc(cap, sizeof(*table));

		if (!table) {
			w->bad = true;
			return 0;
		}
		for (i = 0; i < w->text_cap; i++) {
			const char *old = (const char *)pool->v + w->text[i] - 1;

			if (w->text[i])
				table[text_slot(w, table, cap, old, strlen(old))] = w->text[i];
		}
		free(w->text);
		w->text = table;
		w->text_cap = cap;
	}
	i = text_slot(w, w->text, w->text_cap, s, n);
	if (w->lies)
		return 0;
	if (w->text[i])
		return w->text[i] - 1;
	at = (uint32_t)pool->n;
	buf_put(pool, s, n + 1);
	w->bad |= pool->bad;
	w->text[i] = at + 1;
	w->ntext++;
	return at;
}

/* The same of a text that may be long and that many programs have: at its place it is looked for first. */
static uint32_t shared_text(struct writer *w, const char *s)
{
	size_t i = ((uintptr_t)s ^ (uintptr_t)s >> 10) & (PLACES - 1);

	if (!s || w->place[i].s != s) {
		w->place[i].at = text(w, s);
		w->place[i].s = s;
	}
	return w->place[i].at;
}

static size_t blob_slot(struct writer *w, const uint32_t *table, size_t cap, const struct rec_hash *h, uint32_t size)
{
	size_t i = get64(h->b) & (cap - 1);

	for (unsigned k = 0; table[i] && (w->blob[table[i] - 1].size != size || record_hash_order(&w->blob[table[i] - 1].hash, h)) &&
	     !w->lies; k++) {
		i = (i + 1) & (cap - 1);
		w->lies = k == PROBES;
	}
	return i;
}

static bool grow_blobs(struct writer *w)
{
	uint32_t cap = w->cap ? w->cap * 2 : 256;
	struct blob *grown = realloc(w->blob, cap * sizeof(*grown));
	uint32_t *table = calloc((size_t)cap * 2, sizeof(*table));

	w->blob = grown ? grown : w->blob;
	if (!grown || !table) {
		free(table);
		w->bad = true;
		return false;
	}
	for (uint32_t i = 0; i < w->nblob; i++)
		table[blob_slot(w, table, (size_t)cap * 2, &grown[i].hash, grown[i].size)] = i + 1;
	free(w->blob_table);
	w->blob_table = table;
	w->cap = cap;
	return true;
}

/* Number of a blob with these bytes, stored once. */
static uint32_t blob(struct writer *w, const struct xlp_frame *f)
{
	struct buf *packed = &w->section[XLP_PACKED];
	size_t i;

	if (w->nblob == w->cap && !grow_blobs(w))
		return XLP_NO_BLOB;
	i = blob_slot(w, w->blob_table, (size_t)w->cap * 2, &f->hash, f->size);
	if (w->lies)
		return XLP_NO_BLOB;
	if (!w->blob_table[i]) {
		w->blob[w->nblob] = (struct blob){ f->hash, f->size, packed->n, f->packed_size };
		buf_put(packed, f->packed, f->packed_size);
		w->blob_table[i] = ++w->nblob;
	}
	return w->blob_table[i] - 1;
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

static int number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int variant_order(const void *x, const void *y)
{
	const struct xlp_program *a = *(const struct xlp_program *const *)x, *b = *(const struct xlp_program *const *)y;
	int c = record_hash_order(&a->key, &b->key);

	if (!c)
		c = guard_order(a, b);
	if (!c)
		c = strcmp(a->name, b->name);
	return c ? c : number_order(a->content, b->content);
}

static int name_order(const void *x, const void *y)
{
	const struct xlp_program *a = *(const struct xlp_program *const *)x, *b = *(const struct xlp_program *const *)y;
	int c = strcmp(a->name, b->name);

	if (!c)
		c = record_hash_order(&a->key, &b->key);
	if (!c)
		c = number_order(a->content, b->content);
	if (!c)
		c = number_order(a->record, b->record);
	if (!c) /* a failure is dropped for whatever another run made of it */
		c = (int)xlp_failed(a) - (int)xlp_failed(b);
	if (!c)
		c = guard_order(a, b);
	return c || a->state == b->state ? c : strcmp(a->state ? a->state : "", b->state ? b->state : "");
}

bool xlp_failed(const struct xlp_program *p)
{
	for (uint32_t i = 0; i < p->ndiag; i++) {
		if (!p->module.packed && !p->words && diag_class((enum diag_code)p->diag[i].code) == DIAG_C_INTERNAL)
			return true;
	}
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || !strcmp(a ? a : "", b ? b : "");
}

static bool same_frame(const struct xlp_frame *a, const struct xlp_frame *b)
{
	return !a->packed == !b->packed && a->size == b->size && !record_hash_order(&a->hash, &b->hash);
}

/* The same came out of both. */
static bool same_result(const struct xlp_program *a, const struct xlp_program *b)
{
	if (!same_frame(&a->module, &b->module) || !same_frame(&a->text, &b->text) || !same_frame(&a->generated, &b->generated) ||
	    !same_frame(&a->generated_text, &b->generated_text) || a->ndiag != b->ndiag ||
	    a->guest_words != b->guest_words || a->stage != b->stage || a->wave != b->wave ||
	    a->subgroup_size != b->subgroup_size || !same_text(a->needs, b->needs))
		return false;
	for (uint32_t i = 0; i < a->ndiag; i++) {
		const struct xlp_diag *d = &a->diag[i], *e = &b->diag[i];

		if (d->code != e->code || d->addr != e->addr || !same_text(d->inst, e->inst) || !same_text(d->text, e->text))
			return false;
	}
	return true;
}

/* First row of a list of guards, stored once. */
static uint32_t guards(struct writer *w, const struct xlp_program *p)
{
	struct buf *g = &w->section[XLP_GUARDS];
	uint32_t first = w->rows[XLP_GUARDS];
	size_t start = g->n, size = (size_t)p->nguard * GUARD_ROW, at;

	for (uint32_t i = 0; i < p->nguard; i++) {
		buf_u32(g, p->guard[i].field);
		buf_u64(g, p->guard[i].value);
	}
	if (g->bad || !size)
		return 0;
	at = XXH3_64bits(g->v + start, size) & (w->guard_cap - 1);
	for (unsigned k = 0; w->guard[at] && !w->lies; at = (at + 1) & (w->guard_cap - 1)) {
		size_t old = (size_t)(w->guard[at] - 1) * GUARD_ROW;

		w->lies = ++k > PROBES;
		if (start - old < size || memcmp(g->v + old, g->v + start, size))
			continue;
		g->n = start;
		return w->guard[at] - 1;
	}
	if (w->lies)
		return 0;
	w->guard[at] = first + 1;
	w->rows[XLP_GUARDS] += p->nguard;
	return first;
}

static void variant(struct writer *w, const struct xlp_program *p)
{
	struct buf *v = &w->section[XLP_VARIANTS], *d = &w->section[XLP_DIAGS];

	w->bad |= p->nguard > UINT8_MAX || p->subgroup_size > UINT8_MAX;
	buf_put(v, p->key.b, 16);
	buf_u32(v, guards(w, p));
	buf_u32(v, p->module.packed ? blob(w, &p->module) : XLP_NO_BLOB);
	buf_u32(v, p->module.packed && p->text.packed ? blob(w, &p->text) : XLP_NO_BLOB);
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
	buf_u32(v, shared_text(w, p->needs));
	buf_u8(v, p->stage);
	buf_u8(v, p->wave);
	buf_u8(v, (uint8_t)p->subgroup_size);
	buf_u8(v, (uint8_t)p->nguard);
	buf_u32(v, p->module.packed && p->generated.packed ? blob(w, &p->generated) : XLP_NO_BLOB);
	buf_u32(v, p->module.packed && p->generated_text.packed ? blob(w, &p->generated_text) : XLP_NO_BLOB);
	w->rows[XLP_VARIANTS]++;
}

/* Variants in key order; equal results under equal key and guard are one. index[i] is program i's. */
static void variants(struct writer *w, const struct xlp_program *program, const struct xlp_program **order, uint32_t n,
		     uint32_t *index)
{
	const struct xlp_program *result[RESULTS]; /* of those with this key and guard */
	uint32_t nresult = 0;

	for (uint32_t i = 0; i < n && !w->lies; i++) {
		const struct xlp_program *p = order[i];
		uint32_t k;

		if (!i || record_hash_order(&order[i - 1]->key, &p->key) || guard_order(order[i - 1], p))
			nresult = 0;
		for (k = 0; k < nresult && !same_result(result[k], p); k++)
			;
		if (k < nresult) {
			index[p - program] = index[result[k] - program];
			continue;
		}
		if (nresult == RESULTS) {
			w->clash = p->name;
			return;
		}
		result[nresult++] = p;
		variant(w, p);
		index[p - program] = w->rows[XLP_VARIANTS] - 1;
	}
}

static void assemble(struct writer *w, struct buf *out)
{
	static const uint8_t magic[8] = XLP_MAGIC;
	static const uint32_t row_size[XLP_SECTIONS] = XLP_ROW_SIZES;
	size_t start = out->n, table = start + XLP_HEADER;

	w->rows[XLP_STRINGS] = (uint32_t)w->section[XLP_STRINGS].n;
	w->rows[XLP_PACKED] = 0;
	buf_put(out, magic, sizeof(magic));
	buf_u32(out, XLP_FORMAT);
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
		buf_set64(out, row + 24, XXH3_64bits(s->n ? s->v : (const uint8_t *)"", s->n));
		buf_put(out, s->v, s->n);
		w->bad |= s->bad || s->n > UINT32_MAX; /* offsets have 32 bits */
	}
	buf_set64(out, start + 16, out->n - start);
	if (!out->bad)
		buf_set64(out, start + XLP_SUM_AT, XXH3_64bits(out->v + start, XLP_HEADER + XLP_SECTIONS * XLP_SECTION));
}

/* `order` by name, what is there twice left out. The number left, or XLP_NONE when two of them disagree. */
static int64_t unique(const struct xlp_program **order, uint32_t n, const char **clash)
{
	uint32_t kept = 0;

	qsort(order, n, sizeof(*order), name_order);
	for (uint32_t i = 0; i < n; i++) {
		const struct xlp_program *last = kept ? order[kept - 1] : NULL, *p = order[i];
		bool twin = last && !strcmp(last->name, p->name) && !record_hash_order(&last->key, &p->key) &&
			last->content == p->content && last->record == p->record;

		if (twin && !xlp_failed(p) && (!same_result(last, p) || guard_order(last, p))) {
			*clash = p->name;
			return XLP_NONE;
		}
		if (!twin)
			order[kept++] = p;
	}
	return kept;
}

static void tables(struct writer *w, const struct xlp_program *program, const struct xlp_program **order, uint32_t n,
		   uint32_t *index, const struct xlp_stamp *stamp)
{
	struct buf *p = &w->section[XLP_PROGRAMS], *b = &w->section[XLP_BLOBS], *s = &w->section[XLP_STAMPS];
	const struct xlp_program **by_key = malloc((n ? n : 1) * sizeof(*by_key));

	for (w->guard_cap = 16; w->guard_cap < 2 * (size_t)n; w->guard_cap *= 2)
		;
	w->guard = calloc(w->guard_cap, sizeof(*w->guard));
	if (!by_key || !w->guard) {
		free(by_key);
		w->bad = true;
		return;
	}
	memcpy(by_key, order, n * sizeof(*by_key));
	qsort(by_key, n, sizeof(*by_key), variant_order);
	buf_u8(&w->section[XLP_STRINGS], 0);
	variants(w, program, by_key, n, index);
	free(by_key);
	for (uint32_t i = 0; i < n && !w->lies && !w->clash; i++) {
		w->lies = strlen(order[i]->name) > XLP_MOST_NAME || strlen(order[i]->cpu) > XLP_MOST_CPU;
		buf_u32(p, text(w, order[i]->name));
		buf_u32(p, text(w, order[i]->cpu));
		buf_u32(p, index[order[i] - program]);
		buf_u64(p, order[i]->content);
		buf_u64(p, order[i]->record);
		buf_u32(p, shared_text(w, order[i]->state));
	}
	w->rows[XLP_PROGRAMS] = n;
	for (uint32_t i = 0; i < w->nblob; i++) {
		buf_put(b, w->blob[i].hash.b, 16);
		buf_u32(b, (uint32_t)w->blob[i].at);
		buf_u32(b, w->blob[i].packed);
		buf_u32(b, w->blob[i].size);
	}
	w->rows[XLP_BLOBS] = w->nblob;
	buf_u32(s, text(w, stamp->translator));
	buf_u32(s, text(w, stamp->options));
	buf_u32(s, text(w, stamp->target));
	buf_u32(s, text(w, stamp->requirements));
	w->rows[XLP_STAMPS] = 1;
}

/* What came as words is framed. */
static int frame_all(struct xlp_program *program, uint32_t n, struct arena *a)
{
	struct xlp_packer *packer = xlp_packer_new();
	int bad = packer ? 0 : -1;

	for (uint32_t i = 0; i < n && !bad; i++) {
		struct xlp_program *p = &program[i];

		if (p->words && !p->module.packed)
			bad = xlp_frame(packer, XLP_MODULE, p->words, (size_t)p->nwords * 4, a, &p->module);
		if (p->words && p->reflection && !p->text.packed && !bad)
			bad = xlp_frame(packer, XLP_TEXT, p->reflection, strlen(p->reflection) + 1, a, &p->text);
	}
	xlp_packer_free(packer);
	return bad;
}

int xlp_encode(const struct xlp_program *from, uint32_t n, const struct xlp_stamp *stamp, struct buf *out, const char **clash)
{
	struct writer w = { 0 };
	struct xlp_program *program = malloc((n ? n : 1) * sizeof(*program));
	const struct xlp_program **order = malloc((n ? n : 1) * sizeof(*order));
	uint32_t *index = malloc((n ? n : 1) * sizeof(*index));
	struct arena a;
	int64_t kept = 0;
	uint64_t raw = 0;

	arena_init(&a, SIZE_MAX / 2);
	w.bad = !order || !index || !program;
	if (!w.bad) {
		memcpy(program, from, n * sizeof(*program));
		w.bad = frame_all(program, n, &a) != 0;
	}
	if (!w.bad) {
		for (uint32_t i = 0; i < n; i++)
			order[i] = &program[i];
		kept = unique(order, n, clash);
	}
	if (!w.bad && kept >= 0) {
		tables(&w, program, order, (uint32_t)kept, index, stamp);
		if (w.clash) {
			*clash = w.clash;
			kept = XLP_NONE;
		} else if (!w.lies) {
			assemble(&w, out);
			for (int64_t i = 0; i < kept; i++)
				raw += (uint64_t)order[i]->module.size + order[i]->text.size + order[i]->generated.size +
				       order[i]->generated_text.size;
			w.lies = !xlp_unpacks(raw, out->n);
		}
	}
	for (unsigned i = 0; i < XLP_SECTIONS; i++)
		buf_free(&w.section[i]);
	arena_free(&a);
	free(w.blob);
	free(w.blob_table);
	free(w.text);
	free(w.guard);
	free(program);
	free(order);
	free(index);
	return kept < 0 ? -2 : w.bad || out->bad ? -1 : w.lies ? -3 : 0;
}
