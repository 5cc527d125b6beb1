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
cc=${CC:-cc}
cc=${cc%% *}
case $cc in
cc | gcc) need build-essential command -v "$cc" ;;
clang*) need "$cc" command -v "$cc" ;;
*)
	command -v "$cc" >/dev/null || { echo "deps: no compiler $cc (CC)" >&2; exit 2; }
	;;
esac
probe=${CC:-cc}
command -v "$cc" >/dev/null || probe=cc
header() { printf '#include <%s>\n' "$1" | $probe -E -x c - ; }
need build-essential command -v c++
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
missing=${missing% }
give_up() { # REASON: only the decoder oracle may be absent
	echo "deps: missing: $missing; $1" >&2
	[ "$missing" = llvm-19 ] || exit 1
	echo "deps: the tests that need llvm-19 are skipped"
	exit 0
}
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
	command -v sudo >/dev/null || give_up "only root can install them, and there is no sudo"
fi
command -v apt-get >/dev/null || give_up "there is no apt-get to install them"
echo "deps: installing $missing"
$sudo apt-get update || give_up "apt-get update failed"
wanted=
for p in $missing; do
	if apt-cache show "$p" >/dev/null 2>&1; then
		wanted="$wanted $p"
	elif [ "$p" = llvm-19 ]; then
		echo "deps: $p is not offered here; the tests that need it are skipped"
	else
		echo "deps: no package $p in this machine's apt sources" >&2
		exit 1
	fi
done
[ -z "$wanted" ] || $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $wanted
