package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Pull is the pull request of an envelope: what the record does not know about it.
type Pull struct {
	RepositoryURL string // such as https://host/owner/name: nothing links to another host
	Number        int
	Title         string
	Head          string // full commit id of the reviewed head

	Inline map[string]bool   // F ids with an inline comment; the others are shown in full
	Blocks map[string]bool   // F ids with a suggestion block in the inline comment, added by the caller
	Links  map[string]string // F id or D id to the address of its thread or issue

	RecordURL  string // the address of the record, "" if there is none
	RecordHash string // the last hash of the record

	Gone  []GoneFinding
	Notes []string // for the top of the page: missing permissions, broken settings

	// The cost of all runs on this pull request.
	Spent        USD
	SpentUnknown bool // calls of unknown price are not in it

	NoOverview bool // the settings leave out the overview

	Room int    // for the summary, in bytes; 0 is MaxMarkdown
	By   string // the poster from the command line, "" if there is none

	// For a question to people.
	Author        string
	Makers        []string // other authors of its commits
	AuthorDecides bool
	Deciders      debate.Permission // the least access for a decision
	Hits          map[string][]Hit  // by D id: one for each of its triggers, then further places of theirs
	News          map[string]News   // by D id
}

// Hit is a line of the change in a question.
type Hit struct {
	Path string // "": it is about no line
	Side debate.Side
	Line int
	Says string   // the words of policy or of a party
	Text string   // the line
	By   []string // the asserting models, none for policy
}

// News has the news since the answer to a question asked again.
type News struct {
	By     string
	Option string
	Head   string   // of the answer
	Found  []string // new findings outside the answer, on the same lines
}

// GoneFinding is a finding of an earlier head, gone since.
type GoneFinding struct {
	ID    string // F id
	Title string
	Why   string
}

// finding finds a finding by its id or by one merged into it.
func (p Pull) finding(e Envelope, id string) (found Finding, is bool) {
	for f := range e.Findings() {
		if slices.Contains(f.Claims(), id) {
			return *f, true
		}
	}
	return found, false
}

// link makes a link of text from outside or of our own if the address is on the
// host of the repository; else it is the text alone.
func (p Pull) link(text, address string) string {
	return comment.Link("", OneLine(text), address, p.hosts())
}

// hosts are the allowed hosts of links.
func (p Pull) hosts() []string {
	home, err := url.Parse(p.RepositoryURL)
	if err != nil || home.Host == "" {
		return nil
	}
	return []string{home.Host}
}

// place is the place of a finding, linked to its thread, else to its lines at the reviewed head.
func (p Pull) place(f Finding) string {
	text, address := Place(f), p.Links[f.ID]
	parts := strings.Split(f.Path, "/")
	leaves := func(part string) bool { return slices.Contains([]string{"", ".", ".."}, part) } // a browser would leave the directory
	if address == "" && f.Side != debate.Left && p.Head != "" && f.Path != debate.BodyPath && !slices.ContainsFunc(parts, leaves) {
		address = p.RepositoryURL + "/blob/" + url.PathEscape(p.Head) + "/" + strings.Join(lists.Map(parts, url.PathEscape), "/")
		if f.Line > 0 {
			address += fmt.Sprintf("#L%d", f.Line)
		}
		if f.Line > 0 && f.EndLine > f.Line {
			address += fmt.Sprintf("-L%d", f.EndLine)
		}
	}
	if address == "" {
		return comment.Code(text)
	}
	return p.link(text, address)
}

// mayDecide names the people allowed to answer a decision.
func (p Pull) mayDecide() string {
	who := "Someone with " + inline(string(cmp.Or(p.Deciders, debate.WriteAccess))) + " access"
	if p.Author != "" && !p.AuthorDecides {
		who += ", other than " + enumerated(lists.Map(append([]string{p.Author}, p.Makers...), inline)) + ","
	}
	return who
}

// short is a commit by its first digits, linked; "" for none.
func (p Pull) short(sha string) string {
	if sha == "" {
		return ""
	}
	return p.link(sha[:min(7, len(sha))], p.RepositoryURL+"/commit/"+url.PathEscape(sha))
}
