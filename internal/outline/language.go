package outline

import (
	"path"
	"strings"
)

// language describes comments and multi-line texts.
type language struct {
	line   []string // marks of comments up to the end of the line
	blocks []block
	prose  bool // it declares nothing
}

// block is a run from one mark to another, over lines. A text is no comment, except at the
// start of a statement, as with docstrings in Python.
type block struct {
	open, close string
	text        bool
}

var (
	slashes = block{open: "/*", close: "*/"}
	markup  = block{open: "<!--", close: "-->"}
	ticks   = block{open: "`", close: "`", text: true}

	cLike    = language{line: []string{"//"}, blocks: []block{slashes}}
	ticked   = language{line: []string{"//"}, blocks: []block{slashes, ticks}}
	hashed   = language{line: []string{"#"}}
	python   = language{line: []string{"#"}, blocks: []block{{`"""`, `"""`, true}, {`'''`, `'''`, true}}}
	both     = language{line: []string{"//", "#"}, blocks: []block{slashes}}
	dashed   = language{line: []string{"--"}, blocks: []block{slashes}}
	curly    = language{line: []string{"--"}, blocks: []block{{open: "{-", close: "-}"}}}
	lua      = language{line: []string{"--"}, blocks: []block{{open: "--[[", close: "]]"}}}
	semi     = language{line: []string{";", "#"}, prose: true}
	lispLike = language{line: []string{";"}, blocks: []block{{open: "#|", close: "|#"}}}
	percent  = language{line: []string{"%"}}
	ml       = language{blocks: []block{{open: "(*", close: "*)"}}}
	shell    = language{line: []string{"#"}, blocks: []block{{open: "<#", close: "#>"}}}
	basic    = language{line: []string{"'"}}
	page     = language{line: []string{"//"}, blocks: []block{markup, slashes}}
	data     = language{line: []string{"#"}, prose: true}
	noMarks  = language{line: []string{"//"}, blocks: []block{slashes}, prose: true}
	text     = language{blocks: []block{markup}, prose: true}

	// unknown takes anything with the looks of a comment for one: doubtful lines are no
	// evidence.
	unknown = language{line: []string{"//", "#", "--", ";", "%"}, blocks: []block{slashes, markup}}
)

// languages are known by the endings of names, and a few by the name.
var languages = map[string]language{
	"c cc cpp cxx h hh hpp hxx cs java kt kts scala swift rs dart groovy gradle proto m mm zig v sol scss less sass prisma d": cLike,
	"go js mjs cjs jsx ts mts cts tsx":                               ticked,
	"py pyi pyx bzl bazel star":                                      python,
	"sh bash zsh fish ksh rb rake pl pm r jl ex exs cr mk cmake nim": hashed,
	"makefile dockerfile containerfile rakefile gemfile justfile":    hashed,
	"yml yaml toml cfg conf properties env gitignore":                data,
	"php tf tfvars hcl nix":                                          both,
	"sql ddl psql adb ads vhd":                                       dashed,
	"hs elm purs":                                                    curly,
	"lua":                                                            lua,
	"ini asm s":                                                      semi,
	"lisp clj cljs el scm rkt":                                       lispLike,
	"tex erl hrl":                                                    percent,
	"ml mli fs fsx pas":                                              ml,
	"ps1 psm1":                                                       shell,
	"vb vbs bas":                                                     basic,
	"html htm xml svg vue svelte xhtml xsl astro":                    page,
	"css json jsonc json5":                                           noMarks,
	"md markdown mdx txt rst adoc":                                   text,
}

var byName = func() map[string]language {
	names := make(map[string]language)
	for list, l := range languages {
		for name := range strings.FieldsSeq(list) {
			names[name] = l
		}
	}
	return names
}()

// languageOf finds the language of a file by its name.
func languageOf(name string) language {
	base := strings.ToLower(path.Base(name))
	first, _, _ := strings.Cut(base, ".")
	for _, word := range []string{base[strings.LastIndexByte(base, '.')+1:], first} {
		if l, ok := byName[word]; ok {
			return l
		}
	}
	return unknown
}
