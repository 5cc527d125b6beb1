/* fold_cube.c - a direction that was taken apart into a cube's face and a place on it, and put together again.
 *
 * Guests sample cubes by face and place. They find those from a direction (x, y, z) by its largest part, and from them the lifter
 * makes a direction again, as hosts want one:
 *
 *     %ma = z's the largest ? 2 z : y's ? 2 y : 2 x          %s = %sc / |%ma| + 1.5, %t alike, %face by the same choice
 *     vec (face 0 ? 1 : face 1 ? -1 : s ..), .., ..    =>    vec x, y, z
 *
 * Hosts choose among equal parts as guests do (z before y before x), and how long a direction is does not matter; but for its
 * derivatives, which are left alone. To see that a tree of choices is the one that it seems to be it is made once more: it must
 * come out as the same value. What was made in vain is dead.
 */
#include "fold.h"

enum {
	ONE = 0x3f800000, MIDDLE = 0x3fc00000, TWO = 0x40000000, EIGHT = 0x41000000, FAR = 0x49800000 /* 2^20 */,
	SIGN = 1u << 31
};

struct cube {
	struct fold *f;
	ir_id at;           /* the sample */
	unsigned flags;     /* of the guest's compares */
	ir_id v[3], low[3]; /* x, y, z; are they below zero? */
	ir_id last, middle; /* is z the largest, else y? */
};

static ir_id make(struct cube *c, enum ir_op op, ir_type t, ir_id a, ir_id b)
{
	ir_id arg[2] = { a, b };
	bool compares = op == IR_flt || op == IR_fle;

	return fold_make(c->f, c->at, op, t, compares ? c->flags : 0, b ? 2 : 1, arg);
}

static ir_id choose(struct cube *c, ir_id cond, ir_id a, ir_id b)
{
	ir_id arg[3] = { cond, a, b };

	return fold_make(c->f, c->at, IR_select, IR_F32, 0, 3, arg);
}

static ir_id word(struct cube *c, uint32_t bits)
{
	return ir_const(c->f->fn, IR_F32, bits);
}

static bool is_word(const struct ir_fn *fn, ir_id v, uint32_t bits)
{
	uint64_t k;

	return ir_is_const(fn, v, &k) && k == bits;
}

/* The operand of a unary op, 0: v is something else. */
static ir_id under(const struct ir_fn *fn, ir_id v, enum ir_op op)
{
	return v && fn->inst[v].op == op ? fn->inst[v].a[0] : 0;
}

/* The operand beside a constant one, which stands last. */
static ir_id beside(const struct ir_fn *fn, ir_id v, enum ir_op op, uint32_t bits)
{
	return v && fn->inst[v].op == op && is_word(fn, fn->inst[v].a[1], bits) ? fn->inst[v].a[0] : 0;
}

/* a * b + k, in one step or two: a and b. */
static bool product(const struct ir_fn *fn, ir_id v, uint32_t k, ir_id out[2])
{
	const struct ir_inst *i = &fn->inst[v];
	ir_id p = beside(fn, v, IR_fadd, k);

	if (p && fn->inst[p].op == IR_fmul)
		i = &fn->inst[p];
	else if (i->op != IR_ffma || !is_word(fn, i->a[2], k))
		return false;
	out[0] = i->a[0];
	out[1] = i->a[1];
	return true;
}

/* Of twice a part: the part. */
static ir_id half_of(struct cube *c, ir_id v)
{
	uint64_t k;

	if (!ir_is_const(c->f->fn, v, &k))
		return beside(c->f->fn, v, IR_fmul, TWO);
	if (!(k & ~(uint64_t)SIGN))
		return v;
	return (k >> 23 & 255) > 1 && (k >> 23 & 255) < 255 ? word(c, (uint32_t)k - (1u << 23)) : 0;
}

/* x, y and z, from twice the largest. */
static bool find_parts(struct cube *c, ir_id ma)
{
	const struct ir_inst *inst = c->f->fn->inst, *outer = &inst[ma], *inner = &inst[outer->a[2]];

	if (outer->op != IR_select || inner->op != IR_select)
		return false;
	ir_id twice[3] = { inner->a[2], inner->a[1], outer->a[1] }, middle = inner->a[0];
	c->flags = inst[middle].flags & IR_F_FTZ;
	for (unsigned i = 0; i < 3; i++)
		if ((c->v[i] = half_of(c, twice[i])) == 0)
			return false;
	ir_id mag[3];
	for (unsigned i = 0; i < 3; i++) {
		ir_id zero = word(c, 0);
		mag[i] = make(c, IR_fabs, IR_F32, c->v[i], 0);
		c->low[i] = make(c, IR_flt, IR_B1, c->v[i], zero);
	}
	ir_id xz = make(c, IR_fle, IR_B1, mag[0], mag[2]), yz = make(c, IR_fle, IR_B1, mag[1], mag[2]);
	c->last = make(c, IR_iand, IR_B1, xz, yz);
	c->middle = make(c, IR_fle, IR_B1, mag[0], mag[1]);
	return true;
}

/* By the largest part. */
static ir_id by_largest(struct cube *c, ir_id x, ir_id y, ir_id z)
{
	ir_id rest = choose(c, c->middle, y, x);

	return choose(c, c->last, z, rest);
}

static bool same_place(struct cube *c, ir_id s, ir_id t)
{
	ir_id minus[3];

	for (unsigned i = 0; i < 3; i++)
		minus[i] = make(c, IR_fneg, IR_F32, c->v[i], 0);
	ir_id sx = choose(c, c->low[0], c->v[2], minus[2]), sz = choose(c, c->low[2], minus[0], c->v[0]);
	ir_id ty = choose(c, c->low[1], minus[2], c->v[2]);
	return by_largest(c, sx, c->v[0], sz) == s && by_largest(c, minus[1], ty, minus[1]) == t;
}

static bool same_face(struct cube *c, ir_id face)
{
	static const uint32_t number[3][2] = { { 0, ONE }, { TWO, 0x40400000 }, { 0x40800000, 0x40a00000 } };
	ir_id n[3];

	for (unsigned i = 0; i < 3; i++) {
		ir_id below = word(c, number[i][1]), above = word(c, number[i][0]);
		n[i] = choose(c, c->low[i], below, above);
	}
	return by_largest(c, n[0], n[1], n[2]) == face;
}

/* A float without a fraction: another one beside a face, times 8, would be another face. */
static bool is_whole(const struct ir_fn *fn, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v];
	uint64_t k;

	if (ir_is_const(fn, v, &k)) {
		unsigned e = k >> 23 & 255;
		return !(k << 1 & UINT32_MAX) || e >= 150 || (e >= 127 && !(k & ((1u << (150 - e)) - 1)));
	}
	switch (i->op) {
	case IR_frndne: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_s2f: case IR_u2f: return true;
	case IR_fmin: case IR_fmax: return depth && is_whole(fn, i->a[0], depth - 1) && is_whole(fn, i->a[1], depth - 1);
	default: return false;
	}
}

/* An element as the lifter's number of it, which is none for a NaN: elements far outside, too, are the nearest that
 * there are. */
static ir_id element_of(struct cube *c, ir_id v)
{
	enum ir_op op = (enum ir_op)c->f->fn->inst[v].op;

	if (op == IR_s2f || op == IR_u2f || op == IR_const)
		return v;
	v = make(c, IR_fmax, IR_F32, v, word(c, 0));
	return make(c, IR_fmin, IR_F32, v, word(c, FAR));
}

/* The face of an array's, which is 8 times the element, and that: a sum with a constant, or of a product. */
static ir_id face_of(struct cube *c, ir_id number, ir_id *element)
{
	struct ir_fn *fn = c->f->fn;
	const struct ir_inst *i = &fn->inst[number];
	uint64_t k;

	*element = 0;
	if (i->op == IR_fadd && ir_is_const(fn, i->a[1], &k) && (k & ~(uint64_t)SIGN) >= EIGHT &&
	    (k & ~(uint64_t)SIGN) <= FAR)
		*element = word(c, (uint32_t)k - (EIGHT - ONE));
	else if (i->op == IR_ffma && is_word(fn, i->a[1], EIGHT))
		*element = i->a[0];
	if (!*element || !is_whole(fn, *element, 2)) {
		*element = word(c, 0);
		return number;
	}
	ir_id face = i->op == IR_fadd ? i->a[0] : i->a[2];
	*element = element_of(c, *element);
	return face;
}

/* The lifter's element of a number: what is left of it above the face. */
static bool same_element(const struct ir_fn *fn, ir_id element, ir_id number)
{
	const struct ir_inst *above = &fn->inst[under(fn, element, IR_s2f)];
	uint64_t k;

	return above->op == IR_ashr && above->a[0] == number && ir_is_const(fn, above->a[1], &k) && k == 3;
}

/* The lifter's direction of a place (s, t), -1..1, on a face. */
static bool same_direction(struct cube *c, const ir_id *have, ir_id face, ir_id s, ir_id t)
{
	struct ir_fn *fn = c->f->fn;
	ir_id one = word(c, ONE), minus = word(c, ONE | SIGN), ns = make(c, IR_fneg, IR_F32, s, 0), nt = make(c, IR_fneg, IR_F32, t, 0);
	const ir_id dir[6][3] = {
		{ one, nt, ns }, { minus, nt, s }, { s, one, t }, { s, minus, nt }, { s, nt, one }, { ns, nt, minus },
	};

	for (unsigned p = 0; p < 3; p++) {
		ir_id v = dir[5][p];
		for (unsigned n = 5; n-- > 0;) {
			ir_id number = ir_const(fn, IR_I32, n), is = make(c, IR_ieq, IR_B1, face, number);
			v = choose(c, is, dir[n][p], v);
		}
		if (v != have[p])
			return false;
	}
	return true;
}

ir_id fold_cube(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	struct cube c = { .f = f, .at = id };
	unsigned sub = fn->inst[id].sub, n;
	ir_id coords = ir_args(fn, id)[3], have[4], s[2], t[2];

	if ((sub >> IMG_DIM_SHIFT & 7) != DIM_CUBE || sub & IMG_GRAD || fn->inst[coords].op != IR_vec)
		return 0;
	n = ir_nargs(fn, coords);
	if (n < 3 || n > 4)
		return 0;
	memcpy(have, ir_args(fn, coords), n * sizeof(*have));
	const struct ir_inst *y = &fn->inst[have[1]], *z = &fn->inst[have[2]];
	if (y->op != IR_select || z->op != IR_select || fn->inst[y->a[0]].op != IR_ieq)
		return 0;
	ir_id number = fn->inst[y->a[0]].a[0], at_s = under(fn, z->a[1], IR_fneg), at_t = under(fn, y->a[1], IR_fneg);
	if (!at_s || !at_t || !same_direction(&c, have, number, at_s, at_t))
		return 0;
	ir_id place_s = beside(fn, beside(fn, at_s, IR_fmul, TWO), IR_fsub, MIDDLE);
	ir_id place_t = beside(fn, beside(fn, at_t, IR_fmul, TWO), IR_fsub, MIDDLE);
	ir_id whole = beside(fn, number, IR_iand, 7), near = under(fn, under(fn, whole, IR_f2s), IR_frndne);
	if (!near || !place_s || !place_t || !product(fn, place_s, MIDDLE, s) || !product(fn, place_t, MIDDLE, t))
		return 0;
	for (unsigned k = 0; k < 2; k++) { /* of the two factors one is 1 / |ma| for both */
		ir_id r = s[k], ma = under(fn, under(fn, r, IR_frcp), IR_fabs);
		if (!ma || (t[0] != r && t[1] != r) || !find_parts(&c, ma))
			continue;
		if (!same_place(&c, s[!k], t[t[0] == r]))
			continue;
		ir_id element, face = face_of(&c, near, &element);
		if (!same_face(&c, face))
			continue;
		if (n == 4 && same_element(fn, have[3], whole))
			have[3] = element;
		memcpy(have, c.v, 3 * sizeof(*have));
		ir_id v = fold_make(f, id, IR_vec, IR_VEC(IR_F32, n), 0, n, have);
		ir_args(fn, id)[3] = v;
		fold_note_uses(f, id);
		return id;
	}
	return 0;
}
