package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/agent"
)

// probeLimit is how long the doctor waits for the parties.
const probeLimit = 60 * time.Second

// probeToken is the word in the doctor's request.
const probeToken = "debate-is-on"

// probeResult is the result of asking one party.
type probeResult struct {
	took   time.Duration
	failed *model.Error // nil: it answered
	usage  debate.Usage
	agent  string // version and digest of a command-line agent, "" of others
}

// lines are labels, each with its text.
func (a probeResult) lines() [][2]string {
	said := fmt.Sprintf("answered in %s, %d tokens in, %d out", a.took.Round(time.Millisecond), a.usage.TokensIn, a.usage.TokensOut)
	if a.failed != nil {
		said = fmt.Sprintf("%s, after %s", failures[a.failed.Class], a.took.Round(time.Millisecond))
	}
	lines := [][2]string{{fmt.Sprintf("    %-14s ", "online"), said}}
	if a.agent != "" {
		lines = append(lines, [2]string{fmt.Sprintf("    %-14s ", "installed"), comment.Line(a.agent)})
	}
	return lines
}

// probeAll asks all debaters and a separate arbiter at once. A party without an answer
// cannot take part, nor can the roles that it serves.
func probeAll(ctx context.Context, getenv func(string) string, seated *panel) map[string]probeResult {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	var mu sync.Mutex
	var wait sync.WaitGroup
	results := make(map[string]probeResult)
	for _, p := range available(seated.parties) {
		if p.Debater != "" {
			continue
		}
		wait.Go(func() {
			a := probeOne(ctx, getenv, seated.clients[p.ID], p)
			mu.Lock()
			defer mu.Unlock()
			results[p.ID] = a
		})
	}
	wait.Wait()
	for i := range seated.parties {
		p := &seated.parties[i]
		if failed := results[cmp.Or(p.Debater, p.ID)].failed; failed != nil {
			p.Status, p.Detail = debate.PartyError, failed.Error()
		}
	}
	return results
}

func probeOne(ctx context.Context, getenv func(string) string, asked engine.Client, p debate.Party) probeResult {
	var a probeResult
	if version, digest, err := agent.Probe(ctx, p.Provider, getenv); err == nil {
		a.agent = version + ", sha256 " + digest
	} else if digest != "" {
		a.agent = "its version is not known (" + err.Error() + "), sha256 " + digest
	}
	begin := time.Now()
	response, err := asked.Ask(ctx, model.Request{ // the smallest one that needs an answer in JSON
		SchemaVersion: model.SchemaVersion, Ask: "DOCTOR",
		System: "Answer with the JSON object that you are asked for, and nothing else.",
		Packet: "There is no material.\n",
		Turn:   `{"request":"Answer with this JSON object: {\"token\": \"` + probeToken + `\"}"}`,
	})
	if err == nil && !strings.Contains(response.Text, probeToken) {
		err = &model.Error{Class: debate.CallMalformed, Detail: "it answers something else than it is asked for"}
	}
	a.took, a.failed, a.usage = time.Since(begin), model.Classify(err), response.Usage
	return a
}
