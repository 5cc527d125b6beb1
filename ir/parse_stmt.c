/* One instruction line of IR text. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

static ir_id parse_float(struct parser *p, ir_type t)
{
	struct lex *l = &p->l;
	char buf[64];
	size_t n = 0;
	const char *start = l->at;
	uint64_t bits;
	char *end;

	/* a decimal or inf: word characters, signs inside exponents included */
	while (n < sizeof buf - 1 && *l->at && (strchr("+-.", *l->at) || (*l->at >= '0' && *l->at <= '9') ||
	       (*l->at >= 'a' && *l->at <= 'z')))
		buf[n++] = *l->at++;
	buf[n] = 0;
	if (lex_parse_u64((struct slice){ buf, n }, &bits) && n > 2 && buf[1] == 'x') {
		if (ir_bits(t) == 64 || !(bits >> ir_bits(t)))
			return ir_const(p->fn, t, bits);
		l->at = start;
		lex_fail(l, "constant does not fit its type");
	}
	/* strtod takes hexadecimal floats and nan too; their bits are better written as bits */
	double v = strtod(buf, &end);
	if (!n || *end || strpbrk(buf, "xnp") ? strcmp(buf, "inf") && strcmp(buf, "-inf") : false) {
		l->at = start;
		lex_fail(l, "bad floating-point constant");
	}
	return ir_const(p->fn, t, t == IR_F32 ? ir_float_bits(32, (double)strtof(buf, NULL)) : ir_float_bits(ir_bits(t), v));
}

static ir_id parse_const(struct parser *p, struct slice w)
{
	struct lex *l = &p->l;
	const char *at = w.s;
	ir_type t;

	if (lex_is(w, "undef")) {
		lex_need(l, ':');
		t = parse_type(p);
		if (t == IR_VOID)
			lex_fail(l, "no value has this type");
		return ir_undef(p->fn, t);
	}
	if (!ir_type_parse(w.s, w.n, &t) || ir_elems(t) != 1 || !ir_bits(t)) {
		l->at = at;
		lex_fail(l, "expected an operand");
	}
	lex_need(l, ':');
	if (ir_is_float(t))
		return parse_float(p, t);
	unsigned width = ir_bits(t);
	at = l->at;
	bool minus = lex_char(l, '-');
	uint64_t v = lex_number(l, "constant", minus ? 1ull << (width - 1) : UINT64_MAX >> (64 - width));
	return ir_const(p->fn, t, minus ? 0 - v : v);
}

static ir_id parse_value(struct parser *p)
{
	struct lex *l = &p->l;
	struct slice w;

	if (lex_char(l, '-'))
		return 0;
	if (lex_char(l, '%')) {
		const char *at = l->at;
		w = lex_need_word(l, "a value");
		uint32_t *v = names_find(&p->values, w);
		if (!v) {
			l->at = at;
			lex_fail(l, "value is never defined");
		}
		return *v;
	}
	lex_word(l, &w);
	if (!w.n)
		lex_fail(l, "expected an operand");
	return parse_const(p, w);
}

static void add_arg(struct parser *p, ir_id v, uint32_t label)
{
	p->args = arena_grow(p->l.arena, p->args, p->nargs, &p->args_cap, p->nargs + 1u, sizeof *p->args);
	p->arg_label = arena_grow(p->l.arena, p->arg_label, p->nargs, &p->label_cap, p->nargs + 1u, sizeof *p->arg_label);
	p->args[p->nargs] = v;
	p->arg_label[p->nargs++] = label;
}

static bool statement_ends(struct lex *l)
{
	return lex_end(l) || *l->at == '#' || *l->at == '!' || *l->at == '@';
}

/* Phi operands are `block value` or bare values in pred order. */
static bool parse_phi_operands(struct parser *p)
{
	struct lex *l = &p->l;
	bool labelled = false;

	while (!statement_ends(l)) {
		uint32_t label = IR_NO_BLOCK, *b;
		struct slice w;
		if (p->nargs)
			lex_need(l, ',');
		const char *at = l->at;
		if (lex_word(l, &w) && *l->at != ':' && (b = names_find(&p->labels, w)) != NULL)
			label = *b;
		else
			l->at = w.s;
		if (p->nargs && labelled != (label != IR_NO_BLOCK)) {
			l->at = at;
			lex_fail(l, "either all operands of a phi name their block, or none");
		}
		labelled = label != IR_NO_BLOCK;
		add_arg(p, parse_value(p), label);
	}
	return labelled;
}

static void parse_operands(struct parser *p, enum ir_op op, uint64_t *imm)
{
	struct lex *l = &p->l;
	bool first = true;

	if (op == IR_mget || op == IR_mset) {
		*imm = parse_marker_use(p);
		first = false;
	}
	while (!statement_ends(l)) {
		if (!first)
			lex_need(l, ',');
		first = false;
		add_arg(p, parse_value(p), 0);
	}
}

/* ---- terminators */
static void parse_sw(struct parser *p, uint32_t from)
{
	struct lex *l = &p->l;
	uint64_t *cases = NULL;
	size_t cap = 0;
	uint32_t n = 0;

	for (;;) {
		lex_need(l, ',');
		bool otherwise = lex_keyword(l, "else");
		uint64_t v = otherwise ? 0 : lex_number(l, "case", UINT64_MAX);
		lex_need(l, ':');
		uint32_t to = parse_block(p);
		ir_edge(p->fn, from, to);
		if (otherwise)
			break;
		cases = arena_grow(l->arena, cases, n, &cap, n + 1u, sizeof *cases);
		cases[n++] = v;
	}
	p->fn->block[from].cases = cases;
}

static void parse_targets(struct parser *p, enum ir_op op, uint32_t from)
{
	struct lex *l = &p->l;

	if (p->fn->block[from].nsucc)
		lex_fail(l, "the block has ended already");
	if (op == IR_br) {
		ir_edge(p->fn, from, parse_block(p));
		return;
	}
	if (op != IR_brc && op != IR_sw)
		return;
	add_arg(p, parse_value(p), 0);
	if (op == IR_sw) {
		parse_sw(p, from);
		return;
	}
	lex_need(l, ',');
	ir_edge(p->fn, from, parse_block(p));
	lex_need(l, ',');
	ir_edge(p->fn, from, parse_block(p));
}

/* ---- statements */
static unsigned image_sub(struct parser *p, struct slice part)
{
	unsigned v;

	if (text_find(text_image_bits, part.s, part.n, &v))
		return v;
	if (text_find(text_dims, part.s, part.n, &v))
		return IMG_DIM_KNOWN | v << IMG_DIM_SHIFT;
	lex_fail(&p->l, "unknown image operation part");
}

static uint16_t sub_part(struct parser *p, enum text_sub kind, struct slice part, unsigned at)
{
	unsigned v;
	uint64_t number;

	if (kind != SUB_NUMBER && kind != SUB_IMAGE) {
		const struct text_name *list = kind == SUB_SYSVAL ? text_sysvals : kind == SUB_ATOMIC ? text_atomics :
			at < 2 ? text_scopes : text_spaces;
		if (text_find(list, part.s, part.n, &v))
			return (uint16_t)(kind != SUB_BARRIER ? v : at < 2 ? v << 4 * at : v << 8);
	}
	if (at == 0 && lex_parse_u64(part, &number)) {
		if (number > 65535)
			lex_fail(&p->l, "number after the op's name is too large");
		return (uint16_t)number;
	}
	if (kind == SUB_IMAGE)
		return (uint16_t)image_sub(p, part);
	lex_fail(&p->l, "unknown text after the op's name");
}

static enum ir_op parse_op(struct parser *p, uint16_t *sub)
{
	const char *at = p->l.at;
	struct slice w = lex_need_word(&p->l, "an op");
	const char *dot = memchr(w.s, '.', w.n), *end = w.s + w.n;
	char name[16];
	size_t n = dot ? (size_t)(dot - w.s) : w.n;
	enum ir_op op = IR_OP_COUNT;

	if (n < sizeof name) {
		memcpy(name, w.s, n);
		name[n] = 0;
		op = ir_op_find(name);
	}
	if (op == IR_OP_COUNT || op == IR_const || op == IR_undef || op == IR_nop) {
		p->l.at = at;
		lex_fail(&p->l, "unknown op");
	}
	*sub = 0;
	for (unsigned i = 0; dot; i++) {
		const char *part = dot + 1;
		dot = memchr(part, '.', (size_t)(end - part));
		*sub |= sub_part(p, text_sub(op), (struct slice){ part, (size_t)((dot ? dot : end) - part) }, i);
	}
	return op;
}

static uint16_t parse_flag(struct parser *p)
{
	struct lex *l = &p->l;
	const char *at = l->at;
	struct slice w = lex_need_word(l, "a flag");
	uint64_t n;
	unsigned v;

	if (text_find(text_flags, w.s, w.n, &v))
		return (uint16_t)v;
	if (text_find(text_scopes, w.s, w.n, &v))
		return (uint16_t)(v << IR_F_SCOPE_SHIFT);
	if (w.n > 5 && !memcmp(w.s, "align", 5) && lex_parse_u64((struct slice){ w.s + 5, w.n - 5 }, &n))
		for (v = 0; v < 16; v++)
			if (n == 1u << v)
				return (uint16_t)(v << IR_F_ALIGN_SHIFT);
	if (lex_parse_u64(w, &n) && n <= 65535)
		return (uint16_t)n;
	l->at = at;
	lex_fail(l, "unknown flag");
}

static void set_args(struct parser *p, ir_id id)
{
	struct ir_inst *in = &p->fn->inst[id];

	if (p->nargs <= IR_INLINE_ARGS) {
		in->nargs8 = (uint8_t)p->nargs;
		memset(in->a, 0, sizeof in->a);
		if (p->nargs)
			memcpy(in->a, p->args, p->nargs * sizeof *in->a);
		return;
	}
	in->nargs8 = 255;
	in->x.ext = arena_array(p->l.arena, ir_id, p->nargs);
	in->x.count = in->x.cap = p->nargs;
	memcpy(in->x.ext, p->args, p->nargs * sizeof *in->a);
}

static void note_phi(struct parser *p, ir_id phi, const char *at)
{
	p->fix = arena_grow(p->l.arena, p->fix, p->nfix, &p->fix_cap, p->nfix + 1u, sizeof *p->fix);
	struct phi_fix *f = &p->fix[p->nfix++];
	*f = (struct phi_fix){ phi, arena_array(p->l.arena, uint32_t, p->nargs), at, p->l.line_start, p->l.line };
	memcpy(f->label, p->arg_label, p->nargs * sizeof *f->label);
}

void parse_stmt(struct parser *p, uint32_t block)
{
	struct lex *l = &p->l;
	struct ir_fn *fn = p->fn;
	const char *start = l->at;
	ir_type type = IR_VOID;
	ir_id id = 0;
	uint16_t sub, flags = 0;
	uint32_t addr = DIAG_NO_ADDR;
	uint64_t imm = 0;
	bool labelled = false;

	if (lex_char(l, '%')) {
		struct slice w = lex_need_word(l, "a value");
		id = *names_find(&p->values, w);
		lex_need(l, ':');
		type = parse_type(p);
		if (type == IR_VOID)
			lex_fail(l, "no value has this type");
		lex_need(l, '=');
	}
	enum ir_op op = parse_op(p, &sub);
	p->nargs = 0;
	if (ir_ops[op].fx & FX_TERM)
		parse_targets(p, op, block);
	else if (op == IR_phi)
		labelled = parse_phi_operands(p);
	else
		parse_operands(p, op, &imm);
	if (lex_char(l, '#')) {
		if (op == IR_mget || op == IR_mset)
			lex_fail(l, "a marker access has no other number");
		imm = (uint64_t)lex_signed(l, "immediate");
	}
	while (lex_char(l, '!'))
		flags |= parse_flag(p);
	if (lex_char(l, '@'))
		addr = (uint32_t)lex_number(l, "address", UINT32_MAX);
	if (id) {
		ir_set_op(fn, id, op);
		fn->inst[id].type = type;
		ir_append(fn, id, block);
	} else {
		fn->at = block;
		id = ir_op0(fn, op, IR_VOID);
	}
	set_args(p, id);
	fn->inst[id].sub = sub;
	fn->inst[id].flags = flags;
	fn->inst[id].addr = addr;
	fn->inst[id].imm = imm;
	if (labelled)
		note_phi(p, id, start);
	lex_eol(l);
}
