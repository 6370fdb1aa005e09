#!/bin/sh
# Makes testdata/repository and testdata/expected with a program of commit 0c732c6d:
#
#   test/frozen/make.sh [PROGRAM]
#
# Without PROGRAM it builds that commit. Never use a newer program: these files are what
# users have in their repositories.
set -eu
cd "$(dirname "$0")"
program=${1:-}
if [ -z "$program" ]; then
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree/source"; rm -rf "$tree"' EXIT
  git worktree add --detach "$tree/source" 0c732c6d
  program=$tree/goldenarch
  (cd "$tree/source" && go build -o "$program" .)
fi
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
go test -count=1 -run '^TestMake$' . -make "$program"
