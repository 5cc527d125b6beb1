/* lift.c - AMD programs to IR: decode what is reachable, find blocks, lift each instruction through its table row.
 *
 * Only instructions that control reaches are decoded: constant data follows the code. The program starts in a block
 * of its own (register setup), so that the first instruction may be a loop head.
 */
#include "lift_amd.h"

#include <stdarg.h>
#include <string.h>

#define L(name, op, arg) { lift_##name, IR_##op, (arg) }
#define LA(name, op, arg) { lift_##name, ATOMIC_##op, (arg) }
#define NONE { 0, 0, 0 }
const struct lift_row lift_rows[AMD_OP_COUNT] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) [AMD_##mnemonic##_##enc] = lifter,
#include "amd.def"
#undef INST
};
#undef L
#undef LA
#undef NONE

static void refuse(struct amd_lift *l, enum diag_code code, uint32_t addr, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void refuse(struct amd_lift *l, enum diag_code code, uint32_t addr, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (l->failed) /* the first reason is the one that counts */
		return;
	l->failed = true;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = arena_alloc(l->ctx->scratch, (size_t)n + 1);
	va_start(ap, fmt);
	if (text)
		vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	diag_emit(l->ctx->diag, code, addr, "%s", text ? text : "");
}

void lift_refuse(struct amd_lift *l, const char *fmt, ...)
{
	va_list ap;
	char text[200];

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	refuse(l, DIAG_UNLIFTED, l->in->offset_in_code, "%s: %s", amd_mnemonic(l->in->op), text);
}

/* ---- decoding what is reachable */
struct reach {
	uint32_t *work; /* offsets to visit, as a stack */
	uint32_t n;
	size_t cap;
	uint8_t *seen;  /* per dword: 1 an instruction starts here, 2 inside one, 4 a block starts here */
};

static void visit(struct amd_lift *l, struct reach *q, int64_t target, uint32_t from)
{
	if (target < 0 || target >= l->ctx->exec_size || target & 3) {
		refuse(l, DIAG_BAD_BRANCH, from, "branch to %lld of %u bytes", (long long)target, l->ctx->exec_size);
		return;
	}
	l->first_exec &= from == target || target != l->ctx->entry; /* the entry is no loop head */
	q->seen[target / 4] |= 4;
	if (q->seen[target / 4] & 1)
		return;
	q->work = arena_grow(l->ctx->scratch, q->work, q->n, &q->cap, q->n + 1u, sizeof *q->work);
	q->work[q->n++] = (uint32_t)target;
}

static bool decode_at(struct amd_lift *l, struct reach *q, uint32_t at, struct amd_inst *in)
{
	struct lift_ctx *c = l->ctx;

	if (at >= c->exec_size) {
		refuse(l, DIAG_NO_END, at, "no end of program before %u", c->exec_size);
		return false;
	}
	int n = amd_decode(c->cpu, c->wave, c->code, c->exec_size, at, in);
	if (n <= 0) {
		uint32_t w = 0;
		for (unsigned i = 0; i < 4 && at + i < c->size; i++)
			w |= (uint32_t)c->code[at + i] << 8 * i;
		refuse(l, n == ISA_E_TRUNCATED ? DIAG_TRUNCATED : DIAG_BAD_ENCODING, at, "no instruction in 0x%08x", w);
		return false;
	}
	for (int i = 0; i < n / 4; i++) {
		if (q->seen[at / 4 + (uint32_t)i] & (i ? 7 : 2)) {
			refuse(l, DIAG_BAD_BRANCH, at, "a branch lands inside an instruction");
			return false;
		}
		q->seen[at / 4 + (uint32_t)i] |= i ? 2 : 1;
	}
	return true;
}

static void decode_all(struct amd_lift *l)
{
	struct lift_ctx *c = l->ctx;
	uint32_t words = c->exec_size / 4 + 1;
	struct reach q = { .seen = arena_array(c->scratch, uint8_t, words) };
	size_t cap = 0;
	struct amd_inst *list = NULL, in;
	uint32_t n = 0;

	l->first_exec = true;
	visit(l, &q, c->entry, c->entry);
	while (q.n && !l->failed) {
		uint32_t at = q.work[--q.n];
		while (!l->failed && !(at < c->exec_size && (q.seen[at / 4] & 1)) && decode_at(l, &q, at, &in)) {
			list = arena_grow(c->scratch, list, n, &cap, n + 1u, sizeof *list);
			list[n++] = in;
			if ((in.flags & ISA_F_BRANCH) && lift_rows[in.op].fn && lift_rows[in.op].fn != lift_s_endpgm)
				visit(l, &q, in.branch_target, at);
			at += in.length;
			if (in.flags & ISA_F_END)
				break;
			if ((in.flags & ISA_F_BRANCH) && lift_rows[in.op].fn == lift_s_branch)
				break;
			if ((in.flags & ISA_F_BRANCH) && at < c->exec_size)
				q.seen[at / 4] |= 4;
		}
	}
	if (l->failed)
		return;
	/* by address */
	l->inst = arena_array(c->scratch, struct amd_inst, n + 1);
	l->at = arena_array(c->scratch, uint32_t, words);
	l->block = arena_array(c->scratch, uint32_t, words);
	for (uint32_t i = 0; i < n; i++)
		l->at[list[i].offset_in_code / 4] = i + 1;
	for (uint32_t w = 0; w < words; w++) {
		if (!l->at[w])
			continue;
		l->inst[l->ninst] = list[l->at[w] - 1];
		l->at[w] = ++l->ninst;
		if (q.seen[w] & 4)
			l->block[w] = UINT32_MAX;
	}
}

/* ---- blocks */
static void make_blocks(struct amd_lift *l)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->ninst; i++) {
		uint32_t at = l->inst[i].offset_in_code;
		if (!l->block[at / 4])
			continue;
		if (++count > LIFT_MAX_BLOCKS) {
			refuse(l, DIAG_TOO_LARGE, at, "more than %u blocks", (unsigned)LIFT_MAX_BLOCKS);
			return;
		}
		uint32_t b = ir_block_new(l->fn);
		l->fn->block[b].addr = at;
		l->block[at / 4] = b + 1;
	}
}

uint32_t lift_block_at(struct amd_lift *l, int64_t offset)
{
	if (offset >= 0 && offset < l->ctx->exec_size && l->block[offset / 4])
		return l->block[offset / 4] - 1;
	refuse(l, DIAG_BAD_BRANCH, l->in->offset_in_code, "branch to %lld", (long long)offset);
	return l->fn->entry;
}

static void lift_inst(struct amd_lift *l, const struct amd_inst *in)
{
	const struct lift_row *row = &lift_rows[in->op];

	l->in = in;
	l->fn->addr = in->offset_in_code;
	l->enable = 0;
	if (!row->fn) {
		char text[128];
		amd_print(l->ctx->cpu, in, text, sizeof text);
		refuse(l, DIAG_UNLIFTED, in->offset_in_code, "%s: %s", amd_mnemonic(in->op), text);
		return;
	}
	row->fn(l, row);
	if (!l->ended)
		lift_flush(l);
}

static void lift_all(struct amd_lift *l)
{
	l->ended = true;
	for (uint32_t i = 0; i < l->ninst && !l->failed; i++) {
		const struct amd_inst *in = &l->inst[i];
		uint32_t b = l->block[in->offset_in_code / 4];
		if (b) {
			if (!l->ended) {
				l->fn->addr = in->offset_in_code;
				ir_br(l->fn, b - 1);
			}
			l->fn->at = b - 1;
			l->ended = false;
			l->mbcnt.valid = false;
			l->first_exec &= in->offset_in_code == l->ctx->entry;
		}
		lift_inst(l, in);
	}
	l->fn->addr = DIAG_NO_ADDR;
}

static bool is_full(const struct ir_fn *fn, unsigned wave)
{
	uint64_t n = (uint64_t)fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];

	return fn->stage == STAGE_COMPUTE && n && n % wave == 0;
}

int amd_lift(struct lift_ctx *c)
{
	static const char *const files[] = { "s", "v", "mask", "special" };
	struct amd_lift *l = arena_new(c->scratch, struct amd_lift);

	l->ctx = c;
	l->fn = c->fn;
	l->facts = c->facts;
	l->wave = c->wave;
	l->gfx7 = c->cpu->waves == 64; /* the generation without wave32 */
	l->full = is_full(c->fn, c->wave);
	c->fn->files = files;
	if (c->exec_size > c->size || c->size > LIFT_MAX_BYTES || c->entry >= c->exec_size || (c->entry & 3)) {
		refuse(l, DIAG_BAD_RECORD, DIAG_NO_ADDR, "code of %u bytes, %u executable, entry %u", c->size, c->exec_size,
			c->entry);
		return -1;
	}
	decode_all(l);
	if (l->failed)
		return -1;
	c->fn->entry = ir_block_new(c->fn);
	make_blocks(l);
	if (l->failed)
		return -1;
	lift_scan(l);
	c->fn->at = c->fn->entry;
	c->fn->addr = DIAG_NO_ADDR;
	l->in = &l->inst[0];
	lift_init_regs(l);
	ir_br(c->fn, lift_block_at(l, c->entry));
	lift_all(l);
	return l->failed ? -1 : 0;
}
