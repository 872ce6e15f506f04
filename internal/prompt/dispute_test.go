package prompt

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// disputing is a debate after its end in which the author disputes the first
// claim, long after the run began.
func disputing(s debate.State) debate.State {
	s.Stage, s.InDispute = debate.StageDispute, "K6"
	s.Book.Challenges = append(append([]debate.Challenge(nil), s.Book.Challenges...), debate.Challenge{
		ID: "K6", Claim: "F1", Attacker: debate.AuthorParty, Defender: "gpt", Kind: debate.Skeptical, Objection: "the caller looks first\u202e", Status: debate.Open,
	})
	s.Clock.At = s.Clock.StartedAt + 86_400_000
	s.Clock.ClockFrom = s.Clock.At
	return s
}

// TestDisputeIsShown: both parties see the disputed claim, whatever its bucket, with
// its lines and what the person says against it, and nothing else is asked of them
// (A26). Only who defends the claim is told so.
func TestDisputeIsShown(t *testing.T) {
	t.Parallel()
	change := plain()
	s := disputing(rich(change, "A title", "An intent.\n"))
	for party, file := range map[string]string{"gpt": "dispute-defender.json", "gemini": "dispute-other.json"} {
		ask := debate.Ask{Kind: debate.CallRespond, Party: party, N: 1}
		p := NewPacket(s, change.Set, PacketOptions{})
		got := p.Render(s, ask).Turn
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(got), "", "  "); err != nil {
			t.Fatal(err)
		}
		golden.Same(t, "testdata/"+file, append(b.Bytes(), '\n'))
		for _, bucket := range []debate.Bucket{debate.Agreed, debate.Unresolved} {
			s.Book.Claims[0].Bucket = bucket
			var turn struct {
				Claims     []claim
				Challenges []challenge
				Envelope   envelope `json:"input_envelope"`
			}
			if err := json.Unmarshal([]byte(rendered(s, ask, "").Turn), &turn); err != nil {
				t.Fatal(err)
			}
			if len(turn.Claims) != 1 || turn.Claims[0].ID != "F1" || len(turn.Claims[0].Evidence) != 1 || turn.Claims[0].OwnerIsYou != (party == "gpt") {
				t.Errorf("%s sees the claims %+v", party, turn.Claims)
			}
			if len(turn.Challenges) != 1 || turn.Challenges[0].ID != "K6" || turn.Challenges[0].DefenderIsYou != (party == "gpt") ||
				turn.Challenges[0].Objection != "the caller looks first<U+202E>" {
				t.Errorf("%s sees the challenges %+v", party, turn.Challenges)
			}
			if turn.Envelope.RemainingS != 1200 {
				t.Errorf("%s has %d seconds left", party, turn.Envelope.RemainingS)
			}
		}
		holds := strings.Contains(got, "You defend the finding") == (party == "gpt") && !strings.Contains(got, "You hold the position")
		if !holds {
			t.Errorf("%s is told: %s", party, turnOf(t, got)["request"])
		}
	}
}

// TestCriticIsShown: what the embedded critic found has its bucket from the start,
// and may be challenged all the same: by its id, with its lines.
func TestCriticIsShown(t *testing.T) {
	t.Parallel()
	s := debate.State{Received: debate.Received{Seed: "5eed"}}
	seen := debate.Claim{
		ID: "F1", Owner: debate.EngineParty, Title: "a key", Bucket: debate.Agreed,
		Evidence: []debate.Evidence{{Cite: debate.Citation{Path: "a.go", StartLine: 3, EndLine: 3, Quote: "key = [redacted]"}, CitationOK: true}},
	}
	s.Book.Claims = []debate.Claim{seen, {ID: "F2", Owner: "gpt", Title: "debated"}, {ID: "F3", Owner: "gpt", Title: "over", Bucket: debate.Dismissed}}
	shown := func(kind debate.CallKind) (ids []string, quotes int) {
		var turn struct{ Claims []claim }
		if err := json.Unmarshal([]byte(rendered(s, debate.Ask{Kind: kind, Party: "gemini", N: 1}, "").Turn), &turn); err != nil {
			t.Fatal(err)
		}
		for _, c := range turn.Claims {
			ids = append(ids, c.ID)
			if c.ID == "F1" && len(c.Evidence) == 1 && c.Evidence[0].StartLine == 3 {
				quotes++
			}
		}
		return ids, quotes
	}
	for _, kind := range []debate.CallKind{debate.CallChallenge, debate.CallRespond, debate.CallRebut} {
		ids, quotes := shown(kind)
		all := strings.Join(ids, " ")
		if quotes != 1 || len(ids) != 2 || !strings.Contains(all, "F2") {
			t.Errorf("%s shows %s, the critic's claim with its lines: %d", kind, all, quotes)
		}
	}
	// A flood of hits crowds out nothing that is debated.
	for i := range 2 * mostClaims {
		seen.ID = "F" + strconv.Itoa(i+10)
		s.Book.Claims = append([]debate.Claim{seen}, s.Book.Claims...)
	}
	ids, _ := shown(debate.CallChallenge)
	if len(ids) != mostClaims || !strings.Contains(strings.Join(ids, " ")+" ", "F2 ") {
		t.Errorf("%d claims are shown: %v", len(ids), ids)
	}
}
