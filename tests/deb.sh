#!/bin/sh
# deb.sh BUILD VERSION: Debian packages of what `make install` installs, into BUILD: xlate (program, manual, completions, examples),
# libxlate0 (shared libraries), libxlate-dev (headers, static libraries, manual of the API). Needs dpkg-dev. The same build gives the
# same packages: dates are the last commit's, or SOURCE_DATE_EPOCH.
set -eu
B=$1 version=$2
for p in dpkg-deb dpkg-shlibdeps dpkg-architecture; do
	command -v $p >/dev/null || { echo "deb.sh: no $p (Debian's dpkg-dev)" >&2; exit 1; }
done
arch=$(dpkg-architecture -qDEB_HOST_ARCH)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
who=${DEBFULLNAME:-xlate developers}" <${DEBEMAIL:-xlate@localhost}>"
date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
umask 022
make --no-print-directory install DESTDIR="$t/all" PREFIX=/usr >/dev/null

# What goes where: the first package whose pattern fits.
place() { # PATH below all/
	case $1 in
	usr/bin/* | usr/share/bash-completion/* | usr/share/zsh/* | usr/share/man/man[157]/*) echo xlate ;;
	usr/lib/*.so.*) echo libxlate0 ;;
	*) echo libxlate-dev ;;
	esac
}
(cd "$t/all" && find . ! -type d) | sed 's|^\./||' | while read -r f; do
	to=$t/$(place "$f")/$f
	mkdir -p "$(dirname "$to")"
	mv "$t/all/$f" "$to"
done
mv "$t/xlate/usr/share/zsh/site-functions" "$t/xlate/usr/share/zsh/vendor-completions"
mkdir -p "$t/xlate/usr/share/doc/xlate/examples" "$t/libxlate-dev/usr/share/doc/libxlate-dev/examples"
cp examples/xlate.sbatch "$t/xlate/usr/share/doc/xlate/examples/"
cp README.md "$t/xlate/usr/share/doc/xlate/"
cp examples/frames.c "$t/libxlate-dev/usr/share/doc/libxlate-dev/examples/"

make_one() { # PACKAGE SECTION DEPENDS DESCRIPTION LONG...
	p=$1 section=$2 depends=$3 what=$4
	shift 4
	root=$t/$p doc=$t/$p/usr/share/doc/$p
	mkdir -p "$root/DEBIAN" "$doc" "$t/control/debian"
	cp LICENSE "$doc/copyright"
	{
		echo "xlate ($version) unstable; urgency=medium"
		echo
		sed -n '/^## /,$p' CHANGELOG.md | sed '1d; s/^- /  * /; s/^  \([^*]\)/    \1/; /^$/d' | fold -s -w 74 | sed 's/ *$//; s/^\([^ ]\)/    \1/'
		echo
		echo " -- $who  $date"
	} | gzip -9n >"$doc/changelog.gz"
	find "$root/usr/share/man" -type f 2>/dev/null | while read -r f; do gzip -9n "$f"; done
	find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) | while read -r f; do
		strip --strip-unneeded --remove-section=.comment "$f"
		chmod 644 "$f"
		case $f in */bin/*) chmod 755 "$f" ;; esac
	done
	find "$root" -name '*.a' -exec strip --strip-debug {} +
	printf 'Source: xlate\n\nPackage: %s\nArchitecture: %s\n' "$p" "$arch" >"$t/control/debian/control"
	# The program has the loader in it, which finds Vulkan by itself.
	elf=$(find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \))
	if [ -n "$elf" ]; then
		libs=$(cd "$t/control" && dpkg-shlibdeps -O $elf 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
		[ -n "$libs" ] || { echo "deb.sh: no dependencies of $p found" >&2; exit 1; }
		depends=$libs${depends:+, $depends}
	fi
	if [ "$p" = libxlate0 ]; then
		printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
		printf 'libxlate 0 libxlate0 (>= %s)\nlibxlate_load 0 libxlate0 (>= %s)\n' "$version" "$version" >"$root/DEBIAN/shlibs"
	fi
	{
		printf 'Package: %s\nSource: xlate\nVersion: %s\nArchitecture: %s\n' "$p" "$version" "$arch"
		printf 'Maintainer: %s\nInstalled-Size: %s\n' "$who" "$(du -k -s --apparent-size "$root/usr" | cut -f 1)"
		[ -z "$depends" ] || printf 'Depends: %s\n' "$depends"
		[ "$p" != xlate ] || printf 'Recommends: libvulkan1\n'
		printf 'Section: %s\nPriority: optional\nDescription: %s\n' "$section" "$what"
		printf ' %s\n' "$@"
	} >"$root/DEBIAN/control"
	(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums)
	find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -b "$root" "$B/${p}_${version}_$arch.deb" >/dev/null
	echo "$B/${p}_${version}_$arch.deb"
}
make_one libxlate0 libs "" "offline translation of guest GPU programs to SPIR-V, shared libraries" \
	"libxlate translates dumped GPU machine code to validated SPIR-V;" "libxlate_load makes pipelines of a translated package in the background."
make_one libxlate-dev libdevel "libxlate0 (= $version), libzstd-dev, libcjson-dev, libxxhash-dev, spirv-tools" "offline translation of guest GPU programs to SPIR-V, development files" \
	"Headers, static libraries and the manual of the API."
make_one xlate devel "" "offline translation of guest GPU programs to SPIR-V" \
	"xlate reads dumped guest GPU programs (machine code captured on one machine)" "and writes packages of validated SPIR-V for another."
