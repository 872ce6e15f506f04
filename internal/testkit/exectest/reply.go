package exectest

import (
	"slices"
	"strings"
)

// Reply is what a party of this manner replies to a turn about a packet.
func Reply(t Turn, packet, manner string) Object {
	o := opine(t, packet, manner)
	r := Object{"summary": "what " + t.Envelope.Party + " thinks", "recommendation": o.recommends, "confidence": "MED"}
	if manner == "danger" {
		r["critical_because"] = []Object{{"trigger": "security", "ref": o.cite, "reason": "it opens a door"}}
	}
	if fill := replies[t.Envelope.Call]; fill != nil {
		fill(o, r)
	}
	return r
}

// opinion is what a party thinks when it is asked.
type opinion struct {
	turn       Turn
	manner     string
	agrees     bool
	cite       []Object
	claims     []Object
	recommends string
	sides      []Object // in every decision but D0
}

func opine(t Turn, packet, manner string) opinion {
	cites := [][]Object{firstLine(packet)}
	if manner == "bugs" {
		cites = bugs(packet)
	}
	o := opinion{turn: t, manner: manner, agrees: manner != "object", cite: cites[0], claims: claims(cites, manner), recommends: "revise"}
	if !o.agrees || len(o.claims) == 0 {
		o.recommends = "keep"
	}
	o.sides = choices(t, o.agrees)
	return o
}

// verdict says whether it agrees with others, and how strongly it objects.
func (o opinion) verdict() (verdict, strength string) {
	if o.agrees {
		return "agree", "none"
	}
	return "disagree", "strong"
}

// options is its side in every decision.
func (o opinion) options() []Object {
	return append(o.sides, Object{"decision": "D0", "option": o.recommends})
}

// evaluations say of the claims of others whether they are right.
func (o opinion) evaluations() []Object {
	class, supports := "AGREE", "supports"
	if !o.agrees {
		class, supports = "REJECT", "contradicts"
	}
	var list []Object
	for _, c := range o.turn.Claims {
		if c.OwnerIsYou {
			continue
		}
		ref := o.cite
		if o.manner == "bugs" && len(c.Evidence) > 0 { // whoever agrees about one bug does not quote another
			ref = c.Evidence[0].cite()
		}
		list = append(list, Object{"claim": c.ID, "class": class, "flaw": "as the cited line shows", "supports": supports, "ref": ref})
	}
	return list
}

// checked is what it tried.
func (o opinion) checked() []Object {
	return []Object{{"segment": "S1", "scenario": "an empty input", "ref": o.cite}}
}

// replies fill in what each call asks for.
var replies = map[string]func(o opinion, r Object){
	"OPEN": open, "LOCAL": open, "CHALLENGE": challenge, "RESPOND": exchange, "REBUT": exchange,
	"ARBITER": arbitrate, "JUDGE1": judge, "JUDGE2": judge, "SCORE": score,
}

func open(o opinion, r Object) {
	r["final_options"] = o.sides
	r["disposition"], r["reasoning"] = o.recommends, []string{"one thing stands out"}
	r["claims"], r["carried"] = o.claims, mended(o.turn)
}

func challenge(o opinion, r Object) {
	r["verdict"], r["objection_strength"] = o.verdict()
	r["evaluations"], r["checked"], r["carried"] = o.evaluations(), o.checked(), mended(o.turn)
	r["final_options"] = o.options()
}

// exchange defends what it is to defend, and maintains its own challenges.
func exchange(o opinion, r Object) {
	var answers []Object
	for _, c := range o.turn.Challenges {
		move := "MAINTAIN"
		if c.DefenderIsYou {
			move = "REJECT"
		}
		answers = append(answers, Object{"challenge": c.ID, "move": move, "text": "the line says so", "ref": o.cite})
	}
	r["answers"] = answers
	r["evaluations"] = o.evaluations()
	r["position"] = Object{"disposition": o.recommends, "summary": "as before", "confidence": "MED"}
	r["delta"] = Object{"value": 0.1, "because": []string{"position"}}
	r["final_option"], r["final_options"] = o.recommends, o.options()
	r["why_disagree"], r["right_if"], r["core_assumption"] = "we read the line differently", "the input is never empty", "callers check"
}

func arbitrate(o opinion, r Object) {
	var items []Object
	for _, c := range o.turn.Claims {
		items = append(items, Object{"claim": c.ID, "flag": "ok", "note": "cited"})
	}
	r["items"] = items
}

func judge(o opinion, r Object) {
	r["option"], r["reason"] = "revise", "the line is there"
	if len(o.sides) > 0 {
		r["option"] = o.sides[0]["option"]
	}
}

func score(o opinion, r Object) {
	var sheets []Object
	for _, d := range o.turn.Decisions {
		var scores []Object
		for _, option := range d.Options { // in an order that nobody can foresee
			score := 4
			if option.ID == o.recommends {
				score = 8
			}
			for _, c := range d.Criteria {
				scores = append(scores, Object{"option": option.ID, "criterion": c.ID, "score": score})
			}
		}
		sheets = append(sheets, Object{"id": d.ID, "scores": scores, "rationale": "weighed"})
	}
	r["decisions"] = sheets
}

// mended says of the findings of earlier heads where other lines stand now, and own to
// no bug, that they are fixed.
func mended(t Turn) []Object {
	var list []Object
	for _, f := range t.Carried {
		if f.Was != "" && !strings.Contains(f.Quote, "BUG") {
			list = append(list, Object{
				"id": f.ID, "class": "FIXED",
				"ref": []Object{{"path": f.Path, "start_line": f.Line, "end_line": f.Line, "quote": f.Quote}},
			})
		}
	}
	return list
}

// choices takes a side in every decision but D0: who agrees takes the option with
// the first name, who objects the second.
func choices(t Turn, agrees bool) []Object {
	side := 1
	if agrees {
		side = 0
	}
	var chosen []Object
	for _, d := range t.Decisions {
		if d.ID == "D0" {
			continue
		}
		var ids []string
		for _, o := range d.Options {
			ids = append(ids, o.ID)
		}
		slices.Sort(ids)
		chosen = append(chosen, Object{"decision": d.ID, "option": ids[side]})
	}
	return chosen
}

// claims are the defects that a manner finds.
func claims(cites [][]Object, manner string) []Object {
	if manner != "bugs" {
		return []Object{{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "The divisor can be zero",
			"body": "Nothing before the cited line keeps the divisor from being zero.", "ref": cites[0],
		}}
	}
	var list []Object
	for _, cite := range cites {
		if len(cite) == 0 {
			continue
		}
		quote := cite[0]["quote"].(string)
		_, says, isBug := strings.Cut(quote, "BUG")
		if !isBug {
			continue
		}
		says, instead, suggests := strings.Cut(says, " -> ")
		claim := Object{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "This is a bug" + says,
			"body": "The cited line owns to a bug" + says + ".", "ref": cite,
		}
		if strings.Contains(quote, "GRAVE") {
			claim["severity"] = "P1"
		}
		if suggests {
			claim["suggestion"] = instead
		}
		list = append(list, claim)
	}
	return list
}
