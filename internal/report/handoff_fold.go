package report

import (
	"github.com/prdebate/debate/internal/comment"
)

// agentFrame is more than what a fold takes beside its text, in bytes.
const agentFrame = 100

// agentTitle is the title of a fold for a coding agent.
const agentTitle = "Prompt for a coding agent"

// agentFold is a text for a coding agent, to be copied out of a comment; "" of none.
func agentFold(text string) string {
	if text == "" {
		return ""
	}
	return fold(agentTitle, comment.Fence("text", text))
}

// handOver adds the fold for a coding agent to the page of a pull request. It comes last:
// where a comment grows too long it is the first part that finds no room.
func (p Pull) handOver(b *blocks, e Envelope) {
	if p.Number == 0 || len(thatStand(e)) == 0 {
		return
	}
	if text := handedOver(e, min(MaxForAgent, b.room-b.out.Len()-agentFrame)); text != "" {
		b.add(agentFold(text))
		return
	}
	b.left++
}
