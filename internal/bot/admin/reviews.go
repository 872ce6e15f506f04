package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// verdictsWithin bounds the time for reading the records of a page. A review that misses it
// has a shorter text until the next load.
const verdictsWithin = 3 * time.Second

// reviewsPage lists the reviews, the newest first.
func (d *Dashboard) reviewsPage(ctx context.Context, at part) (p page, err error) {
	filter := database.SessionFilter{Limit: pageRows + 1, Offset: at.offset()}
	if text := at.query.Get("repository"); text != "" {
		if filter.Repo, err = strconv.ParseInt(text, 10, 64); err != nil || filter.Repo <= 0 {
			return page{}, errBadQuery
		}
	}
	result := debate.Conclusion(at.query.Get("result"))
	if _, known := conclusions[result]; !known && result != "" {
		return page{}, errBadQuery
	}
	filter.Conclusion = string(result)
	found, err := d.Database.Sessions(ctx, filter)
	if err != nil {
		return page{}, fmt.Errorf("read the reviews: %w", err)
	}
	p = page{Title: "Reviews", Sections: []section{{ID: "reviews", Pager: at.pager(len(found)), Tabs: resultTabs(at.query, result)}}}
	s := &p.Sections[0]
	if filter.Repo > 0 && len(found) > 0 {
		p.Title = "Reviews of " + name(found[0].Repo)
		s.Tabs = append(s.Tabs, tab{Text: "Show all repositories", URL: "/reviews"})
	}
	if len(found) == 0 {
		s.Empty = noReviews(at)
	} else {
		p.Lead = report.Severities + "."
		s.Table = d.reviewTable(ctx, shown(found))
	}
	return p, nil
}

// resultTabs lead to the reviews of the same repository by the result of their check.
func resultTabs(query url.Values, here debate.Conclusion) []tab {
	results := []struct {
		text string
		of   debate.Conclusion
	}{{"All", ""}, {"Failed", debate.Failure}, {"Waiting for a decision", debate.ActionRequired}, {"Passed", debate.Success}, {"Not blocking", debate.Neutral}}
	var tabs []tab
	for _, r := range results {
		to := url.URL{Path: "/reviews"}
		set := make(url.Values)
		if repo := query.Get("repository"); repo != "" {
			set.Set("repository", repo)
		}
		if r.of != "" {
			set.Set("result", string(r.of))
		}
		to.RawQuery = set.Encode()
		tabs = append(tabs, tab{Text: r.text, URL: to.String(), Here: r.of == here})
	}
	return tabs
}

func noReviews(at part) *empty {
	if at.number > 1 || len(at.query) > 0 {
		return &empty{Text: "No reviews here.", Next: "There may be some elsewhere.", Link: &tab{Text: "Show all reviews", URL: "/reviews"}}
	}
	return &empty{
		Text: "No pull request was reviewed yet.",
		Next: "A review starts by itself when a pull request is opened or gets a new commit. To start one by hand, write /debate run in a comment on the pull request.",
		Link: &tab{Text: "See where the App is installed", URL: "/installations"},
	}
}

// reviewURL is the page of a review: its report, or the debate so far.
func reviewURL(s database.Session) string { return "/reviews/" + url.PathEscape(s.ID) }

func (d *Dashboard) reviewTable(ctx context.Context, list []database.Session) *table {
	ctx, done := context.WithTimeout(ctx, verdictsWithin)
	defer done()
	t := &table{Caption: "Reviews, the newest first", Head: []column{{Name: "Pull request"}, {Name: "Result"}, {Name: "Confirmed"}, {Name: "Cost", Number: true}, {Name: "Took", Number: true}, {Name: "Started"}}}
	for _, s := range list {
		result, findings, took := cell{Text: "not done yet", URL: reviewURL(s)}, cell{Text: "not known yet"}, cell{Text: "not done yet"}
		if s.Ended > 0 {
			result.Text, result.Sub = cmp.Or(outcomes[debate.Outcome(s.Outcome)], "ended without a result"), conclusions[debate.Conclusion(s.Conclusion)]
			v, known := d.verdicts.of(ctx, s)
			if known {
				result.Text = v.headline
			}
			switch {
			case strings.HasSuffix(result.Sub, result.Text): // it is said already
				result.Sub = ""
			case known && v.next != "" && string(v.check) == s.Conclusion: // else the pull request holds more against a merge
				result.Sub += "; next: " + v.next
			}
			findings, took = marks(s.P1, s.P2, s.P3), cell{Text: lasted(time.Duration(s.Ended-s.Started) * time.Millisecond)}
		}
		t.add(d.pull(s.Repo, s.Pull, s.Title), result, findings, dollars(s.Micro, s.Unpriced), took, moment(s.Started, d.since(s.Started)+" ago"))
	}
	return t
}
