/* emit_res.c - buffer variables, access chains, memory operands, decorations of resources.
 *
 * A buffer is an array of 32-bit words by byte offset; accesses of other widths go through further variables at the same
 * set and binding. Uniform buffers are words at stride 4 where the profile has standard or scalar uniform layout, vectors
 * of four at stride 16 elsewhere. Push constants start at the lowest byte that is read.
 */
#include "emit.h"

#include <string.h>

static const struct view { uint8_t base, n, stride; } views[VIEW_COUNT] = {
	[VIEW_U8] = {IR_I8, 1, 1}, [VIEW_U16] = {IR_I16, 1, 2}, [VIEW_U32] = {IR_I32, 1, 4}, [VIEW_V2] = {IR_I32, 2, 8},
	[VIEW_V3] = {IR_I32, 3, 16}, [VIEW_V4] = {IR_I32, 4, 16}, [VIEW_U64] = {IR_I64, 1, 8}, [VIEW_F32] = {IR_F32, 1, 4},
};

static uint32_t view_type(struct emit *e, uint32_t res, enum emit_view v)
{
	const struct view *w = &views[v];
	const struct fact_target *t = e->t;

	if (v == VIEW_U8) { /* storage access alone does not need 8-bit arithmetic */
		emit_need(e, t->storage8, SpvCapabilityStorageBuffer8BitAccess, "storageBuffer8BitAccess");
		if (t->spirv < 0x00010500)
			words_extension(&e->m, "SPV_KHR_8bit_storage");
		return words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(8, 0));
	}
	if (v == VIEW_U16) {
		emit_need(e, t->storage16, SpvCapabilityStorageBuffer16BitAccess, "storageBuffer16BitAccess");
		return words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(16, 0));
	}
	return emit_vec_type(e, w->base == IR_I32 && e->res[res].is_float ? IR_F32 : w->base, w->n);
}

static uint32_t new_type(struct emit *e, SpvOp op, const uint32_t *args, size_t n)
{
	uint32_t w[4], id = words_id(&e->m);

	w[0] = id;
	memcpy(w + 1, args, n * sizeof *w);
	words_put(&e->m, SEC_GLOBAL, op, w, n + 1);
	return id;
}

/* struct { element data[length]; } with layout; length 0: runtime array. */
static uint32_t block_type(struct emit *e, uint32_t element, uint32_t stride, uint32_t length, uint32_t offset)
{
	uint32_t key[4] = {element, stride, length, offset}, array, id;

	for (size_t i = 0; i < e->nblk; i++)
		if (!memcmp(e->blk[i].key, key, sizeof key))
			return e->blk[i].type;
	if (length) {
		uint32_t n = emit_u32(e, length);
		array = new_type(e, SpvOpTypeArray, (uint32_t[]){element, n}, 2);
	} else
		array = new_type(e, SpvOpTypeRuntimeArray, &element, 1);
	id = new_type(e, SpvOpTypeStruct, &array, 1);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, array, SpvDecorationArrayStride, stride);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpMemberDecorate, id, 0, SpvDecorationOffset, offset);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, SpvDecorationBlock);
	e->blk = arena_grow_raw(e->arena, e->blk, e->nblk, &e->blk_cap, e->nblk + 1, sizeof *e->blk);
	memcpy(e->blk[e->nblk].key, key, sizeof key);
	e->blk[e->nblk++].type = id;
	return id;
}

static uint32_t uniform_bytes(const struct emit *e, uint32_t res)
{
	const struct emit_res *r = &e->res[res];
	uint32_t size = e->fn->res[res].size, max = e->t->max_uniform_range;

	if (!size)
		size = r->dynamic ? max : r->high;
	if (size < r->high)
		size = r->high;
	if (size > max)
		size = max;
	return size > UINT32_MAX - 16 ? size & ~15u : (size + 15) & ~15u;
}

static uint32_t variable(struct emit *e, uint32_t pointer, SpvStorageClass c, uint32_t init)
{
	uint32_t id = words_id(&e->m), w[4] = {pointer, id, (uint32_t)c, init};

	words_put(&e->m, SEC_GLOBAL, SpvOpVariable, w, init ? 4 : 3);
	emit_entry_var(e, id);
	return id;
}

static uint32_t data_word(const struct ir_resource *q, uint32_t at)
{
	uint32_t v = 0;

	for (unsigned k = 0; k < 4 && at + k < q->size; k++)
		v |= (uint32_t)q->data[at + k] << k * 8;
	return v;
}

/* Constant data: words or vectors of four, and a zero one that stands for everything past the end; of words four, of which an access
 * to several that starts there has its own. */
static uint32_t const_data_var(struct emit *e, uint32_t res, enum emit_view v)
{
	const struct ir_resource *q = &e->fn->res[res];
	bool fl = e->res[res].is_float;
	uint32_t n = q->size / 4 + (q->size % 4 != 0), elem, array, init, unit = v == VIEW_V4 ? 4 : 1;
	uint32_t *w = arena_array(e->arena, uint32_t, n + 4);

	if (n > 16000) { /* an instruction holds 65535 words */
		emit_refuse(e, DIAG_TOO_LARGE, "constant data of %u bytes", q->size);
		n = 0;
	}
	elem = emit_vec_type(e, fl ? IR_F32 : IR_I32, unit);
	for (uint32_t i = 0; i < n + 4; i++)
		w[i] = emit_const(e, fl ? IR_F32 : IR_I32, i < n ? data_word(q, i * 4) : 0);
	n = unit > 1 ? n / unit + 1 : n + 4;
	for (uint32_t i = 0; unit > 1 && i < n; i++)
		w[i] = words_const(&e->m, SpvOpConstantComposite, elem, w + i * unit, unit);
	array = words_type(&e->m, SpvOpTypeArray, WORDS_ARGS(elem, emit_u32(e, n)));
	init = words_const(&e->m, SpvOpConstantComposite, array, w, n);
	return variable(e, emit_pointer(e, SpvStorageClassPrivate, array), SpvStorageClassPrivate, init);
}

static uint32_t descriptor_array(struct emit *e, uint32_t res, uint32_t type)
{
	const struct ir_resource *q = &e->fn->res[res];

	if (q->count == 1)
		return type;
	if (q->count)
		return words_type(&e->m, SpvOpTypeArray, WORDS_ARGS(type, emit_u32(e, q->count)));
	emit_need(e, e->t->runtime_array, SpvCapabilityRuntimeDescriptorArray, "runtimeDescriptorArray");
	if (e->t->spirv < 0x00010500)
		words_extension(&e->m, "SPV_EXT_descriptor_indexing");
	return words_type(&e->m, SpvOpTypeRuntimeArray, &type, 1);
}

static void bind_decorations(struct emit *e, uint32_t var, const struct ir_resource *q)
{
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, var, SpvDecorationDescriptorSet, q->set);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, var, SpvDecorationBinding, q->binding);
	if (q->kind == RES_INPUT_ATTACHMENT && q->attachment)
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, var, SpvDecorationInputAttachmentIndex, q->attachment - 1u);
}

static uint32_t buffer_var(struct emit *e, uint32_t res, enum emit_view v)
{
	const struct ir_resource *q = &e->fn->res[res];
	struct emit_res *r = &e->res[res];
	uint32_t type, bytes, stride = views[v].stride;
	SpvStorageClass c = SpvStorageClassStorageBuffer;

	if (r->view[v])
		return r->view[v];
	r->view_type[v] = view_type(e, res, v);
	r->nvar++;
	switch (q->kind) {
	case RES_CONST_DATA:
		return r->view[v] = const_data_var(e, res, v);
	case RES_PUSH:
		c = SpvStorageClassPushConstant;
		bytes = r->dynamic ? (q->size ? q->size : e->t->max_push) : (r->high + 3) & ~3u;
		if (bytes < r->high)
			bytes = (r->high + 3) & ~3u;
		e->push_low = r->dynamic ? 0 : r->low & ~3u;
		type = block_type(e, r->view_type[v], 4, (bytes - e->push_low + 3) / 4, e->push_low);
		return r->view[v] = variable(e, emit_pointer(e, c, type), c, 0);
	case RES_UNIFORM_BUFFER:
		c = SpvStorageClassUniform;
		bytes = uniform_bytes(e, res);
		type = block_type(e, r->view_type[v], stride, bytes / stride ? bytes / stride : 1, 0);
		break;
	default:
		type = block_type(e, r->view_type[v], stride, 0, 0);
	}
	type = descriptor_array(e, res, type);
	r->view[v] = variable(e, emit_pointer(e, c, type), c, 0);
	bind_decorations(e, r->view[v], q);
	return r->view[v];
}

SpvStorageClass emit_storage(const struct emit *e, const struct emit_access *a)
{
	if (a->space == MEM_SHARED)
		return SpvStorageClassWorkgroup;
	if (a->space == MEM_SCRATCH)
		return SpvStorageClassFunction;
	switch (e->fn->res[a->res].kind) {
	case RES_UNIFORM_BUFFER: return SpvStorageClassUniform;
	case RES_PUSH: return SpvStorageClassPushConstant;
	case RES_CONST_DATA: return SpvStorageClassPrivate;
	default: return SpvStorageClassStorageBuffer;
	}
}

static uint32_t local_var(struct emit *e, unsigned what)
{
	uint32_t array, pointer, unit = what == LOCAL_WIDE ? 8 : 4, wide = e->wide_to - e->wide_from, *var = &e->local_var[what];
	uint32_t all = what == LOCAL_SCRATCH ? e->fn->scratch_bytes : e->fn->shared_bytes, w[3];
	uint32_t bytes = what == LOCAL_WIDE ? wide : what == LOCAL_SHARED && all > wide ? all - wide : all;
	SpvStorageClass c = what == LOCAL_SCRATCH ? SpvStorageClassFunction : SpvStorageClassWorkgroup;

	if (*var)
		return *var;
	if (!all || all > 1u << 20)
		emit_refuse(e, DIAG_FACT, "%u bytes of %s memory are declared", all, what == LOCAL_SCRATCH ? "scratch" : "shared");
	array = emit_vec_type(e, unit == 8 ? IR_I64 : IR_I32, 1);
	array = words_type(&e->m, SpvOpTypeArray, WORDS_ARGS(array, emit_u32(e, bytes / unit + (bytes % unit != 0) + !bytes)));
	pointer = emit_pointer(e, c, array);
	if (what != LOCAL_SCRATCH)
		return *var = variable(e, pointer, c, 0);
	w[0] = pointer;
	w[1] = *var = words_id(&e->m);
	w[2] = (uint32_t)c;
	words_put(&e->m, SEC_VARS, SpvOpVariable, w, 3);
	return *var;
}

/* The bind's array element, with the capabilities that its form needs. */
uint32_t emit_new_element(struct emit *e, ir_id bind, uint32_t res)
{
	const struct ir_resource *q = &e->fn->res[res];
	ir_id index = ir_nargs(e->fn, bind) ? ir_args(e->fn, bind)[0] : 0;
	static const struct { SpvCapability dynamic, nonuniform; } caps[] = {
		[RES_STORAGE_BUFFER] = {SpvCapabilityStorageBufferArrayDynamicIndexing, SpvCapabilityStorageBufferArrayNonUniformIndexing},
		[RES_UNIFORM_BUFFER] = {SpvCapabilityUniformBufferArrayDynamicIndexing, SpvCapabilityUniformBufferArrayNonUniformIndexing},
		[RES_UNIFORM_TEXEL] = {SpvCapabilityUniformTexelBufferArrayDynamicIndexing,
			SpvCapabilityUniformTexelBufferArrayNonUniformIndexing},
		[RES_STORAGE_TEXEL] = {SpvCapabilityStorageTexelBufferArrayDynamicIndexing,
			SpvCapabilityStorageTexelBufferArrayNonUniformIndexing},
		[RES_SAMPLED_IMAGE] = {SpvCapabilitySampledImageArrayDynamicIndexing, SpvCapabilitySampledImageArrayNonUniformIndexing},
		[RES_STORAGE_IMAGE] = {SpvCapabilityStorageImageArrayDynamicIndexing, SpvCapabilityStorageImageArrayNonUniformIndexing},
		[RES_SAMPLER] = {SpvCapabilitySampledImageArrayDynamicIndexing, SpvCapabilitySampledImageArrayNonUniformIndexing},
		[RES_COMBINED] = {SpvCapabilitySampledImageArrayDynamicIndexing, SpvCapabilitySampledImageArrayNonUniformIndexing},
		[RES_INPUT_ATTACHMENT] = {SpvCapabilityInputAttachmentArrayDynamicIndexing,
			SpvCapabilityInputAttachmentArrayNonUniformIndexing},
		[RES_PHYSICAL] = {0, 0},
	};
	uint64_t k;
	uint32_t id;

	if (!index)
		return emit_u32(e, 0);
	if (emit_is_const(e, index, &k)) {
		if (q->count && k >= q->count)
			emit_refuse(e, DIAG_DESCRIPTOR, "element %u of set %u binding %u, which has %u", (unsigned)k, q->set, q->binding, q->count);
		return emit_u32(e, (uint32_t)k);
	}
	words_capability(&e->m, caps[q->kind].dynamic);
	id = emit_get_u32(e, index);
	if (emit_inst(e, bind)->flags & IR_F_NONUNIFORM || q->nonuniform) {
		emit_need(e, e->t->nonuniform, SpvCapabilityShaderNonUniform, "descriptorIndexing");
		words_capability(&e->m, caps[q->kind].nonuniform);
		if (e->t->spirv < 0x00010500)
			words_extension(&e->m, "SPV_EXT_descriptor_indexing");
		if (e->t->nonuniform_form != 1)
			emit_decorate_nonuniform(e, id);
	}
	return id;
}

void emit_nonuniform_of(struct emit *e, ir_id bind, uint32_t id, bool pointer)
{
	ir_id index = ir_nargs(e->fn, bind) ? ir_args(e->fn, bind)[0] : 0;
	uint64_t k;

	if (!index || emit_is_const(e, index, &k))
		return;
	if (!(emit_inst(e, bind)->flags & IR_F_NONUNIFORM) && !e->fn->res[emit_inst(e, bind)->imm].nonuniform)
		return;
	if (e->t->nonuniform_form == 3 || (pointer && e->t->nonuniform_form == 2))
		emit_decorate_nonuniform(e, id);
}

void emit_decorate_nonuniform(struct emit *e, uint32_t id)
{
	for (size_t i = 0; i < e->nnonuniform; i++)
		if (e->nonuniform[i] == id)
			return;
	e->nonuniform = arena_grow_raw(e->arena, e->nonuniform, e->nnonuniform, &e->nonuniform_cap, e->nnonuniform + 1,
	                           sizeof *e->nonuniform);
	e->nonuniform[e->nnonuniform++] = id;
}

/* Pointer to element `index` of a view, or to one component of a vector element (component < 0: an id is not given). */
uint32_t emit_chain(struct emit *e, const struct emit_access *a, enum emit_view v, uint32_t index, int component)
{
	SpvStorageClass c = emit_storage(e, a);
	uint32_t w[6] = {0}, n = 0, type, id, element, local = 0, *pointer = &local;
	bool buffer = a->space == MEM_BUFFER;

	if (!buffer) {
		unsigned what = a->wide ? LOCAL_WIDE : a->space == MEM_SHARED ? LOCAL_SHARED : LOCAL_SCRATCH;
		w[n++] = local_var(e, what);
		type = emit_type(e, a->wide ? IR_I64 : IR_I32);
		pointer = &e->local_pointer[what];
	} else {
		w[n++] = buffer_var(e, a->res, v);
		type = e->res[a->res].view_type[v];
		if (component < 0)
			pointer = &e->res[a->res].view_pointer[v];
		if (e->fn->res[a->res].kind != RES_CONST_DATA) {
			element = emit_element(e, a->bind, a->res);
			if (element)
				w[n++] = element;
			w[n++] = emit_u32(e, 0);
		} else {
			uint32_t unit = v == VIEW_V4 ? 16 : 4, last = (e->fn->res[a->res].size + unit - 1) / unit, byte;
			if (!emit_const_byte(e, a, &byte) || byte / unit > last)
				index = E_EXT(e, UMin, emit_type(e, IR_I32), index, emit_u32(e, last));
			if (a->plus)
				index = E_OP(e, IAdd, emit_type(e, IR_I32), index, emit_u32(e, a->plus));
		}
	}
	w[n++] = index;
	if (component >= 0) {
		w[n++] = (uint32_t)component;
		type = emit_vec_type(e, buffer && e->res[a->res].is_float ? IR_F32 : IR_I32, 1);
	}
	if (!*pointer)
		*pointer = emit_pointer(e, c, type);
	id = emit_few(e, SpvOpAccessChain, *pointer, w, n);
	if (buffer)
		emit_nonuniform(e, a->bind, id, true);
	return id;
}

uint32_t emit_block_pointer(struct emit *e, const struct emit_access *a)
{
	uint32_t var = buffer_var(e, a->res, VIEW_U32), element = emit_element(e, a->bind, a->res), type, id;

	if (!element)
		return var;
	type = block_type(e, e->res[a->res].view_type[VIEW_U32], 4, 0, 0);
	id = E_OP(e, AccessChain, emit_pointer(e, SpvStorageClassStorageBuffer, type), var, element);
	emit_nonuniform(e, a->bind, id, true);
	return id;
}

SpvScope emit_scope(const struct emit *e, unsigned scope)
{
	if (scope == SCOPE_LANE)
		return SpvScopeInvocation;
	if (scope == SCOPE_WAVE)
		return SpvScopeSubgroup;
	if (scope == SCOPE_GROUP)
		return SpvScopeWorkgroup;
	return e->vulkan_model ? SpvScopeQueueFamily : SpvScopeDevice; /* one dispatch runs on one queue */
}

/* Memory operands of a load or store: words written to out. */
uint32_t emit_memory_operands(struct emit *e, uint16_t flags, uint32_t res, bool store, bool shared, uint32_t out[3])
{
	unsigned scope = (flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT;
	uint32_t bits = flags & IR_F_VOLATILE ? SpvMemoryAccessVolatileMask : 0;

	if (e->vulkan_model && !shared && scope >= SCOPE_GROUP) {
		out[0] = bits | SpvMemoryAccessNonPrivatePointerMask |
		         (store ? SpvMemoryAccessMakePointerAvailableMask : SpvMemoryAccessMakePointerVisibleMask);
		out[1] = emit_u32(e, (uint32_t)emit_scope(e, scope));
		return 2;
	}
	if (e->vulkan_model && (shared || e->res[res].written || bits))
		bits |= SpvMemoryAccessNonPrivatePointerMask;
	out[0] = bits;
	return bits ? 1 : 0;
}

/* Decorations that depend on all accesses. */
void emit_res_finish(struct emit *e)
{
	for (uint32_t k = 0; k < e->fn->nres; k++) {
		const struct emit_res *r = &e->res[k];
		const struct ir_resource *q = &e->fn->res[k];
		for (int v = 0; v < VIEW_COUNT && q->kind == RES_STORAGE_BUFFER; v++) {
			if (!r->view[v])
				continue;
			if (!r->written)
				WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->view[v], SpvDecorationNonWritable);
			else if (r->nvar > 1)
				WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->view[v], SpvDecorationAliased);
			if (r->scoped && !e->vulkan_model)
				WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->view[v], SpvDecorationCoherent);
		}
		if (!r->var || (q->kind != RES_STORAGE_IMAGE && q->kind != RES_STORAGE_TEXEL))
			continue;
		if (!r->written)
			WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->var, SpvDecorationNonWritable);
		if (!r->read)
			WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->var, SpvDecorationNonReadable);
		if (r->scoped && !e->vulkan_model)
			WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, r->var, SpvDecorationCoherent);
	}
	for (size_t i = 0; i < e->nnonuniform; i++)
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, e->nonuniform[i], SpvDecorationNonUniform);
}

/* The variable of an image or sampler binding whose object type is known. */
void emit_image_var(struct emit *e, uint32_t res)
{
	struct emit_res *r = &e->res[res];
	uint32_t type;

	if (r->var)
		return;
	type = descriptor_array(e, res, r->type);
	r->var = variable(e, emit_pointer(e, SpvStorageClassUniformConstant, type), SpvStorageClassUniformConstant, 0);
	bind_decorations(e, r->var, &e->fn->res[res]);
	r->nvar++;
}
