/* restrack_use.c - resource tracking: what accesses make of their handles: vertex attributes, typed buffers, image shapes. */
#include "restrack.h"

#include <string.h>

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

enum { MASK_STEPS = 8, MASK_VALUES = 64 };

/* What is bit `c` in the lanes of mask m? 1 or 0, -1: that cannot be told. */
static int bit_in_mask(const struct ir_fn *fn, ir_id m, ir_id c, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[m];
	int k = -1;
	if (m == c)
		return 1;
	if (fn->inst[c].op == IR_inot) {
		k = bit_in_mask(fn, m, fn->inst[c].a[0], depth);
		return k < 0 ? k : !k;
	}
	if (i->op == IR_inot)
		return i->a[0] == c ? 0 : -1;
	for (unsigned n = 0; depth && i->op == IR_iand && i->type == IR_B1 && n < 2 && k < 0; n++)
		k = bit_in_mask(fn, i->a[n], c, depth - 1);
	return k;
}

/* What is v in the lanes of mask m, where it is used? Selects of bits that the mask knows are looked through, and phis of which one
 * value is left. A bit made before the paths parted, that is in front of the place `meet` where they meet, is still the mask's there.
 * *left: values that may be looked at, since phis of phis can share them. */
static ir_id in_mask(struct ir_fn *fn, ir_id v, ir_id m, uint32_t meet, unsigned *left)
{
	const struct ir_inst *i = &fn->inst[v];
	if (!*left)
		return v;
	--*left;
	if (i->op == IR_select) {
		uint32_t home = fn->inst[i->a[0]].block;
		bool before = meet == IR_NO_BLOCK || (home != meet && home != IR_NO_BLOCK && cfg_dominates(fn, home, meet));
		int k = before ? bit_in_mask(fn, m, i->a[0], MASK_STEPS) : -1;
		return k < 0 ? v : in_mask(fn, i->a[k ? 1 : 2], m, meet, left);
	}
	if (i->op != IR_phi || (meet != IR_NO_BLOCK && !cfg_dominates(fn, i->block, meet)))
		return v;
	ir_id same = 0;
	for (unsigned k = 0, n = ir_nargs(fn, v); k < n; k++) {
		ir_id from = in_mask(fn, ir_args(fn, v)[k], m, i->block, left);
		if (same && same != from)
			return v;
		same = from;
	}
	return same;
}

/* A fetch through a vertex-buffer descriptor, by the index that the state advances it with: the attribute that it describes. */
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
	unsigned values = MASK_VALUES;
	const struct ir_inst *index = &fn->inst[in_mask(fn, i.a[3], i.a[0], IR_NO_BLOCK, &values)];
	uint32_t off = (uint32_t)k + (uint32_t)i.imm;
	const struct fact_attrib *a = find_attrib(t, e->binding, off);
	if (!a || index->op != IR_sysval || index->sub != (a->per_instance ? SYSVAL_instance_index : SYSVAL_vertex_index))
		return false;
	unsigned n = ir_elems(i.type), first = (off - a->offset) / a->bytes;
	if (i.op == IR_ldbuf && (a->bytes != 4 || (off - a->offset) % 4 || first + n > a->comps || ir_bits(i.type) != 32))
		return false;
	if (i.op == IR_ldtyped && off != a->offset)
		return false;
	facts_read(t->facts, STATE_VERTEX_FORMATS);
	unsigned iface = iface_input(fn, a, ((1u << n) - 1) << first);
	track_at(t, id);
	ir_type base = a->base == NUMERIC_FLOAT ? IR_F32 : IR_I32;
	ir_id v = ir_op0(fn, IR_ldin, IR_VEC(base, n));
	fn->inst[v].imm = a->location * 4 + first;
	fn->inst[v].sub = (uint16_t)iface;
	if (fn->inst[v].type != i.type)
		v = ir_op1(fn, IR_bitcast, i.type, v);
	track_replace(t, id, v);
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
	track_at(t, id);
	bool store = i.op == IR_sttyped;
	ir_id args[8] = {a[0], a[1], a[3], 0, 0};
	fn->flags = (i.flags & ~IR_F_SIGNED) | (r->numeric == NUMERIC_SINT ? IR_F_SIGNED : 0);
	if (store) {
		ir_id v = a[4];
		ir_type want = texel_type(r, fn->inst[v].type);
		args[5] = fn->inst[v].type == want ? v : ir_op1(fn, IR_bitcast, want, v);
		track_replace(t, id, ir_new(fn, IR_istore, IR_VOID, 6, args));
		fn->res[fn->inst[a[1]].imm].written = true;
	} else {
		ir_id v = ir_new(fn, IR_iload, texel_type(r, i.type), 5, args);
		fn->res[fn->inst[a[1]].imm].read = true;
		if (fn->inst[v].type != i.type)
			v = ir_op1(fn, IR_bitcast, i.type, v);
		track_replace(t, id, v);
	}
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
	track_at(t, id);
	fn->flags = i.flags;
	ir_id v = ir_new(fn, IR_iatomic, i.type, 6, (ir_id[]){a[0], a[1], a[3], 0, a[4], a[5]});
	fn->inst[v].sub = i.sub;
	fn->flags = 0;
	track_replace(t, id, v);
}

/* An instruction that leaves open whether the image has several elements: the record says it, and without them the last
 * coordinate goes. */
static void settle_elements(struct track *t, ir_id id, const struct ir_resource *r)
{
	struct ir_fn *fn = t->fn;
	ir_id c = ir_args(fn, id)[3], e[3];
	fn->inst[id].sub &= (uint16_t)~IMG_MAYBE_ARRAYED;
	if (r->arrayed) {
		fn->inst[id].sub |= IMG_ARRAYED;
		return;
	}
	track_at(t, id);
	for (unsigned k = 0; k < 3; k++)
		if (fn->inst[c].op == IR_vec)
			e[k] = ir_args(fn, c)[k];
		else {
			e[k] = ir_op1(fn, IR_elem, IR_F32, c);
			fn->inst[e[k]].imm = k;
		}
	c = ir_new(fn, IR_vec, IR_VEC(IR_F32, 3), 3, e);
	ir_args(fn, id)[3] = c;
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

/* Halves to store become what the image holds: floats, or integers of its sign. */
static ir_id widen_halves(struct ir_fn *fn, ir_id v, const struct ir_resource *r)
{
	ir_id e[4];
	unsigned n = ir_elems(fn->inst[v].type);
	for (unsigned i = 0; i < n; i++) {
		e[i] = ir_op1(fn, IR_elem, IR_I16, v);
		fn->inst[e[i]].imm = i;
		if (r->numeric == NUMERIC_SINT || r->numeric == NUMERIC_UINT)
			e[i] = ir_op1(fn, r->numeric == NUMERIC_SINT ? IR_sext : IR_zext, IR_I32, e[i]);
		else
			e[i] = ir_op1(fn, IR_f2f, IR_F32, ir_op1(fn, IR_bitcast, IR_F16, e[i]));
	}
	return ir_new(fn, IR_vec, IR_VEC(fn->inst[e[0]].type, n), n, e);
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
	if ((op == IR_isample || op == IR_igather) && fn->inst[id].sub & IMG_MAYBE_ARRAYED && r->arrayed < 2)
		settle_elements(t, id, r);
	if (!shape_fits(fn, &fn->inst[id], ir_args(fn, id), r)) {
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, fn->inst[id].addr,
		          "the instruction and the record disagree about the shape of set %u binding %u", r->set, r->binding);
		t->refused = true;
		return;
	}
	bool sint = r->numeric == NUMERIC_SINT;
	bool apart = op == IR_igather && t->facts->gather_int_apart && (sint || r->numeric == NUMERIC_UINT);
	if (op == IR_igather && apart != (bool)(fn->inst[id].sub & IMG_MOVED)) {
		diag_emit(t->ctx->diag, DIAG_UNLIFTED, fn->inst[id].addr,
		          "a gather of %s, half a texel off the host's, from set %u binding %u", apart ? "integers" : "what may be no integers",
		          r->set, r->binding);
		t->refused = true;
		return;
	}
	if (apart)
		fn->inst[id].sub &= (uint16_t)~IMG_MOVED;
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
		ir_type want = texel_type(r, fn->inst[v].type);
		if (ir_bits(fn->inst[v].type) == 16 && r->numeric == NUMERIC_UNKNOWN) {
			diag_emit(t->ctx->diag, DIAG_FACT, fn->inst[id].addr,
			          "halves are stored to set %u binding %u, of which the record does not say whether it holds integers",
			          r->set, r->binding);
			t->refused = true;
			return;
		}
		if (ir_bits(fn->inst[v].type) == 16) {
			track_at(t, id);
			v = widen_halves(fn, v, r);
			ir_args(fn, id)[5] = v;
		}
		if (fn->inst[v].type != want) {
			track_at(t, id);
			ir_id cast = ir_op1(fn, IR_bitcast, want, v);
			ir_set_arg(fn, id, 5, cast);
		}
		return;
	}
	ir_type was = fn->inst[id].type, want = texel_type(r, was);
	if (was == want || (op == IR_isample && fn->inst[id].sub & (IMG_REF | IMG_QUERY_LOD)))
		return;
	track_at(t, id);
	ir_id image = ir_op0(fn, op, want);
	track_copy(fn, image, id);
	fn->inst[image].type = want;
	ir_id cast = ir_op1(fn, IR_bitcast, was, image);
	track_replace(t, id, cast);
}

/* A size that an instruction asks for with the shape that it takes the image to have: a level that the image lacks has none
 * (0, as Direct3D has it, which such instructions are made for), where the host's is undefined. */
static void settle_query(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	struct ir_inst *i = &fn->inst[id];
	const struct ir_resource *r = bound(t, i->a[0]);
	unsigned dim = i->sub >> IMG_DIM_SHIFT & 7, arrayed = (i->sub & IMG_ARRAYED) != 0, n = ir_elems(i->type);
	ir_id handle = i->a[0], lod = i->a[1], part[4];
	uint64_t k;
	if (!r || !(i->sub & IMG_DIM_KNOWN))
		return;
	i->sub &= 7;
	bool level = lod && !(ir_is_const(fn, lod, &k) && !k), fits = dim == r->dim && arrayed == r->arrayed;
	if (!fits || (level && (r->ms || (r->kind != RES_SAMPLED_IMAGE && r->kind != RES_COMBINED)))) {
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, i->addr, fits ? "the size of a level of set %u binding %u, which has none" :
		          "the instruction and the record disagree about the shape of set %u binding %u", r->set, r->binding);
		t->refused = true;
		return;
	}
	fn->res[fn->inst[handle].imm].read = true;
	if (!level)
		return;
	track_at(t, id);
	ir_type type = i->type;
	ir_id size = ir_new(fn, IR_iquery, type, 2, (ir_id[]){handle, lod});
	ir_id levels = ir_new(fn, IR_iquery, IR_I32, 2, (ir_id[]){handle, 0}), has;
	fn->inst[levels].sub = 1;
	has = ir_op2(fn, IR_ult, IR_B1, lod, levels);
	for (unsigned c = 0; c < n; c++) {
		part[c] = n == 1 ? size : ir_op1(fn, IR_elem, IR_I32, size);
		if (n > 1)
			fn->inst[part[c]].imm = c;
		part[c] = ir_op3(fn, IR_select, IR_I32, has, part[c], ir_const(fn, IR_I32, 0));
	}
	track_replace(t, id, n == 1 ? part[0] : ir_new(fn, IR_vec, type, n, part));
}

/* A buffer that is known is noted as read or written. */
static void note_buffer(struct track *t, ir_id id)
{
	struct ir_fn *fn = t->fn;
	ir_id handle = ir_args(fn, id)[1];
	if (fn->inst[handle].op != IR_bind)
		return;
	fn->res[fn->inst[handle].imm].read |= fn->inst[id].op != IR_stbuf;
	fn->res[fn->inst[handle].imm].written |= fn->inst[id].op != IR_ldbuf;
}

void track_access(struct track *t, ir_id id)
{
	switch (t->fn->inst[id].op) {
	case IR_ldbuf:
		if (!lower_attrib(t, id))
			note_buffer(t, id);
		break;
	case IR_stbuf: note_buffer(t, id); break;
	case IR_atbuf:
		lower_texel_atomic(t, id);
		if (t->fn->inst[id].op == IR_atbuf)
			note_buffer(t, id);
		else
			lower_image(t, id);
		break;
	case IR_ldtyped:
		if (!lower_attrib(t, id))
			lower_typed(t, id);
		break;
	case IR_sttyped: lower_typed(t, id); break;
	case IR_isample: case IR_igather: case IR_iload: case IR_istore: case IR_iatomic: lower_image(t, id); break;
	case IR_iquery: settle_query(t, id); break;
	default: break;
	}
}
