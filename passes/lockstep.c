/* lockstep.c - a workgroup of one wave needs no barriers on the guest; on a host with smaller subgroups it does.
 *
 * Compilers drop the barriers of a workgroup that fits in one wave: its lanes step together, so a store to shared memory is
 * seen by every lane's next load. Here a barrier is put back between shared accesses of which one is a store:
 *
 *     stshared true, %a, %x              stshared true, %a, %x
 *     %y = ldshared true, %b      =>     barrier group, group, shared
 *                                        %y = ldshared true, %b
 *
 * A barrier must be reached by all lanes. Accesses under a divergent branch get theirs before the branch; when the accesses
 * within one such region depend on each other, the program is refused; but for a loop that changes a word by compare and
 * exchange (exchange.c), which is one change of it for each lane.
 */
#include "exchange.h"
#include "pass.h"
#include "uniform.h"

enum { READ = 1, WRITE = 2 };

struct lockstep {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	const uint8_t *divergent; /* block lies under a divergent branch */
	uint8_t *in;          /* accesses that may be pending at a uniform block's start */
	uint8_t *region;      /* accesses under the divergent branch that ends a uniform block */
	uint32_t *region_ops; /* how many */
	uint8_t *exchange;    /* of a loop's header: 1 a loop that exchanges a word (exchange.h), 2 another; 0 not asked yet */
};

static unsigned access_of(const struct ir_inst *i)
{
	switch (i->op) {
	case IR_ldshared: return READ;
	case IR_stshared: return WRITE;
	case IR_atshared: return READ | WRITE;
	default: return 0;
	}
}

static bool hazard(unsigned pending, unsigned now)
{
	return (now & READ && pending & WRITE) || (now & WRITE && pending);
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

/* Pending accesses at the end of uniform block b; inserts barriers when `insert`. */
static unsigned walk(struct lockstep *s, uint32_t b, unsigned pending, bool insert)
{
	struct ir_fn *fn = s->fn;
	ir_for_insts(fn, b, id) {
		unsigned now = access_of(&fn->inst[id]);
		if (fn->inst[id].op == IR_barrier)
			pending = 0;
		if (!now)
			continue;
		if (hazard(pending, now)) {
			if (insert)
				put_barrier(s, id);
			pending = 0;
		}
		pending |= now;
	}
	if (s->region[b]) {
		if (hazard(pending, s->region[b])) {
			if (insert)
				put_barrier(s, fn->block[b].last);
			pending = 0;
		}
		pending |= s->region[b];
	}
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

static bool collect_regions(struct lockstep *s)
{
	struct ir_fn *fn = s->fn;
	ir_for_order(fn, b) {
		if (!s->divergent[b])
			continue;
		uint32_t d = b;
		while (s->divergent[d] && d != fn->block[d].idom)
			d = fn->block[d].idom;
		ir_for_insts(fn, b, id) {
			unsigned now = access_of(&fn->inst[id]);
			if (!now)
				continue;
			bool exchange = exchanges(s, fn->block[b].loop);
			s->region[d] |= (uint8_t)now;
			s->region_ops[d] += !exchange || now & WRITE;
			/* lanes in different turns of a loop are out of step by one access, too */
			bool turns = now & WRITE && fn->block[b].loop != IR_NO_BLOCK && s->divergent[fn->block[b].loop] && !exchange;
			if (turns || (s->region[d] & WRITE && s->region_ops[d] > 1)) {
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
	unsigned any = 0;
	if (fn->stage != STAGE_COMPUTE || threads < 2 || threads > fn->wave)
		return PASS_SAME;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			any |= access_of(&fn->inst[id]);
	if (!(any & WRITE))
		return PASS_SAME;
	struct lockstep s = {.ctx = ctx, .fn = fn};
	s.in = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	s.region = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	s.region_ops = arena_array(ctx->scratch, uint32_t, fn->nblock + 1u);
	s.exchange = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	s.divergent = uniform_split_blocks(ctx, ctx->divergent, ctx->ndivergent);
	cfg_loops(fn);
	if (!collect_regions(&s))
		return PASS_REFUSED;
	for (bool again = true; again;) {
		again = false;
		ir_for_order(fn, b) {
			/* a divergent region's accesses are pending at its join: carried by its uniform dominator */
			unsigned out = s.divergent[b] ? s.in[b] : walk(&s, b, s.in[b], false);
			for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
				uint8_t *in = &s.in[fn->block[b].succ[k]];
				if ((*in | out) != *in) {
					*in |= (uint8_t)out;
					again = true;
				}
			}
		}
	}
	ir_for_order(fn, b)
		if (!s.divergent[b])
			walk(&s, b, s.in[b], true);
	diag_remark(ctx->diag, "lockstep", DIAG_NO_ADDR, "a workgroup of one wave: barriers put back around shared memory");
	return PASS_CHANGED;
}
