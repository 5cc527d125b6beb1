/* load_read.c - the first stage: what a pipeline is made of, unpacked and checked, ready for the driver. */
#include "load_int.h"

#include <stdlib.h>

#define bad(j, c, ...) load_fail(&(j)->code, c, (j)->why, sizeof((j)->why), __VA_ARGS__)

static void on_diag(void *user, const struct xl_diag *d)
{
	struct load_job *j = user;

	bad(j, XL_LOAD_BAD_PACKAGE, "%s", d->text);
}

uint64_t load_read_size(const struct xl_loader *l, const struct load_entry *e)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < e->nprogram; i++) {
		const struct load_program *p = &l->program[e->program[i]];

		n += ((uint64_t)p->words + p->generated) * 4 + sizeof(struct load_iface) * (p->generated ? 2 : 1);
	}
	return n;
}

/* ---- reflections */
static void drop(struct load_kept *k)
{
	if (k && atomic_fetch_sub(&k->users, 1) == 1)
		free(k);
}

void load_read_forget(struct xl_loader *l)
{
	for (uint32_t i = 0; i < LOAD_KEPT; i++) {
		drop(l->kept[i]);
		l->kept[i] = NULL;
	}
}

void load_read_free(struct load_job *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < LOAD_STAGES; i++)
		drop(j->kept[i]);
	load_state_free(j->probe);
	free(j);
}

/* What a reflection's text says, for one user. NULL with a code. */
static struct load_kept *parse(struct xl_loader *l, struct load_job *j, const char *text, const char *name)
{
	struct load_kept *k = NULL;

	if (!load_json_read(l->room, text))
		bad(j, XL_LOAD_BAD_PACKAGE, "the reflection of %.80s cannot be read", name);
	else if (!(k = load_json_keep(&l->room->iface)))
		bad(j, XL_LOAD_MEMORY, "no memory for %.80s", name);
	return k;
}

/* The reflection of the program's generated stage: there are few. */
static struct load_kept *interface_generated(struct xl_loader *l, struct load_job *j, uint32_t program, const struct xl_log *log)
{
	const char *text = xl_package_generated_reflection(l->package, l->slot, program, log);

	return text ? parse(l, j, text, l->program[program].name) : NULL;
}

/* The program's reflection. NULL: it has none, or with a code. */
static struct load_kept *interface(struct xl_loader *l, struct load_job *j, uint32_t program, const struct xl_log *log)
{
	uint32_t number = xl_package_reflection_of(l->package, program);
	struct load_kept **k = &l->kept[number % LOAD_KEPT];
	const char *text;

	if (number == XL_NO_PROGRAM)
		return NULL;
	if (!*k || (*k)->number != number) {
		drop(*k);
		*k = NULL;
		text = xl_package_reflection(l->package, l->slot, program, log);
		*k = text ? parse(l, j, text, l->program[program].name) : NULL;
		if (!*k)
			return NULL;
		(*k)->number = number;
	}
	atomic_fetch_add(&(*k)->users, 1);
	return *k;
}

/* ---- modules */
static bool read_one(struct xl_loader *l, struct load_job *j, uint32_t program, bool generated)
{
	const struct load_program *p = &l->program[program];
	struct xl_log log = { on_diag, j };
	uint32_t i = j->nstage, subgroup = generated ? 0 : p->subgroup;
	struct load_module *m = &j->module[i];
	uint32_t *words = j->words + j->nwords;
	enum xl_load_code code;
	uint8_t hash[16];
	char why[192];

	if (p->refused)
		return bad(j, XL_LOAD_PROGRAM, "%.80s was refused by the translator", p->name);
	if (i == LOAD_STAGES)
		return bad(j, XL_LOAD_PIPELINE, "no room for the geometry stage of %.80s", p->name);
	j->nstage++;
	m->words = words;
	m->nwords = generated ? p->generated : p->words;
	j->nwords += (uint32_t)m->nwords;
	j->kept[i] = generated ? interface_generated(l, j, program, &log) : interface(l, j, program, &log);
	if (!j->kept[i] || xl_package_read(l->package, l->slot, program, generated, words, (uint32_t)m->nwords, hash, &log))
		return !j->code && bad(j, XL_LOAD_BAD_PACKAGE, "%.80s has no module", p->name);
	memcpy(&j->content[i], hash, sizeof(hash));
	j->iface[i] = &j->kept[i]->iface;
	j->subgroup[i] = subgroup;
	code = load_module_check(m, j->iface[i], subgroup, &l->facts, why, sizeof(why));
	if (code)
		return bad(j, code, "%.80s: %s%s", p->name, code == XL_LOAD_DEVICE ? "the device lacks " : "", why);
	if (generated && j->iface[i]->stage != VK_SHADER_STAGE_GEOMETRY_BIT)
		return bad(j, XL_LOAD_BAD_PACKAGE, "what goes with %.80s is no geometry stage", p->name);
	return true;
}

/* Two modules of one stage, or compute among others: nothing that a driver may be given. */
static bool stages_fit(struct load_job *j)
{
	VkShaderStageFlags seen = 0;

	for (uint32_t i = 0; i < j->nstage; i++) {
		if (seen & j->iface[i]->stage || (j->iface[i]->stage == VK_SHADER_STAGE_COMPUTE_BIT) == j->e->graphics)
			return bad(j, XL_LOAD_PIPELINE, "programs of stages that do not go together");
		seen |= j->iface[i]->stage;
	}
	if (j->e->graphics && !(seen & VK_SHADER_STAGE_VERTEX_BIT))
		return bad(j, XL_LOAD_PIPELINE, "no vertex program");
	if (!(seen & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) != !(seen & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
		return bad(j, XL_LOAD_PIPELINE, "one tessellation program without the other");
	return true;
}

/* What a vertex program hands on is what the geometry stage behind it takes. */
static bool hands_what(const struct load_iface *vertex, const struct load_iface *geometry)
{
	return vertex->clip == geometry->clip && vertex->cull == geometry->cull && vertex->layer == geometry->layer &&
		vertex->viewport == geometry->viewport;
}

/* A generated geometry stage takes triangles right from a vertex program. One that hands a layer or a viewport on, and writes neither
 * itself, has such a stage behind it. */
static bool generated_fits(struct load_job *j)
{
	for (uint32_t i = 0; i < j->nstage; i++) {
		const struct load_iface *f = j->iface[i];
		const struct load_module *m = &j->module[i];
		bool hands = f->layer || f->viewport;

		if (f->stage == VK_SHADER_STAGE_VERTEX_BIT && hands && !m->layered && !j->generated)
			return bad(j, XL_LOAD_PIPELINE, "no program has the geometry stage that its vertex program hands a layer to");
		if (!j->generated || i == j->nstage - 1 || f->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
			continue;
		if (f->stage != VK_SHADER_STAGE_VERTEX_BIT || m->captures || (m->layered && !hands) ||
		    !hands_what(f, j->iface[j->nstage - 1]))
			return bad(j, XL_LOAD_PIPELINE, "a generated geometry stage does not fit behind its other programs");
	}
	return true;
}

/* It writes no point size either, which corners that are drawn as points have. */
static bool triangles(struct load_job *j)
{
	const VkPipelineInputAssemblyStateCreateInfo *in = j->state ? j->state->info.pInputAssemblyState : NULL;
	const VkPipelineRasterizationStateCreateInfo *r = j->state ? j->state->info.pRasterizationState : NULL;

	return !j->generated || ((!in || (in->topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST &&
	       in->topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)) && (!r || r->polygonMode != VK_POLYGON_MODE_POINT)) ||
	       bad(j, XL_LOAD_PIPELINE, "a generated geometry stage takes triangles, and no corners as points");
}

static bool fixed_state(struct xl_loader *l, struct load_job *j)
{
	char why[128];

	if (!j->e->graphics)
		return true;
	j->state = j->e->declared;
	if (j->state)
		return true;
	j->state = j->probe = load_probe_state(l, j->e->recorded, j->iface, j->module, j->nstage, why, sizeof(why));
	return j->probe || bad(j, XL_LOAD_PIPELINE, "no state fits it: %s", why);
}

/* What the journal knows a pipeline by: name, modules, state. */
static void identify(struct load_job *j)
{
	struct { struct load_hash name, state, content[LOAD_STAGES]; } all;

	memset(&all, 0, sizeof(all));
	all.name = load_hash_of(j->e->name, strlen(j->e->name));
	if (j->state)
		all.state = j->state->hash;
	memcpy(all.content, j->content, sizeof(all.content));
	j->hash = load_hash_of(&all, sizeof(all));
}

/* Its words are not written yet. */
static struct load_job *job(const struct xl_loader *l, struct load_entry *e)
{
	uint64_t n = 0;
	struct load_job *j;

	for (uint32_t i = 0; i < e->nprogram; i++)
		n += (uint64_t)l->program[e->program[i]].words + l->program[e->program[i]].generated;
	j = n < SIZE_MAX / sizeof(j->words[0]) - sizeof(*j) ? malloc(sizeof(*j) + (size_t)n * sizeof(j->words[0])) : NULL;
	if (!j)
		return NULL;
	memset(j, 0, sizeof(*j));
	j->e = e;
	return j;
}

struct load_job *load_read(struct xl_loader *l, struct load_entry *e)
{
	struct load_job *j = job(l, e);
	bool ok = true;

	if (!j)
		return NULL;
	for (uint32_t i = 0; ok && i < e->nprogram; i++)
		ok = read_one(l, j, e->program[i], false);
	for (uint32_t i = 0; ok && i < e->nprogram; i++) {
		if (!l->program[e->program[i]].generated)
			continue;
		j->generated = true;
		ok = read_one(l, j, e->program[i], true);
	}
	if (!ok || !stages_fit(j) || !generated_fits(j) || !fixed_state(l, j) || !triangles(j))
		return j;
	identify(j);
	if (!e->own_layout) {
		j->layout = load_layout_get(l, j->iface, j->nstage, &j->code, j->why, sizeof(j->why));
		if (!j->layout)
			return j;
	}
	j->code = XL_LOAD_NO_CODE;
	return j;
}
