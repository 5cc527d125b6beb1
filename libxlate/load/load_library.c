/* load_library.c - graphics pipelines of four libraries (vertex input, stages before the rasterizer, fragment stage, output),
 * where the device has VK_EXT_graphics_pipeline_library with fast linking. A library is made once for all pipelines that
 * share its part; a link costs microseconds where a compilation costs milliseconds. */
#include "load_int.h"

#include <stdlib.h>

enum { PARTS = 4, BUCKETS = 1024 };
struct load_library { struct load_library *next; struct load_hash hash; VkPipeline pipeline; };

static bool in_part(const VkPipelineShaderStageCreateInfo *s, unsigned part)
{
	return part == PART_FRAGMENT ? s->stage == VK_SHADER_STAGE_FRAGMENT_BIT :
		part == PART_PRE_RASTER && s->stage != VK_SHADER_STAGE_FRAGMENT_BIT;
}

static VkResult make_part(struct xl_loader *l, const struct load_job *j, const VkPipelineShaderStageCreateInfo *stage,
			  VkPipelineLayout layout, unsigned part, VkPipeline *out)
{
	static const VkGraphicsPipelineLibraryFlagsEXT flags[PARTS] = {
		[PART_VERTEX_INPUT] = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
		[PART_PRE_RASTER] = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
		[PART_FRAGMENT] = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
		[PART_OUTPUT] = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
	};
	const VkGraphicsPipelineCreateInfo *all = &j->state->info;
	VkPipelineShaderStageCreateInfo own[LOAD_STAGES];
	VkGraphicsPipelineLibraryCreateInfoEXT lib = { VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
		(void *)(uintptr_t)all->pNext, flags[part] };
	VkGraphicsPipelineCreateInfo g = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &lib,
		.flags = all->flags | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, .pStages = own, .pDynamicState = all->pDynamicState,
		.basePipelineIndex = -1 };

	for (uint32_t i = 0; i < j->nstage; i++) {
		if (in_part(&stage[i], part))
			own[g.stageCount++] = stage[i];
	}
	if (part == PART_VERTEX_INPUT) {
		lib.pNext = NULL;
		g.pVertexInputState = all->pVertexInputState;
		g.pInputAssemblyState = all->pInputAssemblyState;
	} else {
		g.renderPass = all->renderPass;
		g.subpass = all->subpass;
	}
	if (part == PART_PRE_RASTER) {
		g.pTessellationState = all->pTessellationState;
		g.pViewportState = all->pViewportState;
		g.pRasterizationState = all->pRasterizationState;
	}
	if (part == PART_FRAGMENT)
		g.pDepthStencilState = all->pDepthStencilState;
	if (part == PART_OUTPUT)
		g.pColorBlendState = all->pColorBlendState;
	if (part == PART_FRAGMENT || part == PART_OUTPUT)
		g.pMultisampleState = all->pMultisampleState;
	if (part == PART_PRE_RASTER || part == PART_FRAGMENT)
		g.layout = layout;
	*out = VK_NULL_HANDLE;
	return l->vk.vkCreateGraphicsPipelines(l->info.device, l->cache, 1, &g, NULL, out);
}

static struct load_hash part_hash(const struct load_job *j, VkPipelineLayout layout, unsigned part)
{
	struct { struct load_hash state, content[LOAD_STAGES]; VkPipelineLayout layout; uint64_t part; } all;

	memset(&all, 0, sizeof(all));
	all.state = j->state->part[part];
	all.part = part;
	if (part == PART_PRE_RASTER || part == PART_FRAGMENT)
		all.layout = layout;
	for (uint32_t i = 0; i < j->nstage; i++) {
		if ((part == PART_FRAGMENT && j->iface[i]->stage == VK_SHADER_STAGE_FRAGMENT_BIT) ||
		    (part == PART_PRE_RASTER && j->iface[i]->stage != VK_SHADER_STAGE_FRAGMENT_BIT))
			all.content[i] = j->content[i];
	}
	return load_hash_of(&all, sizeof(all));
}

static struct load_library **bucket(struct xl_loader *l, struct load_hash h)
{
	struct load_library **at;

	if (!l->libraries.bucket)
		l->libraries.bucket = calloc(BUCKETS, sizeof(*l->libraries.bucket));
	if (!l->libraries.bucket)
		return NULL;
	at = &l->libraries.bucket[h.v[0] % BUCKETS];
	while (*at && !load_hash_equal((*at)->hash, h))
		at = &(*at)->next;
	return at;
}

/* The library of a part, made here unless it is there. Two threads may make one at the same time: the later one's goes. */
static VkResult part_of(struct xl_loader *l, const struct load_job *j, const VkPipelineShaderStageCreateInfo *stage,
			VkPipelineLayout layout, unsigned part, VkPipeline *out)
{
	struct load_hash h = part_hash(j, layout, part);
	struct load_library **at, *made = NULL;
	VkResult r;

	pthread_mutex_lock(&l->libraries.lock);
	at = bucket(l, h);
	*out = at && *at ? (*at)->pipeline : VK_NULL_HANDLE;
	pthread_mutex_unlock(&l->libraries.lock);
	if (*out)
		return VK_SUCCESS;
	if (!at)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	r = make_part(l, j, stage, layout, part, out);
	if (r < 0 || !*out)
		return r < 0 ? r : VK_ERROR_UNKNOWN;
	made = calloc(1, sizeof(*made));
	if (made) {
		made->hash = h;
		made->pipeline = *out;
		pthread_mutex_lock(&l->libraries.lock);
		at = bucket(l, h);
		if (!*at) {
			*at = made;
			made = NULL;
		} else {
			*out = (*at)->pipeline;
		}
		pthread_mutex_unlock(&l->libraries.lock);
		if (!made)
			return VK_SUCCESS;
	}
	l->vk.vkDestroyPipeline(l->info.device, made ? made->pipeline : *out, NULL);
	r = made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
	free(made);
	return r;
}

VkResult load_library_link(struct xl_loader *l, const struct load_job *j, const VkPipelineShaderStageCreateInfo *stage,
			   VkPipelineLayout layout, VkPipeline *out)
{
	VkPipeline part[PARTS];
	VkPipelineLibraryCreateInfoKHR libs = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = PARTS,
		.pLibraries = part };
	VkGraphicsPipelineCreateInfo g = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &libs,
		.flags = j->state->info.flags, .layout = layout, .basePipelineIndex = -1 };

	for (unsigned i = 0; i < PARTS; i++) {
		VkResult r = part_of(l, j, stage, layout, i, &part[i]);

		if (r < 0)
			return r;
	}
	return l->vk.vkCreateGraphicsPipelines(l->info.device, l->cache, 1, &g, NULL, out);
}

void load_library_free(struct xl_loader *l)
{
	for (unsigned i = 0; l->libraries.bucket && i < BUCKETS; i++) {
		for (struct load_library *k = l->libraries.bucket[i], *next; k; k = next) {
			next = k->next;
			l->vk.vkDestroyPipeline(l->info.device, k->pipeline, NULL);
			free(k);
		}
	}
	free(l->libraries.bucket);
}
