/* restrack_desc.c - resource tracking: descriptors read as numbers, which is how some compilers write size queries.
 *
 * The record's ABI says what a bit field of a descriptor counts (facts.h, fact_field). A word of which only such fields are
 * looked at becomes a query of the bound resource; any other word stays a load, and is refused.
 */
#include "restrack.h"

static ir_id query(struct track *t, ir_id bind, unsigned sub, ir_type type)
{
	ir_id args[2] = {bind, 0};
	ir_id q = ir_new(t->fn, IR_iquery, type, 2, args);
	t->fn->inst[q].sub = (uint16_t)sub;
	return q;
}

/* The word of a buffer descriptor that says how large it is: bytes, or texels where it has a format. */
ir_id track_buffer_size(struct track *t, ir_id where, const struct fact_entry *e, uint32_t element)
{
	bool texels = e->desc == DESC_UNIFORM_TEXEL || e->desc == DESC_STORAGE_TEXEL;
	if (!texels && e->desc != DESC_STORAGE_BUFFER && e->desc != DESC_UNIFORM_BUFFER)
		return 0;
	uint32_t res = track_resource(t, e);
	ir_id bind = track_bind(t, res, e->count != 1 ? ir_const(t->fn, IR_I32, element) : 0, where);
	t->fn->res[res].read = true;
	return texels ? query(t, bind, 0, IR_I32) : ir_op1(t->fn, IR_buflen, IR_I32, bind);
}

/* A quantity of the bound image, or 0. */
static ir_id image_number(struct track *t, const struct ir_resource *r, ir_id bind, unsigned what)
{
	struct ir_fn *fn = t->fn;
	unsigned n = r->dim == DIM_1D ? 1 : r->dim == DIM_3D ? 3 : 2, comp;
	bool sampled = r->kind == RES_SAMPLED_IMAGE || r->kind == RES_COMBINED;
	if (what == FIELD_LEVELS_1 && r->ms) /* there: the logarithm of the number of samples */
		return ir_op1(fn, IR_ctz, IR_I32, query(t, bind, 2, IR_I32));
	if (what == FIELD_ZERO || (what == FIELD_LEVELS_1 && !sampled))
		return ir_const(fn, IR_I32, 0);
	if (what == FIELD_LEVELS_1)
		return ir_opk(fn, IR_iadd, IR_I32, query(t, bind, 1, IR_I32), UINT32_MAX);
	comp = what == FIELD_WIDTH_1 ? 0 : what == FIELD_HEIGHT_1 ? 1 : 2;
	if (comp == 1 && n < 2)
		return ir_const(fn, IR_I32, 0);
	if (comp == 2 && r->dim != DIM_3D) {
		if (!r->arrayed)
			return ir_const(fn, IR_I32, r->dim == DIM_CUBE ? 5 : 0);
		comp = n;
	}
	unsigned all = n + (r->arrayed != 0);
	ir_id v = query(t, bind, 0, IR_VEC(IR_I32, all));
	if (all > 1) {
		v = ir_op1(fn, IR_elem, IR_I32, v);
		fn->inst[v].imm = comp;
	}
	if (comp == 2 && r->dim == DIM_CUBE)
		v = ir_opk(fn, IR_imul, IR_I32, v, 6);
	return ir_opk(fn, IR_iadd, IR_I32, v, UINT32_MAX);
}

/* What the use of `v` as operand k of instruction `i` looks at. */
static void note_use(struct track_used *u, const struct ir_fn *fn, const struct ir_inst *i, unsigned k)
{
	uint64_t off, width;

	if (i->op == IR_ubfe && k == 0 && ir_is_const(fn, i->a[1], &off) && ir_is_const(fn, i->a[2], &width) &&
	    off < 32 && width < 32)
		u->bits |= ((1u << width) - 1) << off;
	else if (i->op == IR_iand && i->type == IR_I32 && ir_is_const(fn, i->a[!k], &off))
		u->bits |= (uint32_t)off;
	else if (i->op == IR_lshr && k == 0 && ir_is_const(fn, i->a[1], &off))
		u->bits |= UINT32_MAX << (off & 31);
	else if ((i->op == IR_ieq || i->op == IR_ine) && ir_is_const(fn, i->a[!k], &off) && !off)
		u->null = true;
	else
		u->bits = UINT32_MAX;
}

void track_note_uses(struct track *t, ir_id id)
{
	const struct ir_inst *i = &t->fn->inst[id];
	const ir_id *arg = ir_args(t->fn, id);

	for (unsigned k = 0, n = ir_nargs(t->fn, id); k < n; k++)
		if (arg[k] < t->nmemo)
			note_use(&t->used[arg[k]], t->fn, i, k);
}

/* What is looked at of v, a value of those that there are origins of: all uses are walked once, for all values, and
 * what has been made since is added. */
static const struct track_used *used_of(struct track *t, ir_id v)
{
	struct ir_fn *fn = t->fn;

	if (!t->used) { /* against the order, so that elements stand in it */
		t->used = arena_array(t->scratch, struct track_used, t->nmemo);
		for (uint32_t k = fn->norder; k-- > 0;)
			for (ir_id id = fn->block[fn->order[k]].last; id; id = fn->inst[id].prev) {
				ir_id of = fn->inst[id].a[0];
				track_note_uses(t, id);
				if (fn->inst[id].op != IR_elem || id >= t->nmemo || of >= t->nmemo)
					continue;
				t->used[id].next = t->used[of].first;
				t->used[of].first = id;
			}
		t->nused = fn->ninst;
	}
	for (; t->nused < fn->ninst; t->nused++)
		track_note_uses(t, t->nused);
	return &t->used[v];
}

static bool has_shape(const struct ir_resource *r, unsigned what)
{
	if (r->ms)
		return false;
	if (what == FIELD_SHAPE_CUBE)
		return r->dim == DIM_CUBE && (r->kind == RES_SAMPLED_IMAGE || r->kind == RES_COMBINED);
	if (what == FIELD_SHAPE_3D)
		return r->dim == DIM_3D;
	return r->dim == (what == FIELD_SHAPE_1D_ARRAY ? DIM_1D : DIM_2D) && r->arrayed == 1;
}

/* Word `w` of the descriptor of image r as a number, when all the bits that v's uses look at are known; else 0. */
static ir_id descriptor_word(struct track *t, ir_id v, const struct ir_resource *r, ir_id bind, uint32_t w)
{
	struct ir_fn *fn = t->fn;
	const struct track_used *u = used_of(t, v);
	uint32_t used = u->bits, known = 0;
	bool null = u->null, some = false;
	ir_id word = ir_const(fn, IR_I32, 0);
	for (const struct fact_field *f = t->facts->image_field; f && f->bits; f++) {
		uint32_t mask = f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX;
		bool shape = f->what >= FIELD_SHAPE_3D;
		if (f->word != w || (shape && !has_shape(r, f->what)))
			continue;
		if (f->what == FIELD_SOME) {
			some = true;
			word = ir_op2(fn, IR_ior, IR_I32, word, ir_const(fn, IR_I32, 1u << f->first));
			continue;
		}
		known |= mask << f->first;
		if (!(used & mask << f->first))
			continue;
		ir_id x = shape ? ir_const(fn, IR_I32, f->from) : image_number(t, r, bind, f->what);
		if (!shape)
			x = ir_opk(fn, IR_iand, IR_I32, ir_opk(fn, IR_lshr, IR_I32, x, f->from), mask);
		word = ir_op2(fn, IR_ior, IR_I32, word, ir_opk(fn, IR_shl, IR_I32, x, f->first));
	}
	return used & ~known || (null && !some) ? 0 : word;
}

/* Words of the descriptor of a map of samples are asked whether there is one, which the host does not tell: no. */
static void no_map(struct track *t, ir_id id)
{
	bool one = ir_elems(t->fn->inst[id].type) == 1;

	for (ir_id v = one ? id : used_of(t, id)->first; v; v = one ? 0 : t->used[v].next)
		if (!used_of(t, v)->bits && t->used[v].null)
			track_replace(t, v, ir_const(t->fn, IR_I32, 0));
}

/* The words of an image descriptor that a load brought and something still looks at. */
void track_image_words(struct track *t, ir_id id, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	const struct fact_entry *e = track_entry(t, o);
	uint32_t elem;
	ir_id index;
	bool attachment = e && e->kind == ENTRY_DESC && e->desc == DESC_INPUT_ATTACHMENT;
	bool image = e && e->kind == ENTRY_DESC && (e->desc == DESC_COMBINED || e->desc == DESC_SAMPLED_IMAGE ||
	                                            e->desc == DESC_STORAGE_IMAGE || attachment);
	if (!image || !e->stride || e->ms > 1 || e->dim == DIM_UNKNOWN || ir_bits(fn->inst[id].type) != 32)
		return;
	uint32_t within = (o->off - e->offset) % e->stride;
	if (e->ms && e->desc != DESC_STORAGE_IMAGE && t->facts->sample_map && within >= t->facts->sample_map) {
		no_map(t, id);
		return;
	}
	if (attachment) /* the host tells nothing of one */
		return;
	track_at(t, id);
	if (!track_element(t, e, o, within, &elem, &index, id))
		return;
	uint32_t res = track_resource(t, e);
	ir_id bind = track_bind(t, res, index, id);
	track_at(t, id);
	if (ir_elems(fn->inst[id].type) == 1) {
		ir_id w = descriptor_word(t, id, &fn->res[res], bind, within / 4);
		if (w)
			track_replace(t, id, w);
		return;
	}
	for (ir_id use = used_of(t, id)->first; use; use = t->used[use].next) {
		ir_id w = descriptor_word(t, use, &fn->res[res], bind, within / 4 + (uint32_t)fn->inst[use].imm);
		if (w)
			track_replace(t, use, w);
	}
}
