package population

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

var full = flag.Bool("full", false, "recompute every number of docs/developers/population.md")

// TestPage keeps the page equal to what the simulation gives. Without -full it
// compares the main population and the prose.
func TestPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "docs", "developers", "population.md")
	if *golden.Update || *full {
		page, err := Page()
		if err != nil {
			t.Fatal(err)
		}
		golden.Same(t, path, page)
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	have := string(data)
	head, err := Head()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(head, have[:min(len(head), len(have))]); diff != "" || !strings.HasSuffix(have, Tail()) {
		t.Errorf("%s differs in the main population or at its end; if that is meant, run the test with -update:\n%s", path, diff)
	}
}

// extremes are populations in which one knob, or all of them, stand at an end.
func extremes() map[string]Knobs {
	list := map[string]Knobs{"usual": Usual()}
	set := func(name string, change func(*Knobs)) {
		k := Usual()
		change(&k)
		list[name] = k
	}
	set("everything forged", func(k *Knobs) { k.Forged = whole })
	set("everybody gives in", func(k *Knobs) { k.Sycophancy = whole })
	set("nobody gives in", func(k *Knobs) { k.Sycophancy, k.Stubborn = 0, whole })
	set("nobody can tell", func(k *Knobs) { k.Skill = 0 })
	set("everything is claimed", func(k *Knobs) { k.Hit, k.False = whole, whole })
	set("nothing is claimed", func(k *Knobs) { k.Hit, k.False = 0, 0 })
	set("one mind", func(k *Knobs) { k.Correlation = whole })
	set("lazy challengers", func(k *Knobs) { k.Lazy = whole })
	set("reckless", func(k *Knobs) { k.Reckless, k.Hit, k.Skill = whole, 8000, 9000 })
	set("one challenger", func(k *Knobs) { k.Challengers = 1 })
	set("four challengers, the first opens alone", func(k *Knobs) { k.Challengers, k.Opening = 4, debate.OpenPosition })
	set("arguments", func(k *Knobs) { *k = Honest() })
	set("silent", func(k *Knobs) { k.Silent = whole })
	set("hostile", func(k *Knobs) {
		k.Challengers, k.False, k.Forged, k.Skill, k.Sycophancy, k.Correlation = 3, 6000, 7000, 3000, 6000, 5000
	})
	return list
}

// TestZeros demands what must hold however the parties behave.
func TestZeros(t *testing.T) {
	t.Parallel()
	for name, k := range extremes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size := Size / 2
			if name == "usual" {
				size = Size
			}
			for seed := range size {
				got, err := Measure(k, seed, seed+1)
				if err != nil {
					t.Fatal(err)
				}
				for _, z := range got.Zeros() {
					if z.Count != 0 {
						t.Errorf("change %d: %s: %d", seed, z.What, z.Count)
					}
				}
			}
		})
	}
}

// TestMeasuresSee demands that the populations exercise what the zeros are
// about: a zero of nothing is no result.
func TestMeasuresSee(t *testing.T) {
	t.Parallel()
	got, err := Measure(Usual(), 0, Size)
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range got.Zeros() {
		if z.Of < 100 {
			t.Errorf("%s: only %d %s", z.What, z.Of, z.Things)
		}
	}
	for name, n := range map[string]int{
		"lone": got.Lone, "shared": got.Shared, "with P1": got.WithP1, "clean": got.Clean,
		"flips with words": got.Flips - got.BareFlips, "misled": got.Misled, "by a majority": got.By[Majority].True, "by two": got.By[TwoReport].True,
	} {
		if n < 50 {
			t.Errorf("%s: only %d", name, n)
		}
	}
	for m, c := range got.By {
		if c.True+c.Missed != got.By[0].True+got.By[0].Missed {
			t.Errorf("method %d sees other defects than the debate", m)
		}
	}
}

// TestSides demands what sets debate and vote apart in the main population.
func TestSides(t *testing.T) {
	t.Parallel()
	got, err := Measure(Usual(), 0, Size)
	if err != nil {
		t.Fatal(err)
	}
	debated, shown, two, most := got.By[Debated], got.By[Shown], got.By[TwoReport], got.By[Majority]
	for what, holds := range map[string]bool{
		"debate is more precise than a majority":     debated.Precision() > most.Precision(),
		"what a debate shows is more than it adopts": shown.Recall() > debated.Recall(),
		"debate finds more than two reports do":      debated.Recall() > two.Recall()+200,
		"no vote stops what most parties report":     two.SharedAdopted == got.Shared && most.SharedAdopted == got.Shared,
		"debate stops some of it":                    debated.SharedAdopted < got.Shared,
		"debate costs more calls than either vote":   got.Calls > 2*Usual().parties()*got.Changes,
	} {
		if !holds {
			t.Errorf("not so: %s", what)
		}
	}
}

// TestPaired shows that the luck of a party does not depend on when it is drawn:
// the debate and the votes see the same parties.
func TestPaired(t *testing.T) {
	t.Parallel()
	k := Usual()
	for seed := range 50 {
		c := Plant(seed)
		var before []bool
		for i := range c.Places {
			before = append(before, twoReport(c, k, i), majority(c, k, i))
		}
		s, x, err := play(c, k)
		if err != nil {
			t.Fatal(err)
		}
		again, y, err := play(Plant(seed), k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.Book.Claims, again.Book.Claims); diff != "" || x.raised != y.raised {
			t.Fatalf("change %d is debated differently the second time:\n%s", seed, diff)
		}
		var after []bool
		for i := range c.Places {
			after = append(after, twoReport(c, k, i), majority(c, k, i))
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("change %d is voted on differently after the debate:\n%s", seed, diff)
		}
		for _, cl := range s.Book.Claims { // nobody claims in the debate what it does not see alone
			for who, id := range debaters()[:k.parties()] {
				if cl.Owner == id && !x.minds[id].sees(placeOf(cl.Title)) {
					t.Errorf("change %d: party %d claims what it does not see", seed, who)
				}
			}
		}
	}
}

// TestFound is the check of the simulation itself.
func TestFound(t *testing.T) {
	t.Parallel()
	c := Plant(1)
	m := mind{Knobs: Usual(), change: c}
	for kind, ok := range map[forgedKind]bool{
		honest: true, missingFile: false, wrongLine: false, alteredQuote: false, inventedRun: false, elsewhere: true,
	} {
		for place := range c.Places {
			r := m.ref(place, forClaim, kind)
			if r.Found.OK != ok {
				t.Errorf("place %d, kind %d: found %v", place, kind, r.Found)
			}
			if isElsewhere(r.Citation) != (kind == elsewhere) {
				t.Errorf("place %d, kind %d: taken for a line beside the point", place, kind)
			}
		}
	}
}

// TestSubjects demands that a title leads back to its place.
func TestSubjects(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for place := range subjects() {
		for who := range 2 {
			title, body := title(place, who)
			if placeOf(title) != place || seen[title] || seen[body] {
				t.Errorf("%q is not the title of place %d alone", title, place)
			}
			seen[title], seen[body] = true, true
		}
	}
	if placeOf("something else") != -1 {
		t.Error("an unknown title has a place")
	}
}
