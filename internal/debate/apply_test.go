package debate

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// received opens every debate of these tests.
func received() Received {
	return Received{
		Protocol: ProtocolVersion, SessionID: "debate-20260102-030405-7", Seed: "00112233445566778899aabbccddeeff",
		Scope: "range:a..b", Mode: Standard, Target: TargetAuto,
		Anchor: Anchor{Repo: "o/r", PR: 7}, Settings: Settings{Gate: Advisory, FailOn: FailNone, Opening: OpenPosition},
	}
}

func splitDone() SplitDone {
	return SplitDone{
		Target: TargetCode,
		Totals: Totals{Files: 2, Additions: 3, Deletions: 1, Parts: 3},
		Segments: []Segment{
			{ID: "S1", Kind: CodeSegment, Source: FromDiff, Path: "a.go", Side: Right, StartLine: 1, EndLine: 9},
		},
		Coverage: []Coverage{
			{ID: "H1", Path: "a.go", Side: Right, StartLine: 1, EndLine: 9, Additions: 2, Deletions: 1, Segments: []string{"S1"}},
			{ID: "H2", Path: "a.go", Side: Right, StartLine: 20, EndLine: 21, Additions: 1},
			{ID: "H3", Path: "b.png", Side: Right, Excluded: Media},
		},
		Chunks: []Chunk{{ID: "X1", Bytes: 90, Segments: []string{"S1"}}},
	}
}

func hit(severity Severity, trigger TriggerID, citationOK bool) CheckedHit {
	return CheckedHit{
		Hit: Hit{
			Rule: "sql/drop-table", Category: "data-loss", Severity: severity, Title: "drops a table", Body: "b", Trigger: trigger,
			Cite: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "DROP TABLE t;"},
		},
		CitationOK: citationOK,
	}
}

// degraded is the log of a whole degraded run.
func degraded(hits []CheckedHit, triggers []Trigger) []Event {
	return []Event{
		received(), Snapshotted{Scope: "range:a..b", Hash: "h"}, splitDone(), Critiqued{Hits: hits},
		Policed{Triggers: triggers}, Preflighted{Parties: []Party{{ID: "gpt", Role: "challenger", Status: PartyNotFound}}}, Checked{},
		Published{Sinks: []string{"stdout"}}, Closed{Outcome: json.RawMessage(`{}`)},
	}
}

func entries(events []Event) []Entry {
	var all []Entry
	for i, e := range events {
		all = append(all, Entry{N: i + 1, At: int64(1000 * (i + 1)), Event: e})
	}
	return all
}

func fold(t *testing.T, events []Event) State {
	t.Helper()
	s, err := Fold(entries(events))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDegradedRun(t *testing.T) {
	t.Parallel()
	path := Trigger{ID: TriggerDeploy, Source: "policy", Class: ClassPath, Path: "Dockerfile"}
	content := Trigger{ID: TriggerDestructiveSchema, Source: "policy", Class: ClassContent, Path: "a.go", Line: 3}
	configured := Trigger{ID: TriggerMoney, Source: "policy", Class: ClassConfigured, Path: "a.go", Line: 1}
	tests := []struct {
		name        string
		hits        []CheckedHit
		triggers    []Trigger
		stage       Stage
		decision    DecisionOutcome
		disposition Disposition
	}{
		{"nothing found", nil, nil, StageDone, Undecided, Continue},
		{"a P3 alone changes no disposition", []CheckedHit{hit(P3, "", true)}, nil, StageDone, Undecided, Continue},
		{"a P2 asks for a revision", []CheckedHit{hit(P2, "", true)}, nil, StageDone, Undecided, Revise},
		{"a P1 that cites nothing asks for nothing", []CheckedHit{hit(P1, "", false)}, nil, StageDone, Undecided, Continue},
		{"a path hit is shown only", nil, []Trigger{path}, StageDone, Undecided, Continue},
		{"a content hit waits for a human", []CheckedHit{hit(P1, TriggerDestructiveSchema, true)}, []Trigger{content}, StageAwaitingHuman, AwaitingHuman, Revise},
		{"a configured hit waits for a human", nil, []Trigger{path, configured}, StageAwaitingHuman, AwaitingHuman, Continue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fold(t, degraded(tt.hits, tt.triggers))
			if s.Ending.Outcome != DegradedLocal || s.Ending.Confidence != Low {
				t.Errorf("outcome %s, confidence %s", s.Ending.Outcome, s.Ending.Confidence)
			}
			if s.Stage != tt.stage {
				t.Errorf("stage %s, want %s", s.Stage, tt.stage)
			}
			if len(s.Agenda.Decisions) != 1 || s.Agenda.Decisions[0].ID != "D0" || s.Agenda.Decisions[0].Outcome != tt.decision {
				t.Errorf("decisions %+v, want one D0 %s", s.Agenda.Decisions, tt.decision)
			}
			if s.Ending.Disposition != tt.disposition {
				t.Errorf("disposition %s, want %s", s.Ending.Disposition, tt.disposition)
			}
			if len(Outstanding(s)) != 0 {
				t.Errorf("a closed record has work: %v", Outstanding(s))
			}
		})
	}
}

func TestEvidenceGate(t *testing.T) {
	t.Parallel()
	s := fold(t, degraded([]CheckedHit{hit(P1, "", true), hit(P1, "", false)}, nil))
	good, bad := s.Book.Claims[0], s.Book.Claims[1]
	if good.Bucket != Agreed || good.Severity != P1 || !cmp.Equal(good.ConfirmedBy, []string{EngineParty}) || good.Segment != "S1" {
		t.Errorf("verified hit: %+v", good)
	}
	for _, c := range fold(t, degraded([]CheckedHit{hit(P1, "", true), hit(P1, "", false)}, nil)[:4]).Book.Claims {
		if c.Bucket == "" {
			t.Errorf("before the debate %s is in no bucket", c.ID)
		}
	}
	if bad.Bucket != Unresolved || bad.Severity != P2 || bad.Asserted != P1 || len(bad.ConfirmedBy) != 0 || bad.Verified() {
		t.Errorf("unverified hit: %+v", bad)
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	s := fold(t, degraded(nil, nil))
	if got := s.Coverage(); got != CoverageNone {
		t.Errorf("the critic alone makes coverage %s", got)
	}
	same(t, []string{EngineParty}, s.Split.Coverage[0].By)
	if s.Split.Coverage[2].By != nil {
		t.Error("a binary file counts as read")
	}
	for i := range s.Split.Coverage {
		if c := &s.Split.Coverage[i]; c.Excluded == NotExcluded {
			c.By = append(slices.Clip(c.By), "gpt")
		}
	}
	if got := s.Coverage(); got != CoverageFull {
		t.Errorf("all parts read by a party make coverage %s", got)
	}
	s.Split.Coverage[1] = Coverage{ID: "H2", Excluded: OutOfBudget}
	if got := s.Coverage(); got != CoveragePartial {
		t.Errorf("a part out of budget leaves coverage %s", got)
	}
}

func TestSkip(t *testing.T) {
	t.Parallel()
	events := degraded(nil, nil)[:4]
	s := fold(t, append(events, Policed{Skip: "draft"}, Published{}))
	if s.Ending.Outcome != Skipped || s.Ending.OutcomeReason.Words != "draft" || s.Stage != StageDone || len(s.Agenda.Decisions) != 0 {
		t.Errorf("%s %s %s %v", s.Ending.Outcome, s.Ending.OutcomeReason, s.Stage, s.Agenda.Decisions)
	}
}

func TestAbortWithoutParty(t *testing.T) {
	t.Parallel()
	events := degraded([]CheckedHit{hit(P1, "", true)}, nil)[:7]
	first := received()
	first.Settings.AbortIfNoParty = true
	events[0] = first
	s := fold(t, events)
	if s.Stage != StageAborted || s.Ending.Outcome != Aborted || len(s.Agenda.Decisions) != 0 || s.Ending.Disposition != Continue || s.Ending.Confidence != Low {
		t.Errorf("%s %s %v %s %s", s.Stage, s.Ending.Outcome, s.Agenda.Decisions, s.Ending.Disposition, s.Ending.Confidence)
	}
	same(t, []Work{{ID: "close@7", Kind: DoClose}}, Outstanding(s))
}

// TestOrder feeds every event at every point of a run: only the right one is
// taken, and a refused one leaves no trace.
func TestOrder(t *testing.T) {
	t.Parallel()
	run := degraded([]CheckedHit{hit(P1, "", true)}, nil)
	for n := 0; n <= len(run); n++ {
		s := fold(t, run[:n])
		for i, e := range run {
			next, err := Apply(s, Entry{N: n + 1, At: s.Clock.At, Event: e})
			if i == n {
				if err != nil {
					t.Errorf("after %d events the right one is refused: %v", n, err)
				}
				continue
			}
			var order *OrderError
			if !errors.As(err, &order) {
				t.Errorf("after %d events, %s was taken", n, KindOf(e))
			}
			if diff := cmp.Diff(s, next); diff != "" {
				t.Errorf("after %d events, the refused %s left a trace:\n%s", n, KindOf(e), diff)
			}
		}
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	wrong := received()
	wrong.Protocol = "3"
	sums := splitDone()
	sums.Totals.Additions++
	twins := Preflighted{Parties: []Party{{ID: "gpt", Status: PartyOK}, {ID: "gpt", Status: PartyOK}}}
	run := degraded(nil, nil)
	tests := []struct {
		name  string
		given int // events of the run folded before
		entry Entry
	}{
		{"a number too high", 1, Entry{N: 3, At: 9000, Event: run[1]}},
		{"a number twice", 1, Entry{N: 1, At: 9000, Event: run[0]}},
		{"time runs backwards", 1, Entry{N: 2, At: 1, Event: run[1]}},
		{"another protocol", 0, Entry{N: 1, At: 1, Event: wrong}},
		{"a ledger that does not add up", 2, Entry{N: 3, At: 9000, Event: sums}},
		{"two parties of one name", 5, Entry{N: 6, At: 9000, Event: twins}},
		{"abort after the end", 8, Entry{N: 9, At: 9000, Event: AbortedEvent{Reason: "x"}}},
		{"close before the end", 3, Entry{N: 4, At: 9000, Event: Closed{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fold(t, run[:tt.given])
			var order *OrderError
			if _, err := Apply(s, tt.entry); !errors.As(err, &order) {
				t.Errorf("taken, or the wrong error: %v", err)
			}
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := Decision{Question: "May  this be merged?", Options: dispositionOptions(), Triggers: []Trigger{{ID: "a"}, {ID: "b"}}}
	same := Decision{Question: "may this be MERGED?", Options: dispositionOptions(), Triggers: []Trigger{{ID: "b"}, {ID: "a"}, {ID: "a"}}}
	same.Options[0], same.Options[2] = same.Options[2], same.Options[0]
	anchor := Anchor{Repo: "o/r", PR: 7}
	if fingerprint(anchor, base) != fingerprint(anchor, same) {
		t.Error("order, case or repetition changes the fingerprint")
	}
	other := base
	other.Triggers = []Trigger{{ID: "a"}}
	if fingerprint(anchor, base) == fingerprint(anchor, other) {
		t.Error("another trigger keeps the fingerprint (S08)")
	}
	if fingerprint(anchor, base) == fingerprint(Anchor{Repo: "o/r", PR: 8}, base) {
		t.Error("another pull request keeps the fingerprint")
	}
}

// same compares two values, and says which part differs.
func same(t testing.TB, want, got any, what ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", strings.Join(what, ""), diff)
	}
}
