package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// party is a command that debates, for the provider exec: party MANNER. It knows
// nothing of the program but what docs/parties.md says of a request.
//
//	agree    finds one defect, and agrees with what others find
//	bugs     finds a defect in each added line with "BUG", suggests what stands
//	         there after "->", and agrees likewise; a change without such a line is
//	         to be kept as it is
//	object   finds none, and contradicts what others find
//	danger   agrees, and says that a person should decide
//	garbage  gives replies that nobody can read
//	fail     ends with status 1
func party() {
	var request struct {
		SchemaVersion int    `json:"schema_version"`
		System        string `json:"system"`
		Packet        string `json:"packet"`
		Turn          turn   `json:"turn"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil || request.SchemaVersion != 1 || request.System == "" {
		fmt.Fprintln(os.Stderr, "no request:", err)
		os.Exit(2)
	}
	switch manner := os.Args[1]; manner {
	case "garbage":
		fmt.Println("I would rather not say.")
	case "fail":
		fmt.Fprintln(os.Stderr, "no credit left")
		os.Exit(1)
	default:
		cites := [][]object{firstLine(request.Packet)}
		if manner == "bugs" {
			cites = bugs(request.Packet)
		}
		if err := json.NewEncoder(os.Stdout).Encode(reply(request.Turn, cites, manner)); err != nil {
			os.Exit(2)
		}
	}
}

// turn is what a party reads of what it is asked.
type turn struct {
	Envelope struct {
		Call  string `json:"call"`
		Party string `json:"party"`
	} `json:"input_envelope"`
	Claims []struct {
		ID         string `json:"id"`
		Title      string `json:"title"`
		OwnerIsYou bool   `json:"owner_is_you"`
	} `json:"claims"`
	Challenges []struct {
		ID            string `json:"id"`
		Claim         string `json:"claim"`
		DefenderIsYou bool   `json:"defender_is_you"`
	} `json:"challenges"`
	Decisions []struct {
		ID      string `json:"id"`
		Options []struct {
			ID string `json:"id"`
		} `json:"options"`
		Criteria []struct {
			ID string `json:"id"`
		} `json:"criteria"`
	} `json:"decisions"`
}

type object = map[string]any

// added finds the lines that a packet shows as added, under the heading of
// their segment.
var added = regexp.MustCompile(`(?m)^segment (S\d+) code (.+) \d+-\d+\n(?:[^+\n].*\n)*\+(\d+) (.*)$`)

// shown finds the first line of a text or a file that a packet shows as it is.
var shown = regexp.MustCompile(`(?m)^segment (S\d+) (?:proposal|context) (.+) \d+-\d+\n (\d+) (.*)$`)

// firstLine cites the first added line of a packet, or else the first line of
// the last file that it shows.
func firstLine(packet string) []object {
	found := added.FindStringSubmatch(packet)
	if all := shown.FindAllStringSubmatch(packet, -1); found == nil && len(all) > 0 {
		found = all[len(all)-1]
	}
	if found == nil {
		return nil
	}
	line, err := strconv.Atoi(found[3])
	if err != nil {
		return nil
	}
	return []object{{"path": found[2], "start_line": line, "end_line": line, "quote": found[4]}}
}

// segments parts a packet at the headings of its code.
var segments = regexp.MustCompile(`(?m)^segment S\d+ code (.+) \d+-\d+$`)

// plus is a line that a packet shows as added.
var plus = regexp.MustCompile(`(?m)^\+(\d+) (.*)$`)

// bugs cites each added line that owns to a bug, and the first added line where
// none does.
func bugs(packet string) (cites [][]object) {
	heads := segments.FindAllStringSubmatchIndex(packet, -1)
	for i, head := range heads {
		end := len(packet)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		for _, found := range plus.FindAllStringSubmatch(packet[head[1]:end], -1) {
			line, err := strconv.Atoi(found[1])
			if err == nil && strings.Contains(found[2], "BUG") {
				cites = append(cites, []object{{"path": packet[head[2]:head[3]], "start_line": line, "end_line": line, "quote": found[2]}})
			}
		}
	}
	if len(cites) == 0 {
		cites = append(cites, firstLine(packet))
	}
	return cites
}

// choices takes a side in every decision but D0: who agrees takes the option with
// the first name, who objects the second.
func choices(t turn, agrees bool) []object {
	var chosen []object
	for _, d := range t.Decisions {
		var ids []string
		for _, o := range d.Options {
			ids = append(ids, o.ID)
		}
		slices.Sort(ids)
		if d.ID != "D0" && agrees {
			chosen = append(chosen, object{"decision": d.ID, "option": ids[0]})
		} else if d.ID != "D0" {
			chosen = append(chosen, object{"decision": d.ID, "option": ids[1]})
		}
	}
	return chosen
}

// claims are the defects that a manner finds.
func claims(cites [][]object, manner string) []object {
	if manner != "bugs" {
		return []object{{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "The divisor can be zero",
			"body": "Nothing before the cited line keeps the divisor from being zero.", "ref": cites[0],
		}}
	}
	var list []object
	for _, cite := range cites {
		if len(cite) == 0 || !strings.Contains(cite[0]["quote"].(string), "BUG") {
			continue
		}
		_, says, _ := strings.Cut(cite[0]["quote"].(string), "BUG")
		says, instead, suggests := strings.Cut(says, " -> ")
		claim := object{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "This is a bug" + says,
			"body": "The cited line owns to a bug" + says + ".", "ref": cite,
		}
		if suggests {
			claim["suggestion"] = instead
		}
		list = append(list, claim)
	}
	return list
}

func reply(t turn, cites [][]object, manner string) object {
	cite := cites[0]
	agrees := manner != "object"
	r := object{"summary": "what " + t.Envelope.Party + " thinks", "recommendation": "revise", "confidence": "MED"}
	class, supports, verdict, strength := "AGREE", "supports", "agree", "none"
	if !agrees {
		r["recommendation"] = "keep"
		class, supports, verdict, strength = "REJECT", "contradicts", "disagree", "strong"
	}
	if manner == "bugs" && len(claims(cites, manner)) == 0 {
		r["recommendation"] = "keep"
	}
	var evaluations []object
	for _, c := range t.Claims {
		if !c.OwnerIsYou {
			evaluations = append(evaluations, object{"claim": c.ID, "class": class, "flaw": "as the cited line shows", "supports": supports, "ref": cite})
		}
	}
	if manner == "danger" {
		r["critical_because"] = []object{{"trigger": "security", "ref": cite, "reason": "it opens a door"}}
	}
	sides := choices(t, agrees)
	switch t.Envelope.Call {
	case "OPEN", "LOCAL":
		r["final_options"] = sides
		r["disposition"], r["reasoning"] = r["recommendation"], []string{"one thing stands out"}
		r["claims"] = claims(cites, manner)
	case "CHALLENGE":
		r["verdict"], r["objection_strength"], r["evaluations"] = verdict, strength, evaluations
		r["checked"] = []object{{"segment": "S1", "scenario": "an empty input", "ref": cite}}
		r["final_options"] = append(sides, object{"decision": "D0", "option": r["recommendation"]})
	case "PRESS":
		r["verdict"], r["strongest_objection"] = verdict, nil
		r["checked"] = []object{{"segment": "S1", "scenario": "an empty input", "ref": cite}}
	case "RESPOND", "REBUT":
		move := map[string]string{"RESPOND": "REJECT", "REBUT": "MAINTAIN"}[t.Envelope.Call]
		var answers, defences []object
		for _, c := range t.Challenges {
			if c.DefenderIsYou && t.Envelope.Call == "REBUT" {
				defences = append(defences, object{"challenge": c.ID, "text": "the line says so", "ref": cite})
			} else if c.DefenderIsYou == (t.Envelope.Call == "RESPOND") {
				answers = append(answers, object{"challenge": c.ID, "move": move, "text": "the line says so", "ref": cite})
			}
		}
		r["answers"], r["defences"], r["evaluations"] = answers, defences, evaluations
		r["position"] = object{"disposition": r["recommendation"], "summary": "as before", "confidence": "MED"}
		r["delta"] = object{"value": 0.1, "because": []string{"position"}}
		r["final_option"] = r["recommendation"]
		r["final_options"] = append(sides, object{"decision": "D0", "option": r["recommendation"]})
		r["why_disagree"], r["right_if"], r["core_assumption"] = "we read the line differently", "the input is never empty", "callers check"
	case "ASSUME":
		r["why_disagree"], r["right_if"], r["core_assumption"], r["testable_by"] = "another reading", "never empty", "callers check", "a test"
	case "ARBITER":
		var items []object
		for _, c := range t.Claims {
			items = append(items, object{"claim": c.ID, "flag": "ok", "note": "cited"})
		}
		r["items"] = items
	case "JUDGE1", "JUDGE2":
		r["option"], r["reason"] = "revise", "the line is there"
		if len(sides) > 0 {
			r["option"] = sides[0]["option"]
		}
	case "SCORE":
		var sheets []object
		for _, d := range t.Decisions {
			var scores []object
			for _, o := range d.Options { // in an order that nobody can foresee
				score := 4
				if o.ID == r["recommendation"] {
					score = 8
				}
				for _, c := range d.Criteria {
					scores = append(scores, object{"option": o.ID, "criterion": c.ID, "score": score})
				}
			}
			sheets = append(sheets, object{"id": d.ID, "scores": scores, "rationale": "weighed"})
		}
		r["decisions"] = sheets
	}
	return r
}
