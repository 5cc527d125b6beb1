#!/bin/sh
# browser_test.sh: the page of `xlate report` in a headless browser (tests/report_browser.py), with names that would do harm in a page
# that believes them, and the picture of `xlate cfg`. Needs a chromium; FAST=1 leaves it out.
cd "$(dirname "$0")/.." || exit 2
B=${BUILD:-build}
[ -x "$B/xlate" ] || { echo "skip: no $B/xlate"; exit 77; }
[ -z "${FAST:-}" ] || { echo "skip: a browser takes long (FAST)"; exit 77; }
for browser in chromium chromium-browser google-chrome; do command -v $browser >/dev/null && break; done
command -v $browser >/dev/null || { echo "skip: no chromium"; exit 77; }
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
for name in '<!--<script>alert(1)' '<img src=x onerror=alert(1)>' "\\\\\"'><svg onload=alert(1)>" '\\u2028];alert(1);['; do
	n=$((${n:-0} + 1))
	mkdir "$t/$n"
	cp corpus/navi21/add64.comp.bin "$t/$n"
	NAME=$name awk '{ sub(/"name":"add64"/, "\"name\":\"" ENVIRON["NAME"] "\""); print }' corpus/navi21/add64.json >"$t/$n/add64.json"
done
"$B/xlate" import -q "$t" corpus/navi21/binary_search.json corpus/navi21/color.json corpus/navi21/bary_kinds.json corpus/sm53/nv_image.json -o "$t/c.xgc" || exit 2
"$B/xlate" build -q "$t/c.xgc" -o "$t/p.xlp" 2>/dev/null
"$B/xlate" report -q "$t/p.xlp" "$t/c.xgc" -o "$t/r.html" || exit 2
timeout 900 python3 tests/report_browser.py $browser "$t/r.html" 2>/dev/null
