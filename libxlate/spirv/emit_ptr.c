/* emit_ptr.c - raw 64-bit addresses: physical storage buffer pointers, one 32-bit word (or narrower element) at a time.
 * The address is the host's: the program got it as data, else resource tracking has refused before. */
#include "emit.h"

static uint32_t pointer(struct emit *e, uint32_t address, uint64_t add, unsigned bits)
{
	uint32_t u64 = emit_type(e, IR_I64), type;

	if (bits == 8)
		emit_need(e, e->t->storage8, SpvCapabilityStorageBuffer8BitAccess, "storageBuffer8BitAccess");
	if (bits == 16)
		emit_need(e, e->t->storage16, SpvCapabilityStorageBuffer16BitAccess, "storageBuffer16BitAccess");
	type = words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(bits, 0));
	type = emit_pointer(e, SpvStorageClassPhysicalStorageBuffer, type);
	if (add)
		address = E_OP(e, IAdd, u64, address, emit_const(e, IR_I64, add));
	return E_OP(e, ConvertUToPtr, type, address);
}

static bool physical(struct emit *e, ir_id id)
{
	if (e->facts->addresses == ADDRESS_REFUSE) {
		emit_refuse(e, DIAG_ADDRESS, "%s: an address whose binding is not known", ir_ops[emit_inst(e, id)->op].name);
		return false;
	}
	if (!e->t->physical_address) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "the target lacks bufferDeviceAddress");
		return false;
	}
	if (!e->vulkan_model && emit_inst(e, id)->op != IR_atptr &&
	    (emit_inst(e, id)->flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT >= SCOPE_GROUP) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "a coherent access through a raw address without the Vulkan memory model");
		return false;
	}
	words_capability(&e->m, SpvCapabilityPhysicalStorageBufferAddresses);
	if (e->t->spirv < 0x00010500)
		words_extension(&e->m, "SPV_KHR_physical_storage_buffer");
	e->physical = true;
	return true;
}

/* Memory operands of one access; the number of words. */
static size_t operands(struct emit *e, ir_id id, uint32_t bytes, uint32_t w[3])
{
	uint16_t flags = emit_inst(e, id)->flags;
	unsigned scope = (flags & IR_F_SCOPE_MASK) >> IR_F_SCOPE_SHIFT;
	bool store = emit_inst(e, id)->op == IR_stptr;

	w[0] = SpvMemoryAccessAlignedMask | (flags & IR_F_VOLATILE ? SpvMemoryAccessVolatileMask : 0);
	w[1] = bytes;
	if (!e->vulkan_model)
		return 2;
	w[0] |= SpvMemoryAccessNonPrivatePointerMask;
	if (scope < SCOPE_GROUP)
		return 2;
	w[0] |= store ? SpvMemoryAccessMakePointerAvailableMask : SpvMemoryAccessMakePointerVisibleMask;
	w[2] = emit_u32(e, (uint32_t)emit_scope(e, scope));
	return 3;
}

static unsigned unit_bits(ir_type t)
{
	return ir_bits(t) < 32 ? ir_bits(t) : 32;
}

static uint32_t load(struct emit *e, ir_id id, uint32_t type, uint32_t from, uint32_t bytes)
{
	uint32_t w[4] = {from};

	return emit_op(e, SpvOpLoad, type, w, 1 + operands(e, id, bytes, w + 1));
}

static void store(struct emit *e, ir_id id, uint32_t to, uint32_t value, uint32_t bytes)
{
	uint32_t w[5] = {to, value};

	emit_stmt(e, SpvOpStore, w, 2 + operands(e, id, bytes, w + 2));
}

void emit_ldptr(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type, one = (ir_type)ir_base(t);
	unsigned n = ir_elems(t), bits = unit_bits(t), bytes = bits / 8;
	uint32_t part[4] = {0}, w[2], address, type, v;
	uint64_t imm = i->imm;
	struct emit_guard g;

	e->val[id] = 0;
	if (!physical(e, id)) {
		e->val[id] = emit_undef(e, t);
		return;
	}
	e->want[id] |= WANT_SELF;
	bool guarded = emit_guard_begin(e, i->a[0], &g);
	address = emit_get(e, i->a[1]);
	type = words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(bits, 0));
	for (unsigned k = 0; k < n; k++) {
		for (unsigned h = 0; h < (ir_bits(t) == 64 ? 2u : 1u); h++)
			w[h] = load(e, id, type, pointer(e, address, imm + k * (ir_bits(t) / 8) + h * 4, bits), bytes);
		v = ir_bits(t) == 64 ? emit_pack(e, one, w[0], w[1]) : w[0];
		part[k] = ir_bits(t) < 64 && ir_is_float(t) ? E_OP(e, Bitcast, emit_vec_type(e, one, 1), v) : v;
	}
	v = n == 1 ? part[0] : emit_op(e, SpvOpCompositeConstruct, emit_type(e, t), part, n);
	if (guarded)
		emit_guard_end(e, &g, emit_type(e, t), &v);
	e->val[id] = v;
}

void emit_stptr(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_id value = i->a[2];
	ir_type t = emit_inst(e, value)->type;
	unsigned n = ir_elems(t), bits = unit_bits(t), bytes = bits / 8;
	uint32_t w[2], address;
	uint64_t imm = i->imm;
	struct emit_guard g;

	if (!physical(e, id))
		return;
	bool guarded = emit_guard_begin(e, i->a[0], &g);
	address = emit_get(e, i->a[1]);
	for (unsigned k = 0; k < n; k++) {
		if (ir_bits(t) == 64)
			emit_halves(e, emit_get_part_as(e, value, k, IR_I64), w);
		else
			w[0] = emit_get_part_as(e, value, k, ir_int_of_bits(bits));
		for (unsigned h = 0; h < (ir_bits(t) == 64 ? 2u : 1u); h++)
			store(e, id, pointer(e, address, imm + k * (ir_bits(t) / 8) + h * 4, bits), w[h], bytes);
	}
	if (guarded)
		emit_guard_end(e, &g, 0, NULL);
}

void emit_atptr(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	unsigned bits = ir_bits(i->type), op = i->sub;
	ir_type t = i->type, it = ir_int_of_bits(bits);
	uint32_t value[2] = {0}, v, to;
	struct emit_guard g;

	e->val[id] = emit_undef(e, t);
	if (!physical(e, id))
		return;
	if (bits < 32) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "a narrow atomic through a raw address");
		return;
	}
	if (bits == 64)
		emit_int64_atomics(e, false);
	bool guarded = emit_guard_begin(e, arg[0], &g);
	for (unsigned k = 0; k < 2 && arg[2 + k]; k++)
		value[k] = emit_get_as(e, arg[2 + k], it);
	to = emit_pointer(e, SpvStorageClassPhysicalStorageBuffer, emit_type(e, it));
	v = emit_get(e, arg[1]);
	if (emit_inst(e, id)->imm)
		v = E_OP(e, IAdd, emit_type(e, IR_I64), v, emit_const(e, IR_I64, emit_inst(e, id)->imm));
	v = emit_atomic_op(e, op, it, 0, E_OP(e, ConvertUToPtr, to, v), emit_scope(e, SCOPE_DEVICE), value);
	if (it != t)
		v = E_OP(e, Bitcast, emit_type(e, t), v);
	if (guarded)
		emit_guard_end(e, &g, emit_type(e, t), &v);
	e->val[id] = v;
}
