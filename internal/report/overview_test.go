package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestOverviewLines: each line says one thing, and nothing is said where nobody said it.
func TestOverviewLines(t *testing.T) {
	t.Parallel()
	if lines := OverviewLines(Envelope{}); lines != nil {
		t.Errorf("of nothing it says %q", lines)
	}
	e := Envelope{About: About{Head: strings.Repeat("b", 40)}, Overview: &Overview{
		By: "claude", Head: strings.Repeat("b", 40), Does: "It adds\na cache.", Misses: "No eviction.",
		Order: []Topic{{"cache", []string{"a.go", "b.go"}}, {"its use", []string{"c.go"}}, {"", []string{"d.go"}}}, Others: 2,
	}}
	want := []string{
		"It adds<U+000A>a cache. — claude", "The linked issue asks for more: No eviction.",
		"Read first cache: a.go, b.go", "Then its use: c.go", "Other files: d.go", "2 more files",
	}
	if diff := cmp.Diff(want, OverviewLines(e)); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
	e.Overview.Head = strings.Repeat("a", 40)
	if got := OverviewLines(e)[0]; !strings.HasSuffix(got, " — claude, as of aaaaaaa") {
		t.Errorf("it says %q", got)
	}
}

// TestOverviewInTheSummary: what a change does stands above its findings, folded if the
// change is small, and not at all if the settings say so.
func TestOverviewInTheSummary(t *testing.T) {
	t.Parallel()
	keep := string(debate.Keep)
	e := debated(debate.Keep, keep, keep)
	e.P3 = []Finding{{ID: "F1", Severity: debate.P3, Title: "It is long", Bucket: debate.Agreed}}
	e.Overview = &Overview{By: "claude", Does: "It adds a cache @everybody <!-- x -->."}
	page := func(files int, off bool) string {
		e.Stats.Files = files
		return string(Summary(e, Pull{Number: 7, NoOverview: off}, debate.Success, ""))
	}
	small, large := page(2, false), page(40, false)
	for name, text := range map[string]string{"small": small, "large": large} {
		at := strings.Index(text, "It adds a cache")
		if at < 0 || at > strings.Index(text, "It is long") || !strings.Contains(text, "`@everybody`") || strings.Contains(text, "e <!--") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if !strings.Contains(small, "<summary>"+OverviewTitle) || strings.Contains(large, "<summary>"+OverviewTitle) {
		t.Errorf("small:\n%s\nlarge:\n%s", small, large)
	}
	if text := page(2, true); strings.Contains(text, "It adds a cache") {
		t.Errorf("off:\n%s", text)
	}
}

// ordered is the overview of a change of some files, in an order that a model gave.
func ordered(order []debate.Topic, files ...string) *Overview {
	s := debate.State{Talk: debate.Talk{Overview: &debate.Overview{Does: "d", Order: order}}}
	for _, f := range files {
		s.Split.Coverage = append(s.Split.Coverage, debate.Coverage{Path: f}, debate.Coverage{Path: f})
	}
	return overview(s, names{})
}

// The order has the files of the change and no others, each once, those last that it
// forgot.
func TestOverviewOrder(t *testing.T) {
	t.Parallel()
	if v := overview(debate.State{}, names{}); v != nil {
		t.Errorf("of nothing it is %+v", v)
	}
	six := []string{"f0.go", "f1.go", "f2.go", "f3.go", "f4.go", "f5.go", debate.BodyPath, debate.IssuePath}
	order := []debate.Topic{
		{Topic: "core", Files: []string{"f3.go", "../../etc/passwd", "f1.go", "f3.go"}}, {Topic: "more", Files: []string{"f1.go", "f0.go"}},
		{Topic: "nothing", Files: []string{"gone.go"}}, {Files: []string{"f5.go"}},
	}
	for _, c := range []struct {
		name  string
		order []debate.Topic
		files []string
		want  []Topic
	}{
		{"an order", order, six, []Topic{{"core", []string{"f3.go", "f1.go"}}, {"more", []string{"f0.go"}}, {"", []string{"f2.go", "f4.go", "f5.go"}}}},
		{"few files", order, six[:5], []Topic{}},
		{"an order of other files", order[2:], six, []Topic{}},
		{"no order", nil, six, []Topic{}},
	} {
		if diff := cmp.Diff(c.want, ordered(c.order, c.files...).Order); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	var files []string
	var long []debate.Topic
	for i := range 300 {
		files = append(files, fmt.Sprintf("f%d.go", i))
		long = append(long, debate.Topic{Topic: "t", Files: files[i:]})
	}
	v := ordered(long, append(files, strings.Repeat("d/", 400)+"x.go")...)
	placed := 0
	for _, topic := range v.Order {
		placed += len(topic.Files)
	}
	if len(v.Order) > maxTopics+1 || placed != maxPlaced || placed+v.Others != 301 {
		t.Errorf("%d topics with %d files, %d others", len(v.Order), placed, v.Others)
	}
}
