package comment

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

const maxURL = 2000

// noBlanks is visible ASCII without blanks.
var noBlanks = lazyregexp.New(`^[!-~]*$`)

// Link returns text as a link to address, if this is an absolute http or https address on one of
// the hosts, each with its port if it has one, and else as plain text. Every published link comes
// from here: we build the addresses or get them from the platform, and a text never shows another
// address than its target.
func Link(text, address string, hosts []string) string {
	shown := MarkdownLine(text)
	return link(shown, shown, address, hosts)
}

// NumberedLink is the link of a pull request or an issue with its number before its title.
// Outside of a link the number would refer to it, and is left out.
func NumberedLink(n int, title, address string, hosts []string) string {
	shown := MarkdownLine(title)
	return link(shown, fmt.Sprintf("#%d %s", n, shown), address, hosts)
}

// link is a link with one text, or another text if no link is possible.
func link(shown, linked, address string, hosts []string) string {
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
	return "[" + cmp.Or(linked, Code(u.Host)) + "](<" + safe + ">)"
}
