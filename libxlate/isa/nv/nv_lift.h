/* nv_lift.h - what the NVIDIA lifter's files share.
 *
 * Registers become markers: general registers i32, predicates b1; pairs are packed where they are used. One lane's
 * control flow is plain branches: convergence barriers (bssy, bsync) change nothing for a lane, and where sync, brk and
 * cont go is found by following the control stack (nv_cfg.c). A guarded instruction writes select(guard, new, old),
 * guarded memory operations carry the guard as their mask, guarded branches are conditional.
 *
 * Writes are queued and take effect when the instruction ends (nv_reg_flush), so that a result never reaches an operand
 * of its own instruction. In a block a marker is got once, before its first write, and set once, at the end. A lifter
 * that cannot translate an instruction exactly calls nv_refuse.
 */
#ifndef XL_NV_LIFT_H
#define XL_NV_LIFT_H

#include "../lift.h"
#include "nv.h"

enum { NV_MAX_PENDING = 16, NV_PAIRS = 32 };

/* Where the registers of each file stand among all. */
enum { NV_AT_GPR, NV_AT_UGPR = NV_AT_GPR + 256, NV_AT_PRED = NV_AT_UGPR + 64, NV_AT_UPRED = NV_AT_PRED + 8,
	NV_AT_CC = NV_AT_UPRED + 8, NV_NREG };

/* A register in the block at hand: known when `block` is the block's count, and to be written when the block ends when `dirty`
 * is. A register is read and written once a block. What it holds is made of what was written when it is asked for. */
struct nv_cur {
	uint32_t block, dirty;
	ir_id value;               /* i32, or b1; 0: not asked for yet */
	ir_id other;               /* the same as f32, or the complement; 0: not asked for yet */
	uint32_t marker;           /* + 1, 0: not made yet */
};

struct nv_frame; /* nv_cfg.c: the control stack of sm53 */

struct nv_lift {
	struct lift_ctx *ctx;
	struct ir_fn *fn;
	const struct facts *facts;
	const struct nv_inst *in;  /* being lifted */
	ir_id guard;               /* b1, or 0: always */
	bool failed, ended;        /* ended: the block has its terminator */
	/* The program orders memory between workgroups. Only then must its plain accesses be visible to others: without a
	 * fence or an atomic, reading what another workgroup writes is a race in every source language. */
	bool coherent;

	uint32_t entry;            /* the first instruction (behind sm53's control word) */
	unsigned step, step_log;   /* bytes of an instruction slot */
	uint32_t nslot;
	struct nv_inst **at;       /* per slot: reachable instruction, or NULL */
	const struct nv_frame **stack; /* per slot: control stack on entry */
	bool *leader;              /* per slot: a block starts here */
	uint32_t *block;           /* per slot: block that starts here + 1 */

	struct { struct nv_cur *to; ir_id value; } pending[NV_MAX_PENDING];
	unsigned npending;
	struct nv_cur cur[NV_NREG];
	uint16_t dirty[NV_NREG];   /* registers that the block wrote */
	unsigned ndirty, nblock;
	/* what the block of that count has made; pairs are by the lower word, modulo their number */
	struct { unsigned block; ir_id value; } sysval[SYSVAL_COUNT][4], quad[16];
	struct { unsigned block; ir_id low, high, value; } pair[NV_PAIRS];
	ir_id zero, truth[2];      /* constants */
};

typedef void nv_lifter(struct nv_lift *);
extern nv_lifter *const nv_lifters[NV_OP_COUNT];

/* ---- nv_lift.c */
void nv_refuse(struct nv_lift *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- nv_cfg.c: decode everything that can be reached and resolve targets. False after a diagnostic. */
bool nv_cfg_discover(struct nv_lift *);

/* ---- nv_reg.c: operands */
ir_id nv_c32(struct nv_lift *, uint32_t);
ir_id nv_bool(struct nv_lift *, bool);
ir_id nv_mask(struct nv_lift *);                             /* the guard as a mask operand */
ir_id nv_reg_guard(struct nv_lift *);                        /* b1: the guard of l->in, which is a predicate's value */
/* Word i of an operand as i32 or f32, modifiers not applied */
ir_id nv_word(struct nv_lift *, const struct nv_opnd *, unsigned i);
ir_id nv_float_word(struct nv_lift *, const struct nv_opnd *, unsigned i);
ir_id nv_int(struct nv_lift *, unsigned i);                  /* i32 source with neg or not */
ir_id nv_int64(struct nv_lift *, unsigned i);                /* i64: a pair (immediate: zero extended), no modifiers */
ir_id nv_pair(struct nv_lift *, const struct nv_opnd *, unsigned i); /* i64: words i and i + 1 */
ir_id nv_f32(struct nv_lift *, unsigned i);                  /* with abs and neg */
ir_id nv_signed32(struct nv_lift *, unsigned i, bool *minus); /* with both, or, when *minus, to be negated still */
ir_id nv_f64(struct nv_lift *, unsigned i);
ir_id nv_pred(struct nv_lift *, unsigned i);                 /* b1 */
ir_id nv_carry(struct nv_lift *);                            /* b1: sm53's carry flag */
ir_id nv_cbuf(struct nv_lift *, const struct nv_opnd *, ir_type, ir_id offset, uint32_t more); /* constant bank load */
void nv_set(struct nv_lift *, unsigned n, ir_id value);      /* destination n: i32, f32 or b1 by its kind */
void nv_set_word(struct nv_lift *, unsigned n, unsigned i, ir_id value); /* its word i: i32, f32 or b1 */
void nv_set64(struct nv_lift *, unsigned n, ir_id value);    /* i64 or f64 into a pair */
void nv_reg_flush(struct nv_lift *);
void nv_reg_init(struct nv_lift *, unsigned gpr, ir_id value); /* at once */
void nv_block_begin(struct nv_lift *, uint32_t block);
void nv_block_end(struct nv_lift *);                         /* before the terminator */
ir_id nv_lane(struct nv_lift *);
ir_id nv_sysval(struct nv_lift *, enum sysval, unsigned comp);

/* ---- nv_logic.c: any function of three bits, on b1 or i32 */
ir_id nv_logic_lut(struct nv_lift *, ir_type, unsigned lut, const ir_id src[3]);

/* ---- shared helpers of the float files (nv_float.c) */
ir_id nv_float_cmp(struct nv_lift *, unsigned fcmp, ir_id a, ir_id b);
ir_id nv_float_ftz(struct nv_lift *, ir_id v);               /* the instruction's flush flag on v */
ir_id nv_float_sat(struct nv_lift *, ir_id v);
/* x op y of NVM_SETOP numbering */
ir_id nv_float_setop(struct nv_lift *, unsigned op, ir_id x, ir_id y);
/* The smaller one when predicate 2 says so, else the larger one */
ir_id nv_float_min_max(struct nv_lift *, ir_type, ir_id a, ir_id b);

/* ---- nv_mem.c: enum ir_atomic of NVM_AOP and NVM_ATYPE, or -1 */
int nv_mem_atomic(unsigned aop, unsigned type);

/* The zero register, unmodified or not. */
static inline bool nv_is_zero(const struct nv_opnd *o)
{
	return (o->kind == NVK_REG && o->index == NV_RZ_REG) || (o->kind == NVK_UREG && o->index == NV_RZ_UREG);
}

/* As a destination: nothing is kept. */
static inline bool nv_discards(const struct nv_opnd *o)
{
	if (o->kind == NVK_PRED || o->kind == NVK_UPRED)
		return o->index == NV_PT;
	return o->kind == NVK_NONE || nv_is_zero(o);
}

static inline uint32_t nv_slot(const struct nv_lift *l, uint32_t offset)
{
	return offset >> l->step_log;
}

/* Where the instruction behind this one stands. */
static inline uint32_t nv_after(const struct nv_lift *l, uint32_t offset)
{
	offset += l->step;
	return l->step == 8 && offset % 32 == 0 ? offset + l->step : offset; /* sm53 has control words */
}

/* Short hands. */
static inline ir_id op1(struct nv_lift *l, enum ir_op op, ir_type t, ir_id a) { return ir_op1(l->fn, op, t, a); }
static inline ir_id op2(struct nv_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b) { return ir_op2(l->fn, op, t,
	a, b); }
static inline ir_id op3(struct nv_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b, ir_id c)
{
	return ir_op3(l->fn, op, t, a, b, c);
}
static inline ir_id i2(struct nv_lift *l, enum ir_op op, ir_id a, ir_id b) { return ir_op2(l->fn, op, IR_I32, a, b); }
static inline ir_id ik(struct nv_lift *l, enum ir_op op, ir_id a, uint32_t k) { return i2(l, op, a, nv_c32(l, k)); }
static inline ir_id b2(struct nv_lift *l, enum ir_op op, ir_id a, ir_id b) { return ir_op2(l->fn, op, IR_B1, a, b); }
/* The constants yes or no, as `b1` says */
static inline ir_id pick(struct nv_lift *l, ir_id b1, uint32_t yes, uint32_t no)
{
	ir_id y = nv_c32(l, yes), n = nv_c32(l, no);

	return op3(l, IR_select, IR_I32, b1, y, n);
}
/* b1: unsigned v < k */
static inline ir_id below(struct nv_lift *l, ir_id v, uint32_t k) { return op2(l, IR_ult, IR_B1, v, nv_c32(l, k)); }
/* `width` bits of v from bit `at` on */
static inline ir_id field(struct nv_lift *l, ir_id v, unsigned at, unsigned width, bool sign)
{
	ir_id first = nv_c32(l, at), count = nv_c32(l, width);

	return op3(l, sign ? IR_sbfe : IR_ubfe, IR_I32, v, first, count);
}
/* The upper word of (high, low) << by, 0 < by < 32 */
static inline ir_id funnel(struct nv_lift *l, ir_id high, ir_id low, unsigned by)
{
	ir_id top = ik(l, IR_shl, high, by);

	return i2(l, IR_ior, top, ik(l, IR_lshr, low, 32 - by));
}
static inline ir_id not1(struct nv_lift *l, ir_id b1) { return ir_op1(l->fn, IR_inot, IR_B1, b1); }
static inline ir_id cast(struct nv_lift *l, ir_type t, ir_id v)
{
	const struct ir_inst *in = &l->fn->inst[v];

	if (in->type == t)
		return v;
	return in->op == IR_const ? ir_const(l->fn, t, in->imm) : ir_op1(l->fn, IR_bitcast, t, v);
}

/* The lifters of nv.def. */
#define NV_LIFTERS(X) \
	X(alu_fadd) X(alu_fmul) X(alu_ffma) X(alu_fmnmx) X(alu_fset) X(alu_fsetp) X(alu_fswzadd) X(alu_mufu) X(alu_rro) \
	X(alu_dadd) X(alu_dmul) X(alu_dfma) X(alu_dmnmx) X(alu_dsetp) \
	X(alu_hadd2) X(alu_hfma2) X(alu_hmul2) X(alu_hset2) X(alu_hsetp2) X(alu_hmnmx2) \
	X(alu_bmsk) X(alu_brev) X(alu_flo) X(alu_popc) X(alu_iabs) X(alu_bfe) X(alu_bfi) X(alu_iadd2) \
	X(alu_iscadd) X(alu_iadd3) X(alu_iadd3x) X(alu_iadd3m) X(alu_lea) X(alu_imad) X(alu_imad64) X(alu_imul) \
	X(alu_xmad) X(alu_imnmx) X(alu_isetp) X(alu_iset) X(alu_icmp) \
	X(alu_lop2) X(alu_lop3) X(alu_shl) X(alu_shr) X(alu_shf) \
	X(alu_f2f) X(alu_f2fp) X(alu_f2i) X(alu_i2f) X(alu_i2i) X(alu_frnd) \
	X(alu_mov) X(alu_prmt) X(alu_sel) X(alu_psetp) X(alu_plop3) X(alu_s2r) X(alu_r2ur) X(alu_shfl) X(alu_vote) \
	X(mem_ldg) X(mem_stg) X(mem_ldl) X(mem_stl) X(mem_lds) X(mem_sts) X(mem_ldc) X(mem_atomg) X(mem_atoms) X(mem_cctl) \
	X(mem_membar) \
	X(tex_tex) X(tex_txd) X(tex_tld4) X(tex_tld) X(tex_txq) X(tex_suld) X(tex_sust) X(tex_suatom) \
	X(flow_bra) X(flow_push) X(flow_pop) X(flow_exit) X(flow_nop) X(flow_bar)
#define X(name) nv_lifter lift_##name;
NV_LIFTERS(X)
#undef X

#endif
