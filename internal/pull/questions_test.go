package pull

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// merging and cipher are two questions of one pull request: a click answers the first.
func merging(outcome debate.DecisionOutcome, h debate.Human) debate.Decision {
	h.Sink = debate.SinkIssue
	return debate.Decision{
		ID: "D0", Fingerprint: "f0", Question: debate.DispositionQuestion, Outcome: outcome, Recommendation: "revise", LinkedHash: "l0", Human: &h,
		Options:  []debate.Option{{ID: "keep"}, {ID: "revise"}, {ID: "reject", StatusQuo: true}},
		Critical: true, Triggers: []debate.Trigger{{ID: debate.TriggerDestructiveSchema, Source: debate.FromPolicy, Path: "a.sql", Line: 3, Detail: "drops table a"}},
	}
}

func cipher(outcome debate.DecisionOutcome, h debate.Human) debate.Decision {
	h.Sink = debate.SinkIssue
	return debate.Decision{
		ID: "D2", Fingerprint: "f2", Question: "Which cipher?", Outcome: outcome, LinkedHash: "l2", Critical: true, Human: &h,
		Options: []debate.Option{{ID: "aes", Label: "AES"}, {ID: "none", Label: "none", StatusQuo: true}},
	}
}

// settling is what a debate with these decisions came to, for a snapshot.
func settling(s scene, decisions ...debate.Decision) settlement {
	l := &ledger{left: s.checkpoint, written: s.checkpoint}
	return settlement{
		snap: s.Snapshot, state: debate.State{Agenda: debate.Agenda{Decisions: decisions}}, board: boardOf(s.Snapshot), stood: s.checks.own, siblings: s.pull.Siblings, outcomes: newOutcomes(false), ledger: l, lines: tenLines(),
	}
}

// asks is an issue of ours with the questions of a settlement.
func asks(s scene, number int, decisions ...debate.Decision) gh.Issue {
	title, body := settling(s, decisions...).questions().itemBody(decisions, nil)
	issue := s.question(number, "f0")
	issue.Title, issue.Body, issue.Labels = title, body, []string{s.config.Escalation.Label}
	return issue
}

// remembers is a scene whose checkpoint has questions, put in an issue.
func remembers(issue int, decisions ...debate.Decision) scene {
	s := asking()
	s.checkpoint.Debate.Agenda.Decisions, s.checkpoint.Items = decisions, nil
	s.issues = ownIssues{asks(s, issue, decisions...)}
	for _, d := range decisions {
		m, _ := questionIn(s.issues[0], d.Fingerprint)
		s.checkpoint.Items = append(s.checkpoint.Items, Item{
			Decision: d.ID, Fingerprint: d.Fingerprint, Sink: debate.SinkIssue, Issue: issue, Head: head1, AskedAt: millis(at(-60)), Text: m.Text, known: millis(at(-60)),
		})
	}
	return s
}

func both() scene {
	return remembers(5, merging(debate.AwaitingHuman, debate.Human{}), cipher(debate.AwaitingHuman, debate.Human{}))
}

// TestOneIssueHoldsAllQuestions has a row for each way in which an issue comes to hold
// what it holds.
func TestOneIssueHoldsAllQuestions(t *testing.T) {
	t.Parallel()
	waits, other := merging(debate.AwaitingHuman, debate.Human{}), cipher(debate.AwaitingHuman, debate.Human{})
	answered := merging(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, By: "bob", Option: "keep", At: millis(at(-5)), Head: head1})
	closed := func(s *Snapshot) { s.issues[0].Open = false }
	alone := func() scene { return remembers(5, waits) }
	old := asking().set(func(s *Snapshot) { s.issues = append(s.issues, scene{s}.question(9, "f2")) })
	rows := []struct {
		name      string
		s         scene
		decisions []debate.Decision
		want      func(i comment.Item) bool
		writes    string
	}{
		{"two questions", asking().set(func(s *Snapshot) { s.issues = nil }), []debate.Decision{waits, other}, func(i comment.Item) bool {
			both := strings.Contains(i.Body, "### D0") && strings.Contains(i.Body, "### D2") && strings.Index(i.Body, "### D0") < strings.Index(i.Body, "### D2")
			return both && len(questionsIn(i.Body)) == 2 && strings.Contains(i.Title, "(and 1 more question)")
		}, "create"},
		{"as asked", both(), []debate.Decision{waits, other}, func(i comment.Item) bool { return i.Body == "" && len(i.Notes) == 0 }, ""},
		{"one is added", alone(), []debate.Decision{waits, other}, func(i comment.Item) bool {
			return len(i.Notes) == 1 && strings.HasPrefix(i.Notes[0].Body, "New question: Which cipher?") && strings.Contains(i.Body, "Which cipher?")
		}, "note edit 5"},
		{"one is answered", both().set(closed), []debate.Decision{answered, other}, func(i comment.Item) bool {
			m, _ := questionIn(gh.Issue{Body: i.Body}, "f0")
			named := strings.Contains(i.Body, "**bob decided to merge it as it is.**") && !strings.Contains(i.Body, "close this issue as completed")
			return i.Status == debate.ItemAwaiting && named && m.Text == comment.AnsweredText && len(i.Notes) == 1 && strings.Contains(i.Notes[0].Body, "stays open for its other questions")
		}, "note edit 5"},
		{"both are answered", both(), []debate.Decision{answered, cipher(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, By: "bob", Option: "aes", At: millis(at(-4))})}, func(i comment.Item) bool {
			return i.Status == debate.ItemDecided && len(i.Notes) == 2 && i.Body == ""
		}, "note note edit 5"},
		{"one says something else", alone(), []debate.Decision{merging(debate.AwaitingHuman, debate.Human{Quoted: []string{"C1"}})}, func(i comment.Item) bool {
			return len(i.Notes) == 1 && strings.HasPrefix(i.Notes[0].Body, "Changed question: ")
		}, "note edit 5"},
		{"two issues of an earlier version", old, []debate.Decision{waits, other}, func(i comment.Item) bool { return strings.Contains(i.Body, "Which cipher?") }, "note edit 5 edit 9"},
	}
	for _, row := range rows {
		w := settling(row.s, row.decisions...)
		items := w.questions().wantItems()
		if len(items) != 1 || !row.want(items[0]) {
			t.Errorf("%s: %+v", row.name, items)
			continue
		}
		var writes []string
		for _, write := range comment.Publish(comment.Want{Items: items}, w.board.have) {
			switch write := write.(type) {
			case comment.CreateIssue:
				writes = append(writes, "create")
			case comment.CommentIssue:
				writes = append(writes, "note")
			case comment.EditIssue:
				writes = append(writes, "edit", map[int]string{5: "5", 9: "9"}[write.Number])
			}
		}
		if got := strings.Join(writes, " "); got != row.writes {
			t.Errorf("%s: writes %q, want %q", row.name, got, row.writes)
		}
	}
}

// TestAClickAnswersWhatItCan has a row for each click on an issue with two questions.
func TestAClickAnswersWhatItCan(t *testing.T) {
	t.Parallel()
	lone := func() scene { return remembers(5, cipher(debate.AwaitingHuman, debate.Human{})) }
	addedAt := func(minutes int) func(*Snapshot) {
		return func(s *Snapshot) {
			s.checkpoint.Items[0].AskedAt, s.checkpoint.Items[0].known = millis(at(minutes)), millis(at(minutes))
		}
	}
	answered := debate.Human{By: "bob", Option: "keep", At: millis(at(-30)), Status: debate.ItemDecided}
	// Another question stands in an issue of its own, as an earlier version wrote them.
	apart := func(s scene) scene {
		other := asks(s, 9, cipher(debate.AwaitingHuman, debate.Human{}))
		other.Body = comment.Mark("question", s.signer().sign("f2", "D2", head1, "").String())
		m, _ := questionIn(s.issues[0], "f0")
		s.issues[0].Body, s.issues = comment.Mark("question", m.String()), append(s.issues, other)
		return s
	}
	closedBoth := func(minutes int) func(*Snapshot) {
		return func(s *Snapshot) {
			s.issues[1].Open = false
			s.issues[1].Events = []gh.IssueEvent{{Kind: gh.IssueClosed, By: gh.Account{Login: "bob"}, At: at(minutes), Reason: gh.Completed}}
		}
	}
	reopened := func() scene {
		return remembers(5, merging(debate.HumanDecided, answered), cipher(debate.AwaitingHuman, debate.Human{})).happens(gh.IssueReopened, "bob", 1, "").closes(bot.Login, 5)
	}
	rows := []struct {
		name string
		s    scene
		want string // the ids of the questions that are answered, with ! for void
	}{
		{"closed", both().closes("bob", 1), "D0"},
		{"closed, and only the other is open", lone().closes("bob", 1), "D2"},
		{"approved", both().approves("bob", 1, gh.Approved), "D0"},
		{"closed a minute after it was put so", both().set(addedAt(0)).closes("bob", 1), "D0!"},
		{"closed two minutes after", both().set(addedAt(0)).closes("bob", 2), "D0"},
		{"approved a minute after", both().set(addedAt(0)).approves("bob", 1, gh.Approved), "D0!"},
		{"commanded a minute after", both().set(addedAt(0)).says("bob", 1, "/debate decide D2 aes fine"), "D2"},
		{"closed, and the other was put first", remembers(5, cipher(debate.AwaitingHuman, debate.Human{}), merging(debate.AwaitingHuman, debate.Human{})).closes("bob", 1), "D0"},
		{"two issues, closed together", apart(both()).closes("bob", 1).set(closedBoth(1)), "D0 D2"},
		{"two issues, closed one after the other", apart(both()).closes("bob", 1).set(closedBoth(4)), "D0 D2"},
		{"opened by a person, and closed by ourselves", reopened(), "D0 D0!"},
		{"opened by a person, and closed by ourselves, and the first is commanded", reopened().says("bob", 6, "/debate decide D0 keep fine"), "D0 D2! D0"},
		{"opened by a person, and both were answered", remembers(5, merging(debate.HumanDecided, answered), cipher(debate.HumanDecided, answered)).happens(gh.IssueReopened, "bob", 1, ""), "D0 D2"},
		{"opened by ourselves", remembers(5, merging(debate.HumanDecided, debate.Human{By: "bob", Option: "keep", At: millis(at(-30)), Status: debate.ItemDecided})).happens(gh.IssueReopened, bot.Login, 1, ""), ""},
		{"opened by a person", remembers(5, merging(debate.HumanDecided, debate.Human{By: "bob", Option: "keep", At: millis(at(-30)), Status: debate.ItemDecided})).happens(gh.IssueReopened, "bob", 1, ""), "D0"},
	}
	for _, row := range rows {
		var got []string
		for _, a := range answersTo(row.s.Snapshot, commandsOf(row.s.Snapshot).asked) {
			text := a.event.Decision
			if a.void != "" {
				text += "!"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %v, want %q", row.name, got, row.want)
		}
	}
}
