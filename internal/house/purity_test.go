package house

import (
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pure lists the packages of the pure ring.
var pure = []string{
	"internal/debate", "internal/patch", "internal/segment", "internal/policy",
	"internal/comment", "internal/report", "internal/config", "internal/redact", "internal/outline", "internal/surround", "internal/prompt", "internal/testkit/debatetest",
	"internal/debate/jury", "internal/debate/likeness", "internal/debate/rubric", "internal/lists", "internal/text",
}

// banned says what a pure package must not import, and why. What it needs of
// these arrives as data.
var banned = map[string]string{
	"context":       "nothing in the pure ring waits, so nothing can be cancelled",
	"time":          "the clock is data of an event; a replay must not see another one",
	"math/rand":     "randomness is data of the first event (S24)",
	"math/rand/v2":  "randomness is data of the first event (S24)",
	"crypto/rand":   "randomness is data of the first event (S24)",
	"os":            "files and the environment belong to the ports and to the root",
	"os/exec":       "processes belong to gitrepo and model/exec",
	"os/signal":     "signals belong to the root",
	"io/ioutil":     "files belong to the ports",
	"path/filepath": "paths of a change are slash-separated on every system; use path",
	"net":           "the network belongs to the ports",
	"net/http":      "the network belongs to the ports",
	"log":           "the pure ring reports by what it returns",
	"log/slog":      "the pure ring reports by what it returns",
	"sync":          "shared state does not replay; the engine owns concurrency",
	"sync/atomic":   "shared state does not replay; the engine owns concurrency",
	"runtime":       "results must not depend on the machine",
	"syscall":       "results must not depend on the machine",
	"unsafe":        "hostile text passes through here",
	"plugin":        "code is not loaded at run time",
}

// onlyStd lists what the reducer and its parts may import. Third parties are not
// in it, so that nothing can come in through them either; of its own module the
// reducer imports its parts.
var onlyStd = map[string]bool{
	"bytes": true, "cmp": true, "crypto/sha256": true, "encoding/hex": true, "encoding/json": true,
	"fmt": true, "iter": true, "maps": true, "slices": true, "sort": true, "strconv": true, "strings": true, "unicode": true,
}

// parts lists the parts of the reducer: topics with a vocabulary of their own.
var parts = []string{"internal/debate/jury", "internal/debate/likeness", "internal/debate/rubric", "internal/lists", "internal/text"}

func TestPureImports(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, pkg := range packages(t) {
		if !isPure(pkg.dir) {
			continue
		}
		checked++
		for _, imp := range pkg.imports() {
			if why, bad := banned[imp.path]; bad {
				t.Errorf("%s: %s imports %s: %s", imp.at, pkg.dir, imp.path, why)
			}
			reducer := pkg.dir == "internal/debate" || slices.Contains(parts, pkg.dir)
			part := slices.Contains(parts, strings.TrimPrefix(imp.path, module))
			if reducer && !part && !onlyStd[imp.path] {
				t.Errorf("%s: %s imports %s, which is not on the reducer's list", imp.at, pkg.dir, imp.path)
			}
		}
	}
	if checked != len(pure) {
		t.Errorf("checked %d pure packages, %d are listed", checked, len(pure))
	}
}

// TestPureSyntax bans what no import shows: goroutines, channels, init
// functions and variables that somebody could write to.
func TestPureSyntax(t *testing.T) {
	t.Parallel()
	for _, pkg := range packages(t) {
		if !isPure(pkg.dir) {
			continue
		}
		for _, name := range pkg.files {
			set := token.NewFileSet()
			file := parsed(t, set, name, nil, 0)
			ast.Inspect(file, func(n ast.Node) bool {
				why := ""
				switch n := n.(type) {
				case *ast.GoStmt:
					why = "starts a goroutine: the order of its results would not replay"
				case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
					why = "uses a channel: the order of its values would not replay"
				case *ast.FuncDecl:
					if n.Recv == nil && n.Name.Name == "init" {
						why = "has an init function: work before main is invisible"
					}
				}
				if why != "" {
					t.Errorf("%s %s", set.Position(n.Pos()), why)
				}
				return true
			})
		}
	}
}

// TestReducerRangesOverNoMap bans the one source of disorder that the language
// itself brings in. The other pure packages sort what they take from a map;
// the reducer takes nothing from one in the first place.
func TestReducerRangesOverNoMap(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	var files []*ast.File
	names, err := filepath.Glob(filepath.Join("..", "debate", "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files of the reducer: %v", err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src := readFile(t, name)
		file := parsed(t, set, name, src, 0)
		files = append(files, file)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	conf := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	if _, err := conf.Check("debate", set, files, info); err != nil {
		t.Fatal(err)
	}
	ranges := 0
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if !ok {
				return true
			}
			ranges++
			if _, isMap := info.Types[loop.X].Type.Underlying().(*types.Map); isMap {
				t.Errorf("%s ranges over a map: its order differs from run to run", set.Position(n.Pos()))
			}
			return true
		})
	}
	if ranges == 0 {
		t.Error("no range statement seen: the check is blind")
	}
}

func isPure(dir string) bool {
	for _, p := range pure {
		if p == dir {
			return true
		}
	}
	return false
}
