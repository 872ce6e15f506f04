package debate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func says(judge Stance, option string) judged {
	return judged{judge, &Reply{Option: option, Reason: "by the lens of " + string(judge), Confidence: DeclaredMed}}
}

func silent(judge Stance) judged { return judged{Judge: judge} }

// firstRound is a round of votes for these options, in the order of the
// stances; "" is no reply.
func firstRound(options []Option, risk, value, effort string) PanelRound {
	var replies []judged
	for i, option := range []string{risk, value, effort} {
		if option == "" {
			replies = append(replies, silent(stances()[i]))
		} else {
			replies = append(replies, says(stances()[i], option))
		}
	}
	return judgeVotes(CallJudge1, replies, options, nil)
}

func TestFirstVotes(t *testing.T) {
	t.Parallel()
	options := dispositionOptions()
	full := &Reply{
		Option: "revise", Confidence: DeclaredHigh, Reason: "least risk", HiddenPoints: strings.Split(strings.Repeat("h ", 12), " "),
		PerOption: []Assessment{{"reject", "safe", 11}, {"keep", "bold", 3}, {"merge", "?", 5}, {"keep", "again", 9}},
	}
	got := judgeVotes(CallJudge1, []judged{says("effort", "merge"), {"clown", full}, {StanceRisk, full}, says(StanceRisk, "keep")}, options, nil)
	want := PanelRound{Round: 1, Votes: []Vote{
		{Judge: StanceRisk, Option: "revise", Confidence: DeclaredHigh, Reason: "least risk", Valid: true,
			PerOption: []Assessment{{"keep", "bold", 3}, {"reject", "safe", -1}}, Hidden: strings.Split("h h h h h h h h h h", " ")},
		{Judge: StanceValue, Note: "no reply: no recommendation"},
		{Judge: StanceEffort, Confidence: DeclaredMed, Reason: "by the lens of effort", Note: `"merge" is not an option: no recommendation`},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSecondVote(t *testing.T) {
	t.Parallel()
	options := dispositionOptions()
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
	const stands, none = ": the vote of the first round stands", ": no recommendation"
	const unpersuaded = "it does not say which judge convinced it, of what, and why that matters to its own lens"
	for name, c := range map[string]struct {
		first  PanelRound
		reply  *Reply
		option string
		note   string
	}{
		"it failed":                          {first, nil, "keep", "no reply in the second round" + stands},
		"it failed twice":                    {noRisk, nil, "", "no reply in the second round" + none},
		"it defends":                         {first, &Reply{Option: "keep", Reason: "r", Counters: counter("value", "effort")}, "keep", ""},
		"spelling of a judge":                {first, &Reply{Option: "keep", Reason: "r", Counters: counter(" Value", "EFFORT")}, "keep", ""},
		"it defends in silence":              {first, &Reply{Option: "keep", Reason: "r"}, "keep", "no counter-argument to value and effort" + stands},
		"it answers one of two":              {first, &Reply{Option: "keep", Reason: "r", Counters: counter("value")}, "keep", "no counter-argument to effort" + stands},
		"an empty answer":                    {first, &Reply{Option: "keep", Reason: "r", Counters: []Counter{{"value", " "}, {"effort", "x"}}}, "keep", "no counter-argument to value" + stands},
		"an answer to nobody":                {first, &Reply{Option: "keep", Reason: "r", Counters: counter("risk", "clown", "effort")}, "keep", "no counter-argument to value" + stands},
		"nobody else voted":                  {firstRound(options, "keep", "", ""), &Reply{Option: "keep", Reason: "r"}, "keep", ""},
		"convinced":                          {first, &Reply{Option: "revise", Reason: "r", Changed: true, ConvincedBy: convinced, Counters: counter("effort")}, "revise", ""},
		"convinced without a flag":           {first, &Reply{Option: "revise", Reason: "r", ConvincedBy: convinced, Counters: counter("effort")}, "revise", ""},
		"changed in silence":                 {first, &Reply{Option: "revise", Reason: "r", Counters: counter("effort")}, "keep", unpersuaded + stands},
		"changed by a flag":                  {first, &Reply{Option: "revise", Reason: "r", Changed: true, Counters: counter("effort")}, "keep", unpersuaded + stands},
		"convinced by itself":                {first, &Reply{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"risk", "x"}, Counters: counter("effort")}, "keep", unpersuaded + stands},
		"convinced by a stranger":            {first, &Reply{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"gpt", "x"}, Counters: counter("effort")}, "keep", unpersuaded + stands},
		"convinced by one that did not vote": {noValue, &Reply{Option: "reject", Reason: "r", ConvincedBy: convinced}, "keep", unpersuaded + stands},
		"convinced by nothing":               {first, &Reply{Option: "revise", Reason: "r", ConvincedBy: &Convinced{"value", "\n"}, Counters: counter("effort")}, "keep", unpersuaded + stands},
		"no reason of its own":               {first, &Reply{Option: "revise", Reason: " ", ConvincedBy: convinced, Counters: counter("effort")}, "keep", unpersuaded + stands},
		"changed without a counter-argument": {first, &Reply{Option: "revise", Reason: "r", ConvincedBy: convinced}, "keep", "no counter-argument to effort" + stands},
		"an option of its own":               {first, &Reply{Option: "merge", Reason: "r", ConvincedBy: convinced, Counters: counter("value", "effort")}, "keep", `"merge" is not an option` + stands},
		"a first vote that is argued":        {noRisk, &Reply{Option: "revise", Reason: "r", ConvincedBy: convinced, Counters: counter("effort")}, "revise", ""},
		"a first vote out of nowhere":        {noRisk, &Reply{Option: "revise", Reason: "r", Counters: counter("effort")}, "", unpersuaded + none},
		"no vote again":                      {noRisk, &Reply{Counters: counter("value", "effort")}, "", ""},
	} {
		first := c.first
		round := judgeVotes(CallJudge2, []judged{{StanceRisk, c.reply}}, options, &first)
		if round.Round != 2 || len(round.Votes) != 3 {
			t.Fatalf("%s: %+v", name, round)
		}
		got := round.Votes[0]
		if got.Option != c.option || got.Note != c.note || got.Valid != (c.option != "") {
			t.Errorf("%s: %q valid %v, note %q; want %q, note %q", name, got.Option, got.Valid, got.Note, c.option, c.note)
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
	options := dispositionOptions()
	first := firstRound(options, "keep", "revise", "reject")
	tried := &Reply{Option: "revise", Reason: "new", ConvincedBy: &Convinced{"Value", ""}, Counters: []Counter{{"effort", "slow"}}}
	quiet := &Reply{Option: "revise", Counters: []Counter{{"risk", "x"}, {"effort", "y"}}}
	got := judgeVotes(CallJudge2, []judged{{StanceRisk, tried}, {StanceValue, quiet}}, options, &first)
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
	options := optionList("a", "b", "c")
	option := rapid.SampledFrom([]string{"a", "b", "c", "", "x"})
	judge := rapid.SampledFrom([]string{"risk", "value", "effort", "gpt"})
	word := rapid.SampledFrom([]string{"", "because"})
	often(t, func(t *rapid.T) {
		first := firstRound(options, option.Draw(t, "risk"), option.Draw(t, "value"), option.Draw(t, "effort"))
		r := &Reply{Option: option.Draw(t, "option"), Reason: word.Draw(t, "reason"), Changed: rapid.Bool().Draw(t, "flag")}
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
		got := judgeVotes(CallJudge2, []judged{{StanceRisk, r}}, options, &first).Votes[0]
		if got.Option != want || got.Valid != (want != "") {
			t.Fatalf("vote %q valid %v, the twin says %q: held %v, reply %+v", got.Option, got.Valid, want, held, r)
		}
	})
}

// TestThresholdTable goes through every panel of three judges and four options
// and compares with the table of X16 and with fractions (P16).
func TestThresholdTable(t *testing.T) {
	t.Parallel()
	ids := []string{"", "a", "b", "c", "d"}
	options := optionList(ids[1:]...)
	table := map[string]struct {
		kind       PanelType
		confidence Confidence
	}{
		"3 of 3": {Unanimous, High},
		"2 of 3": {Majority, High},
		"1 of 3": {NoMajority, RequiresInput},
		"2 of 2": {Majority, Medium},
		"1 of 2": {NoMajority, RequiresInput},
		"1 of 1": {Insufficient, RequiresInput},
		"0 of 0": {Insufficient, RequiresInput},
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
				p := panelResult([]PanelRound{firstRound(options, risk, value, effort)}, options)
				name := fmt.Sprintf("%d of %d", most, valid)
				want, known := table[name]
				if !known || p.Type != want.kind || p.Confidence != want.confidence {
					t.Errorf("%s: %s %s, want %s %s", name, p.Type, p.Confidence, want.kind, want.confidence)
				}
				consensus := most >= 2 && float64(most)/float64(valid) > 0.66
				if p.Consensus != consensus || (p.Outcome == Recommended) != consensus || (p.Option != "") != consensus ||
					consensus && votes[p.Option] != most || (p.UserPrompt == "") != consensus || len(p.Missing) != 3-valid {
					t.Errorf("%s: %+v", name, p)
				}
				if again := valid >= 2 && !consensus; needsSecondRound(p) != again {
					t.Errorf("%s: a second round is %v", name, !again)
				}
				if consensus { // one more vote for the leader never loses it
					for _, more := range [][3]string{{p.Option, value, effort}, {risk, p.Option, effort}, {risk, value, p.Option}} {
						q := panelResult([]PanelRound{firstRound(options, more[0], more[1], more[2])}, options)
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
	options := dispositionOptions()
	options[1].Label = "re\nvise"
	first := firstRound(options, "keep", "revise", "reject")
	contested := panelResult([]PanelRound{first}, options)
	if diff := cmp.Diff("The judges do not agree. Choose one option:\n"+
		"- keep: keep (merge the change as proposed), votes: 1\n"+
		"- revise: re vise (merge after named changes), votes: 1\n"+
		"- reject: reject (do not merge; everything stays as it is), votes: 1\n", contested.UserPrompt); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	second := judgeVotes(CallJudge2, []judged{
		{StanceRisk, &Reply{Option: "revise", Reason: "less can break", ConvincedBy: &Convinced{"value", "no way back"}, Counters: []Counter{{"effort", "x"}}}},
		{StanceValue, &Reply{Option: "reject", Reason: "changed its mind in silence"}},
	}, options, &first)
	got := panelResult([]PanelRound{first, second}, options)
	want := Panel{
		Rounds:       []PanelRound{first, second},
		Consensus:    true,
		Type:         Majority,
		Option:       "revise",
		Distribution: []Tally{{"keep", 0}, {"revise", 2}, {"reject", 1}},
		Perspectives: []Perspective{
			{StanceRisk, "revise", "less can break"},
			{StanceValue, "revise", "by the lens of value"},
			{StanceEffort, "reject", "by the lens of effort"},
		},
		Changes:    []VoteChange{{StanceRisk, 2, "keep", "revise", "value: no way back"}},
		Outcome:    Recommended,
		Confidence: High,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if needsSecondRound(got) {
		t.Error("a third round")
	}
	still := panelResult([]PanelRound{first, judgeVotes(CallJudge2, nil, options, &first)}, options)
	if still.Type != NoMajority || needsSecondRound(still) {
		t.Errorf("after a second round without replies: %s, another one: %v", still.Type, needsSecondRound(still))
	}

	empty := panelResult(nil, options)
	if empty.Type != Insufficient || len(empty.Missing) != 3 || needsSecondRound(empty) ||
		!strings.HasPrefix(empty.UserPrompt, "Too few judges gave a vote that counts. Choose one option:\n- keep") {
		t.Errorf("a panel that could not run: %+v", empty)
	}
}

// TestMissingJudge checks that a judge that is gone is named, and that one that
// gave no recommendation is still heard (R193, R194).
func TestMissingJudge(t *testing.T) {
	t.Parallel()
	options := dispositionOptions()
	p := panelResult([]PanelRound{firstRound(options, "keep", "merge", "")}, options)
	if diff := cmp.Diff([]Stance{StanceValue, StanceEffort}, p.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	want := []Perspective{{StanceRisk, "keep", "by the lens of risk"}, {StanceValue, "", "by the lens of value"}}
	if diff := cmp.Diff(want, p.Perspectives); diff != "" {
		t.Errorf("perspectives (-want +got):\n%s", diff)
	}
}

func optionList(ids ...string) []Option {
	var list []Option
	for _, id := range ids {
		list = append(list, Option{ID: id, Label: id})
	}
	return list
}
