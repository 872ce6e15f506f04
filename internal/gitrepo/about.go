package gitrepo

import "context"

// Top is the absolute path of the work tree, "" in a bare repository.
func (r *Repo) Top() string { return r.top }

// GitVersion returns the version that git reports.
func (r *Repo) GitVersion(ctx context.Context) (string, error) {
	out, err := r.git.run(ctx, command{env: baseEnv(), args: []string{"version"}, limit: listingLimit})
	return oneLine(string(out.stdout)), err
}

// Err returns the first error in Change.Blob or Change.BaseHas.
func (s *Snapshot) Err() error { return s.failure }

// Head returns the id of the commit at HEAD; ok is false if there is none yet.
func (r *Repo) Head(ctx context.Context) (id string, ok bool, err error) { return r.head(ctx) }

// Has reports whether the repository has a commit.
func (r *Repo) Has(ctx context.Context, id string) bool {
	if !r.format.isID(id) {
		return false
	}
	_, err := r.resolve(ctx, id)
	return err == nil
}

// Origin returns the URL to fetch the remote origin, as git resolves it; "" if there is
// no such remote.
func (r *Repo) Origin(ctx context.Context) (string, error) {
	out, err := r.front(ctx, "remote", "get-url", "origin")
	if statusOf(err) == noRemote {
		return "", nil
	}
	return oneLine(string(out.stdout)), err
}

// noRemote is the exit status of git remote for a missing remote.
const noRemote = 2
