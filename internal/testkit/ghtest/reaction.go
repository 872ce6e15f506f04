package ghtest

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

type reaction struct {
	id      int64
	by      *user
	content string // as REST spells it
	at      time.Time
}

// reactions are those to one comment, oldest first.
type reactions []reaction

var reactionContents = [...]string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}

// add tells whether the reaction is new.
func (list *reactions) add(at *clock, by *user, content string) (r reaction, isNew bool) {
	for _, r := range *list {
		if r.by == by && r.content == content {
			return r, false
		}
	}
	r = reaction{id: at.next(), by: by, content: content, at: at.tick()}
	*list = append(*list, r)
	return r, true
}

// of are those with one content.
func (list reactions) of(content string) reactions {
	return slices.DeleteFunc(slices.Clone(list), func(r reaction) bool { return r.content != content })
}

// json counts them as REST does; of is the address of what they are about.
func (list reactions) json(of string) object {
	o := object{"url": of + "/reactions", "total_count": len(list)}
	for _, content := range reactionContents {
		o[content] = len(list.of(content))
	}
	return o
}

// groups has a group for each reaction that GraphQL knows, used or not.
func (list reactions) groups(viewer *user) []*vertex {
	var groups []*vertex
	for _, content := range reactionContents {
		given := list.of(content)
		var first any
		if len(given) > 0 {
			first = stamp(given[0].at)
		}
		mine := slices.ContainsFunc(given, func(r reaction) bool { return r.by == viewer })
		groups = append(groups, &vertex{"ReactionGroup", fields{
			"content": graphReaction(content), "createdAt": first, "viewerHasReacted": mine,
			"reactors": &vertex{"ReactorConnection", fields{"totalCount": len(given)}},
		}})
	}
	return groups
}

// thumbs are the reactions that GraphQL has other names for.
var thumbs = map[string]string{"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}

// graphReaction is a reaction as GraphQL spells it.
func graphReaction(content string) string { return cmp.Or(thumbs[content], strings.ToUpper(content)) }
