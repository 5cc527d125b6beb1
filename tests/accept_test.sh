#!/bin/sh
# accept_test.sh: RADV compiles every translation of the corpus for navi10, navi21 and bonaire, each made for that GPU's
# profile. That lavapipe takes the translations is part of corpus_test.sh. FAST=1 leaves this out.
set -u
build=${BUILD:-build}
[ -x "$build/xlate" ] && [ -x "$build/tests/radvdump" ] || { echo "skip: no $build/xlate or radvdump"; exit 77; }
[ -z "${FAST:-}" ] || { echo "skip: left out by FAST=1"; exit 77; }
exec python3 tests/cost.py accept "$build/xlate" "$build/tests/radvdump" corpus \
	tests/lists/navi21-comp.txt tests/lists/navi21-w32-comp.txt tests/lists/navi10-comp.txt \
	tests/lists/bonaire-comp.txt tests/lists/pairs.txt tests/lists/subgroup.txt
