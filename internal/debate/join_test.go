package debate

import (
	"slices"
	"testing"
)

// TestTwoThatLackSomething: what both claims lack says nothing of whether they are one.
func TestTwoThatLackSomething(t *testing.T) {
	t.Parallel()
	uncited := func(c *Claim) { c.Evidence = nil }
	for name, row := range map[string]struct {
		both, second func(*Claim)
		confirmed    func(a, b string) bool
		want         bool
	}{
		"a title":                             {func(c *Claim) { titled("?!")(c) }, func(c *Claim) { c.Body = unlike; elsewhere(c) }, nobody, false},
		"a place, and the titles are equal":   {uncited, func(c *Claim) { c.Body, c.Category = unlike, Docs }, nobody, true},
		"a place, and the titles differ":      {uncited, unrelated, nobody, false},
		"a place, and the texts are alike":    {uncited, reworded, everybody, false},
		"a part of the change":                {func(c *Claim) { c.Segment = "" }, reworded, nobody, false},
		"a quote":                             {quoting(""), reworded, nobody, false},
		"nothing, and the texts are alike":    {func(*Claim) {}, reworded, nobody, true},
		"nothing, and the titles are equal":   {func(*Claim) {}, func(c *Claim) { c.Body = unlike; elsewhere(c) }, nobody, true},
		"a short quote, and its lines differ": {quoting("}"), func(c *Claim) { reworded(c); at(30, 30)(c) }, nobody, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := mergeClaims([]Claim{leak("F1", "gpt", row.both), leak("F2", "gemini", row.both, row.second)}, row.confirmed)
			if (got[1].SameAs == "F1") != row.want {
				t.Errorf("they are one: %v, want %v", got[1].SameAs != "", row.want)
			}
		})
	}
}

// unlike is a text that has nothing in common with that of a leak.
const unlike = "A name with a slash reaches another endpoint; escape it."

// TestSeenByEngine: a model's claim is one with what a rule found if it says so, or is
// about the same lines and the same kind of defect, or says the same.
func TestSeenByEngine(t *testing.T) {
	t.Parallel()
	other := func(change func(*Claim)) func(*Claim) {
		return func(c *Claim) { unrelated(c); elsewhere(c); change(c) }
	}
	for name, row := range map[string]struct {
		model func(*Claim)
		want  bool
	}{
		"the same lines and category":            {other(func(*Claim) {}), true},
		"the same lines, another category":       {other(func(c *Claim) { c.Category = Docs }), false},
		"the same category, other lines":         {other(at(30, 30)), false},
		"the same lines, and it names none":      {other(func(c *Claim) { c.AnyCategory = true }), false},
		"it says the same of the lines":          {func(c *Claim) { reworded(c); elsewhere(c); c.Category = Docs }, true},
		"it says the same of other lines":        {func(c *Claim) { reworded(c); elsewhere(c); c.Category = Docs; at(30, 30)(c) }, false},
		"it says that it is the same":            {other(func(c *Claim) { c.Proposed = "F1"; at(30, 30)(c) }), true},
		"it is a proposal":                       {other(func(c *Claim) { c.Kind = Proposal }), false},
		"it says that it is the same as another": {other(func(c *Claim) { c.Proposed = "F7"; at(30, 30)(c) }), false},
	} {
		t.Run(name, func(t *testing.T) {
			rule, model := leak("F1", EngineParty), leak("F2", "gpt", row.model)
			for _, claims := range [][]Claim{{rule, model}, {model, rule}} {
				got := mergeClaims(claims, nobody)
				if is := got[slices.IndexFunc(got, func(c Claim) bool { return c.ID == "F2" })].SameAs == "F1"; is != row.want {
					t.Errorf("%s first: they are one: %v, want %v", claims[0].Owner, is, row.want)
				}
			}
		})
	}
	t.Run("the rule names no category", func(t *testing.T) {
		rule := leak("F1", EngineParty, func(c *Claim) { c.AnyCategory = true })
		if got := mergeClaims([]Claim{rule, leak("F2", "gpt", other(func(*Claim) {}))}, nobody); got[1].SameAs != "" {
			t.Error("they are one")
		}
	})
}

// TestMergedBefore: what was merged before was taken over then. Only a claim that comes
// to one of the engine brings what it has once more.
func TestMergedBefore(t *testing.T) {
	t.Parallel()
	brings := []Evaluation{{Party: "kimi", N: 1, Class: ClassAgree}}
	own := func(c *Claim) { unrelated(c); c.Evaluations = brings }
	for name, row := range map[string]struct {
		claims []Claim
		of     int // which claim the second or third one is part of in the end
		takes  bool
	}{
		"now":                          {[]Claim{leak("F1", "gpt"), leak("F2", "gemini", func(c *Claim) { c.Evaluations = brings })}, 0, true},
		"before":                       {[]Claim{leak("F1", "gpt"), leak("F2", "gemini", own, sameAs("F1"))}, 0, false},
		"before, with one of the rule": {[]Claim{leak("F1", EngineParty), leak("F2", "gemini", own, sameAs("F1"))}, 0, false},
		"its claim comes to the rule":  {[]Claim{leak("F1", EngineParty), leak("F2", "gpt"), leak("F3", "gemini", own, sameAs("F2"))}, 0, true},
		"its claim comes to another":   {[]Claim{leak("F1", "opus"), leak("F2", "gpt"), leak("F3", "gemini", own, sameAs("F2"))}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := mergeClaims(row.claims, nobody)
			last := got[len(got)-1]
			if last.SameAs != got[row.of].ID || (len(got[row.of].Evaluations) > 0) != row.takes {
				t.Errorf("%s is the same as %q, which has %+v", last.ID, last.SameAs, got[row.of].Evaluations)
			}
		})
	}
}

func sameAs(id string) func(*Claim) { return func(c *Claim) { c.SameAs = id } }

// TestJoinedFlags: a claim is kept out of the debate only by what is true of every report
// of it.
func TestJoinedFlags(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]func(*Claim) *bool{
		"late":         func(c *Claim) *bool { return &c.Late },
		"out of scope": func(c *Claim) *bool { return &c.OutOfScope },
		"reframes":     func(c *Claim) *bool { return &c.Reframe },
		"not debated":  func(c *Claim) *bool { return &c.NotDebated },
		"extra":        func(c *Claim) *bool { return &c.Extra },
	} {
		t.Run(name, func(t *testing.T) {
			for _, one := range []bool{true, false} {
				for _, other := range []bool{true, false} {
					k, c := leak("F1", "gpt"), leak("F2", "gemini")
					*flag(&k), *flag(&c) = one, other
					joined := join(k, c)
					if got := *flag(&joined); got != (one && other) {
						t.Errorf("of %v and %v comes %v", one, other, got)
					}
				}
			}
		})
	}
}

// TestJoinedWords: what a rule found takes over the fullest explanation, and a party keeps
// its own; the kind with the stricter gate counts.
func TestJoinedWords(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		owner     string
		body      string // of the one that is merged
		kind, its ClaimKind
		wantBody  string
		wantKind  ClaimKind
	}{
		"a rule, and more words":         {EngineParty, "longer words", Empirical, Empirical, "longer words", Empirical},
		"a rule, and fewer words":        {EngineParty, "few", Empirical, Empirical, "own words", Empirical},
		"a party, and more words":        {"gpt", "longer words", Empirical, Empirical, "own words", Empirical},
		"a judgement and a fact":         {"gpt", "few", Value, Empirical, "own words", Empirical},
		"a fact and a judgement":         {"gpt", "few", Empirical, Value, "own words", Empirical},
		"two judgements":                 {"gpt", "few", Value, Value, "own words", Value},
		"a proposal, and a fact by then": {"gpt", "few", Proposal, Empirical, "own words", Proposal},
	} {
		t.Run(name, func(t *testing.T) {
			got := join(Claim{Owner: row.owner, Body: "own words", Kind: row.kind}, Claim{Owner: "gemini", Body: row.body, Kind: row.its})
			if got.Body != row.wantBody || got.Kind != row.wantKind {
				t.Errorf("it is %s, %q", got.Kind, got.Body)
			}
		})
	}
}

// TestJoinEvidence: each citation is there once, and what is known of it is known of it
// whoever cites it.
func TestJoinEvidence(t *testing.T) {
	t.Parallel()
	with := func(e Evidence, id string, change func(*Evidence)) Evidence {
		e.ID = id
		if change != nil {
			change(&e)
		}
		return e
	}
	holds, fails := textOnly(3, "x", true), textOnly(3, "x", false)
	first := with(holds, "E1", nil)
	verified := with(first, "E1", func(e *Evidence) { e.Verified = true })
	reason := with(fails, "E1", func(e *Evidence) { e.Why = "first" })
	run := with(holds, "E2", func(e *Evidence) { e.RunRef = "check:1" })
	for name, row := range map[string]struct {
		have, more Evidence
		want       []Evidence
	}{
		"two places":                    {first, with(textOnly(4, "x", true), "E2", nil), []Evidence{first, with(textOnly(4, "x", true), "E2", nil)}},
		"the same":                      {first, with(holds, "E2", func(e *Evidence) { e.Changed = true }), []Evidence{first}},
		"the same, of a run":            {first, run, []Evidence{first, run}},
		"the same, verified":            {first, with(holds, "E2", func(e *Evidence) { e.Verified = true }), []Evidence{verified}},
		"the same, verified before":     {verified, with(holds, "E2", nil), []Evidence{verified}},
		"it did not hold, and does":     {with(fails, "E1", nil), with(holds, "E2", nil), []Evidence{first}},
		"it holds, and did not":         {first, with(fails, "E2", nil), []Evidence{first}},
		"it did not hold, and does not": {reason, with(fails, "E2", func(e *Evidence) { e.Why = "second" }), []Evidence{reason}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := joinEvidence([]Evidence{row.have}, []Evidence{row.more}); !slices.Equal(got, row.want) {
				t.Errorf("it is %+v, want %+v", got, row.want)
			}
		})
	}
}
