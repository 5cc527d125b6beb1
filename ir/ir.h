/* ir.h - the IR: scalar SSA over a control-flow graph, one function per guest program.
 *
 * One SPIR-V invocation is one guest lane; every value is that lane's value. Vendor things end at the lifter.
 * Values are instructions: an ir_id indexes fn->inst. Id 0 is "none". Constants and undefs are interned instructions that
 * belong to no block (block == IR_NO_BLOCK) and dominate everything.
 *
 * Pointer rule: any call that creates an instruction or a block may move fn->inst / fn->block. Hold ids, not pointers.
 */
#ifndef XL_IR_H
#define XL_IR_H

#include "arena.h"
#include "diag.h"
#include "facts.h"

#include <stdbool.h>
#include <stdio.h>

typedef uint32_t ir_id;

/* ---- types: low 4 bits base, bits 4-5 element count - 1 (vectors of 2-4, only where memory, images and interfaces want) */
typedef uint8_t ir_type;
enum { IR_VOID, IR_B1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_RES, IR_BASE_COUNT };
#define IR_VEC(base, n) ((ir_type)((base) | ((n)-1) << 4))
static inline unsigned ir_base(ir_type t) { return t & 15; }
static inline unsigned ir_elems(ir_type t) { return (t >> 4) + 1u; }
/* width of one element in bits; b1 is 1, void and res 0 */
static inline unsigned ir_bits(ir_type t)
{
	static const uint8_t bits[16] = { [IR_B1] = 1, [IR_I8] = 8, [IR_I16] = 16, [IR_I32] = 32, [IR_I64] = 64, [IR_F16] = 16,
		[IR_F32] = 32, [IR_F64] = 64 };

	return bits[ir_base(t)];
}
static inline bool ir_is_float(ir_type t) { return ir_base(t) >= IR_F16 && ir_base(t) <= IR_F64; }
static inline bool ir_is_int(ir_type t) { return ir_base(t) >= IR_I8 && ir_base(t) <= IR_I64; }
ir_type ir_int_of_bits(unsigned bits);   /* 32 -> IR_I32; IR_VOID when none */
ir_type ir_float_of_bits(unsigned bits);
const char *ir_type_name(ir_type t, char buf[8]); /* "i32", "f32x4" */
bool ir_type_parse(const char *text, size_t n, ir_type *); /* the inverse, for the `n` bytes at `text` */

/* ---- ops: ops.def is the only truth */
enum ir_op {
#define OP(name, sig, cls, fx, div, eval, spv) IR_##name,
#include "ops.def"
#undef OP
	IR_OP_COUNT
};

/* Effect flags of a row. */
enum {
	FX_PURE = 0,          /* may be removed, duplicated, value numbered, hoisted */
	FX_READ = 1 << 0,     /* reads memory: removable, not reordered over writes */
	FX_WRITE = 1 << 1,    /* writes memory or an output: never removed */
	FX_SYNC = 1 << 2,     /* barrier */
	FX_TERM = 1 << 3,     /* ends a block */
	FX_COMM = 1 << 4,     /* first two operands commute */
	FX_CROSS = 1 << 5,    /* reads other lanes: not moved over control flow */
	FX_MASK = 1 << 6,     /* operand 0 is the active mask (b1): the op happens only in lanes whose bit is set */
	FX_PHI = 1 << 7,
	FX_MARKER = 1 << 8,   /* mget/mset: gone after SSA construction */
	FX_CONV = 1 << 9,     /* result and operand types differ */
};
/* How divergence passes through (see passes/divergence). */
enum { DIV_ANY /* divergent if any operand is */, DIV_ALWAYS, DIV_NEVER /* wave-uniform by definition */, DIV_SPECIAL /* the pass knows */ };

/* Type class of a row, see ops.def. */
enum { C_NONE, C_INT, C_INTB, C_FLT, C_ANY, C_VEC };

struct ir_opinfo {
	const char *name;
	const char *sig; /* see ops.def */
	uint32_t cls, fx, div;
};
extern const struct ir_opinfo ir_ops[IR_OP_COUNT];
enum ir_op ir_op_find(const char *name); /* IR_OP_COUNT when unknown */

/* ---- instructions */
enum {
	IR_F_CONTRACT = 1 << 0,   /* the multiply and add may fuse (never set where the guest rounds separately) */
	IR_F_NONUNIFORM = 1 << 1, /* the resource index differs between lanes */
	IR_F_VOLATILE = 1 << 2,
	IR_F_FTZ = 1 << 3,        /* guest flushes denormals of inputs and output here */
	IR_F_SIGNED = 1 << 4,     /* sub-word loads: sign extend; atomics: signed; images: signed integer texels */
	IR_F_NSZ = 1 << 5,        /* sign of zero is irrelevant */
	IR_F_WITNESS = 1 << 6,    /* kept for a later pass although it looks dead */
	IR_F_BOUNDS = 1 << 7,     /* memory: the guest checks the range; reads out of it give 0, writes vanish */
	IR_F_SCOPE_SHIFT = 8,     /* bits 8-10: enum ir_scope of a memory access */
	IR_F_SCOPE_MASK = 7 << 8,
	IR_F_ALIGN_SHIFT = 11,    /* bits 11-14: log2 of the known alignment in bytes */
	IR_F_ALIGN_MASK = 15 << 11,
	IR_F_SETTLED = 1 << 15,   /* as `fold` left it: who changes operands takes it away */
};
#define IR_FLAGS(X) X(CONTRACT, "contract") X(NONUNIFORM, "nonuniform") X(VOLATILE, "volatile") X(FTZ, "ftz") X(SIGNED, "signed") \
	X(NSZ, "nsz") X(WITNESS, "witness") X(BOUNDS, "bounds")
enum ir_scope { SCOPE_LANE, SCOPE_WAVE, SCOPE_GROUP, SCOPE_DEVICE, SCOPE_SYSTEM };
#define IR_SCOPES(X) X(LANE, "lane") X(WAVE, "wave") X(GROUP, "group") X(DEVICE, "device") X(SYSTEM, "system")

/* ---- enums used as `sub`; subs.def is not needed: print by name through these lists */
#define IR_ATOMICS(X) X(add) X(sub) X(smin) X(umin) X(smax) X(umax) X(and) X(or) X(xor) X(xchg) X(cmpxchg) X(inc) X(dec) \
	X(fadd) X(fmin) X(fmax) X(rsub) X(csub) X(fcmpxchg) X(mskor) X(wrap)
enum ir_atomic {
#define X(n) ATOMIC_##n,
	IR_ATOMICS(X)
#undef X
	ATOMIC_COUNT
}; /* inc: old >= value ? 0 : old + 1; dec: old == 0 || old > value ? value : old - 1; rsub: value - old; csub: old < value
    * ? 0 : old - value. Of two values: cmpxchg: old == first ? second : old, fcmpxchg the same of floats given as
    * integers; mskor: old & ~first | second; wrap: old >= first ? old - first : old + second */
static inline bool ir_atomic_two(unsigned op)
{
	return op == ATOMIC_cmpxchg || op == ATOMIC_fcmpxchg || op == ATOMIC_mskor || op == ATOMIC_wrap;
}

/* Values that the machine provides: name, components (distances: of one element). */
#define IR_SYSVALS(X) \
	X(workgroup_id, 3) X(local_id, 3) X(local_index, 1) X(num_workgroups, 3) X(lane_id, 1) X(wave_in_group, 1) \
	X(vertex_index, 1) X(instance_index, 1) X(vertex_index_zero, 1) X(instance_index_zero, 1) X(base_vertex, 1) \
	X(base_instance, 1) X(draw_id, 1) X(view_index, 1) X(frag_coord, 4) X(front_face, 1) X(sample_id, 1) X(sample_mask, 1) \
	X(helper, 1) X(point_coord, 2) X(primitive_id, 1) X(layer, 1) X(viewport, 1) X(bary_persp_center, 2) \
	X(bary_persp_centroid, 2) X(bary_persp_sample, 2) X(bary_linear_center, 2) X(bary_linear_centroid, 2) \
	X(bary_linear_sample, 2) X(bary_pull, 3) X(position, 4) X(point_size, 1) X(clip_distance, 1) X(cull_distance, 1) X(frag_depth, 1) \
	X(frag_stencil, 1) X(sample_mask_out, 1)
enum sysval {
	SYSVAL_none,
#define X(n, comps) SYSVAL_##n,
	IR_SYSVALS(X)
#undef X
	SYSVAL_COUNT
}; /* bary_*: I and J, the weights of the second and the third vertex; bary_pull: I / w, J / w, 1 / w at the pixel's center;
    * vertex_index, instance_index: as Vulkan has them (base included); the _zero forms count from 0 and are lowered early */
extern const uint8_t ir_sysval_comps[SYSVAL_COUNT];

enum { /* `sub` of isample and igather: which optional operands follow */
	IMG_REF = 1 << 0, IMG_BIAS = 1 << 1, IMG_LOD = 1 << 2, IMG_GRAD = 1 << 3, IMG_OFFSET = 1 << 4, IMG_MINLOD = 1 << 5,
	IMG_PROJ = 1 << 6, IMG_QUERY_LOD = 1 << 7, /* no texel: the mip level that a sample would take, within the image's and as it is */
	IMG_DIM_SHIFT = 8, /* bits 8-10: enum fact_dim as the instruction says, bit 11: arrayed, bit 12: dimension known */
	IMG_ARRAYED = 1 << 11, IMG_DIM_KNOWN = 1 << 12,
	IMG_MOVED = 1 << 14, /* a gather: the program had moved the coordinates for one of integers, and they were moved back */
	IMG_MAYBE_ARRAYED = 1 << 13, /* coordinates end with an element, which counts where the record says that the image has several */
};

#define IR_INLINE_ARGS 4
#define IR_NO_BLOCK UINT32_MAX

struct ir_inst {
	uint16_t op;
	ir_type type;
	uint8_t nargs8;      /* operand count, or 255: see `count` */
	uint16_t flags;      /* IR_F_* */
	uint16_t sub;        /* compare/atomic/sysval/image kind: see the op's row */
	ir_id prev, next;    /* order within the block */
	uint32_t block;
	uint32_t addr;       /* guest byte offset this came from, or DIAG_NO_ADDR */
	uint64_t imm;        /* constant bits, element index, marker, location, ...: see the op's row */
	union {
		ir_id a[IR_INLINE_ARGS]; /* those that it does not have are 0 */
		struct { ir_id *ext; uint32_t count, cap; } x; /* nargs8 == 255: phis, long image ops */
		uint64_t room[4]; /* makes it 64 bytes */
	};
};
_Static_assert(sizeof(struct ir_inst) == 64, "an instruction is found by a shift");

/* ---- blocks. Terminators: br (succ[0]), brc cond (succ[0] when true, succ[1] when false), sw value (imm case values in
 * fn->cases, last succ is the default), ret, unreachable. Phis come first; operand i belongs to pred[i]. */
enum ir_merge { MERGE_NONE, MERGE_SELECTION, MERGE_LOOP };

struct ir_block {
	ir_id first, last;
	uint32_t *pred, *succ;
	uint32_t npred, nsucc;
	size_t pred_cap, succ_cap;
	uint64_t *cases;          /* sw: nsucc - 1 values */
	uint32_t idom;            /* valid after cfg_dominators; entry's is itself */
	uint32_t dom_depth, rpo;  /* rpo: position in fn->order, IR_NO_BLOCK when unreachable */
	uint32_t dom_in, dom_out; /* preorder interval in the dominator tree: a dominates b when b's lies inside a's */
	uint32_t loop;            /* innermost loop header after cfg_loops (a header's own is itself), or IR_NO_BLOCK */
	uint32_t loop_parent;     /* of a header: header of the enclosing loop, or IR_NO_BLOCK */
	uint8_t merge;            /* enum ir_merge, set by structurization on headers */
	uint32_t merge_block, continue_block;
	uint32_t addr;            /* guest byte offset of the block's start */
	bool dead;
	uint64_t room[3];         /* makes it 128 bytes */
};
_Static_assert(sizeof(struct ir_block) == 128, "a block is found by a shift");

/* ---- the resources that a function ends up using (filled by resource tracking, read by emission and reflection) */
#define IR_RES_KINDS(X) X(STORAGE_BUFFER, "storage_buffer") X(UNIFORM_BUFFER, "uniform_buffer") X(PUSH, "push") \
	X(CONST_DATA, "const_data") X(UNIFORM_TEXEL, "uniform_texel") X(STORAGE_TEXEL, "storage_texel") \
	X(SAMPLED_IMAGE, "sampled_image") X(STORAGE_IMAGE, "storage_image") X(SAMPLER, "sampler") X(COMBINED, "combined") \
	X(INPUT_ATTACHMENT, "input_attachment") X(PHYSICAL, "physical")
enum res_kind {
#define X(n, text) RES_##n,
	IR_RES_KINDS(X) RES_COUNT
#undef X
};
struct ir_resource {
	uint8_t kind;               /* enum res_kind */
	uint8_t dim, arrayed, ms, depth, numeric; /* images: enum fact_dim, 0/1, 0/1, 0/1, enum fact_numeric */
	uint16_t format;            /* storage images: SPIR-V ImageFormat, 0 unknown */
	uint16_t attachment;        /* input attachments: which one, plus 1; 0 unknown */
	uint32_t set, binding, count; /* count 1: not an array; 0: runtime array */
	bool read, written, nonuniform, coherent;
	uint32_t size;              /* bytes where known (push constants, uniform and constant data), else 0 */
	const uint8_t *data;        /* RES_CONST_DATA: `size` bytes */
	const char *path;           /* how it is reached from user data, for reflection; may be NULL */
};

/* ---- interface variables (graphics) */
enum interp { INTERP_SMOOTH, INTERP_NOPERSPECTIVE, INTERP_FLAT, INTERP_VERTICES /* all three vertices' values, an array (elems 3) */ };
enum interp_at { INTERP_CENTER, INTERP_CENTROID, INTERP_SAMPLE };
/* Fragment inputs that no stage of the guest writes: a generated geometry stage does. */
enum iface_made { MADE_NOT, MADE_WEIGHTS /* I and J */, MADE_VERTEX0 /* flat: vertex 0's value of location `from`; 1 and 2 follow */,
	MADE_VERTEX1, MADE_VERTEX2 };
struct ir_iface {
	bool output;
	uint8_t builtin;            /* enum sysval when not 0 */
	uint8_t base, comps;        /* type base (IR_F32, IR_I32 = unsigned), bit set of components used */
	uint8_t sign;               /* integers: 1 when the other side declares them signed */
	uint8_t interp, at;
	uint8_t made;               /* enum iface_made */
	uint16_t from;              /* MADE_VERTEX0 and on */
	uint8_t capture;            /* transform feedback: the buffer, plus 1; 0: is not captured */
	uint16_t capture_at, capture_stride; /* byte in a vertex, bytes of a vertex */
	uint16_t location, index, elems; /* elems: array length of builtins such as clip distance */
};

/* ---- a marker: a numbered slot that stands for a guest register or an instruction's intermediate result */
struct ir_marker {
	ir_type type;
	uint8_t file;               /* the lifter's register file number (fn->files names them) */
	uint16_t index;
};

struct ir_fn {
	struct arena *arena;
	const char *name;
	uint8_t stage;              /* enum fact_stage */
	uint8_t wave;               /* guest wave size: 32 or 64 */
	uint32_t workgroup[3];
	uint32_t shared_bytes, scratch_bytes;
	struct ir_inst *inst;
	uint32_t ninst;
	size_t inst_cap;
	struct ir_block *block;
	uint32_t nblock, entry;
	size_t block_cap;
	uint32_t *order;            /* reverse postorder after cfg_order; structured order after structurize */
	uint32_t norder;
	size_t order_cap;
	uint32_t *work;             /* cfg.c's scratch, kept between calls */
	size_t work_cap;
	struct ir_marker *marker;
	uint32_t nmarker;
	size_t marker_cap;
	uint32_t marker_high;       /* high-water mark, reported */
	const char *const *files;   /* register file names, for printing markers */
	struct ir_resource *res;
	uint32_t nres;
	size_t res_cap;
	struct ir_iface *iface;
	uint32_t niface;
	size_t iface_cap;
	uint32_t *intern;           /* hash of constants and undefs: open addressing over ids */
	uint32_t intern_count;
	size_t intern_cap;
	ir_id interned;             /* the last of them; `next` of each is the one before */
	uint32_t at;                /* builder: block that new instructions are appended to */
	ir_id before;               /* builder: insert before this instruction instead, when not 0 */
	uint32_t addr;              /* builder: guest address given to new instructions */
	uint16_t flags;             /* builder: flags given to new instructions */
	bool ssa, structured;       /* which invariants hold */
	uint8_t has[IR_OP_COUNT];   /* 0: no instruction has this op. 1: one may; who drops dead code looks again (dce.c) */
};

/* ---- operands */
static inline unsigned ir_nargs(const struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *in = &fn->inst[id];

	return in->nargs8 == 255 ? in->x.count : in->nargs8;
}

static inline ir_id *ir_args(struct ir_fn *fn, ir_id id)
{
	struct ir_inst *in = &fn->inst[id];

	return in->nargs8 == 255 ? in->x.ext : in->a;
}

/* Only the first n of its operands stay. */
static inline void ir_keep_args(struct ir_inst *in, unsigned n)
{
	if (in->nargs8 == 255) {
		in->x.count = n;
		return;
	}
	in->nargs8 = (uint8_t)n;
	while (n < IR_INLINE_ARGS)
		in->a[n++] = 0;
}

static inline void ir_set_op(struct ir_fn *fn, ir_id id, enum ir_op op) /* of an instruction that is there */
{
	fn->inst[id].op = (uint16_t)op;
	fn->has[op] = 1;
}

/* True when that changes the operand. */
static inline bool ir_set_arg(struct ir_fn *fn, ir_id id, unsigned i, ir_id value)
{
	ir_id *a = &ir_args(fn, id)[i];

	if (*a == value)
		return false;
	*a = value;
	fn->inst[id].flags &= (uint16_t)~IR_F_SETTLED;
	return true;
}

static inline bool ir_is_const(const struct ir_fn *fn, ir_id id, uint64_t *bits)
{
	if (fn->inst[id].op != IR_const)
		return false;
	if (bits)
		*bits = fn->inst[id].imm;
	return true;
}

/* Does the b1 c say that x is zero, and nothing else? `ieq x, 0`, or `ieq a, b` of an x that is (ixor a b). */
static inline bool ir_is_zero_test(const struct ir_fn *fn, ir_id c, ir_id x)
{
	const struct ir_inst *t = &fn->inst[c], *i = &fn->inst[x];
	uint64_t k;

	if (t->op != IR_ieq)
		return false;
	if (t->a[0] == x)
		return ir_is_const(fn, t->a[1], &k) && !k;
	return i->op == IR_ixor && ((i->a[0] == t->a[0] && i->a[1] == t->a[1]) || (i->a[0] == t->a[1] && i->a[1] == t->a[0]));
}

/* ---- build.c */
struct ir_fn *ir_fn_new(struct arena *, const char *name);
void ir_reserve(struct ir_fn *, uint32_t count); /* room for about so many instructions: spares growing there */
uint32_t ir_block_new(struct ir_fn *);
void ir_edge(struct ir_fn *, uint32_t from, uint32_t to);            /* appends to succ and pred (and not to phis) */
ir_id ir_const(struct ir_fn *, ir_type, uint64_t bits);             /* bits are masked to the type's width */
ir_id ir_undef(struct ir_fn *, ir_type);
ir_id ir_new(struct ir_fn *, enum ir_op, ir_type, unsigned nargs, const ir_id *args); /* appended at the builder's place */
ir_id ir_op0(struct ir_fn *, enum ir_op, ir_type);
ir_id ir_op1(struct ir_fn *, enum ir_op, ir_type, ir_id a);
ir_id ir_op2(struct ir_fn *, enum ir_op, ir_type, ir_id a, ir_id b);
static inline ir_id ir_opk(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id a, uint64_t k) /* with a constant of that type */
{
	return ir_op2(fn, op, t, a, ir_const(fn, t, k));
}
ir_id ir_op3(struct ir_fn *, enum ir_op, ir_type, ir_id a, ir_id b, ir_id c);
ir_id ir_mget(struct ir_fn *, uint32_t marker);                     /* type from the marker table */
void ir_mset(struct ir_fn *, uint32_t marker, ir_id value);
uint32_t ir_marker_new(struct ir_fn *, ir_type, unsigned file, unsigned index);
void ir_br(struct ir_fn *, uint32_t to);                            /* terminators end the block at `at`; add edges */
void ir_brc(struct ir_fn *, ir_id cond, uint32_t yes, uint32_t no);
void ir_sw(struct ir_fn *, ir_id value, uint32_t ncases, const uint64_t *cases, const uint32_t *to, uint32_t otherwise);
void ir_ret(struct ir_fn *);
ir_id ir_phi(struct ir_fn *, uint32_t block, ir_type);              /* empty phi at the block's start; add operands after */
void ir_phi_add(struct ir_fn *, ir_id phi, ir_id value);
void ir_remove(struct ir_fn *, ir_id);                              /* unlink; the id stays, op becomes IR_nop */
void ir_insert_before(struct ir_fn *, ir_id inst, ir_id where);     /* move */
void ir_append(struct ir_fn *, ir_id inst, uint32_t block);
uint32_t ir_resource_new(struct ir_fn *, const struct ir_resource *); /* index; equal entries are joined */
/* Split a block before `where`: the new block gets `where` and all that follows, and takes over the successors
 * (their pred entries are renamed, so phis stay right). No terminator is added to the old block. Returns the new block. */
uint32_t ir_split(struct ir_fn *, ir_id where);

/* Deferred replacement: passes note from -> to (chains allowed, cycles not; 0: stays) in a map of all ids, and some more, then apply
 * it in one sweep. Ids made after ir_map_new may be targets, not sources. Applying does not remove `from`. */
ir_id *ir_map_new(struct arena *, const struct ir_fn *);
void ir_map_apply(struct ir_fn *, ir_id *map);
/* Itself, or a copy that has an element for all ids there are now. */
ir_id *ir_map_cover(struct arena *, const struct ir_fn *, ir_id *map);
enum { IR_MAP_HEAD = 4 }; /* the map's length stands before it: ids made later may lie behind its end */
static inline bool ir_map_has(const ir_id *map, ir_id id) { return id < map[-IR_MAP_HEAD] && map[id]; }
ir_id ir_map_follow(ir_id *map, ir_id id); /* along a chain */
static inline ir_id ir_map_end(ir_id *map, ir_id id) /* what stands in its place in the end */
{
	if (!ir_map_has(map, id))
		return id;
	return ir_map_has(map, map[id]) ? ir_map_follow(map, id) : map[id];
}
/* Of a map that covers all: nothing stands in the place of 0. */
static inline bool ir_map_has_any(const ir_id *map, const ir_id a[IR_INLINE_ARGS])
{
	return map[a[0]] | map[a[1]] | map[a[2]] | map[a[3]];
}

/* Users of every value as flat lists, an entry per operand. Finding them is left out where that was done (at != NULL); they hold as
 * long as no operand changes. */
struct ir_users { uint32_t *at; ir_id *user; };
void ir_users_find(struct ir_users *, struct ir_fn *, struct arena *scratch);
#define ir_for_users(l, id, u) for (uint32_t u##_i = (l)->at[id], u; u##_i < (l)->at[(id) + 1] && ((u = (l)->user[u##_i]), 1); u##_i++)

#define ir_for_insts(fn, b, id) for (ir_id id = (fn)->block[b].first, id##_n; id && ((id##_n = (fn)->inst[id].next), 1); id = id##_n)
#define ir_for_order(fn, b) for (uint32_t b##_i = 0, b; b##_i < (fn)->norder && ((b = (fn)->order[b##_i]), 1); b##_i++)

/* ---- cfg.c, cfg_dom.c */
uint32_t *cfg_work(struct ir_fn *, size_t n); /* their scratch: `n` words, zeroed, until the next one asks */
void cfg_order(struct ir_fn *);       /* drops unreachable blocks (and their phi operands), fills order and rpo */
void cfg_dominators(struct ir_fn *);  /* needs order; Lengauer and Tarjan, as hostile graphs must stay near linear */
bool cfg_dominates(const struct ir_fn *, uint32_t a, uint32_t b); /* reflexive; constant time */
/* The order's blocks in preorder of the dominator tree, children in order. */
uint32_t *cfg_preorder(const struct ir_fn *, struct arena *scratch);
/* The tree by itself, without touching the function: from the successors, and (structural) as if a header branched to its merge
 * and continue blocks too. Unreachable blocks: idom IR_NO_BLOCK, in > out. a dominates b: in[b] lies in in[a]..out[a]. */
struct cfg_tree { uint32_t *idom, *in, *out; };
void cfg_tree(const struct ir_fn *, struct arena *scratch, bool structural, struct cfg_tree *);
/* Natural loops: fills block.loop (innermost header). False when the graph is irreducible. Needs dominators. */
bool cfg_loops(struct ir_fn *);
/* Immediate post-dominator per block (IR_NO_BLOCK: none / exits), arena array of nblock. Needs order. */
uint32_t *cfg_postdominators(const struct ir_fn *, struct arena *scratch);
void cfg_pred_add(struct ir_fn *, uint32_t block, uint32_t pred); /* phis are yours */
/* Also drops the phi operand and a sw's case value; the terminator itself (brc to br) is the caller's. Of several edges
 * between two blocks, the k-th succ entry belongs to the k-th pred entry. */
void cfg_edge_remove(struct ir_fn *, uint32_t from, unsigned succ_index);
/* Branches become `br`: keep[b], by block, is which successor of b alone stays, counted from 1, or 0. One sweep, however many. */
void cfg_keep_edges(struct ir_fn *, const uint32_t *keep);
void cfg_edge_retarget(struct ir_fn *, uint32_t from, unsigned succ_index, uint32_t to); /* pred lists; phis are yours */

/* ---- print.c, parse.c, verify.c, eval.c */
void ir_print(const struct ir_fn *, FILE *);
char *ir_print_string(const struct ir_fn *, struct arena *);
/* Text to function. NULL and *error (arena string "line:col: reason") when malformed. */
struct ir_fn *ir_parse(struct arena *, const char *text, const char **error);
/* Check every rule that holds at this point (fn->ssa, fn->structured). NULL when fine, else what is broken. */
const char *ir_verify(struct ir_fn *, struct arena *scratch);

/* Constant evaluation of one pure op: bits in, bits out. False when the row has no evaluation. `types[i]` of operands. */
/* A float's value from its bits (width 16, 32, 64), and back: rounded to nearest even, once. */
double ir_float_value(unsigned width, uint64_t bits);
uint64_t ir_float_bits(unsigned width, double);
bool ir_eval_op(enum ir_op, ir_type type, uint16_t sub, uint64_t imm, const ir_type *types, const uint64_t *args,
                uint64_t *out);

#endif
