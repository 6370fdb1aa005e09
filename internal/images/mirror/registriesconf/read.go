package registriesconf

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// dropIns is the suffix of the drop-in directory: /etc/containers/registries.conf has its
// drop-ins in /etc/containers/registries.conf.d.
const dropIns = ".d"

// Read returns the policy of a registries.conf and the files *.conf in the directory FILE.d
// beside it. It reads no other file and no environment variable. The error names the file,
// or the setting that goldenarch does not support.
//
// Read ignores the settings for short names and credentials.
func Read(file string) (mirror.Policy, error) {
	registries, err := readAll(file)
	if err != nil {
		return mirror.Policy{}, err
	}
	scopes := make([]mirror.Scope, len(registries))
	for i, r := range registries {
		if scopes[i], err = scopeOf(r); err != nil {
			return mirror.Policy{}, fmt.Errorf("read registries.conf %q: registry %q: %w", r.file, console.Redact(r.Prefix), err)
		}
	}
	return mirror.New(scopes...), nil
}

// maxFile is the size limit of a file.
const maxFile = 4 << 20

// readAll returns the entries of a registries.conf and its drop-ins, sorted by prefix. Later
// files replace entries with the same prefix.
func readAll(file string) ([]registry, error) {
	names := []string{file}
	below, err := os.ReadDir(file + dropIns)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read registries.conf: %w", err)
	}
	for _, entry := range below {
		if name := entry.Name(); filepath.Ext(name) == ".conf" && !entry.IsDir() {
			names = append(names, filepath.Join(file+dropIns, name))
		}
	}
	texts := make([][]byte, len(names))
	for i, name := range names {
		if texts[i], err = files.ReadUpTo(name, maxFile); err != nil {
			return nil, fmt.Errorf("read registries.conf: %w", err)
		}
	}
	known := map[string]registry{}
	for i, name := range names {
		registries, err := parse(texts[i])
		if err != nil {
			// The error repeats the text that cannot be parsed.
			return nil, fmt.Errorf("read registries.conf %q: %s", name, console.Redact(err.Error()))
		}
		for _, r := range registries {
			r.file = name
			known[r.Prefix] = r
		}
	}
	out := make([]registry, 0, len(known))
	for _, prefix := range slices.Sorted(maps.Keys(known)) {
		out = append(out, known[prefix])
	}
	return out, nil
}

func scopeOf(r registry) (mirror.Scope, error) {
	scope := mirror.Scope{Prefix: r.Prefix, Location: r.Location, Insecure: r.Insecure, Blocked: r.Blocked}
	if err := usable(r.endpoint); err != nil {
		return scope, err
	}
	for _, m := range r.Mirrors {
		if err := usable(m); err != nil {
			return scope, err
		}
		endpoint := mirror.Endpoint{Location: m.Location, Insecure: m.Insecure}
		switch {
		case r.MirrorByDigestOnly, m.PullFromMirror == mirrorByDigestOnly:
			endpoint.Use = mirror.DigestOnly
		case m.PullFromMirror == mirrorByTagOnly:
			endpoint.Use = mirror.TagOnly
		}
		scope.Mirrors = append(scope.Mirrors, endpoint)
	}
	return scope, nil
}

// usable refuses endpoints that need another kind of request, and names that the format
// accepts but that are not valid registries.
func usable(e endpoint) error {
	if strings.Contains(e.Location, "@") {
		return fmt.Errorf("the location %q has an @: expected host[:port][/namespace[/repository]], and credentials in an auth file",
			console.Redact(e.Location))
	}
	if e.NamespaceProxy != "" {
		return fmt.Errorf("%q has namespace-proxy, which goldenarch cannot do: name the mirror with its path instead", e.Location)
	}
	return nil
}
