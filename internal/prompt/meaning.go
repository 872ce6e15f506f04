package prompt

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// meanings are the words of models for ours, in the form of bareWord.
var meanings = map[string][]string{
	"P1": {"p0", "critical", "crit", "blocker", "blocking", "showstopper", "high", "highest", "urgent", "severe", "fatal", "serious", "error", "mustfix", "veryhigh", "must", "required", "blockers", "red", "sev0", "sev1", "s0", "s1", "0", "1"},
	"P2": {"medium", "med", "moderate", "major", "warning", "warn", "significant", "important", "normal", "shouldfix", "should", "warnings", "orange", "yellow", "sev2", "s2", "2"},
	"P3": {"low", "lowest", "minor", "nit", "nitpick", "trivial", "info", "informational", "note", "nonblocking", "notblocking", "suggestion", "optional", "cosmetic", "style", "nicetohave", "couldfix", "could", "consider", "nits", "nitpicks", "suggestions", "verylow", "minimal", "negligible", "hint", "tip", "notice", "typo", "stylistic", "polish", "improvement", "enhancement", "green", "none", "p4", "p5", "sev3", "sev4", "s3", "s4", "3"},

	string(debate.ClassAgree):     {"agreed", "agrees", "confirm", "confirmed", "confirms", "accept", "accepted", "support", "supported", "supports", "concur", "iagree", "fullyagree", "stronglyagree", "valid", "true", "truepositive", "correct", "yes"},
	string(debate.ClassSkeptical): {"skeptic", "sceptical", "doubt", "doubtful", "doubted", "uncertain", "unsure", "unconvinced", "partial", "partially", "partiallyagree", "neutral"},
	string(debate.ClassReject): {"rejected", "rejects", "disagree", "disagreed", "disagrees", "refute", "refuted", "refutes", "dismiss", "dismissed", "dispute", "disputed", "deny", "invalid", "false", "falsepositive", "incorrect", "wrong", "no",
		"idisagree", "stronglydisagree", "disagreestrongly", "donotagree", "dontagree", "notvalid", "notabug"},
	string(debate.ClassIllFormed): {"malformed", "unclear", "vague"},

	string(debate.Stands): {"stand", "open", "present", "persists", "remains", "unresolved", "unfixed", "notfixed", "stillpresent", "stillthere", "stillopen"},
	string(debate.Fixed):  {"resolved", "addressed", "solved", "gone", "closed", "done"},

	string(debate.VerdictAgree):   {"agreed", "agrees", "approve", "approved", "accept", "accepted", "concur", "iagree", "fullyagree", "stronglyagree", "yes", "true", "lgtm"},
	string(debate.VerdictPartial): {"partially", "partly", "partialagree", "partiallyagree", "partialagreement", "mostlyagree", "mixed"},
	string(debate.VerdictDisagree): {"disagreed", "disagrees", "reject", "rejected", "refute", "oppose", "object", "block", "requestchanges", "changesrequested", "no", "false",
		"idisagree", "stronglydisagree", "donotagree", "dontagree", "notagree"},

	string(debate.StrengthNone):   {"no", "false", "null", "na", "noobjection"},
	string(debate.StrengthMinor):  {"weak", "low", "small", "slight", "light", "trivial"},
	string(debate.StrengthStrong): {"moderate", "medium", "high", "major", "severe", "serious", "critical", "fatal", "blocking", "blocker"},

	string(debate.Keep):   {"approve", "approved", "accept", "accepted", "merge", "mergeasis", "keepasis", "lgtm", "ship", "shipit", "ok", "okay", "pass", "yes"},
	string(debate.Revise): {"requestchanges", "changesrequested", "changesneeded", "needschanges", "needswork", "needsrevision", "revision", "change", "changes", "changesfirst", "amend", "fix", "fixfirst", "rework", "notready"},
	string(debate.Reject): {"rejected", "block", "blocked", "blocking", "close", "decline", "declined", "deny", "denied", "donotmerge", "dontmerge", "nomerge", "blockmerge", "nogo", "rebut", "rebuff", "refute", "disagree", "no"},

	string(debate.Accept): {"accepted", "accepts", "agree", "concede", "conceded", "concedes", "withdraw", "withdrawn", "withdraws", "yield", "yields", "grant", "iconcede", "iaccept", "iagree", "iwithdraw",
		"agreed", "agrees", "admit", "admitted", "drop", "dropped", "drops", "retract", "retracted", "retracts", "withdrawobjection", "withdrawchallenge", "dropobjection", "convinced", "satisfied"},
	string(debate.Partial): {"partially", "partly", "partialaccept", "partiallyaccept", "acceptpartially", "acceptinpart", "partiallyaccepted", "partialacceptance", "acceptedinpart", "partiallyagree",
		"partiallyconcede", "partiallyconceded", "concedepartially", "concedeinpart", "partialconcede", "partialconcession", "amend", "amended", "narrow", "narrowed", "downgrade", "downgraded"},
	string(debate.Maintain): {"maintained", "maintains", "hold", "holds", "insist", "insists", "keep", "uphold", "imaintain", "ihold"},
	string(debate.Escalate): {"escalated", "escalates"},

	string(debate.FatalYes):       {"true", "fatal", "blocking", "blocker", "critical", "severe", "high", "p1", "1"},
	string(debate.FatalNo):        {"false", "none", "notfatal", "nonfatal", "notblocking", "nonblocking", "minor", "low", "0"},
	string(debate.FatalMitigable): {"mitigatable", "mitigated", "partially"},

	string(debate.Contradicts): {"contradict", "contradicted", "refutes", "refute", "against"},
	string(debate.Irrelevant):  {"unrelated", "neutral", "none", "no", "false"},
	string(debate.Supports):    {"support", "supported", "supporting", "yes", "true"},

	string(debate.DeclaredHigh): {"veryhigh", "certain", "sure"},
	string(debate.DeclaredMed):  {"medium", "moderate"},
	string(debate.DeclaredLow):  {"verylow", "unsure"},

	string(debate.Left):  {"base", "old", "before", "original", "removed", "removal", "deleted", "deletion", "minus", "l", "leftside", "oldfile", "previous", "removedline", "removedlines", "deletedline", "deletedlines"},
	string(debate.Right): {"head", "new", "after", "current", "added", "addition", "plus", "r", "rightside", "newfile", "addedline", "addedlines"},
}

// bareWord is a word without capitals and signs.
func bareWord(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

// meant returns the known value with the meaning of a word, "" if there is none.
func meant[T ~string](word string, known ...T) T {
	word = bareWord(word)
	if same := lists.Find(known, func(k T) bool { return word != "" && bareWord(string(k)) == word }); same != "" {
		return same
	}
	return lists.Find(known, func(k T) bool { return slices.Contains(meanings[string(k)], word) })
}

// otherWords are members of entries in which models write a word of ours. Each also has a meaning of
// its own, so only a known word counts.
var otherWords = map[string][]string{
	"class":       {"verdict", "evaluation", "status", "decision", "assessment", "stance", "classification", "vote", "position", "opinion", "judgement", "judgment"},
	"move":        {"response", "decision", "verdict", "action", "answer", "stance", "position"},
	"disposition": {"decision", "verdict"},
	"fatal":       {"severity", "priority", "level"},
	"severity":    {"criticality", "importance", "urgency", "impact", "type", "grade"},
}

// enum reads a word and returns its known value. Numbers, true and false are words too.
func enum[T ~string](o object, name string, known ...T) T {
	v, _ := word(o, name, known...)
	return v
}

// word reads a word like enum; unknown reports a word without a known value.
func word[T ~string](o object, name string, known ...T) (v T, unknown bool) {
	for _, other := range otherWords[name] {
		text := ""
		_ = json.Unmarshal(o.members[other], &text) // only a text is a word
		if o.members[bareWord(name)] == nil && meant(text, known...) != "" {
			o.members[bareWord(name)] = o.members[other]
			delete(o.members, other)
		}
	}
	if raw, ok := o.take(name); ok {
		text := string(raw)
		_ = json.Unmarshal(raw, &text) // if it is a string
		if v = meant(text, known...); v == "" || strings.ContainsAny(text, "[{") {
			o.drop(name)
			return "", strings.Trim(text, " \t\n.-?") != ""
		}
	}
	return v, false
}

// severity reads a severity, see severityIn.
func severity(o object) (s debate.Severity, unknown bool) {
	text := ""
	if json.Unmarshal(o.raw("severity"), &text) == nil {
		if s = severityIn(text); s != "" {
			o.take("severity")
			return s, false
		}
	}
	return word(o, "severity", severities...)
}

// severityIn returns the severity in a text, "" if it has none. Of several words, such as
// "P2 (high)", the severest counts. A denied word, such as "not a blocker", counts only if it
// means something with its denial, as "non-blocking" does. A denial ends with its clause.
func severityIn(text string) (s debate.Severity) {
	if s = meant(text, severities...); s != "" {
		return s
	}
	for _, clause := range clauseEnd().Split(text, -1) {
		denial := ""
		for _, part := range strings.FieldsFunc(clause, func(r rune) bool { return unicode.IsSpace(r) || r == '-' }) {
			part = bareWord(part)
			m := meant(denial+part, severities...)
			switch {
			case slices.Contains(denials, part):
				denial = part
			case m != "":
				denial = ""
				if s == "" || m < s {
					s = m
				}
			}
		}
	}
	return s
}

var severities = []debate.Severity{debate.P1, debate.P2, debate.P3}

var (
	clauseEnd = lazyregexp.New(`[^\pL\pN\s'’-]+|\s-+\s|\bbut\b`)
	denials   = []string{"not", "non", "no", "never", "neither", "nor", "without", "hardly", "isnt", "arent", "doesnt", "cannot", "cant", "wont"}
)
