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
	e.Positions = lists.Map(s.Talk.Positions, func(p debate.Position) Position { return positionOf(p, n) })
	e.Deltas = lists.Map(s.Talk.Deltas, func(d debate.Delta) Delta {
		d.Rater = n.of(d.Rater)
		return Delta(d)
	})
	slices.SortStableFunc(e.Deltas, func(a, b Delta) int { return cmp.Compare(a.N, b.N) })
	for _, r := range s.Talk.Rounds {
		round := roundOf(r, n)
		round.Unrated = unrated(e.Deltas, r.N, e.Primary)
		e.Rounds = append(e.Rounds, round)
	}
	e.Arbitration = lists.Map(s.Talk.Arbitrations, func(a debate.Arbitration) Arbitration {
		flags := lists.Map(a.Items, func(f debate.Flagged) Flag { return Flag(f) })
		return Arbitration{Arbiter: a.Arbiter, Flags: flags, FlaggedBP: a.FlaggedBP}
	})
	for _, c := range s.Carried {
		e.Carried = append(e.Carried, Carried{
			ID: c.ID, Severity: c.Severity, Title: c.Title, Path: c.Cite.Path, Line: c.Cite.StartLine,
			Class: c.Class, Claim: c.Claim, Answers: lists.Map(c.Says, func(a debate.CarriedAnswer) string { return carriedAnswer(a, n) }),
		})
	}
	slices.SortStableFunc(e.Carried, func(a, b Carried) int {
		return byNumber(a.ID, b.ID)
	})
}

// carriedAnswer is the answer of a party about a finding of an earlier head.
func carriedAnswer(a debate.CarriedAnswer, n names) string {
	text := n.of(a.Party) + ": " + string(a.Class)
	if !a.Shown {
		text += " (without evidence)"
	}
	return text
}

func positionOf(p debate.Position, n names) Position {
	return Position{
		Version: p.Version, AfterN: p.AfterN, By: n.of(p.By), Disposition: p.Disposition, Summary: p.Summary,
		Confidence: p.Confidence, Weaknesses: once(p.Weaknesses), Assumptions: once(p.Assumptions), Claims: p.Claims,
		Because: lists.Map(p.Because, func(b debate.Because) Because {
			return Because{Challenge: b.Challenge, Party: n.of(b.Party), Move: b.Move, Reason: strings.TrimSpace(b.Granted + " " + b.Reason)}
		}),
	}
}

// roundOf is an exchange without its unrated sides.
func roundOf(r debate.Round, n names) Round {
	return Round{
		N: r.N, Phase: r.Phase, Raters: n.all(r.Raters), Thin: r.Thin,
		Unavailable: n.all(once(r.Unavailable)), Timeouts: n.all(once(r.Timeouts)), AuthFailures: n.all(once(r.AuthFailures)),
		OtherFailures: n.all(once(r.OtherFailures)), ParseFailures: n.all(once(r.ParseFailures)), Retries: n.all(once(r.Retries)), Route: n.sentence(r.Route),
	}
}

// unrated lists the sides without a rating of exchange n. The first exchange is the challenge
// itself and has no rating.
func unrated(deltas []Delta, n int, primary string) []string {
	if n <= 1 {
		return nil
	}
	rated := ratedSides(deltas, n, primary)
	return lists.Keep([]string{primarySide, challengerSide}, func(side string) bool { return !rated[side] })
}

func ratedSides(deltas []Delta, n int, primary string) map[string]bool {
	rated := make(map[string]bool)
	for _, d := range deltas {
		switch {
		case d.N != n:
		case d.Rater == primary:
			rated[primarySide] = true
		default:
			rated[challengerSide] = true
		}
	}
	return rated
}
