/* emit_mem.c - loads and stores of buffers, shared memory and scratch; sub-word forms; buffer length; raw addresses. */
#include "emit.h"

/* Log2 of an element's bytes, by view. */
static const uint8_t view_shift[VIEW_COUNT] = {0, 1, 2, 3, 4, 4, 3, 2};

static ir_type word_base(const struct emit *e, const struct emit_access *a)
{
	return a->space == MEM_BUFFER && e->res[a->res].is_float ? IR_F32 : IR_I32;
}

static uint32_t load(struct emit *e, const struct emit_access *a, uint32_t type, uint32_t pointer)
{
	uint32_t w[5] = {pointer}, n = emit_memory_operands(e, a->flags, a->space == MEM_BUFFER ? a->res : 0, false,
	                                                    a->space != MEM_BUFFER, w + 1);
	if (a->space == MEM_SCRATCH)
		n = 0;
	uint32_t id = emit_few(e, SpvOpLoad, type, w, 1 + n);
	if (a->space == MEM_BUFFER)
		emit_nonuniform(e, a->bind, id, false);
	return id;
}

static void store(struct emit *e, const struct emit_access *a, uint32_t pointer, uint32_t value)
{
	uint32_t w[5] = {pointer, value}, n = emit_memory_operands(e, a->flags, a->space == MEM_BUFFER ? a->res : 0, true,
	                                                           a->space != MEM_BUFFER, w + 2);
	if (a->space == MEM_SCRATCH)
		n = 0;
	emit_stmt(e, SpvOpStore, w, 2 + n);
}

/* Pointer of one piece of a word access. */
static uint32_t piece_pointer(struct emit *e, const struct emit_access *a, const struct emit_piece *p)
{
	unsigned shift = view_shift[p->view];
	uint32_t u32 = emit_type(e, IR_I32), byte, index, comp;

	if (p->view == VIEW_V4 && p->n == 1) { /* one component of a vector of four */
		if (emit_const_byte(e, a, &byte)) {
			byte += p->word * 4u;
			index = emit_u32(e, byte >> 4);
			comp = emit_u32(e, byte >> 2 & 3);
		} else {
			index = emit_index(e, a, 2, p->word);
			comp = E_OP(e, BitwiseAnd, u32, index, emit_u32(e, 3));
			index = E_OP(e, ShiftRightLogical, u32, index, emit_u32(e, 2));
		}
		return emit_chain(e, a, VIEW_V4, index, (int)comp);
	}
	if (a->space == MEM_BUFFER && e->fn->res[a->res].kind == RES_CONST_DATA && p->view == VIEW_U32 && a->words <= 4 &&
	    !emit_const_byte(e, a, &byte)) { /* held within the data once, for all words */
		struct emit_access at = *a;
		at.plus = p->word;
		return emit_chain(e, &at, VIEW_U32, emit_index(e, a, shift, 0), -1);
	}
	index = emit_index(e, a, shift, (uint32_t)p->word * 4 >> shift);
	return emit_chain(e, a, p->view, index, -1);
}

/* Words (components of `base`) to the value's elements. */
static void set_words(struct emit *e, ir_id id, const struct emit_access *a, ir_type base, const uint32_t *w)
{
	uint32_t part[4] = {0}, u32v, pair[2];

	if (a->bits == 32) {
		emit_set_parts(e, id, base, w);
		return;
	}
	if (a->bits == 64) {
		u32v = emit_vec_type(e, base, 2);
		for (unsigned k = 0; k < a->n; k++) {
			pair[0] = w[2 * k];
			pair[1] = w[2 * k + 1];
			part[k] = E_OP(e, Bitcast, emit_vec_type(e, (ir_type)ir_base(a->type), 1), emit_op(e, SpvOpCompositeConstruct, u32v, pair, 2));
		}
		emit_set_parts(e, id, (ir_type)ir_base(a->type), part);
		return;
	}
	part[0] = w[0]; /* packed sub-word vector */
	if (a->words > 1)
		part[0] = emit_op(e, SpvOpCompositeConstruct, emit_vec_type(e, base, a->words), w, a->words);
	emit_set(e, id, a->type, E_OP(e, Bitcast, emit_type(e, a->type), part[0]));
}

static void load_words(struct emit *e, const struct emit_access *a, uint32_t out[8], uint32_t *whole)
{
	struct emit_piece p[8];
	unsigned n = emit_plan(e, a, p);
	ir_type base = word_base(e, a);
	uint32_t scalar, v, type;

	*whole = 0;
	for (unsigned k = 0; k < n; k++) {
		uint32_t pointer = piece_pointer(e, a, &p[k]);
		type = emit_vec_type(e, base, p[k].n);
		v = load(e, a, type, pointer);
		if (p[k].n == 1) {
			out[p[k].word] = v;
			continue;
		}
		if (n == 1 && ((a->bits == 32 && a->n == p[k].n) || a->bits < 32 || (a->bits == 64 && a->n == 1))) {
			*whole = v;
			return;
		}
		scalar = emit_vec_type(e, base, 1);
		for (unsigned c = 0; c < p[k].n; c++)
			out[p[k].word + c] = E_OP(e, CompositeExtract, scalar, v, c);
	}
}

/* The byte's place within its word, in bits. */
static uint32_t bit_shift(struct emit *e, const struct emit_access *a, uint32_t byte_add)
{
	uint32_t u32 = emit_type(e, IR_I32), byte, off;

	if (emit_const_byte(e, a, &byte))
		return emit_u32(e, (byte + byte_add) % 4 * 8);
	off = emit_get_u32(e, a->off);
	if ((uint32_t)a->imm + byte_add)
		off = E_OP(e, IAdd, u32, off, emit_u32(e, (uint32_t)a->imm + byte_add));
	off = E_OP(e, BitwiseAnd, u32, off, emit_u32(e, 3));
	return E_OP(e, ShiftLeftLogical, u32, off, emit_u32(e, 3));
}

/* 8- and 16-bit views exist for storage buffers of targets that have them; elsewhere the word is shifted. */
static bool narrow_view(const struct emit *e, const struct emit_access *a)
{
	if (a->space != MEM_BUFFER || e->fn->res[a->res].kind != RES_STORAGE_BUFFER)
		return false;
	return a->bits == 8 ? e->t->storage8 : e->t->storage16;
}

static uint32_t load_narrow(struct emit *e, const struct emit_access *whole, unsigned k)
{
	struct emit_access a = *whole;
	unsigned bytes = a.bits / 8;
	ir_type t = ir_int_of_bits(a.bits);
	uint32_t v, u32 = emit_type(e, IR_I32), pointer, shift, byte;

	a.imm += k * bytes;
	if (narrow_view(e, &a)) {
		pointer = emit_chain(e, &a, bytes == 1 ? VIEW_U8 : VIEW_U16, emit_index(e, &a, bytes - 1, 0), -1);
		return load(e, &a, emit_type(e, t), pointer);
	}
	pointer = emit_space_word(e, &a);
	v = load(e, &a, emit_vec_type(e, word_base(e, &a), 1), pointer);
	if (word_base(e, &a) == IR_F32)
		v = E_OP(e, Bitcast, u32, v);
	if (!emit_const_byte(e, &a, &byte) || byte % 4) {
		shift = bit_shift(e, &a, 0);
		v = E_OP(e, ShiftRightLogical, u32, v, shift);
	}
	return E_OP(e, UConvert, emit_type(e, t), v);
}

/* Pointer to the 32-bit word that holds the access's first byte. */
uint32_t emit_space_word(struct emit *e, const struct emit_access *a)
{
	struct emit_piece p = {emit_of_vectors(e, a) ? VIEW_V4 : VIEW_U32, 1, 0};

	return piece_pointer(e, a, &p);
}

static void load_value(struct emit *e, ir_id id, const struct emit_access *a)
{
	uint32_t w[8] = {0}, whole, part[4];
	ir_type base = word_base(e, a), t = (ir_type)ir_base(a->type);

	if (a->wide) {
		emit_shared_load(e, id, a);
		return;
	}
	if (a->words) {
		load_words(e, a, w, &whole);
		if (!whole)
			set_words(e, id, a, base, w);
		else if (a->bits == 32)
			emit_set(e, id, IR_VEC(base, a->n), whole);
		else
			emit_set(e, id, a->type, E_OP(e, Bitcast, emit_type(e, a->type), whole));
		return;
	}
	for (unsigned k = 0; k < a->n; k++) {
		part[k] = load_narrow(e, a, k);
		if (ir_is_float(t))
			part[k] = E_OP(e, Bitcast, emit_vec_type(e, t, 1), part[k]);
	}
	emit_set_parts(e, id, t, part);
}

static ir_id mask_of(struct emit *e, ir_id id)
{
	return ir_args(e->fn, id)[0];
}

void emit_load(struct emit *e, ir_id id)
{
	const struct emit_access *a = emit_access_of(e, id, true);
	struct emit_guard g;
	bool guarded;

	if (!a) {
		e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		return;
	}
	guarded = !(e->opt.speculate_loads && a->space == MEM_BUFFER) && emit_guard_begin(e, mask_of(e, id), &g);
	if (!guarded) {
		load_value(e, id, a);
		return;
	}
	e->want[id] |= WANT_SELF;
	load_value(e, id, a);
	uint32_t v = emit_get(e, id);
	emit_guard_end(e, &g, emit_type(e, a->type), &v);
	e->part[id] = e->part_alt[id] = 0;
	e->alt[id] = 0;
	e->val[id] = v;
}

static uint32_t store_word(struct emit *e, const struct emit_access *a, unsigned w, ir_type base)
{
	uint32_t v;

	if (a->bits == 32)
		return emit_get_part_as(e, a->value, w, base);
	if (a->bits == 64) {
		v = emit_get_part_as(e, a->value, w / 2, IR_I64);
		uint32_t h[2];
		emit_halves(e, v, h);
		v = h[w % 2];
	} else {
		v = E_OP(e, Bitcast, emit_vec_type(e, IR_I32, a->words), emit_get(e, a->value));
		if (a->words > 1)
			v = E_OP(e, CompositeExtract, emit_type(e, IR_I32), v, w);
	}
	return base == IR_F32 ? E_OP(e, Bitcast, emit_vec_type(e, base, 1), v) : v;
}

static void store_words(struct emit *e, const struct emit_access *a)
{
	struct emit_piece p[8];
	unsigned n = emit_plan(e, a, p);
	ir_type base = word_base(e, a);
	uint32_t c[4], v;

	for (unsigned k = 0; k < n; k++) {
		if (p[k].n == 1)
			v = store_word(e, a, p[k].word, base);
		else if (n == 1 && a->bits * a->n == 32u * p[k].n)
			v = emit_get_as(e, a->value, IR_VEC(base, p[k].n));
		else {
			for (unsigned m = 0; m < p[k].n; m++)
				c[m] = store_word(e, a, p[k].word + m, base);
			v = emit_op(e, SpvOpCompositeConstruct, emit_vec_type(e, base, p[k].n), c, p[k].n);
		}
		store(e, a, piece_pointer(e, a, &p[k]), v);
	}
}

static void store_narrow(struct emit *e, const struct emit_access *whole, unsigned k)
{
	struct emit_access a = *whole;
	unsigned bytes = a.bits / 8;
	uint32_t u32 = emit_type(e, IR_I32), v = emit_get_part_as(e, a.value, k, ir_int_of_bits(a.bits)), pointer, shift, old, mask;

	a.imm += k * bytes;
	if (narrow_view(e, &a)) {
		pointer = emit_chain(e, &a, bytes == 1 ? VIEW_U8 : VIEW_U16, emit_index(e, &a, bytes - 1, 0), -1);
		store(e, &a, pointer, v);
		return;
	}
	v = E_OP(e, UConvert, u32, v);
	shift = bit_shift(e, &a, 0);
	pointer = emit_space_word(e, &a);
	if (a.space != MEM_SCRATCH) {
		emit_insert(e, &a, pointer, shift, v);
		return;
	}
	old = load(e, &a, u32, pointer); /* this lane's own word */
	mask = E_OP(e, ShiftLeftLogical, u32, emit_u32(e, (1u << a.bits) - 1), shift);
	old = E_OP(e, BitwiseAnd, u32, old, E_OP(e, Not, u32, mask));
	v = E_OP(e, ShiftLeftLogical, u32, v, shift);
	store(e, &a, pointer, E_OP(e, BitwiseOr, u32, old, v));
}

void emit_store(struct emit *e, ir_id id)
{
	const struct emit_access *a = emit_access_of(e, id, true);
	struct emit_guard g;
	bool guarded;

	if (!a)
		return;
	if (a->space == MEM_BUFFER && e->fn->res[a->res].kind != RES_STORAGE_BUFFER) {
		emit_refuse(e, DIAG_DESCRIPTOR, "a store to read-only memory");
		return;
	}
	guarded = emit_guard_begin(e, mask_of(e, id), &g);
	if (a->wide)
		emit_shared_store(e, a);
	else if (a->words)
		store_words(e, a);
	else
		for (unsigned k = 0; k < a->n; k++)
			store_narrow(e, a, k);
	if (guarded)
		emit_guard_end(e, &g, 0, NULL);
}

/* Size of a storage buffer in bytes, from the run-time array's length. The tail of less than a word is not seen. */
void emit_buflen(struct emit *e, ir_id id)
{
	ir_id bind = ir_args(e->fn, id)[0];
	uint32_t u32 = emit_type(e, IR_I32), res, v, pointer;
	struct emit_access a = {.space = MEM_BUFFER, .bind = bind};

	if (emit_inst(e, bind)->op != IR_bind || emit_inst(e, bind)->imm >= e->fn->nres) {
		emit_refuse(e, DIAG_DESCRIPTOR, "the buffer is not known");
		e->val[id] = emit_undef(e, IR_I32);
		return;
	}
	res = a.res = (uint32_t)emit_inst(e, bind)->imm;
	const struct ir_resource *q = &e->fn->res[res];
	if (q->kind == RES_UNIFORM_TEXEL || q->kind == RES_STORAGE_TEXEL) {
		emit_refuse(e, DIAG_DESCRIPTOR, "the size in bytes of a texel buffer");
		v = emit_undef(e, IR_I32);
	} else if (q->kind != RES_STORAGE_BUFFER) {
		if (!q->size)
			emit_refuse(e, DIAG_FACT, "the size of set %u binding %u is not recorded", q->set, q->binding);
		v = emit_u32(e, q->size);
	} else {
		pointer = emit_block_pointer(e, &a);
		v = E_OP(e, ArrayLength, u32, pointer, 0);
		v = E_OP(e, ShiftLeftLogical, u32, v, emit_u32(e, 2));
	}
	e->val[id] = v;
}
