#!/usr/bin/env bash
# Puts the debate binary for this runner into RUNNER_TEMP and names it in the step
# output "binary". No secret is in the environment of this step.
#
# A released binary is run only if its archive has the digest that release.txt, a
# part of the action, says; wherever it came from. Without a release the binary is
# built from the action's own source. Neither way reads or writes a cache.
# INPUT_BINARY names a program on this runner, which is run as it is, or the address of
# an archive; ACTION_REPOSITORY is where the action comes from.
set -euo pipefail

die() {
  echo "::error title=debate::$*"
  exit 1
}

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
release=$source_dir/.github/action/release.txt

case "$RUNNER_OS" in
  Linux) os=linux ;;
  macOS) os=darwin ;;
  Windows) os=windows ;;
  *) die "debate does not run on $RUNNER_OS." ;;
esac
case "$RUNNER_ARCH" in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) die "debate does not run on the processor $RUNNER_ARCH." ;;
esac
suffix=""
if [ "$os" = windows ]; then suffix=.exe; fi

dir=$(mktemp -d "$RUNNER_TEMP/debate-XXXXXXXX")
binary=$dir/debate$suffix
archive=$dir/archive

# field prints what release.txt says of its argument, or nothing.
field() { awk -v key="$1" '$1 == key { print $2; exit }' "$release" | tr -d '\r'; }

digest() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1" | cut -d ' ' -f 1
  else
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  fi
}

# download ADDRESS: no token is sent, and nothing but https is followed.
download() {
  curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' \
    --retry 3 --connect-timeout 15 --max-time 180 --max-filesize 209715200 \
    --output "$archive" "$1"
}

version=$(field version)
given=${INPUT_BINARY:-}
case "$given" in
  "") ;;
  https://*) [ -n "$version" ] || die "binary: an address works with a released version of the action alone, since no other one knows a digest." ;;
  *..*) die "binary: $given has two dots in it. Write the whole path of the program." ;;
  /* | [A-Za-z]:[\\/]*)
    workspace=${GITHUB_WORKSPACE:-/nowhere}
    case "$given" in "$workspace"/* | "$workspace"\\*) die "binary: $given lies in the workspace, where a change could put a program." ;; esac
    [ -f "$given" ] && [ -x "$given" ] || die "binary: there is no program at $given on this runner."
    echo "debate is $given, as the input binary says; nothing is downloaded or compared"
    rmdir "$dir"
    echo "binary=$given" >>"$GITHUB_OUTPUT"
    exit
    ;;
  *) die "binary: $given is neither an absolute path nor an https address." ;;
esac
if [ -n "$version" ]; then
  want=$(field "$os/$arch")
  [ ${#want} -eq 64 ] || die "release.txt has no digest for $os/$arch."
  # A server of one's own may have a copy of the action with its releases. One that
  # answers with a login page has none.
  file=releases/download/$version/debate_${os}_${arch}.tar.gz
  sources=("https://github.com/prdebate/debate/$file")
  if [ -n "$given" ]; then
    sources=("$given")
  elif [ -n "${ACTION_REPOSITORY:-}" ]; then
    sources=("$GITHUB_SERVER_URL/$ACTION_REPOSITORY/$file" "${sources[@]}")
  fi
  got=""
  for source in "${sources[@]}"; do
    download "$source" || continue
    got=$(digest "$archive")
    [ "$got" != "$want" ] || break
    rm -f "$archive"
  done
  [ -n "$got" ] || die "debate $version cannot be downloaded for $os/$arch."
  [ "$got" = "$want" ] || die "the downloaded debate $version has the digest $got, not $want. It was not run."
  tar -xzf "$archive" -C "$dir" "debate$suffix" || die "the archive of debate $version holds no program."
  rm -f "$archive"
  chmod 700 "$binary"
else
  command -v go >/dev/null || die "this version of the action has no release, and the runner has no Go to build it with. Add actions/setup-go before it, or use a released version."
  echo "debate has no release in this version of the action: building it with $(cd "$dir" && go version)"
  # What an earlier job left in the caches of a runner that is kept is not trusted.
  (cd "$source_dir" && CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off GOCACHE="$dir/cache" GOMODCACHE="$dir/modules" \
    go build -modcacherw -trimpath -buildvcs=false -o "$binary" ./cmd/debate) || die "debate cannot be built from the source of the action."
  rm -rf "$dir/cache" "$dir/modules"
fi
echo "binary=$binary" >>"$GITHUB_OUTPUT"
