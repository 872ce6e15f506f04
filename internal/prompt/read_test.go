package prompt

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func ref(path string, start, end int, quote string) debate.Ref {
	return debate.Ref{Citation: debate.Citation{Path: path, Side: debate.Right, StartLine: start, EndLine: end, Quote: quote}}
}

// reads lists replies that can be read. They seed the fuzzer too.
var reads = []struct {
	name string
	kind debate.CallKind
	raw  string
	want Result
}{
	{"open", debate.CallOpen, `{"summary":"s","disposition":"Revise","reasoning":["r"],"confidence":"med","weaknesses":["w"],"assumptions":["a"],
		"claims":[{"segment":"s2","kind":"EMPIRICAL","severity":"p1","category":"Data-Loss","title":"t","body":"b","suggestion":"x","same_as":"f4",
		"ref":[{"path":"a.go","start_line":10,"end_line":12,"quote":"q"},{"run_ref":"check:7"}]}],
		"proposal_review":{"problem_framing":"pf","decision_quality":"dq"},
		"overview":{"does":"d","order":[{"topic":"o","files":["a.go",7]},{"topic":"none"}],"misses":"m","head":"forged"},"carried":[{"id":"f3","class":"fixed"}],
		"decisions":[{"question":"Which?","options":[{"id":"a","label":"A","description":"d","status_quo":true}],"scope_critical":true,
		"critical_because":[{"trigger":"Money","reason":"m"}]}]}`,
		Result{Reading: debate.ReadJSON, Ignored: 1, Dropped: []string{"overview.order[0].files[1]", "overview.order[1]"}, Reply: &debate.Reply{
			Summary: "s", Disposition: debate.Revise, Reasoning: []string{"r"}, Confidence: debate.DeclaredMed,
			Weaknesses: []string{"w"}, Assumptions: []string{"a"},
			Claims: []debate.NewClaim{{Segment: "S2", Kind: debate.Empirical, Severity: debate.P1, Category: debate.DataLoss, Title: "t", Body: "b",
				Suggestion: "x", SameAs: "F4", Refs: []debate.Ref{ref("a.go", 10, 12, "q"), {RunRef: "check:7"}}}},
			ProposalReview: &debate.ProposalReview{ProblemFraming: "pf", DecisionQuality: "dq"},
			Overview:       &debate.Overview{Does: "d", Misses: "m", Order: []debate.Topic{{Topic: "o", Files: []string{"a.go"}}}},
			Carried:        []debate.Carrying{{ID: "F3", Class: debate.Fixed}},
			Questions: []debate.Question{{Question: "Which?", Options: []debate.Option{{ID: "a", Label: "A", Description: "d", StatusQuo: true}},
				ScopeCritical: true, Critical: []debate.Assertion{{Trigger: debate.TriggerMoney, Reason: "m"}}}},
		}}},
	{"a recommendation stands for the disposition", debate.CallOpen, `{"recommendation":"keep","claims":[]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Recommendation: debate.Keep, Disposition: debate.Keep}}},
	{"only headlines", debate.CallOpen, `{"recommendation":"revise","p1":["leak in a/b.go:10-12."],"p3":["see https://x.y:8080", "` + "`c.go:7`" + ` is odd"]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Recommendation: debate.Revise, Disposition: debate.Revise,
			P1: []string{"leak in a/b.go:10-12."}, P3: []string{"see https://x.y:8080", "`c.go:7` is odd"},
			Claims: []debate.NewClaim{
				{Severity: debate.P1, Title: "leak", Refs: []debate.Ref{ref("a/b.go", 10, 12, "")}},
				{Severity: debate.P3, Title: "see https://x.y:8080"},
				{Severity: debate.P3, Title: "is odd", Refs: []debate.Ref{ref("c.go", 7, 7, "")}},
			}}}},
	{"headlines beside structured members", debate.CallChallenge, `{"verdict":"partial","p1":["a.go:1 bug"]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, P1: []string{"a.go:1 bug"},
			Claims: []debate.NewClaim{{Severity: debate.P1, Title: "bug", Refs: []debate.Ref{ref("a.go", 1, 1, "")}}}}}},
	{"claims by their severities", debate.CallOpen, `{"disposition":"revise","claims":{"high":[{"title":"t"}, "a.go:3 it leaks"],"P3":{"title":"u"}}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Disposition: debate.Revise, Claims: []debate.NewClaim{
			{Severity: debate.P3, Title: "u"}, {Severity: debate.P1, Title: "t"}, {Severity: debate.P1, Title: "a.go:3 it leaks", Refs: []debate.Ref{ref("a.go", 3, 3, "")}},
		}}}},
	{"claims as JSON in a text", debate.CallOpen, `{"disposition":"revise","claims":"[{\"title\":\"t\",\"severity\":\"P1\"}]"}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Disposition: debate.Revise, Claims: []debate.NewClaim{{Severity: debate.P1, Title: "t"}}}}},
	{"objects as JSON in a text", debate.CallChallenge, `{"verdict":"disagree","strongest_objection":"{\"text\":\"t\",\"fatal\":\"no\"}","position":" {\"disposition\":\"revise\"}"}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictDisagree, Strongest: &debate.Objection{Text: "t", Fatal: debate.FatalNo},
			Position: &debate.Restated{Disposition: debate.Revise}}}},
	{"names in another case", debate.CallChallenge, `{"newClaims":[{"title":"t","sameAs":"F2","ref":[{"path":"a.go","startLine":3}]}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Claims: []debate.NewClaim{{Title: "t", SameAs: "F2", Refs: []debate.Ref{ref("a.go", 3, 3, "")}}}}}},
	{"evaluations by their ids", debate.CallChallenge, `{"evaluations":{"F1":"AGREE","f2":{"verdict":"reject","reason":"r"}}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Evaluations: []debate.Evaluating{
			{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports}, {Claim: "F2", Class: debate.ClassReject, Flaw: "r"},
		}}}},
	{"ids with signs or a noun", debate.CallChallenge, "{\"evaluations\":[{\"claim\":\"claim f1\",\"class\":\"AGREE\"},{\"claim\":\"#F2\",\"class\":\"AGREE\"},{\"claim\":\"[F3] the loop\",\"class\":\"AGREE\"},{\"claim\":\"**`F4`**\",\"class\":\"AGREE\"}]}",
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Evaluations: []debate.Evaluating{
			{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports}, {Claim: "F2", Class: debate.ClassAgree, View: debate.Supports},
			{Claim: "F3", Class: debate.ClassAgree, View: debate.Supports}, {Claim: "F4", Class: debate.ClassAgree, View: debate.Supports},
		}}}},
	{"answers by their ids", debate.CallRebut, `{"defenses":{"K1":"concede","K2":{"response":"maintain","reason":"r"}}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{
			{Challenge: "K1", Move: debate.Accept}, {Challenge: "K2", Move: debate.Maintain, Text: "r"},
		}}}},
	{"one object deeper", debate.CallOpen, `{"review":{"Disposition":"reject"}}`,
		Result{Reading: debate.ReadObject, Reply: &debate.Reply{Disposition: debate.Reject}}},
	{"a call of submit in words", debate.CallOpen, `<tool_call>{"name":"submit","arguments":{"disposition":"reject"}}</tool_call>`,
		Result{Reading: debate.ReadObject, Reply: &debate.Reply{Disposition: debate.Reject}}},
	{"local", debate.CallLocal, `{"disposition":"keep","self_challenges":[{"claim_index":0,"text":"t"},{"text":"no index"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"self_challenges[1]"}, Reply: &debate.Reply{Disposition: debate.Keep,
			SelfChallenges: []debate.SelfChallenge{{Text: "t"}}}}},
	{"new claims named as an opening names them", debate.CallChallenge, `{"verdict":"disagree","claims":[{"title":"t","severity":"P1"},{"id":"F1","owner_is_you":false,"title":"said after the turn"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"claims[1]"}, Reply: &debate.Reply{Verdict: debate.VerdictDisagree,
			Claims: []debate.NewClaim{{Title: "t", Severity: debate.P1}}}}},
	{"challenge", debate.CallChallenge, "Here it is:\n```json\n" + `{"verdict":"DISAGREE","objection_strength":"strong","confidence":"HIGH","final_options":[{"decision":"d0","option":"REJECT"}],
		"evaluations":[{"claim":"F1","class":"agree"},{"claim":"F2","class":"AGREE","supports":"irrelevant"},{"claim":"F3","class":"reject","flaw":"f","severity":"P2"},{"class":"AGREE"}],
		"new_claims":[{"body":"first\nsecond"},{"severity":"P1"}],"alternative":"alt","assumptions_challenged":["x"],
		"critical_because":[{"trigger":"irreversible","ref":[{"path":"a","start_line":1,"side":"left"}],"reason":"r"}],
		"checked":[{"segment":"S1","scenario":"sc"}]}` + "\n```\nThat is all.",
		Result{Reading: debate.ReadObject, Dropped: []string{"new_claims[1]", "evaluations[3]"}, Reply: &debate.Reply{
			Verdict: debate.VerdictDisagree, Strength: debate.StrengthStrong, Confidence: debate.DeclaredHigh,
			FinalOptions: []debate.FinalOption{{Decision: "D0", Option: "reject"}},
			Evaluations: []debate.Evaluating{
				{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports},
				{Claim: "F2", Class: debate.ClassAgree, View: debate.Irrelevant},
				{Claim: "F3", Class: debate.ClassReject, Flaw: "f", Severity: debate.P2},
			},
			Claims:      []debate.NewClaim{{Title: "first", Body: "first\nsecond"}},
			Alternative: "alt", AssumptionsChallenged: []string{"x"},
			Critical: []debate.Assertion{{Trigger: debate.TriggerIrreversible, Reason: "r",
				Refs: []debate.Ref{{Citation: debate.Citation{Path: "a", Side: debate.Left, StartLine: 1, EndLine: 1}}}}},
			Checked: []debate.Check{{Segment: "S1", Scenario: "sc"}},
		}}},
	{"nothing to object to", debate.CallChallenge, `{"verdict":"agree","strongest_objection":null}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictAgree}}},
	{"the strongest objection", debate.CallChallenge, `{"verdict":"partial","strongest_objection":{"claim":"f1","text":"t","fatal":"Yes"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Claim: "F1", Text: "t", Fatal: debate.FatalYes}}}},
	{"the strongest objection, in true and false", debate.CallChallenge, `{"verdict":"agree","strongest_objection":{"segment":"s1","text":"t","fatal":true}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictAgree, Strongest: &debate.Objection{Segment: "S1", Text: "t", Fatal: debate.FatalYes}}}},
	{"respond", debate.CallRespond, `{"answers":[{"challenge":"k1","move":"reject","text":"t","limit":"l","amend":{"title":"new","severity":"P3"}}],
		"evaluations":[{"claim":"F9","class":"SKEPTICAL","flaw":"f","upgrade_if":"u","same_as":"f2"},{"claim":"F8","class":"AGREE","same_as":"None."}],"acknowledged_changes":[{"claim":"POSITION","from":"keep","to":"revise","because":"b"}],
		"position":{"disposition":"revise","summary":"s","confidence":"LOW"},"deadlock":[{"challenge":"K1","class":"missing_data","measurement":"m","threshold":"t","effect":"e"}],
		"delta":{"value":0.05,"because":["f1","K2"]},"rubric_proposals":{"option":"o","criterion":"c"},"why_disagree":"w","right_if":"r","core_assumption":"ca"}`,
		Result{Reading: debate.ReadJSON, Ignored: 2, Reply: &debate.Reply{
			Answers: []debate.Answer{{Challenge: "K1", Move: debate.Rebuff, Text: "t", Limit: "l", Amend: &debate.Amend{Title: "new", Severity: debate.P3}}},
			Evaluations: []debate.Evaluating{
				{Claim: "F9", Class: debate.ClassSkeptical, Flaw: "f", UpgradeIf: "u", SameAs: "F2"},
				{Claim: "F8", Class: debate.ClassAgree, View: debate.Supports, SameAs: debate.NoClaim},
			},
			Changes:     []debate.Change{{Claim: debate.PositionSubject, From: "keep", To: "revise", Because: "b"}},
			Position:    &debate.Restated{Disposition: debate.Revise, Summary: "s", Confidence: debate.DeclaredLow},
			Deadlocks:   []debate.DeadlockView{{Challenge: "K1", Class: debate.MissingData, Measurement: "m", Threshold: "t", Effect: "e"}},
			Delta:       &debate.Rating{ValueBP: 500},
			WhyDisagree: "w", RightIf: "r", CoreAssumption: "ca",
		}}},
	{"rebut", debate.CallRebut, `{"answers":[{"challenge":"K1","move":"escalate"},{"challenge":"K2","move":"partial"}],"defences":[{"challenge":"K3","concede":true,"text":"t"}],
		"uncovered":[{"title":"u"}],"final_option":"Keep","final_options":[{"decision":"D1","option":"x"}],"delta":{"value":2}}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"delta"}, Reply: &debate.Reply{
			Answers:      []debate.Answer{{Challenge: "K1", Move: debate.Escalate}, {Challenge: "K2", Move: debate.Partial}, {Challenge: "K3", Move: debate.Accept, Text: "t"}},
			Claims:       []debate.NewClaim{{Title: "u"}},
			FinalOptions: []debate.FinalOption{{Decision: "D1", Option: "x"}, {Decision: "D0", Option: "keep"}},
		}}},
	{"one list of answers", debate.CallRebut, `{"answers":[{"challenge":"K1","move":"REJECT","limit":"l"},{"challenge":"K2","move":"concede"},{"challenge":"K3","text":"t","amend":{"severity":"P3"}},{"challenge":"K4","move":"huh","text":"t"}],"defences":[{"challenge":"K5","text":"t"},{"challenge":"K6","move":"Maintain"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"answers[3].move"}, Reply: &debate.Reply{Answers: []debate.Answer{
			{Challenge: "K1", Move: debate.Rebuff, Limit: "l"}, {Challenge: "K2", Move: debate.Accept}, {Challenge: "K3", Text: "t", Amend: &debate.Amend{Severity: debate.P3}},
			{Challenge: "K4", Text: "t"}, {Challenge: "K5", Text: "t"}, {Challenge: "K6", Move: debate.Maintain},
		}}}},
	{"the same list in an answer", debate.CallRespond, `{"answers":[{"challenge":"K1","move":"escalate"}],"defences":[{"challenge":"K2","concede":true}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{{Challenge: "K1", Move: debate.Escalate}, {Challenge: "K2", Move: debate.Accept}}}}},
	{"judge", debate.CallJudge1, `{"option":" a ","confidence":"HIGH","per_option":[{"option":"a","assessment":"good","score":10},{"option":"b","score":11},{"option":"c","score":7.0}],"reason":"r","hidden_points":["h"]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"per_option[1].score"}, Reply: &debate.Reply{Option: "a", Confidence: debate.DeclaredHigh, Reason: "r", HiddenPoints: []string{"h"},
			PerOption: []debate.Assessment{{Option: "a", Assessment: "good", Score: 10}, {Option: "b", Score: -1}, {Option: "c", Score: 7}}}}},
	{"judge who was convinced", debate.CallJudge2, `{"option":"a","changed":true,"convinced_by":{"judge":"Risk","argument":"x"},"reason":"r","counter_arguments":[{"to":"value","text":"t"},{"to":"me","text":"t"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"counter_arguments[1].to", "counter_arguments[1]"}, Reply: &debate.Reply{Option: "a", Changed: true,
			ConvincedBy: &debate.Convinced{Judge: "risk", Argument: "x"}, Reason: "r", Counters: []debate.Counter{{To: "value", Text: "t"}}}}},
	{"scores as a list", debate.CallScore, `{"decisions":[{"id":"D0","scores":[{"option":"keep","criterion":"risk","score":11},{"option":"keep","criterion":"cost","score":"three"}],"rationale":"r"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"decisions[0].scores[1].score", "decisions[0].scores[1]"}, Reply: &debate.Reply{
			Sheets: []debate.Sheet{{Decision: "D0", Scores: []debate.Score{{Option: "keep", Criterion: "risk", Score: 11}}, Rationale: "r"}}}}},
	{"scores as maps", debate.CallScore, `{"decisions":[{"id":"D0","scores":{"revise":{"risk":1,"cost":2},"keep":{"risk":3,"cost":"x"},"odd":4}}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"decisions[0].scores", "decisions[0].scores"}, Reply: &debate.Reply{
			Sheets: []debate.Sheet{{Decision: "D0", Scores: []debate.Score{{Option: "keep", Criterion: "risk", Score: 3},
				{Option: "revise", Criterion: "cost", Score: 2}, {Option: "revise", Criterion: "risk", Score: 1}}}}}}},
	{"arbiter", debate.CallArbiter, `{"items":[{"claim":"F1","flag":"NOT_BLOCKED","note":"n"},{"claim":"F2","flag":"maybe"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"items[1].flag"}, Reply: &debate.Reply{
			Flags: []debate.Flagged{{Claim: "F1", Flag: debate.FlagNotBlocked, Note: "n"}, {Claim: "F2"}}}}},
	{"assumptions", debate.CallRebut, `{"testable_by":"t"}`, Result{Reading: debate.ReadJSON, Reply: &debate.Reply{TestableBy: "t"}}},
	{"unknown members", debate.CallOpen, `{"DISPOSITION":"keep","vibe":1,"claims":[{"title":"t","mood":2,"ref":[{"path":"a","tint":3}]}]}`,
		Result{Reading: debate.ReadJSON, Ignored: 3, Reply: &debate.Reply{Disposition: debate.Keep,
			Claims: []debate.NewClaim{{Title: "t", Refs: []debate.Ref{ref("a", 0, 0, "")}}}}}},
	{"members of another call", debate.CallScore, `{"decisions":[{"id":"D0","scores":[{"option":"a","criterion":"b","score":0}]}],"verdict":"agree"}`,
		Result{Reading: debate.ReadJSON, Ignored: 1, Reply: &debate.Reply{Sheets: []debate.Sheet{{Decision: "D0", Scores: []debate.Score{{Option: "a", Criterion: "b"}}}}}}},
	{"wrong types cost their member alone", debate.CallOpen, `{"disposition":"keep","summary":7,"p1":"x","p2":[1,"y",null],"confidence":true,"claims":[7,{"title":"t","severity":"huge","ref":{}}],"proposal_review":[]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"summary", "p2[0]", "p2[2]", "claims[0]", "claims[1].severity", "claims[1].ref[0]", "confidence", "proposal_review"},
			Reply: &debate.Reply{Disposition: debate.Keep, P1: []string{"x"}, P2: []string{"y"},
				Claims: []debate.NewClaim{{Title: "t", Severity: debate.P1}, {Severity: debate.P1, Title: "x"}, {Severity: debate.P2, Title: "y"}}}}},
	{"words of other scales", debate.CallOpen, `{"disposition":"request_changes","confidence":"medium","p0":["a.go:1 leaks"],"claims":[{"title":"a","severity":"critical"},{"title":"b","severity":"High"},
		{"title":"c","severity":"P0"},{"title":"d","severity":"blocker"},{"title":"e","severity":"Medium (P2)"},{"title":"f","severity":"major"},{"title":"g","severity":"nit"},{"title":"h","severity":2},
		{"title":"i","severity":"P3 - low"},{"title":"j","severity":"P2/P1"},{"title":"k","severity":"whopping"},{"title":"l"},{"title":"m","severity":"Non-blocking"},{"title":"n","severity":"not blocking"},"[critical] it panics","Minor: it stutters"],"carried":[{"id":"F1","class":"resolved"},{"id":"F2","class":"not fixed"},{"id":"F3","class":"half fixed"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"claims[10].severity", "carried[2].class"}, Reply: &debate.Reply{
			Disposition: debate.Revise, Confidence: debate.DeclaredMed, P1: []string{"a.go:1 leaks"}, Claims: []debate.NewClaim{
				{Title: "a", Severity: debate.P1}, {Title: "b", Severity: debate.P1}, {Title: "c", Severity: debate.P1}, {Title: "d", Severity: debate.P1},
				{Title: "e", Severity: debate.P2}, {Title: "f", Severity: debate.P2}, {Title: "g", Severity: debate.P3}, {Title: "h", Severity: debate.P2},
				{Title: "i", Severity: debate.P3}, {Title: "j", Severity: debate.P1}, {Title: "k", Severity: debate.P1}, {Title: "l"},
				{Title: "m", Severity: debate.P3}, {Title: "n", Severity: debate.P3},
				{Title: "it panics", Severity: debate.P1}, {Title: "it stutters", Severity: debate.P3},
				{Title: "leaks", Severity: debate.P1, Refs: []debate.Ref{ref("a.go", 1, 1, "")}},
			}, Carried: []debate.Carrying{{ID: "F1", Class: debate.Fixed}, {ID: "F2", Class: debate.Stands}, {ID: "F3", Class: debate.Stands}}}}},
	{"verdicts in other words", debate.CallChallenge, `{"verdict":"Request changes","objection_strength":"considerable","final_options":[{"decision":"D0","option":"approve"},{"decision":"D0","option":"wait"}],
		"evaluations":[{"claim":"F1","class":"confirmed"},{"claim":"F2","class":"false positive","flaw":"f"},{"claim":"F3","class":"meh","flaw":"f"},{"claim":"F4","class":"meh"},
		{"claim":"F5","class":"ill-formed"},{"claim":"F6","class":"AGREE","supports":"somewhat"},{"claim":"F7","class":"agree","supports":true}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"objection_strength", "evaluations[2].class", "evaluations[3].class", "evaluations[5].supports", "final_options[1]"}, Reply: &debate.Reply{
			Verdict: debate.VerdictDisagree, Strength: debate.StrengthStrong, FinalOptions: []debate.FinalOption{{Decision: "D0", Option: "keep"}}, Evaluations: []debate.Evaluating{
				{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports}, {Claim: "F2", Class: debate.ClassReject, Flaw: "f"}, {Claim: "F3", Class: debate.ClassSkeptical, Flaw: "f"}, {Claim: "F4"},
				{Claim: "F5", Class: debate.ClassIllFormed}, {Claim: "F6", Class: debate.ClassAgree, View: debate.Irrelevant}, {Claim: "F7", Class: debate.ClassAgree, View: debate.Supports},
			}}}},
	{"a verdict in unknown words", debate.CallChallenge, `{"verdict":"it depends","evaluations":[{"claim":"F1","class":"AGREE"}]}`, Result{Reading: debate.ReadJSON, Dropped: []string{"verdict"}, Reply: &debate.Reply{
		Verdict: debate.VerdictPartial, Evaluations: []debate.Evaluating{{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports}}}}},
	{"a verdict in unknown words, and an objection", debate.CallChallenge, `{"verdict":"it depends","strongest_objection":{"text":"t","fatal":true}}`, Result{Reading: debate.ReadJSON, Dropped: []string{"verdict"}, Reply: &debate.Reply{
		Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "t", Fatal: debate.FatalYes}}}},
	{"answers in other words", debate.CallRespond, `{"answers":[{"challenge":"K1","move":"concede"},{"challenge":"K2","move":"Refute"},{"challenge":"K3","move":"partially"}],"position":{"disposition":"block"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Position: &debate.Restated{Disposition: debate.Reject},
			Answers: []debate.Answer{{Challenge: "K1", Move: debate.Accept}, {Challenge: "K2", Move: debate.Rebuff}, {Challenge: "K3", Move: debate.Partial}}}}},
	{"members under other names", debate.CallOpen, `{"disposition":"revise","findings":[{"issue":"a","description":"b","priority":"high","file":"a.go","line":3,"code":"x := 1","fix":"x := 2"},
		{"title":"c","level":"low","evidence":["b.go:4-5 ` + "`y := 1`" + `"]},{"title":"d","refs":{"filename":"c.go","start":6,"end":7,"snippet":"z"}}],"reasoning":"I read it."}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Disposition: debate.Revise, Reasoning: []string{"I read it."}, Claims: []debate.NewClaim{
			{Title: "a", Body: "b", Severity: debate.P1, Suggestion: "x := 2", Refs: []debate.Ref{ref("a.go", 3, 3, "x := 1")}},
			{Title: "c", Severity: debate.P3, Refs: []debate.Ref{ref("b.go", 4, 5, "y := 1"), ref("b.go", 4, 5, "")}},
			{Title: "d", Refs: []debate.Ref{ref("c.go", 6, 7, "z")}}}}}},
	{"evaluations under other names", debate.CallChallenge, `{"verdict":"partial","assessments":[{"id":"F1","class":"REJECT","reason":"r","location":{"path":"a.go","line":3,"quote":"q"}},{"id":"F2","class":"AGREE"}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Evaluations: []debate.Evaluating{
			{Claim: "F1", Class: debate.ClassReject, Flaw: "r", Refs: []debate.Ref{ref("a.go", 3, 3, "q")}},
			{Claim: "F2", Class: debate.ClassAgree, View: debate.Supports}}}}},
	{"numbers in quotes, and a quote as lines", debate.CallOpen, `{"disposition":"revise","claims":[{"severity":"P1","title":"x","ref":[{"path":"a.go","start_line":"4","end_line":"6","quote":["y","z"]}]}]}`,
		raising(debate.ReadJSON, debate.NewClaim{Severity: debate.P1, Title: "x", Refs: []debate.Ref{ref("a.go", 4, 6, "y\nz")}})},
	{"an answer that names the claim", debate.CallRespond, `{"answers":[{"claim":"F1","move":"reject","text":"r"}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{{Challenge: "F1", Move: debate.Rebuff, Text: "r"}}}}},
	{"answers under other names", debate.CallRespond, `{"answers":{"id":"K1","move":"reject","reason":"r","evidence":"a.go:3"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{
			{Challenge: "K1", Move: debate.Rebuff, Text: "r", Refs: []debate.Ref{ref("a.go", 3, 3, "")}}}}}},
	{"headings of other scales", debate.CallOpen, "## 🔴 Critical issues\n- a.go:3 it leaks\n\n**High:** b.go:4 it panics\n\n**Medium**\n- c.go:5 it stutters\n\n### Low\n- d.go:6 it repeats\n\n## P0\n- e.go:7 it drops all\n\n**Recommendation**: request changes\n",
		Result{Reading: debate.ReadSections, Reply: &debate.Reply{Recommendation: debate.Revise, Disposition: debate.Revise,
			Claims: []debate.NewClaim{
				{Severity: debate.P1, Title: "it leaks", Refs: []debate.Ref{ref("a.go", 3, 3, "")}},
				{Severity: debate.P1, Title: "it panics", Refs: []debate.Ref{ref("b.go", 4, 4, "")}}, {Severity: debate.P2, Title: "it stutters", Refs: []debate.Ref{ref("c.go", 5, 5, "")}},
				{Severity: debate.P3, Title: "it repeats", Refs: []debate.Ref{ref("d.go", 6, 6, "")}}, {Severity: debate.P1, Title: "it drops all", Refs: []debate.Ref{ref("e.go", 7, 7, "")}}}}}},
	{"null is the same as none", debate.CallOpen, `{"disposition":"keep","summary":null,"claims":null,"proposal_review":null,"p1":null}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Disposition: debate.Keep}}},
	{"lines that are no lines", debate.CallOpen, `{"disposition":"keep","claims":[{"title":"t","ref":[{"path":"a","start_line":-1,"end_line":1e9},{"path":"b","start_line":99999999999},{"quote":"x"}]}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"claims[0].ref[0].start_line", "claims[0].ref[0].end_line", "claims[0].ref[1].start_line", "claims[0].ref[2]"},
			Reply: &debate.Reply{Disposition: debate.Keep, Claims: []debate.NewClaim{{Title: "t", Refs: []debate.Ref{ref("a", 0, 0, ""), ref("b", 0, 0, "")}}}}}},
	{"one object twice", debate.CallRebut, `{"right_if":"x"} or, the same: { "right_if": "x" }`, Result{Reading: debate.ReadObject, Reply: &debate.Reply{RightIf: "x"}}},
	{"braces in prose", debate.CallRebut, `In f(x) { return } one sees: {"right_if":"}"} {`, Result{Reading: debate.ReadObject, Reply: &debate.Reply{RightIf: "}"}}},
	{"a line that is named before the object", debate.CallRespond, "I looked at a.go:3 again.\n{\"position\":{\"disposition\":\"revise\"}}",
		Result{Reading: debate.ReadObject, Reply: &debate.Reply{Position: &debate.Restated{Disposition: debate.Revise}}}},
	{"byte order mark", debate.CallRebut, "\ufeff{\"right_if\":\"x\"}\n", Result{Reading: debate.ReadJSON, Reply: &debate.Reply{RightIf: "x"}}},
	{"sections", debate.CallChallenge, "Preamble.\n\n## Summary\nTwo\nlines.\n\n**P1:**\n- bug at a.go:3\n2. other\n### P2\n# Thoughts\nnot counted\n**Recommendation**: **Revise**, after that\nEvidence: a.go:3\n",
		Result{Reading: debate.ReadSections, Reply: &debate.Reply{Summary: "Two\nlines.", Recommendation: debate.Revise, Evidence: []string{"a.go:3"},
			Claims: []debate.NewClaim{{Severity: debate.P1, Title: "bug", Refs: []debate.Ref{ref("a.go", 3, 3, "")}}, {Severity: debate.P1, Title: "other"}}}}},
	{"code in prose", debate.CallOpen, "The map[string]interface{} is fine. My review:\n" + `{"disposition":"keep"}`, opensWith(debate.Keep)},
	{"code in prose and a block", debate.CallOpen, "The map[string]interface{} is fine. My review:\n```json\n" + `{"disposition":"keep"}` + "\n```\nNo `catch {}` is left.", opensWith(debate.Keep)},
	{"an object of the code", debate.CallOpen, `With {"debug": true} it logs. {"disposition":"keep"} See {"a":1,"a":2} and {"b":[1,]}.`, opensWith(debate.Keep)},
	{"broken code with a name of ours before the only block", debate.CallOpen, "It returns {\"evidence\": data}, or {\"disposition\": d}.\n```json\n" + `{"disposition":"reject"}` + "\n```", opensWith(debate.Reject)},
	{"broken code with a name of ours after the only block", debate.CallOpen, "```json\n" + `{"disposition":"reject"}` + "\n```\n`return {\"confidence\": score}` stays.", opensWith(debate.Reject)},
	{"broken code with a common name", debate.CallOpen, "`res.json({\"summary\": text})` is fine. " + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"broken code of another language with a name of ours", debate.CallOpen, "```go\nm := map[string]string{\n\t\"disposition\": d,\n}\n```\n" + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"broken code of another language after the answer", debate.CallOpen, `{"disposition":"reject"}` + "\nIt should return:\n```js\nreturn {\n  \"claims\": list,\n};\n```", opensWith(debate.Reject)},
	{"an object of another language after the answer", debate.CallOpen, `{"disposition":"reject"}` + "\nThe test:\n```python\nassert f() == {\"disposition\": \"keep\"}\n```", opensWith(debate.Reject)},
	{"broken code of several lines with a common name", debate.CallOpen, "It builds m := map[string]string{\n    \"summary\": s,\n}\n\n" + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"two objects", debate.CallOpen, `{"disposition":"keep"} {"disposition":"reject"}`, opensWith(debate.Reject)},
	{"the only block", debate.CallOpen, "```JSON\n" + `{"disposition":"reject"}` + "\n```\nThe file says `" + `{"disposition":"keep"}` + "`:\n```\n" + `{"disposition":"keep"}` + "\n```", opensWith(debate.Reject)},
	{"the only block that is an answer", debate.CallOpen, "```json\n{\"debug\":true}\n```\n~~~ json\n" + `{"disposition":"reject"}` + "\n~~~\nnot " + `{"disposition":"keep"}`, opensWith(debate.Reject)},
	{"two blocks", debate.CallOpen, "```json\n" + `{"disposition":"keep"}` + "\n```\nNo:\n```json\n" + `{"disposition":"reject"}` + "\n```", opensWith(debate.Reject)},
	{"a draft in thoughts", debate.CallOpen, "<think>\n```json\n" + `{"disposition":"keep"}` + "\n```\n</think>\n" + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"a draft in thoughts after the answer", debate.CallOpen, `{"disposition":"reject"}` + "\n<think>Or {\"disposition\":\"keep\"}?</think>", opensWith(debate.Reject)},
	{"a draft whose start was left out", debate.CallOpen, "```json\n" + `{"disposition":"keep"}` + "\n```\nNo.</think>\n" + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"a mark of thoughts that is only mentioned", debate.CallOpen, `{"disposition":"reject","summary":"it cuts </think> off"}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Disposition: debate.Reject, Summary: "it cuts </think> off"}}},
	{"a summary of something else", debate.CallRebut, `{"answers":[{"challenge":"K1","move":"escalate"}]} The page shows {"summary":"ok"}.`,
		Result{Reading: debate.ReadObject, Reply: &debate.Reply{Answers: []debate.Answer{{Challenge: "K1", Move: debate.Escalate}}}}},
	{"a question beside the answer", debate.CallOpen, `{"look":[{"read":"a.go"}]} {"disposition":"reject"}`, opensWith(debate.Reject)},
	{"much code", debate.CallOpen, strings.Repeat("interface{} ", 1000) + `{"disposition":"reject"}`, opensWith(debate.Reject)},
	{"lines and names in other forms", debate.CallOpen, `{"disposition":"revise","claims":[{"issueTitle":"t","risk":"high","filePath":"a.go","lineNumber":"3"},{"title":"u","severity":"P2","file":"b.go:4-5","code_snippet":"y"},
		{"title":"v","severity":"P3","ref":{"path":"c.go","lines":[6,7]}},{"title":"w","severity":"P3","path":"d.go","lines":"L8-L9"},{"description":"In e.go:10 it leaks"}]}`,
		raising(debate.ReadJSON, debate.NewClaim{Title: "t", Severity: debate.P1, Refs: []debate.Ref{ref("a.go", 3, 3, "")}}, debate.NewClaim{Title: "u", Severity: debate.P2, Refs: []debate.Ref{ref("b.go", 4, 5, "y")}},
			debate.NewClaim{Title: "v", Severity: debate.P3, Refs: []debate.Ref{ref("c.go", 6, 7, "")}}, debate.NewClaim{Title: "w", Severity: debate.P3, Refs: []debate.Ref{ref("d.go", 8, 9, "")}},
			debate.NewClaim{Title: "In e.go:10 it leaks", Body: "In e.go:10 it leaks", Refs: []debate.Ref{ref("e.go", 10, 10, "")}})},
	{"places and titles in further forms", debate.CallOpen, `{"disposition":"revise","claims":[{"summary":"t","severity":"P1","file":"a.go","lines":{"start": 3, "end": 5},"line_content":"x"},
		{"title":"u","severity":"P2","location":{"file":"b.go","lines":"6-7"},"quote":"y"}]}`,
		raising(debate.ReadJSON, debate.NewClaim{Title: "t", Severity: debate.P1, Refs: []debate.Ref{ref("a.go", 3, 5, "x")}}, debate.NewClaim{Title: "u", Severity: debate.P2, Refs: []debate.Ref{ref("b.go", 6, 7, "y")}})},
	{"severities in other places", debate.CallOpen, `{"disposition":"revise","claims":[{"title":"t","criticality":"high"},{"title":"u","impact":"critical"},{"title":"v","type":"warning"},{"title":"[P1] w"},{"title":"Critical: x"},{"title":"y","severity":5}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"claims[5].severity"}, Reply: &debate.Reply{Disposition: debate.Revise, Claims: []debate.NewClaim{
			{Title: "t", Severity: debate.P1}, {Title: "u", Severity: debate.P1}, {Title: "v", Severity: debate.P2}, {Title: "[P1] w", Severity: debate.P1}, {Title: "Critical: x", Severity: debate.P1}, {Title: "y", Severity: debate.P1}}}}},
	{"moves in other words", debate.CallRebut, `{"answers":[{"challenge":"K1","move":"withdraw objection"},{"challenge":"K2","move":"Retracted"},{"challenge":"K3","move":"agreed"},{"challenge":"K4","move":"partially concede"},{"challenge":"K5","move":"amend"},{"challenge":"K6","text":"I agree, but line 3 is guarded."}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{{Challenge: "K1", Move: debate.Accept}, {Challenge: "K2", Move: debate.Accept}, {Challenge: "K3", Move: debate.Accept},
			{Challenge: "K4", Move: debate.Partial}, {Challenge: "K5", Move: debate.Partial}, {Challenge: "K6", Text: "I agree, but line 3 is guarded."}}}}},
	{"an objection in words alone", debate.CallChallenge, `{"verdict":"partial","strongest_objection":"a.go:3 it leaks"}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "a.go:3 it leaks", Refs: []debate.Ref{ref("a.go", 3, 3, "")}}}}},
	{"no objection in words", debate.CallChallenge, `{"verdict":"agree","strongest_objection":"None."}`, Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictAgree}}},
	{"an objection under other names", debate.CallChallenge, `{"verdict":"partial","strongest_objection":{"title":"it leaks","severity":"critical","path":"a.go","line":3,"quote":"q"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "it leaks", Fatal: debate.FatalYes, Refs: []debate.Ref{ref("a.go", 3, 3, "q")}}}}},
	{"a blocking objection", debate.CallChallenge, `{"verdict":"partial","strongest_objection":{"objection":"in a.go:3 it leaks","blocking":true}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "in a.go:3 it leaks", Fatal: debate.FatalYes, Refs: []debate.Ref{ref("a.go", 3, 3, "")}}}}},
	{"claims called bugs", debate.CallOpen, `{"disposition":"revise","bugs":[{"title":"t","severity":"P1"}]}`, raising(debate.ReadJSON, debate.NewClaim{Title: "t", Severity: debate.P1})},
	{"a place without words", debate.CallOpen, `{"disposition":"revise","claims":[{"title":"t"},{"severity":"P1","path":"a.go","line":3}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"claims[1]"}, Reply: &debate.Reply{Disposition: debate.Revise, Claims: []debate.NewClaim{{Title: "t"}}}}},
	{"an objection that is not fatal", debate.CallChallenge, `{"verdict":"partial","strongest_objection":{"text":"t","fatal":"not fatal"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "t", Fatal: debate.FatalNo}}}},
	{"a fatal objection in another word", debate.CallChallenge, `{"verdict":"partial","strongest_objection":{"text":"t","fatal":"Critical"}}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Strongest: &debate.Objection{Text: "t", Fatal: debate.FatalYes}}}},
	{"a move in the answer's words", debate.CallRebut, `{"answers":[{"challenge":"K1","response":"I concede: the line shows it"}]}`,
		Result{Reading: debate.ReadJSON, Reply: &debate.Reply{Answers: []debate.Answer{{Challenge: "K1", Move: debate.Accept, Text: "I concede: the line shows it"}}}}},
	{"quoted", debate.CallOpen, `"{\"disposition\":\"reject\"}"`, opensWith(debate.Reject)},
	{"in a list", debate.CallOpen, `[{"disposition":"reject"}]`, opensWith(debate.Reject)},
	{"sections around an object", debate.CallRespond, "## Summary\nI hold: {\"debug\": true} is set.", Result{Reading: debate.ReadSections, Reply: &debate.Reply{Summary: "I hold: {\"debug\": true} is set."}}},
	{"a line with its level", debate.CallOpen, `{"disposition":"revise","claims":["P1 a.go:4 it leaks"]}`,
		raising(debate.ReadJSON, debate.NewClaim{Severity: debate.P1, Title: "it leaks", Refs: []debate.Ref{ref("a.go", 4, 4, "")}})},
	{"findings with words for levels", debate.CallOpen, "Recommendation: revise\n\n## Findings\n1. **[High]** a.go:4 — it leaks\n- a.go:9: it spins (severity: medium)\n\n## Scope\nAll of it.\n",
		Result{Reading: debate.ReadSections, Reply: &debate.Reply{Recommendation: debate.Revise, Disposition: debate.Revise, Claims: []debate.NewClaim{
			{Severity: debate.P1, Title: "it leaks", Refs: []debate.Ref{ref("a.go", 4, 4, "")}},
			{Severity: debate.P2, Title: "it spins", Refs: []debate.Ref{ref("a.go", 9, 9, "")}},
		}}}},
	{"cases that an approval checked", debate.CallOpen, "Disposition: keep\n\n## What I tried\n- an empty cart: a.go:3 returns\n",
		Result{Reading: debate.ReadSections, Reply: &debate.Reply{Recommendation: debate.Keep, Disposition: debate.Keep}}},
	{"a level behind a sign", debate.CallOpen, "Recommendation: revise\n\n🔴 **Critical**: a.go:4 it leaks\n",
		Result{Reading: debate.ReadSections, Reply: &debate.Reply{Recommendation: debate.Revise, Disposition: debate.Revise,
			Claims: []debate.NewClaim{{Severity: debate.P1, Title: "it leaks", Refs: []debate.Ref{ref("a.go", 4, 4, "")}}}}}},
	{"evaluations under another name", debate.CallChallenge, `{"claim_evaluations":[{"claim":"F1","status":"confirmed"},{"claim_id":"F2","decision":"disagree","flaw":"r"}]}`, weighing(debate.ReadJSON)},
	{"an approval with a condition", debate.CallChallenge, `{"verdict":"agree","recommendation":"approve once F1 is fixed"}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"recommendation"}, Reply: &debate.Reply{Verdict: debate.VerdictAgree, Recommendation: debate.Revise}}},
	{"signs for words", debate.CallChallenge, `{"verdict":"❌","new_claims":[{"title":"t","severity":"🔴"}]}`,
		Result{Reading: debate.ReadJSON, Dropped: []string{"verdict", "new_claims[0].severity"}, Reply: &debate.Reply{Verdict: debate.VerdictPartial, Claims: []debate.NewClaim{{Severity: debate.P1, Title: "t"}}}}},
}

// raising is an opening with claims that asks for changes.
func raising(reading debate.Reading, claims ...debate.NewClaim) Result {
	return Result{Reading: reading, Reply: &debate.Reply{Disposition: debate.Revise, Claims: claims}}
}

// weighing is a challenge that agrees with F1 and rejects F2.
func weighing(reading debate.Reading) Result {
	return Result{Reading: reading, Reply: &debate.Reply{Evaluations: []debate.Evaluating{
		{Claim: "F1", Class: debate.ClassAgree, View: debate.Supports}, {Claim: "F2", Class: debate.ClassReject, Flaw: "r"},
	}}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range reads {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(tt.kind, []byte(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// opensWith is an opening that was found in a text.
func opensWith(d debate.Disposition) Result {
	return Result{Reading: debate.ReadObject, Reply: &debate.Reply{Disposition: d}}
}

// failures lists replies that cannot be read, and what their party is told.
var failures = []struct {
	name string
	kind debate.CallKind
	raw  string
	why  string
}{
	{"nothing", debate.CallOpen, " \n", "it is empty"},
	{"too long", debate.CallOpen, strings.Repeat(" ", maxReply+1), "more than 1048576 bytes"},
	{"bytes", debate.CallOpen, "{\"summary\":\"\xff\"}", "not valid UTF-8"},
	{"prose", debate.CallOpen, "I cannot do that.", "there is no JSON object in it"},
	{"cut off", debate.CallOpen, `{"disposition":"keep","claims":[`, "ends too early"},
	{"NaN", debate.CallScore, `{"decisions":[{"id":"D0","scores":[{"option":"a","criterion":"b","score":NaN}]}]}`, "invalid character 'N'"},
	{"trailing comma", debate.CallOpen, "Here:\n{\n  \"disposition\": \"keep\",\n}", "line 3, column 1 of the JSON object: invalid character '}'"},
	{"a comma after the last claim", debate.CallOpen, `{"disposition":"keep","claims":[{"title":"é"},]}`, "line 1, column 47 of the JSON object: invalid character ']'"},
	{"a line break in a string", debate.CallOpen, "{\"disposition\":\"keep\",\"summary\":\"a\nb\",\"claims\":[{\"title\":\"t\"}]}", "line 1, column 35 of the JSON object: invalid character '\\n' in string"},
	{"quotes in a string", debate.CallOpen, `{"disposition":"reject","summary":"it returns "{"disposition":"keep"}"."}`, "line 1, column 48 of the JSON object: invalid character '{'"},
	{"quotes of a book", debate.CallOpen, `{“disposition”:“keep”}`, "line 1, column 2 of the JSON object: invalid character '“'"},
	{"names without quotes", debate.CallOpen, `{disposition: "keep"}`, "line 1, column 2 of the JSON object: invalid character 'd'"},
	{"a comment", debate.CallOpen, "```json\n{\n  // mine\n  \"disposition\": \"keep\"\n}\n```", "line 2, column 3 of the JSON object: invalid character '/'"},
	{"a broken vote is not one of its options", debate.CallJudge1, `{"option":"keep","per_option":[{"option":"reject","score":2}],}`, "line 1, column 63 of the JSON object"},
	{"a broken reply is not its position", debate.CallRespond, `{"answers":[,{"challenge":"K1"}],"position":{"summary":"s"}}`, "line 1, column 13 of the JSON object"},
	{"a vote that is cut off is not one of its options", debate.CallJudge1, `{"option":"keep","reason":"a 5" disk","per_option":[{"option":"reject","score":2}]}`, "line 1, column 33 of the JSON object"},
	{"a broken answer after a draft", debate.CallOpen, `Draft: {"disposition":"keep"} Final: {"disposition":"reject","claims":[{"title":"t",}]}`, "line 1, column 48 of the JSON object"},
	{"broken JSON after a recap", debate.CallOpen, "**Recommendation**: keep\n```json\n{\"disposition\":\"keep\",\"claims\":[{\"title\":\"t\"},]}\n```", "line 1, column 47 of the JSON object"},
	{"only a draft", debate.CallOpen, "<think>\nPerhaps {\"disposition\":\"keep\"}\n</think>\n", "thinks aloud and does not answer"},
	{"a draft without an end", debate.CallOpen, "<think>Perhaps {\"disposition\":\"keep\"}. Or", "thinks aloud and does not answer"},
	{"a draft whose start was left out", debate.CallOpen, "Perhaps {\"disposition\":\"keep\"}.\n</think>\nI cannot say.", "there is no JSON object in it"},
	{"an empty object", debate.CallOpen, "{ }", "none of the members that a reply to OPEN has"},
	{"a question after which nothing comes", debate.CallOpen, `I have to see more. {"look":[{"read":"a.go"}]}`, "asks to look further"},
	{"two members", debate.CallOpen, `{"disposition":"keep","disposition":"reject"}`, "two members of the same name"},
	{"two members inside", debate.CallOpen, `{"disposition":"keep","x":[{"a":1,"\u0061":2}]}`, "two members of the same name"},
	{"deep", debate.CallOpen, `{"x":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `}`, "deeper than 32"},
	{"long string", debate.CallOpen, `{"disposition":"keep","summary":"` + strings.Repeat("x", maxString+1) + `"}`, "more than 65536 bytes"},
	{"long list", debate.CallOpen, `{"disposition":"keep","x":[` + strings.Repeat("0,", maxList) + `0]}`, "more than 4096 entries"},
	{"many values", debate.CallOpen, `{"disposition":"keep","x":[` + strings.Repeat("["+strings.Repeat("0,", 100)+"0],", maxValues/100) + `0]}`, "more than 100000 values"},
	{"many claims", debate.CallOpen, `{"disposition":"keep","claims":[` + strings.Repeat(`{"title":"t"},`, maxClaims) + `{"title":"t"}]}`, "more than 200 claims"},
	{"many headlines", debate.CallOpen, "Recommendation: keep\n## P1\n" + strings.Repeat("- x\n", maxClaims+1), "more than 200 claims"},
	{"long line", debate.CallOpen, "Recommendation: keep\n## P1\n- " + strings.Repeat("x", maxString+1), "more than 65536 bytes"},
	{"long section", debate.CallOpen, "Recommendation: keep\n## Summary\n" + strings.Repeat("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", 2000), "more than 65536 bytes"},
	{"many lines", debate.CallOpen, "Recommendation: keep\n## P3\n" + strings.Repeat("x\n", maxList+1), "more than 4096 lines"},
	{"many braces", debate.CallOpen, strings.Repeat(`{"`, maxReply/2), "looks like JSON and is not"},
	{"nothing known", debate.CallOpen, `{"answer":42}`, "none of the members that a reply to OPEN has (disposition, reasoning, weaknesses, "},
	{"nothing known of an exchange", debate.CallRebut, `{"answer":42}`, "none of the members that a reply to REBUT has (evaluations, repairs, "},
	{"an array", debate.CallOpen, `[1,2]`, "there is no JSON object in it"},
	{"no disposition", debate.CallOpen, `{"summary":"s","recommendation":"continue"}`, "no disposition"},
	{"names without quotes", debate.CallOpen, "{\n  disposition: \"revise\",\n  claims: [{\"title\": \"t\"}]\n}", "line 2, column 3 of the JSON object"},
	{"quotes of a book", debate.CallOpen, "{“disposition”: \"revise\", \"claims\": [{\"path\": \"a\"}]}", "line 1, column 2 of the JSON object"},
	{"broken JSON that quotes a block", debate.CallOpen, "{\"disposition\":\"reject\",\"summary\":\"like\n```json\n{\"disposition\":\"keep\"}\n```\n\"}", "line 1, column 40 of the JSON object"},
	{"a broken line before a block", debate.CallOpen, "{\"disposition\":\"reject\",}\n```json\n{\"disposition\":\"keep\"}\n```", "line 1, column 25 of the JSON object"},
	{"broken JSON in a line before a block", debate.CallOpen, "{\"disposition\":\"reject\",\"claims\":[{\"title\":\"t\",}]}\n```json\n{\"disposition\":\"keep\"}\n```", "line 1, column 48 of the JSON object"},
	{"YAML", debate.CallOpen, "disposition: revise\nclaims:\n  - severity: P1\n    title: t\n", "it is prose"},
	{"an approval with a but", debate.CallOpen, "## P1\n- a.go:3 it leaks\n\nRecommendation: approve with changes\n", "no disposition"},
	{"a disposition in unknown words", debate.CallOpen, `{"disposition":"wait and see","recommendation":"keep","claims":[]}`, "its disposition is none of keep, revise and reject"},
	{"no verdict", debate.CallChallenge, `{"verdict":"abstain","checked":[]}`, "no verdict"},
	{"an objection of the wrong type", debate.CallChallenge, `{"strongest_objection":["x"]}`, "no verdict"},
	{"no option", debate.CallJudge1, `{"reason":"r"}`, "names no option"},
	{"no sheet", debate.CallScore, `{"decisions":[]}`, `no sheet in decisions: {"id", "scores"} for each`},
	{"no scores", debate.CallScore, `{"decisions":[{"id":"d1","scores":[]},{"id":"D2"}]}`, "it has no sheet in decisions"},
	{"scores of nothing", debate.CallScore, `{"decisions":[{"scores":{"keep":{"risk":5}}}]}`, "it has no sheet in decisions"},
	{"scores of something odd", debate.CallScore, `{"decisions":[{"id":"D0\nkeep","scores":[]}]}`, "it has no sheet in decisions"},
	{"no items", debate.CallArbiter, `{"summary":"s","items":{}}`, "no list of items"},
	{"no such call", "DANCE", `{"summary":"s"}`, "nothing is known of a call"},
	{"claims in no known form", debate.CallOpen, `{"disposition":"revise","claims":[{"where":"a.go","gravity":"high"}]}`, "none of its claims can be read"},
	{"findings in no known form", debate.CallOpen, "Verdict: revise\n\nThe loop in a.go:3 ends too late.\n", "write each finding as an object in claims"},
	{"findings in blocks", debate.CallOpen, "### Finding 1\n- **Severity:** High\n- **File:** `a.go`\n- **Lines:** 12-14\n- **Quote:** `x := 1`\n- **Description:** it leaks\n- **Recommendation:** close it\n\n" +
		"### 2. It spins (low)\n**Location:** b.go, line 3\n\n```go\n# no heading\n- no entry\n```\nOnly at night.\n\n## Verdict: ❌ Request changes\n", "it is prose"},
	{"evaluations in prose", debate.CallChallenge, "**F1** — AGREE.\n\n| Claim | Class | Reason |\n|---|---|---|\n| F2 | Disagree | r |\n\n### F3\n- **Status:** still open\n\n**Verdict:** partial\n", "it is prose"},
	{"answers in prose", debate.CallRebut, "K1: concede\n\n### K2 — maintain\nr\n\nFinal option: revise\n", "it is prose"},
	{"sections around broken JSON", debate.CallRespond, "{\"answers\": [\n## Summary\nI hold.", "line 2, column 1 of the JSON object"},
	{"evaluations among the claims", debate.CallChallenge, `{"claims":[{"id":"F1","class":"I agree"},{"id":"F2","class":"do not agree","flaw":"r"}]}`, "none of its claims can be read"},
	{"a claim on each line", debate.CallOpen, "{\"disposition\":\"revise\"}\n{\"title\":\"t\",\"severity\":\"P1\"}\n{\"title\":\"u\",\"severity\":\"P2\"}\n", "it is prose"},
	{"a member on each line", debate.CallOpen, "{\"disposition\":\"revise\"}\n{\"claims\":[{\"title\":\"t\",\"severity\":\"P1\"}]}", "it is prose"},
	{"claims one object deeper", debate.CallOpen, `{"disposition":"revise","review":{"claims":[{"title":"t","severity":"P1"}]}}`, "none of its claims can be read"},
	{"claims under a name of their own", debate.CallOpen, `{"disposition":"revise","vulnerabilities":[{"title":"t","severity":"P1"}],"scores":[{"title":"u"}]}`, "none of its claims can be read"},
	{"claims in an object", debate.CallOpen, `{"disposition":"revise","claims":{"items":[{"title":"t","severity":"P2"}]}}`, "none of its claims can be read"},
	{"wrapped as text after a recap", debate.CallOpen, `{"output":"Recommendation: keep\n{\"disposition\":\"reject\"}"}`, "none of the members that a reply to OPEN has"},
	{"wrapped as text", debate.CallOpen, `{"output":"Here: {\"disposition\":\"reject\"}"}`, "none of the members that a reply to OPEN has"},
	{"evaluations in true and false", debate.CallChallenge, `{"evaluations":[{"finding":"F1: the loop","agree":true},{"id":"f2","agrees":false,"why":"r"}]}`, "none of its evaluations can be read"},
	{"evaluations by their classes", debate.CallChallenge, `{"evaluations":{"agree":["F1"],"reject":[{"id":"F2: the loop","rationale":"r"}]}}`, "none of its evaluations can be read"},
	{"wrapped as text beside others", debate.CallOpen, `{"role":"assistant","content":"{\"disposition\":\"reject\"}"}`, "none of the members"},
	{"wrapped beside others", debate.CallOpen, `{"name":"review","arguments":{"data":{"disposition":"reject"}}}`, "none of the members"},
	{"its form after the answer", debate.CallOpen, `{"disposition":"reject"} I left out {"disposition":"keep", ...} and {"disposition": "keep" | "revise"} and {"disposition":"keep|revise"}.`, "line 1, column 24 of the JSON object"},
	{"a draft that breaks off", debate.CallOpen, `Draft: {"disposition":"keep", hmm. Final: {"disposition":"reject"}`, "line 1, column 24 of the JSON object"},
	{"findings around an object", debate.CallOpen, "### Findings\n- **[P1]** a.go:4 it leaks\n\n{\"disposition\":\"revise\"}", "it is prose"},
	{"a finding before the object of an answer", debate.CallRespond, "P1: a.go:3 it leaks\n{\"position\":{\"disposition\":\"revise\"}}", "it is prose"},
	{"sections without a verdict", debate.CallChallenge, "## Summary\ns", "no verdict"},
}

func TestReadFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(tt.kind, []byte(tt.raw))
			var f *FormatError
			if !errors.As(err, &f) || !strings.Contains(f.Why, tt.why) {
				t.Fatalf("%+v, %v", got, err)
			}
			if strings.ContainsAny(f.Why, "\r\n") || len(f.Why) > 300 {
				t.Errorf("not fit to be sent back: %q", f.Why)
			}
		})
	}
}

func TestBasisPoints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want int
		ok   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"0.0", 0, true}, {"1", 10000, true}, {"1.000", 10000, true}, {"0.05", 500, true}, {"0.04999", 499, true},
		{"5e-2", 500, true}, {"5E-5", 0, true}, {"0.00005", 0, true}, {"0.0001", 1, true}, {"0.29", 2900, true}, {"0.5", 5000, true}, {"10e-1", 10000, true},
		{"0.99999", 9999, true}, {"0.5e0", 5000, true}, {"1e-4", 1, true}, {"0e99", 0, true}, {"1e-999999", 0, true}, {"100e-2", 10000, true},
		{"1.0001", 0, false}, {"2", 0, false}, {"-0.1", 0, false}, {"1e999", 0, false}, {"1e99999999999999999999", 0, false}, {`"0.05"`, 0, false},
		{"true", 0, false}, {"{}", 0, false}, {"[0.5]", 0, false}, {"null", 0, false}, {"", 0, false},
	} {
		if got, ok := basisPoints(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("basisPoints(%q) = %d, %v", tt.text, got, ok)
		}
	}
}

func TestDroppedIsBounded(t *testing.T) {
	t.Parallel()
	got, err := Read(debate.CallOpen, []byte(`{"disposition":"keep","p2":["x"],"p1":[`+strings.Repeat("0,", maxDropped+6)+`0]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Dropped); n != maxDropped {
		t.Errorf("%d dropped", n)
	}
}

// calls lists every kind that is asked.
var calls = []debate.CallKind{
	debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut,
	debate.CallArbiter, debate.CallJudge1, debate.CallJudge2, debate.CallScore,
}

// FuzzRead: any bytes give a value within its bounds or a
// *FormatError that can be sent back.
func FuzzRead(f *testing.F) {
	for _, tt := range reads {
		f.Add(tt.raw)
	}
	for _, tt := range failures {
		if len(tt.raw) < 4096 {
			f.Add(tt.raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, kind := range calls {
			got, err := Read(kind, []byte(raw))
			if err != nil {
				var format *FormatError
				if !errors.As(err, &format) || format.Why == "" || strings.ContainsAny(format.Why, "\r\n") {
					t.Fatalf("%s: %v", kind, err)
				}
				continue
			}
			if got.Reply == nil || got.Reading == "" || len(got.Reply.Claims) > maxClaims || len(got.Dropped) > maxDropped {
				t.Fatalf("%s: %+v", kind, got)
			}
			if d := got.Reply.Delta; d != nil && (d.ValueBP < 0 || d.ValueBP > 10_000) {
				t.Fatalf("%s: %+v", kind, d)
			}
			again, err := Read(kind, []byte(raw))
			if err != nil || cmp.Diff(got, again) != "" {
				t.Fatalf("%s: read twice, read differently: %v", kind, err)
			}
		}
	})
}

// hostile lists replies of the greatest size that are made to be expensive.
func hostile() map[string]string {
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (maxReply-len(head)-len(tail))/len(part)) + tail
	}
	var members strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&members, `"m%d":{"a":[%s0]},`, i, strings.Repeat("0,", 110))
	}
	long := `"` + strings.Repeat("x", maxString-2) + `",`
	return map[string]string{
		"braces":        fill("", "{", ""),
		"openings":      fill("", `{"`, ""),
		"nested":        fill("", `{"a":`, ""),
		"lists":         fill(`{"a":`, "[", ""),
		"empty objects": fill("", "{}", ""),
		"unclosed":      fill("", `{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":[0,0,0,0,0,0,0,0,0,0,0,`, ""),
		"read again":    fill(strings.Repeat(`{"a":`, maxDepth-2)+"[", long, ""),
		"refs":          fill(`{"disposition":"keep","claims":[{"title":"t","ref":[`, `{"path":"a"},`, `{}]}]}`),
		"long refs":     fill(`{"disposition":"keep","claims":[{"title":"t","ref":[`, `{"path":"`+strings.Repeat("a", 250)+`"},`, `{}]}]}`),
		"members":       `{"disposition":"keep",` + members.String() + `"z":0}`,
		"sections":      fill("", "P1: x\n", ""),
		"escapes":       fill(`{"disposition":"keep","reasoning":[`, `"`+strings.Repeat(`\u0000`, 50)+`",`, `""]}`),
	}
}

// TestHostileRepliesAreCheap: no reply costs memory
// without bound. It does not run beside other tests, whose memory would count.
func TestHostileRepliesAreCheap(t *testing.T) {
	var before, after runtime.MemStats
	for name, raw := range hostile() {
		runtime.ReadMemStats(&before)
		_, err := Read(debate.CallOpen, []byte(raw))
		runtime.ReadMemStats(&after)
		if readable := name == "long refs" || name == "escapes"; readable != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 50<<20 {
			t.Errorf("%s: %d bytes", name, bytes)
		}
	}
}
