#!/bin/sh
# load.sh BUILD [N]: `xlate load` of a package of N distinct programs (default 11000) made of corpus/, on lavapipe and, of N / 10, on
# RADV without a GPU and without its own cache on disk; then again as a host that draws with all of them. One line a figure, the
# median of five runs; what the host sees of its calls is of one.
#
#   load_DEVICE_pipelines    that were made; with load_DEVICE_failed: those of refused programs
#   load_DEVICE_first        from asking to the first pipeline
#   load_DEVICE_driver       wall time in the driver, of all threads; load_DEVICE_read: of the loader's reading thread
#   load_DEVICE_read_share   the second by the first
#   load_DEVICE_overhead     processor time of the loader's threads outside of the driver, by that in it: under 2 % is wanted
#   load_DEVICE_get_p999, load_DEVICE_get_max   how long xl_load_get takes
#   load_DEVICE_memory       most bytes of unpacked modules
# Lavapipe makes most of its code when a pipeline is first used: what is measured there is the cheapest driver that there is.
set -eu
B=${1:-build} N=${2:-11000}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
records() { echo corpus/navi21/*.json corpus/navi21-w32/*.json corpus/navi10/*.json corpus/bonaire/*.json corpus/sm86/*.json corpus/sm53/*.json; }
measure() { # NAME TARGET PROGRAMS ICD
	[ -e "$4" ] || { echo "load.sh: no $4" >&2; return 0; }
	"$B/tests/bench/batch_make" "$3" "$t/c.xgc" $(records) >"$t/said"
	"$B/xlate" build -q -t "$2" "$t/c.xgc" -o "$t/$1.xlp" 2>"$t/said" || [ $? = 1 ]
	export VK_ICD_FILENAMES="$4" VK_DRIVER_FILES="$4" RADV_FORCE_FAMILY=navi21 MESA_SHADER_CACHE_DISABLE=true
	for i in 1 2 3 4 5; do
		"$B/xlate" load "$t/$1.xlp" --json >"$t/json.$i" 2>"$t/said" || [ $? = 1 ]
	done
	"$B/xlate" load "$t/$1.xlp" --frames --json >"$t/frames" 2>"$t/said" || [ $? = 1 ]
	python3 - "$1" "$t/frames" "$t"/json.* <<-'EOF'
	import json, statistics, sys
	name, runs = sys.argv[1], [json.load(open(p)) for p in sys.argv[3:]]
	r = {k: statistics.median(x[k] for x in runs) for k, v in runs[0].items() if type(v) in (int, float)}
	g = json.load(open(sys.argv[2]))["get"]
	for what, value, unit in (("pipelines", r["optimised"], "pipelines"), ("failed", r["failed"], "pipelines"),
	    ("first", round(r["first_ms"], 2), "ms"), ("driver", round(r["driver_ms"]), "ms"), ("read", round(r["read_ms"]), "ms"),
	    ("read_share", round(100 * r["read_ms"] / r["driver_ms"], 2), "%"), ("overhead", r["overhead_percent"], "%"),
	    ("get_p999", g["p999_us"], "us"), ("get_max", g["max_us"], "us"), ("memory", r["peak_bytes"], "bytes")):
	    print("figure load_%s_%s %s %s" % (name, what, value, unit))
	EOF
}
icd=/usr/share/vulkan/icd.d
measure lavapipe lavapipe "$N" "$(ls $icd/lvp_icd*.json 2>/dev/null | head -n 1)"
measure radv radv-navi21 "$((N / 10))" "$(ls $icd/radeon_icd*.json 2>/dev/null | head -n 1)"
