/* load_queue.c - order and threads.
 *
 * One thread reads: it takes the pipeline that is wanted most, unpacks it, and hands it on through a queue that is bounded
 * in bytes and, but for what xl_load_get asked for, in length; the queue has the same order. It sleeps while that is full and
 * wakes when half of it is gone: a thread that is woken for each pipeline finds nothing of what it needs in the processor's
 * caches. The others compile. What xl_load_get asks for arrives on a stack that is pushed without a lock; a semaphore rings the
 * reading thread. */
#define _GNU_SOURCE
#include "load_int.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of the queue, for each that compiles: what is read at once costs less, as nothing of it has to be fetched into the caches anew.
 * Nobody waits longer for it: what is wanted more overtakes in the queue, and as many again may come in for that. */
enum { DEPTH = 64 };

/* ---- the heap: first stages before second ones, then by priority, then by age. What it goes by stands in it: an entry far away
 * would have to be fetched for each comparison. */
static struct load_rank rank(struct load_entry *e)
{
	return (struct load_rank){ (int64_t)e->priority + e->wish + (e->second ? INT64_MIN / 2 : 0), e->order, e };
}

static bool before(struct load_rank a, struct load_rank b)
{
	return a.wanted != b.wanted ? a.wanted > b.wanted : a.order < b.order;
}

static void put(struct xl_loader *l, uint32_t i, struct load_rank r)
{
	l->heap[i] = r;
	r.e->at = i;
}

static void up(struct xl_loader *l, uint32_t i, struct load_rank r)
{
	for (; i && before(r, l->heap[(i - 1) / 2]); i = (i - 1) / 2)
		put(l, i, l->heap[(i - 1) / 2]);
	put(l, i, r);
}

static void down(struct xl_loader *l, uint32_t i)
{
	struct load_rank r = l->heap[i];

	for (;;) {
		uint32_t k = 2 * i + 1;

		if (k >= l->nheap)
			break;
		if (k + 1 < l->nheap && before(l->heap[k + 1], l->heap[k]))
			k++;
		if (!before(l->heap[k], r))
			break;
		put(l, i, l->heap[k]);
		i = k;
	}
	put(l, i, r);
}

static void take_out(struct xl_loader *l, struct load_entry *e)
{
	uint32_t i = e->at;
	struct load_rank last = l->heap[--l->nheap];

	e->where = WHERE_NOWHERE;
	if (last.e == e)
		return;
	up(l, i, last);
	down(l, last.e->at);
}

/* Room for every entry in every list is made when entries are declared: nothing here can fail. */
int load_queue_reserve(struct xl_loader *l, uint32_t n)
{
	uint32_t cap = l->cap_heap ? l->cap_heap : 256;
	struct load_rank *heap;
	struct load_entry **urgent;

	if (n <= l->cap_heap)
		return 0;
	while (cap < n)
		cap *= 2;
	heap = realloc(l->heap, cap * sizeof(*heap));
	if (heap)
		l->heap = heap;
	urgent = realloc(l->urgent, cap * sizeof(*urgent));
	if (urgent)
		l->urgent = urgent;
	if (!heap || !urgent)
		return -1;
	l->cap_heap = cap;
	return 0;
}

void load_queue_add(struct xl_loader *l, struct load_entry *e, int priority)
{
	int state = atomic_load(&e->state);

	if (!e->asked) {
		e->asked = true;
		e->priority = priority;
		l->count.asked++;
	}
	if (priority > e->priority)
		e->priority = priority;
	if (e->where == WHERE_HEAP) {
		up(l, e->at, rank(e));
	} else if (e->where == WHERE_NOWHERE && (state == ENTRY_IDLE || e->second)) {
		e->where = WHERE_HEAP;
		e->order = l->order++;
		up(l, l->nheap++, rank(e));
	}
}

void load_queue_order(struct xl_loader *l)
{
	for (uint32_t i = 0; i < l->nheap; i++)
		l->heap[i] = rank(l->heap[i].e);
	for (uint32_t i = l->nheap / 2; i-- > 0;)
		down(l, i);
}

void load_queue_ring(struct xl_loader *l)
{
	(void)sem_post(&l->bell);
}

bool load_queue_idle(const struct xl_loader *l)
{
	return !l->nheap && !l->nurgent && !l->nbusy && !atomic_load(&l->wanted);
}

/* ---- what xl_load_get asked for */
static void make_urgent(struct xl_loader *l, struct load_entry *e)
{
	struct load_job **at = &l->first, *j;

	if (!e->asked) {
		e->asked = true;
		l->count.asked++;
	}
	if (atomic_load(&e->state) != ENTRY_IDLE)
		return;
	if (e->where == WHERE_HEAP)
		take_out(l, e);
	if (e->where == WHERE_NOWHERE) {
		e->where = WHERE_URGENT;
		l->urgent[l->nurgent++] = e;
		return;
	}
	if (e->where != WHERE_BUSY)
		return;
	/* Read already: to the front of those that wait. */
	while (*at && (*at)->e != e)
		at = &(*at)->next;
	j = *at;
	if (j)
		j->urgent = true;
	if (!j || at == &l->first)
		return;
	*at = j->next;
	if (l->last == j)
		l->last = NULL;
	for (struct load_job *k = l->first; !l->last && k; k = k->next) {
		if (!k->next)
			l->last = k;
	}
	j->next = l->first;
	l->first = j;
}

static void drain(struct xl_loader *l)
{
	struct load_entry *e = atomic_exchange(&l->wanted, NULL), *in_order = NULL, *next;

	for (; e; e = next) { /* the stack has the latest first */
		next = atomic_load(&e->next_wanted);
		atomic_store(&e->next_wanted, in_order);
		in_order = e;
	}
	for (e = in_order; e; e = next) {
		next = atomic_load(&e->next_wanted);
		/* From here on it may be pushed again. */
		atomic_store(&e->on_stack, false);
		make_urgent(l, e);
	}
}

/* ---- the reading thread */
static bool full(const struct xl_loader *l, struct load_entry *e)
{
	uint32_t most = DEPTH * l->nworker;

	return l->njob >= most && (l->njob >= 2 * most || !l->last || !before(rank(e), rank(l->last->e)));
}

static struct load_entry *choose(struct xl_loader *l, uint64_t *need, bool *urgent)
{
	struct load_entry *e;

	drain(l);
	l->full = l->bound = false;
	if (l->quit || l->stop || (!l->nurgent && (!l->nheap || l->pause)))
		return NULL;
	*urgent = l->nurgent;
	e = l->nurgent ? l->urgent[0] : l->heap[0].e;
	*need = load_read_size(l, e);
	/* One that is larger than the bound goes alone. */
	if (l->count.bytes && l->count.bytes + *need > l->info.memory) {
		l->bound = true;
		return NULL;
	}
	if (!l->nurgent && full(l, e)) {
		l->full = true;
		return NULL;
	}
	if (l->nurgent)
		memmove(l->urgent, l->urgent + 1, --l->nurgent * sizeof(*l->urgent));
	else
		take_out(l, e);
	e->where = WHERE_BUSY;
	l->nbusy++;
	l->count.bytes += *need;
	if (l->count.bytes > l->count.peak)
		l->count.peak = l->count.bytes;
	return e;
}

static void hand_on(struct xl_loader *l, struct load_job *j)
{
	if (j->urgent || !l->first || before(rank(j->e), rank(l->last->e))) {
		struct load_job **at = &l->first;

		while (*at && ((*at)->urgent || (!j->urgent && !before(rank(j->e), rank((*at)->e)))))
			at = &(*at)->next;
		j->next = *at;
		*at = j;
		if (!j->next)
			l->last = j;
	} else {
		l->last->next = j;
		l->last = j;
	}
	l->njob++;
	pthread_cond_signal(&l->work);
}

static void past(struct xl_loader *l, struct load_job *j)
{
	int result = 0;

	switch (load_journal_past(l->journal, j->hash, &result)) {
	case LOAD_PAST_CRASHED:
		j->code = XL_LOAD_QUARANTINE;
		strcpy(j->why, "its compilation took the process down in an earlier run");
		break;
	case LOAD_PAST_REFUSED:
		j->code = XL_LOAD_DRIVER;
		snprintf(j->why, sizeof(j->why), "the driver refused it in an earlier run: VkResult %d", result);
		break;
	default:
		break;
	}
}

static bool read_next(struct xl_loader *l)
{
	struct load_entry *e;
	struct load_job *j;
	uint64_t need = 0, start = load_now();
	bool urgent = false;

	pthread_mutex_lock(&l->lock);
	e = choose(l, &need, &urgent);
	pthread_mutex_unlock(&l->lock);
	if (!e)
		return false;
	j = load_read(l, e);
	if (!j) {
		load_done_failed(l, e, NULL, need);
		return true;
	}
	j->bytes = need;
	j->urgent = urgent;
	j->read_ns = load_now() - start;
	if (!j->code)
		past(l, j);
	if (j->code) {
		load_done_failed(l, e, j, need);
		load_read_free(j);
		return true;
	}
	pthread_mutex_lock(&l->lock);
	e->read_ns += j->read_ns;
	l->count.read_ns += j->read_ns;
	hand_on(l, j);
	pthread_mutex_unlock(&l->lock);
	return true;
}

/* Processor time of this thread that was its own, from *cpu on; with the lock. */
static void spent(struct xl_loader *l, uint64_t *cpu)
{
	uint64_t now = load_processor();

	l->count.own_cpu_ns += now - *cpu;
	*cpu = now;
}

static void *reader(void *user)
{
	struct xl_loader *l = user;
	uint64_t cpu = load_processor();
	bool quit = false;

	while (!quit) {
		while (sem_wait(&l->bell) && errno == EINTR)
			;
		while (read_next(l))
			;
		pthread_mutex_lock(&l->lock);
		quit = l->quit;
		spent(l, &cpu);
		if (load_queue_idle(l) || l->stop)
			pthread_cond_broadcast(&l->idle);
		pthread_mutex_unlock(&l->lock);
	}
	return NULL;
}

/* ---- the others */
/* Compilations that nobody waits for are of idle priority, by thread; where that is refused a thread stays as it is. */
static void background(const struct xl_loader *l, bool on, bool *is)
{
	struct sched_param none = { 0 };

	if (on == *is || l->info.flags & XL_LOAD_NORMAL_PRIORITY)
		return;
	if (!pthread_setschedparam(pthread_self(), on ? SCHED_IDLE : SCHED_OTHER, &none))
		*is = on;
}

static void *worker(void *user)
{
	struct xl_loader *l = user;
	uint64_t cpu = load_processor();
	bool idle = false, fine;

	pthread_mutex_lock(&l->lock);
	for (;;) {
		struct load_made made = { 0 };
		struct load_job *j;
		bool room;

		while (!l->quit && (!l->first || l->stop))
			pthread_cond_wait(&l->work, &l->lock);
		if (l->quit)
			break;
		j = l->first;
		l->first = j->next;
		if (!l->first)
			l->last = NULL;
		l->njob--;
		room = l->full && l->njob <= DEPTH / 2 * l->nworker;
		j->fast = !j->e->second && !(l->info.flags & XL_LOAD_ONE_STAGE) &&
			(l->info.flags & XL_LOAD_TWO_STAGES || atomic_load(&j->e->wanted));
		pthread_mutex_unlock(&l->lock);
		if (room)
			load_queue_ring(l);
		background(l, !j->urgent, &idle);
		fine = load_make(l, j, &made);
		pthread_mutex_lock(&l->lock);
		/* Before it is done: whoever waits for the last one may ask then. What is done behind it counts with the next one. */
		l->count.own_cpu_ns += made.cpu[0] - cpu;
		l->count.driver_cpu_ns += made.cpu[1] - made.cpu[0];
		cpu = made.cpu[1];
		pthread_mutex_unlock(&l->lock);
		if (fine)
			load_done_made(l, j, &made);
		else
			load_done_failed(l, j->e, j, j->bytes);
		load_read_free(j);
		pthread_mutex_lock(&l->lock);
		room = l->bound; /* that the queue is shorter it was told above */
		pthread_mutex_unlock(&l->lock);
		if (room || (fine && !made.optimised)) /* there is memory, or a second stage to be read */
			load_queue_ring(l);
		pthread_mutex_lock(&l->lock);
	}
	spent(l, &cpu);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

static uint32_t processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 2 : CPU_COUNT(&set);

	return n > 2 ? (uint32_t)n - 1 : 1;
}

int load_queue_start(struct xl_loader *l)
{
	uint32_t n = l->info.threads ? l->info.threads : processors();

	if (n > 256)
		n = 256;
	l->worker = calloc(n, sizeof(*l->worker));
	if (!l->worker)
		return -1;
	l->nworker = n; /* fixed before the reader looks at it */
	if (pthread_create(&l->reader, NULL, reader, l)) {
		l->nworker = 0;
		return -1;
	}
	l->has_reader = true;
	for (l->started = 0; l->started < n; l->started++) {
		if (pthread_create(&l->worker[l->started], NULL, worker, l))
			break;
	}
	return l->started ? 0 : -1;
}

void load_queue_stop(struct xl_loader *l)
{
	pthread_mutex_lock(&l->lock);
	l->quit = true;
	pthread_cond_broadcast(&l->work);
	pthread_cond_broadcast(&l->idle);
	pthread_mutex_unlock(&l->lock);
	load_queue_ring(l);
	if (l->has_reader)
		pthread_join(l->reader, NULL);
	for (uint32_t i = 0; i < l->started; i++)
		pthread_join(l->worker[i], NULL);
	for (struct load_job *j = l->first, *next; j; j = next) {
		next = j->next;
		load_read_free(j);
	}
	free(l->worker);
	free(l->heap);
	free(l->urgent);
}
