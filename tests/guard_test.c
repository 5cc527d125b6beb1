/* guard_test [SEED [COUNT]] - random straight code with masked accesses to memory of each lane's own: the same memory after `guard`,
 * and no mask left. */
#include "../ir/eval.h"
#include "../passes/pass.h"

#include <stdlib.h>
#include <string.h>

static unsigned passed, failed, skipped;
static uint64_t seed;
enum { LANES = 4 };

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static ir_id imm(struct ir_fn *fn, uint32_t v)
{
	return ir_const(fn, IR_I32, v);
}

static ir_id mix(struct ir_fn *fn, ir_id a, uint32_t k)
{
	ir_id m = ir_op2(fn, IR_imul, IR_I32, a, imm(fn, 1664525u));

	return ir_op2(fn, IR_iadd, IR_I32, m, imm(fn, k * 2654435761u + 1013904223u));
}

static void emit(void *user, const struct diag *d)
{
	(void)user;
	printf("  diagnostic %s: %s\n", diag_name(d->code), d->text);
}

static void report(const char *kind, uint64_t s, const char *what)
{
	failed++;
	printf("FAIL %s seed %llu: %s\n", kind, (unsigned long long)s, what ? what : "?");
}

struct memory { uint32_t word[LANES][16]; };

static uint32_t *word_at(void *user, const struct eval_access *x)
{
	struct memory *m = user;

	return &m->word[x->invocation][x->offset / 4 % 16];
}

static bool mem_load(void *user, const struct eval_access *x, uint64_t *out)
{
	*out = *word_at(user, x);
	return true;
}

static bool mem_store(void *user, const struct eval_access *x, const uint64_t *value)
{
	*word_at(user, x) = (uint32_t)*value;
	return true;
}

static bool mem_atomic(void *user, const struct eval_access *x, uint64_t *old)
{
	uint32_t *w = word_at(user, x);

	*old = *w;
	*w = (uint32_t)eval_atomic((enum ir_atomic)x->fn->inst[x->inst].sub, 32, false, *w, *x->args[4], 0);
	return true;
}

static struct ir_fn *masked_code(struct arena *a)
{
	struct ir_fn *fn = ir_fn_new(a, "masked");
	struct ir_resource res = { .kind = RES_STORAGE_BUFFER, .count = 1 };
	ir_id value[40], mask[5];
	unsigned n = 0;

	fn->wave = 32;
	fn->workgroup[0] = LANES;
	fn->ssa = true;
	ir_resource_new(fn, &res);
	fn->at = ir_block_new(fn);
	ir_id lane = value[n++] = ir_op0(fn, IR_sysval, IR_I32), handle = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[lane].sub = SYSVAL_local_index;
	for (unsigned i = 0; i < 4; i++)
		mask[i] = ir_op2(fn, i ? IR_ult : IR_ine, IR_B1, lane, imm(fn, i));
	mask[4] = ir_const(fn, IR_B1, 1);
	for (unsigned i = 0; i < 34; i++) {
		ir_id x = value[rnd(n)], m = mask[rnd(3) ? rnd(2) : rnd(5)], off = ir_op2(fn, IR_iand, IR_I32, x, imm(fn, 60));
		ir_id args[6] = { m, handle, off, 0, value[rnd(n)], 0 };
		switch (rnd(7)) {
		case 0:
		case 1:
			value[n++] = ir_new(fn, IR_ldbuf, IR_I32, 4, args);
			break;
		case 2:
		case 3:
			ir_new(fn, IR_stbuf, IR_VOID, 5, args);
			break;
		case 4:
			value[n] = ir_new(fn, IR_atbuf, IR_I32, 6, args);
			fn->inst[value[n++]].sub = (uint16_t)rnd(ATOMIC_cmpxchg);
			break;
		case 5: /* a register that keeps its old value in the other lanes */
			value[n] = ir_op3(fn, IR_select, IR_I32, m, x, value[rnd(n)]);
			n++;
			break;
		default:
			value[n++] = mix(fn, x, i);
			break;
		}
	}
	for (unsigned i = 0; i < n; i++) {
		ir_id args[5] = { mask[rnd(5)], handle, imm(fn, i % 16 * 4), 0, mix(fn, value[i], i) };
		ir_new(fn, IR_stbuf, IR_VOID, 5, args);
	}
	ir_ret(fn);
	return fn;
}

static const char *run_masked(struct ir_fn *fn, struct memory *m)
{
	struct arena a;
	const char *why = NULL;

	for (unsigned i = 0; i < LANES * 16; i++)
		m->word[i / 16][i % 16] = i * 2654435761u;
	arena_init(&a, (size_t)1 << 28);
	struct eval_options o = { .io = { m, mem_load, mem_store, mem_atomic, NULL }, .arena = &a };
	cfg_order(fn);
	if (eval_run(fn, &o, &why) != EVAL_OK)
		why = "evaluation";
	arena_free(&a);
	return why;
}

static void guard(uint64_t s)
{
	struct arena a, scratch;
	struct diag_sink diag = { .emit = emit };
	struct memory before, after;

	arena_init(&a, (size_t)1 << 28);
	arena_init(&scratch, (size_t)1 << 28);
	struct ir_fn *fn = masked_code(&a);
	struct pass_ctx ctx = { .fn = fn, .scratch = &scratch, .diag = &diag };
	const char *why = run_masked(fn, &before);
	cfg_dominators(fn);
	if (!why && guard_run(&ctx) == PASS_REFUSED)
		why = "refused";
	why = why ? why : ir_verify(fn, &scratch);
	for (ir_id id = 1; id < fn->ninst && !why; id++)
		if ((ir_ops[fn->inst[id].op].fx & FX_MASK) && !ir_is_const(fn, ir_args(fn, id)[0], NULL))
			why = "a mask is left";
	why = why ? why : run_masked(fn, &after);
	if (!why && memcmp(&before, &after, sizeof before))
		why = "another result";
	if (why)
		report("guard", s, why);
	else
		passed++;
	arena_free(&a);
	arena_free(&scratch);
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000;

	for (uint64_t s = first; s < first + count; s++) {
		seed = s * 0x2545f4914f6cdd1dull | 1;
		guard(s);
	}
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
