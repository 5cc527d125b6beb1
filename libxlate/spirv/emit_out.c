/* emit_out.c - outputs of fragments that are halves.
 *
 * A program that writes halves hands floats to the interface, as the original shader declared them. Where the target
 * has outputs of 16 bits and every component that is written came from a half, the output is one of halves: the driver
 * would make a half of the float again.
 *
 *     %f:f32 = f2f %h:f16          out: vec4 of f32        =>   out: vec4 of f16
 *     stout true, %f                                            store %h
 */
#include "emit.h"

/* The half of the same value, of a float that is 0 or a normal half. False: there is none, or it is denormal. */
static bool half_const(uint32_t word, uint32_t *half)
{
	uint32_t exponent = word >> 23 & 255;

	*half = word >> 16 & 0x8000;
	if (!(word & 0x7fffffff))
		return true;
	*half |= (exponent - 112) << 10 | (word >> 13 & 0x3ff);
	return exponent > 112 && exponent < 143 && !(word & 0x1fff);
}

/* The half that output value v is: a value of type f16, or, where *half is 0, the bits of a constant. False: it is
 * none, or the host is to flush it on the way. */
static bool half_of(const struct emit *e, ir_id v, ir_id *half, uint32_t *bits)
{
	const struct ir_inst *i = emit_inst(e, v);
	uint64_t k;

	*half = 0;
	if (i->type != IR_F32)
		return false;
	if (emit_is_const(e, v, &k))
		return half_const((uint32_t)k, bits);
	*half = i->a[0];
	if (i->flags & IR_F_FTZ && e->facts->floats == FLOAT_STRICT)
		return false;
	return i->op == IR_f2f && emit_inst(e, i->a[0])->type == IR_F16;
}

/* Which outputs are halves: those of which nothing else is written, and at least one that is no constant. */
void emit_out_scan(struct emit *e)
{
	struct ir_fn *fn = e->fn;
	ir_id half;
	uint32_t bits;

	if (fn->stage != STAGE_FRAGMENT || !e->t->f16 || !e->t->output16 || !fn->has[IR_f2f])
		return;
	for (uint32_t k = 0; k < fn->norder; k++)
		ir_for_insts(fn, fn->order[k], id) {
			const struct ir_inst *i = &fn->inst[id];
			if (i->op != IR_stout || i->sub >= fn->niface)
				continue;
			struct emit_iface *v = &e->iface[i->sub];
			const struct ir_iface *f = &fn->iface[i->sub];
			bool is = !f->builtin && f->base == IR_F32 && half_of(e, ir_args(fn, id)[1], &half, &bits);
			v->whole |= !is;
			v->half |= is && half;
		}
	for (uint32_t k = 0; k < fn->niface; k++)
		e->iface[k].half &= !e->iface[k].whole;
}

/* What a store of an output wants in place of its value. */
ir_id emit_out_operand(const struct emit *e, const struct ir_inst *store)
{
	ir_id value = store->a[1], half;
	uint32_t bits;

	return store->sub < e->fn->niface && e->iface[store->sub].half && half_of(e, value, &half, &bits) ? half : value;
}

/* The half that is stored for value v of an output of halves. */
uint32_t emit_out_half(struct emit *e, ir_id v)
{
	ir_id half;
	uint32_t bits;

	half_of(e, v, &half, &bits);
	return half ? emit_get(e, half) : emit_const(e, IR_F16, bits);
}
