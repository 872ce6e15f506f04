package population

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/likeness"
)

var (
	reviewsFile = flag.String("reviews", "", "JSON lines of recorded findings that TestRecordedReviews replays: pr, tool, family, judge, text, label (tp, fp, ...), golden[].golden_id")
	goldFile    = flag.String("gold", "", "JSON lines of what is wrong with those changes: pr, golden[].golden_id")
	placedFile  = flag.String("placed", "", "JSON lines of changes with comments about different defects that TestOverlappingDefects replays: pr, comments[]: path, side, from_line, to_line, body, label")
	panels      = flag.Int("panels", 100, "panels of each size that TestRecordedReviews seats")
	judgedBy    = flag.String("judge", "opus", "whose labels of the recorded findings count")
	unsaid      = flag.Bool("unsaid", false, "owners do not say which findings report the same")
)

// recorded is one finding of a reviewer that was recorded, and where it stands.
type recorded struct {
	PR     string `json:"pr"`
	Tool   string `json:"tool"`
	Family string `json:"family"`
	Judge  string `json:"judge"`
	Text   string `json:"text"`
	Label  string `json:"label"`
	Golden []struct {
		ID int `json:"golden_id"`
	} `json:"golden"`

	is    int // the number of what it is about; findings of one number are the same
	start int // its first line
	end   int
}

func (r recorded) right() bool { return r.Label == "tp" }

// TestRecordedReviews replays what real reviewers said of real changes, as far as
// it was recorded: panels of three and of five open with what they found, agree to
// what they found themselves, and say nothing of the rest. What two of them found
// is one finding, by the labels of the file; a wrong finding is that of another if
// their texts are alike. Strict counts the second of two findings about one defect
// as a wrong one. With -unsaid nobody says which of its own findings reports the same.
//
//	go test ./internal/testkit/population -run RecordedReviews -v -reviews candidates.jsonl -gold prs.jsonl
func TestRecordedReviews(t *testing.T) {
	if *reviewsFile == "" || *goldFile == "" {
		t.Skip("no recorded reviews are given")
	}
	gold := make(map[string]int)
	lines(t, *goldFile, func(line []byte) error {
		var pr recorded
		err := json.Unmarshal(line, &pr)
		gold[pr.PR] = len(pr.Golden)
		return err
	})
	all := reviews(t)
	for _, size := range []int{3, 5} {
		sum := panelSum{}
		for n := range *panels {
			p := seat(all, size, n)
			sum.add(t, p, p.findings(all), gold)
		}
		t.Logf("%d reviewers: %s", size, sum)
	}
}

// byTool are findings by who found them and in which change.
type byTool map[string]map[string][]recorded

func reviews(t *testing.T) byTool {
	t.Helper()
	all := make(byTool)
	lines(t, *reviewsFile, func(line []byte) error {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil || r.Judge != *judgedBy || r.Label != "tp" && r.Label != "fp" {
			return err
		}
		if all[r.Tool] == nil {
			all[r.Tool] = make(map[string][]recorded)
		}
		all[r.Tool][r.PR] = append(all[r.Tool][r.PR], r)
		return nil
	})
	return all
}

// placeLines is how far what findings are about stands apart.
const placeLines = 20

// about is the number of what a claim is about.
func about(c debate.Claim) int { return c.Evidence[0].Cite.StartLine/placeLines - 1 }

// findings are what the members of a panel found, each with the number of what it is
// about and the place that follows from it. The texts of who does not sit on the panel
// make no two findings one.
func (p panel) findings(all byTool) byTool {
	found := make(byTool)
	for _, tool := range p.tools {
		found[tool] = make(map[string][]recorded)
	}
	for _, pr := range p.changes {
		var wrong []recorded
		for _, tool := range p.tools {
			for _, r := range all[tool][pr] {
				if r.right() {
					r.is = r.Golden[0].ID
				} else {
					r.is = firstWrong + sameText(wrong, r)
					wrong = append(wrong, r)
				}
				found[tool][pr] = append(found[tool][pr], r.placed())
			}
		}
	}
	return found
}

// firstWrong is the number from which findings are wrong.
const firstWrong = 1000

// placed is the finding at the place that its number gives it: not quite the same
// lines for everybody.
func (r recorded) placed() recorded {
	shift := int(mix(uint64(len(r.Text)*31+len(r.Tool))) % 3)
	r.start = placeLines*(r.is+1) + shift
	r.end = r.start + 1 + shift
	return r
}

// sameText is the number of the finding of another member that one repeats, or a new
// one.
func sameText(before []recorded, r recorded) int {
	for _, o := range before {
		if o.Tool != r.Tool && likeness.Of(o.Text, r.Text) >= likeness.Likely {
			return o.is - firstWrong
		}
	}
	return len(before)
}

func lines(t *testing.T, name string, read func([]byte) error) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<22)
	for n := 1; scan.Scan(); n++ {
		if err := read(scan.Bytes()); err != nil {
			t.Fatalf("%s: line %d: %v", name, n, err)
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
}

// panel is some reviewers of different families, and the changes that all of them
// reviewed.
type panel struct {
	tools   []string
	changes []string
}

// fewest is how many changes the reviewers of a panel have in common.
const fewest = 10

// seat draws the reviewers of a panel.
func seat(all byTool, size, n int) panel {
	tools := sorted(all)
	for try := 0; ; try++ {
		luck := dice(mix(uint64(1000*size + n + 1_000_000*try)))
		var p panel
		var families []string
		for i := 0; len(p.tools) < size && i < 50*size; i++ {
			tool := tools[luck.roll(looks, i)%len(tools)]
			family := ""
			for _, found := range all[tool] {
				family = found[0].Family
			}
			if !slices.Contains(families, family) {
				families, p.tools = append(families, family), append(p.tools, tool)
			}
		}
		for _, pr := range sorted(all[p.tools[0]]) {
			if !slices.ContainsFunc(p.tools, func(tool string) bool { return len(all[tool][pr]) == 0 }) {
				p.changes = append(p.changes, pr)
			}
		}
		if len(p.tools) == size && len(p.changes) >= fewest {
			return p
		}
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// score counts what somebody posted.
type score struct{ right, posted, gold int }

// post adds what was posted about one change, by number.
func (s *score) post(is []int, gold int) {
	seen := make(map[int]bool)
	for _, n := range is {
		s.right += one(n < firstWrong && !seen[n])
		seen[n] = true
	}
	s.posted, s.gold = s.posted+len(is), s.gold+gold
}

func (s score) f1() int { return permille(2*s.right, s.posted+s.gold) }

// panelSum is what panels of one size came to.
type panelSum struct {
	panels, debates, calls       int
	f1, perfect                  int // sums, in per mille
	above, perfectAbove          int
	pairsRight, pairsAll, merged int // pairs of findings of two parties: rightly merged, the same, merged
}

func (s *panelSum) add(t *testing.T, p panel, all byTool, gold map[string]int) {
	t.Helper()
	var debated, perfect score
	members := make([]score, len(p.tools))
	for _, pr := range p.changes {
		var found [][]recorded
		voices := make(map[int]int)
		for i, tool := range p.tools {
			found = append(found, all[tool][pr])
			var own, once []int
			for _, r := range all[tool][pr] {
				own = append(own, r.is)
				if !slices.Contains(once, r.is) {
					once = append(once, r.is)
					voices[r.is]++
				}
			}
			members[i].post(own, gold[pr])
		}
		end := replayReviews(t, found, false)
		debated.post(end.agreed(), gold[pr])
		var two []int
		for is, n := range voices {
			if n > 1 {
				two = append(two, is)
			}
		}
		perfect.post(two, gold[pr])
		s.debates, s.calls = s.debates+1, s.calls+len(end.s.Asking.Calls)
		s.pairs(end)
	}
	best := 0
	for _, m := range members {
		best = max(best, m.f1())
	}
	s.panels++
	s.f1, s.perfect = s.f1+debated.f1(), s.perfect+perfect.f1()
	s.above, s.perfectAbove = s.above+one(debated.f1() > best), s.perfectAbove+one(perfect.f1() > best)
}

// pairs compares which findings of two parties are one in the end with which are.
func (s *panelSum) pairs(end replayed) {
	for i, a := range end.s.Book.Claims {
		for _, b := range end.s.Book.Claims[:i] {
			labelled := about(a) < firstWrong && about(b) < firstWrong
			if a.Owner == b.Owner || !labelled {
				continue
			}
			same, merged := about(a) == about(b), end.stands(a) == end.stands(b)
			s.pairsAll, s.merged, s.pairsRight = s.pairsAll+one(same), s.merged+one(merged), s.pairsRight+one(same && merged)
		}
	}
}

func (s panelSum) String() string {
	return fmt.Sprintf("strict F1 %s, above the best member %s %%; perfect merge of two voices %s, %s %%; calls for each review %s; pair F1 of duplicates %s (%d panels, %d reviews)",
		tenths(s.f1/s.panels), percent(s.above, s.panels), tenths(s.perfect/s.panels), percent(s.perfectAbove, s.panels),
		average(s.calls, s.debates), tenths(permille(2*s.pairsRight, s.pairsAll+s.merged)), s.panels, s.debates)
}

// replayed is a debate of recorded reviewers after its end.
type replayed struct{ s debate.State }

// stands is the id of the claim that stands for one in the end.
func (r replayed) stands(c debate.Claim) string {
	for c.SameAs != "" {
		c = *claimOf(r.s, c.SameAs)
	}
	return c.ID
}

// agreed are the findings that are confirmed.
func (r replayed) agreed() []int {
	var list []int
	for _, c := range r.s.Book.Agreed() {
		list = append(list, about(c))
	}
	return list
}

// voice plays reviewers by what they found.
type voice struct {
	found  map[string][]recorded
	table  []debate.Party
	polite bool // everybody agrees to everything
}

// replayReviews plays a debate of reviewers who open with what they found.
func replayReviews(t *testing.T, found [][]recorded, polite bool) replayed {
	t.Helper()
	v := voice{found: make(map[string][]recorded), polite: polite}
	for i, list := range found {
		id := debaters()[i]
		v.found[id] = list
		role := debate.Challenger
		if i == 0 {
			role = debate.Primary
		}
		v.table = append(v.table, debate.Party{ID: id, Role: role, Family: "family " + strconv.Itoa(i), Status: debate.PartyOK})
	}
	s, err := v.play()
	if err != nil {
		t.Fatal(err)
	}
	return replayed{s}
}

// recordedLines is the length of the one file of every replayed change.
const recordedLines = 60000

func (v voice) play() (debate.State, error) {
	var s debate.State
	event := debate.Event(debate.Received{
		Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-101500-1", Seed: "00", Scope: "range:a..b",
		Mode: debate.Standard, Target: debate.TargetAuto, Anchor: debate.Anchor{Repo: "o/shop", PR: 1, Title: "as recorded"},
		Settings: debate.Settings{Gate: debate.Advisory, FailOn: debate.FailNone, Opening: debate.OpenParallel},
	})
	x := cast{}
	for range maxEvents {
		next, err := debate.Apply(s, debate.Entry{N: s.N + 1, At: start + 1000*int64(s.N), Event: event})
		if err != nil {
			return s, err
		}
		s = next
		work := debate.Outstanding(s)
		if len(work) == 0 {
			return s, nil
		}
		switch w := work[0]; w.Kind {
		case debate.DoSplit:
			event = debate.SplitDone{
				Target: debate.TargetCode, Totals: debate.Totals{Files: 1, Additions: recordedLines, Parts: 1},
				Chunks:   []debate.Chunk{{ID: "X1", Bytes: 4000, Segments: []string{"S1"}}},
				Segments: []debate.Segment{{ID: "S1", Kind: debate.CodeSegment, Source: debate.FromDiff, Path: recordedPath, Side: debate.Right, StartLine: 1, EndLine: recordedLines, TextHash: "text"}},
				Coverage: []debate.Coverage{{ID: "H1", Path: recordedPath, Side: debate.Right, StartLine: 1, EndLine: recordedLines, Additions: recordedLines, Segments: []string{"S1"}}},
			}
		case debate.DoPreflight:
			event = debate.Preflighted{Parties: v.table}
		case debate.DoPolice:
			event = debate.Policed{}
		case debate.DoCall:
			r := v.reply(s, *w.Ask)
			event = debate.Replied{Ask: w.Ask.ID, Status: debate.CallOK, Reading: debate.ReadJSON, Reply: &r}
		default:
			event = x.event(s, w)
		}
	}
	return s, fmt.Errorf("the debate does not end")
}

const recordedPath = "change.go"

func (r recorded) ref() debate.Ref {
	var quote []string
	code := debate.Lines(0)
	for n := r.start; n <= r.end; n++ {
		quote = append(quote, "step("+strconv.Itoa(n)+")")
		code = code.With(n - r.start)
	}
	return debate.Ref{
		Citation: debate.Citation{Path: recordedPath, Side: debate.Right, StartLine: r.start, EndLine: r.end, Quote: strings.Join(quote, "\n")},
		Found:    debate.Found{OK: true, Changed: true, InHunk: true, Commentable: true, Code: code, DeclStart: r.start / 20 * 20, DeclEnd: r.start/20*20 + 19},
	}
}

// reply opens with what was found, and agrees to what others found of it.
func (v voice) reply(s debate.State, ask debate.Ask) debate.Reply {
	r := debate.Reply{Summary: "as recorded", Disposition: debate.Keep, Confidence: debate.DeclaredMed, Verdict: debate.VerdictPartial, Strength: debate.StrengthMinor}
	own := v.found[ask.Party]
	if len(own) > 0 {
		r.Disposition = debate.Revise
	}
	r.Recommendation = r.Disposition
	switch ask.Kind {
	case debate.CallOpen, debate.CallLocal:
		for _, f := range own {
			title, _, _ := strings.Cut(f.Text, ". ")
			r.Claims = append(r.Claims, debate.NewClaim{Segment: "S1", Kind: debate.Empirical, Severity: debate.P2, Title: title, Body: f.Text, Refs: []debate.Ref{f.ref()}})
		}
		return r
	case debate.CallChallenge:
		r.Position = &debate.Restated{Disposition: r.Disposition, Summary: "as recorded"}
	}
	for _, c := range s.Book.Claims {
		if c.SameAs != "" || c.Owner == ask.Party || slices.ContainsFunc(c.Evaluations, func(e debate.Evaluation) bool { return e.Party == ask.Party }) {
			continue
		}
		if i := slices.IndexFunc(own, func(f recorded) bool { return v.polite || f.is == about(c) }); i >= 0 {
			r.Evaluations = append(r.Evaluations, debate.Evaluating{
				Claim: c.ID, Class: debate.ClassAgree, View: debate.Supports, Severity: debate.P2, Refs: []debate.Ref{own[i].ref()}, SameAs: v.same(s, ask.Party, own[i]),
			})
		}
	}
	return r
}

// same is the own claim of a party about what it found, if it says that another one
// reports the same.
func (v voice) same(s debate.State, party string, f recorded) string {
	switch {
	case *unsaid:
		return ""
	case v.polite:
		return debate.NoClaim
	}
	for _, c := range s.Book.Claims {
		if c.Owner == party && about(c) == f.is {
			return c.ID
		}
	}
	return ""
}

// TestOverlappingDefects replays, in pairs, comments of which people said that they
// are right and about different defects, and that name overlapping lines: each is
// found by one party, and the other agrees to it and says that it has not reported it;
// with -unsaid it does not say that. None may be merged.
//
//	go test ./internal/testkit/population -run OverlappingDefects -v -placed prs.jsonl
func TestOverlappingDefects(t *testing.T) {
	if *placedFile == "" {
		t.Skip("no comments are given")
	}
	pairs, wrong := 0, 0
	lines(t, *placedFile, func(line []byte) error {
		var pr struct {
			Comments []struct {
				Path, Side, Body, Label string
				From                    int `json:"from_line"`
				To                      int `json:"to_line"`
			}
		}
		if err := json.Unmarshal(line, &pr); err != nil {
			return err
		}
		for i, a := range pr.Comments {
			for _, b := range pr.Comments[:i] {
				right := a.Label == "valid" && b.Label == "valid"
				if !right || a.Path != b.Path || a.Side != b.Side || a.From < 1 || b.From < 1 || a.From > b.To || b.From > a.To {
					continue
				}
				pairs++
				both := [][]recorded{{{Text: a.Body, start: a.From, end: a.To}}, {{Text: b.Body, start: b.From, end: b.To}}}
				s := replayReviews(t, both, true).s
				wrong += one(slices.ContainsFunc(s.Book.Claims, func(c debate.Claim) bool { return c.SameAs != "" }))
			}
		}
		return nil
	})
	t.Logf("%s %% of the pairs are merged wrongly (%d of %d)", percent(wrong, pairs), wrong, pairs)
}
