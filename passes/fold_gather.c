/* fold_gather.c - coordinates of a gather of integers that a program moved back by half a texel.
 *
 * Some guests gather integer texels half a texel off the place where they gather others, and their compilers correct that in the
 * program, by the image's size, or by half a texel where the sampler says that coordinates count texels:
 *
 *     %c = fadd %x, (bit of the sampler clear ? -0.5 / size : -0.5)    =>    %x, and the gather is marked
 *
 * Hosts gather all alike. What the image holds is not known yet: a gather of integers that is not marked, or of others that
 * is, is refused later (restrack_use.c).
 */
#include "fold.h"

enum { MINUS_HALF = 0xbf000000, TEXELS = 15 /* bit of a sampler's first word: coordinates are not normalised */ };

static ir_id past_cast(const struct ir_fn *fn, ir_id v)
{
	return fn->inst[v].op == IR_bitcast ? fn->inst[v].a[0] : v;
}

static bool is_half(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;

	return ir_is_const(fn, v, &k) && k == MINUS_HALF;
}

/* A word under masks that keep the bit. */
static ir_id unmasked(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;

	while (fn->inst[v].op == IR_iand && ir_is_const(fn, fn->inst[v].a[1], &k) && k >> TEXELS & 1)
		v = fn->inst[v].a[0];
	return v;
}

/* Is that -0.5 / size of the image, along `axis`? */
static bool half_texel(const struct ir_fn *fn, ir_id v, ir_id image, unsigned axis)
{
	const struct ir_inst *mul = &fn->inst[past_cast(fn, v)], *rcp = &fn->inst[mul->a[0]], *cvt = &fn->inst[rcp->a[0]];
	const struct ir_inst *size = &fn->inst[cvt->a[0]], *query = &fn->inst[size->a[0]];
	uint64_t level;

	return mul->op == IR_fmul && is_half(fn, mul->a[1]) && rcp->op == IR_frcp && (cvt->op == IR_s2f || cvt->op == IR_u2f) &&
	       size->op == IR_elem && size->imm == axis && query->op == IR_iquery && !(query->sub & 255) && query->a[0] == image &&
	       query->a[1] && ir_is_const(fn, query->a[1], &level) && !level;
}

/* Does the b1 c say that the bit is clear in the word? */
static bool bit_clear(const struct ir_fn *fn, ir_id c, ir_id word)
{
	const struct ir_inst *is = &fn->inst[c], *bit = &fn->inst[is->a[0]], *down = &fn->inst[bit->a[0]];
	uint64_t zero, mask, by;

	if (is->op != IR_ieq || !ir_is_const(fn, is->a[1], &zero) || zero || bit->op != IR_iand || !ir_is_const(fn, bit->a[1], &mask))
		return false;
	if (down->op == IR_lshr)
		return mask == 1 && ir_is_const(fn, down->a[1], &by) && by == TEXELS && unmasked(fn, down->a[0]) == word;
	return mask == 1u << TEXELS && unmasked(fn, bit->a[0]) == word;
}

/* The coordinate before it was moved; 0: it was not. */
static ir_id before_move(const struct ir_fn *fn, ir_id v, ir_id image, ir_id sampler, unsigned axis)
{
	const struct ir_inst *sum = &fn->inst[v];

	for (unsigned s = 0; s < 2 && sum->op == IR_fadd; s++) {
		const struct ir_inst *by = &fn->inst[past_cast(fn, sum->a[s])];
		if (by->op == IR_select && is_half(fn, by->a[2]) && bit_clear(fn, by->a[0], sampler) && half_texel(fn, by->a[1], image, axis))
			return sum->a[!s];
	}
	return 0;
}

ir_id fold_gather(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const ir_id *arg = ir_args(fn, id);
	ir_id coords = arg[3], image = arg[1], part[4];
	unsigned n = ir_nargs(fn, coords);

	if (!f->ctx->facts || !f->ctx->facts->gather_int_apart || fn->inst[id].sub & IMG_MOVED || fn->inst[coords].op != IR_vec || n < 2 ||
	    n > 4 || !arg[2] || fn->inst[arg[2]].op != IR_hsmp)
		return fold_cube(f, id);
	ir_id sampler = unmasked(fn, fn->inst[arg[2]].a[0]);
	memcpy(part, ir_args(fn, coords), n * sizeof(*part));
	for (unsigned k = 0; k < 2; k++)
		if ((part[k] = before_move(fn, part[k], image, sampler, k)) == 0)
			return fold_cube(f, id);
	ir_id v = fold_make(f, id, IR_vec, IR_VEC(IR_F32, n), 0, n, part);
	ir_args(fn, id)[3] = v;
	fn->inst[id].sub |= IMG_MOVED;
	fold_note_uses(f, id);
	return id;
}
