package tally

import (
	"slices"
	"strings"
	"testing"
)

// voices reads "claude/anthropic=keep gpt/openai=revise? gemini/google": a question
// mark is mere dissent, an exclamation mark an abstention, and no option is none.
func voices(text string) []Voice {
	var list []Voice
	for _, word := range strings.Fields(text) {
		who, option, _ := strings.Cut(word, "=")
		party, family, _ := strings.Cut(who, "/")
		list = append(list, Voice{
			Party: party, Family: family, Option: strings.TrimRight(option, "?!"),
			Dissent: strings.HasSuffix(option, "?"), Abstains: strings.HasSuffix(option, "!"),
		})
	}
	return list
}

func TestSettled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ voices, settled, unanimous string }{
		"nobody":                           {"", "", ""},
		"one alone":                        {"a/x=keep", "", ""},
		"two agree":                        {"a/x=keep b/y=keep", "keep", "keep"},
		"two differ":                       {"a/x=keep b/y=revise", "", ""},
		"two differ in words only":         {"a/x=keep b/y=revise?", "", ""},
		"both only words":                  {"a/x=keep? b/y=revise?", "", ""},
		"two against dissent":              {"a/x=keep b/y=keep c/z=revise?", "keep", ""},
		"two against a reason":             {"a/x=keep b/y=keep c/z=revise", "", ""},
		"the first against two":            {"a/x=keep? b/y=revise c/z=revise", "revise", ""},
		"a silent third":                   {"a/x=keep b/y=keep c/z", "keep", ""},
		"two silent of four":               {"a/x=keep b/y=keep c/z d/w", "", ""},
		"two silent beside the careful":    {"a/x=revise b/y=revise c/z d/w", "revise", ""},
		"one alone beside the silent":      {"a/x=revise b/y c/z", "", ""},
		"three ways":                       {"a/x=keep? b/y=revise? c/z=reject?", "", ""},
		"half is not more than half":       {"a/x=keep b/y=keep c/z=revise? d/w=revise?", "", ""},
		"nothing is no option":             {"a/x b/y c/z", "", ""},
		"one family, two contexts":         {"a/x=revise b/x=revise", "revise", "revise"},
		"one family against another":       {"a/x=keep b/x=keep c/y=revise?", "", ""},
		"two families, one with a twin":    {"a/x=keep b/x=keep c/y=keep", "keep", "keep"},
		"a divided family holds nothing":   {"a/x=keep b/x=revise c/y=keep", "", ""},
		"a family with a dissenter":        {"a/x=keep b/x=revise? c/y=keep", "keep", ""},
		"an abstention beside one":         {"a/x=keep b/y=keep!", "", "keep"},
		"an abstention beside two":         {"a/x=keep b/y=keep c/z=keep!", "keep", "keep"},
		"an abstention for another option": {"a/x=keep b/y=keep c/z=reject!", "", ""},
		"an abstention for the careful":    {"a/x=keep? b/y=reject c/z=reject!", "", ""},
		"a twin that abstains":             {"a/x=keep b/y=keep c/y=keep!", "keep", "keep"},
		"a twin that says nothing":         {"a/x=keep b/x c/y=keep", "keep", ""},
	} {
		if got := Settled(voices(tt.voices), "keep"); got != tt.settled {
			t.Errorf("%s: settled %q, want %q", name, got, tt.settled)
		}
		if got := Unanimous(voices(tt.voices)); got != tt.unanimous {
			t.Errorf("%s: unanimous %q, want %q", name, got, tt.unanimous)
		}
		reversed := voices(tt.voices)
		slices.Reverse(reversed)
		if got := Settled(reversed, "keep"); got != tt.settled {
			t.Errorf("%s: the order makes it %q", name, got)
		}
	}
}

func TestRecommended(t *testing.T) {
	t.Parallel()
	careful := []string{"reject", "revise"}
	for name, tt := range map[string]struct {
		ballot Ballot
		want   string
	}{
		"nothing":                           {Ballot{}, ""},
		"what is settled":                   {Ballot{Settled: "keep", Careful: careful}, "keep"},
		"what the scores say":               {Ballot{Winner: "keep", Careful: careful}, "keep"},
		"settled before scored":             {Ballot{Settled: "revise", Winner: "keep"}, "revise"},
		"a tie with keep":                   {Ballot{Tied: []string{"keep", "revise"}, Careful: careful}, "revise"},
		"a tie of the careful":              {Ballot{Tied: []string{"revise", "reject"}, Careful: careful}, "reject"},
		"a tie of three":                    {Ballot{Tied: []string{"keep", "revise", "reject"}, Careful: careful}, "reject"},
		"a tie of keep and something else":  {Ballot{Tied: []string{"keep", "split"}, Careful: careful}, ""},
		"a tie where nothing is careful":    {Ballot{Tied: []string{"a", "b"}}, ""},
		"keep over a confirmed P1":          {Ballot{Settled: "keep", Barred: "keep"}, ""},
		"scores for keep over a P1":         {Ballot{Winner: "keep", Barred: "keep", Careful: careful}, ""},
		"what is barred bars nothing else":  {Ballot{Tied: []string{"keep", "revise"}, Careful: careful, Barred: "keep"}, "revise"},
		"what diverges is still on sheets":  {Ballot{Winner: "revise", Diverging: true}, "revise"},
		"settled, and the scores are a tie": {Ballot{Settled: "keep", Tied: []string{"keep", "revise"}, Careful: careful}, "keep"},
	} {
		if got := tt.ballot.Recommended(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestSplits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ballot Ballot
		want   []Split
	}{
		"settled":                    {Ballot{Settled: "keep"}, nil},
		"a winner":                   {Ballot{Open: true, Framed: true, Scored: true, Winner: "keep"}, nil},
		"a tie":                      {Ballot{Open: true, Framed: true, Scored: true, Tied: []string{"keep", "revise"}}, []Split{Tie}},
		"sheets that diverge":        {Ballot{Open: true, Framed: true, Scored: true, Winner: "keep", Diverging: true}, []Split{Diverging}},
		"no sheets":                  {Ballot{Open: true, Framed: true}, []Split{Unscored}},
		"no rubric":                  {Ballot{Open: true}, []Split{Unframed}},
		"no rubric, critical anyway": {Ballot{Open: true, Critical: true}, nil},
		"stopped":                    {Ballot{Open: true, Framed: true, Unasked: true, Carries: true}, nil},
		"stopped after a tie":        {Ballot{Open: true, Framed: true, Scored: true, Unasked: true, Tied: []string{"a", "b"}}, []Split{Tie}},
		"another question is open":   {Ballot{Settled: "keep", Carries: true}, []Split{AlsoAsks}},
		"judges who differ":          {Ballot{Open: true, Framed: true, Scored: true, Winner: "a", Judged: true}, []Split{JudgesDiffer}},
		"judges who agree":           {Ballot{Open: true, Judged: true, Judges: "a"}, nil},
		"judges who differ alone":    {Ballot{Open: true, Judged: true}, []Split{JudgesDiffer}},
	} {
		if got := tt.ballot.Splits(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestSure(t *testing.T) {
	t.Parallel()
	sure := Grounds{Ended: Agreed, Families: 2}
	if level, doubts := Sure(sure); level != High || len(doubts) > 0 {
		t.Fatalf("%s, %v", level, doubts)
	}
	for name, tt := range map[string]struct {
		change func(*Grounds)
		level  Level
		doubt  Doubt
	}{
		"judges who differ":   {func(g *Grounds) { g.Split = true }, RequiresInput, DoubtJudges},
		"unchallenged":        {func(g *Grounds) { g.Ended = Unchallenged }, Low, DoubtUnchallenged},
		"no debate":           {func(g *Grounds) { g.Ended = "" }, Low, DoubtNoDebate},
		"no consensus":        {func(g *Grounds) { g.Ended = Divided }, Medium, DoubtDivided},
		"cut short":           {func(g *Grounds) { g.CutShort = true }, Medium, DoubtCutShort},
		"divided, cut short":  {func(g *Grounds) { g.Ended, g.CutShort = Divided, true }, Low, DoubtCutShort},
		"one family":          {func(g *Grounds) { g.Families = 1 }, Medium, DoubtOneFamily},
		"a same-family voice": {func(g *Grounds) { g.SameRoots = true }, Medium, DoubtOneFamily},
		"a lost party":        {func(g *Grounds) { g.Lost = true }, Medium, DoubtLost},
		"not all was read":    {func(g *Grounds) { g.Unread = true }, Medium, DoubtUnread},
		"a disputed P2":       {func(g *Grounds) { g.Disputed = true }, Medium, DoubtDisputed},
		"nothing to rest on":  {func(g *Grounds) { g.Bare = true }, Medium, DoubtBare},
		"nothing is proved":   {func(g *Grounds) { g.Unproved = true }, Medium, DoubtUnproved},
		"a wordless retreat":  {func(g *Grounds) { g.GaveIn = true }, Medium, DoubtGaveIn},
		"no scores":           {func(g *Grounds) { g.Unscored = true }, Medium, DoubtUnscored},
		"an unsure primary":   {func(g *Grounds) { g.Unsure = true }, Medium, DoubtUnsure},
		"some flags":          {func(g *Grounds) { g.FlaggedBP = 1 }, Medium, DoubtFlagged},
		"many flags":          {func(g *Grounds) { g.FlaggedBP = 5000 }, Low, DoubtFlagged},
	} {
		g := sure
		tt.change(&g)
		if level, doubts := Sure(g); level != tt.level || !slices.Contains(doubts, tt.doubt) {
			t.Errorf("%s: %s, %v; want %s, %s", name, level, doubts, tt.level, tt.doubt)
		}
	}
}
