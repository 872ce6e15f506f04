package config

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

var goodFiles = []struct {
	name, in string
	want     Config
}{
	{"empty", "", Config{}},
	{"comment only", "# nothing\n", Config{}},
	{"byte order mark and CRLF", "\uFEFFmode: quick\r\ngate: required\r\n", Config{Mode: debate.Quick, Gate: debate.Required}},
	{"one document with a header", "---\nfail_on: P2\n", Config{FailOn: debate.FailP2}},
	{"empty lists set nothing", "paths: {ignore: [], proposal: []}\ninstructions: []\n", Config{}},
	{"switches", "allow_same_family: false\nevidence: {checks: true}\n", Config{AllowSameFamily: new(false), Evidence: Evidence{Checks: new(true)}}},
	{"parties", `parties:
  opening: parallel
  primary:     {provider: anthropic, model: "a b"}
  challengers: [{id: gpt, provider: openai, api: chat}, {provider: gemini, timeout: 3m, effort: low}]
  judges:      {from: [gpt, gemini, primary]}
  arbiter:     {provider: openai}
`, Config{Parties: Parties{
		Opening: OpeningParallel, Primary: &Party{Provider: "anthropic", Model: "a b"},
		Challengers: []Party{{ID: "gpt", Provider: "openai", API: "chat"}, {Provider: "gemini", Timeout: 180, Effort: "low"}},
		Judges:      &Judges{From: []Name{"gpt", "gemini", "primary"}}, Arbiter: &Party{Provider: "openai"},
	}}},
	{"limits", "limits: {max_rounds: 7, max_cost_usd: 0.000001, max_cost_usd_per_pr: 10}\n",
		Config{Limits: Limits{MaxRounds: 7, MaxCostUSD: 1, MaxCostUSDPerPR: 10 * Dollar}}},
	{"rubric keeps the order", "rubric: {criteria: {b: 50, a: 49, c: 1}}\n", Config{Rubric: Rubric{Criteria{{"b", 5000}, {"a", 4900}, {"c", 100}}}}},
	{"critical", "critical:\n  - trigger: money\n    paths: [\"billing/**\"]\n    patterns: ['(?i)price\\s*=']\n",
		Config{Critical: []Critical{{Trigger: debate.TriggerMoney, Paths: []Glob{"billing/**"}, Patterns: []Pattern{`(?i)price\s*=`}}}}},
	{"known", "known:\n  - {rule: shell/chmod-777, below: bin, reason: a sandbox, by: bob, until: \"2028-02-29\"}\n  - snippet: |\n      if ok {\n          y()\n    reason: r\n    by: ann\n    until: 2027-01-31\n",
		Config{Known: []Known{
			{Rule: "shell/chmod-777", Below: "bin", Reason: "a sandbox", By: "bob", Until: "2028-02-29"},
			{Snippet: "if ok {\n    y()\n", Reason: "r", By: "ann", Until: "2027-01-31"},
		}}},
	{"long text", "instructions:\n  - text: |\n      Two\n      lines.\n", Config{Instructions: []Instruction{{Text: "Two\nlines.\n"}}}},
	{"escalation", "escalation: {label: ask, deciders: admin, notify: [octo, org/team]}\npublish: {language: pt-BR}\n",
		Config{Escalation: Escalation{Label: "ask", Deciders: "admin", Notify: []Handle{"octo", "org/team"}}, Publish: Publish{Language: "pt-BR"}}},
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range goodFiles {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse("debate.yml", []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSampleIsTheDefault(t *testing.T) {
	t.Parallel()
	got, err := parse("sample.yml", Sample())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Default(), Merge(Config{}, Config{})); diff != "" {
		t.Errorf("merging nothing: %s", diff)
	}
	// What the sample shows in comments must be right too.
	var active []string
	for _, line := range strings.Split(string(Sample()), "\n") {
		if rest, ok := strings.CutPrefix(line, "#  "); ok {
			active[len(active)-1] = strings.TrimSuffix(active[len(active)-1], " []")
			active = append(active, "  "+rest)
			continue
		}
		if rest, ok := strings.CutPrefix(line, "  # "); ok {
			active = append(active, "  "+rest)
			continue
		}
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			active = append(active, line)
		}
	}
	if _, err := parse("sample.yml", []byte(strings.Join(active, "\n"))); err != nil {
		t.Errorf("the commented part of the sample: %v\n%s", err, strings.Join(active, "\n"))
	}
}

// The tests that are proposed are off, and right once their marks are removed.
func TestProposals(t *testing.T) {
	t.Parallel()
	languages := 0
	for _, p := range Proposals() {
		off, err := parse("debate.yml", p.Text)
		if err != nil || off.Execution != nil {
			t.Errorf("%s: %v, %+v", p.Language, err, off.Execution)
		}
		section := string(p.Text[len(Sample()):])
		on, err := parse("debate.yml", []byte(regexp.MustCompile(`(?m)^# (execution:|  )`).ReplaceAllString(section, "$1")))
		switch known := strings.Contains(section, "# execution:"); {
		case err != nil, len(p.Signs) == 0:
			t.Errorf("%s: %v, told by %q", p.Language, err, p.Signs)
		case known != (on.Execution != nil):
			t.Errorf("%s: %+v", p.Language, on.Execution)
		}
		languages++
	}
	if languages != 6 {
		t.Errorf("%d languages", languages)
	}
}

// badFiles name each error as line:column and a part of the message.
// NotSchema marks what a JSON Schema cannot express.
var badFiles = []struct {
	name, in  string
	want      []string
	notSchema bool
}{
	{"unknown key", "mode: quick\nlimits:\n  max_round: 3\n", []string{`3:3: unknown setting "max_round" under limits; did you mean max_rounds?`}, false},
	{"unknown key at the top", "failon: P1\n", []string{`1:1: unknown setting "failon"; did you mean fail_on?`}, false},
	{"unknown far key", "telemetry: x\n", []string{`1:1: unknown setting "telemetry"`}, false},
	{"all errors at once", "mode: fast\ngate: yes\nlimits: {max_rounds: 9, max_calls: ten}\nfoo: 1\n", []string{
		`1:7: mode: "fast" is not one of standard, minimal, quick`, `2:7: gate: "yes" is not one of`,
		"3:22: limits.max_rounds is out of range: 1 to 7", "3:36: limits.max_calls must be a whole number", `4:1: unknown setting "foo"`,
	}, false},
	{"duplicate key", "gate: required\ngate: advisory\n", []string{"2:1: gate is set twice"}, true},
	{"duplicate key in braces", "limits: {max_calls: 1, max_calls: 2}\n", []string{"1:24: limits.max_calls is set twice"}, true},
	{"version", "version: 2\n", []string{"1:10: version must be 1"}, false},
	{"number in words", "version: '1'\n", []string{"1:10: version must be a whole number"}, false},
	{"hexadecimal number", "limits: {max_calls: 0x10}\n", []string{"1:21: limits.max_calls must be a whole number written in plain digits"}, true},
	{"fraction", "limits: {max_calls: 1.5}\n", []string{"1:21: limits.max_calls must be a whole number"}, false},
	{"huge number", "limits: {max_calls: 99999999999999999999}\n", []string{"1:21: limits.max_calls must be"}, false},
	{"zero", "limits: {budget_minutes: 0}\n", []string{"1:26: limits.budget_minutes is out of range: 1 to 240"}, false},
	{"boolean in words", "evidence: {checks: no}\n", []string{"1:20: evidence.checks must be true or false"}, false},
	{"text that is a number", "escalation: {label: 5}\n", []string{"1:21: escalation.label must be text"}, false},
	{"no value", "mode:\nlimits: {max_calls: }\n", []string{"1:1: mode has no value", "2:10: limits.max_calls has no value"}, false},
	{"not a mapping", "- a\n", []string{"1:1: the file must hold settings, each on a line of its own, such as \"version: ...\""}, false},
	{"only a word", "hello\n", []string{"1:1: the file must hold settings, each on a line of its own, such as \"version: ...\""}, false},
	{"list for mapping", "limits: [1]\n", []string{"1:9: limits must hold settings, each on a line of its own, such as \"max_rounds: ...\""}, false},
	{"text for list", "paths: {ignore: x}\n", []string{"1:17: paths.ignore must be a list"}, false},
	{"alias", "mode: &m quick\npaths: {ignore: [*m]}\n", []string{"1:7: anchors are not allowed", "2:18: aliases are not allowed"}, true},
	{"unquoted glob", "paths: {ignore: [**/*.lock]}\n", []string{"1:18: aliases are not allowed; quote a value that begins with *"}, true},
	{"merge key", "limits:\n  <<: {max_calls: 1}\n", []string{"2:3: merge keys are not allowed"}, true},
	{"tag", "mode: !!str quick\n", []string{"1:7: tags are not allowed"}, true},
	{"two documents", "mode: quick\n---\nmode: quick\n", []string{"3:1: only one document"}, true},
	{"directive", "%YAML 1.2\n---\nmode: quick\n", []string{"1:1: directives are not allowed"}, true},
	{"open bracket", "paths: {ignore: [\n", []string{"1:17: "}, true},
	{"bad indentation", "limits:\n  max_calls: 1\n max_claims: 2\n", []string{"3:2: "}, true},
	{"deep brackets", "paths: " + strings.Repeat("[", 25) + "\n", []string{"1:27: values nest too deeply: at most 20 levels"}, true},
	{"deep dashes", strings.Repeat("- ", 30) + "a\n", []string{"1:41: values nest too deeply"}, true},
	{"not UTF-8", "mode: \xff\n", []string{"1:7: the file is not valid UTF-8"}, true},
	{"control character", "mode: quick\n# a\x1b[2J\n", []string{"2:4: control character U+001B"}, true},
	{"party without provider", "parties: {primary: {model: m}}\n", []string{"1:20: parties.primary lacks provider"}, false},
	{"party twice", "parties:\n  challengers:\n    - {provider: openai}\n    - {provider: openai}\n", []string{"4:7: two parties are named openai"}, true},
	{"reserved name", "parties:\n  primary: {id: engine, provider: openai}\n  challengers: [{id: risk, provider: gemini}]\n",
		[]string{`2:17: parties.primary.id: "engine" is taken in every debate`, `3:22: parties.challengers[0].id: "risk" is`}, true},
	{"unknown judge", "parties:\n  challengers: [{id: gpt, provider: openai}]\n  judges: {from: [gpt, gtp, gpt]}\n",
		[]string{`3:24: parties.judges.from: there is no party named "gtp"`, `3:29: parties.judges.from names "gpt" twice`}, true},
	{"api of another provider", "parties: {primary: {provider: gemini, api: chat}}\n", []string{"1:44: parties.primary.api is a setting of the provider openai or azure only"}, true},
	{"files by the repository", "parties: {primary: {provider: gemini, files: true}}\n", []string{"1:39: parties.primary.files can only be set by the operator"}, false},
	{"timeout", "parties: {primary: {provider: gemini, timeout: 3h}}\n", []string{`1:48: parties.primary.timeout: "3h" is no length of time: write it as 90s or 3m`}, false},
	{"timeout without unit", "parties: {primary: {provider: gemini, timeout: 180}}\n", []string{`1:48: parties.primary.timeout: "180" is no length of time: write it as 90s or 3m`}, false},
	{"timeout too long", "parties: {primary: {provider: gemini, timeout: 31m}}\n", []string{"1:48: parties.primary.timeout: 31m is too long: at most 30m"}, true},
	{"operator settings", "parties:\n  primary: {provider: openai, base_url: \"https://x.test\", api_key_env: KEY}\n  arbiter: {provider: exec, command: [rm]}\n  challengers: [{provider: codex}]\nlimits: {max_cost_usd: 2.01}\nprices: []\n", []string{
		"2:31: parties.primary.base_url can only be set by the operator", "2:59: parties.primary.api_key_env can only", "3:23: parties.arbiter.provider exec can only",
		"3:29: parties.arbiter.command can only", "4:28: parties.challengers[0].provider codex can only", "5:24: limits.max_cost_usd above 2 can only be set by the operator",
		"6:1: prices can only be set by the operator",
	}, false},
	{"money", "limits: {max_cost_usd: 1e3, max_cost_usd_per_pr: 0.0000001}\n", []string{"1:24: limits.max_cost_usd must be an amount", "1:50: limits.max_cost_usd_per_pr: the amount has more than six"}, true},
	{"no money", "limits: {max_cost_usd: 0, max_cost_usd_per_pr: -1}\n", []string{"1:24: limits.max_cost_usd must be more than 0", `1:48: limits.max_cost_usd_per_pr: "-1" is no amount`}, false},
	{"bad glob", "paths: {ignore: ['a[', '/abs', '']}\n", []string{`1:18: paths.ignore: "a[" is no valid glob`, `1:24: paths.ignore: "/abs" never matches`, "1:32: paths.ignore[2]: is empty"}, false},
	{"glob of a directory", "paths: {ignore: ['dist/']}\ncritical: [{trigger: money, paths: ['billing/', '!x/**']}]\n", []string{
		`1:18: paths.ignore: "dist/" never matches: only files have paths; write dist/** for all files below it`,
		`2:37: critical[0].paths: "billing/" never matches`, `2:49: critical[0].paths: "!x/**" never matches: there are no exceptions`,
	}, true},
	{"opening", "parties: {opening: primary}\n", []string{`1:20: parties.opening: "primary" is not one of position, parallel`}, false},
	{"bad pattern", "critical: [{trigger: money, patterns: ['(', '(a{1000}){1000}', 'a*']}]\n",
		[]string{`1:40: critical[0].patterns: "(" is no valid regular expression: missing closing )`, `1:45: critical[0].patterns: "(a{1000}){1000}" is no valid`, `1:64: critical[0].patterns: "a*" matches the empty text`}, true},
	{"long pattern", "critical: [{trigger: money, patterns: ['" + strings.Repeat("a", 1001) + "']}]\n", []string{"1:40: critical[0].patterns[0]: is too long: 1001 characters, at most 1000"}, false},
	{"unknown trigger", "critical: [{trigger: secuirty, paths: ['a']}]\n", []string{`1:22: critical[0].trigger: "secuirty" is not one of`}, false},
	{"critical without trigger", "critical: [{paths: ['a']}]\n", []string{"1:12: critical[0] lacks trigger"}, false},
	{"critical everywhere", "critical: [{trigger: money}]\n", []string{"1:12: critical[0] names neither paths nor patterns"}, true},
	{"known by a category", "known:\n  - {category: security, reason: r, by: b, until: 2027-01-31}\n", []string{
		`2:5: known[0] names neither a rule nor a snippet: a category or a path alone would hide new findings too`, `2:6: unknown setting "category" under known[0]`}, false},
	{"known by a path", "known: [{below: lib, reason: r, by: b, until: 2027-01-31}]\n", []string{"1:9: known[0] names neither a rule nor a snippet"}, true},
	{"known twice over", "known: [{rule: shell/chmod-777, snippet: chmod 777 x, reason: r, by: b, until: 2027-01-31}]\n", []string{"1:42: known[0] names a rule and a snippet: write two entries"}, true},
	{"known without why, who and when", "known: [{rule: shell/chmod-777}]\n", []string{"1:9: known[0] lacks by", "1:9: known[0] lacks reason", "1:9: known[0] lacks until"}, false},
	{"known without words", "known: [{rule: shell/chmod-777, reason: ' ', by: ' ', until: 2027-01-31}]\n", []string{"1:41: known[0].reason is empty", "1:50: known[0].by is empty"}, true},
	{"known rule that is none", "known: [{rule: shell/chmod-778, reason: r, by: b, until: 2027-01-31}]\n", []string{`1:16: known[0].rule: there is no built-in rule "shell/chmod-778"; did you mean shell/chmod-777?`}, true},
	{"known secret", "known: [{rule: secrets/password, reason: r, by: b, until: 2027-01-31}]\n", []string{"1:16: known[0].rule: what secrets/password finds is never hidden"}, true},
	{"known snippet of nothing", "known: [{snippet: '} } } } }', reason: r, by: b, until: 2027-01-31}]\n", []string{"1:19: known[0].snippet is too short: at least 8 characters"}, true},
	{"known below a pattern", "known: [{rule: shell/chmod-777, below: 'lib/**', reason: r, by: b, until: 2027-01-31}, {rule: shell/chmod-777, below: lib/, reason: r, by: b, until: 2027-01-31}]\n",
		[]string{`1:40: known[0].below: "lib/**" is no directory or file`, `1:119: known[1].below: "lib/" never matches`}, true},
	{"known until never", "known: [{rule: shell/chmod-777, reason: r, by: b, until: 2027-02-29}, {rule: shell/chmod-777, reason: r, by: b, until: soon}]\n",
		[]string{"1:58: known[0].until: there is no day 2027-02-29", `1:120: known[1].until: "soon" does not match`}, false},
	{"weights", "rubric: {criteria: {a: 50, b: 40, c: 5}}\n", []string{"1:20: rubric.criteria must add up to 100, not 95"}, true},
	{"two criteria", "rubric: {criteria: {a: 50, b: 50}}\n", []string{"1:20: rubric.criteria must name 3 to 6 criteria"}, false},
	{"weight of nothing", "rubric: {criteria: {a: 50, b: 50, c: 0}}\n", []string{"1:38: rubric.criteria.c is out of range: 1 to 100"}, true},
	{"criterion twice", "rubric: {criteria: {a: 50, b: 30, a: 20}}\n", []string{"1:35: "}, false},
	{"criterion name", "rubric: {criteria: {A: 50, b: 30, c: 10, d: 10}}\n", []string{"1:21: rubric.criteria: the name of a criterion"}, false},
	{"language", "publish: {language: english_please}\n", []string{`1:21: publish.language: "english_please" is not allowed: write a value like de or pt-BR`}, false},
	{"language in full", "publish: {language: German}\n", []string{`1:21: publish.language: "German" is not allowed: write a value like de or pt-BR`}, false},
	{"handle", "escalation: {notify: ['a b']}\n", []string{`1:23: escalation.notify[0]: "a b" does not match`}, false},
	{"empty instruction", "instructions: [{text: ''}, {paths: ['a']}, {text: '  '}]\n", []string{"1:23: instructions[0].text: is empty", "1:28: instructions[1] lacks text", "1:51: instructions[2].text is empty"}, false},
	{"too large", strings.Repeat("#", MaxBytes+1), []string{"1:1: the file is too large: 65537 bytes, at most 65536"}, true},
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, c := range badFiles {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse("f.yml", []byte(c.in))
			var errs Errors
			if !errors.As(err, &errs) {
				t.Fatalf("got %v, want Errors", err)
			}
			lines := strings.Split(err.Error(), "\n")
			ok := len(lines) == len(c.want)
			for _, want := range c.want {
				found := false
				for _, line := range lines {
					found = found || strings.HasPrefix(line, "f.yml:"+want)
				}
				ok = ok && found
			}
			if !ok {
				t.Errorf("got\n  %s\nwant\n  f.yml:%s", strings.Join(lines, "\n  "), strings.Join(c.want, "\n  f.yml:"))
			}
		})
	}
}

func TestParseOperator(t *testing.T) {
	t.Parallel()
	in := `parties:
  primary: {provider: openai, base_url: "http://127.0.0.1:8080/v1", api_key_env: LOCAL_KEY}
  challengers: [{id: tool, provider: exec, command: [review, --json], files: true}, {provider: codex}]
limits: {max_cost_usd: 50}
prices: [{model: house-model, input: 0.5, cached: 0, output: 12.75}]
`
	got, err := parseOperator("operator.yml", []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if got.Parties.Primary.BaseURL == "" || got.Parties.Challengers[0].Command[1] != "--json" || !got.Parties.Challengers[0].Files || got.Parties.Challengers[1].Files || got.Limits.MaxCostUSD != 50*Dollar {
		t.Errorf("got %+v", got)
	}
	if want := (Price{Model: "house-model", Input: Dollar / 2, Output: 51 * Dollar / 4}); len(got.Prices) != 1 || got.Prices[0] != want {
		t.Errorf("got %+v", got.Prices)
	}
	for _, bad := range []string{
		"prices: [{model: a, input: 1, output: 1}]", "prices: [{model: a, input: -1, cached: 0, output: 1}]", "prices: [{model: '', input: 1, cached: 1, output: 1}]",
		"parties: {primary: {provider: openai, base_url: 'https://k@x.test'}}", "parties: {primary: {provider: exec}}",
		"parties: {primary: {provider: openai, command: [x]}}", "parties: {primary: {provider: openai, base_url: 'file:///etc'}}",
		"parties: {primary: {provider: openai, api_key_env: 'sk-123 4'}}", "parties: {primary: {provider: codex, files: true}}",
		"known: [{rule: shell/chmod-777, reason: r, by: b, until: 2027-01-31}]",
		"parties: {primary: {provider: qwen, files: true}}", "parties: {primary: {provider: openai, files: true}}",
	} {
		if _, err := parseOperator("o.yml", []byte(bad)); err == nil {
			t.Errorf("accepted %s", bad)
		}
	}
}

func TestShowReadsBack(t *testing.T) {
	t.Parallel()
	for _, c := range append(goodFiles[:len(goodFiles):len(goodFiles)], struct {
		name, in string
		want     Config
	}{"default", "", Default()}) {
		out, err := Show(c.want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse("show", out)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s\n%s", c.name, diff, out)
		}
	}
}

func TestShowQuotesText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a\tb", "\ta", "a\r\nb", "a\r\n", "a\x01b", "a\x7fb", "? a", "?", ".inf", ".nan", "\n a\n b", "a\n\tb\n", " a\nb",
		"*a", "&a", "!a", "@a", "%a", "- a", "a: b", "a #b", "yes", "null", "~", "1", "0x1", "'q", `"q"`, "a\nb", "a  \nb\n\n", "\u2028x", "<<", "---",
	} {
		want := Config{
			Instructions: []Instruction{{Text: text}}, Escalation: Escalation{Label: text},
			Parties: Parties{Primary: &Party{Provider: "exec", Command: []Argument{"x", Argument(text)}}},
		}
		out, err := Show(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseOperator("show", out)
		if err != nil {
			t.Errorf("%q: %v\n%s", text, err, out)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s\n%s", text, diff, out)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range goodFiles {
		f.Add(c.in)
	}
	for _, c := range badFiles {
		if len(c.in) < 2000 {
			f.Add(c.in)
		}
	}
	f.Add(string(Sample()))
	f.Fuzz(func(t *testing.T, in string) {
		c, err := parseOperator("f.yml", []byte(in))
		if err == nil {
			out, err := Show(c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := parseOperator("show", out)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if diff := cmp.Diff(c, again); diff != "" {
				t.Fatalf("%s\n%s", diff, out)
			}
			return
		}
		var errs Errors
		if !errors.As(err, &errs) || len(errs) == 0 {
			t.Fatalf("no positions: %v", err)
		}
		lines := strings.Split(in, "\n")
		for _, e := range errs {
			if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len([]rune(lines[e.Line-1]))+1 {
				t.Fatalf("outside of the file: %v", e)
			}
			if strings.ContainsAny(e.Message, "\n\r") {
				t.Fatalf("more than one line: %q", e.Message)
			}
		}
	})
}

func TestMerge(t *testing.T) {
	t.Parallel()
	yes, no := new(true), new(false)
	cases := []struct {
		name                 string
		operator, repository Config
		want                 func(*Config)
	}{
		{"the repository lowers a limit", Config{Limits: Limits{MaxCalls: 30}}, Config{Limits: Limits{MaxCalls: 10}}, func(c *Config) { c.Limits.MaxCalls = 10 }},
		{"and does not raise it", Config{Limits: Limits{MaxCalls: 30, MaxCostUSD: Dollar}}, Config{Limits: Limits{MaxCalls: 90, MaxCostUSD: 2 * Dollar}},
			func(c *Config) { c.Limits.MaxCalls, c.Limits.MaxCostUSD = 30, Dollar }},
		{"the operator may raise the default", Config{Limits: Limits{MaxCostUSD: 50 * Dollar}}, Config{}, func(c *Config) { c.Limits.MaxCostUSD = 50 * Dollar }},
		{"the operator alone sets prices", Config{Prices: []Price{{Model: "a"}}}, Config{Prices: []Price{{Model: "b"}}}, func(c *Config) { c.Prices = []Price{{Model: "a"}} }},
		{"the stricter gate", Config{Gate: debate.Advisory, FailOn: debate.FailP2}, Config{Gate: debate.Required, FailOn: debate.FailP1},
			func(c *Config) { c.Gate, c.FailOn = debate.Required, debate.FailP2 }},
		{"the repository cannot open the gate", Config{Gate: debate.Required, FailOn: debate.FailP3}, Config{Gate: debate.Advisory, FailOn: debate.FailNone},
			func(c *Config) { c.Gate, c.FailOn = debate.Required, debate.FailP3 }},
		{"a required gate stops P1", Config{}, Config{Gate: debate.Required}, func(c *Config) { c.Gate, c.FailOn = debate.Required, debate.FailP1 }},
		{"operator before repository", Config{Mode: debate.Quick}, Config{Mode: debate.Minimal, Publish: Publish{Language: "de"}},
			func(c *Config) { c.Mode, c.Publish.Language = debate.Quick, "de" }},
		{"lists are joined", Config{Paths: Paths{Ignore: []Glob{"a", "b"}}}, Config{Paths: Paths{Ignore: []Glob{"b", "c"}}}, func(c *Config) { c.Paths.Ignore = []Glob{"a", "b", "c"} }},
		{"parties of one file", Config{Parties: Parties{Primary: &Party{Provider: "openai"}}},
			Config{Parties: Parties{Opening: OpeningParallel, Challengers: []Party{{Provider: "gemini"}}}},
			func(c *Config) { c.Parties = Parties{Opening: OpeningParallel, Primary: &Party{Provider: "openai"}} }},
		{"judges and arbiter of the operator alone", Config{Parties: Parties{Judges: &Judges{From: []Name{"primary"}}, Arbiter: &Party{Provider: "gemini"}}},
			Config{Parties: Parties{Primary: &Party{Provider: "openai"}, Arbiter: &Party{Provider: "openai"}}},
			func(c *Config) {
				c.Parties.Primary = &Party{Provider: "openai"}
				c.Parties.Judges, c.Parties.Arbiter = &Judges{From: []Name{"primary"}}, &Party{Provider: "gemini"}
			}},
		{"the author may decide", Config{}, Config{Escalation: Escalation{AuthorMayDecide: yes}}, func(c *Config) { c.Escalation.AuthorMayDecide = yes }},
		{"the repository shows less", Config{Context: "changed"}, Config{Context: "off"}, func(c *Config) { c.Context = "off" }},
		{"the operator shows less", Config{Context: "changed"}, Config{Context: "repository"}, func(c *Config) { c.Context = "changed" }},
		{"unless it is forbidden", Config{Escalation: Escalation{AuthorMayDecide: no}}, Config{Escalation: Escalation{AuthorMayDecide: yes, Deciders: "admin"}},
			func(c *Config) { c.Escalation.Deciders = "admin" }},
		{"no operator knows a repository", Config{Known: []Known{{Rule: "a"}}}, Config{Known: []Known{{Rule: "b"}}}, func(c *Config) { c.Known = []Known{{Rule: "b"}} }},
		{"switch off", Config{}, Config{Evidence: Evidence{Checks: no}}, func(c *Config) { c.Evidence.Checks = no }},
		{"rubric", Config{}, Config{Rubric: Rubric{Criteria{{"a", 5000}, {"b", 3000}, {"c", 2000}}}}, func(c *Config) { c.Rubric.Criteria = Criteria{{"a", 5000}, {"b", 3000}, {"c", 2000}} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := Default()
			c.want(&want)
			if diff := cmp.Diff(want, Merge(c.operator, c.repository)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBounds: nothing that fits into a settings file takes long or overflows a
// stack.
func TestBounds(t *testing.T) {
	t.Parallel()
	units := []string{"[", "{", "- ", "a: ", "? ", "[{", "a:\n", "'", "\"", "|", "&a ", "!a ", "[]: ", "{a: ", "\n", " ", "#", "---\n", ": ", ",", "[a,", "a: 1\n"}
	for _, unit := range units {
		in := strings.Repeat(unit, MaxBytes/len(unit))
		if _, err := parse("f.yml", []byte(in)); err == nil && strings.TrimSpace(in) != "" && unit != "#" && unit != "---\n" {
			t.Errorf("accepted %q repeated", unit)
		}
	}
	var stairs strings.Builder
	for i := 0; stairs.Len() < MaxBytes-1000; i++ {
		fmt.Fprintf(&stairs, "%sa:\n", strings.Repeat(" ", i))
	}
	if _, err := parse("f.yml", []byte(stairs.String())); err == nil {
		t.Error("accepted a staircase")
	}
}

// Whoever chooses the base branch chooses no gate.
func TestGuarded(t *testing.T) {
	t.Parallel()
	lax, strict := Config{Mode: debate.Quick, FailOn: debate.FailP3, Known: []Known{{Rule: "a"}, {Rule: "b"}}},
		Config{Gate: debate.Required, FailOn: debate.FailP1, Known: []Known{{Rule: "b"}, {Rule: "c"}}}
	tests := func(run string) *Execution {
		return &Execution{Run: run, Files: []Glob{"*_test.go"}, Limits: ExecutionLimits{Runs: 3}}
	}
	for _, c := range []struct{ base, standard, want *Execution }{
		{nil, tests("a"), nil}, {tests("a"), nil, nil}, {tests("a"), tests("b"), nil}, {tests("a"), tests("a"), tests("a")},
	} {
		if got := Guarded(Config{Execution: c.base}, Config{Execution: c.standard}).Execution; !reflect.DeepEqual(got, c.want) {
			t.Errorf("tests: %+v, want %+v", got, c.want)
		}
	}
	got := Guarded(lax, strict)
	if got.Gate != debate.Required || got.FailOn != debate.FailP3 || got.Mode != debate.Quick || len(got.Known) != 1 || got.Known[0].Rule != "b" {
		t.Errorf("%+v", got)
	}
}
