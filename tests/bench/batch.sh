#!/bin/sh
# batch.sh BUILD [N]: `xlate build` over a synthetic cache of N distinct programs (default 11000), made of corpus/ by varying
# constants. One line a figure, `figure NAME VALUE UNIT`.
#
#   batch_rate_jJ, batch_wall_jJ   programs a second and seconds by the clock, with J workers
#   batch_processor_jJ             processor time of all processes: what a shared machine does not change much
#   batch_scaling                  rate with all processors against one worker's, for each of them
#   batch_threads_wall             the same without isolation
#   batch_again                    a second run with --since and nothing changed, of the first's time
#   batch_grown                    a run with --since where one record in 50 is new
#   batch_validate_share           SPIRV-Tools' part of the workers' processor time
#   batch_*_seconds                processor time of all workers by what it went to; write: by the clock
#   batch_spirv_tools_wall         SPIRV-Tools alone on the modules, by their defaults as spirv-val has them, with as many threads
#   batch_validated_share          module words a second of the whole build (read, translate, validate, pack, write) against that;
#   batch_validated_processor_share   the same by processor time, which a shared machine changes less
#   batch_memory                   largest process, MiB
#   batch_package ...              sizes, as size.sh has them
set -eu
B=${1:-build} N=${2:-11000}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
all=$(nproc)
set -- corpus/navi21/*.json corpus/navi21-w32/*.json corpus/navi10/*.json corpus/bonaire/*.json corpus/sm86/*.json corpus/sm53/*.json
"$B/tests/bench/batch_make" "$N" "$t/c.xgc" "$@"

# Seconds by the clock, of the best of two (the machine may be shared); figures of the build in $t/fig.
clock() { # COMMAND...
	python3 - "$t" "$@" <<'EOF'
import resource, subprocess, sys, time
t, best = sys.argv[1], None
for _ in range(2):
	start, was = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
	r = subprocess.run(sys.argv[2:], stdout=open(t + "/now", "w"), stderr=subprocess.DEVNULL)
	s, now = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
	if r.returncode > 1: sys.exit("exit %d" % r.returncode)
	if best is None or s < best:
		best = s
		open(t + "/cpu", "w").write("%.3f" % (now.ru_utime + now.ru_stime - was.ru_utime - was.ru_stime))
		open(t + "/fig", "w").write(open(t + "/now").read())
open(t + "/rss", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
print("%.3f" % best)
EOF
}
for j in 1 $([ "$all" = 1 ] || echo "$all"); do
	s=$(clock "$B/xlate" build -q -j "$j" --timing "$t/c.xgc" -o "$t/$j.xlp")
	echo "figure batch_wall_j$j $s s"
	awk -v n="$N" -v s="$s" -v j="$j" 'BEGIN { printf "figure batch_rate_j%d %.0f programs/s\n", j, n / s }'
	echo "figure batch_processor_j$j $(cat "$t/cpu") s"
	cp "$t/fig" "$t/fig.all"
	cp "$t/cpu" "$t/cpu.all"
	[ "$j" = 1 ] && one=$s
	last=$s
done
awk -v a="$one" -v b="$last" -v j="$all" 'BEGIN { printf "figure batch_scaling %.2f of_1\n", a / b / j }'
sed 's/^figure \([a-z]*_seconds\)/figure batch_\1/; /_words/d' "$t/fig"
awk '{ v[$2] = $3 } END { n = v["translate_seconds"] + v["validate_seconds"] + v["pack_seconds"]
	printf "figure batch_validate_share %.1f %%\n", 100 * v["validate_seconds"] / n }' "$t/fig"
echo "figure batch_memory $(cat "$t/rss") MiB"
echo "figure batch_threads_wall $(clock "$B/xlate" build -q -j "$all" --no-isolation "$t/c.xgc" -o "$t/t.xlp") s"
cmp "$t/1.xlp" "$t/t.xlp"
cmp "$t/1.xlp" "$t/$all.xlp"
s=$(clock "$B/xlate" build -q -j "$all" --since "$t/1.xlp" "$t/c.xgc" -o "$t/s.xlp")
cmp "$t/1.xlp" "$t/s.xlp"
awk -v a="$s" -v b="$last" 'BEGIN { printf "figure batch_again %.2f %%\n", 100 * a / b }'
# An older package without the last part of 50: what a cache that grew by two percent costs.
parts=$(seq -f "$t/h%g.xlp" 1 49)
for i in $(seq 1 49); do "$B/xlate" build -q --since "$t/1.xlp" --shard "$i/50" "$t/c.xgc" -o "$t/h$i.xlp" 2>"$t/said" || [ $? = 1 ]; done
"$B/xlate" merge -q $parts -o "$t/old.xlp"
s=$(clock "$B/xlate" build -q -j "$all" --since "$t/old.xlp" "$t/c.xgc" -o "$t/s.xlp")
cmp "$t/1.xlp" "$t/s.xlp"
awk -v a="$s" -v b="$last" 'BEGIN { printf "figure batch_grown %.2f %%\n", 100 * a / b }'
"$B/xlate" export --spv "$t/spv" "$t/1.xlp" 2>"$t/said"
find "$t/spv" -name '*.spv' | sort | xargs -s 2000000 "$B/tests/bench/spirv_val" vulkan1.3 "$all" >"$t/tools"
awk -v s="$last" 'FNR == NR { v[$2] = $3; next } { w[$1] = $2 }
	END {
		n = 100 * v["module_words"] / (w["bytes"] / 4)
		printf "figure batch_spirv_tools_wall %.3f s\n", w["wall"]
		printf "figure batch_validated_share %.1f %%\n", n * w["wall"] / s
		printf "figure batch_validated_processor_share %.1f %%\n", n * w["seconds"] / p
	}' p="$(cat "$t/cpu.all")" "$t/fig.all" "$t/tools"
tests/bench/size.sh "$B" batch "$t/1.xlp"
