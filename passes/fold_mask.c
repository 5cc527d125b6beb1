/* fold_mask.c - what a value is worth to an instruction that looks at it only where a condition holds.
 *
 * Guest vector instructions write under a mask and keep the old register in inactive lanes, so lifted code is chains of
 *
 *   %2 = select %m, %1, %old          %5 = select %m, (fadd %1, %1), %old2      (before: fadd %2, %2)
 *   %4 = fadd %2, %2             ->
 *   %5 = select %m, %4, %old2
 *
 * The true side of a select, the operands of a masked memory op, the value of a first-lane read if the mask is known to have a lane,
 * and the second operand of an `iand` matter only where the mask is set: there an inner select by the same mask is its true side, and
 * the mask and all its conjuncts are true. The old values then die unless something outside of the mask reads them. The tree below the
 * operand is rebuilt where that changes something, through pure ops of one lane only: what another lane reads (FX_CROSS) sees the value
 * as it is. A value with other users stays: it does not die, and a copy would be one value more. Each id has one memo entry, so
 * chains are not walked again and again.
 *
 * Most values are looked at under one condition alone. That is known from their users before the sweep (fold_count_uses), so
 * they take their operands as they are under it when they are visited, and nothing needs to be rebuilt.
 */
#include "fold.h"

enum { MAX_TREE = 48, MAX_ARGS = 8, MAX_NODES = 256 };

struct under {
	ir_id before;
	unsigned nodes;
	struct fold_told told;
};

/* ---- which conditions occur below a value: a set, so that most trees need no walk */
/* `whole`: it was told of before all others but its own parts. */
static inline void note_part(struct fold_told *t, struct fold_info *i, uint32_t key, bool whole)
{
	t->set |= fold_cond_bit(i->number);
	if (i->number < t->first)
		t->first = i->number;
	if (i->told >> 1 != t->number)
		i->told = t->number << 1 | (key & 1);
	while (t->nwhole && t->whole[t->nwhole - 1].number >= i->number)
		t->nwhole--;
	if (t->nwhole && t->whole[t->nwhole - 1].next > i->number)
		t->whole[t->nwhole - 1].next = i->number;
	if (whole) {
		t->whole[t->nwhole].key = key;
		t->whole[t->nwhole].number = i->number;
		t->whole[t->nwhole++].next = UINT16_MAX;
	}
}

static void tell_parts(struct fold *f, ir_id c, bool val, unsigned depth);

/* All that the condition says something of. */
static inline void tell(struct fold *f, ir_id c, bool val, unsigned depth)
{
	unsigned op = f->fn->inst[c].op;
	bool whole = !f->told.set;

	if (depth && (op == IR_inot || op == (val ? IR_iand : IR_ior)))
		tell_parts(f, c, val, depth - 1);
	if (c < f->ninfo && fold_conds(&f->info[c]))
		note_part(&f->told, &f->info[c], c * 2 + val, whole);
}

static __attribute__((noinline)) void tell_parts(struct fold *f, ir_id c, bool val, unsigned depth)
{
	const struct ir_inst *in = &f->fn->inst[c];

	tell(f, in->a[0], in->op == IR_inot ? !val : val, depth);
	if (in->op != IR_inot)
		tell(f, in->a[1], val, depth);
}

/* A condition and its value, one key for `c is false` and `not c is true`. 0: known before. */
static uint32_t key_of(const struct ir_fn *fn, ir_id cond, bool val)
{
	for (; fn->inst[cond].op == IR_inot; val = !val)
		cond = fn->inst[cond].a[0];
	return fn->inst[cond].block == IR_NO_BLOCK ? 0 : cond * 2 + val;
}

static __attribute__((noinline)) void listen_to(struct fold *f, uint32_t key)
{
	f->told.key = key;
	f->told.number++;
	f->told.set = f->told.nwhole = 0;
	f->told.first = UINT16_MAX;
	tell(f, key / 2, key & 1, FOLD_TELL_DEPTH);
}

/* f->told becomes what this one says. */
static inline void listen(struct fold *f, uint32_t key)
{
	if (f->told.key != key)
		listen_to(f, key);
}

/* What the condition told as number `told` says of condition x: 1 true, 0 false, -1 nothing. */
static int known(const struct fold *f, uint32_t told, ir_id x)
{
	bool not = false;

	for (; f->fn->inst[x].op == IR_inot; not = !not)
		x = f->fn->inst[x].a[0];
	if (x >= f->ninfo || f->info[x].told >> 1 != told)
		return -1;
	return (f->info[x].told & 1) ^ not;
}

/* The condition says nothing of the value, nor of any below it. */
static inline bool is_untold(const struct fold *f, const struct fold_told *t, ir_id id)
{
	return id >= f->ninfo || !(t->set & f->info[id].below) || f->info[id].number < t->first;
}

static inline bool untold(const struct fold *f, const struct under *u, ir_id id)
{
	return is_untold(f, &u->told, id);
}

/* The key under which a value visited behind `number` conditions is remembered: what it is worth under all conditions that say the
 * same of those. Mostly that is the mask of the code around. */
static inline uint32_t key_at(const struct fold_told *t, uint16_t number)
{
	unsigned k = t->nwhole;

	while (k && t->whole[k - 1].number >= number)
		k--;
	return k && number < FOLD_NUMBER_END && number <= t->whole[k - 1].next ? t->whole[k - 1].key : t->key;
}

static ir_id under(struct fold *f, struct under *u, ir_id id, unsigned depth);

/* Operand `from` is the first to change, into `now`: a copy with all operands as they are under the condition. */
static ir_id rebuild(struct fold *f, struct under *u, ir_id id, unsigned from, ir_id now, unsigned depth)
{
	unsigned n = ir_nargs(f->fn, id);
	ir_id args[MAX_ARGS];

	for (unsigned i = 0; i < n; i++) {
		ir_id a = fold_find(f, ir_args(f->fn, id)[i]);
		args[i] = i < from || !a || untold(f, u, a) ? a : i == from ? now : under(f, u, a, depth);
	}
	return fold_copy(f, u->before, id, args);
}

static ir_id operands_under(struct fold *f, struct under *u, ir_id id, unsigned depth)
{
	unsigned n = ir_nargs(f->fn, id);

	for (unsigned i = 0; n <= MAX_ARGS && i < n; i++) {
		ir_id a = fold_find(f, ir_args(f->fn, id)[i]), now = !a || untold(f, u, a) ? a : under(f, u, a, depth);
		if (now != a)
			return rebuild(f, u, id, i, now, depth);
	}
	return id;
}

static __attribute__((noinline)) ir_id decision(struct fold *f, uint32_t told, ir_id id)
{
	const struct ir_inst *in = &f->fn->inst[id];
	int k = in->type == IR_B1 ? known(f, told, id) : -1;

	if (k >= 0)
		return ir_const(f->fn, IR_B1, (uint64_t)k);
	k = in->op == IR_select ? known(f, told, in->a[0]) : -1;
	return k >= 0 ? fold_find(f, in->a[k ? 1 : 2]) : 0;
}

/* A value that is a condition or a choice which the condition decides: what it is, else 0. */
static inline ir_id decided(struct fold *f, uint32_t told, ir_id id)
{
	const struct ir_inst *in = &f->fn->inst[id];

	return in->type == IR_B1 || in->op == IR_select ? decision(f, told, id) : 0;
}

/* A value of which the condition may say something. */
static ir_id under(struct fold *f, struct under *u, ir_id id, unsigned depth)
{
	struct ir_fn *fn = f->fn;

	const struct fold_info *m = &f->info[id];
	uint32_t key = key_at(&u->told, m->number);
	if (m->under == key) {
		ir_id is = fold_find(f, m->is);
		if (is == id)
			return id;
		/* It was made for a use elsewhere: it must be there on the way here too. */
		uint32_t b = fn->inst[is].block, here = fn->inst[u->before].block;
		if (b == here || b == IR_NO_BLOCK || cfg_dominates(fn, b, here))
			return is;
	}
	ir_id is = decided(f, u->told.number, id);
	if (is && fn->inst[is].block == IR_NO_BLOCK)
		return is;
	if (!fold_is_pure(&fn->inst[id]) || depth >= MAX_TREE || ++u->nodes > MAX_NODES)
		return id;
	if (!is)
		is = fold_once(f, id) ? operands_under(f, u, id, depth + 1) : id;
	else if (!untold(f, u, is))
		is = under(f, u, is, depth + 1);
	struct fold_info *note = fold_info(f, id);
	note->under = key;
	note->is = is;
	return is;
}

static __attribute__((noinline)) bool operand(struct fold *f, ir_id id, unsigned i, uint32_t key)
{
	ir_id old = ir_args(f->fn, id)[i];

	listen(f, key);
	if (is_untold(f, &f->told, old))
		return false;
	struct under u = { id, 0, f->told };
	ir_id now = under(f, &u, old, 0);
	ir_args(f->fn, id)[i] = now;
	return now != old;
}

/* Is the first lane one of the mask? */
static __attribute__((noinline)) bool first_lane(struct fold *f, const struct ir_inst *in)
{
	return some_lane(&f->some, f->fn, f->scratch, in->a[0], in->block);
}

/* ---- masked operations: operand 0 is the condition under which the others matter */
bool fold_under_mask(struct fold *f, ir_id id)
{
	const struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];
	const ir_id *a = in->nargs8 == 255 ? in->x.ext : in->a;
	unsigned n = ir_nargs(fn, id), op = in->op;
	uint32_t key = key_of(fn, a[0], op != IR_ior);
	bool changed = false;

	if (!key || fn->ninst > f->most || (op == IR_readfirst && !first_lane(f, in)))
		return false;
	uint64_t conds = fold_conds(fold_info(f, key / 2));
	for (unsigned i = 1; i < n; i++) {
		if (!(fold_info(f, a[i])->below & conds)) /* as most values */
			continue;
		changed |= operand(f, id, i, op == IR_select && i == 2 ? key ^ 1 : key);
		a = ir_args(f->fn, id);
	}
	return changed;
}

/* ---- values that are looked at under one condition alone */
/* One more use than that of which `i` tells: what they have in common. */
static inline void look_again(struct fold_info *i, uint32_t key, uint32_t outer)
{
	if (i->under == key) {
		i->outer = i->outer == outer ? outer : 0;
		return;
	}
	i->under = i->under == outer || i->outer == outer ? outer : i->outer == key ? key : 0;
	i->outer = 0;
}

/* A use of a value that looks at it only under `key`, 0: always. All that the user is for, and more, is under `outer`: where uses
 * differ in the first, they may have that in common. */
static inline void look(struct fold_info *i, uint32_t key, uint32_t outer)
{
	uint32_t again = 0 - (uint32_t)(i->uses != 0);

	i->uses = (uint8_t)(i->uses << 1 | 1);
	if (i->under & again) {
		look_again(i, key, outer);
		return;
	}
	i->under = key & ~again;
	i->outer = outer; /* means nothing without `under` */
}

static inline void look_always(struct fold_info *i)
{
	i->uses = (uint8_t)(i->uses << 1 | 1);
	i->under = 0;
}

static inline void look_always_at_all(const struct ir_inst *in, struct fold_info *info)
{
	if (in->nargs8 > IR_INLINE_ARGS) {
		for (unsigned i = 0; i < in->x.count; i++)
			look_always(&info[in->x.ext[i]]);
		return;
	}
	look_always(&info[in->a[0]]);
	look_always(&info[in->a[1]]);
	if (in->room[1]) {
		look_always(&info[in->a[2]]);
		look_always(&info[in->a[3]]);
	}
}

/* All operands but the first are looked at under the user's mask, ... */
static __attribute__((noinline)) void look_masked(struct fold_info *info, const struct ir_inst *in, const struct fold_info *user,
						  uint32_t mask, unsigned traits)
{
	uint32_t own = traits & FOLD_PURE ? user->under : 0, outer = own ? user->outer : 0;
	bool same = mask == own;
	uint32_t third = !same && in->op == IR_select ? mask ^ 1 : mask, around = same ? outer : own;

	if (in->nargs8 > IR_INLINE_ARGS) {
		look(&info[in->x.ext[0]], own, outer);
		for (unsigned i = 1; i < in->x.count; i++)
			look(&info[in->x.ext[i]], mask, around);
		return;
	}
	look(&info[in->a[0]], own, outer);
	look(&info[in->a[1]], mask, around);
	if (in->room[1]) {
		look(&info[in->a[2]], third, around);
		look(&info[in->a[3]], mask, around);
	}
}

/* ... or all under the condition of the user itself. */
static __attribute__((noinline)) void look_under(struct fold_info *info, const struct ir_inst *in, uint32_t own, uint32_t outer)
{
	if (in->nargs8 > IR_INLINE_ARGS) {
		for (unsigned i = 0; i < in->x.count; i++)
			look(&info[in->x.ext[i]], own, outer);
		return;
	}
	look(&info[in->a[0]], own, outer);
	look(&info[in->a[1]], own, outer);
	if (in->room[1]) {
		look(&info[in->a[2]], own, outer);
		look(&info[in->a[3]], own, outer);
	}
}

/* As key_of, of an instruction that has a mask. */
static inline uint32_t mask_of(struct fold *f, const struct ir_inst *in)
{
	uint32_t key = key_of(f->fn, in->nargs8 > IR_INLINE_ARGS ? in->x.ext[0] : in->a[0], true);

	return key && in->op == IR_readfirst && !first_lane(f, in) ? 0 : key;
}

/* Users stand after what they look at, but for phis, which look always. */
void fold_count_uses(struct fold *f)
{
	const struct ir_fn *fn = f->fn;
	const struct ir_inst *inst = fn->inst, *in;
	struct fold_info *info = f->info;

	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; inst[id].op == IR_phi; id = inst[id].next)
			look_always_at_all(&inst[id], info);
	for (uint32_t i = fn->norder; i-- > 0;)
		for (ir_id id = fn->block[fn->order[i]].last; id && (in = &inst[id])->op != IR_phi; id = in->prev) {
			unsigned traits = fold_traits[in->op];
			uint32_t mask = traits & FOLD_MASK ? mask_of(f, in) : 0;
			if (mask) {
				f->masked |= !(traits & FOLD_PURE);
				look_masked(info, in, &info[id], mask, traits);
			} else if (info[id].under && traits & FOLD_PURE) {
				look_under(info, in, info[id].under, info[id].outer);
			} else {
				look_always_at_all(in, info);
			}
		}
}

/* All operands from `k` on become what they are under the condition told last. True when one changed. */
static __attribute__((noinline)) bool operands_demanded(struct fold *f, ir_id id, unsigned k)
{
	struct under u = { id, 0, f->told };
	unsigned n = ir_nargs(f->fn, id);
	bool changed = false;

	for (; k < n; k++) {
		ir_id old = ir_args(f->fn, id)[k], now = untold(f, &u, old) ? old : under(f, &u, old, 1);
		ir_args(f->fn, id)[k] = now;
		changed |= now != old;
	}
	return changed;
}

ir_id fold_demanded(struct fold *f, ir_id id, uint64_t below)
{
	const struct ir_fn *fn = f->fn;
	struct fold_info *i = &f->info[id];
	uint32_t key = key_of(fn, fold_find(f, i->under / 2), i->under & 1);

	i->under = 0;
	/* No part of the condition is found here. (One that was not visited stands further down.) */
	if (!key || !(fold_conds(&f->info[key / 2]) & below) || fn->ninst > f->most)
		return 0;
	listen(f, key);
	i->under = key_at(&f->told, f->nconds);
	i->is = id;
	if (!(f->told.set & below))
		return 0;
	ir_id is = decided(f, f->told.number, id);
	if (is || !fold_is_pure(&fn->inst[id]))
		return is;
	const ir_id *a = ir_args(f->fn, id);
	for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++)
		if (!is_untold(f, &f->told, a[k]))
			return operands_demanded(f, id, k) ? id : 0;
	return 0;
}
