package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// failure is how a provider fails: in calls of which kind, and with what.
type failure struct {
	kind   string // of call; "": all
	answer http.HandlerFunc
}

// at are the answers of a provider that fails.
func (f failure) at(kind string) http.HandlerFunc {
	if f.kind == "" || f.kind == kind {
		return f.answer
	}
	return nil
}

// TestFailingProviders: whoever fails, however and whenever, the findings are those
// that the others alone would have made, and the report says who failed and why
// (M19).
func TestFailingProviders(t *testing.T) {
	t.Parallel()
	said := func(status int, body string) http.HandlerFunc { return wiretest.JSON(status, body) }
	refused := said(401, `{"error":{"type":"authentication_error","code":401,"message":"the key was revoked"}}`)
	unpaid := said(402, `{"error":{"type":"billing_error","message":"Your credit balance is too low"}}`)
	quota := said(429, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`)
	gone := said(404, `{"error":{"code":"model_not_found","message":"no such model"}}`)
	slow := said(504, `{"error":{"type":"timeout_error","message":"upstream timed out"}}`)
	for _, tt := range []struct {
		name   string
		keys   int // of the providers in their order
		fails  map[string]failure
		words  []string // that the report has
		family bool     // one is left
	}{
		{"primary in RESPOND, two keys", 2, map[string]failure{"anthropic": {"RESPOND", slow}}, []string{"; claude failed", "504"}, true},
		{"primary in RESPOND, three keys", 3, map[string]failure{"anthropic": {"RESPOND", slow}}, []string{"claude failed", "504"}, false},
		{"two keys of three", 3, map[string]failure{"anthropic": {"", refused}, "gemini": {"", refused}}, []string{"claude and gemini failed (the API key", "Check ANTHROPIC_API_KEY and GEMINI_API_KEY."}, true},
		{"no money", 2, map[string]failure{"openai": {"", unpaid}}, []string{"; gpt failed", "402"}, true},
		{"no quota once it has opened", 2, map[string]failure{"openai": {"CHALLENGE", quota}}, []string{"gpt failed", "insufficient_quota"}, true},
		{"no such model", 3, map[string]failure{"anthropic": {"", gone}}, []string{"claude failed", "no such model"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := vendors(t, honest)[:tt.keys]
			for _, v := range all {
				if f, bad := tt.fails[v.name]; bad {
					v.fails = f.at
				}
			}
			dir, record := planted(t, plantedFile), filepath.Join(t.TempDir(), "record.jsonl")
			got := run(t, dir, environment(all), "review", "--uncommitted", "--format", "json", "--record", record)
			if diff := cmp.Diff([]string{zero, first}, titles(got.result.P1, got.result.P2)); diff != "" {
				t.Errorf("%s%s", diff, got.stderr)
			}
			if got.result.Outcome != "CONSENSUS" || strings.Contains(got.stdout, `"same_family": true`) != tt.family {
				t.Errorf("%s\n%s", got.result.Outcome, got.stderr)
			}
			text := run(t, dir, nil, "report", record)
			for _, words := range tt.words {
				wantText(t, "report", text.stdout, words)
			}
			for _, p := range got.result.Parties {
				vendor := map[string]string{"claude": "anthropic", "gpt": "openai", "gemini": "gemini"}[p.ID]
				if _, failed := tt.fails[vendor]; failed != (p.Status != "ok") {
					t.Errorf("%s is %s", p.ID, p.Status)
				}
			}
			if again := run(t, dir, nil, "replay", record); again.code != 0 {
				t.Errorf("replay: exit code %d\n%s", again.code, again.stderr)
			}
		})
	}
}
