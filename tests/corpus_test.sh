#!/bin/sh
# corpus_test.sh: the recorded programs of the lists through the translator, judged by execution on lavapipe. AMD programs
# and a few of NVIDIA's are in corpus/; the third-party ones run when CORPUS names the folder that they were unpacked into.
set -u
build=${BUILD:-build}
[ -x "$build/xlate" ] && [ -x "$build/tests/vkexec" ] || { echo "corpus: no $build/xlate or vkexec"; exit 77; }
pass=0 fail=0 skip=0
run() { # ROOT LIST...
	out=$(python3 tests/corpus.py "$build/xlate" "$build/tests/vkexec" "$@")
	echo "$out"
	line=$(echo "$out" | tail -n 1)
	set -- $(echo "$line" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
	pass=$((pass + ${1:-0})) fail=$((fail + ${2:-1})) skip=$((skip + ${3:-0}))
}
run corpus tests/lists/navi21-comp.txt tests/lists/navi21-w32-comp.txt tests/lists/bonaire-comp.txt \
	tests/lists/navi21-pairs.txt tests/lists/nv-own.txt
if [ -n "${CORPUS:-}" ]; then
	run "$CORPUS" tests/lists/sm86-comp.txt tests/lists/sm53-comp.txt
else
	skip=$((skip + $(cat tests/lists/sm86-comp.txt tests/lists/sm53-comp.txt | grep -c '	')))
fi
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" = 0 ]
