package layout

import (
	"bytes"
	_ "crypto/sha256" // for go-digest
	_ "crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	return &Layout{dir: dir, entries: x.entries}, nil
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

// open reads the two files that make a directory a layout, and the entries of the index.
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
	x, err := parseIndex(data)
	if err != nil {
		return index{}, err
	}
	for i, raw := range x.manifests {
		e, err := entryOf(raw)
		if err != nil {
			return index{}, fmt.Errorf("%s: manifests[%d]: %w", indexFile, i, err)
		}
		x.entries = append(x.entries, e)
	}
	return x, nil
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

// The annotations of an entry. The first is the OCI image specification's. Tools that write
// only a tag there add the second one, with the full name (containerd, docker).
const (
	nameKey     = "org.opencontainers.image.ref.name"
	fullNameKey = "io.containerd.image.name"
	mirrorKey   = "dev.goldenarch.mirror"
	absentKey   = "dev.goldenarch.absent"
)

// Entry is a manifest or an index that the index of a layout names.
type Entry struct {
	// Name is the reference that the entry answers for, "" if the layout does not say.
	Name string
	// FullName is the full name, if Name is only a tag.
	FullName string
	// Digest identifies the manifest, and Size is its length.
	Digest string
	Size   int64
	// MediaType is the type of the manifest.
	MediaType string
	// Mirror is the place that the manifest comes from, if it is not the one in Name.
	Mirror string
	// Absent are the digests of the manifests that this one lists and that its place does not
	// have.
	Absent []string
}

// descriptor is an entry in its JSON form.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// index is an index.json. It keeps what other tools wrote into it.
type index struct {
	fields    map[string]json.RawMessage
	manifests []json.RawMessage
	entries   []Entry // what the manifests say, if they were read
}

func parseIndex(data []byte) (index, error) {
	var x index
	if err := json.Unmarshal(data, &x.fields); err != nil {
		return index{}, fmt.Errorf("%s is not the JSON expected: %w", indexFile, err)
	}
	if raw, ok := x.fields["manifests"]; ok {
		if err := json.Unmarshal(raw, &x.manifests); err != nil {
			return index{}, fmt.Errorf("%s: manifests is not the JSON expected: %w", indexFile, err)
		}
	}
	return x, nil
}

// newIndex returns the index of an empty layout.
func newIndex() index {
	return index{fields: map[string]json.RawMessage{
		"schemaVersion": json.RawMessage("2"),
		"mediaType":     json.RawMessage(`"application/vnd.oci.image.index.v1+json"`),
	}}
}

func entryOf(raw json.RawMessage) (Entry, error) {
	var d descriptor
	if err := json.Unmarshal(raw, &d); err != nil {
		return Entry{}, fmt.Errorf("it is not the JSON expected: %w", err)
	}
	if _, err := blobName(d.Digest); err != nil {
		return Entry{}, err
	}
	var absent []string
	if text := d.Annotations[absentKey]; text != "" {
		absent = strings.Fields(text)
	}
	return Entry{
		Name: d.Annotations[nameKey], FullName: d.Annotations[fullNameKey], Mirror: d.Annotations[mirrorKey],
		Digest: d.Digest, Size: d.Size, MediaType: d.MediaType, Absent: absent,
	}, nil
}

// withEntries returns the index with entries added. Each one replaces the entries with the
// same name. The index is sorted by name, so that the same content gives the same bytes.
func (x index) withEntries(entries map[string]Entry) (index, error) {
	type named struct {
		name string
		raw  json.RawMessage
	}
	var all []named
	for i, e := range x.entries {
		if _, again := entries[e.Name]; !again {
			all = append(all, named{e.Name, x.manifests[i]})
		}
	}
	for name, e := range entries {
		d := descriptor{MediaType: e.MediaType, Digest: e.Digest, Size: e.Size, Annotations: map[string]string{nameKey: name}}
		if e.Mirror != "" {
			d.Annotations[mirrorKey] = e.Mirror
		}
		if len(e.Absent) > 0 {
			d.Annotations[absentKey] = strings.Join(e.Absent, " ")
		}
		raw, err := json.Marshal(d)
		if err != nil {
			return index{}, err
		}
		all = append(all, named{name, raw})
	}
	slices.SortStableFunc(all, func(a, b named) int { return strings.Compare(a.name, b.name) })
	out := index{fields: x.fields}
	for _, one := range all {
		out.manifests = append(out.manifests, one.raw)
	}
	return out, nil
}

// bytes returns the text of the file.
func (x index) bytes() ([]byte, error) {
	fields := map[string]any{"manifests": []json.RawMessage{}}
	for name, value := range x.fields {
		fields[name] = value
	}
	if len(x.manifests) > 0 {
		fields["manifests"] = x.manifests
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(fields)
	return out.Bytes(), err
}
