package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// check finds values with the right form but without a sensible meaning.
func (d *decoder) check(c Config) {
	d.checkParties(c.Parties)
	d.checkGlobs("paths.ignore", c.Paths.Ignore)
	d.checkGlobs("paths.proposal", c.Paths.Proposal)
	for i, one := range c.Instructions {
		path := fmt.Sprintf("instructions[%d]", i)
		d.checkGlobs(path+".paths", one.Paths)
		d.checkBlank(path+".text", one.Text)
	}
	for i, one := range c.Critical {
		path := fmt.Sprintf("critical[%d]", i)
		d.checkGlobs(path+".paths", one.Paths)
		d.checkPatterns(path+".patterns", one.Patterns)
		if !d.has(path+".paths[0]") && !d.has(path+".patterns[0]") {
			d.errorf(d.at[path], "%s names neither paths nor patterns, so that every change would be critical", path)
		}
	}
	d.checkKnown(c.Known)
	d.checkExecution(c.Execution)
}

// checkBlank reports a blank text. An empty one is already reported.
func (d *decoder) checkBlank(path, text string) {
	if text != "" && strings.TrimSpace(text) == "" {
		d.errorf(d.at[path], "%s is empty", path)
	}
}

func (d *decoder) has(path string) bool {
	_, ok := d.at[path]
	return ok
}

// strange are globs without a sensible meaning, and the reason; %s is the glob.
var strange = []struct {
	is  func(glob string) bool
	why string
}{
	{func(g string) bool { return !doublestar.ValidatePattern(g) }, "is no valid glob"},
	{func(g string) bool { return strings.HasPrefix(g, "/") }, "never matches: paths begin at the root of the repository, without /"},
	{func(g string) bool { return strings.HasPrefix(g, "./") }, "never matches: paths begin at the root of the repository, without ./"},
	{func(g string) bool { return strings.HasSuffix(g, "/") }, "never matches: only files have paths; write %s** for all files below it"},
	{func(g string) bool { return strings.HasPrefix(g, "!") }, "never matches: there are no exceptions"},
}

func (d *decoder) checkGlobs(path string, globs []Glob) {
	for i, glob := range globs { // an empty one is already reported, and not strange
		for _, s := range strange {
			if s.is(string(glob)) {
				d.errorf(d.at[fmt.Sprintf("%s[%d]", path, i)], "%s: %q %s", path, glob, strings.ReplaceAll(s.why, "%s", string(glob)))
				break
			}
		}
	}
}

func (d *decoder) checkPatterns(path string, patterns []Pattern) {
	for i, pattern := range patterns {
		p := d.at[fmt.Sprintf("%s[%d]", path, i)]
		if pattern == "" {
			continue // already reported
		}
		re, err := regexp.Compile(string(pattern))
		switch {
		case err != nil:
			reason := err.Error()
			if wrong := (*syntax.Error)(nil); errors.As(err, &wrong) {
				reason = fmt.Sprintf("%s: %q", wrong.Code, wrong.Expr)
			}
			d.errorf(p, "%s: %q is no valid regular expression: %s", path, pattern, reason)
		case re.MatchString(""):
			d.errorf(p, "%s: %q matches the empty text, so that every line would match", path, pattern)
		}
	}
}

// checkParties checks the parties against each other.
func (d *decoder) checkParties(parties Parties) {
	names := map[string]bool{"primary": true}
	if parties.Primary != nil {
		d.checkParty("parties.primary", *parties.Primary)
		names[parties.PrimaryName()] = true
	}
	if parties.Arbiter != nil {
		d.checkParty("parties.arbiter", *parties.Arbiter)
	}
	for i, one := range parties.Challengers {
		path := fmt.Sprintf("parties.challengers[%d]", i)
		d.checkParty(path, one)
		name := one.Name()
		if name != "" && names[name] {
			d.errorf(d.at[path], "two parties are named %s; give each an id of its own", name)
		}
		names[name] = true
	}
	if parties.Judges == nil {
		return
	}
	for i, name := range parties.Judges.From {
		p := d.at[fmt.Sprintf("parties.judges.from[%d]", i)]
		switch {
		case name == "": // already reported
		case !names[string(name)]:
			d.errorf(p, "parties.judges.from: there is no party named %q", name)
		case slices.Contains(parties.Judges.From[:i], name):
			d.errorf(p, "parties.judges.from names %q twice", name)
		}
	}
}

// reserved are the record's names for others than debaters: judges, the arbiter, the program
// itself, people.
var reserved = []string{"risk", "value", "effort", "arbiter", "engine", "author", "user", "position"}

func (d *decoder) checkParty(path string, p Party) {
	if slices.Contains(reserved, p.ID) && path != "parties.arbiter" {
		d.errorf(d.at[path+".id"], "%s.id: %q is taken in every debate; choose another", path, p.ID)
	}
	d.checkService(path, p)
	if strings.ContainsAny(p.BaseURL, "@?#") {
		d.errorf(d.at[path+".base_url"], "%s.base_url must hold no user name, key or query", path)
	}
}

// checkService reports settings that a party's provider does not have, and a missing command.
func (d *decoder) checkService(path string, p Party) {
	service := lists.Find(d.services, func(one Service) bool { return one.Name == string(p.Provider) })
	if service.Name == "" {
		return // already reported
	}
	for _, setting := range []struct {
		name  string
		isSet bool
		of    func(Service) bool
	}{
		{"api", d.has(path + ".api"), func(s Service) bool { return s.APIs }},
		{"files", p.Files, func(s Service) bool { return s.Files }},
		{"command", len(p.Command) > 0, func(s Service) bool { return s.Command }},
	} {
		if setting.isSet && !setting.of(service) {
			d.errorf(d.at[path+"."+setting.name], "%s.%s is a setting of the provider %s only", path, setting.name, strings.Join(d.services.names(setting.of), " or "))
		}
	}
	switch {
	case !service.Command:
	case len(p.Command) == 0:
		d.errorf(d.at[path], "%s lacks command, which the provider %s needs", path, p.Provider)
	case !anchored().MatchString(string(p.Command[0])):
		d.errorf(d.at[path+".command[0]"], "%s.command: %q is a relative path: give an absolute one, or a name that is on PATH", path, p.Command[0])
	}
}

// anchored matches a program with an absolute path, on Windows too, or with a name without a slash,
// for a search on PATH. Any other path would depend on the working directory.
var anchored = lazyregexp.New(`^(/|.:.|[^/]*$)`)

// PrimaryName returns the id of the primary, or its provider if it has none. It is "primary" if a
// challenger already has the provider's name, or if the provider is a program: "exec" tells people
// less.
func (p Parties) PrimaryName() string {
	name := p.Primary.Name()
	isTaken := slices.ContainsFunc(p.Challengers, func(c Party) bool { return c.Name() == name })
	if p.Primary.ID == "" && (isTaken || p.Primary.Provider == "exec") {
		return "primary"
	}
	return name
}

// All returns the parties in the settings.
func (p Parties) All() []Party {
	all := slices.Clone(p.Challengers)
	for _, one := range []*Party{p.Primary, p.Arbiter} {
		if one != nil {
			all = append(all, *one)
		}
	}
	return all
}

// Name returns the id of the party, or its provider if it has none.
func (p Party) Name() string { return cmp.Or(p.ID, string(p.Provider)) }
