package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// minSecret is the length, in bytes, from which the value of a variable can be a
// secret.
const minSecret = 12

// keyNames are the variables that the settings of the parties name as keys.
func keyNames(p config.Parties) []string {
	var names []string
	for _, one := range p.All() {
		if one.APIKeyEnv != "" {
			names = append(names, one.APIKeyEnv)
		}
	}
	return names
}

// ownSecrets are the values of the environment that look like secrets by their
// names, and those of the variables that the settings name as keys. No model and
// no record may see them.
func ownSecrets(environ []string, keys []string) []string {
	var list []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		isSecret := slices.Contains(keys, name) || secretName(name) && !filepath.IsAbs(value)
		if isSecret && len(value) >= minSecret {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// secretName reports whether a variable holds a secret, by the words of its
// name.
func secretName(name string) bool { return secretWord().MatchString(strings.ToUpper(name)) }

// secretWord is a word that says so, or ends so, in the singular or the plural.
var secretWord = lazyregexp.New(`(?:(?:^|[_.-])(?:KEY|PASSWD|PAT|CREDENTIAL|AUTH|AUTHORIZATION|COOKIE|DSN)|APIKEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)S?(?:[_.-]|$)`)
