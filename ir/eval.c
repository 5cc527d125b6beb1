/* Evaluator: scheduling of lanes, waves and barriers. */
#include "eval_wave.h"

#include <string.h>

static const uint32_t done = UINT32_MAX;

static unsigned words_of(ir_type t)
{
	return t == IR_RES ? 2 : ir_elems(t);
}

uint64_t *eval_value(struct wave *w, ir_id id, unsigned lane)
{
	const struct ir_inst *in = &w->e->fn->inst[id];

	return w->value + w->e->slot[id] + (size_t)lane * words_of(in->type);
}

void eval_undef(const struct wave *w, ir_id id, uint64_t *to)
{
	ir_type t = w->e->fn->inst[id].type;
	unsigned bits = ir_bits(t);

	for (unsigned k = 0; k < words_of(t); k++)
		to[k] = bits && bits < 64 ? w->e->o->undef & ((1ull << bits) - 1) : bits ? w->e->o->undef : 0;
}

/* ---- control */
static uint32_t pred_index(const struct ir_fn *fn, uint32_t from, uint32_t succ_index)
{
	uint32_t to = fn->block[from].succ[succ_index], skip = 0, k = 0;

	for (uint32_t i = 0; i < succ_index; i++)
		skip += fn->block[from].succ[i] == to;
	for (;; k++)
		if (fn->block[to].pred[k] == from && !skip--)
			return k;
}

static void leave(struct wave *w, uint32_t b, ir_id term)
{
	const struct ir_fn *fn = w->e->fn;
	const struct ir_inst *in = &fn->inst[term];
	const struct ir_block *bl = &fn->block[b];

	for (unsigned lane = 0; lane < w->lanes; lane++) {
		if (!(w->active >> lane & 1))
			continue;
		uint32_t k = 0;
		if (in->op == IR_ret || in->op == IR_unreachable) {
			w->pos[lane] = done;
			continue;
		}
		if (in->op == IR_brc)
			k = *eval_value(w, in->a[0], lane) & 1 ? 0 : 1;
		if (in->op == IR_sw)
			for (uint64_t v = *eval_value(w, in->a[0], lane); k + 1 < bl->nsucc && bl->cases[k] != v;)
				k++;
		eval_go(w, lane, w->e->at[bl->succ[k]]);
		w->from[lane] = pred_index(fn, b, k);
	}
}

/* All phis of a block read their operands before any is written. Returns the first instruction after them. */
static ir_id phis(struct wave *w, uint32_t b)
{
	const struct ir_fn *fn = w->e->fn;
	ir_id first = fn->block[b].first, end = first, id;
	size_t n = 0;

	for (; end && fn->inst[end].op == IR_phi; end = fn->inst[end].next)
		n++;
	w->phi_copy = arena_grow(w->e->o->arena, w->phi_copy, 0, &w->phi_cap, n * 4, sizeof *w->phi_copy);
	for (unsigned lane = 0; n && lane < w->lanes; lane++) {
		if (!(w->active >> lane & 1))
			continue;
		uint64_t *copy = w->phi_copy;
		for (id = first; id != end; id = fn->inst[id].next, copy += 4) {
			const struct ir_inst *in = &fn->inst[id];
			const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;
			memcpy(copy, eval_value(w, args[w->from[lane]], lane), words_of(in->type) * sizeof *copy);
		}
		copy = w->phi_copy;
		for (id = first; id != end; id = fn->inst[id].next, copy += 4)
			memcpy(eval_value(w, id, lane), copy, words_of(fn->inst[id].type) * sizeof *copy);
	}
	return end;
}

/* Runs until a barrier, the end, or an error. */
static enum eval_result run_wave(struct wave *w)
{
	const struct ir_fn *fn = w->e->fn;
	uint64_t limit = w->e->o->max_steps ? w->e->o->max_steps : 1ull << 30;

	for (;;) {
		ir_id id = w->next;
		if (!id) {
			uint32_t first = eval_first(w);
			if (first == done)
				return EVAL_OK;
			w->active = 0;
			for (unsigned lane = 0; lane < w->lanes; lane++)
				if (w->pos[lane] == first)
					w->active |= 1ull << lane;
			id = phis(w, w->e->block_at[first]);
		}
		w->next = 0;
		w->at_barrier = false;
		for (; id; id = fn->inst[id].next) {
			const struct ir_inst *in = &fn->inst[id];
			w->e->steps += (uint64_t)__builtin_popcountll(w->active);
			if (w->e->steps > limit) {
				w->e->why = "step limit reached";
				return EVAL_STEPS;
			}
			if (in->op == IR_barrier) {
				w->next = in->next;
				w->at_barrier = true;
				return EVAL_OK;
			}
			if (ir_ops[in->op].fx & FX_TERM)
				leave(w, in->block, id);
			else if (!eval_inst(w, id))
				return EVAL_REFUSED;
		}
	}
}

/* ---- set-up */
static void layout(struct eval *e)
{
	const struct ir_fn *fn = e->fn;
	struct arena *a = e->o->arena;

	e->at = arena_array(a, uint32_t, fn->nblock + (size_t)1);
	e->block_at = arena_array(a, uint32_t, fn->nblock + (size_t)1);
	for (uint32_t b = 0; b < fn->nblock; b++)
		e->at[b] = fn->norder ? fn->block[b].rpo : b;
	/* blocks that the order lacks come last, by number */
	uint32_t next = fn->norder;
	for (uint32_t i = 0; i < fn->norder; i++)
		e->at[fn->order[i]] = i;
	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->norder && (e->at[b] >= fn->norder || fn->order[e->at[b]] != b))
			e->at[b] = next++;
		e->block_at[e->at[b]] = b;
	}
	e->slot = arena_array(a, uint32_t, fn->ninst + (size_t)1);
	for (ir_id id = 0; id < fn->ninst; id++) {
		e->slot[id] = (uint32_t)e->words;
		e->words += (size_t)e->width * words_of(fn->inst[id].type);
	}
}

static void wave_init(struct wave *w, struct eval *e, uint32_t base, uint32_t total)
{
	const struct ir_fn *fn = e->fn;
	struct arena *a = e->o->arena;

	w->e = e;
	w->base = base;
	w->lanes = total - base < e->width ? total - base : e->width;
	w->demoted = e->o->helpers;
	w->value = arena_array(a, uint64_t, e->words + 1);
	w->marker = arena_array(a, uint64_t, (size_t)fn->nmarker * e->width + 1);
	w->turn = arena_array(a, uint32_t, (size_t)e->nloop * e->width + 1);
	w->scratch = arena_alloc(a, (size_t)fn->scratch_bytes * e->width + 1);
	for (ir_id id = 1; id < fn->ninst; id++)
		if (fn->inst[id].op == IR_const)
			for (unsigned lane = 0; lane < e->width; lane++)
				*eval_value(w, id, lane) = fn->inst[id].imm;
		else if (fn->inst[id].op == IR_undef)
			for (unsigned lane = 0; lane < e->width; lane++)
				eval_undef(w, id, eval_value(w, id, lane));
	for (unsigned lane = 0; lane < w->lanes; lane++)
		w->pos[lane] = e->at[fn->entry];
}

enum eval_result eval_run(const struct ir_fn *fn, const struct eval_options *o, const char **why)
{
	struct eval e = { .fn = fn, .o = o, .width = fn->wave == 64 ? 64 : 32 };
	uint32_t total = o->invocations;
	enum eval_result r = EVAL_OK;
	bool more = true;

	if (!total)
		total = fn->workgroup[0] * (fn->workgroup[1] ? fn->workgroup[1] : 1) * (fn->workgroup[2] ? fn->workgroup[2] : 1);
	if (!total)
		total = 1;
	layout(&e);
	if (!o->in_order)
		eval_find_loops(&e);
	e.shared = arena_alloc(o->arena, fn->shared_bytes + (size_t)1);
	uint32_t n = (total + e.width - 1) / e.width;
	struct wave *waves = arena_array(o->arena, struct wave, n);
	for (uint32_t i = 0; i < n; i++)
		wave_init(&waves[i], &e, i * e.width, total);
	/* Every wave runs to its next barrier; once all stand at one (or have ended), all go on. */
	while (more && r == EVAL_OK) {
		more = false;
		for (uint32_t i = 0; i < n && r == EVAL_OK; i++) {
			r = run_wave(&waves[i]);
			more |= waves[i].next != 0;
		}
	}
	if (why)
		*why = r == EVAL_OK ? NULL : e.why ? e.why : "refused";
	return r;
}
