package report

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// questioned is a question that was answered with a reservation, and a choice
// that the scores made.
func questioned() debate.State {
	cite := func(path string, line int, quote string) []debate.Evidence {
		return []debate.Evidence{{ID: "E1", Type: debate.Textual, Cite: debate.Citation{Path: path, Side: debate.Right, StartLine: line, EndLine: line, Quote: quote}, CitationOK: true, InHunk: true, Verified: true}}
	}
	text := "Which queue for the log?\n\nIt must not block @everyone."
	inquiry := &debate.Inquiry{Framing: debate.FramingCompare, Options: []debate.Option{{ID: "A", Label: "a ring buffer"}, {ID: "B", Label: "a channel"}}}
	received := debate.Received{
		SessionID: "debate-20260102-030405-2", Mode: debate.Standard, Target: debate.TargetProposal, Scope: debate.ScopeQuestion,
		Anchor: debate.Anchor{Title: "Which queue for the log?", Intent: text}, Inquiry: inquiry,
	}
	decisions := received.Framed()
	decisions[0].Outcome, decisions[0].Settled, decisions[0].Recommendation = debate.Settled, true, string(debate.Revise)
	decisions[0].FinalOptions = []debate.PartyOption{{Party: "gpt", Option: "revise"}, {Party: "gemini", Option: "revise"}}
	decisions[1].Outcome, decisions[1].Recommendation = debate.Adopted, "A"
	decisions[1].FinalOptions = []debate.PartyOption{{Party: "gpt", Option: "A"}, {Party: "gemini", Option: "B"}}
	return debate.State{
		Clock: debate.Clock{StartedAt: 1000, EndedAt: 31000}, Stage: debate.StagePublish, Received: received,
		Snapshot: debate.Snapshotted{Scope: debate.ScopeQuestion, Notes: []string{"files for the models: log.go"}},
		Split: debate.SplitDone{
			Target: debate.TargetProposal, Totals: debate.Totals{Files: 1, Parts: 2},
			Segments: []debate.Segment{{ID: "S1", Kind: debate.ProposalSegment, Path: debate.BodyPath}, {ID: "S2", Kind: debate.ContextSegment, Path: "log.go"}},
			Coverage: []debate.Coverage{{ID: "H1", Path: debate.BodyPath, By: []string{"gpt", "gemini"}}, {ID: "H2", Path: "log.go", By: []string{"gpt", "gemini"}}},
		},
		Table: debate.Table{Parties: []debate.Party{
			{ID: "gpt", Role: debate.Primary, Provider: "openai", Family: "openai", Status: debate.PartyOK},
			{ID: "gemini", Role: debate.Challenger, Provider: "google", Family: "google", Status: debate.PartyOK},
		}, Seats: []debate.Seat{
			{Party: "gpt", SpokeAt: 9}, {Party: "gemini", Engagement: debate.Partially, Substance: true, Option: debate.Revise, SpokeAt: 8},
		}, Primary: "gpt"},
		Book: debate.Book{
			Claims: []debate.Claim{
				{ID: "F1", Owner: "gpt", Segment: "S2", Kind: debate.Empirical, Severity: debate.P1, Category: debate.Performance, Title: "A full channel blocks its writer", Evidence: cite("log.go", 3, "var queue chan string"), EvidenceType: debate.Textual, ReportedBy: []string{"gpt"}, ConfirmedBy: []string{"gemini"}, Bucket: debate.Agreed},
				{ID: "F2", Owner: "gpt", Segment: "S1", Kind: debate.Proposal, Severity: debate.P2, Category: debate.Design, Title: "Losing a line is better than waiting", Evidence: cite(debate.BodyPath, 3, "It must not block @everyone."), EvidenceType: debate.Textual, ReportedBy: []string{"gpt"}, ConfirmedBy: []string{"gemini"}, Bucket: debate.Agreed},
				{ID: "F3", Owner: "gemini", Kind: debate.Empirical, Severity: debate.P3, Category: debate.Performance, Title: "A ring buffer is faster", EvidenceType: debate.BareClaim, ReportedBy: []string{"gemini"}, Bucket: debate.Unresolved, Reason: debate.ReasonUnconfirmed, Why: debate.Why{Code: debate.WhyNotVerified}},
			},
		},
		Talk: debate.Talk{Positions: []debate.Position{
			{Version: 1, By: "gpt", Disposition: debate.Keep, Summary: "Take the ring buffer."},
			{Version: 2, AfterN: 2, By: "gpt", Disposition: debate.Revise, Summary: "Take the ring buffer, and count what it drops."},
		}, Exchange: 2, Exit: debate.ExitTrivial, ExitWhy: debate.Why{Code: debate.WhyTold, Words: "a question of fact"}, Rounds: []debate.Round{{N: 1, Phase: debate.Constructive, Route: debate.Why{Code: debate.WhyTold, Words: "confront"}}, {N: 2, Phase: debate.Constructive}}},

		Asking: debate.Asking{Calls: []debate.Call{{Ask: "OPEN/0/gpt", Kind: debate.CallOpen, Party: "gpt", Status: debate.CallOK}}},
		Agenda: debate.Agenda{Decisions: decisions},
		Ending: debate.Ending{Outcome: debate.Consensus, Confidence: debate.High, Disposition: debate.Revise},
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	alone := questioned()
	alone.Ending.Outcome, alone.Ending.OutcomeReason, alone.Ending.Confidence, alone.Ending.Disposition = debate.DegradedLocal, debate.Why{Code: debate.WhyNoChallenger}, debate.Low, debate.Continue
	alone.Agenda.Decisions = nil
	silent := alone
	silent.Talk.Positions, silent.Asking.Calls = nil, nil
	written := questioned()
	written.Agenda.Decisions[1].FinalOptions[1].Option = "B"
	written.Table.Seats[1].WhyDisagree = "a channel is less code"
	written.Table.Seats[1].Options = []debate.FinalOption{{Decision: "D1", Option: "B", Needs: "a benchmark"}}
	written.Ending.Answer = &debate.SummedUp{By: "gpt", Text: "Take the ring buffer. It never blocks.", Conditions: []string{"Lines may be lost."}}
	unwritten := questioned()
	unwritten.Ending.Answer = &debate.SummedUp{By: "gpt", Lack: debate.Why{Code: debate.WhyNotWritten, Refs: []string{"timeout"}}}
	open := questioned()
	open.Ending.Outcome, open.Ending.Disposition = debate.Tradeoff, debate.Continue
	open.Agenda.Decisions[1].Outcome, open.Agenda.Decisions[1].Human = debate.AwaitingHuman, &debate.Human{Status: debate.ItemAwaiting}
	open.Agenda.Decisions[1].Triggers = []debate.Trigger{{ID: debate.TriggerSecurity, Source: debate.FromParty, Path: debate.BodyPath, Line: 1, Detail: "it is exposed"}}
	summed := open
	summed.Ending.Answer = &debate.SummedUp{By: "gpt", Text: "The ring buffer never blocks. The channel is less code.", Conditions: []string{"Lines may be lost."}}
	wordless := unwritten
	wordless.Talk.Positions = []debate.Position{{Version: 1, By: "gpt", Disposition: debate.Revise}}
	broken := questioned()
	broken.Ending.Outcome, broken.Ending.OutcomeReason = debate.Aborted, debate.Why{Code: debate.WhyTold, Words: "no debate is possible"}
	for name, tt := range map[string]struct {
		state     debate.State
		want, not []string
	}{
		"settled": {questioned(), []string{
			"the answer holds, with reservations (", "  Which queue for the log?\n", "Take the ring buffer, and count what it drops.",
			"Choice\n  A: a ring buffer\n", "question:3", "framing compare", "1 file shown", "the models answered: a ring buffer (gemini chooses a channel).", "2 points confirmed, 1 not confirmed. gpt debated it.",
		}, []string{"merge", "pull request", "Coverage", "To do", "+0", "the change was"}},
		"alone":  {alone, []string{"answered by one model only", "Answer of one model, unchallenged\n"}, []string{"embedded critic", "merge"}},
		"silent": {silent, []string{"not answered: "}, []string{"Answer\n"}},
		"open":   {open, []string{"the models disagree: gpt A, gemini B", "The choice of each model\n  gpt chose A: a ring buffer.\n  gemini chose B: a channel.\n"}, []string{"Choice\n", "  Take the ring buffer", "last held"}},
		"summed": {summed, []string{
			"the models disagree: gpt A, gemini B", "Reasons for each choice, by gpt\n  The ring buffer never blocks. The channel is less code.\n", "The choice of each model\n  gpt chose A",
		}, []string{"Choice\n", "It holds if"}},
		"written": {written, []string{
			"Answer, by gpt\n  Take the ring buffer. It never blocks.\n", "It holds if\n  Lines may be lost.\n", "Choice\n  A: a ring buffer\n",
			"Who disagrees\n  gemini chose B: a channel. Why: a channel is less code. To change its mind it needs: a benchmark.\n",
		}, []string{"Answer\n  Take", "last held"}},
		"unwritten": {unwritten, []string{
			"Answer, by gpt\n  Take the ring buffer, and count what it drops.\n",
			"This is the answer as debated. gpt did not rewrite it for readers: no reply in time.",
		}, []string{"It holds if"}},
		"wordless": {wordless, []string{"This is the answer as debated. gpt did not rewrite it for readers: no reply in time."}, []string{"Above"}},
		"broken":   {broken, []string{"the question could not be debated", "No debate is possible."}, nil},
	} {
		e := FromState(tt.state)
		got := string(Text(e, TextOptions{Width: 200, Verbose: true}))
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the text lacks %q:\n%s", name, want, got)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: the text has %q:\n%s", name, not, got)
			}
		}
	}
	if md := string(Markdown(FromState(questioned()))); strings.Count(md, "block @everyone") != 1 { // in a fence
		t.Errorf("the question mentions people:\n%s", md)
	}
}

// TestAnOpenAnswerIsNoMerge: where a person has to decide whether an answer stands, the
// choices are about the answer.
func TestAnOpenAnswerIsNoMerge(t *testing.T) {
	t.Parallel()
	s := questioned()
	s.Ending.Outcome, s.Ending.Disposition = debate.Tradeoff, debate.Continue
	s.Received.Inquiry = &debate.Inquiry{Framing: debate.FramingPropose}
	s.Agenda.Decisions = s.Agenda.Decisions[:1]
	d := &s.Agenda.Decisions[0]
	d.Outcome, d.Settled, d.Critical, d.Human = debate.AwaitingHuman, false, true, &debate.Human{Status: debate.ItemAwaiting}
	d.Triggers = []debate.Trigger{{ID: debate.TriggerTie, Detail: "keep, revise are tied"}}
	d.FinalOptions = []debate.PartyOption{{Party: "gpt", Option: "revise"}, {Party: "gemini", Option: "keep"}}
	e := FromState(s)
	e.Record = "r.jsonl"
	for name, c := range map[string]struct {
		out  []byte
		want string
	}{
		"text":     {Text(e, TextOptions{Width: 200}), "    keep    the answer holds\n    revise  the answer holds, with reservations"},
		"markdown": {Markdown(e), "has to decide whether the answer holds: keep, revise are tied."},
	} {
		if got := string(c.out); !strings.Contains(got, c.want) || strings.Contains(got, "merge") {
			t.Errorf("%s: %q is not in, or it speaks of a merge:\n%s", name, c.want, got)
		}
	}
}
