/* text.h - what printer and parser of the IR text share: names of enums, and how an op's `sub` is spelled. Private to ir/.
 *
 * The form, by example (man page xlate-ir(5) has the whole):
 *
 *	fn "blur" compute wave 64 workgroup 64 1 1 shared 256 ssa
 *	files sgpr vgpr
 *	marker $vgpr.5:i32
 *	res storage_buffer set 0 binding 1 read
 *	in f32 comps 3 location 0 interp flat
 *	b0: @0x0
 *		%0:i32 = sysval.local_id #1 @0x4
 *		brc %1, b1, b2
 *	b1: preds(b0, b1) loop(b3, b2)
 *		%3:i32 = phi b0 i32:0, b1 %4
 *		%5:f32 = ffma %2, f32:1.5, undef:f32 !contract @0x10
 *		stbuf b1:1, %6, %3, -, %5 #16 !device !align4
 *		sw %3, 1: b2, else: b3
 *
 * Statement = [%value:type =] op[.sub...] [operands] [#imm] [!flag...] [@guest address]. A `-` is an absent operand.
 * preds() is written only where the order differs from that of the edges in the text.
 */
#ifndef XL_TEXT_H
#define XL_TEXT_H

#include "ir.h"

struct text_name {
	const char *name;
	unsigned value;
};

/* Lists end with a NULL name. */
extern const struct text_name text_stages[], text_dims[], text_numerics[], text_res_kinds[], text_flags[], text_scopes[],
	text_atomics[], text_sysvals[], text_image_bits[], text_spaces[], text_interps[], text_interp_ats[], text_mades[];
const char *text_name(const struct text_name *list, unsigned value); /* NULL when unknown */
bool text_find(const struct text_name *list, const char *text, size_t n, unsigned *value);

/* Spelling of `sub`: a number, or names. SUB_IMAGE: bits, dimension, "arrayed". SUB_BARRIER: two scopes, spaces. */
enum text_sub { SUB_NUMBER, SUB_SYSVAL, SUB_ATOMIC, SUB_IMAGE, SUB_BARRIER };
enum text_sub text_sub(enum ir_op);

#endif
