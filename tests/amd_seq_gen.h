/* amd_seq_gen.h - random programs for amd_seq_test.c, of the lines of fixtures/isa/<isa>/seq.txt.
 *
 * The free instructions work on v2 to v7, s4 to s7, vcc and sometimes exec or m0. Around them are what compilers make of ifs and
 * loops: a saved mask for each depth (s16 on), counters (s40 on, v21 on), the first lane's value of those that take turns (s44 on). A program of `apart` has nothing by which lanes see each other,
 * so that its branches on masks may become each lane's own. */
#ifndef AMD_SEQ_GEN_H
#define AMD_SEQ_GEN_H

enum { FIRST_V = 2, LAST_V = 7, MAX_LINES = 8192, MAX_ITEMS = 320, MAX_LABELS = 64, MAX_DEPTH = 4, HASH = 1 << 14 };

/* What a line is to the choice of instructions. */
enum line_class { CLASS_NONE, CLASS_INT, CLASS_CONSTANT, CLASS_FLOAT, CLASS_COMPARE, CLASS_SCALAR, CLASS_MEMORY, CLASS_CROSS, CLASS_COUNT };
struct line {
	char *text;
	uint8_t code[16];
	unsigned bytes;
	struct text t;
	char floats;         /* type of a result whose NaNs are open, or 0 */
	bool apart;          /* lanes stay apart by it */
};
struct guest {
	const char *name, *cpu;
	const struct isa *isa;
	unsigned wave;
	struct line *line;
	unsigned nline, of[CLASS_COUNT][MAX_LINES], nof[CLASS_COUNT];
	uint16_t hash[HASH]; /* by text: the line's number, plus 1 */
};

enum { LINE, BRANCH, LABEL };
struct item {
	unsigned kind, op, label; /* op: place in branches[] */
	unsigned group;           /* of what belongs to one statement, 0: an instruction by itself */
	const struct line *l;
	bool dead;                /* left out */
};
struct program {
	struct item item[MAX_ITEMS];
	unsigned n, label[MAX_LABELS], nlabel, body, end, group, groups; /* body up to end may be left out */
	bool apart, all, missing; /* all: lanes are on at the start; missing: a line that it needs is not there */
	bool extremes;            /* of floats, much is minima and maxima */
	struct guest *g;
};
static const struct { const char *name; unsigned op; } branches[] = { { "cbranch_scc0", 4 }, { "cbranch_scc1", 5 }, { "cbranch_vccz", 6 },
	{ "cbranch_vccnz", 7 }, { "cbranch_execz", 8 }, { "cbranch_execnz", 9 }, { "branch", 2 } };
enum { SCC0, SCC1, VCCZ, VCCNZ, EXECZ, EXECNZ };

static unsigned below(unsigned n) { return (unsigned)(rnd() >> 16) % n; }
static bool chance(unsigned percent) { return below(100) < percent; }

/* ---- items */
static struct item *add(struct program *p, unsigned kind)
{
	struct item *i = &p->item[p->n < MAX_ITEMS ? p->n++ : MAX_ITEMS - 1];

	*i = (struct item){ .kind = kind, .group = p->group };
	return i;
}

static void branch(struct program *p, unsigned op, unsigned label)
{
	struct item *i = add(p, BRANCH);

	i->op = op;
	i->label = label;
}

static unsigned new_label(struct program *p) { return p->nlabel < MAX_LABELS ? p->nlabel++ : MAX_LABELS - 1; }

static void place(struct program *p, unsigned label)
{
	p->label[label] = p->n;
	add(p, LABEL)->label = label;
}

static unsigned hash_of(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 16777619u;
	return h & (HASH - 1);
}

static const struct line *find_line(const struct guest *g, const char *text)
{
	for (unsigned h = hash_of(text); g->hash[h]; h = (h + 1) & (HASH - 1))
		if (!strcmp(g->line[g->hash[h] - 1].text, text))
			return &g->line[g->hash[h] - 1];
	return NULL;
}

/* The line of a text in which %M is the mask at scalar register `at`, %W its width, %E exec and %V vcc. */
static void emit(struct program *p, const char *form, unsigned at)
{
	char text[128], *to = text;
	bool full = p->g->wave == 64;

	for (; *form && to < text + sizeof text - 16; form++) {
		if (*form != '%') {
			*to++ = *form;
			continue;
		}
		switch (*++form) {
		case 'M': to += full ? sprintf(to, "s[%u:%u]", at, at + 1) : sprintf(to, "s%u", at); break;
		case 'N': to += sprintf(to, "%u", at); break;
		case 'W': to += sprintf(to, full ? "b64" : "b32"); break;
		case 'E': to += sprintf(to, full ? "exec" : "exec_lo"); break;
		default: to += sprintf(to, full ? "vcc" : "vcc_lo"); break;
		}
	}
	*to = 0;
	const struct line *l = find_line(p->g, text);
	if (l)
		add(p, LINE)->l = l;
	else if (!p->missing)
		printf("FAIL %s w%u: no line \"%s\"\n", p->g->name, p->g->wave, text);
	p->missing |= !l;
}

/* ---- statements */
static bool is_extreme(const struct line *l)
{
	const char *op = l->t.op;

	return strstr(op, "_f32") && (!strncmp(op, "v_min", 5) || !strncmp(op, "v_max", 5) || !strncmp(op, "v_med3", 6));
}

static void one_of(struct program *p, unsigned class)
{
	struct guest *g = p->g;
	bool extremes = p->extremes && class == CLASS_FLOAT;

	for (unsigned tries = 0, most = extremes ? 64 : 16; tries < most && g->nof[class]; tries++) {
		const struct line *l = &g->line[g->of[class][below(g->nof[class])]];
		if ((p->apart && !l->apart) || (extremes && tries < 48 && !is_extreme(l)))
			continue;
		struct item *i = add(p, LINE);
		i->l = l;
		i->group = 0;
		return;
	}
}

static void straight(struct program *p)
{
	static const uint8_t share[] = { [CLASS_INT] = 29, [CLASS_CONSTANT] = 7, [CLASS_FLOAT] = 18, [CLASS_COMPARE] = 10, [CLASS_SCALAR] = 14, [CLASS_MEMORY] = 10,
		[CLASS_CROSS] = 12 };
	unsigned class = CLASS_INT, r = below(100);

	while (class + 1 < CLASS_COUNT && r >= share[class])
		r -= share[class++];
	if (p->extremes && chance(40))
		class = CLASS_FLOAT;
	if (class == CLASS_CROSS && p->apart)
		class = CLASS_INT;
	one_of(p, class);
}

static const char *some_mask(unsigned *at)
{
	*at = 4 + 2 * below(2);
	return chance(60) ? "%V" : "%M";
}

/* vcc, or s4 or s6, as text for this wave size. */
static void mask_text(const struct program *p, char *out)
{
	unsigned at;

	if (!strcmp(some_mask(&at), "%V"))
		sprintf(out, "%s", p->g->wave == 64 ? "vcc" : "vcc_lo");
	else if (p->g->wave == 64)
		sprintf(out, "s[%u:%u]", at, at + 1);
	else
		sprintf(out, "s%u", at);
}

static void statements(struct program *p, unsigned depth, unsigned n);

static void masked_if(struct program *p, unsigned depth)
{
	static const char *const saves[] = { "and", "and", "and", "and", "andn2", "xor", "or" };
	char form[96], mask[16];
	unsigned saved = 16 + 2 * depth, after = new_label(p), end = new_label(p);

	if (chance(80))
		one_of(p, CLASS_COMPARE);
	mask_text(p, mask);
	snprintf(form, sizeof form, "s_%s_saveexec_%%W %%M, %s", saves[below(p->apart ? 4 : 7)], mask);
	emit(p, form, saved);
	if (chance(70))
		branch(p, EXECZ, after);
	statements(p, depth + 1, 1 + below(5));
	place(p, after);
	if (chance(50)) {
		emit(p, chance(50) ? "s_xor_%W %E, %E, %M" : "s_andn2_%W %E, %M, %E", saved);
		if (chance(70))
			branch(p, EXECZ, end);
		statements(p, depth + 1, 1 + below(4));
	}
	place(p, end);
	emit(p, chance(50) ? "s_mov_%W %E, %M" : "s_or_%W %E, %E, %M", saved);
}

static void scalar_if(struct program *p, unsigned depth)
{
	unsigned end = new_label(p), other = new_label(p);

	branch(p, below(6), other);
	statements(p, depth + 1, 1 + below(4));
	if (chance(40)) {
		branch(p, 6, end);
		place(p, other);
		statements(p, depth + 1, 1 + below(3));
		place(p, end);
		return;
	}
	place(p, other);
	place(p, end);
}

/* Turns that the wave counts. Lanes may leave before. */
static void counted_loop(struct program *p, unsigned depth)
{
	char form[64], mask[16];
	unsigned top = new_label(p), end = new_label(p), saved = 16 + 2 * depth, turns = 40 + depth;
	bool leave = chance(50);

	snprintf(form, sizeof form, "s_mov_b32 s%%N, %u", 1 + below(3));
	emit(p, form, turns);
	if (leave)
		emit(p, "s_mov_%W %M, %E", saved);
	place(p, top);
	statements(p, depth + 1, 1 + below(5));
	if (leave) {
		one_of(p, CLASS_COMPARE);
		mask_text(p, mask);
		snprintf(form, sizeof form, "s_%s_%%W %%E, %%E, %s", chance(50) ? "and" : "andn2", mask);
		emit(p, form, 0);
		if (chance(80))
			branch(p, EXECZ, end);
		if (chance(40))
			statements(p, depth + 1, 1 + below(3));
	}
	snprintf(form, sizeof form, "s_sub_u32 s%u, s%u, 1", turns, turns);
	emit(p, form, 0);
	emit(p, "s_cmp_lg_u32 s%N, 0", turns);
	branch(p, SCC1, top);
	place(p, end);
	if (leave)
		emit(p, chance(50) ? "s_mov_%W %E, %M" : "s_or_%W %E, %E, %M", saved);
}

/* Turns that each lane counts. */
static void lane_loop(struct program *p, unsigned depth)
{
	char form[64];
	unsigned top = new_label(p), saved = 16 + 2 * depth, turn = 21 + 2 * depth, most = turn + 1;

	emit(p, "v_mov_b32_e32 v%N, 0", turn);
	snprintf(form, sizeof form, "v_and_b32_e32 v%u, 3, v%u", most, FIRST_V + below(LAST_V - FIRST_V + 1));
	emit(p, form, 0);
	emit(p, "s_mov_%W %M, %E", saved);
	place(p, top);
	statements(p, depth + 1, 1 + below(5));
	snprintf(form, sizeof form, p->g->isa == &isa_gfx7 ? "v_add_i32_e32 v%u, vcc, 1, v%u" : "v_add_nc_u32_e32 v%u, 1, v%u", turn, turn);
	emit(p, form, 0);
	snprintf(form, sizeof form, "v_cmp_lt_u32_e32 %%V, v%u, v%u", turn, most);
	emit(p, form, 0);
	emit(p, "s_and_%W %E, %E, %V", 0);
	branch(p, EXECNZ, top);
	emit(p, "s_mov_%W %E, %M", saved);
}

/* Equal lanes take turns, the first lane's equals first. */
static void waterfall(struct program *p, unsigned depth)
{
	char form[64];
	unsigned top = new_label(p), left = 16 + 2 * depth, value = 22 + 2 * depth, all = 18 + 2 * depth, first = 44 + depth;

	snprintf(form, sizeof form, "v_and_b32_e32 v%u, 3, v%u", value, FIRST_V + below(LAST_V - FIRST_V + 1));
	emit(p, form, 0);
	emit(p, "s_mov_%W %M, %E", all);
	place(p, top);
	snprintf(form, sizeof form, "v_readfirstlane_b32 s%u, v%u", first, value);
	emit(p, form, 0);
	snprintf(form, sizeof form, "v_cmp_eq_u32_e32 %%V, s%u, v%u", first, value);
	emit(p, form, 0);
	emit(p, "s_and_saveexec_%W %M, %V", left);
	statements(p, depth + 2, 1 + below(4));
	emit(p, chance(50) ? "s_xor_%W %E, %E, %M" : "s_andn2_%W %E, %M, %E", left);
	branch(p, EXECNZ, top);
	emit(p, "s_mov_%W %E, %M", all);
}

static void mask_logic(struct program *p)
{
	static const char *const ops[] = { "and", "or", "xor", "andn2", "orn2", "nor" };
	static const char *const from[] = { "%V, %M", "%M, %Q", "%Q, %E" };
	char form[96], text[96], to[16];
	bool full = p->g->wave == 64;

	mask_text(p, to);
	snprintf(form, sizeof form, "s_%s_%%W %s, %s", ops[below(6)], to, from[below(3)]);
	char *q = strstr(form, "%Q"); /* the other one */
	snprintf(text, sizeof text, "%.*s%s%s", q ? (int)(q - form) : (int)strlen(form), form, q ? full ? "s[6:7]" : "s6" : "", q ? q + 2 : "");
	emit(p, text, 4);
}

static void statements(struct program *p, unsigned depth, unsigned n)
{
	unsigned outer = p->group;

	for (; n && p->n < MAX_ITEMS - 120 && p->nlabel < MAX_LABELS - 8; n--) {
		unsigned r = below(100);
		p->group = ++p->groups;
		if (depth >= MAX_DEPTH || r < 68)
			straight(p);
		else if (r < 72)
			mask_logic(p);
		else if (r < 84)
			masked_if(p, depth);
		else if (r < 92)
			scalar_if(p, depth);
		else if (r < 95)
			counted_loop(p, depth);
		else if (r < 97 && !p->apart && depth + 2 < MAX_DEPTH)
			waterfall(p, depth);
		else
			lane_loop(p, depth);
	}
	p->group = outer;
}

/* ---- whole programs. Words of the input: from 4 on s4 to s7, then m0, scc, vcc, exec; then a lane's own from INPUT_V on. From OUTPUT on
 * a lane's results, slot by slot, and behind them its words that the body reads and writes. */
enum { INPUT_V = 1024, OUTPUT = 0x4000, OUT_STRIDE = 128, OUT_WORDS = 32, SLOT_S = 8, SLOT_VCC = 12, SLOT_M0 = 14, SLOT_SCC, SLOT_EXEC, SLOT_MASK = 18, SLOTS = 22 };

static void prologue(struct program *p)
{
	static const char *const loads[] = { "s_load_dwordx4 s[8:11], s[2:3], ", "s_load_dwordx4 s[12:15], s[2:3], ",
		"s_buffer_load_dwordx4 s[4:7], s[8:11], ", "s_buffer_load_dwordx8 s[48:55], s[8:11], " };
	char form[96];

	for (unsigned k = 0; k < 4; k++) {
		unsigned at = k & 1 ? 0x20 : 0x10;
		snprintf(form, sizeof form, "%s0x%x", loads[k], p->g->isa == &isa_gfx7 ? at / 4 : at); /* gfx7 counts dwords */
		emit(p, form, 0);
	}
	emit(p, "v_lshlrev_b32_e32 v12, 7, v0", 0);
	emit(p, "v_or_b32_e32 v13, 0x4000, v12", 0);
	emit(p, "v_lshlrev_b32_e32 v1, 2, v0", 0);
	emit(p, "v_xor_b32_e32 v8, 4, v1", 0);
	emit(p, "v_lshlrev_b32_e32 v14, 3, v0", 0);
	for (unsigned v = FIRST_V; v <= LAST_V; v++) {
		snprintf(form, sizeof form, "buffer_load_dword v%u, v12, s[8:11], 0 offen offset:%u", v, INPUT_V + 4 * v);
		emit(p, form, 0);
	}
	for (unsigned k = 0; k < 4; k++) {
		snprintf(form, sizeof form, k ? "ds_write_b32 v1, v%u offset:%u" : "ds_write_b32 v1, v%u", FIRST_V + k, k * p->g->wave * 4);
		emit(p, form, 0);
	}
	for (unsigned v = 21; v < 21 + 2 * MAX_DEPTH; v++) /* lanes that are off when a loop starts may be on in it */
		emit(p, "v_mov_b32_e32 v%N, 0", v);
	emit(p, "s_mov_b32 m0, s48", 0);
	emit(p, "s_mov_b64 vcc, s[50:51]", 0);
	emit(p, "s_cmp_lg_u32 s49, 0", 0);
	if (!p->all)
		emit(p, "s_mov_%W %E, %M", 52);
}

static void save(struct program *p, const char *form, unsigned at, unsigned slot)
{
	char text[96];

	emit(p, form, at);
	snprintf(text, sizeof text, "buffer_store_dword v20, v13, s[12:15], 0 offen offset:%u", 4 * slot);
	emit(p, text, 0);
}

static void epilogue(struct program *p)
{
	char text[96];

	if (!p->apart)
		emit(p, "s_cselect_b32 s60, 1, 0", 0);
	emit(p, "s_mov_%W %M, %E", 62);
	emit(p, "s_mov_%W %E, -1", 0);
	for (unsigned v = FIRST_V; v <= LAST_V; v++) {
		snprintf(text, sizeof text, "buffer_store_dword v%u, v13, s[12:15], 0 offen offset:%u", v, 4 * v);
		emit(p, text, 0);
	}
	for (unsigned k = 0; k < 4 && !p->apart; k++)
		save(p, "v_mov_b32_e32 v20, s%N", 4 + k, SLOT_S + k);
	for (unsigned k = 0; k < 4; k++) /* s4, s6, vcc, exec */
		save(p, k == 2 ? "v_cndmask_b32_e64 v20, 0, 1, %V" : "v_cndmask_b32_e64 v20, 0, 1, %M", k == 3 ? 62 : 4 + 2 * k, SLOT_MASK + k);
	if (!p->apart) {
		save(p, "v_mov_b32_e32 v20, vcc_lo", 0, SLOT_VCC);
		save(p, "v_mov_b32_e32 v20, vcc_hi", 0, SLOT_VCC + 1);
		save(p, "v_mov_b32_e32 v20, m0", 0, SLOT_M0);
		save(p, "v_mov_b32_e32 v20, s60", 0, SLOT_SCC);
		save(p, "v_mov_b32_e32 v20, s62", 0, SLOT_EXEC);
		if (p->g->wave == 64)
			save(p, "v_mov_b32_e32 v20, s63", 0, SLOT_EXEC + 1);
	}
	emit(p, "s_endpgm", 0);
}

static void generate(struct program *p, struct guest *g, bool extremes)
{
	memset(p, 0, sizeof *p);
	p->g = g;
	p->extremes = extremes;
	p->apart = chance(40);
	p->all = p->apart && chance(50);
	prologue(p);
	p->body = p->n;
	for (unsigned n = chance(25) ? 12 : 0; n; n--) /* much of it can be found out before */
		one_of(p, CLASS_CONSTANT);
	statements(p, 0, 4 + below(14));
	p->end = p->n;
	epilogue(p);
}
#endif
