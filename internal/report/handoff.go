package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report/agent"
)

// MaxForAgent bounds, in bytes, the text for a coding agent; the agent also has to read the code.
const MaxForAgent = 40_000

// ForAgent is the prompt for a coding agent to repair the current findings, each marked as
// confirmed, not confirmed or disputed. It takes at most MaxForAgent bytes and counts the
// findings left out. The answer to a question leaves nothing to repair.
func ForAgent(e Envelope) []byte {
	if e.Inquiry != nil {
		return []byte("debate has nothing for you to repair: this is the answer to a question, and no review of a change\n")
	}
	return promptFor(e, Current(e))
}

// ForAgentOnly is ForAgent of the current findings with these ids.
func ForAgentOnly(e Envelope, ids []string) []byte {
	return promptFor(e, lists.Keep(Current(e), func(f Finding) bool { return slices.Contains(ids, f.ID) }))
}

func promptFor(e Envelope, list []Finding) []byte {
	return []byte(agent.Prompt(Headline(e), lists.Map(list, toAgent), MaxForAgent))
}

// Current are the confirmed findings, then the disputed and unconfirmed ones.
func Current(e Envelope) []Finding { return append(Agreed(e), e.Unresolved...) }

// AsData marks a text with words of models as data for a coding agent. It takes at most
// MaxForAgent bytes and counts the lines left out.
func AsData(text string) string { return agent.Data(text, MaxForAgent) }

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
	// The others are failed checks; their names may be commands.
	for _, c := range f.Also() {
		if c.Check != QuoteOfRun {
			out.Also = append(out.Also, debate.Citation{Path: c.Path, StartLine: c.Line, EndLine: c.EndLine}.String())
		}
	}
	return out
}
