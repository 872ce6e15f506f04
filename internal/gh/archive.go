package gh

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

const (
	maxUnpacked = 200 << 20 // bytes of an archive, and of its files
	tarBytes    = 4 << 10   // at most, for the headers and the padding of a file in it
)

// archive reads the packed archive of a commit. It may call take again after a failure.
func (s *sender) archive(ctx context.Context, commit string, take func(io.Reader) error) error {
	what := fmt.Sprintf("read the archive of %.12s", commit)
	if err := commitIDs(what, commit); err != nil {
		return err
	}
	_, err := send(ctx, s, request{what: what}, func(ctx context.Context, api api) (bool, *github.Response, error) {
		link, resp, err := s.archiveLink(ctx, api, commit)
		if err != nil {
			return false, resp, err
		}
		return true, resp, s.download(ctx, link, take)
	})
	return err
}

// archiveLink asks for the address of a commit's archive. It is on another host than
// the API, so this request does not follow the redirect.
func (s *sender) archiveLink(ctx context.Context, api api, commit string) (*url.URL, *github.Response, error) {
	transport := s.calls.with(api.token)
	transport.keepRedirect = true
	links := github.NewClient(&http.Client{Transport: transport})
	links.BaseURL, links.UserAgent = api.BaseURL, api.UserAgent
	link, resp, err := links.Repositories.GetArchiveLink(ctx, api.owner, api.name, github.Tarball, &github.RepositoryContentGetOptions{Ref: commit}, 0)
	if err != nil && resp != nil {
		if refused := github.CheckResponse(resp.Response); refused != nil {
			err = refused
		}
	}
	return link, resp, err
}

// download reads the file at a link. The link carries its own permission: the request
// has no credentials, and no error contains the link.
func (s *sender) download(ctx context.Context, link *url.URL, take func(io.Reader) error) error {
	if link.Scheme != s.base.Scheme || link.Host == "" || link.User != nil {
		return errRedirect
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link.String(), nil)
	if err != nil {
		return errRedirect
	}
	req.Header.Set("User-Agent", s.options.UserAgent)
	req.Header.Set("Accept-Encoding", "identity") // it is packed as it is
	resp, err := s.calls.base.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &refusal{status: resp.StatusCode, message: "the archive: " + http.StatusText(resp.StatusCode)}
	}
	return take(io.LimitReader(resp.Body, maxUnpacked))
}

// unpack keeps the contents of a packed archive that match the ids in wanted, by path. The
// content of a link is its target. It uses no name of the archive as a path on this
// machine.
func (s *spool) unpack(packed io.Reader, most int64, wanted map[string]string) error {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	plain := &io.LimitedReader{R: z, N: most + 1}
	files := tar.NewReader(plain)
	for {
		header, err := files.Next()
		switch {
		case plain.N <= 0:
			return errTooMuch
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the archive: %w", err)
		}
		_, path, _ := strings.Cut(header.Name, "/") // all is below one directory
		oid := wanted[path]
		if oid == "" || s.holds(oid) {
			continue
		}
		var content io.Reader = strings.NewReader(header.Linkname)
		size := int64(len(header.Linkname))
		if header.Typeflag == tar.TypeReg {
			content, size = files, header.Size
		}
		id := blobHash(oid, size)
		_, err = io.Copy(io.MultiWriter(id, io.NewOffsetWriter(s.file, s.end)), content)
		switch {
		case plain.N <= 0:
			return errTooMuch
		case err != nil:
			return fmt.Errorf("read the archive: %w", err)
		case hex.EncodeToString(id.Sum(nil)) == oid: // else git attributes of the commit altered it
			s.at[oid] = io.NewSectionReader(s.file, s.end, size)
			s.end += size
		}
	}
}

// spool stores contents by id in one temporary file. If the system allows it, the file
// loses its name at once, so it disappears with this process however that ends.
type spool struct {
	file  *os.File
	named bool // the file still has its name
	end   int64
	at    map[string]*io.SectionReader
}

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "debate-looks-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &spool{file: file, named: os.Remove(file.Name()) != nil, at: make(map[string]*io.SectionReader)}, nil
}

// holds reports whether a content is stored; a nil spool holds none.
func (s *spool) holds(oid string) bool {
	if s == nil {
		return false
	}
	_, ok := s.at[oid]
	return ok
}

func (s *spool) read(oid string) ([]byte, bool) {
	if !s.holds(oid) {
		return nil, false
	}
	content := make([]byte, s.at[oid].Size())
	n, _ := s.at[oid].ReadAt(content, 0)
	return content, n == len(content)
}

func (s *spool) close() {
	s.file.Close()
	if s.named {
		os.Remove(s.file.Name())
	}
}

// maxApart limits the files that Each reads one by one, because the archive lacks or
// alters them.
const maxApart = 64

// Each calls take for the wanted regular files and links of a side, with their modes
// and contents.
func (t *Tree) Each(ctx context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error {
	s := t.sides[side]
	switch {
	case t.reader == nil:
		return errors.New("the commit cannot be read here")
	case !s.Whole:
		return fmt.Errorf("GitHub does not list all files of %.12s", s.commit)
	}
	if err := t.unpack(ctx, s); err != nil {
		return err
	}
	apart := 0
	for _, path := range slices.Sorted(maps.Keys(s.Entries)) {
		e := s.Entries[path]
		if kind := e.Mode & patch.TypeMask; !wanted(path) || kind != patch.TypeRegular && kind != patch.TypeSymlink {
			continue
		}
		content, here := t.content(e.OID)
		if !here {
			if apart++; apart > maxApart {
				return fmt.Errorf("the archive of %.12s lacks more than %d files of it", s.commit, maxApart)
			}
			var err error
			if content, err = t.reader.rawBlob(ctx, e.OID, maxUnpacked); err != nil {
				return err
			}
		}
		if err := take(path, e.Mode, content); err != nil {
			return err
		}
	}
	return nil
}
