package secrets

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"

	"github.com/prdebate/debate/internal/critic/check"
)

// ruleScanner finds secrets in text with gitleaks' rules.
//
// gitleaks looks for keywords in a whole fragment and then runs every rule that
// has one of them over all of it. Short keywords such as "key" are in almost
// every file, so the scanner looks for them line by line, tries the expressions
// of just those rules on just that line, and hands gitleaks the lines on which
// one matched, to judge entropy and exceptions. A large change costs one pass.
type ruleScanner struct {
	detector *detect.Detector
	keywords *ahocorasick.Trie
	rules    []config.Rule
	having   [][]int         // by index of the keyword, the indexes of its rules
	byVendor map[string]bool // rules that look for a vendor's name and an assignment
}

const (
	// longLine is where a line is no longer one that a person wrote. It is then
	// read in pieces that overlap by the length of the longest tokens, and the
	// generic rule, which guesses, stays out of it.
	longLine    = 4 << 10
	longOverlap = 1 << 10
	// spanLines is how far a secret of several lines is followed. A new span
	// starts every spanStep lines at most, which keeps the cost linear.
	spanLines = 200
	spanStep  = 100
	spanBytes = 64 << 10
	// maxGuesses bounds how often the generic rule, the slowest of all, is tried
	// in one file. Beyond it a file is data and not text that people wrote.
	maxGuesses = 2000
)

// spanning are the rules whose secrets fill several lines.
var spanning = map[string]bool{"private-key": true, "kubernetes-secret-yaml": true}

// genericRule is the one rule that knows no format, only assignments.
const genericRule = "generic-api-key"

// assignment is how the expressions of gitleaks begin that know a vendor's name
// and the length of a value, and not what a token of the vendor looks like.
const assignment = `[\w.-]{0,50}?(?:`

// theScanner is made at the first use: it compiles some 220 expressions, and
// gitleaks reads its configuration through state shared by the process.
var theScanner = sync.OnceValue(func() *ruleScanner {
	s, err := newScanner()
	if err != nil {
		// The rules are compiled into the program; a test holds that they load.
		panic("critic: " + err.Error())
	}
	return s
})

func newScanner() (*ruleScanner, error) {
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, fmt.Errorf("load the secret rules: %w", err)
	}
	// A comment in the change cannot excuse a secret in the change.
	detector.IgnoreGitleaksAllow = true
	for _, r := range supplements {
		detector.Config.Rules[r.RuleID] = r
		for _, k := range r.Keywords {
			detector.Config.Keywords[k] = struct{}{}
		}
	}
	detector = rebuilt(detector)

	s := &ruleScanner{detector: detector, byVendor: make(map[string]bool)}
	having := make(map[string][]int)
	for _, id := range slices.Sorted(maps.Keys(detector.Config.Rules)) {
		rule := detector.Config.Rules[id]
		if rule.Regex == nil {
			continue
		}
		for _, k := range rule.Keywords {
			k = strings.ToLower(k)
			having[k] = append(having[k], len(s.rules))
		}
		s.byVendor[id] = strings.Contains(rule.Regex.String(), assignment)
		s.rules = append(s.rules, rule)
	}
	words := slices.Sorted(maps.Keys(having))
	for _, k := range words {
		s.having = append(s.having, having[k])
	}
	s.keywords = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
	return s, nil
}

// rebuilt makes the detector anew, so that its own keyword search knows the
// added rules.
func rebuilt(d *detect.Detector) *detect.Detector {
	n := detect.NewDetector(d.Config)
	n.IgnoreGitleaksAllow = d.IgnoreGitleaksAllow
	return n
}

// supplements are rules for tokens whose documented form gitleaks does not know
// yet. They set no upper length, because issuers lengthen their tokens.
var supplements = []config.Rule{
	{
		// Installation tokens became "ghs_", the id of the app, and a JWT.
		RuleID:   "github-token",
		Regex:    regexp.MustCompile(`\b(?:gh[opsur]_[0-9A-Za-z_.-]{36,}|github_pat_\w{40,})`),
		Entropy:  3,
		Keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
	},
	{
		RuleID:   "openai-token",
		Regex:    regexp.MustCompile(`\bsk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{40,}`),
		Entropy:  3.5,
		Keywords: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"},
	},
	{
		RuleID:   "anthropic-token",
		Regex:    regexp.MustCompile(`\bsk-ant-[a-z]+[0-9]+-[0-9A-Za-z_-]{40,}`),
		Entropy:  3.5,
		Keywords: []string{"sk-ant-"},
	},
	{
		// The password of a database or a queue within its address.
		RuleID:      urlPasswordRule,
		Regex:       regexp.MustCompile(`(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?)://[^\s:/@"'<>]*:([^\s:/@"'<>${}]{8,})@[0-9a-z]`),
		SecretGroup: 1,
		Entropy:     3,
		Keywords:    []string{"postgres://", "postgresql://", "mysql://", "mariadb://", "mongodb://", "mongodb+srv://", "redis://", "rediss://", "amqp://", "amqps://"},
	},
}

// urlPasswordRule is our rule for passwords in addresses.
const urlPasswordRule = "url-password"

// secret is one match.
type secret struct {
	rule  string
	line  int // index of the line where it begins
	value string
	vague bool // only the name of a vendor says that it is a credential
}

// scan yields the secrets in consecutive lines of the file at path.
func (s *ruleScanner) scan(path string, lines []string) iter.Seq[secret] {
	return func(yield func(secret) bool) {
		nextSpan, guesses := 0, 0
		for i, line := range lines {
			var found []secret
			for piece := range pieces(line, longLine, longOverlap) {
				matched := false
				for _, rule := range s.candidates(piece) {
					switch {
					case spanning[rule.RuleID]:
						if i >= nextSpan {
							nextSpan = i + spanStep
							found = append(found, s.inSpan(path, i, span(lines[i:]))...)
						}
					case matched || !possible(rule.RuleID, piece):
					case rule.RuleID != genericRule:
						matched = rule.Regex.MatchString(piece)
					case guesses < maxGuesses && len(line) <= longLine:
						guesses++
						matched = rule.Regex.MatchString(piece)
					}
				}
				if !matched {
					continue
				}
				for _, f := range s.detect(path, piece) {
					if !spanning[f.RuleID] {
						found = append(found, secret{rule: f.RuleID, line: i, value: f.Secret, vague: s.vague(f)})
					}
				}
			}
			for _, f := range distinct(found) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// detect runs gitleaks over one text.
func (s *ruleScanner) detect(path, text string) []report.Finding {
	//lint:ignore SA1019 the replacement is for v9, which does not exist yet
	return s.detector.Detect(detect.Fragment{Raw: text, FilePath: path})
}

// credentialWord is in the names that people give to credentials.
var credentialWord = regexp.MustCompile(`(?i)key|token|secret|pass|pwd|auth|cred|bearer`)

// vague reports whether the finding rests on the name of a vendor alone: a rule
// that takes any value of the right length after "discord" finds ids and hashes.
func (s *ruleScanner) vague(f report.Finding) bool {
	before, _, _ := strings.Cut(f.Match, f.Secret)
	return s.byVendor[f.RuleID] && !credentialWord.MatchString(before)
}

// inSpan finds the secrets of several lines in a text that begins at line i.
func (s *ruleScanner) inSpan(path string, i int, text string) []secret {
	var found []secret
	for _, f := range s.detect(path, text) {
		if spanning[f.RuleID] {
			found = append(found, secret{rule: f.RuleID, line: i + lineWithin(text, f), value: f.Secret})
		}
	}
	return found
}

// candidates are the rules that have a keyword in the text.
func (s *ruleScanner) candidates(text string) []config.Rule {
	var indexes []int
	s.keywords.Walk([]byte(strings.ToLower(text)), func(_, _, keyword int64) bool {
		for _, i := range s.having[keyword] {
			if !slices.Contains(indexes, i) {
				indexes = append(indexes, i)
			}
		}
		return true
	})
	var rules []config.Rule
	for _, i := range indexes {
		rules = append(rules, s.rules[i])
	}
	return rules
}

// possible tells by looking, for the two rules whose keywords are everywhere,
// whether their slow expressions could match at all.
func possible(rule, text string) bool {
	switch rule {
	case genericRule:
		return holdsRandomRun(text)
	case "jwt":
		return strings.Contains(text, ".ey")
	}
	return true
}

// holdsRandomRun reports whether ten or more characters of a key stand in a row
// that look random; judgeSecret wants that of the generic rule.
func holdsRandomRun(text string) bool {
	run, changes := 0, 0
	for i := range len(text) {
		c := text[i]
		if !isKeyByte[c] {
			run, changes = 0, 0
			continue
		}
		if run > 0 && check.IsDigit(c) != check.IsDigit(text[i-1]) {
			changes++
		}
		if run++; run >= 10 && changes >= minChanges {
			return true
		}
	}
	return false
}

// isKeyByte are the characters that the generic rule takes for a key.
var isKeyByte = func() (is [256]bool) {
	for _, c := range []byte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.=+/") {
		is[c] = true
	}
	return is
}()

// pieces yields a line whole, or in overlapping parts if it is longer than size.
func pieces(line string, size, overlap int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(line) > size {
			if !yield(line[:size]) {
				return
			}
			line = line[size-overlap:]
		}
		yield(line)
	}
}

// span joins the first lines, up to the bounds of a secret of several lines.
func span(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i == spanLines || b.Len()+len(l) > spanBytes {
			break
		}
		b.WriteString(l)
		b.WriteByte('\n')
	}
	return b.String()
}

// lineWithin counts the line breaks of text before the secret.
func lineWithin(text string, f report.Finding) int {
	at := strings.Index(text, f.Match)
	if at < 0 {
		return 0
	}
	if within := strings.Index(f.Match, f.Secret); within > 0 {
		at += within
	}
	return strings.Count(text[:at], "\n")
}
