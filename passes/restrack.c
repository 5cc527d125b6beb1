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

#include "dce.h"

#include <string.h>

/* ---- building and replacing */

void track_at(struct track *t, ir_id where)
{
	t->fn->before = where;
	t->fn->at = t->fn->inst[where].block;
	t->fn->addr = t->fn->inst[where].addr;
	t->fn->flags = 0;
}

void track_copy(struct ir_fn *fn, ir_id to, ir_id from)
{
	struct ir_inst *d = &fn->inst[to], was = *d;
	*d = fn->inst[from];
	d->prev = was.prev;
	d->next = was.next;
	d->block = was.block;
}

void track_replace(struct track *t, ir_id from, ir_id to)
{
	struct ir_fn *fn = t->fn;
	if (to == fn->ninst - 1 && fn->inst[to].next == from) {
		track_copy(fn, from, to);
		ir_remove(fn, to);
		fn->ninst--;
		if (t->used) {
			track_note_uses(t, from);
			t->nused = t->nused < fn->ninst ? t->nused : fn->ninst;
		}
		return;
	}
	if (!t->map)
		t->map = ir_map_new(t->scratch, fn);
	t->map[from] = to;
}

/* Nothing is known of origins: in the beginning, and when what was made for them may be gone or be something else. */
static void origins_new(struct track *t)
{
	t->nmemo = t->fn->ninst;
	t->memo = arena_array(t->scratch, uint32_t, t->nmemo);
	t->nsplit = 0;
	t->used = NULL;
}

void track_apply(struct track *t)
{
	if (!t->map)
		return;
	ir_map_apply(t->fn, t->map);
	t->map = NULL;
	origins_new(t);
}

static ir_id c32(struct track *t, uint32_t v) { return ir_const(t->fn, IR_I32, v); }

/* ---- handles, and the accesses that name them */

static void lower_handle(struct track *t, ir_id id, ir_id to)
{
	if (to)
		track_replace(t, id, to);
}

static void lower_handles(struct track *t)
{
	track_for_seen(t, id)
		switch (t->fn->inst[id].op) {
		case IR_hbuf: lower_handle(t, id, track_hbuf(t, id)); break;
		case IR_himg: lower_handle(t, id, track_himg(t, id)); break;
		case IR_hsmp: lower_handle(t, id, track_hsmp(t, id)); break;
		case IR_htex: lower_handle(t, id, track_htex(t, id)); break;
		case IR_igather:
			track_gather(t, id);
			track_access(t, id);
			break;
		case IR_iload: lower_handle(t, id, track_sample_map(t, id)); /* fall through */
		default: track_access(t, id); break;
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
	track_at(t, id);
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
	track_replace(t, id, to);
}

static void lower_pointers(struct track *t)
{
	track_for_seen(t, id) {
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
				track_replace(t, id, c32(t, waves & ((1u << width) - 1)));
			if (off == 0 || (off != r->offset && off != r->comp) || width < 5 || width > 6)
				continue;
			track_at(t, id);
			ir_id v = ir_op0(fn, IR_sysval, IR_I32);
			fn->inst[v].sub = SYSVAL_wave_in_group;
			track_replace(t, id, in_place ? ir_op2(fn, IR_shl, IR_I32, v, c32(t, (uint32_t)off)) : v);
		}
	facts_read(t->facts, STATE_WORKGROUP);
}

static ir_id sysval(struct track *t, ir_type type, unsigned which, unsigned comp)
{
	ir_id v = ir_op0(t->fn, IR_sysval, type);
	t->fn->inst[v].sub = (uint16_t)which;
	t->fn->inst[v].imm = comp;
	return v;
}

static ir_id pixel(struct track *t, unsigned comp)
{
	return ir_op1(t->fn, IR_f2u, IR_I32, sysval(t, IR_F32, SYSVAL_frag_coord, comp));
}

/* The words that tell a fragment its sample and its layer, or its place: a use takes one of the fields. The sample is asked for
 * only where it is used, for with it a program runs for each. A place is known as a whole, too. */
static void lower_fragment(struct track *t, ir_id root, bool place)
{
	struct ir_fn *fn = t->fn;
	uint64_t at = place ? 0 : 8, n = place ? 16 : 4, high_n = place ? 16 : 13, off, width, k;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			bool in_place = fn->inst[id].op == IR_iand, high = fn->inst[id].op == IR_lshr && fn->inst[id].a[0] == root &&
				ir_is_const(fn, fn->inst[id].a[1], &k) && k == 16 && place;
			if (!high && !bits_taken(fn, &fn->inst[id], root, &off, &width))
				continue;
			high |= off == 16 && width == high_n;
			if (!high && (off != at || width != n))
				continue;
			track_at(t, id);
			ir_id v = place ? pixel(t, high) : sysval(t, IR_I32, high ? SYSVAL_layer : SYSVAL_sample_id, 0);
			track_replace(t, id, in_place && (high || at) ? ir_opk(fn, IR_shl, IR_I32, v, high ? 16 : at) : v);
		}
	if (!place)
		return;
	track_at(t, root);
	ir_id x = pixel(t, 0), y = ir_opk(fn, IR_shl, IR_I32, pixel(t, 1), 16);
	track_replace(t, root, ir_op2(fn, IR_ior, IR_I32, x, y));
}

/* Does the program look at its sample's number, other than to shift by it? */
static bool runs_for_each(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op == IR_shl || fn->inst[id].op == IR_iand)
				continue;
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				uint64_t off, width;
				ir_id v = ir_args(fn, id)[k];
				const struct ir_inst *i = &fn->inst[v], *r = i->nargs8 ? &fn->inst[i->a[0]] : i;
				if (i->op == IR_sysval && i->sub == SYSVAL_sample_id)
					return true;
				if (r->op == IR_root && t->facts->root[r->imm].kind == ROOT_ANCILLARY && bits_taken(fn, i, i->a[0], &off, &width) && off == 8)
					return true;
			}
		}
	return false;
}

/* What is drawn, where that is triangles. */
static void lower_primitive(struct track *t, ir_id root, uint32_t at)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			uint64_t off, width;
			if (fn->inst[id].op != IR_ubfe || !bits_taken(fn, &fn->inst[id], root, &off, &width) || off != at || width != 2)
				continue;
			facts_read(t->facts, STATE_PRIMITIVE);
			if (t->facts->triangles == 1)
				track_replace(t, id, c32(t, 2));
		}
}

/* Which vertex provokes, where that is the first: 0 for each quad, whatever its number is. */
static ir_id provoking(struct track *t, ir_id root)
{
	struct ir_fn *fn = t->fn;
	facts_read(t->facts, STATE_PRIMITIVE);
	if (t->facts->provoking_last)
		return 0;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_ubfe && fn->inst[id].a[0] == root)
				track_replace(t, id, c32(t, 0));
	return c32(t, 0);
}

/* Which samples run 0 stands for: the first alone where the program looks at its sample's number, for then it runs for each. Elsewhere
 * the state says how often it runs. */
static void lower_samples(struct track *t, ir_id root, uint32_t at)
{
	struct ir_fn *fn = t->fn;
	if (!runs_for_each(t))
		return;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			uint64_t off, width;
			if (fn->inst[id].op == IR_ubfe && bits_taken(fn, &fn->inst[id], root, &off, &width) && off == at && width == 16)
				track_replace(t, id, c32(t, 1));
		}
}

/* A word of which the sign alone is known: it is not negative. */
static void lower_not_negative(struct track *t, ir_id root)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			uint64_t v;
			if (i->op == IR_slt && i->a[0] == root && ir_is_const(fn, i->a[1], &v) && !v)
				track_replace(t, id, ir_const(fn, IR_B1, 0));
		}
}

static bool zero_based(unsigned sysval)
{
	return sysval == SYSVAL_vertex_index_zero || sysval == SYSVAL_instance_index_zero;
}

static void lower_root(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	const struct fact_root *r = &t->facts->root[fn->inst[id].imm];
	ir_id to = 0;
	track_at(t, id);
	if (r->kind == ROOT_CONST)
		to = c32(t, r->offset);
	else if (r->kind == ROOT_SYSVAL) {
		to = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[to].sub = r->sysval;
		fn->inst[to].imm = r->comp;
		t->zero_based |= zero_based(r->sysval);
	} else if (r->kind == ROOT_PUSH)
		to = track_push(t, id, IR_I32, r->offset, 0);
	else if (r->kind == ROOT_GROUP_INFO)
		lower_group_info(t, id, r);
	else if (r->kind == ROOT_ANCILLARY || r->kind == ROOT_PIXEL)
		lower_fragment(t, id, r->kind == ROOT_PIXEL);
	else if (r->kind == ROOT_SAMPLES_OF_RUN) {
		lower_samples(t, id, r->offset);
		lower_primitive(t, id, r->comp);
	} else if (r->kind == ROOT_PROVOKING)
		to = provoking(t, id);
	else if (r->kind == ROOT_NOT_NEGATIVE)
		lower_not_negative(t, id);
	else if (r->kind == ROOT_BASE_INSTANCE_OR_DRAW && only_added_to_instance(t, id)) {
		to = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[to].sub = SYSVAL_base_instance;
	}
	if (to)
		track_replace(t, id, to);
}

static void lower_roots(struct track *t)
{
	if (!t->fn->has[IR_root])
		return;
	track_for_seen(t, id)
		if (t->fn->inst[id].op == IR_root)
			lower_root(t, id);
}

/* Pointers to tables whose bits the program looks at: a register that last held one is read as a mask, say. */
static void lower_addresses(struct track *t)
{
	if (!t->fn->has[IR_root])
		return;
	track_for_seen(t, id) {
		if (t->fn->inst[id].op != IR_root)
			continue;
		const struct fact_root *r = &t->facts->root[t->fn->inst[id].imm];
		if (r->kind == ROOT_ANY)
			track_replace(t, id, c32(t, 0));
		if (r->kind != ROOT_TABLE_LO && r->kind != ROOT_TABLE_HI)
			continue;
		uint64_t a = t->facts->table[r->table].address;
		if (a)
			track_replace(t, id, c32(t, (uint32_t)((a + r->offset) >> (r->kind == ROOT_TABLE_HI ? 32 : 0))));
	}
}

/* vertex_index_zero + base_vertex is vertex_index; what is left becomes a difference. */
static void lower_zero_based(struct track *t)
{
	static const uint16_t of[2][3] = {
		{SYSVAL_vertex_index_zero, SYSVAL_base_vertex, SYSVAL_vertex_index},
		{SYSVAL_instance_index_zero, SYSVAL_base_instance, SYSVAL_instance_index},
	};
	struct ir_fn *fn = t->fn;
	ir_id *zero = arena_array_raw(t->scratch, ir_id, fn->ninst);
	uint32_t nzero = 0;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op == IR_sysval && zero_based(fn->inst[id].sub))
				zero[nzero++] = id;
			if (fn->inst[id].op != IR_iadd)
				continue;
			ir_id x = fn->inst[id].a[0], y = fn->inst[id].a[1];
			if (fn->inst[x].op != IR_sysval || fn->inst[y].op != IR_sysval)
				continue;
			uint16_t p = fn->inst[x].sub, q = fn->inst[y].sub;
			for (unsigned k = 0; k < 2; k++)
				if ((p == of[k][0] && q == of[k][1]) || (q == of[k][0] && p == of[k][1])) {
					track_at(t, id);
					ir_id to = ir_op0(fn, IR_sysval, IR_I32);
					fn->inst[to].sub = of[k][2];
					track_replace(t, id, to);
				}
		}
	track_apply(t);
	for (uint32_t i = 0; i < nzero; i++) {
		ir_id id = zero[i];
		unsigned k = fn->inst[id].sub == of[1][0];
		track_at(t, id);
		ir_id base = ir_op0(fn, IR_sysval, IR_I32), full;
		fn->inst[base].sub = of[k][1];
		full = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[full].sub = of[k][2];
		track_replace(t, id, ir_op2(fn, IR_isub, IR_I32, full, base));
	}
	track_apply(t);
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

/* One reason is enough, the rest follows from it: accesses first, then user data that is used as a number. Which ops there are is known
 * since dead code is gone. */
static bool refuse_rest(struct track *t, bool roots)
{
	const uint8_t *has = t->fn->has;
	if (!(has[IR_ldptr] | has[IR_ldtab] | has[IR_stptr] | has[IR_atptr] | has[IR_hbuf] | has[IR_himg] | has[IR_hsmp] | has[IR_htex]) &&
	    !(roots && has[IR_root]))
		return true;
	track_for_seen(t, id)
		if (refuse_inst(t, &t->fn->inst[id], roots))
			return false;
	return true;
}

/* Asked when dead code is gone. */
static bool tables_left(const struct track *t)
{
	return t->fn->has[IR_ldptr] || t->fn->has[IR_ldtab];
}

/* ---- the steps */

static void gather_seen(struct track *t)
{
	enum { ABOUT = 1 /* the pass is about it */, POINTER = 2, INPUT = 4 };
	static const uint8_t looks[IR_OP_COUNT] = {
		[IR_ldptr] = ABOUT | POINTER, [IR_stptr] = ABOUT | POINTER, [IR_atptr] = ABOUT | POINTER, [IR_sysval] = INPUT,
		[IR_root] = ABOUT, [IR_hbuf] = ABOUT,
		[IR_himg] = ABOUT, [IR_hsmp] = ABOUT, [IR_htex] = ABOUT, [IR_ldtab] = ABOUT, [IR_ldbuf] = ABOUT, [IR_stbuf] = ABOUT,
		[IR_atbuf] = ABOUT, [IR_ldtyped] = ABOUT, [IR_sttyped] = ABOUT, [IR_isample] = ABOUT, [IR_igather] = ABOUT,
		[IR_iload] = ABOUT, [IR_istore] = ABOUT, [IR_iatomic] = ABOUT, [IR_iquery] = ABOUT,
	};
	struct ir_fn *fn = t->fn;
	const struct ir_inst *inst = fn->inst, *in;
	ir_id *seen = t->seen = arena_array_raw(t->scratch, ir_id, fn->ninst);
	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			unsigned look = looks[in->op];
			*seen = id;
			seen += look & ABOUT;
			if (look & INPUT)
				t->zero_based |= zero_based(in->sub);
			if (look & POINTER)
				t->lane_pointers |= in->op != IR_ldptr || inst[in->a[0]].op != IR_const;
		}
	t->nseen = (uint32_t)(seen - t->seen);
}

static void drop_dead(struct track *t)
{
	struct dce d = { .fn = t->fn, .registers = true };

	dce_mark(&d, t->scratch);
	dce_remove(&d);
}

enum pass_result restrack_run(struct pass_ctx *ctx)
{
	struct track t = {.ctx = ctx, .fn = ctx->fn, .facts = ctx->facts, .scratch = ctx->scratch};
	gather_seen(&t);
	if (t.lane_pointers && pointers_run(ctx))
		gather_seen(&t);
	origins_new(&t);
	lower_roots(&t);
	track_apply(&t);
	if (t.zero_based)
		lower_zero_based(&t); /* roots were the base */
	if (!track_tables(&t))
		return PASS_REFUSED;
	lower_handles(&t);
	lower_pointers(&t);
	drop_dead(&t);
	if (tables_left(&t)) {
		origins_new(&t);
		track_values(&t); /* table words used as plain values */
		track_apply(&t);
		drop_dead(&t);
	}
	if (tables_left(&t)) {
		track_elements(&t);
		track_apply(&t);
		drop_dead(&t);
	}
	if (!refuse_rest(&t, false))
		return PASS_REFUSED;
	lower_addresses(&t);
	if (t.map) {
		track_apply(&t);
		drop_dead(&t);
	}
	ctx->fn->before = 0;
	if (t.refused || !refuse_rest(&t, true))
		return PASS_REFUSED;
	return PASS_CHANGED;
}
