package manifest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// jsonString is a string of the document, with its two keys.
type jsonString struct {
	section, key, value string
	line                int
}

// jsonStrings lists the strings two objects deep. For broken JSON it returns the strings before the
// error.
func jsonStrings(text string) []jsonString {
	dec := json.NewDecoder(strings.NewReader(text))
	var found []jsonString
	open := []level{{}} // the document and the open objects and arrays
	line, offset := 1, 0
	for {
		tok, err := dec.Token()
		if err != nil {
			return found
		}
		in := &open[len(open)-1]
		value, isString := tok.(string)
		if isString && in.object && !in.hasKey {
			in.key, in.hasKey = value, true
			continue
		}
		in.hasKey = false
		if section := open[min(1, len(open)-1)]; isString && in.object && section.object && len(open) == 3 {
			end := int(dec.InputOffset())
			line += strings.Count(text[offset:end], "\n")
			offset = end
			found = append(found, jsonString{section.key, in.key, value, line})
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			open = append(open, level{object: tok == json.Delim('{')})
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
	}
}

// level is an array, or an object with its current key.
type level struct {
	object bool
	key    string
	hasKey bool
}

// stringsIn returns the strings of some sections as dependencies, named by their keys.
func stringsIn(text string, sections ...string) []dependency {
	inSections := func(s jsonString) bool { return slices.Contains(sections, s.section) }
	return lists.Map(lists.Keep(jsonStrings(text), inSections), func(s jsonString) dependency { return dependency{s.key, s.value, s.line} })
}

// harmlessHook matches tools that projects often run after an install.
var harmlessHook = lazyregexp.New(`^(?:(?:npx |yarn |pnpm (?:exec )?)?(?:husky|patch-package|lefthook|simple-git-hooks|is-ci|ngcc|electron-builder|prisma|nuxt|nuxi|svelte-kit|opencollective|preconstruct|manypkg|lerna|only-allow)\b[\w@:./= -]*|exit 0|true)$`)

// reviewHooks reports the scripts that npm runs at an install if the base has no script of the same
// name.
func reviewHooks(f *check.File, text string, out *check.Findings) {
	newHooks := map[string]bool{"preinstall": true, "install": true, "postinstall": true}
	for _, s := range stringsIn(string(f.Base()), "scripts") {
		delete(newHooks, s.name)
	}
	for _, s := range stringsIn(text, "scripts") {
		if newHooks[s.name] && !harmlessHook().MatchString(strings.TrimSpace(s.spec)) {
			out.Hit(f, ruleInstallHook, s.line, s.line, debate.Hit{Body: bodies[ruleInstallHook]})
		}
	}
}

// withoutComment cuts a comment and trims the line.
func withoutComment(line, mark string) string {
	line, _, _ = strings.Cut(" "+line, " "+mark)
	return strings.TrimSpace(line)
}

func parseGoMod(text string) []dependency {
	var deps []dependency
	block := ""
	for i, line := range strings.Split(text, "\n") {
		line = withoutComment(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case block == "":
			deps = append(deps, goDependencies(words[0], words[1:], i+1)...)
		default:
			deps = append(deps, goDependencies(block, words, i+1)...)
		}
	}
	return deps
}

// goDependencies returns the dependencies of one directive of go.mod.
func goDependencies(directive string, words []string, line int) []dependency {
	switch arrow := slices.Index(words, "=>"); {
	case directive == "replace" && arrow > 0 && arrow+1 < len(words):
		return []dependency{{"replace " + words[0], strings.Join(words[arrow+1:], " "), line}}
	case directive == "require" && len(words) == 2:
		return []dependency{{words[0], words[1], line}}
	}
	return nil
}

var requirement = lazyregexp.New(`^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$`)

func parseRequirements(text string) []dependency {
	var deps []dependency
	for i, line := range strings.Split(text, "\n") {
		line = withoutComment(line, "#")
		switch {
		case strings.HasPrefix(line, "-e "), strings.HasPrefix(line, "--editable "):
			_, target, _ := strings.Cut(line, " ")
			deps = append(deps, dependency{target, strings.TrimSpace(target), i + 1})
		case strings.Contains(line, "://") && !strings.Contains(line, " @ ") && !strings.HasPrefix(line, "-"):
			deps = append(deps, dependency{line, line, i + 1})
		default:
			if m := requirement().FindStringSubmatch(line); m != nil {
				deps = append(deps, dependency{m[1], orAny(m[2]), i + 1})
			}
		}
	}
	return deps
}

// orAny returns "any" for a bare name: in these files it is a habit, not a choice.
func orAny(spec string) string {
	if strings.TrimSpace(spec) == "" {
		return "any"
	}
	return spec
}

// linesOf returns a parser of files with one dependency on each line. Mark begins a comment, form
// matches the name and the requested range, and bare replaces an empty range.
func linesOf(mark, bare string, form lazyregexp.Regexp) func(text string) []dependency {
	return func(text string) []dependency {
		var deps []dependency
		for i, line := range strings.Split(text, "\n") {
			if m := form().FindStringSubmatch(withoutComment(line, mark)); m != nil {
				deps = append(deps, dependency{m[1], cmp.Or(m[2], bare), i + 1})
			}
		}
		return deps
	}
}

var (
	pomArtifact = lazyregexp.New(`<artifactId>\s*([^<\s]+)\s*</artifactId>`)
	pomVersion  = lazyregexp.New(`<version>\s*([^<]*?)\s*</version>`)
)

func parsePOM(text string) []dependency {
	var deps []dependency
	name, inside := "", false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.Contains(line, "<dependency>"), strings.Contains(line, "<plugin>"):
			inside, name = true, ""
		case strings.Contains(line, "</dependency>"), strings.Contains(line, "</plugin>"):
			inside = false
		}
		if m := pomArtifact().FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if m := pomVersion().FindStringSubmatch(line); m != nil && inside && name != "" {
			deps = append(deps, dependency{name, m[1], i + 1})
		}
	}
	return deps
}
