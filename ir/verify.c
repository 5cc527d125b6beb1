/* Verifier: every rule that holds at this point, on any graph that the data structure can hold. Nothing is changed. */
#include "verify.h"

#include <stdarg.h>
#include <string.h>

void verify_fail(struct verify *v, const char *rule, uint32_t block, ir_id id, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	if (v->error)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	const struct ir_fn *fn = v->fn;
	char at[32] = "";
	uint32_t addr = id ? fn->inst[id].addr : block < fn->nblock ? fn->block[block].addr : DIAG_NO_ADDR;
	if (addr != DIAG_NO_ADDR)
		snprintf(at, sizeof at, " (guest 0x%x)", addr);
	if (id)
		v->error = arena_printf(v->scratch, "[%s] block %u, %s %u%s: %s", rule, block, ir_ops[fn->inst[id].op].name, id, at,
		                        text);
	else
		v->error = arena_printf(v->scratch, "[%s] block %u%s: %s", rule, block, at, text);
}

/* ---- graph: lists, terminators, edges */
static void check_links(struct verify *v, uint32_t b)
{
	const struct ir_fn *fn = v->fn;
	ir_id prev = 0;
	bool phis = true;

	for (ir_id id = fn->block[b].first; id; id = fn->inst[id].next) {
		const struct ir_inst *in = &fn->inst[id];
		if (in->block != b || in->prev != prev || v->pos[id]) {
			verify_fail(v, "list", b, id, "the block's instruction list is damaged");
			return;
		}
		v->pos[id] = ++v->count;
		if (in->op >= IR_OP_COUNT || in->op == IR_nop || in->op == IR_const || in->op == IR_undef)
			verify_fail(v, "list", b, 0, "instruction %u of op %u cannot stand in a block", id, in->op);
		else if (!fn->has[in->op])
			verify_fail(v, "list", b, id, "the function does not know that it has this op");
		else if ((ir_ops[in->op].fx & FX_TERM) && in->next)
			verify_fail(v, "terminator", b, id, "a terminator before the end of its block");
		else if (in->op == IR_phi && !phis)
			verify_fail(v, "phi", b, id, "a phi after other instructions");
		if (v->error)
			return;
		phis = in->op == IR_phi;
		prev = id;
	}
	if (prev != fn->block[b].last)
		verify_fail(v, "list", b, 0, "the block's last instruction is not the end of its list");
	else if (!prev || !(ir_ops[fn->inst[prev].op].fx & FX_TERM))
		verify_fail(v, "terminator", b, prev, "the block does not end in a terminator");
}

static void check_terminator(struct verify *v, uint32_t b)
{
	const struct ir_block *bl = &v->fn->block[b];
	unsigned op = v->fn->inst[bl->last].op;
	bool fine = op == IR_br ? bl->nsucc == 1 : op == IR_brc ? bl->nsucc == 2 : op == IR_sw ? bl->nsucc >= 1 : !bl->nsucc;

	if (!fine)
		verify_fail(v, "terminator", b, bl->last, "%u successors", bl->nsucc);
	for (uint32_t k = 0; k < bl->nsucc; k++)
		if (bl->succ[k] >= v->fn->nblock || v->fn->block[bl->succ[k]].dead)
			verify_fail(v, "edge", b, 0, "successor %u does not exist", k);
	if (op == IR_sw && bl->nsucc > 1 && !bl->cases)
		verify_fail(v, "terminator", b, bl->last, "no case values");
}

/* The pred lists are the succ lists turned round, as multisets. */
static void check_edges(struct verify *v)
{
	const struct ir_fn *fn = v->fn;
	uint32_t *off = arena_array(v->scratch, uint32_t, fn->nblock + (size_t)2), *count;
	size_t edges = 0;

	for (uint32_t b = 0; b < fn->nblock; b++)
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++, edges++)
			off[fn->block[b].succ[k] + 2]++;
	for (uint32_t b = 0; b < fn->nblock; b++)
		off[b + 2] += off[b + 1];
	uint32_t *from = arena_array(v->scratch, uint32_t, edges + 1);
	for (uint32_t b = 0; b < fn->nblock; b++)
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++)
			from[off[fn->block[b].succ[k] + 1]++] = b;
	count = arena_array(v->scratch, uint32_t, fn->nblock + (size_t)1);
	for (uint32_t b = 0; b < fn->nblock && !v->error; b++) {
		const struct ir_block *bl = &fn->block[b];
		bool fine = bl->npred == off[b + 1] - off[b];
		for (uint32_t k = off[b]; k < off[b + 1]; k++)
			count[from[k]]++;
		for (uint32_t k = 0; fine && k < bl->npred; k++)
			fine = bl->pred[k] < fn->nblock && count[bl->pred[k]]-- > 0;
		for (uint32_t k = off[b]; k < off[b + 1]; k++)
			count[from[k]] = 0;
		if (!fine)
			verify_fail(v, "edge", b, 0, "predecessors are not the blocks that branch here");
	}
}

/* ---- values */
static void check_dominance(struct verify *v, uint32_t b, ir_id id)
{
	const struct ir_fn *fn = v->fn;
	const struct ir_inst *in = &fn->inst[id];
	unsigned n = ir_nargs(fn, id);
	const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;

	for (unsigned i = 0; i < n; i++) {
		const struct ir_inst *def = &fn->inst[args[i]];
		if (!args[i] || def->block == IR_NO_BLOCK)
			continue;
		uint32_t use = in->op == IR_phi ? fn->block[b].pred[i] : b;
		if (v->tree.in[use] > v->tree.out[use])
			continue; /* an unreachable use */
		bool fine = def->block == use && in->op != IR_phi ? v->pos[args[i]] < v->pos[id] :
			verify_dominates(v, def->block, use);
		if (!fine) {
			verify_fail(v, "dominance", b, id, "operand %u (value %u of block %u) does not reach it", i, args[i],
			            def->block);
			return;
		}
	}
}

static void check_phi(struct verify *v, uint32_t b, ir_id id)
{
	const struct ir_block *bl = &v->fn->block[b];
	const struct ir_inst *in = &v->fn->inst[id];
	unsigned n = ir_nargs(v->fn, id);
	const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;

	if (n != bl->npred) {
		verify_fail(v, "phi", b, id, "%u operands for %u predecessors", n, bl->npred);
		return;
	}
	/* Several edges from one block: SPIR-V has one phi operand for them. `stamp` keeps the first operand per block. */
	for (unsigned i = 0; i < n; i++) {
		ir_id *first = &v->stamp[bl->pred[i]];
		if (*first && *first != args[i])
			verify_fail(v, "phi", b, id, "different values over edges from block %u", bl->pred[i]);
		*first = args[i];
	}
	for (unsigned i = 0; i < n; i++)
		v->stamp[bl->pred[i]] = 0;
}

/* ---- markers: within one guest instruction nothing is read after it was written */
static void check_marker(struct verify *v, uint32_t b, ir_id id)
{
	const struct ir_fn *fn = v->fn;
	const struct ir_inst *in = &fn->inst[id];

	if (fn->ssa) {
		verify_fail(v, "ssa", b, id, "a marker access after SSA construction");
		return;
	}
	if (in->imm >= fn->nmarker) {
		verify_fail(v, "marker", b, id, "marker %llu does not exist", (unsigned long long)in->imm);
		return;
	}
	ir_type t = fn->marker[in->imm].type;
	if (t != (in->op == IR_mget ? in->type : fn->inst[in->a[0]].type)) {
		verify_fail(v, "marker", b, id, "the type is not that of marker %llu", (unsigned long long)in->imm);
		return;
	}
	if (in->addr == DIAG_NO_ADDR)
		return;
	if (in->op == IR_mset)
		v->written[in->imm] = v->run;
	else if (v->written[in->imm] == v->run)
		verify_fail(v, "marker", b, id, "marker %llu is read after its write by the same guest instruction",
		            (unsigned long long)in->imm);
}

static void check_block(struct verify *v, uint32_t b)
{
	const struct ir_fn *fn = v->fn;
	uint32_t addr = DIAG_NO_ADDR;

	v->run++;
	ir_for_insts(fn, b, id) {
		const struct ir_inst *in = &fn->inst[id];
		if (in->addr != addr) {
			addr = in->addr;
			v->run++;
		}
		verify_types(v, b, id);
		if (!v->error && in->op == IR_phi)
			check_phi(v, b, id);
		if (!v->error && (ir_ops[in->op].fx & FX_MARKER))
			check_marker(v, b, id);
		if (!v->error)
			check_dominance(v, b, id);
		if (v->error)
			return;
	}
}

const char *ir_verify(struct ir_fn *fn, struct arena *scratch)
{
	struct verify v = { .fn = fn, .scratch = scratch };

	if (fn->entry >= fn->nblock)
		return "[graph] no entry block";
	v.pos = arena_array(scratch, uint32_t, fn->ninst + (size_t)1);
	v.stamp = arena_array(scratch, uint32_t, fn->nblock + (size_t)1);
	v.written = arena_array(scratch, uint32_t, fn->nmarker + (size_t)1);
	for (uint32_t b = 0; b < fn->nblock && !v.error; b++)
		if (!fn->block[b].dead)
			check_links(&v, b);
	for (uint32_t b = 0; b < fn->nblock && !v.error; b++)
		if (!fn->block[b].dead)
			check_terminator(&v, b);
	if (!v.error)
		check_edges(&v);
	if (!v.error && fn->structured && fn->block[fn->entry].npred)
		verify_fail(&v, "structure", fn->entry, 0, "the entry block has predecessors");
	if (v.error)
		return v.error;
	cfg_tree(fn, scratch, false, &v.tree);
	for (uint32_t b = 0; b < fn->nblock && !v.error; b++)
		if (!fn->block[b].dead)
			check_block(&v, b);
	if (!v.error && fn->structured)
		verify_structure(&v);
	return v.error;
}
