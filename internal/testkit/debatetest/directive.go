package debatetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// directive is a kind of line in a script. It may need some words, and then does to the
// script what they say: rest is the line after the name of the directive.
type directive struct {
	needs int
	read  func(s *Script, rest string, words []string) error
}

func (d directive) obey(s *Script, rest string) error {
	words := strings.Fields(rest)
	switch {
	case d.read == nil:
		return errors.New("there is no such directive")
	case len(words) < d.needs:
		return fmt.Errorf("%d words are needed", d.needs)
	}
	return d.read(s, rest, words)
}

// directives are, by name:
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
func directives() map[string]directive {
	return map[string]directive{
		"about":    kept(func(s *Script) *string { return &s.About }),
		"mode":     kept(func(s *Script) *debate.Mode { return &s.World.Received.Mode }),
		"target":   kept(func(s *Script) *debate.Target { return &s.World.Received.Target }),
		"title":    kept(func(s *Script) *string { return &s.World.Received.Anchor.Title }),
		"skip":     kept(func(s *Script) *string { return &s.World.Skip }),
		"guidance": {0, readGuidance},
		"inquiry":  {0, readInquiry},
		"option":   {0, readOption},
		"set":      {0, readSetting},
		"party":    {3, readParty},
		"judges":   {0, readJudges},
		"arbiter":  {0, readArbiter},
		"trigger":  {4, readTrigger},
		"known":    {3, readKnown},
		"hit":      {5, readHit},
		"run":      {4, readRun},
		"order":    {0, readOrder},
		"recall":   {0, readRecall},
		"chunks":   {0, readChunks},
		"cost":     {0, readCost},
		"fail":     {2, readFail},
		"late":     {0, readLate},
		"silent":   {2, readSilent},
		"after":    {0, readAfter},
	}
}

// kept is a directive whose words are kept as they are.
func kept[T ~string](where func(*Script) *T) directive {
	return directive{0, func(s *Script, rest string, _ []string) error {
		*where(s) = T(rest)
		return nil
	}}
}

func readGuidance(s *Script, rest string, _ []string) error {
	s.World.Received.Guidance = append(s.World.Received.Guidance, rest)
	return nil
}

func readInquiry(s *Script, rest string, _ []string) error {
	w := &s.World
	w.Received.Scope, w.Received.Inquiry = debate.ScopeQuestion, &debate.Inquiry{Framing: debate.Framing(rest)}
	w.Change = w.Change.shown()
	return nil
}

func readOption(s *Script, rest string, _ []string) error {
	asked := s.World.Received.Inquiry
	if asked == nil {
		return errors.New("it belongs to an inquiry")
	}
	id, label, _ := strings.Cut(rest, " ")
	asked.Options = append(asked.Options, debate.Option{ID: id, Label: label})
	return nil
}

// readSetting sets one member of the settings by its JSON name.
func readSetting(s *Script, rest string, _ []string) error {
	name, value, _ := strings.Cut(rest, " ")
	if !json.Valid([]byte(value)) {
		value = strconv.Quote(value)
	}
	return strict(fmt.Sprintf("{%q: %s}", name, value), &s.World.Received.Settings)
}

func readParty(s *Script, _ string, f []string) error {
	p := debate.Party{Role: debate.Role(f[0]), ID: f[1], Family: f[2], Status: debate.PartyOK}
	if len(f) > 3 {
		p.Status = debate.PartyStatus(f[3])
	}
	s.World.Parties = append(s.World.Parties, p)
	return nil
}

func readJudges(s *Script, _ string, _ []string) error {
	s.World.Parties = append(s.World.Parties, Judges()...)
	return nil
}

func readArbiter(s *Script, _ string, _ []string) error {
	s.World.Parties = append(s.World.Parties, Arbiter())
	return nil
}

func readTrigger(s *Script, _ string, f []string) error {
	line, err := strconv.Atoi(f[3])
	s.World.Triggers = append(s.World.Triggers, debate.Trigger{
		ID: debate.TriggerID(f[0]), Source: debate.FromPolicy, Class: debate.TriggerClass(f[1]), Path: f[2],
		Side: debate.Right, Line: line, Detail: strings.Join(f[4:], " "),
	})
	return err
}

func readKnown(s *Script, _ string, f []string) error {
	k := debate.Known{Until: f[0], By: "bob", Reason: "it was looked at", Expired: f[0] < "2026-01-02"}
	if k.Snippet = strings.Join(f[2:], " "); f[1] == "rule" {
		k.Rule, k.Snippet = k.Snippet, ""
	}
	s.World.Known = append(s.World.Known, k)
	return nil
}

func readHit(s *Script, _ string, f []string) error {
	line, err := strconv.Atoi(f[3])
	s.World.Hits = append(s.World.Hits, debate.Hit{
		Rule: "test/hit", Severity: debate.Severity(f[0]), Category: f[1], Title: strings.Join(f[4:], " "),
		Cite: s.World.Change.Cite(f[2], line, line).Citation,
	})
	return err
}

func readRun(s *Script, _ string, f []string) error {
	line, err := strconv.Atoi(f[3])
	s.World.Runs = append(s.World.Runs, debate.Run{
		Ref: f[0], Name: f[0], Failed: f[1] == "failed", Path: f[2], StartLine: line, EndLine: line,
		Changed: s.World.Change.index.Changed(f[2], debate.Right, line), Text: strings.Join(f[4:], " "), Hash: "00",
	})
	return err
}

func readOrder(s *Script, rest string, _ []string) error {
	words, by, reason := parts(rest)
	kind, target, _ := strings.Cut(words, " ")
	s.World.Received.Orders = append(s.World.Received.Orders, debate.Order{
		Kind: debate.OrderKind(kind), Target: target, Reason: reason, By: actor(by),
	})
	return nil
}

// readRecall plays a debate to its end and goes on from what it leaves.
func readRecall(s *Script, name string, _ []string) error {
	earlier, err := Load(name)
	if err != nil {
		return err
	}
	state, _, err := Run(earlier, Forward)
	if err != nil {
		return err
	}
	m := state.Memory()
	if !s.ownChange {
		s.World.Change = earlier.World.Change
	}
	s.World.Received.Settings, s.World.Received.Recall = earlier.World.Received.Settings, &m
	return nil
}

func readChunks(s *Script, rest string, _ []string) (err error) {
	s.World.ChunkBytes, err = strconv.Atoi(rest)
	return err
}

func readCost(s *Script, rest string, _ []string) (err error) {
	s.World.Cost, err = strconv.ParseInt(rest, 10, 64)
	return err
}

func readFail(s *Script, _ string, f []string) error {
	s.fails[f[0]] = debate.CallStatus(f[1])
	return nil
}

func readLate(s *Script, rest string, _ []string) error {
	s.late[rest] = true
	return nil
}

func readSilent(s *Script, _ string, f []string) error {
	s.silent[f[0]] = debate.CallStatus(f[1])
	return nil
}
