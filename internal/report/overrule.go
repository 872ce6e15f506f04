package report

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// overruling is the answer of a person that holds for the merge of this head, nil if
// there is none: what was decided for an earlier head does not where its own review
// stands against it (M20).
func overruling(e Envelope) *Human {
	d, found := decisionOf(e, "D0")
	holds := found && d.Outcome == debate.HumanDecided && d.Human != nil && d.Human.Option == string(e.Recommendation)
	if !holds || e.Inquiry != nil {
		return nil
	}
	return d.Human
}

// Overruled is what a person decided, in a heading.
func Overruled(h Human) string {
	says := map[string]string{string(debate.Keep): "merge it as it is", string(debate.Revise): "changes first", string(debate.Reject): "do not merge"}
	return OneLine(h.By) + " decided: " + says[h.Option]
}

// decidedBy says what the models had asked for where a person decided otherwise, in
// whose words the person did, and which findings the person accepted.
func decidedBy(e Envelope) string {
	h := overruling(e)
	if h == nil {
		return ""
	}
	d, _ := decisionOf(e, "D0")
	text := against(d.FinalOptions, h.Option)
	if h.Reason != "" {
		text += OneLine(h.By) + ": \"" + OneLine(h.Reason) + "\" "
	}
	if len(h.Accepted) > 0 {
		text += OneLine(h.By) + " accepted " + inWords(h.Accepted) + ". "
	}
	return text
}

// against says who among the models had asked for something else, "" if nobody had.
func against(all []PartyOption, option string) string {
	asked := map[string]string{string(debate.Keep): "to merge it as it is", string(debate.Revise): "for changes", string(debate.Reject): "not to merge it"}
	who := make(map[string][]string)
	for _, o := range all {
		if o.Option != option {
			who[o.Option] = append(who[o.Option], OneLine(o.Party))
		}
	}
	var parts []string
	for _, other := range []debate.Disposition{debate.Keep, debate.Revise, debate.Reject} {
		if parties := who[string(other)]; len(parties) > 0 {
			parts = append(parts, asked[string(other)]+" ("+inWords(parties)+")")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "The models had asked " + strings.Join(parts, " and ") + ". "
}
