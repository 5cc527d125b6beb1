/* job.h: one line of work: run a program, or compare an original with its translation. */
#ifndef JOB_H
#define JOB_H

#include "child.h"
#include "run.h"

enum { JOB_ARGS = 64 };

struct job {
	bool compare;
	bool half;    /* colour targets stand for half or 8-bit ones: tolerance COMPARE_HALF */
	bool verbose; /* keep the driver's messages */
	unsigned seconds;
	int vector_width; /* bits of lavapipe's vectors: its subgroup size times 32 */
	struct run_options options;
	const char *output, *translated_output, *input, *recorded; /* files or NULL */
	const char *stages[RUN_STAGES];
	int nstages;
};

/* Reads options and stage arguments; false on a usage error. Strings are kept, not copied. */
bool job_parse(struct job *j, int argc, char **argv);
/* Starts the job in a child, which writes its result into the slot. */
pid_t job_start(const struct job *j, struct child_slot *slot);

#endif
