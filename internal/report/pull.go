package report

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Pull is the pull request on which an envelope is shown: what the record does
// not know of it.
type Pull struct {
	RepositoryURL string // such as https://host/owner/name: nothing links to another host
	Number        int
	Title         string
	Head          string // full commit id of the head that was reviewed

	Inline map[string]bool   // F ids that have an inline comment; the others are shown in full
	Blocks map[string]bool   // F ids to whose inline comment the caller adds a suggestion block
	Links  map[string]string // F id or D id to the address of its thread or issue

	RecordURL  string // where the record can be had, "" if nowhere
	RecordHash string // the last hash of the record (S24)

	Gone       []GoneFinding
	Unreviewed []string // parts that were not reviewed in full, see Unreviewed
	Notes      []string // what the reader must know first: what is not permitted, what is broken

	// What all runs on this pull request cost together (S10).
	Spent        USD
	SpentUnknown bool // calls of unknown price are not in it

	NoOverview bool // the settings leave out what the change does

	Room int    // bytes that the summary may take; 0 is MaxMarkdown
	By   string // who posts it from the command line, "" where nobody does

	// What a question to people shows beside.
	Author        string
	Makers        []string // others who made commits of it
	AuthorDecides bool
	Deciders      debate.Permission // the least access of those who decide
	Hits          map[string][]Hit  // by D id: one for each of its triggers, then further places of theirs
	News          map[string]News   // by D id
}

// Hit is a line of the change that a question is about.
type Hit struct {
	Path string // "": it is about no line
	Side debate.Side
	Line int
	Says string   // what policy or a party says of it
	Text string   // the line
	By   []string // the models that say it, none for policy
}

// News is what is new since somebody answered a question that a push had asked again.
type News struct {
	By     string
	Option string
	Head   string   // that the answer was about
	Hits   []string // places that the question was not about then; none: their lines changed
	Beside []string // or else findings that are new beside what was answered, on the same lines
}

// GoneFinding is a finding of an earlier head that no longer stands.
type GoneFinding struct {
	ID    string // F id
	Title string
	Why   string
}

// Unreviewed lists the parts of a change that not all models reviewed and that policy
// does not excuse (S05, A24, M24), in the order of the change.
func Unreviewed(s debate.State) []string {
	var out []string
	names := speakersOf(&s)
	for _, c := range s.Split.Coverage {
		if missing(c) {
			out = append(out, Place(Finding{Path: c.Path, Line: c.StartLine, EndLine: c.EndLine, Side: c.Side})+": "+leftOut(c, names))
		}
	}
	return out
}

// finding looks a finding up by its id or that of one that was merged into it.
func (p Pull) finding(e Envelope, id string) (Finding, bool) {
	at := slices.IndexFunc(slices.Collect(e.Findings()), func(f *Finding) bool { return slices.Contains(f.Claims(), id) })
	if at < 0 {
		return Finding{}, false
	}
	return *slices.Collect(e.Findings())[at], true
}

// link makes a link of text from outside or of our own if the address is on the
// host of the repository; else it is the text alone.
func (p Pull) link(text, address string) string {
	return comment.Link(OneLine(text), address, p.hosts())
}

// hosts are those to which links lead.
func (p Pull) hosts() []string {
	home, err := url.Parse(p.RepositoryURL)
	if err != nil || home.Host == "" {
		return nil
	}
	return []string{home.Host}
}

// lines is the address of lines of the reviewed head, "" where there are none.
func (p Pull) lines(path string, line, end int) string {
	parts := strings.Split(path, "/")
	leaves := func(part string) bool { return slices.Contains([]string{"", ".", ".."}, part) } // a browser would leave the directory
	if p.Head == "" || path == debate.BodyPath || slices.ContainsFunc(parts, leaves) {
		return ""
	}
	at := p.RepositoryURL + "/blob/" + url.PathEscape(p.Head) + "/" + strings.Join(lists.Map(parts, url.PathEscape), "/")
	if line > 0 {
		at += fmt.Sprintf("#L%d", line)
		if end > line {
			at += fmt.Sprintf("-L%d", end)
		}
	}
	return at
}

// place is where a finding stands, linked to its thread, else to its lines.
func (p Pull) place(f Finding) string { return p.placeAs(f, Place(f)) }

// placeAs is place in other words.
func (p Pull) placeAs(f Finding, text string) string {
	address := p.Links[f.ID]
	if address == "" && f.Side != debate.Left {
		address = p.lines(f.Path, f.Line, f.EndLine)
	}
	if address == "" {
		return comment.Code(text)
	}
	return p.link(text, address)
}
