/* kernel.h - the kernels of this folder are OpenCL C for the GPU and C for the CPU: what differs between the two. */
#ifndef HSA_KERNELS_H
#define HSA_KERNELS_H

#ifdef __AMDGCN__
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char s8;
typedef long s64;
#define KERNEL(name, x, y, z) __attribute__((reqd_work_group_size(x, y, z))) kernel void name
#define NOINLINE __attribute__((noinline))
#define TABLE __constant const
#define item_x() ((u32)__builtin_amdgcn_workitem_id_x())
#define item_y() ((u32)__builtin_amdgcn_workitem_id_y())
#define item_z() ((u32)__builtin_amdgcn_workitem_id_z())
#define group_x() ((u32)__builtin_amdgcn_workgroup_id_x())
#define group_y() ((u32)__builtin_amdgcn_workgroup_id_y())
#define group_z() ((u32)__builtin_amdgcn_workgroup_id_z())
#define group_size_x() ((u32)__builtin_amdgcn_workgroup_size_x())
#define group_size_y() ((u32)__builtin_amdgcn_workgroup_size_y())
#define grid_size_x() ((u32)__builtin_amdgcn_grid_size_x())
#define sync() do { \
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
		__builtin_amdgcn_s_barrier(); \
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
	} while (0)
#define add_global(p, v) __opencl_atomic_fetch_add((volatile global atomic_uint *)(p), v, __ATOMIC_RELAXED, \
		__OPENCL_MEMORY_SCOPE_DEVICE)
#define min_global(p, v) __opencl_atomic_fetch_min((volatile global atomic_uint *)(p), v, __ATOMIC_RELAXED, \
		__OPENCL_MEMORY_SCOPE_DEVICE)
#define xor_global(p, v) __opencl_atomic_fetch_xor((volatile global atomic_uint *)(p), v, __ATOMIC_RELAXED, \
		__OPENCL_MEMORY_SCOPE_DEVICE)
#define add_local(p, v) __opencl_atomic_fetch_add((volatile local atomic_uint *)(p), v, __ATOMIC_RELAXED, \
		__OPENCL_MEMORY_SCOPE_WORK_GROUP)
#else
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int64_t s64;
/* Work items are coroutines of one thread: the driver sets these before it resumes one. */
static u32 hsa_item[3], hsa_group[3], hsa_size[3], hsa_grid[3];
static void hsa_sync(void); /* the other items run up to their own */
#define KERNEL(name, x, y, z) static void name
#define NOINLINE
#define TABLE static const
#define global
#define local static
#define item_x() (hsa_item[0])
#define item_y() (hsa_item[1])
#define item_z() (hsa_item[2])
#define group_x() (hsa_group[0])
#define group_y() (hsa_group[1])
#define group_z() (hsa_group[2])
#define group_size_x() (hsa_size[0])
#define group_size_y() (hsa_size[1])
#define grid_size_x() (hsa_grid[0])
#define sync() hsa_sync()
#define add_global(p, v) hsa_add(p, v)
#define add_local(p, v) hsa_add(p, v)
#define min_global(p, v) hsa_min(p, v)
#define xor_global(p, v) hsa_xor(p, v)
static inline u32 hsa_add(u32 *p, u32 v) { u32 old = *p; *p += v; return old; }
static inline u32 hsa_min(u32 *p, u32 v) { u32 old = *p; *p = v < old ? v : old; return old; }
static inline u32 hsa_xor(u32 *p, u32 v) { u32 old = *p; *p ^= v; return old; }
#endif

#endif
