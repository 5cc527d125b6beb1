/* xlp_frame.c - bytes as a package has them: modules in the form of xlp_spirv.h, texts as they are, and zstd over both with the
 * dictionary of xlp_dict.bin, which was trained over such forms (`make dictionary`). */
#include "xlp.h"
#include "xlp_form.h"
#include "xlp_spirv.h"

#include <stdlib.h>
#include <zstd.h>

enum { LEVEL = 9 /* 12 takes twice as long for 1 % less */ };
enum { FORM_PLAIN, FORM_SPIRV }; /* first byte of what is compressed */

static const uint8_t dictionary[] = {
#include "xlp_dict.inc"
};

struct xlp_packer { ZSTD_CCtx *zstd; struct xlp_spirv spirv; struct buf plain; void *tmp; size_t cap; };

struct xlp_packer *xlp_packer_new(void)
{
	struct xlp_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->zstd = ZSTD_createCCtx();
	/* Which dictionary it is, the package's version says. */
	if (!p->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_dictIDFlag, 0)) ||
	    ZSTD_isError(ZSTD_CCtx_loadDictionary(p->zstd, dictionary, sizeof(dictionary)))) {
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

int xlp_frame(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t size, struct arena *a, struct xlp_frame *out)
{
	size_t bound, n;
	uint8_t *keep;

	memset(out, 0, sizeof(*out));
	if (size > UINT32_MAX || form(p, kind, v, size))
		return -1;
	bound = ZSTD_compressBound(p->plain.n);
	if (bound > p->cap) {
		free(p->tmp);
		p->tmp = malloc(bound);
		p->cap = p->tmp ? bound : 0;
	}
	if (!p->tmp)
		return -1;
	n = ZSTD_compress2(p->zstd, p->tmp, bound, p->plain.v, p->plain.n);
	keep = ZSTD_isError(n) ? NULL : arena_raw(a, n);
	if (!keep)
		return -1;
	memcpy(keep, p->tmp, n);
	*out = (struct xlp_frame){ record_bytes_hash(v, size), (uint32_t)size, (uint32_t)n, keep };
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

	/* What the frame states is looked at before anything is allocated for it. */
	if (!n || n < XLP_LEAST_FORM(f->size) || n > XLP_MOST_FORM((unsigned long long)f->size))
		return -1;
	if (n > u->cap) {
		free(u->tmp);
		u->tmp = malloc((size_t)n);
		u->cap = u->tmp ? (size_t)n : 0;
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
