#!/usr/bin/env bash
# Tries a release for this system alone: builds what .goreleaser.yaml says, pins it as the
# release workflow does, and lets the action find, check, run and keep it; what delivers it
# and what attests it are programs of the test. For Windows nothing is compiled: only the
# files that name its archives are looked at. What needs tools that are not here is skipped
# by name: the SBOM (syft), what is in the packages (dpkg-deb, rpm2cpio and cpio), the images
# (Docker). Attestations and publishing need GitHub. Needs Go and git; installs GoReleaser.
#
#   RELEASE_DIR=dir      keep the installed GoReleaser there; a syft is looked for there, too
#   RELEASE_STRICT=yes   fail if a tool is missing, instead of skipping what needs it
#   RELEASE_TARGETS=all  build for all systems: some four minutes of a processor for each
#   RELEASE_TWICE=yes    build this system's archive again, elsewhere and from nothing: both
#                        have to be the same, byte for byte
set -euo pipefail
cd "$(dirname "$0")/../.."

try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
dir=${RELEASE_DIR:-$try/tools}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if [ ! -x "$dir/goreleaser" ]; then
  CGO_ENABLED=0 GOBIN=$dir go install github.com/goreleaser/goreleaser/v2@v2.14.3
fi

# A clone, so that neither the files of this one nor its tags change.
git clone -q . "$try/debate"
cd "$try/debate"
git -c user.name=try -c user.email=try@example.com tag -a -m try v0.0.1
git remote set-url origin https://github.com/prdebate/debate.git # GoReleaser asks for one; nothing is sent

# missing WHAT: this machine cannot try a part of the release.
missing() {
  echo "skipped: $1"
  [ "${RELEASE_STRICT:-}" != yes ] || exit 1
}

echo "not tried: attestations, publishing (need GitHub)"
export PATH="$dir:$PATH"
skip=()
if ! command -v syft >/dev/null; then
  missing "sbom (needs syft)"
  skip=(--skip=sbom)
fi
os=$(go env GOOS) arch=$(go env GOARCH)
mkdir "$try/go"
cat >"$try/go/go" <<'GO'
#!/usr/bin/env bash
if [ "${GOOS:-}" = windows ] && [ "$1" = build ]; then
  while [ "$1" != -o ]; do shift; done
  echo "in the place of a program" >"$2"
else
  exec go "$@"
fi
GO
chmod +x "$try/go/go"
if [ "${RELEASE_TARGETS:-}" = all ]; then
  cp .goreleaser.yaml "$try/these.yaml"
else
  sed -e "s/^    targets: .*/    targets: [${os}_$arch, windows_amd64, windows_arm64]/" -e "s|^    binary: .*|&\\
    tool: $try/go/go|" .goreleaser.yaml >"$try/these.yaml"
fi
# release CONFIG [SKIP]: what the workflow does, but for what is skipped.
release() {
  goreleaser release --snapshot --clean --parallelism 1 --config "$@" >"$try/log" 2>&1 || {
    cat "$try/log"
    exit 1
  }
}
release "$try/these.yaml" ${skip[@]+"${skip[@]}"}
bash .github/release/pin.sh v0.0.2-try dist/checksums.txt
cat .github/action/release.txt
bash .github/release/notes.sh v0.0.2-try | head -n 3
for file in dist/*.tar.gz dist/*.zip dist/*.deb dist/*.rpm dist/*.apk; do
  size=$(wc -c <"$file")
  echo "$file: $size bytes"
  case "$file" in *.gz | *.zip) [ "$size" -le 26214400 ] || {
    echo "that is more than 25 MiB"
    exit 1
  } ;; esac
done
if [ ${#skip[@]} -eq 0 ]; then
  sboms=$(grep -l '"spdxVersion"' dist/*.sbom.json | wc -l)
  [ "$sboms" = "$(ls dist/*.tar.gz dist/*.zip | wc -l)" ]
  grep -q github.com/google/go-github "dist/debate_${os}_$arch.tar.gz.sbom.json"
  echo "$sboms archives have an SBOM"
fi

# Scoop takes the archives that a manifest names, if they have the digests that it says.
digest() { awk -v file="$1" '$2 == file { print $1 }' dist/checksums.txt; }
for program in debate debate-server; do
  manifest=$(tr -d ' \n' <"dist/scoop/$program.json")
  for processor in 64bit=amd64 arm64=arm64; do
    file=${program}_windows_${processor#*=}.zip
    want="\"${processor%=*}\":{\"url\":\"https://github.com/prdebate/debate/releases/download/v0.0.1/$file\",\"bin\":[\"$program.exe\"],\"hash\":\"$(digest "$file")\"}"
    case "$manifest" in *"$want"*) ;; *)
      echo "the manifest for Scoop has no $want:"
      cat "dist/scoop/$program.json"
      exit 1
      ;;
    esac
  done
  # So does Homebrew. Systems that are not built here are not in its file.
  cask=dist/homebrew/Casks/$program.rb
  grep -q "^ *binary \"$program\"\$" "$cask"
  for system in linux_amd64 linux_arm64 darwin_amd64 darwin_arm64; do
    file=${program}_$system.tar.gz
    [ -n "$(digest "$file")" ] || continue
    grep -A 1 "/releases/download/v[^/]*/$file\"\$" "$cask" | grep -q "sha256 \"$(digest "$file")\"" || {
      echo "the cask for Homebrew does not name $file with its digest:"
      cat "$cask"
      exit 1
    }
  done
  echo "the files for Scoop and Homebrew name the archives of $program with their digests"
done

# The images, by the Dockerfile, for this system.
if docker info >/dev/null 2>&1; then
  for target in "" with-git; do
    docker build --quiet --build-arg VERSION=v0.0.2-try ${target:+--target "$target"} --tag "debate-try$target" . >/dev/null
    [ "$(docker run --rm "debate-try$target" --version)" = "debate v0.0.2-try" ]
    said=$(docker run --rm "debate-try$target" db backup copy 2>&1) || true
    [[ $said == *debate.db* ]] # the words of debate-server
    echo "the image${target:+ $target} holds both programs"
  done
else
  missing "the images (need Docker)"
fi

# The action asks curl; this one serves dist, and counts.
mkdir "$try/bin" "$try/temp"
cat >"$try/bin/curl" <<CURL
#!/usr/bin/env bash
for last; do :; done
while [ "\$1" != --output ]; do shift; done
echo "\$last" >>"$try/downloads"
exec cp "$try/debate/dist/\${last##*/}" "\$2"
CURL
# The GitHub CLI, which finds what ATTESTED says.
cat >"$try/bin/gh" <<'GH'
#!/usr/bin/env bash
case "$ATTESTED $1 $2" in
  "silence "*) exit 1 ;;
  *" attestation trusted-root") echo '{}' ;;
  *" attestation download") echo '{}' >sha256:digest.jsonl ;;
  "yes attestation verify") echo '[{}]' ;;
  *) exit 1 ;;
esac
GH
chmod +x "$try/bin/curl" "$try/bin/gh"
case "$os" in linux) runner=Linux ;; darwin) runner=macOS ;; *) runner=Windows ;; esac
case "$arch" in amd64) processor=X64 ;; *) processor=ARM64 ;; esac

# prepare ANSWER: what the action says when the attestation is yes, no, or silence.
prepare() {
  rm -f "$try/output"
  PATH="$try/bin:$PATH" ATTESTED=$1 ATTESTATION_TOKEN=none RUNNER_OS=$runner RUNNER_ARCH=$processor RUNNER_TEMP=$try/temp \
    RUNNER_TOOL_CACHE=$try/tool-cache GITHUB_OUTPUT=$try/output GITHUB_SERVER_URL=https://github.com \
    bash .github/action/prepare.sh
}
if prepare no >"$try/said"; then
  echo "the action runs what GitHub does not attest"
  exit 1
fi
grep '^::error title=debate::.* no valid attestation' "$try/said" | cut -c 1-60
prepare silence | grep 'did not say'
[ ! -e "$try/tool-cache" ] # what nobody vouched for is asked about again
prepare yes | grep 'as GitHub attests'
binary=$(sed -n 's/^binary=//p' "$try/output")
said=$("$binary" --version)
[ "$said" = "debate v0.0.2-try" ] || {
  echo "the released program says it is: $said"
  exit 1
}
if [ "$os" = linux ]; then
  for package in deb rpm apk; do
    file=$PWD/dist/debate_linux_$arch.$package
    mkdir "$try/$package"
    case "$package" in
      deb) command -v dpkg-deb >/dev/null && dpkg-deb -x "$file" "$try/deb" ;;
      rpm) # rpm2cpio may end with 1 although it wrote all
        command -v rpm2cpio >/dev/null && { rpm2cpio "$file" >"$try/rpm/all" || true; } &&
          (cd "$try/rpm" && cpio --quiet --no-absolute-filenames -idm <all 2>/dev/null) ;;
      apk) tar -xzf "$file" -C "$try/apk" usr 2>/dev/null ;;
    esac || {
      missing "what is in the $package (nothing here opens it)"
      continue
    }
    for program in debate debate-server; do
      [ "$("$try/$package/usr/bin/$program" --version)" = "debate v0.0.2-try" ]
    done
    said=$("$try/$package/usr/bin/debate" db backup copy 2>&1) || true
    [[ $said == *debate.db* ]] # the words of debate-server: there is no such database
    echo "the $package holds both programs"
  done
fi
# The program has a budget: 90 MB, and 15 ms to start beyond the start of an empty program.
# Another machine, or a busy one, takes longer, so that only what is three times as slow
# fails here; the figure is printed.
size=$(wc -c <"$binary")
[ "$size" -le 90000000 ] || {
  echo "the program has $size bytes, more than 90 MB"
  exit 1
}
echo "the program has $size bytes"

# quickest prints the least microseconds that a program takes, of 20 runs, or of up to 200
# while they are more than a limit.
quickest() {
  local limit=$1 least=1000000 began took run
  shift
  for run in $(seq 200); do
    [ "$run" -le 20 ] || [ "$least" -gt "$limit" ] || break # a busy machine is given more chances
    began=$(date +%s%N)
    "$@" >/dev/null
    took=$((($(date +%s%N) - began) / 1000))
    [ "$took" -ge "$least" ] || least=$took
  done
  echo "$least"
}
if [[ $(date +%N) =~ ^[0-9]+$ ]]; then # not everywhere does date know parts of a second
  limit=$((3 * (15000 + $(quickest 1000000 "$(type -P true)"))))
  start=$(quickest "$limit" "$binary" --version)
  [ "$start" -le "$limit" ] || {
    echo "the program takes $start microseconds to start, and may take $limit here"
    exit 1
  }
  echo "it starts in $start microseconds"
fi

# From the second job on a runner has the archive: 3 s from there to a program that runs,
# and no word with the network.
downloads=$(wc -l <"$try/downloads")
took=1000
for _ in 1 2 3 4 5; do
  began=$(date +%s)
  prepare silence
  "$(sed -n 's/^binary=//p' "$try/output")" --version >/dev/null
  now=$(($(date +%s) - began))
  [ "$now" -ge "$took" ] || took=$now
  [ "$took" -gt 2 ] || break
done
[ "$(wc -l <"$try/downloads")" = "$downloads" ] || {
  echo "the kept archive was downloaded again"
  exit 1
}
[ "$took" -le 9 ] || {
  echo "the kept archive takes $took s to start, three times its budget"
  exit 1
}
echo "the kept archive starts within $((took + 1)) s"
echo "debate_${os}_$arch.tar.gz was found, checked and run by the action"

if [ "${RELEASE_TWICE:-}" = yes ]; then
  first=$(awk -v file="debate_${os}_$arch.tar.gz" '$2 == file { print $1 }' dist/checksums.txt)
  git clone -q "$try/debate" "$try/somewhere else"
  cd "$try/somewhere else"
  git remote set-url origin https://github.com/prdebate/debate.git
  sed "s/^    targets: .*/    targets: [${os}_$arch]/" .goreleaser.yaml >"$try/again.yaml"
  GOCACHE=$try/cache release "$try/again.yaml" --skip=sbom,scoop,nfpm,homebrew
  second=$(awk -v file="debate_${os}_$arch.tar.gz" '$2 == file { print $1 }' dist/checksums.txt)
  [ -n "$first" ] && [ "$first" = "$second" ] || {
    echo "the archive differs when it is built again: $first, $second"
    exit 1
  }
  echo "the archive is the same when it is built again: $first"
fi
