/* exchange.c - loops that change a word of shared memory by compare and exchange.
 *
 *     %w = ldshared true, %a                       head: %w = ldshared true, %a
 *     head: %e = phi %w, %old                            %new = f(%w)
 *           %new = f(%e)                     or          %old = atshared.cmpxchg true, %a, %w, %new
 *           %old = atshared.cmpxchg true, %a, %e, %new   brc (ine %old, %w), head, out
 *           brc (ine %old, %e), head, out
 *
 * Each lane changes the word once, from what it is to f of that, and what lies behind the loop sees only the last turn. So all
 * that an execution can show is the order of the lanes. In step, the lanes of a turn exchange in an order that the guest does
 * not define, and each has the word as it was at the turn's start: let the lanes come in the order wanted, and the next of them
 * is the one that succeeds. Every order can be the guest's, with lanes in step or not.
 *
 * For that, a lane must bring nothing else from turn to turn, touch nothing else, and start with the word as it is.
 */
#include "exchange.h"

struct exchange {
	struct ir_fn *fn;
	uint32_t head, before; /* header; the only block in front of it */
	ir_id swap, load;      /* the exchange; the load in the loop, or 0 */
	ir_id stay;            /* what the loop goes on with, as a branch says it */
	bool leaves;           /* it says when to leave */
};

static bool inside(const struct exchange *x, uint32_t b) { return x->fn->block[b].loop == x->head; }

static bool is_true(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;
	return ir_is_const(fn, v, &k) && k;
}

static bool touches_shared(const struct ir_inst *i)
{
	return i->op == IR_ldshared || i->op == IR_stshared || i->op == IR_atshared;
}

/* The blocks: a chain with one way out, and nothing in it but the exchange, a load, and values of a lane's own. */
static bool scan(struct exchange *x)
{
	struct ir_fn *fn = x->fn;
	unsigned out = 0;
	ir_for_order(fn, b) {
		const struct ir_block *bl = &fn->block[b];
		if (bl->loop_parent == x->head && bl->loop == b && b != x->head)
			return false;
		if (!inside(x, b))
			continue;
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			unsigned fx = ir_ops[i->op].fx;
			if (i->op == IR_atshared && i->sub == ATOMIC_cmpxchg && !x->swap)
				x->swap = id;
			else if (i->op == IR_ldshared && !x->load)
				x->load = id;
			else if (fx & (FX_READ | FX_WRITE | FX_SYNC | FX_CROSS | FX_MARKER) || (fx & FX_PHI && b != x->head))
				return false;
		}
		if (bl->nsucc == 1)
			continue;
		const struct ir_inst *last = &fn->inst[bl->last];
		if (last->op != IR_brc || out++ || inside(x, bl->succ[0]) == inside(x, bl->succ[1]))
			return false;
		x->stay = last->a[0];
		x->leaves = !inside(x, bl->succ[0]);
	}
	return out == 1 && x->swap;
}

/* The same word, all of it. */
static bool same_word(const struct ir_inst *i, const struct ir_inst *swap)
{
	return i->a[1] == swap->a[1] && i->imm == swap->imm && i->type == swap->type;
}

/* The mask of an access in the loop: true, or that of the lanes that stay. Lanes that come in without theirs leave at once. */
static bool is_active(const struct exchange *x, ir_id m)
{
	struct ir_fn *fn = x->fn;
	const struct ir_inst *i = &fn->inst[m], *stay = &fn->inst[x->stay];
	const struct ir_block *head = &fn->block[x->head];
	if (i->op != IR_phi || i->block != x->head)
		return is_true(fn, m);
	bool masked = !x->leaves && stay->op == IR_iand && (stay->a[0] == m || stay->a[1] == m);
	for (uint32_t k = 0; k < head->npred; k++) {
		ir_id v = ir_args(fn, m)[k];
		if (!is_true(fn, v) && (head->pred[k] == x->before ? !masked : v != x->stay || x->leaves))
			return false;
	}
	return true;
}

/* Does `c` say that the exchange failed (or, when `equal`, that it did not) in lanes that took part? */
static bool says(const struct exchange *x, ir_id c, ir_id expected, bool equal, unsigned depth)
{
	const struct ir_inst *i = &x->fn->inst[c];
	if (i->op == IR_inot && depth)
		return says(x, i->a[0], expected, !equal, depth - 1);
	if (i->op == IR_iand && !equal && depth)
		return (is_active(x, i->a[0]) && says(x, i->a[1], expected, false, depth - 1)) ||
		       (is_active(x, i->a[1]) && says(x, i->a[0], expected, false, depth - 1));
	return i->op == (equal ? IR_ieq : IR_ine) &&
	       ((i->a[0] == x->swap && i->a[1] == expected) || (i->a[1] == x->swap && i->a[0] == expected));
}

/* Is `v` the word as it is where the loop starts? Then it is the last access in front of it, and writes nothing. */
static bool is_fresh(const struct exchange *x, ir_id v)
{
	struct ir_fn *fn = x->fn;
	const struct ir_inst *i = &fn->inst[v], *swap = &fn->inst[x->swap];
	uint32_t b = x->before;
	uint64_t k;
	bool reads = i->op == IR_ldshared || (i->op == IR_atshared && ir_is_const(fn, i->a[2], &k) && !k &&
	             (i->sub == ATOMIC_add || i->sub == ATOMIC_sub || i->sub == ATOMIC_or || i->sub == ATOMIC_xor));
	if (!reads || !same_word(i, swap) || !is_true(fn, i->a[0]))
		return false;
	for (;; b = fn->block[b].pred[0]) {
		for (ir_id id = fn->block[b].last; id; id = fn->inst[id].prev)
			if (touches_shared(&fn->inst[id]))
				return id == v;
		if (fn->block[b].npred != 1)
			return false;
	}
}

/* Does a lane that stays bring the exchange's result to the next turn? */
static bool is_result(const struct exchange *x, ir_id v)
{
	const struct ir_inst *i = &x->fn->inst[v];
	return v == x->swap || (i->op == IR_select && i->a[0] == x->stay && !x->leaves && i->a[1] == x->swap);
}

static bool phis_fine(const struct exchange *x, ir_id expected)
{
	struct ir_fn *fn = x->fn;
	const struct ir_block *head = &fn->block[x->head];
	ir_for_insts(fn, x->head, id) {
		if (fn->inst[id].op != IR_phi)
			break;
		if (id != expected) {
			if (fn->inst[id].type != IR_B1 || !is_active(x, id))
				return false;
			continue;
		}
		for (uint32_t k = 0; k < head->npred; k++) {
			ir_id v = ir_args(fn, id)[k];
			if (head->pred[k] == x->before ? !is_fresh(x, v) : !is_result(x, v))
				return false;
		}
	}
	return true;
}

bool exchange_loop(struct ir_fn *fn, uint32_t h)
{
	struct exchange x = {.fn = fn, .head = h, .before = IR_NO_BLOCK};
	for (uint32_t k = 0; k < fn->block[h].npred; k++) {
		uint32_t p = fn->block[h].pred[k];
		if (inside(&x, p))
			continue;
		if (x.before != IR_NO_BLOCK)
			return false;
		x.before = p;
	}
	if (x.before == IR_NO_BLOCK || !scan(&x))
		return false;
	const struct ir_inst *swap = &fn->inst[x.swap], *load = &fn->inst[x.load];
	ir_id expected = swap->a[2];
	const struct ir_inst *e = &fn->inst[expected], *at = &fn->inst[swap->a[1]];
	bool constant = ir_is_const(fn, swap->a[1], &(uint64_t){ 0 });
	if (!constant && (at->block == IR_NO_BLOCK || inside(&x, at->block)))
		return false; /* the word is another one in another turn, or undefined */
	if (x.load ? expected != x.load || !same_word(load, swap) || !is_active(&x, load->a[0])
	           : e->op != IR_phi || e->block != h)
		return false;
	unsigned align = (swap->flags & IR_F_ALIGN_MASK) >> IR_F_ALIGN_SHIFT;
	return 1u << align >= ir_bits(swap->type) / 8 && is_active(&x, swap->a[0]) && says(&x, x.stay, expected, x.leaves, 4) &&
	       phis_fine(&x, expected);
}
