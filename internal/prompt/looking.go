package prompt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// maxLooks bounds the looks that are read from one reply.
const maxLooks = 40

// decisive are the members with which a reply answers. One that has any of them is no
// question, whatever it asks to see.
var decisive = []string{
	"disposition", "recommendation", "verdict", "claims", "new_claims", "evaluations", "answers", "defences", "position",
	"strongest_objection", "p0", "p1", "p2", "p3", "uncovered", "final_option", "final_options", "self_challenges", "proposal_review",
}

// Looks reads what a reply asks to see in the place of an answer; ok is false where it
// answers, or asks for nothing.
func Looks(raw []byte) (looks []debate.Look, ok bool) {
	if len(raw) > maxReply {
		return nil, false
	}
	objects, _ := findObjects(answerIn(string(raw))) // no object asks for nothing
	r := &reader{}
	var last object
	for _, found := range objects {
		if o, ok := r.object("", []byte(found.text)); ok && (asksToLook(o) || o.has(decisive...)) {
			last = o
		}
	}
	if !asksToLook(last) {
		return nil, false
	}
	list := last.members["look"]
	if bytes.HasPrefix(list, []byte("{")) { // one thing
		list = json.RawMessage("[" + string(list) + "]")
	}
	var entries []json.RawMessage
	if json.Unmarshal(list, &entries) != nil {
		return nil, false
	}
	for _, entry := range entries[:min(len(entries), maxLooks)] {
		looks = append(looks, r.look(entry))
	}
	return looks, len(looks) > 0
}

// asksToLook reports whether a reply asks to see something and answers nothing.
func asksToLook(o object) bool {
	says := func(name string) bool { return !isEmpty(o.members[name]) }
	return says("look") && !slices.ContainsFunc(decisive, says)
}

// isEmpty reports whether a member says nothing.
func isEmpty(raw json.RawMessage) bool {
	switch strings.Join(strings.Fields(string(raw)), "") {
	case "", "null", `""`, "[]", "{}", "false":
		return true
	}
	return false
}

// look reads one thing that a party asks to see: {"read": {...}}, {"grep": {...}},
// {"list": {...}} or {"test": {...}}, or with a text in the place of the object. What it cannot be read as
// has no kind.
func (r *reader) look(raw json.RawMessage) debate.Look {
	entry, ok := r.object("look", raw)
	if !ok {
		return debate.Look{}
	}
	for _, kind := range []debate.LookKind{debate.LookRead, debate.LookGrep, debate.LookList, debate.LookTest} {
		member, there := entry.members[string(kind)]
		if !there {
			continue
		}
		l := debate.Look{Kind: kind}
		var text string
		if json.Unmarshal(member, &text) == nil {
			l.Path, l.Pattern = text, text
		} else if o, ok := r.object("look", member); ok {
			l.Path, l.Pattern = o.text("path"), o.text("pattern")
			l.Paths = o.texts("paths")
			l.StartLine, _ = o.number("start_line", 1, maxNumber)
			l.EndLine, _ = o.number("end_line", 1, maxNumber)
			l.Max, _ = o.number("max", 1, maxNumber)
			l.Content, l.Claim = o.text("content"), o.text("claim")
			l.Side = enum(o, "side", debate.Right, debate.Left)
		}
		return tidy(l)
	}
	return debate.Look{}
}

// tidy leaves out of a look what its kind does not have, and cuts what is too long to
// be meant.
func tidy(l debate.Look) debate.Look {
	if l.Kind == debate.LookTest {
		content := l.Content[:min(len(l.Content), 4*debate.MostTestBytes)]
		return debate.Look{Kind: l.Kind, Path: cut(l.Path), Content: strings.ToValidUTF8(content, ""), Claim: cut(l.Claim)}
	}
	l.Content, l.Claim = "", ""
	if l.Kind == debate.LookGrep {
		l.Path, l.StartLine, l.EndLine = "", 0, 0
		l.Pattern = cut(l.Pattern)
		l.Paths = l.Paths[:min(len(l.Paths), maxLooks)]
		for i, glob := range l.Paths {
			l.Paths[i] = cut(glob)
		}
		return l
	}
	l.Path, l.Pattern, l.Paths, l.Max = cut(l.Path), "", nil, 0
	if l.Kind == debate.LookList {
		l.StartLine, l.EndLine = 0, 0
	}
	return l
}

func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), 2*maxHeading)], "") }
