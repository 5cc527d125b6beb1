/* msgpack.c - MessagePack values from untrusted bytes. */
#include "msgpack.h"

#include <string.h>

/* What a first byte above 0xbf means: kind, bytes of the length or value that follow, bytes of payload after them. */
static const struct { uint8_t kind, head, payload; } kinds[32] = { /* from 0xc0 */
	{ MSGPACK_NIL, 0, 0 }, { MSGPACK_BAD, 0, 0 }, { MSGPACK_BOOL, 0, 0 }, { MSGPACK_BOOL, 0, 0 },
	{ MSGPACK_BYTES, 1, 0 }, { MSGPACK_BYTES, 2, 0 }, { MSGPACK_BYTES, 4, 0 },
	{ MSGPACK_BYTES, 1, 1 }, { MSGPACK_BYTES, 2, 1 }, { MSGPACK_BYTES, 4, 1 }, /* extensions: a type byte more */
	{ MSGPACK_FLOAT, 4, 0 }, { MSGPACK_FLOAT, 8, 0 },
	{ MSGPACK_INT, 1, 0 }, { MSGPACK_INT, 2, 0 }, { MSGPACK_INT, 4, 0 }, { MSGPACK_INT, 8, 0 },
	{ MSGPACK_INT, 1, 1 }, { MSGPACK_INT, 2, 1 }, { MSGPACK_INT, 4, 1 }, { MSGPACK_INT, 8, 1 }, /* payload: signed */
	{ MSGPACK_BYTES, 0, 2 }, { MSGPACK_BYTES, 0, 3 }, { MSGPACK_BYTES, 0, 5 }, { MSGPACK_BYTES, 0, 9 }, { MSGPACK_BYTES, 0, 17 },
	{ MSGPACK_TEXT, 1, 0 }, { MSGPACK_TEXT, 2, 0 }, { MSGPACK_TEXT, 4, 0 },
	{ MSGPACK_ARRAY, 2, 0 }, { MSGPACK_ARRAY, 4, 0 }, { MSGPACK_MAP, 2, 0 }, { MSGPACK_MAP, 4, 0 },
};

static struct msgpack_value fault(struct msgpack *m)
{
	m->bad = true;
	return (struct msgpack_value){ MSGPACK_BAD, 0, NULL };
}

/* Text and bytes are stepped over; containers are not. */
static struct msgpack_value take(struct msgpack *m, enum msgpack_kind kind, uint64_t n)
{
	struct msgpack_value v = { kind, n, NULL };
	uint64_t need = kind == MSGPACK_MAP ? 2 * n : n, left = m->n - m->at;

	if (kind != MSGPACK_TEXT && kind != MSGPACK_BYTES && kind != MSGPACK_ARRAY && kind != MSGPACK_MAP)
		return v;
	if (n > left || need > left)
		return fault(m);
	if (kind == MSGPACK_TEXT || kind == MSGPACK_BYTES) {
		v.text = (const char *)m->v + m->at;
		m->at += (size_t)n;
	}
	return v;
}

struct msgpack_value msgpack_next(struct msgpack *m)
{
	uint64_t x = 0;
	uint8_t c;

	if (m->bad || m->at >= m->n)
		return fault(m);
	c = m->v[m->at++];
	if (c < 0x80 || c >= 0xe0)
		return take(m, MSGPACK_INT, c < 0x80 ? c : (uint64_t)(int64_t)(int8_t)c);
	if (c < 0x90)
		return take(m, MSGPACK_MAP, c & 15);
	if (c < 0xa0)
		return take(m, MSGPACK_ARRAY, c & 15);
	if (c < 0xc0)
		return take(m, MSGPACK_TEXT, c & 31);
	c -= 0xc0;
	if (kinds[c].kind == MSGPACK_BAD || kinds[c].head > m->n - m->at)
		return fault(m);
	for (unsigned i = 0; i < kinds[c].head; i++)
		x = x << 8 | m->v[m->at++];
	if (kinds[c].kind == MSGPACK_INT && kinds[c].payload && kinds[c].head < 8) {
		unsigned shift = 64 - 8u * kinds[c].head;

		x = (uint64_t)((int64_t)(x << shift) >> shift);
	}
	if (kinds[c].kind == MSGPACK_BOOL)
		x = c == 3;
	if (kinds[c].kind == MSGPACK_BYTES)
		x += kinds[c].payload;
	return take(m, (enum msgpack_kind)kinds[c].kind, x);
}

void msgpack_skip_rest(struct msgpack *m, struct msgpack_value v)
{
	uint64_t left = v.kind == MSGPACK_ARRAY ? v.n : v.kind == MSGPACK_MAP ? 2 * v.n : 0;

	/* Each step takes at least a byte and each count is at most the bytes left: no overflow, and an end. */
	for (; left && !m->bad; left--) {
		v = msgpack_next(m);
		left += v.kind == MSGPACK_ARRAY ? v.n : v.kind == MSGPACK_MAP ? 2 * v.n : 0;
	}
}

void msgpack_skip(struct msgpack *m)
{
	msgpack_skip_rest(m, msgpack_next(m));
}

bool msgpack_is(const struct msgpack_value *v, const char *text)
{
	return v->kind == MSGPACK_TEXT && v->n == strlen(text) && !memcmp(v->text, text, (size_t)v->n);
}
