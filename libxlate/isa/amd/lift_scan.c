/* lift_scan.c - which readings of a scalar register are needed: its integer, the lane's bit of the mask that starts there, or both.
 *
 * A wave64 mask is the pair that starts at an even SGPR, a wave32 mask any SGPR. Both readings of a register hold
 * the same bits; keeping only those that some instruction may read (over the whole program, without regard to order)
 * is a saving, not a semantic choice.
 */
#include "lift_amd.h"

enum { VCC = AMD_VCC_LO, EXEC = AMD_EXEC_LO };

/* True when that says more. */
static bool use(struct amd_lift *l, unsigned reg, unsigned how)
{
	bool more = how & ~l->use[reg];

	l->use[reg] |= (uint8_t)how;
	return more;
}

static inline void scan_ints(struct amd_lift *l, const struct amd_opnd *o)
{
	int reg = lift_regno(o), end = reg + o->dwords <= LIFT_REGS ? reg + o->dwords : LIFT_REGS;

	if (reg < 0)
		return;
	for (; reg < end; reg++)
		l->use[reg] |= USE_INT;
}

/* A mask that a vector instruction makes (USE_CAND) or reads (USE_MASK). */
static inline void scan_mask(struct amd_lift *l, const struct amd_opnd *o, unsigned how)
{
	if (lift_regno(o) >= 0)
		l->use[lift_mask_base(l, o->index)] |= (uint8_t)how;
}

static inline void scan_read(struct amd_lift *l, const struct amd_opnd *o)
{
	if (o->index == AMD_VCCZ)
		l->use[VCC] |= USE_MASK;
	else if (o->type == AMD_T_MASK)
		scan_mask(l, o, USE_MASK);
	else
		scan_ints(l, o);
}

/* Masks of which only a part is written. */
static inline void scan_parts(struct amd_lift *l, const struct amd_opnd *o)
{
	int reg = lift_regno(o);

	if (reg < 0 || l->wave == 32 || !((reg | o->dwords) & 1))
		return;
	for (int i = 0; i < o->dwords && reg + i < LIFT_REGS; i++) {
		int r = reg + i;
		bool part = (r & 1) ? i == 0 : i + 1 == o->dwords;
		if (part && use(l, (unsigned)r & ~1u, USE_WRITE))
			l->part[l->nparts++] = (uint8_t)(r & ~1);
	}
}

static void scan_implied(struct amd_lift *l, const struct amd_inst *in)
{
	const struct lift_row *row = &lift_rows[in->op];

	if (row->fn == lift_s_cbranch)
		l->use[row->op == IR_any ? VCC : EXEC] |= USE_MASK;
	else if (row->fn == lift_v_divfmas)
		l->use[VCC] |= USE_MASK;
	else if (row->fn == lift_s_mode || row->fn == lift_s_setreg)
		l->mode_changes |= lift_is_mode_change(in);
	else /* the others are relative to M0 */
		l->use[AMD_M0] |= USE_INT;
	for (unsigned r = 0; row->fn == lift_s_movrel && r < 106; r++) /* any of them */
		l->use[r] |= USE_INT;
}

static void scan_wave_dst(struct amd_lift *l, const struct amd_inst *in)
{
	const struct lift_row *row = &lift_rows[in->op];
	int reg = lift_regno(&in->dst[0]);

	if (reg >= 0 && (row->fn == lift_s_saveexec || row->fn == lift_s_wqm))
		l->use[lift_mask_base(l, (unsigned)reg)] |= USE_CAND;
}

/* Vector registers that are numbers, whatever else they are at other times. */
static void scan_number(struct amd_lift *l, const struct amd_opnd *o)
{
	for (unsigned i = 0; o->kind == AMD_K_VGPR && i < o->dwords; i++)
		l->number[(o->index + i) & 255] = true;
}

static inline void scan_write(struct amd_lift *l, const struct amd_inst *in, const struct amd_opnd *o)
{
	if (o->type == AMD_T_MASK) {
		scan_mask(l, o, USE_CAND);
		return;
	}
	scan_parts(l, o);
	if (o != in->dst)
		return;
	if (in->flags & AMD_F_ACC)
		scan_ints(l, o);
	if (!amd_has_memory(in) && lift_regno(o) >= 0)
		scan_number(l, &in->src[0]);
}

static inline void scan_memory(struct amd_lift *l, const struct amd_inst *in)
{
	scan_ints(l, &in->sbase);
	scan_ints(l, &in->samp);
	scan_ints(l, &in->soffset);
	/* What scalar instructions store; others have vector registers there, and for addresses. */
	scan_ints(l, &in->data[0]);
}

static inline void scan_operands(struct amd_lift *l, const struct amd_inst *in)
{
	if (in->scalars >> AMD_OPNDS)
		scan_memory(l, in);
	for (unsigned left = in->scalars & ((1u << AMD_OPNDS) - 1); left; left &= left - 1) {
		unsigned k = (unsigned)__builtin_ctz(left);
		if (k >= 2)
			scan_read(l, &in->opnd[k]);
		else
			scan_write(l, in, &in->opnd[k]);
	}
}

/* Ops whose result has ones where the operands have zeros: lanes that do not exist would count as set, so SCC comes
 * from the integer unless every wave is full. */
static bool inverts(const struct amd_lift *l, const struct lift_row *row)
{
	if (l->full)
		return false;
	if (row->fn == lift_s_not)
		return true;
	return row->fn == lift_s_logic && ((row->arg & NOT) || ((row->arg & N2) && row->op != IR_iand));
}

bool lift_scc_by_mask(const struct amd_lift *l, const struct lift_row *row)
{
	return !inverts(l, row) && (lift_is_cand(l, &l->in->src[0]) || lift_is_cand(l, &l->in->src[1]));
}

/* What stands for no register: nothing is asked of what is written there, and what is read from there has been asked for. */
enum { NO_FROM = LIFT_REGS, NO_DST = NO_FROM + 2 };

/* An operation on wave masks: registers by number. */
struct wave_op {
	uint8_t dst, from[3];
	uint8_t adds; /* SCC and EXEC come from the mask alone (s_*_saveexec, s_wqm): USE_MASK */
	uint8_t test, test_cand; /* what SCC reads, where operands are no candidates and where they are */
};

static uint8_t reg_or(const struct amd_opnd *o, unsigned none)
{
	return (uint8_t)(lift_regno(o) >= 0 ? o->index : none);
}

static struct wave_op wave_op(const struct amd_lift *l, const struct amd_inst *in)
{
	const struct lift_row *row = &lift_rows[in->op];
	bool moves = row->fn == lift_s_saveexec || row->fn == lift_s_wqm, tests = row->arg & NZ;
	uint8_t test = tests && !moves ? USE_INT : 0;

	return (struct wave_op){
		.dst = reg_or(&in->dst[0], NO_DST),
		.from = { reg_or(&in->src[0], NO_FROM), reg_or(&in->src[1], NO_FROM),
		          in->flags & AMD_F_ACC ? reg_or(&in->dst[0], NO_FROM) : NO_FROM },
		.adds = moves ? USE_MASK : 0,
		.test = test,
		.test_cand = tests && !inverts(l, row) ? USE_MASK : test,
	};
}

static unsigned cand_of(const struct amd_lift *l, const struct wave_op *op)
{
	return (l->use[lift_mask_base(l, op->from[0])] | l->use[lift_mask_base(l, op->from[1])] |
	        l->use[lift_mask_base(l, op->from[2])]) & USE_CAND;
}

/* What the result holds, its operands are read as. True when that says more of them. */
static bool scan_wave(struct amd_lift *l, const struct wave_op *op)
{
	unsigned second = l->wave == 64, add = op->adds | (cand_of(l, op) ? op->test_cand : op->test);
	bool more = false;

	add |= (l->use[op->dst] & (USE_MASK | USE_INT)) | (l->use[op->dst + second] & USE_INT);
	for (unsigned i = 0; i < 3; i++) {
		more |= use(l, lift_mask_base(l, op->from[i]), add & USE_MASK);
		more |= use(l, op->from[i], add & USE_INT);
		more |= use(l, op->from[i] + second, add & USE_INT);
	}
	return more;
}

/* A mask of which only a part is written is made of both integers. */
static bool scan_part(struct amd_lift *l, unsigned reg)
{
	bool low = l->use[reg] & USE_MASK && use(l, reg, USE_INT), high = l->use[reg] & USE_MASK && use(l, reg + 1, USE_INT);

	return low || high;
}

/* Candidates go from operands to results, mostly in the order of the program; readings from results to operands, against it. */
static void scan_waves(struct amd_lift *l, const struct wave_op *wave, uint32_t n)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			more |= use(l, wave[i].dst, cand_of(l, &wave[i]));
	}
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = n; i-- > 0;)
			more |= scan_wave(l, &wave[i]);
		for (unsigned i = 0; i < l->nparts; i++)
			more |= scan_part(l, l->part[i]);
	}
}

void lift_scan(struct amd_lift *l)
{
	const struct lift_reach *q = l->reach;
	struct wave_op *wave = arena_array_raw(l->ctx->scratch, struct wave_op, q->nscan);
	uint32_t nwave = 0;

	l->use[EXEC] |= USE_MASK | USE_CAND;
	l->use[NO_FROM] = l->use[NO_FROM + 1] = USE_MASK | USE_INT;
	for (uint32_t i = 0, n = q->nscan; i < n; i++) {
		const struct amd_inst *in = q->scan[i];
		if (in->flags & AMD_F_IMPLIED)
			scan_implied(l, in);
		if (in->flags & ISA_F_ATOMIC) {
			scan_number(l, &in->dst[0]);
			scan_number(l, &in->data[0]);
			scan_number(l, &in->data[1]);
		}
		if (lift_rows[in->op].arg & WAVE && in->dst[0].dwords * 32u == l->wave) {
			scan_wave_dst(l, in);
			wave[nwave++] = wave_op(l, in);
		} else {
			scan_operands(l, in);
		}
	}
	if (nwave || l->nparts)
		scan_waves(l, wave, nwave);
}

/* May the operand, as a mask, have bits of lanes that the wave lacks? Numbers may, and registers that are set to some. */
static bool numbered(const bool *number, const struct amd_opnd *o)
{
	int reg = lift_regno(o);

	if (o->kind == AMD_K_INT || o->kind == AMD_K_FLOAT || o->kind == AMD_K_LITERAL)
		return o->value != 0;
	return reg >= 0 && number[reg] && (o->dwords < 2 || number[reg + 1]);
}

static bool exec_grows(const struct amd_inst *in, const bool *number)
{
	const struct lift_row *row = &lift_rows[in->op];
	bool a = numbered(number, &in->src[0]), b = numbered(number, &in->src[1]);
	int dst = lift_regno(&in->dst[0]);

	if (row->fn == lift_s_saveexec)
		return row->op == IR_iand ? row->arg & (NOT | N2) : a || row->arg & (NOT | N1 | N2);
	if ((dst != EXEC && dst != EXEC + 1) ||
	    (in->enc != AMD_ENC_SOP1 && in->enc != AMD_ENC_SOP2 && in->enc != AMD_ENC_SOPK))
		return false; /* v_cmpx clears bits only */
	if (row->fn == lift_s_logic && row->op == IR_iand)
		return row->arg & N2 ? a : row->arg & NOT || (a && b);
	return a || b || row->fn == lift_s_not || row->fn == lift_s_movk || row->arg & (NOT | N2);
}

/* Does a register get a number, or the inverse of one? Moves between registers are not followed. */
static bool gets_number(const struct amd_inst *in, const bool *number)
{
	const struct lift_row *row = &lift_rows[in->op];
	bool given = lift_regno(&in->src[0]) < 0 && numbered(number, &in->src[0]);

	if (row->fn == lift_s_logic)
		return row->arg & NOT || (row->arg & N2 && row->op != IR_iand);
	return row->fn == lift_s_movk || row->fn == lift_s_not || (row->fn == lift_s_mov && given);
}

uint32_t lift_exec_beyond(const struct amd_lift *l)
{
	bool number[LIFT_REGS + 1] = { false };

	for (uint32_t i = 0; i < l->ninst; i++) {
		const struct amd_inst *in = l->place[i].in;
		bool moves = in->scalars && gets_number(in, number);
		int dst = lift_regno(&in->dst[0]);
		int half = l->wave == 64 && (uint32_t)in->src[0].value == UINT32_MAX; /* all ones in one half are enough */
		for (int r = dst & ~half; moves && dst >= 0 && r < LIFT_REGS && r <= ((dst + in->dst[0].dwords - 1) | half); r++)
			number[r] = true;
	}
	number[EXEC] = number[EXEC + 1] = false; /* said where it is set */
	for (uint32_t i = 0; i < l->ninst; i++)
		if (l->place[i].in->scalars && exec_grows(l->place[i].in, number))
			return l->place[i].in->offset_in_code;
	return DIAG_NO_ADDR;
}

bool lift_is_cand(const struct amd_lift *l, const struct amd_opnd *o)
{
	int reg = lift_regno(o);

	return reg >= 0 && (l->use[lift_mask_base(l, (unsigned)reg)] & USE_CAND);
}

bool lift_reads(const struct amd_lift *l, const struct amd_opnd *o, unsigned use)
{
	int reg = lift_regno(o);
	unsigned u = 0;

	if (reg < 0)
		return false;
	for (int i = 0; i < o->dwords && reg + i < LIFT_REGS; i++)
		u |= l->use[reg + i] & USE_INT;
	u |= l->use[lift_mask_base(l, (unsigned)reg)] & USE_MASK;
	return reg == EXEC ? (use & USE_MASK) != 0 : (u & use) != 0;
}
