package report

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// maxOpenLines is how many lines of an ordinary question stand before the fold.
const maxOpenLines = 30

const dropped = "db/migrations/0004_drop_legacy_ref.sql"

// dropping is a debate of three models about a change that drops a column: all of them
// ask for changes, and a person has to decide.
func dropping() debate.State {
	cite := func(path string, line int) []debate.Evidence {
		return []debate.Evidence{{ID: "E1", Type: debate.Textual, Cite: debate.Citation{Path: path, Side: debate.Right, StartLine: line, EndLine: line}, CitationOK: true, Verified: true}}
	}
	s := debate.State{
		Received: debate.Received{SessionID: "debate-20260102-030405-1", Mode: debate.Standard, Target: debate.TargetAuto},
		Snapshot: debate.Snapshotted{Scope: "pull request 4", HeadSHA: reviewedHead},
		Split: debate.SplitDone{
			Target: debate.TargetCode, Totals: debate.Totals{Files: 2, Additions: 3, Deletions: 9},
			Segments: []debate.Segment{{ID: "S1", Kind: debate.CodeSegment, Path: dropped}},
			Coverage: []debate.Coverage{{ID: "H1", Path: dropped, By: []string{"claude", "gpt", "gemini"}}},
		},
		Agenda: debate.Agenda{Decisions: []debate.Decision{{
			ID: "D0", Fingerprint: "f0", Question: debate.DispositionQuestion, Critical: true, Outcome: debate.AwaitingHuman, Recommendation: "revise",
			Options: []debate.Option{
				{ID: "keep", Label: "keep", Description: "merge the change as proposed"}, {ID: "revise", Label: "revise", Description: "merge after named changes"},
				{ID: "reject", Label: "reject", Description: "do not merge", StatusQuo: true},
			},
			Triggers:     []debate.Trigger{{ID: debate.TriggerDestructiveSchema, Source: debate.FromPolicy, Class: debate.ClassContent, Path: dropped, Side: debate.Right, Line: 2, Detail: "Migration drops column legacy_ref of orders"}},
			FinalOptions: []debate.PartyOption{{Party: "claude", Option: "revise"}, {Party: "gpt", Option: "revise"}, {Party: "gemini", Option: "revise"}},
			Human:        &debate.Human{Status: debate.ItemAwaiting, Sink: debate.SinkIssue, AskedAt: 61000},
		}}},
		Table: debate.Table{
			Parties: []debate.Party{
				{ID: "claude", Role: debate.Primary, Provider: "anthropic", Family: "anthropic", Status: debate.PartyOK},
				{ID: "gpt", Role: debate.Challenger, Provider: "openai", Family: "openai", Status: debate.PartyOK},
				{ID: "gemini", Role: debate.Challenger, Provider: "google", Family: "google", Status: debate.PartyOK},
			},
			Seats: []debate.Seat{
				{Party: "claude", Option: debate.Revise, Engagement: debate.Agrees, RightIf: "no instance of the old release runs during the rollout", TestableBy: "read the deployment's strategy"},
				{Party: "gpt", Option: debate.Revise, Engagement: debate.Agrees}, {Party: "gemini", Option: debate.Revise, Engagement: debate.Agrees},
			},
		},
		Book: debate.Book{Claims: []debate.Claim{{
			ID: "F1", Owner: "claude", Kind: debate.Empirical, Severity: debate.P1, Asserted: debate.P1, Category: debate.Correctness, Title: "Old instances still select `legacy_ref`",
			Body: "They fail while the rollout lasts.", Evidence: cite("internal/shop/store/orders.go", 88), EvidenceType: debate.Textual,
			ReportedBy: []string{"claude"}, ConfirmedBy: []string{"gpt", "gemini"}, Bucket: debate.Agreed,
		}}},
		Talk: debate.Talk{Positions: []debate.Position{{
			Version: 1, By: "claude", Disposition: debate.Revise,
			Summary: "The column goes in the same release that stops reading it, so old instances fail during the rollout. Stop reading it in one release and drop it in the next.",
		}}, Exchange: 2},
		Ending: debate.Ending{Outcome: debate.Consensus, Confidence: debate.High, Disposition: debate.Revise},
	}
	return s
}

// droppingPull is the pull request of dropping.
func droppingPull() Pull {
	return Pull{
		RepositoryURL: repository, Number: 4, Title: "Drop orders.legacy_ref", Head: reviewedHead,
		Author: "alice", Deciders: debate.WriteAccess,
		Hits: map[string][]Hit{"D0": {{Path: dropped, Side: debate.Right, Line: 2, Says: "Migration drops column legacy_ref of orders", Text: "ALTER TABLE orders DROP COLUMN legacy_ref;"}}},
	}
}

// holding makes models hold options for the question about the merge.
func holding(s *debate.State, options ...string) {
	for i, option := range options {
		s.Agenda.Decisions[0].FinalOptions[i].Option = option
		s.Table.Seats[i].Option = debate.Disposition(option)
	}
}

// whichCache is a question beside the one about the merge.
func whichCache() debate.Decision {
	return debate.Decision{
		ID: "D1", Fingerprint: "f1", Question: "Which cache?", Outcome: debate.AwaitingHuman, Recommendation: "lru", Critical: true, Claims: []string{"F1"},
		Options:      []debate.Option{{ID: "lru", Label: "LRU", Description: "drop what was not used for longest"}, {ID: "ttl", Label: "TTL", Description: "drop what is older than an hour"}, {ID: "none", Label: "no cache", StatusQuo: true}},
		Triggers:     []debate.Trigger{{ID: debate.TriggerMoney, Source: debate.FromParty, Class: debate.ClassAsserted, Path: "cache.go", Side: debate.Right, Line: 7, Detail: "the cache is paid by its size", By: []string{"gpt", "gemini"}}},
		FinalOptions: []debate.PartyOption{{Party: "claude", Option: "lru"}, {Party: "gpt", Option: "lru"}, {Party: "gemini", Option: "ttl"}},
		Human:        &debate.Human{Status: debate.ItemAwaiting, Sink: debate.SinkIssue, AskedAt: 61000},
	}
}

// TestAsks: a list of questions asks what each change does, as the title of its issue does.
func TestAsks(t *testing.T) {
	t.Parallel()
	dropping := dropping()
	merge := dropping.Agenda.Decisions[0]
	for want, d := range map[string]debate.Decision{
		"Decide: merge #4? Migration drops column legacy_ref of orders": merge,
		"Decide for #4: Which cache?":                                   whichCache(),
	} {
		if got := Asks(d, 4); got != want {
			t.Errorf("Asks = %q, not %q", got, want)
		}
	}
}

// TestTitleFits: the title of an issue names one reason, and a long one is cut.
func TestTitleFits(t *testing.T) {
	t.Parallel()
	s := dropping()
	d := s.Agenda.Decisions[0]
	d.Triggers = append(slices.Clone(d.Triggers), d.Triggers[0], d.Triggers[0])
	d.Triggers[0].Detail = "it changes " + strings.Repeat("every table of the shop and ", 10) + "more"
	if got, want := Asks(d, 4), "Decide: merge #4? it changes every table"; len(got) > maxItemTitle+len("…") || !strings.HasPrefix(got, want) {
		t.Errorf("the title is %q, not %q", got, want)
	}
}

// questionsToPeople are issues of every kind, as people see them.
func questionsToPeople() map[string]func(s *debate.State, p *Pull) {
	differ := func(s *debate.State, _ *Pull) {
		holding(s, "revise", "keep", "revise")
		s.Table.Seats[1].WhyDisagree = "legacy_ref has been empty since May"
		s.Table.Seats[1].TestableBy = "SELECT count(legacy_ref) FROM orders"
	}
	cached := func(s *debate.State, p *Pull) {
		s.Agenda.Decisions = append(s.Agenda.Decisions, whichCache())
		p.Hits["D1"] = []Hit{{Path: "cache.go", Side: debate.Right, Line: 7, Says: "the cache is paid by its size", Text: "\tc := cache.New(4 << 30)", By: []string{"gpt", "gemini"}}}
	}
	answered := func(s *debate.State, by, reason string) {
		d := &s.Agenda.Decisions[0]
		d.Outcome = debate.HumanDecided
		d.Human = &debate.Human{Status: debate.ItemDecided, AskedAt: 61000, PersonAnswer: debate.PersonAnswer{By: by, Option: "keep", Reason: reason, At: 7261000, Head: reviewedHead}}
	}
	return map[string]func(s *debate.State, p *Pull){
		"agree":  func(*debate.State, *Pull) {},
		"differ": differ,
		"shown": func(s *debate.State, p *Pull) {
			differ(s, p)
			s.Book.Challenges = []debate.Challenge{{
				ID: "K1", Claim: debate.PositionSubject, Attacker: "gpt", Defender: "claude", Status: debate.Open, Objection: "No query reads legacy_ref any more. It was replaced.",
				Evidence: []debate.Evidence{
					{Cite: debate.Citation{Path: "store/orders.go", Side: debate.Right, StartLine: 88, EndLine: 90}, CitationOK: true},
					{Cite: debate.Citation{Path: "store/made_up.go", Side: debate.Right, StartLine: 1, EndLine: 1}},
				},
			}}
		},
		"tie": func(s *debate.State, p *Pull) {
			holding(s, "keep", "revise", "")
			d := &s.Agenda.Decisions[0]
			d.Recommendation, p.Hits = "", nil
			d.Rubric = &debate.Rubric{
				Criteria: []debate.Criterion{{ID: "correctness", WeightBP: 6000}, {ID: "risk", WeightBP: 4000}}, Tied: []string{"keep", "revise"},
				Combined: []debate.Combined{{Option: "keep", Sum: 120000, Max: 200000}, {Option: "revise", Sum: 120000, Max: 200000}, {Option: "reject", Sum: 30000, Max: 200000}},
			}
			d.Triggers = []debate.Trigger{{ID: debate.TriggerTie, Source: debate.FromProcedure, Class: debate.ClassProcedural, Why: debate.Why{Code: debate.WhyTie, Refs: []string{"keep", "revise"}}}}
		},
		"barred": func(s *debate.State, _ *Pull) {
			holding(s, "keep", "keep", "keep")
			s.Agenda.Decisions[0].Recommendation = ""
		},
		"options": func(s *debate.State, p *Pull) {
			cached(s, p)
			s.Agenda.Decisions[0].Outcome, s.Agenda.Decisions[0].Human = debate.Settled, nil
		},
		"several": cached,
		"answered": func(s *debate.State, _ *Pull) {
			answered(s, "bob", "we have a backup of both columns")
		},
		"half": func(s *debate.State, p *Pull) {
			cached(s, p)
			answered(s, "bob", "we have a backup of both columns")
		},
		"beside": func(_ *debate.State, p *Pull) {
			p.News = map[string]News{"D0": {By: "bob", Option: "keep", Head: strings.Repeat("ab", 20), Found: []string{"F5 P2 Empty cart panics (cart.go:16)"}}}
		},
		"unreviewed": func(s *debate.State, p *Pull) {
			s.Table, s.Talk, s.Book.Claims = debate.Table{}, debate.Talk{}, nil
			s.Ending = debate.Ending{Outcome: debate.DegradedLocal, Disposition: debate.Continue}
			s.Agenda.Decisions[0].FinalOptions, s.Agenda.Decisions[0].Recommendation = nil, ""
			p.Deciders = debate.MaintainRole
		},
		"many": func(s *debate.State, p *Pull) {
			s.Book.Claims[0].Bucket = debate.Agreed
			for line := range 4 {
				p.Hits["D0"] = append(p.Hits["D0"], Hit{Path: dropped, Side: debate.Right, Line: 4 + line, Says: "Migration drops column ref of invoices", Text: "ALTER TABLE invoices DROP COLUMN ref;"})
			}
			s.Agenda.Decisions[0].Human.Quoted = []string{"F1"}
		},
	}
}

// TestItem: a maintainer who reads the issue alone knows what to do.
func TestItem(t *testing.T) {
	t.Parallel()
	for name, change := range questionsToPeople() {
		s, p := dropping(), droppingPull()
		change(&s, &p)
		e := FromState(s)
		ids := asking(e)
		title, body := Issue(e, ids, p, "bob", "@acme/owners")
		shown, _, _ := strings.Cut(string(body), "<details>")
		if n := strings.Count(shown, "\n"); n > maxOpenLines && len(Awaiting(e)) < 2 {
			t.Errorf("%s: %d lines before the fold", name, n)
		}
		if one := len(ids) == 1; one && (strings.Contains(string(body), "D0") || strings.Contains(title, "D0")) {
			t.Errorf("%s names the only question by its id:\n%s", name, body)
		}
		if name == "barred" && strings.Contains(string(body), "do not agree") {
			t.Errorf("models that hold the same do not agree:\n%s", body)
		}
		for _, word := range []string{"K1", "primary", "challenger", "position", "party", "dissent", "disposition"} {
			if slices.Contains(strings.Fields(strings.ToLower(string(body))), word) {
				t.Errorf("%s says %q", name, word)
			}
		}
	}
}

// issues are the issues of those questions, and the notes on them after somebody has answered.
func issues(pages map[string][]byte) {
	for name, change := range questionsToPeople() {
		s, p := dropping(), droppingPull()
		change(&s, &p)
		e := FromState(s)
		title, body := Issue(e, asking(e), p, "bob", "@acme/owners")
		pages["pull issue "+name] = []byte("Title: " + title + "\n\n" + string(body))
	}
	s, p := dropping(), droppingPull()
	questionsToPeople()["half"](&s, &p)
	s.Agenda.Decisions[0].Human.Self = true
	e := FromState(s)
	anew := Pull{RepositoryURL: repository, News: map[string]News{"D0": {By: "bob", Found: []string{"F5 P2 Empty cart panics (cart.go:16)"}}}}
	maps.Copy(pages, map[string][]byte{
		"note decided": IssueDecided(e, "D0", p, false), "note decided, more open": IssueDecided(e, "D0", p, true), "note outvoted": Outvoted("carol", "bob", "revise"),
		"note changed": AskedAnew(p, reviewedHead, ""), "note edited": AskedAnew(p, reviewedHead, "carol"), "note withdrawn": IssueWithdrawn(true, "carol"),
		"note news": AskedAnew(anew, reviewedHead, ""),
	})
}

// asking are the ids of the questions that people are asked.
func asking(e Envelope) (ids []string) {
	for _, d := range e.Decisions {
		if d.Human != nil {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// TestWithdrawnByNobody: the last comment of an issue names a person only if it is known.
func TestWithdrawnByNobody(t *testing.T) {
	t.Parallel()
	if got, want := string(IssueWithdrawn(false, "")), "The pull request was closed before a decision was made.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
