package comment

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

const maxURL = 2000

// noBlanks is visible ASCII without blanks.
var noBlanks = lazyregexp.New(`^[!-~]*$`)

// Link returns text as a link to address, if that is an absolute http or https
// address on one of the hosts, each with its port if it has one, and else as
// plain text. It is the only way in which a link gets into what is published:
// addresses come from the platform or are built by us, and text
// shows no address that it does not go to.
func Link(text, address string, hosts []string) string {
	shown := MarkdownLine(text)
	u, err := url.Parse(address)
	switch {
	case err != nil, len(address) > maxURL, u.User != nil, u.Opaque != "",
		!slices.Contains([]string{"https", "http"}, u.Scheme), !slices.Contains(hosts, u.Host):
		return shown
	}
	safe := strings.NewReplacer("<", "%3C", ">", "%3E", "`", "%60", "\\", "%5C", "&", "&amp;").Replace(u.String())
	if !noBlanks().MatchString(safe) {
		return shown
	}
	return "[" + cmp.Or(shown, Code(u.Host)) + "](<" + safe + ">)"
}
