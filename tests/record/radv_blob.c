#include "radv_blob.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 1200 }; /* bytes of the fixed part, statistics and code follow */

static const struct {
	uint16_t offset;
	uint8_t bytes, count;
} fields[RADV_FIELDS] = {
#define FIELD(name, offset, bytes, count) [RADV_##name] = {offset, bytes, count},
#include "radv_blob.def"
#undef FIELD
};

uint64_t radv_blob_get(const struct radv_blob *b, enum radv_field field, int i)
{
	uint64_t v = 0;
	memcpy(&v, b->head + fields[field].offset + i * fields[field].bytes, fields[field].bytes);
	return v;
}

int radv_blob_register(const struct radv_blob *b, enum radv_field field, int i, int *count)
{
	uint64_t v = radv_blob_get(b, field, i);
	*count = (int)(v >> 8);
	return (int8_t)v;
}

static bool is_shader(const struct radv_blob *b, uint32_t size)
{
	if (size < HEAD || radv_blob_get(b, RADV_BLOB_TYPE, 0) || radv_blob_get(b, RADV_TOTAL_SIZE, 0) != size)
		return false;
	return HEAD + radv_blob_get(b, RADV_CODE_SIZE, 0) + radv_blob_get(b, RADV_STATS_SIZE, 0) +
		       radv_blob_get(b, RADV_IR_SIZE, 0) + radv_blob_get(b, RADV_LISTING_SIZE, 0) ==
	       size;
}

static uint32_t word_at(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return v;
}

/* Cache data: a header that starts with its own size, a count, then {type, key bytes, data bytes, key, data} aligned.
 */
void radv_blob_parse(struct radv_device *d, VkPipelineCache cache, struct radv_blobs *blobs)
{
	size_t size = 0;
	RADV(vkGetPipelineCacheData, d->handle, cache, &size, NULL);
	uint8_t *data = malloc(size + 8);
	RADV(vkGetPipelineCacheData, d->handle, cache, &size, data);
	size_t at = word_at(data);
	if (at + 4 > size)
		radv_device_fail("pipeline cache of %zu bytes", size);
	uint32_t count = word_at(data + at);
	at += 4;
	blobs->count = 0;
	for (uint32_t i = 0; i < count && blobs->count < RADV_BLOBS; i++) {
		at = (at + 3) & ~(size_t)3;
		if (at + 12 > size)
			break;
		uint32_t key_size = word_at(data + at + 4), data_size = word_at(data + at + 8);
		at = (at + 12 + key_size + 7) & ~(size_t)7;
		if (at + data_size > size)
			break;
		struct radv_blob b = {.head = data + at};
		at += data_size;
		if (!is_shader(&b, data_size))
			continue;
		b.stats = b.head + HEAD;
		b.code = b.stats + radv_blob_get(&b, RADV_STATS_SIZE, 0);
		blobs->list[blobs->count++] = b;
	}
}

const struct radv_blob *radv_blob_find(const struct radv_blobs *blobs, uint32_t hash)
{
	for (int i = blobs->count; i-- > 0;)
		if (radv_blob_get(&blobs->list[i], RADV_STATS_SIZE, 0) >= 4 && word_at(blobs->list[i].stats) == hash)
			return &blobs->list[i];
	return NULL;
}
