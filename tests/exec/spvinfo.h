/*
 * spvinfo.h: what a test needs to know of a SPIR-V module: stage, resources, interface slots, push constants.
 *
 * Hand-written on purpose: the executor judges our own emitter, so it shares no code with it. Modules come from a
 * compiler or from us; malformed ones are refused by spvinfo_load, they are not guarded against further.
 * Numbers (opcodes, decorations, storage classes) are those of the SPIR-V specification, through spirv.h.
 */
#ifndef SPVINFO_H
#define SPVINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan.h>

enum spvinfo_stage {
	STAGE_VERT,
	STAGE_TESC,
	STAGE_TESE,
	STAGE_GEOM,
	STAGE_FRAG,
	STAGE_COMP,
	STAGE_TASK,
	STAGE_MESH,
	STAGE_COUNT
};

enum { SPVINFO_MAX = 256, SPVINFO_NO_MEMBER = -1 };

struct decoration {
	uint32_t target;
	int member; /* SPVINFO_NO_MEMBER for the id itself */
	uint32_t kind, value;
};

/* One vector or scalar of the stage interface, at most four components of one location. */
struct slot {
	uint32_t location, component, count, width; /* width in bits */
	char base;                                  /* f, i or u */
	bool flat, noperspective, centroid, sample, patch, per_primitive;
	bool second_source; /* Index 1 of a dual-source blend */
};

struct resource {
	uint32_t set, binding, count;
	bool unsized, shadow, readonly, arrayed, multisampled;
	VkDescriptorType type;
	uint32_t variable, type_id; /* type_id: the element behind descriptor arrays */
	uint32_t image;             /* OpTypeImage, 0 for buffers and samplers */
	uint32_t input_attachment, format, dim;
	char base; /* of the image's sampled type */
};

struct spvinfo {
	uint32_t *words;
	size_t count;         /* in words */
	uint32_t bound, *def; /* def[id]: word offset of the defining instruction, 0 if none is kept */
	struct decoration *decorations;
	int ndecorations, stage;
	char entry[128];
	uint32_t entry_id, iface[512];
	int niface;
	uint32_t caps[128];
	int ncaps;
	uint32_t local[3];
	struct resource res[SPVINFO_MAX];
	int nres;
	struct slot in[SPVINFO_MAX], out[SPVINFO_MAX];
	int nin, nout;
	uint32_t builtin_in[64], builtin_out[64];
	int nbuiltin_in, nbuiltin_out;
	uint32_t push_type, push_size; /* bytes */
	uint32_t max_vertices;
	bool has_pointers, has_ray_query, has_subgroup, has_atomic, has_discard, has_dref;
	int nspec;
};

/* How a matrix lies in memory; comes from the struct member that holds it. */
struct matrix_layout {
	uint32_t stride; /* bytes, 0: tightly packed columns */
	bool row_major;
};

static inline uint32_t spvinfo_op(uint32_t word)
{
	return word & 0xffff;
}
static inline uint32_t spvinfo_words(uint32_t word)
{
	return word >> 16;
}

/* Reads and reflects a file; false if it is not a module or has no entry point. */
bool spvinfo_load(struct spvinfo *m, const char *file);
const char *spvinfo_stage_name(int stage);
bool spvinfo_decoration(const struct spvinfo *m, uint32_t id, int member, uint32_t kind, uint32_t *value);
/* The instruction that defines id, or NULL. */
const uint32_t *spvinfo_def(const struct spvinfo *m, uint32_t id);
uint32_t spvinfo_constant(const struct spvinfo *m, uint32_t id);
/* f, i, u or 0; the width in bits. Booleans count as 32-bit u. */
char spvinfo_base(const struct spvinfo *m, uint32_t type, uint32_t *width);
/* Bytes of a type with explicit layout; runtime arrays count `runtime` elements. */
uint64_t spvinfo_size(const struct spvinfo *m, uint32_t type, uint32_t runtime, struct matrix_layout ml);
/* Layout of member i of struct `type`: byte offset and matrix layout. */
uint32_t spvinfo_member(const struct spvinfo *m, uint32_t type, int i, struct matrix_layout *ml);
/* Called for each scalar of an object: its byte offset, its type, and whether a vector or an array holds it. */
typedef void spvinfo_visit(void *context, uint64_t at, const uint32_t *scalar, bool in_array);
/* Visits the scalars of an explicitly laid out object in declaration order, as far as `size` bytes reach. */
void spvinfo_scalars(const struct spvinfo *m, uint32_t type, uint32_t runtime, uint64_t size, spvinfo_visit *visit,
		     void *context);
/* Locations that a type takes. */
uint32_t spvinfo_locations(const struct spvinfo *m, uint32_t type);
/* Appends the slots of a type placed at `at`. */
void spvinfo_slots(const struct spvinfo *m, uint32_t type, struct slot at, struct slot *slots, int *n);
bool spvinfo_has_builtin(const uint32_t *list, int n, uint32_t builtin);
/* interface.c: fills the resources and interface of an indexed module. */
void interface_read(struct spvinfo *m);
/* May the module store to an output at a location? */
bool interface_writes(const struct spvinfo *m, uint32_t location);

#endif
