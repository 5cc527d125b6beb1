/* nv_tex.c - textures and surfaces through bindless handles: one register holds image index | sampler index << 20.
 *
 * The first register vector of a texture operation is [array index and minimum lod], coordinates; the second is the
 * handle, then sample number, lod or bias, texel offsets and depth reference, each where the instruction has it. txd
 * differs: handle, coordinates, [array index and offsets]; then the derivatives, x and y of each coordinate in turn.
 * Source: design page nvk-abi, section 10.
 *
 * Texels are lifted as floats; resource tracking turns them into integers where the image has such.
 */
#include "nv_lift.h"

#include <string.h>

struct dim_info {
	uint8_t dim, coords;
	bool array;
};
static const struct dim_info tex_dims[] = { /* NVM_DIM */
	[NV_1D] = {DIM_1D, 1, false}, [NV_A1D] = {DIM_1D, 1, true}, [NV_2D] = {DIM_2D, 2, false}, [NV_A2D] = {DIM_2D, 2,
		true},
	[NV_3D] = {DIM_3D, 3, false}, [NV_CUBE] = {DIM_CUBE, 3, false}, [NV_ACUBE] = {DIM_CUBE, 3, true},
};
static const struct dim_info surface_dims[] = { /* NVM_SUD: coordinates with the layer last */
	{DIM_1D, 1, false}, {DIM_BUFFER, 1, false}, {DIM_1D, 2, true}, {DIM_2D, 2, false}, {DIM_2D, 3, true}, {DIM_3D, 3,
		false},
};

static uint16_t kind_bits(const struct dim_info *d)
{
	return (uint16_t)((unsigned)d->dim << IMG_DIM_SHIFT | (d->array ? IMG_ARRAYED : 0) | IMG_DIM_KNOWN);
}

enum { HANDLE_TEXTURE, HANDLE_STORAGE, HANDLE_SAMPLER };

static ir_id handle(struct nv_lift *l, ir_id word, unsigned what)
{
	ir_id id = op1(l, IR_htex, IR_RES, word);

	l->fn->inst[id].sub = (uint16_t)what;
	return id;
}

static ir_id vec(struct nv_lift *l, ir_type base, const ir_id *v, unsigned n)
{
	return n == 1 ? v[0] : ir_new(l->fn, IR_vec, IR_VEC(base, n), n, v);
}

static ir_id element(struct nv_lift *l, ir_id v, unsigned k)
{
	ir_id e;

	if (ir_elems(l->fn->inst[v].type) == 1)
		return v;
	e = op1(l, IR_elem, (ir_type)ir_base(l->fn->inst[v].type), v);
	l->fn->inst[e].imm = k;
	return e;
}

/* Component `n` of those that the mask keeps: sm86 fills a vector of two, then another. */
static void put_component(struct nv_lift *l, unsigned n, ir_id v)
{
	unsigned d = l->in->chip == NV_SM86 && n >= 2 ? 1 : 0;

	nv_set_word(l, d, d ? n - 2 : n, v);
}

static void put_texel(struct nv_lift *l, ir_id v)
{
	unsigned n = 0;

	for (unsigned c = 0; c < 4; c++)
		if (l->in->m[NVM_MASK] >> c & 1)
			put_component(l, n++, element(l, v, c));
}

static bool usable(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;

	if (m[NVM_BOUND] || m[NVM_NDV] || !nv_discards(&l->in->dst[2])) {
		nv_refuse(l, m[NVM_BOUND] ? "bound texture" : m[NVM_NDV] ? "sampling without derivatives" : "fault predicate");
		return false;
	}
	return true;
}

/* A vector of source registers, taken one by one. */
struct words {
	const struct nv_opnd *o;
	unsigned at;
};

static ir_id next_word(struct nv_lift *l, struct words *w)
{
	return nv_word(l, w->o, w->at++);
}

static ir_id next_float(struct nv_lift *l, struct words *w)
{
	return nv_float_word(l, w->o, w->at++);
}

/* Packed texel offsets: `bits` a coordinate from bit `at` on. */
static ir_id offsets(struct nv_lift *l, const struct dim_info *d, ir_id v, unsigned at, unsigned bits)
{
	unsigned n = d->dim == DIM_CUBE ? 2 : d->coords;
	ir_id o[3];

	for (unsigned i = 0; i < n; i++)
		o[i] = field(l, v, at + bits * i, bits, true);
	return vec(l, IR_I32, o, n);
}

/* Optional operands of a sample, in the IR's order. */
struct sample {
	ir_id a[16];
	unsigned n, sub;
};

static void more(struct sample *s, ir_id v, unsigned bit)
{
	if (!v)
		return;
	s->a[s->n++] = v;
	s->sub |= bit;
}

static ir_id finish(struct nv_lift *l, struct sample *s, enum ir_op op, ir_type t)
{
	ir_id v = ir_new(l->fn, op, t, s->n, s->a);

	l->fn->inst[v].sub = (uint16_t)s->sub;
	return v;
}

/* Coordinates, the layer behind them, and the minimum lod that shares the layer's word. */
static ir_id coordinates(struct nv_lift *l, const struct dim_info *d, struct words *w, bool clamp, ir_id *min_lod)
{
	ir_id c[4], word = d->array || clamp ? next_word(l, w) : 0;

	for (unsigned i = 0; i < d->coords; i++)
		c[i] = next_float(l, w);
	if (d->array)
		c[d->coords] = op1(l, IR_u2f, IR_F32, field(l, word, 0, 16, false));
	*min_lod = 0;
	if (clamp) { /* 8 bits of fraction */
		*min_lod = op1(l, IR_u2f, IR_F32, field(l, word, 16, 16, false));
		*min_lod = op2(l, IR_fmul, IR_F32, *min_lod, ir_const(l->fn, IR_F32, 0x3b800000));
	}
	return vec(l, IR_F32, c, d->coords + d->array);
}

void lift_tex_tex(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	const struct dim_info *d = &tex_dims[m[NVM_DIM]];
	struct words w0 = {&l->in->src[0], 0}, w1 = {&l->in->src[1], 0};
	struct sample s = {.n = 4, .sub = kind_bits(d)};
	unsigned lod = m[NVM_LOD];
	ir_id h, min_lod, level = 0, off = 0, ref = 0, v;

	if (!usable(l))
		return;
	if (m[NVM_MS]) {
		nv_refuse(l, "sampling of a multisampled image");
		return;
	}
	h = next_word(l, &w1);
	s.a[0] = nv_mask(l);
	s.a[1] = handle(l, h, HANDLE_TEXTURE);
	s.a[2] = handle(l, h, HANDLE_SAMPLER);
	s.a[3] = coordinates(l, d, &w0, lod == NV_LOD_CLAMP || lod == NV_LOD_BIAS_CLAMP, &min_lod);
	if (lod == NV_LOD_BIAS || lod == NV_LOD_LOD || lod == NV_LOD_BIAS_CLAMP)
		level = next_float(l, &w1);
	else if (lod == NV_LOD_ZERO)
		level = ir_const(l->fn, IR_F32, 0);
	if (m[NVM_AOFFI])
		off = offsets(l, d, next_word(l, &w1), 0, 4);
	if (m[NVM_DC])
		ref = next_float(l, &w1);
	more(&s, ref, IMG_REF);
	more(&s, level, lod == NV_LOD_BIAS || lod == NV_LOD_BIAS_CLAMP ? IMG_BIAS : IMG_LOD);
	more(&s, off, IMG_OFFSET);
	more(&s, min_lod, IMG_MINLOD);
	v = finish(l, &s, IR_isample, ref ? IR_F32 : IR_VEC(IR_F32, 4));
	if (ref && m[NVM_MASK] != 1)
		nv_refuse(l, "depth comparison with more than one component");
	else
		put_texel(l, v);
}

void lift_tex_txd(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	const struct dim_info *d = &tex_dims[m[NVM_DIM]];
	struct words w0 = {&l->in->src[0], 0}, w1 = {&l->in->src[1], 0};
	struct sample s = {.n = 4, .sub = kind_bits(d) | IMG_GRAD};
	ir_id h, c[4], g[2][3], extra = 0;

	if (!usable(l))
		return;
	if (d->dim == DIM_CUBE) {
		nv_refuse(l, "cube sampled with derivatives");
		return;
	}
	h = next_word(l, &w0);
	for (unsigned i = 0; i < d->coords; i++)
		c[i] = next_float(l, &w0);
	if (d->array || m[NVM_AOFFI])
		extra = next_word(l, &w0);
	if (d->array)
		c[d->coords] = op1(l, IR_u2f, IR_F32, field(l, extra, 0, 16, false));
	for (unsigned i = 0; i < d->coords; i++)
		for (unsigned k = 0; k < 2; k++)
			g[k][i] = next_float(l, &w1);
	s.a[0] = nv_mask(l);
	s.a[1] = handle(l, h, HANDLE_TEXTURE);
	s.a[2] = handle(l, h, HANDLE_SAMPLER);
	s.a[3] = vec(l, IR_F32, c, d->coords + d->array);
	more(&s, vec(l, IR_F32, g[0], d->coords), IMG_GRAD);
	more(&s, vec(l, IR_F32, g[1], d->coords), IMG_GRAD);
	more(&s, m[NVM_AOFFI] ? offsets(l, d, extra, 16, 4) : 0, IMG_OFFSET);
	put_texel(l, finish(l, &s, IR_isample, IR_VEC(IR_F32, 4)));
}

void lift_tex_tld4(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	const struct dim_info *d = &tex_dims[m[NVM_DIM]];
	struct words w0 = {&l->in->src[0], 0}, w1 = {&l->in->src[1], 0};
	struct sample s = {.n = 4, .sub = kind_bits(d)};
	ir_id h, min_lod, off = 0, v;

	if (!usable(l))
		return;
	if (m[NVM_AOFFI] > 1) {
		nv_refuse(l, "gather with an offset per texel");
		return;
	}
	h = next_word(l, &w1);
	s.a[0] = nv_mask(l);
	s.a[1] = handle(l, h, HANDLE_TEXTURE);
	s.a[2] = handle(l, h, HANDLE_SAMPLER);
	s.a[3] = coordinates(l, d, &w0, false, &min_lod);
	if (m[NVM_AOFFI])
		off = offsets(l, d, next_word(l, &w1), 0, 8);
	if (m[NVM_DC])
		more(&s, next_float(l, &w1), IMG_REF);
	more(&s, off, IMG_OFFSET);
	v = finish(l, &s, IR_igather, IR_VEC(IR_F32, 4));
	l->fn->inst[v].imm = m[NVM_COMP];
	put_texel(l, v);
}

/* Texel fetch. A one-dimensional fetch is also how uniform texel buffers are read, so its dimension stays open. */
void lift_tex_tld(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	const struct dim_info *d = &tex_dims[m[NVM_DIM]];
	struct words w0 = {&l->in->src[0], 0}, w1 = {&l->in->src[1], 0};
	ir_id h, c[4], layer = 0, sample = 0, lod = 0, image, at, v;
	unsigned lodm = m[NVM_LOD];

	if (!usable(l))
		return;
	if (lodm != NV_LOD_ZERO && lodm != NV_LOD_LOD) {
		nv_refuse(l, "fetch with a level other than given or zero");
		return;
	}
	if (d->array)
		layer = field(l, next_word(l, &w0), 0, 16, false);
	for (unsigned i = 0; i < d->coords; i++)
		c[i] = next_word(l, &w0);
	h = next_word(l, &w1);
	if (m[NVM_MS])
		sample = next_word(l, &w1);
	if (lodm == NV_LOD_LOD)
		lod = next_word(l, &w1);
	else if (!m[NVM_MS])
		lod = nv_c32(l, 0);
	if (m[NVM_AOFFI]) {
		ir_id o = next_word(l, &w1);

		for (unsigned i = 0; i < d->coords; i++)
			c[i] = i2(l, IR_iadd, c[i], field(l, o, 4 * i, 4, true));
	}
	if (layer)
		c[d->coords] = layer;
	image = handle(l, h, HANDLE_TEXTURE);
	at = vec(l, IR_I32, c, d->coords + d->array);
	v = ir_new(l->fn, IR_iload, IR_VEC(IR_F32, 4), 5, (ir_id[]){nv_mask(l), image, at, lod, sample});
	l->fn->inst[v].sub = d->dim == DIM_1D && !d->array ? 0 : kind_bits(d);
	put_texel(l, v);
}

/* txq dimension: width, height (or layers of a 1D array), depth or layers, levels; texture_type: component 2 is the
 * samples. */
void lift_tex_txq(struct nv_lift *l)
{
	enum { DIMENSION, TYPE };
	const uint8_t *m = l->in->m;
	struct words w = {&l->in->src[0], 0};
	ir_id img, lod, q = 0;
	unsigned sizes = m[NVM_MASK] & 4 ? 3 : m[NVM_MASK] & 2 ? 2 : 1, n = 0;

	if (m[NVM_BOUND] || m[NVM_TXQ] > TYPE || (m[NVM_TXQ] == TYPE && m[NVM_MASK] != 4)) {
		nv_refuse(l, "query of a bound texture, or of other than size, levels and samples");
		return;
	}
	img = handle(l, next_word(l, &w), HANDLE_TEXTURE);
	if (m[NVM_TXQ] == TYPE) {
		q = op2(l, IR_iquery, IR_I32, img, 0);
		l->fn->inst[q].sub = 2;
		put_component(l, 0, q);
		return;
	}
	lod = next_word(l, &w);
	if (m[NVM_MASK] & 7)
		q = op2(l, IR_iquery, IR_VEC(IR_I32, sizes), img, lod);
	for (unsigned c = 0; c < 3; c++)
		if (m[NVM_MASK] >> c & 1)
			put_component(l, n++, element(l, q, c));
	if (m[NVM_MASK] & 8) {
		q = op2(l, IR_iquery, IR_I32, img, 0);
		l->fn->inst[q].sub = 1;
		put_component(l, n, q);
	}
}

/* ---- surfaces */
static void scope(struct nv_lift *l, ir_id id)
{
	if (l->coherent && l->in->m[NVM_ORDER] != NV_CONSTANT)
		l->fn->inst[id].flags |= SCOPE_DEVICE << IR_F_SCOPE_SHIFT;
}

static ir_id surface_coords(struct nv_lift *l)
{
	const struct dim_info *d = &surface_dims[l->in->m[NVM_SUD]];
	ir_id c[3];

	for (unsigned i = 0; i < d->coords; i++)
		c[i] = nv_word(l, &l->in->src[0], i);
	return vec(l, IR_I32, c, d->coords);
}

static ir_id surface(struct nv_lift *l)
{
	return handle(l, nv_word(l, &l->in->src[1], 0), HANDLE_STORAGE);
}

void lift_tex_suld(struct nv_lift *l)
{
	const struct dim_info *d = &surface_dims[l->in->m[NVM_SUD]];
	ir_id image, at, v;

	if (!nv_discards(&l->in->dst[1])) {
		nv_refuse(l, "fault predicate");
		return;
	}
	image = surface(l);
	at = surface_coords(l);
	v = ir_new(l->fn, IR_iload, IR_VEC(IR_F32, 4), 5, (ir_id[]){nv_mask(l), image, at, 0, 0});
	l->fn->inst[v].sub = kind_bits(d);
	scope(l, v);
	for (unsigned c = 0, n = 0; c < 4; c++)
		if (l->in->m[NVM_MASK] >> c & 1)
			nv_set_word(l, 0, n++, element(l, v, c));
}

void lift_tex_sust(struct nv_lift *l)
{
	const struct dim_info *d = &surface_dims[l->in->m[NVM_SUD]];
	ir_id image = surface(l), at = surface_coords(l), t[4], v, id;
	unsigned n = 0;

	for (unsigned c = 0; c < 4; c++)
		t[c] = l->in->m[NVM_MASK] >> c & 1 ? nv_float_word(l, &l->in->src[2], n++) : ir_const(l->fn,
			IR_F32, 0);
	v = vec(l, IR_F32, t, 4);
	id = ir_new(l->fn, IR_istore, IR_VOID, 6, (ir_id[]){nv_mask(l), image, at, 0, 0, v});
	l->fn->inst[id].sub = kind_bits(d);
	scope(l, id);
}

void lift_tex_suatom(struct nv_lift *l)
{
	const struct nv_inst *in = l->in;
	unsigned type = in->m[NVM_ATYPE];
	int kind = in->op == NV_SUATOMCAS ? ATOMIC_cmpxchg : nv_mem_atomic(in->m[NVM_AOP], type);
	ir_id image, at, v, second = 0;

	if (kind < 0 || (type != NV_T_U32 && type != NV_T_I32) || !nv_discards(&in->dst[1])) {
		nv_refuse(l, "surface atomic of this type, or with a fault predicate");
		return;
	}
	image = surface(l);
	at = surface_coords(l);
	v = nv_word(l, &in->src[2], 0);
	if (in->op == NV_SUATOMCAS)
		second = nv_word(l, &in->src[2], 1);
	v = ir_new(l->fn, IR_iatomic, IR_I32, 6, (ir_id[]){nv_mask(l), image, at, 0, v, second});
	l->fn->inst[v].sub = (uint16_t)kind;
	l->fn->inst[v].flags |= SCOPE_DEVICE << IR_F_SCOPE_SHIFT;
	if (kind == ATOMIC_smin || kind == ATOMIC_smax)
		l->fn->inst[v].flags |= IR_F_SIGNED;
	nv_set(l, 0, v);
}
