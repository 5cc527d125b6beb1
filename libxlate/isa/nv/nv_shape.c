/* nv_shape.c - how many consecutive registers each operand of an instruction spans.
 *
 * The encodings hold only first registers: the count follows from types, component masks and texture dimensions.
 */
#include "nv.h"
#include "nv_shape.h"

static const uint8_t mem_regs[] = {1, 1, 1, 1, 1, 2, 4};           /* NVM_MEM */
static const uint8_t tex_coords[] = {1, 2, 2, 3, 3, 3, 4};         /* NVM_DIM, array index included */
static const uint8_t tex_axes[] = {1, 1, 2, 2, 3, 3, 3};           /* without it */
static const uint8_t image_coords[] = {1, 1, 2, 2, 3, 3};          /* NVM_SUD */

static unsigned popcount4(unsigned mask)
{
	return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

static bool is_array(unsigned dim)
{
	return dim == NV_A1D || dim == NV_A2D || dim == NV_ACUBE;
}

static void set(struct nv_opnd *o, unsigned width)
{
	if ((o->kind == NVK_REG && o->index != NV_RZ_REG) || (o->kind == NVK_UREG && o->index != NV_RZ_UREG))
		o->width = (uint8_t)width;
}

static void pairs(struct nv_inst *in, unsigned ndst, unsigned nsrc)
{
	for (unsigned i = 0; i < ndst; i++)
		set(&in->dst[i], 2);
	for (unsigned i = 0; i < nsrc; i++)
		set(&in->src[i], 2);
}

static void address(struct nv_inst *in)
{
	set(&in->src[0], in->m[NVM_A64] ? 2 : 1);
}

static bool type64(unsigned type)
{
	return type == NV_T_U64 || type == NV_T_I64 || type == NV_T_F64;
}

/* Destination of a texture operation: sm86 writes two vectors, sm53 one. */
static void texels(struct nv_inst *in)
{
	unsigned n = popcount4(in->m[NVM_MASK]);

	if (in->chip == NV_SM53) {
		set(&in->dst[0], n ? n : 1);
		return;
	}
	set(&in->dst[0], n >= 2 ? 2 : 1);
	set(&in->dst[1], n == 4 ? 2 : 1);
}

static void texture(struct nv_inst *in)
{
	unsigned dim = in->m[NVM_DIM], lod = in->m[NVM_LOD], handle = in->m[NVM_BOUND] ? 0 : 1;
	unsigned offsets = in->m[NVM_AOFFI];
	bool clamp = lod == NV_LOD_CLAMP || lod == NV_LOD_BIAS_CLAMP;
	unsigned n0 = tex_coords[dim], n1 = handle;

	texels(in);
	if (in->op == NV_TXD) { /* array index and offsets share a word behind the coordinates */
		n0 = handle + tex_axes[dim] + (is_array(dim) || offsets ? 1 : 0);
		n1 = 2u * tex_axes[dim];
	} else {
		n0 += clamp && !is_array(dim); /* the minimum lod shares the array index's word */
		n1 += in->m[NVM_MS] + offsets + in->m[NVM_DC];
		n1 += lod == NV_LOD_BIAS || lod == NV_LOD_LOD || lod == NV_LOD_BIAS_CLAMP;
	}
	set(&in->src[0], n0);
	set(&in->src[1], n1 ? n1 : 1);
}

static void query(struct nv_inst *in)
{
	unsigned handle = in->m[NVM_BOUND] ? 0 : 1;

	texels(in);
	set(&in->src[0], in->m[NVM_TXQ] == 0 ? handle + 1 : 1);
}

static bool shape_surface(struct nv_inst *in, unsigned shape)
{
	unsigned n = popcount4(in->m[NVM_MASK]);
	unsigned wide = type64(in->m[NVM_ATYPE]) ? 2 : 1;

	set(&in->src[0], image_coords[in->m[NVM_SUD]]);
	if (shape == S_SULDB) {
		set(&in->dst[0], mem_regs[in->m[NVM_MEM]]);
		return true;
	}
	if (shape == S_SUATOM) {
		set(&in->dst[0], wide);
		set(&in->src[2], in->op == NV_SUATOMCAS ? 2 * wide : wide);
		return true;
	}
	set(shape == S_SULD ? &in->dst[0] : &in->src[2], n ? n : 1);
	return n == 1 || n == 2 || n == 4;
}

static void shape_memory(struct nv_inst *in, unsigned shape)
{
	unsigned wide = type64(in->m[NVM_ATYPE]) ? 2 : 1;

	switch (shape) {
	case S_LD:
		address(in);
		set(&in->dst[0], mem_regs[in->m[NVM_MEM]]);
		break;
	case S_LD1:
		set(&in->dst[0], mem_regs[in->m[NVM_MEM]]);
		break;
	case S_ST:
		address(in);
		set(&in->src[1], mem_regs[in->m[NVM_MEM]]);
		break;
	case S_ATOM:
	case S_ATOMP:
		address(in);
		set(&in->dst[0], wide);
		set(&in->src[1], shape == S_ATOMP ? 2 * wide : wide);
		set(&in->src[2], wide);
		break;
	default:
		address(in);
		break;
	}
}

/* Every register that an operand spans must exist, and none may be the zero register. */
static bool in_range(const struct nv_inst *in)
{
	bool fine = true;

	for (const struct nv_opnd *o = in->dst; o < in->dst + NV_MAX_DST; o++)
		fine &= o->width <= 1 || o->index + o->width <= (o->kind == NVK_UREG ? NV_RZ_UREG : NV_RZ_REG);
	for (const struct nv_opnd *o = in->src; o < in->src + NV_MAX_SRC; o++)
		fine &= o->width <= 1 || o->index + o->width <= (o->kind == NVK_UREG ? NV_RZ_UREG : NV_RZ_REG);
	return fine;
}

static bool spans(struct nv_inst *in, unsigned shape)
{
	switch (shape) {
	case S_64: pairs(in, 1, 3); break;
	case S_DSET: pairs(in, 0, 2); break;
	case S_CVT:
		set(&in->dst[0], in->m[NVM_DSZ] == 3 ? 2 : 1);
		set(&in->src[0], in->m[NVM_SSZ] == 3 ? 2 : 1);
		break;
	case S_IMAD64:
		pairs(in, 1, 0);
		set(&in->src[2], 2);
		break;
	case S_CS2R: set(&in->dst[0], in->m[NVM_DSZ] ? 2 : 1); break;
	case S_TEX: texture(in); break;
	case S_TXQ: query(in); break;
	case S_SULD:
	case S_SULDB:
	case S_SUST:
	case S_SUATOM:
		if (!shape_surface(in, shape))
			return false;
		break;
	case S_ALD: set(&in->dst[0], in->m[NVM_COMPS] + 1u); break;
	case S_AST: set(&in->src[2], in->m[NVM_COMPS] + 1u); break;
	case S_LDTRAM: set(&in->dst[0], 2); break;
	default: shape_memory(in, shape); break;
	}
	return in_range(in);
}

bool nv_shape(struct nv_inst *in)
{
	unsigned shape = nv_rows[in->op].shape;

	return shape == S_32 /* as they are */ || spans(in, shape);
}
