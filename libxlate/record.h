/* record.h - the program record: everything that is known of a pipeline and its guest programs, whatever container it came
 * from. Importers fill it, the guest cache stores it whole, `facts_build` reads it through an ABI preset.
 *
 * Plain structs, owned by one arena, immutable once imported; shared between threads freely. Absent fields are zero, which
 * is "not recorded": nothing here is ever a silent default.
 *
 * Scalars and lists come from record.def. A list's rows are structs of uint32_t columns only (so one piece of code stores,
 * checks and prints all of them); strings are offsets into the pipeline's pool, read with record_str.
 */
#ifndef XL_RECORD_H
#define XL_RECORD_H

#include "../ir/arena.h"
#include "../ir/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- facts with three values */
enum rec_known {
	REC_UNRECORDED, /* the source does not say */
	REC_NOT_ASKED,  /* the source knows, but the program did not ask (a cache that logs what was queried) */
	REC_KNOWN,
};
enum rec_from {
	REC_FROM_NONE,
	REC_FROM_SOURCE, /* stated by the container */
	REC_FROM_HEADER, /* the guest's own header */
	REC_FROM_STATE,  /* fixed-function state at the draw */
	REC_FROM_CODE,   /* seen in the code */
	REC_FROM_USER,   /* an option of the person at the keyboard */
	REC_FROM_COUNT,
};
struct rec_fact {
	uint64_t v;
	uint8_t known, from; /* enum rec_known, enum rec_from */
};
static inline bool rec_known(struct rec_fact f) { return f.known == REC_KNOWN; }
static inline uint64_t rec_or(struct rec_fact f, uint64_t otherwise) { return f.known == REC_KNOWN ? f.v : otherwise; }

/* ---- enums of columns */
enum rec_hw_stage { HW_UNKNOWN, HW_NONE /* the ISA has no such notion */, HW_LS, HW_HS, HW_ES, HW_GS, HW_VS, HW_PS, HW_CS, HW_NGG,
	HW_COPY, HW_COUNT };
enum rec_role { ROLE_FETCH, ROLE_GS_COPY, ROLE_FRONT, ROLE_BACK, ROLE_SECOND_VERTEX, ROLE_COUNT };
enum rec_space { REC_SPACE_AMD_RSRC, REC_SPACE_AMD_CONTEXT, REC_SPACE_AMD_SH, REC_SPACE_AMD_UCONFIG, REC_SPACE_NV_3D,
	REC_SPACE_NV_COMPUTE, REC_SPACE_COUNT };
/* Byte addresses of AMD context registers. */
enum {
	REC_CB_SHADER_MASK = 0x2823c, REC_SPI_PS_INPUT_ENA = 0x286cc, REC_SPI_PS_INPUT_ADDR = 0x286d0,
	REC_SPI_VS_OUT_CONFIG = 0x286c4, REC_SPI_PS_IN_CONTROL = 0x286d8, REC_SPI_SHADER_COL_FORMAT = 0x28714,
	REC_PA_SC_SHADER_CONTROL = 0x28c40,
};
enum rec_file { REC_FILE_SCALAR, REC_FILE_VECTOR, REC_FILE_COUNT };
enum rec_holds { HOLDS_ROOT, HOLDS_CONST_DATA, HOLDS_SET, HOLDS_UBO, HOLDS_DYNAMIC_UBO, HOLDS_COUNT };
enum rec_arg { /* kernel arguments: the table says what their bytes are */
#define HSA_ARG(suffix, kind, what) REC_ARG_##suffix,
#include "hsa.def"
	REC_ARG_COUNT
};
enum rec_base { REC_BASE_FLOAT, REC_BASE_INT, REC_BASE_UINT, REC_BASE_COUNT };
enum rec_key { /* how the source names an image: a, b, c of rec_image */
	REC_KEY_SET_BINDING, /* set, binding */
	REC_KEY_BANK_OFFSET, /* constant bank, or set of which no binding is recorded; byte offset; of a set,
	                       * c: 1 + byte of a pointer in it behind which that offset is, 0: none */
	REC_KEY_HANDLE,      /* handle value: low, high word */
	REC_KEY_DESCRIPTOR,  /* `words` of bank REC_BANK_DESCRIPTORS from offset a, b bytes */
	REC_KEY_COUNT,
};
/* Binding types that facts.h has no word for: kept, so that a program which uses them is refused by name. */
enum { REC_DESC_ACCEL = DESC_COUNT, REC_DESC_INLINE_BLOCK, REC_DESC_COUNT };
#define REC_NONE UINT32_MAX /* a column that the source does not have */
#define REC_BANK_DESCRIPTORS 0x10000u

/* ---- rows */
/* Their columns and what they mean stand in record.def. */
#define COLUMN(name, max, none) uint32_t name;
#define ROW(row, columns) struct row { columns(COLUMN) };
#include "record.def"

#define REC_LIST(row) struct { const struct row *v; uint32_t n; uint8_t known, from; }

/* Memory that the source dumped: descriptor tables, constants, anything that a pointer reached. */
struct rec_memory { uint64_t address; const uint8_t *bytes; uint32_t size; };

struct rec_bytes { const uint8_t *v; uint32_t size; };

struct xl_pipeline_record;
struct rec_hash { uint8_t b[16]; }; /* XXH3-128, canonical (big endian) byte order: sorts as the digits do */

struct xl_record_program {
	const struct xl_pipeline_record *pipeline;
	const char *name;        /* "NAME.STAGE": diagnostics, exports */
	const char *isa, *cpu;   /* "gfx10", "gfx1030": names that isa_find knows, or as the source spelt them */
	uint8_t stage, hw_stage; /* enum fact_stage, enum rec_hw_stage */
	uint8_t wave;            /* 32 or 64 */
	bool big_endian;
	struct rec_bytes code;   /* machine words, then constant data that the code reaches by address */
	uint32_t exec_size;      /* bytes of `code` that may be executed */
	uint32_t entry;          /* byte offset of the first instruction */
	struct rec_fact address; /* guest address of code[0] */
	struct rec_bytes live;   /* bit per instruction word: seen executing; size 0 not recorded */
	struct rec_bytes header; /* the guest's own header, verbatim (SPH: 80 or 128 bytes) */
	struct rec_bytes data;   /* constant data with a bank of its own (HOLDS_CONST_DATA); `data_used` bytes count */
	uint32_t data_used;
	const struct rec_memory *memory; /* sorted by address */
	uint32_t nmemory;
	struct rec_hash key;     /* record_key, by record_check */
#define PROGRAM_FACT(field, key, max, what) struct rec_fact field;
#include "record.def"
#define PROGRAM_LIST(field, row, columns, most) REC_LIST(row) field;
#include "record.def"
};

struct rec_origin { /* stored, never part of a key */
	const char *file;      /* base name of the container */
	uint32_t number;       /* record number within it */
	const char *format;    /* "record-json" */
	const char *producer;  /* driver, version, device as the source says it */
};

struct xl_pipeline_record {
	const char *name;  /* unique within a cache only by custom */
	const char *abi;   /* preset: "radv", "nvk", ... */
	struct rec_origin origin;
	const char *strings; /* pool; strings[0] is "" */
	uint32_t nstrings;   /* bytes */
	uint32_t nprogram;
	struct xl_record_program *program;
#define PIPELINE_FACT(field, key, max, what) struct rec_fact field;
#include "record.def"
#define PIPELINE_LIST(field, row, columns, most) REC_LIST(row) field;
#include "record.def"
};

/* ---- readers */
static inline const char *record_str(const struct xl_pipeline_record *p, uint32_t at)
{
	return at < p->nstrings ? p->strings + at : "";
}

/* The value of a register in the sparse list. */
static inline bool record_register(const struct xl_record_program *p, uint32_t space, uint32_t offset, uint32_t *value)
{
	for (uint32_t i = 0; i < p->registers.n; i++) {
		if (p->registers.v[i].space == space && p->registers.v[i].offset == offset) {
			*value = p->registers.v[i].value;
			return true;
		}
	}
	return false;
}

/* What is known of an image, by the source's own key. NULL: nothing. */
static inline const struct rec_image *record_image(const struct xl_pipeline_record *p, uint32_t key, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < p->images.n; i++) {
		const struct rec_image *m = &p->images.v[i];
		if (m->key == key && m->a == a && m->b == b)
			return m;
	}
	return NULL;
}

static inline const struct rec_binding *record_binding(const struct xl_pipeline_record *p, uint32_t set, uint32_t binding)
{
	for (uint32_t i = 0; i < p->bindings.n; i++) {
		if (p->bindings.v[i].set == set && p->bindings.v[i].binding == binding)
			return &p->bindings.v[i];
	}
	return NULL;
}

static inline const char *record_stage_name(unsigned stage)
{
	static const char *const names[STAGE_COUNT] = { [STAGE_VERTEX] = "vert", [STAGE_TESS_CTRL] = "tesc",
		[STAGE_TESS_EVAL] = "tese", [STAGE_GEOMETRY] = "geom", [STAGE_FRAGMENT] = "frag", [STAGE_COMPUTE] = "comp",
		[STAGE_TASK] = "task", [STAGE_MESH] = "mesh" };
	return stage < STAGE_COUNT ? names[stage] : "?";
}

/* ---- record.c: what every importer's result must hold, keys */

/* Checks what the readers downstream rely on: enums in range, lists within their limits, offsets within their bytes. False,
 * with the reason in `why`, when a rule is broken; else the programs get their keys, which every use of them asks for. */
bool record_check(struct xl_pipeline_record *, char *why, size_t cap);

static inline int record_hash_order(const struct rec_hash *a, const struct rec_hash *b) { return memcmp(a, b, sizeof(*a)); }

struct rec_hash record_bytes_hash(const void *, size_t);
/* Program key: isa and cpu, stages, wave size, ABI (preset, entry registers, banks, set layouts) and code. State is no part
 * of it: that is what guards are for. */
struct rec_hash record_key(const struct xl_record_program *);
/* Hash of all that a translation of the program may read, names excepted: where it and the key are equal, so are the
 * translations. Of the pipeline it leaves out what only other stages see (colour formats, vertex formats). */
uint64_t record_content(const struct xl_record_program *);
/* Of a fragment program: bit 0: its pipeline has other programs than a vertex program before it, or one that writes what transform
 * feedback captures; bit 1: that vertex program writes a layer or a viewport; bits 15:8 how many clip distances it writes, 23:16 how
 * many cull distances. */
uint32_t record_before(const struct xl_record_program *);
/* Of a vertex and a fragment program that are all of their pipeline, where the former writes a layer (bit 0) or a viewport (bit 1):
 * those bits, and in bits 15:8 a location that neither of the two has. 0: of any other program. */
uint32_t record_handed(const struct xl_record_program *);
/* Of such a vertex program, and of a fragment program: what of the primitives is set while drawing, so that the record does not say it. */
enum { REC_OPEN_TOPOLOGY = 1, REC_OPEN_PROVOKING = 2 };
uint32_t record_open(const struct xl_record_program *);
/* Hash of one state field's value as this record has it: what a variant's guard compares. */
uint64_t record_state(const struct xl_record_program *, enum fact_state);

#endif
