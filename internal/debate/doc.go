// Package debate is the protocol as a pure reducer: an event and a state give
// the next state, and the work that is outstanding is computed from the state.
// Nothing in it knows a context, a clock, randomness, files, models, logging or
// goroutines: whatever comes from outside arrives as the data of an event.
//
// The host keeps one order: append the event, then act on what Outstanding
// says, then feed the result back as the next event. A log that is folded
// again therefore gives the same state, byte for byte.
//
// The states that exist today, and what moves a debate between them:
//
//	RECEIVED --snapshotted--> SNAPSHOT --split--> SPLIT --critiqued, resolved--> SPLIT
//	SPLIT --policed--> ELIGIBLE --(skip reason)--> SKIPPED --> PUBLISH
//	                   ELIGIBLE --(none)--> PREFLIGHT --preflighted--> DEGRADED --> GATE --> PUBLISH
//	PUBLISH --published--> DONE | AWAITING_HUMAN | SKIPPED
//	any state but a terminal one --aborted--> ABORTED
//
// PREFLIGHT leaves for OPENING when a primary and a challenger can be reached.
// This build has no model calls, so that such a party table is refused instead
// of being passed off as a debate.
package debate
