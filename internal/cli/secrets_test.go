package cli

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOwnSecrets(t *testing.T) {
	t.Parallel()
	got := ownSecrets([]string{
		"OPENAI_API_KEY=sk-0123456789abcdef",
		"GITHUB_TOKEN=ghs_0123456789abcdef",
		"npm_config_//registry/:_authToken=npm_0123456789",
		"DB_PASSWORD=correct horse battery",
		"AWS_SECRET_ACCESS_KEY=0123456789/abcdef+",
		"OTHER_SECRET=/mBKdaM6JE3znHoq8R0xxiVb" + "NaULhejQvrCupA+r",
		"KEY_FILE=" + os.TempDir(), "ABSENT_KEY_FILE=/run/secrets/service_account/key.json",
		"MINE=named by the settings",
		"SSH_AUTH_SOCK=/tmp/ssh-agent/socket-1",
		"GPG_KEY=A035C8C19219BA82",
		"TOKENIZERS_PARALLELISM=false-but-long",
		"KEYBOARD=us-intl-with-dead-keys",
		"EMPTY_TOKEN=", "SHORT_TOKEN=abc", "PATH=/usr/bin:/bin",
		"AGAIN_TOKEN=ghs_0123456789abcdef",
	}, []string{"MINE"})
	want := []string{
		"/mBKdaM6JE3znHoq8R0xxiVb" + "NaULhejQvrCupA+r", "0123456789/abcdef+", "A035C8C19219BA82", "correct horse battery", "ghs_0123456789abcdef",
		"named by the settings", "npm_0123456789", "sk-0123456789abcdef",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
