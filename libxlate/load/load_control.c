/* load_control.c - live control: a small file that a person edits while the host runs. It says what is wished, not what to
 * do: taking a line away takes its effect back. */
#define _GNU_SOURCE
#include "load_int.h"
#include "../package/buf.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { POLL_MS = 250, RULES = 4096, MOST = 1 << 20 };

struct timespec load_control_after(int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* ---- lines to rules */
struct wish { bool pause, stop; struct load_rule *rule; uint32_t n; uint32_t bad; };

static const struct { const char *word; char what; bool number, pattern; } words[] = {
	{ "pause", 'p', false, false }, { "stop", 's', false, false }, { "priority", '+', true, true },
	{ "hide", 'h', false, true }, { "list", 'l', false, false }, { "describe", 'd', false, true },
};

/* 0: understood. */
static int parse_line(const char *line, struct wish *w)
{
	char word[16], rest[128] = "", more[2] = "", *end;
	struct load_rule r = { 0 };
	int n = sscanf(line, "%15s %127s %1s", word, rest, more);
	size_t i = 0;

	if (n <= 0 || word[0] == '#')
		return 0;
	while (i < sizeof(words) / sizeof(words[0]) && strcmp(words[i].word, word))
		i++;
	if (i == sizeof(words) / sizeof(words[0]))
		return -1;
	r.what = words[i].what;
	if (words[i].number) {
		long v = strtol(rest, &end, 10);

		if (*end || end == rest || v < -1000000 || v > 1000000)
			return -1;
		r.priority = (int)v;
		n = sscanf(line, "%*s %*s %127s %1s", rest, more) + 1;
	}
	if (words[i].pattern ? n != 2 : n > 2 || (n == 2 && r.what != 'l'))
		return -1;
	snprintf(r.pattern, sizeof(r.pattern), "%s", n == 2 ? rest : "*");
	w->pause |= r.what == 'p';
	w->stop |= r.what == 's';
	if (w->n == RULES)
		return -1;
	w->rule[w->n++] = r;
	return 0;
}

static int parse(const char *text, struct wish *w)
{
	memset(w, 0, sizeof(*w));
	w->rule = calloc(RULES, sizeof(*w->rule));
	for (uint32_t line = 1; w->rule && *text; line++) {
		size_t n = strcspn(text, "\n");
		char one[320];

		snprintf(one, sizeof(one), "%.*s", (int)(n < sizeof(one) ? n : sizeof(one) - 1), text);
		if (parse_line(one, w) && !w->bad)
			w->bad = line;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return w->rule ? 0 : -1;
}

/* ---- rules to entries */
void load_control_apply(struct xl_loader *l, struct load_entry *e)
{
	bool hidden = false;
	int wish = 0;

	for (uint32_t i = 0; i < l->nrule; i++) {
		const struct load_rule *r = &l->rule[i];

		if ((r->what != 'h' && r->what != '+') || fnmatch(r->pattern, e->name, 0))
			continue;
		hidden |= r->what == 'h';
		wish = r->what == '+' ? r->priority : wish;
	}
	e->wish = wish;
	atomic_store(&e->hidden, hidden);
}

static const char *state_name(const struct load_entry *e)
{
	static const char *const where[] = { "idle", "queued", "wanted", "busy" };

	switch (atomic_load(&e->state)) {
	case ENTRY_FAST:
		return "fast";
	case ENTRY_DONE:
		return "optimised";
	case ENTRY_FAILED:
		return e->quarantined ? "quarantined" : "failed";
	default:
		return where[e->where];
	}
}

static void describe(const struct xl_loader *l, const struct load_entry *e, FILE *f)
{
	fprintf(f, "%s: %s%s\n", e->name, state_name(e), atomic_load(&e->hidden) ? ", hidden" : "");
	for (uint32_t i = 0; i < e->nprogram; i++) {
		const struct load_program *p = &l->program[e->program[i]];

		fprintf(f, "  program %s key %s words %u%s\n", p->name, p->key, p->words, p->refused ? " refused" : "");
	}
	fprintf(f, "  priority %d%+d, read %.3f ms, fast %.3f ms, optimised %.3f ms\n", e->priority, e->wish,
		(double)e->read_ns / 1e6, (double)e->fast_ns / 1e6, (double)e->optimised_ns / 1e6);
	if (e->reason)
		fprintf(f, "  %s [%s]\n", e->reason, xl_load_code_name(e->code, NULL));
}

/* The answers to list and describe; malloc'ed, or NULL. With the lock. */
static char *answer(const struct xl_loader *l)
{
	uint32_t n = atomic_load(&l->nentry);
	char *text = NULL;
	size_t size;
	FILE *f = NULL;

	for (uint32_t i = 0; i < l->nrule; i++) {
		const struct load_rule *r = &l->rule[i];

		if (r->what != 'l' && r->what != 'd')
			continue;
		if (!f)
			f = open_memstream(&text, &size);
		for (uint32_t k = 0; f && k < n; k++) {
			const struct load_entry *e = load_entry_at(l, k);

			if (fnmatch(r->pattern, e->name, 0))
				continue;
			if (r->what == 'd')
				describe(l, e, f);
			else
				fprintf(f, "%-11s %s%s\n", state_name(e), e->name, atomic_load(&e->hidden) ? " hidden" : "");
		}
	}
	if (f && fclose(f)) {
		free(text);
		text = NULL;
	}
	return text;
}

static void tell(struct xl_loader *l, char *text)
{
	size_t n = strlen(l->control_path ? l->control_path : "") + 8;
	char *path = l->control_path ? malloc(n) : NULL;

	if (path) {
		snprintf(path, n, "%s.out", l->control_path);
		if (buf_replace(&(struct buf){ .v = (uint8_t *)text, .n = strlen(text) }, path))
			load_say(l, XL_LOAD_IO, true, path, "not written: %s", strerror(errno));
		free(path);
	}
	for (char *s = text, *line; (line = strsep(&s, "\n")) != NULL;) {
		if (*line)
			load_say(l, XL_LOAD_NO_CODE, false, NULL, "%s", line);
	}
}

enum xl_load_status xl_load_control(struct xl_loader *l, const char *lines)
{
	struct wish w;
	char *text;

	if (parse(lines ? lines : "", &w)) {
		load_say(l, XL_LOAD_MEMORY, true, NULL, "no memory for control");
		return XL_LOAD_INTERNAL;
	}
	pthread_mutex_lock(&l->lock);
	free(l->rule);
	l->rule = w.rule;
	l->nrule = w.n;
	l->pause = w.pause;
	l->stop = w.stop;
	for (uint32_t i = 0; i < atomic_load(&l->nentry); i++)
		load_control_apply(l, load_entry_at(l, i));
	load_queue_order(l);
	text = answer(l);
	pthread_cond_broadcast(&l->work);
	pthread_mutex_unlock(&l->lock);
	load_queue_ring(l);
	if (text)
		tell(l, text);
	free(text);
	if (!w.bad)
		return XL_LOAD_OK;
	load_say(l, XL_LOAD_CONTROL, true, l->control_path, "line %u is not understood, and left out", w.bad);
	return XL_LOAD_USAGE;
}

/* ---- the file */
struct seen { bool there; ino_t ino; off_t size; struct timespec time; };

static void look(struct xl_loader *l, struct seen *seen)
{
	struct stat st;
	struct seen now = { 0 };
	char *text;
	FILE *f;
	size_t n = 0;

	if (!stat(l->control_path, &st) && S_ISREG(st.st_mode) && st.st_size < MOST)
		now = (struct seen){ true, st.st_ino, st.st_size, st.st_mtim };
	if (now.there == seen->there && now.ino == seen->ino && now.size == seen->size &&
	    now.time.tv_sec == seen->time.tv_sec && now.time.tv_nsec == seen->time.tv_nsec)
		return;
	*seen = now;
	text = calloc(1, MOST + 1);
	f = now.there && text ? fopen(l->control_path, "re") : NULL;
	if (f) {
		n = fread(text, 1, MOST, f);
		fclose(f);
	}
	if (text && strlen(text) == n)
		(void)xl_load_control(l, text);
	else
		load_say(l, XL_LOAD_CONTROL, true, l->control_path, "is no text");
	free(text);
}

static void *controller(void *user)
{
	struct xl_loader *l = user;
	struct seen seen = { 0 };
	bool quit = false;

	while (!quit) {
		struct timespec until = load_control_after(POLL_MS);

		look(l, &seen);
		pthread_mutex_lock(&l->lock);
		while (!l->quit && pthread_cond_timedwait(&l->poll, &l->lock, &until) != ETIMEDOUT)
			;
		quit = l->quit;
		pthread_mutex_unlock(&l->lock);
	}
	return NULL;
}

int load_control_start(struct xl_loader *l)
{
	if (!l->control_path)
		return 0;
	l->has_controller = !pthread_create(&l->controller, NULL, controller, l);
	return l->has_controller ? 0 : -1;
}

void load_control_stop(struct xl_loader *l)
{
	pthread_mutex_lock(&l->lock);
	l->quit = true;
	pthread_cond_broadcast(&l->poll);
	pthread_mutex_unlock(&l->lock);
	if (l->has_controller)
		pthread_join(l->controller, NULL);
}
