/*
 * radv_build.h: compiles a pipeline twice: once into a pipeline cache, which then holds the machine code and registers,
 * and once with internal representations captured (listings, statistics), which skips the cache.
 */
#ifndef RADV_BUILD_H
#define RADV_BUILD_H

#include "../exec/bindings.h"
#include "radv_device.h"

enum { RADV_STAGES = 8, RADV_TARGETS = 8, RADV_ATTRIBUTES = 32, RADV_SETS = 32 };

/* State of fixed functions that the pipeline is made with; blend leads into blends. */
struct radv_fixed {
	VkPipelineInputAssemblyStateCreateInfo assembly;
	VkPipelineRasterizationStateCreateInfo raster;
	VkPipelineMultisampleStateCreateInfo samples;
	VkPipelineDepthStencilStateCreateInfo depth;
	VkPipelineColorBlendAttachmentState blends[RADV_TARGETS];
	VkPipelineColorBlendStateCreateInfo blend;
};

struct radv_build {
	struct spvinfo modules[RADV_STAGES];
	struct spvinfo code[RADV_STAGES]; /* runs in the place of the module, which has the interface; no words: itself */
	int n;
	uint32_t subgroup; /* required subgroup size of a compute shader; 0: the driver chooses */
	bool unlinked;     /* vertex and fragment shader in libraries of their own: varyings keep their locations */
	const char *color; /* formats of targets, by a name that radv_build_colour knows */
	VkPrimitiveTopology topology;
	uint32_t samples, instance_rate; /* instance_rate: vertex inputs that advance by instance, bit per location */
	uint32_t depth_test; /* 1 + VkCompareOp; 0: depth is there when a shader writes it, and always passes */
	/* what radv_build_run makes */
	struct binding bindings[BINDINGS_MAX];
	int nbindings;
	uint32_t nsets, push_size;
	VkDescriptorSetLayout sets[RADV_SETS];
	VkPipelineLayout layout;
	VkVertexInputBindingDescription vertex_bindings[RADV_ATTRIBUTES];
	VkVertexInputAttributeDescription attributes[RADV_ATTRIBUTES];
	uint32_t nattributes;
	VkFormat targets[RADV_TARGETS];
	uint32_t ntargets;
	VkFormat depth_format;
	struct radv_fixed fixed;
	VkPipelineCache cache;
	VkPipeline captured;
};

bool radv_build_colour(const char *name);
/* Makes cache and captured. */
void radv_build_run(struct radv_device *d, struct radv_build *b);
/* Makes captured alone, without listings. */
void radv_build_statistics(struct radv_device *d, struct radv_build *b);

#endif
