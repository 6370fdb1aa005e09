package layout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The annotations of an entry. The first is the OCI image specification's. Tools that write
// only a tag there add the second one, with the full name (containerd, docker).
const (
	nameKey     = "org.opencontainers.image.ref.name"
	fullNameKey = "io.containerd.image.name"
	mirrorKey   = "dev.goldenarch.mirror"
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
	return Entry{
		Name: d.Annotations[nameKey], FullName: d.Annotations[fullNameKey], Mirror: d.Annotations[mirrorKey],
		Digest: d.Digest, Size: d.Size, MediaType: d.MediaType,
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
	for i, raw := range x.manifests {
		e, err := entryOf(raw)
		if err != nil {
			return index{}, fmt.Errorf("%s: manifests[%d]: %w", indexFile, i, err)
		}
		if _, again := entries[e.Name]; !again {
			all = append(all, named{e.Name, raw})
		}
	}
	for name, e := range entries {
		d := descriptor{MediaType: e.MediaType, Digest: e.Digest, Size: e.Size, Annotations: map[string]string{nameKey: name}}
		if e.Mirror != "" {
			d.Annotations[mirrorKey] = e.Mirror
		}
		raw, err := json.Marshal(d)
		if err != nil {
			return index{}, err
		}
		all = append(all, named{name, raw})
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	out := index{fields: maps.Clone(x.fields)}
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
