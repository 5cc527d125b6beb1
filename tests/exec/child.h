/*
 * child.h: a program runs in a child process with a time and memory limit, so that a crashing or endless shader costs
 * one line of result. Parent and child share one slot; the child writes its line there, the parent prints it.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

enum child_phase { PHASE_SETUP, PHASE_ORIGINAL, PHASE_TRANSLATION };
/* Also the exit codes of the command. */
enum child_exit {
	CHILD_OK = 0,
	CHILD_DIFFERS = 1,
	CHILD_USAGE = 2,
	CHILD_VULKAN = 3,
	CHILD_REFUSED = 4,
	CHILD_DIED = 5,
	CHILD_EMPTY = 6,
};

struct child_slot {
	int phase;      /* enum child_phase, to say which module crashed */
	int code;       /* enum child_exit */
	char line[480]; /* the result, no newline */
};

/* n slots in memory that children share; never freed. */
struct child_slot *child_slots(int n);
/*
 * Forks; returns 0 in the child, which is then limited: `seconds` of processor time and four times that on the clock,
 * memory, no core file, and quiet stderr unless verbose.
 */
pid_t child_start(unsigned seconds, bool verbose);
/* Completes the slot of an ended child from its wait status and returns the exit code. */
int child_finish(struct child_slot *slot, int status);
/* Writes the line and ends the child. */
void child_exit(struct child_slot *slot, int code, const char *format, ...)
	__attribute__((noreturn, format(printf, 3, 4)));

#endif
