#include "xfb.h"

#include <string.h>

#define ID SPVINFO_NO_MEMBER

static bool has_mode(const struct spvinfo *m)
{
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p]))
		if (spvinfo_op(m->words[p]) == SpvOpExecutionMode && m->words[p + 1] == m->entry_id &&
		    m->words[p + 2] == SpvExecutionModeXfb)
			return true;
	return false;
}

/* A captured variable or member: (at, member) has the place, (at, member) or else the variable the buffer. */
static void captured(const struct spvinfo *m, struct xfb_own *x, uint32_t variable, uint32_t at, int member, uint32_t type)
{
	uint32_t offset, buffer, stride;
	struct slot slots[SPVINFO_MAX];
	int n = 0;

	if (!spvinfo_decoration(m, at, member, SpvDecorationOffset, &offset))
		return;
	if (!spvinfo_decoration(m, at, member, SpvDecorationXfbBuffer, &buffer))
		spvinfo_decoration(m, variable, ID, SpvDecorationXfbBuffer, &buffer);
	if (!spvinfo_decoration(m, at, member, SpvDecorationXfbStride, &stride))
		spvinfo_decoration(m, variable, ID, SpvDecorationXfbStride, &stride);
	if (buffer >= XFB_BUFFERS)
		return;
	x->stride[buffer] = stride;
	spvinfo_slots(m, type, (struct slot){.location = 0}, slots, &n);
	for (int k = 0; k < n && x->nfloats < XFB_MAX; k++) {
		if (slots[k].base == 'f' && slots[k].width == 32)
			x->floats[x->nfloats++] = (struct xfb_capture){offset, buffer, 0, slots[k].count, 32};
		offset += slots[k].count * slots[k].width / 8;
	}
}

bool xfb_own_find(const struct spvinfo *m, struct xfb_own *x)
{
	memset(x, 0, sizeof *x);
	if (!has_mode(m))
		return false;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *v = m->words + p, *d;
		if (spvinfo_op(v[0]) != SpvOpVariable || v[3] != SpvStorageClassOutput)
			continue;
		uint32_t type = spvinfo_def(m, v[1])[3];
		captured(m, x, v[2], v[2], ID, type);
		d = spvinfo_def(m, type);
		for (uint32_t i = 0; d && spvinfo_op(d[0]) == SpvOpTypeStruct && i < spvinfo_words(d[0]) - 2; i++)
			captured(m, x, v[2], type, (int)i, d[2 + i]);
	}
	return true;
}

void xfb_own_record(const struct xfb_own *x, uint32_t buffer, const void *data, uint32_t n, struct outputs *o)
{
	struct record *r = outputs_add(o, "xfbown", data, (uint64_t)n * x->stride[buffer]);

	r->a = buffer;
	r->width = n;
	r->height = x->stride[buffer];
	for (int k = 0; k < x->nfloats; k++)
		for (uint32_t v = 0; v < n && x->floats[k].location == buffer; v++)
			outputs_classify(r, (uint64_t)v * x->stride[buffer] + x->floats[k].offset, CLASS_F32, x->floats[k].count);
}
