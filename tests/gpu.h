/* gpu.h - a Vulkan device for tests: libvulkan is loaded when the test runs, one compute pipeline at a time, storage buffers
 * at bindings 0 and 1 of set 0, mapped. Part of one test program each: everything is static. */
#ifndef TEST_GPU_H
#define TEST_GPU_H

#include "../libxlate/spirv/spirv.h"
#include "../libxlate/target/target.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

/* The loader's exports that are used. */
#define FUNCTIONS(X) \
	X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBeginCommandBuffer) \
	X(vkBindBufferMemory) X(vkCmdBindDescriptorSets) X(vkCmdBindPipeline) X(vkCmdDispatch) \
	X(vkCreateBuffer) X(vkCreateCommandPool) X(vkCreateComputePipelines) X(vkCreateDescriptorPool) \
	X(vkCreateDescriptorSetLayout) X(vkCreateDevice) X(vkCreateInstance) X(vkCreatePipelineLayout) \
	X(vkCreateShaderModule) X(vkDestroyPipeline) X(vkDestroyShaderModule) X(vkEndCommandBuffer) \
	X(vkEnumeratePhysicalDevices) X(vkGetBufferDeviceAddress) X(vkGetBufferMemoryRequirements) X(vkGetDeviceQueue) X(vkGetPhysicalDeviceFeatures2) \
	X(vkGetPhysicalDeviceMemoryProperties) X(vkGetPhysicalDeviceProperties) X(vkMapMemory) X(vkQueueSubmit) \
	X(vkQueueWaitIdle) X(vkUpdateDescriptorSets)

struct api {
#define X(f) PFN_##f f;
	FUNCTIONS(X)
#undef X
};

enum { MAX_CASES = 1 << 16, IN_BYTES = MAX_CASES * 24, OUT_BYTES = MAX_CASES * 8, GROUP = 64 };

struct gpu {
	struct api vk;
	VkDevice dev;
	VkQueue queue;
	VkCommandBuffer cmd;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkDescriptorSet set;
	uint64_t *in, *out, out_address;
	bool older; /* an earlier Vulkan than the profile's: another driver than the one that the modules are made for */
};

/* ---- device */
static VkBuffer buffer(struct gpu *g, VkPhysicalDevice pd, VkDeviceSize size, void **map)
{
	VkBufferCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
	VkMemoryAllocateFlagsInfo fi = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
	VkMemoryAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &fi};
	VkPhysicalDeviceMemoryProperties mp;
	VkMemoryRequirements rq;
	VkDeviceMemory mem;
	VkBuffer b;

	if (g->vk.vkCreateBuffer(g->dev, &ci, NULL, &b))
		return VK_NULL_HANDLE;
	g->vk.vkGetBufferMemoryRequirements(g->dev, b, &rq);
	g->vk.vkGetPhysicalDeviceMemoryProperties(pd, &mp);
	ai.allocationSize = rq.size;
	for (uint32_t i = 0; i < mp.memoryTypeCount; i++)
		if (rq.memoryTypeBits >> i & 1 && (mp.memoryTypes[i].propertyFlags & 6) == 6)
			ai.memoryTypeIndex = i;
	if (g->vk.vkAllocateMemory(g->dev, &ai, NULL, &mem) || g->vk.vkBindBufferMemory(g->dev, b, mem, 0) ||
	    g->vk.vkMapMemory(g->dev, mem, 0, VK_WHOLE_SIZE, 0, map))
		return VK_NULL_HANDLE;
	return b;
}

static const char *load_api(struct api *vk)
{
	void *lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), *p;

	if (!lib)
		return "no libvulkan.so.1";
#define X(f) \
	p = dlsym(lib, #f); \
	if (!p) \
		return "libvulkan lacks " #f; \
	memcpy(&vk->f, &p, sizeof p);
	FUNCTIONS(X)
#undef X
	return NULL;
}

static bool is_lavapipe(struct gpu *g, VkPhysicalDevice pd)
{
	VkPhysicalDeviceProperties props;

	g->vk.vkGetPhysicalDeviceProperties(pd, &props);
	g->older = props.apiVersion >> 12 < target_find("lavapipe")->vulkan >> 12;
	return props.apiVersion >= VK_API_VERSION_1_3 && props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static const char *open_device(struct gpu *g, VkPhysicalDevice *pd)
{
	VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo ici = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
	VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
	VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &f13};
	VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12};
	VkPhysicalDeviceFeatures2 f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
	float one = 1;
	VkDeviceQueueCreateInfo qci = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &one};
	VkDeviceCreateInfo dci = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &f, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &qci};
	VkInstance inst;
	VkPhysicalDevice all[16];
	uint32_t n = 16;

	if (load_api(&g->vk))
		return load_api(&g->vk);
	if (g->vk.vkCreateInstance(&ici, NULL, &inst))
		return "no Vulkan instance";
	if (g->vk.vkEnumeratePhysicalDevices(inst, &n, all) < 0)
		return "no Vulkan device";
	for (*pd = NULL; n-- > 0 && !*pd;)
		if (is_lavapipe(g, all[n]))
			*pd = all[n];
	if (!*pd)
		return "no lavapipe among the Vulkan devices";
	g->vk.vkGetPhysicalDeviceFeatures2(*pd, &f);
	if (g->vk.vkCreateDevice(*pd, &dci, NULL, &g->dev))
		return "no device";
	g->vk.vkGetDeviceQueue(g->dev, 0, 0, &g->queue);
	return NULL;
}

static const char *set_up(struct gpu *g)
{
	VkPhysicalDevice pd = VK_NULL_HANDLE;
	const char *why = open_device(g, &pd);
	VkDescriptorSetLayoutBinding b[2] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
		{1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
	VkDescriptorSetLayoutCreateInfo sl = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = b};
	VkPipelineLayoutCreateInfo pl = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &g->set_layout};
	VkDescriptorPoolSize ps = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
	VkDescriptorPoolCreateInfo pc = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1,
		.pPoolSizes = &ps};
	VkDescriptorSetAllocateInfo sa = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorSetCount = 1,
		.pSetLayouts = &g->set_layout};
	VkCommandPoolCreateInfo cp = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VkCommandBufferAllocateInfo ca = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1};
	void *map[2];

	if (why)
		return why;
	if (g->vk.vkCreateDescriptorSetLayout(g->dev, &sl, NULL, &g->set_layout) || g->vk.vkCreatePipelineLayout(g->dev, &pl, NULL, &g->layout) ||
	    g->vk.vkCreateDescriptorPool(g->dev, &pc, NULL, &sa.descriptorPool) || g->vk.vkAllocateDescriptorSets(g->dev, &sa, &g->set) ||
	    g->vk.vkCreateCommandPool(g->dev, &cp, NULL, &ca.commandPool) || g->vk.vkAllocateCommandBuffers(g->dev, &ca, &g->cmd))
		return "set-up failed";
	for (uint32_t k = 0; k < 2; k++) {
		VkDescriptorBufferInfo bi = {buffer(g, pd, k ? OUT_BYTES : IN_BYTES, &map[k]), 0, VK_WHOLE_SIZE};
		VkWriteDescriptorSet w = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = g->set, .dstBinding = k,
			.descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &bi};
		if (!bi.buffer)
			return "no memory";
		VkBufferDeviceAddressInfo ba = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = bi.buffer};
		g->out_address = g->vk.vkGetBufferDeviceAddress(g->dev, &ba);
		g->vk.vkUpdateDescriptorSets(g->dev, 1, &w, 0, NULL);
	}
	g->in = map[0];
	g->out = map[1];
	return NULL;
}

static bool dispatch(struct gpu *g, const struct spirv_module *m, uint32_t cases)
{
	VkShaderModuleCreateInfo si = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = m->nwords * 4, .pCode = m->words};
	VkComputePipelineCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = g->layout,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .pName = "main"}};
	VkCommandBufferBeginInfo bi = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	VkSubmitInfo su = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &g->cmd};
	VkPipeline p;

	if (g->vk.vkCreateShaderModule(g->dev, &si, NULL, &ci.stage.module))
		return false;
	if (g->vk.vkCreateComputePipelines(g->dev, VK_NULL_HANDLE, 1, &ci, NULL, &p))
		return false;
	g->vk.vkBeginCommandBuffer(g->cmd, &bi);
	g->vk.vkCmdBindPipeline(g->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
	g->vk.vkCmdBindDescriptorSets(g->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &g->set, 0, NULL);
	g->vk.vkCmdDispatch(g->cmd, (cases + GROUP - 1) / GROUP, 1, 1);
	g->vk.vkEndCommandBuffer(g->cmd);
	bool ok = !g->vk.vkQueueSubmit(g->queue, 1, &su, VK_NULL_HANDLE) && !g->vk.vkQueueWaitIdle(g->queue);
	g->vk.vkDestroyPipeline(g->dev, p, NULL);
	g->vk.vkDestroyShaderModule(g->dev, ci.stage.module, NULL);
	return ok;
}

struct test { struct gpu *gpu; const char *dir; bool verbose; unsigned shapes, bad, cases; };

static void on_diag(void *user, const struct diag *d)
{
	(void)user;
	fprintf(stderr, "\t%s: %s\n", diag_name(d->code), d->text);
}

/* The module of a program; false, with diagnostics on standard error, when it is refused. */
static bool gpu_module(const struct spirv_input *in, struct spirv_module *m)
{
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_tools *tools = spirv_tools_new(in->facts->target);
	bool fine = !spirv_emit(in, m, &sink) && !spirv_validate(tools, m->words, m->nwords, &sink);

	spirv_tools_free(tools);
	return fine;
}

/* A compute program of one block, for workgroups of GROUP in x. Returns the number of the invocation, `local` that in its workgroup. */
static ir_id gpu_program(struct ir_fn *fn, ir_id *local)
{
	ir_id g;

	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = GROUP;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	fn->entry = fn->at = ir_block_new(fn);
	g = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[g].sub = SYSVAL_workgroup_id;
	*local = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[*local].sub = SYSVAL_local_index;
	return ir_op2(fn, IR_iadd, IR_I32, ir_op2(fn, IR_imul, IR_I32, g, ir_const(fn, IR_I32, GROUP)), *local);
}

/* A handle of the buffer at a binding: 0 is read, 1 read and written. */
static ir_id gpu_buffer(struct ir_fn *fn, uint32_t binding)
{
	struct ir_resource q = {.kind = RES_STORAGE_BUFFER, .count = 1, .binding = binding, .read = true, .written = binding == 1};
	ir_id h = ir_op1(fn, IR_bind, IR_RES, 0);
	uint32_t n = 0;

	while (n < fn->nres && (fn->res[n].kind != q.kind || fn->res[n].binding != binding))
		n++;
	fn->inst[h].imm = n < fn->nres ? n : ir_resource_new(fn, &q);
	return h;
}

/* Options of a test program; the first argument behind them. Exits with 77 and the reason when there is no device. */
static int gpu_main(struct test *t, struct gpu *gpu, int argc, char **argv)
{
	const char *why;
	int i = 1;

	t->gpu = gpu;
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-v"))
			t->verbose = true;
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			t->dir = argv[++i];
	}
	why = set_up(gpu);
	if (why) {
		printf("skip: %s\n", why);
		exit(77);
	}
	return i;
}

static int gpu_end(const struct test *t, const char *name)
{
	if (t->bad && t->gpu->older) {
		printf("skip: %u of %s: this lavapipe is older than the profile's and differs\n", t->bad, name);
		printf("%s: %u passed, 0 failed, %u skipped\n", name, t->shapes - t->bad, t->bad);
		return 0;
	}
	printf("%u cases\n%s: %u passed, %u failed\n", t->cases, name, t->shapes - t->bad, t->bad);
	return t->bad != 0;
}

#endif
