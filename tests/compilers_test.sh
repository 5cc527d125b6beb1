#!/bin/sh
# compilers_test.sh: builds of the same sources by two compilers make the same packages of all recorded programs, byte for byte, and
# say the same about them. C leaves open in which order a call's arguments are evaluated, and compilers differ in that: a module
# whose instructions were made so depended on who built xlate. Compared are the build at hand and one beside it that another
# compiler made: `make CC=clang B=build/clang build/clang/xlate`.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/check.sh
needs xlate
made() { cut -d " " -f 1 "$1/gen/flags"; } # BUILD: the compiler
other=
for b in build build/*; do
	[ -x "$b/xlate" ] && [ -e "$b/gen/flags" ] && [ "$(made "$b")" != "$(made "$B")" ] &&
		cmp -s "$b/gen/build_id.h" "$B/gen/build_id.h" && other=$b
done
[ -n "$other" ] || { echo "skip: no build of these sources by another compiler beside $B"; exit 77; }

translate() { # BUILD OUT CACHE OPTION...: a package, and what was said; some programs are refused
	b=$1 out=$2 rc=0
	shift 2
	rm -f "$out.xlp" # of the records before
	"$b/xlate" build -q "$@" -o "$out.xlp" >"$out.txt" 2>&1 || rc=$?
	echo "exit $rc" >>"$out.txt"
}
same() { # CACHE OPTION...
	translate "$B" "$t/a" "$@"
	translate "$other" "$t/b" "$@"
	cmp "$t/a.txt" "$t/b.txt"
	cmp "$t/a.xlp" "$t/b.xlp" && return
	for o in a b; do "$B/xlate" export --spv "$t/$o" "$t/$o.xlp" >/dev/null; done
	diff -rq "$t/a" "$t/b"
	return 1
}
imported() { # FOLDER: its cache; some records are refused
	rm -f "$t/c.xgc"
	"$B/xlate" import -q "$1"/*.json -o "$t/c.xgc" || [ $? = 1 ]
	test -s "$t/c.xgc"
}
for d in corpus/* ${CORPUS:+"$CORPUS"/*}; do
	ls "$d"/*.json >/dev/null 2>&1 || continue
	check "$d, import" imported "$d"
	check "$d" same "$t/c.xgc"
	case $d in
	corpus/*) check "$d, strict" same "$t/c.xgc" --float strict --bounds exact ;;
	esac
done
check_end
