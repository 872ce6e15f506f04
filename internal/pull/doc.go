// Package pull reviews one pull request of GitHub. An event only names it: every run
// reads GitHub again, decides what to do, and writes the difference, so a lost event, a
// repeated one and a crash come to the same end.
//
//	Trigger ──> read ──> Snapshot ──> plan ──> Plan ──> perform ──> Result
//	                                             │         ▲
//	                                          prepare      │ writes
//	                                             ▼         │
//	                                           engine ──> settle
//
// read takes the Snapshot and decides nothing. plan is a function of the Snapshot: which
// commands and answers count, whether a debate is new, recalled or withdrawn, and else
// the text of the check. Once the debate has an outcome, the settlement computes all
// texts for GitHub; it is a function, too. A session performs both: it holds the debate,
// looks at the pull request again before it writes, and keeps our own texts up to date.
// conclude is the only place that decides the conclusion of the check.
//
// Authority comes from the rights of an account on GitHub, never from text. A marker in a
// comment counts only if our own account wrote it, and the state of a debate only if its
// seal is valid.
package pull
