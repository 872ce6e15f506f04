package admin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
)

// report answers with the HTML report of a review. It is a page of its own with an inline
// style; the policy allows this style alone.
func (d *Dashboard) report(w http.ResponseWriter, r *http.Request) {
	ctx, done := context.WithTimeout(r.Context(), pageWithin)
	defer done()
	rec, s, err := endOf(ctx, d.Database, r.PathValue("id"))
	var text []byte
	if err == nil {
		if text, err = d.Render(rec, s); err != nil {
			err = fmt.Errorf("write the report: %w", err)
		}
	}
	switch {
	case errors.Is(err, errNoEnd):
		d.write(w, r, http.StatusOK, soFar(r.URL.Path, s))
		return
	case err != nil:
		d.broken(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; style-src %s; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", styleOf(text)))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(text)
}

// soFar is the page of a debate without an end: the statements about each finding.
func soFar(address string, s debate.State) page {
	e := report.FromState(s)
	p := page{
		Title: "The debate so far",
		Lead:  "This review has not ended, or it broke off. If the first page does not show it, a new commit or /debate run in a comment starts the next.",
		Sections: []section{{
			ID: "course", Note: report.Count(e.Stats.Calls, "call") + " ended, " + report.Cost(e.Stats.CostUSD, e.Stats.CostUnknown) + ".",
			Tabs: []tab{{Text: "Load it again", URL: address}},
		}},
	}
	for f := range e.Findings() {
		if len(p.Sections) > pageRows {
			p.Sections[0].Note += fmt.Sprintf(" The first %d findings are shown.", pageRows)
			break
		}
		t := &table{Caption: "Statements about " + report.Named(*f), Head: []column{{Name: "Model"}, {Name: "Statement"}}}
		for _, said := range report.Thread(*f) {
			t.add(cell{Text: said.Who}, cell{Text: said.Says})
		}
		p.Sections = append(p.Sections, section{ID: f.ID, Title: report.Named(*f), Table: t})
	}
	return p
}

var errNoEnd = errors.New("the review has not ended")

// endOf returns the record of an ended review, and its end.
func endOf(ctx context.Context, records Database, session string) (store.Record, debate.State, error) {
	rec, err := records.Record(ctx, session)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return rec, debate.State{}, errNoPage
	case err != nil:
		return rec, debate.State{}, fmt.Errorf("read the record of the review: %w", err)
	}
	s, err := debate.Fold(rec.Entries)
	switch {
	case err != nil:
		err = fmt.Errorf("follow the record of the review: %w", err)
	case s.Ending.Outcome == "":
		err = errNoEnd
	}
	return rec, s, err
}

// styleOf returns the digest of the first style sheet of a page. It is in the head, before
// all text from outside.
func styleOf(page []byte) string {
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	style, _, found := bytes.Cut(rest, []byte("</style>"))
	if !found {
		return "'none'"
	}
	sum := sha256.Sum256(style)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
