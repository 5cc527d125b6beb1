/* run.h: one program on one device: its modules, and one execution of them on the deterministic inputs. */
#ifndef RUN_H
#define RUN_H

#include "device.h"
#include "draw.h"
#include "outputs.h"
#include "spvinfo.h"

enum { RUN_STAGES = 8 };

struct run_options {
	struct draw_options draw;
	uint32_t groups[3]; /* of a dispatch */
	bool tame;          /* floats in buffers and push constants are positive, integers of vertices 0 or 1 */
};

/* Resources and inputs come from `iface`; what runs is `code`, the same modules or their translations, with which a stage
 * may be added that needs no resources. */
struct run_program {
	struct spvinfo iface[RUN_STAGES], code[RUN_STAGES], added;
	int n;
	bool has_added;
};

struct run_result {
	struct outputs outputs, inputs;
	uint32_t runtime;
};

/* Loads "iface.spv", "iface.spv:code.spv" or "+added.spv"; false if one is no module. */
bool run_add_stage(struct run_program *p, const char *argument);
/* Executes; any failure ends the child. */
void run_execute(struct device *d, const struct run_program *p, const struct spvinfo *code,
		 const struct run_options *options, struct run_result *result);

#endif
