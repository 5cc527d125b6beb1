/* restrack_ptr.c - resource tracking: pointers that go round loops, meet, or are chosen between.
 *
 *     %p = phi %base, %q                            %o = phi 0, %r
 *     %q = iadd %p, 16                      =>      %r = iadd %o, 16
 *     %v = ldptr %m, %p                             %v = ldbuf %m, (the buffer), %o
 *
 * All the pointers that meet must point into the same buffer: what is left is an offset. Offsets count modulo 2^32: a
 * storage buffer is smaller than that.
 */
#include "restrack.h"

#include <string.h>

static bool same_buffer(const struct origin *a, const struct origin *b)
{
	return a->res && a->res == b->res && a->index == b->index;
}

/* Everything of an origin behind the buffer's start, as one value before `where`. */
static ir_id offset_of(struct track *t, const struct origin *o, ir_id where)
{
	ir_id sum = track_dynamic(t, o, where), k = ir_const(t->fn, IR_I32, o->off);
	track_at(t, where);
	return !sum ? k : o->off ? ir_op2(t->fn, IR_iadd, IR_I32, sum, k) : sum;
}

static struct origin with_offset(const struct origin *base, ir_id offset)
{
	struct origin o = *base;
	o.off = 0;
	o.nterm = 1;
	o.term[0] = offset;
	return o;
}

static bool traced(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	memset(o, 0, sizeof *o);
	return track_address_in(t, v, o, depth + 1) && o->res;
}

/* Other phis may have been followed on the assumption that this one stays in its buffer: there is no way back. */
static void give_up(struct track *t, ir_id phi)
{
	if (!t->refused)
		diag_emit(t->ctx->diag, DIAG_ADDRESS, t->fn->inst[phi].addr,
		          "a pointer that starts in one buffer meets one that is not known to stay there");
	t->refused = true;
}

static bool through_phi(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	struct ir_fn *fn = t->fn;
	uint32_t b = fn->inst[v].block, n = fn->block[b].npred;
	struct origin base = {0}, in;
	for (uint32_t k = 0; k < n && !base.res; k++) /* the first way in; loops come later */
		if (fn->block[fn->block[b].pred[k]].rpo < fn->block[b].rpo)
			traced(t, ir_args(fn, v)[k], &base, depth);
	if (!base.res)
		return false;
	ir_id offset = ir_phi(fn, b, IR_I32);
	base = with_offset(&base, offset);
	track_know(t, v, &base);
	for (uint32_t k = 0; k < n; k++) {
		ir_id from = ir_args(fn, v)[k], value = ir_undef(fn, IR_I32);
		if (fn->inst[from].op != IR_undef && (!traced(t, from, &in, depth) || !same_buffer(&base, &in)))
			give_up(t, v);
		else if (fn->inst[from].op != IR_undef)
			value = offset_of(t, &in, fn->block[fn->block[b].pred[k]].last);
		ir_phi_add(fn, offset, value);
	}
	*o = base;
	return !t->refused;
}

static bool through_select(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	struct origin yes, no;
	if (!traced(t, t->fn->inst[v].a[1], &yes, depth) || !traced(t, t->fn->inst[v].a[2], &no, depth) || !same_buffer(&yes, &no))
		return false;
	ir_id a = offset_of(t, &yes, v), b = offset_of(t, &no, v);
	track_at(t, v);
	*o = with_offset(&yes, ir_op3(t->fn, IR_select, IR_I32, t->fn->inst[v].a[0], a, b));
	return true;
}

/* The pointer plus an offset of any form: its low word is what counts. */
static bool through_sum(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	struct ir_fn *fn = t->fn;
	for (unsigned k = 0; k < 2; k++) {
		ir_id other = fn->inst[v].a[!k], low;
		uint64_t c;
		if (!traced(t, fn->inst[v].a[k], o, depth))
			continue;
		if (ir_is_const(fn, other, &c)) {
			o->off += (uint32_t)c;
			return true;
		}
		track_at(t, v);
		low = fn->inst[other].op == IR_sext && fn->inst[fn->inst[other].a[0]].type == IR_I32 ? fn->inst[other].a[0] :
			ir_op1(fn, IR_lo64, IR_I32, other);
		if (o->nterm < TRACK_TERMS)
			o->term[o->nterm++] = low;
		else
			*o = with_offset(o, ir_op2(fn, IR_iadd, IR_I32, offset_of(t, o, v), low));
		return true;
	}
	return false;
}

bool track_pointer(struct track *t, ir_id v, struct origin *o, unsigned depth)
{
	bool found;
	if (v >= t->nmemo)
		return false;
	if (t->memo[v] != MEMO_UNKNOWN)
		return track_known(t, v, o);
	t->memo[v] = MEMO_NONE; /* without an origin yet: what comes round to it finds nothing */
	switch (t->fn->inst[v].op) {
	case IR_phi: return through_phi(t, v, o, depth);
	case IR_select: found = through_select(t, v, o, depth); break;
	case IR_iadd: found = through_sum(t, v, o, depth); break;
	default: found = false; break;
	}
	if (found)
		track_know(t, v, o);
	return found;
}
