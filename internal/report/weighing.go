package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// weighed has the scores of a question and the result of its judges (R187-R189). Its thread has their votes.
func weighed(d Decision) []Section {
	var out []Section
	if r := d.Rubric; r != nil {
		text := "No option wins" + Wrapped(": ", OneLine(r.Why), "")
		switch {
		case r.Winner != "":
			text = "Highest score: " + Label(d, r.Winner)
		case len(r.Tied) > 0:
			text = "The same score: " + enumerated(lists.Map(r.Tied, func(option string) string { return Label(d, option) }))
		}
		if r.Diverging {
			text += "; the models rank the options very differently"
		}
		scores := []string{Question(d) + " " + text}
		var totals []string
		for _, c := range lists.Keep(r.Combined, func(c Combined) bool { return c.Max > 0 }) {
			totals = append(totals, fmt.Sprintf("%s %d%%", Label(d, c.Option), c.Sum*100/c.Max)) // rounded down
		}
		scores = append(scores, Present(Wrapped("All scores together: ", Capped(totals, ", "), ""))...)
		for _, s := range r.Sheets {
			switch {
			case !s.Valid:
				scores = append(scores, "The scores of "+OneLine(s.Party)+" do not count: "+OneLine(s.Why))
			case s.Rationale != "":
				scores = append(scores, OneLine(s.Party)+": "+inQuotes(s.Rationale))
			}
		}
		out = append(out, Section{Title: "Scores", Lines: scores})
	}
	if p := d.Panel; p != nil {
		votes := lists.Map(p.Distribution, func(t Tally) string { return fmt.Sprintf("%s %d", Label(d, t.Option), t.Votes) })
		missing := lists.Map(p.Missing, func(s debate.Stance) string { return string(s) })
		result := undecided(p.Type)
		if p.Type != jury.Insufficient && p.Option != "" {
			result = "The judges recommend " + Label(d, p.Option)
		}
		says := []string{Question(d) + " " + result + Wrapped(" (votes: ", Capped(votes, ", "), ")") + Wrapped("; no vote of the judge for ", enumerated(missing), "")}
		for _, r := range p.Rounds {
			for _, v := range r.Votes {
				if v.Note != "" {
					says = append(says, fmt.Sprintf("The vote of the judge for %s in round %d does not count: %s", OneLine(string(v.Judge)), r.Round, OneLine(v.Note)))
				}
			}
		}
		out = append(out, Section{Title: "Three judges", Lines: says})
	}
	return out
}

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
	out := &Panel{
		Type: p.Type, Consensus: p.Consensus, Option: p.Option, Outcome: p.Outcome, Confidence: debate.PanelConfidence(*p),
		Distribution: lists.Map(p.Distribution, func(t jury.Tally) Tally { return Tally(t) }),
		Perspectives: lists.Map(p.Perspectives, func(v jury.Perspective) Perspective { return Perspective(v) }),
		Changes:      lists.Map(p.Changes, func(c jury.Change) VoteChange { return VoteChange(c) }),
		Missing:      p.Missing, UserPrompt: toChoose(d),
	}
	for _, r := range p.Rounds {
		round := PanelRound{Round: r.Round}
		for _, v := range r.Votes {
			vote := Vote{
				Judge: v.Judge, Option: v.Option, Confidence: debate.Declared(v.Confidence), Reason: v.Reason, PerOption: v.PerOption,
				Counters: v.Counters, Hidden: v.Hidden, ChangedFrom: v.ChangedFrom, Valid: v.Valid, Note: voteNote(r.Round, v),
			}
			if v.ConvincedBy != nil {
				vote.ConvincedBy = v.ConvincedBy.Judge + ": " + v.ConvincedBy.Argument
			}
			round.Votes = append(round.Votes, vote)
		}
		out.Rounds = append(out.Rounds, round)
	}
	return out
}

// toChoose asks a person to choose instead of a contested panel (R189).
func toChoose(d debate.Decision) string {
	if d.Panel.Consensus {
		return ""
	}
	words := undecided(d.Panel.Type) + ". Choose one option:\n"
	for _, t := range d.Panel.Distribution {
		line := t.Option
		if o := lists.Find(d.Options, func(o debate.Option) bool { return o.ID == t.Option }); o.ID != "" {
			line += ": " + text.OneLine(o.Label) + Wrapped(" (", text.OneLine(o.Description), ")")
		}
		words += fmt.Sprintf("- %s, votes: %d\n", line, t.Votes)
	}
	return words
}

// undecided says why judges recommend nothing.
func undecided(votes jury.Type) string {
	if votes == jury.Insufficient {
		return "Too few judges gave a vote that counts"
	}
	return upperFirst(whys[debate.WhyJudgesDiffer])
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

// Rubric is how the parties scored one decision (R045).
type Rubric struct {
	Hash      string             `json:"hash"`
	Criteria  []debate.Criterion `json:"criteria"`
	Sheets    []Sheet            `json:"sheets"`
	Combined  []Combined         `json:"combined"`
	Winner    string             `json:"winner"` // "": none, Why says why
	Tied      []string           `json:"tied"`   // the best options, if none wins
	Diverging bool               `json:"diverging"`
	Why       string             `json:"why"`
}

// Sheet is one party's scores. Raw is its reply, verbatim (R024).
type Sheet struct {
	Party     string         `json:"party"`
	Valid     bool           `json:"valid"`
	Why       string         `json:"why"` // not valid: why
	Scores    []debate.Score `json:"scores"`
	Rationale string         `json:"rationale"`
	Raw       string         `json:"raw"`
}

// Combined is the weighted sum of one option over all valid sheets, and its maximum.
type Combined struct {
	Option string `json:"option"`
	Sum    int    `json:"sum"`
	Max    int    `json:"max"`
}

func scoring(d debate.Decision, n names) *Rubric {
	r := d.Rubric
	if r == nil {
		return nil
	}
	out := &Rubric{
		Hash: r.Hash, Criteria: r.Criteria, Winner: r.Winner, Tied: r.Tied, Diverging: r.Diverging,
		Sheets: lists.Map(r.Sheets, func(s debate.Scoresheet) Sheet {
			return Sheet{Party: n.of(s.Party), Valid: s.Valid, Why: s.Flaw.String(), Scores: s.Scores, Rationale: s.Rationale, Raw: s.Raw}
		}),
		Combined: lists.Map(r.Combined, func(c debate.Combined) Combined { return Combined(c) }),
	}
	switch {
	case r.Scored():
	case r.Lack != "":
		out.Why = n.sentence(debate.Why{Code: debate.WhyCode(r.Lack)})
	default:
		out.Why = n.sentence(d.Unscored)
	}
	return out
}
