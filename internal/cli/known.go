package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
)

type knownCmd struct {
	Records []string `arg:"" optional:"" help:"Records, or directories with records (default: your own reviews of this repository)."`
}

// maxProposed is how many entries are proposed at once.
const maxProposed = 20

// Run reports what the known findings of the settings cover, and prints entries for
// dismissed findings.
func (c *knownCmd) Run(r *run) error {
	entries, err := c.present(r)
	if err != nil {
		return err
	}
	states, err := r.reviews(c.Records)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	now := r.Now()
	checkKnown(&b, entries, states, now.UTC().Format(time.DateOnly))
	proposed := proposals(states, entries, now)
	if len(proposed) == 0 {
		b.WriteString("No new entry to propose.\n")
		return r.emit("", b.Bytes())
	}
	settings, err := config.Show(config.Config{Known: proposed})
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "To accept what was dismissed on every pull request, add to %s:\n\n%s", debate.SettingsFile, comment.Terminal(string(settings)))
	return r.emit("", b.Bytes())
}

// present are the entries of the settings in the work tree.
func (*knownCmd) present(r *run) ([]debate.Known, error) {
	name, path := r.settingsFile("")
	data, err := r.readLimited(path, config.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	settings, err := r.vocabulary().Parse(name, data)
	if err != nil {
		return nil, usage(err)
	}
	return accepted(settings.Known), nil
}

// reviews returns the newest readable reviews of the named records, or of this repository.
// It reports unreadable ones.
func (r *run) reviews(names []string) ([]debate.State, error) {
	files, _, err := r.recordFiles(names, maxRecords)
	if err != nil {
		return nil, err
	}
	repo, outside := gitrepo.Open(r.ctx, r.Dir)
	var states []debate.State
	for _, path := range files {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		rec, state, err := ended(path)
		switch {
		case err != nil:
			r.progress("%s is left out: %v", path, err)
		case len(names) > 0, outside != nil, isOf(r.ctx, repo, rec):
			states = append(states, state)
		}
	}
	slices.SortStableFunc(states, func(a, b debate.State) int { return int(b.Clock.StartedAt/1000 - a.Clock.StartedAt/1000) })
	return states, nil
}

// checkKnown prints each entry with its expiry and its matches in the newest review.
func checkKnown(b *bytes.Buffer, entries []debate.Known, states []debate.State, today string) {
	for _, k := range entries {
		until := "until " + k.Until
		if k.Until < today {
			until = "expired on " + k.Until + ", remove it or set another day"
		}
		fmt.Fprintf(b, "%s: %s", namedKnown(k), until)
		if len(states) > 0 {
			switch n := states[0].Book.Covered(k); n {
			case 0:
				b.WriteString("; matches nothing in the newest review")
			default:
				b.WriteString("; matches " + report.Count(n, "finding") + " of the newest review")
			}
		}
		b.WriteByte('\n')
	}
	if len(entries) == 0 {
		b.WriteString(debate.SettingsFile + " has no known findings.\n")
	}
	b.WriteByte('\n')
}

// namedKnown names an entry.
func namedKnown(k debate.Known) string {
	text := k.Rule
	if text == "" {
		text = "snippet " + report.ClipLine(strings.Join(strings.Fields(k.Snippet), " "), 60)
	}
	if k.Below != "" {
		text += " in " + k.Below
	}
	return report.OneLine(text)
}

// proposals returns entries for findings that people dismissed with a reason, the newest
// first, without existing ones.
func proposals(states []debate.State, have []debate.Known, now time.Time) []config.Known {
	var list []config.Known
	for _, s := range states {
		for i := range s.Book.Claims {
			c := &s.Book.Claims[i]
			k, ok := s.Book.Accepting(c)
			if c.Reason != debate.ReasonHuman || c.Why.Words == "" || len(c.Why.Refs) == 0 || !ok {
				continue
			}
			same := func(o config.Known) bool {
				return [3]string{o.Rule, o.Snippet, o.Below} == [3]string{k.Rule, k.Snippet, k.Below}
			}
			covers := func(h debate.Known) bool { return h.About(&s.Book, c) }
			if slices.ContainsFunc(have, covers) || slices.ContainsFunc(list, same) || len(list) == maxProposed {
				continue
			}
			list = append(list, pull.Proposed(k, c.Why.Words, c.Why.Refs[0], now))
		}
	}
	return list
}
