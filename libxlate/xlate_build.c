/* xlate_build.c - one program through all stages: record, facts, lift, passes, emission, validation, device limits. */
#include "xlate_int.h"

#include "../passes/pass.h"
#include "guest/facts_build.h"
#include "spirv/spirv.h"

#include <stdlib.h>

#ifndef XL_DEBUG
#define XL_DEBUG 0
#endif

struct xl_context *xl_context_new(const struct xl_target *target)
{
	struct xl_context *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->target = target;
	arena_init(&c->arena, TRANSLATE_LIMIT);
	arena_init(&c->scratch, SCRATCH_LIMIT);
	arena_init(&c->result, RESULT_LIMIT);
	arena_begin(&c->arena, FIRST_CHUNK);
	arena_begin(&c->scratch, FIRST_CHUNK);
	c->tools = spirv_tools_new(&target->facts);
	c->packer = xlp_packer_new();
	if (!c->tools || !c->packer) {
		xl_context_free(c);
		return NULL;
	}
	return c;
}

void xl_context_free(struct xl_context *c)
{
	if (!c)
		return;
	spirv_tools_free(c->tools);
	xlp_packer_free(c->packer);
	arena_free(&c->arena);
	arena_free(&c->scratch);
	arena_free(&c->result);
	free(c);
}

/* ---- diagnostics and remarks, kept with the result. Its arena has no `oom`: what does not fit is dropped. */
static const char *keep(struct xl_context *c, const char *s)
{
	return s ? arena_strdup(&c->result, s) : NULL;
}

static void on_diag(void *user, const struct diag *d)
{
	struct xl_context *c = user;
	struct xl_translation *t = &c->out;
	struct xl_diag *grown = arena_grow(&c->result, c->diag, t->ndiag, &c->diag_cap, t->ndiag + 1, sizeof(*grown));
	struct xl_diag *to;

	if (!grown)
		return;
	c->diag = grown;
	to = &grown[t->ndiag++];
	log_diag(d, c->file, to);
	to->program = keep(c, to->program);
	to->isa = keep(c, to->isa);
	to->inst = keep(c, to->inst);
	to->text = keep(c, to->text);
	if (!to->text)
		to->text = "";
	t->diag = grown;
	if (diag_severity(d->code) == DIAG_ERROR) {
		enum xl_status s = diag_class(d->code) == DIAG_C_INTERNAL ? XL_INTERNAL :
			diag_class(d->code) == DIAG_C_USAGE ? XL_USAGE : XL_REFUSED;

		if (t->status < s)
			t->status = s;
	}
}

static void on_remark(void *user, const struct remark *r)
{
	struct xl_context *c = user;
	struct xl_translation *t = &c->out;
	struct xl_remark *grown = arena_grow(&c->result, c->remark, t->nremark, &c->remark_cap, t->nremark + 1, sizeof(*grown));

	if (!grown)
		return;
	c->remark = grown;
	grown[t->nremark] = (struct xl_remark){ r->pass, r->addr, keep(c, r->text) };
	if (grown[t->nremark].text)
		t->nremark++;
	t->remark = grown;
}

static void on_locate(void *user, uint32_t addr, char *text, uint32_t cap)
{
	struct xl_context *c = user;
	const struct xl_record_program *p = c->program;

	if (cap)
		*text = 0;
	if (c->isa && cap && addr < p->exec_size)
		c->isa->disasm(c->cpu, p->wave, p->code.v, p->exec_size, addr, text, cap);
}

/* ---- the stages */
struct job {
	struct xl_context *c;
	const struct xl_options *opt;
	struct diag_sink *sink;
	struct facts facts;
	struct fact_guard guard;
	struct ir_fn *fn;
};

static void phase(const struct job *j, enum xl_phase p)
{
	if (j->opt->phase)
		j->opt->phase(j->opt->user, p);
}

static void dump(const struct job *j, const char *pass)
{
	char *text;

	if (!j->opt->dump)
		return;
	text = ir_print_string(j->fn, &j->c->scratch);
	j->opt->dump(j->opt->user, pass, text);
	arena_reset(&j->c->scratch);
}

static void after_pass(void *user, const struct pass *p, struct ir_fn *fn)
{
	const struct job *j = user;

	(void)fn;
	dump(j, p->name);
}

static bool fits(struct job *j, const struct xl_record_program *p)
{
	struct xl_context *c = j->c;

	if (!c->isa || strcmp(c->cpu->name, p->cpu)) /* mostly the last program's */
		c->isa = isa_find(p->cpu, &c->cpu);
	if (!c->isa || strcmp(c->isa->name, p->isa)) {
		diag_emit(j->sink, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s %s is no guest of xlate", p->isa, p->cpu);
		return false;
	}
	if (!(c->cpu->waves & p->wave)) {
		diag_emit(j->sink, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s has no waves of %u lanes", p->cpu, p->wave);
		return false;
	}
	if (p->big_endian) {
		diag_emit(j->sink, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s code is little endian", p->cpu);
		return false;
	}
	if (p->hw_stage == HW_UNKNOWN) {
		diag_emit(j->sink, DIAG_STAGE, DIAG_NO_ADDR, "the hardware stage is not recorded");
		return false;
	}
	if (p->hw_stage == HW_COPY) {
		diag_emit(j->sink, DIAG_STAGE, DIAG_NO_ADDR, "a copy program is translated with the program it belongs to");
		return false;
	}
	if (p->stage < STAGE_COUNT && !(c->isa->stages >> p->stage & 1)) {
		diag_emit(j->sink, DIAG_STAGE, DIAG_NO_ADDR, "graphics stages of %s are not translated", p->cpu);
		return false;
	}
	if (p->code.size > LIFT_MAX_BYTES) {
		diag_emit(j->sink, DIAG_TOO_LARGE, DIAG_NO_ADDR, "%u bytes of code, more than %d", p->code.size, LIFT_MAX_BYTES);
		return false;
	}
	return true;
}

static bool lift(struct job *j, const struct xl_record_program *p)
{
	struct xl_context *c = j->c;
	struct lift_ctx lc = { .cpu = c->cpu, .wave = p->wave, .code = p->code.v, .size = p->code.size,
		.exec_size = p->exec_size, .entry = p->entry, .facts = &j->facts, .scratch = &c->scratch, .diag = j->sink };

	j->fn = ir_fn_new(&c->arena, p->name);
	j->fn->stage = j->facts.stage;
	j->fn->wave = j->facts.wave;
	memcpy(j->fn->workgroup, j->facts.workgroup, sizeof(j->fn->workgroup));
	j->fn->shared_bytes = j->facts.shared_bytes;
	j->fn->scratch_bytes = j->facts.scratch_bytes;
	lc.fn = j->fn;
	if (c->isa->lift(&lc))
		return false;
	arena_reset(&c->scratch);
	dump(j, "lift");
	return true;
}

static bool run_passes(struct job *j)
{
	struct xl_context *c = j->c;
	struct pass_ctx pc = { .fn = j->fn, .facts = &j->facts, .scratch = &c->scratch, .diag = j->sink };
	struct pipeline_options po = { .verify = XL_DEBUG || j->opt->verify, .stop_after = j->opt->stop_after,
		.after = j->opt->dump ? after_pass : NULL, .user = j };

	/* "lift" names what comes before the first pass. */
	if (j->opt->stop_after && !strcmp(j->opt->stop_after, "lift"))
		return true;
	return pipeline_run(&pc, &po) != PASS_REFUSED;
}

/* When depth and stencil are tested is no part of a program. Where that is not recorded, a program that writes one of them is
 * refused: tests before it throw the value away. What one stores, discards or covers is the same for every pixel that runs; only
 * how many run, and what a depth buffer keeps, can differ. */
static bool writes_colours_only(const struct ir_fn *fn)
{
	for (uint32_t i = 0; i < fn->niface; i++)
		if (fn->iface[i].output && fn->iface[i].builtin)
			return false;
	return !(0 /* of the ops that write more, which the compiler picks */
#define OP(name, sig, cls, fx, div, eval, spv) \
	| ((fx) & FX_WRITE && IR_##name != IR_stout && IR_##name != IR_stscr && IR_##name != IR_barrier ? fn->has[IR_##name] : 0)
#include "../ir/ops.def"
#undef OP
	);
}

static bool tests_settled(struct job *j)
{
	struct ir_fn *fn = j->fn;
	uint32_t effect = DIAG_NO_ADDR;
	bool some = false;

	if (fn->stage != STAGE_FRAGMENT || j->facts.early_tests != 2 || writes_colours_only(fn))
		return true;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			unsigned out = i->op == IR_stout ? fn->iface[i->sub].builtin : 0;

			if (out == SYSVAL_frag_depth || out == SYSVAL_frag_stencil) {
				diag_emit(j->sink, DIAG_FACT, i->addr, "the record does not say whether depth and stencil are tested before "
				          "the program, which writes %s", out == SYSVAL_frag_depth ? "depth" : "stencil");
				return false;
			}
			if (some || !(ir_ops[i->op].fx & FX_WRITE) || i->op == IR_stscr || i->op == IR_barrier ||
			    (i->op == IR_stout && out != SYSVAL_sample_mask_out))
				continue;
			some = true;
			effect = i->addr;
		}
	if (some)
		diag_remark(j->sink, "facts", effect, "the record does not say when depth and stencil are tested: taken as after the program");
	return true;
}

static void emit(struct job *j, const struct xl_record_program *p)
{
	struct xl_context *c = j->c;
	struct spirv_input in = { .fn = j->fn, .facts = &j->facts, .arena = &c->arena,
		.options = { .debug = j->opt->debug != 0, .early_tests = rec_or(p->early_tests, 0) != 0 } };
	struct spirv_module m = { 0 };

	if (spirv_emit(&in, &m, j->sink))
		return;
	phase(j, XL_PHASE_VALIDATE);
	if (!j->opt->skip_validation && (spirv_validate(c->tools, m.words, m.nwords, j->sink) ||
	    (m.geometry && spirv_validate(c->tools, m.geometry, m.ngeometry, j->sink))))
		return;
	c->out.words = m.words;
	c->out.nwords = m.nwords;
	c->out.reflection = m.reflection;
	c->out.subgroup_size = m.subgroup_size;
	c->out.generated = m.geometry;
	c->out.ngenerated = m.ngeometry;
	c->out.generated_reflection = m.geometry_reflection;
	c->features = m.features;
}

uint32_t xlate_guards(const struct xl_context *c, const struct xl_record_program *p, struct xlp_guard guard[STATE_COUNT])
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < STATE_COUNT; s++) {
		if (c->state >> s & 1)
			guard[n++] = (struct xlp_guard){ s, record_state(p, (enum fact_state)s) };
	}
	return n;
}

/* `facts_build` hands these fields to every later stage: until each reader says which it read, the variant depends on all. */
static uint64_t state_handed_over(uint32_t stage)
{
	uint64_t s = 1ull << STATE_FLOAT_MODE | 1ull << STATE_IMAGE_KINDS | 1ull << STATE_PUSH_SIZE | 1ull << STATE_SCRATCH;

	switch (stage) {
	case STAGE_COMPUTE:
	case STAGE_TASK:
	case STAGE_MESH:
		return s | 1ull << STATE_WORKGROUP | 1ull << STATE_SHARED;
	case STAGE_VERTEX:
		return s | 1ull << STATE_VERTEX_FORMATS | 1ull << STATE_INPUT_MAP;
	case STAGE_FRAGMENT:
		return s | 1ull << STATE_COLOR_FORMATS | 1ull << STATE_INPUT_MAP | 1ull << STATE_FRAGMENT;
	default:
		return s | 1ull << STATE_INPUT_MAP;
	}
}

static void stages(struct job *j, const struct xl_record_program *p)
{
	struct facts_policy policy = { (uint8_t)j->opt->addresses, (uint8_t)j->opt->bounds, (uint8_t)j->opt->floats };
	bool fine;

	phase(j, XL_PHASE_FACTS);
	fine = fits(j, p);
	if (fine) { /* a refusal of the facts depends on them, too */
		j->guard.state = state_handed_over(p->stage);
		fine = !facts_build(p, &j->c->target->facts, &policy, &j->facts, &j->c->arena, j->sink);
	}
	if (fine) {
		j->facts.guard = &j->guard;
		phase(j, XL_PHASE_LIFT);
		fine = lift(j, p);
	}
	if (fine) {
		phase(j, XL_PHASE_PASSES);
		fine = run_passes(j) && (j->opt->stop_after || tests_settled(j));
	}
	if (fine && !j->opt->stop_after) {
		phase(j, XL_PHASE_EMIT);
		emit(j, p);
	}
	j->c->state = j->guard.state;
	phase(j, XL_PHASE_DONE);
}

const struct xl_translation *xl_translate(struct xl_context *c, const struct xl_record *r, uint32_t program,
					  const struct xl_options *opt)
{
	static const struct xl_options none;
	const struct xl_record_program *p = &r->pipeline->program[program];
	struct diag_sink sink = { .emit = on_diag, .remark = on_remark, .user = c, .program = p->name, .isa = p->cpu,
		.locate = on_locate };
	struct job j; /* its facts are cleared by who makes them */
	jmp_buf oom;

	j.c = c;
	j.opt = opt ? opt : &none;
	j.sink = &sink;
	j.guard = (struct fact_guard){ 0 };
	j.fn = NULL;
	arena_reset(&c->arena);
	arena_reset(&c->scratch);
	arena_reset(&c->result);
	memset(&c->out, 0, sizeof(c->out));
	c->diag = NULL;
	c->remark = NULL;
	c->diag_cap = c->remark_cap = 0;
	c->state = 0;
	c->features = 0;
	c->program = p;
	c->file = NULL;
	c->arena.oom = c->scratch.oom = &oom;
	if (!setjmp(oom))
		stages(&j, p);
	else
		diag_emit(&sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "the translation needs more than %d bytes", TRANSLATE_LIMIT);
	c->arena.oom = c->scratch.oom = NULL;
	c->out.guest_words = p->exec_size / (c->isa ? c->isa->word : 4);
	hash_text(&p->key, c->out.key);
	if (c->out.status == XL_OK && !c->out.words && !j.opt->stop_after) {
		/* A stage that refuses without saying why is a bug of ours, not a success. */
		diag_emit(&sink, DIAG_VERIFY, DIAG_NO_ADDR, "a stage gave up without a diagnostic");
	}
	if (c->out.status != XL_OK)
		c->out.words = c->out.generated = NULL;
	return &c->out;
}

const char *xl_pass_name(uint32_t i, const char **what)
{
	uint32_t k;

	for (k = 0; k < i && passes[k].name; k++)
		;
	if (!passes[k].name)
		return NULL;
	*what = passes[k].what;
	return passes[k].name;
}

/* ---- SPIRV-Tools on a module by itself */
enum xl_status xl_validate(struct xl_context *c, const uint32_t *words, size_t nwords, const struct xl_log *log)
{
	struct log_sink sink;

	log_sink_init(&sink, log, NULL);
	return spirv_validate(c->tools, words, nwords, &sink.sink) ? XL_REFUSED : XL_OK;
}

char *xl_spirv_text(struct xl_context *c, const uint32_t *words, size_t nwords, const struct xl_log *log)
{
	struct arena a;
	struct log_sink sink;
	char *text, *out = NULL;

	log_sink_init(&sink, log, NULL);
	arena_init(&a, SCRATCH_LIMIT);
	text = spirv_disassemble(c->tools, words, nwords, &a, &sink.sink);
	if (text)
		out = strdup(text);
	arena_free(&a);
	return out;
}
