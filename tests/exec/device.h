/* device.h: one Vulkan device with a queue and a command buffer, and buffers on it. Any failure ends the child. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include "child.h"

struct device {
	struct child_slot *slot;
	VkPhysicalDevice physical;
	VkDevice handle;
	VkQueue queue;
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkPhysicalDeviceMemoryProperties memory;
	bool has_mesh;
};

struct buffer {
	VkBuffer handle;
	VkDeviceMemory memory;
	uint8_t *data; /* mapped, zero at creation */
	uint64_t size;
};

/* Calls a Vulkan function and ends the child with its name if it fails. */
#define VK(dev, fn, ...) device_check((dev), fn(__VA_ARGS__), #fn)

void device_check(struct device *d, VkResult result, const char *function);
void device_open(struct device *d, struct child_slot *slot);
uint32_t device_memory_type(const struct device *d, uint32_t bits);
struct buffer device_buffer(struct device *d, uint64_t size, VkBufferUsageFlags usage);
void device_free_buffer(struct device *d, struct buffer *b);
void device_begin(struct device *d);
/* Submits the command buffer and waits. */
void device_submit(struct device *d);
/* Full memory barrier; with an image, its layout transition too. */
void device_barrier(struct device *d, VkImage image, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to);

#endif
