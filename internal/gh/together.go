package gh

import (
	"fmt"

	"github.com/prdebate/debate/internal/debate"
)

// maxTogether limits the bytes of the files outside the change that together reads.
const maxTogether = 8 << 20

// together is patch.Change.Together: it reads files of the merge base, a hundred in one
// request. Blob reads the files that GitHub did not give whole.
func (s *Snapshot) together(paths []string) {
	if s.reader == nil {
		return
	}
	var wanted []sidePath
	size := 0
	for _, path := range paths {
		at := sidePath{debate.Left, path}
		entry, _, _ := s.entry(path)
		_, kept := s.kept[at]
		size += entry.size
		if !kept && irregular(entry) == "" && size <= maxTogether && len(wanted) < maxLazy-s.lazy {
			wanted = append(wanted, at)
		}
	}
	found, _, _ := s.reader.entries(s.ctx, fmt.Sprintf("read %d files at %.12s", len(wanted), s.BaseSHA), s.BaseSHA, s.HeadSHA, wanted, 0)
	for at, file := range found {
		blob := file.blob()
		if blob == nil || blob.OID != s.base[at.path].oid {
			continue
		}
		if data, exact := blob.whole(); exact {
			s.kept[at] = content{oid: blob.OID, data: data}
			s.lazy++
		}
	}
}
