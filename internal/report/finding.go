package report

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Finding is one claim for people. Merged claims are part of another finding. Its fields are the
// members of its JSON, a contract.
type Finding struct {
	ID           string              `json:"id"`
	Severity     debate.Severity     `json:"severity"`
	Route        string              `json:"route"` // code or proposal
	Category     string              `json:"category"`
	Rule         string              `json:"rule"`
	Title        string              `json:"title"`
	Body         string              `json:"body"`
	Path         string              `json:"path"`
	Line         int                 `json:"line"`
	EndLine      int                 `json:"end_line"`
	Side         debate.Side         `json:"side"`
	EvidenceType debate.EvidenceType `json:"evidence_type"`
	Evidence     []string            `json:"evidence"`
	Quote        string              `json:"quote"`
	Misquoted    bool                `json:"-"` // the quote is not at its place
	ReportedBy   []string            `json:"reported_by"`
	ConfirmedBy  []string            `json:"confirmed_by"`
	NotWeighedBy []string            `json:"not_weighed_by"` // parties that debated to the end and said nothing about it
	Bucket       debate.Bucket       `json:"bucket"`
	BucketReason string              `json:"bucket_reason,omitempty"`
	Suggestion   string              `json:"suggestion"`
	Why          string              `json:"why"`                   // the bucket reason in words
	Crux         string              `json:"crux"`                  // unresolved: how to settle it
	Limit        string              `json:"limit"`                 // conceded by its owner
	Asserted     debate.Severity     `json:"asserted"`              // the severity as its owner stated it (A06)
	AcceptedBy   string              `json:"accepted_by,omitempty"` // the person who decided to merge despite it
	Carried      string              `json:"carried"`               // F id of the finding of an earlier head
	Duplicates   []string            `json:"duplicates"`            // ids of the claims merged into it (A07)
	Wordings     []string            `json:"wordings"`              // their titles, if different from the title
	Challenges   []Challenge         `json:"challenges"`
	Conversation []Line              `json:"conversation"` // statements about it, in order

	Proof *Proof `json:"proof,omitempty"` // the test for it

	Basis  debate.WhyCode `json:"-"` // the code of Why
	Asked  bool           `json:"-"` // it is a point of a question, and of no change
	Places []Cited        `json:"-"` // of the evidence, each once
	Around []CodeLine     `json:"-"` // the lines of the change around it, see WithCode
}

// Claims has the ids of the claims in a finding, its own first.
func (f Finding) Claims() []string { return append([]string{f.ID}, f.Duplicates...) }

// Also are the further places of the evidence of a finding.
func (f Finding) Also() []Cited { return f.Places[min(1, len(f.Places)):] }

// Challenge is one attack on a claim or on the position, and its result.
type Challenge struct {
	ID           string                 `json:"id"`
	By           string                 `json:"by"`
	Defender     string                 `json:"defender"`
	Kind         debate.ChallengeKind   `json:"kind"`
	Strength     debate.Strength        `json:"strength"`
	Objection    string                 `json:"objection"`
	Choice       string                 `json:"choice,omitempty"` // the option that it would choose instead
	Evidence     []string               `json:"evidence"`
	Status       debate.ChallengeStatus `json:"status"`
	Defence      string                 `json:"defence"`
	Deadlock     debate.DeadlockClass   `json:"deadlock"`
	Missing      []Missing              `json:"missing"` // the measurements that would settle it
	ResolvedWith string                 `json:"resolved_with"`
	Proof        *Proof                 `json:"proof,omitempty"` // the cited test
	Shown        []string               `json:"-"`               // the places of the evidence found by the check
}

// Missing is a measurement that one side of an objection needs.
type Missing struct {
	Party       string `json:"party"`
	Measurement string `json:"measurement"` // what to find out
	Threshold   string `json:"threshold"`   // the value that matters
	Effect      string `json:"effect"`      // beyond the threshold
}

// claims sorts every claim into exactly one list, or into the claim merged with it. A late or
// undebated finding is neither unresolved nor dismissed (R128, A10).
func (e *Envelope) claims(s debate.State, n names) {
	into := survivors(s.Book.Claims)
	merged := make(map[string][]debate.Claim)
	for _, c := range s.Book.Claims {
		if to := into[c.ID]; to != c.ID {
			merged[to] = append(merged[to], c)
			e.Duplicates++
		}
	}
	challenges := make(map[string][]Challenge)
	for _, k := range s.Book.Challenges {
		if k.Claim == debate.PositionSubject {
			e.Objections = append(e.Objections, challenge(k, n))
			continue
		}
		challenges[into[k.Claim]] = append(challenges[into[k.Claim]], challenge(k, n))
	}
	said := conversations(&s, into, n)
	for _, d := range s.Agenda.Decisions {
		if lines := said[d.ID]; len(lines) > 0 {
			e.Discussions = append(e.Discussions, Discussion{d.ID, lines})
		}
	}
	for _, c := range s.Book.Claims {
		if into[c.ID] != c.ID {
			continue
		}
		cite := c.Cite()
		found := func(e debate.Evidence) bool { return e.CitationOK && e.Cite == cite }
		f := Finding{
			ID: c.ID, Severity: c.Severity, Route: "code", Category: string(c.Category), Rule: c.Rule,
			Title: c.Title, Body: c.Body, Path: cite.Path, Line: cite.StartLine, EndLine: cite.EndLine, Side: cite.Side,
			EvidenceType: c.EvidenceType, Evidence: cited(c.Evidence), Quote: cite.Quote, Misquoted: len(c.Evidence) > 0 && !slices.ContainsFunc(c.Evidence, found),
			ReportedBy: n.all(slices.Sorted(slices.Values(c.ReportedBy))), ConfirmedBy: n.all(slices.Sorted(slices.Values(c.ConfirmedBy))), NotWeighedBy: n.all(s.NotWeighedBy(c)),
			Bucket: c.Bucket, BucketReason: string(c.Reason), Why: settled(c, n), Basis: c.Why.Code, AcceptedBy: s.AcceptedBy(&c), Suggestion: c.Suggestion,
			Crux: c.Crux, Limit: c.Limit, Asserted: c.Asserted, Carried: c.Carried, Proof: proofIn(c.Evidence),
			Challenges: challenges[c.ID], Conversation: said[c.ID], Asked: s.Received.Inquiry != nil,
		}
		if lists.Find(s.Split.Segments, func(seg debate.Segment) bool { return seg.ID == c.Segment }).Kind == debate.ProposalSegment {
			f.Route = "proposal"
		}
		for _, item := range c.Evidence {
			place := Cited{Path: item.Cite.Path, Line: item.Cite.StartLine, EndLine: item.Cite.EndLine, Side: item.Cite.Side}
			if place.Path == "" {
				place = Cited{Path: item.RunRef, Check: QuoteOfRun}
			}
			if place.Path != "" && !slices.Contains(f.Places, place) {
				f.Places = append(f.Places, place)
			}
		}
		f.merged(merged[c.ID])
		f.untitle()
		list := &e.Unresolved
		switch {
		case c.Reason == debate.ReasonKnown:
			list = &e.Known
		case f.Bucket == debate.Dismissed:
			list = &e.Dismissed
		case f.Bucket == debate.Agreed:
			list = cmp.Or(map[debate.Severity]*[]Finding{debate.P1: &e.P1, debate.P2: &e.P2}[f.Severity], &e.P3)
			e.Evidence = append(e.Evidence, f.Evidence...)
		case NotEvaluated(f):
			list = &e.NotEvaluated
		case f.BucketReason == string(debate.ReasonUnproved): // one model holds it without proof
			list = &e.Unproved
		}
		*list = append(*list, f)
	}
	for _, list := range e.Lists() {
		slices.SortFunc(*list, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), byNumber(a.ID, b.ID))
		})
	}
	slices.Sort(e.Evidence)
	e.Evidence = slices.Compact(e.Evidence)
}

// Lists has the lists of findings.
func (e *Envelope) Lists() []*[]Finding {
	return []*[]Finding{&e.P1, &e.P2, &e.P3, &e.Unresolved, &e.Dismissed, &e.NotEvaluated, &e.Unproved, &e.Known}
}

// Findings goes over all findings of those lists. A change of one changes its list.
func (e *Envelope) Findings() iter.Seq[*Finding] {
	return func(yield func(*Finding) bool) {
		for _, list := range e.Lists() {
			for i := range *list {
				if !yield(&(*list)[i]) {
					return
				}
			}
		}
	}
}

// FindingIDs are the ids of the findings that have one, in the order of the report.
func (e *Envelope) FindingIDs() []string {
	return Present(lists.Map(slices.Collect(e.Findings()), func(f *Finding) string { return f.ID })...)
}

// NotEvaluated reports whether a finding was debated too late or not at all.
func NotEvaluated(f Finding) bool {
	return slices.Contains([]debate.Reason{debate.ReasonLate, debate.ReasonNotDebated}, debate.Reason(f.BucketReason))
}

// survivors has the surviving claim for each claim. A claim with a broken chain of merges
// survives itself: it must not be lost.
func survivors(claims []debate.Claim) map[string]string {
	next := make(map[string]string, len(claims))
	for _, c := range claims {
		next[c.ID] = c.SameAs
	}
	into := make(map[string]string, len(claims))
	for _, c := range claims {
		at := c.ID
		for steps := 0; next[at] != "" && steps < len(claims); steps++ {
			at = next[at]
		}
		if to, known := next[at]; !known || to != "" {
			at = c.ID
		}
		into[c.ID] = at
	}
	return into
}

// WhySettled is why a claim is in its bucket, with names for people.
func WhySettled(s debate.State, c debate.Claim) string { return settled(c, namesOf(&s)) }

func settled(c debate.Claim, n names) string {
	n.finder = speaker(n.of(c.Owner))
	return n.sentence(c.Why)
}

// merged adds the ids of merged claims and their titles in other words, so the finding of each
// party stays visible. A model text explaining the finding of a built-in rule is added once.
func (f *Finding) merged(claims []debate.Claim) {
	said := []string{strings.ToLower(f.Title)}
	explained := f.Rule == ""
	for _, c := range claims {
		f.Duplicates = append(f.Duplicates, c.ID)
		title := strings.ToLower(c.Title)
		switch {
		case !explained && c.Body != "":
			explained = true
			f.Body += "\n\n" + c.Owner + ": " + c.Title + ended(c.Title) + " " + c.Body
		case !slices.Contains(said, title):
			f.Wordings = append(f.Wordings, c.Title)
		}
		said = append(said, title)
	}
}

// untitle drops the first line of a body if it repeats the title: a model writing plain lines
// makes both of one line. A level and a place may be before the title, and no words.
func (f *Finding) untitle() {
	first, rest, more := strings.Cut(f.Body, "\n")
	before, repeats := strings.CutSuffix(strings.TrimSpace(first), f.Title)
	isWord := func(word string) bool {
		return strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz,") == ""
	}
	if more && f.Title != "" && repeats && !slices.ContainsFunc(strings.Fields(before), isWord) {
		f.Body = strings.TrimSpace(rest)
	}
}

// cited has the places of evidence, each once: lines, or the failed run.
func cited(evidence []debate.Evidence) []string {
	return lists.Once(Present(lists.Map(evidence, func(item debate.Evidence) string {
		if item.Cite.Path == "" {
			return item.RunRef
		}
		return item.Cite.String()
	})...))
}

// meanings has words for objections to the recommendation without words.
var meanings = map[debate.Means]string{
	debate.Disagreement: "it disagrees", debate.StrongObjection: "it objects strongly",
	debate.WantsKeep: "it recommends keep", debate.WantsRevise: "it recommends revise", debate.WantsReject: "it recommends reject",
}

func challenge(k debate.Challenge, n names) Challenge {
	return Challenge{
		ID: k.ID, By: cmp.Or(n.people[k.ID], n.of(k.Attacker)), Defender: n.of(cmp.Or(k.Spoke, k.Defender)), Kind: k.Kind, Strength: k.Strength, Objection: cmp.Or(k.Objection, meanings[k.Means]), Choice: k.Choice,
		Missing: lists.Map(k.Missing(), func(v debate.DeadlockSide) Missing {
			return Missing{n.of(v.Party), v.Measurement, v.Threshold, v.Effect}
		}),
		Evidence: cited(k.Evidence), Status: k.Status, Defence: k.Defence, Deadlock: k.Deadlock, ResolvedWith: n.sentence(k.ResolvedWith),
		Proof: proofIn(k.Evidence),
		Shown: cited(lists.Keep(k.Evidence, func(e debate.Evidence) bool { return e.CitationOK })),
	}
}

// byNumber orders ids: F2 before F10.
func byNumber(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Agreed are the agreed findings of both routes, most severe first.
func Agreed(e Envelope) []Finding {
	return slices.Concat(e.P1, e.P2, e.P3)
}

// Current are the confirmed findings, then the disputed and unconfirmed ones.
func Current(e Envelope) []Finding { return append(Agreed(e), e.Unresolved...) }

// Last is the last line of a finding.
func Last(f Finding) int { return max(f.Line, f.EndLine) }

// Contradicted reports whether an objection to a finding was not refuted.
func Contradicted(f Finding) bool {
	return slices.ContainsFunc(f.Challenges, Challenge.isOpen)
}

// isOpen reports whether a challenge is an objection and was not refuted. A request to explain a
// contradiction is none.
func (k Challenge) isOpen() bool { return k.Kind != debate.Reconciling && k.Status != debate.Resolved }

// CodeLine is a line of the change, as models saw it.
type CodeLine struct {
	Mark   string // "+" or "-", "" if it did not change
	Number int    // at the head, of a removed line at the base
	Text   string
	Hit    bool // a finding is about it
}

// QuotedLines are the lines of a quotation, bounded, with their numbers from first on; 0: they have
// none.
func QuotedLines(text string, most, width, first int) []CodeLine {
	var out []CodeLine
	for i, line := range strings.Split(BoundedTo(text, most, width), "\n") {
		out = append(out, CodeLine{Text: line})
		if first > 0 && i < most { // else it counts the others
			out[i].Number = first + i
		}
	}
	return lists.Keep(out, func(CodeLine) bool { return strings.Trim(text, "\n") != "" })
}

// nearby is how many lines are shown before and after those of a finding.
const nearby = 3

// Proof is a test for a finding or against it.
type Proof struct {
	Shows   debate.Proof `json:"shows"`   // regression, new, older, or contrary
	Path    string       `json:"path"`    // of the test; neither side has this file
	Content string       `json:"content"` // the test, a whole file
	Command []string     `json:"command"` // of its run, one word each
	Output  string       `json:"output"`  // on the head, its last lines
	Sandbox string       `json:"sandbox"` // bubblewrap, container, workflow, or none
}

// proofIn is the strongest test among some evidence, nil if there is none.
func proofIn(list []debate.Evidence) *Proof {
	order := []debate.Proof{debate.ProvesRegression, debate.ProvesNew, debate.ProvesContrary, debate.ProvesOlder}
	var best *Proof
	for _, e := range list {
		if e.Test == nil || !e.CitationOK {
			continue
		}
		shows, _ := e.Test.Proves()
		if best == nil || slices.Index(order, shows) < slices.Index(order, best.Shows) {
			best = &Proof{Shows: shows, Path: e.Test.Path, Content: e.Test.Content, Command: slices.Concat([]string{}, e.Test.Command), Sandbox: e.Test.Sandbox}
			for _, run := range lists.First(e.Test.Runs, 1) {
				best.Output = run.Output
			}
		}
	}
	return best
}

// Proofs has the tests of a finding and of the objections to it.
func Proofs(f Finding) []Proof {
	var list []Proof
	if f.Proof != nil {
		list = append(list, *f.Proof)
	}
	for _, k := range f.Challenges {
		if k.Proof != nil && k.Proof.Shows == debate.ProvesContrary {
			list = append(list, *k.Proof)
		}
	}
	return list
}

// Says is the result of a test in a sentence.
func (p Proof) Says() string {
	text := map[debate.Proof]string{
		debate.ProvesRegression: "Proven: this test fails on the pull request and passes before it",
		debate.ProvesNew:        "Proven: this test fails on the pull request, and tests code that is new",
		debate.ProvesOlder:      "This test fails on the pull request and before it, so the defect is older",
		debate.ProvesContrary:   "Against it: this test passes on the pull request",
	}[p.Shows]
	switch p.Sandbox {
	case debate.NoSandbox:
		text += " (run without a sandbox)"
	case debate.ByWorkflow:
		text += " (run by the workflow)"
	}
	return text + "."
}

// Ran is the command of a test, as one line.
func (p Proof) Ran() string { return OneLine(strings.Join(p.Command, " ")) }

// proofMarkdown is a test with its command and output, folded.
func proofMarkdown(p Proof) string {
	text := comment.Code(OneLine(p.Path)) + "\n\n" + comment.Fence("", Bounded(p.Content)) + "\n" + comment.Code(p.Ran())
	if p.Output != "" {
		text += "\n\n" + comment.Fence("", Bounded(p.Output))
	}
	return comment.MarkdownLine(p.Says()) + "\n\n" + fold("The test", text)
}

// WithCode adds to each finding its lines of the change with some lines before and after them. Lines
// has the lines of the change by segment.
func WithCode(e Envelope, s debate.State, lines map[string][]CodeLine) Envelope {
	for _, findings := range e.Lists() {
		*findings = slices.Clone(*findings)
	}
	for f := range e.Findings() {
		on := func(l CodeLine) bool { // an unchanged line has its number at the head
			isThere := (l.Mark == "-") == (f.Side == debate.Left)
			return isThere && f.Line <= l.Number && l.Number <= Last(*f)
		}
		for _, seg := range s.Split.Segments {
			of := lines[seg.ID]
			first := slices.IndexFunc(of, on)
			if seg.Path != f.Path || f.Around != nil || f.Quote == withheld || f.Line == 0 || first < 0 {
				continue
			}
			last := first
			for i, l := range of {
				if on(l) {
					last = i
				}
			}
			f.Around = slices.Clone(of[max(0, first-nearby):min(len(of), last+1+nearby)])
			for i := range f.Around {
				f.Around[i].Hit = on(f.Around[i])
			}
		}
	}
	return e
}
