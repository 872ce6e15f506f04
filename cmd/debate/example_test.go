//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestExampleParty holds debates with the party that docs/developers/party.md shows to those
// who write one: it challenges a party of the tests, and opens before one.
func TestExampleParty(t *testing.T) {
	t.Parallel()
	page := readFile(t, filepath.Join("..", "..", "docs", "developers", "party.md"))
	found := regexp.MustCompile("(?s)```sh\n(#!/bin/sh\n.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatal("docs/developers/party.md shows no party")
	}
	example := filepath.Join(t.TempDir(), "example")
	syscall.ForkLock.RLock() // a child that inherits it open could not be started ("text file busy")
	err := os.WriteFile(example, found[1], 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	for name, parties := range map[string]string{
		"challenger": "{opening: position, primary: {provider: exec, command: [party, agree], family: red}, challengers: [{id: second, provider: exec, command: [" + example + "], family: blue}]}",
		"primary":    "{opening: position, primary: {provider: exec, command: [" + example + "], family: red}, challengers: [{id: second, provider: exec, command: [party, agree], family: blue}]}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			settings := filepath.Join(dir, "debate.yml")
			err := errors.Join(
				os.WriteFile(settings, []byte("version: 1\nparties: "+parties+"\n"), 0o644),
				os.WriteFile(filepath.Join(dir, "mean.go"), []byte("package mean\n\nfunc Mean(sum, n int) int { return sum / n }\n"), 0o644),
			)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
				t.Fatalf("git init: %v: %s", err, out)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self, "-q", "review", "--file", "mean.go", "--config", settings, "--format", "json", "--record", filepath.Join(dir, "record.jsonl"))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "BE_DEBATE=1", "HOME="+dir, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
				"ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "GEMINI_API_KEY=")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, &stderr)
			}
			var e struct {
				Outcome string `json:"outcome"`
				P2      []struct {
					ConfirmedBy []string `json:"confirmed_by"`
				} `json:"p2"`
				Objections []struct {
					Status string `json:"status"`
				} `json:"objections"`
				Parties []struct {
					ID     string `json:"id"`
					Calls  int    `json:"calls"`
					Failed int    `json:"failed_calls"`
				} `json:"parties"`
			}
			if err := json.Unmarshal(out, &e); err != nil {
				t.Fatal(err)
			}
			confirmed := len(e.P2) == 1 && len(e.P2[0].ConfirmedBy) == 1
			conceded := len(e.Objections) == 1 && e.Objections[0].Status == "conceded"
			if e.Outcome != "CONSENSUS" || confirmed != (name == "challenger") || conceded != (name == "primary") {
				t.Errorf("outcome %s, findings %+v, objections %+v", e.Outcome, e.P2, e.Objections)
			}
			for _, p := range e.Parties {
				if p.Failed > 0 {
					t.Errorf("%s could not be understood in %d of %d calls", p.ID, p.Failed, p.Calls)
				}
			}
		})
	}
}
