#!/usr/bin/env bash
# Checks the fake GitHub that our tests use, and what our client asks of it, against
# the descriptions that GitHub publishes. Needs Go, and npm for the descriptions.
set -euo pipefail
cd "$(dirname "$0")/../.."

openapi=@octokit/openapi@23.0.2
graphql=@octokit/graphql-schema@15.26.1

if ! command -v npm >/dev/null; then
  echo "not validated: npm is missing"
  exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fetch() { # package, file in it
  (cd "$dir" && tar -xzf "$(npm pack --silent "$1")" "package/$2")
}
fetch "$openapi" generated/api.github.com.json
fetch "$graphql" schema.graphql

mkdir "$dir/wire"
DEBATE_WIRE_DIR="$dir/wire" go test -count=1 ./internal/gh/... ./internal/pull/... ./internal/action/...
DEBATE_WIRE_DIR="$dir/wire" go test -count=1 -run 'Stories|FirstReview' ./cmd/debate
cd .github/openapi
go mod tidy -diff
go vet ./...
go test ./...
go run . -openapi "$dir/package/generated/api.github.com.json" -graphql "$dir/package/schema.graphql" \
  -played ../../internal/testkit/ghtest/schema.graphql -wire "$dir/wire"
