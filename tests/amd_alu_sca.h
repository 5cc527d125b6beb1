/* amd_alu_sca.h - one scalar instruction on the reference machine, by name, from the instruction set documents. */
#ifndef AMD_ALU_SCA_H
#define AMD_ALU_SCA_H

struct scalar { uint64_t a, b, d; bool wide; }; /* operands, old destination, 64-bit */

static uint64_t sget(const struct machine *m, const struct opnd *o, bool wide)
{
	if (o->kind == K_INT || o->kind == K_FLOAT)
		return constant(o, wide ? 'l' : 'i');
	return dword(m, o, 0, 0) | (wide ? (uint64_t)dword(m, o, 0, 1) << 32 : 0);
}

static void sput(struct machine *out, const struct opnd *o, uint64_t v, bool wide)
{
	out->s[o->index & 127] = (uint32_t)v;
	if (wide)
		out->s[(o->index + 1) & 127] = (uint32_t)(v >> 32);
}

static uint64_t width_mask(uint64_t v, bool wide) { return wide ? v : (uint32_t)v; }

static uint64_t logic(const char *op, uint64_t a, uint64_t b)
{
	static const struct { const char *name; int what; } list[] = { { "andn2", 3 }, { "orn2", 4 }, { "andn1", 5 }, { "orn1", 6 },
		{ "nand", 7 }, { "xnor", 9 }, { "nor", 8 }, { "and", 0 }, { "xor", 2 }, { "or", 1 } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (!strncmp(op, list[i].name, strlen(list[i].name)))
			switch (list[i].what) {
			case 0: return a & b;
			case 1: return a | b;
			case 2: return a ^ b;
			case 3: return a & ~b;
			case 4: return a | ~b;
			case 5: return ~a & b;
			case 6: return ~a | b;
			case 7: return ~(a & b);
			case 8: return ~(a | b);
			default: return ~(a ^ b);
			}
	return 0;
}

static bool is_logic(const char *op)
{
	return !strncmp(op, "and", 3) || !strncmp(op, "or", 2) || !strncmp(op, "xor", 3) || !strncmp(op, "xnor", 4) ||
	       !strncmp(op, "nand", 4) || !strncmp(op, "nor", 3);
}

static uint64_t quad_bits(uint64_t a, bool wide, bool spread)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < (wide ? 16u : 8u); i++)
		if (a >> 4 * i & 15)
			v |= spread ? 15ull << 4 * i : 1ull << i;
	return v;
}

static int32_t find_bit(uint64_t v, unsigned w, bool high)
{
	for (unsigned i = 0; i < w; i++)
		if (v >> (high ? w - 1 - i : i) & 1)
			return (int32_t)i;
	return -1;
}

/* One source (SOP1). */
static bool sop1(const struct machine *m, struct machine *out, const struct text *t, const char *n, bool wide)
{
	uint64_t a, v;
	bool wd = wide, from64 = strstr(n, "_b64") || strstr(n, "_i64"), nz = false;

	if (!strncmp(n, "bcnt", 4) || !strncmp(n, "ff0", 3) || !strncmp(n, "ff1", 3) || !strncmp(n, "flbit", 5))
		wd = false;
	if (!strncmp(n, "bitset", 6) || !strncmp(n, "bitreplicate", 12))
		from64 = false;
	a = sget(m, &t->o[1], from64);
	unsigned w = from64 ? 64 : 32;
	uint64_t all = w == 64 ? UINT64_MAX : UINT32_MAX, old = sget(m, &t->o[0], wd);
	if (!strncmp(n, "mov_", 4)) {
		v = a;
	} else if (!strncmp(n, "cmov_", 5)) {
		v = m->scc ? a : old;
	} else if (!strncmp(n, "not_", 4)) {
		v = width_mask(~a, wide), nz = true;
	} else if (!strncmp(n, "wqm", 3) || !strncmp(n, "quadmask", 8)) {
		v = quad_bits(a, wide, n[0] == 'w'), nz = true;
	} else if (!strncmp(n, "brev", 4)) {
		v = wide ? (uint64_t)reverse((uint32_t)a) << 32 | reverse((uint32_t)(a >> 32)) : reverse((uint32_t)a);
	} else if (!strncmp(n, "bcnt", 4)) {
		v = ones(n[4] == '0' ? ~a & all : a), nz = true;
	} else if (!strncmp(n, "ff", 2)) {
		v = (uint32_t)find_bit(n[2] == '0' ? ~a & all : a, w, false);
	} else if (!strcmp(n, "flbit_i32") || !strcmp(n, "flbit_i32_i64")) {
		v = (uint32_t)find_bit((a >> (w - 1) & 1 ? ~a : a) & all, w, true);
	} else if (!strncmp(n, "flbit", 5)) {
		v = (uint32_t)find_bit(a, w, true);
	} else if (!strncmp(n, "sext", 4)) {
		v = strstr(n, "_i8") ? (uint32_t)(int8_t)a : (uint32_t)(int16_t)a;
	} else if (!strncmp(n, "bitset", 6)) {
		uint64_t bit = 1ull << (a & (wide ? 63 : 31));
		v = n[6] == '0' ? old & ~bit : old | bit;
	} else if (!strncmp(n, "bitreplicate", 12)) {
		v = 0;
		for (unsigned i = 0; i < 32; i++)
			v |= (a >> i & 1) * (3ull << 2 * i);
	} else if (!strncmp(n, "abs_", 4)) {
		v = (int32_t)a < 0 ? (uint32_t)(0 - a) : a, nz = true;
	} else {
		return false;
	}
	sput(out, &t->o[0], v, wd);
	if (nz)
		out->scc = width_mask(v, wd) != 0;
	return true;
}

static bool saveexec(const struct machine *m, struct machine *out, const struct text *t, const char *n, bool wide)
{
	uint64_t e = m->s[EXEC] | (wide ? (uint64_t)m->s[EXEC + 1] << 32 : 0), s = sget(m, &t->o[1], wide);
	uint64_t now = width_mask(logic(n, s, e), wide);
	struct opnd exec = { .kind = K_S, .index = EXEC };

	if (m->wave == 32 ? wide : !wide)
		return false;
	sput(out, &t->o[0], strstr(n, "wrexec") ? now : e, wide);
	sput(out, &exec, now, wide);
	out->scc = now != 0;
	return true;
}

static uint64_t bitfield(uint64_t a, uint32_t c, bool wide, bool sign)
{
	unsigned at = c & (wide ? 63 : 31), n = c >> 16 & 127, w = wide ? 64 : 32;
	uint64_t v;

	if (!n)
		return 0;
	if (sign) {
		int64_t x = wide ? (int64_t)a : (int32_t)a;
		x >>= at;
		return n >= w ? (uint64_t)x : (uint64_t)((int64_t)((uint64_t)x << (64 - n)) >> (64 - n));
	}
	v = width_mask(a, wide) >> at;
	return n >= w ? v : v & ((1ull << n) - 1);
}

/* Two sources (SOP2); scc: -1 unchanged. */
static bool sop2(const struct machine *m, struct machine *out, const struct text *t, const char *n, bool wide)
{
	bool shift = strstr(n, "lsh") == n || !strncmp(n, "ashr", 4) || !strncmp(n, "bf", 2);
	uint64_t a = sget(m, &t->o[1], wide && strncmp(n, "bfm", 3)), b = sget(m, &t->o[2], wide && !shift), v = 0;
	int64_t sa = (int32_t)a, sb = (int32_t)b, s;
	unsigned amount = (unsigned)b & (wide ? 63 : 31);
	int scc = -1;

	if (is_logic(n)) {
		v = width_mask(logic(n, a, b), wide), scc = v != 0;
	} else if (!strcmp(n, "add_u32") || !strcmp(n, "addc_u32")) {
		v = a + b + (n[3] == 'c' && m->scc), scc = v >> 32 & 1;
	} else if (!strcmp(n, "sub_u32") || !strcmp(n, "subb_u32")) {
		v = a - b - (n[3] == 'b' && m->scc), scc = v >> 32 & 1;
	} else if (!strcmp(n, "add_i32") || !strcmp(n, "sub_i32")) {
		s = n[0] == 'a' ? sa + sb : sa - sb;
		v = (uint64_t)s, scc = s != (int32_t)s;
	} else if (!strncmp(n, "min_", 4) || !strncmp(n, "max_", 4)) {
		bool less = n[4] == 'i' ? sa < sb : a < b, more = n[4] == 'i' ? sa > sb : a > b;
		scc = n[1] == 'i' ? less : more;
		v = scc ? a : b;
	} else if (!strncmp(n, "cselect", 7)) {
		v = m->scc ? a : b;
	} else if (!strncmp(n, "lshl_", 5)) {
		v = width_mask(a << amount, wide), scc = v != 0;
	} else if (!strncmp(n, "lshr_", 5)) {
		v = a >> amount, scc = v != 0;
	} else if (!strncmp(n, "ashr_", 5)) {
		v = wide ? (uint64_t)((int64_t)a >> amount) : (uint32_t)(sa >> amount), scc = v != 0;
	} else if (!strncmp(n, "bfm", 3)) {
		v = ((1ull << (a & (wide ? 63 : 31))) - 1) << amount;
	} else if (!strcmp(n, "mul_i32")) {
		v = a * b;
	} else if (!strcmp(n, "mul_hi_u32")) {
		v = a * b >> 32;
	} else if (!strcmp(n, "mul_hi_i32")) {
		v = (uint64_t)(sa * sb >> 32);
	} else if (!strncmp(n, "bfe_", 4)) {
		v = width_mask(bitfield(a, (uint32_t)b, wide, n[4] == 'i'), wide), scc = v != 0;
	} else if (!strncmp(n, "absdiff", 7)) {
		v = (uint32_t)(a - b), v = (int32_t)v < 0 ? (uint32_t)(0 - v) : v, scc = v != 0;
	} else if (!strncmp(n, "lshl", 4)) { /* lshlN_add_u32 */
		v = (a << (n[4] - '0')) + b, scc = v >> 32 != 0;
	} else if (!strncmp(n, "pack_", 5)) {
		v = (n[5] == 'h' ? a >> 16 : a & 0xffff) | (n[6] == 'h' ? b >> 16 : b & 0xffff) << 16;
	} else {
		return false;
	}
	sput(out, &t->o[0], v, wide);
	if (scc >= 0)
		out->scc = scc;
	return true;
}

static bool scmp(const struct machine *m, struct machine *out, const struct text *t, const char *n, bool constant16)
{
	char cond[8], type[8];

	if (sscanf(n, constant16 ? "cmpk_%7[a-z]_%7s" : "cmp_%7[a-z]_%7s", cond, type) != 2)
		return false;
	bool wide = strstr(type, "64") != NULL;
	uint64_t a = sget(m, &t->o[0], wide), b = constant16 ? t->o[1].value : sget(m, &t->o[1], wide);
	if (constant16)
		b = type[0] == 'i' ? (uint32_t)(int16_t)b : (uint16_t)b;
	int order = type[0] == 'i' ? ((int32_t)a < (int32_t)b ? -1 : (int32_t)a > (int32_t)b) : a < b ? -1 : a > b;
	out->scc = holds(cond, false, order, false);
	return true;
}

static bool smovrel(const struct machine *m, struct machine *out, const struct text *t, bool wide)
{
	bool two = strstr(t->op, "_2_") != NULL, src = strstr(t->op, "rels") != NULL;
	bool dst = strstr(t->op, "reld") || strstr(t->op, "relsd");
	uint32_t rs = two ? m->s[M0] & 1023 : m->s[M0], rd = two ? m->s[M0] >> 16 & 1023 : m->s[M0];
	struct opnd s = t->o[1], d = t->o[0];

	if (src)
		s.index += (int)rs;
	if (dst)
		d.index += (int)rd;
	sput(out, &d, sget(m, &s, wide), wide);
	return true;
}

/* By a mnemonic without s_: does the branch go? -1: it is none. */
static int branch_taken(const struct machine *m, const char *n)
{
	bool vcc = m->s[VCC] || (m->wave == 64 && m->s[VCC + 1]), exec = m->s[EXEC] || (m->wave == 64 && m->s[EXEC + 1]);

	if (!strcmp(n, "branch"))
		return true;
	if (!strncmp(n, "cbranch_scc", 11))
		return m->scc == (n[11] == '1');
	if (!strncmp(n, "cbranch_vcc", 11))
		return vcc == (n[11] == 'n');
	if (!strncmp(n, "cbranch_exec", 12))
		return exec == (n[12] == 'n');
	return -1;
}

/* Instructions that leave the registers alone, and branches over the move of v31 to v30 that follows them. */
static bool flow(const struct machine *m, struct machine *out, const char *n)
{
	static const char *const idle[] = { "nop", "wakeup", "barrier", "waitcnt", "sleep", "setprio", "icache_inv", "incperflevel",
		"decperflevel", "ttracedata", "inst_prefetch", "clause", "wait_idle", "version", "waitcnt_vscnt", "waitcnt_vmcnt",
		"waitcnt_expcnt", "waitcnt_lgkmcnt", "waitcnt_depctr", "ttracedata_imm", "round_mode", "denorm_mode",
		"setreg_b32", "setreg_imm32_b32" };
	int taken = branch_taken(m, n);

	for (unsigned i = 0; i < sizeof idle / sizeof *idle; i++)
		if (!strcmp(n, idle[i]))
			return true;
	if (taken < 0)
		return false;
	for (unsigned lane = 0; lane < m->wave && !taken; lane++)
		if (on(m, lane))
			out->v[lane][30] = m->v[lane][31];
	return true;
}

static bool scalar_op(const struct machine *m, struct machine *out, const struct text *t)
{
	const char *n = t->op + 2;
	size_t len = strlen(n);
	bool wide = len > 4 && (!strcmp(n + len - 4, "_b64") || !strcmp(n + len - 4, "_i64") || !strcmp(n + len - 4, "_u64"));

	if (flow(m, out, n))
		return true;
	if (!strcmp(n, "getreg_b32")) { /* the tests' programs keep denormals and round to nearest */
		if (t->n != 4 || t->o[2].kind != K_INT || t->o[3].kind != K_INT)
			return false;
		sput(out, &t->o[0], 0xf0u >> t->o[2].value & ((1u << t->o[3].value) - 1), false);
		return true;
	}
	if (!strcmp(n, "get_waveid_in_workgroup")) { /* there is one */
		sput(out, &t->o[0], 0, false);
		return true;
	}
	if (!strncmp(n, "bitreplicate", 12))
		wide = true;
	if (strstr(n, "saveexec") || strstr(n, "wrexec"))
		return saveexec(m, out, t, n, wide);
	if (strstr(n, "movrel"))
		return smovrel(m, out, t, wide);
	if (!strncmp(n, "bitcmp", 6)) {
		uint64_t a = sget(m, &t->o[0], wide);
		out->scc = (a >> (sget(m, &t->o[1], false) & (wide ? 63 : 31)) & 1) == (uint64_t)(n[6] - '0');
		return true;
	}
	if (!strncmp(n, "cmp", 3))
		return scmp(m, out, t, n, n[3] == 'k');
	if (!strncmp(n, "movk", 4) || !strncmp(n, "cmovk", 5)) {
		if (n[0] == 'm' || m->scc)
			sput(out, &t->o[0], (uint32_t)(int16_t)t->o[1].value, false);
		return true;
	}
	if (!strncmp(n, "addk", 4) || !strncmp(n, "mulk", 4)) {
		int64_t a = (int32_t)m->s[t->o[0].index], k = (int16_t)t->o[1].value, v = n[0] == 'a' ? a + k : a * k;
		sput(out, &t->o[0], (uint32_t)v, false);
		if (n[0] == 'a')
			out->scc = v != (int32_t)v;
		return true;
	}
	if (t->n == 2)
		return sop1(m, out, t, n, wide);
	return t->n == 3 && sop2(m, out, t, n, wide);
}
#endif
