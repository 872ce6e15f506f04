// Package bot is the edge of a GitHub App: it takes deliveries of webhooks, and reviews
// their pull requests as the Action does.
//
//	delivery ──> Hook ──> database ──> Dispatcher ──> queue ──> Worker ──> pull.Runner
//	               poll ────┘ ▲                                   │
//	              sweep ──────┘          done, again later, given up
//
// A delivery is durable before its answer. It only names a place to look at; the work
// follows from the state on GitHub at that time. So a lost, late, repeated or unordered
// delivery leads to the same end. The database counts wanted and done work, and it alone
// knows the rest. The queue runs one job for a pull request at a time.
//
// Questions and answers of a debate are stored as they arrive. A dead job runs again and
// continues with its record, so no answer is paid twice.
package bot
