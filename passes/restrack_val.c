/* restrack_val.c - resource tracking: table words that a program uses as values. */
#include "restrack.h"

#include <string.h>

/* Load `type` at byte off + dyn of resource `res`. */
static ir_id load(struct track *t, ir_id where, uint32_t res, ir_id index, ir_type type, uint32_t off, ir_id dyn)
{
	ir_id bind = track_bind(t, res, index, where);
	track_at(t, where);
	ir_id at = dyn ? dyn : ir_const(t->fn, IR_I32, off), args[4] = {ir_const(t->fn, IR_B1, 1), bind, at, 0};
	unsigned align = ir_bits(type) / 8;
	ir_id v = ir_new(t->fn, IR_ldbuf, type, 4, args);
	t->fn->inst[v].imm = dyn ? off : 0;
	while (align > 1) {
		t->fn->inst[v].flags += 1 << IR_F_ALIGN_SHIFT;
		align >>= 1;
	}
	t->fn->res[res].read = true;
	return v;
}

ir_id track_push(struct track *t, ir_id where, ir_type type, uint32_t off, ir_id dyn)
{
	facts_read(t->facts, STATE_PUSH_SIZE);
	struct ir_resource r = {.kind = RES_PUSH, .count = 1, .size = t->facts->push_size, .path = "push constants"};
	return load(t, where, ir_resource_new(t->fn, &r), 0, type, off, dyn);
}

/* Of a buffer bank, which may hold an element of an array. */
static ir_id load_buffer(struct track *t, ir_id where, const struct fact_entry *e, ir_type type, uint32_t rel, ir_id dyn)
{
	uint32_t res = track_resource(t, e);
	return load(t, where, res, e->count > 1 ? ir_const(t->fn, IR_I32, e->base) : 0, type, e->at + rel, dyn);
}

/* The value of the aligned 32-bit word at constant offset o->off of a table, or 0. */
static ir_id aligned_word(struct track *t, ir_id where, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	const struct fact_entry *e = track_entry(t, o);
	if (!e || o->off + 4 > e->offset + e->size)
		return 0;
	uint32_t rel = o->off - e->offset;
	track_at(t, where);
	switch (e->kind) {
	case ENTRY_SYSVAL: {
		if (rel & 3)
			return 0;
		ir_id v = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[v].sub = e->sysval;
		fn->inst[v].imm = e->base + rel / 4;
		return e->stride > 1 ? ir_op2(fn, IR_imul, IR_I32, v, ir_const(fn, IR_I32, e->stride)) : v;
	}
	case ENTRY_PUSH: return track_push(t, where, IR_I32, e->base + rel, 0);
	case ENTRY_BUFFER: return load_buffer(t, where, e, IR_I32, rel, 0);
	case ENTRY_DATA: {
		const uint8_t *p = e->data + rel;
		return ir_const(fn, IR_I32, p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
	}
	case ENTRY_DESC:
		if (e->stride == 8 && e->base && e->desc == DESC_STORAGE_BUFFER) /* an address that is looked at as a number */
			return ir_const(fn, IR_I32, rel & 4 ? e->base : 0);
		if (e->stride == 16 && e->base && t->facts->buffer_format && rel % 16 != 8 && rel % 4 == 0) /* likewise */
			return ir_const(fn, IR_I32, rel % 16 == 0 ? 0 : rel % 16 == 4 ? e->base + rel / 16 : t->facts->buffer_format);
		return e->stride && rel % e->stride == 8 ? track_buffer_size(t, where, e, rel / e->stride) : 0;
	default: return 0;
	}
}

/* Likewise at any byte: out of two words. */
static ir_id word(struct track *t, ir_id where, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	struct origin w = *o;
	uint32_t in = o->off & 3;
	w.off -= in;
	ir_id lo = aligned_word(t, where, &w);
	if (!in || !lo)
		return lo;
	w.off += 4;
	ir_id hi = aligned_word(t, where, &w);
	if (!hi)
		return 0;
	track_at(t, where);
	lo = ir_op2(fn, IR_lshr, IR_I32, lo, ir_const(fn, IR_I32, 8 * in));
	hi = ir_op2(fn, IR_shl, IR_I32, hi, ir_const(fn, IR_I32, 32 - 8 * in));
	return ir_op2(fn, IR_ior, IR_I32, lo, hi);
}

/* A load whose whole range lies in one entry of push constants or of a buffer bank, or a dynamic one. */
static ir_id whole(struct track *t, ir_id id, const struct origin *o, uint32_t bytes)
{
	const struct fact_entry *e = track_entry(t, o);
	if (!e)
		return 0;
	uint32_t rel = o->off - e->offset;
	ir_type type = t->fn->inst[id].type;
	ir_id dyn = track_dynamic(t, o, id);
	if (!dyn && bytes > e->size - rel)
		return 0;
	if (e->kind == ENTRY_PUSH)
		return track_push(t, id, type, e->base + rel, dyn);
	if (e->kind == ENTRY_BUFFER)
		return load_buffer(t, id, e, type, rel, dyn);
	if (e->kind == ENTRY_DATA && dyn) { /* a table of constants, indexed: all the data is one resource */
		uint32_t start = e->base < rel ? e->base : rel & ~3u;
		struct ir_resource r = {.kind = RES_CONST_DATA, .count = 1, .size = e->size - start, .data = e->data + start,
		                        .path = t->facts->table[o->table].name};
		return load(t, id, ir_resource_new(t->fn, &r), 0, type, rel - start, dyn);
	}
	return 0;
}

/* A byte or half word that does not cross a dword, out of the word around it. */
static ir_id part_of_word(struct track *t, ir_id id, const struct origin *o, unsigned bytes)
{
	struct ir_fn *fn = t->fn;
	struct origin w = *o;
	uint32_t in = o->off & 3;
	w.off &= ~3u;
	if (in + bytes > 4)
		return 0;
	ir_type type = fn->inst[id].type;
	ir_id v = word(t, id, &w);
	if (!v)
		return 0;
	track_at(t, id);
	if (in)
		v = ir_op2(fn, IR_lshr, IR_I32, v, ir_const(fn, IR_I32, 8 * in));
	v = ir_op1(fn, IR_trunc, bytes == 1 ? IR_I8 : IR_I16, v);
	return type == fn->inst[v].type ? v : ir_op1(fn, IR_bitcast, type, v);
}

/* A table load as the values of its words. */
static void lower_value(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct origin o;
	struct ir_inst i = fn->inst[id];
	if (i.op == IR_ldptr) {
		if (!track_address(t, i.a[1], &o) || o.res)
			return;
		o.off += (uint32_t)i.imm;
	} else {
		memset(&o, 0, sizeof o);
		o.table = i.sub;
		o.off = (uint32_t)i.imm;
		uint64_t k;
		if (ir_is_const(fn, i.a[0], &k))
			o.off += (uint32_t)k;
		else
			o.term[o.nterm++] = i.a[0];
	}
	track_image_words(t, id, &o);
	unsigned n = ir_elems(i.type), bytes = ir_bits(i.type) / 8;
	bool split = !o.nterm && (o.off & 3) && bytes >= 4; /* not as an access at an odd byte */
	ir_id v = split ? 0 : whole(t, id, &o, n * bytes);
	if (!v && !o.nterm && bytes >= 4) {
		ir_id part[8];
		for (unsigned k = 0; k < n * bytes / 4; k++, o.off += 4)
			if (!(part[k] = word(t, id, &o)))
				return;
		track_at(t, id);
		if (bytes == 8)
			for (unsigned k = 0; k < n; k++)
				part[k] = ir_op2(fn, IR_pack64, IR_I64, part[2 * k], part[2 * k + 1]);
		ir_type base = bytes == 8 ? IR_I64 : IR_I32;
		v = n == 1 ? part[0] : ir_new(fn, IR_vec, IR_VEC(base, n), n, part);
		if (IR_VEC(base, n) != i.type)
			v = ir_op1(fn, IR_bitcast, i.type, v);
	}
	if (!v && !o.nterm && bytes < 4 && n == 1)
		v = part_of_word(t, id, &o, bytes);
	if (v)
		track_replace(t, id, v);
}

/* Words of a load that also reads what is no value (the address of a buffer beside a number): one by one. */
void track_elements(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			struct origin o;
			ir_id v = 0;
			if (fn->inst[id].op != IR_elem || ir_bits(fn->inst[id].type) != 32 || !track_word(t, id, &o) || o.nterm)
				continue;
			v = word(t, fn->inst[id].a[0], &o); /* where the load is */
			track_at(t, id);
			if (v)
				track_replace(t, id, fn->inst[id].type == IR_I32 ? v : ir_op1(fn, IR_bitcast, fn->inst[id].type, v));
		}
}

void track_values(struct track *t)
{
	track_for_seen(t, id)
		if (t->fn->inst[id].op == IR_ldptr || t->fn->inst[id].op == IR_ldtab)
			lower_value(t, id);
}
