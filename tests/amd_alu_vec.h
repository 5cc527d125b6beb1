/* amd_alu_vec.h - one vector instruction on the reference machine: operand parts, lanes and modifiers around the
 * references of amd_alu_ref.h; compares, packed halves, lane moves. */
#ifndef AMD_ALU_VEC_H
#define AMD_ALU_VEC_H

static bool on(const struct machine *m, unsigned lane) { return m->s[EXEC + lane / 32] >> lane % 32 & 1; }

/* ---- DPP: the lane that source 0 comes from, -1: none */
static int dpp_lane(const struct text *t, unsigned lane)
{
	const char *p;
	int row = (int)lane & ~15, r = (int)lane & 15, c[8];
	long n;

	if ((p = strstr(t->tail, "quad_perm:[")) && sscanf(p + 11, "%d,%d,%d,%d", c, c + 1, c + 2, c + 3) == 4)
		return ((int)lane & ~3) + c[lane & 3];
	if ((p = strstr(t->tail, "dpp8:[")) && sscanf(p + 6, "%d,%d,%d,%d,%d,%d,%d,%d", c, c + 1, c + 2, c + 3, c + 4, c + 5,
	    c + 6, c + 7) == 8)
		return ((int)lane & ~7) + c[lane & 7];
	if ((n = tail_value(t, "row_shl", -1)) >= 0)
		return r + n < 16 ? (int)lane + (int)n : -1;
	if ((n = tail_value(t, "row_shr", -1)) >= 0)
		return r - n >= 0 ? (int)lane - (int)n : -1;
	if ((n = tail_value(t, "row_ror", -1)) >= 0)
		return row + ((r - (int)n) & 15);
	if ((n = tail_value(t, "row_share", -1)) >= 0)
		return row + (int)n;
	if ((n = tail_value(t, "row_xmask", -1)) >= 0)
		return row + (r ^ (int)n);
	if (tail_has(t, "row_mirror"))
		return row + 15 - r;
	if (tail_has(t, "row_half_mirror"))
		return row + (r & 8) + 7 - (r & 7);
	return (int)lane;
}

/* Does DPP let the lane write? *from: the lane to read, -1: a zero. */
static bool dpp(const struct machine *m, const struct text *t, unsigned lane, int *from)
{
	bool eight = strstr(t->tail, "dpp8:") != NULL, fi = tail_value(t, "fi", 0) != 0;
	bool bound = strstr(t->tail, "bound_ctrl") != NULL;

	*from = dpp_lane(t, lane);
	if (!eight && (!(tail_value(t, "row_mask", 15) >> lane / 16 & 1) || !(tail_value(t, "bank_mask", 15) >> (lane / 4 & 3) & 1)))
		return false;
	if (*from < 0 || (!fi && !on(m, (unsigned)*from))) {
		*from = -1;
		return eight || bound;
	}
	return true;
}

/* ---- sources */
static uint64_t float_mods(uint64_t v, const struct opnd *o, unsigned w)
{
	if (o->abs)
		v &= ~(1ull << (w - 1));
	return o->neg ? v ^ 1ull << (w - 1) : v;
}

/* Source i of nsrc, operand k of the text. *writes: false where DPP keeps the lane from writing. */
static uint64_t source(const struct machine *m, const struct text *t, unsigned lane, unsigned k, unsigned i, char type,
                       bool *writes)
{
	const struct opnd *o = &t->o[k];
	uint64_t v;
	int from = (int)lane;

	if (i == 0 && !strncmp(t->form, "dpp", 3) && type != 'm') {
		if (!dpp(m, t, lane, &from))
			*writes = false;
		v = from < 0 ? 0 : raw(m, o, (unsigned)from, type);
	} else {
		v = raw(m, o, lane, type);
	}
	if (type == 'm' || type == 'q')
		return v;
	if (!strcmp(t->form, "sdwa") && i < 2) {
		int sel = t->src_sel[i];
		unsigned at = sel < 4 ? 8u * (unsigned)sel : sel == 5 ? 16 : 0, w = sel < 4 ? 8 : sel < 6 ? 16 : 32;
		v = o->sext ? (uint32_t)sfield((uint32_t)v, at, w) : field((uint32_t)v, at, w);
	} else if ((type == 'h' || type == 'w') && (o->kind == K_V || o->kind == K_S) && (t->op_sel >> i & 1)) {
		v >>= 16;
	}
	if (type_bits(type) == 16)
		v &= 0xffff;
	return float_mods(v, o, type_bits(type));
}

/* ---- results */
static uint64_t finish_float(const struct text *t, char type, uint64_t v)
{
	double d = type == 'f' ? (double)as_float((uint32_t)v) : type == 'd' ? as_double(v) : as_half((uint32_t)v & 0xffff);

	if (isnan(d) && !t->clamp) /* a NaN's payload is not compared; where a part of it is selected it is this one */
		return type == 'f' ? 0x7fc00000 : type == 'd' ? 0x7ff8000000000000ull : 0x7e00;
	if (t->omod == 1 && !t->clamp)
		return v;
	d *= t->omod;
	if (t->omod != 1 && type == 'f')
		d = (double)(float)d;
	if (t->omod != 1 && type == 'h')
		d = as_half(half_bits(d));
	if (t->clamp)
		d = d >= 1 ? 1 : d > 0 ? d : 0;
	return type == 'f' ? float_bits((float)d) : type == 'd' ? double_bits(d) : half_bits(d);
}

static void put_result(const struct machine *m, struct machine *out, const struct text *t, unsigned lane, char type,
                       uint64_t v, unsigned nsrc, const uint32_t *wide)
{
	unsigned n = (unsigned)t->o[0].index, w = type_bits(type), at, width;
	uint32_t old = m->v[lane][n & 255], *d = &out->v[lane][n & 255];

	if (type == 'q') {
		memcpy(d, wide, 16);
	} else if (w == 64) {
		d[0] = (uint32_t)v;
		d[1] = (uint32_t)(v >> 32);
	} else if (!strcmp(t->form, "sdwa")) {
		v = w == 16 ? v & 0xffff : (uint32_t)v;
		if (t->dst_sel == 6) {
			*d = (uint32_t)v;
			return;
		}
		width = t->dst_sel < 4 ? 8 : 16;
		at = t->dst_sel < 4 ? 8u * (unsigned)t->dst_sel : t->dst_sel == 5 ? 16 : 0;
		uint32_t part = (uint32_t)(v & ((1u << width) - 1)), mask = ((1u << width) - 1) << at;
		*d = t->dst_unused == 1 ? sfield(part, 0, width) << at : part << at | (t->dst_unused == 2 ? old & ~mask : 0);
	} else if (w == 16 && m->gfx7) { /* LLVM's GCNSubtarget::zeroesHigh16BitsOfDest */
		*d = (uint32_t)(v & 0xffff);
	} else if (w == 16) {
		bool high = t->op_sel >> nsrc & 1;
		*d = high ? (old & 0xffff) | (uint32_t)(v & 0xffff) << 16 : (old & 0xffff0000u) | (uint32_t)(v & 0xffff);
	} else {
		*d = (uint32_t)v;
	}
}

static void put_bit(struct machine *out, int reg, unsigned lane, bool bit)
{
	uint32_t *w = &out->s[(reg + (int)lane / 32) & 127];

	*w = bit ? *w | 1u << lane % 32 : *w & ~(1u << lane % 32);
}

static uint64_t saturate(const struct vref *r, const struct text *t, char type, uint64_t v)
{
	int64_t x = (int64_t)v, w = (int64_t)type_bits(type);

	if (!t->clamp || !(r->flags & (SSAT | USAT)))
		return v;
	if (r->flags & SSAT)
		return (uint64_t)(x < -(1ll << (w - 1)) ? -(1ll << (w - 1)) : x > (1ll << (w - 1)) - 1 ? (1ll << (w - 1)) - 1 : x);
	return (uint64_t)(x < 0 ? 0 : x > (1ll << w) - 1 ? (1ll << w) - 1 : x);
}

/* Does the instruction keep denormals in every mode? Minima and maxima before gfx9 hand one of their operands on. */
static bool keeps_denormals(const struct machine *m, const char *op)
{
	return m->gfx7 && (!strncmp(op, "v_min", 5) || !strncmp(op, "v_max", 5) || !strncmp(op, "v_med3", 6));
}

/* Does it flush them in every mode? */
static bool always_flushes(const char *op)
{
	static const char *const unit[] = { "v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_" };

	for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++)
		if (!strncmp(op, unit[i], strlen(unit[i])) && strstr(op, "_f32"))
			return true;
	return false;
}

static bool by_table(const struct machine *m, struct machine *out, const struct text *t, const struct vref *r)
{
	const char *colon = strchr(r->sig, ':'), *src = colon + 1;
	unsigned ndst = (unsigned)(colon - r->sig), nsrc = (unsigned)strlen(src);
	bool flush = always_flushes(t->op) || (m->flush && !keeps_denormals(m, t->op));

	if (t->n != ndst + nsrc)
		return false;
	if (ndst == 2)
		for (unsigned lane = 0; lane < m->wave; lane++)
			put_bit(out, t->o[1].index, lane, false);
	for (unsigned lane = 0; lane < m->wave; lane++) {
		struct op o = { .m = m, .t = t, .lane = lane };
		bool writes = true;
		if (!on(m, lane))
			continue;
		for (unsigned i = 0; i < nsrc; i++)
			o.a[i] = flushed(flush, src[i], source(m, t, lane, ndst + i, i, src[i], &writes));
		if (r->flags & ACCUM) {
			o.d = flushed(flush, r->sig[0], raw(m, &t->o[0], lane, r->sig[0]));
			if (type_bits(r->sig[0]) == 16 && (t->op_sel >> nsrc & 1))
				o.d >>= 16;
		}
		o.cin = m->s[VCC + lane / 32] >> lane % 32 & 1;
		uint64_t v = flushed(flush, r->sig[0], r->fn(&o));
		if (strchr("fdh", r->sig[0]))
			v = flushed(flush, r->sig[0], finish_float(t, r->sig[0], v));
		else
			v = saturate(r, t, r->sig[0], v);
		if (writes)
			put_result(m, out, t, lane, r->sig[0], v, nsrc, o.wide);
		if (ndst == 2 && writes)
			put_bit(out, t->o[1].index, lane, o.cout);
	}
	return true;
}

/* ---- compares */
static bool holds(const char *cond, bool isfloat, int order, bool nan) /* order: -1, 0, 1 */
{
	static const struct { const char *name; unsigned set; } list[] = { /* bits: less, equal, greater, unordered */
		{ "f", 0 }, { "lt", 1 }, { "eq", 2 }, { "le", 3 }, { "gt", 4 }, { "lg", 5 }, { "ge", 6 }, { "o", 7 }, { "u", 8 },
		{ "nge", 9 }, { "nlg", 10 }, { "ngt", 11 }, { "nle", 12 }, { "neq", 13 }, { "nlt", 14 }, { "tru", 15 }, { "t", 15 },
		{ "ne", 5 } };

	(void)isfloat;
	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (!strcmp(list[i].name, cond))
			return list[i].set >> (nan ? 3 : order + 1) & 1;
	return false;
}

static bool compare_lane(const struct machine *m, const struct text *t, unsigned lane, unsigned first, const char *cond,
                         const char *type)
{
	unsigned w = (unsigned)atoi(type + 1);
	char letter = type[0] == 'f' ? (w == 16 ? 'h' : w == 32 ? 'f' : 'd') : w == 16 ? 'w' : w == 32 ? 'i' : 'l';
	bool writes = true;
	uint64_t a = source(m, t, lane, first, 0, letter, &writes);
	uint64_t b = source(m, t, lane, first + 1, 1, strcmp(cond, "class") ? letter : 'i', &writes);

	if (!strcmp(cond, "class"))
		return b >> class_of(a, w, w == 16 ? 10 : w == 32 ? 23 : 52) & 1;
	a = flushed(m->flush, letter, a);
	b = flushed(m->flush, letter, b);
	if (type[0] == 'f') {
		double x = w == 16 ? as_half((uint32_t)a) : w == 32 ? (double)as_float((uint32_t)a) : as_double(a);
		double y = w == 16 ? as_half((uint32_t)b) : w == 32 ? (double)as_float((uint32_t)b) : as_double(b);
		return holds(cond, true, x < y ? -1 : x > y, isnan(x) || isnan(y));
	}
	if (type[0] == 'u')
		return holds(cond, false, a < b ? -1 : a > b, false);
	int64_t x = (int64_t)(a << (64 - w)), y = (int64_t)(b << (64 - w));
	return holds(cond, false, x < y ? -1 : x > y, false);
}

static bool compare(const struct machine *m, struct machine *out, const struct text *t)
{
	char cond[16], type[16];
	const char *p = t->op + 5;
	bool x = *p == 's' ? (p++, *p == 'x') : *p == 'x', only_exec = x && !m->gfx7;

	if (x)
		p++;
	if (sscanf(p, "_%15[a-z]_%15s", cond, type) != 2 || t->n != (only_exec ? 2u : 3u))
		return false;
	for (unsigned lane = 0; lane < m->wave; lane++) {
		bool v = on(m, lane) && compare_lane(m, t, lane, only_exec ? 0 : 1, cond, type);
		if (!only_exec)
			put_bit(out, t->o[0].index, lane, v);
		if (x)
			put_bit(out, EXEC, lane, v);
	}
	return true;
}

/* ---- packed halves */
static uint32_t packed_half(const char *n, uint32_t a, uint32_t b, uint32_t c, bool clamp)
{
	int sa = (int16_t)a, sb = (int16_t)b;
	int64_t v;

	if (!strcmp(n, "fma_f16"))
		return hfma(as_half(a), as_half(b), as_half(c));
	if (!strcmp(n, "add_f16"))
		return half_bits(as_half(a) + as_half(b));
	if (!strcmp(n, "mul_f16"))
		return half_bits(as_half(a) * as_half(b));
	if (!strcmp(n, "min_f16"))
		return half_bits(dmin(as_half(a), as_half(b)));
	if (!strcmp(n, "max_f16"))
		return half_bits(dmax(as_half(a), as_half(b)));
	bool sign = strstr(n, "_i16") != NULL;
	int64_t x = sign ? sa : (int64_t)a, y = sign ? sb : (int64_t)b, z = sign ? (int16_t)c : (int64_t)c;
	if (!strncmp(n, "mad", 3))
		v = x * y + z;
	else if (!strncmp(n, "mul", 3))
		v = x * y;
	else if (!strncmp(n, "add", 3))
		v = x + y;
	else if (!strncmp(n, "sub", 3))
		v = x - y;
	else if (!strncmp(n, "lshl", 4))
		v = (int64_t)b << (a & 15);
	else if (!strncmp(n, "lshr", 4))
		v = b >> (a & 15);
	else if (!strncmp(n, "ashr", 4))
		v = sb >> (a & 15);
	else if (!strncmp(n, "max", 3))
		v = x > y ? x : y;
	else
		v = x < y ? x : y;
	if (clamp)
		v = sign ? (v < -32768 ? -32768 : v > 32767 ? 32767 : v) : v < 0 ? 0 : v > 65535 ? 65535 : v;
	return (uint32_t)v & 0xffff;
}

static bool packed(const struct machine *m, struct machine *out, const struct text *t)
{
	bool isfloat = strstr(t->op, "f16") != NULL;

	for (unsigned lane = 0; lane < m->wave; lane++) {
		uint32_t r[2];
		if (!on(m, lane))
			continue;
		for (unsigned h = 0; h < 2; h++) {
			uint32_t a[3] = { 0 };
			for (unsigned i = 0; i + 1 < t->n; i++) {
				unsigned sel = h ? t->op_sel_hi : t->op_sel, neg = h ? t->neg_hi : t->neg_lo;
				a[i] = (uint32_t)raw(m, &t->o[i + 1], lane, 'i') >> 16 * (sel >> i & 1) & 0xffff;
				if (neg >> i & 1)
					a[i] ^= 0x8000;
			}
			r[h] = packed_half(t->op + 5, a[0], a[1], a[2], t->clamp && !isfloat);
			if (isfloat && t->clamp)
				r[h] = (uint32_t)finish_float(t, 'h', r[h]);
		}
		out->v[lane][t->o[0].index] = r[0] | r[1] << 16;
	}
	return true;
}

/* v_fma_mix: each source a float or the half that op_sel names */
static bool mixed(const struct machine *m, struct machine *out, const struct text *t)
{
	for (unsigned lane = 0; lane < m->wave; lane++) {
		float a[3];
		if (!on(m, lane))
			continue;
		for (unsigned i = 0; i < 3; i++) {
			uint32_t v = (uint32_t)raw(m, &t->o[i + 1], lane, 'f');
			bool half = t->has_op_sel_hi && (t->op_sel_hi >> i & 1);
			a[i] = half ? (float)as_half(v >> 16 * (t->op_sel >> i & 1) & 0xffff) : as_float(v);
			a[i] = t->o[i + 1].abs ? fabsf(a[i]) : a[i];
			a[i] = t->o[i + 1].neg ? -a[i] : a[i];
		}
		float v = fmaf(a[0], a[1], a[2]);
		uint32_t *d = &out->v[lane][t->o[0].index];
		if (strstr(t->op, "mix_f32")) {
			*d = (uint32_t)finish_float(t, 'f', float_bits(v));
			continue;
		}
		uint32_t h = (uint32_t)finish_float(t, 'h', half_bits(v));
		*d = strstr(t->op, "mixlo") ? (*d & 0xffff0000u) | h : (*d & 0xffff) | h << 16;
	}
	return true;
}

/* ---- moves between lanes and registers */
static unsigned first_lane(const struct machine *m)
{
	for (unsigned i = 0; i < m->wave; i++)
		if (on(m, i))
			return i;
	return 0;
}

static bool permlane(const struct machine *m, struct machine *out, const struct text *t)
{
	uint64_t sel = raw(m, &t->o[2], 0, 'i') | raw(m, &t->o[3], 0, 'i') << 32;

	for (unsigned lane = 0; lane < m->wave; lane++) {
		unsigned from = (lane & ~15u) | (unsigned)(sel >> 4 * (lane & 15) & 15);
		if (strstr(t->op, "x16"))
			from ^= 16;
		if (!on(m, lane))
			continue;
		if (on(m, from) || (t->op_sel & 1))
			out->v[lane][t->o[0].index] = m->v[from][t->o[1].index];
		else if (t->op_sel & 2)
			out->v[lane][t->o[0].index] = 0;
	}
	return true;
}

static bool relative(const struct machine *m, struct machine *out, const struct text *t, unsigned top)
{
	uint32_t m0 = m->s[M0];
	bool two = strstr(t->op, "_2_") || strstr(t->op, "swaprel");
	uint32_t rs = two ? m0 & 1023 : m0, rd = two ? m0 >> 16 & 1023 : m0;
	bool src = strstr(t->op, "movrels") || strstr(t->op, "swaprel"), dst = strstr(t->op, "reld") || strstr(t->op, "relsd") ||
		strstr(t->op, "swaprel");

	for (unsigned lane = 0; lane < m->wave; lane++) {
		unsigned d = (unsigned)t->o[0].index + (dst ? rd : 0), s = (unsigned)t->o[1].index + rs;
		if (!on(m, lane))
			continue;
		uint32_t v = !src ? (uint32_t)raw(m, &t->o[1], lane, 'i') : m->v[lane][s <= top && s >= rs ? s : 0];
		uint32_t w = m->v[lane][d <= top && d >= rd ? d : 0];
		if (d <= top)
			out->v[lane][d] = v;
		if (strstr(t->op, "swaprel") && s <= top && s != d)
			out->v[lane][s] = w;
	}
	return true;
}

static bool lane_moves(const struct machine *m, struct machine *out, const struct text *t)
{
	if (!strcmp(t->op, "v_readfirstlane_b32")) {
		out->s[t->o[0].index] = (uint32_t)raw(m, &t->o[1], first_lane(m), 'i');
	} else if (!strcmp(t->op, "v_readlane_b32")) {
		out->s[t->o[0].index] = m->v[raw(m, &t->o[2], 0, 'i') & (m->wave - 1)][t->o[1].index];
	} else if (!strcmp(t->op, "v_writelane_b32")) {
		out->v[raw(m, &t->o[2], 0, 'i') & (m->wave - 1)][t->o[0].index] = (uint32_t)raw(m, &t->o[1], 0, 'i');
	} else if (!strcmp(t->op, "v_swap_b32")) {
		for (unsigned lane = 0; lane < m->wave; lane++)
			if (on(m, lane)) {
				out->v[lane][t->o[0].index] = m->v[lane][t->o[1].index];
				out->v[lane][t->o[1].index] = m->v[lane][t->o[0].index];
			}
	} else {
		return !strcmp(t->op, "v_nop") || !strcmp(t->op, "v_clrexcp") || !strcmp(t->op, "v_pipeflush");
	}
	return true;
}

/* The state after a vector instruction. top: highest VGPR that the program names. */
static bool vector(const struct machine *m, struct machine *out, const struct text *t, unsigned top)
{
	const struct vref *r = find_vref(t->op);

	if (r && (r->flags & ABSOLUTE) && t->dst_sel != 6)
		return false; /* a part of an approximate value */
	if (r)
		return by_table(m, out, t, r);
	if (!strncmp(t->op, "v_cmp", 5))
		return compare(m, out, t);
	if (!strncmp(t->op, "v_pk_", 5))
		return packed(m, out, t);
	if (!strncmp(t->op, "v_fma_mix", 9))
		return mixed(m, out, t);
	if (!strncmp(t->op, "v_permlane", 10))
		return permlane(m, out, t);
	if (!strncmp(t->op, "v_movrel", 8) || !strncmp(t->op, "v_swaprel", 9))
		return relative(m, out, t, top);
	return lane_moves(m, out, t);
}

/* ---- denormals where they are flushed */
/* Of a minimum that keeps denormals, nothing says whether it tells two of them, or one and a zero, apart (libclc has it
 * that it does not). Nor what an output modifier does with one. */
static bool tiny_open(const struct machine *m, const struct text *t)
{
	bool writes = true;

	for (unsigned lane = 0; lane < m->wave; lane++) {
		unsigned tiny = 0;
		uint32_t all = 0;
		for (unsigned i = 1; i < t->n; i++) {
			uint32_t v = (uint32_t)source(m, t, lane, i, i - 1, 'f', &writes);
			tiny += !(v & 0x7f800000);
			all |= v & 0x7f800000 ? 0 : v << 1;
		}
		if (all && (tiny > 1 || t->omod != 1 || t->clamp))
			return true;
	}
	return false;
}

/* Does nothing say what a denormal is to it where they are flushed? */
static bool denormals_open(const struct machine *m, const struct text *t)
{
	static const char *const some[] = { "v_div_", "v_cube", "v_fma_mix" };

	for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
		if (!strncmp(t->op, some[i], strlen(some[i])))
			return true;
	return strstr(t->op, "_f32") && keeps_denormals(m, t->op) && tiny_open(m, t);
}
#endif
