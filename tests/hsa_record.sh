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
# Functions called without their address: what a compiler with the whole program before it may write.
clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -O2 -x cl -cl-std=CL2.0 -nogpulib -ffp-contract=off -mcode-object-version=5 -fno-ident \
	-S control.cl -o - | awk '/s_add_u32 s[0-9]+, s[0-9]+, [a-z]+@rel32@lo/ { f = $4; sub(/@.*/, "", f) }
	/s_swappc_b64/ { sub(/s_swappc_b64 (s\[[0-9:]+\]), s\[[0-9:]+\]/, "s_call_b64 " $2 " " f); calls++ } { print }
	END { exit calls == 0 }' >"$t/call.s"
clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -mcode-object-version=5 -c "$t/call.s" -o "$t/call.o"
ld.lld-19 -shared --strip-debug -o call-gfx1030.co "$t/call.o"
chmod 644 call-gfx1030.co
build clang-19 gfx1030 6 arith-v6 arith
build clang-19 gfx1030 5 arith-gfx1030 arith
cp "$t/arith-gfx1030.o" arith-object.o # not linked
