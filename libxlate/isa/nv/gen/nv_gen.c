/* nv_gen.c - run by make on the machine that builds: writes what nv.def implies and the preprocessor cannot compute.
 *
 *   nv_gen index    nv_index.inc: per chip the forms of the encodings, a function for each that takes a word apart, and
 *                   which forms a word with given opcode bits may be, in the table's order
 *   nv_gen text     nv_text.inc: the text templates as tokens
 */
#include "../nv_enc.h"
#include "../nv_tok.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- forms: an encoding with one kind of second operand each. Of a form a function is made that takes a word apart, in terms
 * of what nv_dec.c has for it. The bits that it does not take are the form's own and must be as in the opcode. */
struct form {
	const struct nv_enc *e;
	bool sm53;
	unsigned form;
	uint64_t mask[2], value[2];
	char text[4096];
	size_t len;
};

static _Noreturn void wrong(const struct form *o, const char *what)
{
	fprintf(stderr, "nv.def: code 0x%x: %s\n", o->e->code[0], what);
	exit(1);
}

static void statement(struct form *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	o->len += (size_t)snprintf(o->text + o->len, sizeof o->text - o->len, "\t");
	o->len += (size_t)vsnprintf(o->text + o->len, sizeof o->text - o->len, fmt, ap);
	o->len += (size_t)snprintf(o->text + o->len, sizeof o->text - o->len, ";\n");
	va_end(ap);
	if (o->len >= sizeof o->text)
		wrong(o, "too many fields");
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

/* The C text of these bits, which now are taken; until the next call. */
static const char *bits(struct form *o, unsigned pos, unsigned len)
{
	static char text[48];

	if (len > 32 || (pos & 63) + len > 64)
		wrong(o, "a field in two words");
	cover(o, pos, len);
	snprintf(text, sizeof text, len ? "bits(w[%u], %u, %u)" : "0", pos >> 6, pos & 63, len);
	return text;
}

static void operand(struct form *o, const char *opnd, unsigned kind, unsigned pos, unsigned len)
{
	unsigned width = kind != NVK_IMM && kind != NVK_CBUF;

	statement(o, "operand(&in->%s, %u, %u, %s)", opnd, kind, width, bits(o, pos, len));
}

static void byte(struct form *o, const char *opnd, const char *member, unsigned pos, unsigned len)
{
	statement(o, "in->%s%s = (uint8_t)%s", opnd, member, bits(o, pos, len));
}

/* Of the values of a byte only these exist: bit v for v. */
static void valid(struct form *o, unsigned pos, unsigned len, unsigned values)
{
	statement(o, "ok &= 0x%xu >> %s", values, bits(o, pos, len));
}

static void constant(struct form *o, const char *opnd, const char *member, unsigned value)
{
	statement(o, "in->%s%s = %u", opnd, member, value);
}

static void word(struct form *o, const char *opnd, unsigned pos, unsigned len, unsigned shift)
{
	statement(o, "in->%s.value |= %s << %u", opnd, bits(o, pos, len), shift);
}

/* No bit is set, or those are. */
static void either(struct form *o, unsigned pos, unsigned len, unsigned set)
{
	statement(o, "ok &= either(%s, %u)", bits(o, pos, len), set);
}

/* Uniform registers have six bits: the other two of the field stay the form's own zeros. */
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
	word(o, opnd, pos, len, shift);
}

static void cbuf(struct form *o, const char *opnd, unsigned bank, unsigned pos, unsigned len, unsigned shift)
{
	operand(o, opnd, NVK_CBUF, 0, 0);
	byte(o, opnd, ".bank", bank, 5);
	word(o, opnd, pos, len, shift);
}

static void swizzle(struct form *o, const char *opnd, unsigned pos)
{
	byte(o, opnd, ".swz", pos, 2);
	if (!o->sm53)
		valid(o, pos, 2, 0xd);
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
		if (isfloat)
			word(o, opnd, 56, 1, 31);
		else
			statement(o, "in->%s.value -= %s << 19", opnd, bits(o, 56, 1));
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
		statement(o, "ok &= bank(&in->%s)", opnd);
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
	if (style == B_H1) {
		byte(o, "m", "[NVM_H1]", 60, 2);
		valid(o, 60, 2, 3);
	}
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

/* There are at most 16 names, and at most 16 values in a map: of a longer field the upper bits stay the form's own zeros. */
static unsigned at_most4(unsigned len)
{
	return len < 4 ? len : 4;
}

static void modifier(struct form *o, unsigned mod, unsigned pos, unsigned len)
{
	unsigned n = mods[mod].count, values = 0;

	if (n)
		len = at_most4(len);
	statement(o, "in->m[NVM_%s] = (uint8_t)%s", mods[mod].id, bits(o, pos, len));
	for (unsigned i = 0; i < n; i++)
		values |= (unsigned)(mods[mod].name[i] != NULL) << i;
	if (n && ~values & ((1u << (1u << len)) - 1))
		valid(o, pos, len, values);
}

static const struct {
	uint8_t mod, count;
	int8_t value[16];
} maps[NVX_COUNT] = {
#define MOD(...)
#define MAP(id, mod, ...) {NVM_##mod, sizeof((const int8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
#include "../nv_mod.def"
#undef MOD
#undef MAP
};

/* A map is a word of hexadecimal digits. */
static void mapped(struct form *o, unsigned map, unsigned pos, unsigned len)
{
	unsigned long long digits = 0;
	unsigned values = 0;

	len = at_most4(len);
	for (unsigned i = 0; i < maps[map].count; i++)
		if (maps[map].value[i] >= 0) {
			digits |= (unsigned long long)maps[map].value[i] << 4 * i;
			values |= 1u << i;
		}
	statement(o, "in->m[NVM_%s] = 0x%llxull >> 4 * %s & 15", mods[maps[map].mod].id, digits, bits(o, pos, len));
	valid(o, pos, len, values);
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
	case F_CCD: statement(o, "carry(&in->%s, %s)", d, bits(o, f->pos, 1)); return true;
	case F_R: reg(o, s, uniform, f->pos); return true;
	case F_RV: reg(o, s, false, f->pos); return true;
	case F_P: pred(o, s, uniform, f->pos); return true;
	case F_PV: pred(o, s, false, f->pos); return true;
	case F_PMIX:
		pred(o, s, false, f->pos);
		statement(o, "in->%s.kind = (uint8_t)(NVK_PRED + %s)", s, bits(o, f->pos - 1u, 1));
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
		word(o, s, 29, 1, 15);
		word(o, s, 30, 9, 22);
		word(o, s, 56, 1, 31);
		return true;
	case F_CB: cbuf(o, s, f->arg2, f->pos, 16, 0); return true;
	case F_CX:
		operand(o, s, NVK_CBUF, f->arg2, 6);
		word(o, s, f->pos, 16, 0);
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
		either(o, o->form == 1 ? 32 : 64, 8, 0xff);
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

/* The number that an instruction has. */
static void number(struct form *o, unsigned pos, unsigned len, unsigned shift)
{
	statement(o, "in->imm = (int32_t)(%s << %u)", bits(o, pos, len), shift);
}

static void signed_number(struct form *o, unsigned pos, unsigned len, unsigned shift)
{
	statement(o, "in->imm = extend(%s, %u) * %u", bits(o, pos, len), len, 1u << shift);
}

static void field(struct form *o, const struct nv_field *f)
{
	if (operand_field(o, f) || slot_field(o, f))
		return;
	switch (f->kind) {
	case F_M: modifier(o, f->arg, f->pos, f->len); return;
	case F_MC: statement(o, "in->m[NVM_%s] = %u", mods[f->arg].id, f->len); return;
	case F_MX: mapped(o, f->arg, f->pos, f->len); return;
	case F_Z: either(o, f->pos, f->len, (1u << f->len) - 1); return;
	case F_K: return; /* later: nothing may cover it */
	case F_U: cover(o, f->pos, f->len); return;
	case F_NOGUARD: either(o, f->pos, f->len, NV_PT); return;
	case F_OFF: signed_number(o, f->pos, f->len, 0); return;
	case F_OFF4: signed_number(o, f->pos, f->len, 2); return;
	case F_UOFF: number(o, f->pos, f->len, 0); return;
	case F_UOFF4: number(o, f->pos, f->len, 2); return;
	case F_TGT: /* from the next instruction on */
		cover(o, f->pos, f->len);
		statement(o, "in->target = in->offset + in->len + target(w, %u, %u, true) * %u", f->pos, f->len, 1u << f->arg);
		return;
	case F_ATGT:
		cover(o, f->pos, f->len);
		statement(o, "in->target = target(w, %u, %u, false)", f->pos, f->len);
		return;
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

static bool exists(const struct nv_enc *e, unsigned form, bool sm53)
{
	if (sm53)
		return form < 4 && e->code[form];
	return nv_enc_fixed(e) ? form == e->code[0] >> 9 : e->forms >> form & 1;
}

/* The forms of one chip: their functions, themselves, and the index. */
static void print_chip(const char *chip, const struct nv_enc *e, size_t n, bool sm53, struct key *key)
{
	static struct form forms[MAX_FORMS];
	unsigned nform = 0;

	for (size_t i = 0; i < n; i++)
		for (unsigned form = 0; form < 8; form++) {
			struct form *o = &forms[nform];

			if (!exists(&e[i], form, sm53))
				continue;
			if (nform == MAX_FORMS)
				exit(1);
			make_form(o, &e[i], form, sm53);
			printf("static bool take%s_%u(struct nv_inst *in, const uint64_t w[2])\n{\n\tunsigned ok = 1;\n\n%s"
			       "\treturn ok & 1;\n}\n", chip, nform, o->text);
			candidate(key, sm53 ? KEYS53 : KEYS86, sm53 ? 64 - NV_KEY53 : 0, nform++, o);
		}
	printf("static const struct form forms%s[] = {\n", chip);
	for (unsigned i = 0; i < nform; i++) {
		const struct form *o = &forms[i];

		printf("\t{%u, %d, take%s_%u, {0x%llx, 0x%llx}, {0x%llx, 0x%llx}},\n", o->e->op, !sm53 && nv_enc_uniform(o->e),
		       chip, i, (unsigned long long)o->mask[0], (unsigned long long)o->mask[1], (unsigned long long)o->value[0],
		       (unsigned long long)o->value[1]);
	}
	printf("};\n");
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
