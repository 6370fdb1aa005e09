package imagestream

import (
	"fmt"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/shape"
)

// Kind and Group of an ImageStream.
const (
	Kind  = "ImageStream"
	Group = "image.openshift.io"
)

// Is reports whether an object of this apiVersion and kind is an ImageStream.
func Is(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return kind == Kind && group == Group
}

// Stream is an ImageStream, as far as the images of its tags go.
type Stream struct {
	Namespace string
	Name      string
	Tags      []Tag
}

// Tag is an entry of spec.tags.
type Tag struct {
	Name         string       `json:"name"`
	From         *From        `json:"from"`
	ImportPolicy ImportPolicy `json:"importPolicy"`
}

// From says where a tag's image comes from.
type From struct {
	Kind      string `json:"kind"` // DockerImage, ImageStreamTag, ImageStreamImage
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// ImportPolicy says how OpenShift imports a tag.
type ImportPolicy struct {
	ImportMode string `json:"importMode"` // Legacy, PreserveOriginal; "" is Legacy
}

// KeepsOne reports whether OpenShift keeps one architecture only of a tag's
// multi-arch image: the tag is imported with importMode Legacy, the default
// (openshift/api image/v1 types.go: ImportModeLegacy). Of the tags only those
// from a DockerImage are imported, one that follows another takes what that has
// (openshift-controller-manager imagestream_controller.go: tagImportable).
func (t Tag) KeepsOne() bool {
	mode := t.ImportPolicy.ImportMode
	return t.From != nil && t.From.Kind == "DockerImage" && (mode == "" || mode == "Legacy")
}

// MalformedError is the error of an ImageStream with values of wrong types: all of
// them.
type MalformedError []shape.Fault

// Error implements error.
func (m MalformedError) Error() string {
	parts := make([]string, len(m))
	for i, fault := range m {
		parts[i] = strings.TrimSpace(fault.Path + " " + fault.Text)
	}
	return strings.Join(parts, "; ")
}

// Parse reads an ImageStream from its JSON. Keys are compared as the API server
// compares them: exactly. Values of wrong types are a [MalformedError].
func Parse(data []byte) (Stream, error) {
	var object struct {
		Metadata struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
		Spec struct {
			Tags []Tag `json:"tags"`
		} `json:"spec"`
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &object); err != nil {
		if faults := shape.Faults("", data, &object); len(faults) > 0 {
			return Stream{}, MalformedError(faults)
		}
		return Stream{}, fmt.Errorf("read ImageStream: %w", err)
	}
	return Stream{Namespace: object.Metadata.Namespace, Name: object.Metadata.Name, Tags: object.Spec.Tags}, nil
}

// DuplicateTags returns the tags whose name an earlier one has: for each the places
// of the first one and of itself. OpenShift would take the last of them.
func (s Stream) DuplicateTags() [][2]int {
	var out [][2]int
	first := map[string]int{}
	for i, t := range s.Tags {
		if at, twice := first[t.Name]; twice {
			out = append(out, [2]int{at, i})
			continue
		}
		first[t.Name] = i
	}
	return out
}

func (s Stream) tag(name string) (Tag, bool) {
	for _, t := range s.Tags {
		if t.Name == name {
			return t, true
		}
	}
	return Tag{}, false
}

// defaultTag returns the tag that CDI takes where none is asked for: the first
// of status.tags, which OpenShift orders with "latest" first. Without "latest"
// the order depends on the versions in the names, so it is not predicted.
func (s Stream) defaultTag() (Tag, error) {
	if latest, ok := s.tag("latest"); ok {
		return latest, nil
	}
	switch len(s.Tags) {
	case 0:
		return Tag{}, fmt.Errorf("ImageStream %q has no tags in spec.tags", s.Name)
	case 1:
		return s.Tags[0], nil
	default:
		return Tag{}, fmt.Errorf("ImageStream %q has %d tags and none of them is latest: name the tag, as in %q",
			s.Name, len(s.Tags), s.Name+":"+s.Tags[0].Name)
	}
}
