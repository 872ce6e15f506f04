package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
)

func TestToChoose(t *testing.T) {
	t.Parallel()
	options := []debate.Option{{ID: "keep", Label: "keep", Description: "merge  it"}, {ID: "revise", Label: "re\nvise"}}
	votes := jury.First([]jury.Vote{{Judge: jury.Risk, Option: "keep"}, {Judge: jury.Value, Option: "revise"}}, []string{"keep", "revise"})
	for name, c := range map[string]struct {
		rounds []jury.Round
		want   string
	}{
		"no majority": {[]jury.Round{votes}, "The judges do not agree. Choose one option:\n- keep: keep (merge it), votes: 1\n- revise: re vise, votes: 1\n"},
		"no votes":    {nil, "Too few judges gave a vote that counts. Choose one option:\n- keep: keep (merge it), votes: 0\n- revise: re vise, votes: 0\n"},
	} {
		p := jury.Count(c.rounds, []string{"keep", "revise"})
		if diff := cmp.Diff(c.want, toChoose(debate.Decision{Options: options, Panel: &p})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	agreed := jury.Panel{Consensus: true}
	if got := toChoose(debate.Decision{Options: options, Panel: &agreed}); got != "" {
		t.Errorf("the judges agree: %q", got)
	}
}

func TestVoteNote(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		round int
		note  jury.Note
		valid bool
		want  string
	}{
		{1, jury.Note{}, true, ""},
		{1, jury.Note{Code: jury.NoReply}, false, "no reply: no recommendation"},
		{2, jury.Note{Code: jury.NoReply}, true, "no reply in the second round: the vote of the first round counts"},
		{1, jury.Note{Code: jury.NoOption, Refs: []string{"merge"}}, false, `"merge" is not an option: no recommendation`},
		{2, jury.Note{Code: jury.Unconvinced}, true, "it does not say which judge convinced it, of what, and why that matters to its own lens: the vote of the first round counts"},
		{2, jury.Note{Code: jury.Uncountered, Refs: []string{"value", "effort"}}, false, "no counter-argument to value and effort: no recommendation"},
	} {
		if got := voteNote(c.round, debate.Vote{Valid: c.valid, Note: c.note}); got != c.want {
			t.Errorf("%v: %q, want %q", c.note, got, c.want)
		}
	}
}
