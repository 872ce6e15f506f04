// Package debatetest plays whole debates without any model. Its world is a small
// change, a clock that ticks once for each event, and parties that are functions
// or texts.
//
// A script is a txtar archive, testdata/<name>.txtar. Its comment holds prose
// after # and one directive a line; directive.go lists them. Its files are
//
//	change.diff   the change; without it the change is testdata/cart.diff
//	body.md       the text of the pull request
//	head/<path>   a whole file at head, for what the diff does not show
//	previous.json what earlier heads left (debate.Previous)
//	<ask id>      the reply to that ask, as a model would send it, for instance
//	              CHALLENGE/1/gpt
//
// A script must be exact: an ask without a reply, a reply that nobody asked for
// and a directive that never fires are errors.
package debatetest
