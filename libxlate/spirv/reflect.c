/* reflect.c - what a runtime must know of a module, as JSON text, from what the emitter itself declared:
 *
 *	{"stage": "compute", "workgroup": [64, 1, 1], "subgroup": 0, "shared": 0,
 *	 "push": {"offset": 0, "size": 16},
 *	 "bindings": [{"set": 0, "binding": 1, "type": "storage_buffer", "count": 1, "read": true, "written": false,
 *	               "path": "set 0"}, ...],
 *	 "inputs": [{"location": 0, "component": 0, "components": 4, "type": "f32", "interp": "smooth"}], "outputs": [...],
 *	 "clip": 2, "cull": 1,      (how many distances to planes are written)
 *	 "layer": 3, "viewport": 3, (location of the words that are handed to a geometry stage, x the layer, y the viewport)
 *	 "captures": [{"buffer": 0, "offset": 0, "bytes": 16, "stride": 32}, ...],    (where transform feedback captures outputs)
 *	 "builtins": [...], "capabilities": [1, ...]}
 *
 * count 0 is a run-time array. Keys appear in this order; lists are in the order of the function's tables.
 */
#include "../textbuf.h"
#include "emit.h"

#define put textbuf_put

#define put_number textbuf_put_number

/* A key, or what else stands before it, and its value. */
static inline void put_bool(struct textbuf *t, const char *key, bool v)
{
	static const struct textbuf_short text[2] = {{TEXTBUF_SHORT("false")}, {TEXTBUF_SHORT("true")}};

	put(t, key);
	textbuf_put_short(t, &text[v]);
}

/* The same of a name, which has its quotes. */
static inline void put_name(struct textbuf *t, const char *key, const struct textbuf_short *name)
{
	put(t, key);
	textbuf_put_short(t, name);
}
#define NAME(text) {TEXTBUF_SHORT("\"" text "\"")}

static void put_string(struct textbuf *t, const char *s)
{
	put(t, "\"");
	for (const char *from = s;; s++) {
		if ((unsigned char)*s >= 32 && *s != '"' && *s != '\\')
			continue;
		textbuf_putn(t, from, (size_t)(s - from));
		if (!*s)
			break;
		textbuf_form(t, "\\u00%x%x", (unsigned)(unsigned char)*s >> 4, (unsigned)*s & 15);
		from = s + 1;
	}
	put(t, "\"");
}

static const struct textbuf_short stages[STAGE_COUNT] = {
	NAME("vertex"), NAME("tess_ctrl"), NAME("tess_eval"), NAME("geometry"), NAME("fragment"), NAME("compute"), NAME("task"), NAME("mesh"),
};
static const struct textbuf_short kinds[] = {
	[RES_STORAGE_BUFFER] = NAME("storage_buffer"), [RES_UNIFORM_BUFFER] = NAME("uniform_buffer"), [RES_PUSH] = NAME("push"),
	[RES_CONST_DATA] = NAME("const_data"), [RES_UNIFORM_TEXEL] = NAME("uniform_texel"), [RES_STORAGE_TEXEL] = NAME("storage_texel"),
	[RES_SAMPLED_IMAGE] = NAME("sampled_image"), [RES_STORAGE_IMAGE] = NAME("storage_image"), [RES_SAMPLER] = NAME("sampler"),
	[RES_COMBINED] = NAME("combined"), [RES_INPUT_ATTACHMENT] = NAME("input_attachment"), [RES_PHYSICAL] = NAME("physical"),
};
static const struct textbuf_short dims[] = {
	NAME("1d"), NAME("2d"), NAME("3d"), NAME("cube"), NAME("buffer"), NAME("subpass"), NAME("unknown"),
};
static const struct textbuf_short numerics[] = {NAME("float"), NAME("sint"), NAME("uint"), NAME("unknown")};

static bool emitted(const struct emit_res *r)
{
	return r->nvar != 0;
}

static void bindings(struct textbuf *t, const struct emit *e)
{
	bool first = true;

	put(t, ",\"bindings\":[");
	for (uint32_t k = 0; k < e->fn->nres; k++) {
		const struct ir_resource *q = &e->fn->res[k];
		const struct emit_res *r = &e->res[k];
		if (!emitted(r) || q->kind == RES_PUSH || q->kind == RES_CONST_DATA || q->kind == RES_PHYSICAL)
			continue;
		put(t, first ? "{" : ",{");
		put_number(t, "\"set\":", q->set);
		put_number(t, ",\"binding\":", q->binding);
		put_name(t, ",\"type\":", &kinds[q->kind]);
		put_number(t, ",\"count\":", q->count);
		put_bool(t, ",\"read\":", r->read);
		put_bool(t, ",\"written\":", r->written);
		first = false;
		if (q->kind >= RES_UNIFORM_TEXEL && q->kind != RES_SAMPLER) {
			put_name(t, ",\"dim\":", &dims[q->dim < 7 ? q->dim : 6]);
			put_bool(t, ",\"arrayed\":", q->arrayed == 1);
			put_bool(t, ",\"ms\":", q->ms == 1);
			put_name(t, ",\"numeric\":", &numerics[q->numeric < 4 ? q->numeric : 3]);
			put_number(t, ",\"format\":", q->format);
		}
		if (q->path) {
			put(t, ",\"path\":");
			put_string(t, q->path);
		}
		put(t, "}");
	}
	put(t, "]");
}

static void push(struct textbuf *t, const struct emit *e)
{
	for (uint32_t k = 0; k < e->fn->nres; k++) {
		const struct emit_res *r = &e->res[k];
		uint32_t low = r->dynamic ? 0 : r->low & ~3u, high = r->dynamic ? e->fn->res[k].size : (r->high + 3) & ~3u;
		if (e->fn->res[k].kind != RES_PUSH || !emitted(r))
			continue;
		put_number(t, ",\"push\":{\"offset\":", low);
		put_number(t, ",\"size\":", high > low ? high - low : 0);
		put(t, "}");
	}
}

static void located(struct textbuf *t, const struct emit *e, bool output)
{
	static const struct textbuf_short interp[] = {NAME("smooth"), NAME("noperspective"), NAME("flat"), NAME("vertices")};
	static const struct textbuf_short types[] = {NAME("f32"), NAME("i32"), NAME("u32"), NAME("other")};
	bool first = true;

	put(t, output ? ",\"outputs\":[" : ",\"inputs\":[");
	for (uint32_t k = 0; k < e->fn->niface; k++) {
		const struct ir_iface *f = &e->fn->iface[k];
		if (f->output != output || f->builtin || !e->iface[k].var)
			continue;
		put(t, first ? "{" : ",{");
		put_number(t, "\"location\":", f->location);
		put_number(t, ",\"component\":", e->iface[k].low);
		put_number(t, ",\"components\":", e->iface[k].n);
		put_name(t, ",\"type\":", &types[f->base == IR_F32 ? 0 : f->base == IR_I32 ? 2 - (f->sign != 0) : 3]);
		if (e->fn->stage == STAGE_FRAGMENT && !output)
			put_name(t, ",\"interp\":", &interp[f->interp < 4 ? f->interp : 0]);
		if (f->index)
			put_number(t, ",\"index\":", f->index);
		if (e->iface[k].len)
			put_number(t, ",\"array\":", e->iface[k].len);
		put(t, "}");
		first = false;
	}
	put(t, "]");
}

/* How many distances to planes a program writes. */
static void distances(struct textbuf *t, const struct emit *e, unsigned builtin, const char *key)
{
	for (uint32_t k = 0; k < e->fn->niface; k++)
		if (e->fn->iface[k].output && e->fn->iface[k].builtin == builtin && e->iface[k].var)
			put_number(t, key, e->iface[k].len);
}

static void handed(struct textbuf *t, const struct emit *e)
{
	const struct facts *f = e->facts;

	if (e->fn->stage != STAGE_VERTEX || !facts_hands(f))
		return;
	if (f->handed & FACT_LAYER)
		put_number(t, ",\"layer\":", f->hand_place);
	if (f->handed & FACT_VIEWPORT)
		put_number(t, ",\"viewport\":", f->hand_place);
}

static void captures(struct textbuf *t, const struct emit *e)
{
	for (uint32_t k = 0, n = 0; k < e->fn->niface && e->captures; k++) {
		const struct ir_iface *f = &e->fn->iface[k];
		if (!f->capture || !e->iface[k].var)
			continue;
		put_number(t, n++ ? ",{\"buffer\":" : ",\"captures\":[{\"buffer\":", f->capture - 1u);
		put_number(t, ",\"offset\":", f->capture_at);
		put_number(t, ",\"bytes\":", 4u * e->iface[k].n);
		put_number(t, ",\"stride\":", f->capture_stride);
		put(t, "}");
	}
	put(t, e->captures ? "]" : "");
}

const char *reflect_text(struct emit *e)
{
	struct textbuf t;
	const struct words_array *c = &e->m.sec[SEC_CAPABILITY];

	textbuf_grow(&t, e->arena);
	put_name(&t, "{\"stage\":", &stages[e->fn->stage < STAGE_COUNT ? e->fn->stage : STAGE_COMPUTE]);
	if (e->fn->stage == STAGE_COMPUTE) {
		put_number(&t, ",\"workgroup\":[", e->fn->workgroup[0]);
		put_number(&t, ",", e->fn->workgroup[1]);
		put_number(&t, ",", e->fn->workgroup[2]);
		put(&t, "]");
	}
	put_number(&t, ",\"subgroup\":", e->subgroup_size);
	put_number(&t, ",\"shared\":", e->local_var[LOCAL_SHARED] || e->local_var[LOCAL_WIDE] ? e->fn->shared_bytes : 0);
	push(&t, e);
	bindings(&t, e);
	located(&t, e, false);
	located(&t, e, true);
	distances(&t, e, SYSVAL_clip_distance, ",\"clip\":");
	distances(&t, e, SYSVAL_cull_distance, ",\"cull\":");
	handed(&t, e);
	captures(&t, e);
	put(&t, ",\"capabilities\":[");
	for (size_t i = 1; i < c->n; i += 2)
		put_number(&t, i > 1 ? "," : "", c->w[i]);
	put(&t, "]}");
	return t.start;
}
