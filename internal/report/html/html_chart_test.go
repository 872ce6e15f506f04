package html

import (
	"bytes"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// checkChart fails on a bar outside of its drawing, or of no size.
func checkChart(t interface{ Fatalf(string, ...any) }, c *htmlChart) {
	if c == nil {
		return
	}
	for _, b := range append(append([]htmlBar{}, c.Bars...), c.Lines...) {
		if b.X < 0 || b.Y < 0 || b.Width < 1 || b.Height < 1 || b.X+b.Width > c.Width || b.Y+b.Height > c.Height {
			t.Fatalf("%+v in %d x %d", b, c.Width, c.Height)
		}
	}
	for _, l := range c.Labels {
		if l.X < 0 || l.Y < 0 || l.X > c.Width || l.Y > c.Height {
			t.Fatalf("%+v in %d x %d", l, c.Width, c.Height)
		}
	}
}

// TestChartsFit: whatever the rounds and calls were, everything that is drawn stands
// within the drawing, and a page with both is written.
func TestChartsFit(t *testing.T) {
	t.Parallel()
	w := pageWriter{scale: fullScale}
	rapid.Check(t, func(t *rapid.T) {
		var e report.Envelope
		for range rapid.IntRange(0, 30).Draw(t, "calls") {
			e.Calls = append(e.Calls, report.Call{
				Party: "m" + strconv.Itoa(rapid.IntRange(0, 15).Draw(t, "model")), Kind: rapid.SampledFrom([]debate.CallKind{debate.CallOpen, "?"}).Draw(t, "kind"),
				Status:    rapid.SampledFrom([]debate.CallStatus{debate.CallOK, debate.CallTimeout}).Draw(t, "status"),
				StartedMS: rapid.Int64Range(0, 1e10).Draw(t, "start"), TookMS: rapid.Int64Range(0, 1e8).Draw(t, "took"),
			})
		}
		for range rapid.IntRange(0, 60).Draw(t, "ratings") {
			e.Deltas = append(e.Deltas, report.Delta{
				N: rapid.IntRange(1, 45).Draw(t, "n"), Rater: "m" + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "rater")), ValueBP: rapid.IntRange(-5, 10000).Draw(t, "gain"), Counted: rapid.Bool().Draw(t, "counts"),
			})
		}
		checkChart(t, w.timeline(e))
		checkChart(t, w.gain(e))
		page, err := Render(e)
		if err != nil || !bytes.HasSuffix(page, []byte("</html>\n")) {
			t.Fatalf("no page: %v", err)
		}
	})
}

// TestChartsSay: a drawing has its title and its text for those who do not see it, and what
// does not count is drawn lighter.
func TestChartsSay(t *testing.T) {
	t.Parallel()
	e := report.Envelope{
		Calls: []report.Call{
			{Party: "claude", Kind: debate.CallOpen, Status: debate.CallOK, TookMS: 12_000}, {Party: "gpt", Kind: debate.CallOpen, Status: debate.CallOK, StartedMS: 200, TookMS: 9_000},
			{Party: "gemini", Kind: debate.CallChallenge, Status: debate.CallTimeout, StartedMS: 12_500, TookMS: 30_000}, {Party: "gpt", Kind: debate.CallChallenge, Status: debate.CallOK, StartedMS: 12_500, TookMS: 7_000},
		},
		Deltas: []report.Delta{{N: 2, Rater: "claude", ValueBP: 1250, Counted: true}, {N: 2, Rater: "gpt", ValueBP: 700}},
	}
	page, err := Render(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"4 calls to 3 models in 43 s", "<title>claude: opening, 12 s</title>", `class="call failed"`, "1 round rated", "<title>claude, round 2: 12.5%</title>",
		`class="rater-1 uncounted"`, "<title>gpt, round 2: 7%, which does not count</title>", `aria-labelledby="timeline-title"`, `aria-labelledby="gain-title"`,
	} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
}
