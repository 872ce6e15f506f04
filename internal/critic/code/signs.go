package code

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// sign is one form of what a rule looks for.
type sign struct {
	rule        string
	language    *language
	form        lazyregexp.Regexp // in a line; its last byte is code, and no text or comment
	unless      lazyregexp.Regexp // what makes it right, in the line
	around      lazyregexp.Regexp // what has to stand in the lines around it
	notAround   lazyregexp.Regexp // what must not
	notIn       lazyregexp.Regexp // what must not stand in the file
	severity    debate.Severity   // "": that of the rule
	title, body string            // "": that of the rule
}

// signsOf are those that are looked for in a file: in tests only what is left of debugging.
func signsOf(l *language, inTest bool) []sign {
	looked := slices.Concat(dangers, debugging)
	if inTest {
		looked = slices.Concat(debugging, ofTests)
	}
	return slices.DeleteFunc(looked, func(s sign) bool { return s.language != l })
}

// stands reports whether a line has the sign. Few lines have its form, so that comes
// first: what is around them is far longer.
func (s sign) stands(l line) bool {
	if at := s.form().FindStringIndex(l.text); at == nil || !l.isCode(at[1]-1) {
		return false
	}
	for _, context := range []struct {
		re    lazyregexp.Regexp
		text  string
		wants bool
	}{{s.unless, l.text, false}, {s.around, l.near, true}, {s.notAround, l.near, false}, {s.notIn, l.all, false}} {
		if context.re != nil && context.re().MatchString(context.text) != context.wants {
			return false
		}
	}
	return true
}

// isCode reports whether the byte at i is code, and no blank.
func (l line) isCode(i int) bool { return l.bare[i] == l.text[i] && l.bare[i] != ' ' }

// bodies say what is wrong, and what to do.
var bodies = map[string]string{
	"code/tls-off":     "Anybody on the way can read and replace what is transferred. Trust the server's certificate authority instead.",
	"code/sql-built":   "If you choose the value, you can change the query. Leave a placeholder in the query and pass the value as its parameter.",
	"code/shell-built": "If users choose the value, they can run commands of their own. Pass the program and its arguments as a list, without a shell.",
	"code/unpickle":    "The sender of the request can run code here, since the format names the calls. Take a format that holds data only, such as JSON.",
	"code/debug-left":  "Take it out before merging.",
}

func (s sign) hit() debate.Hit {
	return debate.Hit{Title: check.Shown(s.title), Body: cmp.Or(s.body, bodies[s.rule]), Severity: s.severity}
}

// Parts of the forms below. A value is an expression that is neither a constant by
// its name nor made harmless by what is called.
const (
	verb     = `(?i:select|insert|update|delete|merge)\s`
	compared = `(?i:=|<|>|\blike|\bvalues\s*\()\s*['"%]*`
	request  = `(?:self\.|flask\.)?request\.\w+`
	inBraces = `\{\s*(?:[a-z_][a-z0-9_]*(?:\.[a-z_]\w*|\[[^\]{}]*\])*)\s*(?:![rsa])?\}`
	nodeData = `(?:req|request|ctx|ctx\.request|event)\.(?:params|query|body|headers|cookies|queryStringParameters|pathParameters)\b`
	inner    = `\((?:[^()]|\([^()]*\))*\)`
	local    = `://(?:localhost|127\.0\.0\.1|\[::1\])`
)

const harmlessCall = `\b(?:shlex|shquote|quote|escape)\w*[.(]`

var harmless = lazyregexp.New(harmlessCall)

// marks are the places of values, as many as there are, which parts of a query are made of.
var marks = lazyregexp.New(harmlessCall + `|%\s*\(?[^)]*\b(?:values|placeholders|params|markers|marks|binds)\b`)

var dangers = []sign{
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`\b(?:requests|httpx|session|client)\.(?:get|post|put|patch|delete|head|options|request|stream)\(.*\bverify\s*=\s*False\b`), unless: lazyregexp.New(local)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`\bhttpx\.(?:Async)?Client\(.*\bverify\s*=\s*False\b`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`^\s*verify\s*=\s*False\b`), around: lazyregexp.New(`\b(?:requests|httpx|session)\.(?:get|post|put|patch|delete|head|options|request|stream|(?:Async)?Client)\(\s*(?:\n|$)`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`^\s*(?:\w+\.)*\w*session\.verify\s*=\s*False\b`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`=\s*ssl\._create_unverified_context\b`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`\.check_hostname\s*=\s*False\b`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`\.verify_mode\s*=\s*ssl\.CERT_NONE\b`), unless: lazyregexp.New(`^[^#]*\bCERT_NONE\s+if\s[^#]*\selse\s`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`\bTCPConnector\([^)]*\b(?:verify_)?ssl\s*=\s*False\b`)},
	{rule: "code/tls-off", language: python, form: lazyregexp.New(`[(,]\s*cert_reqs\s*=\s*(?:ssl\.CERT_NONE\b|["']CERT_NONE["'])`)},
	{rule: "code/tls-off", language: golang, form: lazyregexp.New(`\bInsecureSkipVerify\s*[:=]\s*true\b`), notAround: lazyregexp.New(`\bVerify(?:Connection|PeerCertificate)\b`)},
	{rule: "code/tls-off", language: javascript, form: lazyregexp.New(`\brejectUnauthorized["']?\s*:\s*false\b`)},
	{rule: "code/tls-off", language: javascript, form: lazyregexp.New(`process\.env(?:\.|\[["'])NODE_TLS_REJECT_UNAUTHORIZED(?:["']\])?\s*=\s*(?:["']0["']|0\b)`)},

	{rule: "code/sql-built", language: python, form: lazyregexp.New(`\bexecute(?:many|script)?\(\s*f(?:"""|"|')\s*` + verb + `.*` + compared + inBraces + `.*["']`), unless: harmless},
	{rule: "code/sql-built", language: python, form: lazyregexp.New(`\bexecute(?:many|script)?\(\s*(?:"\s*` + verb + `[^"]*` + compared + `%s[^"]*"|'\s*` + verb + `[^']*` + compared + `%s[^']*')\s*%\s*[a-z_(]`), unless: marks},
	{rule: "code/sql-built", language: python, form: lazyregexp.New(`\bexecute(?:many|script)?\(\s*["']\s*` + verb + `.*` + compared + `["']\s*\+\s*[a-z_]\w*`), unless: harmless},
	{rule: "code/sql-built", language: python, form: lazyregexp.New(`\bexecute(?:many|script)?\(\s*["']\s*` + verb + `.*` + compared + `\{\w*\}.*["']\.format\(`), unless: harmless},
	{rule: "code/sql-built", language: golang, form: lazyregexp.New(`\.(?:Query|QueryRow|Exec)(?:Context)?\(.*\bfmt\.Sprintf\("\s*` + verb + `[^"]*` + compared + `%[sv][^"]*"`)},
	{rule: "code/sql-built", language: golang, form: lazyregexp.New(`\.(?:Query|QueryRow|Exec)(?:Context)?\(.*"\s*` + verb + `[^"]*(?i:=|<|>|\blike)\s*'?"\s*\+\s*[a-z]\w*`), unless: lazyregexp.New(`\+\s*(?:strconv\.|(?:\w+\.)*(?:db|dialect|driver)\.\w+\(|\w*(?i:placeholder|quote|escape))`)},
	{rule: "code/sql-built", language: javascript, severity: debate.P1, form: lazyregexp.New("\\.(?:query|execute|raw|\\$queryRawUnsafe|\\$executeRawUnsafe)\\(\\s*`\\s*" + verb + "[^`]*" + compared + `\$\{\s*` + nodeData + "[^`]*`"), unless: harmless},
	{rule: "code/sql-built", language: javascript, severity: debate.P1, form: lazyregexp.New(`\.(?:query|execute|raw|\$queryRawUnsafe|\$executeRawUnsafe)\(\s*["']\s*` + verb + `.*` + compared + `["']\s*\+\s*` + nodeData), unless: harmless},

	{rule: "code/shell-built", language: python, form: lazyregexp.New(`\bsubprocess\.\w+\(\s*f["'].*` + inBraces + `.*["'].*\bshell\s*=\s*True\b`), unless: harmless},
	{rule: "code/shell-built", language: python, form: lazyregexp.New(`\bsubprocess\.\w+\(\s*["'][^"']*["']\s*(?:\+\s*[a-z_]|%\s*[a-z_(]|\.format\().*\bshell\s*=\s*True\b`), unless: harmless},
	{rule: "code/shell-built", language: python, severity: debate.P1, form: lazyregexp.New(`\bsubprocess\.\w+\(\s*` + request + `.*\bshell\s*=\s*True\b`), unless: harmless},
	{rule: "code/shell-built", language: python, form: lazyregexp.New(`\bos\.(?:system|popen)\(\s*f["'].*` + inBraces + `.*["']`), unless: harmless},
	{rule: "code/shell-built", language: python, form: lazyregexp.New(`\bos\.(?:system|popen)\(\s*["'][^"']*["']\s*(?:\+\s*[a-z_]|%\s*[a-z_(]|\.format\()`), unless: harmless},
	{rule: "code/shell-built", language: javascript, severity: debate.P1, form: lazyregexp.New("(?:^|[^.\\w])(?:child_process\\.)?exec(?:Sync)?\\(\\s*`[^`]*\\$\\{\\s*" + nodeData + "[^`]*`")},
	{rule: "code/shell-built", language: javascript, severity: debate.P1, form: lazyregexp.New(`(?:^|[^.\w])(?:child_process\.)?exec(?:Sync)?\(\s*["'][^"']*["']\s*\+\s*` + nodeData)},

	{rule: "code/unpickle", language: python, form: lazyregexp.New(`\b(?:c?[pP]ickle|dill|cloudpickle|jsonpickle)\.(?:loads?|decode)\(.*\brequest\.\w`)},
	{rule: "code/unpickle", language: python, form: lazyregexp.New(`\byaml\.(?:unsafe_load(?:_all)?\(.*\brequest\.\w|load(?:_all)?\(.*\brequest\.\w.*(?:\bLoader\s*=|,)\s*(?:yaml\.)?C?(?:Unsafe)?Loader\s*\))`)},
	{
		rule: "code/unpickle", language: python, severity: debate.P2, title: "YAML of a client is read without a safe loader",
		body:   "Before PyYAML 5.4 the sender of the request can run code here, and since 6.0 the call fails for want of a loader. Use yaml.safe_load.",
		form:   lazyregexp.New(`\byaml\.load(?:_all)?\((?:[^(),;]|` + inner + `|\()*\brequest\.\w[^,;]*\)`),
		unless: lazyregexp.New(`,\s*$|\brequest\.(?:content|text)\s*\)`), // of an answer
		notIn:  lazyregexp.New(`\bruamel\b|\bYAML\(`),
	},
}

// debugging is looked for in tests, too, and ofTests in them alone.
var (
	debugging = []sign{
		{rule: "code/debug-left", language: javascript, title: "A debugger statement is left in", form: lazyregexp.New(`(?:^|[;{}\s])debugger\s*(?:;|\}|$)`)},
		{rule: "code/debug-left", language: javascript, title: "Only this test runs, all others are left out", severity: debate.P2, form: lazyregexp.New(`^\s*(?:it|test|describe|context|specify)\.only(?:\.each)?\s*\(`)},
		{rule: "code/debug-left", language: python, title: "A breakpoint is left in", form: lazyregexp.New(`(?:^|[;:\s])(?:(?:i?pdb|pudb|wdb)\.set_trace|breakpoint)\(\)`), unless: lazyregexp.New(`\b(?:async\s+)?def\s`)},
		{rule: "code/debug-left", language: ruby, title: "A breakpoint is left in", form: lazyregexp.New(`^\s*(?:binding\.(?:pry|irb)|byebug)\s*$`)},
	}
	ofTests = []sign{
		{rule: "code/debug-left", language: javascript, title: "Only this test runs, all others are left out", severity: debate.P2, form: lazyregexp.New("^\\s*(?:fdescribe|fit|fcontext)\\s*\\(\\s*[\"'`]")},
	}
)
