/* emit.c - one function to one module: set-up, the walk over the blocks, and what can only be written at the end. */
#include "emit.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void emit_refuse(struct emit *e, enum diag_code code, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	e->failed = true;
	diag_emit(e->diag, code, e->addr, "%s", text);
}

void emit_need(struct emit *e, bool have, SpvCapability cap, const char *feature)
{
	if (words_has_capability(&e->m, cap))
		return;
	if (!have)
		emit_refuse(e, DIAG_MISSING_FEATURE, "the program needs %s", feature);
	words_capability(&e->m, cap); /* once is enough to be told */
}

const char *spirv_feature_name(enum spirv_feature f)
{
	static const char *const names[SPIRV_FEATURE_COUNT] = {
#define X(name) #name,
		SPIRV_FEATURES(X)
#undef X
	};
	return names[f];
}

void emit_feature(struct emit *e, bool have, enum spirv_feature f)
{
	if (!have && !(e->features >> f & 1))
		emit_refuse(e, DIAG_MISSING_FEATURE, "the program needs %s", spirv_feature_name(f));
	e->features |= 1u << f;
}

/* One capability stands for two features: either may be missing where the other was asked for. */
void emit_int64_atomics(struct emit *e, bool shared)
{
	words_capability(&e->m, SpvCapabilityInt64Atomics);
	if (shared)
		emit_feature(e, e->t->int64_shared, SPIRV_shaderSharedInt64Atomics);
	else if (!e->t->int64_atomics && !e->failed)
		emit_refuse(e, DIAG_MISSING_FEATURE, "the program needs shaderBufferInt64Atomics");
}

/* SPIR-V 1.4 and later list every variable in the entry point, earlier versions only inputs and outputs. */
void emit_entry_var(struct emit *e, uint32_t var)
{
	const struct words_array *g = &e->m.sec[SEC_GLOBAL];
	uint32_t class = g->w[g->n - 1];

	if (g->w[g->n - 2] != var) /* with an initializer */
		class = SpvStorageClassPrivate;
	if (e->t->spirv < 0x00010400 && class != SpvStorageClassInput && class != SpvStorageClassOutput)
		return;
	e->entry_var = arena_grow_raw(e->arena, e->entry_var, e->nentry_var, &e->entry_cap, e->nentry_var + 1, sizeof *e->entry_var);
	e->entry_var[e->nentry_var++] = var;
}

static void set_up(struct emit *e, const struct spirv_input *in, struct diag_sink *diag)
{
	struct ir_fn *fn = in->fn;

	words_init(&e->m, in->arena, WORDS_ROOM + 10 * (size_t)fn->ninst); /* most instructions take four or five */
	e->fn = fn;
	e->inst = fn->inst;
	e->facts = in->facts;
	e->t = in->facts->target;
	e->opt = in->options;
	e->arena = in->arena;
	e->diag = diag;
	e->addr = e->line = DIAG_NO_ADDR;
	e->flush_flag = e->facts->floats == FLOAT_STRICT ? IR_F_FTZ : 0;
	e->to = SEC_BODY;
	e->val = arena_array(e->arena, uint32_t, (size_t)fn->ninst * 5 + (size_t)fn->nblock * 4);
	e->alt = e->val + fn->ninst;
	e->part = e->alt + fn->ninst;
	e->part_alt = e->part + fn->ninst;
	e->access = e->part_alt + fn->ninst;
	e->label = e->access + fn->ninst;
	e->label_out = e->label + fn->nblock;
	e->live_from = e->label_out + fn->nblock;
	e->live_to = e->live_from + fn->nblock;
	e->want = arena_array(e->arena, uint8_t, (size_t)fn->ninst * 2);
	/* About what most programs need: what grows is copied. */
	e->accesses = arena_grow_raw(e->arena, NULL, 0, &e->access_cap, fn->ninst / 4 + 8, sizeof *e->accesses);
	e->res = arena_array(e->arena, struct emit_res, fn->nres + 1);
	e->iface = arena_array(e->arena, struct emit_iface, fn->niface + 1);
	emit_consts_init(e);
	words_capability(&e->m, SpvCapabilityShader);
	if (e->opt.debug) {
		e->file = words_id(&e->m);
		words_string(&e->m, SEC_STRING, SpvOpString, &e->file, 1, e->opt.source ? e->opt.source : fn->name ? fn->name : "guest",
		             NULL, 0);
	}
}

static void memory_model(struct emit *e)
{
	uint32_t addressing = e->physical ? SpvAddressingModelPhysicalStorageBuffer64 : SpvAddressingModelLogical;

	if (e->vulkan_model) {
		words_capability(&e->m, SpvCapabilityVulkanMemoryModel);
		if (e->t->spirv < 0x00010500)
			words_extension(&e->m, "SPV_KHR_vulkan_memory_model");
	}
	WORDS_PUT(&e->m, SEC_MODEL, SpvOpMemoryModel, addressing, e->vulkan_model ? SpvMemoryModelVulkan : SpvMemoryModelGLSL450);
}

/* NoContraction: one group for many, which takes a third of the words. */
static void exact_decorations(struct emit *e)
{
	enum { CHUNK = 30000 };
	uint32_t group, *w;

	if (e->nexact <= 3) {
		for (size_t i = 0; i < e->nexact; i++)
			WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, e->exact[i], SpvDecorationNoContraction);
		return;
	}
	group = words_id(&e->m);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorate, group, SpvDecorationNoContraction);
	WORDS_PUT(&e->m, SEC_ANNOTATION, SpvOpDecorationGroup, group);
	for (size_t i = 0; i < e->nexact; i += CHUNK) {
		size_t k = e->nexact - i < CHUNK ? e->nexact - i : CHUNK;

		w = words_room(&e->m, SEC_ANNOTATION, k + 2);
		w[0] = (uint32_t)(k + 2) << 16 | SpvOpGroupDecorate;
		w[1] = group;
		memcpy(w + 2, e->exact + i, k * sizeof *w);
	}
}

static void function(struct emit *e)
{
	struct ir_fn *fn = e->fn;
	uint32_t v = emit_void(e), type = words_type(&e->m, SpvOpTypeFunction, &v, 1), id = words_id(&e->m), entry = words_id(&e->m);

	WORDS_PUT(&e->m, SEC_FUNCTION, SpvOpFunction, v, id, SpvFunctionControlMaskNone, type);
	WORDS_PUT(&e->m, SEC_FUNCTION, SpvOpLabel, entry);
	for (uint32_t k = 0; k < fn->norder; k++)
		e->label[fn->order[k]] = words_id(&e->m);
	e->cur_label = e->entry_label = entry;
	/* the prologue's block may not be a branch target: it falls into the function's first block */
	if (fn->block[fn->entry].npred || fn->block[fn->entry].merge == MERGE_LOOP)
		E_STMT(e, Branch, e->label[fn->entry]);
	else
		e->label[fn->entry] = entry;
	for (uint32_t k = 0; k < fn->norder; k++)
		emit_block(e, fn->order[k]);
	emit_phis_finish(e);
	emit_stmt(e, SpvOpFunctionEnd, NULL, 0);
	e->addr = DIAG_NO_ADDR;
	emit_modes(e, id);
	emit_entry_point(e, id);
	memory_model(e);
	emit_res_finish(e);
	exact_decorations(e);
	if (e->opt.debug)
		words_string(&e->m, SEC_NAME, SpvOpName, &id, 1, "main", NULL, 0);
}

static bool fit_to_emit(const struct spirv_input *in, struct diag_sink *diag)
{
	const struct ir_fn *fn = in->fn;

	if (!in->facts->target) {
		diag_emit(diag, DIAG_FACT, DIAG_NO_ADDR, "no target");
		return false;
	}
	if (!fn->ssa || !fn->structured || !fn->order || !fn->norder || fn->order[0] != fn->entry) {
		diag_emit(diag, DIAG_VERIFY, DIAG_NO_ADDR, "the function is not in structured SSA form");
		return false;
	}
	return true;
}

int spirv_emit(const struct spirv_input *in, struct spirv_module *out, struct diag_sink *diag)
{
	struct emit *e;
	jmp_buf oom;
	jmp_buf *outer = in->arena->oom;

	*out = (struct spirv_module){0};
	if (!fit_to_emit(in, diag))
		return -1;
	if (!outer) {
		if (setjmp(oom)) {
			in->arena->oom = NULL;
			diag_emit(diag, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "while emitting SPIR-V");
			return -1;
		}
		in->arena->oom = &oom;
	}
	e = arena_new(in->arena, struct emit);
	set_up(e, in, diag);
	emit_scan(e);
	function(e);
	assert(!e->narg); /* all that waited was taken */
	if (!e->failed && (spirv_limits(in->fn, e->t, diag) || !emit_geometry(e, out)))
		e->failed = true;
	if (!e->failed && e->m.too_long) {
		diag_emit(diag, DIAG_TOO_LARGE, DIAG_NO_ADDR, "an instruction of more than 65535 words");
		e->failed = true;
	}
	if (!e->failed) {
		out->words = words_finish(&e->m, e->t->spirv, &out->nwords);
		out->subgroup_size = e->subgroup_size;
		out->features = e->features;
		out->reflection = reflect_text(e);
	}
	in->arena->oom = outer;
	return e->failed ? -1 : 0;
}
