#!/bin/sh
# batch_test.sh: `xlate build` as a batch job: programs that crash, hang or eat memory, signals, duplicates, increments, reports.
# tests/xlate_planted is xlate with workers that misbehave on programs named plant-*.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/check.sh
needs tests/xlate_planted
X=$B/xlate P=$B/tests/xlate_planted
no() { # COMMAND...: it fails
	if "$@"; then
		echo "does not fail: $*"
		return 1
	fi
}
is() { [ "$1" = "$2" ] || { echo "is '$1', not '$2'"; return 1; }; }
exits() { # CODE COMMAND...
	want=$1 got=0
	shift
	"$@" >"$t/out" 2>"$t/err" || got=$?
	[ "$got" = "$want" ] || { echo "exit $got, not $want: $*"; tail -n 5 "$t/err"; return 1; }
}
san=
case $B in *san) san=1 ;; esac

# ---- what there is: good programs, and others that are renamed to misbehave
mkdir "$t/src"
set -- corpus/navi21/*.json
good= n=0
plants="segv abort exit hang memory objects garbage cut lie second"
[ -z "$san" ] || plants="segv abort exit hang garbage cut lie second" # no memory limit under the sanitizer
left="sleep $plants"
for f; do
	case $f in *descriptor*) continue ;; esac
	n=$((n + 1))
	if [ $((n % 5)) = 0 ] && [ -n "$left" ]; then
		kind=${left%% *}
		left=${left#"$kind"}
		left=${left# }
		base=$(basename "$f" .json)
		sed "s/\"name\": *\"$base\"/\"name\":\"plant-$kind\"/" "$f" >"$t/src/plant-$kind.json"
		cp "corpus/navi21/$base".*.bin "$t/src/" 2>/dev/null
	elif [ $n -le 60 ]; then
		good="$good $f"
	fi
done
"$X" import -q $good -o "$t/good.xgc" || exit 2
mv "$t/src/plant-sleep.json" "$t/src/sleep.plant" # takes long: it has a test of its own
"$X" import -q "$t"/src/plant-*.json -o "$t/bad.xgc" || exit 2
mv "$t/src/sleep.plant" "$t/src/plant-sleep.json"
"$X" import -q "$t/good.xgc" "$t/bad.xgc" -o "$t/all.xgc" || exit 2
"$X" build -q "$t/good.xgc" -o "$t/good.xlp" 2>/dev/null

# status of one program: "NAME.STAGE status code"
statuses() {
	"$X" list --json "$1" | python3 -c 'import json,sys
for p in json.load(sys.stdin): print(p["name"], p["status"], p.get("code"))'
}
limits="--time-limit 1 --memory-limit 100" # far from each other: touching all that memory takes a tenth of that time or less

# ---- a crash costs one program
planted() {
	exits 4 "$P" build -j 2 $limits --keep-failed "$t/kept" "$t/all.xgc" -o "$t/all.xlp"
	statuses "$t/all.xlp" >"$t/all.txt"
	statuses "$t/good.xlp" >"$t/good.txt"
	grep -v '^plant-' "$t/all.txt" | cmp - "$t/good.txt"
	is "$(grep -c '^plant-' "$t/all.txt")" "$("$X" list "$t/bad.xgc" | wc -l)"
	for k in $plants; do
		case $k in
		hang) code=time-limit ;;
		memory | objects) code=memory-limit ;;
		second) continue ;; # it is good where it is alone
		*) code=crash ;;
		esac
		grep -q "^plant-$k\..* refused $code\$" "$t/all.txt" || { echo "plant-$k is not $code"; cat "$t/all.txt"; return 1; }
		grep -q "plant-$k\.[a-z]*: error: .*\[$code\]" "$t/err"
	done
	no grep -q '^plant-second.* \(crash\|time-limit\|memory-limit\)$' "$t/all.txt"
}
check planted planted
tight() { # what does not fit is named for that, and the others are there
	"$X" build -j 2 --memory-limit 1 "$t/good.xgc" -o "$t/tight.xlp" >"$t/out" 2>"$t/err" || [ $? != 2 ]
	no grep 'crash.$\|out-of-memory.$' "$t/err"
	[ -s "$t/tight.xlp" ]
}
check tight tight
sleeps() { # no processor time: the clock on the wall counts, far longer
	exits 4 "$P" build -j 1 --time-limit 1 "$t/src/plant-sleep.json" -o "$t/s.xlp"
	grep -q 'plant-sleep\.[a-z]*: error: no end after 1 s .time-limit.' "$t/err"
}
[ -n "${FAST:-}" ] || check sleeps sleeps
unread() { # a worker that dies of reading a record: the record is named, the others are there
	sed 's/"name": *"life"/"name":"plant-read"/' corpus/navi21/life.json >"$t/src/plant-read.json"
	cp corpus/navi21/life.*.bin "$t/src"
	"$X" import -q "$t/src/plant-read.json" "$t/good.xgc" -o "$t/u.xgc"
	exits 4 "$P" build -j 2 --report json "$t/u.xgc" -o "$t/u.xlp"
	grep -q 'u.xgc:plant-read: error: its worker process died of signal 6 .*crash.$' "$t/err"
	is "$(python3 -c 'import json,sys; print([u["record"] for u in json.load(open(sys.argv[1]))["unread"]])' "$t/out")" "['plant-read']"
	cmp "$t/u.xlp" "$t/good.xlp"
}
check unread unread
kept() {
	is "$(ls "$t/kept" | wc -l)" "$(grep -c ' \(crash\|time-limit\|memory-limit\)$' "$t/all.txt")"
	for f in "$t"/kept/*.xgc; do
		"$X" build -q "$f" -o "$t/k.xlp" || [ $? = 1 ]
	done
}
check kept kept
any_j() {
	for j in 1 3 8; do
		exits 4 "$P" build -q -j $j $limits "$t/all.xgc" -o "$t/j.xlp"
		cmp "$t/j.xlp" "$t/all.xlp" || { statuses "$t/j.xlp" | diff - "$t/all.txt"; return 1; }
	done
}
check same-bytes-for-any-j any_j
modes() {
	"$X" build -q -j 2 --no-isolation "$t/all.xgc" -o "$t/m1.xlp" || [ $? = 1 ]
	"$X" build -q -j 3 "$t/all.xgc" -o "$t/m2.xlp" || [ $? = 1 ]
	cmp "$t/m1.xlp" "$t/m2.xlp"
	"$X" check -q "$t/m1.xlp"
}
check same-bytes-for-both-modes modes
unplanted() { # the shipped binary has no such names
	statuses "$t/m2.xlp" >"$t/m2.txt"
	no grep ' \(crash\|time-limit\|memory-limit\)$' "$t/m2.txt"
}
check shipped-has-no-plants unplanted

# ---- signals
within() { # COMMAND...: it succeeds within a minute, on however busy a machine
	n=0
	until "$@" >/dev/null 2>&1; do
		n=$((n + 1))
		[ $n -lt 600 ] || return 1
		sleep 0.1
	done
}
gone() { no kill -0 "$1"; }
works() { cat /proc/[0-9]*/stat 2>/dev/null | grep -q "^[0-9]* (xlate_planted) . $1 "; } # PID has a worker
orphan() {
	for p in /proc/[0-9]*; do
		tr '\0' ' ' <"$p/cmdline" 2>/dev/null | grep -q "xlate_planted build.*$t/old.xlp" || continue
		echo "an orphan is left: $p"
		return 0
	done
	return 1
}
leaves_nothing() { # SIGNAL [-]: to the process, or to its group, as a terminal does
	cp "$t/good.xlp" "$t/old.xlp"
	setsid "$P" build -j 2 --time-limit 60 "$t/src/plant-hang.json" "$t/good.xgc" -o "$t/old.xlp" 2>"$t/err" &
	pid=$!
	within works $pid
	sleep 1
	kill -s "$1" -- "${2:-}$pid"
	within gone $pid || { echo "still there after a minute"; kill -9 -- -$pid; return 1; }
	rc=0
	wait $pid || rc=$?
	cmp "$t/good.xlp" "$t/old.xlp"
	is "$(ls "$t" | grep -c 'old.xlp.')" 0
	within no orphan || { orphan; return 1; }
	[ "$1" = KILL ] || { is $rc 1; grep -q '^interrupted after [0-9]* programs' "$t/err"; }
}
check SIGINT leaves_nothing INT
check SIGINT-group leaves_nothing INT -
check SIGTERM leaves_nothing TERM
check SIGKILL leaves_nothing KILL

moments() { # SIGKILL at any time: the old or the new package is there, whole, and a rerun completes
	n=8
	[ -z "${LONG:-}" ] || n=200
	for i in $(seq $n); do
		cp "$t/good.xlp" "$t/old.xlp"
		"$X" build -q -j 2 "$t/all.xgc" -o "$t/old.xlp" 2>/dev/null &
		pid=$!
		sleep "$(awk -v i="$i" -v n="$n" 'BEGIN { printf "%.3f", 0.5 * i / n }')"
		kill -KILL $pid 2>/dev/null || true
		wait $pid 2>/dev/null || true
		cmp -s "$t/old.xlp" "$t/good.xlp" || cmp "$t/old.xlp" "$t/m1.xlp"
	done
	"$X" build -q "$t/all.xgc" -o "$t/old.xlp" || [ $? = 1 ]
	cmp "$t/old.xlp" "$t/m1.xlp"
}
check SIGKILL-at-any-moment moments
nowhere() { # no room, no folder; two builds to one file
	exits 3 "$X" build corpus/navi21/life.json -o /dev/full
	grep -q 'cannot write /dev/full: No space left' "$t/err"
	exits 3 "$X" build corpus/navi21/life.json -o "$t/none/x.xlp"
	grep -q 'cannot write .*/none/x.xlp: No such file' "$t/err"
	"$X" build -q -j 1 "$t/all.xgc" -o "$t/both.xlp" 2>/dev/null &
	pid=$!
	"$X" build -q -j 1 "$t/all.xgc" -o "$t/both.xlp" || [ $? = 1 ]
	wait $pid || [ $? = 1 ]
	cmp "$t/both.xlp" "$t/m1.xlp"
	is "$(ls "$t" | grep -c 'both.xlp.')" 0
}
check output nowhere
# A disk of its own that is too small for the new package, then one that is read-only: the old package stays, alone and whole.
cat >"$t/disk.sh" <<'END'
set -eu
X=$1 cache=$2 old=$3 disk=$4
tried() { # TEXT
	rc=0
	"$X" build -q "$cache" -o "$disk/old.xlp" 2>"$disk.err" || rc=$?
	[ $rc = 3 ] || { echo "exit $rc: $1"; exit 1; }
	grep -q "cannot write $disk/old.xlp: $1" "$disk.err"
	cmp "$old" "$disk/old.xlp"
	[ "$(ls "$disk")" = old.xlp ]
}
mount -t tmpfs -o "size=$(($(wc -c <"$old") / 1024 + 24))k" none "$disk"
cp "$old" "$disk/old.xlp"
tried 'No space left'
mount -o remount,ro "$disk"
tried 'Read-only file system'
END
mkdir "$t/disk"
disk() {
	exits 0 "$X" build -q corpus/navi21/life.json -o "$t/life.xlp"
	unshare -rm sh "$t/disk.sh" "$X" "$t/all.xgc" "$t/life.xlp" "$t/disk"
}
if unshare -rm mount -t tmpfs none "$t/disk" 2>/dev/null; then
	check small-disk disk
else
	left_out 1 "no disk may be mounted"
fi

fast() {
	rm -f "$t/f.xlp"
	exits 4 "$P" build -j 1 --fail-fast "$t/src/plant-segv.json" "$t/good.xgc" -o "$t/f.xlp"
	grep -q '^stopped after [0-9]* programs; .*f.xlp is as it was$' "$t/err"
	[ ! -e "$t/f.xlp" ]
	exits 0 "$X" build -q --fail-fast corpus/navi21/life.json -o "$t/f.xlp"
	[ -e "$t/f.xlp" ]
}
check fail-fast fast

bar() { # on a terminal: done, rate, time left, refusals; elsewhere, or with -q, none
	for q in "" -q; do
		script -qec "$P build $q -j 2 --time-limit 2 $t/src/plant-hang.json $t/good.xgc -o $t/b.xlp" /dev/null >"$t/tty" 2>&1 || [ $? = 4 ]
		tr '\r' '\n' <"$t/tty" | grep '[0-9]* of [0-9]*, [0-9]*/s, [0-9]* s left, [0-9]* refused' >"$t/bar" || true
		if [ -z "$q" ]; then [ -s "$t/bar" ]; else [ ! -s "$t/bar" ]; fi
	done
}
if script -qec true /dev/null >/dev/null 2>&1; then
	check bar bar
else
	left_out 1 "the progress bar: script(1) gets no terminal"
fi

# ---- duplicates: other names, same programs
twice() {
	mkdir -p "$t/dup"
	sed 's/"name": *"life"/"name":"life2"/' corpus/navi21/life.json >"$t/dup/life2.json"
	cp corpus/navi21/life.*.bin "$t/dup"
	"$X" import -q corpus/navi21/life.json "$t/dup/life2.json" corpus/navi21/life.json -o "$t/dup.xgc"
	for how in "" --no-isolation; do
		exits 0 "$X" build $how --report json "$t/dup.xgc" -o "$t/dup.xlp"
		is "$(python3 -c 'import json,sys
r = json.load(open(sys.argv[1])); print(r["totals"]["programs"], r["totals"]["same"], r["totals"]["translated"])' "$t/out")" "2 1 2"
	done
	"$X" export --spv "$t/dupout" "$t/dup.xlp"
	cmp "$t/dupout/life.comp.spv" "$t/dupout/life2.comp.spv"
}
check duplicates twice
apart() { # a program that fails before it has its content fails alone, whoever has the same
	sed 's/"name": *"life"/"name":"plant-abort"/' corpus/navi21/life.json >"$t/dup/plant-abort.json"
	"$X" import -q "$t/dup/plant-abort.json" "$t/dup.xgc" -o "$t/apart.xgc"
	exits 4 "$P" build -q -j 1 "$t/apart.xgc" -o "$t/apart.xlp"
	is "$(statuses "$t/apart.xlp" | tr '\n' ' ')" "life.comp ok None life2.comp ok None plant-abort.comp refused crash "
}
check duplicates-apart apart

# ---- increments
since() {
	"$X" build -q "$t/all.xgc" -o "$t/1.xlp" || [ $? = 1 ]
	"$X" build --report json --since "$t/1.xlp" "$t/all.xgc" -o "$t/2.xlp" >"$t/out" 2>"$t/err" || [ $? = 1 ]
	cmp "$t/1.xlp" "$t/2.xlp"
	python3 -c 'import json,sys
t = json.load(open(sys.argv[1]))["totals"]
assert t["copied"] == t["programs"] > 20, t' "$t/out"
	# in place; and more, fewer, renamed programs give what a build from nothing gives
	"$X" build -q --since "$t/2.xlp" "$t/all.xgc" -o "$t/2.xlp" || [ $? = 1 ]
	cmp "$t/1.xlp" "$t/2.xlp"
	"$X" build -q --since "$t/good.xlp" "$t/all.xgc" "$t/dup.xgc" -o "$t/3.xlp" || [ $? = 1 ]
	"$X" build -q "$t/all.xgc" "$t/dup.xgc" -o "$t/4.xlp" || [ $? = 1 ]
	cmp "$t/3.xlp" "$t/4.xlp"
	"$X" build -q --since "$t/3.xlp" "$t/good.xgc" -o "$t/5.xlp" || [ $? = 1 ]
	cmp "$t/5.xlp" "$t/good.xlp"
}
check since since
renamed() { # same content, other record: found by content
	"$X" build -q corpus/navi21/life.json -o "$t/r1.xlp"
	"$X" import -q "$t/dup/life2.json" -o "$t/r.xgc"
	exits 0 "$X" build --since "$t/r1.xlp" "$t/r.xgc" -o "$t/r2.xlp"
	grep -q '^1 were copied' "$t/err"
	"$X" build -q "$t/r.xgc" -o "$t/r3.xlp"
	cmp "$t/r2.xlp" "$t/r3.xlp"
}
check since-renamed renamed
other_stamp() {
	"$X" build -q --float strict "$t/good.xgc" -o "$t/strict.xlp" || [ $? = 1 ]
	"$X" build --since "$t/strict.xlp" "$t/good.xgc" -o "$t/6.xlp" 2>"$t/err" || [ $? = 1 ]
	grep -q 'note: another translator' "$t/err"
	cmp "$t/6.xlp" "$t/good.xlp"
	head -c 3000 "$t/good.xlp" >"$t/cut.xlp"
	"$X" build --since "$t/cut.xlp" "$t/good.xgc" -o "$t/6.xlp" 2>"$t/err" || [ $? = 1 ]
	grep -q 'bad-package' "$t/err"
	cmp "$t/6.xlp" "$t/good.xlp"
	"$X" build --since "$t/none.xlp" "$t/good.xgc" -o "$t/6.xlp" 2>"$t/err" || [ $? = 1 ]
	cmp "$t/6.xlp" "$t/good.xlp"
	python3 -c 'import sys
b = bytearray(open(sys.argv[1], "rb").read()); b[-100] ^= 1; open(sys.argv[2], "wb").write(b)' "$t/good.xlp" "$t/bit.xlp"
	"$X" build --since "$t/bit.xlp" "$t/good.xgc" -o "$t/6.xlp" 2>"$t/err" || [ $? = 1 ]
	grep -q 'packed bytes are damaged' "$t/err"
	cmp "$t/6.xlp" "$t/good.xlp"
}
check since-of-no-use other_stamp
retried() { # what failed is not copied
	"$X" build -q -j 2 --since "$t/all.xlp" "$t/all.xgc" -o "$t/7.xlp" || [ $? = 1 ]
	cmp "$t/7.xlp" "$t/1.xlp"
}
check since-retries-failures retried

# ---- shards
shards() {
	n=0
	for i in 1 2 3; do
		"$X" build -q --shard $i/3 "$t/all.xgc" "$t/dup.xgc" -o "$t/s$i.xlp" || [ $? = 1 ]
		n=$((n + $("$X" list "$t/s$i.xlp" | wc -l)))
	done
	"$X" build -q "$t/all.xgc" "$t/dup.xgc" -o "$t/whole.xlp" || [ $? = 1 ]
	is $n "$("$X" list "$t/whole.xlp" | wc -l)"
	exits 0 "$X" merge "$t/s2.xlp" "$t/s3.xlp" "$t/s1.xlp" -o "$t/merged.xlp"
	cmp "$t/merged.xlp" "$t/whole.xlp"
	exits 0 "$X" merge "$t/s1.xlp" "$t/merged.xlp" "$t/s1.xlp" -o "$t/merged.xlp" # twice the same, and in place
	cmp "$t/merged.xlp" "$t/whole.xlp"
	exits 2 "$X" build --shard 0/3 "$t/all.xgc" -o "$t/x.xlp"
	exits 2 "$X" build --shard 4/3 "$t/all.xgc" -o "$t/x.xlp"
	exits 2 "$X" build --shard 1 "$t/all.xgc" -o "$t/x.xlp"
	exits 0 "$X" build --shard 1/1 corpus/navi21/life.json -o "$t/x.xlp"
	"$X" build -q corpus/navi21/life.json -o "$t/y.xlp"
	cmp "$t/x.xlp" "$t/y.xlp"
}
check shards shards
better() { # what failed in one shard another may have
	exits 0 "$X" merge "$t/all.xlp" "$t/whole.xlp" -o "$t/better.xlp"
	cmp "$t/better.xlp" "$t/whole.xlp"
	exits 0 "$X" merge "$t/whole.xlp" "$t/all.xlp" -o "$t/better.xlp"
	cmp "$t/better.xlp" "$t/whole.xlp"
}
check merge-failed better
# A shard that is damaged, of other options, of another version, or that says something else of the same program.
refused() { # FILE: merging it fails, in whatever order, with exit 3, and writes nothing
	for order in "$t/good.xlp $1" "$1 $t/good.xlp"; do
		rm -f "$t/none.xlp"
		exits 3 "$X" merge $order -o "$t/none.xlp"
		[ ! -e "$t/none.xlp" ]
		grep -q 'bad-package' "$t/err"
	done
}
liars() {
	refused "$t/cut.xlp"
	refused "$t/strict.xlp"
	refused "$t/bit.xlp"
	refused corpus/navi21/life.json
	python3 -c 'import sys
b = bytearray(open(sys.argv[1], "rb").read()); b[8] = 1; open(sys.argv[2], "wb").write(b)' "$t/good.xlp" "$t/version.xlp"
	refused "$t/version.xlp"
	sed 's/"name": *"life"/"name":"plant-twist"/' corpus/navi21/life.json >"$t/dup/plant-twist.json"
	exits 0 "$P" build "$t/dup/plant-twist.json" -o "$t/liar.xlp"
	exits 0 "$X" build "$t/dup/plant-twist.json" -o "$t/honest.xlp"
	cp "$t/good.xlp" "$t/keep.xlp"
	cp "$t/honest.xlp" "$t/good.xlp"
	refused "$t/liar.xlp"
	cp "$t/keep.xlp" "$t/good.xlp"
	grep -q 'plant-twist.comp: error: two packages with the same stamp' "$t/err"
}
check merge-liars liars

# ---- diff
differences() {
	exits 0 "$X" diff "$t/good.xlp" "$t/5.xlp"
	is "$(cat "$t/out")" "      $("$X" list "$t/good.xlp" | wc -l) the same"
	exits 1 "$X" diff "$t/good.xlp" "$t/whole.xlp"
	is "$(grep -c '^added ' "$t/out")" "$(($("$X" list "$t/whole.xlp" | wc -l) - $("$X" list "$t/good.xlp" | wc -l)))"
	no grep -q '^gone\|^won\|^lost\|^grew' "$t/out"
	exits 1 "$X" diff "$t/whole.xlp" "$t/good.xlp"
	grep -q '^gone .*life2.comp: [0-9]* words$' "$t/out"
	exits 1 "$X" diff "$t/all.xlp" "$t/whole.xlp"
	grep -q '^\(won\|reason\) *plant-segv\.[a-z]*: failed crash -> ' "$t/out"
	exits 1 "$X" diff "$t/good.xlp" "$t/strict.xlp"
	grep -q '^stamp   options: .*float=host.* -> .*float=strict' "$t/out"
	grep -q '^grew .*: [0-9]* words -> [0-9]* words$' "$t/out"
	exits 1 "$X" diff --json "$t/whole.xlp" "$t/good.xlp"
	python3 -c 'import json,sys
r = json.load(open(sys.argv[1]))
assert any(p.get("change") == "gone" and p["name"] == "life2.comp" and p["new"] is None and p["old"]["status"] == "ok" for p in r)' "$t/out"
	exits 1 "$X" diff -q "$t/whole.xlp" "$t/good.xlp"
	[ ! -s "$t/out" ]
	exits 3 "$X" diff "$t/whole.xlp" corpus/navi21/life.json
	exits 2 "$X" diff "$t/whole.xlp"
}
check diff differences

# ---- Fossilize: read back by a reader of its own, written after Fossilize's sources
foz() {
	exits 0 "$X" export --foz "$t/m.foz" --spv "$t/m" "$t/whole.xlp"
	python3 - "$t/m.foz" "$t/m" <<'EOF'
import glob, json, struct, sys, zlib
b = open(sys.argv[1], "rb").read()
assert b[:16] == b"\x81FOSSILIZEDB\0\0\0\x06"
at, found = 16, {}
while at < len(b):
	tag, h = int(b[at:at + 24], 16), b[at + 24:at + 40].decode()
	stored, form, crc, size = struct.unpack_from("<4I", b, at + 40)
	v = b[at + 56:at + 56 + stored]
	at += 56 + stored
	assert tag == 4 and form == 1 and stored == size == len(v) and zlib.crc32(v) == crc
	text, code = v[:v.index(b"\0")], v[v.index(b"\0") + 1:]
	j = json.loads(text)
	assert j["version"] == 6 and list(j["shaderModules"]) == [h]
	m = j["shaderModules"][h]
	assert m["flags"] == 0 and m["varintOffset"] == 0 and m["varintSize"] == len(code)
	words, w, shift = [], 0, 0
	for c in code:
		w |= (c & 127) << shift
		shift += 7
		if c < 128:
			words.append(w)
			w = shift = 0
	assert shift == 0 and m["codeSize"] == 4 * len(words)
	x = 0xcbf29ce484222325
	for w in words + [0]:
		x = (x * 0x100000001b3 & (1 << 64) - 1) ^ w
	assert "%016x" % x == h and h not in found
	found[h] = struct.pack("<%dI" % len(words), *words)
assert at == len(b) and list(found) == sorted(found)
assert set(found.values()) == {open(f, "rb").read() for f in glob.glob(sys.argv[2] + "/*.spv")}
EOF
	exits 0 "$X" export --foz "$t/one.foz" "$t/whole.xlp" life.comp
	is "$(grep -a -o shaderModules "$t/one.foz" | wc -l)" 1
	exits 2 "$X" export --foz "$t/whole.xlp" "$t/whole.xlp"
	exits 2 "$X" export "$t/whole.xlp"
}
check foz foz

# ---- reports
reports() {
	exits 4 "$P" build $limits --report junit "$t/all.xgc" -o "$t/8.xlp"
	python3 - "$t/out" "$t/all.txt" <<'EOF'
import sys, xml.etree.ElementTree as E
s = E.parse(sys.argv[1]).getroot()
want = [l.split() for l in open(sys.argv[2])]
ours = {"crash", "time-limit", "memory-limit"}
assert int(s.get("tests")) == len(want) == len(s)
assert int(s.get("errors")) == sum(w[2] in ours for w in want) == len(s.findall("testcase/error"))
assert int(s.get("failures")) == sum(w[1] == "refused" and w[2] not in ours for w in want)
assert sorted(c.get("name") for c in s) == sorted(w[0] for w in want), set(c.get("name") for c in s) ^ set(w[0] for w in want)
EOF
	exits 4 "$P" build $limits --report json "$t/all.xgc" -o "$t/8.xlp"
	python3 - "$t/out" "$t/all.txt" <<'EOF'
import sys, json
r = json.load(open(sys.argv[1]))
want = sorted(l.split() for l in open(sys.argv[2]))
got = sorted([p["name"] + "." + p["stage"], "ok" if p["status"] == "ok" else "refused", str(p["code"])] for p in r["programs"])
assert got == want
t = r["totals"]
assert r["schema"] == 1 and t["programs"] == len(want) == t["translated"] + t["refused"] + t["failed"]
assert sum(r["reasons"].values()) == t["refused"] + t["failed"] and r["reasons"]["time-limit"] == sum(w[2] == "time-limit" for w in want)
EOF
}
check reports reports
summary() {
	exits 4 "$P" build $limits "$t/all.xgc" -o "$t/8.xlp"
	grep -q "^ *$(grep -c ' time-limit$' "$t/all.txt") time-limit\$" "$t/err"
	tail -n 20 "$t/err" | grep -q '^[0-9]* programs: [0-9]* translated, [0-9]* refused, written to '
	no grep -q "$(printf '\r')" "$t/err" # a bar is for terminals only
}
check summary summary
page() { # a program that crashed its worker would crash the report: it is not translated again
	"$P" report -q --no-times "$t/8.xlp" "$t/all.xgc" -o "$t/8.html"
	python3 tests/report_look.py "$t/8.html" >"$t/out"
	is "$(grep -c '^plant-segv.* crash pages: name diag dis svg$' "$t/out")" 1
	is "$(grep -c ' module, ok pages: name \(geom \)\?spv dis svg remark ir_svg after ir$' "$t/out")" "$(grep -c ' ok ' "$t/all.txt")"
	is "$(grep -c ' pages: name geom ' "$t/out")" "$("$P" list "$t/8.xlp" | grep -c ' + geom$')"
}
check page page

check_end
