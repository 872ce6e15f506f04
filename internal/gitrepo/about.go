package gitrepo

import "context"

// Top is the absolute path of the work tree, "" in a bare repository.
func (r *Repo) Top() string { return r.top }

// GitVersion is what the git that is used says of itself.
func (r *Repo) GitVersion(ctx context.Context) (string, error) {
	out, err := r.git.run(ctx, command{env: baseEnv(), args: []string{"version"}, limit: listingLimit})
	return oneLine(string(out.stdout)), err
}

// Err is the first error that Change.Blob and Change.BaseHas met and could not
// tell.
func (s *Snapshot) Err() error { return s.failure }

// Head is the id of the commit that is checked out; ok is false where there is
// none yet.
func (r *Repo) Head(ctx context.Context) (id string, ok bool, err error) { return r.head(ctx) }

// Has reports whether the repository has the commit of an id.
func (r *Repo) Has(ctx context.Context, id string) bool {
	if !r.format.isID(id) {
		return false
	}
	_, err := r.resolve(ctx, id)
	return err == nil
}

// Origin is where the remote origin is fetched from, as git would ask for it; "" where
// there is no such remote.
func (r *Repo) Origin(ctx context.Context) (string, error) {
	out, err := r.front(ctx, "remote", "get-url", "origin")
	if statusOf(err) == noRemote {
		return "", nil
	}
	return oneLine(string(out.stdout)), err
}

// noRemote is the status of git remote where the remote does not exist.
const noRemote = 2
