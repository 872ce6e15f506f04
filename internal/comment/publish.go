package comment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Publish returns the fewest writes to turn the present state into the wanted one, in a fixed
// order: issues, the review, edits of inline comments and the state of their threads, the
// summary, replies, reactions. After them it returns none. It never deletes anything: if two
// parallel runs posted the same twice, the oldest stays, and the other is edited to say so. A
// finding is posted once, and a thread answered or resolved by a person is never edited. Parts
// missing in Want are left alone: inline comments without a head, the summary without a text,
// issues and comments without a name.
func Publish(w Want, h Have) []Write {
	var p plan
	p.items(w.Items, h.Issues)
	if w.HeadSHA != "" {
		p.inline(w, h)
	}
	if w.Summary != "" {
		p.summary(w.Summary, h)
	}
	p.replies(w.Replies, h)
	return p
}

// plan collects writes.
type plan []Write

func (p *plan) add(w Write) { *p = append(*p, w) }

func (p *plan) items(items []Item, have []HaveIssue) {
	items = slices.SortedFunc(slices.Values(items), func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Status, b.Status), cmp.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)))
	})
	items = slices.CompactFunc(items, func(a, b Item) bool { return a.Key == b.Key })
	for _, it := range items {
		own := slices.SortedFunc(slices.Values(have), func(a, b HaveIssue) int { return cmp.Compare(a.Number, b.Number) })
		own = slices.DeleteFunc(own, func(i HaveIssue) bool { return i.Key != it.Key || IsMarked(i.Body, DuplicateMark) })
		switch {
		case len(own) > 0:
			// The notes go first: they follow from text removed by the edit, and a run may end
			// between the two.
			p.notes(it, own[0].Number, own[0].Noted)
			p.editIssue(it, own[0])
			for _, i := range own[1:] {
				p.twice(it, i, own[0].Number)
			}
		case it.Status == debate.ItemAwaiting:
			p.add(CreateIssue{Key: it.Key, Title: Clip(it.Title, maxTitle), Body: it.Body, Labels: labels(nil, it)})
			p.notes(it, 0, nil)
		}
	}
}

// maxTitle is how many characters the title of an issue may have.
const maxTitle = 250

func (p *plan) editIssue(it Item, i HaveIssue) {
	e := EditIssue{Number: i.Number, Title: changed(Clip(it.Title, maxTitle), i.Title), Body: changed(it.Body, i.Body)}
	if want := labels(i.Labels, it); !slices.Equal(want, slices.Sorted(slices.Values(i.Labels))) {
		e.Labels = want
	}
	open := it.Status == debate.ItemAwaiting
	if rests := open && it.Rests; open != i.Open && !rests {
		e.Open = &open
		e.NotPlanned = !open && (it.NotPlanned || it.Status != debate.ItemDecided)
	}
	switch {
	case e.Title != nil, e.Body != nil, e.Labels != nil, e.Open != nil:
		p.add(e)
	}
}

// changed is a text to replace another one, nil if that one may stay.
func changed(want, have string) *string {
	if want == "" || Same(want, have) {
		return nil
	}
	return &want
}

// twice closes an issue replaced by another one: two parallel runs opened both, or an earlier
// version opened one for each question.
func (p *plan) twice(it Item, i HaveIssue, kept int) {
	body := Mark("What was asked here is asked in #"+strconv.Itoa(kept)+": one issue holds all questions about a pull request.\n",
		Marker{Kind: DuplicateMark, Value: it.Key}.String())
	e := EditIssue{Number: i.Number, Body: &body, NotPlanned: true}
	if i.Open {
		e.Open = new(bool)
	}
	all := slices.Concat(it.Labels, it.Unlabel)
	if want := labels(i.Labels, Item{Unlabel: all}); len(want) != len(i.Labels) {
		e.Labels = want
	}
	p.add(e)
}

func (p *plan) notes(it Item, number int, noted []string) {
	notes := slices.SortedFunc(slices.Values(it.Notes), func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Body, b.Body))
	})
	notes = slices.CompactFunc(notes, func(a, b Note) bool { return a.Key == b.Key })
	for _, n := range notes {
		marker := Marker{Kind: NoteMark, Value: n.Key}.String()
		if marker != "" && !slices.Contains(noted, n.Key) {
			p.add(CommentIssue{Number: number, Key: n.Key, Body: Mark(n.Body, marker)})
		}
	}
}

// labels has the labels of an issue: those of others stay. They are sorted and never nil; the
// platform ignores case.
func labels(have []string, it Item) []string {
	is := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(l, name) })
	}
	want := append([]string{}, have...)
	want = slices.DeleteFunc(want, func(l string) bool { return is(it.Unlabel, l) && !is(it.Labels, l) })
	for _, l := range it.Labels {
		if !is(want, l) {
			want = append(want, l)
		}
	}
	slices.Sort(want)
	return want
}

// inline posts new findings and edits changed comments.
func (p *plan) inline(w Want, h Have) {
	posted := slices.SortedFunc(slices.Values(h.Inline), func(a, b HaveInline) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(rank(b.Answered), rank(a.Answered)), cmp.Compare(a.ID, b.ID))
	})
	posted = slices.DeleteFunc(posted, func(c HaveInline) bool { return IsMarked(c.Body, DuplicateMark) })
	kept := make(map[string]int64)
	var repeated []Write
	for _, c := range posted {
		switch _, known := kept[c.Key]; {
		case !known:
			kept[c.Key] = c.ID
		case c.isFree():
			repeated = append(repeated, EditInline{ID: c.ID, Key: c.Key, Body: Mark("This finding was posted twice by mistake; another comment has it.\n",
				Marker{Kind: DuplicateMark, Value: c.Key}.String())})
		}
	}
	stands := make(map[string]string)
	for _, s := range w.Standing {
		stands[s.Key] = max(stands[s.Key], s.Body) // any one, but always the same
	}
	p.review(w, h, stands)
	p.settle(w, stands, slices.DeleteFunc(posted, func(c HaveInline) bool { return kept[c.Key] != c.ID }))
	*p = append(*p, repeated...)
}

// settle updates comments to the state of their findings, and closes or opens their threads.
func (p *plan) settle(w Want, stands map[string]string, posted []HaveInline) {
	var edits plan
	closed, opened := Fold{}, Fold{Open: true}
	for _, c := range posted {
		body, standing := stands[c.Key]
		var gone Gone // all entries for the finding
		for _, g := range w.Gone {
			if g.Key == c.Key {
				gone.Note, gone.Stray = max(gone.Note, g.Note), gone.Stray || g.Stray
			}
		}
		switch {
		case standing:
			if body != "" && c.isGone() {
				mark, _ := Marked(c.Body, FindingMark)
				edits.add(EditInline{ID: c.ID, Key: c.Key, Body: Mark(body, mark.String())})
				opened.take(c, c.isFolded())
			}
		case gone.Note != "" && c.isFree():
			if !c.isGone() {
				mark, _ := Marked(c.Body, FindingMark)
				if gone.Stray {
					mark.ID = ""
				}
				edits.add(EditInline{ID: c.ID, Key: c.Key, Body: Mark(gone.Note, mark.String(), Marker{Kind: GoneMark, Value: c.Key}.String())})
			}
			closed.take(c, !c.isFolded() && !gone.Stray)
		}
	}
	// A run may end between any two writes: the mark of a closed thread is set first, and removed
	// last.
	p.fold(opened)
	*p = append(*p, edits...)
	p.fold(closed)
}

// take adds a thread if it is to be folded, and its name is known.
func (f *Fold) take(c HaveInline, is bool) {
	if is && c.Thread != "" {
		f.Threads = append(f.Threads, c)
	}
}

func (p *plan) fold(f Fold) {
	if len(f.Threads) > 0 {
		p.add(f)
	}
}

// isGone reports whether the comment says that its finding is gone.
func (c *HaveInline) isGone() bool { return IsMarked(c.Body, GoneMark) }

// isFolded reports whether the thread is shown closed.
func (c *HaveInline) isFolded() bool { return c.Resolved || c.Hidden }

// isFree reports whether no person took the thread over. The thread of a gone finding was
// resolved by us, or by someone who agreed. If the finding returns, its text returns too, despite
// any replies: a "thanks" must not keep it closed.
func (c *HaveInline) isFree() bool { return !c.Answered && (!c.Resolved || c.isGone()) }

// review posts the new findings, and adds the others to the standing ones.
func (p *plan) review(w Want, h Have, stands map[string]string) {
	list := slices.SortedFunc(slices.Values(w.Inline), func(a, b Inline) int {
		return cmp.Or(
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.StartLine, b.StartLine),
			cmp.Compare(a.Side, b.Side), cmp.Compare(a.FID, b.FID), cmp.Compare(a.Body, b.Body), cmp.Compare(a.Suggestion, b.Suggestion))
	})
	list = slices.CompactFunc(list, func(a, b Inline) bool { return a.Key == b.Key })
	var fresh []Inline
	var keys []string
	for _, f := range list {
		marker := Marker{Kind: FindingMark, Value: f.Key, ID: f.FID}.String()
		_, standing := stands[f.Key]
		known := slices.ContainsFunc(h.Inline, func(c HaveInline) bool { return c.Key == f.Key })
		if marker == "" || standing || known {
			stands[f.Key] = cmp.Or(stands[f.Key], f.Body)
			continue
		}
		if f.Side == debate.Right && len(f.Body)+len(f.Suggestion)+maxMarker < MaxBody {
			// Before the rest of the foot and after its mark: it is not part of the text about the finding.
			at := len(f.Body)
			if foot := strings.LastIndex(f.Body, "\n"+Foot+"\n"); foot >= 0 {
				at = foot + len("\n"+Foot)
			}
			f.Body = f.Body[:at] + f.Suggestion + f.Body[at:]
		}
		f.Body, f.Suggestion = Mark(f.Body, marker), ""
		fresh, keys = append(fresh, f), append(keys, f.Key)
		stands[f.Key] = ""
	}
	value := ReviewValue(w.HeadSHA, keys)
	if len(fresh) == 0 || slices.Contains(h.Reviews, value) { // posted, and taken away by a person since
		return
	}
	slices.SortFunc(fresh, byPlace)
	marker := Marker{Kind: ReviewMark, Value: value}.String()
	p.add(PostReview{HeadSHA: w.HeadSHA, Body: Mark(w.Review, marker), Marker: marker, Comments: fresh})
}

// rank puts false before true.
func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *plan) summary(want string, h Have) {
	have := slices.SortedFunc(slices.Values(h.Summaries), func(a, b HaveComment) int { return cmp.Compare(a.ID, b.ID) })
	have = slices.DeleteFunc(have, func(c HaveComment) bool { return IsMarked(c.Body, DuplicateMark) })
	switch {
	case len(have) == 0:
		p.add(CreateSummary{Body: want})
	case !Same(want, have[0].Body):
		p.add(EditSummary{ID: have[0].ID, Body: want})
	}
	for _, c := range have[min(1, len(have)):] {
		p.add(EditSummary{ID: c.ID, Body: Mark("This summary was posted twice by mistake; the one above is kept up to date.\n",
			Marker{Kind: DuplicateMark, Value: "summary"}.String())})
	}
}

func (p *plan) replies(list []Reply, h Have) {
	list = slices.SortedFunc(slices.Values(list), func(a, b Reply) int {
		return cmp.Or(cmp.Compare(rank(a.To.InThread), rank(b.To.InThread)), cmp.Compare(a.To.ID, b.To.ID), cmp.Compare(a.To.Nth, b.To.Nth),
			cmp.Compare(a.Body, b.Body), cmp.Compare(a.Reaction, b.Reaction), cmp.Compare(a.On, b.On))
	})
	list = slices.CompactFunc(list, func(a, b Reply) bool { return a.To == b.To })
	for _, r := range list {
		if marker := r.To.Marker().String(); r.Body != "" && marker != "" && !h.Replied[r.To] {
			also := lists.Map(r.Also, func(to Ref) string { return to.Marker().String() })
			p.add(PostReply{To: r.To, Also: r.Also, On: r.On, Body: Mark(r.Body, append([]string{marker}, also...)...)})
		}
	}
	for _, r := range list {
		if to := r.To.Comment(); r.Reaction != "" && !h.Reacted[Reacted{To: to, Reaction: r.Reaction}] {
			p.add(React{To: to, Reaction: r.Reaction})
		}
	}
}

// Same reports whether two bodies differ only in things that platforms change: line ends and
// white space at the end.
func Same(a, b string) bool {
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return plain(a) == plain(b)
}

// Commentable reports whether the platform takes a comment on lines start to end
// of a side of a file.
type Commentable func(path string, side debate.Side, start, end int) bool

// maxInline is how many inline comments one review may carry.
const maxInline = 60

// maxSpan bounds the lines of one comment.
const maxSpan = 500

// Place sorts findings into those for a review and the rest, which belongs in the summary. The
// lines of the first are valid by construction: if the platform takes only some of the cited
// lines, the comment goes to the last run of them. It places the first findings of the list, at
// most most, and never more than maxInline.
func Place(list []Inline, ok Commentable, most int) (placed, rest []Inline) {
	for _, f := range list {
		at, fits := fit(f, ok)
		if !fits || len(placed) >= min(most, maxInline) {
			rest = append(rest, f)
			continue
		}
		placed = append(placed, at)
	}
	return placed, rest
}

func fit(f Inline, ok Commentable) (Inline, bool) {
	start, end := cmp.Or(f.StartLine, f.Line), f.Line
	isKnown := Marker{Kind: FindingMark, Value: f.Key}.String() != ""
	isSide := slices.Contains([]debate.Side{debate.Left, debate.Right}, f.Side)
	switch {
	case !isKnown, !isSide, f.Path == "", start < 1, end-start >= maxSpan:
		return f, false
	}
	for end >= start && !ok(f.Path, f.Side, end, end) {
		end--
	}
	if end < start {
		return f, false
	}
	first := end
	for first > start && ok(f.Path, f.Side, first-1, end) {
		first--
	}
	f.StartLine, f.Line = first, end
	if first == end {
		f.StartLine = 0
	}
	return f, true
}

// Bisect halves the comments of a refused review, to find the bad ones with few tries. The second
// half of one comment is empty.
func Bisect(list []Inline) (first, second []Inline) {
	list = slices.SortedFunc(slices.Values(list), byPlace)
	middle := (len(list) + 1) / 2
	return list[:middle], list[middle:]
}

// byPlace orders comments as the change shows them.
func byPlace(a, b Inline) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
}
