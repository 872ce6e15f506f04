package segment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// letters shows the marks of a document: c for code, p for proposal, a dot for
// context, one a line.
func letters(d document) string {
	var b strings.Builder
	for _, m := range d.marks {
		switch m.kind {
		case debate.CodeSegment:
			b.WriteByte('c')
		case debate.ProposalSegment:
			b.WriteByte('p')
		default:
			b.WriteByte('.')
		}
	}
	return b.String()
}

func TestReadDocument(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		// Sections.
		{"no heading", "text\n", "."},
		{"signal", "# Design\ntext\n", "pp"},
		{"no newline at the end", "# Design\ntext", "pp"},
		{"every level", "###### Design\ntext\n", "pp"},
		{"seven signs", "####### Design\ntext\n", ".."},
		{"no blank after the sign", "#Design\ntext\n", ".."},
		{"closed heading", "## Design ##\ntext\n", "pp"},
		{"indented heading", "   ## Design\ntext\n", "pp"},
		{"heading in indented code", "text\n\n    ## Design\n    text\n", "...."},
		{"setext, level one", "Design\n======\ntext\n", "ppp"},
		{"setext, level two", "Design\n---\ntext\n", "ppp"},
		{"setext, long line", "Design\n" + strings.Repeat("-", 80) + "\ntext\n", "ppp"},
		{"long rule", "# Design\n" + strings.Repeat("- ", 10) + "\ntext\n", "ppp"},
		{"setext over two lines", "The\nDesign\n---\ntext\n", "pppp"},
		{"carriage returns", "## Design\r\ntext\r\n\r\n## Other\r\nmore\r\n", "ppp.."},
		{"to the same level", "## Design\ntext\n## Other\ntext\n", "pp.."},
		{"to a higher level", "## Design\ntext\n# Other\ntext\n", "pp.."},
		{"over a lower level", "## Design\ntext\n### Other\ntext\n## Next\n", "pppp."},
		{"signal within a section", "# Design\ntext\n## Decision\ntext\n# Other\n", "pppp."},
		{"two sections", "# Design\ntext\n# Decision\ntext\n", "pppp"},
		{"text only below a lower heading", "# Design\n## Part\ntext\n", "ppp"},
		{"document title", "# Design: the cache\n\n## Motivation\ntext\n", "pppp"},
		{"no text", "# Design\n\n# Other\ntext\n", "...."},
		{"no text at the end", "# Design\n", "."},
		{"only a comment", "# Design\n<!-- say\nhow -->\n", "..."},
		{"comment within a paragraph", "# Design\nwe <!-- do --> it\n", "pp"},
		{"only a place holder", "# Design\nN/A\n\n# Other\n", "...."},
		{"form without an answer", "### Design\n\n_No response_\n", "..."},
		{"only a fence", "# Design\n```\nx\n```\n", ".ccc"},
		{"only a list", "# Design\n- one\n- two\n", "ppp"},
		{"only a quote", "# Design\n> one\n", "pp"},
		{"only a table of HTML", "# Design\n<table>\n<tr><td>x</td></tr>\n</table>\n", "pppp"},
		{"quoted heading", "> # Design\n> text\n", ".."},
		{"heading in a list", "- # Design\n  text\n", ".."},
		{"heading in a comment", "<!--\n# Design\ntext\n-->\n", "...."},
		{"heading in a fence", "```\n# Design\ntext\n```\n", "cccc"},
		{"heading in a fence ends no section", "# Design\ntext\n```\n# Other\n```\nmore\n", "ppcccp"},
		{"empty heading", "# Design\ntext\n#\nmore\n", "pp.."},
		{"rule ends no section", "# Design\ntext\n\n***\nmore\n", "ppppp"},

		{"front matter", "---\ntitle: Design\nstatus: proposal\n---\n\ntext\n", "......"},
		{"front matter before a section", "---\r\ntype: proposal\r\n---\r\n# Design\r\ntext\r\n", "...pp"},
		{"byte order mark", "\uFEFF# Design\ntext\n", "pp"},
		{"byte order mark and front matter", "\uFEFF---\ntitle: Design\n---\ntext\n", "...."},
		{"rule, then a heading", "---\n\nDesign\n---\ntext\n", "..ppp"},
		{"rule alone", "---\n# Design\ntext\n", ".pp"},
		{"only an empty task", "# Design\n- [ ]\n- [ ] \n", "..."},

		// Fences.
		{"backticks", "a\n```go\nx\n```\nb\n", ".ccc."},
		{"tildes", "~~~\nx\n~~~\n", "ccc"},
		{"empty fence", "```\n```\nb\n", "cc."},
		{"empty lines", "```\n\n\n```\nb\n", "cccc."},
		{"nested in a longer one", "````\n```\nx\n```\n````\nb\n", "ccccc."},
		{"other sign within", "```\n~~~\n```\nb\n", "ccc."},
		{"closed by a longer one", "```\nx\n`````\nb\n", "ccc."},
		{"shorter one closes nothing", "````\nx\n```\nb\n", "cccc"},
		{"info string closes nothing", "```\nx\n```go\nb\n", "cccc"},
		{"unclosed", "a\n```\nx\n# Design\ny\n", ".cccc"},
		{"unclosed and empty", "a\n```\n", ".c"},
		{"unclosed, no newline", "a\n```", ".c"},
		{"two signs", "``\nx\n``\n", "..."},
		{"backtick in the info string", "``` a`b\nx\n", ".."},
		{"indented", "   ```\n   x\n   ```\nb\n", "ccc."},
		{"indented by four", "a\n\n    ```\n    x\n    ```\n", "....."},
		{"carriage returns in a fence", "a\r\n```\r\nx\r\n```\r\nb\r\n", ".ccc."},
		{"in a quote", "> a\n> ```\n> x\n> ```\n> b\n", ".ccc."},
		{"in a quote that ends", "> ```\n> x\n\nb\n", "cc.."},
		{"in a quote, then another", "> ```\n> x\n```\ny\n```\nb\n", "ccccc."},
		{"in a list", "- a\n  ```\n  x\n  ```\n- b\n", ".ccc."},
		{"in a list that ends", "- ```\n  x\n\nb\n", "ccc."},
		{"in a numbered list in a quote", "> 1. a\n>    ~~~\n>    x\n>    ~~~\n> b\n", ".ccc."},
		{"right after another", "```\nx\n```\n```\ny\n```\n", "cccccc"},
		{"opens a paragraph's end", "a\n```\nx\n```\n", ".ccc"},
		{"in a comment", "<!--\n```\nx\n```\n-->\n", "....."},

		// Hostile.
		{"empty", "", ""},
		{"only newlines", "\n\n", ".."},
		{"nul", "# Design\n\x00\n", "pp"},
		{"broken text", "# Design\n\xff\xfe\n", "pp"},
		{"deep quotes", strings.Repeat(">", 1<<15) + "\n# Design\ntext\n", ".pp"},
		{"deep lists over lines", "- a\n" + strings.Repeat(" ", 200) + "- b\n# Design\ntext\n", "..pp"},
		{"fence deeper than is read", strings.Repeat("> ", maxNesting+1) + "```\nx\n", ".."},
		{"fence as deep as is read", strings.Repeat("> ", maxNesting) + "```\nx\n", "c."},
		{"deep lists", strings.Repeat("- ", 1<<14) + "x\n```\ny\n```\n", ".ccc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := letters(readDocument(tt.src, true)); got != tt.want {
				t.Errorf("marks %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSectionsOnlyWhereProposalsAre(t *testing.T) {
	t.Parallel()
	if got := letters(readDocument("# Design\ntext\n```\nx\n```\n", false)); got != "..ccc" {
		t.Errorf("marks %q, want %q", got, "..ccc")
	}
}

func TestHeadingOfSection(t *testing.T) {
	t.Parallel()
	d := readDocument("x\n\nThe   *proposed*\ndesign\n---\ntext\n", true)
	if diff := cmp.Diff([]section{{start: 3, end: 6, heading: "The *proposed* design"}}, d.sections, cmp.AllowUnexported(section{})); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	long := readDocument("# Design: "+strings.Repeat("é", maxHeading)+"\ntext\n", true)
	if n := len(long.sections[0].heading); n > maxHeading || n < maxHeading-2 {
		t.Errorf("a long heading is shown with %d bytes, want at most %d", n, maxHeading)
	}
}
