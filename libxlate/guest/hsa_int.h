/* hsa_int.h - what the parts of the code object importer share. */
#ifndef XL_HSA_INT_H
#define XL_HSA_INT_H

#include "elf.h"
#include "hsa.h"
#include "msgpack.h"

struct hsa_text { const char *v; size_t n; }; /* not terminated; v NULL: absent */

/* What the metadata says of one kernel. Absent numbers are REC_NONE. */
struct hsa_kernel {
	struct hsa_text name, symbol;
	uint32_t group_size, private_size, kernarg_size, wave, flat_size, group[3];
	bool dynamic_stack, fixed_group;
	uint32_t narg;
	struct rec_kernarg *arg;
};

struct hsa_object {
	struct elf elf;
	uint32_t version;         /* minor version of the metadata: 0 V3, 1 V4, 2 V5 and V6 */
	const char *isa, *cpu, *gpu;
	uint32_t nkernel;
	struct hsa_kernel *kernel;
};

/* hsa_note.c: finds and reads the metadata. False: elf.why says what is wrong. */
bool hsa_note_read(struct hsa_object *, struct arena *);
/* hsa_link.c: applies the relocations of an object file. False likewise. */
bool hsa_link(struct elf *, struct arena *);
/* May the bytes of this section change when the object is loaded? */
bool hsa_link_dynamic(struct elf *, const struct elf_section *);

#endif
