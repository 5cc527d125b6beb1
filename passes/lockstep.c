/* lockstep.c - a workgroup of one wave needs no barriers on the guest; on a host with smaller subgroups it does.
 *
 * Compilers drop the barriers of a workgroup that fits in one wave: its lanes step together, so a store to shared memory is
 * seen by every lane's next load. Here a barrier is put back between shared accesses of which one is a store, unless they are of
 * different parts of the memory:
 *
 *     stshared true, %a, %x              stshared true, %a, %x
 *     %y = ldshared true, %b      =>     barrier group, group, shared
 *                                        %y = ldshared true, %b
 *
 * A barrier must be reached by all lanes. Accesses under a divergent branch get theirs before the branch; when the accesses
 * within one such region may meet, the program is refused; but for a loop that changes a word by compare and
 * exchange (exchange.c), which is one change of it for each lane. Atomic changes of one kind whose results nobody uses may come
 * in any order, so they need no barriers among themselves, and lanes may be in different turns of a loop with them.
 */
#include "exchange.h"
#include "pass.h"
#include "uniform.h"
#include "upper.h"

enum { LOOK = 8, PARTS = 64 };

/* Parts of shared memory, a bit each, that may have been read, written and changed in some order since the last barrier, or are by
 * an access. kind: of the changes, ANY_KIND for some of different kinds, 0 for none. */
enum { ANY_KIND = 1 };
struct parts { uint64_t read, written, changed; uint32_t kind; };

/* An access of shared memory, or a barrier, which is one of no part. */
struct access { ir_id id; struct parts parts; };

struct lockstep {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	struct access *access; /* in order, as they were there at the start */
	uint32_t naccess;
	size_t access_cap;
	struct span { uint32_t from, to; } *of; /* per block of the order: its own */
	const uint8_t *divergent; /* block lies under a divergent branch */
	struct parts *in;     /* what may be pending at a uniform block's start */
	struct parts *region; /* what is accessed under the divergent branch that ends a uniform block, ... */
	struct parts *step;   /* ... and but for the reads of loops that exchange a word */
	const bool *used;     /* per value: somebody uses it; NULL where there are no atomic operations */
	uint8_t *exchange;    /* of a loop's header: 1 a loop that exchanges a word (exchange.h), 2 another; 0 not asked yet */
};

/* Changes of one kind make the same of a word in whatever order they come. 0: those of this operation may not. */
static uint32_t kind_of(const struct lockstep *s, ir_id id)
{
	const struct ir_inst *i = &s->fn->inst[id];
	if (i->op != IR_atshared || s->used[id])
		return 0;
	switch (i->sub) {
	case ATOMIC_add: case ATOMIC_sub: return 2 + ATOMIC_add + (uint32_t)i->type * 256;
	case ATOMIC_and: case ATOMIC_or: case ATOMIC_xor: case ATOMIC_smin: case ATOMIC_smax: case ATOMIC_umin: case ATOMIC_umax:
		return 2 + i->sub + (uint32_t)i->type * 256;
	default: return 0;
	}
}

/* Of an access; false: it is none. */
static bool access_of(const struct lockstep *s, ir_id id, struct parts *now)
{
	const struct ir_fn *fn = s->fn;
	const struct ir_inst *i = &fn->inst[id];
	uint64_t all = UINT64_MAX, part = ((fn->shared_bytes + PARTS - 1) / PARTS + 3) & ~3ull; /* whole words */
	if (i->op != IR_ldshared && i->op != IR_stshared && i->op != IR_atshared)
		return false;
	ir_type t = i->op == IR_stshared ? fn->inst[i->a[2]].type : i->type;
	/* An address past the end may come round to any other. */
	uint64_t end = i->imm + upper_word(fn, i->a[1], LOOK) + ir_bits(t) / 8 * ir_elems(t);
	if (i->imm < fn->shared_bytes && end <= fn->shared_bytes)
		all = all << i->imm / part & all >> (PARTS - 1 - (end - 1) / part);
	uint32_t kind = kind_of(s, id);
	*now = (struct parts){.read = i->op == IR_stshared || kind ? 0 : all, .written = i->op == IR_ldshared || kind ? 0 : all,
		.changed = kind ? all : 0, .kind = kind};
	return true;
}

static bool hazard(const struct parts *pending, const struct parts *now)
{
	bool same = pending->kind == now->kind && now->kind != ANY_KIND;
	return (now->read & (pending->written | pending->changed)) |
	       (now->written & (pending->read | pending->written | pending->changed)) |
	       (now->changed & (pending->read | pending->written | (same ? 0 : pending->changed)));
}

/* False: it was all there. */
static bool add(struct parts *to, const struct parts *now)
{
	struct parts was = *to;
	to->read |= now->read;
	to->written |= now->written;
	to->changed |= now->changed;
	if (now->kind)
		to->kind = to->kind && to->kind != now->kind ? ANY_KIND : now->kind;
	return to->read != was.read || to->written != was.written || to->changed != was.changed || to->kind != was.kind;
}

static void put_barrier(struct lockstep *s, ir_id before)
{
	struct ir_fn *fn = s->fn;
	fn->before = before;
	fn->at = fn->inst[before].block;
	fn->addr = fn->inst[before].addr;
	fn->flags = 0;
	ir_id b = ir_op0(fn, IR_barrier, IR_VOID);
	fn->inst[b].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 1 << 8;
	fn->before = 0;
}

/* Finds the accesses. False: none of them writes. */
static bool gather(struct lockstep *s)
{
	struct ir_fn *fn = s->fn;
	bool writes = false;
	ir_for_order(fn, b) {
		s->of[b].from = s->naccess;
		ir_for_insts(fn, b, id) {
			struct access a = {.id = id};
			if (fn->inst[id].op != IR_barrier && !access_of(s, id, &a.parts))
				continue;
			s->access = arena_grow_raw(s->ctx->scratch, s->access, s->naccess, &s->access_cap, s->naccess + 1u, sizeof a);
			s->access[s->naccess++] = a;
			writes |= (a.parts.written | a.parts.changed) != 0;
		}
		s->of[b].to = s->naccess;
	}
	return writes;
}

/* A further access; inserts a barrier before it when `insert`. */
static void step(struct lockstep *s, struct parts *pending, const struct parts *now, ir_id before, bool insert)
{
	if (hazard(pending, now)) {
		if (insert)
			put_barrier(s, before);
		*pending = (struct parts){ 0 };
	}
	add(pending, now);
}

/* What is pending at the end of uniform block b. */
static struct parts walk(struct lockstep *s, uint32_t b, struct parts pending, bool insert)
{
	for (const struct access *a = &s->access[s->of[b].from], *end = &s->access[s->of[b].to]; a < end; a++) {
		if (s->fn->inst[a->id].op == IR_barrier)
			pending = (struct parts){ 0 };
		else
			step(s, &pending, &a->parts, a->id, insert);
	}
	if (s->region[b].read | s->region[b].written | s->region[b].changed)
		step(s, &pending, &s->region[b], s->fn->block[b].last, insert);
	return pending;
}

/* Loops that exchange a word do it once a lane, in step or not; if lanes go there in step. */
static bool exchanges(struct lockstep *s, uint32_t h)
{
	uint32_t outer = h == IR_NO_BLOCK ? h : s->fn->block[h].loop_parent;
	if (h == IR_NO_BLOCK || !s->divergent[h] || (outer != IR_NO_BLOCK && s->divergent[outer]))
		return false;
	if (!s->exchange[h])
		s->exchange[h] = exchange_loop(s->fn, h) ? 1 : 2;
	return s->exchange[h] == 1;
}

static const bool *find_used(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	bool *used = arena_array(ctx->scratch, bool, fn->ninst);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++)
				used[ir_args(fn, id)[k]] = true;
	return used;
}

static bool collect_regions(struct lockstep *s)
{
	struct ir_fn *fn = s->fn;
	ir_for_order(fn, b) {
		if (!s->divergent[b])
			continue;
		uint32_t d = b;
		while (s->divergent[d] && d != fn->block[d].idom)
			d = fn->block[d].idom;
		for (uint32_t i = s->of[b].from; i < s->of[b].to; i++) {
			ir_id id = s->access[i].id;
			struct parts now = s->access[i].parts;
			if (fn->inst[id].op == IR_barrier)
				continue;
			bool exchange = exchanges(s, fn->block[b].loop), alone = exchange && !now.written && !now.changed;
			/* lanes in different turns of a loop are out of step by one access, too */
			bool turns = now.written && fn->block[b].loop != IR_NO_BLOCK && s->divergent[fn->block[b].loop] && !exchange;
			bool meets = !alone && hazard(&s->step[d], &now);
			add(&s->region[d], &now);
			if (!alone)
				add(&s->step[d], &now);
			if (turns || meets) {
				diag_emit(s->ctx->diag, DIAG_CROSS_LANE, fn->inst[id].addr,
				          "shared memory is exchanged between lanes in step, under a branch that lanes take differently");
				return false;
			}
		}
	}
	return true;
}

enum pass_result lockstep_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	uint32_t threads = fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
	if (fn->stage != STAGE_COMPUTE || threads < 2 || threads > fn->wave)
		return PASS_SAME;
	struct lockstep s = {.ctx = ctx, .fn = fn};
	s.used = fn->has[IR_atshared] ? find_used(ctx) : NULL;
	s.of = arena_array_raw(ctx->scratch, struct span, fn->nblock);
	if (!gather(&s))
		return PASS_SAME;
	s.in = arena_array(ctx->scratch, struct parts, fn->nblock + 1u);
	s.region = arena_array(ctx->scratch, struct parts, fn->nblock + 1u);
	s.step = arena_array(ctx->scratch, struct parts, fn->nblock + 1u);
	s.exchange = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	s.divergent = uniform_split_blocks(ctx, ctx->divergent, ctx->ndivergent);
	cfg_loops(fn);
	if (!collect_regions(&s))
		return PASS_REFUSED;
	for (bool again = true; again;) {
		again = false;
		ir_for_order(fn, b) {
			/* a divergent region's accesses are pending at its join: carried by its uniform dominator */
			struct parts out = s.divergent[b] ? s.in[b] : walk(&s, b, s.in[b], false);
			for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
				again |= add(&s.in[fn->block[b].succ[k]], &out);
			}
		}
	}
	ir_for_order(fn, b)
		if (!s.divergent[b])
			walk(&s, b, s.in[b], true);
	diag_remark(ctx->diag, "lockstep", DIAG_NO_ADDR, "a workgroup of one wave: barriers put back around shared memory");
	return PASS_CHANGED;
}
