package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The names of the files.
const (
	keyName = "debate-app.pem"
	envName = "debate.env"
)

// files are the paths of the credentials.
type files struct{ key, env string }

// place chooses the files. Nothing is there yet, and something can be written: GitHub
// hands a key out only once, and must not do so before there is a place for it.
func place(dir string) (files, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return files{}, fmt.Errorf("find the directory for the App's key: %w", err)
	}
	f := files{key: filepath.Join(dir, keyName), env: filepath.Join(dir, envName)}
	for _, path := range []string{f.key, f.env} {
		if _, err := os.Lstat(path); err == nil {
			return files{}, fmt.Errorf("%s is there already, and is not written over: move it away, or choose another directory", path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return files{}, fmt.Errorf("look for %s: %w", path, err)
		}
	}
	probe, err := os.CreateTemp(dir, ".debate-*")
	if err != nil {
		return files{}, fmt.Errorf("the App's key could not be written: %w", err)
	}
	return f, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// write writes the credentials, readable by this user only.
func (f files) write(c Credentials, o *Options) error {
	lines := []string{
		"# Settings of debate serve for the GitHub App " + strconv.FormatInt(c.ID, 10) + ". Only you may read this file.",
		"DEBATE_APP_ID=" + strconv.FormatInt(c.ID, 10), "DEBATE_PRIVATE_KEY_FILE=" + f.key,
	}
	if c.WebhookSecret != "" {
		lines = append(lines, "DEBATE_WEBHOOK_SECRET="+c.WebhookSecret)
	}
	if o.Pages != publicPages {
		lines = append(lines, "GITHUB_SERVER_URL="+o.Pages, "GITHUB_API_URL="+o.API)
	}
	if err := writeNew(f.key, c.PrivateKey); err != nil {
		return err
	}
	return writeNew(f.env, []byte(strings.Join(lines, "\n")+"\n"))
}

// writeNew writes a new file and syncs it to the disk.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
