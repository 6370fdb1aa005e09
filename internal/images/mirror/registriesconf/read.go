package registriesconf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.podman.io/image/v5/pkg/sysregistriesv2"
	"go.podman.io/image/v5/types"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/sanitize"
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
	// The library takes "" for the files of the system, and reads files of any kind.
	if err := readable(file); err != nil {
		return mirror.Policy{}, fmt.Errorf("read registries.conf: %w", err)
	}
	registries, err := sysregistriesv2.GetRegistries(&types.SystemContext{
		SystemRegistriesConfPath:    file,
		SystemRegistriesConfDirPath: file + dropIns,
	})
	if err != nil {
		// The library's error repeats the text that it cannot parse.
		return mirror.Policy{}, fmt.Errorf("read registries.conf %q: %s", file, sanitize.Redact(err.Error()))
	}
	scopes := make([]mirror.Scope, len(registries))
	for i, r := range registries {
		if scopes[i], err = scopeOf(r); err != nil {
			return mirror.Policy{}, fmt.Errorf("read registries.conf %q: registry %q: %w", file, sanitize.Redact(r.Prefix), err)
		}
	}
	return mirror.New(scopes...), nil
}

// maxFile is the size limit of a file.
const maxFile = 4 << 20

// readable returns an error if a registries.conf or one of its drop-ins is not readable.
func readable(file string) error {
	files := []string{file}
	below, err := os.ReadDir(file + dropIns)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range below {
		if name := entry.Name(); filepath.Ext(name) == ".conf" && !entry.IsDir() {
			files = append(files, filepath.Join(file+dropIns, name))
		}
	}
	for _, name := range files {
		if _, err := regular.ReadUpTo(name, maxFile); err != nil {
			return err
		}
	}
	return nil
}

func scopeOf(r sysregistriesv2.Registry) (mirror.Scope, error) {
	scope := mirror.Scope{Prefix: r.Prefix, Location: r.Location, Insecure: r.Insecure, Blocked: r.Blocked}
	if err := usable(r.Endpoint); err != nil {
		return scope, err
	}
	for _, m := range r.Mirrors {
		if err := usable(m); err != nil {
			return scope, err
		}
		endpoint := mirror.Endpoint{Location: m.Location, Insecure: m.Insecure}
		switch {
		case r.MirrorByDigestOnly, m.PullFromMirror == sysregistriesv2.MirrorByDigestOnly:
			endpoint.Use = mirror.DigestOnly
		case m.PullFromMirror == sysregistriesv2.MirrorByTagOnly:
			endpoint.Use = mirror.TagOnly
		}
		scope.Mirrors = append(scope.Mirrors, endpoint)
	}
	return scope, nil
}

// usable refuses endpoints that need another kind of request, and names that the library
// accepts but that are not valid registries.
func usable(e sysregistriesv2.Endpoint) error {
	if strings.Contains(e.Location, "@") {
		return fmt.Errorf("the location %q has an @: expected host[:port][/namespace[/repository]], and credentials in an auth file",
			sanitize.Redact(e.Location))
	}
	if e.NamespaceProxy != "" {
		return fmt.Errorf("%q has namespace-proxy, which goldenarch cannot do: name the mirror with its path instead", e.Location)
	}
	return nil
}
