package likeness

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"testing"
)

var pairsFile = flag.String("pairs", "", "JSON lines of labelled pairs that BenchmarkSimilar scores")

// labelled is one line of the file: two texts that people (or a judge) called
// the same finding or not. Pairs of one Group stay together when a threshold is
// chosen on all other groups. AID and BID name the texts within a group. Here
// says that both are known to be about the same lines.
type labelled struct {
	Group string `json:"group"`
	AID   string `json:"a_id"`
	BID   string `json:"b_id"`
	A     string `json:"a"`
	B     string `json:"b"`
	Here  bool   `json:"here"`
	Same  bool   `json:"same"`
	score int
}

// BenchmarkSimilar measures the speed of the comparison. With -pairs it scores
// it instead: for each threshold precision, recall and F1 in per mille, the
// counts behind them, and the share of all texts in the file that would be merged
// with another one although they differ; then the threshold that is chosen on
// all groups but the scored one.
//
//	go test ./internal/debate/likeness -run '^$' -bench Similar -benchtime 1x -pairs pairs.jsonl
func BenchmarkSimilar(b *testing.B) {
	if *pairsFile == "" {
		b.Run("speed", func(b *testing.B) {
			for b.Loop() {
				for _, p := range likePairs {
					Of(p.a, p.b)
				}
			}
		})
		return
	}
	pairs := readPairs(b, *pairsFile)
	for _, threshold := range []int{150, 200, 225, Likely, 275, 300, 325, 350, 360, LikelyHere, 400, 450, 500} {
		b.Run(fmt.Sprintf("threshold=%d", threshold), func(b *testing.B) {
			measure(pairs, func(labelled) int { return threshold }).report(b)
		})
	}
	b.Run("chosen", func(b *testing.B) {
		measure(pairs, func(p labelled) int {
			if p.Here {
				return LikelyHere
			}
			return Likely
		}).report(b)
	})
	b.Run("cross-validated", func(b *testing.B) {
		chosen := make(map[string]int)
		for _, p := range pairs {
			if _, done := chosen[p.Group]; !done {
				chosen[p.Group] = bestThreshold(pairs, p.Group)
			}
		}
		measure(pairs, func(p labelled) int { return chosen[p.Group] }).report(b)
	})
}

func readPairs(b *testing.B, name string) []labelled {
	file, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	var pairs []labelled
	terms := make(map[string]Terms)
	cached := func(text string) Terms {
		if _, ok := terms[text]; !ok {
			terms[text] = TermsOf(text)
		}
		return terms[text]
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p labelled
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			b.Fatalf("%s: line %d: %v", name, len(pairs)+1, err)
		}
		p.score = cached(p.A).Like(cached(p.B))
		pairs = append(pairs, p)
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
	return pairs
}

// confusion counts pairs, and texts of which at least one merge is wrong.
type confusion struct{ tp, fp, fn, tn, texts, wrong int }

func measure(pairs []labelled, threshold func(labelled) int) confusion {
	var c confusion
	wrong := make(map[[2]string]bool)
	for _, p := range pairs {
		a, b := [2]string{p.Group, p.AID}, [2]string{p.Group, p.BID}
		merged := p.score >= threshold(p)
		wrong[a] = wrong[a] || merged && !p.Same
		wrong[b] = wrong[b] || merged && !p.Same
		switch {
		case merged && p.Same:
			c.tp++
		case merged:
			c.fp++
		case p.Same:
			c.fn++
		default:
			c.tn++
		}
	}
	c.texts = len(wrong)
	for _, is := range wrong {
		if is {
			c.wrong++
		}
	}
	return c
}

func (c confusion) report(b *testing.B) {
	for b.Loop() { // the work is done; only its result counts
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(perMille(c.tp, c.tp+c.fp), "P‰")
	b.ReportMetric(perMille(c.tp, c.tp+c.fn), "R‰")
	b.ReportMetric(perMille(2*c.tp, 2*c.tp+c.fp+c.fn), "F1‰")
	b.ReportMetric(float64(c.tp), "TP")
	b.ReportMetric(float64(c.fp), "FP")
	b.ReportMetric(float64(c.fn), "FN")
	b.ReportMetric(float64(c.tn), "TN")
	b.ReportMetric(perMille(c.fp, c.fp+c.tn), "pairs-wrong‰")
	b.ReportMetric(perMille(c.wrong, c.texts), "texts-wrong‰")
}

func perMille(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(10000*part/whole) / 10
}

// bestThreshold returns the threshold with the best F1 over all groups but one.
func bestThreshold(pairs []labelled, without string) int {
	var rest []labelled
	positives := 0
	for _, p := range pairs {
		if p.Group != without {
			rest = append(rest, p)
			if p.Same {
				positives++
			}
		}
	}
	sort.Slice(rest, func(i, j int) bool { return rest[i].score > rest[j].score })
	threshold, bestTP, bestSum, tp := 1001, 0, 1, 0
	for i, p := range rest {
		if p.Same {
			tp++
		}
		if i+1 < len(rest) && rest[i+1].score == p.score {
			continue
		}
		if sum := i + 1 + positives; tp*bestSum > bestTP*sum {
			threshold, bestTP, bestSum = p.score, tp, sum
		}
	}
	return threshold
}
