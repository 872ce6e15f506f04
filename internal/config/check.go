package config

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// check looks for values that have the right form and cannot be meant.
func (d *decoder) check(c Config) {
	d.checkParties(c.Parties)
	d.checkGlobs("paths.ignore", c.Paths.Ignore)
	d.checkGlobs("paths.proposal", c.Paths.Proposal)
	for i, one := range c.Instructions {
		path := fmt.Sprintf("instructions[%d]", i)
		d.checkGlobs(path+".paths", one.Paths)
		if strings.TrimSpace(one.Text) == "" && d.has(path+".text") && one.Text != "" {
			d.errorf(d.at[path+".text"], "%s.text is empty", path)
		}
	}
	for i, one := range c.Critical {
		path := fmt.Sprintf("critical[%d]", i)
		d.checkGlobs(path+".paths", one.Paths)
		d.checkPatterns(path+".patterns", one.Patterns)
		if !d.has(path+".paths[0]") && !d.has(path+".patterns[0]") {
			d.errorf(d.at[path], "%s names neither paths nor patterns, so that every change would be critical", path)
		}
	}
}

func (d *decoder) has(path string) bool {
	_, ok := d.at[path]
	return ok
}

func (d *decoder) checkGlobs(path string, globs []Glob) {
	for i, glob := range globs {
		p := d.at[fmt.Sprintf("%s[%d]", path, i)]
		switch {
		case glob == "": // said already
		case !doublestar.ValidatePattern(string(glob)):
			d.errorf(p, "%s: %q is no valid glob", path, glob)
		case strings.HasPrefix(string(glob), "/") || strings.HasPrefix(string(glob), "./"):
			d.errorf(p, "%s: %q never matches: paths begin at the root of the repository, without %s", path, glob, glob[:strings.Index(string(glob), "/")+1])
		case strings.HasSuffix(string(glob), "/"):
			d.errorf(p, "%s: %q never matches: only files have paths; write %s** for all files below it", path, glob, glob)
		case strings.HasPrefix(string(glob), "!"):
			d.errorf(p, "%s: %q never matches: there are no exceptions", path, glob)
		}
	}
}

func (d *decoder) checkPatterns(path string, patterns []Pattern) {
	for i, pattern := range patterns {
		p := d.at[fmt.Sprintf("%s[%d]", path, i)]
		if pattern == "" {
			continue // said already
		}
		re, err := regexp.Compile(string(pattern))
		switch {
		case err != nil:
			d.errorf(p, "%s: %q is no valid regular expression: %s", path, pattern, reason(err))
		case re.MatchString(""):
			d.errorf(p, "%s: %q matches the empty text, so that every line would match", path, pattern)
		}
	}
}

func reason(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return fmt.Sprintf("%s: %q", e.Code, e.Expr)
	}
	return err.Error()
}

// checkParties looks at what the parties say about each other.
func (d *decoder) checkParties(parties Parties) {
	names := map[string]bool{"primary": true}
	if parties.Primary != nil {
		d.checkParty("parties.primary", *parties.Primary)
		if parties.Primary.ID != "" {
			names[parties.Primary.ID] = true
		}
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
	seen := map[Name]bool{}
	for i, name := range parties.Judges.From {
		p := d.at[fmt.Sprintf("parties.judges.from[%d]", i)]
		switch {
		case name == "": // said already
		case !names[string(name)]:
			d.errorf(p, "parties.judges.from: there is no party named %q", name)
		case seen[name]:
			d.errorf(p, "parties.judges.from names %q twice", name)
		}
		seen[name] = true
	}
}

// reserved are the names that the record uses for others than debaters: judges,
// the arbiter, the program itself, people.
const reserved = " risk value effort arbiter engine author user position "

func (d *decoder) checkParty(path string, p Party) {
	if p.ID != "" && strings.Contains(reserved, " "+p.ID+" ") && path != "parties.arbiter" {
		d.errorf(d.at[path+".id"], "%s.id: %q is the name of somebody else in every debate; take another", path, p.ID)
	}
	d.checkService(path, p)
	if strings.ContainsAny(p.BaseURL, "@?#") {
		d.errorf(d.at[path+".base_url"], "%s.base_url must hold no user name, key or query", path)
	}
}

// checkService looks for settings that the provider of a party does not have.
func (d *decoder) checkService(path string, p Party) {
	service, known := d.services.find(p.Provider)
	if !known {
		return // said already
	}
	if p.API != "" && !service.APIs {
		d.errorf(d.at[path+".api"], "%s.api is a setting %s", path, only(d.services.those(func(s Service) bool { return s.APIs })))
	}
	switch named := len(p.Command) > 0; {
	case service.Command && !named:
		d.errorf(d.at[path], "%s lacks command, which the provider %s needs", path, p.Provider)
	case named && !service.Command:
		d.errorf(d.at[path+".command"], "%s.command is a setting %s", path, only(d.services.those(func(s Service) bool { return s.Command })))
	case named && relative(string(p.Command[0])):
		d.errorf(d.at[path+".command[0]"], "%s.command: %q is a relative path: give an absolute one, or a name that is on PATH", path, p.Command[0])
	}
}

// relative reports whether a program is named by a path that would mean whatever
// lies in the working directory. A name without a slash is looked for on PATH.
func relative(program string) bool {
	drive := len(program) > 2 && program[1] == ':' // of Windows
	return strings.Contains(program, "/") && !strings.HasPrefix(program, "/") && !drive
}

// Name is the id of the party, or its provider where it has none.
func (p Party) Name() string {
	if p.ID != "" {
		return p.ID
	}
	return string(p.Provider)
}
