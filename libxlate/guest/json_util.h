/* json_util.h - typed, checked reads out of a parsed JSON value; private to the JSON importer. */
#ifndef XL_JSON_UTIL_H
#define XL_JSON_UTIL_H

#include "json.h"

#include <cjson/cJSON.h>

/* One import. The first fault is reported and sets `bad`; later reads then give zeros and say nothing. */
struct json_in {
	struct arena *a;
	struct diag_sink *sink;
	struct xl_pipeline_record *pipeline;
	const char *where; /* "executables[1]": for messages */
	char *pool;
	uint32_t npool;
	size_t cap;
	bool bad;
};

void json_fault(struct json_in *, enum diag_code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A number, or a "0x..." string, of at most max. `otherwise` when absent or null. */
uint64_t json_num(struct json_in *, const cJSON *object, const char *key, uint64_t max, uint64_t otherwise);
uint64_t json_value(struct json_in *, const cJSON *value, const char *key, uint64_t max);
struct rec_fact json_fact(struct json_in *, const cJSON *object, const char *key, uint64_t max);
/* A string of at most `most` printable bytes, copied to the arena. NULL when absent. */
const char *json_text(struct json_in *, const cJSON *object, const char *key, size_t most);
/* The array of that name, NULL when absent; a fault when it has more than `most` elements or is no array. */
const cJSON *json_list(struct json_in *, const cJSON *object, const char *key, uint32_t most, uint32_t *n);
uint32_t json_pool(struct json_in *, const char *s); /* offset in the string pool */
/* Index of a name in a table of `n` names, or n. */
unsigned json_choice(const char *name, const char *const *names, unsigned n);

/* json_program.c: one element of `executables`. */
void json_program(struct json_in *, const cJSON *, const struct json_reader *, struct xl_record_program *);

#endif
