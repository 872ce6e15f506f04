package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// account is a file with a function for each of so many kinds of entries. What it does with
// every third of them depends on its version: 12 changed lines between two of them.
func account(n, kinds int, version, end string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package pkg\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\n// Account%d keeps the entries of a customer.\ntype Account%d struct {\n\tentries []int\n\tlimit   int\n}\n", n, n)
	for kind := range kinds {
		fmt.Fprintf(&b, "\n// Post%dTo%d adds an entry, and refuses what is over the limit.\nfunc (a *Account%d) Post%dTo%d(amount int) error {\n", kind, n, n, kind, n)
		if kind%3 > 0 || version == "" {
			fmt.Fprintf(&b, "\tif amount > a.limit {\n\t\treturn errors.New(\"the amount is over the limit\")\n\t}\n\tif len(a.entries) > %d {\n", 100+kind)
		} else {
			fmt.Fprintf(&b, "\ttotal := amount\n\tfor _, entry := range a.entries {\n\t\ttotal += entry\n\t}\n\tif total > a.limit {\n"+
				"\t\treturn fmt.Errorf(\"%s: %%d is over the limit of %%d\", total, a.limit)\n\t}\n\tif len(a.entries) > %d {\n", version, 200+kind)
		}
		fmt.Fprintf(&b, "\t\treturn fmt.Errorf(\"too many entries of kind %d\")\n\t}\n\ta.entries = append(a.entries, amount)\n\treturn nil\n}\n", kind)
	}
	return b.String() + end
}

// outlay are the bytes of requests, by what they are for.
type outlay struct {
	calls int
	all   int // of whole requests
	brief int // how to review, the same in every call
	lines int // changed lines, with those next to them
	near  int // what stands around them
	about int // the rest of the material: the stat, what the author and the repository say
}

func (b outlay) String() string {
	turn := b.all - b.brief - b.lines - b.near - b.about
	return fmt.Sprintf("%d calls, %d bytes: brief %d, changed lines %d, around them %d, other material %d, turn and wire %d", b.calls, b.all, b.brief, b.lines, b.near, b.about, turn)
}

// add counts one request.
func (b *outlay) add(t *testing.T, c call) {
	t.Helper()
	var wire map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.body), &wire); err != nil {
		t.Fatal(err)
	}
	b.calls++
	b.all += len(c.body)
	b.brief += len(wire["system"]) + len(wire["instructions"])
	to := &b.about
	for line := range strings.Lines(c.packet) {
		kind, _, _ := strings.Cut(line, " ")
		switch {
		case kind == "segment":
			to = &b.lines
		case kind == "context", kind == "uses":
			to = &b.near
		case strings.HasPrefix(line, "<<<data"):
			to = &b.about
		}
		*to += len(line)
	}
}

// spending are the bytes that were sent to models since this was asked last.
func (p *parcel) spending() outlay {
	var b outlay
	for _, m := range p.minds {
		calls := m.asked()
		for _, c := range calls[p.seen[m.name]:] {
			b.add(p.t, c)
		}
		p.seen[m.name] = len(calls)
	}
	return b
}

// A push that touches one of five files sends a fifth of the changed lines and of what
// stands around them. The brief and the turn of each call are the same for one file as for
// five, and a push takes as many calls as a first review that went its shortest way: in
// whole requests it sends a third, and less of longer files. The first review is bounded,
// too, so that no push looks cheap beside a dear one.
func TestAPushOfAChangeOfSomeSize(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kinds       int    // 20: 280 lines of which 84 are changed, 28: 388 and 120
		bug         string // that the first version has
		share       int    // percent of the first review that the push sends
		push, first int    // bytes
	}{
		"nothing was found":                 {20, "", 35, 95_000, 275_000},
		"the push mends it":                 {20, "\nvar door = 1 // BUG: it is open\n", 37, 101_000, 278_000},
		"nothing was found in longer files": {28, "", 31, 113_000, 366_000},
		"the push mends longer files":       {28, "\nvar door = 1 // BUG: it is open\n", 33, 119_000, 369_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &parcel{hosted: host(t), seen: map[string]int{}}
			p.minds = vendors(t, replying)[:2]
			delete(p.inputs, "operator-config")
			p.env = environment(p.minds)
			before, after := map[string]string{}, map[string]string{}
			for n := range 5 {
				path := fmt.Sprintf("pkg/a%d.go", n)
				before[path], after[path] = account(n, tt.kinds, "", ""), account(n, tt.kinds, "v1", "")
			}
			after["pkg/a2.go"] += tt.bug
			p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), before))
			p.pull = p.open("ada", after)
			p.on(p.pull, "opened").good(t)
			first := p.spending()
			p.push(p.pull, map[string]string{"pkg/a2.go": account(2, tt.kinds, "v2", "")}).good(t)
			push := p.spending()
			for _, c := range []struct {
				what        string
				push, first int
				most        int // percent
			}{
				{"changed lines", push.lines, first.lines, 21}, {"lines around them", push.near, first.near, 21},
				{"material", push.lines + push.near + push.about, first.lines + first.near + first.about, 22},
				{"whole requests", push.all, first.all, tt.share}, {"calls", push.calls, first.calls, 100},
				{"bytes of a push", push.all, tt.push, 100}, {"bytes of a first review", first.all, tt.first, 100},
			} {
				if c.first == 0 || c.push*100 > c.first*c.most {
					t.Errorf("%s: %d of %d are more than %d %%\nfirst review: %v\npush: %v", c.what, c.push, c.first, c.most, first, push)
				}
			}
			t.Logf("first review: %v\npush: %v: %d %%", first, push, push.all*100/first.all)
		})
	}
}
