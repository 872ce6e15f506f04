package agent

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
)

// preface is the first line of every message. Some agents take a message with a slash at its
// beginning for a command.
const preface = "This is the material, and after it what is asked.\n"

// An at sign before a path makes some agents add that file to the prompt; before an address,
// they fetch it, and change the rest of the text. The material is hostile and full of at
// signs, so it is sent with another sign without a meaning to them. Replies get the true one
// back.
const (
	at        = "@"
	standIn   = "\uff20" // FULLWIDTH COMMERCIAL AT
	atPreface = "The sign " + standIn + " stands for the at sign of ASCII everywhere in it; write it in the same way.\n"
)

// message is the text for an agent after the rules of conduct.
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

// escaped is the other sign as JSON may write it, with the backslashes before it.
var escaped = lazyregexp.New(`\\+u[fF][fF]20`)

// withMentions puts the at signs of a reply back, as characters and as JSON escapes. After an
// even number of backslashes there is no escape.
func withMentions(reply string) string {
	reply = escaped().ReplaceAllStringFunc(reply, func(found string) string {
		if slashes := strings.IndexByte(found, 'u'); slashes%2 == 1 {
			return found[:slashes-1] + at
		}
		return found
	})
	return strings.ReplaceAll(reply, standIn, at)
}
