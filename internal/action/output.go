package action

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxSummary bounds the summary of a step in bytes: the runner drops a larger
// one whole.
const maxSummary = 1 << 20

// Outputs are the outputs of the action: words of fixed vocabularies, counts,
// paths of our own files, one address. No text of a model or a person is among
// them, so a later step may use them as they are.
type Outputs struct {
	Outcome       debate.Outcome
	Disposition   debate.Disposition
	Confidence    debate.Confidence
	P1, P2, P3    int
	Decisions     int
	AwaitingHuman int    // decisions that wait for a person
	Record        string // path of the record, "" for none
	Report        string // path of the report, "" for none
	SARIF         string // path of the findings as SARIF, "" for none
	Head          string // the reviewed commit, "" for none
	CommentURL    string // of the summary comment, "" for none

	// Next is the stage to run next: Debate, Test, Publish, or "" if nothing is left to do.
	// It is "" for a run in one job.
	Next Stage
}

// SetOutputs writes all outputs, or none if one of them is not of its form.
func (r *Runner) SetOutputs(o Outputs) error {
	if r.getenv("GITHUB_OUTPUT") == "" {
		return errors.New("write the outputs: GITHUB_OUTPUT is not set")
	}
	outputs := []struct {
		name, value string
		form        lazyregexp.Regexp
	}{
		{"outcome", string(o.Outcome), word},
		{"disposition", string(o.Disposition), word},
		{"confidence", string(o.Confidence), word},
		{"p1", strconv.Itoa(o.P1), count},
		{"p2", strconv.Itoa(o.P2), count},
		{"p3", strconv.Itoa(o.P3), count},
		{"decisions", strconv.Itoa(o.Decisions), count},
		{"awaiting-human", strconv.Itoa(o.AwaitingHuman), count},
		{"record", o.Record, anything},
		{"report", o.Report, anything},
		{"sarif", o.SARIF, anything},
		{"head", o.Head, commit},
		{"comment-url", o.CommentURL, address},
		{"next", string(o.Next), word},
	}
	for _, out := range outputs {
		if !out.form().MatchString(out.value) || !oneLine(out.value) {
			return fmt.Errorf("write the outputs: %q is no value of %s", out.value, out.name)
		}
	}
	for _, out := range outputs {
		if err := guarded("write the output "+out.name, func() { r.lib.SetOutput(out.name, out.value) }); err != nil {
			return err
		}
	}
	return nil
}

// The forms of outputs; each is one line.
var (
	word     = lazyregexp.New(`^[A-Za-z_]{0,40}$`)
	commit   = lazyregexp.New(`^([0-9a-f]{40})?$`)
	count    = lazyregexp.New(`^[0-9]{1,9}$`)
	address  = lazyregexp.New(`^(https?://[A-Za-z0-9.\[\]:-]{1,253}/[A-Za-z0-9._~/#?=&%-]{0,1000})?$`)
	anything = lazyregexp.New(`^.*$`)
)

// oneLine reports whether s is a short printable line. Such a value cannot end the block in
// the output file: the delimiter is on a line of its own, and the value is never that line.
func oneLine(s string) bool {
	return len(s) <= maxPath && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) && !strings.Contains(s, "_GitHubActionsFileCommandDelimeter_")
}

// Summary adds sanitized Markdown to the summary of the step. If the runner would drop it
// for its size, it adds only the beginning as plain text, because cut Markdown can end
// anywhere.
func (r *Runner) Summary(markdown string) error {
	path := r.getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return errors.New("write the summary of the step: GITHUB_STEP_SUMMARY is not set")
	}
	left := maxSummary
	if info, err := os.Stat(path); err == nil {
		left -= int(min(info.Size(), maxSummary))
	}
	if len(markdown)+len("\r\n") > left {
		const kept = 50_000 // characters; each takes at most 8 bytes in a fence
		markdown = "The report is too large for this page. It begins so; the file of the report has all of it.\n\n" +
			comment.Fence("", comment.Clip(markdown, kept))
		if len(markdown)+len("\r\n") > left {
			return errors.New("write the summary of the step: it is full")
		}
	}
	return guarded("write the summary of the step", func() { r.lib.AddStepSummary(markdown) })
}
