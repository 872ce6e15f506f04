package infra

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// setting is one attribute of a block, at its line.
type setting struct {
	value string
	line  int
}

// block is the text between two braces of HCL or JSON.
type block struct {
	header   string // the text before the brace
	first    int
	column   int // of its brace in the first line
	last     int
	settings map[string]setting
}

var (
	settingLine = lazyregexp.New(`^\s*"?([A-Za-z_][A-Za-z0-9_]*)"?\s*[=:]\s*(.*)$`)
	opensList   = lazyregexp.New(`^[^\]]*\[[^\]]*$`) // without its end on the same line
	heredocOpen = lazyregexp.New(`<<-?\s*([A-Za-z_][A-Za-z0-9_]*)\s*$`)
)

// Bounds of the blocks of a file.
const (
	maxBlockDepth = 200
	maxSettings   = 64  // of one block
	maxValue      = 512 // bytes of one value
)

// readBlocks calls visit for every block when it ends. Blocks are found by their braces, settings
// by their lines; lists over several lines are joined. It never fails, and its cost is linear. A
// policy in a heredoc is read like the rest. It stops where the nesting is too deep.
func readBlocks(text string, visit func(b *block, parents []*block)) {
	var open []*block
	list := "" // key of a list that is still open
	n := 0
	for raw := range strings.SplitSeq(text, "\n") {
		n++
		line := uncomment(raw)
		if len(line) > check.MaxCodeLine || strings.HasPrefix(strings.TrimSpace(line), "//") {
			continue
		}
		bare := withoutStrings(line)
		if len(open) > 0 {
			b, m := open[len(open)-1], settingLine().FindStringSubmatch(line)
			switch {
			case list != "":
				s := b.settings[list]
				if len(s.value) < maxValue {
					s.value += " " + strings.TrimSpace(line)
				}
				b.settings[list] = s
				if strings.Contains(bare, "]") {
					list = ""
				}
			case m == nil, len(b.settings) >= maxSettings, strings.HasSuffix(bare, "{"), heredocOpen().MatchString(line):
			default:
				key := strings.ToLower(m[1])
				b.settings[key] = setting{value: strings.TrimRight(strings.TrimSpace(m[2]), ","), line: n}
				if opensList().MatchString(bare) {
					list = key
				}
			}
		}
		for i, c := range []byte(bare) {
			switch {
			case c == '{' && len(open) == maxBlockDepth:
				return
			case c == '{':
				list = ""
				open = append(open, &block{header: strings.TrimSpace(line[:strings.IndexByte(line, '{')]), first: n, column: i, settings: make(map[string]setting)})
			case c == '}' && len(open) > 0:
				b := open[len(open)-1]
				open = open[:len(open)-1]
				if b.last = n; b.first == n {
					b.readInline(line[b.column+1 : i])
				}
				visit(b, open)
			}
		}
	}
}

// readInline reads the settings of a block on one line, each up to the next comma outside of
// brackets.
func (b *block) readInline(text string) {
	bare, depth, from := withoutStrings(text)+",", 0, 0
	for i := range len(bare) {
		switch c := bare[i]; {
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		case i == len(text), c == ',' && depth == 0:
			m := settingLine().FindStringSubmatch(text[from:i])
			if from = i + 1; m != nil && len(b.settings) < maxSettings && len(m[2]) < maxValue {
				b.settings[strings.ToLower(m[1])] = setting{value: strings.TrimSpace(m[2]), line: b.first}
			}
		}
	}
}

// withoutStrings blanks the content of double-quoted strings.
func withoutStrings(line string) string {
	out := []byte(line)
	for _, at := range quotedText().FindAllStringSubmatchIndex(line, -1) {
		copy(out[at[2]:at[3]], strings.Repeat(" ", at[3]-at[2]))
	}
	return string(out)
}

var quotedText = lazyregexp.New(`"((?:[^"\\]|\\.?)*)"?`)

// reviewBlocks judges the blocks of Terraform and of policies in JSON.
func reviewBlocks(f *check.File, text string, out *check.Findings) {
	readBlocks(text, func(b *block, parents []*block) {
		if !f.TouchedAny(b.first, b.last) {
			return
		}
		for _, d := range dangers {
			if s := b.settings[d.key]; s.value == d.value {
				out.Hit(f, d.rule, s.line, s.line, debate.Hit{Title: d.title, Body: d.body})
			}
		}
		adminPolicy(f, b, out)
		openIngress(f, b, parents, out)
	})
}

// dangers are settings that are wrong in every context: they allow the deletion of a resource and
// its data, or publish it.
var dangers = []struct{ rule, key, value, title, body string }{
	{destroyRule, "prevent_destroy", "false", "prevent_destroy is false", "Terraform may now delete this resource in any plan. Keep it true, and change it in the same pull request that is meant to delete the resource."},
	{destroyRule, "force_destroy", "true", "force_destroy is true", "Deleting the resource deletes its whole content without a question. Leave it false; empty it by hand when that is meant."},
	{destroyRule, "skip_final_snapshot", "true", "skip_final_snapshot is true", "Deleting the database leaves no copy. Set it to false and name a final_snapshot_identifier."},
	{destroyRule, "deletion_protection", "false", "deletion_protection is false", "One wrong apply deletes the database. Leave it true except in the change that removes it."},
	{publicRule, "acl", `"public-read"`, "Bucket is public-read", bucketBody},
	{publicRule, "acl", `"public-read-write"`, "Bucket is public-read-write", bucketBody},
	{publicRule, "publicly_accessible", "true", "Database has a public address", "The database can be reached from the internet and is guarded by its password alone. Put it into a private subnet."},
}

const (
	destroyRule = "infra/destroy-protection"
	publicRule  = "infra/public-storage"
	bucketBody  = "Everybody on the internet can read the bucket. Keep it private and publish through a CDN or signed links."
)

// everything matches a value for all actions or resources.
var everything = lazyregexp.New(`^\[?\s*"(?:\*|\*:\*)"\s*,?\s*\]?$`)

// having returns the first of some settings with a matching value.
func (b *block) having(value lazyregexp.Regexp, keys ...string) (setting, bool) {
	for _, k := range keys {
		if s := b.settings[k]; value().MatchString(s.value) {
			return s, true
		}
	}
	return setting{}, false
}

// adminPolicy reports a statement that allows every action on every resource.
func adminPolicy(f *check.File, b *block, out *check.Findings) {
	action, all := b.having(everything, "action", "actions")
	resource, whole := b.having(everything, "resource", "resources")
	effect, said := b.settings["effect"]
	denies := said && !strings.EqualFold(strings.Trim(effect.value, `"`), "allow")
	if !all || !whole || denies {
		return
	}
	out.Hit(f, "infra/admin-policy", min(action.line, resource.line), max(action.line, resource.line), debate.Hit{
		Body: "With this role, or a break into a program under it, an attacker owns the account. Name only the needed actions and resources."})
}

// riskyPorts are the ports of remote shells and databases.
var riskyPorts = []int{22, 23, 445, 1433, 1521, 2375, 2379, 3306, 3389, 5432, 5900, 6379, 6443, 9200, 11211, 27017}

// openIngress reports a rule that opens a risky port to the whole internet.
func openIngress(f *check.File, b *block, parents []*block, out *check.Findings) {
	source, open := b.having(everywhere, "cidr_blocks", "cidr_ipv4", "cidr_ipv6", "ipv6_cidr_blocks")
	if !open || !b.isIngress(parents) {
		return
	}
	port := b.riskyPort()
	if port == "" {
		return
	}
	first, last := source.line, source.line
	if !f.TouchedAny(first, last) {
		first, last = b.settings["from_port"].line, b.settings["to_port"].line
	}
	out.Hit(f, "infra/open-ingress", first, last, debate.Hit{Title: port + " is open to the whole internet",
		Body: "Scanners find it within minutes. Name the networks that need it, or go through a bastion or VPN."})
}

// ingressHeader matches the text before the brace of a rule for incoming traffic.
var ingressHeader = lazyregexp.New(`^ingress(?:$| =)|aws_vpc_security_group_ingress_rule`)

func (b *block) isIngress(parents []*block) bool {
	switch {
	case strings.HasPrefix(b.header, "content") && len(parents) > 0:
		return strings.Contains(parents[len(parents)-1].header, `"ingress"`)
	case strings.Contains(b.header, `"aws_security_group_rule"`):
		return b.settings["type"].value == `"ingress"`
	}
	return ingressHeader().MatchString(b.header)
}

// everywhere matches the range of all addresses.
var everywhere = lazyregexp.New(`"(?:0\.0\.0\.0|::)/0"`)

// riskyPort names a risky port of the rule, or returns "".
func (b *block) riskyPort() string {
	switch strings.Trim(b.settings["protocol"].value+b.settings["ip_protocol"].value, `"`) {
	case "-1", "all":
		return "Every port"
	case "icmp", "icmpv6":
		return ""
	}
	low, err1 := strconv.Atoi(b.settings["from_port"].value)
	high, err2 := strconv.Atoi(b.settings["to_port"].value)
	if errors.Join(err1, err2) != nil {
		return ""
	}
	if high-low > 60000 {
		return "Every port"
	}
	i := slices.IndexFunc(riskyPorts, func(p int) bool { return low <= p && p <= high })
	if i < 0 {
		return ""
	}
	return "Port " + strconv.Itoa(riskyPorts[i])
}
