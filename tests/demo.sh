#!/bin/sh
# demo.sh BUILD: recorded programs of three guests from import to execution, with what xlate says on the way.
set -eu
PATH=$PWD/${1:-build}:$PATH
build=${1:-build}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
say() { printf '\n$ %s\n' "$*"; }

say "xlate import corpus/navi21/life.json corpus/bonaire/life.json corpus/sm86/nv_reduce.json -o demo.xgc"
xlate import corpus/navi21/life.json corpus/bonaire/life.json corpus/sm86/nv_reduce.json -o "$t/demo.xgc"
say "xlate list demo.xgc"
xlate list "$t/demo.xgc"
say "xlate dis demo.xgc 0 | head -n 8"
xlate dis "$t/demo.xgc" 0 | head -n 8
say "xlate ir demo.xgc 0 | head -n 16"
xlate ir "$t/demo.xgc" 0 | head -n 16 || true
say "xlate explain demo.xgc 0 | head -n 8"
xlate explain "$t/demo.xgc" 0 | head -n 8 || true

say "xlate import corpus/navi21/*.json -o navi21.xgc"
xlate import corpus/navi21/*.json -o "$t/navi21.xgc"
say "xlate build navi21.xgc -o navi21.xlp --target lavapipe"
xlate build "$t/navi21.xgc" -o "$t/navi21.xlp" --target lavapipe || [ $? = 1 ]
say "xlate check navi21.xlp"
xlate check "$t/navi21.xlp"
say "xlate spv navi21.xlp life.comp | head -n 12"
xlate spv "$t/navi21.xlp" life.comp | head -n 12 || true
say "xlate export --spv out navi21.xlp"
xlate export --spv "$t/out" "$t/navi21.xlp"
ls "$t/out" | wc -l | sed 's/$/ modules/'

# The original shader and the translation of its AMD machine code, on the same inputs.
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
	[ -e "$icd" ] && VK_ICD_FILENAMES=${VK_ICD_FILENAMES:-$icd}
done
export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-}" LP_NUM_THREADS=1 MESA_SHADER_CACHE_DISABLE=true
if [ -n "$VK_ICD_FILENAMES" ] && [ -x "$build/tests/vkexec" ] && [ -e "$t/out/life.comp.spv" ]; then
	say "vkexec life.comp.spv        # the original"
	"$build/tests/vkexec" -o "$t/a" corpus/spv/life.comp.spv | tail -n 1
	say "vkexec life.comp.spv:out/life.comp.spv  # its navi21 code, translated"
	"$build/tests/vkexec" -o "$t/b" "corpus/spv/life.comp.spv:$t/out/life.comp.spv" | tail -n 1
	cmp "$t/a" "$t/b" && echo "the same bytes"
	# A pair of shaders, both translated: what they draw, beside what the originals draw.
	say "vkexec compare -o a.out -O b.out julia.vert.spv:out/julia.vert.spv julia.frag.spv:out/julia.frag.spv"
	"$build/tests/vkexec" compare -o "$t/a.out" -O "$t/b.out" "corpus/spv/julia.vert.spv:$t/out/julia.vert.spv" \
		"corpus/spv/julia.frag.spv:$t/out/julia.frag.spv"
	say "picture.py a.out b.out $build/demo.png     # the original's picture, the translation's, their difference"
	python3 tests/picture.py "$t/a.out" "$t/b.out" "$build/demo.png" && ls -l "$build/demo.png"
fi
