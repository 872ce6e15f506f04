// Package debate is the protocol as a pure reducer: an event and a state give
// the next state, and the work that is outstanding is computed from the state.
// Nothing in it knows a context, a clock, randomness, files, models, logging or
// goroutines: whatever comes from outside arrives as the data of an event.
//
// The host keeps one order: append the event, then act on what Outstanding
// says, then feed the result back as the next event. A log that is folded
// again therefore gives the same state, byte for byte.
//
// The machine. A stage in [brackets] waits for the replies of a wave: all its
// calls are outstanding at once, and it is reduced in party order when the last
// reply is there.
//
//	RECEIVED -> SNAPSHOT -> SPLIT -> ELIGIBLE -> PREFLIGHT -> [OPENING] -> [CHALLENGE] -> CONSENSUS
//	ELIGIBLE  -> SKIPPED -> PUBLISH
//	SPLIT     -> DONE | AWAITING_HUMAN | PUBLISH, of a debate that goes on from a remembered one
//	PREFLIGHT, OPENING, CHALLENGE -> [DEGRADED] -> GATE
//	CONSENSUS -> [CONFRONT] -> [REBUT] -> ITERATE -> [CONFRONT] ...
//	CONSENSUS, CONFRONT, REBUT, ITERATE -> [SYNTHESISE] -> [ARBITRATE] -> [PANEL1] -> [PANEL2] -> [SCORE] -> GATE -> PUBLISH
//	GATE      -> [SUM_UP] -> PUBLISH, of a question
//	PUBLISH   -> DONE | AWAITING_HUMAN
//	AWAITING_HUMAN -> HUMAN_DECIDED -> PUBLISH | AWAITING_HUMAN
//	DONE, AWAITING_HUMAN -> [DISPUTE] -> PUBLISH
//	any but DONE -> SUPERSEDED (a new head) | ABORTED
//
// A challenge lives like this:
//
//	open --named, with a defence--> defended --accepted, or the evidence is verified--> resolved: the claim lives
//	open --not named--> dropped (reminded once) --not named--> undefended
//	open, defended --conceded--> conceded, or open again where another party still holds the claim
//	defended --maintained--> open again, or upheld if it is a REJECT; the third time, or with nothing new, it is a deadlock
//	defended --maintained in words alone--> dissent: it moves nothing
//	defended --not judged, twice--> upheld
//	open, defended --words alone, against what two voices hold--> dissent: the claim lives
//
// One file holds one stage or one noun: opening.go, challenging.go,
// consensus.go, confront.go, rebut.go, iterate.go, synthesise.go, arbitrate.go,
// decide.go, gate.go, sum_up.go, human.go and dispute.go are the stages in their order;
// memory.go, prune.go and recall.go carry what they came to into the next run.
//
// The State names its parts, each with the methods that only read it: the Table
// is who sits there (table.go), the Talk how far it has come (talk.go), Asking what
// is asked and what it cost (asking.go), the Agenda what is to be decided
// (agenda.go), the Ending what came of it.
//
// The Book holds what was said: claims, challenges and where each statement comes
// from; it knows neither stages nor decisions. In the name of one event a clerk
// writes in it (clerk.go, raise.go), a hearing takes what parties say of each
// other's claims (evaluate.go, answer.go, rebut.go, substitute.go), and settling puts
// claims into their buckets (buckets.go). Support says who stands behind a claim and
// who against it (standing.go), floor who holds which option (floor.go), attacks who
// objects to what (attacks.go), unsaid who still has to speak (unsaid.go); they only read.
//
// The reducer moves the stages, and leaves each topic to a part that sees what it needs
// and moves none: the desk asks parties within the budgets (wave.go), a listener takes
// what one reply brings (listen.go), the docket builds and ends decisions (docket.go),
// the bench gets them voted on and scored (decide.go, score.go). Where what a part does
// leads to another stage, it returns that stage. In which stage an event may come is a
// table (timely.go).
//
// Why is a reason and Fact a thing that happened, both in codes (why.go,
// history.go). Nothing in the reducer reads a fact; whoever shows one makes the
// sentence (internal/report/reason).
//
// docs/developers/protocol.md says which function carries out each rule.
package debate
