/* restrack_table.c - resource tracking: tables that are only memory, of which the record says no more than where they are.
 *
 * What lies in such a table is seen by what the program takes from it: a descriptor's place, its kind by its uses, and where the
 * place varies, by its form, how far apart the elements are. A binding is made up for each, numbered by its place in the table; the
 * resource's path says where it was found:
 *
 *     %o = iadd (shl %k, 6), 128                 res sampled_image set 0 binding 8 count 14 path "set 0 +128 stride 64"
 *     %d = ldptr b1:1, (table %r + %o)      =>   %h = bind %k #1
 *     %h = himg %d.0, ...
 *
 * A table of W bytes holds 1 + (W - place - size) / stride elements; a descriptor of another kind in the way, or an array that is
 * none of its elements, ends it before. So many are declared as the target's limits leave to each array, and MOST at most. The
 * contents of the table are never looked at.
 *
 * A word of the table that descriptors are loaded through is a pointer to another such table, whose size nobody knows. What lies there
 * gets bindings of the same set, "set 0 +16 > +32", numbered behind those of the table: its bytes, times the words that the table has,
 * plus the pointer's word.
 */
#include "restrack.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1024, NEAR = 8 /* elements from the first: what starts further on is another array */ };
enum { DESC_BYTES = 16, WORD_BYTES = 4 /* handles of one word */, MOST_NUMBER = 1 << 16 /* drivers make lists as long as the largest */ };
enum { POINTER = DESC_COUNT /* what a place holds that is no descriptor */, MOST_BEHIND = 64 };
enum { SAMPLERS, SAMPLED, STORAGE_IMAGES, STORAGE_BUFFERS, CLASSES };

static bool is_memory(const struct track *t, uint32_t table)
{
	return table < t->facts->ntable && t->facts->table[table].memory;
}

/* The facts with room for more tables. */
static void extend(struct track *t)
{
	struct facts *f = arena_new(t->scratch, struct facts);
	struct fact_table *tab = arena_array(t->scratch, struct fact_table, t->facts->ntable + MOST_BEHIND);
	memcpy(tab, t->facts->table, t->facts->ntable * sizeof *tab);
	*f = *t->facts;
	f->table = tab;
	t->facts = f;
	t->behind = arena_array(t->scratch, struct track_behind, MOST_BEHIND);
}

bool track_behind(struct track *t, const struct origin *w, uint32_t size, ir_id where, struct origin *o)
{
	uint32_t n = t->facts->ntable, k = t->ntable;
	if (w->res || w->nterm || !is_memory(t, w->table))
		return false;
	while (k < n && (t->behind[k - t->ntable].table != w->table || t->behind[k - t->ntable].off != w->off))
		k++;
	if (k == n && (!t->looking || n - t->ntable == MOST_BEHIND))
		return false;
	if (k == n) {
		if (!t->behind)
			extend(t);
		const struct fact_table *from = &t->facts->table[w->table];
		struct facts *f = (struct facts *)(uintptr_t)t->facts; /* extended: ours */
		struct fact_table *tab = (struct fact_table *)(uintptr_t)&f->table[f->ntable++];
		*tab = (struct fact_table){.name = arena_printf(t->fn->arena, "%s +%u >", from->name, w->off), .memory = true, .set = from->set};
		t->behind[k - t->ntable] = (struct track_behind){.table = w->table, .off = w->off, .where = where};
	}
	if (size > t->behind[k - t->ntable].size)
		t->behind[k - t->ntable].size = size;
	o->table = (uint16_t)k;
	return true;
}

/* What is done with a handle. */
enum { USE_SAMPLED = 1, USE_WRITTEN = 2, USE_TYPED = 4, USE_TYPED_WRITTEN = 8, USE_PLAIN = 16 };

/* A place where the program takes a descriptor from. */
struct place {
	uint32_t table, off, stride; /* stride 0: always this one */
	uint32_t size;               /* bytes that it takes */
	bool taken;                  /* the stride is that of the guest's own descriptors: the form does not say it */
	uint8_t desc, use, dim, arrayed, ms;
	ir_id where;
};
struct places { struct place *v; uint32_t n; size_t cap; };

static bool overlap(const struct place *a, uint32_t rel, uint32_t size)
{
	uint32_t at = a->stride ? rel % a->stride : rel;
	return at < a->size || (a->stride && at + size > a->stride);
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t r = a % b;
		a = b;
		b = r;
	}
	return a;
}

/* How far apart the places are that the terms may mean; 0: their forms do not say it. */
static uint32_t stride_of(struct track *t, const struct origin *o)
{
	ir_id x[TRACK_TERMS];
	uint32_t k[TRACK_TERMS], all = 0;
	unsigned n = 0, j;
	for (unsigned i = 0; i < o->nterm; i++) {
		uint32_t factor;
		ir_id of = track_multiple(t, o->term[i], &factor);
		for (j = 0; j < n && x[j] != of; j++)
			;
		if (j == n) {
			x[n] = of;
			k[n++] = 0;
		}
		k[j] += factor;
	}
	for (j = 0; j < n; j++) {
		unsigned zeros = track_zero_bits(t, x[j]);
		all = gcd(all, zeros < 16 ? k[j] << zeros : 0);
	}
	return all;
}

/* A term is the negative of a number, as compilers leave it of a difference. */
static bool downwards(struct track *t, const struct origin *o)
{
	for (unsigned i = 0; i < o->nterm; i++) {
		uint32_t factor;
		const struct ir_inst *of = &t->fn->inst[track_multiple(t, o->term[i], &factor)];
		uint64_t k;
		if (factor > INT32_MAX || (of->op == IR_isub && ir_is_const(t->fn, of->a[0], &k) && !k))
			return true;
	}
	return false;
}

/* Of each handle: what is done with it, and the last of its instructions that names an image's shape, 0: none. */
struct handle { uint8_t use; ir_id shape; };

static bool names_shape(const struct ir_inst *i)
{
	bool image = i->op == IR_iload || i->op == IR_istore || i->op == IR_isample || i->op == IR_igather;
	return image && i->sub & IMG_DIM_KNOWN && !(i->sub & IMG_MAYBE_ARRAYED);
}

static struct handle *handles(struct track *t)
{
	struct ir_fn *fn = t->fn;
	struct handle *h = arena_array(t->scratch, struct handle, fn->ninst);
	track_for_seen(t, id) {
		const struct ir_inst *i = &fn->inst[id];
		const ir_id *a = ir_args(fn, id);
		if (names_shape(i))
			h[a[1]].shape = id;
		switch (i->op) {
		case IR_isample: case IR_igather: h[a[1]].use |= USE_SAMPLED; break;
		case IR_istore: case IR_iatomic: h[a[1]].use |= USE_WRITTEN; break;
		case IR_ldtyped: h[a[1]].use |= i->sub ? USE_PLAIN : USE_TYPED; break;
		case IR_sttyped: h[a[1]].use |= i->sub ? USE_PLAIN : USE_TYPED_WRITTEN; break;
		case IR_ldbuf: case IR_stbuf: case IR_atbuf: h[a[1]].use |= USE_PLAIN; break;
		default: break;
		}
	}
	return h;
}

static void shape(struct ir_fn *fn, ir_id id, struct place *p)
{
	const struct ir_inst *i = &fn->inst[id];
	if (!id)
		return;
	p->dim = i->sub >> IMG_DIM_SHIFT & 7;
	p->arrayed = (i->sub & IMG_ARRAYED) != 0;
	p->ms = (i->op == IR_iload || i->op == IR_istore) && ir_args(fn, id)[4] != 0;
}

static void note(struct track *t, struct places *all, ir_id id, const struct handle *h)
{
	struct ir_fn *fn = t->fn;
	const struct ir_inst *i = &fn->inst[id];
	bool image = i->op == IR_himg;
	uint8_t use = h->use;
	struct origin o;
	if (!track_word(t, ir_args(fn, id)[0], &o) || o.res || !is_memory(t, o.table))
		return;
	uint32_t natural = image ? 32 : i->op == IR_htex ? 8 : 16, window = t->facts->table[o.table].size;
	struct place p = {.table = o.table, .off = o.off, .size = natural, .use = use, .where = id, .dim = DIM_UNKNOWN, .arrayed = 2, .ms = 2};
	if (image || (i->op == IR_htex && fn->inst[id].sub != 2))
		shape(fn, h->shape, &p);
	switch (fn->inst[id].op) {
	case IR_himg: p.desc = use & USE_WRITTEN ? DESC_STORAGE_IMAGE : DESC_SAMPLED_IMAGE; break;
	case IR_hsmp: p.desc = DESC_SAMPLER; break;
	case IR_htex: p.desc = fn->inst[id].sub == 1 ? DESC_STORAGE_IMAGE : DESC_COMBINED; break;
	default:
		p.desc = use & USE_PLAIN || !use ? DESC_STORAGE_BUFFER : use & USE_TYPED_WRITTEN ? DESC_STORAGE_TEXEL : DESC_UNIFORM_TEXEL;
		break;
	}
	if (o.nterm) {
		p.stride = stride_of(t, &o);
		if (downwards(t, &o) || p.stride > INT32_MAX || o.off > INT32_MAX || (window && o.off >= window)) {
			/* what lies in the table lies before that place, and no array begins there */
			diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, i->addr, "%s is indexed from +%u, downwards or behind its end",
			          t->facts->table[o.table].name, o.off);
			t->refused = true;
			return;
		}
		p.taken = !p.stride || (p.stride < natural && fn->inst[id].op != IR_htex) || p.stride < 4;
		if (p.taken)
			p.stride = natural;
		if (p.size > p.stride)
			p.size = p.stride;
	}
	all->v = arena_grow_raw(t->scratch, all->v, all->n, &all->cap, all->n + 1, sizeof *all->v);
	all->v[all->n++] = p;
}

/* By place; at one place the one that varies comes first, then by use so that what is written decides. */
static int in_order(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	if (!a->stride != !b->stride)
		return a->stride ? -1 : 1;
	return a->where < b->where ? -1 : a->where > b->where;
}

static unsigned class_of(unsigned desc)
{
	switch (desc) {
	case DESC_SAMPLER: return SAMPLERS;
	case DESC_SAMPLED_IMAGE: case DESC_COMBINED: case DESC_UNIFORM_TEXEL: return SAMPLED;
	case DESC_STORAGE_IMAGE: case DESC_STORAGE_TEXEL: return STORAGE_IMAGES;
	case DESC_STORAGE_BUFFER: return STORAGE_BUFFERS;
	default: return CLASSES;
	}
}

/* A load and a store of one image, a sampler word and a texture word of one handle, what is indexed from elements of one array: the
 * same descriptors. One that does not vary and is no first element has a binding of its own, also where an array holds it. */
static bool joins(struct place *into, const struct place *p)
{
	uint32_t rel = p->off - into->off;
	bool here = p->stride ? p->stride == into->stride && rel % p->stride == 0 && rel / p->stride < NEAR : !rel, images = into->desc == DESC_STORAGE_IMAGE || into->desc == DESC_SAMPLED_IMAGE;
	bool written = images && (p->desc == DESC_STORAGE_IMAGE || p->desc == DESC_SAMPLED_IMAGE) && into->desc != p->desc;
	if (into->table != p->table || !here)
		return false;
	if (written && (into->use | p->use) & USE_SAMPLED)
		return false;
	if (written)
		into->desc = DESC_STORAGE_IMAGE;
	else if (into->desc != p->desc)
		return false;
	into->use |= p->use;
	if (into->dim == DIM_UNKNOWN) {
		into->dim = p->dim;
		into->arrayed = p->arrayed;
		into->ms = p->ms;
	}
	return true;
}

/* Of places in order: the ones further before `p` are none of its array. */
static bool near(const struct place *into, const struct place *p)
{
	return into->table == p->table && p->off - into->off <= (uint64_t)(NEAR - 1) * p->stride;
}

/* One place for each descriptor or array of them; false, with a diagnostic, when one place holds two kinds. */
static bool join(struct track *t, struct places *all)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < all->n; i++) {
		const struct place *p = &all->v[i], *last = n ? &all->v[n - 1] : NULL;
		uint32_t k = n;
		while (k && near(&all->v[k - 1], p) && !joins(&all->v[k - 1], p))
			k--;
		if (k && near(&all->v[k - 1], p))
			continue;
		if (last && last->table == p->table && last->off == p->off) {
			if (last->stride && p->stride && last->stride != p->stride)
				diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, t->fn->inst[p->where].addr, "%s +%u is indexed in steps of %u and of %u bytes",
				          t->facts->table[p->table].name, p->off, last->stride, p->stride);
			else
				diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, t->fn->inst[p->where].addr, "%s +%u is taken as two kinds of descriptor",
				          t->facts->table[p->table].name, p->off);
			return false;
		}
		all->v[n++] = *p;
	}
	all->n = n;
	return true;
}

/* A place of the same kind that is, or starts at, an element of an array before it: no end of that. */
static bool element_of(const struct place *p, const struct place *q)
{
	return q->desc == p->desc && (q->off - p->off) % p->stride == 0 && (!q->stride || q->stride == p->stride);
}

/* Elements of array `i` that the table has room for; 0: no end is known. */
static uint32_t room(const struct track *t, const struct places *all, uint32_t i)
{
	const struct place *p = &all->v[i];
	uint32_t window = t->facts->table[p->table].size, n = 0;
	if (window)
		n = window < p->off + p->size || p->off + p->size < p->off ? 1 : 1 + (window - p->off - p->size) / p->stride;
	for (uint32_t k = i + 1; k < all->n && all->v[k].table == p->table; k++) {
		uint32_t rel = all->v[k].off - p->off, end = rel / p->stride;
		if (!overlap(p, rel, all->v[k].size) || element_of(p, &all->v[k]))
			continue;
		end += rel % p->stride >= p->size; /* that element ends before it */
		end = end ? end : 1;
		return !n || end < n ? end : n;
	}
	return n;
}

static uint32_t share(uint32_t limit, uint32_t fixed, uint32_t arrays, uint32_t cap)
{
	uint32_t each = limit > fixed && arrays ? (limit - fixed) / arrays : 0;
	if (!limit || each >= cap)
		return cap;
	return each ? each : 1;
}

/* What the target's limits leave to an array of each class, when the descriptors that are no arrays have theirs. */
static void budget(const struct track *t, const struct places *all, uint32_t cap[CLASSES])
{
	const struct fact_target *g = t->facts->target;
	uint32_t fixed[CLASSES + 1] = {0}, arrays[CLASSES + 1] = {0}, nfixed = 0, narrays = 0;
	for (uint32_t i = 0; i < t->facts->ntable; i++)
		for (uint32_t k = 0; k < t->facts->table[i].nentry; k++)
			if (t->facts->table[i].entry[k].kind == ENTRY_DESC) {
				fixed[class_of(t->facts->table[i].entry[k].desc)] += t->facts->table[i].entry[k].count;
				nfixed += t->facts->table[i].entry[k].count;
			}
	for (uint32_t i = 0; i < all->n; i++) {
		if (all->v[i].desc == POINTER)
			continue;
		unsigned c = class_of(all->v[i].desc);
		*(all->v[i].stride ? &arrays[c] : &fixed[c]) += 1;
		*(all->v[i].stride ? &narrays : &nfixed) += 1;
	}
	for (unsigned c = 0; c < CLASSES; c++)
		cap[c] = MOST;
	if (!g)
		return;
	const uint32_t stage[CLASSES] = {g->max_stage_samplers, g->max_stage_sampled, g->max_stage_storage_images, g->max_stage_storage_buffers};
	const uint32_t set[CLASSES] = {g->max_set_samplers, g->max_set_sampled, g->max_set_storage_images, g->max_set_storage_buffers};
	for (unsigned c = 0; c < CLASSES; c++) {
		cap[c] = share(stage[c], fixed[c], arrays[c], cap[c]);
		cap[c] = share(set[c], fixed[c], arrays[c], cap[c]);
		if (c != SAMPLERS) /* they are no resources */
			cap[c] = share(g->max_stage_resources, nfixed, narrays, cap[c]);
	}
}

/* What the record knows of the images that start at this byte, or at this byte behind a pointer. */
static void know(const struct track *t, const struct place *p, struct fact_entry *e)
{
	const struct track_behind *b = p->table >= t->ntable ? &t->behind[p->table - t->ntable] : NULL;
	const struct fact_table *tab = &t->facts->table[b ? b->table : p->table];

	e->dim = p->dim;
	e->arrayed = p->arrayed;
	e->ms = p->ms;
	e->depth = 2;
	e->numeric = NUMERIC_UNKNOWN;
	for (uint32_t i = 0; i < tab->nentry; i++) {
		const struct fact_entry *h = &tab->entry[i];
		if (h->kind != ENTRY_HINT || h->offset != p->off || h->base != (b ? b->off + 1 : 0))
			continue;
		e->dim = h->dim;
		e->arrayed = h->arrayed;
		e->ms = h->ms;
		e->depth = h->depth;
		e->numeric = h->numeric;
		e->format = h->format;
	}
}

static void make(struct track *t, const struct places *all, uint32_t i, uint32_t number, const uint32_t cap[CLASSES])
{
	const struct place *p = &all->v[i];
	const struct fact_table *tab = &t->facts->table[p->table];
	struct fact_entry *e = &t->made[t->nmade++];
	uint32_t left = p->stride ? room(t, all, i) : 1, most = class_of(p->desc) < CLASSES ? cap[class_of(p->desc)] : MOST;
	*e = (struct fact_entry){.kind = ENTRY_DESC, .desc = p->desc, .offset = p->off, .stride = p->stride ? p->stride : p->size,
	                         .count = left && left < most ? left : most, .set = tab->set, .binding = number, .table = (uint16_t)p->table};
	e->size = p->stride ? (e->count - 1) * p->stride + p->size : p->size;
	e->at = (p->stride ? MADE_VARIES : 0) | (p->taken ? MADE_TAKEN : 0);
	know(t, p, e);
	if (e->format && p->desc == DESC_SAMPLED_IMAGE && !(p->use & USE_SAMPLED))
		e->desc = DESC_STORAGE_IMAGE; /* those alone have a format */
	if (p->stride)
		diag_remark(t->ctx->diag, "restrack", t->fn->inst[p->where].addr,
		            "%s +%u becomes set %u binding %u: %u elements (%s), %u bytes apart (%s)", tab->name, p->off, e->set, e->binding,
		            e->count, left && left <= most ? "so many the table holds" : most == MOST ? "the most there may be" : "the target's limits",
		            e->stride, p->taken ? "the guest's own size: the form does not say it" : "by its form");
	else
		diag_remark(t->ctx->diag, "restrack", t->fn->inst[p->where].addr, "%s +%u becomes set %u binding %u", tab->name, p->off, e->set,
		            e->binding);
}

/* The place says it, so that other programs of the pipeline have the same one for it: descriptors do not overlap. False, with a
 * diagnostic: there is none. */
static bool number_of(struct track *t, const struct place *p, uint32_t *number)
{
	uint32_t unit = p->size < DESC_BYTES ? WORD_BYTES : DESC_BYTES;
	const struct fact_table *tab = &t->facts->table[p->table];
	const struct track_behind *b = p->table >= t->ntable ? &t->behind[p->table - t->ntable] : NULL;
	uint64_t n = p->off / unit;
	const char *why = NULL;
	if (b) {
		uint32_t size = t->facts->table[b->table].size, words = size / WORD_BYTES;
		n = (size + (uint64_t)unit - 1) / unit + n * words + b->off / WORD_BYTES;
		if (b->table >= t->ntable || !size)
			why = "behind a pointer in a table whose size is not recorded";
		else if (b->off % WORD_BYTES || b->off / WORD_BYTES >= words)
			why = "behind a pointer that is not within its table";
	} else if (t->behind && tab->size && p->off >= tab->size)
		why = "behind the table's end, where what pointers lead to is numbered";
	if (n >= MOST_NUMBER)
		why = "too far into the table for a binding of its own";
	if (why)
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, t->fn->inst[p->where].addr, "%s +%u is %s", tab->name, p->off, why);
	*number = (uint32_t)n;
	return !why;
}

/* Pointers are places, too: they end arrays, and no descriptor lies over them. */
static void note_pointers(struct track *t, struct places *all)
{
	for (uint32_t k = 0; k < t->facts->ntable - t->ntable; k++) {
		const struct track_behind *b = &t->behind[k];
		all->v = arena_grow_raw(t->scratch, all->v, all->n, &all->cap, all->n + 1, sizeof *all->v);
		all->v[all->n++] = (struct place){.table = b->table, .off = b->off, .size = b->size, .desc = POINTER, .where = b->where};
	}
}

static bool over_pointers(struct track *t, const struct place *p)
{
	for (uint32_t k = 0; k < t->facts->ntable - t->ntable; k++) {
		const struct track_behind *b = &t->behind[k];
		if (b->table != p->table || b->off + b->size <= p->off || p->off + p->size <= b->off)
			continue;
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, t->fn->inst[p->where].addr, "%s +%u is taken as a descriptor and as a pointer",
		          t->facts->table[p->table].name, b->off);
		return true;
	}
	return false;
}

static int by_binding(const void *x, const void *y)
{
	const struct fact_entry *a = *(const struct fact_entry *const *)x, *b = *(const struct fact_entry *const *)y;
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->binding != b->binding)
		return a->binding < b->binding ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Words are numbered as words, longer descriptors by 16 bytes: two places may have one number. False, with a diagnostic. */
static bool numbers_differ(struct track *t, const struct places *all)
{
	const struct fact_entry **e = arena_array_raw(t->scratch, const struct fact_entry *, t->nmade);
	for (uint32_t k = 0; k < t->nmade; k++)
		e[k] = &t->made[k];
	if (t->nmade)
		qsort(e, t->nmade, sizeof *e, by_binding);
	for (uint32_t k = 1; k < t->nmade; k++) {
		const struct place *p = all->v;
		if (e[k]->set != e[k - 1]->set || e[k]->binding != e[k - 1]->binding)
			continue;
		while (p->desc == POINTER || p->table != e[k]->table || p->off != e[k]->offset)
			p++;
		diag_emit(t->ctx->diag, DIAG_DESCRIPTOR, t->fn->inst[p->where].addr,
		          "%s +%u is too near to another place for a binding of its own", t->facts->table[p->table].name, p->off);
		return false;
	}
	return true;
}

static bool make_all(struct track *t, const struct places *all)
{
	uint32_t cap[CLASSES], number;
	budget(t, all, cap);
	t->made = arena_array(t->scratch, struct fact_entry, all->n);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct place *p = &all->v[i];
		if (p->desc == POINTER)
			continue;
		if (over_pointers(t, p) || !number_of(t, p, &number))
			return false;
		make(t, all, i, number, cap);
	}
	return numbers_differ(t, all);
}

bool track_tables(struct track *t)
{
	struct places all = {0};
	bool any = false;
	t->ntable = t->facts->ntable;
	for (uint32_t i = 0; i < t->ntable; i++)
		any |= t->facts->table[i].memory;
	if (!any)
		return true;
	const struct handle *h = handles(t);
	t->looking = true;
	track_for_seen(t, id)
		switch (t->fn->inst[id].op) {
		case IR_hbuf: case IR_himg: case IR_hsmp: case IR_htex: note(t, &all, id, &h[id]); break;
		default: break;
		}
	t->looking = false;
	note_pointers(t, &all);
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, in_order);
	return !t->refused && join(t, &all) && make_all(t, &all);
}

const struct fact_entry *track_made(const struct track *t, const struct origin *o)
{
	for (uint32_t i = t->nmade; i-- > 0;) {
		const struct fact_entry *e = &t->made[i];
		uint32_t rel = o->off - e->offset, size = e->desc == DESC_SAMPLED_IMAGE || e->desc == DESC_STORAGE_IMAGE ? 32 : 16;
		if (e->table == o->table && o->off >= e->offset && rel < e->size && rel % e->stride < size && (!o->nterm || e->at & MADE_VARIES))
			return e;
	}
	return NULL;
}

const char *track_made_path(const struct track *t, const struct fact_entry *e)
{
	const char *name = t->facts->table[e->table].name;
	if (e < t->made || e >= t->made + t->nmade)
		return NULL;
	return e->count == 1 ? arena_printf(t->fn->arena, "%s +%u", name, e->offset) :
		arena_printf(t->fn->arena, "%s +%u stride %u", name, e->offset, e->stride);
}
