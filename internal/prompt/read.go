package prompt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// The bounds of a reply. A larger one is a failure.
const (
	maxReply  = 1 << 20 // bytes
	maxDepth  = 32      // of nested objects and lists
	maxClaims = 200
	maxString = 64 << 10 // bytes of one decoded string
	maxList   = 4096     // entries of a list, members of an object
	maxValues = 100_000  // of the whole reply
)

// Result is a readable reply.
type Result struct {
	Reply   *debate.Reply
	Reading debate.Reading
	Ignored int      // number of unknown members
	Dropped []string // members with a wrong value, such as claims[2].severity
}

// FormatError says why a reply cannot be read, in one line for its party.
type FormatError struct{ Why string }

func (e *FormatError) Error() string { return e.Why }

func unfit(format string, args ...any) *FormatError {
	return &FormatError{Why: fmt.Sprintf(format, args...)}
}

// Read reads the reply to a call: as JSON, as a JSON object in a text, or as Markdown
// sections. Any bytes give a result or a *FormatError. A fault of one member costs
// this member alone.
func Read(kind debate.CallKind, raw []byte) (Result, error) {
	if len(raw) > maxReply {
		return Result{}, unfit("it has more than %d bytes", maxReply)
	}
	if !utf8.Valid(raw) {
		return Result{}, unfit("it is not valid UTF-8")
	}
	text := answerIn(string(raw))
	switch {
	case strings.TrimSpace(string(raw)) == "":
		return Result{}, unfit("it is empty")
	case text == "":
		return Result{}, unfit("it thinks aloud and does not answer")
	}
	objects, err := findObjects(kind, text)
	if err != nil {
		return Result{}, err
	}
	best := choose(lists.Map(objects, func(o found) reading { return readObject(kind, o) }))
	if best.speaks {
		if around := strings.Replace(text, best.object.text, "", 1); best.err == nil && hides(kind, best.result.Reply, around) {
			return Result{}, prose(kind)
		}
		if best.object.text == strings.Trim(string(raw), "\ufeff \t\r\n") && best.err == nil {
			best.result.Reading = debate.ReadJSON
		}
		return best.result, best.err
	}
	start := objectStart().FindStringIndex(text)
	if start != nil {
		if o := objectAt(strings.TrimLeft(text[start[0]:], " \t")); o.err != nil {
			return Result{}, o.err
		}
	}
	doc, err := readMarkdown(text)
	switch {
	case err != nil:
		return Result{}, err
	case len(doc.members)+len(doc.claims) > 0:
		return readDocument(kind, text, doc)
	case best.err != nil:
		return Result{}, best.err
	case start != nil: // {}
		return Result{}, speaksNot(kind)
	}
	return Result{}, unfit("there is no JSON object in it")
}

// objectStart is the bracket of an object at the start of a line, without a name in quotes.
var objectStart = lazyregexp.New(`(?m)^[ \t]*\{(?:\s*[^"\s]|\s*$)`)

// reading is one object of a text, as a reply to the call.
type reading struct {
	object found
	result Result
	err    error // why it is no reply to the call
	speaks bool  // it has members of the call
	own    bool  // it has members of this kind of call
}

// choose returns the reply among the objects. An object without members of the call, or
// without the required one, is no rival of an object with it. Of several rivals the only one
// in a json block counts, else the last one: the others are drafts. A broken object with
// members of the call wins, since its content would be lost; a piece of code in a sentence does
// not, if the reply is in a block or only common members are in the code. A block of another
// language is no rival.
func choose(all []reading) reading {
	speaking := lists.Keep(all, func(r reading) bool { return r.speaks })
	rivals := lists.Keep(speaking, func(r reading) bool { return r.err == nil })
	for _, is := range []func(reading) bool{func(r reading) bool { return r.own }, func(r reading) bool { return !r.object.code }} {
		if some := lists.Keep(rivals, is); len(some) > 0 {
			rivals = some
		}
	}
	fenced := lists.Keep(rivals, func(r reading) bool { return r.object.fenced })
	for _, r := range speaking {
		isCode := r.object.code && len(rivals) > 0 || r.object.aside && (len(fenced) == 1 || !r.own && len(rivals) > 0 && rivals[0].own)
		if r.object.err != nil && !isCode {
			return r
		}
	}
	if len(fenced) == 1 {
		return fenced[0]
	}
	broken := lists.Keep(all, func(r reading) bool { return r.object.err != nil })
	for _, list := range [][]reading{rivals, speaking, broken, all} {
		if len(list) > 0 {
			return list[len(list)-1]
		}
	}
	return reading{}
}

// readObject reads one JSON object.
func readObject(kind debate.CallKind, o found) reading {
	r := reading{object: o, err: o.err}
	if o.err != nil {
		r.own, r.speaks = speaks(kind, o.names)
		return r
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte(o.text), &members) // it was walked
	r.own, r.speaks = speaks(kind, o.names)
	if r.speaks {
		r.result, r.err = readMembers(kind, members, nil, debate.ReadObject)
		return r
	}
	r.err = speaksNot(kind)
	submits := false
	var inner []json.RawMessage // objects
	for _, value := range members {
		submits = submits || string(value) == `"`+Submit+`"`
		if value[0] == '{' {
			inner = append(inner, value)
		}
	}
	if len(inner) == 1 && (len(members) == 1 || submits) { // {"review": {...}}, {"name": "submit", "arguments": {...}}
		whole := objectAt(string(inner[0]))
		whole.fenced, whole.code = o.fenced, o.code
		return readObject(kind, whole)
	}
	return r
}

// speaks reports whether an object has members of this kind of call, and whether it has any
// members of a call. A look is a member of every call.
func speaks(kind debate.CallKind, names map[string]bool) (own, any bool) {
	common, known := membersOf(kind)
	is := func(name string) bool {
		return names[bareWord(name)] || slices.ContainsFunc(otherNames[name], func(other string) bool { return names[other] })
	}
	own = slices.ContainsFunc(known, is)
	return own, own || names["look"] || slices.ContainsFunc(common, is)
}

// speaksNot is the error of an object without members of a call.
func speaksNot(kind debate.CallKind) *FormatError {
	_, own := membersOf(kind)
	return unfit("it has none of the members that a reply to %s has (%s)", kind, strings.Join(own, ", "))
}

// membersOf returns the members of every reply, and those of a reply to this kind of call.
func membersOf(kind debate.CallKind) (common, own []string) {
	every, this := &reader{}, &reader{}
	readCommon(every.opened("", nil), &debate.Reply{})
	readKind(kind, this.opened("", nil), &debate.Reply{})
	return every.asked, this.asked
}

// readDocument reads a reply in Markdown. A verdict in a call without one is a recommendation.
func readDocument(kind debate.CallKind, text string, doc document) (Result, error) {
	if _, own := membersOf(kind); !slices.Contains(own, "verdict") && doc.members["recommendation"] == nil {
		doc.members["recommendation"] = doc.members["verdict"]
		delete(doc.members, "verdict")
	}
	if doc.unread {
		return Result{}, prose(kind)
	}
	result, err := readMembers(kind, doc.members, doc.claims, debate.ReadSections)
	if err != nil {
		return Result{}, err
	}
	if hides(kind, result.Reply, text) || raises(kind) && doc.loose && !approves(result.Reply) || silent(result.Reply) && saidLevel(text) != "" {
		return Result{}, prose(kind)
	}
	return result, nil
}

// hides reports whether a text may say a finding that the reply does not have. An approval, or
// an answer in an exchange, may name the lines that its party checked.
func hides(kind debate.CallKind, reply *debate.Reply, text string) bool {
	doubts := isReview(kind) && !approves(reply)
	return raises(kind) && silent(reply) && (saysFinding(text) || doubts && (saidLevel(text) != "" || len(placesIn(text)) > 0))
}

// saysFinding reports whether a text has a finding, as a part of JSON or of Markdown.
func saysFinding(text string) bool {
	doc, _ := readMarkdown(text) // its findings count, not its bounds
	return claimMember().MatchString(text) || len(doc.claims) > 0
}

func approves(reply *debate.Reply) bool {
	return cmp.Or(reply.Disposition, reply.Recommendation) == debate.Keep || reply.Verdict == debate.VerdictAgree
}

// silent reports whether a reply says nothing about any finding.
func silent(reply *debate.Reply) bool {
	return len(reply.Claims)+len(reply.Evaluations)+len(reply.Answers)+len(reply.Carried)+len(reply.Checked) == 0 && reply.Strongest == nil
}

func prose(kind debate.CallKind) *FormatError {
	name := "new_claims, and each evaluation in evaluations,"
	if kind == debate.CallOpen || kind == debate.CallLocal {
		name = "claims"
	}
	return unfit("it is prose: write each finding as an object in %s of one JSON object", name)
}

// readMembers reads the members of a reply, in any of its forms, and adds the findings of
// its text.
func readMembers(kind debate.CallKind, members map[string]json.RawMessage, said []debate.NewClaim, reading debate.Reading) (Result, error) {
	r := &reader{}
	o := r.opened("", members)
	if asksToLook(o) {
		return Result{}, unfit("it asks to look further, which it may not now, and answers nothing")
	}
	reply := &debate.Reply{}
	plain := append(readCommon(o, reply), said...)
	readKind(kind, o, reply)
	o.done()
	if r.unclear && kind != debate.CallOpen && kind != debate.CallLocal { // an opening is asked for again
		reply.Recommendation = debate.Revise // "approve with conditions" is no approval
	}
	if raises(kind) {
		placed(plain, reply.Evidence)
		reply.Claims = added(reply.Claims, plain)
	}
	if len(reply.Claims) > maxClaims {
		return Result{}, unfit("it has more than %d claims", maxClaims)
	}
	if what := lost(kind, reply, r.dropped, o); what != "" {
		return Result{}, unfit("none of its %s", what)
	}
	judges := len(reply.Verdict)+len(reply.Recommendation)+len(reply.Evaluations)+len(reply.Claims) > 0 || reply.Strongest != nil
	if kind == debate.CallChallenge && !judges {
		r.fault = "it has no verdict (agree, partial, disagree), no recommendation and no evaluations"
	}
	if r.fault != "" {
		return Result{}, unfit("%s", r.fault)
	}
	if r.unknown {
		reply.Verdict = debate.VerdictPartial
	}
	return Result{Reply: reply, Reading: reading, Ignored: r.ignored, Dropped: r.dropped}, nil
}

// lost names a list of a reply without a readable entry: its words would be lost. Claims may be
// in the summary, or in a member that we do not know.
func lost(kind debate.CallKind, reply *debate.Reply, dropped []string, unknown object) string {
	drops := func(list string) bool {
		return slices.ContainsFunc(dropped, func(path string) bool {
			name, index, _ := strings.Cut(strings.TrimSuffix(path, "]"), "[")
			_, isEntry := integer(index)
			return isEntry && slices.Contains(strings.Fields(list), name)
		})
	}
	elsewhere := ""
	for _, name := range sorted(unknown.members) {
		elsewhere += "\n" + string(unknown.members[name])
	}
	noEntry := raises(kind) && len(reply.Claims) == 0 && drops("claims new_claims p0 p1 p2 p3")
	hidden := isReview(kind) && (hides(kind, reply, elsewhere) || silent(reply) && saysFinding(reply.Summary))
	switch {
	case noEntry, hidden:
		return "claims can be read: each is an object with title, severity and ref"
	case len(reply.Evaluations) == 0 && drops("evaluations"):
		return "evaluations can be read: each is an object with claim and class"
	case len(reply.Answers) == 0 && drops("answers defences"):
		return "answers can be read: each is an object with challenge and move"
	}
	return ""
}

// claimMember matches a member of a claim in JSON.
var claimMember = lazyregexp.New(`(?i)"(?:title|issue|severity|description)"\s*:`)

// isReview reports whether a party reads the change in a call of this kind.
func isReview(kind debate.CallKind) bool {
	return slices.Contains([]debate.CallKind{debate.CallOpen, debate.CallLocal, debate.CallChallenge}, kind)
}

// raises reports whether a call of this kind may raise claims.
func raises(kind debate.CallKind) bool {
	return isReview(kind) || kind == debate.CallRespond || kind == debate.CallRebut
}
