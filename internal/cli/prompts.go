package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/report"
)

type promptsCmd struct {
	databaseFlag

	Call   string `arg:"" help:"The id of a call, such as REBUT/2/gpt; an unknown one lists all."`
	Record string `placeholder:"REVIEW" help:"A review: its number in debate reviews, its record, or its id at a server (default: your newest review of this repository)."`
}

// Run prints the prompt of a recorded call.
func (c *promptsCmd) Run(r *run) error {
	name, err := r.recordNamed(c.Record)
	if err != nil {
		return err
	}
	rec, _, err := r.foldRecord(name, c.Database)
	if err != nil {
		return err
	}
	var sent engine.Prompts
	var calls []string
	for _, e := range rec.Entries {
		if why := sent.Add(e.Event); why != "" {
			return fmt.Errorf("event %d of the record: %s", e.N, why)
		}
		ev, ok := e.Event.(debate.Replied)
		if ok && !slices.Contains(calls, ev.Ask) {
			calls = append(calls, ev.Ask)
		}
		if ok && ev.Ask == c.Call {
			system, packet, looked, held := sent.Sent(ev)
			if !held {
				return fmt.Errorf("the record does not hold what was sent for %s", c.Call)
			}
			return r.emit("", promptText(system, packet, ev.Turn, looked))
		}
	}
	if len(calls) == 0 {
		return usage(errors.New("the record has no calls: no model was asked"))
	}
	return usage(fmt.Errorf("the record has no call %q; it has %s", c.Call, report.Capped(calls, ", ")))
}

// promptText returns the three parts of a prompt. Below them it repeats the request line by
// line for people, and adds what the party looked at.
func promptText(system, packet, turn, looked string) []byte {
	var b bytes.Buffer
	b.WriteString("=== system\n" + system + "\n=== packet\n" + packet + "\n=== turn\n")
	if err := json.Indent(&b, []byte(turn), "", "  "); err != nil {
		b.WriteString(turn)
	}
	var request struct{ Request string }
	if json.Unmarshal([]byte(turn), &request) == nil {
		b.WriteString("\n\n=== request\n" + request.Request)
	}
	if looked != "" {
		b.WriteString("\n=== looked\n" + looked)
	}
	return b.Bytes()
}
