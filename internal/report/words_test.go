package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestIDsInWordsStay: what a model wrote looks like the id of a challenge, and no page
// says anything else in its place. Our own sentences name the challenge by its speaker.
func TestIDsInWordsStay(t *testing.T) {
	t.Parallel()
	const words = "pass K1, the C4 diagram, F2 and -std=K2"
	s := played(t, "confronted")
	if len(s.Book.Challenges) == 0 || len(s.Book.Claims) == 0 {
		t.Fatalf("%d challenges to %d claims", len(s.Book.Challenges), len(s.Book.Claims))
	}
	for i := range s.Book.Claims {
		c := &s.Book.Claims[i]
		c.Title, c.Body, c.Crux, c.Limit = words, words+".", words, words
	}
	for i := range s.Book.Challenges {
		s.Book.Challenges[i].Objection, s.Book.Challenges[i].Defence = words, words
	}
	for i := range s.Talk.Positions {
		s.Talk.Positions[i].Summary = words
	}
	for _, step := range s.Steps {
		for i := range step.Facts {
			if step.Facts[i].Text != "" {
				step.Facts[i].Text = words
			}
		}
	}
	d := &s.Agenda.Decisions[0]
	d.Question, d.Why = words, debate.Why{Code: debate.WhyGrantedObjection, Refs: []string{"K1"}}
	e := FromState(s)
	p := Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead}
	pages := map[string][]byte{"markdown": Markdown(e), "agent": ForAgent(e), "text": Text(e, TextOptions{Verbose: true, Width: 4000}), "html": HTML(e)}
	for name, page := range renderings(e, p, asked) {
		pages[name] = page()
	}
	whole := 0
	for name, page := range pages {
		if bytes.Contains(page, []byte("pass ")) && !bytes.Contains(page, []byte("pass K1")) || bytes.Contains(page, []byte("-std=gpt")) {
			t.Errorf("%s alters what a model wrote:\n%s", name, page)
		}
		whole += bytes.Count(page, []byte(words))
	}
	if whole == 0 {
		t.Error("no page shows the words")
	}
	speaker := ("the objection of " + s.Book.Challenges[0].Attacker)
	if got := e.Decisions[0].Why; got != speaker+" was accepted, so only a person can decide to merge" {
		t.Errorf("the decision says %q", got)
	}
}

// TestWordsLikeOursStay: words of a model that begin like a sentence of ours are its words.
func TestWordsLikeOursStay(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"it recommends keep: so says its author", "it disagrees: with whom", "granted: by default"} {
		s := contested()
		for i := range s.Book.Challenges {
			s.Book.Challenges[i].Objection = words
		}
		if page := string(Text(FromState(s), TextOptions{Verbose: true, Width: 1000})); !strings.Contains(page, "The recommendation\n") || !strings.Contains(page, "objects: \""+words+"\"") {
			t.Errorf("%q is not among the objections in\n%s", words, page)
		}
	}
}

// TestListInASentence: a sentence names at most three of a list, and counts the others.
func TestListInASentence(t *testing.T) {
	t.Parallel()
	for want, ids := range map[string][]string{
		"":                      nil,
		"F1":                    {"F1"},
		"F1, F2 and F3":         {"F1", "F2", "F3"},
		"F1, F2, F3 and 4 more": {"F1", "F2", "F3", "F4", "F5", "F6", "F7"},
	} {
		if got := enumerated(ids); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPositionsThatStay: a position that nothing moved is told once.
func TestPositionsThatStay(t *testing.T) {
	t.Parallel()
	s := contested()
	first := debate.Position{By: "gpt", Disposition: debate.Keep, Summary: "the loop is right"}
	again := first
	again.AfterN = 1
	s.Talk.Positions = []debate.Position{first, again}
	if page := string(Text(FromState(s), TextOptions{Verbose: true})); strings.Count(page, "the loop is right") != 1 {
		t.Errorf("it says\n%s", page)
	}
}
