package comment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

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
	{"too long", "/debate ask " + strings.Repeat("ä", 2000), Command{Verb: Ask, Text: strings.Repeat("ä", 1024)}},
	{"after a blank", " /debate run", Command{Verb: Run}},
	{"after empty lines", "\n \r\n/debate run", Command{Verb: Run}},
	{"after a sentence", "Looks good to me.\n\n/debate dismiss F1 known", Command{Verb: Dismiss, Finding: "F1", Text: "known"}},
	{"after what is not seen", "\ufeff\u200b/debate run", Command{Verb: Run}},
	{"after a hidden line", "<!-- x -->\n/debate run", Command{Verb: Run}},
	{"in capitals", "/Debate Run", Command{Verb: Run}},
	{"in capitals alone", "/DEBATE", Command{Verb: Run}},
	{"an id in small letters", "/debate dismiss f3 known", Command{Verb: Dismiss, Finding: "F3", Text: "known"}},
	{"an id before a mark", "/debate dispute F3: it is guarded", Command{Verb: Dispute, Finding: "F3", Text: "it is guarded"}},
	{"an id before a question mark", "/debate explain F3?", Command{Verb: Explain, Finding: "F3"}},
	{"a decision in small letters", "/debate decide d0: keep, it is planned", Command{Verb: Decide, Decision: "D0", Option: "keep", Text: "it is planned"}},
	{"a reason to ask in capitals", "/debate waive Money: known", Command{Verb: Waive, Trigger: debate.TriggerMoney, Text: "known"}},
	{"a mode in capitals", "/debate run Quick", Command{Verb: Run, Mode: debate.Quick}},
	{"a mark after the word", "/debate: run", Command{Verb: Run}},
	{"a line break after the word", "/debate\r\npause", Command{Verb: Pause}},
	{"a line break before the verb and one after it", "/debate\nask\nis this safe?", Command{Verb: Ask, Text: "is this safe?"}},
	{"the word alone before text", "/debate\nrunning late, sorry", Command{Verb: Run}},
	{"parted by another blank", "/debate\u00a0dismiss\u3000F1\u00a0known", Command{Verb: Dismiss, Finding: "F1", Text: "known"}},
	{"with what is not seen in it", "/debate\u200b r\u200bun", Command{Verb: Run}},
	{"blanks after it", "/debate stop" + strings.Repeat(" ", maxCommand), Command{Verb: Stop}},
	{"a reason on several lines", "/debate dismiss F1\r\nknown,\n\n- see the plan\n", Command{Verb: Dismiss, Finding: "F1", Text: "known, - see the plan"}},
	{"a reason about another finding", "/debate dismiss F1 the same as F2, see /debate docs\n`/debate stop`", Command{Verb: Dismiss, Finding: "F1", Text: "the same as F2, see /debate docs `/debate stop`"}},
	{"of a decision", "/debate decide keep first\nsecond", Command{Verb: Decide, Option: "keep", Text: "first second"}},
	{"of a waiver", "/debate waive money first\n\tsecond", Command{Verb: Waive, Trigger: debate.TriggerMoney, Text: "first second"}},
	{"an item of a list", "- /debate run", Command{Verb: Run}},
	{"a numbered item", " 2. /debate dismiss F1 known", Command{Verb: Dismiss, Finding: "F1", Text: "known"}},
	{"an item with a box", "* [ ] /debate run", Command{Verb: Run}},
	{"code in a reason", "/debate dispute F1 see\n```\n/debate stop\n```\n> /debate pause\n    /debate pause", Command{Verb: Dispute, Finding: "F1", Text: "see\n```\n/debate stop\n```\n> /debate pause\n    /debate pause"}},
}

// parseOne reads a comment with one command at most.
func parseOne(body string) (Command, bool, error) {
	switch all := Parse(body); len(all) {
	case 0:
		return Command{}, false, nil
	case 1:
		return all[0].Command, true, all[0].Wrong
	default:
		return Command{}, true, fmt.Errorf("%d commands", len(all))
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range commandCases {
		got, ok, err := parseOne(c.body)
		if !ok || err != nil {
			t.Errorf("%s: Parse = %v, %v", c.name, ok, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

var ignored = []string{
	"", "debate run", "> /debate run", "- > /debate run", "-     /debate run", "```\n/debate run\n```", "    /debate run", "\t/debate run", " \t/debate run", "`/debate run`",
	"<!--\n/debate run\n-->", "/debatex", "/debate-run", "/debate/run", "/debate\u200brun",
	"/d\u0435bate run", "\u2215debate run", "\uff0fdebate run", "please /debate run", "/debat", "\\/debate run",
	"**/debate run**", "[/debate](x) run", "- ```\n  /debate run\n  ```", "text\n\n    code\n    /debate run", "```\n- ```\n/debate run\n```", "To stop, write\n    /debate stop", "text\n~~~\n/debate run\n~~~\n> quoted\n> /debate run", "<!-- never closed\n/debate run",
}

func TestNoCommand(t *testing.T) {
	t.Parallel()
	for _, body := range ignored {
		if c, ok, err := parseOne(body); ok || err != nil || c != (Command{}) {
			t.Errorf("Parse(%q) = %+v, %v, %v", body, c, ok, err)
		}
	}
}

var malformed = []struct{ body, problem string }{
	{"/debate go", "no such command"}, {"/debate quick", "no such command"}, {"/debate r\u0443n", "no such command"},
	{"/debate run auto", "may follow run"}, {"/debate run code proposal", "may follow run"}, {"/debate run quick quick", "may follow run"},
	{"/debate run --max-cost=0", "may follow run"}, {"/debate run code; stop", "may follow run"},
	{"/debate stop now", "it takes no more words"}, {"/debate status F3", "it takes no more words"}, {"/debate explain F3 please", "it takes no more words"}, {"/debate pause 1h", "it takes no more words"},
	{"/debate dispute", "does not say why"}, {"/debate dispute F3", "does not say why"}, {"/debate dispute F3 <!-- hidden -->", "does not say why"},
	{"/debate dispute F03 text", "id such as F3"}, {"/debate dispute C3 text", "id such as F3"},
	{"/debate dismiss F1 F2 known", "one finding"}, {"/debate dismiss F1 and F2 known", "one finding"}, {"/debate dismiss F1 & F2 known", "one finding"}, {"/debate dispute F1 F2 known", "one finding"}, {"/debate explain F1 F2", "one finding"}, {"/debate dismiss F1, F2 known", "one finding"}, {"/debate dismiss F1 + f2 known", "one finding"},
	{"/debate dismiss F1 known /debate dismiss F2 meant", "one command"}, {"/debate decide keep fine /Debate waive money known", "one command"}, {"/debate dismiss F1 known<br>/debate dismiss F2 meant", "one command"},
	{"/debate dismiss", "id such as F3"}, {"/debate dismiss F3", "does not say why"}, {"/debate dismiss it is wrong", "id such as F3"}, {"/debate dismiss F123456 x", "id such as F3"},
	{"/debate explain", "id such as F3"}, {"/debate explain D1", "id such as F3"}, {"/debate ask", "missing"}, {"/debate ask --framing", "is one of"},
	{"/debate ask --framing vote x", "is one of propose"}, {"/debate ask --framing=propose x", "one option"}, {"/debate ask --model x y", "one option"},
	{"/debate ask --framing propose", "missing"},
	{"/debate decide", "no option"}, {"/debate decide keep", "does not say why"}, {"/debate decide D1", "no option"}, {"/debate decide D1 keep", "does not say why"}, {"/debate decide D01 keep x", "id such as D1"},
	{"/debate decide D1 ke\u0435p x", "no option"}, {"/debate decide F1 keep x", "id such as D1"},
	{"/debate waive", "is one of"}, {"/debate waive everything x", "is one of architecture"}, {"/debate waive money", "does not say why"},
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range malformed {
		got, ok, err := parseOne(c.body)
		if !ok || err == nil || got != (Command{}) {
			t.Errorf("Parse(%.60q) = %+v, %v, %v", c.body, got, ok, err)
			continue
		}
		problem, _, _ := strings.Cut(err.Error(), ". ")
		if !strings.Contains(problem, c.problem) || !strings.Contains(err.Error(), "/debate ") {
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
		"/debate reveiw":                      "there is no such command. Did you mean `/debate run`?",
		"/debate revue":                       "there is no such command. Did you mean `/debate run`?", // "review", which is as near as resume
		"/debate defnd it is guarded":         "there is no such command. Did you mean `/debate dispute F3 WHY`?",
		"/debate ro":                          "there is no such command. `/debate help` lists all of them",
		"/debate decied keep it is fine":      "there is no such command. Did you mean `/debate decide OPTION WHY`?",
		"/debate merge":                       "there is no such command. `/debate help` lists all of them",
		"/debate go":                          "there is no such command. `/debate help` lists all of them",
		"/debate @everyone":                   "there is no such command. `/debate help` lists all of them",
		"/debate dismiss F4,F5 known":         "a finding has an id such as F3. Write `/debate dismiss F3 WHY`",
		"/debate explain 7":                   "a finding has an id such as F3. Write `/debate explain F3`",
		"/debate dismiss F4":                  "it does not say why. Write `/debate dismiss F4 WHY`",
		"/debate dispute":                     "it does not say why. Write `/debate dispute F3 WHY`",
		"/debate ask":                         "the question is missing. Write `/debate ask QUESTION`",
		"/debate stop now":                    "it takes no more words. Write `/debate stop`",
	} {
		_, ok, err := parseOne(body)
		if !ok || err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, spec := range Commands() {
		v := spec.Verb
		body := strings.NewReplacer("[code|proposal|mixed]", "code", "[quick|minimal|standard]", "quick", "OPTION", "keep", "[D1]", "D1",
			"REASON", "money", "[--framing NAME]", "--framing complete").Replace(v.Usage())
		c, ok, err := parseOne(body)
		if !ok || err != nil || c.Verb != v {
			t.Errorf("the usage of %s is no command: Parse(%q) = %+v, %v, %v", v, body, c, ok, err)
		}
	}
}

// TestSeveral: each line that begins with the word gives a command, with its own text.
func TestSeveral(t *testing.T) {
	t.Parallel()
	got := Parse("Thanks.\n/debate dismiss F1 known\nfor long\n\n  /Debate dismiss F2 meant\n/debate explane F3\n> /debate stop\n/debate status\nBye.\n```\n/debate stop\n```\n/debate pause")
	want := []Command{
		{Verb: Dismiss, Finding: "F1", Text: "known for long"}, {Verb: Dismiss, Finding: "F2", Text: "meant"}, {}, {Verb: Status}, {Verb: Pause},
	}
	for i, g := range got {
		if i >= len(want) || g.Command != want[i] || (g.Wrong != nil) != (i == 2) {
			t.Errorf("command %d: %+v, %v", i+1, g.Command, g.Wrong)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d commands, want %d", len(got), len(want))
	}
	for _, body := range []string{
		"- /debate dismiss F1 known\n    - /debate dismiss F2 meant", "/debate dismiss F1 known\n    /debate dismiss F2 meant", "/debate dismiss F1 known\n\t/debate dismiss F2 meant",
	} {
		if all := Parse(body); len(all) != 2 || all[0].Text != "known" || all[1].Text != "meant" {
			t.Errorf("Parse(%q) = %+v", body, all)
		}
	}
	many := Parse(strings.Repeat("/debate status\n", 3*maxCommands))
	if end := many[len(many)-1]; len(many) != maxCommands+1 || end.Verb != "" || !strings.Contains(end.Wrong.Error(), "20 commands") {
		t.Errorf("%d commands, and at last %+v", len(many), end)
	}
}

// TestCommandAsWritten: a command is shown as it may be written.
func TestCommandAsWritten(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"/debate": "/debate run", "/DEBATE Run quick code": "/debate run code quick", "/debate dismiss F1 known": "/debate dismiss F1",
		"/debate decide D1 keep it is fine": "/debate decide D1 keep", "/debate waive money x": "/debate waive money", "no command": "",
	} {
		if c, _, _ := parseOne(body); c.String() != want {
			t.Errorf("%s: %q, want %q", body, c, want)
		}
	}
}

// member is the grammar once more, as one expression over the first line of a command as
// readers see it.
var member = regexp.MustCompile(`(?i)^ *(?:(?:[-*+]|[0-9]+[.)]) +(?:\[[ x]\] )?)?(?:/debate[:,]* *$|/debate[:,]* +(` +
	`(run|review)( +(?:code|proposal|mixed|quick|minimal|standard)){0,2}` +
	`|(stop|status|help|pause|resume)|explain +F[1-9][0-9]{0,4}[:,.;?!]*) *$` +
	`|/debate[:,]* +((dispute|defend)|dismiss +F[1-9][0-9]{0,4}[:,.;?!]*|ask|decide( +D[0-9]{1,4}[:,.;?!]*)? +[A-Za-z0-9][A-Za-z0-9._-]*[:,;]*|waive +[a-z_]+[:,;]*)( |$))`)

// asSeen is a line without what readers do not see, and with plain blanks.
func asSeen(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !Visible(r):
			return -1
		}
		return r
	}, line)
}

// checkCommand reads s as a comment: only members of the grammar act.
func checkCommand(t reporter, s string) {
	for _, body := range []string{s, "/debate " + s, "/debate run " + s, "/debate dispute " + s, "/debate decide D1 keep " + s} {
		all := Parse(body)
		clean := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(body, "\uFFFD"))
		var lines []string
		for line := range strings.SplitSeq(hiddenText().ReplaceAllString(clean, " "), "\n") {
			lines = append(lines, asSeen(line))
		}
		if len(all) > maxCommands+1 || len(all) > len(lines) {
			t.Fatalf("Parse(%q) gives %d commands", body, len(all))
		}
		for _, g := range all {
			if g.Wrong != nil {
				if g.Command != (Command{}) {
					t.Fatalf("Parse(%q) gives %+v, %v", body, g.Command, g.Wrong)
				}
				continue
			}
			spec := g.Verb.Spec()
			if !slices.ContainsFunc(lines, member.MatchString) || spec.Verb == "" {
				t.Fatalf("Parse(%q) gives %+v, which is not in the grammar", body, g.Command)
			}
			if (g.Text != "") != spec.Text || len(g.Text) > maxCommand || strings.Contains(g.Text, "<!--") || spec.Others && strings.ContainsAny(g.Text, "\n\t") {
				t.Fatalf("Parse(%q) has the text %q", body, g.Text)
			}
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
