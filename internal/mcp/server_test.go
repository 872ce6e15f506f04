package mcp

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// none are tools that nobody may call.
type none struct{ t *testing.T }

func (n none) Review(context.Context, Review, func(string)) (string, error) { return n.called() }
func (n none) Ask(context.Context, Ask, func(string)) (string, error)       { return n.called() }
func (n none) Findings(context.Context, Findings, func(string)) (string, error) {
	return n.called()
}
func (n none) Explain(context.Context, Explain, func(string)) (string, error) { return n.called() }

func (n none) called() (string, error) {
	n.t.Error("a tool is called")
	return "", nil
}

// TestServeOthers: a client that is gone is no error, and one that speaks another language
// is told of as such; nothing is answered that is no message.
func TestServeOthers(t *testing.T) {
	t.Parallel()
	for in, wrong := range map[string]bool{"": false, "what is this?\n": true, strings.Repeat("x", maxMessage+1): true} {
		var out bytes.Buffer
		err := Serve(t.Context(), strings.NewReader(in), &out, "1", none{t})
		if (err != nil) != wrong || wrong && !strings.Contains(err.Error(), "does not keep to the Model Context Protocol") {
			t.Errorf("%.20q: %v", in, err)
		}
		for line := range strings.Lines(out.String()) {
			if !strings.HasPrefix(line, `{"jsonrpc":"2.0"`) {
				t.Errorf("%.20q is answered by %q", in, line)
			}
		}
	}
}
