package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Section is a part of the report in all renderings for people. Its text may come from outside; the
// rendering sanitizes it.
type Section struct {
	Title string // fixed text
	Lines []string
	Said  []Side // after the lines: the statements about it
}

// AnswersGiven has the answered questions, and the answers without effect. The verdict says the answer
// to the merge.
func AnswersGiven(e Envelope) []Section {
	var answered, refused []string
	for _, d := range Closed(e) {
		if d.ID != "D0" {
			answered = append(answered, withAnswer(e, d))
		}
		refused = append(refused, UpTo(MaxSides, lists.Map(d.Person().Refused, OneLine))...)
	}
	return filledOnly(Section{Title: AnsweredTitle, Lines: answered}, Section{Title: refusedTitle, Lines: refused})
}

// The titles of answers: to closed questions, and those without effect.
const (
	AnsweredTitle = "Answered questions"
	refusedTitle  = "Answers that did not count"
)

// Noticed has the facts about a change other than findings, in reading order.
func Noticed(e Envelope) []Section {
	touches := func(id debate.TriggerID) string { return "it " + cmp.Or(doing[id], "touches "+OneLine(string(id))) }
	skipped := unread(e)
	return filledOnly(
		Section{Title: "Notices", Lines: lists.Map(e.Notices, func(n debate.Notice) string {
			return strings.TrimSpace(Spot(n.Path, n.Line) + " " + OneLine(n.Text))
		})},
		Section{Title: "Called critical by one model only", Lines: lists.Map(e.Lone, func(l Lone) string {
			return OneLine(l.Party) + ": " + touches(l.Trigger) + ", " +
				Place(Finding{Path: l.Path, Side: l.Side, Line: l.Line, Asked: e.Inquiry != nil}) + Wrapped(" (", OneLine(l.Reason), ")")
		})},
		Section{Title: "The proposal does not say", Lines: lists.Map(e.Missing, OneLine)},
		Section{Title: "Touched, no decision needed", Lines: lists.Map(Shown(e), func(t Trigger) string {
			return upperFirst(touches(t.ID)) + Wrapped(", ", Spot(t.Path, t.Line), "") + Wrapped(": ", OneLine(t.Detail), "")
		})},
		skipped[0], skipped[1],
		Section{Title: "Findings without proof", Lines: listed(e.Unproved...)},
	)
}

// Remaining has the findings without an effect on the verdict, one line each, those of one state
// together.
func Remaining(e Envelope) []Section {
	var out []Section
	for _, f := range slices.Concat(e.NotEvaluated, e.Dismissed, e.Known) {
		title := upperFirst(cameOf(f))
		at := slices.IndexFunc(out, func(s Section) bool { return s.Title == title })
		if at < 0 {
			at, out = len(out), append(out, Section{Title: title})
		}
		out[at].Lines = append(out[at].Lines, listed(f)...)
	}
	return out
}

// History has the sections on how the debate went, in reading order, without its threads.
func History(e Envelope) []Section {
	var weak []string
	at := lastPosition(e)
	for _, w := range at.Weaknesses {
		weak = append(weak, OneLine(at.By)+" sees this weakness: "+OneLine(w))
	}
	for _, a := range at.Assumptions {
		weak = append(weak, OneLine(at.By)+" assumes: "+OneLine(a))
	}
	for _, text := range Measurements(e.Objections) {
		weak = append(weak, "To settle it: "+text)
	}
	reviews := lists.Map(onProposal(e, MaxTitle), func(t Titled) string { return t.Name + ". " + t.Text })
	out := slices.Concat([]Section{{Title: "The models on the proposal", Lines: reviews}}, Reasoned(e), []Section{{Title: "Weak points of the recommendation", Lines: weak}})
	for _, d := range e.Decisions {
		out = append(out, weighed(d)...)
	}
	return filledOnly(append(out, Section{Title: "The end of the debate", Lines: Present(OneLine(e.ExitWhy))})...)
}

// Reasoned has how each model came to its first answer, and the cases that it tried. The thread of a
// finding has the cases tried on it.
func Reasoned(e Envelope) []Section {
	var reasons, cases []string
	for _, p := range e.Parties {
		for _, text := range p.Reasoning {
			reasons = append(reasons, OneLine(p.ID)+": "+ClipLine(text, MaxEntry))
		}
		for _, t := range p.Checked {
			if t.Finding == "" {
				at := ""
				if len(t.Cites) == 0 {
					at = Wrapped(" in ", Spot(t.Path, 0), "")
				}
				cases = append(cases, OneLine(p.ID)+" "+spoken(Line{Act: DidTry, Words: t.Scenario, Cites: t.Cites}, Decision{})+at)
			}
		}
	}
	return filledOnly(Section{Title: "Reasons of the first answers", Lines: reasons}, Section{Title: "Cases tried", Lines: cases})
}

// Participants has what each model did and cost, none if no model was asked.
func Participants(e Envelope) []Section {
	if !HasDebate(e) && e.Stats.Calls == 0 {
		return nil
	}
	asked := lists.Keep(e.Parties, func(p Party) bool { return p.Calls > 0 || p.debates() })
	return filledOnly(Section{Title: "Models", Lines: lists.Map(asked, func(p Party) string { return tookPart(e, p) })})
}

// Details are all sections of a report below its findings.
func Details(e Envelope) []Section {
	disagree := lists.Map(e.Assumptions, func(a Assumption) string { return assumed(e, a) })
	first := filledOnly(Section{Title: OverviewTitle, Lines: OverviewLines(e)}, Section{Title: "Why the models disagree", Lines: disagree})
	return slices.Concat(first, Discussed(e), History(e), Participants(e))
}

// Discussed has the statements about each decision, and the result of a choice. The headline has
// that of the debate.
func Discussed(e Envelope) []Section {
	return filledOnly(lists.Map(e.Decisions, func(d Decision) Section {
		about := Section{Title: "The recommendation", Said: ThreadAbout(e, d)}
		switch {
		case d.ID == recommendation && e.Inquiry != nil:
			about.Title = "The answer"
		case d.ID != recommendation && len(about.Said) > 0:
			about.Title, about.Lines = "A question", []string{withAnswer(e, d)}
		}
		return about
	})...)
}

// filledOnly has the sections with lines, each line once.
func filledOnly(list ...Section) []Section {
	var out []Section
	for _, s := range list {
		if s.Lines = lists.Once(s.Lines); len(s.Lines)+len(s.Said) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// assumed is why a model disagrees, and what would change its mind.
func assumed(e Envelope, a Assumption) string {
	text := OneLine(a.Party)
	if a.Option != "" {
		text += " " + toMerge(e).would(string(a.Option))
	}
	return sentence(text+Wrapped(": ", OneLine(a.WhyDisagree), "")) + changesMind(a.RightIf, a.CoreAssumption, a.TestableBy)
}

// tookPart is a party with its model, its answer and the result of its calls.
func tookPart(e Envelope, p Party) string {
	text := OneLine(p.ID) + Wrapped(", ", OneLine(p.Model), "") + Wrapped(", maker ", OneLine(p.Family), "") +
		Wrapped(", told to be a ", OneLine(p.Persona), "") + Wrapped(", served by ", OneLine(p.Debater), "")
	if p.Option != "" {
		text += ", " + toMerge(e).would(string(p.Option))
	}
	if p.Lost {
		text += ", stopped answering"
	}
	if p.Drifts > 0 {
		text += ", changed its answer " + Count(p.Drifts, "time") + " without giving a reason"
	}
	text += "; " + Count(p.Calls, "call")
	if p.Failed > 0 {
		text += fmt.Sprintf(" (%d failed)", p.Failed)
	}
	if p.Calls > 0 {
		text += fmt.Sprintf(", %d tokens in, %d out, %s", p.TokensIn, p.TokensOut, Cost(p.CostUSD, p.CostUnknown))
	}
	if p.Misread > 0 {
		text += "; " + Count(p.Misread, "part") + " of its replies could not be read"
	}
	return text
}

// Review is one party's review of the proposals of a change along the six
// criteria (R064).
type Review struct {
	Party string `json:"party"`
	debate.ProposalReview
}

// criteria has the six criteria for a proposal, in reading order.
var criteria = []struct {
	title string
	of    func(Review) string
}{
	{"Problem", func(r Review) string { return r.ProblemFraming }},
	{"Assumptions", func(r Review) string { return r.Assumptions }},
	{"Tradeoffs", func(r Review) string { return r.Tradeoffs }},
	{"Alternatives", func(r Review) string { return r.Alternatives }},
	{"Risk controls", func(r Review) string { return r.RiskControls }},
	{"Is it well decided", func(r Review) string { return r.DecisionQuality }},
}

// onProposal has the words of each model on each criterion.
func onProposal(e Envelope, most int) (all []Titled) {
	for _, c := range criteria {
		said := lists.Map(e.Reviews, func(r Review) string {
			text := ClipLine(c.of(r), most)
			return Wrapped(OneLine(r.Party)+": ", text, ended(text))
		})
		all = append(all, Texts(c.title, strings.Join(Present(said...), " "))...)
	}
	return all
}

// unread has the parts of a change without a reader, and those that not all models read.
func unread(e Envelope) []Section {
	return []Section{
		{Title: "Not read", Lines: lists.Map(e.Stats.NotReviewed, OneLine)}, {Title: "Not reviewed in full", Lines: lists.Map(e.Stats.Parts, OneLine)},
	}
}

// Position is one version of the primary's position (R106).
type Position struct {
	Version     int                `json:"version"`
	AfterN      int                `json:"after_n"`
	By          string             `json:"by"`
	Disposition debate.Disposition `json:"disposition"`
	Summary     string             `json:"summary"`
	Confidence  debate.Declared    `json:"confidence"` // as claimed by its party, not that of the outcome
	Weaknesses  []string           `json:"weaknesses"`
	Assumptions []string           `json:"assumptions"`
	Claims      []string           `json:"claims"`
	Because     []Because          `json:"because"`
}

// lastPosition is the position at the end, an empty one if there is none.
func lastPosition(e Envelope) Position {
	if len(e.Positions) == 0 || e.Outcome == debate.DegradedLocal {
		return Position{}
	}
	return e.Positions[len(e.Positions)-1]
}

// Because is the reason and the source of one change of the position.
type Because struct {
	Challenge string      `json:"challenge"`
	Party     string      `json:"party"`
	Move      debate.Move `json:"move"`
	Reason    string      `json:"reason"`
}

// Delta is one rating of the truth-gain of one exchange (R005), in basis points.
type Delta struct {
	N       int    `json:"n"`
	Rater   string `json:"rater"`
	ValueBP int    `json:"value_bp"`
	Counted bool   `json:"counted"` // false: its rater had read nothing new, so it counts as 0 (R008)
}

// Round is one exchange.
type Round struct {
	N             int          `json:"n"`
	Phase         debate.Phase `json:"phase"`
	Raters        []string     `json:"raters"`
	Unrated       []string     `json:"unrated"` // sides, "primary" and "challengers", without a rating
	Thin          bool         `json:"thin"`
	Unavailable   []string     `json:"backend_unavailable"`
	Timeouts      []string     `json:"timeouts"`
	AuthFailures  []string     `json:"auth_failures"`
	OtherFailures []string     `json:"other_failures"`
	ParseFailures []string     `json:"parse_failures"`
	Retries       []string     `json:"retries"`
	Route         string       `json:"route"`
}

// Arbitration is one look of the cold reader over the buckets.
type Arbitration struct {
	Arbiter   string `json:"arbiter"`
	Flags     []Flag `json:"items"`
	FlaggedBP int    `json:"flagged_ratio_bp"`
}

// Flag is a remark of the arbiter on one claim.
type Flag struct {
	Claim string      `json:"claim"`
	Flag  debate.Flag `json:"flag"`
	Note  string      `json:"note"`
}

// Carried is a finding of an earlier head and its present state (S11).
type Carried struct {
	ID       string              `json:"id"`
	Severity debate.Severity     `json:"severity"`
	Title    string              `json:"title"`
	Path     string              `json:"path"`
	Line     int                 `json:"line"`
	Class    debate.CarriedClass `json:"class"`
	Claim    string              `json:"claim"` // of this head, "" if it is gone
	Answers  []string            `json:"answers"`
}

// carriedAs has words for the state of a finding of an earlier commit.
var carriedAs = map[debate.CarriedClass]string{debate.Stands: "still there", debate.Fixed: "fixed"}

// The two rating sides of an exchange.
const (
	primarySide    = "primary"
	challengerSide = "challengers"
)

// history is how the debate went.
func (e *Envelope) history(s debate.State, n names) {
	first := lists.Find(s.Table.Parties, func(p debate.Party) bool { return p.Role == debate.Primary })
	e.Primary = n.of(cmp.Or(s.Talk.Position().By, first.ID))
	for _, p := range s.Talk.Positions {
		out := Position{
			Version: p.Version, AfterN: p.AfterN, By: n.of(p.By), Disposition: p.Disposition, Summary: p.Summary,
			Confidence: p.Confidence, Weaknesses: lists.Once(p.Weaknesses), Assumptions: lists.Once(p.Assumptions), Claims: p.Claims,
		}
		for _, b := range p.Because {
			out.Because = append(out.Because, Because{Challenge: b.Challenge, Party: n.of(b.Party), Move: b.Move, Reason: strings.TrimSpace(b.Granted + " " + b.Reason)})
		}
		e.Positions = append(e.Positions, out)
	}
	for _, d := range s.Talk.Deltas {
		d.Rater = n.of(d.Rater)
		e.Deltas = append(e.Deltas, Delta(d))
	}
	slices.SortStableFunc(e.Deltas, func(a, b Delta) int { return cmp.Compare(a.N, b.N) })
	for _, r := range s.Talk.Rounds {
		parties := func(ids []string) []string { return n.all(lists.Once(ids)) }
		round := Round{
			N: r.N, Phase: r.Phase, Raters: n.all(r.Raters), Thin: r.Thin,
			Unavailable: parties(r.Unavailable), Timeouts: parties(r.Timeouts), AuthFailures: parties(r.AuthFailures),
			OtherFailures: parties(r.OtherFailures), ParseFailures: parties(r.ParseFailures), Retries: parties(r.Retries), Route: n.sentence(r.Route),
		}
		for _, side := range []string{primarySide, challengerSide} {
			rated := slices.ContainsFunc(e.Deltas, func(d Delta) bool { return d.N == r.N && (d.Rater == e.Primary) == (side == primarySide) })
			if r.N > 1 && !rated { // the first exchange is the challenge itself
				round.Unrated = append(round.Unrated, side)
			}
		}
		e.Rounds = append(e.Rounds, round)
	}
	for _, a := range s.Talk.Arbitrations {
		flags := lists.Map(a.Items, func(f debate.Flagged) Flag { return Flag(f) })
		e.Arbitration = append(e.Arbitration, Arbitration{Arbiter: a.Arbiter, Flags: flags, FlaggedBP: a.FlaggedBP})
	}
	for _, c := range s.Carried {
		out := Carried{
			ID: c.ID, Severity: c.Severity, Title: c.Title, Path: c.Cite.Path, Line: c.Cite.StartLine, Class: c.Class, Claim: c.Claim,
		}
		for _, a := range c.Says {
			text := n.of(a.Party) + ": " + carriedAs[a.Class]
			if !a.Shown {
				text += " (without evidence)"
			}
			out.Answers = append(out.Answers, text)
		}
		e.Carried = append(e.Carried, out)
	}
	slices.SortStableFunc(e.Carried, func(a, b Carried) int { return byNumber(a.ID, b.ID) })
}
