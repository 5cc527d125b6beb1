/* lift_shared.c - gfx10, waves of 64: vector registers that the two halves of a wave share.
 *
 * A wave of 64 goes through the 32 lanes of the hardware twice, first with its lower half. Registers from a number on (behind
 * those of rsrc1; rsrc3 says how many) exist once for both passes: lane i and lane i + 32 see the same word. Compilers move
 * values between the halves by them, which no other instruction of that generation does. Here each lane keeps its view of the
 * word, so a write reaches the other lane's view as well; where both lanes write, the upper one is the last.
 *
 * Passes matter where an instruction reads what it writes: the upper half would see what the lower one wrote. And results of
 * memory and LDS instructions come when they come. Both are refused, unless EXEC was just set to one half.
 */
#include "lift_amd.h"

static bool is_valu(const struct amd_inst *in)
{
	return in->enc == AMD_ENC_VOP1 || in->enc == AMD_ENC_VOP2 || in->enc == AMD_ENC_VOP3 || in->enc == AMD_ENC_VOP3P;
}

/* Is EXEC one half of the wave, or less? s_bfm_b64 exec, 32, 0 or 32 says so, with nothing behind it that could write EXEC. What was
 * answered last is not looked through again: a block may write such registers in each of its instructions. */
static bool half_exec(struct amd_lift *l)
{
	bool half = false;

	for (uint32_t at = l->at; at-- > 0 && !l->block[l->place[at + 1].slot];) {
		const struct amd_inst *in = l->place[at].in;
		if (at + 1 == l->half.at) {
			half = l->half.yes;
			break;
		}
		if (lift_rows[in->op].fn == lift_s_bfm && lift_regno(&in->dst[0]) == 126 && in->dst[0].dwords == 2) {
			half = in->src[0].kind == AMD_K_INT && in->src[1].kind == AMD_K_INT && in->src[0].value == 32 &&
			       (in->src[1].value == 0 || in->src[1].value == 32);
			break;
		}
		if (!(is_valu(in) && !(in->flags & AMD_F_CMPX)) && in->enc != AMD_ENC_DS && in->enc != AMD_ENC_SOPP)
			break;
	}
	l->half.at = l->at;
	l->half.yes = half;
	return half;
}

/* Write `v` to shared register n where `mask` is set. */
ir_id lift_shared_write(struct amd_lift *l, ir_id mask, ir_id v, ir_id old)
{
	if ((!is_valu(l->in) || l->shared_read) && !half_exec(l)) {
		lift_refuse(l, "a register that both halves of the wave share, in an order that is not known");
		return v;
	}
	ir_id lane = lift_lane(l), other = ik(l, IR_ixor, lane, 32), yes = lift_bool(l, true);
	ir_id on = op3(l, IR_shuffle, IR_B1, yes, mask, other), w = op3(l, IR_shuffle, IR_I32, yes, v, other);
	ir_id last = op3(l, IR_select, IR_I32, mask, v, op3(l, IR_select, IR_I32, on, w, old)); /* an upper lane's view */
	ir_id first = op3(l, IR_select, IR_I32, on, w, op3(l, IR_select, IR_I32, mask, v, old));
	return op3(l, IR_select, IR_I32, b2(l, IR_ule, lift_c32(l, 32), lane), last, first);
}
