package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// mind is what each model answers: a defect for each line that owns to a bug. The
// witness hears what it was shown, and what it quotes, if it answers at all.
func (f *flow) mind(vendor string, asked exectest.Turn, packet, _ string) string {
	reply := exectest.Reply(asked, packet, "bugs")
	data, err := json.Marshal(reply)
	if err != nil {
		panic(err)
	}
	var said struct {
		Claims []struct{ Ref []struct{ Quote string } }
	}
	if err := json.Unmarshal(data, &said); err != nil {
		panic(err)
	}
	f.hearing.Lock()
	defer f.hearing.Unlock()
	if vendor == f.sick && f.fever.IntN(3) == 0 {
		return "I would rather not say."
	}
	base, head, _ := strings.Cut(strings.TrimPrefix(asked.Envelope.Scope, "range:"), "..")
	at := f.turn(head, base)
	f.reviewed[at] = true
	for _, line := range strings.Split(packet, "\n") {
		if found := sign.FindStringSubmatch(line); found != nil {
			line = found[1] + found[2]
		}
		if line = visible(line); !slices.Contains(f.answered[vendor][line], at) {
			f.answered[vendor][line] = append(f.answered[vendor][line], at)
		}
	}
	for _, c := range said.Claims {
		for _, ref := range c.Ref {
			f.quoted[visible(ref.Quote)] = true
		}
	}
	return string(data)
}

// turn is about a head as it differs from a commit, under the settings of now.
func (f *flow) turn(head, base string) turn {
	return turn{head, fmt.Sprint(base, f.on, f.gated)}
}

// sign is what stands before a line that a packet shows as changed.
var sign = regexp.MustCompile(`^([+-])\d+ (.*)$`)

// visible is a line without what a packet shows for bytes that nobody sees.
func visible(line string) string {
	return strings.NewReplacer("<U+0000>", "", "<U+FEFF>", "").Replace(line)
}

// may reports whether a person's word counts: not the author's, and only with access.
func (f *flow) may(who string, least int) bool { return who != f.author && f.rights[who] >= least }

// decide notes that a person accepts what the head destroys.
func (f *flow) decide(waives bool) {
	f.decisions = append(f.decisions, decision{maps.Clone(f.head), maps.Clone(f.quoted), waives})
}

// listed finds where a summary says that a finding stands.
var listed = regexp.MustCompile(`\b(F\d+)\b[^\n]*?\[([\w/.\\-]+):(\d+)`)

// obey notes a command of a person, and what it accepts by name. An issue that two runs opened twice, and that is
// closed for that, answers nothing: its text names the place to ask.
func (f *flow) obey(who, order string, on *ghtest.Issue, said *ghtest.Comment) {
	if f.may(who, 2) && !strings.Contains(on.Body(), "<!-- debate:duplicate") {
		a := act{what: who + " said " + order, command: said}
		if strings.HasPrefix(order, "dismiss") {
			a.summary = who + " dismissed it"
		}
		f.acts = append(f.acts, a)
	}
	switch verb, rest, _ := strings.Cut(order, " "); {
	case verb == "decide" && strings.Contains(rest, "keep") && f.may(who, 2):
		f.decide(false)
	case verb == "waive" && f.may(who, 3):
		f.decide(true)
	case verb == "dismiss" && f.may(who, 2):
		id, _, _ := strings.Cut(rest, " ")
		for _, c := range f.pull.Comments() {
			for _, found := range listed.FindAllStringSubmatch(c.Body(), -1) {
				if path := strings.ReplaceAll(found[2], `\`, ""); found[1] == id {
					lines := strings.Split(plain(f.head[path]), "\n")
					var at int
					if _, err := fmt.Sscan(found[3], &at); err == nil && at >= 1 && at <= len(lines) {
						f.accepted[lines[at-1]] = true
						f.dismissals = append(f.dismissals, dismissal{by: who, id: id, command: said, path: path, line: at, text: f.head[path], on: f.on})
					}
				}
			}
		}
	}
}
