package debatetest

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/debate"
)

//go:embed testdata/*.txtar
var archives embed.FS

// Script is a debate written down.
type Script struct {
	Name  string
	About string
	World World

	replies map[string]string // by ask
	fails   map[string]debate.CallStatus
	late    map[string]bool
	silent  map[string]debate.CallStatus // by party

	ownChange bool // it shows a change.diff
}

// Names lists the scripts in order.
func Names() []string {
	entries, err := archives.ReadDir("testdata")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries { // no others are embedded
		names = append(names, strings.TrimSuffix(e.Name(), ".txtar"))
	}
	return names
}

// Load reads the script of a name.
func Load(name string) (*Script, error) {
	data, err := archives.ReadFile("testdata/" + name + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, err)
	}
	return parse(name, data)
}

func parse(name string, data []byte) (*Script, error) {
	s := &Script{
		Name: name, replies: make(map[string]string), fails: make(map[string]debate.CallStatus),
		late: make(map[string]bool), silent: make(map[string]debate.CallStatus),
	}
	archive := txtar.Parse(data)
	if err := s.files(archive.Files); err != nil {
		return nil, fmt.Errorf("script %s: %w", name, err)
	}
	known := directives()
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := known[word].obey(s, strings.TrimSpace(rest)); err != nil {
			return nil, fmt.Errorf("script %s, line %d: %s: %w", name, i+1, word, err)
		}
	}
	return s, nil
}

func (s *Script) files(files []txtar.File) error {
	diff, body, heads := cartDiff, "", make(map[string]string)
	for _, f := range files {
		text := string(f.Data)
		head, isHead := strings.CutPrefix(f.Name, "head/")
		switch {
		case f.Name == "change.diff":
			diff, s.ownChange = text, true
		case f.Name == "body.md":
			body = text
		case f.Name == "previous.json":
			if err := strict(text, &s.World.Received.Previous); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		case isHead:
			heads[head] = text
		case s.replies[f.Name] != "":
			return fmt.Errorf("two replies to %s", f.Name)
		default:
			s.replies[f.Name] = text
		}
	}
	s.World.Change = NewChange(diff, body, heads)
	return nil
}

func strict(text string, into any) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// Judges are the three judges, each a model that does not debate.
func Judges() []debate.Party {
	var list []debate.Party
	for _, stance := range []debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort} {
		list = append(list, debate.Party{ID: string(stance), Role: debate.Judge, Family: "other", Status: debate.PartyOK})
	}
	return list
}

// Arbiter is a cold reader that does not debate.
func Arbiter() debate.Party {
	return debate.Party{ID: debate.ArbiterParty, Role: debate.Arbiter, Family: "other", Status: debate.PartyOK}
}

// Run plays a script. Its state is whole only if the error is nil.
func Run(s *Script, order Order) (debate.State, []debate.Entry, error) {
	return RunWith(s, order, nil)
}

// RunWith plays a script together with parties that are functions.
func RunWith(s *Script, order Order, cast map[string]Party) (debate.State, []debate.Entry, error) {
	used := make(map[string]bool)
	state, log, err := s.World.play(order, func(st debate.State, ask debate.Ask) (debate.Replied, error) {
		if party, ok := cast[ask.Party]; ok {
			return party(st, ask), nil
		}
		used[ask.ID] = true
		text, written := s.replies[ask.ID]
		if status, fails := s.fails[ask.ID]; fails {
			return Fail(status), nil
		}
		if status, silent := s.silent[ask.Party]; silent && !written {
			return Fail(status), nil
		}
		if !written {
			return debate.Replied{}, fmt.Errorf("there is no reply to %s", ask.ID)
		}
		r := Write(ask.Kind, text)
		r.Late = s.late[ask.ID]
		return r, nil
	})
	if err != nil {
		return state, log, fmt.Errorf("script %s: %w", s.Name, err)
	}
	if left := s.left(used); len(left) > 0 {
		return state, log, fmt.Errorf("script %s: nobody asked for %s", s.Name, strings.Join(left, ", "))
	}
	return state, log, nil
}

// left lists the replies and failures that nobody asked for.
func (s *Script) left(used map[string]bool) []string {
	ids := slices.Concat(slices.Collect(maps.Keys(s.replies)), slices.Collect(maps.Keys(s.fails)), slices.Collect(maps.Keys(s.late)))
	slices.Sort(ids)
	return slices.DeleteFunc(ids, func(id string) bool { return used[id] })
}
