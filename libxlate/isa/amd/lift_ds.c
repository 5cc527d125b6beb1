/* lift_ds.c - LDS instructions that are more than one access: exchanges of pairs, a second operand from memory,
 * counters of a wave, accesses by lane number, forward permutation. */
#include "lift_amd.h"

static void finish(struct amd_lift *l, ir_id id, int64_t imm, unsigned align)
{
	l->fn->inst[id].imm = (uint64_t)imm;
	l->fn->inst[id].flags |= (uint16_t)(align << IR_F_ALIGN_SHIFT);
}

static ir_id atomic(struct amd_lift *l, unsigned op, ir_type t, ir_id mask, ir_id addr, int64_t imm, ir_id v)
{
	ir_id id = ir_new(l->fn, IR_atshared, t, 4, (ir_id[]){ mask, addr, v, 0 });

	l->fn->inst[id].sub = (uint16_t)op;
	if (op == ATOMIC_smin || op == ATOMIC_smax)
		l->fn->inst[id].flags |= IR_F_SIGNED;
	l->fn->inst[id].flags |= SCOPE_DEVICE << IR_F_SCOPE_SHIFT;
	finish(l, id, imm, ir_bits(t) == 64 ? 3 : 2);
	return id;
}

static ir_id m0_base(struct amd_lift *l)
{
	struct amd_opnd o = { .kind = AMD_K_SPECIAL, .index = AMD_M0, .dwords = 1 };

	return ik(l, IR_iand, lift_dword(l, &o, 0), 0xffff);
}

static bool lds_only(struct amd_lift *l)
{
	if (l->in->gds)
		lift_refuse(l, "global data share");
	return !l->in->gds;
}

void lift_ds_xchg2(struct amd_lift *l, const struct lift_row *r) /* TYPE, ST64 */
{
	const struct amd_inst *in = l->in;
	bool wide = (r->arg & TYPE) == I64;
	unsigned unit = (wide ? 8u : 4u) * (r->arg & ST64 ? 64 : 1);
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id a = lift_dword(l, &in->addr, 0), m = lift_exec(l), v[2], d[2];

	if (!lds_only(l))
		return;
	for (unsigned i = 0; i < 2; i++)
		v[i] = wide ? lift_qword(l, &in->data[i]) : lift_dword(l, &in->data[i], 0);
	for (unsigned i = 0; i < 2; i++) {
		ir_id id = atomic(l, ATOMIC_xchg, t, m, a, (int64_t)((i ? in->offset1 : in->offset0) * unit), v[i]);
		d[0] = id;
		if (wide)
			lift_split(l, id, d);
		for (unsigned k = 0; k < (wide ? 2u : 1u); k++)
			lift_set_vgpr(l, in->dst[0].index + (wide ? 2 * i : i) + k, d[k]);
	}
}

/* MEM[A] = MEM[A] op MEM[B], B a signed count of dwords from A: in the instruction, or in the address's upper bits. op:
 * enum ir_atomic, with xchg a plain store. TYPE */
void lift_ds_src2(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	bool wide = (r->arg & TYPE) == I64, isfloat = r->op >= ATOMIC_fadd && r->op <= ATOMIC_fmax;
	ir_type t = wide ? IR_I64 : IR_I32;
	uint32_t o = (uint32_t)in->offset & 0xffff;
	ir_id a = lift_dword(l, &in->addr, 0), m = lift_exec(l), step;

	if (!lds_only(l))
		return;
	if (o & 0x8000)
		step = lift_ubfe(l, a, 17, 15, true);
	else
		step = lift_c32(l, (uint32_t)((int32_t)(o << 17) >> 17));
	ir_id at = ik(l, IR_iand, a, 0xffff), from = i2(l, IR_iadd, at, ik(l, IR_shl, step, 2));
	ir_id v = op2(l, IR_ldshared, t, m, from);
	finish(l, v, 0, 2);
	if (isfloat)
		v = lift_cast(l, ir_float_of_bits(ir_bits(t)), v);
	if (r->op == ATOMIC_xchg)
		finish(l, op3(l, IR_stshared, IR_VOID, m, at, v), 0, 2);
	else
		atomic(l, r->op, l->fn->inst[v].type, m, at, 0, v);
}

/* A counter of the wave: its first lane adds or subtracts the number of active lanes, all get the value before. */
void lift_ds_count(struct amd_lift *l, const struct lift_row *r) /* op: enum ir_atomic */
{
	const struct amd_inst *in = l->in;
	ir_type w = l->wave == 64 ? IR_I64 : IR_I32;
	ir_id m = lift_exec(l), all = op1(l, IR_ballot, w, m), lane = lift_lane(l);
	ir_id count = op1(l, IR_popc, IR_I32, all), first = op1(l, IR_ctz, IR_I32, all);

	if (!lds_only(l))
		return;
	ir_id one = b2(l, IR_iand, m, b2(l, IR_ieq, lane, first));
	ir_id id = atomic(l, r->op, IR_I32, one, m0_base(l), in->offset, count);
	lift_set_vgpr(l, in->dst[0].index, op2(l, IR_readfirst, IR_I32, m, id));
}

void lift_ds_addtid(struct amd_lift *l, const struct lift_row *r) /* dword of the lane: M0 + offset + 4 * lane. op */
{
	const struct amd_inst *in = l->in;
	ir_id m = lift_exec(l), base = m0_base(l), a = i2(l, IR_iadd, base, ik(l, IR_shl, lift_lane(l), 2));

	if (!lds_only(l))
		return;
	if (r->op == IR_stshared) {
		finish(l, op3(l, IR_stshared, IR_VOID, m, a, lift_dword(l, &in->data[0], 0)), in->offset, 2);
		return;
	}
	ir_id v = op2(l, IR_ldshared, IR_I32, m, a);
	finish(l, v, in->offset, 2);
	lift_set_vgpr(l, in->dst[0].index, v);
}

/* Each active lane sends to the lane that its address names, in groups of 32; where several do the highest wins, where
 * none does the result is 0. */
void lift_ds_permute(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;

	l->whole = true;
	ir_id m = lift_exec(l), lane = lift_lane(l), group = ik(l, IR_iand, lane, ~31u), yes = lift_bool(l, true);
	ir_id to = ik(l, IR_iand, ik(l, IR_lshr, ik(l, IR_iadd, lift_dword(l, &in->addr, 0), (uint32_t)in->offset), 2), 31);
	ir_id mine = ik(l, IR_iand, lane, 31), v = lift_dword(l, &in->data[0], 0), from = lift_c32(l, UINT32_MAX);

	(void)r;
	to = op3(l, IR_select, IR_I32, m, to, lift_c32(l, UINT32_MAX)); /* a lane that is off sends nowhere */
	for (unsigned i = 0; i < 32; i++) {
		ir_id t = op3(l, IR_shuffle, IR_I32, yes, to, ik(l, IR_ior, group, i));
		from = k_where(l, b2(l, IR_ieq, t, mine), i, from);
	}
	ir_id index = i2(l, IR_ior, group, ik(l, IR_iand, from, 31));
	ir_id x = op3(l, IR_shuffle, IR_I32, yes, v, index), none = bk(l, IR_ieq, from, UINT32_MAX);
	lift_set_vgpr(l, in->dst[0].index, k_where(l, none, 0, x));
}
