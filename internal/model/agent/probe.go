package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

const probeLimit = 10 * time.Second

// Probe asks an agent's command for its version, in a clean room without
// a key and within ten seconds, and returns the SHA-256 of its file, in hex. For an agent from a
// package manager, this file may be the script that starts the rest. Some agents contact others
// when they start, so an offline doctor must not call it.
func Probe(ctx context.Context, agent string, getenv func(string) string) (version, digest string, err error) {
	t, known := tools[agent]
	if !known {
		return "", "", &model.Error{Class: debate.CallNotFound, Detail: process.Line("there is no agent " + agent)}
	}
	path, err := process.Resolve(t.program)
	if err != nil {
		return "", "", err
	}
	file, err := os.Open(path) // links are followed
	if err != nil {
		return "", "", &model.Error{Class: debate.CallNotFound, Detail: "the agent's file cannot be read", Err: err}
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", "", &model.Error{Class: debate.CallNotFound, Detail: "the agent's file cannot be read", Err: err}
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	room, err := process.NewRoom()
	if err != nil {
		return "", digest, &model.Error{Class: debate.CallError, Detail: "no room for the agent", Err: err}
	}
	defer room.Close()
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	result, err := process.Run(ctx, process.Command{
		Path: path, Args: []string{"--version"}, Dir: room.Work, Env: slices.Concat(room.Env(), process.Usual(getenv)), Most: 4 << 10,
	})
	if err != nil {
		return "", digest, fmt.Errorf("ask for the version: %w", err)
	}
	if result.Exit != "" {
		return "", digest, fmt.Errorf("ask for the version: %w", result.Failure())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(result.Stdout), "\n")
	return process.Line(first), digest, nil
}
