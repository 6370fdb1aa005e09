package v1alpha1

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	digestA = "sha256:" + strings.Repeat("a", 64)
	digestB = "sha512:" + strings.Repeat("b", 128)
)

// locked is an ArchitectureLock with the given JSON as its images.
func locked(images string) string {
	return `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"ArchitectureLock","metadata":{"name":"x"},"images":` + images + `}`
}

// image is an entry with the given JSON as its platforms.
func image(platforms string) string {
	return locked(`[{"reference":"quay.io/a/b:1","digest":"` + digestA + `","mediaType":"m","platforms":` + platforms + `}]`)
}

// operatorsOf is a lock with the given JSON as its operators.
func operatorsOf(list string) string {
	return `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"ArchitectureLock","metadata":{"name":"x"},"operators":` + list + `}`
}

func TestDecodeArchitectureLock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason, in string
		want       []string
	}{
		{"a lock may be empty", locked(`[]`), nil},
		{
			reason: "variants are platforms of their own",
			in:     image(`[{"os":"linux","architecture":"arm","variant":"v6"},{"os":"linux","architecture":"arm","variant":"v7","digest":"` + digestB + `"}]`),
		},
		{
			"a kind mistyped is none", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"ArchitectureLocks"}`,
			[]string{`kind: is "ArchitectureLocks", expected "ArchitectureLock" of goldenarch.dev/v1alpha1`},
		},
		{
			"a version to come is not guessed at", `{"apiVersion":"goldenarch.dev/v1","kind":"ArchitectureLock"}`,
			[]string{`apiVersion: is "goldenarch.dev/v1", expected "goldenarch.dev/v1alpha1"`},
		},
		{
			reason: "an unknown field names the nearest",
			in:     locked(`[{"referense":"a","digest":"` + digestA + `","mediaType":"m","platforms":[{"os":"linux","architecture":"amd64"}]}]`),
			want:   []string{`images[0].referense: unknown field "referense"; did you mean "reference"?`, `images[0].reference: is empty, expected an image reference`},
		},
		{
			"all that is missing is told at once", locked(`[{}]`),
			[]string{
				"images[0].reference: is empty, expected an image reference",
				`images[0].digest: is "", expected sha256:<64 hex digits> or sha512:<128 hex digits>`,
				"images[0].mediaType: is empty, expected the media type of the manifest or index",
				"images[0].platforms: is empty, expected the platforms of the image",
			},
		},
		{
			reason: "a digest cut short is none",
			in:     locked(`[{"reference":"a","digest":"sha256:abc","mediaType":"m","size":-1,"platforms":[{"os":"linux","architecture":"amd64","digest":"x"}]}]`),
			want: []string{
				`images[0].digest: is "sha256:abc", expected sha256:<64 hex digits> or sha512:<128 hex digits>`,
				"images[0].size: is -1, expected 0 or more",
				`images[0].platforms[0].digest: is "x", expected sha256:<64 hex digits> or sha512:<128 hex digits>`,
			},
		},
		{
			"only what runs on a node is locked", image(`[{"os":"windows","architecture":"amd64"}]`),
			[]string{`images[0].platforms[0].os: is "windows", expected "linux": no other system runs on a node`},
		},
		{
			"an alias is read from people only", image(`[{"os":"linux","architecture":"x86_64"}]`),
			[]string{`images[0].platforms[0].architecture: is "x86_64": expected the name of an architecture, such as "amd64"`},
		},
		{
			"the operators of a lock",
			operatorsOf(`[{"package":"a","csv":"a.v1","architectures":["amd64","arm64"]},{"package":"a","csv":"a.v2","architectures":["amd64"]}]`),
			nil,
		},
		{
			"an operator of which something is missing", operatorsOf(`[{"version":"1"}]`),
			[]string{
				`operators[0].version: unknown field "version"`,
				"operators[0].package: is empty, expected the name of the operator's package",
				"operators[0].csv: is empty, expected the name of a ClusterServiceVersion",
				"operators[0].architectures: is empty, expected the architectures of the operator",
			},
		},
		{
			"an operator twice, with a name of the kernel and an architecture twice",
			operatorsOf(`[{"package":"a","csv":"a.v1","architectures":["x86_64"]},{"package":"a","csv":"a.v1","architectures":["arm64","arm64"]}]`),
			[]string{
				`operators[0].architectures[0]: is "x86_64", expected the name of an architecture, such as "amd64"`,
				`operators[1]: duplicate entry "a.v1" of "a"`, `operators[1].architectures[1]: duplicate name "arm64"`,
			},
		},
		{
			"a platform twice: which digest is it?", image(`[{"os":"linux","architecture":"amd64"},{"os":"linux","architecture":"amd64","digest":"` + digestA + `"}]`),
			[]string{`images[0].platforms[1]: duplicate platform "linux/amd64"`},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			lock, err := DecodeArchitectureLock(object(t, test.in))
			if diff := cmp.Diff(test.want, lines(t, err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if (lock == nil) != (err != nil) {
				t.Errorf("%s: a refusal returns nothing, got %+v, %v", test.reason, lock, err)
			}
		})
	}
}

// What was decoded, once encoded, is decoded to the same.
func FuzzDecodeArchitectureLock(f *testing.F) {
	for _, seed := range []string{locked(`[]`), image(`[{"os":"linux","architecture":"amd64"}]`), locked(`[{"size":1e9}]`), locked(`[null]`), `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var tree map[string]any
		if json.Unmarshal(in, &tree) != nil {
			return
		}
		first, err := DecodeArchitectureLock(tree)
		if err != nil {
			return
		}
		encoded, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := DecodeArchitectureLock(object(t, string(encoded)))
		if err != nil {
			t.Fatalf("what was decoded is refused: %v\n%s", err, encoded)
		}
		if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("decoded again (-first +second):\n%s", diff)
		}
	})
}
