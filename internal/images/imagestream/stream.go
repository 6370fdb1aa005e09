package imagestream

import (
	"fmt"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/shape"
)

// The Kind and the Group of an ImageStream.
const (
	Kind  = "ImageStream"
	Group = "image.openshift.io"
)

// Is reports whether an object of this apiVersion and kind is an ImageStream.
func Is(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return kind == Kind && group == Group
}

// Stream has the fields of an ImageStream that concern the images of its tags.
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

// KeepsOne reports whether OpenShift keeps only one architecture of a tag's multi-arch
// image: OpenShift imports the tag with importMode Legacy, the default (openshift/api
// image/v1 types.go: ImportModeLegacy). OpenShift imports only tags from a DockerImage; a
// tag that follows another one takes that one's image (openshift-controller-manager
// imagestream_controller.go: tagImportable).
func (t Tag) KeepsOne() bool {
	mode := t.ImportPolicy.ImportMode
	return t.From != nil && t.From.Kind == "DockerImage" && (mode == "" || mode == "Legacy")
}

// MalformedError is the error of an ImageStream with values of wrong types. It lists all of
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

// Parse reads an ImageStream from its JSON. It compares keys exactly, as the API server
// does. Values of wrong types are a [MalformedError].
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

// DuplicateTags returns the tags with the name of an earlier one: for each, the positions
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

// defaultTag returns the tag that CDI uses if the source names none: the first of
// status.tags, which OpenShift sorts with "latest" first. Without "latest" the order
// depends on the versions in the names, so goldenarch does not predict it.
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
