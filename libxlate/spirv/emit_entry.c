/* emit_entry.c - the entry point and its execution modes. */
#include "emit.h"

static void mode(struct emit *e, uint32_t fn, SpvExecutionMode m)
{
	WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, (uint32_t)m);
}

static bool writes(const struct emit *e, unsigned sysval)
{
	for (uint32_t k = 0; k < e->fn->niface; k++)
		if (e->fn->iface[k].output && e->fn->iface[k].builtin == sysval && e->iface[k].var)
			return true;
	return false;
}

static bool of_width(uint32_t types, unsigned k) /* 8 << k bits */
{
	return types >> (IR_F16 - 1 + k) & 1;
}

/* Denormals are the guest's under --float strict: passes/floatmode leaves its flag where the host is to flush, which it lets
 * happen only where nothing keeps them. Hosts set 16 and 64 bits together. */
static bool denormal_mode(struct emit *e, uint32_t fn, unsigned k)
{
	unsigned other = 4 - k;

	if (e->facts->floats != FLOAT_STRICT || !of_width(e->float_ops, k))
		return false;
	if (of_width(e->flush_ops, k) && e->t->ftz_mode[k]) {
		words_capability(&e->m, SpvCapabilityDenormFlushToZero);
		WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeDenormFlushToZero, 8u << k);
		return true;
	}
	if (!e->t->preserve_mode[k] || (other != k && of_width(e->flush_ops, other)))
		return false;
	words_capability(&e->m, SpvCapabilityDenormPreserve);
	WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeDenormPreserve, 8u << k);
	return true;
}

/* NaN, infinity and the sign of zero are the guest's; conversions round to nearest even. Per width that is computed in. */
static void float_modes(struct emit *e, uint32_t fn)
{
	bool any = false;

	for (unsigned k = 1; k < 4; k++) {
		uint32_t width = 8u << k;
		if (of_width(e->float_ops, k) && e->t->nan_mode[k]) {
			words_capability(&e->m, SpvCapabilitySignedZeroInfNanPreserve);
			WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeSignedZeroInfNanPreserve, width);
			any = true;
		}
		any |= denormal_mode(e, fn, k);
		if (k == 1 && e->to_zero_op) {
			words_capability(&e->m, SpvCapabilityRoundingModeRTZ);
			WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeRoundingModeRTZ, width);
			any = true;
		}
		if (!e->round_op[k])
			continue;
		emit_need(e, e->t->rte_mode[k], SpvCapabilityRoundingModeRTE, "shaderRoundingModeRTE for narrowing conversions");
		WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeRoundingModeRTE, width);
		any = true;
	}
	if (any && e->t->spirv < 0x00010400)
		words_extension(&e->m, "SPV_KHR_float_controls");
}

void emit_modes(struct emit *e, uint32_t fn)
{
	const uint32_t *w = e->fn->workgroup;

	float_modes(e, fn);
	if (e->fn->stage == STAGE_COMPUTE) {
		if (!w[0] || !w[1] || !w[2])
			emit_refuse(e, DIAG_FACT, "the workgroup size is not known");
		WORDS_PUT(&e->m, SEC_MODE, SpvOpExecutionMode, fn, SpvExecutionModeLocalSize, w[0], w[1], w[2]);
	}
	if (e->captures)
		mode(e, fn, SpvExecutionModeXfb);
	if (e->fn->stage != STAGE_FRAGMENT)
		return;
	mode(e, fn, SpvExecutionModeOriginUpperLeft);
	if (e->opt.early_tests)
		mode(e, fn, SpvExecutionModeEarlyFragmentTests);
	if (writes(e, SYSVAL_frag_depth))
		mode(e, fn, SpvExecutionModeDepthReplacing);
	if (writes(e, SYSVAL_frag_stencil))
		mode(e, fn, SpvExecutionModeStencilRefReplacingEXT);
}

void emit_entry_point(struct emit *e, uint32_t fn)
{
	uint32_t w[2];

	switch (e->fn->stage) {
	case STAGE_VERTEX: w[0] = SpvExecutionModelVertex; break;
	case STAGE_FRAGMENT: w[0] = SpvExecutionModelFragment; break;
	case STAGE_COMPUTE: w[0] = SpvExecutionModelGLCompute; break;
	default:
		w[0] = SpvExecutionModelGLCompute;
		emit_refuse(e, DIAG_STAGE, "stage %u is not emitted", e->fn->stage);
	}
	w[1] = fn;
	words_string(&e->m, SEC_ENTRY, SpvOpEntryPoint, w, 2, "main", e->entry_var, e->nentry_var);
}
