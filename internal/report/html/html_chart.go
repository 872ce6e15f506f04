package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// htmlChart is a bar chart with a text for readers who do not see it. All lengths are whole
// numbers.
type htmlChart struct {
	Kind, Title, Says string
	Width, Height     int
	Bars              []htmlBar
	Labels            []htmlLabel
	Lines             []htmlBar
}

type htmlBar struct {
	Class               string
	X, Y, Width, Height int
	Title               string
}

type htmlLabel struct {
	Class, Text string
	X, Y        int
}

// The bounds of a chart, in its own units.
const (
	chartWidth = 640
	maxRaters  = 8
	maxBars    = 200
	plotHeight = 120
	labelWidth = 110
	rowHeight  = 26
)

// gain draws the gain of each round, as each side rates it.
func (w pageWriter) gain(e report.Envelope) *htmlChart {
	raters, rounds, most, rated := []string{}, 0, 1, make(map[int]bool)
	for _, d := range e.Deltas {
		if !slices.Contains(raters, d.Rater) {
			raters = append(raters, d.Rater)
		}
		rounds, most = max(rounds, d.N), max(most, d.ValueBP)
		rated[d.N] = true
	}
	raters = raters[:min(len(raters), maxRaters)]
	if rounds == 0 || rounds > 40 {
		return nil
	}
	c := &htmlChart{Kind: "gain", Title: "Gain of each round", Width: chartWidth, Height: plotHeight + 64}
	slot := (chartWidth - 20) / rounds
	wide := max(4, min(36, (slot-12)/len(raters)))
	c.Lines = []htmlBar{{Class: "axis", X: 10, Y: plotHeight + 20, Width: chartWidth - 20, Height: 1}}
	for n := 1; n <= rounds; n++ {
		at := 10 + (n-1)*slot + (slot-wide*len(raters))/2
		for _, d := range e.Deltas {
			i := slices.Index(raters, d.Rater)
			if d.N != n || i < 0 || len(c.Bars) == maxBars {
				continue
			}
			high := max(1, max(0, d.ValueBP)*plotHeight/most)
			share := report.Percent(d.ValueBP)
			class, says := "rater-"+strconv.Itoa(i%4), w.line(d.Rater)+", round "+strconv.Itoa(n)+": "+share
			if !d.Counted {
				class, says = class+" uncounted", says+", which does not count"
			}
			c.Bars = append(c.Bars, htmlBar{Class: class, X: at + i*wide, Y: plotHeight + 20 - high, Width: wide - 2, Height: high, Title: says})
			c.Labels = append(c.Labels, htmlLabel{"value", share, at + i*wide + wide/2, plotHeight + 16 - high})
		}
		c.Labels = append(c.Labels, htmlLabel{"tick", "round " + strconv.Itoa(n), 10 + (n-1)*slot + slot/2, plotHeight + 36})
	}
	for i, r := range raters {
		x := 10 + i*(chartWidth-20)/len(raters)
		c.Bars = append(c.Bars, htmlBar{Class: "rater-" + strconv.Itoa(i%4), X: x, Y: plotHeight + 48, Width: 10, Height: 10})
		c.Labels = append(c.Labels, htmlLabel{"key", w.line(r), x + 16, plotHeight + 57})
	}
	c.Says = fmt.Sprintf("%s rated by %s; the table below has the numbers.", report.Count(len(rated), "round"), w.line(report.Capped(raters, ", ")))
	return c
}

// timeline draws when each model was asked and how long it took.
func (w pageWriter) timeline(e report.Envelope) *htmlChart {
	var names []string
	var end int64 = 1
	for _, call := range e.Calls {
		if !slices.Contains(names, call.Party) {
			names = append(names, call.Party)
		}
		end = max(end, call.StartedMS+call.TookMS)
	}
	if end < 1000 {
		return nil
	}
	names = names[:min(len(names), 12)]
	c := &htmlChart{Kind: "timeline", Title: "When each model was asked", Width: chartWidth, Height: len(names)*rowHeight + 34}
	plot := int64(chartWidth - labelWidth - 10)
	for i, name := range names {
		c.Labels = append(c.Labels, htmlLabel{"name", w.line(name), 0, i*rowHeight + 17})
		c.Lines = append(c.Lines, htmlBar{Class: "axis", X: labelWidth, Y: (i+1)*rowHeight - 1, Width: int(plot), Height: 1})
	}
	for _, call := range e.Calls {
		row := slices.Index(names, call.Party)
		if row < 0 {
			continue
		}
		class := "call"
		if call.Status != debate.CallOK {
			class = "call failed"
		}
		c.Bars = append(c.Bars, htmlBar{
			Class: class, X: labelWidth + int(max(0, call.StartedMS)*plot/end), Y: row*rowHeight + 5, Width: max(3, int(call.TookMS*plot/end)), Height: rowHeight - 10,
			Title: w.line(call.Party) + ": " + w.line(askedFor(call.Kind)) + ", " + report.Took(call.TookMS),
		})
	}
	c.Bars = c.Bars[:min(len(c.Bars), maxBars)]
	for i := range 5 {
		at := end * int64(i) / 4
		class := []string{"start", "tick", "tick", "tick", "end"}[i]
		c.Labels = append(c.Labels, htmlLabel{class, report.Took(at), labelWidth + int(at*plot/end), len(names)*rowHeight + 20})
	}
	c.Says = fmt.Sprintf("%s to %s in %s; the table below has them one by one.", report.Count(len(e.Calls), "call"), report.Count(len(names), "model"), report.Took(end))
	return c
}

// asks has plain words for the kinds of calls.
var asks = map[debate.CallKind]string{
	debate.CallOpen: "opening", debate.CallLocal: "review alone", debate.CallChallenge: "challenge", debate.CallRespond: "answers",
	debate.CallRebut: "reply to the answers", debate.CallArbiter: "last look", debate.CallJudge1: "vote", debate.CallJudge2: "second vote",
	debate.CallScore: "scores", debate.CallSumUp: "summing up",
}

func askedFor(kind debate.CallKind) string {
	return cmp.Or(asks[kind], string(kind))
}
