package report

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// overdue says of an expired entry of the settings that its finding is shown again.
func overdue(k debate.Known) string {
	what := OneLine(k.Rule)
	if k.Rule == "" {
		what = inQuotes(k.Snippet)
	}
	return "the known finding " + what + " in the settings expired on " + OneLine(k.Until) + " and is shown again"
}

// ProposeKnown renders the answer to a dismissal: its effect, and in a fold the settings to
// accept the finding on every pull request.
func ProposeKnown(id, settings string) []byte {
	how := "Add this to " + comment.Code(debate.SettingsFile) + " on the default branch, if it holds elsewhere too:\n\n"
	text := inline(id) + " is dismissed on this pull request.\n"
	return []byte(text + "\n" + fold("Accept it on every pull request", how+comment.Fence("yaml", strings.TrimSuffix(settings, "\n"))))
}
