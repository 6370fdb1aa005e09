package imagestream

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readAll(t *testing.T, list string) Streams {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(list), &raw); err != nil {
		t.Fatal(err)
	}
	var out Streams
	for _, data := range raw {
		s, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func TestParseRefusesWhatIsNoImageStream(t *testing.T) {
	t.Parallel()
	if _, err := Parse([]byte(`{"spec":{"tags":{}}}`)); err == nil {
		t.Error("spec.tags is an object: want an error")
	}
	if !Is("image.openshift.io/v1", "ImageStream") || Is("v1", "ImageStream") {
		t.Error("an ImageStream is one of the group image.openshift.io only")
	}
}

func TestTagsTwice(t *testing.T) {
	t.Parallel()
	s := readAll(t, `[{"spec":{"tags":[{"name":"a"},{"name":"b"},{"name":"a"},{"name":"c"},{"name":"a"}]}}]`)[0]
	if diff := cmp.Diff([][2]int{{0, 2}, {0, 4}}, s.TagsTwice()); diff != "" {
		t.Errorf("each with the first one (-want +got):\n%s", diff)
	}
	s.Tags = s.Tags[:2]
	if got := s.TagsTwice(); got != nil {
		t.Errorf("no name is there twice: got %v", got)
	}
}
