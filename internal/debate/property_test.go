package debate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var severities = rapid.SampledFrom([]Severity{P1, P2, P3})

var triggerGen = rapid.Custom(func(t *rapid.T) Trigger {
	return Trigger{
		ID:     rapid.SampledFrom([]TriggerID{TriggerDeploy, TriggerSecurity, TriggerDestructiveSchema, TriggerGovernance}).Draw(t, "id"),
		Source: "policy",
		Class:  rapid.SampledFrom([]TriggerClass{ClassPath, ClassContent, ClassConfigured}).Draw(t, "class"),
	}
})

var hitGen = rapid.Custom(func(t *rapid.T) CheckedHit {
	return hit(severities.Draw(t, "severity"), "", rapid.Bool().Draw(t, "citation"))
})

// eventGen draws any event, so that sequences are mostly out of order.
var eventGen = rapid.Custom(func(t *rapid.T) Event {
	first := received()
	first.Settings.AbortIfNoParty = rapid.Bool().Draw(t, "abort")
	return rapid.SampledFrom([]Event{
		first, Snapshotted{Hash: "h"}, splitDone(),
		Critiqued{Hits: rapid.SliceOfN(hitGen, 0, 4).Draw(t, "hits")},
		Policed{Triggers: rapid.SliceOfN(triggerGen, 0, 3).Draw(t, "triggers"), Skip: rapid.SampledFrom([]string{"", "", "draft"}).Draw(t, "skip")},
		Checked{}, Preflighted{}, Preflighted{Parties: []Party{{ID: "gpt", Status: PartyOK}}},
		Published{}, AbortedEvent{Reason: "r"}, Closed{Outcome: json.RawMessage(`{}`)},
	}).Draw(t, "event")
})

// TestAnySequence folds sequences that follow the machine most of the time and
// checks what must hold after each event, whatever came before.
func TestAnySequence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s State
		var log []Entry
		for range rapid.IntRange(1, 24).Draw(t, "length") {
			event := eventGen.Draw(t, "any")
			if work := Outstanding(s); rapid.IntRange(0, 3).Draw(t, "obey") > 0 && (len(work) == 1 || s.N == 0) {
				event = obedient(t, s)
			}
			entry := Entry{N: s.N + 1, At: s.Clock.At + 1, Event: event}
			before := s
			next, err := Apply(s, entry)
			if err != nil {
				if diff := cmp.Diff(before, next); diff != "" {
					t.Fatalf("a refused event left a trace:\n%s", diff)
				}
				continue
			}
			log = append(log, entry)
			s = next
			invariants(t, s)
		}
		again, err := Fold(log)
		if err != nil {
			t.Fatalf("a log that was written cannot be folded: %v", err)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Fatalf("folding again gives another state:\n%s", diff)
		}
		for n := range log { // every prefix is defined
			if _, err := Fold(log[:n]); err != nil {
				t.Fatalf("prefix %d: %v", n, err)
			}
		}
	})
}

// obedient draws an event of the kind that the outstanding work asks for.
func obedient(t *rapid.T, s State) Event {
	if s.N == 0 {
		return received()
	}
	switch Outstanding(s)[0].Kind {
	case DoSnapshot:
		return Snapshotted{Hash: "h"}
	case DoSplit:
		return splitDone()
	case DoCritique:
		return Critiqued{Hits: rapid.SliceOfN(hitGen, 0, 4).Draw(t, "hits")}
	case DoPolice:
		return Policed{Triggers: rapid.SliceOfN(triggerGen, 0, 3).Draw(t, "triggers")}
	case DoPreflight:
		return Preflighted{}
	case DoChecks:
		return Checked{}
	case DoPublish:
		return Published{}
	}
	return Closed{Outcome: json.RawMessage(`{}`)}
}

func invariants(t *rapid.T, s State) {
	work := Outstanding(s)
	if len(work) == 0 && s.Ending.Closing == nil {
		t.Fatalf("stage %s has no work and is not closed: the debate is stuck", s.Stage)
	}
	if s.Terminal() && s.Ending.Outcome == "" {
		t.Fatalf("terminal stage %s without an outcome", s.Stage)
	}
	for _, c := range s.Book.Claims {
		if c.Bucket == Agreed && !c.Verified() {
			t.Fatalf("claim %s is Agreed without verified evidence", c.ID)
		}
		if c.Bucket == "" {
			t.Fatalf("claim %s is in no bucket", c.ID)
		}
		if c.Severity == P1 && !c.Verified() {
			t.Fatalf("claim %s is P1 without evidence", c.ID)
		}
	}
	critical := false
	for _, tr := range s.Agenda.Triggers {
		critical = critical || tr.Critical()
	}
	for _, d := range s.Agenda.Decisions {
		if (d.Outcome == AwaitingHuman) != critical || d.Critical != critical {
			t.Fatalf("decision %s is %s with critical triggers: %v", d.ID, d.Outcome, critical)
		}
	}
	if s.Ending.Outcome != "" && (s.Ending.Confidence != Low || s.Ending.Disposition == Keep) {
		t.Fatalf("a run without a debate ends with confidence %s and disposition %s", s.Ending.Confidence, s.Ending.Disposition)
	}
	if s.Coverage() != CoverageNone {
		t.Fatal("a run without a debate counts something as reviewed")
	}
}
