// Package catalog reads file-based catalogs of the Operator Lifecycle Manager: the packages,
// channels and bundles, with what a bundle promises and which images it has. It compares both.
//
// The package is pure: no network, no files, no clock, no environment.
package catalog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Catalog is the content of the files of a catalog.
type Catalog struct {
	// Path is the directory or the file that the user names.
	Path     string
	channels []channel
	bundles  []bundle
}

// blob is a document of a catalog: a package, a channel or a bundle (operator-registry
// alpha/declcfg/declcfg.go).
type blob struct {
	Schema  string  `json:"schema"`
	Name    string  `json:"name"`
	Package string  `json:"package"`
	Image   string  `json:"image"`
	Entries []entry `json:"entries"`

	RelatedImages []struct {
		Image string `json:"image"`
	} `json:"relatedImages"`
	Properties []struct {
		Type  string          `json:"type"`
		Value json.RawMessage `json:"value"`
	} `json:"properties"`
}

// entry is a bundle of a channel, with those that it replaces.
type entry struct {
	Name     string   `json:"name"`
	Replaces string   `json:"replaces"`
	Skips    []string `json:"skips"`
}

type channel struct {
	name, of string
	heads    []string
}

// bundle is a version of an operator in a catalog.
type bundle struct {
	name, of string
	file     string
	images   []string
	// labels are those of its ClusterServiceVersion; known says that the catalog has them.
	labels map[string]string
	known  bool
}

// schema matches the beginning of a document of a catalog.
var schema = pattern.Of(`(?m)^[\s{]*"?schema"?\s*:\s*["']?olm\.(package|channel|bundle|deprecations)\b`)

// Is reports whether a file is one of a catalog, by its beginning.
func Is(text []byte) bool {
	text = text[:min(len(text), beginning)]
	return bytes.Contains(text, []byte("olm.")) && schema().Match(text)
}

// beginning is how many bytes of a file say what it is.
const beginning = 4096

// Read reads the files of a catalog: YAML documents, or JSON values one after the other. The
// names are those that findings show.
func Read(path string, files map[string][]byte) (Catalog, error) {
	type document struct {
		file string
		data []byte
	}
	var all []document
	for _, file := range slices.Sorted(maps.Keys(files)) {
		documents, err := split(files[file])
		if err != nil {
			return Catalog{}, fmt.Errorf("read %s: %w", file, err)
		}
		for _, data := range documents {
			all = append(all, document{file, data})
		}
	}
	blobs, faults := make([]blob, len(all)), make([]error, len(all))
	parallel.Each(len(all), func(i int) { faults[i] = yaml.Unmarshal(all[i].data, &blobs[i]) })
	out := Catalog{Path: path}
	for i, b := range blobs {
		if faults[i] != nil {
			return Catalog{}, fmt.Errorf("read %s: %w", all[i].file, faults[i])
		}
		switch b.Schema {
		case "olm.channel":
			out.channels = append(out.channels, channel{name: b.Name, of: b.Package, heads: headsOf(b.Entries)})
		case "olm.bundle":
			one, err := bundleOf(b)
			if err != nil {
				return Catalog{}, fmt.Errorf("read %s: bundle %q: %w", all[i].file, b.Name, err)
			}
			one.file = all[i].file
			out.bundles = append(out.bundles, one)
		}
	}
	return out, nil
}

// split returns the documents of a file.
func split(data []byte) ([][]byte, error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		var out [][]byte
		for dec := json.NewDecoder(bytes.NewReader(data)); ; {
			var one json.RawMessage
			switch err := dec.Decode(&one); {
			case errors.Is(err, io.EOF):
				return out, nil
			case err != nil:
				return nil, err
			}
			out = append(out, one)
		}
	}
	var out [][]byte
	for part := range bytes.SplitSeq(append([]byte("\n"), bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))...), []byte("\n---")) {
		if _, rest, ok := bytes.Cut(part, []byte("\n")); ok && len(bytes.TrimSpace(rest)) > 0 {
			out = append(out, rest)
		}
	}
	return out, nil
}

// headsOf returns the entries of a channel that no other replaces or skips: those that OLM
// installs.
func headsOf(entries []entry) []string {
	replaced := map[string]bool{}
	for _, e := range entries {
		if e.Replaces != "" {
			replaced[e.Replaces] = true
		}
		for _, skipped := range e.Skips {
			replaced[skipped] = true
		}
	}
	var out []string
	for _, e := range entries {
		if !replaced[e.Name] {
			out = append(out, e.Name)
		}
	}
	return out
}

// bundleOf returns a bundle with its labels, which are in olm.csv.metadata, or in an older
// catalog in the ClusterServiceVersion itself (olm.bundle.object).
func bundleOf(b blob) (bundle, error) {
	out := bundle{name: b.Name, of: b.Package}
	for _, related := range b.RelatedImages {
		// The bundle itself is among them, and no node runs it.
		if related.Image != "" && related.Image != b.Image && !slices.Contains(out.images, related.Image) {
			out.images = append(out.images, related.Image)
		}
	}
	for _, p := range b.Properties {
		switch p.Type {
		case "olm.csv.metadata":
			var metadata struct {
				Labels map[string]string `json:"labels"`
			}
			if err := json.Unmarshal(p.Value, &metadata); err != nil {
				return bundle{}, fmt.Errorf("olm.csv.metadata: %w", err)
			}
			out.labels, out.known = metadata.Labels, true
		case "olm.bundle.object":
			labels, is, err := labelsOf(p.Value)
			if err != nil {
				return bundle{}, fmt.Errorf("olm.bundle.object: %w", err)
			}
			if is {
				out.labels, out.known = labels, true
			}
		}
	}
	return out, nil
}

// labelsOf returns the labels of an object in base64, if it is a ClusterServiceVersion.
func labelsOf(value json.RawMessage) (map[string]string, bool, error) {
	var held struct {
		Data string `json:"data"`
	}
	if err := json.Unmarshal(value, &held); err != nil {
		return nil, false, err
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(held.Data))
	if err != nil {
		return nil, false, err
	}
	if !bytes.Contains(data, []byte("ClusterServiceVersion")) {
		return nil, false, nil
	}
	var object struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
	}
	err = yaml.Unmarshal(data, &object)
	return object.Metadata.Labels, err == nil && object.Kind == "ClusterServiceVersion", err
}

// Images returns the images of all bundles, each once.
func (c Catalog) Images() []string {
	seen := map[string]bool{}
	var out []string
	for _, b := range c.bundles {
		for _, image := range b.images {
			if !seen[image] {
				seen[image] = true
				out = append(out, image)
			}
		}
	}
	return out
}
