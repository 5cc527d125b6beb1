/* restrack.c - resource tracking: which binding or pointer does each access use?
 *
 * A guest reaches its resources through memory: user data points to tables, tables hold descriptors or addresses, and those
 * are what an access names. This pass follows every handle and every address back to *table + offset*, and rewrites the
 * access to the binding that the record puts there:
 *
 *     %1 = root 0                                   %9  = bind 0            (resource 0: set 0, binding 2)
 *     %2 = ldptr true, pack64(%1, hi), imm 16       %10 = ldbuf true, %9, %o
 *     %3 = hbuf %2.0, %2.1, %2.2, %2.3        =>
 *     %4 = ldbuf true, %3, %o
 *
 * Push constants, system values in tables, uniform buffer banks and constant data behind the code become direct accesses.
 * What is left over after dead code is gone has an unknown origin: it is refused with the load's address, never guessed.
 */
#include "restrack.h"

#include <string.h>

/* ---- small builders: everything is inserted before `where` */

static void at(struct track *t, ir_id where)
{
	t->fn->before = where;
	t->fn->at = t->fn->inst[where].block;
	t->fn->addr = t->fn->inst[where].addr;
	t->fn->flags = 0;
}

static ir_id c32(struct track *t, uint32_t v) { return ir_const(t->fn, IR_I32, v); }

/* ---- origins */

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
		if (v < t->nmemo && t->memo_state[v] == 2)
			return false;
		struct origin save = *o;
		if (trace_low(t, a, o, depth + 1))
			return add_term(t, o, b);
		*o = save;
		if (trace_low(t, b, o, depth + 1))
			return add_term(t, o, a);
		*o = save;
		if (v < t->nmemo)
			t->memo_state[v] = 2; /* looked at once, not along every path of a web of sums */
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
		return c32(t, (uint32_t)k);
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
		return track_buffer_address(t, &w, o);
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
		return track_buffer_address(t, &w, o);
	}
	return fixed_high(t, hi, depth) && trace_low(t, lo, o, depth + 1);
}

bool track_address_in(struct track *t, ir_id v, struct origin *o, unsigned depth) { return trace_address(t, v, o, depth); }

bool track_address(struct track *t, ir_id v, struct origin *o)
{
	memset(o, 0, sizeof *o);
	return trace_address(t, v, o, 0);
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
	/* the load's own origin is memoised: descriptors are looked at word by word */
	struct origin *m = track_memo(t, v);
	if (!m)
		return false;
	*o = *m;
	o->off += (uint32_t)i->imm + elem * size;
	return !o->res;
}

struct origin *track_memo(struct track *t, ir_id load)
{
	if (load >= t->nmemo)
		return NULL;
	if (t->memo_state[load] == 0) {
		t->memo_state[load] = 1; /* cycles through phis end here */
		struct origin o;
		if (track_address(t, t->fn->inst[load].a[1], &o)) {
			t->memo[load] = arena_new(t->scratch, struct origin);
			*t->memo[load] = o;
		}
	}
	return t->memo[load];
}

/* The table entry that holds the origin's constant part. */
const struct fact_entry *track_entry(struct track *t, const struct origin *o)
{
	if (o->res || o->table >= t->facts->ntable)
		return NULL;
	const struct fact_table *tab = &t->facts->table[o->table];
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
	at(t, where);
	for (unsigned i = 0; i < o->nterm; i++)
		sum = sum ? ir_op2(t->fn, IR_iadd, IR_I32, sum, o->term[i]) : o->term[i];
	return sum;
}

static void replace(struct track *t, ir_id from, ir_id to)
{
	t->map[from] = to;
	t->changed = true;
}

/* ---- handles */

static void lower_handles(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			ir_id to = 0;
			switch (fn->inst[id].op) {
			case IR_hbuf: to = track_hbuf(t, id); break;
			case IR_himg: to = track_himg(t, id); break;
			case IR_hsmp: to = track_hsmp(t, id); break;
			case IR_htex: to = track_htex(t, id); break;
			case IR_igather: track_gather(t, id); break;
			default: break;
			}
			if (to)
				replace(t, id, to);
		}
}

/* ---- pointers to the bytes of a buffer */

static ir_id byte_offset(struct track *t, const struct origin *o, ir_id where)
{
	ir_id dyn = track_dynamic(t, o, where);
	if (!dyn)
		return c32(t, o->off);
	return o->off ? ir_op2(t->fn, IR_iadd, IR_I32, dyn, c32(t, o->off)) : dyn;
}

static void lower_pointer_access(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct origin o;
	if (!track_address(t, fn->inst[id].a[1], &o) || !o.res)
		return;
	ir_id off = byte_offset(t, &o, id);
	ir_id res = track_bind(t, o.res - 1, o.index, id);
	at(t, id);
	struct ir_inst old = fn->inst[id];
	ir_id args[8] = {old.a[0], res, off, 0};
	unsigned n = 4;
	enum ir_op op = IR_ldbuf;
	if (old.op == IR_stptr) {
		op = IR_stbuf;
		args[n++] = old.a[2];
	} else if (old.op == IR_atptr) {
		op = IR_atbuf;
		args[n++] = old.a[2];
		args[n++] = old.nargs8 > 3 ? old.a[3] : 0;
	}
	fn->flags = old.flags;
	ir_id to = ir_new(fn, op, old.type, n, args);
	fn->inst[to].imm = old.imm;
	fn->inst[to].sub = op == IR_atbuf ? old.sub : 0;
	fn->flags = 0;
	struct ir_resource *r = &fn->res[o.res - 1];
	r->read |= op != IR_stbuf;
	r->written |= op != IR_ldbuf;
	if (op == IR_ldbuf || op == IR_atbuf)
		replace(t, id, to);
	ir_remove(fn, id);
	t->changed = true;
}

static void lower_pointers(struct track *t)
{
	ir_for_order(t->fn, b)
		ir_for_insts(t->fn, b, id) {
			uint16_t op = t->fn->inst[id].op;
			if (op == IR_ldptr || op == IR_stptr || op == IR_atptr)
				lower_pointer_access(t, id);
		}
}

/* ---- roots */

/* Is the value only ever added to the zero-based instance index? Then it is the base instance. */
static bool only_added_to_instance(struct track *t, ir_id root)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const ir_id *a = ir_args(fn, id);
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				if (a[k] != root)
					continue;
				const struct ir_inst *other = &fn->inst[a[!k]];
				if ((fn->inst[id].op != IR_iadd && fn->inst[id].op != IR_carry) || other->op != IR_sysval || other->sub != SYSVAL_instance_index_zero)
					return false;
			}
		}
	return true;
}

/* The bits of `root` that instruction `i` takes: first one and how many. */
static bool bits_taken(const struct ir_fn *fn, const struct ir_inst *i, ir_id root, uint64_t *off, uint64_t *width)
{
	uint64_t mask;
	if (i->op == IR_ubfe && i->a[0] == root)
		return ir_is_const(fn, i->a[1], off) && ir_is_const(fn, i->a[2], width);
	if (i->op != IR_iand || i->type != IR_I32 || i->a[0] != root || !ir_is_const(fn, i->a[1], &mask) || !mask)
		return false;
	*off = (unsigned)__builtin_ctzll(mask);
	mask >>= *off;
	for (*width = 0; mask >> *width & 1;)
		++*width;
	return mask >> *width == 0;
}

/* The word that tells a wave its place in the workgroup: bits 5:0 are the number of waves, the wave's index starts at `r->offset`
 * and at `r->comp`, where they are not 0. The other bits are not known, so each use must take one of the fields. */
static void lower_group_info(struct track *t, ir_id root, const struct fact_root *r)
{
	struct ir_fn *fn = t->fn;
	const uint32_t *w = t->facts->workgroup;
	uint32_t waves = (w[0] * w[1] * w[2] + t->facts->wave - 1) / t->facts->wave;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			uint64_t off, width;
			bool in_place = fn->inst[id].op == IR_iand;
			if (!bits_taken(fn, &fn->inst[id], root, &off, &width))
				continue;
			if (off == 0 && width && width <= 6)
				replace(t, id, c32(t, waves & ((1u << width) - 1)));
			if (off == 0 || (off != r->offset && off != r->comp) || width < 5 || width > 6)
				continue;
			at(t, id);
			ir_id v = ir_op0(fn, IR_sysval, IR_I32);
			fn->inst[v].sub = SYSVAL_wave_in_group;
			replace(t, id, in_place ? ir_op2(fn, IR_shl, IR_I32, v, c32(t, (uint32_t)off)) : v);
		}
	facts_read(t->facts, STATE_WORKGROUP);
}

static void lower_roots(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_root)
				continue;
			const struct fact_root *r = &t->facts->root[fn->inst[id].imm];
			ir_id to = 0;
			at(t, id);
			if (r->kind == ROOT_CONST)
				to = c32(t, r->offset);
			else if (r->kind == ROOT_SYSVAL) {
				to = ir_op0(fn, IR_sysval, IR_I32);
				fn->inst[to].sub = r->sysval;
				fn->inst[to].imm = r->comp;
			} else if (r->kind == ROOT_PUSH)
				to = track_push(t, id, IR_I32, r->offset, 0);
			else if (r->kind == ROOT_GROUP_INFO)
				lower_group_info(t, id, r);
			else if (r->kind == ROOT_BASE_INSTANCE_OR_DRAW && only_added_to_instance(t, id)) {
				to = ir_op0(fn, IR_sysval, IR_I32);
				fn->inst[to].sub = SYSVAL_base_instance;
			}
			if (to)
				replace(t, id, to);
		}
}

/* Pointers to tables whose bits the program looks at: a register that last held one is read as a mask, say. */
static void lower_addresses(struct track *t)
{
	ir_for_order(t->fn, b)
		ir_for_insts(t->fn, b, id) {
			if (t->fn->inst[id].op != IR_root)
				continue;
			const struct fact_root *r = &t->facts->root[t->fn->inst[id].imm];
			if (r->kind != ROOT_TABLE_LO && r->kind != ROOT_TABLE_HI)
				continue;
			uint64_t a = t->facts->table[r->table].address;
			if (a)
				replace(t, id, c32(t, (uint32_t)((a + r->offset) >> (r->kind == ROOT_TABLE_HI ? 32 : 0))));
		}
	track_apply(t);
}

/* vertex_index_zero + base_vertex is vertex_index; what is left becomes a difference. */
static void lower_zero_based(struct track *t)
{
	static const uint16_t of[2][3] = {
		{SYSVAL_vertex_index_zero, SYSVAL_base_vertex, SYSVAL_vertex_index},
		{SYSVAL_instance_index_zero, SYSVAL_base_instance, SYSVAL_instance_index},
	};
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_iadd)
				continue;
			ir_id x = fn->inst[id].a[0], y = fn->inst[id].a[1];
			if (fn->inst[x].op != IR_sysval || fn->inst[y].op != IR_sysval)
				continue;
			uint16_t p = fn->inst[x].sub, q = fn->inst[y].sub;
			for (unsigned k = 0; k < 2; k++)
				if ((p == of[k][0] && q == of[k][1]) || (q == of[k][0] && p == of[k][1])) {
					at(t, id);
					ir_id to = ir_op0(fn, IR_sysval, IR_I32);
					fn->inst[to].sub = of[k][2];
					replace(t, id, to);
				}
		}
	track_apply(t);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_sysval)
				continue;
			for (unsigned k = 0; k < 2; k++)
				if (fn->inst[id].sub == of[k][0]) {
					at(t, id);
					ir_id base = ir_op0(fn, IR_sysval, IR_I32), full = ir_op0(fn, IR_sysval, IR_I32);
					fn->inst[base].sub = of[k][1];
					fn->inst[full].sub = of[k][2];
					replace(t, id, ir_op2(fn, IR_isub, IR_I32, full, base));
				}
		}
	track_apply(t);
}

void track_apply(struct track *t)
{
	if (t->map && !t->changed && t->nmemo == t->fn->ninst)
		return; /* nothing happened */
	if (t->changed)
		ir_map_apply(t->fn, t->map);
	t->changed = false;
	/* new instructions were made: start afresh */
	t->map = ir_map_new(t->scratch, t->fn);
	t->nmemo = t->fn->ninst;
	t->memo = arena_array(t->scratch, struct origin *, t->nmemo);
	t->memo_state = arena_array(t->scratch, uint8_t, t->nmemo);
}

/* ---- what is left: every table word still in use must have become a value */

static bool refuse_inst(struct track *t, const struct ir_inst *i, bool roots)
{
	switch (i->op) {
	case IR_ldptr: case IR_ldtab: case IR_stptr: case IR_atptr:
		if (i->op != IR_ldtab && track_host_address(t, i->a[1])) {
			if (t->facts->addresses != ADDRESS_REFUSE)
				return false;
			diag_emit(t->ctx->diag, DIAG_ADDRESS, i->addr, "this %s is through an address that the program got as data",
			          i->op == IR_stptr ? "store" : i->op == IR_atptr ? "atomic" : "load");
			return true;
		}
		diag_emit(t->ctx->diag, DIAG_ADDRESS, i->addr,
		          "the address of this %s cannot be traced to a binding, push constants or constant data",
		          i->op == IR_stptr ? "store" : i->op == IR_atptr ? "atomic" : "load");
		return true;
	case IR_hbuf: case IR_himg: case IR_hsmp: case IR_htex:
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, i->addr, "the descriptor used here cannot be traced to a binding");
		return true;
	case IR_root:
		if (!roots)
			return false;
		diag_emit(t->ctx->diag, DIAG_FACT, i->addr, "the program uses the value of user data \"%s\" itself",
		          t->facts->root[i->imm].name ? t->facts->root[i->imm].name : "?");
		return true;
	default: return false;
	}
}

/* One reason is enough, the rest follows from it: accesses first, then user data that is used as a number. */
static bool refuse_rest(struct track *t, bool roots)
{
	ir_for_order(t->fn, b)
		ir_for_insts(t->fn, b, id)
			if (refuse_inst(t, &t->fn->inst[id], roots))
				return false;
	return true;
}

enum pass_result restrack_run(struct pass_ctx *ctx)
{
	struct track t = {.ctx = ctx, .fn = ctx->fn, .facts = ctx->facts, .scratch = ctx->scratch};
	track_apply(&t);
	lower_roots(&t);
	track_apply(&t);
	lower_zero_based(&t); /* roots were the base */
	lower_handles(&t);
	track_apply(&t);
	track_typed(&t);      /* vertex attributes, integer images */
	track_apply(&t);
	lower_pointers(&t);
	track_apply(&t);
	dce_run(ctx);
	track_values(&t); /* table words used as plain values */
	track_apply(&t);
	dce_run(ctx);
	track_elements(&t);
	track_apply(&t);
	dce_run(ctx);
	if (!refuse_rest(&t, false))
		return PASS_REFUSED;
	lower_addresses(&t);
	dce_run(ctx);
	ctx->fn->before = 0;
	if (t.refused || !refuse_rest(&t, true))
		return PASS_REFUSED;
	return PASS_CHANGED;
}
