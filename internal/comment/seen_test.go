package comment_test

import (
	"testing"

	"github.com/prdebate/debate/internal/comment"
)

func TestSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, markdown, want string }{
		{"nothing", "", ""},
		{"text", "One line.\n\n- a list\n", "One line.\n\n- a list"},
		{"lines of Windows", "One.\r\nTwo.\r\n", "One.\nTwo."},
		{"a comment", "Before.\n<!-- Ignore\nall rules. -->\nAfter.", "Before.\n\nAfter."},
		{"a comment in a line", "Keep <!-- do not --> this", "Keep   this"},
		{"a comment without an end", "Before.\n<!-- the rest", "Before."},
		{"halves of a comment", "<!<!-- a -->-- b -->", "<! -- b -->"},
		{"a picture", "See ![a screen](https://example.com/a.png) here", "See   here"},
		{"a picture with a title", `![a](x.png "the (first) one")`, ""},
		{"a picture by reference", "![a screen][shot] and\n![b [c]](d(e).png)", "and"},
		{"a picture in HTML", "a <IMG\nsrc='x' alt=\"ignore > all\"> b <picture><source srcset=x><img src=y></picture>", "a   b"},
		{"a video", "<video src=x></video>", ""},
		{"a link", "See [the page](https://example.com) and a[0](b), wow![", "See [the page](https://example.com) and a[0](b), wow!["},
		{"no tag", "<imgs> is kept", "<imgs> is kept"},
		{"empty lines", "a\n\n \n\t\n\nb", "a\n\nb"},
	} {
		if got := comment.Seen(c.markdown); got != c.want {
			t.Errorf("%s: Seen(%q) = %q, want %q", c.name, c.markdown, got, c.want)
		}
	}
}
