/* facts.h - plain structs that lifters and passes read: what the record and the target profile say, without a vendor in it.
 *
 * Everything is owned by whoever made it and outlives the translation. Where reads must become a variant's guard they go
 * through the accessors at the end, which record them.
 */
#ifndef XL_FACTS_H
#define XL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lists X(enumerator suffix, name in IR text). */
#define FACT_STAGES(X) X(VERTEX, "vertex") X(TESS_CTRL, "tess_ctrl") X(TESS_EVAL, "tess_eval") X(GEOMETRY, "geometry") \
	X(FRAGMENT, "fragment") X(COMPUTE, "compute") X(TASK, "task") X(MESH, "mesh")
#define FACT_DIMS(X) X(1D, "1d") X(2D, "2d") X(3D, "3d") X(CUBE, "cube") X(BUFFER, "buffer") X(SUBPASS, "subpass") \
	X(UNKNOWN, "unknown")
#define FACT_NUMERICS(X) X(FLOAT, "float") X(SINT, "sint") X(UINT, "uint") X(UNKNOWN, "unknown")
enum fact_stage {
#define X(n, text) STAGE_##n,
	FACT_STAGES(X) STAGE_COUNT
#undef X
};
enum fact_dim {
#define X(n, text) DIM_##n,
	FACT_DIMS(X)
#undef X
};
enum fact_numeric {
#define X(n, text) NUMERIC_##n,
	FACT_NUMERICS(X)
#undef X
};
enum fact_desc { DESC_SAMPLER, DESC_COMBINED, DESC_SAMPLED_IMAGE, DESC_STORAGE_IMAGE, DESC_UNIFORM_TEXEL, DESC_STORAGE_TEXEL,
	DESC_UNIFORM_BUFFER, DESC_STORAGE_BUFFER, DESC_INPUT_ATTACHMENT, DESC_COUNT };

/* One thing that lives in a table (memory whose layout the ABI or the record describes). */
enum entry_kind {
	ENTRY_DESC,    /* descriptors of one binding: `count` elements, `stride` bytes apart */
	ENTRY_PUSH,    /* push-constant bytes; table offset `offset` is push-constant byte `base` */
	ENTRY_SYSVAL,  /* 4-byte words of a system value: `sysval`, component base + (off - offset) / 4, times `stride` if not 0 */
	ENTRY_POINTER, /* a 64-bit address of the start of table `table` (low word first), or 32-bit when size is 4 */
	ENTRY_BUFFER,  /* the bytes of a buffer binding itself (a uniform buffer bank) */
	ENTRY_DATA,    /* constant bytes known from the record (constant data behind the code) */
	ENTRY_HINT,    /* what is known of the images whose descriptors start at `offset`, in a table that is only memory; base: 1 + where
	               * in it the pointer is that leads to them, 0: none */
	ENTRY_ATTRIB,  /* a vertex-buffer descriptor: `binding` is the vertex binding */
};
struct fact_entry {
	uint8_t kind, desc;            /* enum entry_kind, enum fact_desc */
	uint8_t dim, arrayed, ms, depth, numeric; /* images: what is known (DIM_UNKNOWN, 2 = unknown for the flags) */
	uint16_t format;               /* storage images: SPIR-V ImageFormat or 0 */
	uint32_t offset, size, stride, count; /* in the table: start, total bytes, bytes between elements, elements */
	uint32_t set, binding, base;   /* base: ENTRY_PUSH first push byte; ENTRY_BUFFER array element; ENTRY_DATA bytes of code before data;
	                                * ENTRY_DESC of 8 bytes: high word of the number that stands for the address, as fact_table.address;
	                                * of 16 bytes: second word of the first descriptor as a number, one more for each next one; 0: refused */
	uint32_t sampler_at;           /* DESC_COMBINED: byte of the sampler words within an element, 0: one handle for both */
	uint32_t at;                   /* ENTRY_BUFFER: byte of the buffer that the entry starts at */
	uint32_t buffer_size;          /* bytes of the buffer where known, else 0 */
	uint16_t sysval, table;
	uint16_t attachment;           /* DESC_INPUT_ATTACHMENT: which one, plus 1; 0: not recorded */
	const uint8_t *data;           /* ENTRY_DATA */
};
/* What a bit field of an image descriptor says, for programs that read descriptors as numbers. All less one where the name
 * says _1; FIELD_ZERO: 0 for any view that a binding can hold here; FIELD_SOME: not known, but not 0 unless the descriptor is
 * null, which a binding never is here. FIELD_SHAPE_*: `from` is the number that stands for three dimensions, for 1D
 * or 2D layers however many there are, or for sampled cubes and arrays of them; others are not known. */
enum field_what { FIELD_WIDTH_1, FIELD_HEIGHT_1, FIELD_DEPTH_1 /* 3D: depth; arrays: layers; cubes: faces */, FIELD_LEVELS_1, FIELD_ZERO,
	FIELD_SOME, FIELD_SHAPE_3D, FIELD_SHAPE_1D_ARRAY, FIELD_SHAPE_2D_ARRAY, FIELD_SHAPE_CUBE };
struct fact_field {
	uint8_t word, first, bits; /* where: 32-bit word, lowest bit, width */
	uint8_t what, from;        /* enum field_what, and its bit that stands lowest or (_SHAPE) its value */
};

struct fact_table {
	const char *name;              /* "set 0", "push constants", "root table", "code": for remarks and reflection */
	uint32_t size;                 /* bytes, 0 unknown */
	uint32_t nentry;
	const struct fact_entry *entry; /* sorted by offset */
	uint64_t address;              /* number to see where a program looks at the bits of a pointer to it: any address that the
	                                * guest's system could have chosen; 0: such a program is refused */
	bool memory;                   /* only memory: no entry says what it holds (some may hint at it), bindings of set `set` are made up */
	uint32_t set;
	bool is_code;                  /* the program's own bytes: code and constant data behind it */
};

/* A word of user data: what an architected register holds at entry. */
enum root_kind {
	ROOT_TABLE_LO, ROOT_TABLE_HI, ROOT_PUSH, ROOT_SYSVAL, ROOT_CONST,
	ROOT_GROUP_INFO,       /* bits 5:0 waves in a workgroup; from bits `offset` and `comp` index of the wave in it; others unknown */
	ROOT_BASE_INSTANCE_OR_DRAW, /* the record does not say which: the use decides, or the program is refused */
	ROOT_PIXEL,            /* of each fragment: its integer coordinates, x | y << 16 */
	ROOT_ANCILLARY,        /* of each fragment: bits 11:8 its sample, bits 28:16 its layer; others are not known */
	ROOT_SAMPLES_OF_RUN,   /* 16 bits from `offset`: which samples run 0 of a fragment stands for; two bits from `comp`: 2 where
	                        * triangles are drawn; others are not known */
	ROOT_PROVOKING,        /* two bits for each quad: 0 where the first vertex provokes */
	ROOT_NOT_NEGATIVE,     /* the top bit is 0; others are not known */
	/* Transform feedback by the program: the low word of the pointer to the buffers' descriptors; bits 22:16 how many lanes of the
	 * wave, the first ones, are captured; which of the captured vertices lane 0's is; where they start in one of the buffers in
	 * use, the `offset`-th, in words. */
	ROOT_CAPTURE_BUFFERS, ROOT_CAPTURE_STATE, ROOT_CAPTURE_FIRST, ROOT_CAPTURE_START,
	ROOT_OPAQUE,
	ROOT_ANY,              /* nothing that this program may use; looked at as a number (a register's old word), any will do */
	ROOT_SCRATCH_DESC,     /* word `offset` of the descriptor of all lanes' scratch; only accesses of scratch may use it */
	ROOT_SCRATCH_WAVE,     /* where the wave's part of that starts, bytes */
};
struct fact_root {
	uint8_t kind;
	uint16_t table;                /* ROOT_TABLE_*: index into facts->table; the pointer is table start + offset */
	uint32_t offset;               /* ROOT_TABLE_*: byte offset; ROOT_PUSH: push-constant byte; ROOT_CONST: value;
	                                * ROOT_GROUP_INFO: first bit of the wave index */
	uint16_t sysval, comp;         /* ROOT_SYSVAL; ROOT_GROUP_INFO: comp, another first bit of the wave index, or 0 */
	const char *name;              /* as the record calls it */
};

/* How a register starts. `file` numbers are the ISA's own (its lift.h lists them). */
enum init_kind {
	INIT_ROOT, INIT_SYSVAL,
	INIT_PACKED_LOCAL_ID, /* x | y << 10 | z << 20 */
};
struct fact_init {
	uint8_t file, kind;
	uint16_t index;
	uint16_t sysval, comp;         /* INIT_SYSVAL */
	uint16_t root;                 /* INIT_ROOT: index into facts->root */
};

struct fact_attrib {               /* a vertex attribute that the pipeline state describes */
	uint32_t location, binding, format /* VkFormat number */, offset, stride;
	uint8_t comps, base;           /* 1-4; NUMERIC_* of the shader-side type */
	uint8_t bytes;                 /* per component in memory */
	bool per_instance;
};
struct fact_input {                /* fragment input `attr` of the guest: where it comes from */
	uint32_t location;
	uint16_t builtin;              /* not a location but this system value; SYSVAL_none otherwise */
	uint8_t smooth;                /* interpolated as 32-bit floats: 0 no (flat, or halves), 1 yes, 2 not recorded */
};
struct fact_param { uint32_t param, location; }; /* vertex parameter export -> location */
struct fact_color { uint8_t target, location, second, numeric, bits, norm; /* target: number of the export;
	location: the attachment; second: not an attachment, but what blending at the
	first one reads, too. bits per component that the
	export carries, 32 or 16 (packed in pairs); norm: 16-bit exports are 1 unorm, 2 snorm, 0 plain */ uint32_t format; };

/* What the target can do: from a profile (libxlate/target). */
struct fact_target {
	const char *name;
	uint32_t vulkan, spirv;        /* 0x00010600 style SPIR-V version; Vulkan VK_MAKE_VERSION */
	uint32_t subgroup_size, subgroup_min, subgroup_max;
	bool subgroup_pin;             /* subgroupSizeControl: a required size can be asked for */
	bool int8, int16, int64, f16, f64, storage8, storage16, uniform8, uniform16, push8, push16, output16;
	bool shared_layout;            /* workgroup memory explicit layout */
	bool memory_model, physical_address, demote, barycentric, scalar_layout, uniform_standard_layout, fma_fused;
	bool subgroup_vote, subgroup_ballot, subgroup_shuffle, subgroup_quad, nonuniform, runtime_array, storage_read_without_format,
		storage_write_without_format, image_gather_extended, min_lod, cube_array, sampled_1d, sampled_buffer, image_buffer, int64_atomics,
		int64_shared, float_atomics, image_float_atomics, image_float_minmax, draw_parameters, multiview, geometry, clip_distance, cull_distance, sample_rate, dual_source,
		subgroup_clock, device_clock;
	bool ftz_mode[4], preserve_mode[4]; /* per width 8 << i bits: execution modes offered */
	bool robust2;                  /* out-of-range buffer accesses read 0 or vanish, at these granularities in bytes */
	uint32_t robust_storage_align, robust_uniform_align;
	uint32_t denorm_keep;          /* quirk: denormals kept without a mode; bit 4 * (0 vertex, 1 fragment, 2 compute) + width as above */
	bool nan_mode[4], rte_mode[4], rtz_mode[4]; /* likewise: SignedZeroInfNanPreserve, RoundingModeRTE, RoundingModeRTZ */
	bool transform_feedback, stencil_export, layer_output, viewport_output, multi_viewport, memory_model_device, storage_extended_formats, storage_multisample, image_ms_array;
	uint8_t nonuniform_form;       /* quirk: 0 index, 1 none, 2 index + pointer, 3 all */
	uint32_t max_workgroup[3], max_invocations, max_shared, max_push, max_inputs, max_outputs, max_color;
	uint32_t max_stage_samplers, max_stage_sampled, max_stage_storage_images, max_stage_storage_buffers, max_stage_uniform_buffers,
		max_stage_resources, max_uniform_range, max_clip, max_cull;
	uint32_t max_set_samplers, max_set_sampled, max_set_storage_images, max_set_storage_buffers, max_set_uniform_buffers, max_sets,
		max_clip_cull, max_storage_range, max_dual_source, max_vertex_attributes, max_stage_inputs;
	uint32_t max_capture_buffers, max_capture_bytes, max_capture_stride, max_capture_all; /* transform feedback; 0: the profile does not say */
	uint32_t max_geometry_inputs, max_geometry_outputs, max_geometry_all; /* components; all: of all vertices that are emitted */
};

enum bounds_policy { BOUNDS_HOST, BOUNDS_EXACT };
enum address_policy { ADDRESS_BINDING, ADDRESS_HOST, ADDRESS_REFUSE };
enum float_policy { FLOAT_HOST, FLOAT_STRICT };

/* One state field that a translation may read: each read becomes part of the variant's guard. */
enum fact_state { STATE_WORKGROUP, STATE_SHARED, STATE_FLOAT_MODE, STATE_VERTEX_FORMATS, STATE_COLOR_FORMATS, STATE_INPUT_MAP,
	STATE_IMAGE_KINDS, STATE_PUSH_SIZE, STATE_SCRATCH, STATE_FRAGMENT, STATE_PRIMITIVE, STATE_HANDED, STATE_COUNT };

/* What was read: state fields as a bit set, and memory words by path. Grows in the translation's arena. */
struct fact_guard {
	uint64_t state;                /* 1 << enum fact_state */
	struct fact_guard_word { uint16_t table; uint32_t offset; uint32_t mask, value; } *word;
	uint32_t nword;
	size_t cap;
};

struct facts {
	uint8_t stage, wave;
	uint32_t workgroup[3], shared_bytes, scratch_bytes, push_size;
	uint32_t float_mode;           /* guest's: bit set FACT_FTZ32, FACT_FTZ16_64 */
	uint32_t nroot, ntable, ninit, nattrib, ninput, ncolor, nparam;
	const struct fact_root *root;
	const struct fact_table *table;
	const struct fact_init *init;
	const struct fact_field *image_field; /* of image descriptors, ends with bits == 0; NULL: not readable */
	uint32_t paired_registers;     /* vector registers from this number on exist once for lanes n and n + wave / 2; 0: none */
	uint32_t buffer_format;        /* fourth word of raw buffer descriptors as a number; 0: not known */
	uint32_t gather_clear;         /* bits of a sampler's first word that a program may clear for gathers: the host's gathers are so */
	uint32_t sample_map, sample_map_texel; /* multisampled images: byte of a descriptor where that of a map starts which says in which place
	                                * each sample is, 0: none; what the map reads where every sample is in its own place */
	bool gather_int_apart;         /* gathers of integer texels find another footprint than the host's */
	const struct fact_attrib *attrib;
	const struct fact_input *input;
	const struct fact_color *color;
	const struct fact_param *param;
	bool can_discard;
	uint8_t point_size, layer, viewport; /* the program writes them: 0 no, 1 yes, 2 not recorded */
	bool distances_known;
	uint8_t clip_mask, cull_mask;  /* components of the two vectors of distances that clip, that cull */
	uint8_t early_tests;           /* depth and stencil are tested before the program: 0 no, 1 yes, 2 not recorded */
	/* STATE_PRIMITIVE. triangles: nothing else is drawn: 0 no, 1 yes, 2 not recorded; provoking_last likewise; only_vertex: a
	 * vertex program that writes nothing for transform feedback is all that runs before the fragment program, or it is not
	 * recorded what does; vertex_layered: it writes a layer or a viewport; vertex_clip, vertex_cull: distances that it writes */
	uint8_t triangles, provoking_last, vertex_clip, vertex_cull;
	bool only_vertex, vertex_layered;
	/* STATE_HANDED. What the vertex program writes of layer (FACT_LAYER) and viewport (FACT_VIEWPORT), where it and the fragment
	 * program are all of their pipeline, and a location that is free in both. */
	uint8_t handed, hand_place;
	uint32_t code_table;           /* index of the table that is the code, or UINT32_MAX */
	uint32_t bank_table[32];       /* constant bank -> table index, UINT32_MAX none */
	uint8_t addresses, bounds, floats; /* policies */
	uint16_t color_format;         /* what exports of colours look like, guest-neutral: 0 32-bit, 1 16-bit packed */
	const struct fact_target *target;
	struct fact_guard *guard;      /* where reads are recorded; may be NULL in tests */
};
enum {
	FACT_FTZ32 = 1, FACT_FTZ16_64 = 2, FACT_RTZ16_64 = 4, /* 16- and 64-bit floats round to zero */
	FACT_MODE_OPEN = 8 /* not recorded, or of several forms that mean the same here: a program cannot be told its mode's bits */
};

enum { FACT_LAYER = 1, FACT_VIEWPORT = 2 };

/* The recording accessor: say that the translation depends on a state field. */
static inline void facts_read(const struct facts *f, enum fact_state s)
{
	if (f->guard)
		f->guard->state |= 1ull << s;
}

/* ---- layer and viewport behind a generated geometry stage
 * No geometry stage may read the built-ins, so that a vertex program in front of one hands both on as words x and y of a location of
 * their own. It does where the target has no such built-ins for vertex programs, and where it has no barycentrics: whether the
 * fragment program wants those is not known when the vertex program is translated. Both programs ask here and agree. */

/* The target cannot have what the vertex program writes from a vertex program. */
static inline bool facts_not_layered(const struct facts *f)
{
	return (f->handed & FACT_LAYER && !f->target->layer_output) || (f->handed & FACT_VIEWPORT && !f->target->viewport_output);
}

static inline bool facts_hands(const struct facts *f)
{
	const struct fact_target *t = f->target;

	if (!t || (t->layer_output && t->viewport_output && t->barycentric) || !t->geometry)
		return false;
	facts_read(f, STATE_HANDED);
	if (!f->handed || f->hand_place * 4 + 4u > t->max_outputs)
		return false;
	facts_read(f, STATE_PRIMITIVE);
	return f->triangles == 1 && (facts_not_layered(f) || (!t->barycentric && f->provoking_last == 0));
}

#endif
