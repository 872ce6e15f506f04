package comment

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// many is how many strings TestHostileStrings makes; a long run takes a million.
var (
	many = flag.Int("strings", 3000, "how many hostile strings to sanitise and render")
	seed = flag.Uint64("seed", 1, "where the hostile strings start")
)

// atoms are the pieces that attacks are made of.
var atoms = []string{
	// people, bots, references
	"@user", "@org/team", "＠user", "﹫x", "#1", "＃1", "GH-7", "o/r#2", "Closes #3", "fixes org/repo#2", "Resolves: #9", "fixed\u00a0#4", "duplicate of #5",
	"@dependabot merge", "@dependabot", "@renovate-bot", "@vercel/analytics", "GHSA-abcd-efgh-ijkl", "deadbeef1234567", "a@b.co", "mailto:a@b.co",
	// commands
	"/lgtm", "/debate stop", "/approve", "> /merge", "- /close", "* /x", "1. /y", "2) /z", "[ ] /t", "-/u", "::add-mask::x", "##[y]z", "::stop-commands::t", ":",
	// links, pictures, markup
	"http://a.b", "www.a.b", "ws://x", "ftp://y", "javascript:alert(1)", "data:text/html,x", "![x](http://y)", "[x](y)", "[x](<y z> 'title')", "[x]: y", "[x][]",
	"![a][b]", "[b]: http://c 'd'", "<img src=x>", "<a href='x'>", "<!-- x -->", "<!-- debate:summary v1 -->", "<b>", "</details>", "<script>", "<?x?>", "<![CDATA[x]]>",
	"<http://z>", "&lt;", "&#64;user", "&commat;user", "&#x40;v", ":tada:", ":+1:", ":octocat:", "$x$", "$$y$$", "[^1]", "[^1]: n", "[!NOTE]",
	// blocks
	"**b**", "_i_", "~~s~~", "`c`", "``", "```", "````", "~~~", "```suggestion", "\\", "\\\\", "# h", "===", "---", "***", "- [ ] x", "1. x", "2) y", "> q", "| a | b |",
	"|---|---|", "+", "=", "|", "[", "]", "(", ")", "<", ">", "&", "*", "_", "`", "~", "!", "^", "/", "-", "#", "@", "//", "/*", "word", "Grüße",
	// what nobody sees
	"\x1b[2J", "\x1b]8;;http://x\x07", "\x00", "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\U000E0041", "\ufe0f", "\u3164", "\u00ad", "\ue000", "\xff", "\xc0\xaf", "\x85", "\u2028",
	// spaces and ends
	"\r", "\n", "\r\n", "\n\n", " ", "  ", "    ", "\t", "\u00a0", "\u3000", "\v", "\f", "  \n",
}

// hostile draws text from atoms and from whatever else there is.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(atoms), rapid.String()), 0, 12).Draw(t, "parts")
		return strings.Join(parts, rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "glue"))
	})
}

// assault makes one hostile string: atoms as they are, bent, nested and cut.
func assault(r *rand.Rand) string {
	var b strings.Builder
	glue := []string{"", "", " ", "\n"}[r.IntN(4)]
	for range r.IntN(10) {
		atom := atoms[r.IntN(len(atoms))]
		switch r.IntN(12) {
		case 0:
			atom = strings.ToUpper(atom)
		case 1:
			atom = atom[:r.IntN(len(atom)+1)]
		case 2:
			i := r.IntN(len(atom) + 1)
			atom = atom[:i] + atoms[r.IntN(len(atoms))] + atom[i:]
		case 3:
			atom = strings.Repeat(atom, 1+r.IntN(4))
		case 4:
			atom = "[" + atom + "](" + atoms[r.IntN(len(atoms))] + ")"
		case 5:
			atom = []string{"> ", "- ", "* ", "1. ", "    ", "\t", "\\", "*", "_", "`"}[r.IntN(10)] + atom
		case 6:
			atom = string(rune(r.IntN(utf8.MaxRune + 1)))
		case 7:
			atom = string(rune(r.IntN(0x100)))
		}
		b.WriteString(atom)
		b.WriteString(glue)
	}
	return b.String()
}

// TestHostileStrings sends made-up attacks through every sink, renders what
// comes out and looks at the page.
func TestHostileStrings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(*seed, 0))
	var last string
	defer func() {
		if t.Failed() {
			t.Logf("the string was %q", last)
		}
	}()
	for range *many {
		last = assault(r)
		checkSinks(t, last)
		checkMarkdown(t, last)
		checkCommand(t, last)
		checkMarked(t, last)
	}
}

func TestSinksProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		checkSinks(t, s)
		checkMarkdown(t, s)
	})
}
