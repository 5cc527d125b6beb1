/* amd_simm.c - printing of 16-bit immediates: wait counters, messages, hardware registers. */
#include "amd_text.h"

/* What an inline constant can hold is decimal. */
static void decimal(struct amd_text *t, uint32_t v)
{
	amd_text_put(t, v <= 64 ? "%u" : "0x%x", v);
}

static void waitcnt(struct amd_text *t)
{
	uint32_t v = t->in->simm16;
	uint32_t vm = v & 15, exp = v >> 4 & 7, lgkm = v >> 8 & 15, vm_max = 15, lgkm_max = 15;
	const char *gap = "";
	bool all;

	if (t->gfx10) {
		vm |= (v >> 14 & 3) << 4;
		lgkm = v >> 8 & 63;
		vm_max = lgkm_max = 63;
	}
	all = vm == vm_max && exp == 7 && lgkm == lgkm_max;
	if (vm != vm_max || all) {
		amd_text_put(t, "vmcnt(%u)", vm);
		gap = " ";
	}
	if (exp != 7 || all) {
		amd_text_put(t, "%sexpcnt(%u)", gap, exp);
		gap = " ";
	}
	if (lgkm != lgkm_max || all)
		amd_text_put(t, "%slgkmcnt(%u)", gap, lgkm);
}

static const char *message_name(bool gfx10, uint32_t id)
{
	static const char *const names[16] = {
		[1] = "MSG_INTERRUPT",       [2] = "MSG_GS",           [3] = "MSG_GS_DONE",
		[4] = "MSG_SAVEWAVE",        [5] = "MSG_STALL_WAVE_GEN", [6] = "MSG_HALT_WAVES",
		[7] = "MSG_ORDERED_PS_DONE", [8] = "MSG_EARLY_PRIM_DEALLOC", [9] = "MSG_GS_ALLOC_REQ",
		[10] = "MSG_GET_DOORBELL",   [11] = "MSG_GET_DDID",    [15] = "MSG_SYSMSG",
	};

	return !gfx10 && id > 3 && id < 15 ? 0 : names[id];
}

static void message(struct amd_text *t)
{
	static const char *const gs_ops[4] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
	static const char *const sys_ops[5] = { 0, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
		                                "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC" };
	uint32_t v = t->in->simm16, id = v & 15, op = v >> 4 & 7, stream = v >> 8 & 3;
	const char *name = message_name(t->gfx10, id);

	if ((id == 2 || id == 3) && op >= 1 && op <= 3)
		amd_text_put(t, "sendmsg(%s, %s, %u)", name, gs_ops[op], stream);
	else if (id == 3 && !op && !stream)
		amd_text_put(t, "sendmsg(%s, %s)", name, gs_ops[0]);
	else if (id == 15 && !stream && op >= 1 && op <= 4 && !(op == 3 && t->gfx10))
		amd_text_put(t, "sendmsg(%s, %s)", name, sys_ops[op]);
	else if (name && id != 2 && id != 3 && id != 15 && !op && !stream)
		amd_text_put(t, "sendmsg(%s)", name);
	else if ((id | op << 4 | stream << 8) == v)
		amd_text_put(t, "sendmsg(%u, %u, %u)", id, op, stream);
	else
		amd_text_put(t, "%u", v);
}

static void hwreg(struct amd_text *t)
{
	static const char *const names10[32] = {
		[1] = "MODE",        [2] = "STATUS",    [3] = "TRAPSTS",  [5] = "GPR_ALLOC",    [6] = "LDS_ALLOC",
		[7] = "IB_STS",      [15] = "SH_MEM_BASES", [16] = "TBA_LO", [17] = "TBA_HI",  [18] = "TMA_LO",
		[19] = "TMA_HI",     [20] = "FLAT_SCR_LO", [21] = "FLAT_SCR_HI", [23] = "HW_ID1", [24] = "HW_ID2",
		[25] = "POPS_PACKER",
	};
	static const char *const names7[32] = {
		[1] = "MODE", [2] = "STATUS", [3] = "TRAPSTS", [4] = "HW_ID", [5] = "GPR_ALLOC", [6] = "LDS_ALLOC", [7] = "IB_STS",
	};
	uint32_t v = t->in->simm16, id = v & 63, offset = v >> 6 & 31, width = (v >> 11 & 31) + 1;
	const char *name = id < 32 ? (t->gfx10 ? names10 : names7)[id] : 0;

	if (id == 22 && t->gfx10 && t->cpu->column != AMD_GFX1030)
		name = "XNACK_MASK";
	if (id == 29 && t->cpu->column == AMD_GFX1030)
		name = "SHADER_CYCLES";
	if (name)
		amd_text_put(t, "hwreg(HW_REG_%s", name);
	else
		amd_text_put(t, "hwreg(%u", id);
	if (offset || width != 32)
		amd_text_put(t, ", %u, %u", offset, width);
	amd_text_put(t, ")");
}

/* s_waitcnt_depctr: fields with anything but their all-ones default, or all fields. */
static void depctr(struct amd_text *t)
{
	static const struct {
		const char *name;
		uint8_t low, bits, gfx1030;
	} fields[] = {
		{ "hold_cnt", 7, 1, 1 }, { "sa_sdst", 0, 1, 0 }, { "va_vdst", 12, 4, 0 }, { "va_sdst", 9, 3, 0 },
		{ "va_ssrc", 8, 1, 0 },  { "va_vcc", 1, 1, 0 },  { "vm_vsrc", 2, 3, 0 },
	};
	uint32_t v = t->in->simm16, known = 0;
	bool gfx1030 = t->cpu->column == AMD_GFX1030, other = false;
	const char *gap = "";

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint32_t ones = (1u << fields[i].bits) - 1;

		if (fields[i].gfx1030 && !gfx1030)
			continue;
		known |= ones << fields[i].low;
		other |= (v >> fields[i].low & ones) != ones;
	}
	if (v & ~known) {
		amd_text_put(t, "0x%x", v);
		return;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint32_t ones = (1u << fields[i].bits) - 1, value = v >> fields[i].low & ones;

		if ((fields[i].gfx1030 && !gfx1030) || (value == ones && other))
			continue;
		amd_text_put(t, "%sdepctr_%s(%u)", gap, fields[i].name, value);
		gap = " ";
	}
}

/* Code version marker: the generation, and what the code was built for. */
static void version(struct amd_text *t)
{
	static const char *const names[16] = { [0] = "GFX7", [4] = "GFX10", [6] = "GFX11", [9] = "GFX12" };
	static const char *const flags[3] = { "W64", "W32", "MDP" };
	uint32_t v = t->in->simm16, generation = v & 0x1fff, count = 0, seen = 0;
	const char *name = generation < 16 ? names[generation] : 0;

	if (generation > 0xff) {
		amd_text_put(t, "0x%x", v);
		return;
	}
	for (uint32_t n = 0; n < 3; n++)
		count += v >> (13 + n) & 1;
	for (uint32_t n = 1; n < count; n++)
		amd_text_put(t, "(");
	if (name)
		amd_text_put(t, "UC_VERSION_%s", name);
	else
		amd_text_put(t, "%u", generation);
	for (uint32_t n = 0; n < 3; n++) {
		if (v >> (13 + n) & 1)
			amd_text_put(t, "|UC_VERSION_%s_BIT%s", flags[n], ++seen < count ? ")" : "");
	}
}

void amd_simm_print(struct amd_text *t)
{
	uint32_t v = t->in->simm16;

	switch (t->format->shape) {
	case AMD_SH_WAITCNT:
		waitcnt(t);
		break;
	case AMD_SH_MSG:
		message(t);
		break;
	case AMD_SH_DEPCTR:
		depctr(t);
		break;
	case AMD_SH_GETREG:
	case AMD_SH_SETREG:
	case AMD_SH_SETREG_IMM:
		hwreg(t);
		break;
	case AMD_SH_HEX:
		amd_text_put(t, "0x%x", v);
		break;
	case AMD_SH_DEC:
	case AMD_SH_PROBE:
		decimal(t, v);
		break;
	case AMD_SH_VERSION:
		version(t);
		break;
	default:
		amd_text_put(t, "%u", v);
	}
}
