package report

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// overruling is the valid answer of a person to the merge of this head, nil if there is none. An
// answer for an earlier head is not valid if the review of this one speaks against it (M20).
func overruling(e Envelope) *Human {
	d, _ := decisionOf(e, "D0")
	holds := d.Outcome == debate.HumanDecided && d.Person().Option == string(e.Recommendation)
	if !holds || e.Inquiry != nil {
		return nil
	}
	return d.Human
}

// decidedBy has a sentence each for the different answers of the models, the words of the
// deciding person, and the accepted findings.
func decidedBy(e Envelope) []string {
	h := overruling(e)
	if h == nil {
		return nil
	}
	d, _ := decisionOf(e, "D0")
	says := []string{against(d.FinalOptions, h.Option)}
	if h.Reason != "" {
		says = append(says, OneLine(h.By)+": "+inQuotes(h.Reason))
	}
	if len(h.Accepted) > 0 {
		says = append(says, OneLine(h.By)+" accepted "+enumerated(h.Accepted))
	}
	return says
}

// askedAgain is why a question is open again after an answer for an earlier commit.
func askedAgain(e Envelope) string {
	d, _ := decisionOf(e, "D0")
	h := d.Person()
	if h.Before == "" {
		return ""
	}
	about := "an objection that the models accepted"
	if len(h.New) > 0 {
		about = enumerated(h.New)
	}
	return OneLine(h.Before) + " decided to merge an earlier commit as it is. That is not about " + about + ", so it is asked again"
}

// against names the models with another answer, "" if there are none.
func against(all []PartyOption, option string) string {
	var parts []string
	for _, other := range waysToMerge {
		who := lists.Map(whoHolds(all, other.option), OneLine)
		if len(who) > 0 && string(other.option) != option {
			parts = append(parts, other.asked+" ("+enumerated(who)+")")
		}
	}
	return Wrapped("The models had asked ", strings.Join(parts, " and "), "")
}
