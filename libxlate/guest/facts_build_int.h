/* facts_build_int.h - what the parts of the facts builder share. */
#ifndef XL_FACTS_INT_H
#define XL_FACTS_INT_H

#include "facts_build.h"

enum { FACTS_SETS = 64 };
/* What a record calls its ABI. */
#define FACTS_PRESETS(X) X(radv) X(hsa) X(nvk)
enum facts_preset {
#define X(name) PRESET_##name,
	FACTS_PRESETS(X)
#undef X
	PRESET_COUNT
};

struct facts_make {
	const struct xl_record_program *prog;
	struct facts *out;
	struct arena *a;
	struct diag_sink *diag;
	enum facts_preset preset;
	uint32_t push_size;
	struct fact_root *root;
	struct fact_init *init;
	struct fact_table *table;
	uint32_t nroot, ninit, ntable, ncapture_start, abi_row; /* abi_row: the last that was found */
	size_t root_cap, init_cap, table_cap;
	uint32_t set_table[FACTS_SETS]; /* table of a descriptor set, UINT32_MAX not made yet */
};

uint32_t facts_table(struct facts_make *m, const char *name, uint32_t size);      /* its index */
void facts_entry(struct facts_make *m, uint32_t table, const struct fact_entry *); /* kept sorted by offset */
uint32_t facts_set(struct facts_make *m, uint32_t set);                           /* table of a descriptor set */
int facts_nvk(struct facts_make *m);                                              /* constant banks; 0, or -1 after a diagnostic */
bool facts_state(struct facts_make *m);                                           /* state around the program; false after a diagnostic */
/* facts_build_hsa.c */
int facts_hsa(struct facts_make *m);                       /* what must be known; 0, or -1 after a diagnostic */
uint32_t facts_hsa_kernargs(struct facts_make *m);         /* table of the kernel arguments */
uint32_t facts_hsa_dispatch(struct facts_make *m);         /* table of the dispatch packet */
void facts_hsa_constants(struct facts_make *m, uint32_t code); /* read-only data beside the code, into its table */

#endif
