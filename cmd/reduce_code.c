/* reduce_code.c - smaller machine code. What is tried need not be right: whoever asks for it keeps what still fails the same way.
 *
 * Three things of an encoding must be known: what does nothing, what ends a program, where a branch has its distance. The
 * disassembler is asked whether they are so.
 */
#include "reduce.h"

#include <stdlib.h>
#include <string.h>

/* A branch's distance: `width` bits from bit `at`, in units of `unit` bytes from the next instruction. */
static const struct form {
	const char *cpu;           /* the start of its name */
	uint32_t step;             /* bytes of the smallest instruction */
	uint64_t nop[2], end[2];
	unsigned at, width, unit;
	uint32_t bundle;           /* only so many bytes at once can go */
} forms[] = {
	{ "gfx", 4, { 0xbf800000, 0 }, { 0xbf810000, 0 }, 0, 16, 4, 4 },
	{ "sm86", 16, { 0x7918, 0x000fc00000000000 }, { 0x794d, 0x000fea0003800000 }, 34, 48, 4, 16 },
	{ "sm53", 8, { 0x50b0000000070f00, 0 }, { 0xe30000000007000f, 0 }, 20, 24, 1, 32 },
};

static const struct form *form_of(const struct reduce *r)
{
	for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strncmp(r->info.cpu, forms[i].cpu, strlen(forms[i].cpu)))
			return &forms[i];
	}
	return NULL;
}

static void put(uint8_t *at, const uint64_t *word, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		at[i] = (uint8_t)(word[i / 8] >> 8 * (i % 8));
}

static uint32_t length(const struct reduce *r, const struct reduce_code *c, uint32_t at, struct xl_flow *flow)
{
	int n = xl_flow_at(r->info.cpu, r->info.wave, c->v, c->exec_size, at, flow);
	const struct form *f = form_of(r);
	uint32_t left = c->exec_size - at, step = n > 0 ? (uint32_t)n : f ? f->step : 4;

	return step < left ? step : left;
}

static bool nothing(const struct form *f, const uint8_t *at, uint32_t n)
{
	uint8_t nop[16];

	put(nop, f->nop, f->step);
	return n == f->step && !memcmp(at, nop, n);
}

/* Offsets of instructions; malloc'ed. */
static uint32_t *list(const struct reduce *r, const struct reduce_code *c, uint32_t *n)
{
	uint32_t *v = calloc(c->exec_size / 4 + 2, sizeof(*v));
	struct xl_flow flow;

	*n = 0;
	for (size_t at = xl_isa_next(r->info.cpu, c->v, c->exec_size, 0); v && at < c->exec_size;
	     at = xl_isa_next(r->info.cpu, c->v, c->exec_size, at + length(r, c, (uint32_t)at, &flow)))
		v[(*n)++] = (uint32_t)at;
	return v;
}

uint32_t reduce_instructions(const struct reduce *r, const struct reduce_code *c)
{
	const struct form *f = form_of(r);
	struct xl_flow flow;
	uint32_t n, some = 0, *v = list(r, c, &n);

	for (uint32_t i = 0; v && i < n; i++)
		some += !f || !nothing(f, c->v + v[i], length(r, c, v[i], &flow));
	free(v);
	return some;
}

static struct reduce_code copy(const struct reduce *r)
{
	struct reduce_code c = r->code;

	c.v = malloc(c.size + 16u);
	if (c.v)
		memcpy(c.v, r->code.v, r->code.size);
	return c;
}

/* ---- an end instead of a tail: half of what is left, then less */
bool reduce_cut(struct reduce *r)
{
	const struct form *f = form_of(r);
	bool gained = false, once;
	uint32_t n, *v;

	if (!f)
		return false;
	for (uint32_t part = 2; part <= 64; part = once ? part : part * 2) {
		struct reduce_code c = copy(r);
		uint32_t from, end;

		once = false;
		v = list(r, &r->code, &n);
		from = n > 1 ? n - (n / part ? n / part : 1) : 0;
		if (c.v && v && from && v[from] + f->step < c.exec_size) {
			end = v[from] + f->step;
			put(c.v + v[from], f->end, f->step);
			memmove(c.v + end, c.v + c.exec_size, c.size - c.exec_size);
			c.size -= c.exec_size - end;
			c.exec_size = end;
			once = reduce_try(r, &c, r->keep);
			if (!once) { /* constant data must stay where it is */
				memcpy(c.v, r->code.v, r->code.size);
				c.size = r->code.size;
				put(c.v + v[from], f->end, f->step);
				once = reduce_try(r, &c, r->keep);
			}
		}
		free(c.v);
		free(v);
		gained |= once;
	}
	/* And without the data behind the code. */
	if (r->code.size > r->code.exec_size) {
		struct reduce_code c = r->code;

		c.size = c.exec_size;
		gained |= reduce_try(r, &c, r->keep);
	}
	return gained;
}

/* ---- nothing instead of something: chunks of half, a quarter, ... of the instructions */
static bool blank(struct reduce *r, const struct form *f, const uint32_t *v, uint32_t n, uint32_t from, uint32_t to)
{
	struct reduce_code c = copy(r);
	bool any = false, good = false;
	struct xl_flow flow;

	for (uint32_t i = from; c.v && i < to && i < n; i++) {
		uint32_t len = length(r, &r->code, v[i], &flow);

		if (nothing(f, r->code.v + v[i], len) || len % f->step)
			continue;
		any = true;
		for (uint32_t k = 0; k < len; k += f->step)
			put(c.v + v[i] + k, f->nop, f->step);
	}
	if (any)
		good = reduce_try(r, &c, r->keep);
	free(c.v);
	return good;
}

bool reduce_blank(struct reduce *r)
{
	const struct form *f = form_of(r);
	bool gained = false;
	uint32_t n, *v = f ? list(r, &r->code, &n) : NULL;

	/* The list stays right for what is not touched: an instruction gives way to others in its place. */
	for (uint32_t chunk = v ? n / 2 : 0; chunk; chunk /= 2) {
		for (uint32_t i = 0; i < n && reduce_goes_on(r); i += chunk)
			gained |= blank(r, f, v, n, i, i + chunk);
	}
	free(v);
	return gained;
}

/* ---- taking out bytes [from, to), all of them nothing */
static int64_t moved(int64_t at, uint32_t from, uint32_t to)
{
	return at >= to ? at - (to - from) : at > from ? from : at;
}

static bool aim(const struct form *f, uint8_t *at, int64_t by)
{
	int64_t units = by / f->unit;

	if (by % f->unit)
		return false;
	for (unsigned i = 0; i < f->width; i++) {
		unsigned bit = f->at + i;
		uint8_t mask = (uint8_t)(1u << bit % 8);

		at[bit / 8] = (uint8_t)((at[bit / 8] & ~mask) | ((uint64_t)units >> i & 1 ? mask : 0));
	}
	return true;
}

static bool take_out(struct reduce *r, const struct form *f, uint32_t from, uint32_t to)
{
	struct reduce_code c = copy(r);
	struct xl_flow flow, now;
	uint32_t n, *v = list(r, &r->code, &n);
	bool good = c.v && v;

	if (good) {
		memmove(c.v + from, c.v + to, c.size - to);
		c.size -= to - from;
		c.exec_size -= to - from;
		c.entry = (uint32_t)moved(c.entry, from, to);
	}
	for (uint32_t i = 0; good && i < n; i++) {
		uint32_t len = length(r, &r->code, v[i], &flow), at = (uint32_t)moved(v[i], from, to);
		bool direct = flow.kind == XL_FLOW_JUMP || flow.kind == XL_FLOW_PUSH || flow.kind == XL_FLOW_CALL;
		int64_t target = moved(flow.target, from, to);

		if (!direct || (v[i] >= from && v[i] < to))
			continue;
		good = aim(f, c.v + at, target - at - len);
		/* The disassembler says whether that was the place. */
		good = good && xl_flow_at(r->info.cpu, r->info.wave, c.v, c.exec_size, at, &now) == (int)len && now.kind == flow.kind &&
			now.target == target;
	}
	good = good && reduce_try(r, &c, r->keep);
	free(c.v);
	free(v);
	return good;
}

/* The next bytes from `at` that all do nothing, in whole bundles. */
static bool run_at(const struct reduce *r, const struct form *f, uint32_t *from, uint32_t *to)
{
	const struct reduce_code *c = &r->code;
	uint32_t at = *from / f->bundle * f->bundle, start = UINT32_MAX;

	for (; at + f->bundle <= c->exec_size; at += f->bundle) {
		bool all = true;

		for (uint32_t k = (uint32_t)xl_isa_next(r->info.cpu, c->v, c->exec_size, at); k < at + f->bundle; k += f->step)
			all &= nothing(f, c->v + k, f->step);
		if (all && start == UINT32_MAX)
			start = at;
		if (!all && start != UINT32_MAX)
			break;
	}
	*from = start;
	*to = at;
	return start != UINT32_MAX;
}

bool reduce_remove(struct reduce *r)
{
	const struct form *f = form_of(r);
	uint32_t from = 0, to;
	bool gained = false, part;

	while (f && reduce_goes_on(r) && run_at(r, f, &from, &to)) {
		if (take_out(r, f, from, to)) {
			gained = true;
			continue;
		}
		/* Part of them, where all do not go. */
		part = false;
		while (!part && to - from > f->bundle && reduce_goes_on(r)) {
			to = from + (to - from) / 2 / f->bundle * f->bundle;
			part = take_out(r, f, from, to);
		}
		gained |= part;
		from = part ? from : to;
	}
	return gained;
}

/* ---- operands: bytes that may be zero without another mnemonic */
static void mnemonic(const struct reduce *r, const struct reduce_code *c, uint32_t at, char name[64])
{
	char text[512];

	if (xl_disassemble(r->info.cpu, r->info.wave, c->v, c->exec_size, at, text, sizeof(text)) <= 0)
		text[0] = 0;
	reduce_mnemonic(text, name, 64);
}

bool reduce_operands(struct reduce *r)
{
	uint32_t n, *v = list(r, &r->code, &n);
	const struct form *f = form_of(r);
	bool gained = false;

	for (uint32_t i = 0; v && f && i < n; i++) {
		struct xl_flow flow;
		uint32_t len = length(r, &r->code, v[i], &flow);

		if (nothing(f, r->code.v + v[i], len))
			continue;
		for (uint32_t k = 0; k < len && reduce_goes_on(r); k++) {
			struct reduce_code c;
			char was[64], is[64];
			struct xl_flow now;

			if (!r->code.v[v[i] + k])
				continue;
			c = copy(r);
			if (c.v) {
				mnemonic(r, &c, v[i], was);
				c.v[v[i] + k] = 0;
				mnemonic(r, &c, v[i], is);
				if (*was && !strcmp(was, is) && length(r, &c, v[i], &now) == len && now.kind == flow.kind && now.target == flow.target)
					gained |= reduce_try(r, &c, r->keep);
			}
			free(c.v);
		}
	}
	free(v);
	return gained;
}
