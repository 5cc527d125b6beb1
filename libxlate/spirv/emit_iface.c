/* emit_iface.c - built-ins, stage inputs and outputs, the entry point and its execution modes.
 *
 * Inputs and built-ins are loaded once, at the start of the function. A located variable starts at component 0 unless
 * another entry holds lower components of the same location, so that it meets the other stage's declaration.
 */
#include "emit.h"

#include <string.h>

/* How each system value is declared. `sig`: i u32, f f32, b bool; array: 1: of length 1,
 * 2: of as many as there are. */
static const struct builtin { uint16_t builtin; char sig; uint8_t array; int cap; const char *ext; } builtins[SYSVAL_COUNT] = {
	[SYSVAL_workgroup_id] = {SpvBuiltInWorkgroupId, 'i', 0, -1, NULL},
	[SYSVAL_local_id] = {SpvBuiltInLocalInvocationId, 'i', 0, -1, NULL},
	[SYSVAL_local_index] = {SpvBuiltInLocalInvocationIndex, 'i', 0, -1, NULL},
	[SYSVAL_num_workgroups] = {SpvBuiltInNumWorkgroups, 'i', 0, -1, NULL},
	[SYSVAL_lane_id] = {SpvBuiltInSubgroupLocalInvocationId, 'i', 0, SpvCapabilityGroupNonUniform, NULL},
	[SYSVAL_vertex_index] = {SpvBuiltInVertexIndex, 'i', 0, -1, NULL},
	[SYSVAL_instance_index] = {SpvBuiltInInstanceIndex, 'i', 0, -1, NULL},
	[SYSVAL_base_vertex] = {SpvBuiltInBaseVertex, 'i', 0, SpvCapabilityDrawParameters, NULL},
	[SYSVAL_base_instance] = {SpvBuiltInBaseInstance, 'i', 0, SpvCapabilityDrawParameters, NULL},
	[SYSVAL_draw_id] = {SpvBuiltInDrawIndex, 'i', 0, SpvCapabilityDrawParameters, NULL},
	[SYSVAL_view_index] = {SpvBuiltInViewIndex, 'i', 0, SpvCapabilityMultiView, NULL},
	[SYSVAL_frag_coord] = {SpvBuiltInFragCoord, 'f', 0, -1, NULL},
	[SYSVAL_front_face] = {SpvBuiltInFrontFacing, 'b', 0, -1, NULL},
	[SYSVAL_sample_id] = {SpvBuiltInSampleId, 'i', 0, SpvCapabilitySampleRateShading, NULL},
	[SYSVAL_sample_mask] = {SpvBuiltInSampleMask, 'i', 1, -1, NULL},
	[SYSVAL_helper] = {SpvBuiltInHelperInvocation, 'b', 0, -1, NULL},
	[SYSVAL_point_coord] = {SpvBuiltInPointCoord, 'f', 0, -1, NULL},
	[SYSVAL_primitive_id] = {SpvBuiltInPrimitiveId, 'i', 0, SpvCapabilityGeometry, NULL},
	[SYSVAL_layer] = {SpvBuiltInLayer, 'i', 0, SpvCapabilityGeometry, NULL},
	[SYSVAL_viewport] = {SpvBuiltInViewportIndex, 'i', 0, SpvCapabilityMultiViewport, NULL},
	[SYSVAL_position] = {SpvBuiltInPosition, 'f', 0, -1, NULL},
	[SYSVAL_point_size] = {SpvBuiltInPointSize, 'f', 0, -1, NULL},
	[SYSVAL_clip_distance] = {SpvBuiltInClipDistance, 'f', 2, SpvCapabilityClipDistance, NULL},
	[SYSVAL_cull_distance] = {SpvBuiltInCullDistance, 'f', 2, SpvCapabilityCullDistance, NULL},
	[SYSVAL_frag_depth] = {SpvBuiltInFragDepth, 'f', 0, -1, NULL},
	[SYSVAL_frag_stencil] = {SpvBuiltInFragStencilRefEXT, 'i', 0, SpvCapabilityStencilExportEXT, "SPV_EXT_shader_stencil_export"},
	[SYSVAL_sample_mask_out] = {SpvBuiltInSampleMask, 'i', 1, -1, NULL},
};

static ir_type builtin_base(const struct builtin *b)
{
	return b->sig == 'f' ? IR_F32 : b->sig == 'b' ? IR_B1 : IR_I32;
}

static bool builtin_have(const struct emit *e, unsigned s)
{
	const struct fact_target *t = e->t;

	switch (s) {
	case SYSVAL_base_vertex: case SYSVAL_base_instance: case SYSVAL_draw_id: return t->draw_parameters;
	case SYSVAL_view_index: return t->multiview;
	case SYSVAL_sample_id: return t->sample_rate;
	case SYSVAL_primitive_id: case SYSVAL_layer: return t->geometry;
	case SYSVAL_viewport: return t->multi_viewport;
	case SYSVAL_clip_distance: return t->clip_distance;
	case SYSVAL_cull_distance: return t->cull_distance;
	case SYSVAL_frag_stencil: return t->stencil_export;
	default: return true;
	}
}

static void decorate(struct emit *e, uint32_t id, SpvDecoration d, int value)
{
	if (value < 0)
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, (uint32_t)d);
	else
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, (uint32_t)d, (uint32_t)value);
}

/* A built-in variable; `len`: array length for clip and cull distances. */
static uint32_t builtin_var(struct emit *e, unsigned s, bool output, unsigned len)
{
	const struct builtin *b = &builtins[s];
	SpvStorageClass c = output ? SpvStorageClassOutput : SpvStorageClassInput;
	uint32_t type, id, cap = b->cap < 0 ? 0 : (uint32_t)b->cap;

	if (!b->sig) {
		emit_refuse(e, DIAG_UNLIFTED, "system value %u is not emitted", s);
		return 0;
	}
	if (output && s == SYSVAL_layer && e->fn->stage != STAGE_GEOMETRY)
		emit_need(e, e->t->layer_output, SpvCapabilityShaderLayer, "shaderOutputLayer");
	else if (output && s == SYSVAL_viewport && e->fn->stage != STAGE_GEOMETRY)
		emit_need(e, e->t->viewport_output, SpvCapabilityShaderViewportIndex, "shaderOutputViewportIndex");
	else if (b->cap >= 0)
		emit_need(e, builtin_have(e, s), (SpvCapability)cap, "a built-in's capability");
	if (b->ext)
		words_extension(&e->m, b->ext);
	type = emit_vec_type(e, builtin_base(b), ir_sysval_comps[s]);
	if (b->array)
		type = words_type(&e->m, SpvOpTypeArray, WORDS_ARGS(type, emit_u32(e, b->array == 1 ? 1 : len ? len : 1)));
	type = emit_pointer(e, c, type);
	id = words_id(&e->m);
	WORDS_PUT(&e->m, SEC_GLOBAL, SpvOpVariable, type, id, (uint32_t)c);
	decorate(e, id, SpvDecorationBuiltIn, b->builtin);
	if (e->fn->stage == STAGE_FRAGMENT && !output && b->sig == 'i' && s != SYSVAL_sample_mask)
		decorate(e, id, SpvDecorationFlat, -1);
	emit_entry_var(e, id);
	return id;
}

uint32_t emit_builtin_value(struct emit *e, enum sysval s)
{
	const struct builtin *b = &builtins[s];
	struct emit_builtin *v = &e->builtin[s];
	uint32_t type, pointer;
	enum words_section save = e->to;

	if (v->value)
		return v->value;
	v->var = builtin_var(e, s, false, 0);
	if (!v->var)
		return v->value = emit_undef(e, IR_I32);
	type = emit_vec_type(e, builtin_base(b), ir_sysval_comps[s]);
	e->to = SEC_PROLOGUE;
	pointer = v->var;
	if (b->array)
		pointer = E_OP(e, AccessChain, emit_pointer(e, SpvStorageClassInput, type), v->var, emit_u32(e, 0));
	if (s == SYSVAL_helper && e->t->spirv >= 0x00010600) /* may change with a demote: the environment wants volatile */
		v->value = E_OP(e, Load, type, pointer, SpvMemoryAccessVolatileMask);
	else
		v->value = E_OP(e, Load, type, pointer);
	e->to = save;
	return v->value;
}

void emit_sysval(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned s = i->sub;
	uint32_t v, u32 = 0, size = e->fn->workgroup[0] * e->fn->workgroup[1] * e->fn->workgroup[2];

	if (s == SYSVAL_lane_id) {
		e->val[id] = emit_lane_id(e);
		return;
	}
	if (s == SYSVAL_wave_in_group) {
		u32 = emit_type(e, IR_I32);
		e->val[id] = size <= e->fn->wave ? emit_u32(e, 0) :
			E_OP(e, ShiftRightLogical, u32, emit_builtin_value(e, SYSVAL_local_index), emit_u32(e, e->fn->wave == 64 ? 6 : 5));
		return;
	}
	if (emit_is_bary(s) && ir_elems(i->type) == 1) {
		emit_bary(e, id);
		return;
	}
	if (s == SYSVAL_none || s >= SYSVAL_COUNT || !builtins[s].sig) {
		emit_refuse(e, DIAG_UNLIFTED, "system value %u", s);
		e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		return;
	}
	v = emit_builtin_value(e, (enum sysval)s);
	if (ir_sysval_comps[s] > 1 && ir_elems(i->type) == 1)
		v = E_OP(e, CompositeExtract, emit_vec_type(e, builtin_base(&builtins[s]), 1), v, (uint32_t)i->imm);
	if (builtins[s].sig == 'b' && ir_base(i->type) != IR_B1)
		v = E_OP(e, Select, emit_type(e, IR_I32), v, emit_u32(e, 1), emit_u32(e, 0));
	emit_set(e, id, IR_VEC(builtins[s].sig == 'b' ? ir_base(i->type) : builtin_base(&builtins[s]), ir_elems(i->type)), v);
}

/* ---- located variables */
static void iface_shape(const struct emit *e, uint32_t n, uint8_t *low, uint8_t *count)
{
	const struct ir_iface *f = &e->fn->iface[n];
	unsigned lo = 0, hi = 4;

	while (lo < 3 && !(f->comps >> lo & 1))
		lo++;
	while (hi > lo + 1 && !(f->comps >> (hi - 1) & 1))
		hi--;
	*low = 0;
	for (uint32_t k = 0; k < e->fn->niface && lo; k++) {
		const struct ir_iface *o = &e->fn->iface[k];
		if (k != n && !o->builtin && o->output == f->output && o->location == f->location && o->index == f->index &&
		    (o->comps & ((1u << lo) - 1)))
			*low = (uint8_t)lo;
	}
	*count = (uint8_t)(hi - *low);
}

static void iface_decorations(struct emit *e, uint32_t var, const struct ir_iface *f, unsigned low)
{
	bool between = e->fn->stage == STAGE_FRAGMENT ? !f->output : f->output;

	decorate(e, var, SpvDecorationLocation, f->location);
	if (low)
		decorate(e, var, SpvDecorationComponent, (int)low);
	if (f->index)
		decorate(e, var, SpvDecorationIndex, f->index);
	if (!between)
		return;
	if (f->interp == INTERP_VERTICES) {
		emit_bary_need(e);
		decorate(e, var, SpvDecorationPerVertexKHR, -1);
	} else if (f->interp == INTERP_FLAT || (e->fn->stage == STAGE_FRAGMENT && f->base != IR_F32))
		decorate(e, var, SpvDecorationFlat, -1);
	else if (f->interp == INTERP_NOPERSPECTIVE)
		decorate(e, var, SpvDecorationNoPerspective, -1);
	if (f->at == INTERP_CENTROID)
		decorate(e, var, SpvDecorationCentroid, -1);
	if (f->at == INTERP_SAMPLE) {
		emit_need(e, e->t->sample_rate, SpvCapabilitySampleRateShading, "sampleRateShading");
		decorate(e, var, SpvDecorationSample, -1);
	}
}

/* Integers the other side declares signed are signed here, too. */
static uint32_t iface_type(struct emit *e, const struct ir_iface *f, unsigned n)
{
	uint32_t s;

	if (f->base == IR_I32 && f->sign) {
		s = words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(32, 1));
		return n > 1 ? words_type(&e->m, SpvOpTypeVector, WORDS_ARGS(s, n)) : s;
	}
	return emit_vec_type(e, e->iface[f - e->fn->iface].half ? IR_F16 : (ir_type)f->base, n);
}

/* Entry n is the centroid of a variable that another entry is the center of: that one, otherwise n. */
static uint32_t center_of(const struct emit *e, uint32_t n)
{
	const struct ir_iface *f = &e->fn->iface[n];

	if (e->fn->stage != STAGE_FRAGMENT || f->output || f->builtin || f->at != INTERP_CENTROID)
		return n;
	for (uint32_t k = 0; k < e->fn->niface; k++) {
		const struct ir_iface *o = &e->fn->iface[k];
		if (!o->output && !o->builtin && o->location == f->location && o->interp == f->interp && o->at == INTERP_CENTER &&
		    o->comps == f->comps)
			return k;
	}
	return n;
}

/* What transform feedback captures; emit_entry.c adds the mode. */
static void captured(struct emit *e, uint32_t var, const struct ir_iface *f)
{
	if (!f->capture || !var)
		return;
	emit_need(e, e->t->transform_feedback, SpvCapabilityTransformFeedback, "transformFeedback");
	decorate(e, var, SpvDecorationXfbBuffer, f->capture - 1);
	decorate(e, var, SpvDecorationXfbStride, f->capture_stride);
	decorate(e, var, SpvDecorationOffset, f->capture_at);
	e->captures = true;
}

static struct emit_iface *iface_var(struct emit *e, uint32_t n)
{
	const struct ir_iface *f = &e->fn->iface[n];
	struct emit_iface *v = &e->iface[n];
	SpvStorageClass c = f->output ? SpvStorageClassOutput : SpvStorageClassInput;
	uint32_t type, pointer, center = center_of(e, n);

	if (v->var)
		return v;
	if (center != n) { /* no variable of its own */
		const struct emit_iface *o = iface_var(e, center);
		v->low = o->low;
		v->n = o->n;
		v->type = o->type;
		return v;
	}
	if (f->builtin) {
		const struct builtin *b = &builtins[f->builtin < SYSVAL_COUNT ? f->builtin : 0];
		v->n = ir_sysval_comps[f->builtin < SYSVAL_COUNT ? f->builtin : 0];
		v->len = b->array == 2 ? f->elems : b->array;
		v->var = builtin_var(e, f->builtin < SYSVAL_COUNT ? f->builtin : 0, f->output, f->elems);
		v->type = b->sig ? emit_vec_type(e, builtin_base(b), v->n) : 0;
		captured(e, v->var, f);
		return v;
	}
	iface_shape(e, n, &v->low, &v->n);
	if (v->half)
		emit_need(e, e->t->output16, SpvCapabilityStorageInputOutput16, "storageInputOutput16");
	v->type = type = iface_type(e, f, v->n);
	v->len = f->elems > 1 ? f->elems : 0;
	if (v->len)
		type = words_type(&e->m, SpvOpTypeArray, WORDS_ARGS(type, emit_u32(e, v->len)));
	pointer = emit_pointer(e, c, type);
	v->var = words_id(&e->m);
	WORDS_PUT(&e->m, SEC_GLOBAL, SpvOpVariable, pointer, v->var, (uint32_t)c);
	iface_decorations(e, v->var, f, v->low);
	captured(e, v->var, f);
	emit_entry_var(e, v->var);
	return v;
}

static ir_type iface_base(const struct ir_iface *f)
{
	if (f->builtin && f->builtin < SYSVAL_COUNT)
		return builtin_base(&builtins[f->builtin]);
	return (ir_type)f->base;
}

static uint32_t load_input(struct emit *e, struct emit_iface *v, uint32_t element)
{
	enum words_section save = e->to;
	uint32_t p;

	if (v->len) {
		p = E_OP(e, AccessChain, emit_pointer(e, SpvStorageClassInput, v->type), v->var, element);
		return E_OP(e, Load, v->type, p);
	}
	if (!v->value) {
		uint32_t n = center_of(e, (uint32_t)(v - e->iface));
		p = e->iface[n].var;
		e->to = SEC_PROLOGUE;
		if (v->var)
			v->value = E_OP(e, Load, v->type, p);
		else {
			emit_need(e, e->t->sample_rate, SpvCapabilityInterpolationFunction, "sampleRateShading");
			v->value = E_EXT(e, InterpolateAtCentroid, v->type, p);
		}
		e->to = save;
	}
	return v->value;
}

/* One vertex's value, loaded once where it is known which. */
static uint32_t load_vertex(struct emit *e, struct emit_iface *v, const struct ir_inst *i, uint32_t element)
{
	enum words_section save = e->to;
	uint64_t k;

	if (i->op != IR_ldinx || !emit_is_const(e, i->a[0], &k) || k >= 3)
		return load_input(e, v, element);
	if (!v->vertex[k]) {
		e->to = SEC_PROLOGUE;
		v->vertex[k] = load_input(e, v, emit_u32(e, (uint32_t)k));
		e->to = save;
	}
	return v->vertex[k];
}

void emit_ldin(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type base, t = i->type;
	uint32_t v, element = 0, part[4] = {0}, scalar;
	unsigned comp = (unsigned)i->imm & 3, location = (unsigned)(i->imm >> 2);

	if (i->sub >= e->fn->niface || e->fn->iface[i->sub].output) {
		emit_refuse(e, DIAG_VERIFY, "input %u is not declared", i->sub);
		e->val[id] = emit_undef(e, t);
		return;
	}
	const struct ir_iface *f = &e->fn->iface[i->sub];
	struct emit_iface *s = iface_var(e, i->sub);
	base = iface_base(f);
	if (s->len) {
		element = emit_u32(e, location - f->location);
		if (i->op == IR_ldinx && f->interp == INTERP_VERTICES)
			element = emit_get_u32(e, i->a[0]);
		else if (i->op == IR_ldinx)
			element = E_OP(e, IAdd, emit_type(e, IR_I32), emit_get_u32(e, i->a[0]), element);
	} else if (i->op == IR_ldinx || location != f->location || comp < s->low || comp + ir_elems(t) > s->low + s->n) {
		emit_refuse(e, DIAG_VERIFY, "location %u component %u is outside of input %u", location, comp, i->sub);
		e->val[id] = emit_undef(e, t);
		return;
	}
	v = f->interp == INTERP_VERTICES ? load_vertex(e, s, i, element) : load_input(e, s, element);
	scalar = iface_type(e, f, 1);
	for (unsigned k = 0; k < ir_elems(t) && k < 4; k++) {
		part[k] = s->n > 1 ? E_OP(e, CompositeExtract, scalar, v, comp - s->low + k) : v;
		if (f->base == IR_I32 && f->sign)
			part[k] = E_OP(e, Bitcast, emit_vec_type(e, IR_I32, 1), part[k]);
	}
	emit_set_parts(e, id, base, part);
}

/* Later stores of the same output in this block that complete this one; the last of them, or 0. */
static ir_id complete_stores(struct emit *e, ir_id id, const struct emit_iface *v, ir_id comp[4])
{
	unsigned seen = 0, n = 0;
	uint16_t sub = emit_inst(e, id)->sub;

	for (ir_id k = id; k && n < 32; k = emit_inst(e, k)->next, n++) {
		const struct ir_inst *j = emit_inst(e, k);
		if (ir_ops[j->op].fx & (FX_TERM | FX_SYNC) || j->op == IR_demote)
			break;
		if (j->op != IR_stout || j->sub != sub)
			continue;
		unsigned c = (unsigned)j->imm - v->low;
		if (!emit_mask_true(e, ir_args(e->fn, k)[0]) || ir_elems(emit_inst(e, ir_args(e->fn, k)[1])->type) != 1 || c >= v->n ||
		    seen >> c & 1)
			return 0;
		seen |= 1u << c;
		comp[c] = k;
		if (seen == (1u << v->n) - 1)
			return k;
	}
	return 0;
}

static uint32_t out_value(struct emit *e, ir_id v, unsigned k, const struct ir_iface *f)
{
	if (e->iface[f - e->fn->iface].half)
		return emit_out_half(e, v);
	uint32_t id = emit_get_part_as(e, v, k, iface_base(f));

	return f->base == IR_I32 && f->sign && !f->builtin ? E_OP(e, Bitcast, iface_type(e, f, 1), id) : id;
}

/* Component stores that together cover the output become one store, at the last of them. True when `id` is done. */
static bool join_stores(struct emit *e, ir_id id, struct emit_iface *v, const struct ir_iface *f)
{
	enum { ALONE, SKIP, LAST };
	uint32_t part[4] = {0};
	ir_id last;

	if (e->want[id] == ALONE && (last = complete_stores(e, id, v, v->comp)) != 0) {
		for (unsigned c = 0; c < v->n; c++)
			e->want[v->comp[c]] = SKIP;
		e->want[last] = LAST;
	}
	if (e->want[id] != LAST)
		return e->want[id] == SKIP;
	for (unsigned c = 0; c < v->n; c++)
		part[c] = out_value(e, ir_args(e->fn, v->comp[c])[1], 0, f);
	E_STMT(e, Store, v->var, emit_few(e, SpvOpCompositeConstruct, v->type, part, v->n));
	return true;
}

void emit_stout(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	ir_id value = arg[1];
	struct emit_guard g;
	uint32_t part[4], p, scalar;

	if (i->sub >= e->fn->niface || !e->fn->iface[i->sub].output) {
		emit_refuse(e, DIAG_VERIFY, "output %u is not declared", i->sub);
		return;
	}
	const struct ir_iface *f = &e->fn->iface[i->sub];
	struct emit_iface *v = iface_var(e, i->sub);
	unsigned n = ir_elems(emit_inst(e, value)->type), first = (unsigned)i->imm - (v->len ? 0 : v->low);
	unsigned room = v->len ? v->len : v->n;
	if (!v->var || ir_bits(emit_inst(e, value)->type) != ir_bits(iface_base(f)) || first >= room || first + n > room) {
		emit_refuse(e, DIAG_VERIFY, "component %u of output %u", (unsigned)i->imm, i->sub);
		return;
	}
	scalar = f->builtin ? emit_vec_type(e, iface_base(f), 1) : iface_type(e, f, 1);
	bool guarded = emit_guard_begin(e, arg[0], &g);
	if (!guarded && v->n > 1 && !v->len && n == 1 && join_stores(e, id, v, f))
		return;
	for (unsigned k = 0; k < n; k++)
		part[k] = out_value(e, value, k, f);
	if (n == v->n && !v->len)
		E_STMT(e, Store, v->var, n == 1 ? part[0] : emit_op(e, SpvOpCompositeConstruct, v->type, part, n));
	else
		for (unsigned k = 0; k < n; k++) {
			p = E_OP(e, AccessChain, emit_pointer(e, SpvStorageClassOutput, scalar), v->var, emit_u32(e, first + k));
			E_STMT(e, Store, p, part[k]);
		}
	if (guarded)
		emit_guard_end(e, &g, 0, NULL);
}
