/* reduce_test.c - candidates are translated in a child process each: some of them crash, that is what they are for. */
#include "reduce.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_MIB = 2048 };

void reduce_mnemonic(const char *inst, char *name, size_t cap)
{
	const char *equals = strstr(inst, " = "), *s = equals ? equals + 3 : inst;

	snprintf(name, cap, "%.*s", (int)strcspn(s, " "), s);
}

/* ---- the child */
static void translate(const struct reduce *r, const struct xl_record *record, uint32_t program, struct reduce_end *end)
{
	struct xl_context *c = xl_context_new(r->target);
	const struct xl_translation *t = c ? xl_translate(c, record, program, &r->translate.options) : NULL;

	memset(end, 0, sizeof(*end));
	if (!t) {
		end->kind = END_MEMORY;
		return;
	}
	if (t->status == XL_OK)
		return;
	end->kind = END_REFUSED;
	for (uint32_t i = 0; i < t->ndiag; i++) {
		if (strcmp(t->diag[i].severity, "error"))
			continue;
		snprintf(end->code, sizeof(end->code), "%s", t->diag[i].code);
		if (t->diag[i].inst)
			reduce_mnemonic(t->diag[i].inst, end->inst, sizeof(end->inst));
		break;
	}
	if (!strcmp(end->code, "out-of-memory"))
		end->kind = END_MEMORY;
}

static void child(const struct reduce *r, const struct xl_record *record, uint32_t program, int to)
{
	struct rlimit time = { r->time_limit, r->time_limit + 1 }, core = { 0, 0 };
	struct reduce_end end;

#ifndef __SANITIZE_ADDRESS__
	struct rlimit memory = { (rlim_t)MEMORY_MIB << 20, (rlim_t)MEMORY_MIB << 20 };
	setrlimit(RLIMIT_AS, &memory);
#endif
	setrlimit(RLIMIT_CORE, &core);
	if (r->time_limit)
		setrlimit(RLIMIT_CPU, &time);
	translate(r, record, program, &end);
	_exit(write(to, &end, sizeof(end)) != (ssize_t)sizeof(end));
}

static bool ended(pid_t pid, int *status)
{
	pid_t is;

	while ((is = waitpid(pid, status, 0)) < 0 && errno == EINTR)
		;
	return is == pid;
}

bool reduce_end_of(const struct reduce *r, const struct xl_record *record, uint32_t program, struct reduce_end *end)
{
	ssize_t n = -1;
	int fd[2], status = 0;
	pid_t pid;

	memset(end, 0, sizeof(*end));
	if (pipe(fd))
		return false;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fd[0]);
		child(r, record, program, fd[1]);
	}
	close(fd[1]);
	while (pid > 0 && (n = read(fd[0], end, sizeof(*end))) < 0 && errno == EINTR)
		;
	close(fd[0]);
	if (pid < 0 || !ended(pid, &status))
		return false;
	if (n == (ssize_t)sizeof(*end))
		return true;
	memset(end, 0, sizeof(*end));
	end->kind = END_CRASH;
	if (WIFSIGNALED(status)) {
		end->signal = WTERMSIG(status);
		end->kind = end->signal == SIGXCPU || end->signal == SIGKILL ? END_HANG : END_CRASH;
	}
	return true;
}

/* ---- the user's command: $1 is the candidate's file, exit 0 says that it is still interesting */
static bool command(const struct reduce *r, const struct xl_record *record)
{
	struct xl_cache_writer *w = xl_cache_writer_new();
	struct xl_log log = { 0 };
	bool ok = w && !xl_cache_add(w, record) && !xl_cache_write(w, r->candidate, &log);
	int status = 1;
	pid_t pid;

	xl_cache_writer_free(w);
	fflush(NULL);
	pid = ok ? fork() : -1;
	if (!pid) {
		size_t n = strlen(r->test) + 8;
		char *line = malloc(n);

		if (!line || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(127);
		snprintf(line, n, "%s \"$1\"", r->test);
		execl("/bin/sh", "sh", "-c", line, "sh", r->candidate, (char *)NULL);
		_exit(127);
	}
	return pid > 0 && ended(pid, &status) && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool same(const struct reduce_end *a, const struct reduce_end *b)
{
	return a->kind == b->kind && a->signal == b->signal && !strcmp(a->code, b->code) && !strcmp(a->inst, b->inst);
}

struct xl_record *reduce_record(const struct reduce *r, const struct reduce_code *code, const uint8_t *keep, uint32_t *program)
{
	struct xl_edit edit = { .program = r->program, .code = code->v, .code_size = code->size, .exec_size = code->exec_size,
		.entry = code->entry, .keep = keep, .nkeep = r->nkeep };

	return xl_record_edit(r->record, &edit, program);
}

bool reduce_goes_on(const struct reduce *r)
{
	return r->left && !*r->stop;
}

bool reduce_try(struct reduce *r, const struct reduce_code *code, const uint8_t *keep)
{
	struct xl_record *record;
	struct reduce_end end;
	uint32_t program;
	bool good;

	if (!reduce_goes_on(r))
		return false;
	r->left--;
	record = reduce_record(r, code, keep, &program);
	if (!record)
		return false;
	good = r->test ? command(r, record) : reduce_end_of(r, record, program, &end) && same(&end, &r->want);
	xl_record_free(record);
	if (!good)
		return false;
	if (code->v != r->code.v)
		memmove(r->code.v, code->v, code->size);
	r->code.size = code->size;
	r->code.exec_size = code->exec_size;
	r->code.entry = code->entry;
	if (keep != r->keep)
		memcpy(r->keep, keep, r->nkeep);
	return true;
}
