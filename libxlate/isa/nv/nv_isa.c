/* nv_isa.c - the sm86 and sm53 entries of the ISA list. */
#include "nv_lift.h"
#include "nv_shape.h"

const struct nv_row nv_rows[NV_OP_COUNT] = {
#define INST(id, name, text, shape, lifter, flags) {name, text, shape, flags},
#define E53(...)
#define E86(...)
#include "nv.def"
#undef INST
#undef E53
#undef E86
};

static const struct isa_cpu cpu_sm86[] = {{"sm86", NV_SM86, 32}, {0}};
static const struct isa_cpu cpu_sm53[] = {{"sm53", NV_SM53, 32}, {0}};

static int disasm(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset,
	char *text, size_t cap)
{
	struct nv_inst in;
	int n = nv_decode(cpu, code, size, offset, &in);

	(void)wave;
	if (cap)
		text[0] = 0;
	if (n > 0)
		nv_print(&in, text, cap);
	return n;
}

static size_t next86(const uint8_t *code, size_t size, size_t offset)
{
	(void)code;
	offset = (offset + 15) & ~(size_t)15;
	return offset < size ? offset : size;
}

static int flow(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, struct isa_flow *out)
{
	struct nv_inst in;
	int n = nv_decode(cpu, code, size, offset, &in);
	bool always;

	(void)wave;
	*out = (struct isa_flow){.falls = true};
	if (n <= 0 || !(nv_rows[in.op].flags & ISA_F_BRANCH))
		return n;
	always = in.guard.index == NV_PT && !in.guard.inv;
	out->target = in.target;
	out->falls = !always;
	switch (in.op) {
	case NV_SSY:
	case NV_PBK:
	case NV_PCNT:
		out->kind = ISA_FLOW_PUSH;
		out->falls = true;
		out->stack = in.op == NV_SSY ? 0 : in.op == NV_PBK ? 1 : 2;
		break;
	case NV_SYNC:
	case NV_BRK:
	case NV_CONT:
		out->kind = ISA_FLOW_POP;
		out->stack = in.op == NV_SYNC ? 0 : in.op == NV_BRK ? 1 : 2;
		break;
	case NV_CAL:
	case NV_JCAL:
		out->kind = ISA_FLOW_CALL;
		out->falls = true;
		break;
	case NV_RET: out->kind = ISA_FLOW_INDIRECT; break;
	case NV_EXIT: out->kind = ISA_FLOW_END; break;
	default: out->kind = ISA_FLOW_JUMP;
	}
	return n;
}

static bool row(const struct isa_cpu *cpu, size_t i, struct isa_row *out)
{
	const struct nv_row *r = &nv_rows[i];

	if (i >= NV_OP_COUNT)
		return false;
	out->mnemonic = r->name;
	out->encoding = cpu->column == NV_SM53 ? "64-bit" : "128-bit";
	out->flags = r->flags;
	out->present = nv_has(cpu->column, (unsigned)i);
	out->lifted = nv_lifters[i] != NULL;
	return true;
}

const struct isa isa_sm86 = {"sm86", cpu_sm86, 16, 1u << STAGE_COMPUTE, disasm, next86, flow, row, nv_lift};
const struct isa isa_sm53 = {"sm53", cpu_sm53, 8, 1u << STAGE_COMPUTE, disasm, nv53_next, flow, row, nv_lift};
