/* hsa.h - importer of AMD code objects (ELF EM_AMDGPU for the HSA OS, V3 to V6): every kernel becomes one record, abi "hsa".
 *
 * Source of formats and registers: LLVM's published "User Guide for AMDGPU Backend"; the tables stand in hsa.def.
 *
 * A record's code is the section that holds the kernel, with its address; read-only data of the object is the record's
 * `memory`. Set 0 of the host: binding 0 is the kernel argument segment where it does not fit the push constants, binding
 * 1 + n is the buffer behind argument n. By-value arguments are push constants at the guest's own offsets.
 *
 * All input is untrusted. Code objects with the old metadata (V2) are refused. Kernels run here in IEEE mode 0: the
 * difference is the quieting of signalling NaNs by min and max (`explain` remarks on it).
 */
#ifndef XL_HSA_H
#define XL_HSA_H

#include "../../ir/diag.h"
#include "../record.h"

enum { HSA_MAX_FILE = 64 << 20, HSA_MAX_KERNELS = 4096, HSA_MAX_ARGS = 1024, HSA_MAX_KERNARG = 65536 };

bool hsa_is(const uint8_t *v, size_t n); /* an ELF file, by its first bytes */

/* The records of an object's kernels, *count of them; they refer to the file's bytes. A kernel that cannot be read is
 * reported and left out (bad-record, bad-header); NULL when nothing can be read of the object. */
const struct xl_pipeline_record *const *hsa_import(struct arena *, const char *file, const uint8_t *v, size_t n, uint32_t *count,
						  struct diag_sink *);

#endif
