/* load_layout.c - descriptor set and pipeline layouts of what modules declare. Equal ones are made once: ten thousand
 * pipelines have a few dozen layouts, and a host may keep its sets bound from one to the next. */
#include "load_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BINDING = 1 << 16, MOST_COUNT = 1 << 20 };

struct merged {
	uint32_t n;
	uint32_t push_size, array_size;
	VkShaderStageFlags push_stages;
	struct load_binding v[LOAD_BINDINGS]; /* n rows */
};
_Static_assert(sizeof(struct load_binding) == 5 * sizeof(uint32_t), "its bytes are hashed: there is no padding");

bool load_fail(enum xl_load_code *to, enum xl_load_code code, char *why, size_t cap, const char *fmt, ...)
{
	va_list va;

	*to = code;
	va_start(va, fmt);
	vsnprintf(why, cap, fmt, va);
	va_end(va);
	return false;
}

static bool samples(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_SAMPLER || t == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
	       t == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/* Another view of a binding: a texture and a sampler on one number are a combined descriptor. */
static bool join(struct load_binding *b, const struct load_binding *o)
{
	if (b->type != o->type) {
		if (!samples(b->type) || !samples(o->type))
			return false;
		b->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	}
	b->stages |= o->stages;
	if (!o->count || (b->count && o->count > b->count))
		b->count = o->count;
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct load_binding *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return x->binding < y->binding ? -1 : x->binding > y->binding;
}

static bool add(struct merged *m, const struct load_binding *b, enum xl_load_code *code, char *why, size_t cap)
{
	uint32_t k = 0;

	/* Drivers make tables as long as the largest number. */
	if (b->binding >= MOST_BINDING || b->count > MOST_COUNT)
		return load_fail(code, XL_LOAD_PROGRAM, why, cap, "binding %u with %u descriptors", b->binding, b->count);
	while (k < m->n && (m->v[k].set != b->set || m->v[k].binding != b->binding))
		k++;
	if (b->set >= XL_LOAD_MAX_SETS)
		return load_fail(code, XL_LOAD_DEVICE, why, cap, "descriptor set %u", b->set);
	if (k < m->n)
		return join(&m->v[k], b) || load_fail(code, XL_LOAD_PROGRAM, why, cap,
						 "binding %u of set %u is of two types", b->binding, b->set);
	if (m->n == LOAD_BINDINGS)
		return load_fail(code, XL_LOAD_PROGRAM, why, cap, "more than %d bindings", LOAD_BINDINGS);
	m->v[m->n++] = *b;
	return true;
}

static bool merge(const struct xl_loader *l, struct merged *m, const struct load_iface *const *iface, uint32_t n,
		  enum xl_load_code *code, char *why, size_t cap)
{
	uint64_t all = 0;

	memset(m, 0, offsetof(struct merged, v));
	m->array_size = l->info.array_size;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t end = iface[i]->push_offset + iface[i]->push_size;

		for (uint32_t k = 0; k < iface[i]->nbinding; k++) {
			if (!add(m, &iface[i]->binding[k], code, why, cap))
				return false;
		}
		if (iface[i]->push_size) {
			m->push_stages |= iface[i]->stage;
			m->push_size = end > m->push_size ? end : m->push_size;
		}
	}
	m->push_size = (m->push_size + 3) & ~3u;
	for (uint32_t k = 0; k < m->n; k++)
		all += m->v[k].count ? m->v[k].count : m->array_size;
	if (all > l->facts.device.limits.maxPerStageResources)
		return load_fail(code, XL_LOAD_DEVICE, why, cap, "%llu descriptors, and the device has %u", (unsigned long long)all,
			   l->facts.device.limits.maxPerStageResources);
	qsort(m->v, m->n, sizeof(m->v[0]), by_number);
	if (m->n && m->v[m->n - 1].set >= l->facts.device.limits.maxBoundDescriptorSets)
		return load_fail(code, XL_LOAD_DEVICE, why, cap, "descriptor set %u, and the device has %u", m->v[m->n - 1].set,
			   l->facts.device.limits.maxBoundDescriptorSets);
	return true;
}

/* One set's layout of the bindings from `at`; run-time arrays need not be filled where the device allows that. */
static VkResult make_set(struct xl_loader *l, const struct merged *m, uint32_t set, uint32_t *at, VkDescriptorSetLayout *out)
{
	VkDescriptorSetLayoutBinding b[LOAD_BINDINGS];
	VkDescriptorBindingFlags flag[LOAD_BINDINGS];
	VkDescriptorSetLayoutBindingFlagsCreateInfo fi = { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
		NULL, 0, flag };
	VkDescriptorSetLayoutCreateInfo ci = { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 0, b };
	bool flags = false;

	for (; *at < m->n && m->v[*at].set == set; ++*at) {
		const struct load_binding *s = &m->v[*at];

		b[ci.bindingCount] = (VkDescriptorSetLayoutBinding){ s->binding, s->type, s->count ? s->count : m->array_size,
			s->stages, NULL };
		flag[ci.bindingCount] = 0;
		if (!s->count && l->facts.feature.v12.descriptorBindingPartiallyBound) {
			flag[ci.bindingCount] = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
			flags = true;
		}
		ci.bindingCount++;
	}
	fi.bindingCount = ci.bindingCount;
	if (flags)
		ci.pNext = &fi;
	return l->vk.vkCreateDescriptorSetLayout(l->info.device, &ci, NULL, out);
}

static void destroy(struct xl_loader *l, struct load_layout *o)
{
	if (o->layout)
		l->vk.vkDestroyPipelineLayout(l->info.device, o->layout, NULL);
	for (uint32_t i = 0; i < o->nset; i++)
		l->vk.vkDestroyDescriptorSetLayout(l->info.device, o->set[i], NULL);
	free(o);
}

static VkResult create(struct xl_loader *l, const struct merged *m, struct load_layout *o)
{
	VkPushConstantRange push = { m->push_stages, 0, m->push_size };
	VkPipelineLayoutCreateInfo ci = { VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 0, o->set,
		m->push_size ? 1 : 0, &push };
	uint32_t sets = m->n ? m->v[m->n - 1].set + 1 : 0, at = 0;

	while (o->nset < sets) {
		VkResult r = make_set(l, m, o->nset, &at, &o->set[o->nset]);

		if (r)
			return r;
		o->nset++;
	}
	ci.setLayoutCount = o->nset;
	return l->vk.vkCreatePipelineLayout(l->info.device, &ci, NULL, &o->layout);
}

const struct load_layout *load_layout_get(struct xl_loader *l, const struct load_iface *const *iface, uint32_t n,
					  enum xl_load_code *code, char *why, size_t cap)
{
	struct load_layout *o, **first;
	struct load_hash hash;
	struct merged m;
	VkResult r;

	if (!merge(l, &m, iface, n, code, why, cap))
		return NULL;
	hash = load_hash_of(&m, offsetof(struct merged, v) + m.n * sizeof(m.v[0]));
	first = &l->layouts.bucket[hash.v[0] % LOAD_BUCKETS];
	pthread_mutex_lock(&l->layouts.lock);
	for (o = *first; o && !load_hash_equal(o->hash, hash);)
		o = o->next;
	if (!o) {
		o = calloc(1, sizeof(*o));
		r = o ? create(l, &m, o) : VK_ERROR_OUT_OF_HOST_MEMORY;
		if (r) {
			load_fail(code, r == VK_ERROR_OUT_OF_HOST_MEMORY || r == VK_ERROR_OUT_OF_DEVICE_MEMORY ? XL_LOAD_MEMORY : XL_LOAD_VULKAN,
			    why, cap, "no layout: VkResult %d", (int)r);
			if (o)
				destroy(l, o);
			o = NULL;
		} else {
			o->hash = hash;
			o->next = *first;
			*first = o;
		}
	}
	pthread_mutex_unlock(&l->layouts.lock);
	return o;
}

void load_layout_free(struct xl_loader *l)
{
	for (unsigned i = 0; i < LOAD_BUCKETS; i++) {
		for (struct load_layout *o = l->layouts.bucket[i], *next; o; o = next) {
			next = o->next;
			destroy(l, o);
		}
	}
}
