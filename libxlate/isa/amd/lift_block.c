/* lift_block.c - what the registers hold in the block at hand.
 *
 * Each instruction of a guest reads and writes registers, the vector ones under EXEC. Written down as it stands that is a read
 * per operand and a choice between new and old per result:
 *
 *	%1 = mget $mask.126                         %2 = fadd %a, %b
 *	%2 = fadd %a, %b                            %6 = fmul %2, %2
 *	%3 = mget $v.1                      =>      %3 = mget $v.1
 *	%4 = select %1, %2, %3                      %7 = select %1, %6, %3
 *	%6 = fmul %4, %4                            mset $v.1, %7
 *	%7 = select %1, %6, %4
 *	mset $v.1, %7
 *
 * Here a register is got once, before its first write, and set once, at the end. What a masked write leaves in the other lanes is
 * not chosen until someone asks for it: an instruction that acts in lanes of the same mask, or of fewer, takes the new value as it
 * is. A block that control reaches only from the one before it goes on with what that one knew. What nobody gets in any other
 * block is not set at all; so what blocks leave behind is written when all are lifted.
 */
#include "lift_amd.h"

/* Is the lane's bit `a` set only where `b` is? */
static bool implies(const struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	const struct ir_inst *in = &fn->inst[a];

	if (a == b)
		return true;
	return depth && in->op == IR_iand && (implies(fn, in->a[0], b, depth - 1) || implies(fn, in->a[1], b, depth - 1));
}

static bool within(const struct amd_lift *l, ir_id mask, ir_id outer)
{
	enum { DEPTH = 4 }; /* conditions nested in one block, or in blocks that go on with its values */

	return mask == outer || implies(l->fn, mask, outer, DEPTH);
}

static inline struct lift_cur *cur(struct amd_lift *l, uint32_t m)
{
	struct lift_cur *c = &l->cur[m];

	if (c->region != l->region)
		*c = (struct lift_cur){ .region = l->region, .asked = c->asked, .typed = c->typed };
	return c;
}

static ir_id ask(struct amd_lift *l, uint32_t m)
{
	l->cur[m].asked = l->cur[m].typed = l->asked = true;
	return ir_mget(l->fn, m);
}

/* A masked write's value for all lanes. */
static ir_id choose(struct amd_lift *l, uint32_t m, ir_id mask, ir_id part, ir_id old)
{
	ir_id v = old ? 0 : ask(l, m);
	ir_type t = l->fn->marker[m].type;

	part = lift_cast(l, t, lift_made(l, part));
	return op3(l, IR_select, t, mask, part, old ? lift_cast(l, t, lift_made(l, old)) : v);
}

void lift_type(struct amd_lift *l, uint32_t m, ir_type t)
{
	if (l->cur[m].typed)
		return;
	l->cur[m].typed = true;
	l->fn->marker[m].type = t;
}

ir_id lift_get(struct amd_lift *l, uint32_t m)
{
	struct lift_cur *c = cur(l, m);

	if (c->value)
		return c->value & LIFT_LATE ? c->value = lift_made(l, c->value) : c->value;
	/* An earlier block's write is in the register by now. */
	if (c->mask && (c->dirty == l->nblock || c->old)) {
		c->part = lift_made(l, c->part);
		c->value = choose(l, m, c->mask, c->part, c->old);
	}
	else
		c->value = ask(l, m);
	return c->value;
}

ir_id lift_get_late(struct amd_lift *l, uint32_t m)
{
	const struct lift_cur *c = &l->cur[m];

	return c->region == l->region && c->value ? c->value : lift_get(l, m);
}

ir_id lift_late_elem(struct amd_lift *l, ir_id v, unsigned i)
{
	return v < LIFT_LATE / LIFT_LATE_ELEMS ? LIFT_LATE | v * LIFT_LATE_ELEMS | i : lift_elem(l, v, ir_elems(l->fn->inst[v].type), i);
}

static bool is_elem_of(const struct ir_fn *fn, ir_id e, ir_id v)
{
	return fn->inst[e].op == IR_elem && fn->inst[e].a[0] == v;
}

/* The elements of a vector stand behind it, in order. */
static __attribute__((noinline)) ir_id make_elem(struct amd_lift *l, ir_id v, unsigned i)
{
	struct ir_fn *fn = l->fn;
	uint32_t at = fn->at, addr = fn->addr;
	ir_id before = fn->before, e = fn->inst[v].next;

	if (ir_elems(fn->inst[v].type) == 1)
		return v;
	for (; is_elem_of(fn, e, v) && fn->inst[e].imm <= i; e = fn->inst[e].next)
		if (fn->inst[e].imm == i)
			return e;
	fn->at = fn->inst[v].block;
	fn->addr = fn->inst[v].addr;
	fn->before = e; /* none: the block's end */
	e = lift_elem(l, v, ir_elems(fn->inst[v].type), i);
	fn->at = at;
	fn->addr = addr;
	fn->before = before;
	return e;
}

ir_id lift_made(struct amd_lift *l, ir_id v)
{
	return v & LIFT_LATE ? make_elem(l, (v & ~LIFT_LATE) / LIFT_LATE_ELEMS, v % LIFT_LATE_ELEMS) : v;
}

/* A register's copy of what lift_late_elem said is replaced by what is made, so that who finds one is the first. */
ir_id lift_made_as(struct amd_lift *l, ir_id v, ir_type t)
{
	if (!(v & LIFT_LATE))
		return v;
	ir_id from = (v & ~LIFT_LATE) / LIFT_LATE_ELEMS;
	struct ir_inst *in = &l->fn->inst[from];
	if (in->op == IR_ldbuf && !is_elem_of(l->fn, in->next, from))
		in->type = IR_VEC(t, ir_elems(in->type));
	return lift_made(l, v);
}

ir_id lift_get_active(struct amd_lift *l, uint32_t m)
{
	const struct lift_cur *c = &l->cur[m];

	return c->region == l->region && c->mask && within(l, lift_exec(l), c->mask) ? c->part : lift_get_late(l, m);
}

ir_id lift_active(struct amd_lift *l, ir_id mask)
{
	const struct ir_inst *in = &l->fn->inst[mask];
	ir_id exec = lift_exec(l);

	for (; in->op == IR_iand; in = &l->fn->inst[mask]) {
		unsigned k = within(l, exec, in->a[0]) ? 1 : 0;
		if (!k && !within(l, exec, in->a[1]))
			break;
		mask = in->a[k];
	}
	return mask;
}

void lift_retype(struct amd_lift *l, uint32_t m, ir_id old, ir_id value)
{
	struct lift_cur *c = cur(l, m);

	if (c->value == old)
		c->value = value;
	else if (c->part == old)
		c->part = value;
}

ir_id lift_once(struct amd_lift *l, enum ir_op op, ir_type t, unsigned n, const ir_id *a)
{
	uint32_t h = op;
	bool same;

	for (unsigned i = 0; i < n; i++)
		h = (h ^ a[i]) * 0x9e3779b1u;
	struct lift_recent *r = &l->recent[h >> 16 & (LIFT_RECENT - 1)];
	const struct ir_inst *in = &l->fn->inst[r->id];
	same = r->region == l->region && in->op == op && in->type == t && ir_nargs(l->fn, r->id) == n;
	for (unsigned i = 0; i < n && same; i++)
		same = ir_args(l->fn, r->id)[i] == a[i];
	if (same)
		return r->id;
	r->id = ir_new(l->fn, op, t, n, a);
	r->region = l->region;
	return r->id;
}

static inline void note_write(struct amd_lift *l, struct lift_cur *c, uint32_t m)
{
	l->dirty[l->ndirty] = (uint16_t)m;
	l->ndirty += c->dirty != l->nblock; /* else the next one takes its place */
	c->dirty = l->nblock;
}

void lift_set(struct amd_lift *l, uint32_t m, ir_id value)
{
	struct lift_cur *c = &l->cur[m];

	c->region = l->region;
	c->value = value;
	c->mask = 0;
	if (m + 1 == l->mask[AMD_EXEC_LO])
		l->exec = value;
	note_write(l, c, m);
}

static __attribute__((noinline)) void set_masked(struct amd_lift *l, uint32_t m, ir_id mask, ir_id part)
{
	struct lift_cur *c = cur(l, m);

	/* What another mask left, unless all its lanes are written. */
	if (c->mask != mask && (!c->mask || !within(l, c->mask, mask)))
		c->old = c->mask ? lift_get(l, m) : c->value;
	c->mask = mask;
	c->part = part;
	c->value = 0;
	note_write(l, c, m);
}

void lift_set_active(struct amd_lift *l, uint32_t m, ir_id mask, ir_id value)
{
	if (mask && mask != l->yes)
		set_masked(l, m, mask, value);
	else
		lift_set(l, m, value);
}

void lift_flush(struct amd_lift *l)
{
	for (unsigned i = 0; i < l->npending; i++) {
		const struct lift_pending *p = &l->pending[i];
		lift_set_active(l, p->marker, p->mask, p->value);
	}
	l->npending = 0;
}

void lift_block_begin(struct amd_lift *l, uint32_t block, bool goes_on)
{
	l->fn->at = block;
	l->nblock++;
	if (!goes_on) {
		l->region++;
		l->exec = 0;
	}
	l->ndirty = 0;
	l->ended = false;
}

void lift_block_end(struct amd_lift *l)
{
	ir_id last = l->fn->block[l->fn->at].last;
	struct ir_fn *fn = l->fn;

	for (unsigned i = 0; i < l->ndirty && fn->inst[last].op != IR_ret; i++) {
		const struct lift_cur *c = &l->cur[l->dirty[i]];
		l->left = arena_grow_raw(l->ctx->scratch, l->left, l->nleft, &l->left_cap, l->nleft + 1u, sizeof *l->left);
		l->left[l->nleft++] = (struct lift_left){ l->dirty[i], last, c->value, c->mask, c->part, c->old };
	}
	l->ndirty = 0;
}

void lift_blocks_done(struct amd_lift *l)
{
	struct ir_fn *fn = l->fn;

	if (!l->asked) { /* no register is left */
		fn->marker_high = fn->nmarker;
		fn->nmarker = 0;
		return;
	}
	for (uint32_t i = 0; i < l->nleft; i++) {
		struct lift_left *w = &l->left[i];
		if (!l->cur[w->marker].asked)
			continue;
		fn->before = w->before;
		fn->at = fn->inst[w->before].block;
		fn->addr = fn->inst[w->before].addr;
		ir_id v = w->value ? lift_cast(l, fn->marker[w->marker].type, lift_made(l, w->value)) :
			choose(l, w->marker, w->mask, w->part, w->old);
		ir_mset(fn, w->marker, v);
	}
	fn->before = 0;
}
