/* xlate_state.c - pipelines of a package: their fixed-function state, and which programs they have. */
#include "xlate_int.h"
#include "package/xlp_form.h"
#include "textbuf.h"

#include <stdlib.h>

/* ---- state: what a record knows, a line each; a reader leaves out what it does not know */
static int by_location(const void *a, const void *b)
{
	const struct rec_attrib *x = a, *y = b;

	return (x->location > y->location) - (x->location < y->location);
}

static int by_target(const void *a, const void *b)
{
	const struct rec_color *x = a, *y = b;

	return (x->target > y->target) - (x->target < y->target);
}

enum { MOST_LINE = 128, MOST_FACTS = 1024 }; /* bytes of the longest line, of all facts */

static void fact(struct textbuf *t, const char *name, struct rec_fact f)
{
	if (rec_known(f))
		textbuf_form(t, "%s %llu\n", name, (unsigned long long)f.v);
}

const char *state_lines(const struct xl_pipeline_record *p, struct arena *a)
{
	struct rec_attrib *attrib = arena_array(a, struct rec_attrib, p->attribs.n + 1);
	struct rec_color *color = arena_array(a, struct rec_color, p->colors.n + 1);
	size_t cap = MOST_FACTS + p->attribs.n * (size_t)MOST_LINE + p->colors.n * (size_t)MOST_LINE;
	char *s = arena_raw(a, cap);
	struct textbuf t;

	if (!attrib || !color || !s)
		return NULL;
	textbuf_init(&t, s, cap);
	fact(&t, "topology", p->topology);
	fact(&t, "patch-points", p->patch_points);
	fact(&t, "samples", p->samples);
	fact(&t, "depth-format", p->depth_format);
	fact(&t, "dual-source", p->dual_source);
	if (p->attribs.n)
		memcpy(attrib, p->attribs.v, p->attribs.n * sizeof(*attrib));
	if (p->colors.n)
		memcpy(color, p->colors.v, p->colors.n * sizeof(*color));
	qsort(attrib, p->attribs.n, sizeof(*attrib), by_location);
	qsort(color, p->colors.n, sizeof(*color), by_target);
	for (uint32_t i = 0; i < p->attribs.n; i++)
		textbuf_form(&t, "attribute %u binding %u format %u offset %u stride %u %s\n", attrib[i].location, attrib[i].binding,
			     attrib[i].format, attrib[i].offset, attrib[i].stride, attrib[i].per_instance ? "instance" : "vertex");
	for (uint32_t i = 0; i < p->colors.n; i++)
		textbuf_form(&t, "color %u format %u\n", color[i].target, color[i].format);
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
