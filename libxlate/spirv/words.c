/* words.c - sections, interning and the final layout of a module. See words.h. */
#include "words.h"

#include <string.h>

/* The generator word: no registered tool number. */
enum { WORDS_GENERATOR = 0, WORDS_HEADER = 5 };

void words_init(struct words *m, struct arena *a, size_t body)
{
	uint32_t *w = arena_array_raw(a, uint32_t, WORDS_GLOBAL + (SEC_COUNT - 2) * WORDS_ROOM + WORDS_FRONT + body);

	m->arena = a;
	for (int s = 0; s < SEC_COUNT; s++) {
		m->sec[s] = (struct words_array){w, 0, WORDS_ROOM};
		w += s == SEC_GLOBAL || s == SEC_BODY ? 0 : WORDS_ROOM;
	}
	m->sec[SEC_GLOBAL] = (struct words_array){w, 0, WORDS_GLOBAL};
	m->sec[SEC_BODY] = (struct words_array){w + WORDS_GLOBAL, WORDS_FRONT, WORDS_FRONT + body};
	m->next_id = 1;
	m->nknown = 0;
	m->known_cap = WORDS_KNOWN;
	m->known = arena_array_raw(a, struct words_intern, m->known_cap);
	m->nslot = WORDS_SLOTS;
	m->slot = arena_array(a, uint32_t, m->nslot);
	m->glsl = 0;
	m->too_long = false;
}

void words_grow(struct words *m, enum words_section s, size_t n)
{
	struct words_array *a = &m->sec[s];

	a->w = arena_grow_raw(m->arena, a->w, a->n, &a->cap, a->n + n, sizeof *a->w);
}

/* Apart from words_put, which so has nothing to save. */
static __attribute__((noinline)) size_t grow_and_put(struct words *m, enum words_section s, SpvOp op, const uint32_t *operands, size_t n)
{
	words_grow(m, s, n + 1);
	return words_put(m, s, op, operands, n);
}

size_t words_put(struct words *m, enum words_section s, SpvOp op, const uint32_t *operands, size_t n)
{
	size_t at = m->sec[s].n;
	uint32_t *w;

	if (words_full(m, s, n + 1))
		return grow_and_put(m, s, op, operands, n);
	w = words_room(m, s, n + 1);
	w[0] = words_head(m, op, n + 1);
	for (size_t i = 0; i < n; i++) /* a few words: less than a call */
		w[i + 1] = operands[i];
	return at;
}

void words_string(struct words *m, enum words_section s, SpvOp op, const uint32_t *operands, size_t n, const char *text,
                  const uint32_t *tail, size_t tn)
{
	size_t len = strlen(text), sw;
	uint32_t *w;

	if (len > 4096)
		len = 4096;
	sw = len / 4 + 1;
	w = words_room(m, s, 1 + n + sw + tn);
	w[0] = words_head(m, op, 1 + n + sw + tn);
	if (n)
		memcpy(w + 1, operands, n * sizeof *w);
	memset(w + 1 + n, 0, sw * sizeof *w);
	for (size_t i = 0; i < len; i++) /* literal strings are little-endian in each word */
		w[1 + n + i / 4] |= (uint32_t)(unsigned char)text[i] << i % 4 * 8;
	if (tn)
		memcpy(w + 1 + n + sw, tail, tn * sizeof *w);
}

static uint32_t hash_words(uint32_t h, const uint32_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		h = (h ^ w[i]) * 0x9e3779b1u;
		h ^= h >> 15;
	}
	return h;
}

static void rehash(struct words *m)
{
	m->nslot *= 2;
	m->slot = arena_array(m->arena, uint32_t, m->nslot);
	for (size_t i = 0; i < m->nknown; i++) {
		size_t k = m->known[i].hash & (m->nslot - 1);
		while (m->slot[k])
			k = (k + 1) & (m->nslot - 1);
		m->slot[k] = (uint32_t)i + 1;
	}
}

/* A new entry for what was not found, with a new id. There is room for it in the table. Head and key are the caller's to write. */
static struct words_intern *remember(struct words *m, size_t slot, uint32_t hash)
{
	struct words_intern *o;

	m->known = arena_grow_raw(m->arena, m->known, m->nknown, &m->known_cap, m->nknown + 1, sizeof *m->known);
	o = &m->known[m->nknown++];
	m->slot[slot] = (uint32_t)m->nknown;
	o->hash = hash;
	o->id = words_id(m);
	return o;
}

uint32_t words_intern(struct words *m, SpvOp op, unsigned skip, uint32_t a, uint32_t b, uint32_t c, unsigned n)
{
	uint32_t head = words_head(m, op, n + 2), hash, *w;
	struct words_intern *made;
	size_t k;

	hash = (uint32_t)((((uint64_t)head << 32 | a) * 0x9e3779b97f4a7c15ull ^ ((uint64_t)b << 32 | c) * 0xc2b2ae3d27d4eb4full) >> 32);
	if ((m->nknown + 1) * 2 > m->nslot)
		rehash(m);
	for (k = hash & (m->nslot - 1); m->slot[k]; k = (k + 1) & (m->nslot - 1)) {
		const struct words_intern *o = &m->known[m->slot[k] - 1];
		if (!((o->head ^ head) | (o->a ^ a) | (o->b ^ b) | (o->c ^ c)))
			return o->id;
	}
	made = remember(m, k, hash);
	made->head = head;
	made->a = a;
	made->b = b;
	made->c = c;
	w = words_room(m, SEC_GLOBAL, 2 + WORDS_KEY);
	m->sec[SEC_GLOBAL].n -= WORDS_KEY - n; /* what lies behind its operands is overwritten by what comes next */
	w[0] = head;
	w[1 + skip] = made->id;
	w[2 - skip] = a;
	w[3] = b;
	w[4] = c;
	return made->id;
}

static bool same(const uint32_t *w, size_t skip, const uint32_t *operands, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (w[1 + i + (i >= skip)] != operands[i])
			return false;
	return true;
}

uint32_t words_intern_long(struct words *m, SpvOp op, unsigned skip, const uint32_t *operands, size_t n)
{
	uint32_t head = words_head(m, op, n + 2), hash = hash_words(head * 0x9e3779b1u, operands, n), *w;
	struct words_intern *made;
	size_t k;

	if ((m->nknown + 1) * 2 > m->nslot)
		rehash(m);
	for (k = hash & (m->nslot - 1); m->slot[k]; k = (k + 1) & (m->nslot - 1)) {
		const struct words_intern *o = &m->known[m->slot[k] - 1];
		if (o->hash == hash && o->head == head && same(m->sec[SEC_GLOBAL].w + o->a, skip, operands, n))
			return o->id;
	}
	made = remember(m, k, hash);
	made->head = head;
	made->a = (uint32_t)m->sec[SEC_GLOBAL].n;
	w = words_room(m, SEC_GLOBAL, n + 2);
	w[0] = head;
	for (size_t i = 0; i < n; i++)
		w[1 + i + (i >= skip)] = operands[i];
	w[1 + skip] = made->id;
	return made->id;
}

uint32_t words_const(struct words *m, SpvOp op, uint32_t type, const uint32_t *operands, size_t n)
{
	uint32_t *w;

	if (n < WORDS_KEY)
		return words_intern(m, op, 1, type, n > 0 ? operands[0] : 0, n > 1 ? operands[1] : 0, (unsigned)n + 1);
	w = arena_array_raw(m->arena, uint32_t, n + 1);
	w[0] = type;
	memcpy(w + 1, operands, n * sizeof *w);
	return words_intern_long(m, op, 1, w, n + 1);
}

bool words_has_capability(const struct words *m, SpvCapability cap)
{
	const struct words_array *a = &m->sec[SEC_CAPABILITY];

	for (size_t i = 1; i < a->n; i += 2)
		if (a->w[i] == (uint32_t)cap)
			return true;
	return false;
}

void words_capability(struct words *m, SpvCapability cap)
{
	if (!words_has_capability(m, cap))
		WORDS_PUT(m, SEC_CAPABILITY, SpvOpCapability, (uint32_t)cap);
}

void words_extension(struct words *m, const char *name)
{
	const struct words_array *a = &m->sec[SEC_EXTENSION];
	size_t len = strlen(name);

	for (size_t i = 0; i < a->n; i += a->w[i] >> 16) {
		size_t k = 0;
		while (k <= len && k / 4 + 1 < a->w[i] >> 16 && (a->w[i + 1 + k / 4] >> k % 4 * 8 & 255) == (unsigned char)name[k])
			k++;
		if (k == len + 1)
			return;
	}
	words_string(m, SEC_EXTENSION, SpvOpExtension, NULL, 0, name, NULL, 0);
}

uint32_t words_import_glsl(struct words *m)
{
	m->glsl = words_id(m);
	words_string(m, SEC_IMPORT, SpvOpExtInstImport, &m->glsl, 1, "GLSL.std.450", NULL, 0);
	return m->glsl;
}

uint32_t *words_finish(struct words *m, uint32_t version, size_t *nwords)
{
	const struct words_array *body = &m->sec[SEC_BODY], *helper = &m->sec[SEC_HELPER];
	size_t n = WORDS_HEADER, rest;
	uint32_t *w, *at;

	if (helper->n)
		memcpy(words_room(m, SEC_BODY, helper->n), helper->w, helper->n * sizeof *w);
	rest = body->n - WORDS_FRONT;
	for (int s = 0; s < SEC_BODY; s++)
		n += m->sec[s].n;
	if (n <= WORDS_FRONT)
		w = body->w + WORDS_FRONT - n;
	else {
		w = arena_array_raw(m->arena, uint32_t, n + rest);
		memcpy(w + n, body->w + WORDS_FRONT, rest * sizeof *w);
	}
	w[0] = SpvMagicNumber;
	w[1] = version;
	w[2] = WORDS_GENERATOR;
	w[3] = m->next_id;
	w[4] = 0;
	at = w + WORDS_HEADER;
	for (int s = 0; s < SEC_BODY; at += m->sec[s++].n)
		if (m->sec[s].n)
			memcpy(at, m->sec[s].w, m->sec[s].n * sizeof *w);
	*nwords = n + rest;
	return w;
}
