package surround

import (
	"path"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// keyEndings are endings of files with keys, certificates, passwords or the state of machines.
var keyEndings = lists.Words(".pem .key .p12 .pfx .p8 .jks .keystore .kdbx .ppk .ovpn .gpg .pgp .asc .tfstate .tfvars .secret .secrets")

// keyNames are files with the credentials of tools.
var keyNames = lists.Words(`.netrc _netrc .npmrc .yarnrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .vault-token
	.s3cfg .boto kubeconfig nuget.config service-account.json master.key shadow`)

// keyStems are the names of such files in any data format.
var (
	keyStems    = map[string]bool{"secret": true, "secrets": true, "password": true, "passwords": true, "credentials": true}
	dataEndings = map[string]bool{"": true, ".yml": true, ".yaml": true, ".json": true, ".toml": true, ".ini": true, ".txt": true, ".properties": true, ".xml": true, ".cfg": true, ".conf": true, ".enc": true}
)

// keyPath ends the paths of such files with ordinary names.
var keyPath = lazyregexp.New(`(?:^|/)\.(?:docker/config\.json|kube/config|aws/config|ssh/config|cargo/credentials\.toml)$`)

// Secret reports whether a file holds secrets by its name, so no unchanged line of it is
// shown. A rule for key-like text would miss passwords.
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
