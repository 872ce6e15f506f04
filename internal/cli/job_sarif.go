package cli

import (
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/sarif"
)

// findings writes the confirmed findings as SARIF into the workspace and returns the path.
// It writes nothing without a review of this head: code scanning takes a file without
// findings as "all fixed".
func (o *jobOutput) findings(result pull.Result) (path string, err error) {
	if o.sarif == "" || !result.Session || !result.Reviewed {
		return "", nil
	}
	switch result.State.Ending.Outcome {
	case "", debate.Skipped, debate.Superseded, debate.Aborted:
		return "", nil
	}
	e := report.FromState(result.State)
	data, err := sarif.Render(e, sarifRules(), Version())
	if err == nil {
		path, err = o.WriteWorkspace(o.sarif, data)
	}
	if err != nil {
		return "", fmt.Errorf("write the findings to %s (sarif-output): %w", o.sarif, err)
	}
	o.progress("the findings are in %s", o.sarif)
	return path, nil
}
