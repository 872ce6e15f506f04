package main

import (
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

// opinion is what a model of the examples thinks of a change.
type opinion struct {
	Summary        string            `json:"summary"`
	Recommendation string            `json:"recommendation"`
	Because        string            `json:"because"`
	Claims         []defect          `json:"claims"`
	Overview       exectest.Object   `json:"overview"` // what the change does
	Weighs         map[string]stand  `json:"weighs"`   // by the title of a claim
	Answers        map[string]stand  `json:"answers"`  // to objections against a claim
	Scores         map[string]int    `json:"scores"`   // of each option, by every criterion
	Mended         map[string]string `json:"mended"`   // findings of an earlier commit by their title, and part of the line that mends each
}

// defect is a finding of a model.
type defect struct {
	Severity, Category, Title, Body, Suggestion string
	At                                          string // part of the line
}

// stand is what a model says to a claim, and the line that it cites.
type stand struct{ Class, Move, Flaw, Text, At string }

// panel answers for the models of the examples. Each has an opinion by the name of its
// party; after a push all think the same.
type panel struct {
	mu       sync.Mutex
	opinions map[string]opinion
	again    *opinion
}

func (p *panel) mind(_ string, t exectest.Turn, packet, _ string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.opinions[t.Envelope.Party]
	if p.again != nil {
		o = *p.again
	}
	verdict, strength := "agree", "none"
	if p.again == nil && o.Recommendation != p.opinions["claude"].Recommendation {
		verdict, strength = "disagree", "strong"
	}
	r := o.reply(t, packet)
	r["verdict"], r["objection_strength"] = verdict, strength // of what claude says, who opens
	return inJSON(r)
}

// reply is what a model of this opinion says to a turn.
func (o opinion) reply(t exectest.Turn, packet string) exectest.Object {
	r := exectest.Reply(t, packet, "bugs")
	r["summary"], r["recommendation"], r["confidence"] = o.Summary, o.Recommendation, "HIGH"
	r["why_disagree"], r["right_if"], r["core_assumption"] = o.Because, "", ""
	sides := sidesOf(t, o.Recommendation)
	r["evaluations"] = o.evaluations(t, packet)
	r["carried"] = o.carried(t, packet)
	switch t.Envelope.Call {
	case "OPEN", "LOCAL":
		r["disposition"], r["reasoning"], r["claims"], r["final_options"] = o.Recommendation, []string{o.Because}, o.claims(t, packet), sides
		r["overview"] = o.Overview
	case "CHALLENGE":
		r["new_claims"], r["final_options"] = o.claims(t, packet), sides
	case "RESPOND", "REBUT":
		r["answers"] = o.answers(t, packet)
		r["position"] = exectest.Object{"disposition": o.Recommendation, "summary": o.Summary, "confidence": "HIGH"}
		r["final_option"], r["final_options"] = o.Recommendation, sides
	case "JUDGE1", "JUDGE2":
		r["option"], r["reason"] = o.Recommendation, o.Because
	case "SCORE":
		r["decisions"] = o.sheets(t)
	}
	return r
}

// sidesOf takes the same side in every decision that has it.
func sidesOf(t exectest.Turn, side string) (chosen []exectest.Object) {
	chosen = []exectest.Object{{"decision": "D0", "option": side}}
	for _, d := range t.Decisions {
		for _, o := range d.Options {
			if d.ID != "D0" && o.ID == side {
				chosen = append(chosen, exectest.Object{"decision": d.ID, "option": side})
			}
		}
	}
	return chosen
}

// claims are the defects that are not on the table yet and whose line is shown.
func (o opinion) claims(t exectest.Turn, packet string) (list []exectest.Object) {
	known := map[string]bool{}
	for _, c := range t.Claims {
		known[c.Title] = true
	}
	for _, d := range o.Claims {
		if ref := cite(packet, d.At); ref != nil && !known[d.Title] {
			claim := exectest.Object{"kind": "empirical", "severity": d.Severity, "category": d.Category, "title": d.Title, "body": d.Body, "ref": ref}
			if d.Suggestion != "" {
				claim["suggestion"] = d.Suggestion
			}
			list = append(list, claim)
		}
	}
	return list
}

// carried says which findings of an earlier commit are mended, and which stand.
func (o opinion) carried(t exectest.Turn, packet string) (list []exectest.Object) {
	for _, f := range t.Carried {
		class, ref := "STANDS", cite(packet, strings.TrimSpace(f.Quote))
		if line := cite(packet, o.Mended[f.Title]); line != nil {
			class, ref = "FIXED", line
		}
		list = append(list, exectest.Object{"id": f.ID, "class": class, "ref": ref})
	}
	return list
}

// cite quotes the first line that is shown and holds a text.
func cite(packet, part string) []exectest.Object {
	if found := exectest.Line(packet, part); found != nil {
		return []exectest.Object{found}
	}
	return nil
}

// evaluations weigh what others found: by the title, else by the line it cites.
func (o opinion) evaluations(t exectest.Turn, packet string) (list []exectest.Object) {
	for _, c := range t.Claims {
		if c.OwnerIsYou {
			continue
		}
		e := exectest.Object{"claim": c.ID, "class": "AGREE", "flaw": "the cited line shows it", "supports": "supports"}
		if len(c.Evidence) > 0 {
			e["ref"] = cite(packet, strings.TrimSpace(c.Evidence[0].Quote))
		}
		if s, ok := o.Weighs[c.Title]; ok {
			e["class"], e["flaw"], e["ref"] = s.Class, s.Flaw, cite(packet, s.At)
			if s.Class == "REJECT" {
				e["supports"] = "contradicts"
			}
		}
		list = append(list, e)
	}
	return list
}

// answers say a word to each open objection, and defend what is one's own.
func (o opinion) answers(t exectest.Turn, packet string) (answers []exectest.Object) {
	title, quote := map[string]string{}, map[string]string{}
	for _, c := range t.Claims {
		title[c.ID] = c.Title
		if len(c.Evidence) > 0 {
			quote[c.ID] = strings.TrimSpace(c.Evidence[0].Quote)
		}
	}
	for _, k := range t.Challenges {
		s, ok := o.Answers[title[k.Claim]]
		if !ok {
			s = stand{Text: "the cited line shows it", At: quote[k.Claim]}
			if w, weighed := o.Weighs[title[k.Claim]]; weighed {
				s = stand{Text: w.Flaw, At: w.At}
			}
		}
		say := exectest.Object{"challenge": k.ID, "text": s.Text, "ref": cite(packet, s.At)}
		say["move"] = "MAINTAIN"
		if k.DefenderIsYou {
			say["move"] = "REJECT"
		}
		answers = append(answers, say)
	}
	return answers
}

// sheets score each option alike by every criterion.
func (o opinion) sheets(t exectest.Turn) (sheets []exectest.Object) {
	for _, d := range t.Decisions {
		var scores []exectest.Object
		for _, option := range d.Options {
			for _, c := range d.Criteria {
				scores = append(scores, exectest.Object{"option": option.ID, "criterion": c.ID, "score": o.Scores[option.ID]})
			}
		}
		sheets = append(sheets, exectest.Object{"id": d.ID, "scores": scores, "rationale": o.Because})
	}
	return sheets
}
