/* foz.c - a Fossilize database of shader modules. */
#include "foz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SHADER_MODULE = 4, VERSION = 6, PLAIN = 1 };

static void put(struct foz *f, const void *v, size_t n)
{
	if (f->bad)
		return;
	if (n > f->cap - f->n) {
		size_t cap = f->cap ? f->cap : 65536;
		uint8_t *grown;

		while (cap - f->n < n)
			cap *= 2;
		grown = realloc(f->bytes, cap);
		if (!grown) {
			f->bad = true;
			return;
		}
		f->bytes = grown;
		f->cap = cap;
	}
	memcpy(f->bytes + f->n, v, n);
	f->n += n;
}

static void le32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* CRC-32 as zlib and PNG have it. */
static uint32_t crc32_of(const uint8_t *v, size_t n)
{
	uint32_t c = UINT32_MAX, table[256];

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (unsigned k = 0; k < 8; k++)
			table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
	}
	for (size_t i = 0; i < n; i++)
		c = c >> 8 ^ table[(c ^ v[i]) & 255];
	return ~c;
}

static uint64_t hash_of(const uint32_t *words, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = h * 0x100000001b3u ^ words[i];
	return h * 0x100000001b3u; /* flags: 0 */
}

static size_t varint(uint8_t *to, uint32_t v)
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		to[n++] = (uint8_t)(v | 128);
	to[n++] = (uint8_t)v;
	return n;
}

bool foz_add(struct foz *f, const uint32_t *words, size_t nwords)
{
	struct foz_module m = { .hash = hash_of(words, nwords), .at = f->n };
	uint8_t head[16], code[5];
	char text[256];
	size_t packed = 0, json;
	struct foz_module *grown;

	for (size_t i = 0; i < nwords; i++)
		packed += varint(code, words[i]);
	snprintf(text, sizeof(text), "%024x%016llx", TAG_SHADER_MODULE, (unsigned long long)m.hash);
	put(f, text, 40);
	json = (size_t)snprintf(text, sizeof(text), "{\"version\":%d,\"shaderModules\":{\"%016llx\":{\"varintOffset\":0,"
		"\"varintSize\":%zu,\"codeSize\":%zu,\"flags\":0}}}", VERSION, (unsigned long long)m.hash, packed, nwords * 4);
	le32(head, (uint32_t)(json + 1 + packed));
	le32(head + 4, PLAIN);
	le32(head + 8, 0);
	le32(head + 12, (uint32_t)(json + 1 + packed));
	put(f, head, sizeof(head));
	put(f, text, json + 1);
	for (size_t i = 0; i < nwords; i++)
		put(f, code, varint(code, words[i]));
	m.size = f->n - m.at;
	if (f->bad || m.size > UINT32_MAX) {
		f->bad = true;
		return true;
	}
	le32(f->bytes + m.at + 48, crc32_of(f->bytes + m.at + 56, m.size - 56));
	for (uint32_t i = 0; i < f->nmodule; i++) {
		if (f->module[i].hash != m.hash)
			continue;
		f->n = m.at;
		return f->module[i].size == m.size && !memcmp(f->bytes + f->module[i].at, f->bytes + m.at, m.size);
	}
	grown = realloc(f->module, (f->nmodule + 1) * sizeof(*grown));
	if (!grown) {
		f->bad = true;
		return true;
	}
	f->module = grown;
	grown[f->nmodule++] = m;
	return true;
}

static int by_hash(const void *a, const void *b)
{
	const struct foz_module *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

uint8_t *foz_finish(const struct foz *f, size_t *size)
{
	static const uint8_t head[16] = { 0x81, 'F', 'O', 'S', 'S', 'I', 'L', 'I', 'Z', 'E', 'D', 'B', 0, 0, 0, VERSION };
	uint8_t *out = f->bad ? NULL : malloc(sizeof(head) + f->n);

	if (!out)
		return NULL;
	memcpy(out, head, sizeof(head));
	*size = sizeof(head);
	if (f->nmodule)
		qsort(f->module, f->nmodule, sizeof(*f->module), by_hash);
	for (uint32_t i = 0; i < f->nmodule; i++) {
		memcpy(out + *size, f->bytes + f->module[i].at, f->module[i].size);
		*size += f->module[i].size;
	}
	return out;
}

void foz_free(struct foz *f)
{
	free(f->bytes);
	free(f->module);
	memset(f, 0, sizeof(*f));
}
