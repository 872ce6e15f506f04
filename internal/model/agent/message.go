package agent

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
)

// preface is the first line of every message. No agent takes it for a command,
// as some do with a message that begins with a slash.
const preface = "This is the material, and after it what is asked.\n"

// An at sign before a path makes some agents read that file and add it to the
// prompt, and before an address fetch it; what is left of the text they lay out
// anew. The material is hostile and full of at signs, so it goes in with another
// one that means nothing to them, and comes back with the true one.
const (
	at        = "@"
	standIn   = "\uff20" // FULLWIDTH COMMERCIAL AT
	atPreface = "The sign " + standIn + " stands for the at sign of ASCII everywhere in it; write it in the same way.\n"
)

// message is what goes to an agent beside the rules of conduct.
func message(req model.Request, mentions bool) string {
	text, before := req.Packet+req.TurnBlock(), preface
	if len(req.Files) > 0 {
		before += model.FilesNote + "\n"
	}
	if !mentions {
		return before + text
	}
	return before + atPreface + strings.ReplaceAll(text, at, standIn)
}

// escaped is the stand-in as JSON may write it, with what stands before it.
var escaped = lazyregexp.New(`\\+u[fF][fF]20`)

// withMentions puts the at signs of a reply back, as characters and as JSON may
// write them. Behind an even number of backslashes there is no escape.
func withMentions(reply string) string {
	reply = escaped().ReplaceAllStringFunc(reply, func(found string) string {
		if slashes := strings.IndexByte(found, 'u'); slashes%2 == 1 {
			return found[:slashes-1] + at
		}
		return found
	})
	return strings.ReplaceAll(reply, standIn, at)
}
