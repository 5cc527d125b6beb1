/* lift_img.c - image instructions.
 *
 * Addresses come as dwords in this order: packed offset, bias, depth reference, derivatives, coordinates, lod or lod
 * clamp. A cube's coordinates are the position on a face and the face's number (8 per array element); the IR samples
 * cubes by a direction, which is rebuilt. gfx10 says the dimension; gfx7 does not (lift_imgdim.c).
 */
#include "lift_amd.h"

#include <string.h>

struct image {
	enum fact_dim dim;
	bool arrayed, ms, either; /* either: a cube, arrayed or not */
	unsigned coords, grads; /* dwords */
	unsigned n, at;         /* address dwords there may be, taken so far */
};

static bool image_of(struct amd_lift *l, struct image *m, unsigned what, bool sample)
{
	static const struct { uint8_t dim, arrayed, ms, coords, grads; } dims[8] = {
		{ DIM_1D, 0, 0, 1, 2 }, { DIM_2D, 0, 0, 2, 4 }, { DIM_3D, 0, 0, 3, 6 }, { DIM_CUBE, 0, 0, 3, 4 },
		{ DIM_1D, 1, 0, 2, 2 }, { DIM_2D, 1, 0, 3, 4 }, { DIM_2D, 0, 1, 3, 4 }, { DIM_2D, 1, 1, 4, 4 },
	};
	const struct amd_inst *in = l->in;
	unsigned d = in->dim & 7;

	memset(m, 0, sizeof *m);
	const char *what_not = in->tfe ? "tfe" : in->lwe ? "lwe" : in->r128 ? "r128" :
		sample && in->unrm ? "unnormalised coordinates" : in->d16 && l->gfx7 ? "d16" : NULL;
	if (what_not) {
		lift_refuse(l, "image access with %s", what_not);
		return false;
	}
	if (l->gfx7) {
		struct lift_image_kind k;
		if (!lift_image_kind(l, what, &k)) {
			lift_refuse(l, "image whose dimension is not known here");
			return false;
		}
		m->arrayed = k.arrayed;
		for (d = 0; d < 8; d++)
			if (dims[d].dim == k.dim && dims[d].ms == k.ms && (dims[d].arrayed == k.arrayed || k.dim == DIM_CUBE))
				break;
		if (d == 8) {
			lift_refuse(l, "image of an unknown kind");
			return false;
		}
	}
	m->dim = (enum fact_dim)dims[d].dim;
	m->arrayed |= dims[d].arrayed;
	m->either = !l->gfx7 && sample && m->dim == DIM_CUBE; /* the instruction says a cube and an array of them alike */
	m->ms = dims[d].ms;
	m->coords = dims[d].coords;
	m->grads = dims[d].grads;
	m->n = in->nnsa ? in->nnsa : 16;
	return true;
}

static ir_id next_any(struct amd_lift *l, struct image *m)
{
	const struct amd_inst *in = l->in;
	unsigned i = m->at++;

	if (i >= m->n) {
		lift_refuse(l, "image instruction with too few addresses");
		return lift_c32(l, 0);
	}
	return lift_vgpr_any(l, in->nnsa ? in->nsa[i] : in->addr.index + i);
}

static ir_id next_float(struct amd_lift *l, struct image *m)
{
	return lift_cast(l, IR_F32, next_any(l, m));
}

static ir_id next_address(struct amd_lift *l, struct image *m)
{
	return lift_cast(l, IR_I32, next_any(l, m));
}

/* A run of coordinates: dwords, or with a16 halves in pairs, each run starting a dword of its own. Integers are
 * unsigned. */
static void next_coords(struct amd_lift *l, struct image *m, unsigned n, bool floats, ir_id *out)
{
	ir_id w = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!l->in->a16) {
			out[i] = floats ? next_float(l, m) : next_address(l, m);
			continue;
		}
		if (!(i & 1))
			w = next_address(l, m);
		if (floats)
			out[i] = op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, w, i & 1)));
		else
			out[i] = lift_ubfe(l, w, i & 1 ? 16 : 0, 16, false);
	}
}

static ir_id vec(struct amd_lift *l, ir_type base, const ir_id *v, unsigned n)
{
	return n == 1 ? v[0] : ir_new(l->fn, IR_vec, IR_VEC(base, n), n, v);
}

static uint16_t kind_bits(const struct image *m)
{
	return (uint16_t)((unsigned)m->dim << IMG_DIM_SHIFT | (m->arrayed ? IMG_ARRAYED : 0) |
	                  (m->either ? IMG_MAYBE_ARRAYED : 0) | IMG_DIM_KNOWN);
}

/* Results to consecutive registers; with d16 to halves of them, of which the last may keep its upper one. */
static void put_parts(struct amd_lift *l, const ir_id *e, unsigned n)
{
	unsigned at = l->in->dst[0].index;

	if (l->in->d16 && !lift_float_images(l->facts))
		lift_refuse(l, "halves of an image that may hold integers");
	for (unsigned i = 0; i < n && !l->in->d16; i++)
		lift_set_vgpr(l, at + i, lift_cast(l, IR_I32, e[i]));
	for (unsigned i = 0; i < n && l->in->d16; i += 2) {
		ir_id lo = lift_cast(l, IR_I16, op1(l, IR_f2f, IR_F16, e[i])), hi;
		hi = i + 1 < n ? lift_cast(l, IR_I16, op1(l, IR_f2f, IR_F16, e[i + 1])) : lift_half(l, lift_vgpr(l, at + i / 2), true);
		lift_set_vgpr(l, at + i / 2, op2(l, IR_pack32, IR_I32, lo, hi));
	}
}

/* The results that dmask asks for, in order. */
static void put_texel(struct amd_lift *l, ir_id v)
{
	ir_id e[4];
	unsigned n = 0;

	for (unsigned c = 0; c < 4; c++) {
		if (!(l->in->dmask >> c & 1))
			continue;
		e[n] = op1(l, IR_elem, (ir_type)ir_base(l->fn->inst[v].type), v);
		l->fn->inst[e[n++]].imm = c;
	}
	put_parts(l, e, n);
}

static void scope(struct amd_lift *l, ir_id id)
{
	if (l->in->glc)
		l->fn->inst[id].flags |= SCOPE_DEVICE << IR_F_SCOPE_SHIFT;
}

/* Integer coordinates, then mip level or sample number. A cube is an array of faces. */
static ir_id texel_coords(struct amd_lift *l, struct image *m, bool mip, ir_id *lod, ir_id *sample)
{
	ir_id c[5];
	unsigned n = m->coords - (m->ms ? 1 : 0);

	next_coords(l, m, m->coords + (mip ? 1 : 0), false, c);
	*sample = m->ms ? c[n] : 0;
	*lod = mip ? c[m->coords] : 0;
	return vec(l, IR_I32, c, n);
}

void lift_img_load(struct amd_lift *l, const struct lift_row *r) /* HI: with mip level */
{
	struct image m;
	ir_id s, lod;

	if (!image_of(l, &m, LIFT_SAMPLED | LIFT_STORAGE, false))
		return;
	ir_id img = lift_handle(l, IR_himg, &l->in->sbase, 8), c = texel_coords(l, &m, r->arg & HI, &lod, &s);
	ir_id v = ir_new(l->fn, IR_iload, IR_VEC(IR_F32, 4), 5, (ir_id[]){ lift_exec(l), img, c, lod, s });
	l->fn->inst[v].sub = kind_bits(&m);
	scope(l, v);
	put_texel(l, v);
}

void lift_img_store(struct amd_lift *l, const struct lift_row *r) /* HI: with mip level */
{
	const struct amd_inst *in = l->in;
	struct image m;
	ir_id s, lod, t[4];
	unsigned at = 0;

	if (!image_of(l, &m, LIFT_STORAGE, false))
		return;
	ir_id img = lift_handle(l, IR_himg, &in->sbase, 8), c = texel_coords(l, &m, r->arg & HI, &lod, &s);
	/* Halves of an image that may hold integers stay such until it is known (passes/restrack_use.c). */
	bool halves = in->d16 && !lift_float_storage(l->facts);
	for (unsigned i = 0; i < 4; i++) { /* components that are not named are 0 */
		t[i] = ir_const(l->fn, halves ? IR_I16 : IR_F32, 0);
		if (!(in->dmask >> i & 1))
			continue;
		if (halves)
			t[i] = lift_half(l, lift_dword(l, &in->data[0], at / 2), at & 1);
		else if (in->d16)
			t[i] = op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, lift_dword(l, &in->data[0], at / 2), at & 1)));
		else
			t[i] = lift_cast(l, IR_F32, lift_dword(l, &in->data[0], at));
		at++;
	}
	ir_id v = vec(l, halves ? IR_I16 : IR_F32, t, 4);
	ir_id id = ir_new(l->fn, IR_istore, IR_VOID, 6, (ir_id[]){ lift_exec(l), img, c, lod, s, v });
	l->fn->inst[id].sub = kind_bits(&m);
	scope(l, id);
}

void lift_img_atomic(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic */
{
	const struct amd_inst *in = l->in;
	struct image m;
	ir_id s, lod;
	bool swap = ir_atomic_two(r->op);

	if (!image_of(l, &m, LIFT_STORAGE, false))
		return;
	if (in->dmask != (swap ? 3 : 1)) {
		lift_refuse(l, "64-bit image atomic");
		return;
	}
	ir_id img = lift_handle(l, IR_himg, &in->sbase, 8), c = texel_coords(l, &m, false, &lod, &s);
	ir_id v = lift_dword(l, &in->data[0], swap ? 1 : 0), n = swap ? lift_dword(l, &in->data[0], 0) : 0;
	ir_id id = ir_new(l->fn, IR_iatomic, IR_I32, 6, (ir_id[]){ lift_exec(l), img, c, s, v, n });
	l->fn->inst[id].sub = r->op;
	l->fn->inst[id].flags |= SCOPE_DEVICE << IR_F_SCOPE_SHIFT;
	if (r->op == ATOMIC_smin || r->op == ATOMIC_smax)
		l->fn->inst[id].flags |= IR_F_SIGNED;
	if (in->glc && in->dst[0].kind == AMD_K_VGPR)
		lift_set_vgpr(l, in->dst[0].index, id);
}

/* Size at a mip level, faces and layers counted together, and the number of levels. */
void lift_img_info(struct amd_lift *l, const struct lift_row *r)
{
	struct image m;
	ir_id lod, out[4], size = 0;
	unsigned n = 0;

	(void)r;
	if (!image_of(l, &m, LIFT_SAMPLED | LIFT_STORAGE, false))
		return;
	unsigned sizes = m.coords - (m.ms ? 1 : 0);
	if (m.dim == DIM_CUBE || l->in->d16 || (l->in->dmask & 7) >> sizes || (m.ms && l->in->dmask & 8)) {
		lift_refuse(l, "query of the faces of a cube, as halves, of levels of samples, or of a size that the image does not have");
		return;
	}
	ir_id img = lift_handle(l, IR_himg, &l->in->sbase, 8);
	next_coords(l, &m, 1, false, &lod);
	for (unsigned i = 0; i < 4; i++) {
		if (!(l->in->dmask >> i & 1))
			continue;
		if (i == 3) {
			out[n] = op2(l, IR_iquery, IR_I32, img, 0);
			l->fn->inst[out[n++]].sub = 1;
			continue;
		}
		if (!size) {
			size = op2(l, IR_iquery, IR_VEC(IR_I32, sizes), img, lod);
			l->fn->inst[size].sub = kind_bits(&m); /* settled once the image is known (passes/restrack_use.c) */
		}
		out[n] = sizes == 1 ? size : op1(l, IR_elem, IR_I32, size);
		if (sizes > 1)
			l->fn->inst[out[n]].imm = i;
		n++;
	}
	put_parts(l, out, n);
}

/* ---- sampling */
static ir_id fk(struct amd_lift *l, uint32_t bits)
{
	return ir_const(l->fn, IR_F32, bits);
}

/* The vector to (s, t), -1..1, on a face whose plane is at `one` or, on the other side, `minus`. */
static void cube_vector(struct amd_lift *l, ir_id face, ir_id s, ir_id t, ir_id one, ir_id minus, ir_id out[3])
{
	ir_id ns = op1(l, IR_fneg, IR_F32, s), nt = op1(l, IR_fneg, IR_F32, t);
	const ir_id dir[6][3] = {
		{ one, nt, ns }, { minus, nt, s }, { s, one, t }, { s, minus, nt }, { s, nt, one }, { ns, nt, minus },
	};

	for (unsigned c = 0; c < 3; c++) {
		out[c] = dir[5][c];
		for (unsigned f = 5; f-- > 0;)
			out[c] = op3(l, IR_select, IR_F32, b2(l, IR_ieq, face, lift_c32(l, f)), dir[f][c], out[c]);
	}
}

/* Direction of the point (s, t) on a face, s and t in 1..2 with the centre at 1.5; face numbers are face + 8 *
 * element. A derivative of the point is half of one of (s, t): *grad turns from a vector of two to one of three. */
static unsigned cube_direction(struct amd_lift *l, const struct image *m, const ir_id in[3], ir_id out[4], ir_id grad[2])
{
	ir_id s = opk(l, IR_fmul, IR_F32, opk(l, IR_fsub, IR_F32, in[0], 0x3fc00000), 0x40000000);
	ir_id t = opk(l, IR_fmul, IR_F32, opk(l, IR_fsub, IR_F32, in[1], 0x3fc00000), 0x40000000);
	ir_id one = fk(l, 0x3f800000), minus = fk(l, 0xbf800000), near = op1(l, IR_frndne, IR_F32, in[2]);
	ir_id id = op1(l, IR_f2s, IR_I32, near), face = lift_ubfe(l, id, 0, 3, false), zero = fk(l, 0), g[3];

	cube_vector(l, face, s, t, one, minus, out);
	for (unsigned d = 0; d < 2 && grad[d]; d++) {
		for (unsigned i = 0; i < 2; i++) {
			g[i] = op1(l, IR_elem, IR_F32, grad[d]);
			l->fn->inst[g[i]].imm = i;
			g[i] = opk(l, IR_fmul, IR_F32, g[i], 0x40000000);
		}
		cube_vector(l, face, g[0], g[1], zero, zero, g);
		grad[d] = vec(l, IR_F32, g, 3);
	}
	if (!m->arrayed && !m->either)
		return 3;
	out[3] = op1(l, IR_s2f, IR_F32, ik(l, IR_ashr, id, 3));
	return 4;
}

static ir_id packed_offset(struct amd_lift *l, const struct image *m, ir_id v)
{
	unsigned n = m->dim == DIM_1D ? 1 : m->dim == DIM_3D ? 3 : 2;
	ir_id o[3];

	for (unsigned i = 0; i < n; i++)
		o[i] = lift_ubfe(l, v, 8 * i, 6, true);
	return vec(l, IR_I32, o, n);
}

/* Derivatives: all of x, then all of y. g16: halves in pairs, x and y each starting a dword. */
static void gradients(struct amd_lift *l, struct image *m, bool g16, ir_id out[2])
{
	ir_id g[3];
	unsigned n = m->grads / 2;

	for (unsigned d = 0; d < 2; d++) {
		for (unsigned i = 0, w = 0; i < n; i++) {
			if (g16 && !(i & 1))
				w = next_address(l, m);
			g[i] = g16 ? op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, w, i & 1))) : next_float(l, m);
		}
		out[d] = vec(l, IR_F32, g, n);
	}
}

static void sample_handles(struct amd_lift *l, ir_id a[3])
{
	a[0] = lift_exec(l);
	a[1] = lift_handle(l, IR_himg, &l->in->sbase, 8);
	a[2] = lift_handle(l, IR_hsmp, &l->in->samp, 4);
}

static ir_id sample_coords(struct amd_lift *l, const struct image *m, const ir_id raw[], ir_id grad[2])
{
	ir_id dir[4];
	unsigned n = m->dim == DIM_CUBE ? cube_direction(l, m, raw, dir, grad) : m->coords;

	return vec(l, IR_F32, m->dim == DIM_CUBE ? dir : raw, n);
}

/* op: isample, igather; count: SMP_* */
void lift_img_sample(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	unsigned f = lift_count(r), n = 4, nc;
	struct image m;
	ir_id off = 0, bias = 0, ref = 0, grad[2] = { 0, 0 }, raw[6], a[16], cl = 0, lod = 0, part[4];

	if (!image_of(l, &m, LIFT_SAMPLED, true))
		return;
	l->whole = r->op == IR_isample; /* other lanes' coordinates choose the mip level */
	sample_handles(l, a);
	off = f & SMP_O ? next_address(l, &m) : 0;
	if (f & SMP_B)
		next_coords(l, &m, 1, true, &bias);
	ref = f & SMP_C ? next_float(l, &m) : 0;
	if (f & SMP_D)
		gradients(l, &m, f & SMP_G16, grad);
	nc = m.coords;
	next_coords(l, &m, nc + !!(f & SMP_L) + !!(f & SMP_CL), true, raw);
	lod = f & SMP_L ? raw[nc] : f & SMP_LZ ? fk(l, 0) : 0;
	cl = f & SMP_CL ? raw[nc + !!(f & SMP_L)] : 0;
	if (m.dim == DIM_CUBE && (f & SMP_O)) {
		lift_refuse(l, "cube sampled with offsets of face coordinates");
		return;
	}
	a[3] = sample_coords(l, &m, raw, grad);
	unsigned sub = kind_bits(&m);
	const struct { ir_id v; unsigned bit; } more[] = {
		{ ref, IMG_REF }, { bias, IMG_BIAS }, { lod, IMG_LOD }, { grad[0], IMG_GRAD }, { grad[1], IMG_GRAD },
		{ off ? packed_offset(l, &m, off) : 0, IMG_OFFSET }, { cl, IMG_MINLOD },
	};
	for (unsigned i = 0; i < sizeof more / sizeof more[0]; i++)
		if (more[i].v) {
			a[n++] = more[i].v;
			sub |= more[i].bit;
		}
	bool scalar = r->op == IR_isample && ref;
	ir_id v = ir_new(l->fn, r->op, scalar ? IR_F32 : IR_VEC(IR_F32, 4), n, a);
	l->fn->inst[v].sub = (uint16_t)sub;
	if (r->op == IR_igather) {
		if (!in->dmask || (in->dmask & (in->dmask - 1)))
			lift_refuse(l, "gather of several components");
		l->fn->inst[v].imm = in->dmask & 2 ? 1 : in->dmask & 4 ? 2 : in->dmask & 8 ? 3 : 0;
		for (unsigned i = 0; i < 4; i++) {
			part[i] = op1(l, IR_elem, IR_F32, v);
			l->fn->inst[part[i]].imm = i;
		}
		put_parts(l, part, 4);
	} else if (scalar) { /* a comparison gives one value */
		if (in->dmask != 1)
			lift_refuse(l, "depth comparison with more than one component");
		put_parts(l, &v, 1);
	} else {
		put_texel(l, v);
	}
}

/* The mip level that a sample would take, within the image's and the sampler's; as it is. */
void lift_img_lod(struct amd_lift *l, const struct lift_row *r)
{
	struct image m;
	ir_id raw[4], a[4], none[2] = { 0, 0 }, v;

	(void)r;
	if (!image_of(l, &m, LIFT_SAMPLED, true))
		return;
	if (l->in->dmask & 12 || l->in->d16) {
		lift_refuse(l, "query of more than two levels of detail, or of halves");
		return;
	}
	l->whole = true; /* other lanes' coordinates choose the level */
	sample_handles(l, a);
	next_coords(l, &m, m.coords, true, raw);
	a[3] = sample_coords(l, &m, raw, none);
	v = ir_new(l->fn, IR_isample, IR_VEC(IR_F32, 2), 4, a);
	l->fn->inst[v].sub = kind_bits(&m) | IMG_QUERY_LOD;
	put_texel(l, v);
}
