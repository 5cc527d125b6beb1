/* emit_texel.c - reads and writes of single texels: fetches, storage images, texel buffers, input attachments, queries. */
#include "emit.h"

static bool image_of(struct emit *e, ir_id bind, uint32_t *res)
{
	const struct ir_inst *b = emit_inst(e, bind);

	if (b->op != IR_bind || b->imm >= e->fn->nres || e->fn->res[b->imm].kind < RES_UNIFORM_TEXEL ||
	    e->fn->res[b->imm].kind > RES_INPUT_ATTACHMENT || e->fn->res[b->imm].kind == RES_SAMPLER) {
		emit_refuse(e, DIAG_DESCRIPTOR, "the image of this instruction is not known");
		return false;
	}
	*res = (uint32_t)b->imm;
	return true;
}

/* The image itself, out of a combined one. */
static uint32_t plain_image(struct emit *e, ir_id bind, uint32_t res)
{
	uint32_t v = emit_image_object(e, bind, res);

	if (e->fn->res[res].kind != RES_COMBINED)
		return v;
	v = E_OP(e, Image, e->res[res].image_type, v);
	emit_nonuniform(e, bind, v, false);
	return v;
}

/* An input attachment is read at the fragment's own place: the coordinates must be provably that. */
static bool own_pixel(const struct emit *e, ir_id v, unsigned comp)
{
	const struct ir_inst *i = emit_inst(e, v);

	if (i->op == IR_bitcast)
		i = emit_inst(e, i->a[0]);
	if (i->op != IR_f2s && i->op != IR_f2u)
		return false;
	i = emit_inst(e, i->a[0]);
	if (i->op == IR_ffloor || i->op == IR_ftrunc)
		i = emit_inst(e, i->a[0]);
	return i->op == IR_sysval && i->sub == SYSVAL_frag_coord && i->imm == comp;
}

static uint32_t texel_coords(struct emit *e, ir_id coord, const struct ir_resource *q)
{
	const struct ir_inst *i = emit_inst(e, coord);
	const ir_id *arg = ir_args(e->fn, coord);

	if (q->kind != RES_INPUT_ATTACHMENT)
		return emit_coords(e, coord, emit_texel_coord_count(q), IR_I32);
	bool layer = i->op == IR_vec && i->nargs8 == 3 && (emit_inst(e, arg[2])->op != IR_sysval || emit_inst(e, arg[2])->sub != SYSVAL_layer);
	if (i->op != IR_vec || layer || !own_pixel(e, arg[0], 0) || !own_pixel(e, arg[1], 1))
		emit_refuse(e, DIAG_DESCRIPTOR, "an input attachment is read elsewhere than at the fragment's own place");
	return emit_const(e, IR_VEC(IR_I32, 2), 0);
}

/* Read of one texel; `lod` and `sample` may be 0. */
static uint32_t read_texel(struct emit *e, ir_id bind, uint32_t res, uint32_t coord, ir_id lod, ir_id sample)
{
	const struct ir_resource *q = &e->fn->res[res];
	bool fetch = q->kind == RES_SAMPLED_IMAGE || q->kind == RES_COMBINED || q->kind == RES_UNIFORM_TEXEL;
	uint32_t w[6] = {plain_image(e, bind, res), coord}, n = 2, bits = 0, type = emit_texel_type(e, q, 4);
	uint64_t k;

	if (fetch && (q->dim == DIM_CUBE))
		emit_refuse(e, DIAG_MISSING_FEATURE, "a fetch from a cube image");
	if (lod && fetch && !q->ms && q->dim != DIM_BUFFER) {
		bits |= SpvImageOperandsLodMask;
		w[++n] = emit_get_u32(e, lod);
	} else if (fetch && !q->ms && q->dim != DIM_BUFFER) {
		bits |= SpvImageOperandsLodMask;
		w[++n] = emit_u32(e, 0);
	} else if (lod && !(emit_is_const(e, lod, &k) && !k))
		emit_refuse(e, DIAG_MISSING_FEATURE, "a level of detail for an image that has one level");
	if (q->ms) {
		if (!sample)
			emit_refuse(e, DIAG_UNLIFTED, "a multisampled image is read without a sample");
		bits |= SpvImageOperandsSampleMask;
		w[++n] = sample ? emit_get_u32(e, sample) : emit_u32(e, 0);
	} else if (sample && !(emit_is_const(e, sample, &k) && !k))
		emit_refuse(e, DIAG_UNLIFTED, "a sample of an image that is not multisampled");
	w[2] = bits;
	if (e->vulkan_model && !fetch && q->kind != RES_INPUT_ATTACHMENT && e->res[res].scoped) {
		w[2] |= SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsMakeTexelVisibleMask;
		w[++n] = emit_u32(e, (uint32_t)emit_scope(e, SCOPE_DEVICE));
	}
	if (q->kind == RES_INPUT_ATTACHMENT && !q->attachment)
		emit_refuse(e, DIAG_FACT, "the index of input attachment set %u binding %u is not recorded", q->set, q->binding);
	return emit_op(e, fetch ? SpvOpImageFetch : SpvOpImageRead, type, w, w[2] ? n + 1 : 2);
}

static void finish_read(struct emit *e, ir_id id, uint32_t res, uint32_t v, const struct emit_guard *g)
{
	const struct ir_resource *q = &e->fn->res[res];
	ir_type base = emit_texel_base(q);

	v = emit_texel_unsigned(e, q, v, 4);
	if (g)
		emit_guard_end(e, g, emit_vec_type(e, base, 4), &v);
	emit_texel_result(e, id, base, v);
}

void emit_iload(struct emit *e, ir_id id)
{
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t res, v;
	struct emit_guard g;

	if (!image_of(e, arg[1], &res)) {
		e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		return;
	}
	bool guarded = emit_guard_begin(e, arg[0], &g);
	v = read_texel(e, arg[1], res, texel_coords(e, arg[2], &e->fn->res[res]), arg[3], arg[4]);
	finish_read(e, id, res, v, guarded ? &g : NULL);
}

/* Write: components that the value lacks are zero; the format drops what it does not have. */
static void write_texel(struct emit *e, ir_id bind, uint32_t res, uint32_t coord, ir_id value, ir_id sample)
{
	const struct ir_resource *q = &e->fn->res[res];
	ir_type t = emit_inst(e, value)->type, base = emit_texel_base(q);
	uint32_t part[4], w[6], n = 3, v, image, type;

	if (ir_bits(t) != 32 || (q->kind != RES_STORAGE_IMAGE && q->kind != RES_STORAGE_TEXEL)) {
		emit_refuse(e, DIAG_DESCRIPTOR, "a write to something other than a storage image, or not of 32-bit elements");
		return;
	}
	image = plain_image(e, bind, res);
	if (ir_elems(t) == 4)
		v = emit_get_as(e, value, IR_VEC(base, 4));
	else {
		for (unsigned k = 0; k < 4; k++)
			part[k] = k < ir_elems(t) ? emit_get_part_as(e, value, k, base) : emit_const(e, base, 0);
		v = emit_op(e, SpvOpCompositeConstruct, emit_vec_type(e, base, 4), part, 4);
	}
	type = emit_texel_type(e, q, 4);
	if (type != emit_vec_type(e, base, 4))
		v = E_OP(e, Bitcast, type, v);
	w[0] = image;
	w[1] = coord;
	w[2] = v;
	w[3] = 0;
	if (q->ms) {
		w[3] |= SpvImageOperandsSampleMask;
		w[++n] = sample ? emit_get_u32(e, sample) : emit_u32(e, 0);
	}
	if (e->vulkan_model && e->res[res].scoped) {
		w[3] |= SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsMakeTexelAvailableMask;
		w[++n] = emit_u32(e, (uint32_t)emit_scope(e, SCOPE_DEVICE));
	}
	emit_stmt(e, SpvOpImageWrite, w, w[3] ? n + 1 : 3);
}

void emit_istore(struct emit *e, ir_id id)
{
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t res;
	uint64_t k;
	struct emit_guard g;

	if (!image_of(e, arg[1], &res))
		return;
	if (arg[3] && !(emit_is_const(e, arg[3], &k) && !k)) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "a store to a level of detail");
		return;
	}
	bool guarded = emit_guard_begin(e, arg[0], &g);
	write_texel(e, arg[1], res, texel_coords(e, arg[2], &e->fn->res[res]), arg[5], arg[4]);
	if (guarded)
		emit_guard_end(e, &g, 0, NULL);
}

/* Formatted buffer accesses by record index are texel buffer accesses. */
void emit_typed(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t res = 0, coord, v;
	uint64_t k;
	struct emit_guard g;
	bool store = i->op == IR_sttyped, fits = image_of(e, arg[1], &res) && e->fn->res[res].kind <= RES_STORAGE_TEXEL;

	if (!fits || i->sub || i->imm || !arg[3] || !(emit_is_const(e, arg[2], &k) && !k)) {
		if (!e->failed)
			emit_refuse(e, DIAG_DESCRIPTOR, "a formatted access that is no plain texel of a texel buffer");
		if (!store)
			e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		return;
	}
	bool guarded = emit_guard_begin(e, arg[0], &g);
	coord = emit_get_u32(e, arg[3]);
	if (store) {
		write_texel(e, arg[1], res, coord, arg[4], 0);
		if (guarded)
			emit_guard_end(e, &g, 0, NULL);
		return;
	}
	v = read_texel(e, arg[1], res, coord, 0, 0);
	finish_read(e, id, res, v, guarded ? &g : NULL);
}

/* sub: 0 size at lod, 1 levels, 2 samples */
void emit_iquery(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	ir_type own = i->type;
	uint32_t res, u32 = emit_type(e, IR_I32), v, type, part[4] = {0}, sub = i->sub;
	unsigned n = 1;

	e->val[id] = 0;
	if (!image_of(e, arg[0], &res)) {
		e->val[id] = emit_undef(e, own);
		return;
	}
	const struct ir_resource *q = &e->fn->res[res];
	bool sampled = q->kind == RES_SAMPLED_IMAGE || q->kind == RES_COMBINED;
	words_capability(&e->m, SpvCapabilityImageQuery);
	if (sub == 0) {
		n = emit_coord_count(q) - (q->dim == DIM_CUBE);
		type = emit_vec_type(e, IR_I32, n);
		if (sampled && !q->ms)
			v = E_OP(e, ImageQuerySizeLod, type, plain_image(e, arg[0], res), arg[1] ? emit_get_u32(e, arg[1]) : emit_u32(e, 0));
		else
			v = E_OP(e, ImageQuerySize, type, plain_image(e, arg[0], res));
	} else if (sub == 1 && sampled && !q->ms)
		v = E_OP(e, ImageQueryLevels, u32, plain_image(e, arg[0], res));
	else if (sub == 2 && q->ms)
		v = E_OP(e, ImageQuerySamples, u32, plain_image(e, arg[0], res));
	else {
		emit_refuse(e, DIAG_MISSING_FEATURE, "image query %u of this kind of image", sub);
		e->val[id] = emit_undef(e, own);
		return;
	}
	if (ir_elems(own) > n || ir_bits(own) != 32) {
		emit_refuse(e, DIAG_UNLIFTED, "an image query of %u elements", ir_elems(own));
		e->val[id] = emit_undef(e, own);
		return;
	}
	if (ir_elems(own) == n) {
		emit_set(e, id, IR_VEC(IR_I32, n), v);
		return;
	}
	for (unsigned k = 0; k < ir_elems(own); k++)
		part[k] = E_OP(e, CompositeExtract, u32, v, k);
	emit_set_parts(e, id, IR_I32, part);
}
