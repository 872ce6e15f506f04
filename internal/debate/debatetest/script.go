package debatetest

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/debate"
)

//go:embed testdata/*.txtar
var archives embed.FS

// Script is a debate written down. Its directives are
//
//	about TEXT                       what the debate shows
//	mode MODE | target TARGET | title TEXT | guidance TEXT | skip REASON
//	inquiry FRAMING | option ID LABEL   a question in the place of a change
//	set NAME VALUE                   one of debate.Settings, by its JSON name
//	party ROLE ID FAMILY [STATUS]    a debater; the status is ok if not given
//	judges | arbiter                 three judges, a cold reader
//	trigger ID CLASS PATH LINE TEXT  a trigger of policy
//	known UNTIL rule ID | known UNTIL lines TEXT   what the settings accept, expired if UNTIL is past
//	hit SEVERITY CATEGORY PATH LINE TITLE   of the critic
//	run REF failed|passed PATH LINE TEXT    a check run
//	order KIND TARGET by ACTOR: REASON
//	recall SCRIPT                    go on from what another debate left, on its change or on another one
//	chunks BYTES | cost MICRO        of one chunk, of one call
//	fail ASK STATUS                  this ask comes to nothing
//	late ASK                         the reply to this ask comes after its deadline
//	silent PARTY STATUS              and so does every ask of this party
//	after EVENT-OR-ASK: wait SECONDS
//	after EVENT-OR-ASK: EVENT        see occurrence.go
//
// ACTOR is a login, a permission and any of the words bot, author and owner.
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
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".txtar"); ok {
			names = append(names, name)
		}
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
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := s.directive(word, strings.TrimSpace(rest)); err != nil {
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

// directive reads one line of a script.
func (s *Script) directive(word, rest string) error {
	w := &s.World
	f := strings.Fields(rest)
	need := func(n int) error {
		if len(f) < n {
			return fmt.Errorf("%d words are needed", n)
		}
		return nil
	}
	switch word {
	case "about":
		s.About = rest
	case "mode":
		w.Received.Mode = debate.Mode(rest)
	case "target":
		w.Received.Target = debate.Target(rest)
	case "title":
		w.Received.Anchor.Title = rest
	case "inquiry":
		w.Received.Scope, w.Received.Inquiry = debate.ScopeQuestion, &debate.Inquiry{Framing: debate.Framing(rest)}
		w.Change = w.Change.shown()
	case "option":
		id, label, _ := strings.Cut(rest, " ")
		if w.Received.Inquiry == nil {
			return errors.New("it belongs to an inquiry")
		}
		w.Received.Inquiry.Options = append(w.Received.Inquiry.Options, debate.Option{ID: id, Label: label})
	case "guidance":
		w.Received.Guidance = append(w.Received.Guidance, rest)
	case "skip":
		w.Skip = rest
	case "set":
		return setting(&w.Received.Settings, rest)
	case "party":
		if err := need(3); err != nil {
			return err
		}
		p := debate.Party{Role: debate.Role(f[0]), ID: f[1], Family: f[2], Status: debate.PartyOK}
		if len(f) > 3 {
			p.Status = debate.PartyStatus(f[3])
		}
		w.Parties = append(w.Parties, p)
	case "judges":
		w.Parties = append(w.Parties, Judges()...)
	case "arbiter":
		w.Parties = append(w.Parties, Arbiter())
	case "trigger":
		if err := need(4); err != nil {
			return err
		}
		line, err := strconv.Atoi(f[3])
		w.Triggers = append(w.Triggers, debate.Trigger{
			ID: debate.TriggerID(f[0]), Source: debate.FromPolicy, Class: debate.TriggerClass(f[1]), Path: f[2],
			Side: debate.Right, Line: line, Detail: strings.Join(f[4:], " "),
		})
		return err
	case "known":
		if err := need(3); err != nil {
			return err
		}
		k := debate.Known{Until: f[0], By: "bob", Reason: "it was looked at", Expired: f[0] < "2026-01-02"}
		if k.Snippet = strings.Join(f[2:], " "); f[1] == "rule" {
			k.Rule, k.Snippet = k.Snippet, ""
		}
		w.Known = append(w.Known, k)
	case "hit":
		if err := need(5); err != nil {
			return err
		}
		line, err := strconv.Atoi(f[3])
		w.Hits = append(w.Hits, debate.Hit{
			Rule: "test/hit", Severity: debate.Severity(f[0]), Category: f[1], Title: strings.Join(f[4:], " "),
			Cite: w.Change.Cite(f[2], line, line).Citation,
		})
		return err
	case "run":
		if err := need(4); err != nil {
			return err
		}
		line, err := strconv.Atoi(f[3])
		w.Runs = append(w.Runs, debate.Run{
			Ref: f[0], Name: f[0], Failed: f[1] == "failed", Path: f[2], StartLine: line, EndLine: line,
			Changed: w.Change.index.Changed(f[2], debate.Right, line), Text: strings.Join(f[4:], " "), Hash: "00",
		})
		return err
	case "order":
		order, by, reason := parts(rest)
		kind, target, _ := strings.Cut(order, " ")
		w.Received.Orders = append(w.Received.Orders, debate.Order{
			Kind: debate.OrderKind(kind), Target: target, Reason: reason, By: actor(by),
		})
	case "recall":
		return s.recall(rest)
	case "chunks":
		return number(rest, &w.ChunkBytes)
	case "cost":
		var micro int
		err := number(rest, &micro)
		w.Cost = int64(micro)
		return err
	case "fail", "silent":
		if err := need(2); err != nil {
			return err
		}
		failing := s.fails
		if word == "silent" {
			failing = s.silent
		}
		failing[f[0]] = debate.CallStatus(f[1])
	case "late":
		s.late[rest] = true
	case "after":
		return s.after(rest)
	default:
		return errors.New("there is no such directive")
	}
	return nil
}

// recall plays a debate to its end and goes on from what it leaves. Its claims are
// known as F1, F2 and so on.
func (s *Script) recall(name string) error {
	earlier, err := Load(name)
	if err != nil {
		return err
	}
	state, _, err := Run(earlier, Forward)
	if err != nil {
		return err
	}
	m := state.Memory()
	for i, c := range m.Book.Claims {
		m.Published = append(m.Published, debate.Named{Claim: c.ID, F: "F" + strconv.Itoa(i+1), Key: debate.Key(c)})
	}
	if !s.ownChange {
		s.World.Change = earlier.World.Change
	}
	s.World.Received.Settings, s.World.Received.Recall = earlier.World.Received.Settings, &m
	return nil
}

func number(text string, into *int) error {
	n, err := strconv.Atoi(text)
	*into = n
	return err
}

// setting sets one member of the settings by its JSON name.
func setting(set *debate.Settings, text string) error {
	name, value, _ := strings.Cut(text, " ")
	if !json.Valid([]byte(value)) {
		value = strconv.Quote(value)
	}
	return strict(fmt.Sprintf("{%q: %s}", name, value), set)
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
	var left []string
	for id := range s.replies {
		if !used[id] {
			left = append(left, id)
		}
	}
	for id := range s.fails {
		if !used[id] {
			left = append(left, id)
		}
	}
	for id := range s.late {
		if !used[id] {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	return left
}
