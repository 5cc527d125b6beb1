/* hostinterp.c - hand-written interpolation back to the host's own.
 *
 *     %1:f32 = sysval.bary_persp_center          %1:f32 = ldin #<location * 4 + channel>     (input 0: smooth, center)
 *     %2:f32 = sysval.bary_persp_center #1
 *     %3:f32 = interp_p1 %1, #<attr * 4 + channel>
 *     %4:f32 = interp_p2 %2, %3, #<same>
 *
 * A guest that interpolates from barycentrics computes P10 * I + P0 (p1), then P20 * J + that (p2). The host's
 * interpolated input is the same value when the pair reads I and J of one kind, the same parameter, and nothing else
 * sees the halfway result. A write of p1 under a mask counts as p1 where p2's result is used under that mask only.
 * A parameter at its center and at its centroid is one input, loaded in two ways; one beside the center moves by its own
 * differences (hostinterp_off.c). P0 is the provoking vertex's value: the flat input, where the state does not interpolate the
 * parameter. What is left - a parameter read as raw vertices, a barycentric read by other code, one location with two
 * interpolations - needs barycentrics: the host's own, or ones that a geometry stage makes (hostinterp_raw.c). Which parameters
 * those are is known before anything is rewritten (hostinterp_plan.c).
 */
#include "hostinterp.h"

enum pass_result hostinterp_run(struct pass_ctx *ctx);

void hostinterp_refuse(struct hand *p, ir_id id, const char *why)
{
	diag_emit(p->ctx->diag, DIAG_MISSING_FEATURE, p->fn->inst[id].addr,
		"interpolation by hand that the host's cannot replace: %s", why);
	p->refused = true;
}

bool hostinterp_kind_of(unsigned sysval, struct hostinterp_kind *k)
{
	static const struct { uint16_t sysval; struct hostinterp_kind kind; } kinds[] = {
		{ SYSVAL_bary_persp_center, { INTERP_SMOOTH, INTERP_CENTER } },
		{ SYSVAL_bary_persp_centroid, { INTERP_SMOOTH, INTERP_CENTROID } },
		{ SYSVAL_bary_persp_sample, { INTERP_SMOOTH, INTERP_SAMPLE } },
		{ SYSVAL_bary_linear_center, { INTERP_NOPERSPECTIVE, INTERP_CENTER } },
		{ SYSVAL_bary_linear_centroid, { INTERP_NOPERSPECTIVE, INTERP_CENTROID } },
		{ SYSVAL_bary_linear_sample, { INTERP_NOPERSPECTIVE, INTERP_SAMPLE } },
		{ SYSVAL_bary_pull, { INTERP_VERTICES, INTERP_CENTER } }, /* none that a parameter could be interpolated with */
	};

	for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].sysval == sysval) {
			*k = kinds[i].kind;
			return true;
		}
	return false;
}

ir_id hostinterp_strip(const struct ir_fn *fn, ir_id v)
{
	while (fn->inst[v].op == IR_bitcast)
		v = fn->inst[v].a[0];
	return v;
}

unsigned hostinterp_bary(const struct ir_fn *fn, ir_id v, unsigned comp)
{
	const struct ir_inst *i = &fn->inst[hostinterp_strip(fn, v)];
	struct hostinterp_kind k;

	return i->op == IR_sysval && i->imm == comp && hostinterp_kind_of(i->sub, &k) && k.interp != INTERP_VERTICES ? i->sub : 0;
}

/* Every use of v, past bitcasts, is the value of a select under mask. */
static bool used_under(const struct ir_fn *fn, ir_id v, ir_id mask)
{
	ir_for_order((struct ir_fn *)fn, b)
		ir_for_insts(fn, b, id) {
			unsigned n = ir_nargs(fn, id);
			const ir_id *a = ir_args((struct ir_fn *)fn, id);
			for (unsigned i = 0; i < n; i++) {
				if (a[i] != v)
					continue;
				const struct ir_inst *u = &fn->inst[id];
				if (u->op == IR_bitcast ? !used_under(fn, id, mask) : u->op != IR_select || i != 1 || u->a[0] != mask)
					return false;
			}
		}
	return true;
}

/* The p1 that feeds p2, or 0. */
ir_id hostinterp_partner(const struct ir_fn *fn, ir_id p2)
{
	ir_id v = hostinterp_strip(fn, fn->inst[p2].a[1]);

	if (fn->inst[v].op == IR_select) {
		ir_id mask = fn->inst[v].a[0];
		v = hostinterp_strip(fn, fn->inst[v].a[1]);
		if (fn->inst[v].op != IR_interp_p1 || !used_under(fn, p2, mask))
			return 0;
	}
	return fn->inst[v].op == IR_interp_p1 && fn->inst[v].imm == fn->inst[p2].imm ? v : 0;
}

static const struct fact_input *input_of(struct hand *p, ir_id id)
{
	const struct facts *f = p->ctx->facts;
	uint64_t attr = p->fn->inst[id].imm / 4;

	facts_read(f, STATE_INPUT_MAP);
	if (attr < f->ninput)
		return &f->input[attr];
	hostinterp_refuse(p, id, "an attribute that the state does not have");
	return NULL;
}

bool hostinterp_same_place(unsigned at, unsigned other)
{
	return at == other || (at != INTERP_SAMPLE && other != INTERP_SAMPLE);
}

/* The interface variable of a location. One location has one interpolation, but for its place: centers and centroids of one variable
 * are two entries with the same components. */
bool hostinterp_input(struct hand *p, ir_id id, uint32_t location, unsigned comp, struct hostinterp_kind k, uint16_t *at)
{
	struct ir_fn *fn = p->fn;
	bool found = false;

	for (uint32_t i = 0; i < fn->niface; i++) {
		struct ir_iface *v = &fn->iface[i];
		if (v->output || v->builtin || v->location != location)
			continue;
		if (v->interp != k.interp || !hostinterp_same_place(v->at, k.at)) {
			hostinterp_refuse(p, id, "one location interpolated in two ways");
			return false;
		}
		if (v->at != k.at) {
			diag_say(p->ctx->diag, "hostinterp", fn->inst[id].addr, "a parameter at its center and at its centroid is one input");
			continue;
		}
		*at = (uint16_t)i;
		found = true;
	}
	if (found) {
		fn->iface[*at].comps |= (uint8_t)(1u << comp);
		return true;
	}
	fn->iface = arena_grow(fn->arena, fn->iface, fn->niface, &fn->iface_cap, fn->niface + 1u, sizeof *fn->iface);
	fn->iface[fn->niface] = (struct ir_iface){ .base = IR_F32, .comps = (uint8_t)(1u << comp), .interp = k.interp,
		.at = k.at, .location = (uint16_t)location, .elems = k.interp == INTERP_VERTICES ? 3 : 0 };
	*at = (uint16_t)fn->niface++;
	return true;
}

bool hostinterp_feeds(unsigned op)
{
	switch (op) {
	case IR_bitcast: case IR_select: case IR_sysval: case IR_interp_p1:
	case IR_quad: case IR_fsub: case IR_fadd: case IR_fmul: case IR_ffma: /* of barycentrics that are moved */
		return true;
	default:
		return false;
	}
}

static bool is_unread(struct hand *p, ir_id v)
{
	if (p->uses[v] || p->fn->inst[v].block == IR_NO_BLOCK)
		return false;
	bool feeds = hostinterp_feeds(p->fn->inst[v].op);
	p->left |= !feeds;
	return feeds;
}

/* What only fed the pairs goes. No recursion: sums are as long as a program makes them. */
static void drop_operands(struct hand *p, const struct ir_inst *i)
{
	struct ir_inst was = *i;
	uint32_t n = 0;

	for (;;) {
		for (unsigned k = 0; k < was.nargs8; k++) {
			ir_id v = was.a[k];
			if (v >= p->nuses) /* made here */
				continue;
			p->uses[v]--;
			if (is_unread(p, v))
				p->todo[n++] = v;
		}
		if (!n)
			return;
		was = p->fn->inst[p->todo[--n]];
		ir_remove(p->fn, p->todo[n]);
	}
}

static void drop_unread(struct hand *p, ir_id v)
{
	struct ir_inst was = p->fn->inst[v];

	if (!is_unread(p, v))
		return;
	ir_remove(p->fn, v);
	drop_operands(p, &was);
}

/* A parameter that is one of the host's built-ins: the point's coordinate is interpolated, numbers of things are not. */
static void load_builtin(struct hand *p, ir_id id, const struct fact_input *in, struct hostinterp_kind k)
{
	struct ir_fn *fn = p->fn;
	unsigned comp = fn->inst[id].imm & 3;
	bool point = in->builtin == SYSVAL_point_coord, whole = in->builtin == SYSVAL_viewport || in->builtin == SYSVAL_primitive_id;

	if (comp >= (point ? 2u : 1u) || !(point || whole) || (point ? k.interp == INTERP_FLAT : k.interp != INTERP_FLAT)) {
		hostinterp_refuse(p, id, in->builtin == SYSVAL_clip_distance ? "a clip distance as an attribute" : "an unknown part of a built-in");
		return;
	}
	struct ir_inst was = fn->inst[id];
	fn->before = id;
	fn->at = was.block;
	fn->addr = was.addr;
	fn->flags = 0;
	ir_id v = whole ? ir_op0(fn, IR_sysval, IR_I32) : 0;
	struct ir_inst *i = &fn->inst[id];
	ir_set_op(fn, id, whole ? IR_bitcast : IR_sysval);
	ir_keep_args(i, whole ? 1 : 0);
	i->flags = 0;
	i->a[0] = v;
	i->sub = whole ? 0 : in->builtin;
	i->imm = whole ? 0 : comp;
	if (whole)
		fn->inst[v].sub = in->builtin;
	drop_operands(p, &was);
}

static void load_input(struct hand *p, ir_id id, const struct fact_input *in, struct hostinterp_kind k)
{
	struct ir_fn *fn = p->fn;
	unsigned comp = fn->inst[id].imm & 3;
	uint16_t at;

	if (in->builtin) {
		load_builtin(p, id, in, k);
		return;
	}
	if (!hostinterp_input(p, id, in->location, comp, k, &at))
		return;
	struct ir_inst *i = &fn->inst[id];
	struct ir_inst was = *i;
	ir_set_op(fn, id, IR_ldin);
	ir_keep_args(i, 0);
	i->flags = 0;
	i->sub = at;
	i->imm = in->location * 4ull + comp;
	drop_operands(p, &was);
}

/* A use of an instruction that the hand knows. */
static ir_id used(struct hand *p, ir_id v)
{
	p->uses[v]++;
	return v;
}

static ir_id of_pixel(struct ir_fn *fn, ir_id v, unsigned perm)
{
	ir_id word = ir_op1(fn, IR_bitcast, IR_I32, v), q = ir_op2(fn, IR_quad, IR_I32, ir_const(fn, IR_B1, 1), word);
	fn->inst[q].imm = perm;
	return ir_op1(fn, IR_bitcast, IR_F32, q);
}

/* The parameter moves as its barycentrics do. */
static void lower_moved(struct hand *p, ir_id id, ir_id p1, const struct fact_input *in)
{
	struct ir_fn *fn = p->fn;
	struct hostinterp_moved i, j;
	struct hostinterp_kind k;
	struct ir_inst was = fn->inst[id];
	unsigned comp = was.imm & 3;
	uint16_t at;

	if (!hostinterp_moved(fn, fn->inst[p1].a[0], 0, &i) || !hostinterp_moved(fn, was.a[0], 1, &j) || !hostinterp_kind_of(j.bary, &k) ||
	    !hostinterp_input(p, id, in->location, comp, k, &at))
		return;
	diag_say(p->ctx->diag, "hostinterp", was.addr, "a parameter beside the pixel's center moves by its own differences");
	p->left = true;
	fn->addr = was.addr;
	fn->flags = was.flags & IR_F_FTZ;
	ir_id sum = 0, step[HOSTINTERP_TERMS];
	for (unsigned n = 0; n < j.n; n++) { /* where the guest takes the differences, the quad is whole */
		fn->before = j.term[n].at;
		fn->at = fn->inst[j.term[n].at].block;
		ir_id v = ir_op0(fn, IR_ldin, IR_F32);
		fn->inst[v].sub = at;
		fn->inst[v].imm = in->location * 4ull + comp;
		ir_id first = of_pixel(fn, v, 0);
		step[n] = ir_op2(fn, IR_fsub, IR_F32, of_pixel(fn, v, j.term[n].perm), first);
	}
	fn->before = id;
	fn->at = was.block;
	sum = ir_op0(fn, IR_ldin, IR_F32);
	fn->inst[sum].sub = at;
	fn->inst[sum].imm = in->location * 4ull + comp;
	for (unsigned n = 0; n + 1 < j.n; n++)
		sum = ir_op3(fn, IR_ffma, IR_F32, used(p, j.term[n].by), step[n], sum);
	fn->before = 0;
	ir_set_op(fn, id, IR_ffma);
	struct ir_inst *last = &fn->inst[id];
	ir_keep_args(last, 3);
	last->flags = was.flags & IR_F_FTZ;
	last->a[0] = used(p, j.term[j.n - 1].by);
	last->a[1] = step[j.n - 1];
	last->a[2] = sum;
	last->sub = 0;
	last->imm = 0;
	fn->flags = 0;
	drop_operands(p, &was);
}

static void lower_p2(struct hand *p, ir_id id)
{
	const struct fact_input *in = input_of(p, id);
	struct hostinterp_kind k;

	if (!in)
		return;
	const char *why = hostinterp_fit_p2(p->fn, id, in, &k);
	if (why)
		hostinterp_refuse(p, id, why);
	else if (k.interp == INTERP_VERTICES)
		lower_moved(p, id, hostinterp_partner(p->fn, id), in);
	else
		load_input(p, id, in, k);
}

static void lower_mov(struct hand *p, ir_id id)
{
	const struct fact_input *in = input_of(p, id);

	if (!in)
		return;
	const char *why = hostinterp_fit_mov(p->fn, id, in);
	if (why)
		hostinterp_refuse(p, id, why);
	else
		load_input(p, id, in, (struct hostinterp_kind){ INTERP_FLAT, INTERP_CENTER });
}

static void gather(struct hand *p)
{
	static const bool looks[IR_OP_COUNT] = { [IR_interp_p1] = true, [IR_interp_p2] = true, [IR_interp_mov] = true, [IR_sysval] = true };
	struct ir_fn *fn = p->fn;
	const struct ir_inst *inst = fn->inst, *i;
	struct hostinterp_kind k;
	uint32_t *uses = arena_array(p->ctx->scratch, uint32_t, fn->ninst);

	p->hand = arena_array_raw(p->ctx->scratch, ir_id, fn->ninst);
	p->uses = uses;
	p->nuses = fn->ninst;
	p->todo = arena_array_raw(p->ctx->scratch, ir_id, fn->ninst);
	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; id; id = i->next) {
			i = &inst[id];
			if (i->nargs8 <= IR_INLINE_ARGS) { /* absent ones are 0 */
				uses[i->a[0]]++;
				uses[i->a[1]]++;
				uses[i->a[2]]++;
				uses[i->a[3]]++;
			} else {
				for (unsigned j = 0; j < i->x.count; j++)
					uses[i->x.ext[j]]++;
			}
			if (looks[i->op] && (i->op != IR_sysval || hostinterp_kind_of(i->sub, &k)))
				p->hand[p->nhand++] = id;
		}
}

static void drop_rest(struct hand *p)
{
	for (uint32_t k = p->nhand; k-- > 0;)
		drop_unread(p, p->hand[k]);
}

/* Entries of one variable have the same components. */
static void share_components(struct ir_fn *fn)
{
	for (uint32_t i = 0; i < fn->niface; i++)
		for (uint32_t j = i + 1; j < fn->niface; j++) {
			struct ir_iface *v = &fn->iface[i], *w = &fn->iface[j];
			if (v->output || w->output || v->builtin || w->builtin || v->location != w->location)
				continue;
			v->comps |= w->comps;
			w->comps = v->comps;
		}
}

enum pass_result hostinterp_run(struct pass_ctx *ctx)
{
	struct hand p = { .ctx = ctx, .fn = ctx->fn };

	if (ctx->fn->stage != STAGE_FRAGMENT)
		return PASS_SAME;
	gather(&p);
	hostinterp_plan(&p);
	for (uint32_t k = 0; k < p.nhand && !p.refused; k++) {
		ir_id id = p.hand[k];
		if (hostinterp_is_raw(&p, id))
			continue;
		if (p.fn->inst[id].op == IR_interp_p2)
			lower_p2(&p, id);
		else if (p.fn->inst[id].op == IR_interp_mov)
			lower_mov(&p, id);
		else if (p.fn->inst[id].op == IR_interp_p1)
			(void)input_of(&p, id);
	}
	drop_rest(&p);
	p.left |= p.some_raw || p.number;
	if (!p.refused && (p.some_raw || p.number))
		hostinterp_raw(&p);
	else if (p.nhand && !p.refused)
		diag_say(ctx->diag, "hostinterp", DIAG_NO_ADDR, "host: all parameters are interpolated by the host");
	share_components(p.fn);
	return p.refused ? PASS_REFUSED : !p.nhand ? PASS_SAME : p.left ? PASS_CHANGED : PASS_TIDY;
}
