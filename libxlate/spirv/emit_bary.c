/* emit_bary.c - barycentrics of the host, and inputs that are the three vertices' values (SPV_KHR_fragment_shader_barycentric).
 *
 * The host's are three weights, of vertex 0, 1 and 2; I and J are those of 1 and 2. A variable per interpolation: one that is read
 * at one place alone has that place's decoration.
 */
#include "emit.h"

bool emit_is_bary(unsigned sysval)
{
	return sysval >= SYSVAL_bary_persp_center && sysval <= SYSVAL_bary_linear_sample;
}

void emit_bary_need(struct emit *e)
{
	words_extension(&e->m, "SPV_KHR_fragment_shader_barycentric");
	emit_need(e, e->t->barycentric, SpvCapabilityFragmentBarycentricKHR, "fragmentShaderBarycentric");
}

static bool at_centroid(unsigned s)
{
	return s == SYSVAL_bary_persp_centroid || s == SYSVAL_bary_linear_centroid;
}

static uint32_t variable(struct emit *e, unsigned s)
{
	bool linear = s >= SYSVAL_bary_linear_center;
	uint32_t type = emit_pointer(e, SpvStorageClassInput, emit_vec_type(e, IR_F32, 3)), id = words_id(&e->m);

	emit_bary_need(e);
	WORDS_PUT(&e->m, SEC_GLOBAL, SpvOpVariable, type, id, (uint32_t)SpvStorageClassInput);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, SpvDecorationBuiltIn,
	          linear ? SpvBuiltInBaryCoordNoPerspKHR : SpvBuiltInBaryCoordKHR);
	if (at_centroid(s))
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, SpvDecorationCentroid);
	if (s == SYSVAL_bary_persp_sample || s == SYSVAL_bary_linear_sample) {
		emit_need(e, e->t->sample_rate, SpvCapabilitySampleRateShading, "sampleRateShading");
		WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, id, SpvDecorationSample);
	}
	emit_entry_var(e, id);
	return id;
}

/* One built-in is one variable: the centroid's is the center's where the program reads both. */
static unsigned center_of(const struct emit *e, unsigned s)
{
	unsigned center = s == SYSVAL_bary_persp_centroid ? SYSVAL_bary_persp_center : SYSVAL_bary_linear_center;

	if (!at_centroid(s))
		return s;
	for (ir_id i = 0; i < e->fn->ninst; i++)
		if (e->inst[i].op == IR_sysval && e->inst[i].sub == center && e->inst[i].block != IR_NO_BLOCK && e->want[i])
			return center;
	return s;
}

void emit_bary(struct emit *e, ir_id id)
{
	unsigned s = emit_inst(e, id)->sub, of = center_of(e, s);
	struct emit_builtin *v = &e->builtin[s], *o = &e->builtin[of];
	uint32_t type = emit_vec_type(e, IR_F32, 3);
	enum words_section save = e->to;

	if (!v->value) {
		o->var = o->var ? o->var : variable(e, of);
		e->to = SEC_PROLOGUE;
		if (of == s)
			v->value = E_OP(e, Load, type, v->var);
		else {
			emit_need(e, e->t->sample_rate, SpvCapabilityInterpolationFunction, "sampleRateShading");
			v->value = E_EXT(e, InterpolateAtCentroid, type, o->var);
		}
		e->to = save;
	}
	emit_set(e, id, IR_F32, E_OP(e, CompositeExtract, emit_type(e, IR_F32), v->value, (uint32_t)emit_inst(e, id)->imm + 1));
}
