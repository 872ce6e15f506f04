package prompt

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// fullID matches an id of the record as the name of a member.
var fullID = lazyregexp.New(`(?i)^[CFK][0-9]{1,9}$`)

// spread makes a list of the entries that a model wrote as members of an object, by their ids,
// their severities or any other name, or as one JSON text: {"F1": {"class": "AGREE"}},
// {"high": [{"title": "t"}]}. Word is the member for a text by an id, as in {"F1": "AGREE"}; ""
// if entries are objects only. Everything else stays as it is.
func spread(raw json.RawMessage, word string) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && json.Valid([]byte(text)) && strings.ContainsAny(text[:1], "[{") {
		raw = json.RawMessage(text)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return raw
	}
	all := []json.RawMessage{}
	for _, name := range sorted(members) {
		values := []json.RawMessage{members[name]}
		_ = json.Unmarshal(members[name], &values) // if it is a list
		for _, value := range values {
			entry := make(map[string]json.RawMessage)
			switch isID := fullID().MatchString(name); {
			case json.Unmarshal(value, &entry) == nil && entry != nil:
			case isID && word != "" && value[0] == '"':
				entry = map[string]json.RawMessage{word: value}
			case isIDText(value) && word != "": // {"agree": ["F1"]}
				meaning, _ := json.Marshal(name) // a string always marshals
				entry = map[string]json.RawMessage{"id": value, word: meaning}
			default:
				return raw
			}
			if fullID().MatchString(name) && entry["id"] == nil {
				entry["id"], _ = json.Marshal(name) // a string always marshals
			}
			if _, isClass := entry[word]; word == "class" && !isClass && meant(name, classes...) != "" { // {"reject": [{"id": "F1"}]}
				entry[word], _ = json.Marshal(name)
			}
			if level := levelWords[strings.ToLower(name)]; level != "" && entry["severity"] == nil {
				entry["severity"], _ = json.Marshal(level)
			}
			one, _ := json.Marshal(entry) // it was read from JSON
			all = append(all, one)
		}
	}
	raw, _ = json.Marshal(all)
	return raw
}

func isIDText(raw json.RawMessage) bool {
	id := ""
	return json.Unmarshal(raw, &id) == nil && fullID().MatchString(id)
}

// spread does so with a member, also under another name of it.
func (o object) spread(name, word string) {
	if raw := o.raw(name); raw != nil {
		o.members[name] = spread(raw, word)
	}
}

// elsewhere reads the claims of an opening from lists under names that we do not know, such as
// {"vulnerabilities": [{"title": "t", "severity": "high"}]}.
func elsewhere(o object) []debate.NewClaim {
	var found []debate.NewClaim
	for _, name := range sorted(o.members) {
		list, _ := json.Marshal(map[string]json.RawMessage{name: spread(o.members[name], "")})
		var entries []json.RawMessage
		_ = json.Unmarshal(spread(list, ""), &entries) // other values are no list
		if len(entries) > 0 && !slices.ContainsFunc(entries, func(raw json.RawMessage) bool { return !isClaim(raw) }) {
			o.members[name], _ = json.Marshal(entries)
			found = append(found, claimsIn(o, name, newClaim)...)
		}
	}
	return found
}

// isClaim reports whether an object has the members of a claim: its words, and a severity or a
// place.
func isClaim(raw json.RawMessage) bool {
	o, ok := (&reader{}).object("claim", raw)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return o.raw(name) != nil })
	}
	return ok && has("title", "body") && has("severity", "path", "ref") && !o.has("class", "owner_is_you")
}

// joined is a reply in parts: if a text has nothing but JSON objects, and no member twice, they
// are one reply (NDJSON). Objects with the members of a claim are its claims.
func joined(text string, objects []found) []found {
	rest := text
	members := make(map[string]json.RawMessage)
	var claims []json.RawMessage
	for _, o := range objects {
		rest = strings.Replace(rest, o.text, "", 1)
		var own map[string]json.RawMessage
		if o.err != nil || o.members["look"] || json.Unmarshal([]byte(o.text), &own) != nil {
			return objects
		}
		if isClaim(json.RawMessage(o.text)) {
			claims = append(claims, json.RawMessage(o.text))
			continue
		}
		for name, raw := range own {
			if _, twice := members[name]; twice {
				return objects
			}
			members[name] = raw
		}
	}
	if len(objects) < 2 || strings.Trim(rest, " \t\r\n,[]") != "" || len(claims) > 0 && members["claims"] != nil {
		return objects
	}
	if len(claims) > 0 {
		members["claims"], _ = json.Marshal(claims) // each was read from JSON
	}
	whole, _ := json.Marshal(members)
	names := make(map[string]bool)
	for name := range members {
		names[strings.ToLower(name)] = true
	}
	return []found{{text: string(whole), members: names}}
}

// yamlList finds a list of a reply in YAML.
var yamlList = lazyregexp.New(`(?m)^(?:claims|findings|issues|evaluations|answers|new_claims):[ \t]*\r?\n\s*- `)

// isOnlyClass reports whether all entries of a list are about claims by their ids, with a class.
func isOnlyClass(raw json.RawMessage) bool {
	var entries []map[string]json.RawMessage
	_ = json.Unmarshal(raw, &entries) // another value has no entries
	weighs := func(e map[string]json.RawMessage) bool { return e["class"] != nil && e["title"] == nil }
	return len(entries) > 0 && len(lists.Keep(entries, weighs)) == len(entries)
}
