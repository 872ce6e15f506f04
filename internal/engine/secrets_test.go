package engine

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/testkit/long"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

const (
	hexDigits = "0123456789abcdef"
	upper     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	noWords   = "0123456789BDFHJKLQVWZbdfhjklqvwz" // rules without a format take what holds a word for none
	alnum     = "0123456789" + upper + "abcdefghijklmnopqrstuvwxyz"
)

// tokenKinds make the line of a file and the part of it that nobody may see.
var tokenKinds = []struct{ before, prefix, alphabet, after string }{
	{`id := "`, "AK" + "IA", upper + "234567", `"`},
	{"TOKEN=", "gh" + "p_", alnum, ""},
	{`t = "`, "gh" + "o_", alnum, `"`},
	{"token: ", "gl" + "pat-", alnum, ""},
	{`k = "`, "s" + "k-proj-", alnum, `"`},
	{`k = "`, "s" + "k-ant-oat01-", alnum, `"`},
	{`token = "`, "do" + "p_v1_", hexDigits, `"`},
	{`t = "`, "shp" + "at_", hexDigits, `"`},
	{"T=", "dp" + ".pt.", alnum, ""},
	{"T=", "hv" + "s.", alnum, ""},
	{`const k = "`, "lin" + "_api_", alnum, `"`},
	{`stripe("`, "sk_" + "live_", alnum, `")`},
	{"key=", "AI" + "za", alnum, " "},
	{"//npm.acme.net/:_authToken=", "np" + "m_", alnum, ""},
	{"url: postgresql://app:", "", alnum, "@db.acme.net:5432/app"},
	{`broker = "amqps://worker:`, "", alnum, `@mq.acme.net"`},
	{`dbPassword := "`, "", noWords, `"`},
	{`curl -u "deploy:`, "", noWords, `" https://ci.acme.net/`},
	{`  password = "`, "", noWords, `"`},
	{`key2 = "`, "", "0123456789bcdf", `"`}, // a digest, which is no finding
}

var tokenLengths = []int{16, 36, 36, 20, 80, 108, 64, 32, 43, 95, 40, 24, 35, 36, 20, 24, 40, 24, 40, 128}

// tokenFiles are names under which a secret may stand: in code, and where a
// finding would be noise.
var tokenFiles = []string{"src/a%d.go", "src/a%d_test.go", "testdata/a%d.txt", "docs/a%d.md", "deploy/a%d.tf"}

// manyTokens is a change with 200 tokens in each file, on lines that are added,
// removed and unchanged.
func manyTokens() (patch.Change, []string) {
	random := rand.New(rand.NewPCG(7, 11))
	var tokens []string
	line := func(n int) string {
		kind := tokenKinds[n%len(tokenKinds)]
		secret := []byte(kind.prefix)
		for range tokenLengths[n%len(tokenKinds)] {
			secret = append(secret, kind.alphabet[random.IntN(len(kind.alphabet))])
		}
		tokens = append(tokens, string(secret))
		return kind.before + string(secret) + kind.after + "\n"
	}
	var edits []patchtest.Edit
	for i := range long.Pick(20, 50) {
		var old, now strings.Builder
		for n := range 200 {
			text := line(i*200 + n)
			switch {
			case i%10 != 0 || n%4 < 2: // most files are new
				now.WriteString(text)
			case n%4 == 2:
				old.WriteString(text)
			default:
				old.WriteString(text)
				now.WriteString(text)
			}
		}
		name := fmt.Sprintf(tokenFiles[i%len(tokenFiles)], i)
		if i%10 != 0 {
			edits = append(edits, patchtest.Add(name, now.String()))
		} else {
			edits = append(edits, patchtest.Modify(name, old.String(), now.String()))
		}
	}
	// What other rules quote and notices name holds tokens, too.
	hidden := strings.TrimSuffix(strings.TrimPrefix(line(2), `t = "`), "\"\n")
	edits = append(edits, patchtest.Add("src/bidi.go", `t := "`+hidden+"\" // \u202e\n"), patchtest.Add("requirements.txt", "git+https://x:"+hidden+"@github.com/a/b.git\n"))
	return patchtest.Change(edits...), tokens
}

// TestNoSecretLeaves holds that nothing which any secret rule detects goes to a
// model, into the record or into a report, however much of it there is.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	change, tokens := manyTokens()
	var mu sync.Mutex
	sent := make(map[string]bool) // each part once: calls share most of what they are sent
	p := &table{answer: dispute}
	r, log := newDebate(t, p)
	for id := range r.Clients {
		r.Clients[id] = overheard{p, func(req model.Request) {
			mu.Lock()
			defer mu.Unlock()
			sent[req.System], sent[req.Packet], sent[req.Turn] = true, true, true
		}}
	}
	r.Subject.Frozen.Change = change
	r.Subject.Critic = func(c patch.Change, skip func(string) bool, proposals []segment.Proposal) Critique {
		return Critique(critic.Review(c, skip, proposals))
	}
	state := started(t, r, first())
	stored := inJSON(t, log.entries)
	envelope := report.FromState(state)
	pages, err := report.JSON(envelope) // what every page is written from
	if err != nil {
		t.Fatal(err)
	}
	prompts := strings.Join(slices.Collect(maps.Keys(sent)), "\n")
	if len(prompts) < 100_000 {
		t.Fatalf("only %d bytes were sent: %+v", len(prompts), state.Ending.Outcome)
	}
	var pairs []string
	for _, token := range tokens {
		pairs = append(pairs, token, leak)
	}
	seek := strings.NewReplacer(pairs...)
	for where, text := range map[string]string{"sent": prompts, "stored": string(stored), "reported": string(pages)} {
		if leaked := strings.Count(seek.Replace(text), leak); leaked > 0 {
			t.Errorf("%d times a token is %s", leaked, where)
		}
	}
}

const leak = "\x00a token\x00"

// overheard tells what a client is asked.
type overheard struct {
	Client
	hear func(model.Request)
}

func (o overheard) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	o.hear(req)
	return o.Client.Ask(ctx, req)
}
