/* corpus_tools.c - translations of a corpus, and what the executor and a driver's compiler say of them. */
#include "corpus.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *path_of(const struct corpus *c, const char *sub, const struct corpus_record *r, const char *stage)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	fprintf(f, "%s/%s/%s", c->work, sub, r->family);
	if (stage)
		fprintf(f, "/%s.%s.spv", r->name, stage);
	fclose(f);
	return text;
}

/* The geometry stage that goes with a module: `path` is NAME.STAGE.spv, this NAME.STAGE.geom.spv. */
static char *path_of_generated(const char *path)
{
	size_t n = strlen(path), end = n > 4 ? n - 4 : n;
	char *text = malloc(n + 16);

	if (text)
		sprintf(text, "%.*s.geom.spv", (int)end, path);
	return text;
}

/* ---- translation */
struct module { const char *name; char key[33]; uint32_t i; };

static int by_name(const void *a, const void *b)
{
	const struct module *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->key, y->key);
}

static void note_row(struct corpus_row *row, const struct xl_package_program *p, bool valid)
{
	static const char *const names[] = { [XL_OK] = "ok", [XL_REFUSED] = "refused", [XL_USAGE] = "failed", [XL_UNREADABLE] = "failed",
		[XL_INTERNAL] = "failed" };

	row->status = strdup(names[p->status]);
	row->words = p->words;
	for (uint32_t i = 0; i < p->ndiag && !row->code && p->status != XL_OK; i++)
		row->code = strcmp(p->diag[i].severity, "error") ? NULL : strdup(p->diag[i].code);
	row->valid = p->words ? strdup(valid ? "yes" : "no") : NULL;
}

static int write_generated(const struct xl_package *p, struct xl_slot *slot, uint32_t i, const char *of)
{
	struct xl_log log = stderr_log();
	size_t nwords;
	const uint32_t *words = xl_package_generated(p, slot, i, &nwords, &log);
	char *to = path_of_generated(of);
	int rc = !words ? XL_UNREADABLE : !to ? XL_INTERNAL : (int)xl_file_write(to, words, nwords * 4, &log);

	free(to);
	return rc;
}

/* Every row's module out of the package. */
static int take_modules(struct corpus *c, const char *gpu, const struct xl_target *target, const char *package, const char *sub, bool note)
{
	struct xl_log log = stderr_log();
	enum xl_status status = XL_INTERNAL;
	struct xl_package *p = xl_package_open(package, &log, &status);
	struct xl_context *context = xl_context_new(target);
	struct xl_slot *slot = xl_slot_new();
	uint32_t n = p ? xl_package_programs(p) : 0;
	struct module *m = calloc(n + 1u, sizeof(*m));
	int rc = p ? 0 : (int)status;

	for (uint32_t i = 0; p && slot && m && i < n; i++) {
		struct xl_package_program of;

		xl_package_get(p, slot, i, &of);
		m[i] = (struct module){ .name = of.name, .i = i };
		memcpy(m[i].key, of.key, sizeof(m[i].key));
	}
	if (!context || !slot || !m)
		rc = XL_INTERNAL;
	if (!rc && n)
		qsort(m, n, sizeof(*m), by_name);
	for (uint32_t i = 0; !rc && i < c->nrow; i++) {
		struct corpus_row *row = &c->row[i];
		const struct corpus_record *r = &c->record[row->record];
		struct xl_package_program of;
		struct module want = { 0 }, *found;
		char *name = malloc(strlen(row->name) + strlen(row->stage) + 2), *to = path_of(c, sub, r, row->stage);
		const uint32_t *words = NULL;
		size_t nwords;

		if (name)
			sprintf(name, "%s.%s", row->name, row->stage);
		want.name = name;
		memcpy(want.key, row->key, sizeof(want.key));
		rc = name && to ? 0 : XL_INTERNAL;
		found = rc || (gpu && (!r->gpu || strcmp(r->gpu, gpu))) ? NULL : bsearch(&want, m, n, sizeof(*m), by_name);
		if (found) {
			xl_package_get(p, slot, found->i, &of);
			words = of.words ? xl_package_module(p, slot, found->i, &nwords, &log) : NULL;
			if (words)
				rc = (int)xl_file_write(to, words, nwords * 4, &log);
			if (note)
				note_row(row, &of, words && !xl_validate(context, words, nwords, &log));
			if (!rc && words && of.generated_words)
				rc = write_generated(p, slot, found->i, to);
		}
		free(name);
		free(to);
	}
	free(m);
	xl_slot_free(slot);
	xl_context_free(context);
	xl_package_free(p);
	return rc;
}

static int make_folders(const struct corpus *c, const char *sub)
{
	size_t len = strlen(c->work) + strlen(sub) + 16;
	char *path = malloc(len);
	int rc = path ? 0 : XL_INTERNAL;

	if (path) {
		snprintf(path, len, "%s/%s", c->work, sub);
		rc = mkdir(path, 0777) && errno != EEXIST ? XL_UNREADABLE : 0;
	}
	free(path);
	for (uint32_t i = 0; !rc && i < c->nrecord; i++) {
		path = path_of(c, sub, &c->record[i], NULL);
		rc = !path ? XL_INTERNAL : mkdir(path, 0777) && errno != EEXIST ? XL_UNREADABLE : 0;
		free(path);
	}
	return rc;
}

int corpus_translate(struct corpus *c, const char *gpu, const char *target_name, const char *sub, bool note)
{
	struct translate t = c->translate;
	struct work w = { .translate = &t, .threads = c->threads, .stop = c->stop, .isolated = true, .time_limit = 60, .memory_limit = 2048 };
	struct input *in = calloc(c->nrecord + 1u, sizeof(*in));
	char *package = malloc(strlen(c->work) + 16);
	struct xl_log log = stderr_log();
	struct xl_target *target;
	struct map seen = { 0 };
	int rc = 0;

	t.target = target_name;
	target = translate_target(&t, &rc);
	if (target && in && package) {
		sprintf(package, "%s/p.xlp", c->work);
		w.target = target;
		w.package = xl_package_writer_new(target, &t.options);
		rc = w.package ? make_folders(c, sub) : XL_INTERNAL;
		for (uint32_t i = 0; !rc && i < c->nrecord; i++) {
			if (gpu && (!c->record[i].gpu || strcmp(c->record[i].gpu, gpu)))
				continue;
			rc = input_open(&in[i], c->record[i].file);
			rc = rc ? rc : jobs_add(&w, &in[i], (struct shard){ 0, 0 }, &seen);
		}
		rc = rc ? rc : work_run(&w);
		rc = !rc && *c->stop ? XL_REFUSED : rc;
		rc = rc ? rc : (int)xl_package_write(w.package, package, &log);
		rc = rc ? rc : take_modules(c, gpu, target, package, sub, note);
		unlink(package);
	} else if (target) {
		rc = XL_INTERNAL;
	}
	map_free(&seen);
	work_free(&w);
	for (uint32_t i = 0; in && i < c->nrecord; i++)
		input_close(&in[i]);
	free(in);
	free(package);
	xl_target_free(target);
	return rc;
}

/* ---- a tool that reads a list of jobs and prints a line for each: "name, tab, what" */
struct tool { const char *const *argv; const char *env[6][2]; };

static void child(const struct tool *t, int to)
{
	FILE *nothing = freopen("/dev/null", "w", stderr);

	(void)nothing;
	dup2(to, 1);
	close(to);
	for (unsigned i = 0; i < 6 && t->env[i][0]; i++)
		setenv(t->env[i][0], t->env[i][1], 1);
	execv(t->argv[0], (char *const *)(uintptr_t)t->argv);
	_exit(127);
}

/* Calls `line` with each line that the tool prints. */
static int run_tool(const struct tool *t, void (*line)(void *, char *), void *user)
{
	int fd[2], status = 0;
	char *text = NULL;
	size_t cap = 0;
	pid_t pid;
	FILE *f;

	if (pipe(fd))
		return XL_INTERNAL;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fd[0]);
		child(t, fd[1]);
	}
	close(fd[1]);
	f = pid < 0 ? NULL : fdopen(fd[0], "r");
	while (f && getline(&text, &cap, f) > 0) {
		text[strcspn(text, "\r\n")] = 0;
		line(user, text);
	}
	free(text);
	if (f)
		fclose(f);
	else
		close(fd[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
		fprintf(stderr, "%s: error: cannot run it [io]\n", t->argv[0]);
		return XL_UNREADABLE;
	}
	return 0;
}

/* The first installed driver of that name, or NULL. */
static char *driver(const char *pattern)
{
	glob_t g;
	char *path = NULL;

	if (!glob(pattern, 0, NULL, &g) && g.gl_pathc)
		path = strdup(g.gl_pathv[0]);
	globfree(&g);
	return path;
}

/* The modules of a job: the original, or original:translation; for the executor +FILE of a generated stage, too. False: a
 * translation is missing. */
static bool modules(const struct corpus *c, const struct corpus_record *r, const char *sub, FILE *f, bool lone, bool generated)
{
	for (unsigned k = 0; k < r->nstage; k++) {
		char *path = path_of(c, sub, r, r->stages[k]);
		bool there = path && !access(path, R_OK), need = r->real[k];

		char *made = there && generated ? path_of_generated(path) : NULL;

		if (need && there)
			fprintf(f, " %s/spv/%s:%s", c->dir, r->originals[k], path);
		if (need && made && !access(made, R_OK))
			fprintf(f, " +%s", made);
		free(made);
		if (!need && lone)
			fprintf(f, " %s/spv/%s", c->dir, r->originals[k]);
		free(path);
		if (need && !there)
			return false;
	}
	return r->nstage;
}

/* WORK/jobs.list of what `put` writes for each record. *n jobs. */
static char *job_list(const struct corpus *c, bool (*put)(const struct corpus *, const struct corpus_record *, void *, FILE *), void *user,
		      uint32_t *n)
{
	char *path = malloc(strlen(c->work) + 16);
	FILE *f;

	*n = 0;
	if (!path)
		return NULL;
	sprintf(path, "%s/jobs.list", c->work);
	f = fopen(path, "w");
	for (uint32_t i = 0; f && i < c->nrecord; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *line = open_memstream(&text, &size);
		bool ok = line && put(c, &c->record[i], user, line);

		if (line && !fclose(line) && ok) {
			fprintf(f, "%u\t%s\n", i, text);
			++*n;
		}
		free(text);
	}
	if (f && !fclose(f))
		return path;
	free(path);
	return NULL;
}

/* "RECORD, tab, what": the record's rows. */
static const char *record_of(const struct corpus *c, char *line, uint32_t *record)
{
	char *tab = strchr(line, '\t');
	unsigned long n;

	if (!tab)
		return NULL;
	*tab = 0;
	if (!args_number(line, c->nrecord - 1u, &n))
		return NULL;
	*record = (uint32_t)n;
	return tab + 1;
}

static bool execution(const struct corpus *c, const struct corpus_record *r, void *user, FILE *f)
{
	(void)user;
	fputs(r->options ? r->options : "", f);
	return modules(c, r, "modules", f, r->pair, true);
}

static void executed(void *user, char *line)
{
	struct corpus *c = user;
	uint32_t record;
	const char *what = record_of(c, line, &record);
	char word[32] = "";

	if (!what || sscanf(what, "%31[A-Za-z]", word) != 1 || !strcmp(word, "SKIPPED"))
		return;
	for (char *s = word; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	for (uint32_t i = 0; i < c->record[record].nrow; i++) {
		struct corpus_row *row = &c->row[c->record[record].row + i];

		row->equal = row->equal ? row->equal : strdup(word);
	}
}

int corpus_execute(struct corpus *c, const char *executor)
{
	char jobs[16], *list, *icd = getenv("VK_ICD_FILENAMES") ? NULL : driver("/usr/share/vulkan/icd.d/lvp_icd*.json");
	const char *argv[] = { executor, "batch", "-j", jobs, NULL, NULL };
	struct tool t = { .argv = argv, .env = { { icd ? "VK_ICD_FILENAMES" : NULL, icd } } };
	uint32_t n;
	int rc = XL_INTERNAL;

	snprintf(jobs, sizeof(jobs), "%u", c->threads);
	argv[4] = list = job_list(c, execution, NULL, &n);
	if (list)
		rc = n ? run_tool(&t, executed, c) : 0;
	free(list);
	free(icd);
	return rc;
}

/* ---- the driver's instructions for our module, by those of the original on the same GPU */
struct costs { struct corpus *c; const char *gpu; bool narrow; };

static bool narrow(const struct corpus_record *r)
{
	size_t n = strlen(r->family);

	return n > 4 && !strcmp(r->family + n - 4, "-w32");
}

static bool compilation(const struct corpus *c, const struct corpus_record *r, void *user, FILE *f)
{
	const struct costs *k = user;

	if (!r->gpu || strcmp(r->gpu, k->gpu) || narrow(r) != k->narrow)
		return false;
	fprintf(f, "-c %s", r->colors && !strpbrk(r->colors, " \t\n") ? r->colors : "rgba32f");
	if (r->nstage > 1 && !r->linked)
		fputs(" -l", f);
	if (r->wave)
		fprintf(f, " -s %u", r->wave);
	return modules(c, r, k->gpu, f, true, false);
}

static void compiled(void *user, char *line)
{
	struct costs *k = user;
	struct corpus *c = k->c;
	uint32_t record;
	const char *what = record_of(c, line, &record);
	cJSON *j = what ? cJSON_Parse(what) : NULL;

	for (uint32_t i = 0; j && i < c->record[record].nrow; i++) {
		struct corpus_row *row = &c->row[c->record[record].row + i];
		const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(j, row->stage), "Instructions");

		if (cJSON_IsNumber(n) && row->instructions > 0)
			row->cost = n->valuedouble / row->instructions;
	}
	cJSON_Delete(j);
}

static int costs_of(struct corpus *c, const char *compiler, const char *icd, const char *gpu)
{
	char target[64];
	int rc;

	snprintf(target, sizeof(target), "radv-%.40s", gpu);
	rc = corpus_translate(c, gpu, target, gpu, false);
	for (int w = 0; w < 2 && !rc; w++) {
		struct costs k = { c, gpu, w };
		uint32_t n;
		char *list = job_list(c, compilation, &k, &n);
		const char *argv[] = { compiler, "stats", list, NULL };
		struct tool t = { .argv = argv, .env = { { "VK_ICD_FILENAMES", icd }, { "RADV_FORCE_FAMILY", gpu }, { "RADV_DEBUG", "nongg" },
			{ "MESA_SHADER_CACHE_DISABLE", "true" }, { "RADV_PERFTEST", w ? "pswave32,gewave32,cswave32" : "" } } };

		rc = !list ? XL_INTERNAL : n ? run_tool(&t, compiled, &k) : 0;
		free(list);
	}
	return rc;
}

static bool shipped(const char *gpu)
{
	const char *name;

	for (uint32_t i = 0; (name = xl_target_shipped(i)); i++) {
		if (!strncmp(name, "radv-", 5) && !strcmp(name + 5, gpu))
			return true;
	}
	return false;
}

int corpus_costs(struct corpus *c, const char *compiler)
{
	char *icd = driver("/usr/share/vulkan/icd.d/radeon_icd*.json");
	int rc = 0;

	if (!icd) {
		fprintf(stderr, "%s: note: no RADV here: no costs\n", compiler);
		return 0;
	}
	for (uint32_t i = 0; i < c->nrecord && !rc; i++) {
		const char *gpu = c->record[i].gpu;
		bool first = gpu && shipped(gpu);

		for (uint32_t k = 0; first && k < i; k++)
			first = !c->record[k].gpu || strcmp(c->record[k].gpu, gpu);
		if (first)
			rc = costs_of(c, compiler, icd, gpu);
	}
	free(icd);
	return rc;
}
