package shape_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/internal/yaml/shape"
)

// TestImmeasurable: what apimachinery would compute with for ever, or for long, is
// found, and nothing else. Each quantity that is let through is parsed here.
func TestImmeasurable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, json string
		want         []string
	}{
		{"a size", `{"requests":{"storage":"10Gi"}}`, nil},
		{"a number", `{"requests":{"storage":10737418240}}`, nil},
		{"exa, not an exponent", `{"requests":{"storage":"10Ei","x":"1E"}}`, nil},
		{"an exponent that people write", `{"requests":{"storage":"1e9"}}`, nil},
		{"the largest exponent", `{"requests":{"storage":"1e1000","x":"1e-1000"}}`, nil},
		{"too large", `{"requests":{"storage":"1e999999999"}}`, []string{"requests[storage] 1e999999999"}},
		{"too small", `{"requests":{"storage":"1e-999999999"}}`, []string{"requests[storage] 1e-999999999"}},
		{"as a number", `{"requests":{"storage":1e999999999}}`, []string{"requests[storage] 1e999999999"}},
		{"a capital, a sign, blanks", `{"limits":{"a":" 1E+999999999 "}}`, []string{"limits[a] 1E+999999999"}},
		{"a minus in front", `{"limits":{"a":"-1.5e12345"}}`, []string{"limits[a] -1.5e12345"}},
		{"beyond 64 bits", `{"limits":{"a":"1e99999999999999999999"}}`, []string{"limits[a] 1e99999999999999999999"}},
		{"leading zeros", `{"limits":{"a":"1e0000999999999"}}`, []string{"limits[a] 1e0000999999999"}},
		{"several", `{"limits":{"b":"1e99999","a":"1e99999"}}`, []string{"limits[a] 1e99999", "limits[b] 1e99999"}},
		{"too long", `{"limits":{"a":"` + strings.Repeat("1", 2000) + `"}}`, []string{"limits[a] " + strings.Repeat("1", 40) + "…"}},
		{"elsewhere it is a text", `{"claims":[{"name":"1e999999999"}],"other":"1e999999999"}`, nil},
		{"no quantity at all", `{"limits":{"a":"e","b":"1ee9","c":"1e9x"}}`, nil},
		{"not JSON", `{"limits":{"a":"1e999999999"`, nil},
	} {
		var got []string
		for _, f := range shape.Immeasurable("", []byte(tc.json), &corev1.ResourceRequirements{}) {
			got = append(got, fmt.Sprintf("%s %s", f.Path, f.Value))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// FuzzImmeasurable: a quantity that is let through can be computed with.
func FuzzImmeasurable(f *testing.F) {
	for _, text := range []string{"10Gi", "1e9", "1e1000", "1e-1000", "1E999999999", "0.1e-00000000001000", "1ei", "1.e5", "+1e+5"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		data, err := json.Marshal(map[string]any{"limits": map[string]string{"a": text}})
		if err != nil {
			return
		}
		if len(shape.Immeasurable("", data, corev1.ResourceRequirements{})) > 0 {
			return
		}
		if q, err := resource.ParseQuantity(strings.TrimSpace(text)); err == nil {
			_, _, _ = q.Value(), q.String(), q.Cmp(resource.MustParse("1Mi"))
		}
	})
}
