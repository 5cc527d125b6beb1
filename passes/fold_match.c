/* fold_match.c - the rule language of fold_rules.def: compile, match, rewrite.
 *
 * A pattern is a Lisp form over ops. x y z w u are any values (the same letter twice: the same value), #a #b #c bind
 * constants, numbers and true/false match constants (0, 1, -1: in the constant's own type; 1.0 and the like: floats), and
 * (op.type ...) asks for a result type. Operands of a commutative op match in both orders. In a replacement, $ and % are
 * constants that the rule computes; an inner op has the type of its operands unless it says another (.T: the root's type).
 *
 * Rules are tried in the order of the table, and must make the code smaller or plainer, never loop: the sweep stops rewriting an
 * instruction after a fixed number of rounds, which bounds a mistake here but does not excuse it.
 */
#include "fold.h"

#include <stdlib.h>

enum { MAX_NODES = 24, MEAN_NODES = 12, MAX_VARS = 5, MAX_CONSTS = 3 }; /* nodes per rule */

enum kind { N_VAR, N_BIND, N_INT, N_FLOAT, N_COMPUTED, N_OP };
enum { TYPE_ANY = 0, TYPE_ROOT = 255 };

struct node {
	uint8_t kind, index;   /* N_VAR, N_BIND, N_COMPUTED: which */
	uint8_t type, nchild;  /* N_OP: wanted result type */
	uint16_t op;
	int8_t swap;           /* N_OP: number of the commutative choice, or -1 */
	uint8_t child[3];
	int32_t number;        /* N_INT, N_FLOAT: floats in the rules are whole */
};

enum rule_name {
#define RULE(name, from, to, cond, k, why) R_##name,
#include "fold_rules.def"
#undef RULE
	RULE_COUNT
};

static const struct { const char *from, *to; } text[RULE_COUNT] = {
#define RULE(name, from, to, cond, k, why) { from, to },
#include "fold_rules.def"
#undef RULE
};

struct fold_rule {
	struct node *node;     /* `nnode` of the pool */
	uint8_t nnode, from, to, nswap;
	uint16_t next;         /* rule with the same root op, + 1 */
};

/* What a match bound. */
struct env {
	struct fold *f;
	ir_id root, inner;     /* inner: the first instruction below the root that the pattern names */
	ir_id var[MAX_VARS];
	uint64_t k[MAX_CONSTS], out[2];
	ir_type ktype[MAX_CONSTS];
	unsigned flags;
};

/* Rules are compiled when their root op is first met: most programs use a fraction of the ops. */
struct fold_rules {
	struct fold_rule rule[RULE_COUNT];
	uint16_t first[IR_OP_COUNT];                         /* rules by root op, + 1 */
	uint16_t by_letter[32], next_op[IR_OP_COUNT];        /* ops by first letter: chains of op + 1 */
	struct node pool[RULE_COUNT * MEAN_NODES + MAX_NODES];
	uint32_t used;
};

/* ---- compile */
struct parser {
	const struct fold_rules *set;
	struct fold_rule *r;
	const char *at;
};

static uint16_t op_named(const struct fold_rules *set, const char *name)
{
	unsigned op = set->by_letter[(name[0] - 'a') & 31];

	while (op && strcmp(ir_ops[op - 1].name, name))
		op = set->next_op[op - 1];
	return (uint16_t)(op ? op - 1 : IR_OP_COUNT);
}

static uint8_t new_node(struct parser *p, enum kind kind)
{
	struct node *n = &p->r->node[p->r->nnode];

	memset(n, 0, sizeof(*n));
	n->kind = (uint8_t)kind;
	n->swap = -1;
	return p->r->nnode++;
}

static unsigned word(struct parser *p, char *buf)
{
	unsigned n = 0;

	while (*p->at && !strchr(" ()", *p->at) && n < 23)
		buf[n++] = *p->at++;
	buf[n] = 0;
	return n;
}

static uint8_t parse_atom(struct parser *p)
{
	char w[24];
	uint8_t at;

	word(p, w);
	if (w[0] == '#') {
		at = new_node(p, N_BIND);
		p->r->node[at].index = (uint8_t)(w[1] - 'a');
	} else if (w[0] == '$' || w[0] == '%') {
		at = new_node(p, N_COMPUTED);
		p->r->node[at].index = w[0] == '%';
	} else if (!strcmp(w, "true") || !strcmp(w, "false")) {
		at = new_node(p, N_INT);
		p->r->node[at].number = w[0] == 't';
	} else if (w[0] == '-' || (w[0] >= '0' && w[0] <= '9')) {
		at = new_node(p, strchr(w, '.') ? N_FLOAT : N_INT);
		p->r->node[at].number = (int32_t)strtol(w, NULL, 10);
	} else {
		static const char vars[] = "xyzwu";
		at = new_node(p, N_VAR);
		p->r->node[at].index = (uint8_t)(strchr(vars, w[0]) - vars);
	}
	return at;
}

static uint8_t type_named(const char *s)
{
	char buf[8];

	if (!strcmp(s, "T"))
		return TYPE_ROOT;
	for (unsigned t = IR_B1; t < IR_BASE_COUNT; t++)
		if (!strcmp(ir_type_name((ir_type)t, buf), s))
			return (uint8_t)t;
	return TYPE_ANY;
}

static bool is_const_node(const struct node *n)
{
	return n->kind == N_BIND || n->kind == N_INT || n->kind == N_FLOAT;
}

/* Constants stand last in a commutative op, and equal operands need no second try. */
static void number_swap(struct fold_rule *r, struct node *n)
{
	const struct node *a = &r->node[n->child[0]], *b = &r->node[n->child[1]];

	if (!(ir_ops[n->op].fx & FX_COMM) || is_const_node(b))
		return;
	if (a->kind == N_VAR && b->kind == N_VAR && (a->index == b->index || n == &r->node[r->from]))
		return; /* two plain variables at the root: either order binds */
	n->swap = (int8_t)r->nswap++;
}

/* Operands nest two or three deep, so this recursion is bounded by the table itself. */
static uint8_t parse_form(struct parser *p, bool pattern)
{
	char w[24], *dot;

	while (*p->at == ' ')
		p->at++;
	if (*p->at != '(')
		return parse_atom(p);
	p->at++;
	word(p, w);
	uint8_t at = new_node(p, N_OP);
	dot = strchr(w, '.');
	if (dot) {
		*dot = 0;
		p->r->node[at].type = type_named(dot + 1);
	}
	p->r->node[at].op = op_named(p->set, w);
	while (*p->at != ')') {
		uint8_t c = parse_form(p, pattern);
		p->r->node[at].child[p->r->node[at].nchild++] = c;
		while (*p->at == ' ')
			p->at++;
	}
	p->at++;
	if (pattern)
		number_swap(p->r, &p->r->node[at]);
	return at;
}

static void compile(struct fold_rules *set, unsigned rule)
{
	struct fold_rule *r = &set->rule[rule];
	struct parser p = { set, r, text[rule].from };

	r->node = set->pool + set->used;
	r->from = 0;
	parse_form(&p, true);
	p.at = text[rule].to;
	r->to = parse_form(&p, false);
	set->used += r->nnode;
}

void fold_rules_compile(struct fold *f)
{
	struct fold_rules *set = f->rules = arena_new(f->scratch, struct fold_rules);

	for (unsigned op = 0; op < IR_OP_COUNT; op++) {
		uint16_t *head = &set->by_letter[(ir_ops[op].name[0] - 'a') & 31];
		set->next_op[op] = *head;
		*head = (uint16_t)(op + 1);
	}
	for (unsigned i = RULE_COUNT; i-- > 0;) {
		struct parser p = { set, NULL, text[i].from + 1 };
		char w[24];
		word(&p, w);
		if (strchr(w, '.'))
			*strchr(w, '.') = 0;
		uint16_t op = op_named(set, w);
		set->rule[i].next = set->first[op];
		set->first[op] = (uint16_t)(i + 1);
	}
}

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

/* ---- match */
static bool match(struct env *e, const struct fold_rule *r, uint8_t at, ir_id id, unsigned swaps)
{
	const struct node *n = &r->node[at];
	const struct ir_inst *in = &e->f->fn->inst[id];

	switch (n->kind) {
	case N_VAR:
		if (e->var[n->index])
			return e->var[n->index] == id;
		e->var[n->index] = id;
		return true;
	case N_BIND:
		if (in->op != IR_const || in->type >> 4)
			return false;
		if (e->ktype[n->index])
			return e->k[n->index] == in->imm && e->ktype[n->index] == in->type;
		e->k[n->index] = in->imm;
		e->ktype[n->index] = in->type;
		return true;
	case N_INT: case N_FLOAT:
		return in->op == IR_const && !(in->type >> 4) && ir_is_float(in->type) == (n->kind == N_FLOAT) &&
			in->imm == number_bits(n, in->type);
	default:
		break;
	}
	if (in->op != n->op || in->nargs8 != n->nchild || (n->type && n->type != in->type))
		return false;
	if (at != r->from && !e->inner)
		e->inner = id;
	unsigned swap = n->swap >= 0 && (swaps >> n->swap & 1);
	for (unsigned i = 0; i < n->nchild; i++)
		if (!match(e, r, n->child[i], in->a[i < 2 ? i ^ swap : i], swaps))
			return false;
	return true;
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
#define MAYBE_X (fold_maybe(e->f, e->var[0], 5))
#define MAYBE_Y (fold_maybe(e->f, e->var[1], 5))
#define FTZ (e->flags & IR_F_FTZ)
#define ONCE (fold_once(e->f, e->inner))
#define INNER_TYPE (e->f->fn->inst[e->inner].type)
#define HERE (e->f->fn->inst[e->inner].block == e->f->fn->inst[e->root].block)
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

/* Low and high word of one thing, as far as that shows. */
/* Does the sum v take the carry out of the sum `low`? */
static bool carries(const struct ir_fn *fn, const struct ir_inst *low, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v], *c = &fn->inst[i->a[0]];

	if (i->op == IR_iadd)
		return depth && (carries(fn, low, i->a[0], depth - 1) || carries(fn, low, i->a[1], depth - 1));
	return i->op == IR_zext && c->op == IR_carry && ((c->a[0] == low->a[0] && c->a[1] == low->a[1]) ||
							 (c->a[0] == low->a[1] && c->a[1] == low->a[0]));
}

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

/* A wave integer whose reading as a lane's bit will simplify. */
static bool ballot_like(const struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *in = &fn->inst[id];

	if (in->op == IR_inot)
		in = &fn->inst[in->a[0]];
	return in->op == IR_ballot || (in->op == IR_const && (in->imm == 0 || in->imm == fold_mask(in->type)));
}

static bool rule_holds(struct env *e, unsigned rule)
{
	switch (rule) {
#define RULE(name, from, to, cond, konst, why) case R_##name: \
		if (!(cond)) \
			return false; \
		e->out[0] = (uint64_t)(konst); \
		return true;
#include "fold_rules.def"
#undef RULE
	default:
		return false;
	}
}

/* ---- rewrite */
static ir_id build(struct env *e, const struct fold_rule *r, uint8_t at, ir_type expect);

/* Operands of a node; constants take the type that the signature or their siblings give. */
static ir_type build_args(struct env *e, const struct fold_rule *r, const struct node *n, ir_type type, ir_id *arg)
{
	struct ir_fn *fn = e->f->fn;
	const char *sig = strchr(ir_ops[n->op].sig, ':') + 1;
	ir_type own = IR_VOID, other = IR_VOID; /* of T and U operands */

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < n->nchild; i++) {
			uint8_t kind = r->node[n->child[i]].kind;
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

static ir_id build(struct env *e, const struct fold_rule *r, uint8_t at, ir_type expect)
{
	struct ir_fn *fn = e->f->fn;
	const struct node *n = &r->node[at];
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

static ir_id rewrite(struct env *e, const struct fold_rule *r)
{
	struct ir_fn *fn = e->f->fn;
	const struct node *n = &r->node[r->to];
	ir_id arg[3] = { 0, 0, 0 };

	if (n->kind != N_OP)
		return build(e, r, r->to, T);
	build_args(e, r, n, T, arg);
	struct ir_inst *in = &fn->inst[e->root];
	in->op = n->op;
	in->nargs8 = n->nchild;
	in->flags = (uint16_t)e->flags;
	in->imm = 0;
	in->sub = 0;
	for (unsigned i = 0; i < n->nchild; i++)
		in->a[i] = arg[i];
	fold_note_uses(e->f, e->root);
	return e->root;
}

static bool try_rule(struct fold *f, unsigned rule, ir_id id, struct env *e)
{
	const struct fold_rule *r = &f->rules->rule[rule];
	const struct ir_inst *in = &f->fn->inst[id];

	for (unsigned swaps = 0; swaps < 1u << r->nswap; swaps++) {
		memset(e, 0, sizeof(*e));
		e->f = f;
		e->root = id;
		if (!match(e, r, r->from, id, swaps))
			continue;
		/* A new float op behaves as the float op that it stands for. */
		bool from_inner = e->inner && ir_ops[in->op].cls != C_FLT && ir_ops[f->fn->inst[e->inner].op].cls == C_FLT;
		e->flags = from_inner ? f->fn->inst[e->inner].flags : in->flags;
		if (rule_holds(e, rule))
			return true;
	}
	return false;
}

ir_id fold_rules_apply(struct fold *f, ir_id id)
{
	struct fold_rules *set = f->rules;
	struct env e;

	if (f->fn->inst[id].type >> 4)
		return 0;
	for (unsigned i = set->first[f->fn->inst[id].op]; i; i = set->rule[i - 1].next) {
		if (!set->rule[i - 1].nnode)
			compile(set, i - 1);
		if (try_rule(f, i - 1, id, &e))
			return rewrite(&e, &set->rule[i - 1]);
	}
	return 0;
}
