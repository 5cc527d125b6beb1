/* xlate_package.c - packages of the public API: reading. */
#include "xlate_int.h"
#include "package/xlp_form.h"

#include <stdlib.h>

/* ---- reading */
struct found { uint64_t hash; uint32_t program; };
struct xl_package {
	struct buf bytes;
	struct xlp xlp;
	char *name;
	struct found *by_record, *by_content; /* sorted; NULL before xl_package_index */
	uint32_t *in_record;                  /* programs in the order of by_record */
	struct package_pipelines pipelines;
};

struct xl_slot *xl_slot_new(void)
{
	struct xl_slot *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	arena_init(&s->info, RESULT_LIMIT);
	arena_init(&s->module, RECORD_LIMIT);
	arena_init(&s->reflection, RECORD_LIMIT);
	s->unpacker = xlp_unpacker_new();
	if (s->unpacker)
		return s;
	xl_slot_free(s);
	return NULL;
}

void xl_slot_free(struct xl_slot *s)
{
	if (!s)
		return;
	arena_free(&s->info);
	arena_free(&s->module);
	arena_free(&s->reflection);
	xlp_unpacker_free(s->unpacker);
	free(s);
}

void xl_package_free(struct xl_package *p)
{
	if (!p)
		return;
	buf_free(&p->bytes);
	free(p->by_record);
	free(p->by_content);
	free(p->in_record);
	free(p->pipelines.program);
	free(p->pipelines.first);
	free(p->name);
	free(p);
}

struct package_pipelines *package_pipelines(struct xl_package *p)
{
	return &p->pipelines;
}

const struct xlp *package_xlp(const struct xl_package *p)
{
	return &p->xlp;
}

static struct xl_package *package_open(struct xl_package *p, const uint8_t *v, size_t n, struct log_sink *sink,
				       enum xl_status *status)
{
	if (!p || !p->name)
		diag_emit(&sink->sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "no memory for a package");
	else if (!xlp_open(&p->xlp, v, n, &sink->sink)) {
		if (status)
			*status = XL_OK;
		return p;
	}
	if (status)
		*status = log_status(sink);
	xl_package_free(p);
	return NULL;
}

struct xl_package *xl_package_open(const char *path, const struct xl_log *log, enum xl_status *status)
{
	struct xl_package *p = calloc(1, sizeof(*p));
	struct log_sink sink;

	log_sink_init(&sink, log, path);
	if (p && buf_load(&p->bytes, path, FILE_LIMIT)) {
		log_errno(&sink, path, "read");
		xl_package_free(p);
		if (status)
			*status = XL_UNREADABLE;
		return NULL;
	}
	if (p)
		p->name = strdup(path);
	return package_open(p, p ? p->bytes.v : NULL, p ? p->bytes.n : 0, &sink, status);
}

struct xl_package *xl_package_open_memory(const char *name, const void *v, size_t n, const struct xl_log *log,
					  enum xl_status *status)
{
	struct xl_package *p = calloc(1, sizeof(*p));
	struct log_sink sink;

	log_sink_init(&sink, log, name);
	if (p)
		p->name = strdup(name);
	return package_open(p, v, n, &sink, status);
}

uint32_t xl_package_programs(const struct xl_package *p)
{
	return p->xlp.nprogram;
}

const char *xl_package_stamp(const struct xl_package *p, const char **options, const char **target, const char **needs)
{
	*options = p->xlp.stamp.options;
	*target = p->xlp.stamp.target;
	*needs = p->xlp.stamp.requirements;
	return p->xlp.stamp.translator;
}

uint64_t xl_package_hash(const struct xl_package *p)
{
	return get64(p->xlp.data + XLP_SUM_AT);
}

/* A package's own diagnostic code may be unknown to this version: it is then shown as an error without a class. */
static void stored_diag(const struct xlp_program *p, const struct xlp_diag *d, const char *file, struct xl_diag *out)
{
	struct diag in = { d->code ? (enum diag_code)d->code : DIAG_VERIFY, p->name, p->cpu, d->addr, d->inst && *d->inst ? d->inst : NULL,
		d->text };

	log_diag(&in, file, out);
}

static void info(struct xl_slot *s, const struct xlp_program *in, struct xl_package_program *out)
{
	struct xl_diag *d;

	out->name = in->name;
	out->stage = record_stage_name(in->stage);
	out->cpu = in->cpu;
	hash_text(&in->key, out->key);
	out->guest_words = in->guest_words;
	out->words = in->module.packed ? in->module.size / 4 : 0;
	out->wave = in->wave;
	out->subgroup_size = in->subgroup_size;
	out->state = in->state ? in->state : "";
	out->status = in->module.packed ? XL_OK : xlp_failed(in) ? XL_INTERNAL : XL_REFUSED;
	out->generated_words = in->module.packed ? in->generated.size / 4 : 0;
	if (in->module.packed)
		hash_text(&in->module.hash, out->module);
	if (out->generated_words)
		hash_text(&in->generated.hash, out->generated);
	d = arena_array(&s->info, struct xl_diag, in->ndiag);
	for (uint32_t k = 0; k < in->ndiag; k++)
		stored_diag(in, &in->diag[k], NULL, &d[k]);
	out->diag = d;
	out->ndiag = in->ndiag;
}

/* Of a package, or of a program that is there already. */
void package_info(const struct xl_package *p, uint32_t i, const struct xlp_program *of, struct xl_slot *s,
		  struct xl_package_program *out)
{
	struct xlp_program in;
	jmp_buf oom;

	arena_reset(&s->info);
	memset(out, 0, sizeof(*out));
	s->info.oom = &oom;
	if (!setjmp(oom)) {
		if (p)
			xlp_get(&p->xlp, i, &in, &s->info);
		info(s, p ? &in : of, out);
	} else { /* a refusal with more diagnostics than fit: shown without them */
		out->ndiag = 0;
	}
	s->info.oom = NULL;
}

void xl_package_get(const struct xl_package *p, struct xl_slot *s, uint32_t i, struct xl_package_program *out)
{
	package_info(p, i, NULL, s, out);
}

/* ---- finding programs again */
static int found_order(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->program > y->program) - (x->program < y->program);
}

enum xl_status xl_package_index(struct xl_package *p)
{
	uint32_t n = p->xlp.nprogram;

	if (p->by_record)
		return XL_OK;
	p->by_record = calloc(n + 1u, sizeof(*p->by_record));
	p->by_content = calloc(n + 1u, sizeof(*p->by_content));
	p->in_record = calloc(n + 1u, sizeof(*p->in_record));
	if (!p->by_record || !p->by_content || !p->in_record)
		return XL_INTERNAL;
	for (uint32_t i = 0; i < n; i++) {
		p->by_record[i] = (struct found){ xlp_record_of(&p->xlp, i), i };
		p->by_content[i] = (struct found){ xlp_content_of(&p->xlp, i), i };
	}
	qsort(p->by_record, n, sizeof(*p->by_record), found_order);
	qsort(p->by_content, n, sizeof(*p->by_content), found_order);
	for (uint32_t i = 0; i < n; i++)
		p->in_record[i] = p->by_record[i].program;
	return XL_OK;
}

static uint32_t first_of(const struct found *v, uint32_t n, uint64_t hash)
{
	uint32_t lo = 0;

	while (lo < n) {
		uint32_t mid = lo + (n - lo) / 2;

		if (v[mid].hash < hash)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Program i may stand for itself in another package. */
static bool usable(const struct xl_package *p, uint32_t i)
{
	struct xlp_program one;
	struct arena a;
	jmp_buf oom;
	volatile bool fine = false;

	arena_init(&a, RESULT_LIMIT);
	a.oom = &oom;
	if (!setjmp(oom)) {
		xlp_get(&p->xlp, i, &one, &a);
		fine = !xlp_failed(&one);
	}
	arena_free(&a);
	return fine;
}

const uint32_t *xl_package_of_record(const struct xl_package *p, uint64_t hash, const char *name, uint32_t *n)
{
	uint32_t total = p->xlp.nprogram, at = p->by_record && hash ? first_of(p->by_record, total, hash) : total, first = at;
	size_t len = strlen(name);

	for (; at < total && p->by_record[at].hash == hash; at++) {
		uint32_t i = p->by_record[at].program;
		const char *own = xlp_name_of(&p->xlp, i);

		if (strncmp(own, name, len) || own[len] != '.' || strchr(own + len + 1, '.') || !usable(p, i))
			return NULL;
	}
	*n = at - first;
	return *n ? p->in_record + first : NULL;
}

/* Programs of one content that are looked at for one that may be taken: none is translated, and that is always right. */
enum { MOST_ALIKE = 256 };

uint32_t xl_package_find(const struct xl_package *p, const struct xl_record *r, uint32_t program)
{
	const struct xl_record_program *want = &r->pipeline->program[program];
	uint64_t content = record_content(want);
	uint32_t total = p->xlp.nprogram, at = p->by_content ? first_of(p->by_content, total, content) : total, most = at + MOST_ALIKE;

	for (; at < total && at < most && p->by_content[at].hash == content; at++) {
		uint32_t i = p->by_content[at].program;

		if (!memcmp(xlp_key_of(&p->xlp, i), want->key.b, sizeof(want->key.b)) && usable(p, i))
			return i;
	}
	return XL_NO_PROGRAM;
}

typedef const uint32_t *words_reader(const struct xlp *, struct xlp_unpacker *, uint32_t, uint32_t *, struct arena *, struct diag_sink *);
typedef const char *text_reader(const struct xlp *, struct xlp_unpacker *, uint32_t, struct arena *, struct diag_sink *);

static const uint32_t *words_of(const struct xl_package *p, struct xl_slot *s, uint32_t i, size_t *nwords, const struct xl_log *log,
				words_reader *read)
{
	struct log_sink sink;
	uint32_t n = 0;
	const uint32_t *words;

	log_sink_init(&sink, log, p->name);
	arena_reset(&s->module);
	words = read(&p->xlp, s->unpacker, i, &n, &s->module, &sink.sink);
	*nwords = n;
	return words;
}

uint32_t xl_package_reflection_of(const struct xl_package *p, uint32_t i)
{
	return xlp_reflection_of(&p->xlp, i);
}

static const char *text_of(const struct xl_package *p, struct xl_slot *s, uint32_t i, const struct xl_log *log, text_reader *read)
{
	struct log_sink sink;

	log_sink_init(&sink, log, p->name);
	arena_reset(&s->reflection);
	return read(&p->xlp, s->unpacker, i, &s->reflection, &sink.sink);
}

const uint32_t *xl_package_module(const struct xl_package *p, struct xl_slot *s, uint32_t i, size_t *nwords,
				  const struct xl_log *log)
{
	return words_of(p, s, i, nwords, log, xlp_module);
}

enum xl_status xl_package_read(const struct xl_package *p, struct xl_slot *s, uint32_t i, int generated, uint32_t *words,
			       uint32_t nwords, uint8_t hash[16], const struct xl_log *log)
{
	struct log_sink sink;
	struct rec_hash h;

	log_sink_init(&sink, log, p->name);
	if (xlp_words(&p->xlp, s->unpacker, i, generated, words, nwords, &h, &sink.sink))
		return XL_UNREADABLE;
	memcpy(hash, h.b, sizeof(h.b));
	return XL_OK;
}

const char *xl_package_reflection(const struct xl_package *p, struct xl_slot *s, uint32_t i, const struct xl_log *log)
{
	return text_of(p, s, i, log, xlp_reflection);
}

const uint32_t *xl_package_generated(const struct xl_package *p, struct xl_slot *s, uint32_t i, size_t *nwords,
				     const struct xl_log *log)
{
	return words_of(p, s, i, nwords, log, xlp_generated);
}

const char *xl_package_generated_reflection(const struct xl_package *p, struct xl_slot *s, uint32_t i, const struct xl_log *log)
{
	return text_of(p, s, i, log, xlp_generated_reflection);
}
