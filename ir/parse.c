/* Text to function. The text is hostile: names are looked up, numbers bounded, memory follows the length of the text
 * (and the arena's limit). Only the form is checked here; ir_verify checks the meaning. */
#include "parse.h"

#include <string.h>

static void parse_label(struct parser *p, uint32_t block)
{
	struct lex *l = &p->l;

	for (;;) {
		struct ir_block *b = &p->fn->block[block];
		if (lex_keyword(l, "preds")) {
			uint32_t *list = NULL, n = 0;
			size_t cap = 0;
			lex_need(l, '(');
			do {
				list = arena_grow(l->arena, list, n, &cap, n + 1u, sizeof *list);
				list[n++] = parse_block(p);
			} while (lex_char(l, ','));
			lex_need(l, ')');
			p->preds[block] = list;
			p->npreds[block] = n;
		} else if (lex_keyword(l, "loop")) {
			b->merge = MERGE_LOOP;
			lex_need(l, '(');
			b->merge_block = parse_block(p);
			lex_need(l, ',');
			b->continue_block = parse_block(p);
			lex_need(l, ')');
		} else if (lex_keyword(l, "selection")) {
			b->merge = MERGE_SELECTION;
			lex_need(l, '(');
			b->merge_block = parse_block(p);
			lex_need(l, ')');
		} else if (lex_char(l, '@')) {
			b->addr = (uint32_t)lex_number(l, "address", UINT32_MAX);
		} else {
			break;
		}
	}
	lex_eol(l);
}

/* First sweep: which line starts a block or defines a value, so that both may be named before their line. */
static void prescan(struct parser *p)
{
	struct lex save = p->l, *l = &p->l;
	struct slice w;

	while (*l->at) {
		if (lex_char(l, '%')) {
			if (!p->fn->nblock)
				lex_fail(l, "a statement before the first block");
			const char *at = l->at;
			w = lex_need_word(l, "a value");
			p->fn->at = 0;
			ir_id id = ir_op0(p->fn, IR_nop, IR_VOID);
			ir_remove(p->fn, id);
			if (!names_add(l->arena, &p->values, w, id)) {
				l->at = at;
				lex_fail(l, "value defined twice");
			}
		} else if (lex_word(l, &w) && *l->at == ':') {
			if (!names_add(l->arena, &p->labels, w, p->fn->nblock)) {
				l->at = w.s;
				lex_fail(l, "block defined twice");
			}
			ir_block_new(p->fn);
		}
		while (*l->at && *l->at != '\n')
			l->at++;
		lex_eol(l);
	}
	p->l = save;
}

static void parse_body(struct parser *p)
{
	struct lex *l = &p->l;
	uint32_t block = IR_NO_BLOCK, next = 0;
	struct slice w;

	p->preds = arena_array(l->arena, uint32_t *, p->fn->nblock + 1u);
	p->npreds = arena_array(l->arena, uint32_t, p->fn->nblock + 1u);
	while (*l->at) {
		const char *at = l->at;
		if (lex_word(l, &w) && *l->at == ':') {
			l->at++;
			block = next++;
			parse_label(p, block);
			continue;
		}
		l->at = at;
		if (block == IR_NO_BLOCK)
			lex_fail(l, "expected a block");
		parse_stmt(p, block);
	}
	if (!p->fn->nblock)
		lex_fail(l, "a function has at least one block");
}

static void apply_preds(struct parser *p)
{
	struct ir_fn *fn = p->fn;
	uint32_t *count = arena_array(p->l.arena, uint32_t, fn->nblock + 1u);

	for (uint32_t i = 0; i < fn->nblock; i++) {
		struct ir_block *b = &fn->block[i];
		bool same = b->npred == p->npreds[i];
		if (!p->preds[i])
			continue;
		for (uint32_t k = 0; k < b->npred; k++)
			count[b->pred[k]]++;
		for (uint32_t k = 0; same && k < b->npred; k++)
			same = count[p->preds[i][k]]-- > 0;
		for (uint32_t k = 0; k < b->npred; k++)
			count[b->pred[k]] = 0;
		if (!same)
			lex_fail(&p->l, "preds() of a block is not the list of blocks that branch to it");
		memcpy(b->pred, p->preds[i], b->npred * sizeof *b->pred);
	}
}

static void fix_phis(struct parser *p)
{
	struct ir_fn *fn = p->fn;
	uint32_t *head = arena_array(p->l.arena, uint32_t, fn->nblock + 1u);

	for (uint32_t i = 0; i < p->nfix; i++) {
		struct phi_fix *f = &p->fix[i];
		struct ir_block *b = &fn->block[fn->inst[f->phi].block];
		uint32_t n = ir_nargs(fn, f->phi);
		uint32_t *next = arena_array(p->l.arena, uint32_t, n);
		ir_id *args = ir_args(fn, f->phi), *copy = arena_array(p->l.arena, ir_id, n);
		bool fine = n == b->npred;
		memcpy(copy, args, n * sizeof *copy);
		/* per label, a chain of its operands in the order of the text */
		for (uint32_t k = n; k-- > 0;) {
			next[k] = head[f->label[k]];
			head[f->label[k]] = k + 1;
		}
		for (uint32_t k = 0; fine && k < n; k++) {
			uint32_t at = head[b->pred[k]];
			fine = at != 0;
			if (fine) {
				args[k] = copy[at - 1];
				head[b->pred[k]] = next[at - 1];
			}
		}
		for (uint32_t k = 0; k < n; k++)
			head[f->label[k]] = 0;
		if (!fine) {
			p->l.at = f->at;
			p->l.line_start = f->line_start;
			p->l.line = f->line;
			lex_fail(&p->l, "the phi's blocks are not the block's predecessors");
		}
	}
}

static void parse_all(struct parser *p)
{
	struct lex *l = &p->l;

	if (lex_end(l)) /* leading comments */
		lex_eol(l);
	parse_header(p);
	prescan(p);
	parse_body(p);
	apply_preds(p);
	fix_phis(p);
	if (!p->fn->structured)
		return;
	/* a structured function's order is that of its text */
	struct ir_fn *fn = p->fn;
	fn->order = arena_grow(fn->arena, NULL, 0, &fn->order_cap, fn->nblock, sizeof *fn->order);
	for (uint32_t i = 0; i < fn->nblock; i++)
		fn->order[i] = fn->block[i].rpo = i;
	fn->norder = fn->nblock;
}

struct ir_fn *ir_parse(struct arena *a, const char *text, const char **error)
{
	jmp_buf fail, oom, *outer = a->oom;
	struct parser *volatile p = NULL;

	*error = NULL;
	a->oom = &oom;
	if (setjmp(oom)) {
		a->oom = outer;
		*error = "0:0: out of memory";
		return NULL;
	}
	p = arena_new(a, struct parser);
	p->l = (struct lex){ .at = text, .line_start = text, .line = 1, .arena = a, .fail = &fail };
	if (setjmp(fail)) {
		a->oom = outer;
		*error = p->l.error;
		return NULL;
	}
	p->fn = ir_fn_new(a, "");
	parse_all(p);
	p->fn->at = 0;
	a->oom = outer;
	return p->fn;
}
