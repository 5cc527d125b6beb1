/* build_threads.c - --no-isolation: threads of this process run the jobs; a crash is everybody's. For debuggers. */
#include "build.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct shared {
	struct work *w;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	uint32_t next;
	unsigned alive;
	int status;
};

static void on_event(void *user, const struct event *e)
{
	struct shared *s = user;
	int rc;

	pthread_mutex_lock(&s->lock);
	rc = work_accept(s->w, e);
	if (rc)
		s->status = XL_INTERNAL;
	if (e->kind == EVENT_END)
		pthread_cond_signal(&s->ended);
	pthread_mutex_unlock(&s->lock);
}

/* The number of the next job that is not done already, or UINT32_MAX. */
static uint32_t take(struct shared *s)
{
	uint32_t i;

	pthread_mutex_lock(&s->lock);
	while (s->next < s->w->njob && s->w->job[s->next].done)
		s->next++;
	i = s->next < s->w->njob && !*s->w->stop && !s->status ? s->next++ : UINT32_MAX;
	pthread_mutex_unlock(&s->lock);
	return i;
}

static void *worker(void *user)
{
	struct shared *s = user;
	struct runner r = { .w = s->w, .context = xl_context_new(s->w->target), .emit = on_event, .user = s };

	for (uint32_t i; r.context && (i = take(s)) != UINT32_MAX;)
		run_job(&r, i, 0);
	pthread_mutex_lock(&s->lock);
	if (!r.context)
		s->status = XL_INTERNAL;
	s->alive--;
	pthread_cond_signal(&s->ended);
	pthread_mutex_unlock(&s->lock);
	xl_context_free(r.context);
	return NULL;
}

static void attend(struct shared *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->alive) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 100000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&s->ended, &s->lock, &until);
		if (s->w->progress)
			s->w->progress(s->w->user);
	}
	pthread_mutex_unlock(&s->lock);
}

int threads_run(struct work *w)
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
	s.alive = started;
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
