/* load_cache.c - the driver's pipeline cache on disk: a head of ours, then what vkGetPipelineCacheData gave.
 *
 * Drivers are supposed to check what they are given, and some crash on it. So nothing reaches the driver that is not whole
 * (XXH3-64), of this package and of this very driver: its UUIDs and version, and Vulkan's own header, must be equal.
 */
#include "load_int.h"
#include "../package/buf.h"

#include <errno.h>
#include <stdlib.h>

enum { VERSION = 1, MOST = 1 << 30 };
struct head {
	char magic[8];
	uint32_t version, driver_version;
	uint8_t driver[VK_UUID_SIZE], cache[VK_UUID_SIZE];
	uint64_t package, size, sum;
};

static void fill(const struct xl_loader *l, struct head *h)
{
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, "XLATEVKC", 8);
	h->version = VERSION;
	h->driver_version = l->facts.device.driverVersion;
	memcpy(h->driver, l->facts.id.driverUUID, VK_UUID_SIZE);
	memcpy(h->cache, l->facts.device.pipelineCacheUUID, VK_UUID_SIZE);
	h->package = l->package_hash;
}

/* Vulkan's header, version one: size, version, vendor, device, UUID. */
static bool is_of_device(const struct xl_loader *l, const uint8_t *v, size_t n)
{
	uint32_t word[4];

	if (n < 16 + VK_UUID_SIZE)
		return false;
	memcpy(word, v, sizeof(word));
	return word[0] >= 16 + VK_UUID_SIZE && word[0] <= n && word[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
	       word[2] == l->facts.device.vendorID && word[3] == l->facts.device.deviceID &&
	       !memcmp(v + 16, l->facts.device.pipelineCacheUUID, VK_UUID_SIZE);
}

/* NULL, or why the bytes are not used. */
static const char *judge(const struct xl_loader *l, const uint8_t *v, size_t n)
{
	struct head h, own;

	fill(l, &own);
	if (n < sizeof(h))
		return "it ends inside its head";
	memcpy(&h, v, sizeof(h));
	if (memcmp(h.magic, own.magic, 8) || h.version != own.version)
		return "it is no driver cache of this version";
	if (memcmp(h.driver, own.driver, VK_UUID_SIZE) || memcmp(h.cache, own.cache, VK_UUID_SIZE) ||
	    h.driver_version != own.driver_version)
		return "it is of another driver";
	if (h.package != own.package)
		return "it is of another package";
	if (h.size != n - sizeof(h) || load_hash_of(v + sizeof(h), n - sizeof(h)).v[0] != h.sum)
		return "it is damaged";
	return is_of_device(l, v + sizeof(h), n - sizeof(h)) ? NULL : "the driver's own header is of another device";
}

VkPipelineCache load_cache_open(struct xl_loader *l)
{
	VkPipelineCacheCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipelineCache cache = VK_NULL_HANDLE;
	struct buf b = { 0 };

	if (l->cache_path) {
		bool read = !buf_load(&b, l->cache_path, MOST);
		const char *why = read ? judge(l, b.v, b.n) : errno == ENOENT ? NULL : "it cannot be read";

		if (why) {
			load_say(l, XL_LOAD_CACHE, false, l->cache_path, "%s: not used, and replaced by this run's", why);
		} else if (read) {
			ci.pInitialData = b.v + sizeof(struct head);
			ci.initialDataSize = b.n - sizeof(struct head);
		}
	}
	if (l->vk.vkCreatePipelineCache(l->info.device, &ci, NULL, &cache) && ci.initialDataSize) {
		load_say(l, XL_LOAD_CACHE, false, l->cache_path, "the driver does not take it: not used, and replaced by this run's");
		ci.initialDataSize = 0;
		if (l->vk.vkCreatePipelineCache(l->info.device, &ci, NULL, &cache))
			cache = VK_NULL_HANDLE;
	}
	buf_free(&b);
	return cache;
}

enum xl_load_status load_cache_save(struct xl_loader *l)
{
	enum xl_load_status status = XL_LOAD_OK;
	struct head h;
	uint8_t *v = NULL;
	size_t n = 0;
	VkResult r;

	if (!l->cache_path || !l->cache)
		return XL_LOAD_OK;
	pthread_mutex_lock(&l->save_lock);
	do { /* it may grow in between */
		r = l->vk.vkGetPipelineCacheData(l->info.device, l->cache, &n, NULL);
		free(v);
		v = !r && n && n <= MOST ? malloc(sizeof(h) + n) : NULL;
		r = v ? l->vk.vkGetPipelineCacheData(l->info.device, l->cache, &n, v + sizeof(h)) : VK_ERROR_OUT_OF_HOST_MEMORY;
	} while (r == VK_INCOMPLETE);
	if (r) {
		load_say(l, XL_LOAD_CACHE, true, l->cache_path, "the driver does not give its cache: VkResult %d", (int)r);
		status = XL_LOAD_INTERNAL;
	} else {
		fill(l, &h);
		h.size = n;
		h.sum = load_hash_of(v + sizeof(h), n).v[0];
		memcpy(v, &h, sizeof(h));
		if (buf_replace(&(struct buf){ .v = v, .n = sizeof(h) + n }, l->cache_path)) {
			load_say(l, XL_LOAD_IO, true, l->cache_path, "not written: %s", strerror(errno));
			status = XL_LOAD_UNREADABLE;
		}
	}
	free(v);
	pthread_mutex_unlock(&l->save_lock);
	return status;
}
