package gh

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// appPermissions are what an App asks for: what its tokens need, and to be told of merge
// queues, without which GitHub does not let it listen to merge_group.
var appPermissions = func() map[string]string {
	all := maps.Clone(tokenPermissions)
	all["merge_queues"] = "read"
	return all
}()

// appEvents are what an App asks to be told of. Of its installations it is told unasked.
var appEvents = []string{"issue_comment", "issues", "merge_group", "pull_request", "pull_request_review", "pull_request_review_comment"}

// AppPermissions are the permissions that an App asks for, by GitHub's names.
func AppPermissions() map[string]string { return maps.Clone(appPermissions) }

// AppEvents are the events that an App asks to be told of, in alphabetical order.
func AppEvents() []string { return slices.Clone(appEvents) }

// Gap is something that an App, or an installation of it, has too little or too much of.
type Gap struct {
	Text    string // a sentence without its full stop
	Link    string // of the page where it is mended
	Missing bool   // without it debate cannot do all of its work
}

// Gaps compares what an App asks for, and what its installations grant, with what debate
// needs. There are none where all is right. That an installation is suspended is told
// too: its owner wanted it so.
func Gaps(app Registration, installed []Installation) []Gap {
	settings := app.settings()
	var gaps []Gap
	add := func(isMissing bool, link, before string, names []string, after string) {
		if len(names) > 0 {
			gaps = append(gaps, Gap{Text: before + enumerate(names) + after, Link: link, Missing: isMissing})
		}
	}
	add(true, settings, "the App does not ask for ", lackOf(appPermissions, app.Permissions), "")
	add(true, settings, "the App is not told of ", without(appEvents, app.Events), "")
	add(false, settings, "the App asks for ", lackOf(app.Permissions, appPermissions), ", which debate never uses")
	add(false, settings, "the App is told of ", without(app.Events, appEvents), ", which debate ignores")
	for _, in := range installed {
		on := "the installation on " + oneLine(in.Account)
		if in.Suspended {
			gaps = append(gaps, Gap{Text: on + " is suspended: nothing is reviewed there", Link: in.URL})
			continue
		}
		// What the App does not ask for, nobody can grant, and that is said above.
		add(true, in.URL, on+" does not grant ", lackOf(lower(appPermissions, app.Permissions), in.Permissions), ": an owner has to accept it")
	}
	return gaps
}

// settings is the address of the page where the App's permissions and events are changed,
// "" where GitHub did not say where the App is.
func (r Registration) settings() string {
	at, err := url.Parse(r.URL)
	if err != nil || at.Host == "" {
		return ""
	}
	path := []string{"settings", "apps", r.Slug, "permissions"}
	if !r.OwnerIsUser {
		path = append([]string{"organizations", r.Owner}, path...)
	}
	return (&url.URL{Scheme: at.Scheme, Host: at.Host}).JoinPath(path...).String()
}

// lackOf lists what is needed and not granted, as "checks: write", in alphabetical order.
func lackOf(needed, granted map[string]string) []string {
	var lacking []string
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if levels[granted[name]] < levels[needed[name]] {
			lacking = append(lacking, oneLine(name+": "+needed[name]))
		}
	}
	return lacking
}

// lower are the permissions of both, each at the lower level.
func lower(a, b map[string]string) map[string]string {
	both := map[string]string{}
	for name, level := range a {
		other, is := b[name]
		if !is {
			continue
		}
		if levels[other] < levels[level] {
			level = other
		}
		both[name] = level
	}
	return both
}

// levels orders what a permission allows; what is not granted is 0.
var levels = map[string]int{"read": 1, "write": 2, "admin": 3}

// without lists what is in one list and not in another.
func without(list, other []string) []string {
	var rest []string
	for _, name := range list {
		if !slices.Contains(other, name) {
			rest = append(rest, oneLine(name))
		}
	}
	return rest
}

// enumerate writes a list as people do: "a, b and c".
func enumerate(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
