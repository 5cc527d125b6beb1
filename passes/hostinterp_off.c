/* hostinterp_off.c - barycentrics beside the pixel's center.
 *
 * A guest that wants a parameter at an offset from the center moves I and J there, by their differences between the pixels of the
 * quad: I + (I@right - I@own) * x + (I@below - I@own) * y, where own, right and below are the quad's first three pixels. The parameter
 * is P10 * I + P20 * J + P0, so it moves by its own differences and the same factors.
 */
#include "hostinterp.h"

enum { OWN = 0x00, RIGHT = 0x55, BELOW = 0xaa }; /* quad selectors: the first, the second, the third pixel for all */

static bool is_true(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;
	return ir_is_const(fn, v, &k) && k & 1;
}

/* v of another pixel of the quad: the value asked for, or 0. A pixel that might not be there counts as 0, and always is. */
static ir_id of_pixel(const struct ir_fn *fn, ir_id v, unsigned *perm)
{
	const struct ir_inst *i = &fn->inst[hostinterp_strip(fn, v)];
	if (i->op == IR_select && fn->inst[i->a[0]].op == IR_quad) {
		const struct ir_inst *there = &fn->inst[i->a[0]], *q = &fn->inst[hostinterp_strip(fn, i->a[1])];
		if (!is_true(fn, there->a[0]) || !is_true(fn, there->a[1]) || q->op != IR_quad || q->imm != there->imm)
			return 0;
		i = q;
	}
	if (i->op != IR_quad || !is_true(fn, i->a[0]))
		return 0;
	*perm = (unsigned)i->imm & 255;
	return hostinterp_strip(fn, i->a[1]);
}

/* The difference of I or J to a neighbour: taken here of two pixels, or by each pixel and then asked of the neighbour. */
static unsigned difference(const struct ir_fn *fn, ir_id v, unsigned comp, unsigned *perm)
{
	unsigned own = 1, p;
	v = hostinterp_strip(fn, v);
	ir_id w = of_pixel(fn, v, perm);
	const struct ir_inst *i = &fn->inst[w ? w : v];
	if (i->op != IR_fsub)
		return 0;
	ir_id first = of_pixel(fn, i->a[1], &own), other = w ? i->a[0] : of_pixel(fn, i->a[0], &p);
	if (!first || !other || own != OWN)
		return 0;
	if (!w)
		*perm = p;
	unsigned b = hostinterp_bary(fn, first, comp);
	return b && hostinterp_bary(fn, other, comp) == b && (*perm == RIGHT || *perm == BELOW) ? b : 0;
}

/* One of two factors is a difference. */
static bool term(const struct ir_fn *fn, ir_id x, ir_id y, unsigned comp, struct hostinterp_moved *m)
{
	unsigned perm, b;
	for (unsigned side = 0; side < 2; side++) {
		ir_id d = side ? y : x;
		if (!(b = difference(fn, d, comp, &perm)) || b != m->bary)
			continue;
		m->term[m->n].by = side ? x : y;
		m->term[m->n].at = hostinterp_strip(fn, d);
		m->term[m->n++].perm = perm;
		return true;
	}
	return false;
}

static bool moved(const struct ir_fn *fn, ir_id v, unsigned comp, struct hostinterp_moved *m, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[hostinterp_strip(fn, v)];
	if ((m->bary = hostinterp_bary(fn, v, comp)))
		return true;
	if (!depth || fn->inst[v].type != IR_F32)
		return false;
	if (i->op == IR_ffma)
		return moved(fn, i->a[2], comp, m, depth - 1) && term(fn, i->a[0], i->a[1], comp, m);
	for (unsigned k = 0; k < 2 && i->op == IR_fadd; k++) {
		const struct ir_inst *product = &fn->inst[i->a[k]];
		m->n = 0;
		if (product->op == IR_fmul && moved(fn, i->a[!k], comp, m, depth - 1) &&
		    term(fn, product->a[0], product->a[1], comp, m))
			return true;
	}
	return false;
}

bool hostinterp_moved(struct ir_fn *fn, ir_id v, unsigned comp, struct hostinterp_moved *m)
{
	*m = (struct hostinterp_moved){0};
	return moved(fn, v, comp, m, HOSTINTERP_TERMS) && m->n;
}

bool hostinterp_together(const struct hostinterp_moved *i, const struct hostinterp_moved *j)
{
	if (i->bary != j->bary || i->n != j->n)
		return false;
	for (unsigned k = 0; k < i->n; k++)
		if (i->term[k].by != j->term[k].by || i->term[k].perm != j->term[k].perm)
			return false;
	return true;
}
