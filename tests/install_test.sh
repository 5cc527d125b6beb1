#!/bin/sh
# install_test.sh: what a user gets beside the program: man pages for every command and option, completions, `make install` and
# `uninstall`, Debian packages, the sources as an archive.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/check.sh
needs xlate
case $B in /*) PATH=$B:$PATH ;; *) PATH=$PWD/$B:$PATH ;; esac
export PATH
commands=$(xlate help | sed -n 's/^  \([a-z]*\) .*/\1/p')

is() { [ "$1" = "$2" ] || { echo "is '$1', not '$2'"; return 1; }; }
pages() {
	for c in $commands; do
		[ -e "man/xlate-$c.1" ] || echo "no man page of $c"
		grep -q "BR xlate-$c (1)" man/xlate.1 || echo "xlate(1) does not name $c"
	done >"$t/missing"
	cat "$t/missing"
	test ! -s "$t/missing"
}
options() {
	for c in $commands; do
		xlate help "$c" | grep -o -e '--[a-z][a-z-]*' | sort -u | while read -r o; do
			sed 's/\\-/-/g; s/\\f.//g' "man/xlate-$c.1" | grep -q -e "$o" || echo "xlate-$c(1) does not say $o"
		done
	done >"$t/missing"
	cat "$t/missing"
	test ! -s "$t/missing"
}
references() { # man pages that others name are there
	sed -n 's/^\.BR \(xlate[a-z_-]*\|libxlate[a-z_]*\) (\([0-9]\)).*/\1.\2/p' man/*.[1357] | sort -u | while read -r p; do
		[ -e "man/$p" ] || [ -e "$B/man/$p" ] || echo "no $p"
	done >"$t/missing"
	cat "$t/missing"
	test ! -s "$t/missing"
}
check "a page for every command" pages
check "every option has its line" options
check "no page leads nowhere" references
facts() { is "$(grep -c '^\.TP' "$B/man/xlate-record.5")" "$(grep -c '^P[A-Z]*_\(FACT\|STATE\|STATE_LIST\)(' libxlate/record.def)"; }
check "every fact of a record has its line" facts
if command -v man >/dev/null; then
	warnings() { for p in man/*.[1357] "$B"/man/*.[57]; do LC_ALL=C.UTF-8 man --warnings -l -Tutf8 -Z "$p" 2>&1 >/dev/null; done >"$t/said"; cat "$t/said"; test ! -s "$t/said"; }
	check "pages without warnings" warnings
else
	left_out 1 "no man"
fi

# ---- completion: `completes WORDS...` prints what there is for the last word
cat >"$t/complete" <<'END'
. cmd/completion.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_xlate
printf '%s\n' "${COMPREPLY[@]}"
END
completes() { bash "$t/complete" "$@"; }
completion() {
	is "$(completes xlate re | sort | tr '\n' ' ')" "reduce report "
	is "$(completes xlate build x --sh)" --shard
	is "$(completes xlate build x --bounds '' | tr '\n' ' ')" "host exact "
	is "$(completes xlate build x --float=s --report ju)" junit
	is "$(completes xlate build x -t radv-b)" radv-bonaire
	is "$(completes xlate corpus r)" run
	is "$(completes xlate ir x --after liv)" ""
	is "$(completes xlate ir x --after lif)" lift
	is "$(completes xlate show corpus/navi21/color.json color.v)" color.vert
	is "$(completes xlate build corpus/navi21/add64.j)" corpus/navi21/add64.json
}
if command -v bash >/dev/null; then check "completion of bash" completion; else left_out 1 "no bash"; fi
if command -v zsh >/dev/null; then check "completion of zsh parses" zsh -n cmd/completion.zsh; else left_out 1 "no zsh"; fi

# ---- installed files go where they should, and go again
case $B in
build)
	installed() {
		to=$t/to/usr
		make -s install DESTDIR="$t/to" PREFIX=/usr
		is "$("$to/bin/xlate" version)" "$(xlate version)"
		test -e "$to/include/xlate.h"
		test -e "$to/share/man/man7/xlate-diag.7"
		for c in $commands; do test -e "$to/share/man/man1/xlate-$c.1"; done
		make -s uninstall DESTDIR="$t/to" PREFIX=/usr
		is "$(find "$t/to" ! -type d)" ""
	}
	check "make install and uninstall" installed
	packages() {
		SOURCE_DATE_EPOCH=1700000000 tests/deb.sh "$B" 0.0.1
		for p in xlate libxlate0 libxlate-dev; do
			dpkg-deb -I "$B/$p"_0.0.1_*.deb >"$t/info"
			dpkg-deb -x "$B/$p"_0.0.1_*.deb "$t/deb"
			mv "$B/$p"_0.0.1_*.deb "$t/"
		done
		is "$("$t/deb/usr/bin/xlate" version)" "$(xlate version)"
		for c in $commands; do test -e "$t/deb/usr/share/man/man1/xlate-$c.1.gz"; done
		test -e "$t/deb/usr/lib/libxlate.so" -a -e "$t/deb/usr/include/xlate_load.h" -a -x "$t/deb/usr/share/doc/xlate/examples/xlate.sbatch"
	}
	if command -v dpkg-shlibdeps >/dev/null; then check "Debian packages" packages; else left_out 1 "no dpkg-dev"; fi
	;;
*) left_out 2 "installation of $B: of the plain build only" ;;
esac
if git rev-parse HEAD >/dev/null 2>&1; then
	archive() {
		make -s dist B="$t" >"$t/said"
		tar tzf "$t"/xlate-*.tar.gz >"$t/list"
		grep -q '/libxlate/xlate.h$' "$t/list"
		is "$(sed 's|/.*||' "$t/list" | sort -u | wc -l)" 1
	}
	check "make dist" archive
else
	left_out 1 "make dist: no git checkout"
fi

# ---- the batch script by itself: one task after the other, the last one joins
shards() {
	xlate import -q corpus/navi21/[ab]*.json -o "$t/c.xgc"
	xlate build -q "$t/c.xgc" -o "$t/one.xlp"
	for i in 1 2 3; do
		test ! -e "$t/many.xlp"
		SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=3 examples/xlate.sbatch "$t/c.xgc" "$t/many.xlp"
	done
	cmp "$t/one.xlp" "$t/many.xlp"
	test ! -e "$t/many.xlp.parts-0"
}
check "the batch script joins its shards" shards
check_end
