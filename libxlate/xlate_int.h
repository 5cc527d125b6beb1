/* xlate_int.h - what the files that join the stages share. */
#ifndef XL_XLATE_INT_H
#define XL_XLATE_INT_H

#include "guest/hsa.h"
#include "guest/json.h"
#include "isa/lift.h"
#include "package/xgc.h"
#include "package/xlp.h"
#include "record.h"
#include "xlate.h"

enum { /* bytes of arenas: what one input may make us allocate */
	RECORD_LIMIT = 512 << 20, /* one record, code included */
	INDEX_LIMIT = 1 << 30,    /* a cache's index */
	TRANSLATE_LIMIT = 1 << 30,
	SCRATCH_LIMIT = 1 << 30,
	FIRST_CHUNK = 1 << 20,    /* of the two that a translation works in: most programs need no more */
	RESULT_LIMIT = 64 << 20,  /* diagnostics and remarks of one translation */
	FILE_LIMIT = 0x7fffffff,
};

/* A diagnostic sink that forwards to a log. */
struct log_sink {
	struct diag_sink sink;
	const struct xl_log *log;
	const char *file;
	enum diag_code last;
};
void log_sink_init(struct log_sink *, const struct xl_log *, const char *file);
void log_errno(struct log_sink *, const char *path, const char *what); /* DIAG_IO with errno's text */
void log_diag(const struct diag *, const char *file, struct xl_diag *out);
enum xl_status log_status(const struct log_sink *); /* what the last diagnostic means for the caller */
void hash_text(const struct rec_hash *, char out[33]);

struct xl_record {
	struct arena arena;
	const struct xl_pipeline_record *pipeline;
};

struct xl_target {
	struct fact_target facts;
	struct arena arena;
	const char *name;
};

struct xl_context {
	const struct xl_target *target;
	struct arena arena, scratch, result;
	struct spirv_tools *tools;
	struct xlp_packer *packer;
	struct xl_translation out;
	uint32_t features; /* of the module: bit per enum spirv_feature */
	uint64_t state;    /* that it depends on: bit per enum fact_state */
	struct xl_diag *diag;
	struct xl_remark *remark;
	size_t diag_cap, remark_cap;
	/* the program at hand, for locating diagnostics */
	const struct xl_record_program *program;
	const struct isa *isa;
	const struct isa_cpu *cpu;
	const char *file;
};

/* xlate_build.c: what a package keeps of the last translation's dependence on state: the values that program `p`, which it is of,
 * has. Returns how many. */
uint32_t xlate_guards(const struct xl_context *, const struct xl_record_program *p, struct xlp_guard guard[STATE_COUNT]);

struct xl_slot {
	struct arena info, module, reflection;
	struct xlp_unpacker *unpacker;
};

/* xlate_package.c: facts of program i of a package, or (p NULL) of a program that is no package's yet. */
void package_info(const struct xl_package *p, uint32_t i, const struct xlp_program *of, struct xl_slot *,
		  struct xl_package_program *out);
const struct xlp *package_xlp(const struct xl_package *);

/* Pipeline i has program[first[i]] up to first[i + 1]; all NULL before xl_package_index_pipelines. */
struct package_pipelines { uint32_t *program, *first, n; };
struct package_pipelines *package_pipelines(struct xl_package *);

/* xlate_state.c: what a record tells of its pipeline's fixed-function state, as lines. NULL: out of memory. */
const char *state_lines(const struct xl_pipeline_record *, struct arena *);

#endif
