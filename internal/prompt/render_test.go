package prompt

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	change := plain()
	s := rich(change, "A title", "An intent.\n")
	for _, tt := range asks {
		t.Run(tt.file, func(t *testing.T) {
			state := stateFor(s, tt.ask)
			p := NewPacket(state, change.Set, PacketOptions{})
			got := p.Render(state, tt.ask)
			if got.System != text("system") || got.Packet != p.Text() {
				t.Error("the beginning differs from call to call")
			}
			if d := cmp.Diff(got, rendered(state, tt.ask, p.For(state, tt.ask))); d != "" {
				t.Errorf("the two ways to render differ:\n%s", d)
			}
			var b bytes.Buffer
			if err := json.Indent(&b, []byte(got.Turn), "", "  "); err != nil {
				t.Fatal(err)
			}
			golden.Same(t, "testdata/"+tt.file, append(b.Bytes(), '\n'))
		})
	}
}

// TestIsolation plants a text in every place that a call must not see, and looks
// for it in the prompt (A09).
func TestIsolation(t *testing.T) {
	t.Parallel()
	everybody := []string{"an option", "a recommendation", "a why", "a sheet", "a raw sheet", "a prompt", "a perspective", "a flaw", "an assumption", "the confidence", "no vote", "a reason that names gpt"}
	votes := []string{"the vote of risk", "the vote of value", "an assessment", "a hidden point"}
	reasons := []string{"the summary", "a defence", "the ledger"}
	may := map[debate.CallKind][]string{
		debate.CallRespond: {"the summary", "the ledger", "a defence"},
		debate.CallRebut:   {"the summary", "the ledger", "a defence"},
		debate.CallArbiter: {"a defence"},
		debate.CallSumUp:   {"the summary", "a defence", "an option", "a recommendation", "an assumption"}, // all is decided
		debate.CallJudge2:  votes,
	}
	change := plain()
	s := rich(change, "A title", "An intent.\n")
	for _, tt := range asks {
		state := stateFor(s, tt.ask)
		got := rendered(state, tt.ask, "").Turn
		for _, group := range [][]string{everybody, votes, reasons} {
			for _, place := range group {
				allowed := false
				for _, m := range may[tt.ask.Kind] {
					allowed = allowed || m == place
				}
				if has := strings.Contains(got, secret(place)); has != allowed {
					t.Errorf("%s: %s: shown %v, want %v", tt.file, place, has, allowed)
				}
			}
		}
		switch tt.ask.Kind {
		case debate.CallOpen, debate.CallLocal:
			for _, other := range []string{"first", "objection", "weakness"} {
				if strings.Contains(turnOf(t, got).without("request"), other) {
					t.Errorf("%s shows %q of another party", tt.file, other)
				}
			}
		case debate.CallArbiter, debate.CallJudge1, debate.CallJudge2, debate.CallScore:
			for _, name := range []string{"gpt", "claude", `owner_is_you":true`, "your_class"} {
				if strings.Contains(got, name) {
					t.Errorf("%s says %q", tt.file, name)
				}
			}
		}
	}
}

// members are those of a turn.
type members map[string]json.RawMessage

func turnOf(t interface{ Fatal(...any) }, turn string) members {
	var m members
	if err := json.Unmarshal([]byte(turn), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m members) without(name string) string {
	var b strings.Builder
	for _, n := range sorted(m) {
		if n != name {
			b.Write(m[n])
		}
	}
	return b.String()
}

// TestOrderHidesOrigin is the other half of A09: claims and options stand in an
// order that differs between parties and not between two readings.
func TestOrderHidesOrigin(t *testing.T) {
	t.Parallel()
	s := debate.State{Received: debate.Received{Seed: "5eed"}}
	for i := range 12 {
		s.Book.Claims = append(s.Book.Claims, debate.Claim{ID: "F" + strconv.Itoa(i+1), Owner: "gpt"})
	}
	order := func(seed, party string) (ids []string) {
		s.Received.Seed = seed
		var turn struct{ Claims []struct{ ID string } }
		if err := json.Unmarshal([]byte(rendered(s, debate.Ask{Kind: debate.CallChallenge, Party: party}, "").Turn), &turn); err != nil {
			t.Fatal(err)
		}
		for _, c := range turn.Claims {
			ids = append(ids, c.ID)
		}
		return ids
	}
	one := order("5eed", "gemini")
	if cmp.Diff(one, order("5eed", "gemini")) != "" {
		t.Error("two readings differ")
	}
	if cmp.Diff(one, order("5eed", "claude")) == "" || cmp.Diff(one, order("5eee", "gemini")) == "" {
		t.Error("two parties, or two debates, see one order")
	}
	sort.Strings(one)
	if len(one) != 12 || one[0] != "F1" || one[11] != "F9" {
		t.Errorf("claims are lost: %v", one)
	}
}

// TestInjectionChangesNoStructure: whatever stands in the change and in
// what parties say, the message has one turn, at its end, with the members and
// the ids that it has otherwise, and no secret.
func TestInjectionChangesNoStructure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		change := hostileChange(t)
		s := rich(change, hostileLine(t), hostileText(t, "body"))
		for i := range s.Book.Claims {
			s.Book.Claims[i].Title, s.Book.Claims[i].Body = hostileLine(t), hostileText(t, "claim")
		}
		for i := range s.Book.Challenges {
			s.Book.Challenges[i].Objection, s.Book.Challenges[i].Defence = hostileText(t, "objection"), hostileLine(t)
		}
		s.Talk.Positions[0].Summary = hostileText(t, "summary")
		s.Agenda.Decisions[1].Question, s.Agenda.Decisions[1].Options[0].ID = hostileLine(t), hostileText(t, "option")
		s.Agenda.Decisions[1].Panel.Rounds[0].Votes[0].Reason = hostileText(t, "vote")
		s.Received.Previous.Findings[0].Cite.Path = hostileText(t, "path")
		tt := rapid.SampledFrom(asks).Draw(t, "ask")
		state := stateFor(s, tt.ask)
		p := NewPacket(state, change.Set, PacketOptions{Clean: hiding("hunter2", "s3cr3t-s3cr3t")})
		got := p.Render(state, tt.ask)
		message := got.Message()

		if n := strings.Count("\n"+message, "\n```"); n != 2 {
			t.Fatalf("%d fences", n)
		}
		_, block, _ := strings.Cut(message, "\n```json\n")
		block, rest, closed := strings.Cut(block, "\n```\n")
		if !closed || rest != "" || block != got.Turn {
			t.Fatal("the turn is not the last fenced block")
		}
		if strings.Contains(got.Turn, p.token) || strings.Contains(message, "hunter2") || strings.Contains(message, "s3cr3t") {
			t.Fatal("a token or a secret is in the turn")
		}
		clean := rich(plain(), "t", "b")
		want := turnOf(t, rendered(stateFor(clean, tt.ask), tt.ask, p.Text()).Turn)
		have := turnOf(t, got.Turn)
		if d := cmp.Diff(sorted(want), sorted(have)); d != "" {
			t.Fatalf("members differ:\n%s", d)
		}
		if string(want["input_envelope"]) == "" || clipTarget(have) != clipTarget(want) {
			t.Fatalf("the envelope differs:\n%s\n%s", want["input_envelope"], have["input_envelope"])
		}
		if d := cmp.Diff(idsOf(t, want), idsOf(t, have)); d != "" {
			t.Fatalf("ids differ:\n%s", d)
		}
	})
}

// clipTarget is the envelope without the target, which the split of the change
// decides.
func clipTarget(m members) string {
	var e map[string]any
	if json.Unmarshal(m["input_envelope"], &e) != nil {
		return ""
	}
	delete(e, "target")
	b, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return string(b)
}

func idsOf(t *rapid.T, m members) (ids []string) {
	for _, name := range []string{"claims", "challenges", "ledger", "decisions", "carried"} {
		var list []struct{ ID string }
		if m[name] != nil {
			if err := json.Unmarshal(m[name], &list); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range list {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// TestTurnIsBounded fills every list and every text far beyond what a debate
// may have.
func TestTurnIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<17)
	s := rich(plain(), "t", "b")
	for range 9 {
		s.Book.Claims = append(s.Book.Claims, s.Book.Claims...)
		s.Book.Challenges = append(s.Book.Challenges, s.Book.Challenges...)
		s.Book.Ledger = append(s.Book.Ledger, s.Book.Ledger...)
		s.Received.Previous.Findings = append(s.Received.Previous.Findings, s.Received.Previous.Findings...)
	}
	for i := range s.Book.Claims {
		s.Book.Claims[i].Title, s.Book.Claims[i].Body = long, long
	}
	for i := range s.Book.Ledger {
		s.Book.Ledger[i].Text = long
	}
	s.Talk.Positions[0].Summary = long
	for _, tt := range asks {
		if n := len(rendered(stateFor(s, tt.ask), tt.ask, "").Turn); n > 1<<20 {
			t.Errorf("%s: %d bytes", tt.file, n)
		}
	}
}

func TestRemaining(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		minutes   int
		from, now int64
		want      int64
	}{{0, 0, 0, 1200}, {20, 1000, 100_999, 1101}, {1, 0, 60_000, 0}, {1, 0, 600_000, 0}} {
		s := debate.State{Clock: debate.Clock{StartedAt: tt.from, At: tt.now}}
		s.Received.Settings.BudgetMinutes = tt.minutes
		if got := (turner{s: s}).envelope().RemainingS; got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

// TestTexts asks for every text, and that every file is asked for.
func TestTexts(t *testing.T) {
	t.Parallel()
	files, err := texts.ReadDir("texts")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"system": true}
	s := rich(plain(), "t", "b")
	s.Received.Language = "pt-BR"
	var all strings.Builder
	for _, tt := range asks {
		for _, party := range []string{tt.ask.Party, "effort"} {
			tt.ask.Party = party
			all.WriteString((turner{s: s, ask: tt.ask}).request())
		}
	}
	for _, party := range []string{"gemini", "claude"} { // each seat has a lens of its own
		all.WriteString((turner{s: s, ask: debate.Ask{Kind: debate.CallOpen, Party: party}}).request())
	}
	drifted := s
	drifted.Book.Challenges = []debate.Challenge{
		{ID: "K1", Kind: debate.Reconciling, Defender: "gpt", Status: debate.Open},
		{ID: "K2", Kind: debate.Skeptical, Attacker: "gpt", Defender: "gemini", Status: debate.Defended},
	}
	all.WriteString((turner{s: drifted, ask: debate.Ask{Kind: debate.CallRespond, Party: "gpt", N: 2}}).request())
	wrong := s
	wrong.Book.Claims = []debate.Claim{{ID: "F1", Owner: "gpt", Evidence: []debate.Evidence{{Why: "another line", There: "x := 1"}}}}
	all.WriteString((turner{s: wrong, ask: debate.Ask{Kind: debate.CallRebut, Party: "gpt", N: 2}}).request())
	for _, party := range []string{"gpt", "gemini"} {
		all.WriteString((turner{s: disputing(s), ask: debate.Ask{Kind: debate.CallRespond, Party: party, N: 1}}).request())
	}
	s.Table.Primary, s.Talk.Openings = "gpt", []debate.Opened{{Party: "gpt"}}
	s.Book.Claims[1].Bucket, s.Book.Claims[1].RaisedN = "", s.Talk.Exchange
	for _, kind := range []debate.CallKind{debate.CallChallenge, debate.CallRebut} {
		all.WriteString((turner{s: s, ask: debate.Ask{Kind: kind, Party: map[debate.CallKind]string{debate.CallChallenge: "gpt", debate.CallRebut: "claude"}[kind], N: 1}}).request())
	}
	looking := s
	looking.Received.Settings.Looks = 7
	look := (turner{s: looking, ask: debate.Ask{Kind: debate.CallOpen, Party: "gpt"}}).request()
	if !strings.Contains(look, "up to 7 things") {
		t.Errorf("how many things one may look at is not said:\n%s", look)
	}
	all.WriteString(strings.Replace(look, "up to 7 things", "up to {looks} things", 1))
	writing := looking
	writing.Received.Settings.Tests = debate.Tests{Runs: 3, Command: "{test_command}", Files: []string{"{test_files}"}}
	write := (turner{s: writing, ask: debate.Ask{Kind: debate.CallOpen, Party: "gpt"}}).request()
	if !strings.Contains(write, "up to 3 tests") || strings.Contains(look, "A test can prove") {
		t.Errorf("tests are offered by other settings than these:\n%s", write)
	}
	all.WriteString(strings.Replace(write, "up to 3 tests", "up to {tests} tests", 1))
	for _, tool := range Tools() {
		all.WriteString(tool.Description + "\n")
	}
	for _, f := range debate.Framings() {
		s.Received.Inquiry = &debate.Inquiry{Framing: f}
		for _, tt := range asks {
			all.WriteString((turner{s: s, ask: tt.ask}).request())
		}
	}
	looking.Received.Inquiry = s.Received.Inquiry
	asked := (turner{s: looking, ask: debate.Ask{Kind: debate.CallOpen, Party: "gpt"}}).request()
	if !strings.Contains(asked, "up to 7 things") || strings.Contains(asked, text("look_change")) || strings.Contains(look, text("look_question")) {
		t.Errorf("who answers a question is told to look for a change, or the other way round:\n%s", asked)
	}
	all.WriteString(asked)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".txt")
		body := text(name)
		if strings.HasPrefix(name, "framing_") {
			answers, challenges, both := strings.Cut(body, "\n\n")
			used[name] = both && strings.Contains(all.String(), answers) && strings.Contains(all.String(), challenges)
		}
		if !strings.HasSuffix(body, "\n") || strings.Contains(body, "```") {
			t.Errorf("%s ends without a newline, or holds a fence", name)
		}
		if !used[name] && !strings.Contains(all.String(), body) {
			t.Errorf("nothing asks with %s", name)
		}
	}
	if !strings.HasSuffix(all.String(), text("language")+"pt-BR\n") {
		t.Error("the language is not named")
	}
}

// rendered is the prompt of an ask where a packet is this text and hides nothing.
func rendered(s debate.State, ask debate.Ask, packet string) Prompt {
	return render(turner{s: s, ask: ask, packet: packet})
}

// What reviewers are told of categories is what a reply may have.
func TestSystemNamesCategories(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range debate.Categories() {
		names = append(names, string(c))
	}
	if list := "category: " + strings.Join(names, " | ") + ","; !strings.Contains(text("system"), list) {
		t.Errorf("the system prompt lacks %s", list)
	}
}
