package prompt

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// exampleDiff is a change with every form of a line.
const exampleDiff = `diff --git a/limiter.go b/limiter.go
--- a/limiter.go
+++ b/limiter.go
@@ -86,4 +86,4 @@
 func (l *Limiter) Run() {
-	l.mu.Lock()
 	l.sweep(time.Now())
+	l.mu.Lock()
 	l.mu.Unlock()
`

// Example returns the prompt of a kind of call in a small debate of two parties, for people
// to read; false if there is no such call.
func Example(kind debate.CallKind) (Prompt, bool) {
	ask, known := exampleAsks[kind]
	if !known {
		return Prompt{}, false
	}
	ask.Kind = kind
	s := exampleState()
	return NewPacket(s, patch.Parse([]byte(exampleDiff), nil), PacketOptions{Around: exampleAround()}).Render(s, ask), true
}

// exampleAsks are the asks of the example, by the kind of the call.
var exampleAsks = map[debate.CallKind]debate.Ask{
	debate.CallOpen:      {Party: "claude"},
	debate.CallLocal:     {Party: "claude"},
	debate.CallChallenge: {Party: "gpt", N: 1},
	debate.CallRespond:   {Party: "claude", N: 2},
	debate.CallRebut:     {Party: "gpt", N: 2},
	debate.CallArbiter:   {Party: "arbiter", N: 2},
	debate.CallJudge1:    {Party: string(debate.StanceRisk), Decision: "D0", N: 2},
	debate.CallJudge2:    {Party: string(debate.StanceRisk), Decision: "D0", N: 2},
	debate.CallScore:     {Party: "claude", N: 2},
	debate.CallSumUp:     {Party: "claude", N: 2},
}

// exampleAround returns the lines around the change of the example.
func exampleAround() map[string]surround.Chunk {
	fields := []string{"type Limiter struct {", "\tmu      sync.Mutex", "\tbuckets map[string]*bucket // guarded by mu", "}"}
	blocks := []surround.Block{{Path: "limiter.go", Lines: len(fields), Why: surround.NoRoom, Runs: []surround.Run{
		{First: 1, Last: 17, Kind: surround.LeftOut},
		{First: 18, Last: 21, Kind: surround.Shown, Text: fields},
		{First: 22, Last: 85, Kind: surround.LeftOut},
		{First: 86, Last: 89, Kind: surround.Changed},
		{First: 90, Last: 120, Kind: surround.LeftOut},
	}}}
	uses := surround.Uses{Names: []string{"Sweep"}, Lines: []patch.Use{{Path: "cmd/shop/main.go", Line: 24, Text: "\tgo limiter.Sweep(ctx)"}}, Reach: patch.Everywhere}
	return map[string]surround.Chunk{"X1": {Blocks: blocks, Uses: uses}}
}

func exampleState() debate.State {
	s := debate.State{Received: debate.Received{Seed: "example", Settings: debate.Settings{Looks: debate.MostLooks}, Anchor: debate.Anchor{Title: "Sweep before the lock", Intent: "Holds the lock for a shorter time.\n"}}}
	s.Split.Segments = []debate.Segment{{ID: "S1", Kind: debate.CodeSegment, Source: debate.FromDiff, Path: "limiter.go", Side: debate.Right, StartLine: 86, EndLine: 89}}
	s.Split.Coverage = []debate.Coverage{{ID: "H1", Path: "limiter.go", Side: debate.Right, StartLine: 86, EndLine: 89, Additions: 1, Deletions: 1, Segments: []string{"S1"}}}
	s.Split.Chunks = []debate.Chunk{{ID: "X1", Segments: []string{"S1"}}}
	s.Table.Parties = []debate.Party{{ID: "claude", Role: debate.Primary}, {ID: "gpt", Role: debate.Challenger}}
	s.Table.Primary = "claude"
	at := debate.Citation{Path: "limiter.go", Side: debate.Right, StartLine: 87, EndLine: 87, Quote: "\tl.sweep(time.Now())"}
	evidence := []debate.Evidence{{ID: "E1", Cite: at, CitationOK: true}}
	s.Talk.Positions = []debate.Position{{Version: 1, By: "claude", Disposition: debate.Revise, Summary: "sweep runs without the lock."}}
	s.Book.Claims = []debate.Claim{{
		ID: "F1", Segment: "S1", Owner: "claude", Kind: debate.Empirical, Severity: debate.P1, Category: debate.Reliability,
		Title: "sweep deletes from the map without the lock", Body: "Two requests at once crash the process.", Evidence: evidence,
	}}
	s.Book.Challenges = []debate.Challenge{{
		ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: debate.Skeptical, Status: debate.Open, Objection: "the caller may hold the lock",
		Thread: []debate.Turn{
			{Who: "gpt", Act: debate.Object, Text: "the caller may hold the lock", At: 1},
			{Who: "claude", Act: debate.Act(debate.Rebuff), Text: "Run is the caller, and locks after line 87", Cites: evidence, At: 2},
		},
	}}
	criteria := []debate.Criterion{{ID: "correctness", WeightBP: 6000}, {ID: "effort", WeightBP: 4000}}
	s.Agenda.Decisions = []debate.Decision{{
		ID: "D0", Question: debate.DispositionQuestion, Rubric: &debate.Rubric{Criteria: criteria},
		Options: []debate.Option{{ID: "keep", Label: "keep"}, {ID: "revise", Label: "revise"}, {ID: "reject", Label: "reject", StatusQuo: true}},
	}}
	return s
}
