// Package docker reads Dockerfiles and leaves the commands of RUN to package shell.
package docker

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

const source = "Dockerfile reference"

// Kind reads Dockerfiles. The rules of the shell family judge the commands of RUN.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "docker/add-url", Source: source, Title: "ADD fetches a URL without a checksum", Severity: debate.P3, Category: "security"},
		{ID: "docker/secret-env", Source: source, Title: "Secret is written into the image", Severity: debate.P2, Category: "security"},
	},
	Review: check.Each(func(f *check.File) bool {
		named := dockerfileName().MatchString(f.NewPath) && !notDockerfile().MatchString(f.NewPath)
		return named && len(f.Added) > 0 && !check.InFixtures(f.NewPath)
	}, review),
}

var (
	dockerfileName = lazyregexp.New(`(?i)(?:^|/)(?:dockerfile|containerfile|dockerfile\.[^/]*|[^/]*\.dockerfile)$`)
	notDockerfile  = lazyregexp.New(`(?i)\.(?:dockerignore|md)$`)
)

// instruction is one instruction of a Dockerfile with its continued lines.
type instruction struct {
	name   string // upper case
	text   string // arguments with their continuations, then heredocs
	places []shell.Place
	first  int
	last   int
}

var (
	heredocMark    = lazyregexp.New(`<<-?["']?([A-Za-z_][A-Za-z0-9_]*)["']?`)
	escapeSetting  = lazyregexp.New("(?i)^#\\s*escape\\s*=\\s*([\\\\`])\\s*$")
	runFlags       = lazyregexp.New(`^\s*--[a-z]+(?:=\S*)?(?: *--[a-z]+(?:=\S*)?)*`)
	takesHeredocs  = map[string]bool{"RUN": true, "COPY": true, "ADD": true}
	aloneHeredoc   = lazyregexp.New(`^[^\S\n]*<<-?["']?[A-Za-z_][A-Za-z0-9_]*["']?[^\S\n]*\n(?s:.)`) // and the text after its line
	dockerAssigned = lazyregexp.New(`(?:^|\s)([A-Za-z_][A-Za-z0-9_]*)=`)
)

// maxHeredocs bounds the heredocs of one instruction.
const maxHeredocs = 8

// saysSomething matches a line that is neither blank nor a comment.
var saysSomething = lazyregexp.New(`^[^#]`)

// readDockerfile splits a Dockerfile into instructions. It never fails, and its cost is linear in
// the size.
func readDockerfile(src string) []instruction {
	lines := strings.Split(src, "\n")
	escape := `\` // at the end of a continued line
	if m := escapeSetting().FindStringSubmatch(strings.TrimSpace(lines[0])); m != nil {
		escape = m[1]
	}
	next := 0             // index of the line to read next
	skip := func() bool { // passes comments and blank lines, and reports whether a line is left
		for next < len(lines) && !saysSomething().MatchString(strings.TrimSpace(lines[next])) {
			next++
		}
		return next < len(lines)
	}
	var all []instruction
	for skip() {
		line := strings.TrimRight(lines[next], "\r")
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, _, _ = strings.Cut(name, "\t")
		in := instruction{name: strings.ToUpper(name), first: next + 1}
		var text strings.Builder
		add := func(line string) {
			in.places = append(in.places, shell.Place{Offset: text.Len(), Line: next + 1})
			text.WriteString(line)
			text.WriteByte('\n')
			next++
		}
		line = strings.TrimRight(line[strings.Index(line, name)+len(name):], " \t\r")
		part, goesOn := strings.CutSuffix(line, escape)
		for goesOn {
			add(part + "\\")
			if !skip() { // Docker drops comments and blank lines between the lines
				break
			}
			line = strings.TrimRight(lines[next], " \t\r")
			part, goesOn = strings.CutSuffix(line, escape)
		}
		if !goesOn {
			add(line)
		}
		if takesHeredocs[in.name] {
			for _, m := range heredocMark().FindAllStringSubmatch(text.String(), maxHeredocs) {
				for ended := false; !ended && next < len(lines); {
					line := strings.TrimRight(lines[next], "\r")
					add(line)
					ended = strings.TrimLeft(line, "\t") == m[1]
				}
			}
		}
		in.text, in.last = text.String(), next
		all = append(all, in)
	}
	return all
}

// windowsShell matches a SHELL instruction for a shell that is not POSIX.
var windowsShell = lazyregexp.New(`(?i)powershell|pwsh|cmd`)

func review(f *check.File, out *check.Findings) {
	src, ok := f.WholeSource()
	if !ok {
		out.NotRead(f, "Dockerfile")
		return
	}
	set := make(map[string]bool)
	shell := true
	for _, in := range readDockerfile(src) {
		switch in.name {
		case "FROM":
			shell = true
		case "SHELL":
			shell = !windowsShell().MatchString(in.text)
		case "ENV", "ARG":
			for _, m := range dockerAssigned().FindAllStringSubmatch(in.text, 64) {
				set[m[1]] = true
			}
			secretEnv(f, in, out)
		case "ADD":
			if addsURL().MatchString(in.text) && !strings.Contains(in.text, "--checksum=") {
				out.Hit(f, "docker/add-url", in.first, in.last, debate.Hit{Body: "The file may change between two builds without notice. Add --checksum=sha256:..., or fetch it in a RUN that checks its SHA-256."})
			}
		case "RUN":
			if shell && f.TouchedAny(in.first, in.last) {
				judgeRun(f, in, set, out)
			}
		}
	}
}

// judgeRun judges the shell form of RUN. The exec form starts no shell.
func judgeRun(f *check.File, in instruction, set map[string]bool, out *check.Findings) {
	flags := len(runFlags().FindString(in.text))
	text := strings.Repeat(" ", flags) + in.text[flags:]
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		return
	}
	script := shell.Script{Text: text, Places: in.places, Set: set}
	if aloneHeredoc().MatchString(text) {
		// The body is the script, unless its first line names another interpreter.
		start := in.places[1].Offset
		script.Text, script.Places = in.text[start:], nil
		if end := strings.LastIndexByte(strings.TrimRight(script.Text, "\n"), '\n'); end >= 0 { // without the mark
			script.Text = script.Text[:end+1]
		}
		for _, p := range in.places[1:] {
			script.Places = append(script.Places, shell.Place{Offset: p.Offset - start, Line: p.Line})
		}
		if shell.OtherInterpreter(script.Text) {
			return
		}
	}
	shell.ReviewScript(f, script, out)
}

var (
	addsURL = lazyregexp.New(`(?i)^\s*(?:--\S+\s+)*https?://`)
	// secretSetting matches KEY=value or KEY value if the key names a secret.
	secretSetting = lazyregexp.New(`(?i)(?:^|\s)((?:[A-Z0-9_]*_)?(?:PASSWORD|PASSWD|SECRET|SECRET_KEY|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY))(?:=|\s+)("[^"]*"|'[^']*'|[^\s\\]+)`)
	// placeholderValue matches a placeholder for a secret from elsewhere.
	placeholderValue = lazyregexp.New(`(?i)^(?:|/.*|true|false|yes|no|none|null|unset|[0-9]{1,3}|.*(?:dummy|change|placeholder|example|replace|your|todo|fake|test|build|insecure|xxx|\*\*\*|<|\$).*)$`)
)

// noSetting matches two neighboring words on a line that sets other keys.
var noSetting = map[string]lazyregexp.Regexp{
	"ARG": lazyregexp.New(`^\s?[^=\s]+\s`),
	"ENV": lazyregexp.New(`(?s)^\s?[^=\s]+\s.*=`),
}

func secretEnv(f *check.File, in instruction, out *check.Findings) {
	for _, m := range secretSetting().FindAllStringSubmatchIndex(in.text, 16) {
		key, value := in.text[m[2]:m[3]], strings.Trim(in.text[m[4]:m[5]], `"'`)
		isOther := noSetting[in.name]().MatchString(in.text[m[0]:m[1]])
		if isOther || placeholderValue().MatchString(value) {
			continue
		}
		line := shell.LineAt(in.places, m[2])
		out.Hit(f, "docker/secret-env", line, line, debate.Hit{Title: in.name + " writes " + check.Shown(key) + " into the image", Redact: check.Redactions(value),
			Body: "Everybody who can pull the image reads the value from its history. Pass it at run time, or mount it during the build with RUN --mount=type=secret."})
	}
}
