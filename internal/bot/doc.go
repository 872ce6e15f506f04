// Package bot is the edge of a GitHub App: it takes deliveries of webhooks, and has the
// pull requests that they name reviewed as an Action would.
//
//	delivery ──> Hook ──> database ──> Dispatcher ──> queue ──> Worker ──> pull.Runner
//	               poll ────┘ ▲                                   │
//	              sweep ──────┘          done, again later, given up
//
// A delivery is durable before it is answered. It only says what somebody has to look
// at: what there is to do follows from what stands on GitHub then, so that a delivery
// that is lost, late, repeated or out of order leads to the same end. The database
// counts what was wanted and what was done of it, and that alone is the truth about what
// is left; the queue carries it out, one job for a pull request at a time.
//
// What a debate asked and was answered is kept as it arrives. A job that dies is done
// again and goes on with that record, and pays for no answer twice.
package bot
