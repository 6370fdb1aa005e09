package hyperconverged

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestEmptyGatesOfTheCluster: what an upgrade of HCO left in the stored object is read as empty. In
// Git the API server refuses it, and so it does any other object in the place of the list.
func TestEmptyGatesOfTheCluster(t *testing.T) {
	t.Parallel()
	const stored = `,"uid":"a","resourceVersion":"1"},"status":{"versions":[{"name":"operator","version":"1.19.0"}]},`
	for _, tc := range []struct {
		reason, version, metadata, spec string
		want                            finding.Severity // of the finding about the gates; "" for none
		reads                           bool
	}{
		{reason: "a dump", version: "v1", metadata: stored, spec: `{"featureGates":{}}`, want: finding.Warning, reads: true},
		{reason: "a dump with a list", version: "v1", metadata: stored, spec: `{"featureGates":[]}`, reads: true},
		{reason: "a dump without gates", version: "v1", metadata: stored, spec: `{"featureGates":null}`, reads: true},
		{reason: "a dump with another object", version: "v1", metadata: stored, spec: `{"featureGates":{"a":true}}`, want: finding.Error},
		{reason: "v1beta1 has an object there", version: "v1beta1", metadata: stored, spec: `{"featureGates":{}}`, reads: true},
		{reason: "in Git", version: "v1", metadata: `},`, spec: `{"featureGates":{}}`, want: finding.Error},
	} {
		data := []byte(`{"apiVersion":"hco.kubevirt.io/` + tc.version + `","kind":"HyperConverged","metadata":{"name":"kubevirt-hyperconverged"` +
			tc.metadata + `"spec":` + tc.spec + `}`)
		cr, found := Parse(data)
		if (cr != nil) != tc.reads {
			t.Errorf("%s: is read: %v\n%s", tc.reason, cr != nil, found)
		}
		if n := found.Count(finding.Error) + found.Count(finding.Warning); n != 0 != (tc.want != "") || tc.want != "" && found.Count(tc.want) == 0 {
			t.Errorf("%s: want a finding of the severity %q, got\n%s", tc.reason, tc.want, found)
		}
		if !tc.reads || !strings.Contains(tc.metadata, "uid") {
			continue
		}
		if live, warned := ParseLive(data); live == nil || live.Release != "1.19.0" || len(warned) > 0 != (tc.want != "") {
			t.Errorf("%s: as the live CR: %+v\n%s", tc.reason, live, warned)
		}
	}
}
