/* amd_seq_ref.h - programs of amd_seq_test.c on the reference machine, instruction by instruction. */
#ifndef AMD_SEQ_REF_H
#define AMD_SEQ_REF_H

enum { MAX_STEPS = 4000, USED_V = 32, OUT_AT = LDS_BYTES - 64 * 4 * (OUT_WORDS - SLOTS) /* in machine.lds: words behind the slots */,
	UNSET = 0xeeeeeeee };

/* The result's type where its NaNs have open payloads, else 0: f d h as everywhere, p both halves. */
static char float_result(const struct text *t)
{
	const struct vref *r = find_vref(t->op);

	if (t->op[0] != 'v' || !strncmp(t->op, "v_cmp", 5))
		return 0;
	if (r)
		return strchr("fd", r->sig[0]) ? r->sig[0] : strchr("hp", r->sig[0]) ? 'p' : 0;
	if (!strncmp(t->op, "v_fma_mix", 9))
		return strstr(t->op, "mix_") ? 'f' : 'p';
	return strstr(t->op, "_f16") ? 'p' : 0;
}

static bool made_nan(const struct machine *m, const struct text *t, char type)
{
	for (unsigned lane = 0; lane < m->wave && type; lane++) {
		const uint32_t *v = &m->v[lane][t->o[0].index];
		if (type == 'f' ? isnan(as_float(*v)) : type == 'd' ? isnan(as_double(*v | (uint64_t)v[1] << 32)) :
		    isnan(as_half(*v & 0xffff)) || isnan(as_half(*v >> 16)))
			return true;
	}
	return false;
}

static void copy_machine(struct machine *to, const struct machine *from)
{
	for (unsigned lane = 0; lane < from->wave; lane++)
		memcpy(to->v[lane], from->v[lane], USED_V * 4);
	memcpy(to->s, from->s, sizeof to->s);
	memcpy(to->lds, from->lds, sizeof to->lds);
	to->scc = from->scc;
	to->wave = from->wave;
	to->gfx7 = from->gfx7;
	to->flush = from->flush;
}

static uint8_t *out_word(struct machine *m, unsigned lane, unsigned slot) { return m->lds + OUT_AT + ((slot - SLOTS) * 64 + lane) * 4; }

/* Words of a lane's input, or of those that it may write, loaded or stored. */
static bool buffer_words(const struct machine *start, struct machine *m, const struct text *t)
{
	unsigned at = (unsigned)tail_value(t, "offset", 0) / 4, v = (unsigned)t->o[0].index, n = t->o[0].n;
	bool input = t->o[1].index == 12;

	if (input ? at < INPUT_V / 4 : at < SLOTS || at + n > OUT_WORDS)
		return false;
	for (unsigned k = 0; k < n * m->wave; k++) {
		unsigned lane = k / n, w = at + k % n;
		uint32_t *r = &m->v[lane][v + k % n];
		if (!on(m, lane))
			continue;
		if (strstr(t->op, "store"))
			set(out_word(m, lane, w), 4, *r);
		else
			*r = input ? start->v[lane][w - INPUT_V / 4] : (uint32_t)get(out_word(m, lane, w), 4);
	}
	return true;
}

/* One instruction. False: the reference does not have it, or leaves its result open. */
static bool step(const struct machine *start, struct machine *m, const struct line *l)
{
	static struct machine old;
	static struct log log;
	const struct text *t = &l->t;

	if (!strncmp(t->op, "buffer_", 7))
		return buffer_words(start, m, t);
	if (m->flush && denormals_open(m, t))
		return false;
	copy_machine(&old, m);
	log.n = 0;
	if (!(is_memory(t->op) ? memory_op(&old, m, t, &log) : t->op[0] == 's' ? scalar_op(&old, m, t) : vector(&old, m, t, LAST_V)))
		return false;
	return !made_nan(m, t, l->floats);
}

enum went { WENT_OK, WENT_OPEN /* *at: the item whose result is open */, WENT_LONG };

/* Runs the program's body; *m is the machine afterwards. */
static enum went interpret(const struct program *p, const struct machine *start, struct machine *m, unsigned *at)
{
	unsigned steps = 0;

	*m = *start;

	for (unsigned pc = p->body; pc < p->end; pc++) {
		const struct item *i = &p->item[pc];
		if (i->dead || i->kind == LABEL)
			continue;
		if (++steps > MAX_STEPS)
			return WENT_LONG;
		if (i->kind == BRANCH) {
			if (branch_taken(m, branches[i->op].name))
				pc = p->label[i->label];
			continue;
		}
		*at = pc;
		if (!step(start, m, i->l))
			return WENT_OPEN;
	}
	return WENT_OK;
}
#endif
