/* fold_new_test.c - a run of `fold` over what an earlier one left is left out where nothing is new, and only there.
 *
 * A small function is folded, then changed in one place as passes do, and folded again: what the change makes possible must be found,
 * and a change that makes nothing possible must leave nothing for a run that looks at all. */
#include "../passes/fold.h"

#include <stdio.h>

enum pass_result fold_run(struct pass_ctx *);

static unsigned passed, failed;

/* b0: %x, %y = words; %c = condition; loads and a store; brc %c, b1, b2; b1, b2: br b3; b3: phis, stores of them; ret */
struct sample {
	struct arena a;
	struct ir_fn *fn;
	ir_id yes, x, y, c, far, handle, load, other, sum, pick, store, phi[2], stored;
};

static ir_id bind(struct ir_fn *fn, uint32_t res)
{
	ir_id b = ir_op1(fn, IR_bind, IR_RES, 0);

	fn->inst[b].imm = res;
	return b;
}

static ir_id store(struct sample *s, ir_id value)
{
	return ir_new(s->fn, IR_stbuf, IR_VOID, 5, (ir_id[]){ s->yes, s->handle, s->x, 0, value });
}

static ir_id sysval(struct ir_fn *fn, unsigned sub)
{
	ir_id v = ir_op0(fn, IR_sysval, IR_I32);

	fn->inst[v].sub = (uint16_t)sub;
	return v;
}

static enum pass_result fold(struct sample *s)
{
	struct arena scratch;
	struct pass_ctx ctx = { .fn = s->fn, .scratch = &scratch };

	arena_init(&scratch, 16u << 20);
	cfg_order(s->fn);
	cfg_dominators(s->fn);
	enum pass_result r = fold_run(&ctx);
	arena_free(&scratch);
	return r;
}

static void start(struct sample *s)
{
	struct ir_fn *fn;
	uint32_t b[4];

	arena_init(&s->a, 16u << 20);
	s->fn = fn = ir_fn_new(&s->a, "sample");
	fn->wave = 32;
	fn->ssa = true;
	for (unsigned k = 0; k < 4; k++)
		b[k] = ir_block_new(fn);
	for (uint32_t k = 0; k < 3; k++)
		ir_resource_new(fn, &(struct ir_resource){ .kind = k ? RES_UNIFORM_BUFFER : RES_STORAGE_BUFFER, .binding = k, .count = 1 });
	fn->entry = fn->at = b[0];
	s->yes = ir_const(fn, IR_B1, 1);
	s->x = sysval(fn, SYSVAL_lane_id);
	s->y = sysval(fn, SYSVAL_local_index);
	ir_id three = ir_const(fn, IR_I32, 3), four = ir_const(fn, IR_I32, 4);
	s->c = ir_op2(fn, IR_ieq, IR_B1, s->y, three);
	s->far = ir_op2(fn, IR_iadd, IR_I32, s->x, four);
	s->handle = bind(fn, 0);
	ir_id one = bind(fn, 1), two = bind(fn, 2);
	s->load = ir_new(fn, IR_ldbuf, IR_I32, 4, (ir_id[]){ s->yes, one, s->x, 0 });
	s->other = ir_new(fn, IR_ldbuf, IR_I32, 4, (ir_id[]){ s->yes, two, s->x, 0 });
	s->sum = ir_op2(fn, IR_isub, IR_I32, s->load, s->other);
	s->pick = ir_op3(fn, IR_select, IR_I32, s->c, s->sum, s->far);
	s->store = store(s, s->pick);
	ir_brc(fn, s->c, b[1], b[2]);
	for (unsigned k = 1; k < 3; k++) {
		fn->at = b[k];
		ir_br(fn, b[3]);
	}
	for (unsigned k = 0; k < 2; k++) {
		s->phi[k] = ir_phi(fn, b[3], IR_I32);
		ir_phi_add(fn, s->phi[k], s->sum);
		ir_phi_add(fn, s->phi[k], k ? s->x : s->pick);
	}
	fn->at = b[3];
	ir_id both = ir_op2(fn, IR_isub, IR_I32, s->phi[0], s->phi[1]);
	s->stored = store(s, both);
	ir_ret(fn);
	fold(s);
	s->handle = fn->inst[s->stored].x.ext[1];
}

/* The value that the last store writes, of which it is the last operand. */
static ir_id written(const struct sample *s, ir_id st)
{
	return ir_args(s->fn, st)[4];
}

static void end(struct sample *s, const char *what, bool ok)
{
	ok ? passed++ : failed++;
	if (!ok) {
		printf("FAIL %s\n", what);
		ir_print(s->fn, stdout);
	}
	arena_free(&s->a);
}

/* Nothing is left for a run that takes nothing for settled. */
static bool done(struct sample *s)
{
	if (fold(s) != PASS_SAME)
		return false;
	ir_for_order(s->fn, b)
		ir_for_insts(s->fn, b, id)
			s->fn->inst[id].flags &= (uint16_t)~IR_F_SETTLED;
	return fold(s) == PASS_SAME;
}

int main(void)
{
	struct sample s;

	start(&s);
	end(&s, "as it was", done(&s));

	start(&s);
	ir_set_arg(s.fn, s.other, 0, ir_const(s.fn, IR_B1, 1));
	ir_set_arg(s.fn, s.store, 2, s.y);
	end(&s, "another place", done(&s));

	start(&s);
	ir_set_arg(s.fn, s.store, 2, s.far);
	fold(&s);
	end(&s, "an offset that is a sum", ir_args(s.fn, s.store)[2] == s.x && s.fn->inst[s.store].imm == 4 && done(&s));

	start(&s);
	ir_set_arg(s.fn, s.store, 0, s.c);
	fold(&s);
	end(&s, "a mask that decides a choice", written(&s, s.store) == s.sum && done(&s));

	start(&s);
	ir_set_arg(s.fn, s.phi[0], 1, s.sum);
	fold(&s);
	end(&s, "a phi of one value", s.fn->inst[written(&s, s.stored)].a[0] == s.sum && done(&s));

	start(&s);
	ir_set_arg(s.fn, s.phi[0], 1, s.far);
	end(&s, "a phi of other values", done(&s));

	start(&s);
	ir_set_arg(s.fn, s.phi[0], 1, s.x);
	fold(&s);
	uint64_t k = 1;
	end(&s, "two phis that are one", ir_is_const(s.fn, written(&s, s.stored), &k) && !k && done(&s));

	start(&s);
	s.fn->inst[ir_args(s.fn, s.other)[1]].imm = 1; /* another handle of the same buffer */
	s.fn->inst[s.other].flags &= (uint16_t)~IR_F_SETTLED;
	s.fn->inst[ir_args(s.fn, s.other)[1]].flags &= (uint16_t)~IR_F_SETTLED;
	fold(&s);
	k = 1;
	end(&s, "two loads that are one", ir_is_const(s.fn, s.fn->inst[s.pick].a[1], &k) && !k && done(&s));

	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
