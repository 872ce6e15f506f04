package debatetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestScriptsReachEverything plays all scripts and expects that a debate stood in
// every stage and ended in every way that the package debate knows. The
// constants are read from its source: a new one has to be reached too.
func TestScriptsReachEverything(t *testing.T) {
	t.Parallel()
	reached := make(map[string]bool)
	for _, name := range Names() {
		script := loaded(t, name)
		_, log := ran(t, script, Forward)
		var s debate.State
		for _, e := range log {
			next, err := debate.Apply(s, e)
			if err != nil {
				t.Fatal(err)
			}
			s = next
			reach(s, reached)
		}
	}
	for _, kind := range []string{
		"Stage", "Outcome", "Exit", "ChallengeStatus", "Reason", "DecisionOutcome", "jury.Type", "jury.Outcome", "HumanStatus",
		"Bucket", "Confidence", "Disposition", "Engagement", "DeadlockClass", "PartyStatus", "TriggerID", "TriggerClass", "Tag",
	} {
		values := constants(t, kind)
		if len(values) == 0 {
			t.Errorf("debate has no constants of type %s", kind)
		}
		for name, value := range values {
			if value != "" && !reached[kind+" "+value] {
				t.Errorf("no script reaches %s (%s %q)", name, kind, value)
			}
		}
	}
}

// reach notes what a state holds.
func reach(s debate.State, reached map[string]bool) {
	for _, stage := range s.Steps[len(s.Steps)-1].Stages {
		reached["Stage "+string(stage)] = true
	}
	reached["Outcome "+string(s.Ending.Outcome)] = true
	reached["Exit "+string(s.Talk.Exit)] = true
	reached["Confidence "+string(s.Ending.Confidence)] = true
	reached["Disposition "+string(s.Ending.Disposition)] = true
	for _, c := range s.Book.Claims {
		reached["Reason "+string(c.Reason)] = true
		reached["Bucket "+string(c.Bucket)] = true
	}
	for _, k := range s.Book.Challenges {
		reached["ChallengeStatus "+string(k.Status)] = true
		reached["DeadlockClass "+string(k.Deadlock)] = true
	}
	for _, e := range s.Book.Ledger {
		reached["Tag "+string(e.Tag)] = true
	}
	for _, p := range s.Table.Parties {
		reached["PartyStatus "+string(p.Status)] = true
	}
	for _, seat := range s.Table.Seats {
		reached["Engagement "+string(seat.Engagement)] = true
	}
	triggers := s.Agenda.Triggers
	for _, d := range s.Agenda.Decisions {
		triggers = append(triggers[:len(triggers):len(triggers)], d.Triggers...)
		reached["DecisionOutcome "+string(d.Outcome)] = true
		if d.Panel != nil {
			reached["jury.Type "+string(d.Panel.Type)] = true
			reached["jury.Outcome "+string(d.Panel.Outcome)] = true
		}
		if d.Human != nil {
			reached["HumanStatus "+string(d.Human.Status)] = true
		}
	}
	for _, t := range triggers {
		reached["TriggerID "+string(t.ID)] = true
		reached["TriggerClass "+string(t.Class)] = true
	}
}

// constants reads the constants of one string type out of the source of the
// package debate, or of a package below it.
func constants(t *testing.T, kind string) map[string]string {
	t.Helper()
	part, typed, below := strings.Cut(kind, ".")
	if !below {
		part, typed = ".", kind
	}
	names, err := filepath.Glob(filepath.Join("..", "..", "debate", part, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string]string)
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				v := spec.(*ast.ValueSpec)
				if of, ok := v.Type.(*ast.Ident); !ok || of.Name != typed {
					continue
				}
				for i, n := range v.Names {
					lit, ok := v.Values[i].(*ast.BasicLit)
					if !ok {
						t.Fatalf("%s of type %s is no literal", n.Name, kind)
					}
					if values[n.Name], err = strconv.Unquote(lit.Value); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	return values
}
