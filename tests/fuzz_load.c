/* fuzz_load.c - packages that lie: the module's head, the reflection and the fixed-function state are mutated, their hashes and
 * tables are right. The loader makes pipelines of what it believes, on a stub driver that looks at what it is given: a layout
 * has every binding of the module, nothing is too large to be made. An input is the modules' words and the texts of reflections
 * and states: size of a module (4), words, two texts to their zeros, and the same again. */
#include "load_fake.h"
#include "fuzz.h"

enum { MOST_TEXT = 1 << 16 };
static char *states[3]; /* of the programs */

static VkResult believes(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	const VkPipelineVertexInputStateCreateInfo *v = g ? g->pVertexInputState : NULL;

	(void)id;
	if (g && g->pInputAssemblyState && g->pInputAssemblyState->topology > VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
		abort();
	if (g && g->pMultisampleState && g->pMultisampleState->rasterizationSamples & ~5u) /* limits of the stub */
		abort();
	if (v && (v->vertexAttributeDescriptionCount > 32 || v->vertexBindingDescriptionCount > 32))
		abort();
	for (uint32_t i = 0; v && i < v->vertexAttributeDescriptionCount; i++) {
		if (v->pVertexAttributeDescriptions[i].location >= 32 || v->pVertexAttributeDescriptions[i].format == 0)
			abort();
	}
	if (g && g->pColorBlendState && g->pColorBlendState->attachmentCount > 8)
		abort();
	return id & 1 ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}

/* A text up to its zero, or the end. */
static char *text(const uint8_t **v, size_t *n)
{
	size_t len = strnlen((const char *)*v, *n < MOST_TEXT ? *n : MOST_TEXT);
	char *s = calloc(1, len + 1);

	memcpy(s, *v, len);
	*v += len + (len < *n);
	*n -= len + (len < *n);
	return s;
}

/* One program of the input. False: there is none. */
static bool take(struct fake_package *p, const uint8_t **v, size_t *n, const char *name, uint8_t stage)
{
	struct xlp_program *o = &p->program[p->n];
	uint32_t size;

	if (*n < 5)
		return false;
	memcpy(&size, *v, 4);
	*v += 4;
	*n -= 4;
	size = size > *n ? (uint32_t)*n : size;
	*o = (struct xlp_program){ .name = strdup(name), .cpu = "gfx1030", .stage = stage, .wave = 32, .nwords = size / 4,
		.subgroup_size = stage != STAGE_COMPUTE || size % 3 ? 0 : 32 }; /* graphics cannot ask for one on the stub */
	o->key.b[0] = stage;
	o->words = memcpy(calloc(1, size + 4), *v, size);
	*v += size;
	*n -= size;
	o->reflection = text(v, n);
	o->state = states[p->n] = text(v, n);
	p->n++;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	static const char *const names[] = { "a.vert", "a.frag", "b.comp" };
	static const uint8_t stages[] = { STAGE_VERTEX, STAGE_FRAGMENT, STAGE_COMPUTE };
	static struct host h;
	uint32_t count;

	memset(&h, 0, sizeof(h));
	for (unsigned i = 0; i < 3 && take(&h.p, &v, &n, names[i], stages[i]);)
		i++;
	begin(&h);
	h.info.message = NULL;
	h.info.flags |= n & 1 ? XL_LOAD_TWO_STAGES : 0;
	fake.hook = believes;
	start(&h);
	if (h.l) {
		(void)xl_load_all(h.l, &count);
		(void)xl_load_prefetch(h.l, NULL, 0, 0);
		if (!xl_load_wait(h.l, FOREVER))
			abort();
		for (uint32_t i = 0; i < count; i++)
			(void)xl_load_get(h.l, i, &(struct xl_load_pipeline){ 0 });
		xl_load_control(h.l, "describe *\n");
	}
	xl_load_close(h.l);
	xl_load_features_free(h.features);
	fake_drop(&h.p);
	for (unsigned i = 0; i < 3; i++) {
		free(states[i]);
		states[i] = NULL;
	}
	if (fake.live)
		abort();
	return 0;
}

static void fuzz_seeds(void)
{
	static const char state[] = "topology 1\nsamples 4\ndepth-format 126\nattribute 0 binding 3 format 103 offset 4 stride 24 vertex\n"
		"color 0 format 37\ncull-mode 2\ndepth-compare 3\ndepth-bounds-max 1056964608\nline-width 1065353216\nsample-mask 3\n"
		"min-sample-shading 1056964608\nlogic-op 6\nblend 0 enable 1 color 6 7 0 alpha 1 0 4 mask 15\ndynamic 4\ndynamic 1000267003\n";
	struct fake_package p = { .n = 0 };
	struct buf b = { 0 };

	fake_add(&p, "a.vert", STAGE_VERTEX, 2, 3, 0, NULL);
	fake_add(&p, "a.frag", STAGE_FRAGMENT, 4, 2, 0, NULL);
	fake_add(&p, "b.comp", STAGE_COMPUTE, 6, 4, 0, NULL);
	for (uint32_t i = 0; i < p.n; i++) {
		uint32_t size = p.program[i].nwords * 4;

		buf_put(&b, &size, 4);
		buf_put(&b, p.program[i].words, size);
		buf_put(&b, p.program[i].reflection, strlen(p.program[i].reflection) + 1);
		buf_put(&b, state, sizeof(state));
	}
	fuzz_add_seed(b.v, b.n);
	fake_drop(&p);
	buf_free(&b);
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	(void)v, (void)n;
}

/* Every fourth time the first state alone: it is short, and most changes elsewhere leave it unread. */
static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	uint32_t at;

	memcpy(&at, v, 4);
	at += 4;
	at += (uint32_t)strnlen((const char *)v + at, n - at) + 1;
	if (r % 4)
		return;
	*from = at;
	*len = strnlen((const char *)v + at, n - at);
}
