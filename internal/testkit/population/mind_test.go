package population

import "github.com/prdebate/debate/internal/debate"

// Minds beside those of the debaters, which are 0, 1, 2, ... Judges are firstJudge
// and the two after it.
const (
	everybody  = 90 // whose luck is shared
	firstJudge = 40
	coldReader = 50
)

// mind is what one party thinks of one change before it hears anybody else. It is
// the same in a debate and in a vote.
type mind struct {
	Knobs
	change Change
	who    int // 0 is the primary
}

// luck draws for one place: the party's own draw, or the one that all share.
func (m mind) luck(why purpose, place, again int) int {
	if m.change.luck.roll(sharesLuck, m.who, int(why), place, again) < m.Correlation {
		return m.change.luck.roll(why, everybody, place, again)
	}
	return m.change.luck.roll(why, m.who, place, again)
}

// own draws what is the party's alone.
func (m mind) own(why purpose, keys ...int) int {
	return m.change.luck.roll(why, append([]int{m.who}, keys...)...)
}

func (m mind) lazy() bool { return m.who > 0 && m.who < firstJudge && m.own(isLazy) < m.Lazy }

func (m mind) reckless() bool { return m.own(isReckless) < m.Reckless }

// sees reports whether the party claims a place by itself.
func (m mind) sees(place int) bool {
	if m.lazy() {
		return false
	}
	if m.change.Places[place].Defect {
		return m.luck(looks, place, 0) < m.Hit
	}
	return m.luck(looks, place, 0) < m.False
}

// believes reports whether the party takes a place for a defect when another one
// claims it. again is 0 at first and the number of the exchange when it looks
// once more.
func (m mind) believes(place, again int) bool {
	if again == 0 && (m.lazy() || m.sees(place)) {
		return true
	}
	right := m.luck(weighs, place, again) < m.Skill
	return right == m.change.Places[place].Defect
}

// forgedKind is a way in which a citation deceives.
type forgedKind int

const (
	honest forgedKind = iota
	missingFile
	wrongLine
	alteredQuote
	inventedRun
	elsewhere // the line is real and says nothing of it
)

// kind is how the party cites a place, as owner of a claim or in an objection.
func (m mind) kind(place, why int) forgedKind {
	if m.own(forges, place, why) >= m.Forged {
		return honest
	}
	return missingFile + forgedKind(m.own(forgery, place, why)%5)
}

// besideBy is how far from its place a line is that says nothing of it.
const besideBy = 7

// What a citation is for.
const (
	forClaim = iota
	forObjection
	forDefence
	forSupport
	forConcession
)

// line is the line that the party quotes if it is honest: a claim and its support
// quote the place, and what is said for and against it other lines of its
// declaration.
func (m mind) line(place, why int) int {
	n := m.change.Places[place].Line
	switch why {
	case forObjection:
		if m.own(ownLine, place) >= m.OwnLines {
			n += 2
		}
	case forDefence:
		n += 3
	case forConcession:
		n += 4
	}
	if m.own(misses, place, why) < m.Missing {
		n++
	}
	return n
}

// ref makes a citation of a place in one of the ways, with what the program
// finds there.
func (m mind) ref(place, why int, kind forgedKind) debate.Ref {
	p := m.change.Places[place]
	r := debate.Ref{Citation: cite(p.Path, m.line(place, why))}
	switch kind {
	case missingFile:
		r.Path = "shop/none.go"
	case wrongLine:
		r.StartLine, r.EndLine = p.Line+besideBy, p.Line+besideBy
	case alteredQuote:
		r.Quote = line(p.Path, p.Line) + " // unchecked"
	case inventedRun:
		return debate.Ref{RunRef: "check:404"}
	case elsewhere:
		r.Citation = cite(p.Path, p.Line+besideBy)
	}
	r.Found = found(r.Citation)
	return r
}

// isElsewhere reports whether a citation is of a real line that is no place.
func isElsewhere(c debate.Citation) bool {
	return found(c).OK && (c.StartLine-firstLine)%lineStep == besideBy
}

// silent reports whether the party says nothing of a claim of another one in an
// exchange.
func (m mind) silent(place, n int) bool { return m.own(saysNothing, place, n) < m.Silent }

// asserts reports whether the party says that a person must decide.
func (m mind) asserts() bool {
	if m.lazy() {
		return false
	}
	if m.change.Critical {
		return m.luck(asserts, 0, 0) < m.Hit
	}
	return m.luck(asserts, 0, 0) < m.False/4
}

// option is the party's answer to the open question of the change.
func (m mind) option() string {
	right := m.own(answers) < m.Skill
	if right == (m.change.Right == "a") {
		return "a"
	}
	return "b"
}
