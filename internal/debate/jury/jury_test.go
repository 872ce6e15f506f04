package jury

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func says(judge Stance, option string) Vote {
	return Vote{Judge: judge, Option: option, Reason: "by the lens of " + string(judge), Confidence: "MED"}
}

// by makes a reply that of a judge.
func by(judge Stance, b Vote) Vote {
	b.Judge = judge
	return b
}

func dispositions() []string { return []string{"keep", "revise", "reject"} }

func often(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for range 200 {
			property(t)
		}
	})
}

// firstRound is a round of votes for these options, in the order of the
// stances; "" is no reply.
func firstRound(options []string, risk, value, effort string) Round {
	var ballots []Vote
	for i, option := range []string{risk, value, effort} {
		if option != "" {
			ballots = append(ballots, says(Stances()[i], option))
		}
	}
	return First(ballots, options)
}

func TestFirstVotes(t *testing.T) {
	t.Parallel()
	options := dispositions()
	full := Vote{
		Option: "revise", Confidence: "HIGH", Reason: "least risk", Hidden: strings.Split(strings.Repeat("h ", 12), " "),
		PerOption: []Assessment{{"reject", "safe", 11}, {"keep", "bold", 3}, {"merge", "?", 5}, {"keep", "again", 9}},
	}
	got := First([]Vote{says("effort", "merge"), by("clown", full), by(Risk, full), says(Risk, "keep")}, options)
	want := Round{Round: 1, Votes: []Vote{
		{Judge: Risk, Option: "revise", Confidence: "HIGH", Reason: "least risk", Valid: true,
			PerOption: []Assessment{{"keep", "bold", 3}, {"reject", "safe", -1}}, Hidden: strings.Split("h h h h h h h h h h", " ")},
		{Judge: Value, Note: Note{Code: NoReply}},
		{Judge: Effort, Confidence: "MED", Reason: "by the lens of effort", Note: Note{NoOption, []string{"merge"}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func told(n Note) string { return strings.Join(append([]string{string(n.Code)}, n.Refs...), " ") }

func TestSecondVote(t *testing.T) {
	t.Parallel()
	options := dispositions()
	first := firstRound(options, "keep", "revise", "reject")
	noRisk := firstRound(options, "", "revise", "reject")
	noValue := firstRound(options, "keep", "", "reject")
	counter := func(to ...string) []Counter {
		var list []Counter
		for _, judge := range to {
			list = append(list, Counter{To: judge, Text: "no: " + judge})
		}
		return list
	}
	convinced := &Convinced{Judge: "value", Argument: "the migration has no way back"}
	const unpersuaded = "unconvinced"
	for name, c := range map[string]struct {
		first  Round
		reply  *Vote
		option string
		note   string
	}{
		"it failed":                          {first, nil, "keep", "no_reply"},
		"it failed twice":                    {noRisk, nil, "", "no_reply"},
		"it defends":                         {first, &Vote{Option: "keep", Reason: "r", Counters: counter("value", "effort")}, "keep", ""},
		"spelling of a judge":                {first, &Vote{Option: "keep", Reason: "r", Counters: counter(" Value", "EFFORT")}, "keep", ""},
		"it defends in silence":              {first, &Vote{Option: "keep", Reason: "r"}, "keep", "uncountered value effort"},
		"it answers one of two":              {first, &Vote{Option: "keep", Reason: "r", Counters: counter("value")}, "keep", "uncountered effort"},
		"an empty answer":                    {first, &Vote{Option: "keep", Reason: "r", Counters: []Counter{{"value", " "}, {"effort", "x"}}}, "keep", "uncountered value"},
		"an answer to nobody":                {first, &Vote{Option: "keep", Reason: "r", Counters: counter("risk", "clown", "effort")}, "keep", "uncountered value"},
		"nobody else voted":                  {firstRound(options, "keep", "", ""), &Vote{Option: "keep", Reason: "r"}, "keep", ""},
		"convinced":                          {first, &Vote{Option: "revise", Reason: "r", ConvincedBy: convinced, Counters: counter("effort")}, "revise", ""},
		"changed in silence":                 {first, &Vote{Option: "revise", Reason: "r", Counters: counter("effort")}, "keep", unpersuaded},
		"convinced by itself":                {first, &Vote{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"risk", "x"}, Counters: counter("effort")}, "keep", unpersuaded},
		"convinced by a stranger":            {first, &Vote{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"gpt", "x"}, Counters: counter("effort")}, "keep", unpersuaded},
		"convinced by one that did not vote": {noValue, &Vote{Option: "reject", Reason: "r", ConvincedBy: convinced}, "keep", unpersuaded},
		"convinced by nothing":               {first, &Vote{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"value", "\n"}, Counters: counter("effort")}, "keep", unpersuaded},
		"no reason of its own":               {first, &Vote{Option: "revise", Reason: " ", ConvincedBy: convinced, Counters: counter("effort")}, "keep", unpersuaded},
		"changed without a counter-argument": {first, &Vote{Option: "revise", Reason: "r", ConvincedBy: convinced}, "keep", "uncountered effort"},
		"an option of its own":               {first, &Vote{Option: "merge", Reason: "r", ConvincedBy: convinced, Counters: counter("value", "effort")}, "keep", "no_option merge"},
		"a first vote that is argued":        {noRisk, &Vote{Option: "revise", Reason: "r", ConvincedBy: convinced, Counters: counter("effort")}, "revise", ""},
		"a first vote out of nowhere":        {noRisk, &Vote{Option: "revise", Reason: "r", Counters: counter("effort")}, "", unpersuaded},
		"no vote again":                      {noRisk, &Vote{Counters: counter("value", "effort")}, "", ""},
	} {
		first := c.first
		var ballots []Vote
		if c.reply != nil {
			ballots = append(ballots, by(Risk, *c.reply))
		}
		round := Second(ballots, options, first)
		if round.Round != 2 || len(round.Votes) != 3 {
			t.Fatalf("%s: %+v", name, round)
		}
		got := round.Votes[0]
		if got.Option != c.option || told(got.Note) != c.note || got.Valid != (c.option != "") {
			t.Errorf("%s: %q valid %v, note %q; want %q, note %q", name, got.Option, got.Valid, told(got.Note), c.option, c.note)
		}
		if held := first.Votes[0]; got.Option == held.Option && got.ChangedFrom != "" || got.Option != held.Option && got.ChangedFrom != held.Option {
			t.Errorf("%s: changed from %q, it held %q", name, got.ChangedFrom, held.Option)
		}
	}
}

// TestRefusedVote checks that a vote that stands keeps its own reason, and that
// what the judge tried stays in the record.
func TestRefusedVote(t *testing.T) {
	t.Parallel()
	options := dispositions()
	first := firstRound(options, "keep", "revise", "reject")
	tried := &Vote{Option: "revise", Reason: "new", ConvincedBy: &Convinced{"Value", ""}, Counters: []Counter{{"effort", "slow"}}}
	quiet := &Vote{Option: "revise", Counters: []Counter{{"risk", "x"}, {"effort", "y"}}}
	got := Second([]Vote{by(Risk, *tried), by(Value, *quiet)}, options, first)
	want := first.Votes[0]
	want.ConvincedBy, want.Counters = &Convinced{"value", ""}, tried.Counters
	want.Note = got.Votes[0].Note
	if diff := cmp.Diff(want, got.Votes[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if reason := got.Votes[1].Reason; reason != "by the lens of value" {
		t.Errorf("a judge that defends without a word has reason %q", reason)
	}
}

// TestSecondVoteTwin compares with a list of all that a change needs.
func TestSecondVoteTwin(t *testing.T) {
	t.Parallel()
	options := []string{"a", "b", "c"}
	option := rapid.SampledFrom([]string{"a", "b", "c", "", "x"})
	judge := rapid.SampledFrom([]string{"risk", "value", "effort", "gpt"})
	word := rapid.SampledFrom([]string{"", "because"})
	often(t, func(t *rapid.T) {
		first := firstRound(options, option.Draw(t, "risk"), option.Draw(t, "value"), option.Draw(t, "effort"))
		r := &Vote{Option: option.Draw(t, "option"), Reason: word.Draw(t, "reason")}
		if rapid.Bool().Draw(t, "convinced") {
			r.ConvincedBy = &Convinced{judge.Draw(t, "by"), word.Draw(t, "argument")}
		}
		countered := make(map[string]bool)
		for range rapid.IntRange(0, 3).Draw(t, "counters") {
			c := Counter{judge.Draw(t, "to"), word.Draw(t, "text")}
			r.Counters = append(r.Counters, c)
			if c.Text != "" {
				countered[c.To] = true
			}
		}
		held := map[string]string{}
		for _, v := range first.Votes {
			held[string(v.Judge)] = v.Option // "" without a valid vote
		}
		want := held["risk"]
		needs := []bool{
			strings.Contains("abc", r.Option) && r.Option != "",
			r.Reason != "",
			r.ConvincedBy != nil && r.ConvincedBy.Argument != "",
			r.ConvincedBy != nil && r.ConvincedBy.Judge != "risk" && held[r.ConvincedBy.Judge] != "",
			held["value"] == "" || held["value"] == r.Option || countered["value"],
			held["effort"] == "" || held["effort"] == r.Option || countered["effort"],
		}
		if !strings.Contains(fmt.Sprint(needs), "false") {
			want = r.Option
		}
		got := Second([]Vote{by(Risk, *r)}, options, first).Votes[0]
		if got.Option != want || got.Valid != (want != "") {
			t.Fatalf("vote %q valid %v, the twin says %q: held %v, reply %+v", got.Option, got.Valid, want, held, r)
		}
	})
}

// TestThresholdTable goes through every panel of three judges and four options
// and compares with the table of R182 and with fractions.
func TestThresholdTable(t *testing.T) {
	t.Parallel()
	ids := []string{"", "a", "b", "c", "d"}
	options := ids[1:]
	table := map[string]struct {
		kind  Type
		whole bool
	}{
		"3 of 3": {Unanimous, true},
		"2 of 3": {Majority, true},
		"1 of 3": {NoMajority, true},
		"2 of 2": {Majority, false},
		"1 of 2": {NoMajority, false},
		"1 of 1": {Insufficient, false},
		"0 of 0": {Insufficient, false},
	}
	seen := 0
	for _, risk := range ids {
		for _, value := range ids {
			for _, effort := range ids {
				votes, valid, most := make(map[string]int), 0, 0
				for _, id := range []string{risk, value, effort} {
					if id != "" {
						votes[id]++
						valid++
						most = max(most, votes[id])
					}
				}
				p := Count([]Round{firstRound(options, risk, value, effort)}, options)
				name := fmt.Sprintf("%d of %d", most, valid)
				want, known := table[name]
				if !known || p.Type != want.kind || p.Whole() != want.whole {
					t.Errorf("%s: %s %v, want %s %v", name, p.Type, p.Whole(), want.kind, want.whole)
				}
				consensus := most >= 2 && float64(most)/float64(valid) > 0.66
				if p.Consensus != consensus || (p.Outcome == Recommended) != consensus || (p.Option != "") != consensus ||
					consensus && votes[p.Option] != most || len(p.Missing) != 3-valid {
					t.Errorf("%s: %+v", name, p)
				}
				if again := valid >= 2 && !consensus; p.NeedsSecondRound() != again {
					t.Errorf("%s: a second round is %v", name, !again)
				}
				if consensus { // one more vote for the leader never loses it
					for _, more := range [][3]string{{p.Option, value, effort}, {risk, p.Option, effort}, {risk, value, p.Option}} {
						q := Count([]Round{firstRound(options, more[0], more[1], more[2])}, options)
						if !q.Consensus || q.Option != p.Option {
							t.Errorf("%s: a vote more for %s lost it", name, p.Option)
						}
					}
				}
				seen++
			}
		}
	}
	if seen != 125 {
		t.Errorf("%d panels", seen)
	}
}

func TestPanelResult(t *testing.T) {
	t.Parallel()
	options := dispositions()
	first := firstRound(options, "keep", "revise", "reject")
	second := Second([]Vote{
		{Judge: Risk, Option: "revise", Reason: "less can break", ConvincedBy: &Convinced{"value", "no way back"}, Counters: []Counter{{"effort", "x"}}},
		{Judge: Value, Option: "reject", Reason: "changed its mind in silence"},
	}, options, first)
	got := Count([]Round{first, second}, options)
	want := Panel{
		Rounds:       []Round{first, second},
		Consensus:    true,
		Type:         Majority,
		Option:       "revise",
		Distribution: []Tally{{"keep", 0}, {"revise", 2}, {"reject", 1}},
		Perspectives: []Perspective{
			{Risk, "revise", "less can break"},
			{Value, "revise", "by the lens of value"},
			{Effort, "reject", "by the lens of effort"},
		},
		Changes: []Change{{Risk, 2, "keep", "revise", "value: no way back"}},
		Outcome: Recommended,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.NeedsSecondRound() {
		t.Error("a third round")
	}
	still := Count([]Round{first, Second(nil, options, first)}, options)
	if still.Type != NoMajority || still.NeedsSecondRound() {
		t.Errorf("after a second round without replies: %s, another one: %v", still.Type, still.NeedsSecondRound())
	}

	empty := Count(nil, options)
	if empty.Type != Insufficient || len(empty.Missing) != 3 || empty.NeedsSecondRound() {
		t.Errorf("a panel that could not run: %+v", empty)
	}
}

// TestMissingJudge checks that a judge that is gone is named, and that one that
// gave no recommendation is still heard (R193, R194).
func TestMissingJudge(t *testing.T) {
	t.Parallel()
	options := dispositions()
	p := Count([]Round{firstRound(options, "keep", "merge", "")}, options)
	if diff := cmp.Diff([]Stance{Value, Effort}, p.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	want := []Perspective{{Risk, "keep", "by the lens of risk"}, {Value, "", "by the lens of value"}}
	if diff := cmp.Diff(want, p.Perspectives); diff != "" {
		t.Errorf("perspectives (-want +got):\n%s", diff)
	}
}
