/* amd_seq_test.c - random sequences of AMD instructions, gfx7 and gfx10 in both wave sizes: decoded, lifted, through all passes, run
 * on the evaluator as a wave, and compared with the reference machine of amd_alu_test.c, which runs the same text one by one.
 *
 *     amd_seq_test [-n PROGRAMS] [-s SEED] [-1] [-v]     -1: only the program of that seed; -v: says what is refused, prints programs
 *
 * The encodings are llvm-mc's (fixtures/isa/<isa>/seq.txt), but for branches, whose distances are not known before. A result that is
 * open (a NaN's payload) makes the program go without the instruction. A failure names the pass after which the program does
 * something else, and is printed without what it does not need. */
#include "../ir/eval.h"
#include "../libxlate/isa/lift.h"
#include "../libxlate/target/target.h"
#include "../passes/pass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd_alu_state.h"
#include "amd_alu_edge.h"
#include "amd_alu_ref.h"
#include "amd_alu_vec.h"
#include "amd_alu_sca.h"
#include "amd_alu_mem.h"
#include "amd_seq_gen.h"
#include "amd_seq_ref.h"

enum { ROUNDS = 2, CODE_BYTES = MAX_ITEMS * 12, MAX_WITHOUT = 60 };

static unsigned passed, failed, refused, dropped;
static bool verbose;

/* ---- the lines */
static bool is_free(const struct line *l)
{
	const struct text *t = &l->t;
	bool ds = !strncmp(t->op, "ds_", 3), buffer = !strncmp(t->op, "buffer_", 7);
	long at = tail_value(t, "offset", 0) / 4;

	if (buffer)
		return t->o[0].index + (int)t->o[0].n - 1 <= LAST_V && (t->o[1].index == 12 || at >= SLOTS);
	for (unsigned i = 0; i < t->n; i++) {
		int a = t->o[i].index, b = a + (int)t->o[i].n - 1;
		if (t->o[i].kind == K_V && (a < FIRST_V || b > LAST_V) && !(ds && (a == 1 || a == 8 || a == 14)))
			return false;
		if (t->o[i].kind == K_S && !(a >= 4 && b <= 7) && a < VCC)
			return false;
	}
	return strncmp(t->op, "s_load", 6) && strcmp(t->op, "s_endpgm");
}

static enum line_class class_of_line(const struct line *l)
{
	const struct text *t = &l->t;
	const struct vref *r = find_vref(t->op);
	bool lanes = strstr(t->op, "readlane") || strstr(t->op, "readfirstlane") || strstr(t->op, "permlane") || strstr(t->op, "writelane");

	if (!is_free(l) || (r && r->flags & APPROX))
		return CLASS_NONE;
	if (l->floats && !strcmp(t->form, "sdwa") && t->dst_sel != 6 && (l->floats != 'p' || t->dst_sel < 4))
		return CLASS_NONE; /* a part of a NaN may be no NaN */
	if (strstr(t->op, "_mov_b32") && t->n == 2 && (t->o[1].kind == K_INT || t->o[1].kind == K_FLOAT))
		return CLASS_CONSTANT;
	if (t->op[0] == 's')
		return CLASS_SCALAR;
	if (!strncmp(t->form, "dpp", 3) || lanes || strstr(t->op, "swizzle") || strstr(t->op, "permute"))
		return CLASS_CROSS;
	if (t->op[0] == 'd' || t->op[0] == 'b')
		return CLASS_MEMORY;
	if (!strncmp(t->op, "v_cmp", 5))
		return CLASS_COMPARE;
	return l->floats ? CLASS_FLOAT : CLASS_INT;
}

/* Do lanes stay apart? No number is made of a mask, and scalar values are no masks. */
static bool keeps_apart(const struct line *l)
{
	const struct text *t = &l->t;
	bool cmp = !strncmp(t->op, "v_cmp", 5);

	if (t->op[0] == 'd')
		return strcmp(t->op, "ds_swizzle_b32") && !strstr(t->op, "permute");
	for (unsigned i = 0; i < t->n && t->op[0] == 'v'; i++)
		if (t->o[i].kind == K_S && !(cmp && !i))
			return false;
	return t->op[0] != 's';
}

static unsigned hex_bytes(const char *s, uint8_t *out, unsigned cap)
{
	unsigned n = 0, v;

	for (; n < cap && sscanf(s + 2 * n, "%2x", &v) == 1; n++)
		out[n] = (uint8_t)v;
	return n;
}

static void add_line(struct guest *g, const char *hex, const char *text)
{
	struct line *l = &g->line[g->nline];
	unsigned h = hash_of(text), class;

	l->text = calloc(1, strlen(text) + 1);
	strcpy(l->text, text);
	l->bytes = hex_bytes(hex, l->code, sizeof l->code);
	parse_text(text, &l->t, g->wave);
	l->floats = float_result(&l->t);
	l->apart = keeps_apart(l);
	class = class_of_line(l);
	g->of[class][g->nof[class]++] = g->nline++;
	while (g->hash[h])
		h = (h + 1) & (HASH - 1);
	g->hash[h] = (uint16_t)g->nline;
}

static bool load_guest(struct guest *g)
{
	char path[64], line[512], where[32];
	FILE *f;

	snprintf(path, sizeof path, "fixtures/isa/%s/seq.txt", g->name);
	snprintf(where, sizeof where, "%s/w%u\n", g->cpu, g->wave);
	g->line = calloc(MAX_LINES, sizeof *g->line);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f) && g->nline < MAX_LINES) {
		char *text = strchr(line, '\t'), *list = text ? strchr(text + 1, '\t') : NULL;
		if (*line == '#' || !list || strcmp(list + 1, where))
			continue;
		*text++ = *list = 0;
		add_line(g, line, text);
	}
	if (f)
		fclose(f);
	return g->nline != 0;
}

/* ---- one program on the evaluator */
struct code { uint8_t b[CODE_BYTES]; uint32_t n; };

static void encode(const struct program *p, struct code *c)
{
	uint32_t at[MAX_ITEMS + 1], label[MAX_LABELS] = { 0 };

	c->n = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		at[i] = c->n;
		if (it->kind == LABEL)
			label[it->label] = c->n;
		if (it->dead || it->kind == LABEL)
			continue;
		if (it->kind == LINE)
			memcpy(c->b + c->n, it->l->code, it->l->bytes);
		c->n += it->kind == LINE ? it->l->bytes : 4;
	}
	for (unsigned i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		if (it->kind != BRANCH || it->dead)
			continue;
		uint32_t w = 0xbf800000u | branches[it->op].op << 16 | (((label[it->label] - at[i] - 4) >> 2) & 0xffff);
		memcpy(c->b + at[i], &w, 4);
	}
}

struct world {
	const struct machine *m; /* what the program's input says */
	uint32_t out[64][OUT_WORDS];
};

static uint32_t input_word(const struct machine *m, uint64_t at)
{
	uint64_t i = at / 4, lane = (at - INPUT_V) / OUT_STRIDE;
	uint32_t vcc_exec[] = { m->s[M0], m->scc, m->s[VCC], m->s[VCC + 1], m->s[EXEC], m->s[EXEC + 1], 0, 0 };

	if (at >= INPUT_V)
		return m->v[lane & 63][(at - INPUT_V) % OUT_STRIDE / 4];
	return i < 4 ? 0 : i < 8 ? m->s[i] : i < 16 ? vcc_exec[i - 8] : 0;
}

static bool io_load(void *user, const struct eval_access *a, uint64_t *out)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	const struct world *w = user;
	bool buffer = in->op == IR_ldbuf;

	if (ir_bits(in->type) != 32 && buffer)
		return false;
	for (unsigned i = 0; i < ir_elems(in->type); i++) {
		uint64_t at = a->offset + 4 * i;
		out[i] = !buffer ? 0 /* a word of a descriptor */ : at < OUTPUT ? input_word(w->m, at) :
			w->out[(at - OUTPUT) / OUT_STRIDE & 63][(at - OUTPUT) % OUT_STRIDE / 4];
	}
	return true;
}

static bool io_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	ir_type t = a->fn->inst[ir_args((struct ir_fn *)(uintptr_t)a->fn, a->inst)[a->nargs - 1]].type;
	struct world *w = user;

	for (unsigned i = 0; i < ir_elems(t); i++) {
		uint64_t at = a->offset + 4 * i - OUTPUT;
		if (at >= 64 * OUT_STRIDE || ir_bits(t) != 32)
			return false;
		w->out[at / OUT_STRIDE][at % OUT_STRIDE / 4] = (uint32_t)value[i];
	}
	return true;
}

static bool io_input(void *user, const struct eval_access *a, uint64_t *out)
{
	(void)user;
	*out = 0; /* the table's address */
	return a->fn->inst[a->inst].op == IR_root;
}

static char last[256];
static bool broken; /* the verifier said it */

static void on_diag(void *user, const struct diag *d)
{
	(void)user;
	broken |= d->code == DIAG_VERIFY;
	snprintf(last, sizeof last, "%s: %s", diag_name(d->code), d->text);
}

static bool lift(const struct program *p, struct ir_fn *fn, const struct facts *f, struct arena *scratch, struct diag_sink *sink)
{
	static struct code c;
	const struct isa_cpu *cpu = p->g->isa->cpus;

	while (cpu->name && strcmp(cpu->name, p->g->cpu))
		cpu++;
	encode(p, &c);
	struct lift_ctx ctx = { .fn = fn, .cpu = cpu, .wave = p->g->wave, .code = c.b, .size = c.n, .exec_size = c.n, .facts = f,
		.scratch = scratch, .diag = sink };
	fn->stage = STAGE_COMPUTE;
	fn->wave = (uint8_t)p->g->wave;
	memcpy(fn->workgroup, f->workgroup, sizeof f->workgroup);
	fn->shared_bytes = f->shared_bytes;
	return !p->g->isa->lift(&ctx);
}

static bool evaluate(const struct ir_fn *fn, const struct machine *in, struct world *w, struct arena *a)
{
	for (unsigned k = 0; k < ROUNDS; k++) {
		struct eval_options o = { .io = { &w[k], io_load, io_store, NULL, io_input }, .groups = { 1, 1, 1 }, .max_steps = 1u << 26, .arena = a };
		const char *why = "";
		w[k].m = &in[k];
		memset(w[k].out, UNSET & 255, sizeof w[k].out);
		if (eval_run(fn, &o, &why) == EVAL_OK)
			continue;
		snprintf(last, sizeof last, "evaluation: %s", why);
		return false;
	}
	return true;
}

enum ran { RAN_OK, RAN_REFUSED, RAN_BROKEN };

/* What a program is translated for. */
struct host { bool wave /* subgroups as wide as the guest's */, strict; uint8_t flush; /* f32 denormals; 2: on a host that keeps f64's alone */ };

/* Lift, passes up to `stop` (NULL: all), evaluation of each input into w[]. w NULL: prints the function instead. */
static enum ran run(const struct program *p, struct host host, const char *stop, const struct machine *in, struct world *w)
{
	static const struct fact_entry entry = { .kind = ENTRY_DESC, .desc = DESC_STORAGE_BUFFER, .offset = 16, .size = 32, .stride = 16,
		.count = 2 };
	static const struct fact_table table = { .name = "set 0", .size = 48, .nentry = 1, .entry = &entry };
	static const struct fact_root root[] = { { .kind = ROOT_TABLE_LO }, { .kind = ROOT_TABLE_HI } };
	static const struct fact_init init[] = { { .file = AMD_FILE_SGPR, .kind = INIT_ROOT, .index = 2 }, { .file = AMD_FILE_SGPR,
		.kind = INIT_ROOT, .index = 3, .root = 1 }, { .file = AMD_FILE_VGPR, .kind = INIT_SYSVAL, .sysval = SYSVAL_local_id } };
	struct fact_target target = *target_find("lavapipe");
	uint8_t wave = (uint8_t)p->g->wave;
	struct facts f = { .stage = STAGE_COMPUTE, .wave = wave, .workgroup = { wave, 1, 1 }, .shared_bytes = 16u * wave, .nroot = 2, .root = root,
		.ntable = 1, .table = &table, .ninit = 3, .init = init, .code_table = UINT32_MAX, .target = &target,
		.floats = host.strict ? FLOAT_STRICT : FLOAT_HOST, .float_mode = host.flush ? FACT_FTZ32 : 0 };
	struct diag_sink sink = { .emit = on_diag };
	struct arena a, scratch;

	target.denorm_keep &= host.flush > 1 ? 0x888 : 0xfff;
	if (host.wave) {
		target.subgroup_size = target.subgroup_min = target.subgroup_max = wave;
		target.subgroup_vote = target.subgroup_ballot = target.subgroup_shuffle = target.subgroup_quad = true;
	}
	arena_init(&a, 256u << 20);
	arena_init(&scratch, 256u << 20);
	struct ir_fn *fn = ir_fn_new(&a, "sequence");
	struct pass_ctx pass = { .fn = fn, .facts = &f, .scratch = &scratch, .diag = &sink };
	struct pipeline_options opt = { .verify = true, .stop_after = stop };
	last[0] = 0;
	broken = false;
	bool done = lift(p, fn, &f, &scratch, &sink);
	arena_reset(&scratch);
	done = done && pipeline_run(&pass, &opt) != PASS_REFUSED;
	if (!w)
		printf("%s\n", ir_print_string(fn, &a));
	else if (done)
		broken |= !evaluate(fn, in, w, &a);
	arena_free(&a);
	arena_free(&scratch);
	return broken ? RAN_BROKEN : done ? RAN_OK : RAN_REFUSED;
}

/* Lines that are refused by themselves would have programs refused. */
static unsigned drop_refused(struct guest *g)
{
	struct program p = { .g = g, .n = 2, .item = { { .kind = LINE }, { .kind = LINE, .l = find_line(g, "s_endpgm") } } };
	struct facts f = { .stage = STAGE_COMPUTE, .wave = (uint8_t)g->wave, .workgroup = { g->wave, 1, 1 }, .code_table = UINT32_MAX };
	struct diag_sink sink = { .emit = on_diag };
	struct arena a, scratch;
	unsigned dropped_lines = 0;

	arena_init(&a, 64u << 20);
	arena_init(&scratch, 64u << 20);
	for (unsigned class = CLASS_NONE + 1; class < CLASS_COUNT; class++) {
		unsigned n = 0;
		for (unsigned k = 0; k < g->nof[class]; k++) {
			p.item[0].l = &g->line[g->of[class][k]];
			if (lift(&p, ir_fn_new(&a, "line"), &f, &scratch, &sink))
				g->of[class][n++] = g->of[class][k];
			arena_reset(&a);
			arena_reset(&scratch);
		}
		dropped_lines += g->nof[class] - n;
		g->nof[class] = n;
	}
	arena_free(&a);
	arena_free(&scratch);
	return dropped_lines;
}

/* ---- comparison */
static uint32_t expected(const struct program *p, const struct machine *m, unsigned lane, unsigned slot, bool *asked)
{
	static const int special[] = { VCC, VCC + 1, M0, -1, EXEC, EXEC + 1 }, masks[] = { 4, 6, VCC, EXEC };

	*asked = true;
	if (slot >= FIRST_V && slot <= LAST_V)
		return m->v[lane][slot];
	if (slot >= SLOTS)
		return (uint32_t)get(out_word((struct machine *)(uintptr_t)m, lane, slot), 4);
	if (slot >= SLOT_MASK)
		return m->s[masks[slot - SLOT_MASK] + (int)lane / 32] >> lane % 32 & 1;
	*asked = !p->apart && slot >= SLOT_S && !(slot == SLOT_EXEC + 1 && p->g->wave == 32);
	if (!*asked)
		return 0;
	return slot < SLOT_VCC ? m->s[4 + slot - SLOT_S] : slot == SLOT_SCC ? m->scc : m->s[special[slot - SLOT_VCC]];
}

/* NULL: the same, else what is not. */
static const char *differs(const struct program *p, const struct machine *want, const struct world *w)
{
	static char text[128];
	bool asked;

	for (unsigned k = 0; k < ROUNDS; k++)
		for (unsigned lane = 0; lane < p->g->wave; lane++)
			for (unsigned slot = 0; slot < OUT_WORDS; slot++) {
				uint32_t e = expected(p, &want[k], lane, slot, &asked), g = w[k].out[lane][slot];
				if (!asked || e == g)
					continue;
				snprintf(text, sizeof text, "round %u lane %u %s%u: got %08x, want %08x", k, lane, slot <= LAST_V ? "v" : "slot ", slot,
					g, e);
				return text;
			}
	return NULL;
}

/* The state when the body starts. */
static void fill(const struct program *p, struct machine *m, unsigned round, bool flush)
{
	static const char types[] = "iihdl";
	unsigned wave = p->g->wave;

	memset(m, 0, sizeof *m);
	m->gfx7 = p->g->isa == &isa_gfx7;
	m->flush = flush;
	m->wave = wave;
	for (unsigned lane = 0; lane < wave; lane++) {
		for (unsigned v = FIRST_V; v <= LAST_V; v += 2) {
			char type = types[below(5)];
			uint64_t x = type == 'd' || type == 'l' ? edge(type) : edge(type) | edge(type) << 32;
			m->v[lane][v] = (uint32_t)x;
			m->v[lane][v + 1] = (uint32_t)(x >> 32);
		}
		m->v[lane][0] = lane;
		m->v[lane][1] = 4 * lane;
		m->v[lane][8] = 4 * (lane ^ 1);
		m->v[lane][14] = 8 * lane;
		for (unsigned k = 0; k < 4; k++)
			set(m->lds + 4 * (k * wave + lane), 4, m->v[lane][FIRST_V + k]);
	}
	memset(m->lds + OUT_AT, UNSET & 255, LDS_BYTES - OUT_AT);
	for (unsigned k = 4; k < 8; k++)
		m->s[k] = (uint32_t)edge(types[below(3)]);
	for (unsigned k = 0; k < 2; k++) {
		m->s[VCC + k] = (uint32_t)rnd();
		m->s[EXEC + k] = p->all ? UINT32_MAX : round ? (uint32_t)rnd() : (uint32_t)(rnd() & rnd());
	}
	m->s[M0] = (uint32_t)edge('i');
	m->scc = chance(50);
	m->s[EXEC + 1] = wave == 64 ? m->s[EXEC + 1] : 0;
}

/* The reference's end of all inputs. Instructions of open results go. False: it is none to compare. */
static bool reference(struct program *p, const struct machine *in, struct machine *want)
{
	unsigned at = 0;

	for (unsigned tries = 0; tries < MAX_WITHOUT; tries++) {
		enum went r = WENT_OK;
		for (unsigned k = 0; k < ROUNDS && r == WENT_OK; k++)
			r = interpret(p, &in[k], &want[k], &at);
		if (r != WENT_OPEN)
			return r == WENT_OK;
		p->item[at].dead = true;
	}
	return false;
}

struct job {
	struct program p;
	struct host host;
	struct machine in[ROUNDS], want[ROUNDS];
	struct world w[ROUNDS];
};

/* NULL: as it should be, or refused, or nothing to compare. */
static const char *wrong(struct job *j, const char *stop)
{
	if (!reference(&j->p, j->in, j->want))
		return NULL;
	switch (run(&j->p, j->host, stop, j->in, j->w)) {
	case RAN_OK: return differs(&j->p, j->want, j->w);
	case RAN_BROKEN: return last;
	default: return NULL;
	}
}

/* ---- failures */
static struct program was; /* before something was left out */

static void print_program(const struct program *p)
{
	for (unsigned i = p->body; i < p->end; i++) {
		const struct item *it = &p->item[i];
		if (it->dead)
			continue;
		bool used = false;
		for (unsigned k = p->body; k < p->end && it->kind == LABEL; k++)
			used |= p->item[k].kind == BRANCH && !p->item[k].dead && p->item[k].label == it->label;
		if (it->kind == LABEL && used)
			printf("L%u:\n", it->label);
		if (it->kind == BRANCH)
			printf("\ts_%s L%u\n", branches[it->op].name, it->label);
		if (it->kind == LINE)
			printf("\t%s\n", it->l->text);
	}
}

/* Leaves out all items from `i` on of its group, or of the next n without one; false, and nothing, where the failure needs them. */
static bool without(struct job *j, unsigned i, unsigned n)
{
	unsigned group = j->p.item[i].group;
	bool some = false;

	was = j->p;
	for (unsigned k = i; k < j->p.end && n; k++) {
		struct item *it = &j->p.item[k];
		if (it->group != group || it->kind == LABEL)
			continue;
		some |= !it->dead;
		it->dead = true;
		n -= !group;
	}
	if (some && wrong(j, NULL))
		return true;
	j->p = was;
	return false;
}

static void shrink(struct job *j)
{
	bool again = true;

	for (unsigned turns = 0; again && turns < 6; turns++) {
		again = false;
		for (unsigned n = 8; n; n /= 2)
			for (unsigned i = j->p.body; i < j->p.end; i++)
				again |= !j->p.item[i].dead && (n == 1 || !j->p.item[i].group) && without(j, i, n);
		for (unsigned i = j->p.body; i < j->p.end; i++) { /* branches that only save time */
			struct item *it = &j->p.item[i];
			was = j->p;
			it->dead |= it->kind == BRANCH;
			if (it->kind == BRANCH && !wrong(j, NULL)) /* what was open by then is back, too */
				j->p = was;
		}
	}
}

static void report(struct job *j, uint64_t seed)
{
	char what[160];

	shrink(j);
	const char *why = wrong(j, NULL), *pass = "", *before = "lift";
	snprintf(what, sizeof what, "%s", why ? why : "?");
	for (const struct pass *q = passes; q->name; q++) {
		pass = q->name;
		if (wrong(j, q->name))
			break;
		before = q->name;
	}
	printf("FAIL %s w%u%s%s%s, amd_seq_test -s %llu -1: right after %s, wrong after %s: %s\n", j->p.g->cpu, j->p.g->wave,
		j->host.wave ? ", subgroups as wide" : "", j->host.strict ? ", strict" : "", !j->host.flush ? "" : j->host.flush < 2 ? ", flushed" : ", flushed by code",
		(unsigned long long)seed, before, pass, what);
	print_program(&j->p);
	if (verbose) {
		run(&j->p, j->host, before, NULL, NULL);
		run(&j->p, j->host, pass, NULL, NULL);
	}
	failed++;
}

static void one(struct guest *g, uint64_t seed)
{
	static struct job j;
	const char *why;

	rng = (seed + 1) * 0x9e3779b97f4a7c15ull;
	rnd();
	generate(&j.p, g, seed % 4 == 0);
	if (j.p.missing) {
		failed++;
		return;
	}
	j.host.wave = chance(60);
	j.host.strict = chance(30) | j.p.extremes;
	j.host.flush = j.host.strict && (chance(50) | j.p.extremes) ? 1 + chance(50) : 0;
	for (unsigned k = 0; k < ROUNDS; k++)
		fill(&j.p, &j.in[k], k, j.host.flush);
	if (!reference(&j.p, j.in, j.want)) {
		dropped++;
		return;
	}
	if (verbose)
		print_program(&j.p);
	switch (run(&j.p, j.host, NULL, j.in, j.w)) {
	case RAN_REFUSED:
		refused++;
		if (verbose)
			printf("refused, -s %llu: %s\n", (unsigned long long)seed, last);
		return;
	case RAN_OK:
		why = differs(&j.p, j.want, j.w);
		break;
	default:
		why = last;
	}
	if (why)
		report(&j, seed);
	else
		passed++;
}

static bool set_in(const char *name) { return getenv(name) && *getenv(name); }

int main(int argc, char **argv)
{
	static struct guest guests[] = { { .name = "gfx10", .cpu = "gfx1010", .isa = &isa_gfx10, .wave = 32 },
		{ .name = "gfx10", .cpu = "gfx1030", .isa = &isa_gfx10, .wave = 64 }, { .name = "gfx7", .cpu = "gfx700", .isa = &isa_gfx7, .wave = 64 } };
	unsigned n = set_in("LONG") ? 8000 : set_in("FAST") ? 250 : 800;
	uint64_t seed = 1;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			verbose = true;
		else if (!strcmp(argv[i], "-1"))
			n = 1;
		else if (!strcmp(argv[i], "-s") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
		else if (!strcmp(argv[i], "-n") && i + 1 < argc)
			n = (unsigned)strtoul(argv[++i], NULL, 0);
	}
	for (unsigned k = 0; k < 3; k++) {
		struct guest *g = &guests[k];
		if (!load_guest(g)) {
			printf("FAIL fixtures/isa/%s/seq.txt cannot be read\n", g->name);
			failed++;
		}
		unsigned without = drop_refused(g);
		printf("%s w%u: %u lines, %u refused by themselves\n", g->cpu, g->wave, g->nline, without);
	}
	for (unsigned k = 0; k < n && failed < 5; k++)
		one(&guests[(seed + k) % 3], seed + k);
	printf("%u refused, %u with nothing to compare\n%u passed, %u failed, 0 skipped\n", refused, dropped, passed, failed);
	return failed || passed < n / 2;
}
