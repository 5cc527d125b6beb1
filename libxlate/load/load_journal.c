/* load_journal.c - what compilations did to the process, remembered over its death.
 *
 * The file is a head of 16 bytes ("XLATEJNL", version, zero) and records of 32: type (4), VkResult (4), hash of the pipeline
 * (16), XXH3-64 of those (8). Types: B a compilation begins, E it ended, R it ended with a refusal, Q quarantined. Records are
 * appended with one write each, so that they outlive the process that made them, whatever it dies of; a torn or damaged
 * record ends what is read. At opening, a B without its end becomes a Q, and the file is replaced by what still counts (Q and
 * R) at once or not at all. A lock on a file beside it, of the process's life time, tells a crashed writer from a living one.
 */
#define _GNU_SOURCE
#include "load_int.h"
#include "../package/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 16, RECORD = 32, MOST = 1 << 20, VERSION = 1 };
static const uint8_t magic[HEAD] = { 'X', 'L', 'A', 'T', 'E', 'J', 'N', 'L', VERSION };

struct known { struct load_hash hash; char type; int result; };
struct load_journal {
	pthread_mutex_t lock;
	struct known *known; /* open addressing, by hash; type 0 free */
	uint32_t n, cap;
	int fd, lock_fd;
	char *path;
};

static struct known *look(struct load_journal *j, struct load_hash h)
{
	uint32_t i = (uint32_t)h.v[0] & (j->cap - 1);

	while (j->known[i].type && !load_hash_equal(j->known[i].hash, h))
		i = (i + 1) & (j->cap - 1);
	return &j->known[i];
}

static struct known *put(struct load_journal *j, struct load_hash h, char type, int result)
{
	struct known *k;

	if (2 * (j->n + 1) > j->cap) {
		struct load_journal grown = { .cap = j->cap ? j->cap * 2 : 64 };

		grown.known = calloc(grown.cap, sizeof(*grown.known));
		if (!grown.known)
			return NULL;
		for (uint32_t i = 0; i < j->cap; i++) {
			if (j->known[i].type)
				*look(&grown, j->known[i].hash) = j->known[i];
		}
		free(j->known);
		j->known = grown.known;
		j->cap = grown.cap;
	}
	k = look(j, h);
	j->n += !k->type;
	*k = (struct known){ h, type, result };
	return k;
}

static void encode(uint8_t r[RECORD], char type, int result, struct load_hash h)
{
	uint64_t sum;

	memset(r, 0, RECORD);
	r[0] = (uint8_t)type;
	memcpy(r + 4, &result, 4);
	memcpy(r + 8, &h, 16);
	sum = load_hash_of(r, 24).v[0];
	memcpy(r + 24, &sum, 8);
}

/* Replays records. False: the file is no journal, or damaged from some record on. */
static bool replay(struct load_journal *j, const uint8_t *v, size_t n)
{
	if (n < HEAD || memcmp(v, magic, HEAD))
		return false;
	for (size_t at = HEAD; at < n; at += RECORD) {
		uint8_t again[RECORD];
		struct load_hash h;
		int result;

		if (n - at < RECORD)
			return true; /* torn: the process died in it, before it began */
		memcpy(&result, v + at + 4, 4);
		memcpy(&h, v + at + 8, 16);
		encode(again, (char)v[at], result, h);
		if (memcmp(again, v + at, RECORD) || !strchr("BERQ", v[at]) || !v[at])
			return false;
		if (!put(j, h, (char)v[at], result))
			return false;
	}
	return true;
}

/* What still counts, as the new file; -1 when it cannot be written. */
static int rewrite(struct load_journal *j)
{
	uint8_t *v = malloc(HEAD + (size_t)(j->n + 1) * RECORD), *end = v;
	int fd = -1;

	if (!v)
		return -1;
	memcpy(v, magic, HEAD);
	end += HEAD;
	for (uint32_t i = 0; i < j->cap; i++) {
		struct known *k = &j->known[i];

		if (k->type == 'B')
			k->type = 'Q';
		if (k->type != 'Q' && k->type != 'R')
			continue;
		encode(end, k->type, k->result, k->hash);
		end += RECORD;
	}
	if (!buf_replace(&(struct buf){ .v = v, .n = (size_t)(end - v) }, j->path))
		fd = open(j->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	free(v);
	return fd;
}

/* The lock of the journal; -1: another process has it. */
static int take(const char *path)
{
	char name[4096];
	int fd;

	if (snprintf(name, sizeof(name), "%s.lock", path) >= (int)sizeof(name))
		return -1;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void open_file(struct load_journal *j, const struct load_note *note)
{
	struct buf b = { 0 };
	bool read;

	j->lock_fd = take(j->path);
	read = !buf_load(&b, j->path, (size_t)MOST * RECORD) || errno == ENOENT;
	if (!read || (b.n && !replay(j, b.v, b.n)))
		note->say(note->user, XL_LOAD_JOURNAL, true, j->path, "the journal is damaged; what could be read of it counts");
	buf_free(&b);
	if (j->lock_fd < 0) {
		/* What has begun and not ended may be another's at this moment. */
		for (uint32_t i = 0; i < j->cap; i++) {
			if (j->known[i].type == 'B')
				j->known[i].type = 'E';
		}
		note->say(note->user, XL_LOAD_JOURNAL, false, j->path,
			  "another process has the journal, or it cannot be made: a crash of this run will not be remembered");
		return;
	}
	j->fd = rewrite(j);
	if (j->fd < 0)
		note->say(note->user, XL_LOAD_IO, true, j->path, "the journal cannot be written: crashes will not be remembered");
}

struct load_journal *load_journal_open(const char *path, const struct load_note *note)
{
	struct load_journal *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	j->fd = j->lock_fd = -1;
	if (!path)
		return j;
	j->path = strdup(path);
	if (j->path)
		open_file(j, note);
	return j;
}

void load_journal_close(struct load_journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	if (j->lock_fd >= 0)
		close(j->lock_fd);
	pthread_mutex_destroy(&j->lock);
	free(j->known);
	free(j->path);
	free(j);
}

enum load_past load_journal_past(struct load_journal *j, struct load_hash h, int *result)
{
	enum load_past past = LOAD_PAST_NONE;

	pthread_mutex_lock(&j->lock);
	if (j->cap) {
		const struct known *k = look(j, h);

		*result = k->result;
		past = k->type == 'Q' ? LOAD_PAST_CRASHED : k->type == 'R' ? LOAD_PAST_REFUSED : LOAD_PAST_NONE;
	}
	pthread_mutex_unlock(&j->lock);
	return past;
}

static void append(struct load_journal *j, char type, int result, struct load_hash h)
{
	uint8_t r[RECORD];

	pthread_mutex_lock(&j->lock);
	/* Nobody reads what begins and ends where there is no file: that a refusal is over is all that it can say. */
	if (j->fd < 0 && type != 'R' && (!j->cap || !look(j, h)->type)) {
		pthread_mutex_unlock(&j->lock);
		return;
	}
	put(j, h, type, result);
	encode(r, type, result, h);
	/* A record that does not fit on the disk is lost; a torn one would hide those behind it. */
	if (j->fd >= 0 && write(j->fd, r, RECORD) != RECORD) {
		close(j->fd);
		j->fd = -1;
	}
	pthread_mutex_unlock(&j->lock);
}

void load_journal_begin(struct load_journal *j, struct load_hash h)
{
	append(j, 'B', 0, h);
}

void load_journal_end(struct load_journal *j, struct load_hash h, bool refused, int result)
{
	append(j, refused ? 'R' : 'E', result, h);
}

void load_journal_forget(struct load_journal *j, struct load_hash h)
{
	append(j, 'E', 0, h);
}
