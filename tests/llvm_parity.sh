#!/bin/sh
# llvm_parity.sh XLATE [-n WORDS] [-s SEED] [FILE.tsv...]: the AMD disassembler against LLVM 19.
#
# Each FILE has lines `bytes TAB text TAB cpu[/wWAVE],...`: XLATE must print that text. Then WORDS random encodings (default
# 200000), others for every gfx10 cpu and wave size: XLATE and llvm-mc both refuse, or agree in text and length. The exceptions are
# those of libxlate/isa/amd/ERRATA.md; they are counted. LLVM_MC names another llvm-mc. Exit 77 without llvm-mc.
[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0"; exit 2; }
LLVM_MC=${LLVM_MC:-$(command -v llvm-mc-19 || command -v llvm-mc)} || true
[ -n "$LLVM_MC" ] || { echo "skip: no llvm-mc-19"; exit 77; }
export LLVM_MC
exec python3 "$(dirname "$0")/llvm_parity.py" "$@"
