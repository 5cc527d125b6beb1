/* shim.c - a libvulkan.so.1 that stands before the real one and misbehaves on a module of a certain size, so that what a
 * driver's crash, refusal or slowness does to a whole program can be seen. From the environment:
 *
 *	SHIM_REAL   path of the real libvulkan.so.1
 *	SHIM_WORDS  size in words of the module that is meant
 *	SHIM_DO     crash, refuse, or slow
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr real;
static PFN_vkGetDeviceProcAddr real_device;
static PFN_vkCreateShaderModule real_module;
static PFN_vkCreateComputePipelines real_compute;
static VkShaderModule meant; /* the last one that was made of that size */

static size_t words(void)
{
	const char *s = getenv("SHIM_WORDS");

	return s ? strtoul(s, NULL, 10) : 0;
}

static VKAPI_ATTR VkResult VKAPI_CALL module(VkDevice d, const VkShaderModuleCreateInfo *ci, const VkAllocationCallbacks *a,
					     VkShaderModule *out)
{
	VkResult r = real_module(d, ci, a, out);

	if (!r && ci->codeSize / 4 == words())
		meant = *out;
	return r;
}

static VKAPI_ATTR VkResult VKAPI_CALL compute(VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *ci,
					      const VkAllocationCallbacks *a, VkPipeline *out)
{
	const char *what = getenv("SHIM_DO");

	if (meant && ci->stage.module == meant && what) {
		if (!strcmp(what, "crash"))
			raise(SIGSEGV);
		if (!strcmp(what, "slow"))
			nanosleep(&(struct timespec){ 3, 0 }, NULL);
		if (!strcmp(what, "refuse"))
			return VK_ERROR_UNKNOWN;
	}
	return real_compute(d, c, n, ci, a, out);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice d, const char *name)
{
	PFN_vkVoidFunction f = real_device(d, name);

	if (!strcmp(name, "vkCreateShaderModule")) {
		real_module = (PFN_vkCreateShaderModule)f;
		return (PFN_vkVoidFunction)module;
	}
	if (!strcmp(name, "vkCreateComputePipelines")) {
		real_compute = (PFN_vkCreateComputePipelines)f;
		return (PFN_vkVoidFunction)compute;
	}
	return f;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance i, const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance i, const char *name)
{
	PFN_vkVoidFunction f;

	if (!real) {
		void *lib = dlopen(getenv("SHIM_REAL"), RTLD_NOW | RTLD_LOCAL), *p = lib ? dlsym(lib, "vkGetInstanceProcAddr") : NULL;

		memcpy(&real, &p, sizeof(p));
	}
	f = real ? real(i, name) : NULL;
	if (f && !strcmp(name, "vkGetDeviceProcAddr")) {
		real_device = (PFN_vkGetDeviceProcAddr)f;
		return (PFN_vkVoidFunction)device_proc;
	}
	return f;
}
