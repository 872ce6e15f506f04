package critic

import (
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/segment"
)

// criterion is one of the six things to review in a proposal. Its words begin a statement about it,
// in a heading or in a sentence. A criterion is missing only if none of its words occurs anywhere.
type criterion struct {
	question string // the missing statement, as a question
	words    lazyregexp.Regexp
}

var criteria = []criterion{
	{"which problem it solves", lazyregexp.New(`(?i)\b(?:problems?|motivat\w+|background|context|why|goals?|purpose|pain|issues?|needs?|needed|today|currently|because|in order to|so that|summary|introduction|overview)\b`)},
	{"what it assumes", lazyregexp.New(`(?i)\b(?:assum\w+|presum\w+|suppos\w+|preconditions?|prerequisites?|constraints?|requires?|rel(?:y|ies) on|depends? on|expect\w*|given that|provided that|as long as|scope)\b`)},
	{"what it costs or makes worse", lazyregexp.New(`(?i)\b(?:trade[- ]?offs?|drawbacks?|downsides?|costs?|consequences?|pros|cons|disadvantages?|limitations?|limits|at the expense|in exchange|price|overhead|slower|weaknesses)\b`)},
	{"which alternatives there are", lazyregexp.New(`(?i)\b(?:alternatives?|alternatively|options?|instead of|rather than|considered|rejected|other approach(?:es)?|prior art|compared (?:to|with)|versus|vs)\b`)},
	{"how its risks are kept small", lazyregexp.New(`(?i)\b(?:risks?|risky|mitigat\w+|roll(?:s|ed)?[- ]?(?:back|out)|rollbacks?|rollouts?|fail\w*|monitor\w*|alert\w*|security|threats?|compatib\w+|feature flags?|flags?|canary|revert\w*|migrat\w+|safe\w*|guards?|tests?|tested|testing|backups?)\b`)},
	{"why it was decided so, and how success is measured", lazyregexp.New(`(?i)\b(?:decisions?|decid\w+|rationale|we (?:choose|chose|recommend|prefer)|success|metrics?|measur\w+|acceptance|criteria|evidence|benchmarks?|justif\w+|reversib\w+|conclusions?|outcomes?|open questions?)\b`)},
}

// emptyText matches the usual placeholders for text to come.
var emptyText = lazyregexp.New(`(?i)^\W*(?:t\.?b\.?d\.?|to ?do|n/?a|none|fill (?:me )?in|to be (?:done|written|decided|determined))?\W*$`)

// maxMissing bounds the list of missing criteria.
const maxMissing = 60

// missingCriteria names, for each document with a new proposal, the criteria it says nothing about,
// sorted by document. Sections of one document count together.
func missingCriteria(proposals []segment.Proposal) []string {
	said := make(map[string][]string)
	for _, p := range proposals {
		said[p.Path] = append(said[p.Path], p.Heading, saidIn(p.Text))
	}
	var missing []string
	for _, path := range slices.Sorted(maps.Keys(said)) {
		text := strings.Join(said[path], "\n")
		for _, c := range criteria {
			if !c.words().MatchString(text) {
				missing = append(missing, path+": "+c.question)
			}
		}
	}
	return missing[:min(len(missing), maxMissing)]
}

// saidIn returns the prose of a Markdown text, without code, without HTML (templates use it for
// instructions), and without headings of empty sections.
func saidIn(markdown string) string {
	doc, source := segment.ParseMarkdown(markdown[:min(len(markdown), maxMarkdown)])
	type open struct {
		level int
		title string
	}
	var said []string
	var waiting []open // headings without text so far, outermost first
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		words := segment.Prose(block, source)
		if h, ok := block.(*ast.Heading); ok {
			for len(waiting) > 0 && waiting[len(waiting)-1].level >= h.Level {
				waiting = waiting[:len(waiting)-1]
			}
			waiting = append(waiting, open{h.Level, words})
			continue
		}
		if emptyText().MatchString(words) {
			continue
		}
		for _, h := range waiting {
			said = append(said, h.title)
		}
		waiting = nil
		said = append(said, words)
	}
	return strings.Join(said, "\n")
}
