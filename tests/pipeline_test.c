/* pipeline_test.c - every recorded program through lift and passes: the verifier is silent and parse(print(f)) == f after
 * every pass. Before them, facts about the graph that are no longer true are planted behind a pass, and the verifier must speak.
 *
 *   pipeline_test [-k KIND] [-d PROGRAM] [DIR...]    DIR holds record JSON; default: the families of corpus/
 *
 * A program that is refused with a diagnostic counts as skipped, with the reason. -d dumps one program's IR. */
#define _POSIX_C_SOURCE 200809L
#include "../libxlate/guest/facts_build.h"
#include "../libxlate/guest/json.h"
#include "../libxlate/isa/lift.h"
#include "../libxlate/target/target.h"
#include "../passes/pass.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const char *dir, *kind, *dump;
	unsigned passed, failed, skipped;
	char reason[512];
	/* one program */
	struct arena *scratch;
	const char *program;
	bool broken;
};

static char *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *v = NULL;
	size_t n = 0, cap = 0;
	for (;;) {
		if (n + 65536 + 1 > cap) {
			cap = cap ? cap * 2 : 1 << 18;
			char *w = realloc(v, cap);
			if (!w)
				break;
			v = w;
		}
		size_t got = fread(v + n, 1, 65536, f);
		n += got;
		if (!got)
			break;
	}
	fclose(f);
	if (v)
		v[n] = 0;
	*size = n;
	return v;
}

static int read_code(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	struct run *r = user;
	char path[4096];
	size_t n;
	snprintf(path, sizeof path, "%s/%s", r->dir, name);
	char *v = slurp(path, &n);
	if (!v)
		return -1;
	uint8_t *copy = arena_alloc(a, n);
	memcpy(copy, v, n);
	free(v);
	out->v = copy;
	out->size = (uint32_t)n;
	return 0;
}

static void on_diag(void *user, const struct diag *d)
{
	struct run *r = user;
	if (!r->reason[0])
		snprintf(r->reason, sizeof r->reason, "[%s] +0x%x: %s", diag_name(d->code), d->addr, d->text);
	if (d->code == DIAG_VERIFY)
		r->broken = true;
}

static void fail(struct run *r, const char *what, const char *more)
{
	printf("FAIL %s %s: %s\n", r->program, what, more);
	r->broken = true;
}

static void after_pass(void *user, const struct pass *p, struct ir_fn *fn)
{
	struct run *r = user;
	struct arena a;
	const char *error = NULL;
	arena_init(&a, 1u << 30);
	char *one = ir_print_string(fn, &a);
	if (r->dump && strstr(r->program, r->dump))
		printf("; after %s\n%s\n", p->name, one);
	struct ir_fn *again = ir_parse(&a, one, &error);
	if (!again)
		fail(r, p->name, error ? error : "does not parse");
	else if (strcmp(one, ir_print_string(again, &a)) != 0)
		fail(r, p->name, "parse(print(f)) != f");
	arena_free(&a);
}

static void program(struct run *r, const struct xl_record_program *p)
{
	struct arena a, scratch;
	jmp_buf oom;
	struct diag_sink sink = {.emit = on_diag, .user = r, .program = p->name};
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(p->cpu, &cpu);
	struct facts facts;
	struct facts_policy policy = {0};
	r->program = p->name;
	r->broken = false;
	r->reason[0] = 0;
	arena_init(&a, 1u << 30);
	arena_init(&scratch, 1u << 30);
	a.oom = scratch.oom = &oom;
	if (setjmp(oom)) {
		fail(r, "memory", "limit reached");
	} else if (isa && isa->lift && !facts_build(p, target_find("lavapipe"), &policy, &facts, &a, &sink)) {
		struct ir_fn *fn = ir_fn_new(&a, p->name);
		fn->stage = p->stage;
		fn->wave = p->wave;
		memcpy(fn->workgroup, facts.workgroup, sizeof fn->workgroup);
		fn->shared_bytes = facts.shared_bytes;
		fn->scratch_bytes = facts.scratch_bytes;
		struct lift_ctx lc = {.fn = fn, .cpu = cpu, .wave = p->wave, .code = p->code.v, .size = p->code.size,
		                      .exec_size = p->exec_size, .entry = p->entry, .facts = &facts, .scratch = &scratch, .diag = &sink};
		if (!isa->lift(&lc)) {
			struct pass_ctx ctx = {.fn = fn, .facts = &facts, .scratch = &scratch, .diag = &sink};
			struct pipeline_options opt = {.verify = true, .after = after_pass, .user = r};
			arena_reset(&scratch);
			pipeline_run(&ctx, &opt);
		}
	}
	if (r->broken) {
		printf("FAIL %s: %s\n", p->name, r->reason);
		r->failed++;
	} else if (sink.errors || r->reason[0]) {
		r->skipped++;
		printf("skip: %s is refused: %s\n", p->name, r->reason);
	} else
		r->passed++;
	a.oom = scratch.oom = NULL;
	arena_free(&a);
	arena_free(&scratch);
}

static void folder(struct run *r, const char *dir)
{
	struct dirent **names;
	int n = scandir(dir, &names, NULL, alphasort);
	r->dir = dir;
	for (int i = 0; i < n; i++) {
		size_t len = strlen(names[i]->d_name);
		if (len > 5 && !strcmp(names[i]->d_name + len - 5, ".json")) {
			char path[4096];
			size_t size;
			struct arena a;
			struct diag_sink sink = {.emit = on_diag, .user = r};
			struct json_reader reader = {.read = read_code, .user = r};
			snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
			char *text = slurp(path, &size);
			arena_init(&a, 1u << 30);
			const struct xl_pipeline_record *rec = text ? json_import(&a, names[i]->d_name, text, size, &reader, &sink) : NULL;
			for (uint32_t k = 0; rec && k < rec->nprogram; k++)
				if (!r->kind || !strcmp(record_stage_name(rec->program[k].stage), r->kind))
					program(r, &rec->program[k]);
			arena_free(&a);
			free(text);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* ---- facts that a pass is believed to have kept */
enum lie { TRUTH, LIE_IDOM, LIE_INTERVAL, LIE_ORDER, LIE_EDGE, LIES };

/* Behind `fold`: a graph of two ways that meet in block 3, or of a loop with two ways in. */
static void plant(void *user, const struct pass *p, struct ir_fn *fn)
{
	const enum lie *lie = user;
	if (strcmp(p->name, "fold"))
		return;
	if (*lie == LIE_IDOM)
		fn->block[3].idom = 1;
	else if (*lie == LIE_INTERVAL)
		fn->block[2].dom_in = fn->block[1].dom_in;
	else if (*lie == LIE_EDGE)
		cfg_edge_retarget(fn, 1, 0, 2);
	if (*lie != LIE_ORDER)
		return;
	uint32_t last = fn->order[3];
	fn->order[3] = fn->order[2];
	fn->order[2] = last;
	fn->block[fn->order[2]].rpo = 2;
	fn->block[fn->order[3]].rpo = 3;
}

static bool silent(const char *text, enum lie lie)
{
	struct run quiet = {0};
	struct arena a, scratch;
	struct diag_sink sink = {.emit = on_diag, .user = &quiet};
	struct facts facts = {.target = target_find("lavapipe"), .code_table = UINT32_MAX};
	const char *error = NULL;
	arena_init(&a, 1u << 26);
	arena_init(&scratch, 1u << 26);
	struct ir_fn *fn = ir_parse(&a, text, &error);
	struct pass_ctx ctx = {.fn = fn, .facts = &facts, .scratch = &scratch, .diag = &sink};
	struct pipeline_options opt = {.verify = true, .after = plant, .user = &lie, .stop_after = lie ? "capture" : NULL};
	bool fine = fn && pipeline_run(&ctx, &opt) != PASS_REFUSED;
	arena_free(&a);
	arena_free(&scratch);
	return fine && !quiet.broken;
}

static void planted(struct run *r)
{
	static const char head[] = "fn \"t\" compute wave 64 workgroup 64 1 1 ssa\nb0:\n\t%l:i32 = sysval.local_id\n"
	                           "\t%c:b1 = ult %l, i32:5\n\t%n:b1 = inot %c\n\tbrc %n, b1, b2\n";
	static const char meet[] = "b1:\n\tbarrier\n\tbr b3\nb2:\n\tbarrier\n\tbr b3\nb3:\n\tret\n";
	static const char loop[] = "b1:\n\tbarrier\n\t%d:b1 = ult %l, i32:9\n\tbrc %d, b2, b3\n"
	                           "b2:\n\tbarrier\n\t%e:b1 = ult %l, i32:7\n\tbrc %e, b1, b3\nb3:\n\tret\n";
	static const char ever[] = "b1:\n\tbarrier\n\tbr b1\nb2:\n\tret\n"; /* nothing leads to the block behind the loop */
	char text[3][sizeof head + sizeof loop];
	snprintf(text[0], sizeof text[0], "%s%s", head, meet);
	snprintf(text[1], sizeof text[1], "%s%s", head, loop);
	snprintf(text[2], sizeof text[2], "%s%s", head, ever);
	for (int lie = TRUTH; lie < LIES; lie++) {
		bool fine = silent(text[0], (enum lie)lie) == !lie && (lie || (silent(text[1], TRUTH) && silent(text[2], TRUTH)));
		if (!fine)
			printf("FAIL planted %d: the verifier %s\n", lie, lie ? "is silent" : "complains");
		fine ? r->passed++ : r->failed++;
	}
}

int main(int argc, char **argv)
{
	static const char *const corpus[] = {"corpus/navi21", "corpus/navi21-w32", "corpus/bonaire", "corpus/sm86", "corpus/sm53"};
	struct run r = {0};
	int i = 1, dirs = 0;
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-k") && i + 1 < argc)
			r.kind = argv[++i];
		else if (!strcmp(argv[i], "-d") && i + 1 < argc)
			r.dump = argv[++i];
	}
	for (; i < argc; i++, dirs++)
		folder(&r, argv[i]);
	planted(&r);
	for (size_t k = 0; !dirs && k < sizeof corpus / sizeof *corpus; k++)
		folder(&r, corpus[k]);
	printf("%u passed, %u failed, %u skipped\n", r.passed, r.failed, r.skipped);
	return r.failed != 0;
}
