package surround

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// mostOdd bounds the names with other characters than words have; each needs a search of its
// own. Above the bound, every file counts as their user.
const mostOdd = 50

// Keys identify the text for a reviewer of each file of a change: its diff, and the hunks of
// other files with a name it declares. On the same base, files with equal keys are equal at
// head and are used in the same way.
func Keys(set *patch.Set) []debate.FileKey {
	names := make([][]string, len(set.Files))
	wanted := make(map[string]bool)
	for i, f := range set.Files {
		names[i] = declaredIn(f)
		for _, name := range names[i] {
			wanted[name] = true
		}
	}
	uses := usesOf(set, wanted)
	keys := make([]debate.FileKey, 0, len(set.Files))
	for i, f := range set.Files {
		sum := sha256.New()
		fmt.Fprintf(sum, "%q %q %o %o %s %s %q %t\n", f.OldPath, f.NewPath, f.OldMode, f.NewMode, f.Status, f.Kind, f.Unparsed, f.Decoded)
		for _, h := range f.Hunks {
			fmt.Fprintf(sum, "%d %d %d %d %q\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Section)
			for _, l := range h.Lines {
				fmt.Fprintf(sum, "%c %t %q\n", l.Op, l.NoEOL, l.Text)
			}
		}
		for _, name := range names[i] {
			fmt.Fprintf(sum, "%q %x\n", name, uses[name])
		}
		keys = append(keys, debate.FileKey{Path: f.Path(), Hash: hex.EncodeToString(sum.Sum(nil)[:16])})
	}
	return keys
}

// declaredIn returns the names declared by the shown lines of a file, old and new, sorted. The
// section line of a hunk names its declaration.
func declaredIn(f *patch.File) []string {
	all := make(map[string]bool)
	for _, name := range Names(f) {
		all[name] = true
	}
	for _, h := range f.Hunks {
		for _, text := range append([]string{h.Section}, texts(h)...) {
			if len(text) > longestRead {
				continue
			}
			for _, name := range append(declared(text, false), declared(text, true)...) {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func texts(h *patch.Hunk) []string {
	return lists.Map(h.Lines, func(l patch.Line) string { return l.Text })
}

// usesOf hashes, for each name, the hunks with that word.
func usesOf(set *patch.Set, names map[string]bool) map[string][]byte {
	sums := make(map[string]hash.Hash, len(names))
	var odd []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !strings.ContainsFunc(name, notWord) {
			continue
		}
		if odd = append(odd, name); len(odd) > mostOdd {
			odd = odd[:mostOdd]
			names[name] = false
		}
	}
	everything := sha256.New()
	for _, f := range set.Files {
		for _, h := range f.Hunks {
			text := strings.Join(texts(h), "\n")
			fmt.Fprintf(everything, "%q %q\n", f.Path(), text)
			for name := range wordsIn(text, names, odd) {
				if sums[name] == nil {
					sums[name] = sha256.New()
				}
				fmt.Fprintf(sums[name], "%q ", f.Path())
				for _, l := range h.Lines {
					fmt.Fprintf(sums[name], "%c%q\n", l.Op, l.Text)
				}
			}
		}
	}
	uses := make(map[string][]byte, len(sums))
	for name, sum := range sums {
		uses[name] = sum.Sum(nil)
	}
	for name, lookedFor := range names {
		if !lookedFor {
			uses[name] = everything.Sum(nil)
		}
	}
	return uses
}

// wordsIn returns the names found in a text.
func wordsIn(text string, names map[string]bool, odd []string) map[string]bool {
	found := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(text, notWord) {
		if names[word] {
			found[word] = true
		}
	}
	for _, name := range odd {
		if patch.HasWord(text, name) {
			found[name] = true
		}
	}
	return found
}

// notWord reports whether a character is not part of a name.
func notWord(r rune) bool { return r < 0x80 && strings.IndexByte(wordBytes, byte(r)) < 0 }

const wordBytes = "_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
