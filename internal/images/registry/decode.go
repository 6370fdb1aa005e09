package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

const (
	// maxEntries is how many entries of an index the decoder reads. The largest index
	// in use has some dozens.
	maxEntries = 10_000
	// maxAnnotations is the largest size of the annotations of an entry. Those in use
	// have less than a thousandth of it, and become ten times as large in memory.
	maxAnnotations = 256 << 10
)

// Why the decoder refuses a JSON document.
var (
	errTooMany = fmt.Errorf("it is an index of more than %d entries", maxEntries)
	errTooLong = fmt.Errorf("an entry of it has annotations of more than %d KiB", maxAnnotations>>10)
)

// manifestJSON has the fields of a manifest that matter. Each field may occur once.
// Names match regardless of case, as in encoding/json and so in CDI's importer.
type manifestJSON struct {
	MediaType     single[string]      `json:"mediaType"`
	ArtifactType  single[string]      `json:"artifactType"`
	SchemaVersion single[int]         `json:"schemaVersion"`
	Config        single[*descriptor] `json:"config"`
	Manifests     each[descriptor]    `json:"manifests"`
	Layers        each[layer]         `json:"layers"`
	FSLayers      single[present]     `json:"fsLayers"`
	Blobs         single[present]     `json:"blobs"`
}

type layer struct {
	MediaType string `json:"mediaType"`
}

// decodeDocument reads the JSON of a manifest. Of an index it keeps only what an entry
// needs: otherwise an index of 4 MiB would become some hundred.
func decodeDocument(ctx context.Context, body []byte) (document, error) {
	d := document{size: len(body)}
	var m manifestJSON
	m.Manifests.add = func(one *descriptor) error {
		if len(d.entries) == maxEntries {
			return errTooMany
		}
		one.Data = nil
		d.entries = append(d.entries, *one)
		return context.Cause(ctx)
	}
	m.Layers.add = func(one *layer) error {
		if d.foreignLayer == nil && !inDocker(one.MediaType) {
			d.foreignLayer = &one.MediaType
		}
		return context.Cause(ctx)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return d, err
	}
	d.MediaType, d.ArtifactType, d.SchemaVersion, d.Config = m.MediaType.value, m.ArtifactType.value, m.SchemaVersion.value, m.Config.value
	d.listed, d.layers, d.fsLayers, d.blobs = m.Manifests.found, m.Layers.found, bool(m.FSLayers.value), bool(m.Blobs.value)
	return d, nil
}

// secondValue is the text of an error of encoding/json, which then names the field.
const secondValue = "second value"

func errTwice() error { return &json.UnmarshalTypeError{Value: secondValue} }

// single is a field that must not occur more than once: readers differ in which value
// they use.
type single[T any] struct {
	value T
	seen  bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *single[T]) UnmarshalJSON(data []byte) error {
	if s.seen {
		return errTwice()
	}
	s.seen = true
	return json.Unmarshal(data, &s.value)
}

// each is a list that passes on its elements one by one.
type each[T any] struct {
	add         func(*T) error
	seen, found bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *each[T]) UnmarshalJSON(data []byte) error {
	if e.seen {
		return errTwice()
	}
	e.seen, e.found = true, data[0] == '['
	dec := json.NewDecoder(bytes.NewReader(data))
	if !e.found {
		return dec.Decode(new([]T)) // null, or an error
	}
	_, _ = dec.Token()
	for dec.More() {
		one := new(T)
		if err := dec.Decode(one); err != nil {
			return err
		}
		if err := e.add(one); err != nil {
			return err
		}
	}
	return nil
}

// present is a field that only records whether it holds anything.
type present bool

// UnmarshalJSON implements json.Unmarshaler.
func (p *present) UnmarshalJSON(data []byte) error {
	*p = string(data) != "null"
	return nil
}

// unread is a text that goldenarch does not need. It must still be a text: an importer
// refuses an index that has another type there.
type unread struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*unread) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return nil
	}
	return json.Unmarshal(data, new(string)) // null, or an error
}

// annotations has the annotations of an entry that matter.
type annotations struct{ attested, zstd bool }

// UnmarshalJSON implements json.Unmarshaler.
func (a *annotations) UnmarshalJSON(data []byte) error {
	if len(data) > maxAnnotations {
		return errTooLong
	}
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	a.attested, a.zstd = all[attestation] != "", all[zstd] == "true"
	return nil
}
