package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// parcel is a pull request of five files in a repository whose gate is required, and
// the models that review it.
type parcel struct {
	*hosted
	pull  *ghtest.Pull
	minds []*vendor
	ill   map[string]bool // models that answer nonsense
	seen  map[string]int  // how many calls of each model were looked at
}

// piece is the text of one file. Each declares what no other names.
func piece(n, size int, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package pkg\n\n// Part%d is one of five.\nfunc Part%d(a, b int) int {\n\treturn a %s b\n}\n", n, n, text)
	for i := range size {
		fmt.Fprintf(&b, "\n// Step%dOf%d goes on.\nfunc Step%dOf%d(a int) int {\n\treturn a %s %d\n}\n", i, n, i, n, text, i)
	}
	return b.String()
}

func pieces(size int, text string) map[string]string {
	all := map[string]string{}
	for n := range 5 {
		all[fmt.Sprintf("pkg/p%d.go", n)] = piece(n, size, text)
	}
	return all
}

// send opens a pull request and has it reviewed. Its files have so many functions.
func send(t *testing.T, size int) *parcel {
	t.Helper()
	p := &parcel{hosted: host(t), ill: map[string]bool{}, seen: map[string]int{}}
	p.minds = vendors(t, func(name string, turn exectest.Turn, packet, key string) string {
		if p.ill[name] {
			return "I would rather not say."
		}
		return replying(name, turn, packet, key)
	})[:2]
	delete(p.inputs, "operator-config")
	p.inputs["gate"] = "required"
	p.env = environment(p.minds)
	p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), pieces(size, "*")))
	p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), map[string]string{"AGENTS.md": "Mind the names.\n"}))
	p.pull = p.open("ada", pieces(size, "+"))
	p.on(p.pull, "opened").good(t)
	want(t, "check of the first head", p.check(p.pull.Head()), "success")
	p.sent()
	return p
}

// sent are the files of which some model was sent changed lines since this was asked
// last.
func (p *parcel) sent() []string {
	found := map[string]bool{}
	for _, m := range p.minds {
		calls := m.asked()
		for _, c := range calls[p.seen[m.name]:] {
			for _, line := range strings.Split(c.packet, "\n") {
				if f := strings.Fields(line); len(f) > 3 && f[0] == "segment" && f[2] == "code" {
					found[f[3]] = true
				}
			}
		}
		p.seen[m.name] = len(calls)
	}
	return slices.Sorted(maps.Keys(found))
}

// resent demands that a run sent some of the five files, by their numbers.
func (p *parcel) resent(what string, numbers ...int) {
	p.t.Helper()
	var expected []string
	for _, n := range numbers {
		expected = append(expected, fmt.Sprintf("pkg/p%d.go", n))
	}
	files := p.sent()
	if !slices.Equal(files, expected) {
		p.t.Errorf("%s: sent are %v, want %v", what, files, expected)
	}
}

// A push that touches one of five files sends that one. The others were read on the
// head before, for the same base and under the same settings; the summary says so, and
// the gate takes it for a whole review.
func TestAPushSendsWhatChanged(t *testing.T) {
	t.Parallel()
	p := send(t, 12)
	before := p.pull.Head()
	p.push(p.pull, map[string]string{"pkg/p2.go": piece(2, 12, "-")}).good(t)
	p.resent("a push", 2)
	want(t, "check", p.check(p.pull.Head()), "success")
	wantText(t, "summary", summaries(p.pull)[0], "Read at this commit: pkg/p2.go; read at "+before[:7]+": pkg/p0.go, pkg/p1.go, pkg/p3.go, pkg/p4.go\n")

	second := p.pull.Head()
	p.push(p.pull, map[string]string{"pkg/p4.go": piece(4, 12, "-")}).good(t)
	p.resent("the next push", 4)
	want(t, "check", p.check(p.pull.Head()), "success")
	wantText(t, "summary", summaries(p.pull)[0],
		"Read at this commit: pkg/p4.go; read at "+before[:7]+": pkg/p0.go, pkg/p1.go, pkg/p3.go; read at "+second[:7]+": pkg/p2.go\n")
}

// A push that touches one of five files sends at most three tenths of what the first
// review sent of the change. The brief, which is the same in every call, comes to it.
func TestAPushSendsThreeTenths(t *testing.T) {
	t.Parallel()
	for _, size := range []int{12, 60} {
		p := send(t, size)
		measure := func() (all, material int) {
			for _, m := range p.minds {
				for _, c := range m.asked() {
					all, material = all+len(c.body), material+len(c.packet)
				}
			}
			return all, material
		}
		all, material := measure()
		p.push(p.pull, map[string]string{"pkg/p2.go": piece(2, size, "-")}).good(t)
		bothAll, bothMaterial := measure()
		push, pushed := bothAll-all, bothMaterial-material
		t.Logf("%d functions a file: first review %d bytes (%d of the change), push %d (%d): %d %% (%d %%)",
			size, all, material, push, pushed, push*100/all, pushed*100/material)
		if pushed*100 > material*30 {
			t.Errorf("%d functions a file: the push sends %d bytes of the change, the first review %d", size, pushed, material)
		}
	}
}

// What was read before counts only under the same conditions.
func TestWhatIsNotCarried(t *testing.T) {
	t.Parallel()
	all := []int{0, 1, 2, 3, 4}
	touch := map[string]string{"pkg/p2.go": piece(2, 12, "-")}
	for name, test := range map[string]func(t *testing.T, p *parcel){
		"the memory is forged": func(t *testing.T, p *parcel) {
			p.push(p.pull, map[string]string{"pkg/p0.go": piece(0, 12, "-")}).good(t)
			p.sent()
			for _, c := range p.pull.Comments() { // what the program sealed, by somebody without its key
				if block := stateBlock.FindString(c.Body()); block != "" {
					bind := comment.Bind{RepositoryID: p.repo.ID, Number: p.pull.Number, Purpose: "summary"}
					data, _, err := comment.Open([]byte(p.inputs["state-key"]), bind, block)
					if err != nil {
						t.Fatal(err)
					}
					forged, err := comment.Seal([]byte("another key"), bind, data)
					if err != nil {
						t.Fatal(err)
					}
					c.Edit(ghtest.ActionsBot, comment.Resealed(c.Body(), forged))
				}
			}
			p.push(p.pull, touch).good(t)
			p.resent("forged", all...)
		},
		"there is no key of the memory": func(t *testing.T, p *parcel) {
			p.inputs["state-key"] = "a-state-key-that-is-new"
			p.push(p.pull, touch).good(t)
			p.resent("another key", all...)
		},
		"the base moved between": func(t *testing.T, p *parcel) {
			p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), map[string]string{"other.go": "package other\n"}))
			p.pull.Push(p.repo.CommitFiles([]string{p.pull.Head(), p.repo.Branch("main")}, p.files(touch)))
			p.on(p.pull, "synchronize").good(t)
			p.resent("a merge of the base", all...)
		},
		"the base branch is another one": func(t *testing.T, p *parcel) {
			p.repo.SetBranch("next", p.repo.Branch("main"))
			p.pull.Push(p.repo.Change(p.pull.Head(), touch))
			p.pull.SetBase("next")
			p.rebased(p.pull, "main").good(t)
			p.resent("another base", all...)
		},
		"the settings changed between": func(t *testing.T, p *parcel) {
			p.inputs["fail-on"] = "P3"
			p.push(p.pull, touch).good(t)
			p.resent("other settings", all...)
		},
		"what the repository tells reviewers changed": func(t *testing.T, p *parcel) {
			p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), map[string]string{"AGENTS.md": "Mind the sums.\n"}))
			p.push(p.pull, touch).good(t)
			p.resent("other advice", all...)
		},
		"what the linked issue asks for changed": func(t *testing.T, p *parcel) {
			issue := p.repo.OpenIssue("mona", "The sums are wrong", "Add.")
			p.pull.Link(issue)
			p.push(p.pull, touch).good(t)
			p.resent("an issue", all...)
			p.push(p.pull, map[string]string{"pkg/p3.go": piece(3, 12, "-")}).good(t)
			p.resent("the same issue", 3)
			issue.Edit("mona", "Subtract.")
			p.push(p.pull, map[string]string{"pkg/p4.go": piece(4, 12, "-")}).good(t)
			p.resent("another text", all...)
		},
		"the panel was smaller": func(t *testing.T, p *parcel) {
			third := vendors(t, replying)[2]
			p.minds = append(p.minds, third)
			maps.Copy(p.env, environment([]*vendor{third}))
			p.push(p.pull, touch).good(t)
			p.resent("a third model", all...)
		},
		"a model was lost": func(t *testing.T, p *parcel) {
			p.ill["openai"] = true
			p.push(p.pull, map[string]string{"pkg/p0.go": piece(0, 12, "-"), "pkg/p1.go": piece(1, 12, "-")}).good(t)
			p.sent()
			p.ill["openai"] = false
			p.push(p.pull, touch).good(t)
			files := p.sent()
			for _, name := range []string{"pkg/p0.go", "pkg/p1.go", "pkg/p2.go"} {
				if !slices.Contains(files, name) {
					t.Errorf("%s was not answered by all, and is not sent again: %v", name, files)
				}
			}
			want(t, "check", p.check(p.pull.Head()), "success")
		},
		"a push takes back, and the next one adds again": func(t *testing.T, p *parcel) {
			p.push(p.pull, map[string]string{"pkg/p3.go": piece(3, 12, "*")}).good(t)
			p.sent()
			p.push(p.pull, map[string]string{"pkg/p3.go": piece(3, 12, "+")}).good(t)
			p.resent("added again", 3)
		},
		"a file takes the place of another one": func(t *testing.T, p *parcel) {
			p.push(p.pull, map[string]string{"pkg/p3.go": piece(1, 12, "+")}).good(t)
			files := p.sent()
			if !slices.Contains(files, "pkg/p3.go") {
				t.Errorf("the text of another file in its place is not sent: %v", files)
			}
		},
		"a use of what it declares changed elsewhere": func(t *testing.T, p *parcel) {
			p.push(p.pull, map[string]string{"pkg/p2.go": piece(2, 12, "-") + "\nvar sum = Part4(1, 2)\n"}).good(t)
			p.resent("a new use", 2, 4)
		},
		"by order": func(t *testing.T, p *parcel) {
			p.say(p.pull.Issue, "mona", "/debate pause")
			p.push(p.pull, touch).good(t)
			p.sent()
			_, o := p.say(p.pull.Issue, "mona", "/debate run")
			o.good(t)
			p.resent("/debate run", all...)
		},
		"what is open about a file": func(t *testing.T, p *parcel) {
			p.push(p.pull, map[string]string{"pkg/p1.go": piece(1, 12, "+") + "\nvar door = 1 // BUG: it is open\n"}).good(t)
			p.sent()
			if got := p.check(p.pull.Head()); got == "success" {
				t.Errorf("check is %q, and a line owns to a bug", got)
			}
			p.push(p.pull, touch).good(t)
			p.sent()
			if got := p.check(p.pull.Head()); got == "success" {
				t.Errorf("check is %q: the bug was carried away", got)
			}
			wantText(t, "summary", summaries(p.pull)[0], "This is a bug: it is open")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, send(t, 12))
		})
	}
}

// files are those of the head with some changed.
func (p *parcel) files(change map[string]string) map[string]ghtest.File {
	all := map[string]ghtest.File{"AGENTS.md": {Content: "Mind the names.\n"}, "ratio.go": {Content: base}, "db/migrations/0001_a.up.sql": {Content: "CREATE TABLE a (id int);\n"}, "other.go": {Content: "package other\n"}}
	for path, text := range pieces(12, "+") {
		all[path] = ghtest.File{Content: text}
	}
	for path, text := range change {
		all[path] = ghtest.File{Content: text}
	}
	return all
}
