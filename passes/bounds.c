/* bounds.c - the guest's rule for out-of-range accesses under --bounds exact: reads give 0, writes vanish.
 *
 * The lifter marks the accesses that the guest checks (IR_F_BOUNDS). Buffers are left to the host where its robust access has
 * the granularity of a word (robustBufferAccess2; emission then accesses word by word). Everything else gets a condition:
 *
 * Before                                        After
 *   %1 = ldbuf %m, %h, %o, -, imm 4 !bounds       %2 = buflen %h
 *                                                 %3 = ult (iadd %o, 4), %2
 *                                                 %4 = ldbuf (iand %m, %3), %h, %o, -, imm 4
 *                                                 %1 = select %3, %4, 0
 *
 * A buffer is judged element by element, workgroup memory access by access. Where the offset is provably in range (constant
 * sizes) nothing is added. Sizes of storage buffers are the binding's, in whole words.
 */
#include "pass.h"
#include "upper.h"

struct bounds {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	const struct facts *facts;
	ir_id *map;
	uint32_t checks, proven, host;
	bool refused;
};

struct access {
	ir_id id, off;
	unsigned bytes, n;   /* of one element; elements */
	bool shared, load, store, host;
	uint64_t limit;      /* bytes where known, else UINT64_MAX */
	ir_id buffer;        /* its buflen is the limit */
};

static ir_id c32(struct bounds *b, uint64_t k)
{
	return ir_const(b->fn, IR_I32, k);
}

static void refuse(struct bounds *b, ir_id id, const char *what)
{
	diag_emit(b->ctx->diag, DIAG_MISSING_FEATURE, b->fn->inst[id].addr, "%s", what);
	b->refused = true;
}

/* Whether the host's own check will do. */
static bool robust(const struct fact_target *t, const struct ir_resource *q)
{
	if (!t || !t->robust2)
		return false;
	switch (q->kind) {
	case RES_STORAGE_BUFFER: return t->robust_storage_align <= 4;
	case RES_UNIFORM_BUFFER: return t->robust_uniform_align <= 4 || (q->size && q->size % t->robust_uniform_align == 0);
	default: return q->kind == RES_UNIFORM_TEXEL || q->kind == RES_STORAGE_TEXEL;
	}
}

/* False: the access needs no check by code. */
static bool describe(struct bounds *b, ir_id id, struct access *a)
{
	const struct ir_inst *i = &b->fn->inst[id];
	const ir_id *arg = ir_args(b->fn, id);
	ir_type t = i->type;

	*a = (struct access){ .id = id, .limit = UINT64_MAX };
	a->shared = i->op == IR_ldshared || i->op == IR_stshared || i->op == IR_atshared;
	a->load = i->op == IR_ldbuf || i->op == IR_ldshared;
	a->store = i->op == IR_stbuf || i->op == IR_stshared;
	if (a->store)
		t = b->fn->inst[arg[a->shared ? 2 : 4]].type;
	a->bytes = ir_bits(t) / 8;
	a->n = ir_elems(t);
	a->off = arg[a->shared ? 1 : 2];
	if (a->shared) {
		a->limit = b->facts->shared_bytes;
		return true;
	}
	if (b->fn->inst[arg[1]].op != IR_bind || b->fn->inst[arg[1]].imm >= b->fn->nres)
		return false; /* refused later, with its own reason */
	const struct ir_resource *q = &b->fn->res[b->fn->inst[arg[1]].imm];
	if (robust(b->facts->target, q)) {
		b->host++;
		a->host = true;
		return false;
	}
	a->buffer = arg[1];
	if (q->kind == RES_CONST_DATA || q->kind == RES_PUSH || (q->kind == RES_UNIFORM_BUFFER && q->size))
		a->limit = q->size;
	else if (q->kind != RES_STORAGE_BUFFER)
		refuse(b, id, "exact bounds of this buffer need robustBufferAccess2 at the granularity of a word");
	return !b->refused;
}

/* Is `size` bytes at the offset plus `at` inside? A constant: known. */
static ir_id inside(struct bounds *b, const struct access *a, uint32_t at, unsigned size, ir_id length)
{
	struct ir_fn *fn = b->fn;
	uint64_t last = upper_word(b->fn, a->off, 8) + at;

	if (a->limit != UINT64_MAX && last <= UINT32_MAX && last + size <= a->limit) {
		b->proven++;
		return ir_const(fn, IR_B1, 1);
	}
	if (a->limit != UINT64_MAX && a->limit < size)
		return ir_const(fn, IR_B1, 0);
	b->checks++;
	ir_id from = at ? ir_op2(fn, IR_iadd, IR_I32, a->off, c32(b, at)) : a->off;
	if (a->limit != UINT64_MAX)
		return ir_op2(fn, IR_ule, IR_B1, from, c32(b, a->limit - size));
	if (size <= 4) /* elements are aligned, and the length is whole words */
		return ir_op2(fn, IR_ult, IR_B1, from, length);
	ir_id room = ir_op2(fn, IR_ule, IR_B1, c32(b, size), length);
	ir_id fits = ir_op2(fn, IR_ule, IR_B1, from, ir_op2(fn, IR_isub, IR_I32, length, c32(b, size)));
	return ir_op2(fn, IR_iand, IR_B1, room, fits);
}

static bool is_true(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;

	return ir_is_const(fn, v, &k) && k;
}

static ir_id both(struct ir_fn *fn, ir_id m, ir_id in)
{
	return is_true(fn, m) ? in : is_true(fn, in) ? m : ir_op2(fn, IR_iand, IR_B1, m, in);
}

/* A copy of the access under a further condition: element k, or all of it (k < 0). */
static ir_id copy(struct bounds *b, const struct access *a, ir_id in, int k)
{
	struct ir_fn *fn = b->fn;
	ir_type t = fn->inst[a->id].type;
	ir_id arg[8], v;
	unsigned n = ir_nargs(fn, a->id);
	uint16_t flags = (uint16_t)(fn->inst[a->id].flags & ~IR_F_BOUNDS), align = (uint16_t)((flags & IR_F_ALIGN_MASK) >> IR_F_ALIGN_SHIFT);

	for (unsigned j = 0; j < n && j < 8; j++)
		arg[j] = ir_args(fn, a->id)[j];
	arg[0] = both(fn, arg[0], in);
	if (k >= 0) {
		while (k && align && (unsigned)k * a->bytes % (1u << align))
			align--;
		flags = (uint16_t)((flags & ~IR_F_ALIGN_MASK) | align << IR_F_ALIGN_SHIFT);
		t = (ir_type)ir_base(t);
		if (a->store) {
			unsigned last = a->shared ? 2 : 4;
			arg[last] = ir_op1(fn, IR_elem, (ir_type)ir_base(fn->inst[arg[last]].type), arg[last]);
			fn->inst[arg[last]].imm = (uint64_t)k;
			t = IR_VOID;
		}
	}
	v = ir_new(fn, (enum ir_op)fn->inst[a->id].op, t, n, arg);
	fn->inst[v].sub = fn->inst[a->id].sub;
	fn->inst[v].imm = fn->inst[a->id].imm + (k > 0 ? (unsigned)k * a->bytes : 0);
	fn->inst[v].flags = flags;
	if (a->store || is_true(fn, in))
		return v;
	return ir_op3(fn, IR_select, t, in, v, ir_const(fn, t, 0));
}

static void check(struct bounds *b, ir_id id)
{
	struct ir_fn *fn = b->fn;
	struct access a;
	uint32_t at = (uint32_t)fn->inst[id].imm;
	ir_id in[4], part[4], length = 0;
	bool all = true;

	if (!describe(b, id, &a) || a.n > 4 || b->refused) {
		if (!a.host) /* the flag that stays tells emission to go word by word */
			fn->inst[id].flags &= (uint16_t)~IR_F_BOUNDS;
		return;
	}
	fn->at = fn->inst[id].block;
	fn->before = id;
	fn->addr = fn->inst[id].addr;
	if (a.limit == UINT64_MAX)
		length = ir_op1(fn, IR_buflen, IR_I32, a.buffer);
	for (unsigned k = 0; k < a.n; k++) {
		if (a.shared && k)
			in[k] = in[0];
		else
			in[k] = inside(b, &a, at + k * a.bytes, a.shared ? a.bytes * a.n : a.bytes, length);
		all &= is_true(fn, in[k]);
	}
	fn->inst[id].flags &= (uint16_t)~IR_F_BOUNDS;
	if (all)
		return;
	if (a.n == 1) {
		b->map[id] = copy(b, &a, in[0], -1);
	} else {
		for (unsigned k = 0; k < a.n; k++)
			part[k] = copy(b, &a, in[k], (int)k);
		if (a.load)
			b->map[id] = ir_new(fn, IR_vec, fn->inst[id].type, a.n, part);
	}
	if (a.store)
		b->map[id] = 0;
	ir_remove(fn, id);
}

enum pass_result bounds_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct bounds b = { .ctx = ctx, .fn = fn, .facts = ctx->facts };
	uint32_t n = fn->ninst;

	if (ctx->facts->bounds != BOUNDS_EXACT)
		return PASS_SAME;
	b.map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, o)
		ir_for_insts(fn, o, id)
			if (id < n && (fn->inst[id].flags & IR_F_BOUNDS))
				check(&b, id);
	fn->before = 0;
	if (b.refused)
		return PASS_REFUSED;
	ir_map_apply(fn, b.map);
	if (b.checks + b.proven + b.host)
		diag_remark(ctx->diag, "bounds", DIAG_NO_ADDR, "%u checks by code, %u accesses left to the host's robust access, %u proven",
		            b.checks, b.host, b.proven);
	return PASS_CHANGED;
}
