package v1alpha1

import (
	"fmt"
	"testing"
)

// TestForeignWords: all misfits of a template are reported at once, in the words of YAML.
func TestForeignWords(t *testing.T) {
	t.Parallel()
	for reason, tc := range map[string]struct{ spec, want string }{
		"two misfits": {
			spec: `{"schedule":5,"template":{"metadata":{"labels":{"a":1}}}}`,
			want: `[spec.predefinedTemplates[0].spec.schedule: is the number 5, ` +
				`expected a string spec.predefinedTemplates[0].spec.template.metadata.labels[a]: is the number 1, expected a string]`,
		},
		"an unknown field": {`{"shedule":"x"}`, `[spec.predefinedTemplates[0].spec.shedule: unknown field "shedule"]`},
	} {
		_, err := DecodeGoldenImages(object(t, golden(`{"predefinedTemplates":[{"name":"a","spec":`+tc.spec+`}]}`)))
		if got := fmt.Sprint(lines(t, err)); got != tc.want {
			t.Errorf("%s: got %s\nwant %s", reason, got, tc.want)
		}
	}
}
