/* build_fork.c - worker processes: what one program does to its process costs that program only.
 *
 * The parent is a single thread that never looks at guest bytes. It keeps a few orders in each worker's pipe and takes
 * events from another. A worker works in order, so a dead one leaves no doubt: the culprit is the program that it began last,
 * or the record that it was reading. A program that kills a worker which ran others before gets a second chance in a fresh
 * one: only what it does alone is held against it, and the outcome does not depend on what it was scheduled with.
 */
#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A program that sleeps has so many time limits, by the clock on the wall; one that gets now and then a little of a busy machine's
 * processors is not asleep, and has more. */
enum { DEPTH = 64, READ = 1 << 18, ASLEEP_FACTOR = 8, AWAKE_FACTOR = 64, FORK_TRIES = 50 };

struct proc {
	pid_t pid;                 /* 0: none */
	int to, from;
	struct order queue[DEPTH]; /* in the worker's hands; the first is at work, `first` is kept up to date */
	uint32_t nqueue;
	uint32_t finished;         /* programs and records since it started */
	uint32_t steps, mark;      /* events seen; when it was killed for time */
	bool slow, lied;           /* killed for time; for a message that is none */
	void *begun;               /* entry of the program at work, or NULL */
	size_t begun_size;
	uint8_t *in;               /* bytes that are no whole message yet */
	size_t nin, cap;
	double cpu, awake;         /* when the program at work began: its processor time; seconds since, as far as we ran */
	double asleep;             /* of those, what it used no processor in */
	double seen, window;       /* its processor time when we looked last; seconds since */
};

struct pool {
	struct work *w;
	struct xl_context *context;
	struct proc *proc;
	unsigned nproc;
	uint32_t next;             /* first job that was never handed out */
	struct order *again;       /* jobs that came back */
	uint32_t nagain, again_cap;
	int status;
};

static double seconds(clockid_t c)
{
	struct timespec t;

	return clock_gettime(c, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_of(const struct proc *c)
{
	clockid_t id;

	return clock_getcpuclockid(c->pid, &id) ? 0 : seconds(id);
}

static void begins(struct proc *c)
{
	c->cpu = c->seen = cpu_of(c);
	c->awake = c->asleep = c->window = 0;
}

static void push_again(struct pool *p, struct order o)
{
	if (p->nagain == p->again_cap) {
		uint32_t cap = p->again_cap ? p->again_cap * 2 : 64;
		struct order *grown = realloc(p->again, cap * sizeof(*grown));

		if (!grown) {
			p->status = XL_INTERNAL;
			return;
		}
		p->again = grown;
		p->again_cap = cap;
	}
	p->again[p->nagain++] = o;
}

static bool pop(struct pool *p, struct order *o)
{
	if (p->nagain) {
		*o = p->again[--p->nagain];
		return true;
	}
	while (p->next < p->w->njob && p->w->job[p->next].done)
		p->next++;
	if (p->next == p->w->njob)
		return false;
	*o = (struct order){ p->next++, 0 };
	return true;
}

/* ---- starting and ordering */
static void close_others(const struct pool *p, const struct proc *own)
{
	for (unsigned i = 0; i < p->nproc; i++) {
		if (&p->proc[i] != own && p->proc[i].pid) {
			close(p->proc[i].to);
			close(p->proc[i].from);
		}
	}
}

static bool start(struct pool *p, struct proc *c)
{
	int to[2], from[2];
	pid_t parent = getpid();

	if (pipe2(to, O_CLOEXEC))
		return false;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]), close(to[1]);
		return false;
	}
	fcntl(from[1], F_SETPIPE_SZ, 1 << 20);
	fflush(stdout);
	fflush(stderr);
	c->pid = fork();
	if (!c->pid) {
		close_others(p, c);
		close(to[1]), close(from[0]);
#ifdef __linux__
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* besides the pipe's end, for a translation that does not end */
#endif
		if (getppid() != parent) /* it was gone before that was asked for */
			_exit(1);
		child_run(p->w, p->context, to[0], from[1]);
	}
	close(to[0]), close(from[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(to[1]), close(from[0]);
		return false;
	}
	fcntl(from[0], F_SETFL, O_NONBLOCK);
	c->to = to[1];
	c->from = from[0];
	c->finished = c->steps = c->mark = 0;
	c->slow = c->lied = false;
	c->nqueue = 0;
	c->nin = 0;
	c->cpu = c->seen = 0;
	c->awake = c->asleep = c->window = 0;
	return true;
}

static void order(struct pool *p, struct proc *c, uint32_t most)
{
	uint32_t was = c->nqueue;
	size_t n;

	while (c->nqueue < most && pop(p, &c->queue[c->nqueue]))
		c->nqueue++;
	n = (c->nqueue - was) * sizeof(c->queue[0]);
	if (!was)
		begins(c);
	/* Far less than a pipe holds: it cannot block. A dead reader is noticed where its events end. */
	if (n && write(c->to, &c->queue[was], n) != (ssize_t)n)
		c->lied = errno != EPIPE;
}

static void refill(struct pool *p)
{
	uint32_t left = p->w->njob - p->next + p->nagain, most = left / (4 * p->nproc);

	most = most > DEPTH ? DEPTH : most < 1 ? 1 : most;
	for (unsigned i = 0; i < p->nproc && !p->status; i++) {
		struct proc *c = &p->proc[i];

		if (c->pid && c->nqueue <= most / 2)
			order(p, c, most);
	}
}

/* ---- events */
static void forget_begun(struct proc *c)
{
	free(c->begun);
	c->begun = NULL;
	c->begun_size = 0;
}

/* False: no worker of ours says that. */
static bool event(struct pool *p, struct proc *c, const struct head *h, const uint8_t *bytes)
{
	struct event e = { h->kind, h->job, h->number, h->as, h->cost, bytes, (size_t)h->size };
	bool ends = e.kind == EVENT_DONE || e.kind == EVENT_SAME || e.kind == EVENT_COPY;
	int rc;

	if (h->magic != HEAD_MAGIC || e.kind > EVENT_END || !c->nqueue || e.job != c->queue[0].job ||
	    (e.kind == EVENT_BEGIN && e.number < c->queue[0].first) || (ends && e.number != c->queue[0].first) ||
	    (ends && !c->begun) || (e.kind == EVENT_COPY && !p->w->since) || (e.kind == EVENT_END && e.number > XL_INTERNAL))
		return false;
	if (e.kind == EVENT_BEGIN) {
		forget_begun(c);
		c->begun = malloc(e.size);
		if (!c->begun) {
			p->status = XL_INTERNAL;
			return true;
		}
		memcpy(c->begun, bytes, e.size);
		c->begun_size = e.size;
		c->queue[0].first = e.number;
	}
	rc = work_accept(p->w, &e);
	if (rc == XL_UNREADABLE || rc == XL_USAGE)
		return false;
	if (rc)
		p->status = XL_INTERNAL;
	if (ends) {
		forget_begun(c);
		c->queue[0].first++;
		c->finished++;
	}
	if (e.kind == EVENT_END) {
		memmove(c->queue, c->queue + 1, --c->nqueue * sizeof(c->queue[0]));
		c->finished++;
	}
	c->steps++;
	return true;
}

/* Takes the whole messages out of the buffer. */
static void events(struct pool *p, struct proc *c)
{
	size_t at = 0;
	uint32_t steps = c->steps;

	while (!c->lied && c->nin - at >= sizeof(struct head)) {
		struct head h;

		memcpy(&h, c->in + at, sizeof(h));
		if (h.magic != HEAD_MAGIC || h.size > MOST_BYTES) {
			c->lied = true;
			break;
		}
		if (c->nin - at - sizeof(h) < h.size)
			break;
		if (!event(p, c, &h, c->in + at + sizeof(h)))
			c->lied = true;
		at += sizeof(h) + (size_t)h.size;
	}
	c->nin -= at;
	memmove(c->in, c->in + at, c->nin);
	if (c->steps != steps)
		begins(c);
}

/* Reads what is there; false: nothing will follow. */
static bool drain(struct pool *p, struct proc *c)
{
	for (;;) {
		ssize_t n;

		if (c->cap - c->nin < READ) {
			size_t cap = c->cap ? c->cap * 2 : 2 * READ;
			uint8_t *grown = realloc(c->in, cap);

			if (!grown) {
				p->status = XL_INTERNAL;
				return false;
			}
			c->in = grown;
			c->cap = cap;
		}
		n = read(c->from, c->in + c->nin, READ);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n <= 0)
			return false;
		c->nin += (size_t)n;
		events(p, c);
	}
}

/* ---- deaths */
struct death { const char *code; char text[160]; };

static struct death reason_of(const struct work *w, const struct proc *c, int status)
{
	struct death r = { .code = "crash" };

	if (c->slow) {
		r.code = "time-limit";
		snprintf(r.text, sizeof(r.text), "no end after %g s", w->time_limit);
	} else if (c->lied) {
		snprintf(r.text, sizeof(r.text), "its worker process sent what is no message");
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_MEMORY) {
		r.code = "memory-limit";
		snprintf(r.text, sizeof(r.text), "more than %lu MiB", w->memory_limit);
	} else if (WIFSIGNALED(status)) {
		snprintf(r.text, sizeof(r.text), "its worker process died of signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	} else {
		snprintf(r.text, sizeof(r.text), "its worker process ended with status %d", WEXITSTATUS(status));
	}
	return r;
}

/* The program that was begun fails; where none was, the record does. */
static void blame(struct pool *p, struct proc *c, const struct death *why)
{
	struct job *j = &p->w->job[c->queue[0].job];
	struct event end = { .kind = EVENT_END, .job = c->queue[0].job, .number = XL_INTERNAL };
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	if (c->begun) {
		if (work_accept_failed(p->w, c->queue[0].job, c->begun, c->begun_size, why->code, why->text))
			p->status = XL_INTERNAL;
		forget_begun(c);
		c->queue[0].first++;
		return;
	}
	f = open_memstream(&line, &size);
	if (f) {
		struct xl_diag d = { .code = why->code, .severity = "error", .addr = XL_NO_ADDR, .text = why->text,
			.program = j->in->cache ? xl_cache_record_name(j->in->cache, j->record) : NULL };
		struct event log = { .kind = EVENT_LOG, .job = end.job };

		say_diag(f, &d, j->in->path);
		fclose(f);
		log.bytes = line;
		log.size = size;
		work_accept(p->w, &log);
		free(line);
	}
	work_accept(p->w, &end);
	memmove(c->queue, c->queue + 1, --c->nqueue * sizeof(c->queue[0]));
}

static void restart(struct pool *p, struct proc *c, const struct order *alone)
{
	for (unsigned i = 0; !start(p, c); i++) {
		if (i == FORK_TRIES || *p->w->stop) {
			p->status = XL_INTERNAL;
			return;
		}
		nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	}
	if (alone) {
		push_again(p, *alone);
		order(p, c, 1);
	}
}

static void reap(struct proc *c, int *status)
{
	close(c->to); /* an idle one ends by that */
	while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
		;
	close(c->from);
	c->pid = 0;
}

static void died(struct pool *p, struct proc *c)
{
	struct order alone, *second = NULL;
	struct death why;
	int status = 0;

	if (c->lied)
		kill(c->pid, SIGKILL);
	reap(c, &status);
	if (c->nqueue && (c->lied || !c->slow || c->steps == c->mark)) {
		why = reason_of(p->w, c, status);
		if (c->finished && !c->slow) { /* not fresh */
			alone = c->queue[0];
			second = &alone;
			memmove(c->queue, c->queue + 1, --c->nqueue * sizeof(c->queue[0]));
		} else {
			blame(p, c, &why);
		}
	}
	forget_begun(c);
	while (c->nqueue)
		push_again(p, c->queue[--c->nqueue]);
	if (p->w->ndone < p->w->njob && !*p->w->stop && !p->status)
		restart(p, c, second);
}

/* ---- time. A parent that was stopped, or did not get to run, does not hold that against the workers. */
static bool late(struct proc *c, double passed, double limit)
{
	double cpu;

	c->awake += passed;
	c->window += passed;
	if (c->awake < limit)
		return false;
	cpu = cpu_of(c);
	if (c->window >= 0.5) { /* long enough that one who wants to run did, if only for a moment */
		c->asleep += cpu - c->seen < c->window / 100 ? c->window : 0;
		c->seen = cpu;
		c->window = 0;
	}
	return cpu - c->cpu >= limit || c->asleep >= ASLEEP_FACTOR * limit || c->awake >= AWAKE_FACTOR * limit;
}

static void watch(struct pool *p, double passed)
{
	double limit = p->w->time_limit;

	for (unsigned i = 0; i < p->nproc && limit > 0; i++) {
		struct proc *c = &p->proc[i];

		if (!c->pid || !c->nqueue || c->slow)
			continue;
		if (!late(c, passed < 1 ? passed : 1, limit))
			continue;
		c->slow = true;
		c->mark = c->steps;
		kill(c->pid, SIGKILL);
	}
}

static void round_of(struct pool *p, struct pollfd *fds, double *last)
{
	unsigned n = 0;
	double t;

	for (unsigned i = 0; i < p->nproc; i++) {
		fds[i] = (struct pollfd){ .fd = p->proc[i].pid ? p->proc[i].from : -1, .events = POLLIN };
		n += p->proc[i].pid != 0;
	}
	if (!n) {
		p->status = XL_INTERNAL;
		return;
	}
	poll(fds, p->nproc, 100);
	for (unsigned i = 0; i < p->nproc && !p->status && !*p->w->stop; i++) {
		if (fds[i].revents && (!drain(p, &p->proc[i]) || p->proc[i].lied) && !p->status)
			died(p, &p->proc[i]);
	}
	refill(p);
	t = seconds(CLOCK_MONOTONIC);
	watch(p, t - *last);
	*last = t;
	if (p->w->progress)
		p->w->progress(p->w->user);
	/* Messages may gather meanwhile: being woken for each costs more than reading it. The workers' orders last longer. */
	if (p->next < p->w->njob)
		nanosleep(&(struct timespec){ 0, 3000000 }, NULL);
}

static void end(struct pool *p)
{
	bool kill_them = p->status || *p->w->stop;
	int status;

	for (unsigned i = 0; i < p->nproc; i++) {
		struct proc *c = &p->proc[i];

		if (c->pid && kill_them)
			kill(c->pid, SIGKILL);
		if (c->pid)
			reap(c, &status);
		forget_begun(c);
		free(c->in);
	}
	xl_context_free(p->context);
	free(p->proc);
	free(p->again);
}

int fork_run(struct work *w)
{
	struct pool p = { .w = w, .context = xl_context_new(w->target) };
	uint32_t left = w->njob - w->ndone;
	struct pollfd *fds;
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	double last = seconds(CLOCK_MONOTONIC);

	p.nproc = w->threads < left ? w->threads : left;
	p.proc = calloc(p.nproc, sizeof(*p.proc));
	fds = calloc(p.nproc, sizeof(*fds));
	if (!p.context || !p.proc || !fds)
		p.status = XL_INTERNAL;
	sigaction(SIGPIPE, &ignore, &was); /* a worker may die with orders unread */
	for (unsigned i = 0; i < p.nproc && !p.status; i++)
		restart(&p, &p.proc[i], NULL);
	refill(&p);
	while (!p.status && !*w->stop && w->ndone < w->njob)
		round_of(&p, fds, &last);
	if (p.status && !p.proc)
		p.nproc = 0;
	end(&p);
	sigaction(SIGPIPE, &was, NULL);
	free(fds);
	return p.status;
}
