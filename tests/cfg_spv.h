/* cfg_spv.h - the bare control flow of a structured function as a SPIR-V module, for the validator: labels, merges and branches
 * on undefined values, nothing else. Small on purpose: it shares no code with the emitter. */
#ifndef XL_CFG_SPV_H
#define XL_CFG_SPV_H

#include "../ir/ir.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>
#include <string.h>

struct cfg_words { uint32_t *w; size_t n, cap; };

static void cfg_word(struct cfg_words *o, uint32_t v)
{
	if (o->n == o->cap) {
		o->cap = o->cap ? o->cap * 2 : 1024;
		o->w = realloc(o->w, o->cap * sizeof *o->w);
		if (!o->w)
			abort();
	}
	o->w[o->n++] = v;
}

static void cfg_op(struct cfg_words *o, uint32_t op, uint32_t n, const uint32_t *words)
{
	cfg_word(o, (n + 1) << 16 | op);
	for (uint32_t i = 0; i < n; i++)
		cfg_word(o, words[i]);
}
#define CFG_OP(o, op, ...) cfg_op(o, op, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })

/* Ids: 1 main, 2 void, 3 function type, 4 bool, 5 int, 6 undefined bool, 7 undefined int, 8 + block */
static void cfg_block(struct cfg_words *o, const struct ir_fn *fn, uint32_t b)
{
	const struct ir_block *bl = &fn->block[b];

	CFG_OP(o, 248, b + 8); /* OpLabel */
	if (bl->merge == MERGE_LOOP)
		CFG_OP(o, 246, bl->merge_block + 8, bl->continue_block + 8, 0); /* OpLoopMerge */
	else if (bl->merge == MERGE_SELECTION)
		CFG_OP(o, 247, bl->merge_block + 8, 0); /* OpSelectionMerge */
	switch (fn->inst[bl->last].op) {
	case IR_br:
		CFG_OP(o, 249, bl->succ[0] + 8);
		break;
	case IR_brc:
		CFG_OP(o, 250, 6, bl->succ[0] + 8, bl->succ[1] + 8);
		break;
	case IR_sw:
		cfg_word(o, (2 * bl->nsucc + 1) << 16 | 251); /* OpSwitch */
		cfg_word(o, 7);
		cfg_word(o, bl->succ[bl->nsucc - 1] + 8);
		for (uint32_t k = 0; k + 1 < bl->nsucc; k++) {
			cfg_word(o, (uint32_t)bl->cases[k]);
			cfg_word(o, bl->succ[k] + 8);
		}
		break;
	case IR_ret:
		cfg_op(o, 253, 0, NULL);
		break;
	default:
		cfg_op(o, 255, 0, NULL);
	}
}

/* NULL when SPIRV-Tools accepts the control flow, else its message (static buffer). */
static const char *cfg_validate(spv_context context, const struct ir_fn *fn)
{
	static char message[300];
	struct cfg_words o = { 0 };
	spv_diagnostic diag = NULL;
	const uint32_t main_name = 'm' | 'a' << 8 | 'i' << 16 | (uint32_t)'n' << 24;

	cfg_word(&o, 0x07230203);
	cfg_word(&o, 0x00010500);
	cfg_word(&o, 0);
	cfg_word(&o, fn->nblock + 8);
	cfg_word(&o, 0);
	CFG_OP(&o, 17, 1);                      /* OpCapability Shader */
	CFG_OP(&o, 14, 0, 1);                   /* OpMemoryModel Logical GLSL450 */
	CFG_OP(&o, 15, 5, 1, main_name, 0);     /* OpEntryPoint GLCompute */
	CFG_OP(&o, 16, 1, 17, 1, 1, 1);         /* OpExecutionMode LocalSize */
	CFG_OP(&o, 19, 2);
	CFG_OP(&o, 33, 3, 2);
	CFG_OP(&o, 20, 4);
	CFG_OP(&o, 21, 5, 32, 0);
	CFG_OP(&o, 1, 4, 6);
	CFG_OP(&o, 1, 5, 7);
	CFG_OP(&o, 54, 2, 1, 0, 3);
	for (uint32_t i = 0; i < fn->norder; i++)
		cfg_block(&o, fn, fn->order[i]);
	cfg_op(&o, 56, 0, NULL);
	spv_const_binary_t binary = { o.w, o.n };
	spv_result_t r = spvValidate(context, &binary, &diag);
	snprintf(message, sizeof message, "spirv-val: %s", diag && diag->error ? diag->error : "rejected");
	spvDiagnosticDestroy(diag);
	free(o.w);
	return r == SPV_SUCCESS ? NULL : message;
}

#endif
