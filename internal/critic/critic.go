// Package critic is the embedded critic: deterministic checks of added lines. It
// uses well-kept libraries, no network and no model. It parses changed bytes as data, loads no
// configuration from the change and starts no process.
//
// This package lists the kinds of rules and merges their reports; its own kind finds conflict markers.
// Each other kind is a package, named like the first part of its rules' ids; package check has the
// types they share. They report hits, which cite changed lines and pass the same evidence gate as the claim of a model, or
// notices, which are facts and never findings.
package critic

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/critic/code"
	"github.com/prdebate/debate/internal/critic/docker"
	"github.com/prdebate/debate/internal/critic/infra"
	"github.com/prdebate/debate/internal/critic/manifest"
	"github.com/prdebate/debate/internal/critic/secrets"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/critic/sql"
	"github.com/prdebate/debate/internal/critic/unicode"
	"github.com/prdebate/debate/internal/critic/workflow"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// Result is the sorted outcome of one review.
type Result struct {
	Hits    []debate.Hit
	Notices []debate.Notice
	Missing []string // criteria without text in new proposals
	Omitted int      // hits beyond maxHits, least severe first, and hits beyond the bound of a file
	Secrets []string // texts to hide: everything any secret rule detects, reported or not, and the secrets of hits
}

// maxMarkdown bounds the parsed part of a document, in bytes.
const maxMarkdown = 1 << 20

// maxHits bounds the findings of one review. Longer lists help no reader.
const maxHits = 500

// kinds lists all checks in the order of their runs.
var kinds = []check.Kind{
	conflicts,
	secrets.Kind,
	sql.Kind,
	workflow.Kind,
	shell.Kind,
	docker.Kind,
	infra.Kind,
	code.Kind,
	manifest.Kind,
	unicode.Kind,
}

// Rules lists every documented rule, sorted by id.
func Rules() []check.Rule {
	all := append([]check.Rule(nil), check.OwnRules...)
	for _, fam := range kinds {
		all = append(all, fam.Rules...)
	}
	slices.SortFunc(all, func(a, b check.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Review runs every check over the files of the change, except those excluded by skip, and looks
// for the review criteria in new proposals.
func Review(change patch.Change, skip func(path string) bool, proposals []segment.Proposal) Result {
	files := check.Files(change, skip)
	out := check.NewFindings(Rules())
	for _, fam := range kinds {
		fam.Review(files, out)
	}
	res := Result{Hits: dedupe(out.Hits), Notices: out.Notices, Missing: missingCriteria(proposals), Omitted: out.Omitted, Secrets: secretsOf(change, skip, out)}
	slices.SortStableFunc(res.Notices, func(a, b debate.Notice) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	if len(res.Hits) > maxHits {
		res.Omitted += len(res.Hits) - maxHits
		res.Hits = res.Hits[:maxHits]
	}
	return res
}

// SecretsIn lists the secrets in a text. The path is empty if the text is of no file.
func SecretsIn(path, text string) []string { return secrets.In(path, text) }

// secretsOf lists the secrets in the lines of a change and in its findings: a file too large to be
// searched may still be quoted.
func secretsOf(change patch.Change, skip func(path string) bool, out *check.Findings) []string {
	all := secrets.Find(change, skip)
	for _, h := range out.Hits {
		all = append(all, h.Redact...)
		all = append(all, secrets.In(h.Cite.Path, h.Cite.Quote)...)
	}
	for _, n := range out.Notices {
		all = append(all, secrets.In(n.Path, n.Text)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// dedupe sorts hits by severity, place and rule, and drops repeats of one rule at one place.
func dedupe(hits []debate.Hit) []debate.Hit {
	slices.SortStableFunc(hits, func(a, b debate.Hit) int {
		return cmp.Or(
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Cite.Path, b.Cite.Path), cmp.Compare(a.Cite.StartLine, b.Cite.StartLine),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Title, b.Title),
		)
	})
	return slices.CompactFunc(hits, func(a, b debate.Hit) bool {
		return a.Rule == b.Rule && a.Cite == b.Cite && a.Title == b.Title
	})
}
