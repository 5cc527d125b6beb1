/* emit_flow.c - blocks in structured order, phis, merges; guards around masked effects.
 *
 * A guard splits the block that it stands in, so the label that a phi names for a predecessor is known only at the end:
 * phi operands are patched then. A loop header that needs guards hands its instructions to a block behind the merge.
 */
#include "emit.h"

uint32_t emit_new_label(struct emit *e, uint32_t label)
{
	E_STMT(e, Label, label);
	e->cur_label = label;
	return label;
}

bool emit_guard_begin(struct emit *e, ir_id mask, struct emit_guard *g)
{
	uint32_t then, cond;

	if (emit_mask_true(e, mask))
		return false;
	cond = emit_get(e, mask);
	then = words_id(&e->m);
	g->merge = words_id(&e->m);
	g->from = e->cur_label;
	E_STMT(e, SelectionMerge, g->merge, 0);
	E_STMT(e, BranchConditional, cond, then, g->merge);
	emit_new_label(e, then);
	return true;
}

void emit_guard_end(struct emit *e, const struct emit_guard *g, uint32_t type, uint32_t *value)
{
	uint32_t from = e->cur_label;

	E_STMT(e, Branch, g->merge);
	emit_new_label(e, g->merge);
	if (value) { /* nobody reads the result where the mask is clear */
		uint32_t undef = words_const(&e->m, SpvOpUndef, type, NULL, 0);
		*value = E_OP(e, Phi, type, *value, from, undef, g->from);
	}
}

/* Does block `from` branch to `to` more than once? */
static bool twice(const struct ir_fn *fn, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &fn->block[from];
	uint32_t n = 0;

	for (uint32_t k = 0; k < b->nsucc; k++)
		n += b->succ[k] == to;
	return n > 1;
}

/* Values and labels are filled in by emit_phis_finish: until then, the operand's number and the predecessor stand there. */
static void put_phi(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const struct ir_block *b = &e->fn->block[i->block];
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t *w, *p, type, n = ir_nargs(e->fn, id);
	size_t at = e->m.sec[SEC_BODY].n;

	if (ir_base(i->type) == IR_RES) {
		emit_refuse(e, DIAG_DESCRIPTOR, "a choice between resources");
		return;
	}
	if (n > b->npred)
		n = b->npred;
	type = emit_type(e, i->type);
	w = words_room(&e->m, SEC_BODY, 3 + 2 * (size_t)n);
	p = w + 3;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t j = k;
		if (twice(e->fn, b->pred[k], i->block)) /* the first of its edges, else this one */
			for (j = 0; b->pred[j] != b->pred[k]; j++)
				;
		if (arg[j] != arg[k])
			emit_refuse(e, DIAG_IRREDUCIBLE, "two edges of one branch bring different values");
		if (j < k || e->fn->block[b->pred[k]].dead) /* two edges of one branch: one entry */
			continue;
		*p++ = k;
		*p++ = b->pred[k];
	}
	w[0] = words_head(&e->m, SpvOpPhi, (size_t)(p - w));
	w[1] = type;
	w[2] = e->val[id] = words_id(&e->m);
	e->m.sec[SEC_BODY].n = at + (size_t)(p - w);
	e->phi = arena_grow_raw(e->arena, e->phi, e->nphi, &e->phi_cap, e->nphi + 1, sizeof *e->phi);
	e->phi[e->nphi++] = (struct emit_phi){at, id};
}

void emit_phis_finish(struct emit *e)
{
	for (size_t k = 0; k < e->nphi; k++) {
		const ir_id *arg = ir_args(e->fn, e->phi[k].phi);
		uint32_t n = e->m.sec[SEC_BODY].w[e->phi[k].at] >> 16;
		for (size_t at = e->phi[k].at + 3; at < e->phi[k].at + n; at += 2) {
			/* A constant, or a refusal: nothing is added to the body for a wanted value. */
			uint32_t id = emit_get(e, arg[e->m.sec[SEC_BODY].w[at]]), *w = e->m.sec[SEC_BODY].w + at;
			w[0] = id;
			w[1] = e->label_out[w[1]];
		}
	}
}

/* May the instruction be emitted as more than one block? */
static bool splits(const struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);

	if (!(ir_ops[i->op].fx & FX_MASK) || !emit_live(e, id))
		return false;
	switch (i->op) {
	case IR_atbuf: case IR_atshared: case IR_iatomic: case IR_demote: return true;
	case IR_stbuf: return !emit_mask_true(e, arg[0]) || ir_bits(emit_inst(e, arg[4])->type) < 32;
	case IR_stshared: return emit_has_wide(e) || !emit_mask_true(e, arg[0]) || ir_bits(emit_inst(e, arg[2])->type) < 32;
	default: return !emit_mask_true(e, arg[0]);
	}
}

static bool needs_guard(const struct emit *e, uint32_t b)
{
	struct ir_fn *fn = e->fn;

	ir_for_insts(fn, b, id)
		if (splits(e, id))
			return true;
	return false;
}

/* The guest's compiler has unrolled what it found worth it; a host that did more would make ten times the code of some
 * programs. */
static void merge_inst(struct emit *e, const struct ir_block *b)
{
	if (b->merge == MERGE_LOOP)
		E_STMT(e, LoopMerge, e->label[b->merge_block], e->label[b->continue_block], SpvLoopControlDontUnrollMask);
	else if (b->merge == MERGE_SELECTION)
		E_STMT(e, SelectionMerge, e->label[b->merge_block], 0);
}

static void put_switch(struct emit *e, const struct ir_block *b, uint32_t value, bool wide)
{
	uint32_t n = b->nsucc - 1, *w = arena_array(e->arena, uint32_t, 2 + n * 3), k = 0;

	if (b->nsucc > 15000) {
		emit_refuse(e, DIAG_TOO_LARGE, "a switch of %u cases", n);
		return;
	}
	w[k++] = value;
	w[k++] = e->label[b->succ[n]];
	for (uint32_t c = 0; c < n; c++) {
		w[k++] = (uint32_t)b->cases[c];
		if (wide)
			w[k++] = (uint32_t)(b->cases[c] >> 32);
		w[k++] = e->label[b->succ[c]];
	}
	emit_stmt(e, SpvOpSwitch, w, k);
}

static void terminator(struct emit *e, uint32_t bi, bool merged)
{
	const struct ir_block *b = &e->fn->block[bi];
	const struct ir_inst *i = emit_inst(e, b->last);
	uint32_t v = 0;

	if (i->op == IR_brc || i->op == IR_sw)
		v = emit_get(e, i->a[0]);
	e->label_out[bi] = e->cur_label;
	if (!merged)
		merge_inst(e, b);
	switch (i->op) {
	case IR_br: E_STMT(e, Branch, e->label[b->succ[0]]); break;
	case IR_brc:
		if (b->succ[0] == b->succ[1] && b->merge != MERGE_LOOP)
			E_STMT(e, Branch, e->label[b->succ[0]]);
		else
			E_STMT(e, BranchConditional, v, e->label[b->succ[0]], e->label[b->succ[1]]);
		break;
	case IR_sw: put_switch(e, b, v, ir_base(emit_inst(e, i->a[0])->type) == IR_I64); break;
	case IR_ret: emit_stmt(e, emit_ends(e, i->prev) ? SpvOpKill : SpvOpReturn, NULL, 0); break;
	default: emit_stmt(e, SpvOpUnreachable, NULL, 0); break;
	}
}

static void debug_line(struct emit *e, const struct ir_inst *i)
{
	if (!e->opt.debug || i->addr == DIAG_NO_ADDR || i->addr == e->line)
		return;
	e->line = i->addr;
	E_STMT(e, Line, e->file, i->addr, 0);
}

/* Arithmetic whose denormals the host is to flush; flags of what comes from other lanes say nothing. */
static __attribute__((noinline)) void note_flush(struct emit *e, ir_id id)
{
	if (!(ir_ops[emit_inst(e, id)->op].fx & FX_CROSS))
		e->flush_ops |= 1u << ir_base(emit_inst(e, ir_args(e->fn, id)[0])->type);
}

static inline void inst(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);


	e->addr = i->addr;
	debug_line(e, i);
	if (i->flags & e->flush_flag)
		note_flush(e, id);
	emit_by_op[i->op](e, id);
}

void emit_block(struct emit *e, uint32_t b)
{
	struct ir_fn *fn = e->fn;
	const struct ir_inst *all = e->inst;
	const ir_id *end = e->live + e->live_from[b], *at = e->live + e->live_to[b];
	bool merged = fn->block[b].merge == MERGE_LOOP && needs_guard(e, b);

	e->block = b;
	if (e->label[b] != e->entry_label)
		emit_new_label(e, e->label[b]);
	for (; at > end && all[at[-1]].op == IR_phi; at--)
		put_phi(e, at[-1]);
	if (merged) {
		uint32_t body = words_id(&e->m);
		merge_inst(e, &fn->block[b]);
		E_STMT(e, Branch, body);
		emit_new_label(e, body);
	}
	end += at > end && ir_ops[all[*end].op].fx & FX_TERM; /* which has to wait */
	for (; at > end; at--)
		inst(e, at[-1]);
	if (!fn->block[b].last || !(ir_ops[fn->inst[fn->block[b].last].op].fx & FX_TERM)) {
		emit_refuse(e, DIAG_VERIFY, "block %u has no terminator", b);
		emit_stmt(e, SpvOpUnreachable, NULL, 0);
		return;
	}
	e->addr = fn->inst[fn->block[b].last].addr;
	terminator(e, b, merged);
}
