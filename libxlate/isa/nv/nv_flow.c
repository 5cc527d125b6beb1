/* nv_flow.c - branches, exits, barriers. Targets were resolved and made block starts by nv_cfg.c. */
#include "nv_lift.h"

static uint32_t target_block(struct nv_lift *l)
{
	return l->block[nv_slot(l, (uint32_t)l->in->target)] - 1;
}

static uint32_t next_block(struct nv_lift *l)
{
	return l->block[nv_slot(l, nv_after(l, l->in->offset))] - 1;
}

/* To `to` in lanes where the guard holds, else on. */
static void branch(struct nv_lift *l, uint32_t to)
{
	nv_block_end(l);
	if (!l->guard)
		ir_br(l->fn, to);
	else if (next_block(l) == to)
		ir_br(l->fn, to);
	else
		ir_brc(l->fn, l->guard, to, next_block(l));
	l->ended = true;
}

void lift_flow_bra(struct nv_lift *l)
{
	branch(l, target_block(l));
}

void lift_flow_push(struct nv_lift *l)
{
	(void)l;
}

void lift_flow_pop(struct nv_lift *l)
{
	branch(l, target_block(l));
}

void lift_flow_exit(struct nv_lift *l)
{
	uint32_t here = l->fn->at, out;

	if (!l->guard) {
		ir_ret(l->fn);
		l->ended = true;
		return;
	}
	out = ir_block_new(l->fn);
	l->fn->block[out].addr = l->in->offset;
	l->fn->at = out;
	ir_ret(l->fn);
	l->fn->at = here;
	branch(l, out);
}

void lift_flow_nop(struct nv_lift *l)
{
	(void)l; /* nop; convergence barriers: where lanes wait for each other changes no lane's values */
}

void lift_flow_bar(struct nv_lift *l)
{
	ir_id id;

	if (l->in->m[NVM_BARM] != 0 || l->guard) {
		nv_refuse(l, "only an unconditional bar.sync of the whole workgroup is translated");
		return;
	}
	id = ir_op0(l->fn, IR_barrier, IR_VOID);
	l->fn->inst[id].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 7 << 8;
}
