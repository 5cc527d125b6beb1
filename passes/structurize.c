/* structurize.c - any control-flow graph to SPIR-V's structured control flow.
 *
 *  0. cheap conditions on the way to the same two places become one    (structurize_cond.c); what is structured then goes on with
 *     the order of 6.                                        (structurize_plain.c)
 *  1. cycles with several entries get a dispatcher           (structurize_irreducible.c)
 *  2. loops get one way in, back and out                     (structurize_loop.c)
 *  3. sides of a branch that go on to one place join there   (structurize_join.c)
 *  4. constructs are laid over the dominator tree            (structurize_scope.c)
 *  5. branches that leave too many of them are helped        (structurize_exit.c)
 *  6. here: values whose definition no longer reaches a use go through a marker and `ssa`; merge blocks are declared; blocks
 *     are put in an order that keeps constructs together.
 *
 * Plain if, else, loops with breaks and continues, returns and short-circuit conditions come out as themselves, with no state.
 * A state (a phi of constants) appears only for irreducible cycles, loops that are left for several places, and branches out of
 * two switches at once.
 */
#include "structurize.h"

#include <string.h>

/* ---- before: plain branches, an entry that nothing goes to. True when that is a new block. */
static bool tidy(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t *keep = arena_array(s->a, uint32_t, fn->nblock);
	bool any = false;

	for (uint32_t b = 0; b < fn->nblock; b++) {
		const struct ir_block *bl = &fn->block[b];
		if (bl->dead)
			continue;
		unsigned op = fn->inst[bl->last].op;
		bool same = op == IR_brc || op == IR_sw;
		for (uint32_t k = 1; k < bl->nsucc; k++)
			same &= bl->succ[k] == bl->succ[0];
		keep[b] = same;
		any |= same;
	}
	if (any)
		cfg_keep_edges(fn, keep);
	if (!fn->block[fn->entry].npred)
		return false;
	uint32_t old = fn->entry, neu = ir_block_new(fn);
	fn->block[neu].addr = fn->block[old].addr;
	fn->at = neu;
	fn->before = 0;
	fn->flags = 0;
	fn->addr = DIAG_NO_ADDR;
	ir_br(fn, old);
	/* what a phi had at function entry was undefined */
	for (ir_id id = fn->block[old].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		ir_phi_add(fn, id, ir_undef(fn, fn->inst[id].type));
	fn->entry = neu;
	return true;
}

/* A switch's targets are its own, or its merge: others get a block in between. */
static void own_cases(struct sz *s)
{
	struct ir_fn *fn = s->fn;

	for (uint32_t b = 0, n = fn->has[IR_sw] ? fn->nblock : 0; b < n; b++) {
		if (fn->block[b].dead || fn->inst[fn->block[b].last].op != IR_sw)
			continue;
		uint32_t nsucc = fn->block[b].nsucc, *target = arena_array(s->a, uint32_t, nsucc), nt = 0;
		uint32_t *next = arena_array(s->a, uint32_t, nsucc), *first = arena_array(s->a, uint32_t, nsucc);
		/* edges chained by target: `slot` numbers the targets */
		for (uint32_t k = nsucc; k-- > 0;) {
			uint32_t t = fn->block[b].succ[k];
			if (!s->b[t].slot) {
				target[nt++] = t;
				s->b[t].slot = nt;
			}
			next[k] = first[s->b[t].slot - 1];
			first[s->b[t].slot - 1] = k + 1;
		}
		for (uint32_t i = 0; i < nt; i++)
			s->b[target[i]].slot = 0;
		struct sz_edge *e = arena_array(s->a, struct sz_edge, nsucc);
		for (uint32_t i = 0; i < nt; i++) {
			uint32_t ne = 0;
			for (uint32_t k = first[i]; k; k = next[k - 1])
				e[ne++] = (struct sz_edge){ b, k - 1 };
			if (ne < fn->block[target[i]].npred || s->b[target[i]].head != SZ_NONE) {
				uint32_t loop = s->b[b].loop, m = sz_funnel(s, e, ne);
				s->b[m].loop = loop;
			}
		}
	}
}

/* ---- after: definitions reach their uses again */
struct repair {
	struct sz *s;
	uint32_t *marker; /* per value: marker + 1 */
	uint32_t n;       /* values when it began */
};

/* In the graph as it came every use was dominated by the definition's block d. So no way from d's dominator to a use leads past d,
 * and what the marker holds at the dominator is never read: saying so keeps an old value from being carried round a loop. */
static void store(struct sz *s, uint32_t marker, ir_id value)
{
	struct ir_fn *fn = s->fn;
	ir_id at = fn->inst[value].next;
	uint32_t d = fn->inst[value].block, up = d < s->nidom ? s->idom[d] : IR_NO_BLOCK;

	while (fn->inst[at].op == IR_phi)
		at = fn->inst[at].next;
	fn->before = at;
	ir_mset(fn, marker, value);
	if (up == IR_NO_BLOCK || up == d)
		return;
	fn->before = fn->block[up].last;
	ir_mset(fn, marker, ir_undef(fn, fn->inst[value].type));
}

/* A value for the place before `at`. Handles cannot go through a phi: they are made again. */
static ir_id fetch(struct repair *r, ir_id v, ir_id at)
{
	struct ir_fn *fn = r->s->fn;

	if (fn->inst[v].type == IR_RES && fn->inst[v].op != IR_phi) {
		unsigned nargs = ir_nargs(fn, v);
		ir_id *args = arena_array(r->s->a, ir_id, nargs + (size_t)1);
		memcpy(args, ir_args(fn, v), nargs * sizeof *args);
		fn->before = at;
		ir_id neu = ir_new(fn, fn->inst[v].op, IR_RES, nargs, args);
		fn->inst[neu].sub = fn->inst[v].sub;
		fn->inst[neu].imm = fn->inst[v].imm;
		fn->inst[neu].addr = fn->inst[v].addr;
		return neu;
	}
	if (!r->marker[v]) {
		r->marker[v] = ir_marker_new(fn, fn->inst[v].type, UINT8_MAX, 0) + 1;
		store(r->s, r->marker[v] - 1, v);
	}
	fn->before = at;
	return ir_mget(fn, r->marker[v] - 1);
}

static void repair_inst(struct repair *r, uint32_t b, ir_id id)
{
	struct ir_fn *fn = r->s->fn;
	unsigned nargs = ir_nargs(fn, id);
	bool phi = fn->inst[id].op == IR_phi;

	for (unsigned k = 0; k < nargs; k++) {
		ir_id v = ir_args(fn, id)[k];
		uint32_t use = phi ? fn->block[b].pred[k] : b, def = v ? fn->inst[v].block : IR_NO_BLOCK;
		if (def == IR_NO_BLOCK || v >= r->n || cfg_dominates(fn, def, use))
			continue;
		if (!r->marker)
			r->marker = arena_array(r->s->a, uint32_t, r->n);
		ir_id got = fetch(r, v, phi ? fn->block[use].last : id);
		ir_args(fn, id)[k] = got;
		if (fn->inst[got].type == IR_RES && fn->inst[got].op != IR_mget)
			repair_inst(r, use, got); /* its operands are words: no further */
	}
}

static enum pass_result repair(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	struct repair r = { .s = s, .n = fn->ninst };
	uint32_t old_markers = fn->nmarker;

	if (!s->crossed)
		return PASS_CHANGED; /* every way is one of before, perhaps over new blocks */
	sz_fresh(s);
	fn->addr = DIAG_NO_ADDR;
	fn->flags = 0;
	for (uint32_t i = 0; i < fn->norder; i++)
		ir_for_insts(fn, fn->order[i], id)
			repair_inst(&r, fn->order[i], id);
	fn->before = 0;
	if (!r.marker)
		return PASS_CHANGED;
	/* its remarks are about guest registers, and these are none */
	struct diag_sink quiet = { 0 };
	struct pass_ctx ctx = *s->ctx;
	if (s->ctx->diag)
		quiet = *s->ctx->diag;
	quiet.remark = NULL;
	ctx.diag = &quiet;
	fn->ssa = false;
	enum pass_result result = ssa_repair(&ctx);
	if (s->ctx->diag)
		s->ctx->diag->errors = quiet.errors;
	fn->nmarker = old_markers;
	return result == PASS_REFUSED ? result : PASS_CHANGED;
}

static void remember(struct sz *s)
{
	sz_fresh(s);
	s->nidom = s->fn->nblock;
	s->idom = arena_array(s->a, uint32_t, s->nidom);
	for (uint32_t b = 0; b < s->nidom; b++)
		s->idom[b] = s->fn->block[b].idom;
}

static uint32_t nowhere(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t b = sz_block_new(s, SZ_NONE);

	fn->at = b;
	fn->before = 0;
	fn->flags = 0;
	fn->addr = DIAG_NO_ADDR;
	ir_op0(fn, IR_unreachable, IR_VOID);
	return b;
}

static void declare(struct sz *s)
{
	struct ir_fn *fn = s->fn;

	for (uint32_t i = 0; i < s->nc; i++) {
		const struct sz_construct *c = &s->c[i];
		uint32_t merge = c->merge;
		if (c->kind == SZ_CONTINUE || fn->block[c->header].dead)
			continue;
		if (merge == SZ_NONE || fn->block[merge].dead)
			merge = nowhere(s);
		struct ir_block *b = &fn->block[c->header];
		b->merge = c->kind == SZ_LOOP ? MERGE_LOOP : MERGE_SELECTION;
		b->merge_block = merge;
		b->continue_block = c->kind == SZ_LOOP ? c->cont : IR_NO_BLOCK;
	}
}

/* Reverse postorder that visits a header's merge block first and its continue block next: constructs stay together. */
static void order(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t n = fn->nblock, sp = 0, done, live = 0;
	uint32_t *cursor = arena_array(s->a, uint32_t, n), *stack = arena_array(s->a, uint32_t, n + (size_t)1);
	bool *seen = arena_array(s->a, bool, n);

	for (uint32_t i = 0; i < n; i++) {
		live += !fn->block[i].dead;
		fn->block[i].rpo = IR_NO_BLOCK;
	}
	if (n > fn->order_cap)
		fn->order = arena_grow(fn->arena, NULL, 0, &fn->order_cap, n, sizeof *fn->order);
	done = live;
	seen[fn->entry] = true;
	stack[sp++] = fn->entry;
	while (sp) {
		const struct ir_block *b = &fn->block[stack[sp - 1]];
		uint32_t k = cursor[stack[sp - 1]]++, t;
		if (k == 0)
			t = b->merge ? b->merge_block : IR_NO_BLOCK;
		else if (k == 1)
			t = b->merge == MERGE_LOOP ? b->continue_block : IR_NO_BLOCK;
		else if (k - 2 < b->nsucc)
			t = b->succ[b->nsucc - 1 - (k - 2)];
		else {
			fn->order[--done] = stack[--sp];
			continue;
		}
		if (t != IR_NO_BLOCK && !seen[t]) {
			seen[t] = true;
			stack[sp++] = t;
		}
	}
	fn->norder = live - done;
	memmove(fn->order, fn->order + done, fn->norder * sizeof *fn->order);
	for (uint32_t i = 0; i < fn->norder; i++)
		fn->block[fn->order[i]].rpo = i;
	if (s->stale)
		cfg_dominators(fn); /* the order was taken from the declared merges: not computed again */
}

/* Steps 1 to 6. */
static enum pass_result lay_constructs(struct sz *s)
{
	sz_adopt(s);
	remember(s);
	sz_irreducible(s);
	sz_loops(s);
	own_cases(s);
	sz_tree(s);
	struct sz_leaves leaves = sz_joins(s);
	sz_scopes(s, leaves);
	if (!sz_exits(s)) {
		diag_emit(s->ctx->diag, DIAG_IRREDUCIBLE, DIAG_NO_ADDR, "a branch out of nested constructs found no way");
		return PASS_REFUSED;
	}
	if (repair(s) == PASS_REFUSED)
		return PASS_REFUSED;
	declare(s);
	return PASS_CHANGED;
}

enum pass_result structurize_run(struct pass_ctx *ctx)
{
	struct sz s = { .ctx = ctx, .fn = ctx->fn, .a = ctx->scratch };

	if (!ctx->fn->block[ctx->fn->entry].nsucc) { /* one block */
		ctx->fn->structured = true;
		return PASS_CHANGED;
	}
	s.stale = tidy(&s);
	sz_conditions(&s);
	if (!sz_plain(&s) && lay_constructs(&s) == PASS_REFUSED)
		return PASS_REFUSED;
	order(&s);
	ctx->fn->structured = true;
	return PASS_CHANGED;
}
