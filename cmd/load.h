/* load.h - what the files of `xlate load` share. */
#ifndef XL_CMD_LOAD_H
#define XL_CMD_LOAD_H

#include "cmd.h"
#include "../libxlate/xlate_load.h"

struct load_run {
	struct xl_load_info info;
	struct xl_loader *loader;
	const char *device, *name; /* as asked for; as it calls itself */
	char vouched[512];
	bool json, quiet, frames, retry, interrupted, shown;
	uint32_t count;            /* pipelines */
	uint32_t restarts;
	uint64_t start_ns, first_ns, wall_ns, last_shown_ns;
	uint32_t *get_ns;          /* time of each xl_load_get */
	size_t nget, cap_get;
};

uint64_t load_clock(void); /* ns */
/* ---- load_show.c */
void load_show_clear(struct load_run *);  /* the progress line, before something else is printed */
void load_show_progress(struct load_run *, const struct xl_load_progress *);
int load_show_result(struct load_run *);  /* totals or JSON; the exit code */
void load_time_gets(struct load_run *, uint32_t count); /* one frame: each pipeline asked for */

#endif
