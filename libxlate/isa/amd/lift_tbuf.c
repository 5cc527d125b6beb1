/* lift_tbuf.c - buffer accesses whose instruction names the format: bytes of the buffer, converted here.
 *
 * Normalised numbers are correctly rounded quotients: x times the rounded reciprocal of d = 2^k - 1, plus the residue, which
 * is exact in f32 (x - q 2^k + q = x - q d), times the reciprocal. That gives the nearest float for every x of every width
 * here. Components that the format lacks read as 0, the fourth as 1. What is not described (integers and halves that do not fit
 * when stored, formats of no meaning such as floats of 8 bits) is refused.
 */
#include "amd_table.h"
#include "lift_amd.h"

struct tbuf {
	const struct amd_data *f;
	enum amd_number number;
	bool words;                /* components share a word */
	struct lift_buffer b;
};

static bool is_int(const struct tbuf *t) { return t->number == AMD_N_UINT || t->number == AMD_N_SINT; }
static bool is_signed(const struct tbuf *t)
{
	return t->number == AMD_N_SNORM || t->number == AMD_N_SSCALED || t->number == AMD_N_SINT;
}

static bool tbuf_of(struct amd_lift *l, struct tbuf *t)
{
	t->f = amd_data_format(l->in, !l->gfx7, &t->number);
	if (!t->f) {
		lift_refuse(l, "a buffer format that is not described");
		return false;
	}
	unsigned bits = t->f->bits[0];
	t->words = t->f->bits[0] != 8 && t->f->bits[0] != 16 && t->f->bits[0] != 32;
	if ((t->number == AMD_N_FLOAT && (bits == 8 || t->f->n == 4) && bits != 16 && bits != 32) || (bits == 32 && t->number < AMD_N_UINT)) {
		lift_refuse(l, "a buffer format of %s %s", t->f->name, amd_number_names[t->number]);
		return false;
	}
	return lift_buffer_of(l, &t->b);
}

static ir_id f32(struct amd_lift *l, float v)
{
	union { float f; uint32_t u; } bits = { v };

	return ir_const(l->fn, IR_F32, bits.u);
}

static ir_id f2(struct amd_lift *l, enum ir_op op, ir_id a, ir_id b) { return op2(l, op, IR_F32, a, b); }
static ir_id fk(struct amd_lift *l, enum ir_op op, ir_id a, float k) { return f2(l, op, a, f32(l, k)); }

static ir_id quotient(struct amd_lift *l, ir_id x, unsigned k) /* x / (2^k - 1) */
{
	ir_id r = f32(l, 1.0f / (float)((1u << k) - 1)), q = f2(l, IR_fmul, x, r);
	ir_id rest = f2(l, IR_fadd, f2(l, IR_fsub, x, fk(l, IR_fmul, q, (float)(1u << k))), q);

	return f2(l, IR_fadd, q, f2(l, IR_fmul, rest, r));
}

/* `raw`: the component's bits, zeros above. As 32 bits of the register. */
static ir_id from_bits(struct amd_lift *l, const struct tbuf *t, ir_id raw, unsigned bits)
{
	ir_id v = raw;

	if (is_signed(t) && bits < 32)
		v = ik(l, IR_ashr, ik(l, IR_shl, raw, 32 - bits), 32 - bits);
	if (is_int(t) || bits == 32)
		return v;
	if (t->number == AMD_N_FLOAT) { /* 11 and 10 bits: halves without a sign, the mantissa cut */
		ir_id h = bits == 16 ? raw : ik(l, IR_shl, raw, 15 - bits);
		v = op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, op1(l, IR_trunc, IR_I16, h)));
		return lift_cast(l, IR_I32, v);
	}
	v = op1(l, is_signed(t) ? IR_s2f : IR_u2f, IR_F32, v);
	if (t->number == AMD_N_UNORM)
		v = quotient(l, v, bits);
	else if (t->number == AMD_N_SNORM)
		v = fk(l, IR_fmax, quotient(l, v, bits - 1), -1);
	return lift_cast(l, IR_I32, v);
}

static void at(struct amd_lift *l, const struct tbuf *t, ir_id id)
{
	unsigned bits = t->f->bits[0];

	lift_access(l, id, l->in->offset, bits == 8 ? 0 : bits == 16 ? 1 : 2, lift_cache_scope(l->in));
}

/* The components that are there, up to n, as their bits. */
static unsigned load_bits(struct amd_lift *l, const struct tbuf *t, unsigned n, ir_id raw[4])
{
	ir_type one = t->words ? IR_I32 : ir_int_of_bits(t->f->bits[0]);
	unsigned have = n < t->f->n ? n : t->f->n, loads = t->words ? 1 : have;
	ir_id v = ir_new(l->fn, IR_ldbuf, IR_VEC(one, loads), 4, (ir_id[]){ t->b.mask, t->b.res, t->b.off, t->b.index });

	at(l, t, v);
	for (unsigned i = 0, bit = 0; i < have; bit += t->f->bits[i++])
		raw[i] = t->words ? lift_ubfe(l, v, bit, t->f->bits[i], false) : one == IR_I32 ? lift_elem(l, v, loads, i) :
			op1(l, IR_zext, IR_I32, lift_elem(l, v, loads, i));
	return have;
}

/* Component i as a half of the register. */
static ir_id half_of(struct amd_lift *l, const struct tbuf *t, ir_id raw, ir_id value, unsigned bits)
{
	if (is_int(t) || (t->number == AMD_N_FLOAT && bits == 16))
		return op1(l, IR_trunc, IR_I16, is_int(t) ? value : raw);
	return lift_cast(l, IR_I16, op1(l, IR_f2f, IR_F16, lift_cast(l, IR_F32, value)));
}

void lift_tbuf_load(struct amd_lift *l, const struct lift_row *r) /* D16LO; count: components */
{
	unsigned n = lift_count(r), have, to = l->in->dst[0].index;
	bool halves = r->arg & D16LO;
	struct tbuf t;
	ir_id raw[4], v[4];

	if (!tbuf_of(l, &t))
		return;
	if (halves && is_int(&t) && t.f->bits[0] == 32) {
		lift_refuse(l, "integers of 32 bits as halves");
		return;
	}
	have = load_bits(l, &t, n, raw);
	for (unsigned i = 0; i < n; i++) {
		uint32_t one = is_int(&t) ? 1 : halves ? 0x3c00 : 0x3f800000;
		if (i >= have)
			v[i] = ir_const(l->fn, halves ? IR_I16 : IR_I32, i == 3 ? one : 0);
		else {
			v[i] = from_bits(l, &t, raw[i], t.f->bits[i]);
			v[i] = halves ? half_of(l, &t, raw[i], v[i], t.f->bits[i]) : v[i];
		}
	}
	for (unsigned i = 0; i < n && !halves; i++)
		lift_set_vgpr(l, to + i, v[i]);
	for (unsigned i = 0; i < n && halves; i += 2) /* the last register of an odd count keeps its upper half */
		lift_set_vgpr(l, to + i / 2, op2(l, IR_pack32, IR_I32, v[i],
			i + 1 < n ? v[i + 1] : lift_half(l, lift_vgpr(l, to + i / 2), true)));
}

/* A register's value, or a half of one, as the component's bits: i32, zeros above. 0: refused. */
static ir_id to_bits(struct amd_lift *l, const struct tbuf *t, unsigned i, bool halves)
{
	unsigned bits = t->f->bits[i], k = t->number == AMD_N_SNORM ? bits - 1 : bits;
	ir_id v = lift_dword(l, &l->in->data[0], halves ? i / 2 : i);
	float most = (float)((1ull << k) - 1);

	if (halves) {
		ir_id h = lift_half(l, v, i & 1);
		if (t->number == AMD_N_FLOAT && bits == 16)
			return op1(l, IR_zext, IR_I32, h);
		v = is_int(t) ? op1(l, is_signed(t) ? IR_sext : IR_zext, IR_I32, h) :
			lift_cast(l, IR_I32, op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, h)));
	}
	if (bits == 32)
		return v;
	if (t->number != AMD_N_UNORM && t->number != AMD_N_SNORM) {
		lift_refuse(l, "a store as %s %s, whose rounding or clamping is not described", t->f->name, amd_number_names[t->number]);
		return 0;
	}
	v = lift_cast(l, IR_F32, v);
	if (t->number == AMD_N_UNORM)
		return op1(l, IR_f2u, IR_I32, op1(l, IR_frndne, IR_F32, fk(l, IR_fmul, op1(l, IR_fsat, IR_F32, v), most)));
	ir_id number = b2(l, IR_feq, v, v), c = fk(l, IR_fmax, fk(l, IR_fmin, v, 1), -1);
	v = op1(l, IR_f2s, IR_I32, op1(l, IR_frndne, IR_F32, fk(l, IR_fmul, c, most)));
	v = op3(l, IR_select, IR_I32, number, v, lift_c32(l, 0));
	return ik(l, IR_iand, v, (uint32_t)((1ull << bits) - 1));
}

void lift_tbuf_store(struct amd_lift *l, const struct lift_row *r) /* D16LO; count: components */
{
	unsigned n = lift_count(r), bit = 0;
	struct tbuf t;
	ir_id v[4], word = 0;

	if (!tbuf_of(l, &t))
		return;
	if (n < t.f->n) {
		lift_refuse(l, "a store of fewer components than the format has");
		return;
	}
	n = t.f->n;
	for (unsigned i = 0; i < n; i++) {
		v[i] = to_bits(l, &t, i, r->arg & D16LO);
		if (!v[i])
			return;
		if (!t.words && t.f->bits[i] < 32)
			v[i] = op1(l, IR_trunc, ir_int_of_bits(t.f->bits[i]), v[i]);
	}
	for (unsigned i = 0; i < n && t.words; bit += t.f->bits[i++]) {
		ir_id part = bit ? ik(l, IR_shl, v[i], bit) : v[i];
		word = word ? i2(l, IR_ior, word, part) : part;
	}
	if (!t.words)
		word = n == 1 ? v[0] : ir_new(l->fn, IR_vec, IR_VEC(ir_int_of_bits(t.f->bits[0]), n), n, v);
	at(l, &t, ir_new(l->fn, IR_stbuf, IR_VOID, 5, (ir_id[]){ t.b.mask, t.b.res, t.b.off, t.b.index, word }));
}
