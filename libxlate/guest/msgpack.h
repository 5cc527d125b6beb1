/* msgpack.h - reads MessagePack values one by one from untrusted bytes. Source: the public MessagePack specification.
 *
 * Nothing is allocated and nothing recurses: a container gives its element count, and its elements follow. Counts are checked
 * against the bytes left (an element is at least one byte). After a fault every read gives MSGPACK_BAD.
 */
#ifndef XL_MSGPACK_H
#define XL_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum msgpack_kind { MSGPACK_BAD, MSGPACK_NIL, MSGPACK_BOOL, MSGPACK_INT, MSGPACK_FLOAT, MSGPACK_TEXT, MSGPACK_BYTES, MSGPACK_ARRAY,
	MSGPACK_MAP };
struct msgpack {
	const uint8_t *v;
	size_t n, at;
	bool bad;
};
struct msgpack_value {
	enum msgpack_kind kind;
	uint64_t n;           /* INT, BOOL: the value (negative ones wrap); TEXT, BYTES: bytes; ARRAY, MAP: elements, pairs */
	const char *text;     /* TEXT: not terminated */
};

struct msgpack_value msgpack_next(struct msgpack *);
void msgpack_skip(struct msgpack *);                     /* one value with all that it holds */
void msgpack_skip_rest(struct msgpack *, struct msgpack_value); /* the elements of a container just read */
bool msgpack_is(const struct msgpack_value *, const char *text);

#endif
