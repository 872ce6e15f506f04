package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// wroteIn fails where a request of a recorded debate does not ask for a language.
func wroteIn(t *testing.T, path, tag string) {
	t.Helper()
	record, err := store.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, e := range record.Entries {
		reply, is := e.Event.(debate.Replied)
		if !is {
			continue
		}
		asked++
		if !strings.Contains(reply.Turn, `stands below. Ids, paths, quotes and the words that this request gives stay as they are.\n`+tag+`\n`) {
			t.Errorf("%s does not ask for %s:\n%s", reply.Ask, tag, reply.Turn)
		}
	}
	if asked < 4 {
		t.Errorf("%d calls", asked)
	}
}

// Each call of a pull request's review asks for the language of the base side's
// settings, and ours stays English.
func TestTheLanguageOfAPullRequest(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "publish: {language: pt-BR}\n"}))
	p := h.open("ada", map[string]string{"ratio.go": divides})
	values := valuesOf(t, h.on(p, "opened").good(t).outputs)
	wroteIn(t, values["record"], "pt-BR")
	wantText(t, "summary", summaries(p)[0], "### debate: changes needed")
}

// So does each call of a local review.
func TestTheLanguageOfALocalReview(t *testing.T) {
	t.Parallel()
	dir, keep := planted(t, plantedFile), t.TempDir()
	settings, record := filepath.Join(keep, "debate.yml"), filepath.Join(keep, "record.jsonl")
	writeFile(t, settings, []byte("publish: {language: de}\n"), 0o600)
	env := environment(vendors(t, honest))
	if got := run(t, dir, env, "review", "--uncommitted", "--config", settings, "--record", record); got.code > 1 {
		t.Fatalf("exit code %d\n%s", got.code, got.stderr)
	}
	wroteIn(t, record, "de")
}
