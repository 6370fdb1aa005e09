package imagestream

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNotFound says that the input does not have the requested ImageStream.
var ErrNotFound = errors.New("the input has no ImageStream")

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
	// [Tag.KeepsOne].
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

func (s Streams) follow(name, tag string, namespaces, way []string) (Image, error) {
	step := name + ":" + tag
	if slices.Contains(way, step) {
		return Image{}, fmt.Errorf("ImageStream tags go in a circle: %s", strings.Join(append(way, step), " -> "))
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
	image, err := s.from(stream, *entry.From, namespaces, append(way, step))
	image.Legacy = image.Legacy || entry.KeepsOne()
	return image, err
}

func (s Streams) from(stream Stream, from From, namespaces, way []string) (Image, error) {
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
		return s.follow(name, tag, namespaces, way)
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
		return Stream{}, fmt.Errorf("%w %q in %s, where CDI looks: it is in namespace %s", ErrNotFound, name,
			strings.Join(namespaces, " or "), strings.Join(elsewhere, ", "))
	}
	return Stream{}, fmt.Errorf("%w %q", ErrNotFound, name)
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
	parts := strings.Split(imageStream, ":")
	switch {
	case len(parts) > 2 || parts[0] == "":
		return "", "", fmt.Errorf("imageStream %q is not of the form name or name:tag", imageStream)
	case len(parts) == 2 && parts[1] == "":
		return "", "", fmt.Errorf("imageStream %q names an empty tag", imageStream)
	case len(parts) == 2:
		return parts[0], parts[1], nil
	default:
		return parts[0], "", nil
	}
}
