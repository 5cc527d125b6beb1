/* emit.h - what the emitters share. Internal to libxlate/spirv.
 *
 * Every IR value may exist in two classes that hold the same bits: its own type (`val`) and the other of integer and float
 * (`alt`). A vector may exist whole or as components (`part`). The demand pass (emit_scan.c) says which forms have users, so
 * that a producer makes what is read and bitcasts, extracts and shifts of addresses cost nothing where they can be avoided.
 */
#ifndef XL_EMIT_H
#define XL_EMIT_H

#include "spirv.h"
#include "words.h"

/* Forms of a value that have users. */
enum { WANT_SELF = 1, WANT_ALT = 2, WANT_PART = 4, WANT_PART_ALT = 8, WANT_COPY = 16 /* stored as it is (emit_scan.c) */,
	WANT_EXACT = 32 /* no form: it is among `exact` already */ };

enum { EMIT_ROOM = 8, EMIT_FEW = 4 }; /* words, and operands, that most instructions have at most */

/* Views of a buffer: element of the array that the block holds. */
enum emit_view { VIEW_U8, VIEW_U16, VIEW_U32, VIEW_V2, VIEW_V3, VIEW_V4, VIEW_U64, VIEW_F32 /* float atomics */, VIEW_COUNT };

struct emit_res {
	uint32_t view[VIEW_COUNT];   /* variables, 0: not made */
	uint32_t view_type[VIEW_COUNT]; /* id of the element's type */
	uint32_t view_pointer[VIEW_COUNT]; /* and of pointers to it, 0: not asked for */
	uint32_t var, type;          /* images and samplers: variable and object type */
	uint32_t image_type;         /* OpTypeImage of combined and sampled images */
	uint32_t object;             /* loaded once in the prologue, 0: not */
	uint32_t low, high;          /* bytes read by constant offsets: [low, high) */
	uint32_t float_votes, int_votes;
	uint32_t nvar;
	bool used, read, written, atomic, scoped, dynamic, compare, plain, is_float;
};

enum emit_helper { HELPER_FLUSH, HELPER_FMA, HELPER_COUNT };
struct emit_builtin { uint32_t var, value; };
struct emit_iface {
	uint32_t var, type, value, vertex[3];
	uint8_t low, n;
	bool half, whole;            /* emit_out.c: an output of halves; something else is written */
	uint32_t len;
	ir_id comp[4];
};

enum { LOCAL_SCRATCH, LOCAL_SHARED, LOCAL_WIDE /* shared, of 64-bit words */, LOCAL_COUNT };

struct emit {
	struct words m;
	struct ir_fn *fn;
	const struct ir_inst *inst;  /* fn->inst: emission adds none */
	const struct facts *facts;
	const struct fact_target *t;
	struct spirv_options opt;
	struct arena *arena;
	struct diag_sink *diag;
	uint32_t *val, *alt;         /* per IR value: SPIR-V id, 0: not made */
	uint32_t *part, *part_alt;   /* per IR value: where in `comp` its component ids start, 0: not made */
	uint32_t *comp;
	size_t ncomp, comp_cap;
	uint8_t *want;               /* per IR value; behind them as many bytes for emit_scan.c */
	ir_id *live;                 /* what is to be emitted, each block's backwards */
	uint32_t *live_from, *live_to; /* per block: its part of `live`, with the terminator first */
	uint32_t *access;            /* per IR value: number of its access, 0: not one that emit_access_of understood */
	struct emit_known *accesses;
	size_t naccess, access_cap;
	uint32_t *label, *label_out; /* per block: first label, and the label that ends it */
	struct emit_res *res;        /* per resource */
	struct emit_iface *iface;    /* per interface entry */
	struct emit_builtin builtin[SYSVAL_COUNT];
	uint32_t *entry_var;         /* variables that the entry point lists */
	size_t nentry_var, entry_cap;
	struct emit_phi { size_t at; ir_id phi; } *phi; /* instructions to complete at the end */
	size_t nphi, phi_cap;
	struct emit_block { uint32_t key[4], type; } *blk; /* block structs by view, class, storage, length */
	size_t nblk, blk_cap;
	uint32_t *exact, *nonuniform; /* ids to be decorated */
	size_t nexact, exact_cap, nnonuniform, nonuniform_cap;
	uint32_t local_var[LOCAL_COUNT], push_low;
	uint32_t local_pointer[LOCAL_COUNT]; /* types of pointers to their words; 0: not asked for */
	uint32_t entry_label;
	uint32_t cur_label;          /* block that instructions are being added to */
	uint32_t file;               /* OpString of the guest listing */
	uint32_t line;
	uint32_t addr;               /* guest address of the instruction at hand */
	uint32_t block;
	uint32_t subgroup_size, features; /* features: bit per enum spirv_feature */
	bool vulkan_model, failed, physical;
	uint32_t float_ops;          /* base types, as bits: arithmetic was emitted; that of integers says nothing */
	uint32_t flush_ops;          /* operations whose denormals the host's mode flushes */
	uint16_t flush_flag;         /* what marks them: IR_F_FTZ, or 0 where no mode is asked for */
	bool round_op[4];            /* per width 8 << i: conversions that round to nearest even */
	bool half_to_zero;           /* all that is rounded to halves is rounded to zero, and the host has a mode for that */
	bool to_zero_op;             /* such a conversion was emitted */
	bool captures;               /* transform feedback captures some output */
	enum words_section to;       /* where values are made */
	uint32_t helper[HELPER_COUNT][4]; /* functions that were made, per width */
	ir_id *copy;                 /* emit_scan.c: what hands on values that are stored as they are, users first */
	size_t ncopy, copy_cap;
	bool device_sync;            /* emit_scan.c met a barrier past the workgroup */
	uint32_t wide_from, wide_to; /* bytes of shared memory that are 64-bit words (emit_shared.c) */
	uint32_t type[64];           /* ids of IR types; 0: not asked for yet */
	struct emit_const { uint64_t bits; uint32_t id; ir_type type; } *konst; /* constants by a hash; type IR_VOID: none */
	uint32_t nkonst, konst_bits; /* log2 of how many fit in */
	uint32_t arg[256 + EMIT_FEW]; /* operands of the instructions that are being put together, those of the outer ones first */
	uint8_t narg;
};

static inline const struct ir_inst *emit_inst(const struct emit *e, ir_id v)
{
	return &e->inst[v];
}

enum { EMIT_DOES = FX_WRITE | FX_SYNC | FX_TERM };
/* Something wants it, or it does something. */
static inline bool emit_live(const struct emit *e, ir_id v)
{
	return e->want[v] || ir_ops[e->inst[v].op].fx & EMIT_DOES;
}

/* ---- reflect.c */
const char *reflect_text(struct emit *);

/* ---- emit.c */
void emit_refuse(struct emit *, enum diag_code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void emit_need(struct emit *, bool have, SpvCapability, const char *feature);
void emit_feature(struct emit *, bool have, enum spirv_feature); /* a feature that no capability says */
void emit_int64_atomics(struct emit *, bool shared);
void emit_entry_var(struct emit *, uint32_t var);

/* ---- emit_value.c: types, constants, values */
uint32_t emit_void(struct emit *);
uint32_t emit_new_type(struct emit *, ir_type);
static inline uint32_t emit_type(struct emit *e, ir_type t) /* of an IR type */
{
	return e->type[t & 63] ? e->type[t & 63] : emit_new_type(e, t);
}
uint32_t emit_vec_type(struct emit *, ir_type base, unsigned n);
uint32_t emit_pointer(struct emit *, SpvStorageClass, uint32_t type);
static inline ir_type emit_alt_type(ir_type t) /* the other class of the same width; IR_VOID when there is none */
{
	static const uint8_t alt[16] = { [IR_I16] = IR_F16, [IR_I32] = IR_F32, [IR_I64] = IR_F64, [IR_F16] = IR_I16, [IR_F32] = IR_I32,
		[IR_F64] = IR_I64 };
	unsigned base = alt[ir_base(t)];

	return (ir_type)(base ? IR_VEC(base, ir_elems(t)) : IR_VOID);
}
uint32_t emit_f32(struct emit *, float);
enum { EMIT_CONSTS = 6 };
void emit_consts_init(struct emit *);
uint32_t emit_find_const(struct emit *, ir_type, uint64_t bits);
static inline struct emit_const *emit_const_slot(struct emit *e, ir_type t, uint64_t bits)
{
	return &e->konst[((bits ^ (uint64_t)t << 40) * 0x9e3779b97f4a7c15ull) >> (64 - e->konst_bits)];
}
static inline uint32_t emit_const(struct emit *e, ir_type t, uint64_t bits) /* scalar, or all elements alike */
{
	const struct emit_const *c = emit_const_slot(e, t, bits);

	return c->bits == bits && c->type == t ? c->id : emit_find_const(e, t, bits);
}
static inline uint32_t emit_u32(struct emit *e, uint32_t v) { return emit_const(e, IR_I32, v); }
uint32_t emit_true(struct emit *, bool);
uint32_t emit_undef(struct emit *, ir_type);
uint32_t emit_new_value(struct emit *, ir_id);
static inline uint32_t emit_get(struct emit *e, ir_id v) /* the value in its own type, whole */
{
	return e->val[v] ? e->val[v] : emit_new_value(e, v);
}
uint32_t emit_get_as(struct emit *, ir_id, ir_type); /* the same bits as another type of the same total width */
uint32_t emit_get_part(struct emit *, ir_id, unsigned element);
uint32_t emit_get_part_as(struct emit *, ir_id, unsigned element, ir_type);
uint32_t emit_get_u32(struct emit *, ir_id);         /* integer widened to 32 bits without sign */
/* Define a value: by an id of type `t` (its own or the other class), or by components of that class. */
void emit_set(struct emit *, ir_id, ir_type t, uint32_t id);
void emit_set_parts(struct emit *, ir_id, ir_type t, const uint32_t parts[EMIT_FEW]);
static inline bool emit_short_of_room(const struct emit *e) { return words_full(&e->m, e->to, EMIT_ROOM); }
/* Where there is room: start an instruction of `n` operands with a result. Gives its id, and where the operands go. */
static inline uint32_t *emit_start(struct emit *e, enum words_section s, SpvOp op, uint32_t type, unsigned n, uint32_t *id)
{
	struct words_array *a = &e->m.sec[s];
	uint32_t *w = a->w + a->n;

	a->n += n + 3;
	w[0] = (n + 3) << 16 | (uint32_t)op;
	w[1] = type;
	w[2] = *id = words_id(&e->m);
	return w + 3;
}
uint32_t emit_op(struct emit *, SpvOp, uint32_t type, const uint32_t *args, size_t n); /* into the body; returns the result */
/* The same of an array that holds EMIT_FEW words, whatever those behind the operands are: quicker where n is at most that. */
uint32_t emit_few(struct emit *, SpvOp, uint32_t type, const uint32_t args[EMIT_FEW], size_t n);
uint32_t emit_ext(struct emit *, enum GLSLstd450, uint32_t type, const uint32_t *args, size_t n);
void emit_stmt(struct emit *, SpvOp, const uint32_t *args, size_t n); /* without a result */
static inline bool emit_is_const(const struct emit *e, ir_id v, uint64_t *bits)
{
	return ir_is_const(e->fn, v, bits);
}
uint64_t emit_max(const struct emit *, ir_id, unsigned depth); /* an upper bound of an unsigned value */
void emit_exact_more(struct emit *, size_t n);       /* emit_exact_room where there is none yet */
static inline void emit_exact_room(struct emit *e, size_t n) /* for so many more */
{
	if (e->exact_cap - e->nexact < n)
		emit_exact_more(e, n);
}
static inline void emit_exact(struct emit *e, uint32_t id) /* NoContraction; once for an id */
{
	emit_exact_room(e, 1);
	e->exact[e->nexact++] = id;
}
static inline void emit_computes(struct emit *e, ir_type t) { e->float_ops |= 1u << ir_base(t); }

/* The same with the operands written out, which may be calls that emit: they are made from left to right, by every compiler.
 * C leaves the order of a call's arguments and of an initialiser's items open, but not that of comma operators, so each
 * operand waits in e->arg for the others. */
static inline void emit_arg(struct emit *e, uint32_t v) { e->arg[e->narg++] = v; }
uint32_t emit_op_of(struct emit *, SpvOp, unsigned n); /* of the last `n` operands, and the type before them */
uint32_t emit_ext_of(struct emit *, enum GLSLstd450, unsigned n);
void emit_stmt_of(struct emit *, SpvOp, unsigned n); /* without a type */

#define E_OP(e, op, type, ...) (emit_arg(e, type), E_ARGS(e, __VA_ARGS__), emit_op_of(e, SpvOp##op, E_COUNT(__VA_ARGS__)))
#define E_EXT(e, op, type, ...) (emit_arg(e, type), E_ARGS(e, __VA_ARGS__), emit_ext_of(e, GLSLstd450##op, E_COUNT(__VA_ARGS__)))
#define E_STMT(e, op, ...) (E_ARGS(e, __VA_ARGS__), emit_stmt_of(e, SpvOp##op, E_COUNT(__VA_ARGS__)))

#define E_COUNT(...) E_NINTH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define E_NINTH(a, b, c, d, e, f, g, h, n, ...) n
#define E_ARGS(e, ...) E_ARGS_OF(E_COUNT(__VA_ARGS__), e, __VA_ARGS__)
#define E_ARGS_OF(n, e, ...) E_PASTE(E_ARGS_, n)(e, __VA_ARGS__)
#define E_PASTE(a, b) a##b
#define E_ARGS_1(e, a) emit_arg(e, a)
#define E_ARGS_2(e, a, ...) emit_arg(e, a), E_ARGS_1(e, __VA_ARGS__)
#define E_ARGS_3(e, a, ...) emit_arg(e, a), E_ARGS_2(e, __VA_ARGS__)
#define E_ARGS_4(e, a, ...) emit_arg(e, a), E_ARGS_3(e, __VA_ARGS__)
#define E_ARGS_5(e, a, ...) emit_arg(e, a), E_ARGS_4(e, __VA_ARGS__)
#define E_ARGS_6(e, a, ...) emit_arg(e, a), E_ARGS_5(e, __VA_ARGS__)
#define E_ARGS_7(e, a, ...) emit_arg(e, a), E_ARGS_6(e, __VA_ARGS__)
#define E_ARGS_8(e, a, ...) emit_arg(e, a), E_ARGS_7(e, __VA_ARGS__)

/* ---- emit_helper.c: what takes many instructions and is done often, as a function of its own. `body` gives the result. */
typedef uint32_t emit_helper_fn(struct emit *, ir_type, const uint32_t *param);
uint32_t emit_helper_call(struct emit *, enum emit_helper, ir_type, emit_helper_fn *body, const uint32_t *args, unsigned n);

/* ---- emit_out.c */
void emit_out_scan(struct emit *);
ir_id emit_out_operand(const struct emit *, const struct ir_inst *store);
uint32_t emit_out_half(struct emit *, ir_id value);

/* ---- emit_scan.c */
void emit_scan(struct emit *);
bool emit_mask_true(const struct emit *, ir_id mask); /* every lane that gets here has its bit set, or is a helper */

/* ---- emit_addr.c: byte offsets to array indices */
struct emit_addr {
	ir_id term[3];
	uint8_t scale[3];            /* log2 of what the term is multiplied by */
	bool shr[3];                 /* the term is a byte offset: to be shifted down */
	uint32_t mul[3];             /* 0, or what the term is multiplied by instead */
	unsigned n;
	uint64_t byte;               /* constant part, modulo 2^32 */
};
struct emit_access {             /* one buffer, shared or scratch access */
	uint8_t plus;                /* words behind the index, of constant data */
	ir_id id;
	enum { MEM_BUFFER, MEM_SHARED, MEM_SCRATCH } space;
	uint32_t res;                /* MEM_BUFFER: resource index */
	ir_id bind;                  /* MEM_BUFFER: the bind instruction */
	ir_id off;
	uint64_t imm;
	unsigned bits, n;            /* element width, elements */
	unsigned words;              /* 32-bit words, 0: sub-word elements */
	unsigned align;              /* log2 of the known alignment in bytes */
	bool store, atomic;
	bool wide;                   /* MEM_SHARED: among the 64-bit words, from whose start `imm` counts */
	ir_type type;                /* of the value */
	ir_id value;
	uint16_t flags;
};
struct emit_known {              /* an access, and how its offset was split last */
	struct emit_access a;
	struct emit_addr addr;
	uint64_t imm;
	uint8_t shift;               /* log2 of the element's bytes + 1, 0: not split yet */
};
const struct emit_access *emit_new_access(struct emit *, ir_id, bool report);
/* Asked for up to four times: by the walks, the votes and the emitter. NULL: none, said why if `report`. */
static inline const struct emit_access *emit_access_of(struct emit *e, ir_id id, bool report)
{
	return e->access[id] ? &e->accesses[e->access[id] - 1].a : emit_new_access(e, id, report);
}
void emit_new_split(const struct emit *, const struct emit_access *, unsigned shift, struct emit_known *);
/* How an access's offset is a sum. Asked for with the same element size by the walk and by the emitter. */
static inline const struct emit_addr *emit_split(struct emit *e, const struct emit_access *a, unsigned shift)
{
	struct emit_known *k = &e->accesses[e->access[a->id] - 1];

	if (k->shift != shift + 1 || k->imm != a->imm)
		emit_new_split(e, a, shift, k);
	return &k->addr;
}
unsigned emit_align(const struct emit *, ir_id, unsigned depth);
uint32_t emit_index(struct emit *, const struct emit_access *, unsigned shift, uint32_t add);
bool emit_const_byte(const struct emit *, const struct emit_access *, uint32_t *byte);
struct emit_piece { uint8_t view, n; uint8_t word; }; /* `n` words from word `word` of the access on */
unsigned emit_plan_words(const struct emit *, const struct emit_access *, struct emit_piece piece[8]);
/* Uniform buffers are vectors of four: no layout has words at stride 4. */
static inline bool emit_of_vectors(const struct emit *e, const struct emit_access *a)
{
	return a->space == MEM_BUFFER && e->fn->res[a->res].kind == RES_UNIFORM_BUFFER && !e->t->scalar_layout &&
	       !e->t->uniform_standard_layout;
}
/* Which views a word access goes through, widest first. */
static inline unsigned emit_plan(const struct emit *e, const struct emit_access *a, struct emit_piece piece[8])
{
	if (a->words != 1)
		return emit_plan_words(e, a, piece);
	piece[0] = (struct emit_piece){emit_of_vectors(e, a) ? VIEW_V4 : VIEW_U32, 1, 0}; /* most */
	return 1;
}

/* ---- emit_mem.c, emit_atomic.c */
void emit_load(struct emit *, ir_id);
void emit_store(struct emit *, ir_id);
void emit_atomic(struct emit *, ir_id);
void emit_image_atomic(struct emit *, ir_id);
void emit_insert(struct emit *, const struct emit_access *, uint32_t pointer, uint32_t shift, uint32_t value); /* sub-word store */
struct emit_cas { uint32_t header, body, next, merge, old, pointer, type, scope, zero; };
void emit_cas_begin(struct emit *, struct emit_cas *, uint32_t type, uint32_t pointer, SpvScope); /* .old: what is there */
uint32_t emit_cas_end(struct emit *, struct emit_cas *, uint32_t value);                          /* the old value */
uint32_t emit_atomic_next(struct emit *, unsigned atomic, ir_type, uint32_t old, const uint32_t *value);
uint32_t emit_atomic_op(struct emit *, unsigned atomic, ir_type, uint32_t type, uint32_t pointer, SpvScope, const uint32_t *value);
uint32_t emit_space_word(struct emit *, const struct emit_access *); /* pointer to the word that holds the first byte */
void emit_buflen(struct emit *, ir_id);
void emit_ldptr(struct emit *, ir_id);
void emit_stptr(struct emit *, ir_id);
void emit_atptr(struct emit *, ir_id);

/* ---- emit_shared.c: shared memory of 64-bit words */
void emit_shared_scan(struct emit *);                        /* which bytes are: e->wide_from */
void emit_shared_place(const struct emit *, struct emit_access *); /* sets a->wide, and counts `imm` in the variable */
static inline bool emit_has_wide(const struct emit *e) { return e->wide_from < e->wide_to; }
void emit_shared_load(struct emit *, ir_id, const struct emit_access *);
void emit_shared_store(struct emit *, const struct emit_access *);
uint32_t emit_shared_atomic(struct emit *, const struct emit_access *, unsigned atomic, const uint32_t *value); /* of 32 bits */

/* ---- emit_res.c */
SpvStorageClass emit_storage(const struct emit *, const struct emit_access *);
uint32_t emit_chain(struct emit *, const struct emit_access *, enum emit_view, uint32_t index, int component);
uint32_t emit_block_pointer(struct emit *, const struct emit_access *); /* to the block of 32-bit words */
uint32_t emit_memory_operands(struct emit *, uint16_t flags, uint32_t res, bool store, bool shared, uint32_t out[3]);
uint32_t emit_new_element(struct emit *, ir_id bind, uint32_t res);
static inline uint32_t emit_element(struct emit *e, ir_id bind, uint32_t res) /* of a descriptor binding; 0: not an array */
{
	return e->fn->res[res].count == 1 ? 0 : emit_new_element(e, bind, res);
}
void emit_decorate_nonuniform(struct emit *, uint32_t id);
void emit_nonuniform_of(struct emit *, ir_id bind, uint32_t id, bool pointer);
/* Decorate a pointer or a loaded object that comes from a non-uniform element, as the profile asks. */
static inline void emit_nonuniform(struct emit *e, ir_id bind, uint32_t id, bool pointer)
{
	if (e->fn->res[emit_inst(e, bind)->imm].count != 1)
		emit_nonuniform_of(e, bind, id, pointer);
}
void emit_res_finish(struct emit *);
SpvScope emit_scope(const struct emit *, unsigned scope);

/* ---- emit_image.c, emit_texel.c */
void emit_sample(struct emit *, ir_id);
void emit_gather(struct emit *, ir_id);
void emit_iload(struct emit *, ir_id);
void emit_istore(struct emit *, ir_id);
void emit_iquery(struct emit *, ir_id);
void emit_typed(struct emit *, ir_id);
uint32_t emit_image_pointer(struct emit *, ir_id bind, uint32_t res);
uint32_t emit_image_object(struct emit *, ir_id bind, uint32_t res); /* loaded image, sampled image or sampler */
void emit_image_var(struct emit *, uint32_t res);
ir_type emit_texel_base(const struct ir_resource *);
unsigned emit_coord_count(const struct ir_resource *);
unsigned emit_texel_coord_count(const struct ir_resource *);
uint32_t emit_coords(struct emit *, ir_id coord, unsigned n, ir_type base);
uint32_t emit_texel_type(struct emit *, const struct ir_resource *, unsigned n); /* as the image declares it */
uint32_t emit_texel_unsigned(struct emit *, const struct ir_resource *, uint32_t v, unsigned n);
void emit_texel_result(struct emit *, ir_id id, ir_type base, uint32_t vec4);

/* ---- emit_iface.c */
void emit_sysval(struct emit *, ir_id);
void emit_ldin(struct emit *, ir_id);
void emit_stout(struct emit *, ir_id);
uint32_t emit_builtin_value(struct emit *, enum sysval); /* loaded whole, once */
void emit_entry_point(struct emit *, uint32_t fn);
void emit_modes(struct emit *, uint32_t fn);

/* ---- emit_bary.c */
bool emit_is_bary(unsigned sysval);
void emit_bary(struct emit *, ir_id);                /* a system value that is a barycentric */
void emit_bary_need(struct emit *);

/* ---- emit_geom.c: the generated geometry stage, where the function has inputs that one makes. False after a diagnostic. */
bool emit_geometry(struct emit *, struct spirv_module *);

/* ---- emit_lane.c */
void emit_lane_op(struct emit *, ir_id);
void emit_barrier(struct emit *, ir_id);
bool emit_ends(const struct emit *, ir_id);
void emit_demote(struct emit *, ir_id);
uint32_t emit_lane_id(struct emit *);
bool emit_elects(const struct emit *, ir_id); /* a lanebit that is set in one of the lanes that are here */

/* ---- emit_flow.c */
struct emit_guard { uint32_t merge, from; };
bool emit_guard_begin(struct emit *, ir_id mask, struct emit_guard *); /* false: no guard was needed */
void emit_guard_end(struct emit *, const struct emit_guard *, uint32_t type, uint32_t *value); /* value: joined by a phi */
void emit_block(struct emit *, uint32_t b);
uint32_t emit_new_label(struct emit *, uint32_t label); /* start a block in the body */
void emit_phis_finish(struct emit *);

/* ---- emit_alu.c, emit_bits.c, emit_float.c, emit_conv.c */
typedef void emit_inst_fn(struct emit *, ir_id);
extern emit_inst_fn *const emit_by_op[IR_OP_COUNT];
/* ---- emit_range.c: a float lies between, both included, or is NaN where it may be */
enum { RANGE_DEPTH = 6 };
struct emit_range { double low, high; bool nan; };
struct emit_range emit_range(const struct emit *, ir_id, unsigned depth);
/* A signed number of 32 bits lies between, both included. */
struct emit_ints { int64_t low, high; };
struct emit_ints emit_ints(const struct emit *, ir_id, unsigned depth);

void emit_bits_op(struct emit *, ir_id);
bool emit_bits_select(struct emit *, ir_id); /* a choice of -1 where there is no lowest bit */
bool emit_bits_diff(struct emit *, ir_id);   /* 31 less the leading zeros; false, both: it is not that, nothing is emitted */
void emit_float_op(struct emit *, ir_id);
void emit_class_op(struct emit *, ir_id);
void emit_conv_op(struct emit *, ir_id);
uint32_t emit_clz32(struct emit *, uint32_t v);
void emit_halves(struct emit *, uint32_t v64, uint32_t out[2]);
uint32_t emit_pack(struct emit *, ir_type t64, uint32_t lo, uint32_t hi);

#endif
