package debate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// described is a state of a change of some files, after an opening of the primary said
// what it does.
func described(files []string, chunks int, texts ...*Overview) State {
	s := State{}
	s.Snapshot.HeadSHA, s.Received.Anchor.Issue = "head", "#3: asks for it"
	for _, f := range files {
		s.Split.Coverage = append(s.Split.Coverage, Coverage{Path: f}, Coverage{Path: f})
	}
	s.Split.Chunks = make([]Chunk, chunks)
	var own []said
	for _, v := range texts {
		own = append(own, said{Party: "claude", Status: CallOK, Reply: &Reply{Overview: v}})
	}
	(&reducer{State: &s, step: &Step{}}).describe(own)
	return s
}

func named(n int) (files []string) {
	for i := range n {
		files = append(files, fmt.Sprintf("f%d.go", i))
	}
	return files
}

// The primary says what a change does.
func TestOverview(t *testing.T) {
	t.Parallel()
	six := append(named(6), BodyPath, IssuePath)
	order := []Topic{{"core\n part", []string{"f3.go", "f1.go"}}, {"", []string{"f0.go"}}}
	cases := []struct {
		name   string
		files  []string
		chunks int
		said   []*Overview
		want   *Overview
	}{
		{"nobody says it", six, 1, []*Overview{nil}, nil},
		{"nothing is said", six, 1, []*Overview{{Does: " \n"}}, nil},
		{"an order", six, 1, []*Overview{{Does: "It adds\n a cache.", Misses: "No eviction.", Order: order}}, &Overview{
			By: "claude", Head: "head", Does: "It adds a cache.", Misses: "No eviction.",
			Order: []Topic{{"core part", []string{"f3.go", "f1.go"}}, {"more", []string{"f0.go"}}},
		}},
		{"three sentences", six, 1, []*Overview{{Does: "One, e.g. this. Two! Three."}}, &Overview{By: "claude", Head: "head", Does: "One, e.g. this. Two! Three."}},
		{"parts, none of which knows what another one does", six, 2, []*Overview{{Does: "One. Two.", Misses: "x"}, {Does: "Three.", Misses: "y"}}, &Overview{
			By: "claude", Head: "head", Does: "One. Two. Three.",
		}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, described(c.files, c.chunks, c.said...).Overview()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Whatever is said, an overview has bounds.
func TestOverviewIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5000)
	v := described(named(6), 1, &Overview{Does: long, Misses: long, Order: []Topic{{long, named(1)}}}).Overview()
	if len(v.Does) > 400 || len(v.Misses) > 300 || len(v.Order[0].Topic) > 80 {
		t.Errorf("%d and %d bytes, a topic of %d", len(v.Does), len(v.Misses), len(v.Order[0].Topic))
	}
}

// No issue was read: nothing is missed of it.
func TestAnOverviewKnowsNoIssueThatWasNotRead(t *testing.T) {
	t.Parallel()
	s := State{}
	(&reducer{State: &s, step: &Step{}}).describe([]said{{Party: "claude", Status: CallOK, Reply: &Reply{Overview: &Overview{Does: "d", Misses: "m"}}}})
	if v := s.Overview(); v == nil || v.Misses != "" {
		t.Errorf("it says %+v", v)
	}
}

// A push that sends a part of the change has no overview of its own. The earlier one
// stands, with the head that it is about.
func TestTheOverviewOfAnEarlierHead(t *testing.T) {
	t.Parallel()
	before := described(named(6), 1, &Overview{Does: "d", Misses: "m", Order: []Topic{{"core", []string{"f1.go", "f5.go"}}}})
	memory := before.Memory()
	if memory.Short().Talk.Overview != nil {
		t.Error("an order takes room where there is none")
	}
	after := State{Received: Received{Previous: memory.Previous()}}
	after.Snapshot.HeadSHA = "later"
	for _, f := range append(named(5), "new.go") {
		after.Split.Coverage = append(after.Split.Coverage, Coverage{Path: f, Carried: "head"})
	}
	want := &Overview{By: "claude", Head: "head", Does: "d", Order: []Topic{{"core", []string{"f1.go", "f5.go"}}}}
	same(t, want, after.Overview(), "after a push")
	for i := range after.Split.Coverage {
		after.Split.Coverage[i].Carried = ""
	}
	if v := after.Overview(); v != nil {
		t.Errorf("all was sent, nobody says what it does, and it is %+v", v)
	}
	again := State{Split: before.Split}
	again.restore(memory)
	same(t, before.Overview(), again.Overview(), "of a session that goes on")
}
