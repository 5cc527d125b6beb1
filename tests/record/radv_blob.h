/* radv_blob.h: compiled shaders out of a pipeline cache's data. */
#ifndef RADV_BLOB_H
#define RADV_BLOB_H

#include "radv_device.h"

enum radv_field {
#define FIELD(name, offset, bytes, count) RADV_##name,
#include "radv_blob.def"
#undef FIELD
	RADV_FIELDS
};

/* RADV's own shader stage numbers. */
enum radv_stage { RADV_VERT, RADV_TESC, RADV_TESE, RADV_GEOM, RADV_FRAG, RADV_COMP, RADV_TASK, RADV_MESH };

enum { RADV_BLOBS = 16, RADV_SET_REGISTERS_COUNT = 32, RADV_SLOT_VAR0 = 32, RADV_GS_COPY = 1 };

/* Indices of DATA_REGISTERS; from RADV_UD_STAGE on their meaning depends on the stage. */
enum { RADV_UD_FIRST = 1, RADV_UD_STAGE = 18, RADV_UD_COUNT = 26 };

struct radv_blob {
	const uint8_t *head; /* the object, RADV_FIELDS live here */
	const uint8_t *stats, *code;
};

struct radv_blobs {
	struct radv_blob list[RADV_BLOBS];
	int count;
};

/* Element i of a field, zero-extended. */
uint64_t radv_blob_get(const struct radv_blob *b, enum radv_field field, int i);
/* Registers of an entry of SET_REGISTERS or DATA_REGISTERS: the first one or -1, and their number. */
int radv_blob_register(const struct radv_blob *b, enum radv_field field, int i, int *count);
/* Reads the cache; objects that are no shaders are skipped. The memory is never freed. */
void radv_blob_parse(struct radv_device *d, VkPipelineCache cache, struct radv_blobs *blobs);
/* The shader with this driver "Hash" (CRC-32 of code and constants, also the first word of its statistics), or NULL. */
const struct radv_blob *radv_blob_find(const struct radv_blobs *blobs, uint32_t hash);

#endif
