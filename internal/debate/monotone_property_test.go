package debate

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// The properties of this file play a debate twice with one difference. What
// parties reply in the first play they reply in the second one, too, wherever
// they are asked the same.

// again is a calm world of the same seed in which everybody replies what was
// replied in p.
func (p played) again() *world {
	w := calmWorld(p.seed)
	w.first, w.script = p.first, p.replies()
	return w
}

// ofHelp: what must not help does not help, and what must not hurt does not hurt.
func ofHelp() []property {
	return []property{{"P11", assertionsOnlyAdd}, {"P27", fabricationsNeverHelp}, {"P26", emptyChairsAddNothing}}
}

// ofIndifference: what must not count does not count.
func ofIndifference() []property {
	return []property{
		{"P09", unverifiedAgreesNothing}, {"P18", inflatedGainsAreZero}, {"P22", driftChangesNothing}, {"P24", arbitersOnlyLower},
	}
}

// unverifiedAgreesNothing: a debate whose unverified ledger entries are
// removed after every event agrees on the same empirical claims.
func unverifiedAgreesNothing(p played) string {
	whole, w := p.again(), p.again()
	w.strip = func(s *State, _ Event) {
		s.Book.Ledger = slices.DeleteFunc(slices.Clone(s.Book.Ledger), func(e LedgerEntry) bool { return e.Tag == TagUnverified })
	}
	agreed := func(s State) (ids []string) {
		for _, c := range s.Book.Agreed() {
			if c.Kind == Empirical {
				ids = append(ids, c.ID)
			}
		}
		return ids
	}
	if want, got := agreed(whole.outcome()), agreed(w.outcome()); !slices.Equal(want, got) {
		return fmt.Sprintf("agreed are %v, without unverified entries %v", want, got)
	}
	return ""
}

// someReply draws one of the asks of a debate that was answered validly, and of
// the kinds that are given; "" if there is none.
func (p played) someReply(purpose string, kinds ...CallKind) string {
	var asks []string
	for _, c := range p.end().Asking.Calls {
		if c.Status == CallOK && slices.Contains(kinds, c.Kind) {
			asks = append(asks, c.Ask)
		}
	}
	if len(asks) == 0 {
		return ""
	}
	return asks[diceOf(p.seed, purpose).n(len(asks))]
}

// assertionsOnlyAdd: whatever assertions a reply has in addition, one or a
// flood of them, valid or void, no trigger of policy or of a party disappears from
// any question.
func assertionsOnlyAdd(p played) string {
	d := diceOf(p.seed, "assertions")
	ask := p.someReply("assertions", CallOpen, CallChallenge, CallRespond, CallRebut)
	if ask == "" {
		return ""
	}
	extra := []Assertion{{Trigger: pick(d, TriggerSecurity, TriggerGovernance), Reason: "so it is"}}
	if d.chance(60) {
		extra[0].Refs = []Ref{{Citation: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3}, Found: Found{OK: true, Changed: true, InHunk: true}}}
	}
	if d.chance(20) {
		extra = slices.Repeat(extra, 250)
	}
	w := p.again()
	w.edit = func(a Ask, r *Replied) {
		if a.ID == ask {
			reply := *r.Reply
			reply.Critical = append(slices.Clone(extra), reply.Critical...)
			r.Reply = &reply
		}
	}
	s := w.outcome()
	for _, x := range p.end().Agenda.Decisions {
		for _, t := range x.Triggers {
			if t.Source == FromProcedure {
				continue
			}
			kept := slices.ContainsFunc(s.Agenda.Decisions, func(y Decision) bool {
				return (y.Question == x.Question || slices.Contains(y.Grouped, x.Question)) &&
					slices.ContainsFunc(y.Triggers, func(u Trigger) bool { return u.ID == t.ID && u.Source == t.Source })
			})
			if !kept {
				return fmt.Sprintf("%d assertions in %s take the trigger %s from %s", len(extra), ask, t.ID, x.ID)
			}
		}
	}
	return ""
}

// inflatedGainsAreZero: if a rater never read anything new, a truth-gain of 1 is worth
// what a gain of 0 is worth: the debate is the same but for the ratings themselves.
// That one rater alone stops nothing is part of thinStops.
func inflatedGainsAreZero(p played) string {
	parties := p.end().Table.Seats
	if len(parties) == 0 {
		return ""
	}
	who := parties[diceOf(p.seed, "rater").n(len(parties))].Party
	with := func(gain int) State {
		w := p.again()
		w.edit = func(a Ask, r *Replied) {
			if a.Party == who && r.Reply != nil {
				reply := *r.Reply
				reply.Delta = &Rating{ValueBP: gain}
				r.Reply = &reply
			}
		}
		return w.outcome()
	}
	high, zero := with(10000), with(0)
	if slices.ContainsFunc(high.Talk.Deltas, func(d Delta) bool { return d.Rater == who && d.Counted }) {
		return ""
	}
	high.Talk.Deltas, high.Steps, zero.Talk.Deltas, zero.Steps = nil, nil, nil, nil
	if !reflect.DeepEqual(high, zero) {
		return "an inflated gain of " + who + " moves the debate:\n" + difference(high, zero)
	}
	return ""
}

// driftChangesNothing: an evaluation that contradicts an earlier one of its
// party without a word, and follows no defence, changes no bucket, no evaluation,
// no option and no position. What it does is on the record, and it opens a
// RECONCILE challenge.
func driftChangesNothing(p played) string {
	for i, e := range p.log {
		s := p.states[i]
		r, ok := e.Event.(Replied)
		if !ok || r.Reply == nil || r.Late || !slices.Contains([]Stage{StageConfront, StageRebut}, s.Stage) {
			continue
		}
		if at, _ := s.Asking.due(r.Ask); s.Asking.Wave.Asks[at].Party != s.Table.Primary || len(p.states[i+1].Asking.Calls) == len(s.Asking.Calls) { // others have to reply
			continue
		}
		for _, c := range s.Book.Claims {
			drift, ok := p.drift(s, c, *r.Reply)
			if !ok {
				continue
			}
			reply := *r.Reply
			reply.Evaluations = append([]Evaluating{drift}, reply.Evaluations...)
			twin := r
			twin.Reply = &reply
			a, errA := Apply(s, e)
			b, errB := Apply(s, Entry{N: e.N, At: e.At, Event: twin})
			if errA != nil || errB != nil {
				return fmt.Sprintf("event %d: %v, %v", e.N, errA, errB)
			}
			if b.Table.seat(s.Table.Primary).Lost { // who is dropped for it confirms nothing any more (R164)
				continue
			}
			if why := sameStand(a, b); why != "" {
				return fmt.Sprintf("event %d: a silent change of mind on %s: %s", e.N, c.ID, why)
			}
			if len(b.Book.Challenges) <= len(a.Book.Challenges) {
				return fmt.Sprintf("event %d: a silent change of mind on %s is not challenged", e.N, c.ID)
			}
		}
	}
	return ""
}

// drift is an evaluation of a claim by the primary that contradicts its last one,
// if that is a drift: the reply does not speak of the claim otherwise. Who grants an
// objection to a claim that it defends for another one says by that what it thinks of it
// now: that is a change of mind that is said (M03, R156).
func (p played) drift(s State, c Claim, r Reply) (Evaluating, bool) {
	last := c.last(s.Table.Primary)
	if last == nil || last.Class == ClassIllFormed || c.SameAs != "" || c.Owner == s.Table.Primary {
		return Evaluating{}, false
	}
	for _, ev := range r.Evaluations {
		if live := s.Book.survivor(ev.Claim); live != nil && live.ID == c.ID {
			return Evaluating{}, false
		}
	}
	attacked := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Claim == c.ID && k.Attacker == s.Table.Primary && k.Live() })
	explained := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.Claim == c.ID && k.Kind == Reconciling && k.Defender == s.Table.Primary && r.answerTo(&k, k.Defender).Text != ""
	})
	granted := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.Claim == c.ID && s.Asks(s.Table.Primary, k) && r.answerTo(&k, s.Table.Primary).Move == Accept
	})
	if attacked || explained || granted || slices.ContainsFunc(r.Changes, func(ch Change) bool { return ch.Claim == c.ID }) {
		return Evaluating{}, false
	}
	ev := Evaluating{
		Claim: c.ID, Class: ClassAgree, View: Supports, Flaw: "now I see it", Severity: P1,
		Refs: []Ref{{Citation: c.Cite(), Found: Found{OK: true, Changed: true, InHunk: true}}},
	}
	if last.Class == ClassAgree {
		ev.Class, ev.View = pick(diceOf(p.seed, "drift "+c.ID), ClassSkeptical, ClassReject), Contradicts
	}
	return ev, true
}

// sameStand says what two states differ in that a vote could have changed, or "".
func sameStand(a, b State) string {
	for _, s := range []*State{&a, &b} {
		*s = s.clone()
		m := &reducer{State: s, step: &Step{}}
		m.settleClaims()
	}
	if len(a.Book.Claims) != len(b.Book.Claims) {
		return "claims"
	}
	for i, c := range a.Book.Claims {
		d := b.Book.Claims[i]
		if c.Bucket != d.Bucket || c.Reason != d.Reason || c.Severity != d.Severity || len(c.Evaluations) != len(d.Evaluations) {
			return fmt.Sprintf("%s is %s (%s), else %s (%s)", c.ID, d.Bucket, d.Reason, c.Bucket, c.Reason)
		}
	}
	if a.Talk.Position().Disposition != b.Talk.Position().Disposition {
		return "the position"
	}
	for i := range min(len(a.Table.Seats), len(b.Table.Seats)) { // who is asked goes on without a second context
		if a.Table.Seats[i].Option != b.Table.Seats[i].Option || a.Table.Seats[i].Engagement != b.Table.Seats[i].Engagement {
			return "the option of " + a.Table.Seats[i].Party
		}
	}
	return ""
}

func confidenceRank(c Confidence) int {
	switch c {
	case High:
		return 2
	case Medium:
		return 1
	}
	return 0
}

func bucketRank(c Claim) int {
	switch c.Bucket {
	case Agreed:
		return 2
	case Unresolved:
		return 1
	}
	return 0
}

// arbitersOnlyLower: the reply of the arbiter moves no claim into a bucket, and without it
// the confidence would be the same or higher (R159).
func arbitersOnlyLower(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i]
		if before.Asking.Wave == nil || before.Asking.Wave.Kind != CallArbiter || len(s.Book.Claims) != len(before.Book.Claims) {
			continue
		}
		for j, c := range s.Book.Claims {
			if c.Bucket != before.Book.Claims[j].Bucket {
				return fmt.Sprintf("event %d: the arbiter moves %s from %s to %s", s.N, c.ID, before.Book.Claims[j].Bucket, c.Bucket)
			}
		}
	}
	s := p.end()
	if len(s.Talk.Arbitrations) == 0 {
		return ""
	}
	free := s.clone()
	free.Talk.Arbitrations = nil
	if without, _ := free.Sure(); confidenceRank(s.Ending.Confidence) > confidenceRank(without) {
		return fmt.Sprintf("the arbiter raises the confidence from %s to %s", without, s.Ending.Confidence)
	}
	w := p.again()
	w.edit = func(a Ask, r *Replied) {
		if a.Kind == CallArbiter {
			*r = Replied{Ask: a.ID, Status: CallTimeout}
		}
	}
	without := w.outcome()
	if confidenceRank(s.Ending.Confidence) > confidenceRank(without.Ending.Confidence) {
		return fmt.Sprintf("the arbiter raises the confidence from %s to %s", without.Ending.Confidence, s.Ending.Confidence)
	}
	for i, c := range s.Book.Claims {
		if c.Bucket != without.Book.Claims[i].Bucket {
			return fmt.Sprintf("the arbiter moves %s from %s to %s", c.ID, without.Book.Claims[i].Bucket, c.Bucket)
		}
	}
	return ""
}

// fabricationsNeverHelp: a citation of what is not there, added to a claim,
// improves neither its bucket nor its severity, nor those of any other claim. The
// lines that a claim names, found or not, say which report it repeats (A07); where
// that makes other claims one, the ids in later replies mean something else, and
// there is nothing to compare. They also make a proposal claim that names code an
// empirical one (R145), which has to pass another gate; and where they cost one
// claim its severity, another one has its place among those debated (A10), or among
// those that a later head may still raise (A25).
func fabricationsNeverHelp(p played) string {
	d := diceOf(p.seed, "fabrication")
	ask := p.someReply("fabrication", CallOpen, CallChallenge, CallRebut)
	if ask == "" {
		return ""
	}
	fake := Ref{Citation: Citation{Path: "a.go", Side: Right, StartLine: 1 + d.n(9), Quote: pick(d, "never written", "some quoted line")}}
	fake.EndLine = fake.StartLine
	if d.chance(20) {
		fake = Ref{RunRef: "check:404"}
	}
	front := d.chance(50)
	w := p.again()
	w.edit = func(a Ask, r *Replied) {
		if a.ID != ask {
			return
		}
		reply := *r.Reply
		reply.Claims = slices.Clone(reply.Claims)
		for i := range reply.Claims {
			c := &reply.Claims[i]
			if front {
				c.Refs = append([]Ref{fake}, c.Refs...)
			} else {
				c.Refs = append(slices.Clone(c.Refs), fake)
			}
		}
		r.Reply = &reply
	}
	twin := w.play()
	sameClaims := func(x, y State) bool {
		return slices.EqualFunc(x.Book.Claims, y.Book.Claims, func(c, d Claim) bool { return c.SameAs == d.SameAs && c.Owner == d.Owner })
	}
	a, b := p.end(), twin.end()
	found := func(c Claim) bool { // another party quotes the same lines, and they are there
		return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.CitationOK && e.Cite == fake.Citation })
	}
	if !slices.EqualFunc(p.states, twin.states, sameClaims) || fake.Path != "" && slices.ContainsFunc(b.Book.Claims, found) {
		return ""
	}
	for i, c := range a.Book.Claims {
		was, is := c, b.Book.Claims[i]
		if was.Bucket == "" || was.Kind != is.Kind || was.NotDebated != is.NotDebated || was.Extra != is.Extra {
			continue
		}
		if bucketRank(is) > bucketRank(was) || is.Severity.rank() < was.Severity.rank() {
			return fmt.Sprintf("a fabrication in %s (first: %v) lifts %s from %s %s (%s) to %s %s", ask, front, c.ID, was.Severity, was.Bucket, was.Reason, is.Severity, is.Bucket)
		}
	}
	return ""
}

// challengeID is the id of a challenge where a reply names one.
var challengeID = regexp.MustCompile(`"K[0-9]+"`)

// meaningTheSame is a reply of one debate as it has to be in another one, where one
// more party attacks: what it says of a challenge is about the same claim and attacker,
// whatever number that has there.
func meaningTheSame(was, is State, r *Reply) *Reply {
	if r == nil {
		return nil
	}
	content, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	content = challengeID.ReplaceAllFunc(content, func(quoted []byte) []byte {
		k := was.Book.challenge(string(quoted[1 : len(quoted)-1]))
		if k == nil {
			return quoted
		}
		same := func(x Challenge) bool { return x.Claim == k.Claim && x.Attacker == k.Attacker && x.Kind == k.Kind }
		before := was.Book.Challenges[:slices.IndexFunc(was.Book.Challenges, func(x Challenge) bool { return x.ID == k.ID })]
		left := len(lists.Keep(before, same))
		for _, x := range is.Book.Challenges {
			if same(x) {
				if left == 0 {
					return []byte(strconv.Quote(x.ID))
				}
				left--
			}
		}
		return []byte(`"K999"`)
	})
	there := &Reply{}
	if err := json.Unmarshal(content, there); err != nil {
		panic(err)
	}
	return there
}

// debatedBeside are the asks of a debate in which all but one party spoke of claims and
// options.
func debatedBeside(s State, but string) []string {
	var list []string
	for _, c := range s.Asking.Calls {
		if c.Kind.debates() && c.Party != but {
			list = append(list, c.Ask)
		}
	}
	return list
}

// emptyChairsAddNothing: one more challenger that fails, is silent or agrees without
// looking turns no outcome into a consensus, makes no check succeed and raises no
// confidence. It stays a challenger, and is not promoted. Nothing is compared
// where another thing differs than the chair:
//   - where no challenger spoke there was no debate, and any second one makes it one (R093);
//   - where the others are asked more, or of something else, because somebody waits for
//     what the chair has still to weigh or a second context gave up its place, they may
//     come to agree by themselves, and judges and the cold reader see another debate;
//   - where the chair asks a question in its opening, judges see other options;
//   - a primary that contradicts itself is dropped in one debate and not in the other, as
//     the dice fall;
//   - a call of the chair costs, so that another party may not be called any more. One that
//     would have been lost in that call still holds what it held. Confidence is compared
//     where calls, money and time are plenty.
func emptyChairsAddNothing(p played) string {
	d := diceOf(p.seed, "chair")
	w := p.again()
	chair := Party{ID: "mistral", Role: Challenger, Family: "mistral", Status: PartyOK}
	w.styles[chair.ID] = styleNamed(pick(d, "silent", "garbled", "rubber stamp"))
	at := 1 + d.n(len(w.parties))
	w.parties = slices.Insert(w.parties, at, chair)
	a := p.end()
	w.edit = func(_ Ask, r *Replied) { r.Reply = meaningTheSame(a, w.now, r.Reply) }
	b := w.outcome()
	debated := slices.ContainsFunc(a.Asking.Calls, func(c Call) bool {
		return c.Kind == CallChallenge && c.Status == CallOK && c.Party != a.Table.Primary
	})
	if b.Table.Primary != a.Table.Primary || b.Table.PrimaryLost != a.Table.PrimaryLost || !debated {
		return ""
	}
	style := w.styles[chair.ID].name
	asMuch := b.Talk.Exchange == a.Talk.Exchange && slices.Equal(debatedBeside(a, chair.ID), debatedBeside(b, chair.ID))
	stays := slices.ContainsFunc(a.Table.Seats, func(seat Seat) bool { return seat.Lost && b.Table.sits(seat.Party) })
	options := func(x, y Decision) bool {
		return x.ScopeCritical == y.ScopeCritical && slices.Equal(x.Options, y.Options)
	}
	judgedAlike := asMuch && slices.EqualFunc(a.Agenda.Decisions, b.Agenda.Decisions, options)
	alike := judgedAlike && !stays
	merges := b.Ending.Disposition == Keep // a bare word may still make a majority for more care
	if alike && a.Ending.Outcome != Consensus && b.Ending.Outcome == Consensus && merges {
		return fmt.Sprintf("a %s challenger turns %s into %s (%s %s, before %s %s)", style, a.Ending.Outcome, b.Ending.Outcome, b.Talk.Exit, b.Talk.ExitWhy, a.Talk.Exit, a.Talk.ExitWhy)
	}
	was, why := checkOf(a)
	if is := b.Conclusion().Check; alike && was != Success && is == Success {
		return fmt.Sprintf("a %s challenger turns the check from %s (%s) into a success", style, was, why)
	}
	plenty := a.Received.Settings.MaxCalls == 300 && a.Received.Settings.MaxCostMicro == 0 && p.pace < 200_000
	flagged := len(a.Talk.Arbitrations) > 0 && a.Talk.Arbitrations[len(a.Talk.Arbitrations)-1].FlaggedBP > 0
	judgedAnew := !judgedAlike && (flagged || a.Ending.Confidence == RequiresInput)
	agreedAnew := !asMuch && a.Ending.Outcome != Consensus && b.Ending.Outcome == Consensus
	// Who challenges for want of anybody else is asked once the newcomer is lost, and may
	// say then what it did not say before.
	challengedAnew := !asMuch && a.Ending.Outcome == Unchallenged && b.Ending.Outcome != Unchallenged
	if plenty && !judgedAnew && !agreedAnew && !challengedAnew && confidenceRank(b.Ending.Confidence) > confidenceRank(a.Ending.Confidence) {
		return fmt.Sprintf("a %s challenger raises %s (%s) to %s (%s)", style, a.Ending.Confidence, a.Ending.Outcome, b.Ending.Confidence, b.Ending.Outcome)
	}
	return ""
}
