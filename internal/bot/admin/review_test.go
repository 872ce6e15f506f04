package admin

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/admintest"
)

// counted counts how often records are read.
type counted struct {
	*admintest.Database
	reads int
}

func (c *counted) Record(ctx context.Context, session string) (store.Record, error) {
	c.reads++
	return c.Database.Record(ctx, session)
}

func TestVerdictsAreRemembered(t *testing.T) {
	t.Parallel()
	db := &counted{Database: sample(t)}
	d := New(options(db))
	first := get(d, "/reviews").Body.String()
	reads := db.reads
	if reads != 6 || !strings.Contains(first, ">changes needed<") {
		t.Errorf("%d records were read: %s", reads, first)
	}
	if again := get(d, "/reviews").Body.String(); again != first || db.reads != reads {
		t.Errorf("%d records were read again", db.reads-reads)
	}
	get(d, "/statistics")
	if db.reads != reads {
		t.Error("the statistics read them again")
	}
}

// TestVerdictThatIsNotKnown: a page without a record says less, and is there.
func TestVerdictThatIsNotKnown(t *testing.T) {
	t.Parallel()
	db := &counted{Database: sample(t)}
	lost := db.Held[3].ID
	delete(db.Records, lost)
	d := New(options(db))
	for range 2 {
		if body := get(d, "/reviews").Body.String(); !strings.Contains(body, `<a href="/reviews/`+lost+`"><bdi>the models disagree</bdi></a>`) {
			t.Error(body)
		}
	}
	if db.reads != 6 {
		t.Errorf("%d reads: a record that cannot be read is tried again and again", db.reads)
	}
	if w := get(d, "/reviews/"+lost); w.Code != 404 {
		t.Errorf("its report: %d", w.Code)
	}
	if body := get(d, "/statistics").Body.String(); !strings.Contains(body, "Counted over the newest 5 reviews.") {
		t.Error(body)
	}
}

// TestVerdictThatTakesTooLong: what could not be read in time is read the next time.
func TestVerdictThatTakesTooLong(t *testing.T) {
	t.Parallel()
	db := &counted{Database: sample(t)}
	v := newVerdicts(db)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	v.turn <- struct{}{} // somebody else reads
	if _, known := v.of(ctx, db.Held[3]); known || db.reads != 0 {
		t.Error("it did not wait")
	}
	<-v.turn
	if one, known := v.of(t.Context(), db.Held[3]); !known || one.headline == "" {
		t.Error("it is not read the next time")
	}
	if _, known := v.of(t.Context(), db.Held[0]); known {
		t.Error("a review that runs has a verdict")
	}
}

func TestVerdictsAreBounded(t *testing.T) {
	t.Parallel()
	v := newVerdicts(&admintest.Database{})
	for i := range maxVerdicts + 1 {
		v.of(t.Context(), database.Session{ID: strings.Repeat("x", i%100) + string(rune(i)), Ended: 1})
	}
	if len(v.seen) > maxVerdicts {
		t.Errorf("%d are remembered", len(v.seen))
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	db := sample(t)
	session := db.Held[3]
	o := options(db)
	d := New(o)
	w := get(d, "/reviews/"+session.ID)
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "<style>") || !strings.Contains(body, `<section id="findings"`) {
		t.Errorf("%d %s", w.Code, body)
	}
	so := get(d, "/reviews/"+admintest.Running)
	if body := so.Body.String(); so.Code != 200 || !strings.Contains(body, "The debate so far") || !strings.Contains(body, "objects: ") {
		t.Errorf("one that runs: %d %s", so.Code, body)
	}
	if body := get(d, "/").Body.String(); !strings.Contains(body, `href="/reviews/`+admintest.Running+`"`) {
		t.Errorf("the first page does not lead to it: %s", body)
	}
	o.Render = func(store.Record, debate.State) ([]byte, error) { return nil, errors.New("no room") }
	if w := get(New(o), "/reviews/"+session.ID); w.Code != 503 || !strings.Contains(w.Body.String(), "write the report: no room") {
		t.Errorf("one that cannot be written: %d %s", w.Code, w.Body)
	}
}

func TestStyleOf(t *testing.T) {
	t.Parallel()
	if got := styleOf([]byte("<head><style>a{}</style><style>b{}</style>")); got != "'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='" {
		t.Error(got)
	}
	for _, page := range []string{"", "<style>", "</style>"} {
		if got := styleOf([]byte(page)); got != "'none'" {
			t.Errorf("%q: %s", page, got)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	d := New(options(&admintest.Database{}))
	repo := database.Repo{Owner: "acme", Name: "shop"}
	for name, c := range map[string]struct{ got, want string }{
		"no address":        {(&Dashboard{}).onGitHub("https://github.com/acme"), ""},
		"GitHub's":          {d.onGitHub("https://github.com/acme/shop/issues/5"), "https://github.com/acme/shop/issues/5"},
		"not GitHub's":      {d.onGitHub("https://github.com.evil.example/"), ""},
		"GitHub itself":     {d.onGitHub("https://github.com"), ""},
		"pull request":      {d.pull(repo, 7, "").URL, "https://github.com/acme/shop/pull/7"},
		"odd name":          {d.repoURL(database.Repo{Owner: "a/b", Name: "?c"}), "https://github.com/a%2Fb/%3Fc"},
		"no name":           {d.repoURL(database.Repo{}), ""},
		"no number":         {d.pull(repo, 0, "").URL, "https://github.com/acme/shop"},
		"an unknown ending": {d.reviewTable(t.Context(), []database.Session{{Ended: 1, Outcome: "NEW"}}).Rows[0][1].Text, "ended without a result"},
		"thousands":         {number(1234567), "1\u00a0234\u00a0567"},
		"hundreds":          {number(999), "999"},
		"none":              {number(0), "0"},
		"negative":          {number(-1234), "-1\u00a0234"},
		"unpriced alone":    {dollars(0, true).Text, "cost unknown"},
		"unpriced, some":    {dollars(510_000, true).Sub, "and calls of unknown cost"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, not %q", name, c.got, c.want)
		}
	}
}
