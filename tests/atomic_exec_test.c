/* atomic_exec_test.c - every atomic, of 32 and 64 bits, emitted and run on lavapipe: on a storage buffer, through a raw address, on
 * shared memory, and on shared memory of which another atomic makes 64-bit words. Each case puts a value there, and compares what
 * the atomic returns and what it leaves with a reference written from the definitions of AMD's instruction set documents.
 *
 *	atomic_exec_test
 */
#include "gpu.h"

enum place { BUFFER, ADDRESS, SHARED, MIXED, PLACES };
enum { CASES = 8 * GROUP, OUT_AT = 4096 /* byte of the output buffer where the atomics' words are */ };
static const char *const places[PLACES] = {"buffer", "address", "shared", "mixed shared"};
static const char *const names[ATOMIC_COUNT] = {
#define X(n) [ATOMIC_##n] = #n,
	IR_ATOMICS(X)
#undef X
};

/* ---- the reference */
static double number(uint64_t v, unsigned w)
{
	float f;
	double d;
	uint32_t u = (uint32_t)v;

	memcpy(&f, &u, 4);
	memcpy(&d, &v, 8);
	return w == 32 ? (double)f : d;
}

static uint64_t sum(uint64_t a, uint64_t b, unsigned w)
{
	double d = number(a, w) + number(b, w);
	float f = (float)d;
	uint32_t u;
	uint64_t v;

	memcpy(&u, &f, 4);
	memcpy(&v, &d, 8);
	return w == 32 ? u : v;
}

static uint64_t after(unsigned op, unsigned w, uint64_t old, uint64_t a, uint64_t b)
{
	int64_t so = w == 32 ? (int32_t)old : (int64_t)old, sa = w == 32 ? (int32_t)a : (int64_t)a;

	switch (op) {
	case ATOMIC_add: return old + a;
	case ATOMIC_sub: return old - a;
	case ATOMIC_rsub: return a - old;
	case ATOMIC_csub: return old < a ? 0 : old - a;
	case ATOMIC_smin: return so < sa ? old : a;
	case ATOMIC_smax: return so > sa ? old : a;
	case ATOMIC_umin: return old < a ? old : a;
	case ATOMIC_umax: return old > a ? old : a;
	case ATOMIC_and: return old & a;
	case ATOMIC_or: return old | a;
	case ATOMIC_xor: return old ^ a;
	case ATOMIC_xchg: return a;
	case ATOMIC_cmpxchg: return old == a ? b : old;
	case ATOMIC_inc: return old >= a ? 0 : old + 1;
	case ATOMIC_dec: return !old || old > a ? a : old - 1;
	case ATOMIC_fadd: return sum(old, a, w);
	case ATOMIC_fmin: return number(old, w) < number(a, w) ? old : a;
	case ATOMIC_fmax: return number(old, w) > number(a, w) ? old : a;
	case ATOMIC_fcmpxchg: return number(old, w) == number(a, w) ? b : old;
	case ATOMIC_mskor: return (old & ~a) | b;
	case ATOMIC_wrap: return old >= a ? old - a : old + b;
	default: return 0;
	}
}

/* ---- the program: case i reads old, a, b, writes what the atomic returns and what it leaves */
static ir_id from_in(struct ir_fn *fn, ir_type t, ir_id i, unsigned k)
{
	ir_id at = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, 24));
	ir_id v = ir_new(fn, IR_ldbuf, t, 4, (ir_id[]){ir_const(fn, IR_B1, 1), gpu_buffer(fn, 0), at, 0});

	fn->inst[v].imm = 8 * k;
	fn->inst[v].flags = 3 << IR_F_ALIGN_SHIFT;
	return v;
}

static void to_out(struct ir_fn *fn, ir_id at, unsigned add, ir_id v)
{
	ir_id id = ir_new(fn, IR_stbuf, IR_VOID, 5, (ir_id[]){ir_const(fn, IR_B1, 1), gpu_buffer(fn, 1), at, 0, v});

	fn->inst[id].imm = add;
	fn->inst[id].flags = 3 << IR_F_ALIGN_SHIFT;
}

struct slot { enum place p; ir_id at, address; };

static ir_id on_slot(struct ir_fn *fn, const struct slot *s, enum ir_op shared, enum ir_op ptr, enum ir_op buf, ir_type t, ir_id a, ir_id b)
{
	ir_id arg[6], yes = ir_const(fn, IR_B1, 1), v;
	unsigned n = 0;
	enum ir_op op = s->p == BUFFER ? buf : s->p == ADDRESS ? ptr : shared;

	arg[n++] = yes;
	if (s->p == BUFFER)
		arg[n++] = gpu_buffer(fn, 1);
	arg[n++] = s->p == ADDRESS ? s->address : s->at;
	if (s->p == BUFFER)
		arg[n++] = 0;
	if (a)
		arg[n++] = a;
	if (a && t != IR_VOID)
		arg[n++] = b;
	v = ir_new(fn, op, t, n, arg);
	fn->inst[v].imm = s->p == BUFFER ? OUT_AT : 0;
	fn->inst[v].flags = (uint16_t)(3 << IR_F_ALIGN_SHIFT | (t == IR_VOID || !a ? SCOPE_LANE : SCOPE_DEVICE) << IR_F_SCOPE_SHIFT);
	return v;
}

static struct ir_fn *program(struct arena *mem, enum place p, unsigned op, unsigned w, uint64_t address)
{
	struct ir_fn *fn = ir_fn_new(mem, "atomic");
	ir_type t = ir_int_of_bits(w), at = op >= ATOMIC_fadd && op <= ATOMIC_fmax ? w == 64 ? IR_F64 : IR_F32 : t;
	ir_id i, local, old, a, b, got, left;
	struct slot s = {.p = p};

	i = gpu_program(fn, &local);
	fn->shared_bytes = 2 * GROUP * 8;
	old = from_in(fn, t, i, 0);
	a = from_in(fn, at, i, 1);
	b = ir_atomic_two(op) ? from_in(fn, t, i, 2) : 0;
	s.at = ir_op2(fn, IR_shl, IR_I32, p >= SHARED ? local : i, ir_const(fn, IR_I32, 3));
	s.address = ir_op2(fn, IR_iadd, IR_I64, ir_const(fn, IR_I64, address + OUT_AT), ir_op1(fn, IR_zext, IR_I64, s.at));
	if (p == MIXED) { /* a word of this lane's that a 64-bit atomic leaves as it is; 32-bit ones take the upper half of theirs */
		struct slot o = {.p = p, .at = ir_op2(fn, IR_iadd, IR_I32, s.at, ir_const(fn, IR_I32, GROUP * 8))};
		ir_id v = on_slot(fn, &o, IR_atshared, IR_atptr, IR_atbuf, IR_I64, ir_const(fn, IR_I64, 0), 0);
		fn->inst[v].sub = ATOMIC_or;
		if (w == 32)
			s.at = ir_op2(fn, IR_iadd, IR_I32, s.at, ir_const(fn, IR_I32, 4));
	}
	on_slot(fn, &s, IR_stshared, IR_stptr, IR_stbuf, IR_VOID, old, 0);
	got = on_slot(fn, &s, IR_atshared, IR_atptr, IR_atbuf, at, a, b);
	fn->inst[got].sub = (uint16_t)op;
	fn->inst[got].flags |= op == ATOMIC_smin || op == ATOMIC_smax ? IR_F_SIGNED : 0;
	left = on_slot(fn, &s, IR_ldshared, IR_ldptr, IR_ldbuf, t, 0, 0);
	ir_id to = ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 4));
	to_out(fn, to, 4 * OUT_AT, at == t ? got : ir_op1(fn, IR_bitcast, t, got));
	to_out(fn, to, 4 * OUT_AT + 8, left);
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

/* Numbers for floats: halves of small integers, so that sums are exact, and never both zeros. */
static uint64_t value(uint32_t k, unsigned w, bool flt, uint64_t old, uint32_t *x)
{
	static const uint64_t edge[] = {0, 1, 2, UINT64_MAX, 1ull << 63, 0x80000000, 0x7fffffff, 0xffffffff, 5, 6};
	uint64_t v;
	double d;
	float f;
	uint32_t u;

	*x = *x * 1664525 + 1013904223;
	if (k % 7 == 3)
		return old;
	if (!flt)
		return k % 3 ? (uint64_t)*x << 32 | *x >> 3 : edge[(*x >> 8) % (sizeof edge / 8)];
	d = ((int)(*x >> 20) - 2048) / 2.0 + 0.25;
	f = (float)d;
	memcpy(&u, &f, 4);
	memcpy(&v, &d, 8);
	return w == 32 ? u : v;
}

static void run(struct test *t, enum place p, unsigned op, unsigned w)
{
	struct arena a;
	struct facts facts = {.target = target_find("lavapipe"), .addresses = ADDRESS_HOST};
	struct spirv_module m;
	uint64_t *in = t->gpu->in, *out = t->gpu->out + 4 * OUT_AT / 8, mask = w == 32 ? UINT32_MAX : UINT64_MAX;
	bool flt = (op >= ATOMIC_fadd && op <= ATOMIC_fmax) || op == ATOMIC_fcmpxchg;
	unsigned bad = 0;

	arena_init(&a, 64u << 20);
	struct spirv_input si = {.fn = program(&a, p, op, w, t->gpu->out_address), .facts = &facts, .arena = &a};
	for (uint32_t k = 0, x = 99; k < CASES; k++) {
		in[3 * k] = value(1, w, flt, 0, &x) & mask;
		in[3 * k + 1] = value(k, w, flt, in[3 * k], &x) & mask;
		in[3 * k + 2] = value(1, w, flt, 0, &x) & mask;
	}
	t->shapes++;
	bad = !gpu_module(&si, &m) || !dispatch(t->gpu, &m, CASES);
	for (uint32_t k = 0; k < CASES && !bad; k++) {
		uint64_t want = after(op, w, in[3 * k], in[3 * k + 1], in[3 * k + 2]) & mask;
		bad = (out[2 * k] & mask) != in[3 * k] || (out[2 * k + 1] & mask) != want;
		if (bad)
			fprintf(stderr, "%s %u on %s: %llx, %llx, %llx: got %llx, left %llx, not %llx\n", names[op], w, places[p],
			        (unsigned long long)in[3 * k], (unsigned long long)in[3 * k + 1], (unsigned long long)in[3 * k + 2],
			        (unsigned long long)(out[2 * k] & mask), (unsigned long long)(out[2 * k + 1] & mask), (unsigned long long)want);
	}
	t->bad += bad;
	t->cases += CASES;
	arena_free(&a);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};

	gpu_main(&t, &gpu, argc, argv);
	for (unsigned p = 0; p < PLACES; p++)
		for (unsigned op = 0; op < ATOMIC_COUNT; op++)
			for (unsigned w = 32; w <= 64; w += 32)
				run(&t, (enum place)p, op, w);
	return gpu_end(&t, "atomic_exec");
}
