# check.sh: what the shell tests share. Sourced behind `cd` to the repository's root; $t is the test's folder.
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
