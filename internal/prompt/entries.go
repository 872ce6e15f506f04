package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// The functions of this file read one entry of a list, or one member with an object. They
// return false for an entry without a required member, such as an evaluation of no claim.

// refs reads citations, each an object or a text with a place.
func refs(o object, name string) []debate.Ref {
	return slices.Concat(entries(o, name, func(raw json.RawMessage, path string) ([]debate.Ref, bool) {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			list := refsAt(text)
			return list, len(list) > 0
		}
		ref, ok := entryIn(o.r, path, raw, citation)
		return []debate.Ref{ref}, ok
	})...)
}

// orRefs are the citations of an entry. Without a list of them, the entry itself has the members
// of its place, or its words name one. The quote of a listed place may be in the entry too.
func orRefs(o object, list []debate.Ref, words string) []debate.Ref {
	switch own, ok := citation(o); {
	case len(list) == 1:
		list[0].Quote = cmp.Or(list[0].Quote, own.Quote)
	case len(list) > 1:
	case ok:
		return []debate.Ref{own}
	default:
		return refsAt(words)
	}
	return list
}

// citation reads one from the members of an object.
func citation(o object) (debate.Ref, bool) {
	var ref debate.Ref
	ref.RunRef = strings.TrimSpace(o.text("run_ref"))
	ref.Path = strings.TrimSpace(o.text("path"))
	ref.Side = enum(o, "side", debate.Right, debate.Left)
	if places := placesIn(ref.Path); len(places) == 1 { // "a.go:3-5"
		ref.Path, ref.StartLine, ref.EndLine = places[0].cite.Path, places[0].cite.StartLine, places[0].cite.EndLine
	}
	if lines := someLines().FindStringSubmatch(string(o.raw("start_line"))); lines != nil {
		o.take("start_line")
		ref.StartLine, _ = integer(lines[1])
		ref.EndLine, _ = integer(lines[2])
	}
	if first, ok := o.number("start_line", 0, maxNumber); ok { // 0 is the title of the pull request
		ref.StartLine = first
	}
	last, _ := o.number("end_line", 0, maxNumber)
	ref.EndLine = cmp.Or(last, ref.EndLine, ref.StartLine)
	ref.Quote = o.text("quote")
	if ref.Side == "" && ref.Path != "" {
		ref.Side = debate.Right
	}
	return ref, ref.RunRef+ref.Path != ""
}

// someLines is a line or a range of lines in another form than a number: "L3-L5", [3, 5] or
// {"start": 3, "end": 5}.
var someLines = lazyregexp.New(`^["\[{][^0-9-]*([0-9]{1,9})(?:[^0-9]+([0-9]{1,9}))?[^0-9]*$`)

// newClaim reads a claim. An unknown severity counts as the highest, for others to weigh. An echo
// of a claim in the turn is none.
func newClaim(o object) (debate.NewClaim, bool) {
	if o.members["ownerisyou"] != nil {
		return debate.NewClaim{}, false
	}
	level, unknown := severity(o)
	if unknown {
		level = debate.P1
	}
	c := debate.NewClaim{
		Segment:    o.id("segment"),
		Kind:       enum(o, "kind", debate.Empirical, debate.Value, debate.Proposal),
		Severity:   level,
		Category:   enum(o, "category", debate.Categories()...),
		Title:      o.text("title"),
		Body:       o.text("body"),
		Refs:       refs(o, "ref"),
		Suggestion: o.text("suggestion"),
		SameAs:     o.id("same_as"),
	}
	c.Refs = orRefs(o, c.Refs, c.Title+"\n"+c.Body)
	if strings.TrimSpace(c.Title) == "" {
		c.Title, _, _ = strings.Cut(strings.TrimSpace(c.Body), "\n")
	}
	if c.Severity == "" { // its words name it: "[P1] it leaks"
		said, _ := plainClaim("", c.Title)
		c.Severity = said.Severity
	}
	return c, !saysNothing(c.Title) || c.Title != "" && len(c.Refs) > 0
}

func proposalReview(o object) (debate.ProposalReview, bool) {
	return debate.ProposalReview{
		ProblemFraming: o.text("problem_framing"), Assumptions: o.text("assumptions"), Tradeoffs: o.text("tradeoffs"),
		Alternatives: o.text("alternatives"), RiskControls: o.text("risk_controls"), DecisionQuality: o.text("decision_quality"),
	}, true
}

func overview(o object) (debate.Overview, bool) {
	topics := each(o, "order", func(o object) (debate.Topic, bool) {
		t := debate.Topic{Topic: o.text("topic"), Files: o.texts("files")}
		return t, len(t.Files) > 0
	})
	v := debate.Overview{Does: o.text("does"), Misses: o.text("misses"), Order: topics}
	return v, strings.TrimSpace(v.Does) != ""
}

func repair(o object) (debate.Repair, bool) {
	r := debate.Repair{Claim: o.id("claim"), Refs: refs(o, "ref")}
	return r, r.Claim != "" && len(r.Refs) > 0
}

func carrying(o object) (debate.Carrying, bool) {
	class, unknown := word(o, "class", debate.Stands, debate.Fixed)
	if unknown {
		class = debate.Stands
	}
	c := debate.Carrying{ID: o.id("id"), Class: class, Refs: refs(o, "ref")}
	return c, c.ID != ""
}

func question(o object) (debate.Question, bool) {
	options := each(o, "options", func(o object) (debate.Option, bool) {
		id := strings.TrimSpace(o.text("id"))
		return debate.Option{ID: id, Label: o.text("label"), Description: o.text("description"), StatusQuo: o.flag("status_quo")}, id != ""
	})
	words, critical := o.text("question"), each(o, "critical_because", assertion)
	q := debate.Question{Question: words, Options: options, ScopeCritical: o.flag("scope_critical"), Critical: critical}
	return q, strings.TrimSpace(words) != ""
}

// evaluating reads an evaluation. Agreement with a claim, without a word about its evidence,
// means that the evidence supports the claim. An unknown class is no agreement: with
// a flaw, it is a doubt.
func evaluating(o object) (debate.Evaluating, bool) {
	silent := slices.Contains([]string{"", "null"}, string(o.members["supports"]))
	class, unknown := word(o, "class", classes...)
	view, unclear := word(o, "supports", debate.Supports, debate.Contradicts, debate.Irrelevant)
	if unclear {
		view = debate.Irrelevant
	}
	level, _ := severity(o)
	e := debate.Evaluating{
		Claim: o.id("claim"), Class: class, Flaw: o.text("flaw"), Refs: refs(o, "ref"), View: view, Severity: level,
		UpgradeIf: o.text("upgrade_if"), SameAs: o.id("same_as"),
	}
	if unknown && e.Flaw != "" {
		e.Class = debate.ClassSkeptical
	}
	if e.SameAs != "" && saysNothing(e.SameAs) {
		e.SameAs = debate.NoClaim
	}
	if e.Class == debate.ClassAgree && silent {
		e.View = debate.Supports
	}
	return e, e.Claim != "" && (unknown || e.Class != "" || e.SameAs != "")
}

// assertion reads a trigger asserted by a party. It cannot be a procedural one: those come
// from the course of the debate.
func assertion(o object) (debate.Assertion, bool) {
	a := debate.Assertion{
		Trigger: enum(o, "trigger", debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity,
			debate.TriggerDestructiveSchema, debate.TriggerMoney, debate.TriggerGovernance, debate.TriggerIrreversible),
		Refs:   refs(o, "ref"),
		Reason: o.text("reason"),
	}
	return a, true
}

// finalOption reads a party's option for one decision. For D0 it must be keep, revise or
// reject.
func finalOption(o object) (debate.FinalOption, bool) {
	f := debate.FinalOption{Decision: o.id("decision"), Option: strings.TrimSpace(o.text("option")), Needs: o.text("needs")}
	if f.Decision == "D0" {
		f.Option = string(meant(f.Option, debate.Keep, debate.Revise, debate.Reject))
	}
	return f, f.Decision != "" && f.Option != ""
}

func objection(o object) (debate.Objection, bool) {
	fatal, unknown := word(o, "fatal", debate.FatalYes, debate.FatalNo, debate.FatalMitigable)
	if unknown {
		fatal = debate.FatalYes
	}
	b := debate.Objection{
		Claim: o.id("claim"), Segment: o.id("segment"), Text: o.text("text"), Refs: refs(o, "ref"), Fatal: fatal,
	}
	b.Refs = orRefs(o, b.Refs, b.Text)
	return b, strings.TrimSpace(b.Text) != ""
}

// answer reads a party's answer to a challenge. The side of the party decides later on the
// meaning of its move.
func answer(o object) (debate.Answer, bool) {
	amend := one(o, "amend", func(o object) (debate.Amend, bool) {
		level, _ := severity(o)
		return debate.Amend{Title: o.text("title"), Body: o.text("body"), Severity: level, Refs: refs(o, "ref")}, true
	})
	a := debate.Answer{
		Challenge: o.id("challenge"), Text: o.text("text"), Refs: refs(o, "ref"), Limit: o.text("limit"), Amend: amend,
		Move: enum(o, "move", moves...),
	}
	if said := strings.ToLower(a.Text); a.Move == "" && !strings.Contains(said, " but ") && !strings.Contains(said, "however") { // "I concede: ..."
		a.Move = meant(wordOf(a.Text), moves...)
	}
	if o.flag("concede") {
		a.Move = debate.Accept
	}
	return a, a.Challenge != ""
}

func change(o object) (debate.Change, bool) {
	c := debate.Change{Claim: o.id("claim"), From: o.text("from"), To: o.text("to"), Because: o.text("because")}
	return c, c.Claim != ""
}

func restated(o object) (debate.Restated, bool) {
	return debate.Restated{
		Disposition: enum(o, "disposition", debate.Keep, debate.Revise, debate.Reject, debate.Continue),
		Summary:     o.text("summary"),
		Confidence:  declared(o),
	}, true
}

func deadlock(o object) (debate.DeadlockView, bool) {
	d := debate.DeadlockView{
		Challenge: o.id("challenge"), Class: enum(o, "class", debate.MissingData, debate.Definitional, debate.Criteria),
		Measurement: o.text("measurement"), Threshold: o.text("threshold"), Effect: o.text("effect"),
	}
	return d, d.Challenge != ""
}

// rating reads a delta. A value that is none makes no rating at all, since it
// would count as one of 0.
func rating(o object) (debate.Rating, bool) {
	raw, ok := o.take("value")
	if !ok {
		return debate.Rating{}, false
	}
	bp, ok := basisPoints(string(raw))
	return debate.Rating{ValueBP: bp}, ok
}

func assessment(o object) (debate.Assessment, bool) {
	a := debate.Assessment{Option: strings.TrimSpace(o.text("option")), Assessment: o.text("assessment"), Score: -1}
	if score, ok := o.number("score", 0, 10); ok {
		a.Score = score
	}
	return a, a.Option != ""
}

func flagged(o object) (debate.Flagged, bool) {
	f := debate.Flagged{
		Claim: o.id("claim"), Flag: enum(o, "flag", debate.FlagUnsupported, debate.FlagUnjustified, debate.FlagNotBlocked, debate.FlagOK),
		Note: o.text("note"),
	}
	return f, f.Claim != ""
}

// sheet reads the scores of one decision, as a list or as a map of maps. It keeps scores out
// of range: the rubric refuses the sheet.
func sheet(o object) (debate.Sheet, bool) {
	s := debate.Sheet{Decision: o.id("id"), Rationale: o.text("rationale")}
	if bytes.HasPrefix(o.members["scores"], []byte("{")) {
		s.Scores = scoreMap(o)
	} else {
		s.Scores = each(o, "scores", func(o object) (debate.Score, bool) {
			n, ok := o.number("score", -maxNumber, maxNumber)
			c := debate.Score{Option: strings.TrimSpace(o.text("option")), Criterion: strings.TrimSpace(o.text("criterion")), Score: n}
			return c, ok && c.Option != "" && c.Criterion != ""
		})
	}
	return s, s.Decision != "" && len(s.Scores) > 0
}

// scoreMap reads scores in the form {option: {criterion: score}}, in the order of the names.
// The names are data: their case stays.
func scoreMap(o object) []debate.Score {
	options, _ := value[map[string]json.RawMessage](o, "scores")
	var scores []debate.Score
	for _, option := range sorted(options) {
		var criteria map[string]json.RawMessage
		if json.Unmarshal(options[option], &criteria) != nil {
			o.drop("scores")
			continue
		}
		for _, criterion := range sorted(criteria) {
			n, ok := integer(string(criteria[criterion]))
			if !ok {
				o.drop("scores")
				continue
			}
			scores = append(scores, debate.Score{Option: strings.TrimSpace(option), Criterion: strings.TrimSpace(criterion), Score: n})
		}
	}
	return scores
}

var (
	moves   = []debate.Move{debate.Accept, debate.Partial, debate.Rebuff, debate.Maintain, debate.Escalate}
	classes = []debate.Class{debate.ClassAgree, debate.ClassSkeptical, debate.ClassReject, debate.ClassIllFormed}
)
