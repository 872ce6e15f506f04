package bot

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// TestSpendOfAnAnswer: a session that goes on from an earlier one, such as after a comment,
// costs what it asks itself: what it remembers was booked before.
func TestSpendOfAnAnswer(t *testing.T) {
	t.Parallel()
	call := func(ask string, micro int64) debate.Call {
		return debate.Call{Ask: ask, Party: "gpt", Usage: debate.Usage{TokensIn: 1000, CostMicro: micro}}
	}
	before := []debate.Call{call("A1", 400_000), call("A2", 500_000)}
	state := debate.State{
		Received: debate.Received{Recall: &debate.Memory{Calls: before}},
		Table:    debate.Table{Parties: []debate.Party{{ID: "gpt", Provider: "openai", Model: "gpt-5"}}},
		Asking:   debate.Asking{Calls: append(slices.Clone(before), call("A3", 30_000))},
	}
	repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
	want := database.Spend{Session: "debate-1", Repo: repo, Pull: 7, Model: "gpt-5", Provider: "openai", Calls: 1, TokensIn: 1000, Micro: 30_000, At: 9}
	if got := spends(repo, 7, "debate-1", state, 9); !slices.Equal(got, []database.Spend{want}) {
		t.Errorf("spent %+v, want %+v", got, want)
	}
	if s := summary(repo, 7, "debate-1", state, report.Envelope{}); s.Micro != 30_000 || s.Calls != 1 {
		t.Errorf("the page says %d calls for %d", s.Calls, s.Micro)
	}
}
