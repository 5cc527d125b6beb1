/* radv_device.h: RADV's null device, which compiles pipelines for a GPU that is not there. Failures end the program. */
#ifndef RADV_DEVICE_H
#define RADV_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

struct radv_device {
	VkPhysicalDevice physical;
	VkDevice handle;
	char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
	char driver[VK_MAX_DRIVER_INFO_SIZE]; /* "Mesa 25.0.7-2" */
	const char *family;                   /* as RADV_FORCE_FAMILY names it */
	const char *isa, *cpu;                /* as records name them */
	int gfx;                              /* 7, 9, 10 */
	PFN_vkGetPipelineExecutablePropertiesKHR executables;
	PFN_vkGetPipelineExecutableStatisticsKHR statistics;
	PFN_vkGetPipelineExecutableInternalRepresentationsKHR texts;
	PFN_vkGetDescriptorSetLayoutBindingOffsetEXT binding_offset; /* NULL without VK_EXT_descriptor_buffer */
	PFN_vkGetDescriptorSetLayoutSizeEXT layout_size;
};

#define RADV(fn, ...) radv_device_check(fn(__VA_ARGS__), #fn)

void radv_device_check(VkResult result, const char *function);
void radv_device_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* family: a row of radv_families.def. */
void radv_device_open(struct radv_device *d, const char *family);

#endif
