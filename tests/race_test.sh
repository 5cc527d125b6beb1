#!/bin/sh
# race_test.sh: the tests of the loader under ThreadSanitizer (a build of its own), with LONG=1 only.
cd "$(dirname "$0")/.." || exit 2
[ -n "${LONG:-}" ] || { echo "skip: a build under ThreadSanitizer takes long (LONG)"; exit 77; }
command -v setarch >/dev/null || { echo "skip: no setarch"; exit 77; }
make -s TSAN=1 build/tsan/tests/load_test build/tsan/tests/load_store_test >/dev/null || exit 2
pass=0 fail=0
for t in load_test load_store_test; do
	# It does not bear every layout of the address space.
	if TSAN_OPTIONS=exitcode=66 setarch -R build/tsan/tests/$t; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1))
	fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ $fail = 0 ]
