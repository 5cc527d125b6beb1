/* emit_helper.c - functions beside the entry point: emulated float operations, where every use by itself would be a page of words.
 * Drivers inline them; the module stays small. All arguments and the result have one type. */
#include "emit.h"

static uint32_t make(struct emit *e, ir_type t, emit_helper_fn *body, unsigned n)
{
	uint32_t type = emit_type(e, t), w[4] = {type, type, type, type}, id = words_id(&e->m), param[3], v;
	uint32_t fn = words_type(&e->m, SpvOpTypeFunction, w, n + 1);

	WORDS_PUT(&e->m, SEC_HELPER, SpvOpFunction, type, id, SpvFunctionControlMaskNone, fn);
	for (unsigned k = 0; k < n; k++) {
		param[k] = words_id(&e->m);
		WORDS_PUT(&e->m, SEC_HELPER, SpvOpFunctionParameter, type, param[k]);
	}
	WORDS_PUT(&e->m, SEC_HELPER, SpvOpLabel, words_id(&e->m));
	enum words_section outer = e->to;
	e->to = SEC_HELPER;
	v = body(e, t, param);
	e->to = outer;
	WORDS_PUT(&e->m, SEC_HELPER, SpvOpReturnValue, v);
	words_put(&e->m, SEC_HELPER, SpvOpFunctionEnd, NULL, 0);
	return id;
}

uint32_t emit_helper_call(struct emit *e, enum emit_helper h, ir_type t, emit_helper_fn *body, const uint32_t *args, unsigned n)
{
	uint32_t *id = &e->helper[h][ir_bits(t) == 16 ? 1 : ir_bits(t) == 64 ? 3 : 2], w[4] = {0};

	if (!*id)
		*id = make(e, t, body, n);
	w[0] = *id;
	for (unsigned k = 0; k < n; k++)
		w[k + 1] = args[k];
	return emit_op(e, SpvOpFunctionCall, emit_type(e, t), w, n + 1);
}
