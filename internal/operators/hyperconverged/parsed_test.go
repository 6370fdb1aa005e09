package hyperconverged_test

import (
	"bytes"
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestParsed: equal CRs are one text and one model, whoever reads them.
func TestParsed(t *testing.T) {
	t.Parallel()
	first := []byte(`{"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged", "metadata": {"name": "a"}, "spec": {}}`)
	other := bytes.Replace(first, []byte(`"a"`), []byte(`"b"`), 1)
	p := &hyperconverged.Parsed{}
	for _, tc := range []struct {
		reason string
		data   []byte
		same   bool
		want   int
	}{
		{"the first one", first, true, 1},
		{"an equal one", bytes.Clone(first), true, 1},
		{"another one", other, false, 2},
	} {
		model, found := p.Parse(tc.data)
		text, _ := p.Filled(tc.data)
		if model == nil || found.Failed() || p.Len() != tc.want {
			t.Errorf("%s: want %d CRs, got %d and %v", tc.reason, tc.want, p.Len(), found)
		}
		if same := &text[0] == &first[0]; same != tc.same || !bytes.Equal(text, tc.data) {
			t.Errorf("%s: the text of the first one: %v", tc.reason, same)
		}
	}
}
