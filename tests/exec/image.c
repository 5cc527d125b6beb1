#include "image.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MIPS = 8 };

struct image_format image_format_of(uint32_t spirv_format, char base, bool storage)
{
	static const struct image_format table[] = {
#define FORMAT(spv, vk, bytes, kind, class) [SpvImageFormat##spv] = {VK_FORMAT_##vk, bytes, kind, CLASS_##class},
#include "image_formats.def"
#undef FORMAT
	};
	if (storage && spirv_format && spirv_format < sizeof table / sizeof *table)
		return table[spirv_format];
	return table[base == 'i'   ? SpvImageFormatRgba32i
		     : base == 'u' ? SpvImageFormatRgba32ui
				   : SpvImageFormatRgba32f];
}

static uint32_t at_level(uint32_t extent, uint32_t level)
{
	return extent >> level ? extent >> level : 1;
}

static uint64_t level_size(const struct image *im, uint32_t level)
{
	return (uint64_t)at_level(im->width, level) * at_level(im->height, level) * at_level(im->depth, level) *
	       im->layers * im->format.bytes;
}

static uint32_t regions(const struct image *im, VkBufferImageCopy *list)
{
	uint64_t offset = 0;
	for (uint32_t l = 0; l < im->mips; l++) {
		list[l] = (VkBufferImageCopy){
			.bufferOffset = offset,
			.imageSubresource = {im->aspect, l, 0, im->layers},
			.imageExtent = {at_level(im->width, l), at_level(im->height, l), at_level(im->depth, l)}};
		offset += level_size(im, l);
	}
	return im->mips;
}

static VkImageUsageFlags usage_of(enum image_use use)
{
	switch (use) {
	case IMAGE_SAMPLED:
		return VK_IMAGE_USAGE_SAMPLED_BIT;
	case IMAGE_STORAGE:
		return VK_IMAGE_USAGE_STORAGE_BIT;
	case IMAGE_INPUT_ATTACHMENT:
		return VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
	case IMAGE_COLOR:
		return VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
	case IMAGE_DEPTH:
		return VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
	}
	return 0;
}

static VkImageViewType view_type(uint32_t dim, bool arrayed)
{
	switch (dim) {
	case SpvDim1D:
		return arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
	case SpvDim3D:
		return VK_IMAGE_VIEW_TYPE_3D;
	case SpvDimCube:
		return arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
	}
	return arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
}

static void allocate(struct device *d, struct image *im, const struct image_spec *s)
{
	VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
				  .flags = im->dim == SpvDimCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
				  .imageType = im->dim == SpvDim1D   ? VK_IMAGE_TYPE_1D
					       : im->dim == SpvDim3D ? VK_IMAGE_TYPE_3D
								     : VK_IMAGE_TYPE_2D,
				  .format = im->format.vk,
				  .extent = {im->width, im->height, im->depth},
				  .mipLevels = im->mips,
				  .arrayLayers = im->layers,
				  .samples = (VkSampleCountFlagBits)im->samples,
				  .usage = usage_of(s->use) | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
					   VK_IMAGE_USAGE_TRANSFER_DST_BIT};
	VkMemoryRequirements need;
	VkDeviceMemory memory;
	VK(d, vkCreateImage, d->handle, &info, NULL, &im->handle);
	vkGetImageMemoryRequirements(d->handle, im->handle, &need);
	VkMemoryAllocateInfo alloc = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need.size,
				      .memoryTypeIndex = device_memory_type(d, need.memoryTypeBits)};
	VK(d, vkAllocateMemory, d->handle, &alloc, NULL, &memory);
	VK(d, vkBindImageMemory, d->handle, im->handle, memory, 0);
	VkImageViewCreateInfo view = {
		VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = im->handle,
		.viewType = view_type(im->dim, s->arrayed), .format = im->format.vk,
		.subresourceRange = {im->aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
	VK(d, vkCreateImageView, d->handle, &view, NULL, &im->view);
}

/* Multisampled images cannot be copied to: one value everywhere. */
static void clear(struct device *d, const struct image *im, bool depth, struct rng *r)
{
	VkImageSubresourceRange range = {im->aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
	if (depth) {
		VkClearDepthStencilValue v = {(float)(inputs_next(r) % 64) / 64.0f, 0};
		vkCmdClearDepthStencilImage(d->commands, im->handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &range);
		return;
	}
	VkClearColorValue v;
	for (int i = 0; i < 4; i++) {
		if (strchr("fhb", im->format.kind))
			v.float32[i] = (float)(inputs_next(r) % 64) / 64.0f;
		else
			v.uint32[i] = inputs_next(r) % 8;
	}
	vkCmdClearColorImage(d->commands, im->handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &range);
}

struct image image_create(struct device *d, const struct image_spec *s, struct rng *r)
{
	bool single_level = s->use != IMAGE_SAMPLED || s->multisampled || s->dim == SpvDimRect;
	struct image im = {.format = s->format,
			   .dim = s->dim,
			   .width = s->extent,
			   .height = s->dim == SpvDim1D ? 1 : s->extent,
			   .depth = s->dim == SpvDim3D ? s->extent : 1,
			   .layers = s->dim == SpvDimCube ? (s->arrayed ? 12 : 6)
				     : s->arrayed         ? 4
							  : 1,
			   .mips = single_level ? 1 : 3,
			   .samples = s->multisampled ? 4 : 1,
			   .aspect = s->depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT};
	for (uint32_t l = 0; l < im.mips; l++)
		im.size += level_size(&im, l);
	allocate(d, &im, s);
	device_begin(d);
	device_barrier(d, im.handle, im.aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	if (s->multisampled) {
		clear(d, &im, s->depth, r);
		device_submit(d);
		return im;
	}
	if (s->use == IMAGE_COLOR || s->use == IMAGE_DEPTH) {
		device_submit(d);
		return im;
	}
	struct buffer staging = device_buffer(d, im.size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
	inputs_texels(r, staging.data, im.size, s->depth ? 'f' : im.format.kind);
	im.initial = malloc(im.size);
	memcpy(im.initial, staging.data, im.size);
	VkBufferImageCopy list[MAX_MIPS];
	uint32_t n = regions(&im, list);
	vkCmdCopyBufferToImage(d->commands, staging.handle, im.handle, VK_IMAGE_LAYOUT_GENERAL, n, list);
	device_submit(d);
	device_free_buffer(d, &staging);
	return im;
}

struct buffer image_read(struct device *d, const struct image *im)
{
	struct buffer b = device_buffer(d, im->size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkBufferImageCopy list[MAX_MIPS];
	uint32_t n = regions(im, list);
	device_begin(d);
	vkCmdCopyImageToBuffer(d->commands, im->handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, n, list);
	device_submit(d);
	return b;
}
