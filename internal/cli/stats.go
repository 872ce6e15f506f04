package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/report"
)

type statsCmd struct {
	Records []string `arg:"" optional:"" help:"Records, or directories with records (default: those of your own reviews)."`
	Format  string   `enum:"text,json" default:"text" help:"Show it as text or json."`
}

// maxStats bounds how many records are read for one table, the newest ones.
const maxStats = 500

// statistics is the JSON of the command.
type statistics struct {
	SchemaVersion int                 `json:"schema_version"`
	Reviews       int                 `json:"reviews"`
	Models        []report.ModelStats `json:"models"`
	Skipped       []skippedRecord     `json:"skipped"` // records that cannot be counted
	Left          int                 `json:"left"`    // records beyond the limit
}

type skippedRecord struct {
	Record string `json:"record"`
	Why    string `json:"why"`
}

// Run counts the findings of each model in recorded reviews, their outcomes, and the cost.
func (c *statsCmd) Run(r *run) error {
	files, left, err := r.recordFiles(c.Records, maxStats)
	if err != nil {
		return err
	}
	out := statistics{SchemaVersion: report.SchemaVersion, Skipped: []skippedRecord{}, Left: left}
	var models report.Models
	seen := make(map[string]bool) // seals
	for _, path := range files {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		rec, state, err := ended(path)
		switch {
		case err != nil:
			out.Skipped = append(out.Skipped, skippedRecord{path, report.OneLine(err.Error())})
			continue
		case seen[rec.Last]:
			out.Skipped = append(out.Skipped, skippedRecord{path, "it is a copy of another one"})
			continue
		}
		seen[rec.Last] = true
		models.Add(state)
		out.Reviews++
	}
	out.Models = models.Stats()
	if c.Format == "json" {
		data, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			return fmt.Errorf("encode the statistics: %w", err)
		}
		return r.emit("", append(report.Escaped(data), '\n'))
	}
	return r.emit("", out.text())
}

// text is a paragraph for each model, and below them the records left out.
func (s statistics) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n", report.Count(s.Reviews, "review"))
	if len(s.Models) > 0 {
		b.WriteByte('\n')
		for _, m := range s.Models {
			called := []string{"in " + report.Count(m.Reviews, "review"), report.Count(m.Calls, "call")}
			if m.Failed > 0 {
				called = append(called, fmt.Sprintf("%d failed", m.Failed))
			}
			fmt.Fprintf(&b, "%s\n  %s, %s\n", report.OneLine(m.Model), strings.Join(called, ", "), report.Cost(m.CostUSD, m.CostUnknown))
			var became []string
			for _, c := range []struct {
				n    int
				word string
			}{
				{m.Confirmed, "confirmed"}, {m.Disputed, "disputed"}, {m.NotConfirmed, "not confirmed"},
				{m.Dismissed, "dismissed"}, {m.Known, "known"}, {m.NotDebated, "not debated"},
			} {
				if c.n > 0 {
					became = append(became, fmt.Sprintf("%d %s", c.n, c.word))
				}
			}
			if m.Findings > 0 {
				fmt.Fprintf(&b, "  %s: %s\n", report.Count(m.Findings, "finding"), strings.Join(became, ", "))
			}
		}
	}
	if s.Left > 0 {
		fmt.Fprintf(&b, "\n%s more were not read; name those that you mean.\n", report.Count(s.Left, "record"))
	}
	for i, one := range s.Skipped {
		if i == 0 {
			b.WriteString("\nLeft out:\n")
		}
		fmt.Fprintf(&b, "  %s: %s\n", report.OneLine(one.Record), one.Why)
	}
	return b.Bytes()
}
