#!/bin/sh
# cli_test.sh: runs fixtures/cli/*.txt against the built xlate: exact standard output, standard error and exit status.
#
#   # comment
#   $ command       run by sh in the repository's root; xlate is on the PATH, $T a folder shared by the file's cases
#   > line          expected standard output
#   2 line          expected standard error
#   ? N             expected exit status; ends the case
#
# The folder's name reads $T in output. UPDATE=1 rewrites the expected lines.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
case $BUILD in /*) PATH=$BUILD:$PATH ;; *) PATH=$PWD/$BUILD:$PATH ;; esac
export PATH NO_COLOR=1
unset XLATE 2>/dev/null
pass=0 fail=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM

run_case() { # FILE LINE: the case lies in $dir/case; appends what happened to $dir/new
	sed -n 's/^\$ //p' "$dir/case" >"$dir/command"
	(. "$dir/command") >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
	{
		grep '^[#$]\|^$' "$dir/case"
		sed "s|$T|\$T|g; s/^/> /; s/ *$//" "$dir/out"
		sed "s|$T|\$T|g; s/^/2 /; s/ *$//" "$dir/err"
		echo "? $rc"
	} >"$dir/got"
	cat "$dir/got" >>"$dir/new"
	sed 's/ *$//' "$dir/case" >"$dir/want"
	if cmp -s "$dir/want" "$dir/got"; then
		pass=$((pass + 1))
	elif [ -n "${UPDATE:-}" ]; then
		echo "updated $1:$2"
	else
		fail=$((fail + 1))
		echo "FAIL $1:$2"
		diff "$dir/want" "$dir/got" | sed 's/^/  /' | head -n 40
	fi
}

for file in fixtures/cli/*.txt; do
	T=$dir/t
	export T
	rm -rf "$T"
	mkdir "$T"
	: >"$dir/case"
	: >"$dir/new"
	n=0 start=1
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		printf '%s\n' "$line" >>"$dir/case"
		case $line in
		'? '*)
			run_case "$file" "$start"
			: >"$dir/case"
			start=$((n + 1))
			;;
		esac
	done <"$file"
	if [ -n "${UPDATE:-}" ]; then
		cat "$dir/case" >>"$dir/new"
		cmp -s "$file" "$dir/new" || cp "$dir/new" "$file"
	fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" = 0 ]
