/* nv_gen.c - run by make on the machine that builds: writes what nv.def implies and the preprocessor cannot compute.
 *
 *   nv_gen index    nv_index.inc: per chip, which bits of a word are an encoding's own, and which encodings a word with
 *                   given opcode bits may be, in the table's order
 *   nv_gen text     nv_text.inc: the text templates as tokens
 */
#include "../nv_enc.h"
#include "../nv_tok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which bits of a word are an encoding's own: those that none of its fields covers, and those of K fields */
struct own {
	uint64_t mask[2], value[2];
};

static void cover(struct own *o, unsigned pos, unsigned len)
{
	for (unsigned i = pos; i < pos + len; i++)
		o->mask[i >> 6] &= ~(1ull << (i & 63));
}

static void fixed(struct own *o, unsigned pos, unsigned len, unsigned value)
{
	for (unsigned i = 0; i < len; i++) {
		unsigned at = pos + i;

		o->mask[at >> 6] |= 1ull << (at & 63);
		o->value[at >> 6] &= ~(1ull << (at & 63));
		o->value[at >> 6] |= (uint64_t)(value >> i & 1) << (at & 63);
	}
}

static void slot53(struct own *o, unsigned form)
{
	cover(o, 20, form == FORM_RR ? 8 : form == FORM_IR ? 19 : 14);
	if (form == FORM_IR)
		cover(o, 56, 1);
	if (form == FORM_CR || form == FORM_RC)
		cover(o, 34, 5);
}

static void slot86(struct own *o, const struct nv_enc *e, unsigned form, unsigned style)
{
	static const uint8_t flags[] = {[B_INT] = 1, [B_NOT] = 1, [B_FLOAT] = 2, [B_HALF] = 4, [B_H1] = 4, [B_BYTE] = 4};

	if (form == 2 || form == 4) {
		cover(o, 32, 32);
		return;
	}
	cover(o, 64 - flags[style], flags[style]);
	if (form == 3 || form == 5) { /* the bits of a register that only a bindless bank has are the decoder's to check */
		cover(o, 32, 27);
		cover(o, 91, 1);
	} else {
		cover(o, 32, 8);
		if (form >= 6 || nv_enc_uniform(e))
			cover(o, 91, 1);
	}
}

static void field(struct own *o, const struct nv_enc *e, unsigned form, const struct nv_field *f)
{
	switch (f->kind) {
	case F_MC:
	case F_SWK: return;
	case F_K: return; /* later: nothing may cover it */
	case F_S:
	case F_SF:
	case F_S3:
	case F_SF3: slot53(o, form); return;
	case F_HIMM: slot53(o, FORM_IR); return;
	case F_B:
	case F_B3: slot86(o, e, form, f->arg2); return;
	case F_DC:
		cover(o, 64, 8);
		if (form != 1)
			slot86(o, e, form, f->arg2);
		else
			cover(o, 32, 8), cover(o, 74, 2);
		return;
	case F_PMIX: cover(o, f->pos - 1u, 5); return;
	case F_CB:
		cover(o, f->pos, f->len);
		cover(o, f->arg2, 5);
		return;
	case F_CX:
		cover(o, f->pos, f->len);
		cover(o, f->arg2, 8);
		return;
	default: cover(o, f->pos, f->len);
	}
}

static struct own own_bits(const struct nv_enc *e, unsigned form, bool sm53)
{
	struct own o = {{~0ull, sm53 ? 0 : ~0ull}, {e->code[0], 0}};

	if (sm53) {
		o.value[0] = (uint64_t)e->code[form] << 48;
		cover(&o, 16, 4);
	} else {
		cover(&o, 9, 7);
		cover(&o, 105, 21);
		if (e->cls == E_U)
			cover(&o, 91, 1);
	}
	for (const struct nv_field *f = e->f; f->kind != F_END; f++)
		field(&o, e, form, f);
	for (const struct nv_field *f = e->f; f->kind != F_END; f++)
		if (f->kind == F_K)
			fixed(&o, f->pos, f->len, f->arg);
	if (!sm53)
		fixed(&o, 9, 3, form);
	if (!sm53 && e->cls == E_U)
		fixed(&o, 91, 1, 1);
	for (unsigned i = 0; i < 2; i++)
		o.value[i] &= o.mask[i];
	return o;
}

/* ---- the index: candidates of key k are cand[start[k]] to cand[start[k + 1] - 1] */
enum { KEYS53 = 1 << NV_KEY53, KEYS86 = 1 << NV_KEY86 };

struct list {
	uint16_t *v;
	size_t n;
};

static void add(struct list *l, unsigned which)
{
	l->v = realloc(l->v, (l->n + 1) * sizeof *l->v);
	if (!l->v)
		exit(1);
	l->v[l->n++] = (uint16_t)which;
}

static void print(const char *chip, const struct list *key, size_t keys)
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

static void print_own(unsigned enc, unsigned form, const struct own *o, bool sm53)
{
	printf("\t{%u, %u, {0x%llx, 0x%llx}, {0x%llx, 0x%llx}},\n", enc, form, (unsigned long long)o->mask[0],
	       (unsigned long long)(sm53 ? 0 : o->mask[1]), (unsigned long long)o->value[0], (unsigned long long)o->value[1]);
}

/* Every key whose bits do not contradict the encoding's own gets the candidate. */
static void candidate(struct list *key, unsigned keys, unsigned shift, unsigned which, const struct own *o)
{
	for (unsigned k = 0; k < keys; k++)
		if (!(((uint64_t)k << shift ^ o->value[0]) & o->mask[0] & (uint64_t)(keys - 1) << shift))
			add(&key[k], which);
}

static void write_index(void)
{
	static struct list key53[KEYS53], key86[KEYS86];
	unsigned n = 0;

	printf("static const struct own own53[] = {\n");
	for (unsigned i = 0; i < sizeof nv_enc53 / sizeof nv_enc53[0]; i++)
		for (unsigned form = 0; form < 4; form++) {
			struct own o;

			if (!nv_enc53[i].code[form])
				continue;
			o = own_bits(&nv_enc53[i], form, true);
			fixed(&o, 61, 3, nv_enc53[i].code[form] >> 13); /* the opcode's always */
			print_own(i, form, &o, true);
			candidate(key53, KEYS53, 64 - NV_KEY53, n++, &o);
		}
	n = 0;
	printf("};\nstatic const struct own own86[] = {\n");
	for (unsigned i = 0; i < sizeof nv_enc86 / sizeof nv_enc86[0]; i++)
		for (unsigned form = 0; form < 8; form++) {
			struct own o;

			if (nv_enc_fixed(&nv_enc86[i]) ? form != nv_enc86[i].code[0] >> 9 : !(nv_enc86[i].forms >> form & 1))
				continue;
			o = own_bits(&nv_enc86[i], form, false);
			print_own(i, form, &o, false);
			candidate(key86, KEYS86, 0, n++, &o);
		}
	printf("};\n");
	print("53", key53, KEYS53);
	print("86", key86, KEYS86);
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
static const char *const mods[] = {
#define MOD(id, ...) #id,
#define MAP(...)
#include "../nv_mod.def"
#undef MOD
#undef MAP
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

static void token(const char *id, const char *s, size_t len)
{
	int mod = find(mods, sizeof mods / sizeof mods[0], s, len), tok = find(toks, sizeof toks / sizeof toks[0], s, len);

	if (len == 1 && s[0] >= '0' && s[0] < '0' + NV_MAX_SRC) {
		printf(" {NVT_SRC, %c, 0},", s[0]);
	} else if (mod >= 0) {
		printf(" {NVT_MOD, NVM_%s, 0},", mods[mod]);
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
