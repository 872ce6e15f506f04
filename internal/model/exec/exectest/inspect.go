package exectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, part) {
				name := filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))
				looks = fmt.Appendf(nil, `[{"read": {"path": %q, "start_line": %d, "end_line": %d}}]`, name, i+1, i+1)
				return fs.SkipAll
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
	mayLook := strings.Contains(t.Request, "`look`") && t.Envelope.Call == "OPEN"
	place, proof := Line(packet, i.Suspects), Line(packet+looked, i.Proof)
	suspects := place != nil && len(i.Looks) > 0
	more := Object{"summary": "I have to see more.", "look": i.Looks}
	if i.Again {
		return more
	}
	if suspects && mayLook && proof == nil && looked == "" {
		return more
	}
	r := Object{"summary": "read", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none"}
	evaluations := i.evaluations(t)
	if len(evaluations) > 0 || slices.ContainsFunc(t.Claims, func(c Claim) bool { return c.OwnerIsYou }) {
		r["recommendation"] = "revise"
	}
	if suspects && proof != nil {
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
		if c.OwnerIsYou {
			continue
		}
		for _, e := range c.Evidence {
			if strings.Contains(e.Quote, i.Proof) {
				list = append(list, Object{"claim": c.ID, "class": "AGREE", "supports": "supports", "ref": e.cite()})
			}
		}
	}
	return list
}

// heading names the file whose lines follow, and numbered is a line of it.
var (
	heading  = regexp.MustCompile(`^(?:segment\s+\S+\s+\S+|context)\s+(\S+)`)
	numbered = regexp.MustCompile(`^[-+ ]*(\d+) (.*)$`)
)

// Line finds a line that is shown, changed or not, and cites it.
func Line(shown, part string) Object {
	if part == "" {
		return nil
	}
	path := ""
	for _, line := range strings.Split(shown, "\n") {
		if head := heading.FindStringSubmatch(line); head != nil {
			path = head[1]
		}
		found := numbered.FindStringSubmatch(line)
		if found == nil || path == "@pr" || !strings.Contains(found[2], part) {
			continue
		}
		n, _ := strconv.Atoi(found[1])
		side := "RIGHT"
		if strings.HasPrefix(line, "-") {
			side = "LEFT"
		}
		return Object{"path": path, "side": side, "start_line": n, "end_line": n, "quote": found[2]}
	}
	return nil
}
