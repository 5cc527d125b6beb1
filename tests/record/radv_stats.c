#include "radv_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXECUTABLES = 16 };

/* The last stage that an executable holds: merged stages go by the later one's name, as in records. */
static const char *stage_of(VkShaderStageFlags stages)
{
	static const struct {
		VkShaderStageFlags bit;
		const char *name;
	} names[] = {
		{VK_SHADER_STAGE_FRAGMENT_BIT, "frag"},
		{VK_SHADER_STAGE_COMPUTE_BIT, "comp"},
		{VK_SHADER_STAGE_MESH_BIT_EXT, "mesh"},
		{VK_SHADER_STAGE_TASK_BIT_EXT, "task"},
		{VK_SHADER_STAGE_GEOMETRY_BIT, "geom"},
		{VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese"},
		{VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc"},
		{VK_SHADER_STAGE_VERTEX_BIT, "vert"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (stages & names[i].bit)
			return names[i].name;
	return "none";
}

static void print_executable(struct radv_device *d, const struct radv_build *b, uint32_t index)
{
	VkPipelineExecutableInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = b->captured,
					    .executableIndex = index};
	uint32_t n = 0;
	RADV(d->statistics, d->handle, &info, &n, NULL);
	VkPipelineExecutableStatisticKHR *stats = calloc(n + 1, sizeof *stats);
	for (uint32_t i = 0; i < n; i++)
		stats[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
	RADV(d->statistics, d->handle, &info, &n, stats);
	for (uint32_t i = 0; i < n; i++)
		printf("%s\"%s\":%llu", i ? "," : "", stats[i].name, (unsigned long long)stats[i].value.u64);
	free(stats);
}

void radv_stats_print(struct radv_device *d, const struct radv_build *b, const char *name)
{
	VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = b->captured};
	VkPipelineExecutablePropertiesKHR list[MAX_EXECUTABLES];
	uint32_t n = MAX_EXECUTABLES;
	memset(list, 0, sizeof list);
	for (int i = 0; i < MAX_EXECUTABLES; i++)
		list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
	RADV(d->executables, d->handle, &info, &n, list);
	printf("%s\t{", name);
	for (uint32_t i = 0; i < n; i++) {
		printf("%s\"%s\":{", i ? "," : "", stage_of(list[i].stages));
		print_executable(d, b, i);
		printf("}");
	}
	printf("}\n");
}
