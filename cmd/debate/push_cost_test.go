package main

import (
	"bytes"
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

// outlay are the bytes of requests, as they are sent.
type outlay struct {
	calls, all    int // of whole requests
	material      int // the change, what stands around it, and what the author and the repository say
	later, shared int // what a provider reads in calls of a model after its first, and what it has read before
}

// add counts one more request. What of it begins like an earlier one is counted in the order
// in which a provider reads: tools, system text, messages.
func (b *outlay) add(t *testing.T, c call, before *[]string) {
	t.Helper()
	var wire map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.body), &wire); err != nil {
		t.Fatal(err)
	}
	read := ""
	for _, name := range []string{"tools", "system", "instructions", "systemInstruction", "messages", "input", "contents"} {
		read += string(wire[name])
	}
	b.calls, b.all = b.calls+1, b.all+len(c.body)
	for line := range strings.Lines(c.packet) {
		b.material += sent(t, line, strings.Contains(read, `\u003c`))
	}
	if len(*before) > 0 {
		b.later += len(read)
	}
	most := 0
	for _, earlier := range *before {
		n := 0
		for n < min(len(earlier), len(read)) && earlier[n] == read[n] {
			n++
		}
		most = max(most, n)
	}
	b.shared += most
	*before = append(*before, read)
}

// sent is the length of a text within a request.
func sent(t *testing.T, text string, escaped bool) int {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escaped)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	return b.Len() - len("\"\"\n")
}

// spending are the bytes that were sent to models since this was asked last.
func (p *parcel) spending() (all outlay) {
	for _, m := range p.minds {
		var before []string
		calls := m.asked()
		for _, c := range calls[p.seen[m.name]:] {
			all.add(p.t, c, &before)
		}
		p.seen[m.name] = len(calls)
	}
	return all
}

// outlays is a pull request of so many files, and what may be sent of it at most.
type outlays struct {
	name        string
	files       int
	kinds       int    // functions of each file; every third is changed
	bug         string // that the first version has, and the push mends
	material    int    // percent of the material of the first review that a push of one file sends
	share       int    // percent in whole requests
	push, first int    // bytes for each call
	known       int    // percent of a later call that its model has read before, at least
}

// A push that touches one of five files sends a fifth of the changed lines and of what
// stands around them. What a call is told of reviewing is the same for one file as for
// five, and a push takes as many calls as a first review that went its shortest way (M01),
// so the share in whole requests falls as files grow. The first review is bounded, too, so that
// no push looks cheap beside a dear one.
func TestWhatAPushSends(t *testing.T) {
	t.Parallel()
	const bug = "\nvar door = 1 // BUG: it is open\n"
	for _, tt := range []outlays{
		{"five files of 28 lines", 5, 1, "", 30, 78, 14_700, 18_900, 85},
		{"five files of 280 lines", 5, 20, "", 22, 36, 24_700, 68_600, 91},
		{"five files of 280 lines, one mended", 5, 20, bug, 22, 38, 26_100, 69_500, 84},
		{"five files of 388 lines", 5, 28, "", 21, 32, 29_100, 92_000, 92},
		{"five files of 388 lines, one mended", 5, 28, bug, 21, 34, 30_500, 92_500, 86},
		{"forty files of 92 lines", 40, 6, "", 7, 21, 17_700, 58_600, 87},
	} {
		for families := 1; families <= 3; families++ {
			t.Run(fmt.Sprintf("%s, %d families", tt.name, families), func(t *testing.T) {
				t.Parallel()
				tt.measure(t, families)
			})
		}
	}
}

func (o outlays) measure(t *testing.T, families int) {
	p := &parcel{hosted: host(t), seen: map[string]int{}}
	p.minds = vendors(t, replying)[:families]
	delete(p.inputs, "operator-config")
	p.env = environment(p.minds)
	before, after := map[string]string{}, map[string]string{}
	for n := range o.files {
		path := fmt.Sprintf("pkg/a%d.go", n)
		before[path], after[path] = account(n, o.kinds, "", ""), account(n, o.kinds, "v1", "")
	}
	after["pkg/a2.go"] += o.bug
	p.repo.SetBranch("main", p.repo.Change(p.repo.Branch("main"), before))
	p.pull = p.open("ada", after)
	p.on(p.pull, "opened").good(t)
	first := p.spending()
	p.push(p.pull, map[string]string{"pkg/a2.go": account(2, o.kinds, "v2", "")}).good(t)
	push := p.spending()

	for _, c := range []struct {
		what        string
		push, first int
		most        int // percent
	}{
		{"material", push.material, first.material, o.material}, {"whole requests", push.all, first.all, o.share},
		{"calls", push.calls, first.calls, 100}, {"bytes of a call of a push", push.all / push.calls, o.push, 100},
		{"bytes of a call of a first review", first.all / first.calls, o.first, 100},
	} {
		if c.first == 0 || c.push*100 > c.first*c.most {
			t.Errorf("%s: %d of %d are more than %d %%", c.what, c.push, c.first, c.most)
		}
	}
	if push.shared*100 < push.later*o.known {
		t.Errorf("a model has read %d of %d bytes before: less than %d %%", push.shared, push.later, o.known)
	}
}
