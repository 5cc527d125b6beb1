/* load_make.c - the second stage: a driver is asked for a pipeline, with the journal held open over it. */
#include "load_int.h"

#include <stdio.h>

struct stages {
	VkPipelineShaderStageCreateInfo v[LOAD_STAGES];
	VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size[LOAD_STAGES];
	uint32_t n;
};

static VkResult modules(struct xl_loader *l, const struct load_job *j, struct stages *s)
{
	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; i < j->nstage; i++) {
		const struct load_module *m = &j->module[i];
		VkShaderModuleCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = m->nwords * 4,
			.pCode = m->words };
		VkPipelineShaderStageCreateInfo *o = &s->v[i];
		VkResult r = l->vk.vkCreateShaderModule(l->info.device, &ci, NULL, &o->module);

		if (r < 0)
			return r;
		s->n++;
		o->sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
		o->stage = j->iface[i]->stage;
		o->pName = m->entry;
		if (m->pin) {
			s->size[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
			s->size[i].requiredSubgroupSize = j->subgroup[i];
			o->pNext = &s->size[i];
		}
	}
	return VK_SUCCESS;
}

static VkResult create(struct xl_loader *l, const struct load_job *j, const struct stages *s, VkPipelineLayout layout,
		       VkPipelineCreateFlags flags, VkPipeline *out)
{
	VkComputePipelineCreateInfo c = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .flags = flags,
		.stage = s->v[0], .layout = layout, .basePipelineIndex = -1 };
	VkGraphicsPipelineCreateInfo g;

	*out = VK_NULL_HANDLE;
	if (!j->e->graphics)
		return l->vk.vkCreateComputePipelines(l->info.device, l->cache, 1, &c, NULL, out);
	g = j->state->info;
	g.flags |= flags;
	g.stageCount = s->n;
	g.pStages = s->v;
	g.layout = layout;
	return l->vk.vkCreateGraphicsPipelines(l->info.device, l->cache, 1, &g, NULL, out);
}

static bool has_fragment(const struct load_job *j)
{
	for (uint32_t i = 0; i < j->nstage; i++) {
		if (j->iface[i]->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
			return true;
	}
	return false;
}

/* Fast first, where somebody waits: the optimised one when the driver's cache has it, else linked libraries, else without
 * optimisation. */
static VkResult staged(struct xl_loader *l, struct load_job *j, struct stages *s, VkPipelineLayout layout, struct load_made *made)
{
	VkResult r;

	made->optimised = true;
	if (!j->fast)
		return create(l, j, s, layout, 0, &made->pipeline);
	if (l->use_probe_cache) {
		r = create(l, j, s, layout, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &made->pipeline);
		if (r != VK_PIPELINE_COMPILE_REQUIRED)
			return r;
	}
	made->optimised = false;
	if (j->e->graphics && l->use_library && has_fragment(j))
		return load_library_link(l, j, s->v, layout, &made->pipeline);
	return create(l, j, s, layout, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT, &made->pipeline);
}

static bool lasting(VkResult r)
{
	return r != VK_ERROR_OUT_OF_HOST_MEMORY && r != VK_ERROR_OUT_OF_DEVICE_MEMORY && r != VK_ERROR_DEVICE_LOST;
}

bool load_make(struct xl_loader *l, struct load_job *j, struct load_made *made)
{
	VkPipelineLayout layout = j->layout ? j->layout->layout : j->e->own_layout;
	struct stages s;
	uint64_t start = load_now();
	VkResult r;

	made->pipeline = VK_NULL_HANDLE;
	load_journal_begin(l->journal, j->hash);
	made->cpu[0] = load_processor(); /* the journal is our own work */
	r = modules(l, j, &s);
	if (r >= 0)
		r = staged(l, j, &s, layout, made);
	/* Some drivers say "success" without a pipeline: no handle is handed out that is none. */
	if (r >= 0 && !made->pipeline)
		r = VK_ERROR_UNKNOWN;
	for (uint32_t i = 0; i < s.n; i++)
		l->vk.vkDestroyShaderModule(l->info.device, s.v[i].module, NULL);
	made->cpu[1] = load_processor();
	load_journal_end(l->journal, j->hash, r < 0 && lasting(r), (int)r);
	made->ns = load_now() - start;
	if (r >= 0)
		return true;
	if (lasting(r)) {
		j->code = XL_LOAD_DRIVER;
		snprintf(j->why, sizeof(j->why), "the driver refused it: VkResult %d", (int)r);
	} else {
		j->code = r == VK_ERROR_DEVICE_LOST ? XL_LOAD_VULKAN : XL_LOAD_MEMORY;
		snprintf(j->why, sizeof(j->why), r == VK_ERROR_DEVICE_LOST ? "the device is lost" : "the driver is out of memory");
	}
	return false;
}
