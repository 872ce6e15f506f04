#!/usr/bin/env bash
# Asks GitHub whether an archive was built by the release workflow of a repository, on
# its branch main and on a runner of GitHub. What the GitHub CLI says in words is not
# read: first all that needs a network is fetched, so that whatever fails after that is
# an attestation that does not hold.
#
#   attested.sh ARCHIVE DIGEST OWNER/NAME
#
# Ends with 0 if it was, 1 if it was not, 3 where nobody can be asked (a server of
# one's own, no token, no gh), and 4 if the question got no answer.
set -euo pipefail

archive=$1 digest=$2 builder=$3
[ "${GITHUB_SERVER_URL:-}" = https://github.com ] && [ -n "${ATTESTATION_TOKEN:-}" ] && command -v gh >/dev/null || exit 3

export GH_TOKEN=$ATTESTATION_TOKEN GH_HOST=github.com GH_PROMPT_DISABLED=1 GH_NO_UPDATE_NOTIFIER=1
work=$(mktemp -d "$RUNNER_TEMP/debate-attested-XXXXXXXX")

# A trap would also run in the clock below when that is ended.
finish() {
  rm -rf "$work"
  exit "$1"
}

# asks gh something, for at most half a minute.
asks() {
  local asked clock code=0
  gh "$@" 2>/dev/null &
  asked=$!
  { sleep 30 && kill "$asked"; } >/dev/null 2>&1 &
  clock=$!
  wait "$asked" || code=$?
  kill "$clock" 2>/dev/null || true
  return "$code"
}

unanswered() {
  echo "debate has the digest that it should have; GitHub did not say whether it has an attestation, too"
  finish 4
}

asks attestation trusted-root >"$work/root.jsonl" && [ -s "$work/root.jsonl" ] || unanswered
(cd "$work" && asks attestation download "$archive" --repo "$builder" >/dev/null) || true
bundle=$(find "$work" -name 'sha256*.jsonl' -type f)
if [ -z "$bundle" ]; then
  # There is none, or it could not be had. A repository that this token does not see
  # looks as if it had none.
  asks api "repos/$builder" >/dev/null || unanswered
  said=$(asks api --include --jq '.attestations | length' "repos/$builder/attestations/sha256:$digest") || true
  case "${said%%$'\n'*}" in
    *" 404"*) finish 1 ;;
    *" 200"*) [ "${said##*$'\n'}" != 0 ] || finish 1 ;;
  esac
  unanswered
fi
code=0
asks attestation verify "$archive" --repo "$builder" --bundle "$bundle" --custom-trusted-root "$work/root.jsonl" \
  --cert-identity "https://github.com/$builder/.github/workflows/release.yml@refs/heads/main" \
  --predicate-type https://slsa.dev/provenance/v1 --deny-self-hosted-runners --format json >"$work/verified" || code=$?
[ "$code" -lt 128 ] || unanswered # it took too long, or something ended it
# Some versions of gh end with 0 where no attestation matches; then they print nothing.
[ "$code" = 0 ] && [ -s "$work/verified" ] || finish 1
echo "debate was built by the release workflow of $builder, as GitHub attests"
finish 0
