#include "xfb.h"

#include <stdlib.h>
#include <string.h>

#define ID SPVINFO_NO_MEMBER

static const uint32_t STRIDE_LATER = 0xfffffffe; /* stands for the stride until all outputs are placed */

struct words {
	uint32_t *data;
	size_t count, room;
};

static void append(struct words *w, const uint32_t *data, size_t n)
{
	if (w->count + n > w->room) {
		w->room = (w->count + n) * 2;
		w->data = realloc(w->data, w->room * sizeof *w->data);
	}
	memcpy(w->data + w->count, data, n * sizeof *data);
	w->count += n;
}

static void decorate(struct words *w, uint32_t id, int member, uint32_t kind, uint32_t value)
{
	if (member == ID) {
		uint32_t inst[] = {4u << 16 | SpvOpDecorate, id, kind, value};
		append(w, inst, 4);
	} else {
		uint32_t inst[] = {5u << 16 | SpvOpMemberDecorate, id, (uint32_t)member, kind, value};
		append(w, inst, 5);
	}
}

static void decorate_buffer(struct words *w, uint32_t variable)
{
	decorate(w, variable, ID, SpvDecorationXfbBuffer, 0);
	decorate(w, variable, ID, SpvDecorationXfbStride, STRIDE_LATER);
}

static void capture(struct xfb *x, struct xfb_capture c)
{
	if (x->ncaptures < XFB_MAX)
		x->captures[x->ncaptures++] = c;
	x->stride += c.count * c.width / 8;
}

static void capture_position(struct xfb *x, struct words *w, uint32_t id, int member)
{
	decorate(w, id, member, SpvDecorationOffset, x->stride);
	capture(x, (struct xfb_capture){x->stride, XFB_POSITION, 0, 4, 32});
}

/* Captures a user output of a type, with the decorations on (id, member). */
static void capture_output(struct xfb *x, struct words *w, const struct spvinfo *m, uint32_t type, struct slot at,
			   uint32_t id, int member)
{
	struct slot slots[SPVINFO_MAX];
	int n = 0;
	spvinfo_slots(m, type, at, slots, &n);
	for (int k = 0; k < n; k++)
		if (slots[k].width == 64)
			x->stride = (x->stride + 7) & ~7u;
	decorate(w, id, member, SpvDecorationOffset, x->stride);
	for (int k = 0; k < n; k++)
		capture(x, (struct xfb_capture){x->stride, slots[k].location, slots[k].component, slots[k].count,
						slots[k].width});
}

/* A block of outputs: built-ins (of which the position counts) in the first round, user outputs in the second. */
static void capture_block(struct xfb *x, struct words *w, const struct spvinfo *m, uint32_t variable, const uint32_t *d,
			  bool builtins)
{
	uint32_t members = spvinfo_words(d[0]) - 2, v, location = 0;
	bool has_builtins = false, position = false;
	for (uint32_t i = 0; i < members; i++) {
		if (!spvinfo_decoration(m, d[1], (int)i, SpvDecorationBuiltIn, &v))
			continue;
		has_builtins = true;
		if (builtins && v == SpvBuiltInPosition) {
			capture_position(x, w, d[1], (int)i);
			position = true;
		}
	}
	if (position)
		decorate_buffer(w, variable);
	if (has_builtins || builtins)
		return;
	decorate_buffer(w, variable);
	spvinfo_decoration(m, variable, ID, SpvDecorationLocation, &location);
	for (uint32_t i = 0; i < members; i++) {
		struct slot at = {.location = 0};
		if (spvinfo_decoration(m, d[1], (int)i, SpvDecorationLocation, &v))
			location = v;
		at.location = location;
		if (spvinfo_decoration(m, d[1], (int)i, SpvDecorationComponent, &v))
			at.component = v;
		capture_output(x, w, m, d[2 + i], at, d[1], (int)i);
		location += spvinfo_locations(m, d[2 + i]);
	}
}

static void capture_variable(struct xfb *x, struct words *w, const struct spvinfo *m, const uint32_t *var,
			     bool builtins)
{
	uint32_t id = var[2], type = spvinfo_def(m, var[1])[3], v;
	const uint32_t *d = spvinfo_def(m, type);
	if (spvinfo_decoration(m, id, ID, SpvDecorationBuiltIn, &v)) {
		if (v != SpvBuiltInPosition || !builtins)
			return;
		decorate_buffer(w, id);
		capture_position(x, w, id, ID);
		return;
	}
	if (d && spvinfo_op(d[0]) == SpvOpTypeStruct && spvinfo_decoration(m, type, ID, SpvDecorationBlock, NULL)) {
		capture_block(x, w, m, id, d, builtins);
		return;
	}
	if (builtins)
		return;
	struct slot at = {.location = 0};
	spvinfo_decoration(m, id, ID, SpvDecorationLocation, &at.location);
	spvinfo_decoration(m, id, ID, SpvDecorationComponent, &at.component);
	decorate_buffer(w, id);
	capture_output(x, w, m, type, at, id, ID);
}

static bool is_output(const struct spvinfo *m, const uint32_t *w)
{
	return spvinfo_op(w[0]) == SpvOpVariable && w[3] == SpvStorageClassOutput &&
	       spvinfo_has_builtin(m->iface, m->niface, w[2]);
}

/* Decorations of its own that the module may have for transform feedback. */
static bool old_decoration(const struct spvinfo *m, const uint32_t *w)
{
	uint32_t op = spvinfo_op(w[0]);
	if (op != SpvOpDecorate && op != SpvOpMemberDecorate)
		return false;
	uint32_t kind = w[op == SpvOpDecorate ? 2 : 3];
	if (kind == SpvDecorationXfbBuffer || kind == SpvDecorationXfbStride || kind == SpvDecorationStream)
		return true;
	if (kind != SpvDecorationOffset)
		return false;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *v = m->words + p;
		if (spvinfo_op(v[0]) == SpvOpVariable && v[3] == SpvStorageClassOutput &&
		    (v[2] == w[1] || spvinfo_def(m, v[1])[3] == w[1]))
			return true;
	}
	return false;
}

/*
 * A block of which there is an array: each of its elements would go to a buffer of its own. As a plain structure they all
 * go to the one buffer.
 */
static bool block_of_array(const struct spvinfo *m, const uint32_t *w)
{
	if (spvinfo_op(w[0]) != SpvOpDecorate || w[2] != SpvDecorationBlock)
		return false;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *v = m->words + p, *type;
		if (spvinfo_op(v[0]) != SpvOpVariable || v[3] != SpvStorageClassOutput)
			continue;
		type = spvinfo_def(m, spvinfo_def(m, v[1])[3]);
		if (type && spvinfo_op(type[0]) == SpvOpTypeArray && type[2] == w[1])
			return true;
	}
	return false;
}

void xfb_rewrite(const struct spvinfo *m, struct xfb *x)
{
	struct words dec = {0}, out = {0};
	const uint32_t capability[] = {2u << 16 | SpvOpCapability, SpvCapabilityTransformFeedback};
	const uint32_t mode[] = {3u << 16 | SpvOpExecutionMode, m->entry_id, SpvExecutionModeXfb};
	size_t last_entry = 0;
	bool decorated = false;

	memset(x, 0, sizeof *x);
	for (int round = 0; round < 2; round++)
		for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p]))
			if (is_output(m, m->words + p))
				capture_variable(x, &dec, m, m->words + p, round == 0);
	x->stride = (x->stride + 7) & ~7u;
	for (size_t i = 0; i < dec.count; i++)
		if (dec.data[i] == STRIDE_LATER)
			dec.data[i] = x->stride;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p]))
		if (spvinfo_op(m->words[p]) == SpvOpEntryPoint)
			last_entry = p;
	append(&out, m->words, 5);
	append(&out, capability, 2);
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *w = m->words + p;
		uint32_t op = spvinfo_op(w[0]);
		if (!decorated && ((op >= SpvOpTypeVoid && op <= SpvOpTypeFunction) || op == SpvOpFunction)) {
			append(&out, dec.data, dec.count);
			decorated = true;
		}
		if (old_decoration(m, w) || block_of_array(m, w) ||
		    (op == SpvOpExecutionMode && w[1] == m->entry_id && w[2] == SpvExecutionModeXfb))
			continue;
		append(&out, w, spvinfo_words(w[0]));
		if (p == last_entry)
			append(&out, mode, 3);
	}
	free(dec.data);
	x->words = out.data;
	x->count = out.count;
}

/* Copies component c of a slot from one captured vertex; a component nobody wrote is zero. */
static void copy_component(const struct xfb *x, const struct slot *s, uint32_t c, const uint8_t *vertex, uint8_t *to)
{
	uint32_t bytes = s->width / 8, component = s->component + c;
	for (int i = 0; i < x->ncaptures; i++) {
		const struct xfb_capture *k = &x->captures[i];
		if (k->location == s->location && k->component <= component && component < k->component + k->count)
			memcpy(to, vertex + k->offset + (component - k->component) * bytes, bytes);
	}
}

/* Is something stored through a pointer? Whatever is not a load may be a store. */
static bool stored(const struct spvinfo *m, uint32_t pointer)
{
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *w = m->words + p;
		uint32_t op = spvinfo_op(w[0]);
		if (op <= SpvOpExecutionMode || op == SpvOpDecorate || op == SpvOpMemberDecorate || op == SpvOpLoad)
			continue;
		for (uint32_t i = 1; i < spvinfo_words(w[0]); i++)
			if (w[i] == pointer && !(i == 2 && w == spvinfo_def(m, pointer)))
				return true;
	}
	return false;
}

/* Does the module store to its position? `member`: of the variable's type, or ID. */
static bool stores_position(const struct spvinfo *m, const uint32_t *var, int member)
{
	if (spvinfo_words(var[0]) > 4) /* it has a value from the start */
		return true;
	if (member == ID)
		return stored(m, var[2]);
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *w = m->words + p;
		uint32_t op = spvinfo_op(w[0]);
		if (op <= SpvOpExecutionMode || op == SpvOpDecorate || op == SpvOpLoad || op == SpvOpVariable)
			continue;
		if (op == SpvOpAccessChain && w[3] == var[2]) {
			if (spvinfo_constant(m, w[4]) == (uint32_t)member && stored(m, w[2]))
				return true;
			continue;
		}
		for (uint32_t i = 1; i < spvinfo_words(w[0]); i++)
			if (w[i] == var[2])
				return true;
	}
	return false;
}

enum position { NO_POSITION, LEFT_OUT /* declared, but what it is is not defined */, STORED };
static enum position position_of(const struct spvinfo *m)
{
	enum position found = NO_POSITION;
	for (size_t p = 5; p < m->count; p += spvinfo_words(m->words[p])) {
		const uint32_t *var = m->words + p, *d;
		uint32_t v;
		if (!is_output(m, var))
			continue;
		d = spvinfo_def(m, spvinfo_def(m, var[1])[3]);
		if (spvinfo_decoration(m, var[2], ID, SpvDecorationBuiltIn, &v)) {
			if (v == SpvBuiltInPosition)
				found = stores_position(m, var, ID) ? STORED : LEFT_OUT;
			continue;
		}
		for (uint32_t i = 0; d && spvinfo_op(d[0]) == SpvOpTypeStruct && i < spvinfo_words(d[0]) - 2; i++)
			if (spvinfo_decoration(m, d[1], (int)i, SpvDecorationBuiltIn, &v) && v == SpvBuiltInPosition)
				found = stores_position(m, var, (int)i) ? STORED : LEFT_OUT;
	}
	return found;
}

struct record *xfb_record(const struct xfb *x, const struct spvinfo *iface, const uint8_t *captured, uint32_t n,
			  struct outputs *o)
{
	uint32_t size = 0;
	enum position position = position_of(iface);
	if (position)
		size += 16;
	for (int k = 0; k < iface->nout; k++)
		size += iface->out[k].count * iface->out[k].width / 8;
	uint8_t *data = calloc(n, size + 1);
	struct record *r = outputs_add(o, "xfb", data, (uint64_t)n * size);
	free(data);
	uint8_t *to = r->data;
	for (uint32_t v = 0; v < n; v++) {
		const uint8_t *vertex = captured + (size_t)v * x->stride;
		for (int i = 0; i < x->ncaptures && position == STORED; i++)
			if (x->captures[i].location == XFB_POSITION)
				memcpy(to, vertex + x->captures[i].offset, 16);
		if (position)
			outputs_classify(r, (uint64_t)(to - r->data), CLASS_F32, 4);
		to += position ? 16 : 0;
		for (int k = 0; k < iface->nout; k++) {
			const struct slot *s = &iface->out[k];
			for (uint32_t c = 0; c < s->count; c++, to += s->width / 8) {
				copy_component(x, s, c, vertex, to);
				if (s->base == 'f')
					outputs_classify(r, (uint64_t)(to - r->data),
							 s->width == 64   ? CLASS_F64
							 : s->width == 16 ? CLASS_F16
									  : CLASS_F32,
							 1);
			}
		}
	}
	r->width = n;
	r->height = size;
	r->extra = 0;
	return r;
}
