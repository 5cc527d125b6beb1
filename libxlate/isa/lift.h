/* lift.h - what a lifter gets and shares with the other ISAs. */
#ifndef XL_LIFT_H
#define XL_LIFT_H

#include "../../ir/ir.h"
#include "isa.h"

/* Guest limits that keep hostile input bounded. */
enum { LIFT_MAX_BYTES = 16 << 20, LIFT_MAX_BLOCKS = 1 << 18 };

struct lift_ctx {
	struct ir_fn *fn;            /* empty function with stage, wave, workgroup, name set */
	const struct isa_cpu *cpu;
	uint32_t wave;               /* 32 or 64 */
	const uint8_t *code;         /* machine words followed by constant data */
	uint32_t size, exec_size;    /* all bytes; bytes that may be executed */
	uint32_t entry;              /* byte offset of the first instruction */
	const struct facts *facts;
	struct arena *scratch;
	struct diag_sink *diag;
};

/* A lifted instruction reads every operand (mget) before it writes any result (mset): `ssa` checks this per guest address.
 * Registers are markers made on first use with ir_marker_new(fn, type, file, index); the lifter keeps the map. At entry each
 * fact_init is written with a root or sysval op; the other registers are undef.
 *
 * AMD register files: */
enum { AMD_FILE_SGPR, AMD_FILE_VGPR, AMD_FILE_MASK /* b1 reading of the SGPR (pair) of that index */, AMD_FILE_SPECIAL /* scc, m0, ... */ };
/* NVIDIA register files: */
enum { NV_FILE_GPR, NV_FILE_UGPR, NV_FILE_PRED, NV_FILE_UPRED, NV_FILE_SPECIAL /* carry flags */ };

#endif
