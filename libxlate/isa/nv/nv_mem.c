/* nv_mem.c - memory: global, local, shared, constant banks, atomics, fences.
 *
 * Global addresses are register pairs. Local memory is this lane's scratch. Fences carry what the word says; cctl (drop
 * lines of the first-level cache) has no counterpart and needs none beside the accesses' scopes.
 */
#include "nv_lift.h"

static const uint8_t size_log[] = {0, 0, 1, 1, 2, 3, 4}; /* NVM_MEM */

static bool sub_word(unsigned mem)
{
	return mem < NV_MEM_B32;
}

static ir_type memory_type(unsigned mem)
{
	switch (mem) {
	case NV_MEM_U8:
	case NV_MEM_I8: return IR_I8;
	case NV_MEM_U16:
	case NV_MEM_I16: return IR_I16;
	case NV_MEM_B32: return IR_I32;
	case NV_MEM_B64: return IR_VEC(IR_I32, 2);
	default: return IR_VEC(IR_I32, 4);
	}
}

static unsigned scope(const struct nv_lift *l)
{
	switch (l->in->m[NVM_ORDER]) {
	case NV_CONSTANT:
	case NV_WEAK: return SCOPE_LANE;
	case NV_STRONG_CTA: return SCOPE_LANE; /* shared and local memory: the only order there is */
	default: return l->coherent ? SCOPE_DEVICE : SCOPE_LANE;
	}
}

static void access(struct nv_lift *l, ir_id id, unsigned align_log, unsigned sc)
{
	struct ir_inst *i = &l->fn->inst[id];

	i->imm = (uint64_t)(int64_t)l->in->imm;
	i->flags |= (uint16_t)(align_log << IR_F_ALIGN_SHIFT | sc << IR_F_SCOPE_SHIFT);
}

/* Registers from a loaded value. */
static void set_loaded(struct nv_lift *l, ir_id v)
{
	unsigned mem = l->in->m[NVM_MEM], n = ir_elems(l->fn->inst[v].type);

	if (sub_word(mem)) {
		bool sign = mem == NV_MEM_I8 || mem == NV_MEM_I16;

		nv_set(l, 0, op1(l, sign ? IR_sext : IR_zext, IR_I32, v));
		return;
	}
	if (n == 1) {
		nv_set(l, 0, v);
		return;
	}
	for (unsigned k = 0; k < n; k++) {
		ir_id e = op1(l, IR_elem, IR_I32, v);

		l->fn->inst[e].imm = k;
		nv_set_word(l, 0, k, e);
	}
}

/* The value that a store writes: source n. */
static ir_id stored(struct nv_lift *l, unsigned n)
{
	const struct nv_opnd *o = &l->in->src[n];
	ir_type t = memory_type(l->in->m[NVM_MEM]);
	ir_id w[4];

	if (sub_word(l->in->m[NVM_MEM]))
		return op1(l, IR_trunc, t, nv_word(l, o, 0));
	if (ir_elems(t) == 1)
		return nv_word(l, o, 0);
	for (unsigned k = 0; k < ir_elems(t); k++)
		w[k] = nv_word(l, o, k);
	return ir_new(l->fn, IR_vec, t, ir_elems(t), w);
}

/* ---- global */
static ir_id address64(struct nv_lift *l)
{
	if (!l->in->m[NVM_A64] && !nv_is_zero(&l->in->src[0])) {
		nv_refuse(l, "32-bit global address");
		return ir_const(l->fn, IR_I64, 0);
	}
	return nv_int64(l, 0);
}

void lift_mem_ldg(struct nv_lift *l)
{
	ir_id v;

	if (!nv_discards(&l->in->dst[1])) {
		nv_refuse(l, "fault predicate of a load");
		return;
	}
	v = address64(l);
	v = op2(l, IR_ldptr, memory_type(l->in->m[NVM_MEM]), nv_mask(l), v);
	access(l, v, size_log[l->in->m[NVM_MEM]], scope(l));
	l->fn->inst[v].sub = l->in->m[NVM_ORDER] == NV_CONSTANT;
	set_loaded(l, v);
}

void lift_mem_stg(struct nv_lift *l)
{
	ir_id at = address64(l), v = stored(l, 1), id = op3(l, IR_stptr, IR_VOID, nv_mask(l), at, v);

	access(l, id, size_log[l->in->m[NVM_MEM]], scope(l));
}

/* ---- local and shared */
static void load32(struct nv_lift *l, enum ir_op op)
{
	ir_id at = nv_word(l, &l->in->src[0], 0), v = op2(l, op, memory_type(l->in->m[NVM_MEM]), nv_mask(l), at);

	access(l, v, size_log[l->in->m[NVM_MEM]], SCOPE_LANE);
	set_loaded(l, v);
}

static void store32(struct nv_lift *l, enum ir_op op)
{
	ir_id at = nv_word(l, &l->in->src[0], 0), v = stored(l, 1), id = op3(l, op, IR_VOID, nv_mask(l), at, v);

	access(l, id, size_log[l->in->m[NVM_MEM]], SCOPE_LANE);
}

void lift_mem_ldl(struct nv_lift *l) { load32(l, IR_ldscr); }
void lift_mem_stl(struct nv_lift *l) { store32(l, IR_stscr); }
void lift_mem_lds(struct nv_lift *l) { load32(l, IR_ldshared); }
void lift_mem_sts(struct nv_lift *l) { store32(l, IR_stshared); }

/* ---- constant banks: words one by one, so that each can be followed to its origin */
void lift_mem_ldc(struct nv_lift *l)
{
	const struct nv_opnd *c = &l->in->src[0], *index = &l->in->src[1];
	unsigned mem = l->in->m[NVM_MEM];
	ir_id at = index->kind == NVK_NONE || nv_is_zero(index) ? 0 : nv_word(l, index, 0);
	unsigned words = mem == NV_MEM_B128 ? 4 : mem == NV_MEM_B64 ? 2 : 1;

	if (l->in->m[NVM_LDCM]) {
		nv_refuse(l, "segmented or linear addressing of constant banks");
		return;
	}
	if (sub_word(mem)) {
		set_loaded(l, nv_cbuf(l, c, memory_type(mem), at, 0));
		return;
	}
	for (unsigned k = 0; k < words; k++)
		nv_set_word(l, 0, k, nv_cbuf(l, c, IR_I32, at, 4 * k));
}

/* ---- atomics */
static bool wide(unsigned type)
{
	return type == NV_T_U64 || type == NV_T_I64;
}

static bool is_cas(unsigned op)
{
	return op == NV_ATOMGCAS || op == NV_ATOMGCASP || op == NV_ATOMSCAS || op == NV_ATOMSCASP;
}

int nv_mem_atomic(unsigned aop, unsigned type)
{
	bool sign = type == NV_T_I32 || type == NV_T_I64;

	if (type == NV_T_F32)
		return aop == NV_A_ADD ? ATOMIC_fadd : -1;
	if (type == NV_T_F16X2 || type == NV_T_F64)
		return -1;
	switch (aop) {
	case NV_A_ADD: return ATOMIC_add;
	case NV_A_MIN: return sign ? ATOMIC_smin : ATOMIC_umin;
	case NV_A_MAX: return sign ? ATOMIC_smax : ATOMIC_umax;
	case NV_A_INC: return ATOMIC_inc;
	case NV_A_DEC: return ATOMIC_dec;
	case NV_A_AND: return ATOMIC_and;
	case NV_A_OR: return ATOMIC_or;
	case NV_A_XOR: return ATOMIC_xor;
	case NV_A_EXCH: return ATOMIC_xchg;
	default: return -1;
	}
}

/* Value k of `width` words from source n. */
static ir_id atomic_value(struct nv_lift *l, unsigned n, unsigned first, ir_type t)
{
	const struct nv_opnd *o = &l->in->src[n];

	if (t == IR_I64)
		return nv_pair(l, o, first);
	return cast(l, t, nv_word(l, o, first));
}

static void atomic(struct nv_lift *l, enum ir_op op, ir_id address, unsigned sc)
{
	const struct nv_inst *in = l->in;
	unsigned type = in->m[NVM_ATYPE];
	ir_type t = wide(type) ? IR_I64 : type == NV_T_F32 ? IR_F32 : IR_I32;
	int kind = is_cas(in->op) ? ATOMIC_cmpxchg : nv_mem_atomic(in->m[NVM_AOP], type);
	bool packed = in->op == NV_ATOMGCASP || in->op == NV_ATOMSCASP;
	ir_id args[4] = {nv_mask(l), address, 0, 0}, v;

	if (kind < 0 || !nv_discards(&in->dst[1])) {
		nv_refuse(l, "atomic of this type, or with a fault predicate");
		return;
	}
	args[2] = atomic_value(l, 1, 0, t);
	if (is_cas(in->op)) /* compared, then new */
		args[3] = packed ? atomic_value(l, 1, t == IR_I64 ? 2 : 1, t) : atomic_value(l, 2, 0, t);
	v = ir_new(l->fn, op, t, 4, args);
	access(l, v, wide(type) ? 3 : 2, sc);
	l->fn->inst[v].sub = (uint16_t)kind;
	if (in->op == NV_RED || nv_discards(&in->dst[0]))
		return;
	if (t == IR_I64)
		nv_set64(l, 0, v);
	else
		nv_set(l, 0, v);
}

void lift_mem_atomg(struct nv_lift *l)
{
	atomic(l, IR_atptr, address64(l), SCOPE_DEVICE);
}

void lift_mem_atoms(struct nv_lift *l)
{
	atomic(l, IR_atshared, nv_word(l, &l->in->src[0], 0), SCOPE_GROUP);
}

/* ---- order */
void lift_mem_cctl(struct nv_lift *l)
{
	(void)l;
}

void lift_mem_membar(struct nv_lift *l)
{
	static const uint8_t scopes[] = {[NV_SCOPE_CTA] = SCOPE_GROUP, [NV_SCOPE_GPU] = SCOPE_DEVICE,
		[NV_SCOPE_SYS] = SCOPE_SYSTEM};
	ir_id id;

	if (l->guard) {
		nv_refuse(l, "fence in some lanes");
		return;
	}
	id = ir_op0(l->fn, IR_barrier, IR_VOID);
	l->fn->inst[id].sub = (uint16_t)(SCOPE_LANE | scopes[l->in->m[NVM_SCOPE]] << 4 | 7 << 8);
}
