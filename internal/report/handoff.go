package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/report/agent"
)

// MaxForAgent bounds, in bytes, what a coding agent is handed at once: it is a part of all
// that the agent can read.
const MaxForAgent = 40_000

// ForAgent hands the findings of a run on the command line that stand to a coding agent:
// those that were confirmed and those that are disputed or unconfirmed, each marked as
// such. It takes at most MaxForAgent bytes and says how many findings it leaves out. An
// answer to a question leaves nothing to repair.
func ForAgent(e Envelope) []byte {
	if e.Inquiry != nil {
		return []byte("debate has nothing for you to repair: this is the answer to a question, and no review of a change\n")
	}
	return []byte(handedOver(Numbered(e), MaxForAgent))
}

// ThatStand are the findings of a run on the command line that stand, with the ids by which
// people know them.
func ThatStand(e Envelope) []Finding {
	e = Numbered(e)
	return append(Agreed(e), e.Unresolved...)
}

// ForAgentOnly is ForAgent of those findings of ThatStand whose ids are given.
func ForAgentOnly(e Envelope, ids []string) []byte {
	var some []agent.Finding
	for _, f := range ThatStand(e) {
		if slices.Contains(ids, f.ID) {
			some = append(some, toAgent(f))
		}
	}
	return []byte(agent.Prompt(Headline(e), some, MaxForAgent))
}

// AsData marks a text in which models have their say as data for a coding agent. It takes at
// most MaxForAgent bytes and says how many lines it leaves out.
func AsData(text string) string { return agent.Data(text, MaxForAgent) }

// handedOver is the text for an agent about the findings of an envelope with F ids that
// stand, "" where not one finds room.
func handedOver(e Envelope, most int) string {
	var all []agent.Finding
	for _, f := range append(Agreed(e), e.Unresolved...) {
		all = append(all, toAgent(f))
	}
	return agent.Prompt(Headline(e), all, most)
}

// toAgent is a finding as an agent is told of it.
func toAgent(f Finding) agent.Finding {
	out := agent.Finding{
		ID: f.ID, Severity: f.Severity, Standing: agent.Confirmed, Category: debate.Category(f.Category),
		Path: f.Path, Line: f.Line, EndLine: f.EndLine, Before: f.Side == debate.Left,
		Title: f.Title, Body: f.Body, Suggestion: f.Suggestion,
	}
	switch {
	case f.Bucket == debate.Agreed:
	case Contradicted(f):
		out.Standing = agent.Disputed
	default:
		out.Standing = agent.Unconfirmed
	}
	for _, k := range f.Challenges {
		if k.isOpen() && k.Objection != "" {
			out.Against = append(out.Against, agent.Objection{By: objector(f, k), Says: k.Objection})
		}
	}
	if len(f.Evidence) > 1 {
		for _, at := range f.Evidence[1:] {
			if citedLines().MatchString(at) { // else it is a check that failed, whose name may be a command
				out.Also = append(out.Also, at)
			}
		}
	}
	return out
}

// citedLines is a place among the evidence of a finding.
var citedLines = lazyregexp.New(`^[^\n]+:[0-9]+(-[0-9]+)?$`)
