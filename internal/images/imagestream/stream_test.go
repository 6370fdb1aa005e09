package imagestream

import (
	"encoding/json"
	"errors"
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

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`{"spec":{"tags":{}}}`: "spec.tags is an object, expected a list",
		`{"spec":[]}`:          "spec is a list, expected an object",
		`{"spec":{"tags":[{"name":9.4},{"from":"x"}]}}`: `spec.tags[0].name is the number 9.4, expected a string; ` +
			`spec.tags[1].from is the string "x", expected an object`,
	} {
		_, err := Parse([]byte(data))
		var malformed MalformedError
		if !errors.As(err, &malformed) || err.Error() != want {
			t.Errorf("%s: want %q, got %v", data, want, err)
		}
	}
	if _, err := Parse([]byte(`{`)); err == nil {
		t.Error("what is no JSON is an error")
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	if !Is("image.openshift.io/v1", "ImageStream") || Is("v1", "ImageStream") {
		t.Error("an ImageStream is one of the group image.openshift.io only")
	}
}

// TestParseCase: a key of another case is another key, as to the API server.
func TestParseCase(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte(`{"spec":{"Tags":[{"name":"a"}]}}`))
	if err != nil || len(s.Tags) != 0 {
		t.Errorf("Tags is no field: got %+v, %v", s, err)
	}
}

func TestDuplicateTags(t *testing.T) {
	t.Parallel()
	s := readAll(t, `[{"spec":{"tags":[{"name":"a"},{"name":"b"},{"name":"a"},{"name":"c"},{"name":"a"}]}}]`)[0]
	if diff := cmp.Diff([][2]int{{0, 2}, {0, 4}}, s.DuplicateTags()); diff != "" {
		t.Errorf("each with the first one (-want +got):\n%s", diff)
	}
	s.Tags = s.Tags[:2]
	if got := s.DuplicateTags(); got != nil {
		t.Errorf("no name is there twice: got %v", got)
	}
}
