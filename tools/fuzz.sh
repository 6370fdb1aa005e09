#!/usr/bin/env bash
# Runs each fuzz target of the module in the working directory, one after the
# other. usage: tools/fuzz.sh TIME [FLAG...]   (such as 20s; flags are go test's)
#
# Go writes an input that fails into testdata/fuzz of its package. Commit it with
# the fix: from then on every go test tries it.
set -euo pipefail
time=${1:?usage: tools/fuzz.sh TIME [FLAG...]}
shift

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
			go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$@" "$second"
			count=$((count + 1))
		done
		targets=()
		;;
	esac
done <<<"$listed"
echo "fuzz: $count targets, nothing found"
