#!/bin/sh
# hsa_record.sh: compiles the kernels of corpus/hsa to code objects again. Needs clang 14 and 19 with lld (Debian packages).
set -eu
cd "$(dirname "$0")/../corpus/hsa"
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
build() { # CLANG GPU VERSION OUT SOURCE
	"$1" -target amdgcn-amd-amdhsa -mcpu="$2" -O2 -x cl -cl-std=CL2.0 -nogpulib -ffp-contract=off -mcode-object-version="$3" \
		-fno-ident -c "$5.cl" -o "$t/$4.o"
	ld.lld-19 -shared --strip-debug -o "$4.co" "$t/$4.o"
	chmod 644 "$4.co"
}
for s in arith memory control; do
	for gpu in gfx700 gfx1030; do
		build clang-19 $gpu 5 $s-$gpu $s
	done
done
build clang-14 gfx1030 3 memory-v3 memory
build clang-19 gfx1010 4 control-v4 control
build clang-19 gfx1030 6 arith-v6 arith
build clang-19 gfx1030 5 arith-gfx1030 arith
cp "$t/arith-gfx1030.o" arith-object.o # not linked
