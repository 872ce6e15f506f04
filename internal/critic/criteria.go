package critic

import "github.com/prdebate/debate/internal/segment"

// missingCriteria names, for each new proposal, the review criteria that have
// no text (S16).
func missingCriteria(proposals []segment.Proposal) []string { return nil }
