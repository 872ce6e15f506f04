package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
	"github.com/prdebate/debate/internal/testkit/long"
)

func found(id string, severity debate.Severity, route, rule, title, path string, line, end int, quote string) Finding {
	return Finding{
		ID: id, Severity: severity, Route: route, Category: "security", Rule: rule, Title: title,
		Body: "Why it matters, in a sentence that is long enough to be broken at the width of a small terminal.\n\nWhat to do.",
		Path: path, Line: line, EndLine: end, Side: debate.Right, EvidenceType: debate.Textual,
		Evidence: []string{debate.Citation{Path: path, StartLine: line, EndLine: end}.String()}, Quote: quote,
		ReportedBy: []string{"engine"}, ConfirmedBy: []string{"engine"}, Bucket: debate.Agreed,
	}
}

// key is put together here so that no scanner takes this file for a leak.
const key = "AKIA" + "QYLPMN5HFIQR7XYA"

// rich has something of everything.
func rich() Envelope {
	question := "Is the old table still read by anybody?"
	leak := found("F1", debate.P1, "code", "secrets/aws-access-token", "An AWS key is committed", "deploy/env.sh", 3, 3, "KEY="+key)
	near := found("F2", debate.P2, "code", "shell/export", "A variable is exported", "deploy/env.sh", 2, 4, "export KEY="+key)
	drop := found("F3", debate.P1, "code", "sql/drop-table", "A table is dropped", "db/3.sql", 4, 6, "DROP TABLE\n  users\n;")
	base := found("F4", debate.P3, "code", "", "A removed check", "a b.go", 7, 7, "if err != nil {")
	base.Side, base.Category = debate.Left, "correctness"
	plan := found("F5", debate.P2, "proposal", "proposal/rollback", "The plan has no rollback", debate.BodyPath, 12, 12, "We migrate at once.")
	plan.Suggestion = "Add a section on rollback."
	open := found("F6", debate.P2, "code", "", "Perhaps a race", "a.go", 1, 2, "go run()")
	open.Bucket, open.BucketReason, open.ConfirmedBy = debate.Unresolved, "unconfirmed", nil
	open.Why = "no other model confirmed it with a line of code"
	gone := found("F7", debate.P3, "code", "", "A matter of taste", "a.go", 9, 9, "x := 1")
	gone.Bucket, gone.BucketReason = debate.Dismissed, "conceded"
	gone.Why = "gpt accepted the objection of gemini"
	return ready(Envelope{
		SchemaVersion: 1, SessionID: "1-1", Target: debate.TargetMixed, Scope: "range:main..HEAD", Mode: debate.Standard,
		Outcome: debate.DegradedLocal, Head: debate.HeadWaits, Confidence: debate.Low, Disposition: debate.Revise, Recommendation: debate.Revise,
		Summary: "Not reviewed by a model: gpt: no key. The built-in rules, which need no model, found 5 problems.",
		P1:      []Finding{drop, leak}, P2: []Finding{plan, near}, P3: []Finding{base}, Unresolved: []Finding{open}, Dismissed: []Finding{gone},
		Overview: &Overview{By: "gpt", Does: "It drops a table, and adds a cache."},
		Missing:  []string{"cost", "time"}, Notices: []debate.Notice{{Rule: "deps/manifest", Path: "go.mod", Text: "dependencies changed"}},
		Decisions: []Decision{
			{
				ID: "D0", Fingerprint: "f", Question: "May this change be merged as proposed?", Critical: true, Outcome: debate.AwaitingHuman, Recommendation: "revise",
				Options: []debate.Option{
					{ID: "keep", Label: "keep", Description: "merge the change as proposed"}, {ID: "revise", Label: "revise", Description: "merge after named changes"},
					{ID: "reject", Label: "reject", Description: "do not merge; everything stays as it is", StatusQuo: true},
				},
				Triggers: []DecisionTrigger{{ID: debate.TriggerDestructiveSchema, Source: "policy", Detail: "db/3.sql:4: DROP TABLE in an up-migration"}},
			},
			{ID: "D1", Question: "Not asked of anybody", Outcome: debate.Undecided},
		},
		Triggers: []Trigger{
			{ID: debate.TriggerDestructiveSchema, Source: "policy", Path: "db/3.sql", Line: 4, Detail: "DROP TABLE in an up-migration"},
			{ID: debate.TriggerDeploy, Source: "policy", Path: "deploy/env.sh", Detail: "deploy path"},
		},
		Parties: []Party{{ID: "gpt", Role: "challenger", Provider: "openai", Status: "no key", Checked: []Tried{{Scenario: "the key is read", Cites: []Cited{{Path: "deploy/env.sh", Line: 3, EndLine: 3, Side: debate.Right, Quote: "KEY=" + key, Check: QuoteFound}}}}}}, BackendUnavailable: []string{"gpt: no key"},
		Question: &question, Coverage: "none", Record: "/tmp/records/1-1.jsonl", Notes: []string{"compared with main, with uncommitted work"},
		Stats: Stats{Files: 12, Additions: 340, Deletions: 25, Segments: 14, NotReviewed: []string{"logo.png: binary", "yarn.lock: ignored path"}},
	})
}

// samples are the envelopes of the golden files.
func samples() map[string]Envelope {
	base := Envelope{SchemaVersion: 1, SessionID: "1-1", Target: debate.TargetCode, Scope: "base:main", Mode: debate.Standard, Coverage: "none"}
	empty, skipped, aborted, hostile := filled(base), filled(base), filled(base), rich()
	empty.Outcome, empty.Head = debate.DegradedLocal, debate.HeadUnread
	skipped.Outcome, skipped.Head, skipped.OutcomeReason, skipped.Stats.Files = debate.Skipped, debate.HeadSkipped, "documentation only", 1
	aborted.Outcome, aborted.Head, aborted.Summary = debate.Aborted, debate.HeadAborted, "The pull request was closed: merged."
	bad := "\x1b[31mred\x1b[0m \u202egpj.exe\n## Heading ##[add-mask]x\n::error::x\n/lgtm\n@org/team <img src=x> ![i](http://evil.test/?d=1) [l](http://evil.test) Closes #1 <!-- debate:summary v1 -->"
	hostile.Scope, hostile.Record = "range:"+bad, bad
	hostile.Notes, hostile.Missing, hostile.BackendUnavailable, hostile.Stats.NotReviewed = []string{bad}, []string{bad}, []string{bad}, []string{bad}
	hostile.Parties = []Party{{ID: "gpt", Role: "challenger", Status: "no key"}, {ID: bad, Role: "challenger", Status: "error", Detail: bad}}
	tried := Tried{Path: bad, Scenario: bad, Cites: []Cited{{Path: bad, Line: 3, Quote: bad, Check: QuoteFound}}}
	for i := range hostile.Parties {
		hostile.Parties[i].Reasoning, hostile.Parties[i].Checked = []string{bad}, []Tried{tried, {Path: bad, Scenario: bad, Cites: []Cited{}}}
	}
	hostile.Summary, hostile.Question = bad, &bad
	hostile.Notices = []debate.Notice{{Rule: bad, Path: bad, Line: 3, Text: bad}}
	hostile.Triggers = []Trigger{{ID: "deploy", Source: bad, Path: bad, Line: 1, Detail: bad, By: []string{}}}
	for i := range hostile.Decisions {
		d := &hostile.Decisions[i]
		d.ID, d.Question, d.Recommendation = bad, bad, bad
		d.Triggers, d.Options = []DecisionTrigger{{ID: "money", Source: bad, Detail: bad}}, []debate.Option{{ID: bad, Label: bad, Description: bad}}
	}
	for _, list := range [][]Finding{hostile.P1, hostile.P2, hostile.P3, hostile.Unresolved, hostile.Dismissed} {
		for i := range list {
			f := &list[i]
			f.Path, f.Title, f.Body, f.Quote, f.Rule, f.Suggestion, f.BucketReason = bad, bad, bad, bad+"\n```\n"+bad, bad, bad, bad
			f.Severity, f.Category = debate.Severity(bad), bad
		}
	}
	return map[string]Envelope{"contested": FromState(contested()), "agreeing": FromState(agreeing()), "question": FromState(questioned()), "rich": rich(), "empty": empty, "skipped": skipped, "aborted": aborted, "hostile": hostile}
}

// TestGolden compares the pages for people with one file, so a changed sentence changes one, and each
// format for tools with its own. The style of the page is in docs/examples/report.html.
func TestGolden(t *testing.T) {
	t.Parallel()
	all, pages := samples(), make(map[string][]byte)
	pages["terminal contested, verbose"] = Text(all["contested"], TextOptions{Verbose: true})
	pages["terminal rich at 40 columns"] = Text(all["rich"], TextOptions{Width: 20})
	for _, name := range []string{"aborted", "agreeing", "empty", "question", "rich", "skipped"} {
		pages["terminal "+name] = Text(all[name], TextOptions{})
	}
	for _, name := range told {
		pages["explain "+name] = Told(FromState(played(t, name)), TextOptions{Width: 200})
	}
	onThePullRequest(t, all, pages)
	for _, name := range []string{"contested", "rich"} {
		pages["agent "+name] = ForAgent(all[name])
	}
	for _, name := range []string{"question", "rich"} {
		pages["web-"+name+".html"] = HTML(all[name]) // .github/html checks them in a browser
	}
	golden.Pages(t, "testdata/pages.txt", pages, pageStyle(t))
	hidden := []string{Severities, "Should this be merged?", all["rich"].Summary, Headline(all["rich"])}
	contested := withIDs(all["contested"])
	contested.source = nil
	asJSON, err := JSON(contested)
	if err != nil {
		t.Fatal(err)
	}
	golden.Same(t, "testdata/contested.json", golden.Hidden(string(asJSON), contested.Summary))
	asSARIF, err := SARIF(all["rich"])
	if err != nil {
		t.Fatal(err)
	}
	golden.Same(t, "testdata/rich.sarif", golden.Hidden(string(asSARIF), hidden...))
}

// told are the scripts with a conversation of each kind.
var told = []string{
	"deadlock", "dispute", "amended", "accepted", "cross_weighed", "changed_mind", "carried", "bare_withdrawal", "repaired", "contrarian_words", "inherited", "critic", "recalled_dispute", "drift", "silent_owner", "duplicates",
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestText(t *testing.T) {
	t.Parallel()
	color := Text(rich(), TextOptions{Width: 80, Color: true})
	if !bytes.Contains(color, []byte("\x1b[1;31m")) {
		t.Error("no colour")
	}
	if diff := cmp.Diff(string(Text(rich(), TextOptions{Width: 80})), string(ansi.ReplaceAll(color, nil))); diff != "" {
		t.Errorf("colour changes the text: %s", diff)
	}
	for _, width := range []int{40, 60, 100} {
		for _, verbose := range []bool{false, true} {
			for _, line := range strings.Split(string(Text(rich(), TextOptions{Width: width, Verbose: verbose})), "\n") {
				code := len(line) > 9 && strings.TrimSpace(line[:9]) != "" && strings.TrimLeft(line[:9], " 0123456789") == "" // what can be copied is not broken
				if utf8.RuneCountInString(line) > width && len(strings.Fields(line)) > 5 && !code && !strings.Contains(line, "debate decide") && !strings.Contains(line, "debate report") {
					t.Errorf("%d columns at width %d: %q", utf8.RuneCountInString(line), width, line)
				}
			}
		}
	}
	inOrder(t, string(Text(rich(), TextOptions{Width: 100})), "waits for a decision", "Not reviewed by a model", "gpt: no key", "Note: compared with main",
		"Your decision: Should this be merged?", "db/3.sql:4: DROP", "revise  changes first (recommended)", "To answer: debate decide /tmp/records/1-1.jsonl keep|revise|reject WHY",
		"P1  db/3.sql:4-6  F3  A table is dropped", "    4   DROP TABLE", "    5     users", "Why it matters, in a sentence", "Found by the built-in rule sql/drop-table.",
		"P2  pull request text:12", "P3  a b.go:7 (base)", "P2  a.go:1-2  F6  Perhaps a race (not confirmed)", "Not shown: details of 1 finding; Notices (1); The proposal does not say (2)", "Full report: debate report /tmp/records/1-1.jsonl --format html")
	inOrder(t, string(Text(rich(), TextOptions{Width: 100, Verbose: true})), "waits for a decision", "P1  db/3.sql:4-6", "What to do.", "go.mod dependencies changed",
		"The proposal does not say", "deploy/env.sh: deploy path", "logo.png: binary", "12 files, +340 -25", "range:main..HEAD", "Full report:")
}

// inOrder demands texts one after the other.
func inOrder(t *testing.T, shown string, all ...string) {
	t.Helper()
	rest := shown
	for _, want := range all {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("%q is missing or out of order in\n%s", want, shown)
		}
		rest = after
	}
}

// TestCodeAround: a finding shows the lines of the change that it is about, with one before
// them, and what changed is marked.
func TestCodeAround(t *testing.T) {
	t.Parallel()
	e := rich()
	f := &e.P1[0]
	for i := range 9 {
		f.Around = append(f.Around, CodeLine{Number: 110 + i, Text: fmt.Sprint("\t\tline ", i)})
	}
	f.Around[5] = CodeLine{Mark: "+", Number: 115, Text: "\t\t\tdelete(l.buckets, k)", Hit: true}
	inOrder(t, string(Text(e, TextOptions{})), "\n      114   line 4\n      115 +     delete(l.buckets, k)\n    Why it matters")
	if f.Around[5].Text != "\t\t\tdelete(l.buckets, k)" {
		t.Error("rendering changed the envelope")
	}
	inOrder(t, string(Text(e, TextOptions{Verbose: true})), "\n      110   line 0\n", "\n      118   line 8\n")
}

// TestAScreen: the result of an ordinary change fits on a screen, and says so where more
// is known.
func TestAScreen(t *testing.T) {
	t.Parallel()
	e := rich()
	for i := range 30 {
		e.P2 = append(e.P2, found(fmt.Sprint("F", 20+i), debate.P2, "code", "", "Another one", "z.go", 10+i, 10+i, "x := 1"))
	}
	text := string(Text(e, TextOptions{Width: 100}))
	inOrder(t, text, "Found by", "Found by", "Found by", "Found by", "Found by", "P2  z.go:12  F22  Another one\nP2  z.go:13  F23", "and 11 more findings\n", "Not shown: details of 31 findings; Notices (1)", "Full report:")
	if all := string(Text(e, TextOptions{Width: 100, Verbose: true})); strings.Count(all, "Another one") != 30 || strings.Contains(all, "--verbose") {
		t.Errorf("not all is shown:\n%s", all)
	}
}

// TestNothingLooksGood: a run without a model never reads as a clean review.
func TestNothingLooksGood(t *testing.T) {
	t.Parallel()
	e := samples()["empty"]
	e.Summary = Lead(e, Counted(e))
	for _, out := range []string{string(Text(e, TextOptions{Verbose: true})), string(Markdown(e)), string(HTML(e))} {
		for _, want := range []string{"not reviewed by a model: no API key is set", "The built-in rules, which need no model, found nothing."} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%q is not said in\n%s", want, out)
			}
		}
		if m := regexp.MustCompile(`(?i)looks good|lgtm|all clear|passed`).FindString(out); m != "" {
			t.Errorf("%q in\n%s", m, out)
		}
	}
}

// TestWhatIsNotListedIsCounted: findings beyond the bound of a list are told by number, in
// the words that the other sentences have.
func TestWhatIsNotListedIsCounted(t *testing.T) {
	t.Parallel()
	for omitted, want := range map[int]string{
		1:  "not listed: 1 more finding of the built-in rules",
		49: "not listed: 49 more findings of the built-in rules",
	} {
		e := FromState(debate.State{Critique: debate.Critique{Omitted: omitted}})
		if !slices.Contains(e.Notes, want) {
			t.Errorf("%q, want %q", e.Notes, want)
		}
	}
}

func TestSecretsAreWithheld(t *testing.T) {
	t.Parallel()
	e := rich()
	asJSON, _ := JSON(e)
	asSARIF, _ := SARIF(e)
	for name, out := range map[string][]byte{"text": Text(e, TextOptions{}), "markdown": Markdown(e), "html": HTML(e), "json": asJSON, "sarif": asSARIF} {
		if bytes.Contains(out, []byte(key)) {
			t.Errorf("%s prints the secret", name)
		}
		if !bytes.Contains(out, []byte("secrets/aws-access-token")) {
			t.Errorf("%s does not name the finding", name)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for name, e := range samples() {
		out, err := JSON(e)
		if err != nil {
			t.Fatal(err)
		}
		var back Envelope
		if err := json.Unmarshal(out, &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(withIDs(e), back, cmpopts.IgnoreUnexported(Envelope{}), cmpopts.IgnoreFields(Line{}, "Objection"), cmpopts.IgnoreFields(Envelope{}, "Unsaid", "Head"), cmpopts.IgnoreFields(Challenge{}, "Shown"), cmpopts.IgnoreFields(Finding{}, "Places", "Asked", "Basis"), cmpopts.IgnoreFields(DecisionTrigger{}, "Path", "Line", "Says", "Asks"), cmpopts.IgnoreFields(Stats{}, "Causes"), cmpopts.IgnoreFields(Party{}),
			cmpopts.IgnoreFields(PartyOption{}, "Needs"), cmpopts.IgnoreFields(Decision{}, "Basis", "Asked")); diff != "" {
			t.Errorf("%s loses something: %s", name, diff)
		}
		nulls := regexp.MustCompile(`"(\w+)": null`).FindAllStringSubmatch(string(out), -1)
		for _, m := range nulls {
			if m[1] != "question" && m[1] != "rubric" && m[1] != "panel" && m[1] != "human" {
				t.Errorf("%s: %s is null", name, m[1])
			}
		}
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	e := rich()
	for i := range 2000 {
		e.P2 = append(e.P2, found(fmt.Sprint("F", i), debate.P2, "code", "x/y", strings.Repeat("täst ", 50), fmt.Sprint("f", i), 1, 1, strings.Repeat("ü", 900)))
	}
	for i := range 500 {
		e.Decisions[0].Triggers = append(e.Decisions[0].Triggers, DecisionTrigger{ID: "money", Detail: strings.Repeat(fmt.Sprint(i), 900)})
	}
	out := Markdown(e)
	if len(out) > MaxMarkdown || len(out) < MaxMarkdown/2 || !utf8.Valid(out) {
		t.Errorf("%d bytes", len(out))
	}
	for _, want := range []string{"parts left out", "has to decide whether this is merged", "Not reviewed by a model"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
}

// TestNotesCrowdOutNoDecision: what a human must decide is never left out.
func TestNotesCrowdOutNoDecision(t *testing.T) {
	t.Parallel()
	e := rich()
	e.Summary = strings.Repeat("\U00020000", MaxBody)
	for range 200 {
		e.P2 = append(e.P2, found("F9", debate.P2, "code", "x/y", "t", "f", 1, 1, strings.Repeat("ü", 900)))
	}
	for range MaxListed {
		e.Notes = append(e.Notes, strings.Repeat("\U00020000", MaxTitle))
		e.Decisions[0].Grouped = append(e.Decisions[0].Grouped, strings.Repeat("\U000E0041", MaxTitle)) // eleven bytes each when shown
		e.Decisions[0].Triggers = append(e.Decisions[0].Triggers, DecisionTrigger{ID: "money", Detail: strings.Repeat("\U00020000", MaxTitle)})
	}
	out := Markdown(e)
	if len(out) > MaxMarkdown || !bytes.Contains(out, []byte("has to decide whether this is merged")) || !bytes.Contains(out, []byte("left out")) {
		t.Errorf("%d bytes: the decision is missing, or the note about what is left out", len(out))
	}
}

// checkSinks renders e everywhere and looks for what a sink would act on.
func checkSinks(t interface{ Fatalf(string, ...any) }, e Envelope) {
	asJSON, err := JSON(e)
	if err != nil {
		t.Fatalf("%v", err)
	}
	asSARIF, err := SARIF(e)
	if err != nil {
		t.Fatalf("%v", err)
	}
	color := ansi.ReplaceAll(Text(e, TextOptions{Width: 40, Color: true}), nil)
	all := Text(e, TextOptions{Width: 40, Verbose: true})
	for name, out := range map[string][]byte{"text": color, "verbose": all, "markdown": Markdown(e), "html": HTML(e), "json": asJSON, "sarif": asSARIF} {
		if !utf8.Valid(out) {
			t.Fatalf("%s is no UTF-8", name)
		}
		for _, r := range string(out) {
			if !comment.Visible(r) && r != '\uFE0F' {
				t.Fatalf("%s holds U+%04X:\n%s", name, r, out)
			}
		}
		for _, line := range strings.Split(string(out), "\n") {
			start := strings.TrimLeftFunc(line, unicode.IsSpace)
			if strings.HasPrefix(start, "::") || strings.Contains(line, "##[") {
				t.Fatalf("%s holds a workflow command: %q", name, line)
			}
			if name == "markdown" && (regexp.MustCompile(`^/[A-Za-z]`).MatchString(start) || strings.Contains(line, "<!--")) {
				t.Fatalf("%s: %q", name, line)
			}
		}
	}
	checkMarkdown(t, Markdown(e))
}

// TestHostileText: no text from outside becomes a command of a terminal, a log
// or a bot in any rendering.
func TestHostileText(t *testing.T) {
	t.Parallel()
	checkSinks(t, samples()["hostile"])
	long.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"::x::y", "##[x]", "\n", "\x1b[2J", "\u202e", "/lgtm", "<!--", "@a", "```", " ", "<img>", "##", "[", "\r"}))
		s := strings.Join(rapid.SliceOfN(pieces, 1, 6).Draw(t, "s"), "")
		e := rich()
		e.Scope, e.Summary, e.Notes, e.Missing, e.Record = s, s, []string{s}, []string{s}, s
		e.P1[0].Title, e.P1[0].Body, e.P1[0].Quote, e.P1[0].Path, e.P1[0].Rule = s, s, s, s, s
		e.Decisions[0].Question, e.Decisions[0].Triggers[0].Detail = s, s
		e.Notices[0].Path, e.Notices[0].Text, e.Stats.NotReviewed = s, s, []string{s}
		checkSinks(t, e)
	})
}

// TestBreaksMakeNoCommand: a line that the report breaks may begin with what was
// harmless in its middle.
func TestBreaksMakeNoCommand(t *testing.T) {
	t.Parallel()
	e := rich()
	e.Summary = strings.Repeat("x", 38) + " ::error::x"
	out := string(Text(e, TextOptions{Width: 40}))
	if !strings.Contains(out, "\n<U+003A>:error::x\n") {
		t.Errorf("a command starts a line of\n%s", out)
	}
}

// ours is the only HTML of the report.
var ours = regexp.MustCompile(`^(<details><summary>[A-Za-z ,0-9()·$.]+</summary>|</details>)\n$`)

// checkMarkdown renders the report as GitHub does: the only HTML in it is its
// own, and nothing in it links or loads anything.
func checkMarkdown(t interface{ Fatalf(string, ...any) }, md []byte) {
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(md))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink, *ast.RawHTML:
			t.Fatalf("%s in\n%s", n.Kind(), md)
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				segment := n.Lines().At(i)
				if line := segment.Value(md); !ours.Match(line) {
					t.Fatalf("HTML %q in\n%s", line, md)
				}
			}
		}
		return ast.WalkContinue, nil
	})
}
