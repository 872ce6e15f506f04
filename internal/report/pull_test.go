package report

import (
	"bytes"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/long"
)

const repository = "https://git.test/acme/shop"

var reviewedHead = strings.Repeat("0a1b2c3d", 5)

// pulled is a pull request on which F1 has a thread and F3 has none.
func pulled() Pull {
	return Pull{
		RepositoryURL: repository, Number: 7, Title: "Bill by the hour", Head: reviewedHead,
		Inline:    map[string]bool{"F1": true},
		Links:     map[string]string{"F1": repository + "/pull/7#discussion_r11", "D0": repository + "/issues/8", "D1": "https://evil.test/x"},
		RecordURL: repository + "/actions/runs/1/artifacts/2", RecordHash: strings.Repeat("c0ffee", 10) + "c0ff",
		Gone:   []GoneFinding{{ID: "F2", Title: "An old race", Why: "gemini shows that it is fixed"}},
		Notes:  []string{"The token may not write checks."},
		Spent:  1_500_000,
		Author: "ada", Deciders: debate.WriteAccess,
		Hits: map[string][]Hit{"D0": {{Path: "a.go", Side: debate.Right, Line: 10, Says: "it changes what is billed", Text: "\ttotal += rate(i) * hours"}}},
	}
}

var asked = []string{"ada", "@acme/owners", "no one", "a@b.co", "[x](y)"}

// recorded are the outcomes of the recorded debates.
func recorded(t interface{ Fatal(...any) }) map[string]Envelope {
	paths, err := filepath.Glob("../../testdata/replay/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recorded debates", err)
	}
	out := make(map[string]Envelope)
	for _, path := range paths {
		record, err := store.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		state, err := debate.Fold(record.Entries)
		if err != nil {
			t.Fatal(path, err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".jsonl")] = FromState(state)
	}
	return out
}

// renderings are all that can stand on a pull request, by name, as Markdown.
func renderings(e Envelope, p Pull, asked []string) map[string]func() []byte {
	conclusion, why := e.Conclusion, e.ConclusionWhy
	out := map[string]func() []byte{
		"summary": func() []byte { return Summary(e, p, conclusion, why) },
		"check": func() []byte {
			_, summary, _ := CheckOutput(e, p, conclusion, why)
			return []byte(summary)
		},
		"status": func() []byte { return Status(e, p, conclusion, why) },
		"answer": func() []byte { return Answer(e, p) }, "help": Help, "refused": func() []byte { return Refused(e.OutcomeReason) },
		"withdrawn":  func() []byte { return IssueWithdrawn(e.SameFamily, e.OutcomeReason) },
		"superseded": func() []byte { return IssueSuperseded(p, p.Head) },
		"again":      func() []byte { return AskedAnew(p, p.Head, e.OutcomeReason) },
		"outvoted":   func() []byte { return Outvoted(e.OutcomeReason, p.Author, why) },
		"undone":     func() []byte { return Undone(e.OutcomeReason, why) }, "unknown": func() []byte { return Explain(e, e.OutcomeReason+"?", p) },
	}
	for _, g := range p.Gone {
		out["gone"] = func() []byte { return GoneNote(g) }
	}
	for _, findings := range e.Lists() {
		for _, f := range *findings {
			out["inline "+f.ID] = func() []byte { return Inline(e, f.ID, p) }
			out["explain "+f.ID] = func() []byte { return Explain(e, f.ID, p) }
		}
	}
	for _, d := range e.Decisions {
		out["items "+d.ID] = func() []byte {
			ids := []string{d.ID}
			for _, other := range e.Decisions {
				if other.ID != d.ID {
					ids = append(ids, other.ID)
				}
			}
			_, body := Issue(e, ids, p, asked...)
			return body
		}
		out["item "+d.ID] = func() []byte {
			_, body := Issue(e, []string{d.ID}, p, asked...)
			return body
		}
		out["decided "+d.ID] = func() []byte { return IssueDecided(e, d.ID, p, false) }
		out["answered "+d.ID] = func() []byte { return IssueDecided(e, d.ID, p, true) }
	}
	return out
}

// sheets are all renderings.
func sheets(e Envelope, p Pull, asked []string) map[string][]byte {
	out := make(map[string][]byte)
	for name, render := range renderings(e, p, asked) {
		out[name] = render()
	}
	return out
}

// onThePullRequest adds all pages in Markdown.
func onThePullRequest(t *testing.T, samples map[string]Envelope, pages map[string][]byte) {
	t.Helper()
	p := pulled()
	all := sheets(samples["contested"], p, asked)
	for _, name := range []string{"summary", "check", "status", "help", "inline F1", "gone", "explain F4", "item D0", "item D1", "decided D1", "superseded"} {
		pages["pull "+name] = all[name]
	}
	for name, e := range recorded(t) {
		pages["pull summary "+name] = Summary(e, p, e.Conclusion, e.ConclusionWhy)
	}
	pages["pull answer"] = Answer(samples["question"], p)
	pages["markdown question"], pages["markdown rich"] = Markdown(samples["question"]), Markdown(samples["rich"])
	namedDebates(t, pages)
	disputed(t, pages)
	issues(pages)
}

// TestWordsOfModelsStay: a rendering changes nothing of what models wrote, as if it were an
// id of ours, and nothing of the envelope.
func TestWordsOfModelsStay(t *testing.T) {
	t.Parallel()
	const words = "See F10 and C1: pass -std=C11, as the C4 diagram says."
	s := contested()
	s.Book.Claims[0].Body = words
	e := FromState(s)
	before, err := JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	all := sheets(e, pulled(), asked)
	for _, part := range []string{"inline F1", "explain F1"} {
		if !bytes.Contains(all[part], []byte(words)) {
			t.Errorf("%s has no %q:\n%s", part, words, all[part])
		}
	}
	if after, err := JSON(e); err != nil || !bytes.Equal(before, after) {
		t.Errorf("rendering changed the envelope (%v): %s", err, cmp.Diff(string(before), string(after)))
	}
}

// TestWaysToAnswer: an item says what each way to answer it means, whatever is
// recommended.
func TestWaysToAnswer(t *testing.T) {
	t.Parallel()
	merge := []string{
		"| merge it as it is | approve #7 · close this issue as completed · `/debate decide keep WHY` |",
		"| changes first | request changes on #7 · `/debate decide revise WHY` |",
		"| do not merge | close this issue as not planned · `/debate decide reject WHY` |", "duplicate decides nothing",
	}
	for name, c := range map[string]struct {
		change func(d *Decision)
		want   []string
	}{
		"recommended":       {func(*Decision) {}, merge},
		"the status quo":    {func(d *Decision) { d.Recommendation = "reject" }, merge},
		"nothing":           {func(d *Decision) { d.Recommendation = "continue" }, merge},
		"what is no option": {func(d *Decision) { d.Recommendation = "explode" }, merge},
		"other options": {func(d *Decision) { d.Options = d.Options[:2] }, []string{
			"| keep: merge the change as proposed | `/debate decide keep WHY` |", "Closing this issue answers nothing.",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e := FromState(contested())
			c.change(&e.Decisions[0])
			title, body := Issue(e, []string{"D0"}, pulled(), asked...)
			for _, want := range c.want {
				if !strings.Contains(string(body), want) {
					t.Errorf("%q is not in %s", want, body)
				}
			}
			recommends := strings.Count(string(body), "**Recommended: ") + strings.Count(string(body), "**Nothing is recommended")
			if recommends != 1 {
				t.Errorf("%d recommendations in %s", recommends, body)
			}
			if title != "Decide: merge #7? It touches money" {
				t.Errorf("title %q", title)
			}
		})
	}
}

// TestItemIsComplete: who reads the item alone can decide (R045-R047).
func TestItemIsComplete(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	e.Stats.Parts = []string{"big.go:1-900: too large"}
	_, body := Issue(e, []string{"D0"}, pulled(), asked...)
	for _, want := range []string{
		"[#7 Bill by the hour](<" + repository + "/pull/7>)", "[a.go:10](<" + repository + "/blob/" + reviewedHead + "/a.go#L10>)", "total += rate(i) * hours", "| do not merge | close this issue as not planned · `/debate decide reject WHY` |",
		"Is the old format still read?", "gemini would not merge it: \"two changes in one\" (no line quoted)", "F1 P1 The index", "It assumes: the plan changes.",
		"To find out: ask the owner.", "mallory: no write access", "big.go:1-900: too large", reviewedHead, "cc @ada, @acme/owners\n",
	} {
		if !bytes.Contains(body, []byte(want)) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	e.Decisions[1].Outcome = debate.AwaitingHuman
	_, body = Issue(e, []string{"D1"}, pulled())
	for _, want := range []string{"gemini as the judge for risk chooses no cache: \"a cache hides errors\"", "The judges recommend LRU", "Not scored: the budget allowed no scores"} {
		if !bytes.Contains(body, []byte(want)) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

// A finding that was fixed stands in one list, not among what was withdrawn or refuted, too.
func TestWhatIsFixedIsToldOnce(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	e.Dismissed[0].BucketReason = string(debate.ReasonFixed)
	for id, folded := range map[string]bool{e.Dismissed[0].ID: false, "F77": true} {
		p := pulled()
		p.Gone = []GoneFinding{{ID: id, Title: "A race", Why: "gemini shows that it is fixed"}}
		out := Summary(e, p, debate.Neutral, "")
		if got := bytes.Contains(out, []byte("<summary>Fixed (1)")); got != folded {
			t.Errorf("%s is gone, and the fold is there: %v\n%s", id, got, out)
		}
	}
}

// TestSummaryIsShort: what stands in a thread or in an issue is only linked,
// and the truth gain and the history of the position are in the report.
func TestSummaryIsShort(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	out := string(Summary(e, pulled(), e.Conclusion, e.ConclusionWhy))
	for _, want := range []string{
		"| **P1** F1 | [a.go:10](<" + repository + "/pull/7#discussion_r11>) | The index runs past the end |\n", "**P2** F3 | `pull request text:4`", "gpt asks for changes, gemini would not merge it",
		"To settle it: heap after one hour", "has to decide whether this is merged", "The token may not write checks", `All reviews of this pull request: \$1.50`, "SHA-256 `c0ffeec`",
		"Prompt for a coding agent: `debate report RECORD --format agent`",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, no := range []string{"ruth gain", "Version 1", "it changes what is billed\n\n", "evil.test", "Repair what debate found"} {
		if strings.Contains(out, no) {
			t.Errorf("%q in\n%s", no, out)
		}
	}
	if len(out) > 6_000 {
		t.Errorf("%d bytes", len(out))
	}
}

// TestSecretsStayWithheld: no quote or suggestion of a line with a secret is
// published, not even by a finding beside it.
func TestSecretsStayWithheld(t *testing.T) {
	t.Parallel()
	e := rich()
	e.P2[1].Suggestion = "export KEY=" + key
	e = ready(e)
	for name, out := range sheets(e, Pull{}, nil) {
		if bytes.Contains(out, []byte(key)) {
			t.Errorf("%s prints the secret:\n%s", name, out)
		}
	}
	if f := e.P2[1]; f.Suggestion != "" || f.Quote != withheld {
		t.Errorf("publishable: %+v", f)
	}
}

// TestHugePull: every rendering keeps its bound, and says what it leaves out.
func TestHugePull(t *testing.T) {
	t.Parallel()
	for _, long := range []string{strings.Repeat("x", 5_000), strings.Repeat("\U000E0041", 1_000), strings.Repeat("\U00020000*", 2_000)} {
		e := poisoned(long)
		p := Pull{RepositoryURL: repository, Head: reviewedHead, Title: long, Room: 18_000}
		for range 25 {
			e.P1, e.Unresolved = append(e.P1, e.P1[0]), append(e.Unresolved, e.Unresolved[0])
			p.Notes, e.Stats.Parts, p.Gone = append(p.Notes, long), append(e.Stats.Parts, long), append(p.Gone, GoneFinding{long, long, long})
			d := &e.Decisions[0]
			d.Triggers, d.Options, d.Grouped = append(d.Triggers, d.Triggers[0]), append(d.Options, d.Options[0]), append(d.Grouped, d.Grouped[0])
			d.Rubric.Sheets = append(d.Rubric.Sheets, d.Rubric.Sheets[0])
		}
		for range 3 { // as many decisions as a debate has by default
			e.Decisions = append(e.Decisions, e.Decisions[0])
		}
		for name, out := range sheets(e, p, asked) {
			most := map[string]int{"summary": 18_000, "check": maxCheckText, "status": MaxMarkdown, "inline": maxThread, "explain": maxReply}[strings.Fields(name)[0]]
			if most == 0 {
				most = MaxMarkdown
			}
			if len(out) > most || !utf8.Valid(out) {
				t.Errorf("%s has %d bytes", name, len(out))
			}
		}
		if out := Summary(e, p, "", ""); !bytes.Contains(out, []byte("has to decide")) || !bytes.Contains(out, []byte("left out")) {
			t.Errorf("the decision is missing, or what is left out:\n%s", out)
		}
		title, summary, notes := CheckOutput(e, p, "", long)
		if utf8.RuneCountInString(title) > maxCheckTitle || summary == "" || len(notes) > MaxCheckNotes {
			t.Errorf("check: %q, %d notes", title, len(notes))
		}
	}
}

// TestOddStates: whatever a run ended with, something is said, and never that all
// is well.
func TestOddStates(t *testing.T) {
	t.Parallel()
	good := regexp.MustCompile(`(?i)looks good|lgtm|all clear|passed`)
	for name, e := range samples() {
		if name == "hostile" { // it quotes such words
			continue
		}
		for part, out := range sheets(e, pulled(), asked) {
			if m := good.Find(out); m != nil || len(out) == 0 && !strings.HasPrefix(part, "decided") && !strings.HasPrefix(part, "answered") {
				t.Errorf("%s %s: %q in %q", name, part, m, out)
			}
		}
	}
	if out := string(Status(Envelope{}, Pull{}, "", "")); !strings.Contains(out, "No review has been published") {
		t.Error(out)
	}
	if out := Inline(Envelope{}, "F1", Pull{}); out != nil {
		t.Errorf("an inline comment of nothing: %q", out)
	}
	if _, out := Issue(Envelope{}, []string{"D0"}, Pull{}); out != nil {
		t.Errorf("an item of nothing: %q", out)
	}
	for stage, want := range map[debate.Stage]string{"": "starting", debate.StageOpening: "reviewing", debate.StageRebut: "debating, round 2, 1 call so far", debate.StageDone: "finished"} {
		s := debate.State{Stage: stage}
		if strings.Contains(want, "round") {
			s.Talk.Exchange, s.Asking.Calls = 2, make([]debate.Call, 1)
		}
		if got := Progress(s); got != want {
			t.Errorf("%s: %q, want %q", stage, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	p := Pull{RepositoryURL: repository, Head: "abc"}
	for path, want := range map[string]string{
		"a.go": repository + "/blob/abc/a.go#L3-L5", "@types/a b(1).ts": repository + "/blob/abc/@types/a%20b%281%29.ts#L3-L5", "../../x": "", "/x": "", "a//b": "", "": "", debate.BodyPath: "",
		"a?b#c": repository + "/blob/abc/a%3Fb%23c#L3-L5",
	} {
		got := p.place(Finding{Path: path, Line: 3, EndLine: 5})
		if linked := strings.HasSuffix(got, "](<"+want+">)"); linked != (want != "") || !linked && strings.Contains(got, "](") {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// checkPulled renders one Markdown as GitHub does and looks for everything that
// must not come of text from outside.
func checkPulled(t interface{ Fatalf(string, ...any) }, name string, md []byte) {
	md = bytes.Replace(md, []byte(comment.Foot+"\n"), nil, 1) // is ours
	if !utf8.Valid(md) || bytes.Contains(md, []byte("<!--")) {
		t.Fatalf("%s holds a marker or no text:\n%s", name, md)
	}
	for _, line := range strings.Split(string(md), "\n") {
		trimmed := strings.TrimLeftFunc(line, unicode.IsSpace)
		start := strings.TrimLeft(trimmed, ">*-+ ") // bots look behind marks, the runner does not
		if strings.HasPrefix(trimmed, "::") || strings.Contains(line, "##[") || regexp.MustCompile(`^/[A-Za-z]`).MatchString(start) {
			t.Fatalf("%s holds a command: %q", name, line)
		}
		for _, r := range line {
			if !comment.Visible(r) && r != '\uFE0F' {
				t.Fatalf("%s holds U+%04X: %q", name, r, line)
			}
		}
	}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(md))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image, *ast.AutoLink:
			t.Fatalf("%s: %s in\n%s", name, n.Kind(), md)
		case *ast.RawHTML:
			if tag := string(n.Segments.Value(md)); tag != "<sub>" && tag != "</sub>" {
				t.Fatalf("%s: %s in\n%s", name, tag, md)
			}
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), "https://git.test/") {
				t.Fatalf("%s links to %s in\n%s", name, n.Destination, md)
			}
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				segment := n.Lines().At(i)
				if line := segment.Value(md); !ours.Match(line) {
					t.Fatalf("%s: HTML %q in\n%s", name, line, md)
				}
			}
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if said := n.Segment.Value(md); regexp.MustCompile(`[@\x{FF20}\x{FE6B}]|(^|[^\\&])#[0-9]|://`).Match(said) {
				t.Fatalf("%s notifies or links by %q in\n%s", name, said, md)
			}
		}
		return ast.WalkContinue, nil
	})
}

// TestHostilePull: no text from outside becomes a mention, a command, a link, an
// image or HTML on a pull request or in an issue.
func TestHostilePull(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Fatalf(string, ...any) }, bad string, some func(names []string) []string) {
		e := poisoned(bad)
		p := Pull{
			RepositoryURL: repository, Number: 7, Title: bad, Head: bad, Inline: map[string]bool{bad: true},
			Links: map[string]string{bad: bad, "D0": repository + "/" + bad}, RecordURL: bad, RecordHash: bad,
			Gone: []GoneFinding{{bad, bad, bad}}, Notes: []string{bad}, SpentUnknown: true, Author: bad, Deciders: debate.Permission(bad),
			Hits: map[string][]Hit{"D0": {{Path: bad, Side: debate.Right, Line: 3, Says: bad, Text: bad}}},
			News: map[string]News{"D0": {By: bad, Option: bad, Head: bad, Found: []string{bad, bad}}},
		}
		all := renderings(e, p, nil)
		for _, name := range some(slices.Sorted(maps.Keys(all))) {
			checkPulled(t, name, all[name]())
		}
		if title, _ := Issue(e, []string{bad}, p); strings.ContainsAny(title, "@＠﹫\n") || utf8.RuneCountInString(title) > maxItemTitle {
			t.Fatalf("title %q", title)
		}
	}
	for _, bad := range []string{
		"\x1b[31mred\x1b[0m \u202egpj.exe\n## Heading ##[add-mask]x\n::error::x\n/lgtm\n@org/team <img src=x> ![i](http://evil.test/?d=1) [l](http://evil.test) Closes #1 <!-- debate:summary v1 -->",
		"</details>\n<details open><summary>x</summary>", "| a | b |\n|---|---|\n| @c | `d|e` |", "`", "**", "_", "\n\n---\n", "| `x | @y |", `\|`, "::x", "/debate decide D0 keep", "- [ ] x", "~~", "](<http://evil.test>)", "https://git.test.evil.test/",
	} {
		check(t, bad, func(names []string) []string { return names })
	}
	long.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"::x::y", "##[x]", "\n", "\x1b[2J", "\u202e", "/lgtm", "<!--", "@a", "＠b", "```", " ", "<img>", "##", "[", "](", ")", ">", "<", "\r", "|", "`", "\\", "</details>", "#1", "deadbeef", "~~", "http://evil.test", "https://git.test/", "F1", "1."}))
		check(t, strings.Join(rapid.SliceOfN(pieces, 1, 6).Draw(t, "s"), ""), func(names []string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(names), 4, 4, rapid.ID).Draw(t, "names")
		})
	})
}

// TestTryAgain: the summary of a review without a model says how to start it again. Without
// any model of the settings, or where models are forbidden, that would change nothing.
func TestTryAgain(t *testing.T) {
	t.Parallel()
	failed := Party{ID: "gpt", Role: string(debate.Primary), Status: string(debate.PartyError), Detail: "too many requests"}
	for name, c := range map[string]struct {
		e    Envelope
		want bool
	}{
		"failed":      {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{failed}}, true},
		"no model":    {Envelope{Outcome: debate.DegradedLocal}, false},
		"forbidden":   {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{failed}, Forbidden: debate.ForMoney}, false},
		"one is left": {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{failed}, Alone: true}, false},
		"debated":     {Envelope{Outcome: debate.Consensus, Parties: []Party{failed}}, false},
	} {
		text := string(Summary(c.e, Pull{Number: 7}, debate.Neutral, ""))
		if got := strings.Contains(text, "Someone with write access can comment /debate run to try again."); got != c.want {
			t.Errorf("%s: %t\n%s", name, got, text)
		}
	}
}
