package secrets

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	ahocorasick "github.com/BobuSumisu/aho-corasick"

	"github.com/prdebate/debate/internal/lists"
)

// ruleSet has gitleaks' rules and ours.
//
// gitleaks looks for keywords in a whole fragment and then runs every rule with one of them over
// all of it. Short keywords such as "key" are in almost every file, so this set looks for them line
// by line and tries a rule only on lines with its keywords. A large change costs one pass.
type ruleSet struct {
	rules    []rule
	keywords *ahocorasick.Trie
	having   [][]int    // by index of the keyword: the indexes of its rules, and behind them of its places
	excused  *exception // applies to every rule
}

type rule struct {
	form
	expr     *regexp.Regexp // its regex
	spans    bool           // its secrets cover several lines
	byVendor bool           // it looks for a vendor's name and an assignment
}

// spanning are the rules with secrets over several lines.
var spanning = map[string]bool{"private-key": true, "kubernetes-secret-yaml": true}

const (
	// genericRule is the one rule without a format, only with assignments.
	genericRule = "generic-api-key"
	// urlPasswordRule is our rule for passwords in addresses.
	urlPasswordRule = "url-password"
)

// assignment is the beginning of gitleaks' expressions with a vendor's name and the length of a
// value, but no format of the vendor's tokens.
const assignment = `[\w.-]{0,50}?(?:`

// known is made at its first use: it compiles some 220 expressions.
var known = sync.OnceValue(loadRules)

func loadRules() *ruleSet {
	forms, excused := gitleaksForms()
	byID := make(map[string]form)
	for _, f := range slices.Concat(forms, supplements(), []form{passwords()}) {
		byID[f.id] = f
	}
	s := &ruleSet{excused: excused}
	having := make(map[string][]int)
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		r := byID[id]
		if r.regex == "" {
			continue // about the names of files
		}
		for _, k := range r.keywords {
			k = strings.ToLower(k)
			having[k] = append(having[k], len(s.rules))
		}
		s.rules = append(s.rules, rule{form: r, expr: regexp.MustCompile(r.regex), spans: spanning[id], byVendor: strings.Contains(r.regex, assignment)})
	}
	for i, p := range places {
		for _, word := range p.words {
			having[word] = append(having[word], len(s.rules)+i)
		}
	}
	words := slices.Sorted(maps.Keys(having))
	s.having = lists.Map(words, func(k string) []int { return having[k] })
	s.keywords = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
	return s
}

// candidates returns the rules and the places with a keyword in the text, in order.
func (s *ruleSet) candidates(text string) (rules []rule, near []place) {
	var indexes []int
	for i, p := range places {
		if p.words == nil {
			indexes = append(indexes, len(s.rules)+i)
		}
	}
	s.keywords.Walk([]byte(strings.ToLower(text)), func(_, _, keyword int64) bool {
		indexes = append(indexes, s.having[keyword]...)
		return true
	})
	slices.Sort(indexes)
	for _, i := range slices.Compact(indexes) {
		if i < len(s.rules) {
			rules = append(rules, s.rules[i])
		} else {
			near = append(near, places[i-len(s.rules)])
		}
	}
	return rules, near
}

// supplements are rules for documented token formats missing from gitleaks. They set no upper
// length, because issuers lengthen their tokens.
func supplements() []form {
	return []form{
		{
			// Installation tokens became "ghs_", the id of the app, and a JWT.
			id:       "github-token",
			regex:    `\b(?:gh[opsur]_[0-9A-Za-z_.-]{36,}|github_pat_\w{40,})`,
			entropy:  3,
			keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		},
		{
			id:       "openai-token",
			regex:    `\bsk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{40,}`,
			entropy:  3.5,
			keywords: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"},
		},
		{
			id:       "anthropic-token",
			regex:    `\bsk-ant-[a-z]+[0-9]+-[0-9A-Za-z_-]{40,}`,
			entropy:  3.5,
			keywords: []string{"sk-ant-"},
		},
		{
			id: "issuer-token",
			regex: `\b(?:sk-or-v1-[0-9a-f]{64}|GOCSPX-[\w-]{24,}|dckr_[a-z]+_[\w-]{20,}|whsec_[0-9A-Za-z+/=]{32,}|gsk_[0-9A-Za-z]{40,}|r8_[0-9A-Za-z]{37,}|` +
				`tskey-[a-z]+-[\w-]{20,}|bk[ua]a_[0-9a-f]{40}|CCI[PR][A-Z]{2}_\w{20,}|sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}|nfp_\w{36,}|figd_[\w-]{40,}|CFPAT-[\w-]{40,}|xai-\w{60,}|ntn_[0-9A-Za-z]{40,}|` +
				`tfp_\w{40,}|NRAK-[0-9A-Z]{27}|tvly-[\w-]{28,}|fc-[0-9a-f]{32}|lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}|sk-lf-[0-9a-f]{8}-[0-9a-f-]{27}|phx_[0-9A-Za-z]{40,}|` +
				`vercel_blob_rw_\w{20,}|vc[pikar]_\w{40,}|cf[ua]t_\w{40,})`,
			entropy: 3,
			keywords: []string{
				"sk-or-v1-", "gocspx-", "dckr_", "whsec_", "gsk_", "r8_", "tskey-", "bkua_", "bkaa_", "ccipat_", "ccirat_", "sbp_", "sb_secret_", "nfp_", "figd_", "cfpat-", "xai-", "ntn_", "tfp_", "nrak-",
				"tvly-", "fc-", "lsv2_", "sk-lf-", "phx_", "vercel_blob_rw_", "vcp_", "vci_", "vck_", "vca_", "vcr_", "cfut_", "cfat_",
			},
		},
		addresses(),
	}
}

// addresses finds the password in the address of a database or queue, in the drivers' notations.
func addresses() form {
	const (
		service = `(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|mssql|oracle|cockroachdb|rediss?|amqps?)(?:\+\w+)?`
		inURL   = service + `://[^\s:/@"'<>]*:([^\s:/@"'<>${}]{8,})@[0-9a-z]`
		inGo    = "\\b[\\w.-]+:([^\\s\"'`<>${}()]{8,})@(?:tcp|unix)\\("

		// After a semicolon, a value ends with the next semicolon, any other with an ampersand.
		begins = "[^\\s;&\"'`<>{}$%#@(*.]"
		field  = "(" + begins + "[^\\s;\"'`<>{}]{7,})(?:[\\s;\"'`<]|$)"
		query  = "(" + begins + "[^\\s&\"'`<>{}]{7,})(?:[\\s&\"'`<]|$)"
		name   = `(?:password|pwd)`
		inJava = "\\bjdbc:[^\\s\"'`<>]*(?:;" + name + "=" + field + "|[?&]" + name + "=" + query + ")"
		key    = `(?:server|data source|host|dsn|driver|database|initial catalog|user id|uid)`
		inADO  = `\b` + key + "\\s*=[^\"'`<>]*;\\s*" + name + `\s*=\s*` + field
	)
	return form{
		id:      urlPasswordRule,
		regex:   inURL + "|" + inGo + "|" + inJava + "|" + inADO,
		entropy: 2.9, // eight different characters have 3
		keywords: []string{
			"postgres://", "postgresql://", "mysql://", "mariadb://", "mongodb://", "mongodb+srv://", "redis://", "rediss://", "amqp://", "amqps://",
			"postgres+", "postgresql+", "mysql+", "mariadb+", "mssql+", "oracle+", "cockroachdb+", "@tcp(", "@unix(", "jdbc:", ";password", ";pwd", "; password", "; pwd",
		},
	}
}
