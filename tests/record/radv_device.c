#include "radv_device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void radv_device_fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("radvdump: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(3);
}

void radv_device_check(VkResult result, const char *function)
{
	if (result != VK_SUCCESS)
		radv_device_fail("%s -> %d", function, result);
}

static void find_family(struct radv_device *d, const char *family)
{
	static const struct {
		const char *name;
		int gfx;
		const char *isa, *cpu;
	} families[] = {
#define FAMILY(name, gfx, isa, cpu) {name, gfx, isa, cpu},
#include "radv_families.def"
#undef FAMILY
	};
	for (size_t i = 0; family && i < sizeof families / sizeof *families; i++) {
		if (strcmp(families[i].name, family))
			continue;
		d->family = families[i].name;
		d->gfx = families[i].gfx;
		d->isa = families[i].isa;
		d->cpu = families[i].cpu;
		return;
	}
	radv_device_fail("RADV_FORCE_FAMILY=%s is no family of radv_families.def", family ? family : "");
}

static void find_physical(struct radv_device *d)
{
	VkInstance instance;
	VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
	uint32_t n = 1;
	RADV(vkCreateInstance, &info, NULL, &instance);
	if (vkEnumeratePhysicalDevices(instance, &n, &d->physical) < 0 || !n)
		radv_device_fail("no device: is VK_ICD_FILENAMES RADV's, and RADV_FORCE_FAMILY set?");
	VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
	VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
	vkGetPhysicalDeviceProperties2(d->physical, &p);
	memcpy(d->name, p.properties.deviceName, sizeof d->name);
	memcpy(d->driver, driver.driverInfo, sizeof d->driver);
}

/* Enables what the device has of the list; returns how many. */
static uint32_t choose_extensions(struct radv_device *d, const char **names, bool *mesh, bool *descriptors)
{
	static const char *const want[] = {
		"VK_KHR_pipeline_executable_properties",
		"VK_KHR_pipeline_library",
		"VK_EXT_graphics_pipeline_library",
		"VK_EXT_descriptor_buffer",
		"VK_EXT_mesh_shader",
		"VK_KHR_fragment_shader_barycentric",
		"VK_EXT_shader_atomic_float",
		"VK_EXT_shader_stencil_export",
		"VK_EXT_fragment_shader_interlock",
		"VK_KHR_shader_clock",
		"VK_EXT_shader_image_atomic_int64",
		"VK_AMD_shader_ballot",
		"VK_AMD_gcn_shader",
		"VK_AMD_shader_trinary_minmax",
	};
	uint32_t have = 0, n = 0;
	vkEnumerateDeviceExtensionProperties(d->physical, NULL, &have, NULL);
	VkExtensionProperties *list = malloc(sizeof *list * (have + 1));
	vkEnumerateDeviceExtensionProperties(d->physical, NULL, &have, list);
	*mesh = *descriptors = false;
	for (size_t w = 0; w < sizeof want / sizeof *want; w++) {
		for (uint32_t i = 0; i < have; i++) {
			if (strcmp(want[w], list[i].extensionName))
				continue;
			names[n++] = want[w];
			*mesh |= !strcmp(want[w], "VK_EXT_mesh_shader");
			*descriptors |= !strcmp(want[w], "VK_EXT_descriptor_buffer");
		}
	}
	free(list);
	return n;
}

static void create_device(struct radv_device *d)
{
	const char *names[16];
	bool mesh, descriptors;
	uint32_t n = choose_extensions(d, names, &mesh, &descriptors);
	VkPhysicalDeviceMeshShaderFeaturesEXT fm = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
						    .pNext = NULL};
	VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT fl = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
		.pNext = mesh ? &fm : NULL};
	VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR fe = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, .pNext = &fl};
	VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
						.pNext = &fe};
	VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
						.pNext = &f13};
	VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
						.pNext = &f12};
	VkPhysicalDeviceFeatures2 f2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
	float priority = 1;
	vkGetPhysicalDeviceFeatures2(d->physical, &f2);
	/* robustness would add bounds checks to the code, which real games mostly do without */
	f2.features.robustBufferAccess = f2.features.pipelineStatisticsQuery = 0;
	fm.meshShaderQueries = fm.primitiveFragmentShadingRateMeshShader = fm.multiviewMeshShader = 0;
	f13.robustImageAccess = 0;
	VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
					 .pQueuePriorities = &priority};
	VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
				   .pNext = &f2,
				   .queueCreateInfoCount = 1,
				   .pQueueCreateInfos = &queue,
				   .enabledExtensionCount = n,
				   .ppEnabledExtensionNames = names};
	RADV(vkCreateDevice, d->physical, &info, NULL, &d->handle);
#define LOAD(fn) (PFN_##fn) vkGetDeviceProcAddr(d->handle, #fn)
	d->executables = LOAD(vkGetPipelineExecutablePropertiesKHR);
	d->statistics = LOAD(vkGetPipelineExecutableStatisticsKHR);
	d->texts = LOAD(vkGetPipelineExecutableInternalRepresentationsKHR);
	if (descriptors) {
		d->binding_offset = LOAD(vkGetDescriptorSetLayoutBindingOffsetEXT);
		d->layout_size = LOAD(vkGetDescriptorSetLayoutSizeEXT);
	}
#undef LOAD
	if (!d->executables || !d->statistics || !d->texts)
		radv_device_fail("the driver has no VK_KHR_pipeline_executable_properties");
}

void radv_device_open(struct radv_device *d, const char *family)
{
	memset(d, 0, sizeof *d);
	find_family(d, family);
	find_physical(d);
	create_device(d);
}
