/* frames.c - a host that draws with translated programs and never waits for one.
 *
 *	frames PACKAGE [PICTURE.ppm]
 *
 * The package has two pipelines that need nothing but push constants, "julia" and "disc" (corpus/). Each frame asks for both;
 * one that is not ready is left out of that frame. Nothing here waits for the loader: the frames go on whatever the driver
 * does with the pipelines. Built against the installed library:
 *
 *	cc frames.c $(pkg-config --cflags --libs --static libxlate_load) -o frames
 */
#define VK_NO_PROTOTYPES
#include <xlate_load.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 64, FRAMES = 2000, LAYERS = 2 };
#define FUNCTIONS(F) \
	F(vkAllocateCommandBuffers) F(vkAllocateMemory) F(vkBeginCommandBuffer) F(vkBindBufferMemory) F(vkBindImageMemory) \
	F(vkCmdBeginRenderPass) F(vkCmdBindPipeline) F(vkCmdCopyImageToBuffer) F(vkCmdDraw) F(vkCmdEndRenderPass) \
	F(vkCmdPushConstants) F(vkCreateBuffer) F(vkCreateCommandPool) F(vkCreateFence) F(vkCreateFramebuffer) F(vkCreateImage) \
	F(vkCreateImageView) F(vkCreateRenderPass) F(vkDestroyBuffer) F(vkDestroyCommandPool) F(vkDestroyFence) \
	F(vkDestroyFramebuffer) F(vkDestroyImage) F(vkDestroyImageView) F(vkDestroyRenderPass) F(vkEndCommandBuffer) F(vkFreeMemory) \
	F(vkGetBufferMemoryRequirements) F(vkGetDeviceQueue) F(vkGetImageMemoryRequirements) \
	F(vkGetPhysicalDeviceMemoryProperties) F(vkMapMemory) F(vkQueueSubmit) F(vkResetFences) F(vkWaitForFences)

struct app {
#define F(name) PFN_##name name;
	FUNCTIONS(F)
#undef F
	struct xl_load_device *d;
	VkDevice dev;
	VkQueue queue;
	VkImage image;
	VkImageView view;
	VkBuffer buffer;
	VkDeviceMemory memory[2];
	VkRenderPass pass;
	VkFramebuffer frame;
	VkCommandPool pool;
	VkCommandBuffer cmd;
	VkFence fence;
	uint8_t *pixels;
};

static void check(VkResult r, const char *what)
{
	if (r >= 0)
		return;
	fprintf(stderr, "frames: %s: VkResult %d\n", what, (int)r);
	exit(1);
}
#define VK(a, f, ...) check((a)->f(__VA_ARGS__), #f)

/* ---- the host's own things: a picture to draw into, and a buffer to look at it */
static VkDeviceMemory allocate(struct app *a, const VkMemoryRequirements *need, VkMemoryPropertyFlags flags)
{
	VkMemoryAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need->size };
	VkPhysicalDeviceMemoryProperties p;
	VkDeviceMemory m;

	a->vkGetPhysicalDeviceMemoryProperties(a->d->physical_device, &p);
	while (!(need->memoryTypeBits >> ai.memoryTypeIndex & 1) ||
	       (p.memoryTypes[ai.memoryTypeIndex].propertyFlags & flags) != flags) {
		if (++ai.memoryTypeIndex == p.memoryTypeCount)
			check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "no memory of that kind");
	}
	VK(a, vkAllocateMemory, a->dev, &ai, NULL, &m);
	return m;
}

static void make_picture(struct app *a)
{
	VkImageCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { SIZE, SIZE, 1 }, .mipLevels = 1, .arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	VkImageViewCreateInfo vi = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = ci.format, .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	VkBufferCreateInfo bi = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = SIZE * SIZE * 4,
		.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT };
	VkAttachmentDescription at = { 0, ci.format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE,
		VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
		VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL };
	VkAttachmentReference ref = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	VkSubpassDescription sub = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1,
		.pColorAttachments = &ref };
	VkSubpassDependency to_copy = { 0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
		VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0 };
	VkRenderPassCreateInfo pi = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1, .pAttachments = &at,
		.subpassCount = 1, .pSubpasses = &sub, .dependencyCount = 1, .pDependencies = &to_copy };
	VkFramebufferCreateInfo fi = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .attachmentCount = 1, .width = SIZE,
		.height = SIZE, .layers = 1 };
	VkMemoryRequirements need;

	VK(a, vkCreateImage, a->dev, &ci, NULL, &a->image);
	a->vkGetImageMemoryRequirements(a->dev, a->image, &need);
	a->memory[0] = allocate(a, &need, 0);
	VK(a, vkBindImageMemory, a->dev, a->image, a->memory[0], 0);
	vi.image = a->image;
	VK(a, vkCreateImageView, a->dev, &vi, NULL, &a->view);
	VK(a, vkCreateBuffer, a->dev, &bi, NULL, &a->buffer);
	a->vkGetBufferMemoryRequirements(a->dev, a->buffer, &need);
	a->memory[1] = allocate(a, &need, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	VK(a, vkBindBufferMemory, a->dev, a->buffer, a->memory[1], 0);
	VK(a, vkMapMemory, a->dev, a->memory[1], 0, VK_WHOLE_SIZE, 0, (void **)&a->pixels);
	VK(a, vkCreateRenderPass, a->dev, &pi, NULL, &a->pass);
	fi.renderPass = a->pass;
	fi.pAttachments = &a->view;
	VK(a, vkCreateFramebuffer, a->dev, &fi, NULL, &a->frame);
}

static void make_commands(struct app *a)
{
	VkCommandPoolCreateInfo pi = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, .queueFamilyIndex = a->d->queue_family };
	VkCommandBufferAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1 };
	VkFenceCreateInfo fi = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };

	a->vkGetDeviceQueue(a->dev, a->d->queue_family, 0, &a->queue);
	VK(a, vkCreateCommandPool, a->dev, &pi, NULL, &a->pool);
	ai.commandPool = a->pool;
	VK(a, vkAllocateCommandBuffers, a->dev, &ai, &a->cmd);
	VK(a, vkCreateFence, a->dev, &fi, NULL, &a->fence);
}

static void open_device(struct app *a)
{
	char why[256];

	a->d = xl_load_device_open(NULL, NULL, why, sizeof(why));
	if (!a->d) {
		fprintf(stderr, "frames: %s\n", why);
		exit(77);
	}
	a->dev = a->d->device;
#define F(name) a->name = (PFN_##name)a->d->proc(a->d->instance, #name);
	FUNCTIONS(F)
#undef F
	make_picture(a);
	make_commands(a);
}

static void close_device(struct app *a)
{
	a->vkDestroyFence(a->dev, a->fence, NULL);
	a->vkDestroyCommandPool(a->dev, a->pool, NULL);
	a->vkDestroyFramebuffer(a->dev, a->frame, NULL);
	a->vkDestroyRenderPass(a->dev, a->pass, NULL);
	a->vkDestroyImageView(a->dev, a->view, NULL);
	a->vkDestroyImage(a->dev, a->image, NULL);
	a->vkDestroyBuffer(a->dev, a->buffer, NULL);
	a->vkFreeMemory(a->dev, a->memory[0], NULL);
	a->vkFreeMemory(a->dev, a->memory[1], NULL);
	xl_load_device_close(a->d);
}

/* ---- the loader */
static void on_message(void *user, const struct xl_load_message *m)
{
	(void)user;
	fprintf(stderr, "frames: %s%s%s\n", m->subject ? m->subject : "", m->subject ? ": " : "", m->text);
}

static struct xl_loader *open_loader(const struct app *a, const char *package)
{
	struct xl_load_info info = { .size = sizeof(info), .package = package, .instance = a->d->instance,
		.physical_device = a->d->physical_device, .device = a->dev, .created = a->d->created, .proc = a->d->proc,
		.message = on_message };
	enum xl_load_status status;
	struct xl_loader *l = xl_load_open(&info, &status);

	if (!l)
		exit((int)status);
	return l;
}

/* The package's pipeline of that name, for a host that draws triangles without buffers. The state is copied by the loader. */
static uint32_t declare(const struct app *a, struct xl_loader *l, const char *name)
{
	VkPipelineVertexInputStateCreateInfo vi = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO };
	VkPipelineInputAssemblyStateCreateInfo ia = { .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST };
	VkViewport view = { 0, 0, SIZE, SIZE, 0, 1 };
	VkRect2D all = { { 0, 0 }, { SIZE, SIZE } };
	VkPipelineViewportStateCreateInfo vp = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1,
		.pViewports = &view, .scissorCount = 1, .pScissors = &all };
	VkPipelineRasterizationStateCreateInfo rs = { .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.lineWidth = 1 };
	VkPipelineMultisampleStateCreateInfo ms = { .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT };
	VkPipelineColorBlendAttachmentState write = { .colorWriteMask = 15 };
	VkPipelineColorBlendStateCreateInfo cb = { .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1, .pAttachments = &write };
	VkGraphicsPipelineCreateInfo state = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pVertexInputState = &vi,
		.pInputAssemblyState = &ia, .pViewportState = &vp, .pRasterizationState = &rs, .pMultisampleState = &ms,
		.pColorBlendState = &cb, .renderPass = a->pass };

	return xl_load_named(l, name, &state);
}

/* ---- frames */
struct layer { const char *name; uint32_t id; float push[4]; uint32_t bytes; };

/* Draws the layers that are ready; how many those are. *best: all of them optimised. */
static int draw(struct app *a, struct xl_loader *l, const struct layer *layer, int *best, int *failed)
{
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkClearValue clear = { .color = { .float32 = { 0, 0, 0, 0 } } };
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = a->pass,
		.framebuffer = a->frame, .renderArea = { { 0, 0 }, { SIZE, SIZE } }, .clearValueCount = 1, .pClearValues = &clear };
	VkBufferImageCopy copy = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .imageExtent = { SIZE, SIZE, 1 } };
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &a->cmd };
	int drawn = 0;

	*best = 1;
	VK(a, vkBeginCommandBuffer, a->cmd, &begin);
	a->vkCmdBeginRenderPass(a->cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
	for (int i = 0; i < LAYERS; i++) {
		struct xl_load_pipeline p;
		enum xl_load_state s = xl_load_get(l, layer[i].id, &p);

		*failed += s == XL_LOAD_FAILED;
		*best &= s == XL_LOAD_READY && p.optimised;
		if (s != XL_LOAD_READY)
			continue; /* not in this frame */
		a->vkCmdBindPipeline(a->cmd, p.bind_point, p.pipeline);
		a->vkCmdPushConstants(a->cmd, p.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, layer[i].bytes, layer[i].push);
		a->vkCmdDraw(a->cmd, 6, 1, 0, 0);
		drawn++;
	}
	a->vkCmdEndRenderPass(a->cmd);
	a->vkCmdCopyImageToBuffer(a->cmd, a->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, a->buffer, 1, &copy);
	VK(a, vkEndCommandBuffer, a->cmd);
	VK(a, vkQueueSubmit, a->queue, 1, &submit, a->fence);
	VK(a, vkWaitForFences, a->dev, 1, &a->fence, VK_TRUE, UINT64_MAX);
	VK(a, vkResetFences, a->dev, 1, &a->fence);
	return drawn;
}

static int write_picture(const struct app *a, const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f)
		return 1;
	fprintf(f, "P6\n%d %d\n255\n", SIZE, SIZE);
	for (int i = 0; i < SIZE * SIZE; i++)
		fwrite(a->pixels + 4 * i, 1, 3, f);
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	static struct app a;
	struct layer layer[LAYERS] = { { "julia", 0, { 6.0f, -9.0f, 0, 0 }, 8 }, { "disc", 0, { 0.5f, 0.25f, 0.75f, 0.0f }, 16 } };
	struct xl_loader *l;
	int best = 0, failed = 0, frame = 0, last = -1, rc;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: frames PACKAGE [PICTURE.ppm]\n");
		return 2;
	}
	open_device(&a);
	l = open_loader(&a, argv[1]);
	for (int i = 0; i < LAYERS; i++)
		layer[i].id = declare(&a, l, layer[i].name);
	for (; frame < FRAMES && !best && !failed; frame++) {
		int drawn = draw(&a, l, layer, &best, &failed);

		if (drawn != last)
			printf("frame %d: %d of %d drawn\n", frame, drawn, LAYERS);
		last = drawn;
		nanosleep(&(struct timespec){ 0, 4000000 }, NULL); /* the rest of a frame */
	}
	printf("after %d frames: %s\n", frame, best ? "all drawn, optimised" : "not all drawn");
	rc = !best || (argc > 2 && write_picture(&a, argv[2]));
	xl_load_close(l);
	close_device(&a);
	return rc;
}
