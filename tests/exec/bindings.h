/* bindings.h: one descriptor layout for all stages of a pipeline, by set and binding. */
#ifndef BINDINGS_H
#define BINDINGS_H

#include "spvinfo.h"

struct binding {
	uint32_t set, binding, count;
	bool unsized, shadow, written;
	VkDescriptorType type;
	const struct spvinfo *module; /* the first module that has it, and its resource there */
	const struct resource *res;
	VkShaderStageFlags stages;
};

enum { BINDINGS_MAX = 256 };

/* Fills `list` in (set, binding) order and returns its length; -1 with the reason in `error` (200 bytes). */
int bindings_merge(const struct spvinfo *modules, int n, struct binding *list, char *error);
/* The type's name in records. */
const char *bindings_type_name(VkDescriptorType type);
VkShaderStageFlagBits bindings_stage_bit(int stage);

#endif
