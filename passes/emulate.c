/* emulate.c - cross-lane operations of compute programs through workgroup memory.
 *
 * A host whose subgroup is not the guest's wave cannot ask another lane directly. In compute all lanes can meet at a barrier, so
 * they pass values through shared memory that is added behind the guest's own:
 *
 *     %r = ballot %m              stshared (lane == 0), word(wave), 0
 *                                 barrier
 *                            =>   atshared.or %m, word(wave), 1 << lane
 *                                 barrier
 *                                 %r = ldshared true, word(wave)
 *                                 barrier
 *
 * `any` is a ballot compared with 0; readfirst and readlane are a store by the lane in question, shuffle and quad a store by
 * every lane, and a load. Each barrier must be reached by the whole workgroup: an operation under a branch that lanes (or, with
 * several waves, waves) take differently is refused. A workgroup of one lane needs none of this.
 */
#include "pass.h"
#include "uniform.h"

enum { MADE_BITS = 9 };
struct emulate {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	uint32_t threads, waves;
	uint32_t bits_at, data_at; /* byte offsets: 8 bytes a wave of ballot, 4 bytes a lane of values */
	ir_id *map;
	ir_id made[1 << MADE_BITS]; /* instructions of two words by a hash of them, the last of each */
};

static ir_id c32(struct emulate *e, uint32_t v) { return ir_const(e->fn, IR_I32, v); }
static ir_id yes(struct emulate *e) { return ir_const(e->fn, IR_B1, 1); }

/* Lanes, slots and addresses are the same for every operation: what every way here has made is not made again. */
static ir_id once(struct emulate *e, enum ir_op op, ir_type type, unsigned sub, ir_id a, ir_id b)
{
	struct ir_fn *fn = e->fn;
	uint32_t hash = (op + sub * IR_OP_COUNT) * 0xc2b2ae35u + a * 0x9e3779b1u + b * 0x85ebca6bu;
	ir_id *made = &e->made[hash >> (32 - MADE_BITS)];
	const struct ir_inst *in = &fn->inst[*made];

	if (*made && in->op == op && in->sub == sub && in->a[0] == a && in->a[1] == b &&
	    cfg_dominates(fn, in->block, fn->inst[fn->before].block))
		return *made;
	*made = a ? ir_op2(fn, op, type, a, b) : ir_op0(fn, op, type);
	fn->inst[*made].sub = (uint16_t)sub;
	return *made;
}

static ir_id i2(struct emulate *e, enum ir_op op, ir_id a, ir_id b) { return once(e, op, IR_I32, 0, a, b); }
static ir_id ik(struct emulate *e, enum ir_op op, ir_id a, uint32_t k) { return i2(e, op, a, c32(e, k)); }
static ir_id equal(struct emulate *e, ir_id a, ir_id b) { return once(e, IR_ieq, IR_B1, 0, a, b); }
static ir_id sysval(struct emulate *e, unsigned s) { return once(e, IR_sysval, IR_I32, s, 0, 0); }

static ir_id wave_index(struct emulate *e) { return e->waves == 1 ? c32(e, 0) : sysval(e, SYSVAL_wave_in_group); }

static void barrier(struct emulate *e)
{
	ir_id b = ir_op0(e->fn, IR_barrier, IR_VOID);
	e->fn->inst[b].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 1 << 8;
}

static void store(struct emulate *e, ir_id mask, ir_id off, uint32_t base, ir_id v)
{
	ir_id s = ir_op3(e->fn, IR_stshared, IR_VOID, mask, off, v);
	e->fn->inst[s].imm = base;
	e->fn->inst[s].flags |= 2 << IR_F_ALIGN_SHIFT;
}

static ir_id load(struct emulate *e, ir_id off, uint32_t base)
{
	ir_id v = ir_op2(e->fn, IR_ldshared, IR_I32, yes(e), off);
	e->fn->inst[v].imm = base;
	e->fn->inst[v].flags |= 2 << IR_F_ALIGN_SHIFT;
	return v;
}

/* The wave's bits, i32 or i64. */
static ir_id ballot(struct emulate *e, ir_id m)
{
	bool wide = e->fn->wave == 64;
	ir_id lane = sysval(e, SYSVAL_lane_id), zero = c32(e, 0);
	ir_id word = ik(e, IR_shl, wave_index(e), 3);
	ir_id first = equal(e, lane, zero);
	store(e, first, word, e->bits_at, zero);
	if (wide)
		store(e, first, word, e->bits_at + 4, zero);
	barrier(e);
	ir_id half = wide ? ik(e, IR_shl, ik(e, IR_lshr, lane, 5), 2) : zero, bit = ik(e, IR_iand, lane, 31);
	ir_id to = wide ? i2(e, IR_iadd, word, half) : word, args[4] = {m, to, i2(e, IR_shl, c32(e, 1), bit), 0};
	ir_id at = ir_new(e->fn, IR_atshared, IR_I32, 4, args);
	e->fn->inst[at].sub = ATOMIC_or;
	e->fn->inst[at].imm = e->bits_at;
	e->fn->inst[at].flags |= 2 << IR_F_ALIGN_SHIFT;
	barrier(e);
	ir_id r = load(e, word, e->bits_at);
	if (wide)
		r = ir_op2(e->fn, IR_pack64, IR_I64, r, load(e, word, e->bits_at + 4));
	barrier(e);
	return r;
}

/* The value of lane `from` of this wave, a 32-bit word. one: every lane asks for the same lane. */
static ir_id fetch_word(struct emulate *e, ir_id v, ir_id from, bool one)
{
	ir_id lane = sysval(e, SYSVAL_lane_id), got;
	if (one) {
		ir_id slot = ik(e, IR_shl, wave_index(e), 2);
		store(e, equal(e, lane, from), slot, e->data_at, v);
		barrier(e);
		got = load(e, slot, e->data_at);
	} else {
		ir_id own = sysval(e, SYSVAL_local_index), slot = ik(e, IR_shl, own, 2);
		ir_id other = i2(e, IR_iadd, i2(e, IR_isub, own, lane), from);
		store(e, yes(e), slot, e->data_at, v);
		barrier(e);
		/* a lane beyond the workgroup's end does not exist: what is read of it is undefined, the address is not */
		other = ik(e, IR_umin, other, e->threads - 1);
		got = load(e, ik(e, IR_shl, other, 2), e->data_at);
	}
	barrier(e);
	return got;
}

static ir_id fetch(struct emulate *e, ir_id v, ir_id from, bool one)
{
	ir_type t = e->fn->inst[v].type;
	unsigned bits = ir_bits(t);
	if (t == IR_B1) {
		v = fetch_word(e, ir_op1(e->fn, IR_zext, IR_I32, v), from, one);
		return ir_op2(e->fn, IR_ine, IR_B1, v, c32(e, 0));
	}
	ir_type as = ir_int_of_bits(bits);
	if (as != t)
		v = ir_op1(e->fn, IR_bitcast, as, v);
	if (bits == 64) {
		ir_id lo = fetch_word(e, ir_op1(e->fn, IR_lo64, IR_I32, v), from, one);
		ir_id hi = fetch_word(e, ir_op1(e->fn, IR_hi64, IR_I32, v), from, one);
		v = ir_op2(e->fn, IR_pack64, IR_I64, lo, hi);
	} else if (bits == 32)
		v = fetch_word(e, v, from, one);
	else
		v = ir_op1(e->fn, IR_trunc, as, fetch_word(e, ir_op1(e->fn, IR_zext, IR_I32, v), from, one));
	return as != t ? ir_op1(e->fn, IR_bitcast, t, v) : v;
}

/* The first lane whose bit is set; lane 0 when there is none. */
static ir_id first_lane(struct emulate *e, ir_id m)
{
	uint64_t k;
	if (ir_is_const(e->fn, m, &k))
		return c32(e, 0);
	ir_id b = ballot(e, m), none = ir_op2(e->fn, IR_ieq, IR_B1, b, ir_const(e->fn, e->fn->inst[b].type, 0));
	ir_id first = ir_op1(e->fn, IR_ctz, IR_I32, b);
	return ir_op3(e->fn, IR_select, IR_I32, none, c32(e, 0), first);
}

static ir_id quad_lane(struct emulate *e, uint64_t imm)
{
	ir_id lane = sysval(e, SYSVAL_lane_id);
	ir_id at = ik(e, IR_shl, ik(e, IR_iand, lane, 3), 1), sel = i2(e, IR_lshr, c32(e, (uint32_t)imm & 255), at);
	ir_id quad = ik(e, IR_iand, lane, ~3u);
	return i2(e, IR_ior, quad, ik(e, IR_iand, sel, 3));
}

/* One lane: it is the first, the only one that can be asked, and all that there is. */
static ir_id alone(struct emulate *e, const struct ir_inst *i)
{
	switch (i->op) {
	case IR_any: return i->a[0];
	case IR_ballot: return ir_op1(e->fn, IR_zext, i->type, i->a[0]);
	default: return i->a[1];
	}
}

static ir_id expand(struct emulate *e, const struct ir_inst *i)
{
	ir_id lanes = c32(e, e->fn->wave - 1u);
	if (e->threads == 1)
		return alone(e, i);
	switch (i->op) {
	case IR_ballot: return ballot(e, i->a[0]);
	case IR_any: {
		ir_id b = ballot(e, i->a[0]);
		return ir_op2(e->fn, IR_ine, IR_B1, b, ir_const(e->fn, e->fn->inst[b].type, 0));
	}
	case IR_readfirst: return fetch(e, i->a[1], first_lane(e, i->a[0]), true);
	case IR_readlane: return fetch(e, i->a[1], i2(e, IR_iand, i->a[2], lanes), true);
	case IR_shuffle: return fetch(e, i->a[1], i2(e, IR_iand, i->a[2], lanes), false);
	default: return fetch(e, i->a[1], quad_lane(e, i->imm), false);
	}
}

static bool crosses(const struct ir_inst *i)
{
	switch (i->op) {
	case IR_any: case IR_ballot: case IR_readfirst: case IR_readlane: case IR_shuffle: case IR_quad: return true;
	default: return false;
	}
}

static bool any_cross(const struct ir_fn *fn)
{
	if (!(fn->has[IR_any] | fn->has[IR_ballot] | fn->has[IR_readfirst] | fn->has[IR_readlane] | fn->has[IR_shuffle] | fn->has[IR_quad]))
		return false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (crosses(&fn->inst[id]))
				return true;
	return false;
}

/* Room behind the guest's shared memory. */
static bool reserve(struct emulate *e)
{
	const struct fact_target *t = e->ctx->facts->target;
	uint64_t bits = (e->fn->shared_bytes + 15u) & ~15u, data = bits + 8ull * e->waves, end = data + 4ull * e->threads;
	if (e->threads == 1)
		return true;
	if (end > t->max_shared) {
		diag_emit(e->ctx->diag, DIAG_LIMIT, DIAG_NO_ADDR,
		          "cross-lane operations through shared memory need %llu bytes, the target's maxComputeSharedMemorySize is %u",
		          (unsigned long long)end, t->max_shared);
		return false;
	}
	e->bits_at = (uint32_t)bits;
	e->data_at = (uint32_t)data;
	e->fn->shared_bytes = (uint32_t)end;
	return true;
}

/* A workgroup that does not fill its last wave leaves lanes there that nothing stands for. A mask of all ones reaches them
 * on the guest; what such a lane computes is lost here, so nobody may ask for it by its number. */
static bool asks_nobody(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	uint32_t live = (uint32_t)(fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2]) % fn->wave;
	uint64_t lane;
	if (fn->stage != STAGE_COMPUTE || live < 2 || !fn->has[IR_readlane])
		return false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_readlane && ir_is_const(fn, fn->inst[id].a[2], &lane) && lane % fn->wave >= live) {
				diag_emit(ctx->diag, DIAG_CROSS_LANE, fn->inst[id].addr,
				          "lane %u of a wave of %u is read, and the workgroup's last wave has %u", (unsigned)(lane % fn->wave), fn->wave,
				          live);
				return true;
			}
	return false;
}

enum pass_result emulate_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *t = ctx->facts ? ctx->facts->target : NULL;
	if (asks_nobody(ctx))
		return PASS_REFUSED;
	bool same = t && t->subgroup_min <= fn->wave && fn->wave <= t->subgroup_max && t->subgroup_ballot && t->subgroup_shuffle &&
	            (t->subgroup_pin || t->subgroup_min == t->subgroup_max);
	if (fn->stage != STAGE_COMPUTE || !t || same || !any_cross(fn))
		return PASS_SAME;
	struct emulate e = {.ctx = ctx, .fn = fn, .threads = fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2]};
	e.waves = (e.threads + fn->wave - 1) / fn->wave;
	if (!reserve(&e))
		return PASS_REFUSED;
	const bool *varies = e.waves == 1 ? ctx->divergent : uniform_of_group(ctx);
	const uint8_t *split = uniform_split_blocks(ctx, varies, ctx->ndivergent);
	e.map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			struct ir_inst i = fn->inst[id];
			if (!crosses(&i))
				continue;
			if (e.threads > 1 && split[b]) {
				diag_emit(ctx->diag, DIAG_CROSS_LANE, i.addr,
				          "%s in a wave of %u under a branch that the workgroup does not take together; the target's subgroups "
				          "have %u to %u lanes", ir_ops[i.op].name, fn->wave, t->subgroup_min, t->subgroup_max);
				return PASS_REFUSED;
			}
			fn->before = id;
			fn->at = b;
			fn->addr = i.addr;
			fn->flags = 0;
			e.map[id] = expand(&e, &i);
		}
	fn->before = 0;
	ir_map_apply(fn, e.map);
	diag_remark(ctx->diag, "emulate", DIAG_NO_ADDR, "lanes exchange values through shared memory");
	return PASS_CHANGED;
}
