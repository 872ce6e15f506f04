package prompt

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// secret is what a party keeps to itself until it may be disclosed: a text that
// says where it stands, so that a test can look for it.
func secret(where string) string { return "canary of " + where }

// rich is a debate that has something of everything. Every text in it names its
// place.
func rich(change patch.Change, title, body string) debate.State {
	s := split(change, title, body, 0)
	s.Received.Scope, s.Snapshot.Scope, s.Snapshot.Hash = "pr", "range:base..head", "cafe"
	s.Clock.StartedAt, s.Clock.At, s.Talk.Exchange = 1_000_000, 1_100_500, 1
	s.Received.Previous.Findings = []debate.Carried{
		{ID: "F3", Severity: debate.P1, Title: "an old finding", Body: "what it said", Present: true, Cite: debate.Citation{Path: "a.go", StartLine: 3, Quote: "func a() {}"}},
		{ID: "F4", Severity: debate.P2, Title: "a settled finding", Final: true},
		{ID: "F5", Severity: debate.P2, Title: "a finding whose lines are gone", Cite: debate.Citation{Path: "b.go", StartLine: 9}},
		{ID: "F6", Severity: debate.P2, Title: "a finding where other lines stand now", Cite: debate.Citation{Path: "a.go", StartLine: 3, Quote: "func a() {}"},
			Was: debate.Citation{Path: "a.go", StartLine: 4, Quote: "func b() {}"}},
	}
	old := debate.Claim{Evidence: []debate.Evidence{{Cite: s.Received.Previous.Findings[3].Cite, CitationOK: true}}}
	s.Received.Previous.Decisions = []debate.PriorDecision{{Fingerprint: "q", PersonAnswer: debate.PersonAnswer{Option: "keep", By: "bob", Accepted: []debate.Acceptance{{Key: debate.Key(old), AtMost: debate.P2}}}}}
	s.Received.Previous.Segments = []debate.SegmentKey{{Path: "a.go", TextHash: "of the earlier head"}}
	s.Table.Parties = []debate.Party{
		{ID: "gpt", Role: debate.Primary}, {ID: "gemini", Role: debate.Challenger}, {ID: "claude", Role: debate.Challenger, Persona: "skeptic"},
		{ID: "risk", Role: debate.Judge}, {ID: "value", Role: debate.Judge}, {ID: "effort", Role: debate.Judge}, {ID: "arbiter", Role: debate.Arbiter},
	}
	cite := []debate.Evidence{{ID: "E1", Cite: debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 3, EndLine: 3, Quote: "func a() {}"}, CitationOK: true}}
	s.Talk.Positions = []debate.Position{{
		Version: 1, By: "gpt", Disposition: debate.Revise, Summary: secret("the summary"), Confidence: "canary of the confidence",
		Weaknesses: []string{"a weakness"}, Assumptions: []string{"an assumption"},
	}}
	s.Book.Claims = []debate.Claim{
		{ID: "F1", Segment: "S3", Owner: "gpt", Kind: debate.Empirical, Severity: debate.P1, Category: debate.Correctness, Title: "first", Body: "body\u202e", Evidence: cite,
			Evaluations: []debate.Evaluation{{Party: "gemini", Class: debate.ClassReject, Flaw: secret("a flaw")}}, Bucket: debate.Agreed},
		{ID: "F2", Segment: "S3", Owner: "gemini", Kind: debate.Value, Severity: debate.P2, Category: debate.Design, Title: "second", Evidence: []debate.Evidence{{RunRef: "check:1"}}, Bucket: debate.Unresolved, Reason: debate.ReasonOpen,
			Why: debate.Why{Code: debate.WhyTold, Words: secret("a reason that names gpt")}},
		{ID: "F3", Owner: "engine", Kind: debate.Empirical, Severity: debate.P3, Category: debate.Docs, Title: "third", Bucket: debate.Dismissed, Reason: debate.ReasonOutOfScope},
		{ID: "F4", Owner: "gpt", Title: "merged", SameAs: "F1"},
		{ID: "F5", Owner: "gpt", Title: "beyond the bound", NotDebated: true},
	}
	s.Book.Challenges = []debate.Challenge{
		{ID: "K1", Claim: "F1", Attacker: "gemini", Defender: "gpt", Kind: debate.Rejecting, Objection: "objection to the first", Status: debate.Dropped, Evidence: cite},
		{ID: "K2", Claim: "F2", Attacker: "gpt", Defender: "gemini", Kind: debate.Skeptical, Objection: "objection to the second", Status: debate.Open, RoundsOpen: 1},
		{ID: "K3", Claim: debate.PositionSubject, Attacker: "gemini", Defender: "gpt", Objection: "keep it", Status: debate.Defended, Move: debate.Rebuff, Defence: secret("a defence"), DefenceBy: cite},
		{ID: "K4", Claim: "F1", Attacker: "claude", Defender: "gpt", Objection: "of another party", Status: debate.Open, Deadlock: debate.MissingData},
		{ID: "K5", Claim: "F1", Attacker: "gemini", Defender: "gpt", Objection: "settled", Status: debate.Resolved},
	}
	s.Book.Ledger = []debate.LedgerEntry{
		{ID: "L1", Tag: debate.TagUser, Source: "policy", Text: "write tests"},
		{ID: "L2", Tag: debate.TagUnverified, Source: "author", Text: "the text of the pull request", Ref: debate.BodyPath},
		{ID: "L3", Tag: debate.TagVerified, Source: "engine", Text: "the engine looked"},
		{ID: "L4", Tag: debate.TagUnverified, Source: "gpt", Text: secret("the ledger")},
		{ID: "L5", Tag: debate.TagUnverified, Source: "gpt", Text: "superseded"},
		{ID: "L6", Tag: debate.TagRevision, Source: "gpt", Text: "revised", Supersedes: "L5"},
		{ID: "L7", Tag: debate.TagUnverified, Source: "author", Text: "a dispute", Ref: "F1"},
	}
	sheet := debate.Scoresheet{Party: "gemini", Rationale: secret("a sheet"), Raw: secret("a raw sheet")}
	votes := []debate.Vote{
		{Judge: debate.StanceRisk, Option: "keep", Confidence: "HIGH", Reason: secret("the vote of risk"),
			PerOption: []debate.Assessment{{Option: "keep", Assessment: secret("an assessment"), Score: 0}, {Option: "revise", Score: -1}}, Hidden: []string{secret("a hidden point")}},
		{Judge: debate.StanceValue, Option: "revise", Reason: secret("the vote of value")},
		{Judge: debate.StanceEffort, Reason: secret("no vote")},
	}
	options := []debate.Option{{ID: "keep", Label: "keep"}, {ID: "revise", Label: "revise"}, {ID: "reject", Label: "reject", StatusQuo: true}}
	s.Agenda.Decisions = []debate.Decision{
		{ID: "D0", Question: debate.DispositionQuestion, Options: options, Critical: true, FinalOptions: []debate.PartyOption{{Party: "gpt", Option: secret("an option")}},
			Recommendation: secret("a recommendation"), Why: debate.Why{Code: debate.WhyTold, Words: secret("a why")},
			Rubric: &debate.Rubric{Criteria: []debate.Criterion{{ID: "risk", WeightBP: 6000}, {ID: "cost", WeightBP: 4000}}, Sheets: []debate.Scoresheet{sheet}}},
		{ID: "D1", Question: "Which way?", ScopeCritical: true, Claims: []string{"F2"},
			Options: []debate.Option{{ID: "a", Label: "A", Description: "one way"}, {ID: "b", Label: "B", StatusQuo: true}},
			Panel:   &debate.Panel{Rounds: []jury.Round{{Round: 1, Votes: votes}}, Perspectives: []jury.Perspective{{Reason: secret("a perspective")}}}},
	}
	s.Table.Seats = []debate.Seat{{Party: "gpt"}, {Party: "gemini", WhyDisagree: secret("an assumption")}, {Party: "claude"}}
	return s
}

func plain() patch.Change {
	return patchtest.Change(patchtest.Modify("a.go", "package a\n\nfunc b() {}\n", "package a\n\nfunc a() {}\n"), patchtest.Add("docs/adr/1.md", "# Proposal\n\nLet us.\n"))
}

// debating is the debate before its claims got their buckets.
func debating(s debate.State) debate.State {
	s.Book.Claims = append([]debate.Claim(nil), s.Book.Claims...)
	for i := range s.Book.Claims {
		s.Book.Claims[i].Bucket, s.Book.Claims[i].Reason = "", ""
	}
	return s
}

// asks has one ask of each kind, and some of their variants.
var asks = []struct {
	file string
	ask  debate.Ask
}{
	{"open.json", debate.Ask{Kind: debate.CallOpen, Party: "gpt"}},
	{"open-format.json", debate.Ask{Kind: debate.CallOpen, Party: "gpt", Chunk: "X1", Format: "it is empty"}},
	{"local.json", debate.Ask{Kind: debate.CallLocal, Party: "gpt"}},
	{"challenge.json", debate.Ask{Kind: debate.CallChallenge, Party: "gemini", N: 1}},
	{"challenge-skeptic.json", debate.Ask{Kind: debate.CallChallenge, Party: "claude", N: 1}},
	{"respond.json", debate.Ask{Kind: debate.CallRespond, Party: "gpt", N: 2}},
	{"rebut.json", debate.Ask{Kind: debate.CallRebut, Party: "gemini", N: 2}},
	{"rebut-last.json", debate.Ask{Kind: debate.CallRebut, Party: "gemini", N: 6, Last: true}},
	{"arbiter.json", debate.Ask{Kind: debate.CallArbiter, Party: "arbiter", N: 3}},
	{"judge1.json", debate.Ask{Kind: debate.CallJudge1, Party: "risk", N: 3, Decision: "D1"}},
	{"judge2.json", debate.Ask{Kind: debate.CallJudge2, Party: "value", N: 3, Decision: "D1"}},
	{"score.json", debate.Ask{Kind: debate.CallScore, Party: "gemini", N: 3}},
	{"sum_up.json", debate.Ask{Kind: debate.CallSumUp, Party: "gpt", N: 3}},
}

func stateFor(s debate.State, ask debate.Ask) debate.State {
	switch ask.Kind {
	case debate.CallArbiter, debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallSumUp:
		return s
	}
	return debating(s)
}
