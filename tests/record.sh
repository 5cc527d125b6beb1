#!/bin/sh
# record.sh BUILD [NAME...]: records corpus/ anew from corpus/src, with the RADV and lavapipe at hand (Mesa 25.0.7, see
# mesa25.sh): modules, guest programs for four targets, the originals' outputs, and MANIFEST.tsv.
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
vkexec=$build/tests/vkexec
radvdump=$build/tests/radvdump
icd() { for f in /usr/share/vulkan/icd.d/"$1"_icd*.json; do [ -e "$f" ] && echo "$f" && return; done; }
lavapipe=$(icd lvp)
radeon=$(icd radeon)
compiler="glslang $(glslangValidator --version | sed -n 's/^Glslang Version: *[0-9]*://p')"
mkdir -p corpus/spv corpus/expected
log=$(mktemp) # the null device complains about itself; that counts only when something fails
guests=$(mktemp -d)
trap 'rm -rf "$log" "$guests"' EXIT

# A source says `// without: GPU` where a GPU lacks what it needs, and asks for Vulkan 1.2 by using subgroups. A vertex shader's
# `// draw: OPTIONS` are the executor's for its pair, `// colours: NAME` its targets' format on all of them. NAME.guest.STAGE is
# what the guest program is recorded from where lavapipe lacks what it uses: NAME.STAGE computes the same by other means. NAME.guest.ll is what LLVM (llc-19)
# compiles in its place, where no driver would.
dump() { # FAMILY GPU PERFTEST COLOUR LINE FILES...
	family=$1 gpu=$2 perftest=$3 colour=$4 line=$5
	shift 5
	! grep -q "^// without:.* $gpu" "corpus/src/$name".* || return 0
	colour=${colours:-$colour}
	mkdir -p "corpus/$family"
	VK_ICD_FILENAMES=$radeon RADV_FORCE_FAMILY=$gpu RADV_DEBUG=nongg RADV_PERFTEST=$perftest \
		MESA_SHADER_CACHE_DISABLE=true \
		"$radvdump" -l -c "$colour" -e "$line" -o "corpus/$family/$name" "$@" 2>"$log" || { cat "$log" >&2; exit 1; }
	[ ! -e "corpus/src/$name.guest.ll" ] ||
		python3 tests/record_llc.py "corpus/$family/$name.json" "corpus/src/$name.guest.ll"
}

for src in corpus/src/*.comp corpus/src/*.vert; do
	name=$(basename "${src%.*}")
	case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
	files=
	recorded=
	for stage in comp vert frag; do
		[ -e "corpus/src/$name.$stage" ] || continue
		env=vulkan1.0
		! grep -q GL_KHR_shader_subgroup "corpus/src/$name.$stage" || env=vulkan1.2
		glslangValidator -V --target-env $env --quiet -o "corpus/spv/$name.$stage.spv" "corpus/src/$name.$stage"
		files="$files corpus/spv/$name.$stage.spv"
		recorded="$recorded corpus/spv/$name.$stage.spv"
		[ -e "corpus/src/$name.guest.$stage" ] || continue
		glslangValidator -V --target-env vulkan1.2 --quiet -o "$guests/$name.$stage.spv" "corpus/src/$name.guest.$stage"
		recorded="${recorded% *} $guests/$name.$stage.spv"
	done
	draw=$(sed -n 's,^// draw: ,,p' "$src")
	colours=$(sed -n 's,^// colours: ,,p' "$src")
	# shellcheck disable=SC2086
	line=$(VK_ICD_FILENAMES=$lavapipe "$vkexec" $draw -o "corpus/expected/$name.out" $files)
	echo "$name: $line"
	dump navi21 navi21 '' rgba32f "$line" $draw $recorded
	dump navi21-w32 navi21 pswave32,gewave32,cswave32 rgba8 "$line" $draw $recorded
	dump navi10 navi10 '' rgba32f "$line" $draw $recorded
	dump bonaire bonaire '' rgba32f "$line" $draw $recorded
done

python3 tests/corpus_manifest.py corpus "$compiler"
