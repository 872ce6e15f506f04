package surround

import (
	"path"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// keyEndings are those of files that hold keys, certificates with keys, passwords or
// the state of machines with the passwords in it.
var keyEndings = wordSet(".pem .key .p12 .pfx .p8 .jks .keystore .kdbx .ppk .ovpn .gpg .pgp .asc .tfstate .tfvars .secret .secrets")

// keyNames are those of files in which tools keep what they sign in with.
var keyNames = wordSet(`.netrc _netrc .npmrc .yarnrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .vault-token
	.s3cfg .boto kubeconfig nuget.config service-account.json master.key shadow`)

// keyStems are the names of such files whatever they are written in, if that is no
// program.
var (
	keyStems    = map[string]bool{"secret": true, "secrets": true, "password": true, "passwords": true, "credentials": true}
	dataEndings = map[string]bool{"": true, ".yml": true, ".yaml": true, ".json": true, ".toml": true, ".ini": true, ".txt": true, ".properties": true, ".xml": true, ".cfg": true, ".conf": true, ".enc": true}
)

// keyPath ends the paths of such files whose names alone say nothing.
var keyPath = lazyregexp.New(`(?:^|/)\.(?:docker/config\.json|kube/config|aws/config|ssh/config|cargo/credentials\.toml)$`)

// Secret reports whether a file holds secrets by its name, so that nothing of it is
// shown that the change does not touch. A rule for a text that looks like a key would
// miss what is none to look at.
func Secret(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case base == ".envrc", strings.HasPrefix(base, ".env."), strings.HasSuffix(base, ".env"),
		keyNames[base], keyEndings[path.Ext(base)], keyStems[stem] && dataEndings[path.Ext(base)],
		strings.HasPrefix(stem, "id_") && path.Ext(base) == "" && strings.Contains("id_rsa id_dsa id_ecdsa id_ed25519", stem):
		return true
	}
	return keyPath().MatchString(name)
}
