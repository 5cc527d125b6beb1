/* emit_scan.c - what is used, and in which form, before anything is emitted.
 *
 * One walk against the order of execution marks the forms of each value that have users (see emit.h); what nothing wants
 * is not emitted. It also counts whether a buffer's words are used as floats or as integers: the block's array gets that
 * type, and the bitcasts of the majority disappear. A value that is stored is wanted as the array then holds it, so what
 * hands it on unchanged is looked at again when that is known.
 */
#include "emit.h"

/* Not "every lane of the wave", but "no lane that gets here must be held back". Helper lanes have no effects anyway. */
bool emit_mask_true(const struct emit *e, ir_id mask)
{
	const struct ir_inst *i = emit_inst(e, mask);
	uint64_t k;

	if (emit_is_const(e, mask, &k))
		return k & 1;
	if (i->op != IR_inot)
		return false;
	i = emit_inst(e, i->a[0]);
	return i->op == IR_sysval && i->sub == SYSVAL_helper && e->fn->stage == STAGE_FRAGMENT;
}

static void want(struct emit *e, ir_id v, unsigned how)
{
	e->want[v] |= (uint8_t)how; /* of id 0, too, which nobody asks about */
}

/* Under a mask that holds no lane back nothing asks for it. */
static void want_mask(struct emit *e, ir_id mask)
{
	if (!emit_mask_true(e, mask))
		want(e, mask, WANT_SELF);
}

/* All operands as they are. A byte is only written: what each instruction lacks is id 0, and one that is read and written by
 * all of them would make each wait for the last. `walk` joins the bytes with `want`. */
static inline void mark(uint8_t *self, const struct ir_inst *i)
{
	_Static_assert(IR_INLINE_ARGS == 4, "those that are marked one by one");
	if (i->nargs8 <= IR_INLINE_ARGS) {
		self[i->a[0]] = WANT_SELF;
		self[i->a[1]] = WANT_SELF;
		self[i->a[2]] = WANT_SELF;
		self[i->a[3]] = WANT_SELF;
		return;
	}
	for (unsigned k = 0; k < i->x.count; k++)
		self[i->x.ext[k]] = WANT_SELF;
}

static void want_all(struct emit *e, ir_id id, unsigned how)
{
	const ir_id *arg = ir_args(e->fn, id);

	for (unsigned k = 0, n = ir_nargs(e->fn, id); k < n; k++)
		want(e, arg[k], how);
}

static void want_as(struct emit *e, ir_id v, ir_type base)
{
	bool self = ir_base(emit_inst(e, v)->type) == ir_base(base), one = ir_elems(emit_inst(e, v)->type) == 1;

	want(e, v, one ? (self ? WANT_SELF : WANT_ALT) : self ? WANT_PART : WANT_PART_ALT);
}

static void want_address(struct emit *e, const struct emit_access *a)
{
	struct emit_piece p[8];
	const struct emit_addr *s;
	static const uint8_t shift_of[VIEW_COUNT] = {0, 1, 2, 3, 4, 4, 3, 2};

	if (!a->words || a->atomic || a->wide)
		want(e, a->off, WANT_SELF);
	for (unsigned i = 0, n = emit_plan(e, a, p); i < n; i++) {
		s = emit_split(e, a, shift_of[p[i].view]);
		for (unsigned k = 0; k < s->n; k++)
			want(e, s->term[k], WANT_SELF);
		if (p[i].view == VIEW_V4 && p[i].n == 1)
			want(e, a->off, WANT_SELF);
	}
}

static void note_access(struct emit *e, const struct emit_access *a)
{
	struct emit_res *r = &e->res[a->res];
	uint32_t byte, end;

	if (a->space != MEM_BUFFER)
		return;
	r->used = true;
	r->read |= !a->store;
	r->written |= a->store || a->atomic;
	r->atomic |= a->atomic;
	r->scoped |= (a->flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT >= SCOPE_GROUP;
	if (!emit_const_byte(e, a, &byte)) {
		r->dynamic = true;
		return;
	}
	end = byte + (a->bits * a->n + 7) / 8;
	if (end < byte)
		r->dynamic = true;
	if (byte < r->low || !r->high)
		r->low = byte;
	if (end > r->high)
		r->high = end;
}

static void want_memory(struct emit *e, ir_id id)
{
	const struct emit_access *a = emit_access_of(e, id, false);
	const ir_id *arg = ir_args(e->fn, id);
	unsigned n = ir_nargs(e->fn, id);

	if (!a) {
		want_all(e, id, WANT_SELF);
		return;
	}
	want_mask(e, arg[0]);
	if (a->space == MEM_BUFFER) {
		want(e, a->bind, WANT_SELF);
		note_access(e, a);
	}
	want_address(e, a);
	if (a->atomic)
		for (unsigned i = a->space == MEM_BUFFER ? 4 : 2; i < n; i++)
			want(e, arg[i], WANT_SELF);
	else if (a->store)
		want(e, a->value, WANT_COPY);
}

static void want_image(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	unsigned n = ir_nargs(e->fn, id), coord = i->op == IR_isample || i->op == IR_igather ? 3 : 2;
	unsigned bind = i->op == IR_iquery ? 0 : 1;

	for (unsigned k = 0; k < n; k++) {
		if (!arg[k])
			continue;
		if (k == (i->op == IR_iquery ? 1u : coord))
			want_as(e, arg[k], coord == 3 ? IR_F32 : IR_I32);
		else if (k == 0 && bind)
			want_mask(e, arg[k]);
		else
			want(e, arg[k], WANT_SELF);
	}
	if (n > bind && emit_inst(e, arg[bind])->op == IR_bind && emit_inst(e, arg[bind])->imm < e->fn->nres) {
		struct emit_res *r = &e->res[emit_inst(e, arg[bind])->imm];
		r->used = true;
		r->read |= i->op != IR_istore;
		r->written |= i->op == IR_istore || i->op == IR_iatomic;
		r->atomic |= i->op == IR_iatomic;
		r->compare |= (i->op == IR_isample || i->op == IR_igather) && i->sub & IMG_REF;
		r->scoped |= (i->flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT >= SCOPE_GROUP;
	}
}

static void want_bitcast(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type from = emit_inst(e, i->a[0])->type;
	unsigned w = e->want[id], o = 0;

	if (from == i->type)
		o = w;
	else if (emit_alt_type(from) == i->type) {
		o |= w & WANT_SELF ? WANT_ALT : 0;
		o |= w & WANT_ALT ? WANT_SELF : 0;
		o |= w & WANT_PART ? WANT_PART_ALT : 0;
		o |= w & WANT_PART_ALT ? WANT_PART : 0;
		o |= w & WANT_COPY;
	} else
		o = WANT_SELF;
	want(e, i->a[0], o);
}

static void want_typed(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id), *bind = emit_inst(e, ir_args(e->fn, id)[1]);

	want_all(e, id, WANT_SELF);
	if (bind->op == IR_bind && bind->imm < e->fn->nres) {
		struct emit_res *r = &e->res[bind->imm];
		r->read |= i->op == IR_ldtyped;
		r->written |= i->op == IR_sttyped;
		r->scoped |= (i->flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT >= SCOPE_GROUP;
	}
}

/* What hands on the bits of its operands: in the forms in which it is wanted itself. */
static void want_forms(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned w = e->want[id];

	if (i->op == IR_elem)
		want(e, i->a[0], (w & WANT_SELF ? WANT_PART : 0) | (w & WANT_ALT ? WANT_PART_ALT : 0) | (w & WANT_COPY));
	else if (i->op == IR_bitcast)
		want_bitcast(e, id);
	else
		want_all(e, id, (w & (WANT_SELF | WANT_PART) ? WANT_SELF : 0) | (w & (WANT_ALT | WANT_PART_ALT) ? WANT_ALT : 0) | (w & WANT_COPY));
}

/* How the operands of an instruction are wanted, by its operation: most as they are. */
enum { SCAN_PLAIN, SCAN_COPY, SCAN_MEMORY, SCAN_IMAGE, SCAN_TYPED, SCAN_BARRIER, SCAN_LANEBIT, SCAN_OUT, SCAN_PHI };
static const uint8_t scans[IR_OP_COUNT] = {
	[IR_elem] = SCAN_COPY, [IR_vec] = SCAN_COPY, [IR_bitcast] = SCAN_COPY,
	[IR_ldbuf] = SCAN_MEMORY, [IR_stbuf] = SCAN_MEMORY, [IR_atbuf] = SCAN_MEMORY, [IR_ldshared] = SCAN_MEMORY,
	[IR_stshared] = SCAN_MEMORY, [IR_atshared] = SCAN_MEMORY, [IR_ldscr] = SCAN_MEMORY, [IR_stscr] = SCAN_MEMORY,
	[IR_isample] = SCAN_IMAGE, [IR_igather] = SCAN_IMAGE, [IR_iload] = SCAN_IMAGE, [IR_istore] = SCAN_IMAGE,
	[IR_iatomic] = SCAN_IMAGE, [IR_iquery] = SCAN_IMAGE,
	[IR_ldtyped] = SCAN_TYPED, [IR_sttyped] = SCAN_TYPED,
	[IR_barrier] = SCAN_BARRIER, [IR_lanebit] = SCAN_LANEBIT, [IR_stout] = SCAN_OUT,
	[IR_phi] = SCAN_PHI, /* is done before: what comes round a loop stands behind */
};

/* Apart from the walk, which so keeps what it needs at hand. */
static __attribute__((noinline)) void want_operands(struct emit *e, ir_id id)
{
	switch (scans[e->inst[id].op]) {
	case SCAN_MEMORY: want_memory(e, id); break;
	case SCAN_IMAGE: want_image(e, id); break;
	case SCAN_TYPED: want_typed(e, id); break;
	case SCAN_BARRIER:
		e->device_sync |= (e->inst[id].sub >> 8 & 6) != 0;
		want_all(e, id, WANT_SELF);
		break;
	case SCAN_LANEBIT:
		if (!emit_elects(e, id))
			want_all(e, id, WANT_SELF);
		break;
	case SCAN_OUT:
		want_mask(e, e->inst[id].a[0]);
		want(e, emit_out_operand(e, &e->inst[id]), WANT_SELF);
		break;
	default: break;
	}
}

static void note_copy(struct emit *e, ir_id id)
{
	e->copy = arena_grow_raw(e->arena, e->copy, e->ncopy, &e->copy_cap, e->ncopy + 1, sizeof *e->copy);
	e->copy[e->ncopy++] = id;
}

static void walk(struct emit *e)
{
	struct ir_fn *fn = e->fn;
	const struct ir_inst *inst = e->inst, *i;
	uint8_t *w = e->want, *self = w + fn->ninst; /* kept, as all else that is: a byte that is written may be anything's */
	ir_id *live = e->live = arena_array_raw(e->arena, ir_id, fn->ninst);

	for (uint32_t b = 0; b < fn->norder; b++)
		for (i = &inst[fn->block[fn->order[b]].first]; i->op == IR_phi; i = &inst[i->next])
			mark(self, i);
	for (uint32_t k = fn->norder; k-- > 0;) {
		uint32_t b = fn->order[k];
		e->live_from[b] = (uint32_t)(live - e->live);
		for (ir_id id = fn->block[b].last; id; id = i->prev) {
			unsigned how = w[id] | self[id];
			i = &inst[id];
			if (!(how | (ir_ops[i->op].fx & EMIT_DOES)))
				continue;
			w[id] = (uint8_t)how;
			*live++ = id;
			if (scans[i->op] == SCAN_PLAIN)
				mark(self, i);
			else if (scans[i->op] != SCAN_COPY)
				want_operands(e, id);
			else {
				want_forms(e, id);
				if (how & WANT_COPY)
					note_copy(e, id);
			}
		}
		e->live_to[b] = (uint32_t)(live - e->live);
	}
}

/* Does the stored value come from a float? 1 yes, 0 no, -1 says nothing (constants, copies). */
static int float_source(struct emit *e, ir_id v)
{
	const struct ir_inst *i = emit_inst(e, v);

	if (i->op == IR_vec)
		return float_source(e, ir_args(e->fn, v)[0]);
	if (i->op == IR_const || i->op == IR_undef || i->op == IR_ldbuf)
		return -1;
	if (i->op == IR_elem)
		return float_source(e, i->a[0]);
	if (i->op == IR_bitcast)
		return ir_is_float(emit_inst(e, i->a[0])->type);
	return ir_is_float(i->type);
}

static void vote(struct emit *e, const struct emit_access *a)
{
	struct emit_res *r = &e->res[a->res];
	unsigned w = e->want[a->id], fl, in;

	if (a->space != MEM_BUFFER || a->bits != 32)
		return;
	if (a->atomic) {
		r->int_votes += 1000;
		return;
	}
	if (a->store) {
		int f = float_source(e, a->value);
		r->float_votes += f == 1 ? a->n : 0;
		r->int_votes += f == 0 ? a->n : 0;
		return;
	}
	fl = w & (WANT_ALT | WANT_PART_ALT) ? a->n : 0;
	in = w & (WANT_SELF | WANT_PART) ? a->n : 0;
	r->float_votes += ir_is_float(a->type) ? in : fl;
	r->int_votes += ir_is_float(a->type) ? fl : in;
}

static void note_sync(struct emit *e)
{
	bool scoped = false;

	for (uint32_t k = 0; k < e->fn->nres; k++)
		scoped |= e->res[k].scoped && (e->res[k].written || e->fn->res[k].written || e->fn->res[k].kind == RES_STORAGE_BUFFER);
	/* the simple model says all that is needed unless an access reaches past its own invocation */
	e->vulkan_model = e->t->memory_model && (scoped || e->device_sync);
}

/* Whether the host may round everything to halves towards zero: no operation wants another rounding. */
static bool halves_to_zero(const struct emit *e)
{
	if (!e->t->rtz_mode[1] || !e->fn->has[IR_f2f_rtz])
		return false;
	for (uint32_t k = 0; k < e->fn->norder; k++)
		ir_for_insts(e->fn, e->fn->order[k], id) {
			if (ir_base(emit_inst(e, id)->type) != IR_F16)
				continue;
			switch (emit_inst(e, id)->op) {
			case IR_f2f_rtz: case IR_bitcast: case IR_select: case IR_phi: case IR_fneg: case IR_fabs: case IR_fmin: case IR_fmax:
				break;
			default:
				return false;
			}
		}
	return true;
}

/* The types of arrays are known: how what is stored is wanted. Push constants start at the lowest byte read, from where the block's
 * array is indexed. */
static void settle(struct emit *e)
{
	for (size_t k = 0; k < e->naccess; k++) {
		struct emit_access *a = &e->accesses[k].a;
		if (a->space == MEM_BUFFER && e->fn->res[a->res].kind == RES_PUSH && !e->res[a->res].dynamic)
			a->imm -= e->res[a->res].low & ~3u;
		if (a->store && a->bits == 32)
			want_as(e, a->value, a->space == MEM_BUFFER && e->res[a->res].is_float ? IR_F32 : IR_I32);
		else if (a->store)
			want(e, a->value, WANT_SELF);
	}
	for (size_t k = 0; k < e->ncopy; k++)
		want_forms(e, e->copy[k]);
}

void emit_scan(struct emit *e)
{
	struct ir_fn *fn = e->fn;

	emit_shared_scan(e);
	emit_out_scan(e);
	walk(e);
	for (size_t k = 0; k < e->naccess; k++)
		vote(e, &e->accesses[k].a);
	for (uint32_t k = 0; k < fn->nres; k++)
		e->res[k].is_float = e->res[k].float_votes > e->res[k].int_votes;
	settle(e);
	note_sync(e);
	e->half_to_zero = halves_to_zero(e);
}
