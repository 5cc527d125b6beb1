/* xlp_frame.c - bytes as a package has them: modules in the form of xlp_spirv.h, texts as they are, and zstd over both with the
 * dictionary of xlp_dict.bin, which was trained over such forms (`make dictionary`). */
#include "xlp.h"
#include "xlp_form.h"
#include "xlp_spirv.h"

#include <stdlib.h>
#include <zstd.h>

/* Level 6, but its greedy search, looked at 1 << DEPTH places: the next better one, level 9's, takes twice as long for 1 % less. */
enum { LEVEL = 6, DEPTH = 4, SHORTEST = 3 };
/* Many programs have the same reflection: the frames of some short texts are kept by their hash. */
enum { KEPT = 256, MOST_KEPT = 4096 };
enum { FORM_PLAIN, FORM_SPIRV }; /* first byte of what is compressed */

static const uint8_t dictionary[] = {
#include "xlp_dict.inc"
};

struct xlp_packer {
	ZSTD_CCtx *zstd;
	struct xlp_spirv spirv;
	struct buf plain;
	uint8_t *tmp;
	size_t cap;
	struct xlp_frame kept[KEPT]; /* `packed` is ours */
};

static bool set(ZSTD_CCtx *z, ZSTD_cParameter what, int value)
{
	return !ZSTD_isError(ZSTD_CCtx_setParameter(z, what, value));
}

/* The dictionary's tables are made with the first frame, and zstd 1.5 dies where it has no memory for them: here and not in a worker
 * process under a limit, which also has them from its parent that way. */
static bool warm(ZSTD_CCtx *z)
{
	uint8_t frame[64];

	return !ZSTD_isError(ZSTD_compress2(z, frame, sizeof(frame), "", 0));
}

struct xlp_packer *xlp_packer_new(void)
{
	struct xlp_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->zstd = ZSTD_createCCtx();
	/* Which dictionary it is, the package's version says. */
	if (!p->zstd || !set(p->zstd, ZSTD_c_compressionLevel, LEVEL) || !set(p->zstd, ZSTD_c_strategy, ZSTD_greedy) ||
	    !set(p->zstd, ZSTD_c_searchLog, DEPTH) || !set(p->zstd, ZSTD_c_minMatch, SHORTEST) ||
	    !set(p->zstd, ZSTD_c_dictIDFlag, 0) ||
	    ZSTD_isError(ZSTD_CCtx_loadDictionary(p->zstd, dictionary, sizeof(dictionary))) || !warm(p->zstd)) {
		xlp_packer_free(p);
		return NULL;
	}
	return p;
}

void xlp_packer_free(struct xlp_packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->zstd);
	xlp_spirv_free(&p->spirv);
	buf_free(&p->plain);
	for (unsigned i = 0; i < KEPT; i++)
		free((void *)(uintptr_t)p->kept[i].packed);
	free(p->tmp);
	free(p);
}

/* What is compressed: into p->plain. */
static int form(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t size)
{
	int bad = 1;

	p->plain.n = 0;
	if (kind == XLP_MODULE && size % 4 == 0) {
		buf_u8(&p->plain, FORM_SPIRV);
		bad = xlp_spirv_pack(&p->spirv, v, size / 4, &p->plain);
	}
	if (bad > 0 || p->plain.n > XLP_MOST_FORM(size)) {
		p->plain.n = 0;
		buf_u8(&p->plain, FORM_PLAIN);
		buf_put(&p->plain, v, size);
		bad = 0;
	}
	return bad || p->plain.bad ? -1 : 0;
}

int xlp_form(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t size, const uint8_t **out, size_t *n)
{
	int bad = form(p, kind, v, size);

	*out = p->plain.v;
	*n = p->plain.n;
	return bad;
}

static struct xlp_frame *kept(struct xlp_packer *p, const struct rec_hash *h)
{
	return &p->kept[h->b[0] % KEPT];
}

/* Out of memory it is not kept, and that is all. */
static void keep(struct xlp_packer *p, const struct xlp_frame *f)
{
	struct xlp_frame *to = kept(p, &f->hash);
	uint8_t *copy = f->packed_size <= MOST_KEPT ? malloc(f->packed_size) : NULL;

	if (!copy)
		return;
	memcpy(copy, f->packed, f->packed_size);
	free((void *)(uintptr_t)to->packed);
	*to = *f;
	to->packed = copy;
}

/* Into p->tmp; its size, or 0. */
static size_t compress(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t size)
{
	size_t bound, n;

	if (form(p, kind, v, size))
		return 0;
	bound = ZSTD_compressBound(p->plain.n);
	if (bound > p->cap) {
		free(p->tmp);
		p->tmp = malloc(bound);
		p->cap = p->tmp ? bound : 0;
	}
	n = p->tmp ? ZSTD_compress2(p->zstd, p->tmp, bound, p->plain.v, p->plain.n) : 0;
	return ZSTD_isError(n) ? 0 : n;
}

int xlp_frame(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t size, struct arena *a, struct xlp_frame *out)
{
	struct xlp_frame f = { .size = (uint32_t)size };
	const struct xlp_frame *had;
	uint8_t *own;
	bool again;

	memset(out, 0, sizeof(*out));
	if (size > UINT32_MAX)
		return -1;
	f.hash = record_bytes_hash(v, size);
	had = kept(p, &f.hash);
	again = kind == XLP_TEXT && had->packed && had->size == f.size && !record_hash_order(&had->hash, &f.hash);
	f.packed_size = again ? had->packed_size : (uint32_t)compress(p, kind, v, size);
	own = f.packed_size ? arena_raw(a, f.packed_size) : NULL;
	if (!own)
		return -1;
	memcpy(own, again ? had->packed : p->tmp, f.packed_size);
	f.packed = own;
	if (kind == XLP_TEXT && !again)
		keep(p, &f);
	*out = f;
	return 0;
}

struct xlp_unpacker { ZSTD_DCtx *zstd; struct xlp_spirv spirv; uint8_t *tmp; size_t cap; };

struct xlp_unpacker *xlp_unpacker_new(void)
{
	struct xlp_unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->zstd = ZSTD_createDCtx();
	if (!u->zstd || ZSTD_isError(ZSTD_DCtx_loadDictionary(u->zstd, dictionary, sizeof(dictionary)))) {
		xlp_unpacker_free(u);
		return NULL;
	}
	return u;
}

void xlp_unpacker_free(struct xlp_unpacker *u)
{
	if (!u)
		return;
	ZSTD_freeDCtx(u->zstd);
	xlp_spirv_free(&u->spirv);
	free(u->tmp);
	free(u);
}

int xlp_unframe(struct xlp_unpacker *u, const struct xlp_frame *f, void *out)
{
	unsigned long long n = ZSTD_getFrameContentSize(f->packed, f->packed_size);
	size_t room;

	/* What the frame states is looked at before anything is allocated for it. */
	if (!n || n < XLP_LEAST_FORM(f->size) || n > XLP_MOST_FORM((unsigned long long)f->size))
		return -1;
	room = (size_t)n + XLP_SPIRV_ROOM(f->size / 4);
	if (room > u->cap) {
		room = room > 2 * u->cap ? room : 2 * u->cap;
		free(u->tmp);
		u->tmp = calloc(room, 1); /* what is read behind a damaged form is the same in every run */
		u->cap = u->tmp ? room : 0;
	}
	if (!u->tmp || ZSTD_decompressDCtx(u->zstd, u->tmp, (size_t)n, f->packed, f->packed_size) != n)
		return -1;
	if (u->tmp[0] == FORM_SPIRV && f->size % 4 == 0)
		return xlp_spirv_unpack(&u->spirv, u->tmp + 1, (size_t)n - 1, out, f->size / 4);
	if (u->tmp[0] != FORM_PLAIN || n - 1 != f->size)
		return -1;
	memcpy(out, u->tmp + 1, f->size);
	return 0;
}
