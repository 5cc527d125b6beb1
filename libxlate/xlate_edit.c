/* xlate_edit.c - a record with parts left out and other code, for making a small record of one that fails.
 *
 * The parts are numbered in the order in which `walk` meets them: what the pipeline knows, then each program and what is known of it.
 */
#include "xlate_int.h"

#include <stdio.h>
#include <stdlib.h>

struct walk {
	const struct xl_edit *edit; /* NULL: only count */
	uint32_t n;
};

/* Whether the next part stays. */
static bool next(struct walk *w)
{
	uint32_t i = w->n++;

	return !w->edit || !w->edit->keep || i >= w->edit->nkeep || w->edit->keep[i];
}

static void fact(struct walk *w, struct rec_fact *f)
{
	if (f->known != REC_UNRECORDED && !next(w))
		memset(f, 0, sizeof(*f));
}

/* Rows of `columns` words. */
static uint32_t list(struct walk *w, uint32_t *v, uint32_t n, size_t columns)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (next(w))
			memmove(v + columns * kept++, v + columns * i, columns * sizeof(*v));
	}
	return kept;
}

static void bytes(struct walk *w, struct rec_bytes *b)
{
	if (b->size && !next(w))
		*b = (struct rec_bytes){ 0 };
}

#define LIST(w, owner, field) \
	((owner)->field.n = list(w, (uint32_t *)(uintptr_t)(owner)->field.v, (owner)->field.n, sizeof(*(owner)->field.v) / sizeof(uint32_t)))

static void walk_program(struct walk *w, struct xl_record_program *p)
{
	struct rec_memory *m = (struct rec_memory *)(uintptr_t)p->memory;
	uint32_t kept = 0;

#define PROGRAM_FACT(field, key, max, what) fact(w, &p->field);
#include "record.def"
#define PROGRAM_LIST(field, row, columns, most) LIST(w, p, field);
#include "record.def"
	fact(w, &p->address);
	bytes(w, &p->live);
	bytes(w, &p->header);
	bytes(w, &p->data);
	if (!p->data.size)
		p->data_used = 0;
	for (uint32_t i = 0; i < p->nmemory; i++) {
		if (next(w))
			m[kept++] = m[i];
	}
	p->nmemory = kept;
}

static void drop_program(struct xl_pipeline_record *r, uint32_t i)
{
	for (uint32_t k = 0; k < r->nprogram; k++) {
		struct rec_link *v = (struct rec_link *)(uintptr_t)r->program[k].links.v;
		uint32_t kept = 0;

		for (uint32_t j = 0; j < r->program[k].links.n; j++) {
			if (v[j].program == i)
				continue;
			v[kept] = v[j];
			v[kept++].program -= v[j].program > i;
		}
		r->program[k].links.n = kept;
	}
	memmove(&r->program[i], &r->program[i + 1], (r->nprogram - i - 1) * sizeof(*r->program));
	r->nprogram--;
}

static void walk(struct walk *w, struct xl_pipeline_record *r, uint32_t subject)
{
	uint32_t nprogram = r->nprogram, dropped[256], ndropped = 0;

#define PIPELINE_FACT(field, key, max, what) fact(w, &r->field);
#include "record.def"
#define PIPELINE_LIST(field, row, columns, most) LIST(w, r, field);
#include "record.def"
	for (uint32_t i = 0; i < nprogram; i++) {
		if (i != subject && !next(w) && ndropped < 256)
			dropped[ndropped++] = i;
		walk_program(w, &r->program[i]);
	}
	while (ndropped)
		drop_program(r, dropped[--ndropped]);
}

/* The same record in memory of its own. */
static struct xl_record *copy(const struct xl_record *r, const struct xl_log *log)
{
	struct xl_cache_writer *w = xl_cache_writer_new();
	struct xl_record *out = NULL;
	struct xl_cache *c = NULL;
	const void *v;
	size_t n;

	if (w && !xl_cache_add(w, r)) {
		v = xl_cache_bytes(w, &n);
		c = xl_cache_open_memory("record", v, n, log, NULL);
	}
	if (c)
		out = xl_cache_read(c, 0, log, NULL);
	xl_cache_free(c);
	xl_cache_writer_free(w);
	return out;
}

uint32_t xl_record_parts(const struct xl_record *record, uint32_t program)
{
	struct xl_record *r = copy(record, NULL);
	struct walk w = { 0 };

	if (r)
		walk(&w, (struct xl_pipeline_record *)(uintptr_t)r->pipeline, program);
	xl_record_free(r);
	return w.n;
}

struct xl_record *xl_record_edit(const struct xl_record *record, const struct xl_edit *edit, uint32_t *program)
{
	struct xl_record *r = edit->program < record->pipeline->nprogram ? copy(record, NULL) : NULL;
	struct walk w = { edit, 0 };
	struct xl_pipeline_record *p;
	char why[160];
	uint8_t *code;

	if (!r)
		return NULL;
	p = (struct xl_pipeline_record *)(uintptr_t)r->pipeline;
	if (edit->code) {
		struct xl_record_program *of = &p->program[edit->program];

		code = arena_alloc(&r->arena, edit->code_size ? edit->code_size : 1);
		if (code)
			memcpy(code, edit->code, edit->code_size);
		of->code = (struct rec_bytes){ code, code ? edit->code_size : 0 };
		of->exec_size = edit->exec_size;
		of->entry = edit->entry;
	}
	*program = edit->program;
	if (edit->keep) {
		const char *name = p->program[edit->program].name;

		walk(&w, p, edit->program);
		for (*program = 0; *program + 1 < p->nprogram && p->program[*program].name != name; ++*program)
			;
	}
	if (record_check(p, why, sizeof(why)))
		return r;
	xl_record_free(r);
	return NULL;
}
