/* spirv_test.c - SPIR-V emission of fixtures/spirv/ *.xir for the lavapipe target.
 *
 *	spirv_test [-v] [-t target] [-o DIR] [FILE.xir ...]
 *
 * Directives in comments of a fixture:
 *	; EXPECT: text       the disassembly has it (in order)
 *	; NOT: text          the disassembly does not have it
 *	; DIAG: code         emission is refused with this code
 *	; ADDR: number       ... at this guest offset
 *	; OPTION: name       strict | exact-bounds | refuse-addresses | debug | glsl-model | std140 | no-narrow | spirv13 | wave8,
 *	                     wave32, wave64: the host's subgroup size; lack-NAME, have-NAME: a feature of target.def that the
 *	                     host lacks or has; small-geometry: geometry stages write 16 components at most
 *	; GEOMETRY: text     the disassembly of the generated geometry stage has it (in order)
 * A module must validate. -o writes each module to DIR/NAME.spv. With no file: all of fixtures/spirv, and the shipped
 * targets against the profiles in fixtures/profiles.
 */
#include "../libxlate/spirv/spirv.h"
#include "../libxlate/target/target.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seen { enum diag_code code; uint32_t addr; unsigned n; bool print; };

static void on_diag(void *user, const struct diag *d)
{
	struct seen *s = user;

	if (!s->n++) {
		s->code = d->code;
		s->addr = d->addr;
	}
	if (s->print)
		fprintf(stderr, "\t%s: %s\n", diag_name(d->code), d->text);
}

static char *slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *s = NULL;
	size_t n = 0, cap = 0, k;

	if (!f)
		return NULL;
	do {
		if (n + 65536 + 1 > cap)
			s = realloc(s, cap = cap * 2 + 65536 + 1);
		k = s ? fread(s + n, 1, 65536, f) : 0;
		n += k;
	} while (k);
	fclose(f);
	if (s)
		s[n] = 0;
	*len = n;
	return s;
}

/* The directive's text at `at`, when the line starts with it. */
static bool directive(const char *line, const char *name, char *text, size_t cap)
{
	size_t n = strlen(name), k = 0;

	while (*line == ' ' || *line == '\t')
		line++;
	if (*line++ != ';')
		return false;
	while (*line == ' ')
		line++;
	if (strncmp(line, name, n) || line[n] != ':')
		return false;
	line += n + 1;
	while (*line == ' ')
		line++;
	while (line[k] && line[k] != '\n' && k + 1 < cap) {
		text[k] = line[k];
		k++;
	}
	while (k && text[k - 1] == ' ')
		k--;
	text[k] = 0;
	return true;
}

static const char *next_line(const char *s)
{
	s = strchr(s, '\n');
	return s ? s + 1 : NULL;
}

static bool option(const char *text, const char *name)
{
	char buf[128];

	for (const char *l = text; l && *l; l = next_line(l))
		if (directive(l, "OPTION", buf, sizeof buf) && !strcmp(buf, name))
			return true;
	return false;
}

static void apply_options(const char *text, struct fact_target *t, struct facts *f, struct spirv_options *o)
{
	f->floats = option(text, "strict") ? FLOAT_STRICT : FLOAT_HOST;
	f->bounds = option(text, "exact-bounds") ? BOUNDS_EXACT : BOUNDS_HOST;
	f->addresses = option(text, "refuse-addresses") ? ADDRESS_REFUSE : ADDRESS_BINDING;
	o->debug = option(text, "debug");
	if (option(text, "glsl-model"))
		t->memory_model = false;
	if (option(text, "std140"))
		t->scalar_layout = t->uniform_standard_layout = false;
	if (option(text, "no-narrow"))
		t->storage8 = t->storage16 = false;
	if (option(text, "half-to-zero"))
		t->rtz_mode[1] = true;
	if (option(text, "small-geometry"))
		t->max_geometry_outputs = 16;
	if (option(text, "spirv13"))
		t->spirv = 0x00010300;
#define FEATURE(field, ...) \
	if (option(text, "lack-" #field)) \
		t->field = 0; \
	if (option(text, "have-" #field)) \
		t->field = 1;
#define LIMIT(...)
#define ELEMENT(...)
#define OPERATION(...)
#define EXTENSION(field, ...) FEATURE(field)
#define QUIRK(...)
#include "../libxlate/target/target.def"
	if (option(text, "wave8"))
		t->subgroup_size = t->subgroup_min = t->subgroup_max = 8;
	if (option(text, "wave32"))
		t->subgroup_size = t->subgroup_min = t->subgroup_max = 32;
	if (option(text, "wave64"))
		t->subgroup_size = t->subgroup_min = t->subgroup_max = 64;
}

static int check_text(const char *path, const char *text, const char *dis, const char *key)
{
	char want[256];
	const char *at = dis;
	int bad = 0;

	for (const char *l = text; l && *l; l = next_line(l)) {
		if (directive(l, key, want, sizeof want)) {
			const char *p = strstr(at, want);
			if (!p) {
				fprintf(stderr, "%s: missing: %s\n", path, want);
				bad++;
			} else
				at = p + strlen(want);
		}
		if (directive(l, "NOT", want, sizeof want) && strstr(dis, want)) {
			fprintf(stderr, "%s: unwanted: %s\n", path, want);
			bad++;
		}
	}
	return bad;
}

struct run { const char *target, *dir; bool verbose; };

static void write_module(const struct run *r, const char *path, const struct spirv_module *m)
{
	char name[512];
	const char *base = strrchr(path, '/');
	FILE *f;

	snprintf(name, sizeof name, "%s/%s.spv", r->dir, base ? base + 1 : path);
	f = fopen(name, "wb");
	if (f) {
		fwrite(m->words, 4, m->nwords, f);
		fclose(f);
	}
}

static int refused(const char *path, const char *text, const struct seen *s)
{
	char want[64], addr[64];
	bool expected = false;
	int bad = 0;

	for (const char *l = text; l && *l; l = next_line(l)) {
		if (directive(l, "DIAG", want, sizeof want)) {
			expected = true;
			if (s->code != diag_find(want)) {
				fprintf(stderr, "%s: %s instead of %s\n", path, diag_name(s->code), want);
				bad = 1;
			}
		}
		if (directive(l, "ADDR", addr, sizeof addr) && s->addr != strtoul(addr, NULL, 0)) {
			fprintf(stderr, "%s: at %#x instead of %s\n", path, s->addr, addr);
			bad = 1;
		}
	}
	if (!expected)
		fprintf(stderr, "%s: refused: %s\n", path, diag_name(s->code));
	return !expected || bad;
}

static int emitted(const struct run *r, const char *path, const char *text, const struct spirv_module *m, const struct fact_target *t,
                   struct arena *a, struct diag_sink *sink)
{
	struct spirv_tools *tools = spirv_tools_new(t);
	char buf[64], *dis;
	int bad = 0;

	for (const char *l = text; l && *l; l = next_line(l))
		if (directive(l, "DIAG", buf, sizeof buf)) {
			fprintf(stderr, "%s: emitted, %s expected\n", path, buf);
			bad = 1;
		}
	dis = spirv_disassemble(tools, m->words, m->nwords, a, sink);
	if (r->verbose && dis)
		printf("%s\n%s\n", dis, m->reflection);
	if (spirv_validate(tools, m->words, m->nwords, sink)) {
		fprintf(stderr, "%s: does not validate\n", path);
		bad = 1;
	}
	bad |= !dis || check_text(path, text, dis, "EXPECT");
	dis = m->geometry ? spirv_disassemble(tools, m->geometry, m->ngeometry, a, sink) : arena_strdup(a, "");
	if (m->geometry && spirv_validate(tools, m->geometry, m->ngeometry, sink)) {
		fprintf(stderr, "%s: its geometry stage does not validate\n", path);
		bad = 1;
	}
	if (r->verbose && m->geometry && dis)
		printf("%s\n%s\n", dis, m->geometry_reflection);
	bad |= !dis || check_text(path, text, dis, "GEOMETRY");
	if (r->dir)
		write_module(r, path, m);
	spirv_tools_free(tools);
	return bad;
}

static int run_file(const struct run *r, const char *path)
{
	size_t len = 0;
	char *text = slurp(path, &len);
	struct arena a;
	const char *error = NULL;
	struct seen seen = {.print = r->verbose};
	struct diag_sink sink = {.emit = on_diag, .user = &seen};
	struct facts facts = {0};
	struct fact_target target = *target_find(r->target);
	struct spirv_module m;
	int bad;

	if (!text) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return 1;
	}
	arena_init(&a, 256u << 20);
	struct spirv_input in = {.fn = ir_parse(&a, text, &error), .facts = &facts, .arena = &a};
	facts.target = &target;
	apply_options(text, &target, &facts, &in.options);
	if (!in.fn) {
		fprintf(stderr, "%s: %s\n", path, error);
		bad = 1;
	} else if (spirv_emit(&in, &m, &sink))
		bad = refused(path, text, &seen);
	else
		bad = emitted(r, path, text, &m, &target, &a, &sink);
	arena_free(&a);
	free(text);
	return bad;
}

/* The shipped columns against the profile that they come from. */
static int compare_profile(const char *path, const char *name)
{
	size_t len = 0;
	char *text = slurp(path, &len), *have, *want;
	struct seen seen = {.print = true};
	struct diag_sink sink = {.emit = on_diag, .user = &seen};
	struct arena a;
	struct fact_target *t;
	int bad = 0;

	if (!text) {
		printf("skip: %s is not there\n", path);
		return 0;
	}
	arena_init(&a, 64u << 20);
	t = target_load_json(text, len, name, &a, &sink);
	if (!t)
		bad = 1;
	else {
		t->fma_fused = target_find(name)->fma_fused; /* measured, not in the profile */
		t->denorm_keep = target_find(name)->denorm_keep;
		have = target_print(t, &a);
		want = target_print(target_find(name), &a);
		if (strcmp(have, want)) {
			fprintf(stderr, "%s differs from the shipped target:\n%s\n", path, have);
			bad = 1;
		}
	}
	for (size_t cut = len / 2; cut < len && cut < len / 2 + 64 && !bad; cut++) { /* torn text is refused, never read past */
		char *part = malloc(cut ? cut : 1);
		seen.print = false;
		memcpy(part, text, cut);
		if (target_load_json(part, cut, name, &a, &sink)) {
			fprintf(stderr, "%s: a torn profile was accepted\n", path);
			bad = 1;
		}
		free(part);
	}
	arena_free(&a);
	free(text);
	return bad;
}

/* A loop that is left in `n` places, each with another value: the choice between them takes 3 + 2 n words, of which an instruction
 * has 65535 at most. */
static int wide_choice(unsigned n)
{
	enum { MOST = (65535 - 3) / 2 };
	struct seen seen = {.print = false};
	struct diag_sink sink = {.emit = on_diag, .user = &seen};
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.target = &target};
	struct spirv_module m;
	const char *error = NULL;
	struct arena a;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	unsigned end = n + 3, widest = 0;

	fprintf(f, "fn \"wide\" compute wave 32 workgroup 64 1 1 ssa structured\nres storage_buffer set 1 binding 0 read written\n"
	        "b0:\n\t%%h:res = bind - #0\n\t%%i:i32 = ldbuf b1:1, %%h, i32:0, -\n\tbr b1\nb1: loop(b%u, b%u)\n\tbr b2\n", end, n + 2);
	for (unsigned k = 0; k < n; k++)
		fprintf(f, "b%u:\n\t%%c%u:b1 = ult %%i, i32:%u\n\tbrc %%c%u, b%u, b%u\n", k + 2, k, k, k, end, k + 3);
	fprintf(f, "b%u:\n\tbr b1\nb%u:\n\t%%v:i32 = phi", n + 2, end);
	for (unsigned k = 0; k < n; k++)
		fprintf(f, "%s b%u i32:%u", k ? "," : "", k + 2, k);
	fprintf(f, "\n\tstbuf b1:1, %%h, i32:8, -, %%v\n\tret\n");
	fclose(f);
	arena_init(&a, 256u << 20);
	struct spirv_input in = {.fn = ir_parse(&a, text, &error), .facts = &facts, .arena = &a};
	bool fine = in.fn && !spirv_emit(&in, &m, &sink);
	for (size_t at = 5; fine && at < m.nwords && m.words[at] >> 16; at += m.words[at] >> 16)
		widest = m.words[at] >> 16 > widest ? m.words[at] >> 16 : widest;
	bool right = n > MOST ? in.fn && !fine && seen.n == 1 && seen.code == DIAG_TOO_LARGE : fine && widest == 3 + 2 * n;
	if (!right)
		fprintf(stderr, "a choice of %u: %s, widest instruction %u words\n", n, in.fn ? diag_name(seen.code) : error, widest);
	arena_free(&a);
	free(text);
	return !right;
}

int main(int argc, char **argv)
{
	static const struct { const char *file, *name; } profiles[] = {
		{"fixtures/profiles/lavapipe-25.0.7.json", "lavapipe"},
		{"fixtures/profiles/nvidia-h200.json", "nvidia-h200"},
		{"fixtures/profiles/radv-navi10.json", "radv-navi10"},
		{"fixtures/profiles/radv-navi21.json", "radv-navi21"},
		{"fixtures/profiles/radv-bonaire.json", "radv-bonaire"},
	};
	struct run r = {.target = "lavapipe"};
	int bad = 0, n = 0, i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-v"))
			r.verbose = true;
		else if (!strcmp(argv[i], "-t") && i + 1 < argc)
			r.target = argv[++i];
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			r.dir = argv[++i];
	}
	if (!target_find(r.target)) {
		fprintf(stderr, "no target %s\n", r.target);
		return 2;
	}
	if (i == argc) {
		glob_t g;
		bad += wide_choice(32766) + wide_choice(32767);
		n += 2;
		for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++, n++)
			bad += compare_profile(profiles[k].file, profiles[k].name);
		if (!glob("fixtures/spirv/*.xir", 0, NULL, &g)) {
			for (size_t k = 0; k < g.gl_pathc; k++, n++)
				bad += run_file(&r, g.gl_pathv[k]);
			globfree(&g);
		}
	}
	for (; i < argc; i++, n++)
		bad += run_file(&r, argv[i]);
	printf("spirv: %d passed, %d failed\n", n - bad, bad);
	return bad != 0;
}
