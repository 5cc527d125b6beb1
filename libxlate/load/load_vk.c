/* load_vk.c - Vulkan's functions, found at run time: nothing of the loader is linked against Vulkan. */
#include "load_int.h"

#include <dlfcn.h>

PFN_vkGetInstanceProcAddr load_vk_entry(PFN_vkGetInstanceProcAddr given)
{
	PFN_vkGetInstanceProcAddr entry = NULL;
	void *lib, *f;

	if (given)
		return given;
	/* Never closed: drivers start threads of their own. */
	lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
	f = lib ? dlsym(lib, "vkGetInstanceProcAddr") : NULL;
	if (f)
		memcpy(&entry, &f, sizeof(entry));
	return entry;
}

const char *load_vk_find(struct load_vk *vk, PFN_vkGetInstanceProcAddr proc, VkInstance instance, VkDevice device)
{
	vk->proc = proc;
#define INSTANCE(name) \
	vk->name = (PFN_##name)proc(instance, #name); \
	if (!vk->name) \
		return #name;
#include "load_vk.def"
	if (device == VK_NULL_HANDLE)
		return NULL;
#define DEVICE(name) \
	vk->name = (PFN_##name)vk->vkGetDeviceProcAddr(device, #name); \
	if (!vk->name) \
		return #name;
#include "load_vk.def"
	return NULL;
}
