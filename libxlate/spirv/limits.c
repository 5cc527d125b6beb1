/* limits.c - a function against the device's limits, which SPIRV-Tools does not know. Limits are those of
 * VkPhysicalDeviceLimits; 0 in the target means unknown and passes. */
#include "spirv.h"

struct check { struct diag_sink *diag; bool bad; };

static void at_most(struct check *c, const char *what, uint64_t value, uint64_t limit, const char *name)
{
	if (value <= (limit ? limit : UINT64_MAX))
		return;
	c->bad = true;
	diag_emit(c->diag, DIAG_LIMIT, DIAG_NO_ADDR, "%s: %llu, the target's %s is %llu", what, (unsigned long long)value, name,
	          (unsigned long long)limit);
}

static void compute(struct check *c, const struct ir_fn *fn, const struct fact_target *t)
{
	uint64_t all = (uint64_t)fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
	static const char *const names[3] = {"workgroup size in x", "workgroup size in y", "workgroup size in z"};
	static const char *const limits[3] = {"maxComputeWorkGroupSize[0]", "maxComputeWorkGroupSize[1]", "maxComputeWorkGroupSize[2]"};

	for (int k = 0; k < 3; k++)
		at_most(c, names[k], fn->workgroup[k], t->max_workgroup[k], limits[k]);
	at_most(c, "invocations of a workgroup", all, t->max_invocations, "maxComputeWorkGroupInvocations");
	at_most(c, "bytes of shared memory", fn->shared_bytes, t->max_shared, "maxComputeSharedMemorySize");
}

/* What a resource counts as, a bit each: a combined one as two. */
enum { KIND_SAMPLER, KIND_SAMPLED, KIND_IMAGE, KIND_STORAGE, KIND_UNIFORM, KIND_COUNT };
static const uint8_t kinds[RES_COUNT] = {
	[RES_SAMPLER] = 1 << KIND_SAMPLER, [RES_COMBINED] = 1 << KIND_SAMPLER | 1 << KIND_SAMPLED,
	[RES_SAMPLED_IMAGE] = 1 << KIND_SAMPLED, [RES_UNIFORM_TEXEL] = 1 << KIND_SAMPLED,
	[RES_STORAGE_IMAGE] = 1 << KIND_IMAGE, [RES_STORAGE_TEXEL] = 1 << KIND_IMAGE,
	[RES_STORAGE_BUFFER] = 1 << KIND_STORAGE, [RES_UNIFORM_BUFFER] = 1 << KIND_UNIFORM,
};

static bool bound(const struct ir_resource *q)
{
	return q->kind != RES_PUSH && q->kind != RES_CONST_DATA && q->kind != RES_PHYSICAL;
}

static void descriptors(struct check *c, const struct ir_fn *fn, const struct fact_target *t)
{
	static const struct { const char *what, *stage, *set; } names[KIND_COUNT] = {
		{"samplers", "maxPerStageDescriptorSamplers", "maxDescriptorSetSamplers"},
		{"sampled images", "maxPerStageDescriptorSampledImages", "maxDescriptorSetSampledImages"},
		{"storage images", "maxPerStageDescriptorStorageImages", "maxDescriptorSetStorageImages"},
		{"storage buffers", "maxPerStageDescriptorStorageBuffers", "maxDescriptorSetStorageBuffers"},
		{"uniform buffers", "maxPerStageDescriptorUniformBuffers", "maxDescriptorSetUniformBuffers"},
	};
	const uint32_t stage[KIND_COUNT] = {t->max_stage_samplers, t->max_stage_sampled, t->max_stage_storage_images,
		t->max_stage_storage_buffers, t->max_stage_uniform_buffers};
	const uint32_t set[KIND_COUNT] = {t->max_set_samplers, t->max_set_sampled, t->max_set_storage_images,
		t->max_set_storage_buffers, t->max_set_uniform_buffers};
	uint64_t n[KIND_COUNT] = {0}, all = 0;

	for (uint32_t k = 0; k < fn->nres; k++) {
		const struct ir_resource *q = &fn->res[k];
		if (!bound(q))
			continue;
		all += q->count;
		at_most(c, "descriptor set number", (uint64_t)q->set + 1, t->max_sets, "maxBoundDescriptorSets");
		for (int j = 0; j < KIND_COUNT; j++)
			n[j] += q->count * (uint64_t)(kinds[q->kind] >> j & 1);
	}
	for (int j = 0; j < KIND_COUNT; j++) {
		at_most(c, names[j].what, n[j], stage[j], names[j].stage);
		at_most(c, names[j].what, n[j], set[j], names[j].set);
	}
	at_most(c, "descriptors", all, t->max_stage_resources, "maxPerStageResources");
}

static void interface(struct check *c, const struct ir_fn *fn, const struct fact_target *t)
{
	uint64_t in = 0, out = 0, clip = 0, cull = 0, color = 0;

	for (uint32_t k = 0; k < fn->niface; k++) {
		const struct ir_iface *f = &fn->iface[k];
		uint64_t end = (uint64_t)f->location + (f->elems ? f->elems : 1);
		if (f->builtin == SYSVAL_clip_distance)
			clip = f->elems;
		else if (f->builtin == SYSVAL_cull_distance)
			cull = f->elems;
		else if (f->builtin)
			continue;
		else if (!f->output)
			in = end > in ? end : in;
		else if (fn->stage == STAGE_FRAGMENT)
			color = end > color ? end : color;
		else
			out = end > out ? end : out;
	}
	if (fn->stage == STAGE_VERTEX)
		at_most(c, "vertex attributes", in, t->max_vertex_attributes, "maxVertexInputAttributes");
	else
		at_most(c, "components of input locations", in * 4, t->max_inputs, "maxFragmentInputComponents");
	at_most(c, "components of output locations", out * 4, t->max_outputs, "maxVertexOutputComponents");
	at_most(c, "colour outputs", color, t->max_color, "maxFragmentOutputAttachments");
	at_most(c, "clip distances", clip, t->max_clip, "maxClipDistances");
	at_most(c, "cull distances", cull, t->max_cull, "maxCullDistances");
	at_most(c, "clip and cull distances", clip + cull, t->max_clip_cull, "maxCombinedClipAndCullDistances");
}

/* Transform feedback. Where a profile does not say, the four buffers that guests have pass, and the 512 bytes of a vertex that Vulkan
 * demands of each device. */
static void captures(struct check *c, const struct ir_fn *fn, const struct fact_target *t)
{
	enum { BUFFERS = 4, BYTES = 512 };
	bool any = false;

	for (uint32_t k = 0; k < fn->niface; k++)
		any |= fn->iface[k].capture;
	if (!any) /* as most programs */
		return;
	uint64_t end[UINT8_MAX + 1] = { 0 }, all = 0; /* bytes of a vertex in a buffer */
	for (uint32_t k = 0; k < fn->niface; k++) {
		const struct ir_iface *f = &fn->iface[k];
		uint32_t n = 4;
		if (!f->capture)
			continue;
		while (n > 1 && !(f->comps >> (n - 1) & 1))
			n--;
		if (f->capture_at + 4ull * n > end[f->capture])
			end[f->capture] = f->capture_at + 4ull * n;
		at_most(c, "buffers of transform feedback", f->capture, t->max_capture_buffers ? t->max_capture_buffers : BUFFERS,
		        "maxTransformFeedbackBuffers");
		at_most(c, "bytes between captured vertices", f->capture_stride, t->max_capture_stride ? t->max_capture_stride : BYTES,
		        "maxTransformFeedbackBufferDataStride");
	}
	for (unsigned k = 0; k <= UINT8_MAX; k++) {
		at_most(c, "captured bytes of a vertex", end[k], t->max_capture_bytes ? t->max_capture_bytes : BYTES,
		        "maxTransformFeedbackBufferDataSize");
		all += end[k];
	}
	at_most(c, "captured bytes of a vertex, of all buffers", all, t->max_capture_all ? t->max_capture_all : BYTES,
	        "maxTransformFeedbackStreamDataSize");
}

int spirv_geometry_limits(const struct spirv_geometry *g, const struct fact_target *t, struct diag_sink *diag)
{
	struct check c = {diag, false};

	at_most(&c, "components that a generated geometry stage takes", g->in, t->max_geometry_inputs, "maxGeometryInputComponents");
	at_most(&c, "components that a generated geometry stage writes", g->out, t->max_geometry_outputs, "maxGeometryOutputComponents");
	at_most(&c, "components of all its vertices", g->all, t->max_geometry_all, "maxGeometryTotalOutputComponents");
	return c.bad ? -1 : 0;
}

int spirv_limits(struct ir_fn *fn, const struct fact_target *t, struct diag_sink *diag)
{
	struct check c = {diag, false};

	if (fn->stage == STAGE_COMPUTE)
		compute(&c, fn, t);
	else
		interface(&c, fn, t);
	captures(&c, fn, t);
	descriptors(&c, fn, t);
	for (uint32_t k = 0; k < fn->nres; k++)
		if (fn->res[k].kind == RES_PUSH)
			at_most(&c, "bytes of push constants", fn->res[k].size, t->max_push, "maxPushConstantsSize");
	return c.bad ? -1 : 0;
}
