/* xlate_state.c - pipelines of a package: their fixed-function state, and which programs they have. */
#include "xlate_int.h"
#include "package/xlp_form.h"
#include "textbuf.h"

#include <stdlib.h>

/* ---- state: what a record knows, a line each; a reader leaves out what it does not know */
/* Rows are told apart by their first column: location, target, state. */
static int by_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

enum { MOST_LINE = 128 /* bytes of one of a list's */, MOST_FACTS = 4096 /* of the others, together */ };

/* A fact's line has its JSON key, with dashes. */
static void fact(struct textbuf *t, const char *key, struct rec_fact f)
{
	if (!rec_known(f))
		return;
	for (; *key; key++)
		textbuf_putn(t, *key == '_' ? "-" : key, 1);
	textbuf_form(t, " %llu\n", (unsigned long long)f.v);
}

/* The rows of a list in an order of their own, in the arena. NULL: out of memory. */
#define ROWS(list) rows((list).v, (list).n, sizeof(*(list).v), a)
static void *rows(const void *v, uint32_t n, size_t size, struct arena *a)
{
	void *own = arena_raw(a, n * size + 1);

	if (own && n) {
		memcpy(own, v, n * size);
		qsort(own, n, size, by_first);
	}
	return own;
}

static void output_lines(struct textbuf *t, const struct xl_pipeline_record *p, const struct rec_blend *blend,
			 const struct rec_dynamic *dynamic)
{
#define PIPELINE_FACT(field, key, max, what)
#define PIPELINE_STATE(field, key, max, what) fact(t, key, p->field);
#include "record.def"
	for (uint32_t i = 0; i < p->blends.n; i++) {
		const struct rec_blend *b = &blend[i];

		textbuf_form(t, "blend %u enable %u color %u %u %u alpha %u %u %u mask %u\n", b->target, b->enable, b->src_color,
			     b->dst_color, b->color_op, b->src_alpha, b->dst_alpha, b->alpha_op, b->write_mask);
	}
	for (uint32_t i = 0; i < p->dynamics.n; i++)
		textbuf_form(t, "dynamic %u\n", dynamic[i].state);
}

const char *state_lines(const struct xl_pipeline_record *p, struct arena *a)
{
	const struct rec_attrib *attrib = ROWS(p->attribs);
	const struct rec_color *color = ROWS(p->colors);
	const struct rec_blend *blend = ROWS(p->blends);
	const struct rec_dynamic *dynamic = ROWS(p->dynamics);
	size_t cap = MOST_FACTS + ((size_t)p->attribs.n + p->colors.n + p->blends.n + p->dynamics.n) * MOST_LINE;
	char *s = arena_raw(a, cap);
	struct textbuf t;

	if (!attrib || !color || !blend || !dynamic || !s)
		return NULL;
	textbuf_init(&t, s, cap);
	fact(&t, "topology", p->topology);
	fact(&t, "patch_points", p->patch_points);
	fact(&t, "samples", p->samples);
	fact(&t, "depth_format", p->depth_format);
	fact(&t, "dual_source", p->dual_source);
	for (uint32_t i = 0; i < p->attribs.n; i++)
		textbuf_form(&t, "attribute %u binding %u format %u offset %u stride %u %s\n", attrib[i].location, attrib[i].binding,
			     attrib[i].format, attrib[i].offset, attrib[i].stride, attrib[i].per_instance ? "instance" : "vertex");
	for (uint32_t i = 0; i < p->colors.n; i++)
		textbuf_form(&t, "color %u format %u\n", color[i].target, color[i].format);
	output_lines(&t, p, blend, dynamic);
	return s;
}

/* ---- pipelines: the programs NAME.STAGE of one record; compute programs by themselves */
static size_t base_length(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? (size_t)(dot - name) : strlen(name);
}

static bool computes(const struct xlp *x, uint32_t i)
{
	return xlp_stage_of(x, i) == STAGE_COMPUTE;
}

/* 0: of one pipeline. */
static int pipeline_order(const struct xlp *x, uint32_t a, uint32_t b)
{
	const char *p = xlp_name_of(x, a), *q = xlp_name_of(x, b);
	size_t n = base_length(p), m = base_length(q);
	uint64_t r = xlp_record_of(x, a), s = xlp_record_of(x, b);
	int c = memcmp(p, q, n < m ? n : m);

	if (c || n != m)
		return c ? c : n < m ? -1 : 1;
	if (computes(x, a) || computes(x, b))
		return computes(x, a) != computes(x, b) ? (int)computes(x, b) - (int)computes(x, a) : a < b ? -1 : a > b;
	return (r > s) - (r < s);
}

struct sorted { const struct xlp *x; uint32_t program; };
static int by_pipeline(const void *a, const void *b)
{
	const struct sorted *p = a, *q = b;
	int c = pipeline_order(p->x, p->program, q->program);

	return c ? c : (p->program > q->program) - (p->program < q->program);
}

enum xl_status xl_package_index_pipelines(struct xl_package *p)
{
	struct package_pipelines *to = package_pipelines(p);
	const struct xlp *x = package_xlp(p);
	struct sorted *v;

	if (to->program)
		return XL_OK;
	v = malloc((x->nprogram + 1u) * sizeof(*v));
	to->program = calloc(x->nprogram + 1u, sizeof(*to->program));
	to->first = calloc(x->nprogram + 1u, sizeof(*to->first));
	if (!v || !to->program || !to->first) {
		free(v);
		free(to->program);
		free(to->first);
		memset(to, 0, sizeof(*to));
		return XL_INTERNAL;
	}
	for (uint32_t i = 0; i < x->nprogram; i++)
		v[i] = (struct sorted){ x, i };
	qsort(v, x->nprogram, sizeof(*v), by_pipeline);
	for (uint32_t i = 0; i < x->nprogram; i++) {
		to->program[i] = v[i].program;
		if (!i || pipeline_order(x, v[i - 1].program, v[i].program))
			to->first[to->n++] = i;
	}
	to->first[to->n] = x->nprogram;
	free(v);
	return XL_OK;
}

uint32_t xl_package_pipelines(const struct xl_package *p)
{
	return package_pipelines((struct xl_package *)(uintptr_t)p)->n;
}

void xl_package_pipeline(const struct xl_package *p, uint32_t i, struct xl_package_pipeline *out)
{
	const struct package_pipelines *all = package_pipelines((struct xl_package *)(uintptr_t)p);
	const struct xlp *x = package_xlp(p);

	out->program = all->program + all->first[i];
	out->nprogram = all->first[i + 1] - all->first[i];
	out->name = xlp_name_of(x, out->program[0]);
	out->name_length = base_length(out->name);
	out->compute = computes(x, out->program[0]);
	out->state = xlp_state_of(x, out->program[0]);
}

uint32_t xl_package_find_pipeline(const struct xl_package *p, const char *name)
{
	uint32_t lo = 0, hi = xl_package_pipelines(p);
	size_t n = strlen(name);
	struct xl_package_pipeline one;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c;

		xl_package_pipeline(p, mid, &one);
		c = memcmp(one.name, name, one.name_length < n ? one.name_length : n);
		if (c < 0 || (!c && one.name_length < n))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == xl_package_pipelines(p))
		return XL_NO_PROGRAM;
	xl_package_pipeline(p, lo, &one);
	return one.name_length == n && !memcmp(one.name, name, n) ? lo : XL_NO_PROGRAM;
}
