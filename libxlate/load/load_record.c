/* load_record.c - the fixed-function state that a package says a pipeline was captured with. It is untrusted like all of a
 * package: what the device or the programs do not go together with is left out, and the state that fits takes its place. */
#include "load_int.h"

/* What a shader sees of a format: 'f', 'i', 'u'; '?' for those that no vertex buffer or colour attachment has with 32 bits.
 * Vulkan's formats come in runs of like size: UNORM, SNORM, USCALED, SSCALED, UINT, SINT, and SRGB or SFLOAT. */
static char numeric(uint32_t f)
{
	static const char eight[] = "ffffuif", ten[] = "ffffui", wide[] = "uif";

	if (f >= VK_FORMAT_R8_UNORM && f <= VK_FORMAT_A8B8G8R8_SRGB_PACK32)
		return eight[(f - VK_FORMAT_R8_UNORM) % 7];
	if (f >= VK_FORMAT_A2R10G10B10_UNORM_PACK32 && f <= VK_FORMAT_A2B10G10R10_SINT_PACK32)
		return ten[(f - VK_FORMAT_A2R10G10B10_UNORM_PACK32) % 6];
	if (f >= VK_FORMAT_R16_UNORM && f <= VK_FORMAT_R16G16B16A16_SFLOAT)
		return eight[(f - VK_FORMAT_R16_UNORM) % 7];
	if (f >= VK_FORMAT_R32_UINT && f <= VK_FORMAT_R32G32B32A32_SFLOAT)
		return wide[(f - VK_FORMAT_R32_UINT) % 3];
	if ((f >= VK_FORMAT_R4G4_UNORM_PACK8 && f <= VK_FORMAT_A1R5G5B5_UNORM_PACK16) || f == VK_FORMAT_B10G11R11_UFLOAT_PACK32)
		return 'f';
	return '?';
}

static bool can(struct xl_loader *l, uint32_t format, VkFormatFeatureFlags buffer, VkFormatFeatureFlags image)
{
	VkFormatProperties p;

	l->vk.vkGetPhysicalDeviceFormatProperties(l->info.physical_device, (VkFormat)format, &p);
	return (p.bufferFeatures & buffer) == buffer && (p.optimalTilingFeatures & image) == image;
}

/* The slot of a location: NULL, or its first component's. */
static const struct load_slot *slot(const struct load_iface *f, bool output, uint32_t location)
{
	uint32_t n = output ? f->noutput : f->ninput;

	for (uint32_t i = 0; i < n; i++) {
		const struct load_slot *s = output ? &f->output[i] : &f->input[i];

		if (location >= s->location && location - s->location < (s->array ? s->array : 1))
			return s;
	}
	return NULL;
}

static const struct load_iface *stage(const struct load_iface *const *iface, uint32_t n, VkShaderStageFlagBits stage)
{
	for (uint32_t i = 0; i < n; i++) {
		if (iface[i]->stage == stage)
			return iface[i];
	}
	return NULL;
}

/* One attribute that the vertex program reads. False: it does not go together with device, program, or the ones before. */
static bool attribute(struct load_record *r, struct xl_loader *l, const uint32_t v[5], bool instance, const struct load_slot *s)
{
	const VkPhysicalDeviceLimits *most = &l->facts.device.limits;
	VkVertexInputRate rate = instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX;
	uint32_t b = 0;

	if (v[0] >= most->maxVertexInputAttributes || v[1] >= most->maxVertexInputBindings ||
	    v[3] > most->maxVertexInputAttributeOffset || v[4] > most->maxVertexInputBindingStride ||
	    r->nattribute == LOAD_ATTRIBUTES || numeric(v[2]) != s->type ||
	    !can(l, v[2], VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT, 0))
		return false;
	for (uint32_t i = 0; i < r->nattribute; i++) {
		if (r->attribute[i].location == v[0])
			return false;
	}
	while (b < r->nbinding && r->binding[b].binding != v[1])
		b++;
	if (b < r->nbinding && (r->binding[b].stride != v[4] || r->binding[b].inputRate != rate))
		return false;
	if (b == r->nbinding)
		r->binding[r->nbinding++] = (VkVertexInputBindingDescription){ v[1], v[4], rate };
	r->attribute[r->nattribute++] = (VkVertexInputAttributeDescription){ v[0], v[1], (VkFormat)v[2], v[3] };
	return true;
}

/* All locations of the vertex program have an attribute. */
static bool covered(const struct load_record *r, const struct load_iface *vertex)
{
	for (uint32_t i = 0; vertex && i < vertex->ninput; i++) {
		const struct load_slot *s = &vertex->input[i];

		for (uint32_t k = 0; k < (s->array ? s->array : 1); k++) {
			uint32_t a = 0;

			while (a < r->nattribute && r->attribute[a].location != s->location + k)
				a++;
			if (a == r->nattribute)
				return false;
		}
	}
	return true;
}

/* Coverage can come of an alpha that is written alone: a fourth component of the first colour. */
static bool writes_alpha(const struct load_iface *fragment)
{
	for (uint32_t i = 0; fragment && i < fragment->noutput; i++) {
		const struct load_slot *s = &fragment->output[i];

		if (!s->location && s->component + s->components > 3)
			return true;
	}
	return false;
}

static void line(struct load_record *r, struct xl_loader *l, const char *s, const struct load_iface *vertex,
		 const struct load_iface *fragment)
{
	const VkPhysicalDeviceLimits *most = &l->facts.device.limits;
	const struct load_slot *at;
	uint32_t v[5];
	const char *rate = load_numbers(s, "attribute # binding # format # offset # stride # ", v);

	if (rate) {
		at = vertex ? slot(vertex, false, v[0]) : NULL;
		if (at && !attribute(r, l, v, !strcmp(rate, "instance"), at))
			r->inputs = false;
	} else if (load_numbers(s, "color # format #", v)) {
		at = fragment && v[0] < LOAD_TARGETS ? slot(fragment, true, v[0]) : NULL;
		if (at && numeric(v[1]) == at->type && can(l, v[1], 0, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) {
			r->color[v[0]] = (VkFormat)v[1];
			r->blends[v[0]] = can(l, v[1], 0, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
		}
	} else if (load_numbers(s, "topology #", v) && v[0] <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) {
		r->topology = (VkPrimitiveTopology)v[0];
	} else if (load_numbers(s, "patch-points #", v) && v[0] && v[0] <= most->maxTessellationPatchSize) {
		r->patch_points = v[0];
	} else if (load_numbers(s, "samples #", v) && v[0] && !(v[0] & (v[0] - 1)) &&
		   !(v[0] & ~most->framebufferColorSampleCounts) && !(v[0] & ~most->framebufferDepthSampleCounts)) {
		r->samples = (VkSampleCountFlagBits)v[0];
	} else if (load_numbers(s, "depth-format #", v) && v[0] >= VK_FORMAT_D16_UNORM && v[0] <= VK_FORMAT_D32_SFLOAT_S8_UINT &&
		   can(l, v[0], 0, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) {
		r->depth = (VkFormat)v[0];
	} else {
		load_fixed_line(&r->fixed, l, s);
	}
}

void load_record_read(struct load_record *r, struct xl_loader *l, const char *lines, const struct load_iface *const *iface, uint32_t n)
{
	const struct load_iface *vertex = stage(iface, n, VK_SHADER_STAGE_VERTEX_BIT);
	const struct load_iface *fragment = stage(iface, n, VK_SHADER_STAGE_FRAGMENT_BIT);

	memset(r, 0, sizeof(*r));
	r->topology = VK_PRIMITIVE_TOPOLOGY_MAX_ENUM;
	r->samples = VK_SAMPLE_COUNT_1_BIT;
	r->inputs = lines != NULL;
	load_fixed_init(&r->fixed);
	while (lines && *lines) {
		char one[160];
		const char *end = strchr(lines, '\n');
		size_t k = end ? (size_t)(end - lines) : strlen(lines), size = k < sizeof(one) ? k : sizeof(one) - 1;

		memcpy(one, lines, size);
		one[size] = 0;
		line(r, l, one, vertex, fragment);
		lines += k + (lines[k] == '\n');
	}
	r->inputs = r->inputs && covered(r, vertex);
	for (uint32_t i = 0; i < LOAD_TARGETS; i++) {
		r->fixed.blend[i].blendEnable &= r->blends[i];
		if (!r->blends[i] && fragment && slot(fragment, true, i) && !l->facts.feature.core.independentBlend)
			r->fixed.blend[0].blendEnable = VK_FALSE; /* it would be this one's as well */
	}
	r->fixed.samples.alphaToCoverageEnable &= writes_alpha(fragment);
	load_fixed_end(&r->fixed, l);
}
