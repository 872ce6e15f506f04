package segment

import (
	"strings"
	"testing"
)

func TestIsSignal(t *testing.T) {
	t.Parallel()
	yes := `
Design
design
DESIGN
Designs
Proposal
Proposals
Approach
Approaches
Decision
Decisions
Tradeoff
Tradeoffs
Trade-off
Trade-offs
Trade offs
TRADE-OFFS
Proposed design
The proposed design
Technical approach
Technical design
Detailed design
High-level design
System design
API design
Our approach
Design decisions
Design decision
Design overview
Design rationale
Design considerations
Design goals
Design & rationale
Design and tradeoffs
Trade-offs and alternatives
Tradeoffs considered
Key decisions
Architectural decision
Architecture decisions
Decision record
Decision drivers
Decision outcome
Decision 3
Decision 3: use Postgres
Decision B - keep it
2. Design
2.1 Proposed design
IV. Approach
Design: the cache
Design — the cache
Design (draft)
RFC 12: Proposal
ADR-7: Decision
Approach to retries
Design of the cache
Proposal for a new API
🎨 Design
**Design**
` + "`Design`" + `
_Approach_
[Design](https://example.com/designer)
Design <a id="anchor"></a>
Design <!-- required -->
<h2 align="center">Design</h2>
Design:
Approach taken
Approach / design
Rationale, trade-offs
`
	no := `

Designer
Designers
Redesign
Redesigned
Undecided
Decisive
Approachable
Designated owners
Proposed
Proposer
Trade
Trade offer
Trade-in offers
Offs
Design tokens
Design system
Design patterns
Decision tree
Decision table
Fix design bug
Remove the old approach
No design changes
Testing approach
Test plan
Summary
Motivation
Alternatives considered
Implementation
Non-goals
Predesign
designing
design_tokens
[Summary](https://example.com/design)
Einführung
Entwurfs-Design-System
`
	for _, h := range strings.Split(strings.Trim(yes, "\n"), "\n") {
		if !isSignal(h) {
			t.Errorf("%q is no signal heading, want one", h)
		}
	}
	for _, h := range strings.Split(strings.TrimSuffix(no, "\n"), "\n") {
		if isSignal(h) {
			t.Errorf("%q is a signal heading, want none", h)
		}
	}
}
