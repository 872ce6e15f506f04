package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"

	webhook "github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestOneRunForEachPullRequest: all events of a pull request that mean something come
// into one concurrency group of the sample workflows, where the latest run waits and
// none is cancelled, and nothing that means nothing comes into it.
func TestOneRunForEachPullRequest(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", drop)
	comment := func(who, text string) *ghtest.Comment { return p.Issue.Comment(who, text) }
	review := func(who, state, text string) *ghtest.Review { return p.Review(who, state, text) }
	thread := p.Inline()[0]
	type event struct {
		kind, action string
		happening    ghtest.Happening
		means        bool
	}
	events := []event{
		{"pull_request", "opened", ghtest.Happening{Pull: p}, true},
		{"pull_request", "synchronize", ghtest.Happening{Pull: p, Before: h.repo.Branch("main")}, true},
		{"pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: "lax"}, true},
		{"pull_request", "edited", ghtest.Happening{Pull: p, BodyBefore: "It did."}, false},
		{"pull_request", "labeled", ghtest.Happening{Pull: p, Label: "no-debate"}, true},
		{"pull_request", "labeled", ghtest.Happening{Pull: p, Label: "bug"}, false},
		{"issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: comment("mona", "/debate status")}, true},
		{"issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: comment("mona", "Nice.")}, false},
		{"issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: comment("renovate[bot]", "/debate status")}, false},
		{"issues", "closed", ghtest.Happening{Issue: h.issue()}, true},
		{"issues", "edited", ghtest.Happening{Issue: h.issue(), Sender: "renovate[bot]"}, false},
		{"issues", "unlabeled", ghtest.Happening{Issue: h.issue(), Sender: "mona", Label: "awaiting_human"}, true},
		{"pull_request_review", "submitted", ghtest.Happening{Review: review("mona", "APPROVED", "")}, true},
		{"pull_request_review", "submitted", ghtest.Happening{Review: review("mona", "COMMENTED", "Nice.")}, false},
		{"pull_request_review", "submitted", ghtest.Happening{Review: review("renovate[bot]", "APPROVED", "")}, false},
		{"pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: thread.Reply("mona", "why?")}, true},
		{"pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: thread.Reply("mona", "Please, @arbiter.")}, true},
		{"pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: thread.Reply("mona", "Fixed.")}, false},
		{"pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: thread.Reply("renovate[bot]", "why?")}, false},
		{"schedule", "", ghtest.Happening{Schedule: "17 * * * *"}, true},
	}
	for file, name := range map[string]string{"workflow.yml": "debate-review", "split.yml": "debate-models"} {
		first, grouped := workflowJobs(t, file, name)
		want(t, file+": cancel-in-progress", grouped.Concurrency.Cancel, "false")
		for _, e := range events {
			kind := e.kind
			if file == "split.yml" {
				if strings.HasPrefix(kind, "pull_request_") {
					continue
				}
				kind = strings.Replace(kind, "pull_request", "pull_request_target", 1)
			}
			payload := h.repo.Event(e.kind, e.action, e.happening)
			what := fmt.Sprintf("%s: %s %s %.80s", file, kind, e.action, payload)
			var ignored *webhook.Ignored
			if _, err := webhook.Read(kind, payload, "acme/app", 0); errors.As(err, &ignored) == e.means {
				t.Errorf("%s: %v", what, err)
			}
			scope := map[string]any{"github": map[string]any{"event_name": kind, "event": decoded(t, payload), "repository": "acme/app"}, "inputs": map[string]any{}}
			want(t, what+" passes", truth(value(t, scope, expression(t, first.If))), e.means)
			group := "debate-" + fmt.Sprint(p.Number)
			switch e.kind {
			case "issues":
				group = "debate-" + fmt.Sprint(h.issue().Number)
			case "schedule":
				group = "debate-sweep"
			}
			want(t, what+" group", filled(t, scope, grouped.Concurrency.Group), group)
		}
		fork := map[string]any{"pull_request": map[string]any{"number": 4.0, "head": map[string]any{"repo": map[string]any{"full_name": "eve/app"}}}}
		scope := map[string]any{"github": map[string]any{"event": fork, "repository": "acme/app"}, "inputs": map[string]any{}}
		want(t, file+": group of a fork", filled(t, scope, grouped.Concurrency.Group), map[string]string{"workflow.yml": "debate-4-fork", "split.yml": "debate-4"}[file])
	}
}

// workflowJob is what the test looks at of a job.
type workflowJob struct {
	If          string
	Concurrency struct {
		Group  string
		Cancel string `yaml:"cancel-in-progress"`
	}
}

// workflowJobs are the first job of a sample workflow, and the one that has a group.
func workflowJobs(t *testing.T, file, grouped string) (first, with workflowJob) {
	t.Helper()
	data := readFile(t, "../../internal/cli/templates/"+file)
	var w struct {
		Concurrency any
		Jobs        map[string]workflowJob
	}
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	if w.Concurrency != nil {
		t.Errorf("%s: the group of the whole workflow takes in what means nothing", file)
	}
	entry := map[string]string{"workflow.yml": "debate-review", "split.yml": "debate-collect"}[file]
	return w.Jobs[entry], w.Jobs[grouped]
}

func decoded(t *testing.T, data []byte) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// filled is a text with the values of its expressions.
func filled(t *testing.T, scope map[string]any, text string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(text, "${{")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		inner, after, _ := strings.Cut(rest, "}}")
		if v := value(t, scope, expression(t, inner)); v != nil {
			fmt.Fprint(&b, v)
		}
		text = after
	}
}

func expression(t *testing.T, text string) actionlint.ExprNode {
	t.Helper()
	node, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(text + "}}"))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return node
}

// value evaluates an expression of a workflow, as far as ours go.
func value(t *testing.T, scope map[string]any, node actionlint.ExprNode) any {
	t.Helper()
	switch n := node.(type) {
	case *actionlint.VariableNode:
		return scope[n.Name]
	case *actionlint.StringNode:
		return n.Value
	case *actionlint.ObjectDerefNode:
		at, _ := value(t, scope, n.Receiver).(map[string]any)
		return at[n.Property]
	case *actionlint.ArrayDerefNode:
		return value(t, scope, n.Receiver)
	case *actionlint.NotOpNode:
		return !truth(value(t, scope, n.Operand))
	case *actionlint.CompareOpNode:
		same := strings.EqualFold(fmt.Sprint(value(t, scope, n.Left)), fmt.Sprint(value(t, scope, n.Right)))
		return same == (n.Kind == actionlint.CompareOpNodeKindEq)
	case *actionlint.LogicalOpNode:
		left := value(t, scope, n.Left)
		if truth(left) == (n.Kind == actionlint.LogicalOpNodeKindOr) {
			return left
		}
		return value(t, scope, n.Right)
	case *actionlint.FuncCallNode:
		if n.Callee == "toJSON" {
			data, err := json.Marshal(value(t, scope, n.Args[0]))
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		where, what := value(t, scope, n.Args[0]), fmt.Sprint(value(t, scope, n.Args[1]))
		if n.Callee == "startsWith" {
			return strings.HasPrefix(strings.ToLower(fmt.Sprint(where)), what)
		}
		if named, is := n.Args[0].(*actionlint.ObjectDerefNode); is && named.Property == "name" { // of all labels
			list, _ := value(t, scope, named.Receiver).([]any)
			for _, label := range list {
				if fields, _ := label.(map[string]any); fields["name"] == what {
					return true
				}
			}
			return false
		}
		return strings.Contains(strings.ToLower(fmt.Sprint(where)), what)
	}
	t.Fatalf("no way to evaluate %T", node)
	return nil
}

// truth is what GitHub takes a value for.
func truth(v any) bool { return v != nil && v != false && v != "" && v != 0.0 }
