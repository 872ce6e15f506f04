// Package exectest plays parties of a debate, for tests that start them as programs
// by the provider exec. Their manners are
//
//	agree    finds one defect, and agrees with what others find
//	bugs     finds a defect in each added line with "BUG", suggests what stands
//	         there after "->", and agrees likewise; a change without such a line is
//	         to be kept as it is
//	tells    like bugs, and says what a change does as a file has it, where it is asked
//	object   finds none, and contradicts what others find
//	danger   agrees, and says that a person should decide
//	garbage  gives replies that nobody can read
//	fail     ends with status 1
//	inspect  has one suspicion, which a file describes, and looks where it would be
//	         proved; without the proof it says nothing
package exectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Play reads a request and writes what a party of this manner replies to it. It
// knows nothing of the program but what docs/parties.md says of a request.
func Play(manner, plan string, in io.Reader, out io.Writer) error {
	var request struct {
		SchemaVersion int    `json:"schema_version"`
		System        string `json:"system"`
		Packet        string `json:"packet"`
		Turn          Turn   `json:"turn"`
		Looked        string `json:"looked"`
	}
	if err := json.NewDecoder(in).Decode(&request); err != nil || request.SchemaVersion != 1 || request.System == "" {
		return fmt.Errorf("no request: %w", err)
	}
	switch manner {
	case "garbage":
		_, err := fmt.Fprintln(out, "I would rather not say.")
		return err
	case "fail":
		return errors.New("no credit left")
	case "inspect":
		i, err := inspector(plan)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(i.Reply(request.Turn, request.Packet, request.Looked))
	case "tells": // as bugs, and what the change does as the file has it, where that is asked for
		overview, err := os.ReadFile(plan)
		if err != nil {
			return err
		}
		reply := Reply(request.Turn, request.Packet, "bugs")
		if strings.Contains(request.Turn.Request, "`overview`") {
			reply["overview"] = json.RawMessage(overview)
		}
		return json.NewEncoder(out).Encode(reply)
	}
	return json.NewEncoder(out).Encode(Reply(request.Turn, request.Packet, manner))
}

// Turn is what a party reads of what it is asked.
type Turn struct {
	Request  string `json:"request"`
	Envelope struct {
		Call  string `json:"call"`
		Party string `json:"party"`
		Scope string `json:"scope"`
	} `json:"input_envelope"`
	Claims []struct {
		ID         string `json:"id"`
		Title      string `json:"title"`
		OwnerIsYou bool   `json:"owner_is_you"`
		Evidence   []struct {
			Path      string `json:"path"`
			Side      string `json:"side"`
			StartLine int    `json:"start_line"`
			EndLine   int    `json:"end_line"`
			Quote     string `json:"quote"`
		} `json:"evidence"`
	} `json:"claims"`
	Challenges []struct {
		ID            string `json:"id"`
		Claim         string `json:"claim"`
		DefenderIsYou bool   `json:"defender_is_you"`
	} `json:"challenges"`
	Carried []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Path  string `json:"path"`
		Line  int    `json:"start_line"`
		Quote string `json:"quote"`
		Was   string `json:"was"`
	} `json:"carried"`
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

// Object is an object of a reply.
type Object = map[string]any

// added finds the lines that a packet shows as added, under the heading of
// their segment.
var added = regexp.MustCompile(`(?m)^segment (S\d+) code (.+) \d+-\d+\n(?:[^+\n].*\n)*\+(\d+) (.*)$`)

// shown finds the first line of a text or a file that a packet shows as it is.
var shown = regexp.MustCompile(`(?m)^segment (S\d+) (?:proposal|context) (.+) \d+-\d+\n (\d+) (.*)$`)

// firstLine cites the first added line of a packet, or else the first line of
// the last file that it shows.
func firstLine(packet string) []Object {
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
	return []Object{{"path": found[2], "start_line": line, "end_line": line, "quote": found[4]}}
}

// segments parts a packet at the headings of its code.
var segments = regexp.MustCompile(`(?m)^segment S\d+ code (.+) \d+-\d+$`)

// plus is a line that a packet shows as added.
var plus = regexp.MustCompile(`(?m)^\+(\d+) (.*)$`)

// bugs cites each added line that owns to a bug, and the first added line where
// none does.
func bugs(packet string) (cites [][]Object) {
	heads := segments.FindAllStringSubmatchIndex(packet, -1)
	for i, head := range heads {
		end := len(packet)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		for _, found := range plus.FindAllStringSubmatch(packet[head[1]:end], -1) {
			line, err := strconv.Atoi(found[1])
			if err == nil && strings.Contains(found[2], "BUG") {
				cites = append(cites, []Object{{"path": packet[head[2]:head[3]], "start_line": line, "end_line": line, "quote": found[2]}})
			}
		}
	}
	if len(cites) == 0 {
		cites = append(cites, firstLine(packet))
	}
	return cites
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
	var chosen []Object
	for _, d := range t.Decisions {
		var ids []string
		for _, o := range d.Options {
			ids = append(ids, o.ID)
		}
		slices.Sort(ids)
		if d.ID != "D0" && agrees {
			chosen = append(chosen, Object{"decision": d.ID, "option": ids[0]})
		} else if d.ID != "D0" {
			chosen = append(chosen, Object{"decision": d.ID, "option": ids[1]})
		}
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
		if len(cite) == 0 || !strings.Contains(cite[0]["quote"].(string), "BUG") {
			continue
		}
		_, says, _ := strings.Cut(cite[0]["quote"].(string), "BUG")
		says, instead, suggests := strings.Cut(says, " -> ")
		claim := Object{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "This is a bug" + says,
			"body": "The cited line owns to a bug" + says + ".", "ref": cite,
		}
		if strings.Contains(cite[0]["quote"].(string), "GRAVE") {
			claim["severity"] = "P1"
		}
		if suggests {
			claim["suggestion"] = instead
		}
		list = append(list, claim)
	}
	return list
}

// Reply is what a party of this manner replies to a turn about a packet.
func Reply(t Turn, packet, manner string) Object {
	cites := [][]Object{firstLine(packet)}
	if manner == "bugs" {
		cites = bugs(packet)
	}
	cite := cites[0]
	agrees := manner != "object"
	r := Object{"summary": "what " + t.Envelope.Party + " thinks", "recommendation": "revise", "confidence": "MED"}
	class, supports, verdict, strength := "AGREE", "supports", "agree", "none"
	if !agrees {
		r["recommendation"] = "keep"
		class, supports, verdict, strength = "REJECT", "contradicts", "disagree", "strong"
	}
	if manner == "bugs" && len(claims(cites, manner)) == 0 {
		r["recommendation"] = "keep"
	}
	var evaluations []Object
	for _, c := range t.Claims {
		if c.OwnerIsYou {
			continue
		}
		ref := cite
		if manner == "bugs" && len(c.Evidence) > 0 { // whoever agrees about one bug does not quote another
			e := c.Evidence[0]
			ref = []Object{{"path": e.Path, "side": e.Side, "start_line": e.StartLine, "end_line": e.EndLine, "quote": e.Quote}}
		}
		evaluations = append(evaluations, Object{"claim": c.ID, "class": class, "flaw": "as the cited line shows", "supports": supports, "ref": ref})
	}
	if manner == "danger" {
		r["critical_because"] = []Object{{"trigger": "security", "ref": cite, "reason": "it opens a door"}}
	}
	sides := choices(t, agrees)
	switch t.Envelope.Call {
	case "OPEN", "LOCAL":
		r["final_options"] = sides
		r["disposition"], r["reasoning"] = r["recommendation"], []string{"one thing stands out"}
		r["claims"], r["carried"] = claims(cites, manner), mended(t)
	case "CHALLENGE":
		r["verdict"], r["objection_strength"], r["evaluations"] = verdict, strength, evaluations
		r["checked"] = []Object{{"segment": "S1", "scenario": "an empty input", "ref": cite}}
		r["carried"] = mended(t)
		r["final_options"] = append(sides, Object{"decision": "D0", "option": r["recommendation"]})
	case "PRESS":
		r["verdict"], r["strongest_objection"] = verdict, nil
		r["checked"] = []Object{{"segment": "S1", "scenario": "an empty input", "ref": cite}}
	case "RESPOND", "REBUT":
		move := map[string]string{"RESPOND": "REJECT", "REBUT": "MAINTAIN"}[t.Envelope.Call]
		var answers, defences []Object
		for _, c := range t.Challenges {
			if c.DefenderIsYou && t.Envelope.Call == "REBUT" {
				defences = append(defences, Object{"challenge": c.ID, "text": "the line says so", "ref": cite})
			} else if c.DefenderIsYou == (t.Envelope.Call == "RESPOND") {
				answers = append(answers, Object{"challenge": c.ID, "move": move, "text": "the line says so", "ref": cite})
			}
		}
		r["answers"], r["defences"], r["evaluations"] = answers, defences, evaluations
		r["position"] = Object{"disposition": r["recommendation"], "summary": "as before", "confidence": "MED"}
		r["delta"] = Object{"value": 0.1, "because": []string{"position"}}
		r["final_option"] = r["recommendation"]
		r["final_options"] = append(sides, Object{"decision": "D0", "option": r["recommendation"]})
		r["why_disagree"], r["right_if"], r["core_assumption"] = "we read the line differently", "the input is never empty", "callers check"
	case "ASSUME":
		r["why_disagree"], r["right_if"], r["core_assumption"], r["testable_by"] = "another reading", "never empty", "callers check", "a test"
	case "ARBITER":
		var items []Object
		for _, c := range t.Claims {
			items = append(items, Object{"claim": c.ID, "flag": "ok", "note": "cited"})
		}
		r["items"] = items
	case "JUDGE1", "JUDGE2":
		r["option"], r["reason"] = "revise", "the line is there"
		if len(sides) > 0 {
			r["option"] = sides[0]["option"]
		}
	case "SCORE":
		var sheets []Object
		for _, d := range t.Decisions {
			var scores []Object
			for _, o := range d.Options { // in an order that nobody can foresee
				score := 4
				if o.ID == r["recommendation"] {
					score = 8
				}
				for _, c := range d.Criteria {
					scores = append(scores, Object{"option": o.ID, "criterion": c.ID, "score": score})
				}
			}
			sheets = append(sheets, Object{"id": d.ID, "scores": scores, "rationale": "weighed"})
		}
		r["decisions"] = sheets
	}
	return r
}
