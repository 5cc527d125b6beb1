/* resources.h: descriptors and push constants of a pipeline, filled with the deterministic inputs. */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "bindings.h"
#include "device.h"
#include "image.h"
#include "outputs.h"

enum { RESOURCES_SETS = 8, RESOURCES_PUSH = 256, RESOURCES_ATTACHMENTS = 16 };

/* One element of a binding. */
struct object {
	const struct binding *binding;
	uint32_t element;
	struct buffer buffer;
	struct image image;
	uint8_t *initial; /* contents before the run, to count changes; NULL where nothing is read back */
};

struct resources {
	struct binding bindings[BINDINGS_MAX];
	int nbindings;
	struct object *objects;
	int nobjects;
	const struct spvinfo *modules; /* those that the resources were made from */
	int nmodules;
	uint32_t runtime; /* elements of every runtime array */
	bool tame;        /* floats that are made here are positive, integers of vertices 0 or 1 */
	VkDescriptorSetLayout set_layouts[RESOURCES_SETS];
	VkDescriptorSet sets[RESOURCES_SETS];
	uint32_t nsets;
	VkPipelineLayout layout;
	uint8_t push[RESOURCES_PUSH];
	uint32_t push_size;
	struct image input_attachments[RESOURCES_ATTACHMENTS]; /* handle NULL: a hole */
	uint32_t ninput_attachments;
	struct outputs inputs; /* everything a shader can read, as records */
};

/* Makes everything for the interface of n modules; a compute dispatch has `groups` workgroups. */
void resources_create(struct device *d, struct resources *r, const struct spvinfo *modules, int n,
		      const uint32_t groups[3], bool tame);
/* Binds sets and push constants in the command buffer being recorded. */
void resources_bind(struct device *d, const struct resources *r, VkPipelineBindPoint point);
/* Appends what storage buffers, texel buffers and images hold now. */
void resources_collect(struct device *d, const struct resources *r, struct outputs *o);

#endif
