/* lift_amd.h - what the AMD lifter's files share.
 *
 * Registers become markers. An SGPR has up to two: its integer (AMD_FILE_SGPR) and, at the base of a wave mask, this
 * lane's bit of it (AMD_FILE_MASK). Which of the two anyone may read is found before lifting (lift_scan.c);
 * only those are written. EXEC has the bit only; reading it as a number is a ballot.
 *
 * Writes are queued and take effect when the instruction ends (lift_flush), so that a result never reaches an operand of
 * its own instruction; a lifter that has read all its operands may say so (settled), and they take effect at once. In a block a marker is got once, before its first write, and set once, at the end (lift_block.c).
 *
 * A row of the instruction table names its lifter as L(function, op, arg): lift_<function> is called with the row's
 * IR op and argument. A lifter that meets something it cannot translate exactly calls lift_refuse and may return any
 * value.
 */
#ifndef XL_LIFT_AMD_H
#define XL_LIFT_AMD_H

#include "../lift.h"
#include "amd.h"

enum { LIFT_REGS = 128, LIFT_MAX_PENDING = 320 };

/* How an SGPR is read and written anywhere in the program. */
enum {
	USE_INT = 1,   /* someone reads the integer */
	USE_MASK = 2,  /* someone reads the lane's bit of the mask that starts here */
	USE_CAND = 4,  /* may hold a mask that vector instructions made: "not zero" of it is a wave-wide any */
	USE_WRITE = 8, /* an integer write covers only a part of the mask here */
};

/* ---- lift_call.c: what is reached, through calls, too */
struct lift_call { uint32_t parent, entry, back, depth; }; /* context that calls; offsets of the function and of the return */
struct lift_reach {
	uint32_t *work;          /* slots to decode from, as a stack */
	uint32_t n, slots;
	size_t cap, seen_cap, inst_cap, scan_cap, mark_cap, call_cap;
	uint8_t *seen;           /* per slot: 1 an instruction starts here, 2 inside one, 4 a block starts here, 8 it is branched to */
	struct amd_inst **inst;  /* per slot: the instruction that starts here */
	uint32_t *mark;          /* NULL, or per slot: jumps through registers: target slot + 1; buffer accesses that are scratch
	                          * accesses: scalar offset in a lane's bytes + 1 */
	const struct amd_inst **scan; /* those that lift_scan looks at: with scalar registers, or others that it knows of */
	uint32_t ninst, nscan, ncall;
	struct lift_call *call;  /* [0]: the program */
	bool indirect, buffers;  /* jumps through registers, buffer accesses were seen */
};

enum { LIFT_MARKERS = 2 * LIFT_REGS + 256 + 1 }; /* integers and masks of SGPRs, VGPRs, SCC */

enum { LIFT_GROUP = 1024 }; /* invocations of the largest workgroup whose waves are filled up: what hosts take, too */
struct lift_place { const struct amd_inst *in; uint32_t slot; };

/* Of an SGPR: the last place before `at` that writes it + 1, or 0: none. */
struct lift_wrote { uint32_t at, place; };

/* A marker in the block at hand (lift_block.c). Its values are of any type of its size. */
struct lift_cur {
	uint32_t region;  /* blocks that go on with each other's values: of others what follows is void */
	uint32_t dirty;   /* number of the block that wrote it last */
	ir_id value;      /* of all lanes; 0: not made yet */
	ir_id mask, part; /* mask is not 0: `part` in its lanes, in others `old`, or where that is 0 what the block starts with */
	ir_id old;
	bool asked;       /* some block got it from another */
	bool typed;       /* its type is what it is */
	uint8_t room[6];  /* makes it 32 bytes, found by a shift */
};
struct lift_left { uint32_t marker; ir_id before, value, mask, part, old; }; /* written in the block that ends with `before` */
struct lift_pending { uint32_t marker; ir_id value, mask; }; /* mask 0: all lanes */
/* Element i of v, a vector or one value, as what a register holds; made where v is when someone reads it: ids are below LIFT_LATE. */
enum { LIFT_LATE = 1u << 31, LIFT_LATE_ELEMS = 4 };
enum { LIFT_RECENT = 64 };
struct lift_recent { ir_id id; uint32_t region; }; /* an instruction that the same operands will make again */

struct amd_lift;
struct lift_row {
	void (*fn)(struct amd_lift *, const struct lift_row *);
	uint16_t op; /* enum ir_op */
	uint32_t arg;
};

struct amd_lift {
	struct lift_ctx *ctx;
	struct ir_fn *fn;
	const struct facts *facts;
	const struct amd_inst *in; /* being lifted */
	unsigned wave;
	bool gfx7, failed, ended; /* ended: the block has its terminator */
	bool full;                 /* every wave is known to have all its lanes */
	uint32_t filled[3];        /* lift.c, fill_waves: the guest's workgroup where lanes were added to it; else 0 */

	/* A slot is a code dword within a call: the dwords of the program itself, then those of each called function's body,
	 * once per call (lift_call.c). */
	struct lift_place *place;  /* reachable instructions, by slot */
	struct lift_wrote *wrote;  /* per SGPR: lift_imgdim.c, from when it first asks; and there: */
	uint32_t *writer;          /* per place: the last one before that may write an SGPR + 1 */
	uint64_t looked;           /* places and entries, there */
	uint32_t ninst, at, words; /* at: the one being lifted; words: slots of the program itself */
	uint32_t *block;           /* per slot: block that starts there + 1 */
	struct lift_reach *reach;

	uint16_t sgpr[LIFT_REGS], mask[LIFT_REGS], vgpr[256], scc; /* marker + 1, 0: not made yet */
	uint8_t use[LIFT_REGS + 4]; /* behind the registers: what stands for none (lift_scan.c) */
	uint8_t part[LIFT_REGS / 2], nparts; /* registers whose use has USE_WRITE */
	struct lift_pending *pending; /* results of the instruction at hand */
	struct lift_cur *cur;      /* per marker */
	uint16_t *dirty;           /* markers that the block wrote */
	struct lift_left *left;    /* what the blocks so far wrote */
	struct lift_recent recent[LIFT_RECENT]; /* by operands */
	size_t left_cap;
	unsigned npending, ndirty, nleft, nblock, region;
	bool asked;                /* of any marker */
	bool first_exec;           /* EXEC is still what it was at entry */
	bool sets_exec;            /* some instruction so far writes it */
	bool mode_changes;         /* the program changes the float mode */
	uint16_t *mode;            /* per instruction, then (lift_mode.c) */
	ir_id enable;              /* DPP: lanes that write, 0: all of EXEC */
	bool shared_read;          /* the instruction read a register that both halves of the wave share */
	bool settled;              /* the instruction reads no register behind this: its writes need no queue */
	bool whole;                /* the instruction looks at VGPRs in lanes that are off, too */
	ir_id exec;                /* EXEC in the block at hand, 0: not asked for yet */
	ir_id yes;                 /* the constant true: the mask of all lanes */
	unsigned first_shared;     /* VGPRs that both halves of the wave share; 256: none */
	struct { uint32_t at; bool yes; } half; /* at that instruction, EXEC is half of the wave at most (lift_shared.c) */
	/* VGPRs that scalar registers are got from, or that atomics exchange: loops compare them. */
	bool number[256];
	unsigned named_vgprs;      /* from VGPR 0 to the last that the program names, 0: not counted yet (lift_move.c) */

	/* A v_mbcnt_lo(-1, x) whose result is still in its register: v_mbcnt_hi(-1, that) is x + lane. */
	struct { bool valid; uint16_t vgpr; ir_id base; } mbcnt;
	uint32_t param_iface[256], color_iface[8], builtin_iface[SYSVAL_COUNT], hand_iface; /* fn->iface index + 1 */
};

/* ---- lift.c */
extern const struct lift_row lift_rows[AMD_OP_COUNT];
void lift_refuse(struct amd_lift *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint32_t lift_block_at(struct amd_lift *, int64_t offset); /* block of a branch target (checked when decoding) */
void lift_visit(struct amd_lift *, uint32_t call, int64_t target, uint32_t from);
bool lift_reach_more(struct amd_lift *); /* slots for one more call's body; false: too large, refused */
void lift_fail(struct amd_lift *, enum diag_code, uint32_t addr, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* ---- lift_call.c */
bool lift_trace(struct amd_lift *);        /* follow registers: true when calls were found whose bodies are to be decoded */
void lift_traced(struct amd_lift *, const struct lift_row *, uint32_t mark);
ir_id lift_code_address(struct amd_lift *, uint64_t offset); /* i64: the start of the code plus offset; 0 after a refusal */

/* ---- lift_block.c: markers by number */
ir_id lift_get(struct amd_lift *, uint32_t marker);
/* What it is read as first is the type that blocks hand it on as. */
void lift_type(struct amd_lift *, uint32_t marker, ir_type);
ir_id lift_get_late(struct amd_lift *, uint32_t marker); /* or what lift_late_elem says */
ir_id lift_get_active(struct amd_lift *, uint32_t marker); /* the same, right in the lanes of EXEC */
ir_id lift_active(struct amd_lift *, ir_id mask);          /* without what EXEC implies: for what acts in lanes of EXEC */
void lift_set(struct amd_lift *, uint32_t marker, ir_id value);
void lift_set_active(struct amd_lift *, uint32_t marker, ir_id mask, ir_id value); /* mask 0: in all lanes */
void lift_retype(struct amd_lift *, uint32_t marker, ir_id old, ir_id value); /* the same bits of another type, where it is `old` */
/* An op without effect, a second one of the same operands is the first: for what is read for every access. */
ir_id lift_once(struct amd_lift *, enum ir_op, ir_type, unsigned n, const ir_id *a);
/* Descriptors are loaded and named as vectors: their words are mostly of no interest. And a load to vector registers is of the type
 * that its first reader wants. */
ir_id lift_late_elem(struct amd_lift *, ir_id v, unsigned i);
ir_id lift_made(struct amd_lift *, ir_id);
ir_id lift_made_as(struct amd_lift *, ir_id, ir_type); /* of that type if no other reader has chosen: v is an i32 load */
void lift_flush(struct amd_lift *); /* the queued writes */
void lift_block_begin(struct amd_lift *, uint32_t block, bool goes_on); /* goes on: reached from the last one only */
void lift_block_end(struct amd_lift *); /* when it has its terminator */
void lift_blocks_done(struct amd_lift *); /* all of them have: their writes */

/* ---- lift_scan.c */
void lift_scan(struct amd_lift *);
uint32_t lift_exec_beyond(const struct amd_lift *); /* where EXEC may get lanes that it did not have; DIAG_NO_ADDR: nowhere */
bool lift_is_cand(const struct amd_lift *, const struct amd_opnd *);
bool lift_scc_by_mask(const struct amd_lift *, const struct lift_row *); /* of a wave-sized operation: SCC is an any */
/* may anyone read this destination so? */
bool lift_reads(const struct amd_lift *, const struct amd_opnd *, unsigned use);

/* ---- lift_shared.c: registers that both halves of a wave share */
ir_id lift_shared_write(struct amd_lift *, ir_id mask, ir_id v, ir_id old); /* the register's new value */

/* ---- lift_reg.c */
void lift_init_regs(struct amd_lift *); /* writes facts->init and EXEC */
ir_id lift_c32(struct amd_lift *, uint32_t);
ir_id lift_exec_get(struct amd_lift *);
ir_id lift_scc(struct amd_lift *);
/* A VGPR, unless l->whole right in the lanes of EXEC only; any: of some type of 32 bits; got, late: or what lift_late_elem says */
ir_id lift_vgpr(struct amd_lift *, unsigned n);
ir_id lift_vgpr_any(struct amd_lift *, unsigned n);
ir_id lift_vgpr_got(struct amd_lift *, ir_type, unsigned n);
ir_id lift_lane(struct amd_lift *);
/* i32: dword i of an operand, modifiers not applied */
ir_id lift_dword(struct amd_lift *, const struct amd_opnd *, unsigned i);
ir_id lift_qword(struct amd_lift *, const struct amd_opnd *);             /* i64 */
/* A handle of n dwords of an operand, which may be vectors of four */
ir_id lift_handle(struct amd_lift *, enum ir_op, const struct amd_opnd *, unsigned n);
ir_id lift_mask(struct amd_lift *, const struct amd_opnd *);              /* b1: this lane's bit */
ir_id lift_any(struct amd_lift *, ir_id mask);
void lift_set_scalar(struct amd_lift *, const struct amd_opnd *, const ir_id *dwords);
void lift_set_mask(struct amd_lift *, const struct amd_opnd *, ir_id mask);  /* both readings, from the lane's bit */
/* readings computed apart */
void lift_set_wave(struct amd_lift *, const struct amd_opnd *, ir_id mask, const ir_id *dwords);
void lift_set_exec(struct amd_lift *, ir_id mask);
void lift_set_scc(struct amd_lift *, ir_id b1);
void lift_set_vgpr(struct amd_lift *, unsigned n, ir_id value);      /* under EXEC; any type of 32 bits */
void lift_vgpr_now(struct amd_lift *, unsigned n, ir_id value);      /* the same, not queued: no register is read behind it */
void lift_set_vgpr_all(struct amd_lift *, unsigned n, ir_id value);  /* whatever EXEC is */
ir_id lift_where_on(struct amd_lift *, ir_id b1);                    /* b1 in the lanes of EXEC, false in others */
ir_id lift_split(struct amd_lift *, ir_id i64, ir_id dwords[2]);   /* returns dwords[0] */

/* ---- lift_vsrc.c: vector operands and results */
/* source i with modifiers, selection and DPP, as a 16/32/64-bit type */
ir_id lift_vsrc(struct amd_lift *, unsigned i, ir_type);
ir_id lift_vacc(struct amd_lift *, ir_type);              /* the destination as an operand */
/* output modifiers, selection, EXEC; the instruction reads no vector register behind it */
void lift_vdst(struct amd_lift *, ir_id value, ir_type);
void lift_vput(struct amd_lift *, ir_id value, ir_type);  /* the same, modifiers already applied */
ir_id lift_saturate(struct amd_lift *, ir_id exact, bool sign);  /* to half the width */
ir_id lift_sat16(struct amd_lift *, enum ir_op, bool sign, const ir_id *a, unsigned n); /* lift_vext.c */
ir_id lift_f1(struct amd_lift *, enum ir_op, ir_type, ir_id);        /* float ops with the guest's denormal mode */
ir_id lift_f2(struct amd_lift *, enum ir_op, ir_type, ir_id, ir_id);
ir_id lift_f3(struct amd_lift *, enum ir_op, ir_type, ir_id, ir_id, ir_id);
ir_id lift_recast(struct amd_lift *, ir_type, ir_id);     /* to another type */
ir_id lift_half(struct amd_lift *, ir_id i32, bool high); /* i16 */
ir_id lift_ubfe(struct amd_lift *, ir_id i32, unsigned offset, unsigned width, bool sign);

/* ---- lift_mem.c: a buffer access */
struct lift_buffer { ir_id mask, res, off, index; };
bool lift_buffer_of(struct amd_lift *, struct lift_buffer *); /* false: refused */
void lift_access(struct amd_lift *, ir_id, int64_t imm, unsigned align, enum ir_scope);
ir_id lift_elem(struct amd_lift *, ir_id v, unsigned n, unsigned i); /* of n; as an integer */
static inline enum ir_scope lift_cache_scope(const struct amd_inst *in) { return in->glc ? SCOPE_DEVICE : SCOPE_LANE; }

static inline bool lift_is_call(const struct amd_inst *in) { return in->op == AMD_s_swappc_b64_SOP1 || in->op == AMD_s_call_b64_SOPK; }

/* ---- lift_mode.c */
uint32_t lift_float_mode(struct amd_lift *); /* FACT_FTZ32 ... at the instruction being lifted; refuses what has no form */
bool lift_is_mode_change(const struct amd_inst *);

/* ---- lift_imgdim.c: what the record knows of images */
enum { LIFT_SAMPLED = 1, LIFT_STORAGE = 2 };
struct lift_image_kind { enum fact_dim dim; bool arrayed, ms; };
bool lift_image_kind(struct amd_lift *, unsigned what, struct lift_image_kind *);
bool lift_float_images(const struct facts *);  /* no image may hold integers */
bool lift_float_texels(const struct facts *);  /* no texel buffer may */
bool lift_float_storage(const struct facts *); /* no storage image may hold integers */

/* 0-127: SGPR number (VCC 106, M0 124, EXEC 126), else -1 */
static inline int lift_regno(const struct amd_opnd *o)
{
	return ((uint8_t)(o->kind - AMD_K_SGPR) <= AMD_K_SPECIAL - AMD_K_SGPR) & (o->index < LIFT_REGS) ? o->index : -1;
}

static inline bool lift_is_shared(const struct amd_lift *l, unsigned n) { return (n & 255) >= l->first_shared; }
static inline ir_id lift_exec(struct amd_lift *l) { return l->exec ? l->exec : lift_exec_get(l); }

static inline ir_id lift_vgpr_late(struct amd_lift *l, ir_type t, unsigned n)
{
	/* The block got it, or wrote it where it acts now. */
	if (n < l->first_shared && l->vgpr[n] && !l->whole) {
		const struct lift_cur *c = &l->cur[l->vgpr[n] - 1];
		if (c->region == l->region && (c->mask ? c->mask == l->exec : c->value))
			return c->mask ? c->part : c->value;
	}
	return lift_vgpr_got(l, t, n);
}

/* Dword 0 of what is no vector register and no constant. */
ir_id lift_float_sgpr(struct amd_lift *, const struct amd_opnd *);
ir_id lift_vgpr_cast(struct amd_lift *, ir_type, unsigned n, ir_id v); /* v is what the VGPR holds, and is not (yet) of that type */

/* A VGPR as a type of 32 bits. */
static inline ir_id lift_vgpr_as(struct amd_lift *l, ir_type t, unsigned n)
{
	ir_id v = lift_vgpr_late(l, t, n);

	return !(v & LIFT_LATE) && l->fn->inst[v].type == t ? v : lift_vgpr_cast(l, t, n, v);
}

/* A bitcast unless it has that type. */
static inline ir_id lift_cast(struct amd_lift *l, ir_type t, ir_id v)
{
	return l->fn->inst[v].type == t ? v : lift_recast(l, t, v);
}

/* The SGPR where the mask starts that this one is part of. */
static inline unsigned lift_mask_base(const struct amd_lift *l, unsigned reg) { return l->wave == 64 ? reg & ~1u : reg; }

/* Dword 0 of an operand, of a type of 32 bits. */
static inline ir_id lift_word(struct amd_lift *l, ir_type t, const struct amd_opnd *o)
{
	switch (o->kind) {
	case AMD_K_VGPR:
		return lift_vgpr_as(l, t, o->index);
	case AMD_K_INT:
	case AMD_K_FLOAT:
	case AMD_K_LITERAL:
		return ir_const(l->fn, t, (uint32_t)o->value);
	default:
		return t == IR_F32 ? lift_float_sgpr(l, o) : lift_cast(l, t, lift_dword(l, o, 0));
	}
}

/* The instruction's operands are what their registers hold, and so is its result. */
static inline bool lift_is_plain(const struct amd_inst *in) { return in->form <= AMD_FORM_VOP3 && !in->modified; }

/* Short hands. */
static inline ir_id op1(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a) { return ir_op1(l->fn, op, t, a); }
static inline ir_id op2(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b)
{
	return ir_op2(l->fn, op, t, a, b);
}
static inline ir_id op3(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b, ir_id c)
{
	return ir_op3(l->fn, op, t, a, b, c);
}
static inline ir_id i2(struct amd_lift *l, enum ir_op op, ir_id a, ir_id b) { return ir_op2(l->fn, op, IR_I32, a, b); }
static inline ir_id ik(struct amd_lift *l, enum ir_op op, ir_id a, uint32_t k) { return i2(l, op, a, lift_c32(l, k)); }
static inline ir_id b2(struct amd_lift *l, enum ir_op op, ir_id a, ir_id b) { return ir_op2(l->fn, op, IR_B1, a, b); }
static inline ir_id bk(struct amd_lift *l, enum ir_op op, ir_id a, uint32_t k) { return b2(l, op, a, lift_c32(l, k)); }
static inline ir_id opk(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a, uint64_t k)
{
	return ir_opk(l->fn, op, t, a, k);
}
static inline ir_id k_where(struct amd_lift *l, ir_id b1, uint32_t k, ir_id other) /* the constant, or else i32 `other` */
{
	return op3(l, IR_select, IR_I32, b1, lift_c32(l, k), other);
}
static inline ir_id lift_not(struct amd_lift *l, ir_id m) { return ir_op1(l->fn, IR_inot, IR_B1, m); }
static inline ir_id lift_bool(struct amd_lift *l, bool v) { return ir_const(l->fn, IR_B1, v); }

/* ---- arguments of rows: which of them a lifter reads is said at its definition */
enum {
	/* value type, low four bits: enum ir_type base */
	TYPE = 15,
	F16 = IR_F16, F32 = IR_F32, F64 = IR_F64, I8 = IR_I8, I16 = IR_I16, I32 = IR_I32, I64 = IR_I64,
	REV = 1 << 4,     /* operands 0 and 1 change places */
	NOT = 1 << 5,     /* the result, or with N2 the second operand, is inverted */
	N2 = 1 << 6,      /* the second operand is inverted */
	N1 = 1 << 7,      /* the first operand is inverted */
	WAVE = 1 << 8,    /* a logical operation that also acts on wave masks when it is as wide as the wave */
	NZ = 1 << 9,      /* SCC = result is not zero */
	SIGNED = 1 << 10,
	HI = 1 << 11,
	FUSED = 1 << 12,
	LEGACY = 1 << 13,
	CIN = 1 << 14,    /* carry in */
	ST64 = 1 << 15,
	PAIR = 1 << 16,   /* two accesses */
	D16LO = 1 << 17, D16HI = 1 << 18,
	FMT = 1 << 19,    /* formatted access */
	BUF = 1 << 20,
	RTN = 1 << 21,
	KEEPEXEC = 1 << 22, /* saveexec family: the destination gets the new EXEC */
	COUNT_SHIFT = 24, /* elements, shift counts, byte numbers */
};
/* Image sampling, in the count byte: reference, offset, bias, derivatives, lod, lod zero, lod clamp,
 * derivatives as halves. */
enum { SMP_C = 1, SMP_O = 2, SMP_B = 4, SMP_D = 8, SMP_L = 16, SMP_LZ = 32, SMP_CL = 64, SMP_G16 = 128 };
#define COUNT(n) ((uint32_t)(n) << COUNT_SHIFT)
static inline unsigned lift_count(const struct lift_row *r) { return r->arg >> COUNT_SHIFT; }

/* ---- the lifters: X(name) declares lift_<name> */
#define LIFTERS(X) \
	X(s_nop) X(s_mode) X(s_alu) X(s_addsub) X(s_mov) X(s_movk) X(s_cmov) X(s_cselect) X(s_logic) X(s_not) X(s_wqm) X(s_saveexec) \
	X(s_shift) X(s_bfm) X(s_bfe) X(s_absdiff) X(s_abs) X(s_shladd) X(s_pack) X(s_cmp) X(s_cmpk) X(s_bitcmp) X(s_aluk) \
	X(s_brev) X(s_count) X(s_find) X(s_sext) X(s_bitset) X(s_getpc) X(s_setreg) X(s_getreg) X(s_waveid) X(s_bitreplicate) \
	X(s_clock) X(s_branch) X(s_cbranch) X(s_endpgm) X(s_barrier) X(s_load) X(s_store) X(s_atomic) X(s_dcache) \
	X(v_alu) X(v_alu1) X(v_mov) X(v_cvt) X(v_ubyte) X(v_pkrtz) X(v_pknorm) X(v_pkint) X(v_mad) X(v_mulleg) X(v_chain) X(v_med3) X(v_cmp) X(v_class) \
	X(v_cndmask) X(v_carry) X(v_mul24) X(v_shift64) X(v_bfe) X(v_bfi) X(v_bfm) X(v_align) \
	X(v_perm) X(v_ffb) \
	X(v_bcnt) X(v_mbcnt) X(v_readfirst) X(v_readlane) X(v_writelane) X(v_swap) X(v_pack) X(v_sin) X(v_ldexp) \
	X(v_frexp_exp) X(v_trigpre) \
	X(v_cube) X(v_mix) X(v_permlane) X(v_mad64) X(v_sad) X(v_dot) X(v_nop) X(v_pk) X(v_rnd) X(v_mad16) \
	X(v_intsat) X(v_dotf) X(v_qsad) X(v_lerp) X(v_divscale) X(v_divfmas) X(v_divfixup) X(v_minleg) X(v_noinf) X(v_sin16) \
	X(v_offi4) X(v_satpk8) X(v_norm16) X(v_pkfmac) X(v_movrel) X(v_swaprel) X(s_movrel) X(s_quadmask) X(s_cmp64) \
	X(ds_xchg2) X(ds_src2) X(ds_count) X(ds_addtid) X(ds_permute) \
	X(buf_load) X(buf_store) X(buf_atomic) X(tbuf_load) X(tbuf_store) X(ds_load) X(ds_store) X(ds_atomic) X(ds_shuffle) X(flat_load) X(flat_store) \
	X(flat_atomic) X(scratch_load) X(scratch_store) \
	X(img_load) X(img_store) X(img_atomic) X(img_info) X(img_lod) X(img_sample) \
	X(exp) X(interp) X(interp_mov)
#define X(name) void lift_##name(struct amd_lift *, const struct lift_row *);
LIFTERS(X)
#undef X

#endif
