package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/model/process"
)

// credential is a token of GitHub and its source for people.
type credential struct{ token, from string }

const (
	ghTime  = 10 * time.Second // for gh to name its token
	ghWords = 4 << 10          // bytes of its answer
)

// ghPlaces are the variables for gh's own files. Token variables are not among them: gh
// would answer with those for any server.
var ghPlaces = [...]string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "GH_CONFIG_DIR", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}

// credential finds the token for a server. A token variable is for github.com or the
// environment's server, and goes to no other server.
func (f finder) credential(ctx context.Context, host string) (credential, error) {
	if f.ownHost(host) {
		for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
			if token := strings.TrimSpace(f.getenv(name)); token != "" {
				return credential{token, name}, nil
			}
		}
	}
	if token := f.ghToken(ctx, host); token != "" {
		return credential{token, "gh"}, nil
	}
	if f.ownHost(host) {
		return credential{}, usage(fmt.Errorf("there is no token for %s: set GITHUB_TOKEN, or log in with gh auth login", host))
	}
	return credential{}, usage(fmt.Errorf("there is no token for %s: log in with gh auth login --hostname %s, or set GITHUB_TOKEN and GH_HOST=%s", host, host, host))
}

// ownHost reports whether the tokens of the environment are for a server.
func (f finder) ownHost(host string) bool {
	return strings.EqualFold(host, cmp.Or(f.getenv("GH_HOST"), f.server(), publicHost))
}

// ghToken returns gh's token for a server, "" if there is none.
func (f finder) ghToken(ctx context.Context, host string) string {
	path, err := process.Resolve("gh")
	if err != nil {
		return ""
	}
	env := process.Usual(f.getenv)
	for _, name := range ghPlaces {
		if value := f.getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	said, err := process.Run(ctx, process.Command{Path: path, Args: []string{"auth", "token", "--hostname", host}, Dir: f.dir, Env: env, Most: ghWords})
	if err != nil || said.Exit != "" {
		return ""
	}
	return strings.TrimSpace(said.Stdout)
}
