/* dump_test: xlate_dump.h against the library. Its hashes are xxHash's; records dumped through it read back as they were, from several
 * threads, over a torn end at every byte, and over a full disk; what is there is not written again. */
#define XLATE_DUMP_IMPLEMENTATION
#include "../cmd/temp.h"
#include "../libxlate/xlate_dump.h"
#include "../libxlate/xlate_int.h"

#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static unsigned passed, failed;
static char *file;

static void verdict(const char *name, bool ok)
{
	ok ? passed++ : failed++;
	if (!ok)
		printf("FAIL %s\n", name);
}

/* ---- hashes */
static void hashes(void)
{
	static uint8_t v[5000];
	uint32_t x = 1;
	bool ok = true;

	for (size_t i = 0; i < sizeof(v); i++)
		v[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
	for (size_t n = 0; n <= sizeof(v) && ok; n += n < 1300 ? 1 : 37) {
		XXH128_hash_t want = XXH3_128bits(v, n);
		xld_u128 is = xld_hash128(v, n);

		ok = is.lo == want.low64 && is.hi == want.high64;
		for (uint64_t seed = 0; n > 16 && seed < 3 && ok; seed++)
			ok = xld_hash64(v, n, seed) == XXH3_64bits_withSeed(v, n, seed);
		if (!ok)
			printf("another hash of %zu bytes\n", n);
	}
	verdict("hashes", ok);
}

/* ---- a record as the header's structs */
struct shape {
	struct xlate_dump_pipeline pipeline;
	struct xlate_dump_program program[16];
	struct xlate_dump_fact fact[17][128];
	struct xlate_dump_list list[17][32];
	struct xlate_dump_memory memory[16][64];
};

static void add_fact(struct xlate_dump_fact *v, uint32_t *n, const char *name, struct rec_fact f)
{
	if (f.known != REC_UNRECORDED)
		v[(*n)++] = (struct xlate_dump_fact){ name, f.v, f.from, f.known == REC_NOT_ASKED };
}

static void add_list(struct xlate_dump_list *v, uint32_t *n, const char *name, const void *rows, uint32_t count, size_t columns, uint8_t known,
		     uint8_t from)
{
	if (known != REC_UNRECORDED)
		v[(*n)++] = (struct xlate_dump_list){ name, rows, (uint32_t)columns, count, from };
}
#define ADD(to, count, o, field) add_list(to, count, #field, (o)->field.v, (o)->field.n, sizeof(*(o)->field.v) / 4, (o)->field.known, (o)->field.from)

static struct xlate_dump_bytes bytes(struct rec_bytes b)
{
	return (struct xlate_dump_bytes){ b.v, b.size };
}

static bool shape(struct shape *s, const struct xl_pipeline_record *r, const char *name)
{
	memset(s, 0, sizeof(*s));
	s->pipeline = (struct xlate_dump_pipeline){ .name = name, .abi = r->abi, .producer = r->origin.producer, .strings = r->strings,
		.nstrings = r->nstrings, .fact = s->fact[16], .list = s->list[16], .program = s->program, .nprogram = r->nprogram };
#define PIPELINE_FACT(field, key, max, what) add_fact(s->fact[16], &s->pipeline.nfact, #field, r->field);
#define PIPELINE_LIST(field, row, columns, most) ADD(s->list[16], &s->pipeline.nlist, r, field);
#include "../libxlate/record.def"
	for (uint32_t i = 0; i < r->nprogram && i < 16; i++) {
		const struct xl_record_program *p = &r->program[i];
		struct xlate_dump_program *to = &s->program[i];

		*to = (struct xlate_dump_program){ .name = p->name, .isa = p->isa, .cpu = p->cpu, .stage = p->stage, .hw_stage = p->hw_stage,
			.wave = p->wave, .code = bytes(p->code), .exec_size = p->exec_size, .entry = p->entry, .live = bytes(p->live),
			.header = bytes(p->header), .data = bytes(p->data), .data_used = p->data_used, .memory = s->memory[i], .fact = s->fact[i],
			.list = s->list[i] };
		for (; to->nmemory < p->nmemory && to->nmemory < 64; to->nmemory++)
			s->memory[i][to->nmemory] = (struct xlate_dump_memory){ p->memory[to->nmemory].address,
				{ p->memory[to->nmemory].bytes, p->memory[to->nmemory].size } };
		add_fact(s->fact[i], &to->nfact, "address", p->address);
#define PROGRAM_FACT(field, key, max, what) add_fact(s->fact[i], &to->nfact, #field, p->field);
#define PROGRAM_LIST(field, row, columns, most) ADD(s->list[i], &to->nlist, p, field);
#include "../libxlate/record.def"
	}
	return r->nprogram <= 16;
}

/* ---- records to dump, and what the library reads of a dump */
static struct xl_record *record[512];
static unsigned nrecord;

static void load(void)
{
	static const char *const patterns[] = { "corpus/navi21/*.json", "corpus/sm53/*.json", "corpus/sm86/*.json", "corpus/bonaire/[a-c]*.json" };

	for (unsigned k = 0; k < 4; k++) {
		glob_t g;

		if (glob(patterns[k], 0, NULL, &g))
			continue;
		for (size_t i = 0; i < g.gl_pathc && nrecord < 512; i++) {
			record[nrecord] = xl_record_import(g.gl_pathv[i], NULL, NULL);
			nrecord += record[nrecord] != NULL;
		}
		globfree(&g);
	}
}

/* The origin is the dump's own. */
static char *text(const struct xl_record *r)
{
	char *s = xl_record_json(r, 1), *from = s ? strstr(s, "\"origin\":{") : NULL, *to = from ? strchr(from, '}') : NULL;

	if (to)
		memmove(from, to, strlen(to) + 1);
	return s;
}

static bool same(const struct xl_record *a, const struct xl_record *b)
{
	char *x = text(a), *y = text(b);
	bool ok = x && y && !strcmp(x, y);

	free(x);
	free(y);
	return ok;
}

/* Each of the first n records is there once, whole; `damaged`: the reader may have something to say. */
static bool holds(unsigned n, bool damaged)
{
	struct xl_cache *c = xl_cache_open(file, NULL, NULL);
	bool ok = c && xl_cache_records(c) == n && (damaged || !xl_cache_damaged(c));

	for (unsigned i = 0; ok && i < n; i++) {
		struct xl_record *r = xl_cache_read(c, i, NULL, NULL);
		unsigned k = 0;

		while (r && k < nrecord && !same(r, record[k]))
			k++;
		ok = r && k < nrecord;
		xl_record_free(r);
	}
	xl_cache_free(c);
	return ok;
}

static int add(struct xlate_dump *d, unsigned i)
{
	struct shape *s = malloc(sizeof(*s));
	int rc = s && shape(s, record[i]->pipeline, xl_record_name(record[i])) ? xlate_dump_add(d, &s->pipeline) : -1;

	free(s);
	return rc;
}

static void all(void)
{
	struct xlate_dump *d = xlate_dump_open(file);
	bool ok = d != NULL;
	struct stat a, b;

	for (unsigned i = 0; ok && i < nrecord; i++)
		ok = !add(d, i);
	verdict("every record is written", ok && !xlate_dump_close(d) && nrecord > 60);
	verdict("and reads back as it was", holds(nrecord, false));
	stat(file, &a);
	d = xlate_dump_open(file);
	ok = d != NULL;
	for (unsigned i = 0; ok && i < nrecord; i++)
		ok = add(d, i) == 1;
	ok = ok && !xlate_dump_close(d) && !stat(file, &b);
	verdict("what is there is not written again", ok && a.st_size == b.st_size);
}

/* ---- threads: each adds all, beginning elsewhere */
struct job { struct xlate_dump *d; unsigned start; bool ok; };

static void *worker(void *user)
{
	struct job *j = user;

	j->ok = true;
	for (unsigned i = 0; i < nrecord; i++)
		j->ok &= add(j->d, (i + j->start) % nrecord) >= 0;
	return NULL;
}

static void threads(void)
{
	struct job job[4];
	pthread_t t[4];
	bool ok = true;

	unlink(file);
	for (unsigned i = 0; i < 4; i++)
		job[i] = (struct job){ i ? job[0].d : xlate_dump_open(file), i * nrecord / 4, false };
	for (unsigned i = 0; i < 4; i++)
		ok &= !pthread_create(&t[i], NULL, worker, &job[i]);
	for (unsigned i = 0; i < 4; i++)
		ok = !pthread_join(t[i], NULL) && job[i].ok && ok;
	ok = !xlate_dump_close(job[0].d) && ok;
	verdict("from four threads", ok && holds(nrecord, false));
}

/* ---- a process that died while it wrote */
static void torn(void)
{
	unsigned n = nrecord;
	struct xlate_dump *d;
	struct stat st;
	long first, second;
	bool ok = true;

	nrecord = n < 3 ? n : 3;
	unlink(file);
	d = xlate_dump_open(file);
	ok = d && !add(d, 0) && !xlate_dump_close(d) && !stat(file, &st);
	first = (long)st.st_size;
	d = xlate_dump_open(file);
	ok = ok && d && !add(d, 1) && !xlate_dump_close(d) && !stat(file, &st);
	second = (long)st.st_size;
	for (long at = 0; ok && at < second; at += at < 40 || at > second - 40 ? 1 : 13) {
		unlink(file);
		d = xlate_dump_open(file);
		ok = d && !add(d, 0) && !add(d, 1) && !xlate_dump_close(d) && !truncate(file, at);
		d = ok ? xlate_dump_open(file) : NULL;
		ok = ok && d && add(d, 2) >= 0 && !xlate_dump_close(d) && holds(at < first ? 1 : 2, false);
		/* And again what was torn. */
		d = ok ? xlate_dump_open(file) : NULL;
		ok = ok && d && add(d, 0) >= 0 && add(d, 1) >= 0 && !xlate_dump_close(d) && holds(3, false);
		if (!ok)
			printf("torn at byte %ld of %ld\n", at, second);
	}
	nrecord = n;
	verdict("a torn end is written over", ok);
}

/* A length that no record has, in the middle: what stands behind it is not lost to the next run. */
static void damaged(void)
{
	struct xlate_dump *d;
	struct stat a, b;
	bool ok;
	int fd;

	unlink(file);
	d = xlate_dump_open(file);
	ok = d && !add(d, 0) && !add(d, 1) && !xlate_dump_close(d);
	fd = open(file, O_RDWR);
	ok = ok && fd >= 0 && pwrite(fd, "\377", 1, 16 + 3) == 1 && !fstat(fd, &a);
	errno = 0;
	ok = ok && !xlate_dump_open(file) && errno == EINVAL && !fstat(fd, &b) && a.st_size == b.st_size;
	verdict("a damaged file is left alone", ok);
	close(fd);
}

/* More than a reader takes is not written. */
static void large(void)
{
	static uint8_t code[(64 << 20) - 20];
	struct xlate_dump_program program = { .name = "x.comp", .isa = "gfx10", .cpu = "gfx1030", .stage = XLATE_DUMP_COMPUTE, .wave = 64,
		.code = { code, sizeof(code) } };
	struct xlate_dump_pipeline pipeline = { .name = "x", .abi = "radv", .program = &program, .nprogram = 1 };
	struct xlate_dump *d;

	unlink(file);
	d = xlate_dump_open(file);
	verdict("too much in one piece", d && xlate_dump_add(d, &pipeline) == -1 && xlate_dump_close(d) == -1 && holds(0, false));
}

static void others(void)
{
	struct xlate_dump *d;
	FILE *f = fopen(file, "w");
	bool ok = f && fputs("none of ours, and longer than a head", f) >= 0 && !fclose(f);

	verdict("a file of others is left alone", ok && !xlate_dump_open(file));
	verdict("a place that is none", !xlate_dump_open("/nowhere/x.xgc"));
	d = xlate_dump_open("/dev/full");
	verdict("a full disk", !d || (add(d, 0) < 0 && xlate_dump_close(d) < 0));
}

int main(void)
{
	_Static_assert((int)XLATE_DUMP_COMPUTE == (int)STAGE_COMPUTE && (int)XLATE_DUMP_MESH == (int)STAGE_MESH && STAGE_COUNT == 8, "stages");
	_Static_assert((int)XLATE_DUMP_HW_COPY == (int)HW_COPY && (int)XLATE_DUMP_HW_PS == (int)HW_PS, "hardware stages");
	_Static_assert((int)XLATE_DUMP_USER == (int)REC_FROM_USER, "provenance");
	file = temp_name("xlate-dump-");
	int fd = file ? mkstemp(file) : -1;
	if (fd < 0)
		return 1;
	close(fd);
	unlink(file);
	load();
	hashes();
	all();
	threads();
	torn();
	damaged();
	large();
	others();
	unlink(file);
	free(file);
	while (nrecord)
		xl_record_free(record[--nrecord]);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
