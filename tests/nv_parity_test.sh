#!/bin/sh
# nv_parity_test.sh: our text of recorded NVIDIA code against the listings beside it; needs CORPUS with sm86/ and sm53/.
test -n "${CORPUS:-}" && test -d "$CORPUS/sm86" && test -d "$CORPUS/sm53" || {
	echo "skip: recorded NVIDIA programs need CORPUS=DIR with sm86/ and sm53/"
	exit 77
}
exec python3 tests/nv_parity.py "${BUILD:-build}/tests/isa_nv_test" "$CORPUS/sm86" "$CORPUS/sm53"
