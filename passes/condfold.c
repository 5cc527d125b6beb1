/* condfold.c - conditions known from the way here, constant branches, straight lines.
 *
 * In a block that only the true edge of `brc %c` enters, %c is true, and so are the conjuncts of an `iand`; on the false edge
 * %c is false, and so are the parts of an `ior`. Uses there become constants, and so do phi operands that come over such an
 * edge. `any(%m)` false makes %m false in this lane; %m true makes any(%m) true. What becomes constant here is followed
 * through b1 logic at once; the rest is left to `fold`.
 *
 * Before                                After
 *   b0: brc %c, b1, b2                    b0: brc %c, b1, b2
 *   b1: %2 = iand %c, %d                  b1: stptr %d, ...
 *       stptr %2, ...                         ret
 *       brc %c, b3, b4                    b2: ...
 *   b3: ret
 *
 * Operands of cross-lane ops are left as they are (but any of a true condition is true): their mask stands for the lanes that
 * take part, and says so explicitly. Then constant branches lose their edge, unreachable blocks go, a block with
 * one successor that has no other predecessor is joined with it, and a block with nothing but a branch is skipped where no phi
 * stands in the way.
 */
#include "fold.h"

enum pass_result condfold_run(struct pass_ctx *ctx);

enum { CONSTANTS = 2 /* of b1, the only values that are made here */ };
enum { UNKNOWN = 0, IS_FALSE = 1, IS_TRUE = 2, VALUE = 3, /* with this bit: it is another value everywhere */ REPLACED = 4 };

/* Ops that may look at a condition. (What has a new value everywhere is replaced at the end.) */
enum { IF_OTHER = 1 << 0, IF_B1 = 1 << 1 /* by its own type */, ALWAYS = IF_OTHER | IF_B1 };
static const uint8_t looks[IR_OP_COUNT] = {
#define ASKS(op) (IR_##op == IR_select || IR_##op == IR_brc || IR_##op == IR_any)
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = (fx) & FX_MASK || ((cls) == C_INTB && (fx) & FX_CONV) || \
	ASKS(name) ? ALWAYS : (cls) == C_INTB ? IF_B1 : 0,
#include "../ir/ops.def"
#undef OP
#undef ASKS
};

struct entry { uint32_t block, k, next; }; /* operand k of a block's phis */

struct cond {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	uint8_t *known;       /* per id: UNKNOWN, or its value here; REPLACED: it has one in `map` */
	ir_id *undo;          /* ids in `known`, in order */
	uint32_t nundo;
	ir_id *map;           /* b1 values that are another value or a constant everywhere; NULL: none */
	ir_id *any_of;        /* m -> an any(m): that in front of here, if there is one. NULL: there is none anywhere */
	uint32_t *entries;    /* per block: the first of those that come from it, in `entry`, chained; 0: none */
	struct entry *entry;
	uint32_t nids;        /* of all that there is, or is made here */
	bool changed;
};

static void assume(struct cond *c, ir_id id, bool val, unsigned depth)
{
	const struct ir_inst *in = &c->fn->inst[id];

	if ((c->known[id] & VALUE) || in->op == IR_const || in->op == IR_undef)
		return;
	c->known[id] |= val ? IS_TRUE : IS_FALSE;
	c->undo[c->nundo++] = id;
	if (val && c->any_of && c->any_of[id])
		assume(c, c->any_of[id], true, depth);
	if (!depth)
		return;
	if (in->op == IR_inot)
		assume(c, in->a[0], !val, depth - 1);
	else if (in->op == IR_any && !val)
		assume(c, in->a[0], false, depth - 1);
	else if (in->op == (val ? IR_iand : IR_ior)) {
		assume(c, in->a[0], val, depth - 1);
		assume(c, in->a[1], val, depth - 1);
	}
}

static void forget(struct cond *c, uint32_t count)
{
	while (c->nundo > count)
		c->known[c->undo[--c->nundo]] &= REPLACED;
}

static ir_id find(const struct cond *c, ir_id id)
{
	while (c->known[id] & REPLACED)
		id = c->map[id];
	return id;
}

static void note(struct cond *c, ir_id id, ir_id by)
{
	if (!c->map)
		c->map = ir_map_new(c->ctx->scratch, c->fn);
	c->map[id] = by;
	c->known[id] |= REPLACED;
}

/* What an id is here: a constant where that is known. */
static ir_id here(struct cond *c, ir_id id)
{
	id = find(c, id);
	if (c->known[id] & VALUE)
		return ir_const(c->fn, IR_B1, (c->known[id] & VALUE) == IS_TRUE);
	return id;
}

static int truth(const struct cond *c, ir_id id)
{
	const struct ir_inst *in = &c->fn->inst[id];

	return in->op == IR_const && in->type == IR_B1 ? (int)in->imm : -1;
}

/* b1 logic of what is known now: the value that the instruction is, or 0. */
static ir_id simplify(struct cond *c, ir_id id)
{
	struct ir_fn *fn = c->fn;
	const struct ir_inst *in = &fn->inst[id];

	if (in->op == IR_select) {
		int s = truth(c, in->a[0]);
		return s < 0 ? 0 : in->a[s ? 1 : 2];
	}
	if (in->type != IR_B1)
		return 0;
	if (in->op == IR_inot) {
		int k = truth(c, in->a[0]);
		return k < 0 ? 0 : ir_const(fn, IR_B1, !k);
	}
	if (in->op == IR_any)
		return truth(c, in->a[0]) >= 0 ? in->a[0] : 0;
	if (in->op != IR_iand && in->op != IR_ior)
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		int k = truth(c, in->a[i]);
		if (k >= 0)
			return k == (in->op == IR_ior) ? in->a[i] : in->a[1 - i];
	}
	return in->a[0] == in->a[1] ? in->a[0] : 0;
}

/* Conditions are operand 0, and the operands of what makes conditions of conditions. */
static void visit_operands(struct cond *c, ir_id id)
{
	struct ir_fn *fn = c->fn;
	enum ir_op op = fn->inst[id].op;
	bool cross = ir_ops[op].fx & FX_CROSS;
	unsigned n = fn->inst[id].type == IR_B1 ? ir_nargs(fn, id) : 1;

	for (unsigned i = 0; i < n; i++) {
		ir_id now = find(c, ir_args(fn, id)[i]);
		if (!now)
			continue;
		if (!cross || (op == IR_any && (c->known[now] & VALUE) == IS_TRUE))
			now = here(c, now);
		c->changed |= ir_set_arg(fn, id, i, now);
	}
}

static void visit_inst(struct cond *c, ir_id id)
{
	visit_operands(c, id);
	ir_id by = simplify(c, id);
	if (!by)
		return;
	note(c, id, by);
	c->changed = true;
	ir_remove(c->fn, id);
}

/* May it look at a condition of which something is known, or that has become a constant? Nothing else changes an instruction that `fold`
 * left. */
static inline bool concerned(const uint8_t *known, const struct ir_inst *in)
{
	if (in->nargs8 > IR_INLINE_ARGS || (known[in->a[0]] | known[in->a[1]] | known[in->a[2]] | known[in->a[3]])) /* seldom: asked first */
		return looks[in->op] >> (in->type == IR_B1) & 1;
	return false;
}

/* The condition of the edge from `b` to its successor number i, if there is one. */
static void assume_edge(struct cond *c, uint32_t b, unsigned i)
{
	const struct ir_block *blk = &c->fn->block[b];
	const struct ir_inst *t = &c->fn->inst[blk->last];

	if (t->op != IR_brc || blk->succ[0] == blk->succ[1])
		return;
	assume(c, find(c, t->a[0]), i == 0, 8);
}

/* Is there a phi of conditions? Other phis' operands have no value that is known here alone. */
static bool meets(const struct ir_fn *fn, uint32_t b)
{
	ir_id id = fn->block[b].first;

	while (fn->inst[id].op == IR_phi && fn->inst[id].type != IR_B1)
		id = fn->inst[id].next;
	return fn->inst[id].op == IR_phi;
}

/* Finds, by block, the operands that it brings to phis of conditions. */
static void find_entries(struct cond *c)
{
	struct ir_fn *fn = c->fn;
	struct arena *a = c->ctx->scratch;
	uint32_t n = 0;

	c->entries = arena_array(a, uint32_t, fn->nblock);
	ir_for_order(fn, b)
		n += fn->inst[fn->block[b].first].op == IR_phi ? fn->block[b].npred : 0;
	c->entry = arena_array_raw(a, struct entry, n + 1u);
	n = 0;
	ir_for_order(fn, b)
		for (uint32_t k = 0, npred = meets(fn, b) ? fn->block[b].npred : 0; k < npred; k++) {
			uint32_t p = fn->block[b].pred[k];
			c->entry[++n] = (struct entry){ b, k, c->entries[p] };
			c->entries[p] = n;
		}
}

static void phi_operands(struct cond *c, uint32_t b)
{
	struct ir_fn *fn = c->fn;

	for (uint32_t e = c->entries[b]; e; e = c->entry[e].next) {
		uint32_t s = c->entry[e].block, k = c->entry[e].k, mark = c->nundo;
		assume_edge(c, b, fn->block[b].succ[0] != s);
		if (c->nundo || c->map)
			for (ir_id id = fn->block[s].first; fn->inst[id].op == IR_phi; id = fn->inst[id].next) {
				ir_id was = fn->inst[id].type == IR_B1 ? ir_args(fn, id)[k] : 0;
				if (c->known[was])
					c->changed |= ir_set_arg(fn, id, k, here(c, was));
			}
		forget(c, mark);
	}
}

static void visit_insts(struct cond *c, ir_id id)
{
	const struct ir_inst *inst = c->fn->inst;
	const uint8_t *known = c->known;

	while (id) {
		const struct ir_inst *in = &inst[id];
		ir_id next = in->next;
		if (in->op == IR_any)
			c->any_of[in->a[0]] = id;
		if (concerned(known, in)) {
			visit_inst(c, id);
			inst = c->fn->inst;
		}
		id = next;
	}
}

static void visit_block(struct cond *c, uint32_t b)
{
	struct ir_fn *fn = c->fn;

	if (fn->block[b].npred == 1) {
		uint32_t p = fn->block[b].pred[0];
		assume_edge(c, p, fn->block[p].succ[0] != b);
	}
	if (c->nundo || c->map || c->any_of) /* else `fold` left nothing to do */
		visit_insts(c, fn->block[b].first);
	phi_operands(c, b);
}

static void walk(struct cond *c)
{
	struct ir_fn *fn = c->fn;
	uint32_t *pre = cfg_preorder(fn, c->ctx->scratch);
	uint32_t *known = arena_array_raw(c->ctx->scratch, uint32_t, fn->nblock); /* of `undo`, at the block's end */

	find_entries(c);
	for (uint32_t i = 0; i < fn->norder; i++) {
		uint32_t b = pre[i];
		forget(c, i ? known[fn->block[b].idom] : 0);
		visit_block(c, b);
		known[b] = c->nundo;
	}
}

/* ---- the graph */
/* The successor that a constant branch goes to, counted from 1; 0: the branch is not constant. */
static uint32_t taken(struct cond *c, uint32_t b)
{
	struct ir_fn *fn = c->fn;
	struct ir_block *blk = &fn->block[b];
	struct ir_inst *t = &fn->inst[blk->last];
	uint64_t k;

	if (t->op != IR_brc && t->op != IR_sw)
		return 0;
	if (t->op == IR_brc && fn->inst[t->a[0]].op == IR_inot) {
		uint32_t s = blk->succ[0];
		t->a[0] = fn->inst[t->a[0]].a[0];
		blk->succ[0] = blk->succ[1];
		blk->succ[1] = s;
		c->changed = true;
	}
	if (!ir_is_const(fn, t->a[0], &k))
		return 0;
	uint32_t keep = t->op == IR_brc ? !k : 0;
	if (t->op == IR_sw)
		while (keep < blk->nsucc - 1 && blk->cases[keep] != k)
			keep++;
	return keep + 1;
}

static bool fold_branches(struct cond *c)
{
	struct ir_fn *fn = c->fn;
	uint32_t *keep = arena_array(c->ctx->scratch, uint32_t, fn->nblock);
	bool any = false;

	ir_for_order(fn, b) {
		struct ir_inst *t = &fn->inst[fn->block[b].last];
		if (t->nargs8 == 1)
			t->a[0] = find(c, t->a[0]);
		keep[b] = taken(c, b);
		any |= keep[b] != 0;
	}
	if (!any)
		return false;
	cfg_keep_edges(fn, keep);
	cfg_order(fn); /* predecessors that went away must not hold lines apart */
	return true;
}

static bool same_phis(const struct cond *c, uint32_t s, uint32_t i, uint32_t k)
{
	struct ir_fn *fn = c->fn;

	for (ir_id id = fn->block[s].first; fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		if (find(c, ir_args(fn, id)[i]) != find(c, ir_args(fn, id)[k]))
			return false;
	return true;
}

/* Both edges of a branch go to one block, whose phis do not care which. */
static bool same_targets(struct cond *c)
{
	struct ir_fn *fn = c->fn;
	uint32_t *keep = NULL, *first = NULL; /* first: the branch's first entry among the block's predecessors, + 1 */

	ir_for_order(fn, b) {
		const struct ir_block *blk = &fn->block[b];
		if (blk->dead || fn->inst[blk->last].op != IR_brc || blk->succ[0] != blk->succ[1])
			continue;
		if (!keep) {
			keep = arena_array(c->ctx->scratch, uint32_t, fn->nblock);
			first = arena_array(c->ctx->scratch, uint32_t, fn->nblock);
		}
		keep[b] = 1;
	}
	if (!keep)
		return false;
	bool any = false;
	for (uint32_t s = 0; s < fn->nblock; s++)
		for (uint32_t k = 0; k < fn->block[s].npred; k++) {
			uint32_t p = fn->block[s].pred[k];
			if (!keep[p])
				continue;
			if (!first[p]) {
				first[p] = k + 1;
				continue;
			}
			keep[p] = same_phis(c, s, first[p] - 1, k);
			any |= keep[p] != 0;
		}
	if (any)
		cfg_keep_edges(fn, keep);
	return any;
}

/* b: br s, and s has no other predecessor: s's instructions move to the end of b. */
static bool join_line(struct cond *c, uint32_t b, uint32_t *now)
{
	struct ir_fn *fn = c->fn;

	if (fn->inst[fn->block[b].last].op != IR_br)
		return false;
	uint32_t s = fn->block[b].succ[0];
	if (s == b || s == fn->entry || fn->block[s].npred != 1)
		return false;
	ir_for_insts(fn, s, id) {
		if (fn->inst[id].op != IR_phi)
			break;
		note(c, id, find(c, ir_args(fn, id)[0]));
		ir_remove(fn, id);
	}
	ir_remove(fn, fn->block[b].last);
	struct ir_block *from = &fn->block[s], *to = &fn->block[b];
	for (ir_id id = from->first; id; id = fn->inst[id].next)
		fn->inst[id].block = b;
	if (to->last) {
		fn->inst[to->last].next = from->first;
		fn->inst[from->first].prev = to->last;
	} else {
		to->first = from->first;
	}
	to->last = from->last;
	to->succ = from->succ;
	to->nsucc = from->nsucc;
	to->succ_cap = from->succ_cap;
	to->cases = from->cases;
	now[s] = b;
	from->first = from->last = 0;
	from->nsucc = from->npred = 0;
	from->succ_cap = 0;
	from->succ = NULL;
	from->cases = NULL;
	from->dead = true;
	return true;
}

/* What became of block b: `now` says of each what took its place, or itself. */
static uint32_t became(uint32_t *now, uint32_t b)
{
	while (now[b] != b)
		b = now[b] = now[now[b]];
	return b;
}

static bool join_lines(struct cond *c, uint32_t *now)
{
	struct ir_fn *fn = c->fn;
	bool changed = false;

	ir_for_order(fn, b)
		while (!fn->block[b].dead && join_line(c, b, now))
			changed = true;
	for (uint32_t b = 0; b < fn->nblock && changed; b++)
		for (uint32_t k = 0; k < fn->block[b].npred; k++)
			fn->block[b].pred[k] = became(now, fn->block[b].pred[k]);
	return changed;
}

/* Does b hold only `br s`, and s no phi? Loops onto itself stay. */
static bool is_empty(const struct ir_fn *fn, uint32_t b, uint32_t *now, uint32_t *s)
{
	const struct ir_block *blk = &fn->block[b];

	if (blk->dead || b == fn->entry || blk->first != blk->last || fn->inst[blk->first].op != IR_br || !blk->npred)
		return false;
	*s = became(now, blk->succ[0]);
	return *s != b && fn->inst[fn->block[*s].first].op != IR_phi;
}

/* The predecessors of empty blocks go where those lead. */
static bool skip_empty(struct cond *c, uint32_t *now)
{
	struct ir_fn *fn = c->fn;
	bool changed = false;
	uint32_t s;

	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t b = fn->order[i];
		if (!is_empty(fn, b, now, &s))
			continue;
		now[b] = s;
		changed = true;
		for (uint32_t k = 0; k < fn->block[b].npred; k++)
			if (now[fn->block[b].pred[k]] == fn->block[b].pred[k])
				cfg_pred_add(fn, s, fn->block[b].pred[k]);
	}
	if (!changed)
		return false;
	ir_for_order(fn, b)
		for (uint32_t k = 0; k < fn->block[b].nsucc && now[b] == b; k++)
			fn->block[b].succ[k] = became(now, fn->block[b].succ[k]);
	cfg_order(fn); /* nothing leads to them any more */
	return true;
}

static bool tidy(struct cond *c)
{
	uint32_t n = c->fn->nblock, *now = arena_array_raw(c->ctx->scratch, uint32_t, n);

	for (uint32_t b = 0; b < n; b++)
		now[b] = b;
	bool same = same_targets(c), joined = join_lines(c, now);
	for (uint32_t b = 0; b < n && joined; b++)
		now[b] = b;
	return skip_empty(c, now) | same | joined;
}

enum pass_result condfold_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct cond c = { .ctx = ctx, .fn = fn, .nids = fn->ninst + CONSTANTS };

	c.known = arena_array(ctx->scratch, uint8_t, c.nids);
	c.undo = arena_array_raw(ctx->scratch, ir_id, c.nids);
	if (fn->has[IR_any])
		c.any_of = arena_array(ctx->scratch, ir_id, c.nids);
	walk(&c);

	bool graph = fold_branches(&c);
	for (bool more = true; more; graph |= more)
		more = tidy(&c);
	if (c.map)
		ir_map_apply(fn, c.map);
	ctx->kept = (graph ? 0 : HAS_ORDER | HAS_DOM) | need_kept(fn);
	return graph || c.changed ? PASS_CHANGED : PASS_SAME;
}
