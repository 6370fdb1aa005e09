package hyperconverged

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/yaml/shape"
)

// TestMayBeImmeasurable: what need not be decoded has no quantity that is too large.
func TestMayBeImmeasurable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"30Gi"`: false, `"1e999"`: false, `"1E-999"`: false, `1e9`: false, `"edge-12-e"`: false, `"e"`: false, `"e 1234"`: false,
		`"1e9999"`: true, `"1E+1001"`: true, `1e-100000`: true, `"1\u00659999"`: true, `"` + strings.Repeat("1", 1001) + `"`: true,
	} {
		if got := mayBeImmeasurable([]byte(text)); got != want {
			t.Errorf("%.40s: want %t, got %t", text, want, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,3}(\.[0-9]{1,3})?[eE]{1,2}[+-]?[0-9]{1,6}`).Draw(t, "text")
		entry, data := struct{ Storage resource.Quantity }{}, []byte(`{"Storage":"`+text+`"}`)
		if len(shape.Immeasurable("", data, &entry)) > 0 && !mayBeImmeasurable(data) {
			t.Errorf("%s is too large", text)
		}
	})
}
