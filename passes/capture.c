/* capture.c - transform feedback that a vertex program writes by itself, back to the host's own.
 *
 *     %n:i32 = ubfe <how many lanes are captured>, i32:16, i32:7     out f32 builtin position comps 15 capture 1 ...
 *     %c:b1 = slt sysval.lane_id, %n
 *     %h:res = hbuf <descriptor 0 of captured outputs>
 *     %x:i32 = iadd <first vertex>, sysval.lane_id
 *     %o:i32 = iadd (imul %x, stride), (shl <start of buffer 0>, i32:2)
 *     stbuf %c, %h, %o, -, (vec %1, %2, %3, %4)                      (gone)
 *     stout b1:1, (vec %1, %2, %3, %4)                               stout b1:1, (vec %1, %2, %3, %4)
 *
 * The host captures outputs, each of them whole: one whose components are all stored side by side, and in one place, is
 * decorated with that place. What is stored and is no such output becomes one that only capturing knows, at a location of its own.
 * The branch around the stores, taken when some lane of the wave is captured, holds nothing else; it goes.
 * What the stores look like is checked to the last operand; anything else that reads those registers is refused.
 */
#include "dce.h"

#include <string.h>

enum { BUFFERS = 4, WORDS = 512 /* of a vertex in a buffer: strides are 2048 bytes at most */, VISITS = 64, DESC_BYTES = 16 };

struct stored { ir_id value; bool taken; };
struct buffer { uint32_t stride, root /* which start, plus 1 */; struct stored *word; };
struct capture {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	ir_id *store, can;
	bool *taken; /* per instruction: is one of those stores */
	uint32_t nstore;
	struct buffer buffer[BUFFERS];
	ir_id (*out)[4]; /* per interface entry: what its components are; 0 unknown */
	uint32_t end;    /* the last block that every run passes that ends; IR_NO_BLOCK: none ends */
};
/* A sum: times the lane, the first vertex, a buffer's start in words, and bytes. */
struct sum { uint32_t lane, first, start, root, bytes; unsigned visits; };

static bool refuse(struct capture *p, ir_id id, const char *why)
{
	diag_emit(p->ctx->diag, DIAG_UNLIFTED, p->fn->inst[id].addr, "transform feedback by the program: %s", why);
	return false;
}

static const struct fact_root *root_of(const struct capture *p, ir_id v)
{
	const struct ir_inst *i = &p->fn->inst[v];

	return i->op == IR_root && i->imm < p->ctx->facts->nroot ? &p->ctx->facts->root[i->imm] : NULL;
}

static bool is_root(const struct capture *p, ir_id v, unsigned kind)
{
	const struct fact_root *r = root_of(p, v);

	return r && r->kind == kind;
}

static ir_id strip(const struct ir_fn *fn, ir_id v)
{
	while (fn->inst[v].op == IR_bitcast && ir_elems(fn->inst[v].type) == 1)
		v = fn->inst[v].a[0];
	return v;
}

/* Bytes from the start of the descriptors of captured outputs to where word v was loaded; false: it is none of theirs. */
static bool place_of(const struct capture *p, ir_id v, uint64_t *place)
{
	const struct ir_inst *e = &p->fn->inst[v], *l = e->op == IR_elem ? &p->fn->inst[e->a[0]] : e;
	uint64_t k;

	if (l->op != IR_ldptr || ir_base(l->type) != IR_I32 || !ir_is_const(p->fn, l->a[0], &k) || !k)
		return false;
	const struct ir_inst *a = &p->fn->inst[l->a[1]];
	bool wide = (a->op == IR_pack64 && ir_is_const(p->fn, a->a[1], NULL)) || a->op == IR_zext; /* a high half of 0 */
	if (!wide || !is_root(p, a->a[0], ROOT_CAPTURE_BUFFERS))
		return false;
	*place = l->imm + (e->op == IR_elem ? 4 * e->imm : 0);
	return true;
}

/* The buffer whose descriptor a handle is made of; -1: none of those. */
static int buffer_of(const struct capture *p, ir_id handle)
{
	const struct ir_inst *h = &p->fn->inst[handle];
	uint64_t first, at;

	if (h->op != IR_hbuf || !place_of(p, h->a[0], &first) || first % DESC_BYTES || first / DESC_BYTES >= BUFFERS)
		return -1;
	for (unsigned k = 1; k < ir_nargs(p->fn, handle); k++)
		if (!place_of(p, h->a[k], &at) || at != first + 4 * k)
			return -1;
	return (int)(first / DESC_BYTES);
}

static bool add(const struct capture *p, ir_id v, uint32_t times, struct sum *s)
{
	const struct ir_inst *i = &p->fn->inst[v];
	const struct fact_root *r = root_of(p, v);
	uint64_t k;

	if (!s->visits--)
		return false;
	if (i->op == IR_iadd)
		return add(p, i->a[0], times, s) && add(p, i->a[1], times, s);
	if (i->op == IR_imul && ir_is_const(p->fn, i->a[1], &k))
		return add(p, i->a[0], times * (uint32_t)k, s);
	if (i->op == IR_imul && ir_is_const(p->fn, i->a[0], &k))
		return add(p, i->a[1], times * (uint32_t)k, s);
	if (i->op == IR_shl && ir_is_const(p->fn, i->a[1], &k))
		return add(p, i->a[0], times << (k & 31), s);
	if (ir_is_const(p->fn, v, &k))
		s->bytes += times * (uint32_t)k;
	else if (i->op == IR_sysval && i->sub == SYSVAL_lane_id)
		s->lane += times;
	else if (r && r->kind == ROOT_CAPTURE_FIRST)
		s->first += times;
	else if (r && r->kind == ROOT_CAPTURE_START && (!s->root || s->root == r->offset + 1)) {
		s->start += times;
		s->root = r->offset + 1;
	} else
		return false;
	return true;
}

/* Is the mask that of the lanes whose vertices are captured? */
static bool is_captured(const struct capture *p, ir_id mask)
{
	const struct ir_inst *m = &p->fn->inst[mask];
	uint64_t off, width;

	if ((m->op != IR_slt && m->op != IR_ult) || p->fn->inst[m->a[0]].op != IR_sysval ||
	    p->fn->inst[m->a[0]].sub != SYSVAL_lane_id)
		return false;
	const struct ir_inst *n = &p->fn->inst[m->a[1]];
	return n->op == IR_ubfe && is_root(p, n->a[0], ROOT_CAPTURE_STATE) && ir_is_const(p->fn, n->a[1], &off) && off == 16 &&
	       ir_is_const(p->fn, n->a[2], &width) && width == 7;
}

/* Every store to a buffer of captured outputs, with the words that it stores in their places. */
static bool take_store(struct capture *p, ir_id id, int number)
{
	struct ir_fn *fn = p->fn;
	const ir_id *a = ir_args(fn, id);
	struct buffer *b = &p->buffer[number];
	struct sum s = { .visits = VISITS };
	ir_id v = a[4];
	unsigned n = ir_elems(fn->inst[v].type);

	if (!is_captured(p, a[0]) || (p->can && p->can != a[0]))
		return refuse(p, id, "a store of other lanes than those that are captured");
	p->can = a[0];
	if (a[3] || !add(p, a[2], 1, &s) || s.lane != s.first || !s.lane || s.start != 4 || (b->stride && b->stride != s.lane) ||
	    (b->root && b->root != s.root))
		return refuse(p, id, "a store to another place than that of its vertex");
	uint64_t at = s.bytes + fn->inst[id].imm;
	if (ir_bits(fn->inst[v].type) != 32 || s.lane % 4 || s.lane > 4 * WORDS || at % 4 || at + 4ull * n > s.lane)
		return refuse(p, id, "a store that is not of words within its vertex");
	b->stride = s.lane;
	b->root = s.root;
	if (!b->word)
		b->word = arena_array(p->ctx->scratch, struct stored, WORDS);
	if (n > 1 && fn->inst[v].op != IR_vec)
		return refuse(p, id, "a store of a vector that is not made of words");
	for (unsigned k = 0; k < n; k++) {
		struct stored *w = &b->word[at / 4 + k];
		if (w->value)
			return refuse(p, id, "a word is stored twice");
		w->value = strip(fn, n > 1 ? ir_args(fn, v)[k] : v);
	}
	return true;
}

static bool take_stores(struct capture *p)
{
	struct ir_fn *fn = p->fn;
	uint32_t last = 0;

	p->store = arena_array_raw(p->ctx->scratch, ir_id, fn->ninst);
	p->taken = arena_array(p->ctx->scratch, bool, fn->ninst + 1); /* true is made later */
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			int n = fn->inst[id].op == IR_stbuf ? buffer_of(p, ir_args(fn, id)[1]) : -1;
			if (n < 0)
				continue;
			if (!take_store(p, id, n))
				return false;
			p->store[p->nstore++] = id;
			p->taken[id] = true;
		}
	for (unsigned k = 0; k < BUFFERS; k++) { /* the buffers in use have their starts in order, and no more than there are before */
		if (p->buffer[k].root && (p->buffer[k].root <= last || p->buffer[k].root > k + 1))
			return refuse(p, p->store[0], "a buffer with another one's start");
		last = p->buffer[k].root ? p->buffer[k].root : last;
	}
	return true;
}

/* The branch that asks whether some vertex is captured, over the stores' block; it leads there, always. */
static bool through(struct capture *p, ir_id branch, uint32_t *keep)
{
	struct ir_fn *fn = p->fn;
	uint32_t at = fn->inst[branch].block;
	const struct ir_block *b = &fn->block[at];

	if (fn->inst[branch].op != IR_brc)
		return refuse(p, branch, "other code asks whether some vertex is captured");
	const struct ir_block *in = &fn->block[b->succ[0]], *out = &fn->block[b->succ[1]];
	bool plain = in->npred == 1 && in->nsucc == 1 && in->succ[0] == b->succ[1] && fn->inst[out->first].op != IR_phi;
	ir_for_insts(fn, b->succ[0], id)
		plain &= !(ir_ops[fn->inst[id].op].fx & (FX_WRITE | FX_SYNC)) || p->taken[id];
	if (!plain)
		return refuse(p, branch, "other code hangs on whether some vertex is captured");
	keep[at] = 1;
	return true;
}

static uint32_t last_of_all(const struct ir_fn *fn)
{
	uint32_t end = IR_NO_BLOCK;

	ir_for_order(fn, b) {
		if (fn->block[b].nsucc)
			continue;
		if (end == IR_NO_BLOCK)
			end = b;
		while (!cfg_dominates(fn, end, b))
			end = fn->block[end].idom;
	}
	return end;
}

static bool every_run(const struct capture *p, ir_id id)
{
	return p->end == IR_NO_BLOCK || cfg_dominates(p->fn, p->fn->inst[id].block, p->end);
}

/* Nothing but the stores hangs on which vertices are captured, and every run reaches them. Loads for them load for all. */
static bool always(struct capture *p)
{
	struct ir_fn *fn = p->fn;
	struct ir_users l = { 0 };
	uint32_t *keep = arena_array(p->ctx->scratch, uint32_t, fn->nblock);

	ir_users_find(&l, fn, p->ctx->scratch);
	ir_for_users(&l, p->can, u) {
		unsigned fx = ir_ops[fn->inst[u].op].fx;
		if (p->taken[u])
			continue;
		if (fx & FX_READ && fx & FX_MASK && !(fx & (FX_WRITE | FX_CROSS)))
			ir_set_arg(fn, u, 0, ir_const(fn, IR_B1, 1));
		else if (fn->inst[u].op != IR_any)
			return refuse(p, u, "other code asks whether a vertex is captured");
		else
			ir_for_users(&l, u, t)
				if (!through(p, t, keep))
					return false;
	}
	cfg_keep_edges(fn, keep);
	cfg_order(fn);
	cfg_dominators(fn);
	p->end = last_of_all(fn);
	for (uint32_t k = 0; k < p->nstore; k++)
		if (!every_run(p, p->store[k]))
			return refuse(p, p->store[k], "not every run of the program reaches this store");
	return true;
}

/* What each component of each output is, where that is one value in every run. */
static void find_outputs(struct capture *p)
{
	struct ir_fn *fn = p->fn;
	uint8_t *seen = arena_array(p->ctx->scratch, uint8_t, fn->niface);
	uint64_t k;

	p->out = arena_alloc(p->ctx->scratch, (fn->niface + 1) * sizeof *p->out);
	memset(p->out, 0, (fn->niface + 1) * sizeof *p->out);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			if (i->op != IR_stout || i->sub >= fn->niface)
				continue;
			ir_id v = i->a[1];
			unsigned n = ir_elems(fn->inst[v].type);
			bool plain = ir_is_const(fn, i->a[0], &k) && k && (n == 1 || fn->inst[v].op == IR_vec) && i->imm + n <= 4 &&
				every_run(p, id);
			for (unsigned c = (unsigned)i->imm & 3; c < 4 && c < i->imm + n; c++) {
				bool first = !(seen[i->sub] >> c & 1);
				p->out[i->sub][c] = !plain || !first ? 0 : strip(fn, n > 1 ? ir_args(fn, v)[c - i->imm] : v);
				seen[i->sub] |= (uint8_t)(1u << c);
			}
		}
}

static bool same(const struct ir_fn *fn, ir_id a, ir_id b)
{
	uint64_t x, y;

	return a && b && (a == b || (ir_is_const(fn, a, &x) && ir_is_const(fn, b, &y) && x == y));
}

static void decorate(struct ir_iface *f, const struct buffer *b, unsigned number, uint32_t word)
{
	f->capture = (uint8_t)(number + 1);
	f->capture_at = (uint16_t)(4 * word);
	f->capture_stride = (uint16_t)b->stride;
}

/* An output whose components all stand side by side among the words. What is built in is captured with all that the host has of it,
 * and what is narrower than a word is none. */
static void match(struct capture *p, uint32_t k)
{
	struct ir_iface *f = &p->fn->iface[k];
	unsigned n = f->comps == 1 ? 1 : f->comps == 3 ? 2 : f->comps == 7 ? 3 : f->comps == 15 ? 4 : 0;

	if (!f->output || !n || (f->builtin && f->builtin != SYSVAL_position && f->builtin != SYSVAL_point_size) ||
	    (f->builtin && n != ir_sysval_comps[f->builtin]) || ir_bits(f->base) != 32)
		return;
	for (unsigned b = 0; b < BUFFERS; b++)
		for (uint32_t w = 0; p->buffer[b].word && 4 * (w + n) <= p->buffer[b].stride; w++) {
			struct stored *s = &p->buffer[b].word[w];
			unsigned c = 0;
			while (c < n && !s[c].taken && same(p->fn, s[c].value, p->out[k][c]))
				c++;
			if (c < n)
				continue;
			while (c)
				s[--c].taken = true;
			decorate(f, &p->buffer[b], b, w);
			return;
		}
}

/* Up to four words side by side that no output holds get one of their own. */
static void own_output(struct capture *p, unsigned b, uint32_t w, unsigned n, uint16_t location)
{
	struct ir_fn *fn = p->fn;
	struct stored *s = &p->buffer[b].word[w];

	fn->iface = arena_grow(fn->arena, fn->iface, fn->niface, &fn->iface_cap, fn->niface + 1u, sizeof *fn->iface);
	fn->iface[fn->niface] = (struct ir_iface){ .output = true, .base = IR_I32, .comps = (uint8_t)((1u << n) - 1), .location = location };
	decorate(&fn->iface[fn->niface], &p->buffer[b], b, w);
	ir_id yes = ir_const(fn, IR_B1, 1);
	for (unsigned c = 0; c < n; c++) {
		ir_id v = s[c].value, word = fn->inst[v].type == IR_I32 ? v : ir_op1(fn, IR_bitcast, IR_I32, v);
		ir_id out = ir_op2(fn, IR_stout, IR_VOID, yes, word);
		fn->inst[out].sub = (uint16_t)fn->niface;
		fn->inst[out].imm = c;
	}
	fn->niface++;
}

static void own_outputs(struct capture *p)
{
	struct ir_fn *fn = p->fn;
	ir_id last = p->store[p->nstore - 1];
	uint32_t location = 0, n = 0;

	for (uint32_t k = 0; k < fn->niface; k++)
		if (fn->iface[k].output && !fn->iface[k].builtin && fn->iface[k].location >= location)
			location = fn->iface[k].location + 1u;
	fn->before = last;
	fn->at = fn->inst[last].block;
	fn->addr = fn->inst[last].addr;
	fn->flags = 0;
	for (unsigned b = 0; b < BUFFERS; b++)
		for (uint32_t w = 0; p->buffer[b].word && 4 * w < p->buffer[b].stride; w += n ? n : 1) {
			const struct stored *s = &p->buffer[b].word[w];
			for (n = 0; n < 4 && 4 * (w + n) < p->buffer[b].stride && s[n].value && !s[n].taken;)
				n++;
			if (n)
				own_output(p, b, w, n, (uint16_t)location++);
		}
	fn->before = 0;
}

enum pass_result capture_run(struct pass_ctx *ctx)
{
	struct capture p = { .ctx = ctx, .fn = ctx->fn };
	const struct facts *f = ctx->facts;
	bool some = false;

	for (uint32_t k = 0; f && k < f->nroot && p.fn->stage == STAGE_VERTEX; k++)
		some |= f->root[k].kind == ROOT_CAPTURE_BUFFERS;
	if (!some)
		return PASS_SAME;
	if (!take_stores(&p))
		return PASS_REFUSED;
	if (!p.nstore)
		return PASS_SAME;
	if (!always(&p))
		return PASS_REFUSED;
	find_outputs(&p);
	for (uint32_t k = 0, n = p.fn->niface; k < n; k++)
		match(&p, k);
	own_outputs(&p);
	for (uint32_t k = 0; k < p.nstore; k++)
		ir_remove(p.fn, p.store[k]);
	dce_run(ctx);
	diag_remark(ctx->diag, "capture", DIAG_NO_ADDR, "stores to transform feedback's buffers are the host's own");
	return PASS_CHANGED;
}
