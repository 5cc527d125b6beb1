/* emit_addr.c - byte offsets of memory accesses to array indices.
 *
 * A guest computes byte offsets; a SPIR-V array wants an element index. `(x << 4) + 8` at element size 4 becomes
 * `(x << 2) + 2`, so that the shifts of the guest's address arithmetic vanish instead of being undone.
 *
 * Under BOUNDS_HOST an index is computed modulo 2^32 elements instead of modulo 2^32 bytes: both differ only for offsets
 * that wrapped around 4 GiB, which no binding can reach. Under BOUNDS_EXACT the offset is formed in bytes first.
 *
 * Word accesses are aligned to words: both vendors' memory units require it of the accesses that compilers emit.
 */
#include "emit.h"

#include <string.h>

enum { SPLIT_DEPTH = 4 };

static unsigned ctz64(uint64_t v)
{
	return v ? (unsigned)__builtin_ctzll(v) : 32;
}

unsigned emit_align(const struct emit *e, ir_id v, unsigned depth)
{
	const struct ir_inst *i = emit_inst(e, v);
	uint64_t k;
	unsigned a, b;

	if (emit_is_const(e, v, &k))
		return ctz64(k);
	if (!depth)
		return 0;
	switch (i->op) {
	case IR_shl:
		if (!emit_is_const(e, i->a[1], &k))
			return 0;
		a = emit_align(e, i->a[0], depth - 1) + (unsigned)(k & 31);
		return a > 32 ? 32 : a;
	case IR_iadd: case IR_isub: case IR_ior: case IR_ixor:
		a = emit_align(e, i->a[0], depth - 1);
		b = emit_align(e, i->a[1], depth - 1);
		return a < b ? a : b;
	case IR_iand:
		a = emit_align(e, i->a[0], depth - 1);
		b = emit_align(e, i->a[1], depth - 1);
		return a > b ? a : b;
	case IR_imul:
		a = emit_align(e, i->a[0], depth - 1) + emit_align(e, i->a[1], depth - 1);
		return a > 32 ? 32 : a;
	default: return 0;
	}
}

struct splitter { const struct emit *e; struct emit_addr *out; unsigned shift; bool ok; };

static void add_term(struct splitter *s, ir_id v, unsigned scale, uint32_t mul, bool shr)
{
	struct emit_addr *o = s->out;

	if (o->n == 3) {
		s->ok = false;
		return;
	}
	o->term[o->n] = v;
	o->scale[o->n] = (uint8_t)scale;
	o->mul[o->n] = mul;
	o->shr[o->n++] = shr;
}

/* `or` of parts without common bits is a sum: a shifted value and a smaller constant. */
static bool disjoint(const struct emit *e, const struct ir_inst *i)
{
	uint64_t k;

	return emit_is_const(e, i->a[1], &k) && k < 1ull << (emit_align(e, i->a[0], SPLIT_DEPTH) & 31);
}

static void split(struct splitter *s, ir_id v, unsigned depth)
{
	const struct emit *e = s->e;
	const struct ir_inst *i = emit_inst(e, v);
	uint64_t k;

	if (emit_is_const(e, v, &k)) {
		s->out->byte += k;
		return;
	}
	if (depth && (i->op == IR_iadd || (i->op == IR_ior && disjoint(e, i)))) {
		split(s, i->a[0], depth - 1);
		split(s, i->a[1], depth - 1);
		return;
	}
	if (depth && s->shift && i->op == IR_shl && emit_is_const(e, i->a[1], &k) && (k & 31) >= s->shift) {
		add_term(s, i->a[0], (unsigned)(k & 31) - s->shift, 0, false);
		return;
	}
	if (depth && s->shift && i->op == IR_imul)
		for (unsigned n = 0; n < 2; n++)
			if (emit_is_const(e, i->a[n], &k) && k && !(k & ((1u << s->shift) - 1))) {
				add_term(s, i->a[!n], 0, (uint32_t)k >> s->shift, false);
				return;
			}
	add_term(s, v, 0, 0, true);
}

static void addr_split(const struct emit *e, ir_id off, uint64_t imm, unsigned shift, struct emit_addr *out)
{
	struct splitter s = {.e = e, .out = out, .shift = shift, .ok = true};
	unsigned opaque = 0;
	const struct ir_inst *i = emit_inst(e, off);
	uint64_t k;

	memset(out, 0, sizeof *out);
	out->byte = imm;
	if (e->facts->bounds == BOUNDS_HOST) {
		split(&s, off, shift ? SPLIT_DEPTH : 1);
		for (unsigned n = 0; n < out->n; n++)
			opaque += out->shr[n];
		out->byte &= UINT32_MAX;
		/* a sum may be shifted term by term only when at most one term has low bits */
		if (s.ok && (shift ? opaque <= 1 && (!opaque || ctz64(out->byte) >= shift) : out->n <= 1))
			return;
	}
	memset(out, 0, sizeof *out);
	out->byte = imm & UINT32_MAX;
	if (emit_is_const(e, off, &k)) {
		out->byte = (out->byte + k) & UINT32_MAX;
		return;
	}
	if (e->facts->bounds == BOUNDS_HOST && i->op == IR_iadd && emit_is_const(e, i->a[1], &k) &&
	    ctz64((out->byte + k) & UINT32_MAX) >= shift) {
		out->byte = (out->byte + k) & UINT32_MAX;
		off = i->a[0];
	}
	out->n = 1;
	out->term[0] = off;
	out->shr[0] = true;
}

void emit_new_split(const struct emit *e, const struct emit_access *a, unsigned shift, struct emit_known *k)
{
	addr_split(e, a->off, a->imm, shift, &k->addr);
	k->shift = (uint8_t)(shift + 1);
	k->imm = a->imm;
}

bool emit_const_byte(const struct emit *e, const struct emit_access *a, uint32_t *byte)
{
	uint64_t k;

	if (!emit_is_const(e, a->off, &k))
		return false;
	*byte = (uint32_t)(k + a->imm);
	return true;
}

static uint32_t term_index(struct emit *e, const struct emit_addr *s, unsigned n, unsigned shift)
{
	uint32_t u32 = emit_type(e, IR_I32), v = emit_get_u32(e, s->term[n]);

	if (s->mul[n])
		return s->mul[n] == 1 ? v : E_OP(e, IMul, u32, v, emit_u32(e, s->mul[n]));
	if (s->shr[n])
		return shift ? E_OP(e, ShiftRightLogical, u32, v, emit_u32(e, shift)) : v;
	return s->scale[n] ? E_OP(e, ShiftLeftLogical, u32, v, emit_u32(e, s->scale[n])) : v;
}

/* Index of the element of 1 << shift bytes that holds the access's first byte, plus `add` elements. */
uint32_t emit_index(struct emit *e, const struct emit_access *a, unsigned shift, uint32_t add)
{
	const struct emit_addr *s = emit_split(e, a, shift);
	uint32_t u32 = emit_type(e, IR_I32), byte = (uint32_t)s->byte, sum = 0, extra;

	if (s->n == 1 && s->shr[0] && (ctz64(byte) < shift || e->facts->bounds == BOUNDS_EXACT)) {
		sum = emit_get_u32(e, s->term[0]);
		if (byte)
			sum = E_OP(e, IAdd, u32, sum, emit_u32(e, byte));
		if (shift)
			sum = E_OP(e, ShiftRightLogical, u32, sum, emit_u32(e, shift));
		byte = 0;
	} else
		for (unsigned n = 0; n < s->n; n++) {
			uint32_t t = term_index(e, s, n, shift);
			sum = sum ? E_OP(e, IAdd, u32, sum, t) : t;
		}
	extra = byte >> shift;
	if (byte >> 31 && s->n) /* a negative constant part */
		extra |= shift ? ~(UINT32_MAX >> shift) : 0;
	extra += add;
	if (!sum)
		return emit_u32(e, extra);
	return extra ? E_OP(e, IAdd, u32, sum, emit_u32(e, extra)) : sum;
}

/* What an operation accesses, and where its offset and its value stand among the operands; 0: it has no value. */
static const struct shape { uint8_t space, off, value; bool store, atomic; } shapes[IR_OP_COUNT] = {
	[IR_ldbuf] = {MEM_BUFFER, 2, 0, false, false}, [IR_stbuf] = {MEM_BUFFER, 2, 4, true, false},
	[IR_atbuf] = {MEM_BUFFER, 2, 4, false, true}, [IR_ldshared] = {MEM_SHARED, 1, 0, false, false},
	[IR_stshared] = {MEM_SHARED, 1, 2, true, false}, [IR_atshared] = {MEM_SHARED, 1, 2, false, true},
	[IR_ldscr] = {MEM_SCRATCH, 1, 0, false, false}, [IR_stscr] = {MEM_SCRATCH, 1, 2, true, false},
};

static bool access_args(struct emit *e, ir_id id, struct emit_access *a, bool report)
{
	const struct shape *s = &shapes[emit_inst(e, id)->op];
	const ir_id *arg = ir_args(e->fn, id);
	ir_id value = arg[s->value];
	uint64_t k;

	a->space = s->space;
	a->store = s->store;
	a->atomic = s->atomic;
	a->off = arg[s->off];
	a->value = s->value ? value : 0;
	if (s->space != MEM_BUFFER)
		return true;
	a->bind = arg[1];
	if (emit_inst(e, a->bind)->op != IR_bind || emit_inst(e, a->bind)->imm >= e->fn->nres) {
		if (report)
			emit_refuse(e, DIAG_DESCRIPTOR, "the buffer of this access is not known");
		return false;
	}
	a->res = (uint32_t)emit_inst(e, a->bind)->imm;
	if (e->fn->res[a->res].kind > RES_CONST_DATA) {
		if (report)
			emit_refuse(e, DIAG_DESCRIPTOR, "a raw buffer access to set %u binding %u, which is no buffer",
			            e->fn->res[a->res].set, e->fn->res[a->res].binding);
		return false;
	}
	if (arg[3] && !(emit_is_const(e, arg[3], &k) && !k)) {
		if (report)
			emit_refuse(e, DIAG_DESCRIPTOR, "a record index into a buffer whose stride is not known");
		return false;
	}
	return true;
}

static bool access_of(struct emit *e, ir_id id, struct emit_access *a, bool report)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned natural, known, flag;
	uint32_t byte;

	memset(a, 0, sizeof *a);
	a->id = id;
	a->imm = i->imm & UINT32_MAX;
	a->flags = i->flags;
	if (!access_args(e, id, a, report))
		return false;
	if (a->space == MEM_SHARED && emit_has_wide(e))
		emit_shared_place(e, a);
	a->type = emit_inst(e, a->store ? a->value : id)->type;
	a->bits = ir_bits(a->type);
	a->n = ir_elems(a->type);
	if (a->bits < 8) {
		if (report)
			emit_refuse(e, DIAG_UNLIFTED, "a memory access of type b1");
		return false;
	}
	flag = (i->flags & IR_F_ALIGN_MASK) >> IR_F_ALIGN_SHIFT;
	natural = a->bits == 8 ? 0 : a->bits == 16 ? 1 : 2;
	known = a->bits == 32 && a->n == 1 ? natural : emit_align(e, a->off, SPLIT_DEPTH); /* of one word, more is of no use */
	if (a->imm && ctz64(a->imm) < known)
		known = ctz64(a->imm);
	a->align = known > flag ? known : flag;
	if (a->align < natural)
		a->align = natural;
	if (emit_const_byte(e, a, &byte)) {
		a->align = ctz64(byte);
		if (a->align < natural) {
			if (report)
				emit_refuse(e, DIAG_UNLIFTED, "a %u-bit access at byte %u, which is not aligned", a->bits, byte);
			return false;
		}
	}
	if (a->bits >= 32 || (a->bits * a->n % 32 == 0 && a->align >= 2))
		a->words = a->bits * a->n / 32;
	return true;
}

const struct emit_access *emit_new_access(struct emit *e, ir_id id, bool report)
{
	struct emit_known *k;

	e->accesses = arena_grow_raw(e->arena, e->accesses, e->naccess, &e->access_cap, e->naccess + 1, sizeof *e->accesses);
	k = &e->accesses[e->naccess];
	if (!access_of(e, id, &k->a, report))
		return NULL;
	k->shift = 0;
	e->access[id] = (uint32_t)++e->naccess;
	return &k->a;
}

unsigned emit_plan_words(const struct emit *e, const struct emit_access *a, struct emit_piece piece[8])
{
	unsigned kind = a->space == MEM_BUFFER ? e->fn->res[a->res].kind : (unsigned)RES_PUSH, n = 0;
	bool vectors = emit_of_vectors(e, a), checked = a->flags & IR_F_BOUNDS;
	bool whole = kind == RES_CONST_DATA && e->fn->res[a->res].size % 16 == 0; /* all of a vector is within, or nothing */
	bool wide = (kind == RES_UNIFORM_BUFFER || kind == RES_STORAGE_BUFFER) && !a->atomic && !checked;

	for (unsigned w = 0; w < a->words && n < 8;) {
		unsigned left = a->words - w, al = a->align, here = ctz64(w * 4);
		struct emit_piece p = {VIEW_U32, 1, (uint8_t)w};
		if (w && here < al)
			al = here;
		if ((wide || whole) && al >= 4 && left >= 4)
			p = (struct emit_piece){VIEW_V4, 4, (uint8_t)w};
		else if (wide && al >= 4 && left == 3)
			p = (struct emit_piece){VIEW_V3, 3, (uint8_t)w};
		else if (vectors)
			p = (struct emit_piece){VIEW_V4, 1, (uint8_t)w};
		else if (wide && al >= 3 && left >= 2)
			p = (struct emit_piece){VIEW_V2, 2, (uint8_t)w};
		piece[n++] = p;
		w += p.n;
	}
	return n;
}
