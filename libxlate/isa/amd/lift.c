/* lift.c - AMD programs to IR: decode what is reachable, find blocks, lift each instruction through its table row.
 *
 * Only instructions that control reaches are decoded: constant data follows the code. The program starts with the setup of
 * registers, in a block of its own where the first instruction may be a loop head.
 */
#include "amd_dec.h"
#include "lift_amd.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_CALLS = 1024, MAX_SLOTS = 1 << 23 };

#define L(name, op, arg) { lift_##name, IR_##op, (arg) }
#define LA(name, op, arg) { lift_##name, ATOMIC_##op, (arg) }
#define NONE { 0, 0, 0 }
const struct lift_row lift_rows[AMD_OP_COUNT] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) [AMD_##mnemonic##_##enc] = lifter,
#include "amd.def"
#undef INST
};
#undef L
#undef LA
#undef NONE

void lift_fail(struct amd_lift *l, enum diag_code code, uint32_t addr, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (l->failed) /* the first reason is the one that counts */
		return;
	l->failed = true;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = arena_alloc(l->ctx->scratch, (size_t)n + 1);
	va_start(ap, fmt);
	if (text)
		vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	diag_emit(l->ctx->diag, code, addr, "%s", text ? text : "");
}

void lift_refuse(struct amd_lift *l, const char *fmt, ...)
{
	va_list ap;
	char text[200];

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	lift_fail(l, DIAG_UNLIFTED, l->in->offset_in_code, "%s: %s", amd_mnemonic(l->in->op), text);
}

/* ---- decoding what is reachable */
bool lift_reach_more(struct amd_lift *l)
{
	struct lift_reach *q = l->reach;
	struct arena *a = l->ctx->scratch;
	uint64_t slots = (uint64_t)q->slots + l->words;

	if (slots > MAX_SLOTS || q->ncall == MAX_CALLS) {
		lift_fail(l, DIAG_TOO_LARGE, l->ctx->entry, "%u calls of functions in %u bytes of code", q->ncall, l->ctx->exec_size);
		return false;
	}
	q->seen = arena_grow(a, q->seen, q->slots, &q->seen_cap, (size_t)slots, 1);
	q->inst = arena_grow_raw(a, q->inst, q->slots, &q->inst_cap, (size_t)slots, sizeof *q->inst);
	q->scan = arena_grow_raw(a, q->scan, q->nscan, &q->scan_cap, (size_t)slots, sizeof *q->scan);
	if (q->mark)
		q->mark = arena_grow(a, q->mark, q->slots, &q->mark_cap, (size_t)slots, sizeof *q->mark);
	q->call = arena_grow(a, q->call, q->ncall, &q->call_cap, q->ncall + 1u, sizeof *q->call);
	q->call[q->ncall++] = (struct lift_call){ .entry = l->ctx->entry };
	q->slots = (uint32_t)slots;
	return true;
}

static void start_block(struct amd_lift *l, uint32_t slot)
{
	struct lift_reach *q = l->reach;

	q->seen[slot] |= 4;
	if (q->seen[slot] & 1)
		return;
	q->work = arena_grow_raw(l->ctx->scratch, q->work, q->n, &q->cap, q->n + 1u, sizeof *q->work);
	q->work[q->n++] = slot;
}

void lift_visit(struct amd_lift *l, uint32_t call, int64_t target, uint32_t from)
{
	struct lift_reach *q = l->reach;

	if (target < 0 || target >= l->ctx->exec_size || target & 3) {
		lift_fail(l, DIAG_BAD_BRANCH, from, "branch to %lld of %u bytes", (long long)target, l->ctx->exec_size);
		return;
	}
	uint32_t slot = call * l->words + (uint32_t)target / 4;
	q->seen[slot] |= 8;
	start_block(l, slot);
}

/* No instruction is there. */
static void refuse_encoding(struct amd_lift *l, uint32_t at, int error)
{
	const struct lift_ctx *c = l->ctx;
	uint32_t w = 0;

	for (unsigned i = 0; i < 4 && at + i < c->size; i++)
		w |= (uint32_t)c->code[at + i] << 8 * i;
	lift_fail(l, error == ISA_E_TRUNCATED ? DIAG_TRUNCATED : DIAG_BAD_ENCODING, at, "no instruction in 0x%08x", w);
}

/* Of the slots of an instruction of n dwords: none of them may be inside of another, and none but the first may start
 * one. */
static inline bool claim(uint8_t *seen, unsigned n)
{
	unsigned second = n > 1, other = (*seen & 2) | (seen[second] & (7 * second));

	*seen |= 1;
	seen[second] |= (uint8_t)(2 * second);
	for (unsigned i = 2; i < n; i++) {
		other |= seen[i] & 7;
		seen[i] |= 2;
	}
	return !other;
}

/* A branch, or an end: does control go on behind it? */
static bool decode_branch(struct amd_lift *l, uint32_t call, const struct amd_inst *in)
{
	struct lift_reach *q = l->reach;
	uint32_t at = in->offset_in_code, next = at + in->length;

	if (lift_is_call(in) || in->op == AMD_s_setpc_b64_SOP1) {
		q->indirect = true; /* where it goes and where it comes back is found by following registers */
		return false;
	}
	if (lift_rows[in->op].fn && lift_rows[in->op].fn != lift_s_endpgm)
		lift_visit(l, call, in->branch_target, at);
	if ((in->flags & ISA_F_END) || lift_rows[in->op].fn == lift_s_branch)
		return false;
	if (next < l->ctx->exec_size)
		q->seen[call * l->words + next / 4] |= 4;
	return !l->failed;
}

/* Instructions from a slot on, up to one that was met before or ends the run. */
static void decode_run(struct amd_lift *l, struct amd_dec *d, uint32_t slot)
{
	struct lift_reach *q = l->reach;
	struct arena *arena = l->ctx->scratch;
	uint32_t call = slot / l->words, base = call * l->words, at = slot % l->words * 4, size = l->ctx->exec_size;
	struct amd_inst **inst = q->inst + base;
	uint8_t *seen = q->seen + base;

	while (at < size) {
		uint32_t w = at / 4;
		if (seen[w] & 1)
			return;
		struct amd_inst *in = arena_raw(arena, sizeof *in);
		int n = amd_dec_at(d, at, in);
		if (n <= 0) {
			refuse_encoding(l, at, n);
			return;
		}
		if (amd_has_memory(in))
			q->buffers |= in->enc == AMD_ENC_MUBUF;
		else
			arena_trim(arena, in, sizeof *in, amd_inst_size(in));
		if (!claim(&seen[w], (unsigned)n / 4)) {
			lift_fail(l, DIAG_BAD_BRANCH, at, "a branch lands inside an instruction");
			return;
		}
		inst[w] = in;
		q->ninst++;
		q->scan[q->nscan] = in;
		q->nscan += (in->scalars | (in->flags & (ISA_F_ATOMIC | AMD_F_IMPLIED))) != 0;
		if (in->flags & ISA_F_BRANCH && !decode_branch(l, call, in))
			return;
		at += (unsigned)n;
	}
	lift_fail(l, DIAG_NO_END, at, "no end of program before %u", size);
}

static void decode_all(struct amd_lift *l)
{
	struct lift_ctx *c = l->ctx;
	struct lift_reach *q = l->reach = arena_new(c->scratch, struct lift_reach);
	struct amd_dec d;

	amd_dec_init(&d, c->cpu, c->wave, c->code, c->exec_size);
	l->words = l->ctx->exec_size / 4 + 1;
	if (!lift_reach_more(l))
		return;
	start_block(l, l->ctx->entry / 4);
	do {
		while (q->n && !l->failed)
			decode_run(l, &d, q->work[--q->n]);
	} while (!l->failed && (q->indirect || q->buffers) && lift_trace(l));
	l->first_exec = !(q->seen[l->ctx->entry / 4] & 8); /* the entry is no loop head */
}

/* The instruction that is reached from the setup of registers, and from there only. */
static bool is_entry(const struct amd_lift *l, uint32_t slot)
{
	return slot == l->ctx->entry / 4 && !(l->reach->seen[slot] & 8);
}

/* Instructions and blocks by slot. */
static void order_all(struct amd_lift *l)
{
	const struct lift_reach *q = l->reach;
	struct lift_place *place = l->place = arena_array_raw(l->ctx->scratch, struct lift_place, q->ninst + 1u);
	struct amd_inst *const *inst = q->inst;
	uint32_t count = 0, slots = q->slots;
	const uint8_t *seen = q->seen;

	l->block = arena_array(l->ctx->scratch, uint32_t, slots);
	for (uint32_t w = 0; w < slots; w++) {
		*place = (struct lift_place){ .in = inst[w], .slot = w };
		place += seen[w] & 1; /* else the next one takes its place */
		if ((seen[w] & 5) != 5)
			continue;
		if (place == l->place + 1 && is_entry(l, w)) {
			l->block[w] = l->fn->entry + 1;
			continue;
		}
		if (++count > LIFT_MAX_BLOCKS) {
			lift_fail(l, DIAG_TOO_LARGE, inst[w]->offset_in_code, "more than %u blocks", (unsigned)LIFT_MAX_BLOCKS);
			return;
		}
		l->block[w] = ir_block_new(l->fn) + 1;
		l->fn->block[l->block[w] - 1].addr = inst[w]->offset_in_code;
	}
	l->ninst = q->ninst;
}

/* ---- blocks */
uint32_t lift_block_at(struct amd_lift *l, int64_t offset)
{
	uint32_t base = l->place[l->at].slot / l->words * l->words;

	if (offset >= 0 && offset < l->ctx->exec_size && l->block[base + (uint32_t)offset / 4])
		return l->block[base + (uint32_t)offset / 4] - 1;
	lift_fail(l, DIAG_BAD_BRANCH, l->in->offset_in_code, "branch to %lld", (long long)offset);
	return l->fn->entry;
}

/* No row lifts it. Bits that it does not have: what they do is not written down (16-bit operations read halves by them,
 * for one). */
static __attribute__((noinline)) void refuse_inst(struct amd_lift *l, const struct amd_inst *in)
{
	char text[128];

	if (lift_rows[in->op].fn) {
		lift_refuse(l, "bits set that this instruction does not have: a register off its alignment, or modifiers");
		return;
	}
	amd_print(l->ctx->cpu, in, text, sizeof text);
	lift_fail(l, DIAG_UNLIFTED, in->offset_in_code, "%s: %s", amd_mnemonic(in->op), text);
}

static inline void lift_inst(struct amd_lift *l, const struct amd_inst *in, const uint32_t *marks, uint32_t slot)
{
	const struct lift_row *row = &lift_rows[in->op];

	l->in = in;
	l->fn->addr = in->offset_in_code;
	l->enable = 0;
	l->shared_read = l->settled = false;
	l->whole = in->form >= AMD_FORM_DPP;
	if (marks && marks[slot])
		lift_traced(l, row, marks[slot]);
	else if (!row->fn || in->odd)
		refuse_inst(l, in);
	else
		row->fn(l, row);
	if (l->npending && !l->ended)
		lift_flush(l);
}

/* Is it reached from what stands before it, or the first one from the block of the registers' setup? */
static bool falls_into(const struct amd_lift *l, const struct lift_place *place)
{
	return place == l->place ? place->slot == l->ctx->entry / 4 : !(place[-1].in->flags & ISA_F_END);
}

static void lift_all(struct amd_lift *l)
{
	const struct lift_place *place = l->place;
	const uint32_t *marks = l->reach->mark, *block = l->block;

	for (uint32_t i = 0, n = l->ninst; i < n && !l->failed; i++, place++) {
		const struct amd_inst *in = place->in;
		uint32_t slot = place->slot, b = block[slot];
		l->at = i;
		if (b && b - 1 != l->fn->entry) {
			if (!l->ended) {
				l->fn->addr = in->offset_in_code;
				ir_br(l->fn, b - 1);
				lift_block_end(l);
			}
			lift_block_begin(l, b - 1, falls_into(l, place) && !(l->reach->seen[slot] & 8));
			l->mbcnt.valid = false;
			l->first_exec &= in->offset_in_code == l->ctx->entry;
		}
		lift_inst(l, in, marks, slot);
		if (l->ended && !l->failed)
			lift_block_end(l);
	}
	if (!l->failed)
		lift_blocks_done(l);
	l->fn->addr = DIAG_NO_ADDR;
}

static bool is_full(const struct ir_fn *fn, unsigned wave)
{
	uint64_t n = (uint64_t)fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];

	return fn->stage == STAGE_COMPUTE && n && n % wave == 0;
}

static bool sets_all(const struct amd_inst *in) /* EXEC to all ones */
{
	bool or_all = in->op == AMD_s_or_saveexec_b64_SOP1 || in->op == AMD_s_or_saveexec_b32_SOP1;
	bool move = in->op == AMD_s_mov_b64_SOP1 || in->op == AMD_s_mov_b32_SOP1;

	return in->src[0].kind == AMD_K_INT && (uint32_t)in->src[0].value == UINT32_MAX &&
	       (or_all || (move && lift_regno(&in->dst[0]) == AMD_EXEC_LO));
}

static bool asks_lanes(const struct amd_inst *in) /* whether they are on, and for what they hold */
{
	void (*fn)(struct amd_lift *, const struct lift_row *) = lift_rows[in->op].fn;

	return in->form == AMD_FORM_DPP || in->form == AMD_FORM_DPP8 || fn == lift_ds_shuffle || fn == lift_ds_permute ||
	       fn == lift_v_permlane;
}

/* Lanes that the workgroup does not fill take part where the mask becomes all ones: there they have registers, and others
 * read them; and where lanes are asked for, those say that they are off. So they are made: the workgroup is filled up in x,
 * and they are off at the start. */
static void fill_waves(struct amd_lift *l)
{
	uint32_t *g = l->fn->workgroup, whole;
	uint64_t n = (uint64_t)g[0] * g[1] * g[2];
	bool needed = false;

	if (l->full || l->fn->stage != STAGE_COMPUTE || n < 2 || n > LIFT_GROUP)
		return;
	for (uint32_t i = 0; i < l->ninst && !needed; i++)
		needed = sets_all(l->place[i].in) || asks_lanes(l->place[i].in);
	if (!needed)
		return;
	whole = ((uint32_t)n + l->wave - 1) / l->wave * l->wave;
	memcpy(l->filled, g, sizeof l->filled);
	g[0] = whole;
	g[1] = g[2] = 1;
	l->full = true;
}

/* Buffer and LDS instructions check their range. Accesses by address do not. */
static void mark_checked(struct ir_fn *fn)
{
	for (ir_id id = 1; id < fn->ninst; id++)
		switch (fn->inst[id].op) {
		case IR_ldbuf: case IR_stbuf: case IR_atbuf: case IR_ldtyped: case IR_sttyped: case IR_ldshared: case IR_stshared:
		case IR_atshared:
			fn->inst[id].flags |= IR_F_BOUNDS;
		}
}

/* How many lanes a wave of vertices has is the machine's choice; a mask that has others, too, is none that the host's lanes know.
 * Such a mask is neither counted nor the mask of what is written to memory. */
static void refuse_absent_lanes(struct amd_lift *l)
{
	uint32_t at = l->fn->stage == STAGE_VERTEX && l->sets_exec ? lift_exec_beyond(l) : DIAG_NO_ADDR;

	for (ir_id id = 1; id < l->fn->ninst && at != DIAG_NO_ADDR && !l->failed; id++) {
		const struct ir_inst *i = &l->fn->inst[id];
		bool writes = ir_ops[i->op].fx & FX_WRITE && ir_ops[i->op].fx & FX_MASK && i->op != IR_stout && i->op != IR_stscr;
		if (writes || i->op == IR_ballot)
			lift_fail(l, DIAG_CROSS_LANE, at, "EXEC gets lanes that a wave of vertices may not have, and %s",
			          writes ? "memory is written" : "the program reads which are on");
	}
}

int amd_lift(struct lift_ctx *c)
{
	static const char *const files[] = { "s", "v", "mask", "special" };
	struct amd_lift *l = arena_new(c->scratch, struct amd_lift);

	l->pending = arena_array_raw(c->scratch, struct lift_pending, LIFT_MAX_PENDING);
	l->cur = arena_array_raw(c->scratch, struct lift_cur, LIFT_MARKERS);
	l->dirty = arena_array_raw(c->scratch, uint16_t, LIFT_MARKERS + 1);
	l->ctx = c;
	l->fn = c->fn;
	l->facts = c->facts;
	l->wave = c->wave;
	l->gfx7 = c->cpu->waves == 64; /* the generation without wave32 */
	l->full = is_full(c->fn, c->wave);
	l->first_shared = c->facts->paired_registers ? c->facts->paired_registers : 256;
	c->fn->files = files;
	if (c->exec_size > c->size || c->size > LIFT_MAX_BYTES || c->entry >= c->exec_size || (c->entry & 3)) {
		lift_fail(l, DIAG_BAD_RECORD, DIAG_NO_ADDR, "code of %u bytes, %u executable, entry %u", c->size, c->exec_size,
			c->entry);
		return -1;
	}
	decode_all(l);
	if (l->failed)
		return -1;
	ir_reserve(c->fn, 64 + 8 * l->reach->ninst);
	c->fn->entry = ir_block_new(c->fn);
	order_all(l);
	if (l->failed)
		return -1;
	fill_waves(l);
	lift_scan(l);
	lift_block_begin(l, c->fn->entry, false);
	c->fn->addr = DIAG_NO_ADDR;
	l->in = l->place[0].in;
	lift_init_regs(l);
	if (lift_block_at(l, c->entry) != c->fn->entry) {
		ir_br(c->fn, lift_block_at(l, c->entry));
		lift_block_end(l);
		l->ended = true;
	}
	lift_all(l);
	refuse_absent_lanes(l);
	if (c->facts->bounds == BOUNDS_EXACT)
		mark_checked(c->fn);
	return l->failed ? -1 : 0;
}
