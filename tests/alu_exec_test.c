/* alu_exec_test.c - every arithmetic row of ops.def, emitted, run on a Vulkan device and compared with the row's evaluation
 * on the CPU, over a grid of edge cases. Loads libvulkan at run time; skips with the reason when no device is there.
 *
 *	alu_exec_test [-v] [-o DIR] [OP ...]
 *
 * Input: one record of three 8-byte slots per case; output: one 8-byte slot. Exact rows must have equal bits (any NaN for a
 * NaN, either zero where the row leaves the sign open); rows of host precision are compared as the float contract says.
 */
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
	X(vkEnumeratePhysicalDevices) X(vkGetBufferMemoryRequirements) X(vkGetDeviceQueue) X(vkGetPhysicalDeviceFeatures2) \
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
	uint64_t *in, *out;
};

/* ---- device */
static VkBuffer buffer(struct gpu *g, VkPhysicalDevice pd, VkDeviceSize size, void **map)
{
	VkBufferCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
	VkMemoryAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
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
	VkPhysicalDevice pd;
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

/* ---- one row at one pair of types */
struct shape { enum ir_op op; ir_type type, arg[3]; unsigned n; uint64_t imm; };

static ir_id load(struct ir_fn *fn, ir_id h, ir_id off, unsigned slot, ir_type t)
{
	ir_type wide = ir_bits(t) == 64 ? IR_I64 : IR_I32;
	ir_id arg[5] = {ir_const(fn, IR_B1, 1), h, off, 0}, v;

	v = ir_new(fn, IR_ldbuf, wide, 4, arg);
	fn->inst[v].imm = slot * 8;
	fn->inst[v].flags = 3 << IR_F_ALIGN_SHIFT;
	if (ir_base(t) == IR_B1)
		return ir_op2(fn, IR_ine, IR_B1, v, ir_const(fn, IR_I32, 0));
	if (ir_bits(t) < 32)
		v = ir_op1(fn, IR_trunc, ir_int_of_bits(ir_bits(t)), v);
	return ir_is_float(t) ? ir_op1(fn, IR_bitcast, t, v) : v;
}

static void store(struct ir_fn *fn, ir_id h, ir_id off, ir_type t, ir_id v)
{
	ir_id arg[5] = {ir_const(fn, IR_B1, 1), h, off, 0};

	if (ir_is_float(t))
		v = ir_op1(fn, IR_bitcast, ir_int_of_bits(ir_bits(t)), v);
	if (ir_base(t) == IR_B1 || ir_bits(t) < 32)
		v = ir_op1(fn, IR_zext, IR_I32, v);
	arg[4] = v;
	v = ir_new(fn, IR_stbuf, IR_VOID, 5, arg);
	fn->inst[v].flags = 3 << IR_F_ALIGN_SHIFT;
}

static struct ir_fn *program(struct arena *a, const struct shape *s)
{
	struct ir_fn *fn = ir_fn_new(a, ir_ops[s->op].name);
	struct ir_resource in = {.kind = RES_STORAGE_BUFFER, .count = 1, .read = true}, out = in;
	ir_id g, i, off, hi, ho, arg[3], v;

	out.binding = 1;
	out.written = true;
	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = GROUP;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	fn->entry = fn->at = ir_block_new(fn);
	g = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[g].sub = SYSVAL_workgroup_id;
	i = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[i].sub = SYSVAL_local_index;
	i = ir_op2(fn, IR_iadd, IR_I32, ir_op2(fn, IR_imul, IR_I32, g, ir_const(fn, IR_I32, GROUP)), i);
	hi = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[hi].imm = ir_resource_new(fn, &in);
	ho = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[ho].imm = ir_resource_new(fn, &out);
	off = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, 24));
	for (unsigned k = 0; k < s->n; k++)
		arg[k] = load(fn, hi, off, k, s->arg[k]);
	v = ir_new(fn, s->op, s->type, s->n, arg);
	fn->inst[v].imm = s->imm;
	store(fn, ho, ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 3)), s->type, v);
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

/* ---- values */
static const double reals[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 0.75, 2.0, 7.0, 1e-3, -1e-3, 100.25, 1.0 / 3,
	127.5, 255.0, 256.0, 32767.0, 32768.0, -32768.0, 65504.0, 65519.0, 65520.0, 65536.0, 2049.0, 2051.0, 4.0e-8, 5.9604645e-8,
	8.9e-8, 6.0e-5, 6.1e-5, 2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967296.0,
	9223371487098961920.0, 9223372036854775808.0, -9223372036854775808.0, 18446744073709551616.0, 1.0e30, -1.0e30};
static const uint64_t ints[] = {0, 1, 2, 3, 5, 7, 15, 16, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef0, 0x7fffffffffffffff,
	0x8000000000000000, 0xffffffffffffff80, 0xffffffffffff8000, 0xffffffff80000000, 0xfffffffffffffffe, 0xffffffffffffffff};
static const uint64_t counts[] = {0, 1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 0xffffffff};
static const int32_t scales[] = {0, 1, -1, 5, -10, 24, -24, 60, 100, 126, 127, 128, -126, -127, -130, -149, -150, 150, 254, 277, -277, 300,
	-300, 1023, -1022, -1074, 2098, -2098, 5000, -5000, INT32_MAX, INT32_MIN};

static uint64_t half_bits(double v)
{
	uint64_t out;
	ir_type from = IR_F64;
	uint64_t in;

	memcpy(&in, &v, 8);
	ir_eval_op(IR_f2f, IR_F16, 0, 0, &from, &in, &out);
	return out;
}

static unsigned float_values(ir_type t, uint64_t v[96])
{
	static const uint64_t odd[3][8] = { /* denormals, infinities, NaNs, largest, smallest normal */
		{0x0001, 0x03ff, 0x8001, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0400},
		{0x00000001, 0x007fffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000},
		{1, 0xfffffffffffff, 0x8000000000000001, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff,
			0x0010000000000000}};
	unsigned n = 0, w = ir_base(t) == IR_F16 ? 0 : ir_base(t) == IR_F32 ? 1 : 2;

	for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++) {
		float f = (float)reals[k];
		uint32_t b;
		memcpy(&b, &f, 4);
		if (w == 2)
			memcpy(&v[n], &reals[k], 8);
		else
			v[n] = w ? b : half_bits(reals[k]);
		n++;
	}
	memcpy(v + n, odd[w], sizeof odd[w]);
	return n + 8;
}

static unsigned values(const struct shape *s, unsigned k, uint64_t v[96])
{
	ir_type t = s->arg[k];
	unsigned n = 0;

	if (ir_base(t) == IR_B1) {
		v[0] = 0;
		v[1] = 1;
		return 2;
	}
	if (s->op == IR_fldexp && k == 1) {
		for (; n < sizeof scales / sizeof *scales; n++)
			v[n] = (uint32_t)scales[n];
		return n;
	}
	if ((s->op == IR_ubfe || s->op == IR_sbfe) && k) {
		memcpy(v, counts, sizeof counts);
		return sizeof counts / sizeof *counts;
	}
	if (ir_is_float(t)) {
		n = float_values(t, v);
		if (s->n == 3) { /* a third of them */
			for (unsigned j = 0; j < n / 2; j++)
				v[j] = v[j * 2 + (k & 1)];
			n /= 2;
		}
		return n;
	}
	for (; n < sizeof ints / sizeof *ints; n++)
		v[n] = ir_bits(t) == 64 ? ints[n] : ints[n] & ((1ull << ir_bits(t)) - 1);
	return n;
}

static uint32_t fill(const struct shape *s, uint64_t *in)
{
	uint64_t v[3][96];
	unsigned n[3] = {1, 1, 1};
	uint32_t cases = 0;

	memset(v, 0, sizeof v);
	for (unsigned k = 0; k < s->n; k++)
		n[k] = values(s, k, v[k]);
	for (unsigned a = 0; a < n[0]; a++)
		for (unsigned b = 0; b < n[1]; b++)
			for (unsigned c = 0; c < n[2] && cases < MAX_CASES; c++, cases++) {
				in[cases * 3] = v[0][a];
				in[cases * 3 + 1] = v[1][b];
				in[cases * 3 + 2] = v[2][c];
			}
	return cases;
}

/* ---- comparison */
static double as_double(ir_type t, uint64_t bits)
{
	double d;
	float f;
	uint32_t u = (uint32_t)bits;
	uint64_t out;

	if (ir_base(t) == IR_F16) {
		ir_type from = IR_F16;
		ir_eval_op(IR_f2f, IR_F64, 0, 0, &from, &bits, &out);
		bits = out;
	}
	if (ir_base(t) == IR_F32) {
		memcpy(&f, &u, 4);
		return f;
	}
	memcpy(&d, &bits, 8);
	return d;
}

enum { EXACT, ANY_ZERO, HOST };

static int precision(const struct shape *s)
{
	switch (s->op) {
	case IR_ffma: return ir_bits(s->type) == 64 ? HOST : EXACT;
	case IR_frcp: case IR_frsq: case IR_fsqrt: case IR_fexp2: case IR_flog2: case IR_fsin: case IR_fcos: case IR_ffract:
		return HOST;
	case IR_fmin: case IR_fmax: case IR_fsat: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne: return ANY_ZERO;
	default: return EXACT;
	}
}

static bool tiny(ir_type t, double v)
{
	return fabs(v) < (ir_base(t) == IR_F16 ? 6.2e-5 : ir_base(t) == IR_F32 ? 1.2e-38 : 2.3e-308);
}

static bool same(const struct shape *s, const uint64_t *in, uint64_t got, uint64_t want)
{
	int p = precision(s);
	double a, b, eps = ir_base(s->type) == IR_F16 ? 2e-3 : 1e-4;

	if (got == want)
		return true;
	if (!ir_is_float(s->type))
		return false;
	a = as_double(s->type, got);
	b = as_double(s->type, want);
	if (isnan(a) && isnan(b))
		return true;
	if (p >= ANY_ZERO && a == 0 && b == 0)
		return true;
	if (p < HOST)
		return false;
	if ((s->op == IR_fsin || s->op == IR_fcos) && fabs(as_double(s->arg[0], in[0])) > 100)
		return true; /* the host's range */
	for (unsigned k = 0; k < s->n; k++) /* denormals may be flushed where precision is the host's */
		if (ir_is_float(s->arg[k]) && tiny(s->arg[k], as_double(s->arg[k], in[k])))
			return true;
	if (s->op == IR_ffma && (isinf(a) || isnan(a)))
		return true; /* two roundings overflow where one does not */
	return fabs(a - b) <= eps * fmax(1, fmax(fabs(a), fabs(b))) || (tiny(s->type, a) && tiny(s->type, b));
}

struct test { struct gpu *gpu; const char *dir; bool verbose; unsigned shapes, bad, cases; };

static void on_diag(void *user, const struct diag *d)
{
	(void)user;
	fprintf(stderr, "\t%s: %s\n", diag_name(d->code), d->text);
}

static const char *shape_name(const struct shape *s, char buf[96])
{
	char t[3][8];

	snprintf(buf, 96, "%s.%s.%s.%s#%llx", ir_ops[s->op].name, ir_type_name(s->type, t[0]), ir_type_name(s->arg[0], t[1]),
	         s->n > 1 ? ir_type_name(s->arg[1], t[2]) : "", (unsigned long long)s->imm);
	return buf;
}

static void write_words(const char *dir, const char *name, const struct spirv_module *m)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s.spv", dir, name);
	f = fopen(path, "wb");
	if (f) {
		fwrite(m->words, 4, m->nwords, f);
		fclose(f);
	}
}

static bool compare(struct test *t, const struct shape *s, uint32_t cases, const char *name)
{
	uint64_t mask = ir_base(s->type) == IR_B1 ? 1 : ir_bits(s->type) == 64 ? UINT64_MAX : (1ull << ir_bits(s->type)) - 1;
	unsigned wrong = 0;

	for (uint32_t k = 0; k < cases; k++) {
		const uint64_t *in = t->gpu->in + k * 3;
		uint64_t want = 0, got = t->gpu->out[k] & mask;
		if (!ir_eval_op(s->op, s->type, 0, s->imm, s->arg, in, &want))
			return false;
		if (same(s, in, got, want & mask))
			continue;
		if (wrong++ < 4)
			fprintf(stderr, "%s: (%llx, %llx, %llx) gives %llx instead of %llx\n", name, (unsigned long long)in[0],
			        (unsigned long long)in[1], (unsigned long long)in[2], (unsigned long long)got, (unsigned long long)want);
	}
	if (wrong)
		fprintf(stderr, "%s: %u of %u cases wrong\n", name, wrong, cases);
	return !wrong;
}

static void run_shape(struct test *t, const struct shape *s)
{
	struct arena a;
	struct facts facts = {.target = target_find("lavapipe")};
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_module m;
	struct spirv_tools *tools = spirv_tools_new(facts.target);
	char name[96];
	uint32_t cases;

	arena_init(&a, 64u << 20);
	struct spirv_input in = {.fn = program(&a, s), .facts = &facts, .arena = &a};
	if (s->op == IR_ffma && ir_bits(s->type) < 64)
		facts.floats = FLOAT_STRICT; /* the emulation is exact */
	shape_name(s, name);
	t->shapes++;
	cases = fill(s, t->gpu->in);
	memset(t->gpu->out, 0xcd, (size_t)cases * 8);
	if (spirv_emit(&in, &m, &sink) || spirv_validate(tools, m.words, m.nwords, &sink)) {
		fprintf(stderr, "%s: not emitted\n", name);
		t->bad++;
	} else {
		if (t->dir)
			write_words(t->dir, name, &m);
		if (!dispatch(t->gpu, &m, cases) || !compare(t, s, cases, name))
			t->bad++;
		else if (t->verbose)
			printf("%s: %u cases, %zu words\n", name, cases, m.nwords);
		t->cases += cases;
	}
	spirv_tools_free(tools);
	arena_free(&a);
}

/* ---- which types a row takes */
static bool fits(unsigned cls, ir_type t)
{
	switch (cls) {
	case C_INT: return ir_is_int(t);
	case C_INTB: return ir_is_int(t) || ir_base(t) == IR_B1;
	case C_FLT: return ir_is_float(t);
	case C_ANY: return true;
	default: return t == IR_VOID;
	}
}

static bool conversion_fits(enum ir_op op, ir_type t, ir_type u)
{
	unsigned a = ir_bits(t), b = ir_bits(u);

	switch (op) {
	case IR_zext: case IR_sext: return ir_is_int(t) && !ir_is_float(u) && a > b;
	case IR_trunc: return ir_is_int(t) && ir_is_int(u) && a < b;
	case IR_bitcast: return a == b && ir_base(t) != IR_B1 && ir_is_float(t) != ir_is_float(u);
	case IR_s2f: case IR_u2f: return ir_is_float(t) && ir_is_int(u);
	case IR_f2s: case IR_f2u: return ir_is_int(t) && ir_is_float(u);
	case IR_f2f: return ir_is_float(t) && ir_is_float(u) && a != b && !(a == 16 && b == 64);
	case IR_f2f_rtz: return ir_is_float(t) && ir_is_float(u) && a < b && a == 16 && b == 32;
	default: return true;
	}
}

static ir_type letter(char c, ir_type t, ir_type u)
{
	static const struct { char c; ir_type t; } fixed[] = {{'b', IR_B1}, {'y', IR_I8}, {'h', IR_I16}, {'i', IR_I32}, {'l', IR_I64},
		{'f', IR_F32}, {'d', IR_F64}};

	if (c == 'T')
		return t;
	if (c == 'U')
		return u;
	for (unsigned k = 0; k < sizeof fixed / sizeof *fixed; k++)
		if (fixed[k].c == c)
			return fixed[k].t;
	return IR_VOID;
}

static bool wanted(enum ir_op op)
{
	const char *arg = strchr(ir_ops[op].sig, ':') + 1;

	return ir_ops[op].fx == (ir_ops[op].fx & (FX_COMM | FX_CONV)) && *arg && !strpbrk(arg, "R?*X") && op != IR_lanebit;
}

static void run_row(struct test *t, enum ir_op op)
{
	static const ir_type all[] = {IR_B1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64};
	static const uint64_t classes[] = {0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x204, 0x90, 0x108, 0x60, 0x3fc, 0x3ff};
	const char *sig = ir_ops[op].sig, *arg = strchr(sig, ':') + 1;
	bool has_t = strchr(sig, 'T'), has_u = strchr(sig, 'U');

	for (unsigned i = 0; i < (has_t ? 8u : 1u); i++)
		for (unsigned j = 0; j < (has_u ? 8u : 1u); j++) {
			struct shape s = {.op = op, .type = letter(sig[0], all[i], all[j]), .n = (unsigned)strlen(arg)};
			ir_type first = has_t && !has_u ? all[i] : all[j];
			uint64_t out, zero[3] = {0};
			if ((has_t && has_u) ? !conversion_fits(op, all[i], all[j]) : ((has_t || has_u) && !fits(ir_ops[op].cls, first)))
				continue;
			if (ir_base(first) == IR_F64 && (op == IR_fexp2 || op == IR_flog2 || op == IR_fsin || op == IR_fcos))
				continue; /* refused */
			for (unsigned k = 0; k < s.n && k < 3; k++)
				s.arg[k] = letter(arg[k], all[i], all[j]);
			for (unsigned c = 0; c < (op == IR_fclass ? sizeof classes / sizeof *classes : 1); c++) {
				s.imm = op == IR_fclass ? classes[c] : 0;
				if (ir_eval_op(op, s.type, 0, s.imm, s.arg, zero, &out))
					run_shape(t, &s);
			}
		}
}

/* ---- memory: elements of every width copied from binding 0 to binding 1, straight, through shared memory, through scratch */
enum route { STRAIGHT, SHARED, SCRATCH, ROUTES };
enum { MEM_CASES = 4 * GROUP, MEM_IN = 32, MEM_OUT = 16 };

static void copy_via(struct ir_fn *fn, enum route r, ir_id local, ir_type t, ir_id *v)
{
	ir_id yes = ir_const(fn, IR_B1, 1), at, st, barrier;

	if (r == STRAIGHT)
		return;
	at = r == SHARED ? ir_op2(fn, IR_imul, IR_I32, local, ir_const(fn, IR_I32, ir_bits(t) / 8 * ir_elems(t))) : ir_const(fn, IR_I32, 16);
	st = ir_op3(fn, r == SHARED ? IR_stshared : IR_stscr, IR_VOID, yes, at, *v);
	fn->inst[st].imm = r == SHARED ? 0 : 16;
	if (r == SHARED) {
		barrier = ir_op0(fn, IR_barrier, IR_VOID);
		fn->inst[barrier].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 1 << 8;
	}
	*v = ir_op2(fn, r == SHARED ? IR_ldshared : IR_ldscr, t, yes, at);
	fn->inst[*v].imm = r == SHARED ? 0 : 16;
}

static struct ir_fn *copy_program(struct arena *a, enum route r, ir_type t, unsigned align)
{
	struct ir_fn *fn = ir_fn_new(a, "copy");
	struct ir_resource in = {.kind = RES_STORAGE_BUFFER, .count = 1, .read = true}, out = in;
	ir_id g, i, local, arg[5], v;

	out.binding = 1;
	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = GROUP;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	fn->shared_bytes = GROUP * 16;
	fn->scratch_bytes = 64;
	fn->entry = fn->at = ir_block_new(fn);
	g = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[g].sub = SYSVAL_workgroup_id;
	local = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[local].sub = SYSVAL_local_index;
	i = ir_op2(fn, IR_iadd, IR_I32, ir_op2(fn, IR_shl, IR_I32, g, ir_const(fn, IR_I32, 6)), local);
	arg[0] = ir_const(fn, IR_B1, 1);
	arg[1] = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[arg[1]].imm = ir_resource_new(fn, &in);
	arg[2] = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, MEM_IN));
	arg[3] = 0;
	v = ir_new(fn, IR_ldbuf, t, 4, arg);
	fn->inst[v].flags = (uint16_t)(align << IR_F_ALIGN_SHIFT);
	copy_via(fn, r, local, t, &v);
	arg[1] = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[arg[1]].imm = ir_resource_new(fn, &out);
	arg[2] = ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 4));
	arg[4] = v;
	v = ir_new(fn, IR_stbuf, IR_VOID, 5, arg);
	fn->inst[v].flags = (uint16_t)(align << IR_F_ALIGN_SHIFT);
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

static void run_copy(struct test *t, enum route r, ir_type type, unsigned align, bool narrow)
{
	struct arena a;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.target = &target};
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_module m;
	unsigned size = ir_bits(type) / 8 * ir_elems(type), bad = 0;
	uint8_t *in = (uint8_t *)t->gpu->in, *out = (uint8_t *)t->gpu->out;
	char name[8];

	target.storage8 = target.storage16 = narrow;
	arena_init(&a, 64u << 20);
	struct spirv_input si = {.fn = copy_program(&a, r, type, align), .facts = &facts, .arena = &a};
	struct spirv_tools *tools = spirv_tools_new(&target);
	for (uint32_t k = 0, x = 12345; k < MEM_CASES * MEM_IN; k++)
		in[k] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
	memset(out, 0xcd, MEM_CASES * MEM_OUT);
	t->shapes++;
	if (spirv_emit(&si, &m, &sink) || spirv_validate(tools, m.words, m.nwords, &sink) || !dispatch(t->gpu, &m, MEM_CASES))
		bad = 1;
	for (uint32_t k = 0; k < MEM_CASES && !bad; k++)
		for (unsigned b = 0; b < MEM_OUT; b++)
			bad += out[k * MEM_OUT + b] != (b < size ? in[k * MEM_IN + b] : 0xcd);
	if (bad)
		fprintf(stderr, "copy of %s, route %u, alignment %u, %s views: %u bytes wrong\n", ir_type_name(type, name), r, 1u << align,
		        narrow ? "narrow" : "word", bad);
	t->bad += bad != 0;
	t->cases += MEM_CASES;
	spirv_tools_free(tools);
	arena_free(&a);
}

static void run_copies(struct test *t)
{
	static const ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_VEC(IR_I8, 4), IR_VEC(IR_I8, 3),
		IR_VEC(IR_I16, 2), IR_VEC(IR_F16, 4), IR_VEC(IR_I16, 3), IR_VEC(IR_I32, 2), IR_VEC(IR_I32, 3), IR_VEC(IR_I32, 4),
		IR_VEC(IR_F32, 4), IR_VEC(IR_I64, 2), IR_VEC(IR_F64, 2)};

	for (unsigned r = 0; r < ROUTES; r++)
		for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
			for (unsigned align = 0; align <= 4; align++)
				for (unsigned narrow = 0; narrow < 2; narrow++)
					run_copy(t, (enum route)r, types[k], align, narrow);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {.gpu = &gpu};
	const char *why;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-v"))
			t.verbose = true;
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			t.dir = argv[++i];
	}
	why = set_up(&gpu);
	if (why) {
		printf("skip: %s\n", why);
		return 77;
	}
	if (i == argc)
		for (unsigned op = 0; op < IR_OP_COUNT; op++)
			if (wanted((enum ir_op)op))
				run_row(&t, (enum ir_op)op);
	if (i == argc || !strcmp(argv[i], "copy"))
		run_copies(&t);
	for (; i < argc; i++)
		if (ir_op_find(argv[i]) != IR_OP_COUNT)
			run_row(&t, ir_op_find(argv[i]));
	printf("%u cases\nalu_exec: %u passed, %u failed\n", t.cases, t.shapes - t.bad, t.bad);
	return t.bad != 0;
}
