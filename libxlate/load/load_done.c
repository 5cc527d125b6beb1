/* load_done.c - what became of a pipeline: published for xl_load_get, counted, told. */
#include "load_int.h"

#include <stdio.h>
#include <stdlib.h>

/* With the lock. */
static void slowest(struct xl_loader *l, const struct load_entry *e, uint64_t ns)
{
	struct xl_load_progress *c = &l->count;
	int i = 0;

	/* An earlier stage of the same one gives its place. */
	while (i < XL_LOAD_SLOW - 1 && c->slow[i] != e->id)
		i++;
	if (ns <= c->slow_ns[i])
		return;
	for (; i && c->slow_ns[i - 1] < ns; i--) {
		c->slow[i] = c->slow[i - 1];
		c->slow_ns[i] = c->slow_ns[i - 1];
	}
	c->slow[i] = e->id;
	c->slow_ns[i] = ns;
}

/* With the lock, which is given up. Callbacks come one at a time, never with the lock held, and before xl_load_wait returns. */
static void tell(struct xl_loader *l, struct load_entry *e, uint64_t bytes, enum xl_load_code code, bool error)
{
	struct xl_load_progress now;
	const char *why = e->reason;

	l->count.bytes -= bytes;
	l->count.last = e->id;
	now = l->count;
	now.paused = l->pause;
	now.stopped = l->stop;
	pthread_mutex_unlock(&l->lock);
	if (code)
		load_say(l, code, error, e->name, "%s", why);
	if (l->info.progress) {
		pthread_mutex_lock(&l->say_lock);
		l->info.progress(l->info.user, &now);
		pthread_mutex_unlock(&l->say_lock);
	}
	pthread_mutex_lock(&l->lock);
	l->nbusy--;
	if (load_queue_idle(l))
		pthread_cond_broadcast(&l->idle);
	pthread_mutex_unlock(&l->lock);
}

void load_done_made(struct xl_loader *l, struct load_job *j, const struct load_made *made)
{
	struct load_entry *e = j->e;
	VkPipeline old;

	pthread_mutex_lock(&l->lock);
	old = atomic_load(&e->current);
	if (made->optimised)
		e->optimised_ns = made->ns;
	else
		e->fast_ns = made->ns;
	l->count.driver_ns += made->ns;
	slowest(l, e, made->ns);
	e->hash = j->hash;
	e->hashed = true;
	e->where = WHERE_NOWHERE;
	e->second = !made->optimised;
	l->count.ready += !old;
	l->count.optimised += made->optimised;
	if (old)
		e->replaced = old;
	atomic_store(&e->layout, j->layout);
	atomic_store(&e->current, made->pipeline);
	/* xl_load_get reads the state first: what stands above is then to be seen. */
	atomic_store(&e->state, made->optimised ? ENTRY_DONE : ENTRY_FAST);
	if (e->second)
		load_queue_add(l, e, e->priority);
	tell(l, e, j->bytes, XL_LOAD_NO_CODE, false);
}

void load_done_failed(struct xl_loader *l, struct load_entry *e, struct load_job *j, uint64_t bytes)
{
	enum xl_load_code code = j ? j->code : XL_LOAD_MEMORY;
	const char *why = j ? j->why : "out of memory";
	bool had;

	pthread_mutex_lock(&l->lock);
	had = atomic_load(&e->current) != VK_NULL_HANDLE;
	e->code = code;
	e->reason = load_text(l, why);
	e->where = WHERE_NOWHERE;
	e->second = false;
	if (j) {
		e->hash = j->hash;
		e->hashed = j->hash.v[0] || j->hash.v[1];
		e->read_ns += j->read_ns;
		l->count.read_ns += j->read_ns;
	}
	/* Where the fast one is there, it stays. */
	if (!had) {
		e->quarantined = code == XL_LOAD_QUARANTINE;
		l->count.failed++;
		l->count.quarantined += e->quarantined;
		atomic_store(&e->state, ENTRY_FAILED);
	}
	tell(l, e, bytes, code, !had && code != XL_LOAD_QUARANTINE);
}
