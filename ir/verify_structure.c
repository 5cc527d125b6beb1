/* Verifier: SPIR-V's structured control flow, for a function that was structurized.
 *
 * A construct is a header with a merge block: the blocks that the header dominates and the merge block does not. A loop has two:
 * the loop construct and, behind the continue block, the continue construct. Dominance is structural: a header counts as if it
 * branched to its merge and continue blocks, so that these may be unreachable. A branch may leave
 *   a selection: to its merge, to the merge of the innermost switch, to the merge or continue block of the innermost loop;
 *   a switch: to its merge, to the merge or continue block of the innermost loop;
 *   a loop: to its merge or continue block;  a continue construct: to the loop's merge, and back to the header once.
 * A conditional branch without a merge needs one target that leaves a construct so. */
#include "verify.h"

enum kind { SELECTION, SWITCH, LOOP, CONTINUE };

struct construct {
	uint32_t parent;         /* construct, NONE outermost */
	uint32_t header, merge, cont;
	enum kind kind;
};
enum { NONE = -1 };

struct state {
	struct verify *v;
	struct construct *c;
	uint32_t nc;
	uint32_t *own;      /* block -> construct that it heads (loops: the loop construct), or NONE */
	uint32_t *own_cont; /* block -> continue construct that it starts, or NONE */
	uint32_t *in;       /* block -> innermost construct that holds it, its own included */
	uint32_t *role;     /* block -> header whose merge or continue block it is, or NONE */
	uint32_t *at;       /* block -> position in fn->order */
	uint32_t *back;     /* loop header -> back edges */
};

static bool inside(const struct state *s, uint32_t construct, uint32_t b)
{
	const struct construct *c = &s->c[construct];

	if (c->kind == CONTINUE)
		return verify_dominates(s->v, c->cont, b) && !verify_dominates(s->v, c->merge, b);
	return verify_dominates(s->v, c->header, b) && !verify_dominates(s->v, c->merge, b) &&
		(c->kind != LOOP || !verify_dominates(s->v, c->cont, b));
}

static void take_role(struct state *s, uint32_t header, uint32_t b, const char *what)
{
	if (b >= s->v->fn->nblock || s->v->fn->block[b].dead)
		verify_fail(s->v, "structure", header, 0, "its %s block does not exist", what);
	else if (b == header || !verify_dominates(s->v, header, b))
		verify_fail(s->v, "structure", header, 0, "does not dominate its %s block %u", what, b);
	else if (s->role[b] != (uint32_t)NONE)
		verify_fail(s->v, "structure", header, 0, "its %s block %u belongs to header %u already", what, b, s->role[b]);
	else
		s->role[b] = header;
}

static uint32_t new_construct(struct state *s, enum kind kind, uint32_t header)
{
	const struct ir_block *b = &s->v->fn->block[header];

	s->c[s->nc] = (struct construct){ (uint32_t)NONE, header, b->merge_block, b->continue_block, kind };
	return s->nc++;
}

static void declare(struct state *s, uint32_t b)
{
	const struct ir_fn *fn = s->v->fn;
	const struct ir_block *bl = &fn->block[b];
	unsigned op = fn->inst[bl->last].op;

	if (bl->merge == MERGE_SELECTION && op != IR_brc && op != IR_sw) {
		verify_fail(s->v, "structure", b, 0, "a selection header ends in %s", ir_ops[op].name);
		return;
	}
	if (bl->merge == MERGE_LOOP && op == IR_sw) {
		verify_fail(s->v, "structure", b, 0, "a loop header cannot end in sw");
		return;
	}
	take_role(s, b, bl->merge_block, "merge");
	if (bl->merge == MERGE_LOOP)
		take_role(s, b, bl->continue_block, "continue");
	if (s->v->error)
		return;
	s->own[b] = new_construct(s, bl->merge == MERGE_LOOP ? LOOP : op == IR_sw ? SWITCH : SELECTION, b);
	if (bl->merge == MERGE_LOOP)
		s->own_cont[bl->continue_block] = new_construct(s, CONTINUE, b);
}

/* In dominance order: the immediate dominator's construct, less those that this block leaves. */
static void place(struct state *s, uint32_t b)
{
	uint32_t d = s->v->tree.idom[b], c = b == d ? (uint32_t)NONE : s->in[d];

	while (c != (uint32_t)NONE && !inside(s, c, b))
		c = s->c[c].parent;
	if (s->own_cont[b] != (uint32_t)NONE) {
		s->c[s->own_cont[b]].parent = c;
		c = s->own_cont[b];
	}
	if (s->own[b] != (uint32_t)NONE) {
		s->c[s->own[b]].parent = c;
		c = s->own[b];
	}
	s->in[b] = c;
}

/* May a branch in construct `c` go to `to`, which lies outside of it? */
static bool exit_allowed(const struct state *s, uint32_t c, uint32_t to)
{
	bool first = true, switched = false;

	for (; c != (uint32_t)NONE; c = s->c[c].parent, first = false) {
		const struct construct *k = &s->c[c];
		if (k->kind == LOOP || k->kind == CONTINUE)
			return to == k->merge || (k->kind == LOOP && to == k->cont);
		if (to == k->merge && (first || (k->kind == SWITCH && !switched)))
			return true;
		switched |= k->kind == SWITCH;
	}
	return false;
}

static bool is_back_edge(const struct state *s, uint32_t b, uint32_t to)
{
	return s->v->fn->block[to].merge == MERGE_LOOP && verify_dominates(s->v, to, b);
}

static void check_edge(struct state *s, uint32_t b, uint32_t to)
{
	uint32_t c = s->in[b];

	if (is_back_edge(s, b, to)) {
		if (c == (uint32_t)NONE || s->c[c].kind != CONTINUE || s->c[c].header != to)
			verify_fail(s->v, "structure", b, 0, "branches back to %u from outside of its continue construct", to);
		else if (s->back[to]++)
			verify_fail(s->v, "structure", to, 0, "a loop header with several back edges");
		return;
	}
	if (s->at[to] <= s->at[b]) {
		verify_fail(s->v, "structure", b, 0, "branches back to %u, which is no loop header around it", to);
		return;
	}
	if (c != (uint32_t)NONE && !inside(s, c, to) && !exit_allowed(s, c, to))
		verify_fail(s->v, "structure", b, 0, "leaves the construct of header %u to %u", s->c[c].header, to);
}

static void check_branches(struct state *s, uint32_t b)
{
	const struct ir_fn *fn = s->v->fn;
	const struct ir_block *bl = &fn->block[b];
	unsigned op = fn->inst[bl->last].op;
	bool leaves = false;

	for (uint32_t k = 0; k < bl->nsucc && !s->v->error; k++) {
		uint32_t to = bl->succ[k], c = s->in[b];
		check_edge(s, b, to);
		leaves |= is_back_edge(s, b, to) || (c != (uint32_t)NONE && !inside(s, c, to) && exit_allowed(s, c, to));
		if (op == IR_sw && to != bl->merge_block && !verify_dominates(s->v, b, to))
			verify_fail(s->v, "structure", b, 0, "a switch does not dominate its case %u", to);
	}
	if (s->v->error)
		return;
	if (op == IR_sw && bl->merge != MERGE_SELECTION)
		verify_fail(s->v, "structure", b, 0, "a switch without a merge block");
	if (op == IR_brc && bl->merge != MERGE_SELECTION && bl->succ[0] != bl->succ[1] && !leaves)
		verify_fail(s->v, "structure", b, 0, "a conditional branch without a merge block, and no target leaves a construct");
}

static uint32_t *filled(struct verify *v)
{
	uint32_t *a = arena_array(v->scratch, uint32_t, v->fn->nblock + (size_t)1);

	for (uint32_t i = 0; i < v->fn->nblock; i++)
		a[i] = (uint32_t)NONE;
	return a;
}

static void check_order(struct state *s)
{
	const struct ir_fn *fn = s->v->fn;
	uint32_t live = 0;

	for (uint32_t b = 0; b < fn->nblock; b++)
		live += !fn->block[b].dead;
	if (fn->norder != live || !live || fn->order[0] != fn->entry) {
		verify_fail(s->v, "order", fn->entry, 0, "the order does not hold every block once, the entry first");
		return;
	}
	for (uint32_t i = 0; i < fn->norder; i++) {
		uint32_t b = fn->order[i];
		if (b >= fn->nblock || fn->block[b].dead || s->at[b] != (uint32_t)NONE) {
			verify_fail(s->v, "order", fn->entry, 0, "the order names block %u wrongly", b);
			return;
		}
		s->at[b] = i;
	}
	for (uint32_t i = 1; i < fn->norder && !s->v->error; i++) {
		uint32_t b = fn->order[i], d = s->v->tree.idom[b];
		if (d == IR_NO_BLOCK)
			verify_fail(s->v, "order", b, 0, "unreachable, and neither merge nor continue block");
		else if (s->at[d] >= i)
			verify_fail(s->v, "order", b, 0, "stands before its immediate dominator %u", d);
	}
}

void verify_structure(struct verify *v)
{
	struct state s = { .v = v };
	const struct ir_fn *fn = v->fn;

	cfg_tree(fn, v->scratch, true, &v->tree);
	s.own = filled(v);
	s.own_cont = filled(v);
	s.in = filled(v);
	s.role = filled(v);
	s.at = filled(v);
	s.back = arena_array(v->scratch, uint32_t, fn->nblock + (size_t)1);
	s.c = arena_array(v->scratch, struct construct, 2 * (size_t)fn->nblock + 1);
	check_order(&s);
	for (uint32_t i = 0; i < fn->norder && !v->error; i++)
		if (fn->block[fn->order[i]].merge)
			declare(&s, fn->order[i]);
	for (uint32_t i = 0; i < fn->norder && !v->error; i++)
		place(&s, fn->order[i]);
	for (uint32_t i = 0; i < fn->norder && !v->error; i++)
		check_branches(&s, fn->order[i]);
	for (uint32_t i = 0; i < fn->norder && !v->error; i++) {
		const struct ir_block *b = &fn->block[fn->order[i]];
		if (b->merge == MERGE_LOOP && s.back[fn->order[i]] != 1)
			verify_fail(v, "structure", fn->order[i], 0, "a loop header without a back edge");
	}
}
