#include "resources.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OBJECTS = 4000, MAX_ELEMENTS = 16, TEXELS = 256, MAX_BUFFER = 64 << 20 };

static bool is_buffer(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool is_texel_buffer(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || t == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static struct image_format format_of(const struct binding *b)
{
	bool storage =
		b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || b->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
	return image_format_of(b->res->format, b->res->base, storage);
}

/* The largest size that any stage declares for the binding. */
static uint64_t buffer_size(struct device *d, const struct resources *r, const struct binding *b)
{
	const struct matrix_layout none = {0, false};
	uint64_t size = 16;
	for (int i = 0; i < r->nmodules; i++) {
		const struct spvinfo *m = &r->modules[i];
		for (int j = 0; j < m->nres; j++) {
			if (m->res[j].set != b->set || m->res[j].binding != b->binding)
				continue;
			uint64_t z = spvinfo_size(m, m->res[j].type_id, r->runtime, none);
			size = z > size ? z : size;
		}
	}
	size = (size + 15) & ~15ull;
	if (size > MAX_BUFFER)
		child_exit(d->slot, CHILD_REFUSED, "FAIL buffer %llu", (unsigned long long)size);
	return size;
}

static struct record *note_input(struct resources *r, const struct object *o, const char *kind, uint64_t size,
				 const void *data)
{
	struct record *rec = outputs_add(&r->inputs, kind, data, size);
	rec->a = o->binding->set;
	rec->b = o->binding->binding;
	rec->c = o->element;
	return rec;
}

static void make_buffer(struct device *d, struct resources *r, struct object *o, struct rng *rng)
{
	const struct binding *b = o->binding;
	uint64_t size = buffer_size(d, r, b);
	o->buffer = device_buffer(d, size, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	for (uint64_t q = 0; q + 4 <= size; q += 4) { /* padding is not zero, so that reading it shows */
		float f = inputs_float(rng);
		memcpy(o->buffer.data + q, &f, 4);
	}
	inputs_fill(rng, b->module, b->res->type_id, r->runtime, o->buffer.data, size);
	note_input(r, o, b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ? "ubo" : "ssbo", size, o->buffer.data);
}

static void make_texel_buffer(struct device *d, struct resources *r, struct object *o, struct rng *rng)
{
	const struct binding *b = o->binding;
	struct image_format f = format_of(b);
	o->buffer = device_buffer(d, TEXELS * f.bytes,
				  VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
	inputs_texels(rng, o->buffer.data, o->buffer.size, f.kind);
	struct record *rec = note_input(r, o, b->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ? "utexel" : "stexel",
					o->buffer.size, o->buffer.data);
	rec->format = f.vk;
	rec->width = TEXELS;
	rec->height = 1;
}

static void make_image(struct device *d, struct resources *r, struct object *o, struct rng *rng)
{
	const struct binding *b = o->binding;
	const struct resource *res = b->res;
	bool storage = b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	     attachment = b->type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
	struct image_spec s = {.format = format_of(b),
			       .use = storage      ? IMAGE_STORAGE
				      : attachment ? IMAGE_INPUT_ATTACHMENT
						   : IMAGE_SAMPLED,
			       .dim = res->dim == SpvDimSubpassData ? SpvDim2D : res->dim,
			       .extent = attachment ? 64 : 16,
			       .arrayed = res->arrayed,
			       .multisampled = res->multisampled,
			       .depth = b->shadow && !storage && res->base == 'f' && res->dim != SpvDim3D};
	if (s.depth)
		s.format = (struct image_format){VK_FORMAT_D32_SFLOAT, 4, 'f', CLASS_F32};
	o->image = image_create(d, &s, rng);
	struct image *im = &o->image;
	if (storage)
		o->initial = im->initial;
	if (im->initial) {
		struct record *rec =
			note_input(r, o, storage || attachment ? "stimage" : "simage", im->size, im->initial);
		rec->format = s.format.vk;
		rec->width = im->width | im->height << 16;
		rec->height = im->depth | im->layers << 16;
		rec->extra = s.dim | (uint32_t)s.arrayed << 4 | im->mips << 8;
	}
	if (!attachment)
		return;
	uint32_t at = res->input_attachment + o->element;
	if (at >= RESOURCES_ATTACHMENTS)
		child_exit(d->slot, CHILD_REFUSED, "FAIL input attachment %u", at);
	r->input_attachments[at] = *im;
	if (at + 1 > r->ninput_attachments)
		r->ninput_attachments = at + 1;
}

static void make_object(struct device *d, struct resources *r, const struct binding *b, uint32_t element)
{
	if (r->nobjects == MAX_OBJECTS)
		child_exit(d->slot, CHILD_REFUSED, "FAIL too many objects");
	struct object *o = &r->objects[r->nobjects++];
	struct rng rng;
	*o = (struct object){.binding = b, .element = element};
	rng.tame = r->tame;
	inputs_seed(&rng, b->set + 1, b->binding + 1, element + 1);
	if (is_buffer(b->type))
		make_buffer(d, r, o, &rng);
	else if (is_texel_buffer(b->type))
		make_texel_buffer(d, r, o, &rng);
	else if (b->type != VK_DESCRIPTOR_TYPE_SAMPLER)
		make_image(d, r, o, &rng);
	if (o->buffer.data) {
		o->initial = malloc(o->buffer.size);
		memcpy(o->initial, o->buffer.data, o->buffer.size);
	}
}

/* Filter and address mode follow from the numbers; integer textures are never filtered. */
static VkSampler make_sampler(struct device *d, struct resources *r, const struct binding *b, bool any_integer)
{
	bool integer = b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? b->res->base != 'f' : any_integer;
	uint32_t linear = ((b->set * 16 + b->binding) & 1) && !integer, mode = b->binding % 3;
	VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
				    .magFilter = (VkFilter)linear,
				    .minFilter = (VkFilter)linear,
				    .mipmapMode = (VkSamplerMipmapMode)linear,
				    .maxLod = 16,
				    .compareEnable = b->shadow,
				    .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
				    .addressModeU = (VkSamplerAddressMode)mode,
				    .addressModeV = (VkSamplerAddressMode)mode,
				    .addressModeW = (VkSamplerAddressMode)mode};
	VkSampler sampler;
	VK(d, vkCreateSampler, d->handle, &info, NULL, &sampler);
	uint32_t facts[4] = {linear, mode, b->shadow, VK_COMPARE_OP_LESS_OR_EQUAL};
	struct record *rec = outputs_add(&r->inputs, "sampler", facts, sizeof facts);
	rec->a = b->set;
	rec->b = b->binding;
	return sampler;
}

/* Arrays longer than MAX_ELEMENTS repeat their objects. */
static void write_descriptor(struct device *d, struct resources *r, const struct object *o, uint32_t element,
			     VkSampler s)
{
	const struct binding *b = o->binding;
	VkDescriptorBufferInfo buffer = {o->buffer.handle, 0, VK_WHOLE_SIZE};
	VkDescriptorImageInfo image = {s, o->image.view, VK_IMAGE_LAYOUT_GENERAL};
	VkBufferView view = VK_NULL_HANDLE;
	VkWriteDescriptorSet w = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
				  .dstSet = r->sets[b->set],
				  .dstBinding = b->binding,
				  .dstArrayElement = element,
				  .descriptorCount = 1,
				  .descriptorType = b->type,
				  .pBufferInfo = &buffer,
				  .pImageInfo = &image,
				  .pTexelBufferView = &view};
	if (is_texel_buffer(b->type)) {
		VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = o->buffer.handle,
					       .format = format_of(b).vk, .range = VK_WHOLE_SIZE};
		VK(d, vkCreateBufferView, d->handle, &info, NULL, &view);
	}
	vkUpdateDescriptorSets(d->handle, 1, &w, 0, NULL);
}

static void make_sets(struct device *d, struct resources *r)
{
	VkDescriptorPoolSize sizes[VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1];
	VkDescriptorPool pool;
	for (uint32_t i = 0; i <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; i++)
		sizes[i] = (VkDescriptorPoolSize){(VkDescriptorType)i, 1};
	for (int i = 0; i < r->nbindings; i++) {
		const struct binding *b = &r->bindings[i];
		if (b->type > VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
			child_exit(d->slot, CHILD_REFUSED, "FAIL descriptor type");
		if (b->set >= RESOURCES_SETS)
			child_exit(d->slot, CHILD_REFUSED, "FAIL %u sets", b->set + 1);
		sizes[b->type].descriptorCount += b->count;
		if (b->set + 1 > r->nsets)
			r->nsets = b->set + 1;
	}
	VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = RESOURCES_SETS,
					   .poolSizeCount = sizeof sizes / sizeof *sizes, .pPoolSizes = sizes};
	VK(d, vkCreateDescriptorPool, d->handle, &info, NULL, &pool);
	for (uint32_t s = 0; s < r->nsets; s++) {
		VkDescriptorSetLayoutBinding list[BINDINGS_MAX];
		uint32_t n = 0;
		for (int i = 0; i < r->nbindings; i++)
			if (r->bindings[i].set == s)
				list[n++] =
					(VkDescriptorSetLayoutBinding){r->bindings[i].binding, r->bindings[i].type,
								       r->bindings[i].count, VK_SHADER_STAGE_ALL, NULL};
		VkDescriptorSetLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
							  .bindingCount = n, .pBindings = list};
		VK(d, vkCreateDescriptorSetLayout, d->handle, &layout, NULL, &r->set_layouts[s]);
	}
	VkDescriptorSetAllocateInfo alloc = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool,
					     .descriptorSetCount = r->nsets, .pSetLayouts = r->set_layouts};
	if (r->nsets)
		VK(d, vkAllocateDescriptorSets, d->handle, &alloc, r->sets);
}

static void make_push(struct device *d, struct resources *r)
{
	const struct spvinfo *m = NULL;
	struct rng rng;
	for (int i = 0; i < r->nmodules; i++) {
		if (r->modules[i].push_size > r->push_size) {
			m = &r->modules[i];
			r->push_size = m->push_size;
		}
	}
	if (r->push_size > RESOURCES_PUSH)
		child_exit(d->slot, CHILD_REFUSED, "FAIL push constants %u", r->push_size);
	rng.tame = r->tame;
	inputs_seed(&rng, 77, 77, 77);
	for (int i = 0; i < 2 * RESOURCES_PUSH / 4; i++) { /* twice over: recorded inputs were made so */
		float f = inputs_float(&rng);
		memcpy(r->push + 4 * (i % (RESOURCES_PUSH / 4)), &f, 4);
	}
	if (m) {
		inputs_fill(&rng, m, m->push_type, 4, r->push, r->push_size);
		outputs_add(&r->inputs, "push", r->push, r->push_size);
	}
	VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, r->push_size};
	VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = r->nsets,
					   .pSetLayouts = r->set_layouts, .pushConstantRangeCount = m ? 1 : 0,
					   .pPushConstantRanges = &range};
	VK(d, vkCreatePipelineLayout, d->handle, &info, NULL, &r->layout);
}

/* Runtime arrays get an element per invocation, within reason. */
static uint32_t runtime_elements(const struct spvinfo *modules, int n, const uint32_t groups[3])
{
	uint64_t count = 256;
	for (int i = 0; i < n; i++) {
		const uint32_t *l = modules[i].local;
		if (modules[i].stage == STAGE_COMP)
			count = (uint64_t)l[0] * l[1] * l[2] * groups[0] * groups[1] * groups[2];
	}
	return count < 64 ? 64 : count > 4096 ? 4096 : (uint32_t)count;
}

void resources_create(struct device *d, struct resources *r, const struct spvinfo *modules, int n,
		      const uint32_t groups[3], bool tame)
{
	char error[200] = "";
	bool any_integer = false;
	memset(r, 0, sizeof *r);
	r->tame = tame;
	r->modules = modules;
	r->nmodules = n;
	r->runtime = runtime_elements(modules, n, groups);
	r->nbindings = bindings_merge(modules, n, r->bindings, error);
	if (r->nbindings < 0)
		child_exit(d->slot, CHILD_REFUSED, "FAIL %s", error);
	r->objects = calloc(MAX_OBJECTS, sizeof *r->objects);
	make_sets(d, r);
	for (int i = 0; i < r->nbindings; i++)
		any_integer |= r->bindings[i].res->image && r->bindings[i].res->base != 'f';
	for (int i = 0; i < r->nbindings; i++) {
		const struct binding *b = &r->bindings[i];
		uint32_t elements = b->count > MAX_ELEMENTS ? MAX_ELEMENTS : b->count;
		int first = r->nobjects;
		for (uint32_t x = 0; x < elements; x++)
			make_object(d, r, b, x);
		VkSampler sampler = VK_NULL_HANDLE;
		if (b->type == VK_DESCRIPTOR_TYPE_SAMPLER || b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
			sampler = make_sampler(d, r, b, any_integer);
		for (uint32_t x = 0; x < b->count; x++)
			write_descriptor(d, r, &r->objects[first + (int)(x % elements)], x, sampler);
	}
	make_push(d, r);
}

void resources_bind(struct device *d, const struct resources *r, VkPipelineBindPoint point)
{
	if (r->nsets)
		vkCmdBindDescriptorSets(d->commands, point, r->layout, 0, r->nsets, r->sets, 0, NULL);
	if (r->push_size)
		vkCmdPushConstants(d->commands, r->layout, VK_SHADER_STAGE_ALL, 0, r->push_size, r->push);
}

/* Marks the floats of a buffer block, so that they are compared as such. */
static void classify(void *context, uint64_t at, const uint32_t *scalar, bool in_array)
{
	(void)in_array;
	if (spvinfo_op(scalar[0]) == SpvOpTypeFloat)
		outputs_classify(context, at, scalar[2] == 64 ? CLASS_F64 : scalar[2] == 16 ? CLASS_F16 : CLASS_F32, 1);
}

static void collect_buffer(const struct resources *r, const struct object *o, struct outputs *out)
{
	const struct binding *b = o->binding;
	bool texels = b->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
	if (!b->written)
		return;
	struct record *rec = outputs_add(out, texels ? "texbuf" : "ssbo", o->buffer.data, o->buffer.size);
	if (texels) {
		enum word_class c = format_of(b).class;
		outputs_classify(rec, 0, c, rec->size / outputs_class_size(c));
	} else {
		spvinfo_scalars(b->module, b->res->type_id, r->runtime, rec->size, classify, rec);
	}
	rec->a = b->set;
	rec->b = b->binding;
	rec->c = o->element;
	outputs_count_changed(rec, o->initial);
}

static void collect_image(struct device *d, const struct object *o, struct outputs *out)
{
	const struct image *im = &o->image;
	if (im->samples > 1)
		return;
	struct buffer data = image_read(d, im);
	struct record *rec = outputs_add(out, "image", data.data, data.size);
	outputs_classify(rec, 0, im->format.class, rec->size / outputs_class_size(im->format.class));
	rec->a = o->binding->set;
	rec->b = o->binding->binding;
	rec->c = o->element;
	rec->format = im->format.vk;
	rec->width = im->width;
	rec->height = im->height;
	outputs_count_changed(rec, o->initial);
	device_free_buffer(d, &data);
}

void resources_collect(struct device *d, const struct resources *r, struct outputs *o)
{
	for (int i = 0; i < r->nobjects; i++) {
		VkDescriptorType t = r->objects[i].binding->type;
		if (t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || t == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
			collect_buffer(r, &r->objects[i], o);
		else if (t == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
			collect_image(d, &r->objects[i], o);
	}
}
