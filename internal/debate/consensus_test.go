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
		all = append(all, said{Party: "gpt", Kind: CallChallenge, Chunk: chunk, Status: CallOK, Reply: &replies[i]})
	}
	return all
}

// TestEngage: what a challenger's verdict amounts to, and whether its agreement is suspect
// because it says nothing of what it looked at (R085, X05, X09).
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
		suspect bool
	}{
		"it agrees, and looked at something":           {nil, []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"it agrees, and says nothing of that":          {nil, []Reply{verdict(VerdictAgree)}, Agrees, true},
		"it agrees, and raises what shows nothing":     {nil, []Reply{raises(verdict(VerdictAgree))}, Agrees, true},
		"it agrees in part, and says nothing":          {nil, []Reply{verdict(VerdictPartial)}, Partially, true},
		"it agrees in part, and a claim has no room":   {nil, []Reply{raises(verdict(VerdictPartial))}, Partially, false},
		"it agrees in part, and raised a claim before": {func(s *State) { s.Book.Claims = []Claim{{ID: "C1", Owner: "gpt", Severity: P3}} }, []Reply{verdict(VerdictPartial)}, Partially, false},
		"it disagrees": {nil, []Reply{verdict(VerdictDisagree)}, Disagrees, false},
		"it disagrees, and recommends the position":     {func(s *State) { s.Table.Seats[1].Option = Keep }, []Reply{verdict(VerdictDisagree)}, Disagrees, false},
		"it disagrees with one part, and agrees after":  {nil, []Reply{verdict(VerdictDisagree), verdict(VerdictAgree)}, Disagrees, false},
		"the position has come to what it wants":        {first(Revise), []Reply{verdict(VerdictDisagree)}, Partially, true},
		"the position has come to something else":       {first(Reject), []Reply{verdict(VerdictDisagree)}, Disagrees, false},
		"it agrees with what the position has come to":  {first(Revise), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"it agrees in words, and wants something else":  {func(s *State) { s.Table.Seats[1].Option = Revise }, []Reply{looked(verdict(VerdictAgree))}, Partially, false},
		"of a change, another choice is no objection":   {choosing("b"), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
		"of a question, another choice is an objection": {ofQuestion(choosing("b")), []Reply{looked(verdict(VerdictAgree))}, Partially, false},
		"of a question, the same choice":                {ofQuestion(choosing("a")), []Reply{looked(verdict(VerdictAgree))}, Agrees, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties()
			if row.change != nil {
				row.change(&s)
			}
			newReducer(&s, &Step{}).listener.engage("gpt", ofGPT(row.replies...), 0)
			if seat := s.Table.Seats[1]; seat.Engagement != row.want || seat.Suspect != row.suspect {
				t.Errorf("it is %s, suspect %v; want %s, %v", seat.Engagement, seat.Suspect, row.want, row.suspect)
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
// moderate, whichever of its replies says so (X09).
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
			t.Parallel()
			s := threeParties(Claim{ID: "C1", Owner: "claude", Severity: P3})
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: "C1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Strength: StrengthMinor}}
			newReducer(&s, &Step{}).listener.engage("gpt", ofGPT(row.replies...), 1)
			if k := s.Book.Challenges[0]; k.Strength != row.want {
				t.Errorf("it is %s, want %s", k.Strength, row.want)
			}
		})
	}
}

// TestObjectToPosition: who recommends something else, who disagrees and who declares a
// strong objection with content opens a challenge to the position, once (R089, X09, M10).
func TestObjectToPosition(t *testing.T) {
	t.Parallel()
	says := func(r Reply) Reply { r.Summary = "it loses data"; return r }
	attack := func(on string, option Disposition) []Challenge {
		return []Challenge{{ID: "K1", Claim: on, Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Strength: StrengthMinor, Option: option}}
	}
	shown := Reply{Verdict: VerdictDisagree, Claims: []NewClaim{defect(P2, "it loses data", 3)}}
	bare := Reply{Verdict: VerdictDisagree, Claims: []NewClaim{{Severity: P2, Title: "it loses data"}}}
	for name, row := range map[string]struct {
		option     Disposition
		challenges []Challenge
		reply      Reply
		want       []string // the objections to the position: what each asks for, and how strong it is
	}{
		"it agrees":                                      {"", nil, says(Reply{Verdict: VerdictAgree}), nil},
		"it recommends the position":                     {Keep, nil, says(Reply{Verdict: VerdictAgree}), nil},
		"it recommends something else":                   {Revise, nil, Reply{Verdict: VerdictAgree}, []string{"revise moderate it recommends revise"}},
		"it disagrees":                                   {"", nil, Reply{Verdict: VerdictDisagree}, []string{" moderate it disagrees"}},
		"it disagrees, and raises what shows a line":     {"", nil, shown, []string{" strong it disagrees"}},
		"it disagrees, and raises what shows nothing":    {"", nil, bare, []string{" moderate it disagrees"}},
		"it disagrees, and attacks a claim":              {"", attack("C1", ""), Reply{Verdict: VerdictDisagree}, nil},
		"it declares a strong objection":                 {"", nil, says(Reply{Verdict: VerdictPartial, Strength: StrengthStrong}), []string{" moderate it objects strongly: it loses data"}},
		"it declares a strong objection without content": {"", nil, Reply{Verdict: VerdictPartial, Strength: StrengthStrong}, nil},
		"a strong objection, and it attacks a claim":     {"", attack("C1", ""), says(Reply{Verdict: VerdictPartial, Strength: StrengthStrong}), nil},
		"it says now what it wants":                      {Reject, attack(PositionSubject, ""), Reply{Verdict: VerdictPartial}, []string{"reject moderate "}},
		"it wants something else now":                    {Reject, attack(PositionSubject, Revise), Reply{Verdict: VerdictPartial}, []string{"reject moderate "}},
		"it disagrees once more":                         {"", attack(PositionSubject, ""), Reply{Verdict: VerdictDisagree}, []string{" minor "}},
		"it recommends something else beside a claim":    {Revise, attack("C1", ""), Reply{Verdict: VerdictPartial}, []string{"revise moderate it recommends revise"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(Claim{ID: "C1", Owner: "claude", Severity: P3})
			s.Book.Challenges, s.Table.Seats[1].Option = row.challenges, row.option
			newReducer(&s, &Step{}).listener.objectToPosition("gpt", row.reply.Verdict, ofGPT(row.reply))
			var got []string
			for _, k := range s.Book.attacks(PositionSubject) {
				got = append(got, string(k.Option)+" "+string(k.Strength)+" "+k.Objection)
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

// owes writes down what an agreement leaves open: of each part whether something was
// looked at there, and the claims that it says nothing of.
func owes(list []Duty) []string {
	var all []string
	for _, d := range list {
		line := d.Chunk + ":"
		if !d.Looked {
			line += " a look"
		}
		for _, id := range d.Claims {
			line += " " + id
		}
		all = append(all, line)
	}
	return all
}

// TestDuties: an agreement has to say something of each P1 and P2 claim of others that its
// party was shown, and to show a look at each part that it was heard on (X05, S13).
func TestDuties(t *testing.T) {
	t.Parallel()
	claim := func(change func(*Claim)) []Claim {
		c := Claim{ID: "C1", Owner: "claude", Segment: "S1", Severity: P2}
		change(&c)
		return []Claim{c}
	}
	p2 := claim(func(*Claim) {})
	looked := Reply{Verdict: VerdictAgree, Checked: []Check{{Scenario: "tried nil"}}}
	looks := func(segment string) Reply {
		return Reply{Verdict: VerdictAgree, Checked: []Check{{Segment: segment, Scenario: "tried nil"}}}
	}
	tries := func(ch Check) Reply { return Reply{Verdict: VerdictAgree, Checked: []Check{ch}} }
	for name, row := range map[string]struct {
		claims  []Claim
		known   int
		replies []Reply
		want    []string
	}{
		"it looked at something, and there is nothing": {nil, 0, []Reply{looked}, nil},
		"it looked at nothing":                         {nil, 0, []Reply{{Verdict: VerdictAgree}}, []string{": a look"}},
		"a P2 of another one":                          {p2, 1, []Reply{looked}, []string{": C1"}},
		"a P3 of another one":                          {claim(func(c *Claim) { c.Severity = P3 }), 1, []Reply{looked}, nil},
		"a P2 of its own":                              {claim(func(c *Claim) { c.Owner = "gpt" }), 1, []Reply{looked}, nil},
		"a P2 that a rule found":                       {claim(func(c *Claim) { c.Owner = EngineParty }), 1, []Reply{looked}, nil},
		"a P2 that is not debated":                     {claim(func(c *Claim) { c.NotDebated = true }), 1, []Reply{looked}, nil},
		"a P2 that came with this wave":                {p2, 0, []Reply{looked}, nil},
		"it tried a case on the P2":                    {p2, 1, []Reply{tries(Check{Claim: "C1", Scenario: "tried nil"})}, nil},
		"it cites lines about the P2":                  {p2, 1, []Reply{tries(Check{Claim: "C1", Refs: citing(3)})}, nil},
		"it names the P2, and says nothing":            {p2, 1, []Reply{tries(Check{Claim: "C1"})}, []string{": a look C1"}},
		"it cites lines that are not there":            {p2, 1, []Reply{tries(Check{Claim: "C1", Refs: []Ref{{}}})}, []string{": a look C1"}},
		"it weighed the P2": {claim(func(c *Claim) {
			c.Evaluations = []Evaluation{{Party: "gpt", Class: ClassAgree}}
		}), 1, []Reply{looked}, nil},
		"another one weighed the P2": {claim(func(c *Claim) {
			c.Evaluations = []Evaluation{{Party: "gemini", Class: ClassAgree}}
		}), 1, []Reply{looked}, []string{": C1"}},
		"the P2 stands in the first of two parts":  {p2, 1, []Reply{looks("S1"), looks("S2")}, []string{"X1: C1"}},
		"the P2 stands in the last of two parts":   {claim(func(c *Claim) { c.Segment = "S2" }), 1, []Reply{looks("S1"), looks("S2")}, []string{"X2: C1"}},
		"one reply about both parts":               {p2, 1, []Reply{looked}, []string{": C1"}},
		"it looked at the first of two parts only": {nil, 0, []Reply{looks("S1"), {}}, []string{"X2: a look"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(row.claims...)
			s.Split = inTwoChunks()
			l := newReducer(&s, &Step{}).listener
			own := ofGPT(row.replies...)
			full := l.substantive("gpt", own, l.duties(own, row.known))
			if got := owes(s.Table.Seats[1].Owes); !slices.Equal(got, row.want) || full != (len(row.want) == 0) {
				t.Errorf("it owes %q, all there %v; want %q", got, full, row.want)
			}
		})
	}
}

// TestSecondLook: a party that is pressed owes no more than what its first replies left
// open; what it says of another part by its ids is no look at this one (X05, S13).
func TestSecondLook(t *testing.T) {
	t.Parallel()
	claims := []Claim{{ID: "C1", Owner: "claude", Segment: "S1", Severity: P2}, {ID: "C2", Owner: "claude", Segment: "S2", Severity: P2}}
	tries := func(ch Check) Reply { return Reply{Checked: []Check{ch}} }
	weighs := func(claim string, refs ...Ref) Reply {
		return Reply{Evaluations: []Evaluating{{Claim: claim, Class: ClassAgree, Refs: refs}}}
	}
	raises := func(segment string, refs ...Ref) Reply {
		return Reply{Claims: []NewClaim{{Segment: segment, Refs: refs}}}
	}
	look, first := []Duty{{Chunk: "X1"}}, []Duty{{Chunk: "X1", Looked: true, Claims: []string{"C1"}}}
	for name, row := range map[string]struct {
		due    []Duty
		chunk  string // that the reply is about
		reply  Reply
		change func(*State)
		want   []string
	}{
		"it tried a case in the part":                {look, "", tries(Check{Segment: "S1", Scenario: "nil"}), nil, nil},
		"it tried a case in another part":            {look, "", tries(Check{Segment: "S2", Scenario: "nil"}), nil, []string{"X1: a look"}},
		"it names the part, and tried nothing":       {look, "", tries(Check{Segment: "S1"}), nil, []string{"X1: a look"}},
		"it tried a case on a claim of the part":     {look, "", tries(Check{Claim: "C1", Scenario: "nil"}), nil, nil},
		"it tried a case on a claim of another part": {look, "", tries(Check{Claim: "C2", Segment: "S1", Scenario: "nil"}), nil, []string{"X1: a look"}},
		"it cites lines for a claim of the part":     {look, "", weighs("C1", citing(3)...), nil, nil},
		"it cites lines for a claim of another part": {look, "", weighs("C2", citing(3)...), nil, []string{"X1: a look"}},
		"it weighs a claim without lines":            {look, "", weighs("C1"), nil, []string{"X1: a look"}},
		"it raises a claim with lines of the part":   {look, "", raises("S1", citing(3)...), nil, nil},
		"it raises a claim with lines elsewhere":     {look, "", raises("S2", citing(3)...), nil, []string{"X1: a look"}},
		"it raises a claim without lines":            {look, "", raises("S1"), nil, []string{"X1: a look"}},
		"a reply about another part":                 {look, "X2", tries(Check{Claim: "C1", Scenario: "nil"}), nil, []string{"X1: a look"}},
		"a reply about this part that names none":    {look, "X1", tries(Check{Scenario: "nil"}), nil, nil},
		"it looked before":                           {[]Duty{{Chunk: "X1", Looked: true}}, "", Reply{}, nil, nil},
		"it opened with lines of the part":           {look, "", Reply{}, func(s *State) { s.Talk.Openings = []Opened{{Party: "gpt", Chunk: "X1", Looked: true}} }, nil},
		"it leaves a claim open once more":           {first, "", Reply{}, nil, []string{"X1: C1"}},
		"the claim is not debated any more":          {first, "", Reply{}, func(s *State) { s.Book.Claims[0].NotDebated = true }, nil},
		"the claim became a part of its own":         {first, "", Reply{}, func(s *State) { s.Book.Claims[0].SameAs, s.Book.Claims[1].Owner = "C2", "gpt" }, nil},
		"the claim became a part of another":         {first, "", Reply{}, func(s *State) { s.Book.Claims[0].SameAs = "C2" }, []string{"X1: C2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(slices.Clone(claims)...)
			s.Split = inTwoChunks()
			if row.change != nil {
				row.change(&s)
			}
			said := ofGPT(row.reply)
			said[0].Chunk = row.chunk
			newReducer(&s, &Step{}).listener.substantive("gpt", said, row.due)
			if got := owes(s.Table.Seats[1].Owes); !slices.Equal(got, row.want) {
				t.Errorf("it owes %q, want %q", got, row.want)
			}
		})
	}
}

// TestPressed: what a party comes to that was pressed for its strongest objection (R089,
// X05).
func TestPressed(t *testing.T) {
	t.Parallel()
	looks := []Check{{Scenario: "tried nil"}}
	for name, row := range map[string]struct {
		reply Reply
		want  Engagement
	}{
		"it shows nothing still":              {Reply{Verdict: VerdictAgree}, Abstains},
		"it shows what it looked at":          {Reply{Verdict: VerdictAgree, Checked: looks}, Agrees},
		"it takes back half of its agreement": {Reply{Verdict: VerdictPartial, Checked: looks}, Partially},
		"it has an objection":                 {Reply{Verdict: VerdictAgree, Strongest: &Objection{Text: "it loses data"}}, Partially},
		"its objection says nothing":          {Reply{Verdict: VerdictAgree, Strongest: &Objection{Claim: "C1"}}, Abstains},
		"it recommends something else":        {Reply{Verdict: VerdictAgree, Recommendation: Revise}, Partially},
		"it disagrees":                        {Reply{Verdict: VerdictDisagree}, Disagrees},
		"it disagrees, and has an objection":  {Reply{Verdict: VerdictDisagree, Strongest: &Objection{Text: "it loses data"}}, Disagrees},
		"it recommends the position":          {Reply{Verdict: VerdictAgree, Recommendation: Keep}, Abstains},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(Claim{ID: "C1", Owner: "claude", Severity: P3})
			s.Talk.Rounds = []Round{{N: 1}}
			seat := &s.Table.Seats[1]
			seat.Engagement, seat.Suspect, seat.Pressed, seat.Owes = Agrees, true, true, []Duty{{}}
			s.Table.Seats[2].Engagement = Agrees
			newReducer(&s, &Step{}).pressed(ofGPT(row.reply))
			if seat.Engagement != row.want {
				t.Errorf("it is %s, want %s", seat.Engagement, row.want)
			}
		})
	}
}

// TestNobodyLeftAfterPress: where the last challenger falls silent when it is pressed, a
// second context of the primary goes on, if one may (M19, S15).
func TestNobodyLeftAfterPress(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		abort   bool // if nobody else is left, as the settings ask for
		silent  bool
		seconds bool
	}{
		"it falls silent": {false, true, true},
		"it falls silent, and nobody may take over": {true, true, false},
		"it answers": {false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newScene("gpt")
			x.first.Settings.AbortIfNoParty = row.abort
			x.say("OPEN/0/claude", proposing())
			x.say("CHALLENGE/1/gpt", Reply{Summary: "ok", Verdict: VerdictAgree, Recommendation: Keep})
			if !row.silent {
				x.say("PRESS/1/gpt", Reply{Verdict: VerdictAgree, Checked: []Check{{Scenario: "tried nil"}}})
			}
			p := x.run(t)
			if got := p.asked("CHALLENGE/1/claude-2"); got != row.seconds || p.end().Ending.Outcome == "" {
				t.Errorf("a second context was asked: %v, outcome %q", got, p.end().Ending.Outcome)
			}
		})
	}
}

// TestStrongestObjection: the strongest objection is heard where it points: against a
// claim, as a claim about a part of the change, or against the position (X05).
func TestStrongestObjection(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		objection Objection
		want      string // what it comes to
	}{
		"to a claim of another one":               {Objection{Claim: "C1"}, "SKEPTICAL against C1"},
		"fatal to a claim, with a line":           {Objection{Claim: "C1", Fatal: FatalYes, Refs: citing(5)}, "REJECT against C1"},
		"not fatal to a claim, with a line":       {Objection{Claim: "C1", Fatal: FatalMitigable, Refs: citing(5)}, "SKEPTICAL against C1"},
		"to its own claim":                        {Objection{Claim: "C2"}, "SKEPTICAL against position, moderate"},
		"to a claim that is not there":            {Objection{Claim: "C9"}, "SKEPTICAL against position, moderate"},
		"about a part of the change":              {Objection{Segment: "S1"}, "P2"},
		"not fatal, about a part":                 {Objection{Segment: "S1", Fatal: FatalNo}, "P3"},
		"about a part that is not there":          {Objection{Segment: "S9"}, "SKEPTICAL against position, moderate"},
		"with a line, about no part":              {Objection{Refs: citing(3)}, "P2"},
		"with a line that is not there":           {Objection{Refs: []Ref{{}}}, "SKEPTICAL against position, moderate"},
		"not fatal, and about nothing in it":      {Objection{Fatal: FatalNo}, "SKEPTICAL against position, minor"},
		"its own claim, and a part of the change": {Objection{Claim: "C2", Segment: "S1"}, "P2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(Claim{ID: "C1", Owner: "claude", Severity: P3, Kind: Empirical}, Claim{ID: "C2", Owner: "gpt", Severity: P3})
			s.Split = inTwoChunks()
			row.objection.Text = "it loses data"
			newReducer(&s, &Step{}).listener.object("gpt", row.objection)
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

// TestBlockers: what stands in the way of an end without a confrontation (S06).
func TestBlockers(t *testing.T) {
	t.Parallel()
	claim := func(owner string, severity Severity, change func(*Claim)) Claim {
		c := Claim{ID: "C1", Owner: owner, Severity: severity}
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
		"nothing":                                    {p3, nil, nil},
		"a moderate objection to the position":       {p3, attack(PositionSubject, StrengthModerate, "claude"), []string{"K1"}},
		"a minor objection to the position":          {p3, attack(PositionSubject, StrengthMinor, "claude"), nil},
		"an objection that nobody is left to answer": {p3, attack(PositionSubject, StrengthStrong, EngineParty), nil},
		"an objection that was settled": {p3, with(attack(PositionSubject, StrengthStrong, "claude"), func(k *Challenge) {
			k.Status = Resolved
		}), nil},
		"a party is asked to reconcile": {p3, with(attack(PositionSubject, StrengthStrong, "claude"), func(k *Challenge) {
			k.Kind = Reconciling
		}), nil},
		"a minor objection to a P3":                      {p3, attack("C1", StrengthMinor, "claude"), nil},
		"a moderate objection to a P3":                   {p3, attack("C1", StrengthModerate, "claude"), []string{"K1"}},
		"a minor objection to a P2":                      {p2, attack("C1", StrengthMinor, "claude"), []string{"K1"}},
		"an objection to what is not debated":            {claim("claude", P2, func(c *Claim) { c.NotDebated = true }), attack("C1", StrengthStrong, "claude"), nil},
		"an objection to what the engine saw":            {ofEngine, attack("C1", StrengthStrong, EngineParty), nil},
		"an objection to what the engine saw, passed on": {ofEngine, attack("C1", StrengthStrong, "claude"), []string{"K1"}},
		"nobody is left to defend a claim of a party":    {p2, attack("C1", StrengthStrong, EngineParty), []string{"K1"}},
		"a P2 of a challenger":                           {claim("gpt", P2, nil), nil, []string{"C1"}},
		"a P3 of a challenger":                           {claim("gpt", P3, nil), nil, nil},
		"a P2 of a challenger is another question":       {claim("gpt", P2, func(c *Claim) { c.Reframe = true }), nil, nil},
		"a P2 of an earlier head":                        {claim("gpt", P2, func(c *Claim) { c.Carried = "F1" }), nil, nil},
		"a late P2 that shows nothing":                   {claim("gpt", P2, func(c *Claim) { c.Late = true }), nil, nil},
		"a late P2 that shows lines":                     {claim("gpt", P2, func(c *Claim) { c.Late, c.Evidence = true, shownAt("a.go", 3) }), nil, []string{"C1"}},
		"a P2 that the primary weighed":                  {claim("gpt", P2, by("claude", false)), nil, nil},
		"a P2 that its owner reported twice":             {claim("gpt", P2, by("gpt", true)), nil, []string{"C1"}},
		"a P2 that who abstains weighed in words":        {claim("gpt", P2, by("gemini", false)), nil, []string{"C1"}},
		"a P2 that who abstains weighed with lines":      {claim("gpt", P2, by("gemini", true)), nil, nil},
		"the primary was asked once, and passed":         {claim("gpt", P2, func(c *Claim) { c.Passed = 1 }), nil, []string{"C1"}},
		"the primary was reminded, and passed":           {claim("gpt", P2, func(c *Claim) { c.Passed = 2 }), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := threeParties(row.claim)
			s.Table.Seats[2].Engagement = Abstains
			if row.attack != nil {
				s.Book.Challenges = []Challenge{*row.attack}
			}
			if got := s.Table.blockers(&s.Book); !slices.Equal(got, row.want) {
				t.Errorf("%v stand in the way, want %v", got, row.want)
			}
		})
	}
}

// TestPassedOver: the primary passed over what it was shown and did not weigh, and over
// nothing else (M07b).
func TestPassedOver(t *testing.T) {
	t.Parallel()
	s := threeParties(
		Claim{ID: "C1", Owner: "gpt", Severity: P2},
		Claim{ID: "C2", Owner: "gpt", Severity: P2, Evaluations: []Evaluation{{Party: "claude", Class: ClassAgree}}},
		Claim{ID: "C3", Owner: "gpt", Severity: P2},
	)
	s.Table.passed(&s.Book, 2)
	for i, want := range []int{1, 0, 0} {
		if c := s.Book.Claims[i]; c.Passed != want {
			t.Errorf("%s was passed over %d times, want %d", c.ID, c.Passed, want)
		}
	}
}

// TestNothingDueShowsNothing: an agreement is never one of substance for want of something
// that it should show.
func TestNothingDueShowsNothing(t *testing.T) {
	t.Parallel()
	s := State{Table: Table{Primary: "claude", Seats: []Seat{{Party: "claude"}, {Party: "gpt"}}}}
	if newReducer(&s, &Step{}).listener.substantive("gpt", nil, nil) {
		t.Error("it counts")
	}
}
