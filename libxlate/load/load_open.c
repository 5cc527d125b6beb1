/* load_open.c - a package against a device: index, stamp, requirements. */
#define _GNU_SOURCE
#include "load_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the device */
int load_open_device(struct xl_loader *l, const struct xl_load_info *info)
{
	PFN_vkGetInstanceProcAddr proc = load_vk_entry(info->proc);
	const char *missing;

	if (!proc) {
		load_say(l, XL_LOAD_VULKAN, true, NULL, "there is no libvulkan.so.1");
		return -1;
	}
	missing = load_vk_find(&l->vk, proc, info->instance, info->device);
	if (missing) {
		load_say(l, XL_LOAD_VULKAN, true, NULL, "no function %s: the instance must be of Vulkan 1.1 or later", missing);
		return -1;
	}
	if (load_need_facts(&l->facts, &l->vk, info->instance, info->physical_device, info->created)) {
		load_say(l, XL_LOAD_MEMORY, true, NULL, "no memory for the device's facts");
		return -1;
	}
	l->facts.vouched = info->vouched ? strdup(info->vouched) : NULL;
	l->use_library = l->facts.created && l->facts.feature.library.graphicsPipelineLibrary &&
		l->facts.library.graphicsPipelineLibraryFastLinking && !(info->flags & XL_LOAD_NO_LIBRARIES);
	l->use_probe_cache = l->facts.created && l->facts.feature.v13.pipelineCreationCacheControl;
	return 0;
}

/* ---- the package */
static void on_diag(void *user, const struct xl_diag *d)
{
	struct xl_loader *l = user;

	load_say(l, strcmp(d->kind, "io") ? XL_LOAD_BAD_PACKAGE : XL_LOAD_IO, true, l->package_name, "%s", d->text);
}

/* Mapped, not read: only the index and the modules that are used are paged in. */
static enum xl_load_status map(struct xl_loader *l)
{
	int fd = open(l->package_name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	enum xl_load_status status = XL_LOAD_UNREADABLE;

	if (fd < 0 || fstat(fd, &st)) {
		load_say(l, XL_LOAD_IO, true, l->package_name, "cannot be read: %s", strerror(errno));
	} else if (!S_ISREG(st.st_mode) || !st.st_size) {
		load_say(l, XL_LOAD_BAD_PACKAGE, true, l->package_name, "is empty, or not a file");
	} else {
		l->nmap = (size_t)st.st_size;
		l->map = mmap(NULL, l->nmap, PROT_READ, MAP_PRIVATE, fd, 0);
		if (l->map == MAP_FAILED) {
			l->map = NULL;
			load_say(l, XL_LOAD_IO, true, l->package_name, "cannot be mapped: %s", strerror(errno));
		} else {
			status = XL_LOAD_OK;
		}
	}
	if (fd >= 0)
		close(fd);
	return status;
}

static int by_key(const void *a, const void *b, void *user)
{
	const struct xl_loader *l = user;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = strcmp(l->program[x].key, l->program[y].key);

	return c ? c : x < y ? -1 : x > y;
}

static int by_name(const void *a, const void *b, void *user)
{
	const struct xl_loader *l = user;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = strcmp(l->program[x].name, l->program[y].name);

	return c ? c : x < y ? -1 : x > y;
}

static enum xl_load_status index_programs(struct xl_loader *l)
{
	uint32_t n = xl_package_programs(l->package);

	l->program = calloc((size_t)n + 1, sizeof(*l->program));
	l->by_key = calloc((size_t)n + 1, sizeof(*l->by_key));
	l->by_name = calloc((size_t)n + 1, sizeof(*l->by_name));
	l->slot = xl_slot_new();
	if (!l->program || !l->by_key || !l->by_name || !l->slot) {
		load_say(l, XL_LOAD_MEMORY, true, l->package_name, "no memory for %u programs", n);
		return XL_LOAD_INTERNAL;
	}
	l->nprogram = n;
	for (uint32_t i = 0; i < n; i++) {
		struct xl_package_program p;
		struct load_program *o = &l->program[i];

		xl_package_get(l->package, l->slot, i, &p);
		o->name = p.name ? p.name : "";
		o->stage = p.stage ? p.stage : "?";
		memcpy(o->key, p.key, sizeof(o->key));
		o->refused = !p.words;
		o->words = p.words;
		o->generated = p.generated_words;
		o->subgroup = p.subgroup_size;
		l->by_key[i] = l->by_name[i] = i;
	}
	qsort_r(l->by_key, n, sizeof(*l->by_key), by_key, l);
	qsort_r(l->by_name, n, sizeof(*l->by_name), by_name, l);
	return XL_LOAD_OK;
}

enum xl_load_status load_open_package(struct xl_loader *l)
{
	struct xl_log log = { on_diag, l };
	enum xl_status status = XL_INTERNAL;
	enum xl_load_status mapped = l->info.bytes ? XL_LOAD_OK : map(l);

	if (mapped)
		return mapped;
	l->package = xl_package_open_memory(l->package_name, l->info.bytes ? l->info.bytes : l->map,
					    l->info.bytes ? l->info.nbytes : l->nmap, &log, &status);
	if (!l->package)
		return status ? (enum xl_load_status)status : XL_LOAD_INTERNAL;
	if (xl_package_index_pipelines(l->package)) {
		load_say(l, XL_LOAD_MEMORY, true, l->package_name, "no memory for the index");
		return XL_LOAD_INTERNAL;
	}
	l->package_hash = xl_package_hash(l->package);
	return index_programs(l);
}

/* ---- stamp and requirements */
static bool check_stamp(struct xl_loader *l, const char *translator)
{
	char own[64];
	int n = snprintf(own, sizeof(own), "xlate %s", xl_load_version());

	/* Behind the version stands which sources made it, "+" and a checksum: that is no affair of the loader's. */
	if ((!strncmp(own, translator, (size_t)n) && (!translator[n] || translator[n] == '+')) || l->info.flags & XL_LOAD_ANY_STAMP)
		return true;
	load_say(l, XL_LOAD_STAMP, true, l->package_name, "made by %.40s; this loader takes packages of %s", translator, own);
	return false;
}

enum xl_load_status load_open_needs(struct xl_loader *l)
{
	const char *options, *target, *needs;
	bool partial = l->info.flags & XL_LOAD_PARTIAL;
	uint32_t lacks = 0;

	if (!check_stamp(l, xl_package_stamp(l->package, &options, &target, &needs)))
		return XL_LOAD_REFUSED;
	for (const char *s = needs; *s;) {
		size_t n = strcspn(s, "\n");
		char line[160], why[192];

		snprintf(line, sizeof(line), "%.*s", (int)(n < 159 ? n : 159), s);
		s += n + (s[n] == '\n');
		/* What the options lean on has no place in a module: no program can be told apart by it. */
		if (!n || load_need_line(&l->facts, line, why, sizeof(why)))
			continue;
		lacks++;
		if (!strncmp(line, "measured ", 9) || !strncmp(line, "feature ", 8))
			partial = false;
		load_say(l, XL_LOAD_DEVICE, !partial, l->package_name, "%.80s lacks %s", l->facts.device.deviceName, why);
	}
	return lacks && !partial ? XL_LOAD_REFUSED : XL_LOAD_OK;
}

/* ---- where state is kept: one name for each driver and package */
int load_open_paths(struct xl_loader *l)
{
	char name[64];
	size_t n, at = 0;

	if (!l->state_dir)
		return 0;
	if (mkdir(l->state_dir, 0777) && errno != EEXIST) {
		load_say(l, XL_LOAD_IO, true, l->state_dir, "cannot be made: %s; nothing is remembered", strerror(errno));
		free(l->state_dir);
		l->state_dir = NULL;
		return 0;
	}
	for (unsigned i = 0; i < VK_UUID_SIZE; i++)
		at += (size_t)snprintf(name + at, sizeof(name) - at, "%02x", l->facts.id.driverUUID[i]);
	snprintf(name + at, sizeof(name) - at, "-%016llx", (unsigned long long)l->package_hash);
	n = strlen(l->state_dir) + sizeof(name) + 16;
	l->cache_path = malloc(n);
	l->journal_path = malloc(n);
	if (!l->cache_path || !l->journal_path)
		return -1;
	snprintf(l->cache_path, n, "%s/%s.vkcache", l->state_dir, name);
	snprintf(l->journal_path, n, "%s/%s.journal", l->state_dir, name);
	return 0;
}
