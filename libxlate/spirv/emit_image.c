/* emit_image.c - image and sampler objects, sampling, gathering, queries. */
#include "emit.h"

#include <string.h>

/* The numeric class of storage formats, by ImageFormat number (SPIR-V specification, 3.11). */
ir_type emit_texel_base(const struct ir_resource *q)
{
	if (q->format >= 21 && q->format <= 39)
		return IR_I32;
	if (q->format)
		return q->format <= 20 ? IR_F32 : IR_I64;
	return q->numeric == NUMERIC_FLOAT ? IR_F32 : IR_I32;
}

static bool texel_signed(const struct ir_resource *q)
{
	return q->format ? q->format >= 21 && q->format <= 29 : q->numeric == NUMERIC_SINT;
}

unsigned emit_coord_count(const struct ir_resource *q)
{
	static const uint8_t n[] = {[DIM_1D] = 1, [DIM_2D] = 2, [DIM_3D] = 3, [DIM_CUBE] = 3, [DIM_BUFFER] = 1, [DIM_SUBPASS] = 2,
		[DIM_UNKNOWN] = 2};

	return n[q->dim <= DIM_UNKNOWN ? q->dim : DIM_UNKNOWN] + (q->arrayed == 1 && q->dim != DIM_BUFFER ? 1u : 0u);
}

/* Texels of a cube are addressed as layers: x, y, face + 6 * element. */
unsigned emit_texel_coord_count(const struct ir_resource *q)
{
	return q->dim == DIM_CUBE ? 3 : emit_coord_count(q);
}

/* Formats outside of the minimum set need a capability. */
static bool extended_format(unsigned f)
{
	static const uint8_t base[] = {0, 1, 2, 3, 4, 5, 21, 22, 23, 24, 30, 31, 32, 33};

	for (unsigned i = 0; i < sizeof base; i++)
		if (base[i] == f)
			return false;
	return true;
}

static void image_capabilities(struct emit *e, uint32_t res, bool storage)
{
	const struct ir_resource *q = &e->fn->res[res];
	const struct emit_res *r = &e->res[res];
	const struct fact_target *t = e->t;

	if (q->dim == DIM_1D)
		emit_need(e, t->sampled_1d, storage ? SpvCapabilityImage1D : SpvCapabilitySampled1D, "one-dimensional images");
	if (q->dim == DIM_BUFFER)
		emit_need(e, storage ? t->image_buffer : t->sampled_buffer, storage ? SpvCapabilityImageBuffer : SpvCapabilitySampledBuffer,
		          "texel buffers");
	if (q->dim == DIM_CUBE && q->arrayed == 1)
		emit_need(e, t->cube_array, storage ? SpvCapabilityImageCubeArray : SpvCapabilitySampledCubeArray, "imageCubeArray");
	if (q->dim == DIM_SUBPASS)
		words_capability(&e->m, SpvCapabilityInputAttachment);
	if (!storage || q->dim == DIM_SUBPASS)
		return;
	if (q->ms == 1)
		emit_need(e, t->storage_multisample, SpvCapabilityStorageImageMultisample, "shaderStorageImageMultisample");
	if (q->ms == 1 && q->arrayed == 1)
		words_capability(&e->m, SpvCapabilityImageMSArray);
	if (!q->format && r->read)
		emit_need(e, t->storage_read_without_format, SpvCapabilityStorageImageReadWithoutFormat,
		          "shaderStorageImageReadWithoutFormat");
	if (!q->format && r->written)
		emit_need(e, t->storage_write_without_format, SpvCapabilityStorageImageWriteWithoutFormat,
		          "shaderStorageImageWriteWithoutFormat");
	if (q->format && extended_format(q->format))
		emit_need(e, t->storage_extended_formats, SpvCapabilityStorageImageExtendedFormats, "shaderStorageImageExtendedFormats");
}

static void image_type(struct emit *e, uint32_t res)
{
	static const uint8_t dims[] = {[DIM_1D] = SpvDim1D, [DIM_2D] = SpvDim2D, [DIM_3D] = SpvDim3D, [DIM_CUBE] = SpvDimCube,
		[DIM_BUFFER] = SpvDimBuffer, [DIM_SUBPASS] = SpvDimSubpassData};
	const struct ir_resource *q = &e->fn->res[res];
	struct emit_res *r = &e->res[res];
	bool storage = q->kind == RES_STORAGE_IMAGE || q->kind == RES_STORAGE_TEXEL || q->kind == RES_INPUT_ATTACHMENT;
	uint32_t base;

	if (r->type)
		return;
	if (q->kind == RES_SAMPLER) {
		r->type = words_type(&e->m, SpvOpTypeSampler, NULL, 0);
		return;
	}
	if (q->dim >= DIM_UNKNOWN || (!q->format && q->numeric >= NUMERIC_UNKNOWN) || q->arrayed > 1 || q->ms > 1 || q->format > 39)
		emit_refuse(e, DIAG_FACT, "the kind of image at set %u binding %u is not recorded", q->set, q->binding);
	if (emit_texel_base(q) == IR_F32)
		base = emit_vec_type(e, IR_F32, 1);
	else
		base = words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(32, texel_signed(q) ? 1 : 0));
	image_capabilities(e, res, storage);
	r->image_type = words_type(&e->m, SpvOpTypeImage, WORDS_ARGS(base, dims[q->dim < DIM_UNKNOWN ? q->dim : DIM_2D],
		q->depth == 1 || r->compare ? 1 : 0, q->arrayed == 1 && q->dim != DIM_BUFFER, q->ms == 1, storage ? 2 : 1,
		storage && q->dim != DIM_SUBPASS ? q->format : 0));
	r->type = r->image_type;
	if (q->kind == RES_COMBINED)
		r->type = words_type(&e->m, SpvOpTypeSampledImage, &r->image_type, 1);
}

uint32_t emit_image_pointer(struct emit *e, ir_id bind, uint32_t res)
{
	struct emit_res *r = &e->res[res];
	uint32_t element, id;

	image_type(e, res);
	emit_image_var(e, res);
	element = emit_element(e, bind, res);
	if (!element)
		return r->var;
	id = E_OP(e, AccessChain, emit_pointer(e, SpvStorageClassUniformConstant, r->type), r->var, element);
	emit_nonuniform(e, bind, id, true);
	return id;
}

/* The loaded object; a binding that is no array is loaded once for the whole function. */
uint32_t emit_image_object(struct emit *e, ir_id bind, uint32_t res)
{
	struct emit_res *r = &e->res[res];
	uint32_t id, pointer;

	if (e->fn->res[res].count != 1) {
		pointer = emit_image_pointer(e, bind, res);
		id = E_OP(e, Load, r->type, pointer);
		emit_nonuniform(e, bind, id, false);
		return id;
	}
	if (!r->object) {
		pointer = emit_image_pointer(e, bind, res);
		e->to = SEC_PROLOGUE;
		r->object = E_OP(e, Load, r->type, pointer);
		e->to = SEC_BODY;
	}
	return r->object;
}

/* The resource of an operand, of one of two kinds. */
static bool resource_of(struct emit *e, ir_id bind, unsigned lo, unsigned hi, uint32_t *res)
{
	const struct ir_inst *b = emit_inst(e, bind);

	if (!bind || b->op != IR_bind || b->imm >= e->fn->nres || e->fn->res[b->imm].kind < lo || e->fn->res[b->imm].kind > hi) {
		emit_refuse(e, DIAG_DESCRIPTOR, "the image or sampler of this instruction is not known, or is of another kind");
		return false;
	}
	*res = (uint32_t)b->imm;
	return true;
}

uint32_t emit_coords(struct emit *e, ir_id coord, unsigned n, ir_type base)
{
	ir_type t = emit_inst(e, coord)->type;
	uint32_t part[4] = {0};

	if (ir_bits(t) != 32 || ir_elems(t) < n || n > 4) {
		emit_refuse(e, DIAG_UNLIFTED, "%u coordinates of %u bits where the image has %u", ir_elems(t), ir_bits(t), n);
		return emit_undef(e, IR_VEC(base, n));
	}
	if (ir_elems(t) == n)
		return emit_get_as(e, coord, IR_VEC(base, n));
	for (unsigned k = 0; k < n; k++)
		part[k] = emit_get_part_as(e, coord, k, base);
	return n == 1 ? part[0] : emit_op(e, SpvOpCompositeConstruct, emit_vec_type(e, base, n), part, n);
}

/* A texel of four (base signed where the image is): the value's components. */
void emit_texel_result(struct emit *e, ir_id id, ir_type base, uint32_t v)
{
	ir_type own = emit_inst(e, id)->type;
	unsigned n = ir_elems(own);
	uint32_t part[4] = {0}, scalar = emit_vec_type(e, base, 1);

	if (ir_bits(own) != 32) {
		emit_refuse(e, DIAG_UNLIFTED, "a texel of %u-bit elements", ir_bits(own));
		e->val[id] = emit_undef(e, own);
		return;
	}
	if (n == 4) {
		emit_set(e, id, IR_VEC(base, 4), v);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		part[k] = E_OP(e, CompositeExtract, scalar, v, k);
	emit_set_parts(e, id, base, part);
}

/* The image's own result type: signed integers where it is declared so. Unsigned words are what the IR has. */
static uint32_t texel_type(struct emit *e, const struct ir_resource *q, unsigned n)
{
	uint32_t s;

	if (emit_texel_base(q) == IR_F32 || !texel_signed(q))
		return emit_vec_type(e, emit_texel_base(q), n);
	s = words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(32, 1));
	return n > 1 ? words_type(&e->m, SpvOpTypeVector, WORDS_ARGS(s, n)) : s;
}

uint32_t emit_texel_unsigned(struct emit *e, const struct ir_resource *q, uint32_t v, unsigned n)
{
	if (emit_texel_base(q) == IR_F32 || !texel_signed(q))
		return v;
	return E_OP(e, Bitcast, emit_vec_type(e, IR_I32, n), v);
}

uint32_t emit_texel_type(struct emit *e, const struct ir_resource *q, unsigned n)
{
	return texel_type(e, q, n);
}

struct sample { uint32_t image, res, coord, ref, w[10], n; bool explicit_lod, gather; };

static uint32_t combined(struct emit *e, ir_id image, ir_id sampler, uint32_t *res)
{
	uint32_t sres, type, im, sm, id;

	if (!resource_of(e, image, RES_SAMPLED_IMAGE, RES_COMBINED, res) || e->fn->res[*res].kind == RES_SAMPLER ||
	    e->fn->res[*res].kind == RES_STORAGE_IMAGE)
		return 0;
	const struct ir_inst *a = emit_inst(e, image), *b = sampler ? emit_inst(e, sampler) : a;
	bool own = !sampler || sampler == image || (b->op == IR_bind && b->imm == a->imm &&
		ir_args(e->fn, sampler)[0] == ir_args(e->fn, image)[0]);
	if (e->fn->res[*res].kind == RES_COMBINED && own)
		return emit_image_object(e, image, *res);
	/* a sampler on its own goes with any image, also with the image half of a combined one */
	if (!resource_of(e, sampler, RES_SAMPLER, RES_SAMPLER, &sres))
		return 0;
	im = emit_image_object(e, image, *res);
	if (e->fn->res[*res].kind == RES_COMBINED)
		im = E_OP(e, Image, e->res[*res].image_type, im);
	sm = emit_image_object(e, sampler, sres);
	type = words_type(&e->m, SpvOpTypeSampledImage, &e->res[*res].image_type, 1);
	id = E_OP(e, SampledImage, type, im, sm);
	emit_nonuniform(e, image, id, false);
	emit_nonuniform(e, sampler, id, false);
	return id;
}

static void put_operand(struct sample *s, uint32_t mask, uint32_t a, uint32_t b)
{
	s->w[0] |= mask;
	s->w[++s->n] = a;
	if (b)
		s->w[++s->n] = b;
}

static void offset_operand(struct emit *e, struct sample *s, ir_id v, unsigned n)
{
	const struct ir_inst *i = emit_inst(e, v);
	const ir_id *arg = ir_args(e->fn, v);
	bool known = i->op == IR_const;
	uint32_t c[3] = {0};
	uint64_t k;

	if (i->op == IR_vec) {
		known = true;
		for (unsigned j = 0; j < n; j++)
			known &= j < ir_nargs(e->fn, v) && emit_is_const(e, arg[j], &k);
	}
	if (ir_elems(i->type) < n || n > 3) {
		emit_refuse(e, DIAG_UNLIFTED, "a texel offset of too few elements");
		return;
	}
	if (known) {
		uint32_t type = emit_vec_type(e, IR_I32, n);
		for (unsigned j = 0; j < n; j++) {
			k = i->imm;
			if (i->op == IR_vec)
				emit_is_const(e, arg[j], &k);
			c[j] = emit_u32(e, (uint32_t)k);
		}
		put_operand(s, SpvImageOperandsConstOffsetMask, n == 1 ? c[0] : words_const(&e->m, SpvOpConstantComposite, type, c, n), 0);
		return;
	}
	if (!s->gather) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "sampling with an offset that is no constant");
		return;
	}
	emit_need(e, e->t->image_gather_extended, SpvCapabilityImageGatherExtended, "shaderImageGatherExtended");
	put_operand(s, SpvImageOperandsOffsetMask, emit_coords(e, v, n, IR_I32), 0);
}

/* Operands behind the coordinates, in the order of SPIR-V's bits, which is that of the IR. */
static bool sample_operands(struct emit *e, ir_id id, struct sample *s)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	const struct ir_resource *q = &e->fn->res[s->res];
	unsigned n = ir_nargs(e->fn, id), at = 4, flags = i->sub, dims = emit_coord_count(q) - (q->arrayed == 1);
	unsigned want = !!(flags & IMG_REF) + !!(flags & IMG_BIAS) + !!(flags & IMG_LOD) + 2 * !!(flags & IMG_GRAD) +
	                !!(flags & IMG_OFFSET) + !!(flags & IMG_MINLOD);

	if (flags & IMG_PROJ || n != at + want || (flags & IMG_BIAS && flags & (IMG_LOD | IMG_GRAD))) {
		emit_refuse(e, DIAG_UNLIFTED, "an image instruction with operands %#x", flags);
		return false;
	}
	if (flags & IMG_REF)
		s->ref = emit_get_as(e, arg[at++], IR_F32);
	if (flags & IMG_BIAS)
		put_operand(s, SpvImageOperandsBiasMask, emit_get_as(e, arg[at++], IR_F32), 0);
	if (flags & IMG_LOD) {
		uint64_t lod;
		if (!s->gather || !emit_is_const(e, arg[at], &lod) || lod) /* gathers are from the base level anyway */
			put_operand(s, SpvImageOperandsLodMask, emit_get_as(e, arg[at], IR_F32), 0);
		at++;
	}
	if (flags & IMG_GRAD) {
		uint32_t dx = emit_coords(e, arg[at], dims, IR_F32), dy = emit_coords(e, arg[at + 1], dims, IR_F32);
		put_operand(s, SpvImageOperandsGradMask, dx, dy);
		at += 2;
	}
	if (flags & IMG_OFFSET)
		offset_operand(e, s, arg[at++], dims);
	if (flags & IMG_MINLOD) {
		emit_need(e, e->t->min_lod, SpvCapabilityMinLod, "shaderResourceMinLod");
		put_operand(s, SpvImageOperandsMinLodMask, emit_get_as(e, arg[at++], IR_F32), 0);
	}
	s->explicit_lod = flags & (IMG_LOD | IMG_GRAD);
	return true;
}

static bool sample_begin(struct emit *e, ir_id id, struct sample *s)
{
	const ir_id *arg = ir_args(e->fn, id);

	e->val[id] = 0;
	s->image = combined(e, arg[1], arg[2], &s->res);
	if (!s->image || !sample_operands(e, id, s)) {
		e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		if (!e->failed)
			emit_refuse(e, DIAG_DESCRIPTOR, "an image of a kind that cannot be sampled");
		return false;
	}
	const struct ir_resource *q = &e->fn->res[s->res];
	bool flat = emit_inst(e, id)->sub & IMG_QUERY_LOD; /* a layer says nothing about levels */
	s->coord = emit_coords(e, arg[3], emit_coord_count(q) - (flat && q->arrayed == 1), IR_F32);
	return true;
}

/* Masked lanes sample, too: reading an image is harmless, and derivatives want the neighbours. */
void emit_sample(struct emit *e, ir_id id)
{
	struct sample s;
	uint32_t w[14], n = 0, v, type;
	static const uint16_t ops[2][2] = {{SpvOpImageSampleImplicitLod, SpvOpImageSampleExplicitLod},
		{SpvOpImageSampleDrefImplicitLod, SpvOpImageSampleDrefExplicitLod}};

	memset(&s, 0, sizeof s);
	if (!sample_begin(e, id, &s))
		return;
	const struct ir_resource *q = &e->fn->res[s.res];
	if (!s.explicit_lod && e->fn->stage != STAGE_FRAGMENT)
		emit_refuse(e, DIAG_STAGE, "sampling with implicit derivatives outside of a fragment program");
	if (emit_inst(e, id)->sub & IMG_QUERY_LOD) {
		if (s.ref || s.n)
			emit_refuse(e, DIAG_UNLIFTED, "a query of the level of detail with operands");
		words_capability(&e->m, SpvCapabilityImageQuery);
		v = E_OP(e, ImageQueryLod, emit_vec_type(e, IR_F32, 2), s.image, s.coord);
		emit_set(e, id, IR_VEC(IR_F32, 2), v);
		return;
	}
	w[n++] = s.image;
	w[n++] = s.coord;
	if (s.ref)
		w[n++] = s.ref;
	if (s.n) {
		memcpy(w + n, s.w, (s.n + 1) * sizeof *w);
		n += s.n + 1;
	}
	type = s.ref ? emit_vec_type(e, IR_F32, 1) : texel_type(e, q, 4);
	v = emit_op(e, (SpvOp)ops[s.ref != 0][s.explicit_lod], type, w, n);
	if (!s.ref) {
		emit_texel_result(e, id, emit_texel_base(q), emit_texel_unsigned(e, q, v, 4));
		return;
	}
	if (ir_elems(emit_inst(e, id)->type) == 1) {
		emit_set(e, id, IR_F32, v);
		return;
	}
	emit_set_parts(e, id, IR_F32, (uint32_t[]){v, v, v, v});
}

void emit_gather(struct emit *e, ir_id id)
{
	struct sample s;
	uint32_t w[14], n = 0, v;

	memset(&s, 0, sizeof s);
	s.gather = true;
	if (!sample_begin(e, id, &s))
		return;
	const struct ir_resource *q = &e->fn->res[s.res];
	if (s.w[0] & ~(uint32_t)(SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask))
		emit_refuse(e, DIAG_MISSING_FEATURE, "a gather with a level of detail");
	w[n++] = s.image;
	w[n++] = s.coord;
	w[n++] = s.ref ? s.ref : emit_u32(e, (uint32_t)emit_inst(e, id)->imm & 3);
	if (s.n) {
		memcpy(w + n, s.w, (s.n + 1) * sizeof *w);
		n += s.n + 1;
	}
	v = emit_op(e, s.ref ? SpvOpImageDrefGather : SpvOpImageGather, texel_type(e, q, 4), w, n);
	emit_texel_result(e, id, emit_texel_base(q), emit_texel_unsigned(e, q, v, 4));
}
