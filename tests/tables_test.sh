#!/bin/sh
# tables_test.sh: recorded programs whose descriptor tables are only memory, against their originals on lavapipe (tables.py).
set -u
build=${BUILD:-build}
[ -x "$build/xlate" ] && [ -x "$build/tests/vkexec" ] || { echo "skip: no $build/xlate or vkexec"; exit 77; }
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-$icd}"; done
exec python3 tests/tables.py "$build/xlate" "$build/tests/vkexec" corpus tests/lists/memory.txt
