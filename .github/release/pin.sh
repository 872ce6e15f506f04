#!/usr/bin/env bash
# Writes .github/action/release.txt: the version, the repository whose workflow built it, and
# the digest of each archive that the action downloads. The tag of a release is on the commit
# that holds this file.
#
#   pin.sh vX.Y.Z dist/checksums.txt
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$1
checksums=$2
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || {
  echo "pin.sh: $version is no version such as v1.2.3" >&2
  exit 2
}

file=.github/action/release.txt
head=$(grep '^#' "$file")
pins=$(awk '$2 ~ /^debate_[a-z0-9]+_[a-z0-9]+\.tar\.gz$/ && length($1) == 64 {
  split($2, part, /[_.]/)
  print part[2] "/" part[3] " " $1
}' "$checksums" | sort)
[ -n "$pins" ] || {
  echo "pin.sh: $checksums names no archive" >&2
  exit 1
}
printf '%s\nversion %s\nrepository %s\n%s\n' "$head" "$version" "${GITHUB_REPOSITORY:-prdebate/debate}" "$pins" >"$file"
