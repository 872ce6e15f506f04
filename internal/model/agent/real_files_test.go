//go:build agents

package agent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// TestRealFiles: an agent that gets files reads them, and nothing outside its room, and
// has no tool that writes or runs anything.
func TestRealFiles(t *testing.T) {
	calls := map[string]func(path string) string{
		"claude": func(path string) string {
			return wiretest.Events(
				"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,`+
					`"usage":{"input_tokens":1,"output_tokens":1}}}`,
				"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}}`,
				"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+quoted(`{"file_path":`+quoted(path)+`}`)+`}}`,
				"content_block_stop", `{"type":"content_block_stop","index":0}`,
				"message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}`,
				"message_stop", `{"type":"message_stop"}`)
		},
		"gemini-cli": func(path string) string {
			return wiretest.Data(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{"file_path":` + quoted(path) +
				`}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`)
		},
	}
	reading := map[string]bool{
		"Read": true, "Grep": true, "Glob": true,
		"read_file": true, "list_directory": true, "glob": true, "grep_search": true, "search_file_content": true,
	}
	for _, s := range stages() {
		read, does := calls[s.agent]
		if !does {
			continue
		}
		t.Run(s.agent, func(t *testing.T) {
			checkout := surround(t)
			for _, c := range []struct {
				path  string
				shown string // in what the agent sends then
			}{
				{"repo/lib/a.txt", "the-line-in-the-room"},
				{filepath.Join(checkout, "main.go"), ""},
				{"/etc/passwd", ""},
				{"/proc/self/environ", ""},
				{"../home/.gemini/settings.json", ""},
				{"repo/../../home/system.md", ""},
			} {
				server := wiretest.New(t, wiretest.SSE(read(c.path)), wiretest.SSE(s.answer))
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				req := realRequest(checkout)
				req.Files = []model.File{{Path: "lib/a.txt", Text: "the-line-in-the-room\n"}}
				got, err := realClient(t, s, server).Ask(ctx, req)
				cancel()
				sent := server.Requests()
				if err != nil || got.Text != realReply || len(sent) != 2 {
					t.Errorf("%s: %q, %v, %d requests", c.path, got.Text, err, len(sent))
				}
				said, tools := spoken(t, sent[0].Body)
				if len(said) == 0 || !strings.Contains(said[len(said)-1], model.FilesNote) {
					t.Errorf("it is not told of the files")
				}
				for _, name := range tools {
					if !reading[name] {
						t.Errorf("it has the tool %s", name)
					}
				}
				last := sent[len(sent)-1].Body
				if strings.Contains(last, "the-line-in-the-room") != (c.shown != "") || strings.Contains(last, "root:") || strings.Contains(last, testKey) || holds(last) {
					t.Errorf("%s: it reads what it should not, or not what it should:\n%s", c.path, last[max(0, len(last)-1500):])
				}
			}
			untouched(t, checkout)
			if _, err := os.Stat(filepath.Join(checkout, "marker")); err == nil {
				t.Error("something was run")
			}
		})
	}
}
