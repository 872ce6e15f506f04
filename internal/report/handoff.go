package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
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
	return []byte(handedOver(e, MaxForAgent))
}

// ThatStand are the findings of a run on the command line that stand, with the ids by which
// people know them.
func ThatStand(e Envelope) []Finding {
	return thatStand(e)
}

// thatStand are the findings that were confirmed, and those that are disputed or unconfirmed.
func thatStand(e Envelope) []Finding { return append(Agreed(e), e.Unresolved...) }

// ForAgentOnly is ForAgent of those findings of ThatStand whose ids are given.
func ForAgentOnly(e Envelope, ids []string) []byte {
	some := lists.Keep(ThatStand(e), func(f Finding) bool { return slices.Contains(ids, f.ID) })
	return []byte(agent.Prompt(Headline(e), lists.Map(some, toAgent), MaxForAgent))
}

// AsData marks a text in which models have their say as data for a coding agent. It takes at
// most MaxForAgent bytes and says how many lines it leaves out.
func AsData(text string) string { return agent.Data(text, MaxForAgent) }

// handedOver is the text for an agent about the findings of an envelope with F ids that
// stand, "" where not one finds room.
func handedOver(e Envelope, most int) string {
	return agent.Prompt(Headline(e), lists.Map(thatStand(e), toAgent), most)
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
	if f.Proof != nil && f.Proof.Shows != debate.ProvesOlder {
		out.Test, out.TestPath = f.Proof.Content, f.Proof.Path
	}
	out.Against = lists.Map(f.against(), func(k Challenge) agent.Objection {
		return agent.Objection{By: Speaker(objector(f, k)), Says: k.Objection}
	})
	// The others are checks that failed, whose names may be commands.
	for _, c := range f.Also() {
		if c.Check != QuoteOfRun {
			out.Also = append(out.Also, debate.Citation{Path: c.Path, StartLine: c.Line, EndLine: c.EndLine}.String())
		}
	}
	return out
}
