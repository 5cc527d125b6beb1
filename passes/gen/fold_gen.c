/* fold_gen.c - writes fold_table.h, the matcher of fold_rules.def as C. Runs on the building machine, as a step of the build.
 *
 * The rule language is described in fold_match.c. Each rule becomes straight-line checks, so that nothing is parsed or
 * interpreted at translation time. Per root op the rules are *entries* (two where the root's operands may stand in both orders),
 * numbered in the order in which they are tried. A root operand has a *kind* (fold.h): its op, or which constant it is; for
 * each operand and kind a bit set says which entries could match. The sets are ANDed, and only the entries left are tried.
 * What a condition asks of the type or of a constant's kind (`claims`) is in these sets, too.
 *
 * The order of the table and, within a rule, the order of the choices are kept: of the commutative ops of a pattern, the root's
 * choice moves slowest, then those of its last operand, and the given order comes before the exchanged one.
 */
#include "../fold.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 24, MAX_ENTRIES = 8 * sizeof(fold_set), MAX_VARS = 5, MAX_CONSTS = 3 };
enum kind { N_VAR, N_BIND, N_INT, N_FLOAT, N_COMPUTED, N_OP };
static const char *const kind_names[] = { "N_VAR", "N_BIND", "N_INT", "N_FLOAT", "N_COMPUTED", "N_OP" };
enum { TYPE_ANY = 0, TYPE_ROOT = 255 };

struct node {
	enum kind kind;
	unsigned index, type, op, nchild, child[3];
	int number;
	int swap; /* the operands may stand in both orders */
};

struct rule {
	const char *name, *from, *to, *cond;
	struct node node[MAX_NODES];
	unsigned nnode, root, result;
};

static struct rule rules[] = {
#define RULE(n, f, t, when, k, why) { .name = #n, .from = f, .to = t, .cond = #when },
#include "../fold_rules.def"
#undef RULE
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

static void die(const struct rule *r, const char *why)
{
	fprintf(stderr, "fold_rules.def: %s: %s\n", r->name, why);
	exit(1);
}

/* ---- parse */
static unsigned new_node(struct rule *r, enum kind kind)
{
	if (r->nnode == MAX_NODES)
		die(r, "too many nodes");
	r->node[r->nnode].kind = kind;
	return r->nnode++;
}

static void word(const char **at, char buf[24])
{
	unsigned n = 0;

	while (**at && !strchr(" ()", **at) && n < 23)
		buf[n++] = *(*at)++;
	buf[n] = 0;
}

static unsigned parse_atom(struct rule *r, const char **at)
{
	static const char vars[] = "xyzwu";
	char w[24];
	unsigned k;

	word(at, w);
	if (w[0] == '#') {
		k = new_node(r, N_BIND);
		r->node[k].index = (unsigned)(w[1] - 'a');
		if (r->node[k].index >= MAX_CONSTS)
			die(r, "unknown constant");
	} else if (w[0] == '$' || w[0] == '%') {
		k = new_node(r, N_COMPUTED);
		r->node[k].index = w[0] == '%';
	} else if (!strcmp(w, "true") || !strcmp(w, "false")) {
		k = new_node(r, N_INT);
		r->node[k].number = w[0] == 't';
	} else if (w[0] == '-' || (w[0] >= '0' && w[0] <= '9')) {
		k = new_node(r, strchr(w, '.') ? N_FLOAT : N_INT);
		r->node[k].number = (int)strtol(w, NULL, 10);
	} else {
		k = new_node(r, N_VAR);
		if (!w[0] || !strchr(vars, w[0]))
			die(r, "unknown variable");
		r->node[k].index = (unsigned)(strchr(vars, w[0]) - vars);
	}
	return k;
}

static unsigned type_named(const struct rule *r, const char *s)
{
	char buf[8];

	if (!strcmp(s, "T"))
		return TYPE_ROOT;
	for (unsigned t = IR_B1; t < IR_BASE_COUNT; t++)
		if (!strcmp(ir_type_name((ir_type)t, buf), s))
			return t;
	die(r, "unknown type");
	return TYPE_ANY;
}

/* Constants stand last in a commutative op, and equal operands need no second try. */
static bool may_swap(const struct rule *r, unsigned at)
{
	const struct node *n = &r->node[at], *a = &r->node[n->child[0]], *b = &r->node[n->child[1]];

	if (!(ir_ops[n->op].fx & FX_COMM) || b->kind == N_BIND || b->kind == N_INT || b->kind == N_FLOAT)
		return false;
	/* two plain variables at the root: either order binds */
	return !(a->kind == N_VAR && b->kind == N_VAR && (a->index == b->index || at == 0));
}

/* Operands nest two or three deep: the table bounds this recursion. */
static unsigned parse_form(struct rule *r, const char **at, bool pattern)
{
	char w[24], *dot;
	unsigned k;

	while (**at == ' ')
		++*at;
	if (**at != '(')
		return parse_atom(r, at);
	++*at;
	word(at, w);
	k = new_node(r, N_OP);
	dot = strchr(w, '.');
	if (dot) {
		*dot = 0;
		r->node[k].type = type_named(r, dot + 1);
	}
	r->node[k].op = ir_op_find(w);
	if (r->node[k].op == IR_OP_COUNT)
		die(r, "unknown op");
	while (**at != ')') {
		if (!**at || r->node[k].nchild == 3)
			die(r, "malformed");
		unsigned c = parse_form(r, at, pattern);
		r->node[k].child[r->node[k].nchild++] = c;
		while (**at == ' ')
			++*at;
	}
	++*at;
	r->node[k].swap = pattern && may_swap(r, k);
	return k;
}

static void parse(struct rule *r)
{
	const char *at = r->from;

	r->root = parse_form(r, &at, true);
	if (r->node[r->root].kind != N_OP)
		die(r, "a pattern starts with an op");
	at = r->to;
	r->result = parse_form(r, &at, false);
}

/* ---- checks of one entry, as C */
struct out {
	const struct rule *r;
	unsigned loops, exchanged; /* exchanged: the root's choice */
	unsigned inner;            /* first op below the root, in the order of the pattern; 0 none */
	unsigned vars, consts;     /* bit sets of what is bound */
};

static void leaf(struct out *o, unsigned at)
{
	const struct node *n = &o->r->node[at];
	unsigned bit = 1u << n->index;

	switch (n->kind) {
	case N_VAR:
		if (o->vars & bit)
			printf("\t\t\tIF(v%u == n%u)\n", n->index, at);
		else
			printf("\t\t\tconst ir_id v%u = n%u;\n", n->index, at);
		o->vars |= bit;
		break;
	case N_BIND:
		if (o->consts & bit)
			printf("\t\t\tIF(same_const(&I[k%u], &I[n%u]))\n", n->index, at);
		else
			printf("\t\t\tconst ir_id k%u = n%u;\n\t\t\tIF(is_scalar_const(&I[n%u]))\n", n->index, at, at);
		o->consts |= bit;
		break;
	default:
		printf("\t\t\tIF(%s(&I[n%u], %d))\n", n->kind == N_INT ? "is_int" : "is_float", at, n->number);
		break;
	}
}

/* Operands: plain ones first, as they cost least; then ops, the last first, which is the order of choices. */
static void operands(struct out *o, unsigned at);

static void check_op(struct out *o, unsigned at)
{
	const struct node *n = &o->r->node[at];

	printf("\t\t\tconst struct ir_inst *const p%u = &I[n%u];\n", at, at);
	printf("\t\t\tIF(p%u->op == IR_%s && p%u->nargs8 == %u)\n", at, ir_ops[n->op].name, at, n->nchild);
	if (n->type)
		printf("\t\t\tIF(p%u->type == %u)\n", at, n->type);
	if (n->swap) {
		printf("\t\t\tfor (unsigned s%u = 0; s%u < 2; s%u++) {\n", at, at, at);
		o->loops++;
	}
	operands(o, at);
}

static void operands(struct out *o, unsigned at)
{
	const struct node *n = &o->r->node[at];

	for (unsigned i = 0; i < n->nchild; i++) {
		if (at == o->r->root)
			printf("\t\t\tconst ir_id n%u = in->a[%u];\n", n->child[i], i < 2 ? i ^ o->exchanged : i);
		else if (n->swap && i < 2)
			printf("\t\t\tconst ir_id n%u = p%u->a[%s s%u];\n", n->child[i], at, i ? "1 -" : "", at);
		else
			printf("\t\t\tconst ir_id n%u = p%u->a[%u];\n", n->child[i], at, i);
	}
	for (unsigned i = 0; i < n->nchild; i++)
		if (o->r->node[n->child[i]].kind != N_OP)
			leaf(o, n->child[i]);
	for (unsigned i = n->nchild; i-- > 0;)
		if (o->r->node[n->child[i]].kind == N_OP)
			check_op(o, n->child[i]);
}

static void entry(unsigned number, const struct rule *r, unsigned exchanged)
{
	struct out o = { .r = r, .exchanged = exchanged };

	for (unsigned i = 1; i < r->nnode && !o.inner; i++) /* nodes stand in the order of the text */
		if (r->node[i].kind == N_OP && i < r->result)
			o.inner = i;
	printf("\t\tcase %u: do { /* %s: %s */\n", number, r->name, r->from);
	if (r->node[r->root].type)
		printf("\t\t\tIF(in->type == %u)\n", r->node[r->root].type);
	operands(&o, r->root);
	for (unsigned i = 0; i < MAX_VARS; i++)
		if (o.vars >> i & 1)
			printf("\t\t\te->var[%u] = v%u;\n", i, i);
	for (unsigned i = 0; i < MAX_CONSTS; i++)
		if (o.consts >> i & 1)
			printf("\t\t\te->k[%u] = I[k%u].imm;\n\t\t\te->ktype[%u] = I[k%u].type;\n", i, i, i, i);
	if (o.inner)
		printf("\t\t\tset_inner(e, I, in, n%u);\n", o.inner);
	else
		printf("\t\t\tno_inner(e, in);\n");
	printf("\t\t\tif (holds_%s(e))\n\t\t\t\treturn 1 + R_%s;\n", r->name, r->name);
	for (unsigned i = 0; i < o.loops; i++)
		printf("\t\t\t}\n");
	printf("\t\t} while (0);\n\t\tbreak;\n");
}

/* ---- which entries could match */
static unsigned kind_of[IR_OP_COUNT], nkind = FOLD_FIRST_OP;

static bool accepts_int(int number, unsigned k)
{
	if (k == FOLD_FALSE || k == FOLD_TRUE) /* -1 is 1 in a b1 */
		return (k == FOLD_TRUE) == (number != 0);
	return number == 0 ? k == FOLD_ZERO : number == 1 ? k == FOLD_ONE : k == FOLD_COUNT || k == FOLD_WORD;
}

static bool accepts(const struct node *n, unsigned k)
{
	switch (n->kind) {
	case N_VAR: return true;
	case N_OP: return kind_of[n->op] == k;
	case N_INT: return accepts_int(n->number, k);
	case N_FLOAT: return k == FOLD_PLAIN; /* 1.0 and the like */
	default: return k < FOLD_OTHER;
	}
}

/* ---- what a condition asks for by itself, as a part of it */
static bool claims(const struct rule *r, const char *what)
{
	size_t n = strlen(what);

	if (strstr(r->cond, "||"))
		return false;
	for (const char *at = r->cond; at; at = strstr(at, " && ")) {
		at += at == r->cond ? 0 : 4;
		if (!strncmp(at, what, n) && (!at[n] || !strncmp(at + n, " && ", 4)))
			return true;
	}
	return false;
}

/* Constant A, which is an operand of the root and of its type, is of a kind that the condition does not allow. */
static bool claimed_not(const struct rule *r, const struct node *n, unsigned k)
{
	if (n->kind != N_BIND || n->index)
		return false;
	if (claims(r, "A") && (k == FOLD_FALSE || k == FOLD_ZERO))
		return true;
	return !strcmp(ir_ops[r->node[r->root].op].sig, "T:TT") && claims(r, "A >= W") &&
	       (k == FOLD_ZERO || k == FOLD_ONE || k == FOLD_COUNT);
}

/* Must the type of the root's last operand be b1 (1), must it not (0), or does nothing say so (-1)? */
static int claimed_b1(const struct rule *r)
{
	const struct node *root = &r->node[r->root], *x = &r->node[root->child[0]];
	const char *sig = ir_ops[root->op].sig, *arg = strchr(sig, ':') + 1;
	char last = arg[root->nchild - 1];

	if (last == 'T' && sig[0] == 'T' && (claims(r, "T == IR_B1") || claims(r, "T != IR_B1") || claims(r, "W > 1")))
		return claims(r, "T == IR_B1");
	if (arg[0] == last && x->kind == N_VAR && !x->index && (claims(r, "TX == IR_B1") || claims(r, "TX != IR_B1")))
		return claims(r, "TX == IR_B1");
	return -1;
}

static void kinds(void)
{
	for (unsigned i = 0; i < RULE_COUNT; i++) {
		const struct node *root = &rules[i].node[rules[i].root];
		for (unsigned k = 0; k < root->nchild; k++) {
			const struct node *c = &rules[i].node[root->child[k]];
			if (c->kind == N_OP && !kind_of[c->op])
				kind_of[c->op] = nkind++;
		}
	}
	if (nkind > FOLD_KINDS)
		die(&rules[0], "too many ops below roots");
}

struct entry {
	const struct rule *r;
	unsigned exchanged;
};

static unsigned entries_of(unsigned op, struct entry *list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < RULE_COUNT; i++) {
		const struct node *root = &rules[i].node[rules[i].root];
		for (unsigned s = 0; root->op == op && s < 1u + (root->swap != 0); s++) {
			if (n == MAX_ENTRIES)
				die(&rules[i], "too many rules of one op");
			list[n++] = (struct entry){ &rules[i], s };
		}
	}
	return n;
}

/* Does the rule want one value as the last two operands? */
static bool wants_same(const struct rule *r)
{
	const struct node *root = &r->node[r->root];

	if (root->nchild < 2)
		return false;
	const struct node *a = &r->node[root->child[root->nchild - 2]], *b = &r->node[root->child[root->nchild - 1]];
	return a->kind == N_VAR && b->kind == N_VAR && a->index == b->index;
}

/* Entries for roots whose last two operands are, or are not, one value, of which the last is, or is not, of type b1. */
static unsigned long long by_last(const struct entry *list, unsigned n, bool same, int b1)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < n; i++)
		if ((same || !wants_same(list[i].r)) && claimed_b1(list[i].r) != !b1)
			set |= 1ull << i;
	return set;
}

static void filter(unsigned op, const struct entry *list, unsigned n)
{
	printf("static const struct fold_filter filter_%s = { { {", ir_ops[op].name);
	for (unsigned at = 0; at < 3 * FOLD_KINDS; at++) {
		unsigned pos = at / FOLD_KINDS, c = at % FOLD_KINDS;
		uint64_t set = 0;
		for (unsigned i = 0; i < n; i++) {
			const struct node *root = &list[i].r->node[list[i].r->root];
			unsigned k = pos < 2 ? pos ^ list[i].exchanged : pos;
			const struct node *child = &list[i].r->node[root->child[k]];
			if (k >= root->nchild || (accepts(child, c) && !claimed_not(list[i].r, child, c)))
				set |= 1ull << i;
		}
		printf("%s0x%llx,", c % 8 ? " " : pos && !c ? "\n}, {\n\t" : "\n\t", (unsigned long long)set);
	}
	printf("\n} }, { { 0x%llx, 0x%llx }, { 0x%llx, 0x%llx } }, %u };\n\n", by_last(list, n, false, 0), by_last(list, n, false, 1),
		by_last(list, n, true, 0), by_last(list, n, true, 1), list[0].r->node[list[0].r->root].nchild);
}

/* ---- what a visit has to look at */
static const char *const evals[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) #eval,
#include "../../ir/ops.def"
#undef OP
};

static const char *const specials[IR_OP_COUNT] = {
#define SPECIAL(op, function, at) [IR_##op] = #function,
#include "../fold_specials.def"
#undef SPECIAL
};

static unsigned traits_of(unsigned op)
{
	uint32_t fx = ir_ops[op].fx, other = fx & ~(uint32_t)(FX_COMM | FX_CONV), local = fx & (FX_CROSS | FX_PHI);
	unsigned t = 0;

	if (fx & FX_COMM)
		t |= FOLD_COMM;
	if (!other)
		t |= FOLD_PURE;
	if (other == local && op != IR_nop)
		t |= FOLD_NUMBER;
	if (local)
		t |= FOLD_LOCAL;
	if (local || op == IR_inot)
		t |= FOLD_AROUND;
	if (ir_ops[op].cls == C_FLT)
		t |= FOLD_FLOAT;
	if (op == IR_select || op == IR_readfirst || (fx & (FX_MASK | FX_CROSS)) == FX_MASK)
		t |= FOLD_MASK;
	if (op == IR_iand || op == IR_ior)
		t |= FOLD_LOGIC;
	if (!other && ir_ops[op].sig[2] && strcmp(evals[op], "NOEVAL"))
		t |= FOLD_EVAL;
	if (op == IR_ldbuf || op == IR_ldtab || op == IR_ldptr)
		t |= FOLD_LOADS;
	if (t & FOLD_LOADS || op == IR_bitcast || op == IR_inot || op == IR_sysval || op == IR_ldin)
		t |= FOLD_OPEN;
	if (specials[op])
		t |= FOLD_SPECIAL;
	return t | (kind_of[op] ? kind_of[op] : FOLD_OTHER) << FOLD_KIND_SHIFT;
}

static void traits(void)
{
	printf("const uint32_t fold_traits[IR_OP_COUNT] = {\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		printf("\t[IR_%s] = 0x%x,\n", ir_ops[op].name, traits_of(op));
	printf("};\n\n");
}

/* ---- the file */
static void replacements(void)
{
	unsigned at = 0;

	printf("static const struct node result_nodes[] = {\n");
	for (unsigned i = 0; i < RULE_COUNT; i++) {
		const struct rule *r = &rules[i];
		for (unsigned k = r->result; k < r->nnode; k++) {
			const struct node *n = &r->node[k];
			unsigned c[3] = { 0, 0, 0 };
			for (unsigned j = 0; j < n->nchild; j++)
				c[j] = n->child[j] - r->result;
			printf("\t{ %s, %u, %u, %u, IR_%s, { %u, %u, %u }, %d },\n", kind_names[n->kind], n->index, n->type, n->nchild,
				ir_ops[n->op].name, c[0], c[1], c[2], n->number);
		}
	}
	printf("};\n\nstatic const uint16_t result_at[] = {\n");
	for (unsigned i = 0; i < RULE_COUNT; i++) {
		printf("\t[R_%s] = %u,\n", rules[i].name, at);
		at += rules[i].nnode - rules[i].result;
	}
	printf("};\n\n");
}

int main(void)
{
	struct entry list[MAX_ENTRIES];

	printf("/* Made by fold_gen.c from fold_rules.def. */\n");
	for (unsigned i = 0; i < RULE_COUNT; i++)
		parse(&rules[i]);
	kinds();
	traits();
	replacements();
	for (unsigned op = 0; op < IR_OP_COUNT; op++) {
		unsigned n = entries_of(op, list);
		if (n)
			filter(op, list, n);
	}
	printf("const struct fold_filter *const fold_filters[IR_OP_COUNT] = {\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (entries_of(op, list))
			printf("\t[IR_%s] = &filter_%s,\n", ir_ops[op].name, ir_ops[op].name);
	printf("};\n\n#define IF(c) if (!(c)) continue;\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++) {
		unsigned n = entries_of(op, list);
		if (!n)
			continue;
		printf("static unsigned match_%s(struct env *e, const struct ir_inst *I, const struct ir_inst *in, fold_set set)\n{\n",
			ir_ops[op].name);
		printf("\t(void)I;\n\tfor (; set; set &= set - 1)\n\t\tswitch (__builtin_ctzll(set)) {\n");
		for (unsigned i = 0; i < n; i++)
			entry(i, list[i].r, list[i].exchanged);
		printf("\t\t}\n\treturn 0;\n}\n\n");
	}
	printf("#undef IF\n\nstatic matcher *const matchers[IR_OP_COUNT] = {\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (entries_of(op, list))
			printf("\t[IR_%s] = match_%s,\n", ir_ops[op].name, ir_ops[op].name);
	printf("};\n");
	return fflush(stdout) || ferror(stdout);
}
