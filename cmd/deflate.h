/* deflate.h - bytes to a raw DEFLATE stream (RFC 1951), for what browsers unpack by themselves. */
#ifndef XL_CMD_DEFLATE_H
#define XL_CMD_DEFLATE_H

#include <stdint.h>
#include <stddef.h>

/* malloc'ed; NULL: out of memory. The same bytes give the same stream. */
uint8_t *deflate_raw(const void *bytes, size_t n, size_t *size);

#endif
