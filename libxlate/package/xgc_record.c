/* xgc_record.c - a pipeline record as bytes and back. */
#include "xgc.h"

/* ---- out */
static int put_blob(const struct xgc_sink *s, struct rec_bytes b)
{
	struct rec_hash h = { { 0 } };

	buf_u32(s->out, b.size);
	if (b.size && s->blob(s->user, b.v, b.size, &h))
		return -1;
	if (b.size)
		buf_put(s->out, h.b, sizeof(h.b));
	return 0;
}

static void put_fact(struct buf *b, const char *name, struct rec_fact f)
{
	if (f.known == REC_UNRECORDED)
		return;
	buf_text(b, name);
	buf_u8(b, f.known);
	buf_u8(b, f.from);
	buf_u64(b, f.v);
}

static void put_list(struct buf *b, const char *name, const uint32_t *v, uint32_t n, uint32_t columns, uint8_t known,
		     uint8_t from)
{
	if (known == REC_UNRECORDED)
		return;
	buf_text(b, name);
	buf_u8(b, known);
	buf_u8(b, from);
	buf_u32(b, columns);
	buf_u32(b, n);
	for (uint32_t i = 0; i < n * columns; i++)
		buf_u32(b, v[i]);
}

#define PUT_LIST(b, o, field) put_list(b, #field, (const uint32_t *)(o)->field.v, (o)->field.n, \
	sizeof(*(o)->field.v) / 4, (o)->field.known, (o)->field.from)

static int put_program(const struct xgc_sink *s, const struct xl_record_program *p)
{
	struct buf *b = s->out;

	buf_text(b, p->name);
	buf_text(b, p->isa);
	buf_text(b, p->cpu);
	buf_u8(b, p->stage);
	buf_u8(b, p->hw_stage);
	buf_u8(b, p->wave);
	buf_u8(b, p->big_endian);
	buf_u32(b, p->exec_size);
	buf_u32(b, p->entry);
	buf_u32(b, p->data_used);
	if (put_blob(s, p->code) || put_blob(s, p->live) || put_blob(s, p->header) || put_blob(s, p->data))
		return -1;
	buf_u32(b, p->nmemory);
	for (uint32_t i = 0; i < p->nmemory; i++) {
		buf_u64(b, p->memory[i].address);
		if (put_blob(s, (struct rec_bytes){ p->memory[i].bytes, p->memory[i].size }))
			return -1;
	}
	put_fact(b, "address", p->address);
#define PROGRAM_FACT(field, key, max, what) put_fact(b, #field, p->field);
#include "../record.def"
	buf_text(b, "");
#define PROGRAM_LIST(field, row, columns, most) PUT_LIST(b, p, field);
#include "../record.def"
	buf_text(b, "");
	return b->bad ? -1 : 0;
}

int xgc_encode(const struct xl_pipeline_record *r, const struct xgc_sink *s)
{
	struct buf *b = s->out;

	buf_text(b, r->name);
	buf_text(b, r->abi);
	buf_text(b, r->origin.file);
	buf_u32(b, r->origin.number);
	buf_text(b, r->origin.format);
	buf_text(b, r->origin.producer);
	buf_u32(b, r->nstrings);
	buf_put(b, r->strings, r->nstrings);
#define PIPELINE_FACT(field, key, max, what) put_fact(b, #field, r->field);
#include "../record.def"
	buf_text(b, "");
#define PIPELINE_LIST(field, row, columns, most) PUT_LIST(b, r, field);
#include "../record.def"
	buf_text(b, "");
	buf_u32(b, r->nprogram);
	for (uint32_t i = 0; i < r->nprogram; i++) {
		if (put_program(s, &r->program[i]))
			return -1;
	}
	return b->bad ? -1 : 0;
}

/* ---- in */
struct in {
	struct scan s;
	struct arena *a;
	const struct xgc_source *source;
	const char *missing; /* set when a blob is not there */
};

static struct rec_bytes get_blob(struct in *in)
{
	struct rec_bytes b = { NULL, 0 };
	uint32_t size = scan_u32(&in->s);
	const uint8_t *h = size ? scan_bytes(&in->s, 16) : NULL;
	struct rec_hash hash;

	if (!h)
		return b;
	memcpy(hash.b, h, sizeof(hash.b));
	if (in->missing || in->source->blob((void *)in->source->user, &hash, in->a, &b) || b.size != size) {
		in->missing = "bytes that a record refers to are missing or damaged";
		b.size = 0;
	}
	return b;
}

/* ---- facts and lists, by name: a reader skips what it does not know */
struct field {
	const char *name;
	uint32_t length, at; /* of the name; where in its struct */
	uint32_t columns, most; /* lists */
};
#define FIELD(owner, field, columns, most) { #field, sizeof(#field) - 1, offsetof(struct owner, field), columns, most },
static const struct field pipeline_facts[] = {
#define PIPELINE_FACT(field, key, max, what) FIELD(xl_pipeline_record, field, 0, 0)
#include "../record.def"
};
static const struct field pipeline_lists[] = {
#define PIPELINE_LIST(field, row, columns, most) FIELD(xl_pipeline_record, field, sizeof(struct row) / 4, most)
#include "../record.def"
};
static const struct field program_facts[] = {
	FIELD(xl_record_program, address, 0, 0)
#define PROGRAM_FACT(field, key, max, what) FIELD(xl_record_program, field, 0, 0)
#include "../record.def"
};
static const struct field program_lists[] = {
#define PROGRAM_LIST(field, row, columns, most) FIELD(xl_record_program, field, sizeof(struct row) / 4, most)
#include "../record.def"
};
/* Any REC_LIST. */
struct list { const uint32_t *v; uint32_t n; uint8_t known, from; };
_Static_assert(sizeof(struct list) == sizeof(REC_LIST(rec_entry)), "a list is a list whatever its rows are");

struct names { const struct field *v; size_t n, next; };
#define NAMES(fields) { fields, sizeof(fields) / sizeof((fields)[0]), 0 }

/* The next name's field, NULL when none has it. False at the end. Names were written in the table's order, so that the one
 * looked for is mostly behind the last one. */
static bool next_field(struct scan *s, struct names *names, const struct field **f)
{
	uint32_t length = scan_u32(s);
	const uint8_t *name = scan_bytes(s, length);

	*f = NULL;
	if (length > 64)
		s->bad = true;
	if (!length || s->bad)
		return false;
	for (size_t i = 0; i < names->n && !*f; i++) {
		const struct field *is = &names->v[names->next];

		names->next = names->next + 1 < names->n ? names->next + 1 : 0;
		if (is->length == length && !memcmp(is->name, name, length))
			*f = is;
	}
	return true;
}

static void get_facts(struct in *in, struct names names, void *owner)
{
	const struct field *f;

	while (next_field(&in->s, &names, &f)) {
		const uint8_t *p = scan_bytes(&in->s, 10);

		if (f && p)
			memcpy((char *)owner + f->at, &(struct rec_fact){ .known = p[0], .from = p[1], .v = get64(p + 2) },
			       sizeof(struct rec_fact));
	}
}

/* Rows, narrowed or widened (by zeros) to the field's columns. */
static struct list get_rows(struct in *in, const struct field *f)
{
	uint8_t known = scan_u8(&in->s), from = scan_u8(&in->s);
	struct list l = { .known = known, .from = from };
	uint32_t stored = scan_u32(&in->s), count = scan_u32(&in->s), *rows;
	const uint8_t *p = stored && stored <= 64 && count <= (f ? f->most : 1 << 20) ?
		scan_bytes(&in->s, (size_t)count * stored * 4) : NULL;

	if (!p)
		in->s.bad = true;
	if (!p || !f)
		return l;
	rows = arena_array(in->a, uint32_t, (size_t)count * f->columns);
	for (uint32_t i = 0; i < count; i++, p += stored * 4) {
		for (uint32_t c = 0; c < stored && c < f->columns; c++)
			rows[(size_t)i * f->columns + c] = get32(p + c * 4);
	}
	l.v = rows;
	l.n = count;
	return l;
}

static void get_lists(struct in *in, struct names names, void *owner)
{
	const struct field *f;

	while (next_field(&in->s, &names, &f)) {
		struct list l = get_rows(in, f);

		if (f)
			memcpy((char *)owner + f->at, &l, sizeof(l));
	}
}

static void get_program(struct in *in, struct xl_record_program *p)
{
	struct scan *s = &in->s;
	struct rec_memory *m;

	p->name = scan_text(s, in->a, 512);
	p->isa = scan_text(s, in->a, 31);
	p->cpu = scan_text(s, in->a, 31);
	p->stage = scan_u8(s);
	p->hw_stage = scan_u8(s);
	p->wave = scan_u8(s);
	p->big_endian = scan_u8(s) != 0;
	p->exec_size = scan_u32(s);
	p->entry = scan_u32(s);
	p->data_used = scan_u32(s);
	p->code = get_blob(in);
	p->live = get_blob(in);
	p->header = get_blob(in);
	p->data = get_blob(in);
	p->nmemory = scan_u32(s);
	if (s->bad || p->nmemory > (s->n - s->at) / 12) {
		s->bad = true;
		return;
	}
	m = arena_array(in->a, struct rec_memory, p->nmemory);
	for (uint32_t i = 0; i < p->nmemory; i++) {
		struct rec_bytes b;

		m[i].address = scan_u64(s);
		b = get_blob(in);
		m[i].bytes = b.v;
		m[i].size = b.size;
	}
	p->memory = m;
	get_facts(in, (struct names)NAMES(program_facts), p);
	get_lists(in, (struct names)NAMES(program_lists), p);
}

static void get_pipeline(struct in *in, struct xl_pipeline_record *r)
{
	struct scan *s = &in->s;
	const uint8_t *pool;
	char *copy;

	r->name = scan_text(s, in->a, 256);
	r->abi = scan_text(s, in->a, 31);
	r->origin.file = scan_text(s, in->a, 4096);
	r->origin.number = scan_u32(s);
	r->origin.format = scan_text(s, in->a, 64);
	r->origin.producer = scan_text(s, in->a, 512);
	r->nstrings = scan_u32(s);
	pool = scan_bytes(s, r->nstrings);
	if (!pool)
		return;
	copy = arena_alloc(in->a, r->nstrings);
	memcpy(copy, pool, r->nstrings);
	r->strings = copy;
	get_facts(in, (struct names)NAMES(pipeline_facts), r);
	get_lists(in, (struct names)NAMES(pipeline_lists), r);
	r->nprogram = scan_u32(s);
	if (s->bad || r->nprogram > 255) {
		s->bad = true;
		return;
	}
	r->program = arena_array(in->a, struct xl_record_program, r->nprogram);
	for (uint32_t i = 0; i < r->nprogram && !s->bad; i++) {
		r->program[i].pipeline = r;
		get_program(in, &r->program[i]);
	}
}

const struct xl_pipeline_record *xgc_decode(const uint8_t *v, size_t size, const struct xgc_source *source, struct arena *a,
					    struct diag_sink *sink)
{
	struct in in = { .s = { .v = v, .n = size }, .a = a, .source = source };
	struct xl_pipeline_record *r = arena_new(a, struct xl_pipeline_record);
	char why[200];

	get_pipeline(&in, r);
	if (in.s.bad || in.missing) {
		diag_emit(sink, DIAG_BAD_CACHE, DIAG_NO_ADDR, "%s", in.missing && !in.s.bad ? in.missing :
			  "the record's fields do not fit its length");
		return NULL;
	}
	if (!record_check(r, why, sizeof(why))) {
		diag_emit(sink, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s", why);
		return NULL;
	}
	return r;
}
