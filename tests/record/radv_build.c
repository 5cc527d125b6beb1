#include "radv_build.h"

#include <string.h>

/* The shader stages of a build, and the facts about them that its states depend on. */
struct stages {
	VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size;
	VkPipelineShaderStageCreateInfo info[RADV_STAGES];
	const struct spvinfo *vs, *fs, *tcs;
	bool compute, mesh, depth_output, dual_source;
};

static void make_layout(struct radv_device *d, struct radv_build *b)
{
	char error[200];
	b->nbindings = bindings_merge(b->modules, b->n, b->bindings, error);
	if (b->nbindings < 0)
		radv_device_fail("%s", error);
	for (int i = 0; i < b->nbindings; i++)
		if (b->bindings[i].set + 1 > b->nsets)
			b->nsets = b->bindings[i].set + 1;
	if (b->nsets > RADV_SETS)
		radv_device_fail("%u sets", b->nsets);
	for (uint32_t s = 0; s < b->nsets; s++) {
		VkDescriptorSetLayoutBinding list[BINDINGS_MAX];
		uint32_t n = 0;
		for (int i = 0; i < b->nbindings; i++)
			if (b->bindings[i].set == s)
				list[n++] =
					(VkDescriptorSetLayoutBinding){b->bindings[i].binding, b->bindings[i].type,
								       b->bindings[i].count, VK_SHADER_STAGE_ALL, NULL};
		VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
							.bindingCount = n, .pBindings = list};
		RADV(vkCreateDescriptorSetLayout, d->handle, &info, NULL, &b->sets[s]);
	}
	for (int i = 0; i < b->n; i++)
		if (b->modules[i].push_size > b->push_size)
			b->push_size = b->modules[i].push_size;
	if (b->push_size > 256)
		b->push_size = 256;
	VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, b->push_size};
	VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = b->nsets,
					   .pSetLayouts = b->sets, .pushConstantRangeCount = b->push_size ? 1 : 0,
					   .pPushConstantRanges = &range};
	RADV(vkCreatePipelineLayout, d->handle, &info, NULL, &b->layout);
}

static void make_stages(struct radv_device *d, struct radv_build *b, struct stages *s)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < b->n; i++) {
		const struct spvinfo *m = &b->modules[i], *code = b->code[i].words ? &b->code[i] : m;
		VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
						 .codeSize = code->count * 4, .pCode = code->words};
		VkShaderModule module;
		RADV(vkCreateShaderModule, d->handle, &info, NULL, &module);
		s->info[i] = (VkPipelineShaderStageCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
							       .stage = bindings_stage_bit(m->stage), .module = module,
							       .pName = code->entry};
		switch (m->stage) {
		case STAGE_VERT:
			s->vs = m;
			break;
		case STAGE_FRAG:
			s->fs = m;
			break;
		case STAGE_TESC:
			s->tcs = m;
			break;
		case STAGE_COMP:
			s->compute = true;
			s->size = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
				VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, NULL,
				b->subgroup};
			s->info[i].pNext = b->subgroup ? &s->size : NULL;
			break;
		case STAGE_MESH:
			s->mesh = true;
			break;
		}
	}
	s->depth_output = s->fs && spvinfo_has_builtin(s->fs->builtin_out, s->fs->nbuiltin_out, SpvBuiltInFragDepth);
}

/* Formats of targets by name: of floats, of signed and of unsigned integers. */
static const struct {
	const char *name;
	VkFormat real, whole, bits;
} colours[] = {
	{"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT},
	{"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT},
	{"rgba8", VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT},
	{"rgba16", VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R16G16B16A16_UINT},
	{"rgba16_snorm", VK_FORMAT_R16G16B16A16_SNORM, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R16G16B16A16_UINT},
};

bool radv_build_colour(const char *name)
{
	for (size_t k = 0; k < sizeof colours / sizeof *colours; k++)
		if (!strcmp(colours[k].name, name))
			return true;
	return false;
}

static VkFormat target_format(const struct radv_build *b, char base)
{
	size_t k = 0;
	while (strcmp(colours[k].name, b->color)) /* parsed: it is one of them */
		k++;
	return base == 'f' ? colours[k].real : base == 'i' ? colours[k].whole : colours[k].bits;
}

static void find_targets(struct radv_build *b, struct stages *s)
{
	for (int i = 0; s->fs && i < s->fs->nout; i++) {
		const struct slot *o = &s->fs->out[i];
		if (o->second_source) {
			s->dual_source = true;
			continue;
		}
		if (o->location >= RADV_TARGETS)
			continue;
		b->targets[o->location] = target_format(b, o->base);
		if (o->location + 1 > b->ntargets)
			b->ntargets = o->location + 1;
	}
}

/* Formats of 1 to 4 components stand three apart. */
static VkFormat attribute_format(char base, uint32_t count, uint32_t width)
{
	VkFormat first = width == 64   ? VK_FORMAT_R64_SFLOAT
			 : base == 'f' ? VK_FORMAT_R32_SFLOAT
			 : base == 'i' ? VK_FORMAT_R32_SINT
				       : VK_FORMAT_R32_UINT;
	return (VkFormat)(first + 3 * (count - 1));
}

static void find_attributes(struct radv_build *b, const struct spvinfo *vs)
{
	for (int i = 0; vs && i < vs->nin && b->nattributes < RADV_ATTRIBUTES; i++) {
		const struct slot *s = &vs->in[i];
		uint32_t k = 0;
		while (k < b->nattributes && b->attributes[k].location != s->location)
			k++;
		if (k < b->nattributes) {
			b->attributes[k].format = attribute_format(s->base, 4, s->width);
			continue;
		}
		if (s->location >= RADV_ATTRIBUTES)
			continue;
		b->attributes[k] = (VkVertexInputAttributeDescription){
			s->location, s->location, attribute_format(s->base, s->component ? 4 : s->count, s->width), 0};
		b->vertex_bindings[k] = (VkVertexInputBindingDescription){s->location, s->width == 64 ? 32 : 16,
									  b->instance_rate >> s->location & 1
										  ? VK_VERTEX_INPUT_RATE_INSTANCE
										  : VK_VERTEX_INPUT_RATE_VERTEX};
		b->nattributes++;
	}
}

/* State of fixed functions: what is drawn covers everything, and what is not said is off. */
static void fix_state(struct radv_build *b, const struct stages *s)
{
	struct radv_fixed *f = &b->fixed;
	VkPipelineColorBlendAttachmentState *first = &f->blends[0];
	bool depth = s->depth_output || (s->fs && b->depth_test);
	b->depth_format = depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED;
	f->assembly = (VkPipelineInputAssemblyStateCreateInfo){
		VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = s->tcs ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : b->topology};
	f->raster = (VkPipelineRasterizationStateCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
							     .lineWidth = 1};
	f->samples = (VkPipelineMultisampleStateCreateInfo){
		VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = (VkSampleCountFlagBits)(b->samples ? b->samples : 1)};
	f->depth = (VkPipelineDepthStencilStateCreateInfo){
		VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthTestEnable = depth,
		.depthWriteEnable = depth, .depthCompareOp = b->depth_test ? (VkCompareOp)(b->depth_test - 1) : VK_COMPARE_OP_ALWAYS};
	for (int i = 0; i < RADV_TARGETS; i++)
		f->blends[i] = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 15};
	if (s->dual_source) {
		first->blendEnable = 1;
		first->srcColorBlendFactor = first->srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
		first->dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
		first->dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
	}
	f->blend = (VkPipelineColorBlendStateCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
							 .attachmentCount = b->ntargets, .pAttachments = f->blends};
}

/* Two libraries, not optimized across their border, then the pipeline of both. */
static VkPipeline build_libraries(struct radv_device *d, const struct radv_build *b, const struct stages *s,
				  const VkGraphicsPipelineCreateInfo *whole, const void *rendering,
				  VkPipelineCache cache)
{
	const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {
		VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
			VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
		VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
			VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
	VkPipeline libraries[2], pipeline;
	for (int k = 0; k < 2; k++) {
		VkGraphicsPipelineLibraryCreateInfoEXT part = {
			VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, (void *)rendering, parts[k]};
		VkGraphicsPipelineCreateInfo info = *whole;
		info.pNext = &part;
		info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
		info.stageCount = 1;
		info.pStages = &s->info[(b->modules[0].stage == STAGE_FRAG) == k ? 0 : 1];
		RADV(vkCreateGraphicsPipelines, d->handle, cache, 1, &info, NULL, &libraries[k]);
	}
	VkPipelineLibraryCreateInfoKHR both = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2,
					       .pLibraries = libraries};
	VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &both,
					     .flags = whole->flags, .layout = b->layout};
	RADV(vkCreateGraphicsPipelines, d->handle, cache, 1, &info, NULL, &pipeline);
	return pipeline;
}

static VkPipeline build_graphics(struct radv_device *d, const struct radv_build *b, const struct stages *s,
				 VkPipelineCreateFlags flags, VkPipelineCache cache)
{
	VkPipelineRenderingCreateInfo rendering = {
		VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = b->ntargets,
		.pColorAttachmentFormats = b->targets,
		.depthAttachmentFormat = b->depth_format};
	VkPipelineVertexInputStateCreateInfo input = {
		VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = b->nattributes, .pVertexBindingDescriptions = b->vertex_bindings,
		.vertexAttributeDescriptionCount = b->nattributes, .pVertexAttributeDescriptions = b->attributes};
	VkPipelineTessellationStateCreateInfo tess = {
		VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
		.patchControlPoints = s->tcs && s->tcs->max_vertices ? s->tcs->max_vertices : 3};
	VkViewport view = {0, 0, 64, 64, 0, 1};
	VkRect2D area = {{0, 0}, {64, 64}};
	VkPipelineViewportStateCreateInfo viewport = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
						      .viewportCount = 1, .pViewports = &view, .scissorCount = 1,
						      .pScissors = &area};
	VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
					     .pNext = &rendering,
					     .flags = flags,
					     .stageCount = (uint32_t)b->n,
					     .pStages = s->info,
					     .pVertexInputState = s->mesh ? NULL : &input,
					     .pInputAssemblyState = s->mesh ? NULL : &b->fixed.assembly,
					     .pTessellationState = s->tcs ? &tess : NULL,
					     .pViewportState = &viewport,
					     .pRasterizationState = &b->fixed.raster,
					     .pMultisampleState = &b->fixed.samples,
					     .pDepthStencilState = &b->fixed.depth,
					     .pColorBlendState = &b->fixed.blend,
					     .layout = b->layout};
	VkPipeline pipeline;
	if (b->unlinked && s->vs && s->fs && b->n == 2)
		return build_libraries(d, b, s, &info, &rendering, cache);
	RADV(vkCreateGraphicsPipelines, d->handle, cache, 1, &info, NULL, &pipeline);
	return pipeline;
}

static VkPipeline build(struct radv_device *d, const struct radv_build *b, const struct stages *s,
			VkPipelineCreateFlags flags, VkPipelineCache cache)
{
	VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .flags = flags,
					    .stage = s->info[0], .layout = b->layout};
	VkPipeline pipeline;
	if (!s->compute)
		return build_graphics(d, b, s, flags, cache);
	RADV(vkCreateComputePipelines, d->handle, cache, 1, &info, NULL, &pipeline);
	return pipeline;
}

static void prepare(struct radv_device *d, struct radv_build *b, struct stages *s)
{
	make_layout(d, b);
	make_stages(d, b, s);
	find_targets(b, s);
	find_attributes(b, s->vs);
	fix_state(b, s);
}

void radv_build_run(struct radv_device *d, struct radv_build *b)
{
	struct stages s;
	VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
	prepare(d, b, &s);
	RADV(vkCreatePipelineCache, d->handle, &info, NULL, &b->cache);
	build(d, b, &s, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, b->cache);
	b->captured = build(d, b, &s,
			    VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
				    VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
			    VK_NULL_HANDLE);
}

void radv_build_statistics(struct radv_device *d, struct radv_build *b)
{
	struct stages s;
	prepare(d, b, &s);
	b->captured = build(d, b, &s, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, VK_NULL_HANDLE);
}
