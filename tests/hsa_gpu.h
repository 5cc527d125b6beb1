/* hsa_gpu.h - runs one compute module on lavapipe with the resources that a translated kernel has: storage buffers at set 0,
 * bindings 1 and up, a uniform buffer at binding 0, push constants. Part of one test program: everything is static. */
#ifndef TEST_HSA_GPU_H
#define TEST_HSA_GPU_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

/* The loader's exports that are used. */
#define HSA_VK(X) \
	X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBeginCommandBuffer) X(vkBindBufferMemory) \
	X(vkCmdBindDescriptorSets) X(vkCmdBindPipeline) X(vkCmdDispatch) X(vkCmdPushConstants) X(vkCreateBuffer) \
	X(vkCreateCommandPool) X(vkCreateComputePipelines) X(vkCreateDescriptorPool) X(vkCreateDescriptorSetLayout) \
	X(vkCreateDevice) X(vkCreateInstance) X(vkCreatePipelineLayout) X(vkCreateShaderModule) X(vkDestroyPipeline) \
	X(vkDestroyShaderModule) X(vkEndCommandBuffer) X(vkEnumeratePhysicalDevices) X(vkGetBufferMemoryRequirements) \
	X(vkGetDeviceQueue) X(vkGetPhysicalDeviceFeatures2) X(vkGetPhysicalDeviceMemoryProperties) \
	X(vkGetPhysicalDeviceProperties) X(vkMapMemory) X(vkQueueSubmit) X(vkQueueWaitIdle) X(vkUpdateDescriptorSets)

enum { HSA_BINDINGS = 6, HSA_BUFFER = 1 << 16, HSA_PUSH = 128 };

struct hsa_gpu {
#define X(f) PFN_##f f;
	HSA_VK(X)
#undef X
	VkDevice dev;
	VkPhysicalDevice pd;
	VkQueue queue;
	VkCommandBuffer cmd;
	VkPipelineLayout layout;
	VkDescriptorSet set;
	uint8_t *memory[HSA_BINDINGS]; /* mapped, by binding; 0 is the uniform buffer */
};

static VkDescriptorType hsa_type(uint32_t binding)
{
	return binding ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

static const char *hsa_device(struct hsa_gpu *g)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3 };
	VkInstanceCreateInfo ici = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app };
	VkPhysicalDeviceVulkan13Features f13 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES };
	VkPhysicalDeviceVulkan12Features f12 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &f13 };
	VkPhysicalDeviceVulkan11Features f11 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12 };
	VkPhysicalDeviceFeatures2 f = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11 };
	float one = 1;
	VkDeviceQueueCreateInfo qci = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
		.pQueuePriorities = &one };
	VkDeviceCreateInfo dci = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &f, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &qci };
	void *lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), *p;
	VkPhysicalDeviceProperties props;
	VkPhysicalDevice all[16];
	VkInstance inst;
	uint32_t n = 16;

	if (!lib)
		return "no libvulkan.so.1";
#define X(name) \
	p = dlsym(lib, #name); \
	if (!p) \
		return "libvulkan lacks " #name; \
	memcpy(&g->name, &p, sizeof(p));
	HSA_VK(X)
#undef X
	if (g->vkCreateInstance(&ici, NULL, &inst) || g->vkEnumeratePhysicalDevices(inst, &n, all) < 0)
		return "no Vulkan instance";
	while (n-- > 0 && !g->pd) {
		g->vkGetPhysicalDeviceProperties(all[n], &props);
		if (props.apiVersion >= VK_API_VERSION_1_3 && props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
			g->pd = all[n];
	}
	if (!g->pd)
		return "no lavapipe among the Vulkan devices";
	g->vkGetPhysicalDeviceFeatures2(g->pd, &f);
	if (g->vkCreateDevice(g->pd, &dci, NULL, &g->dev))
		return "no device";
	g->vkGetDeviceQueue(g->dev, 0, 0, &g->queue);
	return NULL;
}

static bool hsa_buffer(struct hsa_gpu *g, uint32_t binding)
{
	VkBufferCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = HSA_BUFFER,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT };
	VkMemoryAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkWriteDescriptorSet w = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = g->set, .dstBinding = binding,
		.descriptorCount = 1, .descriptorType = hsa_type(binding) };
	VkPhysicalDeviceMemoryProperties mp;
	VkDescriptorBufferInfo bi;
	VkMemoryRequirements rq;
	VkDeviceMemory mem;
	VkBuffer b;
	void *map;

	if (g->vkCreateBuffer(g->dev, &ci, NULL, &b))
		return false;
	g->vkGetBufferMemoryRequirements(g->dev, b, &rq);
	g->vkGetPhysicalDeviceMemoryProperties(g->pd, &mp);
	ai.allocationSize = rq.size;
	for (uint32_t i = 0; i < mp.memoryTypeCount; i++)
		if ((rq.memoryTypeBits >> i & 1) && (mp.memoryTypes[i].propertyFlags & 6) == 6)
			ai.memoryTypeIndex = i;
	if (g->vkAllocateMemory(g->dev, &ai, NULL, &mem) || g->vkBindBufferMemory(g->dev, b, mem, 0) ||
	    g->vkMapMemory(g->dev, mem, 0, VK_WHOLE_SIZE, 0, &map))
		return false;
	g->memory[binding] = map;
	bi = (VkDescriptorBufferInfo){ b, 0, VK_WHOLE_SIZE };
	w.pBufferInfo = &bi;
	g->vkUpdateDescriptorSets(g->dev, 1, &w, 0, NULL);
	return true;
}

/* NULL, or why there is no device. */
static const char *hsa_open(struct hsa_gpu *g)
{
	const char *why = hsa_device(g);
	VkDescriptorSetLayoutBinding b[HSA_BINDINGS];
	VkDescriptorSetLayout set;
	VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, HSA_PUSH };
	VkDescriptorSetLayoutCreateInfo sl = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = HSA_BINDINGS, .pBindings = b };
	VkPipelineLayoutCreateInfo pl = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &set, .pushConstantRangeCount = 1, .pPushConstantRanges = &range };
	VkDescriptorPoolSize ps[2] = { { hsa_type(0), 1 }, { hsa_type(1), HSA_BINDINGS } };
	VkDescriptorPoolCreateInfo pc = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 2, .pPoolSizes = ps };
	VkDescriptorSetAllocateInfo sa = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorSetCount = 1,
		.pSetLayouts = &set };
	VkCommandPoolCreateInfo cp = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT };
	VkCommandBufferAllocateInfo ca = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1 };

	if (why)
		return why;
	for (uint32_t i = 0; i < HSA_BINDINGS; i++)
		b[i] = (VkDescriptorSetLayoutBinding){ i, hsa_type(i), 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	if (g->vkCreateDescriptorSetLayout(g->dev, &sl, NULL, &set) || g->vkCreatePipelineLayout(g->dev, &pl, NULL, &g->layout) ||
	    g->vkCreateDescriptorPool(g->dev, &pc, NULL, &sa.descriptorPool) ||
	    g->vkAllocateDescriptorSets(g->dev, &sa, &g->set) || g->vkCreateCommandPool(g->dev, &cp, NULL, &ca.commandPool) ||
	    g->vkAllocateCommandBuffers(g->dev, &ca, &g->cmd))
		return "set-up failed";
	for (uint32_t i = 0; i < HSA_BINDINGS; i++)
		if (!hsa_buffer(g, i))
			return "no memory";
	return NULL;
}

static bool hsa_run(struct hsa_gpu *g, const uint32_t *words, size_t nwords, const void *push, const uint32_t groups[3])
{
	VkShaderModuleCreateInfo si = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = nwords * 4, .pCode = words };
	VkComputePipelineCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = g->layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main" } };
	VkCommandBufferBeginInfo bi = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkSubmitInfo su = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &g->cmd };
	VkPipeline p;
	bool ok;

	if (g->vkCreateShaderModule(g->dev, &si, NULL, &ci.stage.module) ||
	    g->vkCreateComputePipelines(g->dev, VK_NULL_HANDLE, 1, &ci, NULL, &p))
		return false;
	g->vkBeginCommandBuffer(g->cmd, &bi);
	g->vkCmdBindPipeline(g->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
	g->vkCmdBindDescriptorSets(g->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &g->set, 0, NULL);
	g->vkCmdPushConstants(g->cmd, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, HSA_PUSH, push);
	g->vkCmdDispatch(g->cmd, groups[0], groups[1], groups[2]);
	g->vkEndCommandBuffer(g->cmd);
	ok = !g->vkQueueSubmit(g->queue, 1, &su, VK_NULL_HANDLE) && !g->vkQueueWaitIdle(g->queue);
	g->vkDestroyPipeline(g->dev, p, NULL);
	g->vkDestroyShaderModule(g->dev, ci.stage.module, NULL);
	return ok;
}

#endif
