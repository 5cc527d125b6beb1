/* build_run.c - both ends of the events: a record's programs translated, and what became of them put into the package. */
#define _GNU_SOURCE
#include "build.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* ---- claims: who translates a content, shared by threads and processes. A full table only means double work. */
enum { OWNER_TRIES = 10000 };
struct claims {
	uint32_t cap;
	_Atomic uint32_t n;
	struct { _Atomic uint64_t content; _Atomic uint32_t owner; } slot[];
};

static size_t claims_size(uint32_t cap)
{
	struct claims *c;

	return sizeof(*c) + cap * sizeof(c->slot[0]);
}

static struct claims *claims_new(uint32_t njob)
{
	uint32_t cap = 1024;
	struct claims *c;

	while (cap / 8 < njob && cap < 1u << 24)
		cap *= 2;
	c = mmap(NULL, claims_size(cap), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c == MAP_FAILED)
		return NULL;
	c->cap = cap;
	return c;
}

/* Is the slot the job's? The two stores of a claim are a moment apart; a worker that died between them never makes the second: it is
 * everybody's then. */
static bool owned(const struct claims *c, uint32_t i, uint32_t job)
{
	uint32_t o = atomic_load(&c->slot[i].owner);

	for (unsigned k = 0; !o && k < OWNER_TRIES; k++) {
		sched_yield();
		o = atomic_load(&c->slot[i].owner);
	}
	return !o || o == job + 1;
}

/* True: the job translates it. A job that is run again finds its own claims. */
static bool claim(struct claims *c, uint64_t content, uint32_t job)
{
	uint32_t i = (uint32_t)content & (c->cap - 1);

	if (!content || atomic_load(&c->n) > c->cap / 2)
		return true;
	for (;; i = (i + 1) & (c->cap - 1)) {
		uint64_t there = 0;

		if (atomic_compare_exchange_strong(&c->slot[i].content, &there, content)) {
			atomic_store(&c->slot[i].owner, job + 1);
			atomic_fetch_add(&c->n, 1);
			return true;
		}
		if (there == content)
			return owned(c, i, job);
	}
}

/* Did the job claim it? */
static bool claimed(const struct claims *c, uint64_t content, uint32_t job)
{
	uint64_t there;

	for (uint32_t i = (uint32_t)content & (c->cap - 1); (there = atomic_load(&c->slot[i].content)); i = (i + 1) & (c->cap - 1)) {
		if (there == content)
			return owned(c, i, job);
	}
	return false;
}

/* ---- hash to number */
static size_t map_slot(const struct map *m, uint64_t key)
{
	size_t i = key & (m->cap - 1);

	while (m->key[i] && m->key[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

uint64_t map_text(uint64_t before, const char *s)
{
	uint64_t h = before ^ 0xcbf29ce484222325u; /* FNV-1a, the zero at the end with it */

	do {
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	} while (*s++);
	return h;
}

bool map_put(struct map *m, uint64_t key, uint32_t value)
{
	size_t i;

	key = key ? key : 1;
	if (m->n * 2 >= m->cap) {
		struct map grown = { .cap = m->cap ? m->cap * 2 : 1024 };

		grown.key = calloc(grown.cap, sizeof(*grown.key));
		grown.value = calloc(grown.cap, sizeof(*grown.value));
		if (!grown.key || !grown.value) {
			map_free(&grown);
			return false;
		}
		for (i = 0; i < m->cap; i++)
			if (m->key[i])
				map_put(&grown, m->key[i], m->value[i]);
		map_free(m);
		*m = grown;
	}
	i = map_slot(m, key);
	if (m->key[i])
		return true;
	m->key[i] = key;
	m->value[i] = value;
	m->n++;
	return true;
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	size_t i;

	if (!m->cap)
		return MAP_NONE;
	i = map_slot(m, key ? key : 1);
	return m->key[i] ? m->value[i] : MAP_NONE;
}

void map_free(struct map *m)
{
	free(m->key);
	free(m->value);
	memset(m, 0, sizeof(*m));
}

/* ---- running */
struct clock {
	struct cost *cost;
	double at;
	enum xl_phase phase;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_phase(void *user, enum xl_phase p)
{
	struct clock *c = user;
	double t = now();

	if (c->phase == XL_PHASE_VALIDATE)
		c->cost->validate += t - c->at;
	else if (c->phase != XL_PHASE_FACTS && c->phase != XL_PHASE_DONE)
		c->cost->translate += t - c->at;
	c->phase = p;
	c->at = t;
}

static void emit(struct runner *r, enum event_kind kind, uint32_t job, uint32_t number, const void *bytes, size_t size)
{
	struct event e = { .kind = kind, .job = job, .number = number, .bytes = bytes, .size = size };

	if (kind == EVENT_DONE)
		e.cost = r->cost;
	r->emit(r->user, &e);
}

static void translate(struct runner *r, uint32_t job, const struct xl_record *record, uint32_t i)
{
	struct xl_options opt = r->w->translate->options;
	struct clock clock = { .cost = &r->cost, .phase = XL_PHASE_FACTS };
	const struct xl_translation *t;
	size_t size = 0;
	void *entry;

	memset(&r->cost, 0, sizeof(r->cost));
	if (r->w->timing) {
		r->cost.decode = r->reading;
		r->reading = 0;
		opt.phase = on_phase;
		opt.user = &clock;
	}
	t = xl_translate(r->context, record, i, &opt);
	if (t->words) {
		r->cost.words_in = t->guest_words;
		r->cost.words_out = t->nwords;
	} else { /* figures are of what was translated: a refusal ends anywhere */
		memset(&r->cost, 0, sizeof(r->cost));
	}
	if (r->w->timing)
		clock.at = now();
	entry = xl_entry(record, i, r->w->job[job].hash, &r->w->translate->options, t, &size);
	if (r->w->timing)
		r->cost.pack = now() - clock.at;
	r->no_memory = false;
	for (uint32_t k = 0; k < t->ndiag; k++)
		r->no_memory |= !strcmp(t->diag[k].code, "out-of-memory");
	emit(r, EVENT_DONE, job, i, entry, entry ? size : 0);
	free(entry);
}

static void run_program(struct runner *r, uint32_t job, const struct xl_record *record, uint32_t i)
{
	const struct work *w = r->w;
	/* Names stand in modules with debug information: those are nobody else's. */
	bool share = !w->translate->options.debug;
	uint32_t as = share && w->since ? xl_package_find(w->since, record, i) : XL_NO_PROGRAM;
	size_t size = 0;
	void *entry = xl_entry(record, i, w->job[job].hash, &w->translate->options, NULL, &size);
	struct event e = { .kind = EVENT_COPY, .job = job, .number = i, .as = as, .bytes = entry, .size = size };

	emit(r, EVENT_BEGIN, job, i, entry, size);
	if (as != XL_NO_PROGRAM)
		r->emit(r->user, &e);
	else if (share && !claim(w->claims, xl_record_content(record, i), job))
		emit(r, EVENT_SAME, job, i, entry, size);
	else
		translate(r, job, record, i);
	free(entry);
}

struct lines { FILE *f; const char *path; };

static void to_lines(void *user, const struct xl_diag *d)
{
	struct lines *l = user;

	if (l->f)
		say_diag(l->f, d, l->path);
}

void run_job(struct runner *r, uint32_t job, uint32_t first)
{
	const struct job *j = &r->w->job[job];
	char *text = NULL;
	size_t size = 0;
	struct lines l = { open_memstream(&text, &size), j->in->path };
	struct xl_log log = { to_lines, &l };
	enum xl_status status = XL_OK;
	double began = r->w->timing ? now() : 0;
	struct xl_record *record = j->in->cache ? xl_cache_read(j->in->cache, j->record, &log, &status) : j->in->record;
	uint32_t n = record ? xl_record_programs(record) : 0;

	r->reading = r->w->timing ? now() - began : 0;
	if (l.f)
		fclose(l.f);
	if (size)
		emit(r, EVENT_LOG, job, 0, text, size);
	free(text);
	for (uint32_t i = first; i < n && !*r->w->stop; i++) {
		struct xl_program_info info;

		xl_record_program(record, i, &info);
		if (!info.linked)
			run_program(r, job, record, i);
	}
	emit(r, EVENT_END, job, (uint32_t)status, NULL, 0);
	input_unread(j->in, record);
}

/* ---- accepting */
static struct outcome *outcome_new(struct job *j)
{
	struct outcome *grown = realloc(j->out, (j->nout + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	j->out = grown;
	grown[j->nout] = (struct outcome){ OUTCOME_WAITS, HOW_TRANSLATED };
	return &grown[j->nout++];
}

static void settle(struct work *w, struct job *j)
{
	struct xl_package_program p;

	if (j->done || !j->ended || j->waits)
		return;
	j->done = true;
	w->ndone++;
	for (uint32_t k = 0; k < j->nout && w->fail_fast; k++) {
		work_program(w, &j->out[k], &p);
		w->refused |= p.status != XL_OK;
	}
	w->refused |= w->fail_fast && j->status;
	if (w->refused)
		*w->stop = 1;
}

/* `index` is a content's first result: those that wait for it have it, too. */
static int arrived(struct work *w, uint64_t content, uint32_t index)
{
	int rc = 0;

	if (!map_put(&w->of_content, content, index))
		return XL_INTERNAL;
	for (uint32_t i = 0; i < w->nwaiting && !rc;) {
		struct waiting *q = &w->waiting[i];
		struct job *j = &w->job[q->job];

		if (q->content != content) {
			i++;
			continue;
		}
		rc = (int)xl_package_add_same(w->package, q->entry, q->size, index, &j->out[q->out].index);
		j->waits--;
		settle(w, j);
		free(q->entry);
		*q = w->waiting[--w->nwaiting];
	}
	return rc ? XL_INTERNAL : 0;
}

static int wait_for(struct work *w, const struct event *e, uint64_t content)
{
	struct waiting *grown = realloc(w->waiting, (w->nwaiting + 1) * sizeof(*grown)), *q;

	if (!grown)
		return XL_INTERNAL;
	w->waiting = grown;
	q = &grown[w->nwaiting];
	*q = (struct waiting){ e->job, w->job[e->job].nout - 1, content, malloc(e->size), e->size };
	if (!q->entry)
		return XL_INTERNAL;
	memcpy(q->entry, e->bytes, e->size);
	w->nwaiting++;
	w->job[e->job].waits++;
	return 0;
}

static int accept_same(struct work *w, const struct event *e, struct outcome *o)
{
	uint64_t content = xl_entry_content(e->bytes, e->size);
	uint32_t as = map_get(&w->of_content, content);

	o->how = HOW_SAME;
	if (!content)
		return XL_UNREADABLE;
	if (as == MAP_NONE)
		return wait_for(w, e, content);
	return (int)xl_package_add_same(w->package, e->bytes, e->size, as, &o->index);
}

static int accept_done(struct work *w, const struct event *e, struct outcome *o)
{
	uint64_t content = xl_entry_content(e->bytes, e->size);
	int rc = content ? (int)xl_package_add_entry(w->package, e->bytes, e->size, &o->index) : XL_UNREADABLE;

	w->cost.decode += e->cost.decode;
	w->cost.translate += e->cost.translate;
	w->cost.validate += e->cost.validate;
	w->cost.pack += e->cost.pack;
	w->cost.words_in += e->cost.words_in;
	w->cost.words_out += e->cost.words_out;
	return rc ? rc : arrived(w, content, o->index);
}

static int accept_log(struct job *j, const struct event *e)
{
	size_t n = j->text ? strlen(j->text) : 0;
	char *grown = realloc(j->text, n + e->size + 1);

	if (!grown)
		return XL_INTERNAL;
	memcpy(grown + n, e->bytes, e->size);
	grown[n + e->size] = 0;
	j->text = grown;
	return 0;
}

int work_accept(struct work *w, const struct event *e)
{
	struct job *j = &w->job[e->job];
	struct xl_log log = stderr_log();
	struct outcome *o = NULL;
	int rc = 0;

	if (e->kind == EVENT_DONE || e->kind == EVENT_SAME || e->kind == EVENT_COPY) {
		o = outcome_new(j);
		if (!o)
			return XL_INTERNAL;
	}
	switch ((enum event_kind)e->kind) {
	case EVENT_BEGIN:
		break;
	case EVENT_DONE:
		rc = accept_done(w, e, o);
		break;
	case EVENT_SAME:
		rc = accept_same(w, e, o);
		break;
	case EVENT_COPY:
		o->how = HOW_COPIED;
		rc = e->as >= xl_package_programs(w->since) ? XL_UNREADABLE :
			(int)xl_package_copy(w->package, w->since, e->as, e->bytes, e->size, &o->index, &log);
		break;
	case EVENT_LOG:
		return accept_log(j, e);
	case EVENT_END:
		j->status = (int)e->number;
		j->ended = true;
		settle(w, j);
		break;
	}
	if (rc && o)
		j->nout--;
	return rc;
}

int work_accept_failed(struct work *w, uint32_t job, const void *entry, size_t size, const char *code, const char *text)
{
	struct outcome *o = outcome_new(&w->job[job]);
	uint64_t content;
	int rc;

	if (!o)
		return XL_INTERNAL;
	rc = (int)xl_package_add_failed(w->package, entry, size, code, text, &o->index);
	content = xl_entry_content(entry, size);
	/* Others have the failure where they wait for it; a program that failed before it claimed its content is by itself. */
	return rc || !claimed(w->claims, content, job) ? rc : arrived(w, content, o->index);
}

void work_program(const struct work *w, const struct outcome *o, struct xl_package_program *out)
{
	xl_package_added(w->package, w->slot, o->index, out);
}

int work_run(struct work *w)
{
	int rc;

	w->slot = w->slot ? w->slot : xl_slot_new();
	w->claims = claims_new(w->njob);
	if (!w->slot || !w->claims)
		return XL_INTERNAL;
	if (w->ndone == w->njob)
		return 0;
	rc = w->isolated ? fork_run(w) : threads_run(w);
	if (!rc && w->nwaiting && !*w->stop)
		rc = XL_INTERNAL; /* somebody claimed a content and never told */
	return rc;
}

void work_free(struct work *w)
{
	for (uint32_t i = 0; i < w->njob; i++) {
		free(w->job[i].out);
		free(w->job[i].text);
	}
	for (uint32_t i = 0; i < w->nwaiting; i++)
		free(w->waiting[i].entry);
	free(w->waiting);
	free(w->job);
	map_free(&w->of_content);
	if (w->claims)
		munmap(w->claims, claims_size(w->claims->cap));
	xl_slot_free(w->slot);
	xl_package_writer_free(w->package);
}
