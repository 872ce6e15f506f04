package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

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
			Confidence: p.Confidence, Weaknesses: once(p.Weaknesses), Assumptions: once(p.Assumptions), Claims: p.Claims,
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
		parties := func(ids []string) []string { return n.all(once(ids)) }
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
			text := n.of(a.Party) + ": " + string(a.Class)
			if !a.Shown {
				text += " (without evidence)"
			}
			out.Answers = append(out.Answers, text)
		}
		e.Carried = append(e.Carried, out)
	}
	slices.SortStableFunc(e.Carried, func(a, b Carried) int { return byNumber(a.ID, b.ID) })
}
