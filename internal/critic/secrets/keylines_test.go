package secrets

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	pemfile "encoding/pem"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// keysOfPrograms are private keys as programs write them, by the names of their formats.
func keysOfPrograms(t *testing.T) map[string]string {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1)
	random := rand.NewChaCha8([32]byte{1})
	block := func(label string, der []byte, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return string(pemfile.EncodeToMemory(&pemfile.Block{Type: label, Bytes: der}))
	}
	big, err := rsa.GenerateKey(nil, 2048)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(big)
	all := map[string]string{
		"PKCS8": block("PRIVATE KEY", pkcs8, err),
		"PKCS1": block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(big), nil),
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(curve)
	all["EC"] = block("EC PRIVATE KEY", sec1, err)
	_, small, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err = x509.MarshalPKCS8PrivateKey(small)
	all["Ed25519"] = block("PRIVATE KEY", pkcs8, err)
	raw := make([]byte, 1000)
	_, _ = random.Read(raw)
	all["OpenSSH"] = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + broken(append([]byte("openssh-key-v1\x00\x00\x00\x00\x04none"), raw...), 70) + "-----END OPENSSH PRIVATE KEY-----\n"
	all["encrypted"] = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n" + broken(raw, 64) + "-----END RSA PRIVATE KEY-----\n"
	all["PuTTY"] = "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 21\n" + broken(raw, 64) + "Private-MAC: 0\n"
	all["PGP"] = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + broken(raw, 64) + "=q7Xd\n-----END PGP PRIVATE KEY BLOCK-----\n"
	all["SSH2"] = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n" + broken(raw, 70) + "---- END SSH2 ENCRYPTED PRIVATE KEY ----\n"
	return all
}

// broken is base64 in lines of a width.
func broken(raw []byte, width int) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(raw)), width) {
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// bodyLines are the lines of a key that are secret.
func bodyLines(key string) []string {
	return slices.DeleteFunc(strings.Split(key, "\n"), func(line string) bool {
		return line == "" || line[0] == '=' || strings.ContainsAny(line, "-:")
	})
}

// hides reports whether nothing of a line remains once what was found is taken out of it.
func hides(found []string, line string) bool {
	return slices.ContainsFunc(found, func(s string) bool {
		return strings.Contains(line, s) && len(s) >= len(strings.Trim(line, " \t\"'`,;+=\\n"))
	})
}

// TestKeyOfTheBase holds that a private key is hidden whole, whichever line of a file
// changes, and of a patch alone in each line of the hunk.
func TestKeyOfTheBase(t *testing.T) {
	for name, key := range keysOfPrograms(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := "above: 1\n" + key + "below: 1\n"
			lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
			for i := range lines {
				for _, with := range [][]string{{"other: 2"}, {}, {lines[i], "other: 2"}} { // changed, removed, and one added below
					after := strings.Join(slices.Concat(lines[:i], with, lines[i+1:]), "\n") + "\n"
					change := checktest.Change(map[string]string{"a.txt": before}, map[string]string{"a.txt": after})
					whole := Find(change, none)
					for _, line := range bodyLines(key) {
						if !hides(whole, line) {
							t.Fatalf("line %d changes to %q: %q is not hidden", i+1, with, line)
						}
					}
					hunks := Find(patch.Alone(change.Set), none)
					for l := range change.Set.Files[0].Lines() {
						if slices.Contains(bodyLines(key), l.Text) && !hides(hunks, l.Text) {
							t.Fatalf("of a patch alone, line %d changes to %q: %q is not hidden", i+1, with, l.Text)
						}
					}
				}
			}
		})
	}
}

// TestFirstLineOfHunk holds that a line of a key is hidden if it is the first of its hunk, so that no
// line above tells of a key.
func TestFirstLineOfHunk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, hunk string }{ // the first three lines
		{"no digit", "JbbNFbWhkveWbrdogQOvJ/TTiOf/YvZJJUDaZIxv/EADGbDScvrrqYHaZm++DfTo\n" + token(alnum, 64) + "\n" + token(alnum, 64)},
		{"neither digit nor mark", "ujVZXmPZPlmECPCdlaGyvlAWeQKBgQDDKVlVDUVMqFFvubJcGWRkwPXXTU2PPwaK\n" + token(alnum, 64) + "\n" + token(alnum, 64)},
		{"one digit", "yOZMoxHyoMZHfHUeSHgyXBrKRyFUNWbmpAQqNYtxJPmnulPpdzOwaMQNsVE1shzV\n" + token(alnum, 64) + "\n" + token(alnum, 64)},
		{"many small letters", "sCCoMntKLjRwHfn9re2n1cvjdutcwUepqbz6sumXsOjo9odixdNhGoalgH59Ge4l\n" + token(alnum, 64) + "\n" + token(alnum, 64)},
		{"many capitals", "MIHsAgEAMBQGByqGSM49AgEGCSskAwMCCAEBDQSB0DCBzQIBAQRAmEQNFMGIDLoj\n" + token(alnum, 64) + "\n" + token(alnum, 64)},
		{"last of PGP", "n1cvjdutcwUepqbz6\n=q7Xd\n-----END PGP PRIVATE KEY BLOCK-----"},
		{"last of PGP in code", "\t\"n1cvjdutcwUepqbz6\\n\" +\n\t\"=q7Xd\\n\" +\n\t\"-----END PGP PRIVATE KEY BLOCK-----\\n\""},
		{"last of SSH2", "n1cvjdutcwUepqbz6\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			above := token(alnum, 64) + "\n"
			change := checktest.Change(map[string]string{"a.txt": above + tt.hunk + "\n1\n"}, map[string]string{"a.txt": above + tt.hunk + "\n2\n"})
			line, _, _ := strings.Cut(tt.hunk, "\n")
			if found := Find(patch.Alone(change.Set), none); !hides(found, line) {
				t.Errorf("%q is not hidden, only %q", line, found)
			}
		})
	}
}

// TestKeyInCode holds that lines of a key are known in the strings of a program, too.
func TestKeyInCode(t *testing.T) {
	body := bodyLines(keysOfPrograms(t)["PKCS8"])
	for _, form := range []string{"    %\n", "\t\"%\\n\" +\n", "  '%',\n", "# %\n", "\t\t`%`\n"} {
		var text strings.Builder
		for _, line := range body {
			text.WriteString(strings.ReplaceAll(form, "%", line))
		}
		found := In("a.txt", text.String())
		for _, line := range body {
			if !slices.Contains(found, line) {
				t.Errorf("%q: %q is not hidden", form, line)
			}
		}
	}
}

// TestKeyLinesLeaveCode holds that long names, paths, digests and public keys stay to be
// read.
func TestKeyLinesLeaveCode(t *testing.T) {
	t.Parallel()
	digest := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7, 201, 43, 190, 11, 98, 77, 250}, 8))
	for _, text := range []string{
		"\"integrity\": \"sha512-" + digest + "\",",
		strings.Repeat("0f1e2d3c4b5a6978", 4),
		"src/main/java/com/example/Billing2/InvoiceServiceFactoryProvider/ImplementationOfInvoices3",
		"TestThatTheInvoiceServiceFactoryProviderReturnsTheImplementation2OfInvoices",
		"getPasswordWhenHasMsSqlSaPasswordAndSaPasswordPrefersMsSqlSaPassword",
		"deduceWhenNoWebMvcModuleAndNoWebFluxAndNoWebAndWebFluxModule",
		"AccessKeyID/DateString/SigningRegion/SigningName/SignatureID",
		"Website/f407e1ae19e5e990d9901ac8064a32a8cc60edf0/packages/typescriptlang",
		"const alphabet = \"" + upper + lower + digits + "+/\"",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + token(alnum, 43) + " a@b",
		"-----BEGIN PRIVATE KEY-----\nfunction\nreturn\n",
	} {
		if found := keyLines(strings.Split(text, "\n")); len(found) > 0 {
			t.Errorf("%q: hides %q", text, found)
		}
	}
}

// TestAnyLineIsKnown holds that one full line is enough, for any bytes of a key.
func TestAnyLineIsKnown(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{2})
	raw := make([]byte, 57)
	for i := range 100_000 {
		_, _ = random.Read(raw)
		line := base64.StdEncoding.EncodeToString(raw)[:[]int{64, 70, 76}[i%3]]
		if len(keyLines([]string{line})) != 1 {
			t.Errorf("%q is not hidden", line)
		}
	}
}
