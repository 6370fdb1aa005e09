package v1alpha1

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Decoding never panics, a refusal returns nothing, and what was decoded, once
// encoded, is decoded to the same. A ConfigMap has no way back.
func FuzzDecodeGoldenImages(f *testing.F) {
	for _, seed := range []string{
		golden(`{}`), golden(`{"release":1.2,"gate":"auto","x":[{}]}`),
		golden(`{"cluster":{"workloadArchitectures":["amd64"]},"overrides":[{"image":"a","architectures":["arm64"]}],"registry":{"retries":0}}`),
		golden(`{"predefinedTemplates":[{"name":"a","registry":{"platform":{"architecture":"x"}}}],"inputs":["a/b"]}`),
		data(`{"allow":"amd64, arm64","registryRetries":"1"}`), data(`{"":"x","gate":""}`), `null`, `{"kind":1}`,
		`{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages","metadata":{"labels":{"a":"b"},"Name":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var tree map[string]any
		if json.Unmarshal(in, &tree) != nil {
			return
		}
		first, err := DecodeGoldenImages(tree)
		if err != nil {
			if first != nil || len(lines(t, err)) == 0 || err.Error() == "" {
				t.Fatalf("refused with %q, but %+v is returned", err, first)
			}
			return
		}
		first.TypeMeta = TypeMeta{APIVersion: APIVersion, Kind: GoldenImagesKind}
		encoded, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var again map[string]any
		if err := json.Unmarshal(encoded, &again); err != nil {
			t.Fatal(err)
		}
		second, err := DecodeGoldenImages(again)
		if err != nil {
			t.Fatalf("what was decoded is refused: %v\n%s", err, encoded)
		}
		if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("decoded again (-first +second):\n%s", diff)
		}
	})
}
