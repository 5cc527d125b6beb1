/* facts_build.h - a program record as the neutral facts that lifters and passes read, through the record's ABI preset. */
#ifndef XL_GUEST_FACTS_H
#define XL_GUEST_FACTS_H

#include "../../ir/ir.h"
#include "../record.h"

struct facts_policy {
	uint8_t addresses, bounds, floats; /* enum address_policy, bounds_policy, float_policy */
};

/* Fill *out from program `p` of a record, for `target`. Everything new is in `a`; record and target must outlive *out.
 * 0, or -1 after a diagnostic (DIAG_BAD_ABI, DIAG_STAGE, DIAG_FACT). */
int facts_build(const struct xl_record_program *p, const struct fact_target *target, const struct facts_policy *policy,
                struct facts *out, struct arena *a, struct diag_sink *diag);

/* What is known of a VkFormat number. False for formats that no range of formats.def holds. */
struct format_info { uint8_t comps, bytes /* per component, 0 packed */, numeric /* enum fact_numeric */; bool norm, snorm; };
bool format_find(uint32_t vkformat, struct format_info *out);

#endif
