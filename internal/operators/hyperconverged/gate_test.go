package hyperconverged

import "testing"

func TestGate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason          string
		version         Version
		spec            string
		on, contradicts bool
	}{
		{"off if nothing is said", V1, "{}", false, false},
		{"the field", V1, "{workloadSources: {enableMultiArchBootImageImport: true}}", true, false},
		{"the feature gate", V1, "{featureGates: [{name: enableMultiArchBootImageImport, state: Enabled}]}", true, false},
		{"a missing state is on", V1, "{featureGates: [{name: a}, {name: enableMultiArchBootImageImport}]}", true, false},
		{"a null state is on", V1, "{featureGates: [{name: enableMultiArchBootImageImport, state: null}]}", true, false},
		{"any other state is off", V1, "{featureGates: [{name: enableMultiArchBootImageImport, state: enabled}]}", false, false},
		{"the name is compared without case", V1, "{featureGates: [{name: ENABLEMULTIARCHBOOTIMAGEIMPORT}]}", true, false},
		{"the field wins", V1, "{featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {enableMultiArchBootImageImport: false}}", false, true},
		{"they agree", V1, "{featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {enableMultiArchBootImageImport: true}}", true, false},
		{"v1beta1 has a bool", V1beta1, "{featureGates: {enableMultiArchBootImageImport: true}}", true, false},
		{"that is off", V1beta1, "{featureGates: {enableMultiArchBootImageImport: false}}", false, false},
		{"null says nothing", V1beta1, "{featureGates: {enableMultiArchBootImageImport: null}}", false, false},
	} {
		cr, found := parseYAML(t, tc.version, tc.spec)
		if cr == nil {
			t.Fatalf("%s: %s", tc.reason, found)
		}
		if cr.Gate.On() != tc.on || cr.Gate.Contradicts() != tc.contradicts {
			t.Errorf("%s: on %v, contradicts %v", tc.reason, cr.Gate.On(), cr.Gate.Contradicts())
		}
	}
}

// TestGateOfAConvertedCR: the annotation keeps what v1beta1 cannot say.
func TestGateOfAConvertedCR(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, annotation, gates string
		on                        bool
	}{
		{"the v1 field", `{\"multiArchEnabled\":true}`, `{}`, true},
		{"the bool of the object wins", `{\"multiArchEnabled\":true}`, `{"enableMultiArchBootImageImport":false}`, false},
		{"the v1 list", `{\"featureGates\":[{\"name\":\"enableMultiArchBootImageImport\"}]}`, `{}`, true},
		{"the field wins over the list", `{\"multiArchEnabled\":false,\"featureGates\":[{\"name\":\"enableMultiArchBootImageImport\"}]}`, `{}`, false},
		{"something else", `{\"a\":1}`, `{}`, false},
		{"an empty one keeps nothing, and HCO ignores it", ``, `{}`, false},
	} {
		cr, found := Parse([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","metadata":{"annotations":{"hco.kubevirt.io/v1-only-fields":"` +
			tc.annotation + `"}},"spec":{"featureGates":` + tc.gates + `}}`))
		if cr == nil || found.Failed() || cr.Gate.On() != tc.on {
			t.Errorf("%s: want %v: %v %s", tc.reason, tc.on, cr, found)
		}
	}
	_, found := Parse([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","metadata":{"annotations":{"hco.kubevirt.io/v1-only-fields":"{"}},"spec":{}}`))
	if !found.Failed() {
		t.Error("an annotation that cannot be read is told")
	}
}
