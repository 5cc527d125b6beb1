/* Builder: instructions, blocks, edges, constants. Hot: no allocation per instruction besides array growth. */
#include "ir.h"

#include <string.h>

struct ir_fn *ir_fn_new(struct arena *a, const char *name)
{
	struct ir_fn *fn = arena_new(a, struct ir_fn);

	fn->arena = a;
	fn->name = arena_strdup(a, name);
	fn->addr = DIAG_NO_ADDR;
	fn->inst = arena_grow_raw(a, NULL, 0, &fn->inst_cap, 64, sizeof *fn->inst);
	memset(fn->inst, 0, sizeof *fn->inst);
	fn->inst[0].block = IR_NO_BLOCK;
	fn->ninst = 1;
	fn->intern_cap = 256; /* most have some tens */
	fn->intern = arena_array(a, uint32_t, fn->intern_cap);
	return fn;
}

void ir_reserve(struct ir_fn *fn, uint32_t count)
{
	if (count > fn->inst_cap)
		fn->inst = arena_grow_raw(fn->arena, fn->inst, fn->ninst, &fn->inst_cap, count, sizeof *fn->inst);
}

/* Most blocks have no more of either kind; what the arena hands out at least. */
enum { EDGES = ARENA_ALIGN / sizeof(uint32_t) };

uint32_t ir_block_new(struct ir_fn *fn)
{
	fn->block = arena_grow_raw(fn->arena, fn->block, fn->nblock, &fn->block_cap, fn->nblock + 1u, sizeof *fn->block);
	struct ir_block *b = &fn->block[fn->nblock];
	memset(b, 0, sizeof *b);
	b->idom = b->rpo = b->loop = b->loop_parent = b->merge_block = b->continue_block = IR_NO_BLOCK;
	b->addr = DIAG_NO_ADDR;
	b->pred_cap = b->succ_cap = EDGES;
	b->pred = arena_array_raw(fn->arena, uint32_t, EDGES);
	b->succ = arena_array_raw(fn->arena, uint32_t, EDGES);
	return fn->nblock++;
}

static uint32_t *push(struct arena *a, uint32_t *list, uint32_t *n, size_t *cap, uint32_t value)
{
	list = arena_grow_raw(a, list, *n, cap, *n + 1u, sizeof *list);
	list[(*n)++] = value;
	return list;
}

void ir_edge(struct ir_fn *fn, uint32_t from, uint32_t to)
{
	struct ir_block *f = &fn->block[from], *t = &fn->block[to];

	f->succ = push(fn->arena, f->succ, &f->nsucc, &f->succ_cap, to);
	t->pred = push(fn->arena, t->pred, &t->npred, &t->pred_cap, from);
}

/* There is always room for one more instruction: it is made where the last one was taken, which then is the last thing to do.
 * Apart, so that who makes one has nothing to save. */
static __attribute__((noinline)) ir_id more(struct ir_fn *fn)
{
	fn->inst = arena_grow_raw(fn->arena, fn->inst, fn->ninst, &fn->inst_cap, fn->ninst + 1u, sizeof *fn->inst);
	return fn->ninst - 1;
}

static inline ir_id taken(struct ir_fn *fn)
{
	return ++fn->ninst < fn->inst_cap ? fn->ninst - 1 : more(fn);
}

/* ---- constants */
static size_t hash(unsigned op, ir_type type, uint64_t bits)
{
	/* Zero is the most frequent constant, of each type: what is below the bits that are taken has to tell them apart. */
	uint64_t h = (bits ^ (uint64_t)(type | op << 8) << 24) * 0x9e3779b97f4a7c15ull;

	return (size_t)(h >> 32);
}

/* Into a table that has room for it and has it not. */
static inline void enter(uint32_t *table, size_t cap, ir_id id, unsigned op, ir_type type, uint64_t bits)
{
	size_t at = hash(op, type, bits) & (cap - 1);

	while (table[at])
		at = (at + 1) & (cap - 1);
	table[at] = id;
}

static void rehash(struct ir_fn *fn)
{
	fn->intern_cap *= 2;
	fn->intern = arena_array(fn->arena, uint32_t, fn->intern_cap);
	for (ir_id id = fn->interned; id; id = fn->inst[id].next)
		enter(fn->intern, fn->intern_cap, id, fn->inst[id].op, fn->inst[id].type, fn->inst[id].imm);
}

static ir_id intern_new(struct ir_fn *fn, enum ir_op op, ir_type type, uint64_t bits)
{
	enter(fn->intern, fn->intern_cap, fn->ninst, op, type, bits);
	fn->inst[fn->ninst] = (struct ir_inst){ .op = (uint16_t)op, .type = type, .imm = bits, .block = IR_NO_BLOCK, .addr = DIAG_NO_ADDR,
		.next = fn->interned };
	fn->interned = fn->ninst;
	if (++fn->intern_count * 2u >= fn->intern_cap)
		rehash(fn);
	return taken(fn);
}

static inline ir_id intern(struct ir_fn *fn, enum ir_op op, ir_type type, uint64_t bits)
{
	size_t at = hash(op, type, bits) & (fn->intern_cap - 1);

	for (; fn->intern[at]; at = (at + 1) & (fn->intern_cap - 1)) {
		const struct ir_inst *in = &fn->inst[fn->intern[at]];
		if (in->imm == bits && in->type == type && in->op == op)
			return fn->intern[at];
	}
	return intern_new(fn, op, type, bits);
}

ir_id ir_const(struct ir_fn *fn, ir_type type, uint64_t bits)
{
	static const uint64_t valid[16] = { [IR_B1] = 1, [IR_I8] = UINT8_MAX, [IR_I16] = UINT16_MAX, [IR_I32] = UINT32_MAX,
		[IR_I64] = UINT64_MAX, [IR_F16] = UINT16_MAX, [IR_F32] = UINT32_MAX, [IR_F64] = UINT64_MAX };

	return intern(fn, IR_const, type, bits & valid[ir_base(type)]);
}

ir_id ir_undef(struct ir_fn *fn, ir_type type)
{
	return intern(fn, IR_undef, type, 0);
}

/* ---- linking */
static inline void unlink_inst(struct ir_fn *fn, ir_id id)
{
	struct ir_inst *inst = fn->inst, *in = &inst[id];
	ir_id prev = in->prev, next = in->next;

	if (in->block == IR_NO_BLOCK)
		return;
	*(prev ? &inst[prev].next : &fn->block[in->block].first) = next;
	*(next ? &inst[next].prev : &fn->block[in->block].last) = prev;
	in->prev = in->next = 0;
	in->block = IR_NO_BLOCK;
}

/* `in` is what stands at `id`. */
static inline void link_before(struct ir_fn *fn, struct ir_inst *in, ir_id id, ir_id where)
{
	struct ir_inst *w = &fn->inst[where];
	ir_id prev = w->prev;

	in->block = w->block;
	in->prev = prev;
	in->next = where;
	w->prev = id;
	if (prev)
		fn->inst[prev].next = id;
	else
		fn->block[w->block].first = id;
}

static inline void link_last(struct ir_fn *fn, struct ir_inst *in, ir_id id, uint32_t block)
{
	struct ir_block *b = &fn->block[block];
	ir_id prev = b->last;

	in->block = block;
	in->prev = prev;
	in->next = 0;
	b->last = id;
	if (prev)
		fn->inst[prev].next = id;
	else
		b->first = id;
}

void ir_remove(struct ir_fn *fn, ir_id id)
{
	struct ir_inst *in = &fn->inst[id];

	unlink_inst(fn, id);
	in->op = IR_nop;
	in->nargs8 = 0;
	in->type = IR_VOID;
}

void ir_insert_before(struct ir_fn *fn, ir_id inst, ir_id where)
{
	if (inst == where)
		return;
	unlink_inst(fn, inst);
	link_before(fn, &fn->inst[inst], inst, where);
}

void ir_append(struct ir_fn *fn, ir_id inst, uint32_t block)
{
	unlink_inst(fn, inst);
	link_last(fn, &fn->inst[inst], inst, block);
}

/* ---- instructions: made at fn->ninst and linked, then taken */
static inline struct ir_inst *start(struct ir_fn *fn, enum ir_op op, ir_type type, unsigned nargs)
{
	ir_id id = fn->ninst;
	struct ir_inst *in = &fn->inst[id];

	*in = (struct ir_inst){ .op = (uint16_t)op, .type = type, .nargs8 = (uint8_t)nargs, .addr = fn->addr,
		.flags = fn->flags & (uint16_t)~IR_F_SETTLED };
	fn->has[op] = 1;
	if (fn->before)
		link_before(fn, in, id, fn->before);
	else
		link_last(fn, in, id, fn->at);
	return in;
}

ir_id ir_new(struct ir_fn *fn, enum ir_op op, ir_type type, unsigned nargs, const ir_id *args)
{
	struct ir_inst *in = start(fn, op, type, nargs <= IR_INLINE_ARGS ? nargs : 255);
	ir_id *to = in->a;

	if (nargs > IR_INLINE_ARGS) {
		in->x.ext = to = arena_array_raw(fn->arena, ir_id, nargs);
		in->x.count = in->x.cap = nargs;
	}
	for (unsigned i = 0; i < nargs; i++)
		to[i] = args[i];
	return taken(fn);
}

ir_id ir_op0(struct ir_fn *fn, enum ir_op op, ir_type type)
{
	start(fn, op, type, 0);
	return taken(fn);
}

ir_id ir_op1(struct ir_fn *fn, enum ir_op op, ir_type type, ir_id a)
{
	struct ir_inst *in = start(fn, op, type, 1);

	in->a[0] = a;
	return taken(fn);
}

ir_id ir_op2(struct ir_fn *fn, enum ir_op op, ir_type type, ir_id a, ir_id b)
{
	struct ir_inst *in = start(fn, op, type, 2);

	in->a[0] = a;
	in->a[1] = b;
	return taken(fn);
}

ir_id ir_op3(struct ir_fn *fn, enum ir_op op, ir_type type, ir_id a, ir_id b, ir_id c)
{
	struct ir_inst *in = start(fn, op, type, 3);

	in->a[0] = a;
	in->a[1] = b;
	in->a[2] = c;
	return taken(fn);
}

ir_id ir_mget(struct ir_fn *fn, uint32_t marker)
{
	start(fn, IR_mget, fn->marker[marker].type, 0)->imm = marker;
	return taken(fn);
}

void ir_mset(struct ir_fn *fn, uint32_t marker, ir_id value)
{
	struct ir_inst *in = start(fn, IR_mset, IR_VOID, 1);

	in->a[0] = value;
	in->imm = marker;
	taken(fn);
}

uint32_t ir_marker_new(struct ir_fn *fn, ir_type type, unsigned file, unsigned index)
{
	size_t need = fn->nmarker + (size_t)1;

	fn->marker = arena_grow_raw(fn->arena, fn->marker, fn->nmarker, &fn->marker_cap, need, sizeof *fn->marker);
	fn->marker[fn->nmarker] = (struct ir_marker){ type, (uint8_t)file, (uint16_t)index };
	return fn->nmarker++;
}

static ir_id terminator(struct ir_fn *fn, enum ir_op op)
{
	ir_id before = fn->before;

	fn->before = 0;
	start(fn, op, IR_VOID, 0);
	fn->before = before;
	return taken(fn);
}

void ir_br(struct ir_fn *fn, uint32_t to)
{
	terminator(fn, IR_br);
	ir_edge(fn, fn->at, to);
}

void ir_brc(struct ir_fn *fn, ir_id cond, uint32_t yes, uint32_t no)
{
	ir_id id = terminator(fn, IR_brc);
	struct ir_inst *in = &fn->inst[id];

	in->nargs8 = 1;
	in->a[0] = cond;
	ir_edge(fn, fn->at, yes);
	ir_edge(fn, fn->at, no);
}

void ir_sw(struct ir_fn *fn, ir_id value, uint32_t ncases, const uint64_t *cases, const uint32_t *to,
           uint32_t otherwise)
{
	ir_id id = terminator(fn, IR_sw);
	struct ir_inst *in = &fn->inst[id];
	uint64_t *copy = arena_array(fn->arena, uint64_t, ncases ? ncases : 1);

	in->nargs8 = 1;
	in->a[0] = value;
	for (uint32_t i = 0; i < ncases; i++) {
		copy[i] = cases[i];
		ir_edge(fn, fn->at, to[i]);
	}
	fn->block[fn->at].cases = copy;
	ir_edge(fn, fn->at, otherwise);
}

void ir_ret(struct ir_fn *fn)
{
	terminator(fn, IR_ret);
}

ir_id ir_phi(struct ir_fn *fn, uint32_t block, ir_type type)
{
	uint32_t at = fn->at;
	ir_id before = fn->before;

	fn->at = block;
	fn->before = fn->block[block].first;
	struct ir_inst *in = start(fn, IR_phi, type, 0);
	in->flags = 0;
	in->addr = fn->block[block].addr;
	fn->at = at;
	fn->before = before;
	return taken(fn);
}

void ir_phi_add(struct ir_fn *fn, ir_id phi, ir_id value)
{
	struct ir_inst *in = &fn->inst[phi];

	if (in->nargs8 < IR_INLINE_ARGS) {
		in->a[in->nargs8++] = value;
		return;
	}
	if (in->nargs8 != 255) {
		ir_id *ext = arena_array(fn->arena, ir_id, 2 * IR_INLINE_ARGS);
		memcpy(ext, in->a, sizeof in->a);
		in->x.ext = ext;
		in->x.count = IR_INLINE_ARGS;
		in->x.cap = 2 * IR_INLINE_ARGS;
		in->nargs8 = 255;
	}
	size_t cap = in->x.cap;
	in->x.ext = arena_grow(fn->arena, in->x.ext, in->x.count, &cap, in->x.count + 1u, sizeof *in->x.ext);
	in->x.cap = (uint32_t)cap;
	in->x.ext[in->x.count++] = value;
}

/* ---- resources */
static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

uint32_t ir_resource_new(struct ir_fn *fn, const struct ir_resource *r)
{
	for (uint32_t i = 0; i < fn->nres; i++) {
		struct ir_resource *o = &fn->res[i];
		if (o->kind != r->kind || o->set != r->set || o->binding != r->binding || o->count != r->count ||
		    o->dim != r->dim || o->arrayed != r->arrayed || o->ms != r->ms || o->depth != r->depth ||
		    o->numeric != r->numeric || o->format != r->format || o->size != r->size || o->data != r->data ||
		    !same_text(o->path, r->path))
			continue;
		o->read |= r->read;
		o->written |= r->written;
		o->nonuniform |= r->nonuniform;
		o->coherent |= r->coherent;
		return i;
	}
	fn->res = arena_grow(fn->arena, fn->res, fn->nres, &fn->res_cap, fn->nres + 1u, sizeof *fn->res);
	fn->res[fn->nres] = *r;
	return fn->nres++;
}

/* ---- surgery */
uint32_t ir_split(struct ir_fn *fn, ir_id where)
{
	uint32_t old = fn->inst[where].block, neu = ir_block_new(fn);
	struct ir_block *o = &fn->block[old], *n = &fn->block[neu];

	n->first = where;
	n->last = o->last;
	o->last = fn->inst[where].prev;
	if (o->last)
		fn->inst[o->last].next = 0;
	else
		o->first = 0;
	fn->inst[where].prev = 0;
	for (ir_id id = where; id; id = fn->inst[id].next)
		fn->inst[id].block = neu;
	n->addr = fn->inst[where].addr;
	n->succ = o->succ;
	n->nsucc = o->nsucc;
	n->succ_cap = o->succ_cap;
	n->cases = o->cases;
	o->succ = NULL;
	o->cases = NULL;
	o->nsucc = 0;
	o->succ_cap = 0;
	for (uint32_t i = 0; i < n->nsucc; i++) {
		struct ir_block *s = &fn->block[n->succ[i]];
		for (uint32_t j = 0; j < s->npred; j++)
			if (s->pred[j] == old)
				s->pred[j] = neu;
	}
	return neu;
}

ir_id *ir_map_new(struct arena *a, const struct ir_fn *fn)
{
	uint32_t n = fn->ninst + fn->ninst / 8 + 16; /* mostly enough for what is made before it is applied, too */
	ir_id *map = arena_array(a, ir_id, (size_t)n + IR_MAP_HEAD);

	map[0] = n;
	return map + IR_MAP_HEAD;
}

ir_id *ir_map_cover(struct arena *a, const struct ir_fn *fn, ir_id *map)
{
	if (fn->ninst <= map[-IR_MAP_HEAD])
		return map;
	ir_id *all = ir_map_new(a, fn);
	memcpy(all, map, map[-IR_MAP_HEAD] * sizeof *map);
	return all;
}

ir_id ir_map_follow(ir_id *map, ir_id id)
{
	ir_id to = id;

	while (ir_map_has(map, to))
		to = map[to];
	/* Shorten the chain: long ones would make the sweep quadratic. */
	while (ir_map_has(map, id) && map[id] != to) {
		ir_id next = map[id];
		map[id] = to;
		id = next;
	}
	return to;
}

static __attribute__((noinline)) void replace(struct ir_inst *in, ir_id *arg, unsigned count, ir_id *map)
{
	for (unsigned i = 0; i < count; i++)
		if (map[arg[i]]) {
			arg[i] = ir_map_end(map, arg[i]);
			in->flags &= (uint16_t)~IR_F_SETTLED;
		}
}

void ir_map_apply(struct ir_fn *fn, ir_id *map)
{
	struct ir_inst *in, *inst = fn->inst;

	map = ir_map_cover(fn->arena, fn, map);
	for (uint32_t b = 0; b < fn->nblock; b++)
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			if (in->nargs8 > IR_INLINE_ARGS)
				replace(in, in->x.ext, in->x.count, map);
			else if (ir_map_has_any(map, in->a))
				replace(in, in->a, in->nargs8, map);
		}
}

/* ---- users */
/* The ends of the lists first; filled from there, they become the starts. */
void ir_users_find(struct ir_users *l, struct ir_fn *fn, struct arena *scratch)
{
	uint32_t total = 0;

	if (l->at)
		return;
	l->at = arena_array(scratch, uint32_t, fn->ninst + 1u);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const ir_id *a = ir_args(fn, id);
			for (unsigned i = 0, n = ir_nargs(fn, id); i < n; i++)
				l->at[a[i]]++;
		}
	for (uint32_t i = 0; i < fn->ninst; i++)
		l->at[i] = total += l->at[i];
	l->at[fn->ninst] = total;
	l->user = arena_array_raw(scratch, ir_id, total);
	for (uint32_t k = fn->norder; k-- > 0;)
		for (ir_id id = fn->block[fn->order[k]].last; id; id = fn->inst[id].prev) {
			const ir_id *a = ir_args(fn, id);
			for (unsigned i = ir_nargs(fn, id); i-- > 0;)
				l->user[--l->at[a[i]]] = id;
		}
}
