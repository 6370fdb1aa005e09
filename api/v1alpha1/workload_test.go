package v1alpha1

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func pods(spec string) string {
	return `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"WorkloadArchitectures","metadata":{"name":"a"},"spec":` + spec + `}`
}

func TestWorkloadArchitecturesDefaults(t *testing.T) {
	t.Parallel()
	w, err := DecodeWorkloadArchitectures(decoded(t, pods(`{"additionalPaths":[{"kind":"Rollout","path":"spec.template.spec"}]}`)))
	if err != nil {
		t.Fatal(err)
	}
	golden := w.Spec.Golden()
	got := []string{
		string(w.Spec.Mode),
		string(w.Spec.Unresolved),
		string(w.Spec.OS),
		string(w.Spec.AdditionalPaths[0].Shape),
		string(w.Spec.Lock.Mode),
		string(golden.Existing),
		golden.Registry.Timeout,
	}
	if diff := cmp.Diff([]string{"Affinity", "", "Auto", "podSpec", "Prefer", "Narrow", "2m"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWorkloadArchitecturesFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ spec, want, reason string }{
		{`{"mode":"affinity"}`, "spec.mode", "words are exact"},
		{`{"unresolved":"Use"}`, "spec.use", "Use needs architectures"},
		{`{"use":["amd64"]}`, "spec.use", "use needs Use"},
		{`{"ignoreImages":[" "]}`, "spec.ignoreImages[0]", "an empty reference"},
		{`{"imageArchitectures":{"a":[]}}`, "spec.imageArchitectures", "an image without architectures"},
		{`{"preferred":[{"architecture":"amd64","weight":101}]}`, "spec.preferred[0].weight", "a weight that the API server refuses"},
		{`{"preferred":[{"architecture":"amd64","weight":1},{"architecture":"amd64","weight":2}]}`, "duplicate name", "an architecture has one weight"},
		{`{"additionalPaths":[{"group":"a/v1","kind":"A","path":"spec"}]}`, "without a version", "a group with a version"},
		{`{"additionalPaths":[{"kind":"A","path":"spec.[0]"}]}`, "spec.additionalPaths[0].path", "an index is no path"},
		{`{"additionalPaths":[{"kind":"A","path":"spec","shape":"pod"}]}`, "spec.additionalPaths[0].shape", "another shape"},
		{`{"registry":{"timeout":"x"}}`, "spec.registry.timeout", "the registry is checked as for golden images"},
		{`{"inputs":["/etc/passwd"]}`, "spec.inputs[0]", "inputs as well"},
		{`{"cluster":{}}`, "unknown field", "fields of the other kind"},
	} {
		_, err := DecodeWorkloadArchitectures(decoded(t, pods(tc.spec)))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
		}
	}
	if _, err := DecodeWorkloadArchitectures(decoded(t, golden(`{}`))); err == nil {
		t.Error("another kind is refused")
	}
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// Decoding never panics, and what was decoded, once encoded, is decoded to the same.
func FuzzDecodeWorkloadArchitectures(f *testing.F) {
	for _, seed := range []string{pods(`{}`), pods(`{"mode":1}`), pods(`{"preferred":[{}],"selectors":{"labels":{"a":"b"}}}`), `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var tree map[string]any
		if json.Unmarshal(in, &tree) != nil {
			return
		}
		first, err := DecodeWorkloadArchitectures(tree)
		if err != nil {
			return
		}
		encoded, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := DecodeWorkloadArchitectures(decoded(t, string(encoded)))
		if err != nil {
			t.Fatalf("what was decoded is refused: %v\n%s", err, encoded)
		}
		if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("decoded again (-first +second):\n%s", diff)
		}
	})
}
