/* amd_alu_tbuf.h - MTBUF instructions on the reference machine of amd_alu_test.c: the format is read from the text, whose names
 * list components from the highest bit on. Normalised numbers are quotients in double precision, rounded once. */
#ifndef AMD_ALU_TBUF_H
#define AMD_ALU_TBUF_H

struct tformat { unsigned n, bits[4]; char number[16]; }; /* x first */

static bool tformat_of(const struct text *t, struct tformat *f)
{
	const char *p = strstr(t->tail, "format:["), *q;
	unsigned part[4];
	char *end;

	*f = (struct tformat){ 1, { 8 }, "UNORM" };
	if (!p)
		return true;
	if (strstr(p, "BUF_FMT_") || strstr(p, "BUF_DATA_FORMAT_")) {
		p = strstr(p, "BUF_FMT_") ? strstr(p, "BUF_FMT_") + 8 : strstr(p, "BUF_DATA_FORMAT_") + 16;
		for (f->n = 0; f->n < 4 && *p >= '0' && *p <= '9'; p = *end == '_' ? end + 1 : end)
			part[f->n++] = (unsigned)strtoul(p, &end, 10);
		for (unsigned i = 0; i < f->n; i++)
			f->bits[i] = part[f->n - 1 - i];
	}
	q = strstr(t->tail, "BUF_NUM_FORMAT_") ? strstr(t->tail, "BUF_NUM_FORMAT_") + 15 : strstr(t->tail, "BUF_FMT_") ? p : "UNORM";
	snprintf(f->number, sizeof f->number, "%.*s", (int)strcspn(q, ",]"), q);
	return f->n > 0;
}

static bool of_integers(const struct tformat *f) { return strstr(f->number, "INT") != NULL; }
static bool shares_word(const struct tformat *f) { return f->bits[0] % 8 != 0 || (f->n == 4 && f->bits[3] == 2); }

/* A component as a number; integers as they are. */
static double read_number(const struct tformat *f, uint64_t raw, unsigned w)
{
	int64_t s = raw >> (w - 1) ? (int64_t)raw - (1ll << w) : (int64_t)raw;
	double v;

	if (!strcmp(f->number, "FLOAT") && w == 32)
		return as_float((uint32_t)raw);
	if (!strcmp(f->number, "FLOAT") && w == 16)
		return as_half((uint32_t)raw);
	if (!strcmp(f->number, "FLOAT") && w < 10)
		return (double)NAN; /* no such format is translated */
	if (!strcmp(f->number, "FLOAT")) { /* five bits of exponent, no sign */
		unsigned m = w - 5, e = (unsigned)(raw >> m), frac = (unsigned)raw & ((1u << m) - 1);
		return e == 31 ? (frac ? (double)NAN : (double)INFINITY) : e ? ldexp((double)(frac | 1u << m), (int)(e - 15 - m)) :
			ldexp((double)frac, (int)(1 - 15 - m));
	}
	if (f->number[0] == 'U')
		return f->number[1] == 'N' ? (double)raw / (double)((1ull << w) - 1) : (double)raw;
	v = f->number[1] == 'N' ? (double)s / (double)((1ull << (w - 1)) - 1) : (double)s;
	return f->number[1] == 'N' && v < -1 ? -1 : v;
}

static uint64_t write_number(const struct tformat *f, uint32_t v, unsigned w)
{
	bool sign = f->number[0] == 'S';
	double x = as_float(v), most = (double)((1ull << (w - sign)) - 1);

	if (w == 32)
		return v;
	x = isnan(x) ? 0 : x > 1 ? 1 : x < (sign ? -1 : 0) ? (sign ? -1 : 0) : x;
	return (uint64_t)(int64_t)rint((float)(x * most)) & ((1ull << w) - 1);
}

static void tload(const struct text *t, const struct tformat *f, struct machine *out, const struct access *a, unsigned n, bool half)
{
	unsigned bit = 0, reg = (unsigned)t->o[0].index;

	for (unsigned i = 0; i < n; i++) {
		struct shape one = { 2, 1, i & 1 ? 2 : 1, false };
		uint64_t raw = 0;
		double v = i == 3 ? 1 : 0;
		if (i < f->n && shares_word(f))
			raw = mem_value(SPACE_BUF, a->index, a->addr, 4) >> bit & ((1u << f->bits[i]) - 1);
		else if (i < f->n)
			raw = mem_value(SPACE_BUF, a->index, a->addr + bit / 8, f->bits[i] / 8);
		if (i < f->n)
			v = read_number(f, raw, f->bits[i]);
		bit += i < f->n ? f->bits[i] : 0;
		uint32_t whole = of_integers(f) ? (uint32_t)(int64_t)v : i < f->n && f->bits[i] == 32 ? (uint32_t)raw :
			isnan(v) ? 0x7fc00000 : float_bits((float)v);
		uint32_t narrow = of_integers(f) ? whole & 0xffff : i < f->n && f->bits[i] == 16 && f->number[0] == 'F' ? (uint32_t)raw :
			half_bits((double)as_float(whole));
		if (half)
			put_loaded(out, t->o[0].kind == K_V ? a->lane : 0, reg + i / 2, &one, narrow);
		else
			out->v[a->lane][(reg + i) & 255] = whole;
	}
}

static bool tbuffer_op(const struct machine *m, struct machine *out, const struct text *t, struct log *l)
{
	unsigned n = (unsigned)strlen(strrchr(t->op, '_') + 1), bit;
	bool half = strstr(t->op, "d16") != NULL;
	struct tformat f;

	if (!tformat_of(t, &f))
		return false;
	for (unsigned lane = 0; lane < m->wave; lane++) {
		struct access a = { .lane = lane, .atomic = -1 };
		if (!on(m, lane))
			continue;
		address(m, t, lane, 1, &a);
		a.space = SPACE_BUF;
		if (strstr(t->op, "load")) {
			tload(t, &f, out, &a, n, half);
			continue;
		}
		a.bits = shares_word(&f) ? 32 : f.bits[0];
		a.n = shares_word(&f) ? 1 : f.n;
		bit = 0;
		for (unsigned i = 0; i < f.n; bit += f.bits[i++]) {
			uint32_t v = dword(m, &t->o[0], lane, half ? i / 2 : i), h = i & 1 ? v >> 16 : v & 0xffff;
			if (half)
				v = f.number[0] == 'F' && f.bits[i] == 16 ? h : !of_integers(&f) ? wide_half(h) :
					f.number[0] == 'S' ? sfield(h, 0, 16) : h;
			uint64_t x = half && f.number[0] == 'F' && f.bits[i] == 16 ? v : write_number(&f, v, f.bits[i]);
			a.v[shares_word(&f) ? 0 : i] |= shares_word(&f) ? x << bit : x;
		}
		add_log(l, &a);
	}
	return true;
}
#endif
