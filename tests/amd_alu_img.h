/* amd_alu_img.h - image instructions on the reference machine of amd_alu_test.c: which access the text asks for.
 *
 * An access is compared as the IR states it (ir/ops.def): op, kind of image, options, then all operands behind the
 * handles as words. The address registers hold, in this order: offset, bias, reference, derivatives, coordinates, lod,
 * lod clamp; a cube is sampled by the direction that its face and position stand for. */
#ifndef AMD_ALU_IMG_H
#define AMD_ALU_IMG_H

enum { IMG_WORDS = 24, MAX_IMG = 64 };
struct img_access { unsigned lane, op, sub, imm, n; uint32_t v[IMG_WORDS]; };
struct img_log { struct img_access a[MAX_IMG]; unsigned n; };

static uint32_t texel(unsigned lane, unsigned comp) /* what a read returns, as float bits */
{
	return float_bits((float)(int)(mem_byte(9, lane, comp) & 127) - 60.0f + (float)comp / 4);
}

struct img_kind { const char *name; unsigned dim, arrayed, ms, coords, grads; };
static const struct img_kind img_kinds[] = { { "1D_ARRAY", DIM_1D, 1, 0, 2, 2 }, { "2D_ARRAY", DIM_2D, 1, 0, 3, 4 },
	{ "2D_MSAA_ARRAY", DIM_2D, 1, 1, 4, 4 }, { "2D_MSAA", DIM_2D, 0, 1, 3, 4 }, { "1D", DIM_1D, 0, 0, 1, 2 },
	{ "2D", DIM_2D, 0, 0, 2, 4 }, { "3D", DIM_3D, 0, 0, 3, 6 }, { "CUBE", DIM_CUBE, 0, 0, 3, 4 } };

static const struct img_kind *img_kind(const struct text *t)
{
	const char *p = strstr(t->tail, "SQ_RSRC_IMG_");

	for (unsigned i = 0; p && i < 8; i++) {
		size_t n = strlen(img_kinds[i].name);
		if (!strncmp(p + 12, img_kinds[i].name, n) && (p[12 + n] == ' ' || !p[12 + n]))
			return &img_kinds[i];
	}
	return &img_kinds[5];
}

struct img_addr { uint32_t v[32]; unsigned n, at; };

static void addresses(const struct machine *m, const struct text *t, unsigned lane, struct img_addr *a)
{
	a->n = a->at = 0;
	for (unsigned i = 1; i < t->n && t->o[i].kind == K_V; i++)
		for (unsigned k = 0; k < t->o[i].n && a->n < 32; k++)
			a->v[a->n++] = dword(m, &t->o[i], lane, k);
}

static uint32_t next_addr(struct img_addr *a) { return a->at < a->n ? a->v[a->at++] : 0; }

static void push(struct img_access *x, uint32_t v)
{
	if (x->n < IMG_WORDS)
		x->v[x->n++] = v;
}

static void push_half(struct img_access *x, uint32_t v) { push(x, float_bits((float)as_half(v & 0xffff))); }

/* The suffix "_x" of a sample mnemonic, as a word. */
static bool has_part(const char *op, const char *part)
{
	size_t n = strlen(part);

	for (const char *p = op; (p = strstr(p, part)); p += n)
		if (p[-1] == '_' && (!p[n] || p[n] == '_'))
			return true;
	return false;
}

static void on_face(unsigned face, float s, float t, float plane, struct img_access *x)
{
	float minus = plane > 0 ? -plane : 0;
	float d[6][3] = { { plane, -t, -s }, { minus, -t, s }, { s, plane, t }, { s, minus, -t }, { s, -t, plane }, { -s, -t, minus } };

	for (unsigned c = 0; c < 3; c++)
		push(x, float_bits(d[face % 6][c]));
}

static void direction(const uint32_t in[3], struct img_access *x)
{
	on_face((unsigned)as_float(in[2]) & 7, (as_float(in[0]) - 1.5f) * 2, (as_float(in[1]) - 1.5f) * 2, 1, x);
}

/* Result j of a read: a register, or half of one. */
static void put_texel(struct machine *out, unsigned lane, unsigned reg, unsigned j, bool half, uint32_t v)
{
	uint32_t *d = &out->v[lane][reg + (half ? j / 2 : j)], h = half_bits((double)as_float(v));

	*d = !half ? v : j & 1 ? (*d & 0xffff) | h << 16 : (*d & 0xffff0000u) | h;
}

static bool sample(const struct machine *m, struct machine *out, const struct text *t, unsigned lane, struct img_log *l)
{
	const struct img_kind *k = img_kind(t);
	bool gather = strstr(t->op, "gather4") != NULL, ref = has_part(t->op, "c"), grad = has_part(t->op, "d") || has_part(t->op, "cd");
	bool bias = has_part(t->op, "b"), lod = has_part(t->op, "l"), clamp = has_part(t->op, "cl"), off = has_part(t->op, "o");
	bool g16 = has_part(t->op, "g16"), lz = has_part(t->op, "lz"), level = has_part(t->op, "lod"); /* level: a query of two numbers */
	struct img_access x = { .lane = lane, .op = gather ? IR_igather : IR_isample };
	unsigned dmask = (unsigned)tail_value(t, "dmask", 1), reg = (unsigned)t->o[0].index;
	uint32_t vo = 0, vb = 0, vr = 0, g[6] = { 0 }, c[4] = { 0 }, vl = 0, vc = 0, w = 0;
	struct img_addr a;

	if ((k->dim == DIM_CUBE && off) || (level && dmask > 3))
		return false;
	addresses(m, t, lane, &a);
	vo = off ? next_addr(&a) : 0;
	vb = bias ? next_addr(&a) : 0;
	vr = ref ? next_addr(&a) : 0;
	for (unsigned i = 0; grad && i < k->grads; i++) {
		unsigned j = i % (k->grads / 2);
		if (!g16)
			g[i] = next_addr(&a);
		else
			g[i] = (j & 1) ? w >> 16 : (w = next_addr(&a)) & 0xffff;
	}
	for (unsigned i = 0; i < k->coords; i++)
		c[i] = next_addr(&a);
	vl = lod ? next_addr(&a) : 0;
	vc = clamp ? next_addr(&a) : 0;
	if (k->dim == DIM_CUBE)
		direction(c, &x);
	if (k->dim == DIM_CUBE && !m->gfx7) /* of an array of cubes, if it is one */
		push(&x, float_bits((float)((unsigned)as_float(c[2]) >> 3)));
	for (unsigned i = 0; k->dim != DIM_CUBE && i < k->coords; i++)
		push(&x, c[i]);
	if (ref)
		push(&x, vr);
	if (bias)
		push(&x, vb);
	if (lod || lz)
		push(&x, vl);
	for (unsigned i = 0; grad && k->dim == DIM_CUBE && i < 4; i += 2) { /* a face is 1 wide where directions span 2 */
		float s = g16 ? (float)as_half(g[i]) : as_float(g[i]), v = g16 ? (float)as_half(g[i + 1]) : as_float(g[i + 1]);
		on_face((unsigned)as_float(c[2]) & 7, 2 * s, 2 * v, 0, &x);
	}
	for (unsigned i = 0; grad && k->dim != DIM_CUBE && i < k->grads; i++)
		g16 ? push_half(&x, g[i]) : push(&x, g[i]);
	for (unsigned i = 0; off && i < (k->dim == DIM_1D ? 1u : k->dim == DIM_3D ? 3u : 2u); i++)
		push(&x, sfield(vo, 8 * i, 6));
	if (clamp)
		push(&x, vc);
	x.sub = (ref ? IMG_REF : 0) | (bias ? IMG_BIAS : 0) | (lod || lz ? IMG_LOD : 0) | (grad ? IMG_GRAD : 0) | (off ? IMG_OFFSET : 0) |
		(clamp ? IMG_MINLOD : 0) | k->dim << IMG_DIM_SHIFT | (k->arrayed ? IMG_ARRAYED : 0) | IMG_DIM_KNOWN |
		(k->dim == DIM_CUBE && !m->gfx7 ? IMG_MAYBE_ARRAYED : 0) | (level ? IMG_QUERY_LOD : 0);
	if (gather)
		x.imm = dmask & 2 ? 1 : dmask & 4 ? 2 : dmask & 8 ? 3 : 0;
	l->a[l->n++] = x;
	for (unsigned i = 0, j = 0; i < 4; i++)
		if (gather || (dmask >> i & 1))
			put_texel(out, lane, reg, j++, tail_has(t, "d16"), texel(lane, gather ? i : ref ? 0 : i));
	return true;
}

static bool texel_access(const struct machine *m, struct machine *out, const struct text *t, unsigned lane, struct img_log *l)
{
	const struct img_kind *k = img_kind(t);
	bool isstore = strstr(t->op, "store") != NULL, isatomic = strstr(t->op, "atomic") != NULL, mip = strstr(t->op, "_mip") != NULL;
	bool half = tail_has(t, "d16"), packed16 = tail_has(t, "a16"), glc = tail_has(t, "glc");
	struct img_access x = { .lane = lane, .op = isstore ? IR_istore : isatomic ? IR_iatomic : IR_iload };
	unsigned dmask = (unsigned)tail_value(t, "dmask", 1), reg = (unsigned)t->o[0].index, n = k->coords + mip;
	struct img_addr a;
	uint32_t c[5] = { 0 }, w = 0;

	addresses(m, t, lane, &a);
	for (unsigned i = 0; i < n; i++)
		c[i] = !packed16 ? next_addr(&a) : i & 1 ? w >> 16 : (w = next_addr(&a)) & 0xffff;
	for (unsigned i = 0; i < k->coords - k->ms; i++)
		push(&x, c[i]);
	if (mip)
		push(&x, c[k->coords]);
	if (k->ms)
		push(&x, c[k->coords - 1]);
	x.sub = k->dim << IMG_DIM_SHIFT | (k->arrayed ? IMG_ARRAYED : 0) | IMG_DIM_KNOWN;
	if (isatomic) {
		bool two = strstr(t->op, "cmpswap") != NULL;
		x.sub = (unsigned)atomic_id(strstr(t->op, "atomic_") + 7);
		push(&x, dword(m, &t->o[0], lane, two ? 1 : 0));
		if (two)
			push(&x, dword(m, &t->o[0], lane, 0));
		if (glc)
			out->v[lane][reg] = texel(lane, 0);
	}
	for (unsigned i = 0, j = 0; i < 4 && !isatomic; i++) {
		bool want = dmask >> i & 1;
		if (isstore && want && half)
			push_half(&x, dword(m, &t->o[0], lane, j / 2) >> 16 * (j & 1));
		else if (isstore)
			push(&x, want ? dword(m, &t->o[0], lane, j) : 0);
		else if (want)
			put_texel(out, lane, reg, j, half, texel(lane, i));
		j += want;
	}
	l->a[l->n++] = x;
	return true;
}

static uint32_t answer(unsigned sub, unsigned comp, uint32_t lod) /* to a query */
{
	return (sub * 16 + comp + 1) * 0x01000193u ^ lod * 3;
}

/* Sizes at the mip level in the address register, then the number of levels. */
static bool info(const struct machine *m, struct machine *out, const struct text *t, unsigned lane)
{
	const struct img_kind *k = img_kind(t);
	unsigned dmask = (unsigned)tail_value(t, "dmask", 1), reg = (unsigned)t->o[0].index;

	for (unsigned i = 0; i < 4; i++)
		if (dmask >> i & 1)
			out->v[lane][reg++] = i < 3 ? answer(0, i, dword(m, &t->o[1], lane, 0)) : answer(1, 0, 0);
	return (dmask & 7) >> (k->coords - k->ms) == 0;
}

static bool image_op(const struct machine *m, struct machine *out, const struct text *t, struct img_log *l)
{
	bool sampled = strstr(t->op, "sample") || strstr(t->op, "gather4") || strstr(t->op, "get_lod");

	if (strstr(t->op, "resinfo")) {
		for (unsigned lane = 0; lane < m->wave; lane++)
			if (on(m, lane) && !info(m, out, t, lane))
				return false;
		return true;
	}
	if (!sampled && !strstr(t->op, "load") && !strstr(t->op, "store") && !strstr(t->op, "atomic"))
		return false;
	for (unsigned lane = 0; lane < m->wave; lane++)
		if (on(m, lane) && !(sampled ? sample(m, out, t, lane, l) : texel_access(m, out, t, lane, l)))
			return false;
	return true;
}

/* What the evaluator asks for, in the same form. */
static bool is_image_op(unsigned op)
{
	return op == IR_isample || op == IR_igather || op == IR_iload || op == IR_istore || op == IR_iatomic;
}

static void log_image(const struct eval_access *a, struct img_log *l)
{
	struct ir_fn *fn = (struct ir_fn *)(uintptr_t)a->fn;
	const struct ir_inst *in = &fn->inst[a->inst];
	const ir_id *id = ir_args(fn, a->inst);
	struct img_access x = { .lane = a->lane, .op = in->op, .sub = in->sub, .imm = in->op == IR_igather ? (unsigned)in->imm : 0 };

	for (unsigned i = in->op == IR_isample || in->op == IR_igather ? 3 : 2; i < a->nargs; i++)
		for (unsigned k = 0; a->args[i] && k < ir_elems(fn->inst[id[i]].type); k++)
			push(&x, (uint32_t)a->args[i][k]);
	if (l->n < MAX_IMG)
		l->a[l->n++] = x;
}
#endif
