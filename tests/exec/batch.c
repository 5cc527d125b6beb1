#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

enum { MAX_WORKERS = 64 };

struct entry {
	char *name;
	struct job job;
	bool valid, done;
};

struct batch {
	struct entry *entries;
	int count, printed, passed;
	struct child_slot *slots;
};

static void parse_line(struct entry *e, char *line)
{
	char *argv[JOB_ARGS], *tab = strchr(line, '\t');
	int argc = 0;
	e->name = line;
	if (!tab)
		return;
	*tab = 0;
	for (char *t = strtok(tab + 1, " \t\r\n"); t && argc < JOB_ARGS; t = strtok(NULL, " \t\r\n"))
		argv[argc++] = t;
	e->valid = job_parse(&e->job, argc, argv);
}

/* Strings of the entries point into the lines, which are kept for the whole run. */
static bool read_list(struct batch *b, const char *file)
{
	FILE *f = strcmp(file, "-") ? fopen(file, "r") : stdin;
	char *line = NULL;
	size_t room = 0;
	if (!f)
		return false;
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (!line[0] || line[0] == '#')
			continue;
		b->entries = realloc(b->entries, sizeof *b->entries * (size_t)(b->count + 1));
		struct entry *e = &b->entries[b->count++];
		memset(e, 0, sizeof *e);
		parse_line(e, strdup(line));
	}
	free(line);
	if (f != stdin)
		fclose(f);
	return true;
}

/* Prints the results that are complete up to the first one still running. */
static void print_done(struct batch *b)
{
	for (; b->printed < b->count && b->entries[b->printed].done; b->printed++) {
		const struct child_slot *s = &b->slots[b->printed];
		printf("%s\t%s\n", b->entries[b->printed].name, s->line);
		b->passed += s->code == CHILD_OK;
	}
	fflush(stdout);
}

static void wait_one(struct batch *b, pid_t *pids, int *running, int *active, int workers)
{
	int status;
	pid_t pid = wait(&status);
	for (int k = 0; k < workers; k++) {
		if (pids[k] != pid)
			continue;
		child_finish(&b->slots[running[k]], status);
		b->entries[running[k]].done = true;
		pids[k] = 0;
		(*active)--;
	}
	print_done(b);
}

int batch_run(const char *list, int workers)
{
	struct batch b = {0};
	pid_t pids[MAX_WORKERS] = {0};
	int running[MAX_WORKERS], active = 0;
	workers = workers < 1 ? 1 : workers > MAX_WORKERS ? MAX_WORKERS : workers;
	if (!read_list(&b, list)) {
		fprintf(stderr, "vkexec: %s: %s\n", list, strerror(errno));
		return CHILD_USAGE;
	}
	b.slots = child_slots(b.count);
	for (int next = 0; next < b.count; next++) {
		if (!b.entries[next].valid) {
			b.slots[next].code = CHILD_USAGE;
			snprintf(b.slots[next].line, sizeof b.slots[next].line, "FAIL arguments");
			b.entries[next].done = true;
			continue;
		}
		if (active == workers)
			wait_one(&b, pids, running, &active, workers);
		int k = 0;
		while (pids[k])
			k++;
		running[k] = next;
		pids[k] = job_start(&b.entries[next].job, &b.slots[next]);
		active++;
	}
	while (active)
		wait_one(&b, pids, running, &active, workers);
	print_done(&b);
	printf("%d passed, %d failed\n", b.passed, b.count - b.passed);
	int code = b.passed == b.count ? CHILD_OK : CHILD_DIFFERS;
	for (int i = 0; i < b.count; i++)
		free(b.entries[i].name);
	free(b.entries);
	return code;
}
