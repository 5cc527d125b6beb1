/* xlp_entry.c - one program as bytes: what a worker process tells its parent, checked like a file's. */
#include "xlp.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { ENTRY_MAGIC = 0x31454c58, MOST_GUARDS = 64, MOST_DIAGS = 1 << 20, MOST_TEXT = 1 << 24 };

static void put_frame(struct buf *b, const struct xlp_frame *f)
{
	buf_u32(b, f->packed ? f->packed_size : UINT32_MAX);
	if (!f->packed)
		return;
	buf_put(b, f->hash.b, sizeof(f->hash.b));
	buf_u32(b, f->size);
	buf_put(b, f->packed, f->packed_size);
}

/* Magic, XXH3-64 of what follows, and the fields in the order of the struct. */
void xlp_entry_put(struct buf *b, const struct xlp_program *p)
{
	size_t start = b->n;

	buf_u32(b, ENTRY_MAGIC);
	buf_u64(b, 0);
	buf_text(b, p->name);
	buf_text(b, p->cpu);
	buf_u8(b, p->stage);
	buf_u8(b, p->wave);
	buf_put(b, p->key.b, sizeof(p->key.b));
	buf_u64(b, p->content);
	buf_u64(b, p->record);
	buf_text(b, p->state);
	buf_u32(b, p->nguard);
	for (uint32_t i = 0; i < p->nguard; i++) {
		buf_u32(b, p->guard[i].field);
		buf_u64(b, p->guard[i].value);
	}
	buf_u32(b, p->guest_words);
	buf_u32(b, p->subgroup_size);
	put_frame(b, &p->module);
	put_frame(b, &p->text);
	put_frame(b, &p->generated);
	put_frame(b, &p->generated_text);
	buf_text(b, p->needs);
	buf_u32(b, p->ndiag);
	for (uint32_t i = 0; i < p->ndiag; i++) {
		buf_u32(b, p->diag[i].code);
		buf_u32(b, p->diag[i].addr);
		buf_text(b, p->diag[i].inst);
		buf_text(b, p->diag[i].text);
	}
	if (!b->bad)
		buf_set64(b, start + 4, XXH3_64bits(b->v + start + 12, b->n - start - 12));
}

static void get_frame(struct scan *s, struct xlp_frame *f)
{
	uint32_t n = scan_u32(s);
	const uint8_t *h;

	if (n == UINT32_MAX)
		return;
	h = scan_bytes(s, sizeof(f->hash.b));
	if (h)
		memcpy(f->hash.b, h, sizeof(f->hash.b));
	f->size = scan_u32(s);
	f->packed_size = n;
	f->packed = scan_bytes(s, n);
}

static int get_arrays(struct scan *s, struct xlp_program *p, struct arena *a)
{
	struct xlp_guard *g;
	uint32_t n = scan_u32(s);

	if (n > MOST_GUARDS)
		return -1;
	g = arena_array(a, struct xlp_guard, n + 1);
	for (uint32_t i = 0; g && i < n; i++) {
		g[i].field = scan_u32(s);
		g[i].value = scan_u64(s);
	}
	p->guard = g;
	p->nguard = n;
	return g ? 0 : -1;
}

static int get_diags(struct scan *s, struct xlp_program *p, struct arena *a)
{
	struct xlp_diag *d;
	uint32_t n = scan_u32(s);

	if (n > MOST_DIAGS || n > (s->n - s->at) / 16)
		return -1;
	d = arena_array(a, struct xlp_diag, n + 1);
	for (uint32_t i = 0; d && i < n; i++) {
		d[i].code = scan_u32(s);
		d[i].addr = scan_u32(s);
		d[i].inst = scan_text(s, a, MOST_TEXT);
		d[i].text = scan_text(s, a, MOST_TEXT);
		if (d[i].code >= DIAG_COUNT)
			return -1;
	}
	p->diag = d;
	p->ndiag = n;
	return d ? 0 : -1;
}

static bool is_entry(struct scan *s)
{
	return s->n >= 12 && scan_u32(s) == ENTRY_MAGIC && scan_u64(s) == XXH3_64bits(s->v + 12, s->n - 12) && !s->bad;
}

uint64_t xlp_entry_content(const uint8_t *data, size_t size)
{
	struct scan s = { .v = data, .n = size };

	if (!is_entry(&s))
		return 0;
	for (unsigned i = 0; i < 2; i++) /* name, cpu */
		scan_bytes(&s, scan_u32(&s));
	scan_bytes(&s, 2 + sizeof(((struct xlp_program *)0)->key.b));
	return scan_u64(&s);
}

int xlp_entry_get(const uint8_t *data, size_t size, struct xlp_program *p, struct arena *a)
{
	struct scan s = { .v = data, .n = size };
	const uint8_t *key;

	memset(p, 0, sizeof(*p));
	if (!is_entry(&s))
		return -1;
	p->name = scan_text(&s, a, 512);
	p->cpu = scan_text(&s, a, 64);
	p->stage = scan_u8(&s);
	p->wave = scan_u8(&s);
	key = scan_bytes(&s, sizeof(p->key.b));
	if (!key || p->stage >= STAGE_COUNT)
		return -1;
	memcpy(p->key.b, key, sizeof(p->key.b));
	p->content = scan_u64(&s);
	p->record = scan_u64(&s);
	p->state = scan_text(&s, a, MOST_TEXT);
	if (get_arrays(&s, p, a))
		return -1;
	p->guest_words = scan_u32(&s);
	p->subgroup_size = scan_u32(&s);
	get_frame(&s, &p->module);
	get_frame(&s, &p->text);
	get_frame(&s, &p->generated);
	get_frame(&s, &p->generated_text);
	p->needs = scan_text(&s, a, MOST_TEXT);
	p->nwords = p->module.size / 4;
	return get_diags(&s, p, a) || s.bad || s.at != s.n || p->module.size % 4 || p->generated.size % 4 ||
		!p->generated.packed != !p->generated_text.packed ? -1 : 0;
}
