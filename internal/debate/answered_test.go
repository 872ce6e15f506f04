package debate

import "testing"

// TestAnswered: what a click means follows from the click, and never from what is
// recommended; a question with other options needs the command.
func TestAnswered(t *testing.T) {
	t.Parallel()
	merge := Decision{ID: "D0", Options: dispositionOptions(), Recommendation: "revise"}
	more := Decision{ID: "D1", Options: append(dispositionOptions(), Option{ID: "later"})}
	turned := Decision{ID: "D2", Options: []Option{{ID: "keep", StatusQuo: true}, {ID: "revise"}, {ID: "reject"}}}
	for _, row := range []struct {
		d      Decision
		via    Via
		option string
		want   string
	}{
		{merge, ViaCompleted, "", "keep"},
		{merge, ViaCompleted, "reject", "keep"},
		{merge, ViaNotPlanned, "", "reject"},
		{merge, ViaReview, "keep", "keep"},
		{merge, ViaReview, "revise", "revise"},
		{merge, ViaReview, "reject", ""},
		{merge, ViaDuplicate, "", ""},
		{merge, ViaReopened, "", ""},
		{merge, ViaCommand, "revise", "revise"},
		{merge, ViaCommand, "", ""},
		{Decision{Options: claimOptions(), Recommendation: "accept"}, ViaCompleted, "", ""},
		{Decision{Options: claimOptions()}, ViaNotPlanned, "", ""},
		{Decision{Options: claimOptions()}, ViaCommand, "accept", "accept"},
		{more, ViaCompleted, "", ""},
		{turned, ViaCompleted, "", ""},
		{turned, ViaReview, "keep", ""},
	} {
		if got := row.d.Answered(Decided{Via: row.via, Option: row.option}); got != row.want {
			t.Errorf("%s %s %q: %q, want %q", row.d.ID, row.via, row.option, got, row.want)
		}
	}
}
