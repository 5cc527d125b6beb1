/* json.h - importer of the record's JSON form: one file is one pipeline, code lies in files beside it.
 *
 * Everything read is untrusted: sizes, offsets and counts are checked before use. Only the files that `code` names are asked
 * for; a record's `inputs`, `spirv` and `expected` are never looked at.
 */
#ifndef XL_JSON_H
#define XL_JSON_H

#include "../../ir/diag.h"
#include "../record.h"

enum { JSON_MAX_TEXT = 16 << 20, JSON_MAX_FILE = 64 << 20, JSON_MAX_PROGRAMS = 16 };

/* Gives the bytes of a code file by its base name (never with a '/'). The bytes live as long as the arena. -1: not there. */
struct json_reader {
	int (*read)(void *user, const char *name, struct arena *, struct rec_bytes *out);
	void *user;
};

/* NULL after a diagnostic (bad-json, bad-record, bad-header, io). `file` is kept as the record's origin. Running out of the
 * arena ends the same way when the arena has an `oom`: what was allocated elsewhere is freed first, then the jump goes on. */
const struct xl_pipeline_record *json_import(struct arena *, const char *file, const char *text, size_t size,
					     const struct json_reader *, struct diag_sink *);

#endif
