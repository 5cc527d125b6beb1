/* xlate_pack.c - packages of the public API: writing, and entries. */
#include "xlate_int.h"
#include "build_id.h"

#include "spirv/spirv.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

struct xl_package_writer {
	struct arena arena; /* everything kept; no `oom`: NULL is checked */
	struct xlp_program *program;
	uint32_t n;
	size_t cap;
	const char *translator, *options, *target;
	struct xl_options policy;
	bool bad;
};

/* What the target is known to do is part of the stamp: a profile file may change under its name. */
static const char *profile_hash(struct arena *a, const struct xl_target *target)
{
	char *json = xl_target_json(target), hex[33] = "";
	struct rec_hash h;

	if (!json)
		return NULL;
	h = record_bytes_hash(json, strlen(json));
	hash_text(&h, hex);
	free(json);
	hex[16] = 0;
	return arena_strdup(a, hex);
}

struct xl_package_writer *xl_package_writer_new(const struct xl_target *target, const struct xl_options *o)
{
	static const char *const addresses[] = { "binding", "host", "refuse" };
	struct xl_package_writer *w = calloc(1, sizeof(*w));
	const char *profile;

	if (!w)
		return NULL;
	arena_init(&w->arena, SIZE_MAX / 2);
	profile = profile_hash(&w->arena, target);
	w->translator = arena_printf(&w->arena, "xlate %s+%s", xl_version(), XL_BUILD_ID);
	w->options = arena_printf(&w->arena, "addresses=%s bounds=%s float=%s%s profile=%s", addresses[o->addresses % 3],
				  o->bounds ? "exact" : "host", o->floats ? "strict" : "host", o->debug ? " debug" : "",
				  profile ? profile : "");
	w->target = arena_strdup(&w->arena, xl_target_name(target));
	w->policy = *o;
	w->bad = !profile || !w->translator || !w->options || !w->target;
	return w;
}

struct xl_package_writer *xl_package_writer_like(const struct xl_package *p)
{
	const struct xlp_stamp *s = &package_xlp(p)->stamp;
	struct xl_package_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	arena_init(&w->arena, SIZE_MAX / 2);
	w->translator = arena_strdup(&w->arena, s->translator);
	w->options = arena_strdup(&w->arena, s->options);
	w->target = arena_strdup(&w->arena, s->target);
	w->bad = !w->translator || !w->options || !w->target;
	return w;
}

void xl_package_writer_free(struct xl_package_writer *w)
{
	if (!w)
		return;
	arena_free(&w->arena);
	free(w);
}

int xl_package_same_stamp(const struct xl_package_writer *w, const struct xl_package *p)
{
	const struct xlp_stamp *s = &package_xlp(p)->stamp;

	return !w->bad && !strcmp(w->translator, s->translator) && !strcmp(w->options, s->options) &&
		!strcmp(w->target, s->target);
}

/* ---- what a module asks of a device, as lines */
struct needs { char *text; struct arena *a; };

static void need(struct needs *s, const char *line)
{
	size_t n = strlen(line);

	for (const char *at = s->text; at && *at; at = strchr(at, '\n') + 1) {
		if (!strncmp(at, line, n) && at[n] == '\n')
			return;
	}
	if (s->text)
		s->text = arena_printf(s->a, "%s%s\n", s->text, line);
}

static void module_needs(struct needs *s, const uint32_t *words, size_t n)
{
	char line[128];

	if (n < 5)
		return;
	snprintf(line, sizeof(line), "spirv %u.%u", words[1] >> 16 & 255, words[1] >> 8 & 255);
	need(s, line);
	for (size_t at = 5; at < n;) {
		uint32_t count = words[at] >> 16, op = words[at] & 0xffff;

		if (!count || count > n - at || (op != SpvOpCapability && op != SpvOpExtension))
			return; /* both stand before everything else */
		if (op == SpvOpCapability && count == 2) {
			snprintf(line, sizeof(line), "capability %u", words[at + 1]);
			need(s, line);
		} else if (op == SpvOpExtension) {
			snprintf(line, sizeof(line), "extension %.*s", (int)(count - 1) * 4, (const char *)&words[at + 1]);
			need(s, line);
		}
		at += count;
	}
}

static void feature_needs(struct needs *s, uint32_t features)
{
	char line[64];

	for (unsigned f = 0; f < SPIRV_FEATURE_COUNT; f++) {
		snprintf(line, sizeof(line), "feature %s", spirv_feature_name((enum spirv_feature)f));
		if (features >> f & 1)
			need(s, line);
	}
}

/* What no capability says: what the options lean on. */
static void option_needs(struct needs *s, const struct fact_target *f, const struct xl_options *o)
{
	char line[64];

	if (o->bounds == XL_BOUNDS_EXACT && f->robust2)
		need(s, "feature robustBufferAccess2");
	if (o->floats == XL_FLOAT_STRICT && f->fma_fused)
		need(s, "measured fma-fused");
	if (o->floats == XL_FLOAT_STRICT && f->denorm_keep) {
		snprintf(line, sizeof(line), "measured denormals-kept 0x%x", f->denorm_keep);
		need(s, line);
	}
}

struct line { const char *s; size_t n; };

static int by_line(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int c = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);

	return c ? c : (x->n > y->n) - (x->n < y->n);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_place(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)*(const char *const *)a, y = (uintptr_t)*(const char *const *)b;

	return (x > y) - (x < y);
}

/* Sorted, each once. */
static size_t unique(const char **v, size_t n, int (*order)(const void *, const void *))
{
	size_t kept = 0;

	if (n)
		qsort(v, n, sizeof(*v), order);
	for (size_t i = 0; i < n; i++) {
		if (!kept || order(&v[kept - 1], &v[i]))
			v[kept++] = v[i];
	}
	return kept;
}

/* The texts of all programs with modules, each once. First by their place: programs of a package share them, and however long
 * they are, each is looked at a few times then. NULL: out of memory. */
static const char **needs_of(struct xl_package_writer *w, size_t *n)
{
	const char **v = arena_array(&w->arena, const char *, w->n + 1);

	*n = 0;
	for (uint32_t i = 0; v && i < w->n; i++) {
		if (w->program[i].module.packed && w->program[i].needs)
			v[(*n)++] = w->program[i].needs;
	}
	if (v)
		*n = unique(v, unique(v, *n, by_place), by_text);
	return v;
}

/* The lines of all programs, each once, sorted. NULL: out of memory. */
static const char *requirements(struct xl_package_writer *w)
{
	size_t n, nline = 0, size = 1;
	const char **text = needs_of(w, &n);
	struct line *line;
	char *out, *to;

	for (size_t i = 0; text && i < n; i++) {
		for (const char *s = text[i]; *s; s++)
			nline += *s == '\n';
		nline++; /* the last line may have no end */
	}
	line = arena_array(&w->arena, struct line, nline + 1);
	nline = 0;
	for (size_t i = 0; text && line && i < n; i++) {
		for (const char *s = text[i]; *s; s += *s == '\n') {
			line[nline] = (struct line){ s, strcspn(s, "\n") };
			s += line[nline].n;
			size += line[nline++].n + 1;
		}
	}
	out = to = text && line ? arena_raw(&w->arena, size) : NULL;
	if (!out)
		return NULL;
	if (nline)
		qsort(line, nline, sizeof(*line), by_line);
	for (size_t i = 0; i < nline; i++) {
		if (!line[i].n || (i && !by_line(&line[i - 1], &line[i])))
			continue;
		memcpy(to, line[i].s, line[i].n);
		to += line[i].n;
		*to++ = '\n';
	}
	*to = 0;
	return out;
}

/* ---- programs */
static const char *keep(struct arena *a, const char *s, bool *bad)
{
	const char *p = s ? arena_strdup(a, s) : NULL;

	*bad |= s && !p;
	return p;
}

/* Name and cpu stay the record's. */
static void identity(struct xlp_program *to, const struct xl_record_program *p, uint64_t record, struct arena *a, bool *bad)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(p->cpu, &cpu);

	memset(to, 0, sizeof(*to));
	to->name = p->name;
	to->cpu = p->cpu;
	to->stage = p->stage;
	to->wave = p->wave;
	to->key = p->key;
	to->content = record_content(p);
	to->record = record;
	to->state = p->stage == STAGE_COMPUTE ? NULL : state_lines(p->pipeline, a);
	*bad |= p->stage != STAGE_COMPUTE && !to->state;
	to->guest_words = p->exec_size / (isa ? isa->word : 4);
}

/* A translation lives in its context, which also knows what it depends on. */
static struct xl_context *context_of(const struct xl_translation *t)
{
	return (struct xl_context *)((uintptr_t)t - offsetof(struct xl_context, out));
}

static void result(struct xlp_program *to, const struct xl_translation *t, const struct xl_record_program *p,
		   const struct xl_options *o, struct arena *a, bool *bad)
{
	const struct xl_context *c = context_of(t);
	struct needs needs = { arena_strdup(a, ""), a };
	struct xlp_guard *g = arena_array(a, struct xlp_guard, STATE_COUNT);
	struct xlp_diag *d = arena_array(a, struct xlp_diag, t->ndiag + 1);

	*bad |= !g || !d;
	if (*bad)
		return;
	to->guard = g;
	to->nguard = xlate_guards(c, p, g);
	if (t->status == XL_OK && t->words) {
		*bad |= xlp_frame(c->packer, XLP_MODULE, t->words, t->nwords * 4, a, &to->module) != 0;
		if (t->reflection)
			*bad |= xlp_frame(c->packer, XLP_TEXT, t->reflection, strlen(t->reflection) + 1, a, &to->text) != 0;
		if (t->generated) {
			*bad |= xlp_frame(c->packer, XLP_MODULE, t->generated, t->ngenerated * 4, a, &to->generated) != 0;
			*bad |= xlp_frame(c->packer, XLP_TEXT, t->generated_reflection, strlen(t->generated_reflection) + 1, a,
					  &to->generated_text) != 0;
			module_needs(&needs, t->generated, t->ngenerated);
		}
		to->subgroup_size = t->subgroup_size;
		module_needs(&needs, t->words, t->nwords);
		feature_needs(&needs, c->features);
		option_needs(&needs, &c->target->facts, o);
		if (t->subgroup_size) {
			char line[32];

			snprintf(line, sizeof(line), "subgroup-size %u", t->subgroup_size);
			need(&needs, line);
		}
		to->needs = needs.text;
		*bad |= !needs.text;
	}
	for (uint32_t i = 0; i < t->ndiag; i++) {
		d[i].code = diag_find(t->diag[i].code);
		d[i].addr = t->diag[i].addr;
		d[i].inst = keep(a, t->diag[i].inst, bad);
		d[i].text = keep(a, t->diag[i].text, bad);
	}
	to->diag = d;
	to->ndiag = t->ndiag;
}

static struct xlp_program *grow(struct xl_package_writer *w)
{
	struct xlp_program *grown = arena_grow(&w->arena, w->program, w->n, &w->cap, w->n + 1, sizeof(*grown));

	w->bad |= !grown;
	if (!grown)
		return NULL;
	w->program = grown;
	return &grown[w->n];
}

static enum xl_status added(struct xl_package_writer *w, uint32_t *index)
{
	if (w->bad)
		return XL_INTERNAL;
	if (index)
		*index = w->n;
	w->n++;
	return XL_OK;
}

enum xl_status xl_package_add(struct xl_package_writer *w, const struct xl_record *r, uint32_t program,
			      const struct xl_translation *t)
{
	struct xlp_program *to = grow(w);

	if (!to)
		return XL_INTERNAL;
	identity(to, &r->pipeline->program[program], 0, &w->arena, &w->bad);
	to->name = keep(&w->arena, to->name, &w->bad);
	to->cpu = keep(&w->arena, to->cpu, &w->bad);
	result(to, t, &r->pipeline->program[program], &w->policy, &w->arena, &w->bad);
	return added(w, NULL);
}

/* ---- entries */
void *xl_entry(const struct xl_record *r, uint32_t program, uint64_t record_hash, const struct xl_options *o,
	       const struct xl_translation *t, size_t *size)
{
	/* What a translation's passes worked in is free until the next one, and asking for more each time would cost more. */
	struct arena own, *a = t ? &context_of(t)->scratch : &own;
	struct xlp_program p;
	struct buf out = { 0 };
	bool bad = false;

	arena_init(&own, RECORD_LIMIT);
	identity(&p, &r->pipeline->program[program], record_hash, a, &bad);
	if (t)
		result(&p, t, &r->pipeline->program[program], o, a, &bad);
	if (!bad)
		xlp_entry_put(&out, &p);
	arena_free(&own);
	if (bad || out.bad) {
		buf_free(&out);
		return NULL;
	}
	*size = out.n;
	return out.v;
}

uint64_t xl_entry_content(const void *entry, size_t size)
{
	return xlp_entry_content(entry, size);
}

static enum xl_status entry_in(struct xl_package_writer *w, const void *entry, size_t size, struct xlp_program *to)
{
	void *own = arena_raw(&w->arena, size ? size : 1);

	w->bad |= !own;
	if (!own)
		return XL_INTERNAL;
	memcpy(own, entry, size);
	return xlp_entry_get(own, size, to, &w->arena) ? XL_UNREADABLE : XL_OK;
}

enum xl_status xl_package_add_entry(struct xl_package_writer *w, const void *entry, size_t size, uint32_t *index)
{
	struct xlp_program *to = grow(w);
	enum xl_status s = to ? entry_in(w, entry, size, to) : XL_INTERNAL;

	return s ? s : added(w, index);
}

/* The program of an entry with what became of `as`. */
static enum xl_status add_as(struct xl_package_writer *w, const void *entry, size_t size, const struct xlp_program *as,
			     uint32_t *index)
{
	struct xlp_program *to = grow(w), result = *as, own;
	enum xl_status s = to ? entry_in(w, entry, size, &own) : XL_INTERNAL;

	if (s)
		return s;
	if (own.content != result.content || record_hash_order(&own.key, &result.key))
		return XL_USAGE;
	*to = result;
	to->name = own.name;
	to->record = own.record;
	to->state = own.state;
	return added(w, index);
}

enum xl_status xl_package_add_same(struct xl_package_writer *w, const void *entry, size_t size, uint32_t as, uint32_t *index)
{
	struct xlp_program same;

	if (as >= w->n)
		return XL_USAGE;
	same = w->program[as]; /* the array may move */
	return add_as(w, entry, size, &same, index);
}

enum xl_status xl_package_add_failed(struct xl_package_writer *w, const void *entry, size_t size, const char *code,
				     const char *text, uint32_t *index)
{
	struct xlp_program *to = grow(w);
	enum xl_status s = to ? entry_in(w, entry, size, to) : XL_INTERNAL;
	struct xlp_diag *d = arena_new(&w->arena, struct xlp_diag);

	w->bad |= !d;
	if (s || !d)
		return s ? s : XL_INTERNAL;
	memset(&to->module, 0, sizeof(to->module));
	memset(&to->text, 0, sizeof(to->text));
	memset(&to->generated, 0, sizeof(to->generated));
	memset(&to->generated_text, 0, sizeof(to->generated_text));
	to->needs = NULL;
	*d = (struct xlp_diag){ diag_find(code), DIAG_NO_ADDR, NULL, keep(&w->arena, text, &w->bad) };
	to->diag = d;
	to->ndiag = 1;
	return d->code == DIAG_OK ? XL_USAGE : added(w, index);
}

enum xl_status xl_package_copy(struct xl_package_writer *w, const struct xl_package *from, uint32_t i, const void *entry,
			       size_t size, uint32_t *index, const struct xl_log *log)
{
	struct xlp_program *to = grow(w), p;
	struct log_sink sink;

	log_sink_init(&sink, log, NULL);
	if (!to)
		return XL_INTERNAL;
	xlp_get(package_xlp(from), i, &p, &w->arena);
	for (uint32_t k = 0; p.diag && k < p.ndiag; k++) {
		if (p.diag[k].code != DIAG_OK)
			continue;
		sink.sink.program = p.name;
		diag_emit(&sink.sink, DIAG_BAD_PACKAGE, DIAG_NO_ADDR, "a diagnostic has a code that this version does not know");
		return XL_UNREADABLE;
	}
	w->bad |= (!p.diag && p.ndiag) || (!p.guard && p.nguard);
	if (w->bad)
		return XL_INTERNAL;
	if (entry)
		return add_as(w, entry, size, &p, index);
	*to = p;
	return added(w, index);
}

void xl_package_added(const struct xl_package_writer *w, struct xl_slot *slot, uint32_t i, struct xl_package_program *out)
{
	package_info(NULL, 0, &w->program[i], slot, out);
}

enum xl_status xl_package_check_packed(const struct xl_package *p, const struct xl_log *log)
{
	struct log_sink sink;

	log_sink_init(&sink, log, NULL);
	return xlp_check_packed(package_xlp(p), &sink.sink) ? XL_UNREADABLE : XL_OK;
}

enum xl_status xl_package_write(struct xl_package_writer *w, const char *path, const struct xl_log *log)
{
	struct xlp_stamp stamp = { w->translator, w->options, w->target, requirements(w) };
	const char *clash = NULL;
	struct buf out = { 0 };
	enum xl_status status = XL_INTERNAL;
	struct log_sink sink;
	int bad = w->bad || !stamp.requirements ? -1 : xlp_encode(w->program, w->n, &stamp, &out, &clash);

	log_sink_init(&sink, log, path);
	sink.sink.program = clash;
	if (bad == -2) {
		diag_emit(&sink.sink, DIAG_BAD_PACKAGE, DIAG_NO_ADDR,
			  "two packages with the same stamp have the same program with different translations");
		status = XL_UNREADABLE;
	} else if (bad == -3) {
		diag_emit(&sink.sink, DIAG_BAD_PACKAGE, DIAG_NO_ADDR,
			  "a name or text is too long for a package, hashes in one are none, or it unpacks to far more than its size");
		status = XL_UNREADABLE;
	} else if (!bad) {
		status = xl_file_write(path, out.v, out.n, log);
	} else {
		diag_emit(&sink.sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR,
			  "no memory for the package, or a section of it would be larger than 4 GiB");
	}
	buf_free(&out);
	return status;
}
