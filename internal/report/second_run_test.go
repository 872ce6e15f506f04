package report

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// TestSecondRuns: where a model is asked a second time, no page and no JSON calls that run by
// its id, which reads like another model.
func TestSecondRuns(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, name := range debatetest.Names() {
		s := played(t, name)
		for id, called := range namesOf(&s).parties {
			stands := regexp.MustCompile(`\b` + regexp.QuoteMeta(id) + `\b`)
			e := FromState(s)
			p := Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead}
			pages := map[string][]byte{"markdown": Markdown(e), "agent": ForAgent(e), "headline": []byte(Headline(e)), "lead": []byte(e.Summary)}
			for kind, page := range renderings(e, p, asked) {
				pages[kind] = page()
			}
			for kind, page := range pages {
				if at := stands.FindIndex(page); at != nil {
					t.Errorf("%s: %s says %s:\n%s", name, kind, id, page[max(0, at[0]-200):min(len(page), at[1]+100)])
				}
				shown += bytes.Count(page, []byte(called))
			}
			if data, err := JSON(e); err != nil || !bytes.Contains(data, []byte(`"id": "`+id+`"`)) {
				t.Errorf("%s: JSON has no party %s (%v)", name, id, err)
			}
		}
	}
	if shown == 0 {
		t.Error("no script shows a second run")
	}
}

// TestSecondRunOf: a party is the second run of another one where both are the same
// model, and not because its name ends like that.
func TestSecondRunOf(t *testing.T) {
	t.Parallel()
	first := debate.Party{ID: "gpt", Role: debate.Primary, Provider: "openai", Model: "gpt-x"}
	for want, second := range map[string]debate.Party{
		"gpt's second run": {ID: "gpt-2", Role: debate.Challenger, Provider: "openai", Model: "gpt-x"},
		"gpt-2":            {ID: "gpt-2", Role: debate.Challenger, Provider: "openai", Model: "another"},
		"gpt-3":            {ID: "gpt-3", Role: debate.Challenger, Provider: "openai", Model: "gpt-x"},
		"":                 {ID: "gpt-7", Role: debate.Challenger, Debater: "gpt"},
	} {
		s := debate.State{Table: debate.Table{Parties: []debate.Party{first, second}}}
		got := namesOf(&s).of(second.ID)
		if want == "" {
			want = "gpt's second run"
		}
		if got != want {
			t.Errorf("%+v is called %q, want %q", second, got, want)
		}
	}
}
