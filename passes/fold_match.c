/* fold_match.c - the rule language of fold_rules.def: match and rewrite.
 *
 * A pattern is a Lisp form over ops. x y z w u are any values (the same letter twice: the same value), #a #b #c bind
 * constants, numbers and true/false match constants (0, 1, -1: in the constant's own type; 1.0 and the like: floats), and
 * (op.type ...) asks for a result type. Operands of a commutative op match in both orders. In a replacement, $ and % are
 * constants that the rule computes; an inner op has the type of its operands unless it says another (.T: the root's type).
 *
 * Rules are tried in the order of the table, and must make the code smaller or plainer, never loop: the sweep stops rewriting an
 * instruction after a fixed number of rounds, which bounds a mistake here but does not excuse it.
 *
 * The matchers are C code that gen/fold_gen.c makes from the table when the project is built (fold_table.h).
 */
#include "fold.h"

enum { MAX_VARS = 5, MAX_CONSTS = 3 };

enum kind { N_VAR, N_BIND, N_INT, N_FLOAT, N_COMPUTED, N_OP };
enum { TYPE_ANY = 0, TYPE_ROOT = 255 };

/* A node of a replacement. */
struct node {
	uint8_t kind, index;   /* N_VAR, N_BIND, N_COMPUTED: which */
	uint8_t type, nchild;  /* N_OP: wanted result type */
	uint16_t op;
	uint8_t child[3];      /* from the replacement's first node */
	int32_t number;        /* N_INT, N_FLOAT: floats in the rules are whole */
};

enum rule_name {
#define RULE(name, from, to, cond, k, why) R_##name,
#include "fold_rules.def"
#undef RULE
};

/* What a match bound. */
struct env {
	struct fold *f;
	ir_id root, inner;     /* inner: the first instruction below the root that the pattern names, 0 none */
	ir_id var[MAX_VARS];
	uint64_t k[MAX_CONSTS], out[2];
	ir_type ktype[MAX_CONSTS];
	unsigned flags;
	ir_id maybe_of[2];     /* values whose bits that may be set were asked for already, as x and as y */
	uint64_t maybe[2];
};

/* Of a root op, and some entries of its rules: the first that matches, + 1, or 0. */
typedef unsigned matcher(struct env *, const struct ir_inst *inst, const struct ir_inst *root, fold_set entries);

/* ---- constants as bits */
static uint64_t float_bits(ir_type t, double v)
{
	uint64_t d;
	float s = (float)v;
	uint32_t w;

	memcpy(&d, &v, 8);
	memcpy(&w, &s, 4);
	if (ir_base(t) == IR_F64)
		return d;
	if (ir_base(t) == IR_F32)
		return w;
	/* half: the rules only name values that are normal there, or zero */
	uint32_t sign = w >> 16 & 0x8000;
	return w << 1 ? sign | ((w >> 13 & 0x3ffff) - (112u << 10)) : sign;
}

static uint64_t number_bits(const struct node *n, ir_type t)
{
	if (n->kind == N_FLOAT)
		return float_bits(t, n->number);
	return (uint64_t)(int64_t)n->number & fold_mask(t);
}

/* ---- what the matchers are made of */
static inline bool is_scalar_const(const struct ir_inst *in)
{
	return in->op == IR_const && !(in->type >> 4);
}

static inline bool same_const(const struct ir_inst *bound, const struct ir_inst *in)
{
	return in->op == IR_const && in->type == bound->type && in->imm == bound->imm;
}

static inline bool is_int(const struct ir_inst *in, int number)
{
	return is_scalar_const(in) && !ir_is_float(in->type) && in->imm == ((uint64_t)(int64_t)number & fold_mask(in->type));
}

static inline bool is_float(const struct ir_inst *in, int number)
{
	return is_scalar_const(in) && ir_is_float(in->type) && in->imm == float_bits(in->type, number);
}

static inline void no_inner(struct env *e, const struct ir_inst *root)
{
	e->inner = 0;
	e->flags = root->flags;
}

/* A new float op behaves as the float op that it stands for. */
static inline void set_inner(struct env *e, const struct ir_inst *inst, const struct ir_inst *root, ir_id inner)
{
	bool from_inner = ir_ops[root->op].cls != C_FLT && ir_ops[inst[inner].op].cls == C_FLT;

	e->inner = inner;
	e->flags = from_inner ? inst[inner].flags : root->flags;
}

/* ---- conditions and computed constants, straight from the table */
#define A (e->k[0])
#define B (e->k[1])
#define C (e->k[2])
#define TA (e->ktype[0])
#define T (e->f->fn->inst[e->root].type)
#define W (ir_bits(T))
#define MASK (fold_mask(T))
#define TX (e->f->fn->inst[e->var[0]].type)
#define TY (e->f->fn->inst[e->var[1]].type)
#define WX (ir_bits(TX))
#define MAYBE_X maybe(e, 0)
#define MAYBE_Y maybe(e, 1)
#define FTZ (e->flags & IR_F_FTZ)
#define ONCE (fold_once(e->f, e->inner))
#define INNER_TYPE (e->f->fn->inst[e->inner].type)
#define HERE ballots_here(e->f, e->root)
#define WHOLE(t) (ir_bits(t) == e->f->fn->wave)
#define PAIRED(l, h) paired(e->f->fn, e->var[l], e->var[h])
#define BALLOT(v) ballot_like(e->f->fn, e->var[v])
#define SECOND(v) (e->out[1] = (v))
#define POW2(v) ((v) && !((v) & ((v) - 1)))

static unsigned log2_of(uint64_t v)
{
	unsigned n = 0;

	while (v >>= 1)
		n++;
	return n;
}

/* Does the sum v take the carry out of the sum `low`? */
static bool carries(const struct ir_fn *fn, const struct ir_inst *low, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v], *c = &fn->inst[i->a[0]];

	if (i->op == IR_iadd)
		return depth && (carries(fn, low, i->a[0], depth - 1) || carries(fn, low, i->a[1], depth - 1));
	return i->op == IR_zext && c->op == IR_carry && ((c->a[0] == low->a[0] && c->a[1] == low->a[1]) ||
							 (c->a[0] == low->a[1] && c->a[1] == low->a[0]));
}

/* Low and high word of one thing, as far as that shows. */
static bool paired(const struct ir_fn *fn, ir_id lo, ir_id hi)
{
	const struct ir_inst *l = &fn->inst[lo], *h = &fn->inst[hi];

	if (l->op == IR_iadd)
		return h->op == IR_iadd && carries(fn, l, hi, 2);
	if (l->op == IR_lo64)
		return h->op == IR_hi64 && l->a[0] == h->a[0];
	if (l->op == IR_root || (l->op == IR_ldtab && l->sub == h->sub && l->a[0] == h->a[0]))
		return h->op == l->op && h->imm == l->imm + (l->op == IR_root ? 1 : 4);
	return l->op == IR_elem && h->op == IR_elem && l->a[0] == h->a[0] && h->imm == l->imm + 1;
}

/* Do all ballots that the instruction puts together, or looks at, stand in its block? Other lanes may come there than came to another. */
static bool ballots_here(struct fold *f, ir_id root)
{
	const struct ir_inst *inst = f->fn->inst;

	for (unsigned k = 0, n = ir_nargs(f->fn, root); k < n; k++) {
		ir_id v = fold_find(f, inst[root].a[k]);
		if (inst[v].op == IR_inot)
			v = fold_find(f, inst[v].a[0]);
		if (inst[v].op == IR_ballot && inst[v].block != inst[root].block)
			return false;
	}
	return true;
}

/* A wave integer whose reading as a lane's bit will simplify. */
static bool ballot_like(const struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *in = &fn->inst[id];

	if (in->op == IR_inot)
		in = &fn->inst[in->a[0]];
	return in->op == IR_ballot || (in->op == IR_const && (in->imm == 0 || in->imm == fold_mask(in->type)));
}

static uint64_t maybe(struct env *e, unsigned v)
{
	if (e->maybe_of[v] != e->var[v]) {
		e->maybe_of[v] = e->var[v];
		e->maybe[v] = fold_maybe(e->f, e->var[v], 5);
	}
	return e->maybe[v];
}

#define RULE(name, from, to, cond, konst, why) static inline bool holds_##name(struct env *e) \
{ \
	if (!(cond)) \
		return false; \
	e->out[0] = (uint64_t)(konst); \
	return true; \
}
#include "fold_rules.def"
#undef RULE

#include "fold_table.h"

/* ---- rewrite */
static ir_id build(struct env *e, const struct node *r, uint8_t at, ir_type expect);

/* Operands of a node; constants take the type that the signature or their siblings give. */
static ir_type build_args(struct env *e, const struct node *r, const struct node *n, ir_type type, ir_id *arg)
{
	struct ir_fn *fn = e->f->fn;
	const char *sig = strchr(ir_ops[n->op].sig, ':') + 1;
	ir_type own = IR_VOID, other = IR_VOID; /* of T and U operands */

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < n->nchild; i++) {
			uint8_t kind = r[n->child[i]].kind;
			bool late = kind == N_INT || kind == N_FLOAT || kind == N_COMPUTED;
			if (late != (pass == 1))
				continue;
			ir_type want = sig[i] == 'i' ? IR_I32 : sig[i] == 'b' ? IR_B1 : sig[i] == 'U' ? other : own ? own : type;
			arg[i] = build(e, r, n->child[i], want);
			if (sig[i] == 'T')
				own = fn->inst[arg[i]].type;
			else if (sig[i] == 'U')
				other = fn->inst[arg[i]].type;
		}
	return own;
}

static ir_type result_type(const struct node *n, ir_type own, ir_type expect, ir_type root)
{
	if (n->type == TYPE_ROOT)
		return root;
	if (n->type)
		return n->type;
	switch (ir_ops[n->op].sig[0]) {
	case 'b': return IR_B1;
	case 'i': return IR_I32;
	case 'l': return IR_I64;
	default: return own ? own : expect;
	}
}

static ir_id build(struct env *e, const struct node *r, uint8_t at, ir_type expect)
{
	struct ir_fn *fn = e->f->fn;
	const struct node *n = &r[at];
	ir_id arg[3];

	switch (n->kind) {
	case N_VAR: return e->var[n->index];
	case N_BIND: return ir_const(fn, e->ktype[n->index], e->k[n->index]);
	case N_COMPUTED: return ir_const(fn, expect, e->out[n->index]);
	case N_INT: case N_FLOAT: return ir_const(fn, expect, number_bits(n, expect));
	default: break;
	}
	ir_type own = build_args(e, r, n, expect, arg);
	ir_type type = result_type(n, own, expect, T);
	return fold_make(e->f, e->root, n->op, type, e->flags, n->nchild, arg);
}

static __attribute__((noinline)) ir_id rewrite(struct env *e, const struct node *n)
{
	struct ir_fn *fn = e->f->fn;
	ir_id arg[3] = { 0, 0, 0 };

	if (n->kind != N_OP)
		return build(e, n, 0, T);
	build_args(e, n, n, T, arg);
	struct ir_inst *in = &fn->inst[e->root];
	ir_set_op(fn, e->root, n->op);
	ir_keep_args(in, n->nchild);
	in->flags = (uint16_t)e->flags;
	in->imm = 0;
	in->sub = 0;
	for (unsigned i = 0; i < n->nchild; i++)
		in->a[i] = arg[i];
	fold_note_uses(e->f, e->root);
	return e->root;
}

/* ---- match */
ir_id fold_rules_apply(struct fold *f, ir_id id, fold_set entries)
{
	const struct ir_inst *inst = f->fn->inst, *in = &inst[id];
	struct env e;

	if (in->type >> 4)
		return 0;
	e.f = f;
	e.root = id;
	e.maybe_of[0] = e.maybe_of[1] = 0;
	unsigned rule = matchers[in->op](&e, inst, in, entries);
	if (!rule)
		return 0;
	const struct node *n = result_nodes + result_at[rule - 1];
	return n->kind == N_VAR ? e.var[n->index] : rewrite(&e, n);
}
