#!/bin/sh
# deps.sh [--check]: installs what the build and the tests need and the machine lacks, from the apt sources that it has.
# --check only says (by exit status) whether something is missing. Never touches the apt configuration.
set -eu
missing=
need() { # PACKAGE COMMAND...: the package is wanted when the command fails
	p=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $p"
}
header() { printf '#include <%s>\n' "$1" | ${CC:-cc} -E -x c - ; }
need build-essential command -v cc
need build-essential command -v make
need pkg-config command -v pkg-config
need libzstd-dev header zstd.h
need libcjson-dev header cjson/cJSON.h
need libxxhash-dev header xxhash.h
need spirv-headers header spirv/unified1/spirv.h
need spirv-tools header spirv-tools/libspirv.h
need spirv-tools command -v spirv-val
need glslang-tools command -v glslangValidator
need libvulkan-dev header vulkan/vulkan.h
need mesa-vulkan-drivers test -e /usr/share/vulkan/icd.d/lvp_icd.json -o -e /usr/share/vulkan/icd.d/lvp_icd.x86_64.json
need llvm-19 command -v llvm-mc-19
need zstd command -v zstd
need python3 command -v python3
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
[ -n "${missing# }" ] || exit 0
case ${1:-} in
--check) exit 1 ;;
esac
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "deps: installing$([ -z "$missing" ] || printf ' %s' $missing)"
$sudo apt-get update
for p in $missing; do
	if ! apt-cache show "$p" >/dev/null 2>&1; then
		# Only the decoder oracle may be absent: its tests are then skipped.
		[ "$p" = llvm-19 ] || { echo "deps: no package $p in this machine's apt sources" >&2; exit 1; }
		echo "deps: $p is not offered here; the tests that need it are skipped"
		missing=$(printf '%s' "$missing" | sed "s/$p//")
	fi
done
[ -z "$(echo $missing)" ] || DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends $missing
