package sarif

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// The bounds of a SARIF file.
const (
	MaxBytes   = 16 << 20
	maxRunName = 200   // characters
	maxRunText = 2_000 // characters
	maxRunPath = 4_096 // bytes, also of an address
)

// Read reads the results of other tools from a SARIF 2.1.0 file, in the order of the file. Root
// is the slash-separated directory of its absolute paths; "" if there is none. A result has
// failed if its level is error or warning and it is not suppressed. A path outside the root is
// left out. A result says its rule, its text and its path itself: those it only refers to are not
// looked up. The caller fills in Ref and Changed: they depend on the other files and on the
// change. An error says in which line the file stops being JSON, or has a value of another type
// than SARIF.
func Read(data []byte, root string) ([]debate.Run, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the file is larger than %d bytes", MaxBytes)
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	var file sarif.Report
	err := json.Unmarshal(data, &file)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("the file is no JSON: line %d: %w", lineAt(data, syntax.Offset), err)
	case errors.As(err, &kind):
		return nil, fmt.Errorf("the file is no SARIF 2.1.0: line %d: %s is of type %s", lineAt(data, kind.Offset), cmp.Or(kind.Field, "all of it"), kind.Value)
	case err != nil:
		return nil, fmt.Errorf("the file is no SARIF 2.1.0: %w", err)
	case !strings.HasPrefix(file.Version, "2.1."):
		return nil, fmt.Errorf("the file is no SARIF 2.1.0: its version is %q", comment.Clip(comment.Line(file.Version), 40))
	case file.Runs == nil:
		return nil, errors.New("the file is no SARIF 2.1.0: it has no runs")
	}
	var all []debate.Run
	for _, run := range given(file.Runs) {
		tool := readTool(run)
		for _, result := range given(run.Results) {
			all = append(all, tool.result(result, root))
		}
	}
	return all, nil
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}

// toolRun is one run of a tool with its rules.
type toolRun struct {
	run   *sarif.Run
	name  string
	rules map[string]*sarif.ReportingDescriptor
}

func readTool(run *sarif.Run) toolRun {
	t := toolRun{run: run, name: "unnamed tool", rules: map[string]*sarif.ReportingDescriptor{}}
	if run.Tool == nil {
		return t
	}
	driver := value(run.Tool.Driver)
	t.name = cmp.Or(comment.Clip(value(driver.Name), maxRunName), t.name)
	for _, component := range append([]*sarif.ToolComponent{&driver}, given(run.Tool.Extensions)...) {
		for _, rule := range given(component.Rules) {
			t.rules[value(rule.ID)] = cmp.Or(t.rules[value(rule.ID)], rule)
		}
	}
	return t
}

// result reads one result. Lines need a path.
func (t toolRun) result(r *sarif.Result, root string) debate.Run {
	id, message, name := cmp.Or(value(r.RuleID), value(value(r.Rule).ID)), value(r.Message), t.name
	level, text := levelOf(r, t.rules[id]), cmp.Or(value(message.Text), value(message.Markdown))
	if id != "" {
		name += ": " + id
	}
	out := debate.Run{
		Name:   comment.Clip(name, maxRunName),
		Failed: level == sarif.LevelError || level == sarif.LevelWarning,
		Text:   comment.Clip(text, maxRunText),
	}
	if len(r.Locations) > 0 {
		at := value(value(r.Locations[0]).PhysicalLocation)
		out.Path = t.path(at.ArtifactLocation, root)
		region := value(at.Region)
		if first := value(region.StartLine); out.Path != "" && first > 0 {
			out.StartLine, out.EndLine = first, max(first, value(region.EndLine))
		}
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{
		t.name, id, level, out.Path, strconv.Itoa(out.StartLine), strconv.Itoa(out.EndLine), text,
	}, "\x00")))
	out.Hash = hex.EncodeToString(sum[:])
	return out
}

// levelOf is the level of a result: its own, its rule's, or warning. A result of another kind
// than a failure, a suppressed one and an absent one has none.
func levelOf(r *sarif.Result, rule *sarif.ReportingDescriptor) string {
	suppressed := slices.ContainsFunc(given(r.Suppressions), func(s *sarif.Suppression) bool {
		return s.Status == nil || *s.Status == "accepted"
	})
	if suppressed || cmp.Or(r.Kind, "fail") != "fail" || value(r.BaselineState) == "absent" {
		return sarif.LevelNone
	}
	switch level := cmp.Or(r.Level, value(value(rule).DefaultConfiguration).Level); level {
	case sarif.LevelError, sarif.LevelNote, sarif.LevelNone:
		return level
	}
	return sarif.LevelWarning
}

// path is the path of an artifact below the root of the repository, "" if it
// has none.
func (t toolRun) path(at *sarif.ArtifactLocation, root string) string {
	name := path.Clean(pathIn(value(value(at).URI), "", "file")) // "." of none
	if path.IsAbs(name) {
		base := pathIn(value(t.run.OriginalUriBaseIds[cmp.Or(value(value(at).URIBaseID), "%SRCROOT%")].URI), "file")
		name = cmp.Or(below(root, name), below(base, name)) // the file may name the root of the sources
	}
	if name == "." || !fs.ValidPath(name) {
		return ""
	}
	return name
}

// pathIn is the path in the address of a file with one of some schemes, "" if it is none.
func pathIn(address string, schemes ...string) string {
	if len(address) > maxRunPath {
		return ""
	}
	u, err := url.Parse(strings.ReplaceAll(address, `\`, "/"))
	if err != nil || !utf8.ValidString(u.Path) || !slices.Contains(schemes, u.Scheme) {
		return ""
	}
	return u.Path
}

// below is the rest of a path below a directory, "" if it is not there.
func below(dir, name string) string {
	rest, ok := strings.CutPrefix(name, strings.TrimSuffix(dir, "/")+"/")
	if !ok || dir == "" {
		return ""
	}
	return rest
}

// value is the value of a member, the zero value if the file leaves it out.
func value[T any](member *T) (v T) {
	if member != nil {
		v = *member
	}
	return v
}

// given has the members of a list other than null.
func given[T any](list []*T) []*T {
	return slices.DeleteFunc(slices.Clone(list), func(member *T) bool { return member == nil })
}
