/* lift_nv_test.c - lifts recorded NVIDIA compute programs, runs the IR on the evaluator with the recorded inputs and compares
 * with what the original shader wrote on another device.
 *
 *     lift_nv_test [-v] [-p] [-a PASS] DIR|FILE.json... -- EXPECTED
 *     lift_nv_test                                  corpus/, and the folder that CORPUS names when it has such programs
 *
 * DIR has records (NAME.json, code beside them), EXPECTED has NAME.in and NAME.out of the executor: a compute dispatch of
 * 2 x 2 x 1 workgroups. -a: evaluate again after this pass ("all": after the last). -v: name what is refused. -p: print IR.
 * Words are equal when their bits are, or when both are normal floats within 1e-4.
 */
#include "../ir/eval.h"
#include "../libxlate/guest/facts_build.h"
#include "../libxlate/guest/json.h"
#include "../libxlate/isa/lift.h"
#include "../passes/pass.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFERS = 64, GROUPS_X = 2, GROUPS_Y = 2 };
static const uint64_t BUFFER_BASE = 0x100000000000, BUFFER_STEP = 0x100000000, TABLE_BASE = 0x200000000000;

struct buffer {
	uint32_t set, binding, elem, size;
	bool uniform;
	uint8_t *data;
};

struct world { /* what the program sees */
	const struct facts *facts;
	bool sm86;
	struct buffer buffer[MAX_BUFFERS];
	unsigned nbuffer;
	uint8_t push[256];
	char why[160];
};

struct run {
	unsigned passed, failed, skipped;
	bool verbose, print;
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

/* ---- the executor's files: "VKXI1" or "VKXO1", then records {kind[8], set, binding, element, format, w, h, bytes, x} */
struct rec {
	char kind[8];
	uint32_t h[8];
	const uint8_t *data;
};

static bool next_record(const uint8_t *p, size_t size, size_t *at, struct rec *r)
{
	if (size - *at < 40)
		return false;
	memcpy(r->kind, p + *at, 8);
	memcpy(r->h, p + *at + 8, 32);
	*at += 40;
	if (size - *at < r->h[6])
		return false;
	r->data = p + *at;
	*at += r->h[6];
	return true;
}

static struct buffer *find_buffer(struct world *w, uint32_t set, uint32_t binding, uint32_t elem)
{
	for (unsigned i = 0; i < w->nbuffer; i++)
		if (w->buffer[i].set == set && w->buffer[i].binding == binding && w->buffer[i].elem == elem)
			return &w->buffer[i];
	return NULL;
}

static bool load_inputs(struct world *w, const uint8_t *p, size_t size)
{
	struct rec r;
	size_t at = 8;

	while (next_record(p, size, &at, &r)) {
		bool uniform = !strcmp(r.kind, "ubo");

		if (!strcmp(r.kind, "push"))
			memcpy(w->push, r.data, r.h[6] < sizeof w->push ? r.h[6] : sizeof w->push);
		if ((uniform || !strcmp(r.kind, "ssbo")) && w->nbuffer < MAX_BUFFERS) {
			struct buffer *b = &w->buffer[w->nbuffer++];
			*b = (struct buffer){r.h[0], r.h[1], r.h[2], r.h[6], uniform, malloc(r.h[6] + 16u)};
			memcpy(b->data, r.data, r.h[6]);
		}
	}
	return at == size;
}

/* ---- tables and memory */
static uint64_t address_of(const struct world *w, const struct buffer *b)
{
	return BUFFER_BASE + (uint64_t)(b - w->buffer) * BUFFER_STEP;
}

static void descriptor(const struct world *w, const struct buffer *b, uint32_t out[4])
{
	uint64_t a = address_of(w, b);

	if (b->uniform && w->sm86) {
		uint64_t v = a >> 4 | (uint64_t)((b->size + 63u) / 64 * 4) << 45;
		out[0] = (uint32_t)v;
		out[1] = (uint32_t)(v >> 32);
		out[2] = out[3] = 0;
		return;
	}
	out[0] = (uint32_t)a;
	out[1] = (uint32_t)(a >> 32);
	out[2] = b->size;
	out[3] = 0;
}

/* One byte of a table. */
static bool table_byte(struct world *w, uint32_t table, uint32_t off, uint8_t *out)
{
	const struct fact_table *t = &w->facts->table[table];

	for (uint32_t i = 0; i < t->nentry; i++) {
		const struct fact_entry *e = &t->entry[i];
		uint32_t rel = off - e->offset, stride = e->stride ? e->stride : e->size, words[4] = {0};
		uint64_t address;
		struct buffer *b;

		if (off < e->offset || rel >= e->size)
			continue;
		switch (e->kind) {
		case ENTRY_PUSH: *out = w->push[(e->base + rel) % sizeof w->push]; return true;
		case ENTRY_DATA: *out = e->data[rel]; return true;
		case ENTRY_SYSVAL:
			words[0] = e->sysval == SYSVAL_num_workgroups ? (rel < 4 ? GROUPS_X : rel < 8 ? GROUPS_Y : 1) : 0;
			*out = ((uint8_t *)words)[rel & 3];
			return true;
		case ENTRY_POINTER:
			address = TABLE_BASE + e->table * BUFFER_STEP;
			*out = (uint8_t)(address >> 8 * (rel % 8));
			return true;
		case ENTRY_DESC:
			b = find_buffer(w, e->set, e->binding, rel / stride);
			if (!b)
				continue;
			descriptor(w, b, words);
			*out = rel % stride < 16 ? ((uint8_t *)words)[rel % stride] : 0;
			return true;
		default: continue;
		}
	}
	snprintf(w->why, sizeof w->why, "table %u has nothing at %u", table, off);
	return false;
}

static uint8_t *memory(struct world *w, uint64_t address, uint32_t size)
{
	uint64_t i = (address - BUFFER_BASE) / BUFFER_STEP, off = (address - BUFFER_BASE) % BUFFER_STEP;

	if (address < BUFFER_BASE || i >= w->nbuffer || off + size > w->buffer[i].size) {
		snprintf(w->why, sizeof w->why, "no memory at 0x%llx", (unsigned long long)address);
		return NULL;
	}
	return w->buffer[i].data + off;
}

static struct buffer *by_handle(struct world *w, const struct eval_access *a, unsigned n)
{
	const uint64_t *h = a->args[n];
	const struct ir_inst *in = &a->fn->inst[h[0] < a->fn->ninst ? h[0] : 0];

	if (in->op != IR_hbuf) { /* bind: resource and element */
		const struct ir_resource *r = &a->fn->res[h[0]];
		return find_buffer(w, r->set, r->binding, (uint32_t)h[1]);
	}
	for (unsigned i = 0; i < w->nbuffer; i++) {
		uint32_t words[4];
		uint64_t hash = 0;

		descriptor(w, &w->buffer[i], words);
		for (unsigned k = 0; k < 4; k++)
			hash = (hash ^ (k < 2 ? words[k] : 0)) * 0x9e3779b97f4a7c15ull;
		if (hash == h[1])
			return &w->buffer[i];
	}
	return NULL;
}

static ir_id operand(const struct eval_access *a, unsigned n)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];

	return in->nargs8 == 255 ? in->x.ext[n] : in->a[n];
}

static bool is_bind(const struct eval_access *a, unsigned n) /* of a binding whose value is not a buffer */
{
	return a->fn->inst[operand(a, n)].op == IR_bind;
}

/* Where an access goes: bytes to read into or write from. Tables are copied into `copy`. */
static uint8_t *target(struct world *w, const struct eval_access *a, uint32_t size, uint8_t *copy)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	struct buffer *b;

	switch (in->op) {
	case IR_ldtab:
		for (uint32_t i = 0; i < size; i++)
			if (!table_byte(w, in->sub, (uint32_t)a->offset + i, &copy[i]))
				return NULL;
		return copy;
	case IR_ldptr:
	case IR_stptr:
	case IR_atptr:
		if (a->offset >= TABLE_BASE) {
			for (uint32_t i = 0; i < size; i++)
				if (!table_byte(w, (uint32_t)((a->offset - TABLE_BASE) / BUFFER_STEP), (uint32_t)a->offset + i, &copy[i]))
					return NULL;
			return copy;
		}
		return memory(w, a->offset, size);
	default:
		if (is_bind(a, 1)) {
			const struct ir_resource *r = &a->fn->res[a->args[1][0]];
			if (r->kind == RES_PUSH)
				return w->push + a->offset % sizeof w->push;
			if (r->kind == RES_CONST_DATA)
				return a->offset + size <= r->size ? memcpy(copy, r->data + a->offset, size) : NULL;
		}
		b = by_handle(w, a, 1);
		if (!b) {
			snprintf(w->why, sizeof w->why, "unknown buffer");
			return NULL;
		}
		if ((uint32_t)a->offset + size > b->size) {
			memset(copy, 0, size);
			return copy;
		}
		return b->data + (uint32_t)a->offset;
	}
}

static bool io_load(void *user, const struct eval_access *a, uint64_t *out)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	uint32_t bytes = ir_bits(in->type) / 8, n = ir_elems(in->type);
	uint8_t copy[64], *p;

	if (in->op != IR_ldtab && in->op != IR_ldptr && in->op != IR_ldbuf)
		return false;
	p = target(user, a, bytes * n, copy);
	for (uint32_t i = 0; p && i < n; i++) {
		out[i] = 0;
		memcpy(&out[i], p + i * bytes, bytes);
	}
	return p != NULL;
}

static bool io_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	ir_type t;
	uint8_t copy[64], *p;

	if (in->op != IR_stptr && in->op != IR_stbuf)
		return false;
	t = a->fn->inst[operand(a, a->nargs - 1)].type;
	p = target(user, a, ir_bits(t) / 8 * ir_elems(t), copy);
	for (uint32_t i = 0; p && i < ir_elems(t); i++)
		memcpy(p + i * ir_bits(t) / 8, &value[i], ir_bits(t) / 8);
	return p != NULL;
}

static bool io_atomic(void *user, const struct eval_access *a, uint64_t *old)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	unsigned first = in->op == IR_atptr ? 2 : 4, bits = ir_bits(in->type);
	uint64_t replace, value;
	uint8_t copy[64], *p;

	if (in->op != IR_atptr && in->op != IR_atbuf)
		return false;
	p = target(user, a, bits / 8, copy);
	if (!p)
		return false;
	*old = 0;
	memcpy(old, p, bits / 8);
	replace = a->nargs > first + 1 && a->args[first + 1] ? *a->args[first + 1] : 0;
	value = eval_atomic(in->sub, bits, ir_is_float(in->type), *old, *a->args[first], replace);
	memcpy(p, &value, bits / 8);
	return true;
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
				snprintf(text, cap, "set %u binding %u[%u] byte %u: got 0x%08x, want 0x%08x", b->set, b->binding, b->elem, i,
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
	static const struct fact_target target = {.name = "test", .int64 = true, .int8 = true, .int16 = true, .f64 = true, .f16 = true,
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
		struct lift_ctx c = {.fn = ir_fn_new(&a, name), .cpu = cpu, .wave = p->wave, .code = p->code.v, .size = p->code.size,
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
			if (t->verbose)
				printf("SKIP %s: %s\n", name, t->last);
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

/* Programs of the public suites whose output no rule of their language fixes: remainder by zero, shared memory read before it is
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

		if (!strcmp(argv[i], "-v")) {
			t.verbose = true;
		} else if (!strcmp(argv[i], "-p")) {
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
