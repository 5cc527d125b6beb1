/* xlate_record.c - records and guest caches of the public API. */
#include "xlate_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void set_status(enum xl_status *to, enum xl_status s)
{
	if (to)
		*to = s;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct xl_record *record_new(struct log_sink *sink)
{
	struct xl_record *r = calloc(1, sizeof(*r));

	if (r)
		arena_init(&r->arena, RECORD_LIMIT);
	else
		diag_emit(&sink->sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a record");
	return r;
}

/* Keeps the record when it is whole, else frees it. */
static struct xl_record *record_done(struct xl_record *r, const struct xl_pipeline_record *p, const struct log_sink *sink,
				     enum xl_status *status)
{
	if (p) {
		r->pipeline = p;
		set_status(status, XL_OK);
		return r;
	}
	set_status(status, log_status(sink));
	xl_record_free(r);
	return NULL;
}

void xl_record_free(struct xl_record *r)
{
	if (!r)
		return;
	arena_free(&r->arena);
	free(r);
}

/* ---- import */
static int read_file(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	const char *dir = user, *slash = strrchr(dir, '/');
	struct buf b = { 0 };
	jmp_buf *oom;
	uint8_t *v;
	char *path = arena_printf(a, "%.*s%s", (int)(slash ? slash + 1 - dir : 0), dir, name);

	if (!path || buf_load(&b, path, JSON_MAX_FILE)) {
		buf_free(&b);
		return -1;
	}
	/* No jump while the file's bytes are held. */
	oom = a->oom;
	a->oom = NULL;
	v = b.n ? arena_alloc(a, b.n) : NULL;
	a->oom = oom;
	if (v)
		memcpy(v, b.v, b.n);
	*out = (struct rec_bytes){ v, (uint32_t)b.n };
	buf_free(&b);
	return v ? 0 : -1;
}

struct xl_record *xl_record_import(const char *path, const struct xl_log *log, enum xl_status *status)
{
	struct json_reader reader = { read_file, (void *)(uintptr_t)path };
	const struct xl_pipeline_record *p;
	struct buf text = { 0 };
	struct log_sink sink;
	struct xl_record *r;

	log_sink_init(&sink, log, path);
	if (buf_load(&text, path, JSON_MAX_TEXT)) {
		log_errno(&sink, path, "read");
		buf_free(&text);
		set_status(status, XL_UNREADABLE);
		return NULL;
	}
	r = record_new(&sink);
	p = r ? json_import(&r->arena, base_name(path), (const char *)text.v, text.n, &reader, &sink.sink) : NULL;
	buf_free(&text);
	return record_done(r, p, &sink, status);
}

static int read_memory(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	const struct xl_reader *r = user;
	const uint8_t *bytes;
	size_t size;
	uint8_t *v;

	if (r->read(r->user, name, &bytes, &size) || !size || size > JSON_MAX_FILE)
		return -1;
	v = arena_alloc(a, size);
	if (!v)
		return -1;
	memcpy(v, bytes, size);
	*out = (struct rec_bytes){ v, (uint32_t)size };
	return 0;
}

struct xl_record *xl_record_import_memory(const char *name, const char *text, size_t size, const struct xl_reader *from,
					  const struct xl_log *log, enum xl_status *status)
{
	struct json_reader reader = { read_memory, (void *)(uintptr_t)from };
	const struct xl_pipeline_record *p;
	struct log_sink sink;
	struct xl_record *r;

	log_sink_init(&sink, log, name);
	r = record_new(&sink);
	p = r ? json_import(&r->arena, base_name(name), text, size, &reader, &sink.sink) : NULL;
	return record_done(r, p, &sink, status);
}

/* ---- what a record says */
const char *xl_record_name(const struct xl_record *r)
{
	return r->pipeline->name;
}

uint32_t xl_record_programs(const struct xl_record *r)
{
	return r->pipeline->nprogram;
}

void xl_record_program(const struct xl_record *r, uint32_t i, struct xl_program_info *out)
{
	const struct xl_record_program *p = &r->pipeline->program[i];
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(p->cpu, &cpu);

	out->name = p->name;
	out->stage = p->hw_stage == HW_COPY ? "gscopy" : record_stage_name(p->stage);
	out->isa = p->isa;
	out->cpu = p->cpu;
	out->wave = p->wave;
	out->code = p->code.v;
	out->code_size = p->code.size;
	out->exec_size = p->exec_size;
	out->entry = p->entry;
	out->words = p->exec_size / (isa ? isa->word : 4);
	hash_text(&p->key, out->key);
	out->linked = p->hw_stage == HW_COPY;
}

/* ---- caches */
struct xl_cache {
	struct buf bytes;      /* owned, or empty when the caller's */
	struct arena arena;
	struct xgc xgc;
	char *name;
	int damaged;
};

void xl_cache_free(struct xl_cache *c)
{
	if (!c)
		return;
	xgc_close(&c->xgc);
	buf_free(&c->bytes);
	arena_free(&c->arena);
	free(c->name);
	free(c);
}

static int open_index(struct xl_cache *c, const uint8_t *v, size_t n, struct diag_sink *sink)
{
	jmp_buf oom;
	int bad;

	arena_init(&c->arena, INDEX_LIMIT);
	c->arena.oom = &oom;
	if (setjmp(oom)) {
		diag_emit(sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "the cache's index needs too much memory");
		bad = -1;
	} else {
		bad = xgc_open(&c->xgc, v, n, &c->arena, sink);
	}
	c->arena.oom = NULL;
	c->damaged = sink->errors != 0;
	return bad;
}

static struct xl_cache *cache_open(struct xl_cache *c, const uint8_t *v, size_t n, struct log_sink *sink, enum xl_status *status)
{
	if (!c || !c->name)
		diag_emit(&sink->sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a cache");
	else if (!open_index(c, v, n, &sink->sink)) {
		set_status(status, XL_OK);
		return c;
	}
	set_status(status, log_status(sink));
	xl_cache_free(c);
	return NULL;
}

struct xl_cache *xl_cache_open(const char *path, const struct xl_log *log, enum xl_status *status)
{
	struct xl_cache *c = calloc(1, sizeof(*c));
	struct log_sink sink;

	log_sink_init(&sink, log, path);
	if (c && buf_load(&c->bytes, path, FILE_LIMIT)) {
		log_errno(&sink, path, "read");
		xl_cache_free(c);
		set_status(status, XL_UNREADABLE);
		return NULL;
	}
	if (c)
		c->name = strdup(path);
	return cache_open(c, c ? c->bytes.v : NULL, c ? c->bytes.n : 0, &sink, status);
}

struct xl_cache *xl_cache_open_memory(const char *name, const void *v, size_t n, const struct xl_log *log,
				      enum xl_status *status)
{
	struct xl_cache *c = calloc(1, sizeof(*c));
	struct log_sink sink;

	log_sink_init(&sink, log, name);
	if (c)
		c->name = strdup(name);
	return cache_open(c, v, n, &sink, status);
}

/* ---- foreign containers: their records are written to a cache in memory */
static int import_records(struct arena *a, const char *name, const uint8_t *v, size_t n, struct xgc_writer *w,
			  struct diag_sink *sink)
{
	const struct xl_pipeline_record *const *p;
	uint32_t count;
	volatile int bad = 0;
	jmp_buf oom;

	a->oom = &oom;
	if (setjmp(oom)) {
		diag_emit(sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "the container needs more than %d bytes", RECORD_LIMIT);
		a->oom = NULL;
		return -1;
	}
	p = hsa_import(a, base_name(name), v, n, &count, sink);
	a->oom = NULL;
	for (uint32_t i = 0; p && i < count && !bad; i++)
		bad = xgc_add(w, p[i]);
	if (bad)
		diag_emit(sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for the container's records");
	return p && !bad ? 0 : -1;
}

struct xl_cache *xl_cache_import_memory(const char *name, const void *v, size_t n, const struct xl_log *log,
					enum xl_status *status)
{
	struct xgc_writer *w = xgc_writer_new();
	struct xl_cache *c = calloc(1, sizeof(*c));
	struct log_sink sink;
	struct arena a;
	int bad = -1, damaged;

	log_sink_init(&sink, log, name);
	arena_init(&a, RECORD_LIMIT);
	if (c)
		c->name = strdup(name);
	if (!w || !c || !c->name)
		diag_emit(&sink.sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a cache");
	else
		bad = import_records(&a, name, v, n, w, &sink.sink);
	damaged = sink.sink.errors != 0;
	if (!bad && !xgc_bytes(w)->bad)
		buf_put(&c->bytes, xgc_bytes(w)->v, xgc_bytes(w)->n);
	arena_free(&a);
	xgc_writer_free(w);
	if (bad || c->bytes.bad) {
		set_status(status, log_status(&sink));
		xl_cache_free(c);
		return NULL;
	}
	c = cache_open(c, c->bytes.v, c->bytes.n, &sink, status);
	if (c)
		c->damaged = damaged;
	return c;
}

struct xl_cache *xl_cache_import(const char *path, const struct xl_log *log, enum xl_status *status)
{
	struct buf b = { 0 };
	struct log_sink sink;
	struct xl_cache *c;

	log_sink_init(&sink, log, path);
	if (buf_load(&b, path, HSA_MAX_FILE)) {
		log_errno(&sink, path, "read");
		buf_free(&b);
		set_status(status, XL_UNREADABLE);
		return NULL;
	}
	c = xl_cache_import_memory(path, b.v, b.n, log, status);
	buf_free(&b);
	return c;
}

int xl_cache_damaged(const struct xl_cache *c)
{
	return c->damaged;
}

uint32_t xl_cache_records(const struct xl_cache *c)
{
	return c->xgc.nrecord;
}

const char *xl_cache_record_name(const struct xl_cache *c, uint32_t i)
{
	return c->xgc.record[i].name;
}

uint64_t xl_cache_record_hash(const struct xl_cache *c, uint32_t i)
{
	const struct xgc_record *r = &c->xgc.record[i];
	struct rec_hash h = record_bytes_hash(r->packed, r->packed_size);
	uint64_t v;

	memcpy(&v, h.b, sizeof(v));
	return v ? v : 1;
}

uint64_t xl_record_content(const struct xl_record *r, uint32_t program)
{
	return record_content(&r->pipeline->program[program]);
}

static const struct xl_pipeline_record *cache_record(const struct xgc *x, uint32_t i, struct arena *a, struct diag_sink *sink)
{
	const struct xl_pipeline_record *volatile p = NULL;
	jmp_buf oom;

	a->oom = &oom;
	if (setjmp(oom))
		diag_emit(sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "the record needs more than %d bytes", RECORD_LIMIT);
	else
		p = xgc_read(x, i, a, sink);
	a->oom = NULL;
	return p;
}

struct xl_record *xl_cache_read(const struct xl_cache *c, uint32_t i, const struct xl_log *log, enum xl_status *status)
{
	struct log_sink sink;
	struct xl_record *r;

	log_sink_init(&sink, log, c->name);
	sink.sink.program = c->xgc.record[i].name;
	r = record_new(&sink);
	return record_done(r, r ? cache_record(&c->xgc, i, &r->arena, &sink.sink) : NULL, &sink, status);
}

struct xl_cache_writer { struct xgc_writer *w; };

struct xl_cache_writer *xl_cache_writer_new(void)
{
	struct xl_cache_writer *w = calloc(1, sizeof(*w));

	if (w)
		w->w = xgc_writer_new();
	if (w && !w->w) {
		free(w);
		return NULL;
	}
	return w;
}

void xl_cache_writer_free(struct xl_cache_writer *w)
{
	if (!w)
		return;
	xgc_writer_free(w->w);
	free(w);
}

enum xl_status xl_cache_add(struct xl_cache_writer *w, const struct xl_record *r)
{
	return xgc_add(w->w, r->pipeline) ? XL_INTERNAL : XL_OK;
}

const void *xl_cache_bytes(const struct xl_cache_writer *w, size_t *size)
{
	*size = xgc_bytes(w->w)->n;
	return xgc_bytes(w->w)->v;
}

enum xl_status xl_cache_write(const struct xl_cache_writer *w, const char *path, const struct xl_log *log)
{
	const struct buf *b = xgc_bytes(w->w);

	return b->bad ? XL_INTERNAL : xl_file_write(path, b->v, b->n, log);
}
