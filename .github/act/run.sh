#!/usr/bin/env bash
# Runs the action for real: nektos/act carries out the workflow that "debate init"
# writes, on this machine and without containers, against a GitHub that is a
# program of the tests. Needs Go, git and bash; no token, and none is used.
#
#   run.sh           all of it
#   ACT_DIR=dir      keep the installed act there
#   ACT_RUN=regex    only these tests
set -euo pipefail
cd "$(dirname "$0")/../.."

dir=${ACT_DIR:-}
if [ -z "$dir" ]; then
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
fi
mkdir -p "$dir"
if [ ! -x "$dir/act" ]; then
  GOBIN=$(cd "$dir" && pwd) go install github.com/nektos/act@v0.2.89
fi
ACT=$(cd "$dir" && pwd)/act go test -tags act -count 1 -v -run "${ACT_RUN:-^TestAct}" -timeout 20m ./internal/action
