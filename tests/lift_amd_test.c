/* lift_amd_test.c - lifts every program of the folders given as arguments (records as JSON with code beside them)
 * and counts refusals by reason; each lifted function must pass the verifier. Without arguments: the text fixtures.
 *
 *     lift_amd_test [-u]
 *     lift_amd_test [-v] [-p] [-s STAGE] DIR|FILE.json...   -v: name each refused program; -p: print the IR
 *
 * A fixture file (fixtures/ir/lift-<isa>/NAME.txt) holds cases, separated by lines `===`: comment lines (`;`), lines
 * `cpu NAME`, `wave N`, `stage comp|vert|frag`, `group X Y Z`, `strict` (floats), `code HEX... ; assembly` (dwords,
 * any number of lines), then `---` and the expected text: the printed function, or `refused CODE: text`. -u rewrites the expected
 * text. The facts of a fixture: s0-s3 hold roots 0-3 (a table's address, then two opaque words), v0-v2 the local id
 * (vert: v0 the vertex index; frag: v0, v1 I and J), one colour target, parameters and inputs at their own
 * locations, parameter 2 at location 3, too, denormals flushed.
 */
#include "../libxlate/guest/facts_build.h"
#include "../libxlate/guest/json.h"
#include "../libxlate/isa/lift.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REASONS = 2000 };

struct tally {
	char *reason[MAX_REASONS];
	unsigned count[MAX_REASONS], n;
	unsigned lifted, refused, broken, skipped, blocks, insts;
	bool verbose, print;
	const char *stage, *dir;
	char last[256];
};

static char *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *buf = NULL;
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

static int read_code(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	struct tally *t = user;
	char path[1024];
	size_t size;

	snprintf(path, sizeof path, "%s/%s", t->dir, name);
	char *text = slurp(path, &size);
	if (!text)
		return -1;
	uint8_t *copy = arena_alloc(a, size ? size : 1);
	memcpy(copy, text, size);
	free(text);
	out->v = copy;
	out->size = (uint32_t)size;
	return 0;
}

static void on_diag(void *user, const struct diag *d)
{
	struct tally *t = user;
	const char *colon = strchr(d->text, ':');
	char key[256];

	snprintf(t->last, sizeof t->last, "0x%x %s", d->addr, d->text);
	if (d->code == DIAG_UNLIFTED && colon) { /* by mnemonic, with the reason when it is not the instruction itself */
		size_t n = (size_t)(colon - d->text);
		const char *why = colon + 2;
		bool whole = !strncmp(why, d->text, n);
		snprintf(key, sizeof key, "%s %.*s%s%s", diag_name(d->code), (int)n, d->text, whole ? "" : " -- ", whole ? "" : why);
	} else {
		snprintf(key, sizeof key, "%s %s", diag_name(d->code), d->code == DIAG_UNLIFTED ? d->text : "");
	}
	unsigned i = 0;
	while (i < t->n && strcmp(t->reason[i], key))
		i++;
	if (i == t->n && t->n < MAX_REASONS) {
		t->reason[t->n] = strdup(key);
		t->count[t->n++] = 0;
	}
	if (i < t->n)
		t->count[i]++;
}

static void lift_program(struct tally *t, const struct xl_record_program *p, struct diag_sink *sink)
{
	static const struct fact_target target = { .name = "test" };
	const struct facts_policy policy = { 0 };
	struct arena a, scratch;
	struct facts f;
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(p->cpu ? p->cpu : p->isa, &cpu);

	if (p->stage != STAGE_VERTEX && p->stage != STAGE_FRAGMENT && p->stage != STAGE_COMPUTE)
		return;
	if (t->stage && strcmp(t->stage, record_stage_name(p->stage)))
		return;
	arena_init(&a, 256u << 20);
	arena_init(&scratch, 256u << 20);
	sink->program = p->name;
	if (!isa || facts_build(p, &target, &policy, &f, &a, sink)) {
		t->skipped++;
		if (t->verbose)
			printf("%s: no facts: %s\n", p->name, t->last);
	} else {
		struct lift_ctx c = { .fn = ir_fn_new(&a, p->name), .cpu = cpu, .wave = p->wave, .code = p->code.v,
			.size = p->code.size, .exec_size = p->exec_size, .entry = p->entry, .facts = &f, .scratch = &scratch, .diag = sink };
		c.fn->stage = p->stage;
		c.fn->wave = p->wave;
		memcpy(c.fn->workgroup, f.workgroup, sizeof f.workgroup);
		c.fn->shared_bytes = f.shared_bytes;
		if (isa->lift(&c)) {
			t->refused++;
			if (t->verbose)
				printf("%s: %s\n", p->name, t->last);
		} else {
			const char *bad = ir_verify(c.fn, &scratch);
			t->lifted++;
			t->blocks += c.fn->nblock;
			t->insts += c.fn->ninst;
			if (bad) {
				t->broken++;
				printf("%s: BROKEN %s\n", p->name, bad);
			}
			if (t->print)
				ir_print(c.fn, stdout);
		}
	}
	arena_free(&a);
	arena_free(&scratch);
}

static void lift_file(struct tally *t, const char *dir, const char *name)
{
	char path[1024];
	size_t size;
	struct arena a;
	struct diag_sink sink = { .emit = on_diag, .user = t };
	struct json_reader reader = { read_code, t };

	snprintf(path, sizeof path, "%s/%s", dir, name);
	t->dir = dir;
	char *text = slurp(path, &size);
	if (!text) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return;
	}
	arena_init(&a, 256u << 20);
	const struct xl_pipeline_record *r = json_import(&a, name, text, size, &reader, &sink);
	if (!r)
		printf("%s: not imported: %s\n", name, t->last);
	for (uint32_t i = 0; r && i < r->nprogram; i++)
		lift_program(t, &r->program[i], &sink);
	arena_free(&a);
	free(text);
}

/* ---- fixtures */
struct fixture {
	struct isa_cpu const *cpu;
	const struct isa *isa;
	unsigned wave, stage, group[3], paired, floats;
	uint8_t code[4096];
	uint32_t size;
	char why[512];
};

static void keep_refusal(void *user, const struct diag *d)
{
	struct fixture *f = user;

	snprintf(f->why, sizeof f->why, "refused %s: %s\n", diag_name(d->code), d->text);
}

static bool parse_line(struct fixture *f, char *line)
{
	char word[64];
	int at = 0;

	if (!*line || *line == ';')
		return true;
	if (sscanf(line, "cpu %63s", word) == 1)
		return (f->isa = isa_find(word, &f->cpu)) != NULL;
	if (sscanf(line, "wave %u", &f->wave) == 1)
		return true;
	if (sscanf(line, "paired %u", &f->paired) == 1)
		return true;
	if (!strcmp(line, "strict"))
		return f->floats = FLOAT_STRICT, true;
	if (sscanf(line, "group %u %u %u", &f->group[0], &f->group[1], &f->group[2]) == 3)
		return true;
	if (sscanf(line, "stage %63s", word) == 1) {
		f->stage = !strcmp(word, "vert") ? STAGE_VERTEX : !strcmp(word, "frag") ? STAGE_FRAGMENT : STAGE_COMPUTE;
		return true;
	}
	if (strncmp(line, "code ", 5))
		return false;
	line += 5;
	for (unsigned w; sscanf(line, "%8x%n", &w, &at) == 1 && f->size + 4 <= sizeof f->code; line += at)
		for (unsigned i = 0; i < 4; i++)
			f->code[f->size++] = (uint8_t)(w >> 8 * i);
	return true;
}

/* The text that lifting gives, in the arena. */
static char *lift_fixture(struct fixture *f, struct arena *a, struct arena *scratch)
{
	static const struct fact_target target = { .name = "test" };
	static const struct fact_root roots[] = {
		{ .kind = ROOT_TABLE_LO, .name = "lo" }, { .kind = ROOT_TABLE_HI, .name = "hi" },
		{ .kind = ROOT_OPAQUE, .name = "two" }, { .kind = ROOT_OPAQUE, .name = "three" } };
	static const struct fact_table table = { .name = "code", .is_code = true };
	static const struct fact_color color = { .target = 0, .numeric = NUMERIC_FLOAT, .bits = 32 };
	static const struct fact_param params[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 2, 3 } };
	static const struct fact_input inputs[] = { { .location = 0, .smooth = 1 }, { .location = 1 } };
	struct fact_init init[7];
	struct facts facts = { .stage = (uint8_t)f->stage, .wave = (uint8_t)f->wave, .float_mode = FACT_FTZ32, .nroot = 4, .paired_registers = f->paired,
		.floats = (uint8_t)f->floats,
		.root = roots, .ntable = 1, .table = &table, .ncolor = 1, .color = &color, .nparam = 4, .param = params, .ninput = 2,
		.input = inputs, .init = init, .can_discard = true, .target = &target };
	static const uint16_t bary = SYSVAL_bary_persp_center;
	struct diag_sink sink = { .emit = keep_refusal, .user = f };
	struct lift_ctx c = { .fn = ir_fn_new(a, "t"), .cpu = f->cpu, .wave = f->wave, .code = f->code, .size = f->size,
		.exec_size = f->size, .facts = &facts, .scratch = scratch, .diag = &sink };

	for (uint16_t i = 0; i < 4; i++)
		init[facts.ninit++] = (struct fact_init){ .file = AMD_FILE_SGPR, .kind = INIT_ROOT, .index = i, .root = i };
	for (uint16_t i = 0; i < (f->stage == STAGE_COMPUTE ? 3 : f->stage == STAGE_VERTEX ? 1 : 2); i++)
		init[facts.ninit++] = (struct fact_init){ .file = AMD_FILE_VGPR, .kind = INIT_SYSVAL, .index = i, .comp = i,
			.sysval = f->stage == STAGE_COMPUTE ? SYSVAL_local_id : f->stage == STAGE_VERTEX ? SYSVAL_vertex_index_zero : bary };
	c.fn->stage = (uint8_t)f->stage;
	c.fn->wave = (uint8_t)f->wave;
	for (unsigned i = 0; i < 3; i++)
		c.fn->workgroup[i] = facts.workgroup[i] = f->group[i];
	if (f->isa->lift(&c))
		return arena_strdup(a, f->why);
	const char *bad = ir_verify(c.fn, scratch);
	return bad ? arena_printf(a, "broken: %s\n", bad) : ir_print_string(c.fn, a);
}

static void run_fixtures(const char *path, bool update, unsigned counts[2])
{
	size_t size;
	char *text = slurp(path, &size), *out = NULL, *expect;
	size_t nout = 0;

	if (!text)
		return;
	FILE *o = open_memstream(&out, &nout);
	for (char *at = text; at && *at;) {
		struct fixture f = { .wave = 64, .stage = STAGE_COMPUTE, .group = { 64, 1, 1 } };
		struct arena a, scratch;
		char *end = strstr(at, "\n===\n"), *head = at;
		bool good = true;
		if (end)
			end[1] = 0;
		expect = strstr(at, "\n---\n");
		if (expect)
			expect[1] = 0;
		arena_init(&a, 64u << 20);
		arena_init(&scratch, 64u << 20);
		char *copy = arena_strdup(&a, head);
		for (char *line = copy, *nl; line; line = nl) {
			nl = strchr(line, '\n');
			if (nl)
				*nl++ = 0;
			good &= parse_line(&f, line);
		}
		const char *got = good && f.isa && expect ? lift_fixture(&f, &a, &scratch) : "no such fixture line\n";
		bool same = expect && !strcmp(got, expect + 5);
		counts[same]++;
		if (!same && !update)
			printf("%s: differs\n%s--- got\n%s", path, head, got);
		fprintf(o, "%s---\n%s%s", head, got, end ? "===\n" : "");
		arena_free(&a);
		arena_free(&scratch);
		at = end ? end + 5 : NULL;
	}
	fclose(o);
	if (update && (o = fopen(path, "wb"))) {
		fwrite(out, 1, nout, o);
		fclose(o);
	}
	free(out);
	free(text);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder that end so, sorted; the caller frees them. */
static size_t list_dir(const char *path, const char *ending, char ***names)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char **name = NULL;
	size_t n = 0, cap = 0;

	if (!d)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	while (d && (e = readdir(d))) {
		size_t len = strlen(e->d_name), end = strlen(ending);
		if (len <= end || strcmp(e->d_name + len - end, ending))
			continue;
		if (n == cap)
			name = realloc(name, (cap = cap ? 2 * cap : 64) * sizeof *name);
		name[n++] = strdup(e->d_name);
	}
	if (d)
		closedir(d);
	if (n)
		qsort(name, n, sizeof *name, by_name);
	*names = name;
	return n;
}

static void lift_dir(struct tally *t, const char *path)
{
	char **name;
	size_t n = list_dir(path, ".json", &name);

	for (size_t i = 0; i < n; i++) {
		lift_file(t, path, name[i]);
		free(name[i]);
	}
	free(name);
}

static int all_fixtures(bool update)
{
	static const char *const dirs[] = { "fixtures/ir/lift-gfx10", "fixtures/ir/lift-gfx7" };
	unsigned counts[2] = { 0, 0 };
	char path[1024];

	for (unsigned d = 0; d < 2; d++) {
		char **name;
		size_t n = list_dir(dirs[d], ".txt", &name);
		for (size_t i = 0; i < n; i++) {
			snprintf(path, sizeof path, "%s/%s", dirs[d], name[i]);
			run_fixtures(path, update, counts);
			free(name[i]);
		}
		free(name);
	}
	printf("%u passed, %u failed\n", counts[1], counts[0]);
	return counts[0] && !update ? 1 : 0;
}

static void report(const struct tally *t, const char *what)
{
	printf("%s: lifted %u (%u blocks, %u values), refused %u, without facts %u, broken %u\n", what, t->lifted, t->blocks,
	       t->insts, t->refused, t->skipped, t->broken);
	for (unsigned done = 0; done < t->n; done++) {
		unsigned best = 0;
		for (unsigned i = 0; i < t->n; i++)
			if (t->count[i] > t->count[best])
				best = i;
		printf("%6u %s\n", t->count[best], t->reason[best]);
		((struct tally *)t)->count[best] = 0;
	}
}

int main(int argc, char **argv)
{
	bool verbose = false, print = false;
	const char *stage = NULL;
	unsigned broken = 0;

	if (argc == 1 || (argc == 2 && !strcmp(argv[1], "-u")))
		return all_fixtures(argc == 2);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			verbose = true;
		else if (!strcmp(argv[i], "-p"))
			print = true;
		else if (!strcmp(argv[i], "-s") && i + 1 < argc)
			stage = argv[++i];
		else {
			struct tally *t = calloc(1, sizeof *t);
			size_t len = strlen(argv[i]);
			t->verbose = verbose;
			t->print = print;
			t->stage = stage;
			if (len > 5 && !strcmp(argv[i] + len - 5, ".json")) {
				char *slash = strrchr(argv[i], '/');
				if (slash)
					*slash = 0;
				lift_file(t, slash ? argv[i] : ".", slash ? slash + 1 : argv[i]);
			} else {
				lift_dir(t, argv[i]);
			}
			report(t, argv[i]);
			broken += t->broken;
			for (unsigned k = 0; k < t->n; k++)
				free(t->reason[k]);
			free(t);
		}
	}
	return broken ? 1 : 0;
}
