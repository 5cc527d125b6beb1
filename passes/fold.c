/* fold.c - constant folding, algebraic identities, copy propagation and value numbering in one sweep.
 *
 * Lifted code is full of what the guest's encoding forced on it: masks that are always true, pairs taken apart and put
 * together, carries of a 64-bit address, compares of selects of 0 and 1. Everything later (resource tracking above all) looks
 * at values, so each value gets one plain form here.
 *
 * Before                                   After
 *   %3 = iadd %lo, %x                        %3 = pack64 %lo, %hi
 *   %4 = carry %lo, %x                       %4 = zext.i64 %x
 *   %5 = zext %4                             %7 = iadd %3, %4
 *   %6 = iadd %hi, %5
 *   %7 = pack64 %3, %6
 *
 * The sweep walks the dominator tree in reverse postorder, so that operands are final before their uses (but for phis of
 * loops, which are looked at again at the end). Per instruction: constants, the rules of fold_rules.def, the special cases of
 * fold_misc.c, what is known under the instruction's mask (fold_mask.c), then the table of values that dominate it.
 *
 * Exact: a rule holds for every bit pattern, NaNs, zeros of either sign and denormals included. Where the guest flushes
 * denormals (IR_F_FTZ), arithmetic on constants is left alone when a denormal is involved.
 */
#include "fold.h"

enum pass_result fold_run(struct pass_ctx *ctx);

enum { MAX_DEPTH = 12, MAX_REWRITES = 24, MAX_SWEEPS = 4 };

ir_id fold_find_far(struct fold *f, ir_id id)
{
	ir_id to = id;

	while (to < f->ninfo && f->info[to].rep)
		to = f->info[to].rep;
	while (f->info[id].rep != to) {
		ir_id next = f->info[id].rep;
		f->info[id].rep = to;
		id = next;
	}
	return to;
}

/* What there is at first is visited, but for what belongs to no block. */
static void note_kinds(struct fold *f, ir_id first)
{
	const struct ir_fn *fn = f->fn;

	for (ir_id id = first; first && id < fn->ninst; id++)
		f->info[id].kind = fold_kind_of(&fn->inst[id]);
	if (first)
		return;
	f->info[0].kind = FOLD_OTHER; /* no operand */
	for (ir_id id = fn->interned; id; id = fn->inst[id].next)
		f->info[id].kind = fold_kind_of(&fn->inst[id]);
}

/* Of all that there is now. */
void fold_more(struct fold *f)
{
	uint32_t n = f->fn->ninst;

	f->info = arena_grow_raw(f->scratch, f->info, f->ninfo, &f->info_cap, n, sizeof(*f->info));
	memset(f->info + f->ninfo, 0, (n - f->ninfo) * sizeof(*f->info));
	note_kinds(f, f->ninfo);
	f->ninfo = n;
}

void fold_note_uses(struct fold *f, ir_id id)
{
	const ir_id *a = ir_args(f->fn, id);
	unsigned n = ir_nargs(f->fn, id);

	for (unsigned i = 0; i < n; i++)
		fold_use(fold_info(f, a[i]), 1);
}

bool fold_once(const struct fold *f, ir_id id)
{
	return id < f->ninfo && f->info[id].uses <= 1;
}

/* Uses are counted again; what the last sweep noted under masks knows values that stand further down in this one. */
static void reset_info(struct fold *f)
{
	fold_more(f);
	memset(f->bucket, 0, (f->bucket_mask + 1u) * sizeof(*f->bucket));
	f->told.key = 0;
	f->nconds = FOLD_NUMBERS;
	for (uint32_t i = 0; i < f->ninfo; i++) {
		const struct fold_info *was = &f->info[i];
		f->info[i] = (struct fold_info){ .rep = was->rep, .kind = was->kind, .below = was->rep ? FOLD_GONE : 0 };
	}
}

static void replace(struct fold *f, ir_id id, ir_id by)
{
	if (by >= f->ninfo)
		fold_more(f);
	f->info[id].rep = by;
	f->info[id].below = FOLD_GONE;
	fold_use(&f->info[by], f->info[id].uses);
	f->changed = true;
	ir_remove(f->fn, id);
}

/* ---- constants */
static bool denormal(ir_type t, uint64_t bits)
{
	unsigned man = ir_bits(t) == 16 ? 10 : ir_bits(t) == 32 ? 23 : 52;
	uint64_t m = (1ull << man) - 1, e = fold_mask(t) >> 1 & ~m;

	return ir_is_float(t) && !(bits & e) && (bits & m);
}

static __attribute__((noinline)) ir_id evaluate(struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *in = &fn->inst[id];
	ir_type types[3];
	uint64_t args[3] = { 0, 0, 0 }, out;

	for (unsigned i = 0; i < in->nargs8; i++) {
		if (!ir_is_const(fn, in->a[i], &args[i]))
			return 0;
		types[i] = fn->inst[in->a[i]].type;
		if (types[i] >> 4 || ((in->flags & IR_F_FTZ) && in->op != IR_bitcast && denormal(types[i], args[i])))
			return 0;
	}
	if (in->type >> 4 || !ir_eval_op(in->op, in->type, in->sub, in->imm, types, args, &out))
		return 0;
	if ((in->flags & IR_F_FTZ) && in->op != IR_bitcast && denormal(in->type, out))
		return 0;
	return ir_const(fn, fn->inst[id].type, out);
}

/* ---- value numbering */
_Static_assert(IR_INLINE_ARGS == 4, "operands that stand in an instruction are looked at in pairs, room[0] and room[1]");

static inline uint64_t mix(uint64_t h, uint64_t a)
{
	return (h ^ a) * 0x9e3779b97f4a7c15ull;
}

/* The first two operands come last: neighbours in them do not meet. */
static inline uint32_t hash(const struct ir_inst *in)
{
	if (in->nargs8 <= IR_INLINE_ARGS)
		return (uint32_t)(mix(mix(in->imm + in->room[1], 0) ^ (uint64_t)in->op << 20, in->room[0]) >> 32);
	uint64_t h = in->op;
	for (unsigned i = 0; i < in->x.count; i++)
		h = mix(h, in->x.ext[i]);
	return (uint32_t)(h >> 32);
}

/* The same for a bucket with something in it. What does not dominate this block dominates none that comes after it: it leaves. */
static __attribute__((noinline)) ir_id number_among(struct fold *f, ir_id id, ir_id *bucket)
{
	const struct ir_inst *inst = f->fn->inst;
	uint32_t block = inst[id].block;
	ir_id chain = *bucket, equal;

	while (chain && inst[chain].block != block && !cfg_dominates(f->fn, inst[chain].block, block))
		chain = f->info[chain].chain;
	for (equal = chain; equal && !fold_same(&inst[equal], &inst[id]);)
		equal = f->info[equal].chain;
	if (!equal)
		f->info[id].chain = chain;
	*bucket = equal ? chain : id;
	return equal ? equal : id;
}

/* A value that dominates and equals this one, else this one, which is now in the table. */
static inline ir_id number(struct fold *f, const struct ir_inst *in, ir_id id, unsigned traits)
{
	if (!(traits & FOLD_NUMBER) && !(traits & FOLD_LOADS && fold_constant_load(f->fn, in)))
		return id;
	ir_id *bucket = &f->bucket[hash(in) & f->bucket_mask];
	if (*bucket)
		return number_among(f, id, bucket);
	f->info[id].chain = 0;
	*bucket = id;
	return id;
}

/* ---- the visit */
/* An operand that was replaced becomes what took its place. That may have been replaced, too: then it is gone. */
static inline uint64_t refresh(const struct fold_info *info, ir_id *a)
{
	ir_id now = *a;

	if (info[now].below & FOLD_GONE & ~FOLD_FRESH)
		*a = now = info[now].rep;
	return info[now].below;
}

static __attribute__((noinline)) uint64_t refresh_far(struct fold *f, ir_id *a, unsigned n)
{
	uint64_t below = FOLD_GONE;

	for (unsigned i = 0; i < n; i++) {
		a[i] = fold_find(f, a[i]);
		below |= f->info[a[i]].below;
	}
	return below;
}

static __attribute__((noinline)) uint64_t refresh_operands(struct fold *f, struct ir_inst *in)
{
	const struct fold_info *info = f->info;

	if (in->nargs8 > IR_INLINE_ARGS)
		return refresh_far(f, in->x.ext, in->x.count);
	uint64_t below = refresh(info, &in->a[0]) | refresh(info, &in->a[1]) | refresh(info, &in->a[2]) | refresh(info, &in->a[3]);
	return below & FOLD_GONE & ~FOLD_FRESH ? refresh_far(f, in->a, IR_INLINE_ARGS) : below | FOLD_GONE;
}

/* What is below an instruction, of which the operands become what stands in their places. FOLD_GONE: one did. */
static inline uint64_t look_below(struct fold *f, struct ir_inst *in)
{
	const struct fold_info *info = f->info;
	uint64_t below = 0;

	if (in->nargs8 > IR_INLINE_ARGS) {
		for (unsigned i = 0; i < in->x.count; i++)
			below |= info[in->x.ext[i]].below;
	} else { /* of id 0 there is nothing below */
		below = info[in->a[0]].below | info[in->a[1]].below | info[in->a[2]].below | info[in->a[3]].below;
	}
	return below & FOLD_GONE & ~FOLD_FRESH ? refresh_operands(f, in) : below;
}

/* Of a commutative op the constant stands last. */
static inline void order_operands(const struct fold *f, struct ir_inst *in)
{
	ir_id a = in->a[0], b = in->a[1];
	bool ca = fold_const(f, a), cb = fold_const(f, b);
	uint64_t both = in->room[0], exchanged = both << 32 | both >> 32;

	in->room[0] ^= (both ^ exchanged) & (0 - (uint64_t)((ca > cb) | ((ca == cb) & (a > b))));
}

/* 0: nothing to do. The id itself: it was rewritten. Else: its replacement. Operands are final. */
static inline __attribute__((always_inline)) ir_id improve(struct fold *f, struct ir_inst *in, ir_id id, unsigned traits)
{
	const struct fold_filter *of = fold_filters[in->op];
	ir_id by = 0;

	if (traits & FOLD_COMM)
		order_operands(f, in);
	fold_set entries = fold_entries(f, of, in);
	if (entries & of->eval)
		by = evaluate(f->fn, id);
	if (!by && entries & of->rules)
		by = fold_rules_apply(f, id, entries & of->rules);
	if (!by && entries & of->special)
		by = fold_specials[in->op](f, id);
	if (!by && traits & (FOLD_MASK | FOLD_LOGIC) && fold_has_mask(f, &f->fn->inst[id], traits) && fold_under_mask(f, id))
		by = id;
	return by;
}

/* The value stays. `below`: what is below its operands; a value's condition is a value of the tree. */
static inline void settle(struct fold *f, struct ir_inst *in, struct fold_info *i, unsigned traits, uint64_t below)
{
	uint16_t number = f->nconds;

	below = traits & FOLD_PURE ? (below & FOLD_CONDS) | (below >> 1 & FOLD_FRESH) : 0;
	if (in->type == IR_B1) {
		below |= fold_cond_bit(number);
		f->nconds = fold_number_next(number);
	}
	in->flags |= IR_F_SETTLED;
	i->below = below;
	i->number = number;
	i->kind = fold_kind_by_op(in, traits);
}

/* Of what was rewritten. */
static __attribute__((noinline)) uint64_t look_again(struct fold *f, ir_id id)
{
	if (f->fn->ninst > f->ninfo)
		fold_more(f);
	return refresh_operands(f, &f->fn->inst[id]);
}

/* Goes on with what was rewritten once, as long as that helps. The id itself: it stays. Else: its replacement. */
static __attribute__((noinline)) ir_id improve_more(struct fold *f, ir_id id)
{
	ir_id by = id;

	for (unsigned round = 0; by == id && round < MAX_REWRITES; round++) {
		f->changed = true;
		look_again(f, id);
		struct ir_inst *in = &f->fn->inst[id];
		by = improve(f, in, id, fold_traits[in->op]);
	}
	return by ? by : id;
}

/* Fold instructions of a block, from `id` up to `end`, whose operands are final; returns the value that stands for the last. What an
 * earlier run settled has nothing to improve if all below it is settled, too: only another value may have become its equal. */
static ir_id visit(struct fold *f, ir_id id, ir_id end)
{
	struct ir_fn *fn = f->fn;
	ir_id by = 0;

	for (ir_id next; id != end; id = next) {
		struct ir_inst *in = &fn->inst[id];
		uint64_t below = look_below(f, in);
		unsigned traits = fold_traits[in->op];
		next = in->next;
		by = 0;
		below |= in->flags & IR_F_SETTLED ? 0 : FOLD_GONE;
		struct fold_info *info = &f->info[id];
		if (info->under) {
			if (!fold_is_demanded(f, info, below))
				info->under = 0;
			else
				by = fold_demanded(f, id, below & FOLD_CONDS);
			in = &fn->inst[id];
		}
		if (!by && (below & ~FOLD_CONDS || traits & FOLD_AROUND))
			by = improve(f, in, id, traits);
		if (by == id && (by = improve_more(f, id)) == id) {
			below = look_again(f, id);
			traits = fold_traits[fn->inst[id].op];
			by = 0;
		}
		in = &fn->inst[id];
		if (!by)
			by = number(f, in, id, traits);
		if (by != id)
			replace(f, id, by);
		else
			settle(f, in, &f->info[id], traits, below);
	}
	return by;
}

/* What was made is visited, too, but not what is made then without end. */
static ir_id visit_made(struct fold *f, ir_id id)
{
	fold_more(f);
	fold_note_uses(f, id);
	if (f->depth + 1 >= MAX_DEPTH) {
		f->info[id].below = FOLD_CONDS;
		f->info[id].number = FOLD_NUMBERS;
		return id;
	}
	f->depth++;
	id = visit(f, id, f->fn->inst[id].next);
	f->depth--;
	return id;
}

ir_id fold_make(struct fold *f, ir_id before, enum ir_op op, ir_type type, unsigned flags, unsigned nargs, const ir_id *args)
{
	struct ir_fn *fn = f->fn;
	ir_id save = fn->before;
	uint16_t save_flags = fn->flags;
	uint32_t save_addr = fn->addr;

	fn->before = before;
	fn->flags = (uint16_t)flags;
	fn->addr = fn->inst[before].addr;
	ir_id id = ir_new(fn, op, type, nargs, args);
	fn->before = save;
	fn->flags = save_flags;
	fn->addr = save_addr;
	return visit_made(f, id);
}

ir_id fold_copy(struct fold *f, ir_id before, ir_id like, const ir_id *args)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[like];
	uint64_t imm = in->imm;
	uint16_t sub = in->sub, flags = fn->flags;
	ir_id save = fn->before;
	uint32_t addr = fn->addr;

	fn->before = before;
	fn->flags = in->flags;
	fn->addr = in->addr;
	ir_id id = ir_new(fn, in->op, in->type, ir_nargs(fn, like), args);
	fn->inst[id].imm = imm;
	fn->inst[id].sub = sub;
	fn->before = save;
	fn->flags = flags;
	fn->addr = addr;
	return visit_made(f, id);
}

/* ---- the sweep */
static void sweep(struct fold *f)
{
	const uint32_t *pre = cfg_preorder(f->fn, f->scratch);

	for (uint32_t i = 0; i < f->fn->norder; i++)
		visit(f, f->fn->block[pre[i]].first, 0);
}

/* Does a way back lead to the block? */
static bool is_head(const struct ir_fn *fn, uint32_t b)
{
	const struct ir_block *at = &fn->block[b];
	bool back = false;

	for (uint32_t k = 0; k < at->npred && !back; k++)
		back = fn->block[at->pred[k]].rpo >= at->rpo;
	return back;
}

/* Operands of phis that were replaced after the phi was visited. True when that made another sweep worthwhile. */
static bool settle_phis(struct fold *f)
{
	struct ir_fn *fn = f->fn;
	bool again = false;

	ir_for_order(fn, b) {
		if (fn->inst[fn->block[b].first].op != IR_phi || !is_head(fn, b))
			continue;
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_phi)
				break;
			ir_id *a = ir_args(fn, id), only = 0;
			unsigned n = ir_nargs(fn, id), different = 0;
			for (unsigned i = 0; i < n; i++) {
				a[i] = fold_find(f, a[i]);
				if (a[i] == id || a[i] == only)
					continue;
				different++;
				only = a[i];
			}
			again |= different == 1;
		}
	}
	return again;
}

enum pass_result fold_run(struct pass_ctx *ctx)
{
	struct fold f = { .ctx = ctx, .fn = ctx->fn, .scratch = ctx->scratch, .nconds = FOLD_NUMBERS };
	uint32_t size = 64;

	if (fold_nothing_new(&f))
		return PASS_SAME;
	while (size < 2 * ctx->fn->ninst && size < 1u << 20)
		size *= 2;
	f.bucket = arena_array(f.scratch, ir_id, size);
	f.bucket_mask = size - 1;
	f.most = 2 * ctx->fn->ninst + 1000;
	f.info_cap = ctx->fn->ninst + ctx->fn->ninst / 4;
	f.info = arena_array_raw(f.scratch, struct fold_info, f.info_cap);
	fold_more(&f);
	for (unsigned i = 0; i < MAX_SWEEPS; i++) {
		if (i) {
			reset_info(&f);
		}
		fold_count_uses(&f);
		sweep(&f);
		if (!settle_phis(&f))
			break;
	}
	ctx->unmasked = !f.masked;
	return f.changed ? PASS_CHANGED : PASS_SAME;
}
