/* lift_move.c - registers chosen by M0, whole-wave bit moves.
 *
 * A relative register is a chain of selects over the registers that the program names anywhere: it cannot own others to
 * any purpose. A VGPR index past them reads VGPR 0 and writes nothing, as the hardware does past a program's registers.
 */
#include "lift_amd.h"

/* The last VGPR that the program names. */
static unsigned top_vgpr(struct amd_lift *l)
{
	unsigned top = 0;

	for (uint32_t i = 0; i < l->ninst && !l->named_vgprs; i++) {
		const struct amd_inst *in = l->place[i].in;
		const struct amd_opnd *o[] = { &in->dst[0], &in->src[0], &in->src[1], &in->src[2], &in->src[3], &in->data[0],
			&in->data[1], &in->addr };
		for (unsigned k = 0; k < (amd_has_memory(in) ? 8 : 5); k++)
			if (o[k]->kind == AMD_K_VGPR && o[k]->index + o[k]->dwords - 1u > top)
				top = o[k]->index + o[k]->dwords - 1u;
		for (unsigned k = 0; k < in->nnsa; k++)
			top = in->nsa[k] > top ? in->nsa[k] : top;
	}
	if (!l->named_vgprs)
		l->named_vgprs = 1 + (top < 255 ? top : 255);
	return l->named_vgprs - 1;
}

static ir_id m0(struct amd_lift *l)
{
	struct amd_opnd o = { .kind = AMD_K_SPECIAL, .index = AMD_M0, .dwords = 1 };

	return lift_dword(l, &o, 0);
}

/* arg: bit 0 the source moves, bit 1 the destination, bit 2 each by its own part of M0 */
enum { REL_SRC = 1, REL_DST = 2, REL_TWO = 4 };

static ir_id part(struct amd_lift *l, unsigned arg, bool dst)
{
	ir_id m = m0(l);

	return arg & REL_TWO ? lift_ubfe(l, m, dst ? 16 : 0, 10, false) : m;
}

static ir_id read_vgpr(struct amd_lift *l, unsigned from, ir_id index)
{
	unsigned top = top_vgpr(l);
	ir_id v = lift_vgpr(l, 0);
	uint64_t k;

	if (ir_is_const(l->fn, index, &k))
		return from + k <= top ? lift_vgpr(l, (unsigned)(from + k)) : v;
	for (unsigned n = from; n <= top; n++) {
		ir_id here = bk(l, IR_ieq, index, n - from);
		v = op3(l, IR_select, IR_I32, here, lift_vgpr(l, n), v);
	}
	return v;
}

static void write_vgpr(struct amd_lift *l, unsigned from, ir_id index, ir_id v)
{
	unsigned top = top_vgpr(l);

	for (unsigned n = from; n <= top; n++) {
		ir_id here = bk(l, IR_ieq, index, n - from);
		lift_set_vgpr(l, n, op3(l, IR_select, IR_I32, here, v, lift_vgpr(l, n)));
	}
}

void lift_v_movrel(struct amd_lift *l, const struct lift_row *r) /* count: REL_* */
{
	const struct amd_inst *in = l->in;
	unsigned arg = lift_count(r);

	if (in->form != AMD_FORM_BASE && in->form != AMD_FORM_VOP3) {
		lift_refuse(l, "relative register with parts or lanes selected");
		return;
	}
	ir_id v = arg & REL_SRC ? read_vgpr(l, in->src[0].index, part(l, arg, false)) : lift_vsrc(l, 0, IR_I32);
	if (arg & REL_DST)
		write_vgpr(l, in->dst[0].index, part(l, arg, true), v);
	else
		lift_vdst(l, v, IR_I32);
}

void lift_v_swaprel(struct amd_lift *l, const struct lift_row *r)
{
	unsigned d = l->in->dst[0].index, s = l->in->src[0].index, top = top_vgpr(l);
	ir_id pd = part(l, REL_TWO, true), ps = part(l, REL_TWO, false);
	ir_id a = read_vgpr(l, d, pd), b = read_vgpr(l, s, ps);

	(void)r;
	for (unsigned n = d < s ? d : s; n <= top; n++) {
		ir_id v = lift_vgpr(l, n);
		if (n >= d)
			v = op3(l, IR_select, IR_I32, b2(l, IR_ieq, pd, lift_c32(l, n - d)), b, v);
		if (n >= s)
			v = op3(l, IR_select, IR_I32, b2(l, IR_ieq, ps, lift_c32(l, n - s)), a, v);
		lift_set_vgpr(l, n, v);
	}
}

/* ---- SGPRs: s0 to s105; pairs stay even */
enum { LAST_SGPR = 105 };

static struct amd_opnd sgpr(unsigned n)
{
	return (struct amd_opnd){ .kind = AMD_K_SGPR, .index = (uint16_t)n, .dwords = 1 };
}

static ir_id read_sgpr(struct amd_lift *l, unsigned from, ir_id index, unsigned dword)
{
	ir_id v = lift_c32(l, 0);

	for (unsigned n = from; n + dword <= LAST_SGPR; n++) {
		struct amd_opnd o = sgpr(n + dword);
		ir_id here = bk(l, IR_ieq, index, n - from);
		v = op3(l, IR_select, IR_I32, here, lift_dword(l, &o, 0), v);
	}
	return v;
}

void lift_s_movrel(struct amd_lift *l, const struct lift_row *r) /* count: REL_* */
{
	const struct amd_inst *in = l->in;
	unsigned arg = lift_count(r), words = in->dst[0].dwords;
	ir_id v[2];

	if (((arg & REL_SRC) && in->src[0].kind != AMD_K_SGPR) || ((arg & REL_DST) && in->dst[0].kind != AMD_K_SGPR)) {
		lift_refuse(l, "relative to a register that is not an SGPR");
		return;
	}
	for (unsigned i = 0; i < words; i++)
		v[i] = arg & REL_SRC ? read_sgpr(l, in->src[0].index, part(l, arg, false), i) : lift_dword(l, &in->src[0], i);
	if (!(arg & REL_DST)) {
		lift_set_scalar(l, &in->dst[0], v);
		return;
	}
	/* all at once: halves of a mask are written together */
	unsigned first = in->dst[0].index, count = (LAST_SGPR + 1 - first) / words * words;
	struct amd_opnd all = { .kind = AMD_K_SGPR, .index = (uint16_t)first, .dwords = (uint8_t)count };
	ir_id index = part(l, arg, true), w[LAST_SGPR + 1];
	for (unsigned n = 0; n < count; n++) {
		struct amd_opnd o = sgpr(first + n);
		ir_id here = b2(l, IR_ieq, index, lift_c32(l, n / words * words));
		w[n] = op3(l, IR_select, IR_I32, here, v[n % words], lift_dword(l, &o, 0));
	}
	lift_set_scalar(l, &all, w);
}

/* ---- bits of quads, as integers */
static ir_id quads(struct amd_lift *l, ir_type t, ir_id v) /* bit 4 n: any bit of quad n */
{
	v = op2(l, IR_ior, t, v, op2(l, IR_lshr, t, v, ir_const(l->fn, t, 1)));
	v = op2(l, IR_ior, t, v, op2(l, IR_lshr, t, v, ir_const(l->fn, t, 2)));
	return op2(l, IR_iand, t, v, ir_const(l->fn, t, 0x1111111111111111ull));
}

static void set(struct amd_lift *l, ir_type t, ir_id v)
{
	ir_id d[2] = { v, 0 };

	if (t == IR_I64)
		lift_split(l, v, d);
	lift_set_scalar(l, &l->in->dst[0], d);
	lift_set_scc(l, b2(l, IR_ine, v, ir_const(l->fn, t, 0)));
}

void lift_s_quadmask(struct amd_lift *l, const struct lift_row *r) /* TYPE; NZ: all bits of the quad (s_wqm) */
{
	static const uint64_t keep[] = { 0x0303030303030303ull, 0x000f000f000f000full, 0x000000ff000000ffull, 0xffff };
	ir_type t = (r->arg & TYPE) == I64 ? IR_I64 : IR_I32;
	const struct amd_opnd *s = &l->in->src[0];
	ir_id v = quads(l, t, t == IR_I64 ? lift_qword(l, s) : lift_dword(l, s, 0));

	if (r->arg & NZ) {
		set(l, t, opk(l, IR_imul, t, v, 15));
		return;
	}
	for (unsigned i = 0; i < (t == IR_I64 ? 4u : 3u); i++) {
		v = op2(l, IR_ior, t, v, opk(l, IR_lshr, t, v, 3u << i));
		v = opk(l, IR_iand, t, v, keep[i]);
	}
	set(l, t, v);
}

void lift_s_cmp64(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = lift_qword(l, &l->in->src[0]), b = lift_qword(l, &l->in->src[1]);

	lift_set_scc(l, b2(l, r->op, a, b));
}
