package gh

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// maxFolded is how many threads or comments one request changes.
const maxFolded = 50

// Resolve resolves threads of a pull request by their node ids, or opens them again. A
// token of Actions needs permission to write contents, else it returns a
// *PermissionError. If it fails, some of the threads may be done.
func (w *Writer) Resolve(ctx context.Context, threads []string, resolved bool) error {
	mutation := "unresolveReviewThread(input: {threadId: %s})"
	if resolved {
		mutation = "resolveReviewThread(input: {threadId: %s})"
	}
	return w.foldAll(ctx, "resolve review threads", mutation, threads)
}

// Minimize hides comments as resolved, by their node ids, or shows them again.
func (w *Writer) Minimize(ctx context.Context, comments []string, minimized bool) error {
	mutation := "unminimizeComment(input: {subjectId: %s})"
	if minimized {
		mutation = "minimizeComment(input: {subjectId: %s, classifier: RESOLVED})"
	}
	return w.foldAll(ctx, "hide review comments", mutation, comments)
}

// foldAll carries out a mutation for each node, many in one request. It comes to the
// same when it is made twice.
func (w *Writer) foldAll(ctx context.Context, what, mutation string, nodes []string) error {
	for len(nodes) > 0 {
		part := nodes[:min(len(nodes), maxFolded)]
		nodes = nodes[len(part):]
		var names, calls strings.Builder
		v := variables{}
		for i, node := range part {
			name := fmt.Sprintf("$n%d", i)
			fmt.Fprintf(&names, "%s: ID! ", name)
			fmt.Fprintf(&calls, "  m%d: "+mutation+" { clientMutationId }\n", i, name)
			v[name[1:]] = node
		}
		document := "mutation Fold(" + strings.TrimSpace(names.String()) + ") {\n" + calls.String() + "}"
		var done json.RawMessage // nothing in it is of use
		if err := w.sender.ask(ctx, request{what, edit}, document, v, &done); err != nil {
			return err
		}
	}
	return nil
}
