#!/bin/sh
# slurm_test.sh: examples/xlate.sbatch under a Slurm of one machine with two nodes: four shards and the merge, and the bytes of one
# run. With LONG=1 only, as root, with slurm-wlm installed; nothing of the machine's own Slurm is touched.
cd "$(dirname "$0")/.." || exit 2
[ -n "${LONG:-}" ] || { echo "skip: Slurm starts with LONG=1 only"; exit 77; }
for p in slurmctld slurmd sbatch sinfo; do
	command -v $p >/dev/null || { echo "skip: no $p (Debian's slurm-wlm)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skip: slurmd wants root"; exit 77; }
. tests/check.sh
needs xlate
chmod 755 "$t"
pids=
stop() {
	for p in $pids; do kill "$p" 2>/dev/null; done
	for p in $pids; do wait "$p" 2>/dev/null; done
	rm -rf "$t"
}
trap stop EXIT
trap 'exit 1' INT TERM
case $B in /*) PATH=$B:$PATH ;; *) PATH=$PWD/$B:$PATH ;; esac
export PATH SLURM_CONF="$t/slurm.conf"
mkdir "$t/state" "$t/a" "$t/b"
port=$((20000 + $$ % 20000)) host=$(hostname -s)
cat >"$t/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
StateSaveLocation=$t/state
SlurmdSpoolDir=$t/%n
SlurmctldPidFile=$t/ctld.pid
SlurmdPidFile=$t/%n.pid
SlurmctldLogFile=$t/ctld.log
SlurmdLogFile=$t/%n.log
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2
NodeName=b NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2
PartitionName=all Nodes=a,b Default=YES MaxTime=INFINITE State=UP
END
slurmctld -D -f "$t/slurm.conf" >"$t/ctld.out" 2>&1 &
pids=$!
for node in a b; do
	slurmd -D -N $node -f "$t/slurm.conf" >"$t/$node.out" 2>&1 &
	pids="$pids $!"
done
wait_for() { # SECONDS COMMAND...
	left=$(($1 * 5))
	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.2
	done
}
idle() { [ "$(sinfo -h -N -o '%T' | grep -c idle)" = 2 ]; }
if ! wait_for 30 idle; then
	echo "skip: a Slurm of one machine does not come up here: $(tail -n 1 "$t/ctld.log" | cut -c 1-200)"
	exit 77
fi
xlate import -q corpus/navi21/*.json corpus/bonaire/*.json corpus/sm86/*.json -o "$t/c.xgc" || exit 2
xlate build -q "$t/c.xgc" -o "$t/one.xlp" 2>/dev/null
sbatch --parsable --array=1-4 --cpus-per-task=1 --mem-per-cpu=0 --output="$t/%a.out" examples/xlate.sbatch "$t/c.xgc" "$t/many.xlp" >"$t/job" || exit 2
done_all() { [ -z "$(squeue -h -j "$(cat "$t/job")" 2>/dev/null)" ]; }
check "the array ends" wait_for 120 done_all
check "the parts are joined" test -s "$t/many.xlp"
check "the bytes of one run" cmp "$t/one.xlp" "$t/many.xlp"
check "nothing is left over" sh -c "! ls $t | grep -q parts"
check "both nodes had work" sh -c "grep -q 'batch' '$t/a.log' && grep -q 'batch' '$t/b.log'"
[ $fail = 0 ] || tail -n 5 "$t"/*.out "$t"/*.log
check_end
