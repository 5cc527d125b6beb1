/* xlp_form.h - byte positions of the package format, shared by writer and reader. */
#ifndef XL_XLP_FORM_H
#define XL_XLP_FORM_H

#include "xlp.h"

/* Header: magic 8, version 4, sections 4, file size 8, XXH3-64 of the header with this field zero, and of the section table,
 * 8. Section table: one row per section, in this order: offset 8, size 8, rows 4, row size 4, XXH3-64 of its bytes 8. */
enum { XLP_HEADER = 32, XLP_SECTION = 32, XLP_SUM_AT = 24 };
#define XLP_MAGIC { 'X', 'L', 'A', 'T', 'E', 'P', 'K', 'G' }

/* The version's upper half is the dictionary's: another one is another format. */
enum { XLP_DICTIONARY = 3, XLP_FORMAT = XLP_VERSION | XLP_DICTIONARY << 16 };
/* What is compressed is hardly ever longer than what it is made of; this is its bound. */
#define XLP_MOST_FORM(size) ((size) + (size) / 4 + 64)
/* And it has a byte for every two words at least: an instruction has one, the id of its result has none, other words have one. */
#define XLP_LEAST_FORM(size) ((size) / 8)

/* Bytes that all programs of a package unpack to, each for itself, at most: programs share modules, and frames compress far; what
 * a file can ask for goes by its size all the same. A small one may have one large module, and thousands of programs, with
 * some 60 bytes of the file for each, may share one of megabytes. */
static inline bool xlp_unpacks(uint64_t bytes, uint64_t file) { return bytes <= (file << 16) + (64u << 20); }

/* Bytes of a row, by section; those without rows have 1. */
#define XLP_ROW_SIZES { VARIANT_ROW, GUARD_ROW, BLOB_ROW, DIAG_ROW, PROGRAM_ROW, STAMP_ROW, 1, 1 }

enum xlp_section {
	XLP_VARIANTS, /* see V_*: sorted by key, then guard */
	XLP_GUARDS,   /* field 4, value 8; variants share lists */
	XLP_BLOBS,    /* XXH3-128 of the raw bytes 16, offset in PACKED 4, packed size 4, raw size 4 */
	XLP_DIAGS,    /* code name 4 (string), guest offset 4, disassembly 4 (string), text 4 (string) */
	XLP_PROGRAMS, /* name 4 (string), cpu 4 (string), variant 4, content 8, record 8, state 4 (string): sorted by name */
	XLP_STAMPS,   /* translator, options, target, requirements: strings, 4 each */
	XLP_STRINGS,  /* zero-terminated; offset 0 is "" */
	XLP_PACKED,   /* zstd frames; the table's hash of them is checked on demand */
	XLP_SECTIONS
};
enum { VARIANT_ROW = 56, GUARD_ROW = 12, BLOB_ROW = 28, DIAG_ROW = 16, PROGRAM_ROW = 32, STAMP_ROW = 16 };
enum { /* byte offsets in a variant row; the four fields before the last two have one byte each */
	V_KEY = 0, V_GUARD = 16, V_MODULE = 20, V_REFLECTION = 24, V_DIAG = 28, V_NDIAG = 32, V_GUEST_WORDS = 36, V_NEEDS = 40,
	V_STAGE = 44, V_WAVE = 45, V_SUBGROUP = 46, V_NGUARD = 47, V_GENERATED = 48, V_GENERATED_TEXT = 52,
};
enum { B_OFFSET = 16, B_PACKED = 20, B_SIZE = 24 }; /* in a blob's row */
enum { P_NAME = 0, P_CPU = 4, P_VARIANT = 8, P_CONTENT = 12, P_RECORD = 20, P_STATE = 28 }; /* in a program's row */
#define XLP_NO_BLOB UINT32_MAX

#endif
