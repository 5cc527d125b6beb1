/* fixture_test [-u] [DIR...] - pass fixtures: text in, passes, text out.
 *
 * A file *.xir holds cases, separated by lines `===`. A case:
 *
 *	; what it shows (any number of comment lines)
 *	; RUN: pass NAME[,NAME...]
 *	; SHOW: remarks                 (optional: remarks are part of the expected text)
 *	; INPUT: broken                 (optional: the input breaks a rule that the verifier checks, and the pass must too)
 *	; TABLE ... ; ENTRY ... ; ROOT ... ; ATTRIB ... ; PARAM ... ; FACT ... ; TARGET ...   (facts: fixture_facts.h)
 *	input function
 *	---
 *	expected text
 *
 * Expected text is the printed function, or `refused CODE: text` lines where a pass refuses. After `divergence` a last line
 * `; divergent %1 %4` lists the divergent values by their printed names. `; todo: why` marks an expected failure, which fails
 * when it starts to pass. The verifier runs after each pass, and what `lanes` changes runs as a wave before and after (lanes_run.h),
 * but vertex programs, for which it chooses the wave. -u rewrites the expected text. The last line counts.
 */
#include "../passes/pass.h"
#include "fixture_facts.h"
#include "lanes_run.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct text {
	char *s;
	size_t n, cap;
};
struct run {
	bool update, update_needed;
	unsigned passed, failed, skipped;
};

static void add(struct text *t, const char *s, size_t n)
{
	if (t->n + n + 1 > t->cap) {
		t->cap = (t->n + n + 1) * 2;
		t->s = realloc(t->s, t->cap);
		if (!t->s)
			abort();
	}
	memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = 0;
}

static void adds(struct text *t, const char *s)
{
	add(t, s, strlen(s));
}

static bool read_file(const char *path, struct text *t)
{
	char buf[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		return false;
	adds(t, "");
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		add(t, buf, n);
	fclose(f);
	return true;
}

/* ---- one case */
struct sink {
	struct text *out;
	bool remarks;
};

static void on_diag(void *user, const struct diag *d)
{
	struct sink *s = user;

	adds(s->out, "refused ");
	adds(s->out, diag_name(d->code));
	adds(s->out, ": ");
	adds(s->out, d->text);
	adds(s->out, "\n");
}

static void on_remark(void *user, const struct remark *r)
{
	struct sink *s = user;

	if (!s->remarks)
		return;
	adds(s->out, "; ");
	adds(s->out, r->pass);
	adds(s->out, ": ");
	adds(s->out, r->text);
	adds(s->out, "\n");
}

/* The printer numbers values in the order of printing: the order of blocks and instructions that define one. */
static void show_divergence(struct pass_ctx *ctx, struct text *out)
{
	struct ir_fn *fn = ctx->fn;
	unsigned number = 0;
	char buf[32];

	adds(out, "; divergent");
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].type == IR_VOID)
				continue;
			if (id < ctx->ndivergent && ctx->divergent[id]) {
				snprintf(buf, sizeof(buf), " %%%u", number);
				adds(out, buf);
			}
			number++;
		}
	adds(out, "\n");
}

/* ---- what every lane stores, before and after wave-wide questions are answered */
enum { WAVES = 64 };

static void run_before(const struct ir_fn *fn, struct lanes_run *before, bool *ran)
{
	for (unsigned k = 0; k < WAVES; k++)
		ran[k] = fn->stage != STAGE_VERTEX && lanes_run_fn(fn, k * 77 + 1, &before[k], NULL) == EVAL_OK;
}

static bool same_after(const struct ir_fn *fn, const struct lanes_run *before, const bool *ran, struct text *out)
{
	static struct lanes_run after;
	char buf[80];

	for (unsigned k = 0; k < WAVES; k++)
		if (ran[k] && (lanes_run_fn(fn, k * 77 + 1, &after, NULL) != EVAL_OK || memcmp(&before[k], &after, sizeof(after)))) {
			snprintf(buf, sizeof(buf), "in wave %u a lane does something else now\n", k);
			adds(out, buf);
			return false;
		}
	return true;
}

static bool run_pass(struct pass_ctx *ctx, const char *name, struct text *out)
{
	static struct lanes_run before[WAVES];
	const struct pass *p = pass_find(name);
	const char *broken;
	bool ran[WAVES], lanes = !strcmp(name, "lanes");

	if (!p) {
		adds(out, "no such pass: ");
		adds(out, name);
		adds(out, "\n");
		return false;
	}
	if (p->requires & (HAS_ORDER | HAS_DOM)) {
		cfg_order(ctx->fn);
		cfg_dominators(ctx->fn);
	}
	if (lanes)
		run_before(ctx->fn, before, ran);
	enum pass_result r = p->run(ctx);
	arena_reset(ctx->scratch);
	if (r == PASS_REFUSED)
		return false;
	broken = ir_verify(ctx->fn, ctx->scratch);
	if (broken) {
		adds(out, "broken after ");
		adds(out, name);
		adds(out, ": ");
		adds(out, broken);
		adds(out, "\n");
		return false;
	}
	if (!lanes)
		return true;
	cfg_order(ctx->fn); /* lanes meet again by it */
	return same_after(ctx->fn, before, ran, out);
}

static void run_case(const char *names, const char *input, bool remarks, struct text *out)
{
	struct arena a, scratch;
	struct sink sink = { out, remarks };
	struct diag_sink diag = { .emit = on_diag, .remark = on_remark, .user = &sink };
	const char *error = NULL;
	char *list = strdup(names), *save = NULL;

	arena_init(&a, (size_t)256 << 20);
	arena_init(&scratch, (size_t)256 << 20);
	struct ir_fn *fn = ir_parse(&a, input, &error);
	if (!fn) {
		adds(out, "parse: ");
		adds(out, error);
		adds(out, "\n");
	} else {
		struct fixture_facts *f = arena_new(&a, struct fixture_facts);
		struct pass_ctx ctx = { .fn = fn, .facts = &f->facts, .scratch = &scratch, .diag = &diag };
		bool fine = true;
		const char *name = NULL, *last = "";
		const char *broken = fixture_facts(f, input, fn->stage, fn->wave);
		memcpy(f->facts.workgroup, fn->workgroup, sizeof(f->facts.workgroup));
		if (!broken && !strstr(input, "; INPUT: broken"))
			broken = ir_verify(fn, &scratch);
		if (broken) {
			adds(out, "input: ");
			adds(out, broken);
			adds(out, "\n");
			fine = false;
		}
		for (name = strtok_r(list, ", ", &save); fine && name; name = strtok_r(NULL, ", ", &save)) {
			fine = run_pass(&ctx, name, out);
			last = name;
		}
		if (fine) {
			adds(out, ir_print_string(fn, &a));
			if (!strcmp(last, "divergence"))
				show_divergence(&ctx, out);
		}
	}
	free(list);
	arena_free(&a);
	arena_free(&scratch);
}

/* ---- files */
static void print_diff(const char *want, const char *got)
{
	while (*want || *got) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if (w != g || memcmp(want, got, w)) {
			if (*want)
				printf("  -%.*s\n", (int)w, want);
			if (*got)
				printf("  +%.*s\n", (int)g, got);
		} else {
			printf("   %.*s\n", (int)w, want);
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
}

static char *slice(const char *s, size_t n)
{
	char *c = malloc(n + 1);

	if (!c)
		abort();
	memcpy(c, s, n);
	c[n] = 0;
	return c;
}

/* `head` is the comment lines and input, `want` the expected text. Appends the case as it should be to `neu`. */
static void do_case(struct run *r, const char *path, unsigned line, const char *head, const char *want, struct text *neu)
{
	const char *run = strstr(head, "; RUN: pass "), *todo = strstr(head, "; todo:");
	struct text got = { 0 };

	adds(&got, "");
	if (!run) {
		printf("FAIL %s:%u: no RUN line\n", path, line);
		r->failed++;
		adds(neu, head);
		adds(neu, "---\n");
		adds(neu, want);
		return;
	}
	run += strlen("; RUN: pass ");
	char *names = slice(run, strcspn(run, "\n"));
	run_case(names, head, strstr(head, "; SHOW: remarks") != NULL, &got);
	bool same = !strcmp(got.s, want);
	adds(neu, head);
	adds(neu, "---\n");
	adds(neu, todo ? want : got.s);
	if (same == !todo) {
		r->passed++;
	} else if (r->update && !todo) {
		printf("updated %s:%u\n", path, line);
		r->passed++;
		r->update_needed = true;
	} else {
		printf("FAIL %s:%u: pass %s%s\n", path, line, names, todo ? " (a todo that passes now)" : "");
		print_diff(want, got.s);
		r->failed++;
	}
	free(names);
	free(got.s);
}

static const char *find_line(const char *s, const char *what)
{
	size_t n = strlen(what);

	for (; *s; s += strcspn(s, "\n"), s += *s == '\n')
		if (!strncmp(s, what, n) && (s[n] == '\n' || !s[n]))
			return s;
	return NULL;
}

static void do_file(struct run *r, const char *path)
{
	struct text t = { 0 }, neu = { 0 };
	unsigned line = 1;

	r->update_needed = false;
	if (!read_file(path, &t)) {
		printf("FAIL %s: cannot read\n", path);
		r->failed++;
		return;
	}
	for (const char *at = t.s; *at;) {
		const char *end = find_line(at, "===");
		size_t n = end ? (size_t)(end - at) : strlen(at);
		char *one = slice(at, n);
		const char *bar = find_line(one, "---");
		char *head = slice(one, bar ? (size_t)(bar - one) : n);
		do_case(r, path, line, head, bar ? bar + 3 + (bar[3] == '\n') : "", &neu);
		free(head);
		for (size_t i = 0; i < n; i++)
			line += at[i] == '\n';
		free(one);
		at += n;
		if (end) {
			at += 3 + (at[3] == '\n');
			line++;
			adds(&neu, "===\n");
		}
	}
	if (r->update_needed) {
		FILE *f = fopen(path, "wb");
		if (f) {
			fwrite(neu.s, 1, neu.n, f);
			fclose(f);
		}
	}
	free(t.s);
	free(neu.s);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void do_path(struct run *r, const char *path)
{
	struct stat st;
	struct dirent *e;
	char **name = NULL;
	size_t n = 0;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		do_file(r, path);
		return;
	}
	DIR *d = opendir(path);
	if (!d)
		return;
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);
		char full[4096];
		snprintf(full, sizeof(full), "%s/%s", path, e->d_name);
		if (e->d_name[0] == '.' || stat(full, &st) != 0)
			continue;
		if (!S_ISDIR(st.st_mode) && (len < 4 || strcmp(e->d_name + len - 4, ".xir")))
			continue;
		name = realloc(name, (n + 1) * sizeof(*name));
		if (!name)
			abort();
		name[n++] = strdup(full);
	}
	closedir(d);
	if (n)
		qsort(name, n, sizeof(*name), by_name);
	for (size_t i = 0; i < n; i++) {
		do_path(r, name[i]);
		free(name[i]);
	}
	free(name);
}

int main(int argc, char **argv)
{
	struct run r = { .update = getenv("UPDATE") != NULL };
	unsigned paths = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-u"))
			r.update = true;
		else
			do_path(&r, argv[i]), paths++;
	}
	if (!paths)
		do_path(&r, "fixtures/ir");
	printf("%u passed, %u failed, %u skipped\n", r.passed, r.failed, r.skipped);
	return r.failed != 0;
}
