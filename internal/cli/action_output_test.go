package cli

import (
	"bytes"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/pull"
)

// TestNoReportOfNothing: a run that broke off has no outcome, and so no report.
func TestNoReportOfNothing(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	j := &job{runner: action.New(&log, func(string) string { return "" })}
	broken := pull.Result{Session: true, State: debate.State{Stage: debate.StageOpening}}
	if _, err := j.summarize(broken); err != nil || log.Len() > 0 {
		t.Errorf("it wrote %q (%v)", log.String(), err)
	}
}
