/* corpus_find.c - the records of a corpus folder, and what they say of how to judge their translations. */
#include "corpus.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void corpus_row_free(struct corpus_row *r)
{
	free(r->family);
	free(r->name);
	free(r->stage);
	free(r->status);
	free(r->code);
	free(r->valid);
	free(r->equal);
}

void corpus_free(struct corpus *c)
{
	for (uint32_t i = 0; i < c->nrecord; i++) {
		struct corpus_record *r = &c->record[i];

		free(r->family);
		free(r->name);
		free(r->file);
		free(r->gpu);
		free(r->options);
		free(r->colors);
		for (unsigned k = 0; k < r->nstage; k++) {
			free(r->originals[k]);
			free(r->stages[k]);
		}
	}
	for (uint32_t i = 0; i < c->nrow; i++)
		corpus_row_free(&c->row[i]);
	free(c->record);
	free(c->row);
}

static char *copy(const cJSON *j)
{
	return cJSON_IsString(j) ? strdup(j->valuestring) : NULL;
}

/* A word that may stand in a list of jobs. */
static bool word(const char *s)
{
	return s && *s && *s != '-' && !strpbrk(s, " \t\r\n:/\\");
}

static void stages(struct corpus_record *r, const cJSON *j)
{
	const cJSON *real = cJSON_GetObjectItem(j, "real_stages"), *i, *k;

	cJSON_ArrayForEach(i, cJSON_GetObjectItem(j, "inputs")) {
		char *file = copy(cJSON_GetObjectItem(i, "file")), *stage = copy(cJSON_GetObjectItem(i, "stage"));

		if (r->nstage == 8 || !word(file) || !word(stage)) {
			free(file);
			free(stage);
			continue;
		}
		cJSON_ArrayForEach(k, real)
			r->real[r->nstage] |= cJSON_IsString(k) && !strcmp(k->valuestring, stage);
		r->originals[r->nstage] = file;
		r->stages[r->nstage++] = stage;
	}
}

/* Options of the run that was recorded: what is no module, word by word. */
static void options(struct corpus_record *r, const cJSON *j)
{
	const cJSON *command = cJSON_GetObjectItem(cJSON_GetObjectItem(j, "expected"), "command"), *i;
	const char *colors = cJSON_GetStringValue(cJSON_GetObjectItem(j, "color"));
	char *text = NULL;
	size_t n = 0, len;
	FILE *f = open_memstream(&text, &n);
	bool first = true;

	if (!f)
		return;
	cJSON_ArrayForEach(i, command) {
		const char *s = cJSON_GetStringValue(i);

		len = s ? strlen(s) : 0;
		if (!first && s && !strpbrk(s, " \t\r\n/\\") && !(len > 4 && !strcmp(s + len - 4, ".spv")))
			fprintf(f, "%s ", s);
		first = false;
	}
	if (colors && (!strcmp(colors, "rgba8") || !strcmp(colors, "rgba16f")))
		fputs("-H ", f);
	fclose(f);
	r->options = text;
}

static cJSON *read_json(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL, part[4096];
	size_t n = 0, size = 0, got;
	FILE *to = f ? open_memstream(&text, &size) : NULL;
	cJSON *j = NULL;

	while (to && n < 64u << 20 && (got = fread(part, 1, sizeof(part), f)) > 0)
		n += fwrite(part, 1, got, to);
	if (to && !fclose(to))
		j = cJSON_ParseWithLength(text, size);
	if (f)
		fclose(f);
	free(text);
	return j;
}

static bool grow(void **v, size_t *cap, size_t want, size_t size)
{
	void *grown;

	if (want <= *cap)
		return true;
	grown = realloc(*v, (*cap = want * 2 + 32) * size);
	*v = grown ? grown : *v;
	return grown;
}

static void describe(struct corpus_record *r, const cJSON *j)
{
	const cJSON *kind = cJSON_GetObjectItem(j, "kind");

	r->gpu = copy(cJSON_GetObjectItem(j, "family"));
	r->colors = copy(cJSON_GetObjectItem(j, "color"));
	r->linked = cJSON_IsTrue(cJSON_GetObjectItem(j, "linked"));
	r->pair = !cJSON_IsString(kind) || strcmp(kind->valuestring, "vert");
	if (!word(r->gpu) || strspn(r->gpu, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(r->gpu)) {
		free(r->gpu);
		r->gpu = NULL;
	}
	stages(r, j);
	options(r, j);
}

static double instructions(const cJSON *j, const char *stage)
{
	const cJSON *i;

	cJSON_ArrayForEach(i, cJSON_GetObjectItem(j, "executables")) {
		const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(i, "stage"));
		const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(i, "stats"), "Instructions");

		if (s && !strcmp(s, stage) && cJSON_IsNumber(n))
			return n->valuedouble;
	}
	return -1;
}

/* The programs of a record are rows. */
static int rows(struct corpus *c, struct corpus_record *r, const cJSON *j)
{
	struct xl_log log = stderr_log();
	enum xl_status status = XL_OK;
	struct xl_record *record = xl_record_import(r->file, &log, &status);

	for (uint32_t i = 0; record && i < xl_record_programs(record); i++) {
		struct xl_program_info info;
		struct corpus_row *row;
		size_t base;

		xl_record_program(record, i, &info);
		if (info.linked)
			continue;
		if (!strcmp(info.stage, "comp"))
			r->wave = info.wave;
		if (!grow((void **)&c->row, &c->row_cap, c->nrow + 1u, sizeof(*c->row)))
			status = XL_INTERNAL;
		if (status)
			break;
		base = strlen(info.name) - strlen(info.stage) - 1;
		row = &c->row[c->nrow++];
		*row = (struct corpus_row){ .family = strdup(r->family), .name = strndup(info.name, base), .stage = strdup(info.stage), .words = -1,
			.cost = -1, .record = (uint32_t)(r - c->record), .instructions = instructions(j, info.stage) };
		memcpy(row->key, info.key, sizeof(row->key));
		if (!row->family || !row->name || !row->stage)
			status = XL_INTERNAL;
	}
	xl_record_free(record);
	return (int)status;
}

static int add(struct corpus *c, const char *family, const char *path)
{
	cJSON *j = read_json(path);
	const cJSON *name = cJSON_GetObjectItem(j, "name");
	struct corpus_record *r;
	int rc = XL_INTERNAL;

	if (!j) {
		fprintf(stderr, "%s: error: this is not JSON, or cannot be read [bad-json]\n", path);
		return XL_UNREADABLE;
	}
	/* Other JSON (a manifest, a report) is no record. */
	if (!cJSON_IsString(name) || !cJSON_IsArray(cJSON_GetObjectItem(j, "executables"))) {
		cJSON_Delete(j);
		return 0;
	}
	if (grow((void **)&c->record, &c->record_cap, c->nrecord + 1u, sizeof(*c->record))) {
		r = &c->record[c->nrecord++];
		*r = (struct corpus_record){ .family = strdup(family), .name = copy(name), .file = strdup(path) };
		describe(r, j);
		rc = r->family && r->name && r->file ? rows(c, r, j) : XL_INTERNAL;
	}
	cJSON_Delete(j);
	return rc;
}

/* Records of one folder; `deeper`: those of the folders in it. */
static int folder(struct corpus *c, const char *family, const char *path, bool deeper)
{
	struct dirent **list = NULL;
	int n = folder_list(path, &list), rc = 0, one;

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		size_t len = strlen(path) + strlen(name) + 2;
		char *file = malloc(len);

		one = file ? 0 : XL_INTERNAL;
		if (file)
			snprintf(file, len, "%s/%s", path, name);
		len = strlen(name);
		if (file && len > 5 && !strcmp(name + len - 5, ".json"))
			one = add(c, family, file);
		else if (file && deeper)
			one = folder(c, name, file, false);
		rc = one > rc ? one : rc;
		free(file);
		free(list[i]);
	}
	free(list);
	if (n < 0 && (deeper || errno != ENOTDIR)) { /* other files lie there, too */
		fprintf(stderr, "%s: error: cannot read %s: %s [io]\n", path, path, strerror(errno));
		return XL_UNREADABLE;
	}
	return rc;
}

int corpus_find(struct corpus *c)
{
	int rc = folder(c, "-", c->dir, true);

	if (!rc && !c->nrow) {
		fprintf(stderr, "%s: error: no records in its folders [not-found]\n", c->dir);
		rc = XL_UNREADABLE;
	}
	if (!rc)
		qsort(c->row, c->nrow, sizeof(*c->row), corpus_row_order);
	for (uint32_t i = 0; i < c->nrow && !rc; i++) {
		const struct corpus_row *row = &c->row[i];
		struct corpus_record *r = &c->record[row->record];

		if (i && !corpus_row_order(row - 1, row)) {
			fprintf(stderr, "%s: error: %s.%s is in %s, too [bad-record]\n", r->file, row->name, row->stage,
				c->record[row[-1].record].file);
			rc = XL_UNREADABLE;
		}
		/* Those of one record stand together: they have its name. */
		r->row = r->nrow ? r->row : i;
		r->nrow++;
	}
	return rc;
}
