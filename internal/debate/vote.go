package debate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate/rubric"
)

// The bounds of one vote.
const (
	maxVoteItems = 10
	maxScore     = 10
	maxSlug      = 40
)

// judged is the reply of one judge; a nil Reply means that none came that can be
// counted (R193, R194).
type judged struct {
	Judge Stance
	Reply *Reply
}

// stances are the judges of a panel in the order in which they are listed
// (R178). A stance is the lens of a judge and never changes (R190).
func stances() []Stance { return []Stance{StanceRisk, StanceValue, StanceEffort} }

// judgeVotes makes a round of votes, one for each stance. In the first round a
// vote counts if it names an option. In the second one the vote of the first
// stands unless the judge changes it in the way that X15 asks for; to vote after
// no recommendation is a change, too. previous is the first round, nil in it.
func judgeVotes(kind CallKind, replies []judged, options []Option, previous *PanelRound) PanelRound {
	round := PanelRound{Round: 1}
	if kind == CallJudge2 {
		round.Round = 2
	}
	for _, judge := range stances() {
		reply := replyOf(replies, judge)
		if round.Round == 1 {
			round.Votes = append(round.Votes, firstVote(judge, reply, options))
		} else {
			round.Votes = append(round.Votes, secondVote(judge, reply, options, previous))
		}
	}
	return round
}

func replyOf(replies []judged, judge Stance) *Reply {
	for _, r := range replies {
		if r.Judge == judge {
			return r.Reply
		}
	}
	return nil
}

func firstVote(judge Stance, r *Reply, options []Option) Vote {
	if r == nil {
		return Vote{Judge: judge, Note: "no reply: no recommendation"}
	}
	v := Vote{
		Judge:      judge,
		Option:     r.Option,
		Confidence: r.Confidence,
		Reason:     clip(r.Reason, maxText),
		PerOption:  assessments(r.PerOption, options),
		Hidden:     firstFew(r.HiddenPoints),
		Valid:      true,
	}
	if !rubric.Has(options, r.Option) {
		v.Option, v.Valid = "", false
		v.Note = fmt.Sprintf("%.40q is not an option: no recommendation", r.Option)
	}
	return v
}

// secondVote is the vote of a judge that has read the others.
func secondVote(judge Stance, r *Reply, options []Option, previous *PanelRound) Vote {
	held := voteOf(previous, judge)
	if r == nil {
		held.Note = "no reply in the second round: " + standing(held)
		return held
	}
	v := Vote{
		Judge:       judge,
		Option:      r.Option,
		Confidence:  r.Confidence,
		Reason:      clip(r.Reason, maxText),
		Counters:    counters(judge, r.Counters),
		ConvincedBy: convinced(r.ConvincedBy),
		Valid:       true,
	}
	unanswered := uncountered(v, previous)
	if r.Option == held.Option {
		if unanswered != "" {
			v.Note = "no counter-argument to " + unanswered + ": " + standing(held)
		}
		if strings.TrimSpace(v.Reason) == "" {
			v.Reason = held.Reason
		}
		v.Valid = held.Valid
		return v
	}
	why := ""
	switch {
	case !rubric.Has(options, r.Option):
		why = fmt.Sprintf("%.40q is not an option", r.Option)
	case !persuaded(v, previous):
		why = "it does not say which judge convinced it, of what, and why that matters to its own lens"
	case unanswered != "":
		why = "no counter-argument to " + unanswered
	}
	if why != "" {
		held.Counters, held.ConvincedBy = v.Counters, v.ConvincedBy
		held.Note = why + ": " + standing(held)
		return held
	}
	v.ChangedFrom = held.Option
	return v
}

func standing(held Vote) string {
	if held.Valid {
		return "the vote of the first round stands"
	}
	return "no recommendation"
}

// voteOf returns the vote of a judge in a round, without a note; one that is
// not there is no recommendation.
func voteOf(round *PanelRound, judge Stance) Vote {
	if round != nil {
		for _, v := range round.Votes {
			if v.Judge == judge {
				v.Note = ""
				return v
			}
		}
	}
	return Vote{Judge: judge}
}

// persuaded reports whether a changed vote names another judge that had voted,
// what that judge said, and a reason of its own.
func persuaded(v Vote, previous *PanelRound) bool {
	c := v.ConvincedBy
	return c != nil && Stance(c.Judge) != v.Judge && voteOf(previous, Stance(c.Judge)).Valid &&
		strings.TrimSpace(c.Argument) != "" && strings.TrimSpace(v.Reason) != ""
}

// uncountered names the judges that hold another option than this vote and get
// no counter-argument from it, or "".
func uncountered(v Vote, previous *PanelRound) string {
	var missing []string
	for _, judge := range stances() {
		other := voteOf(previous, judge)
		if judge == v.Judge || !other.Valid || other.Option == v.Option {
			continue
		}
		answered := false
		for _, c := range v.Counters {
			answered = answered || Stance(c.To) == judge
		}
		if !answered {
			missing = append(missing, string(judge))
		}
	}
	return strings.Join(missing, " and ")
}

func stanceNamed(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// convinced copies what a judge says convinced it.
func convinced(c *Convinced) *Convinced {
	if c == nil {
		return nil
	}
	return &Convinced{Judge: clip(stanceNamed(c.Judge), maxSlug), Argument: clip(c.Argument, maxText)}
}

// counters keeps the arguments of a judge that say something to another one.
func counters(judge Stance, list []Counter) []Counter {
	var kept []Counter
	for _, c := range list {
		to := stanceNamed(c.To)
		known := to == string(StanceRisk) || to == string(StanceValue) || to == string(StanceEffort)
		if known && to != string(judge) && strings.TrimSpace(c.Text) != "" && len(kept) < maxVoteItems {
			kept = append(kept, Counter{To: to, Text: clip(c.Text, maxText)})
		}
	}
	return kept
}

// assessments keeps the first assessment of each option, in the order of the
// options.
func assessments(list []Assessment, options []Option) []Assessment {
	var kept []Assessment
	for _, o := range options {
		for _, a := range list {
			if a.Option != o.ID {
				continue
			}
			if a.Score < 0 || a.Score > maxScore {
				a.Score = -1
			}
			a.Assessment = clip(a.Assessment, maxText)
			kept = append(kept, a)
			break
		}
	}
	return kept
}

func firstFew(list []string) []string {
	var few []string
	for _, text := range list[:min(len(list), maxVoteItems)] {
		few = append(few, clip(text, maxText))
	}
	return few
}

// panelResult is what the votes of the last round amount to (X16, R182, R186).
// The threshold is two thirds of the valid votes and two votes; in integers,
// because 0.67 would refuse two of three (R195). What the judges recommend is a
// recommendation only: nothing of it is summed into a rubric (X10).
func panelResult(rounds []PanelRound, options []Option) Panel {
	p := Panel{Rounds: rounds, Type: Insufficient, Outcome: Contested, Confidence: RequiresInput}
	var last PanelRound
	if len(rounds) > 0 {
		last = rounds[len(rounds)-1]
	}
	valid := 0
	for _, judge := range stances() {
		v := voteOf(&last, judge)
		if v.Valid {
			valid++
		} else {
			p.Missing = append(p.Missing, judge)
		}
		if v.Valid || v.Reason != "" { // dissent is always shown (X16, R188)
			p.Perspectives = append(p.Perspectives, Perspective{Judge: judge, Option: v.Option, Reason: v.Reason})
		}
	}
	p.Changes = voteChanges(rounds)
	for _, o := range options {
		votes := 0
		for _, v := range last.Votes {
			if v.Valid && v.Option == o.ID {
				votes++
			}
		}
		p.Distribution = append(p.Distribution, Tally{Option: o.ID, Votes: votes})
		if 3*votes >= 2*valid && votes >= 2 {
			p.agree(o.ID, votes, valid)
		}
	}
	if valid >= 2 && !p.Consensus {
		p.Type = NoMajority
	}
	if !p.Consensus {
		p.UserPrompt = userPrompt(p, options)
	}
	return p
}

// agree records a consensus. Two judges of a panel of three are a majority even
// if the third did not vote, and are less sure (X16).
func (p *Panel) agree(option string, votes, valid int) {
	p.Consensus, p.Option, p.Outcome = true, option, Recommended
	p.Type, p.Confidence = Majority, High
	if votes == len(stances()) {
		p.Type = Unanimous
	}
	if valid < len(stances()) {
		p.Confidence = Medium
	}
}

// needsSecondRound reports whether the judges read each other and vote again
// (R183): they did not agree, and at least two have something to answer.
func needsSecondRound(p Panel) bool {
	return len(p.Rounds) == 1 && p.Outcome == Contested && p.Type == NoMajority
}

// voteChanges lists the votes that differ from the round before and what changed
// them (R187).
func voteChanges(rounds []PanelRound) []VoteChange {
	var changes []VoteChange
	for i := 1; i < len(rounds); i++ {
		for _, v := range rounds[i].Votes {
			before := voteOf(&rounds[i-1], v.Judge)
			if !v.Valid || v.Option == before.Option {
				continue
			}
			c := VoteChange{Judge: v.Judge, Round: rounds[i].Round, From: before.Option, To: v.Option, Reason: v.Reason}
			if v.ConvincedBy != nil {
				c.Reason = v.ConvincedBy.Judge + ": " + v.ConvincedBy.Argument
			}
			changes = append(changes, c)
		}
	}
	return changes
}

// userPrompt asks a person to choose what the panel could not (R189).
func userPrompt(p Panel, options []Option) string {
	var b strings.Builder
	if p.Type == Insufficient {
		b.WriteString("Too few judges gave a vote that counts. Choose one option:\n")
	} else {
		b.WriteString("The judges do not agree. Choose one option:\n")
	}
	for i, o := range options {
		b.WriteString("- " + o.ID + ": " + oneLine(o.Label))
		if text := oneLine(o.Description); text != "" {
			b.WriteString(" (" + text + ")")
		}
		b.WriteString(", votes: " + strconv.Itoa(p.Distribution[i].Votes) + "\n")
	}
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
