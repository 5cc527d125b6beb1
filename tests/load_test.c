/* load_test.c - the loader on a driver that does what the test wants: order, waiting, failing, lying packages, live control.
 * What is kept on disk is load_store_test.c's. */
#include "load_fake.h"

static void on_progress(void *user, const struct xl_load_progress *p)
{
	struct host *h = user;
	struct xl_load_report r;

	h->progress++;
	CHECK(p->last != XL_LOAD_NONE && xl_load_report(h->l, p->last, &r) && r.name);
}

/* ---- a driver that waits until it is let go */
static sem_t entered, let_go;
static VkResult waits(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)id, (void)g;
	sem_post(&entered);
	while (sem_wait(&let_go))
		;
	return VK_SUCCESS;
}

static void open_gate(uint32_t n)
{
	while (n--)
		sem_post(&let_go);
}

/* ---- tests */
static void all_test(void)
{
	static struct host h;
	struct xl_load_pipeline p = { 0 };
	struct xl_load_progress c;
	struct xl_load_program pr;
	uint32_t n, first;

	add_computes(&h, 40, 0);
	fake_add(&h.p, "sky.vert", STAGE_VERTEX, 1, 2, 0, NULL);
	fake_add(&h.p, "sky.frag", STAGE_FRAGMENT, 2, 1, 0, NULL);
	begin(&h);
	h.info.progress = on_progress;
	start(&h);
	CHECK(h.l && h.status == XL_LOAD_OK && xl_load_programs(h.l) == 42);
	first = xl_load_all(h.l, &n);
	CHECK(first == 0 && n == 41);
	CHECK(!xl_load_prefetch(h.l, NULL, 0, 0) && xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	CHECK(c.ready == 41 && c.optimised == 41 && !c.failed && c.asked == 41 && !c.bytes && h.progress == 41 && !h.errors);
	CHECK(fake.ncall == 41 && fake.nlayout == 4); /* one, two or three buffers of compute; the graphics' */
	CHECK(xl_load_get(h.l, 3, &p) == XL_LOAD_READY && OBJECT(p.pipeline)->id == 103 && p.optimised && p.nset == 1 && p.layout);
	CHECK(xl_load_get(h.l, 40, &p) == XL_LOAD_READY && p.bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS);
	CHECK(xl_load_get(h.l, 41, &p) == XL_LOAD_FAILED);
	CHECK(xl_load_find(h.l, "c007.comp") != XL_LOAD_NONE && xl_load_find(h.l, "c7.comp") == XL_LOAD_NONE);
	CHECK(xl_load_program(h.l, xl_load_find(h.l, "sky.frag"), &pr) && !strcmp(pr.stage, "frag"));
	CHECK(xl_load_find_key(h.l, pr.key, 0) == xl_load_find(h.l, "sky.frag") && xl_load_find_key(h.l, pr.key, 1) == XL_LOAD_NONE);
	end(&h);
}

/* While the driver hangs, and with every lock of the loader held by this very thread: a get that took one would never end. */
static void never_waits_test(void)
{
	static struct host h;
	uint32_t n, pending = 0, again = 0;

	add_computes(&h, 30, 0);
	begin(&h);
	start(&h);
	fake.hook = waits;
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	sem_wait(&entered);
	sem_wait(&entered);
	pthread_mutex_lock(&h.l->lock);
	pthread_mutex_lock(&h.l->say_lock);
	pthread_mutex_lock(&h.l->save_lock);
	pthread_mutex_lock(&h.l->layouts.lock);
	pthread_mutex_lock(&h.l->libraries.lock);
	for (uint32_t i = 0; i < n; i++)
		pending += xl_load_get(h.l, i, NULL) == XL_LOAD_PENDING;
	for (uint32_t i = 0; i < n; i++)
		again += xl_load_get(h.l, i, NULL) == XL_LOAD_PENDING;
	pthread_mutex_unlock(&h.l->libraries.lock);
	pthread_mutex_unlock(&h.l->layouts.lock);
	pthread_mutex_unlock(&h.l->save_lock);
	pthread_mutex_unlock(&h.l->say_lock);
	pthread_mutex_unlock(&h.l->lock);
	CHECK(pending == 30 && again == 30 && !xl_load_wait(h.l, 10));
	open_gate(200);
	CHECK(xl_load_wait(h.l, FOREVER));
	for (uint32_t i = 0; i < n; i++)
		pending += xl_load_get(h.l, i, NULL) == XL_LOAD_READY;
	CHECK(pending == 60);
	end(&h);
	while (!sem_trywait(&let_go) || !sem_trywait(&entered))
		;
}

/* One thread, which waits in the driver with the first program. */
static void first_in_driver(struct host *h)
{
	uint32_t n;

	begin(h);
	h->info.threads = 1;
	h->info.flags |= XL_LOAD_ONE_STAGE;
	start(h);
	fake.hook = waits;
	xl_load_all(h->l, &n);
	(void)xl_load_prefetch(h->l, &(uint32_t){ 0 }, 1, 0);
	sem_wait(&entered); /* the queue is empty, and nothing leaves it until the gate opens */
}

/* By priority, then in the order asked for; what get asks for overtakes, also what is read already. */
static void order_test(void)
{
	static struct host h;
	static const uint32_t expected[] = { 100, 106, 103, 105, 101, 102, 104, 107 };
	uint32_t low[] = { 1, 2, 4 }, high[] = { 5 }, raised = 3;

	add_computes(&h, 8, 0);
	first_in_driver(&h);
	CHECK(!xl_load_control(h.l, "pause\n")); /* what is asked for now is sorted behind its lock */
	(void)xl_load_prefetch(h.l, low, 3, 0);
	(void)xl_load_prefetch(h.l, &(uint32_t){ 7 }, 1, -1);
	(void)xl_load_prefetch(h.l, high, 1, 5);
	(void)xl_load_prefetch(h.l, &raised, 1, 0);
	(void)xl_load_prefetch(h.l, &raised, 1, 9);
	CHECK(xl_load_get(h.l, 6, NULL) == XL_LOAD_PENDING);
	while (atomic_load(&h.l->wanted))
		fake_sleep(1);
	CHECK(!xl_load_control(h.l, NULL));
	open_gate(50);
	CHECK(xl_load_wait(h.l, FOREVER));
	CHECK(fake.ncall == 8);
	for (uint32_t i = 0; i < 8; i++)
		CHECK(fake.call[i].id == expected[i]);
	end(&h);
	while (!sem_trywait(&let_go) || !sem_trywait(&entered))
		;
}

/* How many are read and wait, once the reading thread takes no more for that. */
static uint32_t waiting(struct xl_loader *l)
{
	uint32_t n;
	bool full;

	do {
		fake_sleep(1);
		pthread_mutex_lock(&l->lock);
		n = l->njob;
		full = l->full;
		pthread_mutex_unlock(&l->lock);
	} while (!full);
	return n;
}

/* With as many read as the queue is long, what is wanted more is read all the same, and compiled before them. */
static void overtake_test(void)
{
	static struct host h;
	uint32_t low[80], most; /* more than the queue holds */

	for (uint32_t i = 0; i < 80; i++)
		low[i] = i + 1;
	add_computes(&h, 82, 0);
	first_in_driver(&h);
	(void)xl_load_prefetch(h.l, low, 80, 0);
	most = waiting(h.l);
	CHECK(most && most < 80);
	(void)xl_load_prefetch(h.l, &(uint32_t){ 81 }, 1, 5);
	while (waiting(h.l) != most + 1)
		;
	open_gate(100);
	CHECK(xl_load_wait(h.l, FOREVER) && fake.ncall == 82);
	CHECK(fake.call[1].id == 181);
	for (uint32_t i = 2; i < 82; i++)
		CHECK(fake.call[i].id == 100 + i - 1);
	end(&h);
	while (!sem_trywait(&let_go) || !sem_trywait(&entered))
		;
}

static void stages_test(void)
{
	static struct host h;
	struct xl_load_pipeline fast, best;
	uint32_t n;

	add_computes(&h, 2, 0);
	fake_add(&h.p, "sky.vert", STAGE_VERTEX, 1, 0, 0, NULL);
	fake_add(&h.p, "sky.frag", STAGE_FRAGMENT, 2, 0, 0, NULL);
	begin(&h);
	h.info.threads = 1;
	start(&h);
	xl_load_all(h.l, &n);
	fake.no_cache_hit = true;
	CHECK(xl_load_get(h.l, 0, NULL) == XL_LOAD_PENDING && xl_load_wait(h.l, FOREVER));
	CHECK(fake.ncall == 3 && fake.call[0].flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
	CHECK(fake.call[1].flags == VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT && !fake.call[2].flags);
	CHECK(xl_load_get(h.l, 0, &best) == XL_LOAD_READY && best.optimised);
	/* graphics: four libraries and a link, then the optimised one */
	fake.ncall = 0;
	CHECK(xl_load_get(h.l, 2, NULL) == XL_LOAD_PENDING && xl_load_wait(h.l, FOREVER));
	CHECK(fake.ncall == 7 && fake.call[1].library && fake.call[4].library && !fake.call[5].library && !fake.call[6].flags);
	/* the driver's cache has it: once */
	fake.no_cache_hit = false;
	fake.ncall = 0;
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_PENDING && xl_load_wait(h.l, FOREVER) && fake.ncall == 1);
	xl_load_trim(h.l);
	CHECK(xl_load_get(h.l, 2, &fast) == XL_LOAD_READY && fast.optimised);
	end(&h);
	/* the fast one serves until the optimised one is there */
	add_computes(&h, 1, 0);
	begin(&h);
	h.info.flags |= XL_LOAD_TWO_STAGES;
	h.info.created = NULL; /* no cache control then */
	start(&h);
	xl_load_all(h.l, &n);
	fake.hook = waits;
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	sem_wait(&entered);
	open_gate(1);
	sem_wait(&entered); /* in the second stage */
	CHECK(xl_load_get(h.l, 0, &fast) == XL_LOAD_READY && !fast.optimised);
	open_gate(1);
	CHECK(xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, 0, &best) == XL_LOAD_READY && best.optimised);
	CHECK(best.pipeline != fast.pipeline && best.layout == fast.layout && OBJECT(fast.pipeline)->id == 100);
	end(&h);
}

static void memory_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	uint32_t n;

	add_computes(&h, 60, 10000);
	fake_add(&h.p, "z.comp", STAGE_COMPUTE, 1, 0, 60000, NULL); /* larger than the bound: alone */
	begin(&h);
	h.info.memory = 150000;
	h.info.threads = 4;
	start(&h);
	xl_load_all(h.l, &n);
	for (uint32_t i = 0; i < n; i++)
		(void)xl_load_get(h.l, i, NULL);
	CHECK(xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	CHECK(c.ready == 61 && c.peak > 240000 && c.peak < 260000);
	end(&h);
}

static VkResult takes_its_time(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)g;
	fake_sleep(id == 102 ? 400 : id == 101 ? 150 : 0);
	return VK_SUCCESS;
}

/* A driver that takes its time is named with it, and holds nobody up. */
static void slow_test(void)
{
	static struct host h;
	struct xl_load_progress c;
	struct xl_load_report r;
	uint64_t least;
	uint32_t n;

	add_computes(&h, 12, 0);
	begin(&h);
	start(&h);
	fake.hook = takes_its_time;
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	CHECK(xl_load_report(h.l, 2, &r) && r.optimised_ns >= 400000000 && c.slow_ns[0] >= r.optimised_ns);
	CHECK(xl_load_report(h.l, 1, &r) && r.optimised_ns >= 150000000 && c.slow_ns[1] >= r.optimised_ns);
	CHECK(c.driver_ns >= 550000000);
	for (int i = 0; i < XL_LOAD_SLOW; i++) {
		CHECK(xl_load_report(h.l, c.slow[i], &r) && r.optimised_ns == c.slow_ns[i]);
		CHECK(!i || c.slow_ns[i] <= c.slow_ns[i - 1]);
	}
	least = c.slow_ns[XL_LOAD_SLOW - 1]; /* on a busy machine others may be slow, too: whoever is not named took no longer */
	for (uint32_t i = 0; i < n; i++) {
		bool named = false;

		for (int k = 0; k < XL_LOAD_SLOW; k++)
			named |= c.slow[k] == i;
		CHECK(named || (xl_load_report(h.l, i, &r) && r.optimised_ns <= least));
	}
	end(&h);
}

static VkResult refuses_101(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)g;
	return id == 101 ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}

static void refused_test(void)
{
	static struct host h;
	struct xl_load_report r;
	struct xl_load_progress c;
	uint32_t n;

	add_computes(&h, 3, 0);
	begin(&h);
	start(&h);
	fake.hook = refuses_101;
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(xl_load_wait(h.l, FOREVER) && fake.ncall == 3 && h.errors == 1 && h.code == XL_LOAD_DRIVER);
	for (int i = 0; i < 3; i++)
		CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_FAILED);
	(void)xl_load_prefetch(h.l, NULL, 0, 5);
	CHECK(xl_load_wait(h.l, FOREVER) && fake.ncall == 3);
	CHECK(xl_load_report(h.l, 1, &r) && r.state == XL_LOAD_FAILED && r.code == XL_LOAD_DRIVER && strstr(r.reason, "-13"));
	fake.hook = NULL;
	xl_load_release(h.l, 1);
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_PENDING && xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	CHECK(xl_load_get(h.l, 1, NULL) == XL_LOAD_READY && !c.failed && c.ready == 3);
	end(&h);
}

/* What the modules and the reflection say must fit; what does not never reaches the driver. */
static void lies_test(void)
{
	static const char *const lies[] = {
		"{\"stage\":\"compute\",\"workgroup\":[8,8,1],\"bindings\":[]}",                       /* misses a binding */
		"{\"stage\":\"vertex\",\"bindings\":[{\"set\":0,\"binding\":0,\"type\":\"sampler\"}]}", /* another stage */
		"{\"stage\":\"compute\",\"workgroup\":[4,8,1],\"bindings\":[{\"set\":0,\"binding\":0,\"type\":\"sampler\"}]}",
		"{\"stage\":\"compute\",\"workgroup\":[8,8,1],\"bindings\":[{\"set\":0,\"binding\":0,\"type\":\"lake\"}]}",
		"{\"stage\":\"compute\",\"workgroup\":[8,8,1],\"bindings\":[{\"set\":0,\"binding\":0,\"type\":\"sampler\"},"
		"{\"set\":0,\"binding\":4000000000,\"type\":\"sampler\"}]}",
		"{\"stage\":\"compute\",\"workgroup\":[8,8,1],\"bindings\":[{\"set\":0,\"binding\":0,\"type\":\"sampler\"},"
		"{\"set\":99,\"binding\":0,\"type\":\"sampler\"}]}",
		"{\"stage\":\"compute\",\"workgroup\":[8,8,1],\"push\":{\"offset\":0,\"size\":4000},\"bindings\":[{\"set\":0,"
		"\"binding\":0,\"type\":\"sampler\"}]}",
		"{", "", "[[[[[[[[[[[[[[[[[[[[[[[[[[", "{\"stage\":\"compute\"}x",
	};
	static struct host h;
	struct xl_load_progress c;
	uint32_t n, count = sizeof(lies) / sizeof(lies[0]);

	for (uint32_t i = 0; i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "l%02u.comp", i);
		fake_add(&h.p, name, STAGE_COMPUTE, i, 1, 0, lies[i]);
	}
	begin(&h);
	start(&h);
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(n == count && xl_load_wait(h.l, FOREVER));
	xl_load_progress(h.l, &c);
	CHECK(c.failed == count && !c.ready && !fake.ncall && h.errors == count);
	end(&h);
}

/* ---- how a record's attachments are blended, of which the device can blend the first alone, or all alike */
static VkBool32 blended[2];
static VkResult sees_blending(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)id;
	for (uint32_t i = 0; i < 2; i++)
		blended[i] = g->pColorBlendState->pAttachments[i].blendEnable;
	return VK_SUCCESS;
}

static void blend_test(void)
{
	static const char outputs[] = "{\"stage\":\"fragment\",\"bindings\":[],\"outputs\":["
		"{\"location\":0,\"component\":0,\"components\":4,\"type\":\"f32\"},"
		"{\"location\":1,\"component\":0,\"components\":4,\"type\":\"i32\"}]}";
	static const char *const states[] = { /* 109: VK_FORMAT_R32G32B32A32_SFLOAT, 108: _SINT */
		"color 0 format 109\nblend 0 enable 1 color 1 1 0 alpha 1 0 0 mask 15\n",
		"color 0 format 109\ncolor 1 format 108\nblend 0 enable 1 color 1 1 0 alpha 1 0 0 mask 15\n",
	};

	for (unsigned alike = 0; alike < 2; alike++) {
		for (unsigned all = 0; all < 2; all++) {
			static struct host h;
			uint32_t n;

			fake_add(&h.p, "a.vert", STAGE_VERTEX, 1, 0, 0, NULL);
			h.p.program[0].state = states[all];
			fake_add(&h.p, "a.frag", STAGE_FRAGMENT, 1, 0, 0, outputs);
			h.p.program[1].state = states[all];
			fake.lacks_independent_blend = alike;
			begin(&h);
			h.info.flags |= XL_LOAD_ONE_STAGE | XL_LOAD_NO_LIBRARIES;
			start(&h);
			xl_load_all(h.l, &n);
			fake.hook = sees_blending;
			blended[0] = blended[1] = 2;
			(void)xl_load_prefetch(h.l, NULL, 0, 0);
			CHECK(n == 1 && xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, 0, NULL) == XL_LOAD_READY);
			CHECK(blended[0] == (!alike || all) && blended[1] == (alike && all));
			fake.hook = NULL;
			end(&h);
		}
	}
	fake.lacks_independent_blend = false;
}

/* Alpha decides on coverage where the program writes it. */
static VkBool32 covers;
static VkResult sees_samples(uint32_t id, const VkGraphicsPipelineCreateInfo *g)
{
	(void)id;
	covers = g->pMultisampleState->alphaToCoverageEnable;
	return VK_SUCCESS;
}

static void coverage_test(void)
{
	for (unsigned n = 3; n <= 4; n++) {
		static struct host h;
		char text[256];

		snprintf(text, sizeof(text), "{\"stage\":\"fragment\",\"bindings\":[],\"outputs\":[{\"location\":0,\"component\":0,"
			 "\"components\":%u,\"type\":\"f32\"},{\"location\":1,\"component\":0,\"components\":4,\"type\":\"f32\"}]}", n);
		fake_add(&h.p, "a.vert", STAGE_VERTEX, 1, 0, 0, NULL);
		fake_add(&h.p, "a.frag", STAGE_FRAGMENT, 1, 0, 0, text);
		h.p.program[0].state = h.p.program[1].state = "samples 4\nalpha-to-coverage 1\n";
		begin(&h);
		h.info.flags |= XL_LOAD_ONE_STAGE | XL_LOAD_NO_LIBRARIES;
		start(&h);
		xl_load_all(h.l, &(uint32_t){ 0 });
		fake.hook = sees_samples;
		covers = 2;
		(void)xl_load_prefetch(h.l, NULL, 0, 0);
		CHECK(xl_load_wait(h.l, FOREVER) && covers == (n == 4));
		fake.hook = NULL;
		end(&h);
	}
}

static void device_test(void)
{
	static struct host h;
	static const char needs[] = "capability 1\ncapability 11\nspirv 1.6\n";
	uint32_t n;

	add_computes(&h, 2, 0);
	/* word 6 is the operand of the first OpCapability */
	((uint32_t *)(uintptr_t)h.p.program[1].words)[6] = SpvCapabilityInt64;
	h.p.needs = needs;
	fake.lacks_int64 = true;
	begin(&h);
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED && h.code == XL_LOAD_DEVICE && strstr(h.last, "shaderInt64"));
	h.info.flags |= XL_LOAD_PARTIAL;
	start(&h);
	CHECK(h.l && !h.status);
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(xl_load_wait(h.l, FOREVER) && xl_load_get(h.l, 0, NULL) == XL_LOAD_READY && xl_load_get(h.l, 1, NULL) == XL_LOAD_FAILED);
	end(&h);
	fake.lacks_int64 = false;
	/* what the device offers and was not created with is not there */
	add_computes(&h, 1, 0);
	h.p.needs = needs;
	begin(&h);
	h.created.pNext = NULL;
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED);
	end(&h);
	/* measured facts are vouched for, unknown things refused */
	add_computes(&h, 1, 0);
	h.p.needs = "measured fma-fused\n";
	begin(&h);
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED);
	h.info.vouched = "denormals\nfma-fused\n";
	start(&h);
	CHECK(h.l != NULL);
	end(&h);
	add_computes(&h, 1, 0);
	h.p.needs = "capability 60000\nextension SPV_X_y\nfrobnication 7\nsubgroup-size 128\n";
	begin(&h);
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED && h.errors == 4);
	end(&h);
	/* features that no capability says, and capabilities of extensions: this device has the first alone */
	add_computes(&h, 1, 0);
	h.p.needs = "feature shaderSharedInt64Atomics\n";
	begin(&h);
	start(&h);
	CHECK(h.l != NULL);
	end(&h);
	add_computes(&h, 1, 0);
	h.p.needs = "feature shaderImageFloat32Atomics\nextension SPV_EXT_shader_atomic_float_min_max\ncapability 5612\n";
	begin(&h);
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED && h.errors == 3 && strstr(h.last, "shaderImageFloat32AtomicMinMax"));
	end(&h);
	add_computes(&h, 1, 0);
	h.p.translator = "xlate 9.9.9";
	begin(&h);
	start(&h);
	CHECK(!h.l && h.status == XL_LOAD_REFUSED && h.code == XL_LOAD_STAMP);
	h.info.flags |= XL_LOAD_ANY_STAMP;
	start(&h);
	CHECK(h.l != NULL);
	end(&h);
}

int main(void)
{
	alarm(ALARM);
	sem_init(&entered, 0, 0);
	sem_init(&let_go, 0, 0);
	all_test();
	never_waits_test();
	order_test();
	overtake_test();
	stages_test();
	memory_test();
	slow_test();
	refused_test();
	lies_test();
	blend_test();
	coverage_test();
	device_test();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
