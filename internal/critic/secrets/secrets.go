// Package secrets finds credentials in added lines.
package secrets

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Kind finds credentials in added lines. The formats come from gitleaks; the judgment on examples
// and placeholders is ours.
var Kind = check.Kind{
	Rules: rules(),
	Review: check.Each(func(f *check.File) bool {
		return (f.Kind == patch.Text || isKeyStore(f)) && !lockFile().MatchString(f.NewPath)
	}, func(f *check.File, out *check.Findings) { out.Limited(maxSecrets, func() { review(f, out) }) }),
}

// gitleaksRules lists the ids of gitleaks' rules, one a line, so that listing them loads no rules.
// A test compares it with the library.
//
//go:embed secret_rules.txt
var gitleaksRules string

// keyStoreRule is the one rule of gitleaks about a file and not about its text.
const keyStoreRule = "pkcs12-file"

// maxSecrets bounds the secrets reported in one file, the severe ones first.
const maxSecrets = 20

// titles are the titles that do not follow from the rule's id.
var titles = map[string]string{
	genericRule: "Possible secret in the change", passwordRule: "Password in the change",
	urlPasswordRule: "Password in an address in the change", keyStoreRule: "Key store added",
}

func rules() []check.Rule {
	var rules []check.Rule
	add := func(id, source string) {
		r := check.Rule{
			ID:       "secrets/" + id,
			Source:   source,
			Title:    cmp.Or(titles[id], "Secret in the change: "+strings.ReplaceAll(id, "-", " ")),
			Severity: debate.P1,
			Category: "security",
		}
		if byWords[id] != nil {
			r.Severity = debate.P2
		}
		if id == keyStoreRule {
			r.Severity, r.Notice = "", true
		}
		rules = append(rules, r)
	}
	for id := range strings.FieldsSeq(gitleaksRules) {
		add(id, "gitleaks")
	}
	for _, r := range supplements() {
		add(r.id, "documented token formats")
	}
	add(passwordRule, "CWE-798")
	return rules
}

func review(f *check.File, out *check.Findings) {
	if isKeyStore(f) {
		if f.Status == patch.Added {
			out.Notice(f, "secrets/"+keyStoreRule, 0, "a key store was added; it usually holds a private key")
		}
		return
	}
	values := make(map[int][]string) // by head line
	for _, run := range addedRuns(f.Added) {
		for _, found := range (&scan{ruleSet: known(), path: f.NewPath, lines: lists.Map(run, textOf)}).secrets() {
			severity, ok := judge(f.NewPath, found)
			line := run[min(found.line, len(run)-1)].New
			within := func(value string) bool { return found.rule == genericRule && strings.Contains(value, found.value) }
			if !ok || slices.ContainsFunc(values[line], within) { // within the value of an earlier hit
				continue
			}
			h := debate.Hit{Severity: severity, Body: secretBody, Redact: check.Redactions(found.value)}
			if severity == debate.P1 {
				h.Trigger = debate.TriggerSecurity
			}
			out.Hit(f, "secrets/"+found.rule, line, line, h)
			values[line] = append(values[line], found.value)
		}
	}
}

const secretBody = "A credential that reaches a repository must be taken as known: it stays in the history, in forks and in caches. " +
	"Revoke it where it was issued, take it out of the file, and read it from the environment or a secret store."

// addedRuns groups consecutive added lines of the head.
func addedRuns(added []patch.Line) [][]patch.Line {
	var runs [][]patch.Line
	for i, l := range added {
		if l.New != added[max(i-1, 0)].New+1 {
			runs = append(runs, nil)
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], l)
	}
	return runs
}

// distinct drops repeats from several rules or overlapping pieces on one line.
func distinct(found []secret) []secret {
	var kept []secret
	for i, s := range found {
		covered := func(o secret) bool { return o.covers(s) }
		if !slices.Contains(found[:i], s) && !slices.ContainsFunc(found, covered) {
			kept = append(kept, s)
		}
	}
	return kept
}

// covers reports whether s makes o redundant: a longer value wins over a part of it, equal values
// go to the first rule, and the generic rule yields to any other.
func (s secret) covers(o secret) bool {
	if s.line != o.line || !strings.Contains(s.value, o.value) {
		return false
	}
	if (s.rule == genericRule) != (o.rule == genericRule) {
		return o.rule == genericRule
	}
	return len(s.value) > len(o.value) || s.rule < o.rule
}
