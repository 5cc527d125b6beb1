/* load_module.c - a module's head against its reflection and the device. The driver gets a module's words as they are in
 * the package; what the loader itself builds on (stage, layout, sizes) must be what the module says, or a driver would be
 * handed a layout that does not fit. */
#include "load_int.h"

#include <spirv/unified1/spirv.h>
#include <stddef.h>
#include <stdio.h>

enum { VARS = 4 * LOAD_BINDINGS };
struct var { uint32_t id, set, binding; bool has_set, has_binding; };
struct scan {
	const uint32_t *w;
	size_t n;
	const struct load_iface *iface;
	const struct load_facts *facts;
	struct load_module *out;
	uint32_t entry, nvar;
	enum xl_load_code code;
	char *why;
	size_t cap;
	struct var var[VARS]; /* nvar of them are written */
};

#define bad(s, c, ...) load_fail(&(s)->code, c, (s)->why, (s)->cap, __VA_ARGS__)

static bool model(struct scan *s, uint32_t m)
{
	static const struct { uint32_t model; VkShaderStageFlagBits bit; } models[] = {
		{ SpvExecutionModelVertex, VK_SHADER_STAGE_VERTEX_BIT },
		{ SpvExecutionModelTessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT },
		{ SpvExecutionModelTessellationEvaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT },
		{ SpvExecutionModelGeometry, VK_SHADER_STAGE_GEOMETRY_BIT },
		{ SpvExecutionModelFragment, VK_SHADER_STAGE_FRAGMENT_BIT },
		{ SpvExecutionModelGLCompute, VK_SHADER_STAGE_COMPUTE_BIT },
	};

	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		if (models[i].model == m)
			return models[i].bit == s->iface->stage ||
			       bad(s, XL_LOAD_BAD_PACKAGE, "the module is of another stage than its reflection says");
	}
	return bad(s, XL_LOAD_BAD_PACKAGE, "a module of execution model %u", m);
}

static bool entry_point(struct scan *s, const uint32_t *w, uint32_t count)
{
	const char *name = (const char *)(w + 3);
	size_t most = (size_t)(count > 3 ? count - 3 : 0) * 4, n = count > 3 ? strnlen(name, most) : 0;

	if (count < 4 || n == most || n >= sizeof(s->out->entry) || s->entry)
		return bad(s, XL_LOAD_BAD_PACKAGE, "the module has no entry point, or several");
	memcpy(s->out->entry, name, n + 1);
	s->entry = w[2];
	return model(s, w[1]);
}

static bool workgroup(struct scan *s, const uint32_t *size)
{
	const VkPhysicalDeviceLimits *l = &s->facts->device.limits;
	uint64_t all = 1;

	for (int i = 0; i < 3; i++) {
		all = !size[i] || size[i] > l->maxComputeWorkGroupSize[i] ? UINT64_MAX : all == UINT64_MAX ? all : all * size[i];
		if (size[i] != s->iface->workgroup[i])
			return bad(s, XL_LOAD_BAD_PACKAGE, "the module has another workgroup than its reflection says");
	}
	return all <= l->maxComputeWorkGroupInvocations ||
	       bad(s, XL_LOAD_DEVICE, "workgroups of %u x %u x %u", size[0], size[1], size[2]);
}

static bool mode(struct scan *s, const uint32_t *w, uint32_t count)
{
	static const struct { uint32_t mode; VkPrimitiveTopology topology; } inputs[] = {
		{ SpvExecutionModeInputPoints, VK_PRIMITIVE_TOPOLOGY_POINT_LIST },
		{ SpvExecutionModeInputLines, VK_PRIMITIVE_TOPOLOGY_LINE_LIST },
		{ SpvExecutionModeInputLinesAdjacency, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY },
		{ SpvExecutionModeTriangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST },
		{ SpvExecutionModeInputTrianglesAdjacency, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY },
	};

	if (count < 3)
		return bad(s, XL_LOAD_BAD_PACKAGE, "an instruction is too short");
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		if (inputs[i].mode == w[2] && s->iface->stage == VK_SHADER_STAGE_GEOMETRY_BIT)
			s->out->topology = inputs[i].topology;
	}
	switch (w[2]) {
	case SpvExecutionModeXfb: /* of the last stage before rasterization alone */
		s->out->captures = true;
		return true;
	case SpvExecutionModeLocalSize:
		return count == 6 ? workgroup(s, w + 3) : bad(s, XL_LOAD_BAD_PACKAGE, "an instruction is too short");
	case SpvExecutionModeDenormPreserve:
	case SpvExecutionModeDenormFlushToZero:
	case SpvExecutionModeSignedZeroInfNanPreserve:
	case SpvExecutionModeRoundingModeRTE:
	case SpvExecutionModeRoundingModeRTZ:
		s->code = XL_LOAD_DEVICE;
		return count == 4 ? load_need_mode(s->facts, w[2], w[3], s->why, s->cap) :
			bad(s, XL_LOAD_BAD_PACKAGE, "an instruction is too short");
	default:
		return true;
	}
}

static bool decorate(struct scan *s, const uint32_t *w, uint32_t count)
{
	struct var *v = s->var;

	if (count == 4 && w[2] == SpvDecorationBuiltIn && s->iface->stage == VK_SHADER_STAGE_VERTEX_BIT) {
		s->out->layered |= w[3] == SpvBuiltInLayer || w[3] == SpvBuiltInViewportIndex;
		if ((w[3] == SpvBuiltInClipDistance && !s->iface->clip) || (w[3] == SpvBuiltInCullDistance && !s->iface->cull))
			return bad(s, XL_LOAD_BAD_PACKAGE, "the module has distances to planes, its reflection has not");
	}
	if (count != 4 || (w[2] != SpvDecorationBinding && w[2] != SpvDecorationDescriptorSet))
		return true;
	while (v < s->var + s->nvar && v->id != w[1])
		v++;
	if (v == s->var + s->nvar) {
		if (s->nvar == VARS)
			return bad(s, XL_LOAD_BAD_PACKAGE, "more than %d bindings", VARS);
		*v = (struct var){ .id = w[1] };
		s->nvar++;
	}
	if (w[2] == SpvDecorationBinding) {
		v->binding = w[3];
		v->has_binding = true;
	} else {
		v->set = w[3];
		v->has_set = true;
	}
	return true;
}

static bool head(struct scan *s, const uint32_t *w, uint32_t count)
{
	char name[128];

	switch (w[0] & 0xffff) {
	case SpvOpCapability:
		s->code = XL_LOAD_DEVICE;
		return count == 2 ? load_need_capability(s->facts, w[1], s->why, s->cap) :
			bad(s, XL_LOAD_BAD_PACKAGE, "an instruction is too short");
	case SpvOpExtension:
		s->code = XL_LOAD_DEVICE;
		snprintf(name, sizeof(name), "%.*s", (int)(count - 1) * 4, (const char *)(w + 1));
		return load_need_spirv_extension(s->facts, name, s->why, s->cap);
	case SpvOpEntryPoint:
		return entry_point(s, w, count);
	case SpvOpExecutionMode:
		return mode(s, w, count);
	case SpvOpDecorate:
		return decorate(s, w, count);
	default:
		return true;
	}
}

static bool bindings(struct scan *s)
{
	for (uint32_t i = 0; i < s->nvar; i++) {
		const struct var *v = &s->var[i];
		uint32_t k = 0;

		while (k < s->iface->nbinding && (s->iface->binding[k].set != v->set || s->iface->binding[k].binding != v->binding))
			k++;
		if (!v->has_set || !v->has_binding || k == s->iface->nbinding)
			return bad(s, XL_LOAD_BAD_PACKAGE, "the module has binding %u of set %u, its reflection has not", v->binding,
				   v->set);
	}
	return true;
}

static bool limits(struct scan *s, uint32_t subgroup_size)
{
	const VkPhysicalDeviceLimits *l = &s->facts->device.limits;
	const struct load_iface *f = s->iface;

	s->code = XL_LOAD_DEVICE;
	if (f->shared > l->maxComputeSharedMemorySize)
		return bad(s, XL_LOAD_DEVICE, "%u bytes of shared memory, and the device has %u", f->shared,
			   l->maxComputeSharedMemorySize);
	if (f->push_offset + f->push_size > l->maxPushConstantsSize)
		return bad(s, XL_LOAD_DEVICE, "%u bytes of push constants, and the device has %u", f->push_offset + f->push_size,
			   l->maxPushConstantsSize);
	return load_need_subgroup(s->facts, subgroup_size, f->stage, &s->out->pin, s->why, s->cap);
}

static bool scan_all(struct scan *s)
{
	if (s->n < 5 || s->w[0] != SpvMagicNumber || s->w[1] >> 16 != 1)
		return bad(s, XL_LOAD_BAD_PACKAGE, "a module without the head of SPIR-V");
	s->code = XL_LOAD_DEVICE;
	if (!load_need_spirv(s->facts, s->w[1] >> 8 & 255, s->why, s->cap))
		return false;
	for (size_t at = 5; at < s->n;) {
		uint32_t count = s->w[at] >> 16;

		if (!count || count > s->n - at)
			return bad(s, XL_LOAD_BAD_PACKAGE, "an instruction leaves the module");
		if ((s->w[at] & 0xffff) == SpvOpFunction)
			return s->entry || bad(s, XL_LOAD_BAD_PACKAGE, "a module without an entry point");
		if (!head(s, s->w + at, count))
			return false;
		at += count;
	}
	return bad(s, XL_LOAD_BAD_PACKAGE, "a module without a function");
}

enum xl_load_code load_module_check(struct load_module *m, const struct load_iface *iface, uint32_t subgroup_size,
				    const struct load_facts *facts, char *why, size_t cap)
{
	struct scan s;

	memset(&s, 0, offsetof(struct scan, var));
	s.w = m->words;
	s.n = m->nwords;
	s.iface = iface;
	s.facts = facts;
	s.out = m;
	s.why = why;
	s.cap = cap;
	m->topology = UINT32_MAX;
	if (!scan_all(&s) || !bindings(&s) || !limits(&s, subgroup_size))
		return s.code;
	return m->captures ? load_capture_check(m, facts, why, cap) : XL_LOAD_NO_CODE;
}
