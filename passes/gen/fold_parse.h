/* fold_parse.h - the rules of fold_rules.def as trees, for fold_gen.c. The language is described in fold_match.c. */
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
