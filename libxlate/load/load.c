/* load.c - the loader's public side: open and close, declare, ask, get. */
#define _GNU_SOURCE
#include "load_int.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

const char *xl_load_version(void)
{
	return XL_VERSION;
}

const char *xl_load_code_name(enum xl_load_code code, const char **meaning)
{
	static const struct { const char *text, *meaning; } codes[] = {
#define CODE(name, text, meaning) { text, meaning },
		XL_LOAD_CODES(CODE)
#undef CODE
	};
	unsigned i = (unsigned)code < XL_LOAD_CODE_COUNT ? (unsigned)code : 0;

	if (meaning)
		*meaning = codes[i].meaning;
	return codes[i].text;
}

uint64_t load_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t load_processor(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct load_hash load_hash_of(const void *v, size_t n)
{
	XXH128_hash_t h = XXH3_128bits(v, n);

	return (struct load_hash){ { h.low64, h.high64 } };
}

void load_say(struct xl_loader *l, enum xl_load_code code, bool error, const char *subject, const char *fmt, ...)
{
	struct xl_load_message m = { code, error, subject, NULL };
	char text[512];
	va_list va;

	if (!l->info.message)
		return;
	va_start(va, fmt);
	vsnprintf(text, sizeof(text), fmt, va);
	va_end(va);
	m.text = text;
	pthread_mutex_lock(&l->say_lock);
	l->info.message(l->info.user, &m);
	pthread_mutex_unlock(&l->say_lock);
}

static void note(void *user, enum xl_load_code code, bool error, const char *subject, const char *text)
{
	load_say(user, code, error, subject, "%s", text);
}

const char *load_text(struct xl_loader *l, const char *s)
{
	size_t n = strlen(s) + 1;
	struct load_text *t = malloc(sizeof(*t) + n);

	if (!t)
		return "";
	memcpy(t->s, s, n);
	t->next = l->texts;
	l->texts = t;
	return t->s;
}

struct load_entry *load_entry_at(const struct xl_loader *l, uint32_t id)
{
	if (id >= atomic_load(&l->nentry))
		return NULL;
	return atomic_load(&l->chunk[id / LOAD_CHUNK]) + id % LOAD_CHUNK;
}

/* ---- open and close */
static char *dup_text(const char *s, bool *bad)
{
	char *p = s ? strdup(s) : NULL;

	*bad |= s && !p;
	return p;
}

static struct xl_loader *fresh(const struct xl_load_info *info)
{
	struct xl_loader *l = calloc(1, sizeof(*l));
	pthread_condattr_t attr;
	bool bad = false;

	if (!l)
		return NULL;
	memcpy(&l->info, info, info->size < sizeof(l->info) ? info->size : sizeof(l->info));
	l->room = malloc(sizeof(*l->room));
	bad |= !l->room;
	l->package_name = dup_text(info->package ? info->package : "memory", &bad);
	l->state_dir = dup_text(info->state_dir, &bad);
	l->control_path = dup_text(info->control, &bad);
	if (!l->info.memory)
		l->info.memory = 64u << 20;
	if (!l->info.array_size)
		l->info.array_size = 1024;
	for (int i = 0; i < XL_LOAD_SLOW; i++)
		l->count.slow[i] = XL_LOAD_NONE;
	l->count.last = XL_LOAD_NONE;
	pthread_mutex_init(&l->lock, NULL);
	pthread_mutex_init(&l->say_lock, NULL);
	pthread_mutex_init(&l->save_lock, NULL);
	pthread_mutex_init(&l->layouts.lock, NULL);
	pthread_mutex_init(&l->libraries.lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&l->work, &attr);
	pthread_cond_init(&l->idle, &attr);
	pthread_cond_init(&l->poll, &attr);
	pthread_condattr_destroy(&attr);
	sem_init(&l->bell, 0, 0);
	if (!bad)
		return l;
	xl_load_close(l);
	return NULL;
}

static enum xl_load_status open_all(struct xl_loader *l, const struct xl_load_info *info)
{
	struct load_note say = { note, l };
	enum xl_load_status status = load_open_package(l);

	if (status)
		return status;
	if (load_open_device(l, info))
		return XL_LOAD_INTERNAL;
	status = load_open_needs(l);
	if (status)
		return status;
	if (load_open_paths(l))
		return XL_LOAD_INTERNAL;
	l->journal = load_journal_open(l->journal_path, &say);
	l->cache = load_cache_open(l);
	if (!l->journal || load_queue_start(l) || load_control_start(l)) {
		load_say(l, XL_LOAD_MEMORY, true, NULL, "no memory or threads for the loader");
		return XL_LOAD_INTERNAL;
	}
	return XL_LOAD_OK;
}

struct xl_loader *xl_load_open(const struct xl_load_info *info, enum xl_load_status *status)
{
	enum xl_load_status s = XL_LOAD_USAGE;
	struct xl_loader *l = NULL;

	if (info->size >= offsetof(struct xl_load_info, user) && (info->package || info->bytes) && info->device) {
		l = fresh(info);
		s = l ? open_all(l, info) : XL_LOAD_INTERNAL;
	}
	/* What was read of the host's during open only. */
	if (l)
		l->info.created = NULL;
	if (status)
		*status = s;
	if (!s)
		return l;
	xl_load_close(l);
	return NULL;
}

static void free_entries(struct xl_loader *l)
{
	for (uint32_t i = 0; i < atomic_load(&l->nentry); i++) {
		struct load_entry *e = load_entry_at(l, i);
		VkPipeline p = atomic_load(&e->current);

		if (p)
			l->vk.vkDestroyPipeline(l->info.device, p, NULL);
		if (e->replaced)
			l->vk.vkDestroyPipeline(l->info.device, e->replaced, NULL);
		load_state_free(e->declared);
		free(e->name);
	}
	for (unsigned i = 0; i < LOAD_CHUNKS; i++)
		free(atomic_load(&l->chunk[i]));
}

void xl_load_close(struct xl_loader *l)
{
	if (!l)
		return;
	load_control_stop(l);
	load_queue_stop(l);
	if (l->count.ready)
		(void)load_cache_save(l);
	free_entries(l);
	load_library_free(l);
	load_layout_free(l);
	load_probe_free(l);
	if (l->cache)
		l->vk.vkDestroyPipelineCache(l->info.device, l->cache, NULL);
	load_journal_close(l->journal);
	load_need_free(&l->facts);
	xl_slot_free(l->slot);
	xl_package_free(l->package);
	if (l->map)
		munmap(l->map, l->nmap);
	for (struct load_text *t = l->texts, *next; t; t = next) {
		next = t->next;
		free(t);
	}
	load_read_forget(l);
	free(l->room);
	free(l->program);
	free(l->by_key);
	free(l->by_name);
	free(l->rule);
	free(l->cache_path);
	free(l->journal_path);
	free(l->package_name);
	free(l->state_dir);
	free(l->control_path);
	sem_destroy(&l->bell);
	pthread_cond_destroy(&l->work);
	pthread_cond_destroy(&l->idle);
	pthread_cond_destroy(&l->poll);
	pthread_mutex_destroy(&l->lock);
	pthread_mutex_destroy(&l->say_lock);
	pthread_mutex_destroy(&l->save_lock);
	pthread_mutex_destroy(&l->layouts.lock);
	pthread_mutex_destroy(&l->libraries.lock);
	free(l);
}

/* ---- asking */
enum xl_load_status xl_load_prefetch(struct xl_loader *l, const uint32_t *id, uint32_t n, int priority)
{
	enum xl_load_status status = XL_LOAD_OK;

	pthread_mutex_lock(&l->lock);
	if (!id)
		n = atomic_load(&l->nentry);
	for (uint32_t i = 0; i < n; i++) {
		struct load_entry *e = load_entry_at(l, id ? id[i] : i);

		if (e)
			load_queue_add(l, e, priority);
		else
			status = XL_LOAD_USAGE;
	}
	pthread_mutex_unlock(&l->lock);
	load_queue_ring(l);
	return status;
}

/* No lock, no allocation, no call that can wait: loads, one exchange, one push, and sem_post, which never blocks. */
enum xl_load_state xl_load_get(struct xl_loader *l, uint32_t id, struct xl_load_pipeline *out)
{
	struct load_entry *e = load_entry_at(l, id), *head;
	const struct load_layout *layout;
	int state;

	if (!e)
		return XL_LOAD_FAILED;
	if (atomic_load(&e->hidden))
		return XL_LOAD_HIDDEN;
	state = atomic_load(&e->state);
	if (state == ENTRY_FAILED)
		return XL_LOAD_FAILED;
	if (state == ENTRY_IDLE) {
		if (!atomic_load(&e->wanted) && !atomic_exchange(&e->wanted, true) && !atomic_exchange(&e->on_stack, true)) {
			head = atomic_load(&l->wanted);
			do
				atomic_store(&e->next_wanted, head);
			while (!atomic_compare_exchange_weak(&l->wanted, &head, e));
			/* Whoever found it empty rings; the reading thread takes all that is there. */
			if (!head)
				load_queue_ring(l);
		}
		return XL_LOAD_PENDING;
	}
	if (!out)
		return XL_LOAD_READY;
	layout = atomic_load(&e->layout);
	out->pipeline = atomic_load(&e->current);
	out->layout = layout ? layout->layout : e->own_layout;
	out->bind_point = e->graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
	out->set = layout ? layout->set : NULL;
	out->nset = layout ? layout->nset : 0;
	out->optimised = state == ENTRY_DONE;
	return XL_LOAD_READY;
}

int xl_load_report(struct xl_loader *l, uint32_t id, struct xl_load_report *out)
{
	struct load_entry *e = load_entry_at(l, id);
	int state;

	if (!e)
		return 0;
	pthread_mutex_lock(&l->lock);
	state = atomic_load(&e->state);
	out->name = e->name;
	out->hidden = atomic_load(&e->hidden);
	out->state = out->hidden ? XL_LOAD_HIDDEN : state == ENTRY_FAILED ? XL_LOAD_FAILED :
		state == ENTRY_IDLE ? XL_LOAD_PENDING : XL_LOAD_READY;
	out->code = e->code;
	out->reason = e->reason;
	out->asked = e->asked;
	out->optimised = state == ENTRY_DONE;
	out->quarantined = e->quarantined;
	out->read_ns = e->read_ns;
	out->fast_ns = e->fast_ns;
	out->optimised_ns = e->optimised_ns;
	pthread_mutex_unlock(&l->lock);
	return 1;
}

void xl_load_progress(struct xl_loader *l, struct xl_load_progress *out)
{
	pthread_mutex_lock(&l->lock);
	*out = l->count;
	out->last = XL_LOAD_NONE;
	out->paused = l->pause;
	out->stopped = l->stop;
	pthread_mutex_unlock(&l->lock);
}

int xl_load_wait(struct xl_loader *l, int ms)
{
	struct timespec until = load_control_after(ms < 0 ? 0 : ms);
	int rc = 0, done;

	load_queue_ring(l);
	pthread_mutex_lock(&l->lock);
	while (!load_queue_idle(l) && !l->stop && rc != ETIMEDOUT)
		rc = ms < 0 ? pthread_cond_wait(&l->idle, &l->lock) : pthread_cond_timedwait(&l->idle, &l->lock, &until);
	done = load_queue_idle(l) || l->stop;
	pthread_mutex_unlock(&l->lock);
	return done;
}

void xl_load_release(struct xl_loader *l, uint32_t id)
{
	struct load_entry *e = load_entry_at(l, id);

	if (!e)
		return;
	pthread_mutex_lock(&l->lock);
	if (atomic_load(&e->state) == ENTRY_FAILED) {
		if (e->hashed)
			load_journal_forget(l->journal, e->hash);
		l->count.failed--;
		l->count.quarantined -= e->quarantined;
		l->count.asked -= e->asked;
		e->quarantined = e->asked = false;
		e->code = XL_LOAD_NO_CODE;
		e->reason = NULL;
		atomic_store(&e->wanted, false);
		atomic_store(&e->state, ENTRY_IDLE);
	}
	pthread_mutex_unlock(&l->lock);
}

void xl_load_trim(struct xl_loader *l)
{
	for (uint32_t i = 0; i < atomic_load(&l->nentry); i++) {
		struct load_entry *e = load_entry_at(l, i);
		VkPipeline old;

		pthread_mutex_lock(&l->lock);
		old = e->replaced;
		e->replaced = VK_NULL_HANDLE;
		pthread_mutex_unlock(&l->lock);
		if (old)
			l->vk.vkDestroyPipeline(l->info.device, old, NULL);
	}
}

enum xl_load_status xl_load_save(struct xl_loader *l)
{
	return load_cache_save(l);
}
