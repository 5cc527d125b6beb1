/* load_store_test.c - what the loader keeps on disk: a crash is found at the next start, a refusal is remembered, a cache of
 * another driver or package, or a damaged one, never reaches the driver. And what it copies of the host, and live control. */
#include "../cmd/temp.h"
#include "load_fake.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *dir;

static void path_of(const struct host *h, const char *suffix, char *out, size_t cap)
{
	uint64_t hash;
	int at = snprintf(out, cap, "%s/", dir);

	memcpy(&hash, h->p.bytes.v + 24, 8); /* the package's header: XXH3-64 of the header */
	for (unsigned i = 0; i < VK_UUID_SIZE; i++)
		at += snprintf(out + at, cap - (size_t)at, "%02x", fake.uuid);
	snprintf(out + at, cap - (size_t)at, "-%016llx.%s", (unsigned long long)hash, suffix);
}

static long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long)st.st_size;
}

/* Changes a byte; at -1: appends it. */
static void poke(const char *path, long at, int value)
{
	FILE *f = fopen(path, at < 0 ? "ab" : "r+b");

	CHECK(f != NULL);
	if (!f)
		return;
	if (at >= 0)
		fseek(f, at, SEEK_SET);
	fputc(value, f);
	fclose(f);
}

static void run_all(struct host *h)
{
	uint32_t n;

	start(h);
	CHECK(h->l != NULL);
	if (!h->l)
		return;
	xl_load_all(h->l, &n);
	(void)xl_load_prefetch(h->l, NULL, 0, 0);
	CHECK(xl_load_wait(h->l, FOREVER));
}

static void stop(struct host *h)
{
	xl_load_close(h->l);
	h->l = NULL;
}

/* ---- crashes */
static VkResult dies_at_102(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)g;
	if (id == 102)
		kill(getpid(), SIGKILL);
	return VK_SUCCESS;
}

/* Compiles in a process of its own, which the driver takes down. */
static void crash(struct host *h)
{
	pid_t pid;
	int status = 0;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		fake.hook = dies_at_102;
		run_all(h);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
}

static void crash_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	struct xl_load_report r;
	char path[256];

	add_computes(&h, 6, 0);
	begin(&h);
	h.info.state_dir = dir;
	h.info.threads = 1;
	crash(&h);
	path_of(&h, "journal", path, sizeof(path));
	CHECK(size_of(path) > 16);
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(c.quarantined == 1 && c.failed == 1 && c.ready == 5 && fake.ncall == 5);
	CHECK(xl_load_report(h.l, 2, &r) && r.state == XL_LOAD_FAILED && r.code == XL_LOAD_QUARANTINE && r.quarantined);
	for (uint32_t i = 0; i < fake.ncall; i++)
		CHECK(fake.call[i].id != 102);
	stop(&h);
	/* and the start after that, with a torn record at the end of the journal */
	poke(path, -1, 'B');
	fake.ncall = 0;
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(c.quarantined == 1 && fake.ncall == 5 && !h.errors);
	/* released, it is tried, and what was learned is learned for the next start */
	xl_load_release(h.l, 2);
	CHECK(xl_load_get(h.l, 2, NULL) == XL_LOAD_PENDING && xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, 2, NULL) == XL_LOAD_READY);
	stop(&h);
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(!c.quarantined && c.ready == 6);
	stop(&h);
	/* another driver does not inherit it */
	crash(&h);
	fake.uuid = 5;
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(!c.quarantined && c.ready == 6);
	stop(&h);
	fake.uuid = 0;
	unlink(path);
	end(&h);
}

static VkResult refuses_101(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)g;
	return id == 101 ? VK_ERROR_INITIALIZATION_FAILED : id == 103 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static void refused_test(void)
{
	static struct host h;
	struct xl_load_report r;
	char path[256];

	add_computes(&h, 5, 0);
	begin(&h);
	h.info.state_dir = dir;
	fake.hook = refuses_101;
	run_all(&h);
	stop(&h);
	/* a driver that would take it now is not asked; a lack of memory passes */
	fake.hook = NULL;
	fake.ncall = 0;
	run_all(&h);
	CHECK(xl_load_report(h.l, 1, &r) && r.state == XL_LOAD_FAILED && r.code == XL_LOAD_DRIVER && strstr(r.reason, "earlier"));
	CHECK(fake.ncall == 4 && xl_load_get(h.l, 3, NULL) == XL_LOAD_READY);
	stop(&h);
	/* damage is told; what stands before it counts */
	path_of(&h, "journal", path, sizeof(path));
	CHECK(size_of(path) >= 16 + 32);
	poke(path, -1, 'B');
	for (int i = 0; i < 40; i++)
		poke(path, -1, 1);
	h.errors = 0;
	run_all(&h);
	CHECK(h.errors == 1 + 1 && xl_load_get(h.l, 1, NULL) == XL_LOAD_FAILED);
	stop(&h);
	poke(path, 0, 'Y');
	h.errors = 0;
	run_all(&h);
	CHECK(h.errors == 1 && xl_load_get(h.l, 1, NULL) == XL_LOAD_READY);
	stop(&h);
	unlink(path);
	end(&h);
}

/* A process that is at work holds the journal: what it has begun is no crash for the others. */
static sem_t in_driver;
static VkResult hangs(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)id, (void)g;
	sem_post(&in_driver);
	while (pause())
		;
	return VK_SUCCESS;
}

static void two_processes_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	int ready[2], status;
	char one = 0, path[256];
	pid_t pid;

	add_computes(&h, 2, 0);
	begin(&h);
	h.info.state_dir = dir;
	CHECK(!pipe(ready));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		fake.hook = hangs;
		start(&h);
		xl_load_get(h.l, xl_load_compute(h.l, "c000", 0, VK_NULL_HANDLE), NULL);
		sem_wait(&in_driver);
		_exit(write(ready[1], "x", 1) != 1 || pause());
	}
	CHECK(read(ready[0], &one, 1) == 1);
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(c.ready == 2 && !c.quarantined && h.code == XL_LOAD_JOURNAL && h.notes >= 1);
	stop(&h);
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, &status, 0) == pid);
	run_all(&h);
	xl_load_progress(h.l, &c);
	CHECK(c.quarantined == 1);
	stop(&h);
	close(ready[0]);
	close(ready[1]);
	path_of(&h, "journal", path, sizeof(path));
	unlink(path);
	end(&h);
}

/* ---- the driver's cache */
static void cache_test(void)
{
	static struct host h;
	char path[256];
	long size;

	add_computes(&h, 3, 0);
	begin(&h);
	h.info.state_dir = dir;
	path_of(&h, "vkcache", path, sizeof(path));
	run_all(&h);
	CHECK(fake.initial == 0);
	stop(&h);
	size = size_of(path);
	CHECK(size == 72 + 32 + 4 * (long)fake.cache_bytes);
	run_all(&h);
	CHECK(fake.initial == (size_t)size - 72 && !h.notes);
	stop(&h);
	/* head, UUIDs, driver version, package, checksum, Vulkan's own header: each is judged */
	for (long at = 0; at < 72 + 32; at += 3) {
		int was;
		FILE *f = fopen(path, "rb");

		fseek(f, at, SEEK_SET);
		was = fgetc(f);
		fclose(f);
		poke(path, at, was ^ 0x40);
		h.notes = 0;
		run_all(&h);
		CHECK(fake.initial == 0 && h.notes == 1 && h.code == XL_LOAD_CACHE);
		stop(&h);
		/* replaced by this run's */
		run_all(&h);
		CHECK(fake.initial > 0);
		stop(&h);
	}
	CHECK(!truncate(path, 80));
	run_all(&h);
	CHECK(fake.initial == 0);
	stop(&h);
	CHECK(!truncate(path, 0));
	run_all(&h);
	CHECK(fake.initial == 0);
	stop(&h);
	end(&h);
}

/* ---- a state of the host's, which is gone after the call */
static VkResult looks(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	CHECK(id == 1 && g && g->stageCount == 2 && g->pVertexInputState->vertexAttributeDescriptionCount == 2);
	CHECK(g->pVertexInputState->pVertexAttributeDescriptions[1].offset == 16);
	CHECK(g->pViewportState->pViewports == NULL && g->pViewportState->pScissors->extent.width == 9);
	CHECK(g->pRasterizationState->lineWidth == 2 && g->pColorBlendState->pAttachments->colorWriteMask == 7);
	CHECK(g->pDynamicState->pDynamicStates[0] == VK_DYNAMIC_STATE_VIEWPORT && *g->pMultisampleState->pSampleMask == 3);
	CHECK(((const VkPipelineRenderingCreateInfo *)g->pNext)->pColorAttachmentFormats[0] == VK_FORMAT_R8G8B8A8_UNORM);
	return VK_SUCCESS;
}

struct given {
	VkVertexInputBindingDescription binding;
	VkVertexInputAttributeDescription attribute[2];
	VkRect2D scissor;
	VkSampleMask mask;
	VkPipelineColorBlendAttachmentState blend;
	VkDynamicState dynamic;
	VkFormat format;
	VkPipelineVertexInputStateCreateInfo vi;
	VkPipelineInputAssemblyStateCreateInfo ia;
	VkPipelineViewportStateCreateInfo vp;
	VkPipelineRasterizationStateCreateInfo rs;
	VkPipelineMultisampleStateCreateInfo ms;
	VkPipelineColorBlendStateCreateInfo cb;
	VkPipelineDynamicStateCreateInfo ds;
	VkPipelineRenderingCreateInfo rendering;
	VkGraphicsPipelineCreateInfo info;
};

static void give(struct given *g, int garbage)
{
	memset(g, garbage, sizeof(*g)); /* padding must not matter */
	g->binding = (VkVertexInputBindingDescription){ 0, 32, VK_VERTEX_INPUT_RATE_VERTEX };
	g->attribute[0] = (VkVertexInputAttributeDescription){ 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0 };
	g->attribute[1] = (VkVertexInputAttributeDescription){ 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16 };
	g->scissor = (VkRect2D){ { 0, 0 }, { 9, 9 } };
	g->mask = 3;
	g->blend = (VkPipelineColorBlendAttachmentState){ .colorWriteMask = 7 };
	g->dynamic = VK_DYNAMIC_STATE_VIEWPORT;
	g->format = VK_FORMAT_R8G8B8A8_UNORM;
#define SET(field, type, ...) \
	do { \
		const type v_ = { .sType = __VA_ARGS__ }; \
		memcpy((char *)&g->field + offsetof(type, pNext), (const char *)&v_ + offsetof(type, pNext), \
		       sizeof(v_) - offsetof(type, pNext)); \
		g->field.sType = v_.sType; \
	} while (0)
	SET(vi, VkPipelineVertexInputStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	    .vertexBindingDescriptionCount = 1, .pVertexBindingDescriptions = &g->binding, .vertexAttributeDescriptionCount = 2,
	    .pVertexAttributeDescriptions = g->attribute);
	SET(ia, VkPipelineInputAssemblyStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
	SET(vp, VkPipelineViewportStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1,
	    .pViewports = (const void *)8 /* ignored, as it is dynamic */, .scissorCount = 1, .pScissors = &g->scissor);
	SET(rs, VkPipelineRasterizationStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 2);
	SET(ms, VkPipelineMultisampleStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
	    .rasterizationSamples = 1, .pSampleMask = &g->mask);
	SET(cb, VkPipelineColorBlendStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1,
	    .pAttachments = &g->blend);
	SET(ds, VkPipelineDynamicStateCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 1,
	    .pDynamicStates = &g->dynamic);
	SET(rendering, VkPipelineRenderingCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = 1,
	    .pColorAttachmentFormats = &g->format);
	SET(info, VkGraphicsPipelineCreateInfo, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &g->rendering,
	    .pVertexInputState = &g->vi, .pInputAssemblyState = &g->ia, .pViewportState = &g->vp, .pRasterizationState = &g->rs,
	    .pMultisampleState = &g->ms, .pColorBlendState = &g->cb, .pDynamicState = &g->ds);
#undef SET
}

static void state_test(void)
{
	static struct host h;
	static struct given g;
	VkBaseInStructure unknown = { VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL };
	struct load_state *a, *b;
	char why[128];
	uint32_t program[2], id;

	fake_add(&h.p, "sky.vert", STAGE_VERTEX, 1, 0, 0, NULL);
	fake_add(&h.p, "sky.frag", STAGE_FRAGMENT, 2, 0, 0, NULL);
	begin(&h);
	start(&h);
	fake.hook = looks;
	program[0] = xl_load_find(h.l, "sky.vert");
	program[1] = xl_load_find(h.l, "sky.frag");
	give(&g, 0);
	id = xl_load_graphics(h.l, "sky", program, 2, &g.info);
	CHECK(id == 0);
	memset(&g, 0xee, sizeof(g));
	(void)xl_load_prefetch(h.l, &id, 1, 0);
	CHECK(xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, id, NULL) == XL_LOAD_READY);
	give(&g, 0);
	a = load_state_copy(&g.info, why, sizeof(why));
	give(&g, 0xff);
	b = load_state_copy(&g.info, why, sizeof(why));
	CHECK(a && b && load_hash_equal(a->hash, b->hash) && !memcmp(a->part, b->part, sizeof(a->part)));
	load_state_free(b);
	g.rs.lineWidth = 3;
	b = load_state_copy(&g.info, why, sizeof(why));
	CHECK(b && !load_hash_equal(a->hash, b->hash) && !load_hash_equal(a->part[PART_PRE_RASTER], b->part[PART_PRE_RASTER]));
	CHECK(b && load_hash_equal(a->part[PART_OUTPUT], b->part[PART_OUTPUT]));
	load_state_free(a);
	load_state_free(b);
	g.rs.pNext = &unknown;
	CHECK(xl_load_graphics(h.l, "sky", program, 2, &g.info) == XL_LOAD_NONE && h.code == XL_LOAD_PIPELINE);
	CHECK(xl_load_graphics(h.l, "sky", &(uint32_t){ 9 }, 1, NULL) == XL_LOAD_NONE);
	CHECK(xl_load_graphics(h.l, "sky", (uint32_t[]){ program[0], program[0] }, 2, NULL) == XL_LOAD_NONE);
	CHECK(xl_load_compute(h.l, "sky", program[0], VK_NULL_HANDLE) == XL_LOAD_NONE);
	end(&h);
}

/* ---- live control */
static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static void control_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	char path[128], out[160], text[4096] = "";
	uint32_t n;
	FILE *f;

	add_computes(&h, 4, 0);
	begin(&h);
	snprintf(path, sizeof(path), "%s/control", dir);
	snprintf(out, sizeof(out), "%s.out", path);
	write_text(path, "# a comment\npause\nhide c00[12]\npriority 7 c003\nlist\ndescribe c003\n");
	h.info.control = path;
	start(&h);
	for (c.paused = 0; !c.paused && !h.errors; fake_sleep(1))
		xl_load_progress(h.l, &c); /* until the file was looked at */
	while (size_of(out) < 0) /* and answered: later the answer could replace that to the next question */
		fake_sleep(1);
	CHECK(!h.errors);
	xl_load_all(h.l, &n);
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_HIDDEN && xl_load_get(h.l, 2, NULL) == XL_LOAD_HIDDEN);
	(void)xl_load_prefetch(h.l, &(uint32_t){ 0 }, 1, 0);
	CHECK(!xl_load_wait(h.l, 50) && !fake.ncall); /* paused */
	CHECK(xl_load_get(h.l, 3, NULL) == XL_LOAD_PENDING); /* a draw is not */
	while (xl_load_get(h.l, 3, NULL) != XL_LOAD_READY)
		fake_sleep(1);
	CHECK(xl_load_control(h.l, "pause\nlist\ndescribe c003\n") == XL_LOAD_OK);
	f = fopen(out, "r");
	CHECK(f && fread(text, 1, sizeof(text) - 1, f) > 0 && strstr(text, "optimised   c003") && strstr(text, "program c003.comp key"));
	if (f)
		fclose(f);
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_PENDING); /* no longer hidden */
	CHECK(xl_load_control(h.l, "stop\n") == XL_LOAD_OK && xl_load_wait(h.l, 0));
	CHECK(xl_load_control(h.l, "hide c001\nfrobnicate\npriority x y\n") == XL_LOAD_USAGE && h.code == XL_LOAD_CONTROL);
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_HIDDEN);
	/* the file goes: all of it is taken back */
	unlink(path);
	while (xl_load_get(h.l, 1, NULL) == XL_LOAD_HIDDEN)
		fake_sleep(1);
	CHECK(xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, 0, NULL) == XL_LOAD_READY);
	end(&h);
	unlink(out);
}

/* ---- pipelines as the package has them: the programs of one record, with the state that it was captured with */
/* A driver that takes its time on the processor. */
enum { BUSY_MS = 3 };
static uint64_t processor_ns(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct seen {
	VkFormat attribute;
	uint32_t stride, binding, samples, topology, n, nattribute, colour;
	uint32_t restart, cull, compare, dynamics, last_dynamic, mask, viewports, blend, bounds, discard;
	float width, shading;
} seen[8];

static VkResult sees(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	struct seen *s = &seen[id % 8];

	if (!g)
		return VK_SUCCESS;
	for (uint64_t t = processor_ns(CLOCK_THREAD_CPUTIME_ID); processor_ns(CLOCK_THREAD_CPUTIME_ID) - t < BUSY_MS * 1000000u;)
		;
	s->n++;
	s->nattribute = g->pVertexInputState->vertexAttributeDescriptionCount;
	s->attribute = g->pVertexInputState->pVertexAttributeDescriptions[0].format;
	s->binding = g->pVertexInputState->pVertexBindingDescriptions[0].binding;
	s->stride = g->pVertexInputState->pVertexBindingDescriptions[0].stride;
	s->samples = g->pMultisampleState->rasterizationSamples;
	s->topology = g->pInputAssemblyState->topology;
	s->colour = OBJECT(g->renderPass)->id; /* the first attachment's format */
	s->restart = g->pInputAssemblyState->primitiveRestartEnable;
	s->cull = g->pRasterizationState->cullMode;
	s->discard = g->pRasterizationState->rasterizerDiscardEnable;
	s->width = g->pRasterizationState->lineWidth;
	s->shading = g->pMultisampleState->sampleShadingEnable ? g->pMultisampleState->minSampleShading : 0;
	s->mask = g->pMultisampleState->pSampleMask ? g->pMultisampleState->pSampleMask[0] : UINT32_MAX;
	s->compare = g->pDepthStencilState->depthCompareOp;
	s->bounds = g->pDepthStencilState->depthBoundsTestEnable;
	s->blend = g->pColorBlendState->pAttachments[0].blendEnable;
	s->viewports = g->pViewportState->viewportCount;
	s->dynamics = g->pDynamicState->dynamicStateCount;
	s->last_dynamic = g->pDynamicState->pDynamicStates[s->dynamics - 1];
	return VK_SUCCESS;
}

static void pair(struct host *h, const char *name, uint32_t id, uint64_t record, const char *state)
{
	char full[32];

	for (int i = 0; i < 2; i++) {
		snprintf(full, sizeof(full), "%s.%s", name, i ? "frag" : "vert");
		fake_add(&h->p, full, i ? STAGE_FRAGMENT : STAGE_VERTEX, id, 0, 0, NULL);
		h->p.program[h->p.n - 1].record = record;
		h->p.program[h->p.n - 1].state = state;
	}
}

static void pipelines_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	uint64_t all;
	uint32_t n;

	memset(seen, 0, sizeof(seen));
	pair(&h, "a", 200, 5, "topology 1\nsamples 4\nattribute 0 binding 3 format 103 offset 4 stride 24 vertex\ncolor 0 format 37\n");
	pair(&h, "b", 201, 6, ""); /* nothing is known: what fits */
	pair(&h, "c", 202, 7, "attribute 0 binding 0 format 41 offset 0 stride 4 vertex\n"); /* another type than the program's */
	pair(&h, "d", 203, 8, "attribute 0 binding 0 format 37 offset 0 stride 4 vertex\n"); /* the device lacks the format */
	pair(&h, "e", 204, 9, "topology 99\nsamples 3\nattribute 0 binding 4294967295 format 109 offset 0 stride 16 vertex\nwhat 1\n"
	     "cull-mode 4\ndepth-compare 8\npolygon-mode 4294967296\nline-width 2143289344\nline-width 18446744073709551615\n"
	     "depth-bounds-min 1065353216\ndepth-bounds-max 0\ndepth-bounds 1\nprimitive-restart 1\nlogic-op 16\n"
	     "blend 8 enable 1 color 1 1 0 alpha 1 1 0 mask 15\nblend 0 enable 1 color 1 1 5 alpha 1 1 0 mask 15\n"
	     "dynamic 9\ndynamic 999999999\ndynamic 4294967299\n");
	pair(&h, "twice", 205, 10, "topology 0\n"); /* two records with pipelines of one name */
	pair(&h, "twice", 206, 11, "topology 2\nprimitive-restart 1\ncull-mode 3\ndepth-compare 6\nsample-mask 2\nrasterizer-discard 1\n"
	     "dynamic 8\ndynamic 8\n");
	begin(&h);
	fake.hook = sees;
	all = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
	start(&h);
	CHECK(h.l != NULL);
	if (!h.l)
		return;
	xl_load_all(h.l, &n);
	CHECK(n == 7);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	all = processor_ns(CLOCK_PROCESS_CPUTIME_ID) - all;
	CHECK(c.driver_cpu_ns >= 7u * BUSY_MS * 1000000u && c.own_cpu_ns && c.own_cpu_ns + c.driver_cpu_ns <= all);
	CHECK(seen[200 % 8].attribute == 103 && seen[200 % 8].stride == 24 && seen[200 % 8].binding == 3);
	CHECK(seen[200 % 8].topology == 1 && seen[200 % 8].samples == 4 && seen[200 % 8].colour == 37 && seen[201 % 8].colour == 109);
	for (uint32_t id = 201; id < 205; id++)
		CHECK(seen[id % 8].attribute == 109 && seen[id % 8].stride == 16 && seen[id % 8].binding == 0 &&
		      seen[id % 8].topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST && seen[id % 8].samples == 1);
	CHECK(seen[205 % 8].topology == 0 && seen[206 % 8].topology == 2 && seen[205 % 8].n && seen[206 % 8].n);
	for (uint32_t id = 201; id < 205; id++) { /* what lies or is not known is as if nothing were */
		const struct seen *s = &seen[id % 8];

		CHECK(!s->restart && !s->cull && !s->compare && !s->bounds && !s->blend && !s->discard && s->mask == UINT32_MAX);
		CHECK(s->width == 1 && !s->shading && s->viewports == 1 && s->dynamics == 2 && s->last_dynamic == VK_DYNAMIC_STATE_SCISSOR);
	}
	CHECK(seen[206 % 8].restart && seen[206 % 8].cull == 3 && seen[206 % 8].compare == 6 && seen[206 % 8].mask == 2 &&
	      seen[206 % 8].discard && seen[206 % 8].dynamics == 3 && seen[206 % 8].last_dynamic == VK_DYNAMIC_STATE_STENCIL_REFERENCE);
	CHECK(xl_load_named(h.l, "b", NULL) == 7 && xl_load_named(h.l, "nosuch", NULL) == XL_LOAD_NONE);
	CHECK(h.code == XL_LOAD_PIPELINE);
	CHECK(xl_load_named(h.l, "twice", NULL) == 8 && xl_load_named(h.l, "", NULL) == XL_LOAD_NONE);
	end(&h);
}

int main(void)
{
	char clean[256];

	alarm(ALARM);
	dir = temp_name("xlate-load-");
	if (!dir || !mkdtemp(dir))
		return 1;
	sem_init(&in_driver, 0, 0);
	crash_test();
	refused_test();
	two_processes_test();
	cache_test();
	state_test();
	control_test();
	pipelines_test();
	snprintf(clean, sizeof(clean), "rm -rf '%s'", dir);
	CHECK(!system(clean));
	free(dir);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
