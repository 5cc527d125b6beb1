/* load_state.c - the fixed-function state of a graphics pipeline: a deep copy of the host's, or one that fits the programs
 * where there is none. */
#include "load_int.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { PARTS = 4, MOST = 1024 /* rows of any array */, BLOCK = 64 /* most states are no larger */ };
struct block { struct block *next; size_t n, cap; max_align_t data[]; }; /* n, cap: in units of data */
struct copier { struct load_state *s; const char *bad; XXH3_state_t all, part[PARTS]; };

static void *memory(struct load_state *s, size_t n)
{
	struct block *b = s->memory;
	size_t units = (n + sizeof(b->data[0]) - 1) / sizeof(b->data[0]), cap = units > BLOCK ? units : BLOCK;
	void *p;

	if (!b || b->cap - b->n < units) {
		b = calloc(1, sizeof(*b) + cap * sizeof(b->data[0]));
		if (!b)
			return NULL;
		b->next = s->memory;
		b->cap = cap;
		s->memory = b;
	}
	p = b->data + b->n;
	b->n += units;
	return p;
}

/* Into the hash of the whole, and into those of the parts in the bit set. */
static void sum(struct copier *c, unsigned parts, const void *v, size_t n)
{
	XXH3_128bits_update(&c->all, v, n);
	for (unsigned i = 0; i < PARTS; i++) {
		if (parts >> i & 1)
			XXH3_128bits_update(&c->part[i], v, n);
	}
}

static void *copy(struct copier *c, unsigned parts, const void *v, size_t n, size_t size)
{
	void *p;

	if (n > MOST)
		c->bad = "an array of more than 1024 rows";
	if (c->bad || !n || !v)
		return NULL;
	p = memory(c->s, n * size);
	if (!p) {
		c->bad = "no memory for a state";
		return NULL;
	}
	memcpy(p, v, n * size);
	sum(c, parts, v, n * size);
	return p;
}

/* Copies a structure without its pNext (which must be empty) and sums its members from `first` to `last`: neither pointers
 * nor padding. */
#define STRUCT(c, parts, type, field, first, last) \
	structure(c, parts, &(c)->s->info.field, sizeof(type), offsetof(type, first), \
		  offsetof(type, last) + sizeof(((type *)0)->last) - offsetof(type, first))
static void *structure(struct copier *c, unsigned parts, void *field, size_t size, size_t from, size_t n)
{
	const VkBaseInStructure *in;
	uint32_t present;
	void *p;

	memcpy(&in, field, sizeof(in));
	present = in != NULL;
	sum(c, parts, &present, sizeof(present));
	if (!in || c->bad)
		return NULL;
	if (in->pNext) {
		c->bad = "a pNext that the loader does not know";
		return NULL;
	}
	p = memory(c->s, size);
	if (!p) {
		c->bad = "no memory for a state";
		return NULL;
	}
	memcpy(p, in, size);
	memcpy(field, &p, sizeof(p));
	sum(c, parts, (const char *)p + from, n);
	return p;
}

enum { VI = 1 << PART_VERTEX_INPUT, PR = 1 << PART_PRE_RASTER, FS = 1 << PART_FRAGMENT, FO = 1 << PART_OUTPUT };

static bool dynamic(const struct copier *c, VkDynamicState what)
{
	const VkPipelineDynamicStateCreateInfo *d = c->s->info.pDynamicState;

	for (uint32_t i = 0; d && i < d->dynamicStateCount; i++) {
		if (d->pDynamicStates[i] == what)
			return true;
	}
	return false;
}

static void copy_early(struct copier *c)
{
	VkPipelineDynamicStateCreateInfo *d =
		STRUCT(c, VI | PR | FS | FO, VkPipelineDynamicStateCreateInfo, pDynamicState, flags, dynamicStateCount);
	VkPipelineVertexInputStateCreateInfo *v;
	VkPipelineViewportStateCreateInfo *w;

	if (d)
		d->pDynamicStates = copy(c, VI | PR | FS | FO, d->pDynamicStates, d->dynamicStateCount, sizeof(*d->pDynamicStates));
	v = STRUCT(c, VI, VkPipelineVertexInputStateCreateInfo, pVertexInputState, flags, vertexBindingDescriptionCount);
	if (v) {
		v->pVertexBindingDescriptions = copy(c, VI, v->pVertexBindingDescriptions, v->vertexBindingDescriptionCount,
						     sizeof(*v->pVertexBindingDescriptions));
		v->pVertexAttributeDescriptions = copy(c, VI, v->pVertexAttributeDescriptions,
						       v->vertexAttributeDescriptionCount,
						       sizeof(*v->pVertexAttributeDescriptions));
	}
	STRUCT(c, VI, VkPipelineInputAssemblyStateCreateInfo, pInputAssemblyState, flags, primitiveRestartEnable);
	STRUCT(c, PR, VkPipelineTessellationStateCreateInfo, pTessellationState, flags, patchControlPoints);
	w = STRUCT(c, PR, VkPipelineViewportStateCreateInfo, pViewportState, flags, viewportCount);
	if (w) {
		sum(c, PR, &w->scissorCount, sizeof(w->scissorCount));
		w->pViewports = dynamic(c, VK_DYNAMIC_STATE_VIEWPORT) ? NULL :
			copy(c, PR, w->pViewports, w->viewportCount, sizeof(*w->pViewports));
		w->pScissors = dynamic(c, VK_DYNAMIC_STATE_SCISSOR) ? NULL :
			copy(c, PR, w->pScissors, w->scissorCount, sizeof(*w->pScissors));
	}
	STRUCT(c, PR, VkPipelineRasterizationStateCreateInfo, pRasterizationState, flags, lineWidth);
}

static void copy_late(struct copier *c)
{
	VkPipelineMultisampleStateCreateInfo *m =
		STRUCT(c, FS | FO, VkPipelineMultisampleStateCreateInfo, pMultisampleState, flags, minSampleShading);
	VkPipelineColorBlendStateCreateInfo *b;

	if (m) {
		m->pSampleMask = copy(c, FS | FO, m->pSampleMask, ((uint32_t)m->rasterizationSamples + 31) / 32,
				      sizeof(*m->pSampleMask));
		sum(c, FS | FO, &m->alphaToCoverageEnable, sizeof(m->alphaToCoverageEnable));
		sum(c, FS | FO, &m->alphaToOneEnable, sizeof(m->alphaToOneEnable));
	}
	STRUCT(c, FS, VkPipelineDepthStencilStateCreateInfo, pDepthStencilState, flags, maxDepthBounds);
	b = STRUCT(c, FO, VkPipelineColorBlendStateCreateInfo, pColorBlendState, flags, attachmentCount);
	if (b) {
		b->pAttachments = copy(c, FO, b->pAttachments, b->attachmentCount, sizeof(*b->pAttachments));
		sum(c, FO, b->blendConstants, sizeof(b->blendConstants));
	}
}

static void copy_rendering(struct copier *c)
{
	const VkPipelineRenderingCreateInfo *in = c->s->info.pNext;
	VkPipelineRenderingCreateInfo *r;
	uint32_t subpass = c->s->info.subpass;

	sum(c, PR | FS | FO, &subpass, sizeof(subpass));
	/* A handle is of this run only: it is no part of what the journal remembers. */
	for (unsigned i = PART_PRE_RASTER; i < PARTS; i++)
		XXH3_128bits_update(&c->part[i], &c->s->info.renderPass, sizeof(c->s->info.renderPass));
	c->s->info.pNext = NULL;
	if (!in)
		return;
	if (in->sType != VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO || in->pNext) {
		c->bad = "a pNext that the loader does not know";
		return;
	}
	r = memory(c->s, sizeof(*r));
	if (!r) {
		c->bad = "no memory for a state";
		return;
	}
	*r = *in;
	c->s->info.pNext = r;
	sum(c, PR | FS | FO, &r->viewMask, sizeof(r->viewMask));
	r->pColorAttachmentFormats = copy(c, FS | FO, in->pColorAttachmentFormats, in->colorAttachmentCount,
					  sizeof(*in->pColorAttachmentFormats));
	sum(c, FS | FO, &r->depthAttachmentFormat, sizeof(r->depthAttachmentFormat));
	sum(c, FS | FO, &r->stencilAttachmentFormat, sizeof(r->stencilAttachmentFormat));
}

static struct load_hash digest(const XXH3_state_t *s)
{
	XXH128_hash_t h = XXH3_128bits_digest(s);

	return (struct load_hash){ { h.low64, h.high64 } };
}

struct load_state *load_state_copy(const VkGraphicsPipelineCreateInfo *info, char *why, size_t cap)
{
	const VkPipelineCreateFlags drop = VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
		VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT | VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT |
		VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
	struct load_state *s = calloc(1, sizeof(*s));
	struct copier c;

	c.s = s;
	c.bad = s ? NULL : "no memory for a state";
	if (s) {
		(void)XXH3_128bits_reset(&c.all); /* it fails for no state at all */
		for (unsigned i = 0; i < PARTS; i++)
			(void)XXH3_128bits_reset(&c.part[i]);
		s->info = *info;
		s->info.flags &= ~drop;
		s->info.stageCount = 0;
		s->info.pStages = NULL;
		s->info.basePipelineHandle = VK_NULL_HANDLE;
		s->info.basePipelineIndex = -1;
		sum(&c, VI | PR | FS | FO, &s->info.flags, sizeof(s->info.flags));
		copy_early(&c);
		copy_late(&c);
		copy_rendering(&c);
		s->hash = digest(&c.all);
		for (unsigned i = 0; i < PARTS; i++)
			s->part[i] = digest(&c.part[i]);
	}
	if (!c.bad)
		return s;
	snprintf(why, cap, "%s", c.bad);
	load_state_free(s);
	return NULL;
}

void load_state_free(struct load_state *s)
{
	if (!s)
		return;
	for (struct block *b = s->memory, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(s);
}
