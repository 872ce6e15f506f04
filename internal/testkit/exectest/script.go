package exectest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Script is a debate: the replies of each party by its name and its call, such as "REBUT", or "REBUT/3"
// for the one of an exchange. The party "anyone" has the replies of all who have none. In a reply
//
//	told       is a part of the request: a party that is told something else ends with status 1
//	ref        is a part of a shown line, or a list of such parts: the party cites these lines
//	claim      is a part of the title of a claim, in place of its id; or POSITION
//	challenge  is a part of an objection, in place of its id
//	prefers    are options: in SCORE they get 8 points, and the others 4
type Script map[string]map[string]Object

// scripted is the reply of a script to a turn.
func scripted(plan string, t Turn, shown string) (Object, error) {
	data, err := os.ReadFile(plan)
	if err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	var script Script
	if err := json.Unmarshal(data, &script); err != nil {
		return nil, fmt.Errorf("the script is no JSON: %w", err)
	}
	call := t.Envelope.Call
	var reply Object
	for _, party := range []string{t.Envelope.Party, "anyone"} {
		for _, name := range []string{fmt.Sprintf("%s/%d", call, t.Envelope.Round), call} {
			if reply == nil {
				reply = script[party][name]
			}
		}
	}
	if reply == nil {
		return nil, fmt.Errorf("the script has no %s/%d of %s", call, t.Envelope.Round, t.Envelope.Party)
	}
	if told, ok := reply["told"].(string); ok && !strings.Contains(t.Request, told) {
		return nil, fmt.Errorf("the request does not say %q: %s", told, t.Request)
	}
	delete(reply, "told")
	if prefers, ok := reply["prefers"].([]any); ok {
		delete(reply, "prefers")
		reply["decisions"] = t.sheets(prefers)
	}
	return reply, resolve(reply, t, shown)
}

// resolve puts citations and ids in the places of their parts.
func resolve(o Object, t Turn, shown string) error {
	for name, value := range o {
		switch v := value.(type) {
		case Object:
			if err := resolve(v, t, shown); err != nil {
				return err
			}
		case []any:
			if name == "ref" {
				var lines []Object
				for _, part := range v {
					lines = append(lines, Line(shown, fmt.Sprint(part)))
				}
				o[name] = lines
				continue
			}
			for _, item := range v {
				if entry, ok := item.(Object); ok {
					if err := resolve(entry, t, shown); err != nil {
						return err
					}
				}
			}
		case string:
			switch name {
			case "ref":
				o[name] = []Object{Line(shown, v)}
			case "claim", "challenge":
				id := t.find(name, v)
				if id == "" {
					return fmt.Errorf("no %s has %q", name, v)
				}
				o[name] = id
			}
		}
	}
	return nil
}

// find is the id of the claim with a part of its title, or of the challenge with a part of its objection.
func (t Turn) find(kind, part string) string {
	switch {
	case part == "POSITION":
		return part
	case kind == "claim":
		for _, c := range t.Claims {
			if strings.Contains(c.Title, part) {
				return c.ID
			}
		}
		return ""
	}
	for _, k := range t.Challenges {
		if strings.Contains(k.Objection, part) {
			return k.ID
		}
	}
	return ""
}

// sheets score the options of each open decision.
func (t Turn) sheets(prefers []any) (list []Object) {
	for _, d := range t.Decisions {
		var scores []Object
		for _, o := range d.Options {
			score := 4
			if slices.Contains(prefers, any(o.ID)) {
				score = 8
			}
			for _, c := range d.Criteria {
				scores = append(scores, Object{"option": o.ID, "criterion": c.ID, "score": score})
			}
		}
		list = append(list, Object{"id": d.ID, "scores": scores})
	}
	return list
}
