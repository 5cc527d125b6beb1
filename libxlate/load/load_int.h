/* load_int.h - what the files of the loader share. Each function's file is its prefix. */
#ifndef XL_LOAD_INT_H
#define XL_LOAD_INT_H

#define VK_NO_PROTOTYPES
#include "../xlate.h"
#include "../xlate_load.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#ifndef VK_EXT_graphics_pipeline_library
#error "Vulkan headers of 1.3.210 or later are needed"
#endif

/* ---- load_vk.c: Vulkan's functions */
struct load_vk {
	PFN_vkGetInstanceProcAddr proc;
#define INSTANCE(name) PFN_##name name;
#define DEVICE(name) PFN_##name name;
#include "load_vk.def"
};
/* The given entry, or libvulkan.so.1's (which then stays loaded). NULL: there is none. */
PFN_vkGetInstanceProcAddr load_vk_entry(PFN_vkGetInstanceProcAddr);
/* NULL, or the name of the function that is missing. `device` may be VK_NULL_HANDLE: instance functions only. */
const char *load_vk_find(struct load_vk *, PFN_vkGetInstanceProcAddr, VkInstance, VkDevice);

/* ---- load_need.c: what the device has, what modules need */
struct load_features {
	VkPhysicalDeviceFeatures core;
#define CHAIN(member, type, stype, minor, extension) type member;
#include "load_need.def"
};
struct load_facts {
	struct load_features feature;
	VkPhysicalDeviceProperties device;
	VkPhysicalDeviceIDProperties id;
	VkPhysicalDeviceSubgroupProperties subgroup;
	VkPhysicalDeviceFloatControlsProperties floats;
	VkPhysicalDeviceSubgroupSizeControlProperties size_control;
	VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT library;
	VkPhysicalDeviceTransformFeedbackPropertiesEXT capture;
	unsigned minor;            /* Vulkan 1.minor */
	char (*extension)[VK_MAX_EXTENSION_NAME_SIZE];
	uint32_t nextension;
	bool created;              /* the host said what its device was made with: optional things may be used */
	char *vouched;
};
/* Facts of a physical device; narrowed to what a device was created with when `created` is there. 0, -1 out of memory. */
int load_need_facts(struct load_facts *, const struct load_vk *, VkInstance, VkPhysicalDevice, const VkDeviceCreateInfo *created);
void load_need_free(struct load_facts *);
bool load_need_extension(const struct load_facts *, const char *name);
/* One line of a package's requirements. False with the reason. */
bool load_need_line(const struct load_facts *, const char *line, char *why, size_t cap);
bool load_need_capability(const struct load_facts *, uint32_t capability, char *why, size_t cap);
bool load_need_spirv(const struct load_facts *, unsigned minor, char *why, size_t cap);
bool load_need_spirv_extension(const struct load_facts *, const char *name, char *why, size_t cap);
bool load_need_mode(const struct load_facts *, uint32_t mode, uint32_t width, char *why, size_t cap);
/* *pin: the size must be asked for. */
bool load_need_subgroup(const struct load_facts *, uint32_t size, VkShaderStageFlags, bool *pin, char *why, size_t cap);

/* ---- load_json.c: reflections */
enum { LOAD_BINDINGS = 256, LOAD_SLOTS = 128 };
struct load_binding { uint32_t set, binding, count /* 0: run-time array */; VkDescriptorType type; VkShaderStageFlags stages; };
struct load_slot { uint32_t location, component, components, array; char type; /* 'f', 'i', 'u' (32 bits), '?' */ };
struct load_iface {
	VkShaderStageFlagBits stage;
	uint32_t workgroup[3], subgroup, shared;
	uint32_t clip, cull; /* distances that are written */
	uint32_t layer, viewport; /* 1 + location of the word that is handed from vertex to geometry, 0: none is */
	uint32_t push_offset, push_size;
	uint32_t nbinding, ninput, noutput;
	struct load_binding *binding;
	struct load_slot *input, *output;
};
/* Room for the largest one, which its arrays lead into. */
struct load_room { struct load_iface iface; struct load_binding binding[LOAD_BINDINGS]; struct load_slot input[LOAD_SLOTS], output[LOAD_SLOTS]; };
/* One that is shared; its arrays stand behind it. */
struct load_kept { _Atomic uint32_t users; uint32_t number; struct load_iface iface; struct load_binding binding[]; };
_Static_assert(sizeof(struct load_binding) == sizeof(struct load_slot), "slots stand behind the bindings");
/* False: not a reflection, or larger than the arrays. */
bool load_json_read(struct load_room *, const char *text);
/* A copy of one user. NULL: out of memory. */
struct load_kept *load_json_keep(const struct load_iface *);

/* ---- load_module.c: a module's own words against its reflection and the device */
struct load_module {
	const uint32_t *words;
	size_t nwords;
	char entry[64];
	uint32_t topology; /* geometry: VkPrimitiveTopology that it takes, else UINT32_MAX */
	bool pin;          /* the subgroup size must be asked for */
	bool layered;      /* vertex: writes a layer or a viewport */
	bool captures;     /* what transform feedback captures is written */
};
/* Checks header, instruction lengths up to the first function, the one entry point of the stage, that each binding that the
 * module declares is in the reflection, capabilities, modes and workgroup. Else a code, with the reason. */
enum xl_load_code load_module_check(struct load_module *, const struct load_iface *, uint32_t subgroup_size,
				    const struct load_facts *, char *why, size_t cap);

/* ---- load_layout.c: why a pipeline is refused. False, with the code in *to and the reason, made as printf does, in `why`. */
bool load_fail(enum xl_load_code *to, enum xl_load_code code, char *why, size_t cap, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* ---- load_capture.c: transform feedback of a module that was checked, against the device's limits. Else a code, with the reason. */
enum xl_load_code load_capture_check(const struct load_module *, const struct load_facts *, char *why, size_t cap);

/* ---- load_layout.c: layouts, shared by content */
struct load_hash { uint64_t v[2]; };
struct load_layout {
	struct load_layout *next;
	struct load_hash hash;
	VkPipelineLayout layout;
	uint32_t nset;
	VkDescriptorSetLayout set[XL_LOAD_MAX_SETS];
};
struct load_pass { struct load_pass *next; struct load_hash hash; VkRenderPass pass; };
enum { LOAD_BUCKETS = 256 };
struct load_layouts { pthread_mutex_t lock; struct load_layout *bucket[LOAD_BUCKETS]; struct load_pass *pass[LOAD_BUCKETS]; };
struct xl_loader;
/* The layout for programs used together. NULL with a code and reason. Thread-safe. */
const struct load_layout *load_layout_get(struct xl_loader *, const struct load_iface *const *, uint32_t n,
					  enum xl_load_code *, char *why, size_t cap);
void load_layout_free(struct xl_loader *);

/* ---- load_state.c: a graphics state of one's own */
enum load_part { PART_VERTEX_INPUT, PART_PRE_RASTER, PART_FRAGMENT, PART_OUTPUT };
struct load_state {
	VkGraphicsPipelineCreateInfo info; /* pointers lead into `memory`; stages unset */
	void *memory;
	struct load_hash hash; /* of all that is copied; handles of render passes left out */
	struct load_hash part[4]; /* by enum load_part, handles included: a library is shared by pipelines of equal parts */
};
/* NULL with the reason. */
struct load_state *load_state_copy(const VkGraphicsPipelineCreateInfo *, char *why, size_t cap);
/* load_probe.c: one that fits the programs. */
struct load_state *load_probe_state(struct xl_loader *, const char *recorded, const struct load_iface *const *,
				    const struct load_module *, uint32_t n, char *why, size_t cap);
void load_probe_free(struct xl_loader *);
enum { LOAD_ATTRIBUTES = 32, LOAD_TARGETS = 8, LOAD_DYNAMIC = 32 };
/* load_fixed.c: rasterizer, tests and blending of a package's lines. The structures have no pointers but to this one. */
struct load_fixed {
	VkBool32 restart;
	VkPipelineRasterizationStateCreateInfo raster;
	VkPipelineMultisampleStateCreateInfo samples; /* but for how many there are */
	VkSampleMask mask[2];
	VkPipelineDepthStencilStateCreateInfo depth;
	VkPipelineColorBlendStateCreateInfo color;    /* but for its attachments */
	VkPipelineColorBlendAttachmentState blend[LOAD_TARGETS];
	VkDynamicState dynamic[LOAD_DYNAMIC];         /* viewport and scissor first, in one of their kinds */
	uint32_t ndynamic;
};
void load_fixed_init(struct load_fixed *);            /* nothing is known: what a pipeline without such state is made with */
/* Text of the form "color # format #", where each # is a number in decimal: those into v. What follows, or NULL: it is not of it.
 * Each pipeline's state has such lines; sscanf, which measures the whole text each time, would show in `make bench-load`. */
const char *load_numbers(const char *s, const char *form, uint32_t *v);
void load_fixed_line(struct load_fixed *, const struct xl_loader *, const char *line);
void load_fixed_end(struct load_fixed *, const struct xl_loader *);
/* load_record.c: what a package says of a pipeline's state, as far as the device can do it with the programs. */
struct load_record {
	VkVertexInputBindingDescription binding[LOAD_ATTRIBUTES];
	VkVertexInputAttributeDescription attribute[LOAD_ATTRIBUTES];
	uint32_t nbinding, nattribute;
	VkFormat color[LOAD_TARGETS], depth; /* VK_FORMAT_UNDEFINED: not known, or none */
	VkPrimitiveTopology topology;        /* VK_PRIMITIVE_TOPOLOGY_MAX_ENUM: not known */
	VkSampleCountFlagBits samples;
	uint32_t patch_points;
	bool inputs;                         /* bindings and attributes are all that the programs read */
	bool blends[LOAD_TARGETS];           /* the colour's format can be blended */
	struct load_fixed fixed;             /* it stays where it is */
};
void load_record_read(struct load_record *, struct xl_loader *, const char *lines, const struct load_iface *const *, uint32_t n);
void load_state_free(struct load_state *);

/* ---- load_journal.c */
enum load_past { LOAD_PAST_NONE, LOAD_PAST_CRASHED, LOAD_PAST_REFUSED };
struct load_journal;
struct load_note { void (*say)(void *user, enum xl_load_code, bool error, const char *subject, const char *text); void *user; };
/* Never NULL but for lack of memory: without a path, or when the file cannot be had, nothing is remembered. */
struct load_journal *load_journal_open(const char *path, const struct load_note *);
void load_journal_close(struct load_journal *);
enum load_past load_journal_past(struct load_journal *, struct load_hash, int *result);
void load_journal_begin(struct load_journal *, struct load_hash);
/* `refused`: remembered, with the VkResult. */
void load_journal_end(struct load_journal *, struct load_hash, bool refused, int result);
void load_journal_forget(struct load_journal *, struct load_hash);

/* ---- load_cache.c: the driver's cache on disk */
VkPipelineCache load_cache_open(struct xl_loader *);
enum xl_load_status load_cache_save(struct xl_loader *);

/* ---- the loader */
enum load_entry_state { ENTRY_IDLE, ENTRY_FAST, ENTRY_DONE, ENTRY_FAILED };
enum load_where { WHERE_NOWHERE, WHERE_HEAP, WHERE_URGENT, WHERE_BUSY /* read, queued or compiled */ };
enum { LOAD_STAGES = 5 };
struct load_entry {
	/* read by xl_load_get without a lock; what follows each state is written before it */
	_Atomic int state;          /* enum load_entry_state */
	_Atomic(VkPipeline) current;
	_Atomic bool wanted, on_stack, hidden;
	struct load_entry *_Atomic next_wanted;
	const struct load_layout *_Atomic layout;
	VkPipelineLayout own_layout;
	/* fixed once declared */
	uint32_t id;
	char *name;
	bool graphics;
	uint32_t nprogram, program[LOAD_STAGES];
	struct load_state *declared; /* NULL: compute, or the probe state */
	const char *recorded;        /* the package's, lines: for the probe state; or NULL */
	/* under the loader's lock */
	enum load_where where;
	int priority, wish; /* wish: the control file's, added */
	uint64_t order;     /* within a priority */
	uint32_t at;        /* in the heap */
	bool asked, second; /* second: the optimised stage is to come */
	bool quarantined;
	VkPipeline replaced;
	struct load_hash hash;
	bool hashed;
	enum xl_load_code code; /* of ENTRY_FAILED */
	const char *reason;
	uint64_t read_ns, fast_ns, optimised_ns;
};

/* Its place in the order of what is to be read: the larger `wanted` first, then the smaller `order`. */
struct load_rank { int64_t wanted; uint64_t order; struct load_entry *e; };

/* What a pipeline is made of, unpacked. */
struct load_job {
	struct load_job *next;
	struct load_entry *e;
	uint64_t bytes;  /* counted against the bound */
	bool urgent;
	bool fast;       /* the fast one will do */
	struct load_hash hash; /* what the journal knows it by */
	uint64_t read_ns;
	uint32_t nstage;
	bool generated;  /* the last stage is a fragment program's own */
	struct load_module module[LOAD_STAGES];
	const struct load_iface *iface[LOAD_STAGES]; /* of `kept` */
	struct load_kept *kept[LOAD_STAGES];
	uint32_t subgroup[LOAD_STAGES];
	struct load_hash content[LOAD_STAGES];
	const struct load_state *state;  /* graphics */
	struct load_state *probe;        /* made for this job */
	const struct load_layout *layout; /* NULL: the host's */
	enum xl_load_code code;
	char why[256];
	uint32_t nwords, words[]; /* all modules, one behind the other */
};

enum { LOAD_CHUNK = 1024, LOAD_CHUNKS = 4096 };
struct load_program { const char *name, *stage; char key[33]; bool refused; uint32_t words, generated /* words of its geometry stage */, subgroup; };
/* Thousands of programs have a few hundred reflections: what was read of the latest ones, by their number, is shared by all jobs
 * that need it, and by the reading thread. */
enum { LOAD_KEPT = 256 };
struct load_rule { char what; int priority; char pattern[128]; };
struct load_text { struct load_text *next; char s[]; };
struct load_libraries { pthread_mutex_t lock; struct load_library **bucket; };

struct xl_loader {
	struct xl_load_info info;  /* strings are copies */
	char *package_name, *state_dir, *control_path;
	struct load_vk vk;
	struct load_facts facts;
	bool use_library, use_probe_cache; /* pipeline libraries; VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT */
	void *map;
	size_t nmap;
	struct xl_package *package;
	struct xl_slot *slot;      /* the reading thread's; open's before */
	struct load_kept *kept[LOAD_KEPT]; /* the reading thread's; NULL: none */
	struct load_room *room;    /* the reading thread's */
	uint64_t package_hash;
	struct load_program *program;
	uint32_t nprogram, *by_key, *by_name; /* programs in order of key and of name */
	struct load_layouts layouts;
	struct load_libraries libraries;
	struct load_journal *journal;
	VkPipelineCache cache;
	char *cache_path, *journal_path;
	pthread_mutex_t save_lock, say_lock;

	struct load_entry *_Atomic chunk[LOAD_CHUNKS];
	_Atomic uint32_t nentry;
	struct load_entry *_Atomic wanted; /* stack of entries that xl_load_get asks for */
	sem_t bell;                /* rings for the reading thread */

	pthread_mutex_t lock;      /* all below */
	pthread_cond_t work, idle;
	struct load_rank *heap;
	uint32_t nheap, cap_heap;
	struct load_entry **urgent;
	uint32_t nurgent;
	struct load_job *first, *last;
	uint32_t njob, nbusy;      /* jobs in the queue; jobs anywhere (being read, waiting, compiled) */
	uint64_t order;
	struct xl_load_progress count;
	bool quit, stop, pause;
	bool full, bound;          /* what the reading thread sleeps for: the length of the queue; memory */
	struct load_text *texts;   /* reasons that were handed out */

	pthread_t reader, controller, *worker;
	uint32_t nworker, started;
	bool has_reader, has_controller;
	pthread_cond_t poll;       /* ends the controller's sleep */
	struct load_rule *rule;    /* of the control file, in its order */
	uint32_t nrule;
};

/* load.c */
struct load_hash load_hash_of(const void *, size_t);
static inline bool load_hash_equal(struct load_hash a, struct load_hash b) { return a.v[0] == b.v[0] && a.v[1] == b.v[1]; }
void load_say(struct xl_loader *, enum xl_load_code, bool error, const char *subject, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
const char *load_text(struct xl_loader *, const char *); /* kept; with the lock */
struct load_entry *load_entry_at(const struct xl_loader *, uint32_t id);
uint64_t load_now(void); /* ns */
uint64_t load_processor(void); /* ns of this thread on a processor */

/* load_open.c: package index, requirements */
int load_open_device(struct xl_loader *, const struct xl_load_info *);
int load_open_paths(struct xl_loader *);
enum xl_load_status load_open_package(struct xl_loader *);
enum xl_load_status load_open_needs(struct xl_loader *);

/* load_queue.c: threads and order */
int load_queue_start(struct xl_loader *);
int load_queue_reserve(struct xl_loader *, uint32_t n); /* with the lock: room for n entries. -1: out of memory */
void load_queue_stop(struct xl_loader *);
void load_queue_add(struct xl_loader *, struct load_entry *, int priority); /* with the lock */
void load_queue_order(struct xl_loader *);   /* with the lock, after wishes changed: all again */
void load_queue_ring(struct xl_loader *);
bool load_queue_idle(const struct xl_loader *); /* with the lock */

/* load_done.c: without the lock; the job stays the caller's, and may be NULL for a failure for lack of memory */
struct load_made;
void load_done_made(struct xl_loader *, struct load_job *, const struct load_made *);
void load_done_failed(struct xl_loader *, struct load_entry *, struct load_job *, uint64_t bytes);

/* load_read.c: modules of an entry into a job */
/* NULL: out of memory. Else the job has a code, or is ready for load_make. */
struct load_job *load_read(struct xl_loader *, struct load_entry *);
void load_read_forget(struct xl_loader *); /* what is kept */
uint64_t load_read_size(const struct xl_loader *, const struct load_entry *);
void load_read_free(struct load_job *);

/* load_make.c: a job into a pipeline; false: code and reason are in the job. */
/* `cpu`: this thread's processor time before the driver was called, and behind it. */
struct load_made { VkPipeline pipeline; uint64_t ns, cpu[2]; bool optimised; };
bool load_make(struct xl_loader *, struct load_job *, struct load_made *);

/* load_library.c: graphics pipeline libraries */
VkResult load_library_link(struct xl_loader *, const struct load_job *, const VkPipelineShaderStageCreateInfo *,
			   VkPipelineLayout, VkPipeline *);
void load_library_free(struct xl_loader *);

/* load_control.c */
int load_control_start(struct xl_loader *);
void load_control_apply(struct xl_loader *, struct load_entry *); /* with the lock: the rules that are in force */
void load_control_stop(struct xl_loader *);
/* `ms` from now, for a condition of the loader's. */
struct timespec load_control_after(int ms);

#endif
