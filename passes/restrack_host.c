/* restrack_host.c - resource tracking: addresses that no binding explains because they are data.
 *
 * A caller that hands a guest program an address in push constants or in a buffer hands the translation one, too: a host address
 * (buffer device address), used as it is. What the guest's own tables and bindings are reached by is none, even where the record
 * gives it a number: a caller of the translation knows nothing of that. So an address is the host's when its *high word* was
 * loaded, along every way that it may have come, plus at most a carry. Loaded conditions and offsets make nothing an address.
 *
 *     %1 = ldbuf %push, 8             a word pair from push constants: an address
 *     %2 = pack64 (lo, select(c, 0x2000, 0x2001))  chosen between bindings: none, whatever c is
 */
#include "restrack.h"

enum { UNKNOWN, ASSUMED, YES, NO, DEPTH = 64 };
struct walk {
	const struct track *t;
	uint8_t *state;
	bool failed;  /* a phi that was taken for an address turned out as none */
};

static bool from_data(struct walk *w, ir_id v, unsigned depth);

static bool offset_like(const struct walk *w, ir_id v, unsigned depth);

/* What an offset, its sign or a carry adds to a high word. */
static bool high_like(const struct walk *w, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &w->t->fn->inst[v];
	uint64_t k;

	if (ir_is_const(w->t->fn, v, &k))
		return k <= 1 || k == UINT32_MAX;
	switch (i->op) {
	case IR_zext: case IR_sext: return w->t->fn->inst[i->a[0]].type == IR_B1;
	case IR_ashr: case IR_lshr: return ir_is_const(w->t->fn, i->a[1], &k) && k >= 16;
	case IR_hi64: return offset_like(w, i->a[0], depth);
	case IR_iadd: return depth && high_like(w, i->a[0], depth - 1) && high_like(w, i->a[1], depth - 1);
	default: return false;
	}
}

/* A 64-bit offset that is made of 32-bit ones. */
static bool offset_like(const struct walk *w, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &w->t->fn->inst[v];
	uint64_t k;

	if (ir_is_const(w->t->fn, v, &k))
		return k >> 32 == 0 || k >> 32 == UINT32_MAX;
	if (!depth)
		return false;
	switch (i->op) {
	case IR_zext: case IR_sext: return true;
	case IR_pack64: return high_like(w, i->a[1], depth - 1);
	case IR_shl: return offset_like(w, i->a[0], depth - 1);
	case IR_imul: case IR_iadd: return offset_like(w, i->a[0], depth - 1) && offset_like(w, i->a[1], depth - 1);
	default: return false;
	}
}

static bool sum(struct walk *w, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &w->t->fn->inst[v];
	bool wide = i->type == IR_I64;

	for (unsigned k = 0; k < 2; k++)
		if (wide ? offset_like(w, i->a[!k], 8) : high_like(w, i->a[!k], 8))
			return from_data(w, i->a[k], depth);
	return false;
}

static bool judge(struct walk *w, ir_id v, unsigned depth)
{
	struct ir_fn *fn = w->t->fn;
	const struct ir_inst *i = &fn->inst[v];
	const ir_id *a = ir_args(fn, v);
	unsigned n = ir_nargs(fn, v), k = 0;

	switch (i->op) {
	case IR_ldbuf: case IR_ldptr: case IR_ldshared: case IR_ldscr: return true; /* their own addresses are judged where they are used */
	case IR_pack64: return from_data(w, a[1], depth);
	case IR_bitcast: case IR_elem: case IR_lo64: case IR_hi64: return from_data(w, a[0], depth);
	case IR_readfirst: case IR_readlane: case IR_shuffle: case IR_quad: return from_data(w, a[1], depth);
	case IR_iadd: return sum(w, v, depth);
	case IR_select: return from_data(w, a[1], depth) && from_data(w, a[2], depth);
	case IR_vec:
		while (k < n && from_data(w, a[k], depth))
			k++;
		return k == n;
	case IR_phi:
		while (k < n && (fn->inst[a[k]].op == IR_undef || from_data(w, a[k], depth)))
			k++;
		w->failed |= k < n;
		return k == n;
	default: return false;
	}
}

static bool from_data(struct walk *w, ir_id v, unsigned depth)
{
	if (!depth || w->failed)
		return false;
	if (w->state[v] != UNKNOWN)
		return w->state[v] != NO;
	w->state[v] = ASSUMED;
	w->state[v] = judge(w, v, depth - 1) ? YES : NO;
	return w->state[v] == YES;
}

/* One state for all the accesses: the first that is no address is the last that is asked about. */
bool track_host_address(struct track *t, ir_id v)
{
	if (!t->host)
		t->host = arena_array(t->scratch, uint8_t, t->fn->ninst);
	struct walk w = {.t = t, .state = t->host};

	return from_data(&w, v, DEPTH) && !w.failed;
}
