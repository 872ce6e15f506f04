package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// played is a script of package debatetest as a debate that has ended.
func played(t *testing.T, name string) debate.State {
	t.Helper()
	script, err := debatetest.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := debatetest.Run(script, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// all are the findings of an envelope in the order in which reports list them.
func all(e Envelope) []Finding {
	var out []Finding
	for _, list := range e.Lists() {
		out = append(out, *list...)
	}
	return out
}

// objectionID is the id of a challenge, which people do not know.
var objectionID = regexp.MustCompile(`\bK[1-9][0-9]{0,5}\b`)

// TestEveryConversationIsTrue: in every script, a conversation begins with who raised
// the finding, names everybody who confirmed it, says of each citation whether it was
// found, and shows no id of the engine in its own words.
func TestEveryConversationIsTrue(t *testing.T) {
	t.Parallel()
	for _, name := range debatetest.Names() {
		t.Run(name, func(t *testing.T) {
			for _, f := range all(FromState(played(t, name))) {
				if len(f.Conversation) == 0 || f.Conversation[0].Act != DidRaise && f.Conversation[0].Act != DidRepeat {
					t.Fatalf("%s begins with %+v", f.ID, f.Conversation)
				}
				spoke := make(map[string]bool)
				for _, l := range f.Conversation {
					spoke[l.Who] = true
					for _, c := range l.Cites {
						if c.Check == "" || c.Check != QuoteAbsent && c.Path == "" {
							t.Errorf("%s: %s cites %+v", f.ID, l.Who, c)
						}
					}
				}
				for _, who := range append(f.ConfirmedBy, f.ReportedBy...) {
					if !spoke[who] {
						t.Errorf("%s: %s stands behind it and does not speak", f.ID, who)
					}
				}
				if id := objectionID.FindString(f.Why); id != "" {
					t.Errorf("%s: %q names %s", f.ID, f.Why, id)
				}
			}
		})
	}
}

// TestLongConversation keeps who raised a finding and what was said last, and says
// how much is left out.
func TestLongConversation(t *testing.T) {
	t.Parallel()
	s := contested()
	s.Book.Claims = s.Book.Claims[:1]
	step := debate.Step{Facts: []debate.Fact{{Kind: debate.ClaimRaised, Who: "gpt", About: "F1", Text: "x"}}}
	for i := range 100 {
		step.Facts = append(step.Facts, debate.Fact{Kind: debate.ClaimWeighed, Who: "gemini", About: "F1", Code: string(debate.ClassAgree), Text: fmt.Sprint("yes ", i)})
	}
	step.Facts = append(step.Facts, debate.Fact{Kind: debate.DisputeOpened, Who: "carol", About: "F1", Text: "no"})
	s.Steps = []debate.Step{step}
	lines := FromState(s).P1[0].Conversation
	if len(lines) != maxConversation || lines[0].Act != DidRaise || lines[1].LeftOut != 62 || lines[len(lines)-1].Who != "carol" {
		t.Errorf("%d lines: %+v", len(lines), lines)
	}
	if lines[1].Act != DidConfirm {
		t.Errorf("gemini, which confirmed it, is said to have %s", lines[1].Act)
	}
}

// TestRememberedConversation: a session that goes on from an earlier one tells what it
// remembers, and then what was said since, each once.
func TestRememberedConversation(t *testing.T) {
	t.Parallel()
	s := contested()
	s.Steps = []debate.Step{{Facts: []debate.Fact{
		{Kind: debate.DisputeOpened, Who: "carol", About: "F7", Text: "it is locked"},
		{Kind: debate.ChallengeOpened, Who: debate.AuthorParty, About: "K4", Other: "F7", Text: "it is locked"},
	}}, {Facts: []debate.Fact{{Kind: debate.ChallengeDefended, Who: "gpt", About: "K4", Other: "F7", Code: string(debate.Rebuff), Text: "not here"}}}}
	s.Book.Challenges = append(s.Book.Challenges, debate.Challenge{ID: "K4", Claim: "F7", Attacker: debate.AuthorParty, Defender: "gpt", Objection: "it is locked", Defence: "not here"})
	got := strings.Join(lists.Map(Thread(FromState(s).Dismissed[0]), Side.line), "\n")
	want := `gpt raised it, citing c.go:1 ✓ quote found
gemini objects: "the lock is held" — cites c.go:7 ✓ quote found
gpt accepts the objection: "c.go:7"
the second look doubts the result: "the lock is another one"
carol disputes it: "it is locked"
gpt answers: "not here"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRememberedDiscussion: a session that goes on from an earlier one tells each objection to the
// recommendation once.
func TestRememberedDiscussion(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, name := range debatetest.Names() {
		first := played(t, name)
		if first.Received.Inquiry != nil {
			continue // a question is not continued
		}
		later := FromState(remembered(t, name, first))
		said := lists.Map(ThreadAbout(later, decisionOf(later, recommendation)), Side.line)
		for _, k := range first.Book.Challenges {
			if k.Claim != debate.PositionSubject || k.Objection == "" || k.Kind == debate.Reconciling {
				continue
			}
			seen++
			if n := strings.Count(strings.Join(said, "\n"), "objects: \""+k.Objection); n != 1 {
				t.Errorf("%s: %q is told %d times in %q", name, k.Objection, n, said)
			}
		}
	}
	if seen == 0 {
		t.Error("no script has an objection to a recommendation")
	}
}

// TestDiscussionHasEveryChoice: the thread of a question ends with the last choice of each party. The first
// lines have the choices about the merge.
func TestDiscussionHasEveryChoice(t *testing.T) {
	t.Parallel()
	for _, name := range debatetest.Names() {
		e := FromState(played(t, name))
		for _, d := range e.Decisions {
			lines := lists.Find(e.Discussions, func(about Discussion) bool { return about.Decision == d.ID }).Lines
			for _, o := range d.FinalOptions {
				if d.ID == recommendation {
					continue
				}
				last := ""
				for _, l := range lines {
					if l.Who == o.Party && l.Judge == "" && l.Option != "" {
						last = l.Option
					}
				}
				if last != o.Option && !IsNone(o.Option) {
					t.Errorf("%s, %s: %s chose %s, and its thread says %q", name, d.ID, o.Party, o.Option, last)
				}
			}
		}
	}
}

// TestConversationWithholdsSecrets: nobody's quote publishes a line that holds a
// secret.
func TestConversationWithholdsSecrets(t *testing.T) {
	t.Parallel()
	e := rich()
	line := func() []Line {
		return []Line{{Who: "gpt", Act: DidAgree, Cites: []Cited{{Path: "deploy/env.sh", Line: 2, EndLine: 4, Side: debate.Right, Quote: "KEY=" + key, Check: QuoteFound}}}}
	}
	e.P2[0].Conversation, e.Discussions = line(), []Discussion{{Decision: "D0", Lines: line()}}
	data, err := JSON(ready(e))
	if err != nil || strings.Contains(string(data), key) {
		t.Errorf("the JSON holds the secret (%v)", err)
	}
}
