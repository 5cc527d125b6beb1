/* lift_reg.c - AMD registers as markers: reads, queued writes, what they hold at entry. */
#include "lift_amd.h"

enum { VCC = AMD_VCC_LO, EXEC = AMD_EXEC_LO };

/* ---- markers */
static __attribute__((noinline)) uint32_t marker_new(struct amd_lift *l, uint16_t *slot, ir_type t, unsigned file, unsigned index)
{
	uint32_t m = ir_marker_new(l->fn, t, file, index);

	l->cur[m] = (struct lift_cur){ 0 };
	*slot = (uint16_t)(m + 1);
	return m;
}

static inline uint32_t marker(struct amd_lift *l, uint16_t *slot, ir_type t, unsigned file, unsigned index)
{
	return *slot ? *slot - 1u : marker_new(l, slot, t, file, index);
}

static uint32_t m_sgpr(struct amd_lift *l, unsigned n)
{
	return marker(l, &l->sgpr[n], IR_I32, n == AMD_M0 ? AMD_FILE_SPECIAL : AMD_FILE_SGPR, n);
}

static uint32_t m_mask(struct amd_lift *l, unsigned n)
{
	return marker(l, &l->mask[n], IR_B1, AMD_FILE_MASK, n);
}

static uint32_t m_vgpr(struct amd_lift *l, unsigned n)
{
	return marker(l, &l->vgpr[n & 255], IR_I32, AMD_FILE_VGPR, n & 255);
}

static uint32_t m_scc(struct amd_lift *l)
{
	return marker(l, &l->scc, IR_B1, AMD_FILE_SPECIAL, AMD_SCC);
}

static void put_masked(struct amd_lift *l, uint32_t m, ir_id mask, ir_id value)
{
	if (l->settled) {
		lift_set_active(l, m, mask, value);
		return;
	}
	if (l->npending == LIFT_MAX_PENDING) {
		lift_refuse(l, "too many results");
		return;
	}
	l->pending[l->npending++] = (struct lift_pending){ m, value, mask };
}

static void put(struct amd_lift *l, uint32_t m, ir_id value)
{
	put_masked(l, m, 0, value);
}

/* ---- reads */
ir_id lift_c32(struct amd_lift *l, uint32_t v)
{
	return ir_const(l->fn, IR_I32, v);
}

ir_id lift_exec_get(struct amd_lift *l)
{
	return l->exec = lift_get(l, m_mask(l, EXEC));
}

ir_id lift_scc(struct amd_lift *l)
{
	return lift_get(l, m_scc(l));
}

/* A VGPR's first reader, or a writer before, says what it is handed on as. */
static void type_vgpr(struct amd_lift *l, uint32_t m, unsigned n, ir_type t)
{
	lift_type(l, m, t == IR_F32 && !l->number[n & 255] ? IR_F32 : IR_I32);
}

ir_id lift_vgpr_got(struct amd_lift *l, ir_type t, unsigned n)
{
	uint32_t m = m_vgpr(l, n);

	type_vgpr(l, m, n, t);
	l->shared_read |= lift_is_shared(l, n);
	return l->whole ? lift_get_late(l, m) : lift_get_active(l, m);
}

ir_id lift_vgpr(struct amd_lift *l, unsigned n)
{
	return lift_vgpr_as(l, IR_I32, n);
}

ir_id lift_vgpr_any(struct amd_lift *l, unsigned n)
{
	ir_id v = lift_vgpr_late(l, IR_I32, n), c = lift_made(l, v);

	if (c != v)
		lift_retype(l, m_vgpr(l, n), v, c);
	return c;
}

/* Constants are mostly floats: a load to scalar registers is of that type, too, where its first reader wants it. */
ir_id lift_float_sgpr(struct amd_lift *l, const struct amd_opnd *o)
{
	uint32_t m = l->sgpr[o->index & (LIFT_REGS - 1)];

	if (o->kind != AMD_K_SGPR || o->unaligned || !m)
		return lift_cast(l, IR_F32, lift_dword(l, o, 0));
	ir_id v = lift_get_late(l, m - 1), c = lift_cast(l, IR_F32, lift_made_as(l, v, IR_F32));
	lift_retype(l, m - 1, v, c);
	return c;
}

ir_id lift_vgpr_cast(struct amd_lift *l, ir_type t, unsigned n, ir_id v)
{
	ir_id c = lift_cast(l, t, lift_made_as(l, v, t));

	lift_retype(l, m_vgpr(l, n), v, c); /* who reads it next mostly wants the same type */
	return c;
}

ir_id lift_lane(struct amd_lift *l)
{
	ir_id id = ir_op0(l->fn, IR_sysval, IR_I32);

	l->fn->inst[id].sub = SYSVAL_lane_id;
	return id;
}

ir_id lift_any(struct amd_lift *l, ir_id mask)
{
	return op1(l, IR_any, IR_B1, mask);
}

static ir_type wave_type(const struct amd_lift *l)
{
	return l->wave == 64 ? IR_I64 : IR_I32;
}

ir_id lift_split(struct amd_lift *l, ir_id v, ir_id d[2])
{
	const struct ir_inst *in = &l->fn->inst[v];
	uint64_t k;

	if (ir_is_const(l->fn, v, &k)) {
		d[0] = lift_c32(l, (uint32_t)k);
		d[1] = lift_c32(l, (uint32_t)(k >> 32));
	} else if (in->op == IR_pack64) {
		d[0] = in->a[0];
		d[1] = in->a[1];
	} else {
		d[0] = op1(l, IR_lo64, IR_I32, v);
		d[1] = op1(l, IR_hi64, IR_I32, v);
	}
	return d[0];
}

static ir_id pack(struct amd_lift *l, ir_id lo, ir_id hi)
{
	const struct ir_inst *il = &l->fn->inst[lo], *ih = &l->fn->inst[hi];

	if (il->op == IR_const && ih->op == IR_const)
		return ir_const(l->fn, IR_I64, il->imm | ih->imm << 32);
	if (il->op == IR_lo64 && ih->op == IR_hi64 && il->a[0] == ih->a[0])
		return il->a[0];
	return lift_once(l, IR_pack64, IR_I64, 2, (ir_id[]){ lo, hi });
}

/* The wave's integer of a lane bit, as dwords: d[1] is the upper half in wave64, 0 else. */
static void ballot(struct amd_lift *l, ir_id mask, ir_id d[2])
{
	ir_id v = op1(l, IR_ballot, wave_type(l), mask);

	d[0] = v;
	d[1] = lift_c32(l, 0);
	if (l->wave == 64)
		lift_split(l, v, d);
}

/* This lane's bit of a wave integer. */
static ir_id lanebit(struct amd_lift *l, ir_id lo, ir_id hi)
{
	ir_id v = l->wave == 64 ? pack(l, lo, hi) : lo;
	uint64_t k;

	if (ir_is_const(l->fn, v, &k)) {
		if (!k)
			return lift_bool(l, false);
		if (k == (l->wave == 64 ? UINT64_MAX : UINT32_MAX))
			return lift_bool(l, true);
	}
	return op1(l, IR_lanebit, IR_B1, v);
}

static ir_id special(struct amd_lift *l, unsigned n)
{
	ir_id d[2];

	switch (n) {
	case EXEC:
	case EXEC + 1:
		ballot(l, lift_exec(l), d);
		return d[n - EXEC];
	case AMD_NULL:
		return lift_c32(l, 0);
	case AMD_SCC:
		return op1(l, IR_zext, IR_I32, lift_scc(l));
	case AMD_EXECZ:
		return op1(l, IR_zext, IR_I32, lift_not(l, lift_any(l, lift_exec(l))));
	case AMD_VCCZ:
		return op1(l, IR_zext, IR_I32, lift_not(l, lift_any(l, lift_get(l, m_mask(l, VCC)))));
	default:
		break;
	}
	if (n < LIFT_REGS && (n == VCC || n == VCC + 1 || n == AMD_M0 || l->gfx7))
		return lift_get(l, m_sgpr(l, n));
	lift_refuse(l, "reads special register %u", n);
	return lift_c32(l, 0);
}

/* Of any other than a plain scalar register. */
static __attribute__((noinline)) ir_id other_dword(struct amd_lift *l, const struct amd_opnd *o, unsigned i)
{
	if (o->unaligned && o->kind != AMD_K_VGPR)
		lift_refuse(l, "unaligned scalar register");
	switch (o->kind) {
	case AMD_K_SGPR:
		return lift_cast(l, IR_I32, lift_get(l, m_sgpr(l, (o->index + i) & (LIFT_REGS - 1))));
	case AMD_K_VGPR:
		return lift_vgpr(l, o->index + i);
	case AMD_K_SPECIAL:
		return special(l, o->index == AMD_NULL ? AMD_NULL : o->index + i);
	case AMD_K_INT:
	case AMD_K_FLOAT:
	case AMD_K_LITERAL:
		return lift_c32(l, i < 2 ? (uint32_t)(o->value >> 32 * i) : 0);
	default:
		lift_refuse(l, "operand kind %u", o->kind);
		return lift_c32(l, 0);
	}
}

ir_id lift_dword(struct amd_lift *l, const struct amd_opnd *o, unsigned i)
{
	unsigned n = (o->index + i) & (LIFT_REGS - 1);

	if (o->kind == AMD_K_SGPR && !o->unaligned && l->sgpr[n])
		return lift_cast(l, IR_I32, lift_get(l, l->sgpr[n] - 1u));
	return other_dword(l, o, i);
}

ir_id lift_qword(struct amd_lift *l, const struct amd_opnd *o)
{
	ir_id lo = lift_dword(l, o, 0), hi = lift_dword(l, o, 1);

	return pack(l, lo, hi);
}

/* The vector whose elements are the four dwords from i on, or 0. */
static ir_id vector_of(struct amd_lift *l, const struct amd_opnd *o, unsigned i)
{
	ir_id of = 0;

	for (unsigned k = 0; k < LIFT_LATE_ELEMS; k++) {
		unsigned n = (o->index + i + k) & (LIFT_REGS - 1);
		if (o->kind != AMD_K_SGPR || o->unaligned || !l->sgpr[n])
			return 0;
		ir_id e = lift_get_late(l, l->sgpr[n] - 1u), v = (e & ~LIFT_LATE) / LIFT_LATE_ELEMS;
		if (!(e & LIFT_LATE)) {
			v = l->fn->inst[e].op == IR_elem ? l->fn->inst[e].a[0] : 0;
			e = (ir_id)l->fn->inst[e].imm;
		}
		if (!v || (k && v != of) || e % LIFT_LATE_ELEMS != k || l->fn->inst[v].type != IR_VEC(IR_I32, LIFT_LATE_ELEMS))
			return 0;
		of = v;
	}
	return of;
}

ir_id lift_handle(struct amd_lift *l, enum ir_op op, const struct amd_opnd *o, unsigned n)
{
	ir_id w[8], v[2];
	unsigned nv = 0;

	while (nv < n / LIFT_LATE_ELEMS && (v[nv] = vector_of(l, o, nv * LIFT_LATE_ELEMS)))
		nv++;
	if (nv == n / LIFT_LATE_ELEMS)
		return lift_once(l, op, IR_RES, nv, v);
	for (unsigned i = 0; i < n; i++)
		w[i] = lift_dword(l, o, i);
	return lift_once(l, op, IR_RES, n, w);
}

ir_id lift_mask(struct amd_lift *l, const struct amd_opnd *o)
{
	int reg = lift_regno(o);

	if (reg >= 0 && reg != AMD_NULL && reg != AMD_M0)
		return lift_get(l, m_mask(l, lift_mask_base(l, (unsigned)reg)));
	ir_id lo = lift_dword(l, o, 0);
	return lanebit(l, lo, l->wave == 64 ? lift_dword(l, o, 1) : lo);
}

/* ---- writes */
void lift_set_exec(struct amd_lift *l, ir_id mask)
{
	l->mbcnt.valid = l->first_exec = false;
	l->sets_exec = true;
	put(l, m_mask(l, EXEC), mask);
}

void lift_set_scc(struct amd_lift *l, ir_id v)
{
	put(l, m_scc(l), v);
}

static void put_int(struct amd_lift *l, unsigned reg, ir_id v)
{
	if (reg == EXEC + 1 && l->wave == 32 && (l->use[reg] & (USE_INT | USE_MASK))) /* what it keeps there is not written down */
		lift_refuse(l, "exec_hi in a wave of 32, written and read");
	if (reg < LIFT_REGS && reg != AMD_NULL && reg != EXEC && reg != EXEC + 1 && (l->use[reg] & USE_INT))
		put(l, m_sgpr(l, reg), v);
}

/* A scalar register as it will be after this instruction, whose results for first..first+n-1 are given. */
static ir_id after(struct amd_lift *l, unsigned reg, unsigned first, unsigned n, const ir_id *v)
{
	struct amd_opnd o = { .kind = reg < 106 ? AMD_K_SGPR : AMD_K_SPECIAL, .index = (uint16_t)reg, .dwords = 1 };

	return reg >= first && reg < first + n ? v[reg - first] : lift_dword(l, &o, 0);
}

/* A register's bit of this lane, from its dword or, of 64 lanes, its two. */
static void put_bit(struct amd_lift *l, unsigned r, ir_id lo, ir_id hi)
{
	ir_id bit = lanebit(l, lift_made(l, lo), lift_made(l, hi));

	if (r == EXEC)
		lift_set_exec(l, bit);
	else
		put(l, m_mask(l, r), bit);
}

void lift_set_scalar(struct amd_lift *l, const struct amd_opnd *o, const ir_id *v)
{
	int first = lift_regno(o);
	unsigned n = o->dwords;

	if (o->kind == AMD_K_NONE || first == AMD_NULL)
		return;
	if (first < 0 || o->unaligned || first + n > LIFT_REGS || (first > VCC + 1 && first < AMD_M0)) {
		lift_refuse(l, "writes a scalar register that is not handled");
		return;
	}
	for (unsigned i = 0; i < n; i++)
		put_int(l, (unsigned)first + i, v[i]);
	if (l->wave == 64) {
		for (unsigned r = (unsigned)first & ~1u; r < (unsigned)first + n; r += 2) {
			if (r == AMD_M0 || !(l->use[r] & USE_MASK))
				continue;
			ir_id lo = after(l, r, (unsigned)first, n, v), hi = after(l, r + 1, (unsigned)first, n, v);
			put_bit(l, r, lo, hi);
		}
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned r = (unsigned)first + i;
		if (r == EXEC || (r != EXEC + 1 && r != AMD_M0 && (l->use[r] & USE_MASK)))
			put_bit(l, r, v[i], v[i]);
	}
}

void lift_set_wave(struct amd_lift *l, const struct amd_opnd *o, ir_id mask, const ir_id *v)
{
	int reg = lift_regno(o);

	if (reg == AMD_NULL)
		return;
	if (reg < 0 || o->unaligned) {
		lift_refuse(l, "writes a mask to a register that is not handled");
		return;
	}
	if (reg == EXEC) {
		lift_set_exec(l, mask);
		return;
	}
	if (reg == AMD_M0) {
		put_int(l, AMD_M0, v[0]);
		return;
	}
	if (l->use[lift_mask_base(l, (unsigned)reg)] & USE_MASK)
		put(l, m_mask(l, lift_mask_base(l, (unsigned)reg)), mask);
	for (unsigned i = 0; i < l->wave / 32; i++)
		put_int(l, (unsigned)reg + i, v[i]);
}

void lift_set_mask(struct amd_lift *l, const struct amd_opnd *o, ir_id mask)
{
	ir_id d[2] = { 0, 0 };

	if (lift_reads(l, o, USE_INT) && lift_regno(o) != EXEC)
		ballot(l, mask, d);
	lift_set_wave(l, o, mask, d);
}

ir_id lift_where_on(struct amd_lift *l, ir_id v)
{
	ir_id exec = lift_exec(l);

	return exec == l->yes ? v : b2(l, IR_iand, exec, v);
}

static uint32_t vgpr_to_set(struct amd_lift *l, unsigned n)
{
	if (l->mbcnt.valid && l->mbcnt.vgpr == (n & 255))
		l->mbcnt.valid = false;
	return m_vgpr(l, n);
}

static void set_vgpr(struct amd_lift *l, unsigned n, ir_id mask, ir_id v)
{
	put_masked(l, vgpr_to_set(l, n), mask, v);
}

static __attribute__((noinline)) void vgpr_now(struct amd_lift *l, unsigned n, ir_id v)
{
	ir_id exec = l->enable || lift_is_shared(l, n) ? 0 : lift_exec(l);

	if (exec) {
		uint32_t m = vgpr_to_set(l, n);
		if (!(v & LIFT_LATE) && l->fn->inst[v].type == IR_F32)
			type_vgpr(l, m, n, IR_F32);
		lift_set_active(l, m, exec, v);
	} else
		lift_set_vgpr(l, n, v);
}

void lift_vgpr_now(struct amd_lift *l, unsigned n, ir_id v)
{
	if (!l->enable && n < l->first_shared && l->exec && l->vgpr[n] && !l->mbcnt.valid)
		lift_set_active(l, l->vgpr[n] - 1u, l->exec, v);
	else
		vgpr_now(l, n, v);
}

void lift_set_vgpr_all(struct amd_lift *l, unsigned n, ir_id v)
{
	set_vgpr(l, n, 0, v);
}

void lift_set_vgpr(struct amd_lift *l, unsigned n, ir_id v)
{
	ir_id mask = l->enable ? lift_where_on(l, l->enable) : lift_exec(l);

	if (lift_is_shared(l, n)) {
		ir_id old = lift_cast(l, IR_I32, lift_get(l, m_vgpr(l, n)));
		v = lift_shared_write(l, mask, lift_cast(l, IR_I32, lift_made(l, v)), old);
		mask = 0;
	}
	set_vgpr(l, n, mask, v);
}

/* ---- entry */
static bool is_float_sysval(unsigned s)
{
	return s == SYSVAL_frag_coord || s == SYSVAL_point_coord ||
	       (s >= SYSVAL_bary_persp_center && s <= SYSVAL_bary_pull);
}

static ir_id sysval(struct amd_lift *l, ir_type t, unsigned s, unsigned comp)
{
	ir_id id = ir_op0(l->fn, IR_sysval, t);

	l->fn->inst[id].sub = (uint16_t)s;
	l->fn->inst[id].imm = comp;
	return id;
}

/* v / d for v and d up to LIFT_GROUP, rounded down: v times (2^20 / d rounded up) is too large by less than v / 2^20 < 1 / d. */
static ir_id quotient(struct amd_lift *l, ir_id v, uint32_t d)
{
	unsigned k = 0;

	while (d >> (k + 1))
		k++;
	if (d == 1u << k)
		return k ? ik(l, IR_lshr, v, k) : v;
	return ik(l, IR_lshr, ik(l, IR_imul, v, ((1u << 20) + d - 1) / d), 20);
}

static ir_id remainder_of(struct amd_lift *l, ir_id v, uint32_t d)
{
	return d & (d - 1) ? i2(l, IR_isub, v, ik(l, IR_imul, quotient(l, v, d), d)) : ik(l, IR_iand, v, d - 1);
}

/* A component of the place in the workgroup; of a filled-up one from the lane's number. */
static ir_id local_id(struct amd_lift *l, unsigned comp)
{
	const uint32_t *g = l->filled;

	if (!g[0])
		return sysval(l, IR_I32, SYSVAL_local_id, comp);
	ir_id v = sysval(l, IR_I32, SYSVAL_local_index, 0);
	if (g[1] * g[2] == 1)
		return comp ? lift_c32(l, 0) : v;
	if (comp == 0)
		return remainder_of(l, v, g[0]);
	return comp == 1 ? remainder_of(l, quotient(l, v, g[0]), g[1]) : quotient(l, v, g[0] * g[1]);
}

/* Of a type of 32 bits. */
static ir_id init_value(struct amd_lift *l, const struct fact_init *init)
{
	if (init->kind == INIT_ROOT) {
		ir_id id = ir_op0(l->fn, IR_root, IR_I32);
		l->fn->inst[id].imm = init->root;
		return id;
	}
	if (init->kind == INIT_PACKED_LOCAL_ID) {
		ir_id x = local_id(l, 0), y = local_id(l, 1), z = local_id(l, 2);
		y = ik(l, IR_shl, y, 10);
		z = ik(l, IR_shl, z, 20);
		return i2(l, IR_ior, i2(l, IR_ior, x, y), z);
	}
	if (init->sysval == SYSVAL_front_face) { /* a number with the side as its sign: 1.0 is front, -1.0 is back */
		ir_id front = sysval(l, IR_B1, SYSVAL_front_face, 0);
		return k_where(l, front, 0x3f800000, lift_c32(l, 0xbf800000));
	}
	if (init->sysval == SYSVAL_frag_coord && init->comp == 3) /* the register holds w itself, the value is 1/w */
		return op1(l, IR_frcp, IR_F32, sysval(l, IR_F32, SYSVAL_frag_coord, 3));
	if (init->sysval == SYSVAL_local_id)
		return local_id(l, init->comp);
	if (is_float_sysval(init->sysval))
		return sysval(l, IR_F32, init->sysval, init->comp);
	return sysval(l, IR_I32, init->sysval, init->comp);
}

static bool is_read(const struct amd_lift *l, unsigned sgpr)
{
	return (l->use[sgpr] & USE_INT) || (l->use[lift_mask_base(l, sgpr)] & USE_MASK);
}

/* Registers are undefined but for facts->init; a mask whose halves both start defined has its lane's bit too. */
void lift_init_regs(struct amd_lift *l)
{
	const struct facts *f = l->facts;
	ir_id value[LIFT_REGS] = { 0 }, exec = l->yes = lift_bool(l, true);
	unsigned end = 0; /* of the registers that have one */

	if (l->fn->stage == STAGE_FRAGMENT)
		exec = lift_not(l, sysval(l, IR_B1, SYSVAL_helper, 0));
	else if (l->filled[0])
		exec = bk(l, IR_ult, sysval(l, IR_I32, SYSVAL_local_index, 0), l->filled[0] * l->filled[1] * l->filled[2]);
	for (uint32_t i = 0; i < f->ninit; i++) {
		const struct fact_init *init = &f->init[i];
		if (init->file == AMD_FILE_VGPR && init->index < 256) {
			ir_id v = init_value(l, init);
			lift_set(l, m_vgpr(l, init->index), v);
		} else if (init->file == AMD_FILE_SGPR && init->index < 106 && is_read(l, init->index)) {
			value[init->index] = lift_cast(l, IR_I32, init_value(l, init));
			end = init->index >= end ? init->index + 1u : end;
		}
	}
	for (unsigned r = 0; r < end; r++) {
		ir_id hi = l->wave == 64 ? value[(r + 1) & (LIFT_REGS - 1)] : value[r];
		if (value[r] && (l->use[r] & USE_INT))
			lift_set(l, m_sgpr(l, r), value[r]);
		if (value[r] && hi && (l->use[r] & USE_MASK)) {
			ir_id bit = lanebit(l, value[r], hi);
			lift_set(l, m_mask(l, r), bit);
		}
	}
	lift_set(l, m_mask(l, EXEC), exec);
}
