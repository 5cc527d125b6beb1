/* xlate_load.h - the loader: pipelines of a translated package, made in the background, never waited for.
 *
 * A host opens a package against its device, declares pipelines, prefetches what it will need soon, and asks for a
 * pipeline at each draw with xl_load_get: ready, pending or failed, without a lock, an allocation or a system call that can
 * wait. It skips the draw while the answer is "pending".
 *
 *	struct xl_load_info info = { .size = sizeof(info), .package = "game.xlp", .physical_device = p, .device = d,
 *		.instance = i, .created = &device_create_info, .state_dir = "cache" };
 *	struct xl_loader *l = xl_load_open(&info, &status);
 *	uint32_t sky = xl_load_graphics(l, "sky", programs, 2, &state);
 *	xl_load_prefetch(l, &sky, 1, 10);
 *	...
 *	if (xl_load_get(l, sky, &p) == XL_LOAD_READY)
 *		vkCmdBindPipeline(cmd, p.bind_point, p.pipeline);
 *
 * How it works: one thread reads, checks and unpacks modules, in order of priority and within a memory bound; a few more
 * (of the affinity mask, at idle priority) make pipelines of them. A pipeline that somebody waits for overtakes the others,
 * and is made twice where the device allows: fast first, optimised later, unless the driver's cache has the optimised one.
 *
 * State on disk (in state_dir, nothing is kept without one), one set of files for each pair of driver UUID and package:
 *	*.vkcache   the driver's pipeline cache behind a head of ours, replaced at once or not at all
 *	*.journal   which compilations began and ended. One that began and never ended took the process down: it is
 *	            quarantined at the next start. One that the driver refused is not tried again.
 * The journal belongs to one process at a time; others use what it says, and their crashes are not remembered.
 *
 * Threads: every function but xl_load_close and xl_load_trim may be called from any thread at any time. Callbacks come from
 * threads of the loader and of its callers, one at a time; of the loader they may call xl_load_get, _report and _progress.
 *
 * Ownership: strings and structures that are passed in are copied. Strings that are handed out live as long as the loader;
 * Vulkan objects that are handed out are the loader's, and live until xl_load_close or, once replaced, xl_load_trim.
 *
 * Errors: xl_load_open gives NULL, others a status, XL_LOAD_NONE or a state, after telling the message callback why. A
 * package is untrusted up to the words of its modules: those have their hash, and go to the driver as they are.
 *
 * Nothing is read from the environment. Vulkan itself is loaded at run time (libvulkan.so.1) unless the host gives its entry.
 */
#ifndef XLATE_LOAD_H
#define XLATE_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XL_LOAD_API __attribute__((visibility("default")))
#else
#define XL_LOAD_API
#endif

/* The numbers are those of enum xl_status, and the command line's exit codes. */
enum xl_load_status {
	XL_LOAD_OK = 0,
	XL_LOAD_REFUSED = 1,    /* the device does not satisfy the package, or the stamp is another */
	XL_LOAD_USAGE = 2,      /* an argument is wrong */
	XL_LOAD_UNREADABLE = 3, /* the package could not be read, or state not be written */
	XL_LOAD_INTERNAL = 4    /* out of memory, no Vulkan, or a bug */
};

/* Codes of messages and of failed pipelines: CODE(NAME, text, meaning). */
#define XL_LOAD_CODES(CODE) \
	CODE(NO_CODE, "", "nothing to say") \
	CODE(IO, "io", "a file could not be read or written") \
	CODE(BAD_PACKAGE, "bad-package", "the package is damaged, or says what its modules do not") \
	CODE(STAMP, "stamp", "the package was made by another translator") \
	CODE(DEVICE, "device", "the device lacks what the package or a program of it needs") \
	CODE(PROGRAM, "program", "a program of the pipeline was refused by the translator, or is not there") \
	CODE(PIPELINE, "pipeline", "the description of a pipeline is wrong, or not one that the loader can keep") \
	CODE(DRIVER, "driver", "the driver refused the pipeline, now or in an earlier run") \
	CODE(QUARANTINE, "quarantine", "a compilation took the process down earlier; the pipeline is not tried again") \
	CODE(CACHE, "cache", "a driver cache of another driver or package, or a damaged one, was not used") \
	CODE(JOURNAL, "journal", "the journal is damaged, or another process has it") \
	CODE(CONTROL, "control", "a line of the control file was not understood") \
	CODE(MEMORY, "memory", "out of memory") \
	CODE(VULKAN, "vulkan", "Vulkan is not there, or a call of the loader's own failed")
enum xl_load_code {
#define XL_LOAD_CODE_(name, text, meaning) XL_LOAD_##name,
	XL_LOAD_CODES(XL_LOAD_CODE_)
#undef XL_LOAD_CODE_
	XL_LOAD_CODE_COUNT
};
XL_LOAD_API const char *xl_load_code_name(enum xl_load_code, const char **meaning);
XL_LOAD_API const char *xl_load_version(void); /* "0.1.0" */

struct xl_load_message {
	enum xl_load_code code;
	int error;           /* 0: a note, nothing is lost */
	const char *subject; /* a file, program or pipeline; or NULL */
	const char *text;    /* one line, valid during the call */
};

#define XL_LOAD_NONE UINT32_MAX

/* ---- a device to load on */
/* What a device must be created with, as far as it offers it: features and extensions that modules or the loader use. The
 * structures are ready to be put into VkDeviceCreateInfo (features as its pNext). */
struct xl_load_features {
	const void *chain; /* VkPhysicalDeviceFeatures2 and what hangs on it */
	const char *const *extension;
	uint32_t nextension;
};
/* NULL: out of memory, or no Vulkan 1.1. `proc` NULL: libvulkan.so.1. Free with xl_load_features_free. */
XL_LOAD_API struct xl_load_features *xl_load_features_new(VkInstance, VkPhysicalDevice, PFN_vkGetInstanceProcAddr proc);
XL_LOAD_API void xl_load_features_free(struct xl_load_features *);

/* A device of the loader's own, for tools and examples: one queue of family `queue_family`, all of the above switched on. */
struct xl_load_device {
	PFN_vkGetInstanceProcAddr proc;
	VkInstance instance;
	VkPhysicalDevice physical_device;
	VkDevice device;
	uint32_t queue_family; /* graphics and compute where there is one */
	const VkDeviceCreateInfo *created;
	VkPhysicalDeviceProperties properties;
};
/* By number ("0"), or a part of the name in any case; NULL: the first. NULL with the reason in `why`. */
XL_LOAD_API struct xl_load_device *xl_load_device_open(const char *which, PFN_vkGetInstanceProcAddr proc, char *why, size_t cap);
XL_LOAD_API void xl_load_device_close(struct xl_load_device *);

/* ---- opening */
enum {
	XL_LOAD_ANY_STAMP = 1,      /* take packages of other versions of the translator, too */
	XL_LOAD_PARTIAL = 2,        /* a device that lacks something: fail the programs that need it, not the package */
	XL_LOAD_ONE_STAGE = 4,      /* optimised only, for those that are waited for as well */
	XL_LOAD_TWO_STAGES = 8,     /* fast, then optimised, for prefetched ones as well */
	XL_LOAD_NORMAL_PRIORITY = 16, /* threads of normal priority */
	XL_LOAD_NO_LIBRARIES = 32   /* no graphics pipeline libraries, though the device has them */
};
struct xl_load_progress;
struct xl_load_info {
	size_t size;                /* of this structure, as the host was compiled with it */
	const char *package;        /* path; or the name of `bytes` */
	const void *bytes;          /* the package in memory, or NULL; stays the host's until xl_load_close */
	size_t nbytes;
	VkInstance instance;
	VkPhysicalDevice physical_device;
	VkDevice device;
	/* What the device was created with; read during xl_load_open only. NULL: all core features that it offers are taken for
	 * switched on, and libraries and cache control are not used. */
	const VkDeviceCreateInfo *created;
	PFN_vkGetInstanceProcAddr proc; /* NULL: libvulkan.so.1 */
	const char *state_dir;      /* folder of driver cache and journal; made when it is not there (not its parents) */
	const char *control;        /* path of the live control file, polled four times a second; NULL: none */
	/* Facts of the device that no Vulkan query tells, which the host vouches for, one a line as in the package's
	 * requirements without "measured ", e.g. "fma-fused\ndenormals-kept 0xe00\n". NULL: none. */
	const char *vouched;
	uint32_t threads;           /* that compile; 0: one less than the processors of the affinity mask, at least one */
	uint32_t flags;             /* XL_LOAD_ANY_STAMP ... */
	uint64_t memory;            /* most bytes of modules that wait or are compiled; 0: 64 MiB. One module may exceed it. */
	uint32_t array_size;        /* descriptors of a run-time array in layouts of the loader; 0: 1024 */
	void (*message)(void *user, const struct xl_load_message *);
	void (*progress)(void *user, const struct xl_load_progress *); /* after each pipeline */
	void *user;
};
/* Reads the package's index, checks stamp and requirements (a message for each that is missing), opens cache and journal and
 * starts the threads. */
XL_LOAD_API struct xl_loader *xl_load_open(const struct xl_load_info *, enum xl_load_status *);
/* Ends the threads after the compilations at hand, writes the driver cache, destroys what was made. The GPU must be done
 * with it. */
XL_LOAD_API void xl_load_close(struct xl_loader *);

/* ---- programs of the package */
struct xl_load_program {
	const char *name;  /* "NAME.STAGE" */
	const char *stage; /* comp vert frag geom tesc tese task mesh */
	const char *key;   /* 32 hex digits */
	int refused;       /* by the translator: there is no module */
};
XL_LOAD_API uint32_t xl_load_programs(const struct xl_loader *);
XL_LOAD_API int xl_load_program(const struct xl_loader *, uint32_t i, struct xl_load_program *); /* 0 past the end */
/* Number of the first program of that name, or of the n-th with that key (variants, from 0); XL_LOAD_NONE: none. O(log n). */
XL_LOAD_API uint32_t xl_load_find(const struct xl_loader *, const char *name);
XL_LOAD_API uint32_t xl_load_find_key(const struct xl_loader *, const char *key, uint32_t n);

/* ---- pipelines: declared once, numbered from 0 */
/* A name for messages and files: need not be unique. The layout is made of the reflection, or the host's own when it is not
 * VK_NULL_HANDLE (it then lives until xl_load_close). XL_LOAD_NONE after a message. Nothing is compiled yet. */
XL_LOAD_API uint32_t xl_load_compute(struct xl_loader *, const char *name, uint32_t program, VkPipelineLayout);
/* All but stages, layout (VK_NULL_HANDLE: of the reflection) and base pipeline is taken from `state` and copied, with
 * VkPipelineRenderingCreateInfo in its pNext where there is no render pass; any other structure in a pNext is refused.
 * `state` NULL: a state that fits the programs' inputs and outputs, to fill the driver's cache where the host's is not
 * known; the render pass is the loader's. */
XL_LOAD_API uint32_t xl_load_graphics(struct xl_loader *, const char *name, const uint32_t *program, uint32_t nprogram,
				      const VkGraphicsPipelineCreateInfo *state);
/* The first pipeline of the package with that name: the programs NAME.STAGE that were captured together. `state` as above, but
 * NULL: what the package says of it (vertex input, formats, rasterizer, tests, blending, what is set while drawing: STATE in
 * xlate-package(5)), as far as the device can do that, and what fits for the rest. Viewport and scissor are always set while
 * drawing; the render pass is the loader's, and compatible with every other of these formats. Compute: NULL. */
XL_LOAD_API uint32_t xl_load_named(struct xl_loader *, const char *name, const VkGraphicsPipelineCreateInfo *state);
/* All pipelines of the package, as by xl_load_named with `state` NULL. First number and count. */
XL_LOAD_API uint32_t xl_load_all(struct xl_loader *, uint32_t *count);
/* Asks for pipelines in the background. Higher priorities first, equal ones in the order asked for; asking again with a
 * higher priority raises it. id NULL: all that are declared. */
XL_LOAD_API enum xl_load_status xl_load_prefetch(struct xl_loader *, const uint32_t *id, uint32_t n, int priority);

enum xl_load_state {
	XL_LOAD_PENDING, /* not made yet; xl_load_get has asked for it now */
	XL_LOAD_READY,
	XL_LOAD_FAILED,  /* and will not be tried again: xl_load_report says why */
	XL_LOAD_HIDDEN   /* by the control file: skip the draw */
};
enum { XL_LOAD_MAX_SETS = 32 };
struct xl_load_pipeline {
	VkPipeline pipeline;
	VkPipelineLayout layout;
	VkPipelineBindPoint bind_point;
	const VkDescriptorSetLayout *set; /* by set number; NULL with a layout of the host's */
	uint32_t nset;
	int optimised;  /* 0: the fast one; the optimised one follows and has the same layout */
};
/* Never waits, whatever the driver does. `out` may be NULL, and is written when the answer is XL_LOAD_READY. */
XL_LOAD_API enum xl_load_state xl_load_get(struct xl_loader *, uint32_t id, struct xl_load_pipeline *out);

struct xl_load_report {
	const char *name;
	enum xl_load_state state;
	enum xl_load_code code; /* why it failed */
	const char *reason;     /* or NULL */
	int asked, optimised, hidden, quarantined;
	uint64_t read_ns, fast_ns, optimised_ns; /* wall time of reading, and in the driver; 0: not done */
};
XL_LOAD_API int xl_load_report(struct xl_loader *, uint32_t id, struct xl_load_report *); /* 0: no such pipeline */

/* ---- all of them */
enum { XL_LOAD_SLOW = 8 };
struct xl_load_progress {
	uint32_t declared, asked;        /* pipelines; asked for so far */
	uint32_t ready, optimised;       /* ready: fast or optimised */
	uint32_t failed, quarantined;    /* failed: quarantined ones included */
	uint32_t last;                   /* the pipeline that this call is about, or XL_LOAD_NONE */
	uint32_t slow[XL_LOAD_SLOW];     /* slowest in the driver so far, slowest first; XL_LOAD_NONE: none */
	uint64_t slow_ns[XL_LOAD_SLOW];
	uint64_t read_ns, driver_ns;     /* sums over the threads */
	uint64_t own_cpu_ns, driver_cpu_ns; /* processor time of the loader's threads, outside of the driver and in it */
	uint64_t bytes, peak;            /* of modules that wait or are compiled: now, and at most so far */
	int paused, stopped;
};
XL_LOAD_API void xl_load_progress(struct xl_loader *, struct xl_load_progress *);
/* Until all that was asked for is optimised or failed, or the loader stopped, at most `ms` milliseconds (negative: for ever).
 * 1: done. Blocks: for tools, loading screens and tests. */
XL_LOAD_API int xl_load_wait(struct xl_loader *, int ms);
/* Forgets that a pipeline failed or is in quarantine, here and in the journal: it may be asked for again. */
XL_LOAD_API void xl_load_release(struct xl_loader *, uint32_t id);
/* Destroys fast pipelines that an optimised one replaced. No command buffer may be pending that uses one, and no other
 * thread be between xl_load_get and the use of its answer. */
XL_LOAD_API void xl_load_trim(struct xl_loader *);
/* Writes the driver's cache now (xl_load_close does, too). */
XL_LOAD_API enum xl_load_status xl_load_save(struct xl_loader *);
/* The lines of a control file, as xlate-load(1) has them: pause, stop, priority, hide, list, describe. They replace those
 * given before. NULL: none. Answers of list and describe go to the message callback as notes, and with a control file to
 * its path with ".out" behind it. */
XL_LOAD_API enum xl_load_status xl_load_control(struct xl_loader *, const char *lines);

#ifdef __cplusplus
}
#endif
#endif
