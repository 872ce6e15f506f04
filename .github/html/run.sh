#!/usr/bin/env bash
# Opens the HTML report in a browser and checks it with axe-core: the reports of the recorded
# debates, and the pages of the golden files. Needs Go, and npm; the browser it installs itself.
# With SHOTS=DIR it keeps pictures there.
set -euo pipefail
cd "$(dirname "$0")/../.."

axe=axe-core@4.14.1
playwright=playwright-core@1.65.1

if ! command -v npm >/dev/null; then
  echo "npm is missing" >&2
  exit 1
fi
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq chromium
  chromium=$(command -v chromium)
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" "$axe" "$playwright"
go build -o "$dir/debate" ./cmd/debate
for record in testdata/replay/*.jsonl; do
  "$dir/debate" report "$record" --format html --output "$dir/$(basename "$record" .jsonl).html"
done
go test -count=1 ./internal/report -run TestGolden -pages "$dir"
if [ -n "${SHOTS:-}" ]; then
  mkdir -p "$SHOTS"
  SHOTS=$(cd "$SHOTS" && pwd)
  export SHOTS
fi
MODULES="$dir/node_modules" CHROMIUM="$chromium" node .github/html/check.mjs "$dir"/*.html
