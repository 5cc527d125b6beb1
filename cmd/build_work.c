/* build_work.c - workers: each has a context of its own, takes the next record, keeps what it has to say for later. */
#include "build.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shared {
	struct work *w;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	uint32_t next, done;
	int status;
};

struct clock {
	double at, facts, translate, validate;
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
		c->validate += t - c->at;
	else if (c->phase != XL_PHASE_FACTS && c->phase != XL_PHASE_DONE)
		c->translate += t - c->at;
	c->phase = p;
	c->at = t;
}

/* Time to read every instruction once, as text. */
static double decode_time(const struct xl_program_info *p)
{
	double t = now();
	char text[512];

	for (size_t at = xl_isa_next(p->cpu, p->code, p->exec_size, 0); at < p->exec_size;) {
		int n = xl_disassemble(p->cpu, p->wave, p->code, p->exec_size, at, text, sizeof(text));

		at = xl_isa_next(p->cpu, p->code, p->exec_size, at + (n > 0 ? (size_t)n : 4));
	}
	return now() - t;
}

static void keep_diags(struct outcome *o, const struct xl_translation *t, const char *file)
{
	size_t ntext, njson;
	FILE *text = open_memstream(&o->text, &ntext), *json = open_memstream(&o->json, &njson);

	for (uint32_t i = 0; text && json && i < t->ndiag; i++) {
		const struct xl_diag *d = &t->diag[i];

		say_diag(text, d, file);
		fprintf(json, "%s{\"code\":\"%s\",\"kind\":\"%s\"", i ? "," : "", d->code, d->kind);
		if (d->addr != XL_NO_ADDR)
			fprintf(json, ",\"addr\":%u", d->addr);
		fputs(",\"inst\":", json);
		json_string(json, d->inst);
		fputs(",\"text\":", json);
		json_string(json, d->text);
		fputs("}", json);
		if (!o->code && !strcmp(d->severity, "error"))
			o->code = strdup(d->code);
	}
	if (text)
		fclose(text);
	if (json)
		fclose(json);
}

static void translate_one(struct shared *s, struct xl_context *c, struct job *j, const struct xl_record *r, uint32_t i,
			  struct outcome *o, struct cost *cost)
{
	struct xl_options opt = s->w->translate->options;
	struct clock clock = { .phase = XL_PHASE_FACTS };
	const struct xl_translation *t;
	struct xl_program_info info;
	double decode = 0;
	size_t base;

	xl_record_program(r, i, &info);
	if (s->w->timing) {
		opt.phase = on_phase;
		opt.user = &clock;
		decode = decode_time(&info);
	}
	t = xl_translate(c, r, i, &opt);
	base = strlen(info.name) - strlen(info.stage) - 1;
	o->name = strndup(info.name, base);
	o->stage = strdup(info.stage);
	o->cpu = strdup(info.cpu);
	memcpy(o->key, t->key, sizeof(o->key));
	o->status = (int)t->status;
	o->words_in = t->guest_words;
	o->words_out = (uint32_t)t->nwords;
	if (!t->words)
		o->words_out = 0;
	keep_diags(o, t, j->in->path);
	if (t->words) { /* figures are of what was translated: a refusal ends anywhere */
		cost->decode += decode;
		cost->translate += clock.translate;
		cost->validate += clock.validate;
		cost->words_in += o->words_in;
		cost->words_out += o->words_out;
	}
	pthread_mutex_lock(&s->lock);
	if (xl_package_add(s->w->package, r, i, t))
		s->status = XL_INTERNAL;
	pthread_mutex_unlock(&s->lock);
}

struct lines { FILE *f; const char *path; };

static void to_lines(void *user, const struct xl_diag *d)
{
	struct lines *l = user;

	if (l->f)
		say_diag(l->f, d, l->path);
}

static void run_job(struct shared *s, struct xl_context *c, struct job *j, struct cost *cost)
{
	size_t size;
	struct lines l = { open_memstream(&j->text, &size), j->in->path };
	struct xl_log log = { to_lines, &l };
	enum xl_status status = XL_OK;
	struct xl_record *r = j->in->cache ? xl_cache_read(j->in->cache, j->record, &log, &status) : j->in->record;
	uint32_t n = r ? xl_record_programs(r) : 0;

	j->status = (int)status;
	j->out = calloc(n ? n : 1, sizeof(*j->out));
	for (uint32_t i = 0; j->out && i < n; i++) {
		struct xl_program_info info;

		xl_record_program(r, i, &info);
		if (!info.linked)
			translate_one(s, c, j, r, i, &j->out[j->nout++], cost);
	}
	if (l.f)
		fclose(l.f);
	input_unread(j->in, r);
}

static void *worker(void *user)
{
	struct shared *s = user;
	struct xl_context *c = xl_context_new(s->w->target);
	struct cost cost = { 0 };

	pthread_mutex_lock(&s->lock);
	if (!c)
		s->status = XL_INTERNAL;
	while (c && s->next < s->w->njob && !*s->w->stop) {
		struct job *j = &s->w->job[s->next++];

		pthread_mutex_unlock(&s->lock);
		run_job(s, c, j, &cost);
		pthread_mutex_lock(&s->lock);
		j->done = true;
		s->done++;
		pthread_cond_signal(&s->ended);
	}
	s->w->cost.decode += cost.decode;
	s->w->cost.translate += cost.translate;
	s->w->cost.validate += cost.validate;
	s->w->cost.words_in += cost.words_in;
	s->w->cost.words_out += cost.words_out;
	s->w->threads--;
	pthread_cond_signal(&s->ended);
	pthread_mutex_unlock(&s->lock);
	xl_context_free(c);
	return NULL;
}

/* Waits for the workers and reports what is finished, in order. */
static void attend(struct shared *s)
{
	uint32_t in_order = 0, seen = UINT32_MAX;

	pthread_mutex_lock(&s->lock);
	for (;;) {
		struct timespec until;

		while (in_order < s->w->njob && s->w->job[in_order].done)
			in_order++;
		if (s->done != seen && s->w->progress) {
			uint32_t done = s->done;

			pthread_mutex_unlock(&s->lock);
			s->w->progress(s->w->user, in_order, done);
			pthread_mutex_lock(&s->lock);
			seen = done;
			continue;
		}
		if (!s->w->threads)
			break;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		pthread_cond_timedwait(&s->ended, &s->lock, &until);
	}
	pthread_mutex_unlock(&s->lock);
}

int work_run(struct work *w)
{
	struct shared s = { .w = w };
	unsigned want = w->threads ? w->threads : 1, started = 0;
	pthread_t *thread = calloc(want, sizeof(*thread));

	if (!thread)
		return XL_INTERNAL;
	pthread_mutex_init(&s.lock, NULL);
	pthread_cond_init(&s.ended, NULL);
	pthread_mutex_lock(&s.lock); /* no worker ends before all are counted */
	while (started < want && !pthread_create(&thread[started], NULL, worker, &s))
		started++;
	w->threads = started;
	pthread_mutex_unlock(&s.lock);
	if (started)
		attend(&s);
	else
		s.status = XL_INTERNAL;
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_cond_destroy(&s.ended);
	pthread_mutex_destroy(&s.lock);
	free(thread);
	return s.status;
}

void work_free(struct work *w)
{
	for (uint32_t i = 0; i < w->njob; i++) {
		struct job *j = &w->job[i];

		for (uint32_t k = 0; k < j->nout; k++) {
			free(j->out[k].name);
			free(j->out[k].stage);
			free(j->out[k].cpu);
			free(j->out[k].code);
			free(j->out[k].text);
			free(j->out[k].json);
		}
		free(j->out);
		free(j->text);
	}
	free(w->job);
	xl_package_writer_free(w->package);
}
