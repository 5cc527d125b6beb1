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
		return e->stride && rel % e->stride == 8 ? track_buffer_size(t, where, e, rel / e->stride) : 0;
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
	track_image_words(t, id, &o);
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

/* An atomic on the texels of a buffer, by record: on its image. */
static void lower_texel_atomic(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct ir_inst i = fn->inst[id];
	ir_id a[6] = {0};
	uint64_t k;
	memcpy(a, ir_args(fn, id), ir_nargs(fn, id) * sizeof *a);
	const struct ir_resource *r = bound(t, a[1]);
	if (!r || r->dim != DIM_BUFFER || !a[3] || !ir_is_const(fn, a[2], &k) || k + i.imm != 0 || i.type != IR_I32)
		return;
	at(t, id);
	fn->flags = i.flags;
	ir_id v = ir_new(fn, IR_iatomic, i.type, 5, (ir_id[]){a[0], a[1], a[3], a[4], a[5]});
	fn->inst[v].sub = i.sub;
	fn->flags = 0;
	replace(t, id, v);
	ir_remove(fn, id);
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
			case IR_atbuf: lower_texel_atomic(t, id); break;
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
