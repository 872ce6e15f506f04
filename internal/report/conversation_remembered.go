package report

import (
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// remembered is the conversation about a claim as a later session knows it: the finding, the last
// word of each party, and every objection with its last answer. It leaves out what the history of
// this session tells.
func (t *talk) remembered(c debate.Claim) []Line {
	lines := []Line{{Who: c.Owner, Act: DidRaise, Cites: citesOf(by(c.Evidence, c.Owner))}}
	for _, who := range c.ReportedBy {
		if who != c.Owner {
			lines = append(lines, Line{Who: who, Act: DidRepeat, Cites: citesOf(by(c.Evidence, who))})
		}
	}
	var objected []string
	for _, k := range t.state.Book.Challenges {
		if t.into[k.Claim] == c.ID && k.Kind != debate.Reconciling && !t.told[k.ID] {
			objected = append(objected, k.Attacker)
			lines = append(lines, objection(k)...)
		}
	}
	for _, e := range lastWords(c.Evaluations) {
		act := weighing[e.Class]
		isSaid := t.told[c.ID+" "+e.Party] || act != DidAgree && slices.Contains(objected, e.Party)
		if !isSaid {
			lines = append(lines, Line{Who: e.Party, Act: act, Words: e.Flaw, Cites: citesOf(by(c.Evidence, e.Party))})
		}
	}
	for _, who := range c.ConfirmedBy {
		spoke := slices.ContainsFunc(lines, func(l Line) bool { return l.Who == who })
		if !spoke && !t.told[c.ID+" "+who] {
			lines = append(lines, Line{Who: who, Act: DidConfirm, Cites: citesOf(by(c.Evidence, who))})
		}
	}
	return lines
}

// objection is an objection, the last answer to it, and how it ended.
func objection(k debate.Challenge) []Line {
	lines := []Line{{Who: k.Attacker, Act: DidObject, Words: k.Objection, Cites: citesOf(k.Evidence)}}
	if k.Attacker == debate.AuthorParty {
		lines[0].Act = DidDispute
	}
	if k.Defence != "" {
		lines = append(lines, Line{Who: k.Defender, Act: DidAnswer, Words: k.Defence, Cites: citesOf(k.DefenceBy)})
	}
	switch {
	case k.Status == debate.Conceded:
		lines = append(lines, Line{Who: k.Defender, Act: DidConcede, Words: k.ResolvedWith.Words})
	case k.Status == debate.Undefended:
		lines = append(lines, Line{Who: k.Defender, Act: DidIgnore})
	case k.Status == debate.Resolved && k.ResolvedWith.Code == debate.WhyTold:
		lines = append(lines, Line{Who: k.Attacker, Act: DidAccept, Words: k.ResolvedWith.Words})
	}
	return lines
}

// by has the evidence cited by one party.
func by(list []debate.Evidence, who string) []debate.Evidence {
	return lists.Keep(list, func(e debate.Evidence) bool { return e.By == who })
}

// lastWords are the last evaluations of each party.
func lastWords(list []debate.Evaluation) []debate.Evaluation {
	at := make(map[string]int)
	for i, e := range list {
		at[e.Party] = i
	}
	return lists.Map(slices.Sorted(maps.Values(at)), func(i int) debate.Evaluation { return list[i] })
}
