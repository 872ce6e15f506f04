package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// MaxBytes bounds a settings file.
const MaxBytes = 64 << 10

// maxKeys bounds the settings of a file: the parser's time grows with their square.
const maxKeys = 2000

// maxDepth bounds the nesting of values; the settings need five levels.
const maxDepth = 20

// Parse reads the settings file of a repository. Name is for messages. The error is of type Errors
// and has every problem, including settings that belong to the operator.
func (v Vocabulary) Parse(name string, data []byte) (Config, error) {
	return v.parse(name, data, false)
}

// ParseOperator reads the settings of an operator, which may also name addresses, keys, commands
// and higher costs.
func (v Vocabulary) ParseOperator(name string, data []byte) (Config, error) {
	return v.parse(name, data, true)
}

func (v Vocabulary) parse(name string, data []byte, operator bool) (Config, error) {
	d := v.decoder(name, operator)
	root := d.document(data)
	var c Config
	if root != nil && root.Type() != ast.NullType {
		d.value(at(root), root, reflect.ValueOf(&c).Elem(), "", field{})
		d.check(c)
	}
	if len(d.errs) > 0 {
		return Config{}, d.errs.sorted()
	}
	return c, nil
}

func (v Vocabulary) decoder(name string, operator bool) *decoder {
	return &decoder{file: name, operator: operator, services: v.Services, rules: v.Rules, lines: []string{""}, at: map[string]position{}}
}

// document reads the only document of a file. It returns nil if there is none or the file cannot be
// read.
func (d *decoder) document(data []byte) ast.Node {
	if len(data) > MaxBytes {
		d.errorf(position{1, 1}, "the file is too large: %d bytes, at most %d", len(data), MaxBytes)
		return nil
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	d.lines = strings.Split(text, "\n")
	if !d.readable() {
		return nil
	}
	tokens := lexer.Tokenize(text)
	if !d.plain(tokens) {
		return nil
	}
	// Duplicate keys pass here, since the parser stops at the first. keys reports them.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(err)
		return nil
	}
	docs := slices.DeleteFunc(file.Docs, func(doc *ast.DocumentNode) bool { return doc.Body == nil })
	switch len(docs) {
	case 0:
		return nil
	case 1:
		return docs[0].Body
	}
	d.errorf(at(docs[1].Body), "only one document is allowed in a settings file")
	return nil
}

// readable refuses bytes that no settings file needs and that are invisible in messages.
func (d *decoder) readable() bool {
	for i, line := range d.lines {
		line = strings.TrimSuffix(line, "\r")
		text := strings.ToValidUTF8(line, "\x00")
		found := control().FindStringIndex(text)
		if found == nil {
			continue
		}
		bad := found[0]
		p := position{i + 1, utf8.RuneCountInString(text[:bad]) + 1}
		if line[bad] != text[bad] {
			d.errorf(p, "the file is not valid UTF-8")
		} else {
			d.errorf(p, "control character U+%04X", text[bad])
		}
		return false
	}
	return true
}

// control matches a control character other than a tab.
var control = lazyregexp.New(`[\x00-\x08\x0a-\x1f\x7f]`)

// refused are the parts of YAML that settings do not need: they hide values, multiply them or
// change their types.
var refused = map[token.Type]string{
	token.AnchorType:     "anchors are not allowed; quote a value that begins with &",
	token.AliasType:      "aliases are not allowed; quote a value that begins with *",
	token.MergeKeyType:   "merge keys are not allowed",
	token.TagType:        "tags are not allowed; quote a value that begins with !",
	token.MappingKeyType: "keys written with ? are not allowed",
	token.DirectiveType:  "directives are not allowed",
}

// plain refuses those parts, and nesting that is too deep for the parser, which descends once for
// each level.
func (d *decoder) plain(tokens token.Tokens) bool {
	said, keys := 0, 0 // line of the last refusal; keys so far
	var open nesting
	for i, t := range tokens {
		if why := refused[t.Type]; why != "" && t.Position.Line != said {
			d.errorf(tokenAt(t), "%s", why)
			said = t.Position.Line // one glob can look like several aliases
		}
		if t.Type == token.MappingValueType {
			keys++
		}
		isKey := i+1 < len(tokens) && tokens[i+1].Type == token.MappingValueType
		open.take(t, isKey)
		switch {
		case keys > maxKeys:
			d.errorf(tokenAt(t), "too many settings: at most %d", maxKeys)
			return false
		case open.brackets+len(open.columns) > maxDepth:
			d.errorf(tokenAt(t), "values nest too deeply: at most %d levels", maxDepth)
			return false
		}
	}
	return said == 0
}

// nesting counts the open collections at a token.
type nesting struct {
	brackets int
	columns  []int // of the block collections
}

func (n *nesting) take(t *token.Token, isKey bool) {
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.brackets++
	case token.SequenceEndType, token.MappingEndType:
		n.brackets--
	default:
		if n.brackets > 0 || !isKey && t.Type != token.SequenceEntryType {
			return
		}
		closed := func(column int) bool { return column >= t.Position.Column }
		n.columns = append(slices.DeleteFunc(n.columns, closed), t.Position.Column)
	}
}

func (d *decoder) syntax(err error) {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		d.errorf(tokenAt(e.GetToken()), "%s", firstLine(e.GetMessage()))
		return
	}
	d.errorf(position{1, 1}, "the file is no YAML: %s", firstLine(err.Error()))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// position is a place in the file, both 1-based.
type position struct{ line, column int }

func tokenAt(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{t.Position.Line, t.Position.Column}
}

// at returns the place where a value begins. The parser puts the beginning of a block mapping at
// its first colon.
func at(n ast.Node) position {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return tokenAt(m.Values[0].Key.GetToken())
	}
	return tokenAt(n.GetToken())
}

// errorf records an error at a place that exists: the parser sometimes points past the end of a
// line or of the file.
func (d *decoder) errorf(p position, format string, args ...any) {
	p.line = max(1, min(p.line, len(d.lines)))
	width := utf8.RuneCountInString(d.lines[p.line-1])
	p.column = max(1, min(p.column, width+1))
	d.errs = append(d.errs, Error{File: d.file, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)})
}

// Error is one problem in a settings file.
type Error struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in characters
	Message string
	// OperatorOnly marks a setting that a repository cannot make.
	OperatorOnly bool
}

// Error returns the problem as file:line:column: message.
func (e Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors are all problems in a settings file, in the order of the file.
type Errors []Error

// Error returns one line for each error.
func (e Errors) Error() string {
	return strings.Join(lists.Map(e, Error.Error), "\n")
}

// maxErrors bounds the errors reported for one file.
const maxErrors = 100

func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return e[:min(len(e), maxErrors)]
}
