#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "xfb.h"

enum { MAX_ATTRIBUTES = 28, MAX_TARGETS = 8, VERTICES = 32, MAX_ATTACHMENTS = 2 * MAX_TARGETS + RESOURCES_ATTACHMENTS + 1 };

struct draw {
	struct device *device;
	struct resources *resources;
	const struct spvinfo *iface, *vs, *fs;
	int n, nstages;
	const struct draw_options *options;
	bool feedback, captures, patches, meshes, dual_source, depth_output;
	uint32_t vertex_count, first_vertex;
	VkVertexInputBindingDescription bindings[MAX_ATTRIBUTES];
	VkVertexInputAttributeDescription attributes[MAX_ATTRIBUTES];
	struct buffer vertices[MAX_ATTRIBUTES];
	uint32_t nattributes;
	struct image targets[MAX_TARGETS], resolved[MAX_TARGETS], depth;
	uint32_t target_location[MAX_TARGETS];
	uint32_t ntargets;
	VkAttachmentDescription attachments[MAX_ATTACHMENTS];
	VkImageView views[MAX_ATTACHMENTS];
	VkClearValue clears[MAX_ATTACHMENTS];
	uint32_t nattachments, ncolors;
	VkAttachmentReference colors[MAX_TARGETS], resolves[MAX_TARGETS], inputs[RESOURCES_ATTACHMENTS], depth_ref;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline pipeline;
};

static VkFormat attribute_format(char base, uint32_t count, uint32_t width)
{
	/* formats of 1 to 4 components stand three apart, from the one-component format on */
	VkFormat first = width == 64   ? VK_FORMAT_R64_SFLOAT
			 : base == 'f' ? VK_FORMAT_R32_SFLOAT
			 : base == 'i' ? VK_FORMAT_R32_SINT
				       : VK_FORMAT_R32_UINT;
	return (VkFormat)(first + 3 * (count - 1));
}

static void fill_vertices(const struct slot *s, bool tame, uint8_t *data, uint64_t size)
{
	struct rng rng;
	inputs_seed(&rng, 1000, s->location, 7);
	uint32_t step = s->width == 64 ? 8 : 4;
	for (uint64_t q = 0; q < size; q += step) {
		if (s->width != 64 && s->base != 'f') {
			uint32_t u = inputs_next(&rng) % (tame ? 2 : 4);
			memcpy(data + q, &u, 4);
			continue;
		}
		double wide = (double)((int)(inputs_next(&rng) % 13) - 4) * 0.25;
		float f = (float)wide;
		memcpy(data + q, s->width == 64 ? (const void *)&wide : (const void *)&f, step);
	}
}

static void add_attribute(struct draw *w, const struct slot *s)
{
	for (uint32_t k = 0; k < w->nattributes; k++) {
		if (w->attributes[k].location == s->location) {
			w->attributes[k].format = attribute_format(s->base, 4, s->width);
			return;
		}
	}
	if (w->nattributes == MAX_ATTRIBUTES || s->width < 32)
		child_exit(w->device->slot, CHILD_REFUSED, "FAIL vertex input");
	uint32_t i = w->nattributes++, stride = s->width == 64 ? 32 : 16;
	VkFormat format = attribute_format(s->base, s->component ? 4 : s->count, s->width);
	w->attributes[i] = (VkVertexInputAttributeDescription){s->location, i, format, 0};
	bool by_instance = s->location < 32 && w->options->instance_rate >> s->location & 1;
	w->bindings[i] = (VkVertexInputBindingDescription){
		i, stride, by_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
	w->vertices[i] = device_buffer(w->device, stride * VERTICES, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
	fill_vertices(s, w->resources->tame, w->vertices[i].data, stride * VERTICES);
	struct record *rec = outputs_add(&w->resources->inputs, "vattr", w->vertices[i].data, stride * VERTICES);
	rec->a = s->location;
	rec->b = i;
	rec->format = format;
	rec->width = stride;
	rec->height = VERTICES;
}

static uint32_t add_attachment(struct draw *w, const struct image *im, VkAttachmentLoadOp load)
{
	uint32_t i = w->nattachments++;
	w->attachments[i] = (VkAttachmentDescription){0,
						      im->format.vk,
						      (VkSampleCountFlagBits)im->samples,
						      load,
						      VK_ATTACHMENT_STORE_OP_STORE,
						      VK_ATTACHMENT_LOAD_OP_DONT_CARE,
						      VK_ATTACHMENT_STORE_OP_DONT_CARE,
						      VK_IMAGE_LAYOUT_GENERAL,
						      VK_IMAGE_LAYOUT_GENERAL};
	w->views[i] = im->view;
	return i;
}

static void add_target(struct draw *w, const struct slot *s)
{
	if (s->second_source) {
		w->dual_source = true;
		return;
	}
	if (s->location >= MAX_TARGETS)
		child_exit(w->device->slot, CHILD_REFUSED, "FAIL color location %u", s->location);
	if (w->colors[s->location].attachment != VK_ATTACHMENT_UNUSED)
		return;
	struct image_spec spec = {.format = image_format_of(SpvImageFormatUnknown, s->base, false),
				  .use = IMAGE_COLOR,
				  .dim = SpvDim2D,
				  .extent = DRAW_SIZE,
				  .arrayed = w->options->layers > 1};
	struct rng none;
	if (w->options->samples > 1) {
		w->resolved[w->ntargets] = image_create(w->device, &spec, NULL);
		w->resolves[s->location].attachment =
			add_attachment(w, &w->resolved[w->ntargets], VK_ATTACHMENT_LOAD_OP_DONT_CARE);
		spec.multisampled = true;
		inputs_seed(&none, 0, 0, 0);
	}
	w->targets[w->ntargets] = image_create(w->device, &spec, &none);
	w->target_location[w->ntargets] = s->location;
	uint32_t i = add_attachment(w, &w->targets[w->ntargets++], VK_ATTACHMENT_LOAD_OP_CLEAR);
	w->colors[s->location].attachment = i;
	if (s->location + 1 > w->ncolors)
		w->ncolors = s->location + 1;
	for (int q = 0; q < 4; q++) {
		if (s->base == 'f')
			w->clears[i].color.float32[q] = DRAW_FLOAT_BACKGROUND;
		else
			w->clears[i].color.uint32[q] = DRAW_INT_BACKGROUND;
	}
}

static void make_targets(struct draw *w)
{
	struct device *d = w->device;
	struct resources *r = w->resources;
	for (int i = 0; i < MAX_TARGETS; i++)
		w->colors[i] = w->resolves[i] = (VkAttachmentReference){VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};
	for (int i = 0; w->fs && i < w->fs->nout; i++)
		add_target(w, &w->fs->out[i]);
	for (uint32_t i = 0; i < r->ninput_attachments; i++) {
		w->inputs[i] = (VkAttachmentReference){VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};
		if (r->input_attachments[i].handle)
			w->inputs[i].attachment =
				add_attachment(w, &r->input_attachments[i], VK_ATTACHMENT_LOAD_OP_LOAD);
	}
	if (w->depth_output) {
		struct image_spec spec = {.format = {VK_FORMAT_D32_SFLOAT, 4, 'f', CLASS_F32},
					  .use = IMAGE_DEPTH,
					  .dim = SpvDim2D,
					  .extent = DRAW_SIZE,
					  .arrayed = w->options->layers > 1,
					  .multisampled = w->options->samples > 1,
					  .depth = true};
		struct rng none;
		inputs_seed(&none, 0, 0, 0);
		w->depth = image_create(d, &spec, &none);
		w->depth_ref = (VkAttachmentReference){w->nattachments, VK_IMAGE_LAYOUT_GENERAL};
		w->clears[w->nattachments].depthStencil.depth = DRAW_DEPTH_BACKGROUND;
		add_attachment(w, &w->depth, VK_ATTACHMENT_LOAD_OP_CLEAR);
	}
	VkSubpassDescription sub = {.colorAttachmentCount = w->ncolors,
				    .pColorAttachments = w->colors,
				    .pResolveAttachments = w->options->samples > 1 ? w->resolves : NULL,
				    .inputAttachmentCount = r->ninput_attachments,
				    .pInputAttachments = w->inputs,
				    .pDepthStencilAttachment = w->depth_output ? &w->depth_ref : NULL};
	VkRenderPassCreateInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = w->nattachments,
				       .pAttachments = w->attachments, .subpassCount = 1, .pSubpasses = &sub};
	VK(d, vkCreateRenderPass, d->handle, &pass, NULL, &w->pass);
	VkFramebufferCreateInfo fb = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
				      .renderPass = w->pass,
				      .attachmentCount = w->nattachments,
				      .pAttachments = w->views,
				      .width = DRAW_SIZE,
				      .height = DRAW_SIZE,
				      .layers = w->options->layers > 1 ? 4 : 1};
	VK(d, vkCreateFramebuffer, d->handle, &fb, NULL, &w->framebuffer);
}

/* The second source must reach the picture: target 0 becomes source 0 plus background times source 1. */
static void blend_states(const struct draw *w, VkPipelineColorBlendAttachmentState *states)
{
	memset(states, 0, sizeof *states * MAX_TARGETS);
	for (int i = 0; i < MAX_TARGETS; i++)
		states[i].colorWriteMask = 15;
	if (!w->dual_source)
		return;
	states[0].blendEnable = 1;
	states[0].srcColorBlendFactor = states[0].srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
	states[0].dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
	states[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
}

static void make_pipeline(struct draw *w, const VkPipelineShaderStageCreateInfo *stages)
{
	struct device *d = w->device;
	VkPipelineVertexInputStateCreateInfo input = {
		VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = w->nattributes, .pVertexBindingDescriptions = w->bindings,
		.vertexAttributeDescriptionCount = w->nattributes, .pVertexAttributeDescriptions = w->attributes};
	VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
							   .topology = w->patches    ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
								       : w->feedback ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
										     : w->options->topology};
	VkPipelineTessellationStateCreateInfo tess = {VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
						      .patchControlPoints = 3};
	VkViewport views[2] = {{0, 0, DRAW_SIZE, DRAW_SIZE, 0, 1},
			       {DRAW_SIZE / 2, DRAW_SIZE / 2, DRAW_SIZE / 2, DRAW_SIZE / 2, 0, 1}};
	VkRect2D areas[2] = {{{0, 0}, {DRAW_SIZE, DRAW_SIZE}}, {{0, 0}, {DRAW_SIZE, DRAW_SIZE}}};
	VkPipelineViewportStateCreateInfo viewport = {
		VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = w->options->viewports,
		.pViewports = views, .scissorCount = w->options->viewports, .pScissors = areas};
	VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
							 .lineWidth = 1, .rasterizerDiscardEnable = w->feedback};
	VkPipelineMultisampleStateCreateInfo samples = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
							.rasterizationSamples =
								(VkSampleCountFlagBits)w->options->samples};
	VkPipelineDepthStencilStateCreateInfo depth = {
		VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthTestEnable = w->depth_output,
		.depthWriteEnable = w->depth_output, .depthCompareOp = w->options->depth_test ? (VkCompareOp)(w->options->depth_test - 1) : VK_COMPARE_OP_ALWAYS};
	VkPipelineColorBlendAttachmentState states[MAX_TARGETS];
	blend_states(w, states);
	VkPipelineColorBlendStateCreateInfo blend = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
						     .attachmentCount = w->ncolors, .pAttachments = states};
	VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
					     .stageCount = (uint32_t)w->nstages,
					     .pStages = stages,
					     .pVertexInputState = w->meshes ? NULL : &input,
					     .pInputAssemblyState = w->meshes ? NULL : &assembly,
					     .pTessellationState = w->patches ? &tess : NULL,
					     .pViewportState = &viewport,
					     .pRasterizationState = &raster,
					     .pMultisampleState = &samples,
					     .pDepthStencilState = &depth,
					     .pColorBlendState = &blend,
					     .layout = w->resources->layout,
					     .renderPass = w->pass};
	VK(d, vkCreateGraphicsPipelines, d->handle, VK_NULL_HANDLE, 1, &info, NULL, &w->pipeline);
}

/* Draws, and captures what buffers there are. */
static void draw_feedback(struct draw *w, const struct buffer captured[XFB_BUFFERS])
{
	struct device *d = w->device;
	PFN_vkCmdBindTransformFeedbackBuffersEXT bind = (PFN_vkCmdBindTransformFeedbackBuffersEXT)vkGetDeviceProcAddr(
		d->handle, "vkCmdBindTransformFeedbackBuffersEXT");
	PFN_vkCmdBeginTransformFeedbackEXT begin =
		(PFN_vkCmdBeginTransformFeedbackEXT)vkGetDeviceProcAddr(d->handle, "vkCmdBeginTransformFeedbackEXT");
	PFN_vkCmdEndTransformFeedbackEXT end =
		(PFN_vkCmdEndTransformFeedbackEXT)vkGetDeviceProcAddr(d->handle, "vkCmdEndTransformFeedbackEXT");
	VkDeviceSize offset = 0;
	if (!bind || !begin || !end)
		child_exit(d->slot, CHILD_REFUSED, "FAIL no transform feedback");
	for (uint32_t i = 0; i < XFB_BUFFERS; i++)
		if (captured[i].size)
			bind(d->commands, i, 1, &captured[i].handle, &offset, &captured[i].size);
	begin(d->commands, 0, 0, NULL, NULL);
	if (w->feedback)
		vkCmdDraw(d->commands, w->vertex_count, 2, w->first_vertex, 1);
	else
		vkCmdDraw(d->commands, w->options->vertices, w->options->instances, w->options->first_vertex,
			  w->options->first_instance);
	end(d->commands, 0, 0, NULL, NULL);
}

static void draw_meshes(struct device *d)
{
	PFN_vkCmdDrawMeshTasksEXT tasks =
		(PFN_vkCmdDrawMeshTasksEXT)vkGetDeviceProcAddr(d->handle, "vkCmdDrawMeshTasksEXT");
	if (!tasks)
		child_exit(d->slot, CHILD_REFUSED, "FAIL no mesh shader");
	tasks(d->commands, 2, 1, 1);
}

static void record_commands(struct draw *w, const struct buffer captured[XFB_BUFFERS])
{
	struct device *d = w->device;
	VkRect2D area = {{0, 0}, {DRAW_SIZE, DRAW_SIZE}};
	VkRenderPassBeginInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
				      .renderPass = w->pass,
				      .framebuffer = w->framebuffer,
				      .renderArea = area,
				      .clearValueCount = w->nattachments,
				      .pClearValues = w->clears};
	device_begin(d);
	vkCmdBeginRenderPass(d->commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, w->pipeline);
	resources_bind(d, w->resources, VK_PIPELINE_BIND_POINT_GRAPHICS);
	for (uint32_t i = 0; i < w->nattributes; i++) {
		VkDeviceSize offset = 0;
		vkCmdBindVertexBuffers(d->commands, i, 1, &w->vertices[i].handle, &offset);
	}
	if (w->feedback || w->captures)
		draw_feedback(w, captured);
	else if (w->meshes)
		draw_meshes(d);
	else
		vkCmdDraw(d->commands, w->options->vertices, w->options->instances, w->options->first_vertex,
			  w->options->first_instance);
	vkCmdEndRenderPass(d->commands);
	device_barrier(d, VK_NULL_HANDLE, 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED);
	device_submit(d);
}

static struct record *collect_picture(struct draw *w, const struct image *im, const char *kind, struct outputs *o)
{
	struct buffer b = image_read(w->device, im);
	struct record *r = outputs_add(o, kind, b.data, b.size);
	outputs_classify(r, 0, im->format.class, b.size / outputs_class_size(im->format.class));
	r->format = im->format.vk;
	r->width = DRAW_SIZE;
	r->height = DRAW_SIZE * im->layers;
	device_free_buffer(w->device, &b);
	return r;
}

static uint32_t float_word(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}

static void collect(struct draw *w, struct outputs *o)
{
	for (uint32_t i = 0; i < w->ntargets; i++) {
		struct record *r = collect_picture(w, w->options->samples > 1 ? &w->resolved[i] : &w->targets[i], "color", o);
		bool is_float = w->targets[i].format.class == CLASS_F32;
		r->a = w->target_location[i];
		if (w->resources->tame && !interface_writes(w->fs, r->a)) /* never stored: it may hold anything */
			memset(r->data, 0, r->size);
		r->background = is_float ? float_word(DRAW_FLOAT_BACKGROUND) : DRAW_INT_BACKGROUND;
		for (uint64_t q = 0; i == 0 && q < r->size; q += 16) {
			uint32_t word;
			memcpy(&word, r->data + q, 4);
			o->covered += word != float_word(DRAW_FLOAT_BACKGROUND) && word != DRAW_INT_BACKGROUND;
		}
	}
	if (w->depth_output && w->options->samples == 1)
		collect_picture(w, &w->depth, "depth", o)->background = float_word(DRAW_DEPTH_BACKGROUND);
}

static void find_stages(struct draw *w)
{
	for (int i = 0; i < w->n; i++) {
		switch (w->iface[i].stage) {
		case STAGE_VERT:
			w->vs = &w->iface[i];
			break;
		case STAGE_FRAG:
			w->fs = &w->iface[i];
			break;
		case STAGE_TESC:
			w->patches = true;
			break;
		case STAGE_MESH:
		case STAGE_TASK:
			w->meshes = true;
			break;
		}
	}
	w->feedback = w->vs && w->n == 1;
	/* a shader that indexes by the vertex number mostly has a table of three entries */
	bool indexed = w->vs && spvinfo_has_builtin(w->vs->builtin_in, w->vs->nbuiltin_in, SpvBuiltInVertexIndex);
	w->vertex_count = indexed ? 3 : 12;
	w->first_vertex = indexed ? 0 : 1;
	w->depth_output = w->fs && spvinfo_has_builtin(w->fs->builtin_out, w->fs->nbuiltin_out, SpvBuiltInFragDepth);
	w->depth_output |= w->fs && w->options->depth_test;
}

static VkPipelineShaderStageCreateInfo stage_of(struct device *d, const struct spvinfo *code, const uint32_t *words, size_t count)
{
	VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = count * 4, .pCode = words};
	VkShaderModule module;
	VK(d, vkCreateShaderModule, d->handle, &info, NULL, &module);
	return (VkPipelineShaderStageCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						 .stage = bindings_stage_bit(code->stage), .module = module, .pName = code->entry};
}

/* What the vertex module captures by itself, into buffers of so many vertices. */
static void own_buffers(struct draw *w, const struct xfb_own *own, uint32_t vertices, struct buffer captured[XFB_BUFFERS])
{
	for (uint32_t i = 0; i < XFB_BUFFERS; i++)
		if (own->stride[i])
			captured[i] = device_buffer(w->device, (uint64_t)own->stride[i] * vertices + 64,
						    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
}

/* Floats are what the original calls so. */
static void own_records(struct draw *w, struct xfb_own *own, uint32_t vertices, const struct buffer captured[XFB_BUFFERS],
			struct outputs *o)
{
	struct xfb_own original;

	own->nfloats = xfb_own_find(w->vs, &original) ? original.nfloats : 0;
	memcpy(own->floats, original.floats, sizeof own->floats);
	for (uint32_t i = 0; i < XFB_BUFFERS; i++)
		if (own->stride[i])
			xfb_own_record(own, i, captured[i].data, vertices, o);
}

/* A lone vertex shader, once more as it captures by itself. */
static void capture_own(struct draw *w, const struct spvinfo *code, struct outputs *o)
{
	struct xfb_own own;
	struct buffer captured[XFB_BUFFERS] = {{0}};
	VkPipelineShaderStageCreateInfo stage;

	if (!xfb_own_find(code, &own))
		return;
	stage = stage_of(w->device, code, code->words, code->count);
	make_pipeline(w, &stage);
	own_buffers(w, &own, 2 * w->vertex_count, captured);
	record_commands(w, captured);
	own_records(w, &own, 2 * w->vertex_count, captured, o);
}

void draw_run(struct device *d, struct resources *r, const struct spvinfo *iface, const struct spvinfo *code,
	      const struct spvinfo *added, int n, const struct draw_options *options, struct outputs *o)
{
	struct draw *w = calloc(1, sizeof *w);
	VkPipelineShaderStageCreateInfo stages[DRAW_STAGES];
	struct xfb x;
	struct xfb_own own;
	struct buffer captured[XFB_BUFFERS] = {{0}};
	w->device = d;
	w->resources = r;
	w->iface = iface;
	w->n = n;
	w->options = options;
	find_stages(w);
	if (w->meshes && !d->has_mesh)
		child_exit(d->slot, CHILD_REFUSED, "FAIL no mesh shader");
	if (w->feedback)
		xfb_rewrite(code, &x);
	for (int i = 0; i < n; i++)
		stages[i] = w->feedback ? stage_of(d, &code[i], x.words, x.count) : stage_of(d, &code[i], code[i].words, code[i].count);
	w->nstages = n;
	if (added)
		stages[w->nstages++] = stage_of(d, added, added->words, added->count);
	for (int i = 0; w->vs && i < w->vs->nin; i++)
		add_attribute(w, &w->vs->in[i]);
	make_targets(w);
	make_pipeline(w, stages);
	if (w->feedback && !x.stride)
		child_exit(d->slot, CHILD_REFUSED, "FAIL no outputs");
	if (w->feedback)
		captured[0] = device_buffer(d, (uint64_t)x.stride * 24 + 64,
					    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
	/* of a strip's or fan's vertices each but the first ones makes a triangle */
	uint32_t most = 3 * options->vertices * options->instances;
	w->captures = !w->feedback && n == 2 && !added && w->vs && xfb_own_find(&code[w->vs - iface], &own);
	if (w->captures)
		own_buffers(w, &own, most, captured);
	record_commands(w, captured);
	if (w->captures)
		own_records(w, &own, most, captured, o);
	if (w->feedback) {
		struct record *rec = xfb_record(&x, iface, captured[0].data, 2 * w->vertex_count, o);
		rec->a = w->first_vertex;
		rec->b = 1; /* first instance */
		o->covered = 2 * w->vertex_count;
		capture_own(w, code, o);
	}
	collect(w, o);
	free(w);
}
