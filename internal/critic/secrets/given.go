package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/redact"
)

// place is where a value is a credential for its place alone: after the name of a password, behind a
// flag of a command, in an address. Such values are hidden and make no finding, since many are samples.
type place struct {
	words  []string              // one of them is in such a line, in small letters; nil: all lines
	files  func() *regexp.Regexp // only in files with such a path; nil: in all
	value  func() *regexp.Regexp // its first group that is not empty is the value
	named  bool                  // names of code, words and types have such a place too: only a random value counts
	quoted bool                  // a name of a field may be there
	form   bool                  // the value is known by its form
	base64 bool                  // only a value like the base64 of random bytes counts
}

const (
	passwordName = `(?i:passw(?:or)?d|passwort|passphrase|pwd)`
	givenName    = `(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key)`
	// variable is a name of the environment.
	variable = `(?:[A-Z][A-Z0-9_]*)?(?:PASSWORD|PASSWD|PASSPHRASE|[A-Z]PASS|(?:_|\b)(?:PASS|SECRET|TOKEN|API_?KEY)|_(?:PWD|AUTH))`
	// shell is a word of a command, in quotes or without, and flags are words before it.
	shell = `(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'` + "`" + `|&;()<>\\]+))`
	flags = `(?:[^\n|;&]*?[ \t])?`
)

var places = []place{
	{ // in quotes, on a line of settings, behind a flag, in XML
		words: []string{"passw", "passphrase", "pwd", "secret", "token", "api"}, named: true,
		value: lazyregexp.New(givenName + "[\"']?\\s*(?:=>|:=|={1,3}|:)\\s*[\"'`]" + givenText + "[\"'`]" +
			`|(?m:^[ \t]*(?:[A-Za-z]+[ \t]+)?[\w.-]*` + givenName + `(?:[ \t]*=[ \t]*|:?[ \t]+)` + givenText + `[ \t\r]*$)` +
			`|--?` + givenName + "(?:=|[ \t]+)[\"']?" + givenText +
			`|<\w*` + givenName + `>` + givenText + `</`),
	},
	{ // as base64; it may begin as a path does
		words: []string{"secret", "token", "passw", "pwd", "auth", "key"}, base64: true,
		value: lazyregexp.New("(?i)(?:" + givenName + "|auth|basic|bearer|key)[\\w-]*[\"']?(?:[ \t]*(?:=>|:=|=|:)[ \t]*|[ \t]+)[\"'`]?([\\w+/]{28,}={0,2})"),
	},
	{ // in a sentence of people
		words: []string{"pass", "pwd", "pw", "secret", "token", "key"}, named: true,
		value: lazyregexp.New("(?i)\\b(?:pass(?:w(?:or)?d|wort|phrase)?|pwd|pw|secret|token|api[ _-]?key)\\b[\"'`*_]*" +
			"(?:(?:[ \\t]*[:|][*_]*|[ \\t]+(?:is|was|to|ist))[ \\t]+[\"'`*_]*|[ \\t]+[\"'`])([\\w!@#%^&+?~]{8,64})(?:[\\s\"'`*.,;|)]|$)"),
	},
	{ // in a header of HTTP
		words: []string{"authorization", "cookie", "x-"},
		value: lazyregexp.New("(?i)authorization[\"']?\\s*[:=,]\\s*[\"'`]?(?:basic|bearer|token|apikey)[ \t]+" + givenText +
			"|(?i)authorization[ \\t]+[\"'](?:basic|bearer)[ \\t]+" + givenText +
			"|(?i)cookie[\"']?\\s*[:=,]\\s*[\"'`]?[\\w.-]+=" + givenText +
			"|(?i)\\bx-(?:[a-z]+-)*(?:key|token|secret)[\"']?\\s*:\\s*[\"'`]?" + givenText),
	},
	{ // in an address
		words: []string{"://"},
		value: lazyregexp.New(`://[^\s:/@"'<>]*:([^\s:/@"'<>${}%]+)@[\w.\[-]`),
	},
	{ // tokens of some issuers, signatures of addresses, private keys in JSON and hashes of passwords
		words: []string{"key-", "-us", ":aa", "atbb", "sig=", "signature=", "otpauth", "$", "sha}", "secret_", "pat", "sqp_", "squ_", "sqa_", "oy2", "cio", "hf_", "rnd_", "sntrys_", "/1", "\"d\"", "\"dp\"", "\"dq\"", "\"p\"", "\"q\"", "\"qi\"", "\"k\""}, form: true,
		value: lazyregexp.New(`\b(key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|ATBB[0-9A-Za-z]{28,}|secret_[0-9A-Za-z]{43}|pat[0-9A-Za-z]{14}\.[0-9a-f]{64}|sq[apu]_[0-9a-f]{40}|oy2[0-9a-z]{43}|cio[0-9A-Za-z]{32}|hf_[0-9A-Za-z]{34,}|rnd_[0-9A-Za-z]{28,}|` +
			`sntrys_eyJ[\w+/=-]{40,}|(?:[12]/[0-9]{13,}/|[01]/)[0-9]{13,}:[0-9a-f]{32})\b|(?:\b|bot)([0-9]{8,10}:AA[\w-]{33})\b|[?&](?:sig|X-Amz-Signature)=([\w%+/=-]{20,})` +
			`|otpauth://[^\s"'<>]*[?&]secret=([A-Z2-7]{16,})|"(?:d|dp|dq|p|q|qi|k)"[ \t]*:[ \t]*"([\w-]{42,})"` +
			`|(\$(?:apr1|1|2[abxy]?|5|6|7|y|argon2\w*|scrypt)\$[\w./$=,+-]{20,})|\{S?SHA\}([\w+/]{27,}={0,2})`),
	},
	{ // in a file of credentials
		words: []string{"password"}, files: lazyregexp.New(`(?:^|/)[._]netrc$`),
		value: lazyregexp.New(`\bpassword[ \t]+(\S+)`),
	},
	{
		words: []string{"machine"},
		value: lazyregexp.New(`\bmachine[ \t]+\S+[ \t]+login[ \t]+\S+[ \t]+password[ \t]+(\S+)`),
	},
	{
		words: []string{":"}, files: lazyregexp.New(`(?:^|/)\.?pgpass(?:\.conf)?$`),
		value: lazyregexp.New(`^[^:#]*:[^:]*:[^:]*:[^:]*:(\S+)`),
	},
	{
		files: lazyregexp.New(`(?i)(?:^|/)\.?(?:[\w-]*[_-])?(?:vault|become|sudo)[_-]?pass(?:w(?:or)?d)?(?:[_-]file)?(?:\.txt)?$|(?:^|/)(?:config/master\.key|config/credentials/\w+\.key|\.erlang\.cookie)$`),
		value: lazyregexp.New(`^([^\s#]+)\s*$`),
	},
	{
		words: []string{"_auth", "_password"}, files: lazyregexp.New(`(?:^|/)\.(?:npm|yarn)rc(?:\.yml)?$`),
		value: lazyregexp.New(`_(?:authToken|auth|password)[ \t]*[=:][ \t]*["']?([^\s"']+)`),
	},
	{ // before a command, and in settings without blanks
		words: []string{"pass", "pwd=", "secret=", "token=", "key=", "auth="},
		value: lazyregexp.New(`(?:^|[\s;&|-])` + variable + `=` + shell + `|["']` + variable + "=([^\\s\"'`|&;()<>\\\\]+)"),
	},
	{
		words: []string{"_pass"}, // of Ansible
		value: lazyregexp.New(`\bansible_(?:\w+_)?pass(?:word)?[ \t]*[=:][ \t]*` + shell),
	},
	{ // on a line of settings with a password
		words: []string{"pass", "pwd"}, files: settingsFile,
		value: lazyregexp.New(`^[ \t]*(?:-[ \t]+)?(?:export[ \t]+)?["']?[\w.-]*(?:` + passwordName + `|(?i:[_.-]pass)|[a-z]Pass)["']?(?:[ \t]*=[ \t]*|:[ \t]+)` + shell + `[ \t\r]*(?:[ \t]#.*)?$`),
	},
	{ // in quotes
		words: []string{"pass", "pwd"}, quoted: true,
		value: lazyregexp.New("(?:" + passwordName + ")[\"']?\\s*(?:=>|:=|=|:)\\s*[\"'`]([^\\s\"'`<>{}$%,;()]{4,64})[\"'`]" +
			`|<\w*` + passwordName + `>(?:<[Vv]alue>)?([^<>\n]+)</|^[ \t]*ENV[ \t]+\w*(?:PASSWORD|PASS)[ \t]+(\S+)`),
	},
	{ // next to the name of a variable, in code
		words: []string{"pass", "secret", "token", "key"}, quoted: true,
		value: lazyregexp.New(`["']` + variable + `["'][ \t]*,[ \t]*["']?value["']?[ \t]*[:=][ \t]*["']([^"'\n]+)["']|["']` + variable + `["']\][ \t]*=[ \t]*["']([^"'\n]+)["']|\w\([ \t]*["']` + variable + `["'][ \t]*,[ \t]*["']([^"'\n]+)["'][ \t]*\)|\benv\.` + variable + `[ \t]*(?:\|\||\?\?)[ \t]*["']([^"'\n]+)["']` +
			`|\.(?:set)?[pP]assword\([ \t]*["']([^"'\n]+)["'][ \t]*\)`),
	},
	{ // its default
		words: []string{"${"},
		value: lazyregexp.New(`\$\{` + variable + `:[-=]?([^}$\s]+)\}`),
	},
	{ // a setting of a command
		words: []string{"-d", "--set", "-e", "--extra-vars"},
		value: lazyregexp.New(`(?:[ \t]-D|--set(?:-string)?[ \t=]|[ \t]-e[ \t=]["']?|--extra-vars[ \t=]["']?)(?:[\w.=-]*,)*[\w.-]*(?i:passw(?:or)?d|secret|token)=([^\s"',;|&]+)`),
	},
	{ // a directive of a server
		words: []string{"env", "_param", "pass", "auth", "pw"},
		value: lazyregexp.New(`^[ \t]*(?:(?:setenv|SetEnv|fastcgi_param|env)[ \t]+\w*(?i:pass\w*|pwd|secret|token)|requirepass|masterauth|bindpw|rootpw)[ \t]+["']?([^\s"';]+)`),
	},
	{ // in a string of a connection
		words: []string{"password=", "pwd="},
		value: lazyregexp.New(`(?i)[;?&](?:password|pwd)=([^\s;&"'<>{}$%]+)`),
	},
	{ // of Oracle
		words: []string{"jdbc:oracle"},
		value: lazyregexp.New(`(?i)\bjdbc:oracle:\w+:[^\s/"'@]+/([^\s/"'@]+)@`),
	},
	{ // a flag of a command
		words: []string{"mysql", "mariadb", "mycli"},
		value: lazyregexp.New(`\b(?:mysql\w*|mariadb[\w-]*|mycli)[ \t]` + flags + `-p` + shell),
	},
	{
		words: []string{"curl", "http", "wget"},
		value: lazyregexp.New(`\b(?:curl|https?|wget)[ \t]` + flags + `(?:-u|--user|-a|--auth|--proxy-user|-U)(?:[ \t]*|=)["']?[^\s:"'$]+:([^\s"'$]+)`),
	},
	{
		words: []string{"login", "sshpass", "mongo"},
		value: lazyregexp.New(`\b(?:(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|az|oc|cf|argocd|helm registry)[ \t]+login|sshpass|mongo\w*)[ \t]` + flags + `-p[ \t]*` + shell),
	},
	{
		words: []string{"redis-cli", "sqlcmd", "ldap", "smbclient", "rpcclient"},
		value: lazyregexp.New(`\bredis-cli[ \t]` + flags + `-a[ \t]+` + shell + `|\bsqlcmd[ \t]` + flags + `-P[ \t]*` + shell + `|\bldap\w+[ \t]` + flags + `-w[ \t]+` + shell +
			`|\b(?:smbclient|rpcclient)[ \t]` + flags + `-U[ \t]*["']?[^\s%]+%([^\s"']+)`),
	},
	{
		words: []string{"chpasswd", "password-stdin", "sudo", "htpasswd"},
		value: lazyregexp.New(`\becho[ \t]+(?:-n[ \t]+)?["']?[\w.-]+:([^\s"'|]+)["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd|\becho[ \t]+(?:-n[ \t]+)?` + shell + `[ \t]*\|[ \t]*(?:sudo[ \t]+-S|[\w-]+[ \t][^\n|]*--password-stdin)` +
			`|\bhtpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)*\S+[ \t]+\S+[ \t]+` + shell),
	},
	{
		words: []string{"unzip", "zip ", "7z"}, // of archives
		value: lazyregexp.New(`\b(?:un)?zip[ \t]` + flags + `-P[ \t]*` + shell + `|\b7za?[ \t]` + flags + `-p` + shell),
	},
	{
		words: []string{"mnemonic", "seed_phrase", "app_key"},
		value: lazyregexp.New(`(?i)(?:mnemonic|seed_?phrase)["']?\s*[:=]\s*["']([a-z]+(?: [a-z]+)+)["']|\bAPP_KEY=["']?(base64:[\w+/=]{20,})`),
	},
	{
		words: []string{"-pass"}, // of openssl
		value: lazyregexp.New(`-pass(?:in|out)?[ \t]+["']?pass:([^\s"']+)`),
	},
	{
		words: []string{"storepass", "keypass", "--pass"},
		value: lazyregexp.New(`-(?:storepass|keypass|srcstorepass|deststorepass)[ \t]+` + shell + `|--pass(?:word|phrase|wd)?(?:=|[ \t]+)` + shell),
	},
	{
		words: []string{"from-literal", "_authtoken", "aws_secret_access_key", "password="},
		value: lazyregexp.New(`--from-literal(?:=|[ \t]+)["']?[\w.-]*=([^\s"']+)|\bconfig[ \t]+set[ \t]+\S*_authToken(?:=|[ \t]+)(\S+)|\bset[ \t]+aws_secret_access_key[ \t]+(\S+)|\bvault[ \t]+login[ \t]` + flags + `password=(\S+)`),
	},
	{ // a literal of a language
		words: []string{"identified", "set password", "password '", "asplaintext", "define", "storepassword", "keypassword", "psk=", "auth=(", "basicauth(", "secret_key", "getconnection", "plainauth", "jwt."},
		value: lazyregexp.New(`(?i)\bset[ \t]+password\b[^\n;]*=[ \t]*'([^'\n]+)'|(?:\b(?:user|grant)\b[^\n;]*[ \t]identified|(?-i:\bIDENTIFIED))[ \t]+by[ \t]+(?:password[ \t]+)?["']([^"'\n]+)["']|\b(?:with|user|role)\b[^\n;]*[ \t]password[ \t]+'([^'\n]+)'` +
			`|\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["']([^"'$\n]+)["'][ \t]+-AsPlainText|\bdefine\([ \t]*["']\w*(?:PASSWORD|_KEY|_SALT)["'][ \t]*,[ \t]*["']([^"'\n]+)["']` +
			`|\b(?:storePassword|keyPassword)[ \t]*=?[ \t]*["']([^"'$\n]+)["']|\bpsk=["']?([^\s"']+)|\bauth=\([ \t]*["'][^"'\n]*["'][ \t]*,[ \t]*["']([^"'\n]+)["']` +
			`|BasicAuth\([ \t]*["'][^"'\n]*["'][ \t]*,[ \t]*["']([^"'\n]+)["']|\bsecret_key(?:_base)?["']?\]?[ \t]*[=:][ \t]*b?["']([^"'\n]{6,})["']|\bgetConnection\([^()\n]*,[ \t]*"[^"\n]*",[ \t]*"([^"\n]+)"|\bPlainAuth\([^()\n]*,[ \t]*"([^"\n]+)",[^,()\n]+\)` +
			`|\bjwt\.(?:sign|verify|encode|decode)\([^()\n]*?,[ \t]*["']([^"'\n]+)["']`),
	},
}

const givenText = "([^\\s\"'`<>(){}$;,]{8,200})"

// given lists the values in a line of a file to hide for their place. A value that may also be a
// word of the code is hidden only in this place.
func given(near []place, path, line string) []string {
	var found []string
	for _, p := range near {
		if p.files != nil && !p.files().MatchString(path) {
			continue
		}
		for _, at := range p.value().FindAllStringSubmatchIndex(line, -1) {
			for i := 2; i < len(at); i += 2 {
				if at[i] < 0 || at[i] == at[i+1] {
					continue
				}
				value := line[at[i]:at[i+1]]
				random := len(value) >= 8 && mixed().MatchString(value) && !named().MatchString(value) && !noPassword().MatchString(value) && !isPlaceholder(value)
				switch {
				case p.base64 && !looksLikeKey(value):
				case random, p.form, p.base64:
					found = append(found, value)
				case !p.named && !isVariable(value) && !(p.quoted && aboutPasswords().MatchString(value)):
					found = append(found, redact.After(strings.TrimLeft(line[at[0]:at[i]], " \t"), value))
				}
			}
		}
	}
	return found
}

// inManifest lists the values of the Secrets of Kubernetes in a text.
func inManifest(lines []string) []string {
	isSecret := func(line string) bool { return strings.TrimRight(line, " \r") == "kind: Secret" }
	if !slices.ContainsFunc(lines, isSecret) {
		return nil
	}
	var found []string
	begin := 0 // of the document
	for i := 0; i <= len(lines); i++ {
		if i < len(lines) && !strings.HasPrefix(lines[i], "---") {
			continue
		}
		if doc := lines[begin:i]; slices.ContainsFunc(doc, isSecret) {
			data := false
			for _, line := range doc {
				if !strings.HasPrefix(line, " ") && strings.TrimSpace(line) != "" {
					data = strings.HasPrefix(line, "data:") || strings.HasPrefix(line, "stringData:")
				}
				name, value, isEntry := strings.Cut(line, ": ")
				if value = strings.Trim(value, " \"'\r"); data && isEntry && value != "" && !strings.ContainsAny(value[:1], "|>#&*{") && !isVariable(value) {
					found = append(found, redact.After(strings.TrimLeft(line[:len(name)+strings.Index(line[len(name):], value)], " "), value))
				}
			}
		}
		begin = i
	}
	return found
}

// inPairs lists the values below the name of a secret variable, as manifests of Kubernetes have them.
func inPairs(lines []string) []string {
	var found []string
	for i, line := range lines[:max(len(lines)-1, 0)] {
		if !secretName().MatchString(line) {
			continue
		}
		if m := valueBelow().FindStringSubmatch(lines[i+1]); m != nil && !isVariable(m[2]) {
			found = append(found, redact.After(m[1], m[2]))
		}
	}
	return found
}

var (
	secretName = lazyregexp.New(`^[ \t]*(?:-[ \t]+)?["']?name["']?:[ \t]*["']?` + variable + `["']?,?[ \t\r]*$`)
	valueBelow = lazyregexp.New(`^[ \t]*(["']?value["']?:[ \t]*["']?)([^"'\n]+?)["']?,?[ \t\r]*$`)
)

// isVariable reports whether a value of a certain place refers to another one, says that it is a
// sample, or is a word of settings.
func isVariable(value string) bool {
	return reference().MatchString(value) || slices.ContainsFunc(placeholders, func(word string) bool { return strings.Contains(strings.ToLower(value), word) })
}

var reference = lazyregexp.New(`(?i)^[$%&*!(\[{@./~-]|^[~^<>=v]*[0-9]+\.[0-9]|\$[({\w]|[({]$|[,)]$|^[a-z_]\w{0,29}(?:[.\[(]|->)[a-z_"']|^[0-9]{1,3}$|^(?:env|file|vault|arn|op|aws|gcp|secretsmanager|ssm)[:./]` +
	`|^(?:true|false|yes|no|none|null|nil|undefined|string|str|text|required|optional|default|pass|password|passwd|pwd|pw|secret|token|stdin|prompt|env|file|vault|flags?|options?|arguments?|to|is|and|or|for|from|in|with|the|as|must|should|can|will|when|if|are)$`)

// aboutPasswords matches the name of a field: FieldPassword = "user_password".
var aboutPasswords = lazyregexp.New(`(?i)pass|pwd|secret|token|cred|auth`)

// named matches the name of a value or of a form in the place of one: token = previousToken2,
// password = cfg.Password2, token: base64url. Hidden, it would be missing from the code that models
// read.
var named = lazyregexp.New(`^[A-Za-z_]\w{0,29}[.\[][A-Za-z_]|^[A-Za-z_]+[0-9]{0,2}$|^(?i:base|sha|md|utf|aes|rsa|hmac|hs|rs|es|ed|(?:var)?char|u?int|argon|pbkdf)[-_]?[0-9]`)

// mixed matches a value with letters and digits.
var mixed = lazyregexp.New(`[A-Za-z].*[0-9]|[0-9].*[A-Za-z]`)
