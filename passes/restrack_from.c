/* restrack_from.c - resource tracking: where a word or an address comes from, followed back to table + offset. */
#include "restrack.h"

#include <string.h>

/* Add `v` (i32) to the origin's offset: constants into `off`, the rest as a term. */
static bool add_term(struct track *t, struct origin *o, ir_id v)
{
	uint64_t k;
	uint32_t c = 0;
	if (ir_is_const(t->fn, v, &k)) {
		o->off += (uint32_t)k;
		return true;
	}
	if (t->fn->inst[v].op == IR_iadd && ir_is_const(t->fn, t->fn->inst[v].a[1], &k)) {
		o->off += (uint32_t)k;
		v = t->fn->inst[v].a[0];
	}
	if (t->fn->inst[v].op == IR_readfirst)
		v = track_first(t, v, &c);
	o->off += c;
	if (o->nterm == TRACK_TERMS)
		return false;
	o->term[o->nterm++] = v;
	return true;
}

static bool trace_address(struct track *t, ir_id v, struct origin *o, unsigned depth);

/* What table pointer is the low word `v` of? Follows sums of one root and offsets. */
static bool trace_low(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	struct ir_fn *fn = t->fn;
	const struct ir_inst *i = &fn->inst[v];
	if (depth > 32)
		return false;
	if (i->op == IR_phi)
		i = &fn->inst[track_through_phis(t, v)];
	if (i->op == IR_root) {
		const struct fact_root *r = &t->facts->root[i->imm];
		if (r->kind != ROOT_TABLE_LO)
			return false;
		o->table = r->table;
		o->off += r->offset;
		return true;
	}
	if (i->op == IR_iadd && i->type == IR_I32) {
		ir_id a = i->a[0], b = i->a[1];
		if (v < t->nmemo && t->memo[v] == MEMO_NONE)
			return false;
		struct origin save = *o;
		if (trace_low(t, a, o, depth + 1))
			return add_term(t, o, b);
		*o = save;
		if (trace_low(t, b, o, depth + 1))
			return add_term(t, o, a);
		*o = save;
		if (v < t->nmemo)
			t->memo[v] = MEMO_NONE; /* looked at once, not along every path of a web of sums */
		return false;
	}
	if (i->op == IR_lo64 && trace_address(t, i->a[0], o, depth + 1))
		return o->res == 0;
	struct origin w;
	if (track_word(t, v, &w) && w.nterm == 0) { /* a pointer that another table holds */
		const struct fact_entry *e = track_entry(t, &w);
		if (e && e->kind == ENTRY_POINTER && (w.off - e->offset) % (e->stride ? e->stride : 8) == 0) {
			o->table = e->table;
			return true;
		}
		return !e && track_behind(t, &w, 4, v, o);
	}
	return false;
}

/* The 32-bit value that a 64-bit offset extends, or 0. */
static ir_id narrow(struct track *t, ir_id v)
{
	const struct ir_inst *i = &t->fn->inst[v];
	uint64_t k;
	if (i->op == IR_zext && t->fn->inst[i->a[0]].type == IR_I32)
		return i->a[0];
	if (i->op == IR_pack64 && ir_is_const(t->fn, i->a[1], &k) && k == 0)
		return i->a[0];
	if (ir_is_const(t->fn, v, &k) && k <= UINT32_MAX)
		return ir_const(t->fn, IR_I32, (uint32_t)k);
	return 0;
}

/* The high half of a pointer whose low half is followed alone: the ABI's constant, or that of a traced pointer. */
static bool fixed_high(struct track *t, ir_id hi, unsigned depth)
{
	if (t->fn->inst[hi].op == IR_phi)
		hi = track_through_phis(t, hi);
	const struct ir_inst *i = &t->fn->inst[hi];
	struct origin o = {0};
	uint64_t k;
	if (ir_is_const(t->fn, hi, &k))
		return true;
	if (i->op == IR_root)
		return t->facts->root[i->imm].kind == ROOT_TABLE_HI;
	return i->op == IR_hi64 && trace_address(t, i->a[0], &o, depth + 1) && !o.res;
}

/* Where does the 64-bit address `v` point? A table, or the bytes of a buffer whose address a table holds. */
static bool trace_address(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	struct ir_fn *fn = t->fn;
	const struct ir_inst *i = &fn->inst[v];
	if (depth > 32)
		return false;
	if (i->op == IR_iadd) {
		for (unsigned k = 0; k < 2; k++) {
			struct origin save = *o;
			ir_id other = fn->inst[v].a[!k], low = narrow(t, other);
			if (low && trace_address(t, fn->inst[v].a[k], o, depth + 1))
				return add_term(t, o, low);
			*o = save;
			i = &fn->inst[v];
			uint64_t c;
			if (ir_is_const(fn, other, &c) && c >> 32 == UINT32_MAX && trace_address(t, i->a[k], o, depth + 1)) {
				o->off += (uint32_t)c; /* a small negative offset */
				return true;
			}
			*o = save;
		}
		return track_pointer(t, v, o, depth);
	}
	if (i->op == IR_phi || i->op == IR_select)
		return track_pointer(t, v, o, depth);
	if (i->op == IR_ldptr || i->op == IR_ldtab || i->op == IR_elem || i->op == IR_bitcast) {
		struct origin w;
		if (!track_word(t, v, &w) || w.nterm)
			return false;
		const struct fact_entry *e = track_entry(t, &w);
		if (e && e->kind == ENTRY_POINTER) {
			o->table = e->table;
			return true;
		}
		return track_buffer_address(t, &w, o) || (!e && track_behind(t, &w, 8, v, o));
	}
	if (i->op == IR_zext && fn->inst[i->a[0]].type == IR_I32) /* a fixed high half of 0 */
		return trace_low(t, i->a[0], o, depth + 1);
	if (i->op != IR_pack64)
		return false;
	ir_id lo = i->a[0], hi = i->a[1];
	struct origin w, h;
	if (track_word(t, lo, &w) && track_word(t, hi, &h) && track_same(&w, &h, 4)) {
		const struct fact_entry *e = track_entry(t, &w);
		if (e && e->kind == ENTRY_POINTER && w.nterm == 0) {
			o->table = e->table;
			return true;
		}
		return track_buffer_address(t, &w, o) || (!e && track_behind(t, &w, 8, v, o));
	}
	return fixed_high(t, hi, depth) && trace_low(t, lo, o, depth + 1);
}

bool track_address_in(struct track *t, ir_id v, struct origin *o, unsigned depth) { return trace_address(t, v, o, depth); }

bool track_address(struct track *t, ir_id v, struct origin *o)
{
	memset(o, 0, sizeof *o);
	return trace_address(t, v, o, 0);
}

bool track_known(const struct track *t, ir_id v, struct origin *o)
{
	if (t->memo[v] < MEMO_FIRST)
		return false;
	*o = t->origin[t->memo[v] - MEMO_FIRST];
	return true;
}

void track_know(struct track *t, ir_id v, const struct origin *o)
{
	t->origin = arena_grow_raw(t->scratch, t->origin, t->norigin, &t->origin_cap, t->norigin + 1u, sizeof *t->origin);
	t->memo[v] = MEMO_FIRST + t->norigin;
	t->origin[t->norigin++] = *o;
}

bool track_same(const struct origin *a, const struct origin *b, uint32_t delta)
{
	if (a->table != b->table || a->off + delta != b->off || a->nterm != b->nterm || a->res != b->res)
		return false;
	for (unsigned i = 0; i < a->nterm; i++)
		if (a->term[i] != b->term[i])
			return false;
	return true;
}

/* Where the load's address points, memoised: descriptors are looked at word by word. */
static bool load_address(struct track *t, ir_id load, struct origin *o)
{
	if (load >= t->nmemo)
		return false;
	if (t->memo[load] != MEMO_UNKNOWN)
		return track_known(t, load, o);
	t->memo[load] = MEMO_NONE; /* cycles through phis end here */
	if (!track_address(t, t->fn->inst[load].a[1], o))
		return false;
	track_know(t, load, o);
	return true;
}

/* Is `v` (i32, or i64 for a pair) a word that was loaded from a table? */
bool track_word(struct track *t, ir_id v, struct origin *o)
{
	struct ir_fn *fn = t->fn;
	const struct ir_inst *i = &fn->inst[v];
	uint32_t elem = 0;
	if (i->op == IR_bitcast) {
		v = i->a[0];
		i = &fn->inst[v];
	}
	if (i->op == IR_elem) {
		elem = (uint32_t)i->imm;
		v = i->a[0];
		i = &fn->inst[v];
	}
	uint32_t size = ir_bits(i->type) / 8;
	if (size < 4)
		return false;
	memset(o, 0, sizeof *o);
	if (i->op == IR_ldtab) {
		o->table = i->sub;
		o->off = (uint32_t)i->imm + elem * size;
		return add_term(t, o, i->a[0]);
	}
	if (i->op != IR_ldptr)
		return false;
	if (!load_address(t, v, o))
		return false;
	o->off += (uint32_t)i->imm + elem * size;
	return !o->res;
}

/* The table entry that holds the origin's constant part. */
const struct fact_entry *track_entry(struct track *t, const struct origin *o)
{
	if (o->res || o->table >= t->facts->ntable)
		return NULL;
	const struct fact_table *tab = &t->facts->table[o->table];
	if (tab->memory)
		return track_made(t, o);
	for (uint32_t i = 0; i < tab->nentry; i++) {
		const struct fact_entry *e = &tab->entry[i];
		if (o->off >= e->offset && o->off - e->offset < e->size)
			return e;
	}
	return NULL;
}

/* The sum of an origin's terms as an i32 value, 0 when there is none. Inserted before `where`. */
ir_id track_dynamic(struct track *t, const struct origin *o, ir_id where)
{
	ir_id sum = 0;
	track_at(t, where);
	for (unsigned i = 0; i < o->nterm; i++)
		sum = sum ? ir_op2(t->fn, IR_iadd, IR_I32, sum, o->term[i]) : o->term[i];
	return sum;
}
