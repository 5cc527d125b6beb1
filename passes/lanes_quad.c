/* lanes_quad.c - whole quads that nothing needs.
 *
 * A guest keeps the helper lanes of a quad on (quadany) for the derivatives that follow:
 *
 *     %2 = quadany %1                 with no derivative, implicit level of detail or quad operation behind it, and
 *     %3 = any %2             =>      with no effect behind it in a lane whose %1 is false:   %3 = any %1
 *
 * The host's own quad operations would need all lanes of the quad there, which branches that lanes take for themselves do not
 * keep together.
 *
 * What the host asks the wave later on must still hear of lanes whose %1 is false: is such a question about anything that comes of
 * %2, the whole quads come back.
 */
#include "proof.h"

#include <string.h>

/* Something that reads the other lanes of the quad, or of the wave. */
static bool needs_quad(const struct ir_inst *i)
{
	if (!(ir_ops[i->op].fx & FX_CROSS) || i->op == IR_any)
		return false;
	return i->op != IR_isample || !(i->sub & (IMG_LOD | IMG_GRAD));
}

unsigned lanes_quad_use(const struct ir_inst *i)
{
	return (needs_quad(i) ? PROOF_QUAD_NEEDED : 0u) | (i->op == IR_quadany ? PROOF_QUAD_ASKED : 0u);
}

void lanes_quad_find(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	memset(p->quad_after, 0, fn->nblock);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t k = fn->norder; k-- > 0;) {
			uint32_t b = fn->order[k];
			for (uint32_t j = 0; j < fn->block[b].nsucc && !p->quad_after[b]; j++) {
				uint32_t s = fn->block[b].succ[j];
				p->quad_after[b] = (p->quads[s] & PROOF_QUAD_NEEDED) | p->quad_after[s];
				again |= p->quad_after[b];
			}
		}
	}
}

/* Nothing behind q = quadany(x) needs the quad, or has an effect in this lane when x is false. */
static bool unneeded(struct proof *p, ir_id q)
{
	struct ir_fn *fn = p->fn;
	uint32_t b = fn->inst[q].block;
	const char *why;
	bool discards = false;
	if (p->quad_after[b] || fn->block[b].loop != IR_NO_BLOCK)
		return false;
	for (ir_id id = fn->inst[q].next; id; id = fn->inst[id].next)
		if (needs_quad(&fn->inst[id]) || (ir_ops[fn->inst[id].op].fx & FX_WRITE))
			return false;
	p->branch = b;
	p->is->only = NULL;
	p->demotes = p->demote_marks;
	proof_clear(p, p->demotes);
	proof_start(p);
	proof_assume(p, fn->inst[q].a[0]);
	proof_assume_live(p);
	proof_reach(p, WAYS_ASSUMED, b, IR_NO_BLOCK, IR_NO_BLOCK, p->walk);
	p->is->only = p->walk;
	proof_start(p);
	proof_assume(p, fn->inst[q].a[0]);
	proof_assume_live(p);
	proof_for_blocks(p, p->walk, x) {
		if (x == b)
			continue;
		if (fn->block[x].loop != IR_NO_BLOCK || !proof_quiet(p, x, &why))
			return false;
		discards |= proof_has(p->demotes, x);
	}
	return !discards || proof_demotes(p, b, p->walk);
}

/* The first whole quad that is unneeded, or 0. */
static ir_id find_unneeded(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	ir_for_order(fn, b)
		for (ir_id id = p->quads[b] & PROOF_QUAD_ASKED ? fn->block[b].first : 0; id; id = fn->inst[id].next)
			if (fn->inst[id].op == IR_quadany && unneeded(p, id))
				return id;
	return 0;
}

/* One that is gone, and where its users had it. */
struct quad_dropped {
	struct quad_dropped *earlier;
	ir_id id, next;
	struct quad_use { ir_id user; unsigned arg; } *use;
	uint32_t n;
	size_t cap;
};

static void drop(struct ir_fn *fn, struct quad_dropped *d, struct arena *a)
{
	ir_id v = fn->inst[d->id].a[0];
	for (uint32_t b = 0; b < fn->nblock; b++)
		ir_for_insts(fn, b, id) {
			ir_id *arg = ir_args(fn, id);
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				if (arg[k] != d->id)
					continue;
				d->use = arena_grow_raw(a, d->use, d->n, &d->cap, d->n + 1u, sizeof *d->use);
				d->use[d->n++] = (struct quad_use){ id, k };
				arg[k] = v;
			}
		}
	d->next = fn->inst[d->id].next;
	ir_remove(fn, d->id);
}

struct quad_dropped *lanes_quad_drop(struct proof *p, struct arena *a)
{
	struct ir_fn *fn = p->fn;
	struct quad_dropped *last = NULL;
	for (ir_id q; (q = find_unneeded(p)) != 0;) {
		uint32_t b = fn->inst[q].block;
		struct quad_dropped *d = arena_array(a, struct quad_dropped, 1);
		d->earlier = last;
		d->id = q;
		last = d;
		drop(fn, d, a);
		p->quads[b] = 0;
		ir_for_insts(fn, b, id)
			p->quads[b] |= (uint8_t)lanes_quad_use(&fn->inst[id]);
		lanes_quad_find(p);
		p->early_epoch++; /* they may be made of it */
	}
	return last;
}

/* The question about a whole quad itself has the answer of that about its lanes. */
bool *lanes_quad_told(struct ir_fn *fn, const struct quad_dropped *last, struct arena *a)
{
	bool *told = arena_array(a, bool, fn->ninst);
	ir_id *todo = arena_array_raw(a, ir_id, fn->ninst);
	uint32_t n = 0;
	struct ir_users users = { 0 };
	for (const struct quad_dropped *d = last; d; d = d->earlier)
		for (uint32_t k = 0; k < d->n; k++) {
			ir_id u = d->use[k].user;
			if (fn->inst[u].op == IR_any || fn->inst[u].op == IR_nop || told[u]) /* (that is gone, too) */
				continue;
			told[u] = true;
			todo[n++] = u;
		}
	ir_users_find(&users, fn, a);
	while (n) {
		ir_id v = todo[--n];
		ir_for_users(&users, v, u)
			if (!told[u]) {
				told[u] = true;
				todo[n++] = u;
			}
	}
	return told;
}

void lanes_quad_restore(struct ir_fn *fn, const struct quad_dropped *last)
{
	for (const struct quad_dropped *d = last; d; d = d->earlier) {
		struct ir_inst *q = &fn->inst[d->id];
		q->op = IR_quadany;
		q->type = IR_B1;
		q->nargs8 = 1;
		ir_insert_before(fn, d->id, d->next);
		for (uint32_t k = 0; k < d->n; k++)
			ir_args(fn, d->use[k].user)[d->use[k].arg] = d->id;
	}
}
