package comment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	explain := Command{Verb: Explain}
	ask := func(text string) Command { return Command{Verb: Ask, Text: text} }
	for body, want := range map[string]Command{
		"@arbiter why?":                               explain,
		"@Arbiter":                                    explain,
		"why, @arbiter?":                              explain,
		"Can you explain this, please? @arbiter":      explain,
		"@arbiter does `Allow` take the lock?":        ask("does `Allow` take the lock?"),
		"Hm. @arbiter: who calls it?\n\n> it is said": ask("Hm. : who calls it?"),
		"@arbiter why does the caller not hold it?":   ask("why does the caller not hold it?"),
		"İ @arbiter who calls it?":                    ask("İ  who calls it?"),
	} {
		got, spoken := Spoken(body, "@Arbiter")
		if diff := cmp.Diff(want, got); !spoken || diff != "" {
			t.Errorf("%q: spoken %v (-want +got):\n%s", body, spoken, diff)
		}
	}
	for _, body := range []string{
		"", "why?", "arbiter why?", "@arbiters why?", "@arbiter-2 why?", "ada@arbiter why?", "@arbiter/team why?", "`@arbiter` is the bot",
		"> @arbiter why?\n\nI said that.", "> it said\n@arbiter why?", "- > @arbiter why?", "It prints:\n\n    @arbiter why?", "````\n```\n@arbiter why?\n````",
		"- ```\n  @arbiter why?\n  ```", "``a ` @arbiter`` is code", "\\@arbiter why?", "@arbiter.example.com why?", "```\n@arbiter why?\n```", "~~~\n@arbiter", "<!-- @arbiter --> no", strings.Repeat("x ", maxCommand) + "@arbiter why?",
	} {
		if got, spoken := Spoken(body, "arbiter"); spoken {
			t.Errorf("%.40q: got %+v", body, got)
		}
	}
	if _, spoken := Spoken("@ why?", ""); spoken {
		t.Error("nobody has a name")
	}
}

func FuzzSpoken(f *testing.F) {
	f.Add("@arbiter why?")
	f.Add("`a` İ @ARBITER ```")
	f.Fuzz(func(t *testing.T, body string) {
		c, spoken := Spoken(body, "arbiter")
		if spoken && (c.Verb == Ask) != (c.Text != "") {
			t.Errorf("%q: %+v", body, c)
		}
		if len(c.Text) > maxCommand+3 {
			t.Errorf("%d bytes", len(c.Text))
		}
	})
}
