package prompt

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// The bounds of a thread in a turn. It shows a last word whole, and older words in short,
// for the way to it.
const (
	mostSpoken  = 12
	mostCited   = 3
	lastWord    = 1500 // bytes
	olderWord   = 300
	mostThreads = 24 // with whole last words; with more threads, they are shorter
)

// spoken is one statement about a claim or in a challenge.
type spoken struct {
	By   string     `json:"by"`
	Move string     `json:"move"`
	Text string     `json:"text,omitempty"`
	Ref  []evidence `json:"ref,omitempty"`
}

// thread returns the statements, oldest first, with the last word of each side whole (M08).
// It leaves out the text of the claim or the challenge itself.
func (t turner) thread(said []debate.Turn, shown string) []spoken {
	said = slices.Clone(said)
	said = slices.DeleteFunc(said, func(u debate.Turn) bool {
		return slices.Contains([]debate.Act{debate.Raise, debate.Rewrite}, u.Act) || u.Act == debate.Object && u.Text == shown
	})
	most := t.share(mostSpoken)
	var thread []spoken
	for i, u := range said {
		isLast := !slices.ContainsFunc(said[i+1:], func(later debate.Turn) bool { return later.Who == u.Who })
		if !isLast && len(said)-i > most {
			continue
		}
		words := spoken{By: t.speaker(u.Who), Move: string(u.Act)}
		if isLast {
			words.Text, words.Ref = t.words(u.Text, t.share(lastWord)), t.evidence(u.Cites[:min(len(u.Cites), mostCited)])
			for i := range words.Ref {
				words.Ref[i].Quote = clip(words.Ref[i].Quote, t.share(lastWord))
			}
		} else {
			words.Text = t.words(u.Text, olderWord)
		}
		thread = append(thread, words)
	}
	return thread[max(0, len(thread)-most):]
}

// share is the room for something in each thread.
func (t turner) share(most int) int {
	threads := len(t.s.Book.Claims) + len(t.s.Book.Challenges)
	return most * mostThreads / max(threads, mostThreads)
}

// speaker names the author of a statement, in a confidential call by a letter.
func (t turner) speaker(who string) string {
	switch {
	case who == t.ask.Party:
		return "you"
	case who == debate.EngineParty, who == debate.ArbiterParty, !t.confidential():
		return t.name(who)
	}
	parties := among(t, t.s.Table.Parties, func(p debate.Party) string { return p.ID })
	if at := slices.IndexFunc(parties, func(p debate.Party) bool { return p.ID == who }); at >= 0 {
		return "reviewer " + string(rune('A'+at%26))
	}
	return "somebody"
}

// words is a statement, in a confidential call without the names of parties.
func (t turner) words(text string, bytes int) string {
	text = t.say(text, bytes)
	if !t.confidential() {
		return text
	}
	names := lists.Map(lists.Keep(t.s.Table.Parties, debate.Party.Debates), func(p debate.Party) string { return regexp.QuoteMeta(p.ID) })
	if len(names) == 0 {
		return text
	}
	return regexp.MustCompile(`(?i)\b(`+strings.Join(names, "|")+`)\b`).ReplaceAllString(text, "a reviewer")
}
