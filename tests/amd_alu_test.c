/* amd_alu_test.c - single AMD instructions, gfx7 and gfx10: each line of fixtures/isa/<isa>/exec.txt (bytes and text, both from
 * llvm-mc) is decoded and lifted from its bytes, run on the evaluator for a full wave with edge-case and random
 * registers, and compared, register by register, with a reference machine that reads the text.
 *
 * A program is: VCC, M0, SCC and EXEC from scalar registers, the instruction, then stores of every register that the text
 * names and of SCC, EXEC and VCC, as integers; where the instruction makes a mask, once more as masks.
 *
 *     amd_alu_test [-u] [-v] [-s SEED] [-n ROUNDS] [MNEMONIC]     -u: write fixtures/isa/<isa>/executed.txt
 */
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
#include "amd_alu_img.h"

enum { NVINIT = 32 /* VGPRs that start defined */, MAX_WORDS = 2048, MAX_DUMP = 900, SAVE_SCC = 98, SAVE_EXEC = 100, FROM_VCC = 90, FROM_M0 = 92, FROM_SCC = 93, FROM_EXEC = 94,
	TEMP_V = 250 };

static unsigned passed, failed, refused, unknown;
static bool verbose;

/* ---- one case */
struct test {
	const char *isa_name;
	const struct isa *isa;
	const struct isa_cpu *cpu;
	struct text t;
	const char *line;
	uint8_t code[32];
	unsigned bytes;
	bool mask_result, lds, scratch;
	struct { bool vector; int reg; } dump[MAX_DUMP];
	unsigned ndump, top; /* highest VGPR named */
};

struct code { uint32_t w[MAX_WORDS]; unsigned n, after; }; /* after: bytes up to the instruction's end */

static void word(struct code *c, uint32_t w)
{
	if (c->n < MAX_WORDS)
		c->w[c->n++] = w;
}
static void s_mov(struct code *c, unsigned dst, unsigned src) { word(c, 0xbe800300u | dst << 16 | src); }
static void v_mov(struct code *c, unsigned dst, unsigned src) { word(c, 0x7e000200u | dst << 17 | src); }
static void store(struct code *c, unsigned v, unsigned slot)
{
	word(c, 0xe0700000u | slot * 4);
	word(c, 0x80000000u | v << 8);
}

static void add_dump(struct test *x, bool vec, int reg)
{
	for (unsigned i = 0; i < x->ndump; i++)
		if (x->dump[i].vector == vec && x->dump[i].reg == reg)
			return;
	if (x->ndump < MAX_DUMP) {
		x->dump[x->ndump].vector = vec;
		x->dump[x->ndump++].reg = reg;
	}
	if (vec && (unsigned)reg > x->top)
		x->top = (unsigned)reg;
}

static void list_registers(struct test *x)
{
	bool rel = strstr(x->t.op, "rel") != NULL;

	for (unsigned i = 0; i < x->t.n; i++)
		for (unsigned k = 0; k < x->t.o[i].n && (x->t.o[i].kind == K_V || x->t.o[i].kind == K_S); k++)
			add_dump(x, x->t.o[i].kind == K_V, x->t.o[i].index + (int)k);
	for (int r = 0; rel && r < 20; r++)
		add_dump(x, x->t.op[0] == 'v', r);
	if (strstr(x->t.op, "branch")) {
		add_dump(x, true, 30);
		add_dump(x, true, 31);
	}
	add_dump(x, false, VCC);
	add_dump(x, false, VCC + 1);
}

static void ds_word(struct code *c, unsigned op, unsigned offset, unsigned addr, unsigned data, unsigned dst)
{
	word(c, 0xd8000000u | op << 18 | offset);
	word(c, dst << 24 | data << 8 | addr);
}

static void scratch_word(struct code *c, unsigned op, unsigned offset, unsigned data, unsigned dst)
{
	word(c, 0xdc004000u | op << 18 | offset);
	word(c, dst << 24 | 0x7du << 16 | data << 8 | 1);
}

/* LDS: dword k of lane n from register 16 + k, k waves apart; scratch: dword k of each lane from it. v1 has the address. */
static void fill_memory(const struct test *x, unsigned wave, struct code *c)
{
	for (unsigned k = 0; k < LDS_REGS; k++)
		if (x->lds)
			ds_word(c, 0x0d, k * wave * 4, 1, 16 + k, 0);
		else if (x->scratch)
			scratch_word(c, 0x1c, k * 4, 16 + k, 0);
}

static void dump_memory(const struct test *x, unsigned wave, struct code *c)
{
	for (unsigned k = 0; k < LDS_REGS && (x->lds || x->scratch); k++) {
		if (x->lds)
			ds_word(c, 0x36, k * wave * 4, 1, 0, TEMP_V);
		else
			scratch_word(c, 0x0c, k * 4, 0, TEMP_V);
		store(c, TEMP_V, MAX_DUMP + 3 + k);
	}
}

static void build(const struct test *x, unsigned wave, bool masks, struct code *c)
{
	fill_memory(x, wave, c);
	s_mov(c, VCC, FROM_VCC);
	s_mov(c, VCC + 1, FROM_VCC + 1);
	s_mov(c, M0, FROM_M0);
	word(c, 0xbf078000u | FROM_SCC); /* s_cmp_lg_u32 s, 0 */
	if (wave == 64)
		word(c, 0xbe800400u | EXEC << 16 | FROM_EXEC);
	else
		s_mov(c, EXEC, FROM_EXEC);
	for (unsigned i = 0; i < x->bytes; i += 4) {
		uint32_t w;
		memcpy(&w, x->code + i, 4);
		word(c, w);
	}
	c->after = c->n * 4;
	if (strstr(x->t.op, "branch"))
		v_mov(c, 30, 256 + 31);
	word(c, 0x85008081u | SAVE_SCC << 16); /* s_cselect_b32 s, 1, 0 */
	s_mov(c, SAVE_EXEC, EXEC);
	s_mov(c, SAVE_EXEC + 1, wave == 64 ? EXEC + 1 : 128);
	if (wave == 64)
		word(c, 0xbe8004c1u | EXEC << 16);
	else
		s_mov(c, EXEC, 193);
	for (unsigned i = 0; i < x->ndump; i++) {
		unsigned r = (unsigned)x->dump[i].reg;
		if (x->dump[i].vector) {
			store(c, r, i);
			continue;
		}
		if (masks && r < EXEC && r != M0) {
			word(c, (x->isa == &isa_gfx7 ? 0xd2000000u : 0xd5010000u) | TEMP_V); /* v_cndmask_b32 v, 0, 1, s */
			word(c, 128u | 129u << 9 | (wave == 64 ? r & ~1u : r) << 18);
		} else {
			v_mov(c, TEMP_V, r == EXEC ? SAVE_EXEC : r == EXEC + 1 ? SAVE_EXEC + 1 : r);
		}
		store(c, TEMP_V, i);
	}
	v_mov(c, TEMP_V, SAVE_SCC);
	store(c, TEMP_V, MAX_DUMP);
	v_mov(c, TEMP_V, SAVE_EXEC);
	store(c, TEMP_V, MAX_DUMP + 1);
	v_mov(c, TEMP_V, SAVE_EXEC + 1);
	store(c, TEMP_V, MAX_DUMP + 2);
	dump_memory(x, wave, c);
	word(c, 0xbf810000u);
}

/* ---- running */
struct world {
	const struct machine *m;
	unsigned after;
	struct log log;
	struct img_log img;
	uint32_t out[64][MAX_DUMP + 3 + LDS_REGS];
};

static bool io_input(void *user, const struct eval_access *a, uint64_t *out)
{
	struct world *w = user;
	uint64_t i = a->fn->inst[a->inst].imm;

	if (a->fn->inst[a->inst].op != IR_root)
		return false;
	*out = i < NVINIT ? w->m->v[a->lane][i] : w->m->s[(i - NVINIT) & 127];
	return true;
}

static struct access access_of(const struct eval_access *a)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	bool buf = in->op == IR_ldbuf || in->op == IR_stbuf || in->op == IR_atbuf, typed = in->op == IR_ldtyped || in->op == IR_sttyped;

	return (struct access){ .lane = a->lane, .space = buf ? SPACE_BUF : typed ? SPACE_TYPED : SPACE_PTR, .addr = a->offset,
		.index = buf || typed ? (a->args[3] ? *a->args[3] : UINT64_MAX) : 0, .atomic = -1 };
}

static bool io_load(void *user, const struct eval_access *a, uint64_t *out)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	struct access x = access_of(a);
	unsigned bytes = ir_bits(in->type) / 8;

	for (unsigned i = 0; i < ir_elems(in->type) && in->op == IR_iquery; i++)
		out[i] = answer(in->sub & 7, i, a->args[1] ? (uint32_t)*a->args[1] : 0);
	if (in->op == IR_iquery)
		return true;
	if (is_image_op(in->op)) {
		log_image(a, &((struct world *)user)->img);
		for (unsigned i = 0; i < ir_elems(in->type); i++)
			out[i] = texel(a->lane, i);
		return true;
	}
	for (unsigned i = 0; i < ir_elems(in->type); i++)
		out[i] = mem_value(x.space, x.index, x.addr + i * bytes, bytes);
	return true;
}

static bool io_atomic(void *user, const struct eval_access *a, uint64_t *old)
{
	struct world *w = user;
	const struct ir_inst *in = &a->fn->inst[a->inst];
	struct access x = access_of(a);
	unsigned first = in->op == IR_atbuf ? 4 : 2;

	if (is_image_op(in->op)) {
		log_image(a, &w->img);
		*old = texel(a->lane, 0);
		return true;
	}
	x.bits = ir_bits(in->type);
	x.n = 1;
	x.atomic = in->sub;
	x.v[0] = *a->args[first];
	x.v[1] = a->args[first + 1] ? *a->args[first + 1] : 0;
	add_log(&w->log, &x);
	*old = mem_value(x.space, x.index, x.addr, x.bits / 8);
	return true;
}

static bool io_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	struct world *w = user;
	const struct ir_inst *in = &a->fn->inst[a->inst];

	if (is_image_op(in->op)) {
		log_image(a, &w->img);
		return true;
	}
	if (in->addr < w->after) { /* the instruction under test */
		ir_type t = a->fn->inst[ir_args((struct ir_fn *)(uintptr_t)a->fn, a->inst)[a->nargs - 1]].type;
		struct access x = access_of(a);
		x.bits = ir_bits(t);
		x.n = ir_elems(t);
		for (unsigned i = 0; i < x.n; i++)
			x.v[i] = value[i];
		add_log(&w->log, &x);
		return true;
	}
	if (a->offset / 4 >= MAX_DUMP + 3 + LDS_REGS)
		return false;
	w->out[a->lane][a->offset / 4] = (uint32_t)value[0];
	return true;
}

static char last[256];

static void on_diag(void *user, const struct diag *d)
{
	(void)user;
	snprintf(last, sizeof last, "%s: %s", diag_name(d->code), d->text);
}

/* The guest's rule for denormals. Where the guest flushes those of 32 bits, by code alone, and those of 16 bits are
 * kept by code. False: refused. */
static bool follow(struct lift_ctx *l, bool flush)
{
	struct fact_target target = *target_find("lavapipe");
	struct facts f = { .stage = STAGE_COMPUTE, .floats = FLOAT_STRICT, .target = &target };
	struct pass_ctx ctx = { .fn = l->fn, .facts = &f, .scratch = l->scratch, .diag = l->diag };

	target.denorm_keep &= flush ? 0x888 : 0xfff; /* of 64 bits; of all */
	if (pass_find("ssa")->run(&ctx) == PASS_REFUSED)
		return false;
	cfg_order(l->fn);
	return pass_find("floatmode")->run(&ctx) != PASS_REFUSED;
}

static const char *run(const struct test *x, unsigned wave, const struct code *c, struct world *w)
{
	static struct fact_init init[NVINIT + 106];
	static struct fact_root root[NVINIT + 106];
	static const struct fact_entry entry[2] = { { .kind = ENTRY_DESC, .desc = DESC_STORAGE_IMAGE, .dim = DIM_2D, .size = 32, .stride = 32,
		.count = 1 }, { .kind = ENTRY_DESC, .desc = DESC_COMBINED, .dim = DIM_2D, .offset = 32, .size = 64, .stride = 64, .count = 1 } };
	static const struct fact_table table = { .name = "set 0", .size = 96, .nentry = 2, .entry = entry };
	struct facts f = { .ntable = x->isa == &isa_gfx7 ? 1 : 0, .table = &table, .stage = STAGE_COMPUTE, .wave = (uint8_t)wave, .workgroup = { wave, 1, 1 }, .ninit = NVINIT + 106, .init = init,
		.nroot = NVINIT + 106, .root = root, .code_table = UINT32_MAX, .float_mode = w->m->flush ? FACT_FTZ32 : 0 };
	struct diag_sink sink = { .emit = on_diag };
	struct arena a, scratch;
	struct lift_ctx ctx = { .cpu = x->cpu, .wave = wave, .code = (const uint8_t *)c->w, .size = 4 * c->n, .exec_size = 4 * c->n,
		.facts = &f, .scratch = &scratch, .diag = &sink };
	struct eval_options o = { .io = { w, io_load, io_store, io_atomic, io_input }, .groups = { 1, 1, 1 } };
	const char *why = NULL;

	for (unsigned i = 0; i < NVINIT + 106; i++)
		init[i] = (struct fact_init){ .file = i < NVINIT ? AMD_FILE_VGPR : AMD_FILE_SGPR, .kind = INIT_ROOT,
			.index = (uint16_t)(i < NVINIT ? i : i - NVINIT), .root = (uint16_t)i };
	arena_init(&a, 256u << 20);
	arena_init(&scratch, 64u << 20);
	ctx.fn = ir_fn_new(&a, "test");
	ctx.fn->stage = STAGE_COMPUTE;
	ctx.fn->wave = (uint8_t)wave;
	memcpy(ctx.fn->workgroup, f.workgroup, sizeof f.workgroup);
	ctx.fn->shared_bytes = x->lds ? LDS_REGS * wave * 4 : 0;
	ctx.fn->scratch_bytes = x->scratch ? SCRATCH_DWORDS * 4 : 0;
	o.arena = &a;
	last[0] = 0;
	if (x->isa->lift(&ctx) || ((w->m->flush || always_flushes(x->t.op)) && !follow(&ctx, w->m->flush)))
		why = last;
	else if (!(why = ir_verify(ctx.fn, &scratch)) && eval_run(ctx.fn, &o, &why) == EVAL_OK)
		why = NULL;
	if (why && why != last) {
		snprintf(last, sizeof last, "broken: %s", why);
		why = last;
	}
	arena_free(&a);
	arena_free(&scratch);
	return why;
}

#include "amd_alu_check.h"

/* ---- registers before */
static void fill_addresses(const struct test *x, struct machine *m)
{
	bool shuffle = strstr(x->t.op, "permute") || strstr(x->t.op, "swizzle"), buffer = strstr(x->t.op, "buffer") != NULL;

	for (unsigned lane = 0; lane < 64; lane++) {
		if (buffer) { /* small: nobody says what happens where an offset wraps */
			m->v[lane][2] &= 0xffff;
			m->v[lane][3] &= 0xffff;
		}
		if (x->lds && !shuffle)
			m->v[lane][2] = lane * (!strstr(x->t.op, "st64") ? 32 : strstr(x->t.op, "_b64") ? 8 : 4); /* no two meet */
		if (x->scratch)
			m->v[lane][2] = (uint32_t)(rnd() % 4) * 4;
		m->v[lane][1] = x->lds ? lane * 4 : x->scratch ? 0 : m->v[lane][1];
		for (unsigned k = 0; k < LDS_REGS && x->lds; k++)
			set(m->lds + (k * m->wave + (lane & (m->wave - 1))) * 4, 4, m->v[lane & (m->wave - 1)][16 + k]);
		for (unsigned k = 0; k < LDS_REGS && x->scratch; k++)
			set(m->lds + lane * 64 + k * 4, 4, m->v[lane][16 + k]);
	}
	if (buffer)
		m->s[8] &= 0xffff;
	if (x->t.op[0] == 's')
		m->s[8] &= 0xfffc, m->s[4] &= ~3u;
	if (x->scratch)
		m->s[4] = (uint32_t)(rnd() % 4) * 4;
	m->s[FROM_M0] = (uint32_t)(rnd() % 64) * 4;
}

static void fill(const struct test *x, struct machine *m, unsigned round)
{
	const struct vref *r = find_vref(x->t.op);
	const char *sig = r ? strchr(r->sig, ':') + 1 : "";
	unsigned ndst = r ? (unsigned)(sig - r->sig) - 1 : 1;
	char all = strstr(x->t.op, "f16") || strstr(x->t.op, "16") ? 'p' : strstr(x->t.op, "64") ? 'd' : 'i';

	for (unsigned lane = 0; lane < 64; lane++) {
		for (unsigned k = 0; k < 32; k += 2) {
			uint64_t v = all == 'd' ? edge('d') : edge(all) | edge(all) << 32;
			m->v[lane][k] = (uint32_t)v;
			m->v[lane][k + 1] = (uint32_t)(v >> 32);
		}
		for (unsigned i = 0; i < x->t.n && r; i++) {
			char type = i < ndst ? r->sig[0] : sig[i - ndst];
			uint64_t v = edge(type);
			if (x->t.o[i].kind != K_V || type == 'q')
				continue;
			m->v[lane][x->t.o[i].index] = (uint32_t)v;
			if (x->t.o[i].n == 2)
				m->v[lane][x->t.o[i].index + 1] = (uint32_t)(v >> 32);
		}
	}
	for (unsigned k = 0; k < 106; k++)
		m->s[k] = (uint32_t)edge(all == 'p' ? 'p' : 'i');
	for (unsigned k = 0; all == 'd' && k < 20; k += 2) {
		uint64_t v = edge(rnd() & 1 ? 'd' : 'l');
		m->s[k] = (uint32_t)v;
		m->s[k + 1] = (uint32_t)(v >> 32);
	}
	if (strstr(x->t.op, "cmp_eq_u64") || strstr(x->t.op, "cmp_lg_u64"))
		m->s[6] = m->s[4], m->s[7] = rnd() & 1 ? m->s[5] : m->s[7];
	m->s[FROM_EXEC] = round ? (uint32_t)rnd() : UINT32_MAX;
	m->s[FROM_EXEC + 1] = round ? (uint32_t)rnd() : UINT32_MAX;
	m->s[FROM_VCC] = (uint32_t)rnd();
	m->s[FROM_VCC + 1] = (uint32_t)rnd();
	m->s[FROM_SCC] = rnd() & 1;
	m->s[FROM_M0] = strstr(x->t.op, "_2_") || strstr(x->t.op, "swaprel") ? (rnd() % 5) | (rnd() % 5) << 16 : rnd() % 6;
	if (strstr(x->t.op, "rel") && strstr(x->t.op, "64"))
		m->s[FROM_M0] &= ~1u;
	if (strstr(x->t.op, "branch") && (round & 1))
		m->s[FROM_VCC] = m->s[FROM_VCC + 1] = m->s[FROM_EXEC] = m->s[FROM_EXEC + 1] = 0;
	if (is_memory(x->t.op))
		fill_addresses(x, m);
	for (unsigned lane = 0; lane < 64 && strstr(x->t.tail, "IMG_CUBE"); lane++) /* faces, wherever they are */
		for (unsigned k = 14; k < 32; k++)
			m->v[lane][k] = float_bits((float)(rnd() % 6) + (rnd() & 1 ? 8 : 0));
	memcpy(&m->s[VCC], &m->s[FROM_VCC], 8);
	m->s[M0] = m->s[FROM_M0];
	m->scc = m->s[FROM_SCC];
	memcpy(&m->s[EXEC], &m->s[FROM_EXEC], 8);
	if (m->wave == 32)
		m->s[EXEC + 1] = 0;
}

/* What the reference leaves open of minima that keep denormals: two of them in a lane. */
static void part_tiny(const struct test *x, struct machine *m)
{
	for (unsigned lane = 0; lane < 64 && keeps_denormals(m, x->t.op); lane++)
		for (unsigned i = 1 + rnd() % 2; i < x->t.n; i++)
			if (x->t.o[i].kind == K_V && (i > 1 || x->t.n > 3))
				m->v[lane][x->t.o[i].index] |= 0x20000000;
}

/* A line on one cpu and wave. 1: executed, 0: refused or not known to the reference, -1: failed. */
static int one(struct test *x, unsigned wave, unsigned rounds)
{
	static struct machine before, after;
	static struct world w;
	static struct log log;
	static struct img_log img;
	struct code c;

	for (unsigned k = 0; k < 4 * rounds; k++) {
		bool masks = k & 1, flushes = k & 2;
		if ((masks && !x->mask_result) || (flushes && (k > 3 || x->t.op[0] != 'v')))
			continue;
		memset(&before, 0, sizeof before);
		before.gfx7 = x->isa == &isa_gfx7;
		before.flush = flushes;
		before.wave = wave;
		fill(x, &before, k / 4);
		if (flushes)
			part_tiny(x, &before);
		if (flushes && denormals_open(&before, &x->t))
			continue;
		after = before;
		log.n = w.log.n = img.n = w.img.n = 0;
		if (!(!strncmp(x->t.op, "image_", 6) ? image_op(&before, &after, &x->t, &img) : is_memory(x->t.op) ? memory_op(&before, &after, &x->t, &log) :
		      x->t.op[0] == 's' ? scalar_op(&before, &after, &x->t) : vector(&before, &after, &x->t, x->top))) {
			unknown++;
			if (verbose)
				printf("no reference %s: %s\n", x->isa_name, x->line);
			return 0;
		}
		c.n = 0;
		build(x, wave, masks, &c);
		w.m = &before;
		w.after = c.after;
		const char *why = run(x, wave, &c, &w);
		if (why && strncmp(why, "broken", 6)) {
			refused++;
			if (verbose)
				printf("refused %s w%u: %s: %s\n", x->isa_name, wave, x->line, why);
			return 0;
		}
		if (why)
			return fail(x, wave, why), -1;
		if (!check(x, wave, masks, &after, &w) || !check_memory(x, wave, &after, &w) || !same_log(x, wave, &w.log, &log) ||
		    !same_images(x, wave, &w.img, &img))
			return -1;
	}
	passed++;
	return 1;
}

#include "amd_alu_files.h"

int main(int argc, char **argv)
{
	unsigned rounds = getenv("FAST") && *getenv("FAST") ? 1 : 2;
	bool update = false;
	const char *only = NULL;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-u"))
			update = true;
		else if (!strcmp(argv[i], "-v"))
			verbose = true;
		else if (!strcmp(argv[i], "-s") && i + 1 < argc)
			rng = strtoull(argv[++i], NULL, 0) * 0x9e3779b97f4a7c15ull + 1;
		else if (!strcmp(argv[i], "-n") && i + 1 < argc)
			rounds = (unsigned)strtoul(argv[++i], NULL, 0);
		else
			only = argv[i];
	}
	run_isa("gfx7", &isa_gfx7, rounds, only, update);
	run_isa("gfx10", &isa_gfx10, rounds, only, update);
	if (verbose)
		printf("%u lines refused, %u without reference\n", refused, unknown);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
