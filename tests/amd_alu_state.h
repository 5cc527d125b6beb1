/* amd_alu_state.h - the reference machine of amd_alu_test.c: register values, operands parsed from assembly text, values
 * for an operand type, float formats. It shares nothing with the library: it reads the text that llvm-mc printed.
 *
 * Type letters: f h d floats of 32, 16, 64 bits; i w l integers of 32, 16, 64 bits; p two halves, q four dwords; m one
 * bit a lane; 0 none. */
#ifndef AMD_ALU_STATE_H
#define AMD_ALU_STATE_H

enum { NV = 256, NS = 128, VCC = 106, M0 = 124, EXEC = 126, MAX_OPND = 20, LDS_BYTES = 4096, NLOG = 8 };

struct machine {
	bool gfx7, flush; /* flush: denormals of f32 operations are zeros of their sign */
	unsigned wave;
	uint32_t v[64][NV], s[NS];
	bool scc;
	uint8_t lds[LDS_BYTES];
};

enum { K_V = 1, K_S, K_INT, K_FLOAT, K_OTHER };
struct opnd {
	int kind, index;
	unsigned n; /* dwords */
	uint32_t value;
	double real;
	bool neg, abs, sext;
};

struct text {
	char op[48];        /* mnemonic without encoding suffix */
	char form[8];       /* e32 e64 sdwa dpp dpp8 or "" */
	struct opnd o[MAX_OPND];
	unsigned n;
	char tail[128];     /* modifiers */
	bool clamp;
	double omod;
	unsigned op_sel, op_sel_hi, neg_lo, neg_hi;
	bool has_op_sel_hi;
	int dst_sel, dst_unused, src_sel[2]; /* 0-3 byte, 4-5 word, 6 dword; 0 pad, 1 sext, 2 preserve */
};

/* ---- formats */
static float as_float(uint32_t v) { float f; memcpy(&f, &v, 4); return f; }
static uint32_t float_bits(float f) { uint32_t v; memcpy(&v, &f, 4); return v; }
static double as_double(uint64_t v) { double f; memcpy(&f, &v, 8); return f; }
static uint64_t double_bits(double f) { uint64_t v; memcpy(&v, &f, 8); return v; }

static double as_half(uint32_t h)
{
	unsigned e = h >> 10 & 31, m = h & 1023;
	double v = e == 31 ? (m ? (double)NAN : (double)INFINITY) : e ? ldexp(1024.0 + m, (int)e - 25) : ldexp(m, -24);

	return h & 0x8000 ? -v : v;
}

/* To the nearest half, ties to even; zero: toward zero. Inputs are exact doubles. */
static uint32_t half_round(double d, bool zero)
{
	uint32_t sign = signbit(d) ? 0x8000 : 0, m;
	int e;
	double a = fabs(d), scaled, whole;

	if (isnan(d))
		return 0x7e00;
	if (isinf(d))
		return sign | 0x7c00;
	if (a == 0)
		return sign;
	frexp(a, &e); /* a = [0.5, 1) * 2^e */
	e = e - 11 < -24 ? -24 : e - 11;
	scaled = ldexp(a, -e);
	whole = floor(scaled);
	m = (uint32_t)whole;
	if (!zero && (scaled - whole > 0.5 || (scaled - whole == 0.5 && (m & 1))))
		m++;
	a = ldexp(m, e);
	if (a > 65504)
		return sign | (zero ? 0x7bff : 0x7c00);
	if (a < ldexp(1, -14))
		return sign | (uint32_t)ldexp(a, 24);
	frexp(a, &e);
	return sign | (uint32_t)(e + 14) << 10 | ((uint32_t)ldexp(a, 11 - e) & 1023);
}

static uint32_t half_bits(double d) { return half_round(d, false); }

/* ---- text */
static int special_reg(const char *s, unsigned *n, unsigned wave)
{
	static const struct { const char *name; int reg; } list[] = { { "vcc_lo", 106 }, { "vcc_hi", 107 }, { "m0", 124 },
		{ "exec_lo", 126 }, { "exec_hi", 127 }, { "vcc", 106 }, { "exec", 126 } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (!strcmp(s, list[i].name)) {
			*n = i >= 5 ? 2 : 1;
			(void)wave;
			return list[i].reg;
		}
	return -1;
}

static void parse_operand(char *s, struct opnd *o, unsigned wave)
{
	int a, b, reg;
	char *end;
	size_t len;

	memset(o, 0, sizeof *o);
	o->n = 1;
	s += *s == '['; /* a list of registers */
	len = strlen(s);
	if (len && s[len - 1] == ']' && !strchr(s, '['))
		s[len - 1] = 0;
	if (len && s[len - 1] == ')' && !strchr(s, '(')) /* the last part of hwreg(...) */
		s[len - 1] = 0;
	if (!strncmp(s, "sext(", 5)) {
		o->sext = true;
		s += 5;
		s[strlen(s) - 1] = 0;
	}
	if (!strncmp(s, "neg(", 4)) {
		o->neg = true;
		s += 4;
		s[strlen(s) - 1] = 0;
	}
	if (*s == '-' && (s[1] == '|' || s[1] == 'v' || s[1] == 's')) {
		o->neg = true;
		s++;
	}
	if (*s == '|') {
		o->abs = true;
		len = strlen(++s);
		s[len - 1] = 0;
	}
	if (sscanf(s, "v[%d:%d]", &a, &b) == 2 || sscanf(s, "s[%d:%d]", &a, &b) == 2) {
		o->kind = *s == 'v' ? K_V : K_S;
		o->index = a;
		o->n = (unsigned)(b - a + 1);
	} else if ((*s == 'v' || *s == 's') && s[1] >= '0' && s[1] <= '9') {
		o->kind = *s == 'v' ? K_V : K_S;
		o->index = atoi(s + 1);
	} else if ((reg = special_reg(s, &o->n, wave)) >= 0) {
		o->kind = K_S;
		o->index = reg;
	} else if (strchr(s, '.') && (strtod(s, &end), !*end)) {
		o->kind = K_FLOAT;
		o->real = strtod(s, NULL);
	} else if (strtoll(s, &end, 0), end != s && !*end) {
		o->kind = K_INT;
		o->value = (uint32_t)strtoll(s, NULL, 0);
	} else {
		o->kind = K_OTHER;
	}
}

static unsigned bit_list(const char *tail, const char *name, unsigned otherwise)
{
	char key[32];
	const char *p;
	unsigned v = 0;

	snprintf(key, sizeof key, " %s:[", name);
	p = strstr(tail, key);
	if (!p)
		return otherwise;
	p += strlen(key);
	for (unsigned i = 0; *p && *p != ']'; p++)
		if (*p == '0' || *p == '1')
			v |= (unsigned)(*p - '0') << i++;
	return v;
}

static int select_of(const char *tail, const char *name)
{
	static const char *const names[] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD" };
	const char *p = strstr(tail, name);

	for (int i = 0; p && i < 7; i++)
		if (!strncmp(p + strlen(name), names[i], strlen(names[i])))
			return i;
	return 6;
}

/* Number behind "name:" among the modifiers. */
static long tail_value(const struct text *t, const char *name, long otherwise)
{
	char key[32];
	const char *p;

	snprintf(key, sizeof key, " %s:", name);
	p = strstr(t->tail, key);
	return p ? strtol(p + strlen(key), NULL, 0) : otherwise;
}

static bool tail_has(const struct text *t, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = t->tail; (p = strstr(p, word)); p += n)
		if (p > t->tail && p[-1] == ' ' && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static void parse_tail(struct text *t)
{
	const char *p = t->tail;

	t->clamp = tail_has(t, "clamp");
	t->omod = strstr(p, " mul:2") ? 2 : strstr(p, " mul:4") ? 4 : strstr(p, " div:2") ? 0.5 : 1;
	t->op_sel = bit_list(p, "op_sel", 0);
	t->has_op_sel_hi = strstr(p, " op_sel_hi:") != NULL;
	t->op_sel_hi = bit_list(p, "op_sel_hi", 7);
	t->neg_lo = bit_list(p, "neg_lo", 0);
	t->neg_hi = bit_list(p, "neg_hi", 0);
	t->dst_sel = select_of(p, "dst_sel:");
	t->dst_unused = strstr(p, "UNUSED_PRESERVE") ? 2 : strstr(p, "UNUSED_SEXT") ? 1 : 0;
	t->src_sel[0] = select_of(p, "src0_sel:");
	t->src_sel[1] = select_of(p, "src1_sel:");
}

/* Split "op a, b, c mods": operands end at the first space that follows one and is not behind a comma. */
static void parse_text(const char *line, struct text *t, unsigned wave)
{
	char buf[40 + 256], *p = buf, *q, *suffix;
	static const char *const forms[] = { "_e32", "_e64", "_sdwa", "_dpp8", "_dpp" };

	memset(t, 0, sizeof *t);
	snprintf(buf, sizeof buf, "%s", line);
	q = strchr(buf, ' ');
	if (q)
		*q++ = 0;
	snprintf(t->op, sizeof t->op, "%.47s", buf);
	for (unsigned i = 0; i < 5; i++) {
		size_t n = strlen(t->op), k = strlen(forms[i]);
		suffix = t->op + n - k;
		if (n > k && !strcmp(suffix, forms[i])) {
			snprintf(t->form, sizeof t->form, "%s", forms[i] + 1);
			*suffix = 0;
			break;
		}
	}
	for (p = q; p && *p && t->n < MAX_OPND;) {
		char *end = p + strcspn(p, ", ");
		char last = *end;
		if (strchr(p, ':') && strchr(p, ':') < end && *p != 'v' && *p != 's' && *p != '-' && *p != '|' && *p != 't' && *p != '[') {
			snprintf(t->tail, sizeof t->tail, " %s", p); /* a modifier */
			p = NULL;
			break;
		}
		*end = 0;
		parse_operand(p, &t->o[t->n++], wave);
		if (last != ',') {
			if (last)
				snprintf(t->tail, sizeof t->tail, " %s", end + 1);
			break;
		}
		p = end + 2;
	}
	parse_tail(t);
}

/* ---- operand values */
static uint64_t constant(const struct opnd *o, char type)
{
	if (o->kind == K_INT)
		return type == 'l' || type == 'd' ? (uint64_t)(int64_t)(int32_t)o->value : o->value;
	switch (type) {
	case 'd': case 'l': return double_bits(o->real);
	case 'h': case 'p': return half_bits(o->real);
	default: return float_bits((float)o->real);
	}
}

static uint32_t dword(const struct machine *m, const struct opnd *o, unsigned lane, unsigned i)
{
	if (o->kind == K_V)
		return m->v[lane][(o->index + (int)i) & 255];
	return m->s[(o->index + (int)i) & 127];
}

static uint64_t raw(const struct machine *m, const struct opnd *o, unsigned lane, char type)
{
	if (o->kind == K_INT || o->kind == K_FLOAT)
		return constant(o, type);
	if (type == 'd' || type == 'l')
		return dword(m, o, lane, 0) | (uint64_t)dword(m, o, lane, 1) << 32;
	if (type == 'm')
		return (dword(m, o, lane, lane / 32) >> lane % 32) & 1;
	return dword(m, o, lane, 0);
}

static unsigned type_bits(char t)
{
	return t == 'd' || t == 'l' ? 64 : t == 'h' || t == 'w' ? 16 : t == 'm' ? 1 : 32;
}

#endif
