/* deflate.c - DEFLATE with hash chains and a Huffman code of its own for every 32768 symbols. */
#include "deflate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 32768, HASH = 1 << 15, CHAIN = 48, NICE = 96, MIN = 3, MAX = 258, SYMBOLS = 32768, LITS = 286, DISTS = 30, ORDER = 19,
	END = 256 };

static const uint16_t length_base[] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
	163, 195, 227, 258 };
static const uint16_t dist_base[] = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
	3073, 4097, 6145, 8193, 12289, 16385, 24577 };

static unsigned length_extra(unsigned code) { return code < 8 || code == 28 ? 0 : code / 4 - 1; }
static unsigned dist_extra(unsigned code) { return code < 4 ? 0 : code / 2 - 1; }

struct out { uint8_t *v; size_t n, cap; uint64_t bits; unsigned nbit; bool bad; };
struct match { uint16_t length, dist; }; /* dist 0: the literal `length` */
struct code { uint32_t count[LITS]; uint16_t bits[LITS]; uint8_t len[LITS]; };
struct state {
	const uint8_t *in;
	size_t n;
	int32_t head[HASH], prev[WINDOW];
	struct match m[SYMBOLS];
	uint32_t nm;
	struct code lit, dist, order;
	struct out out;
};

static void put(struct out *o, uint32_t bits, unsigned n)
{
	o->bits |= (uint64_t)bits << o->nbit;
	for (o->nbit += n; o->nbit >= 8; o->nbit -= 8, o->bits >>= 8) {
		if (o->n == o->cap) {
			size_t cap = o->cap ? o->cap * 2 : 4096;
			uint8_t *v = realloc(o->v, cap);

			if (!v) {
				o->bad = true;
				continue;
			}
			o->v = v;
			o->cap = cap;
		}
		o->v[o->n++] = (uint8_t)o->bits;
	}
}

/* ---- Huffman */
struct sym { uint32_t count; uint16_t s; };

static int by_count(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? -1 : 1) : x->s < y->s ? -1 : x->s > y->s;
}

/* Depths of the leaves of the tree over n > 1 sorted counts, deepest first: two queues, leaves and inner nodes. */
static void depths(const struct sym *v, unsigned n, uint8_t *depth)
{
	uint32_t sum[LITS];
	uint16_t up_leaf[LITS], up[LITS];
	uint8_t d[LITS];
	unsigned leaf = 0, inner = 0;

	for (unsigned k = 0; k + 1 < n; k++) {
		sum[k] = 0;
		for (int i = 0; i < 2; i++) {
			if (leaf < n && (inner == k || v[leaf].count <= sum[inner])) {
				sum[k] += v[leaf].count;
				up_leaf[leaf++] = (uint16_t)k;
			} else {
				sum[k] += sum[inner];
				up[inner++] = (uint16_t)k;
			}
		}
	}
	d[n - 2] = 0;
	for (unsigned k = n - 2; k--;)
		d[k] = (uint8_t)(d[up[k]] + 1);
	for (unsigned i = 0; i < n; i++)
		depth[i] = (uint8_t)(d[up_leaf[i]] + 1);
}

/* How many symbols have each length, none above `most`: too long ones are made shorter and the sum of 2^-length is put right. */
static void limit(uint32_t *num, unsigned longest, unsigned most)
{
	uint32_t total = 0;

	for (unsigned i = most + 1; i <= longest; i++)
		num[most] += num[i], num[i] = 0;
	for (unsigned i = 1; i <= most; i++)
		total += num[i] << (most - i);
	for (; total > 1u << most; total--) {
		unsigned i = most - 1;

		while (!num[i])
			i--;
		num[most]--;
		num[i]--;
		num[i + 1] += 2;
	}
}

static void make_code(struct code *c, unsigned nsym, unsigned most)
{
	struct sym v[LITS];
	uint8_t depth[LITS];
	uint32_t num[256] = { 0 }, next[17] = { 0 };
	unsigned n = 0, at = 0;

	memset(c->len, 0, sizeof(c->len));
	for (unsigned i = 0; i < nsym; i++) {
		if (c->count[i])
			v[n++] = (struct sym){ c->count[i], (uint16_t)i };
	}
	/* A code of one symbol is allowed but not loved: two. */
	for (unsigned i = 0; n < 2; i++) {
		if (!c->count[i])
			v[n++] = (struct sym){ 0, (uint16_t)i };
	}
	qsort(v, n, sizeof(*v), by_count);
	depths(v, n, depth);
	for (unsigned i = 0; i < n; i++)
		num[depth[i]]++;
	limit(num, 255, most);
	for (unsigned len = most; len; len--) {
		for (uint32_t k = 0; k < num[len]; k++)
			c->len[v[at++].s] = (uint8_t)len;
	}
	for (unsigned len = 1; len <= most; len++)
		next[len + 1] = (next[len] + num[len]) << 1;
	for (unsigned i = 0; i < nsym; i++) {
		uint32_t b = next[c->len[i]]++, r = 0;

		for (unsigned k = 0; k < c->len[i]; k++)
			r |= (b >> k & 1) << (c->len[i] - 1u - k);
		c->bits[i] = (uint16_t)r;
	}
}

/* ---- a block */
static unsigned code_of(const uint16_t *base, unsigned n, unsigned v)
{
	unsigned low = 0;

	while (low + 1 < n) {
		unsigned mid = low + (n - low) / 2;

		if (base[mid] <= v)
			low = mid;
		else
			n = mid;
	}
	return low;
}

static unsigned length_code(unsigned length) { return code_of(length_base, 29, length); }
static unsigned dist_code(unsigned dist) { return code_of(dist_base, DISTS, dist); }

static void put_lengths(struct state *s, unsigned nlit, unsigned ndist)
{
	static const uint8_t order[ORDER] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	uint8_t all[LITS + DISTS], sym[LITS + DISTS], extra[LITS + DISTS];
	unsigned n = nlit + ndist, nsym = 0, norder = ORDER;

	memcpy(all, s->lit.len, nlit);
	memcpy(all + nlit, s->dist.len, ndist);
	memset(s->order.count, 0, sizeof(s->order.count));
	for (unsigned i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && all[i + run] == all[i] && run < (all[i] ? 6 : 138); run++)
			;
		if (!all[i] && run >= 3) {
			sym[nsym] = run < 11 ? 17 : 18;
			extra[nsym] = (uint8_t)(run - (run < 11 ? 3 : 11));
		} else if (i && all[i] == all[i - 1] && run >= 3) {
			sym[nsym] = 16;
			extra[nsym] = (uint8_t)(run - 3);
		} else {
			run = 1;
			sym[nsym] = all[i];
			extra[nsym] = 0;
		}
		s->order.count[sym[nsym++]]++;
	}
	make_code(&s->order, ORDER, 7);
	while (norder > 4 && !s->order.len[order[norder - 1]])
		norder--;
	put(&s->out, nlit - 257, 5);
	put(&s->out, ndist - 1, 5);
	put(&s->out, norder - 4, 4);
	for (unsigned i = 0; i < norder; i++)
		put(&s->out, s->order.len[order[i]], 3);
	for (unsigned i = 0; i < nsym; i++) {
		put(&s->out, s->order.bits[sym[i]], s->order.len[sym[i]]);
		if (sym[i] >= 16)
			put(&s->out, extra[i], sym[i] == 16 ? 2 : sym[i] == 17 ? 3 : 7);
	}
}

static void put_block(struct state *s, bool last)
{
	unsigned nlit = LITS, ndist = DISTS;

	memset(s->lit.count, 0, sizeof(s->lit.count));
	memset(s->dist.count, 0, sizeof(s->dist.count));
	s->lit.count[END] = 1;
	for (uint32_t i = 0; i < s->nm; i++) {
		s->lit.count[s->m[i].dist ? 257 + length_code(s->m[i].length) : s->m[i].length]++;
		if (s->m[i].dist)
			s->dist.count[dist_code(s->m[i].dist)]++;
	}
	make_code(&s->lit, LITS, 15);
	make_code(&s->dist, DISTS, 15);
	while (!s->lit.len[nlit - 1])
		nlit--;
	while (!s->dist.len[ndist - 1])
		ndist--;
	put(&s->out, last, 1);
	put(&s->out, 2, 2);
	put_lengths(s, nlit < 257 ? 257 : nlit, ndist);
	for (uint32_t i = 0; i < s->nm; i++) {
		const struct match *m = &s->m[i];
		unsigned l = m->dist ? length_code(m->length) : 0, d = m->dist ? dist_code(m->dist) : 0, c = m->dist ? 257 + l : m->length;

		put(&s->out, s->lit.bits[c], s->lit.len[c]);
		if (!m->dist)
			continue;
		put(&s->out, m->length - length_base[l], length_extra(l));
		put(&s->out, s->dist.bits[d], s->dist.len[d]);
		put(&s->out, m->dist - dist_base[d], dist_extra(d));
	}
	put(&s->out, s->lit.bits[END], s->lit.len[END]);
	s->nm = 0;
}

/* ---- matches */
static unsigned hash(const uint8_t *p)
{
	return ((uint32_t)p[0] << 16 ^ (uint32_t)p[1] << 8 ^ p[2]) * 0x9e3779b1u >> 17;
}

static void remember(struct state *s, size_t at)
{
	unsigned h;

	if (at + MIN > s->n)
		return;
	h = hash(s->in + at);
	s->prev[at % WINDOW] = s->head[h];
	s->head[h] = (int32_t)at;
}

static struct match best_at(const struct state *s, size_t at)
{
	size_t most = s->n - at < MAX ? s->n - at : MAX;
	struct match best = { 0, 0 };
	int32_t from;

	if (most < MIN)
		return best;
	from = s->head[hash(s->in + at)];
	for (unsigned i = 0; i < CHAIN && from >= 0 && at - (size_t)from <= WINDOW - 1; i++) {
		const uint8_t *a = s->in + from, *b = s->in + at;
		size_t n = 0;

		if (best.length < most && a[best.length] == b[best.length]) {
			while (n < most && a[n] == b[n])
				n++;
			if (n > best.length && n >= MIN)
				best = (struct match){ (uint16_t)n, (uint16_t)(at - (size_t)from) };
			if (n >= NICE)
				break;
		}
		from = s->prev[from % WINDOW];
	}
	return best;
}

static void squeeze(struct state *s)
{
	struct match now = { 0, 0 };
	bool known = false;

	for (size_t at = 0; at < s->n;) {
		struct match next = { 0, 0 };
		size_t step;

		if (!known)
			now = best_at(s, at);
		remember(s, at);
		known = now.length && now.length < NICE;
		if (known)
			next = best_at(s, at + 1);
		if (!now.length || next.length > now.length) { /* a longer one starts a byte later */
			s->m[s->nm++] = (struct match){ s->in[at++], 0 };
			now = next;
			known = known && next.length;
		} else {
			step = now.length;
			s->m[s->nm++] = now;
			for (size_t i = 1; i < step; i++)
				remember(s, at + i);
			at += step;
			known = false;
		}
		if (s->nm == SYMBOLS)
			put_block(s, false);
	}
}

uint8_t *deflate_raw(const void *bytes, size_t n, size_t *size)
{
	struct state *s = calloc(1, sizeof(*s));
	uint8_t *v;

	if (!s || n > INT32_MAX - MAX) {
		free(s);
		return NULL;
	}
	s->in = bytes;
	s->n = n;
	memset(s->head, 0xff, sizeof(s->head));
	squeeze(s);
	put_block(s, true);
	put(&s->out, 0, 7);
	v = s->out.v;
	*size = s->out.n;
	if (s->out.bad) {
		free(v);
		v = NULL;
	}
	free(s);
	return v;
}
