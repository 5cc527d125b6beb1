#include "profile.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "child.h"

struct facts {
#define STRUCT(kind, field, type, stype, extension) VkPhysicalDevice##type field;
#define FEATURE(field, member)
#define FLAG(field, member)
#define NUMBER(field, member)
#define LIMIT(member)
#define LIMITS(member, n)
#include "profile.def"
#undef STRUCT
#undef FEATURE
#undef FLAG
#undef NUMBER
#undef LIMIT
#undef LIMITS
	VkPhysicalDeviceFeatures core;
	VkPhysicalDeviceProperties properties;
	VkExtensionProperties *extensions;
	uint32_t nextensions;
};

struct member {
	const char *name;
	uint32_t offset; /* in struct facts */
	uint32_t count;
	bool flag;
};

struct group {
	const char *kind, *type, *extension;
	uint32_t offset, size;
};

static const struct group groups[] = {
	{"features", "Features", NULL, offsetof(struct facts, core), sizeof(VkPhysicalDeviceFeatures)},
#define STRUCT(kind, field, type, stype, extension)                                                                    \
	{#kind, #type, extension, offsetof(struct facts, field), sizeof(VkPhysicalDevice##type)},
#define FEATURE(field, member)
#define FLAG(field, member)
#define NUMBER(field, member)
#define LIMIT(member)
#define LIMITS(member, n)
#include "profile.def"
#undef STRUCT
#undef FEATURE
#undef FLAG
#undef NUMBER
#undef LIMIT
#undef LIMITS
};

static const struct member members[] = {
#define STRUCT(kind, field, type, stype, extension)
#define FEATURE(field, member) {#member, offsetof(struct facts, field.member), 1, true},
#define FLAG(field, member) {#member, offsetof(struct facts, field.member), 1, true},
#define NUMBER(field, member) {#member, offsetof(struct facts, field.member), 1, false},
#define LIMIT(member) {#member, offsetof(struct facts, properties.limits.member), 1, false},
#define LIMITS(member, n) {#member, offsetof(struct facts, properties.limits.member), n, false},
#include "profile.def"
#undef STRUCT
#undef FEATURE
#undef FLAG
#undef NUMBER
#undef LIMIT
#undef LIMITS
};

static bool has(const struct facts *f, const char *extension)
{
	for (uint32_t i = 0; i < f->nextensions; i++)
		if (!strcmp(f->extensions[i].extensionName, extension))
			return true;
	return false;
}

static void ask(VkPhysicalDevice device, struct facts *f)
{
	VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
	VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
	vkEnumerateDeviceExtensionProperties(device, NULL, &f->nextensions, NULL);
	f->extensions = calloc(f->nextensions + 1, sizeof *f->extensions);
	vkEnumerateDeviceExtensionProperties(device, NULL, &f->nextensions, f->extensions);
#define STRUCT(kind, field, type, stype, extension)                                                                    \
	f->field.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##stype;                                                    \
	if (!extension || has(f, extension)) {                                                                         \
		f->field.pNext = kind.pNext;                                                                           \
		kind.pNext = &f->field;                                                                                \
	}
#define FEATURE(field, member)
#define FLAG(field, member)
#define NUMBER(field, member)
#define LIMIT(member)
#define LIMITS(member, n)
#include "profile.def"
#undef STRUCT
#undef FEATURE
#undef FLAG
#undef NUMBER
#undef LIMIT
#undef LIMITS
	vkGetPhysicalDeviceFeatures2(device, &features);
	vkGetPhysicalDeviceProperties2(device, &properties);
	f->core = features.features;
	f->properties = properties.properties;
}

static void print_members(const struct facts *f, uint32_t from, uint32_t size)
{
	const char *comma = "";
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const struct member *m = &members[i];
		const uint32_t *v = (const uint32_t *)((const char *)f + m->offset);
		if (m->offset < from || m->offset >= from + size)
			continue;
		printf("%s\"%s\":%s", comma, m->name, m->count > 1 ? "[" : "");
		for (uint32_t k = 0; k < m->count; k++) {
			if (m->flag)
				printf("%s", v[k] ? "true" : "false");
			else
				printf("%s%u", k ? "," : "", v[k]);
		}
		printf("%s", m->count > 1 ? "]" : "");
		comma = ",";
	}
}

/* Vulkan 1.1's set of subgroup operations, by name. */
static void print_operations(uint32_t set)
{
	static const char *const names[] = {"BASIC",   "VOTE",    "ARITHMETIC",       "BALLOT",
					    "SHUFFLE", "SHUFFLE_RELATIVE", "CLUSTERED", "QUAD"};
	const char *comma = "";
	printf(",\"subgroupSupportedOperations\":[");
	for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!(set >> i & 1))
			continue;
		printf("%s\"VK_SUBGROUP_FEATURE_%s_BIT\"", comma, names[i]);
		comma = ",";
	}
	printf("]");
}

static void print_groups(const struct facts *f, const char *kind)
{
	const char *comma = "";
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		const struct group *g = &groups[i];
		if (strcmp(g->kind, kind) || (g->extension && !has(f, g->extension)))
			continue;
		printf("%s\n\"VkPhysicalDevice%s\":{", comma, g->type);
		print_members(f, g->offset, g->size);
		if (g->offset == offsetof(struct facts, p11))
			print_operations(f->p11.subgroupSupportedOperations);
		printf("}");
		comma = ",";
	}
}

static void print(const struct facts *f)
{
	uint32_t from = offsetof(struct facts, properties.limits);
	printf("{\"capabilities\":{\"device\":{\"extensions\":{");
	for (uint32_t i = 0; i < f->nextensions; i++)
		printf("%s\"%s\":%u", i ? "," : "", f->extensions[i].extensionName, f->extensions[i].specVersion);
	printf("},\n\"features\":{");
	print_groups(f, "features");
	printf("},\n\"properties\":{\n\"VkPhysicalDeviceProperties\":{\"apiVersion\":%u,\"deviceName\":\"%s\",\"limits\":{",
	       f->properties.apiVersion, f->properties.deviceName);
	print_members(f, from, sizeof f->properties.limits);
	printf("}},");
	print_groups(f, "properties");
	printf("}}}}\n");
}

int profile_print(void)
{
	VkInstance instance;
	VkPhysicalDevice device;
	VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
	struct facts f = {0};
	uint32_t n = 1;
	if (vkCreateInstance(&info, NULL, &instance) || vkEnumeratePhysicalDevices(instance, &n, &device) < 0 || !n) {
		fprintf(stderr, "vkexec: no device\n");
		return CHILD_REFUSED;
	}
	ask(device, &f);
	print(&f);
	free(f.extensions);
	vkDestroyInstance(instance, NULL);
	return CHILD_OK;
}
