package main

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

// planter makes secrets and remembers where each was planted.
type planter struct {
	mu     sync.Mutex
	random *rand.Rand
	where  map[string]string // by the parts that must not be seen
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func (p *planter) word(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[p.random.IntN(len(alphabet))]
	}
	return string(b)
}

// token is a secret in one line of a text, in a format of an issuer or as an assignment.
func (p *planter) token(place string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, secret := "", ""
	switch p.random.IntN(6) {
	case 0:
		secret = "ghp_" + p.word(36, letters)
	case 1:
		secret = "AKIA" + p.word(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
	case 2:
		secret = "xoxb-" + p.word(12, "0123456789") + "-" + p.word(12, "0123456789") + p.word(24, letters)
	case 3:
		secret = "sk-ant-api03-" + p.word(93, letters) + "AA"
	case 4:
		before, secret = "api_key = ", "q7"+p.word(30, letters)
	default:
		before, secret = "postgres://shop:", "k9"+p.word(20, letters)
		p.where[secret] = place
		return before + secret + "@db.acme.net/shop"
	}
	p.where[secret] = place
	return before + secret
}

// name is a secret that may stand in the name of a file.
func (p *planter) name(place string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	secret := "ghp_" + p.word(36, letters)
	p.where[secret] = place
	return secret
}

// key is the private key of a server.
func (p *planter) key(place string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	raw := make([]byte, 1200)
	for i := range raw {
		raw[i] = byte(p.random.IntN(256))
	}
	var b strings.Builder
	b.WriteString("-----BEGIN PRIVATE KEY-----\n")
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(raw)), 64) {
		b.Write(append(line, '\n'))
		p.where[string(line)] = place
	}
	return b.String() + "-----END PRIVATE KEY-----\n"
}

// leaks fails the test for each secret in a text that leaves the process.
func (p *planter) leaks(t *testing.T, where, text string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for secret, place := range p.where {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("%s holds that of %s: ...%s...", where, place, text[max(0, at-150):min(len(text), at+len(secret)+40)])
		}
	}
}

// TestNoSecretLeaves plants secrets in all that a review reads: both sides of the change
// and the lines around it, paths, the texts of the pull request, of its issues, comments
// and reviews, what other tools found, files that reviewers look at, and their own words. No
// request to a model, no text on GitHub, no record, report or log holds one.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	for seed := range long.Pick(3, 30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			noSecretLeaves(t, uint64(seed))
		})
	}
}

func noSecretLeaves(t *testing.T, seed uint64) {
	p := &planter{random: rand.New(rand.NewPCG(seed, 36)), where: make(map[string]string)}
	talker := func(vendor string, turn exectest.Turn, packet, key string) string {
		reply := exectest.Reply(turn, packet, "bugs")
		reply["summary"] = "seen " + p.token("a summary")
		if claims, ok := reply["claims"].([]exectest.Object); ok {
			for _, c := range claims {
				c["title"], c["body"] = "leaks "+p.token("a title of a model"), "take "+p.token("a text of a model")
				c["suggestion"] = "var one = `" + p.token("a suggestion") + "`"
			}
		}
		return inJSON(reply)
	}
	minds := vendors(t, talker)[:2]
	h := required(t)
	delete(h.inputs, "operator-config")
	h.env = environment(minds)
	h.inputs["sarif-output"] = "out/debate.sarif"

	key := p.key("a key of the base")
	keyLines := strings.Split(key, "\n")
	changed := slices.Clone(keyLines)
	changed[1+p.random.IntN(len(changed)-3)] = "x"
	noLabel := p.key("a key without a label")
	noLabel = strings.Join(strings.Split(noLabel, "\n")[1:], "\n")
	around := "package app\n\n// " + p.token("an unchanged line") + "\n\nfunc F() int {\n\treturn 1\n}\n\n\n\n\n\n// " + p.token("a line far below") + "\n"
	named := "conf/" + p.name("a path") + ".go"
	before := map[string]string{
		"server.txt": "above: 1\n" + key + "below: 1\n", "after.txt": p.key("a key above the change") + "below: 1\n",
		"around.go": around, "removed.go": "package app\n\n// " + p.token("a removed line") + "\n", "gone.txt": p.token("a removed file") + "\n",
		"AGENTS.md": "Use " + p.token("the advice") + " here.\n", ".github/debate.yml": "instructions:\n  - text: \"Never use " + p.token("guidance") + "\"\n",
	}
	after := map[string]string{
		"server.txt": "above: 1\n" + strings.Join(changed, "\n") + "below: 1\n", "after.txt": strings.Replace(before["after.txt"], "below: 1", "below: 2", 1),
		"around.go": strings.Replace(around, "return 1", "return 2 // BUG: two", 1), "removed.go": "package app\n", "added.txt": "a: " + p.token("an added line") + "\n",
		"label.txt": noLabel, named: "package app\n\nvar named = 1 // BUG: named\n", "one.go": "package app\n\nvar one = 1 // BUG: one\n", "db/migrations/0002_b.up.sql": "DROP TABLE a;\n",
	}
	maps.DeleteFunc(after, func(name, _ string) bool { return name != "one.go" && p.random.IntN(4) == 0 })
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), before))
	branch := "work-" + p.name("a branch")
	h.repo.SetBranch(branch, h.repo.Change(h.repo.Branch("main"), after, "gone.txt"))
	issue := h.repo.OpenIssue("mona", "Ask "+p.token("the title of an issue"), "See "+p.token("the text of an issue"))
	pull := h.repo.OpenPull("ada", ghtest.NewPull{
		Title: "Use " + p.token("the title"), Body: "It uses " + p.token("the text") + "\n\nFixes #" + fmt.Sprint(issue.Number) + "\n", Head: branch, Labels: []string{p.name("a label")},
	})
	h.repo.AddCheckRun(ghtest.CheckRun{Name: "lint", HeadSHA: pull.Head(), Conclusion: "failure", Title: "bad " + p.token("the title of a check"), Summary: "bad " + p.token("a check"), Text: "bad " + p.token("a check's text"), DetailsURL: "https://ci/" + p.name("a check's address"),
		Annotations: []ghtest.Annotation{{Path: "one.go", StartLine: 3, EndLine: 3, Level: "failure", Title: "bad " + p.token("an annotation's title"), Message: p.token("an annotation")}}})

	runs := []ran{h.on(pull, "opened")}
	for _, text := range []string{"/debate dismiss F1 since " + p.token("a dismissal"), "/debate dispute F2 since " + p.token("a dispute"), "/debate ask is " + p.token("a question") + " good?",
		"/debate decide keep " + p.token("a decision"), "/debate " + p.token("a command"), "Just " + p.token("a comment")} {
		_, o := h.say(pull.Issue, "mona", text)
		runs = append(runs, o)
	}
	pull.Review("mona", "APPROVED", "fine: "+p.token("a review"))
	runs = append(runs, h.on(pull, "synchronize"), h.push(pull, map[string]string{"two.go": "package app\n\nvar two = 2 // BUG: two\n"}))

	for _, m := range minds {
		if len(m.asked()) == 0 {
			t.Fatal("no model was asked")
		}
		for i, c := range m.asked() {
			p.leaks(t, fmt.Sprintf("call %d of %s (%s)", i, m.name, c.kind), c.rest)
		}
	}
	live := 0
	for i, o := range runs {
		p.leaks(t, fmt.Sprint("the log of run ", i), o.log)
		p.leaks(t, fmt.Sprint("the summary of run ", i), o.summary)
		for _, w := range o.changes {
			p.leaks(t, fmt.Sprintf("%s of run %d", w.Operation, i), w.Path+"\n"+w.Body)
			if w.Status >= 300 {
				t.Errorf("%s of run %d: status %d\n%s", w.Operation, i, w.Status, w.Body)
			}
			live += strings.Count(w.Body, "```suggestion")
		}
		values := valuesOf(t, o.outputs)
		p.leaks(t, fmt.Sprint("the outputs of run ", i), o.outputs)
		for _, name := range []string{"record", "report", "sarif"} {
			if values[name] == "" {
				continue
			}
			data := readFile(t, values[name])
			p.leaks(t, fmt.Sprintf("the %s of run %d", name, i), string(data))
			if name == "record" {
				for _, format := range []string{"text", "markdown", "html", "sarif", "agent", "json"} {
					out := run(t, filepath.Dir(values[name]), nil, "report", values[name], "--format", format)
					p.leaks(t, fmt.Sprintf("the %s of run %d as %s", name, i, format), out.stdout+out.stderr)
				}
			}
		}
	}
	if live > 0 {
		t.Errorf("%d suggestions with a secret are live", live)
	}
}
