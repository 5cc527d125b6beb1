/* emit_geom.c - the geometry stage of a fragment program whose barycentrics are made (passes/hostinterp_raw.c), or whose vertex
 * program writes a layer or a viewport that the target takes from geometry stages alone (facts_hands).
 *
 *     for (k = 0; k < 3; k++) { position, parameters = vertex k's; weights = (k == 1, k == 2);
 *                               what is flat for vertex n = vertex n's; emit }
 *
 * Triangles in, triangles out: strips and fans come as triangles, vertex 0 being the one that provokes. It hands on what the
 * fragment program reads, the distances to planes that the vertex program writes, and the layer and viewport that it hands on.
 */
#include "../textbuf.h"
#include "emit.h"

enum { VERTICES = 3, POSITION = 4 /* components */ };

struct var { uint32_t id, type, location; uint8_t base, sign, low, n; };
struct geom {
	const struct emit *e;
	struct words m;
	struct var *in, *out; /* out: per interface entry of the fragment program; id 0: none */
	uint32_t nin, *entry, nentry;
	uint32_t position_in, position_out, primitive_in, primitive_out;
	struct planes { uint32_t in, out, type; uint8_t n; } clip, cull;
	struct var hand; /* the layer's word and the viewport's; id 0: none */
	uint32_t layer, viewport;
	uint64_t components_in, components_out; /* those of built-ins, too */
	uint64_t locations_in, locations_out;   /* up to the last one that is taken: limits are of both */
};

static uint32_t scalar(struct geom *g, unsigned base, unsigned sign)
{
	return base == IR_F32 ? words_type(&g->m, SpvOpTypeFloat, WORDS_ARGS(32)) : words_type(&g->m, SpvOpTypeInt, WORDS_ARGS(32, sign));
}

static uint32_t vec(struct geom *g, unsigned base, unsigned sign, unsigned n)
{
	uint32_t s = scalar(g, base, sign);

	return n > 1 ? words_type(&g->m, SpvOpTypeVector, WORDS_ARGS(s, n)) : s;
}

static uint32_t number(struct geom *g, uint32_t v)
{
	return words_const(&g->m, SpvOpConstant, scalar(g, IR_I32, 0), WORDS_ARGS(v));
}

static uint32_t pointer(struct geom *g, SpvStorageClass c, uint32_t type)
{
	return words_type(&g->m, SpvOpTypePointer, WORDS_ARGS((uint32_t)c, type));
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A variable; of inputs `each` vertex has one. */
static uint32_t variable(struct geom *g, SpvStorageClass c, uint32_t type, bool each)
{
	uint32_t id, p;

	if (each) {
		uint32_t n = number(g, VERTICES);
		type = words_type(&g->m, SpvOpTypeArray, WORDS_ARGS(type, n));
	}
	p = pointer(g, c, type);
	id = words_id(&g->m);
	WORDS_PUT(&g->m, SEC_GLOBAL, SpvOpVariable, p, id, (uint32_t)c);
	g->entry[g->nentry++] = id;
	return id;
}

static void decorate(struct geom *g, uint32_t id, SpvDecoration d, uint32_t value)
{
	WORDS_PUT(&g->m, SEC_ANNOTATION, SpvOpDecorate, id, (uint32_t)d, value);
}

static void located(struct geom *g, struct var *v, SpvStorageClass c)
{
	v->type = vec(g, v->base, v->sign, v->n);
	v->id = variable(g, c, v->type, c == SpvStorageClassInput);
	decorate(g, v->id, SpvDecorationLocation, v->location);
	if (v->low)
		decorate(g, v->id, SpvDecorationComponent, v->low);
}

/* The input that an entry of the fragment program comes from. */
static struct var *source(struct geom *g, const struct ir_iface *f, const struct var *out)
{
	uint32_t location = f->made ? f->from : f->location;

	for (uint32_t i = 0; i < g->nin; i++)
		if (g->in[i].location == location && g->in[i].low == out->low)
			return &g->in[i];
	g->in[g->nin] = (struct var){ .location = location, .base = out->base, .sign = out->sign, .low = out->low };
	return &g->in[g->nin++];
}

/* Distances to planes: an array of each vertex. */
static void planes(struct geom *g, struct planes *p, uint8_t n, SpvBuiltIn which)
{
	if (!n)
		return;
	uint32_t f32 = scalar(g, IR_F32, 0), length = number(g, n);
	p->n = n;
	p->type = words_type(&g->m, SpvOpTypeArray, WORDS_ARGS(f32, length));
	p->in = variable(g, SpvStorageClassInput, p->type, true);
	p->out = variable(g, SpvStorageClassOutput, p->type, false);
	decorate(g, p->in, SpvDecorationBuiltIn, (uint32_t)which);
	decorate(g, p->out, SpvDecorationBuiltIn, (uint32_t)which);
	words_capability(&g->m, which == SpvBuiltInClipDistance ? SpvCapabilityClipDistance : SpvCapabilityCullDistance);
}

static uint32_t number_out(struct geom *g, SpvBuiltIn which)
{
	uint32_t id = variable(g, SpvStorageClassOutput, scalar(g, IR_I32, 0), false);

	decorate(g, id, SpvDecorationBuiltIn, (uint32_t)which);
	return id;
}

/* Words that the vertex program hands on: the layer's first, the viewport's second. */
static void handed(struct geom *g)
{
	const struct facts *f = g->e->facts;

	if (!facts_hands(f))
		return;
	g->hand = (struct var){ .location = f->hand_place, .base = IR_I32, .n = f->handed & FACT_VIEWPORT ? 2 : 1 };
	located(g, &g->hand, SpvStorageClassInput);
	g->components_in += g->hand.n;
	g->locations_in = larger(g->locations_in, f->hand_place + 1u);
	if (f->handed & FACT_LAYER)
		g->layer = number_out(g, SpvBuiltInLayer);
	if (f->handed & FACT_VIEWPORT) {
		g->viewport = number_out(g, SpvBuiltInViewportIndex);
		words_capability(&g->m, SpvCapabilityMultiViewport);
	}
}

static void declare(struct geom *g)
{
	const struct ir_fn *fn = g->e->fn;

	for (uint32_t k = 0; k < fn->niface; k++) {
		const struct ir_iface *f = &fn->iface[k];
		const struct emit_iface *v = &g->e->iface[k];
		if (f->output || f->builtin || !v->var)
			continue;
		g->out[k] = (struct var){ .location = f->location, .base = f->base, .sign = f->sign, .low = v->low, .n = v->n };
		located(g, &g->out[k], SpvStorageClassOutput);
		g->components_out += v->n;
		g->locations_out = larger(g->locations_out, f->location + 1u);
		if (f->made == MADE_WEIGHTS)
			continue;
		struct var *in = source(g, f, &g->out[k]);
		in->n = in->n > v->n ? in->n : v->n;
	}
	for (uint32_t i = 0; i < g->nin; i++) {
		located(g, &g->in[i], SpvStorageClassInput);
		g->components_in += g->in[i].n;
		g->locations_in = larger(g->locations_in, g->in[i].location + 1u);
	}
	g->position_in = variable(g, SpvStorageClassInput, vec(g, IR_F32, 0, POSITION), true);
	g->position_out = variable(g, SpvStorageClassOutput, vec(g, IR_F32, 0, POSITION), false);
	decorate(g, g->position_in, SpvDecorationBuiltIn, SpvBuiltInPosition);
	decorate(g, g->position_out, SpvDecorationBuiltIn, SpvBuiltInPosition);
	planes(g, &g->clip, g->e->facts->vertex_clip, SpvBuiltInClipDistance);
	planes(g, &g->cull, g->e->facts->vertex_cull, SpvBuiltInCullDistance);
	handed(g);
	if (!g->e->builtin[SYSVAL_primitive_id].var)
		return;
	g->primitive_in = variable(g, SpvStorageClassInput, scalar(g, IR_I32, 0), false);
	g->primitive_out = number_out(g, SpvBuiltInPrimitiveId);
	decorate(g, g->primitive_in, SpvDecorationBuiltIn, SpvBuiltInPrimitiveId);
}

static uint32_t load_vertex(struct geom *g, uint32_t var, uint32_t type, unsigned vertex)
{
	uint32_t p = pointer(g, SpvStorageClassInput, type), k = number(g, vertex), at = words_id(&g->m), v = words_id(&g->m);

	WORDS_PUT(&g->m, SEC_BODY, SpvOpAccessChain, p, at, var, k);
	WORDS_PUT(&g->m, SEC_BODY, SpvOpLoad, type, v, at);
	return v;
}

/* The first `n` components of an input's vertex. */
static uint32_t value_of(struct geom *g, const struct var *in, const struct var *out, unsigned vertex)
{
	uint32_t v = load_vertex(g, in->id, in->type, vertex), w[2 + 2 + 4], id;

	if (in->n == out->n)
		return v;
	id = words_id(&g->m);
	if (out->n == 1) {
		WORDS_PUT(&g->m, SEC_BODY, SpvOpCompositeExtract, out->type, id, v, 0);
		return id;
	}
	w[0] = out->type;
	w[1] = id;
	w[2] = w[3] = v;
	for (unsigned c = 0; c < out->n; c++)
		w[4 + c] = c;
	words_put(&g->m, SEC_BODY, SpvOpVectorShuffle, w, 4u + out->n);
	return id;
}

static uint32_t weights(struct geom *g, const struct var *out, unsigned vertex)
{
	uint32_t f32 = scalar(g, IR_F32, 0), w[4];

	for (unsigned c = 0; c < out->n && c < 4; c++)
		w[c] = words_const(&g->m, SpvOpConstant, f32, WORDS_ARGS(vertex == c + 1 ? 0x3f800000u : 0));
	return out->n == 1 ? w[0] : words_const(&g->m, SpvOpConstantComposite, out->type, w, out->n);
}

static void copy_planes(struct geom *g, const struct planes *p, unsigned vertex)
{
	uint32_t v = p->n ? load_vertex(g, p->in, p->type, vertex) : 0;

	if (v)
		WORDS_PUT(&g->m, SEC_BODY, SpvOpStore, p->out, v);
}

static void store_word(struct geom *g, uint32_t to, uint32_t from, unsigned comp)
{
	uint32_t v = from;

	if (!to)
		return;
	if (g->hand.n > 1) {
		v = words_id(&g->m);
		WORDS_PUT(&g->m, SEC_BODY, SpvOpCompositeExtract, scalar(g, IR_I32, 0), v, from, comp);
	}
	WORDS_PUT(&g->m, SEC_BODY, SpvOpStore, to, v);
}

static void vertex(struct geom *g, unsigned k)
{
	const struct ir_fn *fn = g->e->fn;
	uint32_t type = vec(g, IR_F32, 0, POSITION), v = load_vertex(g, g->position_in, type, k);

	WORDS_PUT(&g->m, SEC_BODY, SpvOpStore, g->position_out, v);
	copy_planes(g, &g->clip, k);
	copy_planes(g, &g->cull, k);
	if (g->hand.id) {
		v = load_vertex(g, g->hand.id, g->hand.type, k);
		store_word(g, g->layer, v, 0);
		store_word(g, g->viewport, v, 1);
	}
	for (uint32_t i = 0; i < fn->niface; i++) {
		const struct ir_iface *f = &fn->iface[i];
		if (!g->out[i].id)
			continue;
		if (f->made == MADE_WEIGHTS)
			v = weights(g, &g->out[i], k);
		else
			v = value_of(g, source(g, f, &g->out[i]), &g->out[i], f->made ? (unsigned)f->made - MADE_VERTEX0 : k);
		WORDS_PUT(&g->m, SEC_BODY, SpvOpStore, g->out[i].id, v);
	}
	if (g->primitive_in) {
		v = words_id(&g->m);
		WORDS_PUT(&g->m, SEC_BODY, SpvOpLoad, scalar(g, IR_I32, 0), v, g->primitive_in);
		WORDS_PUT(&g->m, SEC_BODY, SpvOpStore, g->primitive_out, v);
	}
	words_put(&g->m, SEC_BODY, SpvOpEmitVertex, NULL, 0);
}

static void function(struct geom *g)
{
	static const struct { SpvExecutionMode mode; int value; } modes[] = { { SpvExecutionModeTriangles, -1 },
		{ SpvExecutionModeInvocations, 1 }, { SpvExecutionModeOutputTriangleStrip, -1 }, { SpvExecutionModeOutputVertices, VERTICES } };
	struct words *m = &g->m;
	uint32_t none = words_type(m, SpvOpTypeVoid, NULL, 0), type = words_type(m, SpvOpTypeFunction, &none, 1), w[2];
	uint32_t id = words_id(m), label = words_id(m);

	WORDS_PUT(m, SEC_FUNCTION, SpvOpFunction, none, id, SpvFunctionControlMaskNone, type);
	WORDS_PUT(m, SEC_FUNCTION, SpvOpLabel, label);
	for (unsigned k = 0; k < VERTICES; k++)
		vertex(g, k);
	words_put(m, SEC_BODY, SpvOpEndPrimitive, NULL, 0);
	words_put(m, SEC_BODY, SpvOpReturn, NULL, 0);
	words_put(m, SEC_BODY, SpvOpFunctionEnd, NULL, 0);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const uint32_t mode[3] = { id, (uint32_t)modes[i].mode, (uint32_t)modes[i].value };
		words_put(m, SEC_MODE, SpvOpExecutionMode, mode, modes[i].value < 0 ? 2 : 3);
	}
	w[0] = SpvExecutionModelGeometry;
	w[1] = id;
	words_string(m, SEC_ENTRY, SpvOpEntryPoint, w, 2, "main", g->entry, g->nentry);
}

static void put_vars(struct textbuf *t, const char *key, const struct var *v, uint32_t n)
{
	bool first = true;

	textbuf_put(t, key);
	for (uint32_t i = 0; i < n; i++) {
		if (!v[i].id)
			continue;
		textbuf_form(t, "%s{\"location\":%u,\"component\":%u,\"components\":%u,\"type\":\"%s\"}", first ? "" : ",", v[i].location,
		             v[i].low, v[i].n, v[i].base == IR_F32 ? "f32" : v[i].sign ? "i32" : "u32");
		first = false;
	}
	textbuf_put(t, "]");
}

static const char *reflection(const struct geom *g)
{
	struct textbuf t;

	textbuf_grow(&t, g->e->arena);
	textbuf_put(&t, "{\"stage\":\"geometry\",\"subgroup\":0,\"shared\":0,\"bindings\":[]");
	put_vars(&t, ",\"inputs\":[", g->in, g->nin);
	put_vars(&t, ",\"outputs\":[", g->out, g->e->fn->niface);
	if (g->clip.n)
		textbuf_form(&t, ",\"clip\":%u", g->clip.n);
	if (g->cull.n)
		textbuf_form(&t, ",\"cull\":%u", g->cull.n);
	if (g->layer)
		textbuf_form(&t, ",\"layer\":%u", g->hand.location);
	if (g->viewport)
		textbuf_form(&t, ",\"viewport\":%u", g->hand.location);
	textbuf_form(&t, ",\"capabilities\":[%u,%u", (unsigned)SpvCapabilityShader, (unsigned)SpvCapabilityGeometry);
	if (g->clip.n)
		textbuf_form(&t, ",%u", (unsigned)SpvCapabilityClipDistance);
	if (g->cull.n)
		textbuf_form(&t, ",%u", (unsigned)SpvCapabilityCullDistance);
	if (g->viewport)
		textbuf_form(&t, ",%u", (unsigned)SpvCapabilityMultiViewport);
	textbuf_put(&t, "]}");
	return t.start;
}

/* Is there one at all? */
static bool is_wanted(const struct emit *e)
{
	if (e->fn->stage != STAGE_FRAGMENT)
		return false;
	for (uint32_t k = 0; k < e->fn->niface; k++)
		if (e->fn->iface[k].made && e->iface[k].var)
			return true;
	return facts_hands(e->facts) && facts_not_layered(e->facts);
}

static bool lacks(struct emit *e)
{
	const struct facts *f = e->facts;

	if (f->vertex_clip > e->t->max_clip || f->vertex_cull > e->t->max_cull)
		diag_emit(e->diag, DIAG_MISSING_FEATURE, DIAG_NO_ADDR,
		          "a generated geometry stage for %u clip and %u cull distances", f->vertex_clip, f->vertex_cull);
	else if (facts_hands(f) && f->handed & FACT_VIEWPORT && !e->t->multi_viewport)
		diag_emit(e->diag, DIAG_MISSING_FEATURE, DIAG_NO_ADDR,
		          "a generated geometry stage that chooses viewports: multiViewport");
	else
		return false;
	return true;
}

static bool make(struct emit *e, struct spirv_module *out)
{
	struct geom g = { .e = e };
	uint32_t n = e->fn->niface;

	if (lacks(e))
		return false;
	words_init(&g.m, e->arena, 512);
	g.in = arena_array(e->arena, struct var, n + 1);
	g.out = arena_array(e->arena, struct var, n + 1);
	g.entry = arena_array(e->arena, uint32_t, 2 * (size_t)n + 11);
	words_capability(&g.m, SpvCapabilityShader);
	words_capability(&g.m, SpvCapabilityGeometry);
	WORDS_PUT(&g.m, SEC_MODEL, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
	declare(&g);
	g.components_in += POSITION + g.clip.n + g.cull.n;
	g.components_out += POSITION + (g.primitive_out != 0) + (g.layer != 0) + (g.viewport != 0) + g.clip.n + g.cull.n;
	const struct spirv_geometry takes = { larger(g.components_in, 4 * g.locations_in), larger(g.components_out, 4 * g.locations_out),
		VERTICES * g.components_out };
	if (spirv_geometry_limits(&takes, e->t, e->diag))
		return false;
	function(&g);
	if (g.m.too_long) {
		diag_emit(e->diag, DIAG_TOO_LARGE, DIAG_NO_ADDR, "an instruction of more than 65535 words in a generated geometry stage");
		return false;
	}
	out->geometry = words_finish(&g.m, e->t->spirv, &out->ngeometry);
	out->geometry_reflection = reflection(&g);
	return true;
}

bool emit_geometry(struct emit *e, struct spirv_module *out)
{
	return !is_wanted(e) || make(e, out);
}
