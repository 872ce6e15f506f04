package comment

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
)

var commandCases = []struct {
	name, body string
	want       Command
}{
	{"bare", "/debate", Command{Verb: Run}},
	{"bare with an end", "/debate \r\nthanks", Command{Verb: Run}},
	{"run", "/debate run", Command{Verb: Run}},
	{"review is run", "/debate review code quick", Command{Verb: Run, Scope: debate.TargetCode, Mode: debate.Quick}},
	{"run with both", "/debate run code quick", Command{Verb: Run, Scope: debate.TargetCode, Mode: debate.Quick}},
	{"in the other order", "/debate\trun  minimal\tmixed", Command{Verb: Run, Scope: debate.TargetMixed, Mode: debate.Minimal}},
	{"run a proposal", "/debate run proposal", Command{Verb: Run, Scope: debate.TargetProposal}},
	{"run standard", "/debate run standard", Command{Verb: Run, Mode: debate.Standard}},
	{"stop", "/debate stop", Command{Verb: Stop}},
	{"status", "/debate status\n\n> /debate stop", Command{Verb: Status}},
	{"long text below a command without text", "/debate status\n" + strings.Repeat("x", maxCommand), Command{Verb: Status}},
	{"help", "/debate help", Command{Verb: Help}},
	{"pause", "/debate pause", Command{Verb: Pause}},
	{"resume", "/debate resume", Command{Verb: Resume}},
	{"dispute", "/debate dispute F3 it is guarded above", Command{Verb: Dispute, Finding: "F3", Text: "it is guarded above"}},
	{"defend in a thread", "/debate defend it is guarded above", Command{Verb: Dispute, Text: "it is guarded above"}},
	{"over further lines", "/debate dispute F12\r\nfirst\r\n```go\nx\n```\n", Command{Verb: Dispute, Finding: "F12", Text: "first\n```go\nx\n```"}},
	{"a word like an id", "/debate dispute Fine, but F3 is wrong", Command{Verb: Dispute, Text: "Fine, but F3 is wrong"}},
	{"hidden text is not read", "/debate dispute F1 yes <!-- no\nno --> and\nyes<!-- rest", Command{Verb: Dispute, Finding: "F1", Text: "yes   and\nyes"}},
	{"hidden text makes no other", "/debate ask a<!<!-- x -->-- y -->b", Command{Verb: Ask, Text: "a<! -- y -->b"}},
	{"dismiss", "/debate dismiss F3 known, see the plan", Command{Verb: Dismiss, Finding: "F3", Text: "known, see the plan"}},
	{"explain", "/debate explain F3", Command{Verb: Explain, Finding: "F3"}},
	{"ask", "/debate ask is this safe?", Command{Verb: Ask, Text: "is this safe?"}},
	{"ask below", "/debate ask\nis this safe?", Command{Verb: Ask, Text: "is this safe?"}},
	{"ask framed", "/debate ask --framing red-team is this safe?", Command{Verb: Ask, Framing: debate.FramingRedTeam, Text: "is this safe?"}},
	{"decide", "/debate decide D0 keep the plan covers it", Command{Verb: Decide, Decision: "D0", Option: "keep", Text: "the plan covers it"}},
	{"decide the only one", "/debate decide keep the plan covers it", Command{Verb: Decide, Option: "keep", Text: "the plan covers it"}},
	{"decide, with an id in the reason", "/debate decide keep D1 says so", Command{Verb: Decide, Option: "keep", Text: "D1 says so"}},
	{"waive", "/debate waive destructive_schema table is empty", Command{Verb: Waive, Trigger: debate.TriggerDestructiveSchema, Text: "table is empty"}},
	{"other scripts in a text", "/debate dismiss F3 это известно", Command{Verb: Dismiss, Finding: "F3", Text: "это известно"}},
	{"too long", "/debate ask " + strings.Repeat("ä", 2000), Command{Verb: Ask, Text: strings.Repeat("ä", 1018), Cut: true}},
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range commandCases {
		got, ok, err := Parse(c.body)
		if !ok || err != nil {
			t.Errorf("%s: Parse = %v, %v", c.name, ok, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

var ignored = []string{
	"", "debate run", " /debate run", "\n/debate run", "> /debate run", "- /debate run", "```\n/debate run\n```", "    /debate run", "`/debate run`",
	"<!-- x -->\n/debate run", "<!--\n/debate run\n-->", "/Debate run", "/DEBATE", "/debatex", "/debate-run", "/debate/run", "/debate: run", "/debate\u00a0run",
	"/debate\u200b run", "/d\u0435bate run", "\ufeff/debate run", "\u2215debate run", "\uff0fdebate run", "please /debate run", "/debat", "\\/debate run",
	"**/debate run**", "[/debate](x) run", "/debate\vrun", "/debate\x00",
}

func TestNoCommand(t *testing.T) {
	t.Parallel()
	for _, body := range ignored {
		if c, ok, err := Parse(body); ok || err != nil || c != (Command{}) {
			t.Errorf("Parse(%q) = %+v, %v, %v", body, c, ok, err)
		}
	}
}

var malformed = []struct{ body, problem string }{
	{"/debate go", "no such command"}, {"/debate Run", "no such command"}, {"/debate quick", "no such command"}, {"/debate r\u0443n", "no such command"},
	{"/debate run auto", "may follow run"}, {"/debate run code proposal", "may follow run"}, {"/debate run quick quick", "may follow run"},
	{"/debate run --max-cost=0", "may follow run"}, {"/debate run\u00a0code", "no such command"}, {"/debate run code; stop", "may follow run"},
	{"/debate stop now", "nothing may stand"}, {"/debate status F3", "nothing may stand"}, {"/debate explain F3 please", "nothing may stand"}, {"/debate pause 1h", "nothing may stand"},
	{"/debate run" + strings.Repeat(" ", maxCommand), "nothing may stand"},
	{"/debate dispute", "does not say why"}, {"/debate dispute F3", "does not say why"}, {"/debate dispute F3 <!-- hidden -->", "does not say why"},
	{"/debate dispute F03 text", "id such as F3"}, {"/debate dispute f3 text", "id such as F3"}, {"/debate dispute C3 text", "id such as F3"}, {"/debate dispute F3: text", "id such as F3"},
	{"/debate dismiss", "id such as F3"}, {"/debate dismiss F3", "does not say why"}, {"/debate dismiss it is wrong", "id such as F3"}, {"/debate dismiss F123456 x", "id such as F3"},
	{"/debate explain", "id such as F3"}, {"/debate explain D1", "id such as F3"}, {"/debate ask", "missing"}, {"/debate ask --framing", "is one of"},
	{"/debate ask --framing vote x", "is one of propose"}, {"/debate ask --framing=propose x", "one option"}, {"/debate ask --model x y", "one option"},
	{"/debate ask --framing propose", "missing"},
	{"/debate decide", "no option"}, {"/debate decide keep", "does not say why"}, {"/debate decide d0 keep x", "id such as D1"}, {"/debate decide D1", "no option"}, {"/debate decide D1 keep", "does not say why"}, {"/debate decide D01 keep x", "id such as D1"},
	{"/debate decide D1 ke\u0435p x", "no option"}, {"/debate decide F1 keep x", "id such as D1"},
	{"/debate waive", "is one of"}, {"/debate waive everything x", "is one of architecture"}, {"/debate waive money", "does not say why"},
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range malformed {
		got, ok, err := Parse(c.body)
		var syntax *SyntaxError
		if !ok || !errors.As(err, &syntax) || got != (Command{}) {
			t.Errorf("Parse(%.60q) = %+v, %v, %v", c.body, got, ok, err)
			continue
		}
		if !strings.Contains(syntax.Problem, c.problem) || !strings.Contains(err.Error(), "/debate ") {
			t.Errorf("Parse(%.60q) says %q, want %q", c.body, err, c.problem)
		}
	}
}

// TestGuesses: what was almost a command is named, with what it was about.
func TestGuesses(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"/debate dismis F4 it is meant to be": "there is no such command. Did you mean `/debate dismiss F4 WHY`?",
		"/debate explane F12":                 "there is no such command. Did you mean `/debate explain F12`?",
		"/debate explane":                     "there is no such command. Did you mean `/debate explain F3`?",
		"/debate Run":                         "there is no such command. Did you mean `/debate run`?",
		"/debate reveiw":                      "there is no such command. Did you mean `/debate review`?",
		"/debate revue":                       "there is no such command. Did you mean `/debate review`?", // which is as near as resume
		"/debate defnd it is guarded":         "there is no such command. Did you mean `/debate dispute F3 WHY`?",
		"/debate ro":                          "there is no such command. `/debate help` lists all of them",
		"/debate decied keep it is fine":      "there is no such command. Did you mean `/debate decide OPTION WHY`?",
		"/debate merge":                       "there is no such command. `/debate help` lists all of them",
		"/debate go":                          "there is no such command. `/debate help` lists all of them",
		"/debate @everyone":                   "there is no such command. `/debate help` lists all of them",
		"/debate dismiss f4 known":            "a finding has an id such as F3. Did you mean `/debate dismiss F4 WHY`?",
		"/debate explain 7":                   "a finding has an id such as F3. Did you mean `/debate explain F7`?",
		"/debate dispute F3: it is guarded":   "a finding has an id such as F3. Did you mean `/debate dispute F3 WHY`?",
		"/debate dismiss F4":                  "it does not say why. Write `/debate dismiss F4 WHY`",
		"/debate dispute":                     "it does not say why. Write `/debate dispute F3 WHY`",
		"/debate ask":                         "the question is missing. Write `/debate ask QUESTION`",
		"/debate stop now":                    "nothing may stand after it. Write `/debate stop`",
	} {
		_, ok, err := Parse(body)
		if !ok || err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, f := range forms() {
		v := f.verb
		body := strings.NewReplacer("[code|proposal|mixed]", "code", "[quick|minimal|standard]", "quick", "OPTION", "keep", "[D1]", "D1",
			"REASON", "money", "[--framing NAME]", "--framing complete").Replace(v.Usage())
		c, ok, err := Parse(body)
		if !ok || err != nil || c.Verb != v {
			t.Errorf("the usage of %s is no command: Parse(%q) = %+v, %v, %v", v, body, c, ok, err)
		}
	}
}

// member is the grammar once more, as one expression over the first line.
var member = regexp.MustCompile(`^/debate[ \t\r]*$|^/debate[ \t\r]+(` +
	`(run|review)([ \t\r]+(code|proposal|mixed|quick|minimal|standard)){0,2}` +
	`|(stop|status|help|pause|resume)|explain[ \t\r]+F[1-9][0-9]{0,4})[ \t\r]*$` +
	`|^/debate[ \t\r]+((dispute|defend)|dismiss[ \t\r]+F[1-9][0-9]{0,4}|ask|decide([ \t\r]+D[0-9]{1,4})?[ \t\r]+[A-Za-z0-9][A-Za-z0-9._-]*|waive[ \t\r]+[a-z_]+)([ \t\r]|$)`)

// checkCommand reads s as a comment: only members of the grammar act.
func checkCommand(t reporter, s string) {
	for _, body := range []string{s, "/debate " + s, "/debate run " + s, "/debate dispute " + s, "/debate decide D1 keep " + s} {
		c, ok, err := Parse(body)
		if ok != regexp.MustCompile(`^/debate([ \t\r\n]|$)`).MatchString(body) {
			t.Fatalf("Parse(%q) takes it for a command: %v", body, ok)
		}
		if !ok || err != nil {
			var syntax *SyntaxError
			if c != (Command{}) || ok != errors.As(err, &syntax) {
				t.Fatalf("Parse(%q) = %+v, %v, %v", body, c, ok, err)
			}
			continue
		}
		first, _, _ := strings.Cut(hiddenText().ReplaceAllString(body, " "), "\n")
		form, known := formOf(c.Verb)
		if !member.MatchString(first) || !known {
			t.Fatalf("Parse(%q) = %+v, which is not in the grammar", body, c)
		}
		if (c.Text != "") != form.text || len(c.Text) > 3*maxCommand || strings.Contains(c.Text, "<!--") {
			t.Fatalf("Parse(%q) has the text %q", body, c.Text)
		}
	}
}

func TestCommandProperty(t *testing.T) {
	t.Parallel()
	words := []string{"/debate", "run", "stop", "code", "quick", "auto", "F3", "D1", "keep", "dispute", "dismiss", "ask", "--framing", "propose", "waive", "money", "decide", " ", "\n", "\t", "\u00a0", "<!--", "-->"}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(words), hostile()), 0, 8).Draw(t, "parts")
		checkCommand(t, strings.Join(parts, rapid.SampledFrom([]string{" ", ""}).Draw(t, "glue")))
	})
}

func FuzzParse(f *testing.F) {
	for _, c := range commandCases {
		f.Add(c.body)
	}
	for _, c := range malformed {
		f.Add(c.body)
	}
	for _, body := range ignored {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, s string) { checkCommand(t, s) })
}
