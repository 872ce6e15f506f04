package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// minSecret is the shortest length of a secret value in bytes.
const minSecret = 12

// ownSecrets returns the secrets of the environment: values of variables with telling
// names, and of the keys in the settings. They must never reach a model or a record.
func ownSecrets(environ []string, keys []string) []string {
	var list []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		isSecret := slices.Contains(keys, name) || secretWord().MatchString(strings.ToUpper(name)) && !filepath.IsAbs(value)
		if isSecret && len(value) >= minSecret {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// secretWord matches the name of a variable with a secret: a word at the end of a part of the
// name, singular or plural.
var secretWord = lazyregexp.New(`(?:(?:^|[_.-])(?:KEY|PASSWD|PAT|CREDENTIAL|AUTH|AUTHORIZATION|COOKIE|DSN)|APIKEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)S?(?:[_.-]|$)`)
