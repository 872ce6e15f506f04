package exectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Inspector is a reviewer with one suspicion. It raises it only where it is shown both
// the line that looks wrong and the one that proves it. A reviewer without looks weighs
// what others found by the lines that they cite.
type Inspector struct {
	Suspects string          `json:"suspects"` // part of a changed line
	Looks    json.RawMessage `json:"looks"`    // what it asks to see; none: it only weighs
	Proof    string          `json:"proof"`    // part of the line that proves it
	Browse   string          `json:"browse"`   // part of a line that it seeks in the files that it is given, to ask to see that line
	Again    bool            `json:"again"`    // it never stops looking
	Severity string          `json:"severity"`
	Category string          `json:"category"`
	Title    string          `json:"title"`
	Body     string          `json:"body"`
}

func inspector(plan string) (i Inspector, err error) {
	data, err := os.ReadFile(plan)
	if err != nil {
		return i, fmt.Errorf("read the plan: %w", err)
	}
	if err := json.Unmarshal(data, &i); err != nil || i.Browse == "" {
		return i, err
	}
	i.Looks, err = browsed("repo", i.Browse)
	return i, err
}

// browsed asks to see the first line with a text in the files below a directory, which may
// not be there.
func browsed(dir, part string) (looks json.RawMessage, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || looks != nil {
			return err
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if looks == nil && strings.Contains(line, part) {
				name := filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))
				looks = fmt.Appendf(nil, `[{"read": {"path": %q, "start_line": %d, "end_line": %d}}]`, name, i+1, i+1)
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return looks, err
}

// Reply is what the reviewer says to a turn.
func (i Inspector) Reply(t Turn, packet, looked string) Object {
	mayLook := strings.Contains(t.Request, "`look`") && t.Envelope.Call == "OPEN" && len(i.Looks) > 0
	place, proof := Line(packet, i.Suspects), Line(packet+looked, i.Proof)
	if i.Again || mayLook && place != nil && proof == nil && looked == "" {
		return Object{"summary": "I have to see more.", "look": i.Looks}
	}
	r := Object{"summary": "read", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none"}
	evaluations := i.evaluations(t)
	if len(evaluations) > 0 || slices.ContainsFunc(t.Claims, func(c Claim) bool { return c.OwnerIsYou }) {
		r["recommendation"] = "revise"
	}
	if place != nil && proof != nil && len(i.Looks) > 0 {
		r["recommendation"], r["disposition"] = "revise", "revise"
		if t.Envelope.Call == "OPEN" {
			r["claims"] = []Object{{
				"kind": "empirical", "severity": i.Severity, "category": i.Category, "title": i.Title, "body": i.Body, "ref": []Object{place, proof},
			}}
		}
	}
	r["evaluations"] = evaluations
	return r
}

// evaluations agree with the claims of others that cite the line which proves it.
func (i Inspector) evaluations(t Turn) []Object {
	var list []Object
	for _, c := range t.Claims {
		for _, e := range c.Evidence {
			if !c.OwnerIsYou && strings.Contains(e.Quote, i.Proof) {
				list = append(list, Object{"claim": c.ID, "class": "AGREE", "supports": "supports", "ref": e.cite()})
			}
		}
	}
	return list
}

// Line finds a line that is shown, changed or not, and cites it.
func Line(shown, part string) Object {
	path := ""
	for _, line := range strings.Split(shown, "\n") {
		switch f := strings.Fields(line); {
		case strings.HasPrefix(line, "segment ") && len(f) > 3:
			path = f[3]
		case strings.HasPrefix(line, "context ") && len(f) > 1:
			path = f[1]
		}
		label, text, numbered := strings.Cut(strings.TrimLeft(line, "+- "), " ")
		n, err := strconv.Atoi(label)
		if !numbered || err != nil || path == "@pr" || part == "" || !strings.Contains(text, part) {
			continue
		}
		side := "RIGHT"
		if strings.HasPrefix(line, "-") {
			side = "LEFT"
		}
		return Object{"path": path, "side": side, "start_line": n, "end_line": n, "quote": text}
	}
	return nil
}
