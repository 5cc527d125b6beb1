/* load_geometry_test.c - the loader and geometry stages that go with fragment programs, on a driver that counts what it gets: which
 * vertex programs and primitives they fit behind. */
#include "load_fake.h"

static uint32_t stages_seen;
static VkPrimitiveTopology topology_seen;
static VkResult looks(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)id;
	stages_seen = g->stageCount;
	topology_seen = g->pInputAssemblyState->topology;
	return VK_SUCCESS;
}

static const struct generated {
	char name;
	uint8_t stage; /* of what goes with the fragment program; STAGE_COUNT: nothing does */
	enum xl_load_code want;
	const char *state;
	bool layers, captures, more; /* more: the pipeline has such a stage of its own as well */
	uint32_t clips[2], handed[2]; /* by the vertex program, by the stage */
} generated[] = {
	{ 'a', STAGE_GEOMETRY, XL_LOAD_NO_CODE, .state = NULL },
	{ 'b', STAGE_GEOMETRY, XL_LOAD_NO_CODE, .state = "topology 4\n" },
	{ 'd', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .more = true },
	{ 'e', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .layers = true },
	{ 'f', STAGE_FRAGMENT, XL_LOAD_BAD_PACKAGE, .state = NULL },
	{ 'g', STAGE_GEOMETRY, XL_LOAD_NO_CODE, .clips = { 2, 2 } },
	{ 'i', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .clips = { 2, 1 } },
	{ 'j', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .captures = true },
	{ 'k', STAGE_GEOMETRY, XL_LOAD_NO_CODE, .handed = { 3, 3 } },
	{ 'l', STAGE_GEOMETRY, XL_LOAD_NO_CODE, .handed = { 3, 3 }, .layers = true },
	{ 'm', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .handed = { 3, 4 } },
	{ 'o', STAGE_GEOMETRY, XL_LOAD_PIPELINE, .handed = { 3, 0 } },
	{ 'p', STAGE_COUNT, XL_LOAD_PIPELINE, .handed = { 3, 0 } },
};
enum { GENERATED = sizeof(generated) / sizeof(generated[0]) };

static void add_generated(struct host *h, struct arena *a, const struct generated *g)
{
	char text[16];

	h->p.layers = g->layers;
	h->p.captures = g->captures;
	h->p.clips[STAGE_VERTEX] = g->clips[0];
	h->p.clips[STAGE_GEOMETRY] = g->clips[1];
	h->p.handed[STAGE_VERTEX] = g->handed[0];
	h->p.handed[STAGE_GEOMETRY] = g->handed[1];
	snprintf(text, sizeof(text), "%c.vert", g->name);
	fake_add(&h->p, text, STAGE_VERTEX, (uint32_t)g->name, 0, 0, NULL);
	h->p.program[h->p.n - 1].state = g->state;
	snprintf(text, sizeof(text), "%c.frag", g->name);
	fake_add(&h->p, text, STAGE_FRAGMENT, (uint32_t)g->name, 0, 0, NULL);
	h->p.program[h->p.n - 1].state = g->state;
	snprintf(text, sizeof(text), "%c.geom", g->name);
	if (g->stage == STAGE_COUNT)
		return;
	fake_add(&h->p, text, g->stage, (uint32_t)g->name + 100, 0, 0, NULL);
	fake_join(&h->p, a);
	if (g->more)
		fake_add(&h->p, text, STAGE_GEOMETRY, 7, 0, 0, NULL);
}

static void generated_test(void)
{
	VkPipelineInputAssemblyStateCreateInfo in = { .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST };
	VkGraphicsPipelineCreateInfo state = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pInputAssemblyState = &in,
		.renderPass = HANDLE(VkRenderPass, 1) };
	static struct host h;
	struct xl_load_report r;
	struct arena a;
	uint32_t n;

	arena_init(&a, 1 << 24);
	for (uint32_t i = 0; i < GENERATED; i++)
		add_generated(&h, &a, &generated[i]);
	begin(&h);
	h.info.flags |= XL_LOAD_ONE_STAGE | XL_LOAD_NO_LIBRARIES;
	start(&h);
	xl_load_all(h.l, &n);
	CHECK(xl_load_named(h.l, "a", &state) == n++); /* the host draws lines */
	in.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	CHECK(xl_load_named(h.l, "a", &state) == n++);
	CHECK(n == GENERATED + 2);
	fake.hook = looks;
	for (uint32_t i = 0; i < n; i++) {
		enum xl_load_code want = i < GENERATED ? generated[i].want : i == GENERATED ? XL_LOAD_PIPELINE : XL_LOAD_NO_CODE;
		stages_seen = 0;
		(void)xl_load_prefetch(h.l, &i, 1, 0);
		CHECK(xl_load_wait(h.l, FOREVER) && xl_load_report(h.l, i, &r) && r.code == want);
		CHECK(stages_seen == (want ? 0 : 3));
		CHECK(want || topology_seen == (i == 1 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST));
	}
	fake.hook = NULL;
	end(&h);
	arena_free(&a);
}

int main(void)
{
	alarm(ALARM);
	generated_test();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
