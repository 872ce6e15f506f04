package bench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prdebate/debate/internal/debate"
)

// The bounds of a case file.
const (
	maxCaseBytes = 64 << 10
	maxExpected  = 50
	maxWords     = 20
	maxLine      = 1_000_000_000
)

// Case is a change with known defects.
type Case struct {
	ID       string // name of its folder
	Name     string
	Body     string // text of the pull request for the models; may be ""
	Expected []Expected
	Clean    bool // there is nothing to be found
	Change   Change
}

// Expected is a defect of a case.
type Expected struct {
	What     string          `json:"what"`
	Places   []Place         `json:"places"`          // a finding must cite one of them; at least one
	Severity debate.Severity `json:"severity"`        // a finding is at least as severe
	Words    []string        `json:"words,omitempty"` // a finding has one of them; none: any words will do
}

// Place is some lines of one side of a file.
type Place struct {
	Path       string
	Side       debate.Side
	Start, End int // 1-based, inclusive
}

// String is the place as people write it.
func (p Place) String() string {
	return debate.Citation{Path: p.Path, StartLine: p.Start, EndLine: p.End}.String()
}

// MarshalText implements encoding.TextMarshaler.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// overlap reports whether one of some places overlaps one of others.
func overlap(some, others []Place) bool {
	for _, p := range some {
		for _, q := range others {
			if p.Path == q.Path && p.Side == q.Side && p.Start <= q.End && q.Start <= p.End {
				return true
			}
		}
	}
	return false
}

// caseFile is a case as its file spells it.
type caseFile struct {
	Name       string      `yaml:"name"`
	About      string      `yaml:"about"` // for people who read the file
	Body       string      `yaml:"body"`
	Clean      bool        `yaml:"clean"`
	Repository string      `yaml:"repository"`
	Range      string      `yaml:"range"`
	Expect     []entryFile `yaml:"expect"`
}

type entryFile struct {
	What     string          `yaml:"what"`
	At       placeFile       `yaml:",inline"`
	Or       []placeFile     `yaml:"or"`
	Severity debate.Severity `yaml:"severity"`
	Words    []string        `yaml:"words"`
}

type placeFile struct {
	Path  string `yaml:"path"`
	Lines string `yaml:"lines"`
	Side  string `yaml:"side"`
}

// parse reads a case file. Its errors include advice.
func parse(id string, data []byte) (Case, error) {
	if len(data) > maxCaseBytes {
		return Case{}, fmt.Errorf("it has %d bytes, at most %d are allowed", len(data), maxCaseBytes)
	}
	var f caseFile
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&f); err != nil {
		return Case{}, errors.New(yaml.FormatError(err, false, false))
	}
	c := Case{ID: id, Name: f.Name, Body: f.Body, Clean: f.Clean, Change: Change{Repository: f.Repository, Range: f.Range}}
	switch {
	case f.Name == "":
		return Case{}, errors.New("name is missing: describe the change in a few words")
	case f.Clean && len(f.Expect) > 0:
		return Case{}, errors.New("clean: true means no defects, and expect lists some: keep one of them")
	case !f.Clean && len(f.Expect) == 0:
		return Case{}, errors.New("expect is missing: list the defects, or write clean: true")
	case len(f.Expect) > maxExpected:
		return Case{}, fmt.Errorf("expect has %d entries, at most %d are allowed", len(f.Expect), maxExpected)
	case (f.Repository == "") != (f.Range == ""):
		return Case{}, errors.New("repository and range belong together: the path of a repository, and A..B in it")
	}
	for i, entry := range f.Expect {
		e, err := entry.expected()
		if err != nil {
			return Case{}, fmt.Errorf("entry %d of expect: %w", i+1, err)
		}
		c.Expected = append(c.Expected, e)
	}
	return c, nil
}

func (f entryFile) expected() (Expected, error) {
	e := Expected{What: f.What, Severity: cmp.Or(f.Severity, debate.P3), Words: f.Words}
	switch {
	case f.What == "":
		return e, errors.New("what is missing: describe the defect in a sentence")
	case len(f.Words) > maxWords:
		return e, fmt.Errorf("%d words, at most %d are allowed", len(f.Words), maxWords)
	}
	if !e.Severity.AtLeast(debate.P3) {
		return e, fmt.Errorf("severity is %q: write P1, P2 or P3", string(f.Severity))
	}
	for _, at := range append([]placeFile{f.At}, f.Or...) {
		p, err := at.place()
		if err != nil {
			return e, err
		}
		e.Places = append(e.Places, p)
	}
	return e, nil
}

func (f placeFile) place() (Place, error) {
	p := Place{Path: f.Path, Side: cmp.Or(debate.Side(f.Side), debate.Right)}
	switch {
	case !fs.ValidPath(f.Path), f.Path == ".":
		return p, fmt.Errorf("path is %q: write the path of a file from the top of the repository, such as shop/cart.go", f.Path)
	case p.Side != debate.Right && p.Side != debate.Left:
		return p, fmt.Errorf("side is %q: write LEFT for lines of the base, or leave it out", f.Side)
	}
	first, last, isRange := strings.Cut(f.Lines, "-")
	if !isRange {
		last = first
	}
	var err1, err2 error
	p.Start, err1 = strconv.Atoi(strings.TrimSpace(first))
	p.End, err2 = strconv.Atoi(strings.TrimSpace(last))
	if errors.Join(err1, err2) != nil || p.Start < 1 || p.End < p.Start || p.End > maxLine {
		return p, fmt.Errorf("lines is %q: write 12 or 12-18", f.Lines)
	}
	return p, nil
}
