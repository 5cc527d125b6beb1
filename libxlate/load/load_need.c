/* load_need.c - what the device has, and whether that is what a package or a module needs. */
#include "load_int.h"

#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum chain_id {
	CHAIN_core,
#define CHAIN(member, type, stype, minor, extension) CHAIN_##member,
#include "load_need.def"
	CHAIN_COUNT
};
struct chain { size_t at, size; VkStructureType stype; unsigned minor; const char *extension; };
static const struct chain chains[CHAIN_COUNT] = {
	[CHAIN_core] = { offsetof(struct load_features, core), sizeof(VkPhysicalDeviceFeatures), 0, 0, NULL },
#define CHAIN(member, type, stype, minor, extension) \
	[CHAIN_##member] = { offsetof(struct load_features, member), sizeof(type), VK_STRUCTURE_TYPE_##stype, minor, extension },
#include "load_need.def"
};
#define AT(chain, feature) offsetof(struct load_features, chain.feature)

enum kind { KIND_FREE, KIND_FEATURE, KIND_GROUP, KIND_EXTENSION, KIND_MODE };
struct cap { uint32_t number; const char *name; enum kind kind; size_t at; const char *what; uint32_t bit; };
static const struct cap caps[] = {
#define CAP_FREE(cap) { SpvCapability##cap, #cap, KIND_FREE, 0, "", 0 },
#define CAP(cap, chain, feature) { SpvCapability##cap, #cap, KIND_FEATURE, AT(chain, feature), #feature, 0 },
#define CAP_GROUP(cap, bit) { SpvCapability##cap, #cap, KIND_GROUP, 0, #bit, VK_SUBGROUP_FEATURE_##bit##_BIT },
#define CAP_EXT(cap, extension) { SpvCapability##cap, #cap, KIND_EXTENSION, 0, extension, 0 },
#define CAP_MODE(cap) { SpvCapability##cap, #cap, KIND_MODE, 0, "", 0 },
#include "load_need.def"
};
static const struct { uint32_t mode, width; size_t at; const char *what; } modes[] = {
#define MODE(mode, width, property) \
	{ SpvExecutionMode##mode, width, offsetof(VkPhysicalDeviceFloatControlsProperties, property), #property },
#include "load_need.def"
};
static const struct { const char *name; unsigned minor; const char *extension; } spirv_ext[] = {
#define SPIRV_EXT(name, minor, extension) { name, minor, extension },
#include "load_need.def"
};
static const struct { size_t at; const char *name; } named[] = {
#define FEATURE(chain, feature) { AT(chain, feature), #feature },
#include "load_need.def"
};
static const size_t used[] = {
#define USED(chain, feature) AT(chain, feature),
#include "load_need.def"
};
static const char *const extends[] = {
#define EXTENDS(extension) extension,
#include "load_need.def"
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the device's side */
static VkBool32 flag(const void *base, size_t at)
{
	VkBool32 v;

	memcpy(&v, (const char *)base + at, sizeof(v));
	return v;
}

bool load_need_extension(const struct load_facts *f, const char *name)
{
	for (uint32_t i = 0; i < f->nextension; i++) {
		if (!strcmp(f->extension[i], name))
			return true;
	}
	return false;
}

static bool has_chain(const struct load_facts *f, unsigned c)
{
	return (!chains[c].minor || f->minor >= chains[c].minor) &&
	       (!chains[c].extension || load_need_extension(f, chains[c].extension));
}

static int extensions(struct load_facts *f, const struct load_vk *vk, VkPhysicalDevice p)
{
	VkExtensionProperties *list;
	uint32_t n = 0;

	if (vk->vkEnumerateDeviceExtensionProperties(p, NULL, &n, NULL) < 0)
		n = 0;
	list = calloc(n + 1, sizeof(*list));
	f->extension = calloc(n + 1, sizeof(*f->extension));
	if (!list || !f->extension) {
		free(list);
		return -1;
	}
	if (vk->vkEnumerateDeviceExtensionProperties(p, NULL, &n, list) < 0)
		n = 0;
	for (uint32_t i = 0; i < n; i++)
		snprintf(f->extension[i], sizeof(f->extension[i]), "%s", list[i].extensionName);
	f->nextension = n;
	free(list);
	return 0;
}

/* Links the structures that the device knows behind `head`. */
static void link_chain(struct load_facts *f, VkPhysicalDeviceFeatures2 *head)
{
	head->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
	head->pNext = NULL;
	for (unsigned c = CHAIN_core + 1; c < CHAIN_COUNT; c++) {
		VkBaseOutStructure *s = (VkBaseOutStructure *)(void *)((char *)&f->feature + chains[c].at);

		if (!has_chain(f, c))
			continue;
		s->sType = chains[c].stype;
		s->pNext = head->pNext;
		head->pNext = s;
	}
}

static void properties(struct load_facts *f, const struct load_vk *vk, VkPhysicalDevice p)
{
	VkPhysicalDeviceProperties2 all = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, NULL, { 0 } };

	vk->vkGetPhysicalDeviceProperties2(p, &all);
	f->device = all.properties;
	f->minor = VK_API_VERSION_MAJOR(f->device.apiVersion) > 1 ? 99 : VK_API_VERSION_MINOR(f->device.apiVersion);
}

static void more_properties(struct load_facts *f, const struct load_vk *vk, VkPhysicalDevice p)
{
	VkPhysicalDeviceProperties2 all = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, NULL, { 0 } };

	f->id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
	f->subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
	f->subgroup.pNext = &f->id;
	all.pNext = &f->subgroup;
	if (f->minor >= 2) {
		f->floats.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
		f->floats.pNext = all.pNext;
		all.pNext = &f->floats;
	}
	if (f->minor >= 3) {
		f->size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
		f->size_control.pNext = all.pNext;
		all.pNext = &f->size_control;
	}
	if (load_need_extension(f, "VK_EXT_graphics_pipeline_library")) {
		f->library.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT;
		f->library.pNext = all.pNext;
		all.pNext = &f->library;
	}
	if (load_need_extension(f, "VK_EXT_transform_feedback")) {
		f->capture.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT;
		f->capture.pNext = all.pNext;
		all.pNext = &f->capture;
	}
	vk->vkGetPhysicalDeviceProperties2(p, &all);
}

/* Switches off, in `to` (VkBool32s only, behind `skip` bytes), what is off in `from`. */
static void narrow(void *to, const void *from, size_t skip, size_t size)
{
	for (; skip + sizeof(VkBool32) <= size; skip += sizeof(VkBool32)) {
		VkBool32 v = flag(to, skip) && flag(from, skip);

		memcpy((char *)to + skip, &v, sizeof(v));
	}
}

/* Leaves what the device was created with. A feature structure that is not one of ours may hold a feature under its older
 * name: then what the device offers in structures that are absent counts as switched on. */
static void narrow_all(struct load_facts *f, const VkDeviceCreateInfo *created)
{
	bool seen[CHAIN_COUNT] = { false }, foreign = false;
	const VkPhysicalDeviceFeatures none = { 0 }, *core = created->pEnabledFeatures;
	uint32_t kept = 0;

	for (const VkBaseInStructure *s = created->pNext; s; s = s->pNext) {
		unsigned c = CHAIN_core + 1;

		if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
			core = &((const VkPhysicalDeviceFeatures2 *)(const void *)s)->features;
			continue;
		}
		while (c < CHAIN_COUNT && chains[c].stype != s->sType)
			c++;
		if (c == CHAIN_COUNT) {
			foreign = true;
			continue;
		}
		seen[c] = true;
		narrow((char *)&f->feature + chains[c].at, s, sizeof(VkPhysicalDeviceFeatures2) - sizeof(none), chains[c].size);
	}
	narrow(&f->feature.core, core ? core : &none, 0, sizeof(none));
	for (unsigned c = CHAIN_core + 1; c < CHAIN_COUNT; c++) {
		if (!seen[c] && (!foreign || chains[c].extension))
			memset((char *)&f->feature + chains[c].at, 0, chains[c].size);
	}
	for (uint32_t i = 0; i < f->nextension; i++) {
		bool on = false;

		for (uint32_t k = 0; k < created->enabledExtensionCount && !on; k++)
			on = !strcmp(created->ppEnabledExtensionNames[k], f->extension[i]);
		if (on)
			memmove(f->extension[kept++], f->extension[i], sizeof(f->extension[0]));
	}
	f->nextension = kept;
}

int load_need_facts(struct load_facts *f, const struct load_vk *vk, VkInstance instance, VkPhysicalDevice p,
		    const VkDeviceCreateInfo *created)
{
	VkPhysicalDeviceFeatures2 all = { 0 };

	(void)instance;
	properties(f, vk, p);
	if (extensions(f, vk, p))
		return -1;
	more_properties(f, vk, p);
	link_chain(f, &all);
	vk->vkGetPhysicalDeviceFeatures2(p, &all);
	f->feature.core = all.features;
	f->created = created != NULL;
	if (created)
		narrow_all(f, created);
	return 0;
}

void load_need_free(struct load_facts *f)
{
	free(f->extension);
	free(f->vouched);
}

/* ---- the module's side */
__attribute__((format(printf, 3, 4))) static bool no(char *why, size_t cap, const char *fmt, ...)
{
	va_list va;

	va_start(va, fmt);
	vsnprintf(why, cap, fmt, va);
	va_end(va);
	return false;
}

bool load_need_capability(const struct load_facts *f, uint32_t number, char *why, size_t cap)
{
	const struct cap *c = caps;

	while (c < caps + COUNT(caps) && c->number != number)
		c++;
	if (c == caps + COUNT(caps))
		return no(why, cap, "SPIR-V capability %u, which this loader does not know", number);
	switch (c->kind) {
	case KIND_FREE:
	case KIND_MODE:
		return true;
	case KIND_FEATURE:
		return flag(&f->feature, c->at) || no(why, cap, "feature %s (SPIR-V capability %s)", c->what, c->name);
	case KIND_GROUP:
		return f->subgroup.supportedOperations & c->bit ||
		       no(why, cap, "subgroup operations of kind %s (SPIR-V capability %s)", c->what, c->name);
	case KIND_EXTENSION:
		return load_need_extension(f, c->what) || no(why, cap, "extension %s (SPIR-V capability %s)", c->what, c->name);
	}
	return false;
}

bool load_need_spirv(const struct load_facts *f, unsigned minor, char *why, size_t cap)
{
	static const unsigned of[] = { 0, 3, 5 }; /* of Vulkan 1.0, 1.1, 1.2 */

	if (minor > 6)
		return no(why, cap, "SPIR-V 1.%u, which this loader does not know", minor);
	if (minor <= (f->minor < 3 ? of[f->minor] : 6u))
		return true;
	if (minor == 4 && load_need_extension(f, "VK_KHR_spirv_1_4"))
		return true;
	return no(why, cap, "SPIR-V 1.%u, and the device has Vulkan 1.%u", minor, f->minor);
}

bool load_need_spirv_extension(const struct load_facts *f, const char *name, char *why, size_t cap)
{
	for (size_t i = 0; i < COUNT(spirv_ext); i++) {
		if (strcmp(spirv_ext[i].name, name))
			continue;
		if ((spirv_ext[i].minor && f->minor >= spirv_ext[i].minor) || load_need_extension(f, spirv_ext[i].extension))
			return true;
		return no(why, cap, "extension %s (%s)", spirv_ext[i].extension, name);
	}
	return no(why, cap, "%.64s, which this loader does not know", name);
}

bool load_need_mode(const struct load_facts *f, uint32_t mode, uint32_t width, char *why, size_t cap)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		if (modes[i].mode == mode && modes[i].width == width)
			return flag(&f->floats, modes[i].at) || no(why, cap, "property %s", modes[i].what);
	}
	return no(why, cap, "execution mode %u of %u bits, which this loader does not know", mode, width);
}

bool load_need_subgroup(const struct load_facts *f, uint32_t size, VkShaderStageFlags stages, bool *pin, char *why, size_t cap)
{
	const VkPhysicalDeviceSubgroupSizeControlProperties *c = &f->size_control;

	*pin = false;
	if (!size || (f->subgroup.subgroupSize == size && (!f->feature.v13.subgroupSizeControl ||
	    (c->minSubgroupSize == size && c->maxSubgroupSize == size))))
		return true;
	*pin = true;
	if (!f->feature.v13.subgroupSizeControl || size < c->minSubgroupSize || size > c->maxSubgroupSize)
		return no(why, cap, "subgroups of %u, and the device has %u to %u", size,
			  c->minSubgroupSize ? c->minSubgroupSize : f->subgroup.subgroupSize,
			  c->maxSubgroupSize ? c->maxSubgroupSize : f->subgroup.subgroupSize);
	return !(stages & ~c->requiredSubgroupSizeStages) ||
	       no(why, cap, "subgroups of %u in stages where none can be asked for", size);
}

static bool vouched(const struct load_facts *f, const char *line)
{
	size_t n = strlen(line);

	for (const char *s = f->vouched; s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (strcspn(s, "\n") == n && !strncmp(s, line, n))
			return true;
	}
	return false;
}

bool load_need_line(const struct load_facts *f, const char *line, char *why, size_t cap)
{
	char text[128];
	unsigned a, b;
	bool pin;

	if (sscanf(line, "spirv %u.%u", &a, &b) == 2)
		return a == 1 ? load_need_spirv(f, b, why, cap) : no(why, cap, "SPIR-V %u", a);
	if (sscanf(line, "capability %u", &a) == 1)
		return load_need_capability(f, a, why, cap);
	if (sscanf(line, "extension %127s", text) == 1)
		return load_need_spirv_extension(f, text, why, cap);
	if (sscanf(line, "subgroup-size %u", &a) == 1)
		return load_need_subgroup(f, a, 0, &pin, why, cap); /* the stages are a program's affair */
	if (!strncmp(line, "measured ", 9))
		return vouched(f, line + 9) || no(why, cap, "%.80s, which no query tells and nobody vouched for", line + 9);
	if (sscanf(line, "feature %127s", text) == 1) {
		for (size_t i = 0; i < COUNT(named); i++) {
			if (!strcmp(named[i].name, text))
				return flag(&f->feature, named[i].at) || no(why, cap, "feature %s", text);
		}
	}
	return no(why, cap, "%.80s, which this loader does not know", line);
}

/* ---- what a device is to be created with */
struct owned {
	struct xl_load_features out; /* first: it is what is handed out and given back */
	struct load_facts facts;
	VkPhysicalDeviceFeatures2 head;
	const char *name[CHAIN_COUNT + COUNT(extends)];
};

static void want(struct load_features *f, const struct load_facts *have, size_t at)
{
	VkBool32 v = flag(&have->feature, at);

	memcpy((char *)f + at, &v, sizeof(v));
}

struct xl_load_features *xl_load_features_new(VkInstance instance, VkPhysicalDevice p, PFN_vkGetInstanceProcAddr proc)
{
	struct owned *o = calloc(1, sizeof(*o));
	struct load_features wanted;
	struct load_vk vk;

	proc = load_vk_entry(proc);
	if (!o || !proc || load_vk_find(&vk, proc, instance, VK_NULL_HANDLE) ||
	    load_need_facts(&o->facts, &vk, instance, p, NULL)) {
		xl_load_features_free((struct xl_load_features *)o);
		return NULL;
	}
	memset(&wanted, 0, sizeof(wanted));
	for (size_t i = 0; i < COUNT(caps); i++) {
		if (caps[i].kind == KIND_FEATURE)
			want(&wanted, &o->facts, caps[i].at);
	}
	for (size_t i = 0; i < COUNT(named); i++)
		want(&wanted, &o->facts, named[i].at);
	for (size_t i = 0; i < COUNT(used); i++)
		want(&wanted, &o->facts, used[i]);
	o->facts.feature = wanted;
	link_chain(&o->facts, &o->head);
	o->head.features = wanted.core;
	for (unsigned c = 0; c < CHAIN_COUNT; c++) {
		if (chains[c].extension && has_chain(&o->facts, c))
			o->name[o->out.nextension++] = chains[c].extension;
	}
	for (size_t i = 0; i < COUNT(extends); i++) {
		if (load_need_extension(&o->facts, extends[i]))
			o->name[o->out.nextension++] = extends[i];
	}
	o->out.chain = &o->head;
	o->out.extension = o->name;
	return &o->out;
}

void xl_load_features_free(struct xl_load_features *f)
{
	struct owned *o = (struct owned *)f;

	if (!o)
		return;
	load_need_free(&o->facts);
	free(o);
}
