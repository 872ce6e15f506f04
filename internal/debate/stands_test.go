package debate

import "testing"

// TestWhatIsNotThereChoosesNothing attacks a claim that cites nothing that is
// there, with what the author wrote and with a failed check. Whatever else that
// is not there the claim cites first, the attack weighs the same.
func TestWhatIsNotThereChoosesNothing(t *testing.T) {
	t.Parallel()
	missing := func(path string, line int) Ref {
		return Ref{Citation: Citation{Path: path, Side: Right, StartLine: line, EndLine: line, Quote: "never written"}}
	}
	failed := Run{Ref: "check:1", Name: "tests", Failed: true, Path: "a.go", StartLine: 2, EndLine: 2, Changed: true, Hash: "x"}
	for name, attack := range map[string][]Ref{"author": citingAuthor(), "check": {{RunRef: failed.Ref}}} {
		outcome := func(refs ...Ref) (ChallengeKind, Bucket) {
			x := newScene("gpt")
			x.titles, x.runs = 1, []Run{failed}
			claim := defect(P2, "it leaks", 3)
			claim.Refs = refs
			x.say("OPEN/0/claude", proposing(claim))
			x.say("CHALLENGE/1/gpt", dissenting(rejecting("F1", attack...)))
			x.say("RESPOND/2/claude", answering())
			s := x.run(t).end()
			return s.Book.Challenges[0].Kind, s.Book.claim("F1").Bucket
		}
		for _, cited := range []Ref{missing(BodyPath, 1), missing("a.go", 2)} {
			kind, bucket := outcome(cited)
			for _, front := range []Ref{missing("a.go", 7), missing("b.go", 1), missing(BodyPath, 1), missing("a.go", 2)} {
				if k, b := outcome(front, cited); k != kind || b != bucket {
					t.Errorf("%s: citing %s before %s turns a %s against a claim that is %s into a %s against one that is %s",
						name, front.Citation, cited.Citation, kind, bucket, k, b)
				}
			}
		}
	}
}
