package debate

import (
	"slices"
	"strings"
	"testing"
)

// TestSilentChallengerFollows: a challenger that names no option goes along with the
// position where it agrees and says what it looked at, where nothing of what it leaves open
// weighs, or where it was granted what it wanted; else it holds nothing (R087).
func TestSilentChallengerFollows(t *testing.T) {
	t.Parallel()
	checked := Seat{Engagement: Agrees, Substance: true}
	partial := Seat{Engagement: Partially, Verdict: VerdictPartial}
	position := func(status ChallengeStatus, strength Strength, wants Disposition) Challenge {
		return Challenge{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: status, Strength: strength, Option: wants}
	}
	onClaim := func(status ChallengeStatus) Challenge {
		return Challenge{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: status, Strength: StrengthMinor}
	}
	claim := func(owner string, severity Severity, bucket Bucket, by ...string) Claim {
		c := Claim{ID: "F1", Owner: owner, Severity: severity, Bucket: bucket}
		for _, party := range by {
			c.Evaluations = append(c.Evaluations, Evaluation{Party: party, Class: ClassAgree})
		}
		return c
	}
	moved := []Position{{By: "claude", Disposition: Keep}, {By: "claude", Disposition: Revise}}
	for name, row := range map[string]struct {
		seat       Seat
		challenges []Challenge
		claims     []Claim
		positions  []Position // of which the last is revise; one where none is given
		follows    bool
	}{
		"it has not answered":                          {Seat{}, nil, nil, nil, false},
		"it has not answered, though its P2 is taken":  {Seat{}, nil, []Claim{claim("gpt", P2, Agreed, "claude")}, nil, false},
		"it agreed in part, and was pressed":           {Seat{Engagement: Disagrees, Verdict: VerdictPartial}, nil, nil, nil, false},
		"it disagrees":                                 {Seat{Engagement: Disagrees, Substance: true, Verdict: VerdictDisagree}, nil, nil, nil, false},
		"it agrees, and says what it looked at":        {checked, nil, nil, nil, true},
		"it agrees, and says nothing of that":          {Seat{Engagement: Agrees}, nil, nil, nil, false},
		"it agreed to what the position was":           {checked, nil, nil, moved, false},
		"it agrees in part, and nothing is open":       {partial, nil, nil, nil, true},
		"it says nothing, and something was left open": {Seat{Engagement: Partially, Verdict: VerdictAgree}, nil, nil, nil, false},
		"a small objection":                            {partial, []Challenge{position(Open, StrengthMinor, "")}, nil, nil, true},
		"a moderate objection":                         {partial, []Challenge{position(Open, StrengthModerate, "")}, nil, nil, false},
		"a moderate objection that was settled":        {partial, []Challenge{position(Resolved, StrengthModerate, "")}, nil, nil, true},
		"a small objection to a P3":                    {partial, []Challenge{onClaim(Open)}, []Claim{claim("claude", P3, Unresolved)}, nil, true},
		"a small objection to a P2":                    {partial, []Challenge{onClaim(Open)}, []Claim{claim("claude", P2, Unresolved)}, nil, false},
		"its own P2 is confirmed":                      {partial, nil, []Claim{claim("gpt", P2, Agreed)}, nil, true},
		"its own P2 is open":                           {partial, nil, []Claim{claim("gpt", P2, Unresolved)}, nil, false},
		"its own P3 is open":                           {partial, nil, []Claim{claim("gpt", P3, Unresolved)}, nil, true},
		"the P2 of another one is open":                {partial, nil, []Claim{claim("claude", P2, Unresolved)}, nil, true},
		"what it wanted was granted":                   {Seat{Engagement: Disagrees}, []Challenge{position(Conceded, StrengthStrong, Revise)}, nil, moved, true},
		"it wanted more than was granted":              {Seat{Engagement: Disagrees}, []Challenge{position(Conceded, StrengthStrong, Reject)}, nil, moved, false},
		"what it wanted was not granted":               {Seat{Engagement: Disagrees}, []Challenge{position(Defended, StrengthStrong, Revise)}, nil, moved, false},
		"the primary agrees to its P2":                 {Seat{Engagement: Disagrees}, nil, []Claim{claim("gpt", P2, Agreed, "claude")}, moved, true},
		"the primary agrees to its P3":                 {Seat{Engagement: Disagrees}, nil, []Claim{claim("gpt", P3, Agreed, "claude")}, moved, false},
		"another one agrees to its P2":                 {Seat{Engagement: Disagrees}, nil, []Claim{claim("gpt", P2, Agreed, "gemini")}, moved, false},
		"the primary agrees to the P2 of another one":  {Seat{Engagement: Disagrees}, nil, []Claim{claim("gemini", P2, Agreed, "claude")}, moved, false},
	} {
		t.Run(name, func(t *testing.T) {
			row.seat.Party = "gpt"
			s := State{
				Book:  Book{Claims: row.claims, Challenges: row.challenges},
				Table: Table{Primary: "claude", Seats: []Seat{{Party: "claude"}, row.seat, {Party: "gemini"}}},
				Talk:  Talk{Positions: row.positions},
			}
			if s.Talk.Positions == nil {
				s.Talk.Positions = moved[1:]
			}
			holds := s.holds(&Decision{ID: "D0"}, &s.Table.Seats[1])
			if follows := holds == string(Revise); follows != row.follows || !follows && holds != "" {
				t.Errorf("it holds %q", holds)
			}
		})
	}
}

// TestNeverAnswered: no change is fit to merge that a model which the settings ask for has
// not read; one that read it and was lost later has (M24).
func TestNeverAnswered(t *testing.T) {
	t.Parallel()
	read := func(party string, kind CallKind, status CallStatus) Call {
		return Call{Party: party, Kind: kind, Status: status}
	}
	gpt := Party{ID: "gpt", Role: Challenger, Status: PartyOK}
	for name, row := range map[string]struct {
		party Party
		lost  bool
		calls []Call
		want  bool
	}{
		"it takes part":                     {gpt, false, nil, false},
		"lost, and it read nothing":         {gpt, true, nil, true},
		"lost after its opening":            {gpt, true, []Call{read("gpt", CallOpen, CallOK)}, false},
		"lost after its challenge":          {gpt, true, []Call{read("gpt", CallChallenge, CallOK)}, false},
		"lost, and its opening failed":      {gpt, true, []Call{read("gpt", CallOpen, CallTimeout)}, true},
		"lost, and only others answered":    {gpt, true, []Call{read("claude", CallOpen, CallOK)}, true},
		"lost, and it was only heard later": {gpt, true, []Call{read("gpt", CallRebut, CallOK)}, true},
		"lost, and of the primary's family": {Party{ID: "gpt", Role: Challenger, Status: PartySameFamily}, true, nil, false},
		"a judge is lost":                   {Party{ID: "gpt", Role: Judge, Status: PartyOK}, true, nil, false},
		"somebody else is lost":             {Party{ID: "gemini", Role: Challenger, Status: PartyOK}, true, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			table := Table{Parties: []Party{{ID: "claude", Role: Primary, Status: PartyOK}, row.party}, Seats: []Seat{{Party: "claude"}, {Party: "gpt", Lost: row.lost}}}
			if got := (&State{Table: table, Asking: Asking{Calls: row.calls}}).neverAnswered(); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

// voicesIn reads "claude/anthropic=keep gpt/openai=revise? gemini/google": a question
// mark is mere dissent, and no option is none: the party is silent, or it abstains.
func voicesIn(text string) []voice {
	var list []voice
	for _, word := range strings.Fields(text) {
		who, option, _ := strings.Cut(word, "=")
		party, family, _ := strings.Cut(who, "/")
		list = append(list, voice{
			Party: party, Family: family, Option: strings.TrimSuffix(option, "?"), Dissent: strings.HasSuffix(option, "?"),
		})
	}
	return list
}

func TestMajority(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ voices, settled, unanimous string }{
		"no voices":                      {"", "", ""},
		"one alone":                      {"a/x=keep", "", ""},
		"two agree":                      {"a/x=keep b/y=keep", "keep", "keep"},
		"two differ":                     {"a/x=keep b/y=revise", "", ""},
		"two differ in words only":       {"a/x=keep b/y=revise?", "", ""},
		"both only words":                {"a/x=keep? b/y=revise?", "", ""},
		"two against dissent":            {"a/x=keep b/y=keep c/z=revise?", "keep", ""},
		"two against a reason":           {"a/x=keep b/y=keep c/z=revise", "", ""},
		"the first against two":          {"a/x=keep? b/y=revise c/z=revise", "revise", ""},
		"a silent third":                 {"a/x=keep b/y=keep c/z", "keep", ""},
		"two silent of four":             {"a/x=keep b/y=keep c/z d/w", "", ""},
		"two silent next to the careful": {"a/x=revise b/y=revise c/z d/w", "revise", ""},
		"one alone next to the silent":   {"a/x=revise b/y c/z", "", ""},
		"three ways":                     {"a/x=keep? b/y=revise? c/z=reject?", "", ""},
		"half is not more than half":     {"a/x=keep b/y=keep c/z=revise? d/w=revise?", "", ""},
		"nothing is no option":           {"a/x b/y c/z", "", ""},
		"one family, two contexts":       {"a/x=revise b/x=revise", "revise", "revise"},
		"one family against another":     {"a/x=keep b/x=keep c/y=revise?", "", ""},
		"two families, one with a twin":  {"a/x=keep b/x=keep c/y=keep", "keep", "keep"},
		"a divided family holds nothing": {"a/x=keep b/x=revise c/y=keep", "", ""},
		"a family with a dissenter":      {"a/x=keep b/x=revise? c/y=keep", "keep", ""},
		"a twin that says nothing":       {"a/x=keep b/x c/y=keep", "keep", ""},
	} {
		if got := majority(voicesIn(tt.voices)); got != tt.settled {
			t.Errorf("%s: settled %q, want %q", name, got, tt.settled)
		}
		var s State
		choice := &Decision{ID: "D1", Options: dispositionOptions()}
		for _, v := range voicesIn(tt.voices) {
			s.Table.Parties = append(s.Table.Parties, Party{ID: v.Party, Family: v.Family})
			s.Table.Seats = append(s.Table.Seats, Seat{Party: v.Party, Options: []FinalOption{{Decision: "D1", Option: v.Option}}})
		}
		if got, _ := s.settles(choice); got != tt.unanimous {
			t.Errorf("%s: of another question than the merge it settles %q, want %q", name, got, tt.unanimous)
		}
		reversed := voicesIn(tt.voices)
		slices.Reverse(reversed)
		if got := majority(reversed); got != tt.settled {
			t.Errorf("%s: the order makes it %q", name, got)
		}
	}
}

// TestAbstainersCountForNothing: parties without an answer are silent. They do not outnumber two with
// one.
func TestAbstainersCountForNothing(t *testing.T) {
	t.Parallel()
	var s State
	for _, p := range []struct {
		id         string
		engagement Engagement
	}{{"a", ""}, {"b", Disagrees}, {"c", Abstains}, {"d", Abstains}} {
		s.Table.Parties = append(s.Table.Parties, Party{ID: p.id, Family: p.id, Role: Challenger, Status: PartyOK})
		s.Table.Seats = append(s.Table.Seats, Seat{Party: p.id, Engagement: p.engagement, Substance: true})
	}
	s.Table.Primary, s.Table.Seats[1].Option = "a", Revise
	s.Talk.Positions = []Position{{By: "a", Disposition: Revise}}
	if got, _ := s.settles(&Decision{ID: "D0", Options: dispositionOptions()}); got != string(Revise) {
		t.Errorf("settled %q, want revise", got)
	}
}
