#!/bin/sh
# sizes.sh BUILD [N]: size.sh over N distinct programs (default 11000) made of corpus/ as in batch.sh, and over the recorded
# programs of CORPUS, over which the dictionary of packages was not trained.
set -eu
B=$1 N=${2:-11000}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
build() { # PACKAGE CACHE: refused programs are an exit code
	"$B/xlate" build -q "$2" -o "$1" 2>"$t/said" || [ $? = 1 ]
}
"$B/tests/bench/batch_make" "$N" "$t/c.xgc" corpus/navi21/*.json corpus/navi21-w32/*.json corpus/navi10/*.json \
	corpus/bonaire/*.json corpus/sm86/*.json corpus/sm53/*.json >"$t/said"
build "$t/batch.xlp" "$t/c.xgc"
tests/bench/size.sh "$B" batch "$t/batch.xlp"
[ -n "${CORPUS:-}" ] || exit 0
for d in "$CORPUS"/*/; do
	name=$(basename "$d" | tr -d -)
	ls "$d" | grep -q '\.json$' || continue
	"$B/xlate" import -q "$d" -o "$t/$name.xgc" 2>"$t/said" || [ $? = 1 ]
	build "$t/$name.xlp" "$t/$name.xgc"
	tests/bench/size.sh "$B" "$name" "$t/$name.xlp"
done
