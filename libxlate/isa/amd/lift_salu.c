/* lift_salu.c - scalar instructions without memory and control flow. */
#include "lift_amd.h"

static ir_id src(struct amd_lift *l, unsigned i)
{
	return lift_dword(l, &l->in->src[i], 0);
}

static ir_id src64(struct amd_lift *l, unsigned i)
{
	return lift_qword(l, &l->in->src[i]);
}

static void set32(struct amd_lift *l, ir_id v)
{
	lift_set_scalar(l, &l->in->dst[0], &v);
}

static void set64(struct amd_lift *l, ir_id v)
{
	ir_id d[2];

	lift_split(l, v, d);
	lift_set_scalar(l, &l->in->dst[0], d);
}

static void scc_nz(struct amd_lift *l, ir_type t, ir_id v)
{
	lift_set_scc(l, b2(l, IR_ine, v, ir_const(l->fn, t, 0)));
}

static uint32_t simm(const struct amd_lift *l)
{
	return (uint32_t)(int16_t)l->in->simm16;
}

void lift_s_mode(struct amd_lift *l, const struct lift_row *r) /* followed by lift_mode.c */
{
	(void)l;
	(void)r;
}

void lift_s_nop(struct amd_lift *l, const struct lift_row *r)
{
	(void)l;
	(void)r;
}

/* ---- 32-bit arithmetic. op; arg: NZ */
void lift_s_alu(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = src(l, 0), b = src(l, 1), v = i2(l, r->op, a, b);

	l->settled = true;
	set32(l, v);
	if (r->arg & NZ)
		scc_nz(l, IR_I32, v);
	if (r->op == IR_smin || r->op == IR_umin || r->op == IR_smax || r->op == IR_umax) {
		enum ir_op lt = r->op == IR_smin || r->op == IR_smax ? IR_slt : IR_ult; /* SCC: the first operand was taken */
		bool min = r->op == IR_smin || r->op == IR_umin;
		lift_set_scc(l, min ? b2(l, lt, a, b) : b2(l, lt, b, a));
	}
}

/* Signed overflow of a + b or a - b. */
static ir_id overflow(struct amd_lift *l, bool sub, ir_id a, ir_id b, ir_id v)
{
	ir_id x = i2(l, IR_ixor, a, v), y = sub ? i2(l, IR_ixor, a, b) : i2(l, IR_ixor, b, v);

	return bk(l, IR_slt, i2(l, IR_iand, x, y), 0);
}

/* op: iadd or isub; arg: SIGNED (SCC is overflow, else carry or borrow), CIN */
void lift_s_addsub(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = src(l, 0), b = src(l, 1);
	bool sub = r->op == IR_isub;
	enum ir_op carry = sub ? IR_borrow : IR_carry;
	ir_id v = i2(l, r->op, a, b);

	if (r->arg & SIGNED) {
		set32(l, v);
		lift_set_scc(l, overflow(l, sub, a, b, v));
		return;
	}
	ir_id c = b2(l, carry, a, b);
	if (r->arg & CIN) {
		ir_id in = op1(l, IR_zext, IR_I32, lift_scc(l));
		c = b2(l, IR_ior, c, b2(l, carry, v, in));
		v = i2(l, r->op, v, in);
	}
	set32(l, v);
	lift_set_scc(l, c);
}

void lift_s_aluk(struct amd_lift *l, const struct lift_row *r) /* op: iadd (SCC overflow) or imul */
{
	ir_id a = lift_dword(l, &l->in->dst[0], 0), k = lift_c32(l, simm(l)), v = i2(l, r->op, a, k);

	set32(l, v);
	if (r->op == IR_iadd)
		lift_set_scc(l, overflow(l, false, a, k, v));
}

void lift_s_absdiff(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = src(l, 0), b = src(l, 1), d = i2(l, IR_isub, a, b), v = i2(l, IR_smax, d, op1(l, IR_ineg, IR_I32, d));

	(void)r;
	set32(l, v);
	scc_nz(l, IR_I32, v);
}

void lift_s_abs(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = src(l, 0), v = i2(l, IR_smax, a, op1(l, IR_ineg, IR_I32, a));

	(void)r;
	set32(l, v);
	scc_nz(l, IR_I32, v);
}

/* (a << count) + b, SCC = carry out of 32 bits of the exact sum. */
void lift_s_shladd(struct amd_lift *l, const struct lift_row *r)
{
	unsigned n = lift_count(r);
	ir_id a = src(l, 0), b = src(l, 1), s = ik(l, IR_shl, a, n), v = i2(l, IR_iadd, s, b);
	ir_id lost = bk(l, IR_ine, ik(l, IR_lshr, a, 32 - n), 0);

	set32(l, v);
	lift_set_scc(l, b2(l, IR_ior, b2(l, IR_carry, s, b), lost));
}

/* arg: count: bit 0 high half of source 0, bit 1 of source 1 */
void lift_s_pack(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = lift_half(l, src(l, 0), lift_count(r) & 1), b = lift_half(l, src(l, 1), lift_count(r) >> 1 & 1);

	set32(l, op2(l, IR_pack32, IR_I32, a, b));
}

/* ---- moves and logic, which also act on wave masks */
struct reading { /* what has to be computed */
	bool wave, mask, ints, scc_mask;
};

static struct reading reading_of(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_opnd *d = &l->in->dst[0];
	struct reading w = { .wave = d->dwords * 32u == l->wave };

	w.scc_mask = w.wave && (r->arg & NZ) && lift_scc_by_mask(l, r);
	w.mask = w.wave && (w.scc_mask || lift_reads(l, d, USE_MASK));
	w.ints = !w.wave || ((r->arg & NZ) && !w.scc_mask) || lift_reads(l, d, USE_INT);
	return w;
}

static void finish(struct amd_lift *l, const struct lift_row *r, struct reading w, ir_id mask, const ir_id *v)
{
	const struct amd_opnd *d = &l->in->dst[0];

	l->settled = true;
	if (w.wave)
		lift_set_wave(l, d, mask, v);
	else
		lift_set_scalar(l, d, v);
	if (!(r->arg & NZ))
		return;
	if (w.scc_mask)
		lift_set_scc(l, lift_any(l, mask));
	else
		scc_nz(l, IR_I32, d->dwords == 2 ? i2(l, IR_ior, v[0], v[1]) : v[0]);
}

void lift_s_mov(struct amd_lift *l, const struct lift_row *r)
{
	struct reading w = reading_of(l, r);
	ir_id mask = w.mask ? lift_mask(l, &l->in->src[0]) : 0, v[2] = { 0, 0 };

	for (unsigned i = 0; w.ints && i < l->in->dst[0].dwords; i++)
		v[i] = lift_dword(l, &l->in->src[0], i);
	finish(l, r, w, mask, v);
}

void lift_s_movk(struct amd_lift *l, const struct lift_row *r)
{
	(void)r;
	set32(l, lift_c32(l, simm(l)));
}

static void choose(struct amd_lift *l, const struct lift_row *r, const struct amd_opnd *a, const struct amd_opnd *b)
{
	struct reading w = reading_of(l, r);
	ir_id scc = lift_scc(l), mask = 0, v[2] = { 0, 0 };

	if (w.mask) {
		ir_id x = lift_mask(l, a), y = lift_mask(l, b);
		mask = op3(l, IR_select, IR_B1, scc, x, y);
	}
	for (unsigned i = 0; w.ints && i < l->in->dst[0].dwords; i++) {
		ir_id x = lift_dword(l, a, i), y = lift_dword(l, b, i);
		v[i] = op3(l, IR_select, IR_I32, scc, x, y);
	}
	finish(l, r, w, mask, v);
}

void lift_s_cselect(struct amd_lift *l, const struct lift_row *r)
{
	choose(l, r, &l->in->src[0], &l->in->src[1]);
}

void lift_s_cmov(struct amd_lift *l, const struct lift_row *r) /* op: const for s_cmovk */
{
	struct amd_opnd k = { .kind = AMD_K_INT, .value = (uint64_t)(int64_t)(int16_t)l->in->simm16, .dwords = 1 };

	choose(l, r, r->op == IR_const ? &k : &l->in->src[0], &l->in->dst[0]);
}

static ir_id combine(struct amd_lift *l, enum ir_op op, uint32_t arg, ir_type t, ir_id a, ir_id b)
{
	if (arg & N1)
		a = op1(l, IR_inot, t, a);
	if (arg & N2)
		b = op1(l, IR_inot, t, b);
	ir_id v = op2(l, op, t, a, b);
	return arg & NOT ? op1(l, IR_inot, t, v) : v;
}

void lift_s_logic(struct amd_lift *l, const struct lift_row *r)
{
	struct reading w = reading_of(l, r);
	const struct amd_opnd *a = &l->in->src[0], *b = &l->in->src[1];
	ir_id mask = 0, v[2] = { 0, 0 };

	if (w.mask) {
		ir_id x = lift_mask(l, a), y = lift_mask(l, b);
		mask = combine(l, r->op, r->arg, IR_B1, x, y);
	}
	for (unsigned i = 0; w.ints && i < l->in->dst[0].dwords; i++) {
		ir_id x = lift_dword(l, a, i), y = lift_dword(l, b, i);
		v[i] = combine(l, r->op, r->arg, IR_I32, x, y);
	}
	finish(l, r, w, mask, v);
}

void lift_s_not(struct amd_lift *l, const struct lift_row *r)
{
	struct reading w = reading_of(l, r);
	ir_id mask = w.mask ? lift_not(l, lift_mask(l, &l->in->src[0])) : 0, v[2] = { 0, 0 };

	for (unsigned i = 0; w.ints && i < l->in->dst[0].dwords; i++)
		v[i] = op1(l, IR_inot, IR_I32, lift_dword(l, &l->in->src[0], i));
	finish(l, r, w, mask, v);
}

void lift_s_wqm(struct amd_lift *l, const struct lift_row *r)
{
	if (l->in->dst[0].dwords * 32u != l->wave) {
		const struct lift_row ints = { NULL, IR_nop, (l->in->dst[0].dwords == 2 ? I64 : I32) | NZ };
		(void)r;
		lift_s_quadmask(l, &ints);
		return;
	}
	/* Some lane of a quad is no helper, else the quad would not be there. */
	bool all = l->fn->stage == STAGE_FRAGMENT && l->first_exec && lift_regno(&l->in->src[0]) == AMD_EXEC_LO;
	ir_id m = all ? lift_bool(l, true) : op1(l, IR_quadany, IR_B1, lift_mask(l, &l->in->src[0]));
	lift_set_mask(l, &l->in->dst[0], m);
	lift_set_scc(l, lift_any(l, m));
}

/* dst = EXEC; EXEC = src op EXEC. arg: as combine, source first; KEEPEXEC: dst = the new EXEC. SCC = the new EXEC is
 * not zero. */
void lift_s_saveexec(struct amd_lift *l, const struct lift_row *r)
{
	if (l->in->dst[0].dwords * 32u != l->wave) {
		lift_refuse(l, "saves EXEC in a width that is not the wave's");
		return;
	}
	ir_id old = lift_exec(l), s = lift_mask(l, &l->in->src[0]), now = combine(l, r->op, r->arg, IR_B1, s, old);

	lift_set_mask(l, &l->in->dst[0], r->arg & KEEPEXEC ? now : old);
	lift_set_exec(l, now);
	lift_set_scc(l, lift_any(l, now));
}

/* ---- bits */
void lift_s_shift(struct amd_lift *l, const struct lift_row *r) /* arg: TYPE */
{
	if ((r->arg & TYPE) == I64) {
		ir_id a = src64(l, 0), n = op1(l, IR_zext, IR_I64, src(l, 1)), v = op2(l, r->op, IR_I64, a, n);
		set64(l, v);
		scc_nz(l, IR_I64, v);
		return;
	}
	ir_id a = src(l, 0), n = src(l, 1), v = i2(l, r->op, a, n);
	set32(l, v);
	scc_nz(l, IR_I32, v);
}

void lift_s_bfm(struct amd_lift *l, const struct lift_row *r) /* ((1 << a) - 1) << b */
{
	ir_type t = (r->arg & TYPE) == I64 ? IR_I64 : IR_I32;
	uint32_t w = t == IR_I64 ? 63 : 31;
	ir_id n = ik(l, IR_iand, src(l, 0), w), s = ik(l, IR_iand, src(l, 1), w), one = ir_const(l->fn, t, 1);

	if (t == IR_I64) {
		n = op1(l, IR_zext, IR_I64, n);
		s = op1(l, IR_zext, IR_I64, s);
	}
	ir_id v = op2(l, IR_shl, t, op2(l, IR_isub, t, op2(l, IR_shl, t, one, n), one), s);
	if (t == IR_I64)
		set64(l, v);
	else
		set32(l, v);
}

/* op: ubfe, sbfe; control word: offset 4:0 (5:0), width 22:16 */
void lift_s_bfe(struct amd_lift *l, const struct lift_row *r)
{
	bool wide = (r->arg & TYPE) == I64;
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id a = wide ? src64(l, 0) : src(l, 0), c = src(l, 1);
	ir_id off = ik(l, IR_iand, c, wide ? 63 : 31), width = lift_ubfe(l, c, 16, 7, false);
	ir_id v = op3(l, r->op, t, a, off, width);

	if (r->op == IR_sbfe) { /* an empty field is 0 */
		ir_id none = bk(l, IR_ieq, width, 0);
		v = op3(l, IR_select, t, none, ir_const(l->fn, t, 0), v);
	}
	if (wide)
		set64(l, v);
	else
		set32(l, v);
	scc_nz(l, t, v);
}

void lift_s_brev(struct amd_lift *l, const struct lift_row *r)
{
	if ((r->arg & TYPE) == I64)
		set64(l, op1(l, IR_brev, IR_I64, src64(l, 0)));
	else
		set32(l, op1(l, IR_brev, IR_I32, src(l, 0)));
}

void lift_s_count(struct amd_lift *l, const struct lift_row *r) /* population count; NOT: of the zeros */
{
	bool wide = (r->arg & TYPE) == I64;
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id a = wide ? src64(l, 0) : src(l, 0);
	ir_id v = op1(l, IR_popc, IR_I32, r->arg & NOT ? op1(l, IR_inot, t, a) : a);

	set32(l, v);
	scc_nz(l, IR_I32, v);
}

/* First set (op ctz) or highest set bit (clz), -1 when there is none; NOT: of the inverse; SIGNED: first bit that
 * differs from the sign. */
void lift_s_find(struct amd_lift *l, const struct lift_row *r)
{
	bool wide = (r->arg & TYPE) == I64;
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id a = wide ? src64(l, 0) : src(l, 0);

	if (r->arg & NOT)
		a = op1(l, IR_inot, t, a);
	if (r->arg & SIGNED)
		a = op2(l, IR_ixor, t, a, op2(l, IR_ashr, t, a, ir_const(l->fn, t, wide ? 63 : 31)));
	ir_id none = b2(l, IR_ieq, a, ir_const(l->fn, t, 0)), n = op1(l, r->op, IR_I32, a);
	set32(l, op3(l, IR_select, IR_I32, none, lift_c32(l, UINT32_MAX), n));
}

void lift_s_sext(struct amd_lift *l, const struct lift_row *r) /* count: bits */
{
	set32(l, lift_ubfe(l, src(l, 0), 0, lift_count(r), true));
}

void lift_s_bitset(struct amd_lift *l, const struct lift_row *r) /* op: ior sets, iand clears */
{
	bool wide = (r->arg & TYPE) == I64;
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id old = wide ? lift_qword(l, &l->in->dst[0]) : lift_dword(l, &l->in->dst[0], 0), n = src(l, 0);
	ir_id by = wide ? op1(l, IR_zext, IR_I64, n) : n, bit = op2(l, IR_shl, t, ir_const(l->fn, t, 1), by);
	ir_id v = op2(l, r->op, t, old, r->op == IR_iand ? op1(l, IR_inot, t, bit) : bit);

	if (wide)
		set64(l, v);
	else
		set32(l, v);
}

/* Each bit twice. */
void lift_s_bitreplicate(struct amd_lift *l, const struct lift_row *r)
{
	static const uint64_t keep[] = { 0x0000ffff0000ffffull, 0x00ff00ff00ff00ffull, 0x0f0f0f0f0f0f0f0full,
		0x3333333333333333ull, 0x5555555555555555ull };
	uint64_t k;
	ir_id a = src(l, 0), v;

	(void)r;
	if (ir_is_const(l->fn, a, &k)) {
		for (unsigned i = 0; i < 5; i++)
			k = (k | k << (16 >> i)) & keep[i];
		set64(l, ir_const(l->fn, IR_I64, k | k << 1));
		return;
	}
	v = op1(l, IR_zext, IR_I64, a);
	for (unsigned i = 0; i < 5; i++) {
		v = op2(l, IR_ior, IR_I64, v, opk(l, IR_shl, IR_I64, v, 16 >> i));
		v = opk(l, IR_iand, IR_I64, v, keep[i]);
	}
	set64(l, op2(l, IR_ior, IR_I64, v, opk(l, IR_shl, IR_I64, v, 1)));
}

/* ---- compares */
void lift_s_cmp(struct amd_lift *l, const struct lift_row *r) /* REV */
{
	ir_id a = src(l, 0), b = src(l, 1);

	l->settled = true;
	lift_set_scc(l, r->arg & REV ? b2(l, r->op, b, a) : b2(l, r->op, a, b));
}

void lift_s_cmpk(struct amd_lift *l, const struct lift_row *r) /* SIGNED: the immediate is sign extended */
{
	ir_id a = src(l, 0), k = lift_c32(l, r->arg & SIGNED ? simm(l) : l->in->simm16);

	lift_set_scc(l, r->arg & REV ? b2(l, r->op, k, a) : b2(l, r->op, a, k));
}

void lift_s_bitcmp(struct amd_lift *l, const struct lift_row *r) /* op: ine or ieq with 0 */
{
	bool wide = (r->arg & TYPE) == I64;
	ir_type t = wide ? IR_I64 : IR_I32;
	ir_id a = wide ? src64(l, 0) : src(l, 0), n = src(l, 1);

	a = op2(l, IR_lshr, t, a, wide ? op1(l, IR_zext, IR_I64, n) : n);
	a = opk(l, IR_iand, t, a, 1);
	lift_set_scc(l, b2(l, r->op, a, ir_const(l->fn, t, 0)));
}

/* ---- program counter */
void lift_s_getpc(struct amd_lift *l, const struct lift_row *r)
{
	ir_id pc = lift_code_address(l, (uint64_t)l->in->offset_in_code + l->in->length);

	(void)r;
	if (pc)
		set64(l, pc);
}

/* Which of its workgroup's waves this is. */
void lift_s_waveid(struct amd_lift *l, const struct lift_row *r)
{
	ir_id v = ir_op0(l->fn, IR_sysval, IR_I32);

	(void)r;
	l->fn->inst[v].sub = SYSVAL_wave_in_group;
	lift_set_scalar(l, &l->in->dst[0], &v);
}

/* The wave's clock: in each lane the first one's. */
void lift_s_clock(struct amd_lift *l, const struct lift_row *r)
{
	ir_id exec = lift_exec(l), now = ir_op0(l->fn, IR_clock, IR_I64), part[2];

	l->fn->inst[now].imm = lift_count(r);
	now = op2(l, IR_readfirst, IR_I64, exec, now);
	part[0] = op1(l, IR_lo64, IR_I32, now);
	part[1] = op1(l, IR_hi64, IR_I32, now);
	lift_set_scalar(l, &l->in->dst[0], part);
}

/* Hardware registers: only the base of flat scratch, which scratch instructions (each lane's own bytes here) do not
 * need. */
void lift_s_setreg(struct amd_lift *l, const struct lift_row *r)
{
	enum { FLAT_SCR_LO = 20, FLAT_SCR_HI = 21 };
	unsigned id = l->in->simm16 & 63;

	(void)r;
	if (lift_is_mode_change(l->in)) /* followed by lift_mode.c */
		return;
	if (l->gfx7 || (id != FLAT_SCR_LO && id != FLAT_SCR_HI))
		lift_refuse(l, "hardware register %u", id);
}
