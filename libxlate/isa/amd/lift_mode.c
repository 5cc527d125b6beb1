/* lift_mode.c - the float mode at each instruction, where a program changes it.
 *
 * MODE bits 1:0 round 32-bit floats, 3:2 16- and 64-bit ones (0 nearest even, 3 to zero), 5:4 and 7:6 say the same of
 * denormals (0 flush, 3 keep). Changes to constants are followed through the blocks; float instructions that two modes
 * reach, or one that the IR has no form for, are refused.
 */
#include "lift_amd.h"

enum { NONE = 0xfffe, TWO = 0xffff, HWREG_MODE = 1 };

/* Does the instruction change the mode? *clear, *set: bits. */
static bool changes(const struct amd_inst *in, unsigned *clear, unsigned *set)
{
	unsigned id = in->simm16 & 63, at = in->simm16 >> 6 & 31, n = (in->simm16 >> 11 & 31) + 1u;

	*set = in->simm16 & 15;
	switch (in->op) {
	case AMD_s_round_mode_SOPP:
		*clear = 15;
		return true;
	case AMD_s_denorm_mode_SOPP:
		*clear = 15 << 4;
		*set <<= 4;
		return true;
	case AMD_s_setreg_imm32_b32_SOPK:
		if (id != HWREG_MODE || at + n > 8)
			return false;
		*clear = ((1u << n) - 1) << at;
		*set = in->literal << at & *clear;
		return true;
	default:
		return false;
	}
}

bool lift_is_mode_change(const struct amd_inst *in)
{
	unsigned a, b;

	return changes(in, &a, &b);
}

static unsigned entry_mode(const struct facts *f)
{
	unsigned m = f->float_mode & FACT_RTZ16_64 ? 3 << 2 : 0;

	m |= f->float_mode & FACT_FTZ32 ? 0 : 3 << 4;
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
	unsigned mode = NONE, clear, set;

	for (uint32_t i = 0; i < l->ninst; i++) {
		const struct amd_inst *in = l->place[i].in;
		uint32_t slot = l->place[i].slot, b = l->block[slot], base = slot / l->words * l->words;
		if (b) {
			more |= meet(&in_mode[b - 1], mode);
			mode = in_mode[b - 1];
		}
		l->mode[i] = (uint16_t)mode;
		if (mode < NONE && changes(in, &clear, &set))
			mode = (mode & ~clear) | set;
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
	while (walk(l, in_mode))
		;
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
