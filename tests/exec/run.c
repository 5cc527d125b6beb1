#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "resources.h"

bool run_add_stage(struct run_program *p, const char *argument)
{
	char text[4096];
	if (p->n == RUN_STAGES || snprintf(text, sizeof text, "%s", argument) >= (int)sizeof text)
		return false;
	if (text[0] == '+') {
		p->has_added = !p->has_added && spvinfo_load(&p->added, text + 1);
		return p->has_added;
	}
	char *code = strchr(text, ':');
	if (code)
		*code++ = 0;
	if (!spvinfo_load(&p->iface[p->n], text) || !spvinfo_load(&p->code[p->n], code ? code : text))
		return false;
	p->n++;
	return true;
}

static void dispatch(struct device *d, const struct resources *r, const struct spvinfo *code, const uint32_t groups[3])
{
	VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code->count * 4,
					   .pCode = code->words};
	VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = r->layout,
					    .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						      .stage = VK_SHADER_STAGE_COMPUTE_BIT, .pName = code->entry}};
	VkPipeline pipeline;
	VK(d, vkCreateShaderModule, d->handle, &module, NULL, &info.stage.module);
	VK(d, vkCreateComputePipelines, d->handle, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
	device_begin(d);
	vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	resources_bind(d, r, VK_PIPELINE_BIND_POINT_COMPUTE);
	vkCmdDispatch(d->commands, groups[0], groups[1], groups[2]);
	device_barrier(d, VK_NULL_HANDLE, 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED);
	device_submit(d);
}

void run_execute(struct device *d, const struct run_program *p, const struct spvinfo *code,
		 const struct run_options *options, struct run_result *result)
{
	struct resources *r = calloc(1, sizeof *r);
	memset(result, 0, sizeof *result);
	for (int i = 0; i < p->n; i++) {
		if (code[i].stage != p->iface[i].stage)
			child_exit(d->slot, CHILD_REFUSED, "FAIL stage of %s", spvinfo_stage_name(p->iface[i].stage));
		if (p->iface[i].has_pointers)
			child_exit(d->slot, CHILD_REFUSED, "FAIL buffer references");
		if (p->iface[i].has_ray_query)
			child_exit(d->slot, CHILD_REFUSED, "FAIL ray query");
	}
	resources_create(d, r, p->iface, p->n, options->groups, options->tame);
	if (p->iface[0].stage == STAGE_COMP)
		dispatch(d, r, &code[0], options->groups);
	else
		draw_run(d, r, p->iface, code, p->has_added && code == p->code ? &p->added : NULL, p->n, &options->draw,
			 &result->outputs);
	resources_collect(d, r, &result->outputs);
	result->inputs = r->inputs;
	result->runtime = r->runtime;
	/* r stays: the device holds its objects until the process ends */
}
