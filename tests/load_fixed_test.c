/* load_fixed_test.c - pipelines whose host gives no state are drawn with on lavapipe: what the record said of rasterizer, tests and
 * blending is what comes out. The programs are corpus/src/disc.*; each picture is computed here from what the sources and the Vulkan
 * specification say, at the middle of each pixel, over a clear colour and a depth of 0.5. */
#define _POSIX_C_SOURCE 200809L
#define VK_NO_PROTOTYPES
#include "../libxlate/xlate_int.h"
#include "../libxlate/xlate_load.h"

#include <math.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE = 16, STENCIL = 3 /* what it is cleared to */ };
static const float clear_color[4] = { 0.125f, 0.5f, 0.25f, 1.0f }, tint[4] = { 0.5f, 0.25f, 0.75f, 0.0f };
static unsigned passed, failed;

#define FUNCTIONS(F) \
	F(vkAllocateCommandBuffers) F(vkAllocateMemory) F(vkBeginCommandBuffer) F(vkBindBufferMemory) F(vkBindImageMemory) \
	F(vkCmdBeginRenderPass) F(vkCmdBindPipeline) F(vkCmdCopyImageToBuffer) F(vkCmdDraw) F(vkCmdEndRenderPass) \
	F(vkCmdPushConstants) F(vkCmdSetBlendConstants) F(vkCmdSetCullMode) F(vkCmdSetScissor) F(vkCmdSetStencilReference) \
	F(vkCmdSetViewport) F(vkCreateBuffer) F(vkCreateCommandPool) F(vkCreateFramebuffer) F(vkCreateImage) F(vkCreateImageView) \
	F(vkCreateRenderPass) F(vkDestroyBuffer) F(vkDestroyCommandPool) F(vkDestroyFramebuffer) F(vkDestroyImage) \
	F(vkDestroyImageView) F(vkDestroyRenderPass) F(vkEndCommandBuffer) F(vkFreeMemory) F(vkGetBufferMemoryRequirements) \
	F(vkGetDeviceQueue) F(vkGetImageMemoryRequirements) F(vkGetPhysicalDeviceMemoryProperties) F(vkMapMemory) F(vkQueueSubmit) \
	F(vkQueueWaitIdle)

struct app {
#define F(name) PFN_##name name;
	FUNCTIONS(F)
#undef F
	struct xl_load_device *d;
	VkDevice dev;
	VkQueue queue;
	VkImage image[2]; /* colour, depth and stencil */
	VkImageView view[2];
	VkBuffer buffer;
	VkDeviceMemory memory[3];
	VkRenderPass pass;
	VkFramebuffer frame;
	VkCommandPool pool;
	VkCommandBuffer cmd;
	const float *pixels;
};

static void must(VkResult r, const char *what)
{
	if (r >= 0)
		return;
	printf("%s: VkResult %d\n", what, (int)r);
	exit(1);
}
#define VK(a, f, ...) must((a)->f(__VA_ARGS__), #f)

/* ---- the host: a picture with depth and stencil, and a buffer to look at it */
static VkDeviceMemory allocate(struct app *a, const VkMemoryRequirements *need, VkMemoryPropertyFlags flags)
{
	VkMemoryAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need->size };
	VkPhysicalDeviceMemoryProperties p;
	VkDeviceMemory m;

	a->vkGetPhysicalDeviceMemoryProperties(a->d->physical_device, &p);
	while (!(need->memoryTypeBits >> ai.memoryTypeIndex & 1) ||
	       (p.memoryTypes[ai.memoryTypeIndex].propertyFlags & flags) != flags) {
		if (++ai.memoryTypeIndex == p.memoryTypeCount)
			must(VK_ERROR_OUT_OF_DEVICE_MEMORY, "no memory of that kind");
	}
	VK(a, vkAllocateMemory, a->dev, &ai, NULL, &m);
	return m;
}

static void make_image(struct app *a, unsigned i, VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect)
{
	VkImageCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = format,
		.extent = { SIZE, SIZE, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT, .usage = usage };
	VkImageViewCreateInfo vi = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = format, .subresourceRange = { aspect, 0, 1, 0, 1 } };
	VkMemoryRequirements need;

	VK(a, vkCreateImage, a->dev, &ci, NULL, &a->image[i]);
	a->vkGetImageMemoryRequirements(a->dev, a->image[i], &need);
	a->memory[i] = allocate(a, &need, 0);
	VK(a, vkBindImageMemory, a->dev, a->image[i], a->memory[i], 0);
	vi.image = a->image[i];
	VK(a, vkCreateImageView, a->dev, &vi, NULL, &a->view[i]);
}

static void make_pass(struct app *a)
{
	VkAttachmentDescription at[2] = {
		{ 0, VK_FORMAT_R32G32B32A32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE,
		  VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
		  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
		{ 0, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_DONT_CARE,
		  VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
		  VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL } };
	VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	VkAttachmentReference depth = { 1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
	VkSubpassDescription sub = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1,
		.pColorAttachments = &color, .pDepthStencilAttachment = &depth };
	VkSubpassDependency to_copy = { 0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
		VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0 };
	VkRenderPassCreateInfo pi = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 2, .pAttachments = at,
		.subpassCount = 1, .pSubpasses = &sub, .dependencyCount = 1, .pDependencies = &to_copy };
	VkFramebufferCreateInfo fi = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .attachmentCount = 2, .pAttachments = a->view,
		.width = SIZE, .height = SIZE, .layers = 1 };

	VK(a, vkCreateRenderPass, a->dev, &pi, NULL, &a->pass);
	fi.renderPass = a->pass;
	VK(a, vkCreateFramebuffer, a->dev, &fi, NULL, &a->frame);
}

static void make_all(struct app *a)
{
	VkBufferCreateInfo bi = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = SIZE * SIZE * 16,
		.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT };
	VkCommandPoolCreateInfo pi = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, .queueFamilyIndex = a->d->queue_family };
	VkCommandBufferAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1 };
	VkMemoryRequirements need;
	void *map;

	make_image(a, 0, VK_FORMAT_R32G32B32A32_SFLOAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
		   VK_IMAGE_ASPECT_COLOR_BIT);
	make_image(a, 1, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
		   VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
	make_pass(a);
	VK(a, vkCreateBuffer, a->dev, &bi, NULL, &a->buffer);
	a->vkGetBufferMemoryRequirements(a->dev, a->buffer, &need);
	a->memory[2] = allocate(a, &need, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	VK(a, vkBindBufferMemory, a->dev, a->buffer, a->memory[2], 0);
	VK(a, vkMapMemory, a->dev, a->memory[2], 0, VK_WHOLE_SIZE, 0, &map);
	a->pixels = map;
	a->vkGetDeviceQueue(a->dev, a->d->queue_family, 0, &a->queue);
	VK(a, vkCreateCommandPool, a->dev, &pi, NULL, &a->pool);
	ai.commandPool = a->pool;
	VK(a, vkAllocateCommandBuffers, a->dev, &ai, &a->cmd);
}

static void free_all(struct app *a)
{
	a->vkDestroyCommandPool(a->dev, a->pool, NULL);
	a->vkDestroyFramebuffer(a->dev, a->frame, NULL);
	a->vkDestroyRenderPass(a->dev, a->pass, NULL);
	a->vkDestroyBuffer(a->dev, a->buffer, NULL);
	for (unsigned i = 0; i < 2; i++) {
		a->vkDestroyImageView(a->dev, a->view[i], NULL);
		a->vkDestroyImage(a->dev, a->image[i], NULL);
	}
	for (unsigned i = 0; i < 3; i++)
		a->vkFreeMemory(a->dev, a->memory[i], NULL);
	xl_load_device_close(a->d);
}

/* ---- cases: what the record says more, what the host sets while drawing, and what a covered pixel of colour `s` becomes */
struct test {
	const char *name;
	void (*say)(struct xl_pipeline_record *);
	void (*set)(struct app *);
	bool (*pixel)(const float s[4], float d[4]); /* d: the clear colour at first; false: nothing is drawn */
};
#define KNOW(field, value) r->field = (struct rec_fact){ .known = REC_KNOWN, .v = (value) }
#define SAY(name) static void say_##name(struct xl_pipeline_record *r)
#define PIXEL(name) static bool pixel_##name(const float s[4], float d[4])

static uint64_t bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof(v));
	return v;
}

/* Lives as long as the test: one at a time. */
static void say_list(struct xl_pipeline_record *r, struct rec_blend b)
{
	static struct rec_blend one;

	one = b;
	r->blends.v = &one;
	r->blends.n = 1;
	r->blends.known = REC_KNOWN;
}

static void say_dynamic(struct xl_pipeline_record *r, uint32_t state)
{
	static struct rec_dynamic one;

	one.state = state;
	r->dynamics.v = &one;
	r->dynamics.n = 1;
	r->dynamics.known = REC_KNOWN;
}

PIXEL(source)
{
	memcpy(d, s, 4 * sizeof(*d));
	return true;
}
PIXEL(nothing)
{
	(void)s, (void)d;
	return false;
}
/* A device without the test: the state is left out. */
static bool has_bounds;
PIXEL(bounds)
{
	return !has_bounds && pixel_source(s, d);
}

SAY(nothing)
{
	(void)r;
}

SAY(add)
{
	say_list(r, (struct rec_blend){ 0, 1, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
		VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, 15 });
}
PIXEL(add)
{
	for (unsigned i = 0; i < 3; i++)
		d[i] += s[i];
	d[3] = s[3];
	return true;
}

SAY(mask)
{
	say_list(r, (struct rec_blend){ 0, 0, 0, 0, 0, 0, 0, 0, VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT });
}
PIXEL(mask)
{
	d[0] = s[0];
	d[2] = s[2];
	return true;
}

SAY(constants)
{
	say_list(r, (struct rec_blend){ 0, 1, VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
		VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_FACTOR_CONSTANT_ALPHA, VK_BLEND_FACTOR_DST_ALPHA, VK_BLEND_OP_MAX, 15 });
	KNOW(blend_red, bits(0.25f));
	KNOW(blend_green, bits(0.5f));
	KNOW(blend_blue, bits(0.75f));
	KNOW(blend_alpha, bits(0.125f));
}
static const float constant[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
PIXEL(constants)
{
	for (unsigned i = 0; i < 3; i++)
		d[i] = d[i] * (1 - constant[i]) - s[i] * constant[i];
	d[3] = s[3] > d[3] ? s[3] : d[3]; /* no factors with the largest */
	return true;
}

/* The constants of the record are not those that are set while drawing. */
SAY(dynamic_constants)
{
	say_constants(r);
	KNOW(blend_red, bits(0.0f));
	KNOW(blend_blue, bits(1.0f));
	say_dynamic(r, VK_DYNAMIC_STATE_BLEND_CONSTANTS);
}
static void set_constants(struct app *a)
{
	a->vkCmdSetBlendConstants(a->cmd, constant);
}

/* The disc is at depth 0, the buffer at 0.5. */
SAY(less)
{
	KNOW(depth_test, 1);
	KNOW(depth_writes, 1);
	KNOW(depth_compare, VK_COMPARE_OP_LESS);
}
SAY(greater)
{
	say_less(r);
	KNOW(depth_compare, VK_COMPARE_OP_GREATER);
}
SAY(bounds)
{
	KNOW(depth_bounds, 1);
	KNOW(depth_bounds_min, bits(0.625f));
	KNOW(depth_bounds_max, bits(1.0f));
}

/* Vulkan's area of a triangle, negative for (0,0), (1,0), (0,1) in pixels with y downwards: clockwise as one sees it. */
SAY(cull_clockwise)
{
	KNOW(cull_mode, VK_CULL_MODE_BACK_BIT);
	KNOW(front_face, VK_FRONT_FACE_COUNTER_CLOCKWISE);
}
SAY(keep_clockwise)
{
	KNOW(cull_mode, VK_CULL_MODE_BACK_BIT);
	KNOW(front_face, VK_FRONT_FACE_CLOCKWISE);
}

SAY(stencil)
{
	KNOW(stencil_test, 1);
	KNOW(front_compare, VK_COMPARE_OP_EQUAL);
	KNOW(front_compare_mask, 255);
	KNOW(front_reference, STENCIL);
	KNOW(back_compare, VK_COMPARE_OP_EQUAL);
	KNOW(back_compare_mask, 255);
	KNOW(back_reference, STENCIL);
}
SAY(stencil_not)
{
	say_stencil(r);
	KNOW(front_reference, STENCIL + 1);
	KNOW(back_reference, STENCIL + 1);
}
SAY(stencil_dynamic)
{
	say_stencil(r);
	say_dynamic(r, VK_DYNAMIC_STATE_STENCIL_REFERENCE);
}
static void set_reference(struct app *a)
{
	a->vkCmdSetStencilReference(a->cmd, VK_STENCIL_FACE_FRONT_AND_BACK, STENCIL + 1);
}

SAY(discard)
{
	KNOW(rasterizer_discard, 1);
}
SAY(samples)
{
	KNOW(sample_mask, 2);
}
SAY(cull_dynamic)
{
	say_dynamic(r, VK_DYNAMIC_STATE_CULL_MODE);
}
static void set_cull(struct app *a)
{
	a->vkCmdSetCullMode(a->cmd, VK_CULL_MODE_FRONT_AND_BACK);
}

static const struct test tests[] = {
	{ "nothing", say_nothing, NULL, pixel_source },
	{ "blend-add", say_add, NULL, pixel_add },
	{ "write-mask", say_mask, NULL, pixel_mask },
	{ "blend-constants", say_constants, NULL, pixel_constants },
	{ "dynamic-constants", say_dynamic_constants, set_constants, pixel_constants },
	{ "depth-less", say_less, NULL, pixel_source },
	{ "depth-greater", say_greater, NULL, pixel_nothing },
	{ "depth-bounds", say_bounds, NULL, pixel_bounds },
	{ "cull-clockwise", say_cull_clockwise, NULL, pixel_nothing },
	{ "keep-clockwise", say_keep_clockwise, NULL, pixel_source },
	{ "stencil", say_stencil, NULL, pixel_source },
	{ "stencil-not", say_stencil_not, NULL, pixel_nothing },
	{ "dynamic-stencil", say_stencil_dynamic, set_reference, pixel_nothing },
	{ "rasterizer-discard", say_discard, NULL, pixel_nothing },
	{ "sample-mask", say_samples, NULL, pixel_nothing },
	{ "dynamic-cull", say_cull_dynamic, set_cull, pixel_nothing },
};

/* ---- one case */
static bool write_package(const struct test *t, const char *path)
{
	static const struct xl_options none;
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xl_record *record = xl_record_import("corpus/navi21/disc.json", NULL, NULL);
	struct xl_package_writer *w = target ? xl_package_writer_new(target, &none) : NULL;
	struct xl_pipeline_record *r = record ? (struct xl_pipeline_record *)(uintptr_t)record->pipeline : NULL;
	bool fine = c && r && w;

	if (fine) {
		KNOW(topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
		KNOW(samples, 1);
		KNOW(depth_format, VK_FORMAT_D32_SFLOAT_S8_UINT);
		t->say(r);
	}
	for (uint32_t i = 0; fine && i < xl_record_programs(record); i++) {
		const struct xl_translation *made = xl_translate(c, record, i, &none);

		fine = made->words && !xl_package_add(w, record, i, made);
	}
	fine = fine && !xl_package_write(w, path, NULL);
	xl_package_writer_free(w);
	xl_record_free(record);
	xl_context_free(c);
	xl_target_free(target);
	return fine;
}

static void draw(struct app *a, const struct xl_load_pipeline *p, void (*set)(struct app *))
{
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkClearValue clear[2] = { { .color = { .float32 = { 0 } } }, { .depthStencil = { 0.5f, STENCIL } } };
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = a->pass,
		.framebuffer = a->frame, .renderArea = { { 0, 0 }, { SIZE, SIZE } }, .clearValueCount = 2, .pClearValues = clear };
	VkBufferImageCopy copy = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .imageExtent = { SIZE, SIZE, 1 } };
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &a->cmd };
	VkViewport view = { 0, 0, SIZE, SIZE, 0, 1 };
	VkRect2D all = { { 0, 0 }, { SIZE, SIZE } };

	memcpy(clear[0].color.float32, clear_color, sizeof(clear_color));
	VK(a, vkBeginCommandBuffer, a->cmd, &begin);
	a->vkCmdBeginRenderPass(a->cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
	a->vkCmdBindPipeline(a->cmd, p->bind_point, p->pipeline);
	a->vkCmdSetViewport(a->cmd, 0, 1, &view);
	a->vkCmdSetScissor(a->cmd, 0, 1, &all);
	if (set)
		set(a);
	a->vkCmdPushConstants(a->cmd, p->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(tint), tint);
	a->vkCmdDraw(a->cmd, 6, 1, 0, 0);
	a->vkCmdEndRenderPass(a->cmd);
	a->vkCmdCopyImageToBuffer(a->cmd, a->image[0], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, a->buffer, 1, &copy);
	VK(a, vkEndCommandBuffer, a->cmd);
	VK(a, vkQueueSubmit, a->queue, 1, &submit, VK_NULL_HANDLE);
	VK(a, vkQueueWaitIdle, a->queue);
}

/* How many pixels are not what they should be. */
static unsigned wrong(const struct app *a, const struct test *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SIZE * SIZE; i++) {
		float x = 2 * ((float)(i % SIZE) + 0.5f) / SIZE - 1, y = 2 * ((float)(i / SIZE) + 0.5f) / SIZE - 1, r = x * x + y * y;
		float s[4] = { tint[0] * (1 - r) + x, tint[1] * (1 - r) + y, tint[2] * (1 - r) + r, tint[3] * (1 - r) + 1 }, d[4];
		bool bad = false;

		memcpy(d, clear_color, sizeof(d));
		if (r <= 0.81f && !t->pixel(s, d))
			memcpy(d, clear_color, sizeof(d));
		for (unsigned k = 0; k < 4; k++)
			bad |= !(fabsf(d[k] - a->pixels[4 * i + k]) < 1e-5f);
		n += bad;
	}
	return n;
}

static void on_message(void *user, const struct xl_load_message *m)
{
	(void)user;
	printf("  %s%s%s\n", m->subject ? m->subject : "", m->subject ? ": " : "", m->text);
}

static void run(struct app *a, const struct test *t, const char *path)
{
	struct xl_load_info info = { .size = sizeof(info), .package = path, .instance = a->d->instance,
		.physical_device = a->d->physical_device, .device = a->dev, .created = a->d->created, .proc = a->d->proc,
		.message = on_message };
	enum xl_load_status status = XL_LOAD_OK;
	struct xl_loader *l = write_package(t, path) ? xl_load_open(&info, &status) : NULL;
	uint32_t id = l ? xl_load_named(l, "disc", NULL) : XL_LOAD_NONE;
	struct xl_load_pipeline p;
	unsigned bad = SIZE * SIZE;

	if (id != XL_LOAD_NONE && !xl_load_prefetch(l, &id, 1, 0) && xl_load_wait(l, 60000) && xl_load_get(l, id, &p) == XL_LOAD_READY) {
		draw(a, &p, t->set);
		bad = wrong(a, t);
	}
	passed += !bad;
	failed += bad != 0;
	if (bad)
		printf("%s: %u of %u pixels are wrong\n", t->name, bad, SIZE * SIZE);
	xl_load_close(l);
}

int main(void)
{
	static struct app a;
	const char *dir = getenv("TMPDIR");
	char why[256], path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/load_fixed.%ld", dir ? dir : "/tmp", (long)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

	a.d = xl_load_device_open("llvmpipe", NULL, why, sizeof(why));
	if (!a.d || fd < 0) {
		printf("skip: no lavapipe: %s\n", a.d ? "no temporary file" : why);
		return 77;
	}
	a.dev = a.d->device;
#define F(name) a.name = (PFN_##name)a.d->proc(a.d->instance, #name);
	FUNCTIONS(F)
#undef F
	if (!a.vkCmdSetCullMode) {
		printf("skip: no Vulkan 1.3\n");
		return 77;
	}
	has_bounds = ((const VkPhysicalDeviceFeatures2 *)a.d->created->pNext)->features.depthBounds;
	make_all(&a);
	for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		run(&a, &tests[i], path);
	free_all(&a);
	close(fd);
	unlink(path);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
