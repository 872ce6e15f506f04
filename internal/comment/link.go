package comment

import (
	"net/url"
	"slices"
	"strings"
)

const maxURL = 2000

// Link returns text as a link to address, if that is an absolute http or https
// address on one of the hosts, each with its port if it has one, and else as
// plain text. It is the only way in which a link gets into what is published
// (T30, T31): addresses come from the platform or are built by us, and text
// shows no address that it does not go to.
func Link(text, address string, hosts []string) string {
	shown := MarkdownLine(text)
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxURL || u.User != nil || u.Opaque != "":
		return shown
	case u.Scheme != "https" && u.Scheme != "http" || !slices.Contains(hosts, u.Host):
		return shown
	}
	if shown == "" {
		shown = Code(u.Host)
	}
	safe := strings.NewReplacer("<", "%3C", ">", "%3E", "`", "%60", "\\", "%5C", "&", "&amp;").Replace(u.String())
	for i := range len(safe) {
		if safe[i] <= ' ' || safe[i] >= 0x7f {
			return shown
		}
	}
	return "[" + shown + "](<" + safe + ">)"
}
