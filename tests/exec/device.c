#include "device.h"

#include <stdlib.h>
#include <string.h>

void device_check(struct device *d, VkResult result, const char *function)
{
	if (result < 0)
		child_exit(d->slot, CHILD_VULKAN, "FAIL %s -> %d", function, result);
}

/* Everything the device offers is switched on, so that a module is refused by the device and not by us. */
struct features {
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh;
	VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback;
	VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
	VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float2;
	VkPhysicalDeviceRobustness2FeaturesEXT robustness;
	VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric;
	VkPhysicalDeviceShaderClockFeaturesKHR clock;
	VkPhysicalDeviceVulkan11Features v11;
	VkPhysicalDeviceVulkan12Features v12;
	VkPhysicalDeviceVulkan13Features v13;
	VkPhysicalDeviceFeatures2 core;
};

struct extension {
	const char *name;
	void *features; /* its feature struct, or NULL */
};

static bool offers(const VkExtensionProperties *list, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i].extensionName, name))
			return true;
	return false;
}

static void open_instance(struct device *d)
{
	VkInstance instance;
	VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
	uint32_t n = 1;
	VK(d, vkCreateInstance, &info, NULL, &instance);
	VK(d, vkEnumeratePhysicalDevices, instance, &n, &d->physical);
	if (!n)
		child_exit(d->slot, CHILD_REFUSED, "FAIL no device");
	vkGetPhysicalDeviceMemoryProperties(d->physical, &d->memory);
}

static uint32_t enable_extensions(struct device *d, const char **names, void **chain, struct features *f)
{
	const struct extension want[] = {
		{"VK_EXT_mesh_shader", &f->mesh},
		{"VK_EXT_transform_feedback", &f->feedback},
		{"VK_EXT_shader_atomic_float", &f->atomic_float},
		{"VK_EXT_shader_atomic_float2", &f->atomic_float2},
		{"VK_EXT_robustness2", &f->robustness},
		{"VK_KHR_fragment_shader_barycentric", &f->barycentric},
		{"VK_KHR_shader_clock", &f->clock},
		{"VK_EXT_shader_stencil_export", NULL},
		{"VK_EXT_shader_viewport_index_layer", NULL},
	};
	uint32_t have = 0, n = 0;
	vkEnumerateDeviceExtensionProperties(d->physical, NULL, &have, NULL);
	VkExtensionProperties *list = malloc(sizeof *list * (have + 1));
	vkEnumerateDeviceExtensionProperties(d->physical, NULL, &have, list);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		if (!offers(list, have, want[i].name))
			continue;
		names[n++] = want[i].name;
		if (want[i].features) {
			VkBaseOutStructure *s = want[i].features;
			s->pNext = *chain;
			*chain = s;
		}
	}
	d->has_mesh = offers(list, have, want[0].name);
	free(list);
	return n;
}

static void open_device(struct device *d)
{
	static const struct features initial = {
		.mesh = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT},
		.feedback = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT},
		.atomic_float = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT},
		.atomic_float2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT},
		.robustness = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT},
		.barycentric = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR},
		.clock = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR},
		.v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES},
		.v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
		.v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES},
		.core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
	};
	struct features f = initial;
	const char *names[16];
	void *chain = NULL;
	uint32_t n = enable_extensions(d, names, &chain, &f);
	f.v13.pNext = chain;
	f.v12.pNext = &f.v13;
	f.v11.pNext = &f.v12;
	f.core.pNext = &f.v11;
	vkGetPhysicalDeviceFeatures2(d->physical, &f.core);
	f.mesh.primitiveFragmentShadingRateMeshShader = 0; /* need extensions that are not enabled */
	f.mesh.multiviewMeshShader = 0;
	if (f.robustness.robustBufferAccess2)
		f.core.features.robustBufferAccess = 1;
	float priority = 1;
	VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
					 .pQueuePriorities = &priority};
	VkDeviceCreateInfo info = {
		VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &f.core,           .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,          .enabledExtensionCount = n, .ppEnabledExtensionNames = names};
	VK(d, vkCreateDevice, d->physical, &info, NULL, &d->handle);
	vkGetDeviceQueue(d->handle, 0, 0, &d->queue);
}

void device_open(struct device *d, struct child_slot *slot)
{
	memset(d, 0, sizeof *d);
	d->slot = slot;
	open_instance(d);
	open_device(d);
	VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
					.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VK(d, vkCreateCommandPool, d->handle, &pool, NULL, &d->pool);
	VkCommandBufferAllocateInfo one = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = d->pool,
					   .commandBufferCount = 1};
	VK(d, vkAllocateCommandBuffers, d->handle, &one, &d->commands);
}

uint32_t device_memory_type(const struct device *d, uint32_t bits)
{
	const VkMemoryPropertyFlags want = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	uint32_t any = 0;
	for (uint32_t i = d->memory.memoryTypeCount; i-- > 0;)
		if (bits >> i & 1)
			any = i;
	for (uint32_t i = 0; i < d->memory.memoryTypeCount; i++)
		if ((bits >> i & 1) && (d->memory.memoryTypes[i].propertyFlags & want) == want)
			return i;
	return any;
}

struct buffer device_buffer(struct device *d, uint64_t size, VkBufferUsageFlags usage)
{
	struct buffer b = {.size = size};
	VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
	VkMemoryRequirements need;
	VK(d, vkCreateBuffer, d->handle, &info, NULL, &b.handle);
	vkGetBufferMemoryRequirements(d->handle, b.handle, &need);
	VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need.size,
				       .memoryTypeIndex = device_memory_type(d, need.memoryTypeBits)};
	VK(d, vkAllocateMemory, d->handle, &memory, NULL, &b.memory);
	VK(d, vkBindBufferMemory, d->handle, b.handle, b.memory, 0);
	VK(d, vkMapMemory, d->handle, b.memory, 0, VK_WHOLE_SIZE, 0, (void **)&b.data);
	memset(b.data, 0, size);
	return b;
}

void device_free_buffer(struct device *d, struct buffer *b)
{
	vkDestroyBuffer(d->handle, b->handle, NULL);
	vkFreeMemory(d->handle, b->memory, NULL);
}

void device_begin(struct device *d)
{
	VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	VK(d, vkResetCommandBuffer, d->commands, 0);
	VK(d, vkBeginCommandBuffer, d->commands, &info);
}

void device_submit(struct device *d)
{
	VK(d, vkEndCommandBuffer, d->commands);
	VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &d->commands};
	VK(d, vkQueueSubmit, d->queue, 1, &info, VK_NULL_HANDLE);
	VK(d, vkQueueWaitIdle, d->queue);
}

void device_barrier(struct device *d, VkImage image, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to)
{
	const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
	VkImageMemoryBarrier ib = {
		VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = all,
		.oldLayout = from,
		.newLayout = to,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image,
		.subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
	VkMemoryBarrier mb = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
			      .dstAccessMask = all};
	vkCmdPipelineBarrier(d->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
			     &mb, 0, NULL, image ? 1 : 0, &ib);
}
