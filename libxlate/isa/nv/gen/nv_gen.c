/* nv_gen.c - run by make on the machine that builds: writes what nv.def implies and the preprocessor cannot compute.
 *
 *   nv_gen index    nv_index.inc: per chip the forms of the encodings, the steps that take one apart, and which forms a
 *                   word with given opcode bits may be, in the table's order
 *   nv_gen text     nv_text.inc: the text templates as tokens
 */
#include "../nv_enc.h"
#include "../nv_tok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- forms and their steps. The bits that no step takes are the form's own and must be as in the opcode. */
struct step {
	char at[24];
	unsigned pos, len, x, y, valid;
};

struct list {
	struct step v[32];
	unsigned n;
};

struct form {
	const struct nv_enc *e;
	bool sm53;
	unsigned form;
	uint64_t mask[2], value[2];
	struct list steps[STEP_KINDS];
};

static _Noreturn void wrong(const struct form *o, const char *what)
{
	fprintf(stderr, "nv.def: code 0x%x: %s\n", o->e->code[0], what);
	exit(1);
}

static void cover(struct form *o, unsigned pos, unsigned len)
{
	for (unsigned i = pos; i < pos + len; i++)
		o->mask[i >> 6] &= ~(1ull << (i & 63));
}

static void fixed(struct form *o, unsigned pos, unsigned len, unsigned value)
{
	for (unsigned i = 0; i < len; i++) {
		unsigned at = pos + i;

		o->mask[at >> 6] |= 1ull << (at & 63);
		o->value[at >> 6] &= ~(1ull << (at & 63));
		o->value[at >> 6] |= (uint64_t)(value >> i & 1) << (at & 63);
	}
}

static struct step *add(struct form *o, unsigned kind, const char *opnd, const char *member, unsigned pos, unsigned len)
{
	struct list *l = &o->steps[kind];
	struct step *s = &l->v[l->n++];

	if (l->n == sizeof l->v / sizeof l->v[0])
		wrong(o, "too many fields");
	*s = (struct step){.pos = pos, .len = len, .valid = 0xffff};
	snprintf(s->at, sizeof s->at, "%s%s", opnd, member);
	cover(o, pos, len);
	return s;
}

/* What a step of nv_dec.c does: an operand's kind and register; bits into a word; a byte; the rest. */
static void operand(struct form *o, const char *opnd, unsigned kind, unsigned pos, unsigned len)
{
	struct step *s = add(o, STEP_OPERAND, opnd, "", pos, len);

	s->x = kind;
	s->y = kind != NVK_IMM && kind != NVK_CBUF;
}

static struct step *word(struct form *o, const char *opnd, const char *member, unsigned pos, unsigned len, unsigned shift)
{
	struct step *s = add(o, STEP_WORD, opnd, member, pos, len);

	s->x = shift;
	if (len > 32 || (pos & 63) + len > 64)
		wrong(o, "a field in two words");
	return s;
}

static struct step *byte(struct form *o, const char *opnd, const char *member, unsigned pos, unsigned len)
{
	return add(o, STEP_BYTE, opnd, member, pos, len);
}

static struct step *other(struct form *o, const char *opnd, const char *member, unsigned pos, unsigned len, unsigned kind)
{
	struct step *s = add(o, STEP_OTHER, opnd, member, pos, len);

	s->x = kind;
	return s;
}

/* Of a number with a sign the highest bit counts negative. */
static void number(struct form *o, const char *opnd, const char *member, unsigned pos, unsigned len, unsigned shift)
{
	word(o, opnd, member, pos, len - 1, shift);
	word(o, opnd, member, pos + len - 1, 1, shift + len - 1)->y = 1;
}

/* Uniform registers have six bits: the other two of the field stay the encoding's own zeros. */
static void reg(struct form *o, const char *opnd, bool uniform, unsigned pos)
{
	operand(o, opnd, uniform ? NVK_UREG : NVK_REG, pos, uniform ? 6 : 8);
}

static void pred(struct form *o, const char *opnd, bool uniform, unsigned pos)
{
	operand(o, opnd, uniform ? NVK_UPRED : NVK_PRED, pos, 3);
	byte(o, opnd, ".inv", pos + 3, 1);
}

static void imm(struct form *o, const char *opnd, unsigned pos, unsigned len, unsigned shift)
{
	operand(o, opnd, NVK_IMM, 0, 0);
	word(o, opnd, ".value", pos, len, shift);
}

static void cbuf(struct form *o, const char *opnd, unsigned bank, unsigned pos, unsigned len, unsigned shift)
{
	operand(o, opnd, NVK_CBUF, 0, 0);
	byte(o, opnd, ".bank", bank, 5);
	word(o, opnd, ".value", pos, len, shift);
}

static void swizzle(struct form *o, const char *opnd, unsigned pos)
{
	byte(o, opnd, ".swz", pos, 2)->valid = o->sm53 ? 0xf : 0xd;
}

/* sm53: the 19-bit slot at 20 whose kind the opcode's form says. */
static void slot53(struct form *o, const char *opnd, bool isfloat)
{
	switch (o->form) {
	case FORM_RR: reg(o, opnd, false, 20); return;
	case FORM_CR:
	case FORM_RC: cbuf(o, opnd, 34, 20, 14, 2); return;
	default:
		imm(o, opnd, 20, 19, isfloat ? 12 : 0);
		word(o, opnd, ".value", 56, 1, isfloat ? 31 : 19)->y = !isfloat;
	}
}

/* sm86: the 32-bit slot at 32 whose kind the form says, with the modifiers of `style` in its upper bits. */
static void slot86(struct form *o, const char *opnd, unsigned style)
{
	unsigned form = o->form;

	if (form == 2 || form == 4) {
		imm(o, opnd, 32, 32, 0);
		return;
	}
	if (form == 3 || form == 5) {
		cbuf(o, opnd, 54, 38, 16, 0);
		byte(o, opnd, ".index", 32, 6);
		byte(o, opnd, ".bindless", 91, 1);
		other(o, opnd, "", 0, 0, STEP_BANK);
	} else {
		bool uniform = form >= 6 || nv_enc_uniform(o->e);

		reg(o, opnd, uniform, 32);
		if (uniform)
			fixed(o, 91, 1, 1);
	}
	if (style == B_NOT)
		byte(o, opnd, ".inv", 63, 1);
	else if (style != B_NONE)
		byte(o, opnd, ".neg", 63, 1);
	if (style == B_FLOAT || style == B_HALF || style == B_H1 || style == B_BYTE)
		byte(o, opnd, ".abs", 62, 1);
	if (style == B_HALF)
		swizzle(o, opnd, 60);
	if (style == B_H1)
		byte(o, "m", "[NVM_H1]", 60, 2)->valid = 3;
	if (style == B_BYTE)
		byte(o, "m", "[NVM_BYTE]", 60, 2);
}

static const struct {
	const char *id;
	unsigned count;
	const char *const *name;
} mods[] = {
#define MOD(...) MOD_(__VA_ARGS__, NULL)
#define MOD_(id, ...) {#id, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) - 1, (const char *const[]){__VA_ARGS__}},
#define MAP(...)
#include "../nv_mod.def"
#undef MOD
#undef MAP
};

/* A modifier with names has at most 16: of a longer field the upper bits stay the encoding's own zeros. */
static void modifier(struct form *o, unsigned mod, unsigned pos, unsigned len)
{
	char member[24];
	struct step *s;

	snprintf(member, sizeof member, "[NVM_%s]", mods[mod].id);
	s = byte(o, "m", member, pos, mods[mod].count && len > 4 ? 4 : len);
	if (!mods[mod].count)
		return;
	s->valid = 0;
	for (unsigned i = 0; i < mods[mod].count; i++)
		s->valid |= (unsigned)(mods[mod].name[i] != NULL) << i;
}

static void constant(struct form *o, const char *opnd, const char *member, unsigned value)
{
	byte(o, opnd, member, 0, 0)->x = value;
}

static bool operand_field(struct form *o, const struct nv_field *f)
{
	bool uniform = !o->sm53 && nv_enc_uniform(o->e), none = o->form == FORM_IR;
	char d[16], s[16];

	snprintf(d, sizeof d, "dst[%u]", f->arg);
	snprintf(s, sizeof s, "src[%u]", f->arg);
	switch (f->kind) {
	case F_D: reg(o, d, uniform, f->pos); return true;
	case F_DP: operand(o, d, uniform ? NVK_UPRED : NVK_PRED, f->pos, 3); return true;
	case F_CCD: other(o, d, "", f->pos, 1, STEP_CARRY); return true;
	case F_R: reg(o, s, uniform, f->pos); return true;
	case F_RV: reg(o, s, false, f->pos); return true;
	case F_P: pred(o, s, uniform, f->pos); return true;
	case F_PV: pred(o, s, false, f->pos); return true;
	case F_PMIX:
		pred(o, s, false, f->pos);
		byte(o, s, ".kind", f->pos - 1u, 1)->x = NVK_PRED;
		return true;
	case F_BR: operand(o, s, NVK_BAR, f->pos, 4); return true;
	case F_BRD: operand(o, d, NVK_BAR, f->pos, 4); return true;
	case F_NEGF:
		if (!none)
			byte(o, s, ".neg", f->pos, 1);
		return true;
	case F_ABSF:
		if (!none)
			byte(o, s, ".abs", f->pos, 1);
		return true;
	case F_NEG: byte(o, s, ".neg", f->pos, 1); return true;
	case F_ABS: byte(o, s, ".abs", f->pos, 1); return true;
	case F_NOT: byte(o, s, ".inv", f->pos, 1); return true;
	case F_SW: swizzle(o, s, f->pos); return true;
	case F_SWK: constant(o, s, ".swz", f->len); return true;
	case F_IMM: imm(o, s, f->pos, f->len, 0); return true;
	case F_HIMM: /* two halves without their lower bits; the upper one's sign apart */
		imm(o, s, 20, 9, 6);
		word(o, s, ".value", 29, 1, 15);
		word(o, s, ".value", 30, 9, 22);
		word(o, s, ".value", 56, 1, 31);
		return true;
	case F_CB: cbuf(o, s, f->arg2, f->pos, 16, 0); return true;
	case F_CX:
		operand(o, s, NVK_CBUF, f->arg2, 6);
		word(o, s, ".value", f->pos, 16, 0);
		constant(o, s, ".bindless", 1);
		return true;
	default: return false;
	}
}

static bool slot_field(struct form *o, const struct nv_field *f)
{
	bool uniform = !o->sm53 && nv_enc_uniform(o->e), rc = o->form == FORM_RC;
	bool third = o->form == 2 || o->form == 3 || o->form == 7; /* sm86: the slot at 32 holds the third source */
	const char *b = third ? "src[2]" : "src[1]", *c = third ? "src[1]" : "src[2]";
	char s[16];

	snprintf(s, sizeof s, "src[%u]", f->arg);
	switch (f->kind) {
	case F_S:
	case F_SF: slot53(o, s, f->kind == F_SF); return true;
	case F_S3:
	case F_SF3: slot53(o, rc ? "src[2]" : "src[1]", f->kind == F_SF3); return true;
	case F_T3: reg(o, rc ? "src[1]" : "src[2]", false, 39); return true;
	case F_B: slot86(o, s, f->arg2); return true;
	case F_B3: slot86(o, b, f->arg2); return true;
	case F_C3: reg(o, c, uniform, 64); return true;
	case F_NEGC3: byte(o, c, ".neg", f->pos, 1); return true;
	case F_ABSC3: byte(o, c, ".abs", f->pos, 1); return true;
	case F_NOTC3: byte(o, c, ".inv", f->pos, 1); return true;
	case F_SWC3: swizzle(o, c, f->pos); return true;
	case F_DC: /* the second source of dadd: register at 64, all else in the slot */
		other(o, s, "", o->form == 1 ? 32 : 64, 8, STEP_EITHER)->y = 0xff;
		if (o->form != 1) {
			slot86(o, s, f->arg2);
			return true;
		}
		reg(o, s, false, 64);
		byte(o, s, ".neg", 75, 1);
		byte(o, s, ".abs", 74, 1);
		return true;
	default: return false;
	}
}

static void field(struct form *o, const struct nv_field *f)
{
	char member[24];

	if (operand_field(o, f) || slot_field(o, f))
		return;
	snprintf(member, sizeof member, "[NVM_%s]", mods[f->arg < NVM_COUNT ? f->arg : 0].id);
	switch (f->kind) {
	case F_M: modifier(o, f->arg, f->pos, f->len); return;
	case F_MC: constant(o, "m", member, f->len); return;
	case F_MX: other(o, "m", "", f->pos, f->len, STEP_MAP)->y = f->arg; return;
	case F_Z: other(o, "m", "", f->pos, f->len, STEP_EITHER)->y = (1u << f->len) - 1; return;
	case F_K: return; /* later: nothing may cover it */
	case F_U: cover(o, f->pos, f->len); return;
	case F_NOGUARD: other(o, "m", "", f->pos, f->len, STEP_EITHER)->y = NV_PT; return;
	case F_OFF: number(o, "imm", "", f->pos, f->len, 0); return;
	case F_OFF4: number(o, "imm", "", f->pos, f->len, 2); return;
	case F_UOFF: word(o, "imm", "", f->pos, f->len, 0); return;
	case F_UOFF4: word(o, "imm", "", f->pos, f->len, 2); return;
	case F_TGT: other(o, "target", "", f->pos, f->len, STEP_TARGET)->y = f->arg; return;
	case F_ATGT: other(o, "target", "", f->pos, f->len, STEP_ABSOLUTE); return;
	default: wrong(o, "a field of no kind");
	}
}

/* Which of these are guarded, and by which file: of some on the uniform datapath it is not known. */
static void guard(struct form *o)
{
	unsigned pos = o->sm53 ? 16 : 12;
	bool none = o->sm53 ? o->e->f[0].kind == F_NOGUARD : o->e->cls == E_UV;

	if (!none) {
		pred(o, "guard", !o->sm53 && nv_enc_uniform(o->e), pos);
		return;
	}
	operand(o, "guard", NVK_PRED, 0, 0);
	constant(o, "guard", ".index", NV_PT);
	fixed(o, pos, 4, NV_PT);
}

static void make_form(struct form *o, const struct nv_enc *e, unsigned form, bool sm53)
{
	*o = (struct form){.e = e, .sm53 = sm53, .form = form, .mask = {~0ull, sm53 ? 0 : ~0ull}, .value = {e->code[0], 0}};
	if (sm53)
		o->value[0] = (uint64_t)e->code[form] << 48;
	else
		cover(o, 105, 21); /* scheduling */
	guard(o);
	for (const struct nv_field *f = e->f; f->kind != F_END; f++)
		field(o, f);
	for (const struct nv_field *f = e->f; f->kind != F_END; f++)
		if (f->kind == F_K)
			fixed(o, f->pos, f->len, f->arg);
	if (!sm53)
		fixed(o, 9, 3, form);
	if (!sm53 && e->cls == E_U)
		fixed(o, 91, 1, 1);
	if (sm53)
		fixed(o, 61, 3, e->code[form] >> 13); /* the opcode's always */
	for (unsigned i = 0; i < 2; i++)
		o->value[i] &= o->mask[i];
}

/* ---- the index: candidates of key k are cand[start[k]] to cand[start[k + 1] - 1] */
enum { KEYS53 = 1 << NV_KEY53, KEYS86 = 1 << NV_KEY86, MAX_FORMS = 1024 };

struct key {
	uint16_t *v;
	size_t n;
};

static void key_add(struct key *l, unsigned which)
{
	l->v = realloc(l->v, (l->n + 1) * sizeof *l->v);
	if (!l->v)
		exit(1);
	l->v[l->n++] = (uint16_t)which;
}

static void print_keys(const char *chip, const struct key *key, size_t keys)
{
	size_t n = 0;

	printf("static const uint16_t start%s[%zu] = {", chip, keys + 1);
	for (size_t k = 0; k <= keys; k++) {
		printf("%s%zu,", k % 32 ? "" : "\n", n);
		n += k < keys ? key[k].n : 0;
	}
	printf("\n};\nstatic const uint16_t cand%s[%zu] = {", chip, n);
	n = 0;
	for (size_t k = 0; k < keys; k++)
		for (size_t i = 0; i < key[k].n; i++)
			printf("%s%u,", n++ % 32 ? "" : "\n", key[k].v[i]);
	printf("\n};\n");
	if (n > UINT16_MAX)
		exit(1);
}

/* Every key whose bits do not contradict the encoding's own gets the candidate. */
static void candidate(struct key *key, unsigned keys, unsigned shift, unsigned which, const struct form *o)
{
	for (unsigned k = 0; k < keys; k++)
		if (!(((uint64_t)k << shift ^ o->value[0]) & o->mask[0] & (uint64_t)(keys - 1) << shift))
			key_add(&key[k], which);
}

static void print_steps(const struct list *l)
{
	for (const struct step *s = l->v; s < l->v + l->n; s++)
		printf("\t{%u, %u, offsetof(struct nv_inst, %s), %u, %u, 0x%x},\n", s->pos, s->len, s->at, s->x, s->y, s->valid);
}

static bool exists(const struct nv_enc *e, unsigned form, bool sm53)
{
	if (sm53)
		return form < 4 && e->code[form];
	return nv_enc_fixed(e) ? form == e->code[0] >> 9 : e->forms >> form & 1;
}

/* The forms of one chip: their steps, themselves, and the index. */
static void print_chip(const char *chip, const struct nv_enc *e, size_t n, bool sm53, struct key *key)
{
	static struct form forms[MAX_FORMS];
	unsigned nform = 0, step = 0;

	printf("static const struct nv_step steps%s[] = {\n", chip);
	for (size_t i = 0; i < n; i++)
		for (unsigned form = 0; form < 8; form++) {
			struct form *o = &forms[nform];

			if (!exists(&e[i], form, sm53))
				continue;
			if (nform == MAX_FORMS)
				exit(1);
			make_form(o, &e[i], form, sm53);
			for (unsigned k = 0; k < STEP_KINDS; k++)
				print_steps(&o->steps[k]);
			candidate(key, sm53 ? KEYS53 : KEYS86, sm53 ? 64 - NV_KEY53 : 0, nform++, o);
		}
	printf("};\nstatic const struct nv_form forms%s[] = {\n", chip);
	for (const struct form *o = forms; o < forms + nform; o++) {
		printf("\t{%u, %u, %d, {", o->e->op, step, !sm53 && nv_enc_uniform(o->e));
		for (unsigned k = 0; k < STEP_KINDS; k++) {
			printf("%u,", o->steps[k].n);
			step += o->steps[k].n;
		}
		printf("}, {0x%llx, 0x%llx}, {0x%llx, 0x%llx}},\n", (unsigned long long)o->mask[0],
		       (unsigned long long)o->mask[1], (unsigned long long)o->value[0], (unsigned long long)o->value[1]);
	}
	printf("};\n");
	if (step > UINT16_MAX)
		exit(1);
	print_keys(chip, key, sm53 ? KEYS53 : KEYS86);
}

static void write_index(void)
{
	static struct key key53[KEYS53], key86[KEYS86];

	print_chip("53", nv_enc53, sizeof nv_enc53 / sizeof nv_enc53[0], true, key53);
	print_chip("86", nv_enc86, sizeof nv_enc86 / sizeof nv_enc86[0], false, key86);
}

/* ---- the templates */
static const struct {
	const char *id, *text;
} rows[] = {
#define INST(id, name, text, shape, lifter, flags) {#id, text},
#define E53(...)
#define E86(...)
#include "../nv.def"
#undef INST
#undef E53
#undef E86
};
static const char *const toks[] = {
#define TOK(name) #name,
#include "../nv_tok.def"
#undef TOK
};

static int find(const char *const *names, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], s, len))
			return (int)i;
	return -1;
}

static int find_mod(const char *s, size_t len)
{
	for (size_t i = 0; i < NVM_COUNT; i++)
		if (strlen(mods[i].id) == len && !memcmp(mods[i].id, s, len))
			return (int)i;
	return -1;
}

static void token(const char *id, const char *s, size_t len)
{
	int mod = find_mod(s, len), tok = find(toks, sizeof toks / sizeof toks[0], s, len);

	if (len == 1 && s[0] >= '0' && s[0] < '0' + NV_MAX_SRC) {
		printf(" {NVT_SRC, %c, 0},", s[0]);
	} else if (mod >= 0) {
		printf(" {NVT_MOD, NVM_%s, 0},", mods[mod].id);
	} else if (tok >= 0) {
		printf(" {NVT_%s, 0, 0},", toks[tok]);
	} else {
		fprintf(stderr, "nv.def: %s: no printer {%.*s}\n", id, (int)len, s);
		exit(1);
	}
}

static void write_text(void)
{
	printf("static const struct nv_token *const templates[NV_OP_COUNT] = {\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		printf("\t[NV_%s] = (const struct nv_token[]){", rows[i].id);
		for (const char *s = rows[i].text; *s;) {
			size_t n = strcspn(s, "{");

			if (n)
				printf(" {NVT_TEXT, %zu, %zu},", n, (size_t)(s - rows[i].text));
			s += n;
			if (*s == '{') {
				n = strcspn(s, "}");
				token(rows[i].id, s + 1, n - 1);
				s += n + (s[n] == '}');
			}
		}
		printf(" {NVT_END, 0, 0}},\n");
	}
	printf("};\n");
}

int main(int argc, char **argv)
{
	if (argc != 2 || (strcmp(argv[1], "index") && strcmp(argv[1], "text")))
		return 2;
	printf("/* written by gen/nv_gen.c from nv.def */\n");
	if (argv[1][0] == 'i')
		write_index();
	else
		write_text();
	return 0;
}
