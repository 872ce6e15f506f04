#!/usr/bin/env bash
# Tries a release for this system alone: builds what .goreleaser.yaml says, pins it as the
# release workflow does, and lets the action find, check and run it from a server that is
# a program of the test. What needs tools that are not here is skipped by name: the SBOM
# (syft). Needs Go and git; installs GoReleaser.
#
#   RELEASE_DIR=dir  keep the installed GoReleaser there
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

echo "skipped: sbom (needs syft)"
os=$(go env GOOS) arch=$(go env GOARCH)
sed "s/^    targets: .*/    targets: [${os}_$arch]/" .goreleaser.yaml >"$try/one.yaml"
"$dir/goreleaser" release --snapshot --clean --skip=sbom --config "$try/one.yaml" >"$try/log" 2>&1 || {
  cat "$try/log"
  exit 1
}
bash .github/release/pin.sh v0.0.2-try dist/checksums.txt
cat .github/action/release.txt
bash .github/release/notes.sh v0.0.2-try | head -n 3
ls -l dist/*.tar.gz dist/*.deb

# The action asks curl; this one serves dist.
mkdir "$try/bin" "$try/temp"
cat >"$try/bin/curl" <<CURL
#!/usr/bin/env bash
for last; do :; done
while [ "\$1" != --output ]; do shift; done
exec cp "$try/debate/dist/\${last##*/}" "\$2"
CURL
chmod +x "$try/bin/curl"
case "$os" in linux) runner=Linux ;; darwin) runner=macOS ;; *) runner=Windows ;; esac
case "$arch" in amd64) processor=X64 ;; *) processor=ARM64 ;; esac
PATH="$try/bin:$PATH" RUNNER_OS=$runner RUNNER_ARCH=$processor RUNNER_TEMP=$try/temp GITHUB_OUTPUT=$try/output \
  GITHUB_SERVER_URL=https://github.com bash .github/action/prepare.sh
binary=$(sed -n 's/^binary=//p' "$try/output")
said=$("$binary" --version)
[ "$said" = "debate v0.0.2-try" ] || {
  echo "the released program says it is: $said"
  exit 1
}
if command -v dpkg-deb >/dev/null; then
  dpkg-deb -x dist/debate_"${os}_$arch".deb "$try/deb"
  [ "$("$try/deb/usr/bin/debate" --version)" = "debate v0.0.2-try" ]
fi
# The program has a budget: 90 MB, and 15 ms to start. Another machine, or a busy one, takes
# longer, so that only what is three times as slow fails here; the figure is printed.
size=$(wc -c <"$binary")
[ "$size" -le 90000000 ] || {
  echo "the program has $size bytes, more than 90 MB"
  exit 1
}
echo "the program has $size bytes"
if [[ $(date +%N) =~ ^[0-9]+$ ]]; then # not everywhere does date know parts of a second
  quickest=1000000
  for _ in $(seq 20); do
    began=$(date +%s%N)
    "$binary" --version >/dev/null
    took=$((($(date +%s%N) - began) / 1000))
    [ "$took" -ge "$quickest" ] || quickest=$took
  done
  [ "$quickest" -le 45000 ] || {
    echo "the program takes $quickest microseconds to start, three times its budget"
    exit 1
  }
  echo "it starts in $quickest microseconds"
fi
size=$(wc -c <dist/debate_"${os}_$arch".tar.gz)
[ "$size" -le 26214400 ] || {
  echo "the archive has $size bytes, more than 25 MiB"
  exit 1
}
echo "debate_${os}_$arch.tar.gz: $size bytes; found, checked and run by the action"
