/* load_capture.c - what a module hands to transform feedback against the device's limits, which a profile that it was translated for
 * does not know. From the Vulkan specification, "Validation Rules within a Module": the rules of XfbBuffer, XfbStride and Offset. */
#include "load_int.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

enum { CAPTURED = 256, BUFFERS = 32, LOOSE = 4096 };
struct captured { uint32_t id, buffer, stride, offset; };
struct scan {
	const VkPhysicalDeviceTransformFeedbackPropertiesEXT *limits;
	uint32_t *value;        /* by id: bytes of a type, or of what a pointer leads to; number of a constant; 0: of no kind known here */
	uint32_t nvalue, n;
	struct captured captured[CAPTURED];
	uint64_t end[BUFFERS];  /* bytes of a vertex */
	enum xl_load_code code;
	char *why;
	size_t cap;
};

#define bad(s, c, ...) load_fail(&(s)->code, c, (s)->why, (s)->cap, __VA_ARGS__)

static struct captured *find(struct scan *s, uint32_t id)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->captured[i].id == id)
			return &s->captured[i];
	}
	return NULL;
}

static bool decorate(struct scan *s, const uint32_t *w)
{
	struct captured *c;

	if (w[2] != SpvDecorationXfbBuffer && w[2] != SpvDecorationXfbStride && w[2] != SpvDecorationOffset)
		return true;
	c = find(s, w[1]);
	if (!c) {
		if (s->n == CAPTURED)
			return bad(s, XL_LOAD_BAD_PACKAGE, "the module captures more than %d variables", CAPTURED);
		c = &s->captured[s->n++];
		*c = (struct captured){ .id = w[1], .buffer = UINT32_MAX };
	}
	*(w[2] == SpvDecorationXfbBuffer ? &c->buffer : w[2] == SpvDecorationXfbStride ? &c->stride : &c->offset) = w[3];
	return true;
}

static bool variable(struct scan *s, uint32_t id, uint32_t bytes)
{
	const VkPhysicalDeviceTransformFeedbackPropertiesEXT *l = s->limits;
	const struct captured *c = find(s, id);
	uint64_t end;

	if (!c || c->buffer == UINT32_MAX)
		return true;
	if (!bytes)
		return bad(s, XL_LOAD_BAD_PACKAGE, "the module captures a variable of a type that this loader does not know");
	if (c->buffer >= BUFFERS || c->buffer >= l->maxTransformFeedbackBuffers)
		return bad(s, XL_LOAD_DEVICE, "buffer %u of transform feedback, and the device has %u", c->buffer,
			   l->maxTransformFeedbackBuffers);
	if (c->stride > l->maxTransformFeedbackBufferDataStride)
		return bad(s, XL_LOAD_DEVICE, "%u bytes between captured vertices, and the device has %u", c->stride,
			   l->maxTransformFeedbackBufferDataStride);
	end = (uint64_t)c->offset + bytes;
	if (end > l->maxTransformFeedbackBufferDataSize)
		return bad(s, XL_LOAD_DEVICE, "%llu captured bytes of a vertex, and the device has %u", (unsigned long long)end,
			   l->maxTransformFeedbackBufferDataSize);
	if (end > s->end[c->buffer])
		s->end[c->buffer] = end;
	return true;
}

static uint32_t value(const struct scan *s, uint32_t id)
{
	return id < s->nvalue ? s->value[id] : 0;
}

static void set(struct scan *s, uint32_t id, uint64_t v)
{
	if (id < s->nvalue)
		s->value[id] = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

static bool instruction(struct scan *s, const uint32_t *w, uint32_t count)
{
	switch (w[0] & 0xffff) {
	case SpvOpDecorate:
		return count != 4 || decorate(s, w);
	case SpvOpDecorationGroup: /* the variables come by GroupDecorate: the translator has none for captures */
		return count != 2 || !find(s, w[1]) || bad(s, XL_LOAD_BAD_PACKAGE, "the module captures what a group of decorations names");
	case SpvOpMemberDecorate:
		return count != 5 || w[3] != SpvDecorationXfbBuffer || bad(s, XL_LOAD_BAD_PACKAGE, "the module captures a structure's member");
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		if (count >= 3)
			set(s, w[1], w[2] / 8);
		break;
	case SpvOpTypeVector:
		if (count == 4)
			set(s, w[1], (uint64_t)value(s, w[2]) * w[3]);
		break;
	case SpvOpTypeArray:
		if (count == 4)
			set(s, w[1], (uint64_t)value(s, w[2]) * value(s, w[3]));
		break;
	case SpvOpConstant:
		if (count == 4)
			set(s, w[2], w[3]);
		break;
	case SpvOpTypePointer:
		if (count == 4)
			set(s, w[1], value(s, w[3]));
		break;
	case SpvOpVariable:
		return count < 4 || variable(s, w[2], value(s, w[1]));
	default:
		break;
	}
	return true;
}

enum xl_load_code load_capture_check(const struct load_module *m, const struct load_facts *facts, char *why, size_t cap)
{
	/* Ids are dense: of others nothing is known, however many a module says that it has. */
	size_t most = m->nwords < UINT32_MAX - LOOSE ? m->nwords + LOOSE : UINT32_MAX;
	struct scan s = { .limits = &facts->capture, .nvalue = m->words[3] < most ? m->words[3] : (uint32_t)most, .why = why, .cap = cap };
	uint64_t all = 0;
	bool fine;

	s.value = calloc((size_t)s.nvalue + 1, sizeof(*s.value));
	fine = s.value || bad(&s, XL_LOAD_MEMORY, "out of memory");
	for (size_t at = 5; fine && at < m->nwords && (m->words[at] & 0xffff) != SpvOpFunction; at += m->words[at] >> 16)
		fine = instruction(&s, m->words + at, m->words[at] >> 16);
	free(s.value);
	for (uint32_t i = 0; i < BUFFERS; i++)
		all += s.end[i];
	if (fine && all > facts->capture.maxTransformFeedbackStreamDataSize)
		fine = bad(&s, XL_LOAD_DEVICE, "%llu captured bytes of a vertex in all buffers, and the device has %u", (unsigned long long)all,
			   facts->capture.maxTransformFeedbackStreamDataSize);
	return fine ? XL_LOAD_NO_CODE : s.code;
}
