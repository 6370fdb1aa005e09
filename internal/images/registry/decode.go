package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxEntries is how many entries of an index are read. The largest index in use
// has some dozens.
const maxEntries = 10_000

// decodeDocument reads the fields of a manifest one after the other. Of an index
// it keeps what an entry needs and no more: an entry of two bytes would become
// some hundred otherwise.
//
// Names are compared as encoding/json does, and so CDI's importer: without case.
func decodeDocument(ctx context.Context, body []byte) (document, error) {
	d := document{size: len(body)}
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := opens(dec, '{', ""); err != nil {
		return d, err
	}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return d, err
		}
		name, _ := token.(string)
		field, err := d.field(ctx, dec, name)
		if err != nil {
			return d, err
		}
		if field != "" && seen[field] {
			return d, fmt.Errorf("%w (%q)", errTwice, field)
		}
		seen[field] = true
	}
	if _, err := dec.Token(); err != nil {
		return d, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return d, errors.New("there is something behind the object")
	}
	return d, nil
}

// field reads the value of one field, and returns its name if it is known.
func (d *document) field(ctx context.Context, dec *json.Decoder, name string) (string, error) {
	fields := []struct {
		name string
		into any
	}{
		{"mediaType", &d.MediaType},
		{"artifactType", &d.ArtifactType},
		{"schemaVersion", &d.SchemaVersion},
		{"config", &d.Config},
		{"fsLayers", &d.fsLayers},
		{"blobs", &d.blobs},
	}
	switch {
	case strings.EqualFold(name, "manifests"):
		return "manifests", d.manifests(ctx, dec)
	case strings.EqualFold(name, "layers"):
		return "layers", d.layerTypes(ctx, dec)
	}
	for _, f := range fields {
		if strings.EqualFold(name, f.name) {
			return f.name, within(f.name, dec.Decode(f.into))
		}
	}
	var nothing skipped
	return "", dec.Decode(&nothing)
}

// manifests reads the entries of an index.
func (d *document) manifests(ctx context.Context, dec *json.Decoder) error {
	found, err := each(ctx, dec, "manifests", func(one *descriptor) error {
		if len(d.entries) == maxEntries {
			return errTooMany
		}
		d.entries = append(d.entries, one.entry())
		return nil
	})
	d.listed = d.listed || found
	return err
}

// layerTypes reads the media types of the layers of an image.
func (d *document) layerTypes(ctx context.Context, dec *json.Decoder) error {
	type layer struct {
		MediaType string `json:"mediaType"`
	}
	found, err := each(ctx, dec, "layers", func(one *layer) error {
		if d.foreignLayer == nil && !inDocker(one.MediaType) {
			d.foreignLayer = &one.MediaType
		}
		return nil
	})
	d.layers = present(found)
	return err
}

// each reads a list one by one, and reports whether there is one.
func each[T any](ctx context.Context, dec *json.Decoder, field string, take func(one *T) error) (bool, error) {
	token, err := dec.Token()
	if err != nil || token == nil {
		return false, err
	}
	if token != json.Delim('[') {
		return false, typeError(kindOfToken(token), field)
	}
	for dec.More() {
		if ctx.Err() != nil {
			return true, context.Cause(ctx)
		}
		one := new(T)
		if err := dec.Decode(one); err != nil {
			return true, within(field, err)
		}
		if err := take(one); err != nil {
			return true, err
		}
	}
	_, err = dec.Token()
	return true, err
}

// opens reads the bracket that a value must begin with.
func opens(dec *json.Decoder, bracket json.Delim, field string) error {
	token, err := dec.Token()
	if err == nil && token != bracket {
		err = typeError(kindOfToken(token), field)
	}
	return err
}

// kindOfToken names a value as encoding/json does.
func kindOfToken(token json.Token) string {
	switch token {
	case json.Delim('['):
		return "array"
	case json.Delim('{'):
		return "object"
	}
	switch token.(type) {
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "bool"
	}
	return "null"
}

// within says in which field a value has another type than expected.
func within(field string, err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		outer := *e
		outer.Field = strings.Trim(field+"."+e.Field, ".")
		return &outer
	}
	return err
}

// present is a field of which only matters whether it holds anything.
type present bool

// UnmarshalJSON implements json.Unmarshaler.
func (p *present) UnmarshalJSON(data []byte) error {
	*p = string(data) != "null"
	return nil
}

// skipped is a value of any type that nobody needs.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// skipText is a text that nobody needs. It must be one all the same: an importer
// reads no index that has something else there.
type skipText struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*skipText) UnmarshalJSON(data []byte) error {
	if data[0] != '"' && string(data) != "null" {
		return typeError(kindOfValue(data), "")
	}
	return nil
}

// kindOfValue names a value as encoding/json does.
func kindOfValue(data []byte) string {
	token, err := json.NewDecoder(bytes.NewReader(data)).Token()
	if err != nil {
		return "value"
	}
	return kindOfToken(token)
}
