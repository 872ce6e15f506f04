#!/usr/bin/env bash
# Puts the debate binary for this runner into RUNNER_TEMP and names it in the step
# output "binary".
#
# A released binary is run only if its archive has the digest that release.txt, a
# part of the action, says; wherever it came from. One that was downloaded also has to
# be what GitHub attests that our release workflow built, where GitHub can be asked
# (attested.sh). Then it is kept in RUNNER_TOOL_CACHE, under its digest, which is looked
# at again whenever it is taken from there. Without a release the binary is built from
# the action's own source, which reads and writes no cache.
#
# INPUT_BINARY names a program on this runner, which is run as it is, or the address of
# an archive; ACTION_REPOSITORY is where the action comes from; ATTESTATION_TOKEN is the
# token of the job, which only attested.sh uses.
#
#   prepare.sh        prepares the binary; the output "keep" is the directory with the
#                     archive where a cache should be written
#   prepare.sh cache  only says where an archive would be kept and under which name, in
#                     the outputs "dir" and "key", which are empty where none would be
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

# field prints what release.txt says of its argument, or nothing.
field() { awk -v key="$1" '$1 == key { print $2; exit }' "$release" | tr -d '\r'; }

version=$(field version)
want=$(field "$os/$arch")
given=${INPUT_BINARY:-}
kept="" # the directory of the archive between jobs
if [ -n "$version" ] && [ ${#want} -eq 64 ] && [ -n "${RUNNER_TOOL_CACHE:-}" ]; then
  kept=$RUNNER_TOOL_CACHE/debate/$want
fi
if [ "${1:-}" = cache ]; then
  case "$given" in "" | https://*) ;; *) kept="" ;; esac
  echo "dir=$kept" >>"$GITHUB_OUTPUT"
  echo "key=${kept:+debate-$want}" >>"$GITHUB_OUTPUT"
  exit
fi

dir=$(mktemp -d "$RUNNER_TEMP/debate-XXXXXXXX")
binary=$dir/debate$suffix
archive=$dir/archive

digest() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1" | cut -d ' ' -f 1
  else
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  fi
}

# download ADDRESS: no token is sent, and nothing but https is followed. Where it fails,
# "said" is the last thing that curl said.
download() {
  said=$(curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' \
    --retry 3 --connect-timeout 15 --max-time 180 --max-filesize 209715200 \
    --output "$archive" "$1" 2>&1) && return
  said=${said##*$'\n'}
  said=${said#curl: (*) }
  said=${said%.}
  return 1
}

# fetch ADDRESS: the archive with the digest that it should have. Where there is none,
# "answers" says why, beside what was said of the addresses before.
fetch() {
  local host=${1#https://} why
  host=${host%%/*}
  host=${host##*@} # an address may hold a password
  if download "$1"; then
    got=$(digest "$archive")
    if [ "$got" = "$want" ]; then
      [ -z "$answers" ] || echo "$answers; $host has the archive"
      return
    fi
    if gzip -t "$archive" 2>/dev/null; then
      why="sent an archive with the digest $got, not $want"
    else
      why="sent something that is no archive, maybe a page to sign in"
    fi
    rm -f "$archive"
  else
    why="did not send it (${said:-curl says nothing})"
  fi
  answers=${answers:+$answers; }"$host $why"
  return 1
}

# keep puts the archive where later jobs find it. One that is not looked for any more
# is removed after a month. That it cannot be kept harms nothing.
keep() {
  mkdir -p "$kept" 2>/dev/null && mv -f "$archive" "$kept/archive" 2>/dev/null || return 0
  echo "keep=$kept" >>"$GITHUB_OUTPUT"
  find "$RUNNER_TOOL_CACHE/debate" -mindepth 1 -maxdepth 1 -mtime +30 ! -name "$want" -exec rm -rf {} + 2>/dev/null || true
}

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
  [ ${#want} -eq 64 ] || die "release.txt has no digest for $os/$arch."
  got=""
  # A copy of what is kept, so that nobody changes it between the look and the use.
  if [ -n "$kept" ] && [ -f "$kept/archive" ] && cp "$kept/archive" "$archive"; then
    got=$(digest "$archive")
    [ "$got" = "$want" ] || echo "the archive in $kept is not the one of debate $version; it is downloaded anew"
  fi
  if [ "$got" = "$want" ]; then
    touch "$kept" 2>/dev/null || true
    tar -xzf "$archive" -C "$dir" "debate$suffix" || die "the archive of debate $version holds no program."
    rm -f "$archive"
  else
    builder=$(field repository)
    builder=${builder:-prdebate/debate}
    # A server of one's own may have a copy of the action with its releases. One that
    # answers with a login page has none.
    file=releases/download/$version/debate_${os}_${arch}.tar.gz
    sources=("https://github.com/$builder/$file")
    if [ -n "$given" ]; then
      sources=("$given")
    elif [ -n "${ACTION_REPOSITORY:-}" ]; then
      sources=("$GITHUB_SERVER_URL/$ACTION_REPOSITORY/$file" "${sources[@]}")
    fi
    got="" answers=""
    for source in "${sources[@]}"; do
      if fetch "$source"; then break; fi
    done
    [ "$got" = "$want" ] || die "debate $version for $os/$arch cannot be had, and nothing was run: $answers. Let the runner reach an address that has the release, or give the input binary a path on the runner (docs/enterprise.md)."
    asked=0
    bash "$source_dir/.github/action/attested.sh" "$archive" "$want" "$builder" || asked=$?
    case "$asked" in
      0 | 3) ;; # it is what was built, or nobody here can say
      4) kept="" ;; # GitHub did not answer; the next job asks again
      *)
        rm -f "$archive"
        die "debate $version has no valid attestation that the release workflow of $builder built it. It was not run. Look at https://github.com/$builder/attestations, and go back to the version before."
        ;;
    esac
    tar -xzf "$archive" -C "$dir" "debate$suffix" || die "the archive of debate $version holds no program."
    if [ -n "$kept" ]; then keep; fi
    rm -f "$archive"
  fi
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
