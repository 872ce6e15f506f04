package debate

import "strings"

// What the debate puts before the words of an objection to the position: what it comes to,
// so that whoever answers it reads that first.
const (
	disagrees       = "it disagrees"
	objectsStrongly = "it objects strongly"
)

func recommends(d Disposition) string { return "it recommends " + string(d) }

// OwnWords is an objection to the position as its party said it. One without any words is
// what the debate says that it comes to.
func OwnWords(objection string) string {
	for _, introduction := range []string{disagrees, objectsStrongly, recommends(Keep), recommends(Revise), recommends(Reject)} {
		rest, introduced := strings.CutPrefix(objection, introduction)
		words, spoken := strings.CutPrefix(strings.TrimPrefix(rest, ":"), " ")
		if introduced && spoken {
			return words
		}
	}
	return objection
}
