#!/usr/bin/env bash
# Draws docs/demo.svg, the picture in the README: what "debate demo" prints on a terminal.
# A test compares the words in the picture with what the program prints; run this when it fails.
# Needs Go.
set -euo pipefail
cd "$(dirname "$0")/../.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go run ./cmd/debate demo --quick --color always 2>/dev/null >"$dir/demo.ansi"
go run github.com/charmbracelet/freeze@v0.2.2 --language ansi --padding 20 \
  --font.family "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" \
  --output "$dir/demo.svg" "$dir/demo.ansi"

# A page that is narrower than the picture shrinks it only if the picture says what its edges are.
sed -E 's/<svg width="([0-9.]+)" height="([0-9.]+)"/& viewBox="0 0 \1 \2"/' "$dir/demo.svg" >docs/demo.svg
