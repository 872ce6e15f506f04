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

func TestQuestion(t *testing.T) {
	t.Parallel()
	explain := Command{Verb: Explain}
	ask := func(text string) Command { return Command{Verb: Ask, Text: text} }
	for body, want := range map[string]Command{
		"why?":                       explain,
		"What do you mean?!":         explain,
		"Can the divisor be zero?":   ask("Can the divisor be zero?"),
		"Hm. (Is it?) I doubt it.":   ask("Hm. (Is it?) I doubt it."),
		"> it panics\n\nSince when?": ask("Since when?"),
		"Does `a?.b` fail?\n":        ask("Does `a?.b` fail?"),
		"Est-ce vrai ?":              ask("Est-ce vrai ?"),
		"ゼロになりますか？":                  ask("ゼロになりますか？"),
		"See a@b.example, is it so?": ask("See a@b.example, is it so?"),
	} {
		got, asks := Question(body)
		if diff := cmp.Diff(want, got); !asks || diff != "" {
			t.Errorf("%q: asks %v (-want +got):\n%s", body, asks, diff)
		}
	}
	for _, body := range []string{
		"", "Fixed.", "why", "@bob why?", "Is it so, @bob?", "`x ? y : z`", "See https://example.com/?a=b", "> why?\n\nBecause.", "x?.y",
		"```\nwhy?\n```", "<!-- why? -->", strings.Repeat("x ", maxCommand) + "why?",
	} {
		if got, asks := Question(body); asks {
			t.Errorf("%.40q: got %+v", body, got)
		}
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
