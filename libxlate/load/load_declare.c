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
			struct load_state *state, const char *recorded, VkPipelineLayout layout)
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
	e->recorded = recorded;
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
	return own ? declare(l, own, false, &program, 1, NULL, NULL, layout) : XL_LOAD_NONE;
}

static uint32_t graphics(struct xl_loader *l, const char *name, const uint32_t *program, uint32_t n,
			 const VkGraphicsPipelineCreateInfo *info, const char *recorded)
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
		return declare(l, own, true, program, n, state, recorded, info ? info->layout : VK_NULL_HANDLE);
	load_state_free(state);
	return XL_LOAD_NONE;
}

uint32_t xl_load_graphics(struct xl_loader *l, const char *name, const uint32_t *program, uint32_t n,
			  const VkGraphicsPipelineCreateInfo *info)
{
	return graphics(l, name, program, n, info, NULL);
}

/* ---- pipelines of the package */
static uint32_t declare_recorded(struct xl_loader *l, uint32_t i, const VkGraphicsPipelineCreateInfo *info)
{
	struct xl_package_pipeline p;
	uint32_t id = XL_LOAD_NONE;
	char *name;

	xl_package_pipeline(l->package, i, &p);
	name = strndup(p.name, p.name_length);
	if (!name)
		return XL_LOAD_NONE;
	if (p.compute && info)
		refuse(l, name, "a compute pipeline has no such state");
	else if (p.compute)
		id = xl_load_compute(l, name, p.program[0], VK_NULL_HANDLE);
	else if (p.nprogram > LOAD_STAGES)
		refuse(l, name, "more programs than there are stages");
	else
		id = graphics(l, name, p.program, p.nprogram, info, info || !*p.state ? NULL : p.state);
	free(name);
	return id;
}

uint32_t xl_load_named(struct xl_loader *l, const char *name, const VkGraphicsPipelineCreateInfo *info)
{
	uint32_t i = xl_package_find_pipeline(l->package, name);

	return i == XL_NO_PROGRAM ? refuse(l, name, "the package has no such pipeline") : declare_recorded(l, i, info);
}

uint32_t xl_load_all(struct xl_loader *l, uint32_t *count)
{
	uint32_t first = XL_LOAD_NONE;

	*count = 0;
	for (uint32_t i = 0; i < xl_package_pipelines(l->package); i++) {
		uint32_t id = declare_recorded(l, i, NULL);

		*count += id != XL_LOAD_NONE;
		first = first < id ? first : id;
	}
	return first;
}
