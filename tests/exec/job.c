#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

bool job_parse(struct job *j, int argc, char **argv)
{
	*j = (struct job){
		.seconds = 20, .vector_width = 256, .options = {DRAW_OPTIONS, {2, 2, 1}, false}};
	for (int i = 0; i < argc; i++) {
		const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (a[0] != '-') {
			if (j->nstages == RUN_STAGES)
				return false;
			j->stages[j->nstages++] = a;
			j->compare |= strchr(a, ':') != NULL;
			continue;
		}
		if (!a[1] || a[2])
			return false;
		bool *flag = a[1] == 'H' ? &j->half : a[1] == 'v' ? &j->verbose : a[1] == 'P' ? &j->options.tame : NULL;
		if (flag) {
			*flag = true;
			continue;
		}
		if (!value)
			return false;
		i++;
		uint32_t *g = j->options.groups;
		struct draw_options *draw = &j->options.draw;
		switch (a[1]) {
		case 'o':
			j->output = value;
			break;
		case 'O':
			j->translated_output = value;
			break;
		case 'i':
			j->input = value;
			break;
		case 'r':
			j->recorded = value;
			break;
		case 'T':
			j->seconds = (unsigned)atoi(value);
			break;
		case 't':
			draw->topology = (VkPrimitiveTopology)atoi(value);
			break;
		case 'n':
			if (sscanf(value, "%u,%u,%u,%u", &draw->instances, &draw->vertices, &draw->first_instance,
				   &draw->first_vertex) < 1)
				return false;
			break;
		case 'R':
			draw->instance_rate = (uint32_t)strtoul(value, NULL, 0);
			break;
		case 'm':
			draw->samples = atoi(value) > 1 ? 4 : 1;
			break;
		case 'L':
			draw->layers = (uint32_t)atoi(value);
			break;
		case 'V':
			draw->viewports = atoi(value) > 1 ? 2 : 1;
			break;
		case 'z':
			draw->depth_test = 1 + (uint32_t)atoi(value);
			break;
		case 'w':
			j->vector_width = atoi(value);
			break;
		case 'g':
			if (sscanf(value, "%u,%u,%u", g, g + 1, g + 2) < 1)
				return false;
			break;
		default:
			return false;
		}
	}
	return j->nstages > 0;
}

/*
 * Lavapipe's subgroup size follows its vector width, so that is pinned. One thread and no cache on disk keep the order
 * of atomics and the time of a run the same from run to run. What the caller has set stays.
 */
static void pin_driver(const struct job *j)
{
	char width[16];
	snprintf(width, sizeof width, "%d", j->vector_width);
	setenv("LP_NATIVE_VECTOR_WIDTH", width, 0);
	setenv("LP_NUM_THREADS", "1", 0);
	setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

static void write_file(struct child_slot *slot, const struct outputs *o, const char *magic, const char *file)
{
	if (file && !outputs_write(o, magic, file))
		child_exit(slot, CHILD_USAGE, "FAIL write %s", file);
}

static void check_recorded(const struct job *j, struct child_slot *slot, const struct outputs *original)
{
	struct outputs recorded;
	struct compare_report report;
	if (!j->recorded)
		return;
	if (!outputs_read(&recorded, original, j->recorded))
		child_exit(slot, CHILD_DIFFERS, "DIFFERS recorded output has other records");
	compare_outputs(&recorded, original, COMPARE_SINGLE, &report);
	if (!report.equal)
		child_exit(slot, CHILD_DIFFERS, "DIFFERS recorded from original: %s", report.where);
}

static void finish_compare(const struct job *j, struct child_slot *slot, const struct run_result *a,
			   const struct run_result *b)
{
	struct compare_report r;
	uint64_t bytes, hash = outputs_hash(&a->outputs, &bytes), changed = outputs_changed(&a->outputs);
	compare_outputs(&a->outputs, &b->outputs, j->half ? COMPARE_HALF : COMPARE_SINGLE, &r);
	if (!r.equal)
		child_exit(slot, CHILD_DIFFERS, "DIFFERS %s", r.where);
	uint64_t covered = r.has_picture ? r.covered : a->outputs.covered;
	if (r.has_picture ? !covered : !covered && !changed)
		child_exit(slot, CHILD_EMPTY, "EMPTY nothing was covered or changed");
	child_exit(slot, CHILD_OK, "EQUAL %016llx elements=%llu inexact=%llu covered=%llu edge=%llu changed=%llu",
		   (unsigned long long)hash, (unsigned long long)r.elements, (unsigned long long)r.inexact,
		   (unsigned long long)covered, (unsigned long long)r.edge_pixels, (unsigned long long)changed);
}

/* In the child. The program is large and lives until the process ends, hence on the heap and never freed. */
static void work(const struct job *j, struct child_slot *slot)
{
	struct device *d = calloc(1, sizeof *d);
	struct run_program *p = calloc(1, sizeof *p);
	struct run_result original, translation;
	for (int i = 0; i < j->nstages; i++)
		if (!run_add_stage(p, j->stages[i]))
			child_exit(slot, CHILD_REFUSED, "FAIL parse");
	pin_driver(j);
	device_open(d, slot);
	slot->phase = j->compare ? PHASE_ORIGINAL : PHASE_SETUP;
	run_execute(d, p, j->compare ? p->iface : p->code, &j->options, &original);
	write_file(slot, &original.outputs, "VKXO1", j->output);
	write_file(slot, &original.inputs, "VKXI1", j->input);
	check_recorded(j, slot, &original.outputs);
	if (j->compare) {
		slot->phase = PHASE_TRANSLATION;
		run_execute(d, p, p->code, &j->options, &translation);
		write_file(slot, &translation.outputs, "VKXO1", j->translated_output);
		finish_compare(j, slot, &original, &translation);
	}
	uint64_t bytes, hash = outputs_hash(&original.outputs, &bytes);
	child_exit(slot, CHILD_OK, "OK %016llx bytes=%llu covered=%llu changed=%llu rt=%u", (unsigned long long)hash,
		   (unsigned long long)bytes, (unsigned long long)original.outputs.covered,
		   (unsigned long long)outputs_changed(&original.outputs), original.runtime);
}

pid_t job_start(const struct job *j, struct child_slot *slot)
{
	/* the time is for one module: a comparison compiles and runs two */
	pid_t pid = child_start(j->compare ? 2 * j->seconds : j->seconds, j->verbose);
	if (!pid)
		work(j, slot);
	return pid;
}
