package code

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// sign is one form of a dangerous line.
type sign struct {
	rule        string
	language    *language
	form        lazyregexp.Regexp // in a line; its last byte is code, neither text nor comment
	unless      lazyregexp.Regexp // makes it right, in the line
	around      lazyregexp.Regexp // must match the lines around it
	notAround   lazyregexp.Regexp // must not match them
	notIn       lazyregexp.Regexp // must not match in the file
	severity    debate.Severity   // "": the rule's severity
	title, body string            // "": the rule's text
}

// matches reports whether a line has the sign. The form comes first: few lines have it, and the
// lines around them are far longer.
func (s sign) matches(l line) bool {
	at := s.form().FindStringIndex(l.text)
	if at == nil {
		return false
	}
	if end := l.bare[at[1]-1]; end != l.text[at[1]-1] || end == ' ' {
		return false // inside a string or a comment, or a blank
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

// bodies tell the problem and the remedy.
var bodies = map[string]string{
	"code/tls-off":     "Anybody on the way can read and replace the data. Trust the server's certificate authority instead.",
	"code/sql-built":   "If you choose the value, you can change the query. Leave a placeholder in the query and pass the value as its parameter.",
	"code/shell-built": "If users choose the value, they can run commands of their own. Pass the program and its arguments as a list, without a shell.",
	"code/unpickle":    "The sender of the request can run code here, since the format names the calls. Take a format that holds data only, such as JSON.",
	"code/debug-left":  "Take it out before merging.",
}

// Parts of the forms below. A value is an expression that is neither a constant by its name nor
// the result of a call that makes it harmless.
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

// marks matches a list of placeholders as part of a query, one for each value.
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
		unless: lazyregexp.New(`,\s*$|\brequest\.(?:content|text)\s*\)`), // an HTTP response
		notIn:  lazyregexp.New(`\bruamel\b|\bYAML\(`),
	},
}

// debugging applies to tests, too, ofTests only to tests.
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
