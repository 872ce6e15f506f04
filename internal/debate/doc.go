// Package debate is the protocol as a pure reducer: an event and a state give the next state,
// and the outstanding work is computed from the state. It knows no context, clock, randomness,
// files, models, logging or goroutines: everything from outside arrives as the data of an
// event.
//
// The host keeps one order: append the event, then do the work of Outstanding, then feed the
// result back as the next event. So a log folds to the same state again, byte for byte.
//
// The machine. A stage in [brackets] waits for the replies of a wave: all its calls are
// outstanding at once, and the last reply reduces it in party order.
//
//	RECEIVED -> SNAPSHOT -> SPLIT -> ELIGIBLE -> PREFLIGHT -> [OPENING] -> [CHALLENGE] -> CONSENSUS
//	ELIGIBLE  -> SKIPPED -> PUBLISH
//	SPLIT     -> DONE | AWAITING_HUMAN | PUBLISH, of a debate continued from a memory
//	PREFLIGHT, OPENING, CHALLENGE -> [DEGRADED] -> GATE
//	CONSENSUS, ITERATE -> [CONFRONT] -> [REBUT] -> ITERATE, without REBUT if no party has a turn
//	CONSENSUS, CONFRONT, REBUT, ITERATE -> [SYNTHESISE] -> [ARBITRATE] -> [PANEL1] -> [PANEL2] -> [SCORE] -> GATE -> PUBLISH
//	GATE      -> [SUM_UP] -> PUBLISH, of a question
//	PUBLISH   -> DONE | AWAITING_HUMAN
//	AWAITING_HUMAN -> HUMAN_DECIDED -> PUBLISH | AWAITING_HUMAN
//	DONE, AWAITING_HUMAN -> [DISPUTE] -> PUBLISH
//	any but DONE -> SUPERSEDED (a new head) | ABORTED
//
// The life of a challenge:
//
//	open --named by a holder, with a defence--> defended --accepted, or the evidence is verified--> resolved: the claim lives
//	open --not named--> dropped (reminded once) --not named--> undefended
//	open --conceded by its owner, and no other holder defends it--> conceded
//	defended --maintained with something new--> open again, or upheld if it is a REJECT; the third time it is a deadlock
//	defended --maintained with nothing new, or not judged--> upheld, a deadlock if both have quoted, or a dissent in words alone
//	open, defended --words alone, against a claim of two voices--> dissent: the claim lives
//
// One file holds one stage or one noun. The stages in their order: opening.go, challenging.go,
// consensus.go, exchange.go, rebut.go, iterate.go, synthesise.go, arbitrate.go, decide.go,
// score.go, gate.go, sum_up.go, human.go and dispute.go. memory.go and short.go carry the
// result into the next run.
//
// The State has parts, each with the methods that only read it: the Table of the parties
// (table.go), the Talk with the progress of the debate (talk.go), Asking with the calls and
// their cost (call.go), the Agenda of decisions (agenda.go), the Book of claims, challenges and
// the ledger (claim.go, challenge.go, book.go), and the Ending with the result. A rule that reads
// several parts is a method of the State: holding says how a claim is held, status gives it its
// bucket (claims.go; people read of an unresolved one that it is disputed or not confirmed, see
// report.Contradicted), settles counts the options (questions.go), over says if anything is left
// to debate (iterate.go). evidence.go says what a quote shows.
//
// The reducer is the State of one event with the Step that records it. Its methods write. Only
// transition moves the stage, and a table says in which stage an event may come (rules.go).
//
// Why is a reason and Fact an event in the debate, both in codes (why.go, history.go). The
// reducer never reads a fact; the surfaces make the sentences (internal/report/why.go).
//
// docs/developers/protocol.md names the functions of each rule.
package debate
