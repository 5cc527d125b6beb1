/* interface.c: the module-scope variables of an indexed module: resources, push constants, inputs and outputs. */
#include "spvinfo.h"

#include <stdlib.h>

#define ID SPVINFO_NO_MEMBER

static bool listed(const struct spvinfo *m, uint32_t variable)
{
	return spvinfo_has_builtin(m->iface, m->niface, variable);
}

/* Inputs and outputs that are arrays over vertices, not over locations. */
static bool per_vertex_array(const struct spvinfo *m, uint32_t variable, bool input, bool patch)
{
	if (input)
		return m->stage == STAGE_GEOM || m->stage == STAGE_TESC || (m->stage == STAGE_TESE && !patch) ||
		       (m->stage == STAGE_FRAG && spvinfo_decoration(m, variable, ID, SpvDecorationPerVertexKHR, NULL));
	return (m->stage == STAGE_TESC && !patch) || m->stage == STAGE_MESH;
}

/* Notes the built-ins of a block; false if it has none. */
static bool block_builtins(const struct spvinfo *m, uint32_t type, uint32_t *list, int *n)
{
	const uint32_t *d = spvinfo_def(m, type);
	bool any = false;
	while (d && spvinfo_op(d[0]) == SpvOpTypeArray)
		d = spvinfo_def(m, d[2]);
	if (!d || spvinfo_op(d[0]) != SpvOpTypeStruct)
		return false;
	for (uint32_t i = 0; i < spvinfo_words(d[0]) - 2; i++) {
		uint32_t v;
		if (!spvinfo_decoration(m, d[1], (int)i, SpvDecorationBuiltIn, &v))
			continue;
		any = true;
		if (*n < 64)
			list[(*n)++] = v;
	}
	return any;
}

static void add_interface(struct spvinfo *m, uint32_t variable, uint32_t type, bool input)
{
	uint32_t v, *list = input ? m->builtin_in : m->builtin_out;
	int *n = input ? &m->nbuiltin_in : &m->nbuiltin_out;
	struct slot at = {.location = 0};

	if (!listed(m, variable))
		return;
	if (spvinfo_decoration(m, variable, ID, SpvDecorationBuiltIn, &v)) {
		if (*n < 64)
			list[(*n)++] = v;
		return;
	}
	at.patch = spvinfo_decoration(m, variable, ID, SpvDecorationPatch, NULL);
	at.per_primitive = spvinfo_decoration(m, variable, ID, SpvDecorationPerPrimitiveEXT, NULL);
	const uint32_t *d = spvinfo_def(m, type);
	if (d && spvinfo_op(d[0]) == SpvOpTypeArray && per_vertex_array(m, variable, input, at.patch))
		type = d[2];
	if (block_builtins(m, type, list, n))
		return;
	if (spvinfo_decoration(m, variable, ID, SpvDecorationLocation, &v))
		at.location = v;
	if (spvinfo_decoration(m, variable, ID, SpvDecorationComponent, &v))
		at.component = v;
	at.flat = spvinfo_decoration(m, variable, ID, SpvDecorationFlat, NULL);
	at.noperspective = spvinfo_decoration(m, variable, ID, SpvDecorationNoPerspective, NULL);
	at.centroid = spvinfo_decoration(m, variable, ID, SpvDecorationCentroid, NULL);
	at.sample = spvinfo_decoration(m, variable, ID, SpvDecorationSample, NULL);
	at.second_source = !input && spvinfo_decoration(m, variable, ID, SpvDecorationIndex, &v) && v;
	spvinfo_slots(m, type, at, input ? m->in : m->out, input ? &m->nin : &m->nout);
}

/* Type of a handle (not a buffer block); false if the variable is no descriptor. */
static bool handle_type(const uint32_t *d, struct resource *r)
{
	switch (spvinfo_op(d[0])) {
	case SpvOpTypeSampler:
		r->type = VK_DESCRIPTOR_TYPE_SAMPLER;
		return true;
	case SpvOpTypeSampledImage:
		r->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
		r->image = d[2];
		return true;
	case SpvOpTypeImage:
		r->type = d[7] == 2 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
		r->image = d[1];
		return true;
	case SpvOpTypeAccelerationStructureKHR:
		r->type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
		return true;
	}
	return false;
}

static void image_facts(const struct spvinfo *m, struct resource *r)
{
	const uint32_t *d = spvinfo_def(m, r->image);
	uint32_t width;
	if (!d)
		return;
	r->base = spvinfo_base(m, d[2], &width);
	r->dim = d[3];
	r->shadow = d[4] == 1;
	r->arrayed = d[5] != 0;
	r->multisampled = d[6] != 0;
	r->format = d[8];
	if (r->dim == SpvDimBuffer)
		r->type = d[7] == 2 ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
	if (r->dim == SpvDimSubpassData) {
		r->type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
		spvinfo_decoration(m, r->variable, ID, SpvDecorationInputAttachmentIndex, &r->input_attachment);
	}
}

static bool all_members_readonly(const struct spvinfo *m, const uint32_t *d)
{
	uint32_t n = spvinfo_words(d[0]) - 2;
	for (uint32_t i = 0; i < n; i++)
		if (!spvinfo_decoration(m, d[1], (int)i, SpvDecorationNonWritable, NULL))
			return false;
	return n > 0;
}

static void add_resource(struct spvinfo *m, uint32_t variable, uint32_t type, uint32_t storage)
{
	struct resource r = {.variable = variable, .count = 1};
	bool bound = spvinfo_decoration(m, variable, ID, SpvDecorationBinding, &r.binding);
	if (!spvinfo_decoration(m, variable, ID, SpvDecorationDescriptorSet, &r.set) && !bound)
		return;
	const uint32_t *d = spvinfo_def(m, type);
	while (d && (spvinfo_op(d[0]) == SpvOpTypeArray || spvinfo_op(d[0]) == SpvOpTypeRuntimeArray)) {
		if (spvinfo_op(d[0]) == SpvOpTypeRuntimeArray)
			r.unsized = true;
		r.count *= spvinfo_op(d[0]) == SpvOpTypeArray ? spvinfo_constant(m, d[3]) : 8;
		type = d[2];
		d = spvinfo_def(m, type);
	}
	if (!d)
		return;
	r.type_id = type;
	if (storage == SpvStorageClassStorageBuffer)
		r.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
	else if (storage == SpvStorageClassUniform)
		r.type = spvinfo_decoration(m, type, ID, SpvDecorationBufferBlock, NULL)
				 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
				 : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
	else if (!handle_type(d, &r))
		return;
	if (r.image)
		image_facts(m, &r);
	bool readonly = spvinfo_decoration(m, variable, ID, SpvDecorationNonWritable, NULL);
	if (r.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
		r.readonly = readonly || all_members_readonly(m, d);
	if (r.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
		r.readonly = readonly;
	if (m->nres < SPVINFO_MAX)
		m->res[m->nres++] = r;
}

/* A separate image and sampler used together in a depth comparison are both comparing ones. */
static void mark_separate_shadow(struct spvinfo *m, const uint32_t *w)
{
	const uint32_t *sampled = spvinfo_def(m, w[3]);
	if (!sampled || spvinfo_op(sampled[0]) != SpvOpSampledImage)
		return;
	for (int k = 3; k <= 4; k++) {
		const uint32_t *load = spvinfo_def(m, sampled[k]);
		uint32_t id = load && spvinfo_op(load[0]) == SpvOpLoad ? load[3] : 0;
		const uint32_t *chain = spvinfo_def(m, id);
		if (chain &&
		    (spvinfo_op(chain[0]) == SpvOpAccessChain || spvinfo_op(chain[0]) == SpvOpInBoundsAccessChain))
			id = chain[3];
		for (int j = 0; j < m->nres; j++)
			if (m->res[j].variable == id)
				m->res[j].shadow = true;
	}
}

static bool compares_depth(uint32_t op)
{
	return (op >= SpvOpImageSampleDrefImplicitLod && op <= SpvOpImageSampleProjDrefExplicitLod) ||
	       op == SpvOpImageDrefGather;
}

void interface_read(struct spvinfo *m)
{
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *w = m->words + p;
		if (spvinfo_op(w[0]) != SpvOpVariable)
			continue;
		const uint32_t *pointer = spvinfo_def(m, w[1]);
		if (!pointer || spvinfo_op(pointer[0]) != SpvOpTypePointer)
			continue;
		switch (w[3]) {
		case SpvStorageClassInput:
			add_interface(m, w[2], pointer[3], true);
			break;
		case SpvStorageClassOutput:
			add_interface(m, w[2], pointer[3], false);
			break;
		case SpvStorageClassPushConstant:
			m->push_type = pointer[3];
			m->push_size =
				(uint32_t)(spvinfo_size(m, pointer[3], 4, (struct matrix_layout){0, false}) + 3) & ~3u;
			break;
		case SpvStorageClassUniformConstant:
		case SpvStorageClassUniform:
		case SpvStorageClassStorageBuffer:
			add_resource(m, w[2], pointer[3], w[3]);
			break;
		}
	}
	if (!m->has_dref)
		return;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p]))
		if (compares_depth(spvinfo_op(m->words[p])))
			mark_separate_shadow(m, m->words + p);
}

/* Is something stored to element k of a variable that lies at several locations? */
static bool writes_element(const struct spvinfo *m, uint32_t variable, bool array, uint32_t each, uint32_t k)
{
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *w = m->words + p, *index;
		uint32_t op = spvinfo_op(w[0]);
		if (op <= SpvOpExecutionMode || op == SpvOpDecorate || op == SpvOpMemberDecorate || op == SpvOpLoad || op == SpvOpVariable)
			continue;
		if ((op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) && w[3] == variable) {
			index = spvinfo_def(m, w[4]);
			if (!array || !index || spvinfo_op(index[0]) != SpvOpConstant || k / each == index[3])
				return true;
			continue;
		}
		for (uint32_t i = 1; i < spvinfo_words(w[0]); i++)
			if (w[i] == variable)
				return true;
	}
	return false;
}

bool interface_writes(const struct spvinfo *m, uint32_t location)
{
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *v = m->words + p, *type;
		uint32_t first = 0, n;
		if (spvinfo_op(v[0]) != SpvOpVariable || v[3] != SpvStorageClassOutput)
			continue;
		if (spvinfo_words(v[0]) > 4) /* it has a value from the start */
			return true;
		if (!spvinfo_decoration(m, v[2], SPVINFO_NO_MEMBER, SpvDecorationLocation, &first))
			continue;
		uint32_t id = spvinfo_def(m, v[1])[3];
		n = spvinfo_locations(m, id);
		type = spvinfo_def(m, id);
		bool array = type && spvinfo_op(type[0]) == SpvOpTypeArray;
		if (location >= first && location < first + n &&
		    writes_element(m, v[2], array, array ? spvinfo_locations(m, type[2]) : 1, location - first))
			return true;
	}
	return false;
}
