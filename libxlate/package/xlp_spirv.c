/* xlp_spirv.c - modules packed and unpacked: one walk for both. */
#include "xlp_code.h"

#include <stdlib.h>
#include <string.h>

enum { OP_EXT_IMPORT = 11, OP_FUNCTION = 54, OP_DECORATION_GROUP = 73, OP_LABEL = 248 };
enum { ESCAPE = 255, HEADER = 5, MOST_WORDS = 1 << 28 };

struct shape { const char *operands; uint16_t op; };
#define SHAPE(name, op, operands) { operands, op },
static const struct shape shapes[] = {
#include "xlp_spirv.def"
};
#undef SHAPE
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };
_Static_assert((int)SHAPES < (int)ESCAPE, "a row's number is a byte");

/* ---- instructions */
/* These ids are in no order that could be known. */
static bool apart(uint32_t op)
{
	return op == OP_EXT_IMPORT || op == OP_FUNCTION || op == OP_DECORATION_GROUP;
}

static uint32_t result(struct xlp_code *c, uint32_t op)
{
	if (op == OP_LABEL)
		return CODE_LABEL | c->nlabel;
	return c->body && op != OP_FUNCTION ? CODE_LOCAL | c->nlocal : CODE_GLOBAL | c->nglobal;
}

/* The id of an instruction's result, after its operands. */
CODE_INLINE void number(struct xlp_code *c, bool packing, uint32_t op, uint32_t kind, uint32_t id)
{
	if (kind == CODE_LABEL)
		c->label[c->nlabel++] = c->last_label = xlp_code_near(c, packing, XLP_NUMBERS, c->last_label + 1, id);
	else if (kind == CODE_LOCAL)
		c->local[c->nlocal++] = c->last_local = xlp_code_near(c, packing, XLP_NUMBERS, c->last_local + 1 + c->used, id);
	else if (apart(op))
		c->global[c->nglobal++] = xlp_code_near(c, packing, XLP_NUMBERS, 0, id);
	else
		c->global[c->nglobal++] = 0;
}

static bool ends(uint32_t word)
{
	return !(word & 255) || !(word >> 8 & 255) || !(word >> 16 & 255) || !(word >> 24);
}

/* One operand word. */
CODE_INLINE uint32_t word(struct xlp_code *c, bool packing, unsigned row, char letter, uint32_t v)
{
	switch (letter) {
	case 't':
		return xlp_code_type(c, packing, row, v);
	case 'i':
		return xlp_code_operand(c, packing, v);
	case 'd':
		return xlp_code_neighbour(c, packing, v);
	case 'b':
		return xlp_code_label(c, packing, v);
	case 'c':
		return xlp_code_constant(c, packing, v);
	}
	return xlp_code_sym(c, packing, XLP_LITERALS, v);
}

/* Letters of words that refer to ids. */
static const uint8_t refers[128] = { ['i'] = 1, ['t'] = 1, ['r'] = 1, ['b'] = 1, ['d'] = 1 };

/* Steps through a row's letters, word by word. */
struct step { const char *text; uint8_t at, end, group; };

static struct step first(const struct xlp_code *c, unsigned row)
{
	const struct xlp_rows *r = c->rows;

	return (struct step){ r->text[row], 0, r->end[row], r->group[row] };
}

/* The letter of a word, and on to the next one's; behind the last is 0, and stays. */
CODE_INLINE void next(struct step *s, char letter, uint32_t word)
{
	if (letter == 's' && !ends(word))
		return;
	if (s->at < s->end && ++s->at == s->end)
		s->at = s->group;
}

/* All operands of an instruction, and the number of its result. */
CODE_INLINE void operands(struct xlp_code *c, bool packing, unsigned row, size_t at, uint32_t n)
{
	const uint32_t *from = packing ? c->from + at : NULL;
	uint32_t *to = packing ? NULL : c->w + at, op = shapes[row].op, kind = 0, id = 0;
	struct step s = first(c, row);
	uint32_t *ref = packing ? NULL : c->ref + c->nref;
	bool has = false;

	for (uint32_t i = 0; i < n; i++) {
		char what = s.text[s.at];
		uint32_t got = what == 'r' ? result(c, op) : word(c, packing, row, what, packing ? from[i] : 0);

		if (what == 'r') {
			kind = got & CODE_KIND;
			id = packing ? from[i] : 0;
			has = true;
		}
		if (!packing) {
			to[i] = got;
			*ref = (uint32_t)(at + i);
			ref += refers[(unsigned char)what];
		}
		next(&s, what, packing ? from[i] : got);
	}
	if (!packing)
		c->nref = (uint32_t)(ref - c->ref);
	if (has)
		number(c, packing, op, kind, id);
}

/* The row of an instruction with n operands; ESCAPE: none. */
static unsigned find(const struct xlp_code *c, uint32_t op, uint32_t n)
{
	const struct xlp_rows *rows = c->rows;
	unsigned row = op < CODE_OPS ? rows->of[op] : ESCAPE;

	for (unsigned i = 0; op >= CODE_OPS && i < SHAPES; i++)
		row = shapes[i].op == op ? i : row;
	if (row == ESCAPE || n < rows->fixed[row])
		return ESCAPE;
	return n == rows->fixed[row] || rows->varies[row] ? row : ESCAPE;
}

/* An instruction at w[at] and how many words it has; 0 when it leaves the module. */
CODE_INLINE uint32_t instruction(struct xlp_code *c, bool packing, size_t at)
{
	const uint32_t *from = packing ? c->from + at : NULL;
	uint32_t n = from ? from[0] >> 16 : 0, op = from ? from[0] & 0xffff : 0;
	unsigned row = from ? find(c, op, n - 1) : 0;

	c->used = 0;
	if (from) {
		buf_u8(&c->out[XLP_OPS], (uint8_t)row);
	} else {
		row = scan_u8(&c->in[XLP_OPS]);
		c->bad |= c->in[XLP_OPS].bad || (row != ESCAPE && row >= SHAPES);
		if (c->bad)
			return 0;
	}
	if (row == ESCAPE) {
		uint32_t got = xlp_code_sym(c, packing, XLP_LENGTHS, op);

		op = from ? op : got;
		got = xlp_code_sym(c, packing, XLP_LENGTHS, n);
		n = from ? n : got;
	} else {
		op = shapes[row].op;
		if (c->rows->varies[row]) {
			uint32_t got = xlp_code_sym(c, packing, XLP_LENGTHS, n - 1 - c->rows->fixed[row]);

			n = from ? n : got + 1 + c->rows->fixed[row];
		} else {
			n = 1 + c->rows->fixed[row];
		}
	}
	if (c->bad || !n || n > 0xffff || op > 0xffff || n > c->n - at)
		return 0;
	if (!from)
		c->w[at] = n << 16 | op;
	c->body |= op == OP_FUNCTION;
	if (row != ESCAPE)
		operands(c, packing, row, at + 1, n - 1);
	for (uint32_t i = 1; row == ESCAPE && i < n; i++) {
		uint32_t got = xlp_code_sym(c, packing, XLP_LITERALS, from ? from[i] : 0);

		if (!from)
			c->w[at + i] = got;
	}
	return c->bad ? 0 : n;
}

/* The header, which names the bound; then all instructions. */
CODE_INLINE bool module(struct xlp_code *c, bool packing)
{
	for (unsigned i = 0; i < HEADER; i++) {
		uint32_t got = xlp_code_sym(c, packing, XLP_LITERALS, packing ? c->from[i] : 0);

		if (!packing)
			c->w[i] = got;
	}
	c->bound = packing ? c->from[3] : c->w[3];
	if (c->bad || c->bound > c->n)
		return false;
	for (size_t at = HEADER, n; at < c->n; at += n) {
		n = instruction(c, packing, at);
		if (!n)
			return false;
	}
	return true;
}

/* ---- ids: what has a number of its own takes it, the others take what is left, in order */
static bool take(uint8_t *taken, const struct xlp_code *c, uint32_t id)
{
	bool free = id && id < c->bound && !taken[id];

	if (free)
		taken[id] = 1;
	return free;
}

static bool taken_of(const struct xlp_code *c, uint8_t *taken)
{
	bool ok = true;

	memset(taken, 0, c->bound);
	for (uint32_t i = 0; i < c->nlocal; i++)
		ok &= take(taken, c, c->local[i]);
	for (uint32_t i = 0; i < c->nlabel; i++)
		ok &= take(taken, c, c->label[i]);
	for (uint32_t i = 0; i < c->nglobal; i++)
		ok &= !c->global[i] || take(taken, c, c->global[i]);
	return ok;
}

/* Ids that nothing has: how many, and where. Packing has marked what is used by the globals that take what is left. */
static bool holes(struct xlp_code *c, bool packing, uint8_t *taken)
{
	uint32_t n = 0, last = 0, got;

	for (uint32_t i = 1; packing && i < c->bound; i++)
		n += !taken[i];
	got = xlp_code_sym(c, packing, XLP_NUMBERS, n);
	n = packing ? n : got;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = last + 1;

		while (packing && taken[at])
			at++;
		got = xlp_code_sym(c, packing, XLP_NUMBERS, at - last);
		last = packing ? at : last + got;
		if (c->bad || !take(taken, c, last))
			return false;
	}
	return true;
}

static void memory(struct xlp_code *c, uint32_t *v)
{
	c->global = v;
	c->local = v + c->n;
	c->label = v + 2 * c->n;
}

static uint32_t *reserve(struct xlp_spirv *s, size_t n)
{
	if (n > s->words) {
		free(s->memory);
		s->memory = malloc(n * sizeof(*s->memory));
		s->words = s->memory ? n : 0;
	}
	return s->memory;
}

void xlp_spirv_free(struct xlp_spirv *s)
{
	free(s->memory);
	for (unsigned i = 0; i < XLP_STREAMS; i++)
		buf_free(&s->stream[i]);
	memset(s, 0, sizeof(*s));
}

/* What is looked up in the table's text, once. */
static void begin(struct xlp_spirv *s, struct xlp_code *c)
{
	struct xlp_rows *r = &s->rows;

	c->rows = r;
	if (r->ready)
		return;
	memset(r->of, ESCAPE, sizeof(r->of));
	for (unsigned i = 0; i < SHAPES; i++) {
		const char *text = shapes[i].operands;
		uint8_t n = 0, group = 0;

		if (shapes[i].op < CODE_OPS)
			r->of[shapes[i].op] = (uint8_t)i;
		for (const char *t = text; *t && n < CODE_LETTERS - 1; t++) {
			if (*t == '(')
				group = n;
			else if (*t != '?')
				r->text[i][n++] = *t;
		}
		r->end[i] = n;
		r->group[i] = strchr(text, '(') ? group : n;
		r->fixed[i] = (uint8_t)strcspn(text, "?(");
		r->varies[i] = strpbrk(text, "?(s") != NULL;
		r->result[i] = strchr(text, 'r') ? (uint8_t)(strchr(text, 'r') - text + 1) : 0;
	}
	r->ready = true;
}

/* ---- packing */
/* What is known of each id: kinds and numbers in the order of their instructions. */
static bool survey(struct xlp_code *c)
{
	c->bound = c->from[3];
	if (c->bound > c->n)
		return false;
	memset(c->of, 0xff, c->bound * sizeof(*c->of));
	for (size_t at = HEADER, n; at < c->n; at += n) {
		uint32_t op = c->from[at] & 0xffff, id, what;
		unsigned row, r;

		n = c->from[at] >> 16;
		if (!n || n > c->n - at)
			return false;
		row = find(c, op, (uint32_t)n - 1);
		c->body |= op == OP_FUNCTION;
		r = row == ESCAPE ? 0 : c->rows->result[row];
		if (!r)
			continue;
		id = c->from[at + r];
		what = result(c, op);
		if (!id || id >= c->bound || c->of[id] != CODE_UNKNOWN)
			return false;
		c->of[id] = what;
		c->nglobal += (what & CODE_KIND) == CODE_GLOBAL;
		c->nlocal += (what & CODE_KIND) == CODE_LOCAL;
		c->nlabel += (what & CODE_KIND) == CODE_LABEL;
	}
	c->body = false;
	c->nglobal = c->nlocal = c->nlabel = 0;
	return true;
}

/* Globals that are to take what is left must be in order. */
static bool in_order(const struct xlp_code *c, uint8_t *taken)
{
	uint32_t last = 0, g = 0;

	for (size_t at = HEADER; at < c->n; at += c->from[at] >> 16) {
		uint32_t op = c->from[at] & 0xffff;
		unsigned row = find(c, op, (c->from[at] >> 16) - 1);
		uint32_t r = row == ESCAPE ? 0 : c->rows->result[row], id = c->from[at + r];

		if (!r || (c->of[id] & CODE_KIND) != CODE_GLOBAL || c->global[g++])
			continue;
		if (id < last || !take(taken, c, id))
			return false;
		last = id;
	}
	return true;
}

int xlp_spirv_pack(struct xlp_spirv *s, const uint32_t *words, size_t n, struct buf *out)
{
	struct xlp_code c = { .from = words, .n = n, .out = s->stream };
	uint32_t *v = n < HEADER || n > MOST_WORDS ? NULL : reserve(s, 5 * n);
	uint8_t *taken;

	if (!v)
		return n < HEADER || n > MOST_WORDS ? 1 : -1;
	memory(&c, v);
	c.of = v + 3 * n;
	taken = (uint8_t *)(v + 4 * n);
	for (unsigned i = 0; i < XLP_STREAMS; i++)
		s->stream[i].n = 0;
	begin(s, &c);
	if (!survey(&c) || !module(&c, true) || !taken_of(&c, taken) || !in_order(&c, taken) || !holes(&c, true, taken))
		return 1;
	for (unsigned i = 0; i < XLP_STREAMS; i++) {
		if (s->stream[i].bad)
			return -1;
		if (i + 1 < XLP_STREAMS)
			buf_var(out, (uint32_t)s->stream[i].n); /* at most 10 bytes for each of MOST_WORDS */
	}
	for (unsigned i = 0; i < XLP_STREAMS; i++)
		buf_put(out, s->stream[i].v, s->stream[i].n);
	return out->bad ? -1 : 0;
}

/* ---- unpacking */
/* Ids in the place of what is known of them. */
static bool place(const struct xlp_code *c)
{
	const uint32_t *id[4] = { c->global, c->local, c->label }, n[4] = { c->nglobal, c->nlocal, c->nlabel };
	bool ok = true;

	for (uint32_t i = 0; i < c->nref; i++) {
		uint32_t *word = &c->w[c->ref[i]], kind = *word >> 30, k = *word & ~CODE_KIND;
		bool known = k < n[kind];

		*word = known ? id[kind][k] : 0;
		ok &= known;
	}
	return ok;
}

static bool streams(struct xlp_code *c, const uint8_t *v, size_t size)
{
	struct scan head = { .v = v, .n = size };
	size_t n[XLP_STREAMS], left;

	for (unsigned i = 0; i + 1 < XLP_STREAMS; i++)
		n[i] = scan_var(&head);
	left = size - head.at;
	for (unsigned i = 0; i < XLP_STREAMS; i++) {
		size_t k = i + 1 < XLP_STREAMS ? n[i] : left;

		if (head.bad || k > left)
			return false;
		c->in[i] = (struct scan){ .v = v + size - left, .n = k };
		left -= k;
	}
	return true;
}

int xlp_spirv_unpack(struct xlp_spirv *s, const uint8_t *bytes, size_t size, uint32_t *words, size_t n)
{
	struct xlp_code c = { .w = words, .n = n };
	uint32_t *v = n < HEADER || n > MOST_WORDS ? NULL : reserve(s, 5 * n), left = 1;
	uint8_t *taken;

	if (!v || !streams(&c, bytes, size))
		return -1;
	memory(&c, v);
	c.ref = v + 3 * n;
	taken = (uint8_t *)(v + 4 * n);
	begin(s, &c);
	if (!module(&c, false) || !taken_of(&c, taken) || !holes(&c, false, taken))
		return -1;
	for (unsigned i = 0; i < XLP_STREAMS; i++) {
		if (c.in[i].bad || c.in[i].at != c.in[i].n)
			return -1;
	}
	for (uint32_t i = 0; i < c.nglobal; i++) {
		if (c.global[i])
			continue;
		while (left < c.bound && taken[left])
			left++;
		if (left >= c.bound)
			return -1;
		c.global[i] = left++;
	}
	return place(&c) ? 0 : -1;
}
