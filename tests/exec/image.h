/* image.h: images with deterministic contents, and their way back to the host. */
#ifndef IMAGE_H
#define IMAGE_H

#include "device.h"
#include "inputs.h"
#include "outputs.h"

struct image_format {
	VkFormat vk;
	uint32_t bytes; /* a texel */
	char kind;      /* of input texels, see image_formats.def */
	enum word_class class;
};

enum image_use { IMAGE_SAMPLED, IMAGE_STORAGE, IMAGE_INPUT_ATTACHMENT, IMAGE_COLOR, IMAGE_DEPTH };

struct image_spec {
	struct image_format format;
	enum image_use use;
	uint32_t dim, extent; /* SpvDim; edge length in texels */
	bool arrayed, multisampled, depth;
};

struct image {
	VkImage handle;
	VkImageView view;
	struct image_format format;
	uint32_t width, height, depth, layers, mips, samples, dim;
	VkImageAspectFlags aspect;
	uint8_t *initial; /* contents uploaded, NULL for attachments and multisampled images; lives as long as the
			     process */
	uint64_t size;    /* bytes of all mips and layers */
};

/* Format by SPIR-V number; Unknown (or a sampled image's) becomes the widest of its base type. */
struct image_format image_format_of(uint32_t spirv_format, char base, bool storage);
struct image image_create(struct device *d, const struct image_spec *spec, struct rng *r);
/* Copies the image into host memory: mips in order, layers within. */
struct buffer image_read(struct device *d, const struct image *im);

#endif
