#!/usr/bin/env bash
# Prints the notes of a release: its section of CHANGELOG.md, or the list of commits that
# GoReleaser left in dist/CHANGELOG.md where there is none.
#
#   notes.sh vX.Y.Z
set -euo pipefail
cd "$(dirname "$0")/../.."

section=$(awk -v heading="## $1" '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md)
if [ -n "$section" ]; then
  printf '%s\n' "$section"
elif [ -f dist/CHANGELOG.md ]; then
  cat dist/CHANGELOG.md
else
  echo "The commits since the release before, which GoReleaser lists in dist/CHANGELOG.md."
fi
