/* restrack_host.c - resource tracking: addresses that no binding explains because they are data.
 *
 * A caller that hands a guest program an address in push constants or in a buffer hands the translation one, too: a host address
 * (buffer device address), used as it is. What the guest's own tables are reached by is none: the caller of the translation
 * has no such tables. So an address is the host's when something that was loaded is in it, and no table pointer.
 */
#include "restrack.h"

struct walk {
	const struct track *t;
	uint8_t *seen;
	ir_id *stack;
	uint32_t n;
	bool data, table;
};

static void push(struct walk *w, ir_id v)
{
	if (v && !w->seen[v]) {
		w->seen[v] = 1;
		w->stack[w->n++] = v;
	}
}

static void visit(struct walk *w, ir_id id)
{
	struct ir_fn *fn = w->t->fn;
	const struct ir_inst *i = &fn->inst[id];
	const ir_id *a = ir_args(fn, id);
	unsigned n = ir_nargs(fn, id);

	if (i->op == IR_root) {
		uint8_t kind = w->t->facts->root[i->imm].kind;
		w->table |= kind == ROOT_TABLE_LO || kind == ROOT_TABLE_HI || kind == ROOT_OPAQUE;
	} else if (i->op == IR_ldtab) {
		w->table = true;
	} else if (ir_ops[i->op].fx & (FX_READ | FX_WRITE)) {
		w->data = true; /* its own address is judged where it is used */
	} else {
		for (unsigned k = 0; k < n; k++)
			push(w, a[k]);
	}
}

bool track_host_address(const struct track *t, ir_id v)
{
	struct walk w = {.t = t};

	w.seen = arena_array(t->scratch, uint8_t, t->fn->ninst);
	w.stack = arena_array(t->scratch, ir_id, t->fn->ninst);
	push(&w, v);
	while (w.n && !w.table)
		visit(&w, w.stack[--w.n]);
	return w.data && !w.table;
}
