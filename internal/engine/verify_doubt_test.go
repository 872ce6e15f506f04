package engine

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestUntimely: nothing happened before the run, and nothing later than the clock of
// another machine may say.
func TestUntimely(t *testing.T) {
	t.Parallel()
	v := &verifier{review: &Review{Now: func() int64 { return 1_000_000 }}, want: Expected{Since: 500_000}}
	for name, row := range map[string]struct {
		at   int64
		want string
	}{
		"as the run began":               {500_000, ""},
		"before the run":                 {499_999, "it is older than the run"},
		"as far ahead as a clock may be": {1_000_000 + 5*60_000, ""},
		"further ahead":                  {1_000_000 + 5*60_000 + 1, "it lies in the future"},
	} {
		if why := v.untimely(row.at); why != row.want {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestGoesOnAfterAPause: a debate goes on only after it stood still for more than a minute.
func TestGoesOnAfterAPause(t *testing.T) {
	t.Parallel()
	v := &verifier{review: &Review{}}
	v.review.state.Clock.At = 1_000_000
	for at, want := range map[int64]string{1_060_000: "nothing was interrupted", 1_060_001: ""} {
		if why := v.resumed(at); why != want {
			t.Errorf("at %d: %q", at, why)
		}
	}
}

// TestWhatWasDrawn: a seed and a session that the publisher knows must be these; of others
// it knows the shape.
func TestWhatWasDrawn(t *testing.T) {
	t.Parallel()
	seed, session := strings.Repeat("0f", 16), "debate-20260102-030405-7"
	for name, row := range map[string]struct {
		knownSeed, knownSession string
		seed, session           string
		holds                   bool
	}{
		"both were drawn":                              {"", "", seed, session, true},
		"both are known":                               {seed, session, seed, session, true},
		"known in another shape":                       {"00", "debate-7", "00", "debate-7", true},
		"another seed than the known one":              {strings.Repeat("1e", 16), session, seed, session, false},
		"another session":                              {seed, session + "1", seed, session, false},
		"a seed that is too short":                     {"", "", seed[:31], session, false},
		"a seed that is too long":                      {"", "", seed + "0", session, false},
		"a seed that is known, a session that is none": {seed, "", seed, "debate-7", false},
		"a session that is known, a seed that is none": {"", session, "00", session, false},
		"the session of a run and its attempt":         {"", "", seed, session + "-2-10", true},
		"a session with a part too many":               {"", "", seed, session + "-2-10-3", false},
	} {
		v := &verifier{review: &Review{}, want: Expected{Received: debate.Received{Seed: row.knownSeed, SessionID: row.knownSession}}}
		why, err := v.received(debate.Received{Seed: row.seed, SessionID: row.session})
		if err != nil || (why == "") != row.holds {
			t.Errorf("%s: %q, %v", name, why, err)
		}
	}
}

// TestPartiesOfARecord: a record may say why a party cannot be asked, in so many words.
func TestPartiesOfARecord(t *testing.T) {
	t.Parallel()
	own := []debate.Party{{ID: "gpt", Role: debate.Primary, Family: "gpt", Status: debate.PartyOK}}
	for name, row := range map[string]struct {
		edit func(*debate.Party)
		want string
	}{
		"as it is":                  {func(*debate.Party) {}, ""},
		"it cannot be asked":        {func(p *debate.Party) { p.Status, p.Detail = debate.PartyAuth, "the key is refused" }, ""},
		"it is of the same family":  {func(p *debate.Party) { p.Status = debate.PartySameFamily }, ""},
		"it stands as none does":    {func(p *debate.Party) { p.Status = "excellent" }, "a party stands as none does"},
		"the longest detail":        {func(p *debate.Party) { p.Detail = strings.Repeat("x", 8*maxDetail) }, ""},
		"a detail that is too long": {func(p *debate.Party) { p.Detail = strings.Repeat("x", 8*maxDetail+1) }, "what is said of a party is too long"},
		"another family":            {func(p *debate.Party) { p.Family = "gemini" }, "other parties take part"},
	} {
		table := []debate.Party{own[0]}
		row.edit(&table[0])
		v := &verifier{review: &Review{Participants: own}}
		if why := v.parties(table); why != row.want {
			t.Errorf("%s: %q", name, why)
		}
	}
}
