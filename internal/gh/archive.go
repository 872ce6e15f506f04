package gh

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
)

// maxUnpacked bounds an archive, packed and unpacked, in bytes.
const maxUnpacked = 200 << 20

// unpack keeps the texts of an archive that match the ids in wanted, by path. It skips
// links and submodules, and uses no name of the archive as a path on this machine.
func (s *sender) unpack(ctx context.Context, commit string, wanted map[string]string) (*spool, error) {
	kept, err := newSpool()
	if err != nil {
		return nil, fmt.Errorf("read the archive of %.12s: %w", commit, err)
	}
	if err := s.archive(ctx, commit, func(packed io.Reader) error { return kept.unpack(packed, wanted) }); err != nil {
		kept.close()
		return nil, err
	}
	return kept, nil
}

// archive reads the packed archive of a commit. Take may be called again if it failed.
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
	links := github.NewClient(&http.Client{Transport: s.links.with(api.token)})
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
	resp, err := s.links.base.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &refusal{status: resp.StatusCode, message: "the archive: " + http.StatusText(resp.StatusCode)}
	}
	return take(io.LimitReader(resp.Body, maxUnpacked))
}

// unpack keeps the wanted contents of a packed archive.
func (s *spool) unpack(packed io.Reader, wanted map[string]string) error {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	plain := &io.LimitedReader{R: z, N: maxUnpacked + 1}
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
		oid, is := wanted[path]
		if header.Typeflag != tar.TypeReg || !is || s.holds(oid) || header.Size > blobLimit {
			continue
		}
		content, err := io.ReadAll(files)
		if plain.N <= 0 {
			return errTooMuch
		}
		if err != nil {
			return fmt.Errorf("read the archive: %w", err)
		}
		if !isBlob(oid, content) {
			continue
		}
		if bytes.IndexByte(content, 0) >= 0 {
			content = content[:min(len(content), bytes.IndexByte(content, 0)+1)] // enough to see that it is not text
		}
		if err := s.add(oid, content); err != nil {
			return err
		}
	}
}
