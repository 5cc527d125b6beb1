/* emit_shared.c - shared memory of a program with 64-bit atomics there.
 *
 * SPIR-V lets a variable have one element type, and views of other types need an extension that not every target has. So the bytes that
 * 64-bit atomics may touch, and all that is accessed together with any of them, are an array of 64-bit words; the rest is one
 * of 32-bit words, without the bytes between:
 *
 *     byte:   0 ... wide_from ... wide_to ... end            what is accessed by passes (lanes that exchange values) lies
 *     32 bits [---]              |   [---]                   behind the guest's own bytes
 *     64 bits      [-------------]
 *
 * What is narrower than a 64-bit word reads the word and shifts, and writes by a compare-and-exchange loop, so that the other lanes'
 * bytes of the word stay as they are. */
#include "emit.h"

enum { DEPTH = 8 /* operands looked through for what is known of an offset */ };
struct span { uint64_t from, to; };

/* The bytes that an access may touch. An offset about which nothing is known stays within the guest's own, as long as the constant
 * part does. */
static struct span touched(const struct emit *e, ir_id off, uint64_t imm, unsigned bytes)
{
	uint64_t own = e->facts && e->facts->shared_bytes ? e->facts->shared_bytes : e->fn->shared_bytes, k, most;

	imm &= UINT32_MAX;
	if (emit_is_const(e, off, &k))
		return (struct span){ (uint32_t)(imm + k), (uint32_t)(imm + k) + (uint64_t)bytes };
	most = emit_max(e, off, DEPTH);
	if (most + imm + bytes <= e->fn->shared_bytes)
		return (struct span){ imm, most + imm + bytes };
	return (struct span){ 0, imm < own ? own : UINT32_MAX };
}

static bool is_shared(unsigned op)
{
	return op == IR_ldshared || op == IR_stshared || op == IR_atshared;
}

static struct span touched_by(const struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	ir_type t = i->op == IR_stshared ? emit_inst(e, arg[2])->type : i->type;

	return touched(e, arg[1], i->imm, ir_bits(t) / 8 * ir_elems(t));
}

static bool overlap(const struct emit *e, struct span s)
{
	return emit_has_wide(e) && s.from < e->wide_to && e->wide_from < s.to;
}

static bool is_wide(const struct ir_inst *i)
{
	return i->op == IR_atshared && ir_bits(i->type) == 64;
}

/* All accesses once; true when more bytes became 64-bit words. */
static bool widen(struct emit *e, const ir_id *access, size_t n)
{
	uint32_t from = e->wide_from, to = e->wide_to;

	for (size_t k = 0; k < n; k++) {
		bool first = !emit_has_wide(e);
		struct span s = touched_by(e, access[k]);
		if (!is_wide(emit_inst(e, access[k])) && !overlap(e, s))
			continue;
		s.from &= ~7ull;
		s.to = (s.to + 7) & ~7ull;
		s.to = s.to < UINT32_MAX ? s.to : UINT32_MAX & ~7u;
		e->wide_from = first || s.from < e->wide_from ? (uint32_t)s.from : e->wide_from;
		e->wide_to = first || s.to > e->wide_to ? (uint32_t)s.to : e->wide_to;
	}
	return e->wide_from != from || e->wide_to != to;
}

void emit_shared_scan(struct emit *e)
{
	uint32_t all = (e->fn->shared_bytes + 7) & ~7u;
	ir_id *access = NULL;
	size_t n = 0, cap = 0;
	bool wide = false;

	if (!e->fn->has[IR_atshared])
		return;
	ir_for_order(e->fn, b)
		for (ir_id id = e->fn->block[b].first; id; id = e->inst[id].next) {
			if (!is_shared(e->inst[id].op))
				continue;
			wide |= is_wide(&e->inst[id]);
			access = arena_grow_raw(e->arena, access, n, &cap, n + 1, sizeof *access);
			access[n++] = id;
		}
	while (wide && widen(e, access, n))
		;
	if (emit_has_wide(e) && e->wide_to > all) /* somewhere */
		e->wide_from = 0, e->wide_to = all ? all : 8;
}

void emit_shared_place(const struct emit *e, struct emit_access *a)
{
	struct span s = touched_by(e, a->id);

	a->wide = overlap(e, s) || (!e->wide_from && s.to > e->fn->shared_bytes);
	if (a->wide)
		a->imm = (a->imm - e->wide_from) & UINT32_MAX;
	else if (s.from >= e->wide_to)
		a->imm = (a->imm - (e->wide_to - e->wide_from)) & UINT32_MAX;
}

/* Pointer to the 64-bit word that holds byte `add` of the access; *shift: bits below that byte. */
static uint32_t word_at(struct emit *e, const struct emit_access *a, unsigned add, uint32_t *shift)
{
	uint32_t u32 = emit_type(e, IR_I32), byte, at, low; /* low: bytes below it, where that is known */
	bool even;

	if (emit_const_byte(e, a, &byte)) {
		byte += add;
		*shift = emit_u32(e, byte % 8 * 8);
		return emit_chain(e, a, VIEW_U64, emit_u32(e, byte / 8), -1);
	}
	at = emit_get_u32(e, a->off);
	byte = (uint32_t)a->imm + add;
	even = emit_align(e, a->off, DEPTH) >= 3;
	low = even ? byte % 8 : a->align >= 3 ? add % 8 : 0;
	if (byte - low)
		at = E_OP(e, IAdd, u32, at, emit_u32(e, byte - low));
	if (even || a->align >= 3)
		*shift = emit_u32(e, low * 8);
	else
		*shift = E_OP(e, ShiftLeftLogical, u32, E_OP(e, BitwiseAnd, u32, at, emit_u32(e, 7)), emit_u32(e, 3));
	return emit_chain(e, a, VIEW_U64, E_OP(e, ShiftRightLogical, u32, at, emit_u32(e, 3)), -1);
}

static bool whole_words(const struct emit_access *a)
{
	return a->bits >= 32 && a->bits * a->n % 64 == 0 && a->align >= 3;
}

static uint32_t load_word(struct emit *e, const struct emit_access *a, uint32_t pointer)
{
	uint32_t w[5] = {pointer}, n = emit_memory_operands(e, a->flags, 0, false, true, w + 1);

	return emit_op(e, SpvOpLoad, emit_type(e, IR_I64), w, 1 + n);
}

/* `bits`, at most 32, at byte `add` of the access. */
static uint32_t load_part(struct emit *e, const struct emit_access *a, unsigned add, unsigned bits)
{
	uint32_t shift, pointer = word_at(e, a, add, &shift), v = load_word(e, a, pointer);

	v = E_OP(e, ShiftRightLogical, emit_type(e, IR_I64), v, shift);
	return E_OP(e, UConvert, emit_type(e, ir_int_of_bits(bits)), v);
}

static uint32_t load_pair(struct emit *e, const struct emit_access *a, unsigned add)
{
	uint32_t low = load_part(e, a, add, 32);

	return emit_pack(e, IR_I64, low, load_part(e, a, add + 4, 32));
}

/* Elements that fill whole words. */
static void load_whole(struct emit *e, const struct emit_access *a, uint32_t part[4])
{
	unsigned each = 64 / a->bits;

	for (unsigned k = 0; k < a->n; k += each) {
		uint32_t shift, v = load_word(e, a, word_at(e, a, k * a->bits / 8, &shift));
		if (each == 2)
			emit_halves(e, v, part + k);
		else
			part[k] = v;
	}
}

void emit_shared_load(struct emit *e, ir_id id, const struct emit_access *a)
{
	ir_type one = (ir_type)ir_base(a->type);
	uint32_t part[4] = {0};
	bool whole = whole_words(a);

	if (whole)
		load_whole(e, a, part);
	for (unsigned k = 0; k < a->n; k++) {
		unsigned at = k * a->bits / 8;
		if (!whole && a->bits == 64)
			part[k] = load_pair(e, a, at);
		else if (!whole)
			part[k] = load_part(e, a, at, a->bits);
		if (ir_is_float(one))
			part[k] = E_OP(e, Bitcast, emit_vec_type(e, one, 1), part[k]);
	}
	emit_set_parts(e, id, one, part);
}

/* The word with `bits` bits at `shift` replaced. */
static uint32_t replaced(struct emit *e, uint32_t word, uint32_t shift, unsigned bits, uint32_t value)
{
	uint32_t u64 = emit_type(e, IR_I64), mask = emit_const(e, IR_I64, (1ull << bits) - 1);

	mask = E_OP(e, Not, u64, E_OP(e, ShiftLeftLogical, u64, mask, shift));
	value = E_OP(e, ShiftLeftLogical, u64, E_OP(e, UConvert, u64, value), shift);
	return E_OP(e, BitwiseOr, u64, E_OP(e, BitwiseAnd, u64, word, mask), value);
}

static void begin(struct emit *e, const struct emit_access *a, unsigned add, struct emit_cas *c, uint32_t *shift)
{
	uint32_t pointer = word_at(e, a, add, shift);

	emit_int64_atomics(e, true);
	emit_cas_begin(e, c, emit_type(e, IR_I64), pointer, SpvScopeWorkgroup);
}

static void store_part(struct emit *e, const struct emit_access *a, unsigned add, unsigned bits, uint32_t value)
{
	struct emit_cas c;
	uint32_t shift;

	begin(e, a, add, &c, &shift);
	emit_cas_end(e, &c, replaced(e, c.old, shift, bits, value));
}

static void store_whole(struct emit *e, const struct emit_access *a)
{
	unsigned each = 64 / a->bits;

	for (unsigned k = 0; k < a->n; k += each) {
		uint32_t w[6], shift, v = emit_get_part_as(e, a->value, k, ir_int_of_bits(a->bits));
		if (each == 2)
			v = emit_pack(e, IR_I64, v, emit_get_part_as(e, a->value, k + 1, IR_I32));
		w[0] = word_at(e, a, k * a->bits / 8, &shift);
		w[1] = v;
		emit_stmt(e, SpvOpStore, w, 2 + emit_memory_operands(e, a->flags, 0, true, true, w + 2));
	}
}

void emit_shared_store(struct emit *e, const struct emit_access *a)
{
	uint32_t v, half[2];

	if (whole_words(a)) {
		store_whole(e, a);
		return;
	}
	for (unsigned k = 0; k < a->n; k++) {
		unsigned at = k * a->bits / 8;
		v = emit_get_part_as(e, a->value, k, ir_int_of_bits(a->bits));
		if (a->bits == 64) {
			emit_halves(e, v, half);
			store_part(e, a, at, 32, half[0]);
			store_part(e, a, at + 4, 32, half[1]);
		} else
			store_part(e, a, at, a->bits, v);
	}
}

uint32_t emit_shared_atomic(struct emit *e, const struct emit_access *a, unsigned op, const uint32_t *value)
{
	uint32_t shift, u32 = emit_type(e, IR_I32), old;
	struct emit_cas c;

	begin(e, a, 0, &c, &shift);
	old = E_OP(e, UConvert, u32, E_OP(e, ShiftRightLogical, emit_type(e, IR_I64), c.old, shift));
	emit_cas_end(e, &c, replaced(e, c.old, shift, 32, emit_atomic_next(e, op, IR_I32, old, value)));
	return old;
}
