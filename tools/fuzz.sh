#!/usr/bin/env bash
# Runs each fuzz target of the module in the working directory, one after the
# other. usage: tools/fuzz.sh TIME [FLAG...]   (such as 20s; flags are go test's)
#
# Go writes an input that fails into testdata/fuzz of its package. Commit it with
# the fix: from then on every go test tries it.
set -euo pipefail
time=${1:?usage: tools/fuzz.sh TIME [FLAG...]}
shift

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# ended reports whether a run failed only because its time was over: before Go 1.27 a
# busy machine can lose a race in go test, which then prints this error and no input
# (golang/go#75804).
ended() {
	grep -qx ' *context deadline exceeded' "$log" && ! grep -q 'Failing input written\|panic:' "$log"
}

# go test -list prints the targets of a package, then "ok PACKAGE ...".
listed=$(go test -list '^Fuzz' ./...)
count=0
targets=()
while read -r first second _; do
	case $first in
	Fuzz*) targets+=("$first") ;;
	ok)
		for target in ${targets[@]+"${targets[@]}"}; do
			echo "fuzz $second $target for $time"
			go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$@" "$second" 2>&1 | tee "$log" || ended
			count=$((count + 1))
		done
		targets=()
		;;
	esac
done <<<"$listed"
echo "fuzz: $count targets, nothing found"
