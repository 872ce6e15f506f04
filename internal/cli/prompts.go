package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
)

type promptsCmd struct {
	databaseFlag

	Call   string `arg:"" help:"A kind of call, such as OPEN or REBUT; with --record the id of a call, such as REBUT/2/gpt."`
	Record string `placeholder:"FILE" help:"Print what was sent in this review, in place of an example."`
}

// Run prints the prompt of one kind of call, or of a recorded call.
func (c *promptsCmd) Run(r *run) error {
	if c.Record != "" {
		return c.recorded(r)
	}
	p, ok := prompt.Example(debate.CallKind(strings.ToUpper(c.Call)))
	if !ok {
		return usage(fmt.Errorf("there is no call %q: OPEN, LOCAL, CHALLENGE, RESPOND, REBUT, ARBITER, JUDGE1, JUDGE2, SCORE and SUM_UP are calls", c.Call))
	}
	return r.emit("", promptText(p.System, p.Packet, p.Turn, ""))
}

func (c *promptsCmd) recorded(r *run) error {
	rec, _, err := r.foldRecord(c.Record, c.Database)
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
			system, packet, held := sent.Sent(ev)
			if !held {
				return fmt.Errorf("the record does not hold what was sent for %s", c.Call)
			}
			looked, held := sent.Looked(ev)
			if !held {
				return fmt.Errorf("the record does not hold what %s looked at", c.Call)
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
