package debate

import (
	"slices"
	"strconv"
	"testing"
)

// threeParties is a state in which claude proposes keep and gpt and gemini, of families of
// their own, weigh it.
func threeParties(claims ...Claim) State {
	return State{
		N: 9, Book: Book{Claims: claims}, Received: received(), Talk: Talk{Exchange: 1, Positions: []Position{{Version: 1, By: "claude", Disposition: Keep}}},
		Table: Table{
			Primary: "claude", Seats: []Seat{{Party: "claude"}, {Party: "gpt"}, {Party: "gemini"}},
			Parties: []Party{
				{ID: "claude", Role: Primary, Family: "anthropic", Status: PartyOK},
				{ID: "gpt", Role: Challenger, Family: "openai", Status: PartyOK},
				{ID: "gemini", Role: Challenger, Family: "google", Status: PartyOK},
			},
		},
	}
}

// ofGPT is what gpt said in one wave, a reply for each part of the change.
func ofGPT(replies ...Reply) []said {
	var all []said
	for i := range replies {
		chunk := ""
		if len(replies) > 1 {
			chunk = "X" + strconv.Itoa(i+1)
		}
		all = append(all, said{Party: "gpt", Chunk: chunk, Status: CallOK, Reply: &replies[i]})
	}
	return all
}

// TestEngage: what a challenger's verdict amounts to, and whether it is silent because it
// says nothing of what it looked at (R085, R092, R093, R090).
func TestEngage(t *testing.T) {
	t.Parallel()
	verdict := func(v Verdict) Reply { return Reply{Summary: "so it is", Verdict: v} }
	raises := func(r Reply) Reply {
		r.Claims = []NewClaim{{Severity: P3, Title: "typo"}}
		return r
	}
	looked := func(r Reply) Reply {
		r.Checked = []Check{{Scenario: "tried nil"}}
		return r
	}
	first := func(option Disposition) func(*State) {
		return func(s *State) {
			s.Talk.Positions, s.Table.Seats[1].Option = []Position{{Disposition: Keep}, {Disposition: Revise}}, option
		}
	}
	for name, row := range map[string]struct {
		change  func(*State)
		replies []Reply
		want    Engagement
		silent  bool
	}{
		"it agrees, and looked at something":           {nil, []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"it agrees, and says nothing of that":          {nil, []Reply{verdict(VerdictAgree)}, Agrees, true},
		"it agrees, and raises what shows nothing":     {nil, []Reply{raises(verdict(VerdictAgree))}, Agrees, true},
		"it agrees in part, and says nothing":          {nil, []Reply{verdict(VerdictPartial)}, Partially, true},
		"it agrees in part, and a claim has no room":   {nil, []Reply{raises(verdict(VerdictPartial))}, Partially, false},
		"it agrees in part, and raised a claim before": {func(s *State) { s.Book.Claims = []Claim{{ID: "F1", Owner: "gpt", Severity: P3}} }, []Reply{verdict(VerdictPartial)}, Partially, false},
		"it disagrees": {nil, []Reply{verdict(VerdictDisagree)}, Disagrees, false},
		"it disagrees, and recommends the position":     {func(s *State) { s.Table.Seats[1].Option = Keep }, []Reply{verdict(VerdictDisagree)}, Disagrees, true},
		"it disagrees with one part, and agrees after":  {nil, []Reply{verdict(VerdictDisagree), verdict(VerdictAgree)}, Disagrees, false},
		"the position has come to what it wants":        {first(Revise), []Reply{verdict(VerdictDisagree)}, Partially, true},
		"the position has come to something else":       {first(Reject), []Reply{verdict(VerdictDisagree)}, Disagrees, false},
		"it agrees with what the position has come to":  {first(Revise), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"it agrees in words, and wants something else":  {func(s *State) { s.Table.Seats[1].Option = Revise }, []Reply{looked(verdict(VerdictAgree))}, Partially, false},
		"it would not merge it":                         {func(s *State) { s.Table.Seats[1].Option = Reject }, []Reply{verdict(VerdictPartial)}, Partially, false},
		"of a change, another choice is no objection":   {choosing("b"), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"of a question, another choice is an objection": {ofQuestion(choosing("b")), []Reply{looked(verdict(VerdictAgree))}, Partially, false},
		"of a question, the same choice":                {ofQuestion(choosing("a")), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			if row.change != nil {
				row.change(&s)
			}
			l := (&reducer{State: &s, step: &Step{}})
			for _, r := range row.replies {
				l.claims("gpt", 1, said{Party: "gpt", Reply: &r})
			}
			l.engage("gpt", ofGPT(row.replies...))
			seat := &s.Table.Seats[1]
			if silent := s.Book.silent(seat, s.Talk.Position().Disposition); seat.Engagement != row.want || silent != row.silent {
				t.Errorf("it is %s, silent %v; want %s, %v", seat.Engagement, silent, row.want, row.silent)
			}
		})
	}
}

// choosing lets claude choose a for D1, which stood from the beginning, and gpt an option.
func choosing(option string) func(*State) {
	return func(s *State) {
		s.Agenda.Framed = []Decision{{ID: "D0", Options: dispositionOptions()}, {ID: "D1", Options: []Option{{ID: "a"}, {ID: "b"}}}}
		s.Table.Seats[0].Options = []FinalOption{{Decision: "D1", Option: "a"}}
		s.Table.Seats[1].Options = []FinalOption{{Decision: "D1", Option: option}}
	}
}

// ofQuestion makes a question of a change.
func ofQuestion(change func(*State)) func(*State) {
	return func(s *State) {
		change(s)
		s.Received.Inquiry = &Inquiry{}
	}
}

// TestDeclaredStrong: that a party declares a strong objection makes its minor ones
// moderate, whichever of its replies says so (R090).
func TestDeclaredStrong(t *testing.T) {
	t.Parallel()
	minor, strong := Reply{Strength: StrengthMinor}, Reply{Strength: StrengthStrong}
	for name, row := range map[string]struct {
		replies []Reply
		want    Strength
	}{
		"it declares a minor one":     {[]Reply{minor}, StrengthMinor},
		"it declares a strong one":    {[]Reply{strong}, StrengthModerate},
		"the first of two parts does": {[]Reply{strong, minor}, StrengthModerate},
		"the last of two parts does":  {[]Reply{minor, strong}, StrengthModerate},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P3})
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Strength: StrengthMinor}}
			(&reducer{State: &s, step: &Step{}}).engage("gpt", ofGPT(row.replies...))
			if k := s.Book.Challenges[0]; k.Strength != row.want {
				t.Errorf("it is %s, want %s", k.Strength, row.want)
			}
		})
	}
}

// TestObjectToPosition: a party that recommends something else, disagrees or declares a strong
// objection with content opens a challenge to the position, once, if it argues in no finding
// (R089, R090, R087).
func TestObjectToPosition(t *testing.T) {
	t.Parallel()
	says := func(r Reply) Reply { r.Summary = "it loses data"; return r }
	attack := func(on string, option Disposition) []Challenge {
		return []Challenge{{ID: "K1", Claim: on, Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Strength: StrengthMinor, Option: option}}
	}
	for name, row := range map[string]struct {
		option     Disposition
		challenges []Challenge
		reply      Reply
		want       []string // the objections to the position: what each asks for, and how strong it is
	}{
		"it agrees":                                      {"", nil, says(Reply{Verdict: VerdictAgree}), nil},
		"it recommends the position":                     {Keep, nil, says(Reply{Verdict: VerdictAgree}), nil},
		"it recommends something else":                   {Revise, nil, Reply{Verdict: VerdictAgree}, []string{"revise moderate recommends_revise"}},
		"it disagrees":                                   {"", nil, Reply{Verdict: VerdictDisagree}, []string{" moderate disagrees"}},
		"it disagrees, and attacks a claim":              {"", attack("F1", ""), Reply{Verdict: VerdictDisagree}, nil},
		"it declares a strong objection":                 {"", nil, says(Reply{Verdict: VerdictPartial, Strength: StrengthStrong}), []string{" moderate objects_strongly it loses data"}},
		"it declares a strong objection without content": {"", nil, Reply{Verdict: VerdictPartial, Strength: StrengthStrong}, nil},
		"a strong objection, and it attacks a claim":     {"", attack("F1", ""), says(Reply{Verdict: VerdictPartial, Strength: StrengthStrong}), nil},
		"it says now what it wants":                      {Reject, attack(PositionSubject, ""), Reply{Verdict: VerdictPartial}, []string{"reject moderate "}},
		"it wants something else now":                    {Reject, attack(PositionSubject, Revise), Reply{Verdict: VerdictPartial}, []string{"reject moderate "}},
		"it disagrees once more":                         {"", attack(PositionSubject, ""), Reply{Verdict: VerdictDisagree}, []string{" minor "}},
		"it recommends something else, attacks a claim":  {Revise, attack("F1", ""), Reply{Verdict: VerdictPartial}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P3})
			s.Book.Challenges, s.Table.Seats[1].Option = row.challenges, row.option
			(&reducer{State: &s, step: &Step{}}).objectToPosition("gpt", row.reply.Verdict, ofGPT(row.reply))
			var got []string
			for _, k := range s.Book.attacks(PositionSubject) {
				got = append(got, string(k.Option)+" "+string(k.Strength)+" "+joined(string(k.Means), k.Objection))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("the objections are %q, want %q", got, row.want)
			}
		})
	}
}

// inTwoChunks is a change of two files, each in a call of its own.
func inTwoChunks() SplitDone {
	return SplitDone{
		Segments: []Segment{
			{ID: "S1", Kind: CodeSegment, Source: FromDiff, Path: "a.go", Side: Right, StartLine: 1, EndLine: 9},
			{ID: "S2", Kind: CodeSegment, Source: FromDiff, Path: "b.go", Side: Right, StartLine: 1, EndLine: 9},
		},
		Chunks: []Chunk{{ID: "X1", Segments: []string{"S1"}}, {ID: "X2", Segments: []string{"S2"}}},
	}
}

// TestSubstance: an agreement says something of what its party looked at, anywhere; a claim
// or a part that it says nothing of takes nothing from it (R093).
func TestSubstance(t *testing.T) {
	t.Parallel()
	tries := func(ch Check) Reply { return Reply{Verdict: VerdictAgree, Checked: []Check{ch}} }
	weighs := func(ev Evaluating) Reply {
		ev.Claim, ev.Class = "F1", ClassAgree
		return Reply{Evaluations: []Evaluating{ev}}
	}
	for name, row := range map[string]struct {
		replies []Reply
		opened  bool
		want    bool
	}{
		"it says that it agrees":                    {[]Reply{{Verdict: VerdictAgree}}, false, false},
		"it says nothing":                           {nil, false, false},
		"it tried a case":                           {[]Reply{tries(Check{Scenario: "nil"})}, false, true},
		"it names a claim alone":                    {[]Reply{tries(Check{Claim: "F1"})}, false, false},
		"it cites lines":                            {[]Reply{tries(Check{Refs: citing(3)})}, false, true},
		"it cites lines that are not there":         {[]Reply{tries(Check{Refs: []Ref{{}}})}, false, false},
		"it weighs a claim with lines, of two":      {[]Reply{weighs(Evaluating{Refs: citing(3)})}, false, true},
		"it weighs a claim with a reason, of two":   {[]Reply{weighs(Evaluating{Flaw: "nothing locks it"})}, false, true},
		"it doubts a claim in words":                {[]Reply{{Evaluations: []Evaluating{{Claim: "F1", Class: ClassSkeptical, Flaw: "is it?"}}}}, false, false},
		"it weighs a claim without a word":          {[]Reply{weighs(Evaluating{View: Supports})}, false, false},
		"it raises a claim with lines":              {[]Reply{{Claims: []NewClaim{{Refs: citing(3)}}}}, false, true},
		"it raises a claim without lines":           {[]Reply{{Claims: []NewClaim{{Title: "slow"}}}}, false, false},
		"it says something of one part of two":      {[]Reply{{Verdict: VerdictAgree}, tries(Check{Segment: "S2", Scenario: "nil"})}, false, true},
		"it opened with lines, and agrees in words": {[]Reply{{Verdict: VerdictAgree}}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2}, Claim{ID: "F2", Owner: "claude", Severity: P2})
			s.Split = inTwoChunks()
			s.Talk.Openings = []Opened{{Party: "gpt", Chunk: "X1", Looked: row.opened}}
			(&reducer{State: &s, step: &Step{}}).engage("gpt", ofGPT(row.replies...))
			if got := s.Table.fares("gpt").Substance; got != row.want {
				t.Errorf("it has substance: %v, want %v", got, row.want)
			}
		})
	}
}

// TestStrongestObjection: the strongest objection is heard where it points: against a
// claim, as a claim about a part of the change, or against the position (R088).
func TestStrongestObjection(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		objection Objection
		want      string // what it comes to
	}{
		"to a claim of another one":               {Objection{Claim: "F1"}, "SKEPTICAL against F1"},
		"fatal to a claim, with a line":           {Objection{Claim: "F1", Fatal: FatalYes, Refs: citing(5)}, "REJECT against F1"},
		"not fatal to a claim, with a line":       {Objection{Claim: "F1", Fatal: FatalMitigable, Refs: citing(5)}, "SKEPTICAL against F1"},
		"to its own claim":                        {Objection{Claim: "F2"}, "SKEPTICAL against position, moderate"},
		"to a claim that is not there":            {Objection{Claim: "F9"}, "SKEPTICAL against position, moderate"},
		"about a part of the change":              {Objection{Segment: "S1"}, "P2"},
		"not fatal, about a part":                 {Objection{Segment: "S1", Fatal: FatalNo}, "P3"},
		"fatal, about a part, with a line":        {Objection{Segment: "S1", Fatal: FatalYes, Refs: citing(3)}, "P1"},
		"fatal, with a line, about no part":       {Objection{Fatal: FatalYes, Refs: citing(3)}, "P1"},
		"fatal to its own claim, with a line":     {Objection{Claim: "F2", Fatal: FatalYes, Refs: citing(3)}, "P1"},
		"fatal, about a part, without a line":     {Objection{Segment: "S1", Fatal: FatalYes}, "P2"},
		"mitigable, with a line":                  {Objection{Fatal: FatalMitigable, Refs: citing(3)}, "P2"},
		"about a part that is not there":          {Objection{Segment: "S9"}, "SKEPTICAL against position, moderate"},
		"with a line, about no part":              {Objection{Refs: citing(3)}, "P2"},
		"with a line that is not there":           {Objection{Refs: []Ref{{}}}, "SKEPTICAL against position, moderate"},
		"not fatal, and about nothing in it":      {Objection{Fatal: FatalNo}, "SKEPTICAL against position, minor"},
		"its own claim, and a part of the change": {Objection{Claim: "F2", Segment: "S1"}, "P2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P3, Kind: Empirical}, Claim{ID: "F2", Owner: "gpt", Severity: P3})
			s.Split = inTwoChunks()
			row.objection.Text = "it loses data"
			(&reducer{State: &s, step: &Step{}}).object("gpt", 1, row.objection)
			got := ""
			for _, k := range s.Book.Challenges {
				got += string(k.Kind) + " against " + k.Claim
				if k.toPosition() {
					got += ", " + string(k.Strength)
				}
			}
			for _, c := range s.Book.Claims[2:] {
				got += string(c.Severity)
			}
			if got != row.want {
				t.Errorf("it comes to %q, want %q", got, row.want)
			}
		})
	}
}

// TestBlockers: what stands in the way of an end without a confrontation (M07b).
func TestBlockers(t *testing.T) {
	t.Parallel()
	claim := func(owner string, severity Severity, change func(*Claim)) Claim {
		c := Claim{ID: "F1", Owner: owner, Severity: severity}
		if change != nil {
			change(&c)
		}
		return c
	}
	by := func(party string, lines bool) func(*Claim) {
		return func(c *Claim) {
			c.Evaluations = []Evaluation{{Party: party, Class: ClassAgree, Qualified: lines}}
		}
	}
	attack := func(on string, strength Strength, defender string) *Challenge {
		return &Challenge{ID: "K1", Claim: on, Attacker: "gpt", Defender: defender, Kind: Skeptical, Status: Open, Strength: strength}
	}
	with := func(k *Challenge, change func(*Challenge)) *Challenge { change(k); return k }
	p3, p2 := claim("claude", P3, nil), claim("claude", P2, nil)
	ofEngine := claim(EngineParty, P2, nil)
	for name, row := range map[string]struct {
		claim  Claim
		attack *Challenge
		want   []string
	}{
		"nothing":                              {p3, nil, nil},
		"a moderate objection to the position": {p3, attack(PositionSubject, StrengthModerate, "claude"), []string{"K1"}},
		"a minor objection to the position":    {p3, attack(PositionSubject, StrengthMinor, "claude"), nil},
		"an objection that was settled": {p3, with(attack(PositionSubject, StrengthStrong, "claude"), func(k *Challenge) {
			k.Status = Resolved
		}), nil},
		"a party is asked to reconcile": {p3, with(attack(PositionSubject, StrengthStrong, "claude"), func(k *Challenge) {
			k.Kind = Reconciling
		}), nil},
		"a minor objection to a P3":                      {p3, attack("F1", StrengthMinor, "claude"), nil},
		"a moderate objection to a P3":                   {p3, attack("F1", StrengthModerate, "claude"), []string{"K1"}},
		"a minor objection to a P2":                      {p2, attack("F1", StrengthMinor, "claude"), []string{"K1"}},
		"an objection to what is not debated":            {claim("claude", P2, func(c *Claim) { c.NotDebated = true }), attack("F1", StrengthStrong, "claude"), nil},
		"an objection to what the engine saw":            {ofEngine, attack("F1", StrengthStrong, EngineParty), nil},
		"nobody is left to defend a claim of a party":    {p2, attack("F1", StrengthStrong, EngineParty), []string{"K1"}},
		"a P2 of a challenger":                           {claim("gpt", P2, nil), nil, []string{"F1"}},
		"a P3 of a challenger":                           {claim("gpt", P3, nil), nil, nil},
		"a P2 of a challenger is another question":       {claim("gpt", P2, func(c *Claim) { c.Reframe = true }), nil, nil},
		"a P2 of an earlier head":                        {claim("gpt", P2, func(c *Claim) { c.Carried = "F1" }), nil, nil},
		"a late P2 that shows nothing":                   {claim("gpt", P2, func(c *Claim) { c.Late = true }), nil, nil},
		"a late P2 that shows lines":                     {claim("gpt", P2, func(c *Claim) { c.Late, c.Evidence = true, shownAt("a.go", 3) }), nil, []string{"F1"}},
		"a P2 that the primary weighed":                  {claim("gpt", P2, by("claude", false)), nil, nil},
		"a P2 that its owner reported twice":             {claim("gpt", P2, by("gpt", true)), nil, []string{"F1"}},
		"a P2 that another one agrees to without a word": {claim("gpt", P2, by("gemini", false)), nil, []string{"F1"}},
		"a P2 that another one agrees to with lines":     {claim("gpt", P2, by("gemini", true)), nil, nil},
		"the primary was asked once, and passed":         {claim("gpt", P2, func(c *Claim) { c.Passed = 1 }), nil, []string{"F1"}},
		"the primary was reminded, and passed":           {claim("gpt", P2, func(c *Claim) { c.Passed = 2 }), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(row.claim)
			if row.attack != nil {
				s.Book.Challenges = []Challenge{*row.attack}
			}
			if got := s.blockers(); !slices.Equal(got, row.want) {
				t.Errorf("%v stand in the way, want %v", got, row.want)
			}
		})
	}
}
