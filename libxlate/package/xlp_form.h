/* xlp_form.h - byte positions of the package format, shared by writer and reader. */
#ifndef XL_XLP_FORM_H
#define XL_XLP_FORM_H

#include <stdint.h>

/* Header: magic 8, version 4, sections 4, file size 8, XXH3-64 of the header with this field zero, and of the section table,
 * 8. Section table: one row per section, in this order: offset 8, size 8, rows 4, row size 4, XXH3-64 of its bytes 8. */
enum { XLP_HEADER = 32, XLP_SECTION = 32, XLP_SUM_AT = 24 };
#define XLP_MAGIC { 'X', 'L', 'A', 'T', 'E', 'P', 'K', 'G' }

enum xlp_section {
	XLP_KEYS,     /* key 16, first variant 4, variants 4: sorted by key */
	XLP_VARIANTS, /* see V_*: sorted by key, then guard */
	XLP_GUARDS,   /* field 4, zero 4, value 8 */
	XLP_BLOBS,    /* XXH3-128 of the raw bytes 16, offset in PACKED 8, packed size 4, raw size 4 */
	XLP_DIAGS,    /* code name 4 (string), guest offset 4, disassembly 4 (string), text 4 (string) */
	XLP_PROGRAMS, /* name 4 (string), cpu 4 (string), stage 4, variant 4, content 8, record 8: sorted by name */
	XLP_STAMPS,   /* translator, options, target, requirements: strings, 4 each */
	XLP_STRINGS,  /* zero-terminated; offset 0 is "" */
	XLP_PACKED,   /* zstd frames; the table's hash of them is checked on demand */
	XLP_SECTIONS
};
enum { KEY_ROW = 24, VARIANT_ROW = 64, GUARD_ROW = 16, BLOB_ROW = 32, DIAG_ROW = 16, PROGRAM_ROW = 32, STAMP_ROW = 16 };
enum { /* byte offsets in a variant row */
	V_KEY = 0, V_GUARD = 16, V_NGUARD = 20, V_MODULE = 24, V_REFLECTION = 28, V_DIAG = 32, V_NDIAG = 36, V_GUEST_WORDS = 40,
	V_STAGE = 44, V_WAVE = 48, V_SUBGROUP = 52, V_NEEDS = 56, /* a zero word */
};
#define XLP_NO_BLOB UINT32_MAX

#endif
