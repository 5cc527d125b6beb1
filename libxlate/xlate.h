/* xlate.h - libxlate: guest GPU programs to validated SPIR-V. The only header that a user of the library needs.
 *
 * Threads: xl_cache, xl_target, xl_package and xl_record are read-only once made and may be shared; xl_context,
 * xl_cache_writer and xl_package_writer belong to one thread at a time. There is no global state, nothing is read from the
 * environment, and the same input gives the same bytes.
 *
 * Ownership: every xl_*_new, _open and _read has its _free (NULL is fine). Pointers handed out live as long as the object
 * that they came from; what a context hands out lives until the next call on that context.
 *
 * Errors: functions return NULL or an enum xl_status, after telling the log why. Input is untrusted: nothing that a file
 * holds makes the library abort.
 */
#ifndef XLATE_H
#define XLATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XL_API __attribute__((visibility("default")))
#else
#define XL_API
#endif

/* The numbers are the command line's exit codes. */
enum xl_status {
	XL_OK = 0,
	XL_REFUSED = 1,    /* a program was refused, or a module is not valid */
	XL_USAGE = 2,      /* an argument names nothing that exists */
	XL_UNREADABLE = 3, /* an input could not be read, or an output written */
	XL_INTERNAL = 4    /* out of memory, or a bug */
};

XL_API const char *xl_version(void); /* "0.1.0" */

/* ---- diagnostics */
struct xl_diag {
	const char *code;     /* "unlifted"; xlate-diag(7) lists them */
	const char *kind;     /* "malformed", "unsupported", "target", "internal", "io", "usage" */
	const char *severity; /* "error", "warning", "note" */
	const char *file;     /* the container, or NULL */
	const char *program;  /* "NAME.STAGE" or NULL */
	const char *isa;      /* "gfx1030" or NULL */
	const char *inst;     /* disassembly at addr, or NULL */
	const char *text;     /* the reason, one line */
	uint32_t addr;        /* byte offset into the code, or XL_NO_ADDR */
};
#define XL_NO_ADDR UINT32_MAX
/* Called with each diagnostic while it lives; strings are valid during the call only. */
struct xl_log {
	void (*diag)(void *user, const struct xl_diag *);
	void *user;
};

/* ---- guest ISAs */
struct xl_isa_info {
	const char *isa, *cpu;  /* "gfx10", "gfx1030" */
	uint32_t waves;         /* bit set of wave sizes: 32 | 64 */
	uint32_t word;          /* bytes of a guest word, as reports count them */
};
struct xl_isa_row {
	const char *mnemonic, *encoding;
	int present, lifted;    /* on that cpu; translated, not only decoded */
	int executed;           /* a test runs it and compares the results */
};
struct xl_float_row {
	const char *op, *form;  /* IR op; SPIR-V form */
	const char *guarantee;  /* "exact", "host-precision", "emulated" */
	const char *note;
};
XL_API int xl_isa_get(uint32_t i, struct xl_isa_info *);               /* 0 past the end */
XL_API int xl_isa_row(const char *cpu, uint32_t i, struct xl_isa_row *); /* 0 past the end or unknown cpu */
XL_API int xl_float_row(uint32_t i, struct xl_float_row *);            /* the float contract; 0 past the end */
/* One instruction at code[offset] as text (always terminated). Bytes to step, or -1 no instruction, -2 cut off, -3 no such
 * cpu. wave is 32 or 64. xl_isa_next gives the first instruction offset at or after `offset`. */
XL_API int xl_disassemble(const char *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, char *text,
			  size_t cap);
/* Where control goes behind the instruction at code[offset]; steps and errors as xl_disassemble's. */
enum xl_flow_kind {
	XL_FLOW_NEXT, XL_FLOW_JUMP, XL_FLOW_CALL,
	XL_FLOW_PUSH, XL_FLOW_POP,      /* a target onto the control stack, and to the newest one of that `stack` (sm53) */
	XL_FLOW_END, XL_FLOW_INDIRECT   /* to what registers hold, or back from a call */
};
struct xl_flow {
	int kind, falls;                /* falls: it may go on with the next instruction */
	int stack;
	int64_t target;                 /* JUMP, CALL, PUSH: byte offset in the code; may lie outside */
};
XL_API int xl_flow_at(const char *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, struct xl_flow *);
XL_API size_t xl_isa_next(const char *cpu, const uint8_t *code, size_t size, size_t offset);

/* ---- targets: a shipped profile's name, or the path of a Vulkan profile JSON file (when it has a '/' or ends in .json) */
struct xl_target;
XL_API struct xl_target *xl_target_open(const char *name_or_path, const struct xl_log *, enum xl_status *);
XL_API void xl_target_free(struct xl_target *);
XL_API const char *xl_target_name(const struct xl_target *);
XL_API const char *xl_target_shipped(uint32_t i); /* names of the shipped profiles; NULL past the end */
/* The facts in use as JSON, each with the profile's name for it. malloc'ed; NULL: out of memory. */
XL_API char *xl_target_json(const struct xl_target *);

/* ---- records: one pipeline with its programs, from whatever container */
struct xl_record;
struct xl_program_info {
	const char *name;       /* "NAME.STAGE" */
	const char *stage;      /* comp vert frag geom tesc tese task mesh */
	const char *isa, *cpu;
	uint32_t wave;
	const uint8_t *code;    /* machine words, then constant data */
	uint32_t code_size, exec_size, entry;
	uint32_t words;         /* guest words that may be executed */
	char key[33];           /* program key, 32 hex digits */
	int linked;             /* a part of another program (a geometry copy program): not translated by itself */
};
XL_API struct xl_record *xl_record_import(const char *path, const struct xl_log *, enum xl_status *);
/* As xl_record_import, from memory. `read` gives the bytes of a code file by base name (0, or -1); *bytes stays the
 * caller's until xl_record_import_memory returns. */
struct xl_reader {
	int (*read)(void *user, const char *name, const uint8_t **bytes, size_t *size);
	void *user;
};
XL_API struct xl_record *xl_record_import_memory(const char *name, const char *text, size_t size, const struct xl_reader *,
						 const struct xl_log *, enum xl_status *);
XL_API void xl_record_free(struct xl_record *);
XL_API const char *xl_record_name(const struct xl_record *);
XL_API uint32_t xl_record_programs(const struct xl_record *);
XL_API void xl_record_program(const struct xl_record *, uint32_t i, struct xl_program_info *);
XL_API char *xl_record_json(const struct xl_record *, int code); /* malloc'ed; `code`: with the code as hex; NULL: out of memory */

/* A record with other code of one program, and with parts left out: facts, rows of lists, memory, other programs. For making a small
 * record of one that fails. Parts are numbered from 0, the same for every edit of one record and program. */
struct xl_edit {
	uint32_t program;
	const uint8_t *code;    /* NULL: as it is */
	uint32_t code_size, exec_size, entry;
	const uint8_t *keep;    /* a byte a part, 0: left out; NULL: all stay */
	uint32_t nkeep;
};
XL_API uint32_t xl_record_parts(const struct xl_record *, uint32_t program);
/* NULL: what is left is no record, or out of memory. *program: its number there. */
XL_API struct xl_record *xl_record_edit(const struct xl_record *, const struct xl_edit *, uint32_t *program);

/* ---- guest caches */
struct xl_cache;
XL_API struct xl_cache *xl_cache_open(const char *path, const struct xl_log *, enum xl_status *);
XL_API struct xl_cache *xl_cache_open_memory(const char *name, const void *, size_t, const struct xl_log *, enum xl_status *);
/* A container with any number of programs that is no cache of ours, as a cache: AMD code objects. What cannot be read of it is
 * told to the log and leaves the cache damaged. */
XL_API struct xl_cache *xl_cache_import(const char *path, const struct xl_log *, enum xl_status *);
XL_API struct xl_cache *xl_cache_import_memory(const char *name, const void *, size_t, const struct xl_log *, enum xl_status *);
XL_API void xl_cache_free(struct xl_cache *);
XL_API int xl_cache_damaged(const struct xl_cache *);  /* records were skipped, the log said which */
XL_API uint32_t xl_cache_records(const struct xl_cache *);
XL_API const char *xl_cache_record_name(const struct xl_cache *, uint32_t i);
/* Hash of the record as it is stored, never 0: equal records hash alike. */
XL_API uint64_t xl_cache_record_hash(const struct xl_cache *, uint32_t i);
XL_API struct xl_record *xl_cache_read(const struct xl_cache *, uint32_t i, const struct xl_log *, enum xl_status *);

struct xl_cache_writer;
XL_API struct xl_cache_writer *xl_cache_writer_new(void);
XL_API void xl_cache_writer_free(struct xl_cache_writer *);
XL_API enum xl_status xl_cache_add(struct xl_cache_writer *, const struct xl_record *);
XL_API enum xl_status xl_cache_write(const struct xl_cache_writer *, const char *path, const struct xl_log *);
XL_API const void *xl_cache_bytes(const struct xl_cache_writer *, size_t *size);

/* ---- translation */
/* The policies; xlate-build(1) has them in full. */
enum xl_addresses {
	XL_ADDRESS_BINDING,     /* a pointer that the record explains is a binding; an address that the program gets as data is the host's */
	XL_ADDRESS_HOST,        /* pointer arguments are host addresses, too */
	XL_ADDRESS_REFUSE       /* accesses through addresses that are data are refused, with the code "address" */
};
enum xl_bounds { XL_BOUNDS_HOST /* the pipeline's robustness */, XL_BOUNDS_EXACT /* the guest's rule: 0, or nothing written */ };
enum xl_floats { XL_FLOAT_HOST /* the host's denormals and fusion */, XL_FLOAT_STRICT /* the guest's, emulated where it can be seen */ };
enum xl_phase { XL_PHASE_FACTS, XL_PHASE_LIFT, XL_PHASE_PASSES, XL_PHASE_EMIT, XL_PHASE_VALIDATE, XL_PHASE_DONE };
struct xl_options {
	int addresses, bounds, floats;
	int debug;              /* names and guest addresses in the module */
	int verify;             /* the IR verifier after every pass */
	int skip_validation;    /* for measurements only */
	const char *stop_after; /* a pass: stop there, no module; or NULL */
	/* After each pass ("lift" first), with the IR as text; NULL: not wanted. */
	void (*dump)(void *user, const char *pass, const char *text);
	void (*phase)(void *user, enum xl_phase); /* about to start; for clocks, which the library does not read */
	void *user;
};
struct xl_remark { const char *pass; uint32_t addr; const char *text; };
struct xl_translation {
	enum xl_status status;  /* XL_OK, XL_REFUSED, XL_INTERNAL */
	const uint32_t *words;  /* the module, or NULL */
	size_t nwords;
	const char *reflection; /* JSON, or NULL */
	uint32_t subgroup_size; /* that the pipeline must require; 0: any */
	/* A geometry stage that the pipeline must have before this fragment program (barycentrics that the target lacks, or a layer or
	 * viewport that it takes from no vertex program), and its reflection; or NULL. */
	const uint32_t *generated;
	size_t ngenerated;
	const char *generated_reflection;
	uint32_t guest_words;
	char key[33];
	uint32_t ndiag;
	const struct xl_diag *diag;
	uint32_t nremark;
	const struct xl_remark *remark;
};
struct xl_context;
XL_API struct xl_context *xl_context_new(const struct xl_target *);
XL_API void xl_context_free(struct xl_context *);
/* Never NULL. Valid until the next call on the context. */
XL_API const struct xl_translation *xl_translate(struct xl_context *, const struct xl_record *, uint32_t program,
						 const struct xl_options *);
XL_API const char *xl_pass_name(uint32_t i, const char **what); /* NULL past the end */
/* Validate for the context's target / text of a module (malloc'ed, NULL after the log was told). */
XL_API enum xl_status xl_validate(struct xl_context *, const uint32_t *words, size_t nwords, const struct xl_log *);
XL_API char *xl_spirv_text(struct xl_context *, const uint32_t *words, size_t nwords, const struct xl_log *);

/* ---- packages */
struct xl_package_writer;
XL_API struct xl_package_writer *xl_package_writer_new(const struct xl_target *, const struct xl_options *);
XL_API void xl_package_writer_free(struct xl_package_writer *);
/* Copies what it needs: translation and record may go afterwards. */
XL_API enum xl_status xl_package_add(struct xl_package_writer *, const struct xl_record *, uint32_t program,
				     const struct xl_translation *);
XL_API enum xl_status xl_package_write(struct xl_package_writer *, const char *path, const struct xl_log *);

/* Entries: a program and what became of it as bytes, from one process to another, malloc'ed. Without a translation the entry says
 * which program it is only. `record_hash` is xl_cache_record_hash's, or 0. NULL: out of memory. */
XL_API void *xl_entry(const struct xl_record *, uint32_t program, uint64_t record_hash, const struct xl_options *,
		      const struct xl_translation *, size_t *size);
/* Adds an entry, checked: XL_UNREADABLE when the bytes are none. *index is its number in this writer; xl_package_added shows it. */
XL_API enum xl_status xl_package_add_entry(struct xl_package_writer *, const void *entry, size_t size, uint32_t *index);
/* Adds the program of `entry` with what became of program `as` of this writer: XL_USAGE when their contents differ. */
XL_API enum xl_status xl_package_add_same(struct xl_package_writer *, const void *entry, size_t size, uint32_t as, uint32_t *index);
/* Adds the program of `entry` as one that failed; `code` is a diagnostic's. */
XL_API enum xl_status xl_package_add_failed(struct xl_package_writer *, const void *entry, size_t size, const char *code,
					    const char *text, uint32_t *index);
/* What an entry is of: 64 bits that are equal where programs have the same translation. 0: no entry. */
XL_API uint64_t xl_entry_content(const void *entry, size_t size);
XL_API uint64_t xl_record_content(const struct xl_record *, uint32_t program);

struct xl_package;
/* A writer of packages with that package's stamp. */
XL_API struct xl_package_writer *xl_package_writer_like(const struct xl_package *);
/* The same translator, options and target. */
XL_API int xl_package_same_stamp(const struct xl_package_writer *, const struct xl_package *);
/* Adds program i of a package, which must outlive the writer: as it is, or as the program of `entry` (when not NULL, as
 * xl_package_add_same). XL_UNREADABLE after the log was told. */
XL_API enum xl_status xl_package_copy(struct xl_package_writer *, const struct xl_package *, uint32_t i, const void *entry,
				      size_t size, uint32_t *index, const struct xl_log *);
struct xl_package_program {
	const char *name, *stage, *cpu;
	char key[33];
	uint32_t guest_words, words; /* words 0: refused */
	uint32_t wave, subgroup_size;
	uint32_t ndiag;
	const struct xl_diag *diag;  /* valid until the next xl_package_get on this thread's `slot` */
	enum xl_status status;       /* XL_OK, XL_REFUSED, XL_INTERNAL: a failure, another build tries again */
	char module[33];             /* XXH3-128 of the module's bytes, 32 hex digits; "" refused */
	const char *state;           /* fixed-function state of its pipeline, lines as in xlate-package(5); "" nothing known */
	uint32_t generated_words;    /* of the geometry stage that goes before it; 0: none */
	char generated[33];          /* as `module`, of that stage; "" none */
};
struct xl_slot; /* memory for what a package hands out, one per thread */
XL_API struct xl_slot *xl_slot_new(void);
XL_API void xl_slot_free(struct xl_slot *);
XL_API struct xl_package *xl_package_open(const char *path, const struct xl_log *, enum xl_status *);
XL_API struct xl_package *xl_package_open_memory(const char *name, const void *, size_t, const struct xl_log *, enum xl_status *);
XL_API void xl_package_free(struct xl_package *);
XL_API uint32_t xl_package_programs(const struct xl_package *);
XL_API const char *xl_package_stamp(const struct xl_package *, const char **options, const char **target,
				    const char **requirements);
/* Tells its contents apart: a checksum over the checksums of all parts. */
XL_API uint64_t xl_package_hash(const struct xl_package *);
XL_API void xl_package_get(const struct xl_package *, struct xl_slot *, uint32_t i, struct xl_package_program *);
XL_API void xl_package_added(const struct xl_package_writer *, struct xl_slot *, uint32_t i, struct xl_package_program *);
/* Whether the compressed bytes are whole, which opening does not look at. */
XL_API enum xl_status xl_package_check_packed(const struct xl_package *, const struct xl_log *);
/* For the two below: before the package is shared with other threads. */
XL_API enum xl_status xl_package_index(struct xl_package *);
/* The programs that came from a cache record, or NULL: none, or one of them failed. */
XL_API const uint32_t *xl_package_of_record(const struct xl_package *, uint64_t record_hash, const char *record_name, uint32_t *n);
/* A program with the same content, that did not fail. */
#define XL_NO_PROGRAM UINT32_MAX
XL_API uint32_t xl_package_find(const struct xl_package *, const struct xl_record *, uint32_t program);
/* Pipelines: the graphics programs NAME.STAGE of one cache record, a compute program by itself; sorted by name. The index is made
 * before the package is shared with other threads. */
struct xl_package_pipeline {
	const char *name;            /* its first name_length bytes: NAME */
	size_t name_length;
	const uint32_t *program;     /* numbers of its programs; a stage may be there twice in a package that lies */
	uint32_t nprogram;
	int compute;
	const char *state;
};
XL_API enum xl_status xl_package_index_pipelines(struct xl_package *);
XL_API uint32_t xl_package_pipelines(const struct xl_package *);
XL_API void xl_package_pipeline(const struct xl_package *, uint32_t i, struct xl_package_pipeline *);
XL_API uint32_t xl_package_find_pipeline(const struct xl_package *, const char *name); /* the first; XL_NO_PROGRAM: none */
/* Module (NULL: refused, or damaged after the log was told) and reflection; valid as xl_package_get's. */
XL_API const uint32_t *xl_package_module(const struct xl_package *, struct xl_slot *, uint32_t i, size_t *nwords,
					 const struct xl_log *);
/* The module, or that of the geometry stage that goes before it, into the caller's memory: of as many words as xl_package_get says.
 * `hash` is XXH3-128 of its bytes, big endian. XL_OK; XL_UNREADABLE after the log was told: there is none, it is damaged, or of
 * another size. What `words` has then means nothing. What this slot gave stays valid. */
XL_API enum xl_status xl_package_read(const struct xl_package *, struct xl_slot *, uint32_t i, int generated, uint32_t *words,
				      uint32_t nwords, uint8_t hash[16], const struct xl_log *);
XL_API const char *xl_package_reflection(const struct xl_package *, struct xl_slot *, uint32_t i, const struct xl_log *);
/* A number that programs with the same reflection share; XL_NO_PROGRAM: it has none. */
XL_API uint32_t xl_package_reflection_of(const struct xl_package *, uint32_t i);
/* The same of the geometry stage that goes before it; NULL where it has none, or after the log was told. They take the place of
 * what xl_package_module and xl_package_reflection gave of this slot. */
XL_API const uint32_t *xl_package_generated(const struct xl_package *, struct xl_slot *, uint32_t i, size_t *nwords,
					    const struct xl_log *);
XL_API const char *xl_package_generated_reflection(const struct xl_package *, struct xl_slot *, uint32_t i, const struct xl_log *);

/* What a file is, by its first bytes: 'c' guest cache, 'p' package, 'j' JSON, 'e' ELF (a code object), '?' else, 0 unreadable. */
XL_API int xl_file_kind(const char *path);
/* `bytes` to `path`, replacing it at once or not at all. */
XL_API enum xl_status xl_file_write(const char *path, const void *bytes, size_t size, const struct xl_log *);

#ifdef __cplusplus
}
#endif
#endif
