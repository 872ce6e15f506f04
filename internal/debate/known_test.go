package debate

import (
	"testing"
)

// TestKnown has a row for each thing that decides whether an entry of the settings hides
// a finding: what it is about, when it ends, and what must be seen all the same.
func TestKnown(t *testing.T) {
	t.Parallel()
	cited := func(path string, line int, quote string) []Evidence {
		return []Evidence{{CitationOK: true, InHunk: true, Cite: Citation{Path: path, Side: Right, StartLine: line, EndLine: line, Quote: quote}}}
	}
	const code = "\tlog.Printf(name)"
	byRule := Known{Rule: "shell/chmod-777", Until: "2027-01-01", By: "bob", Reason: "why"}
	byLines := Known{Snippet: "if debug { log.Printf(name) }", Until: "2027-01-01", By: "bob", Reason: "why"}
	rule := Claim{ID: "F1", Owner: EngineParty, Rule: "shell/chmod-777", Severity: P3, Asserted: P3, Evidence: cited("bin/a.sh", 3, "chmod 777 x")}
	model := Claim{ID: "F1", Owner: "gpt", Severity: P2, Asserted: P2, Evidence: cited("lib/a.go", 16, code)}
	with := func(c Claim, change func(*Claim)) Claim { change(&c); return c }
	other := func(change func(*Claim)) Claim {
		return with(Claim{ID: "F2", Owner: "claude", Severity: P3, Asserted: P3, Evidence: cited("lib/a.go", 16, code)}, change)
	}
	explains := func(change func(*Claim)) Claim {
		return with(Claim{ID: "F2", SameAs: "F1", Owner: "gpt", Severity: P3, Asserted: P3, Evidence: cited("bin/a.sh", 3, "chmod 777 x")}, change)
	}
	tests := []struct {
		name  string
		entry Known
		claim Claim
		more  []Claim
		want  bool
	}{
		{"a rule", byRule, rule, nil, true},
		{"another rule", Known{Rule: "shell/syntax"}, rule, nil, false},
		{"a rule that begins alike", Known{Rule: "shell/chmod"}, rule, nil, false},
		{"no rule hides what a model says", byRule, with(model, func(c *Claim) { c.Evidence = rule.Evidence }), nil, false},
		{"below its directory", below(byRule, "bin"), rule, nil, true},
		{"its file", below(byRule, "bin/a.sh"), rule, nil, true},
		{"below another directory", below(byRule, "lib"), rule, nil, false},
		{"a directory that begins alike", below(byRule, "bi"), rule, nil, false},
		{"expired", func() Known { k := byRule; k.Expired = true; return k }(), rule, nil, false},

		{"a line of the entry", byLines, model, nil, true},
		{"all lines of the entry, spaced otherwise", byLines, with(model, func(c *Claim) { c.Evidence = cited("a.go", 1, "if debug {\n\t\tlog.Printf(name)\n}") }), nil, true},
		{"a line more than the entry", byLines, with(model, func(c *Claim) { c.Evidence = cited("a.go", 1, code+"\nos.Exit(1)") }), nil, false},
		{"a part of a word of the entry", byLines, with(model, func(c *Claim) { c.Evidence = cited("a.go", 1, "debug { log.Printf(na") }), nil, false},
		{"a brace", Known{Snippet: "} } } }"}, with(model, func(c *Claim) { c.Evidence = cited("a.go", 1, "}") }), nil, false},
		{"lines that are not there", byLines, with(model, func(c *Claim) { c.Evidence = cited("a.go", 1, code); c.Evidence[0].CitationOK = false }), nil, false},
		{"lines elsewhere too", byLines, with(model, func(c *Claim) {
			c.Evidence = append(cited("lib/a.go", 16, code), cited("lib/b.go", 5, "db.Exec(q)")...)
		}), nil, false},
		{"the same lines elsewhere too", byLines, with(model, func(c *Claim) { c.Evidence = append(cited("lib/a.go", 16, code), cited("bin/b.go", 5, code)...) }), nil, true},
		{"the same lines in another directory too", below(byLines, "lib"), with(model, func(c *Claim) { c.Evidence = append(cited("lib/a.go", 16, code), cited("bin/b.go", 5, code)...) }), nil, false},
		{"lines elsewhere that are not there", byLines, with(model, func(c *Claim) {
			c.Evidence = append(cited("lib/a.go", 16, code), cited("lib/b.go", 5, "db.Exec(q)")...)
			c.Evidence[1].CitationOK = false
		}), nil, true},
		{"a check that failed elsewhere", byLines, with(model, func(c *Claim) {
			c.Evidence = append(cited("lib/a.go", 16, code), cited("lib/a_test.go", 5, "--- FAIL")...)
			c.Evidence[1].Type = Execution
		}), nil, true},
		{"nothing but a check that failed", byLines, with(model, func(c *Claim) { c.Evidence = cited("lib/a.go", 16, code); c.Evidence[0].Type = Execution }), nil, false},
		{"merged with other lines", byLines, model, []Claim{other(func(c *Claim) { c.SameAs, c.Evidence = "F1", cited("lib/a.go", 17, "os.Exit(1)") })}, false},
		{"merged with its lines", byLines, model, []Claim{other(func(c *Claim) { c.SameAs = "F1" })}, true},
		{"carried on from more lines", byLines, with(model, func(c *Claim) { c.Wider = true }), nil, false},
		{"merged with one carried on from more lines", byLines, model, []Claim{other(func(c *Claim) { c.SameAs, c.Wider = "F1", true })}, false},

		{"a rule that a model explains", byRule, rule, []Claim{explains(func(c *Claim) {})}, true},
		{"a rule and a model that calls it more severe", byRule, rule, []Claim{explains(func(c *Claim) { c.Severity, c.Asserted = P2, P2 })}, false},
		{"a rule and a model that amended it upwards", byRule, rule, []Claim{explains(func(c *Claim) { c.AmendedTo = P2 })}, false},
		{"a rule and a model that cites lines around it", byRule, rule, []Claim{explains(func(c *Claim) { c.Evidence[0].Cite.StartLine = 1 })}, false},
		{"a rule and a model that cites a removed line", byRule, rule, []Claim{explains(func(c *Claim) { c.Evidence[0].Cite.Side = Left })}, false},
		{"a rule and lines that a model joined to it", byRule, with(rule, func(c *Claim) { c.Evidence = append(c.Evidence[:1:1], cited("bin/a.sh", 9, "eval $1")...) }), nil, false},
		{"a rule and another rule", byRule, rule, []Claim{explains(func(c *Claim) { c.Owner, c.Rule = EngineParty, "shell/syntax" })}, false},
		{"a rule that saw two lines", byRule, with(rule, func(c *Claim) { c.Evidence = append(c.Evidence[:1:1], cited("bin/a.sh", 4, "chmod 777 y")...) }), []Claim{explains(func(c *Claim) {
			c.Owner, c.Rule, c.Evidence = EngineParty, rule.Rule, cited("bin/a.sh", 4, "chmod 777 y")
		})}, true},
		{"a rule whose lines are not there", byRule, with(rule, func(c *Claim) {
			c.Evidence = append(cited("bin/a.sh", 3, "x"), rule.Evidence...)
			c.Evidence[0].CitationOK = false
		}), nil, false},
		{"nothing cited", byLines, with(model, func(c *Claim) { c.Evidence = nil }), nil, false},

		{"a P1", byLines, with(model, func(c *Claim) { c.Severity = P1 }), nil, false},
		{"asserted as a P1 and held at P2", byLines, with(model, func(c *Claim) { c.Asserted = P1 }), nil, false},
		{"amended to a P1", byLines, with(model, func(c *Claim) { c.AmendedTo = P1 }), nil, false},
		{"a P1 to somebody who weighed it", byLines, with(model, func(c *Claim) { c.Evaluations = []Evaluation{{Party: "claude", Severity: P1}} }), nil, false},
		{"a P1 on an earlier head", byLines, with(model, func(c *Claim) { c.Grave = true }), nil, false},
		{"a P1 to whom it was merged from", byLines, model, []Claim{other(func(c *Claim) { c.SameAs, c.Severity, c.Asserted = "F1", P1, P1; c.Evidence = nil })}, false},
		{"a rule's P1 on its lines", byLines, model, []Claim{other(func(c *Claim) { c.Owner, c.Rule, c.Severity, c.Asserted = EngineParty, "sql/truncate", P1, P1 })}, false},
		{"a P3 on its lines", byLines, model, []Claim{other(func(c *Claim) {})}, true},
		{"a P1 on other lines", byLines, model, []Claim{other(func(c *Claim) { c.Severity, c.Asserted = P1, P1; c.Evidence = cited("lib/a.go", 17, "x") })}, true},
		{"a P1 in another file", byLines, model, []Claim{other(func(c *Claim) { c.Severity, c.Asserted = P1, P1; c.Evidence = cited("lib/b.go", 16, "x") })}, true},

		{"a secret", Known{Rule: "secrets/password"}, with(rule, func(c *Claim) { c.Rule, c.Severity, c.Asserted = "secrets/password", P2, P2 }), nil, false},
		{"a secret on its lines", byLines, model, []Claim{other(func(c *Claim) { c.Rule = "secrets/password" })}, false},
		{"a rule about workflows", Known{Rule: "workflow/unpinned-action"}, with(rule, func(c *Claim) { c.Rule = "workflow/unpinned-action" }), nil, false},
		{"another rule in a workflow", byRule, with(rule, func(c *Claim) { c.Evidence = cited(".github/workflows/ci.yml", 3, "chmod 777 x") }), nil, false},
		{"a model in a workflow", byLines, with(model, func(c *Claim) { c.Evidence = cited(".github/workflows/ci.yml", 3, code) }), nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := Book{Claims: append([]Claim{tt.claim}, tt.more...)}
			why := (&State{Book: b, Known: []Known{tt.entry}}).accepted(&b.Claims[0])
			if got := !why.IsZero(); got != tt.want {
				t.Errorf("hidden = %v (%s), want %v", got, why, tt.want)
			}
			stands := State{Book: Book{Claims: b.Claims}, Known: []Known{tt.entry}}
			stands.Known[0].Expired = true
			stands.Book.Claims[0].Bucket = Agreed
			for i := range stands.Book.Claims[1:] {
				stands.Book.Claims[i+1].Bucket = Dismissed
			}
			if got := len(stands.Overdue()) == 1; got != (tt.want || tt.entry.Expired) {
				t.Errorf("overdue = %v, want %v", got, tt.want)
			}
		})
	}
}

func below(k Known, below string) Known {
	k.Below = below
	return k
}

// TestFirstEntryThatHidesIsNamed: why a finding is hidden names who accepts it.
func TestFirstEntryThatHidesIsNamed(t *testing.T) {
	t.Parallel()
	b := Book{Claims: []Claim{{ID: "F1", Rule: "code/x", Severity: P3, Evidence: []Evidence{{CitationOK: true, Cite: Citation{Path: "a", Side: Right, StartLine: 1, EndLine: 1}}}}}}
	list := []Known{{Rule: "code/x", Expired: true, By: "ann"}, {Rule: "code/x", By: "bob", Until: "2027-01-01", Reason: "it is a test"}}
	if got, want := (&State{Book: b, Known: list}).accepted(&b.Claims[0]).String(), "known bob 2027-01-01 'it is a test'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHiddenFindingsCountForVotes: that a finding is hidden makes no opinion of whoever
// found it weaker; that it was refuted does.
func TestHiddenFindingsCountForVotes(t *testing.T) {
	t.Parallel()
	for reason, want := range map[Reason]bool{ReasonKnown: true, ReasonRejected: false} {
		b := Book{Claims: []Claim{{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Dismissed, Reason: reason, Evidence: []Evidence{{CitationOK: true}}}}}
		if got := b.grounded("gpt"); got != want {
			t.Errorf("a finding that is %s counts: %v, want %v", reason, got, want)
		}
	}
}

// TestKnownIsTheSameOnTheNextHead: what settings do not hide on one head, they do not hide
// on the next one, where the words of those who weighed it and its other lines are gone.
func TestKnownIsTheSameOnTheNextHead(t *testing.T) {
	t.Parallel()
	at := Evidence{CitationOK: true, InHunk: true, Cite: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "log.Printf(name)"}}
	more := Evidence{CitationOK: true, Cite: Citation{Path: "b.go", Side: Right, StartLine: 9, EndLine: 9, Quote: "db.Exec(name)"}}
	ci := Evidence{CitationOK: true, Cite: Citation{Path: ".github/workflows/ci.yml", Side: Right, StartLine: 9, EndLine: 9, Quote: "log.Printf(name)"}}
	tests := []struct {
		name   string
		change func(*Claim)
		merged []Claim
		want   bool
	}{
		{"nothing else", func(*Claim) {}, nil, true},
		{"asserted as a P1", func(c *Claim) { c.Asserted = P1 }, nil, false},
		{"a P1 to an accuser", func(c *Claim) { c.Evaluations = []Evaluation{{Party: "claude", Severity: P1}} }, nil, false},
		{"a P1 to whom it was merged from", func(*Claim) {}, []Claim{{ID: "F2", SameAs: "F1", Asserted: P1, Severity: P2}}, false},
		{"in a workflow too", func(c *Claim) { c.Evidence = append(c.Evidence, ci) }, nil, false},
		{"elsewhere too", func(c *Claim) { c.Evidence = append(c.Evidence, more) }, nil, false},
		{"merged with lines elsewhere", func(*Claim) {}, []Claim{{ID: "F2", SameAs: "F1", Asserted: P2, Severity: P2, Evidence: []Evidence{more}}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Claim{ID: "F1", Owner: "gpt", Asserted: P2, Severity: P2, Bucket: Agreed, Evidence: []Evidence{at}}
			tt.change(&c)
			m := Memory{Book: Book{Claims: append([]Claim{c}, tt.merged...)}}
			m = m.Short().forget(0)
			for head := 1; head <= 3; head++ {
				b := Book{Claims: m.Book.Claims}
				entry := []Known{{Snippet: "log.Printf(name)", By: "bob"}}
				if got := !(&State{Book: b, Known: entry}).accepted(&b.Claims[0]).IsZero(); got != tt.want {
					t.Errorf("head %d: hidden = %v, want %v", head, got, tt.want)
				}
				b = Book{}
				b.Claims = []Claim{b.carried(nil, m.Previous().Findings[0])}
				b.Claims[0].Bucket = Agreed
				m = Memory{Book: b}
			}
		})
	}
}
