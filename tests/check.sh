# check.sh: what the shell tests share. Sourced behind `cd` to the repository's root; $B is the build, $t a folder that goes at the end.
B=${BUILD:-build}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
needs() { # FILE: of the build, without which there is nothing to test
	[ -e "$B/$1" ] || { echo "skip: no $B/$1"; exit 77; }
}
pass=0 fail=0 skip=0
check() { # NAME COMMAND...: it passes when every line of it does, those of a function too
	name=$1
	shift
	# Not in a condition: there set -e is without effect.
	(set -e; "$@") >"$t/log" 2>&1
	if [ $? = 0 ]; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1))
		echo "FAIL $name"
		sed 's/^/  /' "$t/log" | tail -n 20
	fi
}
left_out() { # N REASON: tests that did not run, and what is missing
	skip=$((skip + $1))
	shift
	echo "skip: $*"
}
check_end() { # the last line
	echo "$pass passed, $fail failed, $skip skipped"
	[ "$fail" = 0 ]
}
