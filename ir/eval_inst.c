/* Evaluator: single instructions over the active lanes of a wave. */
#include "eval_wave.h"

#include <string.h>

static bool refuse(struct wave *w, ir_id id, const char *what)
{
	w->e->why = arena_printf(w->e->o->arena, "%s %u: %s", ir_ops[w->e->fn->inst[id].op].name, id, what);
	return false;
}

static unsigned nargs(const struct ir_inst *in)
{
	return in->nargs8 == 255 ? in->x.count : in->nargs8;
}

static const ir_id *args_of(const struct ir_inst *in)
{
	return in->nargs8 == 255 ? in->x.ext : in->a;
}

#define for_lanes(w, lane) for (unsigned lane = 0; lane < (w)->lanes; lane++) if ((w)->active >> lane & 1)

/* ---- memory inside */
static uint64_t get_bytes(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

static void put_bytes(uint8_t *p, unsigned bytes, uint64_t v)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t to_width(unsigned width, uint64_t v)
{
	return width < 64 ? v & ((1ull << width) - 1) : v;
}

uint64_t eval_atomic(enum ir_atomic op, unsigned width, bool is_float, uint64_t old, uint64_t value, uint64_t replace)
{
	int64_t so = (int64_t)(old << (64 - width)), sv = (int64_t)(value << (64 - width));
	ir_type t = is_float || (op >= ATOMIC_fadd && op <= ATOMIC_fmax) || op == ATOMIC_fcmpxchg ? ir_float_of_bits(width) : ir_int_of_bits(width), types[2] = { t, t };
	uint64_t args[2] = { old, value }, out = old;

	switch (op) {
	case ATOMIC_add: out = old + value; break;
	case ATOMIC_sub: out = old - value; break;
	case ATOMIC_smin: out = so < sv ? old : value; break;
	case ATOMIC_umin: out = old < value ? old : value; break;
	case ATOMIC_smax: out = so > sv ? old : value; break;
	case ATOMIC_umax: out = old > value ? old : value; break;
	case ATOMIC_and: out = old & value; break;
	case ATOMIC_or: out = old | value; break;
	case ATOMIC_xor: out = old ^ value; break;
	case ATOMIC_xchg: out = value; break;
	case ATOMIC_cmpxchg: out = old == value ? replace : old; break;
	case ATOMIC_inc: out = old >= value ? 0 : old + 1; break;
	case ATOMIC_dec: out = !old || old > value ? value : old - 1; break;
	case ATOMIC_fadd: ir_eval_op(IR_fadd, t, 0, 0, types, args, &out); break;
	case ATOMIC_fmin: ir_eval_op(IR_fmin, t, 0, 0, types, args, &out); break;
	case ATOMIC_fmax: ir_eval_op(IR_fmax, t, 0, 0, types, args, &out); break;
	case ATOMIC_rsub: out = value - old; break;
	case ATOMIC_csub: out = old < value ? 0 : old - value; break;
	case ATOMIC_fcmpxchg:
		ir_eval_op(IR_feq, IR_B1, 0, 0, types, args, &out);
		out = out & 1 ? replace : old;
		break;
	case ATOMIC_mskor: out = (old & ~value) | replace; break;
	case ATOMIC_wrap: out = old >= value ? old - value : old + replace; break;
	default: break;
	}
	return to_width(width, out);
}

/* Shared and scratch accesses; a byte range outside of the memory refuses. */
static bool inner_memory(struct wave *w, ir_id id, unsigned lane)
{
	const struct ir_fn *fn = w->e->fn;
	const struct ir_inst *in = &fn->inst[id];
	const ir_id *a = args_of(in);
	bool scratch = in->op == IR_ldscr || in->op == IR_stscr, store = in->op == IR_stshared || in->op == IR_stscr;
	uint8_t *mem = scratch ? w->scratch + (size_t)lane * fn->scratch_bytes : w->e->shared;
	uint64_t size = scratch ? fn->scratch_bytes : fn->shared_bytes;
	ir_type t = store ? fn->inst[a[2]].type : in->type;
	unsigned width = ir_bits(t), bytes = width / 8, n = ir_elems(t);
	uint64_t at = (uint32_t)(*eval_value(w, a[1], lane) + in->imm);

	if (at + (uint64_t)bytes * n > size || !bytes)
		return refuse(w, id, "out of the memory's bounds");
	for (unsigned i = 0; i < n; i++, at += bytes) {
		if (store) {
			put_bytes(mem + at, bytes, eval_value(w, a[2], lane)[i]);
			continue;
		}
		uint64_t old = get_bytes(mem + at, bytes);
		eval_value(w, id, lane)[i] = old;
		if (in->op == IR_atshared)
			put_bytes(mem + at, bytes, eval_atomic(in->sub, width, ir_is_float(t), old, *eval_value(w, a[2], lane),
			                                       a[3] ? *eval_value(w, a[3], lane) : 0));
	}
	return true;
}

/* ---- memory and inputs outside */
static bool outside(struct wave *w, ir_id id, unsigned lane, unsigned offset_arg)
{
	const struct ir_fn *fn = w->e->fn;
	const struct ir_inst *in = &fn->inst[id];
	const struct eval_io *io = &w->e->o->io;
	const ir_id *a = args_of(in);
	const uint64_t *args[EVAL_MAX_ARGS];
	unsigned n = nargs(in), fx = ir_ops[in->op].fx;
	struct eval_access x = { .fn = fn, .inst = id, .invocation = w->base + lane, .lane = lane, .nargs = n, .args = args };

	if (n > EVAL_MAX_ARGS)
		return refuse(w, id, "too many operands");
	for (unsigned i = 0; i < n; i++)
		args[i] = a[i] ? eval_value(w, a[i], lane) : NULL;
	if (offset_arg < n && args[offset_arg])
		x.offset = *args[offset_arg] + in->imm;
	bool fine;
	if ((fx & FX_WRITE) && in->type != IR_VOID)
		fine = io->atomic && io->atomic(io->user, &x, eval_value(w, id, lane));
	else if (fx & FX_WRITE)
		fine = io->store && io->store(io->user, &x, args[n - 1]);
	else if ((fx & FX_READ) || in->op == IR_buflen || in->op == IR_iquery)
		fine = io->load && io->load(io->user, &x, eval_value(w, id, lane));
	else
		fine = io->input && io->input(io->user, &x, eval_value(w, id, lane));
	return fine || refuse(w, id, "the access is not provided");
}

static bool memory(struct wave *w, ir_id id)
{
	const struct ir_inst *in = &w->e->fn->inst[id];
	unsigned fx = ir_ops[in->op].fx, offset_arg = UINT32_MAX;
	bool inner = false;

	switch (in->op) {
	case IR_ldshared: case IR_stshared: case IR_atshared: case IR_ldscr: case IR_stscr:
		inner = true;
		break;
	case IR_ldtab:
		offset_arg = 0;
		break;
	case IR_ldptr: case IR_stptr: case IR_atptr:
		offset_arg = 1;
		break;
	case IR_ldbuf: case IR_stbuf: case IR_atbuf: case IR_ldtyped: case IR_sttyped:
		offset_arg = 2;
		break;
	default:
		break;
	}
	for_lanes(w, lane) {
		if ((fx & FX_MASK) && !(*eval_value(w, args_of(in)[0], lane) & 1)) {
			if (in->type != IR_VOID)
				eval_undef(w, id, eval_value(w, id, lane));
			continue;
		}
		if ((fx & FX_WRITE) && (w->demoted >> lane & 1)) {
			if (in->type != IR_VOID)
				eval_undef(w, id, eval_value(w, id, lane));
			continue;
		}
		if (!(inner ? inner_memory(w, id, lane) : outside(w, id, lane, offset_arg)))
			return false;
	}
	return true;
}

static bool sysval(struct wave *w, ir_id id)
{
	const struct ir_fn *fn = w->e->fn;
	const struct ir_inst *in = &fn->inst[id];
	const uint32_t *size = fn->workgroup;
	unsigned c = in->imm < 3 ? (unsigned)in->imm : 0;

	for_lanes(w, lane) {
		uint32_t i = w->base + lane, sx = size[0] ? size[0] : 1, sy = size[1] ? size[1] : 1;
		uint32_t local[3] = { i % sx, i / sx % sy, i / sx / sy };
		uint64_t *out = eval_value(w, id, lane);
		switch (in->sub) {
		case SYSVAL_lane_id: *out = lane; break;
		case SYSVAL_local_index: *out = i; break;
		case SYSVAL_local_id: *out = local[c]; break;
		case SYSVAL_wave_in_group: *out = w->base / w->e->width; break;
		case SYSVAL_workgroup_id: *out = w->e->o->group[c]; break;
		case SYSVAL_num_workgroups: *out = w->e->o->groups[c]; break;
		case SYSVAL_helper: *out = w->e->o->helpers >> lane & 1; break;
		default:
			if (!outside(w, id, lane, UINT32_MAX))
				return false;
		}
	}
	return true;
}

/* ---- lanes */
static uint64_t ballot(struct wave *w, ir_id value)
{
	uint64_t m = 0;

	for_lanes(w, lane)
		m |= (*eval_value(w, value, lane) & 1) << lane;
	return m;
}

static unsigned source_lane(struct wave *w, ir_id id, unsigned lane)
{
	const struct ir_inst *in = &w->e->fn->inst[id];

	switch (in->op) {
	case IR_readfirst: {
		uint64_t m = ballot(w, in->a[0]);
		return m ? (unsigned)__builtin_ctzll(m) : !w->e->o->undef && !(w->active & 1) ? (unsigned)__builtin_ctzll(w->active) : 0;
	}
	case IR_quad:
		return (lane & ~3u) | (unsigned)(in->imm >> 2 * (lane & 3) & 3);
	default:
		return (unsigned)*eval_value(w, in->a[2], lane) & (w->e->width - 1);
	}
}

/* Does lane `from` have what `lane` asks it for? */
static bool gives(struct wave *w, ir_id id, unsigned lane, unsigned from)
{
	const struct ir_inst *in = &w->e->fn->inst[id];
	bool masked = in->op == IR_quad || in->op == IR_shuffle;

	if (!w->e->o->undef)
		return true;
	return w->active >> from & 1 && (!masked || *eval_value(w, in->a[0], lane) & *eval_value(w, in->a[0], from) & 1);
}

static void derivative(struct wave *w, ir_id id, unsigned lane, uint64_t *out)
{
	const struct ir_inst *in = &w->e->fn->inst[id];
	unsigned step = in->op == IR_ddx ? 1 : 2, quad = lane & ~3u;
	unsigned low = in->imm ? lane & ~step : quad, high = low | step;
	ir_type types[2] = { in->type, in->type };
	uint64_t args[2] = { *eval_value(w, in->a[0], high), *eval_value(w, in->a[0], low) };

	if (gives(w, id, lane, low) && gives(w, id, lane, high))
		ir_eval_op(IR_fsub, in->type, 0, 0, types, args, out);
	else
		eval_undef(w, id, out);
}

static void lanes_op(struct wave *w, ir_id id)
{
	const struct ir_inst *in = &w->e->fn->inst[id];
	uint64_t result[EVAL_MAX_WAVE][4] = { { 0 } };
	uint64_t bits = in->op == IR_any || in->op == IR_ballot || in->op == IR_quadany ? ballot(w, in->a[0]) : 0;
	unsigned n = in->type == IR_RES ? 2 : ir_elems(in->type);

	for_lanes(w, lane) {
		if (in->op == IR_any)
			result[lane][0] = bits != 0;
		else if (in->op == IR_ballot)
			result[lane][0] = bits;
		else if (in->op == IR_quadany)
			result[lane][0] = (bits >> (lane & ~3u) & 15) != 0;
		else if (in->op == IR_ddx || in->op == IR_ddy)
			derivative(w, id, lane, result[lane]);
		else if (gives(w, id, lane, source_lane(w, id, lane)))
			memcpy(result[lane], eval_value(w, in->a[1], source_lane(w, id, lane)), n * sizeof **result);
		else
			eval_undef(w, id, result[lane]);
	}
	for_lanes(w, lane)
		memcpy(eval_value(w, id, lane), result[lane], n * sizeof **result);
}

/* ---- values */
static bool handle(struct wave *w, ir_id id)
{
	const struct ir_inst *in = &w->e->fn->inst[id];

	for_lanes(w, lane) {
		uint64_t *out = eval_value(w, id, lane), h = 0;
		const ir_id *a = args_of(in);
		for (unsigned i = 0; i < nargs(in); i++)
			for (unsigned k = 0; a[i] && k < ir_elems(w->e->fn->inst[a[i]].type); k++) {
				uint64_t word = eval_value(w, a[i], lane)[k];
				h = in->op == IR_bind ? word : (h ^ word) * 0x9e3779b97f4a7c15ull;
			}
		out[0] = in->op == IR_bind ? in->imm : id;
		out[1] = h;
	}
	return true;
}

static bool pure(struct wave *w, ir_id id)
{
	const struct ir_fn *fn = w->e->fn;
	const struct ir_inst *in = &fn->inst[id];
	const ir_id *a = args_of(in);
	unsigned n = nargs(in), elems = ir_elems(in->type);
	ir_type types[4];
	uint64_t args[4];

	for_lanes(w, lane) {
		uint64_t *out = eval_value(w, id, lane);
		if (in->op == IR_vec) {
			for (unsigned i = 0; i < n; i++)
				out[i] = *eval_value(w, a[i], lane);
		} else if (in->op == IR_elem) {
			*out = eval_value(w, a[0], lane)[in->imm];
		} else if (in->op == IR_select && (elems > 1 || in->type == IR_RES)) {
			memcpy(out, eval_value(w, *eval_value(w, a[0], lane) & 1 ? a[1] : a[2], lane),
			       (in->type == IR_RES ? 2 : elems) * sizeof *out);
		} else if (in->op == IR_bitcast && (elems > 1 || ir_elems(fn->inst[a[0]].type) > 1)) {
			uint8_t bytes[32] = { 0 };
			ir_type from = fn->inst[a[0]].type;
			for (unsigned i = 0; i < ir_elems(from); i++)
				put_bytes(bytes + i * (ir_bits(from) / 8), ir_bits(from) / 8, eval_value(w, a[0], lane)[i]);
			for (unsigned i = 0; i < elems; i++)
				out[i] = get_bytes(bytes + i * (ir_bits(in->type) / 8), ir_bits(in->type) / 8);
		} else {
			for (unsigned i = 0; i < n && i < 4; i++) {
				types[i] = fn->inst[a[i]].type;
				args[i] = *eval_value(w, a[i], lane);
			}
			if (n > 4 || !ir_eval_op(in->op, in->type, in->sub, in->imm, types, args, out))
				return refuse(w, id, "the op has no evaluation");
		}
	}
	return true;
}

bool eval_inst(struct wave *w, ir_id id)
{
	const struct ir_inst *in = &w->e->fn->inst[id];

	switch (in->op) {
	case IR_mget:
		for_lanes(w, lane)
			*eval_value(w, id, lane) = w->marker[in->imm * w->e->width + lane];
		return true;
	case IR_mset:
		for_lanes(w, lane)
			w->marker[in->imm * w->e->width + lane] = *eval_value(w, in->a[0], lane);
		return true;
	case IR_demote:
		w->demoted |= ballot(w, in->a[0]);
		return true;
	case IR_clock:
		for_lanes(w, lane)
			*eval_value(w, id, lane) = w->e->steps;
		return true;
	case IR_lanebit:
		for_lanes(w, lane)
			*eval_value(w, id, lane) = *eval_value(w, in->a[0], lane) >> lane & 1;
		return true;
	case IR_any: case IR_ballot: case IR_quadany: case IR_ddx: case IR_ddy: case IR_readfirst: case IR_readlane:
	case IR_shuffle: case IR_quad:
		lanes_op(w, id);
		return true;
	case IR_sysval:
		return sysval(w, id);
	case IR_hbuf: case IR_himg: case IR_hsmp: case IR_htex: case IR_bind:
		return handle(w, id);
	case IR_root: case IR_ldin: case IR_ldinx: case IR_interp_p1: case IR_interp_p2: case IR_interp_mov: case IR_buflen:
	case IR_iquery:
		return memory(w, id);
	default:
		return ir_ops[in->op].fx & (FX_READ | FX_WRITE) ? memory(w, id) : pure(w, id);
	}
}
