/* foz.h - shader modules as a Fossilize database, in memory.
 *
 * The stream archive of version 6 (Fossilize's own sources, fossilize_db.cpp and fossilize.cpp): a head of 16 bytes, then
 * entries: 40 hex digits (24 of the resource tag, 16 of the object's hash), four words (stored size, 1 for plain, CRC-32 of the
 * stored bytes, size), the bytes. A shader module's are JSON, a zero byte, and the code, each word 7 bits a byte from
 * the lowest. Its hash is Fossilize's of VkShaderModuleCreateInfo: h = h * 0x100000001b3 ^ word over code and flags.
 */
#ifndef XL_CMD_FOZ_H
#define XL_CMD_FOZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct foz_module { uint64_t hash; size_t at, size; /* of its entry in `bytes` */ };
struct foz {
	uint8_t *bytes;
	size_t n, cap;
	struct foz_module *module;
	uint32_t nmodule;
	bool bad; /* out of memory */
};
/* Adds a module once. False: another module has the same hash. */
bool foz_add(struct foz *, const uint32_t *words, size_t nwords);
/* The archive, sorted by hash; malloc'ed, NULL: out of memory. */
uint8_t *foz_finish(const struct foz *, size_t *size);
void foz_free(struct foz *);

#endif
