package layout

import (
	_ "crypto/sha256" // for go-digest
	_ "crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/opencontainers/go-digest"

	"github.com/goldenarch/goldenarch/internal/regular"
)

const (
	markerFile = "oci-layout"
	indexFile  = "index.json"
	// version is the version of all layouts since version 1.0 of the specification.
	version = "1.0.0"
	// indexLimit is far more than an index with thousands of entries needs.
	indexLimit = 64 << 20
)

var (
	// ErrMissing says that the layout does not have a blob.
	ErrMissing = errors.New("it is not in the layout")
	// ErrDamaged says that the content of a blob does not match its digest.
	ErrDamaged = errors.New("its content does not match its digest")
)

// Layout is a layout that [Open] has read.
type Layout struct {
	dir     string
	entries []Entry
}

// Open reads the index of the layout in a directory. The error names the directory, and the
// missing part of the layout.
func Open(dir string) (*Layout, error) {
	x, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("read the layout %q: %w", dir, err)
	}
	l := &Layout{dir: dir}
	for i, raw := range x.manifests {
		e, err := entryOf(raw)
		if err != nil {
			return nil, fmt.Errorf("read the layout %q: %s: manifests[%d]: %w", dir, indexFile, i, err)
		}
		l.entries = append(l.entries, e)
	}
	return l, nil
}

// Dir returns the directory.
func (l *Layout) Dir() string { return l.dir }

// Entries returns the entries of the index, in their order.
func (l *Layout) Entries() []Entry { return l.entries }

// Blob returns the content that has this digest. It does not read content that is larger
// than the limit. The error is ErrMissing, ErrDamaged, or the reason why the file cannot be
// read.
func (l *Layout) Blob(digest string, limit int64) ([]byte, error) {
	name, err := blobName(digest)
	if err != nil {
		return nil, err
	}
	content, err := regular.ReadUpTo(filepath.Join(l.dir, name), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case err != nil:
		return nil, err
	case !hasDigest(content, digest):
		return nil, fmt.Errorf("%s: %w", filepath.ToSlash(name), ErrDamaged)
	}
	return content, nil
}

// open reads the two files that make a directory a layout.
func open(dir string) (index, error) {
	if _, err := os.Stat(dir); err != nil {
		return index{}, err
	}
	data, err := regular.ReadUpTo(filepath.Join(dir, markerFile), indexLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return index{}, fmt.Errorf("it is not an OCI image layout: it has no file %s", markerFile)
	}
	if err != nil {
		return index{}, err
	}
	var marker struct {
		Version string `json:"imageLayoutVersion"`
	}
	if err := json.Unmarshal(data, &marker); err != nil {
		return index{}, fmt.Errorf("%s is not the JSON expected: %w", markerFile, err)
	}
	if marker.Version != version {
		return index{}, fmt.Errorf("%s says imageLayoutVersion %q: expected %q", markerFile, marker.Version, version)
	}
	if data, err = regular.ReadUpTo(filepath.Join(dir, indexFile), indexLimit); err != nil {
		return index{}, err
	}
	return parseIndex(data)
}

// blobName returns the path of the content of a digest, below the layout. A digest comes
// from files that anybody may have written, so an invalid one is an error.
func blobName(name string) (string, error) {
	d := digest.Digest(name)
	if d.Validate() != nil || d.Algorithm() == digest.SHA384 {
		return "", fmt.Errorf("%q is not a digest: expected sha256:<64 hex digits> or sha512:<128 hex digits>", name)
	}
	return filepath.Join("blobs", d.Algorithm().String(), d.Encoded()), nil
}

// hasDigest reports whether content matches a well-formed digest.
func hasDigest(content []byte, name string) bool {
	d := digest.Digest(name)
	return d.Algorithm().FromBytes(content) == d
}
