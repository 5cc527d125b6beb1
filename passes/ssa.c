/* ssa.c - markers to values, after Braun et al. 2013: local value numbering, operands looked up on demand, trivial phis gone.
 *
 * Also repairs SSA: a pass that breaks dominance stores the value to a fresh marker (mset) where it is defined, reads it
 * (mget) where it is needed, and runs this again. Existing values and phis stay.
 *
 * Before                         After
 *   b0: mset v0, %1                b0: brc %c, b1, b2
 *       brc %c, b1, b2             b1: br b2
 *   b1: mset v0, %2                b2: %4 = phi [b0: %1] [b1: %2]
 *       br b2                          use %4
 *   b2: %3 = mget v0
 *       use %3
 *
 * Registers are few hundreds and blocks thousands, so no array is blocks x markers: one sweep over the code records, per
 * marker, the last write of each block and the reads that the block's own writes do not serve. Then marker by marker, over
 * per-block scratch that is stamped and not cleared, each such read is looked up: a lookup walks up the dominator tree to a write
 * or to a join where writes meet (their dominance frontiers). Such a join becomes a *candidate*, and candidates are thinned out
 * before any phi is made: a candidate whose operands are one value or itself is that value. A phi is made only where a read
 * reaches it, so there are no phis for markers that are dead there.
 *
 * The sweep also checks the rules that hold of a lifted instruction's reads and writes (markers.c).
 *
 * A read that no write reaches is `undef`; a remark says so, unless the value is only kept in inactive lanes by a masked write.
 *
 * What only stands for another value is looked through, too: half of a lifted program's values are what guest registers and masks
 * are made of. So much is dead then that values are put in the place of reads on the walk that finds what is needed (dce.h), and
 * only that stays. A repair only puts values in the place of reads: its caller holds ids.
 */
#include "dce.h"
#include "markers.h"

#include <string.h>

enum pass_result ssa_run(struct pass_ctx *ctx);

/* A reference to a value: an id, or candidate index | CANDIDATE. */
#define CANDIDATE 0x80000000u
struct record {
	uint32_t block;
	ir_id id;      /* reads: the mget; writes: the value */
	uint32_t next; /* of the same marker, 0: none */
};
struct list {
	uint32_t first, last; /* records */
};
/* What is known of a marker on the sweep, and the records that it leaves, in the order of blocks. */
struct sight {
	uint32_t block; /* + 1: that it was seen in last, ... */
	ir_id now;      /* ... what it is there, 0: not known ... */
	bool wrote;     /* ... and was it written? */
	struct marker_written last;
	struct list reads, writes;
};
struct unwritten { uint32_t marker; ir_id id; };
/* What is known of a block for the marker that is looked at: stamps are that marker + 1. */
struct place {
	uint32_t written, out; /* stamp, and the value at the block's end */
	uint32_t asked, in;    /* stamp, and what it was found to be at the start, 0: several values may meet there, or it is the entry */
	uint32_t idom;
};
struct candidate {
	uint32_t block, first_op; /* operands: ops[first_op..], one per predecessor */
	uint32_t same;            /* what it was found equal to, or itself */
	ir_id phi;
};
struct ssa {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	ir_id *map;               /* as of ir_map_new, from before phis were made: what stands in the place of reads */
	ir_id *alias;             /* what may only stand for another value, in the order of execution */
	uint32_t nalias;
	struct record *record;    /* from 1 */
	uint32_t nrecord;         /* the last one */
	size_t record_cap;
	struct sight *sight;      /* per marker */
	uint32_t *used, nused;    /* markers that are read or written */
	struct unwritten *unwritten; /* reads of markers that some path does not write */
	uint32_t nunwritten;
	size_t unwritten_cap;
	struct place *place;      /* per block */
	uint32_t *frontier, *list; /* blocks where the values of block b meet others: list[frontier[b] .. frontier[b + 1]] */
	uint32_t *work;           /* blocks */
	bool far;                 /* frontiers are too many to be listed: values may meet at any join */
	struct candidate *cand;
	uint32_t ncand;
	size_t cand_cap;
	uint32_t *ops;
	uint32_t nops;
	size_t ops_cap;
	bool unserved;            /* there are reads that their own blocks do not serve */
	bool repair;              /* markers are a pass's own, not registers */
	ir_id undef;              /* of the current marker, 0 until asked for */
};

static __attribute__((noinline)) void more(struct ssa *s)
{
	s->record = arena_grow_raw(s->ctx->scratch, s->record, s->record_cap, &s->record_cap, s->nrecord + 64,
	                           sizeof(*s->record));
}

static inline void record(struct ssa *s, struct list *l, uint32_t block, ir_id id)
{
	uint32_t at = ++s->nrecord;

	if (at >= s->record_cap)
		more(s);
	s->record[at] = (struct record){ block, id, 0 };
	*(l->last ? &s->record[l->last].next : &l->first) = at;
	l->last = at;
}

#define for_records(s, l, q) \
	for (const struct record *q = &(s)->record[(l)->first]; q != (s)->record; q = &(s)->record[q->next])

/* A read or write. False after a diagnostic. */
static inline bool look_at(struct ssa *s, struct sight *at, uint32_t m, uint32_t b, uint32_t chain, ir_id id)
{
	const struct ir_inst *in = &s->fn->inst[id];

	if (in->op == IR_mset) {
		at->now = in->a[0];
		at->wrote = true;
		at->last = (struct marker_written){ chain, in->addr };
		return true;
	}
	if (!s->repair && markers_early(&at->last, chain, in->addr)) {
		markers_refuse_early(s->ctx, in->addr, m);
		return false;
	}
	if (at->now) {
		s->map[id] = at->now;
	} else {
		record(s, &at->reads, b, id);
		s->unserved = true;
		at->now = id;
	}
	return true;
}

/* One sweep: reads that a write or an earlier read of the block serves are mapped at once, the rest is recorded. */
static bool scan_blocks(struct ssa *s)
{
	enum { ALIAS = 1, REGISTER = 2 };
	static const uint8_t looks[IR_OP_COUNT] = { [IR_select] = ALIAS, [IR_bitcast] = ALIAS, [IR_mget] = REGISTER, [IR_mset] = REGISTER };
	struct ir_fn *fn = s->fn;
	uint32_t nm = fn->nmarker, ntouched = 0;
	struct sight *sight = s->sight = arena_array(s->ctx->scratch, struct sight, nm + 1);
	uint32_t *touched = arena_array_raw(s->ctx->scratch, uint32_t, nm + 1), *chain = markers_chains(s->ctx);
	ir_id *seen = arena_array_raw(s->ctx->scratch, ir_id, fn->ninst), *alias = arena_array_raw(s->ctx->scratch, ir_id, fn->ninst);
	const struct ir_inst *inst = fn->inst, *in;

	s->alias = alias;
	s->used = arena_array_raw(s->ctx->scratch, uint32_t, nm + 1);
	ir_for_order(fn, b) {
		ir_id *end = seen;
		ntouched = 0;
		s->repair |= inst[fn->block[b].first].op == IR_phi;
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			unsigned look = looks[in->op];
			*alias = *end = id;
			alias += look & ALIAS;
			end += look / REGISTER;
		}
		for (const ir_id *id = seen; id < end; id++) {
			in = &inst[*id];
			if (in->imm >= nm) {
				markers_refuse_unknown(s->ctx, in);
				return false;
			}
			uint32_t m = (uint32_t)in->imm;
			if (sight[m].block != b + 1) {
				if (!sight[m].block)
					s->used[s->nused++] = m;
				sight[m].block = b + 1;
				sight[m].now = 0;
				sight[m].wrote = false;
				touched[ntouched++] = m;
			}
			if (!look_at(s, &sight[m], m, b, chain[b], *id))
				return false;
		}
		for (uint32_t i = 0; i < ntouched; i++)
			if (sight[touched[i]].wrote)
				record(s, &sight[touched[i]].writes, b, sight[touched[i]].now);
	}
	s->nalias = (uint32_t)(alias - s->alias);
	return true;
}

/* ---- where writes meet */
/* Walks from the predecessors of joins up to what dominates them. Without a list: counts, per block, in the element behind it. */
static bool walk_frontiers(struct ssa *s, uint32_t *met, uint32_t limit)
{
	struct ir_fn *fn = s->fn;
	uint32_t total = 0;

	ir_for_order(fn, b)
		for (uint32_t p = 0; fn->block[b].npred > 1 && p < fn->block[b].npred; p++)
			for (uint32_t at = fn->block[b].pred[p]; at != fn->block[b].idom; at = fn->block[at].idom) {
				if (met[at] == b + 1) /* from another predecessor */
					break;
				met[at] = b + 1;
				if (++total > limit)
					return false;
				if (s->list)
					s->list[s->frontier[at]++] = b;
				else
					s->frontier[at + 1]++;
			}
	return true;
}

static void find_frontiers(struct ssa *s)
{
	enum { PER_BLOCK = 16 };
	uint32_t n = s->fn->nblock;
	struct arena *a = s->ctx->scratch;
	uint32_t *met = arena_array(a, uint32_t, n);

	s->work = arena_array_raw(a, uint32_t, n);
	s->frontier = arena_array(a, uint32_t, n + 2) + 1;
	s->far = !walk_frontiers(s, met, n * PER_BLOCK);
	if (s->far)
		return;
	for (uint32_t b = 0; b < n; b++)
		s->frontier[b + 1] += s->frontier[b];
	s->list = arena_array_raw(a, uint32_t, s->frontier[n] + 1);
	memset(met, 0, n * sizeof *met);
	walk_frontiers(s, met, n * PER_BLOCK);
	s->frontier--; /* each start has moved to the end, which is the next one's start */
}

/* Marks the joins where values of the current marker meet. */
static void mark_meets(struct ssa *s, uint32_t m)
{
	uint32_t n = 0;

	if (s->far)
		return;
	for_records(s, &s->sight[m].writes, w)
		s->work[n++] = w->block;
	while (n) {
		uint32_t b = s->work[--n];
		for (uint32_t i = s->frontier[b]; i < s->frontier[b + 1]; i++) {
			struct place *at = &s->place[s->list[i]];
			if (at->asked != m + 1 && at->written != m + 1)
				s->work[n++] = s->list[i];
			at->asked = m + 1;
			at->in = 0;
		}
	}
}

/* ---- lookups */
/* The marker at the start of `b`, which several values may reach, or none. */
static uint32_t meet(struct ssa *s, uint32_t m, uint32_t b)
{
	if (b != s->fn->entry) {
		s->cand = arena_grow_raw(s->ctx->scratch, s->cand, s->ncand, &s->cand_cap, s->ncand + 1, sizeof(*s->cand));
		s->cand[s->ncand] = (struct candidate){ b, 0, s->ncand | CANDIDATE, 0 };
		return s->ncand++ | CANDIDATE;
	}
	if (!s->undef)
		s->undef = ir_undef(s->fn, s->fn->marker[m].type);
	return s->undef;
}

/* The same of any block: what it is at the end of the immediate dominator, if nothing else is known. Remembers it all along the way up,
 * so that no stretch is walked twice. */
static __attribute__((noinline)) uint32_t walk_up(struct ssa *s, uint32_t m, uint32_t b)
{
	struct place *place = s->place;
	uint32_t at = b, ref = 0;

	while (place[at].asked != m + 1 && !(s->far && s->fn->block[at].npred > 1)) {
		uint32_t above = place[at].idom;
		if (place[above].written == m + 1) {
			ref = place[above].out;
			break;
		}
		at = above;
	}
	if (!ref && place[at].asked == m + 1)
		ref = place[at].in;
	if (!ref)
		ref = meet(s, m, at);
	for (;; b = place[b].idom) {
		place[b].asked = m + 1;
		place[b].in = ref;
		if (b == at)
			break;
	}
	return ref;
}

/* The value of the current marker at the start of `b`: an id or a candidate. */
static inline uint32_t look_up(struct ssa *s, uint32_t m, uint32_t b)
{
	return s->place[b].asked == m + 1 && s->place[b].in ? s->place[b].in : walk_up(s, m, b);
}

static inline uint32_t look_up_out(struct ssa *s, uint32_t m, uint32_t b)
{
	const struct place *at = &s->place[b];

	return at->written == m + 1 ? at->out : look_up(s, m, b);
}

/* What a candidate was found equal to in the end. */
static uint32_t find_same(struct ssa *s, uint32_t ref)
{
	uint32_t root = ref;

	while ((root & CANDIDATE) && s->cand[root & ~CANDIDATE].same != root)
		root = s->cand[root & ~CANDIDATE].same;
	while ((ref & CANDIDATE) && ref != root) {
		uint32_t next = s->cand[ref & ~CANDIDATE].same;
		s->cand[ref & ~CANDIDATE].same = root;
		ref = next;
	}
	return root;
}

static inline uint32_t find(struct ssa *s, uint32_t ref)
{
	if (ref & CANDIDATE)
		ref = find_same(s, ref);
	return !(ref & CANDIDATE) && ir_map_has(s->map, ref) ? ir_map_end(s->map, ref) : ref; /* reads may be served already */
}

/* Operands of all candidates; looking them up finds further candidates. */
static void fill_candidates(struct ssa *s, uint32_t m)
{
	for (uint32_t i = 0; i < s->ncand; i++) {
		const struct ir_block *blk = &s->fn->block[s->cand[i].block];
		s->cand[i].first_op = s->nops;
		s->ops = arena_grow_raw(s->ctx->scratch, s->ops, s->nops, &s->ops_cap, s->nops + blk->npred, sizeof(*s->ops));
		s->nops += blk->npred;
		for (uint32_t p = 0; p < blk->npred; p++) {
			uint32_t ref = look_up_out(s, m, blk->pred[p]);
			s->ops[s->cand[i].first_op + p] = ref;
		}
	}
}

/* Candidates were found from the reads upwards: last first, a join's operands are settled before it, but for those of loops. */
static void thin_candidates(struct ssa *s)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = s->ncand; i-- > 0;) {
			uint32_t self = i | CANDIDATE, only = 0;
			if (s->cand[i].same != self)
				continue;
			uint32_t n = s->fn->block[s->cand[i].block].npred, p;
			for (p = 0; p < n; p++) {
				uint32_t ref = find(s, s->ops[s->cand[i].first_op + p]);
				if (ref == self || ref == only)
					continue;
				if (only)
					break;
				only = ref;
			}
			if (p < n || !only)
				continue;
			s->cand[i].same = only;
			changed = true;
		}
	}
}

static ir_id value_of(struct ssa *s, uint32_t ref)
{
	ref = find(s, ref);
	return ref & CANDIDATE ? s->cand[ref & ~CANDIDATE].phi : ref;
}

static void make_phis(struct ssa *s, uint32_t m)
{
	struct ir_fn *fn = s->fn;

	for (uint32_t i = 0; i < s->ncand; i++)
		if (s->cand[i].same == (i | CANDIDATE))
			s->cand[i].phi = ir_phi(fn, s->cand[i].block, fn->marker[m].type);
	for (uint32_t i = 0; i < s->ncand; i++) {
		if (!s->cand[i].phi)
			continue;
		uint32_t n = fn->block[s->cand[i].block].npred;
		for (uint32_t p = 0; p < n; p++)
			ir_phi_add(fn, s->cand[i].phi, value_of(s, s->ops[s->cand[i].first_op + p]));
	}
}

/* A masked write keeps the old register in inactive lanes: select(mask, new, old). That alone is no use worth a remark. */
static void remark_undef(struct ssa *s, const uint8_t *needed)
{
	uint32_t told = UINT32_MAX;

	for (const struct unwritten *u = s->unwritten, *end = u + s->nunwritten; u < end; u++) {
		const struct ir_marker *mk = &s->fn->marker[u->marker];
		if (u->marker == told || !needed[u->id])
			continue;
		told = u->marker;
		diag_number(s->ctx->diag, "ssa", s->fn->inst[u->id].addr,
			s->fn->files && s->fn->files[mk->file] ? s->fn->files[mk->file] : "r", mk->index,
			"may be read before it is written: its value is undefined");
	}
}

static void note_unwritten(struct ssa *s, uint32_t m, ir_id id)
{
	s->unwritten = arena_grow_raw(s->ctx->scratch, s->unwritten, s->nunwritten, &s->unwritten_cap, s->nunwritten + 1u,
	                              sizeof(*s->unwritten));
	s->unwritten[s->nunwritten++] = (struct unwritten){ m, id };
}

static void one_marker(struct ssa *s, uint32_t m)
{
	const struct sight *of = &s->sight[m];

	if (!of->reads.first)
		return;
	for_records(s, &of->writes, w) {
		s->place[w->block].written = m + 1;
		s->place[w->block].out = w->id;
	}
	s->place[s->fn->entry].asked = m + 1;
	s->place[s->fn->entry].in = 0;
	mark_meets(s, m);
	s->ncand = s->nops = 0;
	s->undef = 0;
	for_records(s, &of->reads, q)
		look_up(s, m, q->block);
	fill_candidates(s, m);
	thin_candidates(s);
	make_phis(s, m);
	for_records(s, &of->reads, q) {
		if (s->undef)
			note_unwritten(s, m, q->id);
		s->map[q->id] = value_of(s, s->place[q->block].in);
	}
}

/* A choice that is made is that value; a register of bits that a float was written to is, read as a float, that float. 0: it is not
 * known to be another value. */
static ir_id stands_for(struct ssa *s, const struct ir_inst *in)
{
	const struct ir_inst *inst = s->fn->inst, *from = &inst[ir_map_end(s->map, in->a[0])];

	if (in->op == IR_select)
		return from->op == IR_const ? in->a[from->imm ? 1 : 2] : 0;
	return from->op == IR_bitcast && inst[ir_map_end(s->map, from->a[0])].type == in->type ? from->a[0] : 0;
}

/* Values for reads, and what nothing needs then is gone. */
static void finish(struct ssa *s)
{
	struct arena *a = s->ctx->scratch;
	struct dce d = { .fn = s->fn, .map = s->map };

	if (s->nunwritten)
		d.asked = arena_array(a, uint8_t, s->map[-IR_MAP_HEAD]);
	for (uint32_t i = 0; i < s->nalias; i++) {
		ir_id value = stands_for(s, &s->fn->inst[s->alias[i]]);
		s->map[s->alias[i]] = value;
		if (d.asked && value < s->map[-IR_MAP_HEAD])
			d.asked[value] = 1; /* its users ask for that */
	}
	dce_mark(&d, a);
	remark_undef(s, d.asked);
	dce_remove(&d);
}

static void finish_repair(struct ssa *s)
{
	struct ir_fn *fn = s->fn;

	if (!s->map)
		return;
	ir_map_apply(fn, s->map);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_mget || fn->inst[id].op == IR_mset)
				ir_remove(fn, id);
}

/* A loop to the first instruction: operands of its phis need an edge for the values at entry. */
static void own_entry(struct ir_fn *fn)
{
	uint32_t old = fn->entry, at = fn->at;

	if (!fn->block[old].npred)
		return;
	fn->entry = ir_block_new(fn);
	fn->at = fn->entry;
	fn->block[fn->entry].addr = fn->block[old].addr;
	ir_br(fn, old);
	fn->at = at;
}

static void serve_reads(struct ssa *s)
{
	s->place = arena_array(s->ctx->scratch, struct place, s->fn->nblock);
	for (uint32_t b = 0; b < s->fn->nblock; b++)
		s->place[b].idom = s->fn->block[b].idom;
	find_frontiers(s);
	for (uint32_t i = 0; i < s->nused; i++)
		one_marker(s, s->used[i]);
}

/* False after a diagnostic. */
static bool serve(struct ssa *s)
{
	s->map = ir_map_new(s->ctx->scratch, s->fn);
	if (!scan_blocks(s))
		return false;
	if (s->repair)
		for (s->nused = 0; s->nused < s->fn->nmarker; s->nused++)
			s->used[s->nused] = s->nused;
	else if (!markers_sort(s->ctx, s->used, s->nused))
		return false;
	if (s->unserved)
		serve_reads(s);
	return true;
}

static enum pass_result construct(struct pass_ctx *ctx, bool repair)
{
	struct ir_fn *fn = ctx->fn;
	struct ssa s = { .ctx = ctx, .fn = fn, .repair = repair };

	own_entry(fn);
	cfg_order(fn);
	cfg_dominators(fn);
	fn->before = 0;
	if (fn->nmarker && !serve(&s))
		return PASS_REFUSED;
	if (s.repair)
		finish_repair(&s);
	else
		finish(&s);
	fn->nmarker = 0;
	fn->ssa = true;
	return PASS_CHANGED;
}

enum pass_result ssa_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;

	if (fn->nmarker) /* else the lifter settled all registers */
		fn->marker_high = fn->nmarker;
	diag_count(ctx->diag, "ssa", DIAG_NO_ADDR, fn->marker_high, "registers in use");
	return construct(ctx, false);
}

enum pass_result ssa_repair(struct pass_ctx *ctx)
{
	return construct(ctx, true);
}
