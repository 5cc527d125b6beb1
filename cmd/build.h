/* build.h - the parts of `xlate build`: jobs, workers, report. */
#ifndef XL_CMD_BUILD_H
#define XL_CMD_BUILD_H

#include "cmd.h"

/* What became of one program. */
struct outcome {
	char *name, *stage, *cpu, *code; /* code: of the first error, or NULL */
	char key[33];
	int status;                      /* enum xl_status */
	uint32_t words_in, words_out;
	char *text, *json;               /* diagnostics: lines for stderr; JSON array elements */
};

/* One record of one input. */
struct job {
	const struct input *in;
	uint32_t record;
	struct outcome *out;
	uint32_t nout;
	int status;                      /* of reading the record */
	char *text;                      /* why it could not be read */
	bool done;
};

/* Seconds of processor time, and what they were spent on. */
struct cost { double decode, translate, validate; uint64_t words_in, words_out; };

struct work {
	struct job *job;
	uint32_t njob;
	const struct xl_target *target;
	const struct translate *translate;
	struct xl_package_writer *package;
	bool timing;
	unsigned threads;
	struct cost cost;
	volatile int *stop;              /* set by a signal: finish what is begun */
	/* Called on the calling thread as jobs end, in order where the first `n` are done. */
	void (*progress)(void *user, uint32_t n_in_order, uint32_t n_done);
	void *user;
};
int work_run(struct work *); /* 0, XL_INTERNAL: threads or memory */
void work_free(struct work *);

struct totals { uint32_t programs, translated, refused, failed; uint64_t words_in, words_out; };
void report_json(FILE *, const struct work *, const struct totals *, const char *target);

#endif
