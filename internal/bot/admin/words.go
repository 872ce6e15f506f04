package admin

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// reason is an error on one line, without secrets.
func (d *Dashboard) reason(err error) string { return report.OneLine(d.Secrets.Text(err.Error())) }

// lasted is a length of time as people say it.
func lasted(t time.Duration) string {
	t = max(t, 0)
	switch {
	case t < 90*time.Second:
		return strconv.Itoa(int(t/time.Second)) + " s"
	case t < 90*time.Minute:
		return strconv.Itoa(int(t.Round(time.Minute)/time.Minute)) + " min"
	case t < 36*time.Hour:
		return strconv.Itoa(int(t.Round(time.Hour)/time.Hour)) + " h"
	}
	return report.Count(int(t.Round(24*time.Hour)/(24*time.Hour)), "day")
}

// since returns the time since a moment in Unix ms.
func (d *Dashboard) since(at int64) string { return lasted(d.Now().Sub(time.UnixMilli(at))) }

// moment is a cell about a moment, in Unix ms; text is its words.
func moment(at int64, text string) cell {
	t := time.UnixMilli(at).UTC()
	return cell{Text: text, At: t.Format(time.RFC3339), Exact: t.Format("2 January 2006, 15:04 UTC")}
}

// name is owner/name of a repository.
func name(r database.Repo) string { return report.OneLine(r.Owner + "/" + r.Name) }

// repoURL returns the address of a repository on GitHub, "" if unknown.
func (d *Dashboard) repoURL(r database.Repo) string {
	if d.GitHub == "" || r.Owner == "" || r.Name == "" {
		return ""
	}
	return d.GitHub + "/" + url.PathEscape(r.Owner) + "/" + url.PathEscape(r.Name)
}

// under returns an address below a repository, "" if unknown.
func (d *Dashboard) under(r database.Repo, path string) string {
	if base := d.repoURL(r); base != "" {
		return base + path
	}
	return ""
}

// pull returns a cell with a link to a pull request.
func (d *Dashboard) pull(r database.Repo, number int, title string) cell {
	c := cell{Text: name(r), URL: d.repoURL(r), Away: true, Sub: report.OneLine(title)}
	if number > 0 {
		n := strconv.Itoa(number)
		c.Text += " #" + n
		c.URL = d.under(r, "/pull/"+n)
	}
	return c
}

// subject returns a cell for the subject of a task, in the form of database.Subject.
func (d *Dashboard) subject(t database.Task) cell {
	_, named, _ := strings.Cut(t.Subject, "/")
	kind, id, _ := strings.Cut(named, "/")
	number, err := strconv.Atoi(id)
	isNumber := err == nil && number > 0
	c := cell{URL: d.repoURL(t.Repo), Away: true}
	switch {
	case kind == "sweep":
		c.Text = "all open pull requests of " + name(t.Repo)
	case kind == "queue":
		c.Text = "merge queue of " + name(t.Repo) + ", commit " + report.OneLine(id[:min(len(id), 7)])
	case kind == "pull" && isNumber:
		return d.pull(t.Repo, number, "")
	case kind == "issue" && isNumber:
		c.Text, c.URL = name(t.Repo)+", issue #"+id, d.under(t.Repo, "/issues/"+id)
	default:
		c.Text = report.OneLine(t.Subject)
	}
	return c
}

// onGitHub returns a stored address if it is on GitHub, else "".
func (d *Dashboard) onGitHub(address string) string {
	if d.GitHub == "" || !strings.HasPrefix(address, d.GitHub+"/") {
		return ""
	}
	return address
}

// dollars returns an amount in millionths of a US dollar. Unpriced: a part of it has no
// known price.
func dollars(micro int64, unpriced bool) cell {
	c := cell{Text: report.Cost(report.USD(micro), unpriced && micro == 0)}
	if unpriced && micro != 0 {
		c.Sub = "and calls of unknown cost"
	}
	return c
}

// marks returns the counts of confirmed findings by severity.
func marks(p1, p2, p3 int) cell {
	var c cell
	for _, m := range []struct {
		n          int
		class, tag string
	}{{p1, "p1", "P1"}, {p2, "p2", "P2"}, {p3, "p3", "P3"}} {
		if m.n > 0 {
			c.Marks = append(c.Marks, mark{m.class, strconv.Itoa(m.n) + " " + m.tag})
		}
	}
	if len(c.Marks) == 0 {
		c.Text = "none"
	}
	return c
}

// outcomes are the texts for outcomes without a record.
var outcomes = map[debate.Outcome]string{
	debate.Consensus:     "the models agree",
	debate.Tradeoff:      "the models disagree",
	debate.Unchallenged:  "reviewed by one model only",
	debate.DegradedLocal: "not reviewed by a model",
	debate.Skipped:       "not reviewed",
	debate.Superseded:    "stopped: the change has a newer commit",
	debate.Aborted:       "the review could not be done",
}

// conclusions are the texts for conclusions of the check.
var conclusions = map[debate.Conclusion]string{
	debate.Success:        "check passed",
	debate.Failure:        "check failed",
	debate.ActionRequired: "check waits for a decision",
	debate.Neutral:        "check does not block",
}

// number is a count as people read it, with spaces between thousands.
func number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "\u00a0" + text[at:]
	}
	return text
}

// days is a number of days as a period.
func days(n int) string { return fmt.Sprintf("%d days", n) }
