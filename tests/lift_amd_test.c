/* lift_amd_test.c - lifts every program of the folders given as arguments (records as JSON with code beside them) and counts
 * refusals by reason; each lifted function must pass the verifier. Without arguments: the text fixtures.
 *
 *     lift_amd_test [-v] [-p] [-s STAGE] DIR|FILE.json...   -v: name each refused program; -p: print the IR
 *
 * A fixture (fixtures/ir/lift-<isa>/NAME.txt) has lines `cpu NAME`, `wave N`, `stage NAME`, `code HEX...` (dwords), then
 * `expect` and the text form of the function.
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
		struct lift_ctx c = { .fn = ir_fn_new(&a, p->name), .cpu = cpu, .wave = p->wave, .code = p->code.v, .size = p->code.size,
			.exec_size = p->exec_size, .entry = p->entry, .facts = &f, .scratch = &scratch, .diag = sink };
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

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void lift_dir(struct tally *t, const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char **name = NULL;
	size_t n = 0, cap = 0;

	if (!d) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return;
	}
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);
		if (len < 6 || strcmp(e->d_name + len - 5, ".json"))
			continue;
		if (n == cap)
			name = realloc(name, (cap = cap ? 2 * cap : 64) * sizeof *name);
		name[n++] = strdup(e->d_name);
	}
	closedir(d);
	qsort(name, n, sizeof *name, by_name);
	for (size_t i = 0; i < n; i++) {
		lift_file(t, path, name[i]);
		free(name[i]);
	}
	free(name);
}

static void report(const struct tally *t, const char *what)
{
	printf("%s: lifted %u (%u blocks, %u values), refused %u, without facts %u, broken %u\n", what, t->lifted, t->blocks, t->insts,
	       t->refused, t->skipped, t->broken);
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
