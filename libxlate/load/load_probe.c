/* load_probe.c - a fixed-function state where the host's is not known: what the package says it was, and else one that fits the
 * inputs and outputs of the programs, so that the driver compiles them: four floats or integers an attribute and an attachment. */
#include "load_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { ATTRIBUTES = LOAD_ATTRIBUTES, TARGETS = LOAD_TARGETS };
struct probe {
	VkVertexInputBindingDescription binding[ATTRIBUTES];
	VkVertexInputAttributeDescription attribute[ATTRIBUTES];
	VkAttachmentDescription attachment[TARGETS + 1]; /* the last one: depth */
	VkAttachmentReference ref[TARGETS];
	VkPrimitiveTopology topology;
	uint32_t nattribute, nattachment, ntarget;
	uint32_t nbinding;
	bool fragment, patches;
	struct load_record record;
};

static VkFormat format(char type)
{
	return type == 'f' ? VK_FORMAT_R32G32B32A32_SFLOAT : type == 'i' ? VK_FORMAT_R32G32B32A32_SINT :
		type == 'u' ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_UNDEFINED;
}

static const char *inputs(struct probe *p, const struct load_iface *f, const VkPhysicalDeviceLimits *limits)
{
	for (uint32_t i = 0; i < f->ninput; i++) {
		const struct load_slot *s = &f->input[i];
		uint32_t k = 0, rows = s->array ? s->array : 1;

		if (format(s->type) == VK_FORMAT_UNDEFINED)
			return "a vertex input that is not of 32 bits";
		for (uint32_t r = 0; r < rows; r++) {
			uint32_t location = s->location + r;

			for (k = 0; k < p->nattribute && p->attribute[k].location != location;)
				k++;
			if (k < p->nattribute)
				continue; /* another component of it */
			if (k == ATTRIBUTES || location >= limits->maxVertexInputAttributes || k >= limits->maxVertexInputBindings)
				return "more vertex inputs than the device has";
			p->attribute[k] = (VkVertexInputAttributeDescription){ location, k, format(s->type), 0 };
			p->binding[k] = (VkVertexInputBindingDescription){ k, 16, VK_VERTEX_INPUT_RATE_VERTEX };
			p->nbinding = ++p->nattribute;
		}
	}
	return NULL;
}

static const char *outputs(struct probe *p, const struct load_iface *f, const VkPhysicalDeviceLimits *limits)
{
	for (uint32_t i = 0; i < f->noutput; i++) {
		const struct load_slot *s = &f->output[i];
		VkAttachmentDescription *a = &p->attachment[p->nattachment];

		if (format(s->type) == VK_FORMAT_UNDEFINED)
			return "a colour output that is not of 32 bits";
		if (s->location >= TARGETS || s->location >= limits->maxColorAttachments || s->array > 1)
			return "more colour outputs than the device has";
		for (; p->ntarget <= s->location; p->ntarget++)
			p->ref[p->ntarget] = (VkAttachmentReference){ VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED };
		if (p->ref[s->location].attachment != VK_ATTACHMENT_UNUSED)
			continue; /* another component, or a second source */
		*a = (VkAttachmentDescription){ 0, p->record.color[s->location] ? p->record.color[s->location] : format(s->type),
			p->record.samples, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
			VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE,
			VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
		p->ref[s->location] = (VkAttachmentReference){ p->nattachment++, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	}
	return NULL;
}

static const char *look(struct probe *p, const struct load_iface *const *iface, const struct load_module *module, uint32_t n,
			const VkPhysicalDeviceLimits *limits)
{
	const char *bad = NULL;
	bool vertex = false;

	p->topology = p->record.topology < VK_PRIMITIVE_TOPOLOGY_MAX_ENUM ? p->record.topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	for (uint32_t i = 0; i < n && !bad; i++) {
		switch (iface[i]->stage) {
		case VK_SHADER_STAGE_VERTEX_BIT:
			vertex = true;
			bad = p->record.inputs ? NULL : inputs(p, iface[i], limits);
			break;
		case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
		case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
			p->patches = true;
			break;
		case VK_SHADER_STAGE_GEOMETRY_BIT:
			/* strips and fans come to it as triangles */
			if (module[i].topology != UINT32_MAX && (module[i].topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
			    p->topology < VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST || p->topology > VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN))
				p->topology = (VkPrimitiveTopology)module[i].topology;
			break;
		case VK_SHADER_STAGE_FRAGMENT_BIT:
			p->fragment = true;
			bad = outputs(p, iface[i], limits);
			break;
		default:
			bad = "a stage that is not of a vertex pipeline";
		}
	}
	if (p->patches)
		p->topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
	return bad || vertex ? bad : "no vertex program";
}

/* Render passes live as long as the loader: pipeline libraries are shared by the pass that they were made for. */
static VkRenderPass render_pass(struct xl_loader *l, struct probe *p)
{
	VkAttachmentReference depth = { p->nattachment, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
	VkSubpassDescription sub = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = p->ntarget,
		.pColorAttachments = p->ref, .pDepthStencilAttachment = p->record.depth ? &depth : NULL };
	VkRenderPassCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = p->nattachment + (p->record.depth != 0), .pAttachments = p->attachment, .subpassCount = 1,
		.pSubpasses = &sub };
	uint32_t of[TARGETS + 2] = { VK_FORMAT_UNDEFINED }; /* what tells passes apart */
	struct load_pass *k, **first;
	struct load_hash hash;

	for (uint32_t i = 0; i < p->ntarget; i++) {
		if (p->ref[i].attachment != VK_ATTACHMENT_UNUSED)
			of[i] = (uint32_t)p->attachment[p->ref[i].attachment].format;
	}
	of[TARGETS] = (uint32_t)p->record.depth;
	of[TARGETS + 1] = (uint32_t)p->record.samples;
	p->attachment[p->nattachment] = (VkAttachmentDescription){ 0, p->record.depth, p->record.samples, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE,
		VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
	hash = load_hash_of(of, sizeof(of));
	first = &l->layouts.pass[hash.v[0] % LOAD_BUCKETS];
	pthread_mutex_lock(&l->layouts.lock);
	for (k = *first; k && !load_hash_equal(k->hash, hash);)
		k = k->next;
	if (!k) {
		k = calloc(1, sizeof(*k));
		if (k && l->vk.vkCreateRenderPass(l->info.device, &ci, NULL, &k->pass)) {
			free(k);
			k = NULL;
		}
		if (k) {
			k->hash = hash;
			k->next = *first;
			*first = k;
		}
	}
	pthread_mutex_unlock(&l->layouts.lock);
	return k ? k->pass : VK_NULL_HANDLE;
}

void load_probe_free(struct xl_loader *l)
{
	for (unsigned i = 0; i < LOAD_BUCKETS; i++) {
		for (struct load_pass *k = l->layouts.pass[i], *next; k; k = next) {
			next = k->next;
			l->vk.vkDestroyRenderPass(l->info.device, k->pass, NULL);
			free(k);
		}
	}
}

static const char *probe(struct probe *p, struct xl_loader *l, const char *recorded, const struct load_iface *const *iface,
			 const struct load_module *module, uint32_t n)
{
	struct load_record *r = &p->record;

	load_record_read(r, l, recorded, iface, n);
	if (r->inputs) {
		memcpy(p->binding, r->binding, sizeof(p->binding));
		memcpy(p->attribute, r->attribute, sizeof(p->attribute));
		p->nbinding = r->nbinding;
		p->nattribute = r->nattribute;
	}
	return look(p, iface, module, n, &l->facts.device.limits);
}

/* Lists restart only where a device says so. */
static bool restarts(VkPrimitiveTopology t)
{
	return t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP || t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ||
		t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY || t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

struct load_state *load_probe_state(struct xl_loader *l, const char *recorded, const struct load_iface *const *iface,
				    const struct load_module *module, uint32_t n, char *why, size_t cap)
{
	struct probe p = { .nattribute = 0 };
	const char *bad = probe(&p, l, recorded, iface, module, n);
	struct load_fixed *f = &p.record.fixed;
	VkPipelineVertexInputStateCreateInfo input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = p.nbinding, .pVertexBindingDescriptions = p.binding,
		.vertexAttributeDescriptionCount = p.nattribute, .pVertexAttributeDescriptions = p.attribute };
	VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = p.topology,
		.primitiveRestartEnable = f->restart && restarts(p.topology) };
	VkPipelineTessellationStateCreateInfo tess = { .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
		.patchControlPoints = p.record.patch_points ? p.record.patch_points : 3 };
	VkPipelineViewportStateCreateInfo viewport = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = f->dynamic[0] == VK_DYNAMIC_STATE_VIEWPORT, .scissorCount = f->dynamic[1] == VK_DYNAMIC_STATE_SCISSOR };
	VkPipelineDynamicStateCreateInfo dynamic = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
		.dynamicStateCount = f->ndynamic, .pDynamicStates = f->dynamic };
	VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pVertexInputState = &input, .pInputAssemblyState = &assembly, .pTessellationState = p.patches ? &tess : NULL,
		.pViewportState = &viewport, .pRasterizationState = &f->raster, .pMultisampleState = &f->samples,
		.pDepthStencilState = &f->depth, .pColorBlendState = &f->color, .pDynamicState = &dynamic };

	if (bad) {
		snprintf(why, cap, "%s", bad);
		return NULL;
	}
	f->raster.rasterizerDiscardEnable |= !p.fragment;
	f->samples.rasterizationSamples = p.record.samples;
	f->color.attachmentCount = p.ntarget;
	f->color.pAttachments = f->blend;
	info.renderPass = render_pass(l, &p);
	if (info.renderPass)
		return load_state_copy(&info, why, cap);
	snprintf(why, cap, "no render pass");
	return NULL;
}
