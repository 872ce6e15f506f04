package html

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// htmlFinding is a finding with all that is known of it.
type htmlFinding struct {
	Anchor     string
	Class      string
	Severity   string
	ID         string
	Title      string
	Place      string
	Open       htmlFact // why it is where it is, empty if it was agreed on
	Crux       string
	Body       string
	Quote      string
	Suggestion string
	Stands     string // who stands behind it
	Attacks    htmlAttacks
	Facts      string
}

// htmlAttacks are the objections to a finding or to the position.
type htmlAttacks struct {
	Items []htmlAttack
	More  int
}

type htmlAttack struct {
	Head, Objection, Evidence, Answer, Fate string
}

func (w pageWriter) finding(f report.Finding) htmlFinding {
	h := htmlFinding{
		Anchor: w.anchors[f.ID], Class: severityClass(f.Severity), Severity: w.line(string(f.Severity)), ID: w.line(f.ID), Title: w.line(f.Title), Place: report.Place(f),
		Crux: w.line(f.Crux), Body: w.said(f.Body), Quote: w.code(f.Quote), Suggestion: w.code(f.Suggestion), Stands: w.line(report.StandsBehind(f)),
		Attacks: w.attacks(f.Challenges), Facts: w.line(w.facts(f)),
	}
	if text := report.BecauseOf(f); f.Bucket != debate.Agreed && text != "" {
		name := "Open"
		switch {
		case f.Bucket == debate.Dismissed:
			name = "Dismissed"
		case report.NotEvaluated(f):
			name = "Not evaluated"
		}
		h.Open = htmlFact{name, w.line(text)}
	}
	return h
}

// facts are what else is known of a finding.
func (w pageWriter) facts(f report.Finding) string {
	var out []string
	for _, part := range []struct{ name, text string }{
		{"", f.Category}, {"rule ", f.Rule}, {"", strings.ToLower(w.line(string(f.EvidenceType)))}, {"evidence at ", w.spots(f.Evidence)}, {"carries on ", f.Carried},
	} {
		if part.text != "" {
			out = append(out, part.name+w.line(part.text))
		}
	}
	if f.Asserted != "" && f.Asserted != f.Severity {
		out = append(out, "raised as "+w.line(string(f.Asserted)))
	}
	return strings.Join(out, "; ")
}

// attacks are objections and what came of them, the strongest first.
func (w pageWriter) attacks(challenges []report.Challenge) htmlAttacks {
	var out htmlAttacks
	best := report.StrongestOf(challenges)
	if best < 0 {
		return out
	}
	order := append([]report.Challenge{challenges[best]}, challenges[:best]...)
	for i, k := range append(order, challenges[best+1:]...) {
		if i == w.scale.listed {
			out.More = len(challenges) - i
			break
		}
		head := "Objection " + w.line(k.ID) + " by " + w.line(k.By)
		if i == 0 && len(challenges) > 1 {
			head = "Strongest objection, " + w.line(k.ID) + " by " + w.line(k.By)
		}
		out.Items = append(out.Items, htmlAttack{
			Head: head + attackKind(k), Objection: w.line(k.Objection), Evidence: w.spots(k.Evidence), Answer: w.line(k.Defence), Fate: w.line(ended(k)),
		})
	}
	return out
}

// spots are the places of evidence as people know them.
func (w pageWriter) spots(evidence []string) string {
	var out []string
	for _, at := range evidence {
		if line, ok := strings.CutPrefix(at, debate.BodyPath+":"); ok {
			at = w.text + ":" + line
		}
		out = append(out, at)
	}
	return report.Capped(out, ", ")
}

// attackKind says how an attack was made.
func attackKind(k report.Challenge) string {
	var parts []string
	for _, part := range []string{string(k.Strength), string(k.Kind)} {
		if part != "" {
			parts = append(parts, strings.ToLower(strings.ReplaceAll(report.OneLine(part), "_", " ")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// ended is what came of an attack, as a sentence.
func ended(k report.Challenge) string {
	text := report.Fate(k)
	settles := k.Status != debate.Resolved && k.Status != debate.Dissent
	if settles && k.ResolvedWith != "" {
		text += "; settled by: " + report.OneLine(k.ResolvedWith)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
