/* build_jobs.c - what there is to do: a job for each record, what is there twice left out, what an older package has taken. */
#include "build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What decides on the shard: the record's bytes, or for a record file what its programs are. */
static uint64_t place(const struct input *in, uint64_t hash)
{
	for (uint32_t i = 0; in->record && i < xl_record_programs(in->record); i++)
		hash ^= xl_record_content(in->record, i);
	return hash;
}

int jobs_add(struct work *w, const struct input *in, struct shard shard, struct map *seen)
{
	uint32_t n = input_records(in);
	struct job *grown = realloc(w->job, ((size_t)w->njob + n + 1) * sizeof(*grown));

	if (!grown)
		return XL_INTERNAL;
	w->job = grown;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t hash = in->cache ? xl_cache_record_hash(in->cache, i) : 0;

		if (shard.n && place(in, hash) % shard.n != shard.i - 1)
			continue;
		if (hash && map_get(seen, hash) != MAP_NONE)
			continue;
		if (hash && !map_put(seen, hash, w->njob))
			return XL_INTERNAL;
		w->job[w->njob++] = (struct job){ .in = in, .record = i, .hash = hash };
	}
	return 0;
}

int jobs_copy(struct work *w)
{
	struct xl_log log = stderr_log();

	for (uint32_t i = 0; w->since && i < w->njob; i++) {
		struct job *j = &w->job[i];
		uint32_t n = 0;
		const uint32_t *from = j->hash ?
			xl_package_of_record(w->since, j->hash, xl_cache_record_name(j->in->cache, j->record), &n) : NULL;

		if (!from)
			continue;
		j->out = calloc(n, sizeof(*j->out));
		if (!j->out)
			return XL_INTERNAL;
		for (uint32_t k = 0; k < n; k++) {
			int rc = (int)xl_package_copy(w->package, w->since, from[k], NULL, 0, &j->out[k].index, &log);

			if (rc)
				return rc;
			j->out[k].how = HOW_COPIED;
			j->nout++;
		}
		j->ended = j->done = true;
		w->ndone++;
	}
	return 0;
}

/* ---- records of what failed, so that the failure can be looked at alone */
static int keep_one(const struct job *j, const struct xl_package_program *p, const char *dir)
{
	struct xl_log log = stderr_log();
	enum xl_status status = XL_OK;
	struct xl_record *r = j->in->cache ? xl_cache_read(j->in->cache, j->record, &log, &status) : j->in->record;
	struct xl_cache_writer *cache = xl_cache_writer_new();
	size_t len = strlen(dir) + strlen(p->name) + 16;
	char *path = malloc(len);
	int rc = (int)status;

	if (!cache || !path) {
		rc = XL_INTERNAL;
	} else if (r) {
		snprintf(path, len, "%s/%s-%.8s.xgc", dir, p->name, p->key);
		rc = xl_cache_add(cache, r) ? XL_INTERNAL : (int)xl_cache_write(cache, path, &log);
	}
	input_unread(j->in, r);
	xl_cache_writer_free(cache);
	free(path);
	return rc;
}

int keep_failed(const struct work *w, const char *dir)
{
	bool made = false;
	int rc = 0, one;

	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		for (uint32_t k = 0; j->done && k < j->nout; k++) {
			struct xl_package_program p;

			work_program(w, &j->out[k], &p);
			if (p.status != XL_INTERNAL)
				continue;
			if (!made && mkdir(dir, 0777) && errno != EEXIST) {
				fprintf(stderr, "error: cannot make %s: %s [io]\n", dir, strerror(errno));
				return XL_UNREADABLE;
			}
			made = true;
			one = keep_one(j, &p, dir);
			rc = one > rc ? one : rc;
		}
	}
	return rc;
}
