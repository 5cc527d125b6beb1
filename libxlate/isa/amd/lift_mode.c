/* lift_mode.c - the float mode at each instruction, where a program changes it.
 *
 * MODE bits 1:0 round 32-bit floats, 3:2 16- and 64-bit ones (0 nearest even, 3 to zero), 5:4 and 7:6 say the same of
 * denormals (0 flush, 3 keep). Changes to constants, and back to what was read from MODE, are followed through the blocks; float
 * instructions that two modes reach, or one that the IR has no form for, are refused.
 */
#include "lift_amd.h"

#include <string.h>

enum { NONE = 0xfffe, TWO = 0xffff, HWREG_MODE = 1, MAX_TURNS = 256 };
enum { OPEN = 1 << 8 }; /* some of the bits are another form of the same for lifters: nobody may read them */

/* What scalar registers hold, from the block's start on: a program keeps there the mode that it goes back to. */
struct held { bool known[LIFT_REGS]; uint32_t v[LIFT_REGS]; };

/* The bits of MODE that hwreg(...) names, or 0: another register, or bits that do not belong to rounding and denormals. */
static unsigned mode_field(const struct amd_inst *in, unsigned *at)
{
	unsigned id = in->simm16 & 63, n = (in->simm16 >> 11 & 31) + 1u;

	*at = in->simm16 >> 6 & 31;
	return id == HWREG_MODE && *at + n <= 8 ? ((1u << n) - 1) << *at : 0;
}

bool lift_is_mode_change(const struct amd_inst *in)
{
	unsigned at;

	switch (in->op) {
	case AMD_s_round_mode_SOPP: case AMD_s_denorm_mode_SOPP: return true;
	case AMD_s_setreg_imm32_b32_SOPK: case AMD_s_setreg_b32_SOPK: return mode_field(in, &at) != 0;
	default: return false;
	}
}

/* The mode behind an instruction that is reached with a known one. */
static unsigned changed(const struct amd_inst *in, const struct held *h, unsigned mode)
{
	int reg = lift_regno(&in->src[0]);
	unsigned at, field;

	switch (in->op) {
	case AMD_s_round_mode_SOPP: return (mode & ~15u) | (in->simm16 & 15);
	case AMD_s_denorm_mode_SOPP: return (mode & ~(15u << 4)) | (in->simm16 & 15u) << 4;
	case AMD_s_setreg_imm32_b32_SOPK: case AMD_s_setreg_b32_SOPK:
		field = mode_field(in, &at);
		if (field && in->op == AMD_s_setreg_b32_SOPK && (reg < 0 || !h->known[reg]))
			return TWO;
		mode = (mode & ~field) | ((in->op == AMD_s_setreg_b32_SOPK ? h->v[reg < 0 ? 0 : reg] : in->literal) << at & field);
		return field == 255 ? mode & ~(unsigned)OPEN : mode;
	default: return mode;
	}
}

/* What the instruction leaves in scalar registers. */
static void hold(const struct amd_inst *in, struct held *h, unsigned mode)
{
	int reg = lift_regno(&in->dst[0]);
	bool moves = in->op == AMD_s_mov_b32_SOP1 && (in->src[0].kind == AMD_K_INT || in->src[0].kind == AMD_K_LITERAL);
	unsigned at, field = in->op == AMD_s_getreg_b32_SOPK && mode < NONE && !(mode & OPEN) ? mode_field(in, &at) : 0;

	if (lift_rows[in->op].fn == lift_s_movrel)
		memset(h, 0, sizeof *h);
	for (unsigned k = 0; k < 2; k++)
		for (int i = 0, r = lift_regno(&in->dst[k]); r >= 0 && i < in->dst[k].dwords && r + i < LIFT_REGS; i++)
			h->known[r + i] = false;
	if (reg < 0 || reg >= AMD_VCC_LO || !(moves || field || in->op == AMD_s_movk_i32_SOPK))
		return;
	h->known[reg] = true;
	h->v[reg] = field ? (mode & field) >> at : moves ? (uint32_t)in->src[0].value : (uint32_t)(int16_t)in->simm16;
}

static unsigned entry_mode(const struct facts *f)
{
	unsigned m = f->float_mode & FACT_RTZ16_64 ? 3 << 2 : 0;

	m |= f->float_mode & FACT_FTZ32 ? 0 : 3 << 4;
	m |= f->float_mode & FACT_MODE_OPEN ? OPEN : 0;
	return m | (f->float_mode & FACT_FTZ16_64 ? 0 : 3 << 6);
}

static bool meet(uint16_t *at, unsigned mode)
{
	uint16_t was = *at;

	if (mode == NONE)
		return false;
	*at = (uint16_t)(was == NONE ? mode : was == mode ? was : TWO);
	return *at != was;
}

/* One walk over all instructions; true when a block's mode changed. */
static bool walk(struct amd_lift *l, uint16_t *in_mode)
{
	bool more = false;
	unsigned mode = NONE;
	struct held h = { { 0 }, { 0 } };

	for (uint32_t i = 0; i < l->ninst; i++) {
		const struct amd_inst *in = l->place[i].in;
		uint32_t slot = l->place[i].slot, b = l->block[slot], base = slot / l->words * l->words;
		if (b) {
			more |= meet(&in_mode[b - 1], mode);
			mode = in_mode[b - 1];
			memset(h.known, 0, sizeof h.known);
		}
		l->mode[i] = (uint16_t)mode;
		hold(in, &h, mode);
		if (mode < NONE)
			mode = changed(in, &h, mode);
		if (!(in->flags & ISA_F_BRANCH))
			continue;
		uint32_t t = in->branch_target >= 0 && in->branch_target < l->ctx->exec_size ?
			l->block[base + (uint32_t)in->branch_target / 4] : 0;
		if (lift_rows[in->op].fn != lift_s_endpgm && t)
			more |= meet(&in_mode[t - 1], mode);
		if (in->flags & ISA_F_END)
			mode = NONE;
	}
	return more;
}

static void find_modes(struct amd_lift *l)
{
	l->mode = arena_array(l->ctx->scratch, uint16_t, l->ninst);
	uint16_t *in_mode = arena_array(l->ctx->scratch, uint16_t, l->fn->nblock);
	for (uint32_t b = 0; b < l->fn->nblock; b++)
		in_mode[b] = l->reach->indirect ? TWO : NONE; /* modes are not followed through calls */
	uint32_t first = l->block[l->ctx->entry / 4];
	if (first)
		meet(&in_mode[first - 1], entry_mode(l->facts));
	for (unsigned turn = 1; walk(l, in_mode); turn++) /* one or two for each loop around another */
		if (turn == MAX_TURNS) {
			lift_refuse(l, "float mode over too many branches back");
			return;
		}
}

uint32_t lift_float_mode(struct amd_lift *l)
{
	if (!l->mode_changes)
		return l->facts->float_mode;
	if (!l->mode)
		find_modes(l);
	unsigned m = l->mode[l->at], r16 = m >> 2 & 3, d32 = m >> 4 & 3, d16 = m >> 6 & 3;
	if (m >= NONE)
		lift_refuse(l, "float mode that depends on the path");
	else if ((m & 3) || (r16 && r16 != 3) || (d32 && d32 != 3) || (d16 && d16 != 3))
		lift_refuse(l, "float mode 0x%02x", m);
	return (d32 ? 0 : FACT_FTZ32) | (d16 ? 0 : FACT_FTZ16_64) | (r16 ? FACT_RTZ16_64 : 0);
}

/* The hardware registers that there is something to say about: the mode's bits above. */
void lift_s_getreg(struct amd_lift *l, const struct lift_row *r)
{
	unsigned at, field = mode_field(l->in, &at);
	ir_id v;

	(void)r;
	if (!field) {
		lift_refuse(l, "hardware register %u", l->in->simm16 & 63u);
		return;
	}
	if (!l->mode)
		find_modes(l);
	if (l->mode[l->at] & OPEN || l->mode[l->at] >= NONE) {
		lift_refuse(l, "the float mode, which is not recorded or depends on the path");
		return;
	}
	v = lift_c32(l, (l->mode[l->at] & field) >> at);
	lift_set_scalar(l, &l->in->dst[0], &v);
}
