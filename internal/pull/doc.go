// Package pull reviews one pull request of GitHub. An event only names it: every
// run reads anew what stands on GitHub, decides what there is to do, and writes the
// difference, so that a lost event, a repeated one and a crash come to the same end.
//
//	Trigger ──> read ──> Snapshot ──> plan ──> Plan ──> perform ──> Result
//	                                             │         ▲
//	                                          hearing      │ writes
//	                                             ▼         │
//	                                           engine ──> settle
//
// read takes the Snapshot and decides nothing. plan is a function of the Snapshot:
// which commands count, what answers there are, whether a debate is held anew, is
// recalled or taken back, and what the check says otherwise. Once the debate has an
// outcome, the settlement says what shall stand on GitHub; it is a function, too. A
// session performs both: it holds the debate, looks at the pull request again before
// it writes, and keeps the board of what stands there true. conclude is the only
// place that decides the conclusion of the check.
//
// Authority comes from what GitHub says about an account, never from text. What
// stands hidden in a comment counts only if the token that reads it wrote it, and
// what models said only if its seal is whole (S10).
package pull
