package gh

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// appPermissions are the permissions that an App asks for: those of its tokens, plus
// merge_queues, because GitHub requires it for the event merge_group.
var appPermissions = func() map[string]string {
	all := maps.Clone(tokenPermissions)
	all["merge_queues"] = "read"
	return all
}()

// appEvents are the events that an App subscribes to. Events of its installations
// arrive without a subscription.
var appEvents = []string{"issue_comment", "issues", "merge_group", "pull_request", "pull_request_review", "pull_request_review_comment"}

// AppPermissions returns the permissions that an App asks for, by GitHub's names.
func AppPermissions() map[string]string { return maps.Clone(appPermissions) }

// AppEvents returns the events that an App subscribes to, in alphabetical order.
func AppEvents() []string { return slices.Clone(appEvents) }

// Gap is a permission or event that an App or an installation lacks or does not need,
// or a suspension.
type Gap struct {
	Text    string // a sentence without its full stop
	Link    string // of the page to change it
	Missing bool   // without it debate cannot do all of its work
}

// Gaps compares the requests of an App and the grants of its installations with the
// needs of debate. It also lists suspended installations.
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
		// A permission that the App does not ask for is reported above, not here.
		add(true, in.URL, on+" does not grant ", lackOf(lower(appPermissions, app.Permissions), in.Permissions), ": an owner has to accept it")
	}
	return gaps
}

// settings returns the address of the page for the App's permissions and events, "" if
// GitHub gave no address of the App.
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

// lackOf lists needed permissions that are not granted, as "checks: write", in
// alphabetical order.
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

// levels orders the levels of a permission; 0 is not granted.
var levels = map[string]int{"read": 1, "write": 2, "admin": 3}

// without lists the names of one list that another one lacks.
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
