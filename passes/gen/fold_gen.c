/* fold_gen.c - writes fold_table.h, the matcher of fold_rules.def as C. Runs on the building machine, as a step of the build.
 *
 * The rule language is described in fold_match.c. Each rule becomes straight-line checks, so that nothing is parsed or
 * interpreted at translation time. Per root op the rules are *entries* (two where the root's operands may stand in both orders),
 * numbered in the order in which they are tried. A root operand has a *kind* (fold.h): its op, or which constant it is; for
 * each operand and kind a bit set says which entries could match. The sets are ANDed, and only the entries left are tried.
 * What a condition asks of the type or of a constant's kind (`claims`) is in these sets, too. Further entries, behind those of the
 * rules, stand for what else could be done: evaluation, and what fold_specials.def knows.
 *
 * The order of the table and, within a rule, the order of the choices are kept: of the commutative ops of a pattern, the root's
 * choice moves slowest, then those of its last operand, and the given order comes before the exchanged one.
 */
#include "fold_parse.h"

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
	printf("\tif (set >> %u & 1)\n\t\tdo { /* %s: %s */\n", number, r->name, r->from);
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
	printf("\t\t} while (0);\n");
}

/* ---- which entries could match */
static unsigned kind_of[IR_OP_COUNT], nkind = FOLD_FIRST_OP;
static bool is_b1[FOLD_KINDS] = { [FOLD_FALSE] = true, [FOLD_TRUE] = true, [FOLD_OTHER_B1] = true };

static const char *const evals[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) #eval,
#include "../../ir/ops.def"
#undef OP
};

/* By op: a function of fold_misc.c, and when it has something to say. */
static const struct special { const char *function, *where; } specials[IR_OP_COUNT] = {
#define SPECIAL(op, function, at, where) [IR_##op] = { #function, where },
#include "../fold_specials.def"
#undef SPECIAL
};

/* Kinds of an op that is asked for: one, or a second for values of type b1. */
static bool may_be_b1(unsigned op)
{
	return ir_ops[op].sig[0] == 'b' || (ir_ops[op].sig[0] == 'T' && (ir_ops[op].cls == C_INTB || ir_ops[op].cls == C_ANY));
}

static bool may_be_other(unsigned op)
{
	return ir_ops[op].sig[0] != 'b';
}

static void ask_for(unsigned op)
{
	if (kind_of[op])
		return;
	kind_of[op] = nkind;
	nkind += may_be_other(op);
	if (may_be_b1(op) && nkind < FOLD_KINDS)
		is_b1[nkind++] = true;
	if (nkind >= FOLD_KINDS)
		die(&rules[0], "too many ops below roots");
}

/* As fold_kind_of has it: of a b1 it is one more than this. */
static unsigned kind_without_b1(unsigned op)
{
	if (!kind_of[op])
		return FOLD_OTHER;
	return may_be_other(op) ? kind_of[op] : kind_of[op] - 1;
}

static bool is_kind(unsigned k, unsigned op)
{
	return (may_be_other(op) && k == kind_without_b1(op)) || (may_be_b1(op) && k == kind_without_b1(op) + 1);
}

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
	case N_OP: return is_kind(k, n->op);
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

/* ---- what else could be done: alternatives of what the operands must be, as in fold_specials.def */
static bool word_accepts(const char *w, unsigned k)
{
	char copy[64];

	if (*w == '_')
		return true;
	if (*w == '#')
		return k < FOLD_OTHER;
	snprintf(copy, sizeof(copy), "%s", w);
	for (char *op = strtok(copy, ","); op; op = strtok(NULL, ","))
		if (is_kind(k, ir_op_find(op)))
			return true;
	return false;
}

/* Splits off the first alternative: a word per operand. Returns how many words, and where the next one begins, NULL at the end. */
static unsigned alternative(const char **where, char words[3][64])
{
	unsigned n = 0;
	int length;

	while (n < 3 && sscanf(*where, " %63[^ |]%n", words[n], &length) == 1) {
		*where += length;
		n++;
	}
	const char *more = strchr(*where, '|');
	*where = more ? more + 1 : NULL;
	return n;
}

static void ask_for_all(const char *where)
{
	char words[3][64];

	while (where)
		for (unsigned n = alternative(&where, words); n-- > 0;)
			for (char *op = strtok(words[n], ","); op; op = strtok(NULL, ","))
				if (*op != '_' && *op != '#') {
					if (ir_op_find(op) == IR_OP_COUNT)
						die(&rules[0], "unknown op in fold_specials.def");
					ask_for(ir_op_find(op));
				}
}

static void kinds(void)
{
	for (unsigned i = 0; i < RULE_COUNT; i++) {
		const struct node *root = &rules[i].node[rules[i].root];
		for (unsigned k = 0; k < root->nchild; k++) {
			const struct node *c = &rules[i].node[root->child[k]];
			if (c->kind == N_OP)
				ask_for(c->op);
		}
	}
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		ask_for_all(specials[op].where);
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

static bool entry_accepts(const struct entry *e, unsigned pos, unsigned k)
{
	const struct node *root = &e->r->node[e->r->root];
	unsigned of = pos < 2 ? pos ^ e->exchanged : pos;
	int b1 = claimed_b1(e->r);

	if (of >= root->nchild)
		return true;
	if (pos == root->nchild - 1 && b1 >= 0 && b1 != is_b1[k])
		return false;
	const struct node *child = &e->r->node[root->child[of]];
	return accepts(child, k) && !claimed_not(e->r, child, k);
}

static unsigned operand_count(unsigned op)
{
	return (unsigned)strlen(strchr(ir_ops[op].sig, ':') + 1);
}

static bool has_eval(unsigned op)
{
	return !(ir_ops[op].fx & ~(uint32_t)(FX_COMM | FX_CONV)) && operand_count(op) && strcmp(evals[op], "NOEVAL");
}

/* The last entry may be several things. */
static fold_set entry_bit(unsigned number)
{
	return (fold_set)1 << (number < MAX_ENTRIES ? number : MAX_ENTRIES - 1);
}

/* An operand of that kind leaves: evaluation, of an op with `n` entries for rules, ... */
static fold_set left_to_eval(unsigned op, unsigned n, unsigned pos, unsigned k)
{
	return has_eval(op) && (pos >= operand_count(op) || k < FOLD_OTHER) ? entry_bit(n) : 0;
}

/* ... and special cases. */
static fold_set left_to_specials(unsigned op, unsigned n, unsigned pos, unsigned k)
{
	char words[3][64];
	fold_set set = 0;

	n += has_eval(op);
	for (const char *where = specials[op].where; where; n++) {
		unsigned nwords = alternative(&where, words);
		if (pos >= nwords || word_accepts(words[pos], k))
			set |= entry_bit(n);
	}
	return set;
}

/* Others share one that leaves nothing, that of the first op. */
static bool has_filter(unsigned op)
{
	struct entry list[MAX_ENTRIES];

	return entries_of(op, list) || has_eval(op) || specials[op].function;
}

static void filter(unsigned op, const struct entry *list, unsigned n)
{
	fold_set eval = left_to_eval(op, n, 3, FOLD_OTHER), special = left_to_specials(op, n, 3, FOLD_OTHER), differ = eval | special;

	for (unsigned i = 0; i < n; i++)
		differ |= wants_same(list[i].r) ? 0 : entry_bit(i);
	printf("static const struct fold_filter filter_%s = { { {", ir_ops[op].name);
	for (unsigned at = 0; at < 3 * FOLD_KINDS; at++) {
		unsigned pos = at / FOLD_KINDS, k = at % FOLD_KINDS;
		fold_set set = left_to_eval(op, n, pos, k) | left_to_specials(op, n, pos, k);
		for (unsigned i = 0; i < n; i++)
			set |= entry_accepts(&list[i], pos, k) ? entry_bit(i) : 0;
		printf("%s0x%x,", k % 8 ? " " : pos && !k ? "\n}, {\n\t" : "\n\t", set);
	}
	printf("\n} }, 0x%x, 0x%x, 0x%x, 0x%x };\n\n", differ, eval, n ? (entry_bit(n - 1) << 1) - 1 : 0, special);
}

/* ---- what a visit has to look at */
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
	if (op == IR_ldbuf || op == IR_ldtab || op == IR_ldptr)
		t |= FOLD_LOADS;
	if (t & FOLD_LOADS || op == IR_bitcast || op == IR_inot || op == IR_sysval || op == IR_ldin)
		t |= FOLD_OPEN;
	if (specials[op].function)
		t |= FOLD_SPECIAL;
	return t | kind_without_b1(op) << FOLD_KIND_SHIFT;
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
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (!op || has_filter(op))
			filter(op, list, entries_of(op, list));
	printf("const struct fold_filter *const fold_filters[IR_OP_COUNT] = {\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		printf("\t[IR_%s] = &filter_%s,\n", ir_ops[op].name, ir_ops[has_filter(op) ? op : 0].name);
	printf("};\n\n#define IF(c) if (!(c)) continue;\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++) {
		unsigned n = entries_of(op, list);
		if (!n)
			continue;
		printf("static unsigned match_%s(struct env *e, const struct ir_inst *I, const struct ir_inst *in, fold_set set)\n{\n",
			ir_ops[op].name);
		printf("\t(void)I;\n");
		for (unsigned i = 0; i < n; i++)
			entry(i, list[i].r, list[i].exchanged);
		printf("\treturn 0;\n}\n\n");
	}
	printf("#undef IF\n\nstatic matcher *const matchers[IR_OP_COUNT] = {\n");
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (entries_of(op, list))
			printf("\t[IR_%s] = match_%s,\n", ir_ops[op].name, ir_ops[op].name);
	printf("};\n");
	return fflush(stdout) || ferror(stdout);
}
