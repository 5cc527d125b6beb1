/* fold.h - what the files of the `fold` pass share. See fold.c for the pass. */
#ifndef XL_FOLD_H
#define XL_FOLD_H

#include "pass.h"
#include "some.h"

#include <string.h>

/* What is known of a value. */
struct fold_info {
	ir_id rep;       /* its replacement, 0 none */
	uint32_t under;  /* fold_mask.c: condition * 2 + its value, for which ... */
	ir_id is;        /* ... this is what the value is worth; 0: it is only looked at there, and was not visited yet */
	union {
		ir_id chain;     /* the next older value of its bucket, 0 ends */
		uint32_t outer;  /* before it is visited: as `under`, of all uses where those differ */
	};
	uint16_t number; /* fold_mask.c: of the first condition visited after this value, or of this one */
	uint8_t uses;    /* 0, 1, or more: several; dropped uses are not taken off, so this errs upwards */
	uint8_t kind;    /* enum fold_kind of what was visited, and of constants */
	uint32_t told;   /* fold_mask.c: of the key whose number this is, times 2, a part, + its value */
	uint64_t below;  /* FOLD_CONDS, FOLD_FRESH; FOLD_GONE: it has a replacement */
};

/* In one word, so that what is below an instruction is its operands' words put together: */
#define FOLD_FRESH 3ull /* the value, or one not far below it, is not what it was when `fold` last looked: a bit for each step up */
#define FOLD_GONE 6ull  /* it is no more: fresh one step further down */
#define FOLD_CONDS ~7ull /* conditions in the tree below (fold_mask.c), as a set by number; none: not visited, or a constant */
static inline uint64_t fold_conds(const struct fold_info *i)
{
	return i->below & FOLD_CONDS;
}

/* From FOLD_NUMBERS up, without those whose bits in the set are others'. Of any further condition, and behind it:
 * FOLD_NUMBER_END. */
enum { FOLD_NUMBERS = 3, FOLD_NUMBER_END = UINT16_MAX };
static inline uint16_t fold_number_next(uint16_t number)
{
	if (number == FOLD_NUMBER_END)
		return number;
	return (uint16_t)(++number % 64 ? number : number + FOLD_NUMBERS);
}

/* fold_mask.c: what a condition says when it has a value, by its parts. */
enum { FOLD_TELL_DEPTH = 6 };
struct fold_told {
	uint64_t set;    /* of the parts */
	uint32_t key;    /* condition * 2 + its value */
	uint32_t number; /* of this one: marks the parts */
	uint16_t first;  /* they were visited no earlier than this one */
	uint16_t nwhole;
	struct {
		uint32_t key;
		uint16_t number, next;
	} whole[FOLD_TELL_DEPTH + 1]; /* parts that say all that the parts visited before `next` say, in order */
};

struct fold {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	struct arena *scratch;
	bool changed;
	unsigned depth;            /* of nested fold_visit calls */
	bool masked;               /* some instruction with an effect or of memory has a mask that is not constant */
	uint32_t most;             /* values: past this many nothing is rebuilt under masks, for code made to grow */
	uint8_t loops;             /* fold_in_step: 0 not found yet, 1 found, 2 none to be found */
	struct some some;          /* of masks of first lanes */
	uint16_t nconds;           /* fold_mask.c: the number of the next condition */
	struct fold_told told;     /* the condition looked at last */

	struct fold_info *info;    /* per id, below `ninfo`: for all that an instruction to be visited has as operands */
	uint32_t ninfo;
	size_t info_cap;

	ir_id *bucket;             /* value numbering: heads of chains, newest first */
	uint32_t bucket_mask;
};

/* What a value is for the rules that have it as an operand: which constant (b1; integers by their value, a count being less than the
 * type's width; of plain floats the last ten bits are 0), or its op; gen/fold_gen.c numbers those that some pattern asks for. */
enum fold_kind {
	FOLD_FALSE, FOLD_TRUE, FOLD_ZERO, FOLD_ONE, FOLD_COUNT, FOLD_WORD, FOLD_PLAIN, FOLD_FLOATING,
	FOLD_OTHER,  /* no constant, and an op that no pattern asks for below its root; ... */
	FOLD_OTHER_B1, /* ... of type b1: each op that may be that, and may be another, has two kinds, this one behind the other */
	FOLD_FIRST_OP
};

/* What a visit has to look at, by op; gen/fold_gen.c makes the table. */
enum {
	FOLD_COMM = 1 << 0,
	FOLD_PURE = 1 << 1,    /* of one lane, without effects: trees of such are looked through */
	FOLD_NUMBER = 1 << 2,  /* equal ops are equal values: pure ones everywhere, ... */
	FOLD_LOCAL = 1 << 3,   /* ... phis and what reads other lanes within their block */
	FOLD_FLOAT = 1 << 4,   /* flags for float rounding mean something */
	FOLD_MASK = 1 << 5,    /* operand 0 is a condition under which alone the others matter; ... */
	FOLD_LOGIC = 1 << 6,   /* ... of b1: operand 1 */
	FOLD_AROUND = 1 << 7,  /* it matters what stands around it, and how often its operands are used */
	FOLD_LOADS = 1 << 8,   /* may read what never changes: then as FOLD_NUMBER */
	FOLD_SPECIAL = 1 << 9, /* fold_misc.c knows something of it */
	FOLD_OPEN = 1 << 10,   /* fold_new.c: something may be new of it although nothing was done to it */
	FOLD_KIND_SHIFT = 16,  /* bits 16-23: enum fold_kind of its values, less one for a b1 */
};
extern const uint32_t fold_traits[IR_OP_COUNT];
static inline uint8_t fold_kind_by_op(const struct ir_inst *in, unsigned traits)
{
	return (uint8_t)((traits >> FOLD_KIND_SHIFT) + (in->type == IR_B1));
}
static inline uint8_t fold_kind_of(const struct ir_inst *in)
{
	enum { LAST = 0x3ff };
	uint64_t k = in->imm;

	if (in->op != IR_const)
		return fold_kind_by_op(in, fold_traits[in->op]);
	if (in->type >= IR_F16) /* or a vector */
		return k & LAST ? FOLD_FLOATING : FOLD_PLAIN;
	bool wide = in->type != IR_B1;
	return (uint8_t)(FOLD_FALSE + (FOLD_ZERO - FOLD_FALSE) * wide + (k > 0) + (k > 1) + (wide & (k >= ir_bits(in->type))));
}

/* fold.c */
ir_id fold_find_far(struct fold *, ir_id);
static inline ir_id fold_find(struct fold *f, ir_id id)
{
	ir_id to = id < f->ninfo ? f->info[id].rep : 0;

	return !to ? id : f->info[to].rep ? fold_find_far(f, to) : to;
}
void fold_more(struct fold *);
/* fold_across.c: have all lanes that come to instruction `at` together had value v in the same turn of each loop? (Its number was
 * found to be one for all of them there.) */
bool fold_in_step(struct fold *, ir_id v, ir_id at);
static inline struct fold_info *fold_info(struct fold *f, ir_id id)
{
	if (id >= f->ninfo)
		fold_more(f);
	return &f->info[id];
}
/* Make and fold an instruction in front of `before`; returns the value that stands for it (itself, or the instruction is gone
 * and another, or a constant). Flags are given, the address is that of `before`. */
ir_id fold_make(struct fold *, ir_id before, enum ir_op, ir_type, unsigned flags, unsigned nargs, const ir_id *args);
ir_id fold_across(struct fold *, ir_id shuffle); /* fold_across.c */
ir_id fold_cube(struct fold *, ir_id sample);    /* fold_cube.c */
ir_id fold_gather(struct fold *, ir_id gather);  /* fold_gather.c */
/* The same for a copy of `like` (op, type, flags, sub, imm) with other operands. */
ir_id fold_copy(struct fold *, ir_id before, ir_id like, const ir_id *args);
bool fold_once(const struct fold *, ir_id); /* used in one place only */
static inline void fold_use(struct fold_info *i, unsigned n)
{
	n += i->uses;
	i->uses = (uint8_t)(n < 2 ? n : 2);
}
void fold_note_uses(struct fold *, ir_id);  /* the operands of an instruction that is new or was rewritten */
static inline uint64_t fold_mask(ir_type t)
{
	unsigned w = ir_bits(t);

	return w >= 64 ? ~0ull : (1ull << w) - 1;
}

static inline bool fold_const(const struct fold *f, ir_id id)
{
	return f->info[id].kind < FOLD_OTHER;
}

/* Loads of what never changes during the dispatch. */
static inline bool fold_constant_load(const struct ir_fn *fn, const struct ir_inst *in)
{
	if (in->flags & IR_F_VOLATILE)
		return false;
	if (in->op == IR_ldbuf && fn->inst[in->a[1]].op == IR_bind && fn->inst[in->a[1]].imm < fn->nres) {
		uint8_t kind = fn->res[fn->inst[in->a[1]].imm].kind;
		return kind == RES_UNIFORM_BUFFER || kind == RES_PUSH || kind == RES_CONST_DATA;
	}
	return in->op == IR_ldtab || (in->op == IR_ldptr && in->sub == 1);
}

static inline bool fold_same_args(const struct ir_inst *p, const struct ir_inst *q)
{
	if (p->nargs8 != q->nargs8)
		return false;
	if (p->nargs8 > IR_INLINE_ARGS)
		return p->x.count == q->x.count && !memcmp(p->x.ext, q->x.ext, p->x.count * sizeof(*p->x.ext));
	return p->room[0] == q->room[0] && p->room[1] == q->room[1];
}

/* Are they one value, as far as their forms show, where one of them dominates the other? */
static inline bool fold_same(const struct ir_inst *p, const struct ir_inst *q)
{
	if (!fold_same_args(p, q) || p->op != q->op || p->imm != q->imm || p->type != q->type || p->sub != q->sub)
		return false;
	unsigned traits = fold_traits[p->op], flags = (p->flags ^ q->flags) & ~(unsigned)IR_F_SETTLED;
	if (!(traits & FOLD_FLOAT))
		flags &= ~(unsigned)(IR_F_FTZ | IR_F_CONTRACT | IR_F_NSZ);
	return !flags && (!(traits & FOLD_LOCAL) || p->block == q->block);
}

/* fold_bits.c: bits that may be set in the value; all ones where nothing is known. */
uint64_t fold_maybe(struct fold *, ir_id, unsigned depth);

/* fold_match.c */
/* Some *entries* of an op's rules: as narrow as there are entries, since the filters fill the cache. */
typedef uint32_t fold_set;
/* By op: which entries may match, for ... */
enum { FOLD_KINDS = 80 };
struct fold_filter {
	fold_set kinds[3][FOLD_KINDS]; /* each of three operands (all, where there is none) and each of their kinds */
	fold_set differ;               /* operands that are three values */
	fold_set eval, rules, special; /* entries that mean: it can be evaluated, a rule matches, it is a special case */
};
extern const struct fold_filter *const fold_filters[IR_OP_COUNT];
/* Those that may match an instruction by what its operands are: none, mostly. */
static inline fold_set fold_entries(const struct fold *f, const struct fold_filter *of, const struct ir_inst *in)
{
	const struct fold_info *info = f->info;

	if (in->nargs8 > IR_INLINE_ARGS)
		return of->special;
	fold_set same = 0 - (fold_set)((in->a[0] == in->a[1]) | (in->a[1] == in->a[2]));
	return of->kinds[0][info[in->a[0]].kind] & of->kinds[1][info[in->a[1]].kind] & of->kinds[2][info[in->a[2]].kind] &
	       (of->differ | same);
}
/* Of these entries. 0: no rule fires. The id itself: rewritten in place, fold again. Else: its replacement. */
ir_id fold_rules_apply(struct fold *, ir_id, fold_set entries);

/* fold_misc.c: what the rule language cannot say, by op, NULL nothing; same results as fold_rules_apply. */
typedef ir_id fold_special(struct fold *, ir_id);
extern fold_special *const fold_specials[IR_OP_COUNT];
fold_special fold_offset;
extern const uint8_t fold_offsets[IR_OP_COUNT]; /* of ops with that one: which operand is the offset */

/* fold_new.c: all is as an earlier run left it, and no two values have become one. Errs towards false. */
bool fold_nothing_new(struct fold *);

/* fold_mask.c */
void fold_count_uses(struct fold *);        /* of all instructions; also under which condition alone a value is looked at */
/* A value that is only looked at under one condition, not visited before; `below`: the conditions below it. As fold_rules_apply. */
ir_id fold_demanded(struct fold *, ir_id, uint64_t below);
bool fold_under_mask(struct fold *, ir_id); /* of what fold_has_mask says so of; true when an operand changed */
/* Has it a mask that may say something of other operands? As most, it has not: no condition is below both. */
static inline bool fold_has_mask(const struct fold *f, const struct ir_inst *in, unsigned traits)
{
	const struct fold_info *info = f->info;

	if (!(traits & FOLD_MASK || (traits & FOLD_LOGIC && in->type == IR_B1)))
		return false;
	return in->nargs8 > IR_INLINE_ARGS ||
	       info[in->a[0]].below & (info[in->a[1]].below | info[in->a[2]].below | info[in->a[3]].below) & FOLD_CONDS;
}
/* A value that is looked at under one condition: may that say something of it? */
static inline bool fold_is_demanded(struct fold *f, const struct fold_info *i, uint64_t below)
{
	return f->info[fold_find(f, i->under / 2)].below & below & FOLD_CONDS;
}
static inline bool fold_is_pure(const struct ir_inst *in)
{
	return fold_traits[in->op] & FOLD_PURE;
}
static inline uint64_t fold_cond_bit(uint16_t number)
{
	return 1ull << number % 64;
}

#endif
