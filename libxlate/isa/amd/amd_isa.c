/* amd_isa.c - the AMD guests as seen by the rest of the library. */
#include "amd_table.h"

#include <string.h>

static const struct isa_cpu gfx10_cpus[] = {
	{ "gfx1030", AMD_GFX1030, 32 | 64 },
	{ "gfx1010", AMD_GFX1010, 32 | 64 },
	{ "gfx1013", AMD_GFX1013, 32 | 64 },
	{ 0, 0, 0 },
};

static const struct isa_cpu gfx7_cpus[] = {
	{ "gfx700", AMD_GFX700, 64 },
	{ "gfx704", AMD_GFX700, 64 }, /* the same encodings */
	{ 0, 0, 0 },
};

int amd_disasm(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, char *text,
               size_t cap)
{
	struct amd_inst in;
	int length = amd_decode(cpu, wave, code, size, offset, &in);

	if (length > 0)
		amd_print(cpu, &in, text, cap);
	else if (cap)
		text[0] = 0;
	return length;
}

static size_t next(const uint8_t *code, size_t size, size_t offset)
{
	(void)code;
	return offset < size ? offset : size;
}

static int flow(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, struct isa_flow *out)
{
	struct amd_inst in;
	int length = amd_decode(cpu, wave, code, size, offset, &in);
	bool direct;

	*out = (struct isa_flow){ .falls = true };
	if (length <= 0 || !(in.flags & ISA_F_BRANCH))
		return length;
	direct = amd_formats[amd_rows[in.op].format].shape == AMD_SH_BRANCH;
	out->falls = !(in.flags & ISA_F_END);
	out->target = direct ? in.branch_target : 0;
	if (in.op == AMD_s_call_b64_SOPK)
		out->kind = ISA_FLOW_CALL;
	else if (direct)
		out->kind = ISA_FLOW_JUMP;
	else
		out->kind = in.enc == AMD_ENC_SOPP ? ISA_FLOW_END : ISA_FLOW_INDIRECT;
	return length;
}

/* What amd_alu_test executes, in order of name. */
static const char *const executed7[] = {
#define EXECUTED(isa, name) EXECUTED_##isa(name)
#define EXECUTED_gfx7(name) #name,
#define EXECUTED_gfx10(name)
#include "amd_executed.inc"
#undef EXECUTED_gfx7
#undef EXECUTED_gfx10
};
static const char *const executed10[] = {
#define EXECUTED_gfx7(name)
#define EXECUTED_gfx10(name) #name,
#include "amd_executed.inc"
#undef EXECUTED_gfx7
#undef EXECUTED_gfx10
#undef EXECUTED
};

static bool listed(const char *const *list, size_t n, const char *name)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;
		int order = strcmp(list[mid], name);
		if (!order)
			return true;
		if (order < 0)
			low = mid + 1;
		else
			n = mid;
	}
	return false;
}

static bool row(const struct isa_cpu *cpu, size_t i, struct isa_row *out)
{
	const struct amd_row *r;

	if (i + 1 >= AMD_OP_COUNT)
		return false;
	r = &amd_rows[i + 1];
	out->mnemonic = r->mnemonic;
	out->encoding = amd_encoding(r->enc);
	out->flags = r->flags;
	out->present = r->opcode[cpu->column] != AMD_NA;
	out->lifted = r->lifted;
	out->executed = cpu->waves == 64 ? listed(executed7, sizeof executed7 / sizeof *executed7, r->mnemonic) :
		listed(executed10, sizeof executed10 / sizeof *executed10, r->mnemonic);
	return true;
}

const struct isa isa_gfx10 = {
	.name = "gfx10",
	.cpus = gfx10_cpus,
	.word = 4,
	.stages = ~0u,
	.disasm = amd_disasm,
	.next = next,
	.flow = flow,
	.row = row,
	.lift = amd_lift,
};

const struct isa isa_gfx7 = {
	.name = "gfx7",
	.cpus = gfx7_cpus,
	.word = 4,
	.stages = ~0u,
	.disasm = amd_disasm,
	.next = next,
	.flow = flow,
	.row = row,
	.lift = amd_lift,
};
