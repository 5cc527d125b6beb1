/* amd_memtext.c - printing of memory, LDS, image and export instructions. */
#include <inttypes.h>

#include "amd_text.h"

static const char *list(struct amd_text *t, const char *gap, const struct amd_opnd *o)
{
	if (o->kind == AMD_K_NONE)
		return gap;
	amd_text_put(t, "%s", gap);
	amd_text_opnd(t, o);
	return ", ";
}

static void cache_bits(struct amd_text *t)
{
	const struct amd_inst *in = t->in;

	amd_text_put(t, "%s%s%s", in->glc ? " glc" : "", in->slc ? " slc" : "", in->dlc ? " dlc" : "");
}

static void signed_hex(struct amd_text *t, const char *before, int64_t value)
{
	if (value < 0)
		amd_text_put(t, "%s-0x%" PRIx64, before, (uint64_t)-value);
	else
		amd_text_put(t, "%s0x%" PRIx64, before, (uint64_t)value);
}

static void scalar_memory(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	const char *gap = " ";

	if (t->format->shape == AMD_SH_PROBE) {
		amd_text_put(t, " ");
		amd_simm_print(t);
		gap = ", ";
	} else {
		gap = list(t, gap, in->data[0].kind ? &in->data[0] : &in->dst[0]);
	}
	if (t->format->shape == AMD_SH_NOADDR)
		return;
	gap = list(t, gap, &in->sbase);
	if (in->soffset.kind) {
		list(t, gap, &in->soffset);
		if (in->offset)
			signed_hex(t, " offset:", in->offset);
	} else if (t->gfx10 && !in->offset) {
		amd_text_put(t, ", null");
	} else {
		signed_hex(t, ", ", t->gfx10 ? in->offset : in->offset / 4);
	}
	cache_bits(t);
}

static const char *bitmask_char(uint32_t zero, uint32_t one)
{
	if (zero == one)
		return zero ? "1" : "0";
	return zero ? "i" : "p";
}

/* ds_swizzle_b32: the offset is a lane pattern. */
static void swizzle(struct amd_text *t)
{
	uint32_t v = (uint32_t)t->in->offset, and = v & 31, or = v >> 5 & 31, xor = v >> 10 & 31, group = 32 - and;

	if (!v)
		return;
	amd_text_put(t, " offset:");
	if ((v & 0xff00) == 0x8000) {
		amd_text_put(t, "swizzle(QUAD_PERM,%u,%u,%u,%u)", v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3);
	} else if (v & 0x8000) {
		amd_text_put(t, "%u", v);
	} else if (and == 31 && !or && xor && !(xor &(xor - 1))) {
		amd_text_put(t, "swizzle(SWAP,%u)", xor);
	} else if (and == 31 && !or && xor && !(xor &(xor + 1))) {
		amd_text_put(t, "swizzle(REVERSE,%u)", xor + 1);
	} else if (group > 1 && !(group & (group - 1)) && or < group && !xor) {
		amd_text_put(t, "swizzle(BROADCAST,%u,%u)", group, or);
	} else {
		amd_text_put(t, "swizzle(BITMASK_PERM,\"");
		for (uint32_t bit = 16; bit; bit >>= 1)
			amd_text_put(t, "%s", bitmask_char((or ^xor) & bit, ((and | or) ^ xor) & bit));
		amd_text_put(t, "\")");
	}
}

static void lds(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	const char *gap = list(t, " ", &in->dst[0]);

	gap = list(t, gap, &in->addr);
	gap = list(t, gap, &in->data[0]);
	list(t, gap, &in->data[1]);
	if (in->op == AMD_ds_swizzle_b32_DS) {
		swizzle(t);
	} else if (in->flags & AMD_F_OFF2) {
		if (in->offset0)
			amd_text_put(t, " offset0:%u", in->offset0);
		if (in->offset1)
			amd_text_put(t, " offset1:%u", in->offset1);
	} else if (in->offset) {
		amd_text_put(t, " offset:%" PRId64, in->offset);
	}
	if (in->gds)
		amd_text_put(t, " gds");
}

/* gfx10 unified formats: channels, then number format, in the order of their codes. */
static void unified_format(struct amd_text *t)
{
	static const struct {
		const char *data;
		uint8_t first;
		uint8_t numbers; /* bit n: has number format n, in numeric order of the code */
	} groups[] = {
		{ "8", 1, 0x3f },           { "16", 7, 0x7f },           { "8_8", 14, 0x3f },      { "32", 20, 0x70 },
		{ "16_16", 23, 0x7f },      { "10_11_11", 30, 0x7f },    { "11_11_10", 37, 0x7f }, { "10_10_10_2", 44, 0x3f },
		{ "2_10_10_10", 50, 0x3f }, { "8_8_8_8", 56, 0x3f },     { "32_32", 62, 0x70 },    { "16_16_16_16", 65, 0x7f },
		{ "32_32_32", 72, 0x70 },   { "32_32_32_32", 75, 0x70 }, { "", 78, 0 },
	};
	static const char *const numbers[7] = { "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "FLOAT" };
	uint32_t code = t->in->format, g = 0, skip, n;

	if (code == 1)
		return;
	if (!code) {
		amd_text_put(t, " format:[BUF_FMT_INVALID]");
		return;
	}
	if (code >= 78) {
		amd_text_put(t, " format:%u", code);
		return;
	}
	while (code >= groups[g + 1].first)
		g++;
	skip = code - groups[g].first;
	for (n = 0; n < 6; n++) {
		if (groups[g].numbers >> n & 1 && !skip--)
			break;
	}
	amd_text_put(t, " format:[BUF_FMT_%s_%s]", groups[g].data, numbers[n]);
}

static void split_format(struct amd_text *t)
{
	static const char *const data[16] = { "INVALID",    "8",          "16",      "8_8",        "32",          "16_16",
		                              "10_11_11",   "11_11_10",   "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32",
		                              "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15" };
	static const char *const numbers[8] = { "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SNORM_OGL", "FLOAT" };
	uint32_t dfmt = t->in->dfmt, nfmt = t->in->nfmt;

	if (dfmt == 1 && !nfmt)
		return;
	amd_text_put(t, " format:[");
	if (dfmt != 1)
		amd_text_put(t, "BUF_DATA_FORMAT_%s%s", data[dfmt], nfmt ? "," : "");
	if (nfmt)
		amd_text_put(t, "BUF_NUM_FORMAT_%s", numbers[nfmt]);
	amd_text_put(t, "]");
}

static void buffer(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	const char *gap;

	if (t->format->shape == AMD_SH_NOADDR)
		return;
	gap = list(t, " ", in->data[0].kind ? &in->data[0] : &in->dst[0]);
	gap = list(t, gap, &in->addr);
	gap = list(t, gap, &in->sbase);
	list(t, gap, &in->soffset);
	if (in->enc == AMD_ENC_MTBUF) {
		if (t->gfx10)
			unified_format(t);
		else
			split_format(t);
	}
	amd_text_put(t, "%s%s%s", in->idxen ? " idxen" : "", in->offen ? " offen" : "", in->addr64 ? " addr64" : "");
	if (in->offset)
		amd_text_put(t, " offset:%" PRId64, in->offset);
	cache_bits(t);
	amd_text_put(t, "%s%s", in->tfe ? " tfe" : "", in->lds ? " lds" : "");
}

static void flat(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	const char *gap = list(t, " ", &in->dst[0]);

	gap = list(t, gap, &in->addr);
	gap = list(t, gap, &in->data[0]);
	list(t, gap, &in->sbase);
	if (in->offset)
		amd_text_put(t, " offset:%" PRId64, in->offset);
	cache_bits(t);
	amd_text_put(t, "%s%s", in->tfe ? " tfe" : "", in->lds ? " lds" : "");
}

static void image(struct amd_text *t)
{
	static const char *const dims[8] = { "1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY" };
	const struct amd_inst *in = t->in;
	const char *gap = list(t, " ", in->data[0].kind ? &in->data[0] : &in->dst[0]);

	if (in->nnsa) {
		for (uint32_t n = 0; n < in->nnsa; n++)
			amd_text_put(t, "%sv%u", n ? ", " : ", [", in->nsa[n]);
		amd_text_put(t, "]");
	} else {
		gap = list(t, gap, &in->addr);
	}
	gap = list(t, gap, &in->sbase);
	list(t, gap, &in->samp);
	if (t->format->shape == AMD_SH_BVH) {
		amd_text_put(t, "%s", in->a16 ? " a16" : "");
		return;
	}
	if (in->dmask)
		amd_text_put(t, " dmask:0x%x", in->dmask);
	if (t->gfx10)
		amd_text_put(t, " dim:SQ_RSRC_IMG_%s", dims[in->dim]);
	amd_text_put(t, "%s", in->unrm ? " unorm" : "");
	cache_bits(t);
	amd_text_put(t, "%s%s%s%s%s%s", in->r128 ? " r128" : "", in->a16 ? " a16" : "", in->tfe ? " tfe" : "",
	             in->lwe ? " lwe" : "", in->da ? " da" : "", in->d16 ? " d16" : "");
}

static void export_target(struct amd_text *t)
{
	uint32_t target = t->in->target;

	if (target < 8)
		amd_text_put(t, " mrt%u", target);
	else if (target == 8)
		amd_text_put(t, " mrtz");
	else if (target == 9)
		amd_text_put(t, " null");
	else if (target >= 12 && target <= 16)
		amd_text_put(t, " pos%u", target - 12);
	else if (target == 20)
		amd_text_put(t, " prim");
	else
		amd_text_put(t, " param%u", target - 32);
}

static void export_print(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	const char *gap = " ";

	export_target(t);
	for (uint32_t n = 0; n < 4; n++)
		gap = list(t, gap, &in->src[n]);
	amd_text_put(t, "%s%s%s", in->done ? " done" : "", in->compr ? " compr" : "", in->vm ? " vm" : "");
}

void amd_memtext_print(struct amd_text *t)
{
	switch (t->in->enc) {
	case AMD_ENC_SMRD:
	case AMD_ENC_SMEM:
		scalar_memory(t);
		break;
	case AMD_ENC_DS:
		lds(t);
		break;
	case AMD_ENC_MUBUF:
	case AMD_ENC_MTBUF:
		buffer(t);
		break;
	case AMD_ENC_MIMG:
		image(t);
		break;
	case AMD_ENC_EXP:
		export_print(t);
		break;
	default:
		flat(t);
	}
}
