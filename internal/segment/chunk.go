package segment

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// defaultChunkBytes is the default size of a chunk (S13).
const defaultChunkBytes = 60_000

// Bytes of a rendered line and a rendered segment besides their text: the label with the sign and
// the line numbers, and the header.
const (
	lineOverhead    = 16
	segmentOverhead = 96
)

// pack fills chunks with the code segments (S13). Related files are neighbors: a file and its test,
// then the files of a directory. Groups with a sensitive file come first; a group that fits into
// one chunk is not split. A segment larger than a chunk gets its own, and its ledger entry says so.
// Chunks beyond MaxChunks are out of budget.
func (s *splitter) pack() {
	limit := cmp.Or(max(0, s.in.ChunkBytes), defaultChunkBytes)
	var chunks [][]piece
	room := 0
	for _, group := range s.related() {
		total := 0
		for _, p := range group {
			total += p.bytes
		}
		if total > room && total <= limit {
			chunks, room = append(chunks, nil), limit
		}
		for _, p := range group {
			if p.bytes > room {
				chunks, room = append(chunks, nil), limit
			}
			last := len(chunks) - 1
			chunks[last] = append(chunks[last], p)
			room -= p.bytes
		}
	}
	sent := min(len(chunks), cmp.Or(max(0, s.in.MaxChunks), len(chunks)))
	for _, c := range chunks[:sent] {
		slices.SortFunc(c, func(a, b piece) int { return a.segment - b.segment }) // in the order of the input
		chunk := debate.Chunk{ID: "X" + strconv.Itoa(len(s.res.Chunks)+1)}
		for _, p := range c {
			chunk.Bytes += p.bytes
			chunk.Segments = append(chunk.Segments, s.res.Segments[p.segment].ID)
			if p.bytes > limit {
				s.entry(p.coverage).Detail = strconv.Itoa(p.bytes) + " bytes, larger than a chunk of " + strconv.Itoa(limit)
			}
		}
		s.res.Chunks = append(s.res.Chunks, chunk)
	}
	for _, p := range slices.Concat(chunks[sent:]...) { // a part with only half of its segments sent counts as not reviewed
		c := s.entry(p.coverage)
		c.Excluded, c.Detail = debate.OutOfBudget, "more than "+strconv.Itoa(s.in.MaxChunks)+" parts"
	}
}

// carry leaves out the parts that were read on an earlier head. If nothing else is left, it sends
// all parts again, because this head needs a review.
func (s *splitter) carry() {
	var sent, carried []piece
	for _, p := range s.pieces {
		if s.in.Carried[s.path(p)] != "" && p.coverage >= 0 {
			carried = append(carried, p)
		} else {
			sent = append(sent, p)
		}
	}
	if len(sent) == 0 {
		return
	}
	s.pieces = sent
	for _, p := range carried {
		s.res.Coverage[p.coverage].Carried = s.in.Carried[s.path(p)]
	}
}

// related returns the code segments in groups of related files, those with a sensitive file first,
// then ordered by directory and name.
func (s *splitter) related() [][]piece {
	families := make(map[string]family)
	for _, p := range s.pieces {
		families[s.path(p)] = kin(s.path(p))
	}
	of := func(p piece) family { return families[s.path(p)] }
	sorted := slices.Clone(s.pieces)
	slices.SortStableFunc(sorted, func(a, b piece) int {
		x, y := of(a), of(b)
		return cmp.Or(cmp.Compare(x.dir, y.dir), cmp.Compare(x.stem, y.stem), cmp.Compare(s.path(a), s.path(b)))
	})
	var groups [][]piece
	for i, p := range sorted {
		if i == 0 || of(sorted[i-1]) != of(p) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	sort.SliceStable(groups, func(i, j int) bool { return s.sensitive(groups[i]) && !s.sensitive(groups[j]) })
	return groups
}

func (s *splitter) path(p piece) string { return s.res.Segments[p.segment].Path }

func (s *splitter) sensitive(group []piece) bool {
	return s.in.Sensitive != nil && slices.ContainsFunc(group, func(p piece) bool { return s.in.Sensitive(s.path(p)) })
}

// family is the directory and the stem that a file shares with its test.
type family struct{ dir, stem string }

// kin returns the family of a file: the directory without the parts for tests or sources, and the
// stem without a test affix.
func kin(name string) family {
	parts := slices.DeleteFunc(strings.Split(path.Dir(name), "/"), func(part string) bool { return slices.Contains(apart, part) })
	dir := strings.Join(parts, "/")
	stem, _, _ := strings.Cut(path.Base(name), ".")
	lower := strings.ToLower(stem)
	for _, affix := range []string{"_test", "_spec", "-test", "-spec", "tests", "test"} {
		if cut, ok := strings.CutSuffix(lower, affix); ok && cut != "" {
			return family{dir, cut}
		}
	}
	return family{dir, strings.TrimPrefix(lower, "test_")}
}

var apart = []string{"test", "tests", "__tests__", "spec", "src", "main", "lib"}
