/* xlp.h - the translated package: written whole, opened by mmap, looked up without parsing. man/xlate-package.5 is the
 * format's text.
 *
 * A package holds *programs* (one per recorded program, by name and stage), which point to *variants* (a key, a guard, and
 * either a module or the diagnostics of a refusal). Equal variants and equal modules are stored once.
 */
#ifndef XL_XLP_H
#define XL_XLP_H

#include "../../ir/diag.h"
#include "../record.h"
#include "buf.h"

enum { XLP_VERSION = 5, XLP_NONE = -1 };
/* Bytes of strings, the zero not counted: names are compared while they are sorted, and all are walked through. A record's program
 * has a name of less than 300, its state less than 20,000. */
enum { XLP_MOST_NAME = 511, XLP_MOST_CPU = 63, XLP_MOST_STRING = 65535 };

struct xlp_guard { uint32_t field; /* enum fact_state */ uint64_t value; /* record_state of it */ };
struct xlp_diag { uint32_t code /* enum diag_code */, addr; const char *inst, *text; };

/* Bytes as the package has them: compressed, with the hash of the raw ones. packed NULL: none. */
struct xlp_frame { struct rec_hash hash; uint32_t size, packed_size; const uint8_t *packed; };

/* One program as the writer gets it and the reader gives it back. Strings and arrays belong to whoever gave them. */
struct xlp_program {
	const char *name, *cpu; /* name: "NAME.STAGE" */
	uint8_t stage, wave;
	struct rec_hash key;
	uint64_t content;        /* record_content */
	uint64_t record;         /* hash of the cache record that it came from, 0 unknown */
	const char *state;       /* fixed-function state of its pipeline, lines as in xlate-package(5); NULL nothing known */
	uint32_t nguard;
	const struct xlp_guard *guard; /* sorted by field */
	uint32_t guest_words;
	const uint32_t *words;   /* SPIR-V; NULL when refused or framed (reader: use xlp_module) */
	uint32_t nwords;
	const char *reflection;  /* JSON text, NULL when refused or framed (reader: use xlp_reflection) */
	struct xlp_frame module, text; /* the same, framed; the writer frames what is not */
	struct xlp_frame generated, generated_text; /* a geometry stage that goes with it, module and reflection; or none */
	const char *needs;       /* lines: what the module asks of a device */
	uint32_t subgroup_size;  /* that the pipeline must ask for, 0 any */
	uint32_t ndiag;
	const struct xlp_diag *diag;
};

/* ---- writing: programs in any order; the bytes depend on the set of programs alone */
struct xlp_stamp { const char *translator, *options, *target; const char *requirements; /* one a line: "cap Shader" */ };
/* A compressor: one thread's. What it needs it keeps from one frame to the next. */
struct xlp_packer;
struct xlp_packer *xlp_packer_new(void); /* NULL: out of memory */
void xlp_packer_free(struct xlp_packer *);
/* Compresses `v` into the arena. 0, -1: out of memory. The same bytes give the same frame. */
enum xlp_kind { XLP_MODULE, XLP_TEXT };
int xlp_frame(struct xlp_packer *, enum xlp_kind, const void *v, size_t size, struct arena *, struct xlp_frame *);
/* What the compressor is given, valid until the next call: for training the dictionary. */
int xlp_form(struct xlp_packer *, enum xlp_kind, const void *v, size_t size, const uint8_t **out, size_t *n);
/* Bytes of the package into *out. Programs that are equal in all are stored once. 0; -1: out of memory, or a section
 * of more than 4 GiB; -2: two programs with the same name, key and content differ, and *clash is that name; -3: strings longer than
 * they may be, hashes that are none, or far more bytes unpacked than the file's size allows. */
int xlp_encode(const struct xlp_program *program, uint32_t n, const struct xlp_stamp *, struct buf *out, const char **clash);
/* The translation failed by our own fault or by a limit of the build: another run may do better. */
bool xlp_failed(const struct xlp_program *);

/* ---- xlp_entry.c: one program as bytes, from one process to another */
void xlp_entry_put(struct buf *, const struct xlp_program *);
/* The program's content; 0: the bytes are no entry. */
uint64_t xlp_entry_content(const uint8_t *data, size_t size);
/* 0, -1: the bytes are no entry. Strings, arrays and frames of *out point into `data` or the arena. */
int xlp_entry_get(const uint8_t *data, size_t size, struct xlp_program *out, struct arena *);

/* ---- reading. `data` stays the caller's. A reader is read-only: many threads may use one. */
struct xlp {
	const uint8_t *data;
	size_t size;
	uint32_t nvariant, nguard, nblob, ndiag, nprogram, nstrings;
	const uint8_t *variant, *guard, *blob, *diag, *program, *strings, *packed;
	size_t npacked;
	struct xlp_stamp stamp;
};
bool xlp_is(const uint8_t *data, size_t size);
/* Bytes of the frames, which opening does not read: 0, -1 after a diagnostic. */
int xlp_check_packed(const struct xlp *, struct diag_sink *);
/* Checks the header, the section table and every index in the tables. 0, -1 after a diagnostic. */
int xlp_open(struct xlp *, const uint8_t *data, size_t size, struct diag_sink *);
/* Program i. `guard` and `diag` arrays are the arena's, strings are the package's. */
void xlp_get(const struct xlp *, uint32_t i, struct xlp_program *, struct arena *);
/* Variants of a key: first and count, O(log n). False: no such key. */
bool xlp_find(const struct xlp *, const struct rec_hash *, uint32_t *first, uint32_t *count);
uint32_t xlp_variant_of(const struct xlp *, uint32_t program);
/* Single fields of program i, without an arena. */
const char *xlp_name_of(const struct xlp *, uint32_t i);
const uint8_t *xlp_key_of(const struct xlp *, uint32_t i); /* 16 bytes */
uint64_t xlp_content_of(const struct xlp *, uint32_t i);
uint64_t xlp_record_of(const struct xlp *, uint32_t i);
const char *xlp_state_of(const struct xlp *, uint32_t i);
uint8_t xlp_stage_of(const struct xlp *, uint32_t i);
/* What decompresses: one thread's. */
struct xlp_unpacker;
struct xlp_unpacker *xlp_unpacker_new(void); /* NULL: out of memory */
void xlp_unpacker_free(struct xlp_unpacker *);
/* The bytes of a frame, f->size of them. 0; -1: damaged, or out of memory. The hash is not looked at. */
int xlp_unframe(struct xlp_unpacker *, const struct xlp_frame *f, void *out);
/* Module of program i, decompressed and hash-checked. NULL after a diagnostic; NULL without one when it was refused. */
const uint32_t *xlp_module(const struct xlp *, struct xlp_unpacker *, uint32_t i, uint32_t *nwords, struct arena *,
			   struct diag_sink *);
/* The same, or its generated stage, into nwords words of the caller's, which must be as many as it has; *hash is what it has. 0, -1
 * after a diagnostic. */
int xlp_words(const struct xlp *, struct xlp_unpacker *, uint32_t i, bool generated, uint32_t *words, uint32_t nwords,
	      struct rec_hash *hash, struct diag_sink *);
uint32_t xlp_reflection_of(const struct xlp *, uint32_t i); /* equal ones have one number; UINT32_MAX: none */
const char *xlp_reflection(const struct xlp *, struct xlp_unpacker *, uint32_t i, struct arena *, struct diag_sink *);
/* The same of its generated stage. NULL without a diagnostic: it has none. */
const uint32_t *xlp_generated(const struct xlp *, struct xlp_unpacker *, uint32_t i, uint32_t *nwords, struct arena *,
			      struct diag_sink *);
const char *xlp_generated_reflection(const struct xlp *, struct xlp_unpacker *, uint32_t i, struct arena *, struct diag_sink *);

#endif
