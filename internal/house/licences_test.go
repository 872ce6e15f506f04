package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// TestLicences keeps docs/licences.md equal to what the program links: a new
// dependency shows in review as a line of text, and one whose licence is not
// permissive fails.
func TestLicences(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Licences of what the program links\n\n")
	b.WriteString("This page is written by `go test ./internal/house -update`.\n\n| module | licence |\n|---|---|\n")
	modules := linked(t)
	if len(modules) < 10 {
		t.Fatalf("only %d modules are linked: the listing is broken", len(modules))
	}
	for _, m := range modules {
		licence, err := licenceOf(m.Dir)
		if err != nil {
			t.Errorf("%s: %v", m.Path, err)
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |\n", m.Path, licence)
	}
	golden(t, filepath.Join("..", "..", "docs", "licences.md"), []byte(b.String()))
}

type mod struct{ Path, Dir string }

// linked lists the modules of which a package is part of the program.
func linked(t *testing.T) []mod {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/debate")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := make(map[string]mod)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Module *mod }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && p.Module.Path+"/" != module {
			seen[p.Module.Path] = *p.Module
		}
	}
	var all []mod
	for _, m := range seen {
		all = append(all, m)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}

// permissive names licences by a sentence that only they have, the more specific
// first.
var permissive = []struct{ name, sentence string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"}, // file by file: a module that is linked unchanged asks nothing of us
	{"BSD-3-Clause", "Neither the name"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software"},
	{"ISC", "Permission to use, copy, modify, and distribute this software"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"CC0-1.0", "Creative Commons CC0 1.0 Universal"},
	{"Unlicense", "This is free and unencumbered software"},
}

func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		text := strings.Join(strings.Fields(string(data)), " ")
		if strings.Contains(text, "GNU GENERAL PUBLIC LICENSE") || strings.Contains(text, "GNU AFFERO") {
			return "", errors.New("a copyleft licence")
		}
		for _, l := range permissive {
			if strings.Contains(text, l.sentence) {
				return l.name, nil
			}
		}
	}
	return "", errors.New("no licence that this test knows")
}
