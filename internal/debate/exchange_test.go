package debate

import (
	"slices"
	"testing"
)

// TestLastExchange: how many exchanges there may be, and in which one the assumptions have to be named
// (R101, R104, R173).
func TestLastExchange(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		mode    Mode
		had     int // exchanges
		forbids WhyCode
		answers bool // the answers of the next one are the last
		rebuts  bool // the rebuttals of this one are the last
	}{
		"two are left":              {Standard, 0, "", false, false},
		"one more may follow":       {Standard, 1, "", true, false},
		"all are used":              {Standard, 2, WhyRounds, true, true},
		"the one of the quick mode": {Quick, 0, "", true, false},
		"the quick mode has one":    {Quick, 1, WhyRounds, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			last := func(kind CallKind) bool {
				s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P3})
				s.Received.Mode, s.Received.Settings.MaxRounds, s.Talk.Confrontations = row.mode, 2, row.had
				s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Status: Open}}
				(&reducer{State: &s, step: &Step{}}).askTurns(kind, 2)
				return s.Asking.Wave.Asks[0].Last
			}
			s := State{Received: Received{Mode: row.mode, Settings: Settings{MaxRounds: 2}}, Talk: Talk{Confrontations: row.had}}
			if got := s.mayConfront(); got.Code != row.forbids || last(CallRespond) != row.answers || last(CallRebut) != row.rebuts {
				t.Errorf("%q forbids it; last answers: %v; last rebuttals: %v", got.Code, last(CallRespond), last(CallRebut))
			}
		})
	}
}

// TestExtend: the time for new claims is extended once, at the third exchange, where a
// dispute was not addressed yet (R129, R130).
func TestExtend(t *testing.T) {
	t.Parallel()
	open := Challenge{ID: "K1", Kind: Skeptical, Status: Open}
	with := func(change func(*Challenge)) Challenge { k := open; change(&k); return k }
	for name, row := range map[string]struct {
		k        Challenge
		n        int
		extended bool
		want     string // the challenge that it is extended for
	}{
		"nobody has answered it":      {open, 3, false, "K1"},
		"it is too early":             {open, 2, false, ""},
		"it is too late":              {open, 4, false, ""},
		"it was extended before":      {open, 3, true, ""},
		"somebody has answered it":    {with(func(k *Challenge) { k.Defence = "no" }), 3, false, ""},
		"it was settled":              {with(func(k *Challenge) { k.Status = Resolved }), 3, false, ""},
		"a party has to reconcile it": {with(func(k *Challenge) { k.Kind = Reconciling }), 3, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Talk: Talk{Extended: row.extended}, Book: Book{Challenges: []Challenge{row.k}}}
			(&reducer{State: &s, step: &Step{}}).extend(row.n)
			if got := slices.Concat(s.Talk.ExtendedWhy.Refs, []string{""})[0]; got != row.want || s.Talk.Extended != (row.extended || row.want != "") {
				t.Errorf("it is extended for %q, want %q", got, row.want)
			}
		})
	}
}

// TestRestate: a position changes its disposition with an objection that it grants, or with
// a reason that the primary gives; any other change is drift (R096, R155).
func TestRestate(t *testing.T) {
	t.Parallel()
	granted := Challenge{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Status: Conceded, Strength: StrengthModerate, Objection: "it loses data"}
	wants := func(option Disposition) []Challenge { k := granted; k.Option = option; return []Challenge{k} }
	toClaim := []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Status: Conceded, Option: Reject}}
	accept := []Because{{Challenge: "K1", Move: Accept, Reason: "so it does"}}
	part := []Because{{Challenge: "K1", Move: Partial, Reason: "at one place"}}
	mind := []Because{{Challenge: PositionSubject, Reason: "line 3"}}
	says := func(d Disposition) *Restated {
		return &Restated{Disposition: d, Summary: "new words", Confidence: DeclaredLow}
	}
	for name, row := range map[string]struct {
		was        Disposition
		challenges []Challenge
		because    []Because
		says       *Restated
		want       Disposition
		summary    string
		drifts     int
	}{
		"it says nothing":                        {Keep, nil, nil, nil, Keep, "old words", 0},
		"it says the same in other words":        {Keep, nil, nil, says(Keep), Keep, "new words", 0},
		"it says something else, and not why":    {Keep, nil, nil, says(Revise), Keep, "old words", 1},
		"it says something else, and why":        {Keep, nil, mind, says(Revise), Revise, "new words", 0},
		"it grants what asks for revise":         {Keep, wants(Revise), accept, nil, Revise, "old words", 0},
		"it grants what asks for reject":         {Keep, wants(Reject), accept, nil, Reject, "old words", 0},
		"it grants a part of that":               {Keep, wants(Reject), part, nil, Keep, "old words", 0},
		"it grants what names no option":         {Keep, wants(""), accept, nil, Revise, "old words", 0},
		"it grants that, and says keep":          {Keep, wants(""), accept, says(Keep), Revise, "old words", 0},
		"an earlier primary granted that":        {Keep, wants(""), nil, nil, Revise, "old words", 0},
		"an earlier one did, and it says keep":   {Keep, wants(""), nil, says(Keep), Revise, "old words", 0},
		"an earlier one did, and it says reject": {Keep, wants(""), nil, says(Reject), Reject, "new words", 0},
		"it grants an objection to a claim":      {Keep, toClaim, accept, nil, Keep, "old words", 0},
		"it grants what is not there":            {Keep, nil, accept, nil, Keep, "old words", 0},
		"it holds reject, and granted something": {Reject, wants(""), nil, nil, Reject, "old words", 0},
		"it says words alone":                    {Revise, nil, nil, says(""), Revise, "new words", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2})
			s.Talk.Positions = []Position{{Version: 1, By: "claude", Disposition: row.was, Summary: "old words"}}
			s.Book.Challenges = row.challenges
			(&reducer{State: &s, step: &Step{}}).restate("claude", &Reply{Position: row.says}, row.because)
			got := s.Talk.Position()
			if got.Disposition != row.want || got.Summary != row.summary || s.Table.Seats[0].Drifts != row.drifts {
				t.Errorf("it is %s, %q, after %d drifts; want %s, %q, %d", got.Disposition, got.Summary, s.Table.Seats[0].Drifts, row.want, row.summary, row.drifts)
			}
			if got.Disposition != row.was && len(got.Because) == 0 {
				t.Error("it moved, and does not say why")
			}
		})
	}
}

// TestSilence: a position that moves takes back what others said of the one before, unless
// it moved away from them, or has come to what they hold.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		was, now, holds Disposition
		by              string
		want            Disposition
	}{
		"it held the one before":               {Keep, Revise, Keep, "claude", ""},
		"it holds what the position comes to":  {Keep, Revise, Revise, "claude", Revise},
		"it holds more than that":              {Keep, Revise, Reject, "claude", ""},
		"the position comes back, it does not": {Revise, Keep, Revise, "claude", Revise},
		"the position is loosened, it is not":  {Reject, Keep, Revise, "claude", Revise},
		"it is looser than the position":       {Reject, Revise, Keep, "claude", ""},
		"it holds nothing":                     {Keep, Revise, "", "claude", ""},
		"it is the one that moves":             {Keep, Revise, Keep, "gpt", Keep},
	} {
		t.Run(name, func(t *testing.T) {
			table := Table{Seats: []Seat{{Party: "gpt", Option: row.holds}}}
			table.silence(row.was, Position{By: row.by, Disposition: row.now})
			if got := table.Seats[0].Option; got != row.want {
				t.Errorf("it holds %q, want %q", got, row.want)
			}
		})
	}
}

// TestPersuaded: a primary is moved by a change of mind that it admits and by a severe
// claim of another party that it agrees to now (R155).
func TestPersuaded(t *testing.T) {
	t.Parallel()
	agrees := func(n int) []Evaluation { return []Evaluation{{Party: "claude", N: n, Class: ClassAgree}} }
	claim := func(owner string, severity Severity, said []Evaluation) []Claim {
		return []Claim{{ID: "F1", Owner: owner, Severity: severity, Evaluations: said}}
	}
	for name, row := range map[string]struct {
		claims  []Claim
		changes []Change
		want    []string
	}{
		"nothing":                          {nil, nil, nil},
		"it admits a change of mind":       {nil, []Change{{Claim: PositionSubject, Because: "line 3"}}, []string{PositionSubject}},
		"it gives no reason for that":      {nil, []Change{{Claim: PositionSubject}}, nil},
		"it agrees to a P2 of another one": {claim("gpt", P2, agrees(2)), nil, []string{"F1"}},
		"it agreed to it before":           {claim("gpt", P2, agrees(1)), nil, nil},
		"it agrees to a P3 of another one": {claim("gpt", P3, agrees(2)), nil, nil},
		"it weighed its own P2, merged":    {claim("claude", P2, agrees(2)), nil, nil},
		"it doubts a P2 of another one":    {claim("gpt", P2, []Evaluation{{Party: "claude", N: 2, Class: ClassSkeptical}}), nil, nil},
		"another one agrees to a P2":       {claim("gpt", P2, []Evaluation{{Party: "gemini", N: 2, Class: ClassAgree}}), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := Book{Claims: row.claims}
			var got []string
			for _, why := range b.persuaded("claude", &Reply{Changes: row.changes}, 2) {
				got = append(got, why.Challenge)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("it is moved by %v, want %v", got, row.want)
			}
		})
	}
}
