#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct child_slot *child_slots(int n)
{
	void *p = mmap(NULL, sizeof(struct child_slot) * (size_t)(n ? n : 1), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* Sanitizers reserve more address space than any useful limit, so there the memory limit is left out. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct rlimit memory = {6ull << 30, 6ull << 30};
	setrlimit(RLIMIT_DATA, &memory);
#endif
}

/* Processor time, so that a busy machine makes no timeouts; and a large multiple of it on the clock, for what only waits. */
static void limit_time(unsigned seconds)
{
	struct rlimit cpu = {seconds, seconds + 1};
	setrlimit(RLIMIT_CPU, &cpu);
	alarm(16 * seconds);
}

pid_t child_start(unsigned seconds, bool verbose)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid)
		return pid;
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	limit_memory();
	limit_time(seconds);
	int null = verbose ? -1 : open("/dev/null", O_WRONLY);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	return 0;
}

int child_finish(struct child_slot *slot, int status)
{
	static const char *const names[] = {"", " original", " translation"};
	if (WIFEXITED(status) && slot->line[0])
		return slot->code;
	slot->code = CHILD_DIED;
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU))
		snprintf(slot->line, sizeof slot->line, "TIMEOUT%s", names[slot->phase]);
	else if (WIFSIGNALED(status))
		snprintf(slot->line, sizeof slot->line, "CRASH %d%s", WTERMSIG(status), names[slot->phase]);
	else
		snprintf(slot->line, sizeof slot->line, "CRASH exit %d%s", WEXITSTATUS(status), names[slot->phase]);
	return slot->code;
}

void child_exit(struct child_slot *slot, int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(slot->line, sizeof slot->line, format, args);
	va_end(args);
	slot->code = code;
	_exit(code); /* the driver's own clean-up is of no interest, and could hang */
}
