// Package pull reviews one pull request of GitHub. An event only names it: every
// run reads anew what stands on GitHub, computes what there is to do, and writes the
// difference, so that a lost event, a repeated one and a crash come to the same end.
//
//	Trigger ──> read ──> situation ──┬─> nothing to do
//	                                 ├─> replies to commands
//	                                 └─> session ──> engine ──> publish ──> Result
//	                                       │
//	          fresh: a head that nobody reviewed, or somebody asked for it
//	          recalled: the reviewed head again, with an answer, a dispute or an order
//
// Authority comes from what GitHub says about an account, never from text. What
// stands hidden in a comment counts only if the token that reads it wrote it, and
// what models said only if its seal is whole (S10).
package pull
