package imagestream

import (
	"fmt"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/yaml/shape"
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
	ImportMode string `json:"importMode"` // Legacy, PreserveOriginal; "" is Legacy, and the API server refuses any other
}

// keepsOne reports whether OpenShift keeps only one architecture of a tag's multi-arch
// image: OpenShift imports the tag with importMode Legacy, the default (openshift/api
// image/v1 types.go: ImportModeLegacy). OpenShift imports only tags from a DockerImage; a
// tag that follows another one takes that one's image (openshift-controller-manager
// imagestream_controller.go: tagImportable).
func (t Tag) keepsOne() bool {
	return t.From != nil && t.From.Kind == "DockerImage" && t.ImportPolicy.ImportMode != "PreserveOriginal"
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

// Streams are the ImageStreams of an input.
type Streams []Stream

// Namespaces returns the namespaces of the ImageStreams.
func (s Streams) Namespaces() []string {
	out := make([]string, len(s))
	for i, stream := range s {
		out[i] = stream.Namespace
	}
	return out
}

// Image is the image that an ImageStream leads to.
type Image struct {
	Reference string // a DockerImage reference
	// Legacy says that OpenShift keeps one architecture of a multi-arch image, see
	// Tag.keepsOne.
	Legacy bool
}

// Follow returns the image of "name" or "name:tag", the form of a DataImportCron's
// source.registry.imageStream. It searches the namespaces that the cron may be in, and
// follows chains of ImageStreamTags.
func (s Streams) Follow(imageStream string, namespaces ...string) (Image, error) {
	name, tag, err := split(imageStream)
	if err != nil {
		return Image{}, err
	}
	return s.follow(name, tag, namespaces, nil)
}

func (s Streams) follow(name, tag string, namespaces, visited []string) (Image, error) {
	step := name + ":" + tag
	if slices.Contains(visited, step) {
		return Image{}, fmt.Errorf("ImageStream tags go in a circle: %s", strings.Join(append(visited, step), " -> "))
	}
	stream, err := s.find(name, namespaces)
	if err != nil {
		return Image{}, err
	}
	entry, err := stream.pick(tag)
	if err != nil {
		return Image{}, err
	}
	if entry.From == nil {
		return Image{}, fmt.Errorf("tag %q of ImageStream %q has no from: what was pushed to it is not in the input", entry.Name, name)
	}
	image, err := s.from(stream, *entry.From, namespaces, append(visited, step))
	image.Legacy = image.Legacy || entry.keepsOne()
	return image, err
}

func (s Streams) from(stream Stream, from From, namespaces, visited []string) (Image, error) {
	switch from.Kind {
	case "DockerImage":
		return Image{Reference: from.Name}, nil
	case "ImageStreamTag":
		if from.Namespace != "" {
			namespaces = []string{from.Namespace}
		}
		name, tag, err := split(from.Name)
		if err != nil {
			return Image{}, err
		}
		if tag == "" { // a tag of the same stream
			name, tag = stream.Name, name
		}
		return s.follow(name, tag, namespaces, visited)
	default:
		return Image{},
			fmt.Errorf("ImageStream %q takes its image from a %s, which only the cluster knows: expected DockerImage or ImageStreamTag", stream.Name, from.Kind)
	}
}

// find returns the stream with a name in one of the namespaces. A stream without a
// namespace matches any of them, because the namespace is set when it is applied. If two
// streams match, find does not guess.
func (s Streams) find(name string, namespaces []string) (Stream, error) {
	var here []Stream
	var elsewhere []string
	for _, stream := range s {
		switch {
		case stream.Name != name:
		case stream.Namespace == "" || slices.Contains(namespaces, stream.Namespace):
			here = append(here, stream)
		default:
			elsewhere = append(elsewhere, stream.Namespace)
		}
	}
	switch {
	case len(here) > 1:
		return Stream{}, fmt.Errorf("two ImageStreams %q may be meant: the one of namespace %q and the one of namespace %q",
			name, here[0].Namespace, here[1].Namespace)
	case len(here) == 1:
		return here[0], nil
	case len(elsewhere) > 0:
		return Stream{}, fmt.Errorf("the input has no ImageStream %q in %s, where CDI looks: it is in namespace %s", name,
			strings.Join(namespaces, " or "), strings.Join(elsewhere, ", "))
	}
	return Stream{}, fmt.Errorf("the input has no ImageStream %q", name)
}

func (s Stream) pick(tag string) (Tag, error) {
	if tag == "" {
		return s.defaultTag()
	}
	entry, ok := s.tag(tag)
	if !ok {
		return Tag{}, fmt.Errorf("ImageStream %q has no tag %q in spec.tags", s.Name, tag)
	}
	return entry, nil
}

// split cuts "name:tag". CDI fails at run time if there is a second colon.
func split(imageStream string) (name, tag string, err error) {
	name, tag, tagged := strings.Cut(imageStream, ":")
	switch {
	case name == "" || strings.Contains(tag, ":"):
		return "", "", fmt.Errorf("imageStream %q is not of the form name or name:tag", imageStream)
	case tagged && tag == "":
		return "", "", fmt.Errorf("imageStream %q names an empty tag", imageStream)
	}
	return name, tag, nil
}
