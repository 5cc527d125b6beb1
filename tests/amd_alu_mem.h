/* amd_alu_mem.h - memory instructions on the reference machine of amd_alu_test.c.
 *
 * Memory outside (buffers, 64-bit addresses) holds a hash of its byte addresses; stores and atomics are compared as a
 * list of accesses. LDS and scratch are bytes of the machine: both start with registers' values and are read back. */
#ifndef AMD_ALU_MEM_H
#define AMD_ALU_MEM_H

enum { MAX_LOG = 1024, SPACE_PTR = 1, SPACE_BUF, SPACE_TYPED, LDS_REGS = 16, SCRATCH_DWORDS = 16 };

struct access {
	unsigned lane, space, bits, n;
	int atomic; /* enum ir_atomic, or -1: a store */
	uint64_t addr, index, v[4];
};
struct log { struct access a[MAX_LOG]; unsigned n; };

static uint8_t mem_byte(unsigned space, uint64_t index, uint64_t addr)
{
	uint64_t x = (addr * 0x9e3779b97f4a7c15ull) ^ (index * 0xc2b2ae3d27d4eb4full) ^ space * 0x165667b19e3779f9ull;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return (uint8_t)(x >> 32);
}

static uint64_t mem_value(unsigned space, uint64_t index, uint64_t addr, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)mem_byte(space, index, addr + i) << 8 * i;
	return v;
}

static void add_log(struct log *l, const struct access *a)
{
	if (l->n < MAX_LOG)
		l->a[l->n++] = *a;
}

/* What a mnemonic's access moves. */
struct shape { unsigned bytes, n, half; bool sign; }; /* half: 1 low, 2 high half of the register */

static bool shape_of(const char *op, struct shape *s)
{
	static const struct { const char *name; unsigned bytes, n; bool sign; } list[] = { { "dwordx16", 4, 16, 0 },
		{ "dwordx8", 4, 8, 0 }, { "dwordx4", 4, 4, 0 }, { "dwordx3", 4, 3, 0 }, { "dwordx2", 4, 2, 0 }, { "dword", 4, 1, 0 },
		{ "ubyte", 1, 1, 0 }, { "sbyte", 1, 1, 1 }, { "ushort", 2, 1, 0 }, { "sshort", 2, 1, 1 }, { "short", 2, 1, 0 },
		{ "byte", 1, 1, 0 }, { "b128", 4, 4, 0 }, { "b96", 4, 3, 0 }, { "b64", 4, 2, 0 }, { "b32", 4, 1, 0 }, { "_u8", 1, 1, 0 },
		{ "_i8", 1, 1, 1 }, { "_u16", 2, 1, 0 }, { "_i16", 2, 1, 1 }, { "_b8", 1, 1, 0 }, { "_b16", 2, 1, 0 },
		{ "format_xyzw", 4, 4, 0 }, { "format_xyz", 4, 3, 0 }, { "format_xy", 4, 2, 0 }, { "format_x", 4, 1, 0 },
		{ "d16_xyzw", 4, 4, 0 }, { "d16_xyz", 4, 3, 0 }, { "d16_xy", 4, 2, 0 }, { "d16_x", 4, 1, 0 }, { "d16_hi_x", 4, 1, 0 } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (strstr(op, list[i].name)) {
			*s = (struct shape){ list[i].bytes, list[i].n, 0, list[i].sign };
			s->half = strstr(op, "d16_hi") ? 2 : strstr(op, "d16") ? 1 : 0;
			return true;
		}
	return false;
}

/* A loaded element in its register. */
static void put_loaded(struct machine *out, unsigned lane, unsigned reg, const struct shape *s, uint64_t v)
{
	uint32_t *d = &out->v[lane][reg & 255], x = (uint32_t)v;

	if (s->bytes < 4 && s->sign)
		x = sfield(x, 0, 8 * s->bytes);
	if (s->half == 1)
		x = (*d & 0xffff0000u) | (x & 0xffff);
	else if (s->half == 2)
		x = (*d & 0xffff) | x << 16;
	*d = x;
}

/* ---- atomics */
static const char *const atomic_names[] = {
#define X(n) #n,
	IR_ATOMICS(X)
#undef X
};

static int atomic_id(const char *op)
{
	static const struct { const char *guest, *ours; } list[] = { { "fcmpswap", "fcmpxchg" }, { "cmpswap", "cmpxchg" },
		{ "swap", "xchg" }, { "csub", "csub" }, { "rsub", "rsub" }, { "add_f", "fadd" }, { "add", "add" }, { "sub", "sub" },
		{ "smin", "smin" }, { "umin", "umin" }, { "fmin", "fmin" }, { "smax", "smax" }, { "umax", "umax" }, { "fmax", "fmax" },
		{ "mskor", "mskor" }, { "xor", "xor" }, { "and", "and" }, { "or", "or" }, { "inc", "inc" }, { "dec", "dec" },
		{ "cmpst_f", "fcmpxchg" }, { "cmpst", "cmpxchg" }, { "wrxchg", "xchg" }, { "wrap", "wrap" }, { "min_i", "smin" },
		{ "min_u", "umin" }, { "min_f", "fmin" }, { "max_i", "smax" }, { "max_u", "umax" }, { "max_f", "fmax" }, { "write", "xchg" } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (!strncmp(op, list[i].guest, strlen(list[i].guest)))
			for (int k = 0; k < ATOMIC_COUNT; k++)
				if (!strcmp(atomic_names[k], list[i].ours))
					return k;
	return -1;
}

static double number(uint64_t v, unsigned w) { return w == 64 ? as_double(v) : (double)as_float((uint32_t)v); }
static uint64_t number_bits(double v, unsigned w) { return w == 64 ? double_bits(v) : float_bits((float)v); }

static uint64_t atomic_new(const char *n, unsigned w, uint64_t old, uint64_t a, uint64_t b)
{
	int64_t so = (int64_t)(old << (64 - w)), sa = (int64_t)(a << (64 - w));
	uint64_t r;

	if (!strcmp(n, "xchg")) r = a;
	else if (!strcmp(n, "cmpxchg")) r = old == a ? b : old;
	else if (!strcmp(n, "fcmpxchg")) r = number(old, w) == number(a, w) ? b : old;
	else if (!strcmp(n, "add")) r = old + a;
	else if (!strcmp(n, "sub")) r = old - a;
	else if (!strcmp(n, "rsub")) r = a - old;
	else if (!strcmp(n, "csub")) r = old < a ? 0 : old - a;
	else if (!strcmp(n, "smin")) r = so < sa ? old : a;
	else if (!strcmp(n, "smax")) r = so > sa ? old : a;
	else if (!strcmp(n, "umin")) r = old < a ? old : a;
	else if (!strcmp(n, "umax")) r = old > a ? old : a;
	else if (!strcmp(n, "and")) r = old & a;
	else if (!strcmp(n, "or")) r = old | a;
	else if (!strcmp(n, "xor")) r = old ^ a;
	else if (!strcmp(n, "inc")) r = old >= a ? 0 : old + 1;
	else if (!strcmp(n, "dec")) r = !old || old > a ? a : old - 1;
	else if (!strcmp(n, "mskor")) r = (old & ~a) | b;
	else if (!strcmp(n, "wrap")) r = old >= a ? old - a : old + b;
	else if (!strcmp(n, "fadd")) r = number_bits(number(old, w) + number(a, w), w);
	else if (!strcmp(n, "fmin")) r = number_bits(dmin(number(old, w), number(a, w)), w);
	else r = number_bits(dmax(number(old, w), number(a, w)), w);
	return w == 32 ? (uint32_t)r : r;
}

/* ---- memory outside */
static uint64_t regs(const struct machine *m, const struct opnd *o, unsigned lane, unsigned first, unsigned n)
{
	return dword(m, o, lane, first) | (n > 1 ? (uint64_t)dword(m, o, lane, first + 1) << 32 : 0);
}

/* Address of a lane: buffers "vaddr, srsrc, soffset", flat "vaddr[2]", global "vaddr, off" or "vaddr, saddr". k: operand of
 * vaddr. */
static void address(const struct machine *m, const struct text *t, unsigned lane, unsigned k, struct access *a)
{
	int64_t imm = tail_value(t, "offset", 0);

	if (strstr(t->op, "buffer")) {
		bool idxen = tail_has(t, "idxen"), offen = tail_has(t, "offen");
		const struct opnd *s = &t->o[k + 2];
		uint64_t off = s->kind == K_S ? dword(m, s, lane, 0) : s->kind == K_INT ? s->value : 0;
		a->index = idxen ? dword(m, &t->o[k], lane, 0) : UINT64_MAX;
		if (offen)
			off += dword(m, &t->o[k], lane, idxen ? 1 : 0);
		a->addr = off + (uint64_t)imm;
		a->space = strstr(t->op, "format") ? SPACE_TYPED : SPACE_BUF;
		return;
	}
	a->space = SPACE_PTR;
	if (strstr(t->op, "addtid"))
		a->addr = (t->o[k].kind == K_S ? regs(m, &t->o[k], lane, 0, 2) : 0) + 4 * lane + (uint64_t)imm;
	else if (t->o[t->n - 1].kind == K_S && t->o[k].n == 1)
		a->addr = regs(m, &t->o[t->n - 1], lane, 0, 2) + dword(m, &t->o[k], lane, 0) + (uint64_t)imm;
	else
		a->addr = regs(m, &t->o[k], lane, 0, 2) + (uint64_t)imm;
}

static void outer_atomic(const struct machine *m, struct machine *out, const struct text *t, unsigned lane, struct log *l)
{
	bool glc = tail_has(t, "glc"), buffer = strstr(t->op, "buffer") != NULL, wide = strstr(t->op, "_x2") != NULL;
	unsigned w = wide ? 2 : 1, data = buffer ? 0 : glc ? 2 : 1;
	struct access a = { .lane = lane, .bits = 32 * w, .n = 1, .atomic = atomic_id(strstr(t->op, "atomic_") + 7) };

	address(m, t, lane, buffer ? 1 : glc ? 1 : 0, &a);
	a.v[0] = regs(m, &t->o[data], lane, 0, w);
	if (strstr(t->op, "cmpswap")) { /* the new value comes first */
		a.v[1] = a.v[0];
		a.v[0] = regs(m, &t->o[data], lane, w, w);
	}
	add_log(l, &a);
	uint64_t old = mem_value(a.space, a.index, a.addr, 4 * w);
	for (unsigned i = 0; glc && i < w; i++)
		out->v[lane][t->o[0].index + (int)i] = (uint32_t)(old >> 32 * i);
}

static uint32_t wide_half(uint32_t h) /* as a float's bits; a NaN's payload is free */
{
	double d = as_half(h);

	return isnan(d) ? 0x7fc00000 : float_bits((float)d);
}

static bool outer(const struct machine *m, struct machine *out, const struct text *t, struct log *l)
{
	bool isstore = strstr(t->op, "store") != NULL, buffer = strstr(t->op, "buffer") != NULL;
	struct shape s;

	if (strstr(t->op, "atomic")) {
		for (unsigned lane = 0; lane < m->wave; lane++)
			if (on(m, lane))
				outer_atomic(m, out, t, lane, l);
		return true;
	}
	if (!shape_of(t->op, &s))
		return false;
	bool halves = strstr(t->op, "format") && s.half;
	for (unsigned lane = 0; lane < m->wave; lane++) {
		struct access a = { .lane = lane, .bits = 8 * s.bytes, .n = s.n, .atomic = -1 };
		if (!on(m, lane))
			continue;
		if (!isstore) {
			address(m, t, lane, 1, &a);
			for (unsigned i = 0; i < s.n && halves; i++) {
				uint32_t h = half_bits((double)as_float((uint32_t)mem_value(a.space, a.index, a.addr + 4 * i, 4)));
				struct shape one = { 2, 1, s.half == 2 || (i & 1) ? 2 : 1, false };
				put_loaded(out, lane, (unsigned)t->o[0].index + i / 2, &one, h);
			}
			for (unsigned i = 0; i < s.n && !halves; i++)
				put_loaded(out, lane, (unsigned)t->o[0].index + i, &s, mem_value(a.space, a.index, a.addr + 4 * i, s.bytes));
			continue;
		}
		unsigned data = buffer || strstr(t->op, "addtid") ? 0 : 1;
		address(m, t, lane, buffer || strstr(t->op, "addtid") ? 1 : 0, &a);
		for (unsigned i = 0; i < s.n; i++) {
			a.v[i] = dword(m, &t->o[data], lane, halves ? i / 2 : i);
			if (halves)
				a.v[i] = wide_half((uint32_t)a.v[i] >> (s.half == 2 || (i & 1) ? 16 : 0) & 0xffff);
			if (s.bytes < 4)
				a.v[i] = (a.v[i] >> (s.half == 2 ? 16 : 0)) & ((1u << 8 * s.bytes) - 1);
		}
		add_log(l, &a);
	}
	return true;
}

/* An atomic is the wave's, and one lane's in the log; a store may come from every lane, to one place and of one value. */
static void scalar_write(const struct machine *m, struct machine *out, const struct text *t, uint64_t at, unsigned n, struct log *l)
{
	bool buffer = strstr(t->op, "buffer") != NULL, atomic = strstr(t->op, "atomic") != NULL, wide = strstr(t->op, "_x2") != NULL;
	unsigned w = wide ? 2 : 1;
	struct access a = { .space = buffer ? SPACE_BUF : SPACE_PTR, .bits = 32, .n = n, .addr = at, .index = buffer ? UINT64_MAX : 0, .atomic = -1 };

	for (unsigned i = 0; i < n && !atomic; i++)
		a.v[i] = dword(m, &t->o[0], 0, i);
	for (a.lane = 0; a.lane < m->wave && !atomic; a.lane++)
		add_log(l, &a);
	if (!atomic)
		return;
	a.lane = 0;
	a.bits = 32 * w;
	a.n = 1;
	a.atomic = atomic_id(strstr(t->op, "atomic_") + 7);
	a.v[0] = regs(m, &t->o[0], 0, 0, w);
	if (strstr(t->op, "cmpswap")) { /* the new value comes first */
		a.v[1] = a.v[0];
		a.v[0] = regs(m, &t->o[0], 0, w, w);
	}
	add_log(l, &a);
	for (unsigned i = 0; i < w && tail_has(t, "glc"); i++)
		out->s[t->o[0].index + (int)i] = (uint32_t)(mem_value(a.space, a.index, at, 4 * w) >> 32 * i);
}

/* Scalar accesses: one address for the wave. */
static bool scalar_access(const struct machine *m, struct machine *out, const struct text *t, struct log *l)
{
	struct shape s = { 4, 1, 0, false };
	bool buffer = strstr(t->op, "buffer") != NULL, write = strstr(t->op, "_store_") || strstr(t->op, "atomic");
	uint64_t at = 0;

	if ((!strstr(t->op, "_load_") && !write) || (!strstr(t->op, "atomic") && !shape_of(t->op, &s)))
		return strstr(t->op, "dcache_inv") || strstr(t->op, "gl1_inv") || strstr(t->op, "dcache_wb");
	const struct opnd *o = &t->o[2];
	at = o->kind == K_S ? dword(m, o, 0, 0) : m->gfx7 ? 4u * o->value : o->value;
	at += (uint64_t)tail_value(t, "offset", 0);
	if (!buffer)
		at += regs(m, &t->o[1], 0, 0, 2);
	if (write)
		scalar_write(m, out, t, at, s.n, l);
	for (unsigned i = 0; i < s.n && !write; i++)
		out->s[t->o[0].index + (int)i] =
			(uint32_t)mem_value(buffer ? SPACE_BUF : SPACE_PTR, buffer ? UINT64_MAX : 0, at + 4 * i, 4);
	return true;
}

/* ---- bytes inside: LDS of the group, scratch of a lane */
static uint64_t get(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}
static void set(uint8_t *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static bool inside(uint64_t at, unsigned n) { return at + n <= LDS_BYTES; }

static bool ds_atomic(const struct machine *m, struct machine *out, const struct text *t, unsigned lane, uint32_t at)
{
	bool rtn = strstr(t->op, "rtn") != NULL, wide = strstr(t->op, "64") && !strstr(t->op, "st64"), two = strstr(t->op, "xchg2");
	unsigned w = wide || strstr(t->op, "_b64") ? 2 : 1, k = rtn ? 2 : 1;
	const char *p = t->op + 3;
	char name[48];

	snprintf(name, sizeof name, "%s", p);
	char *r = strstr(name, "rtn_");
	if (r)
		memmove(r, r + 4, strlen(r + 4) + 1);
	int id = atomic_id(name);
	if (id < 0)
		return false;
	for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
		unsigned unit = 4 * w * (strstr(t->op, "st64") ? 64 : 1);
		uint32_t addr = at + (uint32_t)(two ? tail_value(t, i ? "offset1" : "offset0", 0) * (long)unit : tail_value(t, "offset", 0));
		uint64_t a = regs(m, &t->o[k + i], lane, 0, w), b = t->n > k + 1 && !two ? regs(m, &t->o[k + 1], lane, 0, w) : 0;
		if (!inside(addr, 4 * w))
			return false;
		uint64_t old = get(out->lds + addr, 4 * w);
		set(out->lds + addr, 4 * w, atomic_new(atomic_names[id], 32 * w, old, a, b));
		for (unsigned d = 0; rtn && d < w; d++)
			out->v[lane][t->o[0].index + (int)(i * w + d)] = (uint32_t)(old >> 32 * d);
	}
	return true;
}

static bool ds_src2(const struct machine *m, struct machine *out, const struct text *t)
{
	unsigned w = strstr(t->op, "64") ? 2 : 1;
	int32_t o = (int32_t)tail_value(t, "offset", 0);
	uint64_t v[64];
	char name[48];

	for (unsigned phase = 0; phase < 2; phase++)
		for (unsigned lane = 0; lane < m->wave; lane++) {
			uint32_t a = dword(m, &t->o[0], lane, 0), at = a & 0xffff;
			int32_t step = o & 0x8000 ? (int32_t)a >> 17 : (int32_t)((uint32_t)o << 17) >> 17;
			uint32_t from = at + 4 * (uint32_t)step;
			if (!on(m, lane))
				continue;
			if (!inside(at, 4 * w) || !inside(from, 4 * w))
				return false;
			if (!phase) {
				v[lane] = get(m->lds + from, 4 * w);
				continue;
			}
			snprintf(name, sizeof name, "%s", t->op + 3);
			char *p = strstr(name, "src2_");
			memmove(p, p + 5, strlen(p + 5) + 1);
			int id = atomic_id(name);
			if (id < 0)
				return false;
			set(out->lds + at, 4 * w, atomic_new(atomic_names[id], 32 * w, get(out->lds + at, 4 * w), v[lane], 0));
		}
	return true;
}

static bool ds_lanes(const struct machine *m, struct machine *out, const struct text *t)
{
	uint32_t o = (uint32_t)tail_value(t, "offset", 0);
	const char *pat = strstr(t->tail, "swizzle(");

	if (strstr(t->op, "swizzle")) {
		int c[4];
		if (pat && sscanf(pat, "swizzle(QUAD_PERM,%d,%d,%d,%d)", c, c + 1, c + 2, c + 3) == 4)
			o = 0x8000u | (uint32_t)(c[0] | c[1] << 2 | c[2] << 4 | c[3] << 6);
		else if (pat)
			return false;
	}
	for (unsigned lane = 0; lane < m->wave; lane++)
		if (on(m, lane) && strstr(t->op, "ds_permute"))
			out->v[lane][t->o[0].index] = 0;
	for (unsigned lane = 0; lane < m->wave; lane++) {
		unsigned group = lane & ~31u, from;
		if (!on(m, lane))
			continue;
		if (strstr(t->op, "ds_permute")) {
			unsigned to = group | ((dword(m, &t->o[1], lane, 0) + o) >> 2 & 31);
			if (on(m, to))
				out->v[to][t->o[0].index] = dword(m, &t->o[2], lane, 0);
			continue;
		}
		if (strstr(t->op, "bpermute"))
			from = group | ((dword(m, &t->o[1], lane, 0) + o) >> 2 & 31);
		else if (o & 0x8000)
			from = (lane & ~3u) | (o >> 2 * (lane & 3) & 3);
		else
			from = group | ((((lane & 31) & o) | (o >> 5 & 31)) ^ (o >> 10 & 31));
		out->v[lane][t->o[0].index] = on(m, from) ? dword(m, &t->o[strstr(t->op, "bpermute") ? 2 : 1], from, 0) : 0;
	}
	return true;
}

static bool ds_counter(const struct machine *m, struct machine *out, const struct text *t)
{
	uint32_t at = (m->s[M0] & 0xffff) + (uint32_t)tail_value(t, "offset", 0), n = 0, old;

	if (!inside(at, 4))
		return false;
	old = (uint32_t)get(out->lds + at, 4);
	for (unsigned lane = 0; lane < m->wave; lane++)
		if (on(m, lane)) {
			n++;
			out->v[lane][t->o[0].index] = old;
		}
	set(out->lds + at, 4, strstr(t->op, "append") ? old + n : old - n);
	return true;
}

static bool ds(const struct machine *m, struct machine *out, const struct text *t)
{
	struct shape s;
	bool isstore = strstr(t->op, "write") != NULL, two = strstr(t->op, "2_b") || strstr(t->op, "2st64"), tid = strstr(t->op, "addtid");

	if (tail_has(t, "gds"))
		return false;
	if (!strcmp(t->op, "ds_nop"))
		return true;
	if (strstr(t->op, "src2"))
		return ds_src2(m, out, t);
	if (strstr(t->op, "permute") || strstr(t->op, "swizzle"))
		return ds_lanes(m, out, t);
	if (strstr(t->op, "append") || strstr(t->op, "consume"))
		return ds_counter(m, out, t);
	for (unsigned lane = 0; lane < m->wave; lane++) {
		uint32_t at = tid ? (m->s[M0] & 0xffff) + 4 * lane : dword(m, &t->o[isstore || (!strstr(t->op, "rtn") &&
			!strstr(t->op, "read")) ? 0 : 1], lane, 0);
		if (!on(m, lane))
			continue;
		if (!isstore && !strstr(t->op, "read")) {
			if (!ds_atomic(m, out, t, lane, at))
				return false;
			continue;
		}
		if (!shape_of(t->op, &s))
			return false;
		for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
			unsigned unit = s.bytes * s.n * (strstr(t->op, "st64") ? 64 : 1);
			uint32_t a = at + (uint32_t)(two ? tail_value(t, i ? "offset1" : "offset0", 0) * (long)unit :
				tail_value(t, "offset", 0));
			if (!inside(a, s.bytes * s.n))
				return false;
			for (unsigned k = 0; k < s.n; k++) {
				uint32_t v = isstore ? dword(m, &t->o[tid ? 0 : 1 + i], lane, k) >> (s.half == 2 ? 16 : 0) : 0;
				if (isstore)
					set(out->lds + a + 4 * k, s.bytes, v);
				else
					put_loaded(out, lane, (unsigned)t->o[0].index + i * s.n + k, &s, get(m->lds + a + 4 * k, s.bytes));
			}
		}
	}
	return true;
}

static bool scratch_op(const struct machine *m, struct machine *out, const struct text *t)
{
	bool isstore = strstr(t->op, "store") != NULL;
	const struct opnd *va = &t->o[isstore ? 0 : 1], *sa = &t->o[2];
	struct shape s;

	if (!shape_of(t->op, &s))
		return false;
	for (unsigned lane = 0; lane < m->wave; lane++) {
		uint32_t at = (va->kind == K_V ? dword(m, va, lane, 0) : sa->kind == K_S ? dword(m, sa, lane, 0) : 0) +
			(uint32_t)tail_value(t, "offset", 0);
		if (!on(m, lane))
			continue;
		if (at + s.bytes * s.n > 4 * SCRATCH_DWORDS)
			return false;
		uint8_t *p = out->lds + lane * 64, *q = (uint8_t *)(uintptr_t)(m->lds + lane * 64);
		for (unsigned k = 0; k < s.n; k++)
			if (isstore)
				set(p + at + 4 * k, s.bytes, dword(m, &t->o[1], lane, k) >> (s.half == 2 ? 16 : 0));
			else
				put_loaded(out, lane, (unsigned)t->o[0].index + k, &s, get(q + at + 4 * k, s.bytes));
	}
	return true;
}

static bool is_memory(const char *op)
{
	return !strncmp(op, "ds_", 3) || !strncmp(op, "buffer_", 7) || !strncmp(op, "tbuffer_", 8) || !strncmp(op, "flat_", 5) ||
	       !strncmp(op, "global_", 7) || !strncmp(op, "scratch_", 8) || strstr(op, "_load_dword") || strstr(op, "dcache") ||
	       !strncmp(op, "s_store_", 8) || !strncmp(op, "s_buffer_", 9) || !strncmp(op, "s_atomic_", 9) ||
	       !strcmp(op, "s_gl1_inv");
}

#include "amd_alu_tbuf.h"

static bool memory_op(const struct machine *m, struct machine *out, const struct text *t, struct log *l)
{
	if (!strncmp(t->op, "ds_", 3))
		return ds(m, out, t);
	if (!strncmp(t->op, "scratch_", 8))
		return scratch_op(m, out, t);
	if (!strncmp(t->op, "s_", 2))
		return scalar_access(m, out, t, l);
	if (strstr(t->op, "_inv") || strstr(t->op, "wbinv"))
		return true;
	return t->op[0] == 't' ? tbuffer_op(m, out, t, l) : outer(m, out, t, l);
}
#endif
