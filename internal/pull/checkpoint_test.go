package pull

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// A checkpoint of another version is not read, however well it is sealed: its fields may
// mean something else.
func TestACheckpointOfAnotherVersionIsNotRead(t *testing.T) {
	t.Parallel()
	key, p := []byte("key"), gh.Pull{Number: 7}
	for name, m := range map[string]Checkpoint{
		"ours":                {Version: checkpointVersion, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"a newer checkpoint":  {Version: checkpointVersion + 1, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"an older checkpoint": {Version: checkpointVersion - 1, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"no version":          {Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"a newer protocol":    {Version: checkpointVersion, Debate: debate.Memory{Protocol: debate.ProtocolVersion + "1"}},
		"an older protocol":   {Version: checkpointVersion, Debate: debate.Memory{Protocol: "4"}},
	} {
		m.NextF = 5
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		block, err := comment.Seal(key, bindTo(p, "summary"), data)
		if err != nil {
			t.Fatal(err)
		}
		got, trusted, note := openCheckpoint(key, p, &gh.Comment{Body: block})
		if read := name == "ours"; trusted != read || (got.NextF == 5) != read || (note == "") != read {
			t.Errorf("%s: trusted %t, note %q, %+v", name, trusted, note, got)
		}
	}
}

// A dismissal is bound to the text of its finding only where no other finding was
// ever on that text, and to a severity in any case.
func TestDismissalIsBound(t *testing.T) {
	t.Parallel()
	m := Checkpoint{Names: []Name{
		{F: "F1", Key: "aa-0", Severity: debate.P2}, {F: "F2", Key: "bb-0", Severity: debate.P1}, {F: "F3", Key: "bb-1", Gone: true},
	}}
	for f, want := range map[string]Dismissed{
		"F1": {By: CommandID{9, 2}, F: "F1", Text: "aa", Severity: debate.P2},
		"F2": {By: CommandID{9, 2}, F: "F2", Severity: debate.P1},
		"F3": {By: CommandID{9, 2}, F: "F3", Severity: debate.P3},
	} {
		if got, known := m.dismissal(CommandID{9, 2}, f); got != want || !known {
			t.Errorf("%s: %+v, %t", f, got, known)
		}
	}
	if got, known := m.dismissal(CommandID{9, 2}, "F4"); known {
		t.Errorf("nobody named F4, and it is %+v", got)
	}
}

// A stub forgets the debate and nothing that costs or binds.
func TestStubKeepsWhatMustNotBeForgotten(t *testing.T) {
	t.Parallel()
	m := Checkpoint{
		Debate: debate.Memory{Protocol: debate.ProtocolVersion, SessionID: "s", HeadSHA: "h", Asking: debate.Asking{Calls: []debate.Call{{Usage: debate.Usage{CostMicro: 5}}}}},
		cost:   cost{Micro: 7}, NextF: 3, Handled: []CommandID{{1, 0}, {1, 2}}, Names: []Name{{F: "F1", Key: "aa-0"}},
		Dismissed: []Dismissed{{By: CommandID{1}, F: "F1", Text: "aa"}}, Waived: []Waived{{By: CommandID{2}, Head: "h"}},
	}
	m.Debate.Agenda.Decisions = []debate.Decision{
		{ID: "D0", Fingerprint: "f0", Outcome: debate.HumanDecided, LinkedHash: "l", Human: &debate.Human{PersonAnswer: debate.PersonAnswer{Option: "reject", By: "mona"}}, Options: []debate.Option{{ID: "reject"}}},
		{ID: "D1", Fingerprint: "f1", Outcome: debate.AwaitingHuman, Human: &debate.Human{}},
		{ID: "D2", Fingerprint: "f2", Outcome: debate.Settled},
	}
	before := m.spent().Micro
	s := m.stub()
	if p := s.Debate.Previous().Decisions; len(p) != 1 || p[0].Fingerprint != "f0" || p[0].Option != "reject" || p[0].LinkedHash != "l" {
		t.Errorf("what people decided: %+v", p)
	}
	if d := s.Debate.Agenda.Decisions; len(d) != 2 || d[0].ID != "D0" || !d[0].Offers("reject") || d[1].ID != "D1" {
		t.Errorf("what people have to do with: %+v", d)
	}
	if after := s.spent().Micro; after != before || before == 0 || !s.Stub || s.Debate.HeadSHA != "h" || len(s.Debate.Asking.Calls) > 0 {
		t.Errorf("%d is %d, %+v", before, after, s)
	}
	if len(s.Dismissed) != 1 || len(s.Waived) != 1 || len(s.Handled) != 2 || s.NextF != 3 || s.Names[0].F != "F1" {
		t.Errorf("%+v", s)
	}
}

// noise is text that does not pack.
func noise(name string, bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		sum := sha256.Sum256([]byte(fmt.Sprint(name, i)))
		b.WriteString(base64.RawStdEncoding.EncodeToString(sum[:30]))
	}
	return b.String()[:bytes]
}

// TestSealed has a row for each way in which a checkpoint finds room, or does not.
func TestSealed(t *testing.T) {
	t.Parallel()
	key, p := []byte("key"), gh.Pull{Number: 7}
	confirmed := func(count, quote int) Checkpoint {
		m := Checkpoint{NextF: 5, Debate: debate.Memory{Protocol: debate.ProtocolVersion, SessionID: "s", BaseSHA: "b", HeadSHA: head1}}
		for i := range count {
			id := fmt.Sprintf("F%d", i+1)
			cite := debate.Citation{Path: "a.go", Quote: noise(id, quote)}
			m.Debate.Book.Claims = append(m.Debate.Book.Claims, debate.Claim{ID: id, Bucket: debate.Agreed, Evidence: []debate.Evidence{{CitationOK: true, Cite: cite}}})
		}
		return m
	}
	names := func(m Checkpoint) Checkpoint {
		for i := range 2000 {
			m.Names = append(m.Names, Name{F: fmt.Sprintf("F%d", i+1), Key: noise(fmt.Sprint(i), 40)})
		}
		return m
	}
	answered := func(m Checkpoint) Checkpoint {
		human := debate.Human{PersonAnswer: debate.PersonAnswer{Reason: noise("mona", 2000)}}
		for i := range 20 {
			human.Others = append(human.Others, debate.PersonAnswer{Reason: noise(fmt.Sprint("will", i), 2000)})
		}
		m.Debate.Agenda.Decisions = []debate.Decision{{ID: "D0", Outcome: debate.HumanDecided, Human: &human}}
		return m
	}
	rows := []struct {
		name         string
		m            Checkpoint
		whole, fails bool
		claims       int
		quote        int // bytes that are kept of that of the first one, with an ellipsis where it is cut
	}{
		{"it fits", confirmed(2, 3000), true, false, 2, 3000},
		{"it fits with less prose", confirmed(20, 4000), true, false, 20, 1003},
		{"only a stub fits", confirmed(50, 4000), false, false, 0, 0},
		{"only a stub fits, and people said much", answered(confirmed(50, 4000)), false, false, 0, 0},
		{"not even a stub fits", names(confirmed(1, 10)), false, true, 0, 0},
	}
	for _, row := range rows {
		block, whole, err := row.m.seal(key, p)
		if whole != row.whole || (err != nil) != row.fails {
			t.Errorf("%s: whole %t, %v", row.name, whole, err)
		}
		if err != nil {
			continue
		}
		got, trusted, note := openCheckpoint(key, p, &gh.Comment{Body: block})
		kept := got.Debate.Book.Claims
		if !trusted || note != "" || got.NextF != 5 || got.Stub == row.whole || len(kept) != row.claims {
			t.Errorf("%s: trusted %t, %q, stub %t, %d claims", row.name, trusted, note, got.Stub, len(kept))
			continue
		}
		if got.Debate.Protocol != debate.ProtocolVersion || got.Debate.SessionID != "s" || got.Debate.BaseSHA != "b" || got.Debate.HeadSHA != head1 {
			t.Errorf("%s: of protocol %s, session %s, %s..%s", row.name, got.Debate.Protocol, got.Debate.SessionID, got.Debate.BaseSHA, got.Debate.HeadSHA)
		}
		if row.whole && len(kept[0].Evidence[0].Cite.Quote) != row.quote {
			t.Errorf("%s: %d bytes are kept of a quote", row.name, len(kept[0].Evidence[0].Cite.Quote))
		}
	}
}

// TestOpenCheckpoint has a row for each summary that holds a checkpoint, or does not.
func TestOpenCheckpoint(t *testing.T) {
	t.Parallel()
	key, p := []byte("key"), gh.Pull{Number: 7}
	block, _, err := Checkpoint{NextF: 5, Debate: debate.Memory{Protocol: debate.ProtocolVersion}}.seal(key, p)
	if err != nil {
		t.Fatal(err)
	}
	carol := gh.Account{Login: "carol"}
	rows := []struct {
		name          string
		c             gh.Comment
		key           []byte
		read, trusted bool
		note          string
	}{
		{"ours", gh.Comment{Body: block, CreatedAt: at(1)}, key, true, true, ""},
		{"edited by ourselves", gh.Comment{Body: block, CreatedAt: at(-5), Edited: true, Author: bot, EditedBy: bot, EditedAt: at(1)}, key, true, true, ""},
		{"edited by somebody else", gh.Comment{Body: block, Edited: true, Author: bot, EditedBy: carol}, key, false, false, "the summary was edited by carol; what it held is not used, and it is written anew"},
		{"none", gh.Comment{Body: "### debate"}, key, false, false, ""},
		{"of another key", gh.Comment{Body: block, CreatedAt: at(1)}, []byte("guessed"), true, false, ""},
		{"damaged", gh.Comment{Body: strings.Replace(block, "state v1 ", "state v1 !", 1)}, key, false, false, "the state in the comment cannot be read: it is no base64"},
	}
	for _, row := range rows {
		m, trusted, note := openCheckpoint(row.key, p, &row.c)
		if (m.NextF == 5) != row.read || trusted != row.trusted || note != row.note {
			t.Errorf("%s: trusted %t, %q, F%d is next", row.name, trusted, note, m.NextF)
		}
		if row.read && m.At != millis(at(1)) {
			t.Errorf("%s: dated %d", row.name, m.At)
		}
	}
}

// TestDateBy: what a checkpoint does not date happened when the summary was written.
func TestDateBy(t *testing.T) {
	t.Parallel()
	summary := gh.Comment{CreatedAt: at(1), EditedAt: at(5)}
	m := Checkpoint{Items: []Item{{}, {AskedAt: 8}}}
	m.dateBy(summary)
	now := millis(at(5))
	if m.At != now || m.written != now || m.Items[0].AskedAt != now || m.Items[1].AskedAt != 8 {
		t.Errorf("%+v", m)
	}
	m = Checkpoint{At: 7}
	m.dateBy(summary)
	if m.At != 7 {
		t.Errorf("reviewed at %d", m.At)
	}
}

// TestOpenQuestions has a row for each way in which a checkpoint knows which question is
// meant.
func TestOpenQuestions(t *testing.T) {
	t.Parallel()
	list := func(ids string, outcome debate.DecisionOutcome) []debate.Decision {
		return lists.Map(strings.Fields(ids), func(id string) debate.Decision {
			return debate.Decision{ID: id, Fingerprint: "f" + id, Outcome: outcome, Human: &debate.Human{}}
		})

	}
	rows := []struct {
		name      string
		decisions []debate.Decision
		d0        bool // it waits for a person about D0
		unnamed   bool // and about the one that is not named
	}{
		{"none", nil, false, false},
		{"one waits", list("D0", debate.AwaitingHuman), true, true},
		{"another one waits", list("D1", debate.AwaitingHuman), false, true},
		{"two wait", list("D0 D1", debate.AwaitingHuman), true, false},
		{"one was decided", list("D0", debate.HumanDecided), false, false},
		{"two were decided", list("D0 D1", debate.HumanDecided), false, false},
		{"one waits, and one was decided", slices.Concat(list("D0", debate.HumanDecided), list("D1", debate.AwaitingHuman)), false, true},
		{"two wait, and one was decided", slices.Concat(list("D0", debate.HumanDecided), list("D1 D2", debate.AwaitingHuman)), false, false},
		{"models settled it", list("D0", debate.Settled), false, false},
	}
	for _, row := range rows {
		m := Checkpoint{Debate: debate.Memory{Agenda: debate.Agenda{Decisions: row.decisions}}}
		awaits := func(d string) bool { return isOpen(d, idsWith(m.Debate.Agenda.Decisions, debate.AwaitingHuman)) }
		if awaits("D0") != row.d0 || awaits("") != row.unnamed {
			t.Errorf("%s: D0 waits %t, the one that is not named %t", row.name, awaits("D0"), awaits(""))
		}
	}
}

// TestHandled: a command that was carried out is noted once, and the latest ones are kept.
func TestHandled(t *testing.T) {
	t.Parallel()
	before := Checkpoint{Handled: make([]CommandID, 1, 8)}
	before.Handled[0][0] = 1
	after := before
	after.handle(append(ids(2, 1, 2), CommandID{1, 1})...)
	other := before
	other.handle(ids(4)...)
	if !slices.Equal(after.Handled, append(ids(1, 2), CommandID{1, 1})) || !slices.Equal(before.Handled, ids(1)) || !after.handled(CommandID{1, 1}) || after.handled(CommandID{2, 1}) {
		t.Errorf("%v, before %v", after.Handled, before.Handled)
	}
	for id := range int64(maxHandled) {
		after.handle(ids(10 + id)...)
	}
	if len(after.Handled) != maxHandled || after.handled(CommandID{1, 1}) || !after.handled(ids(10)[0]) {
		t.Errorf("%d are kept from %v on", len(after.Handled), after.Handled[0])
	}
}

// TestSpent: what all sessions cost is known only where all prices are.
func TestSpent(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name             string
		calls            []debate.Usage
		earlier          int64
		before, unpriced bool
		micro            int64
	}{
		{"nothing", nil, 0, false, false, 0},
		{"this session and earlier ones", []debate.Usage{{CostMicro: 5}, {CostMicro: 6}}, 7, false, false, 18},
		{"a call without a price", []debate.Usage{{CostMicro: 5}, {CostUnknown: true}}, 7, false, true, 12},
		{"an earlier one without a price", []debate.Usage{{CostMicro: 5}}, 7, true, true, 12},
	} {
		m := Checkpoint{cost: cost{row.earlier, row.before}}
		m.Debate.Asking.Calls = lists.Map(row.calls, func(u debate.Usage) debate.Call { return debate.Call{Usage: u} })
		if got := m.spent(); got != (cost{row.micro, row.unpriced}) {
			t.Errorf("%s: %d, unpriced %t", row.name, got.Micro, got.Unpriced)
		}
	}
}
