package prompt

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// around renders the lines around the segments of a chunk. A line in brackets replaces lines
// of segments, or lines left out. It has no number, unlike the lines of the file.
func (p *Packet) around(chunk surround.Chunk) string {
	var b strings.Builder
	for _, block := range chunk.Blocks {
		last := block.Runs[len(block.Runs)-1].Last
		text := "context " + p.path(block.Path) + " 1-" + strconv.Itoa(last) + "\n"
		for _, run := range block.Runs {
			switch run.Kind {
			case surround.Shown:
				for i, line := range run.Text {
					text += " " + strconv.Itoa(run.First+i) + " " + p.Line(line) + "\n"
				}
			case surround.Changed:
				text += "[" + rangeOf(run) + ": part of the change]\n"
			case surround.LeftOut:
				text += "[" + rangeOf(run) + ": not shown]\n"
			}
		}
		b.WriteString(p.fenced(text))
	}
	return b.String() + p.uses(chunk.Uses)
}

// uses renders lines elsewhere with a use of a declaration that the chunk renames, removes
// or changes.
func (p *Packet) uses(u surround.Uses) string {
	if len(u.Names) == 0 || len(u.Lines) == 0 && u.Reach == patch.NotSearched {
		return ""
	}
	text := "uses of " + p.Line(strings.Join(u.Names, ", ")) + "\n"
	path := ""
	for _, use := range u.Lines {
		if use.Path != path {
			path = use.Path
			text += "context " + p.path(path) + "\n"
		}
		text += " " + strconv.Itoa(use.Line) + " " + p.Line(use.Text) + "\n"
	}
	switch {
	case u.More:
		text += "[there are more]\n"
	case len(u.Lines) == 0:
		text += "[none]\n"
	}
	if u.Reach == patch.NearBy {
		text += "[only the files next to the changed ones were searched]\n"
	}
	return "The block \"uses of\" lists lines elsewhere that name what the change renames, removes, drops or declares otherwise: does each of them still work?\n" +
		p.fenced(text)
}

func rangeOf(run surround.Run) string {
	if run.First == run.Last {
		return strconv.Itoa(run.First)
	}
	return strconv.Itoa(run.First) + "-" + strconv.Itoa(run.Last)
}

// files names every changed file, with its changes outside of the shown lines, and says why
// some of its changed lines are not shown. So reviewers know every part of a change. A question changes no
// file.
func (p *Packet) files(s debate.State) string {
	if s.Received.Inquiry != nil {
		return ""
	}
	var b strings.Builder
	earlier := make(map[string]string) // files with a review on another head, by their note
	named, more := 0, 0
	for _, parts := range byFile(s.Split.Coverage) {
		path, carried := parts[0].Path, ""
		added, deleted, hidden := 0, 0, 0
		var why, beside []string // changes other than lines
		for _, c := range parts {
			added, deleted, carried = added+c.Additions, deleted+c.Deletions, cmp.Or(carried, c.Carried)
			words := lists.Keep([]string{string(c.Excluded), c.Detail}, func(text string) bool { return text != "" })
			switch {
			case c.BesideLines():
				beside = append(beside, words...)
			case c.Excluded != debate.NotExcluded:
				if hidden++; hidden == 1 {
					why = words
				}
			}
		}
		var says []string
		switch {
		case carried != "":
			says = append(says, "reviewed on "+carried[:min(len(carried), 7)]+", the same since")
		case hidden > 0 && hidden < len(parts):
			says = append(says, strconv.Itoa(hidden)+" of "+strconv.Itoa(len(parts))+" parts are not shown")
			says = append(says, why...)
		default:
			says = why
		}
		says = append(says, beside...)
		if path == debate.BodyPath && len(says) == 0 {
			continue
		}
		if named++; named > maxNamed && beside == nil {
			more++
			continue
		}
		row := " " + p.Line(clip(path, maxHeading))
		if added+deleted > 0 {
			row += " +" + strconv.Itoa(added) + " -" + strconv.Itoa(deleted)
		}
		if carried != "" && len(says) == 1 { // said once for all of them
			earlier[says[0]] += row + "\n"
			continue
		}
		if len(says) > 0 {
			row += ": " + strings.Join(lists.Map(says, func(text string) string { return p.Line(clip(text, maxHeading)) }), ", ")
		}
		b.WriteString(row + "\n")
	}
	for _, says := range sorted(earlier) {
		b.WriteString(says + ":\n" + earlier[says])
	}
	if b.Len() == 0 {
		return ""
	}
	if more > 0 {
		b.WriteString("and " + strconv.Itoa(more) + " more\n")
	}
	return p.fenced("files of the change\n" + b.String())
}

// byFile groups the parts of a change by their files, in the order of the change.
func byFile(parts []debate.Coverage) [][]debate.Coverage {
	var files [][]debate.Coverage
	at := make(map[string]int)
	for _, c := range parts {
		i, known := at[c.Path]
		if !known {
			i = len(files)
			at[c.Path], files = i, append(files, nil)
		}
		files[i] = append(files[i], c)
	}
	return files
}
