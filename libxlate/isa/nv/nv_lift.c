/* nv_lift.c - NVIDIA machine code to IR: the driver. Blocks in address order, one lifter call per instruction. */
#include "nv_lift.h"

#include <stdarg.h>
#include <stdio.h>

nv_lifter *const nv_lifters[NV_OP_COUNT] = {
#define INST(id, name, text, shape, lifter, flags) [NV_##id] = lifter,
#define E53(...)
#define E86(...)
#include "nv.def"
#undef INST
#undef E53
#undef E86
};

static const char *const file_names[] = {
	[NV_FILE_GPR] = "r", [NV_FILE_UGPR] = "ur", [NV_FILE_PRED] = "p", [NV_FILE_UPRED] = "up", [NV_FILE_SPECIAL] = "cc",
};

void nv_refuse(struct nv_lift *l, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!l->failed)
		diag_emit(l->ctx->diag, DIAG_UNLIFTED, l->in ? l->in->offset : DIAG_NO_ADDR, "%s", text);
	l->failed = true;
}

/* The first instruction follows the setup of registers in one block, unless something else leads to it. */
static void place_entry(struct nv_lift *l)
{
	uint32_t entry = nv_slot(l, l->entry);

	for (uint32_t s = 0; s < entry; s++)
		l->leader[entry] |= l->at[s] != NULL;
	if (!l->leader[entry])
		l->block[entry] = l->fn->entry + 1;
}

static bool make_blocks(struct nv_lift *l)
{
	place_entry(l);
	for (uint32_t s = 0; s < l->nslot; s++) {
		if (!l->leader[s] || !l->at[s])
			continue;
		if (l->fn->nblock >= LIFT_MAX_BLOCKS) {
			diag_emit(l->ctx->diag, DIAG_TOO_LARGE, s * l->step, "more than %u blocks", (unsigned)LIFT_MAX_BLOCKS);
			return false;
		}
		l->block[s] = ir_block_new(l->fn) + 1;
		l->fn->block[l->block[s] - 1].addr = s * l->step;
	}
	return true;
}

static void lift_inst(struct nv_lift *l, const struct nv_inst *in)
{
	l->in = in;
	l->fn->addr = in->offset;
	if (!nv_lifters[in->op]) {
		nv_refuse(l, "%s is decoded but not translated", nv_rows[in->op].name);
		return;
	}
	if (in->guard.index == NV_PT && in->guard.inv)
		return; /* never executed */
	if (in->m[NVM_CC]) {
		nv_refuse(l, "condition flags of this operation");
		return;
	}
	l->guard = in->guard.index == NV_PT ? 0 : nv_reg_guard(l);
	nv_lifters[in->op](l);
	nv_reg_flush(l);
}

static void lift_block(struct nv_lift *l, uint32_t s)
{
	uint32_t offset = s * l->step;

	if (l->block[s] - 1 != l->fn->entry)
		nv_block_begin(l, l->block[s] - 1);
	for (;;) {
		lift_inst(l, l->at[s]);
		if (l->ended || l->failed)
			return;
		offset = nv_after(l, offset);
		s = nv_slot(l, offset);
		/* behind an unconditional branch that never is */
		if (s >= l->nslot || !l->at[s]) {
			nv_refuse(l, "control goes on into code that was not reached");
			return;
		}
		if (l->block[s]) {
			nv_block_end(l);
			ir_br(l->fn, l->block[s] - 1);
			return;
		}
	}
}

static void init_regs(struct nv_lift *l)
{
	for (uint32_t i = 0; i < l->facts->ninit; i++) {
		const struct fact_init *f = &l->facts->init[i];
		ir_id v;

		if (f->file != NV_FILE_GPR || f->index >= NV_RZ_REG || f->kind == INIT_PACKED_LOCAL_ID)
			continue;
		if (f->kind == INIT_ROOT) {
			v = ir_op0(l->fn, IR_root, IR_I32);
			l->fn->inst[v].imm = f->root;
		} else {
			v = nv_sysval(l, f->sysval, f->comp);
		}
		nv_reg_init(l, f->index, v);
	}
}

int nv_lift(struct lift_ctx *ctx)
{
	struct nv_lift *l = arena_new(ctx->scratch, struct nv_lift);
	uint32_t entry;

	l->ctx = ctx;
	l->fn = ctx->fn;
	l->facts = ctx->facts;
	l->step_log = ctx->cpu->column == NV_SM53 ? 3 : 4;
	l->step = 1u << l->step_log;
	if (ctx->exec_size > LIFT_MAX_BYTES || ctx->exec_size > ctx->size) {
		diag_emit(ctx->diag, DIAG_TOO_LARGE, DIAG_NO_ADDR, "%u bytes of code", ctx->exec_size);
		return -1;
	}
	if (!nv_cfg_discover(l))
		return -1;
	ir_reserve(l->fn, 64 + 5 * l->nslot);
	l->fn->files = file_names;
	entry = ir_block_new(l->fn);
	l->fn->entry = entry;
	if (!make_blocks(l))
		return -1;
	nv_block_begin(l, entry);
	l->fn->before = 0;
	l->fn->addr = l->entry;
	init_regs(l);
	if (l->leader[nv_slot(l, l->entry)]) {
		nv_block_end(l);
		ir_br(l->fn, l->block[nv_slot(l, l->entry)] - 1);
	}
	for (uint32_t s = 0; s < l->nslot && !l->failed; s++)
		if (l->block[s])
			lift_block(l, s);
	l->fn->addr = DIAG_NO_ADDR;
	return l->failed ? -1 : 0;
}
