package comment

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Publish returns the fewest writes to turn the present state into the wanted one, in a fixed
// order: the issue, the review, edits of inline comments, the summary, replies,
// reactions. After them it returns none. It never deletes anything: if two parallel runs posted
// the same twice, the oldest stays, and the other is edited to say so. A finding is posted once,
// and a thread answered or resolved by a person is never edited. Parts missing in Want are left
// alone: inline comments without a head, the summary without a text, the issue.
func Publish(w Want, h Have) []Write {
	var p plan
	if w.Item != nil {
		p.item(*w.Item, h.Issues)
	}
	if w.HeadSHA != "" {
		p.review(w, h)
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

// isTwin reports whether a body says that another comment or issue has the same.
func isTwin(body string) bool { return IsMarked(body, DuplicateMark) }

// twin is the body of a comment or an issue that was made twice.
func twin(text, value string) string {
	return Mark(text, Marker{Kind: DuplicateMark, Value: value}.String())
}

// item opens the issue, brings it up to date, or closes it. Two parallel runs may have opened
// several: the oldest open one stays.
func (p *plan) item(it Item, have []HaveIssue) {
	have = slices.SortedFunc(slices.Values(have), func(a, b HaveIssue) int {
		return cmp.Or(cmp.Compare(rank(!a.Open), rank(!b.Open)), cmp.Compare(a.Number, b.Number))
	})
	have = slices.DeleteFunc(have, func(i HaveIssue) bool { return isTwin(i.Body) })
	if len(have) == 0 {
		if it.Status == debate.ItemAwaiting {
			p.add(CreateIssue{Title: Clip(it.Title, maxTitle), Body: it.Body, Labels: labels(nil, it)})
			p.notes(it, 0, nil)
		}
		return
	}
	one := have[0]
	// The notes go first: they follow from text removed by the edit, and a run may end between
	// the two.
	p.notes(it, one.Number, one.Noted)
	e := EditIssue{Number: one.Number, Title: changed(Clip(it.Title, maxTitle), one.Title), Body: changed(it.Body, one.Body)}
	if want := labels(one.Labels, it); !slices.Equal(want, slices.Sorted(slices.Values(one.Labels))) {
		e.Labels = want
	}
	open := it.Status == debate.ItemAwaiting
	if rests := open && it.Rests; open != one.Open && !rests {
		e.Open = &open
		e.NotPlanned = !open && (it.NotPlanned || it.Status != debate.ItemDecided)
	}
	switch {
	case e.Title != nil, e.Body != nil, e.Labels != nil, e.Open != nil:
		p.add(e)
	}
	for _, i := range have[1:] {
		body := twin("What was asked here is asked in #"+strconv.Itoa(one.Number)+": one issue holds all questions about a pull request.\n", "decisions")
		e := EditIssue{Number: i.Number, Body: &body, NotPlanned: true}
		if i.Open {
			e.Open = new(bool)
		}
		if want := labels(i.Labels, Item{Unlabel: slices.Concat(it.Labels, it.Unlabel)}); len(want) != len(i.Labels) {
			e.Labels = want
		}
		p.add(e)
	}
}

// maxTitle is how many characters the title of an issue may have.
const maxTitle = 250

// changed is a text to replace another one, nil if that one may stay.
func changed(want, have string) *string {
	if want == "" || Same(want, have) {
		return nil
	}
	return &want
}

func (p *plan) notes(it Item, number int, noted []string) {
	for _, n := range it.Notes {
		marker := Marker{Kind: NoteMark, Value: n.Key}.String()
		if marker != "" && !slices.Contains(noted, n.Key) {
			p.add(CommentIssue{Number: number, Key: n.Key, Body: Mark(n.Body, marker)})
			noted = append(slices.Clip(noted), n.Key)
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

// review posts the findings without a comment. A comment taken away by a person does not come
// back.
func (p *plan) review(w Want, h Have) {
	var fresh []Inline
	var keys []string
	for _, f := range w.Inline {
		marker := Marker{Kind: FindingMark, Value: f.Key, ID: f.FID}.String()
		known := slices.Contains(keys, f.Key) || slices.ContainsFunc(h.Inline, func(c HaveInline) bool { return c.Key == f.Key }) ||
			slices.ContainsFunc(w.Posted, func(one Posted) bool { return one.Key == f.Key })
		if marker == "" || known {
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
	}
	value := ReviewValue(w.HeadSHA, keys)
	if len(fresh) == 0 || slices.Contains(h.Reviews, value) { // posted, and taken away by a person since
		return
	}
	slices.SortFunc(fresh, func(a, b Inline) int { // as the change shows them
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	marker := Marker{Kind: ReviewMark, Value: value}.String()
	p.add(PostReview{HeadSHA: w.HeadSHA, Body: Mark(w.Review, marker), Marker: marker, Comments: fresh})
}

// inline brings the comments of findings up to date: the finding is gone, or it is back.
func (p *plan) inline(w Want, h Have) {
	var twins plan
	// Of several comments about one finding the first one with an answer stays, or else the oldest.
	stays := func(key string) int64 {
		same := lists.Keep(h.Inline, func(c HaveInline) bool { return c.Key == key && !isTwin(c.Body) })
		return slices.MinFunc(same, func(a, b HaveInline) int {
			return cmp.Or(cmp.Compare(rank(b.Answered), rank(a.Answered)), cmp.Compare(a.ID, b.ID))
		}).ID
	}
	for _, c := range h.Inline {
		mark, _ := Marked(c.Body, FindingMark)
		isGone := IsMarked(c.Body, GoneMark)
		// A thread of a person is left alone. The thread of a gone finding was resolved by someone
		// who agreed: if the finding returns, its text returns too, despite any replies.
		isFree := !c.Answered && (!c.Resolved || isGone)
		at := slices.IndexFunc(w.Posted, func(f Posted) bool { return f.Key == c.Key })
		switch {
		case isTwin(c.Body):
		case stays(c.Key) != c.ID:
			if isFree {
				twins.add(EditInline{ID: c.ID, Body: twin("This finding was posted twice by mistake; another comment has it.\n", c.Key)})
			}
		case at < 0 || w.Posted[at].Text == "":
		case !w.Posted[at].Gone && isGone:
			p.add(EditInline{ID: c.ID, Body: Mark(w.Posted[at].Text, mark.String())})
		case w.Posted[at].Gone && isFree && !isGone:
			p.add(EditInline{ID: c.ID, Body: Mark(w.Posted[at].Text, mark.String(), Marker{Kind: GoneMark, Value: c.Key}.String())})
		}
	}
	*p = append(*p, twins...)
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
	have = slices.DeleteFunc(have, func(c HaveComment) bool { return isTwin(c.Body) })
	switch {
	case len(have) == 0:
		p.add(CreateSummary{Body: want})
	case !Same(want, have[0].Body):
		p.add(EditSummary{ID: have[0].ID, Body: want})
	}
	for _, c := range have[min(1, len(have)):] {
		p.add(EditSummary{ID: c.ID, Body: twin("This summary was posted twice by mistake; the one above is kept up to date.\n", "summary")})
	}
}

func (p *plan) replies(list []Reply, h Have) {
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
	isKnown := Marker{Kind: FindingMark, Value: f.Key, ID: f.FID}.String() != ""
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
