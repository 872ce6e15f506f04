package ghtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// getArchiveLink says where the archive of a commit is: at another place than the API,
// for which the link has a right of its own.
func getArchiveLink(c *call) (answer, error) {
	one := c.repo.git.resolve(c.params["ref"])
	if one == nil {
		return answer{}, errNotFound
	}
	to := string(c.world.site) + "/codeload/" + c.repo.full() + "/legacy.tar.gz/" + one.sha + "?token=" + c.repo.linkRight()
	return answer{status: http.StatusFound, header: map[string]string{"Location": to}, text: []byte{}, kind: "text/html"}, nil
}

func (r *Repo) linkRight() string { return "link-of-" + itoa(int(r.ID)) }

// SetArchive is what is downloaded as the archive of any commit; nil: the commit.
func (r *Repo) SetArchive(packed []byte) {
	defer r.lock()()
	r.archive = packed
}

// getArchive is the archive itself. Whoever sends it credentials has sent them to
// strangers.
func getArchive(c *call) (answer, error) {
	if c.r.Header.Get("Authorization") != "" {
		c.world.failf("credentials were sent to where archives are")
	}
	r := c.world.repos.find(c.params["owner"] + "/" + c.params["repo"])
	if r == nil || c.query.Get("token") != r.linkRight() {
		return answer{}, errNotFound
	}
	one := r.git.objects.commits[c.params["ref"]]
	if one == nil {
		return answer{}, errNotFound
	}
	packed := r.archive
	if packed == nil {
		var err error
		if packed, err = one.pack(r.Owner + "-" + r.Name + "-" + one.sha[:7] + "/"); err != nil {
			return answer{}, fmt.Errorf("write an archive: %w", err)
		}
	}
	return answer{status: http.StatusOK, text: packed, kind: "application/x-gzip"}, nil
}

// pack makes the archive of a commit below a folder as git does: it obeys what
// .gitattributes at the top says about single files.
func (c *commit) pack(top string) ([]byte, error) {
	ignored, replaced := c.withAttribute("export-ignore"), c.withAttribute("export-subst")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	out := tar.NewWriter(z)
	var problems []error
	write := func(h tar.Header, content string) {
		h.Format = tar.FormatPAX
		if h.Typeflag != tar.TypeXGlobalHeader {
			h.ModTime = time.Unix(c.at.Unix(), 0)
		}
		problems = append(problems, out.WriteHeader(&h))
		_, _ = out.Write([]byte(content)) // as long as the header says
	}
	write(tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": c.sha}}, "")
	write(tar.Header{Typeflag: tar.TypeDir, Name: top, Mode: 0o775}, "")
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		f, content := c.files[path], c.files[path].Content
		if replaced[path] {
			content = strings.ReplaceAll(content, "$Format:%H$", c.sha)
		}
		switch {
		case ignored[path]:
		case f.Mode == "120000":
			write(tar.Header{Typeflag: tar.TypeSymlink, Name: top + path, Linkname: content, Mode: 0o777}, "")
		case f.Mode == "160000":
			write(tar.Header{Typeflag: tar.TypeDir, Name: top + path + "/", Mode: 0o775}, "")
		default:
			write(tar.Header{Typeflag: tar.TypeReg, Name: top + path, Size: int64(len(content)), Mode: 0o664}, content)
		}
	}
	problems = append(problems, out.Close(), z.Close())
	return packed.Bytes(), errors.Join(problems...)
}

// withAttribute are the files that have a git attribute by their own path.
func (c *commit) withAttribute(name string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(c.files[".gitattributes"].Content) {
		if f := strings.Fields(line); len(f) == 2 && f[1] == name {
			found[f[0]] = true
		}
	}
	return found
}
