/* lift_call.c - calls, returns and scratch: follows what scalar registers hold, as far as that is code addresses, constants
 * and the descriptor of the wave's scratch.
 *
 *     s_getpc_b64 s[4:5]                        a called function is lifted again at each call, as if it stood there;
 *     s_add_u32 s4, s4, f - here          =>    its return is a branch to the instruction behind the call
 *     s_addc_u32 s5, s5, -1
 *     s_swappc_b64 s[30:31], s[4:5]
 *
 * A forward data-flow analysis over the decoded instructions: a register holds an unknown value where paths disagree. What it
 * finds decides which code runs, so it is proof, not a guess: a jump whose target is not known at the fixed point is refused.
 * Registers that functions keep in lanes of a VGPR (v_writelane), and such VGPRs kept in scratch while EXEC is all ones, are
 * followed as well. The same values say which buffer accesses are accesses of the lanes' scratch: those through the
 * descriptor that the ABI hands over, moved to the wave's part.
 *
 * Sources: LLVM's published "User Guide for AMDGPU Backend" (call convention, private segment buffer); RDNA2 ISA manual, buffer
 * addressing (swizzled: a lane's byte b stands at wave size times b / 4 dwords from the scalar offset).
 */
#include "lift_amd.h"

#include <string.h>

enum { MAX_DEPTH = 32, MAX_STATES = 1 << 14, KEPT = 96, EXEC = 126 };
enum kind { UNKNOWN, CONST, PC_LO, PC_HI, DESC, WAVE_OFFSET, PC_CARRY, DESC_CARRY };
enum { MOVED = 256 }; /* DESC: word number, and whether it was moved to the wave's part */

struct value { uint8_t kind; int64_t v; }; /* PC_*: byte offset in the code; PC_CARRY: low offset, addend << 32 */
/* where: 1 lane of a VGPR, 2 lane of a VGPR stored at a scratch offset. */
struct kept { uint8_t where, lane; uint32_t id; struct value v; };
struct state {
	struct value reg[LIFT_REGS], scc;
	uint32_t nkept;
	struct kept kept[KEPT]; /* in no order; what is left out is not known */
};

struct trace {
	struct amd_lift *l;
	struct lift_reach *q;
	struct state **in;      /* per slot that starts a block */
	uint32_t *work, n, nstate;
	size_t cap;
	uint8_t *queued;
	bool settled, more;     /* the fixed point is reached: collect; new calls or returns were found */
};

static const struct value unknown;

static struct value constant(uint32_t v) { return (struct value){ CONST, v }; }
static bool same(const struct value *a, const struct value *b) { return a->kind == b->kind && a->v == b->v; }

/* ---- operands */
static struct value scalar(const struct state *s, const struct amd_opnd *o, unsigned i)
{
	int reg = lift_regno(o);

	if (reg >= 0 && reg + (int)i < LIFT_REGS && reg != AMD_NULL)
		return s->reg[reg + (int)i];
	if (o->kind == AMD_K_INT || o->kind == AMD_K_LITERAL)
		return constant((uint32_t)(o->kind == AMD_K_INT ? o->value >> 32 * i : i ? 0 : o->value));
	if (reg == AMD_NULL)
		return constant(0);
	return unknown;
}

static void put(struct state *s, const struct amd_opnd *o, unsigned i, struct value v)
{
	int reg = lift_regno(o);

	if (reg >= 0 && reg + (int)i < LIFT_REGS && reg != AMD_NULL)
		s->reg[reg + (int)i] = v;
}

static void forget(struct state *s, unsigned where, uint32_t first, uint32_t n)
{
	for (uint32_t i = s->nkept; i-- > 0;)
		if (s->kept[i].where == where && s->kept[i].id - first < n)
			s->kept[i] = s->kept[--s->nkept];
}

static struct kept *find_kept(struct state *s, unsigned where, uint32_t id, unsigned lane)
{
	for (uint32_t i = 0; i < s->nkept; i++)
		if (s->kept[i].where == where && s->kept[i].id == id && s->kept[i].lane == lane)
			return &s->kept[i];
	return NULL;
}

static void keep(struct state *s, unsigned where, uint32_t id, unsigned lane, struct value v)
{
	struct kept *k = find_kept(s, where, id, lane);

	if (k)
		*k = s->kept[--s->nkept];
	if (v.kind != UNKNOWN && s->nkept < KEPT)
		s->kept[s->nkept++] = (struct kept){ (uint8_t)where, (uint8_t)lane, id, v };
}

/* ---- scratch */
/* A descriptor whose address words the ABI hands over, and whose others are constants: no bounds, elements of 4 bytes swizzled
 * over 64 lanes, a lane's number added (word 3: bits 20:19 are 1, 22:21 are 3, 23 is set). */
static bool is_built(const struct amd_lift *l, const struct value w[4])
{
	return l->gfx7 && w[0].kind == DESC && w[0].v == 0 && w[1].kind == DESC && w[1].v == 1 && w[2].kind == CONST &&
	       (uint32_t)w[2].v == UINT32_MAX && w[3].kind == CONST && (w[3].v >> 19 & 31) == 29;
}

/* The scalar offset of an access through the scratch descriptor, in bytes of a lane. The wave's part is in the descriptor's
 * address, or it is the scalar offset. */
static bool scratch_offset(const struct amd_lift *l, const struct state *s, const struct amd_inst *in, uint32_t *at)
{
	bool has = in->soffset.kind != AMD_K_NONE && in->soffset.kind != AMD_K_OFF;
	struct value off = has ? scalar(s, &in->soffset, 0) : constant(0), w[4];

	for (unsigned i = 0; i < 4; i++)
		w[i] = scalar(s, &in->sbase, i);
	bool built = is_built(l, w);
	for (unsigned i = 0; i < 4 && !built; i++)
		if (w[i].kind != DESC || (w[i].v & 255) != i || (i < 2 && !(w[i].v & MOVED)))
			return false;
	if (off.kind != (built ? WAVE_OFFSET : CONST) || off.v < 0 || off.v % (4 * (int64_t)l->wave) || in->idxen || in->addr64 || in->tfe || in->lds)
		return false;
	*at = (uint32_t)(off.v / l->wave);
	return true;
}

static bool full_exec(const struct amd_lift *l, const struct state *s)
{
	return s->reg[EXEC].kind == CONST && (uint32_t)s->reg[EXEC].v == UINT32_MAX &&
	       (l->wave == 32 || (s->reg[EXEC + 1].kind == CONST && (uint32_t)s->reg[EXEC + 1].v == UINT32_MAX));
}

/* VGPRs whose lanes hold scalars go to scratch and come back. */
static void scratch_move(const struct amd_lift *l, struct state *s, const struct amd_inst *in, bool store, uint32_t at)
{
	uint32_t n = store ? in->data[0].dwords : in->dst[0].dwords, to = at + (uint32_t)in->offset;
	bool exact = n == 1 && !in->offen && full_exec(l, s);
	uint32_t nold = exact ? s->nkept : 0;
	struct kept old[KEPT];

	memcpy(old, s->kept, nold * sizeof *old);
	if (!store) {
		for (uint32_t i = 0; i < nold; i++)
			if (old[i].where == 2 && old[i].id == to)
				keep(s, 1, in->dst[0].index, old[i].lane, old[i].v); /* the VGPR itself was forgotten before */
		return;
	}
	if (in->offen) /* anywhere in the lane's scratch */
		forget(s, 2, 0, UINT32_MAX);
	else
		forget(s, 2, to - 3, 4 * n + 3);
	for (uint32_t i = 0; i < nold; i++)
		if (old[i].where == 1 && old[i].id == in->data[0].index)
			keep(s, 2, to, old[i].lane, old[i].v);
}

static void memory(struct trace *t, struct state *s, const struct amd_inst *in, uint32_t slot)
{
	uint32_t at = 0;

	if (in->enc != AMD_ENC_MUBUF && in->enc != AMD_ENC_SCRATCH && in->enc != AMD_ENC_FLAT && in->enc != AMD_ENC_MTBUF)
		return;
	bool store = in->data[0].kind != AMD_K_NONE, scratch = in->enc == AMD_ENC_MUBUF && scratch_offset(t->l, s, in, &at);
	if (scratch)
		scratch_move(t->l, s, in, store, at);
	else if (store) /* may be scratch by another way */
		forget(s, 2, 0, UINT32_MAX);
	if (t->settled && scratch)
		t->q->mark[slot] = at + 1;
}

/* ---- scalar arithmetic */
static void add(struct state *s, const struct amd_inst *in)
{
	struct value a = scalar(s, &in->src[0], 0), b = scalar(s, &in->src[1], 0), d = unknown, carry = unknown;

	if (a.kind == CONST && b.kind != CONST) {
		struct value c = a;
		a = b;
		b = c;
	}
	if (a.kind == CONST && b.kind == CONST)
		d = constant((uint32_t)a.v + (uint32_t)b.v);
	else if (a.kind == PC_LO && b.kind == CONST) {
		d = (struct value){ PC_LO, (uint32_t)(a.v + b.v) };
		carry = (struct value){ PC_CARRY, (int64_t)((uint64_t)(uint32_t)a.v | (uint64_t)b.v << 32) };
	} else if ((a.kind == DESC && a.v == 0 && b.kind == WAVE_OFFSET && !b.v) || (b.kind == DESC && b.v == 0 && a.kind == WAVE_OFFSET && !a.v)) {
		d = (struct value){ DESC, MOVED };
		carry = (struct value){ DESC_CARRY, 0 };
	} else if (a.kind == WAVE_OFFSET && b.kind == CONST) {
		d = (struct value){ WAVE_OFFSET, a.v + (int32_t)b.v };
	}
	put(s, &in->dst[0], 0, d);
	s->scc = in->op == AMD_s_add_u32_SOP2 ? carry : unknown;
}

static void add_carry(struct state *s, const struct amd_inst *in)
{
	struct value a = scalar(s, &in->src[0], 0), b = scalar(s, &in->src[1], 0), d = unknown;

	if (a.kind == CONST) {
		struct value c = a;
		a = b;
		b = c;
	}
	if (b.kind == CONST && a.kind == PC_HI && s->scc.kind == PC_CARRY && (uint32_t)a.v == (uint32_t)s->scc.v)
		d = (struct value){ PC_HI, (int64_t)((uint64_t)a.v + ((uint64_t)s->scc.v >> 32) + ((uint64_t)b.v << 32)) };
	else if (b.kind == CONST && !b.v && a.kind == DESC && a.v == 1 && s->scc.kind == DESC_CARRY)
		d = (struct value){ DESC, 1 | MOVED };
	put(s, &in->dst[0], 0, d);
	s->scc = unknown;
}

static void set_pc(struct state *s, const struct amd_inst *in)
{
	int64_t next = (int64_t)in->offset_in_code + in->length;

	put(s, &in->dst[0], 0, (struct value){ PC_LO, (uint32_t)next });
	put(s, &in->dst[0], 1, (struct value){ PC_HI, next });
}

/* Scalar instructions whose results are followed. False: not one of them. */
static bool followed(struct state *s, const struct amd_inst *in)
{
	struct value v[2];

	switch (in->op) {
	case AMD_s_mov_b32_SOP1: case AMD_s_mov_b64_SOP1:
		for (unsigned i = 0; i < 2; i++)
			v[i] = scalar(s, &in->src[0], i);
		for (unsigned i = 0; i < in->dst[0].dwords && i < 2; i++)
			put(s, &in->dst[0], i, v[i]);
		return true;
	case AMD_s_movk_i32_SOPK: put(s, &in->dst[0], 0, constant((uint32_t)(int16_t)in->simm16)); return true;
	case AMD_s_addk_i32_SOPK:
		v[0] = scalar(s, &in->dst[0], 0);
		put(s, &in->dst[0], 0, v[0].kind == CONST ? constant((uint32_t)v[0].v + (uint32_t)(int16_t)in->simm16) : unknown);
		s->scc = unknown;
		return true;
	case AMD_s_add_u32_SOP2: case AMD_s_add_i32_SOP2: add(s, in); return true;
	case AMD_s_sub_u32_SOP2: case AMD_s_sub_i32_SOP2:
		v[0] = scalar(s, &in->src[0], 0);
		v[1] = scalar(s, &in->src[1], 0);
		put(s, &in->dst[0], 0, v[0].kind == CONST && v[1].kind == CONST ? constant((uint32_t)v[0].v - (uint32_t)v[1].v) : unknown);
		s->scc = unknown;
		return true;
	case AMD_s_addc_u32_SOP2: add_carry(s, in); return true;
	case AMD_s_getpc_b64_SOP1: case AMD_s_swappc_b64_SOP1: case AMD_s_call_b64_SOPK: set_pc(s, in); return true;
	case AMD_s_setpc_b64_SOP1: return true;
	default: return false;
	}
}

static void forget_results(struct state *s, const struct amd_inst *in)
{
	void (*fn)(struct amd_lift *, const struct lift_row *) = lift_rows[in->op].fn;

	if (!fn || strstr(amd_mnemonic(in->op), "movrel") || strstr(amd_mnemonic(in->op), "swap")) /* any register */
		memset(s, 0, sizeof *s);
	for (unsigned k = 0; k < 2; k++) {
		const struct amd_opnd *o = &in->dst[k];
		if (o->kind == AMD_K_VGPR)
			forget(s, 1, o->index, o->dwords);
		for (unsigned i = 0; i < o->dwords; i++)
			put(s, o, i, unknown);
	}
	if ((in->flags & AMD_F_CMPX) || fn == lift_s_saveexec)
		s->reg[EXEC] = s->reg[EXEC + 1] = unknown;
	if (in->enc == AMD_ENC_SOP1 || in->enc == AMD_ENC_SOP2 || in->enc == AMD_ENC_SOPC || in->enc == AMD_ENC_SOPK)
		s->scc = unknown;
}

static bool is_pc(struct value v) { return v.kind == PC_LO || v.kind == PC_HI; }

/* Return addresses that wait in lanes of a VGPR are not written there (see lift_traced): nothing else may read that register. */
static bool reads(const struct amd_opnd *o, uint32_t vgpr)
{
	return o->kind == AMD_K_VGPR && vgpr - o->index < o->dwords;
}

static void check_reads(struct trace *t, const struct state *s, const struct amd_inst *in)
{
	bool memory = amd_has_memory(in);

	for (uint32_t i = 0; i < s->nkept; i++) {
		uint32_t n = s->kept[i].id;
		bool read = memory && reads(&in->addr, n);
		if (s->kept[i].where != 1 || !is_pc(s->kept[i].v))
			continue;
		for (unsigned k = 0; k < 4; k++)
			read |= reads(&in->src[k], n) || (memory && k < 2 && reads(&in->data[k], n));
		for (unsigned k = 0; k < in->nnsa; k++)
			read |= in->nsa[k] == n;
		read |= (in->flags & AMD_F_ACC) && reads(&in->dst[0], n);
		if (read)
			lift_fail(t->l, DIAG_UNLIFTED, in->offset_in_code, "%s: reads a register that holds return addresses",
				  amd_mnemonic(in->op));
	}
}

static uint32_t pc_mark(struct value v)
{
	return is_pc(v) ? (uint32_t)v.v * 2 + (v.kind == PC_HI) + 1 : 0;
}

static void step(struct trace *t, struct state *s, const struct amd_inst *in, uint32_t slot)
{
	void (*fn)(struct amd_lift *, const struct lift_row *) = lift_rows[in->op].fn;
	struct value a = scalar(s, &in->src[0], 0), n = scalar(s, &in->src[1], 0);
	unsigned lane = (unsigned)n.v & (t->l->wave - 1);

	if (followed(s, in))
		return;
	if (fn == lift_v_readlane && in->src[0].kind == AMD_K_VGPR && n.kind == CONST) {
		const struct kept *k = find_kept(s, 1, in->src[0].index, lane);
		a = k ? k->v : unknown;
		put(s, &in->dst[0], 0, a);
		if (t->settled)
			t->q->mark[slot] = pc_mark(a);
		return;
	}
	if (fn == lift_v_writelane && in->dst[0].kind == AMD_K_VGPR && n.kind == CONST) {
		keep(s, 1, in->dst[0].index, lane, a);
		if (t->settled)
			t->q->mark[slot] = pc_mark(a);
		return;
	}
	if (t->settled && !(in->enc == AMD_ENC_MUBUF && full_exec(t->l, s)))
		check_reads(t, s, in);
	forget_results(s, in);
	if ((in->op == AMD_s_or_saveexec_b64_SOP1 || in->op == AMD_s_or_saveexec_b32_SOP1) && in->src[0].kind == AMD_K_INT &&
	    (uint32_t)a.v == UINT32_MAX)
		s->reg[EXEC] = s->reg[EXEC + 1] = constant(UINT32_MAX);
	memory(t, s, in, slot);
}

/* ---- flow */
static void flow(struct trace *t, struct state *s, uint32_t to)
{
	bool changed = false;

	if (!t->in[to]) {
		if (++t->nstate > MAX_STATES) {
			lift_fail(t->l, DIAG_TOO_LARGE, to % t->l->words * 4, "more than %d blocks in a program with calls", MAX_STATES);
			return;
		}
		t->in[to] = arena_new(t->l->ctx->scratch, struct state);
		*t->in[to] = *s;
		changed = true;
	} else {
		struct state *d = t->in[to];
		for (unsigned i = 0; i <= LIFT_REGS; i++) {
			struct value *a = i < LIFT_REGS ? &d->reg[i] : &d->scc;
			const struct value *b = i < LIFT_REGS ? &s->reg[i] : &s->scc;
			if (a->kind != UNKNOWN && !same(a, b)) {
				*a = unknown;
				changed = true;
			}
		}
		for (uint32_t i = d->nkept; i-- > 0;) {
			const struct kept *now = &d->kept[i], *k = find_kept(s, now->where, now->id, now->lane);
			if (k && same(&k->v, &now->v))
				continue;
			d->kept[i] = d->kept[--d->nkept];
			changed = true;
		}
	}
	if (!changed || t->queued[to])
		return;
	t->queued[to] = 1;
	t->work = arena_grow(t->l->ctx->scratch, t->work, t->n, &t->cap, t->n + 1u, sizeof *t->work);
	t->work[t->n++] = to;
}

/* A function is called: the call that stands for it, new unless it was seen. Its body starts with slot * words. */
static uint32_t enter(struct trace *t, uint32_t call, uint32_t entry, uint32_t back)
{
	struct lift_reach *q = t->q;

	for (uint32_t c = call;; c = q->call[c].parent) {
		if (q->call[c].entry == entry) {
			lift_fail(t->l, DIAG_RECURSION, back - 4, "the function at 0x%x calls itself", entry);
			return 0;
		}
		if (!c)
			break;
	}
	if (q->call[call].depth == MAX_DEPTH || !lift_reach_more(t->l)) {
		lift_fail(t->l, DIAG_TOO_LARGE, back - 4, "calls more than %d deep", MAX_DEPTH);
		return 0;
	}
	q->call[q->ncall - 1] = (struct lift_call){ .parent = call, .entry = entry, .back = back, .depth = q->call[call].depth + 1 };
	return q->ncall - 1;
}

/* Where a jump through registers goes, at the fixed point. */
static void resolve(struct trace *t, const struct state *s, const struct amd_inst *in, uint32_t slot)
{
	struct lift_reach *q = t->q;
	struct value lo = scalar(s, &in->src[0], 0), hi = scalar(s, &in->src[0], 1);
	if (in->op == AMD_s_call_b64_SOPK) {
		lo = (struct value){ PC_LO, (uint32_t)in->branch_target };
		hi = (struct value){ PC_HI, in->branch_target };
	}
	uint32_t call = slot / t->l->words, at = in->offset_in_code, old = q->mark[slot];
	const struct lift_call *c = &q->call[call];
	uint32_t to;

	if (lo.kind != PC_LO || hi.kind != PC_HI || (uint32_t)lo.v != (uint32_t)hi.v || hi.v < 0 || hi.v >= t->l->ctx->exec_size ||
	    (hi.v & 3)) {
		lift_fail(t->l, DIAG_UNLIFTED, at, "%s: where it goes is not known", amd_mnemonic(in->op));
		return;
	}
	if (lift_is_call(in) && old)
		to = q->call[(old - 1) / t->l->words].entry == hi.v ? (old - 1) / t->l->words : UINT32_MAX;
	else if (lift_is_call(in))
		to = enter(t, call, (uint32_t)hi.v, at + in->length);
	else
		to = call && c->back == hi.v ? c->parent : call;
	if (t->l->failed)
		return;
	if (to == UINT32_MAX || (old && old - 1 != to * t->l->words + (uint32_t)hi.v / 4)) {
		lift_fail(t->l, DIAG_UNLIFTED, at, "%s: goes to several places", amd_mnemonic(in->op));
		return;
	}
	if (old)
		return;
	q->mark[slot] = to * t->l->words + (uint32_t)hi.v / 4 + 1;
	lift_visit(t->l, to, hi.v, at);
	t->more = true;
}

/* From a block's start to its end. */
static void run(struct trace *t, uint32_t slot)
{
	struct lift_reach *q = t->q;
	struct state s = *t->in[slot];
	uint32_t first = slot, base = slot / t->l->words * t->l->words;

	for (;;) {
		const struct amd_inst *in = q->inst[slot];
		if (!(q->seen[slot] & 1) || t->l->failed)
			return;
		if (slot != first && (q->seen[slot] & 4)) {
			if (!t->settled)
				flow(t, &s, slot);
			return;
		}
		bool jump = lift_is_call(in) || in->op == AMD_s_setpc_b64_SOP1;
		if (jump && t->settled) {
			resolve(t, &s, in, slot);
			return;
		}
		step(t, &s, in, slot);
		if (jump) {
			if (q->mark[slot])
				flow(t, &s, q->mark[slot] - 1);
			return;
		}
		bool branch = in->flags & ISA_F_BRANCH;
		void (*fn)(struct amd_lift *, const struct lift_row *) = lift_rows[in->op].fn;
		if (branch && fn && fn != lift_s_endpgm && !t->settled)
			flow(t, &s, base + (uint32_t)in->branch_target / 4);
		slot += in->length / 4;
		if ((in->flags & ISA_F_END) || (branch && fn == lift_s_branch))
			return;
	}
}

/* What the ABI hands over; true when that includes scratch. */
static bool start_state(const struct facts *f, struct state *s)
{
	bool scratch = false;

	for (uint32_t i = 0; i < f->ninit; i++) {
		const struct fact_init *e = &f->init[i];
		if (e->file != AMD_FILE_SGPR || e->kind != INIT_ROOT || e->index >= LIFT_REGS)
			continue;
		const struct fact_root *r = &f->root[e->root];
		scratch |= r->kind == ROOT_SCRATCH_DESC;
		if (s && r->kind == ROOT_SCRATCH_DESC)
			s->reg[e->index] = (struct value){ DESC, r->offset };
		else if (s && r->kind == ROOT_SCRATCH_WAVE)
			s->reg[e->index] = (struct value){ WAVE_OFFSET, 0 };
	}
	return scratch;
}

bool lift_trace(struct amd_lift *l)
{
	struct lift_reach *q = l->reach;
	struct trace t = { .l = l, .q = q };

	if (!start_state(l->facts, NULL) && !q->indirect)
		return false;
	struct state *s = arena_new(l->ctx->scratch, struct state);
	start_state(l->facts, s);
	if (!q->mark)
		q->mark = arena_grow(l->ctx->scratch, NULL, 0, &q->mark_cap, q->slots, sizeof *q->mark);
	uint32_t slots = q->slots; /* those of calls found below are for the next time */
	t.in = arena_array(l->ctx->scratch, struct state *, slots);
	t.queued = arena_array(l->ctx->scratch, uint8_t, slots);
	flow(&t, s, l->ctx->entry / 4);
	while (t.n && !l->failed) {
		uint32_t slot = t.work[--t.n];
		t.queued[slot] = 0;
		run(&t, slot);
	}
	t.settled = true;
	for (uint32_t slot = 0; slot < slots && !l->failed; slot++)
		if (t.in[slot])
			run(&t, slot);
	return t.more && !l->failed;
}

/* ---- lifting what was found */
static void scratch_access(struct amd_lift *l, const struct lift_row *row, uint32_t at)
{
	const struct amd_inst *was = l->in;
	struct amd_inst in = *was;

	in.sbase.kind = AMD_K_NONE;
	in.addr.kind = in.offen ? in.addr.kind : AMD_K_OFF;
	in.offset += at;
	l->in = &in;
	if ((row->arg & FMT) || (row->fn != lift_buf_load && row->fn != lift_buf_store))
		lift_refuse(l, "this access of scratch");
	else if (row->fn == lift_buf_load)
		lift_scratch_load(l, row);
	else
		lift_scratch_store(l, row);
	if (!l->failed)
		lift_flush(l);
	l->in = was;
}

ir_id lift_code_address(struct amd_lift *l, uint64_t offset)
{
	const struct facts *f = l->facts;
	ir_id half[2] = { 0, 0 };
	uint32_t from = 0;

	for (uint32_t i = 0; i < f->nroot; i++) {
		bool hi = f->root[i].kind == ROOT_TABLE_HI;
		if (f->code_table == UINT32_MAX || f->root[i].table != f->code_table || (!hi && f->root[i].kind != ROOT_TABLE_LO) ||
		    half[hi])
			continue;
		half[hi] = ir_op0(l->fn, IR_root, IR_I32);
		l->fn->inst[half[hi]].imm = i;
		if (!hi)
			from = f->root[i].offset;
	}
	if (!half[0] || !half[1]) {
		lift_fail(l, DIAG_FACT, l->in->offset_in_code, "the address of the code is not part of the record's ABI");
		return 0;
	}
	ir_id base = op2(l, IR_pack64, IR_I64, half[0], half[1]);
	return op2(l, IR_iadd, IR_I64, base, ir_const(l->fn, IR_I64, offset - from));
}

void lift_traced(struct amd_lift *l, const struct lift_row *row, uint32_t mark)
{
	ir_id word[2], pc;

	if (row->fn == lift_v_writelane) /* a return address: the trace keeps it */
		return;
	if (row->fn == lift_v_readlane) { /* it comes back: the word is made anew */
		pc = lift_code_address(l, (mark - 1) / 2);
		if (!pc)
			return;
		lift_split(l, pc, word);
		lift_set_scalar(l, &l->in->dst[0], &word[(mark - 1) & 1]);
		lift_flush(l);
		return;
	}
	if (l->in->enc == AMD_ENC_MUBUF) {
		scratch_access(l, row, mark - 1);
		return;
	}
	if (lift_is_call(l->in) && (pc = lift_code_address(l, (uint64_t)l->in->offset_in_code + l->in->length))) {
		lift_split(l, pc, word);
		lift_set_scalar(l, &l->in->dst[0], word);
	}
	if (l->failed)
		return;
	lift_flush(l);
	ir_br(l->fn, l->block[mark - 1] - 1);
	l->ended = true;
}
