#!/bin/sh
# run.sh BUILD: runs every test program and script, sums their runner lines ("N passed, N failed[, N skipped]"), and ends
# with the sum. A program without such a line counts as one test, judged by its exit status. Exit 1 when anything failed.
#
# Tests read: FAST=1 leave out slow parts, LONG=1 add very slow ones, UPDATE=1 rewrite expected text, CORPUS recorded
# programs, BUILD where the programs are.
set -u
BUILD=${1:-build}
export BUILD
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
pass=0 fail=0 skip=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT INT TERM
run() {
	name=$1
	shift
	start=$(date +%s)
	timeout "${TEST_TIMEOUT:-1200}" "$@" >"$log" 2>&1
	rc=$?
	line=$(grep -E '^([a-z_0-9.-]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1 | sed 's/^[^:]*: //')
	if [ -n "$line" ]; then
		p=${line%% passed*}
		f=$(echo "$line" | sed 's/.*passed, \([0-9]*\) failed.*/\1/')
		s=$(echo "$line" | sed -n 's/.*failed, \([0-9]*\) skipped/\1/p')
		[ "$rc" = 0 ] || [ "$f" -gt 0 ] || f=1
	elif [ "$rc" = 77 ]; then
		p=0 f=0 s=1
	elif [ "$rc" = 0 ]; then
		p=1 f=0 s=0
	else
		p=0 f=1 s=0
	fi
	pass=$((pass + p)) fail=$((fail + f)) skip=$((skip + ${s:-0}))
	printf '%-24s %s passed, %s failed, %s skipped (%s s)\n' "$name" "$p" "$f" "${s:-0}" "$(($(date +%s) - start))"
	# A test that leaves something out says what is missing: "skip: REASON".
	if [ "${s:-0}" -gt 0 ]; then
		sed -n 's/^skip: /  skipped: /p' "$log" | sort | uniq -c | sed 's/^ *1 //; s/^ *\([0-9][0-9]*\)  *skipped:/  skipped (\1 times):/' |
			head -n 12
	fi
	if [ "$f" -gt 0 ]; then
		[ "$rc" = 124 ] && echo "  timed out"
		sed 's/^/  /' "$log" | tail -n 60
	fi
}
for t in "$BUILD"/tests/*_test; do
	[ -x "$t" ] && run "$(basename "$t")" "$t"
done
# A short run of each fuzzer, over the programs of corpus/ alone; `make fuzz` is the long one.
for t in "$BUILD"/tests/fuzz_*; do
	case $t in *.d | *.o) continue ;; esac
	[ -x "$t" ] && run "$(basename "$t")" env -u CORPUS "$t" -n 500
done
for t in tests/*_test.sh; do
	[ -e "$t" ] && run "$(basename "$t" .sh)" sh "$t"
done
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" = 0 ]
