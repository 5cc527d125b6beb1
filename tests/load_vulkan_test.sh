#!/bin/sh
# load_vulkan_test.sh: the loader on lavapipe and, where it is there, on RADV without a GPU: every program of the packages of
# corpus/ that was translated becomes a pipeline; the driver's cache is kept and judged; damaged packages are told, never a
# crash; the example draws its picture and never waits.
set -u
lvp=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lvp" ] || { echo "skip: no lavapipe"; exit 77; }
export VK_ICD_FILENAMES="$lvp" VK_DRIVER_FILES="$lvp"
. tests/check.sh
# All that has modules is made, all else is named as refused by the translator. What was translated stands in the package.
whole() { # PACKAGE OPTION...
	p=$1
	shift
	"$B/xlate" load "$p" --json "$@" >"$t/json" 2>"$t/err" || true # refused programs are an exit code
	"$B/xlate" list "$p" >"$t/list"
	python3 - "$t/json" "$t/list" <<-'END'
	import json, re, sys
	r = json.load(open(sys.argv[1]))
	refused = set()
	names = set()
	for line in open(sys.argv[2]):
	    m = re.match(r"\s*\d+\s+\S+\s+\w+\s.*\s(\S+)\.(\w+)(\s|$)", line)
	    if m:
	        names.add(m[1])
	        if "refused" in line or " - " in line:
	            refused.add(m[1])
	states = {p["name"]: p for p in r["list"]}
	assert names and names == set(states), names ^ set(states)
	for name, p in states.items():
	    want = "failed" if p.get("code") == "program" else "optimised"
	    assert p["state"] == want, p
	failed = {n for n, p in states.items() if p["state"] == "failed"}
	assert failed == refused, (failed, refused)
	assert r["failed"] == len(failed) and r["optimised"] == len(names) - len(failed) and r["quarantined"] == 0, r
	END
}
for d in navi21 bonaire sm86 sm53; do
	check "import-$d" "$B/xlate" import -q corpus/$d/*.json -o "$t/$d.xgc"
	"$B/xlate" build -q "$t/$d.xgc" -o "$t/$d.xlp" 2>/dev/null
	lacks=$("$B/xlate" load "$t/$d.xlp" 2>&1 >/dev/null | sed -n 's/.* lacks feature //p' | head -n 1)
	if [ -n "$lacks" ]; then # Mesa before 23
		echo "skip: this lavapipe lacks what the packages need: $lacks"
		exit 77
	fi
	check "lavapipe-$d" whole "$t/$d.xlp"
	[ -n "${FAST:-}" ] && break
done
check two-stages whole "$t/navi21.xlp" --stages 2
check frames whole "$t/navi21.xlp" --frames -j 2
# What a driver gave comes back; a byte of it changed, and it does not.
notes() { # COUNT OPTION...
	n=$1
	shift
	"$B/xlate" load "$t/navi21.xlp" --state "$t/state" -q "$@" 2>&1 | grep -c '\[cache\]' | grep -qx "$n"
}
check state notes 0
check state-again notes 0
check cache-there test -s "$t"/state/*.vkcache
printf 'X' | dd of="$(echo "$t"/state/*.vkcache)" bs=1 seek=80 conv=notrunc 2>/dev/null
check cache-damaged notes 1
check cache-replaced notes 0
# A driver that crashes on one program, refuses it, or takes three seconds: a library that stands before the real one.
real=$(ldconfig -p 2>/dev/null | sed -n 's/.*libvulkan\.so\.1 .*x86-64.* => //p' | head -n 1)
victim=collatz
words=$("$B/xlate" list "$t/navi21.xlp" | awk -v n="$victim.comp" '$NF == n { print $(NF - 1) }')
same=$("$B/xlate" list "$t/navi21.xlp" | awk -v w="$words" '$(NF - 1) == w { print $NF }' | wc -l)
shim() { # WHAT OPTION...
	what=$1
	shift
	LD_LIBRARY_PATH="$B/tests/shim" SHIM_REAL="$real" SHIM_DO=$what SHIM_WORDS=$words ASAN_OPTIONS=handle_segv=0 \
		"$B/xlate" load "$t/navi21.xlp" -j 1 "$@"
}
state_of() { # WHAT STATE CODE: of the pipeline that is meant; all others are as they should be
	python3 - "$t/json" "$victim" "$1" "$2" <<-'END'
	import json, sys
	r = json.load(open(sys.argv[1]))
	for p in r["list"]:
	    if p["name"] == sys.argv[2]:
	        assert (p["state"], p.get("code", "")) == (sys.argv[3], sys.argv[4]), p
	    else:
	        assert p["state"] == "optimised" or p.get("code") == "program", p
	END
}
crashed() { # dies, leaves the journal, and the next start does without
	rc=0
	shim crash --state "$t/crash" -q 2>/dev/null || rc=$?
	[ $rc -ge 128 ] || { echo "no crash"; return 1; }
	shim crash --state "$t/crash" --json >"$t/json" 2>/dev/null || true
	state_of quarantined quarantine
}
restarted() {
	shim crash --state "$t/again" --restart 3 --json >"$t/json" 2>"$t/err" || true
	grep -q 'signal 11' "$t/err"
	state_of quarantined quarantine
}
retried() { "$B/xlate" load "$t/navi21.xlp" --state "$t/again" --retry --json >"$t/json" 2>/dev/null || true; state_of optimised ""; }
refused() {
	shim refuse --state "$t/refuse" --json >"$t/json" 2>/dev/null || true
	state_of failed driver
	"$B/xlate" load "$t/navi21.xlp" --state "$t/refuse" --json >"$t/json" 2>/dev/null || true
	state_of failed driver
}
slow() { # frames go on meanwhile: answers in those seconds are counted, and none took as long, on a busy machine either
	shim slow --frames --json >"$t/json" 2>/dev/null || true
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
s = [p for p in r["list"] if p["name"] == sys.argv[2]][0]
assert s["optimised_ms"] >= 3000, s
assert r["get"]["calls"] > 20 * r["pipelines"] and r["get"]["max_us"] < 2.5e6, r["get"]' "$t/json" "$victim"
}
if [ -n "$real" ] && [ "$same" = 1 ]; then
	check crashed crashed
	check restarted restarted
	check retried retried
	check refused refused
	check slow slow
else
	left_out 5 "no libvulkan.so.1 to stand before"
fi
# Damaged packages: an exit code that says so, and a line; 128 and more would be a signal.
size=$(wc -c <"$t/navi21.xlp")
flipped() {
	at=0 k=0
	while [ $k -lt 40 ]; do
		at=$(((at * 7919 + 104729 * (k + 1)) % size)) k=$((k + 1))
		cp "$t/navi21.xlp" "$t/bad.xlp"
		printf '\125' | dd of="$t/bad.xlp" bs=1 seek=$at conv=notrunc 2>/dev/null
		rc=0
		"$B/xlate" load "$t/bad.xlp" -q >/dev/null 2>&1 || rc=$?
		[ $rc -lt 5 ] || { echo "byte $at"; return 1; }
	done
}
[ -n "${FAST:-}" ] || check flipped flipped
head -c $((size / 2)) "$t/navi21.xlp" >"$t/cut.xlp"
ends() { # CODE TEXT OPTION...: exit code, and what standard error says
	code=$1 text=$2 rc=0
	shift 2
	"$B/xlate" load "$@" 2>"$t/cut" || rc=$?
	[ $rc = "$code" ]
	grep -q "$text" "$t/cut"
}
check cut ends 3 bad-package "$t/cut.xlp"
check absent ends 3 '\[io\]' "$t/absent.xlp"
check no-device ends 4 nosuch "$t/navi21.xlp" --device nosuch
check draw "$B/tests/frames" "$t/navi21.xlp" "$t/picture.ppm"
check picture python3 tests/load_picture.py "$t/picture.ppm"
radeon=$(ls /usr/share/vulkan/icd.d/radeon_icd*.json 2>/dev/null | head -n 1)
if [ -n "$radeon" ]; then
	"$B/xlate" build -q "$t/navi21.xgc" -t radv-navi21 -o "$t/own.xlp" 2>/dev/null
	export VK_ICD_FILENAMES="$radeon" VK_DRIVER_FILES="$radeon" RADV_FORCE_FAMILY=navi21
	check radv whole "$t/own.xlp"
else
	left_out 1 "no RADV"
fi
check_end
