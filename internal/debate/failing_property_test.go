package debate

import (
	"fmt"
	"slices"
	"testing"
)

// TestFailingProperty checks, over random debates of parties that hold opinions,
// that the keys of a provider that fails do no harm (M19): with them left in there
// are no fewer confirmed findings than without them, and no greener conclusion.
func TestFailingProperty(t *testing.T) {
	t.Parallel()
	each(t, []property{{"failing keys do no harm", failingKeysDoNoHarm}}, func(seed int) *world { return outage(seed).world })
}

// misfortune is how a party of a council fails: from its first call of a kind on,
// or from its first call at all, and with what. One that fails once the talk is over
// has said all that it had to say.
type misfortune struct {
	from   CallKind // "": it never answers
	status CallStatus
}

func (f misfortune) String() string {
	if f.from == "" {
		return "never answers (" + string(f.status) + ")"
	}
	return "fails from " + string(f.from) + " on (" + string(f.status) + ")"
}

// failing is a council some of whose providers fail.
type failing struct {
	*council
	fails map[string]misfortune
}

// outage is the council of a seed with some providers that fail; at least one does
// not.
func outage(seed int) failing {
	x := failing{convene(seed), make(map[string]misfortune)}
	d := diceOf(seed, "outage")
	x.first.Settings.Opening = pick(d, OpenParallel, OpenPosition)
	for _, f := range x.findings { // a second context thinks as the first
		for _, p := range x.parties {
			f.opinions[p.ID+"-2"] = f.opinions[p.ID]
		}
	}
	healthy := d.n(len(x.parties))
	for i, p := range x.parties {
		if i != healthy && (len(x.fails) == 0 || d.chance(30)) {
			x.fails[p.ID] = misfortune{
				from:   pick(d, "", "", CallChallenge, CallRespond, CallRebut),
				status: pick(d, CallAuth, CallAuth, CallNotFound, CallTimeout, CallRate),
			}
		}
	}
	answers, down := x.edit, make(map[string]bool)
	x.edit = func(ask Ask, r *Replied) {
		answers(ask, r)
		f, fails := x.fails[ask.Party]
		if down[ask.Party] = down[ask.Party] || fails && (f.from == "" || f.from == ask.Kind); down[ask.Party] {
			*r = Replied{Ask: ask.ID, Status: f.status}
		}
	}
	return x
}

// without is the same council without the providers that fail, seated as their keys
// alone would seat it: one that is left debates with itself.
func (x failing) without() *council {
	y := convene(x.seed)
	y.first.Settings = x.first.Settings
	y.parties = slices.DeleteFunc(slices.Clone(x.parties), func(p Party) bool { _, fails := x.fails[p.ID]; return fails })
	y.findings = slices.DeleteFunc(slices.Clone(x.findings), func(f finding) bool { _, fails := x.fails[f.owner]; return fails })
	y.parties[0].Role = Primary
	if len(y.parties) == 1 {
		y.first.Settings.AllowSameFamily = true
		y.parties = append(y.parties, Party{ID: y.parties[0].ID + "-2", Role: Challenger, Family: y.parties[0].Family, Persona: "skeptic", Status: PartyOK})
	}
	return y
}

// comparable reports whether what became of a finding has to be the same without the
// providers that fail. A P3 is not weighed by everybody (M01). What one of them has
// shown against it while it still answered stands until a holder answers it with
// other lines (M02), and what it argued for it closed words against it. Words of who
// abstains count for nothing (R093): what a party leaves unsaid may be what only the
// lost one raised.
func (x failing) comparable(s State, f finding) bool {
	shown := func(p Party) bool {
		bad, fails := x.fails[p.ID]
		return fails && bad.from != "" && bad.from != CallChallenge && slices.Contains([]opinion{refutes, argues}, f.opinions[p.ID])
	}
	unheard := func(seat Seat) bool { return seat.Engagement == Abstains && f.opinions[seat.Party] == argues }
	merged := func(c Claim) bool { return c.Title == f.title() && c.SameAs != "" }
	return f.severity.AtLeast(P2) && !slices.ContainsFunc(x.parties, shown) && !slices.ContainsFunc(s.Table.Seats, unheard) &&
		!slices.ContainsFunc(s.Book.Claims, merged)
}

func failingKeysDoNoHarm(p played) string {
	x := outage(p.seed)
	with := p.end()
	for id := range x.fails {
		if !slices.ContainsFunc(with.Asking.Calls, func(c Call) bool { return c.Party == id && c.Status != CallOK }) {
			return "" // it was never asked what it would have failed at
		}
	}
	alone := x.without().play()
	same := true
	for _, f := range x.findings {
		if !x.comparable(with, f) {
			same = same && f.severity == P3
			continue
		}
		confirmed := func(s State) bool {
			return slices.ContainsFunc(s.Book.Agreed(), func(c Claim) bool { return c.Title == f.title() })
		}
		same = same && confirmed(alone.end()) == confirmed(with) // more that is confirmed leaves less to ask
		if confirmed(alone.end()) && !confirmed(with) {
			return fmt.Sprintf("%s is not confirmed any more: %v\n%s\n\nwithout them:\n%s", f.title(), x.fails, p.script(), alone.script())
		}
	}
	was := alone.end().Conclusion().Check
	is := with.Conclusion().Check
	if same && greenness(is) > greenness(was) {
		return fmt.Sprintf("the conclusion is %s and not %s: %v\n%s\n\nwithout them:\n%s", is, was, x.fails, p.script(), alone.script())
	}
	return ""
}

// greenness orders conclusions by what they let through.
func greenness(c Conclusion) int {
	return max(0, slices.Index([]Conclusion{Failure, Neutral, Success}, c)) // who must decide blocks no less
}
