package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/google/go-github/v62/github"
)

// ErrSignature is the error for a delivery without a valid signature.
var ErrSignature = errors.New("the signature is not that of the webhook's secret")

// signed begins a valid signature. GitHub also sends an older kind, by SHA-1.
const signed = "sha256="

// Verify checks the signature of a delivery over its body as it came, by any of the
// secrets: while one is exchanged for another both count. It reads nothing of the body.
func Verify(signature string, body []byte, secrets [][]byte) error {
	if !strings.HasPrefix(signature, signed) {
		return ErrSignature
	}
	for _, secret := range secrets {
		if len(secret) > 0 && github.ValidateSignature(signature, body, secret) == nil {
			return nil
		}
	}
	return ErrSignature
}

// IsJSON reports whether a content type is JSON.
func IsJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// Repository is the repository of an event.
type Repository struct {
	ID          int64
	Owner, Name string
}

// Origin is the installation and the repository of an event. The repository's id is 0 for an
// event without one.
type Origin struct {
	Installation int64
	Repository   Repository
}

// ReadOrigin reads the origin of a delivery.
func ReadOrigin(data []byte) (Origin, error) {
	var payload struct {
		Installation github.Installation `json:"installation"`
		Repository   struct {
			ID       int64  `json:"id"`
			FullName string `json:"full_name"`
		} `json:"repository"`
	}
	if err := json.Unmarshal(data, &payload); err != nil {
		return Origin{}, fmt.Errorf("read where the event is from: %w", err)
	}
	o := Origin{Installation: payload.Installation.GetID()}
	if payload.Repository.ID != 0 {
		owner, name, _ := strings.Cut(payload.Repository.FullName, "/")
		o.Repository = Repository{ID: payload.Repository.ID, Owner: owner, Name: name}
	}
	return o, nil
}

// Installed is a change of an installation of the App.
type Installed struct {
	ID        int64
	Account   string // its user or organization
	Gone      bool   // it was removed
	Suspended bool
	// Added and Removed are the changed repositories. A new or returned installation has all
	// its repositories in Added.
	Added, Removed []Repository
}

// ReadInstalled reads an event about an installation: installation and
// installation_repositories. It fails with *Ignored for an event without effect.
func ReadInstalled(name string, data []byte) (Installed, error) {
	parsed, err := parse(name, data)
	if err != nil {
		return Installed{}, fmt.Errorf("read the event %s: %w", name, err)
	}
	switch e := parsed.(type) {
	case *github.InstallationEvent:
		i := installed(e.GetInstallation())
		i.Added = repositories(e.Repositories)
		switch e.GetAction() {
		case "deleted":
			i.Gone, i.Added = true, nil
		case "suspend":
			i.Suspended = true
		case "created", "unsuspend", "new_permissions_accepted":
		default:
			return Installed{}, &Ignored{Why: fmt.Sprintf("the activity %q of an installation changes nothing for debate", e.GetAction())}
		}
		return i, nil
	case *github.InstallationRepositoriesEvent:
		i := installed(e.GetInstallation())
		i.Added, i.Removed = repositories(e.RepositoriesAdded), repositories(e.RepositoriesRemoved)
		return i, nil
	}
	return Installed{}, &Ignored{Why: fmt.Sprintf("the event %q is about no installation", name)}
}

func installed(i *github.Installation) Installed {
	return Installed{ID: i.GetID(), Account: i.GetAccount().GetLogin(), Suspended: i.SuspendedAt != nil}
}

func repositories(list []*github.Repository) []Repository {
	var all []Repository
	for _, r := range list {
		if owner, name, ok := strings.Cut(r.GetFullName(), "/"); ok && r.GetID() != 0 {
			all = append(all, Repository{ID: r.GetID(), Owner: owner, Name: name})
		}
	}
	return all
}
