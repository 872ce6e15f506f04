package server

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestInstallAddress: the dashboard learns from GitHub at which address people install the App.
func TestInstallAddress(t *testing.T) {
	t.Parallel()
	server := ghtest.New(t)
	made := server.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	app, err := gh.NewApp(gh.AppOptions{ID: made.ID, PrivateKey: made.PrivateKey, Options: gh.Options{
		BaseURL: server.URL, GraphQLURL: server.GraphQLURL, HTTP: http.DefaultClient, Now: server.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	var known gaps
	if known.install() != "" {
		t.Errorf("before it was read: %q", known.install())
	}
	if err := known.look(t.Context(), app, nil); err != nil {
		t.Fatal(err)
	}
	if got := known.install(); !strings.HasSuffix(got, "/apps/"+made.Slug+"/installations/new") {
		t.Errorf("it is installed at %q", got)
	}
}
