#include "bindings.h"

#include <stdio.h>

VkShaderStageFlagBits bindings_stage_bit(int stage)
{
	return (VkShaderStageFlagBits)(1u << stage);
}

const char *bindings_type_name(VkDescriptorType type)
{
	switch ((int)type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
		return "sampler";
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
		return "combined_image_sampler";
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
		return "sampled_image";
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
		return "storage_image";
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
		return "uniform_texel_buffer";
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return "storage_texel_buffer";
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
		return "uniform_buffer";
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return "storage_buffer";
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return "input_attachment";
	case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
		return "acceleration_structure";
	}
	return "?";
}

static bool samples(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_SAMPLER || t == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
	       t == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/* Joins another stage's view of a binding; a texture and a sampler on one number make a combined one. */
static bool join(struct binding *b, const struct spvinfo *m, const struct resource *r)
{
	if (b->type != r->type) {
		if (!samples(b->type) || !samples(r->type))
			return false;
		if (b->type == VK_DESCRIPTOR_TYPE_SAMPLER) {
			b->module = m;
			b->res = r;
		}
		b->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	}
	if (r->count > b->count)
		b->count = r->count;
	b->stages |= bindings_stage_bit(m->stage);
	b->shadow |= r->shadow;
	b->written |= !r->readonly;
	b->unsized |= r->unsized;
	return true;
}

static void sort(struct binding *list, int n)
{
	for (int i = 1; i < n; i++) {
		struct binding b = list[i];
		int j = i;
		for (; j > 0; j--) {
			const struct binding *a = &list[j - 1];
			if (a->set < b.set || (a->set == b.set && a->binding <= b.binding))
				break;
			list[j] = *a;
		}
		list[j] = b;
	}
}

int bindings_merge(const struct spvinfo *modules, int n, struct binding *list, char *error)
{
	int count = 0;
	for (int i = 0; i < n; i++) {
		const struct spvinfo *m = &modules[i];
		for (int j = 0; j < m->nres; j++) {
			const struct resource *r = &m->res[j];
			int k = 0;
			while (k < count && (list[k].set != r->set || list[k].binding != r->binding))
				k++;
			if (k < count) {
				if (join(&list[k], m, r))
					continue;
				snprintf(error, 200, "aliased binding %u.%u", r->set, r->binding);
				return -1;
			}
			if (count == BINDINGS_MAX) {
				snprintf(error, 200, "too many bindings");
				return -1;
			}
			list[count++] = (struct binding){
				r->set,       r->binding, r->count, r->unsized, r->shadow,
				!r->readonly, r->type,    m,        r,          bindings_stage_bit(m->stage)};
		}
	}
	sort(list, count);
	return count;
}
