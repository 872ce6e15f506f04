package report_test

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
)

var sampleRules = []sarif.Rule{
	{ID: "sql/drop-table", Title: "A table is dropped", Help: "Drop it in a later release [see docs].", Severity: debate.P1, Category: "data-loss"},
	{ID: "secrets/aws-access-token", Title: "An AWS access token", Severity: debate.P1, Category: "security"},
}

func init() {
	report.MaxHTML = html.MaxSize
	report.HTML = func(e report.Envelope) []byte {
		page, err := html.Render(e)
		if err != nil {
			panic(err)
		}
		return page
	}
	report.SARIF = func(e report.Envelope) ([]byte, error) { return sarif.Render(e, sampleRules, "1.2.3") }
	report.Text = func(e report.Envelope, opt report.TextOptions) []byte { return terminal.Text(e, terminal.Options(opt)) }
	report.Told = func(e report.Envelope, opt report.TextOptions) []byte {
		text, _ := terminal.Explain(e, nil, terminal.Options(opt))
		return text
	}
}
