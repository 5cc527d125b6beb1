/* target.h - targets: Vulkan profile JSON to struct fact_target, and the targets that are shipped.
 *
 * Accepted: the Khronos profile form (capabilities.<group>.{extensions,features,properties}), which `vulkaninfo --json`
 * writes, too; all groups are joined. An optional top-level object `xlate` has what Vulkan cannot say (see target.def).
 * The text is untrusted: size, depth and types are checked, and whatever is malformed gives DIAG_BAD_PROFILE.
 */
#ifndef XL_TARGET_H
#define XL_TARGET_H

#include "../../ir/arena.h"
#include "../../ir/diag.h"
#include "../../ir/facts.h"

/* A shipped target ("lavapipe", "nvidia-h200", "radv-navi21", ...), or NULL. Static, immutable. */
const struct fact_target *target_find(const char *name);
/* Names of the shipped targets in order; NULL past the end. */
const char *target_name(unsigned index);
/* From a profile. Lives in the arena. NULL after a diagnostic. */
struct fact_target *target_load_json(const char *text, size_t len, const char *name, struct arena *, struct diag_sink *);
/* The facts in use as JSON text, each with the profile's name for it, in the arena. */
char *target_print(const struct fact_target *, struct arena *);

#endif
