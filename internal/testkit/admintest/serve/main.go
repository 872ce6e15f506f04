// Command serve shows the dashboard with samples, for the checks in a browser and for
// whoever changes a page. It needs no GitHub and no database:
//
//	go run ./internal/testkit/admintest/serve --sample day
//
// It prints its address and runs until its standard input ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/prdebate/debate/internal/bot/admin"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/admintest"
)

func main() {
	sample := flag.String("sample", "day", "what to show: day, empty or hostile")
	replay := flag.String("replay", "testdata/replay", "directory with recorded debates")
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on")
	flag.Parse()
	if err := run(*sample, *replay, *listen); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(sample, replay, listen string) error {
	db, err := chosen(sample, replay)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	board := admin.NewBoard()
	board.Set("debate-20261123-115500-1", admin.Step{Text: "challenge: gpt", Calls: 2, Micro: 31_000})
	dashboard := admin.New(admin.Options{
		Database: db, Meter: meter.New("v1.2.3"), Board: board, Gaps: gaps(sample), Address: listener.Addr(), Ended: ctx.Done(), GitHub: "https://github.com", Install: func() string { return "https://github.com/apps/debate/installations/new" },
		Render: render, Version: "debate v1.2.3", Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)), Now: func() time.Time { return admintest.Now },
	})
	server := &http.Server{Handler: dashboard, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop()
		server.Close()
	}()
	fmt.Printf("http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

func chosen(sample, replay string) (*admintest.Database, error) {
	switch sample {
	case "day":
		return admintest.Sample(replay)
	case "empty":
		return &admintest.Database{}, nil
	case "hostile":
		return admintest.HostileSample(), nil
	}
	return nil, fmt.Errorf("there is no sample %q", sample)
}

func render(_ store.Record, s debate.State) ([]byte, error) {
	return html.Render(report.FromState(s))
}

// gaps are what the App lacks in a sample.
func gaps(sample string) func() []admin.Gap {
	return func() []admin.Gap {
		switch sample {
		case "day":
			return []admin.Gap{{Text: "the installation on bob does not grant checks: write: an owner has to accept it", Link: "https://github.com/settings/installations/78", Missing: true}}
		case "hostile":
			return []admin.Gap{{Text: admintest.Hostile, Link: "javascript:alert(4)", Missing: true}}
		}
		return nil
	}
}
