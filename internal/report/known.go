package report

import "github.com/prdebate/debate/internal/debate"

// overdue says that an entry of the settings has expired and hides nothing any more.
func overdue(k debate.Known) string {
	what := OneLine(k.Rule)
	if k.Rule == "" {
		what = inQuotes(k.Snippet)
	}
	return "the known finding " + what + " in the settings expired on " + OneLine(k.Until) + " and is shown again"
}
