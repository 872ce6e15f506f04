package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Panel is the judges' work on one decision (R187, R188).
type Panel struct {
	Type         jury.Type         `json:"type"`
	Consensus    bool              `json:"consensus"`
	Option       string            `json:"recommended_option"` // "" if contested
	Outcome      jury.Outcome      `json:"outcome"`
	Confidence   debate.Confidence `json:"confidence"`
	Distribution []Tally           `json:"distribution"`
	Perspectives []Perspective     `json:"perspectives"`
	Rounds       []PanelRound      `json:"rounds"`
	Changes      []VoteChange      `json:"change_log"`
	Missing      []debate.Stance   `json:"missing"`
	UserPrompt   string            `json:"user_prompt"` // of a contested panel (R189)
}

// Tally counts the valid votes for one option.
type Tally struct {
	Option string `json:"option"`
	Votes  int    `json:"votes"`
}

// Perspective is one judge's reason for its last vote.
type Perspective struct {
	Judge  debate.Stance `json:"judge"`
	Option string        `json:"option"`
	Reason string        `json:"reason"`
}

// PanelRound is the votes of one round.
type PanelRound struct {
	Round int    `json:"round"`
	Votes []Vote `json:"votes"`
}

// Vote is one judge's vote in one round.
type Vote struct {
	Judge       debate.Stance       `json:"judge"`
	Option      string              `json:"option"` // "": no recommendation
	Confidence  debate.Declared     `json:"confidence"`
	Reason      string              `json:"reason"`
	PerOption   []debate.Assessment `json:"per_option"`
	Counters    []debate.Counter    `json:"counter_arguments"`
	Hidden      []string            `json:"hidden_points"`
	ChangedFrom string              `json:"changed_from"`
	ConvincedBy string              `json:"convinced_by"` // judge: argument
	Valid       bool                `json:"valid"`
	Note        string              `json:"note"` // why it does not count as it was given
}

// VoteChange is a changed vote and its reason.
type VoteChange struct {
	Judge  debate.Stance `json:"judge"`
	Round  int           `json:"round"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	Reason string        `json:"reason"`
}

func panel(d debate.Decision) *Panel {
	p := d.Panel
	if p == nil {
		return nil
	}
	return &Panel{
		Type: p.Type, Consensus: p.Consensus, Option: p.Option, Outcome: p.Outcome, Confidence: debate.PanelConfidence(*p),
		Distribution: lists.Map(p.Distribution, func(t jury.Tally) Tally { return Tally(t) }),
		Perspectives: lists.Map(p.Perspectives, func(v jury.Perspective) Perspective { return Perspective(v) }),
		Changes:      lists.Map(p.Changes, func(c jury.Change) VoteChange { return VoteChange(c) }),
		Rounds:       lists.Map(p.Rounds, panelRound),
		Missing:      p.Missing, UserPrompt: toChoose(d),
	}
}

func panelRound(r jury.Round) PanelRound {
	return PanelRound{Round: r.Round, Votes: lists.Map(r.Votes, func(v debate.Vote) Vote {
		vote := Vote{
			Judge: v.Judge, Option: v.Option, Confidence: debate.Declared(v.Confidence), Reason: v.Reason, PerOption: v.PerOption,
			Counters: v.Counters, Hidden: v.Hidden, ChangedFrom: v.ChangedFrom, Valid: v.Valid, Note: voteNote(r.Round, v),
		}
		if v.ConvincedBy != nil {
			vote.ConvincedBy = v.ConvincedBy.Judge + ": " + v.ConvincedBy.Argument
		}
		return vote
	})}
}

// toChoose asks a person to choose instead of a contested panel (R189).
func toChoose(d debate.Decision) string {
	if d.Panel.Consensus {
		return ""
	}
	words := "The judges do not agree. Choose one option:\n"
	if d.Panel.Type == jury.Insufficient {
		words = "Too few judges gave a vote that counts. Choose one option:\n"
	}
	for _, t := range d.Panel.Distribution {
		line := t.Option
		if o := lists.Find(d.Options, func(o debate.Option) bool { return o.ID == t.Option }); o.ID != "" {
			line += ": " + text.OneLine(o.Label) + Wrapped(" (", text.OneLine(o.Description), ")")
		}
		words += fmt.Sprintf("- %s, votes: %d\n", line, t.Votes)
	}
	return words
}

// voteNote says why a vote does not count as it was given.
func voteNote(round int, v debate.Vote) string {
	if v.Note.Code == "" {
		return ""
	}
	words := map[jury.NoteCode]string{
		jury.NoReply:     "no reply",
		jury.NoOption:    fmt.Sprintf("%.40q is not an option", strings.Join(v.Note.Refs, "")),
		jury.Unconvinced: "it does not say which judge convinced it, of what, and why that matters to its own lens",
		jury.Uncountered: "no counter-argument to " + strings.Join(v.Note.Refs, " and "),
	}[v.Note.Code]
	if v.Note.Code == jury.NoReply && round == 2 {
		words += " in the second round"
	}
	if v.Valid {
		return words + ": the vote of the first round counts"
	}
	return words + ": no recommendation"
}
