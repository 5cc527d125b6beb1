/* restrack_res.c - resource tracking: descriptor words to bindings, array elements, constant data behind the code. */
#include "restrack.h"

#include <string.h>

static const uint8_t kind_of[DESC_COUNT] = {
	[DESC_SAMPLER] = RES_SAMPLER,
	[DESC_COMBINED] = RES_COMBINED,
	[DESC_SAMPLED_IMAGE] = RES_SAMPLED_IMAGE,
	[DESC_STORAGE_IMAGE] = RES_STORAGE_IMAGE,
	[DESC_UNIFORM_TEXEL] = RES_UNIFORM_TEXEL,
	[DESC_STORAGE_TEXEL] = RES_STORAGE_TEXEL,
	[DESC_UNIFORM_BUFFER] = RES_UNIFORM_BUFFER,
	[DESC_STORAGE_BUFFER] = RES_STORAGE_BUFFER,
	[DESC_INPUT_ATTACHMENT] = RES_INPUT_ATTACHMENT,
};

uint32_t track_resource(struct track *t, const struct fact_entry *e)
{
	struct ir_resource r = {
		.dim = e->dim, .arrayed = e->arrayed, .ms = e->ms, .depth = e->depth, .numeric = e->numeric,
		.format = e->format, .attachment = e->attachment, .set = e->set, .binding = e->binding, .count = e->count, .size = e->buffer_size,
	};
	switch (e->kind) {
	case ENTRY_PUSH:
		r = (struct ir_resource){.kind = RES_PUSH, .count = 1, .size = t->facts->push_size};
		break;
	case ENTRY_BUFFER:
		r.kind = RES_UNIFORM_BUFFER;
		r.count = e->count ? e->count : 1;
		break;
	default:
		r.kind = kind_of[e->desc];
		break;
	}
	if (r.kind >= RES_UNIFORM_TEXEL && r.kind <= RES_COMBINED)
		facts_read(t->facts, STATE_IMAGE_KINDS);
	if (r.kind == RES_UNIFORM_TEXEL || r.kind == RES_STORAGE_TEXEL)
		r.dim = DIM_BUFFER;
	for (uint32_t i = 0; i < t->fn->nres; i++) { /* one resource per binding; what is read and written is noted in it */
		const struct ir_resource *q = &t->fn->res[i];
		if (q->kind == r.kind && q->set == r.set && q->binding == r.binding && r.kind != RES_CONST_DATA)
			return i;
	}
	r.path = t->facts->table[0].name;
	for (uint32_t i = 0; i < t->facts->ntable; i++)
		if (t->facts->table[i].nentry && e >= t->facts->table[i].entry && e < t->facts->table[i].entry + t->facts->table[i].nentry)
			r.path = t->facts->table[i].name;
	if (track_made_path(t, e))
		r.path = track_made_path(t, e);
	return ir_resource_new(t->fn, &r);
}

ir_id track_bind(struct track *t, uint32_t res, ir_id index, ir_id where)
{
	track_at(t, where);
	ir_id b = ir_op1(t->fn, IR_bind, IR_RES, index);
	t->fn->inst[b].imm = res;
	return b;
}

/* The element that the terms mean: the sum of their quotients, or their sum's. */
static bool quotient(struct track *t, const struct fact_entry *e, const struct origin *o, uint32_t stride, ir_id *index, ir_id where)
{
	struct ir_fn *fn = t->fn;
	if (t->facts->table[o->table].memory && e->at & MADE_TAKEN) {
		ir_id sum = track_dynamic(t, o, where);
		*index = ir_op2(fn, IR_lshr, IR_I32, sum, ir_const(fn, IR_I32, (unsigned)__builtin_ctz(stride)));
		return true;
	}
	for (unsigned i = 0; i < o->nterm; i++) {
		ir_id q = track_divide(t, o->term[i], stride, where);
		if (!q) {
			*index = o->nterm > 1 ? track_divide(t, track_dynamic(t, o, where), stride, where) : 0;
			return *index != 0;
		}
		*index = *index ? ir_op2(fn, IR_iadd, IR_I32, *index, q) : q;
	}
	return true;
}

bool track_element(struct track *t, const struct fact_entry *e, const struct origin *o, uint32_t within, uint32_t *elem,
                   ir_id *index, ir_id where)
{
	uint32_t stride = e->stride ? e->stride : e->size, rel = o->off - e->offset;
	bool made = t->facts->table[o->table].memory;
	if (!stride || rel % stride != within || (o->nterm && e->count == 1 && !made)) /* no array: meant for something behind it */
		return false;
	*elem = rel / stride;
	*index = 0;
	if (made && e->count == 1) /* there is room for this one alone */
		return true;
	if (o->nterm && !quotient(t, e, o, stride, index, where))
		return false;
	if (*index && *elem)
		*index = ir_op2(t->fn, IR_iadd, IR_I32, *index, ir_const(t->fn, IR_I32, *elem));
	else if (!*index && e->count != 1)
		*index = ir_const(t->fn, IR_I32, *elem);
	if (o->nterm)
		diag_remark(t->ctx->diag, "restrack", t->fn->inst[where].addr,
		            "set %u binding %u is indexed dynamically: %u bytes an element", e->set, e->binding, stride);
	return true;
}

static ir_id bind_entry(struct track *t, const struct fact_entry *e, const struct origin *o, uint32_t within, ir_id where)
{
	uint32_t elem;
	ir_id index;
	t->fn->before = where;
	t->fn->at = t->fn->inst[where].block;
	if (!track_element(t, e, o, within, &elem, &index, where))
		return 0;
	return track_bind(t, track_resource(t, e), index, where);
}

enum { MOST_PARTS = 8 };

/* What a handle is made of; how many. */
static unsigned parts_of(struct ir_fn *fn, ir_id handle, ir_id w[MOST_PARTS])
{
	unsigned n = ir_nargs(fn, handle);
	if (n > MOST_PARTS)
		return 0;
	memcpy(w, ir_args(fn, handle), n * sizeof *w);
	return n;
}

/* The words of one descriptor, by themselves or as vectors, in order, from one place. Trailing constants pass when `loose` (a shorter
 * descriptor). How many; 0: it is none. */
static unsigned words_of(struct track *t, const ir_id *w, unsigned n, bool loose, struct origin *first)
{
	unsigned word = 0;
	uint64_t k;
	for (unsigned i = 0; i < n; i++) {
		struct origin o;
		if (track_word(t, w[i], &o)) {
			if (!i)
				*first = o;
			else if (!track_same(first, &o, 4 * word))
				return 0;
		} else if (!loose || word < 2 || !ir_is_const(t->fn, w[i], &k) || k)
			return 0;
		word += ir_elems(t->fn->inst[w[i]].type);
	}
	return word;
}

/* A buffer descriptor built in registers over constant data behind the code: address, then size and format words. */
static ir_id const_data(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	ir_id w[MOST_PARTS];
	if (parts_of(fn, id, w) != 4)
		return 0;
	fn->before = id;
	fn->at = fn->inst[id].block;
	ir_id pair = ir_op2(fn, IR_pack64, IR_I64, w[0], w[1]);
	struct origin o;
	uint64_t size;
	if (!track_address(t, pair, &o) || o.res || o.nterm || !ir_is_const(fn, w[2], &size))
		return 0;
	const struct fact_entry *e = track_entry(t, &o);
	if (!t->facts->table[o.table].is_code || !e || e->kind != ENTRY_DATA)
		return 0;
	uint32_t left = e->size - (o.off - e->offset);
	struct ir_resource r = {.kind = RES_CONST_DATA, .count = 1, .size = size < left ? (uint32_t)size : left,
	                        .data = e->data + (o.off - e->offset), .read = true, .path = "code"};
	return track_bind(t, ir_resource_new(fn, &r), 0, id);
}

ir_id track_hbuf(struct track *t, ir_id id)
{
	struct origin o;
	ir_id w[MOST_PARTS];
	unsigned n = parts_of(t->fn, id, w);
	if (words_of(t, w, n, true, &o)) {
		const struct fact_entry *e = track_entry(t, &o);
		if (!e || e->kind != ENTRY_DESC || (e->stride && e->stride < 16)) /* shorter ones are addresses */
			return 0;
		switch (e->desc) {
		case DESC_STORAGE_BUFFER: case DESC_UNIFORM_BUFFER: case DESC_UNIFORM_TEXEL: case DESC_STORAGE_TEXEL:
			return bind_entry(t, e, &o, 0, id);
		default: return 0;
		}
	}
	return const_data(t, id);
}

ir_id track_himg(struct track *t, ir_id id)
{
	struct origin o;
	ir_id w[MOST_PARTS];
	unsigned n = parts_of(t->fn, id, w);
	if (!words_of(t, w, n, false, &o))
		return 0;
	const struct fact_entry *e = track_entry(t, &o);
	if (!e || e->kind != ENTRY_DESC)
		return 0;
	switch (e->desc) {
	case DESC_COMBINED: case DESC_SAMPLED_IMAGE: case DESC_STORAGE_IMAGE: case DESC_INPUT_ATTACHMENT:
		return bind_entry(t, e, &o, 0, id);
	default: return 0;
	}
}

ir_id track_sample_map(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct origin o;
	ir_id h = ir_args(fn, id)[1], w[MOST_PARTS];
	if (!t->facts->sample_map || fn->inst[h].op != IR_himg)
		return 0;
	unsigned n = parts_of(fn, h, w);
	if (words_of(t, w, n, false, &o) != 8)
		return 0;
	const struct fact_entry *e = track_entry(t, &o);
	if (!e || e->kind != ENTRY_DESC || e->ms != 1 || !e->stride || (o.off - e->offset) % e->stride != t->facts->sample_map ||
	    (e->desc != DESC_COMBINED && e->desc != DESC_SAMPLED_IMAGE && e->desc != DESC_INPUT_ATTACHMENT))
		return 0;
	track_at(t, id);
	ir_id x = ir_const(fn, IR_F32, t->facts->sample_map_texel), zero = ir_const(fn, IR_F32, 0);
	ir_id part[4] = {x, zero, zero, zero};
	return ir_new(fn, IR_vec, IR_VEC(IR_F32, 4), 4, part);
}

static ir_id sampler(struct track *t, const ir_id *w, unsigned n, ir_id id)
{
	struct origin o;
	if (!words_of(t, w, n, false, &o))
		return 0;
	const struct fact_entry *e = track_entry(t, &o);
	if (!e || e->kind != ENTRY_DESC)
		return 0;
	if (e->desc == DESC_SAMPLER)
		return bind_entry(t, e, &o, 0, id);
	if (e->desc == DESC_COMBINED)
		return bind_entry(t, e, &o, e->sampler_at, id);
	return 0;
}

ir_id track_hsmp(struct track *t, ir_id id)
{
	ir_id w[MOST_PARTS];
	unsigned n = parts_of(t->fn, id, w);
	return sampler(t, w, n, id);
}

/* Bits of the first word are cleared that the host's gathers do without, too: in the same way for gathers alone. */
void track_gather(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	ir_id h = ir_args(fn, id)[2], w[MOST_PARTS] = {0}, to;
	uint64_t mask;
	if (fn->inst[h].op != IR_hsmp)
		return;
	unsigned n = parts_of(fn, h, w);
	const struct ir_inst *first = &fn->inst[w[0]];
	if (first->op != IR_iand || !ir_is_const(fn, first->a[1], &mask) || ~(uint32_t)mask & ~t->facts->gather_clear)
		return;
	w[0] = first->a[0];
	to = sampler(t, w, n, id);
	if (to)
		ir_set_arg(fn, id, 2, to);
}

/* A one-word handle: the descriptor word itself, or an image part or-ed with a sampler part of two words. */
ir_id track_htex(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	bool sampler = fn->inst[id].sub == 2;
	ir_id v = fn->inst[id].a[0];
	if (fn->inst[v].op == IR_ior)
		for (unsigned i = 0; i < 2; i++) {
			ir_id part = fn->inst[v].a[i];
			uint64_t k;
			if (fn->inst[part].op != IR_iand || !ir_is_const(fn, fn->inst[part].a[1], &k))
				continue;
			if (k == (sampler ? 0xfff00000u : 0xfffffu)) {
				v = fn->inst[part].a[0];
				break;
			}
		}
	struct origin o;
	if (!track_word(t, v, &o))
		return 0;
	const struct fact_entry *e = track_entry(t, &o);
	if (!e || e->kind != ENTRY_DESC)
		return 0;
	bool image = e->desc == DESC_COMBINED || e->desc == DESC_SAMPLED_IMAGE || e->desc == DESC_STORAGE_IMAGE ||
	             e->desc == DESC_INPUT_ATTACHMENT || e->desc == DESC_UNIFORM_TEXEL || e->desc == DESC_STORAGE_TEXEL;
	if (sampler ? e->desc != DESC_COMBINED && e->desc != DESC_SAMPLER : !image)
		return 0;
	return bind_entry(t, e, &o, 0, id);
}

bool track_buffer_address(struct track *t, const struct origin *w, struct origin *o)
{
	const struct fact_entry *e = track_entry(t, w);
	if (!e || e->kind != ENTRY_DESC || (e->desc != DESC_STORAGE_BUFFER && e->desc != DESC_UNIFORM_BUFFER) || w->nterm)
		return false;
	uint32_t stride = e->stride ? e->stride : e->size, rel = w->off - e->offset;
	if (!stride || rel % stride)
		return false;
	o->res = track_resource(t, e) + 1;
	o->index = e->count != 1 ? ir_const(t->fn, IR_I32, rel / stride) : 0;
	return true;
}
