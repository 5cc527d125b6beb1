/* xlate_target.c - targets of the public API: shipped ones by name, others from profile files. */
#include "xlate_int.h"

#include "target/target.h"

#include <errno.h>
#include <stdlib.h>

enum { PROFILE_LIMIT = 64 << 20, TARGET_LIMIT = 256 << 20 };

static bool is_path(const char *s)
{
	size_t n = strlen(s);

	return strchr(s, '/') || (n > 5 && !strcmp(s + n - 5, ".json"));
}

static int load(struct xl_target *t, const char *path, struct log_sink *sink)
{
	const struct fact_target *facts;
	struct buf text = { 0 };

	if (buf_load(&text, path, PROFILE_LIMIT)) {
		log_errno(sink, path, "read");
		buf_free(&text);
		return -1;
	}
	facts = target_load_json((const char *)text.v, text.n, t->name, &t->arena, &sink->sink);
	buf_free(&text);
	if (facts)
		t->facts = *facts;
	return facts ? 0 : -1;
}

struct xl_target *xl_target_open(const char *name, const struct xl_log *log, enum xl_status *status)
{
	struct xl_target *t = calloc(1, sizeof(*t));
	const struct fact_target *shipped = target_find(name);
	struct log_sink sink;
	int bad = -1;

	log_sink_init(&sink, log, is_path(name) ? name : NULL);
	if (t) {
		/* No `oom`: the arena gives NULL, which the loader reports. */
		arena_init(&t->arena, TARGET_LIMIT);
		t->name = arena_strdup(&t->arena, name);
	}
	if (!t || !t->name) {
		diag_emit(&sink.sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a target");
	} else if (shipped) {
		t->facts = *shipped;
		bad = 0;
	} else if (is_path(name)) {
		bad = load(t, name, &sink);
	} else {
		diag_emit(&sink.sink, DIAG_NOT_FOUND, DIAG_NO_ADDR, "no target %s; `xlate profile` lists them", name);
	}
	if (status)
		*status = bad ? log_status(&sink) : XL_OK;
	if (!bad)
		return t;
	xl_target_free(t);
	return NULL;
}

void xl_target_free(struct xl_target *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	free(t);
}

const char *xl_target_name(const struct xl_target *t)
{
	return t->name;
}

const char *xl_target_shipped(uint32_t i)
{
	return target_name(i);
}

char *xl_target_json(const struct xl_target *t)
{
	struct arena a;
	char *text, *out;

	arena_init(&a, TARGET_LIMIT);
	text = target_print(&t->facts, &a);
	out = text ? strdup(text) : NULL;
	arena_free(&a);
	return out;
}
