/* build_child.c - a worker process: takes orders from a pipe, sends events through another, dies of what it must.
 *
 * Whatever kills it is read from its exit by the parent; it only has to tell an allocation that the limit refused from
 * other crashes, which a signal's number does not.
 */
#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

struct child { struct runner run; int to; uint32_t done; };

enum { OWN_LIMIT = 1024 }; /* MiB that a translation may take by itself */
static size_t probe_size; /* read by the signal handler: set once, before it is installed */

static void put(int fd, const void *v, size_t n)
{
	const char *p = v;

	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			_exit(1); /* the parent is gone */
		p += k;
		n -= (size_t)k;
	}
}

static bool get(int fd, void *v, size_t n)
{
	char *p = v;

	while (n) {
		ssize_t k = read(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

/* ---- XL_PLANT: a test's build of this file misbehaves on programs of certain names. Nothing of it is in xlate. */
#ifdef XL_PLANT
#include <time.h>

static const char *planted_name(const struct child *c, uint32_t job)
{
	const struct job *j = &c->run.w->job[job];

	return j->in->record ? xl_record_name(j->in->record) : xl_cache_record_name(j->in->cache, j->record);
}

void *operator_new(size_t) __asm__("_Znwm");
void operator_delete(void *) __asm__("_ZdlPv");

/* C++ objects of all sizes: each is its own, whatever was dropped before; then more than there is. */
static void objects(void)
{
	enum { N = 3000 };
	static unsigned char *v[N];

	for (unsigned i = 0; i < 3 * N; i++) { /* the second time some are dropped */
		unsigned k = i * 7 % N, n = k % 1500;

		for (unsigned j = 0; v[k] && j < n; j++)
			if (v[k][j] != (k & 255))
				_exit(3);
		if (v[k])
			operator_delete(v[k]);
		v[k] = i / N == 1 && k % 3 ? NULL : memset(operator_new(n), (int)(k & 255), n);
	}
	for (;;)
		memset(operator_new(800), 1, 800);
}

static void plant(const struct child *c, const struct event *e)
{
	static const struct cost none;
	const char *name = planted_name(c, e->job);

	if (e->kind != EVENT_BEGIN || strncmp(name, "plant-", 6))
		return;
	name += 6;
	if (!strncmp(name, "segv", 4))
		raise(SIGSEGV);
	if (!strncmp(name, "abort", 5))
		abort();
	if (!strncmp(name, "exit", 4))
		_exit(0);
	if (!strncmp(name, "second", 6) && c->done) /* only where something ran before */
		abort();
	if (!strncmp(name, "twist", 5)) /* another result under the same stamp */
		((struct translate *)(uintptr_t)c->run.w->translate)->options.debug = 1;
	for (volatile unsigned n = 0; !strncmp(name, "hang", 4); n++)
		;
	while (!strncmp(name, "sleep", 5))
		nanosleep(&(struct timespec){ 1, 0 }, NULL);
	while (!strncmp(name, "memory", 6))
		memset(malloc(1 << 20), 1, 1 << 20);
	if (!strncmp(name, "objects", 7))
		objects();
	/* Who sent what is no message waits for the end: going on, it might claim a content that good programs share. */
	if (!strncmp(name, "garbage", 7)) {
		put(c->to, "no message of ours, but long enough to be one, and then some more of it, and more, and more", 90);
		pause();
	}
	if (!strncmp(name, "cut", 3)) {
		struct head h = { HEAD_MAGIC, EVENT_DONE, e->job, e->number, 0, 0, 1000, none };

		put(c->to, &h, sizeof(h));
		_exit(0);
	}
	if (!strncmp(name, "lie", 3)) { /* a whole message, but its entry is none */
		struct head h = { HEAD_MAGIC, EVENT_DONE, e->job, e->number, 0, 0, 16, none };

		put(c->to, &h, sizeof(h));
		put(c->to, "0123456789abcdef", 16);
		pause();
	}
}
#endif

/* ---- limits */
static bool no_room(void)
{
	/* Where a good part of the limit cannot be had any more, the limit is what went wrong. */
	void *p = mmap(NULL, probe_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return true;
	munmap(p, probe_size);
	return false;
}

#ifndef __SANITIZE_ADDRESS__
static void on_fatal(int sig)
{
	if (no_room())
		_exit(EXIT_MEMORY);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* What the process has mapped by now. */
static size_t mapped(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f) {
		if (fscanf(f, "%lu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}
#endif

static void limit_memory(unsigned long mib)
{
#ifdef __SANITIZE_ADDRESS__
	(void)mib; /* its shadow is larger than any limit */
#else
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
	size_t size = mib << 20, base = mapped();
	struct rlimit r = { base + size, base + size };
	struct sigaction act = { .sa_handler = on_fatal, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND };
	stack_t stack = { .ss_size = 65536, .ss_sp = malloc(65536) };

	if (!mib || !stack.ss_sp)
		return;
	probe_size = size / 4;
	sigaltstack(&stack, NULL); /* a stack that ran over is no place for a handler */
	for (unsigned i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &act, NULL);
	setrlimit(RLIMIT_AS, &r);
#endif
}

static void on_event(void *user, const struct event *e)
{
	struct child *c = user;
	struct head h = { HEAD_MAGIC, e->kind, e->job, e->number, e->as, 0, e->size, e->cost };

	if ((e->kind == EVENT_DONE || e->kind == EVENT_BEGIN) && !e->size)
		_exit(EXIT_MEMORY); /* not even the answer could be had */
	/* Alone in a process the translator's own limits come first, where they are less: what they say does not depend on what ran
	 * before. */
	if (e->kind == EVENT_DONE && c->run.no_memory && probe_size &&
	    (c->done || c->run.w->memory_limit < OWN_LIMIT || no_room()))
		_exit(EXIT_MEMORY);
	put(c->to, &h, sizeof(h));
	put(c->to, e->bytes, e->size);
#ifdef XL_PLANT
	plant(c, e);
#endif
	c->done += e->kind == EVENT_DONE;
}

void child_run(const struct work *w, struct xl_context *context, int from, int to)
{
	struct child c = { .run = { .w = w, .context = context, .emit = on_event, .user = &c }, .to = to };
	struct rlimit none = { 0, 0 };
	struct order o;

	signal(SIGINT, SIG_IGN); /* the parent decides */
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_CORE, &none);
	limit_memory(w->memory_limit);
	pool_start(w->memory_limit ? w->memory_limit << 17 : SIZE_MAX); /* an eighth: what is reserved counts */
	while (get(from, &o, sizeof(o)) && o.job < w->njob) {
#ifdef XL_PLANT
		if (!strncmp(planted_name(&c, o.job), "plant-read", 10)) /* before the record is known */
			abort();
#endif
		run_job(&c.run, o.job, o.first);
	}
	_exit(0);
}
