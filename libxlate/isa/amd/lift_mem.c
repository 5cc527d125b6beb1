/* lift_mem.c - scalar loads, buffers, LDS, flat, global and scratch accesses.
 *
 * Cache bits to coherence scopes: glc bypasses the cache nearest to the lanes (gfx10: L0, with dlc also L1; gfx7:
 * L1), so that the access meets the device's other work groups: device scope. Without it an access is ordered by
 * barriers only. Atomics happen at the device's L2 whatever the bits say.
 */
#include "lift_amd.h"

enum { ALIGN_DWORD = 2 /* log2 */ };

void lift_access(struct amd_lift *l, ir_id id, int64_t imm, unsigned align, enum ir_scope scope)
{
	struct ir_inst *i = &l->fn->inst[id];

	i->imm = (uint64_t)imm;
	i->flags |= (uint16_t)(align << IR_F_ALIGN_SHIFT | scope << IR_F_SCOPE_SHIFT);
}

ir_id lift_elem(struct amd_lift *l, ir_id v, unsigned n, unsigned i)
{
	if (n == 1)
		return lift_cast(l, ir_int_of_bits(ir_bits(l->fn->inst[v].type)), v);
	ir_id e = op1(l, IR_elem, (ir_type)ir_base(l->fn->inst[v].type), v);
	l->fn->inst[e].imm = i;
	return e;
}

static ir_id gather(struct amd_lift *l, const struct amd_opnd *o, unsigned first, unsigned n)
{
	ir_id a[4];

	for (unsigned i = 0; i < n; i++)
		a[i] = lift_dword(l, o, first + i);
	return n == 1 ? a[0] : ir_new(l->fn, IR_vec, IR_VEC(IR_I32, n), n, a);
}

/* What a row's access moves. TYPE: i8, i16 or i32; count: dwords */
static ir_type memory_type(const struct lift_row *r)
{
	ir_type t = (ir_type)(r->arg & TYPE);

	return t == IR_I32 ? IR_VEC(IR_I32, lift_count(r)) : t;
}

static unsigned memory_align(ir_type t)
{
	return ir_bits(t) == 8 ? 0 : ir_bits(t) == 16 ? 1 : ALIGN_DWORD;
}

/* Write a loaded value to the destination VGPRs from `at` on. */
static void put_loaded(struct amd_lift *l, const struct lift_row *r, ir_id v, unsigned at)
{
	ir_type t = l->fn->inst[v].type;
	unsigned n = l->in->dst[0].index + at;

	if (ir_bits(t) == 32) {
		for (unsigned i = 0; i < ir_elems(t); i++)
			lift_vgpr_now(l, n + i, lift_late_elem(l, v, i));
		return;
	}
	enum ir_op ext = r->arg & SIGNED ? IR_sext : IR_zext;
	if (r->arg & (D16LO | D16HI)) { /* the other half stays */
		bool high = r->arg & D16HI;
		ir_id h = t == IR_I8 ? op1(l, ext, IR_I16, v) : v, keep = lift_half(l, lift_vgpr(l, n), !high);
		lift_set_vgpr(l, n, high ? op2(l, IR_pack32, IR_I32, keep, h) : op2(l, IR_pack32, IR_I32, h, keep));
		return;
	}
	lift_set_vgpr(l, n, op1(l, ext, IR_I32, v));
}

static ir_id stored(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = memory_type(r);

	if (ir_bits(t) == 32)
		return gather(l, &l->in->data[0], 0, ir_elems(t));
	ir_id v = lift_dword(l, &l->in->data[0], 0);
	return op1(l, IR_trunc, t, r->arg & D16HI ? ik(l, IR_lshr, v, 16) : v);
}

/* ---- scalar memory: reads happen whatever EXEC is; addresses are dword aligned by the hardware */
/* Address of a scalar access: a buffer and an offset (BUF), or 64 bits. */
static ir_id scalar_address(struct amd_lift *l, const struct lift_row *r, ir_id *off)
{
	const struct amd_inst *in = l->in;
	bool has = in->soffset.kind != AMD_K_NONE && in->soffset.kind != AMD_K_OFF;
	uint64_t k;

	*off = has ? lift_dword(l, &in->soffset, 0) : 0;
	if (r->arg & BUF) {
		ir_id base = lift_handle(l, IR_hbuf, &in->sbase, 4);
		if (!*off)
			*off = lift_c32(l, 0);
		return base;
	}
	ir_id base = lift_qword(l, &in->sbase);
	if (*off && !(ir_is_const(l->fn, *off, &k) && !k))
		base = op2(l, IR_iadd, IR_I64, base, op1(l, IR_zext, IR_I64, *off));
	return base;
}

void lift_s_load(struct amd_lift *l, const struct lift_row *r) /* BUF; count: dwords */
{
	const struct amd_inst *in = l->in;
	unsigned n = lift_count(r), step = n < 4 ? n : 4;
	ir_id yes = lift_bool(l, true), off, base = scalar_address(l, r, &off), v[16];

	for (unsigned i = 0; i < n; i += step) {
		ir_type t = IR_VEC(IR_I32, step);
		ir_id ld;
		if (r->arg & BUF) {
			ld = ir_new(l->fn, IR_ldbuf, t, 4, (ir_id[]){ yes, base, off, 0 });
		} else {
			ld = op2(l, IR_ldptr, t, yes, base);
			l->fn->inst[ld].sub = 1;
		}
		lift_access(l, ld, (in->offset & ~3) + 4 * (int)i, ALIGN_DWORD, SCOPE_LANE);
		for (unsigned j = 0; j < step; j++)
			v[i + j] = step > 1 ? lift_late_elem(l, ld, j) : lift_cast(l, IR_I32, ld);
	}
	l->settled = true;
	lift_set_scalar(l, &in->dst[0], v);
}

/* Every lane writes what one would: the same to the same place. */
void lift_s_store(struct amd_lift *l, const struct lift_row *r) /* BUF; count: dwords */
{
	const struct amd_inst *in = l->in;
	ir_id yes = lift_bool(l, true), off, base = scalar_address(l, r, &off), v = gather(l, &in->data[0], 0, lift_count(r)), id;

	if (r->arg & BUF)
		id = ir_new(l->fn, IR_stbuf, IR_VOID, 5, (ir_id[]){ yes, base, off, 0, v });
	else
		id = op3(l, IR_stptr, IR_VOID, yes, base, v);
	lift_access(l, id, in->offset & ~3, ALIGN_DWORD, lift_cache_scope(in));
}

/* cache invalidation: later reads see what others wrote */
void lift_s_dcache(struct amd_lift *l, const struct lift_row *r)
{
	ir_id id = ir_op0(l->fn, IR_barrier, IR_VOID);

	(void)r;
	l->fn->inst[id].sub = SCOPE_LANE | SCOPE_DEVICE << 4 | 6 << 8;
}

/* ---- buffers */
bool lift_buffer_of(struct amd_lift *l, struct lift_buffer *b)
{
	const struct amd_inst *in = l->in;
	uint64_t k;

	if (in->tfe || in->lds || in->addr64) {
		lift_refuse(l, "buffer access with %s", in->tfe ? "tfe" : in->lds ? "lds" : "addr64");
		return false;
	}
	b->mask = lift_exec(l);
	b->res = lift_handle(l, IR_hbuf, &in->sbase, 4);
	b->index = in->idxen ? lift_dword(l, &in->addr, 0) : 0;
	b->off = in->offen ? lift_dword(l, &in->addr, in->idxen ? 1 : 0) : 0;
	bool has = in->soffset.kind != AMD_K_NONE && in->soffset.kind != AMD_K_OFF;
	ir_id s = has ? lift_dword(l, &in->soffset, 0) : lift_c32(l, 0);
	if (!b->off)
		b->off = s;
	else if (!(ir_is_const(l->fn, s, &k) && !k))
		b->off = i2(l, IR_iadd, b->off, s);
	return true;
}

/* Formatted texels as halves: converted where no texel buffer of the record holds integers. The last register of an odd
 * count keeps its upper half. */
static void put_halves(struct amd_lift *l, const struct lift_row *r, ir_id v)
{
	unsigned n = lift_count(r), at = l->in->dst[0].index;

	for (unsigned i = 0; i < n; i += 2) {
		ir_id h[2];
		for (unsigned k = 0; k < 2; k++) {
			ir_id e = i + k < n ? lift_cast(l, IR_F32, lift_elem(l, v, n, i + k)) : 0;
			h[k] = e ? lift_cast(l, IR_I16, op1(l, IR_f2f, IR_F16, e)) : lift_half(l, lift_vgpr(l, at + i / 2), true);
		}
		if (r->arg & D16HI) {
			h[1] = h[0];
			h[0] = lift_half(l, lift_vgpr(l, at), false);
		}
		lift_set_vgpr(l, at + i / 2, op2(l, IR_pack32, IR_I32, h[0], h[1]));
	}
}

static ir_id widened(struct amd_lift *l, const struct lift_row *r) /* halves to store as texels of floats */
{
	unsigned n = lift_count(r);
	ir_id a[4];

	for (unsigned i = 0; i < n; i++) {
		ir_id w = lift_dword(l, &l->in->data[0], i / 2), h = lift_half(l, w, r->arg & D16HI ? true : i & 1);
		a[i] = lift_cast(l, IR_I32, op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, h)));
	}
	return n == 1 ? a[0] : ir_new(l->fn, IR_vec, IR_VEC(IR_I32, n), n, a);
}

static bool float_texels(struct amd_lift *l, const struct lift_row *r)
{
	if (!(r->arg & FMT) || !(r->arg & (D16LO | D16HI)))
		return false;
	if (!lift_float_texels(l->facts))
		lift_refuse(l, "halves of a texel buffer that may hold integers");
	return true;
}

void lift_buf_load(struct amd_lift *l, const struct lift_row *r) /* FMT */
{
	struct lift_buffer b;
	ir_type t = memory_type(r);

	if (!lift_buffer_of(l, &b))
		return;
	ir_id v = ir_new(l->fn, r->arg & FMT ? IR_ldtyped : IR_ldbuf, t, 4, (ir_id[]){ b.mask, b.res, b.off, b.index });
	lift_access(l, v, l->in->offset, r->arg & FMT ? 0 : memory_align(t), lift_cache_scope(l->in));
	if (float_texels(l, r))
		put_halves(l, r, v);
	else
		put_loaded(l, r, v, 0);
}

void lift_buf_store(struct amd_lift *l, const struct lift_row *r) /* FMT */
{
	struct lift_buffer b;

	if (!lift_buffer_of(l, &b))
		return;
	ir_id v = float_texels(l, r) ? widened(l, r) : stored(l, r);
	const ir_id args[] = { b.mask, b.res, b.off, b.index, v };
	ir_id id = ir_new(l->fn, r->arg & FMT ? IR_sttyped : IR_stbuf, IR_VOID, 5, args);
	lift_access(l, id, l->in->offset, r->arg & FMT ? 0 : memory_align(memory_type(r)), lift_cache_scope(l->in));
}

/* The values of an atomic: for compare-exchange the comparator, then the new value. Vector memory holds the new one
 * first. */
static void atomic_values(struct amd_lift *l, const struct lift_row *r, bool ds, ir_id v[2])
{
	const struct amd_inst *in = l->in;
	bool wide = (r->arg & TYPE) == I64, swap = ir_atomic_two(r->op);
	struct amd_opnd second = in->data[0];

	v[1] = 0;
	if (swap && !ds)
		second.index = (uint16_t)(second.index + (wide ? 2 : 1));
	const struct amd_opnd *a = swap && !ds ? &second : &in->data[0], *b = ds ? &in->data[1] : &in->data[0];
	v[0] = wide ? lift_qword(l, a) : lift_dword(l, a, 0);
	if (swap)
		v[1] = wide ? lift_qword(l, b) : lift_dword(l, b, 0);
	if (r->op >= ATOMIC_fadd && r->op <= ATOMIC_fmax)
		v[0] = lift_cast(l, wide ? IR_F64 : IR_F32, v[0]);
}

static void put_atomic(struct amd_lift *l, const struct lift_row *r, ir_id id, int64_t imm, bool returns)
{
	bool wide = (r->arg & TYPE) == I64;
	ir_id d[2] = { id, 0 };

	l->fn->inst[id].sub = r->op;
	lift_access(l, id, imm, wide ? 3 : ALIGN_DWORD, SCOPE_DEVICE);
	if (r->op == ATOMIC_smin || r->op == ATOMIC_smax)
		l->fn->inst[id].flags |= IR_F_SIGNED;
	if (!returns || l->in->dst[0].kind != AMD_K_VGPR)
		return;
	if (wide)
		lift_split(l, lift_cast(l, IR_I64, id), d);
	else
		d[0] = lift_cast(l, IR_I32, id);
	for (unsigned i = 0; i < (wide ? 2u : 1u); i++)
		lift_set_vgpr(l, l->in->dst[0].index + i, d[i]);
}

static ir_type atomic_type(const struct lift_row *r)
{
	bool wide = (r->arg & TYPE) == I64;

	if (r->op >= ATOMIC_fadd && r->op <= ATOMIC_fmax)
		return wide ? IR_F64 : IR_F32;
	return wide ? IR_I64 : IR_I32;
}

void lift_buf_atomic(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic; TYPE: I32, I64 */
{
	struct lift_buffer b;
	ir_id v[2];

	if (!lift_buffer_of(l, &b))
		return;
	atomic_values(l, r, false, v);
	ir_id id = ir_new(l->fn, IR_atbuf, atomic_type(r), 6, (ir_id[]){ b.mask, b.res, b.off, b.index, v[0], v[1] });
	put_atomic(l, r, id, l->in->offset, l->in->glc);
}

/* Once a wave, whatever EXEC is: by the first lane that comes here, for all. */
void lift_s_atomic(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic; TYPE: I32, I64; BUF */
{
	bool wide = (r->arg & TYPE) == I64;
	ir_id yes = lift_bool(l, true), off, base = scalar_address(l, r, &off), v[2], d[2], lane = lift_lane(l), id;
	ir_id one = b2(l, IR_ieq, lane, op2(l, IR_readfirst, IR_I32, yes, lane));

	atomic_values(l, r, false, v);
	if (r->arg & BUF)
		id = ir_new(l->fn, IR_atbuf, atomic_type(r), 6, (ir_id[]){ one, base, off, 0, v[0], v[1] });
	else
		id = ir_new(l->fn, IR_atptr, atomic_type(r), 4, (ir_id[]){ one, base, v[0], v[1] });
	put_atomic(l, r, id, l->in->offset & ~3, false);
	if (!l->in->glc)
		return;
	if (wide)
		lift_split(l, id, d);
	else
		d[0] = id;
	for (unsigned i = 0; i < (wide ? 2u : 1u); i++)
		d[i] = op2(l, IR_readfirst, IR_I32, one, d[i]);
	lift_set_scalar(l, &l->in->dst[0], d);
}

/* ---- LDS */
static ir_id lds_address(struct amd_lift *l)
{
	if (l->in->gds)
		lift_refuse(l, "global data share");
	return lift_dword(l, &l->in->addr, 0);
}

static int pair_offset(const struct amd_inst *in, const struct lift_row *r, unsigned i)
{
	unsigned unit = 4 * lift_count(r) * (r->arg & ST64 ? 64 : 1);

	return (int)((i ? in->offset1 : in->offset0) * unit);
}

void lift_ds_load(struct amd_lift *l, const struct lift_row *r) /* PAIR, ST64 */
{
	ir_id a = lds_address(l), m = lift_exec(l);
	ir_type t = memory_type(r);

	for (unsigned i = 0; i < (r->arg & PAIR ? 2u : 1u); i++) {
		ir_id v = op2(l, IR_ldshared, t, m, a);
		lift_access(l, v, r->arg & PAIR ? pair_offset(l->in, r, i) : l->in->offset, memory_align(t), SCOPE_LANE);
		put_loaded(l, r, v, i * ir_elems(t));
	}
}

void lift_ds_store(struct amd_lift *l, const struct lift_row *r) /* PAIR, ST64 */
{
	ir_id a = lds_address(l), m = lift_exec(l), v[2];
	ir_type t = memory_type(r);
	unsigned n = r->arg & PAIR ? 2 : 1;

	v[0] = stored(l, r);
	if (n == 2)
		v[1] = gather(l, &l->in->data[1], 0, ir_elems(t));
	for (unsigned i = 0; i < n; i++) {
		ir_id id = op3(l, IR_stshared, IR_VOID, m, a, v[i]);
		lift_access(l, id, n == 2 ? pair_offset(l->in, r, i) : l->in->offset, memory_align(t), SCOPE_LANE);
	}
}

void lift_ds_atomic(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic; TYPE; RTN */
{
	ir_id a = lds_address(l), m = lift_exec(l), v[2];

	atomic_values(l, r, true, v);
	ir_id id = ir_new(l->fn, IR_atshared, atomic_type(r), 4, (ir_id[]){ m, a, v[0], v[1] });
	put_atomic(l, r, id, l->in->offset, r->arg & RTN);
}

/* Lanes exchange through the LDS crossbar, in groups of 32; a lane that is off reads as 0. op: shuffle: ds_bpermute;
 * quad: ds_swizzle. */
void lift_ds_shuffle(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;

	l->whole = true;
	ir_id lane = lift_lane(l), group = ik(l, IR_iand, lane, ~31u), m = lift_exec(l), v, index;
	uint32_t o = (uint32_t)in->offset & 0xffff;

	if (r->op == IR_shuffle) {
		v = lift_dword(l, &in->data[0], 0);
		index = ik(l, IR_iand, ik(l, IR_lshr, ik(l, IR_iadd, lift_dword(l, &in->addr, 0), o), 2), 31);
		index = i2(l, IR_ior, group, index);
	} else if (o & 0x8000) {
		v = lift_dword(l, &in->addr, 0);
		if (o & 0x7f00)
			lift_refuse(l, "swizzle mode 0x%x", o);
		ir_id x = op2(l, IR_quad, IR_I32, m, v), on = op2(l, IR_quad, IR_B1, lift_bool(l, true), m);
		l->fn->inst[x].imm = l->fn->inst[on].imm = o & 255;
		lift_set_vgpr(l, in->dst[0].index, op3(l, IR_select, IR_I32, on, x, lift_c32(l, 0)));
		return;
	} else {
		v = lift_dword(l, &in->addr, 0);
		ir_id n = ik(l, IR_ior, ik(l, IR_iand, lane, o & 31), o >> 5 & 31);
		index = i2(l, IR_ior, group, ik(l, IR_ixor, n, o >> 10 & 31));
	}
	ir_id x = op3(l, IR_shuffle, IR_I32, m, v, index), on = op3(l, IR_shuffle, IR_B1, lift_bool(l, true), m, index);
	lift_set_vgpr(l, in->dst[0].index, op3(l, IR_select, IR_I32, on, x, lift_c32(l, 0)));
}

/* ---- flat and global: 64-bit addresses; a scalar base takes a 32-bit unsigned VGPR offset */
static ir_id pointer(struct amd_lift *l)
{
	const struct amd_inst *in = l->in;
	bool base = in->sbase.kind != AMD_K_NONE && in->sbase.kind != AMD_K_OFF && lift_regno(&in->sbase) != AMD_NULL;

	if (in->lds)
		lift_refuse(l, "load to LDS");
	if (in->flags & AMD_F_ADDTID) { /* the lane's dword of a table */
		ir_id p = base ? lift_qword(l, &in->sbase) : ir_const(l->fn, IR_I64, 0);
		ir_id lane = op1(l, IR_zext, IR_I64, ik(l, IR_shl, lift_lane(l), 2));
		return op2(l, IR_iadd, IR_I64, p, lane);
	}
	if (!base)
		return lift_qword(l, &in->addr);
	ir_id b = lift_qword(l, &in->sbase), off = lift_dword(l, &in->addr, 0);
	return op2(l, IR_iadd, IR_I64, b, op1(l, IR_zext, IR_I64, off));
}

void lift_flat_load(struct amd_lift *l, const struct lift_row *r)
{
	ir_id p = pointer(l), m = lift_exec(l);
	ir_type t = memory_type(r);
	ir_id v = op2(l, IR_ldptr, t, m, p);

	lift_access(l, v, l->in->offset, memory_align(t), lift_cache_scope(l->in));
	put_loaded(l, r, v, 0);
}

void lift_flat_store(struct amd_lift *l, const struct lift_row *r)
{
	ir_id p = pointer(l), m = lift_exec(l), v = stored(l, r);

	lift_access(l, op3(l, IR_stptr, IR_VOID, m, p, v), l->in->offset, memory_align(memory_type(r)), lift_cache_scope(l->in));
}

void lift_flat_atomic(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic; TYPE */
{
	ir_id p = pointer(l), m = lift_exec(l), v[2];

	atomic_values(l, r, false, v);
	ir_id id = ir_new(l->fn, IR_atptr, atomic_type(r), 4, (ir_id[]){ m, p, v[0], v[1] });
	put_atomic(l, r, id, l->in->offset, l->in->glc);
}

/* ---- scratch instructions: a lane's own bytes */
static ir_id scratch_address(struct amd_lift *l)
{
	const struct amd_inst *in = l->in;

	if (in->addr.kind == AMD_K_VGPR)
		return lift_dword(l, &in->addr, 0);
	if (in->sbase.kind == AMD_K_NONE || in->sbase.kind == AMD_K_OFF)
		return lift_c32(l, 0);
	return lift_dword(l, &in->sbase, 0);
}

void lift_scratch_load(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = scratch_address(l), m = lift_exec(l);
	ir_type t = memory_type(r);
	ir_id v = op2(l, IR_ldscr, t, m, a);

	lift_access(l, v, l->in->offset, memory_align(t), SCOPE_LANE);
	put_loaded(l, r, v, 0);
}

void lift_scratch_store(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = scratch_address(l), m = lift_exec(l), v = stored(l, r);

	lift_access(l, op3(l, IR_stscr, IR_VOID, m, a, v), l->in->offset, memory_align(memory_type(r)), SCOPE_LANE);
}
