/* load_device.c - a device of the loader's own, for tools, tests and examples: hosts have theirs. */
#define _GNU_SOURCE
#include "load_int.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEVICES = 32, FAMILIES = 32 };
struct owned {
	struct xl_load_device out; /* first: it is what is handed out and given back */
	struct xl_load_features *features;
	VkDeviceCreateInfo created;
	VkDeviceQueueCreateInfo queue;
	float priority;
	PFN_vkDestroyInstance destroy_instance;
	PFN_vkDestroyDevice destroy_device;
	PFN_vkEnumeratePhysicalDevices list;
	PFN_vkGetPhysicalDeviceProperties properties;
	PFN_vkGetPhysicalDeviceQueueFamilyProperties families;
	PFN_vkCreateDevice create_device;
};

__attribute__((format(printf, 4, 5))) static struct xl_load_device *no(struct owned *o, char *why, size_t cap, const char *fmt,
									...)
{
	va_list va;

	va_start(va, fmt);
	vsnprintf(why, cap, fmt, va);
	va_end(va);
	xl_load_device_close(o ? &o->out : NULL);
	return NULL;
}

static const char *open_instance(struct owned *o)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3 };
	VkInstanceCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app };
	PFN_vkGetInstanceProcAddr proc = o->out.proc;
	PFN_vkCreateInstance create = proc ? (PFN_vkCreateInstance)proc(VK_NULL_HANDLE, "vkCreateInstance") : NULL;

	if (!proc)
		return "there is no libvulkan.so.1";
	if (!create || create(&ci, NULL, &o->out.instance))
		return "Vulkan gives no instance";
#define GET(member, name) o->member = (PFN_##name)proc(o->out.instance, #name)
	GET(destroy_instance, vkDestroyInstance);
	GET(destroy_device, vkDestroyDevice);
	GET(list, vkEnumeratePhysicalDevices);
	GET(properties, vkGetPhysicalDeviceProperties);
	GET(families, vkGetPhysicalDeviceQueueFamilyProperties);
	GET(create_device, vkCreateDevice);
#undef GET
	return o->destroy_instance && o->destroy_device && o->list && o->properties && o->families && o->create_device ? NULL :
		"Vulkan lacks functions";
}

static bool is_meant(const char *which, uint32_t number, const char *name)
{
	char *end;
	unsigned long n;

	if (!which || !*which)
		return true;
	n = strtoul(which, &end, 10);
	if (isdigit((unsigned char)*which) && !*end)
		return n == number;
	return strcasestr(name, which) != NULL;
}

static bool pick(struct owned *o, const char *which)
{
	VkPhysicalDevice all[DEVICES];
	uint32_t n = DEVICES;

	if (o->list(o->out.instance, &n, all) < 0)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		o->properties(all[i], &o->out.properties);
		if (!is_meant(which, i, o->out.properties.deviceName))
			continue;
		o->out.physical_device = all[i];
		return true;
	}
	return false;
}

static uint32_t pick_family(const struct owned *o)
{
	VkQueueFamilyProperties all[FAMILIES];
	uint32_t n = FAMILIES, best = 0, score = 0;

	o->families(o->out.physical_device, &n, all);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = (all[i].queueFlags & VK_QUEUE_GRAPHICS_BIT ? 2 : 0) + (all[i].queueFlags & VK_QUEUE_COMPUTE_BIT ? 1 : 0);

		if (all[i].queueCount && s > score) {
			best = i;
			score = s;
		}
	}
	return best;
}

struct xl_load_device *xl_load_device_open(const char *which, PFN_vkGetInstanceProcAddr proc, char *why, size_t cap)
{
	struct owned *o = calloc(1, sizeof(*o));
	const char *bad;
	VkResult r;

	if (!o)
		return no(o, why, cap, "out of memory");
	o->out.proc = load_vk_entry(proc);
	bad = open_instance(o);
	if (bad)
		return no(o, why, cap, "%s", bad);
	if (!pick(o, which))
		return no(o, why, cap, "there is no Vulkan device%s%.60s", which && *which ? " " : "", which ? which : "");
	o->features = xl_load_features_new(o->out.instance, o->out.physical_device, o->out.proc);
	if (!o->features)
		return no(o, why, cap, "%s has no Vulkan 1.1", o->out.properties.deviceName);
	o->priority = 1;
	o->out.queue_family = pick_family(o);
	o->queue = (VkDeviceQueueCreateInfo){ .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = o->out.queue_family, .queueCount = 1, .pQueuePriorities = &o->priority };
	o->created = (VkDeviceCreateInfo){ .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = o->features->chain,
		.queueCreateInfoCount = 1, .pQueueCreateInfos = &o->queue,
		.enabledExtensionCount = o->features->nextension, .ppEnabledExtensionNames = o->features->extension };
	r = o->create_device(o->out.physical_device, &o->created, NULL, &o->out.device);
	if (r)
		return no(o, why, cap, "%s gives no device: VkResult %d", o->out.properties.deviceName, (int)r);
	o->out.created = &o->created;
	return &o->out;
}

void xl_load_device_close(struct xl_load_device *d)
{
	struct owned *o = (struct owned *)d;

	if (!o)
		return;
	if (o->out.device)
		o->destroy_device(o->out.device, NULL);
	if (o->out.instance && o->destroy_instance)
		o->destroy_instance(o->out.instance, NULL);
	xl_load_features_free(o->features);
	free(o);
}
