// Package sarif writes the agreed findings of a report as SARIF 2.1.0, and reads the findings of
// other tools from such files.
package sarif

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// Rule documents the rule of a finding.
type Rule struct {
	ID       string
	Title    string // one line
	Help     string // how to fix it; "" repeats the title
	Severity debate.Severity
	Category string
}

const informationURI = "https://github.com/prdebate/debate"

// Render renders the agreed findings as SARIF 2.1.0, with the metadata of all rules. The outcome
// of the run and the unreviewed parts are in the notifications and properties of the invocation,
// so an empty list of results does not pass for a clean review (I8).
func Render(e report.Envelope, rules []Rule, version string) ([]byte, error) {
	run := sarif.NewRunWithInformationURI("debate", informationURI)
	run.Tool.Driver.WithVersion(version)
	findings := report.Agreed(e)
	all := slices.Concat(rules, lists.Map(findings, func(f report.Finding) Rule { // an entry for every finding
		return Rule{ID: ruleID(f), Title: "Finding about " + category(f), Severity: f.Severity, Category: category(f)}
	}))
	slices.SortStableFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	for _, rule := range slices.CompactFunc(all, func(a, b Rule) bool { return a.ID == b.ID }) {
		title, bag := message(rule.Title), sarif.NewPropertyBag()
		if rule.Category != "" {
			bag.AddTag(report.OneLine(rule.Category))
		}
		if rule.Category == string(debate.Security) {
			// Code scanning sorts alerts by this score, and only of these rules.
			bag.Add("security-severity", cmp.Or(securitySeverity[rule.Severity], "2.0"))
		}
		run.AddRule(rule.ID).WithShortDescription(sarif.NewMultiformatMessageString().WithText(title)).
			WithHelp(sarif.NewMultiformatMessageString().WithText(cmp.Or(message(rule.Help), title))).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithEnabled(true).WithLevel(level(rule.Severity))).
			WithProperties(bag)
	}
	seen := map[string]int{}
	for _, f := range findings {
		// A finding keeps its print while lines move: its rule, its path, its quote without white space,
		// and its number among equals.
		key := strings.Join([]string{ruleID(f), f.Path, string(f.Side), strings.Join(strings.Fields(f.Quote), " ")}, "\x00")
		seen[key]++
		sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d", key, seen[key])))
		addResult(run, f, hex.EncodeToString(sum[:16]))
	}
	run.AddInvocation(invocation(e))
	run.WithColumnKind("unicodeCodePoints")
	log := sarif.NewReport()
	log.AddRun(run)

	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(log); err != nil {
		return nil, fmt.Errorf("encode the report as SARIF: %w", err)
	}
	return report.Escaped(b.Bytes()), nil
}

// ruleID is the rule of a finding. A finding of a party has none and goes under its category.
func ruleID(f report.Finding) string {
	return cmp.Or(report.OneLine(f.Rule), "debate/"+category(f))
}

func category(f report.Finding) string { return cmp.Or(report.OneLine(f.Category), "other") }

// securitySeverity is the middle of the band of scores in code scanning: high and medium; all
// others are low.
var securitySeverity = map[debate.Severity]string{debate.P1: "8.0", debate.P2: "5.5"}

func level(s debate.Severity) string { return cmp.Or(levels[s], sarif.LevelNote) }

var levels = map[debate.Severity]string{debate.P1: sarif.LevelError, debate.P2: sarif.LevelWarning}

// addResult adds a finding. A viewer does not have lines of the base side, and the text of a pull
// request is not a file.
func addResult(run *sarif.Run, f report.Finding, print string) {
	text := message(comment.Clip(f.Title, report.MaxTitle)) + report.Wrapped("\n", message(comment.Clip(f.Body, report.MaxBody)), "")
	proofs := report.Proofs(f)
	for _, p := range proofs {
		text += "\n" + message(p.Says())
	}
	bag := sarif.NewPropertyBag().Add("id", report.OneLine(f.ID)).Add("severity", report.OneLine(string(f.Severity))).
		Add("route", report.OneLine(f.Route)).Add("side", report.OneLine(string(f.Side))).
		Add("reportedBy", lines(f.ReportedBy)).Add("confirmedBy", lines(f.ConfirmedBy))
	if len(proofs) > 0 {
		p := proofs[0]
		bag.Add("test", map[string]string{"path": report.OneLine(p.Path), "content": report.Bounded(p.Content), "command": p.Ran(), "shows": string(p.Shows)})
	}
	at := sarif.NewLocation()
	if f.Path == "" || f.Path == debate.BodyPath {
		at.WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithFullyQualifiedName(report.Place(f)).WithKind("resource")})
	} else {
		physical := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(f.Path)))
		if f.Line > 0 && f.Side != debate.Left {
			physical.WithRegion(sarif.NewSimpleRegion(f.Line, report.Last(f)))
		}
		at.WithPhysicalLocation(physical)
	}
	run.CreateResultForRule(ruleID(f)).
		WithLevel(level(f.Severity)).
		WithMessage(sarif.NewTextMessage(text)).
		WithPartialFingerprints(map[string]string{"debate/v1": print}).
		WithProperties(bag).
		AddLocation(at)
}

// lines are fields on one line each.
func lines(fields []string) []string {
	return append([]string{}, lists.Map(lists.First(fields, report.MaxListed), report.OneLine)...)
}

// uri is a path as a relative reference: every byte other than an unreserved character is
// percent-encoded, the colon too, which would make a scheme of the first segment.
func uri(path string) string {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"
	var b strings.Builder
	for _, c := range []byte(path) {
		if strings.IndexByte(unreserved, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// message is text for a SARIF message. Brackets make links there, unless a backslash comes before
// them.
func message(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(comment.Terminal(s))
}

// outcomes has the levels of the abnormal ends of a review.
var outcomes = map[debate.Outcome]string{
	debate.DegradedLocal: sarif.LevelWarning, debate.Skipped: sarif.LevelWarning, debate.Superseded: sarif.LevelWarning, debate.Aborted: sarif.LevelError,
}

func invocation(e report.Envelope) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccessful(e.Outcome != debate.Aborted)
	note := func(lvl, id, text string) {
		if text == "" {
			return
		}
		inv.AddToolExecutionNotification(sarif.NewNotification().WithLevel(lvl).
			WithMessage(sarif.NewTextMessage(message(comment.Clip(text, report.MaxBody)))).
			WithDescriptor(sarif.NewReportingDescriptorReference().WithID(id)))
	}
	note(cmp.Or(outcomes[e.Outcome], sarif.LevelNote), "outcome", strings.TrimSpace(report.Headline(e)+". "+e.Summary))
	note(sarif.LevelWarning, "parties", report.MissingParties(e, e.About.PullRequest > 0))
	note(sarif.LevelWarning, "not-read", report.Wrapped("Not read: ", report.Capped(e.Stats.NotReviewed, "; "), ""))
	note(sarif.LevelWarning, "not-reviewed", report.Wrapped("Not reviewed in full: ", report.Capped(e.Stats.Unreviewed, "; "), ""))
	for _, d := range report.Awaiting(e) {
		note(sarif.LevelWarning, "decision", "A person has to decide "+report.OneLine(d.ID)+": "+report.Question(d))
	}
	if n := len(e.Unresolved) + len(e.NotEvaluated) + len(e.Unproved); n > 0 {
		note(sarif.LevelNote, "unconfirmed", report.Count(n, "unconfirmed finding")+" not listed as results")
	}
	bag := sarif.NewPropertyBag().
		Add("outcome", report.OneLine(string(e.Outcome))).Add("coverage", report.OneLine(e.Coverage)).
		Add("recommendation", report.OneLine(string(e.Recommendation))).Add("scope", report.OneLine(e.Scope)).Add("sessionId", report.OneLine(e.SessionID))
	return inv.WithProperties(bag)
}
