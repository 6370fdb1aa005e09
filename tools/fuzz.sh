#!/usr/bin/env bash
# Runs each fuzz target of the module in the working directory, one after the
# other. usage: tools/fuzz.sh TIME [FLAG...]   (such as 20s; flags are a test
# binary's, such as -test.parallel 1)
#
# Each package with targets is built once, as go test -fuzz builds it. An input that
# fails is written into testdata/fuzz of its package. Commit it with the fix: from then
# on every go test tries it.
set -euo pipefail
time=${1:?usage: tools/fuzz.sh TIME [FLAG...]}
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log

# ended reports whether a run failed only because its time was over: before Go 1.27 a
# busy machine can lose a race in testing, which then prints this error and no input
# (golang/go#75804).
ended() {
	grep -qx ' *context deadline exceeded' "$log" && ! grep -q 'Failing input written\|panic:' "$log"
}

# Only the packages with targets are built: go test -list would link all test binaries.
listed=$(go list -f '{{range .TestGoFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}
{{end}}' ./...)
cache=$(go env GOCACHE)/fuzz
count=0
previous=
while read -r package file; do
	if [ -z "$package" ] || [ "$package" = "$previous" ] || ! grep -q '^func Fuzz' "$file"; then
		continue
	fi
	previous=$package
	go test -c -vet=off -fuzz . -ldflags '-s -w' -o "$work/fuzz.test" "$package"
	cd "$(dirname "$file")"
	for target in $("$work/fuzz.test" -test.list '^Fuzz'); do
		echo "fuzz $package $target for $time"
		"$work/fuzz.test" -test.paniconexit0 -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" \
			-test.fuzzminimizetime 10x -test.fuzzcachedir "$cache/$package" "$@" 2>&1 | tee "$log" || ended
		count=$((count + 1))
	done
	cd "$OLDPWD"
done <<<"$listed"
if [ "$count" = 0 ]; then
	echo "fuzz: no targets found" >&2
	exit 1
fi
echo "fuzz: $count targets, nothing found"
