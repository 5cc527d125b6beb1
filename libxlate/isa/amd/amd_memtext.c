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

static void unified_format(struct amd_text *t)
{
	const struct amd_data *f;
	enum amd_number n;
	uint32_t code = t->in->format;

	if (code == 1)
		return;
	f = amd_data_format(t->in, true, &n);
	if (f)
		amd_text_put(t, " format:[BUF_FMT_%s_%s]", f->name, amd_number_names[n]);
	else if (code)
		amd_text_put(t, " format:%u", code);
	else
		amd_text_put(t, " format:[BUF_FMT_INVALID]");
}

static void split_format(struct amd_text *t)
{
	uint32_t dfmt = t->in->dfmt, nfmt = t->in->nfmt;
	struct amd_inst plain = *t->in;
	const struct amd_data *f;
	enum amd_number n;

	if (dfmt == 1 && !nfmt)
		return;
	plain.nfmt = 0;
	f = amd_data_format(&plain, false, &n);
	amd_text_put(t, " format:[");
	if (dfmt != 1)
		amd_text_put(t, "BUF_DATA_FORMAT_%s%s", f ? f->name : dfmt ? "RESERVED_15" : "INVALID", nfmt ? "," : "");
	if (nfmt)
		amd_text_put(t, "BUF_NUM_FORMAT_%s", nfmt == 6 ? "SNORM_OGL" : amd_number_names[nfmt == 7 ? AMD_N_FLOAT : nfmt]);
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
