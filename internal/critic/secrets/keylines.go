package secrets

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// keyRunLength is the shortest line of a key, in bytes. Programs break keys after 64, 70 or 76.
const keyRunLength = 60

// keyLines lists the lines of private keys. It recognizes a key by its lines, because a change may
// show only a few of them or lack the label: a full line looks random, and the lines below it and
// above the last label belong to the key. Certificates look the same.
func keyLines(lines []string) []string {
	var found []string
	width := 0 // of the key's line above, 0 if there is none
	for i, line := range lines {
		if runs := lists.Keep(base64Runs(line), looksLikeKey); len(runs) > 0 {
			found = append(found, runs...)
			width = len(runs[len(runs)-1])
			continue
		}
		above := width
		width = 0
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		isLast := belowKey().MatchString(next)
		if above == 0 && !isLast {
			continue
		}
		if alone := base64Alone().FindStringSubmatch(line); alone != nil && (isLast || len(alone[1]) <= above) {
			found = append(found, alone[1])
			if len(alone[1]) == above {
				width = above
			}
		}
	}
	return found
}

// belowKey matches the line below a key: its label, the MAC of PuTTY, or the checksum of PGP.
var belowKey = lazyregexp.New("^Private-MAC: |-- ?END .*PRIVATE KEY|^[\\s\"'`>#*|]*(?:// )?=[A-Za-z0-9+/]{4}(?:\\\\[nr])*[\\s\"'`,;+.)\\\\]*$")

// base64Alone matches a line with base64 only, perhaps as a string in code.
var base64Alone = lazyregexp.New("^[\\s\"'`>#*|]*(?:// )?([A-Za-z0-9+/]{4,}={0,2})(?:\\\\[nr])*[\\s\"'`,;+.)\\\\]*$")

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Runs returns the base64 parts of a line as long as a line of a key, without digests, public
// keys of SSH, and the alphabet of base64.
func base64Runs(line string) []string {
	var runs []string
	start := 0
	for i := 0; i <= len(line); i++ {
		if i < len(line) && strings.IndexByte(base64Digits, line[i]) >= 0 {
			continue
		}
		run := line[start:i]
		before := line[max(0, start-len("sha512-")):start]
		start = i + 1
		switch {
		case len(run) < keyRunLength, digestName().MatchString(before):
		case strings.HasPrefix(run, "AAAA") && sshPublic().MatchString(run), strings.Contains(strings.ToLower(run), "abcdefgh"): // it opens nothing
		default:
			end := i
			for end < min(len(line), i+2) && line[end] == '=' {
				end++
			}
			runs = append(runs, line[i-len(run):end])
		}
	}
	return runs
}

var (
	digestName = lazyregexp.New(`(?i)sha(?:1|256|384|512)[-:=]$`)
	sshPublic  = lazyregexp.New(`^AAAA(?:[BC]3NzaC1|E2VjZHNh)`)
)

// looksLikeKey reports whether base64 has the mix of characters of random bytes. Long paths and
// names have more small letters, hexadecimal digits have one case. Digits and marks do not count:
// one line in 20,000 has none.
func looksLikeKey(run string) bool {
	small, capital := 0, 0
	n := len(strings.TrimRight(run, "="))
	for i := range len(run) {
		switch c := run[i]; {
		case 'a' <= c && c <= 'z':
			small++
		case 'A' <= c && c <= 'Z':
			capital++
		}
	}
	return 10*capital >= n && 10*small >= n && 10*small <= 7*n
}
