/* package_test.c - guest cache and package: what goes in comes out; damage is noticed wherever it is. */
#include "../libxlate/xlate_int.h"
#include "../libxlate/guest/json.h"
#include "../libxlate/package/xgc.h"
#include "../libxlate/package/xlp.h"
#include "../libxlate/package/xlp_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static unsigned passed, failed;
#define CHECK(cond) ((cond) ? (void)passed++ : (failed++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

static const char text[] =
	"{\"name\":\"a\",\"isa\":\"gfx10\",\"cpu\":\"gfx1030\",\"abi\":\"radv\",\"address32_hi\":\"0xffff8000\","
	"\"push_constant_size\":16,\"sets\":[{\"set\":0,\"size\":96,\"bindings\":[{\"binding\":0,\"type\":"
	"\"combined_image_sampler\",\"count\":1,\"offset\":0,\"stride\":96,\"sampler_at\":80,\"image\":{\"dim\":\"2d\","
	"\"arrayed\":0,\"ms\":0,\"depth\":0,\"numeric\":\"float\",\"format\":null}}]}],\"color_formats\":[109],"
	"\"topology\":4,\"cull_mode\":2,\"line_width\":\"0x40000000\",\"sample_mask\":\"0xfffffffff\",\"stencil_back_pass\":7,"
	"\"blend\":[{},{\"enable\":1,\"src_color\":6,\"dst_color\":7,\"alpha_op\":4,\"write_mask\":3},{\"target\":0}],"
	"\"dynamic_states\":[1000267000,4],"
	"\"executables\":[{\"stage\":\"frag\",\"hw_stage\":\"PS\",\"wave_size\":64,\"code_size\":64,\"exec_size\":32,"
	"\"code\":\"a.frag.bin\",\"spi_ps_input_ena\":\"0x2\",\"sgprs\":[{\"reg\":\"s2\",\"n\":1,\"name\":"
	"\"descriptor_set0\"}],\"vgprs\":[],\"attr_to_location\":[3]}]}";

static void quiet(void *user, const struct diag *d)
{
	(void)user;
	(void)d;
}

static int code(void *user, const char *name, struct arena *a, struct rec_bytes *out)
{
	uint8_t *v = arena_alloc(a, 64);

	(void)user;
	for (unsigned i = 0; i < 64; i++)
		v[i] = (uint8_t)(i * 7);
	*out = (struct rec_bytes){ v, 64 };
	return strcmp(name, "a.frag.bin") ? -1 : 0;
}

static void cache_test(const struct xl_pipeline_record *r, struct arena *a)
{
	struct diag_sink sink = { .emit = quiet };
	struct xgc_writer *w = xgc_writer_new(), *again = xgc_writer_new();
	const struct xl_pipeline_record *back;
	const struct buf *b;
	struct xgc x;
	unsigned kept = 0, noticed = 0;
	uint8_t *copy;
	uint32_t v;

	CHECK(!xgc_add(w, r) && !xgc_add(w, r));
	b = xgc_bytes(w);
	CHECK(!xgc_open(&x, b->v, b->n, a, &sink) && x.nrecord == 2 && !sink.errors);
	CHECK(x.nblob == 1); /* the code, once */
	back = xgc_read(&x, 0, a, &sink);
	CHECK(back && !strcmp(back->program[0].name, "a.frag") && back->images.n == 1 && back->pointer_hi.v == 0xffff8000);
	CHECK(back && record_register(&back->program[0], REC_SPACE_AMD_CONTEXT, REC_SPI_PS_INPUT_ENA, &v) && v == 2);
	CHECK(back && !strcmp(state_lines(back, a), "topology 4\ncolor 0 format 109\ncull-mode 2\nline-width 1073741824\n"
			      "sample-mask 68719476735\nstencil-back-pass 7\n"
			      "blend 0 enable 0 color 0 0 0 alpha 0 0 0 mask 15\nblend 0 enable 0 color 0 0 0 alpha 0 0 0 mask 15\n"
			      "blend 1 enable 1 color 6 7 0 alpha 0 0 4 mask 3\ndynamic 4\ndynamic 1000267000\n"));
	CHECK(back && !xgc_add(again, back) && !xgc_add(again, back));
	CHECK(xgc_bytes(again)->n == b->n && !memcmp(xgc_bytes(again)->v, b->v, b->n));
	if (back) {
		struct rec_hash one = record_key(&r->program[0]), two = record_key(&back->program[0]);

		CHECK(!record_hash_order(&one, &two));
	}
	xgc_close(&x);
	/* Every prefix: what is whole is kept, the rest is named torn. */
	for (size_t n = 16; n < b->n; n++) {
		sink.errors = 0;
		kept += !xgc_open(&x, b->v, n, a, &sink) && x.nrecord <= 2 && (sink.errors != 0) == x.torn;
	}
	CHECK(kept == b->n - 16);
	/* Every flipped bit of a record is noticed (padding is not read). */
	copy = malloc(b->n);
	for (size_t i = 16; i < b->n; i++) {
		memcpy(copy, b->v, b->n);
		copy[i] ^= 1 << (i % 8);
		sink.errors = 0;
		if (!xgc_open(&x, copy, b->n, a, &sink)) {
			for (uint32_t k = 0; k < x.nrecord; k++)
				(void)xgc_read(&x, k, a, &sink);
			xgc_close(&x);
		}
		noticed += sink.errors != 0;
	}
	CHECK(noticed + 3 * 7 >= b->n - 16);
	free(copy);
	xgc_writer_free(w);
	xgc_writer_free(again);
}

static bool is_hash(const char *said, const void *v, size_t size)
{
	XXH128_canonical_t c;
	char hex[33];

	XXH128_canonicalFromHash(&c, XXH3_128bits(v, size));
	for (unsigned i = 0; i < 16; i++)
		snprintf(hex + 2 * i, 3, "%02x", c.digest[i]);
	return !strcmp(said, hex);
}

/* The first program's two modules have the hashes of their bytes; the second, refused, has none. */
static void told_apart(const void *package, size_t size, const void *module, size_t nmodule, const void *made, size_t nmade)
{
	struct xl_package *p = xl_package_open_memory("p", package, size, NULL, NULL);
	struct xl_slot *slot = xl_slot_new();
	struct xl_package_program info = { 0 };

	CHECK(p && slot);
	if (p && slot) {
		xl_package_get(p, slot, 0, &info);
		CHECK(is_hash(info.module, module, nmodule) && is_hash(info.generated, made, nmade) && info.generated_words == nmade / 4);
		xl_package_get(p, slot, 1, &info);
		CHECK(!*info.module && !*info.generated && !info.generated_words);
	}
	xl_slot_free(slot);
	xl_package_free(p);
}

static void package_test(struct arena *a)
{
	static const uint32_t words[] = { 0x07230203, 0x00010600, 0, 8, 0 }, made[] = { 0x07230203, 0x00010600, 0, 1, 0, 2 << 16 | 17, 2 };
	static const struct xlp_guard guard = { STATE_WORKGROUP, 42 };
	static const struct xlp_diag diag = { DIAG_UNLIFTED, 16, "v_foo", "no such luck" };
	static const char state[] = "topology 3\n";
	struct xlp_program p[3] = {
		{ .name = "b.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 9 } }, .ndiag = 1, .diag = &diag },
		{ .name = "c.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 7 } }, .nguard = 1,
		  .guard = &guard, .words = words, .nwords = 5, .reflection = "{}" },
		{ .name = "a.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 7 } }, .nguard = 1,
		  .guard = &guard, .words = words, .nwords = 5, .reflection = "{}", .record = 3, .state = state },
	};
	struct xlp_stamp stamp = { "t", "o", "lavapipe", "" };
	struct diag_sink sink = { .emit = quiet };
	struct xlp_unpacker *u = xlp_unpacker_new();
	struct xlp_packer *packer = xlp_packer_new();
	struct buf b = { 0 }, c = { 0 };
	struct xlp x;
	struct xlp_program out;
	uint32_t n, first, count;
	unsigned survived = 0;
	const char *clash = NULL;
	const uint32_t *m;

	for (int k = 1; k < 3; k++) { /* with a generated stage */
		CHECK(!xlp_frame(packer, XLP_MODULE, made, sizeof(made), a, &p[k].generated));
		CHECK(!xlp_frame(packer, XLP_TEXT, "{g}", 4, a, &p[k].generated_text));
	}
	CHECK(!xlp_encode(p, 3, &stamp, &b, &clash));
	CHECK(!xlp_open(&x, b.v, b.n, &sink) && x.nprogram == 3 && x.nvariant == 2);
	xlp_get(&x, 0, &out, a);
	CHECK(!strcmp(out.name, "a.comp") && out.nguard == 1 && out.guard[0].value == 42);
	CHECK(out.record == 3 && !strcmp(out.state, state) && !*xlp_state_of(&x, 1) && xlp_stage_of(&x, 0) == STAGE_COMPUTE);
	m = xlp_module(&x, u, 0, &n, a, &sink);
	CHECK(m && n == 5 && !memcmp(m, words, sizeof(words)));
	CHECK(xlp_reflection(&x, u, 0, a, &sink) && !strcmp(xlp_reflection(&x, u, 0, a, &sink), "{}"));
	CHECK(out.generated.size == sizeof(made) && out.generated_text.size == 4);
	m = xlp_generated(&x, u, 0, &n, a, &sink);
	CHECK(m && n == sizeof(made) / 4 && !memcmp(m, made, sizeof(made)));
	CHECK(xlp_generated_reflection(&x, u, 0, a, &sink) && !strcmp(xlp_generated_reflection(&x, u, 0, a, &sink), "{g}"));
	CHECK(!xlp_generated(&x, u, 1, &n, a, &sink) && !xlp_generated_reflection(&x, u, 1, a, &sink) && !sink.errors);
	told_apart(b.v, b.n, words, sizeof(words), made, sizeof(made));
	xlp_get(&x, 1, &out, a);
	CHECK(!xlp_module(&x, u, 1, &n, a, &sink) && out.ndiag == 1 && out.diag[0].code == DIAG_UNLIFTED && !sink.errors);
	CHECK(xlp_find(&x, &(struct rec_hash){ { 7 } }, &first, &count) && count == 1);
	CHECK(!xlp_find(&x, &(struct rec_hash){ { 8 } }, &first, &count));
	CHECK(!xlp_find(&x, &(struct rec_hash){ { 10 } }, &first, &count) && xlp_find(&x, &p[0].key, &first, &count) && first == 1);
	{ /* another order of the same programs: the same bytes */
		struct xlp_program swap = p[0];

		p[0] = p[2];
		p[2] = swap;
		CHECK(!xlp_encode(p, 3, &stamp, &c, &clash) && c.n == b.n && !memcmp(b.v, c.v, b.n));
	}
	for (size_t cut = 0; cut < b.n; cut++)
		survived += !xlp_open(&x, b.v, cut, &sink);
	CHECK(!survived);
	for (size_t i = 0; i < b.n; i++) {
		b.v[i] ^= 1 << (i % 8);
		sink.errors = 0;
		if (!xlp_open(&x, b.v, b.n, &sink)) {
			for (uint32_t k = 0; k < x.nprogram; k++) {
				(void)xlp_module(&x, u, k, &n, a, &sink);
				(void)xlp_reflection(&x, u, k, a, &sink);
				(void)xlp_generated(&x, u, k, &n, a, &sink);
				(void)xlp_generated_reflection(&x, u, k, a, &sink);
			}
			survived += !sink.errors;
		}
		b.v[i] ^= 1 << (i % 8);
	}
	CHECK(survived <= 15 * 8); /* padding between sections only */
	xlp_unpacker_free(u);
	xlp_packer_free(packer);
	buf_free(&b);
	buf_free(&c);
}

/* ---- entries: what a worker tells its parent */
static const uint32_t entry_words[] = { 0x07230203, 0x00010600, 0, 8, 0 };
static const struct xlp_guard entry_guard = { STATE_WORKGROUP, 42 };
static const struct xlp_diag entry_diag[2] = { { DIAG_UNLIFTED, 16, "v_foo", "no such luck" }, { DIAG_FACT, 0, "", "nor this" } };

static struct xlp_program entry_program(struct arena *a, bool refused)
{
	struct xlp_program p = { .name = "b.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 9 } },
		.content = 77, .record = 5, .nguard = 1, .guard = &entry_guard, .guest_words = 3, .needs = "spirv 1.6\n" };
	struct xlp_packer *packer = xlp_packer_new();

	if (refused) {
		p.ndiag = 2;
		p.diag = entry_diag;
	} else {
		CHECK(!xlp_frame(packer, XLP_MODULE, entry_words, sizeof(entry_words), a, &p.module));
		CHECK(!xlp_frame(packer, XLP_TEXT, "{}", 3, a, &p.text));
		CHECK(!xlp_frame(packer, XLP_MODULE, entry_words, sizeof(entry_words), a, &p.generated));
		CHECK(!xlp_frame(packer, XLP_TEXT, "{ }", 4, a, &p.generated_text));
	}
	xlp_packer_free(packer);
	return p;
}

/* A frame tells how large it is: what cannot be is refused before there is memory for it. */
static void frame_test(struct arena *a)
{
	struct xlp_frame f = entry_program(a, false).module;
	struct xlp_unpacker *u = xlp_unpacker_new();
	uint32_t back[5];

	CHECK(u && !xlp_unframe(u, &f, back) && !memcmp(back, entry_words, sizeof(back)));
	f.size = 64 << 20;
	CHECK(xlp_unframe(u, &f, NULL));
	f.size = 4;
	CHECK(xlp_unframe(u, &f, NULL));
	f.packed_size -= 3;
	f.size = sizeof(back);
	CHECK(xlp_unframe(u, &f, back));
	f.packed_size = 0;
	CHECK(xlp_unframe(u, &f, NULL));
	xlp_unpacker_free(u);
}

static void entry_test(struct arena *a, bool refused)
{
	struct xlp_program p = entry_program(a, refused), q;
	struct buf b = { 0 }, again = { 0 };
	unsigned taken = 0;
	uint32_t seed = 1;

	xlp_entry_put(&b, &p);
	CHECK(!b.bad && !xlp_entry_get(b.v, b.n, &q, a));
	CHECK(!strcmp(q.name, "b.comp") && q.content == 77 && q.record == 5 && q.nguard == 1 && q.guard[0].value == 42);
	CHECK(q.ndiag == p.ndiag && (!refused || !strcmp(q.diag[1].text, "nor this")));
	CHECK(refused || (q.nwords == 5 && q.module.packed_size == p.module.packed_size &&
		q.generated.packed_size == p.generated.packed_size && q.generated_text.size == 4));
	xlp_entry_put(&again, &q);
	CHECK(again.n == b.n && !memcmp(again.v, b.v, b.n));
	for (size_t n = 0; n < b.n; n++)
		taken += !xlp_entry_get(b.v, n, &q, a);
	for (size_t i = 0; i < b.n * 8; i++) {
		b.v[i / 8] ^= 1 << i % 8;
		taken += !xlp_entry_get(b.v, b.n, &q, a);
		b.v[i / 8] ^= 1 << i % 8;
	}
	CHECK(!taken);
	/* With the right hash over wrong bytes it may be taken, but nothing leaves the buffer. */
	for (unsigned k = 0; k < 20000; k++) {
		size_t n, i;

		seed = seed * 1664525 + 1013904223;
		i = 12 + (seed >> 8) % (b.n - 12);
		n = seed >> 31 ? b.n : 12 + (seed >> 4) % (b.n - 12);
		again.v[i] ^= (uint8_t)(1 << (seed >> 5) % 8);
		buf_set64(&again, 4, XXH3_64bits(again.v + 12, n - 12));
		if (!xlp_entry_get(again.v, n, &q, a))
			CHECK(q.name && q.stage < STAGE_COUNT && q.nguard <= 64 && q.ndiag <= n);
		memcpy(again.v, b.v, b.n);
		arena_reset(a);
	}
	buf_free(&b);
	buf_free(&again);
}

/* Equal programs are one, a failure gives way, a contradiction is named. */
static void join_test(struct arena *a)
{
	static const struct xlp_diag crash = { DIAG_CRASH, UINT32_MAX, "", "died" };
	struct xlp_stamp stamp = { "t", "o", "lavapipe", "" };
	struct xlp_program p[3] = { entry_program(a, false), entry_program(a, false), entry_program(a, false) };
	struct diag_sink sink = { .emit = quiet };
	struct buf one = { 0 }, b = { 0 };
	const char *clash = NULL;
	struct xlp x;

	CHECK(!xlp_encode(p, 1, &stamp, &one, &clash));
	CHECK(!xlp_encode(p, 3, &stamp, &b, &clash) && b.n == one.n && !memcmp(b.v, one.v, b.n));
	buf_free(&b);
	p[0].module.packed = p[0].text.packed = NULL;
	p[0].module.size = p[0].text.size = 0;
	p[0].nguard = 0;
	p[0].ndiag = 1;
	p[0].diag = &crash;
	CHECK(!xlp_encode(p, 2, &stamp, &b, &clash) && b.n == one.n && !memcmp(b.v, one.v, b.n));
	buf_free(&b);
	p[1].content = 78; /* another program that makes the same: two programs, one variant */
	p[1].name = "c.comp";
	CHECK(!xlp_encode(p + 1, 2, &stamp, &b, &clash) && !xlp_open(&x, b.v, b.n, &sink) && x.nprogram == 2 && x.nvariant == 1);
	buf_free(&b);
	p[0] = p[1]; /* the same in a pipeline of another record: both are kept, with their states */
	p[0].record++;
	p[0].state = "topology 1\n";
	CHECK(!xlp_encode(p, 2, &stamp, &b, &clash) && !xlp_open(&x, b.v, b.n, &sink) && x.nprogram == 2 && x.nvariant == 1);
	CHECK(!*xlp_state_of(&x, 0) && !strcmp(xlp_state_of(&x, 1), "topology 1\n"));
	buf_free(&b);
	p[1].subgroup_size = 32; /* that makes something else under the same key and guard: two variants */
	CHECK(!xlp_encode(p + 1, 2, &stamp, &b, &clash) && !xlp_open(&x, b.v, b.n, &sink) && x.nvariant == 2);
	buf_free(&b);
	p[1].name = "b.comp";
	p[1].content = 77;
	CHECK(xlp_encode(p + 1, 2, &stamp, &b, &clash) == -2 && clash && !strcmp(clash, "b.comp"));
	buf_free(&b);
	buf_free(&one);
}

/* ---- what would take more than its size's time */
static void set_sums(struct buf *b, enum xlp_section of)
{
	size_t row = XLP_HEADER + of * XLP_SECTION, head = XLP_HEADER + XLP_SECTIONS * XLP_SECTION;

	buf_set64(b, row + 24, XXH3_64bits(b->v + get64(b->v + row), get64(b->v + row + 8)));
	buf_set64(b, XLP_SUM_AT, 0);
	buf_set64(b, XLP_SUM_AT, XXH3_64bits(b->v, head));
}

static int encoded(const struct xlp_program *p, uint32_t n, struct buf *b)
{
	struct xlp_stamp stamp = { "t", "o", "lavapipe", "" };
	const char *clash = NULL;
	int rc;

	buf_free(b);
	rc = xlp_encode(p, n, &stamp, b, &clash);
	return rc == -2 && !clash ? -1 : rc;
}

static void strings_test(struct arena *a)
{
	struct xlp_program p = entry_program(a, false);
	struct diag_sink sink = { .emit = quiet };
	struct buf b = { 0 };
	static char longest[XLP_MOST_STRING + 2];
	size_t row = XLP_HEADER + XLP_PROGRAMS * XLP_SECTION, at;
	struct xlp x;

	memset(longest, 'x', sizeof(longest) - 1);
	p.name = longest + sizeof(longest) - 1 - XLP_MOST_NAME;
	CHECK(!encoded(&p, 1, &b) && !xlp_open(&x, b.v, b.n, &sink));
	p.name--;
	CHECK(encoded(&p, 1, &b) == -3);
	p.name = "b.comp";
	p.state = longest + 1;
	CHECK(!encoded(&p, 1, &b) && !xlp_open(&x, b.v, b.n, &sink));
	p.state = longest;
	CHECK(encoded(&p, 1, &b) == -3);
	/* A reader asks for the same: a name in the middle of another string, and one that is too long. */
	p.state = longest + sizeof(longest) - 1 - XLP_MOST_NAME - 1;
	CHECK(!encoded(&p, 1, &b) && !xlp_open(&x, b.v, b.n, &sink));
	at = (size_t)get64(b.v + row);
	buf_set32(&b, at + P_NAME, get32(b.v + at + P_NAME) + 1);
	set_sums(&b, XLP_PROGRAMS);
	CHECK(xlp_open(&x, b.v, b.n, &sink));
	buf_set32(&b, at + P_NAME, get32(b.v + at + P_NAME) - 1);
	set_sums(&b, XLP_PROGRAMS);
	CHECK(!xlp_open(&x, b.v, b.n, &sink));
	buf_set32(&b, at + P_NAME, get32(b.v + at + P_STATE));
	set_sums(&b, XLP_PROGRAMS);
	CHECK(xlp_open(&x, b.v, b.n, &sink));
	buf_free(&b);
}

/* Many programs have one long text, which is not walked through for each of them: the processor time is that of a short one. */
static clock_t open_time(struct buf *b, uint32_t string)
{
	struct diag_sink sink = { .emit = quiet };
	size_t at = (size_t)get64(b->v + XLP_HEADER + XLP_PROGRAMS * XLP_SECTION);
	clock_t least = 0;
	struct xlp x;

	for (uint32_t i = 0; i < get32(b->v + XLP_HEADER + XLP_PROGRAMS * XLP_SECTION + 16); i++)
		buf_set32(b, at + (size_t)i * PROGRAM_ROW + P_STATE, string);
	set_sums(b, XLP_PROGRAMS);
	for (unsigned k = 0; k < 5; k++) { /* the least: what else the machine does may count */
		clock_t began = clock(), took;

		CHECK(!xlp_open(&x, b->v, b->n, &sink));
		took = clock() - began;
		least = !k || took < least ? took : least;
	}
	return least;
}

static void many_test(struct arena *a)
{
	enum { N = 100000 };
	struct xlp_program one = entry_program(a, false), *p = arena_array(a, struct xlp_program, N);
	static char longest[XLP_MOST_STRING + 1];
	struct buf b = { 0 };
	clock_t few, many;
	uint32_t string;

	memset(longest, 'x', sizeof(longest) - 1);
	for (uint32_t i = 0; i < N; i++) {
		p[i] = one;
		p[i].record = i;
	}
	p[0].state = longest;
	CHECK(!encoded(p, N, &b));
	string = get32(b.v + (size_t)get64(b.v + XLP_HEADER + XLP_PROGRAMS * XLP_SECTION) + P_STATE);
	CHECK(string);
	few = open_time(&b, 0);
	many = open_time(&b, string);
	CHECK(many < 8 * few + CLOCKS_PER_SEC / 50);
	buf_free(&b);
}

/* Many programs have one tiny frame that says it is large: what all of them unpack to goes by the file's size. */
static void large_test(struct arena *a)
{
	enum { N = 1000, SIZE = 16 << 20 };
	struct xlp_program one = entry_program(a, false), *p = arena_array(a, struct xlp_program, N);
	struct xlp_packer *packer = xlp_packer_new();
	struct diag_sink sink = { .emit = quiet };
	uint32_t *words = calloc(SIZE, 1);
	struct buf b = { 0 };
	struct xlp x;
	size_t at;

	one.words = NULL;
	CHECK(words && !xlp_frame(packer, XLP_MODULE, words, SIZE, a, &one.module) && one.module.packed_size < SIZE / 1000);
	for (uint32_t i = 0; i < N; i++) {
		p[i] = one;
		p[i].record = i;
	}
	CHECK(!encoded(p, 4, &b) && !xlp_open(&x, b.v, b.n, &sink));
	CHECK(encoded(p, N, &b) == -3);
	/* A reader asks for the same, whoever wrote it: 64 MiB for each. */
	for (uint32_t i = 0; i < N; i++)
		p[i].module.size = 1 << 20; /* a large program under many names is none of that */
	CHECK(!encoded(p, N, &b) && !xlp_open(&x, b.v, b.n, &sink) && x.nvariant == 1);
	at = (size_t)get64(b.v + XLP_HEADER + XLP_BLOBS * XLP_SECTION) + get32(x.variant + V_MODULE) * (size_t)BLOB_ROW;
	buf_set32(&b, at + B_SIZE, 64 << 20);
	set_sums(&b, XLP_BLOBS);
	CHECK(xlp_open(&x, b.v, b.n, &sink));
	buf_free(&b);
	free(words);
	xlp_packer_free(packer);
}

/* Hashes that were chosen, and a key with more results than it can have. */
static void alike_test(struct arena *a)
{
	enum { N = 20000 };
	struct xlp_program one = entry_program(a, false), *p = arena_array(a, struct xlp_program, N);
	struct buf b = { 0 };

	for (uint32_t i = 0; i < N; i++) {
		p[i] = one;
		memcpy(p[i].key.b, &i, sizeof(i));
		memset(p[i].module.hash.b, 1, 8);
		memcpy(p[i].module.hash.b + 8, &i, sizeof(i));
	}
	CHECK(!encoded(p, 1000, &b));
	CHECK(encoded(p, N, &b) == -3);
	for (uint32_t i = 0; i < N; i++) {
		p[i] = one;
		p[i].record = i;
		p[i].guest_words = i % 64;
	}
	CHECK(!encoded(p, N, &b));
	p[N - 1].guest_words = 64;
	CHECK(encoded(p, N, &b) == -2);
	buf_free(&b);
}

int main(void)
{
	struct diag_sink sink = { .emit = quiet };
	struct json_reader reader = { code, NULL };
	struct arena a;
	const struct xl_pipeline_record *r;

	arena_init(&a, (size_t)1 << 28);
	r = json_import(&a, "a.json", text, sizeof(text) - 1, &reader, &sink);
	CHECK(r != NULL);
	if (r)
		cache_test(r, &a);
	package_test(&a);
	strings_test(&a);
	many_test(&a);
	large_test(&a);
	alike_test(&a);
	join_test(&a);
	arena_reset(&a);
	frame_test(&a);
	entry_test(&a, false);
	entry_test(&a, true);
	arena_free(&a);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
