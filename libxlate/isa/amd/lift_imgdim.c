/* lift_imgdim.c - gfx7: the kind of image that an image instruction means.
 *
 * gfx7 encodes no dimension, only whether there is a layer; yet it says how many address registers there are and
 * what they are. The descriptor is looked for backwards from the instruction, by address: the scalar load that wrote
 * its first register, through moves, from a table that starts in user data. That is a guess where paths meet, so the
 * answer goes into the instruction's kind (IMG_DIM_KNOWN) and resource tracking refuses when the image that is used
 * in the end is of another kind. Failing that, the images that the record names have to leave one answer.
 */
#include "lift_amd.h"

/* Instructions that are looked at for a program, then the record has to do; its entries count, too, and with twice as many in all
 * nothing is known any more. */
enum { MOST_LOOKS = 1 << 24 };

static bool is_image(const struct fact_entry *e, unsigned what)
{
	if (e->kind == ENTRY_HINT) /* does not say what it is for */
		return e->dim != DIM_BUFFER;
	if (e->kind != ENTRY_DESC || e->dim == DIM_BUFFER)
		return false;
	if (e->desc == DESC_STORAGE_IMAGE)
		return what & LIFT_STORAGE;
	return (what & LIFT_SAMPLED) &&
	       (e->desc == DESC_COMBINED || e->desc == DESC_SAMPLED_IMAGE || e->desc == DESC_INPUT_ATTACHMENT);
}

bool lift_float_images(const struct facts *f)
{
	for (uint32_t t = 0; t < f->ntable; t++)
		for (uint32_t i = 0; i < f->table[t].nentry; i++)
			if (is_image(&f->table[t].entry[i], LIFT_SAMPLED | LIFT_STORAGE) && f->table[t].entry[i].numeric != NUMERIC_FLOAT)
				return false;
	return true;
}

bool lift_float_texels(const struct facts *f)
{
	for (uint32_t t = 0; t < f->ntable; t++)
		for (uint32_t i = 0; i < f->table[t].nentry; i++) {
			const struct fact_entry *e = &f->table[t].entry[i];
			if (e->kind == ENTRY_HINT && e->dim == DIM_BUFFER && e->numeric != NUMERIC_FLOAT)
				return false;
			if (e->kind == ENTRY_ATTRIB || (e->kind == ENTRY_DESC && e->numeric != NUMERIC_FLOAT &&
			    (e->desc == DESC_UNIFORM_TEXEL || e->desc == DESC_STORAGE_TEXEL)))
				return false;
		}
	return true;
}

bool lift_float_storage(const struct facts *f)
{
	for (uint32_t t = 0; t < f->ntable; t++)
		for (uint32_t i = 0; i < f->table[t].nentry; i++)
			if (is_image(&f->table[t].entry[i], LIFT_STORAGE) && f->table[t].entry[i].numeric != NUMERIC_FLOAT)
				return false;
	return true;
}

/* Instructions on storage images say "layers" of a volume, whose slices they count by number, as well: `texels`. */
static bool kind_of(const struct amd_lift *l, const struct fact_entry *e, bool texels, struct lift_image_kind *k)
{
	if (e->dim == DIM_UNKNOWN || e->arrayed > 1 || e->ms > 1)
		return false;
	k->dim = e->dim == DIM_SUBPASS ? DIM_2D : (enum fact_dim)e->dim;
	k->arrayed = e->dim == DIM_SUBPASS ? l->in->da : e->arrayed; /* attachments may be read as layers */
	k->ms = e->ms;
	return (k->arrayed || k->dim == DIM_CUBE || (texels && k->dim == DIM_3D && l->in->da)) == l->in->da;
}

static bool writes(const struct amd_inst *in, unsigned reg)
{
	for (unsigned d = 0; d < 2; d++) {
		int r = lift_regno(&in->dst[d]);
		if (r >= 0 && reg >= (unsigned)r && reg < (unsigned)r + in->dst[d].dwords)
			return true;
	}
	return false;
}

static void find_writers(struct amd_lift *l)
{
	l->wrote = arena_array(l->ctx->scratch, struct lift_wrote, LIFT_REGS);
	l->writer = arena_array_raw(l->ctx->scratch, uint32_t, l->ninst);
	for (uint32_t i = 0, w = 0; i < l->ninst; i++) {
		l->writer[i] = w;
		w = l->place[i].in->scalars & 3 ? i + 1 : w;
	}
}

/* The last instruction before `at` (in address order) that writes SGPR reg, at *at then, or NULL. Most are asked for in that order:
 * what is known of the register from the last time is not looked through again. *known: not given up. */
static const struct amd_inst *writer(struct amd_lift *l, uint32_t *at, unsigned reg, bool *known)
{
	if (!l->wrote)
		find_writers(l);
	struct lift_wrote *last = &l->wrote[reg];
	uint32_t from = *at, end = from >= last->at ? last->at : 0, w = l->writer[from]; /* w: a place + 1 */

	for (l->looked++; w > end && !writes(l->place[w - 1].in, reg) && l->looked < MOST_LOOKS; l->looked++)
		w = l->writer[w - 1];
	*known = l->looked < MOST_LOOKS;
	if (!*known)
		return NULL;
	if (w <= end)
		w = end ? last->place : 0;
	if (from >= last->at)
		*last = (struct lift_wrote){from, w};
	*at = w ? w - 1 : 0;
	return w ? l->place[*at].in : NULL;
}

/* Follow moves backwards to a scalar load (returned) or to the start of the program (NULL); *reg is the register
 * there. */
static const struct amd_inst *origin(struct amd_lift *l, uint32_t *at, unsigned *reg, bool *known)
{
	for (;;) {
		const struct amd_inst *in = NULL;
		*known = *reg < LIFT_REGS;
		if (*known)
			in = writer(l, at, *reg, known);
		if (!in || lift_rows[in->op].fn == lift_s_load)
			return in;
		int from = lift_regno(&in->src[0]);
		*known = lift_rows[in->op].fn == lift_s_mov && from >= 0;
		if (!*known)
			return NULL;
		*reg = (unsigned)from + (*reg - in->dst[0].index);
	}
}

static const struct fact_root *root_of(const struct facts *f, unsigned reg)
{
	for (uint32_t i = 0; i < f->ninit; i++)
		if (f->init[i].file == AMD_FILE_SGPR && f->init[i].index == reg && f->init[i].kind == INIT_ROOT)
			return &f->root[f->init[i].root];
	return NULL;
}

static bool by_descriptor(struct amd_lift *l, bool texels, struct lift_image_kind *k)
{
	const struct facts *f = l->facts;
	uint32_t at = l->at;
	unsigned reg = l->in->sbase.index;
	bool known;
	const struct amd_inst *load = origin(l, &at, &reg, &known);

	if (!load || (lift_rows[load->op].arg & BUF) || load->soffset.kind != AMD_K_NONE || lift_regno(&load->sbase) < 0)
		return false;
	int64_t offset = load->offset + 4 * (int64_t)(reg - load->dst[0].index);
	unsigned base = load->sbase.index;
	if (origin(l, &at, &base, &known) || !known)
		return false;
	const struct fact_root *root = root_of(f, base);
	if (!root || root->kind != ROOT_TABLE_LO || root->table >= f->ntable)
		return false;
	const struct fact_table *t = &f->table[root->table];
	offset += root->offset;
	l->looked += t->nentry;
	for (uint32_t i = 0; i < t->nentry; i++)
		if (t->entry[i].kind == ENTRY_HINT && t->entry[i].base)
			continue; /* behind a pointer */
		else if (offset == t->entry[i].offset || (offset > t->entry[i].offset && offset - t->entry[i].offset < t->entry[i].size))
			return is_image(&t->entry[i], LIFT_SAMPLED | LIFT_STORAGE) && kind_of(l, &t->entry[i], texels, k);
	return false;
}

bool lift_image_kind(struct amd_lift *l, unsigned what, struct lift_image_kind *k)
{
	const struct facts *f = l->facts;
	struct lift_image_kind one;
	bool found = false, texels = what & LIFT_STORAGE;

	if (by_descriptor(l, texels, k))
		return true;
	for (uint32_t t = 0; t < f->ntable; t++)
		l->looked += f->table[t].nentry;
	if (l->looked >= 2 * MOST_LOOKS)
		return false;
	for (uint32_t t = 0; t < f->ntable; t++)
		for (uint32_t i = 0; i < f->table[t].nentry; i++) {
			const struct fact_entry *e = &f->table[t].entry[i];
			if (!is_image(e, what))
				continue;
			if (e->dim == DIM_UNKNOWN || e->arrayed > 1 || e->ms > 1)
				return false;
			if (!kind_of(l, e, texels, &one))
				continue;
			if (found && (k->dim != one.dim || k->arrayed != one.arrayed || k->ms != one.ms))
				return false;
			*k = one;
			found = true;
		}
	return found;
}
