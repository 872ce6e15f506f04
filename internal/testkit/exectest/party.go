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
//	script   replies what a file says, see Script
package exectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Play reads a request and writes what a party of this manner replies to it. It
// knows nothing of the program but what docs/developers/party.md says of a request.
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
	case "script":
		reply, err := scripted(plan, request.Turn, request.Packet+"\n"+request.Looked)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(reply)
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
		Round int    `json:"round"`
		Party string `json:"party"`
		Scope string `json:"scope"`
	} `json:"input_envelope"`
	Claims     []Claim `json:"claims"`
	Challenges []struct {
		ID            string `json:"id"`
		Claim         string `json:"claim"`
		Objection     string `json:"objection"`
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

// Claim is what a party reads of a claim.
type Claim struct {
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	OwnerIsYou bool       `json:"owner_is_you"`
	Evidence   []Evidence `json:"evidence"`
}

// Evidence is a citation of a claim.
type Evidence struct {
	Path      string `json:"path"`
	Side      string `json:"side"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Quote     string `json:"quote"`
}

// cite cites the same lines.
func (e Evidence) cite() []Object {
	return []Object{{"path": e.Path, "side": e.Side, "start_line": e.StartLine, "end_line": e.EndLine, "quote": e.Quote}}
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
	all := shown.FindAllStringSubmatch(packet, -1)
	if first := added.FindStringSubmatch(packet); first != nil {
		all = append(all, first)
	}
	if len(all) == 0 {
		return nil
	}
	found := all[len(all)-1]
	line, _ := strconv.Atoi(found[3])
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
			if line, _ := strconv.Atoi(found[1]); strings.Contains(found[2], "BUG") {
				cites = append(cites, []Object{{"path": packet[head[2]:head[3]], "start_line": line, "end_line": line, "quote": found[2]}})
			}
		}
	}
	if len(cites) == 0 {
		cites = append(cites, firstLine(packet))
	}
	return cites
}
