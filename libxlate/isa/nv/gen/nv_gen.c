/* nv_gen.c - run by make on the machine that builds: writes what nv.def implies and the preprocessor cannot compute.
 *
 *   nv_gen index    nv_index.inc: per chip, which encodings a word with given opcode bits may be, in the table's order
 *   nv_gen text     nv_text.inc: the text templates as tokens
 */
#include "../nv_enc.h"
#include "../nv_tok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the index: candidates of key k are cand[start[k]] to cand[start[k + 1] - 1], each encoding << 2 | form */
enum { KEYS53 = 1 << NV_KEY53, KEYS86 = 1 << NV_KEY86 };

struct list {
	uint16_t *v;
	size_t n;
};

static void add(struct list *l, unsigned enc, unsigned form)
{
	l->v = realloc(l->v, (l->n + 1) * sizeof *l->v);
	if (!l->v)
		exit(1);
	l->v[l->n++] = (uint16_t)(enc << 2 | form);
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

/* Bits of a sm53 word that a field may cover, whatever the form. Too many only cost a candidate. */
static uint64_t covers53(const struct nv_field *f)
{
	unsigned len = f->len;

	switch (f->kind) {
	case F_S:
	case F_SF:
	case F_S3:
	case F_SF3:
	case F_HIMM: return 1ull << 56 | ((1ull << 19) - 1) << 20;
	case F_CB: return ((1ull << f->len) - 1) << f->pos | 31ull << f->arg2;
	case F_MC:
	case F_SWK: return 0;
	default: return f->pos >= 64 ? 0 : (len >= 64 ? ~0ull : (1ull << len) - 1) << f->pos;
	}
}

static void index53(struct list *key)
{
	for (unsigned i = 0; i < sizeof nv_enc53 / sizeof nv_enc53[0]; i++) {
		const struct nv_enc *e = &nv_enc53[i];
		uint64_t free_bits = 0;

		for (const struct nv_field *f = e->f; f->kind != F_END; f++)
			free_bits |= covers53(f);
		for (unsigned form = 0; form < 4; form++)
			for (unsigned k = 0; e->code[form] && k < KEYS53; k++) {
				unsigned differ = k ^ e->code[form] >> (16 - NV_KEY53);

				/* the top three bits are the opcode's always */
				if (!(differ >> (NV_KEY53 - 3)) && !(differ & ~(free_bits >> (64 - NV_KEY53))))
					add(&key[k], i, form);
			}
	}
}

static void index86(struct list *key)
{
	for (unsigned i = 0; i < sizeof nv_enc86 / sizeof nv_enc86[0]; i++) {
		const struct nv_enc *e = &nv_enc86[i];

		if (nv_enc_fixed(e))
			add(&key[e->code[0]], i, 0);
		for (unsigned form = 0; !nv_enc_fixed(e) && form < 8; form++)
			if (e->forms >> form & 1)
				add(&key[e->code[0] | form << 9], i, 0);
	}
}

static void write_index(void)
{
	static struct list key53[KEYS53], key86[KEYS86];

	index53(key53);
	index86(key86);
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
