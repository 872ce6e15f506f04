package pull

import (
	"encoding/json"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// The checkpoint of version 4 of the protocol.
const (
	earlierCheckpoint = 2
	earlierProtocol   = "4"
)

// earlier is that checkpoint, as far as it is taken over: what people decided and dismissed, the names
// of findings, and the cost. A comment had one command. The next summary has the form of today.
type earlier struct {
	Checkpoint
	Debate struct {
		Protocol  string `json:"protocol"`
		SessionID string `json:"session_id"`
		Agenda    struct {
			Decisions []struct {
				ID, Fingerprint, LinkedHash string
				Options                     []debate.Option
				Outcome                     debate.DecisionOutcome
				Human                       *debate.Human
			}
		} `json:"agenda"`
		Asking struct {
			Calls []struct {
				Usage debate.Usage `json:"usage"`
			}
		} `json:"asking"`
	} `json:"debate"`
	Items []struct {
		Item
		Issue int `json:"issue"`
	} `json:"items"`
	Handled []int64 `json:"handled"`
	Waived  []struct {
		Waived
		Comment int64 `json:"comment"`
	} `json:"waived"`
	Dismissed []struct {
		Dismissed
		Comment int64 `json:"comment"`
	} `json:"dismissed"`
}

// readEarlier reads a checkpoint of version 4 as a stub without a head, so its commit is reviewed again. It
// reports whether it is one.
func readEarlier(data []byte) (m Checkpoint, is bool) {
	var old earlier
	if err := json.Unmarshal(data, &old); err != nil || old.Version != earlierCheckpoint || old.Debate.Protocol != earlierProtocol {
		return Checkpoint{}, false
	}
	m = old.Checkpoint
	m.Version, m.Stub = checkpointVersion, true
	m.Debate = debate.Memory{Protocol: debate.ProtocolVersion, SessionID: old.Debate.SessionID}
	for _, c := range old.Debate.Asking.Calls {
		m.Debate.Asking.Calls = append(m.Debate.Asking.Calls, debate.Call{Usage: c.Usage})
	}
	for _, d := range old.Debate.Agenda.Decisions {
		if d.Human == nil {
			continue
		}
		d.Human.Quoted = nil // findings had other ids
		m.Debate.Agenda.Decisions = append(m.Debate.Agenda.Decisions, debate.Decision{
			ID: d.ID, Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Options: d.Options, Outcome: d.Outcome, Human: d.Human,
		})
	}
	for _, i := range old.Items {
		m.Items, m.Issue = append(m.Items, i.Item), max(m.Issue, i.Issue)
	}
	m.Handled = lists.Map(old.Handled, func(id int64) CommandID { return CommandID{id, 0} })
	for _, w := range old.Waived {
		m.Waived = append(m.Waived, Waived{By: CommandID{w.Comment, 0}, Head: w.Head})
	}
	for _, d := range old.Dismissed {
		d.By = CommandID{d.Comment, 0}
		m.Dismissed = append(m.Dismissed, d.Dismissed)
	}
	return m, true
}
