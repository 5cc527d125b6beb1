/* load_declare.c - programs found, pipelines declared. */
#define _GNU_SOURCE
#include "load_int.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t xl_load_programs(const struct xl_loader *l)
{
	return l->nprogram;
}

int xl_load_program(const struct xl_loader *l, uint32_t i, struct xl_load_program *out)
{
	if (i >= l->nprogram)
		return 0;
	out->name = l->program[i].name;
	out->stage = l->program[i].stage;
	out->key = l->program[i].key;
	out->refused = l->program[i].refused;
	return 1;
}

/* First position in `order` whose text is not below `text`. */
static uint32_t lower(const struct xl_loader *l, const uint32_t *order, bool key, const char *text)
{
	uint32_t lo = 0, hi = l->nprogram;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct load_program *p = &l->program[order[mid]];

		if (strcmp(key ? p->key : p->name, text) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t xl_load_find(const struct xl_loader *l, const char *name)
{
	uint32_t i = lower(l, l->by_name, false, name);

	return i < l->nprogram && !strcmp(l->program[l->by_name[i]].name, name) ? l->by_name[i] : XL_LOAD_NONE;
}

uint32_t xl_load_find_key(const struct xl_loader *l, const char *key, uint32_t n)
{
	uint64_t i = (uint64_t)lower(l, l->by_key, true, key) + n;

	return i < l->nprogram && !strcmp(l->program[l->by_key[i]].key, key) ? l->by_key[i] : XL_LOAD_NONE;
}

/* ---- pipelines */
/* Takes name and state over; frees them when there is no room. */
static uint32_t declare(struct xl_loader *l, char *name, bool graphics, const uint32_t *program, uint32_t n,
			struct load_state *state, VkPipelineLayout layout)
{
	struct load_entry *chunk, *e;
	uint32_t id;

	pthread_mutex_lock(&l->lock);
	id = atomic_load(&l->nentry);
	chunk = id / LOAD_CHUNK < LOAD_CHUNKS ? atomic_load(&l->chunk[id / LOAD_CHUNK]) : NULL;
	if (!chunk && id / LOAD_CHUNK < LOAD_CHUNKS) {
		chunk = calloc(LOAD_CHUNK, sizeof(*chunk));
		atomic_store(&l->chunk[id / LOAD_CHUNK], chunk);
	}
	if (!chunk || load_queue_reserve(l, id + 1)) {
		pthread_mutex_unlock(&l->lock);
		load_say(l, XL_LOAD_MEMORY, true, name, "no memory for a pipeline");
		load_state_free(state);
		free(name);
		return XL_LOAD_NONE;
	}
	e = &chunk[id % LOAD_CHUNK];
	e->id = id;
	e->name = name;
	e->graphics = graphics;
	e->nprogram = n;
	memcpy(e->program, program, n * sizeof(*program));
	e->declared = state;
	e->own_layout = layout;
	load_control_apply(l, e);
	l->count.declared++;
	/* Whoever sees the number sees the entry. */
	atomic_store(&l->nentry, id + 1);
	pthread_mutex_unlock(&l->lock);
	return id;
}

static uint32_t refuse(struct xl_loader *l, const char *name, const char *why)
{
	load_say(l, XL_LOAD_PIPELINE, true, name, "%s", why);
	return XL_LOAD_NONE;
}

uint32_t xl_load_compute(struct xl_loader *l, const char *name, uint32_t program, VkPipelineLayout layout)
{
	char *own;

	if (program >= l->nprogram || strcmp(l->program[program].stage, "comp"))
		return refuse(l, name, "not a compute program");
	own = strdup(name);
	return own ? declare(l, own, false, &program, 1, NULL, layout) : XL_LOAD_NONE;
}

uint32_t xl_load_graphics(struct xl_loader *l, const char *name, const uint32_t *program, uint32_t n,
			  const VkGraphicsPipelineCreateInfo *info)
{
	struct load_state *state = NULL;
	char why[128], *own;

	if (!n || n > LOAD_STAGES)
		return refuse(l, name, "no programs, or more than there are stages");
	for (uint32_t i = 0; i < n; i++) {
		if (program[i] >= l->nprogram || !strcmp(l->program[program[i]].stage, "comp"))
			return refuse(l, name, "not a program of a graphics stage");
		for (uint32_t k = 0; k < i; k++) {
			if (!strcmp(l->program[program[i]].stage, l->program[program[k]].stage))
				return refuse(l, name, "two programs of one stage");
		}
	}
	if (info) {
		state = load_state_copy(info, why, sizeof(why));
		if (!state)
			return refuse(l, name, why);
	}
	own = strdup(name);
	if (own)
		return declare(l, own, true, program, n, state, info ? info->layout : VK_NULL_HANDLE);
	load_state_free(state);
	return XL_LOAD_NONE;
}

/* ---- all of a package: programs NAME.STAGE of one NAME */
enum { MOST_SAME = 256 }; /* programs of one name that are looked at in pairs */

static size_t base_length(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? (size_t)(dot - name) : strlen(name);
}

static int base_order(const struct load_program *p, const struct load_program *q)
{
	size_t n = base_length(p->name), m = base_length(q->name);
	int c = memcmp(p->name, q->name, n < m ? n : m);

	return c ? c : n < m ? -1 : n > m;
}

/* Of one guest: names are unique within a cache by custom only, and a cache may hold what several guests made of one source. */
static int guest_order(const struct load_program *p, const struct load_program *q)
{
	int c = strcmp(p->cpu, q->cpu);

	return c ? c : p->wave < q->wave ? -1 : p->wave > q->wave;
}

static int by_base(const void *a, const void *b, void *user)
{
	const struct xl_loader *l = user;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct load_program *p = &l->program[x], *q = &l->program[y];
	int c = base_order(p, q);

	if (!c)
		c = guest_order(p, q);
	return c ? c : x < y ? -1 : x > y;
}

struct all { struct xl_loader *l; uint32_t first, count; };
static void declared(struct all *a, uint32_t id)
{
	a->count += id != XL_LOAD_NONE;
	a->first = a->first < id ? a->first : id;
}

static bool ambiguous(const struct xl_loader *l, const uint32_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < i; k++) {
			if (!strcmp(l->program[v[i]].stage, l->program[v[k]].stage))
				return true;
		}
	}
	return false;
}

/* The graphics programs of one name: a pipeline, or one for each guest. What is still two of a stage is refused. */
static void declare_graphics(struct all *a, const char *name, const uint32_t *v, uint32_t n)
{
	uint32_t end;

	if (n > MOST_SAME || !ambiguous(a->l, v, n)) {
		declared(a, xl_load_graphics(a->l, name, v, n, NULL));
		return;
	}
	for (uint32_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && !guest_order(&a->l->program[v[i]], &a->l->program[v[end]]);)
			end++;
		declared(a, xl_load_graphics(a->l, name, v + i, end - i, NULL));
	}
}

/* Compute programs are pipelines by themselves, whatever stands beside them. `v` is put in order. */
static void declare_group(struct all *a, uint32_t *v, uint32_t n)
{
	char *name = strndup(a->l->program[v[0]].name, base_length(a->l->program[v[0]].name));
	uint32_t graphics = 0;

	for (uint32_t i = 0; name && i < n; i++) {
		if (!strcmp(a->l->program[v[i]].stage, "comp"))
			declared(a, xl_load_compute(a->l, name, v[i], VK_NULL_HANDLE));
		else
			v[graphics++] = v[i];
	}
	if (graphics)
		declare_graphics(a, name, v, graphics);
	free(name);
}

uint32_t xl_load_all(struct xl_loader *l, uint32_t *count)
{
	uint32_t *order = malloc(((size_t)l->nprogram + 1) * sizeof(*order)), end;
	struct all a = { l, XL_LOAD_NONE, 0 };

	*count = 0;
	if (!order)
		return XL_LOAD_NONE;
	for (uint32_t i = 0; i < l->nprogram; i++)
		order[i] = i;
	qsort_r(order, l->nprogram, sizeof(*order), by_base, l);
	for (uint32_t i = 0; i < l->nprogram; i = end) {
		for (end = i + 1; end < l->nprogram && !base_order(&l->program[order[i]], &l->program[order[end]]);)
			end++;
		declare_group(&a, order + i, end - i);
	}
	free(order);
	*count = a.count;
	return a.first;
}
