/* hsa_ref.h - the kernels of corpus/hsa as C on the CPU: work items are coroutines that meet at sync(). Part of one test
 * program. */
#ifndef TEST_HSA_REF_H
#define TEST_HSA_REF_H

#include "../corpus/hsa/kernel.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>



#include "../corpus/hsa/arith.cl"
#include "../corpus/hsa/memory.cl"
#include "../corpus/hsa/control.cl"
#undef global
#undef local

/* Every kernel with its arguments taken from a list of pointers: P a buffer, V a value. */
#define P(i) a[i]
#define V(t, i) *(t *)a[i]
#define CALL(name, ...) static void call_##name(void **a) { name(__VA_ARGS__); }
CALL(saxpy, P(0), P(1), V(float, 2), V(u32, 3))
CALL(wide, P(0), P(1), P(2))
CALL(narrow, P(0), P(1), P(2), P(3), V(u8, 4))
CALL(mandel, P(0), V(u32, 1), V(int, 2))
CALL(collatz, P(0), V(u32, 1), V(u32, 2))
CALL(ratio, P(0), P(1), P(2))
CALL(reduce, P(0), P(1))
CALL(matmul, P(0), P(1), P(2), V(u32, 3))
CALL(sort, P(0))
CALL(histogram, P(0), P(1), V(u32, 2))
CALL(scan, P(0), P(1))
CALL(strfind, P(0), P(1), V(u32, 2), P(3), V(u32, 4))
CALL(crc, P(0), P(1), V(u32, 2))
CALL(grid, P(0))
CALL(calls, P(0), P(1), V(u32, 2))
CALL(nested, P(0), P(1), V(u32, 2))
CALL(queens, P(0), V(u32, 1))
CALL(record, P(0), P(1), V(struct params, 2))
CALL(many, P(0), V(struct large, 1), V(u32, 2))
CALL(machine, P(0), P(1), V(u32, 2))
CALL(modes, P(0), P(1))
#undef P
#undef V
#undef CALL

enum { REF_ITEMS = 128, REF_STACK = 64 << 10 };
static struct ref_item { ucontext_t at; bool done; } ref_items[REF_ITEMS];
static ucontext_t ref_scheduler;
static struct ref_item *ref_current;
static void (*ref_kernel)(void **);
static void **ref_args;

static void hsa_sync(void)
{
	swapcontext(&ref_current->at, &ref_scheduler);
}

static void ref_start(void)
{
	ref_kernel(ref_args);
	ref_current->done = true;
}

static void ref_resume(u32 i)
{
	hsa_item[0] = i % hsa_size[0];
	hsa_item[1] = i / hsa_size[0] % hsa_size[1];
	hsa_item[2] = i / hsa_size[0] / hsa_size[1];
	ref_current = &ref_items[i];
	swapcontext(&ref_scheduler, &ref_items[i].at);
}

/* One workgroup: every item up to its next sync, in turn, until all are done. */
static void ref_group(char *stacks)
{
	u32 n = hsa_size[0] * hsa_size[1] * hsa_size[2], left = n;

	for (u32 i = 0; i < n; i++) {
		getcontext(&ref_items[i].at);
		ref_items[i].at.uc_stack.ss_sp = stacks + i * REF_STACK;
		ref_items[i].at.uc_stack.ss_size = REF_STACK;
		ref_items[i].at.uc_link = &ref_scheduler;
		ref_items[i].done = false;
		makecontext(&ref_items[i].at, ref_start, 0);
	}
	while (left) {
		left = 0;
		for (u32 i = 0; i < n; i++) {
			if (!ref_items[i].done)
				ref_resume(i);
			left += !ref_items[i].done;
		}
	}
}

static void ref_run(void (*kernel)(void **), void **args, const u32 size[3], const u32 groups[3])
{
	char *stacks = malloc((size_t)REF_ITEMS * REF_STACK);

	ref_kernel = kernel;
	ref_args = args;
	for (unsigned i = 0; i < 3; i++) {
		hsa_size[i] = size[i];
		hsa_grid[i] = size[i] * groups[i];
	}
	for (hsa_group[2] = 0; hsa_group[2] < groups[2]; hsa_group[2]++)
		for (hsa_group[1] = 0; hsa_group[1] < groups[1]; hsa_group[1]++)
			for (hsa_group[0] = 0; hsa_group[0] < groups[0]; hsa_group[0]++)
				ref_group(stacks);
	free(stacks);
}

#endif
