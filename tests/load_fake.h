/* load_fake.h - a Vulkan driver that does what a test wants: it blocks, fails, takes the process down, and counts. And packages
 * of handmade modules for it. Part of one test program each: everything is static. */
#ifndef TEST_LOAD_FAKE_H
#define TEST_LOAD_FAKE_H

#include "../libxlate/load/load_int.h"
#include "../libxlate/package/xlp.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What a module is known by: word 2 of its head, which is the tool that made it. */
enum { FAKE_ID = 2, FAKE_LOG = 4096 };
struct fake_call { uint32_t id; VkPipelineCreateFlags flags; bool graphics, library; };
static struct fake {
	pthread_mutex_t lock;
	/* Called for each pipeline, with the id of its first module; on the thread that compiles. */
	VkResult (*hook)(uint32_t id, const VkGraphicsPipelineCreateInfo *);
	struct fake_call call[FAKE_LOG];
	_Atomic uint32_t ncall;
	_Atomic int live;            /* objects that are not destroyed */
	_Atomic uint32_t nlayout;    /* layouts made so far */
	size_t initial;              /* bytes that the cache was made with */
	bool no_cache_hit;           /* VK_PIPELINE_COMPILE_REQUIRED where that is asked for */
	bool lacks_int64, lacks_subgroup_control, lacks_independent_blend;
	uint8_t uuid;                /* of the driver */
	uint32_t cache_bytes;        /* the driver's cache grows by each pipeline */
	/* Transform feedback: buffers (0: the device has none), bytes of a vertex in one, between vertices, in all. */
	uint32_t capture[4];
} fake = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct fake_object { uint32_t id; };
static void *fake_new(uint32_t id)
{
	struct fake_object *o = malloc(sizeof(*o));

	o->id = id;
	fake.live++;
	return o;
}

static void fake_free(void *o)
{
	fake.live -= o != NULL;
	free(o);
}

#define HANDLE(type, p) ((type)(uintptr_t)(p))
#define OBJECT(h) ((struct fake_object *)(uintptr_t)(h))

static VKAPI_ATTR VkResult VKAPI_CALL fake_extensions(VkPhysicalDevice p, const char *layer, uint32_t *n, VkExtensionProperties *out)
{
	static const char *const names[] = { "VK_EXT_graphics_pipeline_library", "VK_KHR_pipeline_library", "VK_EXT_robustness2",
		"VK_EXT_shader_stencil_export", "VK_EXT_transform_feedback" };
	uint32_t have = sizeof(names) / sizeof(names[0]) - !fake.capture[0];

	(void)p, (void)layer;
	for (uint32_t i = 0; out && i < have && i < *n; i++)
		strcpy(out[i].extensionName, names[i]);
	*n = have;
	return VK_SUCCESS;
}

static void fake_all_on(void *s, size_t head, size_t size)
{
	for (VkBool32 *b = (VkBool32 *)(void *)((char *)s + head); (char *)b < (char *)s + size; b++)
		*b = VK_TRUE;
}

static VKAPI_ATTR void VKAPI_CALL fake_features(VkPhysicalDevice p, VkPhysicalDeviceFeatures2 *f)
{
	const size_t head = 2 * sizeof(void *);

	(void)p;
	fake_all_on(&f->features, 0, sizeof(f->features));
	f->features.shaderInt64 = !fake.lacks_int64;
	f->features.independentBlend = !fake.lacks_independent_blend;
	for (VkBaseOutStructure *s = f->pNext; s; s = s->pNext) {
		switch ((int)s->sType) {
#define CHAIN(member, type, stype, minor, extension) \
		case VK_STRUCTURE_TYPE_##stype: \
			fake_all_on(s, head, sizeof(type)); \
			break;
#include "../libxlate/load/load_need.def"
		}
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES && fake.lacks_subgroup_control)
			((VkPhysicalDeviceVulkan13Features *)(void *)s)->subgroupSizeControl = VK_FALSE;
	}
}

static VKAPI_ATTR void VKAPI_CALL fake_properties(VkPhysicalDevice p, VkPhysicalDeviceProperties2 *out)
{
	VkPhysicalDeviceProperties *d = &out->properties;

	(void)p;
	memset(d, 0, sizeof(*d));
	d->apiVersion = VK_API_VERSION_1_3;
	d->vendorID = 1;
	d->deviceID = 2;
	d->driverVersion = 3;
	strcpy(d->deviceName, "fake");
	memset(d->pipelineCacheUUID, 7, VK_UUID_SIZE);
	d->limits = (VkPhysicalDeviceLimits){ .maxComputeWorkGroupSize = { 256, 256, 64 }, .maxComputeWorkGroupInvocations = 256,
		.maxComputeSharedMemorySize = 32768, .maxPushConstantsSize = 128, .maxBoundDescriptorSets = 8,
		.maxPerStageResources = 4096, .maxColorAttachments = 8, .maxVertexInputAttributes = 32, .maxVertexInputBindings = 32,
		.maxVertexInputAttributeOffset = 2047, .maxVertexInputBindingStride = 2048, .maxTessellationPatchSize = 32,
		.framebufferColorSampleCounts = 5, .framebufferDepthSampleCounts = 5 };
	for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
			memset(((VkPhysicalDeviceIDProperties *)(void *)s)->driverUUID, fake.uuid, VK_UUID_SIZE);
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
			((VkPhysicalDeviceSubgroupProperties *)(void *)s)->subgroupSize = 32;
			((VkPhysicalDeviceSubgroupProperties *)(void *)s)->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
		}
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
			VkPhysicalDeviceSubgroupSizeControlProperties *c = (void *)s;

			c->minSubgroupSize = 32;
			c->maxSubgroupSize = 64;
			c->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
		}
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT) {
			VkPhysicalDeviceTransformFeedbackPropertiesEXT *c = (void *)s;

			c->maxTransformFeedbackBuffers = fake.capture[0];
			c->maxTransformFeedbackBufferDataSize = fake.capture[1];
			c->maxTransformFeedbackBufferDataStride = fake.capture[2];
			c->maxTransformFeedbackStreamDataSize = fake.capture[3];
		}
		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT)
			((VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT *)(void *)s)->graphicsPipelineLibraryFastLinking = 1;
	}
}

/* ---- objects */
#define FAKE_CREATE(name, info, type, id_of) \
	static VKAPI_ATTR VkResult VKAPI_CALL fake_create_##name(VkDevice d, const info *ci, const VkAllocationCallbacks *a, type *out) \
	{ \
		(void)d, (void)a, (void)ci; \
		*out = HANDLE(type, fake_new(id_of)); \
		return VK_SUCCESS; \
	} \
	static VKAPI_ATTR void VKAPI_CALL fake_destroy_##name(VkDevice d, type o, const VkAllocationCallbacks *a) \
	{ \
		(void)d, (void)a; \
		fake_free(OBJECT(o)); \
	}
FAKE_CREATE(set_layout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout, ci->bindingCount)
static uint32_t fake_count_layout(void)
{
	return fake.nlayout++;
}
FAKE_CREATE(layout, VkPipelineLayoutCreateInfo, VkPipelineLayout, fake_count_layout())
FAKE_CREATE(pass, VkRenderPassCreateInfo, VkRenderPass, ci->attachmentCount ? (uint32_t)ci->pAttachments[0].format : 0)
FAKE_CREATE(module, VkShaderModuleCreateInfo, VkShaderModule, ci->pCode[FAKE_ID])

static VKAPI_ATTR void VKAPI_CALL fake_destroy_pipeline(VkDevice d, VkPipeline o, const VkAllocationCallbacks *a)
{
	(void)d, (void)a;
	fake_free(OBJECT(o));
}

static VkResult fake_pipeline(uint32_t id, VkPipelineCreateFlags flags, const VkGraphicsPipelineCreateInfo *g, VkPipeline *out)
{
	uint32_t at = fake.ncall++ % FAKE_LOG;
	VkResult r;

	pthread_mutex_lock(&fake.lock);
	fake.call[at] = (struct fake_call){ id, flags, g != NULL, flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR };
	fake.cache_bytes++;
	pthread_mutex_unlock(&fake.lock);
	*out = VK_NULL_HANDLE;
	if (flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT && fake.no_cache_hit)
		return VK_PIPELINE_COMPILE_REQUIRED;
	r = fake.hook ? fake.hook(id, g) : VK_SUCCESS;
	if (!r)
		*out = HANDLE(VkPipeline, fake_new(id));
	return r;
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_compute(VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *ci,
						   const VkAllocationCallbacks *a, VkPipeline *out)
{
	(void)d, (void)c, (void)n, (void)a;
	return fake_pipeline(OBJECT(ci->stage.module)->id, ci->flags, NULL, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_graphics(VkDevice d, VkPipelineCache c, uint32_t n, const VkGraphicsPipelineCreateInfo *ci,
						    const VkAllocationCallbacks *a, VkPipeline *out)
{
	(void)d, (void)c, (void)n, (void)a;
	return fake_pipeline(ci->stageCount ? OBJECT(ci->pStages[0].module)->id : 0, ci->flags, ci, out);
}

/* ---- the driver's cache: Vulkan's header and some bytes */
static VKAPI_ATTR VkResult VKAPI_CALL fake_create_cache(VkDevice d, const VkPipelineCacheCreateInfo *ci, const VkAllocationCallbacks *a,
							VkPipelineCache *out)
{
	(void)d, (void)a;
	fake.initial = ci->initialDataSize;
	*out = HANDLE(VkPipelineCache, fake_new(0));
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_destroy_cache(VkDevice d, VkPipelineCache o, const VkAllocationCallbacks *a)
{
	(void)d, (void)a;
	fake_free(OBJECT(o));
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_cache_data(VkDevice d, VkPipelineCache c, size_t *n, void *out)
{
	uint32_t head[4] = { 32, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, 1, 2 };
	size_t all = 32 + 4 * (size_t)fake.cache_bytes;

	(void)d, (void)c;
	if (out && *n < all)
		return VK_INCOMPLETE;
	*n = all;
	if (!out)
		return VK_SUCCESS;
	memset(out, 9, all);
	memcpy(out, head, sizeof(head));
	memset((char *)out + 16, 7, VK_UUID_SIZE);
	return VK_SUCCESS;
}

/* Everything, but that it has no vertex buffers of 8 bits a component. */
static VKAPI_ATTR void VKAPI_CALL fake_format(VkPhysicalDevice p, VkFormat f, VkFormatProperties *out)
{
	(void)p;
	*out = (VkFormatProperties){ UINT32_MAX, UINT32_MAX, UINT32_MAX };
	if (f >= VK_FORMAT_R8_UNORM && f <= VK_FORMAT_A8B8G8R8_SRGB_PACK32)
		out->bufferFeatures = 0;
}

static PFN_vkVoidFunction VKAPI_CALL fake_proc(VkInstance i, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fake_device_proc(VkDevice d, const char *name)
{
	(void)d;
	return fake_proc(VK_NULL_HANDLE, name);
}

static PFN_vkVoidFunction VKAPI_CALL fake_proc(VkInstance instance, const char *name)
{
	static const struct { const char *name; PFN_vkVoidFunction f; } all[] = {
#define F(vk, f) { #vk, (PFN_vkVoidFunction)f },
		F(vkEnumerateDeviceExtensionProperties, fake_extensions) F(vkGetDeviceProcAddr, fake_device_proc)
		F(vkGetPhysicalDeviceFeatures2, fake_features) F(vkGetPhysicalDeviceProperties2, fake_properties)
		F(vkGetPhysicalDeviceFormatProperties, fake_format)
		F(vkCreateComputePipelines, fake_compute) F(vkCreateGraphicsPipelines, fake_graphics)
		F(vkCreateDescriptorSetLayout, fake_create_set_layout) F(vkDestroyDescriptorSetLayout, fake_destroy_set_layout)
		F(vkCreatePipelineLayout, fake_create_layout) F(vkDestroyPipelineLayout, fake_destroy_layout)
		F(vkCreateRenderPass, fake_create_pass) F(vkDestroyRenderPass, fake_destroy_pass)
		F(vkCreateShaderModule, fake_create_module) F(vkDestroyShaderModule, fake_destroy_module)
		F(vkCreatePipelineCache, fake_create_cache) F(vkDestroyPipelineCache, fake_destroy_cache)
		F(vkGetPipelineCacheData, fake_cache_data) F(vkDestroyPipeline, fake_destroy_pipeline)
#undef F
	};

	(void)instance;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!strcmp(all[i].name, name))
			return all[i].f;
	}
	return NULL;
}

/* ---- packages */
enum { FAKE_WORDS = 1 << 16, FAKE_PROGRAMS = 256 };
struct fake_package {
	struct xlp_program program[FAKE_PROGRAMS];
	uint32_t n;
	struct buf bytes;
	const char *needs, *translator;
	bool layers; /* vertex programs that are added write the layer */
	bool captures; /* their outputs are captured by transform feedback */
	uint32_t clips[STAGE_COUNT]; /* clip distances that programs which are added write */
	uint32_t handed[STAGE_COUNT]; /* location of the layer that they hand on, or take; 0: none */
};

static uint32_t *fake_put(uint32_t *w, uint32_t op, uint32_t n, const uint32_t *v)
{
	*w++ = (n + 1) << 16 | op;
	memcpy(w, v, n * 4);
	return w + n;
}
#define PUT(w, op, ...) fake_put(w, SpvOp##op, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })

/* Adds a program whose module has `bindings` storage buffers of set 0 and is padded to `words`. Reflection: `reflect`, or what
 * fits. */
static void fake_add(struct fake_package *p, const char *name, uint8_t stage, uint32_t id, uint32_t bindings, uint32_t words,
		     const char *reflect)
{
	static const uint32_t model[STAGE_COUNT] = { [STAGE_VERTEX] = SpvExecutionModelVertex,
		[STAGE_FRAGMENT] = SpvExecutionModelFragment, [STAGE_COMPUTE] = SpvExecutionModelGLCompute,
		[STAGE_GEOMETRY] = SpvExecutionModelGeometry };
	static const char *const names[STAGE_COUNT] = { [STAGE_VERTEX] = "vertex", [STAGE_FRAGMENT] = "fragment",
		[STAGE_COMPUTE] = "compute", [STAGE_GEOMETRY] = "geometry" };
	uint32_t *start = calloc(FAKE_WORDS, 4), *w = start;
	char text[4096];
	int at = snprintf(text, sizeof(text), "{\"stage\":\"%s\"%s,\"subgroup\":0,\"shared\":0,\"bindings\":[", names[stage],
			  stage == STAGE_COMPUTE ? ",\"workgroup\":[8,8,1]" : "");
	struct xlp_program *o = &p->program[p->n++];
	const uint32_t head[5] = { SpvMagicNumber, 0x10600, id, 100, 0 };

	memcpy(w, head, sizeof(head));
	w = PUT(w + 5, Capability, SpvCapabilityShader);
	w = PUT(w, MemoryModel, 0, 1);
	w = PUT(w, EntryPoint, model[stage], 1, 0x6e69616d, 0);
	if (stage == STAGE_COMPUTE)
		w = PUT(w, ExecutionMode, 1, SpvExecutionModeLocalSize, 8, 8, 1);
	for (uint32_t i = 0; i < bindings; i++) {
		w = PUT(w, Decorate, 10 + i, SpvDecorationDescriptorSet, 0);
		w = PUT(w, Decorate, 10 + i, SpvDecorationBinding, i);
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s{\"set\":0,\"binding\":%u,\"type\":\"storage_buffer\",\"count\":1}",
			       i ? "," : "", i);
	}
	if (p->layers && stage == STAGE_VERTEX)
		w = PUT(w, Decorate, 9, SpvDecorationBuiltIn, SpvBuiltInLayer);
	if (p->clips[stage])
		w = PUT(w, Decorate, 8, SpvDecorationBuiltIn, SpvBuiltInClipDistance);
	if (stage == STAGE_GEOMETRY)
		w = PUT(w, ExecutionMode, 1, SpvExecutionModeTriangles);
	if (p->captures && stage == STAGE_VERTEX)
		w = PUT(w, ExecutionMode, 1, SpvExecutionModeXfb);
	w = PUT(w, Function, 2, 1, 0, 3);
	at += snprintf(text + at, sizeof(text) - (size_t)at, p->clips[stage] ? "],\"clip\":%u" : "]", p->clips[stage]);
	if (p->handed[stage])
		at += snprintf(text + at, sizeof(text) - (size_t)at, ",\"layer\":%u", p->handed[stage]);
	snprintf(text + at, sizeof(text) - (size_t)at, ",\"inputs\":[%s],\"outputs\":[%s],\"capabilities\":[1]}",
		 stage == STAGE_VERTEX ? "{\"location\":0,\"component\":0,\"components\":4,\"type\":\"f32\"}" : "",
		 stage == STAGE_FRAGMENT ? "{\"location\":0,\"component\":0,\"components\":4,\"type\":\"f32\"}" : "");
	o->name = strdup(name);
	o->cpu = "gfx1030";
	o->stage = stage;
	o->wave = 32;
	o->key.b[0] = (uint8_t)id;
	o->key.b[1] = (uint8_t)(id >> 8);
	o->key.b[2] = stage;
	o->words = start;
	o->nwords = (uint32_t)(w - start) > words ? (uint32_t)(w - start) : words;
	o->reflection = strdup(reflect ? reflect : text);
}

/* The program that was added last becomes the stage that goes with the one before. */
static inline void fake_join(struct fake_package *p, struct arena *a)
{
	struct xlp_packer *packer = xlp_packer_new();
	struct xlp_program *g = &p->program[--p->n], *o = g - 1;

	if (xlp_frame(packer, XLP_MODULE, g->words, (size_t)g->nwords * 4, a, &o->generated) ||
	    xlp_frame(packer, XLP_TEXT, g->reflection, strlen(g->reflection) + 1, a, &o->generated_text))
		abort();
	xlp_packer_free(packer);
	free((void *)(uintptr_t)g->name);
	free((void *)(uintptr_t)g->words);
	free((void *)(uintptr_t)g->reflection);
	memset(g, 0, sizeof(*g));
}

static void fake_encode(struct fake_package *p)
{
	char own[64];
	struct xlp_stamp stamp = { p->translator ? p->translator : own, "", "fake",
		p->needs ? p->needs : "capability 1\nspirv 1.6\n" };
	const char *clash;

	snprintf(own, sizeof(own), "xlate %s+0123", xl_load_version());
	if (xlp_encode(p->program, p->n, &stamp, &p->bytes, &clash))
		abort();
}

static void fake_drop(struct fake_package *p)
{
	for (uint32_t i = 0; i < p->n; i++) {
		free((void *)(uintptr_t)p->program[i].name);
		free((void *)(uintptr_t)p->program[i].words);
		free((void *)(uintptr_t)p->program[i].reflection);
	}
	buf_free(&p->bytes);
	memset(p, 0, sizeof(*p));
}

/* Milliseconds that a test waits for what must come: only a hang takes as long, on however busy a machine. A test program that hangs
 * elsewhere has ALARM seconds. */
enum { FOREVER = 300000, ALARM = 900 };

static inline void fake_sleep(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

/* What the loader is to be opened with; `features` is to be freed. */
static struct xl_load_info fake_info(const struct fake_package *p, VkDeviceCreateInfo *created, struct xl_load_features **features)
{
	static int instance, physical, device;
	struct xl_load_info info = { .size = sizeof(info), .bytes = p->bytes.v, .nbytes = p->bytes.n,
		.instance = (VkInstance)(void *)&instance, .physical_device = (VkPhysicalDevice)(void *)&physical,
		.device = (VkDevice)(void *)&device, .created = created, .proc = (PFN_vkGetInstanceProcAddr)fake_proc,
		.threads = 2, .flags = XL_LOAD_NORMAL_PRIORITY };

	*features = xl_load_features_new(info.instance, info.physical_device, info.proc);
	*created = (VkDeviceCreateInfo){ .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = (*features)->chain,
		.enabledExtensionCount = (*features)->nextension, .ppEnabledExtensionNames = (*features)->extension };
	return info;
}

/* ---- a host */
static unsigned passed, failed;
#define CHECK(cond) ((cond) ? (void)passed++ : (failed++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

struct host {
	struct fake_package p;
	VkDeviceCreateInfo created;
	struct xl_load_features *features;
	struct xl_load_info info;
	struct xl_loader *l;
	enum xl_load_status status;
	_Atomic unsigned errors, notes, progress;
	char last[512];
	enum xl_load_code code;
};

static void on_message(void *user, const struct xl_load_message *m)
{
	struct host *h = user;

	h->errors += m->error != 0;
	h->notes += !m->error;
	if (m->code) {
		snprintf(h->last, sizeof(h->last), "%s: %s", m->subject ? m->subject : "", m->text);
		h->code = m->code;
	}
}

/* Programs are in `p`. */
static void begin(struct host *h)
{
	fake.ncall = 0;
	fake.hook = NULL;
	fake_encode(&h->p);
	h->info = fake_info(&h->p, &h->created, &h->features);
	h->info.message = on_message;
	h->info.user = h;
}

static inline void start(struct host *h)
{
	h->l = xl_load_open(&h->info, &h->status);
}

static inline void end(struct host *h)
{
	xl_load_close(h->l);
	xl_load_features_free(h->features);
	fake_drop(&h->p);
	CHECK(fake.live == 0);
	memset(h, 0, sizeof(*h));
}

static inline void add_computes(struct host *h, uint32_t n, uint32_t words)
{
	for (uint32_t i = 0; i < n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "c%03u.comp", i);
		fake_add(&h->p, name, STAGE_COMPUTE, 100 + i, 1 + i % 3, words, NULL);
	}
}

#endif
