/* restrack_val.c - resource tracking: table words that a program uses as values, vertex attributes, typed accesses. */
#include "restrack.h"

#include <string.h>

static void at(struct track *t, ir_id where)
{
	t->fn->before = where;
	t->fn->at = t->fn->inst[where].block;
	t->fn->addr = t->fn->inst[where].addr;
	t->fn->flags = 0;
}

static void replace(struct track *t, ir_id from, ir_id to)
{
	t->map[from] = to;
	t->changed = true;
}

/* Load `type` at byte off + dyn of resource `res`. */
static ir_id load(struct track *t, ir_id where, uint32_t res, ir_id index, ir_type type, uint32_t off, ir_id dyn)
{
	ir_id bind = track_bind(t, res, index, where);
	at(t, where);
	ir_id args[4] = {ir_const(t->fn, IR_B1, 1), bind, dyn ? dyn : ir_const(t->fn, IR_I32, off), 0};
	unsigned align = ir_bits(type) / 8;
	ir_id v = ir_new(t->fn, IR_ldbuf, type, 4, args);
	t->fn->inst[v].imm = dyn ? off : 0;
	while (align > 1) {
		t->fn->inst[v].flags += 1 << IR_F_ALIGN_SHIFT;
		align >>= 1;
	}
	t->fn->res[res].read = true;
	return v;
}

ir_id track_push(struct track *t, ir_id where, ir_type type, uint32_t off, ir_id dyn)
{
	facts_read(t->facts, STATE_PUSH_SIZE);
	struct ir_resource r = {.kind = RES_PUSH, .count = 1, .size = t->facts->push_size, .path = "push constants"};
	return load(t, where, ir_resource_new(t->fn, &r), 0, type, off, dyn);
}

/* The array element that a buffer bank holds, as a value; 0 when the binding is no array. */
static ir_id element(struct track *t, const struct fact_entry *e)
{
	return e->count > 1 ? ir_const(t->fn, IR_I32, e->base) : 0;
}

/* The value of the aligned 32-bit word at constant offset o->off of a table, or 0. */
static ir_id aligned_word(struct track *t, ir_id where, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	const struct fact_entry *e = track_entry(t, o);
	if (!e || o->off + 4 > e->offset + e->size)
		return 0;
	uint32_t rel = o->off - e->offset;
	at(t, where);
	switch (e->kind) {
	case ENTRY_SYSVAL: {
		if (rel & 3)
			return 0;
		ir_id v = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[v].sub = e->sysval;
		fn->inst[v].imm = e->base + rel / 4;
		return e->stride > 1 ? ir_op2(fn, IR_imul, IR_I32, v, ir_const(fn, IR_I32, e->stride)) : v;
	}
	case ENTRY_PUSH: return track_push(t, where, IR_I32, e->base + rel, 0);
	case ENTRY_BUFFER: return load(t, where, track_resource(t, e), element(t, e), IR_I32, e->at + rel, 0);
	case ENTRY_DATA: {
		const uint8_t *p = e->data + rel;
		return ir_const(fn, IR_I32, p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
	}
	case ENTRY_DESC:
		if (e->stride == 8 && e->base && e->desc == DESC_STORAGE_BUFFER) /* an address that is looked at as a number */
			return ir_const(fn, IR_I32, rel & 4 ? e->base : 0);
		if ((e->desc == DESC_STORAGE_BUFFER || e->desc == DESC_UNIFORM_BUFFER) && e->stride && rel % e->stride == 8) {
			ir_id index = e->count != 1 ? ir_const(fn, IR_I32, rel / e->stride) : 0;
			uint32_t res = track_resource(t, e);
			ir_id bind = track_bind(t, res, index, where);
			fn->res[res].read = true;
			return ir_op1(fn, IR_buflen, IR_I32, bind);
		}
		return 0;
	default: return 0;
	}
}

/* Likewise at any byte: out of two words. */
static ir_id word(struct track *t, ir_id where, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	struct origin w = *o;
	uint32_t in = o->off & 3;
	w.off -= in;
	ir_id lo = aligned_word(t, where, &w);
	if (!in || !lo)
		return lo;
	w.off += 4;
	ir_id hi = aligned_word(t, where, &w);
	if (!hi)
		return 0;
	at(t, where);
	lo = ir_op2(fn, IR_lshr, IR_I32, lo, ir_const(fn, IR_I32, 8 * in));
	hi = ir_op2(fn, IR_shl, IR_I32, hi, ir_const(fn, IR_I32, 32 - 8 * in));
	return ir_op2(fn, IR_ior, IR_I32, lo, hi);
}

/* A load whose whole range lies in one entry of push constants or of a buffer bank, or a dynamic one. */
static ir_id whole(struct track *t, ir_id id, const struct origin *o, uint32_t bytes)
{
	const struct fact_entry *e = track_entry(t, o);
	if (!e)
		return 0;
	uint32_t rel = o->off - e->offset;
	ir_type type = t->fn->inst[id].type;
	ir_id dyn = track_dynamic(t, o, id);
	if (!dyn && bytes > e->size - rel)
		return 0;
	if (e->kind == ENTRY_PUSH)
		return track_push(t, id, type, e->base + rel, dyn);
	if (e->kind == ENTRY_BUFFER)
		return load(t, id, track_resource(t, e), element(t, e), type, e->at + rel, dyn);
	if (e->kind == ENTRY_DATA && dyn) { /* a table of constants, indexed: all the data is one resource */
		uint32_t start = e->base < rel ? e->base : rel & ~3u;
		struct ir_resource r = {.kind = RES_CONST_DATA, .count = 1, .size = e->size - start, .data = e->data + start,
		                        .path = "code"};
		return load(t, id, ir_resource_new(t->fn, &r), 0, type, rel - start, dyn);
	}
	return 0;
}

/* A byte or half word that does not cross a dword, out of the word around it. */
static ir_id part_of_word(struct track *t, ir_id id, const struct origin *o, unsigned bytes)
{
	struct ir_fn *fn = t->fn;
	struct origin w = *o;
	uint32_t in = o->off & 3;
	w.off &= ~3u;
	if (in + bytes > 4)
		return 0;
	ir_type type = fn->inst[id].type;
	ir_id v = word(t, id, &w);
	if (!v)
		return 0;
	at(t, id);
	if (in)
		v = ir_op2(fn, IR_lshr, IR_I32, v, ir_const(fn, IR_I32, 8 * in));
	v = ir_op1(fn, IR_trunc, bytes == 1 ? IR_I8 : IR_I16, v);
	return type == fn->inst[v].type ? v : ir_op1(fn, IR_bitcast, type, v);
}

/* ---- image descriptors read as numbers: size queries as some compilers write them */

static ir_id query(struct track *t, ir_id bind, unsigned sub, ir_type type)
{
	ir_id args[2] = {bind, 0};
	ir_id q = ir_new(t->fn, IR_iquery, type, 2, args);
	t->fn->inst[q].sub = (uint16_t)sub;
	return q;
}

/* A quantity of the bound image, or 0. */
static ir_id image_number(struct track *t, const struct ir_resource *r, ir_id bind, unsigned what)
{
	struct ir_fn *fn = t->fn;
	unsigned n = r->dim == DIM_1D ? 1 : r->dim == DIM_3D ? 3 : 2, comp;
	bool sampled = r->kind == RES_SAMPLED_IMAGE || r->kind == RES_COMBINED;
	if (what == FIELD_ZERO || (what == FIELD_LEVELS_1 && !sampled))
		return ir_const(fn, IR_I32, 0);
	if (what == FIELD_LEVELS_1)
		return ir_op2(fn, IR_iadd, IR_I32, query(t, bind, 1, IR_I32), ir_const(fn, IR_I32, UINT32_MAX));
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
		v = ir_op2(fn, IR_imul, IR_I32, v, ir_const(fn, IR_I32, 6));
	return ir_op2(fn, IR_iadd, IR_I32, v, ir_const(fn, IR_I32, UINT32_MAX));
}

/* Bits of v that its uses look at; *null: one asks whether v is 0. */
static uint32_t bits_used(struct ir_fn *fn, ir_id v, bool *null)
{
	uint32_t used = 0;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				uint64_t off, width;
				if (ir_args(fn, id)[k] != v)
					continue;
				if (i->op == IR_ubfe && k == 0 && ir_is_const(fn, i->a[1], &off) && ir_is_const(fn, i->a[2], &width) &&
				    off < 32 && width < 32)
					used |= ((1u << width) - 1) << off;
				else if (i->op == IR_iand && i->type == IR_I32 && ir_is_const(fn, i->a[!k], &off))
					used |= (uint32_t)off;
				else if (i->op == IR_lshr && k == 0 && ir_is_const(fn, i->a[1], &off))
					used |= UINT32_MAX << (off & 31);
				else if ((i->op == IR_ieq || i->op == IR_ine) && ir_is_const(fn, i->a[!k], &off) && !off)
					*null = true;
				else
					return UINT32_MAX;
			}
		}
	return used;
}

/* Word `w` of the descriptor of image r as a number, when all the bits that v's uses look at are known; else 0. */
static ir_id descriptor_word(struct track *t, ir_id v, const struct ir_resource *r, ir_id bind, uint32_t w)
{
	struct ir_fn *fn = t->fn;
	bool null = false, some = false;
	uint32_t used = bits_used(fn, v, &null), known = 0;
	ir_id word = ir_const(fn, IR_I32, 0);
	for (const struct fact_field *f = t->facts->image_field; f && f->bits; f++) {
		uint32_t mask = f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX;
		if (f->word != w)
			continue;
		if (f->what == FIELD_SOME) {
			some = true;
			word = ir_op2(fn, IR_ior, IR_I32, word, ir_const(fn, IR_I32, 1u << f->first));
			continue;
		}
		known |= mask << f->first;
		if (!(used & mask << f->first))
			continue;
		ir_id x = image_number(t, r, bind, f->what);
		x = ir_op2(fn, IR_iand, IR_I32, ir_op2(fn, IR_lshr, IR_I32, x, ir_const(fn, IR_I32, f->from)), ir_const(fn, IR_I32, mask));
		word = ir_op2(fn, IR_ior, IR_I32, word, ir_op2(fn, IR_shl, IR_I32, x, ir_const(fn, IR_I32, f->first)));
	}
	return used & ~known || (null && !some) ? 0 : word;
}

/* The words of an image descriptor that a load brought and something still looks at. */
static void lower_image_words(struct track *t, ir_id id, const struct origin *o)
{
	struct ir_fn *fn = t->fn;
	const struct fact_entry *e = track_entry(t, o);
	uint32_t elem;
	ir_id index;
	bool image = e && e->kind == ENTRY_DESC && (e->desc == DESC_COMBINED || e->desc == DESC_SAMPLED_IMAGE ||
	                                            e->desc == DESC_STORAGE_IMAGE);
	if (!image || !e->stride || e->ms || e->dim == DIM_UNKNOWN || ir_bits(fn->inst[id].type) != 32)
		return;
	uint32_t within = (o->off - e->offset) % e->stride;
	at(t, id);
	if (!track_element(t, e, o, within, &elem, &index, id))
		return;
	uint32_t res = track_resource(t, e);
	ir_id bind = track_bind(t, res, index, id);
	at(t, id);
	if (ir_elems(fn->inst[id].type) == 1) {
		ir_id w = descriptor_word(t, id, &fn->res[res], bind, within / 4);
		if (w)
			replace(t, id, w);
		return;
	}
	ir_for_order(fn, b)
		ir_for_insts(fn, b, use) {
			if (fn->inst[use].op != IR_elem || fn->inst[use].a[0] != id || use >= t->nmemo)
				continue;
			ir_id w = descriptor_word(t, use, &fn->res[res], bind, within / 4 + (uint32_t)fn->inst[use].imm);
			if (w)
				replace(t, use, w);
		}
}

/* A table load as the values of its words. */
static void lower_value(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct origin o;
	struct ir_inst i = fn->inst[id];
	if (i.op == IR_ldptr) {
		if (!track_address(t, i.a[1], &o) || o.res)
			return;
		o.off += (uint32_t)i.imm;
	} else {
		memset(&o, 0, sizeof o);
		o.table = i.sub;
		o.off = (uint32_t)i.imm;
		uint64_t k;
		if (ir_is_const(fn, i.a[0], &k))
			o.off += (uint32_t)k;
		else
			o.term[o.nterm++] = i.a[0];
	}
	lower_image_words(t, id, &o);
	unsigned n = ir_elems(i.type), bytes = ir_bits(i.type) / 8;
	bool split = !o.nterm && (o.off & 3) && bytes >= 4; /* not as an access at an odd byte */
	ir_id v = split ? 0 : whole(t, id, &o, n * bytes);
	if (!v && !o.nterm && bytes >= 4) {
		ir_id part[8];
		for (unsigned k = 0; k < n * bytes / 4; k++, o.off += 4)
			if (!(part[k] = word(t, id, &o)))
				return;
		at(t, id);
		if (bytes == 8)
			for (unsigned k = 0; k < n; k++)
				part[k] = ir_op2(fn, IR_pack64, IR_I64, part[2 * k], part[2 * k + 1]);
		ir_type base = bytes == 8 ? IR_I64 : IR_I32;
		v = n == 1 ? part[0] : ir_new(fn, IR_vec, IR_VEC(base, n), n, part);
		if (IR_VEC(base, n) != i.type)
			v = ir_op1(fn, IR_bitcast, i.type, v);
	}
	if (!v && !o.nterm && bytes < 4 && n == 1)
		v = part_of_word(t, id, &o, bytes);
	if (v)
		replace(t, id, v);
}

/* Words of a load that also reads what is no value (the address of a buffer beside a number): one by one. */
void track_elements(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			struct origin o;
			ir_id v = 0;
			if (fn->inst[id].op != IR_elem || ir_bits(fn->inst[id].type) != 32 || !track_word(t, id, &o) || o.nterm)
				continue;
			v = word(t, fn->inst[id].a[0], &o); /* where the load is */
			at(t, id);
			if (v)
				replace(t, id, fn->inst[id].type == IR_I32 ? v : ir_op1(fn, IR_bitcast, fn->inst[id].type, v));
		}
}

void track_values(struct track *t)
{
	ir_for_order(t->fn, b)
		ir_for_insts(t->fn, b, id)
			if (t->fn->inst[id].op == IR_ldptr || t->fn->inst[id].op == IR_ldtab)
				lower_value(t, id);
}

/* ---- vertex attributes */

static const struct fact_attrib *find_attrib(struct track *t, uint32_t binding, uint32_t off)
{
	for (uint32_t i = 0; i < t->facts->nattrib; i++) {
		const struct fact_attrib *a = &t->facts->attrib[i];
		if (a->binding == binding && off >= a->offset && off < a->offset + (uint32_t)a->comps * a->bytes)
			return a;
	}
	return NULL;
}

static unsigned iface_input(struct ir_fn *fn, const struct fact_attrib *a, unsigned comps)
{
	for (uint32_t i = 0; i < fn->niface; i++)
		if (!fn->iface[i].output && !fn->iface[i].builtin && fn->iface[i].location == a->location) {
			fn->iface[i].comps |= (uint8_t)comps;
			return i;
		}
	fn->iface = arena_grow(fn->arena, fn->iface, fn->niface, &fn->iface_cap, fn->niface + 1u, sizeof *fn->iface);
	fn->iface[fn->niface] = (struct ir_iface){.base = a->base == NUMERIC_FLOAT ? IR_F32 : IR_I32, .comps = (uint8_t)comps,
	                                          .sign = a->base == NUMERIC_SINT, .location = (uint16_t)a->location};
	return fn->niface++;
}

/* A fetch through a vertex-buffer descriptor, by vertex or instance index: the attribute that the state describes. */
static bool lower_attrib(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct ir_inst i = fn->inst[id];
	struct origin o;
	uint64_t k;
	if (fn->inst[i.a[1]].op != IR_hbuf || !track_word(t, fn->inst[i.a[1]].a[0], &o) || o.nterm)
		return false;
	const struct fact_entry *e = track_entry(t, &o);
	if (!e || e->kind != ENTRY_ATTRIB || !i.a[3] || !ir_is_const(fn, i.a[2], &k))
		return false;
	const struct ir_inst *index = &fn->inst[i.a[3]];
	if (index->op != IR_sysval || (index->sub != SYSVAL_vertex_index && index->sub != SYSVAL_instance_index))
		return false;
	uint32_t off = (uint32_t)k + (uint32_t)i.imm;
	const struct fact_attrib *a = find_attrib(t, e->binding, off);
	if (!a)
		return false;
	unsigned n = ir_elems(i.type), first = (off - a->offset) / a->bytes;
	if (i.op == IR_ldbuf && (a->bytes != 4 || (off - a->offset) % 4 || first + n > a->comps || ir_bits(i.type) != 32))
		return false;
	if (i.op == IR_ldtyped && off != a->offset)
		return false;
	facts_read(t->facts, STATE_VERTEX_FORMATS);
	unsigned iface = iface_input(fn, a, ((1u << n) - 1) << first);
	at(t, id);
	ir_type base = a->base == NUMERIC_FLOAT ? IR_F32 : IR_I32;
	ir_id v = ir_op0(fn, IR_ldin, IR_VEC(base, n));
	fn->inst[v].imm = a->location * 4 + first;
	fn->inst[v].sub = (uint16_t)iface;
	if (fn->inst[v].type != i.type)
		v = ir_op1(fn, IR_bitcast, i.type, v);
	replace(t, id, v);
	return true;
}

/* ---- typed buffer accesses and integer images */

static const struct ir_resource *bound(struct track *t, ir_id handle)
{
	return t->fn->inst[handle].op == IR_bind ? &t->fn->res[t->fn->inst[handle].imm] : NULL;
}

/* Image results and texels of integer images are integers: the access gets the resource's own element type. */
static ir_type texel_type(const struct ir_resource *r, ir_type t)
{
	bool integer = r->numeric == NUMERIC_SINT || r->numeric == NUMERIC_UINT;
	return IR_VEC(integer ? IR_I32 : IR_F32, ir_elems(t));
}

static void lower_typed(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct ir_inst i = fn->inst[id];
	const ir_id a[5] = {ir_args(fn, id)[0], ir_args(fn, id)[1], ir_args(fn, id)[2], ir_args(fn, id)[3],
	                    i.op == IR_sttyped ? ir_args(fn, id)[4] : 0};
	const struct ir_resource *r = bound(t, a[1]);
	uint64_t k;
	if (!r || r->dim != DIM_BUFFER || !a[3] || !ir_is_const(fn, a[2], &k) || k + i.imm != 0)
		return;
	at(t, id);
	bool store = i.op == IR_sttyped;
	ir_id args[8] = {a[0], a[1], a[3], 0, 0};
	fn->flags = (i.flags & ~IR_F_SIGNED) | (r->numeric == NUMERIC_SINT ? IR_F_SIGNED : 0);
	if (store) {
		ir_id v = a[4];
		ir_type want = texel_type(r, fn->inst[v].type);
		args[5] = fn->inst[v].type == want ? v : ir_op1(fn, IR_bitcast, want, v);
		ir_new(fn, IR_istore, IR_VOID, 6, args);
		fn->res[fn->inst[a[1]].imm].written = true;
		ir_remove(fn, id);
	} else {
		ir_id v = ir_new(fn, IR_iload, texel_type(r, i.type), 5, args);
		fn->res[fn->inst[a[1]].imm].read = true;
		if (fn->inst[v].type != i.type)
			v = ir_op1(fn, IR_bitcast, i.type, v);
		replace(t, id, v);
	}
	t->changed = true;
	fn->flags = 0;
}

/* Does the shape that the instruction names fit the image that the record puts there? A cube is stored to as an array of
 * faces, a subpass input is read as a 2D image or array. Atomics say nothing but how many coordinates they have. */
static bool shape_fits(const struct ir_fn *fn, const struct ir_inst *i, const ir_id *a, const struct ir_resource *r)
{
	bool sampled = i->op == IR_isample || i->op == IR_igather, said = i->op != IR_iatomic && i->sub & IMG_DIM_KNOWN;
	unsigned dim = i->sub >> IMG_DIM_SHIFT & 7, arrayed = (i->sub & IMG_ARRAYED) != 0;
	unsigned n = ir_elems(fn->inst[a[sampled ? 3 : 2]].type), want = r->dim == DIM_1D || r->dim == DIM_BUFFER ? 1 : 2;
	if (r->dim == DIM_UNKNOWN || r->arrayed > 1)
		return true; /* emission refuses what it needs to know */
	if (r->dim == DIM_SUBPASS)
		return !sampled && (!said || dim == DIM_2D || dim == DIM_SUBPASS);
	if (r->dim == DIM_3D || r->dim == DIM_CUBE)
		want = 3;
	if (r->arrayed && (r->dim != DIM_CUBE || sampled))
		want++;
	if (n != want)
		return false;
	if (r->dim == DIM_CUBE && !sampled)
		return !said || dim == DIM_CUBE || (dim == DIM_2D && arrayed);
	return !said || (dim == r->dim && arrayed == r->arrayed);
}

/* Samples, gathers, loads and stores of images: element type by resource; note the use. */
static void lower_image(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	uint16_t op = fn->inst[id].op;
	ir_id handle = ir_args(fn, id)[1];
	const struct ir_resource *r = bound(t, handle);
	if (!r)
		return;
	struct ir_resource *res = &fn->res[fn->inst[handle].imm];
	if (!shape_fits(fn, &fn->inst[id], ir_args(fn, id), r)) {
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, fn->inst[id].addr,
		          "the instruction and the record disagree about the shape of set %u binding %u", r->set, r->binding);
		t->refused = true;
		return;
	}
	bool sint = r->numeric == NUMERIC_SINT;
	if (op == IR_istore || op == IR_iatomic)
		res->written = true;
	if (op != IR_istore)
		res->read = true;
	if (sint)
		fn->inst[id].flags |= IR_F_SIGNED;
	if (op == IR_iatomic)
		return;
	if (op == IR_istore) {
		ir_id v = ir_args(fn, id)[5];
		if (v < t->nmemo && t->map[v]) /* of an image, cast a moment ago */
			v = t->map[v];
		ir_type want = texel_type(r, fn->inst[v].type);
		if (fn->inst[v].type != want) {
			at(t, id);
			ir_id cast = ir_op1(fn, IR_bitcast, want, v);
			ir_args(fn, id)[5] = cast;
		}
		return;
	}
	ir_type was = fn->inst[id].type, want = texel_type(r, was);
	if (was == want || ((op == IR_isample || op == IR_igather) && op == IR_isample && (fn->inst[id].sub & IMG_REF)))
		return;
	fn->inst[id].type = want;
	ir_id next = fn->inst[id].next;
	at(t, next);
	ir_id cast = ir_op1(fn, IR_bitcast, was, id);
	replace(t, id, cast);
}

/* What read an image op reads its cast now; the cast itself must go on reading the image op. */
static void apply_casts(struct track *t)
{
	struct ir_fn *fn = t->fn;
	if (!t->changed)
		return;
	track_apply(t);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_bitcast && fn->inst[id].a[0] == id)
				fn->inst[id].a[0] = fn->inst[id].prev;
}

void track_typed(struct track *t)
{
	struct ir_fn *fn = t->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			switch (fn->inst[id].op) {
			case IR_ldbuf: lower_attrib(t, id); break;
			case IR_ldtyped:
				if (!lower_attrib(t, id))
					lower_typed(t, id);
				break;
			case IR_sttyped: lower_typed(t, id); break;
			default: break;
			}
	track_apply(t);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			switch (fn->inst[id].op) {
			case IR_isample: case IR_igather: case IR_iload: case IR_istore: case IR_iatomic:
				lower_image(t, id);
				break;
			default: break;
			}
	apply_casts(t);
	/* buffers: note reads and writes */
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			uint16_t op = fn->inst[id].op;
			if (op != IR_ldbuf && op != IR_stbuf && op != IR_atbuf)
				continue;
			ir_id h = ir_args(fn, id)[1];
			if (fn->inst[h].op != IR_bind)
				continue;
			fn->res[fn->inst[h].imm].read |= op != IR_stbuf;
			fn->res[fn->inst[h].imm].written |= op != IR_ldbuf;
		}
}
