#!/bin/sh
# corpus_test.sh: the recorded programs of the lists through the translator, judged by execution on lavapipe; then
# errors planted in their translations, which must show. AMD programs and one of NVIDIA's are in corpus/; third-party
# ones run when CORPUS names the folder that they were unpacked into. FAST=1 leaves the planted errors and two
# of three programs at other subgroup sizes out.
set -u
build=${BUILD:-build}
[ -x "$build/xlate" ] && [ -x "$build/tests/vkexec" ] || { echo "skip: no $build/xlate or vkexec"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-$icd}"; done
pass=0 fail=0 skip=0
count() { # OUTPUT: prints it and adds its last line to the sums
	echo "$1"
	set -- $(echo "$1" | tail -n 1 | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
	pass=$((pass + ${1:-0})) fail=$((fail + ${2:-1})) skip=$((skip + ${3:-0}))
}
corpus() { # NAME ROOT LIST..., for the target $target
	name=$1
	shift
	count "$(python3 tests/corpus.py -t "${target:-lavapipe}" -f "${floats:-host}" -x tests/lists/todo.txt \
		-k "$work/$name" -p "$build/differs" "$build/xlate" "$build/tests/vkexec" "$@" 2>&1)"
}
mutated() { [ -n "${LONG:-}" ] && echo . || echo '^(navi21|sm..)/'; }
corpus own corpus tests/lists/navi21-comp.txt tests/lists/navi21-w32-comp.txt tests/lists/navi10-comp.txt \
	tests/lists/bonaire-comp.txt tests/lists/pairs.txt tests/lists/nv-own.txt
# A target whose vertex programs have no layer and no viewport: generated geometry stages write them.
target=$work/unlayered.json
sed 's/\("shaderOutput\(Layer\|ViewportIndex\)": *\)true/\1false/' fixtures/profiles/lavapipe-25.0.7.json >"$target"
grep -E '	(bary_layers|layers|viewports)$' tests/lists/pairs.txt >"$work/layers.txt"
corpus layers corpus "$work/layers.txt"
target=
# Denormals as on the guest, which fragments of lavapipe flush and say nothing of in halves. The differences that
# bary_places' vertices have may be denormals, and are refused.
if [ -z "${FAST:-}" ]; then
	floats=strict
	grep -E '^(navi21-w32|bonaire)	' tests/lists/pairs.txt | grep -v '	bary_places$' |
		awk -v long="${LONG:-}" 'long || NR % 2' >"$work/strict.txt"
	corpus strict corpus "$work/strict.txt"
	floats=
fi
awk -v fast="${FAST:-}" '!fast || NR % 3 == 1' tests/lists/subgroup.txt >"$work/subgroup.txt"
count "$(python3 tests/subgroups.py -x tests/lists/todo.txt "$build/xlate" "$build/tests/vkexec" corpus \
	"$work/subgroup.txt" 2>&1)"
if [ -n "${CORPUS:-}" ]; then
	corpus other "$CORPUS" tests/lists/sm86-comp.txt tests/lists/sm53-comp.txt
	[ -n "${FAST:-}" ] || corpus more "$CORPUS" tests/lists/dev-*.txt
else
	echo "skip: the programs of tests/lists/sm86-comp.txt and sm53-comp.txt need CORPUS=DIR"
	skip=$((skip + $(cat tests/lists/sm86-comp.txt tests/lists/sm53-comp.txt | grep -c '	')))
fi
if [ -z "${FAST:-}" ] && cat "$work"/*/equal.list | grep -q .; then
	cat "$work"/*/equal.list | grep -E "$(mutated)" >"$work/equal.list"
	count "$(python3 tests/mutate.py -n 1 "$build/tests/vkexec" "$work/equal.list" 2>&1)"
fi
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" = 0 ]
