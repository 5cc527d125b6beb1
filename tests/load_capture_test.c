/* load_capture_test.c - the loader and what vertex programs hand to transform feedback, against the limits of a device that has just
 * so much. */
#include "load_fake.h"

enum { BUFFERS = 2, BYTES = 40, STRIDE = 64, ALL = 60 };
enum { FLOAT = 20, UINT, VEC4, THREE, ARRAY, STRUCT, TO_VEC4, TO_ARRAY, TO_STRUCT, A, B, FUNCTION, VOID, GROUP };

static const struct program {
	char name;
	enum xl_load_code want;
	uint32_t buffer[2], offset[2], stride;
	uint32_t type; /* of the first variable; the other is a vector */
	bool group;    /* the first one has what it has from a group of decorations */
} programs[] = {
	{ 'a', XL_LOAD_NO_CODE, { 0, 1 }, { 28, 4 }, 64, TO_ARRAY, false },          /* 40 and 20 bytes */
	{ 'b', XL_LOAD_DEVICE, { 0, 2 }, { 28, 4 }, 64, TO_ARRAY, false },
	{ 'c', XL_LOAD_DEVICE, { 0, 1 }, { 28, 4 }, 68, TO_ARRAY, false },
	{ 'd', XL_LOAD_DEVICE, { 0, 1 }, { 32, 0 }, 64, TO_ARRAY, false },           /* 44 */
	{ 'e', XL_LOAD_DEVICE, { 0, 1 }, { 24, 28 }, 64, TO_VEC4, false },           /* 40 and 44 */
	{ 'f', XL_LOAD_DEVICE, { 0, 1 }, { 24, 8 }, 64, TO_VEC4, false },            /* 40 and 24 */
	{ 'g', XL_LOAD_NO_CODE, { 1, 1 }, { 24, 8 }, 64, TO_VEC4, false },           /* 40 of one */
	{ 'h', XL_LOAD_BAD_PACKAGE, { 0, 1 }, { 0, 0 }, 64, TO_STRUCT, false },
	{ 'i', XL_LOAD_DEVICE, { 0, 1 }, { 4294967292u, 0 }, 64, TO_VEC4, false },
	{ 'j', XL_LOAD_BAD_PACKAGE, { 2, 1 }, { 28, 4 }, 64, TO_ARRAY, true },
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static uint32_t *captured(uint32_t *w, uint32_t id, uint32_t buffer, uint32_t offset, uint32_t stride)
{
	w = PUT(w, Decorate, id, SpvDecorationXfbBuffer, buffer);
	w = PUT(w, Decorate, id, SpvDecorationXfbStride, stride);
	return PUT(w, Decorate, id, SpvDecorationOffset, offset);
}

static void add(struct fake_package *p, const struct program *o)
{
	const uint32_t head[5] = { SpvMagicNumber, 0x10600, (uint32_t)o->name, 100, 0 };
	char text[16];
	uint32_t *w;

	snprintf(text, sizeof(text), "%c.vert", o->name);
	fake_add(p, text, STAGE_VERTEX, (uint32_t)o->name, 0, 0, NULL);
	w = (uint32_t *)(uintptr_t)p->program[p->n - 1].words;
	memcpy(w, head, sizeof(head));
	w = PUT(w + 5, Capability, SpvCapabilityShader);
	w = PUT(w, Capability, SpvCapabilityTransformFeedback);
	w = PUT(w, MemoryModel, 0, 1);
	w = PUT(w, EntryPoint, SpvExecutionModelVertex, FUNCTION, 0x6e69616d, 0, A, B);
	w = PUT(w, ExecutionMode, FUNCTION, SpvExecutionModeXfb);
	w = captured(w, o->group ? GROUP : A, o->buffer[0], o->offset[0], o->stride);
	if (o->group) {
		w = PUT(w, DecorationGroup, GROUP);
		w = PUT(w, GroupDecorate, GROUP, A);
	}
	w = captured(w, B, o->buffer[1], o->offset[1], o->stride);
	w = PUT(w, TypeFloat, FLOAT, 32);
	w = PUT(w, TypeInt, UINT, 32, 0);
	w = PUT(w, TypeVector, VEC4, FLOAT, 4);
	w = PUT(w, Constant, UINT, THREE, 3);
	w = PUT(w, TypeArray, ARRAY, FLOAT, THREE);
	w = PUT(w, TypeStruct, STRUCT, FLOAT);
	w = PUT(w, TypePointer, TO_VEC4, SpvStorageClassOutput, VEC4);
	w = PUT(w, TypePointer, TO_ARRAY, SpvStorageClassOutput, ARRAY);
	w = PUT(w, TypePointer, TO_STRUCT, SpvStorageClassOutput, STRUCT);
	w = PUT(w, Variable, o->type, A, SpvStorageClassOutput);
	w = PUT(w, Variable, TO_VEC4, B, SpvStorageClassOutput);
	w = PUT(w, Function, VOID, FUNCTION, 0, VOID);
	p->program[p->n - 1].nwords = (uint32_t)(w - p->program[p->n - 1].words);
	snprintf(text, sizeof(text), "%c.frag", o->name);
	fake_add(p, text, STAGE_FRAGMENT, (uint32_t)o->name, 0, 0, NULL);
}

/* The device has what the first program takes, or of one thing less by one, or nothing of it. */
static void device(unsigned less)
{
	static const uint32_t has[4] = { BUFFERS, BYTES, STRIDE, ALL };
	static struct host h;
	struct xl_load_report r;
	uint32_t n;

	for (unsigned i = 0; i < 4; i++)
		fake.capture[i] = less == 5 ? 0 : has[i] - (less == i + 1);
	for (uint32_t i = 0; i < (less ? 1 : PROGRAMS); i++)
		add(&h.p, &programs[i]);
	begin(&h);
	h.info.flags |= XL_LOAD_ONE_STAGE;
	start(&h);
	xl_load_all(h.l, &n);
	(void)xl_load_prefetch(h.l, NULL, 0, 0);
	CHECK(n == (less ? 1 : PROGRAMS) && xl_load_wait(h.l, FOREVER));
	for (uint32_t i = 0; i < n; i++) {
		enum xl_load_code want = less ? XL_LOAD_DEVICE : programs[i].want;

		CHECK(xl_load_report(h.l, i, &r) && r.code == want);
		if (r.code != want)
			printf("%c less %u: %s\n", programs[i].name, less, r.reason ? r.reason : "fine");
	}
	end(&h);
}

int main(void)
{
	alarm(ALARM);
	for (unsigned less = 0; less <= 5; less++)
		device(less);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
