/* xlp_spirv.c - modules packed and unpacked: one walk for both. */
#include "xlp_code.h"

#include <stdlib.h>
#include <string.h>

enum { OP_EXT_IMPORT = 11, OP_FUNCTION = 54, OP_DECORATION_GROUP = 73, OP_LABEL = 248 };
enum { ESCAPE = 255, HEADER = 5, MOST_WORDS = 1 << 28 };

/* Patterns, and rows of instructions that have them. */
enum pattern {
#define PATTERN(name, letters) PATTERN_##name,
#include "xlp_spirv.def"
	PATTERNS,
	WAY_VARYING = PATTERNS, WAY_PLAIN, WAY_NONE /* what is done with other rows */
};
static const char *const patterns[] = {
#define PATTERN(name, letters) letters,
#include "xlp_spirv.def"
};
static const struct shape { uint16_t op; uint8_t pattern; } shapes[] = {
#define SHAPE(name, op, pattern) { op, PATTERN_##pattern },
#include "xlp_spirv.def"
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };
_Static_assert((int)SHAPES < (int)ESCAPE && (int)PATTERNS <= (int)CODE_PATTERNS, "a row's number is a byte");

/* ---- instructions */
/* These ids are in no order that could be known. */
static bool apart(uint32_t op)
{
	return op == OP_EXT_IMPORT || op == OP_FUNCTION || op == OP_DECORATION_GROUP;
}

/* The result of an instruction, which stands at `at`: after its operands. op 0: one that is not asked for here. */
CODE_INLINE void result(struct xlp_code *c, bool packing, uint32_t op, size_t at)
{
	uint32_t id = packing ? c->from[at] : 0;

	if (op == OP_LABEL) {
		id = code_number(c, packing, c->last_label + 1, id);
		c->label[c->nlabel++] = c->last_label = id;
	} else if (c->body && op != OP_FUNCTION) {
		id = code_number(c, packing, c->last_local + 1 + c->used, id);
		c->local[c->nlocal++] = c->last_local = id;
	} else {
		code_global(c, packing, at, c->nglobal);
		c->global[c->nglobal++] = apart(op) ? code_number(c, packing, 0, id) : 0;
		return;
	}
	if (!packing)
		c->w[at] = id;
}

static bool ends(uint32_t word)
{
	return !(word & 255) || !(word >> 8 & 255) || !(word >> 16 & 255) || !(word >> 24);
}

/* One operand word, but the result. */
CODE_INLINE void operand(struct xlp_code *c, bool packing, unsigned row, char letter, size_t at)
{
	uint32_t v = packing ? c->from[at] : 0;

	switch (letter) {
	case 't':
		code_type(c, packing, row, at);
		return;
	case 'i':
		code_operand(c, packing, at);
		return;
	case 'd':
		code_neighbour(c, packing, at);
		return;
	case 'b':
		code_label(c, packing, at);
		return;
	case 'c':
		v = code_constant(c, packing, v);
		break;
	case 's':
		v = code_text(c, packing, v);
		break;
	default:
		v = code_sym(c, packing, XLP_LITERALS, v);
	}
	if (!packing)
		c->w[at] = v;
}

/* All operands of an instruction that has one for each letter: `letters` is a constant, and no loop is left of this. */
CODE_INLINE void operands(struct xlp_code *c, bool packing, const char *letters, unsigned row, size_t at)
{
	const size_t n = strlen(letters);
	const bool function = !strcmp(letters, "trli"); /* perhaps */
	size_t r = n;

	if (function)
		c->body |= shapes[row].op == OP_FUNCTION;

#define WORD(i) \
	if (i < n && letters[i] == 'r') \
		r = i; \
	else if (i < n) \
		operand(c, packing, row, letters[i], at + i)
	WORD(0);
	WORD(1);
	WORD(2);
	WORD(3);
	WORD(4);
	WORD(5);
	WORD(6);
	WORD(7);
#undef WORD
	if (r < n)
		result(c, packing, !strcmp(letters, "r") || function ? shapes[row].op : 0, at + r);
}

/* The same of any instruction, which has n. */
CODE_INLINE void some_operands(struct xlp_code *c, bool packing, unsigned row, size_t at, uint32_t n)
{
	const struct xlp_rows *p = c->rows;
	const char *text = p->text[shapes[row].pattern];
	uint8_t i = 0, end = p->end[shapes[row].pattern], group = p->group[shapes[row].pattern];
	size_t r = 0;

	for (const size_t to = at + n; at < to; at++) {
		char letter = text[i];

		if (letter == 'r')
			r = at;
		else
			operand(c, packing, row, letter, at);
		/* On to the next letter; behind the last is 0, and stays. */
		if (i < end && (letter != 's' || ends(packing ? c->from[at] : c->w[at])) && ++i == end)
			i = group;
	}
	if (r)
		result(c, packing, shapes[row].op, r);
}

/* The row of an instruction with n operands; ESCAPE: none. */
static unsigned find(const struct xlp_rows *rows, uint32_t op, uint32_t n)
{
	unsigned row = op < CODE_OPS ? rows->of[op] : ESCAPE;

	for (unsigned i = 0; op >= CODE_OPS && i < SHAPES; i++)
		row = shapes[i].op == op ? i : row;
	for (; row != ESCAPE; row = rows->other[row]) {
		unsigned p = shapes[row].pattern;

		if (n == rows->fixed[p] || (n > rows->fixed[p] && rows->varies[p]))
			return row;
	}
	return ESCAPE;
}

/* One that varies in length. How many words, 0 when it leaves the module. */
CODE_INLINE uint32_t varying(struct xlp_code *c, bool packing, unsigned row, uint32_t least, size_t at)
{
	uint32_t n = least + code_sym(c, packing, XLP_LENGTHS, packing ? (c->from[at] >> 16) - least : 0);

	if (n < least || n > 0xffff || n > c->n - at)
		return 0;
	if (!packing)
		c->w[at] = n << 16 | shapes[row].op;
	some_operands(c, packing, row, at + 1, n - 1);
	return n;
}

/* One that has no row: opcode, length, and words as they are. */
CODE_INLINE uint32_t plain(struct xlp_code *c, bool packing, size_t at)
{
	uint32_t op = code_sym(c, packing, XLP_LENGTHS, packing ? c->from[at] & 0xffff : 0);
	uint32_t n = code_sym(c, packing, XLP_LENGTHS, packing ? c->from[at] >> 16 : 0);

	if (!n || n > 0xffff || op > 0xffff || n > c->n - at)
		return 0;
	if (!packing)
		c->w[at] = n << 16 | op;
	c->body |= op == OP_FUNCTION;
	for (uint32_t i = 1; i < n; i++)
		operand(c, packing, 0, 'l', at + i);
	return n;
}

/* An instruction at w[at] and how many words it has; 0 when it leaves the module. */
CODE_INLINE uint32_t instruction(struct xlp_code *c, bool packing, size_t at)
{
	unsigned row = packing ? find(c->rows, c->from[at] & 0xffff, (c->from[at] >> 16) - 1) : *c->in[XLP_OPS]++;
	struct xlp_row head = c->rows->row[row];
	uint32_t n = head.word >> 16;

	if (packing)
		buf_u8(&c->out[XLP_OPS], (uint8_t)row);
	if (n > c->n - at)
		return 0;
	if (!packing)
		c->w[at] = head.word;
	c->used = 0;
	if (packing && head.way < PATTERNS) { /* time matters where a module is unpacked: only there is each pattern code of its own */
		c->body |= shapes[row].op == OP_FUNCTION;
		some_operands(c, packing, row, at + 1, n - 1);
		return n;
	}
	switch (head.way) {
#define PATTERN(name, letters) \
	case PATTERN_##name: \
		if (!strpbrk(letters, "(?s")) \
			operands(c, packing, letters, row, at + 1); \
		break;
#include "xlp_spirv.def"
	case WAY_VARYING:
		return varying(c, packing, row, n, at);
	case WAY_PLAIN:
		return plain(c, packing, at);
	default:
		return 0;
	}
	return n;
}

/* The header, which names the bound; then all instructions. */
CODE_INLINE bool module(struct xlp_code *c, bool packing)
{
	if (!packing)
		c->zeros = code_sym(c, packing, XLP_NUMBERS, 0);
	for (unsigned i = 0; i < HEADER; i++)
		operand(c, packing, 0, 'l', i);
	c->bound = packing ? c->from[3] : c->w[3];
	if (c->bound > c->n)
		return false;
	for (size_t at = HEADER, n; at < c->n; at += n) {
		n = instruction(c, packing, at);
		if (!n)
			return false;
	}
	if (packing)
		code_sym(c, packing, XLP_NUMBERS, c->zeros);
	return !c->bad && (packing || !c->zeros);
}

/* ---- ids: what has a number of its own takes it, the others take what is left, in order */
CODE_INLINE bool take(const struct xlp_code *c, uint64_t *taken, uint32_t id)
{
	const uint64_t bit = UINT64_C(1) << id % 64;
	bool free = id && id < c->bound && !(taken[id / 64] & bit);

	if (free)
		taken[id / 64] |= bit;
	return free;
}

CODE_INLINE bool take_all(const struct xlp_code *c, uint64_t *taken, const uint32_t *id, uint32_t n)
{
	const uint32_t bound = c->bound;

	for (uint32_t i = 0; i < n; i++) {
		if (id[i] >= bound)
			return false;
		taken[id[i] / 64] |= UINT64_C(1) << id[i] % 64;
	}
	return true;
}

/* That none is 0, or there twice, their number says. */
CODE_INLINE bool taken_of(const struct xlp_code *c, uint64_t *taken)
{
	const uint32_t words = c->bound / 64 + 1;
	uint32_t n = 0;

	memset(taken, 0, words * sizeof(*taken));
	if (!take_all(c, taken, c->local, c->nlocal) || !take_all(c, taken, c->label, c->nlabel))
		return false;
	for (uint32_t i = 0; i < words; i++)
		n += (uint32_t)__builtin_popcountll(taken[i]);
	if (n != c->nlocal + c->nlabel || taken[0] & 1)
		return false;
	for (uint32_t i = 0; i < c->nglobal; i++) {
		if (c->global[i] && !take(c, taken, c->global[i]))
			return false;
	}
	return true;
}

/* Ids that nothing has: how many, and where. Packing has marked what is used by the globals that take what is left. */
CODE_INLINE bool holes(struct xlp_code *c, bool packing, uint64_t *taken)
{
	uint32_t n = 0, last = 0;

	for (uint32_t i = 1; packing && i < c->bound; i++)
		n += !(taken[i / 64] >> i % 64 & 1);
	n = code_sym(c, packing, XLP_NUMBERS, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = last + 1;

		while (packing && taken[at / 64] >> at % 64 & 1)
			at++;
		if (!packing && c->in[XLP_NUMBERS] >= c->end[XLP_NUMBERS])
			return false;
		last += code_sym(c, packing, XLP_NUMBERS, at - last);
		if (!take(c, taken, last))
			return false;
	}
	return true;
}

/* Lists of n words, and the bits of n ids. */
enum { LISTS = 6 };
CODE_INLINE uint64_t *memory(struct xlp_code *c, uint32_t *v)
{
	size_t n = c->n + (c->n & 1);

	c->global = v;
	c->local = v + n;
	c->label = v + 2 * n;
	c->of = v + 3 * n; /* packing */
	c->types.last = v + 4 * n;
	c->recent.last = v + 5 * n;
	c->ref = v + 3 * n; /* unpacking */
	c->later = v + 4 * n;
	return (uint64_t *)(void *)(v + LISTS * n);
}

static uint32_t *reserve(struct xlp_spirv *s, size_t n)
{
	n = LISTS * (n + 1) + 2 * (n / 64 + 1);
	if (n > s->words) {
		n = n > 2 * s->words ? n : 2 * s->words;
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

/* What is looked up in the table's texts, once. */
static const struct xlp_rows *rows_of(struct xlp_spirv *s)
{
	struct xlp_rows *r = &s->rows;

	if (r->ready)
		return r;
	memset(r->of, ESCAPE, sizeof(r->of));
	for (unsigned i = 0; i < SHAPES; i++) {
		uint8_t *of = shapes[i].op < CODE_OPS ? &r->of[shapes[i].op] : NULL;

		r->other[i] = of ? *of : ESCAPE;
		if (of)
			*of = (uint8_t)i;
	}
	for (unsigned i = 0; i < PATTERNS; i++) {
		const char *text = patterns[i];
		uint8_t n = 0, group = 0;

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
	for (unsigned i = 0; i < SHAPES; i++) {
		const uint8_t p = shapes[i].pattern;

		r->row[i] = (struct xlp_row){ (r->fixed[p] + 1u) << 16 | shapes[i].op, r->varies[p] ? WAY_VARYING : p };
	}
	for (unsigned i = SHAPES; i <= ESCAPE; i++)
		r->row[i] = (struct xlp_row){ 1 << 16, i == ESCAPE ? WAY_PLAIN : WAY_NONE };
	r->ready = true;
	return r;
}

/* ---- packing */
/* Which word of an instruction is its result, 0: none. */
static uint32_t result_of(const struct xlp_code *c, size_t at)
{
	unsigned row = find(c->rows, c->from[at] & 0xffff, (c->from[at] >> 16) - 1);

	return row == ESCAPE ? 0 : c->rows->result[shapes[row].pattern];
}

/* What is known of each id: kinds and numbers in the order of their instructions. */
CODE_INLINE bool survey(struct xlp_code *c)
{
	uint32_t n[3] = { 0 };
	bool body = false;

	c->bound = c->from[3];
	if (c->bound > c->n)
		return false;
	memset(c->of, 0xff, c->bound * sizeof(*c->of));
	for (size_t at = HEADER, length; at < c->n; at += length) {
		uint32_t op = c->from[at] & 0xffff, id, r, kind;

		length = c->from[at] >> 16;
		if (!length || length > c->n - at)
			return false;
		body |= op == OP_FUNCTION;
		r = result_of(c, at);
		if (!r)
			continue;
		id = c->from[at + r];
		kind = op == OP_LABEL ? CODE_LABEL : body && op != OP_FUNCTION ? CODE_LOCAL : CODE_GLOBAL;
		if (!id || id >= c->bound || c->of[id] != CODE_UNKNOWN)
			return false;
		c->of[id] = kind | n[kind >> 30]++;
	}
	memset(c->types.last, 0, (n[0] + 1) * sizeof(*c->types.last));
	memset(c->recent.last, 0, (n[0] + 1) * sizeof(*c->recent.last));
	return true;
}

/* Globals that are to take what is left must be in order. */
CODE_INLINE bool in_order(const struct xlp_code *c, uint64_t *taken)
{
	uint32_t last = 0, g = 0;

	for (size_t at = HEADER; at < c->n; at += c->from[at] >> 16) {
		uint32_t r = result_of(c, at), id = c->from[at + r];

		if (!r || (c->of[id] & CODE_KIND) != CODE_GLOBAL || c->global[g++])
			continue;
		if (id < last || !take(c, taken, id))
			return false;
		last = id;
	}
	return true;
}

int xlp_spirv_pack(struct xlp_spirv *s, const uint32_t *words, size_t n, struct buf *out)
{
	struct xlp_code c = { .from = words, .n = n, .out = s->stream, .rows = rows_of(s) };
	uint32_t *v = n < HEADER || n > MOST_WORDS ? NULL : reserve(s, n);
	uint64_t *taken;

	if (!v)
		return n < HEADER || n > MOST_WORDS ? 1 : -1;
	taken = memory(&c, v);
	for (unsigned i = 0; i < XLP_STREAMS; i++)
		s->stream[i].n = 0;
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
/* Globals without a number take what is left. */
CODE_INLINE bool left(const struct xlp_code *c, const uint64_t *taken)
{
	uint64_t free = ~taken[0] & ~UINT64_C(1);
	uint32_t at = 0;

	for (uint32_t i = 0; i < c->nglobal; i++) {
		if (c->global[i])
			continue;
		while (!free && at < c->bound / 64)
			free = ~taken[++at];
		c->global[i] = free ? at * 64 + (uint32_t)__builtin_ctzll(free) : c->bound;
		if (c->global[i] >= c->bound)
			return false;
		free &= free - 1;
	}
	return true;
}

/* Ids in the place of what is known of them. */
CODE_INLINE bool place(const struct xlp_code *c, const uint32_t *ref, const uint32_t *later)
{
	const uint32_t *const end = c->ref, *const global = c->global, n = c->nglobal;
	uint32_t *const w = c->w;

	for (; ref < end; ref++) {
		uint32_t g = w[*ref];

		if (g >= n)
			return false;
		w[*ref] = global[g];
	}
	while (later-- > c->later) {
		uint32_t *word = &w[*later], k = *word & ~CODE_KIND;
		bool label = *word & CODE_LABEL;

		if (k >= (label ? c->nlabel : c->nlocal))
			return false;
		*word = (label ? c->label : c->local)[k];
	}
	return true;
}

CODE_INLINE bool streams(struct xlp_code *c, const uint8_t *v, size_t size)
{
	uint32_t n[XLP_STREAMS - 1];
	const uint8_t *at = v;
	size_t left;

	for (unsigned i = 0; i + 1 < XLP_STREAMS; i++) {
		struct code_number got;

		if (at >= v + size)
			return false;
		got = code_long(at);
		at = got.end;
		n[i] = got.v;
	}
	if (at > v + size)
		return false;
	left = size - (size_t)(at - v);
	for (unsigned i = 0; i < XLP_STREAMS; i++) {
		size_t k = i + 1 < XLP_STREAMS ? n[i] : left;

		if (k > left)
			return false;
		c->in[i] = v + size - left;
		c->end[i] = c->in[i] + k;
		left -= k;
	}
	return true;
}

int xlp_spirv_unpack(struct xlp_spirv *s, const uint8_t *bytes, size_t size, uint32_t *words, size_t n)
{
	struct xlp_code c = { .w = words, .n = n, .rows = rows_of(s) };
	uint32_t *v = n < HEADER || n > MOST_WORDS ? NULL : reserve(s, n), *ref, *later;
	uint64_t *taken;

	if (!v || !streams(&c, bytes, size))
		return -1;
	taken = memory(&c, v);
	ref = c.ref;
	later = c.later;
	if (!module(&c, false) || !taken_of(&c, taken) || !holes(&c, false, taken))
		return -1;
	for (unsigned i = 0; i < XLP_STREAMS; i++) {
		if (c.in[i] != c.end[i])
			return -1;
	}
	return left(&c, taken) && place(&c, ref, later) ? 0 : -1;
}
