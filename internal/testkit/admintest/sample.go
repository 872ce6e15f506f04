package admintest

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// Now is when the samples are looked at.
var Now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// ago is a moment before Now, in Unix ms.
func ago(d time.Duration) int64 { return Now.Add(-d).UnixMilli() }

const day = 24 * time.Hour

var (
	shop = database.Repo{Installation: 77, ID: 501, Owner: "acme", Name: "shop"}
	docs = database.Repo{Installation: 77, ID: 502, Owner: "acme", Name: "docs"}
	lib  = database.Repo{Installation: 78, ID: 503, Owner: "bob", Name: "a-library-with-quite-a-long-name"}
)

// Sample is a database as it may look on a working day. Replay is the directory with
// recorded debates.
func Sample(replay string) (*Database, error) {
	db := &Database{
		Held: running(), Records: make(map[string]store.Record), Waiting: waiting(), Items: items(),
		Accounts: []database.Installation{
			{ID: 77, Account: "acme", Repos: []database.Repo{shop, docs}},
			{ID: 78, Account: "bob", Repos: []database.Repo{lib}},
			{ID: 79, Account: "carol", Suspended: true},
		},
		Repos: []database.RepoStats{
			{Repo: shop, Reviews: 41, P1: 6, P2: 17, P3: 30, Calls: 512, Micro: 7_340_000, Millis: 41 * 131_000},
			{Repo: lib, Reviews: 5, P2: 1, Calls: 44, Micro: 512_000, Unpriced: true, Millis: 5 * 45_000},
			{Repo: docs, Reviews: 2, Calls: 4, Micro: 9_000, Millis: 2 * 20_000},
		},
		Spent: spent(),
	}
	for i, one := range []struct {
		file, title string
		repo        database.Repo
		pull        int
	}{
		{"contested-panel", "Refuse clients that ask too often", shop, 16},
		{"critical", "Drop orders.legacy_ref", shop, 4},
		{"consensus", "Say in the log who was refused", shop, 14},
		{"tradeoff", "Keep invoices in a bucket", lib, 5},
		{"degraded", "Explain the price list", docs, 2},
		{"superseded", "Refuse clients that ask too often", shop, 16},
	} {
		s, rec, err := reviewed(filepath.Join(replay, one.file+".jsonl"))
		if err != nil {
			return nil, err
		}
		s.ID, s.Title, s.Repo, s.Pull = fmt.Sprintf("debate-20261122-1000%02d-1", i), one.title, one.repo, one.pull
		s.Started = ago(time.Duration(i)*7*time.Hour + 5*time.Hour)
		s.Ended = s.Started + int64(i+1)*42_000
		db.Held = append(db.Held, s)
		db.Records[s.ID] = rec
	}
	begun, err := Begun(db.Records["debate-20261122-100000-1"])
	db.Records[Running] = begun
	return db, err
}

// Running is the sample of a review under way.
const Running = "debate-20261123-115000-1"

// Begun is the longest beginning of a record without an end, as it is while the review runs.
func Begun(rec store.Record) (store.Record, error) {
	for n := len(rec.Entries) - 1; n > 0; n-- {
		s, err := debate.Fold(rec.Entries[:n])
		if err == nil && s.Ending.Outcome == "" {
			return store.Record{Entries: rec.Entries[:n]}, nil
		}
	}
	return store.Record{}, errors.New("the record has no part without an end")
}

// running are sessions that have not ended.
func running() []database.Session {
	return []database.Session{
		{ID: "debate-20261123-115500-1", Repo: shop, Pull: 22, Title: "Cache the price list for a minute", Started: ago(100 * time.Second)},
		{ID: Running, Repo: shop, Pull: 19, Subject: "501/pull/19", Title: "Limit requests of clients that are not signed in", Started: ago(3 * time.Minute), Calls: 3, Micro: 41_000},
		{ID: "debate-20261123-090000-1", Repo: lib, Pull: 9, Subject: "503/pull/9", Title: "Parse dates with a time zone", Started: ago(3 * time.Hour)},
	}
}

// waiting is work that is open, parked or to be tried again.
func waiting() []database.Task {
	return []database.Task{
		{Subject: "502/sweep", Repo: docs, Wanted: 8, Done: 7, Attempts: 5, Parked: ago(26 * time.Hour), Since: ago(30 * time.Hour), Error: "read the pull requests of acme/docs: GitHub answered 403: Resource not accessible by integration"},
		{Subject: "503/pull/7", Repo: lib, Wanted: 3, Done: 2, Attempts: 5, Parked: ago(3 * time.Hour), Since: ago(5 * time.Hour), Error: "the settings of the repository could not be read: .github/debate.yml:12:3: unknown key \"panell\""},
		{Subject: "501/pull/19", Repo: shop, Wanted: 4, Done: 3, Since: ago(4 * time.Minute)},
		{Subject: "501/pull/22", Repo: shop, Wanted: 2, Done: 1, Since: ago(2 * time.Minute)},
		{Subject: "501/queue/4f0c2a9d5e5b1f0c2a9d5e5b1f0c2a9d5e5b1f0c", Repo: shop, Wanted: 1, Since: ago(40 * time.Second)},
		{Subject: "502/pull/3", Repo: docs, Wanted: 1, Attempts: 2, RetryAt: ago(-4 * time.Minute), Since: ago(9 * time.Minute), Error: "GitHub answered 502 three times"},
	}
}

// items are questions that nobody has answered.
func items() []database.Item {
	return []database.Item{
		{Repo: shop, Pull: 4, Decision: "D0", Question: "Decide: merge #4? Migration drops column legacy_ref of orders", URL: "https://github.com/acme/shop/issues/5", AskedAt: ago(3 * day)},
		{Repo: shop, Pull: 17, Decision: "D0", Question: "Decide: merge #17? It touches security", URL: "https://github.com/acme/shop/issues/18", AskedAt: ago(5 * time.Hour)},
		{Repo: lib, Pull: 6, Decision: "D0", Question: "Decide: merge #6? It changes the rules of this project", AskedAt: ago(20 * time.Minute)},
	}
}

// spent is what calls cost, by each key.
func spent() map[database.SpendKey][]database.Spend {
	return map[database.SpendKey][]database.Spend{
		database.ByRepository: {
			{Repo: shop, Calls: 512, TokensIn: 4_812_331, TokensCached: 3_100_200, TokensOut: 301_884, Micro: 7_340_000},
			{Repo: lib, Calls: 44, TokensIn: 220_120, TokensOut: 14_007, Micro: 512_000, Unpriced: true},
			{Repo: docs, Calls: 4, TokensIn: 9_310, TokensOut: 811, Micro: 9_000},
		},
		database.ByModel: {
			{Model: "claude-sonnet-4-5", Provider: "anthropic", Calls: 301, TokensIn: 3_000_400, TokensCached: 2_800_000, TokensOut: 200_100, Micro: 5_900_000},
			{Model: "gpt-5.2", Provider: "openai", Calls: 255, TokensIn: 2_032_051, TokensCached: 300_200, TokensOut: 115_791, Micro: 1_961_000},
			{Model: "qwen3:32b", Provider: "ollama", Calls: 4, TokensIn: 9_310, TokensOut: 811, Unpriced: true},
		},
		database.ByPull: {
			{Repo: shop, Pull: 17, Calls: 22, TokensIn: 402_331, TokensCached: 310_200, TokensOut: 30_188, Micro: 740_000},
			{Repo: shop, Pull: 4, Calls: 12, TokensIn: 202_331, TokensCached: 110_200, TokensOut: 20_188, Micro: 340_000},
		},
	}
}

// reviewed is a session of which a recorded debate is the record.
func reviewed(file string) (database.Session, store.Record, error) {
	rec, err := store.Read(file)
	if err != nil {
		return database.Session{}, rec, fmt.Errorf("read a recorded debate: %w", err)
	}
	state, err := debate.Fold(rec.Entries)
	if err != nil {
		return database.Session{}, rec, fmt.Errorf("follow a recorded debate: %w", err)
	}
	e := report.FromState(state)
	conclusion := state.Conclusion().Check
	return database.Session{
		Outcome: string(e.Outcome), Conclusion: string(conclusion), P1: len(e.P1), P2: len(e.P2), P3: len(e.P3),
		Calls: e.Stats.Calls, Micro: int64(e.Stats.CostUSD) + int64(e.Stats.Calls)*14_000, Unpriced: e.Stats.CostUnknown,
	}, rec, nil
}

// Hostile is text that would do harm if a page took it for anything but text.
const Hostile = "\"'><script src=https://evil.example/x.js></script><img src=x onerror=alert(1)>\u202egnp.exe\x1b[31m\njavascript:alert(2) {{.Key}} ${7*7}"

// HostileSample is a database in which everything that others chose is Hostile.
func HostileSample() *Database {
	repo := database.Repo{Installation: 1, ID: 1, Owner: Hostile, Name: Hostile}
	long := Hostile + strings.Repeat("W", 3000)
	return &Database{
		Held: []database.Session{
			{ID: "running", Repo: repo, Pull: 1, Subject: Hostile, Title: long, Started: ago(time.Minute)},
			{ID: Hostile, Repo: repo, Pull: 2, Subject: Hostile, Title: long, Started: ago(time.Hour), Ended: ago(time.Minute), Outcome: Hostile, Conclusion: Hostile, P1: 1},
		},
		Waiting: []database.Task{
			{Subject: Hostile + "1", Repo: repo, Since: ago(time.Hour), Attempts: 1, Error: long},
			{Subject: "1/queue/" + Hostile, Repo: repo, Since: ago(time.Hour), Attempts: 1, Error: long},
			{Subject: "1/pull/3", Repo: repo, Parked: 1, Error: long},
		},
		Items: []database.Item{
			{Repo: repo, Pull: 1, Question: long, URL: "javascript:alert(3)", AskedAt: ago(time.Hour)},
			{Repo: repo, Pull: 1, Question: long, URL: "https://github.com.evil.example/issues/1", AskedAt: ago(time.Hour)},
			{Repo: repo, Pull: 1, Question: long, URL: "https://github.com/" + Hostile, AskedAt: ago(time.Hour)},
		},
		Accounts: []database.Installation{{ID: 1, Account: long}},
		Repos:    []database.RepoStats{{Repo: repo, Reviews: 1}},
		Spent: map[database.SpendKey][]database.Spend{
			database.ByRepository: {{Repo: repo}},
			database.ByModel:      {{Model: long, Provider: Hostile}},
			database.ByPull:       {{Repo: repo, Pull: 1}},
		},
	}
}
