/* Function to text. Values and blocks are numbered in the order of printing, so the text does not depend on ids. */
#include "text.h"

#include <inttypes.h>
#include <string.h>

struct printer {
	const struct ir_fn *fn;
	struct arena *arena;
	char *buf;
	size_t n, cap;
	uint32_t *value;      /* id -> number + 1 */
	uint32_t *label;      /* block -> number */
	uint32_t *order;      /* blocks in print order */
	uint32_t norder;
	uint32_t *seen;       /* markers: hash of file and index -> marker + 1 */
	size_t seen_cap;
};

static void put(struct printer *p, const char *s, size_t n)
{
	p->buf = arena_grow(p->arena, p->buf, p->n, &p->cap, p->n + n + 1, 1);
	memcpy(p->buf + p->n, s, n);
	p->n += n;
}

static void puts_(struct printer *p, const char *s)
{
	put(p, s, strlen(s));
}

static void putu(struct printer *p, uint64_t v)
{
	char tmp[24];
	unsigned n = sizeof tmp;

	do
		tmp[--n] = (char)('0' + v % 10);
	while (v /= 10);
	put(p, tmp + n, sizeof tmp - n);
}

static void putx(struct printer *p, uint64_t v)
{
	char tmp[24];
	unsigned n = sizeof tmp;

	do
		tmp[--n] = "0123456789abcdef"[v & 15];
	while (v >>= 4);
	puts_(p, "0x");
	put(p, tmp + n, sizeof tmp - n);
}

static void puti(struct printer *p, int64_t v)
{
	if (v < 0)
		puts_(p, "-");
	putu(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static void puts2(struct printer *p, const char *a, const char *b)
{
	puts_(p, a);
	puts_(p, b);
}

static void putsu(struct printer *p, const char *a, uint64_t v)
{
	puts_(p, a);
	putu(p, v);
}

static void put_quoted(struct printer *p, const char *s)
{
	puts_(p, "\"");
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c < 32 || c >= 127 || c == '"' || c == '\\') {
			const char *hex = "0123456789abcdef";
			char esc[4] = { '\\', 'x', hex[c >> 4], hex[c & 15] };
			put(p, esc, 4);
		} else {
			put(p, s, 1);
		}
	}
	puts_(p, "\"");
}

static void put_type(struct printer *p, ir_type t)
{
	char buf[8];

	puts_(p, ir_type_name(t, buf));
}

static void put_name(struct printer *p, const struct text_name *list, unsigned value)
{
	const char *name = text_name(list, value);

	if (name)
		puts_(p, name);
	else
		putu(p, value);
}

/* ---- markers */
static uint32_t *marker_slot(struct printer *p, const struct ir_marker *m)
{
	uint32_t key = (uint32_t)m->file << 16 | m->index;
	size_t at = (key * 0x9e3779b1u) & (p->seen_cap - 1);

	while (p->seen[at]) {
		const struct ir_marker *o = &p->fn->marker[p->seen[at] - 1];
		if (o->file == m->file && o->index == m->index)
			break;
		at = (at + 1) & (p->seen_cap - 1);
	}
	return &p->seen[at];
}

static void put_register(struct printer *p, const struct ir_marker *m)
{
	const char *name = p->fn->files ? p->fn->files[m->file] : NULL;

	if (name)
		puts_(p, name);
	else
		putu(p, m->file);
	putsu(p, ".", m->index);
}

static void put_marker(struct printer *p, uint64_t index)
{
	puts_(p, "$");
	if (index < p->fn->nmarker && *marker_slot(p, &p->fn->marker[index]) == index + 1)
		put_register(p, &p->fn->marker[index]);
	else
		putu(p, index);
}

static void put_markers(struct printer *p)
{
	const struct ir_fn *fn = p->fn;
	unsigned top = 0;

	p->seen_cap = 16;
	while (p->seen_cap < fn->nmarker * (size_t)2)
		p->seen_cap *= 2;
	p->seen = arena_array(p->arena, uint32_t, p->seen_cap);
	for (uint32_t i = 0; i < fn->nmarker; i++)
		if (fn->marker[i].file > top)
			top = fn->marker[i].file;
	if (fn->files && fn->nmarker) {
		puts_(p, "files");
		for (unsigned i = 0; i <= top; i++)
			puts2(p, " ", fn->files[i] ? fn->files[i] : "-");
		puts_(p, "\n");
	}
	for (uint32_t i = 0; i < fn->nmarker; i++) {
		const struct ir_marker *m = &fn->marker[i];
		uint32_t *slot = marker_slot(p, m);
		bool twice = *slot;
		if (!twice)
			*slot = i + 1;
		puts_(p, "marker ");
		put_marker(p, i);
		puts_(p, ":");
		put_type(p, m->type);
		if (twice) {
			puts_(p, " ");
			put_register(p, m);
		}
		puts_(p, "\n");
	}
}

/* ---- header */
static void put_field(struct printer *p, const char *name, uint64_t v)
{
	if (v)
		putsu(p, name, v);
}

static void put_resource(struct printer *p, const struct ir_resource *r)
{
	puts_(p, "res ");
	put_name(p, text_res_kinds, r->kind);
	putsu(p, " set ", r->set);
	putsu(p, " binding ", r->binding);
	if (r->count != 1)
		putsu(p, " count ", r->count);
	if (r->dim) {
		puts_(p, " dim ");
		put_name(p, text_dims, r->dim);
	}
	put_field(p, " arrayed ", r->arrayed);
	put_field(p, " ms ", r->ms);
	put_field(p, " depth ", r->depth);
	if (r->numeric) {
		puts_(p, " numeric ");
		put_name(p, text_numerics, r->numeric);
	}
	put_field(p, " format ", r->format);
	put_field(p, " attachment ", r->attachment);
	put_field(p, " size ", r->size);
	puts_(p, r->read ? " read" : "");
	puts_(p, r->written ? " written" : "");
	puts_(p, r->nonuniform ? " nonuniform" : "");
	puts_(p, r->coherent ? " coherent" : "");
	if (r->path) {
		puts_(p, " path ");
		put_quoted(p, r->path);
	}
	if (r->data) {
		puts_(p, " data \"");
		for (uint32_t i = 0; i < r->size; i++) {
			char hex[2] = { "0123456789abcdef"[r->data[i] >> 4], "0123456789abcdef"[r->data[i] & 15] };
			put(p, hex, 2);
		}
		puts_(p, "\"");
	}
	puts_(p, "\n");
}

static void put_iface(struct printer *p, const struct ir_iface *f)
{
	puts_(p, f->output ? "out " : "in ");
	put_type(p, f->base);
	if (f->builtin) {
		puts_(p, " builtin ");
		put_name(p, text_sysvals, f->builtin);
	}
	put_field(p, " comps ", f->comps);
	put_field(p, " location ", f->location);
	put_field(p, " index ", f->index);
	put_field(p, " elems ", f->elems);
	put_field(p, " sign ", f->sign);
	if (f->interp) {
		puts_(p, " interp ");
		put_name(p, text_interps, f->interp);
	}
	if (f->at) {
		puts_(p, " at ");
		put_name(p, text_interp_ats, f->at);
	}
	if (f->made) {
		puts_(p, " made ");
		put_name(p, text_mades, f->made);
	}
	put_field(p, " from ", f->from);
	put_field(p, " capture ", f->capture);
	put_field(p, " capture_at ", f->capture_at);
	put_field(p, " capture_stride ", f->capture_stride);
	puts_(p, "\n");
}

static void put_header(struct printer *p)
{
	const struct ir_fn *fn = p->fn;

	puts_(p, "fn ");
	put_quoted(p, fn->name);
	puts_(p, " ");
	put_name(p, text_stages, fn->stage);
	putsu(p, " wave ", fn->wave);
	if (fn->workgroup[0] || fn->workgroup[1] || fn->workgroup[2]) {
		putsu(p, " workgroup ", fn->workgroup[0]);
		putsu(p, " ", fn->workgroup[1]);
		putsu(p, " ", fn->workgroup[2]);
	}
	put_field(p, " shared ", fn->shared_bytes);
	put_field(p, " scratch ", fn->scratch_bytes);
	put_field(p, " high ", fn->marker_high);
	puts_(p, fn->ssa ? " ssa" : "");
	puts_(p, fn->structured ? " structured\n" : "\n");
	put_markers(p);
	for (uint32_t i = 0; i < fn->nres; i++)
		put_resource(p, &fn->res[i]);
	for (uint32_t i = 0; i < fn->niface; i++)
		put_iface(p, &fn->iface[i]);
}

/* ---- instructions */
static void put_const(struct printer *p, const struct ir_inst *in)
{
	unsigned w = ir_bits(in->type);
	int64_t v = (int64_t)(w && w < 64 ? in->imm << (64 - w) : in->imm);

	put_type(p, in->type);
	puts_(p, ":");
	if (ir_is_float(in->type)) {
		putx(p, in->imm);
	} else if (in->type == IR_B1) {
		putu(p, in->imm);
	} else {
		/* small numbers, also negative ones, read best in decimal */
		v >>= w ? 64 - w : 0;
		if (v >= -4096 && v <= 65535)
			puti(p, v);
		else
			putx(p, in->imm);
	}
}

static void put_value(struct printer *p, ir_id id)
{
	const struct ir_inst *in = &p->fn->inst[id];

	if (!id) {
		puts_(p, "-");
	} else if (in->op == IR_const && in->block == IR_NO_BLOCK) {
		put_const(p, in);
	} else if (in->op == IR_undef && in->block == IR_NO_BLOCK) {
		puts_(p, "undef:");
		put_type(p, in->type);
	} else if (p->value[id]) {
		putsu(p, "%", p->value[id] - 1);
	} else {
		putsu(p, "%gone", id); /* not in a block: a bug, which the verifier names */
	}
}

static void put_block(struct printer *p, uint32_t b)
{
	if (b < p->fn->nblock && p->label[b] != IR_NO_BLOCK)
		putsu(p, "b", p->label[b]);
	else
		puts_(p, "gone");
}

static bool put_image_sub(struct printer *p, unsigned sub)
{
	unsigned known = IMG_DIM_KNOWN | 7u << IMG_DIM_SHIFT, dim = sub >> IMG_DIM_SHIFT & 7;

	for (const struct text_name *t = text_image_bits; t->name; t++)
		known |= t->value;
	if (sub & ~known || (!(sub & IMG_DIM_KNOWN) && dim) || !text_name(text_dims, dim))
		return false;
	if (sub & IMG_DIM_KNOWN)
		puts2(p, ".", text_name(text_dims, dim));
	for (const struct text_name *t = text_image_bits; t->name; t++)
		if (sub & t->value)
			puts2(p, ".", t->name);
	return true;
}

static bool put_barrier_sub(struct printer *p, unsigned sub)
{
	const char *run = text_name(text_scopes, sub & 15), *mem = text_name(text_scopes, sub >> 4 & 15);

	if (!run || !mem || sub >> 11)
		return false;
	puts2(p, ".", run);
	puts2(p, ".", mem);
	for (const struct text_name *t = text_spaces; t->name; t++)
		if (sub >> 8 & t->value)
			puts2(p, ".", t->name);
	return true;
}

static void put_sub(struct printer *p, const struct ir_inst *in)
{
	enum text_sub kind = text_sub(in->op);
	const char *name;

	if (kind == SUB_SYSVAL || kind == SUB_ATOMIC) {
		name = text_name(kind == SUB_SYSVAL ? text_sysvals : text_atomics, in->sub);
		if (name) {
			puts2(p, ".", name);
			return;
		}
	}
	if (kind == SUB_IMAGE && put_image_sub(p, in->sub))
		return;
	if (kind == SUB_BARRIER && put_barrier_sub(p, in->sub))
		return;
	if (in->sub || kind == SUB_SYSVAL)
		putsu(p, ".", in->sub);
}

static void put_flags(struct printer *p, unsigned flags)
{
	unsigned scope = (flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT, align = (flags & IR_F_ALIGN_MASK) >> IR_F_ALIGN_SHIFT;
	unsigned rest = flags & ~(unsigned)(IR_F_SCOPE_MASK | IR_F_ALIGN_MASK | IR_F_SETTLED);

	for (const struct text_name *t = text_flags; t->name; t++)
		if (flags & t->value) {
			puts2(p, " !", t->name);
			rest &= ~t->value;
		}
	if (scope && text_name(text_scopes, scope)) {
		puts2(p, " !", text_name(text_scopes, scope));
	} else {
		rest |= scope << IR_F_SCOPE_SHIFT;
	}
	if (align)
		putsu(p, " !align", 1u << align);
	if (rest) {
		puts_(p, " !");
		putx(p, rest);
	}
}

static void put_operands(struct printer *p, ir_id id)
{
	const struct ir_fn *fn = p->fn;
	const struct ir_inst *in = &fn->inst[id];
	const struct ir_block *b = &fn->block[in->block];
	unsigned n = ir_nargs(fn, id);
	const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;
	const char *sep = " ";

	if (in->op == IR_mget || in->op == IR_mset) {
		puts_(p, sep);
		put_marker(p, in->imm);
		sep = ", ";
	}
	bool labelled = in->op == IR_phi && n == b->npred;
	for (unsigned i = 0; i < n; i++, sep = ", ") {
		puts_(p, sep);
		if (labelled) {
			put_block(p, b->pred[i]);
			puts_(p, " ");
		}
		put_value(p, args[i]);
	}
	if (!(ir_ops[in->op].fx & FX_TERM) || id != b->last)
		return;
	for (uint32_t i = 0; i < b->nsucc; i++, sep = ", ") {
		puts_(p, sep);
		if (in->op == IR_sw) {
			if (i + 1 == b->nsucc)
				puts_(p, "else");
			else
				putu(p, b->cases[i]);
			puts_(p, ": ");
		}
		put_block(p, b->succ[i]);
	}
}

static void put_inst(struct printer *p, ir_id id)
{
	const struct ir_inst *in = &p->fn->inst[id];

	puts_(p, "\t");
	if (in->type != IR_VOID) {
		put_value(p, id);
		puts_(p, ":");
		put_type(p, in->type);
		puts_(p, " = ");
	}
	puts_(p, ir_ops[in->op].name);
	put_sub(p, in);
	put_operands(p, id);
	if (in->imm && in->op != IR_mget && in->op != IR_mset) {
		puts_(p, " #");
		puti(p, (int64_t)in->imm);
	}
	put_flags(p, in->flags);
	if (in->addr != DIAG_NO_ADDR) {
		puts_(p, " @");
		putx(p, in->addr);
	}
	puts_(p, "\n");
}

/* ---- blocks */

/* The parser makes edges in the order of the text. `cursor` counts, per block, the preds that match so far. */
static bool *odd_preds(struct printer *p)
{
	const struct ir_fn *fn = p->fn;
	bool *odd = arena_array(p->arena, bool, fn->nblock + 1u);
	uint32_t *cursor = arena_array(p->arena, uint32_t, fn->nblock + 1u);

	for (uint32_t i = 0; i < p->norder; i++) {
		const struct ir_block *b = &fn->block[p->order[i]];
		for (uint32_t k = 0; k < b->nsucc; k++) {
			uint32_t s = b->succ[k], c = cursor[s]++;
			odd[s] |= c >= fn->block[s].npred || fn->block[s].pred[c] != p->order[i];
		}
	}
	return odd;
}

static void put_label(struct printer *p, uint32_t at, bool odd)
{
	const struct ir_block *b = &p->fn->block[at];

	put_block(p, at);
	puts_(p, ":");
	if (odd) {
		for (uint32_t k = 0; k < b->npred; k++) {
			puts_(p, k ? ", " : " preds(");
			put_block(p, b->pred[k]);
		}
		puts_(p, ")");
	}
	if (b->merge == MERGE_LOOP) {
		puts_(p, " loop(");
		put_block(p, b->merge_block);
		puts_(p, ", ");
		put_block(p, b->continue_block);
		puts_(p, ")");
	} else if (b->merge == MERGE_SELECTION) {
		puts_(p, " selection(");
		put_block(p, b->merge_block);
		puts_(p, ")");
	}
	if (b->addr != DIAG_NO_ADDR) {
		puts_(p, " @");
		putx(p, b->addr);
	}
	puts_(p, "\n");
}

static void number(struct printer *p)
{
	const struct ir_fn *fn = p->fn;
	uint32_t live = 0, values = 0;

	p->value = arena_array(p->arena, uint32_t, fn->ninst + 1u);
	p->label = arena_array(p->arena, uint32_t, fn->nblock + 1u);
	p->order = arena_array(p->arena, uint32_t, fn->nblock + 1u);
	for (uint32_t i = 0; i < fn->nblock; i++) {
		live += !fn->block[i].dead;
		p->label[i] = IR_NO_BLOCK;
	}
	/* A stale order (blocks came since) is not used. */
	if (fn->norder == live) {
		for (uint32_t i = 0; i < live; i++)
			p->order[p->norder++] = fn->order[i];
	} else if (fn->nblock) {
		p->order[p->norder++] = fn->entry;
		for (uint32_t i = 0; i < fn->nblock; i++)
			if (!fn->block[i].dead && i != fn->entry)
				p->order[p->norder++] = i;
	}
	for (uint32_t i = 0; i < p->norder; i++) {
		p->label[p->order[i]] = i;
		ir_for_insts(fn, p->order[i], id)
			if (fn->inst[id].type != IR_VOID)
				p->value[id] = ++values;
	}
}

char *ir_print_string(const struct ir_fn *fn, struct arena *a)
{
	struct printer p = { .fn = fn, .arena = a };

	p.buf = arena_grow(a, NULL, 0, &p.cap, fn->ninst * (size_t)32 + 256, 1);
	put_header(&p);
	number(&p);
	bool *odd = odd_preds(&p);
	for (uint32_t i = 0; i < p.norder; i++) {
		put_label(&p, p.order[i], odd[p.order[i]]);
		ir_for_insts(fn, p.order[i], id)
			put_inst(&p, id);
	}
	p.buf[p.n] = 0;
	return p.buf;
}

void ir_print(const struct ir_fn *fn, FILE *f)
{
	struct arena a;
	jmp_buf oom;

	arena_init(&a, SIZE_MAX / 2);
	a.oom = &oom;
	if (!setjmp(oom))
		fputs(ir_print_string(fn, &a), f);
	arena_free(&a);
}
