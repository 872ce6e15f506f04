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
	Repair   json.RawMessage `json:"repair"`   // what it asks after a test of its looks did not build
	Stubborn bool            `json:"stubborn"` // it claims what it suspects even if no look proves it
	Objects  bool            `json:"objects"`  // it raises nothing, and objects to what others find with what its looks prove
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

// run is a test that proves something, as a look shows it.
var run = regexp.MustCompile(`cite \{"run_ref": "(test:[0-9a-f]+)"\}`)

// Reply is what the reviewer says to a turn.
func (i Inspector) Reply(t Turn, packet, looked string) Object {
	mayLook := strings.Contains(t.Request, "`look`") && t.Envelope.Call == "OPEN"
	place, proof := Line(packet, i.Suspects), Line(packet+looked, i.Proof)
	suspects := place != nil && len(i.Looks) > 0
	more := Object{"summary": "I have to see more.", "look": i.Looks}
	if i.Again {
		return more
	}
	if suspects && mayLook && proof == nil && looked == "" && !i.Objects {
		return more
	}
	if mayLook && i.Repair != nil && strings.Count(looked, "look: test") == 1 && strings.Contains(looked, "does not build") {
		return Object{"summary": "I write the test again.", "look": i.Repair}
	}
	refs := []Object{place}
	if proof != nil {
		refs = append(refs, proof)
	}
	for _, found := range run.FindAllStringSubmatch(looked, -1) {
		refs = append(refs, Object{"run_ref": found[1]})
	}
	if i.Objects {
		return i.object(t, refs[1:], more, strings.Contains(t.Request, "`look`") && t.Envelope.Call == "CHALLENGE" && looked == "")
	}
	r := Object{"summary": "read", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none"}
	evaluations := i.evaluations(t)
	if len(evaluations) > 0 || slices.ContainsFunc(t.Claims, func(c Claim) bool { return c.OwnerIsYou }) {
		r["recommendation"] = "revise"
	}
	if suspects && (len(refs) > 1 || i.Stubborn) {
		r["recommendation"], r["disposition"] = "revise", "revise"
		if t.Envelope.Call == "OPEN" {
			r["claims"] = []Object{{
				"kind": "empirical", "severity": i.Severity, "category": i.Category, "title": i.Title, "body": i.Body, "ref": refs,
			}}
		}
	}
	r["evaluations"] = evaluations
	return r
}

// object objects to the claims of others, after it looked.
func (i Inspector) object(t Turn, proof []Object, more Object, mayLook bool) Object {
	var evaluations []Object
	for _, c := range t.Claims {
		if !c.OwnerIsYou {
			evaluations = append(evaluations, Object{"claim": c.ID, "class": "REJECT", "flaw": i.Body, "supports": "contradicts", "ref": proof})
		}
	}
	if len(evaluations) > 0 && mayLook {
		return more
	}
	var answers []Object
	for _, c := range t.Challenges {
		if !c.DefenderIsYou {
			answers = append(answers, Object{"challenge": c.ID, "move": "MAINTAIN", "text": i.Body})
		}
	}
	return Object{
		"summary": "read", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "disagree", "objection_strength": "strong",
		"evaluations": evaluations, "answers": answers,
	}
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
