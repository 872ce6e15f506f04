package pull

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// The earlier versions of the protocol and of their checkpoints that a run can read.
const (
	lastProtocol      = "4"
	lastCheckpoint    = 2
	earlierProtocol   = "3"
	earlierCheckpoint = 1
)

// earlierMemory is the used part of a debate in version 3 of the protocol. It does not
// follow debate.Memory, because its members have another meaning now.
type earlierMemory struct {
	SessionID string              `json:"session_id"`
	BaseSHA   string              `json:"base"`
	HeadSHA   string              `json:"head"`
	Disputes  int                 `json:"disputes"`
	Segments  []debate.SegmentKey `json:"segments"`
	Before    struct {
		Heads int `json:"heads"`
	} `json:"before"`
	Claims    []earlierClaim `json:"claims"`
	Decisions []struct {
		ID, Fingerprint, LinkedHash, Recommendation string
		Outcome                                     debate.DecisionOutcome
		Options                                     []debate.Option
		Human                                       *struct {
			Status           debate.HumanStatus
			By, Option, Head string
			Reason           string
			At, AskedAt      int64
			Self             bool
		}
	} `json:"decisions"`
	Calls []earlierCall `json:"calls"`
}

type earlierClaim struct {
	ID, Owner, Title, Body string
	Severity               debate.Severity
	Category               debate.Category
	Bucket                 debate.Bucket
	Evidence               []debate.Evidence
	Final                  bool
}

type earlierCall struct {
	Usage debate.Usage `json:"usage"`
}

// memory converts the debate to the current form.
func (e earlierMemory) memory() debate.Memory {
	m := debate.Memory{
		Protocol: earlierProtocol, SessionID: e.SessionID, BaseSHA: e.BaseSHA, HeadSHA: e.HeadSHA, Disputes: e.Disputes,
		Segments: e.Segments, Before: debate.Previous{Heads: e.Before.Heads},
	}
	m.Book.Claims = lists.Map(e.Claims, func(c earlierClaim) debate.Claim {
		return debate.Claim{
			ID: c.ID, Owner: c.Owner, Severity: c.Severity, Category: c.Category, Title: c.Title, Body: c.Body, Bucket: c.Bucket,
			Evidence: c.Evidence, Final: c.Final,
		}
	})
	for _, d := range e.Decisions {
		kept := debate.Decision{
			ID: d.ID, Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Recommendation: d.Recommendation, Outcome: d.Outcome, Options: d.Options,
		}
		if h := d.Human; h != nil {
			kept.Human = &debate.Human{
				Status: h.Status, By: h.By, Option: h.Option, Reason: h.Reason, At: h.At, AskedAt: h.AskedAt, Head: h.Head, Self: h.Self,
			}
		}
		m.Agenda.Decisions = append(m.Agenda.Decisions, kept)
	}
	m.Asking.Calls = lists.Map(e.Calls, func(c earlierCall) debate.Call { return debate.Call{Usage: c.Usage} })
	return m
}

// takenOver is a checkpoint of an earlier version of the protocol, with a note for
// people.
func (m Checkpoint) takenOver() (checkpoint Checkpoint, note string, ok bool) {
	version := m.Debate.Protocol
	if m.Stub { // a stub has no field with another meaning in another version
		m.Debate.Protocol = debate.ProtocolVersion
	}
	m.Stub = true
	return m, "the last review was made under version " + version + " of the protocol: its findings, decisions and costs are taken over, and the next review begins anew", true
}

// readCheckpoint reads a checkpoint of this version of the protocol or of the two before.
// Note names the version that was converted.
func readCheckpoint(data []byte) (checkpoint Checkpoint, note string, ok bool) {
	var outer struct {
		Checkpoint
		Debate json.RawMessage `json:"debate"`
	}
	if err := json.Unmarshal(data, &outer); err != nil {
		return Checkpoint{}, "", false
	}
	var version struct {
		Protocol json.RawMessage             `json:"protocol"`  // a number up to version 3
		Named    []struct{ Claim, F string } `json:"published"` // up to version 4; claims had ids of their own
	}
	if err := json.Unmarshal(outer.Debate, &version); err != nil {
		return Checkpoint{}, "", false
	}
	checkpoint = outer.Checkpoint
	type form struct {
		checkpoint int
		protocol   string
	}
	switch (form{outer.Version, strings.Trim(string(version.Protocol), `"`)}) {
	case form{checkpointVersion, debate.ProtocolVersion}:
		err := json.Unmarshal(outer.Debate, &checkpoint.Debate)
		return checkpoint, "", err == nil
	case form{earlierCheckpoint, earlierProtocol}:
		var before earlierMemory
		if err := json.Unmarshal(outer.Debate, &before); err != nil {
			return Checkpoint{}, "", false
		}
		checkpoint.Debate = before.memory()
	case form{lastCheckpoint, lastProtocol}:
		if err := json.Unmarshal(outer.Debate, &checkpoint.Debate); err != nil {
			return Checkpoint{}, "", false
		}
	default:
		return Checkpoint{}, "", false
	}
	ids := make(map[string]string)
	for _, n := range version.Named {
		ids[n.Claim] = n.F
	}
	for i := range checkpoint.Debate.Book.Claims {
		c := &checkpoint.Debate.Book.Claims[i]
		c.ID, c.SameAs = cmp.Or(ids[c.ID], c.ID), cmp.Or(ids[c.SameAs], c.SameAs)
	}
	return checkpoint.takenOver()
}
