/* amd_text.c - printing of operands in LLVM syntax. */
#include "amd_text.h"

#include "amd_dec.h"

#include <inttypes.h>

static const char *special_name(const struct amd_opnd *o)
{
	bool pair = o->dwords == 2;

	switch (o->index) {
	case AMD_FLAT_SCRATCH_LO:
		return pair ? "flat_scratch" : "flat_scratch_lo";
	case AMD_FLAT_SCRATCH_HI:
		return "flat_scratch_hi";
	case AMD_VCC_LO:
		return pair ? "vcc" : "vcc_lo";
	case AMD_VCC_HI:
		return "vcc_hi";
	case AMD_TBA_LO:
		return pair ? "tba" : "tba_lo";
	case AMD_TBA_HI:
		return "tba_hi";
	case AMD_TMA_LO:
		return pair ? "tma" : "tma_lo";
	case AMD_TMA_HI:
		return "tma_hi";
	case AMD_M0:
		return "m0";
	case AMD_NULL:
		return "null";
	case AMD_EXEC_LO:
		return pair ? "exec" : "exec_lo";
	case AMD_EXEC_HI:
		return "exec_hi";
	case AMD_SHARED_BASE:
		return "src_shared_base";
	case AMD_SHARED_LIMIT:
		return "src_shared_limit";
	case AMD_PRIVATE_BASE:
		return "src_private_base";
	case AMD_PRIVATE_LIMIT:
		return "src_private_limit";
	case AMD_POPS_EXITING_WAVE_ID:
		return "src_pops_exiting_wave_id";
	case AMD_VCCZ:
		return "src_vccz";
	case AMD_EXECZ:
		return "src_execz";
	case AMD_SCC:
		return "src_scc";
	case AMD_LDS_DIRECT:
		return "src_lds_direct";
	}
	return "?";
}

static void range(struct amd_text *t, const char *file, uint32_t first, uint32_t count)
{
	if (count == 1)
		amd_text_put(t, "%s%" PRIu32, file, first);
	else
		amd_text_put(t, "%s[%" PRIu32 ":%" PRIu32 "]", file, first, first + count - 1);
}

static void constant(struct amd_text *t, const struct amd_opnd *o);

static bool is_16(uint32_t type)
{
	return type == AMD_T_B16 || type == AMD_T_F16;
}

static bool is_64(const struct amd_opnd *o)
{
	return o->type == AMD_T_B64 || o->type == AMD_T_F64 || (o->type == AMD_T_MASK && o->dwords == 2);
}

static int64_t signed_value(const struct amd_opnd *o)
{
	if (is_16(o->type))
		return (int16_t)o->value;
	return is_64(o) ? (int64_t)o->value : (int32_t)o->value;
}

/* Which inline float has the operand's bits? 9: none. */
static uint32_t float_index(const struct amd_opnd *o)
{
	struct amd_opnd f = *o;

	for (uint32_t n = 0; n < 9; n++) {
		amd_dec_float(&f, n);
		if (f.value == o->value)
			return n;
	}
	return 9;
}

/* The literal of a 16-bit integer operand: all 32 bits decide whether it looks like an inline constant. */
static void literal_16(struct amd_text *t)
{
	struct amd_opnd whole = { .kind = AMD_K_LITERAL, .type = AMD_T_B32, .value = t->in->literal };
	int32_t value = (int32_t)t->in->literal;

	if ((value >= -16 && value <= 64) || float_index(&whole) < 9)
		constant(t, &whole);
	else
		amd_text_put(t, "0x%" PRIx32, t->in->literal & 0xffff);
}

/* Constants print by value: LLVM does not keep whether one came inline or as a literal. Integer operands of 16 bits and
 * literals of packed integers show the bits of a float. */
static void constant(struct amd_text *t, const struct amd_opnd *o)
{
	static const char *const names[9] = { "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494" };
	int64_t value;
	uint32_t n;

	if (o->type == AMD_T_B16 && o->kind == AMD_K_LITERAL) {
		literal_16(t);
		return;
	}
	if (o->type == AMD_T_MIX && o->kind == AMD_K_LITERAL) { /* shown as the half it may be read as */
		struct amd_opnd half = *o;

		half.type = AMD_T_F16;
		half.value &= 0xffff;
		constant(t, &half);
		return;
	}
	value = signed_value(o);
	if (value >= -16 && value <= 64) {
		amd_text_put(t, "%" PRId64, value);
		return;
	}
	n = o->type == AMD_T_B16 ? 9 : float_index(o);
	if (n == 8 && is_64(o))
		amd_text_put(t, "0.15915494309189532");
	else if (n < (t->gfx10 ? 9u : 8u))
		amd_text_put(t, "%s", names[n]);
	else
		amd_text_put(t, "0x%" PRIx64, o->type == AMD_T_F64 ? o->value >> 32 : o->value);
}

void amd_text_opnd(struct amd_text *t, const struct amd_opnd *o)
{
	static const char channels[4] = "xyzw";

	switch (o->kind) {
	case AMD_K_SGPR:
		range(t, "s", o->index, o->dwords);
		break;
	case AMD_K_VGPR:
		range(t, "v", o->index, o->dwords);
		break;
	case AMD_K_TTMP:
		range(t, "ttmp", o->index, o->dwords);
		break;
	case AMD_K_SPECIAL:
		amd_text_put(t, "%s", special_name(o));
		break;
	case AMD_K_INT:
	case AMD_K_FLOAT:
	case AMD_K_LITERAL:
		constant(t, o);
		break;
	case AMD_K_OFF:
		amd_text_put(t, "off");
		break;
	case AMD_K_ATTR:
		amd_text_put(t, "attr%u.%c", t->in->attr, channels[t->in->chan & 3]);
		break;
	}
}
