/* build_pool.c - C++'s memory in a worker process.
 *
 * SPIRV-Tools makes and drops some thousands of small objects for a module. malloc, which serves any thread and size and joins
 * what is free, takes a fifth of a build's time for them, and scatters them. A worker is one thread, and nothing of a module's
 * is left when the next one begins: `operator new` and `operator delete` of this program take blocks of a few sizes from a
 * pool, which begins anew whenever none of its blocks is in use. What is larger, what no longer fits, and everything in a
 * process that started no pool is malloc's.
 *
 * jemalloc or mimalloc in the place of malloc gain half of that or less (figure batch_validated_processor_share of `make bench-batch`
 * falls below 85 %), and would serve the drivers, too, that `xlate load` has in this process.
 */
#define _GNU_SOURCE
#include "build.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define NO_POOL 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NO_POOL 1
#endif
#endif

#ifdef NO_POOL
void pool_start(size_t size)
{
	(void)size; /* the sanitizers have their own functions, and look at what malloc gives */
}
#else
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STEP = 16, MOST = 1024, SIZES = MOST / STEP + 1, PAGE = 1 << 13, PAGES = 1 << 13 };

struct block { struct block *next; };

static struct { /* of a process without threads; all zero there is none */
	uintptr_t start;
	size_t size, used;          /* used: pages that a size has, in bytes */
	size_t live;                /* blocks in use */
	struct block *free[SIZES];  /* by steps */
	char *at[SIZES], *end[SIZES]; /* what is left of the last page of a size */
	uint8_t steps[PAGES];       /* of a page's blocks */
} pool;

void pool_start(size_t size)
{
	void *p;

	size = size < (size_t)PAGE * PAGES ? size / PAGE * PAGE : (size_t)PAGE * PAGES;
	if (!size || pool.size)
		return;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return;
	pool.start = (uintptr_t)p;
	pool.size = size;
}

/* A block of a size that has none which was in use before. NULL: the pool is full. */
static void *fresh(size_t steps)
{
	size_t n = steps * STEP;
	char *p;

	if (pool.at[steps] == pool.end[steps]) {
		if (pool.used == pool.size)
			return NULL;
		pool.steps[pool.used / PAGE] = (uint8_t)steps;
		pool.at[steps] = (char *)pool.start + pool.used;
		pool.end[steps] = pool.at[steps] + PAGE / n * n;
		pool.used += PAGE;
	}
	p = pool.at[steps];
	pool.at[steps] += n;
	return p;
}

static void begin_anew(void)
{
	memset(pool.free, 0, sizeof(pool.free));
	memset(pool.at, 0, sizeof(pool.at));
	memset(pool.end, 0, sizeof(pool.end));
	pool.used = 0;
}

/* What all forms of new and delete lead to but those for large alignments, which have malloc's of their own. */
#define CXX __attribute__((visibility("default")))
CXX void *pool_new(size_t) __asm__("_Znwm");
CXX void pool_delete(void *) __asm__("_ZdlPv");
CXX void pool_delete_sized(void *, size_t) __asm__("_ZdlPvm");
_Noreturn void pool_throw(void) __asm__("_ZSt17__throw_bad_allocv");

void *pool_new(size_t n)
{
	size_t steps = n / STEP + (n % STEP || !n);
	struct block *b = NULL;

	if (pool.size && n <= MOST) {
		b = pool.free[steps];
		if (b)
			pool.free[steps] = b->next;
		else
			b = fresh(steps);
		pool.live += b != NULL;
	}
	if (!b)
		b = malloc(n ? n : 1);
	if (!b)
		pool_throw();
	return b;
}

void pool_delete(void *p)
{
	uintptr_t at = (uintptr_t)p - pool.start;
	struct block *b = p;

	if (at >= pool.size) {
		free(p);
		return;
	}
	if (!--pool.live) {
		begin_anew();
		return;
	}
	b->next = pool.free[pool.steps[at / PAGE]];
	pool.free[pool.steps[at / PAGE]] = b;
}

void pool_delete_sized(void *p, size_t n)
{
	(void)n;
	pool_delete(p);
}
#endif
