package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// TestPostedIsNotOurs: what somebody posts from the command line with the token of the
// action does not count as a review of the action.
func TestPostedIsNotOurs(t *testing.T) {
	t.Parallel()
	for kind, want := range map[comment.Kind]bool{comment.PostedMark: false, comment.ReviewMark: true} {
		marker := comment.Marker{Kind: kind, Value: "0123456789ab-0123456789ab"}.String()
		s := &Snapshot{pull: gh.Pull{Reviews: []gh.Review{{Mine: true, Body: comment.Mark("text", marker)}}}}
		if marker == "" || hasOurs(s.pull) != want {
			t.Errorf("%s: %v, want %v", marker, hasOurs(s.pull), want)
		}
	}
}
