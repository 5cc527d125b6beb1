#define _GNU_SOURCE
#include "buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void buf_put(struct buf *b, const void *v, size_t n)
{
	if (b->bad || !n)
		return;
	if (n > b->cap - b->n) {
		size_t cap = b->cap ? b->cap : 4096;
		uint8_t *p;

		while (cap - b->n < n) {
			if (cap > SIZE_MAX / 2) {
				b->bad = true;
				return;
			}
			cap *= 2;
		}
		p = realloc(b->v, cap);
		if (!p) {
			b->bad = true;
			return;
		}
		b->v = p;
		b->cap = cap;
	}
	memcpy(b->v + b->n, v, n);
	b->n += n;
}

static void put32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

void buf_u32(struct buf *b, uint32_t v)
{
	uint8_t p[4];

	put32(p, v);
	buf_put(b, p, 4);
}

void buf_u64(struct buf *b, uint64_t v)
{
	buf_u32(b, (uint32_t)v);
	buf_u32(b, (uint32_t)(v >> 32));
}

void buf_var_long(struct buf *b, uint32_t v)
{
	uint8_t p[5];
	unsigned n = 0;

	for (; v > 127; v >>= 7)
		p[n++] = (uint8_t)(v | 128);
	p[n++] = (uint8_t)v;
	buf_put(b, p, n);
}

void buf_text(struct buf *b, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	buf_u32(b, (uint32_t)n);
	buf_put(b, s, n);
}

void buf_pad(struct buf *b, size_t to)
{
	while (!b->bad && b->n % to)
		buf_u8(b, 0);
}

void buf_set32(struct buf *b, size_t at, uint32_t v)
{
	if (!b->bad)
		put32(b->v + at, v);
}

void buf_set64(struct buf *b, size_t at, uint64_t v)
{
	buf_set32(b, at, (uint32_t)v);
	buf_set32(b, at + 4, (uint32_t)(v >> 32));
}

void buf_free(struct buf *b)
{
	free(b->v);
	memset(b, 0, sizeof(*b));
}

const uint8_t *scan_bytes(struct scan *s, size_t n)
{
	const uint8_t *p = s->v + s->at;

	if (s->bad || n > s->n - s->at) {
		s->bad = true;
		return NULL;
	}
	s->at += n;
	return p;
}

uint32_t scan_u32(struct scan *s)
{
	const uint8_t *p = scan_bytes(s, 4);

	return p ? get32(p) : 0;
}

uint64_t scan_u64(struct scan *s)
{
	const uint8_t *p = scan_bytes(s, 8);

	return p ? get64(p) : 0;
}

uint32_t scan_var_long(struct scan *s)
{
	uint32_t v = 0;

	for (unsigned shift = 0; shift < 35 && s->at < s->n; shift += 7) {
		uint8_t b = s->v[s->at++];

		v |= (uint32_t)(b & 127) << shift;
		if (!(b & 128))
			return v;
	}
	s->bad = true;
	return v;
}

const char *scan_text(struct scan *s, struct arena *a, size_t most)
{
	uint32_t n = scan_u32(s);
	const uint8_t *p;
	char *out;

	if (n > most || memchr(s->bad ? "" : (const char *)s->v + s->at, 0, s->bad || n > s->n - s->at ? 0 : n)) {
		s->bad = true;
		return "";
	}
	p = scan_bytes(s, n);
	if (!p)
		return "";
	out = arena_alloc(a, (size_t)n + 1);
	if (!out) {
		s->bad = true;
		return "";
	}
	memcpy(out, p, n);
	return out;
}

int buf_load(struct buf *b, const char *path, size_t most)
{
	bool in = !strcmp(path, "-");
	int fd = in ? 0 : open(path, O_RDONLY | O_CLOEXEC), err = 0;
	uint8_t part[65536];
	ssize_t n = 0;

	if (fd < 0)
		return -1;
	while (!b->bad && (n = read(fd, part, sizeof(part))) != 0) {
		if (n < 0) {
			if (errno == EINTR)
				continue;
			err = errno;
			break;
		}
		if ((size_t)n > most - b->n) {
			err = EFBIG;
			break;
		}
		buf_put(b, part, (size_t)n);
	}
	if (b->bad)
		err = ENOMEM;
	if (!in)
		close(fd);
	errno = err;
	return err ? -1 : 0;
}

static int write_all(int fd, const uint8_t *v, size_t n)
{
	while (n) {
		ssize_t w = write(fd, v, n);

		if (w < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		v += w;
		n -= (size_t)w;
	}
	return 0;
}

/* The rename is durable once the folder is. */
static void sync_folder(const char *path)
{
	char *dir = strdup(path), *slash = dir ? strrchr(dir, '/') : NULL;
	int fd;

	if (slash)
		slash[slash == dir] = 0;
	fd = dir ? open(slash ? dir : ".", O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(dir);
}

int buf_replace(const struct buf *b, const char *path)
{
	size_t len = strlen(path);
	char *tmp;
	int fd, err = 0;
	struct stat st;

	if (b->bad) {
		errno = ENOMEM;
		return -1;
	}
	if (!strcmp(path, "-"))
		return write_all(1, b->v, b->n);
	/* A device or a pipe is written to, not replaced. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			return -1;
		err = write_all(fd, b->v, b->n);
		close(fd);
		return err;
	}
	tmp = malloc(len + 8);
	if (!tmp)
		return -1;
	memcpy(tmp, path, len);
	tmp[len] = '.';
	memset(tmp + len + 1, 'X', 6); /* mkostemp's letters */
	tmp[len + 7] = 0;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0) {
		err = errno;
		free(tmp);
		errno = err;
		return -1;
	}
	if (write_all(fd, b->v, b->n) || fchmod(fd, 0644) || fsync(fd))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	if (!err && rename(tmp, path))
		err = errno;
	if (err)
		unlink(tmp);
	else
		sync_folder(path);
	free(tmp);
	errno = err;
	return err ? -1 : 0;
}
