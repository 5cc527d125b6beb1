/* xlate_package.c - packages of the public API. */
#include "xlate_int.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- writing */
struct xl_package_writer {
	struct arena arena; /* everything kept; no `oom`: NULL is checked */
	struct xlp_program *program;
	uint32_t n;
	size_t cap;
	char *options, *target;
	struct fact_target facts;
	bool bad, exact_bounds, strict_floats;
};

struct xl_package_writer *xl_package_writer_new(const struct xl_target *target, const struct xl_options *o)
{
	static const char *const addresses[] = { "binding", "host", "refuse" };
	struct xl_package_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	arena_init(&w->arena, SIZE_MAX / 2);
	w->options = arena_printf(&w->arena, "addresses=%s bounds=%s float=%s%s", addresses[o->addresses % 3],
				  o->bounds ? "exact" : "host", o->floats ? "strict" : "host", o->debug ? " debug" : "");
	w->target = arena_strdup(&w->arena, xl_target_name(target));
	w->facts = target->facts;
	w->exact_bounds = o->bounds == XL_BOUNDS_EXACT;
	w->strict_floats = o->floats == XL_FLOAT_STRICT;
	return w;
}

void xl_package_writer_free(struct xl_package_writer *w)
{
	if (!w)
		return;
	arena_free(&w->arena);
	free(w);
}

static void *copy(struct xl_package_writer *w, const void *v, size_t n)
{
	void *p = arena_alloc(&w->arena, n ? n : 1);

	if (p && n)
		memcpy(p, v, n);
	w->bad |= !p;
	return p;
}

static const char *copy_text(struct xl_package_writer *w, const char *s)
{
	return s ? copy(w, s, strlen(s) + 1) : NULL;
}

enum xl_status xl_package_add(struct xl_package_writer *w, const struct xl_record *r, uint32_t program,
			      const struct xl_translation *t)
{
	/* A translation lives in its context, which also has the key's bytes and the guard. */
	const struct xl_context *c = (const struct xl_context *)((const char *)t - offsetof(struct xl_context, out));
	const struct xl_record_program *p = &r->pipeline->program[program];
	struct xlp_program *grown = arena_grow(&w->arena, w->program, w->n, &w->cap, w->n + 1, sizeof(*grown)), *to;
	struct xlp_diag *d;

	if (!grown) {
		w->bad = true;
		return XL_INTERNAL;
	}
	w->program = grown;
	to = &grown[w->n];
	memset(to, 0, sizeof(*to));
	to->name = copy_text(w, p->name);
	to->cpu = copy_text(w, p->cpu);
	to->stage = p->stage;
	to->wave = p->wave;
	to->key = c->key;
	to->nguard = c->nguard;
	to->guard = copy(w, c->guard, c->nguard * sizeof(c->guard[0]));
	to->guest_words = t->guest_words;
	if (t->status == XL_OK && t->words) {
		to->words = copy(w, t->words, t->nwords * 4);
		to->nwords = (uint32_t)t->nwords;
		to->reflection = copy_text(w, t->reflection);
		to->subgroup_size = t->subgroup_size;
	}
	d = arena_array(&w->arena, struct xlp_diag, t->ndiag + 1);
	w->bad |= !d;
	for (uint32_t i = 0; d && i < t->ndiag; i++) {
		d[i].code = diag_find(t->diag[i].code);
		d[i].addr = t->diag[i].addr;
		d[i].inst = copy_text(w, t->diag[i].inst);
		d[i].text = copy_text(w, t->diag[i].text);
	}
	to->diag = d;
	to->ndiag = d ? t->ndiag : 0;
	w->n += !w->bad;
	return w->bad ? XL_INTERNAL : XL_OK;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct needs { const char **v; uint32_t n; size_t cap; };

static void need(struct xl_package_writer *w, struct needs *s, const char *line)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (!strcmp(s->v[i], line))
			return;
	}
	s->v = arena_grow(&w->arena, s->v, s->n, &s->cap, s->n + 1, sizeof(*s->v));
	if (s->v)
		s->v[s->n++] = copy_text(w, line);
}

/* Lines of what a module asks of a device, from its own words. */
static void module_needs(struct xl_package_writer *w, struct needs *s, const struct xlp_program *p)
{
	char line[128];

	if (p->nwords < 5)
		return;
	snprintf(line, sizeof(line), "spirv %u.%u", p->words[1] >> 16 & 255, p->words[1] >> 8 & 255);
	need(w, s, line);
	for (uint32_t at = 5; at < p->nwords;) {
		uint32_t count = p->words[at] >> 16, op = p->words[at] & 0xffff;

		if (!count || count > p->nwords - at || op == SpvOpFunction)
			return;
		if (op == SpvOpCapability && count == 2) {
			snprintf(line, sizeof(line), "capability %u", p->words[at + 1]);
			need(w, s, line);
		} else if (op == SpvOpExtension) {
			snprintf(line, sizeof(line), "extension %.*s", (int)(count - 1) * 4, (const char *)&p->words[at + 1]);
			need(w, s, line);
		}
		at += count;
	}
	if (p->subgroup_size) {
		snprintf(line, sizeof(line), "subgroup-size %u", p->subgroup_size);
		need(w, s, line);
	}
}

/* What no capability says: what the options lean on. */
static void option_needs(struct xl_package_writer *w, struct needs *s)
{
	char line[64];

	if (w->exact_bounds && w->facts.robust2)
		need(w, s, "feature robustBufferAccess2");
	if (w->strict_floats && w->facts.fma_fused)
		need(w, s, "measured fma-fused");
	if (w->strict_floats && w->facts.denorm_keep) {
		snprintf(line, sizeof(line), "measured denormals-kept 0x%x", w->facts.denorm_keep);
		need(w, s, line);
	}
}

static char *requirements(struct xl_package_writer *w)
{
	struct needs s = { 0 };
	char *text = arena_strdup(&w->arena, "");

	for (uint32_t i = 0; i < w->n; i++) {
		if (w->program[i].words)
			module_needs(w, &s, &w->program[i]);
	}
	if (s.v)
		option_needs(w, &s);
	if (!s.v)
		return text;
	qsort(s.v, s.n, sizeof(*s.v), by_text);
	for (uint32_t i = 0; i < s.n && text; i++)
		text = arena_printf(&w->arena, "%s%s\n", text, s.v[i]);
	return text;
}

enum xl_status xl_package_write(struct xl_package_writer *w, const char *path, const struct xl_log *log)
{
	char *version = arena_printf(&w->arena, "xlate %s", xl_version());
	struct xlp_stamp stamp = { version, w->options, w->target, requirements(w) };
	struct buf out = { 0 };
	enum xl_status status = XL_INTERNAL;

	if (!w->bad && !xlp_encode(w->program, w->n, &stamp, &out))
		status = xl_file_write(path, out.v, out.n, log);
	buf_free(&out);
	return status;
}

/* ---- reading */
struct xl_package {
	struct buf bytes;
	struct xlp xlp;
	char *name;
};
struct xl_slot {
	struct arena info, module, reflection;
};

struct xl_slot *xl_slot_new(void)
{
	struct xl_slot *s = calloc(1, sizeof(*s));

	if (s) {
		arena_init(&s->info, RESULT_LIMIT);
		arena_init(&s->module, RECORD_LIMIT);
		arena_init(&s->reflection, RECORD_LIMIT);
	}
	return s;
}

void xl_slot_free(struct xl_slot *s)
{
	if (!s)
		return;
	arena_free(&s->info);
	arena_free(&s->module);
	arena_free(&s->reflection);
	free(s);
}

void xl_package_free(struct xl_package *p)
{
	if (!p)
		return;
	buf_free(&p->bytes);
	free(p->name);
	free(p);
}

static struct xl_package *package_open(struct xl_package *p, const uint8_t *v, size_t n, struct log_sink *sink,
				       enum xl_status *status)
{
	if (!p || !p->name)
		diag_emit(&sink->sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a package");
	else if (!xlp_open(&p->xlp, v, n, &sink->sink)) {
		if (status)
			*status = XL_OK;
		return p;
	}
	if (status)
		*status = log_status(sink);
	xl_package_free(p);
	return NULL;
}

struct xl_package *xl_package_open(const char *path, const struct xl_log *log, enum xl_status *status)
{
	struct xl_package *p = calloc(1, sizeof(*p));
	struct log_sink sink;

	log_sink_init(&sink, log, path);
	if (p && buf_load(&p->bytes, path, FILE_LIMIT)) {
		log_errno(&sink, path, "read");
		xl_package_free(p);
		if (status)
			*status = XL_UNREADABLE;
		return NULL;
	}
	if (p)
		p->name = strdup(path);
	return package_open(p, p ? p->bytes.v : NULL, p ? p->bytes.n : 0, &sink, status);
}

struct xl_package *xl_package_open_memory(const char *name, const void *v, size_t n, const struct xl_log *log,
					  enum xl_status *status)
{
	struct xl_package *p = calloc(1, sizeof(*p));
	struct log_sink sink;

	log_sink_init(&sink, log, name);
	if (p)
		p->name = strdup(name);
	return package_open(p, v, n, &sink, status);
}

uint32_t xl_package_programs(const struct xl_package *p)
{
	return p->xlp.nprogram;
}

const char *xl_package_stamp(const struct xl_package *p, const char **options, const char **target, const char **needs)
{
	*options = p->xlp.stamp.options;
	*target = p->xlp.stamp.target;
	*needs = p->xlp.stamp.requirements;
	return p->xlp.stamp.translator;
}

/* A package's own diagnostic code may be unknown to this version: it is then shown as an error without a class. */
static void stored_diag(const struct xlp_program *p, const struct xlp_diag *d, const char *file, struct xl_diag *out)
{
	struct diag in = { d->code ? (enum diag_code)d->code : DIAG_VERIFY, p->name, p->cpu, d->addr, *d->inst ? d->inst : NULL,
		d->text };

	log_diag(&in, file, out);
}

static void get(const struct xl_package *p, struct xl_slot *s, uint32_t i, struct xl_package_program *out)
{
	struct xlp_program in;
	struct xl_diag *d;

	xlp_get(&p->xlp, i, &in, &s->info);
	out->name = in.name;
	out->stage = record_stage_name(in.stage);
	out->cpu = in.cpu;
	hash_text(&in.key, out->key);
	out->guest_words = in.guest_words;
	out->words = in.nwords;
	out->wave = in.wave;
	out->subgroup_size = in.subgroup_size;
	d = arena_array(&s->info, struct xl_diag, in.ndiag);
	for (uint32_t k = 0; k < in.ndiag; k++)
		stored_diag(&in, &in.diag[k], NULL, &d[k]);
	out->diag = d;
	out->ndiag = in.ndiag;
}

void xl_package_get(const struct xl_package *p, struct xl_slot *s, uint32_t i, struct xl_package_program *out)
{
	jmp_buf oom;

	arena_reset(&s->info);
	memset(out, 0, sizeof(*out));
	s->info.oom = &oom;
	if (!setjmp(oom))
		get(p, s, i, out);
	else /* a refusal with more diagnostics than fit: shown without them */
		out->ndiag = 0;
	s->info.oom = NULL;
}

const uint32_t *xl_package_module(const struct xl_package *p, struct xl_slot *s, uint32_t i, size_t *nwords,
				  const struct xl_log *log)
{
	struct log_sink sink;
	uint32_t n = 0;
	const uint32_t *words;

	log_sink_init(&sink, log, p->name);
	arena_reset(&s->module);
	words = xlp_module(&p->xlp, i, &n, &s->module, &sink.sink);
	*nwords = n;
	return words;
}

const char *xl_package_reflection(const struct xl_package *p, struct xl_slot *s, uint32_t i, const struct xl_log *log)
{
	struct log_sink sink;

	log_sink_init(&sink, log, p->name);
	arena_reset(&s->reflection);
	return xlp_reflection(&p->xlp, i, &s->reflection, &sink.sink);
}
