/* hostinterp_raw.c - interpolation by hand that stays one: parameters as their three vertices' values, barycentrics as numbers.
 *
 *     %1:f32 = sysval.bary_persp_center          %1:f32 = sysval.bary_persp_center
 *     %2:f32 = interp_mov.0 #5                   %2:f32 = ldinx i32:1 #<location * 4 + 1>      (flat: vertex 1's own value)
 *     %3:f32 = interp_p1 %1, #8                  %4:f32 = ldinx i32:0 #...     %5:f32 = ldinx i32:1 #...
 *                                                %6:f32 = fsub %5, %4
 *                                                %3:f32 = ffma %6, %1, %4
 *
 * Native: the host has barycentrics, and inputs that are arrays of the vertices' values. Vertex 0, whose weight is 1 - I - J, is the
 * guest's first: of triangles whose first vertex provokes, as the host counts them, too; others are refused.
 * Emulated: a geometry stage of ours (libxlate/spirv/emit_geom.c) hands triangles on and gives the fragment program the weights as
 * interpolated inputs, (0, 0), (1, 0), (0, 1) at the corners, and each vertex's values as flat ones, in locations that are free.
 *
 * What the guest's P10 and P20 are depends on the state (Mesa 25.0.7: where it does not interpolate a parameter, its programs read the
 * vertices' own values there, `v_interp_mov` being how it lowers explicit interpolation): differences to P0 of what is interpolated,
 * else the values of vertex 1 and 2.
 */
#include "hostinterp.h"

enum { VERTICES = 3, COMPS = 4, PER_ATTR = VERTICES * COMPS, WEIGHTS = 4 };

struct raw {
	struct hand *p;
	struct ir_fn *fn;
	bool emulated;
	ir_id top;              /* what loads of vertices go before */
	ir_id *value, *step;    /* per attribute, component and vertex: its value, its difference to vertex 0's; 0: not loaded */
	uint32_t *place;        /* emulated: location of an attribute's vertex 0, the others follow; 0: none yet */
	uint32_t weights[WEIGHTS]; /* the same of weights: with perspective, without, and both for each sample */
	uint32_t next;          /* locations below are taken */
};

static ir_id insert(struct raw *r, ir_id before)
{
	r->fn->before = before;
	r->fn->at = r->fn->inst[before].block;
	r->fn->addr = r->fn->inst[before].addr;
	r->fn->flags = 0;
	return before;
}

/* The first of `n` locations that no parameter of the guest has, plus 1. */
static uint32_t locations(struct raw *r, uint32_t n)
{
	const struct facts *f = r->p->ctx->facts;
	uint32_t at = r->next;

	for (uint32_t i = 0; i < f->ninput; i++)
		if (!f->input[i].builtin && f->input[i].location >= at && f->input[i].location < at + n) {
			at = f->input[i].location + 1;
			i = UINT32_MAX; /* again: at most once per input */
		}
	r->next = at + n;
	return at + 1;
}

static void made(struct raw *r, uint16_t at, enum iface_made how, uint32_t from)
{
	struct ir_iface *f = &r->fn->iface[at];

	f->made = (uint8_t)how;
	f->from = (uint16_t)from;
}

/* Turns an instruction into the load of a vertex's value. */
static void load_vertex(struct raw *r, ir_id id, uint32_t attr, unsigned comp, unsigned vertex)
{
	const struct fact_input *in = &r->p->ctx->facts->input[attr];
	struct ir_fn *fn = r->fn;
	uint32_t location = in->location;
	struct hostinterp_kind k = { r->emulated ? INTERP_FLAT : INTERP_VERTICES, INTERP_CENTER };
	uint16_t at;

	if (r->emulated) {
		r->place[attr] = r->place[attr] ? r->place[attr] : locations(r, VERTICES);
		location = r->place[attr] - 1 + vertex;
	}
	if (!hostinterp_input(r->p, id, location, comp, k, &at))
		return;
	if (r->emulated)
		made(r, at, MADE_VERTEX0 + vertex, in->location);
	ir_id number = r->emulated ? 0 : ir_const(fn, IR_I32, vertex);
	struct ir_inst *i = &fn->inst[id];
	ir_set_op(fn, id, r->emulated ? IR_ldin : IR_ldinx);
	ir_keep_args(i, !r->emulated);
	i->a[0] = number;
	i->flags = 0;
	i->sub = at;
	i->imm = location * 4ull + comp;
}

static ir_id vertex(struct raw *r, uint32_t attr, unsigned comp, unsigned k)
{
	ir_id *v = &r->value[attr * PER_ATTR + comp * VERTICES + k];

	if (!*v) {
		insert(r, r->top);
		*v = ir_op0(r->fn, IR_ldin, IR_F32);
		load_vertex(r, *v, attr, comp, k);
	}
	return *v;
}

/* P10 or P20 of a parameter that is interpolated. */
static ir_id step(struct raw *r, uint32_t attr, unsigned comp, unsigned k, uint16_t flags)
{
	ir_id *v = &r->step[attr * PER_ATTR + comp * VERTICES + k];

	if (!*v) {
		ir_id to = vertex(r, attr, comp, k), from = vertex(r, attr, comp, 0);
		insert(r, r->top);
		r->fn->flags = flags;
		*v = ir_op2(r->fn, IR_fsub, IR_F32, to, from);
		r->fn->flags = 0;
	}
	return *v;
}

static void lower_part(struct raw *r, ir_id id)
{
	struct ir_fn *fn = r->fn;
	struct ir_inst was = fn->inst[id];
	uint32_t attr = (uint32_t)(was.imm / 4);
	unsigned comp = was.imm & 3, k = was.op == IR_interp_mov ? (was.sub + 1u) % VERTICES : was.op == IR_interp_p1 ? 1 : 2;
	uint16_t flags = was.flags & IR_F_FTZ;
	bool smooth = r->p->ctx->facts->input[attr].smooth;

	if (was.op == IR_interp_mov && (!k || !smooth)) {
		load_vertex(r, id, attr, comp, k);
		return;
	}
	ir_id base = was.op == IR_interp_p2 ? was.a[1] : vertex(r, attr, comp, 0);
	ir_id by = was.op == IR_interp_mov ? vertex(r, attr, comp, k) : step(r, attr, comp, k, flags);
	struct ir_inst *i = &fn->inst[id];
	ir_set_op(fn, id, was.op == IR_interp_mov ? IR_fsub : IR_ffma);
	ir_keep_args(i, was.op == IR_interp_mov ? 2 : 3);
	i->a[0] = by;
	i->a[1] = was.op == IR_interp_mov ? base : was.a[0];
	i->a[2] = was.op == IR_interp_mov ? 0 : base;
	i->flags = flags;
	i->sub = 0;
	i->imm = 0;
}

/* ---- barycentrics */
static void lower_weight(struct raw *r, ir_id id)
{
	struct ir_inst *i = &r->fn->inst[id];
	unsigned comp = (unsigned)i->imm;
	struct hostinterp_kind k;
	uint16_t at;

	if (!r->emulated || !hostinterp_kind_of(i->sub, &k))
		return;
	uint32_t *w = &r->weights[(k.interp == INTERP_NOPERSPECTIVE) + 2 * (k.at == INTERP_SAMPLE)];
	*w = *w ? *w : locations(r, 1);
	if (!hostinterp_input(r->p, id, *w - 1, comp, k, &at))
		return;
	made(r, at, MADE_WEIGHTS, 0);
	ir_set_op(r->fn, id, IR_ldin);
	i->sub = at;
	i->imm = (*w - 1) * 4ull + comp;
}

/* I / w, J / w or 1 / w: the fragment's position has 1 / w, at the pixel's center where it runs for the whole pixel. */
static void lower_pull(struct raw *r, ir_id id)
{
	struct ir_fn *fn = r->fn;
	unsigned comp = (unsigned)fn->inst[id].imm;

	if (comp == 2) {
		fn->inst[id].sub = SYSVAL_frag_coord;
		fn->inst[id].imm = 3;
		return;
	}
	insert(r, id);
	ir_id w = ir_op0(fn, IR_sysval, IR_F32);
	fn->inst[w].sub = SYSVAL_frag_coord;
	fn->inst[w].imm = 3;
	ir_id b = ir_op0(fn, IR_sysval, IR_F32);
	fn->inst[b].sub = SYSVAL_bary_persp_center;
	fn->inst[b].imm = comp;
	lower_weight(r, b);
	struct ir_inst *i = &fn->inst[id];
	ir_set_op(fn, id, IR_fmul);
	ir_keep_args(i, 2);
	i->a[0] = b;
	i->a[1] = w;
	i->sub = 0;
	i->imm = 0;
}

/* The fragment program runs for each sample. */
static bool per_sample(const struct hand *p)
{
	const struct ir_fn *fn = p->fn;
	struct hostinterp_kind k;

	for (uint32_t i = 0; i < fn->niface; i++)
		if (!fn->iface[i].output && fn->iface[i].at == INTERP_SAMPLE)
			return true;
	ir_for_order((struct ir_fn *)fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_sysval && (fn->inst[id].sub == SYSVAL_sample_id ||
			    (hostinterp_kind_of(fn->inst[id].sub, &k) && k.at == INTERP_SAMPLE)))
				return true;
	return false;
}

/* A barycentric that is not a sample's and is left: in a program that runs for each sample the host's center is the sample. */
static ir_id of_pixel(const struct hand *p)
{
	struct hostinterp_kind k;

	for (uint32_t i = 0; i < p->nhand; i++) {
		const struct ir_inst *in = &p->fn->inst[p->hand[i]];
		if (in->op == IR_sysval && in->block != IR_NO_BLOCK && hostinterp_kind_of(in->sub, &k) && k.at != INTERP_SAMPLE)
			return p->hand[i];
	}
	return 0;
}

/* ---- may it be done, and how */
static ir_id first_cause(const struct hand *p, const char **why)
{
	for (uint32_t k = 0; k < p->nhand; k++)
		if (hostinterp_is_raw(p, p->hand[k])) {
			const struct hostinterp_raw *w = &p->raw[p->fn->inst[p->hand[k]].imm / 4];
			*why = w->why;
			return w->at;
		}
	*why = "a barycentric is read by other code";
	return p->number;
}

/* A parameter of which no state says how its vertices' values are kept, or that is none. */
static bool has_vertices(struct hand *p)
{
	for (uint32_t k = 0; k < p->nhand; k++) {
		ir_id id = p->hand[k];
		if (!hostinterp_is_raw(p, id))
			continue;
		const struct fact_input *in = &p->ctx->facts->input[p->fn->inst[id].imm / 4];
		if (in->builtin)
			hostinterp_refuse(p, id, "a built-in of the host read as raw vertices");
		else if (in->smooth == 2 || (!in->smooth && p->fn->inst[id].op != IR_interp_mov))
			hostinterp_refuse(p, id, p->raw[p->fn->inst[id].imm / 4].why);
		if (p->refused)
			return false;
	}
	return true;
}

static bool draws_triangles(struct hand *p, ir_id at)
{
	const struct facts *f = p->ctx->facts;

	facts_read(f, STATE_PRIMITIVE);
	if (f->triangles == 1 && f->provoking_last == 0)
		return true;
	if (f->triangles == 2 || f->provoking_last == 2) {
		diag_emit(p->ctx->diag, DIAG_FACT, p->fn->inst[at].addr, "the program reads vertices or barycentrics, the record does not say %s",
		          f->triangles == 2 ? "which primitives are drawn (topology)" : "which vertex provokes (provoking_last)");
		p->refused = true;
	} else
		hostinterp_refuse(p, at, f->triangles ? "barycentrics of triangles whose last vertex provokes" :
			"barycentrics of points, lines or patches");
	return false;
}

/* The way, once all that speaks against it has been looked at. */
static bool choose(struct raw *r)
{
	const struct hand *p = r->p;
	const struct fact_target *t = p->ctx->facts->target;
	const char *why;
	ir_id at = first_cause(p, &why), other;

	if (!t || !(t->barycentric || t->geometry)) {
		hostinterp_refuse(r->p, at, why);
		return false;
	}
	if (!has_vertices(r->p) || !draws_triangles(r->p, at))
		return false;
	r->emulated = !t->barycentric;
	const struct facts *f = p->ctx->facts;
	if (r->emulated && (!f->only_vertex || (f->vertex_layered && !facts_hands(f)))) {
		hostinterp_refuse(r->p, at, "a geometry stage for barycentrics does not fit behind the stages before it");
		return false;
	}
	if (p->number && per_sample(p) && (other = of_pixel(p)) != 0) {
		hostinterp_refuse(r->p, other, "a pixel's barycentrics in a program that runs for each sample");
		return false;
	}
	diag_remark(p->ctx->diag, "hostinterp", p->fn->inst[at].addr, "%s: %s: barycentrics are %s", r->emulated ? "emulated" : "native", why,
	            r->emulated ? "a generated geometry stage's" : "the host's");
	return true;
}

void hostinterp_raw(struct hand *p)
{
	struct raw r = { .p = p, .fn = p->fn };
	uint32_t n = p->ctx->facts->ninput;
	struct hostinterp_kind k;

	if (!choose(&r))
		return;
	r.value = arena_array(p->ctx->scratch, ir_id, (size_t)n * PER_ATTR + 1);
	r.step = arena_array(p->ctx->scratch, ir_id, (size_t)n * PER_ATTR + 1);
	r.place = arena_array(p->ctx->scratch, uint32_t, n + 1);
	r.top = r.fn->block[r.fn->entry].first;
	while (r.fn->inst[r.top].op == IR_phi)
		r.top = r.fn->inst[r.top].next;
	for (uint32_t i = 0; i < p->nhand && !p->refused; i++) {
		const struct ir_inst *in = &r.fn->inst[p->hand[i]];
		if (in->block == IR_NO_BLOCK)
			continue;
		if (in->op == IR_interp_p1 || in->op == IR_interp_p2 || in->op == IR_interp_mov)
			lower_part(&r, p->hand[i]);
		else if (in->op == IR_sysval && in->sub == SYSVAL_bary_pull)
			lower_pull(&r, p->hand[i]);
		else if (in->op == IR_sysval && hostinterp_kind_of(in->sub, &k))
			lower_weight(&r, p->hand[i]);
	}
	r.fn->before = 0;
	r.fn->flags = 0;
}
