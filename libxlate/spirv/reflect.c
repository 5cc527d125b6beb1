/* reflect.c - what a runtime must know of a module, as JSON text, from what the emitter itself declared:
 *
 *	{"stage": "compute", "workgroup": [64, 1, 1], "subgroup": 0, "shared": 0,
 *	 "push": {"offset": 0, "size": 16},
 *	 "bindings": [{"set": 0, "binding": 1, "type": "storage_buffer", "count": 1, "read": true, "written": false,
 *	               "path": "set 0"}, ...],
 *	 "inputs": [{"location": 0, "component": 0, "components": 4, "type": "f32", "interp": "smooth"}], "outputs": [...],
 *	 "builtins": [...], "capabilities": [1, ...]}
 *
 * count 0 is a run-time array. Keys appear in this order; lists are in the order of the function's tables.
 */
#include "../textbuf.h"
#include "emit.h"

#define put textbuf_form

static void put_string(struct textbuf *t, const char *s)
{
	put(t, "\"");
	for (; *s; s++)
		if ((unsigned char)*s < 32 || *s == '"' || *s == '\\')
			put(t, "\\u00%x%x", (unsigned)(unsigned char)*s >> 4, (unsigned)*s & 15);
		else
			put(t, "%c", *s);
	put(t, "\"");
}

static const char *const stages[STAGE_COUNT] = {"vertex", "tess_ctrl", "tess_eval", "geometry", "fragment", "compute", "task", "mesh"};
static const char *const kinds[] = {
	[RES_STORAGE_BUFFER] = "storage_buffer", [RES_UNIFORM_BUFFER] = "uniform_buffer", [RES_PUSH] = "push",
	[RES_CONST_DATA] = "const_data", [RES_UNIFORM_TEXEL] = "uniform_texel", [RES_STORAGE_TEXEL] = "storage_texel",
	[RES_SAMPLED_IMAGE] = "sampled_image", [RES_STORAGE_IMAGE] = "storage_image", [RES_SAMPLER] = "sampler",
	[RES_COMBINED] = "combined", [RES_INPUT_ATTACHMENT] = "input_attachment", [RES_PHYSICAL] = "physical",
};
static const char *const dims[] = {"1d", "2d", "3d", "cube", "buffer", "subpass", "unknown"};
static const char *const numerics[] = {"float", "sint", "uint", "unknown"};

static const char *boolean(bool v)
{
	return v ? "true" : "false";
}

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
		put(t, "%s{\"set\":%u,\"binding\":%u,\"type\":\"%s\",\"count\":%u,\"read\":%s,\"written\":%s", first ? "" : ",", q->set,
		    q->binding, kinds[q->kind], q->count, boolean(r->read), boolean(r->written));
		first = false;
		if (q->kind >= RES_UNIFORM_TEXEL && q->kind != RES_SAMPLER)
			put(t, ",\"dim\":\"%s\",\"arrayed\":%s,\"ms\":%s,\"numeric\":\"%s\",\"format\":%u", dims[q->dim < 7 ? q->dim : 6],
			    boolean(q->arrayed == 1), boolean(q->ms == 1), numerics[q->numeric < 4 ? q->numeric : 3], q->format);
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
		if (e->fn->res[k].kind == RES_PUSH && emitted(r))
			put(t, ",\"push\":{\"offset\":%u,\"size\":%u}", low, high > low ? high - low : 0);
	}
}

static void located(struct textbuf *t, const struct emit *e, bool output)
{
	static const char *const interp[] = {"smooth", "noperspective", "flat"};
	bool first = true;

	put(t, ",\"%s\":[", output ? "outputs" : "inputs");
	for (uint32_t k = 0; k < e->fn->niface; k++) {
		const struct ir_iface *f = &e->fn->iface[k];
		if (f->output != output || f->builtin || !e->iface[k].var)
			continue;
		put(t, "%s{\"location\":%u,\"component\":%u,\"components\":%u,\"type\":\"%s\"", first ? "" : ",", f->location,
		    e->iface[k].low, e->iface[k].n, f->base == IR_F32 ? "f32" : f->base == IR_I32 ? f->sign ? "i32" : "u32" : "other");
		if (e->fn->stage == STAGE_FRAGMENT && !output)
			put(t, ",\"interp\":\"%s\"", interp[f->interp < 3 ? f->interp : 0]);
		if (f->index)
			put(t, ",\"index\":%u", f->index);
		if (e->iface[k].len)
			put(t, ",\"array\":%u", e->iface[k].len);
		put(t, "}");
		first = false;
	}
	put(t, "]");
}

const char *reflect_text(struct emit *e)
{
	struct textbuf t;
	const struct words_array *c = &e->m.sec[SEC_CAPABILITY];

	textbuf_grow(&t, e->arena);
	put(&t, "{\"stage\":\"%s\"", stages[e->fn->stage < STAGE_COUNT ? e->fn->stage : STAGE_COMPUTE]);
	if (e->fn->stage == STAGE_COMPUTE)
		put(&t, ",\"workgroup\":[%u,%u,%u]", e->fn->workgroup[0], e->fn->workgroup[1], e->fn->workgroup[2]);
	put(&t, ",\"subgroup\":%u,\"shared\":%u", e->subgroup_size, e->shared_var ? e->fn->shared_bytes : 0);
	push(&t, e);
	bindings(&t, e);
	located(&t, e, false);
	located(&t, e, true);
	put(&t, ",\"capabilities\":[");
	for (size_t i = 1; i < c->n; i += 2)
		put(&t, "%s%u", i > 1 ? "," : "", c->w[i]);
	put(&t, "]}");
	return t.start;
}
