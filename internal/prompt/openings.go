package prompt

import "github.com/prdebate/debate/internal/debate"

// The bounds of the openings that a turn shows: one for each party and chunk, all of
// them together no longer than a few pages, each with the same share.
const (
	mostOpenings  = 40
	openingsBytes = 60_000
)

type opening struct {
	Party       string   `json:"party"`
	IsYou       bool     `json:"is_you"`
	Chunk       string   `json:"chunk,omitempty"`
	Disposition string   `json:"disposition"`
	Summary     string   `json:"summary,omitempty"`
	Reasoning   []string `json:"reasoning,omitempty"`
	Weaknesses  []string `json:"weaknesses,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"`
}

// openings are what every party said before it had heard the others, once all
// have opened unseen by one another.
func (t turner) openings() []opening {
	if !t.s.OpenedBlind() {
		return nil
	}
	all := among(t, t.s.Talk.Openings, func(o debate.Opened) string { return o.Party + " " + o.Chunk })
	all = all[:min(len(all), mostOpenings)]
	var shown []opening
	for _, o := range all {
		left := openingsBytes / len(all)
		within := func(list []string) []string {
			var said []string
			for _, text := range list {
				if left -= min(len(text), shortText); left < 0 {
					break
				}
				said = append(said, t.say(text, shortText))
			}
			return said
		}
		x := opening{Party: t.name(o.Party), IsYou: o.Party == t.ask.Party, Chunk: t.name(o.Chunk), Disposition: string(o.Disposition)}
		x.Summary = t.say(o.Summary, min(left, longText))
		left -= len(x.Summary)
		x.Reasoning, x.Weaknesses, x.Assumptions = within(o.Reasoning), within(o.Weaknesses), within(o.Assumptions)
		shown = append(shown, x)
	}
	return shown
}
