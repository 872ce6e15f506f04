package gh

import (
	"bytes"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/golang-jwt/jwt/v4"
)

// maxKeyBytes bounds the file of a private key: GitHub's have less than 2 kB.
const maxKeyBytes = 64 << 10

// ReadPrivateKey reads the private key of an App from a file. It refuses a file with
// rights for anyone but the owner, except the rights in othersMay. No error contains a
// byte of the key.
func ReadPrivateKey(path string, othersMay fs.FileMode) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the App's private key: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read the App's private key: %w", err)
	}
	mode := info.Mode()
	switch {
	case !mode.IsRegular():
		return nil, fmt.Errorf("read the App's private key: %s is no file", path)
	case runtime.GOOS != "windows" && mode.Perm()&0o077&^othersMay != 0: // Windows has no such modes
		return nil, fmt.Errorf("the App's private key %s can be read or changed by others (mode %04o): run chmod 600 on it", path, mode.Perm())
	case info.Size() > maxKeyBytes:
		return nil, fmt.Errorf("read the App's private key: %s is too large to be one", path)
	}
	key, err := io.ReadAll(io.LimitReader(f, maxKeyBytes))
	if err != nil {
		return nil, fmt.Errorf("read the App's private key: %w", err)
	}
	if _, err := parsePrivateKey(key); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

var (
	errNoPEM = errors.New(`it is no private key in PEM: it begins with "-----BEGIN RSA PRIVATE KEY-----" and is the file that GitHub's page of the App generates`)
	errNoRSA = errors.New("it is no whole private RSA key: take the file that GitHub's page of the App generates, as it is")
)

// parsePrivateKey reads a key in PEM. A variable of the environment may hold it on one
// line, with \n for the ends of lines.
func parsePrivateKey(text []byte) (*rsa.PrivateKey, error) {
	text = bytes.TrimSpace(text)
	if !bytes.Contains(text, []byte("\n")) {
		text = bytes.ReplaceAll(text, []byte(`\n`), []byte("\n"))
	}
	if block, _ := pem.Decode(text); block == nil {
		return nil, fmt.Errorf("read the App's private key: %w", errNoPEM)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
	if err != nil { // its text may quote the key
		return nil, fmt.Errorf("read the App's private key: %w", errNoRSA)
	}
	return key, nil
}
