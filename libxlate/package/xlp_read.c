/* xlp_read.c - a package opened: everything that is looked at later is checked here once, bytes of blobs when they are used. */
#include "xlp.h"
#include "xlp_form.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { MAX_RAW = 64 << 20, MOST_SHARED = 16 /* diagnostics that programs have, variants shared, for each byte of a package */ };

bool xlp_is(const uint8_t *data, size_t size)
{
	static const uint8_t magic[8] = XLP_MAGIC;

	return size >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

static int bad(struct diag_sink *sink, const char *why)
{
	diag_emit(sink, DIAG_BAD_PACKAGE, DIAG_NO_ADDR, "%s", why);
	return -1;
}

static uint64_t header_sum(const uint8_t *data)
{
	uint8_t copy[XLP_HEADER + XLP_SECTIONS * XLP_SECTION];

	memcpy(copy, data, sizeof(copy));
	memset(copy + XLP_SUM_AT, 0, 8);
	return XXH3_64bits(copy, sizeof(copy));
}

/* A string: it begins behind a zero, so that no two share bytes and a walk through all of them is one through the section. None is
 * longer than XLP_MOST_STRING (strings_fit): however many rows have a long one, it is not walked through for each of them. */
static bool text_fits(const struct xlp *x, uint32_t at, size_t most)
{
	size_t left = x->nstrings - (size_t)at;

	if (at >= x->nstrings || (at && x->strings[at - 1]))
		return false;
	return most >= XLP_MOST_STRING || memchr(x->strings + at, 0, left < most + 1 ? left : most + 1) != NULL;
}

static bool strings_fit(const struct xlp *x)
{
	for (const uint8_t *s = x->strings, *end = s + x->nstrings, *zero; s < end; s = zero + 1) {
		zero = memchr(s, 0, (size_t)(end - s));
		if (!zero || zero - s > XLP_MOST_STRING)
			return false;
	}
	return true;
}

static int sections(struct xlp *x, struct diag_sink *sink)
{
	static const uint32_t row_size[XLP_SECTIONS] = XLP_ROW_SIZES;
	const uint8_t **base[XLP_SECTIONS] = { &x->variant, &x->guard, &x->blob, &x->diag, &x->program, NULL,
		&x->strings, &x->packed };
	uint32_t *rows[XLP_SECTIONS] = { &x->nvariant, &x->nguard, &x->nblob, &x->ndiag, &x->nprogram, NULL,
		&x->nstrings, NULL };
	const uint8_t *stamp = NULL;

	for (unsigned i = 0; i < XLP_SECTIONS; i++) {
		const uint8_t *row = x->data + XLP_HEADER + i * XLP_SECTION;
		uint64_t at = get64(row), size = get64(row + 8);
		uint32_t n = get32(row + 16);

		if (at > x->size || size > x->size - at || get32(row + 20) != row_size[i] ||
		    (i != XLP_PACKED && (uint64_t)n * row_size[i] != size))
			return bad(sink, "a section leaves the file or has rows of another size");
		if (i != XLP_PACKED && XXH3_64bits(x->data + at, size) != get64(row + 24))
			return bad(sink, "a section is damaged");
		if (base[i])
			*base[i] = x->data + at;
		if (rows[i])
			*rows[i] = n;
		if (i == XLP_STAMPS)
			stamp = n == 1 ? x->data + at : NULL;
		if (i == XLP_PACKED)
			x->npacked = (size_t)size;
	}
	if (!stamp || !x->nstrings || x->strings[x->nstrings - 1] || x->strings[0] || !strings_fit(x))
		return bad(sink, "no stamp, or the strings are not terminated or too long");
	for (unsigned i = 0; i < 4; i++) {
		const char **to[] = { &x->stamp.translator, &x->stamp.options, &x->stamp.target, &x->stamp.requirements };
		uint32_t at = get32(stamp + 4 * i);

		if (!text_fits(x, at, XLP_MOST_STRING))
			return bad(sink, "a string lies outside of the strings");
		*to[i] = (const char *)x->strings + at;
	}
	return 0;
}

static bool range(uint32_t first, uint32_t n, uint32_t of)
{
	return first <= of && n <= of - first;
}

/* Bytes of all that belongs to a variant. */
static uint64_t unpacked(const struct xlp *x, const uint8_t *v)
{
	static const unsigned columns[] = { V_MODULE, V_REFLECTION, V_GENERATED, V_GENERATED_TEXT };
	uint64_t n = 0;

	for (unsigned i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		uint32_t b = get32(v + columns[i]);

		n += b == XLP_NO_BLOB ? 0 : get32(x->blob + (size_t)b * BLOB_ROW + B_SIZE);
	}
	return n;
}

/* Every number in the tables that points somewhere points inside. */
static int tables(const struct xlp *x, struct diag_sink *sink)
{
	uint64_t shared = 0, raw = 0;

	for (uint32_t i = 0; i < x->nvariant; i++) {
		const uint8_t *v = x->variant + (size_t)i * VARIANT_ROW;
		uint32_t m = get32(v + V_MODULE), r = get32(v + V_REFLECTION), g = get32(v + V_GENERATED), t = get32(v + V_GENERATED_TEXT);

		if (i && memcmp(v - VARIANT_ROW, v, 16) > 0)
			return bad(sink, "the variants are not sorted by key");
		if (!range(get32(v + V_GUARD), v[V_NGUARD], x->nguard) ||
		    !range(get32(v + V_DIAG), get32(v + V_NDIAG), x->ndiag) || (m != XLP_NO_BLOB && m >= x->nblob) ||
		    (r != XLP_NO_BLOB && r >= x->nblob) || (g != XLP_NO_BLOB && g >= x->nblob) || (t != XLP_NO_BLOB && t >= x->nblob) ||
		    (g == XLP_NO_BLOB) != (t == XLP_NO_BLOB) || v[V_STAGE] >= STAGE_COUNT ||
		    !text_fits(x, get32(v + V_NEEDS), XLP_MOST_STRING))
			return bad(sink, "a variant points outside of its tables");
		if ((m != XLP_NO_BLOB && get32(x->blob + (size_t)m * BLOB_ROW + B_SIZE) % 4) ||
		    (g != XLP_NO_BLOB && get32(x->blob + (size_t)g * BLOB_ROW + B_SIZE) % 4))
			return bad(sink, "a module is no whole number of words");
	}
	for (uint32_t i = 0; i < x->nblob; i++) {
		const uint8_t *b = x->blob + (size_t)i * BLOB_ROW;
		uint32_t at = get32(b + B_OFFSET);

		if (at > x->npacked || get32(b + B_PACKED) > x->npacked - at || get32(b + B_SIZE) > MAX_RAW)
			return bad(sink, "a blob leaves the file or is too large");
	}
	for (uint32_t i = 0; i < x->ndiag; i++) {
		const uint8_t *d = x->diag + (size_t)i * DIAG_ROW;

		if (!text_fits(x, get32(d), XLP_MOST_NAME) || !text_fits(x, get32(d + 8), XLP_MOST_STRING) ||
		    !text_fits(x, get32(d + 12), XLP_MOST_STRING))
			return bad(sink, "a string lies outside of the strings");
	}
	for (uint32_t i = 0; i < x->nprogram; i++) {
		const uint8_t *p = x->program + (size_t)i * PROGRAM_ROW;

		if (!text_fits(x, get32(p + P_NAME), XLP_MOST_NAME) || !text_fits(x, get32(p + P_CPU), XLP_MOST_CPU) ||
		    !text_fits(x, get32(p + P_STATE), XLP_MOST_STRING) || get32(p + P_VARIANT) >= x->nvariant)
			return bad(sink, "a program points outside of its tables, or its name is too long");
		shared += get32(x->variant + (size_t)get32(p + P_VARIANT) * VARIANT_ROW + V_NDIAG);
		raw += unpacked(x, x->variant + (size_t)get32(p + P_VARIANT) * VARIANT_ROW);
	}
	if (!xlp_unpacks(raw, x->size))
		return bad(sink, "programs that unpack to far more than the file's size");
	return shared / MOST_SHARED > x->size ? bad(sink, "programs with more diagnostics than there are") : 0;
}

int xlp_open(struct xlp *x, const uint8_t *data, size_t size, struct diag_sink *sink)
{
	memset(x, 0, sizeof(*x));
	if (!xlp_is(data, size))
		return bad(sink, "not a package");
	if (size < XLP_HEADER + XLP_SECTIONS * XLP_SECTION)
		return bad(sink, "the file ends inside the header");
	if (get32(data + 8) != XLP_FORMAT || get32(data + 12) != XLP_SECTIONS)
		return bad(sink, "a package of another version or dictionary");
	if (get64(data + 16) != size || header_sum(data) != get64(data + XLP_SUM_AT))
		return bad(sink, "the header is damaged, or the file is cut");
	x->data = data;
	x->size = size;
	return sections(x, sink) || tables(x, sink) ? -1 : 0;
}

uint32_t xlp_variant_of(const struct xlp *x, uint32_t program)
{
	return get32(x->program + (size_t)program * PROGRAM_ROW + P_VARIANT);
}

int xlp_check_packed(const struct xlp *x, struct diag_sink *sink)
{
	const uint8_t *row = x->data + XLP_HEADER + XLP_PACKED * XLP_SECTION;

	return XXH3_64bits(x->packed, x->npacked) == get64(row + 24) ? 0 : bad(sink, "the packed bytes are damaged");
}

static struct xlp_frame frame(const struct xlp *x, uint32_t i)
{
	const uint8_t *b = x->blob + (size_t)i * BLOB_ROW;
	struct xlp_frame f = { .size = get32(b + B_SIZE), .packed_size = get32(b + B_PACKED) };

	memcpy(f.hash.b, b, 16);
	f.packed = x->packed + get32(b + B_OFFSET);
	return f;
}

static const uint8_t *variant_row(const struct xlp *x, uint32_t program)
{
	return x->variant + (size_t)xlp_variant_of(x, program) * VARIANT_ROW;
}

static const char *string_at(const struct xlp *x, const uint8_t *p)
{
	return (const char *)x->strings + get32(p);
}

const char *xlp_name_of(const struct xlp *x, uint32_t i)
{
	return string_at(x, x->program + (size_t)i * PROGRAM_ROW + P_NAME);
}

const uint8_t *xlp_key_of(const struct xlp *x, uint32_t i)
{
	return variant_row(x, i) + V_KEY;
}

uint64_t xlp_content_of(const struct xlp *x, uint32_t i)
{
	return get64(x->program + (size_t)i * PROGRAM_ROW + P_CONTENT);
}

uint64_t xlp_record_of(const struct xlp *x, uint32_t i)
{
	return get64(x->program + (size_t)i * PROGRAM_ROW + P_RECORD);
}

const char *xlp_state_of(const struct xlp *x, uint32_t i)
{
	return string_at(x, x->program + (size_t)i * PROGRAM_ROW + P_STATE);
}

uint8_t xlp_stage_of(const struct xlp *x, uint32_t i)
{
	return variant_row(x, i)[V_STAGE];
}

void xlp_get(const struct xlp *x, uint32_t i, struct xlp_program *out, struct arena *a)
{
	const uint8_t *p = x->program + (size_t)i * PROGRAM_ROW, *v = variant_row(x, i);
	uint32_t m = get32(v + V_MODULE), r = get32(v + V_REFLECTION), made = get32(v + V_GENERATED);
	struct xlp_guard *g;
	struct xlp_diag *d;

	memset(out, 0, sizeof(*out));
	out->name = string_at(x, p + P_NAME);
	out->cpu = string_at(x, p + P_CPU);
	out->stage = v[V_STAGE];
	out->wave = v[V_WAVE];
	memcpy(out->key.b, v + V_KEY, 16);
	out->content = get64(p + P_CONTENT);
	out->record = get64(p + P_RECORD);
	out->state = string_at(x, p + P_STATE);
	out->needs = string_at(x, v + V_NEEDS);
	if (m != XLP_NO_BLOB)
		out->module = frame(x, m);
	if (r != XLP_NO_BLOB)
		out->text = frame(x, r);
	if (made != XLP_NO_BLOB) {
		out->generated = frame(x, made);
		out->generated_text = frame(x, get32(v + V_GENERATED_TEXT));
	}
	out->guest_words = get32(v + V_GUEST_WORDS);
	out->subgroup_size = v[V_SUBGROUP];
	out->nwords = m == XLP_NO_BLOB ? 0 : get32(x->blob + (size_t)m * BLOB_ROW + B_SIZE) / 4;
	out->nguard = v[V_NGUARD];
	g = arena_array(a, struct xlp_guard, out->nguard);
	for (uint32_t k = 0; k < out->nguard; k++) {
		const uint8_t *row = x->guard + (size_t)(get32(v + V_GUARD) + k) * GUARD_ROW;

		g[k] = (struct xlp_guard){ get32(row), get64(row + 4) };
	}
	out->guard = g;
	out->ndiag = get32(v + V_NDIAG);
	d = arena_array(a, struct xlp_diag, out->ndiag);
	for (uint32_t k = 0; k < out->ndiag; k++) {
		const uint8_t *row = x->diag + (size_t)(get32(v + V_DIAG) + k) * DIAG_ROW;

		d[k].code = diag_find(string_at(x, row));
		d[k].addr = get32(row + 4);
		d[k].inst = string_at(x, row + 8);
		d[k].text = string_at(x, row + 12);
	}
	out->diag = d;
}

bool xlp_find(const struct xlp *x, const struct rec_hash *key, uint32_t *first, uint32_t *count)
{
	uint32_t lo = 0, hi = x->nvariant;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (memcmp(x->variant + (size_t)mid * VARIANT_ROW, key->b, 16) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (*first = lo; hi < x->nvariant && !memcmp(x->variant + (size_t)hi * VARIANT_ROW, key->b, 16); hi++)
		;
	*count = hi - lo;
	return hi > lo;
}

/* Into f->size bytes, hash-checked. */
static int unframe(struct xlp_unpacker *u, const struct xlp_frame *f, void *out, struct rec_hash *hash, struct diag_sink *sink)
{
	if (!out || xlp_unframe(u, f, out))
		return bad(sink, "a blob cannot be decompressed");
	*hash = record_bytes_hash(out, f->size);
	return record_hash_order(hash, &f->hash) ? bad(sink, "a blob does not have its hash") : 0;
}

static const uint8_t *blob(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, uint32_t *size, struct arena *a,
			   struct diag_sink *sink)
{
	struct xlp_frame f = frame(x, i);
	uint8_t *out = arena_raw(a, f.size + 1u);
	struct rec_hash got;

	if (unframe(u, &f, out, &got, sink))
		return NULL;
	out[f.size] = 0; /* behind a text */
	*size = f.size;
	return out;
}

static const uint32_t *words_of(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, unsigned column, uint32_t *nwords,
				struct arena *a, struct diag_sink *sink)
{
	uint32_t m = get32(variant_row(x, i) + column), size = 0;
	const uint8_t *v = m == XLP_NO_BLOB ? NULL : blob(x, u, m, &size, a, sink);

	*nwords = size / 4;
	return (const uint32_t *)(const void *)v;
}

int xlp_words(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, bool generated, uint32_t *words, uint32_t nwords,
	      struct rec_hash *hash, struct diag_sink *sink)
{
	uint32_t m = get32(variant_row(x, i) + (generated ? V_GENERATED : V_MODULE));
	struct xlp_frame f;

	if (m == XLP_NO_BLOB)
		return bad(sink, "no such module");
	f = frame(x, m);
	return f.size == (uint64_t)nwords * 4 ? unframe(u, &f, words, hash, sink) : bad(sink, "a module is of another size");
}

uint32_t xlp_reflection_of(const struct xlp *x, uint32_t i)
{
	return get32(variant_row(x, i) + V_REFLECTION);
}

static const char *text_of(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, unsigned column, struct arena *a,
			   struct diag_sink *sink)
{
	uint32_t r = get32(variant_row(x, i) + column), size = 0;

	return r == XLP_NO_BLOB ? NULL : (const char *)blob(x, u, r, &size, a, sink);
}

const uint32_t *xlp_module(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, uint32_t *nwords, struct arena *a,
			   struct diag_sink *sink)
{
	return words_of(x, u, i, V_MODULE, nwords, a, sink);
}

const char *xlp_reflection(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, struct arena *a, struct diag_sink *sink)
{
	return text_of(x, u, i, V_REFLECTION, a, sink);
}

const uint32_t *xlp_generated(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, uint32_t *nwords, struct arena *a,
			      struct diag_sink *sink)
{
	return words_of(x, u, i, V_GENERATED, nwords, a, sink);
}

const char *xlp_generated_reflection(const struct xlp *x, struct xlp_unpacker *u, uint32_t i, struct arena *a, struct diag_sink *sink)
{
	return text_of(x, u, i, V_GENERATED_TEXT, a, sink);
}
