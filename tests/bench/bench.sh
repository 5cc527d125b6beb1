#!/bin/sh
# bench.sh BUILD: one line a figure, `figure NAME VALUE UNIT`. Measures the programs of corpus/, and of CORPUS when that is
# set. Seconds are processor time of one thread.
#
#   *_decode, *_disassemble             instructions per second, without and with text
#   *_translate, *_validate             guest words per second: lift, passes and emission; SPIRV-Tools
#   *_share                             translation's time against validation's
#   *_spirv_val                         guest words per second: spirv-val's work (SPIRV-Tools by its defaults) on our modules
#   *_spirv_val_share                   translation's time against that, each the best of nine rounds in one process
#   *_ratio                             words of our modules against the originals', debug information stripped
#   *_cost_*                            driver statistics of our modules on the guest's own GPU against the original
#                                       program's, where there is a RADV: 1.0 is as cheap as the original
#   *_strict_words_ratio, *_exact_words_ratio   module words under --float strict and --bounds exact against the default's
#   callgrind_*                         instructions per guest word, where valgrind is there
set -eu
B=${1:-build}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM

# Modules under a policy against the default's in $t/out, over the programs that both translate.
policy() { # NAME POLICY OPTION...
	name=$1 what=$2
	shift 2
	rm -rf "$t/with"
	"$B/xlate" build -q "$t/c.xgc" -o "$t/s.xlp" "$@" 2>/dev/null || true
	"$B/xlate" export --spv "$t/with" "$t/s.xlp" 2>/dev/null || true
	for f in "$t"/with/*.spv; do
		[ -f "$t/out/${f##*/}" ] && echo "$(wc -c <"$f") $(wc -c <"$t/out/${f##*/}")"
	done | awk -v n="$name" -v w="$what" '{ a += $1; b += $2 } END { if (b) printf "figure %s_%s_words_ratio %.2f\n", n, w, a / b }'
}

figures() { # NAME ROOT FAMILY
	set -- "$1" "$2" "$3" "$2/$3"
	ls "$4"/*.json >/dev/null 2>&1 || return 0
	"$B/xlate" import -q "$4"/*.json -o "$t/c.xgc" || true
	"$B/tests/bench/decode" "$1" "$t/c.xgc" || true
	"$B/xlate" build -q -j 1 "$t/c.xgc" -o "$t/p.xlp" --timing >"$t/raw" 2>/dev/null || true
	for i in 1 2; do # the best of three: the machine is shared
		"$B/xlate" build -q -j 1 "$t/c.xgc" -o "$t/p.xlp" --timing >"$t/again" 2>/dev/null || true
		awk '{ if (FNR == NR) { v[$2] = $3; next } if ($2 ~ /seconds/ && v[$2] < $3) $3 = v[$2]; print }' "$t/again" "$t/raw" >"$t/min"
		mv "$t/min" "$t/raw"
	done
	awk -v n="$1" '{ v[$2] = $3 } END {
		if (v["guest_words"] == 0) exit
		w = v["guest_words"]
		printf "figure %s_guest_words %d words\n", n, w
		printf "figure %s_translate %.0f words/s\n", n, w / v["translate_seconds"]
		if (v["validate_seconds"] > 0) {
			printf "figure %s_validate %.0f words/s\n", n, w / v["validate_seconds"]
			printf "figure %s_share %.1f %%\n", n, 100 * v["translate_seconds"] / v["validate_seconds"]
		}
		printf "figure %s_density %.2f module_words/guest_word\n", n, v["module_words"] / w
	}' "$t/raw"
	rm -rf "$t/out"
	"$B/xlate" export --spv "$t/out" "$t/p.xlp"
	of=$("$B/tests/bench/translate" "$t/c.xgc" 9 2>/dev/null | sed -n 's/^seconds //p')
	find "$t/out" -name '*.spv' | sort | xargs -s 2000000 "$B/tests/bench/spirv_val" vulkan1.3 1 | awk -v n="$1" -v of="${of:-0}" '
		FNR == NR { v[$2] = $3; next }
		{ s[$1] = $2 }
		END {
			if (s["seconds"] == 0) exit
			printf "figure %s_spirv_val %.0f words/s\n", n, v["guest_words"] / s["seconds"]
			printf "figure %s_spirv_val_share %.1f %%\n", n, 100 * of / s["seconds"]
			if (s["invalid"]) printf "figure %s_spirv_val_invalid %d modules\n", n, s["invalid"]
		}' "$t/raw" - || true
	python3 tests/bench/ratio.py "$1" "$2/spv" "$t/out" "$4" || true
	policy "$1" strict --float strict
	policy "$1" exact --bounds exact
	case $3 in
	sm*) ;;
	*) python3 tests/cost.py cost -n "$1" "$B/xlate" "$B/tests/radvdump" "$2" "$3" || true ;;
	esac
}

for f in navi21 navi21-w32 navi10 bonaire sm86 sm53; do
	figures "own_$f" corpus "$f"
	[ -z "${CORPUS:-}" ] || figures "$f" "$CORPUS" "$f"
done

if command -v valgrind >/dev/null; then
	"$B/xlate" import -q corpus/navi21/*.json -o "$t/c.xgc"
	words=$("$B/xlate" list "$t/c.xgc" | awk '{ n += $6 } END { print n }')
	for what in own_navi21; do
		"$B/tests/bench/translate" "$t/c.xgc" >/dev/null 2>&1 || true
		valgrind --tool=callgrind --callgrind-out-file="$t/cg" --toggle-collect=xl_translate \
			"$B/tests/bench/translate" "$t/c.xgc" >"$t/log" 2>&1 || true
		n=$(sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' "$t/cg" | head -n 1)
		[ -z "$n" ] || awk -v n="$n" -v w="$words" -v f="$what" 'BEGIN {
			printf "figure callgrind_%s %.0f instructions/word\n", f, n / w }'
	done
fi
