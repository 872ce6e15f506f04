package main

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"testing"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

// BenchmarkServeMemory has a process of debate serve review b.N small pull requests, one
// after the other, without a model, and reports how much of its memory was in use after a
// tenth of them, after half and at the end, as the collector of garbage found it last.
// "-benchtime 2000x" is the usual measure; "-benchtime 10000x -v" tells of every thousand
// while it goes on.
func BenchmarkServeMemory(b *testing.B) {
	l := loadedServer(b, databasetest.SQLite(b))
	db, err := database.Open(b.Context(), l.database, database.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for n := range b.N {
		switch {
		case n > 0 && n == b.N/10:
			l.memory(b, "a-tenth")
		case n > 0 && n == b.N/2:
			l.memory(b, "half")
		}
		if n > 0 && n%1000 == 0 {
			b.Logf("after %d: %.1f MB live, %.0f MB resident", n, l.live(b), l.metric(b, "process_resident_memory_bytes")/1e6)
		}
		l.open(b)
		settle(b, db, l.log)
		last := l.pulls[len(l.pulls)-1]
		if runs := l.repo.CheckRuns(last.Head()); len(runs) != 1 || runs[0].Status != "completed" {
			b.Fatalf("it was not reviewed: %+v\n%s", runs, l.log)
		}
		last.Close("ada", "completed")
		l.server.Forget()
	}
	l.memory(b, "end")
}

// memory reports what the server holds now.
func (l *loaded) memory(b *testing.B, when string) {
	b.ReportMetric(l.live(b), "MB-at-"+when)
	b.ReportMetric(l.metric(b, "process_resident_memory_bytes")/1e6, "resident-MB-at-"+when)
	b.ReportMetric(l.metric(b, "go_goroutines"), "goroutines-at-"+when)
}

// live is how many megabytes are in use: it collects again at twice what it found in use.
func (l *loaded) live(b *testing.B) float64 {
	return l.metric(b, "go_memstats_next_gc_bytes") / 2 / 1e6
}

// metric is what the server counts under a name.
func (l *loaded) metric(b *testing.B, name string) float64 {
	resp, err := l.client.Get("http://" + l.log.until(b, `dashboard=(\S+)`) + "/metrics")
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status, err)
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		b.Fatalf("no %s in\n%s", name, text)
	}
	value, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return value
}
