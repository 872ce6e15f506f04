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

// liveLimit is how long the doctor waits for the parties.
const liveLimit = 60 * time.Second

// liveToken is the word in the doctor's request.
const liveToken = "debate-is-on"

// live returns the smallest request that needs an answer in JSON.
func live() model.Request {
	return model.Request{
		SchemaVersion: model.SchemaVersion, Ask: "DOCTOR",
		System: "Answer with the JSON object that you are asked for, and nothing else.",
		Packet: "There is no material.\n",
		Turn:   `{"request":"Answer with this JSON object: {\"token\": \"` + liveToken + `\"}"}`,
	}
}

// answered is the result of asking one party.
type answered struct {
	took   time.Duration
	failed *model.Error // nil: it answered
	usage  debate.Usage
	agent  string // version and digest of a command-line agent, "" of others
}

func (a answered) lines() []string {
	said := fmt.Sprintf("answered in %s, %d tokens in, %d out", a.took.Round(time.Millisecond), a.usage.TokensIn, a.usage.TokensOut)
	if a.failed != nil {
		said = fmt.Sprintf("%s after %s", a.failed.Class, a.took.Round(time.Millisecond))
	}
	lines := []string{fmt.Sprintf("    %-14s %s", "online", said)}
	if a.agent != "" {
		lines = append(lines, fmt.Sprintf("    %-14s %s", "installed", comment.Line(a.agent)))
	}
	return lines
}

// callAll asks all debaters and a separate arbiter at once. A party without an answer
// cannot take part, nor can the roles that it serves.
func callAll(ctx context.Context, getenv func(string) string, seated *panel) map[string]answered {
	ctx, cancel := context.WithTimeout(ctx, liveLimit)
	defer cancel()
	var mu sync.Mutex
	var wait sync.WaitGroup
	results := make(map[string]answered)
	for _, p := range able(seated.parties) {
		if p.Debater != "" {
			continue
		}
		wait.Go(func() {
			a := callOne(ctx, getenv, seated.clients[p.ID], p)
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

func callOne(ctx context.Context, getenv func(string) string, asked engine.Client, p debate.Party) answered {
	var a answered
	if version, digest, err := agent.Probe(ctx, p.Provider, "", getenv); err == nil {
		a.agent = version + ", sha256 " + digest
	} else if digest != "" {
		a.agent = "its version is not known (" + err.Error() + "), sha256 " + digest
	}
	begin := time.Now()
	response, err := asked.Ask(ctx, live())
	if err == nil && !strings.Contains(response.Text, liveToken) {
		err = &model.Error{Class: debate.CallMalformed, Detail: "it answers something else than it is asked for"}
	}
	a.took, a.failed, a.usage = time.Since(begin), model.Classify(err), response.Usage
	return a
}
