/* spirv.h - IR to a SPIR-V module for one target; validation, device limits, reflection, disassembly.
 *
 * Emission is one forward pass that writes words into sections. The output is a function of the inputs alone: same
 * function, facts, options and version give the same bytes. Whatever cannot be emitted exactly is refused with a
 * diagnostic that carries the guest address; nothing is approximated.
 *
 * The function must be in structured SSA form (fn->ssa, fn->structured), its resources tracked. The word forms follow the
 * SPIR-V specification 1.6 and the Vulkan environment's appendix.
 */
#ifndef XL_SPIRV_H
#define XL_SPIRV_H

#include "../../ir/ir.h"

struct spirv_options {
	bool debug;              /* OpLine with guest byte offsets, names */
	bool early_tests;        /* fragment: EarlyFragmentTests */
	bool speculate_loads;    /* run masked buffer loads unguarded: bindings are robust and results in masked lanes unused */
	const char *source;      /* --debug: name of the guest listing; NULL: the function's name */
};

struct spirv_input {
	struct ir_fn *fn;
	const struct facts *facts; /* facts->target must be set */
	struct arena *arena;       /* the module's words and reflection live here, and so do temporaries */
	struct spirv_options options;
};

/* What a module may ask of a device without a capability that says so: features by their Vulkan names. */
#define SPIRV_FEATURES(X) X(shaderSharedInt64Atomics) X(shaderImageFloat32Atomics) X(shaderSubgroupClock) \
	X(shaderDeviceClock)
enum spirv_feature {
#define X(name) SPIRV_##name,
	SPIRV_FEATURES(X)
#undef X
	SPIRV_FEATURE_COUNT
};

struct spirv_module {
	uint32_t *words;
	size_t nwords;
	const char *reflection;    /* JSON text, see reflect.c */
	uint32_t subgroup_size;    /* the size that the pipeline must require; 0: any */
	uint32_t features;         /* bit per enum spirv_feature */
	/* A geometry stage that goes before this fragment program, and its reflection; NULL: none. */
	uint32_t *geometry;
	size_t ngeometry;
	const char *geometry_reflection;
};
const char *spirv_feature_name(enum spirv_feature);

/* 0, or -1 after at least one diagnostic. */
int spirv_emit(const struct spirv_input *, struct spirv_module *out, struct diag_sink *);

/* Limits of the device that SPIRV-Tools does not know. 0, or -1 after DIAG_LIMIT with value, limit and its name. */
int spirv_limits(struct ir_fn *, const struct fact_target *, struct diag_sink *);
/* The same of a generated geometry stage: components that it takes and writes of a vertex, also where locations that others leave
 * free lie between them; those of all vertices that it emits. */
struct spirv_geometry { uint64_t in, out, all; };
int spirv_geometry_limits(const struct spirv_geometry *, const struct fact_target *, struct diag_sink *);

/* A SPIRV-Tools context: make one per thread and reuse it. */
struct spirv_tools;
struct spirv_tools *spirv_tools_new(const struct fact_target *); /* NULL: out of memory */
void spirv_tools_free(struct spirv_tools *);
/* 0 when valid for the target's Vulkan environment, else -1 after DIAG_INVALID_MODULE with the validator's message. */
int spirv_validate(struct spirv_tools *, const uint32_t *words, size_t nwords, struct diag_sink *);
/* Text of the module, in the arena; NULL with a diagnostic when the words are no module. */
char *spirv_disassemble(struct spirv_tools *, const uint32_t *words, size_t nwords, struct arena *, struct diag_sink *);

#endif
