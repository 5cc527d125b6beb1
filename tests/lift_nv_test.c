/* lift_nv_test.c - lifts recorded NVIDIA compute programs, runs the IR on the evaluator with the recorded inputs and
 * compares
 * with what the original shader wrote on another device.
 *
 *     lift_nv_test [-v] [-p] [-a PASS] DIR|FILE.json... -- EXPECTED
 *     lift_nv_test                                  corpus/, and the folder that CORPUS names when it has such programs
 *
 * DIR has records (NAME.json, code beside them), EXPECTED has NAME.in and NAME.out of the executor: a compute dispatch
 * of
 * 2 x 2 x 1 workgroups. -a: evaluate again after this pass ("all": after the last). -v: name what is refused. -p: print
 * IR.
 * Words are equal when their bits are, or when both are normal floats within 1e-4.
 */
#include "../ir/eval.h"
#include "../libxlate/guest/facts_build.h"
#include "../libxlate/guest/json.h"
#include "../libxlate/isa/lift.h"
#include "../passes/pass.h"
#include "nv_world.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
	unsigned passed, failed, skipped;
	bool print;
	const char *pass, *expected, *dir;
	char last[256];
};

static uint8_t *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *buf = NULL;
	long n;

	if (!f)
		return NULL;
	if (!fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET) && (buf = malloc((size_t)n + 1))) {
		*size = fread(buf, 1, (size_t)n, f);
		buf[*size] = 0;
	}
	fclose(f);
	return buf;
}

/* ---- comparison */
static bool same(uint32_t a, uint32_t b)
{
	float x, y;

	if (a == b)
		return true;
	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	if (isnan(x) && isnan(y))
		return true;
	if ((!isnormal(x) && a << 1) || (!isnormal(y) && b << 1)) /* integers look like denormals */
		return false;
	return fabsf(x - y) <= 1e-4f * fmaxf(1, fmaxf(fabsf(x), fabsf(y)));
}

/* NULL when every recorded buffer is as expected. */
static const char *compare(struct world *w, const uint8_t *p, size_t size, char *text, size_t cap)
{
	struct rec r;
	size_t at = 8;

	while (next_record(p, size, &at, &r)) {
		struct buffer *b = find_buffer(w, r.h[0], r.h[1], r.h[2]);

		if (strcmp(r.kind, "ssbo") || !b)
			continue;
		for (uint32_t i = 0; i + 4 <= r.h[6] && i + 4 <= b->size; i += 4) {
			uint32_t got, want;

			memcpy(&got, b->data + i, 4);
			memcpy(&want, r.data + i, 4);
			if (!same(got, want)) {
				snprintf(text, cap, "set %u binding %u[%u] byte %u: got 0x%08x, want 0x%08x", b->set, b->binding,
					b->elem, i,
				         got, want);
				return text;
			}
		}
	}
	return NULL;
}

/* ---- one program */
static int read_code(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	struct run *t = user;
	char path[1024];
	size_t size;
	uint8_t *text, *copy;

	snprintf(path, sizeof path, "%s/%s", t->dir, name);
	text = slurp(path, &size);
	if (!text)
		return -1;
	copy = arena_alloc(a, size + 1);
	memcpy(copy, text, size);
	free(text);
	out->v = copy;
	out->size = (uint32_t)size;
	return 0;
}

static void on_diag(void *user, const struct diag *d)
{
	struct run *t = user;

	snprintf(t->last, sizeof t->last, "0x%x %s: %s", d->addr, diag_name(d->code), d->text ? d->text : "");
}

static const char *evaluate(struct world *w, const struct ir_fn *fn)
{
	static char text[400];
	struct arena a;
	const char *why = "";

	for (uint32_t y = 0; y < GROUPS_Y; y++)
		for (uint32_t x = 0; x < GROUPS_X; x++) {
			struct eval_options o = {.io = {w, io_load, io_store, io_atomic, NULL}, .group = {x, y, 0},
				.groups = {GROUPS_X, GROUPS_Y, 1}, .arena = &a};
			enum eval_result r;

			arena_init(&a, 1u << 30);
			r = eval_run(fn, &o, &why);
			snprintf(text, sizeof text, "evaluation: %s (%s)", why ? why : "", w->why);
			arena_free(&a);
			if (r != EVAL_OK)
				return text;
		}
	return NULL;
}

static const char no_record[] = "no recorded inputs or outputs", no_images[] = "images";

/* The evaluator here has buffers only: programs with images are lifted, verified and run through the passes. */
static bool has_images(const struct ir_fn *fn)
{
	for (uint32_t i = 1; i < fn->ninst; i++)
		switch (fn->inst[i].op) {
		case IR_isample: case IR_igather: case IR_iload: case IR_istore: case IR_iatomic: case IR_iquery: return true;
		default: break;
		}
	return false;
}

static const char *check(struct run *t, struct world *w, struct ir_fn *fn, const char *name)
{
	static char text[400];
	char path[1024];
	size_t nin, nout;
	uint8_t *in, *out;
	const char *bad;

	snprintf(path, sizeof path, "%s/%s.in", t->expected, name);
	in = slurp(path, &nin);
	snprintf(path, sizeof path, "%s/%s.out", t->expected, name);
	out = slurp(path, &nout);
	if (!in || !out)
		bad = no_record;
	else if (!load_inputs(w, in, nin))
		bad = "damaged inputs";
	else if (!(bad = evaluate(w, fn)))
		bad = compare(w, out, nout, text, sizeof text);
	for (unsigned i = 0; i < w->nbuffer; i++)
		free(w->buffer[i].data);
	w->nbuffer = 0;
	free(in);
	free(out);
	return bad;
}

static const char *passes_then_check(struct run *t, struct world *w, struct lift_ctx *c, const char *name)
{
	struct pass_ctx pc = {.fn = c->fn, .facts = c->facts, .scratch = c->scratch, .diag = c->diag};
	struct pipeline_options po = {.verify = true, .stop_after = strcmp(t->pass, "all") ? t->pass : NULL};

	enum pass_result r = pipeline_run(&pc, &po);

	if (t->print)
		ir_print(c->fn, stdout);
	if (r == PASS_REFUSED)
		return t->last;
	if (has_images(c->fn))
		return no_images;
	return check(t, w, c->fn, name);
}

static void run_program(struct run *t, const struct xl_record_program *p, const char *name, struct diag_sink *sink)
{
	static const struct fact_target target = {.name = "test", .int64 = true, .int8 = true, .int16 = true, .f64 = true,
		.f16 = true,
		.subgroup_size = 32, .subgroup_min = 32, .subgroup_max = 32, .subgroup_vote = true, .subgroup_ballot = true,
		.subgroup_shuffle = true, .subgroup_quad = true};
	const struct facts_policy policy = {0};
	struct arena a, scratch;
	struct facts f;
	struct world w = {0};
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(p->cpu, &cpu);
	const char *bad = NULL;

	arena_init(&a, 1u << 30);
	arena_init(&scratch, 1u << 30);
	if (!isa || facts_build(p, &target, &policy, &f, &a, sink)) {
		bad = t->last;
	} else {
		struct lift_ctx c = {.fn = ir_fn_new(&a, name), .cpu = cpu, .wave = p->wave, .code = p->code.v,
			.size = p->code.size,
			.exec_size = p->exec_size, .entry = p->entry, .facts = &f, .scratch = &scratch, .diag = sink};

		w.facts = &f;
		w.sm86 = !strcmp(isa->name, "sm86");
		c.fn->stage = p->stage;
		c.fn->wave = p->wave;
		memcpy(c.fn->workgroup, f.workgroup, sizeof f.workgroup);
		c.fn->shared_bytes = f.shared_bytes;
		c.fn->scratch_bytes = f.scratch_bytes;
		if (isa->lift(&c)) {
			t->skipped++;
			printf("skip: %s is refused: %s\n", name, t->last);
			goto done;
		}
		if (t->print)
			ir_print(c.fn, stdout);
		bad = ir_verify(c.fn, &scratch);
		arena_reset(&scratch);
		if (!bad && has_images(c.fn))
			bad = no_images;
		if (!bad)
			bad = check(t, &w, c.fn, name);
		if ((!bad || bad == no_images) && t->pass)
			bad = passes_then_check(t, &w, &c, name);
	}
	if (bad == no_record || bad == no_images) {
		t->skipped++;
		printf("skip: %s: %s\n", name, bad);
	} else if (bad) {
		t->failed++;
		printf("FAIL %s %s: %s\n", p->cpu, name, bad);
	} else {
		t->passed++;
	}
done:
	arena_free(&a);
	arena_free(&scratch);
}

/* Programs of the public suites whose output no rule of their language fixes: remainder by zero, shared memory read
 * before it is
 * written, lanes that update one word in any order; and one whose bindings the record's reader does not know yet. */
static const char *const undefined[] = {
	"glslang__Test_spv.310.comp", "glslang__Test_spv.atomicInt64.comp", "spirv-cross__shaders_comp_mod.comp",
	"spirv-cross__shaders-hlsl-no-opt_asm_comp_local-size-id-override.asm.comp",
	"spirv-cross__shaders-msl_comp_basic.inline-block.msl2.comp",
};

static bool is_undefined(const char *name)
{
	for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
		if (!strcmp(undefined[i], name))
			return true;
	return false;
}

static void run_file(struct run *t, const char *dir, const char *file)
{
	char path[1024], name[512];
	size_t size;
	uint8_t *text;
	struct arena a;
	struct diag_sink sink = {.emit = on_diag, .user = t};
	struct json_reader reader = {read_code, t};
	const struct xl_pipeline_record *r;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	text = slurp(path, &size);
	if (!text)
		return;
	t->dir = dir;
	snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 5), file);
	arena_init(&a, 512u << 20);
	r = json_import(&a, file, (const char *)text, size, &reader, &sink);
	if (!r) {
		printf("FAIL %s: %s\n", file, t->last);
		t->failed++;
	} else if (is_undefined(name)) {
		t->skipped++;
		printf("skip: %s: its language leaves the output open\n", name);
	} else if (r->nprogram == 1 && r->program[0].stage == STAGE_COMPUTE && strstr((char *)text, "\"status\":\"ok\"")) {
		run_program(t, &r->program[0], name, &sink);
	}
	arena_free(&a);
	free(text);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void run_folder(struct run *t, const char *dir)
{
	DIR *d = opendir(dir);
	char *names[4096];
	unsigned n = 0;

	for (struct dirent *e; d && (e = readdir(d)) && n < 4096;) {
		size_t len = strlen(e->d_name);
		if (len > 5 && !strcmp(e->d_name + len - 5, ".json"))
			names[n++] = strdup(e->d_name);
	}
	if (d)
		closedir(d);
	qsort(names, n, sizeof *names, by_name);
	for (unsigned i = 0; i < n; i++) {
		run_file(t, dir, names[i]);
		free(names[i]);
	}
}

static void run_corpus(struct run *t, const char *folder)
{
	static const char *const isas[] = {"sm86", "sm53"};
	char dir[1024], expected[1024];

	snprintf(expected, sizeof expected, "%s/expected", folder);
	t->expected = expected;
	for (unsigned i = 0; i < 2; i++) {
		snprintf(dir, sizeof dir, "%s/%s", folder, isas[i]);
		run_folder(t, dir);
	}
	t->expected = NULL;
}

int main(int argc, char **argv)
{
	struct run t = {0};
	int i = 1;

	if (argc == 1) {
		run_corpus(&t, "corpus");
		if (getenv("CORPUS"))
			run_corpus(&t, getenv("CORPUS"));
	}
	if (argc > 2)
		t.expected = argv[argc - 1];
	for (; i < argc - 2; i++) {
		char *slash = strrchr(argv[i], '/');

		if (!strcmp(argv[i], "-p")) {
			t.print = true;
		} else if (!strcmp(argv[i], "-a")) {
			t.pass = argv[++i];
		} else if (slash && strstr(slash, ".json")) {
			*slash = 0;
			run_file(&t, argv[i], slash + 1);
		} else {
			run_folder(&t, argv[i]);
		}
	}
	printf("%u passed, %u failed, %u skipped\n", t.passed, t.failed, t.skipped);
	return t.failed != 0;
}
