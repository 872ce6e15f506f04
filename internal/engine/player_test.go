package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// turn is what a party of these tests reads of what it is asked.
type turn struct {
	Envelope struct {
		Call  string `json:"call"`
		Party string `json:"party"`
		Round int    `json:"round"`
	} `json:"input_envelope"`
	Request string `json:"request"`
	Claims  []struct {
		ID         string `json:"id"`
		OwnerIsYou bool   `json:"owner_is_you"`
	} `json:"claims"`
	Challenges []struct {
		ID            string `json:"id"`
		Claim         string `json:"claim"`
		DefenderIsYou bool   `json:"defender_is_you"`
	} `json:"challenges"`
	Decisions []struct {
		ID      string `json:"id"`
		Options []struct {
			ID string `json:"id"`
		} `json:"options"`
		Criteria []struct {
			ID string `json:"id"`
		} `json:"criteria"`
	} `json:"decisions"`
	Notice []string `json:"notice"`
}

func readTurn(req model.Request) turn {
	var t turn
	from, to := strings.IndexByte(req.Turn, '{'), strings.LastIndexByte(req.Turn, '}')
	if from < 0 || to < from {
		panic("the turn holds no object")
	}
	if err := json.Unmarshal([]byte(req.Turn[from:to+1]), &t); err != nil {
		panic(err)
	}
	return t
}

type object = map[string]any

// here cites the line that the change of these tests adds.
func here() []object {
	return []object{{"path": "run.sh", "start_line": 2, "end_line": 2, "quote": "token=[redacted] deploy"}}
}

func claim(title, severity string) object {
	return object{
		"kind": "empirical", "severity": severity, "category": "correctness", "title": title,
		"body": "It fails where the shell is not the one that was tested.", "ref": here(),
	}
}

// dispute answers every call so that the debate goes on for as long as it may:
// nobody gives in, and the judges do not agree.
func dispute(t turn) object {
	reply := object{"summary": t.Envelope.Party + " says so", "recommendation": "revise"}
	if t.Envelope.Party != "gpt" {
		reply["recommendation"] = "reject"
	}
	switch t.Envelope.Call {
	case "OPEN", "LOCAL":
		reply["disposition"], reply["confidence"] = "revise", "HIGH"
		reply["claims"] = []object{claim("The script has no error handling", "P1")}
	case "CHALLENGE":
		reply["verdict"], reply["objection_strength"], reply["confidence"] = "disagree", "strong", "HIGH"
		var evaluations []object
		for _, c := range t.Claims {
			if !c.OwnerIsYou {
				evaluations = append(evaluations, object{"claim": c.ID, "class": "REJECT", "flaw": "it does stop", "ref": here(), "supports": "contradicts"})
			}
		}
		reply["evaluations"] = evaluations
		reply["new_claims"] = []object{claim("The deployment has no lock, says "+t.Envelope.Party, "P2")}
		reply["checked"] = []object{{"segment": "S1", "scenario": "two deployments at once", "ref": here()}}
		reply["strongest_objection"] = object{"segment": "S1", "text": "two deployments at once", "ref": here(), "fatal": "yes"}
	case "RESPOND", "REBUT":
		var answers, defences []object
		for _, c := range t.Challenges {
			switch {
			case t.Envelope.Call == "RESPOND" && c.DefenderIsYou:
				answers = append(answers, object{"challenge": c.ID, "move": "REJECT", "text": "it does not hold", "ref": here()})
			case t.Envelope.Call == "RESPOND":
			case c.DefenderIsYou:
				defences = append(defences, object{"challenge": c.ID, "text": "it holds", "ref": here()})
			default:
				answers = append(answers, object{"challenge": c.ID, "move": "MAINTAIN", "text": "that misses it", "ref": here()})
			}
		}
		var evaluations []object
		for _, c := range t.Claims {
			if t.Envelope.Call == "RESPOND" && !c.OwnerIsYou {
				evaluations = append(evaluations, object{"claim": c.ID, "class": "SKEPTICAL", "flaw": "unlikely", "ref": here(), "supports": "supports"})
			}
		}
		reply["answers"], reply["defences"], reply["evaluations"] = answers, defences, evaluations
		reply["delta"] = object{"value": 0.3, "because": []string{"K1"}}
		reply["position"] = object{"disposition": "revise", "summary": "still so", "confidence": "MED"}
		reply["final_option"] = reply["recommendation"]
		reply["why_disagree"], reply["right_if"], reply["core_assumption"] = "we weigh it differently", "it never ran twice", "it runs twice"
	case "ARBITER":
		var items []object
		for _, c := range t.Claims {
			items = append(items, object{"claim": c.ID, "flag": "ok"})
		}
		reply["items"] = items
	case "JUDGE1", "JUDGE2":
		reply["option"], reply["confidence"], reply["reason"] = "revise", "MED", "the risk is small"
		if t.Envelope.Party == "risk" {
			reply["option"] = "reject"
		}
	case "SCORE":
		var sheets []object
		for _, d := range t.Decisions {
			var scores []object
			for i, o := range d.Options {
				for j, c := range d.Criteria {
					scores = append(scores, object{"option": o.ID, "criterion": c.ID, "score": (3*i + 2*j + len(t.Envelope.Party)) % 11})
				}
			}
			sheets = append(sheets, object{"id": d.ID, "scores": scores, "rationale": "weighed"})
		}
		reply["decisions"] = sheets
	}
	return reply
}

// agree answers every call so that the debate ends as soon as it can.
func agree(t turn) object {
	reply := dispute(t)
	reply["recommendation"] = "revise"
	if t.Envelope.Call == "CHALLENGE" {
		reply["verdict"], reply["objection_strength"] = "agree", "none"
		delete(reply, "new_claims")
		var evaluations []object
		for _, c := range t.Claims {
			if !c.OwnerIsYou {
				evaluations = append(evaluations, object{"claim": c.ID, "class": "AGREE", "ref": here(), "supports": "supports"})
			}
		}
		reply["evaluations"] = evaluations
	}
	return reply
}

// table is who sits at a debate of these tests. It serves every party, counts
// what is asked, and lets a test come between.
type table struct {
	answer func(turn) object
	// Each may be nil.
	delay  func(turn) time.Duration
	before func(ctx context.Context, t turn, times int) (text string, err error, done bool) // times: how often this was asked, 1 for the first

	mu    sync.Mutex
	asked map[string]int
}

func (p *table) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	t := readTurn(req)
	key := fmt.Sprintf("%s/%d/%s", t.Envelope.Call, t.Envelope.Round, t.Envelope.Party)
	p.mu.Lock()
	if p.asked == nil {
		p.asked = make(map[string]int)
	}
	p.asked[key]++
	times := p.asked[key]
	p.mu.Unlock()
	if p.delay != nil {
		select {
		case <-time.After(p.delay(t)):
		case <-ctx.Done():
			return model.Response{}, ctx.Err()
		}
	}
	if p.before != nil {
		if text, err, done := p.before(ctx, t, times); done {
			return model.Response{Text: text}, err
		}
	}
	data, err := json.Marshal(p.answer(t))
	return model.Response{Text: string(data)}, err
}

// started is a debate that comes to its end.
func started(t *testing.T, r *Review, first debate.Received) debate.State {
	t.Helper()
	state, err := r.Start(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func inJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
