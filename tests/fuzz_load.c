/* fuzz_load.c - packages that lie: the module's head and the reflection are mutated, their hashes and tables are right. The
 * loader makes pipelines of what it believes, on a stub driver that looks at what it is given: a layout has every binding of
 * the module, nothing is too large to be made. An input is the modules' words and the reflections' text: size of a module (4),
 * words, text to its zero, and the same again. */
#include "load_fake.h"
#include "fuzz.h"

enum { MOST_TEXT = 1 << 16 };

static VkResult believes(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	const VkPipelineVertexInputStateCreateInfo *v = g ? g->pVertexInputState : NULL;

	(void)id;
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

/* One program of the input. False: there is none. */
static bool take(struct fake_package *p, const uint8_t **v, size_t *n, const char *name, uint8_t stage)
{
	struct xlp_program *o = &p->program[p->n];
	uint32_t size;
	size_t len;
	char *text;

	if (*n < 5)
		return false;
	memcpy(&size, *v, 4);
	*v += 4;
	*n -= 4;
	size = size > *n ? (uint32_t)*n : size;
	*o = (struct xlp_program){ .name = strdup(name), .cpu = "gfx1030", .stage = stage, .wave = 32, .nwords = size / 4,
		.subgroup_size = size % 3 ? 0 : 32 };
	o->key.b[0] = stage;
	o->words = memcpy(calloc(1, size + 4), *v, size);
	*v += size;
	*n -= size;
	len = strnlen((const char *)*v, *n < MOST_TEXT ? *n : MOST_TEXT);
	text = calloc(1, len + 1);
	memcpy(text, *v, len);
	o->reflection = text;
	*v += len + (len < *n);
	*n -= len + (len < *n);
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
		if (!xl_load_wait(h.l, 15000))
			abort();
		for (uint32_t i = 0; i < count; i++)
			(void)xl_load_get(h.l, i, &(struct xl_load_pipeline){ 0 });
		xl_load_control(h.l, "describe *\n");
	}
	xl_load_close(h.l);
	xl_load_features_free(h.features);
	fake_drop(&h.p);
	if (fake.live)
		abort();
	return 0;
}

static void fuzz_seeds(void)
{
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
	}
	fuzz_add_seed(b.v, b.n);
	fake_drop(&p);
	buf_free(&b);
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	(void)v, (void)n;
}

static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	(void)v, (void)n, (void)r, (void)from, (void)len;
}
