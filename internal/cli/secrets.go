package cli

import (
	"path/filepath"
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/config"
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
	isKey := make(map[string]bool)
	for _, k := range keys {
		isKey[k] = true
	}
	seen := make(map[string]bool)
	var list []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) < minSecret || seen[value] || !(isKey[name] || secretName(name) && !filepath.IsAbs(value)) {
			continue
		}
		seen[value] = true
		list = append(list, value)
	}
	sort.Strings(list)
	return list
}

// secretName reports whether a variable holds a secret, by the words of its
// name.
func secretName(name string) bool {
	for _, word := range strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		word = strings.TrimSuffix(word, "S")
		switch word {
		case "KEY", "PASSWD", "PAT", "CREDENTIAL", "AUTH", "AUTHORIZATION", "COOKIE", "DSN":
			return true
		}
		for _, end := range []string{"APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	return false
}
