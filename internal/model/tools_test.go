package model

import "testing"

// TestRequestBytes: the definitions of the tools are sent with each call that has them,
// also where the party must answer.
func TestRequestBytes(t *testing.T) {
	t.Parallel()
	q := Request{System: "one", Packet: "three", Turn: "seven", Looked: "1"}
	if n := q.Bytes(); n != 14 {
		t.Errorf("%d bytes without tools, want 14", n)
	}
	q.Tools = ToolsHeld
	held := q.Bytes()
	q.Tools = ToolsOpen
	names := 0
	for _, tool := range q.Offered(func(string) bool { return true }) {
		names += len(tool.Name) + len(tool.Description)
		for name := range tool.Schema["properties"].(map[string]any) {
			names += len(name)
		}
	}
	if open := q.Bytes(); open != held || open < 14+names || open > 14+4000 {
		t.Errorf("%d bytes with tools, %d where they are held, and their words are %d", open, held, names)
	}
}
