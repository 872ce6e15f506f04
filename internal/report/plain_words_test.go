package report

import (
	"regexp"
	"testing"

	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// TestPlainWords: no page for people has words that only the protocol knows, whatever a
// debate came to. Who does not know the tool has to understand every sentence.
func TestPlainWords(t *testing.T) {
	t.Parallel()
	inner := regexp.MustCompile(`(?i)found by engine|\bpersona\b|status quo\)|which is not settled|sealed by|arbiter, who|unjustified[ _]dismissal|its owner|the primary|\bchallengers?\b|every party|against the position|an objection is open|holds (keep|revise|reject)|Weighing (risk|value|effort)|\b(engine|arbiter|author)(:| objec| disag)|became (AGREE|SKEPTICAL|REJECT)`)
	for name, e := range shown(t) {
		p := Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead, Author: "ada", RecordURL: repository + "/r", RecordHash: reviewedHead}
		pages := map[string][]byte{"markdown": Markdown(e), "text": Text(e, TextOptions{Width: 100, Verbose: true}), "html": HTML(e)}
		for kind, page := range renderings(e, p, asked) {
			pages[kind] = page()
		}
		for kind, page := range pages {
			if at := inner.FindIndex(page); at != nil {
				t.Errorf("%s, %s: %q in\n%s", name, kind, page[at[0]:at[1]], page[max(0, at[0]-150):min(len(page), at[1]+100)])
			}
		}
	}
}

// shown are the debates of all scripts and the samples of the golden files.
func shown(t *testing.T) map[string]Envelope {
	t.Helper()
	all := samples()
	for _, name := range debatetest.Names() {
		all["script "+name] = FromState(played(t, name))
	}
	return all
}
