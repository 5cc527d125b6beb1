#!/bin/sh
# interp_test.sh: interpolated parameters of translated pairs against barycentrics computed by interp.py, on lavapipe.
# FAST=1 leaves this out.
set -u
build=${BUILD:-build}
[ -x "$build/xlate" ] && [ -x "$build/tests/vkexec" ] || { echo "skip: no $build/xlate or vkexec"; exit 77; }
[ -z "${FAST:-}" ] || { echo "skip: left out by FAST=1"; exit 77; }
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-$icd}"; done
exec python3 tests/interp.py "$build/xlate" "$build/tests/vkexec" corpus
