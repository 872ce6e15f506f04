package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/debate/rubric"
	"github.com/prdebate/debate/internal/testkit/long"
)

// contested is a debate folded by hand: no consensus, scores, judges, a human
// item, merged, late and dismissed claims, and a party that was lost.
func contested() debate.State {
	cite := func(path string, line int, quote string) []debate.Evidence {
		return []debate.Evidence{{ID: "E1", By: "gpt", Type: debate.Textual, Cite: debate.Citation{Path: path, Side: debate.Right, StartLine: line, EndLine: line, Quote: quote}, CitationOK: true, Verified: true}}
	}
	claim := func(id string, severity debate.Severity, bucket debate.Bucket, reason debate.Reason, title, path string, line int) debate.Claim {
		return debate.Claim{
			ID: id, Owner: "gpt", Kind: debate.Empirical, Asserted: severity, Severity: severity, Category: debate.Correctness, Title: title,
			Body: "What goes wrong, and when.", Evidence: cite(path, line, "x := y["+id+"]"), EvidenceType: debate.Textual,
			ReportedBy: []string{"gpt"}, Bucket: bucket, Reason: reason,
		}
	}
	bug := claim("F1", debate.P1, debate.Agreed, "", "The index runs past the end", "a.go", 10)
	bug.ConfirmedBy, bug.ReportedBy = []string{"gemini"}, []string{"gpt", "gemini"}
	same := claim("F2", debate.P2, debate.Agreed, "", "Index out of range", "a.go", 10)
	same.SameAs = "F1"
	same2 := claim("F10", debate.P2, debate.Agreed, "", "Off by one", "a.go", 10)
	same2.SameAs = "F2"
	plan := claim("F3", debate.P2, debate.Agreed, "", "The plan names no owner", debate.BodyPath, 4)
	plan.Segment, plan.Kind, plan.ConfirmedBy = "S2", debate.Proposal, []string{"gemini"}
	open := claim("F4", debate.P2, debate.Unresolved, debate.ReasonBlocked, "The cache may grow without a bound", "b.go", 3)
	open.Why, open.Crux = debate.Why{Code: debate.WhyTold, Words: "nobody measured it"}, "heap after one hour under load; above 1 GiB it is a P1"
	late := claim("F5", debate.P2, debate.Unresolved, debate.ReasonLate, "The name is odd", "b.go", 9)
	late.Why = debate.Why{Code: debate.WhyLate}
	over := claim("F6", debate.P3, debate.Unresolved, debate.ReasonNotDebated, "A comment is stale", "b.go", 12)
	over.Why = debate.Why{Code: debate.WhyTooMany}
	gone := claim("F7", debate.P2, debate.Dismissed, debate.ReasonRejected, "A race", "c.go", 1)
	gone.Why = debate.Why{Code: debate.WhyTold, Words: "the lock is held, c.go:7"}
	cycle := claim("F8", debate.P3, debate.Unresolved, debate.ReasonOpen, "Merged into itself", "d.go", 1)
	cycle.SameAs = "F9"
	cycle2 := claim("F9", debate.P3, debate.Unresolved, debate.ReasonOpen, "Merged in a circle", "d.go", 2)
	cycle2.SameAs = "F8"

	options := []debate.Option{{ID: "keep", Label: "keep", Description: "merge the change as proposed"}, {ID: "revise", Label: "revise", Description: "merge after named changes"}, {ID: "reject", Label: "reject", Description: "do not merge", StatusQuo: true}}
	criteria := []debate.Criterion{{ID: "correctness", WeightBP: 5000}, {ID: "risk", WeightBP: 3000}, {ID: "time", WeightBP: 2000}}
	sheet := func(party string, keep, revise, reject int) debate.Scoresheet {
		var scores []debate.Score
		for _, c := range criteria {
			scores = append(scores, debate.Score{Option: "keep", Criterion: c.ID, Score: keep}, debate.Score{Option: "revise", Criterion: c.ID, Score: revise}, debate.Score{Option: "reject", Criterion: c.ID, Score: reject})
		}
		return debate.Scoresheet{Party: party, Scores: scores, Rationale: "as I argued", Raw: `{"sheets":[]}`, Valid: true}
	}
	return debate.State{
		Clock: debate.Clock{StartedAt: 1000, EndedAt: 61000}, Stage: debate.StagePublish,
		Received: debate.Received{SessionID: "debate-20260102-030405-1", Mode: debate.Standard, Target: debate.TargetAuto},
		Snapshot: debate.Snapshotted{Scope: "range:main..HEAD"},
		Split: debate.SplitDone{
			Target: debate.TargetMixed, Totals: debate.Totals{Files: 3, Additions: 40, Deletions: 2, Parts: 2},
			Segments: []debate.Segment{{ID: "S1", Kind: debate.CodeSegment, Path: "a.go"}, {ID: "S2", Kind: debate.ProposalSegment, Path: debate.BodyPath}},
			Coverage: []debate.Coverage{{ID: "H1", Path: "a.go", By: []string{"gpt", "gemini"}}, {ID: "H2", Path: debate.BodyPath, By: []string{"gpt"}}},
		},
		Agenda: debate.Agenda{Assertions: []debate.Asserted{
			{Party: "gpt", Trigger: debate.TriggerMoney, Evidence: cite("a.go", 10, "x"), Reason: "it changes what is billed"},
			{Party: "gemini", Trigger: debate.TriggerDeploy, Evidence: cite("b.go", 3, "x"), Reason: "F4 fills the memory of the host"},
		}, Triggers: []debate.Trigger{{ID: debate.TriggerMoney, Source: debate.FromParty, Class: debate.ClassAsserted, Path: "a.go", Line: 10, Detail: "it changes what is billed", By: []string{"gpt", "gemini"}}}, Decisions: []debate.Decision{
			{
				ID: "D0", Fingerprint: "f0", Question: debate.DispositionQuestion, Options: options, Critical: true, Outcome: debate.AwaitingHuman, Recommendation: "revise",
				Triggers:     []debate.Trigger{{ID: debate.TriggerMoney, Source: debate.FromParty, Class: debate.ClassAsserted, Path: "a.go", Line: 10, Detail: "it changes what is billed"}},
				FinalOptions: []debate.PartyOption{{Party: "gpt", Option: "revise"}, {Party: "gemini", Option: "reject"}},
				Rubric: &debate.Rubric{
					Hash: "h", Criteria: criteria, Winner: "revise", Sheets: []debate.Scoresheet{sheet("gpt", 3, 9, 4), sheet("gemini", 1, 6, 5), {Party: "local", Flaw: rubric.Flaw{Code: rubric.Unanswered, Refs: []string{"no reply"}}}},
					Combined: []debate.Combined{{Option: "keep", Sum: 40000, Max: 200000}, {Option: "revise", Sum: 150000, Max: 200000}, {Option: "reject", Sum: 90000, Max: 200000}},
				},
				Human:   &debate.Human{Status: debate.ItemAwaiting, Sink: debate.SinkIssue, AskedAt: 61000, Void: []debate.VoidAnswer{{By: "mallory", Why: "no write access"}}},
				Grouped: []string{"Is the old format still read?"},
			},
			{
				ID: "D1", Fingerprint: "f1", Question: "Which cache?", Options: []debate.Option{{ID: "lru", Label: "LRU"}, {ID: "none", Label: "no cache", StatusQuo: true}}, Claims: []string{"F4"},
				ScopeCritical: true, Critical: true, Triggers: []debate.Trigger{{ID: debate.TriggerContested, Source: debate.FromProcedure, Class: debate.ClassProcedural, Detail: "the judges differ from the scores"}},
				Why: debate.Why{Code: debate.WhyTold, Words: "the budget allowed no scores"}, Recommendation: "lru", Outcome: debate.HumanDecided,
				Panel: &debate.Panel{
					Type: jury.Majority, Consensus: true, Option: "lru", Outcome: jury.Recommended, Missing: []debate.Stance{debate.StanceEffort},
					Distribution: []jury.Tally{{Option: "lru", Votes: 2}, {Option: "none", Votes: 1}},
					Perspectives: []jury.Perspective{{Judge: debate.StanceRisk, Option: "none", Reason: "a cache hides errors"}, {Judge: debate.StanceValue, Option: "lru", Reason: "it is faster"}, {Judge: debate.StanceEffort, Option: "lru", Reason: "it is there"}},
					Changes:      []jury.Change{{Judge: debate.StanceEffort, Round: 2, From: "none", To: "lru", Reason: "value: the library is in use"}},
					Rounds: []jury.Round{{Round: 1, Votes: []debate.Vote{
						{Judge: debate.StanceRisk, Option: "none", Valid: true, ConvincedBy: &debate.Convinced{Judge: "value", Argument: "x"}},
						{Judge: debate.StanceValue, Option: "lru", Valid: true}, {Judge: debate.StanceEffort, Valid: false, Note: jury.Note{Code: jury.Uncountered, Refs: []string{"risk"}}},
					}}},
				},
				Human: &debate.Human{Status: debate.ItemDecided, AskedAt: 61000, PersonAnswer: debate.PersonAnswer{By: "ada", Option: "lru", Reason: "we have it", At: 7261000, Head: strings.Repeat("ab", 20), Self: true}},
			},
			{ID: "D2", Fingerprint: "f2", Question: "Rename it?", Options: []debate.Option{{ID: "yes", Label: "yes"}, {ID: "no", Label: "no", StatusQuo: true}}, Settled: true, Outcome: debate.Settled, Recommendation: "no"},
		}},
		Table: debate.Table{Parties: []debate.Party{
			{ID: "gpt", Role: debate.Primary, Provider: "openai", Model: "gpt-x", Family: "openai", Status: debate.PartyOK},
			{ID: "gemini", Role: debate.Challenger, Provider: "google", Model: "gemini-x", Family: "google", Persona: "skeptic", Status: debate.PartyOK},
			{ID: "local", Role: debate.Challenger, Provider: "ollama", Family: "unknown", Status: debate.PartyTimeout},
			{ID: "risk", Role: debate.Judge, Debater: "gemini", Status: debate.PartyOK},
		}, Seats: []debate.Seat{
			{Party: "gpt", Option: debate.Revise},
			{Party: "gemini", Engagement: debate.Disagrees, Option: debate.Reject, Drifts: 1, WhyDisagree: "two changes in one", RightIf: "they ship together", CoreAssumption: "the plan changes", TestableBy: "ask the owner"},
			{Party: "local", Lost: true},
		}},
		Book: debate.Book{
			Claims: []debate.Claim{bug, same, plan, open, late, over, gone, cycle, cycle2, same2},
			Challenges: []debate.Challenge{
				{ID: "K1", Claim: "F7", Attacker: "gemini", Defender: "gpt", Kind: debate.Rejecting, Strength: debate.StrengthStrong, Objection: "the lock is held", Evidence: cite("c.go", 7, "mu.Lock()"), Status: debate.Conceded, ResolvedWith: debate.Why{Code: debate.WhyTold, Words: "c.go:7"}},
				{ID: "K2", Claim: debate.PositionSubject, Attacker: "gemini", Defender: "gpt", Kind: debate.Skeptical, Objection: "the plan should be split", Option: debate.Reject, Status: debate.Open},
				{ID: "K3", Claim: "F10", Attacker: "gemini", Defender: "gpt", Kind: debate.Skeptical, Objection: "is it reached?", Status: debate.Resolved, Defence: "a_test.go calls it", ResolvedWith: debate.Why{Code: debate.WhyTold, Words: "the call"}},
			},
		},
		Talk: debate.Talk{Positions: []debate.Position{
			{Version: 1, AfterN: 0, By: "gpt", Disposition: debate.Keep, Summary: "Fine as it is.", Confidence: debate.DeclaredHigh, Weaknesses: []string{"no load test"}, Assumptions: []string{"one writer"}, Claims: []string{"F3"}},
			{Version: 2, AfterN: 2, By: "gpt", Disposition: debate.Revise, Summary: "Fix the index first.", Confidence: debate.DeclaredMed, Because: []debate.Because{{Challenge: "K3", Party: "gemini", Move: debate.Accept, Reason: "the index is wrong"}}},
		},
			Deltas: []debate.Delta{
				{N: 2, Rater: "gpt", ValueBP: 1250, Counted: true},
				{N: 2, Rater: "gemini", ValueBP: 700},
				{N: 3, Rater: "gpt", ValueBP: 100, Counted: true},
			},
			Openings: []debate.Opened{
				{Party: "gpt", Reasoning: []string{"the new unit reaches the invoice", "`Bill` is called once"}}, {Party: "gpt", Chunk: "B2", Reasoning: []string{"the new unit reaches the invoice"}},
			},
			Rounds: []debate.Round{
				{N: 1, Phase: debate.Constructive, Timeouts: []string{"local"}, Route: debate.Why{Code: debate.WhyTold, Words: "confront: K2 is open"}},
				{N: 2, Phase: debate.Constructive, Raters: []string{"gpt", "gemini"}, Route: debate.Why{Code: debate.WhyTold, Words: "confront"}},
				{N: 3, Phase: debate.Development, Raters: []string{"gpt"}, Thin: true, Retries: []string{"gemini"}, ParseFailures: []string{"gemini"}, Route: debate.Why{Code: debate.WhyTold, Words: "synthesise"}},
			}, Exchange: 3, Exit: debate.ExitThin, ExitWhy: debate.Why{Code: debate.WhyTold, Words: "two thin rounds"},
			Overview:     &debate.Overview{By: "gpt", Does: "It bills hours instead of months.", Misses: "invoices that are out already"},
			Arbitrations: []debate.Arbitration{{Arbiter: "arbiter", FlaggedBP: 3333, Items: []debate.Flagged{{Claim: "F1", Flag: debate.FlagOK}, {Claim: "F7", Flag: debate.FlagUnjustified, Note: "the lock is another one"}}}}},

		Steps: []debate.Step{{Facts: []debate.Fact{
			{Kind: debate.CaseTried, Who: "gemini", About: "F2", Text: "a slice with one item", Cites: cite("a.go", 9, "x := len(y)")},
			{Kind: debate.CaseTried, Who: "gemini", About: "S1", Text: "two billings at once"},
			{Kind: debate.CaseTried, Who: "gpt", About: "S1", Text: "an empty invoice", Cites: cite("a.go", 12, "if len(y) == 0 {")},
		}}},
		Asking: debate.Asking{Calls: []debate.Call{
			{Ask: "OPEN/0/gpt", Kind: debate.CallOpen, Party: "gpt", Status: debate.CallOK, Usage: debate.Usage{TokensIn: 900, TokensCached: 300, TokensOut: 120, CostMicro: 12345}},
			{Ask: "CHALLENGE/1/gemini", Kind: debate.CallChallenge, Party: "gemini", Status: debate.CallOK, Usage: debate.Usage{TokensIn: 800, TokensOut: 90, CostMicro: 100000}},
			{Ask: "CHALLENGE/1/local", Kind: debate.CallChallenge, Party: "local", Status: debate.CallTimeout, Usage: debate.Usage{CostUnknown: true}},
		}},
		Carried: []debate.CarriedState{{Carried: debate.Carried{ID: "F10", Severity: debate.P2, Title: "Old one", Cite: debate.Citation{Path: "a.go", StartLine: 2}}, Class: debate.Fixed, Says: []debate.CarriedAnswer{{Party: "gpt", Class: debate.Fixed, Shown: true}}}, {Carried: debate.Carried{ID: "F2", Title: "Older"}, Class: debate.Stands, Claim: "F1"}},

		Ending: debate.Ending{Outcome: debate.Tradeoff, Confidence: debate.RequiresInput, Disposition: debate.Revise},
	}
}

// agreeing is a debate that ended at once, among models of one family.
func agreeing() debate.State {
	s := contested()
	s.Book.Claims, s.Book.Challenges, s.Talk.Deltas, s.Talk.Arbitrations, s.Carried, s.Agenda.Triggers, s.Talk.Overview = s.Book.Claims[2:3], nil, nil, nil, nil, nil, nil
	s.Talk.Positions, s.Talk.Rounds, s.Agenda.Decisions = s.Talk.Positions[:1], s.Talk.Rounds[:1], s.Agenda.Decisions[:1]
	d := &s.Agenda.Decisions[0]
	d.Critical, d.Triggers, d.Rubric, d.Human, d.Grouped, d.Outcome, d.Recommendation, d.Settled = false, nil, nil, nil, nil, debate.Settled, "keep", true
	d.FinalOptions = []debate.PartyOption{{Party: "gpt", Option: "keep"}, {Party: "gpt-2", Option: "keep"}}
	s.Table.Parties = []debate.Party{s.Table.Parties[0], {ID: "gpt-2", Role: debate.Challenger, Provider: "openai", Model: "gpt-x", Family: "openai", Persona: "skeptic", Status: debate.PartyOK}}
	s.Table.Seats = []debate.Seat{{Party: "gpt", Option: debate.Keep}, {Party: "gpt-2", Option: debate.Keep, Engagement: debate.Agrees}}
	s.Ending.Outcome, s.Ending.Confidence, s.Ending.Disposition, s.Table.SameFamily = debate.Consensus, debate.Medium, debate.Keep, true
	s.Talk.Exchange, s.Talk.Exit, s.Talk.ExitWhy = 1, debate.ExitFast, debate.Why{}
	s.Asking.Calls = s.Asking.Calls[:2]
	s.Asking.Calls[1].Party = "gpt-2"
	return s
}

func TestEveryClaimIsSomewhere(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	want := map[string][]string{
		"p1": {"F1"}, "p2": {"F3"}, "p3": {}, "unresolved": {"F4", "F8", "F9"}, "dismissed": {"F7"}, "not_evaluated": {"F5", "F6"},
	}
	got := map[string][]string{}
	for name, list := range map[string][]Finding{"p1": e.P1, "p2": e.P2, "p3": e.P3, "unresolved": e.Unresolved, "dismissed": e.Dismissed, "not_evaluated": e.NotEvaluated} {
		got[name] = []string{}
		for _, f := range list {
			got[name] = append(got[name], f.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if e.Duplicates != 2 || cmp.Diff([]string{"F2", "F10"}, e.P1[0].Duplicates) != "" {
		t.Errorf("duplicates: %d, %v", e.Duplicates, e.P1[0].Duplicates)
	}
	if len(e.P1[0].Challenges) != 1 || e.P1[0].Challenges[0].ID != "K3" || len(e.Objections) != 1 {
		t.Error("a challenge does not stand with the claim that it attacks")
	}
}

// TestNoClaimIsLost: whatever merges into whatever, each claim is listed once or
// counted as a duplicate of a listed one.
func TestNoClaimIsLost(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		ids := []string{"F1", "F2", "F3", "F4", "F5", "F6"}
		var s debate.State
		for _, id := range ids {
			s.Book.Claims = append(s.Book.Claims, debate.Claim{
				ID: id, SameAs: rapid.SampledFrom(append([]string{"", "", "F77"}, ids...)).Draw(t, "same"), Severity: rapid.SampledFrom([]debate.Severity{debate.P1, debate.P2, debate.P3, ""}).Draw(t, "severity"),
				Bucket: rapid.SampledFrom([]debate.Bucket{debate.Agreed, debate.Dismissed, debate.Unresolved, ""}).Draw(t, "bucket"),
				Reason: rapid.SampledFrom([]debate.Reason{"", debate.ReasonLate, debate.ReasonNotDebated, debate.ReasonOpen}).Draw(t, "reason"),
			})
		}
		e := FromState(s)
		seen := map[string]int{}
		duplicates := 0
		for _, list := range e.Lists() {
			for _, f := range *list {
				seen[f.ID]++
				for _, id := range f.Duplicates {
					seen[id]++
					duplicates++
				}
			}
		}
		for _, id := range ids {
			if seen[id] != 1 {
				t.Fatalf("%s is there %d times", id, seen[id])
			}
		}
		if duplicates != e.Duplicates {
			t.Fatalf("%d duplicates, counted %d", duplicates, e.Duplicates)
		}
	})
}

func TestCost(t *testing.T) {
	t.Parallel()
	for in, want := range map[USD]string{
		0: "0", 1: "0.000001", 1_500_000: "1.5", 112345: "0.112345", 100: "0.0001", -250_000: "-0.25", 9_007_199_254_740_993: "9007199254.740993", 10_000_000: "10",
		100_000: "0.1", -1 << 63: "-9223372036854.775808",
	} {
		data, err := json.Marshal(in)
		var back USD
		if err != nil || string(data) != want || json.Unmarshal(data, &back) != nil || back != in {
			t.Errorf("%d: %s, back %d (%v)", int64(in), data, int64(back), err)
		}
	}
	for _, bad := range []string{`"1"`, "1e3", "0.1234567", "true", "99999999999999999999"} {
		var u USD
		if err := json.Unmarshal([]byte(bad), &u); err == nil {
			t.Errorf("%s is read as %d", bad, u)
		}
	}
	e := FromState(contested())
	if e.Stats.CostUSD != 112345 || !e.Stats.CostUnknown || e.Stats.TokensIn != 1700 || e.Stats.TokensCached != 300 || e.Stats.Calls != 3 || e.Stats.Rounds != 3 {
		t.Errorf("stats: %+v", e.Stats)
	}
	if p := e.Parties[2]; p.Calls != 1 || p.Failed != 1 || !p.CostUnknown || !p.Lost {
		t.Errorf("party: %+v", p)
	}
}

// TestFirstLines: what weakens a result is said before the result is read.
func TestFirstLines(t *testing.T) {
	t.Parallel()
	local := contested()
	local.Ending.Outcome, local.Ending.Confidence, local.Talk.Exit = debate.DegradedLocal, debate.Low, ""
	local.Asking.Calls = []debate.Call{{Kind: debate.CallLocal, Party: "gpt", Status: debate.CallOK}}
	for name, c := range map[string]struct {
		s    debate.State
		want []string
	}{
		"same family": {agreeing(), []string{"ready to merge, 1 remark", "gpt and gpt's second run read the whole change and would merge it as it is.", "Models from one maker tend to miss the same bugs."}},
		"no debate":   {local, []string{"waits for a decision", "No other model has checked the findings of gpt.", "The built-in rules, which need no model, found nothing."}},
		"contested":   {contested(), []string{"waits for a decision", "2 findings confirmed, 3 not confirmed, 2 not debated. gpt and gemini read the whole change; gpt asks for changes, gemini would not merge it. local failed (no reply in time)."}},
	} {
		e := FromState(c.s)
		for kind, out := range map[string]string{"text": string(Text(e, TextOptions{Width: 120})), "markdown": string(Markdown(e))} {
			lines := strings.SplitN(out, "\n", 8)
			first := strings.Join(strings.Fields(strings.Join(lines[:min(7, len(lines))], " ")), " ")
			for _, want := range c.want {
				if kind == "text" { // whose first line has the counts
					want = strings.TrimPrefix(want, Counted(e)+". ")
				}
				if !strings.Contains(first, want) {
					t.Errorf("%s, %s: %q is not in the first lines %q", name, kind, want, first)
				}
			}
		}
	}
}

// TestDissentIsInTheOpen: who holds another answer to the merge is not folded away, and
// the judges who differ about another question are named where it is (R182, R028).
func TestDissentIsInTheOpen(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	unfolded := ""
	for i, part := range strings.Split(string(Markdown(e)), "<details>") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "</details>")
		}
		unfolded += part
	}
	for _, want := range []string{"gpt asks for changes, gemini would not merge it", "To settle it: heap after one hour"} {
		if !strings.Contains(unfolded, want) {
			t.Errorf("%q is folded away in\n%s", want, unfolded)
		}
	}
	for _, want := range []string{`(the judge for risk chooses no cache: "a cache hides errors")`} {
		if !strings.Contains(string(Markdown(withPanel(e))), want) {
			t.Errorf("%q is not said", want)
		}
	}
}

// withPanel is e whose second question was answered by its judges and by no person.
func withPanel(e Envelope) Envelope {
	e.Decisions = slices.Clone(e.Decisions)
	e.Decisions[1].Outcome, e.Decisions[1].Human = debate.Adopted, nil
	return e
}

func TestSARIFHoldsAgreedOnly(t *testing.T) {
	t.Parallel()
	out, err := SARIF(FromState(contested()))
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				Properties struct {
					ID          string
					ConfirmedBy []string `json:"confirmedBy"`
				}
			}
		}
	}
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, r := range log.Runs[0].Results {
		got[r.Properties.ID] = r.Properties.ConfirmedBy
	}
	if diff := cmp.Diff(map[string][]string{"F1": {"gemini"}, "F3": {"gemini"}}, got); diff != "" {
		t.Error(diff)
	}
}
