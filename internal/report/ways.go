package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// wayToMerge is one answer to whether a change is merged, as people read it.
type wayToMerge struct {
	option   debate.Disposition
	wants    string // the wish of a person, after "you want to"
	decided  string // the act of a person
	ordered  string // the decision, after a colon
	advised  string // the recommendation, after "recommend"
	would    string // the answer of one model, after its name
	together string // the answer of several models
	asked    string // the former request of models, after "had asked"
	review   string // the click for it, "" if there is none
	closing  string
}

// waysToMerge are the answers to whether a change is merged.
var waysToMerge = []wayToMerge{
	{
		option: debate.Keep, wants: "merge it as it is", decided: "decided to merge it as it is", ordered: "merge it as it is", advised: "merging it as it is",
		would: "would merge it as it is", together: "would merge it as it is", asked: "to merge it as it is", review: "approve", closing: "completed",
	},
	{
		option: debate.Revise, wants: "get changes first", decided: "decided to get changes first", ordered: "changes first", advised: "changes first",
		would: "asks for changes", together: "ask for changes", asked: "for changes", review: "request changes on",
	},
	{
		option: debate.Reject, wants: "not do it at all", decided: "decided not to do it at all", ordered: "do not merge", advised: "not merging it",
		would: "would not merge it", together: "would not merge it", asked: "not to merge it", closing: "not planned",
	},
}

// mergeBy finds an answer to the merge by its option, nil for none.
func mergeBy(option string) *wayToMerge {
	at := slices.IndexFunc(waysToMerge, func(w wayToMerge) bool { return string(w.option) == option })
	if at < 0 {
		return nil
	}
	return &waysToMerge[at]
}

// Ordered is the decision of a person or the models about a merge, after a colon.
func Ordered(option string) string {
	if w := mergeBy(option); w != nil {
		return w.ordered
	}
	return OneLine(option)
}

// wayOf is an option of a question in words.
func wayOf(d Decision, option string) wayToMerge {
	if w := mergeBy(option); w != nil && clickable(d) {
		return *w
	}
	label := labelOf(d, option)
	way := wayToMerge{wants: label, advised: label, would: "chooses " + label, decided: "decided for " + inline(label)}
	if IsNone(option) {
		way.would = "chooses nothing"
	}
	return way
}

// labelOf is an option in the words of its question.
func labelOf(d Decision, option string) string {
	return OneLine(cmp.Or(d.option(option).Label, option))
}

// option finds an option of a decision by its id, an empty one if there is none.
func (d Decision) option(id string) Option {
	return lists.Find(d.Options, func(o Option) bool { return o.ID == id })
}

// Wanted is an option as a wish.
func Wanted(d Decision, option string) string { return wayOf(d, option).wants }

// tookDecision is the decision of a person, after the name.
func tookDecision(d Decision) string { return wayOf(d, d.Human.Option).decided }

// ways is the table of the possible answers to a question, independent of the recommendation.
// Issue is the issue to close, in words or as a link; "" if there is none.
func (p Pull) ways(e Envelope, d Decision, issue string) string {
	var b strings.Builder
	b.WriteString("| You want to | Do one of these |\n|---|---|\n")
	row := func(wants string, ways ...string) {
		b.WriteString("| " + wants + " | " + strings.Join(ways, " · ") + " |\n")
	}
	if clickable(d) {
		for _, w := range waysToMerge {
			var ways []string
			if w.review != "" {
				ways = append(ways, fmt.Sprintf("%s #%d", w.review, p.Number))
			}
			if w.closing != "" && issue != "" {
				ways = append(ways, "close "+issue+" as "+w.closing)
			}
			command := decideAs(e, d, string(w.option))
			if w.option == debate.Keep {
				command += Wrapped(", which also accepts ", inline(enumerated(d.Person().Quoted)), "")
			}
			row(w.wants, append(ways, command)...)
		}
		return b.String() + alsoNeeded(d)
	}
	for _, o := range d.Options[:min(len(d.Options), MaxListed)] {
		row(cell(o.Label)+Wrapped(": ", cell(o.Description), ""), decideAs(e, d, o.ID))
	}
	if n := len(d.Options) - MaxListed; n > 0 {
		row(fmt.Sprintf("choose one of %d more", n), decideAs(e, d, "OPTION"))
	}
	return b.String()
}

// alsoNeeded names the findings that block a merge under any answer.
func alsoNeeded(d Decision) string {
	return Wrapped("\nMerging also needs ", inline(enumerated(d.Person().StillOpen)), " fixed or dismissed.\n")
}

// StillOpen answers a decision to merge with the findings that still block it; nothing if there
// are none.
func StillOpen(ids []string) []byte {
	var b strings.Builder
	for _, id := range lists.Map(ids, OneLine) {
		b.WriteString(inline(id) + " is still open: fix it, or " + comment.Code("/debate dismiss "+id+" WHY") + ".\n")
	}
	return []byte(b.String())
}

// StandsInTheWay names the findings that block a merge despite the decision of a person, "" if
// there are none.
func StandsInTheWay(e Envelope) string {
	d, _ := decisionOf(e, "D0")
	h := d.Person()
	if h.By == "" || h.Option != string(debate.Keep) {
		return ""
	}
	switch ids := lists.Map(h.StillOpen, OneLine); len(ids) {
	case 0:
		return ""
	case 1:
		return ids[0] + " still blocks the merge."
	default:
		return enumerated(ids) + " still block the merge."
	}
}

// Clicks names the clicks to answer a question, "" if there are none.
func Clicks(d Decision) string {
	if !clickable(d) {
		return ""
	}
	text := "Approving the pull request chooses keep, and requesting changes chooses revise. "
	if closable(d) != "" {
		text += "Closing the issue as completed chooses keep, and as not planned reject. "
	}
	return text
}

// clickable reports whether a click answers a question.
func clickable(d Decision) bool {
	return debate.Decision{Options: lists.Map(d.Options, func(o Option) debate.Option { return debate.Option(o) })}.Clickable()
}

// decideAs is the comment to choose an option. It names the question if several are open.
func decideAs(e Envelope, d Decision, option string) string {
	return comment.Code(strings.ReplaceAll("/debate decide "+NamedIn(e, d)+OneLine(option)+" WHY", "|", "<U+007C>"))
}

// NamedIn is the id of a question with a space after it, "" if no other is open.
func NamedIn(e Envelope, d Decision) string {
	open := Awaiting(e)
	if len(open) == 1 && open[0].ID == d.ID {
		return ""
	}
	return OneLine(d.ID) + " "
}
