/* build.h - the parts of `xlate build`: jobs, workers, report.
 *
 * A job is one record of one input. Whoever runs it tells in *events* what happens; whoever made the jobs *accepts* the events
 * one at a time, in any order between jobs. Between the two lies a mutex (build_threads.c) or a pipe (build_fork.c), and
 * neither shows in the package.
 */
#ifndef XL_CMD_BUILD_H
#define XL_CMD_BUILD_H

#include "cmd.h"

/* Seconds of processor time, and what they were spent on; decode: on reading records out of their cache. */
struct cost { double decode, translate, validate, pack; uint64_t words_in, words_out; };

enum event_kind {
	EVENT_BEGIN, /* program `number` of the job's record is next; bytes: its entry */
	EVENT_DONE,  /* translated or refused; bytes: the entry with the result */
	EVENT_SAME,  /* the same content is somebody else's work; bytes: its entry */
	EVENT_COPY,  /* the same content is program `as` of the older package; bytes: its entry */
	EVENT_LOG,   /* lines for stderr */
	EVENT_END    /* nothing follows for the job; number: exit code of reading the record */
};
struct event {
	uint32_t kind, job, number, as;
	struct cost cost;
	const void *bytes;
	size_t size;
};

/* What became of one program: `index` is its number in the package writer, or OUTCOME_WAITS for another's translation. */
struct outcome { uint32_t index; enum { HOW_TRANSLATED, HOW_SAME, HOW_COPIED } how; };
#define OUTCOME_WAITS UINT32_MAX

struct job {
	const struct input *in;
	uint32_t record;
	uint64_t hash;                   /* xl_cache_record_hash, or 0 */
	struct outcome *out;
	uint32_t nout, waits;            /* programs; of them waiting */
	int status;                      /* of reading the record */
	char *text;                      /* lines for stderr */
	bool ended, done;                /* done: ended, and nothing waits */
};

/* 64-bit hash to a number. Zero-initialized is empty. */
struct map { uint64_t *key; uint32_t *value; size_t n, cap; };
#define MAP_NONE UINT32_MAX
bool map_put(struct map *, uint64_t key, uint32_t value); /* false: out of memory; the first value of a key stays */
uint32_t map_get(const struct map *, uint64_t key);
uint64_t map_text(uint64_t before, const char *); /* a key of what has the key `before`, or 0, and text behind it */
void map_free(struct map *);

struct waiting { uint32_t job, out; uint64_t content; void *entry; size_t size; };

struct work {
	struct job *job;
	uint32_t njob, ndone;
	const struct xl_target *target;
	const struct translate *translate;
	struct xl_package_writer *package;
	const struct xl_package *since;  /* indexed, of the same stamp; or NULL */
	bool timing, fail_fast, isolated;
	unsigned threads;                /* or processes */
	double time_limit;               /* seconds of processor time for one program, 0 none; isolated only */
	unsigned long memory_limit;      /* MiB for one process, 0 none; isolated only */
	struct cost cost;
	volatile int *stop;              /* set by a signal, or by --fail-fast: drop what is begun */
	bool refused;                    /* --fail-fast saw one */
	/* Called on the calling thread as jobs end, now and then. */
	void (*progress)(void *user);
	void *user;
	/* own */
	struct claims *claims;
	struct map of_content;           /* number in the writer of a content's first program */
	struct waiting *waiting;
	uint32_t nwaiting;
	struct xl_slot *slot;
};
int work_run(struct work *); /* 0, XL_INTERNAL */
void work_free(struct work *);
/* What is known of an outcome's program, until the next call. */
void work_program(const struct work *, const struct outcome *, struct xl_package_program *);

/* ---- build_run.c: both ends of the events */
struct runner {
	const struct work *w;
	struct xl_context *context;
	void (*emit)(void *user, const struct event *);
	void *user;
	struct cost cost;                /* of the program at hand */
	double reading;                  /* the record's, until a program of it has it in its cost */
	bool no_memory;                  /* it ended at a memory limit */
};
void run_job(struct runner *, uint32_t job, uint32_t first_program);
int work_accept(struct work *, const struct event *); /* 0, XL_INTERNAL: out of memory or a bug; XL_UNREADABLE: no entry */
int work_accept_failed(struct work *, uint32_t job, const void *entry, size_t, const char *code, const char *text);

/* ---- the two ways */
int threads_run(struct work *);
int fork_run(struct work *);
/* ---- build_child.c: a worker process; `from` gives struct order, `to` takes events. Does not return. */
struct order { uint32_t job, first; };
struct head { uint32_t magic, kind, job, number, as, pad; uint64_t size; struct cost cost; }; /* then `size` bytes */
enum { HEAD_MAGIC = 0x4576656e, EXIT_MEMORY = 77, MOST_BYTES = 1 << 30 };
void child_run(const struct work *, struct xl_context *, int from, int to) __attribute__((noreturn));

/* ---- build_pool.c: this process has one thread, and from here on its small C++ objects in at most `size` bytes of their own. */
void pool_start(size_t size);

/* ---- build_jobs.c: what there is to do. 0, else the exit code. */
struct shard { uint32_t i, n; }; /* 1 to n of n; n 0: all */
int jobs_add(struct work *, const struct input *, struct shard, struct map *seen);
/* Takes from `w->since` what came from the same cache records. */
int jobs_copy(struct work *);

struct totals {
	uint32_t programs, translated, refused, failed, copied, same;
	uint64_t words_in, words_out;
	struct reason { const char *code; uint32_t n; } reason[64]; /* most frequent first */
	uint32_t nreason;
};
void totals_of(const struct work *, struct totals *, int *exit_code);
void report_reasons(FILE *, const struct totals *);
void report_json(FILE *, const struct work *, const struct totals *, const char *target);
void report_junit(FILE *, const struct work *, const struct totals *, const char *target);
/* Writes the record of each failed program to DIR/NAME.STAGE-KEY.xgc. 0, else the exit code. */
int keep_failed(const struct work *, const char *dir);

#endif
