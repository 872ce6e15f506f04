package pull

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
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
		runner: &Runner{Now: clock(s.now)}, snap: s.Snapshot, state: debate.State{Agenda: debate.Agenda{Decisions: decisions}}, posts: postsOf(nil, s.Snapshot),
		outcomes: &outcomes{answered: make(map[string]int64)}, ledger: l, lines: tenLines(),
	}
}

// asks is an issue of ours with the questions of a settlement.
func asks(s scene, number int, decisions ...debate.Decision) gh.Issue {
	title, body := settling(s, decisions...).itemBody(decisions, nil)
	issue := s.question(number, "f0")
	issue.Title, issue.Body, issue.Labels = title, body, []string{s.config.Escalation.Label}
	return issue
}

// remembers is a scene whose checkpoint has questions, put in an issue.
func remembers(issue int, decisions ...debate.Decision) scene {
	s := asking()
	s.checkpoint.Debate.Agenda.Decisions, s.checkpoint.Items, s.checkpoint.Issue, s.checkpoint.written = decisions, nil, issue, millis(at(-60))
	s.Issue = asks(s, issue, decisions...)
	for _, d := range decisions {
		m, _ := questionIn(s.Issue, d.Fingerprint)
		s.checkpoint.Items = append(s.checkpoint.Items, Item{
			Decision: d.ID, Fingerprint: d.Fingerprint, Head: head1, AskedAt: millis(at(-60)), Text: m.Text,
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
	answered := merging(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(-5)), Head: head1}})
	closed := func(s *Snapshot) { s.Issue.Open = false }
	alone := func() scene { return remembers(5, waits) }
	met := asking().set(func(s *Snapshot) { s.Twins = []gh.Issue{scene{s}.question(9, "f2")} })
	rows := []struct {
		name      string
		s         scene
		decisions []debate.Decision
		want      func(i *comment.Item) bool
		writes    string
	}{
		{"two questions", asking().set(func(s *Snapshot) { s.Issue = gh.Issue{} }), []debate.Decision{waits, other}, func(i *comment.Item) bool {
			both := strings.Contains(i.Body, "### Should this be merged?") && strings.Count(i.Body, "\n### ") == 2 && strings.Index(i.Body, "### Should") < strings.LastIndex(i.Body, "### ")
			return both && len(questionsIn(i.Body)) == 2 && strings.Contains(i.Title, "(and 1 more question)")
		}, "create"},
		{"as asked", both(), []debate.Decision{waits, other}, func(i *comment.Item) bool { return i.Body == "" && len(i.Notes) == 0 }, ""},
		{"one is added", alone(), []debate.Decision{waits, other}, func(i *comment.Item) bool {
			return len(i.Notes) == 1 && strings.HasPrefix(i.Notes[0].Body, "The question changed") && strings.Contains(i.Body, "Which cipher?")
		}, "note edit 5"},
		{"one is answered", both().set(closed), []debate.Decision{answered, other}, func(i *comment.Item) bool {
			m, _ := questionIn(gh.Issue{Body: i.Body}, "f0")
			named := strings.Contains(i.Body, "**bob decided: merge it as it is.**") && !strings.Contains(i.Body, "close this issue as completed")
			return i.Status == debate.ItemAwaiting && named && m.Text == comment.AnsweredText && len(i.Notes) == 1 && strings.Contains(i.Notes[0].Body, "OPTION WHY` changes that.")
		}, "note edit 5"},
		{"both are answered", both(), []debate.Decision{answered, cipher(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "aes", At: millis(at(-4))}})}, func(i *comment.Item) bool {
			return i.Status == debate.ItemDecided && len(i.Notes) == 2 && i.Body == ""
		}, "note note edit 5"},
		{"one says something else", alone(), []debate.Decision{merging(debate.AwaitingHuman, debate.Human{Quoted: []string{"F1"}})}, func(i *comment.Item) bool {
			return len(i.Notes) == 1 && strings.HasPrefix(i.Notes[0].Body, "The question changed")
		}, "note edit 5"},
		{"two issues, because two runs met", met, []debate.Decision{waits, other}, func(i *comment.Item) bool { return strings.Contains(i.Body, "Which cipher?") }, "note edit 5 edit 9"},
	}
	for _, row := range rows {
		w := settling(row.s, row.decisions...)
		item := w.wantItem()
		if item == nil || !row.want(item) {
			t.Errorf("%s: %+v", row.name, item)
			continue
		}
		var writes []string
		for _, write := range comment.Publish(comment.Want{Item: item}, w.posts.ownTexts()) {
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
			s.checkpoint.Items[0].AskedAt, s.checkpoint.written = millis(at(minutes)), millis(at(minutes))
		}
	}
	answered := debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(-30))}}
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
		{"opened by a person, and closed by ourselves", reopened(), "D0 D0!"},
		{"opened by a person, and closed by ourselves, and the first is commanded", reopened().says("bob", 6, "/debate decide D0 keep fine"), "D0 D2! D0"},
		{"opened by a person, and both were answered", remembers(5, merging(debate.HumanDecided, answered), cipher(debate.HumanDecided, answered)).happens(gh.IssueReopened, "bob", 1, ""), "D0 D2"},
		{"opened by ourselves", remembers(5, merging(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(-30))}})).happens(gh.IssueReopened, bot.Login, 1, ""), ""},
		{"opened by a person", remembers(5, merging(debate.HumanDecided, debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(-30))}})).happens(gh.IssueReopened, "bob", 1, ""), "D0"},
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

// TestPickIssue has a row for each set of issues of ours.
func TestPickIssue(t *testing.T) {
	t.Parallel()
	open := func(number int) gh.Issue { return gh.Issue{Number: number, Open: true} }
	closed := func(number int) gh.Issue { return gh.Issue{Number: number} }
	for name, row := range map[string]struct {
		own   []gh.Issue
		one   int
		twins []int
	}{
		"none": {nil, 0, nil}, "one": {[]gh.Issue{open(5)}, 5, nil}, "a closed one": {[]gh.Issue{closed(5)}, 5, nil},
		"a second one":                    {[]gh.Issue{open(5), open(6)}, 5, []int{6}},
		"an older one":                    {[]gh.Issue{open(6), open(5)}, 5, []int{6}},
		"an open one beside a closed one": {[]gh.Issue{closed(5), open(6)}, 6, nil},
		"a closed one beside an open one": {[]gh.Issue{open(5), closed(6)}, 5, nil},
		"a newer closed one":              {[]gh.Issue{closed(6), closed(5)}, 6, nil},
		"two open ones beside another":    {[]gh.Issue{open(7), closed(5), open(6)}, 6, []int{7}},
	} {
		one, twins := pickIssue(row.own)
		if got := lists.Map(twins, func(i gh.Issue) int { return i.Number }); one.Number != row.one || !slices.Equal(got, row.twins) {
			t.Errorf("%s: %d, beside it %v", name, one.Number, got)
		}
	}
}

// TestAskedAt has a row for each time at which a question may have been put.
func TestAskedAt(t *testing.T) {
	t.Parallel()
	waits := merging(debate.AwaitingHuman, debate.Human{})
	s := remembers(5, waits)
	issue, item := s.Issue, s.checkpoint.Items[0] // written an hour before noon
	item.AskedAt = millis(at(-90))
	as := func(issue gh.Issue, change func(*gh.Issue)) gh.Issue {
		change(&issue)
		return issue
	}
	with := func(change func(*Item)) Item {
		i := item
		change(&i)
		return i
	}
	rows := []struct {
		name    string
		issue   gh.Issue
		item    Item
		minutes int
	}{
		{"as the summary says", issue, item, -90},
		{"in other words", issue, with(func(i *Item) { i.Text = "0" }), -60},
		{"edited by ourselves", as(issue, func(i *gh.Issue) { i.Edited, i.EditedBy, i.EditedAt = true, bot, at(-30) }), item, -30},
		{"written since the summary", as(issue, func(i *gh.Issue) { i.CreatedAt = at(-59) }), item, -59},
		{"edited by somebody", as(issue, func(i *gh.Issue) { i.Edited, i.EditedBy, i.EditedAt = true, gh.Account{Login: "carol"}, at(-30) }), item, -90},
		{"there is no issue", gh.Issue{}, item, -90},
	}
	for _, row := range rows {
		s.Issue = row.issue
		if got := s.askedAt(row.item); got != millis(at(row.minutes)) {
			t.Errorf("%s: %d minutes after noon", row.name, (got-millis(noon))/60_000)
		}
	}
}

// TestVoid has a row for each answer that nobody can have given to what is asked.
func TestVoid(t *testing.T) {
	t.Parallel()
	waits := merging(debate.AwaitingHuman, debate.Human{})
	s := remembers(5, waits)
	issue, item := s.Issue, s.checkpoint.Items[0] // put an hour before noon
	edited := func(by gh.Account) gh.Issue {
		i := issue
		i.Edited, i.EditedBy, i.EditedAt = true, by, at(2)
		return i
	}
	byUs, byDave := edited(bot), edited(gh.Account{Login: "dave"})
	const hasty = debate.StaleAnswer
	rows := []struct {
		name    string
		issue   gh.Issue
		via     debate.Via
		minutes int
		want    string
	}{
		{"a command", issue, debate.ViaCommand, 1, ""},
		{"in the moment in which it was asked", issue, debate.ViaCommand, -60, "the question changed just before this answer, or after it. Please read it and answer again"},
		{"a command a minute after", issue, debate.ViaCommand, -59, ""},
		{"a click a minute after", issue, debate.ViaCompleted, -59, hasty},
		{"a click two minutes after", issue, debate.ViaCompleted, -58, ""},
		{"before we changed it", byUs, debate.ViaCommand, 1, debate.StaleAnswer},
		{"in the moment in which we changed it", byUs, debate.ViaCommand, 2, debate.StaleAnswer},
		{"a command a minute after we did", byUs, debate.ViaCommand, 3, ""},
		{"a click a minute after we did", byUs, debate.ViaReview, 3, hasty},
		{"a click two minutes after we did", byUs, debate.ViaReview, 4, ""},
		{"with the words of somebody else", byDave, debate.ViaCommand, 9, "the issue was edited by dave. The next review writes it again"},
	}
	for _, row := range rows {
		s.Issue = row.issue
		event := debate.Decided{Via: row.via, At: millis(at(row.minutes)), By: s.actor(gh.Account{Login: "bob"})}
		if got := s.void(item, row.issue, event); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestTextOf: a question has another text once something is different that it asks, rests
// on or names, and not for other words or another order.
func TestTextOf(t *testing.T) {
	t.Parallel()
	open := []debate.Claim{{ID: "F1", Severity: debate.P1, Bucket: debate.Agreed}, {ID: "F3", Severity: debate.P1, Bucket: debate.Agreed}}
	question := func(change func(*debate.Decision), claims ...debate.Claim) string {
		d := merging(debate.AwaitingHuman, debate.Human{Quoted: []string{"F1", "F2"}})
		d.FinalOptions = []debate.PartyOption{{Party: "P1", Option: "keep"}}
		if change != nil {
			change(&d)
		}
		w := settling(reviewed(), d)
		w.state.Book.Claims = claims
		return w.textOf(d)
	}
	same := question(nil)
	for name, text := range map[string]string{
		"other words":   question(func(d *debate.Decision) { d.Options[0].Label = "merge"; d.Triggers[0].Detail = "drops it" }),
		"another order": question(func(d *debate.Decision) { d.Human.Quoted = []string{"F2", "F1"} }),
	} {
		if text != same {
			t.Errorf("%s make it another question", name)
		}
	}
	seen := map[string]string{same: "as it was"}
	for name, text := range map[string]string{
		"another fingerprint":     question(func(d *debate.Decision) { d.Fingerprint = "f9" }),
		"other lines":             question(func(d *debate.Decision) { d.LinkedHash = "l9" }),
		"another recommendation":  question(func(d *debate.Decision) { d.Recommendation = "keep" }),
		"another id":              question(func(d *debate.Decision) { d.ID = "D1" }),
		"a party holds otherwise": question(func(d *debate.Decision) { d.FinalOptions[0].Option = "reject" }),
		"another party holds it":  question(func(d *debate.Decision) { d.FinalOptions[0].Party = "P2" }),
		"it quotes less":          question(func(d *debate.Decision) { d.Human.Quoted = []string{"F1"} }),
		"a finding is open":       question(nil, open[1]),
		"two findings are open":   question(func(d *debate.Decision) { d.Human.Quoted = nil }, open...),
		"it quotes an open one":   question(func(d *debate.Decision) { d.Human.Quoted = []string{"F3"} }, open[1]),
	} {
		if other, is := seen[text]; is {
			t.Errorf("%s is the same as %s", name, other)
		}
		seen[text] = name
	}
	lone := func(claims ...debate.Claim) string {
		d := cipher(debate.AwaitingHuman, debate.Human{})
		w := settling(reviewed(), merging(debate.AwaitingHuman, debate.Human{}), d)
		w.state.Book.Claims = claims
		return w.textOf(d)
	}
	if lone() != lone(open...) {
		t.Error("an open finding makes a question that is not about the merge another one")
	}
}
