/* load_fixed.c - rasterizer, tests and blending as a package says that a pipeline was captured with: lines of its state into
 * Vulkan's structures. Untrusted like all of a package: what Vulkan or the device does not allow is left out, and what stood there
 * before takes its place. Names of lines are those of record facts, with dashes. */
#include "load_int.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* How a number becomes a member of 32 bits: as it is, or the bits of a float from `least` to `most`. */
enum kind { NUMBER, FLOAT };
enum { NO_FEATURE = -1 };
struct row {
	const char *name;
	size_t at;     /* in struct load_fixed */
	enum kind kind;
	double most;   /* largest number; floats: the largest magnitude, or with `unit` 1 and not below 0 */
	bool unit;
	int feature;   /* in VkPhysicalDeviceFeatures: what values other than 0 need */
};
#define AT(member) offsetof(struct load_fixed, member)
#define FEATURE(name) (int)offsetof(VkPhysicalDeviceFeatures, name)
#define FACE(name, face) \
	{ "stencil-" name "-fail", AT(depth.face.failOp), NUMBER, 7, false, NO_FEATURE }, \
	{ "stencil-" name "-pass", AT(depth.face.passOp), NUMBER, 7, false, NO_FEATURE }, \
	{ "stencil-" name "-depth-fail", AT(depth.face.depthFailOp), NUMBER, 7, false, NO_FEATURE }, \
	{ "stencil-" name "-compare", AT(depth.face.compareOp), NUMBER, 7, false, NO_FEATURE }, \
	{ "stencil-" name "-compare-mask", AT(depth.face.compareMask), NUMBER, UINT32_MAX, false, NO_FEATURE }, \
	{ "stencil-" name "-write-mask", AT(depth.face.writeMask), NUMBER, UINT32_MAX, false, NO_FEATURE }, \
	{ "stencil-" name "-reference", AT(depth.face.reference), NUMBER, UINT32_MAX, false, NO_FEATURE }
static const struct row rows[] = {
	{ "primitive-restart", AT(restart), NUMBER, 1, false, NO_FEATURE },
	{ "depth-clamp", AT(raster.depthClampEnable), NUMBER, 1, false, FEATURE(depthClamp) },
	{ "rasterizer-discard", AT(raster.rasterizerDiscardEnable), NUMBER, 1, false, NO_FEATURE },
	{ "polygon-mode", AT(raster.polygonMode), NUMBER, VK_POLYGON_MODE_POINT, false, FEATURE(fillModeNonSolid) },
	{ "cull-mode", AT(raster.cullMode), NUMBER, VK_CULL_MODE_FRONT_AND_BACK, false, NO_FEATURE },
	{ "front-face", AT(raster.frontFace), NUMBER, VK_FRONT_FACE_CLOCKWISE, false, NO_FEATURE },
	{ "depth-bias", AT(raster.depthBiasEnable), NUMBER, 1, false, NO_FEATURE },
	{ "depth-bias-constant", AT(raster.depthBiasConstantFactor), FLOAT, HUGE_VAL, false, NO_FEATURE },
	{ "depth-bias-clamp", AT(raster.depthBiasClamp), FLOAT, HUGE_VAL, false, FEATURE(depthBiasClamp) },
	{ "depth-bias-slope", AT(raster.depthBiasSlopeFactor), FLOAT, HUGE_VAL, false, NO_FEATURE },
	{ "alpha-to-coverage", AT(samples.alphaToCoverageEnable), NUMBER, 1, false, NO_FEATURE },
	{ "alpha-to-one", AT(samples.alphaToOneEnable), NUMBER, 1, false, FEATURE(alphaToOne) },
	{ "min-sample-shading", AT(samples.minSampleShading), FLOAT, 1, true, FEATURE(sampleRateShading) },
	{ "depth-test", AT(depth.depthTestEnable), NUMBER, 1, false, NO_FEATURE },
	{ "depth-writes", AT(depth.depthWriteEnable), NUMBER, 1, false, NO_FEATURE },
	{ "depth-compare", AT(depth.depthCompareOp), NUMBER, VK_COMPARE_OP_ALWAYS, false, NO_FEATURE },
	{ "depth-bounds", AT(depth.depthBoundsTestEnable), NUMBER, 1, false, FEATURE(depthBounds) },
	{ "depth-bounds-min", AT(depth.minDepthBounds), FLOAT, 1, true, NO_FEATURE },
	{ "depth-bounds-max", AT(depth.maxDepthBounds), FLOAT, 1, true, NO_FEATURE },
	{ "stencil-test", AT(depth.stencilTestEnable), NUMBER, 1, false, NO_FEATURE },
	FACE("front", front), FACE("back", back),
	{ "blend-constant-red", AT(color.blendConstants[0]), FLOAT, HUGE_VAL, false, NO_FEATURE },
	{ "blend-constant-green", AT(color.blendConstants[1]), FLOAT, HUGE_VAL, false, NO_FEATURE },
	{ "blend-constant-blue", AT(color.blendConstants[2]), FLOAT, HUGE_VAL, false, NO_FEATURE },
	{ "blend-constant-alpha", AT(color.blendConstants[3]), FLOAT, HUGE_VAL, false, NO_FEATURE },
};

static bool has(const struct xl_loader *l, int feature)
{
	VkBool32 v;

	if (feature == NO_FEATURE)
		return true;
	memcpy(&v, (const char *)&l->facts.feature.core + feature, sizeof(v));
	return v;
}

static float real(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static bool fits(const struct row *r, uint64_t v)
{
	if (v > UINT32_MAX)
		return false;
	if (r->kind == NUMBER)
		return (double)v <= r->most;
	return isfinite(real((uint32_t)v)) && (!r->unit || (real((uint32_t)v) >= 0 && real((uint32_t)v) <= r->most));
}

static void blend(struct load_fixed *f, const struct xl_loader *l, const uint32_t v[9])
{
	const bool two = l->facts.feature.core.dualSrcBlend;
	const uint32_t factor = two ? VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA : VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;

	if (v[0] >= LOAD_TARGETS || v[1] > 1 || v[2] > factor || v[3] > factor || v[4] > VK_BLEND_OP_MAX || v[5] > factor ||
	    v[6] > factor || v[7] > VK_BLEND_OP_MAX || v[8] > 15)
		return;
	f->blend[v[0]] = (VkPipelineColorBlendAttachmentState){ v[1], (VkBlendFactor)v[2], (VkBlendFactor)v[3], (VkBlendOp)v[4],
		(VkBlendFactor)v[5], (VkBlendFactor)v[6], (VkBlendOp)v[7], v[8] };
}

/* A state that is set while drawing. Viewport and scissor always are. */
static void dynamic(struct load_fixed *f, const struct xl_loader *l, uint32_t s)
{
	bool old = s >= VK_DYNAMIC_STATE_LINE_WIDTH && s <= VK_DYNAMIC_STATE_STENCIL_REFERENCE;
	bool new = (s >= VK_DYNAMIC_STATE_CULL_MODE && s <= VK_DYNAMIC_STATE_STENCIL_OP) ||
		s == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE || s == VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE ||
		s == VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE;

	if (!old && (!new || l->facts.minor < 3))
		return;
	if (s == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT || s == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) {
		f->dynamic[s == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT] = (VkDynamicState)s;
		return;
	}
	for (uint32_t i = 0; i < f->ndynamic; i++) {
		if (f->dynamic[i] == (VkDynamicState)s)
			return;
	}
	f->dynamic[f->ndynamic++] = (VkDynamicState)s; /* there are less of those above than rows */
}

static void number(struct load_fixed *f, const struct xl_loader *l, const char *name, uint64_t v)
{
	const float *width = l->facts.device.limits.lineWidthRange;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		uint32_t bits = (uint32_t)v;

		if (*name != *r->name || strcmp(name, r->name))
			continue;
		if (fits(r, v) && (!v || has(l, r->feature)))
			memcpy((char *)f + r->at, &bits, sizeof(bits));
		return;
	}
	if (!strcmp(name, "sample-mask")) {
		f->mask[0] = (uint32_t)v;
		f->mask[1] = (uint32_t)(v >> 32);
		f->samples.pSampleMask = f->mask;
	} else if (!strcmp(name, "logic-op") && v <= VK_LOGIC_OP_SET && l->facts.feature.core.logicOp) {
		f->color.logicOpEnable = VK_TRUE;
		f->color.logicOp = (VkLogicOp)v;
	} else if (!strcmp(name, "line-width") && v <= UINT32_MAX && l->facts.feature.core.wideLines &&
		   real((uint32_t)v) >= width[0] && real((uint32_t)v) <= width[1]) {
		f->raster.lineWidth = real((uint32_t)v);
	} else if (!strcmp(name, "dynamic") && v <= UINT32_MAX) {
		dynamic(f, l, (uint32_t)v);
	}
}

void load_fixed_init(struct load_fixed *f)
{
	memset(f, 0, sizeof(*f));
	f->raster = (VkPipelineRasterizationStateCreateInfo){ .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.lineWidth = 1 };
	f->samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
	f->depth = (VkPipelineDepthStencilStateCreateInfo){ .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
		.maxDepthBounds = 1 };
	f->color.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
	for (uint32_t i = 0; i < LOAD_TARGETS; i++)
		f->blend[i].colorWriteMask = 15;
	f->dynamic[0] = VK_DYNAMIC_STATE_VIEWPORT;
	f->dynamic[1] = VK_DYNAMIC_STATE_SCISSOR;
	f->ndynamic = 2;
}

const char *load_numbers(const char *s, const char *form, uint32_t *v)
{
	for (; *form; form++) {
		uint64_t n = 0;

		if (*form != '#') {
			if (*s++ != *form)
				return NULL;
			continue;
		}
		if (*s < '0' || *s > '9')
			return NULL;
		for (; *s >= '0' && *s <= '9'; s++) {
			n = n * 10 + (uint64_t)(*s - '0');
			if (n > UINT32_MAX)
				return NULL;
		}
		*v++ = (uint32_t)n;
	}
	return s;
}

void load_fixed_line(struct load_fixed *f, const struct xl_loader *l, const char *s)
{
	size_t k = strcspn(s, " ");
	uint32_t v[9];
	char name[32];

	if (load_numbers(s, "blend # enable # color # # # alpha # # # mask #", v)) {
		blend(f, l, v);
	} else if (k < sizeof(name) && s[k] && s[k + 1] >= '0' && s[k + 1] <= '9') {
		memcpy(name, s, k);
		name[k] = 0;
		number(f, l, name, strtoull(s + k + 1, NULL, 10));
	}
}

void load_fixed_end(struct load_fixed *f, const struct xl_loader *l)
{
	f->samples.sampleShadingEnable = f->samples.minSampleShading > 0;
	if (f->depth.minDepthBounds > f->depth.maxDepthBounds) {
		f->depth.depthBoundsTestEnable = VK_FALSE;
		f->depth.minDepthBounds = 0;
		f->depth.maxDepthBounds = 1;
	}
	/* Where attachments must be blended alike they are, or not at all. */
	for (uint32_t i = 1; i < LOAD_TARGETS && !l->facts.feature.core.independentBlend; i++) {
		if (memcmp(&f->blend[i], &f->blend[0], sizeof(f->blend[0])) && f->blend[i].blendEnable)
			f->blend[0].blendEnable = VK_FALSE;
		f->blend[i] = f->blend[0];
	}
}
