#!/usr/bin/env bash
# Opens the dashboard of the server in a browser, filled with samples, and checks each page
# with axe-core; then follows a decision to its issue and runs a job again. Needs Go, and
# npm; the browser it installs itself. With SHOTS=DIR it keeps pictures there.
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
go build -o "$dir/serve" ./internal/testkit/admintest/serve
if [ -n "${SHOTS:-}" ]; then
  mkdir -p "$SHOTS"
  SHOTS=$(cd "$SHOTS" && pwd)
  export SHOTS
fi
SERVE="$dir/serve" MODULES="$dir/node_modules" CHROMIUM="$chromium" node .github/dashboard/check.mjs
