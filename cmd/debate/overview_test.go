package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/actiontest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// tells is a party that says what a change does.
func tells(t *testing.T, overview any) string {
	t.Helper()
	data, err := json.Marshal(overview)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "overview.json")
	writeFile(t, path, data, 0o600)
	return "tells, " + path
}

// manyFiles is a change of so many files.
func manyFiles(n int) map[string]string {
	change := make(map[string]string)
	for i := range n {
		change[fmt.Sprintf("part%d.go", i)] = fmt.Sprintf("package app\n\nvar v%d = %d\n", i, i)
	}
	return change
}

// foldOf is a folded part of a summary by its title.
func foldOf(t *testing.T, text, title string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "<summary>"+title+"</summary>")
	part, _, ends := strings.Cut(rest, "</details>")
	if !found || !ends {
		t.Fatalf("there is no fold %q in\n%s", title, unhidden(text))
	}
	return part
}

// openPart is the part of a summary below a title that no fold hides.
func openPart(t *testing.T, text, title string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "**"+title+"**")
	part, _, ends := strings.Cut(rest, "<details>")
	if !found || !ends {
		t.Fatalf("there is no open part %q in\n%s", title, unhidden(text))
	}
	return part
}

// A change of many files is told in the words of the model that opened, below the verdict
// and without a fold, and names files of the change alone. After a push that sends a part
// it says of which head it speaks.
func TestWhatAChangeDoes(t *testing.T) {
	t.Parallel()
	h := host(t)
	overview := map[string]any{
		"does": "It splits the app <img src=x> into parts for @acme/owners. ::add-mask::x It adds six variables.",
		"order": []map[string]any{
			{"topic": "the core [x](http://evil.test)", "files": []string{"part3.go", "../../etc/passwd", "/part1.go", "part3.go"}},
			{"topic": "the rest", "files": []string{"part0.go", "part5.go"}},
		},
		"misses": "Nothing asks for this.",
	}
	h.inputs["operator-config"] = parties(t, tells(t, overview), tells(t, map[string]any{"does": "The challenger says otherwise."}))
	p := h.open("ada", manyFiles(6))
	first := p.Head()
	o := h.on(p, "opened").good(t)
	text := summaries(p)[0]
	part := openPart(t, text, "What this change does")
	wantText(t, "part", part, "- Read first the core")
	wantText(t, "part", part, " part3.go\n- Then the rest: part0.go, part5.go\n- Other files: part1.go, part2.go, part4.go\n")
	for _, bad := range []string{" <img", " @acme", " [x](", "passwd", "/part1.go", "The challenger says", "issue asks"} {
		want(t, "the part has "+bad, strings.Contains(part, bad), false)
	}
	wantText(t, "page", o.page(t), "Read first the core")
	for _, c := range actiontest.Commands(o.log) {
		if c.Name == "add-mask" && c.Data == "x" {
			t.Error("the log carries out what a model says")
		}
	}

	h.push(p, map[string]string{"more.go": "package app\n\nvar more = 1\n"}).good(t)
	part = openPart(t, summaries(p)[0], "What this change does")
	wantText(t, "after a push", part, "as of `"+first[:7])
	wantText(t, "after a push", part, "more.go")
}

// What the linked issue asks for and the change does not do is said where an issue was
// read, and nothing is where the model has nothing to say.
func TestWhatAChangeMissesOfItsIssue(t *testing.T) {
	t.Parallel()
	h := host(t)
	issue := h.repo.OpenIssue("mona", "Ratio by zero", "Ratio has to return an error, and a test has to show it.")
	h.inputs["operator-config"] = parties(t, tells(t, map[string]any{"does": "Ratio divides.", "misses": "No test shows it."}), "bugs")
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "Divide", Body: fmt.Sprintf("Fixes #%d", issue.Number), Head: "feature"})
	h.on(p, "opened").good(t)
	wantText(t, "fold", foldOf(t, summaries(p)[0], "What this change does"), "- The linked issue asks for more: No test shows it.\n")

	silent := h.open("ada", map[string]string{"more.go": "package app\n"})
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	h.on(silent, "opened").good(t)
	want(t, "a fold of nothing", strings.Contains(strings.Join(summaries(silent), ""), "What this change does"), false)
}
